// Signals: their defaults, what is allowed, and adding them. Inputs are looked up when the scene is compiled.
#include "scene/field.h"
#include "scene/scene.h"

#include <stdio.h>

const char* crSignalKind_GetText(crSignalKind kind)
{
  const crRecord* record = crGetSignalRecord(kind);
  return record != NULL ? record->type : "unknown signal";
}

crSignalDef crDefaultSignalDef(crSignalKind kind, const char* name)
{
  crSignalDef def = { .size = sizeof def, .name = name, .kind = kind };
  return def;
}

static void completeLimits(double* min, double* max)
{
  if (*min == 0.0 && *max == 0.0) {
    *min = -CR_NO_LIMIT;
    *max = CR_NO_LIMIT;
  }
}

void crCompleteSignalDef(crSignalDef* def)
{
  if (def->kind == cr_signalLimit) {
    completeLimits(&def->as.limit.min, &def->as.limit.max);
  } else if (def->kind == cr_signalPid) {
    completeLimits(&def->as.pid.min, &def->as.pid.max);
  } else if (def->kind == cr_signalJointSensor && def->as.jointSensor.degree == 0) {
    def->as.jointSensor.degree = 1;
  } else if (def->kind == cr_signalInput && def->as.input.nominal == 0.0) {
    def->as.input.nominal = 1.0;
  }
}

const char* crGetSignalUnit(const crSignalDef* def)
{
  switch (def->kind) {
    case cr_signalInput: return def->as.input.unit;
    case cr_signalOutput: return def->as.output.unit;
    case cr_signalPick: return def->as.pick.unit;
    default: return NULL;
  }
}

// -------------------------------------------------------------------------------------------- checks

#define CR_ITEM_NAME_SIZE 64

static void checkList(crReporter* reporter, const char* field, const double* values, int count)
{
  char name[CR_ITEM_NAME_SIZE];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "%s[%d]", field, i + 1);
    if (!crCheckFinite(reporter, name, values[i])) {
      return;
    }
  }
}

static void checkAscending(crReporter* reporter, const double* times, int count)
{
  char message[CR_ITEM_NAME_SIZE], allowed[32];
  for (int i = 1; i < count; ++i) {
    if (!(times[i] > times[i - 1])) {
      snprintf(allowed, sizeof allowed, "> %.12g", times[i - 1]);
      snprintf(message, sizeof message,
               times[i] == times[i - 1] ? "times[%d] is the time before again" : "times[%d] is before the time before",
               i + 1);
      crReportNumber(reporter, message, times[i], allowed, "s",
                     "for a jump use a step, or two times that differ a little");
      return;
    }
  }
}

static void checkTable(crReporter* reporter, const crSignalDef* def)
{
  int timeCount = def->as.timeTable.timeCount, valueCount = def->as.timeTable.valueCount;
  crInterpolation interpolation = def->as.timeTable.interpolation;
  if (timeCount < 2) {
    crReportNumber(reporter, "a time table has too few times", timeCount, "2 or more", NULL, NULL);
  }
  if (valueCount != timeCount) {
    crReportNumber(reporter, "a time table needs as many values as times", valueCount, "one value per time", NULL,
                   NULL);
  }
  if (interpolation != cr_interpolationLinear && interpolation != cr_interpolationCubic) {
    crReportError(reporter, "unknown interpolation %d", (int)interpolation);
  }
  checkList(reporter, "times", def->as.timeTable.times, timeCount);
  checkList(reporter, "values", def->as.timeTable.values, valueCount);
  checkAscending(reporter, def->as.timeTable.times, timeCount);
}

static void checkPath(crReporter* reporter, const crSignalDef* def)
{
  if (def->as.path.valueCount < 1) {
    crReportNumber(reporter, "a path has too few values", def->as.path.valueCount, "1 or more", NULL, NULL);
  }
  checkList(reporter, "values", def->as.path.values, def->as.path.valueCount);
  crCheckPositive(reporter, "maxVelocity", def->as.path.maxVelocity, "1/s");
  crCheckPositive(reporter, "maxAcceleration", def->as.path.maxAcceleration, "1/s^2");
  crCheckNotNegative(reporter, "maxJerk", def->as.path.maxJerk, "1/s^3");
  crCheckFinite(reporter, "start", def->as.path.start);
}

static void checkSpline(crReporter* reporter, const crSignalDef* def)
{
  int count = def->as.spline.pointCount;
  char message[CR_ITEM_NAME_SIZE];
  if (def->as.spline.input == NULL) {
    crReportError(reporter, "a spline needs an input");
  }
  if (count < 2) {
    crReportNumber(reporter, "a spline has too few points", count, "2 or more", NULL, NULL);
  }
  if (def->as.spline.valueCount != count) {
    crReportNumber(reporter, "a spline needs as many values as points", def->as.spline.valueCount,
                   "one value per point", NULL, NULL);
  }
  checkList(reporter, "points", def->as.spline.points, count);
  checkList(reporter, "values", def->as.spline.values, def->as.spline.valueCount);
  for (int i = 1; i < count; ++i) {
    if (!(def->as.spline.points[i] > def->as.spline.points[i - 1])) {
      snprintf(message, sizeof message, "points[%d] does not follow the point before", i + 1);
      crReportNumber(reporter, message, def->as.spline.points[i], "ascending points", NULL, NULL);
      return;
    }
  }
}

static void checkInputs(crReporter* reporter, const crSignalDef* def, const char* const* inputs, int count)
{
  bool hasHole = false;
  for (int i = 0; i < count; ++i) {
    hasHole = hasHole || inputs[i] == NULL;
  }
  if (count < 1 || hasHole) {
    crReportError(reporter, "a %s needs inputs", crSignalKind_GetText(def->kind));
  }
}

static void checkSum(crReporter* reporter, const crSignalDef* def)
{
  int inputCount = def->as.sum.inputCount, factorCount = def->as.sum.factorCount;
  checkInputs(reporter, def, def->as.sum.inputs, inputCount);
  if (factorCount != 0 && factorCount != inputCount) {
    crReportNumber(reporter, "a sum needs as many factors as inputs", factorCount, "one factor per input, or none",
                   NULL, NULL);
  }
  checkList(reporter, "factors", def->as.sum.factors, factorCount);
}

void crCheckLimits(crReporter* reporter, double min, double max)
{
  bool isMin = crCheckFinite(reporter, "min", min), isMax = crCheckFinite(reporter, "max", max);
  if (isMin && isMax && !(min < max)) {
    crReportNumber(reporter, "min is not below max", min, "< max", NULL, NULL);
  }
}

static void checkLimit(crReporter* reporter, const crSignalDef* def)
{
  if (def->as.limit.input == NULL) {
    crReportError(reporter, "a limit needs an input");
  }
  crCheckLimits(reporter, def->as.limit.min, def->as.limit.max);
}

// Ramps, steps and trapezoids: what they have in common.
static void checkLine(crReporter* reporter, double start, double height, double offset)
{
  crCheckFinite(reporter, "start", start);
  crCheckFinite(reporter, "height", height);
  crCheckFinite(reporter, "offset", offset);
}

static void checkRamp(crReporter* reporter, const crSignalDef* def)
{
  checkLine(reporter, def->as.ramp.start, def->as.ramp.height, def->as.ramp.offset);
  crCheckPositive(reporter, "duration", def->as.ramp.duration, "s");
}

static void checkTrapezoid(crReporter* reporter, const crSignalDef* def)
{
  checkLine(reporter, def->as.trapezoid.start, def->as.trapezoid.height, def->as.trapezoid.offset);
  crCheckNotNegative(reporter, "rise", def->as.trapezoid.rise, "s");
  crCheckNotNegative(reporter, "hold", def->as.trapezoid.hold, "s");
  crCheckNotNegative(reporter, "fall", def->as.trapezoid.fall, "s");
}

static void checkSine(crReporter* reporter, const crSignalDef* def)
{
  crCheckFinite(reporter, "amplitude", def->as.sine.amplitude);
  crCheckFinite(reporter, "frequency", def->as.sine.frequency);
  crCheckFinite(reporter, "phase", def->as.sine.phase);
  crCheckFinite(reporter, "offset", def->as.sine.offset);
}

// What sensors have in common: something that they measure, one of so many quantities of it, along an axis.
static void checkSensor(crReporter* reporter, const crSignalDef* def, bool isComplete, const char* needs, int quantity,
                        int quantityCount, crComponent component)
{
  if (!isComplete) {
    crReportError(reporter, "a %s needs %s", crSignalKind_GetText(def->kind), needs);
  }
  if (quantity < 0 || quantity >= quantityCount) {
    crReportError(reporter, "unknown quantity %d", quantity);
  }
  if ((unsigned)component > cr_componentZ) {
    crReportError(reporter, "unknown component %d", (int)component);
  }
}

static void checkFrameSensor(crReporter* reporter, const crSignalDef* def)
{
  bool isComplete = def->as.frameSensor.objectA != NULL && def->as.frameSensor.objectB != NULL;
  checkSensor(reporter, def, isComplete, "two objects", (int)def->as.frameSensor.quantity, cr_frameDistanceRate + 1,
              def->as.frameSensor.component);
}

static void checkServo(crReporter* reporter, const crSignalDef* def)
{
  if (def->as.servo.input == NULL || def->as.servo.joint == NULL) {
    crReportError(reporter, "a servo needs an input and a joint");
  }
  crCheckPositive(reporter, "positionGain", def->as.servo.positionGain, "1/s");
  crCheckPositive(reporter, "velocityGain", def->as.servo.velocityGain, NULL);
  crCheckPositive(reporter, "integralTime", def->as.servo.integralTime, "s");
}

static void checkDcMotor(crReporter* reporter, const crSignalDef* def)
{
  if (def->as.dcMotor.input == NULL || def->as.dcMotor.joint == NULL) {
    crReportError(reporter, "a dcMotor needs an input and a joint");
  }
  crCheckNotNegative(reporter, "resistance", def->as.dcMotor.resistance, "Ohm");
  crCheckPositive(reporter, "inductance", def->as.dcMotor.inductance, "H");
  crCheckFinite(reporter, "torqueConstant", def->as.dcMotor.torqueConstant);
}

static void checkPort(crReporter* reporter, const crSignalDef* def)
{
  if (def->kind == cr_signalInput) {
    crCheckFinite(reporter, "start", def->as.input.start);
    crCheckPositive(reporter, "nominal", def->as.input.nominal, NULL);
  } else if (def->kind == cr_signalOutput && def->as.output.signal == NULL) {
    crReportError(reporter, "an output needs a signal");
  } else if (def->kind == cr_signalPick && (def->as.pick.signal == NULL || def->as.pick.state == NULL)) {
    crReportError(reporter, "a pick needs a signal and the name of a state");
  }
}

// cr_errorMemory, or cr_ok: what is wrong is counted.
static crStatus checkSignal(crReporter* reporter, const crAllocator* allocator, const crSignalDef* def)
{
  switch (def->kind) {
    case cr_signalConstant: crCheckFinite(reporter, "value", def->as.constant.value); break;
    case cr_signalSine: checkSine(reporter, def); break;
    case cr_signalRamp: checkRamp(reporter, def); break;
    case cr_signalStep: checkLine(reporter, def->as.step.start, def->as.step.height, def->as.step.offset); break;
    case cr_signalTrapezoid: checkTrapezoid(reporter, def); break;
    case cr_signalTimeTable: checkTable(reporter, def); break;
    case cr_signalPath: checkPath(reporter, def); break;
    case cr_signalSpline: checkSpline(reporter, def); break;
    case cr_signalSum: checkSum(reporter, def); break;
    case cr_signalProduct: checkInputs(reporter, def, def->as.product.inputs, def->as.product.inputCount); break;
    case cr_signalLimit: checkLimit(reporter, def); break;
    case cr_signalServo: checkServo(reporter, def); break;
    case cr_signalDcMotor: checkDcMotor(reporter, def); break;
    case cr_signalFrameSensor: checkFrameSensor(reporter, def); break;
    case cr_signalJointSensor:
      checkSensor(reporter, def, def->as.jointSensor.joint != NULL, "a joint", (int)def->as.jointSensor.quantity,
                  cr_jointAcceleration + 1, cr_componentX);
      break;
    case cr_signalReactionSensor:
      checkSensor(reporter, def, def->as.reactionSensor.joint != NULL, "a joint", (int)def->as.reactionSensor.quantity,
                  cr_reactionTorque + 1, def->as.reactionSensor.component);
      break;
    case cr_signalSubtreeSensor:
      checkSensor(reporter, def, def->as.subtreeSensor.object != NULL, "an object", (int)def->as.subtreeSensor.quantity,
                  cr_subtreeAngularMomentum + 1, def->as.subtreeSensor.component);
      break;
    case cr_signalDistanceSensor:
      checkSensor(reporter, def, def->as.distanceSensor.objectA != NULL && def->as.distanceSensor.objectB != NULL,
                  "two objects", (int)def->as.distanceSensor.quantity, cr_distanceNormal + 1,
                  def->as.distanceSensor.component);
      break;
    case cr_signalRaySensor:
      checkSensor(reporter, def, def->as.raySensor.object != NULL, "an object", (int)def->as.raySensor.quantity,
                  cr_rayObject + 1, def->as.raySensor.component);
      crCheckPositive(reporter, "range", def->as.raySensor.range, "m");
      crCheckFiniteVec3(reporter, "direction", def->as.raySensor.direction);
      break;
    case cr_signalImu:
      checkSensor(reporter, def, def->as.imu.object != NULL, "an object", (int)def->as.imu.quantity,
                  cr_imuAngularVelocity + 1, def->as.imu.component);
      break;
    case cr_signalCouplingSensor:
      checkSensor(reporter, def, def->as.couplingSensor.coupling != NULL, "a coupling",
                  (int)def->as.couplingSensor.quantity, cr_couplingCurrent + 1, cr_componentX);
      break;
    case cr_signalContactSensor:
      checkSensor(reporter, def, def->as.contactSensor.object != NULL, "an object", (int)def->as.contactSensor.quantity,
                  cr_contactDepth + 1, def->as.contactSensor.component);
      break;
    case cr_signalInput:
    case cr_signalOutput:
    case cr_signalPick: checkPort(reporter, def); break;
    case cr_signalFunction:
    case cr_signalSampled: return crCheckFunction(reporter, allocator, def);
    case cr_signalPid: crCheckPid(reporter, def); break;
    case cr_signalFmu: crCheckFmu(reporter, def); break;
    case cr_signalKindCount: break;
  }
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- adding

static bool copyNumbers(crScene* scene, const double** numbers, int count)
{
  *numbers = crArena_Copy(&scene->arena, *numbers, (size_t)count * sizeof **numbers);
  return *numbers != NULL;
}

static bool copyInputs(crScene* scene, const char* const** names, int count)
{
  const char** inputs = crArena_Copy(&scene->arena, *names, (size_t)count * sizeof *inputs);
  for (int i = 0; inputs != NULL && i < count; ++i) {
    if (!crScene_Intern(scene, &inputs[i])) {
      return false;
    }
  }
  *names = inputs;
  return inputs != NULL;
}

static bool intern(crScene* scene, const char** a, const char** b)
{
  return crScene_Intern(scene, a) && crScene_Intern(scene, b);
}

// Copies what a signal of its kind points to; false: out of memory.
static bool storeParts(crScene* scene, crSceneSignal* signal)
{
  crSignalDef* own = &signal->def;
  switch (own->kind) {
    case cr_signalTimeTable:
      return copyNumbers(scene, &own->as.timeTable.times, own->as.timeTable.timeCount) &&
             copyNumbers(scene, &own->as.timeTable.values, own->as.timeTable.valueCount);
    case cr_signalPath:
      return copyNumbers(scene, &own->as.path.values, own->as.path.valueCount) &&
             copyInputs(scene, &own->as.path.sync, own->as.path.syncCount);
    case cr_signalSpline:
      return crScene_Intern(scene, &own->as.spline.input) &&
             copyNumbers(scene, &own->as.spline.points, own->as.spline.pointCount) &&
             copyNumbers(scene, &own->as.spline.values, own->as.spline.valueCount);
    case cr_signalSum:
      return copyInputs(scene, &own->as.sum.inputs, own->as.sum.inputCount) &&
             copyNumbers(scene, &own->as.sum.factors, own->as.sum.factorCount);
    case cr_signalProduct: return copyInputs(scene, &own->as.product.inputs, own->as.product.inputCount);
    case cr_signalLimit: return crScene_Intern(scene, &own->as.limit.input);
    case cr_signalServo: return intern(scene, &own->as.servo.input, &own->as.servo.joint);
    case cr_signalDcMotor: return intern(scene, &own->as.dcMotor.input, &own->as.dcMotor.joint);
    case cr_signalFrameSensor:
      return intern(scene, &own->as.frameSensor.objectA, &own->as.frameSensor.objectB) &&
             crScene_Intern(scene, &own->as.frameSensor.frame);
    case cr_signalJointSensor: return crScene_Intern(scene, &own->as.jointSensor.joint);
    case cr_signalReactionSensor: return intern(scene, &own->as.reactionSensor.joint, &own->as.reactionSensor.frame);
    case cr_signalSubtreeSensor: return intern(scene, &own->as.subtreeSensor.object, &own->as.subtreeSensor.frame);
    case cr_signalContactSensor:
      return intern(scene, &own->as.contactSensor.object, &own->as.contactSensor.other) &&
             crScene_Intern(scene, &own->as.contactSensor.frame);
    case cr_signalDistanceSensor:
      return intern(scene, &own->as.distanceSensor.objectA, &own->as.distanceSensor.objectB) &&
             crScene_Intern(scene, &own->as.distanceSensor.frame);
    case cr_signalRaySensor:
      return intern(scene, &own->as.raySensor.object, &own->as.raySensor.other) &&
             crScene_Intern(scene, &own->as.raySensor.frame);
    case cr_signalImu: return crScene_Intern(scene, &own->as.imu.object);
    case cr_signalCouplingSensor: return crScene_Intern(scene, &own->as.couplingSensor.coupling);
    case cr_signalInput: return crScene_Intern(scene, &own->as.input.unit);
    case cr_signalOutput: return intern(scene, &own->as.output.signal, &own->as.output.unit);
    case cr_signalPick:
      return intern(scene, &own->as.pick.signal, &own->as.pick.state) && crScene_Intern(scene, &own->as.pick.unit);
    case cr_signalFunction:
    case cr_signalSampled: return crStoreFunction(scene, signal);
    case cr_signalPid: return crStorePid(scene, signal);
    case cr_signalFmu: return crStoreFmu(scene, signal);
    default: return true;
  }
}

static bool store(crScene* scene, crSceneSignal* signal)
{
  return intern(scene, &signal->def.name, &signal->def.source.file) && storeParts(scene, signal);
}

static bool isList(const void* items, int count)
{
  return count >= 0 && (items != NULL || count == 0);
}

static bool isUsable(const crSignalDef* def)
{
  switch (def->kind) {
    case cr_signalTimeTable:
      return isList(def->as.timeTable.times, def->as.timeTable.timeCount) &&
             isList(def->as.timeTable.values, def->as.timeTable.valueCount);
    case cr_signalPath:
      return isList(def->as.path.values, def->as.path.valueCount) && isList(def->as.path.sync, def->as.path.syncCount);
    case cr_signalSpline:
      return isList(def->as.spline.points, def->as.spline.pointCount) &&
             isList(def->as.spline.values, def->as.spline.valueCount);
    case cr_signalSum:
      return isList(def->as.sum.inputs, def->as.sum.inputCount) && isList(def->as.sum.factors, def->as.sum.factorCount);
    case cr_signalProduct: return isList(def->as.product.inputs, def->as.product.inputCount);
    case cr_signalFunction:
    case cr_signalSampled: return crIsUsableFunction(def);
    case cr_signalFmu: return crIsUsableFmu(def);
    default: return (unsigned)def->kind < cr_signalKindCount;
  }
}

crStatus crScene_AddSignal(crScene* scene, const crSignalDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crSignalDef, def) || !isUsable(def)) {
    return cr_errorMisuse;
  }
  crSceneSignal own = { .def = *def };
  def = &own.def;
  crCompleteSignalDef(&own.def);
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "a signal's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crScene_CheckPathIsFree(scene, &reporter, def->name);
  if (checkSignal(&reporter, &scene->allocator, def) == cr_errorMemory) {
    return crScene_FailMemory(scene, &reporter);
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  if (!store(scene, &own) || crArray_Push(&scene->signals, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->signals.count - 1;
  scene->signals.items[index] = own;
  if (!crScene_RegisterPath(scene, own.def.name, cr_elementSignal, index)) {
    --scene->signals.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementSignal, index);
  }
  return cr_ok;
}
