// Stage force: laws of joints, force elements, gravity, and the wrench that each body needs to move with A0.
//
//   bias = (I w0' + h x v0' + w x I w,   m v0' + w0' x h + w x (w x h)) - F,    A0 = (w0', v0')
//
// Uniform gravity is part of A0 already.
#include "base/elementary.h"
#include "model/curve.h"
#include "model/eval/contacts.h"
#include "model/eval/element.h"
#include "model/eval/free_body.h"
#include "model/loop/loop.h"

#include <float.h>
#include <string.h>

// -------------------------------------------------------------------------------------- laws of joints

// How far q is beyond a stop, with the sign of the side.
static double stopDepth(const crJointLaw* law, int i, double q)
{
  return q > law->stopMax[i] ? q - law->stopMax[i] : q < law->stopMin[i] ? q - law->stopMin[i] : 0.0;
}

// d (1 + c d') with d' > 0 going deeper, on either side; never pulls.
static double stopForce(const crJointLaw* law, int i, double q, double v)
{
  double depth = stopDepth(law, i, q);
  double approach = depth > 0.0 ? v : -v;
  return -law->stopStiffness[i] * depth * fmax(0.0, 1.0 + law->stopDamping[i] * approach);
}

static double frictionForce(const crInstance* instance, const crModelJoint* joint, int i, double v)
{
  const crJointLaw* law = &instance->model->jointLaws[joint->law];
  int bristle = crFindBristle(instance->model, joint, i);
  if (bristle >= 0) {
    return -crComputeStick(instance, bristle, v).force;
  }
  return law->friction[i] != 0.0 ? -law->friction[i] * crTanh(v / law->frictionRate[i]) : 0.0;
}

double crComputeLawForce(const crInstance* instance, const crModelJoint* joint, int i, bool hasCoordinate, double q,
                         double v)
{
  const crJointLaw* law = &instance->model->jointLaws[joint->law];
  double force = -law->damping[i] * v;
  if (hasCoordinate) {
    force -= law->stiffness[i] * (q - law->rest[i]);
    force += frictionForce(instance, joint, i, v);
    force += stopForce(law, i, q, v);
  }
  return force;
}

double crComputeLawEnergy(const crInstance* instance, const crModelJoint* joint, int i, double q)
{
  const crJointLaw* law = &instance->model->jointLaws[joint->law];
  double stretch = q - law->rest[i], depth = stopDepth(law, i, q);
  double energy = 0.5 * law->stiffness[i] * stretch * stretch + 0.5 * law->stopStiffness[i] * depth * depth;
  int bristle = crFindBristle(instance->model, joint, i);
  if (bristle >= 0) {
    double x = instance->y[instance->model->bristles[bristle].state];
    energy += 0.5 * law->frictionStiffness[i] * x * x;
  }
  return energy;
}

static void applyLaw(crInstance* instance, int b)
{
  const crLink* link = &instance->model->links[b];
  const crModelJoint* joint = &instance->model->joints[link->joint];
  bool hasCoordinate = !crGetJointType((int)joint->kind)->hasQuaternion;
  for (int i = 0; i < link->vCount; ++i) {
    double q = hasCoordinate ? instance->y[link->qStart + i] : 0.0;
    instance->tau[link->dofStart + i] =
        crComputeLawForce(instance, joint, i, hasCoordinate, q, instance->y[link->vStart + i]);
  }
}

static void applyDrives(crInstance* instance, int tree)
{
  const crModel* model = instance->model;
  for (int i = model->treeDrives[tree]; i < model->treeDrives[tree + 1]; ++i) {
    int signal = model->joints[model->driveBodies[i] - 1].drive;
    if (signal >= 0) {
      instance->tau[model->links[model->driveBodies[i]].dofStart] += instance->signals[signal].value;
    }
  }
}

// ------------------------------------------------------------------------------------------- elements

// Adds a force at p_WB + r to a body; the world takes none.
static void addForce(crInstance* instance, int body, crVec3 r, crVec3 f)
{
  if (body > 0) {
    instance->F[body].t += crToLanes(crCross(r, f));
    instance->F[body].f += crToLanes(f);
  }
}

static void addTorque(crInstance* instance, int body, crVec3 t)
{
  if (body > 0) {
    instance->F[body].t += crToLanes(t);
  }
}

// Along the line between two points, pushing and pulling: on B, with l the distance and e = l - l0,
//
//   f = -(k e + table(e) + c l' + signal) n,    n = (p_B - p_A) / l
static bool applySpringDamper(crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 rA = crFindArm(instance, ends->bodyA, ends->p_LA), rB = crFindArm(instance, ends->bodyB, ends->p_LB);
  crVec3 line = crFindLine(instance, ends, rA, rB);
  crVec3 v = crSub(crFindPointVelocity(instance, ends->bodyB, rB), crFindPointVelocity(instance, ends->bodyA, rA));
  double length = crLength(line), elongation = length - force->length;
  if (length == 0.0) {
    return true;
  }
  crVec3 n = crScale(1.0 / length, line);
  const crCurvePoint* curve = instance->model->curvePoints + force->curveStart;
  double tension = force->stiffness * elongation + crCurve_Compute(curve, force->curveCount, elongation) +
                   force->damping * crDot(n, v) + (force->signal >= 0 ? instance->signals[force->signal].value : 0.0);
  addForce(instance, ends->bodyA, rA, crScale(tension, n));
  addForce(instance, ends->bodyB, rB, crScale(-tension, n));
  return fabs(tension) <= DBL_MAX;
}

// With quaternion (h, e) of B in A. A small turn t of B in A's axes changes e by (h t + t x e) / 2, and so the energy
// K (2e)^2 / 2 by t . (h + e x) K 2e.
static crVec3 bushingTorque(const crModelForce* force, crMat3 R_AB)
{
  crQuat q = crMat3ToQuat(R_AB);
  crVec3 e = crMakeVec3(q.x, q.y, q.z), Ke = crTimesVec3(force->angularStiffness, crScale(2.0, e));
  return crNeg(crAdd(crScale(q.w, Ke), crCross(e, Ke)));
}

// A takes the opposite force where B's origin is, so that turning A does the work that bends the springs.
static bool applyBushing(crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 rA = crFindArm(instance, ends->bodyA, ends->p_LA), rB = crFindArm(instance, ends->bodyB, ends->p_LB);
  crVec3 line = crFindLine(instance, ends, rA, rB), wA = crFromLanes(instance->V[ends->bodyA].w);
  crVec3 v = crSub(crFindPointVelocity(instance, ends->bodyB, rB), crFindPointVelocity(instance, ends->bodyA, rA));
  crMat3 R_WA = crFindAxes(instance, ends->bodyF, ends->R_LF), R_WB = crFindAxes(instance, ends->bodyB, ends->R_LB);
  crVec3 d = crMulTV(R_WA, line), rate = crMulTV(R_WA, crSub(v, crCross(wA, line)));
  crVec3 w = crMulTV(R_WA, crSub(crFromLanes(instance->V[ends->bodyB].w), wA));
  crVec3 f_A =
      crSub(crSub(force->preload, crTimesVec3(force->linearStiffness, d)), crTimesVec3(force->linearDamping, rate));
  crVec3 t_A = crSub(bushingTorque(force, crMulTM(R_WA, R_WB)), crTimesVec3(force->angularDamping, w));
  crVec3 f = crMulMV(R_WA, f_A), t = crMulMV(R_WA, t_A);
  addForce(instance, ends->bodyB, rB, f);
  addTorque(instance, ends->bodyB, t);
  addForce(instance, ends->bodyA, crAdd(rA, line), crNeg(f));
  addTorque(instance, ends->bodyA, crNeg(t));
  return crIsFiniteVec3(f) && crIsFiniteVec3(t);
}

// A force, and the opposite on B at the same point.
static bool applyForce(crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 f = crFindVector(instance, ends, force);
  crVec3 rA = crFindArm(instance, ends->bodyA, ends->p_LA);
  crVec3 p = crAdd(crFromLanes(instance->places[ends->bodyA].p), rA);
  addForce(instance, ends->bodyA, rA, f);
  addForce(instance, ends->bodyB, crSub(p, crFromLanes(instance->places[ends->bodyB].p)), crNeg(f));
  return crIsFiniteVec3(f);
}

static bool applyTorque(crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 t = crFindVector(instance, ends, force);
  addTorque(instance, ends->bodyA, t);
  addTorque(instance, ends->bodyB, crNeg(t));
  return crIsFiniteVec3(t);
}

static bool applyElement(crInstance* instance, const crForceEnds* ends)
{
  const crModelForce* force = &instance->model->forces[ends->force];
  switch (force->kind) {
    case cr_forceSpringDamper: return applySpringDamper(instance, ends, force);
    case cr_forceBushing: return applyBushing(instance, ends, force);
    case cr_forceForce: return applyForce(instance, ends, force);
    case cr_forceTorque: return applyTorque(instance, ends, force);
    case cr_forceCable: return crApplyCable(instance, force);
    case cr_forceKindCount: break;
  }
  return true;
}

// Attraction by a point mass, acting at the centre of mass: mu m d / |d|^3.
static bool applyPointGravity(crInstance* instance, const crTree* tree)
{
  const crGravity* gravity = &instance->model->gravity;
  bool finite = true;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    double mass = instance->model->links[b].mass;
    if (mass > 0.0) {
      crVec3 c = crScale(1.0 / mass, crFromLanes(instance->rigids[b].h));
      crVec3 d = crSub(gravity->centre, crAdd(crFromLanes(instance->places[b].p), c));
      double distance = crLength(d);
      crVec3 f = crScale(gravity->mu * mass / (distance * distance * distance), d);
      addForce(instance, b, c, f);
      finite = finite && crIsFiniteVec3(f);
    }
  }
  return finite;
}

// ----------------------------------------------------------------------------------------------- stage

static void clearTree(crInstance* instance, const crTree* tree, int dofStart)
{
  memset(instance->F + tree->bodyStart, 0, (size_t)tree->bodyCount * sizeof *instance->F);
  memset(instance->tau + dofStart, 0, (size_t)tree->vCount * sizeof *instance->tau);
}

static void computeBiases(crInstance* instance, const crTree* tree)
{
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    instance->biases[b] = crComputeBias(instance, b);
  }
}

crStatus crEvalForces(crInstance* instance, crTreeSet set)
{
  const crModel* model = instance->model;
  bool finite = true;
  for (int k = 0; k < set.treeCount; ++k) {
    int t = set.trees[k];
    clearTree(instance, &model->trees[t], model->treeDofs[t]);
    for (int i = model->treeLaws[t]; i < model->treeLaws[t + 1]; ++i) {
      applyLaw(instance, model->lawBodies[i]);
    }
    applyDrives(instance, t);
    if (model->gravity.kind == cr_gravityPointMass) {
      finite &= applyPointGravity(instance, &model->trees[t]);
    }
  }
  for (int k = 0; k < set.treeCount; ++k) {
    crClearElastics(instance, set.trees[k]);
  }
  for (int k = 0; k < set.treeCount; ++k) {
    for (int i = model->treeForces[set.trees[k]]; i < model->treeForces[set.trees[k] + 1]; ++i) {
      finite &= applyElement(instance, &model->forceEnds[i]);
    }
  }
  for (int k = 0; instance->loops != NULL && k < set.treeCount; ++k) {
    crApplyCutForces(instance, set.trees[k]);
  }
  for (int k = 0; k < set.treeCount; ++k) {
    finite &= crApplyElastics(instance, set.trees[k]);
  }
  if (set.contacts != NULL) {
    finite &= crApplyContacts(instance, set.contacts);
  }
  for (int k = 0; k < set.treeCount; ++k) {
    computeBiases(instance, &model->trees[set.trees[k]]);
  }
  return finite ? cr_ok : cr_retry;
}
