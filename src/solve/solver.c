// Solvers: what all methods have in common. The caller's steps, the state at their ends, restarts, statistics.
#include "solve/solver.h"

#include "base/report.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A tStop nearer than this share of the time is reached by moving along the rates: no method can make such a step.
#define CR_NUDGE (128 * DBL_EPSILON)

// ------------------------------------------------------------------------------------------- kinds

#ifdef CAROM_SUNDIALS
#define CR_HAS_SUNDIALS true
#define CR_SUNDIALS_METHOD(method) (&(method))
#else
#define CR_HAS_SUNDIALS false
#define CR_SUNDIALS_METHOD(method) NULL
#endif

static const crMethod* const methods[cr_solverKindCount] = {
  [cr_solverIda] = CR_SUNDIALS_METHOD(crIdaMethod),
  [cr_solverCvodeBdf] = CR_SUNDIALS_METHOD(crCvodeBdfMethod),
  [cr_solverDopri5] = &crDopri5Method,
  [cr_solverDop853] = &crDop853Method,
  [cr_solverRadau5] = &crRadau5Method,
};

static const crSolverInfo infos[cr_solverKindCount] = {
  [cr_solverIda] = { .name = "ida",
                     .about = "BDF of variable order 1 to 5 on the residual form, for stiff problems and loops (IDA)",
                     .isAvailable = CR_HAS_SUNDIALS,
                     .isImplicit = true,
                     .usesResidual = true,
                     .order = 5 },
  [cr_solverCvodeBdf] = { .name = "cvode-bdf",
                          .about = "BDF of variable order 1 to 5, for stiff problems (CVODE)",
                          .isAvailable = CR_HAS_SUNDIALS,
                          .isImplicit = true,
                          .order = 5 },
  [cr_solverDopri5] = { .name = "dopri5",
                        .about = "explicit Runge-Kutta of order 5, Dormand and Prince",
                        .isAvailable = true,
                        .canRedo = true,
                        .order = 5 },
  [cr_solverDop853] = { .name = "dop853",
                        .about = "explicit Runge-Kutta of order 8, Dormand and Prince, for tight tolerances",
                        .isAvailable = true,
                        .canRedo = true,
                        .order = 8 },
  [cr_solverRadau5] = { .name = "radau5",
                        .about = "implicit Runge-Kutta of order 5, Radau IIA, for stiff problems",
                        .isAvailable = true,
                        .isImplicit = true,
                        .canRedo = true,
                        .order = 5 },
};

static bool isKind(crSolverKind kind)
{
  return (int)kind >= 0 && kind < cr_solverKindCount;
}

const crSolverInfo* crGetSolverInfo(crSolverKind kind)
{
  return isKind(kind) ? &infos[kind] : NULL;
}

crSolverKind crFindSolver(const char* name)
{
  int kind = 0;
  while (kind < cr_solverKindCount && (name == NULL || strcmp(infos[kind].name, name) != 0)) {
    ++kind;
  }
  return (crSolverKind)kind;
}

crSolverOptions crDefaultSolverOptions(void)
{
  crSolverOptions options = { .relTol = 1e-6, .maxStep = INFINITY, .firstStep = 0.0 };
  return options;
}

// ------------------------------------------------------------------------------------------- checks

static void complain(crReporter* reporter, const char* message, const char* found, const char* allowed,
                     const char* hint)
{
  crComplaint complaint = { message, found, allowed, NULL, hint };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

static void checkOptions(const crSolverOptions* options, crReporter* reporter)
{
  if (!(options->relTol > 0.0) || isinf(options->relTol)) {
    crReportNumber(reporter, "the relative tolerance is not positive", options->relTol, "> 0", "1", NULL);
  }
  if (!(options->maxStep > 0.0)) {
    crReportNumber(reporter, "the largest step is not positive", options->maxStep, "> 0", "s",
                   "infinity means no limit");
  }
  if (!(options->firstStep >= 0.0) || isinf(options->firstStep)) {
    crReportNumber(reporter, "the first step is negative or not finite", options->firstStep, ">= 0", "s",
                   "0 lets the solver choose");
  }
}

static void checkTolerances(const crProblem* problem, crReporter* reporter)
{
  if (problem->absTol == NULL) {
    complain(reporter, "the absolute tolerances are missing", NULL, "one per component", NULL);
    return;
  }
  for (int i = 0; i < problem->n; ++i) {
    if (!(problem->absTol[i] > 0.0) || isinf(problem->absTol[i])) {
      crReportNumber(reporter, "an absolute tolerance is not positive", problem->absTol[i], "> 0", NULL, NULL);
      return;
    }
  }
}

static void checkPattern(const crProblem* problem, crReporter* reporter)
{
  if (problem->pattern != NULL && !crIsSparsity(problem->pattern, problem->n)) {
    complain(reporter, "the pattern of the Jacobian is broken", NULL,
             "n columns, column starts from 0 and never falling, rows ascending and in 0 .. n - 1", NULL);
  } else if (problem->pattern == NULL && problem->n > CR_MAX_DENSE) {
    crReportNumber(reporter, "the problem is too large to have no pattern", problem->n, "n <= 40 without a pattern",
                   NULL, "say where the Jacobian has entries, or choose an explicit method");
  }
}

static void checkFunctions(const crSolverInfo* info, const crProblem* problem, crReporter* reporter)
{
  bool hasRates = problem->computeRates != NULL, hasResidual = problem->computeResidual != NULL;
  if (info->usesResidual && !hasRates && !hasResidual) {
    complain(reporter, "the problem has neither rates nor a residual", NULL, "computeRates or computeResidual", NULL);
  } else if (!info->usesResidual && !hasRates) {
    complain(reporter, "the problem has no rates, which this method needs", NULL, "computeRates",
             "ida works on the residual form");
  }
  if (problem->rootCount < 0 || (problem->rootCount > 0 && problem->computeRoots == NULL)) {
    complain(reporter, "the root functions are missing, or their number is negative", NULL, "computeRoots", NULL);
  }
}

// False: something was reported.
static bool isProblemGood(crSolverKind kind, const crProblem* problem, const crSolverOptions* options,
                          const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  if (!infos[kind].isAvailable) {
    complain(&reporter, "this build has no SUNDIALS", infos[kind].name, "dopri5, dop853, radau5",
             "build with CAROM_SUNDIALS=ON");
    return false;
  }
  checkOptions(options, &reporter);
  checkFunctions(&infos[kind], problem, &reporter);
  if (problem->n < 1) {
    crReportNumber(&reporter, "the problem has no unknowns", problem->n, ">= 1", NULL, NULL);
    return false;
  }
  checkTolerances(problem, &reporter);
  if (methods[kind]->needsPattern) {
    checkPattern(problem, &reporter);
  }
  return reporter.errorCount == 0;
}

// ---------------------------------------------------------------------------------- create, destroy

static bool allocateDoubles(crArena* arena, double** out, int count)
{
  *out = crArena_AllocateZero(arena, (size_t)count + 1, sizeof **out);
  return *out != NULL;
}

static bool allocatePoint(crSolver* solver, crPoint* point)
{
  return allocateDoubles(&solver->arena, &point->y, solver->problem.n) &&
         allocateDoubles(&solver->arena, &point->rates, solver->problem.n);
}

static bool allocateRoots(crSolver* solver)
{
  int count = solver->problem.rootCount;
  crArena* arena = &solver->arena;
  int** integers[] = { &solver->sides, &solver->startSides, &solver->rootSigns };
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) {
    *integers[i] = crArena_AllocateZero(arena, (size_t)count + 1, sizeof(int));
    if (*integers[i] == NULL) {
      return false;
    }
  }
  return allocateDoubles(arena, &solver->rootsLow, count) && allocateDoubles(arena, &solver->rootsHigh, count) &&
         allocateDoubles(arena, &solver->rootsMid, count);
}

static crStatus createParts(crSolver* solver)
{
  bool isAllocated = allocatePoint(solver, &solver->now) && allocatePoint(solver, &solver->start) &&
                     allocatePoint(solver, &solver->from) && allocatePoint(solver, &solver->to) &&
                     allocatePoint(solver, &solver->before) &&
                     allocateDoubles(&solver->arena, &solver->scratch, solver->problem.n) && allocateRoots(solver);
  if (!isAllocated) {
    return cr_errorMemory;
  }
  if (solver->method->needsPattern) {
    crStatus status = crJacobian_Create(&solver->jacobian, solver->problem.n, solver->problem.pattern, &solver->arena);
    solver->problem.pattern = NULL; // the caller's: ours is in `jacobian`
    if (status != cr_ok) {
      return status;
    }
  }
  return solver->method->create(solver);
}

crStatus crCreateSolver(crSolverKind kind, const crProblem* problem, const crSolverOptions* options,
                        const crAllocator* allocator, const crErrorSink* sink, crSolver** outSolver)
{
  if (outSolver == NULL || problem == NULL || !isKind(kind)) {
    return cr_errorMisuse;
  }
  *outSolver = NULL;
  crSolverOptions chosen = options != NULL ? *options : crDefaultSolverOptions();
  if (!isProblemGood(kind, problem, &chosen, sink)) {
    return cr_errorModel;
  }
  crAllocator memory = crChooseAllocator(allocator);
  crSolver* solver = crAllocateZero(&memory, 1, sizeof *solver);
  if (solver == NULL) {
    return cr_errorMemory;
  }
  solver->allocator = memory;
  crArena_Init(&solver->arena, &memory);
  solver->method = methods[kind];
  solver->info = &infos[kind];
  solver->problem = *problem;
  solver->options = chosen;
  solver->nextLimit = solver->firstLimit = INFINITY;
  solver->failure.worstComponent = -1;
  crStatus status = createParts(solver);
  if (status != cr_ok) {
    crDestroySolver(solver);
    return status;
  }
  *outSolver = solver;
  return cr_ok;
}

void crDestroySolver(crSolver* solver)
{
  if (solver == NULL) {
    return;
  }
  solver->method->destroy(solver);
  crArena_Free(&solver->arena);
  crAllocator allocator = solver->allocator;
  crFree(&allocator, solver, sizeof *solver);
}

// ------------------------------------------------------------------------------------------- points

#define CR_PROJECTION_SHRINK 0.6 // of a step that cannot be projected: it should end elsewhere
#define CR_DRIFT_SHARE 0.05      // [tolerance] of drift from which on a multi-step method starts anew

static void copyPoint(const crSolver* solver, const crPoint* point, crPoint* out)
{
  size_t size = (size_t)solver->problem.n * sizeof(double);
  out->t = point->t;
  memcpy(out->y, point->y, size);
  memcpy(out->rates, point->rates, size);
}

static void copyState(const crSolver* solver, const crPoint* point, double* outY, double* outRates)
{
  size_t size = (size_t)solver->problem.n * sizeof(double);
  memcpy(outY, point->y, size);
  if (outRates != NULL) {
    memcpy(outRates, point->rates, size);
  }
}

crTrouble crSolver_EvalPoint(crSolver* solver, double t, double* outY, double* outRates)
{
  if (t == solver->to.t) {
    copyState(solver, &solver->to, outY, outRates);
    return cr_troubleNone;
  }
  if (t == solver->from.t) {
    copyState(solver, &solver->from, outY, outRates);
    return cr_troubleNone;
  }
  return solver->method->interpolate(solver, t, outY, outRates);
}

static bool isFiniteArray(const double* values, int count)
{
  for (int i = 0; i < count; ++i) {
    if (!isfinite(values[i])) {
      return false;
    }
  }
  return true;
}

// ------------------------------------------------------------------------------------------ restart

// The integrator's counts start from 0 at a restart; ours go on.
void crSolver_BankCounters(crSolver* solver)
{
  crAccount account = solver->method->getAccount(solver);
  solver->statistics.rejectedSteps += account.rejectedSteps;
  solver->statistics.factorizations += account.factorizations;
}

// Rates at the start: f, those given, or 0 as a guess for the method to correct.
static crTrouble findStartRates(crSolver* solver, const double* yp, bool* outKnown)
{
  crPoint* to = &solver->to;
  bool usesGiven = solver->info->usesResidual && yp != NULL;
  *outKnown = usesGiven || solver->problem.computeRates != NULL;
  if (usesGiven) {
    memcpy(to->rates, yp, (size_t)solver->problem.n * sizeof *yp);
  } else if (solver->problem.computeRates != NULL) {
    crStatus status = crSolver_EvalRates(solver, to->t, to->y, to->rates);
    solver->knowsRates = status == cr_ok;
    return status == cr_ok ? cr_troubleNone : status == cr_retry ? cr_troubleStart : cr_troubleFunction;
  } else {
    memset(to->rates, 0, (size_t)solver->problem.n * sizeof *to->rates);
  }
  return cr_troubleNone;
}

static crTrouble restart(crSolver* solver, double t, const double* y, const double* yp)
{
  solver->to.t = t;
  memmove(solver->to.y, y, (size_t)solver->problem.n * sizeof *y);
  bool isKnown = false;
  crTrouble trouble = findStartRates(solver, yp, &isKnown);
  if (trouble == cr_troubleNone) {
    trouble = solver->method->restart(solver, isKnown);
  }
  copyPoint(solver, &solver->to, &solver->from);
  copyPoint(solver, &solver->to, &solver->start);
  copyPoint(solver, &solver->to, &solver->now);
  return trouble == cr_troubleNone ? crSolver_StartRoots(solver, NULL) : trouble;
}

void crSolver_LimitFirstStep(crSolver* solver, double h)
{
  solver->nextLimit = h > 0.0 ? h : INFINITY;
}

static bool isSamePattern(const crSparsity* a, const crSparsity* b)
{
  size_t n = (size_t)a->n, size = sizeof(int);
  return memcmp(a->columnStarts, b->columnStarts, (n + 1) * size) == 0 &&
         memcmp(a->rows, b->rows, (size_t)a->columnStarts[n] * size) == 0;
}

crStatus crSolver_SetPattern(crSolver* solver, const crSparsity* pattern)
{
  int n = solver->problem.n;
  if (pattern != NULL ? !crIsSparsity(pattern, n) : n > CR_MAX_DENSE) {
    return cr_errorMisuse;
  }
  bool isNew = solver->method->needsPattern && !(pattern != NULL && isSamePattern(pattern, &solver->jacobian.pattern));
  crStatus status = !isNew                               ? cr_ok
                    : solver->method->setPattern != NULL ? solver->method->setPattern(solver, pattern)
                                                         : crJacobian_SetPattern(&solver->jacobian, pattern);
  solver->isStarted = solver->isStarted && status != cr_ok;
  return status;
}

crStatus crSolver_Restart(crSolver* solver, double t, const double* y, const double* yp)
{
  int n = solver->problem.n;
  if (y == NULL || !isfinite(t) || !isFiniteArray(y, n) || (yp != NULL && !isFiniteArray(yp, n))) {
    return cr_errorMisuse;
  }
  crSolver_BankCounters(solver);
  ++solver->statistics.restarts;
  solver->functionStatus = cr_ok;
  solver->knowsRates = false;
  solver->hasBefore = false;
  solver->isStarted = solver->isFirstStep = true;
  solver->firstLimit = solver->nextLimit;
  solver->nextLimit = INFINITY;
  crSolver_Explain(solver, restart(solver, t, y, yp));
  return solver->failure.status;
}

// -------------------------------------------------------------------------------------------- steps

static void countStep(crSolver* solver, bool isCut)
{
  crSolverStatistics* s = &solver->statistics;
  crAccount account = solver->method->getAccount(solver);
  double step = account.lastStep;
  ++s->steps;
  s->lastStep = step;
  s->lastOrder = account.lastOrder;
  s->firstStep = solver->hasStepped ? s->firstStep : step;
  s->largestStep = fmax(s->largestStep, step);
  // a step that tStop cut short says nothing about the problem
  if (!isCut && (s->smallestStep == 0.0 || step < s->smallestStep)) {
    s->smallestStep = step;
  }
  solver->hasStepped = true;
}

// What lies behind a collapse: steps shrink for want of accuracy, or because functions refuse.
static crTrouble findCause(const crSolver* solver, crTrouble trouble)
{
  bool isCollapse = trouble == cr_troubleStep || trouble == cr_troubleEquations;
  return solver->functionStatus < 0           ? cr_troubleFunction
         : isCollapse && solver->refusals > 0 ? cr_troubleUndefined
                                              : trouble;
}

// Root mean square of a change of `to.y`, in units of the tolerance.
static double measureChange(const crSolver* solver, const double* y)
{
  double sum = 0.0;
  for (int i = 0; i < solver->problem.n; ++i) {
    double weight = solver->options.relTol * fabs(y[i]) + solver->problem.absTol[i];
    sum += (y[i] - solver->to.y[i]) / weight * ((y[i] - solver->to.y[i]) / weight);
  }
  return sqrt(sum / solver->problem.n);
}

// Goes on from the projected state with the step size that the method had in mind.
static crTrouble adopt(crSolver* solver, const double* y)
{
  double next = solver->method->getAccount(solver).triedStep;
  memcpy(solver->to.y, y, (size_t)solver->problem.n * sizeof *y);
  crStatus status = crSolver_EvalRates(solver, solver->to.t, solver->to.y, solver->to.rates);
  if (status != cr_ok) {
    return status == cr_retry ? cr_troubleUndefined : cr_troubleFunction;
  }
  crSolver_BankCounters(solver);
  crTrouble trouble = solver->method->restart(solver, true);
  solver->method->setFirstStep(solver, next);
  return trouble;
}

// The step again from its start, shorter.
static crTrouble retryShorter(crSolver* solver, double tStop)
{
  double step = CR_PROJECTION_SHRINK * (solver->to.t - solver->from.t);
  copyPoint(solver, &solver->from, &solver->to);
  crSolver_BankCounters(solver);
  ++solver->statistics.rejectedSteps;
  crTrouble trouble = solver->method->restart(solver, true);
  solver->method->setFirstStep(solver, step);
  return trouble == cr_troubleNone ? solver->method->step(solver, tStop) : trouble;
}

// Takes the drift out of the step just taken. One-step methods lose nothing but an evaluation by going on from there;
// multi-step methods lose their past, so the drift has to be worth it.
static crTrouble projectStep(crSolver* solver, double tStop, bool* outIsAdopted)
{
  *outIsAdopted = false;
  for (int shrink = 0; shrink < CR_MAX_SHRINKS; ++shrink) {
    memcpy(solver->scratch, solver->to.y, (size_t)solver->problem.n * sizeof(double));
    crStatus status = crSolver_EvalProjection(solver, solver->to.t, solver->scratch);
    if (status < 0) {
      return cr_troubleFunction;
    }
    if (status == cr_ok) {
      bool isExplicit = solver->info->canRedo && !solver->info->isImplicit;
      *outIsAdopted = isExplicit || measureChange(solver, solver->scratch) > CR_DRIFT_SHARE;
      return cr_troubleNone;
    }
    crTrouble trouble = retryShorter(solver, tStop);
    if (trouble != cr_troubleNone) {
      return trouble;
    }
  }
  return cr_troubleUndefined;
}

static crTrouble takeStep(crSolver* solver, double tStop)
{
  if (solver->isFirstStep) {
    solver->method->setFirstStep(solver, crSolver_ChooseFirstStep(solver, tStop));
  }
  crPoint oldest = solver->before;
  solver->before = solver->from;
  solver->from = oldest;
  solver->hasBefore = !solver->isFirstStep;
  copyPoint(solver, &solver->to, &solver->from);
  solver->refusals = 0;
  crTrouble trouble = solver->method->step(solver, tStop);
  solver->knowsRates = false;
  if (trouble == cr_troubleNone && !(solver->to.t > solver->from.t)) {
    trouble = cr_troubleStep;
  }
  bool isAdopted = false;
  if (trouble == cr_troubleNone && solver->problem.project != NULL && !solver->method->projects) {
    trouble = projectStep(solver, tStop, &isAdopted);
  }
  trouble = findCause(solver, trouble);
  if (trouble != cr_troubleNone) {
    copyPoint(solver, &solver->from, &solver->to);
    return trouble;
  }
  solver->isFirstStep = false;
  countStep(solver, solver->to.t == tStop);
  return isAdopted ? adopt(solver, solver->scratch) : cr_troubleNone;
}

// To a tStop that is within round-off.
static void nudge(crSolver* solver, double tStop)
{
  for (int i = 0; i < solver->problem.n; ++i) {
    solver->now.y[i] += (tStop - solver->now.t) * solver->now.rates[i];
  }
  solver->now.t = tStop;
}

// Takes `now` to the end of the method's step, to tStop, or to the first root.
static crTrouble advance(crSolver* solver, double tStop, bool* outHasRoot)
{
  crTrouble trouble = cr_troubleNone;
  if (solver->now.t >= solver->to.t) {
    trouble = takeStep(solver, tStop);
    if (trouble != cr_troubleNone) {
      return trouble;
    }
  }
  double tEnd = fmin(solver->to.t, tStop);
  trouble = crSolver_FindRoot(solver, tEnd, &tEnd, outHasRoot);
  if (trouble == cr_troubleNone) {
    trouble = crSolver_EvalPoint(solver, tEnd, solver->now.y, solver->now.rates);
  }
  solver->now.t = trouble == cr_troubleNone ? tEnd : solver->start.t;
  return trouble;
}

static crOutcome fail(crSolver* solver, crTrouble trouble)
{
  crSolver_Explain(solver, trouble);
  return cr_outcomeFailed;
}

crOutcome crSolver_Step(crSolver* solver, double tStop)
{
  if (!solver->isStarted) {
    return fail(solver, cr_troubleNotStarted);
  }
  if (solver->failure.status != cr_ok && solver->trouble != cr_troubleBackwards) {
    return cr_outcomeFailed; // until a restart
  }
  if (!(tStop >= solver->now.t)) {
    return fail(solver, cr_troubleBackwards);
  }
  crSolver_Explain(solver, cr_troubleNone);
  copyPoint(solver, &solver->now, &solver->start);
  memcpy(solver->startSides, solver->sides, (size_t)solver->problem.rootCount * sizeof *solver->sides);
  if (tStop - solver->now.t <= CR_NUDGE * fabs(solver->now.t)) {
    nudge(solver, tStop);
    return cr_outcomeStop;
  }
  bool hasRoot = false;
  crTrouble trouble = advance(solver, tStop, &hasRoot);
  if (trouble != cr_troubleNone) {
    copyPoint(solver, &solver->start, &solver->now);
    return fail(solver, trouble);
  }
  return hasRoot ? cr_outcomeRoot : solver->now.t == tStop ? cr_outcomeStop : cr_outcomeStep;
}

// From `from` to t exactly, in one step where the error test allows it.
static crTrouble redo(crSolver* solver, double t)
{
  const crMethod* method = solver->method;
  copyPoint(solver, &solver->from, &solver->to);
  crTrouble trouble = method->restart(solver, true);
  method->setFirstStep(solver, t - solver->from.t);
  while (trouble == cr_troubleNone && solver->to.t < t) {
    double tBefore = solver->to.t;
    trouble = method->step(solver, t);
    countStep(solver, true);
    trouble = trouble == cr_troubleNone && solver->to.t <= tBefore ? cr_troubleStep : trouble;
  }
  solver->knowsRates = false;
  return trouble;
}

crStatus crSolver_RedoTo(crSolver* solver, double t)
{
  bool canRedo = solver->info->canRedo && solver->isStarted && solver->failure.status == cr_ok;
  if (!canRedo || !(t > solver->start.t && t <= fmax(solver->now.t, solver->to.t))) {
    return cr_errorMisuse;
  }
  copyPoint(solver, &solver->start, &solver->from);
  solver->refusals = 0;
  crSolver_BankCounters(solver);
  crTrouble trouble = redo(solver, t);
  if (trouble == cr_troubleNone) {
    copyPoint(solver, &solver->to, &solver->now);
    trouble = crSolver_StartRoots(solver, solver->startSides);
  }
  solver->hasBefore = false;
  crSolver_Explain(solver, findCause(solver, trouble));
  return solver->failure.status;
}

// ------------------------------------------------------------------------------------------ reading

double crSolver_GetTime(const crSolver* solver)
{
  return solver->now.t;
}

double crSolver_GetStepStart(const crSolver* solver)
{
  return solver->start.t;
}

const double* crSolver_GetState(const crSolver* solver)
{
  return solver->now.y;
}

const double* crSolver_GetRates(const crSolver* solver)
{
  return solver->now.rates;
}

const int* crSolver_GetRootSigns(const crSolver* solver)
{
  return solver->rootSigns;
}

crStatus crSolver_Interpolate(const crSolver* solver, double t, double* outY)
{
  if (!solver->isStarted || outY == NULL || !(t >= solver->start.t && t <= solver->now.t)) {
    return cr_errorMisuse;
  }
  if (t == solver->now.t || t == solver->start.t) {
    copyState(solver, t == solver->now.t ? &solver->now : &solver->start, outY, NULL);
    return cr_ok;
  }
  crSolver* own = (crSolver*)solver; // counters and scratch memory change, the state does not
  crTrouble trouble = crSolver_EvalPoint(own, fmin(t, solver->to.t), outY, NULL);
  return trouble == cr_troubleNone ? cr_ok : cr_failNumerics;
}

crSolverStatistics crSolver_GetStatistics(const crSolver* solver)
{
  crSolverStatistics statistics = solver->statistics;
  crAccount account = solver->method->getAccount(solver);
  statistics.rejectedSteps += account.rejectedSteps;
  statistics.factorizations += account.factorizations;
  statistics.smallestStep = statistics.smallestStep > 0.0 ? statistics.smallestStep : statistics.lastStep;
  return statistics;
}

crFailure crSolver_GetFailure(const crSolver* solver)
{
  return solver->failure;
}
