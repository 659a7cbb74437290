#include "sweep/runner.h"

#include "base/clock.h"
#include "carom/model.h"

#include <math.h>
#include <string.h>

bool crRunner_Init(crRunner* runner, const crSweepPlan* plan, const crAllocator* allocator)
{
  *runner = (crRunner){ .plan = plan, .allocator = *allocator };
  crArena_Init(&runner->arena, allocator);
  runner->inputs = crArena_AllocateZero(&runner->arena, (size_t)plan->inputCount + 1, sizeof(double));
  runner->outputs = crArena_AllocateZero(&runner->arena, (size_t)plan->outputs.columnCount + 1, sizeof(double));
  return runner->inputs != NULL && runner->outputs != NULL &&
         crGauge_Init(&runner->gauge, &plan->outputs, &runner->arena);
}

void crRunner_Free(crRunner* runner)
{
  crArena_Free(&runner->arena);
}

// Keeps the first error, and counts warnings.
static void collect(void* context, const crError* error)
{
  crRunner* runner = context;
  runner->warnings += error->severity == cr_severityWarning;
  if (error->severity == cr_severityError && runner->message[0] == '\0') {
    crError_Format(error, runner->message, sizeof runner->message);
  }
}

static crStatus simulate(crRunner* runner, const crModel* model, const crErrorSink* sink, crRunEnd* outEnd)
{
  const crSweepPlan* plan = runner->plan;
  crSimulation* simulation = NULL;
  crStatus status = crCreateSimulation(model, &plan->options, &runner->allocator, sink, &simulation);
  if (status == cr_ok) {
    crSimulationOptions chosen = crSimulation_GetOptions(simulation);
    crRecordOptions options = crDefaultRecordOptions();
    options.patterns = plan->outputs.variables;
    options.patternCount = plan->outputs.variableCount;
    options.context = runner->context;
    options.shouldStop = runner->shouldStop;
    crGauge_Begin(&runner->gauge, chosen.startTime, chosen.stopTime, runner->outputs);
    crRecordSink into = crGauge_GetSink(&runner->gauge);
    status = crSimulation_Record(simulation, &options, &into, outEnd);
    crSimulationSummary summary = crSimulation_GetSummary(simulation);
    crGauge_Finish(&runner->gauge, &summary);
  }
  crDestroySimulation(simulation);
  return status;
}

// A run of the plan, or with settings.
static crStatus readAndSimulate(crRunner* runner, int64_t run, const crSetting* settings, int settingCount,
                                const crErrorSink* sink, crRunEnd* outEnd)
{
  const crSweepPlan* plan = runner->plan;
  crScene* scene = NULL;
  crModel* model = NULL;
  crStatus status = settings == NULL
                        ? crSweepPlan_ReadModel(plan, run, &runner->allocator, sink, &scene)
                        : crModelSource_Read(&plan->source, settings, settingCount, &runner->allocator, sink, &scene);
  status = status == cr_ok ? crCompile(scene, NULL, &runner->allocator, sink, &model) : status;
  status = status == cr_ok ? simulate(runner, model, sink, outEnd) : status;
  crDestroyModel(model);
  crDestroyScene(scene);
  return status;
}

static bool runModel(crRunner* runner, int64_t run, const crSetting* settings, int settingCount, crSweepRow* outRow)
{
  const crSweepPlan* plan = runner->plan;
  double began = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  crErrorSink sink = { collect, runner };
  crRunEnd end = cr_runFailed;
  runner->warnings = 0;
  runner->message[0] = '\0';
  crStatus status = readAndSimulate(runner, run, settings, settingCount, &sink, &end);
  if (status == cr_ok && end == cr_runStopped) {
    return false;
  }
  if (status == cr_ok) {
    runner->message[0] = '\0';
  } else {
    for (int i = 0; i < plan->outputs.columnCount; ++i) {
      runner->outputs[i] = NAN;
    }
    if (runner->message[0] == '\0') {
      crError error = { .severity = cr_severityError, .status = status, .message = crStatus_GetText(status) };
      crError_Format(&error, runner->message, sizeof runner->message);
    }
  }
  *outRow = (crSweepRow){ .run = run,
                          .status = status,
                          .warnings = runner->warnings,
                          .cpuSeconds = crReadClock(CLOCK_THREAD_CPUTIME_ID) - began,
                          .inputs = runner->inputs,
                          .outputs = runner->outputs,
                          .message = runner->message };
  return true;
}

bool crRunner_Run(crRunner* runner, int64_t run, crSweepRow* outRow)
{
  (void)crSweepPlan_FindPoint(runner->plan, run, runner->inputs);
  return runModel(runner, run, NULL, 0, outRow);
}

bool crRunner_RunSettings(crRunner* runner, const crSetting* settings, int settingCount, crSweepRow* outRow)
{
  return runModel(runner, -1, settings, settingCount, outRow);
}

crStatus crSweepPlan_Run(const crSweepPlan* plan, int64_t run, const crAllocator* allocator, double* outInputs,
                         double* outOutputs, char outMessage[CR_SWEEP_MESSAGE_SIZE], crSweepRow* outRow)
{
  if (plan == NULL || run < 0 || run >= plan->runs || outInputs == NULL || outOutputs == NULL || outMessage == NULL ||
      outRow == NULL) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crRunner runner;
  crStatus status = crRunner_Init(&runner, plan, &chosen) ? cr_ok : cr_errorMemory;
  if (status == cr_ok) {
    (void)crRunner_Run(&runner, run, outRow);
    memcpy(outInputs, runner.inputs, (size_t)plan->inputCount * sizeof(double));
    memcpy(outOutputs, runner.outputs, (size_t)plan->outputs.columnCount * sizeof(double));
    memcpy(outMessage, runner.message, CR_SWEEP_MESSAGE_SIZE);
    outRow->inputs = outInputs;
    outRow->outputs = outOutputs;
    outRow->message = outMessage;
  }
  crRunner_Free(&runner);
  return status;
}
