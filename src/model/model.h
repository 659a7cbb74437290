// The inside of a model: one memory block that starts with this struct. Every pointer points into the
// block, so a model needs nothing but itself, and one call frees it.
#ifndef CR_MODEL_MODEL_H
#define CR_MODEL_MODEL_H

#include "carom/model.h"
#include "geometry/shape.h"
#include "joint/joint_kind.h"
#include "model/link.h"
#include "model/signal.h"
#include "model/table.h"

// Scalars that every object has: position, orientation, velocity, angular velocity.
#define CR_OBJECT_VARIABLES 13
#define CR_SIGNAL_SUFFIX "value"
#define CR_MOTION_SIZE 3 // places behind the states: position, velocity, acceleration

// Bodies: parent < child, those of a tree follow each other, body 0 is the world. Objects and contact
// shapes are ordered by body. Joint i < bodyCount - 1 moves body i + 1; the cut joints follow.
struct crModel {
  size_t byteCount; // of the whole block
  crAllocator allocator;
  crModelSize size;
  crGravity gravity;
  crRunOptions run; // its patterns lie in the block
  const char** patterns;

  crModelObject* objects;    // (objectCount)
  crBody* bodies;            // (bodyCount)
  crTree* trees;             // (treeCount)
  crModelJoint* joints;      // (jointCount)
  crLoop* loops;             // (cutJointCount)
  int* loopBodies;           // (sum of the loops' bodyCount)
  crModelForce* forces;      // (forceCount)
  crCurvePoint* curvePoints; // (curvePointCount) what forces point to
  size_t curvePointCount;

  crContactShape* contactShapes; // (shapeCount)
  crShape* shapes;               // (shapeCount) what contactShapes point to; their hulls lie in the block
  crContactMaterial* materials;  // (materialCount)
  crContactLaw* laws;            // (lawCount) of the pairs of materials that can meet
  crExcludedBodies* excluded;    // (excludedCount) sorted
  int materialCount, lawCount, excludedCount;
  crKeyTable lawTable;      // pair of materials -> index into laws
  crKeyTable excludedTable; // pair of bodies -> index into excluded

  // for evaluation
  crLink* links;          // (bodyCount) the world's is not used
  int pivotCount;         // degrees of freedom with pivots; bodies that are left alone share the last ones
  crMat3* linkAxes;       // (bodyCount) R_BL
  int* allTrees;          // (treeCount) 0, 1, 2, ...
  int* treeDofs;          // (treeCount + 1) first degree of freedom
  int* components;        // (treeCount) the first of the trees that a tree is coupled with
  int* componentTrees;    // (treeCount) number of trees in its component
  int* forceComponents;   // (treeCount) likewise the first of those that are coupled by more than joints
  int* bodyShapes;        // (bodyCount + 1) first contact shape
  bool* areAlone;         // (treeCount) one free body that nothing but uniform gravity and contacts act on or look at
  bool* areRound;         // (treeCount) see crModel_IsRoundTree
  crJointLaw* jointLaws;  // (jointLawCount)
  int jointLawCount;      // of tree and cut joints
  int* lawBodies;         // (jointLawCount) bodies whose joint has a law
  int* treeLaws;          // (treeCount + 1) first of lawBodies
  crForceEnds* forceEnds; // (forceCount)
  int* treeForces;        // (treeCount + 1) first of forceEnds
  int* stateJoints;       // (stateCount) whose coordinate or rate it is; -1 - i: signal i

  // signals, numbered as in the scene
  crSignal* signals;     // (signalCount)
  crPiece* signalPieces; // what signals point to
  int* signalInputs;     // likewise
  double* signalFactors; // likewise
  int* signalOrder;      // (signalCount) by the first tree of their component, inputs first
  int* signalOwners;     // (signalCount) that tree
  int* signalScratch;    // (signalCount) used while the model is made
  int* treeSignals;      // (treeCount + 1, at least 2) first of signalOrder
  int driveCount;        // joints with a drive or a motion
  int motionCount;
  int* driveBodies;   // (driveCount) what they move
  int* treeDrives;    // (treeCount + 1) first of driveBodies
  double* eventTimes; // (eventCount) [s] ascending
  int eventCount;

  // functions, and what the outside sees
  crModelFunction* functions;       // (functionCount)
  crArgument* functionArguments;    // (argumentCount) what functions point to; the paths are not kept
  crNamedNumber* functionConstants; // (constantCount) likewise
  crNamedNumber* functionStates;    // (functionStateCount) likewise
  int functionCount, argumentCount, constantCount, functionStateCount;
  int* sampled; // (sampledCount) signals
  int sampledCount;
  int discreteCount; // numbers that change at ticks only
  int* inputs;       // (inputCount) signals
  int* outputs;      // (outputCount) signals
  int inputCount, outputCount;

  const char** paths;    // (objectCount + jointCount + signalCount) of objects, then of joints, then of signals
  crPathTable pathTable; // implicit joints are not in it: they share their object's path

  // Variables: objects in the order of the scene, then joints likewise, then signals, then energies.
  int* sceneObjects;        // (objectCount) index of the scene -> index of the model
  int* variableJoints;      // (variableJointCount) joints with variables, in the order of the scene
  int* jointVariableStarts; // (variableJointCount + 1) first variable of each
  int variableJointCount;
  int* signalVariableStarts; // (signalCount + 1) first variable of each signal
};

// Energies of the whole model, the last of its variables: "energy.kinetic", ...
#define CR_ENERGY_PATH "energy"
typedef enum crEnergyVariable {
  cr_energyKinetic,
  cr_energyPotential,
  cr_energyElastic,
  cr_energyDissipated,
  cr_energyWork,
  cr_energyUnexplained,
  CR_ENERGY_VARIABLES
} crEnergyVariable;
const char* crGetEnergyName(crEnergyVariable variable); // "kinetic"

// What a variable is: a quantity of an object, a coordinate, rate or drive of a joint, a signal, or an energy.
typedef struct crVariablePlace {
  int object, joint, signal; // all but one are -1; of an energy all
  int quantity; // of an object, in the order of CR_OBJECT_VARIABLES; of a joint, coordinates, rates, drive; of a
                // signal, its value, then its states; crEnergyVariable
} crVariablePlace;
crVariablePlace crModel_LocateVariable(const crModel* model, int variable); // variable < variableCount

// The implicit joint that moves an object freely; -1: none.
int crModel_FindFreeJoint(const crModel* model, int object);

// What the joint's row wants to know.
static inline crJointAxes crGetJointAxes(const crModelJoint* joint)
{
  crJointAxes axes = { joint->axis, joint->axis2, joint->pitch };
  return axes;
}

// What is recorded of a signal: its value, and its states.
static inline int crCountSignalVariables(const crSignal* signal)
{
  return 1 + (crHasState(signal->kind) ? 1 : signal->stateCount);
}

const char* crModel_GetSignalStateName(const crModel* model, int index, int state);

// The force or torque of a driven joint is a variable of it.
static inline bool crHasDrive(const crModelJoint* joint)
{
  return joint->drive >= 0 || joint->motion >= 0;
}

static inline const char* crDriveName(const crModelJoint* joint)
{
  return joint->kind == cr_jointPrismatic ? "force" : "torque";
}

static inline const char* crDriveUnit(const crModelJoint* joint)
{
  return joint->kind == cr_jointPrismatic ? "N" : "N m";
}

// Whether two bodies with contact shapes are kept from colliding.
bool crModel_AreExcluded(const crModel* model, int bodyA, int bodyB);

#endif
