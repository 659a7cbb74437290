// Functions of signals: what is allowed, and copying them into the scene.
//
// Code is tried at once, by making a caller and giving it back, so that what is wrong with it is reported where the
// signal is made.
#include "scene/scene.h"

#include <string.h>

#define CR_MAX_VARIABLES 100 // arguments, constants and states of one function; Lua has room for 200 locals

crFunctionSource crGetFunctionSource(const crSignalDef* def)
{
  bool isSampled = def->kind != cr_signalFunction;
  crFunctionSource source = { .path = def->name,
                              .source = def->source,
                              .code = def->code,
                              .arguments = def->arguments,
                              .argumentCount = def->argumentCount,
                              .constants = def->constants,
                              .constantCount = def->constantCount,
                              .states = def->states,
                              .stateCount = isSampled ? def->stateCount : 0,
                              .period = isSampled ? def->period : 0.0 };
  return source;
}

bool crIsUsableFunction(const crSignalDef* def)
{
  return def->argumentCount >= 0 && (def->arguments != NULL || def->argumentCount == 0) && def->constantCount >= 0 &&
         (def->constants != NULL || def->constantCount == 0) && def->stateCount >= 0 &&
         (def->states != NULL || def->stateCount == 0);
}

// -------------------------------------------------------------------------------------------- checks

// The name of variable i: arguments, then constants, then states.
static const char* nameOf(const crFunctionSource* source, int i)
{
  int k = i - source->argumentCount, j = k - source->constantCount;
  return k < 0 ? source->arguments[i].name : j < 0 ? source->constants[k].name : source->states[j].name;
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
  crFunctionSource source = crGetFunctionSource(def);
  for (int i = 0; i < def->argumentCount; ++i) {
    if (def->arguments[i].signal == NULL) {
      crReportError(reporter, "input %d has no signal", i + 1);
    }
  }
  if (def->kind == cr_signalSampled) {
    crCheckPositive(reporter, "period", def->period, "s");
    crCheckFinite(reporter, "value", def->value);
  }
  checkVariables(reporter, &source);
  checkNumbers(reporter, source.constants, source.constantCount);
  checkNumbers(reporter, source.states, source.stateCount);
  if (def->function.call == NULL) {
    crReportError(reporter, "a %s needs a function: code, or one in C", crSignalKindText(def->kind));
  } else if (reporter->errorCount == 0 && def->function.create != NULL) {
    return tryCode(reporter, allocator, &def->function, &source);
  }
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- adding

static bool storeArguments(crScene* scene, crSignalDef* own)
{
  size_t size = (size_t)own->argumentCount * sizeof *own->arguments;
  crArgument* arguments = crArena_Copy(&scene->arena, own->arguments, size);
  for (int i = 0; arguments != NULL && i < own->argumentCount; ++i) {
    if (!crScene_Intern(scene, &arguments[i].name) || !crScene_Intern(scene, &arguments[i].signal)) {
      return false;
    }
  }
  own->arguments = arguments;
  return arguments != NULL;
}

static bool storeNumbers(crScene* scene, const crNamedNumber** numbers, int count)
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

bool crStoreFunction(crScene* scene, crSignalDef* own)
{
  return storeArguments(scene, own) && storeNumbers(scene, &own->constants, own->constantCount) &&
         storeNumbers(scene, &own->states, own->stateCount) && crScene_Intern(scene, &own->code);
}
