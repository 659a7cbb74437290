#include "component.h"

#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CR_LONGEST_RUN 1e6     // [s] where the host tells no stop time
#define CR_MESSAGE_SIZE 2048   // [bytes]
#define CR_SHORTEST_STEP 1e-9  // [-] of a step: events so near to its ends are those of its ends
#define CR_TIME_ROUNDING 1e-15 // [-] of a time
#define CR_RESOURCE_PATH 4096  // [bytes]

// ------------------------------------------------------------------------------------------------ log

void crFmu_Log(crFmu* fmu, crSeverity severity, const char* format, ...)
{
  char text[CR_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  crCleanText(text);
  fmu->log.write(fmu->log.context, severity, text);
}

static void forward(void* context, const crError* error)
{
  crFmu* fmu = context;
  char text[CR_MESSAGE_SIZE];
  crError_Format(error, text, sizeof text);
  fmu->log.write(fmu->log.context, error->severity, text);
}

// --------------------------------------------------------------------------------------------- create

static double* makeNumbers(const crFmu* fmu, int count)
{
  return crAllocateZero(&fmu->allocator, (size_t)count + 1, sizeof(double));
}

static void freeNumbers(const crFmu* fmu, double* numbers, int count)
{
  crFree(&fmu->allocator, numbers, numbers != NULL ? ((size_t)count + 1) * sizeof(double) : 0);
}

static bool makeArrays(crFmu* fmu)
{
  int states = fmu->stateCount, parameters = fmu->variables.parameterCount;
  fmu->y = makeNumbers(fmu, states);
  fmu->rates = makeNumbers(fmu, states);
  fmu->lastY = makeNumbers(fmu, states);
  fmu->lastRates = makeNumbers(fmu, states);
  fmu->scratch = makeNumbers(fmu, states);
  fmu->inputs = makeNumbers(fmu, fmu->inputCount);
  fmu->inputRates = makeNumbers(fmu, CR_INPUT_ORDERS * fmu->inputCount);
  fmu->numbers = makeNumbers(fmu, parameters);
  fmu->texts = crAllocateZero(&fmu->allocator, (size_t)parameters + 1, sizeof *fmu->texts);
  return fmu->y != NULL && fmu->rates != NULL && fmu->lastY != NULL && fmu->lastRates != NULL && fmu->scratch != NULL &&
         fmu->inputs != NULL && fmu->inputRates != NULL && fmu->numbers != NULL && fmu->texts != NULL;
}

static void freeArrays(crFmu* fmu)
{
  int parameters = fmu->variables.parameterCount;
  for (int i = 0; i < parameters && fmu->texts != NULL; ++i) {
    crFree(&fmu->allocator, fmu->texts[i], fmu->texts[i] != NULL ? strlen(fmu->texts[i]) + 1 : 0);
  }
  crFree(&fmu->allocator, fmu->texts, fmu->texts != NULL ? ((size_t)parameters + 1) * sizeof *fmu->texts : 0);
  freeNumbers(fmu, fmu->numbers, parameters);
  freeNumbers(fmu, fmu->inputRates, CR_INPUT_ORDERS * fmu->inputCount);
  freeNumbers(fmu, fmu->inputs, fmu->inputCount);
  freeNumbers(fmu, fmu->scratch, fmu->stateCount);
  freeNumbers(fmu, fmu->lastRates, fmu->stateCount);
  freeNumbers(fmu, fmu->lastY, fmu->stateCount);
  freeNumbers(fmu, fmu->rates, fmu->stateCount);
  freeNumbers(fmu, fmu->y, fmu->stateCount);
}

static void forgetInputRates(crFmu* fmu)
{
  memset(fmu->inputRates, 0, CR_INPUT_ORDERS * (size_t)fmu->inputCount * sizeof *fmu->inputRates);
  fmu->hasInputRates = false;
}

// What was set before is forgotten. false: out of memory.
static bool takeStarts(crFmu* fmu)
{
  bool isGood = true;
  for (int i = 0; i < fmu->variables.list.count && isGood; ++i) {
    const crFmuVariable* variable = &fmu->variables.list.items[i];
    if (variable->role == cr_fmuInput) {
      fmu->inputs[variable->index] = variable->start;
    } else if (variable->role == cr_fmuParameter && variable->type == cr_fmuString) {
      isGood = crFmu_SetText(fmu, variable->index, variable->text);
    } else if (variable->role == cr_fmuParameter) {
      fmu->numbers[variable->index] = variable->start;
    }
  }
  fmu->hasParameters = false;
  forgetInputRates(fmu);
  return isGood;
}

static crStatus open(crFmu* fmu, const char* resources)
{
  char folder[CR_RESOURCE_PATH];
  if (!crReadFileUri(resources, folder, sizeof folder)) {
    crFmu_Log(fmu, cr_severityError, "the place of the resources is no file on this machine: %s", resources);
    return cr_errorFile;
  }
  crStatus status = crFmuPackage_Open(&fmu->package, folder, &fmu->allocator, &fmu->sink);
  status = status == cr_ok ? crFmuPackage_Read(&fmu->package, NULL, 0, &fmu->sink, &fmu->scene, &fmu->model) : status;
  if (status != cr_ok) {
    return status;
  }
  crFmuContent content = { .scene = fmu->scene,
                           .model = fmu->model,
                           .hasParameters = fmu->package.hasParameters,
                           .isExchange = fmu->package.isExchange };
  status = crFmuVariables_Init(&fmu->variables, &content, &fmu->allocator);
  fmu->stateCount = fmu->variables.stateCount;
  fmu->treeStates = fmu->variables.treeStates;
  fmu->inputCount = crModel_CountInputs(fmu->model);
  return status == cr_ok && !(makeArrays(fmu) && takeStarts(fmu)) ? cr_errorMemory : status;
}

crFmu* crCreateFmu(const crFmuDef* def)
{
  crAllocator allocator = crDefaultAllocator();
  crFmu* fmu = crAllocateZero(&allocator, 1, sizeof *fmu);
  if (fmu == NULL) {
    return NULL;
  }
  fmu->allocator = allocator;
  fmu->log = def->log;
  fmu->sink = (crErrorSink){ forward, fmu };
  fmu->isExchange = def->isExchange;
  fmu->stopsAtEvents = def->stopsAtEvents;
  fmu->hasEventMode = def->hasEventMode;
  fmu->mode = cr_fmuInstantiated;
  fmu->stopTime = HUGE_VAL;
  crArena_Init(&fmu->package.arena, &allocator);
  crArena_Init(&fmu->variables.arena, &allocator);
  fmu->package.allocator = allocator;
  crStatus status = open(fmu, def->resources);
  if (status == cr_ok && strcmp(def->guid, fmu->package.guid) != 0) {
    crFmu_Log(fmu, cr_severityError, "the description has the guid %s, the FMU %s: they do not belong together",
              def->guid, fmu->package.guid);
    status = cr_errorFile;
  }
  if (status == cr_ok && fmu->isExchange && !fmu->package.isExchange) {
    crFmu_Log(fmu, cr_severityError, "this FMU was exported for Co-Simulation alone");
    status = cr_errorModel;
  }
  if (status != cr_ok) {
    crDestroyFmu(fmu);
    return NULL;
  }
  return fmu;
}

void crFmu_DropSimulation(crFmu* fmu)
{
  crDestroyRecorder(fmu->recorder);
  crDestroyContacts(fmu->watch);
  crDestroySimulation(fmu->simulation);
  fmu->watch = NULL;
  fmu->simulation = NULL;
  fmu->recorder = NULL;
  fmu->row = NULL;
  fmu->isCurrent = fmu->hasRates = fmu->hasSlopes = false;
}

void crDestroyFmu(crFmu* fmu)
{
  if (fmu == NULL) {
    return;
  }
  crFmu_DropSimulation(fmu);
  if (fmu->model != NULL) {
    crFmu_FreeSlopes(fmu);
  }
  freeArrays(fmu);
  crFmuVariables_Free(&fmu->variables);
  crDestroyModel(fmu->model);
  crDestroyScene(fmu->scene);
  crFmuPackage_Free(&fmu->package);
  crAllocator allocator = fmu->allocator;
  crFree(&allocator, fmu, sizeof *fmu);
}

crStatus crFmu_Reset(crFmu* fmu)
{
  crFmu_DropSimulation(fmu);
  bool isOther = fmu->hasParameters || fmu->isRead;
  bool isGood = takeStarts(fmu);
  fmu->hasParameters = isOther;
  fmu->startTime = fmu->time = 0.0;
  fmu->stopTime = HUGE_VAL;
  fmu->tolerance = 0.0;
  fmu->missedCount = 0;
  fmu->mode = cr_fmuInstantiated;
  return isGood ? cr_ok : cr_errorMemory;
}

// ------------------------------------------------------------------------------------------ parameters

const crFmuVariable* crFmu_Find(const crFmu* fmu, unsigned reference, crFmuType type)
{
  if (reference >= (unsigned)fmu->variables.list.count) {
    return NULL;
  }
  const crFmuVariable* variable = &fmu->variables.list.items[reference];
  return variable->type == type ? variable : NULL;
}

static void touchParameters(crFmu* fmu)
{
  fmu->hasParameters = true;
  crFmu_DropSimulation(fmu);
}

void crFmu_SetNumber(crFmu* fmu, int parameter, double value)
{
  if (fmu->numbers[parameter] != value) {
    fmu->numbers[parameter] = value;
    touchParameters(fmu);
  }
}

bool crFmu_SetText(crFmu* fmu, int parameter, const char* text)
{
  char* before = fmu->texts[parameter];
  if (before != NULL && strcmp(before, text) == 0) {
    return true;
  }
  size_t size = strlen(text) + 1;
  char* copy = crAllocate(&fmu->allocator, size);
  if (copy == NULL) {
    return false;
  }
  memcpy(copy, text, size);
  crFree(&fmu->allocator, before, before != NULL ? strlen(before) + 1 : 0);
  fmu->texts[parameter] = copy;
  touchParameters(fmu);
  return true;
}

// The parameters that differ from those of the export, as settings.
static int listSettings(const crFmu* fmu, crSetting* settings, char (*numbers)[CR_NUMBER_SIZE])
{
  int count = 0;
  for (int i = 0; i < fmu->variables.list.count; ++i) {
    const crFmuVariable* variable = &fmu->variables.list.items[i];
    int index = variable->index;
    if (variable->role != cr_fmuParameter) {
      continue;
    }
    bool isText = variable->type == cr_fmuString;
    if (isText ? strcmp(variable->text, fmu->texts[index]) == 0 : variable->start == fmu->numbers[index]) {
      continue;
    }
    if (variable->type == cr_fmuReal) {
      crFormatNumber(fmu->numbers[index], numbers[index]);
    }
    const char* flag = fmu->numbers[index] != 0.0 ? "true" : "false";
    const char* value = isText ? fmu->texts[index] : variable->type == cr_fmuBoolean ? flag : numbers[index];
    settings[count++] = (crSetting){ variable->name, value };
  }
  return count;
}

// Whether a model has the variables of this FMU, so that its numbers mean the same.
static crStatus checkVariables(crFmu* fmu, const crScene* scene, const crModel* model)
{
  crFmuVariables found;
  crFmuContent content = {
    .scene = scene, .model = model, .hasParameters = fmu->package.hasParameters, .isExchange = fmu->package.isExchange
  };
  crStatus status = crFmuVariables_Init(&found, &content, &fmu->allocator);
  int place = status == cr_ok ? crFmuVariables_Compare(&fmu->variables, &found) : -1;
  if (place >= 0) {
    bool isOurs = place < fmu->variables.list.count;
    crFmu_Log(fmu, cr_severityError,
              "with these parameters the model has other variables, %d states instead of %d, the first that differs is "
              "'%s': export another FMU, with --set",
              found.stateCount, fmu->stateCount,
              isOurs ? fmu->variables.list.items[place].name : found.list.items[place].name);
    status = cr_errorModel;
  } else if (status == cr_ok) {
    fmu->variables.slots = found.slots; // the same places, perhaps of other shapes
  }
  crFmuVariables_Free(&found);
  return status;
}

crStatus crFmu_ReadAgain(crFmu* fmu)
{
  size_t count = (size_t)fmu->variables.parameterCount + 1;
  crSetting* settings = crAllocateZero(&fmu->allocator, count, sizeof *settings);
  char(*numbers)[CR_NUMBER_SIZE] = crAllocateZero(&fmu->allocator, count, sizeof *numbers);
  crScene* scene = NULL;
  crModel* model = NULL;
  crStatus status = cr_errorMemory;
  if (settings != NULL && numbers != NULL) {
    int settingCount = listSettings(fmu, settings, numbers);
    status = crFmuPackage_Read(&fmu->package, settings, settingCount, &fmu->sink, &scene, &model);
  }
  status = status == cr_ok ? checkVariables(fmu, scene, model) : status;
  crFree(&fmu->allocator, settings, settings != NULL ? count * sizeof *settings : 0);
  crFree(&fmu->allocator, numbers, numbers != NULL ? count * sizeof *numbers : 0);
  if (status != cr_ok) {
    crDestroyModel(model);
    crDestroyScene(scene);
    return status;
  }
  crDestroyModel(fmu->model);
  crDestroyScene(fmu->scene);
  fmu->scene = scene;
  fmu->model = model;
  fmu->hasParameters = false;
  fmu->isRead = true;
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- start

crStatus crFmu_SetExperiment(crFmu* fmu, double start, double stop, double tolerance)
{
  bool isGood = isfinite(start) && stop >= start && tolerance >= 0.0 && isfinite(tolerance);
  if (!isGood) {
    crFmu_Log(fmu, cr_severityError, "an experiment from %g s to %g s with the tolerance %g makes no sense", start,
              stop, tolerance);
    return cr_errorMisuse;
  }
  crFmu_DropSimulation(fmu);
  fmu->startTime = fmu->time = start;
  fmu->stopTime = stop;
  fmu->tolerance = tolerance;
  return cr_ok;
}

void crFmu_TakeSimulation(crFmu* fmu, crSimulation* simulation)
{
  fmu->simulation = simulation;
  fmu->set = simulation->run.set;
  fmu->isCurrent = !fmu->isExchange || fmu->mode <= cr_fmuInitializing; // where the simulation is
  fmu->hasRates = fmu->hasSlopes = false;
}

void crFmu_ReadStates(crFmu* fmu)
{
  fmu->row = NULL;
  if (fmu->stateCount == 0) {
    return;
  }
  crInstance_GetState(fmu->simulation->run.instance, fmu->set, fmu->y);
  crFmu_ReadSticking(fmu);
}

crStatus crFmu_Realize(crFmu* fmu)
{
  if (fmu->simulation != NULL) {
    return cr_ok;
  }
  crStatus status = fmu->hasParameters ? crFmu_ReadAgain(fmu) : cr_ok;
  if (status != cr_ok) {
    return status;
  }
  crSimulationOptions options = crDefaultSimulationOptions();
  options.startTime = fmu->startTime;
  options.stopTime = isfinite(fmu->stopTime) ? fmu->stopTime : fmu->startTime + CR_LONGEST_RUN;
  options.tolerance = fmu->tolerance;
  options.inputs = fmu->inputs;
  options.eventRows = cr_eventRowsOff;
  options.threads = 1;
  crSimulation* simulation = NULL;
  status = crCreateSimulation(fmu->model, &options, &fmu->allocator, &fmu->sink, &simulation);
  if (status != cr_ok) {
    return status;
  }
  fmu->time = fmu->startTime;
  crFmu_TakeSimulation(fmu, simulation);
  crFmu_ReadStates(fmu);
  return cr_ok;
}

crStatus crFmu_Begin(crFmu* fmu)
{
  crStatus status = crFmu_Realize(fmu);
  return status == cr_ok && fmu->isExchange ? crFmu_BeginExchange(fmu) : status;
}

// --------------------------------------------------------------------------------------------- values

crStatus crFmu_SetInput(crFmu* fmu, int input, double value)
{
  if (!isfinite(value)) {
    return cr_errorMisuse;
  }
  bool isSame = fmu->inputs[input] == value;
  fmu->inputs[input] = value;
  if (isSame || fmu->simulation == NULL) {
    return cr_ok;
  }
  if (fmu->mode <= cr_fmuInitializing) { // what touches at the start may depend on it
    crFmu_DropSimulation(fmu);
    return cr_ok;
  }
  fmu->hasRates = fmu->hasSlopes = false;
  if (fmu->isExchange) {
    fmu->isCurrent = false;
    return crInstance_SetInput(fmu->simulation->run.instance, input, value);
  }
  fmu->row = NULL;
  return crSimulation_SetInput(fmu->simulation, input, value);
}

crStatus crFmu_SetInputRate(crFmu* fmu, int input, int order, double value)
{
  if (!isfinite(value) || order < 1 || order > CR_INPUT_ORDERS) {
    return cr_errorMisuse;
  }
  fmu->inputRates[CR_INPUT_ORDERS * input + order - 1] = value;
  fmu->hasInputRates = true;
  return cr_ok;
}

// In Co-Simulation the run evaluates everything where it stops, but not in one vector.
static crStatus findRates(crFmu* fmu)
{
  crRun* run = &fmu->simulation->run;
  if (fmu->hasRates) {
    return cr_ok;
  }
  if (fmu->isExchange && fmu->mode > cr_fmuInitializing) {
    return crFmu_ComputeRates(fmu);
  }
  crStatus status = crInstance_ComputeRates(run->instance, run->set, fmu->time, fmu->y, fmu->rates);
  crFmu_ReadStickingRates(fmu);
  status = status == cr_ok ? crSimulation_Place(fmu->simulation, fmu->time) : status;
  fmu->hasRates = status == cr_ok;
  return status;
}

static crStatus findIndicator(crFmu* fmu, int index, double* outValue)
{
  double z[CR_INDICATORS] = { -1.0, 1.0 };
  crStatus status = crFmu_Realize(fmu);
  status = status == cr_ok ? crFmu_ComputeIndicators(fmu, z) : status;
  *outValue = z[index];
  return status;
}

// Of a model whose structure may have changed: by the names of its variables.
static crStatus readVariable(crFmu* fmu, int index, double* outValue)
{
  static const char* const all[] = { "**" };
  crStatus status = cr_ok;
  if (fmu->recorder == NULL) {
    status = crCreateRecorder(fmu->model, all, 1, &fmu->allocator, &fmu->sink, &fmu->recorder);
  }
  if (status == cr_ok && fmu->row == NULL) {
    fmu->row = crRecorder_Read(fmu->recorder, fmu->simulation->run.instance);
    status = fmu->row != NULL ? cr_ok : cr_errorMemory;
  }
  *outValue = status == cr_ok ? fmu->row[index] : NAN;
  return status;
}

crStatus crFmu_GetReal(crFmu* fmu, const crFmuVariable* variable, double* outValue)
{
  crStatus status = cr_ok;
  switch (variable->role) {
    case cr_fmuTime: *outValue = fmu->time; return cr_ok;
    case cr_fmuParameter: *outValue = fmu->numbers[variable->index]; return cr_ok;
    case cr_fmuInput: *outValue = fmu->inputs[variable->index]; return cr_ok;
    case cr_fmuState:
      status = crFmu_Realize(fmu);
      *outValue = fmu->y[variable->index];
      return status;
    case cr_fmuDerivative:
      status = crFmu_Realize(fmu);
      status = status == cr_ok ? findRates(fmu) : status;
      *outValue = fmu->rates[variable->index];
      return status;
    case cr_fmuIndicator: return findIndicator(fmu, variable->index, outValue);
    case cr_fmuOutput:
    case cr_fmuLocal: break;
  }
  status = crFmu_Realize(fmu);
  status = status == cr_ok && !fmu->isCurrent ? crFmu_Eval(fmu) : status;
  if (status == cr_ok) {
    const crInstance* instance = fmu->simulation->run.instance;
    bool isOutput = variable->role == cr_fmuOutput;
    if (!isOutput && crModel_CountActions(fmu->model) > 0) {
      return readVariable(fmu, variable->index, outValue);
    }
    *outValue = isOutput               ? crInstance_GetOutput(instance, variable->index)
                : variable->state >= 0 ? fmu->y[variable->state]
                                       : crInstance_GetVariable(instance, variable->index);
  }
  return status;
}

// --------------------------------------------------------------------------------------------- steps

// The first event behind a time.
typedef struct Watch {
  double after, first; // [s]
} Watch;

static crStatus seeContact(void* context, const crContactRecord* contact)
{
  Watch* watch = context;
  if (contact->time > watch->after) {
    watch->first = fmin(watch->first, contact->time);
  }
  return cr_ok;
}

// One simulation goes ahead to see what happens; where a contact begins or ends on the way another one, which was left
// behind, follows up to there.
static crStatus advanceToEvent(crFmu* fmu, double t)
{
  crSimulation* behind = NULL;
  crStatus status = crSimulation_Copy(fmu->simulation, &fmu->allocator, &fmu->sink, &behind);
  if (status != cr_ok) {
    return status;
  }
  double step = t - fmu->time, shortest = fmax(CR_SHORTEST_STEP * step, CR_TIME_ROUNDING * fabs(t));
  Watch watch = { fmu->time + shortest, HUGE_VAL };
  crObserver observer = { .context = &watch, .atContact = seeContact };
  status = crSimulation_AdvanceWatched(fmu->simulation, t, &observer);
  fmu->isAtEvent = watch.first < t - shortest;
  if (!fmu->isAtEvent) {
    crDestroySimulation(behind);
    return status;
  }
  crDestroyRecorder(fmu->recorder);
  fmu->recorder = NULL;
  crDestroySimulation(fmu->simulation);
  crFmu_TakeSimulation(fmu, behind);
  return crSimulation_Advance(behind, watch.first);
}

// Inputs that are not held, from here on; and held where they are.
static crStatus beginInputs(crFmu* fmu)
{
  crStatus status = cr_ok;
  for (int i = 0; i < fmu->inputCount && fmu->hasInputRates && status == cr_ok; ++i) {
    status = crSimulation_SetInputRates(fmu->simulation, i, fmu->inputRates + CR_INPUT_ORDERS * i);
  }
  return status;
}

static crStatus endInputs(crFmu* fmu)
{
  crStatus status = cr_ok;
  double t = crSimulation_GetTime(fmu->simulation);
  for (int i = 0; i < fmu->inputCount && fmu->hasInputRates && status == cr_ok; ++i) {
    fmu->inputs[i] = crInstance_ComputeInput(crSimulation_GetInstance(fmu->simulation), i, t);
    status = crSimulation_SetInput(fmu->simulation, i, fmu->inputs[i]);
  }
  forgetInputRates(fmu);
  return status;
}

crStatus crFmu_Advance(crFmu* fmu, double t)
{
  double stop = fmu->simulation->run.options.stopTime;
  if (t > stop && t <= stop + 4.0 * DBL_EPSILON * fmax(fabs(stop), fabs(t))) {
    t = stop; // a sum of steps that was rounded
  }
  if (!(t <= stop)) {
    crFmu_Log(fmu, cr_severityError, "the step ends at %.17g s, behind the stop time %.17g s of the experiment", t,
              stop);
    return cr_errorMisuse;
  }
  double end = fmax(t, fmu->time);
  crStatus status = beginInputs(fmu);
  if (status == cr_ok) {
    status = fmu->stopsAtEvents ? advanceToEvent(fmu, end) : crSimulation_Advance(fmu->simulation, end);
  }
  status = status == cr_ok ? endInputs(fmu) : status;
  fmu->time = crSimulation_GetTime(fmu->simulation);
  fmu->hasRates = fmu->hasSlopes = false;
  crFmu_ReadStates(fmu);
  return status;
}
