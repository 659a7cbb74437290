// Couplings: equations between coordinates of joints.
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#define CR_PRESSURE_ANGLE (CR_PI / 9.0) // [rad] of gears that do not say otherwise
#define CR_GEAR_MODULUS 2.06e11         // [N/m^2] likewise: steel
#define CR_MOST_TEETH 1e6
#define CR_TERM_TEXT (CR_MAX_PATH + 32) // [bytes] of the name of a factor in messages

const char* crCouplingKind_GetText(crCouplingKind kind)
{
  static const char* const texts[] = { "coupling",         "gearPair", "rackPair", "belt",
                                       "flexibleCoupling", "clutch",   "brake",    "motor" };
  return (unsigned)kind < cr_couplingKindCount ? texts[kind] : "unknown coupling";
}

crCouplingDef crDefaultCouplingDef(crCouplingKind kind, const char* name)
{
  crCouplingDef def = { .size = sizeof def, .name = name, .kind = kind };
  return def;
}

// ---------------------------------------------------------------------------------------------- checking

static bool isNamedBefore(const crNamedNumber* joints, int index)
{
  for (int k = 0; k < index; ++k) {
    if (joints[k].name != NULL && strcmp(joints[k].name, joints[index].name) == 0) {
      return true;
    }
  }
  return false;
}

static void checkSum(crReporter* reporter, const crNamedNumber* joints, int count)
{
  char field[CR_TERM_TEXT];
  if (count == 0) {
    crReportError(reporter, "a coupling needs one joint or more");
  }
  for (int i = 0; i < count; ++i) {
    if (joints[i].name == NULL || joints[i].name[0] == '\0') {
      crReportError(reporter, "joint %d of the coupling has no name", i + 1);
      continue;
    }
    snprintf(field, sizeof field, "the factor of joint '%.*s'", CR_MAX_PATH, joints[i].name);
    if (isNamedBefore(joints, i)) {
      crReportError(reporter, "joint '%s' is in the coupling twice", joints[i].name);
    } else if (crCheckFinite(reporter, field, joints[i].value) && joints[i].value == 0.0) {
      snprintf(field, sizeof field, "the factor of joint '%.*s' is 0", CR_MAX_PATH, joints[i].name);
      crReportNumber(reporter, field, 0.0, "another number", NULL, "leave the joint out");
    }
  }
}

static void checkPair(crReporter* reporter, const char* what, const char* a, const char* otherWhat, const char* b)
{
  if (a == NULL || a[0] == '\0') {
    crReportError(reporter, "%s is missing", what);
  }
  if (b == NULL || b[0] == '\0') {
    crReportError(reporter, "%s is missing", otherWhat);
  }
  if (a != NULL && b != NULL && strcmp(a, b) == 0) {
    crReportError(reporter, "%s and %s are both '%s'", what, otherWhat, a);
  }
}

static void checkRatio(crReporter* reporter, const crCouplingDef* def)
{
  bool hasRatio = def->as.gearPair.ratio != 0.0;
  bool hasTeethA = def->as.gearPair.teethA != 0.0, hasTeethB = def->as.gearPair.teethB != 0.0;
  if (hasRatio == (hasTeethA || hasTeethB) || hasTeethA != hasTeethB) {
    crReportError(reporter, "a gear pair needs a ratio, or teethA and teethB, and not all of them");
    return;
  }
  if (hasRatio) {
    crCheckPositive(reporter, "ratio", def->as.gearPair.ratio, NULL);
  } else {
    crCheckPositive(reporter, "teethA", def->as.gearPair.teethA, NULL);
    crCheckPositive(reporter, "teethB", def->as.gearPair.teethB, NULL);
  }
}

// What only involute teeth have.
static bool hasMeshFields(const crCouplingDef* def)
{
  return def->as.gearPair.pressureAngle != 0.0 || def->as.gearPair.shiftA != 0.0 || def->as.gearPair.shiftB != 0.0 ||
         def->as.gearPair.faceWidth != 0.0 || def->as.gearPair.E != 0.0 || def->as.gearPair.tipRelief != 0.0;
}

crGearData crGetGearData(const crCouplingDef* def)
{
  double angle = def->as.gearPair.pressureAngle, E = def->as.gearPair.E;
  return (crGearData){ .teethA = def->as.gearPair.teethA,
                       .teethB = def->as.gearPair.teethB,
                       .module = def->as.gearPair.module,
                       .pressureAngle = angle > 0.0 ? angle : CR_PRESSURE_ANGLE,
                       .shiftA = def->as.gearPair.shiftA,
                       .shiftB = def->as.gearPair.shiftB,
                       .faceWidth = def->as.gearPair.faceWidth,
                       .E = E > 0.0 ? E : CR_GEAR_MODULUS,
                       .tipRelief = def->as.gearPair.tipRelief };
}

static bool checkTeeth(crReporter* reporter, const char* field, double teeth)
{
  if (!(teeth >= 1.0 && teeth <= CR_MOST_TEETH && teeth == floor(teeth))) {
    char message[64], allowed[64];
    snprintf(message, sizeof message, "%s is no number of teeth", field);
    snprintf(allowed, sizeof allowed, "a whole number from 1 to %g", CR_MOST_TEETH);
    crReportNumber(reporter, message, teeth, allowed, NULL, "gears with a module have teeth");
    return false;
  }
  return true;
}

static bool checkMeshNumbers(crReporter* reporter, const crCouplingDef* def)
{
  double angle = def->as.gearPair.pressureAngle;
  bool isGood = crCheckPositive(reporter, "module", def->as.gearPair.module, "m");
  isGood = checkTeeth(reporter, "teethA", def->as.gearPair.teethA) && isGood;
  isGood = checkTeeth(reporter, "teethB", def->as.gearPair.teethB) && isGood;
  isGood = crCheckPositive(reporter, "faceWidth", def->as.gearPair.faceWidth, "m") && isGood;
  isGood = crCheckNotNegative(reporter, "tipRelief", def->as.gearPair.tipRelief, "m") && isGood;
  isGood = crCheckFinite(reporter, "shiftA", def->as.gearPair.shiftA) && isGood;
  isGood = crCheckFinite(reporter, "shiftB", def->as.gearPair.shiftB) && isGood;
  isGood = crCheckNotNegative(reporter, "E", def->as.gearPair.E, "N/m^2") && isGood;
  if (!(angle >= 0.0 && angle < 0.25 * CR_PI)) {
    crReportNumber(reporter, "pressureAngle is out of range", angle, "0 < pressureAngle < pi/4", "rad",
                   "20 degrees are math.rad(20)");
    isGood = false;
  }
  return isGood;
}

// Involute teeth: whether they mesh.
static void checkMesh(crReporter* reporter, const crCouplingDef* def)
{
  if (def->as.gearPair.module == 0.0) {
    if (hasMeshFields(def)) {
      crReportError(reporter, "pressureAngle, shiftA, shiftB, faceWidth, E and tipRelief need a module");
    }
    return;
  }
  if (def->as.gearPair.isInternal || def->stiffness != 0.0) {
    crReportError(reporter, def->stiffness != 0.0 ? "gears with a module have their stiffness from it, and no other"
                                                  : "gears with a module have their teeth outside, not internal");
    return;
  }
  crGearMesh mesh;
  crGearData data = crGetGearData(def);
  const char* why = checkMeshNumbers(reporter, def) ? crMakeGearMesh(&data, &mesh) : NULL;
  if (why != NULL) {
    crReportError(reporter, "the gears do not mesh: %s", why);
  }
}

static void checkGearPair(crReporter* reporter, const crCouplingDef* def)
{
  const char *a = def->as.gearPair.jointA, *b = def->as.gearPair.jointB, *carrier = def->as.gearPair.carrier;
  checkPair(reporter, "jointA", a, "jointB", b);
  if (carrier != NULL && a != NULL && b != NULL && (strcmp(carrier, a) == 0 || strcmp(carrier, b) == 0)) {
    crReportError(reporter, "the carrier is one of the gears: '%s'", carrier);
  }
  checkRatio(reporter, def);
  checkMesh(reporter, def);
}

static void checkRackPair(crReporter* reporter, const crCouplingDef* def)
{
  checkPair(reporter, "pinion", def->as.rackPair.pinion, "rack", def->as.rackPair.rack);
  if (crCheckFinite(reporter, "radius", def->as.rackPair.radius) && def->as.rackPair.radius == 0.0) {
    crReportNumber(reporter, "radius must not be 0", 0.0, "another number", NULL, NULL);
  }
}

static void checkBelt(crReporter* reporter, const crCouplingDef* def)
{
  checkPair(reporter, "jointA", def->as.belt.jointA, "jointB", def->as.belt.jointB);
  crCheckPositive(reporter, "radiusA", def->as.belt.radiusA, "m");
  crCheckPositive(reporter, "radiusB", def->as.belt.radiusB, "m");
}

// What an equation or a spring has, and friction and motors have not.
static void checkNoLaw(crReporter* reporter, const crCouplingDef* def)
{
  if (def->offset != 0.0 || def->stiffness != 0.0 || def->damping != 0.0 || def->backlash != 0.0 ||
      def->efficiency != 0.0 || def->efficiencyBack != 0.0) {
    crReportError(reporter, "a %s has no offset, stiffness, damping, backlash and efficiencies",
                  crCouplingKind_GetText(def->kind));
  }
}

static void checkJoint(crReporter* reporter, const char* joint)
{
  if (joint == NULL || joint[0] == '\0') {
    crReportError(reporter, "joint is missing");
  }
}

static void checkFriction(crReporter* reporter, const crCouplingDef* def, const crEngagedFriction* law)
{
  checkNoLaw(reporter, def);
  bool isGood = crCheckPositive(reporter, "friction", law->friction, "N m or N");
  isGood = crCheckNotNegative(reporter, "frictionStatic", law->frictionStatic, "N m or N") && isGood;
  crCheckNotNegative(reporter, "frictionStiffness", law->frictionStiffness, "N m/rad or N/m");
  crCheckNotNegative(reporter, "frictionFade", law->frictionFade, "rad/s or m/s");
  if (isGood && law->frictionStatic != 0.0 && law->frictionStatic < law->friction) {
    crReportNumber(reporter, "frictionStatic is below friction", law->frictionStatic, "friction or more", NULL, NULL);
  }
}

static void checkMotor(crReporter* reporter, const crCouplingDef* def)
{
  checkNoLaw(reporter, def);
  checkJoint(reporter, def->as.motor.joint);
  if (def->as.motor.voltage == NULL || def->as.motor.voltage[0] == '\0') {
    crReportError(reporter, "voltage is missing");
  }
  crCheckPositive(reporter, "resistance", def->as.motor.resistance, "Ohm");
  crCheckNotNegative(reporter, "inductance", def->as.motor.inductance, "H");
  if (crCheckFinite(reporter, "torqueConstant", def->as.motor.torqueConstant) && def->as.motor.torqueConstant == 0.0) {
    crReportNumber(reporter, "torqueConstant must not be 0", 0.0, "another number", NULL, NULL);
  }
}

static void checkFlexible(crReporter* reporter, const crCouplingDef* def)
{
  checkPair(reporter, "jointA", def->as.flexible.jointA, "jointB", def->as.flexible.jointB);
  if (def->stiffness == 0.0 && def->damping == 0.0) {
    crReportNumber(reporter, "a flexible coupling needs a stiffness or a damping", def->stiffness, "> 0",
                   "N m/rad or N/m", "a rigid one is a coupling: { joints = { a = 1, b = -1 } }");
  }
}

static bool hasTeeth(const crCouplingDef* def)
{
  return def->kind == cr_couplingGearPair && def->as.gearPair.module != 0.0;
}

static void checkEfficiency(crReporter* reporter, const crCouplingDef* def, const char* field, double efficiency)
{
  if (efficiency == 0.0) {
    return;
  }
  if (!(efficiency > 0.0 && efficiency <= 1.0)) {
    char message[64];
    snprintf(message, sizeof message, "%s is out of range", field);
    crReportNumber(reporter, message, efficiency, "above 0, to 1", NULL, NULL);
  } else if (def->kind == cr_couplingSum || def->kind == cr_couplingFlexible) {
    crReportError(reporter, "a %s has no efficiency, only pairs have: gearPair, rackPair, belt",
                  def->kind == cr_couplingSum ? "coupling of any joints" : "flexible coupling");
  } else if (efficiency < 1.0 && def->stiffness == 0.0 && !hasTeeth(def)) {
    crReportNumber(reporter, "a pair with losses needs a stiffness", def->stiffness, "> 0", NULL,
                   "one so large that it gives way by less than matters");
  }
}

static void checkLaw(crReporter* reporter, const crCouplingDef* def)
{
  crCheckFinite(reporter, "offset", def->offset);
  bool isGood = crCheckNotNegative(reporter, "stiffness", def->stiffness, NULL);
  isGood = crCheckNotNegative(reporter, "damping", def->damping, NULL) && isGood;
  isGood = crCheckNotNegative(reporter, "backlash", def->backlash, NULL) && isGood;
  if (isGood && def->backlash > 0.0 && def->stiffness == 0.0 && !hasTeeth(def)) {
    crReportNumber(reporter, "a coupling with backlash needs a stiffness", def->stiffness, "> 0", NULL, NULL);
  }
  checkEfficiency(reporter, def, "efficiency", def->efficiency);
  checkEfficiency(reporter, def, "efficiencyBack", def->efficiencyBack);
}

static void checkCoupling(const crScene* scene, crReporter* reporter, const crCouplingDef* def)
{
  crScene_CheckPathIsFree(scene, reporter, def->name);
  if (def->kind != cr_couplingClutch && def->kind != cr_couplingBrake && def->kind != cr_couplingMotor) {
    checkLaw(reporter, def);
  }
  switch (def->kind) {
    case cr_couplingSum: checkSum(reporter, def->as.sum.joints, def->as.sum.jointCount); break;
    case cr_couplingGearPair: checkGearPair(reporter, def); break;
    case cr_couplingRackPair: checkRackPair(reporter, def); break;
    case cr_couplingBelt: checkBelt(reporter, def); break;
    case cr_couplingFlexible: checkFlexible(reporter, def); break;
    case cr_couplingClutch:
      checkPair(reporter, "jointA", def->as.clutch.jointA, "jointB", def->as.clutch.jointB);
      checkFriction(reporter, def, &def->as.clutch.law);
      break;
    case cr_couplingBrake:
      checkJoint(reporter, def->as.brake.joint);
      checkFriction(reporter, def, &def->as.brake.law);
      break;
    case cr_couplingMotor: checkMotor(reporter, def); break;
    case cr_couplingKindCount: break;
  }
}

// ----------------------------------------------------------------------------------------------- storing

static bool storeSum(crScene* scene, crCouplingDef* own)
{
  size_t size = (size_t)own->as.sum.jointCount * sizeof *own->as.sum.joints;
  crNamedNumber* joints = crArena_Copy(&scene->arena, own->as.sum.joints, size);
  for (int i = 0; joints != NULL && i < own->as.sum.jointCount; ++i) {
    if (!crScene_Intern(scene, &joints[i].name)) {
      return false;
    }
  }
  own->as.sum.joints = joints;
  return joints != NULL;
}

static bool storeJoints(crScene* scene, crCouplingDef* own)
{
  switch (own->kind) {
    case cr_couplingSum: return storeSum(scene, own);
    case cr_couplingGearPair:
      return crScene_Intern(scene, &own->as.gearPair.jointA) && crScene_Intern(scene, &own->as.gearPair.jointB) &&
             crScene_Intern(scene, &own->as.gearPair.carrier);
    case cr_couplingRackPair:
      return crScene_Intern(scene, &own->as.rackPair.pinion) && crScene_Intern(scene, &own->as.rackPair.rack);
    case cr_couplingBelt:
      return crScene_Intern(scene, &own->as.belt.jointA) && crScene_Intern(scene, &own->as.belt.jointB);
    case cr_couplingFlexible:
      return crScene_Intern(scene, &own->as.flexible.jointA) && crScene_Intern(scene, &own->as.flexible.jointB);
    case cr_couplingClutch:
      return crScene_Intern(scene, &own->as.clutch.jointA) && crScene_Intern(scene, &own->as.clutch.jointB) &&
             crScene_Intern(scene, &own->as.clutch.law.engagement);
    case cr_couplingBrake:
      return crScene_Intern(scene, &own->as.brake.joint) && crScene_Intern(scene, &own->as.brake.law.engagement);
    case cr_couplingMotor:
      return crScene_Intern(scene, &own->as.motor.joint) && crScene_Intern(scene, &own->as.motor.voltage);
    case cr_couplingKindCount: break;
  }
  return true;
}

static bool storeCoupling(crScene* scene, crCouplingDef* own)
{
  return storeJoints(scene, own) && crScene_Intern(scene, &own->name) && crScene_Intern(scene, &own->source.file) &&
         crArray_Push(&scene->couplings, &scene->allocator) != NULL;
}

static bool isUsable(const crCouplingDef* def)
{
  int count = def->kind == cr_couplingSum ? def->as.sum.jointCount : 0;
  return count == 0 || (count > 0 && def->as.sum.joints != NULL);
}

crStatus crScene_AddCoupling(crScene* scene, const crCouplingDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crCouplingDef, def) ||
      (unsigned)def->kind >= cr_couplingKindCount || !isUsable(def)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "a coupling's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  checkCoupling(scene, &reporter, def);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crCouplingDef own = *def;
  if (!storeCoupling(scene, &own)) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->couplings.count - 1;
  scene->couplings.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementCoupling, index)) {
    --scene->couplings.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementCoupling, index);
  }
  return cr_ok;
}
