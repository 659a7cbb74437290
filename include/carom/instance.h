// Instance: a model in motion. State, stage caches and scratch memory of one evaluation at a time.
//
// Everything is evaluated on a closed set of trees: one that no force element or cut joint connects to a tree
// outside. Time, state and stage are kept per tree, so sets that do not overlap may be evaluated independently,
// each by its own thread with its own workspace. Evaluation allocates nothing and gives the same bits every time.
#ifndef CAROM_INSTANCE_H
#define CAROM_INSTANCE_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------- sets

// Trees in ascending order. The state vector of a set is that of its trees, one after the other, each
// [q | v | auxiliary].
typedef struct crTreeSet {
  const int* trees; // (treeCount)
  int treeCount;
} crTreeSet;

CR_API crTreeSet crModel_GetAllTrees(const crModel* model);
CR_API int crModel_CountStates(const crModel* model, crTreeSet set);
CR_API int crModel_CountRates(const crModel* model, crTreeSet set); // degrees of freedom
CR_API bool crModel_IsClosed(const crModel* model, crTreeSet set);

// Start values of the states, absolute tolerances' nominal values, and the name of a state.
CR_API void crModel_GetStart(const crModel* model, crTreeSet set, double* outY);
CR_API void crModel_GetNominal(const crModel* model, crTreeSet set, double* outNominal);
CR_API bool crModel_GetStateName(const crModel* model, crTreeSet set, int state, char* buffer, size_t size);

// ---------------------------------------------------------------------------------------- instance

typedef struct crInstance crInstance;

// Refuses models that cannot move as they are: a moving end without mass.
CR_API crStatus crCreateInstance(const crModel* model, const crAllocator* allocator, const crErrorSink* sink,
                                 crInstance** outInstance);
CR_API void crDestroyInstance(crInstance* instance);
CR_API const crModel* crInstance_GetModel(const crInstance* instance);

// What has been computed from the state of a tree so far.
typedef enum crStage {
  cr_stageTime,         // time and state are set
  cr_stagePosition,     // poses
  cr_stageVelocity,     // motions
  cr_stageForce,        // forces
  cr_stageAcceleration, // rates of the state
  cr_stageReport,       // everything else that can be recorded
} crStage;

// Sets time and state, which lowers the stage of these trees.
CR_API void crInstance_SetState(crInstance* instance, crTreeSet set, double t, const double* y);
CR_API void crInstance_GetState(const crInstance* instance, crTreeSet set, double* outY);

// Signals that jump at a time event are taken from the smooth piece that holds at time `phase`, wherever the time is:
// a step that ends at an event must not see what comes behind it. NaN, as at the start: the piece that holds at the
// time itself. For the evaluations that follow the next crInstance_SetState.
CR_API void crInstance_SetPhase(crInstance* instance, crTreeSet set, double phase);

// Raises all trees of the set to at least this stage. cr_retry: not finite at this point.
CR_API crStatus crInstance_Eval(crInstance* instance, crTreeSet set, crStage stage);

// y' = f(t, y) by the articulated-body algorithm, O(n).
CR_API crStatus crInstance_ComputeRates(crInstance* instance, crTreeSet set, double t, const double* y,
                                        double* outRates);

// 0 = F(t, y, y') by the recursive Newton-Euler algorithm, O(n): (q' - N(q) v | M v' - h).
CR_API crStatus crInstance_ComputeResidual(crInstance* instance, crTreeSet set, double t, const double* y,
                                           const double* yp, double* outResidual);

// ------------------------------------------------------------------------------------------- loops
// Joints that close loops are constraints between the coordinates of the others. Rates, reactions and energies need a
// state that satisfies them; without loops these functions change nothing.

// Changes y as little as possible so that all loops are closed and move together at time t; what is marked fixed
// stays. cr_errorModel with the joints and the gap when that cannot be done. Takes memory while it works.
CR_API crStatus crInstance_Assemble(crInstance* instance, crTreeSet set, double t, double* y, const crErrorSink* sink);

typedef struct crLoopFacts {
  int freedom;        // degrees of freedom of all trees less the constraints that do not depend on others
  int gruebler;       // the same, counting all constraints: Gruebler's formula
  int redundantCount; // constraints that depend on others: their difference
} crLoopFacts;

// At the position where constraints were counted last: at creation, at assembly, and where a run found them changed.
CR_API crLoopFacts crInstance_GetLoopFacts(const crInstance* instance);
// Of one joint that closes a loop: its constraints that depend on others. The forces along them are shared by all joints
// of its loop, so that the sum of their squares is least.
CR_API int crInstance_CountRedundant(const crInstance* instance, int joint);

// Tells that a solver has taken a step to (t, y). Joints that close loops know their angles up to whole turns; they keep
// the turn that is nearest to the last completed step.
CR_API void crInstance_CompleteStep(crInstance* instance, crTreeSet set, double t, const double* y);

// Takes the drift of a step out of y. cr_retry: y is not near a closed position, or near one where a mechanism can go
// on in two ways: rates would change by more than `limit` (> 0) times the largest one.
CR_API crStatus crInstance_Project(crInstance* instance, crTreeSet set, double t, double limit, double* y);

// The stabilized index-1 form: 0 = F(t, y, y') with y = (states | integrals of constraint forces | of stabilizing
// terms), so of m constraints in use CountStates + 2 m unknowns: (q' - N(q)(v - G^T mu') | M v' - h - G^T lambda' |
// g | G v + g_t). Without loops as crInstance_ComputeResidual. GetMultipliers: the forces lambda', stage acceleration.
CR_API int crInstance_CountMultipliers(const crInstance* instance, crTreeSet set);
CR_API void crInstance_GetMultipliers(const crInstance* instance, crTreeSet set, double* outForces);
CR_API crStatus crInstance_ComputeLoopResidual(crInstance* instance, crTreeSet set, double t, const double* y,
                                               const double* yp, double* outResidual);
CR_API void crInstance_GetLoopSparsity(crInstance* instance, crTreeSet set, int* outColumnStarts, int* outRows,
                                       int* outCount);

// ----------------------------------------------------------------------------------------- queries

// Of a model object; at least stage position, velocity, acceleration. In world axes, of the object's origin; that of
// the world for an index that is no object's.
CR_API crPose crInstance_GetPose(const crInstance* instance, int object);
CR_API crMotion crInstance_GetMotion(const crInstance* instance, int object);
CR_API crMotion crInstance_GetAcceleration(const crInstance* instance, int object);

// Force and torque that a joint transmits from its objectA to its objectB, about objectB's origin, in world axes. What
// acts in the joint is part of it; zero for an index that is no joint's.
CR_API crWrench crInstance_GetReaction(const crInstance* instance, int joint); // stage acceleration

// The value of a variable of the model, by its index (crModel_GetVariable); stage report.
CR_API double crInstance_GetVariable(const crInstance* instance, int variable);

typedef struct crEnergy {
  double kinetic;   // [J]
  double potential; // [J] of gravity, springs, bushings and elastic stops
} crEnergy;

typedef struct crMomentum {
  crVec3 linear;  // [N s]
  crVec3 angular; // [N m s] about the world's origin
} crMomentum;

// Of one body, or of a whole set with body < 0. Stage velocity. A body's energy holds that of its joint's springs,
// stops and rotors; that of force elements is in the energy of a set only. The momentum of rotors is not counted.
CR_API crEnergy crInstance_ComputeEnergy(const crInstance* instance, crTreeSet set, int body);
CR_API crMomentum crInstance_ComputeMomentum(const crInstance* instance, crTreeSet set, int body);

// --------------------------------------------------------------------------------------- functions
// At a given state, of a set with v degrees of freedom. Matrices are stored by columns.

// Joint forces that give the accelerations v'.
CR_API crStatus crInstance_ComputeInverseDynamics(crInstance* instance, crTreeSet set, double t, const double* y,
                                                  const double* accelerations, double* outForces);
CR_API crStatus crInstance_ComputeMassMatrix(crInstance* instance, crTreeSet set, double t, const double* y,
                                             double* outMatrix); // (v x v)
// Motion of an object (angular, then linear velocity, world axes) = J v. (6 x v)
CR_API crStatus crInstance_ComputeFrameJacobian(crInstance* instance, crTreeSet set, double t, const double* y,
                                                int object, double* outMatrix);
// A = df/dy (n x n) at (t, y).
CR_API crStatus crInstance_Linearize(crInstance* instance, crTreeSet set, double t, const double* y, double* outA);

// Moves y to a static equilibrium: all rates 0, all accelerations 0 at time t. The search starts at y's coordinates and
// goes where forces do work, so it ends in a stable equilibrium unless it starts in another one; where several are
// near, as for a ball on a table, little is moved. cr_failNumerics with the worst joint by name when none is found: y
// is unchanged then. Takes memory for three matrices (v x v) from the instance's allocator while it searches.
CR_API crStatus crComputeEquilibrium(crInstance* instance, crTreeSet set, double t, double* y, const crErrorSink* sink);

// Entries of df/dy, and of dF/dy + c dF/dy', that can differ from zero, for solvers: columns compressed, rows
// ascending. outColumnStarts (n + 1) and outRows (count) may be NULL, to learn the count first.
CR_API void crModel_GetSparsity(const crModel* model, crTreeSet set, int* outColumnStarts, int* outRows, int* outCount);

#ifdef __cplusplus
}
#endif

#endif
