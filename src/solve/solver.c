// Solvers: steps, the state at their ends, restarts, statistics.
#include "solve/solver_inside.h"

#include "base/report.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A tStop nearer than this share of the time is reached by moving along the rates: no method can make such a step.
#define CR_NUDGE (128 * DBL_EPSILON)

#ifdef CAROM_SUNDIALS
#include <sundials/sundials_config.h>
#define CR_METHOD (&crSundialsMethod)
#define CR_LIBRARY ", SUNDIALS " SUNDIALS_VERSION
#else
#define CR_METHOD NULL
#define CR_LIBRARY ""
#endif

// ---------------------------------------------------------------------------------- create, destroy

static crStatus refuse(const crSolverInfo* info, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  crComplaint complaint = { .message = "this build has no SUNDIALS",
                            .found = info->name,
                            .allowed = "dopri5, dop853, radau5",
                            .hint = "build with CAROM_SUNDIALS=ON" };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

static crStatus createParts(crSolver* solver)
{
  double** arrays[] = { &solver->y, &solver->rates, &solver->startY, &solver->scratch[0], &solver->scratch[1] };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    *arrays[i] = crArena_AllocateZero(&solver->arena, (size_t)solver->problem.n, sizeof(double));
    if (*arrays[i] == NULL) {
      return cr_errorMemory;
    }
  }
  crStatus status = crJacobian_Create(&solver->jacobian, solver->problem.n, solver->problem.pattern, &solver->arena);
  return status == cr_ok ? solver->method->create(solver) : status;
}

crStatus crCreateSolver(crSolverKind kind, const crProblem* problem, double relTol, double maxStep,
                        const crAllocator* allocator, const crErrorSink* sink, crSolver** outSolver)
{
  *outSolver = NULL;
  if (!crGetSolverInfo(kind)->isAvailable) {
    return refuse(crGetSolverInfo(kind), sink);
  }
  crAllocator memory = crChooseAllocator(allocator);
  crSolver* solver = crAllocateZero(&memory, 1, sizeof *solver);
  if (solver == NULL) {
    return cr_errorMemory;
  }
  solver->allocator = memory;
  crArena_Init(&solver->arena, &memory);
  solver->method = CR_METHOD;
  solver->info = crGetSolverInfo(kind);
  solver->problem = *problem;
  solver->relTol = relTol;
  solver->maxStep = maxStep;
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

// ------------------------------------------------------------------------------------------ restart

static bool isSamePattern(const crSparsity* a, const crSparsity* b)
{
  size_t n = (size_t)a->n, size = sizeof(int);
  return memcmp(a->columnStarts, b->columnStarts, (n + 1) * size) == 0 &&
         memcmp(a->rows, b->rows, (size_t)a->columnStarts[n] * size) == 0;
}

crStatus crSolver_SetPattern(crSolver* solver, const crSparsity* pattern)
{
  return isSamePattern(pattern, &solver->jacobian.pattern) ? cr_ok : solver->method->setPattern(solver, pattern);
}

// The integrator's counts start from 0 at a restart; ours go on.
static void addCounts(const crSolver* solver, crSolverStatistics* ioStatistics)
{
  crAccount account = solver->method->getAccount(solver);
  ioStatistics->rejectedSteps += account.rejectedSteps;
  ioStatistics->factorizations += account.factorizations;
}

crStatus crSolver_Restart(crSolver* solver, double t, const double* y, double firstLimit)
{
  addCounts(solver, &solver->statistics);
  ++solver->statistics.restarts;
  solver->functionStatus = cr_ok;
  solver->knowsRates = false;
  solver->isFirstStep = true;
  solver->firstLimit = firstLimit > 0.0 ? firstLimit : INFINITY;
  solver->t = solver->start = solver->reached = t;
  memcpy(solver->y, y, (size_t)solver->problem.n * sizeof *y);
  memcpy(solver->startY, y, (size_t)solver->problem.n * sizeof *y);
  crStatus status = crSolver_EvalRates(solver, t, solver->y, solver->rates);
  solver->knowsRates = status == cr_ok;
  return crSolver_Explain(solver, status == cr_ok      ? solver->method->restart(solver)
                                  : status == cr_retry ? cr_troubleStart
                                                       : cr_troubleFunction);
}

// -------------------------------------------------------------------------------------------- steps

// What lies behind a collapse: steps shrink for want of accuracy, or because functions refuse.
static crTrouble findCause(const crSolver* solver, crTrouble trouble)
{
  bool isCollapse = trouble == cr_troubleStep || trouble == cr_troubleEquations;
  return solver->functionStatus < 0           ? cr_troubleFunction
         : isCollapse && solver->refusals > 0 ? cr_troubleUndefined
                                              : trouble;
}

static crTrouble takeStep(crSolver* solver, double tStop)
{
  if (solver->isFirstStep) {
    solver->method->setFirstStep(solver, crSolver_ChooseFirstStep(solver, tStop));
  }
  solver->refusals = 0;
  crTrouble trouble = solver->method->step(solver, tStop);
  solver->knowsRates = false;
  bool isStuck = trouble == cr_troubleNone && !(solver->reached > solver->start);
  trouble = findCause(solver, isStuck ? cr_troubleStep : trouble);
  if (trouble != cr_troubleNone) {
    memcpy(solver->y, solver->startY, (size_t)solver->problem.n * sizeof(double));
    return trouble;
  }
  solver->isFirstStep = false;
  solver->t = solver->reached;
  ++solver->statistics.steps;
  return cr_troubleNone;
}

// To a tStop that is within round-off.
static void nudge(crSolver* solver, double tStop)
{
  for (int i = 0; i < solver->problem.n; ++i) {
    solver->y[i] += (tStop - solver->t) * solver->rates[i];
  }
  solver->t = tStop;
}

crStatus crSolver_Step(crSolver* solver, double tStop)
{
  if (solver->failure.status != cr_ok) {
    return solver->failure.status; // until a restart
  }
  solver->start = solver->t;
  memcpy(solver->startY, solver->y, (size_t)solver->problem.n * sizeof(double));
  if (tStop - solver->t <= CR_NUDGE * fabs(solver->t)) {
    nudge(solver, tStop);
    return cr_ok;
  }
  return crSolver_Explain(solver, takeStep(solver, tStop));
}

// ------------------------------------------------------------------------------------------ reading

double crSolver_GetTime(const crSolver* solver)
{
  return solver->t;
}

double crSolver_GetStepStart(const crSolver* solver)
{
  return solver->start;
}

const double* crSolver_GetState(const crSolver* solver)
{
  return solver->y;
}

const double* crSolver_GetRates(const crSolver* solver)
{
  return solver->rates;
}

crStatus crSolver_Interpolate(const crSolver* solver, double t, double* outY)
{
  if (t == solver->start || t >= solver->reached) {
    memcpy(outY, t == solver->start ? solver->startY : solver->y, (size_t)solver->problem.n * sizeof *outY);
    return cr_ok;
  }
  return solver->method->interpolate(solver, t, outY) == cr_troubleNone ? cr_ok : cr_failNumerics;
}

crSolverStatistics crSolver_GetStatistics(const crSolver* solver)
{
  crSolverStatistics statistics = solver->statistics;
  addCounts(solver, &statistics);
  return statistics;
}

const char* crGetStepLibrary(void)
{
  return CR_LIBRARY;
}

crMatrixForm crSolver_GetMatrixForm(const crSolver* solver)
{
  return solver->problem.matrixForm;
}

void crSolver_ArchiveCounts(crArchive* archive, crSolver* solver, bool isOver)
{
  crSolverStatistics statistics = isOver ? crSolver_GetStatistics(solver) : solver->statistics;
  crArchive_Int64(archive, &statistics.steps, 0);
  crArchive_Int64(archive, &statistics.rejectedSteps, 0);
  crArchive_Int64(archive, &statistics.evaluations, 0);
  crArchive_Int64(archive, &statistics.jacobians, 0);
  crArchive_Int64(archive, &statistics.factorizations, 0);
  crArchive_Int64(archive, &statistics.restarts, 0);
  if (archive->isReading) {
    solver->statistics = statistics;
  }
}

crFailure crSolver_GetFailure(const crSolver* solver)
{
  return solver->failure;
}
