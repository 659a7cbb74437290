// What connects objects: joints, forces, exclusions; and assemblies, which name them.
#include "joint/joint_kind.h"
#include "scene/parameter.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

const char* crJointKind_GetText(crJointKind kind)
{
  const crJointType* type = crGetJointType((int)kind);
  return type != NULL ? type->name : "unknown joint";
}

int crJointKind_CountQ(crJointKind kind)
{
  const crJointType* type = crGetJointType((int)kind);
  return type != NULL ? type->qCount : 0;
}

int crJointKind_CountV(crJointKind kind)
{
  const crJointType* type = crGetJointType((int)kind);
  return type != NULL ? type->vCount : 0;
}

const char* crForceKind_GetText(crForceKind kind)
{
  static const char* const texts[] = { "springDamper", "bushing", "force", "torque", "cable" };
  return (unsigned)kind < cr_forceKindCount ? texts[kind] : "unknown force";
}

crJointDef crDefaultJointDef(crJointKind kind, const char* name, const char* objectA, const char* objectB)
{
  crJointDef def = { .size = sizeof def, .name = name, .kind = kind, .objectA = objectA, .objectB = objectB };
  return def;
}

crForceDef crDefaultForceDef(crForceKind kind, const char* name, const char* objectA, const char* objectB)
{
  crForceDef def = { .size = sizeof def, .name = name, .kind = kind, .objectA = objectA, .objectB = objectB };
  return def;
}

crExclusionDef crDefaultExclusionDef(const char* objectA, const char* objectB)
{
  crExclusionDef def = { .size = sizeof def, .objectA = objectA, .objectB = objectB };
  return def;
}

crAssemblyDef crDefaultAssemblyDef(const char* name)
{
  crAssemblyDef def = { .size = sizeof def, .name = name };
  return def;
}

static void completeLaw(crJointLaw* law, int i)
{
  law->frictionRate[i] = law->frictionRate[i] == 0.0 ? CR_FRICTION_RATE : law->frictionRate[i];
  law->frictionFade[i] = law->frictionFade[i] == 0.0 ? CR_FRICTION_FADE : law->frictionFade[i];
  law->gearRatio[i] = law->gearRatio[i] == 0.0 ? 1.0 : law->gearRatio[i];
  if (law->stopMin[i] == 0.0 && law->stopMax[i] == 0.0) {
    law->stopMin[i] = -CR_NO_STOP;
    law->stopMax[i] = CR_NO_STOP;
  }
}

static bool isZero(const double* values, int count)
{
  int i = 0;
  while (i < count && values[i] == 0.0) {
    ++i;
  }
  return i == count;
}

void crCompleteJointDef(crJointDef* def)
{
  const crJointType* type = crGetJointType((int)def->kind);
  for (int i = 0; i < CR_MAX_JOINT_V; ++i) {
    def->nominal[i] = def->nominal[i] == 0.0 ? 1.0 : def->nominal[i];
    completeLaw(&def->law, i);
  }
  def->law.reserved = 0;
  if (type == NULL) {
    return;
  }
  def->axis = isZero(&def->axis.x, 3) ? type->defaultAxis : def->axis;
  def->axis2 = isZero(&def->axis2.x, 3) ? type->defaultAxis2 : def->axis2;
  if (type->hasQuaternion && isZero(def->start + type->qCount - 4, 4)) {
    def->start[type->qCount - 4] = 1.0;
  }
  if (def->collision == cr_collisionByKind && type->constraintCount == 0) { // what nothing holds together may collide
    def->collision = cr_collisionAllowed;
  }
}

// Checks that all paths of an element to be added are usable. The objects themselves are looked up later.
static void checkEnds(crReporter* reporter, const char* objectA, const char* objectB)
{
  if (objectA == NULL || objectB == NULL) {
    crReportError(reporter, "%s object is missing", objectA == NULL ? "the first" : "the second");
  }
}

// Copies the strings of an element, and registers its path.
static bool storeStrings(crScene* scene, const char** name, const char** objectA, const char** objectB,
                         crSource* source)
{
  return crScene_Intern(scene, name) && crScene_Intern(scene, objectA) && crScene_Intern(scene, objectB) &&
         crScene_Intern(scene, &source->file);
}

// ------------------------------------------------------------------------------------------- joints

#define CR_FIELD_NAME_SIZE 64
#define CR_LEAST_AXIS_ANGLE 1e-6 // [rad] between the two axes of a universal joint; below, it turns about one only

// "damping rate": a field and the degree of freedom that it is about.
static const char* nameField(char buffer[CR_FIELD_NAME_SIZE], const char* field, const char* coordinate)
{
  snprintf(buffer, CR_FIELD_NAME_SIZE, "%s %s", field, coordinate);
  return buffer;
}

static void checkStart(crReporter* reporter, const crJointType* type, const crJointDef* def)
{
  char field[CR_FIELD_NAME_SIZE];
  for (int i = 0; i < type->qCount; ++i) {
    crCheckFinite(reporter, nameField(field, "start", type->coordinateNames[i]), def->start[i]);
  }
  for (int i = 0; i < type->vCount; ++i) {
    crCheckFinite(reporter, nameField(field, "startRate", type->rateNames[i]), def->startRate[i]);
    crCheckPositive(reporter, nameField(field, "nominal", type->rateNames[i]), def->nominal[i], NULL);
  }
  if (type->hasQuaternion) {
    const double* q = def->start + type->qCount - 4;
    double length = crQuatLength((crQuat){ q[0], q[1], q[2], q[3] });
    if (!(length > 1e-150)) {
      crReportNumber(reporter, "the start orientation has no length", length, "> 0", NULL, NULL);
    }
  }
}

static bool hasDirection(crVec3 axis)
{
  return crIsFiniteVec3(axis) && crMaxAbs(axis) > 0.0;
}

static void checkAxis(crReporter* reporter, const char* message, crVec3 axis)
{
  if (!hasDirection(axis)) {
    crReportNumber(reporter, message, crLength(axis), "a vector of finite, non-zero length", NULL, NULL);
  }
}

static void checkAxes(crReporter* reporter, const crJointType* type, const crJointDef* def)
{
  if (type->hasAxis) {
    checkAxis(reporter, "axis has no direction", def->axis);
  }
  if (type->hasAxis2) {
    checkAxis(reporter, "axis2 has no direction", def->axis2);
    double sine = crLength(crCross(crNormalize(def->axis), crNormalize(def->axis2)));
    if (hasDirection(def->axis) && hasDirection(def->axis2) && sine < CR_LEAST_AXIS_ANGLE) {
      crReportNumber(reporter, "axis2 lies along axis", sine, ">= 1e-6", "rad",
                     "give both axes, e.g. axis = \"x\", axis2 = \"y\"");
    }
  }
  if (type->hasPitch) {
    crCheckFinite(reporter, "pitch", def->pitch);
  }
}

static void checkStops(crReporter* reporter, const char* coordinate, const crJointLaw* law, int i)
{
  char field[CR_FIELD_NAME_SIZE];
  bool isMin = crCheckFinite(reporter, nameField(field, "stopMin", coordinate), law->stopMin[i]);
  bool isMax = crCheckFinite(reporter, nameField(field, "stopMax", coordinate), law->stopMax[i]);
  bool hasStop = law->stopMin[i] > -CR_NO_STOP || law->stopMax[i] < CR_NO_STOP;
  crCheckNotNegative(reporter, nameField(field, "stopStiffness", coordinate), law->stopStiffness[i], NULL);
  crCheckNotNegative(reporter, nameField(field, "stopDamping", coordinate), law->stopDamping[i], NULL);
  if (isMin && isMax && !(law->stopMin[i] < law->stopMax[i])) {
    crReportNumber(reporter, nameField(field, "stopMin is not below stopMax:", coordinate), law->stopMin[i],
                   "< stopMax", NULL, NULL);
  }
  if (isMin && isMax && hasStop && law->stopStiffness[i] == 0.0) {
    crReportNumber(reporter, nameField(field, "a stop needs a stopStiffness:", coordinate), law->stopStiffness[i],
                   "> 0", NULL, NULL);
  }
}

static void checkFriction(crReporter* reporter, const char* coordinate, const crJointLaw* law, int i)
{
  char field[CR_FIELD_NAME_SIZE];
  double atRest = law->frictionStatic[i];
  bool isGood = crCheckNotNegative(reporter, nameField(field, "friction", coordinate), law->friction[i], NULL);
  crCheckPositive(reporter, nameField(field, "frictionRate", coordinate), law->frictionRate[i], NULL);
  isGood = crCheckNotNegative(reporter, nameField(field, "frictionStatic", coordinate), atRest, NULL) && isGood;
  crCheckNotNegative(reporter, nameField(field, "frictionStiffness", coordinate), law->frictionStiffness[i], NULL);
  crCheckPositive(reporter, nameField(field, "frictionFade", coordinate), law->frictionFade[i], NULL);
  if (isGood && atRest > 0.0 && atRest < law->friction[i]) {
    crReportNumber(reporter, nameField(field, "frictionStatic is below friction:", coordinate), atRest, ">= friction",
                   NULL, "leave it out: then it is friction");
  }
}

static void checkDegree(crReporter* reporter, const crJointType* type, const crJointLaw* law, int i)
{
  char field[CR_FIELD_NAME_SIZE];
  const char* coordinate = type->coordinateNames[i];
  crCheckFinite(reporter, nameField(field, "stiffness", coordinate), law->stiffness[i]);
  crCheckFinite(reporter, nameField(field, "rest", coordinate), law->rest[i]);
  checkFriction(reporter, coordinate, law, i);
  crCheckNotNegative(reporter, nameField(field, "rotorInertia", coordinate), law->rotorInertia[i], NULL);
  crCheckFinite(reporter, nameField(field, "gearRatio", coordinate), law->gearRatio[i]);
  checkStops(reporter, coordinate, law, i);
}

// A quaternion has no coordinate along which a spring or a stop could act.
static void checkNoSprings(crReporter* reporter, const crJointType* type, const crJointLaw* law)
{
  const struct {
    const char* field;
    const double* values;
    double none;
  } rows[] = { { "stiffness", law->stiffness, 0.0 },           { "friction", law->friction, 0.0 },
               { "frictionStatic", law->frictionStatic, 0.0 }, { "stopMin", law->stopMin, -CR_NO_STOP },
               { "stopMax", law->stopMax, CR_NO_STOP },        { "rotorInertia", law->rotorInertia, 0.0 } };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    bool isGiven = false;
    for (int i = 0; i < type->vCount; ++i) {
      isGiven = isGiven || rows[k].values[i] != rows[k].none;
    }
    if (isGiven) {
      crReportError(reporter, "a %s joint cannot have %s, only damping", type->name, rows[k].field);
    }
  }
}

static void checkLaw(crReporter* reporter, const crJointType* type, const crJointLaw* law)
{
  char field[CR_FIELD_NAME_SIZE];
  if ((unsigned)law->frictionLaw > cr_frictionStick) {
    crReportError(reporter, "unknown frictionLaw %d", (int)law->frictionLaw);
  }
  for (int i = 0; i < type->vCount; ++i) {
    crCheckFinite(reporter, nameField(field, "damping", type->rateNames[i]), law->damping[i]);
    if (!type->hasQuaternion) {
      checkDegree(reporter, type, law, i);
    }
  }
  if (type->hasQuaternion) {
    checkNoSprings(reporter, type, law);
  }
}

static void checkDrive(crReporter* reporter, const crJointType* type, const crJointDef* def)
{
  const char* field = def->motion != NULL ? "motion" : "torque or force";
  if ((def->motion != NULL || def->drive != NULL) && type->vCount != 1) {
    crReportError(reporter, "a %s joint cannot have a %s signal, only joints with one degree of freedom", type->name,
                  field);
  } else if (def->motion != NULL && def->drive != NULL) {
    crReportError(reporter, "a joint is driven by a motion or by a torque or force, not by both");
  } else if (def->motion != NULL && (def->start[0] != 0.0 || def->startRate[0] != 0.0)) {
    crReportNumber(reporter, "a joint with a motion starts where its signal says",
                   def->start[0] != 0.0 ? def->start[0] : def->startRate[0], "no start and no startRate", NULL, NULL);
  }
}

static void checkJoint(crScene* scene, crReporter* reporter, const crJointDef* def)
{
  crScene_CheckPathIsFree(scene, reporter, def->name);
  checkEnds(reporter, def->objectA, def->objectB);
  const crJointType* type = crGetJointType((int)def->kind);
  if (type == NULL) {
    crReportError(reporter, "unknown kind of joint %d", (int)def->kind);
    return;
  }
  if ((unsigned)def->collision > cr_collisionNever) {
    crReportError(reporter, "unknown collision %d", (int)def->collision);
  }
  checkAxes(reporter, type, def);
  checkStart(reporter, type, def);
  checkLaw(reporter, type, &def->law);
  checkDrive(reporter, type, def);
}

crStatus crScene_AddJoint(crScene* scene, const crJointDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crJointDef, def)) {
    return cr_errorMisuse;
  }
  crJointDef own = *def;
  def = &own;
  crCompleteJointDef(&own);
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "a joint's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  checkJoint(scene, &reporter, def);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  if (!storeStrings(scene, &own.name, &own.objectA, &own.objectB, &own.source) || !crScene_Intern(scene, &own.drive) ||
      !crScene_Intern(scene, &own.motion) || crArray_Push(&scene->joints, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->joints.count - 1;
  scene->joints.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementJoint, index)) {
    --scene->joints.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementJoint, index);
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- forces

static void checkTable(crReporter* reporter, const crTablePoint* table, int count)
{
  char field[CR_FIELD_NAME_SIZE], allowed[32];
  if (count == 1) {
    crReportNumber(reporter, "table has too few points", count, "two or more, or none", NULL, NULL);
  }
  for (int i = 0; i < count; ++i) {
    snprintf(field, sizeof field, "elongation of point %d of the table", i + 1);
    bool isFinite = crCheckFinite(reporter, field, table[i].x);
    if (isFinite && i > 0 && table[i].x <= table[i - 1].x) {
      snprintf(field, sizeof field, "point %d of the table does not follow", i + 1);
      snprintf(allowed, sizeof allowed, "> %.12g", table[i - 1].x);
      crReportNumber(reporter, field, table[i].x, allowed, "m", "elongations ascend, none is there twice");
    }
    snprintf(field, sizeof field, "force of point %d of the table", i + 1);
    crCheckFinite(reporter, field, table[i].y);
  }
}

static void checkCable(crReporter* reporter, const crForceDef* def)
{
  char field[CR_FIELD_NAME_SIZE];
  int count = def->as.cable.throughCount, radii = def->as.cable.radiusCount;
  crCheckPositive(reporter, "length", def->as.cable.length, "m");
  crCheckPositive(reporter, "stiffness", def->as.cable.stiffness, "N/m");
  crCheckNotNegative(reporter, "damping", def->as.cable.damping, "N s/m");
  crCheckFinite(reporter, "drumRadius", def->as.cable.drumRadius);
  if ((def->as.cable.drum != NULL) != (def->as.cable.drumRadius != 0.0)) {
    crReportError(reporter, "a cable that is wound up needs both drum and drumRadius");
  }
  if (radii != 0 && radii != count) {
    crReportNumber(reporter, "radii do not match the objects that the cable runs through", radii,
                   "as many as objects, or none", NULL, NULL);
  }
  for (int i = 0; i < radii; ++i) {
    snprintf(field, sizeof field, "radius %d", i + 1);
    crCheckFinite(reporter, field, def->as.cable.radii[i]);
  }
  for (int i = 0; i < count; ++i) {
    const char* before = i > 0 ? def->as.cable.through[i - 1] : def->objectA;
    const char* name = def->as.cable.through[i];
    bool isSame = name != NULL && ((before != NULL && strcmp(name, before) == 0) ||
                                   (i == count - 1 && def->objectB != NULL && strcmp(name, def->objectB) == 0));
    if (name == NULL || name[0] == '\0') {
      crReportError(reporter, "object %d that the cable runs through has no name", i + 1);
    } else if (isSame) {
      crReportError(reporter, "the cable runs through '%s' twice in a row", name);
    }
  }
}

// The fields of a force's own kind.
static void checkForceFields(crReporter* reporter, const crForceDef* def)
{
  switch (def->kind) {
    case cr_forceSpringDamper:
      crCheckFinite(reporter, "stiffness", def->as.springDamper.stiffness);
      crCheckFinite(reporter, "damping", def->as.springDamper.damping);
      crCheckNotNegative(reporter, "length", def->as.springDamper.length, "m");
      checkTable(reporter, def->as.springDamper.table, def->as.springDamper.tableCount);
      break;
    case cr_forceBushing:
      crCheckFiniteVec3(reporter, "stiffness", def->as.bushing.stiffness);
      crCheckFiniteVec3(reporter, "damping", def->as.bushing.damping);
      crCheckFiniteVec3(reporter, "angularStiffness", def->as.bushing.angularStiffness);
      crCheckFiniteVec3(reporter, "angularDamping", def->as.bushing.angularDamping);
      crCheckFiniteVec3(reporter, "preload", def->as.bushing.preload);
      break;
    case cr_forceForce: crCheckFiniteVec3(reporter, "force", def->as.force.vector); break;
    case cr_forceTorque: crCheckFiniteVec3(reporter, "torque", def->as.torque.vector); break;
    case cr_forceCable: checkCable(reporter, def); break;
    case cr_forceKindCount: break;
  }
}

static void checkForce(crScene* scene, crReporter* reporter, const crForceDef* def)
{
  crScene_CheckPathIsFree(scene, reporter, def->name);
  if ((unsigned)def->kind >= cr_forceKindCount) {
    crReportError(reporter, "unknown kind of force %d", (int)def->kind);
    return;
  }
  if (def->kind == cr_forceForce || def->kind == cr_forceTorque) {
    checkEnds(reporter, def->objectA, def->objectA);
  } else {
    checkEnds(reporter, def->objectA, def->objectB);
  }
  if (def->objectA != NULL && def->objectB != NULL && strcmp(def->objectA, def->objectB) == 0) {
    crReportError(reporter, "a force needs two different objects, both are '%s'", def->objectA);
  }
  checkForceFields(reporter, def);
}

static bool storeCable(crScene* scene, crForceDef* own)
{
  size_t count = (size_t)own->as.cable.throughCount;
  const char** through = crArena_Copy(&scene->arena, own->as.cable.through, count * sizeof *through);
  double* radii = crArena_Copy(&scene->arena, own->as.cable.radii, (size_t)own->as.cable.radiusCount * sizeof *radii);
  for (size_t i = 0; through != NULL && i < count; ++i) {
    if (!crScene_Intern(scene, &through[i])) {
      return false;
    }
  }
  own->as.cable.through = through;
  own->as.cable.radii = radii;
  return through != NULL && radii != NULL && crScene_Intern(scene, &own->as.cable.drum);
}

// Copies what a force of its kind points to; false: out of memory.
static bool storeForceParts(crScene* scene, crForceDef* own)
{
  size_t size = 0;
  switch (own->kind) {
    case cr_forceSpringDamper:
      size = (size_t)own->as.springDamper.tableCount * sizeof *own->as.springDamper.table;
      own->as.springDamper.table = crArena_Copy(&scene->arena, own->as.springDamper.table, size);
      return own->as.springDamper.table != NULL && crScene_Intern(scene, &own->as.springDamper.tension);
    case cr_forceForce:
      return crScene_Intern(scene, &own->as.force.frame) && crScene_Intern(scene, &own->as.force.factor);
    case cr_forceTorque:
      return crScene_Intern(scene, &own->as.torque.frame) && crScene_Intern(scene, &own->as.torque.factor);
    case cr_forceCable: return storeCable(scene, own);
    default: return true;
  }
}

static bool storeForce(crScene* scene, crForceDef* own)
{
  return storeForceParts(scene, own) && storeStrings(scene, &own->name, &own->objectA, &own->objectB, &own->source) &&
         crArray_Push(&scene->forces, &scene->allocator) != NULL;
}

static bool isUsableForce(const crForceDef* def)
{
  if (def->kind == cr_forceCable) {
    int objects = def->as.cable.throughCount, radii = def->as.cable.radiusCount;
    return objects >= 0 && radii >= 0 && (objects == 0 || def->as.cable.through != NULL) &&
           (radii == 0 || def->as.cable.radii != NULL);
  }
  int count = def->kind == cr_forceSpringDamper ? def->as.springDamper.tableCount : 0;
  return count == 0 || (count > 0 && def->as.springDamper.table != NULL);
}

crStatus crScene_AddForce(crScene* scene, const crForceDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crForceDef, def) || !isUsableForce(def)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "a force's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  checkForce(scene, &reporter, def);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crForceDef own = *def;
  if (!storeForce(scene, &own)) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->forces.count - 1;
  scene->forces.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementForce, index)) {
    --scene->forces.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementForce, index);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------- exclusions

crStatus crScene_AddExclusion(crScene* scene, const crExclusionDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crExclusionDef, def)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, "exclude");
  checkEnds(&reporter, def->objectA, def->objectB);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crExclusionDef own = *def;
  const char* none = NULL;
  if (!storeStrings(scene, &none, &own.objectA, &own.objectB, &own.source) ||
      crArray_Push(&scene->exclusions, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  scene->exclusions.items[scene->exclusions.count - 1] = own;
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementExclusion, scene->exclusions.count - 1);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------- assemblies

static bool storeParameters(crScene* scene, crAssemblyDef* own)
{
  size_t size = (size_t)own->parameterCount * sizeof *own->parameters;
  crParameter* parameters = crArena_Copy(&scene->arena, own->parameters, size);
  for (int i = 0; parameters != NULL && i < own->parameterCount; ++i) {
    if (!crScene_Intern(scene, &parameters[i].name) || !crScene_Intern(scene, &parameters[i].string) ||
        !crScene_Intern(scene, &parameters[i].unit) || !crScene_Intern(scene, &parameters[i].label)) {
      return false;
    }
  }
  own->parameters = parameters;
  return parameters != NULL;
}

crStatus crScene_AddAssembly(crScene* scene, const crAssemblyDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crAssemblyDef, def) || def->parameterCount < 0 ||
      (def->parameterCount > 0 && def->parameters == NULL)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  bool isRoot = def->name != NULL && def->name[0] == '\0';
  if (!isRoot) {
    crCheckName(&reporter, "an assembly's name", def->name, true);
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crScene_CheckPathIsFree(scene, &reporter, def->name);
  for (int i = 0; i < def->parameterCount; ++i) {
    crCheckParameter(&reporter, &def->parameters[i]);
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crAssemblyDef own = *def;
  if (!storeParameters(scene, &own) || !crScene_Intern(scene, &own.name) || !crScene_Intern(scene, &own.source.file) ||
      crArray_Push(&scene->assemblies, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->assemblies.count - 1;
  scene->assemblies.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementAssembly, index)) {
    --scene->assemblies.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementAssembly, index);
  }
  return cr_ok;
}
