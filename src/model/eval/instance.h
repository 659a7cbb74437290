// The inside of an instance: one memory block that starts with this struct.
//
// Every array belongs to one stage and to the bodies, degrees of freedom or states of trees, so that sets of trees that
// do not overlap share nothing. All vectors are in world axes, all motions and wrenches of a body about the origin of
// its own frame Bo: moving a quantity from body to body takes no rotation. Body 0, the world, is written at creation
// only.
#ifndef CR_MODEL_EVAL_INSTANCE_H
#define CR_MODEL_EVAL_INSTANCE_H

#include "carom/instance.h"
#include "model/model.h"
#include "solve/problem.h"

#define CR_INPUT_ORDERS 3 // derivatives by time that an input may have

// States of a free body: position of its origin, quaternion, velocity of its origin, angular velocity, all in the
// world.
#define CR_FREE_STATES 13
#define CR_FREE_QUATERNION 3
#define CR_FREE_VELOCITY 7
#define CR_FREE_SPIN 10

// Where a body is.
typedef struct crPlace {
  crLanes33 R; // R_WL, axes of the link
  crLanes p;   // [m] p_WB
  crLanes r;   // [m] p_PB, from the parent's origin
} crPlace;

// Rigid inertia about Bo.
typedef struct crRigid {
  crLanes33 I; // [kg m^2]
  crLanes h;   // [kg m] mass times the vector from Bo to the centre of mass
} crRigid;

// What a body and all behind it oppose to an acceleration of Bo, with the joints behind it free to move:
//
//   t = I w' + G^T v' + bias.t,   f = G w' + M v' + bias.f
typedef struct crArticulated {
  crLanes33 I, G, M;
  crWrenchL bias;
} crArticulated;

// The way back from an acceleration of the parent to that of a degree of freedom, see articulated.c.
typedef struct crPivot {
  crWrenchL Z;              // about the parent's origin
  double y;                 // share of the force
  double pivot;             // what was left of the diagonal: > 0
  double L[CR_MAX_JOINT_V]; // row of the joint's factor; revolute joints do without
} crPivot;

// What calls a function, and how a call went wrong last.
typedef struct crCaller {
  void* object; // NULL: not made
  bool hasFault;
  crStatus faultStatus;
  double faultTime, faultValue; // [s], and what it returned
} crCaller;

// A guide of a cable in the world: where the cable meets and leaves it.
typedef struct crWrap {
  crVec3 centre;
  crVec3 x, y; // axes across that of a pulley, the cable going from x to y
  crVec3 in, out;
  double angleIn, angleOut; // [rad] from x
  double radius;            // [m] >= 0; 0: a point
  double arc;               // [m] along the pulley
  bool isPassed;            // the cable goes by without touching the pulley
} crWrap;

typedef struct crCable {
  double tension, length, energy; // [N], [m], [J]
  double dissipation;             // [W]
} crCable;

// A coupling that gives way, a clutch, a brake or a motor.
typedef struct crElastic {
  double force;       // of which joints get their factors
  double deflection;  // what its sum is beyond the offset; stretch of a clutch or brake; [A] current of a motor
  double dissipation; // [W]
  double work;        // [W] that a motor takes from its terminals
  double stateRate;   // of its state, where it has one
} crElastic;

// Energies that the instance cannot compute: of contacts, and since the start. A run tells them at its output points.
typedef struct crLedger {
  double elastic;          // [J] of contacts
  double dissipated, work; // [J] since the start
  double start;            // [J] kinetic, potential and elastic at the start; NaN: there was none
} crLedger;

struct crInstance {
  size_t byteCount;
  crAllocator allocator;
  const crModel* model;

  crStage* stages; // (treeCount)
  double* times;   // (treeCount, at least 1) [s]
  double* phases;  // (treeCount) [s] whose pieces of signals are used; NaN: those at the time
  double* y;       // (stateCount + CR_MOTION_SIZE motionCount) prescribed coordinates lie behind the states

  crSignalValue* signals; // (signalCount) each at the stage of its level

  // held until they are set, or until a tick; they belong to the tree that owns the signal
  double* inputs;     // (inputCount)
  double* inputRates; // (CR_INPUT_ORDERS inputCount) derivatives by time of inputs that are not held, the first, the
                      // second, ...
  double* inputTimes; // (inputCount) [s] at which these have their values
  bool hasInputRates; // some are not 0
  double* discrete;   // (discreteCount) of each sampled function its value, then its states

  crCaller* callers;      // (functionCount)
  double* arguments;      // (argumentCount)
  double* faultArguments; // (argumentCount) of the calls that went wrong
  double* nextDiscrete;   // (discreteCount) while functions are sampled

  // stage position
  double *angles, *sines, *cosines; // (bodyCount) of revolute joints
  crPlace* places;                  // (bodyCount)
  crRigid* rigids;                  // (bodyCount)
  crMotionL* S;                     // (vCount + motionCount) motion of the joint's far side per rate, about Bo

  // stage velocity
  crMotionL* V;  // (bodyCount)
  crMotionL* A0; // (bodyCount) acceleration with all v' = 0, in a frame that falls with uniform gravity

  // stage force
  double* tau;           // (vCount) of the laws of joints
  double* rotor;         // (vCount) [kg m^2] or [kg] reflected inertia; constant
  crWrenchL* F;          // (bodyCount) force elements and gravity of a point mass
  crWrenchL* biases;     // (bodyCount) wrench that the body needs to move with A0, less F
  crWrap* wraps;         // (guideCount) of cables
  crCable* cables;       // (cableCount)
  crElastic* elastics;   // (crCountElastics) couplings that give way
  double* elasticPushes; // (jointCount, 0 without such couplings and drums) what they exert on coordinates

  double* bristleDampings; // (bristleCount) [N m s/rad] or [N s/m]; constant
  double* clutchDampings;  // (crCountElastics) likewise, of clutches and brakes; else 0
  double* clutchRates;     // (jointCount, 0 without clutches) [rad/s] or [m/s] at which the first of its clutches and
                           // brakes begins to slide by its damper alone; constant
  const double* statics;   // (crCountElastics) while an equilibrium is searched for: stretch less sum of clutches and
                           // brakes, whose states do not count then, neither those of motors; else NULL

  // stage acceleration
  crArticulated* articulated; // (bodyCount)
  crPivot* pivots;            // (pivotCount)
  double* vdot;               // (vCount)
  crMotionL* A;               // (bodyCount) acceleration beyond A0

  // scratch
  crWrenchL* W;  // (bodyCount)
  double* rates; // (stateCount)
  double* steps; // (treeCount)
  int* marks;    // (3 treeCount)
  int* entries;  // (treeCount) first entry of a tree's columns in a rate matrix

  struct crLoops* loops; // NULL: no loops; see loop.h
  crLedger ledger;
};

void crInstance_SetLedger(crInstance* instance, crLedger ledger);
// All energies of the whole model; stage velocity.
void crInstance_GetEnergies(const crInstance* instance, double outEnergies[CR_ENERGY_VARIABLES]);

// After the state of a set was changed in place: nothing computed from it holds any more.
void crLowerStages(crInstance* instance, crTreeSet set);

// Stages, one tree at a time; cr_retry when not finite. Forces are of a whole closed set.
// Those signals of a level that the tree owns.
// contacts: of the set, for sensors; or NULL
crStatus crEvalSignals(crInstance* instance, int tree, crSignalLevel level, const crContacts* contacts);
double crReadSensor(const crInstance* instance, const crSignal* sensor,
                    const crContacts* contacts); // at the stage that its level needs
// range.c: of solids; stage position. The normal where the sensor's quantity is none of the others.
double crReadDistance(const crInstance* instance, const crSignal* sensor, crVec3* outNormal);
double crReadRay(const crInstance* instance, const crSignal* sensor, crVec3* outNormal);
void crPrescribeMotions(crInstance* instance, int tree); // coordinates from signals: before its position
crStatus crEvalPosition(crInstance* instance, const crTree* tree);
void crEvalVelocity(crInstance* instance, const crTree* tree);
crStatus crEvalForces(crInstance* instance, crTreeSet set);
crStatus crEvalAcceleration(crInstance* instance, const crTree* tree);

// The two halves of the last, for trees in loops: articulated inertias and pivots; accelerations from the pivots' y.
bool crArticulateTree(crInstance* instance, const crTree* tree);
void crAccelerateTree(crInstance* instance, const crTree* tree);

// The articulated inertia of one body and its joint's pivots, handed on to its parent. A degree of freedom whose pivot
// is not above its floor (NULL: zero) is locked, and false returned.
bool crArticulateBody(crInstance* instance, int body, const double* floors);

// Whether every joint can be accelerated at so many random poses, between the stops of joints: each that cannot is
// reported at the first such pose. The state is that of the start afterwards.
bool crInstance_IsDefinite(crInstance* instance, int poseCount, const crErrorSink* sink);
void crLockBody(crInstance* instance, int body); // the same with the joint locked: gives composite inertias

// Joint forces for given accelerations, of one tree at stage force; both (vCount of the tree).
void crComputeTreeForces(crInstance* instance, int tree, const double* vdot, double* outForces);

// S . (composite inertia) S of every degree of freedom of a tree at stage position. Uses articulated as scratch.
void crComputeTreeDiagonal(crInstance* instance, int tree, double* outDiagonal);

// q' = N(q) v of one tree, at any stage; and all of its rates, at stage acceleration.
void crComputeCoordinateRates(const crInstance* instance, const crTree* tree, double* outRates);
void crGetTreeRates(const crInstance* instance, int tree, double* outRates);

// Range and order of a set. Whether it is closed is for the caller to know: crModel_IsClosed.
bool crIsTreeSet(const crModel* model, crTreeSet set);

// Rates and powers for islands, which are asked for at every stage of every step: arguments are not checked.
crStatus crComputeRates(crInstance* instance, crTreeSet set, double t, const double* y, double* outRates);

// Stage velocity of trees without states, which close no loops, at a time: what drives them follows from that alone.
crStatus crMoveGiven(crInstance* instance, crTreeSet set, double t);
crPowers crComputePowers(const crInstance* instance, crTreeSet set);

// Whether there is an instance, and the set is one of its model.
static inline bool crCanEvaluate(const crInstance* instance, crTreeSet set)
{
  return instance != NULL && crIsTreeSet(instance->model, set);
}

// Whether a tree is a free body whose orientation nothing depends on; what it takes stands in model/round_tree.c.
bool crModel_IsRoundTree(const crModel* model, int tree);

// The structure of f of a set's states, for crStructure. outRateOf: (n) which state is the rate of a coordinate, that
// of free bodies' positions and of joints without quaternion; -1: none. Spins: of the round trees; outSpins may be
// NULL, to learn their number.
void crModel_GetRateOf(const crModel* model, crTreeSet set, int* outRateOf);
int crModel_GetSpins(const crModel* model, crTreeSet set, crSpin* outSpins);

// df/dy of a set at (t, y), in the order of crModel_GetSparsity, of which the set's contacts are part: for sets of free
// bodies on which nothing acts but uniform gravity and contacts. Exact for balls on planes and on each other; of other
// shapes the turning of normals and arms with the motion is left out, which an implicit method hardly notices.
bool crModel_HasRateMatrix(const crModel* model, crTreeSet set);
crStatus crInstance_ComputeRateMatrix(crInstance* instance, crTreeSet set, double t, const double* y,
                                      double* outValues);

// outY = y with its coordinates moved by factor x d (degrees of freedom of the set), small displacements. outY may not
// be y. The instance is at y then, its rates are not.
void crDisplace(crInstance* instance, crTreeSet set, double t, const double* y, const double* d, double factor,
                double* outY);

// What a state of a tree is.
typedef struct crStatePlace {
  int signal;   // whose state it is, else -1
  int bristle;  // likewise
  int coupling; // likewise
  int joint;    // -1 with one of these
  int index;    // of the coordinate or rate in its joint
  bool isRate;
} crStatePlace;
crStatePlace crLocateState(const crModel* model, int tree, int state);
double crGetNominal(const crModel* model, crStatePlace place);

// [kg m^2] or [kg] Inertia that a rotor adds to degree of freedom i.
static inline double crGetRotor(const crModel* model, const crModelJoint* joint, int i)
{
  const crJointLaw* law = crGetJointLaw(model, joint);
  return law != NULL ? law->rotorInertia[i] * law->gearRatio[i] * law->gearRatio[i] : 0.0;
}

// Makes the callers of all functions, with what they keep at its start values; and gives them back.
// An input goes on as a polynomial, with these derivatives at time t, until it is set again.
void crInstance_SetInputRates(crInstance* instance, int input, double t, const double rates[CR_INPUT_ORDERS]);
bool crInstance_IsHeld(const crInstance* instance, int input); // its derivatives are 0
double crInstance_ComputeInput(const crInstance* instance, int input, double t);

crStatus crCreateCallers(crInstance* instance, const crErrorSink* sink);
crStatus crStartCallers(crInstance* instance, const crErrorSink* sink); // of functions that have to be started
// What functions remember beside their states goes to those of the same names in another instance.
crStatus crInstance_PassMemory(const crInstance* from, crInstance* to);
void crDestroyCallers(crInstance* instance);

// Calls the function of a signal, its arguments being evaluated. cr_retry: not finite.
crStatus crCallFunction(crInstance* instance, const crSignal* signal, double t, double* states, double* outValue);

// x' of the signals with a state, of joints that stick, of clutches, brakes and motors (auxCount); stage force.
void crGetAuxiliaryRates(const crInstance* instance, const crTree* tree, double* outRates);

// Coordinate, rate and acceleration of a degree of freedom of any joint, cut or not. A coordinate is that of the same
// index as the rate, and there is none with a quaternion.
double crGetCoordinate(const crInstance* instance, int joint, int i); // i < qCount; stage position
double crGetRate(const crInstance* instance, int joint, int i);       // stage velocity
double crGetJointAcceleration(const crInstance* instance, int joint, int i);

// The force or torque that a drive or prescribed motion exerts in its joint; stage acceleration.
double crGetDrive(const crInstance* instance, int joint);

// The force that the law of a joint exerts in degree of freedom i, and the potential energy it stores there.
double crComputeLawForce(const crInstance* instance, const crModelJoint* joint, int i, bool hasCoordinate, double q,
                         double v);
double crComputeLawEnergy(const crInstance* instance, const crModelJoint* joint, int i, double q);

// Friction that sticks, at a rate of its joint; see joint_friction.c. The dampers of all, at the start position, those
// of clutches and brakes included.
typedef struct crStick {
  double force;       // [N m] or [N] against the joint
  double rate;        // [rad/s] or [m/s] of the stretch
  double dissipation; // [W] >= 0
} crStick;
typedef struct crStickLaw {
  double damping;                      // c
  double friction, frictionStatic;     // F_k, F_s
  double frictionStiffness, fadeSpeed; // k, v_fade
} crStickLaw;
crStick crComputeSlider(const crStickLaw* law, double stretch, double v);
crStick crComputeStick(const crInstance* instance, int bristle, double v);
void crFillBristleDampings(crInstance* instance);

// driveline.c: force, losses and rates of clutches, brakes and motors, at their sum and its rate.
bool crIsDriveline(const crModelCoupling* coupling);
crElastic crComputeDriveline(const crInstance* instance, int index, double sum, double rate);
double crComputeDrivelineEnergy(const crInstance* instance, int index); // [J] that it stores

// Whether something exerts generalized forces on coordinates by itself.
static inline bool crHasPushes(const crModel* model)
{
  return crCountElastics(model) > 0 || model->drumCount > 0;
}
void crPushJoint(crInstance* instance, int joint, double force); // elastic.c: adds one, to tau or F

// cable.c: forces of a cable; false: not finite, or there is no way. And what it stores [J], at stage position.
bool crApplyCable(crInstance* instance, const crModelForce* force);
double crComputeCablePotential(const crInstance* instance, const crModelForce* force);

// elastic.c: forces of couplings that give way and belong to a tree, added to tau and F; stage force, velocities being
// known. crClearElastics before those of a set. False: not finite.
void crClearElastics(crInstance* instance, int tree);
bool crApplyElastics(crInstance* instance, int tree);
double crComputeElasticPotential(const crInstance* instance, int index); // [J] of a coupling; stage position

// That of a force element; stage position.
double crComputeElementPotential(const crInstance* instance, const crForceEnds* ends);

static inline int crTreeStateCount(const crTree* tree)
{
  return tree->qCount + tree->vCount + tree->auxCount;
}

// The pose of a body's own frame. Only links on revolute joints have axes of their own.
static inline crPose crGetBodyPose(const crInstance* instance, int body)
{
  crMat3 R_WL = crFromLanes33(instance->places[body].R);
  if (instance->model->links[body].path != cr_pathRevolute) {
    return (crPose){ R_WL, crFromLanes(instance->places[body].p) };
  }
  crPose X_WB = { crMulMM(R_WL, crTranspose(instance->model->linkAxes[body])), crFromLanes(instance->places[body].p) };
  return X_WB;
}

static inline crWrenchL crMulArticulated(const crArticulated* B, crMotionL a)
{
  crWrenchL F = { crMulL(B->I, a.w) + crMulL(crTransposeL(B->G), a.v), crMulL(B->G, a.w) + crMulL(B->M, a.v) };
  return F;
}

// t = I w' + h x v',  f = w' x h + m v'
static inline crWrenchL crMulRigid(const crRigid* rigid, double mass, crMotionL a)
{
  crWrenchL F = { crMulL(rigid->I, a.w) + crCrossL(rigid->h, a.v), crCrossL(a.w, rigid->h) + a.v * mass };
  return F;
}

// The same wrench about the parent's origin, r from there to Bo.
static inline crWrenchL crShiftWrench(crWrenchL F, crLanes r)
{
  crWrenchL shifted = { F.t + crCrossL(r, F.f), F.f };
  return shifted;
}

#endif
