// Signals: their defaults, what is allowed, and adding them. Inputs are looked up when the scene is compiled.
#include "scene/field.h"
#include "scene/scene.h"

#include <stdio.h>

const char* crSignalKindText(crSignalKind kind)
{
  const crRecord* record = crGetSignalRecord(kind);
  return record != NULL ? record->type : "unknown signal";
}

crSignalDef crDefaultSignalDef(crSignalKind kind, const char* name)
{
  crSignalDef def = { .name = name,
                      .kind = kind,
                      .value = NAN,
                      .amplitude = NAN,
                      .frequency = NAN,
                      .height = NAN,
                      .duration = NAN,
                      .rise = NAN,
                      .hold = NAN,
                      .fall = NAN,
                      .maxVelocity = NAN,
                      .maxAcceleration = NAN,
                      .positionGain = NAN,
                      .velocityGain = NAN,
                      .integralTime = NAN,
                      .resistance = NAN,
                      .inductance = NAN,
                      .torqueConstant = NAN,
                      .degree = 1,
                      .nominal = 1.0,
                      .period = NAN,
                      .gain = NAN,
                      .min = -CR_NO_LIMIT,
                      .max = CR_NO_LIMIT };
  if (kind == cr_signalInput || kind == cr_signalSampled || kind == cr_signalPid) {
    def.value = 0.0;
  }
  return def;
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
  char message[CR_ITEM_NAME_SIZE];
  for (int i = 1; i < count; ++i) {
    if (!(times[i] > times[i - 1])) {
      snprintf(message, sizeof message,
               times[i] == times[i - 1] ? "times[%d] is the time before again" : "times[%d] is before the time before",
               i + 1);
      crReportNumber(reporter, message, times[i], "ascending times", "s",
                     "for a jump use a step, or two times that differ a little");
      return;
    }
  }
}

static void checkTable(crReporter* reporter, const crSignalDef* def)
{
  if (def->timeCount < 2) {
    crReportNumber(reporter, "a time table has too few times", def->timeCount, "2 or more", NULL, NULL);
  }
  if (def->valueCount != def->timeCount) {
    crReportNumber(reporter, "a time table needs as many values as times", def->valueCount, "one value per time", NULL,
                   NULL);
  }
  if (def->interpolation != cr_interpolationLinear && def->interpolation != cr_interpolationCubic) {
    crReportError(reporter, "unknown interpolation %d", (int)def->interpolation);
  }
  checkList(reporter, "times", def->times, def->timeCount);
  checkList(reporter, "values", def->values, def->valueCount);
  checkAscending(reporter, def->times, def->timeCount);
}

static void checkPath(crReporter* reporter, const crSignalDef* def)
{
  if (def->valueCount < 1) {
    crReportNumber(reporter, "a path has too few values", def->valueCount, "1 or more", NULL, NULL);
  }
  checkList(reporter, "values", def->values, def->valueCount);
  crCheckPositive(reporter, "maxVelocity", def->maxVelocity, "1/s");
  crCheckPositive(reporter, "maxAcceleration", def->maxAcceleration, "1/s^2");
}

static void checkInputs(crReporter* reporter, const crSignalDef* def)
{
  bool hasHole = false;
  for (int i = 0; i < def->inputCount; ++i) {
    hasHole = hasHole || def->inputs[i] == NULL;
  }
  if (def->inputCount < 1 || hasHole) {
    crReportError(reporter, "a %s needs inputs", crSignalKindText(def->kind));
  }
  if (def->kind == cr_signalSum && def->factorCount != 0 && def->factorCount != def->inputCount) {
    crReportNumber(reporter, "a sum needs as many factors as inputs", def->factorCount, "one factor per input, or none",
                   NULL, NULL);
  }
  checkList(reporter, "factors", def->factors, def->kind == cr_signalSum ? def->factorCount : 0);
}

static void checkLimit(crReporter* reporter, const crSignalDef* def)
{
  if (def->input == NULL) {
    crReportError(reporter, "a limit needs an input");
  }
  bool isMin = crCheckFinite(reporter, "min", def->min), isMax = crCheckFinite(reporter, "max", def->max);
  if (isMin && isMax && !(def->min < def->max)) {
    crReportNumber(reporter, "min is not below max", def->min, "< max", NULL, NULL);
  }
}

static void checkLine(crReporter* reporter, const crSignalDef* def)
{
  crCheckFinite(reporter, "height", def->height);
  crCheckFinite(reporter, "offset", def->offset);
  if (def->kind == cr_signalRamp) {
    crCheckPositive(reporter, "duration", def->duration, "s");
  } else if (def->kind == cr_signalTrapezoid) {
    crCheckNotNegative(reporter, "rise", def->rise, "s");
    crCheckNotNegative(reporter, "hold", def->hold, "s");
    crCheckNotNegative(reporter, "fall", def->fall, "s");
  }
}

static void checkSine(crReporter* reporter, const crSignalDef* def)
{
  crCheckFinite(reporter, "amplitude", def->amplitude);
  crCheckFinite(reporter, "frequency", def->frequency);
  crCheckFinite(reporter, "phase", def->phase);
  crCheckFinite(reporter, "offset", def->offset);
}

static void checkSensor(crReporter* reporter, const crSignalDef* def)
{
  static const int quantityCounts[cr_signalKindCount] = { [cr_signalFrameSensor] = cr_frameDistanceRate + 1,
                                                          [cr_signalJointSensor] = cr_jointAcceleration + 1,
                                                          [cr_signalReactionSensor] = cr_reactionTorque + 1,
                                                          [cr_signalSubtreeSensor] = cr_subtreeAngularMomentum + 1 };
  bool isFrame = def->kind == cr_signalFrameSensor, isSubtree = def->kind == cr_signalSubtreeSensor;
  bool isMissing = isFrame     ? def->objectA == NULL || def->objectB == NULL
                   : isSubtree ? def->objectA == NULL
                               : def->joint == NULL;
  if (isMissing) {
    crReportError(reporter, "a %s needs %s", crSignalKindText(def->kind),
                  isFrame     ? "two objects"
                  : isSubtree ? "an object"
                              : "a joint");
  }
  if (def->quantity < 0 || def->quantity >= quantityCounts[def->kind]) {
    crReportError(reporter, "unknown quantity %d", def->quantity);
  }
  if ((unsigned)def->component > cr_componentZ) {
    crReportError(reporter, "unknown component %d", (int)def->component);
  }
}

static void checkControl(crReporter* reporter, const crSignalDef* def)
{
  if (def->input == NULL || def->joint == NULL) {
    crReportError(reporter, "a %s needs an input and a joint", crSignalKindText(def->kind));
  }
  if (def->kind == cr_signalServo) {
    crCheckPositive(reporter, "positionGain", def->positionGain, "1/s");
    crCheckPositive(reporter, "velocityGain", def->velocityGain, NULL);
    crCheckPositive(reporter, "integralTime", def->integralTime, "s");
  } else {
    crCheckNotNegative(reporter, "resistance", def->resistance, "Ohm");
    crCheckPositive(reporter, "inductance", def->inductance, "H");
    crCheckFinite(reporter, "torqueConstant", def->torqueConstant);
  }
}

static void checkPort(crReporter* reporter, const crSignalDef* def)
{
  bool isPick = def->kind == cr_signalPick;
  if (def->input == NULL || (isPick && def->state == NULL)) {
    crReportError(reporter, isPick ? "a pick needs a signal and the name of a state" : "an output needs a signal");
  }
}

// cr_errorMemory, or cr_ok: what is wrong is counted.
static crStatus checkSignal(crReporter* reporter, const crAllocator* allocator, const crSignalDef* def)
{
  crCheckFinite(reporter, "start", def->start);
  switch (def->kind) {
    case cr_signalConstant: crCheckFinite(reporter, "value", def->value); break;
    case cr_signalSine: checkSine(reporter, def); break;
    case cr_signalRamp:
    case cr_signalStep:
    case cr_signalTrapezoid: checkLine(reporter, def); break;
    case cr_signalTimeTable: checkTable(reporter, def); break;
    case cr_signalPath: checkPath(reporter, def); break;
    case cr_signalSum:
    case cr_signalProduct: checkInputs(reporter, def); break;
    case cr_signalLimit: checkLimit(reporter, def); break;
    case cr_signalServo:
    case cr_signalDcMotor: checkControl(reporter, def); break;
    case cr_signalFrameSensor:
    case cr_signalJointSensor:
    case cr_signalReactionSensor:
    case cr_signalSubtreeSensor: checkSensor(reporter, def); break;
    case cr_signalInput:
      crCheckFinite(reporter, "start", def->value);
      crCheckPositive(reporter, "nominal", def->nominal, NULL);
      break;
    case cr_signalOutput:
    case cr_signalPick: checkPort(reporter, def); break;
    case cr_signalFunction:
    case cr_signalSampled: return crCheckFunction(reporter, allocator, def);
    case cr_signalPid: crCheckPid(reporter, def); break;
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

static bool copyInputs(crScene* scene, crSignalDef* own)
{
  const char** inputs = crArena_Copy(&scene->arena, own->inputs, (size_t)own->inputCount * sizeof *inputs);
  for (int i = 0; inputs != NULL && i < own->inputCount; ++i) {
    if (!crScene_Intern(scene, &inputs[i])) {
      return false;
    }
  }
  own->inputs = inputs;
  return inputs != NULL;
}

static bool store(crScene* scene, crSignalDef* own)
{
  return crScene_Intern(scene, &own->name) && crScene_Intern(scene, &own->source.file) &&
         crScene_Intern(scene, &own->input) && crScene_Intern(scene, &own->objectA) &&
         crScene_Intern(scene, &own->objectB) && crScene_Intern(scene, &own->frame) &&
         crScene_Intern(scene, &own->joint) && copyNumbers(scene, &own->times, own->timeCount) &&
         copyNumbers(scene, &own->values, own->valueCount) && copyNumbers(scene, &own->factors, own->factorCount) &&
         copyInputs(scene, own) && crScene_Intern(scene, &own->unit) && crScene_Intern(scene, &own->state) &&
         crScene_Intern(scene, &own->reference) && crPreparePid(scene, own) && crStoreFunction(scene, own);
}

static bool isUsable(const crSignalDef* def)
{
  return def->timeCount >= 0 && (def->times != NULL || def->timeCount == 0) && def->valueCount >= 0 &&
         (def->values != NULL || def->valueCount == 0) && def->factorCount >= 0 &&
         (def->factors != NULL || def->factorCount == 0) && def->inputCount >= 0 &&
         (def->inputs != NULL || def->inputCount == 0) && crIsUsableFunction(def) &&
         (unsigned)def->kind < cr_signalKindCount;
}

crStatus crScene_AddSignal(crScene* scene, const crSignalDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !isUsable(def)) {
    return cr_errorMisuse;
  }
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
  crSignalDef own = *def;
  if (!store(scene, &own) || crArray_Push(&scene->signals, &scene->allocator) == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = scene->signals.count - 1;
  scene->signals.items[index] = own;
  if (!crScene_RegisterPath(scene, own.name, cr_elementSignal, index)) {
    --scene->signals.count;
    return crScene_FailMemory(scene, &reporter);
  }
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, cr_elementSignal, index);
  }
  return cr_ok;
}
