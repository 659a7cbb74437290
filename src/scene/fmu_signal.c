// An FMU as a sampled function, see cr_signalFmu. Its outputs are states, so that picks can show them; behind them
// stands the number of its calls, by which whoever runs it knows when it is asked to go back.
#include "scene/scene.h"

static bool isList(const void* items, int count)
{
  return count >= 0 && (items != NULL || count == 0);
}

bool crIsUsableFmu(const crSignalDef* def)
{
  return isList(def->as.fmu.arguments, def->as.fmu.argumentCount) &&
         isList(def->as.fmu.constants, def->as.fmu.constantCount) &&
         isList(def->as.fmu.outputs, def->as.fmu.outputCount);
}

void crCheckFmu(crReporter* reporter, const crSignalDef* def)
{
  if (def->as.fmu.file == NULL || def->as.fmu.outputCount == 0) {
    crReportError(reporter, "an fmu needs a file and an output");
  }
  if (def->as.fmu.function.call == NULL) {
    crReportError(reporter, "an fmu needs a function that runs it");
  }
  for (int i = 0; i < def->as.fmu.outputCount; ++i) {
    if (def->as.fmu.outputs[i] == NULL) {
      crReportError(reporter, "output %d has no name", i + 1);
    }
  }
  for (int i = 0; i < def->as.fmu.argumentCount; ++i) {
    if (def->as.fmu.arguments[i].name == NULL || def->as.fmu.arguments[i].signal == NULL) {
      crReportError(reporter, "input %d needs a name and a signal", i + 1);
    }
  }
  for (int i = 0; i < def->as.fmu.constantCount; ++i) {
    if (def->as.fmu.constants[i].name == NULL) {
      crReportError(reporter, "parameter %d has no name", i + 1);
    } else {
      crCheckFinite(reporter, def->as.fmu.constants[i].name, def->as.fmu.constants[i].value);
    }
  }
  crCheckPositive(reporter, "period", def->as.fmu.period, "s");
  crCheckFinite(reporter, "start", def->as.fmu.start);
  crCheckFinite(reporter, "value", def->as.fmu.value);
}

static bool storeOutputs(crScene* scene, crSceneSignal* signal)
{
  crSignalDef* own = &signal->def;
  int count = own->as.fmu.outputCount;
  const char** names = crArena_Copy(&scene->arena, own->as.fmu.outputs, (size_t)count * sizeof *names);
  crNamedNumber* states = crArena_AllocateZero(&scene->arena, (size_t)count + 1, sizeof *states);
  for (int i = 0; names != NULL && states != NULL && i < count; ++i) {
    if (!crScene_Intern(scene, &names[i])) {
      return false;
    }
    states[i] = (crNamedNumber){ names[i], own->as.fmu.value };
  }
  if (names == NULL || states == NULL) {
    return false;
  }
  states[count] = (crNamedNumber){ "calls", 0.0 };
  own->as.fmu.outputs = names;
  signal->functionSource.states = states;
  signal->functionSource.stateCount = count + 1;
  return true;
}

bool crStoreFmu(crScene* scene, crSceneSignal* signal)
{
  crSignalDef* own = &signal->def;
  bool isStored = crScene_Intern(scene, &own->as.fmu.file) && crScene_Intern(scene, &own->as.fmu.path) &&
                  crScene_Intern(scene, &own->as.fmu.hash) &&
                  crStoreArguments(scene, &own->as.fmu.arguments, own->as.fmu.argumentCount) &&
                  crStoreNumbers(scene, &own->as.fmu.constants, own->as.fmu.constantCount) &&
                  storeOutputs(scene, signal);
  crFunctionSource* source = &signal->functionSource;
  source->path = own->name;
  source->source = own->source;
  source->code = own->as.fmu.hash;
  source->file = own->as.fmu.path != NULL ? own->as.fmu.path : own->as.fmu.file;
  source->arguments = own->as.fmu.arguments;
  source->argumentCount = own->as.fmu.argumentCount;
  source->constants = own->as.fmu.constants;
  source->constantCount = own->as.fmu.constantCount;
  source->period = own->as.fmu.period;
  signal->function = own->as.fmu.function;
  return isStored;
}
