// The steppers as methods of crSolver: "dopri5" and "radau5".
//
// For a solver its stepper has one system, so radau5 keeps its Jacobian while it converges well. Interpolation, for
// roots and for output, is the polynomial of degree 5 through states and rates of the last three ends of steps, whose
// error is that of the steps, where these ends lie at useful distances; else the polynomial of the step itself. A stiff
// step that starts with a transient has rates there that say nothing about the step: there it is always its own
// polynomial.
#include "solve/solver.h"
#include "solve/stepper_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CR_MIN_DISTANCE 0.2     // steps that the third end must be away to tell anything,
#define CR_MAX_DISTANCE 4.0     // and may be away before the polynomial is worse than the step's own
#define CR_TRANSIENT_LIMIT 10.0 // [tolerance of implicit steps] of what the rates at the start are off the polynomial

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
  problem->pattern = solver->method->needsPattern ? &solver->linear.jacobian.pattern : NULL;
  problem->structure = solver->problem.structure;
  problem->absTol = solver->problem.absTol;
}

static crStatus createKind(crSolver* solver, crStepKind kind)
{
  int n = solver->problem.n;
  crOneStep* own = crArena_AllocateZero(&solver->arena, 1, sizeof *own);
  solver->oneStep = own;
  if (own == NULL || crCreateStepper(&solver->allocator, &own->stepper) != cr_ok) {
    return cr_errorMemory;
  }
  own->memory.kind = kind;
  for (int i = 0; i < 2; ++i) {
    double* numbers = crArena_AllocateZero(&solver->arena, crSegment_CountDoubles(n), sizeof *numbers);
    if (numbers == NULL) {
      return cr_errorMemory;
    }
    crSegment_Place(&own->segments[i], n, numbers);
  }
  wrapProblem(solver);
  return crStepper_Reserve(own->stepper, n, kind == cr_stepRadau5 ? solver->linear.jacobian.capacity : 0);
}

static crStatus createDopri5(crSolver* solver)
{
  return createKind(solver, cr_stepDopri5);
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
  own->memory = crStartMemory(own->memory.kind, 0.0);
  own->memory.isAlone = own->memory.isChanged = true;
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

// Whether the rates at the start of an implicit step belong to its solution and not to a transient: they are compared
// with the derivative of the step's polynomial there, as its error estimate does before it is filtered.
static bool isTransient(crSolver* solver, const crSegment* segment)
{
  if (segment->kind != cr_stepRadau5) {
    return false;
  }
  double tol = solver->oneStep->stepper->stageTol, factor = tol / solver->options.relTol, sum = 0.0, rate = 0.0;
  double h = segment->t1 - segment->t0;
  for (int i = 0; i < segment->n; ++i) {
    crSegment_InterpolateRates(segment, segment->t0, i, 1, &rate);
    double weight = factor * solver->problem.absTol[i] + tol * fabs(segment->y0[i]);
    double error = h * (segment->f0[i] - rate) / weight;
    sum += error * error;
  }
  return !(sum <= CR_TRANSIENT_LIMIT * CR_TRANSIENT_LIMIT * segment->n);
}

static crTrouble interpolate(crSolver* solver, double t, double* outY, double* outRates)
{
  const crSegment* segment = &solver->oneStep->segments[solver->oneStep->last];
  const crPoint *from = &solver->from, *to = &solver->to, *before = &solver->before[0];
  double distance = solver->beforeCount > 0 ? (from->t - before->t) / (to->t - from->t) : 0.0;
  if (distance >= CR_MIN_DISTANCE && distance <= CR_MAX_DISTANCE && !isTransient(solver, segment)) {
    crHermite hermite = crMakeHermite(from, to);
    crHermite_AddPoint(&hermite, before);
    crHermite_Compute(&hermite, solver->problem.n, t, outY, outRates);
    return cr_troubleNone;
  }
  crSegment_Interpolate(segment, t, 0, segment->n, outY);
  if (outRates != NULL) {
    crSegment_InterpolateRates(segment, t, 0, segment->n, outRates);
  }
  return cr_troubleNone;
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
                      .lastOrder = solver->method->info.order };
}

static bool getErrors(crSolver* solver)
{
  const crOneStep* own = solver->oneStep;
  N_VConst(1.0, solver->rateVector);
  return crStepper_GetErrors(own->stepper, &own->problem, own->memory.kind, solver->options.relTol,
                             NV_DATA_S(solver->vector));
}

const crMethod crDopri5Method = {
  .info = { .name = "dopri5",
            .about = "explicit Runge-Kutta of order 5, Dormand and Prince, our own",
            .canRedo = true,
            .order = 5 },
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

const crMethod crRadau5Method = {
  .info = { .name = "radau5",
            .about = "implicit Runge-Kutta of order 5, Radau IIA, for stiff problems, our own",
            .isImplicit = true,
            .canRedo = true,
            .order = 5 },
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
