// The inside of a model: a block of numbers, and a handle that knows where its arrays are.
//
// The block has no pointers: records refer to each other by indices, and to names by places in one text. It can be
// copied, mapped or hashed as it is, and bound again wherever it lies (model_block.c). What holds addresses is attached
// to the handle: shapes with their hulls, and functions of the user. Handle, attached arrays and block are one piece of
// memory, which one call frees. All arrays are listed once, in model_parts.inc.
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

// The stretch of a joint that sticks: a state behind those of the signals of its tree.
typedef struct crJointBristle {
  int joint;
  int index; // of the degree of freedom
  int state; // into the state vector
} crJointBristle;

// Those of a joint with a law.
typedef struct crLawBristles {
  int indices[CR_MAX_JOINT_V]; // of each degree of freedom, among all; -1: none
} crLawBristles;

enum {
#define PART(type, name, count) cr_part_##name,
#include "model/model_parts.inc"
  cr_partCount
};

// The block begins with this.
typedef struct crModelHead {
#define SCALAR(type, name) type name;
#include "model/model_parts.inc"
  size_t byteCount;            // of the block
  size_t starts[cr_partCount]; // of the parts, from the beginning of the block
} crModelHead;

// Bodies: parent < child, those of a tree follow each other, body 0 is the world. Objects and contact
// shapes are ordered by body. Joint i < bodyCount - 1 moves body i + 1; the cut joints follow.
struct crModel {
  crAllocator allocator;
  size_t byteCount; // of the whole piece of memory
  crModelHead* block;
  crRunOptions run; // its patterns are attached
  crScene* scene;   // own copy of the one that it was compiled from, where that has actions; else NULL
  int generation;   // of a run with actions: structures before this one; 0 as compiled

  // the scalars of the block, and where its parts are
#define SCALAR(type, name) type name;
#define PART(type, name, count) type* name;
#define ATTACHED(type, name, count) type* name;
#include "model/model_parts.inc"

  crKeyTable lawTable;           // pair of materials -> index into laws
  crKeyTable excludedTable;      // pair of bodies -> index into excluded
  crKeyTable excludedShapeTable; // pair of shapes -> index into excludedShapes
  crPathTable pathTable;         // without forces but cables, nor implicit joints, which share their object's path
};

// Of paths: objects, joints, signals, then couplings, and forces.
static inline int crFirstCouplingPath(const crModel* model)
{
  return model->size.objectCount + model->size.jointCount + model->size.signalCount;
}

static inline int crFirstForcePath(const crModel* model)
{
  return crFirstCouplingPath(model) + model->size.couplingCount;
}

static inline int crCountPaths(const crModel* model)
{
  return crFirstForcePath(model) + model->size.forceCount;
}

// Constraints between trees: of joints that close loops, and of couplings that do not give way.
static inline int crCountCuts(const crModel* model)
{
  return model->size.cutJointCount + model->rigidCount;
}

static inline int crCountElastics(const crModel* model)
{
  return model->size.couplingCount - model->rigidCount;
}

static inline const char* crGetSignalPath(const crModel* model, int signal)
{
  return model->text + model->paths[model->size.objectCount + model->size.jointCount + signal];
}

// NULL: nothing acts in the joint.
static inline const crJointLaw* crGetJointLaw(const crModel* model, const crModelJoint* joint)
{
  return joint->law >= 0 ? &model->jointLaws[joint->law] : NULL;
}

// The bristle of a degree of freedom, among all; -1: it does not stick.
static inline int crFindBristle(const crModel* model, const crModelJoint* joint, int i)
{
  return model->bristleCount > 0 && joint->law >= 0 ? model->lawBristles[joint->law].indices[i] : -1;
}

// The first bristle of a joint, which others follow; -1: it has none.
int crFindFirstBristle(const crModel* model, const crModelJoint* joint);

// The signals that a signal reads.
static inline const int* crGetInputs(const crModel* model, const crSignal* signal)
{
  return model->signalInputs + signal->inputStart;
}

static inline crSignalLists crGetSignalLists(const crModel* model)
{
  crSignalLists lists = { model->signalPieces, model->signalInputs, model->signalFactors };
  return lists;
}

// Where the parts of a block lie, from the scalars of a model: fills starts and byteCount of a head. false: too large.
#define CR_BLOCK_ALIGNMENT 64 // [bytes] of the block and so of what lies in it, by the size of its items
bool crModel_LayOut(const crModel* model, crModelHead* outHead);

// Writes the scalars of the handle into a head.
void crModel_StoreScalars(const crModel* model, crModelHead* outHead);

// Binds the handle to a block, wherever it lies, aligned to CR_BLOCK_ALIGNMENT: scalars and pointers are those of the
// block. What is attached stays.
void crModel_Bind(crModel* model, crModelHead* block);

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

// What a variable is: a quantity of an object, a coordinate, rate or drive of a joint, a signal, the force of a
// coupling, or an energy.
typedef struct crVariablePlace {
  int object, joint, signal, coupling, cable; // all but one are -1; of an energy all
  int quantity; // of an object, in the order of CR_OBJECT_VARIABLES; of a joint, coordinates, rates, drive,
                // bristles; of a signal, its value, then its states; crEnergyVariable
} crVariablePlace;
const crJointBristle* crGetVariableBristle(const crModel* model, int joint, int quantity); // NULL: it is none
crVariablePlace crModel_LocateVariable(const crModel* model, int variable);                // variable < variableCount

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

// Variables of a cable, by its number.
typedef enum crCableQuantity { cr_cableTension, cr_cableLength, cr_cableEnergy, CR_CABLE_VARIABLES } crCableQuantity;

// Variables of a coupling: its force, and how far it gives way where it does; a motor has its current there.
typedef enum crCouplingQuantity { cr_couplingForce, cr_couplingDeflection, cr_couplingCurrent } crCouplingQuantity;
const char* crGetCouplingStateName(const crModelCoupling* coupling); // of the second, which may be a state

static inline int crCountCouplingVariables(int couplingCount, int rigidCount)
{
  return rigidCount + 2 * (couplingCount - rigidCount);
}

static inline const char* crDriveUnit(const crModelJoint* joint)
{
  return joint->kind == cr_jointPrismatic ? "N" : "N m";
}

#endif
