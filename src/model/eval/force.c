// Stage force: laws of joints, force elements, gravity, and the wrench that each body needs to move with A0.
//
//   bias = (I w0' + h x v0' + w x I w,   m v0' + w0' x h + w x (w x h)) - F,    A0 = (w0', v0')
//
// Uniform gravity is part of A0 already.
#include "model/eval/instance.h"

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

double crComputeLawForce(const crJointLaw* law, int i, bool hasCoordinate, double q, double v)
{
  double force = -law->damping[i] * v;
  if (hasCoordinate) {
    force -= law->stiffness[i] * (q - law->rest[i]);
    force += law->friction[i] != 0.0 ? -law->friction[i] * tanh(v / law->frictionRate[i]) : 0.0;
    force += stopForce(law, i, q, v);
  }
  return force;
}

double crComputeLawEnergy(const crJointLaw* law, int i, double q)
{
  double stretch = q - law->rest[i], depth = stopDepth(law, i, q);
  return 0.5 * law->stiffness[i] * stretch * stretch + 0.5 * law->stopStiffness[i] * depth * depth;
}

static void applyLaw(crInstance* instance, int b)
{
  const crLink* link = &instance->model->links[b];
  const crModelJoint* joint = &instance->model->joints[link->joint];
  bool hasCoordinate = !crGetJointType((int)joint->kind)->hasQuaternion;
  for (int i = 0; i < link->vCount; ++i) {
    double q = hasCoordinate ? instance->y[link->qStart + i] : 0.0;
    instance->tau[link->dofStart + i] =
        crComputeLawForce(joint->law, i, hasCoordinate, q, instance->y[link->vStart + i]);
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

// A spring and damper along the line between two points, which pushes and pulls: on B
//
//   f = -(k (l - l0) + c l') n,    n = (p_B - p_A) / l
//
// While the points coincide there is no line and no force.
static bool applySpringDamper(crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  const crPlace *A = &instance->places[ends->bodyA], *B = &instance->places[ends->bodyB];
  const crMotionL *VA = &instance->V[ends->bodyA], *VB = &instance->V[ends->bodyB];
  crVec3 rA = crFromLanes(crMulL(A->R, crToLanes(ends->p_LA))), rB = crFromLanes(crMulL(B->R, crToLanes(ends->p_LB)));
  crVec3 line = crSub(crAdd(crFromLanes(B->p), rB), crAdd(crFromLanes(A->p), rA));
  crVec3 vA = crAdd(crFromLanes(VA->v), crCross(crFromLanes(VA->w), rA));
  crVec3 vB = crAdd(crFromLanes(VB->v), crCross(crFromLanes(VB->w), rB));
  double length = crLength(line);
  if (length == 0.0) {
    return true;
  }
  crVec3 n = crScale(1.0 / length, line);
  double tension = force->stiffness * (length - force->length) + force->damping * crDot(n, crSub(vB, vA));
  addForce(instance, ends->bodyA, rA, crScale(tension, n));
  addForce(instance, ends->bodyB, rB, crScale(-tension, n));
  return fabs(tension) <= DBL_MAX;
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
  const crLink* links = instance->model->links;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    const crRigid* rigid = &instance->rigids[b];
    crLanes w = instance->V[b].w;
    crWrenchL N = crMulRigid(rigid, links[b].mass, instance->A0[b]);
    crLanes t = N.t + crCrossL(w, crMulL(rigid->I, w)), f = N.f + crCrossL(w, crCrossL(w, rigid->h));
    instance->biases[b] = (crWrenchL){ t - instance->F[b].t, f - instance->F[b].f };
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
    for (int i = model->treeForces[set.trees[k]]; i < model->treeForces[set.trees[k] + 1]; ++i) {
      const crForceEnds* ends = &model->forceEnds[i];
      finite &= applySpringDamper(instance, ends, &model->forces[ends->force]);
    }
  }
  for (int k = 0; k < set.treeCount; ++k) {
    computeBiases(instance, &model->trees[set.trees[k]]);
  }
  return finite ? cr_ok : cr_retry;
}
