// What methods integrate: y' = f(t, y) or 0 = F(t, y, y'), as numbers. They know no bodies.
#ifndef CR_SOLVE_PROBLEM_H
#define CR_SOLVE_PROBLEM_H

#include "base/crew.h"
#include "carom/base.h"

typedef struct crSegment crSegment; // stepper.h

// Where a matrix has entries that can differ from zero: compressed columns, rows ascending.
typedef struct crSparsity {
  int n;
  const int* columnStarts; // (n + 1)
  const int* rows;         // (columnStarts[n])
} crSparsity;

// A rotation and what turns it: q' = 1/2 (0, w) q, w in world axes, and nothing but itself depends on q.
typedef struct crSpin {
  int quaternion; // the first of four states
  int rate;       // the first of three states
} crSpin;

// States side by side that act on other states and depend on those, but on no other block.
typedef struct crStateBlock {
  int first, count; // count <= CR_MOST_BLOCK
} crStateBlock;

#define CR_MOST_BLOCK 5

// States that are one vector, of one of many bodies: for norms over bodies.
typedef struct crStateVector {
  int first, count; // of its states
  int body;         // ascending
  double least;     // its size counts as no less than this times the root mean square of those that have 1 here
} crStateVector;

// What keeps states out of the equations that an implicit step solves.
typedef struct crStructure {
  const int* rateOf; // (n) y[i]' is y[rateOf[i]] exactly; -1: not so; NULL: for none. rateOf[i] has no rateOf itself
  const bool* isFollower; // (n) no rate depends on it: integrated along, and no step is chosen by its error; NULL: none
  const crSpin* spins;    // (spinCount) followers too, integrated on the group of rotations
  int spinCount;
  const int* watched;         // (watchedCount) followers whose errors have to be below their tolerances all the same,
  int watchedCount;           // each on its own
  const crStateBlock* blocks; // (blockCount) of no other kind; eliminated one by one
  int blockCount;
  const crStateVector*
      vectors;     // (vectorCount) of bodies, so many that the stabilized method measures its error by them,
  int vectorCount; // see body_norm.c; 0: by all states
} crStructure;

// Integrals along a step of what f computes on its way and hands to nobody, by the stages of one-step methods: as
// accurate as the step, and without an evaluation of their own. Each call but `keep` stands behind the evaluation of a
// stage; weights are times [s].
typedef struct crStageSums {
  // The first stage of an attempt at a step that has a weight: ofStart is that of what was evaluated at its start.
  void (*begin)(void* context, double ofStart, double ofStage);
  void (*add)(void* context, double ofStage);
  // A part of a step that takes several is done, h [s] long: where it ends, which was evaluated last, the next starts.
  void (*keep)(void* context, double h);
  // Behind the evaluation of the end of a step: what sums and both ends tell of its error, in units of the tolerance;
  // NULL: nothing.
  double (*judge)(void* context, double relTol, const crSegment* step);
} crStageSums;

// A stage of the stabilized method where each body has three vectors of three states: position, velocity, spin. States
// are in lanes: vector k of the structure has the places 4 k to 4 k + 2, place 4 k + 3 is 0; behind them come four
// places for watched followers; spins and other followers have none. The next stage is
//   out = weights[0] start + weights[1] last + weights[2] before + weights[3] f(last) + weights[4] startRates
// and may not be `last`.
typedef struct crLaneStage {
  const double *start, *startRates, *last, *before;
  double* out;
  double weights[5];
} crLaneStage;

// Which matrix an implicit method of SUNDIALS has.
typedef enum crMatrixForm { cr_matrixAny, cr_matrixDense, cr_matrixSparse, cr_matrixFormCount } crMatrixForm;

// Functions return cr_ok, cr_retry (this point cannot be evaluated: take a smaller step), or a failure, which
// ends the integration. They must not allocate, and must depend on their arguments alone.
typedef struct crProblem {
  int n; // length of y
  void* context;
  // y' = f(t, y)
  crStatus (*computeRates)(void* context, double t, const double* y, double* outRates);
  // The same inside a step, where nobody asks for anything but rates and sums; rounding may be other than that of f.
  // NULL: computeRates. Of dopri5 and radau5.
  crStatus (*computeStage)(void* context, double t, const double* y, double* outRates);
  // Entries of df/dy, or of dF/dy + c dF/dy' together; NULL: all, for steppers alone.
  const crSparsity* pattern;
  const double* absTol; // (n) > 0, in the unit of y

  // For steppers.
  // df/dy in the order of the pattern. NULL: differences, columns grouped so that few evaluations do.
  crStatus (*computeJacobian)(void* context, double t, const double* y, double* outValues);
  // Around those differences, which are taken about y: f may be linear there in what is dear. NULL: nothing is.
  crStatus (*beginDifferences)(void* context, double t, const double* y);
  void (*endDifferences)(void* context);
  // The stabilized method in lanes: the stage behind the last one, and f at the end of a step, which is in lanes, too,
  // into f1 of its segment and into lanes; something may begin in the step that changes f. Rounding may be other than
  // that of f, rates of spins need not be right, and numbers that are not finite are handed on. NULL, both: steps are
  // not in lanes.
  crStatus (*computeNext)(void* context, double t, const crLaneStage* stage);
  crStatus (*computeEnd)(void* context, crSegment* segment, const double* end, double* outRates);
  const crCrew* crew;           // who takes steps in lanes together; NULL: the caller alone
  const crStructure* structure; // what is known of f beyond its pattern; NULL: nothing
  const crStageSums* sums;      // NULL: none

  // For SUNDIALS' methods.
  // 0 = F(t, y, y'), which IDA works on. f gives y' at a start.
  crStatus (*computeResidual)(void* context, double t, const double* y, const double* yp, double* outResidual);
  // Moves y onto what holds exactly along every solution, as closed loops; NULL: nothing does. CVODE goes on from there
  // after a step; IDA has it in its residual. cr_retry: the step that led to y was too large.
  crStatus (*project)(void* context, double t, double* y);
  const char* (*nameOf)(void* context, int component); // for messages; NULL: it has none
  crMatrixForm matrixForm;                             // any: as the pattern at the creation suits it
} crProblem;

#endif
