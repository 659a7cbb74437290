// What can be read from an instance: poses, motions, accelerations, reactions, variables.
#include "model/loop/loop.h"

// ---------------------------------------------------------------------------------------------- frames

static bool hasObject(const crInstance* instance, int object)
{
  return instance != NULL && object >= 0 && object < instance->model->size.objectCount;
}

static const crMotion noMotion = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };

crPose crInstance_GetPose(const crInstance* instance, int object)
{
  if (!hasObject(instance, object)) {
    return crIdentityPose();
  }
  const crModelObject* record = &instance->model->objects[object];
  return crMulPose(crGetBodyPose(instance, record->body), record->X_BO);
}

// From the body's origin to the object's, in world axes.
static crVec3 offset(const crInstance* instance, const crModelObject* object)
{
  return crMulMV(crGetBodyPose(instance, object->body).R, object->X_BO.p);
}

crMotion crInstance_GetMotion(const crInstance* instance, int object)
{
  if (!hasObject(instance, object)) {
    return noMotion;
  }
  const crModelObject* record = &instance->model->objects[object];
  crMotion V = crFromMotionL(instance->V[record->body]);
  V.v = crAdd(V.v, crCross(V.w, offset(instance, record)));
  return V;
}

// A0 is that of a falling world: what falls freely has none.
crMotion crInstance_GetAcceleration(const crInstance* instance, int object)
{
  if (!hasObject(instance, object)) {
    return noMotion;
  }
  const crModel* model = instance->model;
  const crModelObject* record = &model->objects[object];
  crMotion A0 = crFromMotionL(instance->A0[record->body]), a = crFromMotionL(instance->A[record->body]);
  crMotion A = { crAdd(A0.w, a.w), crAdd(A0.v, a.v) };
  crVec3 w = crFromLanes(instance->V[record->body].w), r = offset(instance, record);
  A.v = crAdd(A.v, crAdd(crCross(A.w, r), crCross(w, crCross(w, r))));
  if (model->gravity.kind == cr_gravityUniform) {
    A.v = crAdd(A.v, model->gravity.acceleration);
  }
  return A;
}

static crWrench cutReaction(const crInstance* instance, int joint)
{
  const crCut* cut = crFindCut(instance, joint);
  double push = crGetPush(instance, joint);
  crWrenchL sum = crFindCutForce(instance, cut);
  sum = (crWrenchL){ sum.t + cut->duals[0].t * push, sum.f + cut->duals[0].f * push };
  for (int r = 0; r < cut->rowCount; ++r) {
    sum.t += cut->rows[r].t * cut->reaction[r];
    sum.f += cut->rows[r].f * cut->reaction[r];
  }
  crWrench W = { crFromLanes(sum.t), crFromLanes(sum.f) };
  return W;
}

// IA a + pA, but in loops what joints share when these are not determined.
static crWrenchL getTransmitted(const crInstance* instance, int body)
{
  int tree = instance->model->bodies[body].tree;
  if (instance->loops != NULL && instance->loops->isLooped[tree]) {
    return instance->loops->reactions[body];
  }
  const crArticulated* own = &instance->articulated[body];
  crWrenchL W = crMulArticulated(own, instance->A[body]);
  W.t += own->bias.t;
  W.f += own->bias.f;
  return W;
}

// What the parent exerts on the body through its joint about the body's origin, which is that of the
// joint's far object. A reversed joint transmits the opposite to objectB, which is near.
crWrench crInstance_GetReaction(const crInstance* instance, int joint)
{
  static const crWrench none = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  if (instance == NULL) {
    return none;
  }
  const crModel* model = instance->model;
  bool isTreeJoint = joint >= 0 && joint < model->size.bodyCount - 1;
  if (!isTreeJoint && joint >= 0 && joint < model->size.jointCount) {
    return cutReaction(instance, joint);
  }
  if (!isTreeJoint || model->links[joint + 1].path == cr_pathFree) {
    return none;
  }
  const crModelJoint* record = &model->joints[joint];
  int body = joint + 1;
  crWrenchL transmitted = getTransmitted(instance, body);
  crWrench W = { crFromLanes(transmitted.t), crFromLanes(transmitted.f) };
  if (record->isReversed) {
    crVec3 r = crSub(crFromLanes(instance->places[body].p), crInstance_GetPose(instance, record->objectB).p);
    W = (crWrench){ crNeg(crAdd(W.t, crCross(r, W.f))), crNeg(W.f) };
  }
  return W;
}

// ------------------------------------------------------------------------------------------- variables

static double component(crVec3 a, int i)
{
  return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

// In the order of the model's table: position, orientation, velocity, angular velocity.
static double getObjectVariable(const crInstance* instance, int object, int quantity)
{
  if (quantity < 3) {
    return component(crInstance_GetPose(instance, object).p, quantity);
  }
  if (quantity < 7) {
    crQuat q = crMat3ToQuat(crInstance_GetPose(instance, object).R);
    const double values[4] = { q.w, q.x, q.y, q.z };
    return values[quantity - 3];
  }
  crMotion V = crInstance_GetMotion(instance, object);
  return quantity < 10 ? component(V.v, quantity - 7) : component(V.w, quantity - 10);
}

// The value, then states.
static double getSignalVariable(const crInstance* instance, int index, int quantity)
{
  const crSignal* signal = &instance->model->signals[index];
  return quantity == 0              ? instance->signals[index].value
         : crHasState(signal->kind) ? instance->y[signal->state]
                                    : instance->discrete[signal->discrete + quantity];
}

double crInstance_GetVariable(const crInstance* instance, int variable)
{
  if (instance == NULL || variable < 0 || variable >= instance->model->size.variableCount) {
    return NAN;
  }
  const crModel* model = instance->model;
  crVariablePlace place = crModel_LocateVariable(model, variable);
  if (place.signal >= 0) {
    return getSignalVariable(instance, place.signal, place.quantity);
  }
  if (place.cable >= 0) {
    const crCable* cable = &instance->cables[place.cable];
    return place.quantity == cr_cableTension  ? cable->tension
           : place.quantity == cr_cableLength ? cable->length
                                              : cable->energy;
  }
  if (place.coupling >= 0) {
    return place.quantity == cr_couplingForce ? crInstance_GetCouplingForce(instance, place.coupling)
                                              : instance->elastics[place.coupling - model->rigidCount].deflection;
  }
  if (place.object < 0 && place.joint < 0) {
    double energies[CR_ENERGY_VARIABLES];
    crInstance_GetEnergies(instance, energies);
    return energies[place.quantity];
  }
  int joint = place.object >= 0 ? crModel_FindFreeJoint(model, place.object) : place.joint;
  if (joint < 0) {
    return getObjectVariable(instance, place.object, place.quantity);
  }
  int qCount = crJointKind_CountQ(model->joints[joint].kind);
  bool isRate = place.quantity >= qCount;
  const crModelJoint* record = &model->joints[joint];
  const crJointBristle* bristle = crGetVariableBristle(model, joint, place.quantity);
  if (bristle != NULL) {
    return instance->y[bristle->state];
  }
  if (place.quantity == qCount + crJointKind_CountV(record->kind)) {
    return crGetDrive(instance, joint);
  }
  return isRate ? crGetRate(instance, joint, place.quantity - qCount)
                : crGetCoordinate(instance, joint, place.quantity);
}
