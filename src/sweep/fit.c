// A fit: what is asked for is checked, solved, and its uncertainty found.
#include "sweep/fit.h"

#include "base/platform.h"
#include "base/text.h"
#include "sweep/nlopt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_FIT_PROBES 16      // points whose models are tried for their names
#define CR_FIT_TOLERANCE 1e-9 // of runs, unless given: differences of them are taken
#define CR_DEFAULT_RUNS 10000 //
#define CR_NLOPT_TOLERANCE 1e-9
#define CR_DEFAULT_SCALE 0.1 // of upper - lower
#define CR_CONFIDENCE 0.975  // two-sided 95 %

struct crFit {
  crAllocator allocator;
  crArena arena;
  crFitFacts facts;
  crFitEstimate estimates[CR_MAX_FIT_PARAMETERS];
  double covariance[CR_MAX_FIT_PARAMETERS][CR_MAX_FIT_PARAMETERS];
  double** values; // (experimentCount)
};

crFitDef crDefaultFitDef(const char* model)
{
  return (crFitDef){ .size = sizeof(crFitDef), .model = model, .options = crDefaultSimulationOptions() };
}

static crStatus complain(const crErrorSink* sink, const char* path, const crComplaint* complaint)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, path);
  crReport(&reporter, cr_severityError, cr_errorModel, complaint);
  return cr_errorModel;
}

// ----------------------------------------------------------------------------------------- checking

static crStatus checkParameter(const crFitParameter* p, const crErrorSink* sink)
{
  char path[CR_SHOWN_NAME + 16];
  snprintf(path, sizeof path, "parameters.%.200s", p->name);
  bool isInterval = isfinite(p->lower) && isfinite(p->upper) && p->lower < p->upper;
  if (!isInterval) {
    return complain(sink, path,
                    &(crComplaint){ .message = "a parameter lies between two bounds",
                                    .allowed = "{ lower, upper }, lower < upper" });
  }
  if (p->hasStart && !(p->start >= p->lower && p->start <= p->upper)) {
    return complain(sink, path, &(crComplaint){ .message = "the start lies outside of the bounds" });
  }
  return p->scale >= 0.0 && isfinite(p->scale)
             ? cr_ok
             : complain(sink, path, &(crComplaint){ .message = "the scale is wrong", .allowed = "> 0" });
}

static crStatus checkExperiment(const crFitExperiment* e, int index, const crErrorSink* sink)
{
  char path[64];
  snprintf(path, sizeof path, "experiments[%d]", index + 1);
  if (e->rowCount < 1 || e->variableCount < 1 || e->times == NULL || e->values == NULL || e->variables == NULL) {
    return complain(sink, path, &(crComplaint){ .message = "the experiment has no measurements" });
  }
  for (int i = 0; i < e->rowCount; ++i) {
    if (!isfinite(e->times[i]) || (i > 0 && e->times[i] < e->times[i - 1])) {
      return complain(sink, path, &(crComplaint){ .message = "the times of the measurements are not ascending" });
    }
  }
  for (int i = 0; e->deviations != NULL && i < e->variableCount; ++i) {
    if (!(e->deviations[i] > 0.0) || !isfinite(e->deviations[i])) {
      return complain(sink, path, &(crComplaint){ .message = "a deviation is wrong", .allowed = "> 0" });
    }
  }
  return cr_ok;
}

static crStatus checkDef(const crFitDef* def, const crErrorSink* sink)
{
  const char* method = def->method;
  if ((def->experimentCount == 0) == (def->goal == NULL)) {
    return complain(sink, "fit",
                    &(crComplaint){ .message = "a fit has experiments, or a goal to be least or largest" });
  }
  if (def->parameterCount < 1 || def->parameterCount > CR_MAX_FIT_PARAMETERS) {
    return complain(sink, "parameters",
                    &(crComplaint){ .message = "the number of parameters is wrong", .allowed = "1 to 32" });
  }
  bool isOwn = method == NULL || strcmp(method, "levenberg-marquardt") == 0;
  if (!isOwn && !crIsNloptMethod(method)) {
    return complain(sink, "method",
                    &(crComplaint){ .message = "there is no such method",
                                    .found = method,
                                    .allowed = "levenberg-marquardt, bobyqa, cobyla, crs2, mlsl" });
  }
  if (method != NULL && isOwn && def->goal != NULL) {
    return complain(
        sink, "method",
        &(crComplaint){ .message = "levenberg-marquardt is for experiments", .allowed = "bobyqa, cobyla, crs2, mlsl" });
  }
  crStatus status = cr_ok;
  for (int i = 0; i < def->parameterCount; ++i) {
    crStatus checked = checkParameter(&def->parameters[i], sink);
    status = status == cr_ok ? checked : status;
  }
  for (int i = 0; i < def->experimentCount; ++i) {
    crStatus checked = checkExperiment(&def->experiments[i], i, sink);
    status = status == cr_ok ? checked : status;
  }
  return status;
}

// ----------------------------------------------------------------------------------------- preparing

// What the plan calls its outputs are variables of experiments, or the goal.
typedef struct Renaming {
  const crFitDef* def;
  const crErrorSink* sink;
} Renaming;

static void renameOutput(void* context, const crError* error)
{
  const Renaming* renaming = context;
  crError own = *error;
  static const char start[] = "output[";
  char path[32];
  if (error->path != NULL && strncmp(error->path, start, sizeof start - 1) == 0) {
    const crFitDef* def = renaming->def;
    long output = strtol(error->path + sizeof start - 1, NULL, 10);
    int experiment = 0;
    while (experiment < def->experimentCount && output > def->experiments[experiment].variableCount) {
      output -= def->experiments[experiment++].variableCount;
    }
    snprintf(path, sizeof path, "experiments[%d]", experiment + 1);
    own.path = experiment < def->experimentCount ? path : "goal";
  }
  if (renaming->sink != NULL && renaming->sink->report != NULL) {
    renaming->sink->report(renaming->sink->context, &own);
  }
}

// A plan that varies the parameters and keeps all variables: making it checks the names.
static crStatus makePlan(crFitProblem* problem, crArena* arena, const crErrorSink* sink)
{
  const crFitDef* def = problem->def;
  int outputCount = def->goal != NULL ? 1 : 0;
  for (int e = 0; e < def->experimentCount; ++e) {
    outputCount += def->experiments[e].variableCount;
  }
  crSetting* vary = crArena_AllocateZero(arena, (size_t)def->parameterCount, sizeof *vary);
  const char** output = crArena_AllocateZero(arena, (size_t)outputCount, sizeof *output);
  if (vary == NULL || output == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < def->parameterCount; ++i) {
    const crFitParameter* p = &def->parameters[i];
    char text[2 * CR_NUMBER_SIZE + 16], lower[CR_NUMBER_SIZE], upper[CR_NUMBER_SIZE];
    crFormatNumber(p->lower, lower);
    crFormatNumber(p->upper, upper);
    snprintf(text, sizeof text, "uniform(%s, %s)", lower, upper);
    vary[i] = (crSetting){ p->name, crArena_CopyString(arena, text) };
    if (vary[i].value == NULL) {
      return cr_errorMemory;
    }
  }
  int count = 0;
  for (int e = 0; e < def->experimentCount; ++e) {
    for (int i = 0; i < def->experiments[e].variableCount; ++i) {
      char text[CR_SHOWN_NAME + 16];
      snprintf(text, sizeof text, "last(%.240s)", def->experiments[e].variables[i]);
      output[count] = crArena_CopyString(arena, text);
      if (output[count++] == NULL) {
        return cr_errorMemory;
      }
    }
  }
  if (def->goal != NULL) {
    output[count++] = def->goal;
  }
  crSweepDef sweep = crDefaultSweepDef(def->model);
  sweep.vary = vary;
  sweep.varyCount = def->parameterCount;
  sweep.settings = def->settings;
  sweep.settingCount = def->settingCount;
  sweep.output = output;
  sweep.outputCount = count;
  sweep.runs = CR_FIT_PROBES;
  sweep.options = def->options.size > 0 ? def->options : crDefaultSimulationOptions();
  sweep.options.tolerance = sweep.options.tolerance > 0.0 ? sweep.options.tolerance : CR_FIT_TOLERANCE;
  Renaming renaming = { def, sink };
  crErrorSink renamed = { renameOutput, &renaming };
  crStatus status = crCreateSweepPlan(&sweep, &problem->allocator, &renamed, &problem->plan);
  if (status == cr_ok && problem->plan->outputs.columnCount != count) {
    status = complain(sink, def->goal != NULL ? "goal" : "experiments",
                      &(crComplaint){ .message = "a variable is a vector: its components are measured one by one" });
  }
  return status;
}

// As large as the values are: the deviation of what was measured of one variable; 1 if it does not change.
static double measureDeviation(const crFitExperiment* e, int variable)
{
  int count = 0;
  double mean = 0.0, squares = 0.0;
  for (int i = 0; i < e->rowCount; ++i) {
    double value = e->values[(size_t)i * (size_t)e->variableCount + (size_t)variable];
    if (isfinite(value)) {
      double change = value - mean;
      mean += change / ++count;
      squares += change * (value - mean);
    }
  }
  return count > 1 && squares > 0.0 ? sqrt(squares / (count - 1)) : 1.0;
}

static crStatus prepare(crFitProblem* problem, crFit* fit, const crErrorSink* sink)
{
  const crFitDef* def = problem->def;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  problem->count = def->parameterCount;
  problem->maxRuns = def->maxRuns > 0 ? def->maxRuns : CR_DEFAULT_RUNS;
  problem->threads = def->threads > 0 ? def->threads : processors > 0 ? (int)processors : 1;
  problem->threads = problem->threads < CR_MAX_THREADS ? problem->threads : CR_MAX_THREADS;
  for (int i = 0; i < problem->count; ++i) {
    const crFitParameter* p = &def->parameters[i];
    problem->scale[i] = p->scale > 0.0 ? p->scale : CR_DEFAULT_SCALE * (p->upper - p->lower);
    problem->lower[i] = p->lower / problem->scale[i];
    problem->upper[i] = p->upper / problem->scale[i];
  }
  size_t experiments = (size_t)def->experimentCount + 1;
  const double** deviations = crArena_AllocateZero(&fit->arena, experiments, sizeof *deviations);
  fit->values = crArena_AllocateZero(&fit->arena, experiments, sizeof *fit->values);
  if (deviations == NULL || fit->values == NULL) {
    return cr_errorMemory;
  }
  problem->deviations = deviations;
  for (int k = 0; k < def->experimentCount; ++k) {
    const crFitExperiment* e = &def->experiments[k];
    int count = e->rowCount * e->variableCount;
    double* own = crArena_AllocateZero(&fit->arena, (size_t)e->variableCount, sizeof *own);
    fit->values[k] = crArena_AllocateZero(&fit->arena, (size_t)count, sizeof(double));
    if (own == NULL || fit->values[k] == NULL) {
      return cr_errorMemory;
    }
    for (int i = 0; i < e->variableCount; ++i) {
      own[i] = e->deviations != NULL ? e->deviations[i] : measureDeviation(e, i);
    }
    deviations[k] = own;
    problem->residualCount += count;
    for (int i = 0; i < count; ++i) {
      fit->facts.residualCount += isfinite(e->values[i]);
    }
  }
  return makePlan(problem, &fit->arena, sink);
}

// ------------------------------------------------------------------------------------------- solving

// What NLopt makes least: the sum of squares, or the goal.
typedef struct Objective {
  crFitProblem* problem;
  double* residuals; // (residualCount)
} Objective;

static double evaluate(void* context, const double* x)
{
  Objective* objective = context;
  crFitProblem* problem = objective->problem;
  if (problem->def->goal != NULL) {
    return crFitProblem_EvaluateGoal(problem, x, NULL);
  }
  double sum = 0.0;
  if (crFitProblem_Evaluate(problem, x, objective->residuals, NULL, NULL) != cr_ok) {
    return INFINITY;
  }
  for (int i = 0; i < problem->residualCount; ++i) {
    sum += objective->residuals[i] * objective->residuals[i];
  }
  return sum;
}

static bool shouldStop(void* context)
{
  return crFitProblem_ShouldStop(((Objective*)context)->problem);
}

static crStatus solveByNlopt(crFitProblem* problem, const char* method, crLevenberg* s, const crErrorSink* sink)
{
  Objective objective = { problem, s->residuals };
  crNloptProblem nlopt = { .method = method,
                           .count = problem->count,
                           .lower = problem->lower,
                           .upper = problem->upper,
                           .step = 1.0,
                           .tolerance = CR_NLOPT_TOLERANCE,
                           .maxEvaluations = problem->maxRuns,
                           .seed = problem->def->seed,
                           .evaluate = evaluate,
                           .shouldStop = shouldStop,
                           .context = &objective };
  bool isLimited = false;
  crStatus status = problem->def->goal != NULL
                        ? isfinite(crFitProblem_EvaluateGoal(problem, s->x, sink)) ? cr_ok : cr_failNumerics
                        : crFitProblem_Evaluate(problem, s->x, s->residuals, NULL, sink);
  status = status == cr_ok ? crMinimizeByNlopt(&nlopt, s->x, &isLimited, sink) : status;
  s->end = isLimited ? cr_fitRunLimit : cr_fitConverged;
  s->sum = status == cr_ok ? evaluate(&objective, s->x) : INFINITY;
  return status == cr_ok && problem->def->goal == NULL ? crFitProblem_Differentiate(problem, s->x, s->jacobian)
                                                       : status;
}

// ---------------------------------------------------------------------------------------- uncertainty

// sum / (n - p) (J^T J)^-1 of the parameters that do not lie on bounds, column by column.
static void findCovariance(const crFitProblem* problem, const crLevenberg* s, crFit* fit)
{
  size_t n = (size_t)problem->residualCount;
  int free[CR_MAX_FIT_PARAMETERS], count = 0, freedom = fit->facts.residualCount - problem->count;
  for (int i = 0; i < problem->count; ++i) {
    if (!fit->estimates[i].isAtBound) {
      free[count++] = i;
    }
  }
  double variance = freedom > 0 ? s->sum / freedom : NAN;
  fit->facts.deviation = sqrt(variance);
  for (int column = 0; column < count; ++column) {
    double matrix[CR_MAX_FIT_PARAMETERS * CR_MAX_FIT_PARAMETERS], unit[CR_MAX_FIT_PARAMETERS] = { 0 };
    unit[column] = 1.0;
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        const double *a = s->jacobian + (size_t)free[i] * n, *b = s->jacobian + (size_t)free[j] * n;
        double sum = 0.0;
        for (size_t k = 0; k < n; ++k) {
          sum += a[k] * b[k];
        }
        matrix[i * count + j] = sum;
      }
    }
    bool isKnown = crSolveCholesky(matrix, count, unit);
    for (int i = 0; i < count; ++i) {
      fit->covariance[free[i]][free[column]] =
          isKnown ? variance * unit[i] * problem->scale[free[i]] * problem->scale[free[column]] : NAN;
    }
  }
}

static void keepEstimates(const crFitProblem* problem, const crLevenberg* s, crFit* fit)
{
  const crFitDef* def = problem->def;
  for (int i = 0; i < problem->count; ++i) {
    const crFitParameter* p = &def->parameters[i];
    bool isLow = s->x[i] <= problem->lower[i], isHigh = s->x[i] >= problem->upper[i];
    fit->estimates[i] = (crFitEstimate){ .name = crArena_CopyString(&fit->arena, def->parameters[i].name),
                                         .value = isLow    ? p->lower
                                                  : isHigh ? p->upper
                                                           : s->x[i] * problem->scale[i],
                                         .error = NAN,
                                         .low = NAN,
                                         .high = NAN,
                                         .isAtBound = isLow || isHigh };
    for (int j = 0; j < problem->count; ++j) {
      fit->covariance[i][j] = NAN;
    }
  }
  if (def->goal != NULL) {
    return;
  }
  findCovariance(problem, s, fit);
  double reach = crStudentQuantile(CR_CONFIDENCE, fit->facts.residualCount - problem->count);
  for (int i = 0; i < problem->count; ++i) {
    crFitEstimate* e = &fit->estimates[i];
    e->error = e->isAtBound ? NAN : sqrt(fit->covariance[i][i]);
    e->low = e->value - reach * e->error;
    e->high = e->value + reach * e->error;
  }
}

static crStatus solve(crFitProblem* problem, crFit* fit, const crErrorSink* sink)
{
  const crFitDef* def = problem->def;
  double x[CR_MAX_FIT_PARAMETERS];
  crLevenberg s = { .x = x };
  size_t n = (size_t)problem->residualCount + 1;
  s.residuals = crArena_AllocateZero(&fit->arena, n, sizeof(double));
  s.jacobian = crArena_AllocateZero(&fit->arena, n * (size_t)problem->count, sizeof(double));
  if (s.residuals == NULL || s.jacobian == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < problem->count; ++i) {
    const crFitParameter* p = &def->parameters[i];
    x[i] = (p->hasStart ? p->start : 0.5 * (p->lower + p->upper)) / problem->scale[i];
  }
  const char* method = def->method != NULL ? def->method : def->goal != NULL ? "bobyqa" : "levenberg-marquardt";
  crStatus status = crIsNloptMethod(method) ? solveByNlopt(problem, method, &s, sink)
                                            : crFitProblem_SolveLevenberg(problem, &s, sink);
  if (status == cr_ok && def->goal == NULL) {
    status = crFitProblem_Evaluate(problem, s.x, s.residuals, fit->values, sink);
  }
  if (status == cr_ok) {
    fit->facts.end = s.end;
    fit->facts.sum = def->isLargest && def->goal != NULL ? -s.sum : s.sum;
    fit->facts.iterations = s.iterations;
    keepEstimates(problem, &s, fit);
  }
  fit->facts.runs = atomic_load(&problem->runs);
  return status;
}

static bool isUsable(const crFitDef* def, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "fit");
  bool isUsable = def != NULL && crCheckSize(&reporter, "crFitDef", def->size, sizeof *def) && def->model != NULL &&
                  def->settingCount >= 0 && def->experimentCount >= 0 && def->threads >= 0 &&
                  (def->parameters != NULL || def->parameterCount == 0) &&
                  (def->experiments != NULL || def->experimentCount == 0);
  for (int i = 0; isUsable && i < def->parameterCount; ++i) {
    isUsable = def->parameters[i].name != NULL;
  }
  return isUsable;
}

crStatus crFitModel(const crFitDef* def, const crAllocator* allocator, const crErrorSink* sink, crFit** outFit)
{
  if (outFit == NULL || !isUsable(def, sink)) {
    return cr_errorMisuse;
  }
  *outFit = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crFit* fit = crAllocateZero(&chosen, 1, sizeof *fit);
  if (fit == NULL) {
    return cr_errorMemory;
  }
  fit->allocator = chosen;
  crArena_Init(&fit->arena, &chosen);
  fit->facts.parameterCount = def->parameterCount;
  fit->facts.experimentCount = def->experimentCount;
  crFitProblem problem = { .def = def, .allocator = chosen };
  crStatus status = checkDef(def, sink);
  status = status == cr_ok ? prepare(&problem, fit, sink) : status;
  status = status == cr_ok ? solve(&problem, fit, sink) : status;
  crDestroySweepPlan(problem.plan);
  if (status != cr_ok) {
    crDestroyFit(fit);
    return status;
  }
  *outFit = fit;
  return cr_ok;
}

void crDestroyFit(crFit* fit)
{
  if (fit != NULL) {
    crAllocator allocator = fit->allocator;
    crArena_Free(&fit->arena);
    crFree(&allocator, fit, sizeof *fit);
  }
}

crFitFacts crFit_GetFacts(const crFit* fit)
{
  return fit != NULL ? fit->facts : (crFitFacts){ 0 };
}

crFitEstimate crFit_GetEstimate(const crFit* fit, int parameter)
{
  bool isThere = fit != NULL && parameter >= 0 && parameter < fit->facts.parameterCount;
  return isThere ? fit->estimates[parameter] : (crFitEstimate){ 0 };
}

double crFit_GetCovariance(const crFit* fit, int a, int b)
{
  int count = fit != NULL ? fit->facts.parameterCount : 0;
  return a >= 0 && b >= 0 && a < count && b < count ? fit->covariance[a][b] : NAN;
}

const double* crFit_GetValues(const crFit* fit, int experiment)
{
  return fit != NULL && experiment >= 0 && experiment < fit->facts.experimentCount ? fit->values[experiment] : NULL;
}
