// Functions of signals: what is allowed, and copying them into the scene.
//
// Code is tried at once, by making a caller and giving it back, so that what is wrong with it is reported where the
// signal is made.
#include "scene/scene.h"

#include <string.h>

#define CR_MAX_VARIABLES 100 // arguments, constants and states of one function; Lua has room for 200 locals

// A function, sampled or not. The members that both have stand at the same places, which C guarantees for structures of
// a union that begin alike.
static crFunctionSource makeSource(const crSignalDef* def)
{
  crFunctionSource source = { .path = def->name,
                              .source = def->source,
                              .code = def->as.function.code,
                              .arguments = def->as.function.arguments,
                              .argumentCount = def->as.function.argumentCount,
                              .constants = def->as.function.constants,
                              .constantCount = def->as.function.constantCount };
  if (def->kind == cr_signalSampled) {
    source.states = def->as.sampled.states;
    source.stateCount = def->as.sampled.stateCount;
    source.period = def->as.sampled.period;
  }
  return source;
}

bool crIsUsableFunction(const crSignalDef* def)
{
  crFunctionSource source = makeSource(def);
  return source.argumentCount >= 0 && (source.arguments != NULL || source.argumentCount == 0) &&
         source.constantCount >= 0 && (source.constants != NULL || source.constantCount == 0) &&
         source.stateCount >= 0 && (source.states != NULL || source.stateCount == 0);
}

// -------------------------------------------------------------------------------------------- checks

// The name of variable i: arguments, then constants, then states.
static const char* nameOf(const crFunctionSource* source, int i)
{
  int k = i - source->argumentCount, j = k - source->constantCount;
  const crNamedNumber* numbers = j < 0 ? source->constants : source->states;
  return k < 0 ? source->arguments[i].name : numbers != NULL ? numbers[j < 0 ? k : j].name : NULL;
}

static int countVariables(const crFunctionSource* source)
{
  int64_t count = (int64_t)source->argumentCount + source->constantCount + source->stateCount;
  return count > INT32_MAX ? INT32_MAX : (int)count;
}

static void checkVariables(crReporter* reporter, const crFunctionSource* source)
{
  int count = countVariables(source);
  if (count > CR_MAX_VARIABLES) {
    crReportNumber(reporter, "a function has too many variables", count, "at most 100 inputs, parameters and states",
                   NULL, NULL);
    return;
  }
  for (int i = 0; i < count; ++i) {
    const char* name = nameOf(source, i);
    if (name == NULL && source->code != NULL) {
      crReportError(reporter, "variable %d of the function has no name", i + 1);
    }
    for (int k = 0; name != NULL && k < i; ++k) {
      if (nameOf(source, k) != NULL && strcmp(name, nameOf(source, k)) == 0) {
        crReportError(reporter, "two variables of the function have the name '%s'", name);
      }
    }
  }
}

static void checkNumbers(crReporter* reporter, const crNamedNumber* numbers, int count)
{
  for (int i = 0; i < count; ++i) {
    crCheckFinite(reporter, numbers[i].name != NULL ? numbers[i].name : "a state", numbers[i].value);
  }
}

static crStatus tryCode(crReporter* reporter, const crAllocator* allocator, const crFunction* function,
                        const crFunctionSource* source)
{
  void* caller = NULL;
  crErrorSink sink = crReporter_Sink(reporter);
  crStatus status = function->create(function->context, source, allocator, &sink, &caller);
  if (status == cr_ok && function->destroy != NULL) {
    function->destroy(caller);
  } else if (status != cr_ok && status != cr_errorMemory && reporter->errorCount == 0) {
    crReportError(reporter, "the function cannot be made");
  }
  return status == cr_errorMemory ? cr_errorMemory : cr_ok;
}

crStatus crCheckFunction(crReporter* reporter, const crAllocator* allocator, const crSignalDef* def)
{
  crFunctionSource source = makeSource(def);
  const crFunction* function = &def->as.function.function;
  for (int i = 0; i < source.argumentCount; ++i) {
    if (source.arguments[i].signal == NULL) {
      crReportError(reporter, "input %d has no signal", i + 1);
    }
  }
  if (def->kind == cr_signalSampled) {
    crCheckPositive(reporter, "period", def->as.sampled.period, "s");
    crCheckFinite(reporter, "start", def->as.sampled.start);
    crCheckFinite(reporter, "value", def->as.sampled.value);
  }
  checkVariables(reporter, &source);
  checkNumbers(reporter, source.constants, source.constantCount);
  checkNumbers(reporter, source.states, source.stateCount);
  if (function->call == NULL) {
    crReportError(reporter, "a %s needs a function: code, or one in C", crSignalKind_GetText(def->kind));
  } else if (reporter->errorCount == 0 && function->create != NULL) {
    return tryCode(reporter, allocator, function, &source);
  }
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- adding

bool crStoreArguments(crScene* scene, const crArgument** list, int count)
{
  crArgument* arguments = crArena_Copy(&scene->arena, *list, (size_t)count * sizeof *arguments);
  for (int i = 0; arguments != NULL && i < count; ++i) {
    if (!crScene_Intern(scene, &arguments[i].name) || !crScene_Intern(scene, &arguments[i].signal)) {
      return false;
    }
  }
  *list = arguments;
  return arguments != NULL;
}

bool crStoreNumbers(crScene* scene, const crNamedNumber** numbers, int count)
{
  crNamedNumber* copy = crArena_Copy(&scene->arena, *numbers, (size_t)count * sizeof *copy);
  for (int i = 0; copy != NULL && i < count; ++i) {
    if (!crScene_Intern(scene, &copy[i].name)) {
      return false;
    }
  }
  *numbers = copy;
  return copy != NULL;
}

bool crStoreFunction(crScene* scene, crSceneSignal* signal)
{
  crSignalDef* own = &signal->def;
  bool isStored = crScene_Intern(scene, &own->as.function.code) &&
                  crStoreArguments(scene, &own->as.function.arguments, own->as.function.argumentCount) &&
                  crStoreNumbers(scene, &own->as.function.constants, own->as.function.constantCount);
  if (isStored && own->kind == cr_signalSampled) {
    isStored = crStoreNumbers(scene, &own->as.sampled.states, own->as.sampled.stateCount);
  }
  signal->function = own->as.function.function;
  signal->functionSource = makeSource(own);
  return isStored;
}
