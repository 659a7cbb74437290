// Reading a model: records by index, elements by path, variables by number or name.
#include "model/model.h"

#include "base/memory.h"
#include "joint/joint_kind.h"

#include <stdio.h>
#include <string.h>

#define CR_SUFFIX_NAMES 3 // most names behind an element's path in a variable: "angularVelocity.x" has two

void crDestroyModel(crModel* model)
{
  if (model != NULL) {
    crAllocator allocator = model->allocator;
    crDestroyScene(model->scene);
    crFree(&allocator, model, model->byteCount);
  }
}

crModelSize crModel_GetSize(const crModel* model)
{
  return model != NULL ? model->size : (crModelSize){ .objectCount = 0 };
}

const crRunOptions* crModel_GetRunOptions(const crModel* model)
{
  return model != NULL ? &model->run : NULL;
}

int crModel_CountActions(const crModel* model)
{
  return model != NULL && model->scene != NULL ? crScene_Count(model->scene, cr_elementAction) : 0;
}

const crActionDef* crModel_GetAction(const crModel* model, int index)
{
  bool exists = index >= 0 && index < crModel_CountActions(model);
  return exists ? crScene_GetAction(model->scene, crScene_GetId(model->scene, cr_elementAction, index)) : NULL;
}

int crModel_FindAction(const crModel* model, const char* path)
{
  for (int i = 0; path != NULL && i < crModel_CountActions(model); ++i) {
    if (strcmp(crModel_GetAction(model, i)->name, path) == 0) {
      return i;
    }
  }
  return -1;
}

// ----------------------------------------------------------------------------------------- records

static bool isBelow(int index, int count)
{
  return index >= 0 && index < count;
}

static void setCount(int* outCount, int count)
{
  if (outCount != NULL) {
    *outCount = count;
  }
}

const crModelObject* crModel_GetObject(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.objectCount) ? &model->objects[index] : NULL;
}

const char* crModel_GetObjectPath(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.objectCount) ? model->text + model->paths[index] : NULL;
}

const crBody* crModel_GetBody(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.bodyCount) ? &model->bodies[index] : NULL;
}

const char* crModel_GetBodyPath(const crModel* model, int index)
{
  const crBody* body = crModel_GetBody(model, index);
  return body != NULL ? crModel_GetObjectPath(model, body->objectStart) : NULL;
}

const crTree* crModel_GetTree(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.treeCount) ? &model->trees[index] : NULL;
}

const crModelJoint* crModel_GetJoint(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.jointCount) ? &model->joints[index] : NULL;
}

const char* crModel_GetJointPath(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.jointCount)
             ? model->text + model->paths[model->size.objectCount + index]
             : NULL;
}

const crJointLaw* crModel_GetJointLaw(const crModel* model, int joint)
{
  const crModelJoint* record = crModel_GetJoint(model, joint);
  return record != NULL ? crGetJointLaw(model, record) : NULL;
}

const crLoop* crModel_GetLoop(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.cutJointCount) ? &model->loops[index] : NULL;
}

const int* crModel_GetLoopBodies(const crModel* model, int loop, int* outCount)
{
  const crLoop* record = crModel_GetLoop(model, loop);
  setCount(outCount, record != NULL ? record->bodyCount : 0);
  return record != NULL ? model->loopBodies + record->bodyStart : NULL;
}

const crModelCoupling* crModel_GetCoupling(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.couplingCount) ? &model->couplings[index] : NULL;
}

const char* crModel_GetCouplingPath(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.couplingCount)
             ? model->text + model->paths[crFirstCouplingPath(model) + index]
             : NULL;
}

const crCouplingTerm* crModel_GetCouplingTerms(const crModel* model, int coupling, int* outCount)
{
  const crModelCoupling* record = crModel_GetCoupling(model, coupling);
  setCount(outCount, record != NULL ? record->termCount : 0);
  return record != NULL ? model->terms + record->termStart : NULL;
}

const crModelForce* crModel_GetForce(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.forceCount) ? &model->forces[index] : NULL;
}

const char* crModel_GetForcePath(const crModel* model, int index)
{
  if (model == NULL || !isBelow(index, model->size.forceCount)) {
    return NULL;
  }
  return model->text + model->paths[crFirstForcePath(model) + index];
}

const crGuide* crModel_GetGuides(const crModel* model, int force, int* outCount)
{
  const crModelForce* record = crModel_GetForce(model, force);
  int count = record != NULL ? record->guideCount : 0;
  setCount(outCount, count);
  return count > 0 ? model->guides + record->guideStart : NULL;
}

const crCurvePoint* crModel_GetForceCurve(const crModel* model, int force, int* outCount)
{
  const crModelForce* record = crModel_GetForce(model, force);
  int count = record != NULL ? record->curveCount : 0;
  setCount(outCount, count);
  return count > 0 ? model->curvePoints + record->curveStart : NULL;
}

const crContactShape* crModel_GetContactShape(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->size.shapeCount) ? &model->contactShapes[index] : NULL;
}

const crShape* crModel_GetShape(const crModel* model, int contactShape)
{
  return model != NULL && isBelow(contactShape, model->size.shapeCount) ? &model->shapes[contactShape] : NULL;
}

int crModel_CountContactMaterials(const crModel* model)
{
  return model != NULL ? model->materialCount : 0;
}

const crContactMaterial* crModel_GetContactMaterial(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->materialCount) ? &model->materials[index] : NULL;
}

const char* crModel_GetContactMaterialName(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->materialCount) ? model->text + model->materialNames[index] : NULL;
}

int crModel_CountExcludedBodies(const crModel* model)
{
  return model != NULL ? model->excludedCount : 0;
}

const crExcludedBodies* crModel_GetExcludedBodies(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->excludedCount) ? &model->excluded[index] : NULL;
}

int crModel_CountExcludedShapes(const crModel* model)
{
  return model != NULL ? model->excludedShapeCount : 0;
}

const crExcludedShapes* crModel_GetExcludedShapes(const crModel* model, int index)
{
  return model != NULL && isBelow(index, model->excludedShapeCount) ? &model->excludedShapes[index] : NULL;
}

// ----------------------------------------------------------------------------------------- contact

const crContactLaw* crModel_GetContactLaw(const crModel* model, int materialA, int materialB)
{
  if (model == NULL || !isBelow(materialA, model->materialCount) || !isBelow(materialB, model->materialCount)) {
    return NULL;
  }
  int law = crKeyTable_Find(&model->lawTable, crPairKey(materialA, materialB));
  return law >= 0 ? &model->laws[law] : NULL;
}

static bool areExcluded(const crModel* model, int bodyA, int bodyB)
{
  return crKeyTable_Find(&model->excludedTable, crPairKey(bodyA, bodyB)) >= 0;
}

bool crModel_CanMeet(const crModel* model, int shapeA, int shapeB)
{
  const crContactShape* a = crModel_GetContactShape(model, shapeA);
  const crContactShape* b = crModel_GetContactShape(model, shapeB);
  return a != NULL && b != NULL && a->body != b->body && (a->group & b->mask) != 0 && (b->group & a->mask) != 0 &&
         !areExcluded(model, a->body, b->body) && crTouchesPiece(&model->shapes[shapeA], &model->shapes[shapeB]) &&
         crTouchesPiece(&model->shapes[shapeB], &model->shapes[shapeA]) &&
         (model->excludedShapeCount == 0 || crKeyTable_Find(&model->excludedShapeTable, crPairKey(shapeA, shapeB)) < 0);
}

// ------------------------------------------------------------------------------------------- paths

// Among objects, joints, signals and couplings; -1: none.
static int findPath(const crModel* model, const char* path)
{
  return model != NULL && path != NULL ? crPathTable_Find(&model->pathTable, path, strlen(path)) : -1;
}

int crModel_FindObject(const crModel* model, const char* path)
{
  int index = findPath(model, path);
  return index >= 0 && index < model->size.objectCount ? index : -1;
}

int crModel_FindFreeJoint(const crModel* model, int object)
{
  int joint = model->bodies[model->objects[object].body].joint;
  bool isFree = joint >= 0 && model->joints[joint].isImplicit && model->joints[joint].objectB == object;
  return isFree ? joint : -1;
}

int crModel_FindJoint(const crModel* model, const char* path)
{
  int index = findPath(model, path);
  if (index < 0) {
    return -1;
  }
  if (index < model->size.objectCount) {
    return crModel_FindFreeJoint(model, index);
  }
  int joint = index - model->size.objectCount;
  return joint < model->size.jointCount ? joint : -1;
}

int crModel_FindCoupling(const crModel* model, const char* path)
{
  int index = findPath(model, path);
  int coupling = index >= 0 ? index - crFirstCouplingPath(model) : -1;
  return index >= 0 && isBelow(coupling, model->size.couplingCount) ? coupling : -1;
}

// ------------------------------------------------------------------------------------------- ports

int crModel_CountInputs(const crModel* model)
{
  return model != NULL ? model->inputCount : 0;
}

int crModel_CountOutputs(const crModel* model)
{
  return model != NULL ? model->outputCount : 0;
}

static bool getPort(const crModel* model, int signal, crPort* outPort)
{
  const crSignal* record = &model->signals[signal];
  *outPort = (crPort){ crGetSignalPath(model, signal), record->unit > 0 ? model->text + record->unit : "1",
                       record->start, record->nominal };
  return true;
}

bool crModel_GetInput(const crModel* model, int index, crPort* outPort)
{
  bool isKnown = model != NULL && outPort != NULL && isBelow(index, model->inputCount);
  return isKnown && getPort(model, model->inputs[index], outPort);
}

bool crModel_GetOutput(const crModel* model, int index, crPort* outPort)
{
  bool isKnown = model != NULL && outPort != NULL && isBelow(index, model->outputCount);
  return isKnown && getPort(model, model->outputs[index], outPort);
}

static int findPort(const crModel* model, const char* path, crSignalKind kind)
{
  int index = findPath(model, path);
  int signal = index >= 0 ? index - model->size.objectCount - model->size.jointCount : -1;
  bool isPort = index >= 0 && isBelow(signal, model->size.signalCount) && model->signals[signal].kind == kind;
  return isPort ? model->signals[signal].port : -1;
}

int crModel_FindInput(const crModel* model, const char* path)
{
  return findPort(model, path, cr_signalInput);
}

int crModel_FindOutput(const crModel* model, const char* path)
{
  return findPort(model, path, cr_signalOutput);
}

// --------------------------------------------------------------------------------------- variables

// The motion of an object's frame in the world. The first seven are coordinates of a free object, the
// others its rates, both in the order of its states.
#define CR_OBJECT_COORDINATES 7
static const struct {
  const char* suffix;
  const char* unit;
  const char* description;
} objectVariables[CR_OBJECT_VARIABLES] = {
  { "position.x", "m", "position of the origin in the world" },
  { "position.y", "m", "position of the origin in the world" },
  { "position.z", "m", "position of the origin in the world" },
  { "orientation.w", "1", "quaternion of the rotation into world axes" },
  { "orientation.x", "1", "quaternion of the rotation into world axes" },
  { "orientation.y", "1", "quaternion of the rotation into world axes" },
  { "orientation.z", "1", "quaternion of the rotation into world axes" },
  { "velocity.x", "m/s", "velocity of the origin in world axes" },
  { "velocity.y", "m/s", "velocity of the origin in world axes" },
  { "velocity.z", "m/s", "velocity of the origin in world axes" },
  { "angularVelocity.x", "rad/s", "angular velocity in world axes" },
  { "angularVelocity.y", "rad/s", "angular velocity in world axes" },
  { "angularVelocity.z", "rad/s", "angular velocity in world axes" },
};

static void nameVariable(crVariable* variable, const char* path, const char* quantity)
{
  variable->path = path;
  variable->quantity = quantity;
  variable->reserved = 0;
}

static void describeObject(const crModel* model, int object, int quantity, crVariable* outVariable)
{
  int free = crModel_FindFreeJoint(model, object);
  nameVariable(outVariable, crModel_GetObjectPath(model, object), objectVariables[quantity].suffix);
  outVariable->unit = objectVariables[quantity].unit;
  outVariable->description = objectVariables[quantity].description;
  outVariable->state = -1;
  if (free >= 0) {
    const crModelJoint* joint = &model->joints[free];
    outVariable->state =
        quantity < CR_OBJECT_COORDINATES ? joint->qStart + quantity : joint->vStart + quantity - CR_OBJECT_COORDINATES;
  }
}

int crFindFirstBristle(const crModel* model, const crModelJoint* joint)
{
  int first = -1;
  for (int i = crGetJointType(joint->kind)->vCount - 1; i >= 0; --i) {
    first = crFindBristle(model, joint, i) >= 0 ? crFindBristle(model, joint, i) : first;
  }
  return first;
}

const crJointBristle* crGetVariableBristle(const crModel* model, int joint, int quantity)
{
  const crModelJoint* record = &model->joints[joint];
  const crJointType* type = crGetJointType(record->kind);
  int number = quantity - type->qCount - type->vCount - crHasDrive(record);
  return number >= 0 ? &model->bristles[crFindFirstBristle(model, record) + number] : NULL;
}

static void describeBristle(const crModel* model, const crJointBristle* bristle, crVariable* outVariable)
{
  const crJointType* type = crGetJointType(model->joints[bristle->joint].kind);
  nameVariable(outVariable, crModel_GetJointPath(model, bristle->joint), type->bristleNames[bristle->index]);
  outVariable->unit = type->coordinateUnits[bristle->index];
  outVariable->description = "stretch of a joint that sticks";
  outVariable->state = bristle->state;
}

static void describeJoint(const crModel* model, int index, int quantity, crVariable* outVariable)
{
  const crModelJoint* joint = &model->joints[index];
  const crJointType* type = crGetJointType(joint->kind);
  const crJointBristle* bristle = crGetVariableBristle(model, index, quantity);
  if (bristle != NULL) {
    describeBristle(model, bristle, outVariable);
    return;
  }
  if (quantity == type->qCount + type->vCount) {
    nameVariable(outVariable, crModel_GetJointPath(model, index), crDriveName(joint));
    outVariable->unit = crDriveUnit(joint);
    outVariable->description = "what the drive of a joint exerts";
    outVariable->state = -1;
    return;
  }
  bool isRate = quantity >= type->qCount;
  int k = isRate ? quantity - type->qCount : quantity;
  nameVariable(outVariable, crModel_GetJointPath(model, index), isRate ? type->rateNames[k] : type->coordinateNames[k]);
  outVariable->unit = isRate ? type->rateUnits[k] : type->coordinateUnits[k];
  outVariable->description = isRate ? "rate of a joint" : "coordinate of a joint";
  outVariable->state = joint->isCut || joint->motion >= 0 ? -1 : (isRate ? joint->vStart : joint->qStart) + k;
}

const char* crModel_GetSignalStateName(const crModel* model, int index, int state)
{
  const crSignal* signal = &model->signals[index];
  if (crIsSampled(signal->kind)) {
    const char* name = model->functions[signal->function].source.states[state].name;
    return name != NULL ? name : "state";
  }
  return signal->kind == cr_signalDcMotor ? "current" : "integral";
}

static void describeSignal(const crModel* model, int index, int quantity, crVariable* outVariable)
{
  const crSignal* signal = &model->signals[index];
  bool isCurrent = signal->kind == cr_signalDcMotor && quantity > 0;
  nameVariable(outVariable, crGetSignalPath(model, index),
               quantity == 0 ? CR_SIGNAL_SUFFIX : crModel_GetSignalStateName(model, index, quantity - 1));
  outVariable->unit = isCurrent ? "A" : quantity == 0 && signal->unit > 0 ? model->text + signal->unit : "1";
  outVariable->description = isCurrent       ? "current of a motor"
                             : quantity == 0 ? "value of a signal, in the unit of what it stands for"
                                             : "state of a signal";
  outVariable->state = quantity > 0 && crHasState(signal->kind) ? signal->state : -1;
}

// Where lengths and angles meet, factors make lengths of angles; those of a belt are radii.
static bool isOfLengths(const crModel* model, const crModelCoupling* coupling)
{
  bool hasLength = coupling->kind == cr_couplingBelt;
  for (int k = coupling->termStart; k < coupling->termStart + coupling->termCount; ++k) {
    hasLength = hasLength || model->joints[model->terms[k].joint].kind == cr_jointPrismatic;
  }
  return hasLength;
}

static const struct {
  const char* name;
  const char *angular, *linear; // units
  const char* description;
} couplingVariables[] = {
  [cr_couplingForce] = { "force", "N m", "N", "force of a coupling, of which each joint gets its factor" },
  [cr_couplingDeflection] = { "deflection", "rad", "m", "how far a coupling gives way, or a bristle is stretched" },
  [cr_couplingCurrent] = { "current", "A", "A", "current of a motor" },
};

// What a coupling that gives way has besides its force.
static int findSecond(const crModelCoupling* coupling)
{
  return coupling->kind == cr_couplingMotor ? cr_couplingCurrent : cr_couplingDeflection;
}

const char* crGetCouplingStateName(const crModelCoupling* coupling)
{
  return couplingVariables[findSecond(coupling)].name;
}

static void describeCoupling(const crModel* model, int index, int quantity, crVariable* outVariable)
{
  const crModelCoupling* coupling = &model->couplings[index];
  bool isLinear = isOfLengths(model, coupling), isForce = quantity == cr_couplingForce;
  int row = isForce ? cr_couplingForce : findSecond(coupling);
  nameVariable(outVariable, crModel_GetCouplingPath(model, index), couplingVariables[row].name);
  outVariable->unit = isLinear ? couplingVariables[row].linear : couplingVariables[row].angular;
  outVariable->description = couplingVariables[row].description;
  outVariable->state = isForce ? -1 : coupling->state;
}

// The first variable of a coupling.
static int couplingStart(const crModel* model, int coupling)
{
  int elastics = coupling > model->rigidCount ? coupling - model->rigidCount : 0;
  return model->signalVariableStarts[model->size.signalCount] + coupling + elastics;
}

static const struct {
  const char* name;
  const char* unit;
  const char* description;
} cableVariables[CR_CABLE_VARIABLES] = {
  [cr_cableTension] = { "tension", "N", "tension of a cable" },
  [cr_cableLength] = { "length", "m", "length of a cable from end to end" },
  [cr_cableEnergy] = { "energy", "J", "energy that a cable stores" },
};

static void describeCable(const crModel* model, int cable, int quantity, crVariable* outVariable)
{
  nameVariable(outVariable, crModel_GetForcePath(model, model->cables[cable]), cableVariables[quantity].name);
  outVariable->unit = cableVariables[quantity].unit;
  outVariable->description = cableVariables[quantity].description;
  outVariable->state = -1;
}

// The first variable of all cables.
static int cableStart(const crModel* model)
{
  return couplingStart(model, model->size.couplingCount);
}

static const struct {
  const char* name;
  const char* description;
} energyVariables[CR_ENERGY_VARIABLES] = {
  [cr_energyKinetic] = { "kinetic", "kinetic energy of all bodies" },
  [cr_energyPotential] = { "potential", "potential energy of gravity, springs, bushings, elastic stops and windings" },
  [cr_energyElastic] = { "elastic", "energy that contacts store" },
  [cr_energyDissipated] = { "dissipated", "energy lost in dampers, friction and contacts since the start" },
  [cr_energyWork] = { "work", "work of drives, prescribed motions, given forces and moving surfaces since the start" },
  [cr_energyUnexplained] = { "unexplained", "change of energy since the start less work plus what was dissipated" },
};

const char* crGetEnergyName(crEnergyVariable variable)
{
  return energyVariables[variable].name;
}

static void describeEnergy(int quantity, crVariable* outVariable)
{
  nameVariable(outVariable, CR_ENERGY_PATH, energyVariables[quantity].name);
  outVariable->unit = "J";
  outVariable->description = energyVariables[quantity].description;
  outVariable->state = -1;
}

static int countOthers(const crModel* model)
{
  return model->size.variableCount - CR_ENERGY_VARIABLES;
}

// The last place whose start is not above the variable.
static int findStart(const int* starts, int count, int variable)
{
  int low = 0, high = count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (starts[middle] <= variable) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

crVariablePlace crModel_LocateVariable(const crModel* model, int variable)
{
  crVariablePlace place = { -1, -1, -1, -1, -1, variable % CR_OBJECT_VARIABLES };
  if (variable < CR_OBJECT_VARIABLES * model->size.objectCount) {
    place.object = model->sceneObjects[variable / CR_OBJECT_VARIABLES];
  } else if (variable >= countOthers(model)) {
    place.quantity = variable - countOthers(model);
  } else if (variable >= cableStart(model)) {
    place.cable = (variable - cableStart(model)) / CR_CABLE_VARIABLES;
    place.quantity = (variable - cableStart(model)) % CR_CABLE_VARIABLES;
  } else if (variable >= model->signalVariableStarts[model->size.signalCount]) {
    int number = variable - model->signalVariableStarts[model->size.signalCount];
    bool isRigid = number < model->rigidCount;
    place.coupling = isRigid ? number : model->rigidCount + (number - model->rigidCount) / 2;
    place.quantity = isRigid ? cr_couplingForce : (number - model->rigidCount) % 2;
  } else if (variable >= model->signalVariableStarts[0]) {
    place.signal = findStart(model->signalVariableStarts, model->size.signalCount, variable);
    place.quantity = variable - model->signalVariableStarts[place.signal];
  } else {
    int i = findStart(model->jointVariableStarts, model->variableJointCount, variable);
    place.joint = model->variableJoints[i];
    place.quantity = variable - model->jointVariableStarts[i];
  }
  return place;
}

bool crModel_GetVariable(const crModel* model, int index, crVariable* outVariable)
{
  if (model == NULL || outVariable == NULL || !isBelow(index, model->size.variableCount)) {
    return false;
  }
  crVariablePlace place = crModel_LocateVariable(model, index);
  if (place.object >= 0) {
    describeObject(model, place.object, place.quantity, outVariable);
  } else if (place.signal >= 0) {
    describeSignal(model, place.signal, place.quantity, outVariable);
  } else if (place.joint >= 0) {
    describeJoint(model, place.joint, place.quantity, outVariable);
  } else if (place.cable >= 0) {
    describeCable(model, place.cable, place.quantity, outVariable);
  } else if (place.coupling >= 0) {
    describeCoupling(model, place.coupling, place.quantity, outVariable);
  } else {
    describeEnergy(place.quantity, outVariable);
  }
  return true;
}

int crModel_GetVariableName(const crModel* model, int index, char* buffer, size_t size)
{
  crVariable variable;
  if ((buffer == NULL && size > 0) || !crModel_GetVariable(model, index, &variable)) {
    return 0;
  }
  return snprintf(buffer, size, "%s.%s", variable.path, variable.quantity);
}

static int findObjectVariable(const crModel* model, int object, const char* suffix)
{
  for (int k = 0; k < CR_OBJECT_VARIABLES; ++k) {
    if (strcmp(objectVariables[k].suffix, suffix) == 0) {
      return CR_OBJECT_VARIABLES * model->objects[object].sceneIndex + k;
    }
  }
  return -1;
}

// Joints with variables are ordered by their index in the scene.
static int findJointStart(const crModel* model, int sceneIndex)
{
  int low = 0, high = model->variableJointCount;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (model->joints[model->variableJoints[middle]].sceneIndex <= sceneIndex) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return model->jointVariableStarts[low];
}

static int findJointVariable(const crModel* model, int index, const char* suffix)
{
  const crModelJoint* joint = &model->joints[index];
  const crJointType* type = crGetJointType(joint->kind);
  for (int k = 0; k < type->qCount + type->vCount; ++k) {
    const char* name = k < type->qCount ? type->coordinateNames[k] : type->rateNames[k - type->qCount];
    if (strcmp(name, suffix) == 0) {
      return findJointStart(model, joint->sceneIndex) + k;
    }
  }
  int drive = type->qCount + type->vCount;
  if (crHasDrive(joint) && strcmp(suffix, crDriveName(joint)) == 0) {
    return findJointStart(model, joint->sceneIndex) + drive;
  }
  for (int k = 0; type->bristleNames != NULL && k < type->vCount; ++k) {
    int bristle = crFindBristle(model, joint, k);
    if (bristle >= 0 && strcmp(suffix, type->bristleNames[k]) == 0) {
      int place = drive + crHasDrive(joint) + bristle - crFindFirstBristle(model, joint);
      return findJointStart(model, joint->sceneIndex) + place;
    }
  }
  return -1;
}

static int findSignalVariable(const crModel* model, int signal, const char* suffix)
{
  int start = model->signalVariableStarts[signal];
  if (strcmp(suffix, CR_SIGNAL_SUFFIX) == 0) {
    return start;
  }
  for (int k = 1; k < crCountSignalVariables(&model->signals[signal]); ++k) {
    if (strcmp(suffix, crModel_GetSignalStateName(model, signal, k - 1)) == 0) {
      return start + k;
    }
  }
  return -1;
}

static int findCableVariable(const crModel* model, int force, const char* suffix)
{
  for (int i = 0; i < CR_CABLE_VARIABLES; ++i) {
    if (strcmp(suffix, cableVariables[i].name) == 0) {
      return cableStart(model) + CR_CABLE_VARIABLES * model->forces[force].cable + i;
    }
  }
  return -1;
}

static int findSuffix(const crModel* model, int element, const char* suffix)
{
  if (element >= crFirstForcePath(model)) {
    return findCableVariable(model, element - crFirstForcePath(model), suffix);
  }
  int joint = element - model->size.objectCount, signal = joint - model->size.jointCount;
  int coupling = signal - model->size.signalCount;
  if (coupling >= 0) {
    bool isElastic = coupling >= model->rigidCount;
    bool isForce = strcmp(suffix, couplingVariables[cr_couplingForce].name) == 0;
    bool isSecond = isElastic && strcmp(suffix, crGetCouplingStateName(&model->couplings[coupling])) == 0;
    return isForce || isSecond ? couplingStart(model, coupling) + isSecond : -1;
  }
  if (signal >= 0) {
    return findSignalVariable(model, signal, suffix);
  }
  return joint >= 0 ? findJointVariable(model, joint, suffix) : findObjectVariable(model, element, suffix);
}

static int findEnergy(const crModel* model, const char* name)
{
  static const char prefix[] = CR_ENERGY_PATH ".";
  for (int i = 0; strncmp(name, prefix, sizeof prefix - 1) == 0 && i < CR_ENERGY_VARIABLES; ++i) {
    if (strcmp(name + sizeof prefix - 1, energyVariables[i].name) == 0) {
      return countOthers(model) + i;
    }
  }
  return -1;
}

int crModel_FindVariable(const crModel* model, const char* name)
{
  if (model == NULL || name == NULL) {
    return -1;
  }
  const char* end = name + strlen(name);
  for (int i = 0; i < CR_SUFFIX_NAMES; ++i) {
    // the next dot from the right may divide element and quantity
    do {
      if (end == name) {
        return findEnergy(model, name);
      }
      --end;
    } while (*end != '.');
    int element = crPathTable_Find(&model->pathTable, name, (size_t)(end - name));
    if (element >= 0) {
      int variable = findSuffix(model, element, end + 1);
      if (variable >= 0) {
        return variable;
      }
    }
  }
  return findEnergy(model, name);
}
