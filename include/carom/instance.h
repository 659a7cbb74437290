// Instance: a model in motion. State, stage caches and scratch memory of one evaluation at a time.
//
// Everything is evaluated on a closed set of trees: one that no force element or cut joint connects to a tree
// outside. Time, state and stage are kept per tree, so sets that do not overlap may be evaluated independently,
// each by its own thread. Evaluation allocates nothing and gives the same bits every time.
#ifndef CAROM_INSTANCE_H
#define CAROM_INSTANCE_H

#include "carom/model.h"
#include "carom/record.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------- sets

typedef struct crContacts crContacts;

// Trees in ascending order. The state vector of a set is that of its trees, one after the other, each
// [q | v | auxiliary]. A set with contacts is closed when it holds every tree that they can reach.
typedef struct crTreeSet {
  const int* trees; // (treeCount)
  int treeCount;
  crContacts* contacts; // what its bodies touch; NULL: they pass through everything
} crTreeSet;

CR_API crTreeSet crModel_GetAllTrees(const crModel* model);
CR_API int crModel_CountStates(const crModel* model, crTreeSet set);
CR_API int crModel_CountRates(const crModel* model, crTreeSet set); // degrees of freedom
CR_API bool crModel_IsClosed(const crModel* model, crTreeSet set);

// Start values of the states, absolute tolerances' nominal values, and the name of a state.
CR_API crStatus crModel_GetStart(const crModel* model, crTreeSet set, double* outY);
CR_API crStatus crModel_GetNominal(const crModel* model, crTreeSet set, double* outNominal);
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
CR_API crStatus crInstance_SetState(crInstance* instance, crTreeSet set, double t, const double* y);
CR_API crStatus crInstance_GetState(const crInstance* instance, crTreeSet set, double* outY);

// Signals that jump at a time event are taken from the smooth piece that holds at time `phase`, wherever the time is:
// a step that ends at an event must not see what comes behind it. NaN, as at the start: the piece that holds at the
// time itself. For the evaluations that follow the next crInstance_SetState.
CR_API crStatus crInstance_SetPhase(crInstance* instance, crTreeSet set, double phase);

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
CR_API crStatus crInstance_GetDiscrete(const crInstance* instance, crTreeSet set, double* outDiscrete);
CR_API crStatus crInstance_SetDiscrete(crInstance* instance, crTreeSet set, const double* discrete);

// Why a function of the model made an evaluation fail or retry at time `since` [s] or later: its name, the line, and
// its arguments. false: none did.
CR_API bool crInstance_DescribeFault(const crInstance* instance, double since, char* buffer, size_t size);

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
// Of one joint that closes a loop: its constraints that depend on others. The forces along them are shared by all
// joints of its loop, so that the sum of their squares is least.
CR_API int crInstance_CountRedundant(const crInstance* instance, int joint);

// The joints of the loop that is nearest to a singular position, for messages; false: none is near one.
CR_API bool crInstance_DescribeSingular(const crInstance* instance, char* buffer, size_t size);

// The joints of the loop that is open most, of all that are so by more than `limit` (of their size, or [rad]), for
// messages; false: none is. Stage position. Solvers of the residual form keep those constraints that did not depend on
// others at the start: if others come to matter, a loop opens, and the run has to stop.
CR_API bool crInstance_DescribeGap(const crInstance* instance, crTreeSet set, double limit, char* buffer, size_t size);

// Tells that a solver has taken a step to (t, y). Joints that close loops know their angles up to whole turns; these
// are counted from the last completed step, with the rates there and at the state that is evaluated.
CR_API crStatus crInstance_CompleteStep(crInstance* instance, crTreeSet set, double t, const double* y);

// Takes the drift of a step out of y. cr_retry: y is not near a closed position, or near one where a mechanism can go
// on in two ways: rates would change by more than `limit` (> 0) times the largest one.
CR_API crStatus crInstance_Project(crInstance* instance, crTreeSet set, double t, double limit, double* y);

// The stabilized index-1 form with m constraints in use: residuals of the states, q' - N(q)(v - G^T mu') and
// M v' - h - G^T lambda', and the 2 m constraints g and G v + g_t. multiplierRates (2 m): lambda', the constraint
// forces, then mu', which is 0 but for rounding. Without loops as crInstance_ComputeResidual. GetMultipliers: lambda'
// at stage acceleration. GetLoopSparsity: of all in the order states, `otherCount` unknowns on their own, lambda, mu.
CR_API int crInstance_CountMultipliers(const crInstance* instance, crTreeSet set); // m
CR_API crStatus crInstance_GetMultipliers(const crInstance* instance, crTreeSet set, double* outForces);
CR_API crStatus crInstance_ComputeLoopResidual(crInstance* instance, crTreeSet set, double t, const double* y,
                                               const double* yp, const double* multiplierRates, double* outResidual,
                                               double* outConstraints);
// The same with v' - M^-1 (h + G^T lambda') in place of the balance of forces, which serves solvers better: their
// matrices then stay good for more steps. GetLoopSparsity is its pattern.
CR_API crStatus crInstance_ComputeRateResidual(crInstance* instance, crTreeSet set, double t, const double* y,
                                               const double* yp, const double* multiplierRates, double* outResidual,
                                               double* outConstraints);
CR_API crStatus crInstance_GetLoopSparsity(crInstance* instance, crTreeSet set, int otherCount, int* outColumnStarts,
                                           int* outRows, int* outCount);

// ----------------------------------------------------------------------------------------- queries

// Of a model object; at least stage position, velocity, acceleration. In world axes, of the object's origin; that of
// the world for an index that is no object's.
CR_API crPose crInstance_GetPose(const crInstance* instance, int object);
CR_API crMotion crInstance_GetMotion(const crInstance* instance, int object);
CR_API crMotion crInstance_GetAcceleration(const crInstance* instance, int object);

// Force and torque that a joint transmits from its objectA to its objectB, about objectB's origin, in world axes. What
// acts in the joint is part of it; zero for an index that is no joint's.
CR_API crWrench crInstance_GetReaction(const crInstance* instance, int joint); // stage acceleration, in loops report

// The force lambda of a coupling, of which each of its joints gets factor x lambda; stage acceleration. NaN for an
// index that is no coupling's.
CR_API double crInstance_GetCouplingForce(const crInstance* instance, int coupling);

// The value of a variable of the model, by its index (crModel_GetVariable); stage report. What contacts store, what was
// dissipated and what work was done is known to the run that has the instance (crSimulation_GetInstance): of any other
// these are 0, and what is unexplained is NaN.
CR_API double crInstance_GetVariable(const crInstance* instance, int variable);

typedef struct crEnergy {
  double kinetic;   // [J]
  double potential; // [J] of gravity, springs, bushings and elastic stops
  double elastic;   // [J] of contacts; of a whole set only, stage force
} crEnergy;

// What changes the energy of a set: d/dt (kinetic + potential + elastic) = work - dissipation.
typedef struct crPowers {
  double work;        // [W] of drives, prescribed motions, given forces and moving surfaces
  double dissipation; // [W] in dampers, friction and contacts
} crPowers;

// Stage acceleration; force is enough without prescribed motions.
CR_API crPowers crInstance_ComputePowers(const crInstance* instance, crTreeSet set);

typedef struct crMomentum {
  crVec3 linear;  // [N s]
  crVec3 angular; // [N m s] about the world's origin
} crMomentum;

// Of one body, or of a whole set with body < 0. Stage velocity. A body's energy holds that of its joint's springs,
// stops and rotors; that of force elements is in the energy of a set only. The momentum of rotors is not counted.
CR_API crEnergy crInstance_ComputeEnergy(const crInstance* instance, crTreeSet set, int body);
CR_API crMomentum crInstance_ComputeMomentum(const crInstance* instance, crTreeSet set, int body);

// ---------------------------------------------------------------------------------------- contacts
// Which shapes touch is discrete: it changes at events only, so that between events the rates are smooth. Two functions
// of the state tell when it is time for one [NeumayrOtter19c]:
//
//   z1 = max over what touches of the distance                 leaves zero upwards when a contact ends
//   z2 = min over what does not of the distance + 2 epsilon    leaves zero downwards when one begins
//
// with fixed values where there is nothing. At an event a pair touches when its distance is below -epsilon, so a
// contact begins at -2 epsilon and ends at 0.

#define CR_INDICATORS 2 // z1 and z2

// The discrete state of the contacts of a set: who touches whom, and what was frozen when that began.
CR_API crStatus crCreateContacts(const crModel* model, crTreeSet set, const crAllocator* allocator,
                                 crContacts** outContacts);
CR_API void crDestroyContacts(crContacts* contacts);
CR_API crStatus crCopyContacts(const crContacts* from, crContacts* to); // saves and restores: of the same model and set

// z1 and z2 at (t, y); the set has contacts. Costs a broad phase and the distances of what is near.
CR_API crStatus crInstance_ComputeIndicators(crInstance* instance, crTreeSet set, double t, const double* y,
                                             double outZ[CR_INDICATORS]);

// Finds at the instance's state anew what touches, at an event or at the start. The events, contacts
// that began and ended, stay until the next call. The stage of the set is lowered when there are any.
CR_API crStatus crInstance_ResolveContacts(crInstance* instance, crTreeSet set);
CR_API const crContactRecord* crContacts_GetEvents(const crContacts* contacts, int* outCount);

// Impulsive contacts that approach: the rates in y jump until none does, faster than its vMin. The instance is at y
// then. outCount: impulses, one after the other. outLost [J]: what they took out; what walls with prescribed motion and
// moving surfaces put in is not part of it. cr_failNumerics: there was no end to them.
CR_API crStatus crInstance_ResolveImpacts(crInstance* instance, crTreeSet set, double* y, int* outCount,
                                          double* outLost);

// A step of length h ends at the instance's state, stage force: depths, forces and sums of contacts go on, by what was
// evaluated at both ends of the step alone: sums by trapezoids, as accurate as the steps are short.
CR_API void crContacts_CompleteStep(crContacts* contacts, double h);

// One contact as it was evaluated last; stage force. Of an index that is none's the key is -1.
CR_API int crContacts_Count(const crContacts* contacts);
CR_API crContactRecord crContacts_Get(const crContacts* contacts, int index);

// The patch of one that touches by area, likewise: its deepest point, then the corners of its convex outline,
// counterclockwise about the normal, each with its pressure. Returns their number; 0: it touches at a point. Costs
// about two evaluations of the contact.
CR_API int crContacts_FindPatch(const crContacts* contacts, int index, crPatchCorner outCorners[CR_PATCH_CORNERS]);

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

// The same at many points, row by row, for callers whose calls cost more than the function. The status is that of the
// first point that cannot be evaluated, with which it ends; outDone (or NULL): points before it.
typedef struct crPoints {
  int count;
  const double* times;  // (count)
  const double* states; // (count x n)
} crPoints;

CR_API crStatus crInstance_ComputeRatesAt(crInstance* instance, crTreeSet set, const crPoints* points, double* outRates,
                                          int* outDone); // (count x n)
CR_API crStatus crInstance_ComputeInverseDynamicsAt(crInstance* instance, crTreeSet set, const crPoints* points,
                                                    const double* accelerations, double* outForces,
                                                    int* outDone); // both (count x v)
CR_API crStatus crInstance_ComputeMassMatricesAt(crInstance* instance, crTreeSet set, const crPoints* points,
                                                 double* outMatrices, int* outDone); // (count x v x v)
CR_API crStatus crInstance_ComputeFrameJacobiansAt(crInstance* instance, crTreeSet set, const crPoints* points,
                                                   int object, double* outMatrices,
                                                   int* outDone); // (count x v x 6): each by columns
CR_API crStatus crInstance_ComputePosesAt(crInstance* instance, crTreeSet set, const crPoints* points, int object,
                                          crPose* outPoses, int* outDone); // (count)

// ----------------------------------------------------------------------------- inverse kinematics

// Where an object is to be.
typedef struct crReachTarget {
  size_t size;
  int object;              // of the model
  crPose X_WO;             // where it is to be, in the world
  crVec3 point;            // [m] of the object: this point is to be at X_WO.p; zero: its origin
  bool ignoresPosition;    // any place will do
  bool ignoresOrientation; // any orientation will do
} crReachTarget;

CR_API crReachTarget crDefaultReachTarget(int object); // at the origin of the world

typedef struct crReachOptions {
  size_t size;
  double tolerance;                  // [m], [rad] that may be left; 0: 1e-9
  double length;                     // [m] that weighs as much as 1 rad; 0: 1
  int maxSteps;                      // of one attempt; 0: 200
  int maxAttempts;                   // starts, the first at y, others at coordinates all over; 0: 20
  bool ignoresStops;                 // stops of joints are no limits
  const double* lower;               // (v) further limits of coordinates; NaN: none; NULL: none at all
  const double* upper;               // likewise
  bool (*shouldStop)(void* context); // asked before each step; true: cr_cancelled. NULL: nobody is asked
  void* context;
} crReachOptions;

CR_API crReachOptions crDefaultReachOptions(void);

// What came of it.
typedef struct crReachFacts {
  double distance; // [m] largest that is left between a target and its object
  double angle;    // [rad] likewise
  double gap;      // [m] or [rad] largest that is left of a loop
  int attemptCount, stepCount;
} crReachFacts;

// Inverse kinematics: moves the coordinates of y so that all targets are met, within the stops of joints, by damped
// least squares: the nearest way, where there are more coordinates than needed. Loops stay closed. Rates become 0.
// cr_failNumerics, reported with what is left, when it was not found: y is the nearest that was. cr_cancelled, and
// every other failure: y is unchanged. Limits are of coordinates whose rate is their derivative; quaternions have none.
// Takes memory from the instance's allocator while it works. options, outFacts may be NULL.
CR_API crStatus crInstance_ComputeInverseKinematics(crInstance* instance, crTreeSet set, double t,
                                                    const crReachTarget* targets, int targetCount,
                                                    const crReachOptions* options, double* y, const crErrorSink* sink,
                                                    crReachFacts* outFacts);

// ------------------------------------------------------------------------------------- equilibrium

typedef struct crEquilibriumOptions {
  size_t size;                       // sizeof(crEquilibriumOptions); all else zero is the default
  bool (*shouldStop)(void* context); // asked before each step of the search; true: cr_cancelled. NULL: nobody is asked
  void* context;
} crEquilibriumOptions;

CR_API crEquilibriumOptions crDefaultEquilibriumOptions(void);

// Moves y to a static equilibrium: all rates 0, all accelerations 0 at time t. The search starts at y's coordinates and
// goes where forces do work, so it ends in a stable equilibrium unless it starts in another one; where several are
// near, as for a ball on a table, little is moved. Joints whose friction sticks stay where they are, with the stretch
// that carries their load; where that is too much they slide to where it is not. Coupled joints move together, clutches
// and brakes hold, motors have the current of their voltage. Joints that close loops are refused. cr_failNumerics with
// the worst joint by name when none is found, cr_cancelled when the search was asked to stop: y is unchanged then.
// Takes memory for three matrices (v x v) from the instance's allocator while it searches. options NULL: the default.
CR_API crStatus crInstance_ComputeEquilibrium(crInstance* instance, crTreeSet set, double t, double* y,
                                              const crEquilibriumOptions* options, const crErrorSink* sink);

// Entries of df/dy, and of dF/dy + c dF/dy', that can differ from zero, for solvers: columns compressed, rows
// ascending. outColumnStarts (n + 1) and outRows (count) may be NULL, to learn the count first.
CR_API crStatus crModel_GetSparsity(const crModel* model, crTreeSet set, int* outColumnStarts, int* outRows,
                                    int* outCount);

#ifdef __cplusplus
}
#endif

#endif
