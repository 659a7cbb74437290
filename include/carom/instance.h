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

// Refuses models that cannot move as they are: a moving end without mass, loops (not evaluated yet).
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

// ------------------------------------------------------------------------------ inputs, what is held

// The declared inputs and outputs of the model, by their numbers (crModel_FindInput). An input holds its value until
// another one is set; setting it lowers the stage of the trees that it can act on, and a solver in progress has to be
// restarted. cr_errorMisuse: no such input, or not finite. An output is read at stage report.
CR_API crStatus crInstance_SetInput(crInstance* instance, int input, double value);
CR_API double crInstance_GetInput(const crInstance* instance, int input);
CR_API double crInstance_GetOutput(const crInstance* instance, int output);

// Calls those sampled functions of the set whose tick is the time of the set; all of them see what was held before.
// What they return is held until their next tick, which is a time event. On failure nothing is changed.
CR_API crStatus crInstance_Sample(crInstance* instance, crTreeSet set);

// What the sampled functions of a set hold: values and states. With the continuous states, the inputs and the time this
// is all that an instance remembers.
CR_API int crModel_CountDiscrete(const crModel* model, crTreeSet set);
CR_API void crInstance_GetDiscrete(const crInstance* instance, crTreeSet set, double* outDiscrete);
CR_API void crInstance_SetDiscrete(crInstance* instance, crTreeSet set, const double* discrete);

// Why a function of the model made an evaluation fail or retry at time `since` [s] or later: its name, the line, and
// its arguments. false: none did.
CR_API bool crInstance_DescribeFault(const crInstance* instance, double since, char* buffer, size_t size);

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
// With u all inputs of the model and z all of its outputs, y' = f(t, y, u), z = g(t, y, u), around (t, y) and the
// inputs that are set: B = df/du (n x inputs), C = dg/dy (outputs x n), D = dg/du (outputs x inputs). Each may be NULL.
// What sampled functions hold is held.
CR_API crStatus crInstance_LinearizePorts(crInstance* instance, crTreeSet set, double t, const double* y, double* outB,
                                          double* outC, double* outD);

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
