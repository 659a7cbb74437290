// Steppers: one-step methods for systems that start, stop and are redone often, as islands do. Four of them: the
// explicit pairs of order 5 [DormandPrince80] and 8 [HairerNorsettWanner93] II.5 by Dormand and Prince, the implicit
// Radau IIA method of order 5 [HairerWanner96] IV.8, and for large systems at loose tolerances the stabilized explicit
// method of order 2 by Sommeijer, Shampine and Verwer [SommeijerEtAl98].
//
// A step is kept in a segment, which needs nothing but itself: both ends with their rates, and the polynomial between
// them. What goes on from step to step is a small memory of each system. The stepper itself is working space, which
// any number of systems may share, one at a time. A step depends on the start of the segment, the memory and the
// segment before alone: not on what the stepper was used for, but for a Jacobian, or the direction of the largest
// eigenvalue, that it may keep while one system is its only user, see crStepMemory.isAlone.
#ifndef CR_SOLVE_STEPPER_H
#define CR_SOLVE_STEPPER_H

#include "base/archive.h"
#include "base/memory.h"
#include "solve/problem.h"

#define CR_DENSE_ROWS 4 // vectors of length n that hold the polynomial of a segment, at most

typedef enum crStepKind { cr_stepDopri5, cr_stepRadau5, cr_stepRkc2, cr_stepDop853, cr_stepKindCount } crStepKind;

// One step from t0 to t1. All arrays lie in one piece of memory of crSegment_CountDoubles(n) doubles; both ends may
// change places in it.
struct crSegment {
  int n;
  crStepKind kind;
  double t0, t1;
  double *y0, *y1; // (n)
  double *f0, *f1; // (n) rates there, by the f that held in this segment
  double* dense;   // (CR_DENSE_ROWS n)
  bool isDense;    // the polynomial is that of the method; else a cubic, after a step that was redone in several
  bool isLazy;     // it will be, once crStepper_MakeDense has been called; until then it is a cubic; dop853
  bool isFlat;     // the first row of dense is known to be 0, as those of cubics are
  bool isBrief;    // dop853: the polynomial is that of degree 5 through both ends and a stage
};

size_t crSegment_CountDoubles(int n);
size_t crSegment_CountUsed(const crSegment* segment);       // of them, all that its kind uses,
void crSegment_Save(const crSegment* segment, double* out); // which are copied: y0, y1, f0, f1 and the polynomial
void crSegment_Load(crSegment* segment, const double* saved);
// The end becomes the start, and what was there the end, which is to be written.
void crSegment_Advance(crSegment* segment);
void crSegment_Place(crSegment* segment, int n, double* memory); // lays the arrays out in it

// States [first, first + count) at a time in [t0, t1]: at the ends exactly those there. Of quaternions of spins too,
// normalized by nobody. Costs no evaluation.
void crSegment_Interpolate(const crSegment* segment, double t, int first, int count, double* outY);
// Their rates, by the derivative of the polynomial: in a stiff step not f.
void crSegment_InterpolateRates(const crSegment* segment, double t, int first, int count, double* outRates);
// As accurate as the steps, where the segment before it helps: then HasNeighbour says so, and Ends interpolates.
bool crSegment_HasNeighbour(const crSegment* segment, const crSegment* before, const double* absTol, double relTol);
void crSegment_InterpolateEnds(const crSegment* segment, const crSegment* before, double t, int first, int count,
                               double* outY);
// A quaternion of a spin, turned on the group as in the steps: as accurate as they are, where the polynomial is not for
// bodies that turn by more than a part of a radian in a step.
void crSegment_InterpolateSpin(const crSegment* segment, crSpin spin, double t, double* outQuaternion);

// What a system remembers between steps.
typedef struct crStepMemory {
  crStepKind kind;
  int lowSteps;      // of order 5 that are to be taken before brief ones of order 8 are tried again
  double h;          // [s] to try next; 0: chosen from the rates at the start
  double lowStep;    // [s] likewise, of order 5, while brief steps of order 8 are taken
  double lastError;  // for step control; 0: the step is the first one
  double lastStep;   // [s]
  double radius;     // [1/s] estimate of the largest eigenvalue; stabilized method
  int stages;        // of the last step; stabilized method
  bool hasDirection; // the stepper, used by this system alone, knows that eigenvalue's direction
  int stiffHits;     // explicit steps of late that were held back by stability, not accuracy: see CR_STIFF_HITS
  int calmSteps;     // in a row that were not
  bool isLazy;       // polynomials are made when they are asked for: crStepper_MakeDense
  bool isBrief;      // steps of dop853 have a polynomial of degree 5, which takes no evaluations
  bool isAlone;      // the stepper is used by this system alone, so it may keep its Jacobian between steps
  bool isChanged;    // f has changed since the last step: nothing that was kept holds; the stepper clears it
  bool isDear;       // f is dear and has kinks, beside which all else costs nothing: see stepper.c
} crStepMemory;

#define CR_STIFF_HITS 3 // this many say that an implicit method would take larger steps

crStepMemory crStartMemory(crStepKind kind, double h); // for a first step, or after an event

typedef struct crStepCounts {
  int64_t steps, rejectedSteps, evaluations, jacobians, factorizations, redos;
  int64_t stepsOf[cr_stepKindCount]; // steps by method
} crStepCounts;

typedef struct crStepper crStepper;

crStatus crCreateStepper(const crAllocator* allocator, crStepper** outStepper);
void crDestroyStepper(crStepper* stepper);
// Makes room for systems of n states with `entryCount` entries in their pattern; steps of such ones allocate nothing
// but what the sparse factorization of large systems takes.
crStatus crStepper_Reserve(crStepper* stepper, int n, int entryCount);
crStepCounts crStepper_GetCounts(const crStepper* stepper); // of all systems together, since it was made
void crStepper_SetCounts(crStepper* stepper, crStepCounts counts);

// One step from the start of `segment` (t0, y0, f0 given), with error control, not beyond tMax; t1 == tMax exactly when
// it is reached. Of the problem n, computeRates, pattern, computeJacobian, structure and absTol are used. `before`: the
// segment that ended where this one starts, whose polynomial Newton's iteration may start from; NULL: there is none, or
// f has jumped. Fills segment and memory. cr_failNumerics: the step size collapsed; cr_retry: f refused down to the
// smallest step; any failure of f is handed on. The last evaluation of f is that at the end of the step.
crStatus crStepper_Step(crStepper* stepper, const crProblem* problem, double relTol, double tMax,
                        const crSegment* before, crStepMemory* memory, crSegment* segment);

// The same step again, to end at t1 exactly (t0 < t1): one step, or several inside where the error test
// wants them. The memory stays as it is. The polynomial is that of the method if one step did it.
crStatus crStepper_Redo(crStepper* stepper, const crProblem* problem, double relTol, double t1,
                        const crStepMemory* memory, crSegment* segment);

double crStepper_GetTriedStep(const crStepper* stepper); // [s] of the last attempt
// Errors of the last attempt, in units of the tolerance, one for each state; followers have none. False: not known.
bool crStepper_GetErrors(const crStepper* stepper, const crProblem* problem, crStepKind kind, double relTol,
                         double* outErrors);
// The polynomial of a step that was taken with memory.isLazy; else there is nothing to do. dop853 alone is lazy, where
// there are no spins: 3 evaluations, none at the end of the step, if the stepper has done nothing since that step; 14
// if it has. Both give the same bits, and the steps know nothing of it. cr_retry: f refused, the cubic stays.
crStatus crStepper_MakeDense(crStepper* stepper, const crProblem* problem, crSegment* segment);

// stepper_archive.c. A segment whose arrays are placed; what a system remembers; counts.
void crSegment_Archive(crArchive* archive, crSegment* segment);
void crStepMemory_Archive(crArchive* archive, crStepMemory* memory);
void crStepCounts_Archive(crArchive* archive, crStepCounts* counts);
void crStepCounts_Add(crStepCounts* sum, crStepCounts counts);
// What a stepper keeps for the one system that uses it alone, see crStepMemory.isAlone. hasDirection: any memory of the
// system says so.
void crStepper_Archive(crArchive* archive, crStepper* stepper, const crProblem* problem, bool hasDirection);

#endif
