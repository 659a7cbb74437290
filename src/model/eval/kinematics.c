// Stages position and velocity: poses, motions and bias accelerations, from the world outwards.
//
// With parent P, r = p_PB in world axes, S the columns of the joint and u its rates, wJ = S_w u, vJ = S_v u:
//
//   w_B = w_P + wJ                       v_B = v_P + w_P x r + vJ
//   w_B' = w_P' + S_w u' + S_w' u        v_B' = v_P' + w_P' x r + w_P x r' + S_v u' + S_v' u,   r' = w_P x r + vJ
//
// Primes are derivatives seen in the world; v_B' is the acceleration of the body's origin, not the spatial
// acceleration of [Featherstone08] (2.48), which is smaller by w x v. A0 is the acceleration with u' = 0.
// Uniform gravity enters as an acceleration -g of the world.
#include "model/eval/instance.h"

#include <float.h>

// ----------------------------------------------------------------------------------- position, revolute

// Apart from the recursion, so that the calls do not interrupt it.
static void computeTurns(crInstance* instance, const crTree* tree)
{
  const crLink* links = instance->model->links;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    if (links[b].isRevolute) {
      double q = instance->y[links[b].qStart];
      instance->turns[b][0] = cos(q);
      instance->turns[b][1] = sin(q);
    }
  }
}

static inline void placeRevolute(crInstance* instance, const crLink* link, int b)
{
  const crPlace* P = &instance->places[link->parent];
  crPlace* B = &instance->places[b];
  double c = instance->turns[b][0], s = instance->turns[b][1];
  crLanes33 J = crMulMML(P->R, link->R_PN);
  B->R.x = J.x * c + J.y * s;
  B->R.y = J.y * c - J.x * s;
  B->R.z = J.z;
  B->r = crMulL(P->R, link->p_PN);
  B->p = P->p + B->r;
  instance->S[link->dofStart] = (crMotionL){ J.z, crZeroLanes() };
}

// ------------------------------------------------------------------------------------ position, general

static crMotionL turnMotion(crLanes33 R, crMotion m)
{
  crMotionL turned = { crMulL(R, crToLanes(m.w)), crMulL(R, crToLanes(m.v)) };
  return turned;
}

// The motion of A relative to B about A's origin, from that of B relative to A about B's origin.
static crMotion reverseMotion(crMotion m, crVec3 p_AB)
{
  crMotion reversed = { crNeg(m.w), crNeg(crAdd(m.v, crCross(p_AB, m.w))) };
  return reversed;
}

static void placeGeneral(crInstance* instance, const crLink* link, int b)
{
  const crModelJoint* joint = &instance->model->joints[link->joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  const crPlace* P = &instance->places[link->parent];
  crPlace* B = &instance->places[b];
  crJointAxes axes = crGetJointAxes(joint);
  crMotion columns[CR_MAX_JOINT_V];
  crPose X_AB = type->computePose(&axes, instance->y + link->qStart);
  crPose X_NB = joint->isReversed ? crInvertPose(X_AB) : X_AB;
  crLanes33 R_WN = crMulMML(P->R, link->R_PN);
  B->R = crMulMML(R_WN, crToLanes33(X_NB.R));
  B->r = crMulL(P->R, link->p_PN) + crMulL(R_WN, crToLanes(X_NB.p));
  B->p = P->p + B->r;
  type->computeMotionColumns(&axes, instance->y + link->qStart, columns);
  for (int i = 0; i < link->vCount; ++i) {
    instance->S[link->dofStart + i] =
        joint->isReversed ? turnMotion(B->R, reverseMotion(columns[i], X_AB.p)) : turnMotion(R_WN, columns[i]);
  }
}

// -------------------------------------------------------------------------------------- position, stage

static bool areFinite(const double* values, int count)
{
  bool finite = true;
  for (int i = 0; i < count; ++i) {
    finite &= fabs(values[i]) <= DBL_MAX;
  }
  return finite;
}

crStatus crEvalPosition(crInstance* instance, const crTree* tree)
{
  const crLink* links = instance->model->links;
  if (!areFinite(instance->y + tree->qStart, crTreeStateCount(tree))) {
    return cr_retry;
  }
  computeTurns(instance, tree);
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    if (links[b].isRevolute) {
      placeRevolute(instance, &links[b], b);
    } else {
      placeGeneral(instance, &links[b], b);
    }
    const crLanes33* R = &instance->places[b].R;
    instance->rigids[b].I = crRotateL33(*R, links[b].I_Bo);
    instance->rigids[b].h = crMulL(*R, links[b].h);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- velocity

// e is fixed in the parent, so e' = w_P x e; r is, too.
static inline void moveRevolute(crInstance* instance, const crLink* link, int b)
{
  const crMotionL *V = &instance->V[link->parent], *A = &instance->A0[link->parent];
  crLanes r = instance->places[b].r;
  crLanes wJ = instance->places[b].R.z * instance->y[link->vStart];
  crLanes rate = crCrossL(V->w, r);
  instance->V[b] = (crMotionL){ V->w + wJ, V->v + rate };
  instance->A0[b] = (crMotionL){ A->w + crCrossL(V->w, wJ), A->v + (crCrossL(A->w, r) + crCrossL(V->w, rate)) };
}

static crMotion sumMotion(const crMotion* columns, const double* u, int count)
{
  crMotion sum = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  for (int i = 0; i < count; ++i) {
    sum.w = crMulAdd(sum.w, u[i], columns[i].w);
    sum.v = crMulAdd(sum.v, u[i], columns[i].v);
  }
  return sum;
}

// S' u of a reversed joint, seen in A, which is the body: with J = S_AB u and its bias J', both in A's axes,
// the columns -(w, v + p x w) change by -(w', v' + p' x w + p x w').
static crMotion reverseBias(const crModelJoint* joint, const crJointType* type, const double* q, const double* u,
                            crMotion bias)
{
  crJointAxes axes = crGetJointAxes(joint);
  crMotion columns[CR_MAX_JOINT_V];
  type->computeMotionColumns(&axes, q, columns);
  crMotion J = sumMotion(columns, u, type->vCount);
  crVec3 p_AB = type->computePose(&axes, q).p;
  crVec3 v = crAdd(bias.v, crAdd(crCross(J.v, J.w), crCross(p_AB, bias.w)));
  crMotion reversed = { crNeg(bias.w), crNeg(v) };
  return reversed;
}

// S' u in world axes. The columns are given in the near frame, which turns with the parent, or, reversed, in
// the body's.
static crMotionL motionBias(const crInstance* instance, const crLink* link, int b, crMotionL J)
{
  const crModelJoint* joint = &instance->model->joints[link->joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  const double *q = instance->y + link->qStart, *u = instance->y + link->vStart;
  crMotion bias = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  if (type->computeMotionBias != NULL) {
    crJointAxes axes = crGetJointAxes(joint);
    type->computeMotionBias(&axes, q, u, &bias);
  }
  crLanes33 R = joint->isReversed ? instance->places[b].R : crMulMML(instance->places[link->parent].R, link->R_PN);
  crLanes w = instance->V[joint->isReversed ? b : link->parent].w;
  crMotionL own = turnMotion(R, joint->isReversed ? reverseBias(joint, type, q, u, bias) : bias);
  crMotionL sum = { crCrossL(w, J.w) + own.w, crCrossL(w, J.v) + own.v };
  return sum;
}

static void moveGeneral(crInstance* instance, const crLink* link, int b)
{
  const crMotionL *V = &instance->V[link->parent], *A = &instance->A0[link->parent];
  const crMotionL* S = &instance->S[link->dofStart];
  crLanes r = instance->places[b].r;
  crMotionL J = { crZeroLanes(), crZeroLanes() };
  for (int i = 0; i < link->vCount; ++i) {
    J.w += S[i].w * instance->y[link->vStart + i];
    J.v += S[i].v * instance->y[link->vStart + i];
  }
  crLanes rate = crCrossL(V->w, r) + J.v;
  instance->V[b] = (crMotionL){ V->w + J.w, V->v + rate };
  crMotionL bias = motionBias(instance, link, b, J);
  instance->A0[b] = (crMotionL){ A->w + bias.w, A->v + (crCrossL(A->w, r) + crCrossL(V->w, rate) + bias.v) };
}

void crEvalVelocity(crInstance* instance, const crTree* tree)
{
  const crLink* links = instance->model->links;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    if (links[b].isRevolute) {
      moveRevolute(instance, &links[b], b);
    } else {
      moveGeneral(instance, &links[b], b);
    }
  }
}

// ----------------------------------------------------------------------------------------------- rates

void crComputeCoordinateRates(const crInstance* instance, const crTree* tree, double* outRates)
{
  const crModel* model = instance->model;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    const crLink* link = &model->links[b];
    double* rates = outRates + (link->qStart - tree->qStart);
    if (link->isRevolute) {
      rates[0] = instance->y[link->vStart];
    } else {
      crGetJointType((int)model->joints[link->joint].kind)
          ->computeCoordinateRates(instance->y + link->qStart, instance->y + link->vStart, rates);
    }
  }
}
