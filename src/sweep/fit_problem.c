// Residuals of a fit: the model is read with the parameters of each experiment, and moved from one time of its data to
// the next.
#include "sweep/fit.h"

#include "base/platform.h"
#include "base/text.h"
#include "carom/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_DIFFERENCE 1e-3 // [scales] of a parameter to both sides: round-off and curvature are both far below errors

bool crFitProblem_ShouldStop(const crFitProblem* problem)
{
  const crFitDef* def = problem->def;
  return def->shouldStop != NULL && def->shouldStop(def->context);
}

// ------------------------------------------------------------------------------------------- settings

// Settings of the plan, of an experiment, then the parameters, whose texts lie behind them.
typedef struct Settings {
  crSetting* items;
  int count;
  size_t size; // [bytes] of the block
} Settings;

static bool makeSettings(const crFitProblem* problem, const crFitExperiment* experiment, const double* x,
                         Settings* outSettings)
{
  const crFitDef* def = problem->def;
  int more = experiment != NULL ? experiment->settingCount : 0, count = def->settingCount + more + problem->count;
  outSettings->size = (size_t)count * sizeof(crSetting) + (size_t)problem->count * CR_NUMBER_SIZE;
  outSettings->items = crAllocate(&problem->allocator, outSettings->size);
  outSettings->count = 0;
  if (outSettings->items == NULL) {
    return false;
  }
  char(*texts)[CR_NUMBER_SIZE] = (void*)(outSettings->items + count);
  for (int i = 0; i < def->settingCount; ++i) {
    outSettings->items[outSettings->count++] = def->settings[i];
  }
  for (int i = 0; i < more; ++i) {
    outSettings->items[outSettings->count++] = experiment->settings[i];
  }
  for (int i = 0; i < problem->count; ++i) {
    crFormatNumber(x[i] * problem->scale[i], texts[i]);
    outSettings->items[outSettings->count++] = (crSetting){ def->parameters[i].name, texts[i] };
  }
  return true;
}

// -------------------------------------------------------------------------------------------- running

// The places of the variables among the columns of the recorder.
static crStatus findColumns(const crRecorder* recorder, const crFitExperiment* experiment, int* outColumns)
{
  const crColumn* columns = crRecorder_GetColumns(recorder);
  int count = crRecorder_CountColumns(recorder);
  for (int i = 0; i < experiment->variableCount; ++i) {
    int k = 0;
    while (k < count && strcmp(columns[k].name, experiment->variables[i]) != 0) {
      ++k;
    }
    if (k == count) {
      return cr_errorModel;
    }
    outColumns[i] = k;
  }
  return cr_ok;
}

static crStatus readTimes(crSimulation* simulation, crRecorder* recorder, const crFitExperiment* experiment,
                          const int* columns, double* outValues)
{
  crStatus status = cr_ok;
  for (int row = 0; row < experiment->rowCount && status == cr_ok; ++row) {
    status = crSimulation_Advance(simulation, experiment->times[row]);
    const double* values = status == cr_ok ? crRecorder_Read(recorder, crSimulation_GetInstance(simulation)) : NULL;
    for (int i = 0; values != NULL && i < experiment->variableCount; ++i) {
      outValues[(size_t)row * (size_t)experiment->variableCount + (size_t)i] = values[columns[i]];
    }
  }
  return status;
}

static crStatus simulate(const crFitProblem* problem, const crFitExperiment* experiment, const crModel* model,
                         const crErrorSink* sink, double* outValues)
{
  const crAllocator* allocator = &problem->allocator;
  crSimulationOptions options = problem->plan->options;
  options.stopTime = experiment->rowCount > 0 ? experiment->times[experiment->rowCount - 1] : 0.0;
  crSimulation* simulation = NULL;
  crRecorder* recorder = NULL;
  size_t size = (size_t)experiment->variableCount * sizeof(int);
  int* columns = crAllocate(allocator, size);
  crStatus status = columns != NULL ? cr_ok : cr_errorMemory;
  status = status == cr_ok
               ? crCreateRecorder(model, experiment->variables, experiment->variableCount, allocator, sink, &recorder)
               : status;
  status = status == cr_ok ? findColumns(recorder, experiment, columns) : status;
  status = status == cr_ok ? crCreateSimulation(model, &options, allocator, sink, &simulation) : status;
  status = status == cr_ok ? readTimes(simulation, recorder, experiment, columns, outValues) : status;
  crDestroySimulation(simulation);
  crDestroyRecorder(recorder);
  crFree(allocator, columns, columns != NULL ? size : 0);
  return status;
}

static crStatus runExperiment(crFitProblem* problem, const crFitExperiment* experiment, const double* x,
                              const crErrorSink* sink, double* outValues)
{
  Settings settings;
  crScene* scene = NULL;
  crModel* model = NULL;
  if (!makeSettings(problem, experiment, x, &settings)) {
    return cr_errorMemory;
  }
  atomic_fetch_add(&problem->runs, 1);
  crStatus status =
      crModelSource_Read(&problem->plan->source, settings.items, settings.count, &problem->allocator, sink, &scene);
  status = status == cr_ok ? crCompile(scene, NULL, &problem->allocator, sink, &model) : status;
  status = status == cr_ok ? simulate(problem, experiment, model, sink, outValues) : status;
  crDestroyModel(model);
  crDestroyScene(scene);
  crFree(&problem->allocator, settings.items, settings.size);
  return status;
}

crStatus crFitProblem_Evaluate(crFitProblem* problem, const double* x, double* outResiduals, double* const* outValues,
                               const crErrorSink* sink)
{
  crStatus status = cr_ok;
  size_t at = 0;
  for (int e = 0; e < problem->def->experimentCount && status == cr_ok; ++e) {
    const crFitExperiment* experiment = &problem->def->experiments[e];
    size_t count = (size_t)experiment->rowCount * (size_t)experiment->variableCount;
    double* values = outResiduals + at;
    status = runExperiment(problem, experiment, x, sink, values);
    if (status == cr_ok && outValues != NULL) {
      memcpy(outValues[e], values, count * sizeof(double));
    }
    for (size_t i = 0; status == cr_ok && i < count; ++i) {
      double measured = experiment->values[i], off = values[i] - measured;
      values[i] = isnan(measured) ? 0.0 : off / problem->deviations[e][i % (size_t)experiment->variableCount];
      status = isfinite(values[i]) ? cr_ok : cr_failNumerics;
    }
    at += count;
  }
  return status;
}

double crFitProblem_EvaluateGoal(crFitProblem* problem, const double* x, const crErrorSink* sink)
{
  Settings settings;
  crRunner runner;
  crSweepRow row;
  double value = INFINITY;
  bool isMade = crRunner_Init(&runner, problem->plan, &problem->allocator);
  if (isMade && makeSettings(problem, NULL, x, &settings)) {
    atomic_fetch_add(&problem->runs, 1);
    bool isRun = crRunner_RunSettings(&runner, settings.items, settings.count, &row) && row.status == cr_ok;
    if (isRun && isfinite(row.outputs[0])) {
      value = problem->def->isLargest ? -row.outputs[0] : row.outputs[0];
    } else if (sink != NULL) {
      crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "fit");
      crComplaint complaint = { .message = "the model fails at the start, or gives no number for the goal",
                                .found = runner.message[0] != '\0' ? runner.message : NULL,
                                .hint = "a time of what never happens is no number" };
      crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
    }
    crFree(&problem->allocator, settings.items, settings.size);
  }
  crRunner_Free(&runner);
  return value;
}

// -------------------------------------------------------------------------------------------- Jacobian

// Evaluations that threads share: two for each parameter.
typedef struct Differences {
  crFitProblem* problem;
  const double* x;
  double* sides; // (2 count x residualCount)
  double reached[CR_MAX_FIT_PARAMETERS][2];
  atomic_int next;
  atomic_int status;
} Differences;

static void* takeSides(void* context)
{
  Differences* all = context;
  crFitProblem* problem = all->problem;
  int count = 2 * problem->count;
  for (int i = atomic_fetch_add(&all->next, 1); i < count; i = atomic_fetch_add(&all->next, 1)) {
    double x[CR_MAX_FIT_PARAMETERS];
    int k = i / 2;
    memcpy(x, all->x, (size_t)problem->count * sizeof *x);
    x[k] += i % 2 == 0 ? -CR_DIFFERENCE : CR_DIFFERENCE;
    x[k] = fmin(fmax(x[k], problem->lower[k]), problem->upper[k]);
    all->reached[k][i % 2] = x[k];
    crStatus status =
        crFitProblem_Evaluate(problem, x, all->sides + (size_t)i * (size_t)problem->residualCount, NULL, NULL);
    if (status != cr_ok) {
      atomic_store(&all->status, status);
    }
  }
  return NULL;
}

crStatus crFitProblem_Differentiate(crFitProblem* problem, const double* x, double* outJacobian)
{
  size_t n = (size_t)problem->residualCount, size = 2 * (size_t)problem->count * n * sizeof(double);
  Differences all = { .problem = problem, .x = x, .sides = crAllocate(&problem->allocator, size) };
  if (all.sides == NULL) {
    return cr_errorMemory;
  }
  pthread_t threads[CR_MAX_THREADS];
  int started = 0, wanted = problem->threads < 2 * problem->count ? problem->threads : 2 * problem->count;
  while (started < wanted - 1 && pthread_create(&threads[started], NULL, takeSides, &all) == 0) {
    ++started;
  }
  (void)takeSides(&all);
  for (int i = 0; i < started; ++i) {
    pthread_join(threads[i], NULL);
  }
  for (int k = 0; k < problem->count; ++k) {
    const double *low = all.sides + 2 * (size_t)k * n, *high = low + n;
    double width = all.reached[k][1] - all.reached[k][0];
    for (size_t i = 0; i < n; ++i) {
      outJacobian[(size_t)k * n + i] = (high[i] - low[i]) / width;
    }
  }
  crFree(&problem->allocator, all.sides, size);
  return (crStatus)atomic_load(&all.status);
}
