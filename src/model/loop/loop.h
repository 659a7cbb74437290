// Constraints between the trees of an instance: the joints that were cut to open loops, and couplings.
//
// A cut joint constrains the motion V_AB of its objectB relative to its objectA, about B's origin:
//
//   g(q, t) = 0,    g' = G v + g_t = W . V_AB - m'(t),    g'' = G v' + W . (A_AB - S' u) - m''(t)
//
// W are the wrenches that the joint can transmit (joint_kind.h), S its columns, u its rates. The last one uses that no
// such wrench does work along a motion that the joint allows: (W . S)' = 0, so W' . V_AB = -W . S' u. That is exact
// where the loop is closed, at positions and velocities. A prescribed motion m(t) of a cut joint is one more row, with
// the wrench that does work on its coordinate alone.
//
// A coupling, g = sum of factor q - offset, is a cut of one row. Its force is no wrench on bodies but acts along
// coordinates: the factor is the `push` of the joint on the row's path, added to S^T K below. A coupled joint that is
// itself cut gets the wrench that does work on its coordinate, times the factor.
//
// Everything is found through the trees. A row r is a wrench K on both of its bodies. Inwards, joint by joint, with
// the factors of the articulated-body algorithm (articulated.c), D = L L^T, Z = U L^-T,
//
//   k = L^-1 (S^T K + push),    K_P += X^T K - (X^T Z) k
//
// and the share of that joint in G M^-1 G^T is k k^T: A = sum over joints of k k^T. With unit inertias in the joints,
// k = sqrt(w) (S^T K + push) and K_P += X^T K, the same sum is G W G^T, which depends on geometry alone. Cuts are
// numbered so that A has a narrow envelope: for a chain of loops its factorization takes a time proportional to their
// number.
#ifndef CR_MODEL_LOOP_LOOP_H
#define CR_MODEL_LOOP_LOOP_H

#include "base/archive.h"
#include "base/memory.h"
#include "model/eval/instance.h"

#define CR_BRANCH_SAMPLES 10 // positions from which the state near a singular one is interpolated
// [-] Weakness of a cut below which it is: at 0.02 to 0.04 of the loop's size, where rounding makes accelerations of
// 1e-9
#define CR_BRANCH_ZONE 2e-4
#define CR_MAX_ROWS 6 // of a cut joint: its constraints, and a row for each coordinate that is prescribed or kept

// A body between a cut joint, or a coupled one, and the world. Entries of a cut are ordered from the highest body to
// the lowest, so that children come first.
typedef struct crPathEntry {
  int body;
  int parent;    // entry of the same cut; -1: the world
  int dofStart;  // of its joint's degrees of freedom among those of the cut's path
  bool isCommon; // its joint does not change the constraint: it carries both sides, or is not coupled
  double side;   // +1: carries B, -1: carries A, 0: both
  double push;   // of a coupling: factor of its joint, else 0
} crPathEntry;

typedef struct crCut {
  crLanes33 R_LA, R_LB;          // axes of objectA and objectB in those of their links
  crLanes p_LA, p_LB;            // [m] their origins there
  crLanes33 R_WA;                // of objectA
  crLanes p_WB;                  // [m] origin of objectB
  crLanes r_A, r_B;              // [m] to there from the origins of both bodies
  crWrenchL rows[CR_MAX_ROWS];   // on B about B's origin, in world axes
  crWrenchL duals[CR_MAX_ROWS];  // (vCount) wrenches that do work on one coordinate each
  crMotionL motionBias;          // S' u
  double g[CR_MAX_ROWS];         // [m] or [rad]
  double rates[CR_MAX_ROWS];     // g' [m/s] or [rad/s]
  double biases[CR_MAX_ROWS];    // g'' with all v' = 0
  double lambda[CR_MAX_ROWS];    // in the order of `order`: force on B along the row
  double reaction[CR_MAX_ROWS];  // of all rows, as they are numbered; stage report
  double u[CR_MAX_JOINT_V];      // rates of the joint
  double q[CR_MAX_JOINT_Q];      // its coordinates, whole turns counted
  double memory[CR_MAX_JOINT_Q]; // coordinates at the last completed step, from which turns are predicted
  double memoryRates[CR_MAX_JOINT_V];
  double memoryTime;     // [s] NaN: none yet
  double coordinateBias; // second derivative of the first coordinate with all v' = 0
  double length;         // [m] size of its loop where rows were chosen, to compare angles with lengths; a coupling's: 1
  double size;           // of a coupling: what its residual is compared with, the sum of its terms
  double savedLength;    // [m] of that while reactions are shared, which use the present one
  double scale;          // of A's diagonal, for ranks
  double weakness;       // [-] least pivot of A's last factor over its largest diagonal: 0 in singular positions
  int joint;             // -1: a coupling
  int coupling;          // -1: a joint
  int bodyA, bodyB;      // of a coupling: the world, and a body that it acts on
  int rowStart;          // of its rows among all of all cuts
  int entryStart, entryCount; // of its path
  int dofStart, dofCount;     // of the path's degrees of freedom
  int couplingStart, couplingCount;
  int first;            // first cut that it is coupled with; itself if none
  size_t envelopeStart; // of its rows in the envelope
  int envelopeWidth;
  int constraintCount;              // of its kind
  int rowCount;                     // and of a prescribed motion
  int allRowCount;                  // with those coordinates that are kept while the loop is assembled
  int activeCount;                  // rows in use
  int savedCount;                   // of those while others are looked at
  int activeStart;                  // of its rows among those in use of its component
  unsigned char order[CR_MAX_ROWS]; // rows in use first
} crCut;

// What a cut and its component keep from step to step.
typedef struct crCutMemory {
  double q[CR_MAX_JOINT_Q], rates[CR_MAX_JOINT_V], time;
  double length;
  int activeCount, evasions;
  unsigned char order[CR_MAX_ROWS];
  bool isWeak;
} crCutMemory;

typedef struct crLoops {
  crArena arena; // all memory below
  int cutCount, entryCount, dofCount, rowCount;
  crStage* stages; // (treeCount) of the cuts that a tree owns
  int* treeCuts;   // (treeCount + 1) first cut of the component that a tree is the first of
  crCut* cuts;     // (cutCount) by component, then so that coupled ones are near
  int* cutOfLoop;  // (cutCount) place of the model's loop in cuts, then of couplings
  double* pushes;  // (jointCount) what couplings exert on a coordinate; stage acceleration
  int* couplings;  // cuts before it that a cut is coupled with, ascending
  crPathEntry* entries;
  crWrenchL* K;                // (entryCount x CR_MAX_ROWS)
  double* k;                   // (dofCount x CR_MAX_ROWS) by degree of freedom of the path
  double* roots;               // (dofCount) what `y` of a pivot is to be multiplied with
  double* envelope;            // the factor's rows
  double* solution;            // (rowCount) of the linear equations
  double* scratch;             // (6 rowCount)
  double* weights;             // (vCount) square roots of the weights of geometry
  double* changes;             // (vCount) of coordinates or rates
  double* saved;               // (vCount) rates while others are in their place
  crWrenchL* reactions;        // (bodyCount) transmitted by the joint of a body, about its origin; stage report
  int* marks;                  // (bodyCount) while a pattern is made
  bool* isLooped;              // (treeCount) the tree is in a component with loops
  int *members, *memberStarts; // (treeCount), (treeCount + 1) trees by component, by the component's first tree
  bool* isDriven;              // (treeCount) of first trees: a joint of the component has a prescribed motion
  double *base, *slopes;       // (stateCount) where samples of a branch start: state, and rates of coordinates
  double* samples;   // (CR_BRANCH_SAMPLES x (stateCount + vCount)) states less that along the slopes; accelerations
  double* freeRates; // (vCount) accelerations without loops, and then with them
  bool* isFollowed;  // (treeCount) accelerations of the component are those of a branch
  bool* isWeak;      // (treeCount) the last completed step ended near a singular position of the component
  int* evasions;     // (treeCount) steps since then that would have ended near one, and were refused
} crLoops;

// cr_ok with *outLoops NULL: the model has none.
crStatus crCreateLoops(const crModel* model, const crAllocator* allocator, crLoops** outLoops);
void crDestroyLoops(crLoops* loops);

static inline crCut* crFindCut(const crInstance* instance, int joint)
{
  crLoops* loops = instance->loops;
  return &loops->cuts[loops->cutOfLoop[joint - (instance->model->size.bodyCount - 1)]];
}

static inline crCut* crFindCoupling(const crInstance* instance, int coupling)
{
  crLoops* loops = instance->loops;
  return &loops->cuts[loops->cutOfLoop[instance->model->size.cutJointCount + coupling]];
}

static inline bool crIsCoupling(const crCut* cut)
{
  return cut->coupling >= 0;
}

// Angles count as lengths at the size of the loop; a coupling's row is its own measure.
static inline double crRowScale(const crCut* cut, int row)
{
  bool isAngle = crDotL(cut->rows[row].f, cut->rows[row].f) == 0.0;
  return isAngle && !crIsCoupling(cut) ? cut->length : 1.0;
}

// What the residual of a row is compared with.
static inline double crRowSize(const crCut* cut, int row)
{
  bool isLength = crDotL(cut->rows[row].f, cut->rows[row].f) > 0.0;
  return crIsCoupling(cut) ? cut->size : isLength && cut->length > 0.0 ? cut->length : 1.0;
}

// Cuts whose component a tree is the first of, from the first up to the end; none for other trees.
static inline crCut* crFirstCut(const crLoops* loops, int tree)
{
  return loops->cuts + loops->treeCuts[tree];
}

static inline crCut* crEndCut(const crLoops* loops, int tree)
{
  return loops->cuts + loops->treeCuts[tree + 1];
}

// Kinematics of the cuts of a component, whose trees are at that stage.
void crEvalCuts(crInstance* instance, int tree, bool ofPosition, bool ofVelocity);

// coupling.c: likewise of one coupling, once all cut joints of its component are evaluated.
void crEvalCoupling(const crInstance* instance, crCut* cut, bool ofVelocity);
// The wrench of a coupling's row in use on a joint of it that is cut, on its objectB about B's origin.
crWrenchL crFindTermWrench(const crInstance* instance, const crCouplingTerm* term);
// Fills pushes from the forces of all couplings of a component.
void crSumPushes(crInstance* instance, int tree);
// What rigid couplings exert on a joint's coordinate; stage acceleration. And all of them.
double crGetRigidPush(const crInstance* instance, int joint);
double crGetPush(const crInstance* instance, int joint);

// How far a cut joint is open; stage position.
void crMeasureGap(const crInstance* instance, const crCut* cut, double* outMetres, double* outRadians);

// Forces of laws and drives of cut joints, added to F; and those of one on its objectB, about B's origin.
void crApplyCutForces(crInstance* instance, int tree);
crWrenchL crFindCutForce(const crInstance* instance, const crCut* cut);
void crAddCutWrench(crInstance* instance, const crCut* cut, crWrenchL W); // of any such force, to F of both bodies

// The force that prescribes the motion of a cut joint; stage acceleration.
double crGetMotionForce(const crCut* cut);

// The rows of a component through its trees, and the factor of A.
typedef enum crRowMode {
  cr_rowsDynamic,   // articulated inertias: stage acceleration, or after crArticulateTree
  cr_rowsGeometric, // the loops' weights; stage position is enough
} crRowMode;
void crPropagateRows(crInstance* instance, int tree, crRowMode mode);
// Chooses among the rows those that do not depend on others: `order`, `activeCount` and A's factor in geometric mode.
void crChooseRows(crInstance* instance, int tree);
// A + ridge, of the rows in use. Returns the number of rows whose pivot vanished: they are left out of solutions.
int crFactorRows(crInstance* instance, int tree, crRowMode mode, double ridge);
// solution := A^-1 solution
void crSolveRows(crInstance* instance, int tree);

// Where crSolveRows takes the right-hand side and leaves the solution, in the order of the rows in use.
double* crGetSolution(crInstance* instance, int tree);

// Adds G^T solution to the pivots' y of a component. crAccelerateLooped makes M^-1 (...) of them: vdot.
void crAddRowForces(crInstance* instance, int tree, double sign);
void crClearPivotForces(crInstance* instance, crTreeSet set);

// Of those trees of a set that are in loops; false: an inertia is not positive, a number not finite.
bool crArticulateLooped(crInstance* instance, crTreeSet set);
bool crAccelerateLooped(crInstance* instance, crTreeSet set);

// lambda and accelerations of all trees of the set that are in loops; stage force.
crStatus crEvalLoopedAccelerations(crInstance* instance, crTreeSet set);

static inline bool crOwnsCuts(const crLoops* loops, int tree)
{
  return loops->treeCuts[tree] < loops->treeCuts[tree + 1];
}

// Reactions of all joints of a component at stage acceleration. Where rows were left out the forces are not determined:
// of all that balance the motion, those are found whose squares over all joints of the loops are least.
void crShareReactions(crInstance* instance, int tree);

// Chooses the rows in use at the present position of a set.
void crChooseAllRows(crInstance* instance, crTreeSet set);

// Chooses the rows in use of all components from the start values, as near to a closed position as can be found.
void crFindRows(crInstance* instance);

// Moves the state of a set by `changes` (vCount) of all degrees of freedom: coordinates, or rates. Lowers its stage.
void crMoveCoordinates(crInstance* instance, crTreeSet set, const double* changes);
void crMoveRates(crInstance* instance, crTreeSet set, const double* changes);

// All trees of the component that a tree is the first of, a closed set.
static inline crTreeSet crGetComponent(const crLoops* loops, int tree)
{
  const int* members = loops->members + loops->memberStarts[tree];
  return (crTreeSet){ .trees = members, .treeCount = loops->memberStarts[tree + 1] - loops->memberStarts[tree] };
}

// Whether a cut of a component is nearer to a singular position than that, where A was factorized last.
bool crIsWeak(const crInstance* instance, int tree, double share);

// The rows in use of a set through its trees, and A's factor, at stage position; false: not finite.
bool crPrepareRows(crInstance* instance, crTreeSet set);

// vdot := -M^-1 G^T A^-1 x, x being the residuals or the rates of the rows in use, which are prepared.
bool crSolveRowChange(crInstance* instance, crTreeSet set, bool ofRates);

// Newton's method to closed positions, from a position whose rows are prepared.
crStatus crClosePositions(crInstance* instance, crTreeSet set);

// Moves the state of a component near a singular position onto the branch of motion that it is on: branch.c. With
// `hasFree` freeRates becomes accelerations, from those without loops. False: not possible, and the state is as before.
bool crFollowBranch(crInstance* instance, crTreeSet component, bool hasFree);

// Moves the state of a set at stage acceleration onto closed loops, and evaluates it again, where it is so near to a
// singular position that its drift would be magnified.
crStatus crRefineWeak(crInstance* instance, crTreeSet set);

// What the cuts of the component that a tree is the first of keep from step to step, into their places among those of
// all cuts (crCountCuts), and back; nothing for other trees, and without loops.
void crInstance_KeepCuts(const crInstance* instance, int tree, crCutMemory* outMemories);
void crInstance_RestoreCuts(crInstance* instance, int tree, const crCutMemory* memories);

// Of all trees.
void crInstance_KeepAllCuts(const crInstance* instance, crCutMemory* outMemories);
void crInstance_RestoreAllCuts(crInstance* instance, const crCutMemory* memories);

// instance_archive.c: such memories (crCountCuts); and all that an instance remembers beside its state, with places
// for those as scratch, where a reader finds them afterwards.
void crArchiveCuts(crArchive* archive, const crInstance* instance, crCutMemory* memories);
void crInstance_Archive(crArchive* archive, crInstance* instance, crCutMemory* scratch);

// Keeps the turns and rates that joints have, of a component at stage velocity.
void crRememberTurns(crInstance* instance, int tree);

#endif
