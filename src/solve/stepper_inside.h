// The inside of a stepper: working space, and what its methods hand to each other.
//
// All vectors in the working space have `stride` places, a multiple of CR_LANES, so that loops over them come out even;
// the places behind the last state are 0.
#ifndef CR_SOLVE_STEPPER_INSIDE_H
#define CR_SOLVE_STEPPER_INSIDE_H

#include "solve/step_matrix.h"
#include "solve/stepper.h"

#define CR_WORK_VECTORS 24     // of `stride` places, for all methods
#define CR_MAX_ATTEMPTS 100    // at one step, before it is given up
#define CR_SMALLEST_STEP 4.0   // [ulp of t]
#define CR_NEWTON_LIMIT 9      // iterations
#define CR_REFUSED_SHRINK 0.25 // of a step in which f refused

// Nodes of the Radau method less 1: of the second stage, and of the first one.
#define CR_RADAU_A (-0.35505102572168219018)
#define CR_RADAU_B (-0.84494897427831780982)

// What there is of the implicit equations; over the end of a step only where a system is alone.
typedef struct crKept {
  bool hasJacobian, isFresh, hasFactors; // isFresh: of the start of the step being tried
  bool hasPivots;                        // of matrices of this system
  double factoredStep;                   // [s] that the factors belong to
  double rate;                           // of convergence, with this Jacobian
} crKept;

// Whose stages are still in the working space.
typedef struct crHeld {
  bool isHeld;
  const void* context; // of the problem
  double t0, t1;       // of its step
} crHeld;

struct crStepper {
  crAllocator allocator;
  crStepCounts counts;
  int n, capacity; // of the system at work; states that there is room for
  int stride;      // places of each vector for that n
  double* memory;  // all vectors
  size_t memoryCount;
  double* vectors[CR_WORK_VECTORS];
  int activeCount;           // states that are no followers
  double *absTol, *active;   // padded: 1 for states in the norm, 0 for followers
  crSegment inner;           // for redone steps that need several
  double *sample0, *sample1; // (n) states inside such a redone step
  crStepMatrix matrix;
  crKept kept;
  crHeld held;               // dop853
  double strictness;         // [-] likewise, of its last attempt
  bool wasImplicit;          // the last step was
  int clearFrom;             // place from which on vectors have nothing of another layout
  bool isDear;               // Jacobians of the system at work take differences
  double knownTol, stageTol; // a relTol, and the tolerance of implicit steps that belongs to it
  double triedStep;          // [s] of the last attempt
  // the stabilized method
  double relTol;          // of its last attempt,
  double nodeError;       // [tolerance] and its error by nodes of f
  bool keptInLanes;       // the direction of the largest eigenvalue is
  bool goesOn;            // the end of the last step, at goneTo [s], is in lanes where the start of the next one goes,
  double goneTo;          // with the rates there
  bool isInLanes;         // vectors at work are, see crLaneStage,
  int used;               // places of them; or of states
  double directionNorm;   // of the direction in lanes; negative: not known
  const crCrew* crew;     // that takes the step; NULL: the caller alone
  double* end;            // of an attempt
  double errorWeights[4]; // of its start, two stages and its end in its error
  double lastCorrection;  // of Newton's iteration, in units of the tolerance
};

// What a method tells about one attempt at a step.
typedef struct crAttempt {
  double h;
  double error;     // in units of the tolerance; NaN: not a number
  double shrink;    // > 0: the implicit equations were not solved; try this share of the step
  int iterations;   // of Newton
  double stiffness; // estimate of h |lambda|, squared; explicit method
  bool isFirst, wasRejected;
  double errorBefore; // of the attempt before this one, if that was rejected; NaN: not a number
  int refusals;       // by sums over the step,
  double refusedStep; // [s] of which this was the first; 0: none, or it is taken after all
  double jump;        // [tolerance] what sums were off by when it was refused last,
  int jumps;          // and how often in a row that did not change with the step
} crAttempt;

// Lays the working space out for n states, if it is not yet; all of it is 0 then.
crStatus crStepper_Place(crStepper* stepper, int n);

static inline crStatus crStepper_Eval(crStepper* stepper, const crProblem* problem, double t, const double* y,
                                      double* outRates)
{
  ++stepper->counts.evaluations;
  return problem->computeRates(problem->context, t, y, outRates);
}

// Likewise, inside a step.
static inline crStatus crStepper_EvalStage(crStepper* stepper, const crProblem* problem, double t, const double* y,
                                           double* outRates)
{
  if (problem->computeStage == NULL) {
    return crStepper_Eval(stepper, problem, t, y, outRates);
  }
  ++stepper->counts.evaluations;
  return problem->computeStage(problem->context, t, y, outRates);
}

// A stage that was evaluated last, in sums over the step; isFirst: of those that have a weight.
static inline void crStepper_SumStage(const crProblem* problem, bool isFirst, double ofStart, double ofStage)
{
  if (problem->sums == NULL) {
    return;
  }
  if (isFirst) {
    problem->sums->begin(problem->context, ofStart, ofStage);
  } else {
    problem->sums->add(problem->context, ofStage);
  }
}

// The problem as something to take differences of.
typedef struct crRateCall {
  crStepper* stepper;
  const crProblem* problem;
} crRateCall;

// Prepare once for a step, then Try for each attempt over [t0, t0 + h], and Finish, which fills all of the segment but
// its spins and times, when the error is small enough. cr_retry: f refused.
void crDopri5_Prepare(crStepper* stepper, const crProblem* problem, const crSegment* segment);
crStatus crDopri5_Try(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment,
                      crAttempt* attempt);
void crDopri5_Finish(crStepper* stepper, const crProblem* problem, const crAttempt* attempt, crSegment* segment);

crStatus crDop853_Try(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment,
                      const crStepMemory* memory, crAttempt* attempt);
// The times of the segment are those of the step already.
crStatus crDop853_Finish(crStepper* stepper, const crProblem* problem, bool isLazy, crSegment* segment);
crStatus crDop853_MakeDense(crStepper* stepper, const crProblem* problem, crSegment* segment);

void crRkc2_Prepare(crStepper* stepper, const crProblem* problem, const crSegment* segment);
crStatus crRkc2_Try(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment,
                    crStepMemory* memory, crAttempt* attempt);
// body_norm.c: the error of a step of many bodies, in units of the tolerance, as their structure says. Both ends of the
// step, and what may be wrong; scratch: (n).
double crMeasureBodies(const crStructure* structure, const double* absTol, double relTol, const double* y0,
                       const double* y1, const double* errors, double* scratch);
// The same of a step in lanes: its start, two stages and its end, and their weights in what may be wrong.
typedef struct crLaneStages {
  const double *start, *early, *late, *end;
  const double* weights; // (4)
} crLaneStages;
double crMeasureLanes(const crStructure* structure, const double* absTol, double relTol, const crLaneStages* stages,
                      const crCrew* crew, double* scratch);
crStatus crRkc2_Finish(crStepper* stepper, const crProblem* problem, crSegment* segment);
double*
crRkc2_GetDirection(crStepper* stepper,
                    const crStructure* structure); // (n) of the largest eigenvalue, see crStepMemory.hasDirection

// guess: a segment with the polynomial to start Newton's iteration from, or NULL; may be the segment itself.
double crRadau5_FindTolerance(double relTol); // of its steps, whose error estimate is of lower order
crStatus crRadau5_Prepare(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment);
crStatus crRadau5_Try(crStepper* stepper, const crProblem* problem, const crSegment* guess, const crSegment* segment,
                      crAttempt* attempt);
crStatus crRadau5_Finish(crStepper* stepper, const crProblem* problem, const crAttempt* attempt, crSegment* segment);
// The polynomial of a state through the three stages, less y0.
void crRadau5_SetRows(crSegment* segment, int state, double first, double second, double third);

// The error of a follower in the last attempt, in its unit. guess: of the attempt.
double crDopri5_EstimateFollower(const crStepper* stepper, int follower);
double crDop853_EstimateFollower(const crStepper* stepper, int follower);
double crRkc2_EstimateWatched(const crStepper* stepper, const crStructure* structure, int watched);
double crRadau5_EstimateFollower(const crStepper* stepper, const crSegment* guess, const crSegment* segment,
                                 int follower);

void crDopri5_GetErrors(const crStepper* stepper, double relTol, double* outErrors);
void crDop853_GetErrors(const crStepper* stepper, double relTol, double* outErrors);
void crRkc2_GetErrors(const crStepper* stepper, const crProblem* problem, double relTol, double* outErrors);
void crRadau5_GetErrors(const crStepper* stepper, double* outErrors);

// Quaternions at the end of a step whose other states are done, their rates there, and their polynomials.
void crSegment_FinishSpins(crSegment* segment, const crStructure* structure, const crCrew* crew);
// The cubic of a state through both ends and their rates.
void crSegment_SetCubic(crSegment* segment, int state);

#endif
