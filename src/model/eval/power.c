// Powers: what drives put in and what is lost, so that a run can account for its energy.
//
//   d/dt (kinetic + potential + elastic) = work - dissipation
//
// with the work of drives, prescribed motions, given forces and moving surfaces, and the losses of dampers, friction
// and contacts. Each is computed from the element itself, not from the balance, so that the balance is a check.
#include "model/eval/contacts.h"
#include "model/eval/element.h"
#include "model/loop/loop.h"

// ------------------------------------------------------------------------------------------------ joints

// Rate of the energy that a law stores in degree of freedom i.
static double storingPower(const crJointLaw* law, int i, double q, double v)
{
  double depth = q > law->stopMax[i] ? q - law->stopMax[i] : q < law->stopMin[i] ? q - law->stopMin[i] : 0.0;
  return (law->stiffness[i] * (q - law->rest[i]) + law->stopStiffness[i] * depth) * v;
}

static double computeLawDissipation(const crInstance* instance, const crModelJoint* joint, int i, bool hasCoordinate,
                                    double q, double v)
{
  const crJointLaw* law = &instance->model->jointLaws[joint->law];
  double power = crComputeLawForce(instance, joint, i, hasCoordinate, q, v) * v;
  double storing = hasCoordinate ? storingPower(law, i, q, v) : 0.0;
  int bristle = crFindBristle(instance->model, joint, i);
  if (bristle < 0) {
    return -power - storing;
  }
  crStick stick = crComputeStick(instance, bristle, v);
  return stick.dissipation - (power + stick.force * v) - storing;
}

static double lawDissipation(const crInstance* instance, int b)
{
  const crLink* link = &instance->model->links[b];
  const crModelJoint* joint = &instance->model->joints[link->joint];
  bool hasCoordinate = !crGetJointType((int)joint->kind)->hasQuaternion;
  double sum = 0.0;
  for (int i = 0; joint->law >= 0 && i < link->columnCount; ++i) {
    double q = hasCoordinate ? instance->y[link->qStart + i] : 0.0;
    sum += computeLawDissipation(instance, joint, i, hasCoordinate, q, instance->y[link->vStart + i]);
  }
  return sum;
}

static double driveWork(const crInstance* instance, int tree)
{
  const crModel* model = instance->model;
  double sum = 0.0;
  for (int i = model->treeDrives[tree]; i < model->treeDrives[tree + 1]; ++i) {
    int body = model->driveBodies[i];
    sum += crGetDrive(instance, body - 1) * instance->y[model->links[body].vStart];
  }
  return sum;
}

// Of a joint that closes a loop.
static crPowers cutPower(const crInstance* instance, const crCut* cut)
{
  const crModelJoint* joint = &instance->model->joints[cut->joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  crPowers sum = { crHasDrive(joint) ? crGetDrive(instance, cut->joint) * cut->u[0] : 0.0, 0.0 };
  for (int i = 0; joint->law >= 0 && i < type->vCount; ++i) {
    double q = type->hasQuaternion ? 0.0 : cut->q[i];
    sum.dissipation += computeLawDissipation(instance, joint, i, !type->hasQuaternion, q, cut->u[i]);
  }
  return sum;
}

static crPowers cutPowers(const crInstance* instance, int tree)
{
  crPowers sum = { 0.0, 0.0 };
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    crPowers power = crIsCoupling(cut) ? (crPowers){ 0.0, 0.0 } : cutPower(instance, cut);
    sum = (crPowers){ sum.work + power.work, sum.dissipation + power.dissipation };
  }
  return sum;
}

// ---------------------------------------------------------------------------------------------- elements

static crVec3 squareVec3(crVec3 a)
{
  return crTimesVec3(a, a);
}

static crPowers springPower(const crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 rA = crFindArm(instance, ends->bodyA, ends->p_LA), rB = crFindArm(instance, ends->bodyB, ends->p_LB);
  crVec3 line = crFindLine(instance, ends, rA, rB);
  crVec3 v = crSub(crFindPointVelocity(instance, ends->bodyB, rB), crFindPointVelocity(instance, ends->bodyA, rA));
  double length = crLength(line), rate = length > 0.0 ? crDot(line, v) / length : 0.0;
  double signal = force->signal >= 0 ? instance->signals[force->signal].value : 0.0;
  return (crPowers){ -signal * rate, force->damping * rate * rate };
}

static crPowers bushingPower(const crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 rA = crFindArm(instance, ends->bodyA, ends->p_LA), rB = crFindArm(instance, ends->bodyB, ends->p_LB);
  crVec3 line = crFindLine(instance, ends, rA, rB), wA = crFromLanes(instance->V[ends->bodyA].w);
  crVec3 v = crSub(crFindPointVelocity(instance, ends->bodyB, rB), crFindPointVelocity(instance, ends->bodyA, rA));
  crMat3 R_WA = crFindAxes(instance, ends->bodyF, ends->R_LF);
  crVec3 rate = crMulTV(R_WA, crSub(v, crCross(wA, line)));
  crVec3 w = crMulTV(R_WA, crSub(crFromLanes(instance->V[ends->bodyB].w), wA));
  return (crPowers){ 0.0, crDot(force->linearDamping, squareVec3(rate)) + crDot(force->angularDamping, squareVec3(w)) };
}

static crPowers forcePower(const crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 f = crFindVector(instance, ends, force), rA = crFindArm(instance, ends->bodyA, ends->p_LA);
  crVec3 p = crAdd(crFromLanes(instance->places[ends->bodyA].p), rA);
  crVec3 rB = crSub(p, crFromLanes(instance->places[ends->bodyB].p));
  crVec3 v = crSub(crFindPointVelocity(instance, ends->bodyA, rA), crFindPointVelocity(instance, ends->bodyB, rB));
  return (crPowers){ crDot(f, v), 0.0 };
}

static crPowers torquePower(const crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 t = crFindVector(instance, ends, force);
  crVec3 w = crSub(crFromLanes(instance->V[ends->bodyA].w), crFromLanes(instance->V[ends->bodyB].w));
  return (crPowers){ crDot(t, w), 0.0 };
}

static crPowers elementPower(const crInstance* instance, const crForceEnds* ends)
{
  const crModelForce* force = &instance->model->forces[ends->force];
  switch (force->kind) {
    case cr_forceSpringDamper: return springPower(instance, ends, force);
    case cr_forceBushing: return bushingPower(instance, ends, force);
    case cr_forceForce: return forcePower(instance, ends, force);
    case cr_forceTorque: return torquePower(instance, ends, force);
    case cr_forceCable: return (crPowers){ 0.0, instance->cables[force->cable].dissipation };
    case cr_forceKindCount: break;
  }
  return (crPowers){ 0.0, 0.0 };
}

crPowers crInstance_ComputePowers(const crInstance* instance, crTreeSet set)
{
  crPowers none = { 0.0, 0.0 };
  return crCanEvaluate(instance, set) ? crComputePowers(instance, set) : none;
}

crPowers crComputePowers(const crInstance* instance, crTreeSet set)
{
  const crModel* model = instance->model;
  crPowers sum = { 0.0, 0.0 };
  for (int k = 0; k < set.treeCount; ++k) {
    int t = set.trees[k];
    const crTree* tree = &model->trees[t];
    if (model->areAlone[t]) {
      continue;
    }
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      sum.dissipation += lawDissipation(instance, b);
    }
    sum.work += driveWork(instance, t);
    if (instance->loops != NULL) {
      crPowers power = cutPowers(instance, t);
      sum = (crPowers){ sum.work + power.work, sum.dissipation + power.dissipation };
    }
    for (int i = model->treeElastics[t]; i < model->treeElastics[t + 1]; ++i) {
      const crElastic* elastic = &instance->elastics[model->elastics[i] - model->rigidCount];
      sum.work += elastic->work;
      sum.dissipation += elastic->dissipation;
    }
    for (int i = model->treeForces[t]; i < model->treeForces[t + 1]; ++i) {
      crPowers power = elementPower(instance, &model->forceEnds[i]);
      sum.work += power.work;
      sum.dissipation += power.dissipation;
    }
  }
  if (set.contacts != NULL) {
    crPowers power = crContacts_SumPowers(set.contacts, instance);
    sum.work += power.work;
    sum.dissipation += power.dissipation;
  }
  return sum;
}
