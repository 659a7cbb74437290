// Functions of signals: calling them, sampling, and what they and the outside hold.
//
// Sampled functions that are called at one time all read what was there before: with g their functions, u what they
// read, x their states and y what they return,
//
//   (x, y) := g(u(t, y before), x)
//
// at the ticks, and y stays until the next. So the order of functions has no meaning, a function may read what depends
// on itself, and accelerations may be sampled, because what is held is known before the forces.
#include "base/memory.h"
#include "base/report.h"
#include "model/eval/instance.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- callers

// What is held, at its start.
static void resetHeld(crInstance* instance)
{
  const crModel* model = instance->model;
  for (int i = 0; i < model->inputCount; ++i) {
    instance->inputs[i] = model->signals[model->inputs[i]].start;
  }
  for (int i = 0; i < model->sampledCount; ++i) {
    const crSignal* signal = &model->signals[model->sampled[i]];
    const crFunctionSource* source = &model->functions[signal->function].source;
    double* place = instance->discrete + signal->discrete;
    place[0] = signal->start;
    for (int k = 0; k < source->stateCount; ++k) {
      place[1 + k] = source->states[k].value;
    }
  }
}

static void reportMemory(const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  crComplaint complaint = { .message = "out of memory while the functions of an instance were made" };
  crReport(&reporter, cr_severityError, cr_errorMemory, &complaint);
}

crStatus crCreateCallers(crInstance* instance, const crErrorSink* sink)
{
  const crModel* model = instance->model;
  resetHeld(instance);
  for (int i = 0; i < model->functionCount; ++i) {
    const crModelFunction* f = &model->functions[i];
    instance->callers[i].object = f->function.context;
    if (f->function.create != NULL) {
      crStatus status =
          f->function.create(f->function.context, &f->source, &instance->allocator, sink, &instance->callers[i].object);
      if (status != cr_ok) {
        instance->callers[i].object = NULL;
        if (status == cr_errorMemory) {
          reportMemory(sink);
        }
        return status;
      }
    }
  }
  return cr_ok;
}

crStatus crStartCallers(crInstance* instance, const crErrorSink* sink)
{
  const crModel* model = instance->model;
  crStatus status = cr_ok;
  for (int i = 0; i < model->functionCount && status == cr_ok; ++i) {
    const crFunction* function = &model->functions[i].function;
    status = function->start != NULL ? function->start(instance->callers[i].object, sink) : cr_ok;
  }
  return status;
}

static crStatus passMemory(const crFunction* function, const void* from, void* to, const crAllocator* allocator)
{
  int64_t count = function->countMemory(from);
  double* numbers = crAllocateZero(allocator, (size_t)count + 1, sizeof *numbers);
  if (numbers == NULL) {
    return cr_errorMemory;
  }
  function->getMemory(from, numbers);
  crStatus status = function->setMemory(to, numbers, count);
  crFree(allocator, numbers, ((size_t)count + 1) * sizeof *numbers);
  return status;
}

crStatus crInstance_PassMemory(const crInstance* from, crInstance* to)
{
  crStatus status = cr_ok;
  for (int i = 0; i < from->model->functionCount; ++i) {
    const crModelFunction* f = &from->model->functions[i];
    for (int k = 0; f->function.countMemory != NULL && k < to->model->functionCount && status == cr_ok; ++k) {
      const crModelFunction* g = &to->model->functions[k];
      if (g->function.setMemory == f->function.setMemory && strcmp(f->source.path, g->source.path) == 0) {
        status = passMemory(&g->function, from->callers[i].object, to->callers[k].object, &to->allocator);
      }
    }
  }
  return status;
}

void crDestroyCallers(crInstance* instance)
{
  const crModel* model = instance->model;
  for (int i = 0; i < model->functionCount; ++i) {
    const crFunction* function = &model->functions[i].function;
    bool isOwn = function->create != NULL && instance->callers[i].object != NULL;
    if (isOwn && function->destroy != NULL) {
      function->destroy(instance->callers[i].object);
    }
  }
}

// ------------------------------------------------------------------------------------------- calling

static void keepFault(crInstance* instance, const crModelFunction* f, crCaller* caller, crStatus status, double t,
                      double value)
{
  size_t size = (size_t)f->source.argumentCount * sizeof(double);
  caller->hasFault = true;
  caller->faultStatus = status;
  caller->faultTime = t;
  caller->faultValue = value;
  if (size > 0) {
    memcpy(instance->faultArguments + f->argumentStart, instance->arguments + f->argumentStart, size);
  }
}

crStatus crCallFunction(crInstance* instance, const crSignal* signal, double t, double* states, double* outValue)
{
  const crModelFunction* f = &instance->model->functions[signal->function];
  crCaller* caller = &instance->callers[signal->function];
  double* arguments = instance->arguments + f->argumentStart;
  const int* inputs = crGetInputs(instance->model, signal);
  for (int i = 0; i < signal->inputCount; ++i) {
    arguments[i] = instance->signals[inputs[i]].value;
  }
  crStatus status = f->function.call(caller->object, t, arguments, states, outValue);
  bool isFinite = isfinite(*outValue) && crAreFinite(states, signal->stateCount);
  status = status == cr_ok && !isFinite ? cr_retry : status;
  if (status != cr_ok) {
    keepFault(instance, f, caller, status, t, *outValue);
  }
  return status;
}

static int printArguments(const crInstance* instance, const crModelFunction* f, char* buffer, size_t size)
{
  size_t used = 0;
  for (int i = 0; i < f->source.argumentCount && used < size; ++i) {
    const char* name = f->source.arguments[i].name;
    const char* separator = i == 0 ? " with " : ", ";
    double value = instance->faultArguments[f->argumentStart + i];
    used += name != NULL ? (size_t)snprintf(buffer + used, size - used, "%s%s = %.9g", separator, name, value)
                         : (size_t)snprintf(buffer + used, size - used, "%sinput %d = %.9g", separator, i + 1, value);
  }
  return (int)(used < size ? used : size - 1);
}

// "userFunction 'law', line 2 of the code: ..., at 0.31 s with x = 2, v = 0.5"
static void describeFault(const crInstance* instance, int index, char* buffer, size_t size)
{
  const crModelFunction* f = &instance->model->functions[index];
  const crCaller* caller = &instance->callers[index];
  const char* kind = crSignalKind_GetText(instance->model->signals[f->signal].kind);
  const char* why = f->function.explain != NULL ? f->function.explain(caller->object) : "";
  bool isRetry = caller->faultStatus == cr_retry;
  int used = isRetry && isfinite(caller->faultValue)
                 ? snprintf(buffer, size, "%s '%s' is not defined, at %.9g s", kind, f->source.path, caller->faultTime)
             : isRetry ? snprintf(buffer, size, "%s '%s' gives %g, at %.9g s", kind, f->source.path, caller->faultValue,
                                  caller->faultTime)
                       : snprintf(buffer, size, "%s '%s' failed%s%s, at %.9g s", kind, f->source.path,
                                  why[0] != '\0' ? ", " : "", why, caller->faultTime);
  if (used >= 0 && (size_t)used < size) {
    printArguments(instance, f, buffer + used, size - (size_t)used);
  }
}

bool crInstance_DescribeFault(const crInstance* instance, double since, char* buffer, size_t size)
{
  int latest = -1;
  for (int i = 0; instance != NULL && i < instance->model->functionCount; ++i) {
    const crCaller* caller = &instance->callers[i];
    if (caller->hasFault && caller->faultTime >= since &&
        (latest < 0 || caller->faultTime > instance->callers[latest].faultTime)) {
      latest = i;
    }
  }
  if (latest < 0 || buffer == NULL || size == 0) {
    return false;
  }
  describeFault(instance, latest, buffer, size);
  return true;
}

// ------------------------------------------------------------------------------------------- holding

// Everything that reads what is held has to be computed again.
static void lowerComponent(crInstance* instance, int owner)
{
  const crModel* model = instance->model;
  for (int t = 0; t < model->size.treeCount; ++t) {
    if (model->components[t] == owner) {
      instance->stages[t] = cr_stageTime;
    }
  }
}

crStatus crInstance_SetInput(crInstance* instance, int input, double value)
{
  if (instance == NULL || input < 0 || input >= instance->model->inputCount || !isfinite(value)) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  instance->inputs[input] = value;
  for (int k = 0; k < CR_INPUT_ORDERS; ++k) {
    instance->inputRates[CR_INPUT_ORDERS * input + k] = 0.0;
  }
  lowerComponent(instance, model->signalOwners[model->inputs[input]]);
  return cr_ok;
}

void crInstance_SetInputRates(crInstance* instance, int input, double t, const double rates[CR_INPUT_ORDERS])
{
  const crModel* model = instance->model;
  memcpy(instance->inputRates + CR_INPUT_ORDERS * input, rates, CR_INPUT_ORDERS * sizeof *rates);
  instance->inputTimes[input] = t;
  instance->hasInputRates = true;
  lowerComponent(instance, model->signalOwners[model->inputs[input]]);
}

bool crInstance_IsHeld(const crInstance* instance, int input)
{
  const double* rates = instance->inputRates + CR_INPUT_ORDERS * input;
  bool isHeld = true;
  for (int k = 0; k < CR_INPUT_ORDERS; ++k) {
    isHeld = isHeld && rates[k] == 0.0;
  }
  return isHeld;
}

double crInstance_ComputeInput(const crInstance* instance, int input, double t)
{
  const double* rates = instance->inputRates + CR_INPUT_ORDERS * input;
  double h = t - instance->inputTimes[input], sum = 0.0;
  for (int k = CR_INPUT_ORDERS; k > 0; --k) {
    sum = h / k * (rates[k - 1] + sum);
  }
  return instance->inputs[input] + sum;
}

double crInstance_GetInput(const crInstance* instance, int input)
{
  return instance != NULL && input >= 0 && input < instance->model->inputCount ? instance->inputs[input] : NAN;
}

double crInstance_GetOutput(const crInstance* instance, int output)
{
  if (instance == NULL || output < 0 || output >= instance->model->outputCount) {
    return NAN;
  }
  return instance->signals[instance->model->outputs[output]].value;
}

// Calls `visit` for every sampled function of a set, in an order that is always the same.
typedef void Visit(void* context, const crSignal* signal, int tree);

static void visitSampled(const crModel* model, crTreeSet set, Visit* visit, void* context)
{
  int lists = model->size.treeCount > 0 ? set.treeCount : 1;
  for (int k = 0; model->sampledCount > 0 && k < lists; ++k) {
    int t = model->size.treeCount > 0 ? set.trees[k] : 0;
    for (int i = model->treeSignals[t]; i < model->treeSignals[t + 1]; ++i) {
      const crSignal* signal = &model->signals[model->signalOrder[i]];
      if (crIsSampled(signal->kind)) {
        visit(context, signal, t);
      }
    }
  }
}

typedef struct Copy {
  double* held; // (discreteCount)
  double* to;   // next number, or NULL
  const double* from;
  int count;
} Copy;

static void copyHeld(void* context, const crSignal* signal, int tree)
{
  (void)tree;
  Copy* copy = context;
  int count = 1 + signal->stateCount;
  if (copy->to != NULL) {
    memcpy(copy->to + copy->count, copy->held + signal->discrete, (size_t)count * sizeof(double));
  } else if (copy->from != NULL) {
    memcpy(copy->held + signal->discrete, copy->from + copy->count, (size_t)count * sizeof(double));
  }
  copy->count += count;
}

int crModel_CountDiscrete(const crModel* model, crTreeSet set)
{
  Copy copy = { NULL, NULL, NULL, 0 };
  if (crIsTreeSet(model, set)) {
    visitSampled(model, set, copyHeld, &copy);
  }
  return copy.count;
}

crStatus crInstance_GetDiscrete(const crInstance* instance, crTreeSet set, double* outDiscrete)
{
  if (!crCanEvaluate(instance, set) || outDiscrete == NULL) {
    return cr_errorMisuse;
  }
  Copy copy = { instance->discrete, outDiscrete, NULL, 0 };
  visitSampled(instance->model, set, copyHeld, &copy);
  return cr_ok;
}

crStatus crInstance_SetDiscrete(crInstance* instance, crTreeSet set, const double* discrete)
{
  if (!crCanEvaluate(instance, set) || discrete == NULL) {
    return cr_errorMisuse;
  }
  Copy copy = { instance->discrete, NULL, discrete, 0 };
  visitSampled(instance->model, set, copyHeld, &copy);
  for (int k = 0; k < set.treeCount; ++k) {
    instance->stages[set.trees[k]] = cr_stageTime;
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------ sampling

typedef struct Sampling {
  crInstance* instance;
  crStage stage; // that the functions read from
  int dueCount;
  crStatus status;
} Sampling;

static crStage stageOf(crSignalLevel level)
{
  return level == cr_levelTime ? cr_stagePosition : level == cr_levelMotion ? cr_stageForce : cr_stageReport;
}

static void findDue(void* context, const crSignal* signal, int tree)
{
  Sampling* sampling = context;
  if (!crIsTick(signal, sampling->instance->times[tree])) {
    return;
  }
  ++sampling->dueCount;
  for (int i = 0; i < signal->inputCount; ++i) {
    const crModel* model = sampling->instance->model;
    crStage stage = stageOf(model->signals[crGetInputs(model, signal)[i]].level);
    sampling->stage = stage > sampling->stage ? stage : sampling->stage;
  }
}

static void callDue(void* context, const crSignal* signal, int tree)
{
  Sampling* sampling = context;
  crInstance* instance = sampling->instance;
  double* next = instance->nextDiscrete + signal->discrete;
  memcpy(next, instance->discrete + signal->discrete, (size_t)(1 + signal->stateCount) * sizeof *next);
  double t = instance->times[tree];
  if (sampling->status == cr_ok && crIsTick(signal, t)) {
    sampling->status = crCallFunction(instance, signal, t, next + 1, next);
  }
}

static void takeDue(void* context, const crSignal* signal, int tree)
{
  (void)tree;
  Sampling* sampling = context;
  memcpy(sampling->instance->discrete + signal->discrete, sampling->instance->nextDiscrete + signal->discrete,
         (size_t)(1 + signal->stateCount) * sizeof(double));
}

crStatus crInstance_Sample(crInstance* instance, crTreeSet set)
{
  if (!crCanEvaluate(instance, set)) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  Sampling sampling = { instance, cr_stagePosition, 0, cr_ok };
  visitSampled(model, set, findDue, &sampling);
  if (sampling.dueCount == 0) {
    return cr_ok;
  }
  sampling.status = crInstance_Eval(instance, set, sampling.stage);
  visitSampled(model, set, callDue, &sampling);
  if (sampling.status != cr_ok) {
    return sampling.status;
  }
  visitSampled(model, set, takeDue, &sampling);
  for (int k = 0; k < set.treeCount; ++k) {
    instance->stages[set.trees[k]] = cr_stageTime;
  }
  return cr_ok;
}
