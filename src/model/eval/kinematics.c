// Stages position and velocity: poses, motions and bias accelerations, from the world outwards.
//
// With parent P, r = p_PB in world axes, S the columns of the joint and u its rates, wJ = S_w u, vJ = S_v u:
//
//   w_B = w_P + wJ                       v_B = v_P + w_P x r + vJ
//   w_B' = w_P' + S_w u' + S_w' u        v_B' = v_P' + w_P' x r + w_P x r' + S_v u' + S_v' u,   r' = w_P x r + vJ
//
// Primes are derivatives seen in the world; v_B' is the acceleration of the body's origin, not the spatial
// acceleration of [Featherstone08] section 2.11, which is smaller by w x v. A0 is the acceleration with u' = 0, but for
// prescribed motions, whose u' is known: to the recursions that follow their joints are rigid.
// Uniform gravity enters as an acceleration -g of the world.
#include "math/sin_cos.h"
#include "model/eval/free_body.h"

// ----------------------------------------------------------------------------------- position, revolute

// Apart from the recursion, so that four are computed at once.
static void computeTurns(crInstance* instance, const crTree* tree)
{
  const crLink* links = instance->model->links;
  bool hasRevolute = false;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    bool isRevolute = links[b].path == cr_pathRevolute;
    instance->angles[b] = isRevolute ? instance->y[links[b].qStart] : 0.0;
    hasRevolute |= isRevolute;
  }
  if (hasRevolute) {
    int b = tree->bodyStart;
    crSinCosAll(instance->angles + b, tree->bodyCount, instance->sines + b, instance->cosines + b);
  }
}

static inline crPlace placeRevolute(crInstance* instance, const crLink* link, int b, const crPlace* P)
{
  crPlace B;
  double c = instance->cosines[b], s = instance->sines[b];
  crLanes33 J = crMulMML(P->R, link->R_PN);
  B.R = (crLanes33){ J.x * c + J.y * s, J.y * c - J.x * s, J.z };
  B.r = crMulL(P->R, link->p_PN);
  B.p = P->p + B.r;
  instance->S[link->dofStart] = (crMotionL){ J.z, crZeroLanes() };
  return B;
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

static crPlace placeGeneral(crInstance* instance, const crLink* link, const crPlace* P)
{
  const crModelJoint* joint = &instance->model->joints[link->joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  crPlace B;
  crJointAxes axes = crGetJointAxes(joint);
  crMotion columns[CR_MAX_JOINT_V];
  crPose X_AB = type->computePose(&axes, instance->y + link->qStart);
  crPose X_NB = joint->isReversed ? crInvertPose(X_AB) : X_AB;
  crLanes33 R_WN = crMulMML(P->R, link->R_PN);
  B.R = crMulMML(R_WN, crToLanes33(X_NB.R));
  B.r = crMulL(P->R, link->p_PN) + crMulL(R_WN, crToLanes(X_NB.p));
  B.p = P->p + B.r;
  type->computeMotionColumns(&axes, instance->y + link->qStart, columns);
  for (int i = 0; i < link->columnCount; ++i) {
    instance->S[link->columnStart + i] =
        joint->isReversed ? turnMotion(B.R, reverseMotion(columns[i], X_AB.p)) : turnMotion(R_WN, columns[i]);
  }
  return B;
}

// -------------------------------------------------------------------------------------- position, stage

crStatus crEvalPosition(crInstance* instance, const crTree* tree)
{
  const crLink* links = instance->model->links;
  if (!crAreFinite(instance->y + tree->qStart, crTreeStateCount(tree))) {
    return cr_retry;
  }
  computeTurns(instance, tree);
  crPlace B = instance->places[0];
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    const crLink* link = &links[b];
    // mostly the parent is the body before, still at hand
    crPlace P = link->parent == b - 1 ? B : instance->places[link->parent];
    B = link->path == cr_pathRevolute ? placeRevolute(instance, link, b, &P)
        : link->path == cr_pathFree   ? crPlaceFree(instance->y + link->qStart)
                                      : placeGeneral(instance, link, &P);
    instance->places[b] = B;
    bool isRound = link->inverseRound > 0.0; // looks the same however it is turned
    instance->rigids[b] =
        isRound ? (crRigid){ link->I_Bo, link->h } : (crRigid){ crRotateL33(B.R, link->I_Bo), crMulL(B.R, link->h) };
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- velocity

// Velocity, and acceleration with all v' = 0.
typedef struct Moving {
  crMotionL V, A;
} Moving;

// e is fixed in the parent, so e' = w_P x e; r is, too.
static inline Moving moveRevolute(const crInstance* instance, const crLink* link, int b, Moving P)
{
  crLanes r = instance->places[b].r;
  crLanes wJ = instance->places[b].R.z * instance->y[link->vStart];
  crLanes rate = crCrossL(P.V.w, r);
  Moving B = { { P.V.w + wJ, P.V.v + rate },
               { P.A.w + crCrossL(P.V.w, wJ), P.A.v + (crCrossL(P.A.w, r) + crCrossL(P.V.w, rate)) } };
  return B;
}

// Without a joint nothing accelerates the body against the world.
static inline Moving moveFree(const crInstance* instance, const crLink* link)
{
  const double* u = instance->y + link->vStart;
  Moving B = { { { u[3], u[4], u[5], 0.0 }, { u[0], u[1], u[2], 0.0 } }, instance->A0[0] };
  return B;
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
// the body's, which turns with w_B.
static crMotionL motionBias(const crInstance* instance, const crLink* link, int b, crMotionL J, crLanes w_P,
                            crLanes w_B)
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
  crLanes w = joint->isReversed ? w_B : w_P;
  crMotionL own = turnMotion(R, joint->isReversed ? reverseBias(joint, type, q, u, bias) : bias);
  crMotionL sum = { crCrossL(w, J.w) + own.w, crCrossL(w, J.v) + own.v };
  return sum;
}

static Moving moveGeneral(const crInstance* instance, const crLink* link, int b, Moving P)
{
  const crMotionL* S = &instance->S[link->columnStart];
  crLanes r = instance->places[b].r;
  crMotionL J = { crZeroLanes(), crZeroLanes() };
  for (int i = 0; i < link->columnCount; ++i) {
    J.w += S[i].w * instance->y[link->vStart + i];
    J.v += S[i].v * instance->y[link->vStart + i];
  }
  crLanes rate = crCrossL(P.V.w, r) + J.v;
  crLanes w = P.V.w + J.w;
  crMotionL bias = motionBias(instance, link, b, J, P.V.w, w);
  if (link->vCount == 0) { // prescribed: its acceleration is known, too, and lies behind its velocity
    double u = instance->y[link->vStart + 1];
    bias = (crMotionL){ bias.w + S->w * u, bias.v + S->v * u };
  }
  Moving B = { { w, P.V.v + rate }, { P.A.w + bias.w, P.A.v + (crCrossL(P.A.w, r) + crCrossL(P.V.w, rate) + bias.v) } };
  return B;
}

void crEvalVelocity(crInstance* instance, const crTree* tree)
{
  const crLink* links = instance->model->links;
  Moving B = { instance->V[0], instance->A0[0] };
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    const crLink* link = &links[b];
    if (link->parent != b - 1) {
      B = (Moving){ instance->V[link->parent], instance->A0[link->parent] };
    }
    B = link->path == cr_pathRevolute ? moveRevolute(instance, link, b, B)
        : link->path == cr_pathFree   ? moveFree(instance, link)
                                      : moveGeneral(instance, link, b, B);
    instance->V[b] = B.V;
    instance->A0[b] = B.A;
  }
}

// ----------------------------------------------------------------------------------------------- rates

void crComputeCoordinateRates(const crInstance* instance, const crTree* tree, double* outRates)
{
  const crModel* model = instance->model;
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    const crLink* link = &model->links[b];
    if (link->vCount == 0) {
      continue;
    }
    double* rates = outRates + (link->qStart - tree->qStart);
    if (link->path == cr_pathRevolute) {
      rates[0] = instance->y[link->vStart];
    } else {
      crGetJointType((int)model->joints[link->joint].kind)
          ->computeCoordinateRates(instance->y + link->qStart, instance->y + link->vStart, rates);
    }
  }
}
