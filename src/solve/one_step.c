// The steppers as methods of crSolver: "dopri5", "dop853" and "radau5".
//
// For a solver its stepper has one system, so radau5 keeps its Jacobian while it converges well.
#include "solve/solver.h"
#include "solve/stepper_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct crOneStep {
  crStepper* stepper;
  crStepMemory memory;
  crProblem problem; // as the stepper sees it: counted and checked
  crSegment segments[2];
  int last;           // the segment of the last step
  bool hasBefore;     // it may help the next one
  crStepCounts start; // counts at the restart
  int64_t jacobians;  // counted so far
  double tried;       // [s] to be tried next, or given up
};

// -------------------------------------------------------------------------------------------- create

static crStatus computeRates(void* context, double t, const double* y, double* outRates)
{
  return crSolver_EvalRates(context, t, y, outRates);
}

static crStatus computeJacobian(void* context, double t, const double* y, double* outValues)
{
  const crProblem* problem = &((crSolver*)context)->problem;
  return problem->computeJacobian(problem->context, t, y, outValues);
}

static void wrapProblem(crSolver* solver)
{
  crProblem* problem = &solver->oneStep->problem;
  *problem = (crProblem){ .n = solver->problem.n, .context = solver, .computeRates = computeRates };
  problem->computeJacobian = solver->problem.computeJacobian != NULL ? computeJacobian : NULL;
  problem->pattern = solver->method->needsPattern ? &solver->jacobian.pattern : NULL;
  problem->structure = solver->problem.structure;
  problem->absTol = solver->problem.absTol;
}

// Nothing goes on from before; polynomials when they are asked for.
static crStepMemory makeMemory(crStepKind kind)
{
  crStepMemory memory = crStartMemory(kind, 0.0);
  memory.isLazy = memory.isAlone = memory.isChanged = true;
  return memory;
}

static crStatus createKind(crSolver* solver, crStepKind kind)
{
  int n = solver->problem.n;
  crOneStep* own = crArena_AllocateZero(&solver->arena, 1, sizeof *own);
  solver->oneStep = own;
  if (own == NULL || crCreateStepper(&solver->allocator, &own->stepper) != cr_ok) {
    return cr_errorMemory;
  }
  own->memory = makeMemory(kind);
  for (int i = 0; i < 2; ++i) {
    double* numbers = crArena_AllocateZero(&solver->arena, crSegment_CountDoubles(n), sizeof *numbers);
    if (numbers == NULL) {
      return cr_errorMemory;
    }
    crSegment_Place(&own->segments[i], n, numbers);
  }
  wrapProblem(solver);
  return crStepper_Reserve(own->stepper, n, kind == cr_stepRadau5 ? solver->jacobian.capacity : 0);
}

static crStatus createDopri5(crSolver* solver)
{
  return createKind(solver, cr_stepDopri5);
}

static crStatus createDop853(crSolver* solver)
{
  return createKind(solver, cr_stepDop853);
}

static crStatus createRadau5(crSolver* solver)
{
  return createKind(solver, cr_stepRadau5);
}

static void destroy(crSolver* solver)
{
  if (solver->oneStep != NULL) {
    crDestroyStepper(solver->oneStep->stepper);
  }
}

// --------------------------------------------------------------------------------------------- steps

static crTrouble restart(crSolver* solver, bool knowsRates)
{
  (void)knowsRates;
  crOneStep* own = solver->oneStep;
  own->memory = makeMemory(own->memory.kind);
  own->hasBefore = false;
  own->start = crStepper_GetCounts(own->stepper);
  own->tried = 0.0;
  return cr_troubleNone;
}

static void setFirstStep(crSolver* solver, double step)
{
  solver->oneStep->memory.h = solver->oneStep->tried = step;
}

static crTrouble toTrouble(crStatus status)
{
  switch (status) {
    case cr_ok: return cr_troubleNone;
    case cr_retry: return cr_troubleUndefined;
    case cr_failNumerics: return cr_troubleStep;
    default: return cr_troubleMatrix; // memory for it
  }
}

static void finish(crSolver* solver, const crSegment* segment)
{
  size_t size = (size_t)solver->problem.n * sizeof(double);
  solver->to.t = segment->t1;
  memcpy(solver->to.y, segment->y1, size);
  memcpy(solver->to.rates, segment->f1, size);
}

// Whether round-off of the state is beyond the tolerance.
static bool isTooTight(const crSolver* solver)
{
  const double* y = solver->to.y;
  double sum = 0.0;
  for (int i = 0; i < solver->problem.n; ++i) {
    double error = DBL_EPSILON * y[i] / (solver->problem.absTol[i] + solver->options.relTol * fabs(y[i]));
    sum += error * error;
  }
  return sum > solver->problem.n;
}

static crTrouble step(crSolver* solver, double tStop)
{
  if (isTooTight(solver)) {
    return cr_troubleTolerance;
  }
  crOneStep* own = solver->oneStep;
  const crSegment* before = own->hasBefore ? &own->segments[own->last] : NULL;
  crSegment* segment = &own->segments[1 - own->last];
  size_t size = (size_t)solver->problem.n * sizeof(double);
  segment->t0 = solver->to.t;
  memcpy(segment->y0, solver->to.y, size);
  memcpy(segment->f0, solver->to.rates, size);
  double tMax = fmin(tStop, solver->to.t + solver->options.maxStep);
  crStatus status =
      crStepper_Step(own->stepper, &own->problem, solver->options.relTol, tMax, before, &own->memory, segment);
  int64_t jacobians = crStepper_GetCounts(own->stepper).jacobians;
  solver->statistics.jacobians += jacobians - own->jacobians;
  own->jacobians = jacobians;
  own->tried = status == cr_ok ? own->memory.h : own->stepper->triedStep;
  if (status == cr_ok) {
    own->last = 1 - own->last;
    own->hasBefore = true;
    finish(solver, segment);
  }
  return toTrouble(status);
}

// ------------------------------------------------------------------------------------- interpolation

static crTrouble interpolate(crSolver* solver, double t, double* outY, double* outRates)
{
  crOneStep* own = solver->oneStep;
  crSegment *segment = &own->segments[own->last], *before = &own->segments[1 - own->last];
  if (outRates == NULL && solver->hasBefore &&
      crSegment_HasNeighbour(segment, before, solver->problem.absTol, solver->options.relTol)) {
    crSegment_InterpolateEnds(segment, before, t, 0, segment->n, outY);
    return cr_troubleNone;
  }
  crStatus status = crStepper_MakeDense(own->stepper, &own->problem, segment);
  crSegment_Interpolate(segment, t, 0, segment->n, outY);
  if (outRates != NULL) {
    crSegment_InterpolateRates(segment, t, 0, segment->n, outRates);
  }
  return toTrouble(status);
}

// ------------------------------------------------------------------------------------------- account

static crAccount getAccount(const crSolver* solver)
{
  const crOneStep* own = solver->oneStep;
  crStepCounts counts = crStepper_GetCounts(own->stepper);
  return (crAccount){ .rejectedSteps = counts.rejectedSteps - own->start.rejectedSteps,
                      .factorizations = counts.factorizations - own->start.factorizations,
                      .lastStep = own->memory.lastStep,
                      .triedStep = own->tried,
                      .lastOrder = solver->info->order };
}

static bool getErrors(crSolver* solver, double* outErrors)
{
  const crOneStep* own = solver->oneStep;
  return crStepper_GetErrors(own->stepper, &own->problem, own->memory.kind, solver->options.relTol, outErrors);
}

const crMethod crDopri5Method = {
  .startOrder = 5,
  .create = createDopri5,
  .destroy = destroy,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .getAccount = getAccount,
  .getErrors = getErrors,
};

const crMethod crDop853Method = {
  .startOrder = 8,
  .create = createDop853,
  .destroy = destroy,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .getAccount = getAccount,
  .getErrors = getErrors,
};

const crMethod crRadau5Method = {
  .startOrder = 5,
  .needsPattern = true,
  .create = createRadau5,
  .destroy = destroy,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .getAccount = getAccount,
  .getErrors = getErrors,
};
