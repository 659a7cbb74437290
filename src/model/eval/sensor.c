// Sensors: what signals read from a model in motion.
#include "base/elementary.h"
#include "model/eval/contacts.h"

static double pick(crVec3 a, crComponent component)
{
  return component == cr_componentX ? a.x : component == cr_componentY ? a.y : a.z;
}

// A component in the axes of the sensor's frame; the world's without one.
static double pickInFrame(const crInstance* instance, const crSignal* sensor, crVec3 a_W)
{
  crVec3 a = sensor->frame >= 0 ? crMulTV(crInstance_GetPose(instance, sensor->frame).R, a_W) : a_W;
  return pick(a, sensor->component);
}

// Angles about x, new y, new z: R = Rx(a) Ry(b) Rz(c), so the last column is (sin b, -sin a cos b, cos a cos b).
static crVec3 findAngles(crMat3 R)
{
  crVec3 angles = { crAtan2(-R.cz.y, R.cz.z), crAtan2(R.cz.x, crHypot(R.cz.y, R.cz.z)), crAtan2(-R.cy.x, R.cx.x) };
  return angles;
}

// While both origins coincide there is no direction, and no rate.
static double readDistanceRate(const crInstance* instance, int a, int b, crVec3 p)
{
  crVec3 v = crSub(crInstance_GetMotion(instance, b).v, crInstance_GetMotion(instance, a).v);
  double distance = crLength(p);
  return distance > 0.0 ? crDot(p, v) / distance : 0.0;
}

static double readFrame(const crInstance* instance, const crSignal* sensor)
{
  int a = sensor->objectA, b = sensor->objectB;
  crPose A = crInstance_GetPose(instance, a), B = crInstance_GetPose(instance, b);
  crVec3 p = crSub(B.p, A.p);
  switch ((crFrameQuantity)sensor->quantity) {
    case cr_frameDistance: return crLength(p);
    case cr_frameDistanceRate: return readDistanceRate(instance, a, b, p);
    case cr_framePosition: return pickInFrame(instance, sensor, p);
    case cr_frameAngle: return pick(findAngles(crMulTM(A.R, B.R)), sensor->component);
    default: break;
  }
  bool isRate = sensor->quantity == cr_frameVelocity || sensor->quantity == cr_frameAngularVelocity;
  bool isLinear = sensor->quantity == cr_frameVelocity || sensor->quantity == cr_frameAcceleration;
  crMotion from = isRate ? crInstance_GetMotion(instance, a) : crInstance_GetAcceleration(instance, a);
  crMotion to = isRate ? crInstance_GetMotion(instance, b) : crInstance_GetAcceleration(instance, b);
  return pickInFrame(instance, sensor, isLinear ? crSub(to.v, from.v) : crSub(to.w, from.w));
}

static double readJoint(const crInstance* instance, const crSignal* sensor)
{
  switch ((crJointQuantity)sensor->quantity) {
    case cr_jointPosition: return crGetCoordinate(instance, sensor->joint, sensor->degree);
    case cr_jointAcceleration: return crGetJointAcceleration(instance, sensor->joint, sensor->degree);
    default: return crGetRate(instance, sensor->joint, sensor->degree);
  }
}

static double readReaction(const crInstance* instance, const crSignal* sensor)
{
  crWrench W = crInstance_GetReaction(instance, sensor->joint);
  return pickInFrame(instance, sensor, sensor->quantity == cr_reactionForce ? W.f : W.t);
}

// Whether a body is another or is carried by it; parents have lower numbers.
static bool isBelow(const crModel* model, int body, int other)
{
  while (body > other) {
    body = model->links[body].parent;
  }
  return body == other;
}

// Of the force elements inside a subtree, or between it and the world. One that leads to another moving body is part of
// neither: its energy cannot be shared out.
static double findElementPotential(const crInstance* instance, int root, int tree)
{
  const crModel* model = instance->model;
  int begin = tree >= 0 ? model->treeForces[tree] : 0;
  int end = model->treeForces[tree >= 0 ? tree + 1 : model->size.treeCount];
  double sum = 0.0;
  for (int i = begin; i < end; ++i) {
    const crForceEnds* ends = &model->forceEnds[i];
    bool hasA = isBelow(model, ends->bodyA, root), hasB = isBelow(model, ends->bodyB, root);
    bool isShared = !(hasA || ends->bodyA == 0) || !(hasB || ends->bodyB == 0), has = hasA || hasB;
    const crModelForce* force = &model->forces[ends->force];
    for (int k = force->guideStart; k < force->guideStart + force->guideCount; ++k) {
      bool isInside = isBelow(model, model->guides[k].body, root);
      isShared = isShared || !(isInside || model->guides[k].body == 0);
      has = has || isInside;
    }
    if (has && !isShared) {
      sum += crComputeElementPotential(instance, ends);
    }
  }
  return sum;
}

static double readSubtree(const crInstance* instance, const crSignal* sensor)
{
  const crModel* model = instance->model;
  crTreeSet none = { NULL, 0, NULL };
  crEnergy energy = { 0.0, 0.0, 0.0 };
  crMomentum momentum = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  int root = model->objects[sensor->objectA].body, tree = model->bodies[root].tree;
  int end = tree >= 0 ? model->trees[tree].bodyStart + model->trees[tree].bodyCount : model->size.bodyCount;
  for (int b = root > 0 ? root : 1; b < end; ++b) {
    if (isBelow(model, b, root)) {
      crEnergy ownEnergy = crInstance_ComputeEnergy(instance, none, b);
      crMomentum own = crInstance_ComputeMomentum(instance, none, b);
      energy = (crEnergy){ energy.kinetic + ownEnergy.kinetic, energy.potential + ownEnergy.potential, 0.0 };
      momentum = (crMomentum){ crAdd(momentum.linear, own.linear), crAdd(momentum.angular, own.angular) };
    }
  }
  energy.potential += findElementPotential(instance, root, tree);
  switch ((crSubtreeQuantity)sensor->quantity) {
    case cr_subtreeEnergy: return energy.kinetic + energy.potential;
    case cr_subtreeKineticEnergy: return energy.kinetic;
    case cr_subtreePotentialEnergy: return energy.potential;
    case cr_subtreeMomentum: return pickInFrame(instance, sensor, momentum.linear);
    case cr_subtreeAngularMomentum: return pickInFrame(instance, sensor, momentum.angular);
  }
  return NAN;
}

static double readContacts(const crInstance* instance, const crSignal* sensor, const crContacts* contacts)
{
  if (contacts == NULL) {
    return 0.0;
  }
  crContactSum sum =
      crContacts_SumOn(contacts, sensor->objectA, sensor->objectB, crInstance_GetPose(instance, sensor->objectA).p);
  switch ((crContactQuantity)sensor->quantity) {
    case cr_contactForce: return pickInFrame(instance, sensor, sum.force);
    case cr_contactTorque: return pickInFrame(instance, sensor, sum.torque);
    case cr_contactNormalForce: return sum.normalForce;
    case cr_contactArea: return sum.area;
    case cr_contactPressure: return sum.pressure;
    case cr_contactDepth: return sum.depth;
  }
  return NAN;
}

static double readRange(const crInstance* instance, const crSignal* sensor)
{
  crVec3 normal;
  bool isRay = sensor->kind == cr_signalRaySensor;
  double value = (isRay ? crReadRay : crReadDistance)(instance, sensor, &normal);
  bool isNormal = sensor->quantity == (isRay ? (int)cr_rayNormal : (int)cr_distanceNormal);
  return isNormal ? pickInFrame(instance, sensor, normal) : value;
}

static crVec3 gravityAt(const crModel* model, crVec3 p)
{
  crVec3 d = crSub(model->gravity.centre, p);
  double r = crLength(d);
  return model->gravity.kind == cr_gravityUniform     ? model->gravity.acceleration
         : model->gravity.kind == cr_gravityPointMass ? crScale(model->gravity.mu / (r * r * r), d)
                                                      : crMakeVec3(0.0, 0.0, 0.0);
}

// In the axes of the object.
static double readImu(const crInstance* instance, const crSignal* sensor)
{
  crPose X_WO = crInstance_GetPose(instance, sensor->objectA);
  if (sensor->quantity == cr_imuAngularVelocity) {
    return pick(crMulTV(X_WO.R, crInstance_GetMotion(instance, sensor->objectA).w), sensor->component);
  }
  crVec3 a = crInstance_GetAcceleration(instance, sensor->objectA).v;
  return pick(crMulTV(X_WO.R, crSub(a, gravityAt(instance->model, X_WO.p))), sensor->component);
}

static double readCoupling(const crInstance* instance, const crSignal* sensor)
{
  const crModel* model = instance->model;
  if (sensor->readsState) {
    return instance->y[model->couplings[sensor->coupling].state];
  }
  return sensor->quantity == cr_couplingForce ? crInstance_GetCouplingForce(instance, sensor->coupling)
                                              : instance->elastics[sensor->coupling - model->rigidCount].deflection;
}

double crReadSensor(const crInstance* instance, const crSignal* sensor, const crContacts* contacts)
{
  switch (sensor->kind) {
    case cr_signalFrameSensor: return readFrame(instance, sensor);
    case cr_signalJointSensor: return readJoint(instance, sensor);
    case cr_signalReactionSensor: return readReaction(instance, sensor);
    case cr_signalSubtreeSensor: return readSubtree(instance, sensor);
    case cr_signalContactSensor: return readContacts(instance, sensor, contacts);
    case cr_signalDistanceSensor:
    case cr_signalRaySensor: return readRange(instance, sensor);
    case cr_signalImu: return readImu(instance, sensor);
    case cr_signalCouplingSensor: return readCoupling(instance, sensor);
    default: return NAN;
  }
}
