// Kinematics of cut joints: coordinates and rates, the constraint and its wrenches, and what is left of its second
// derivative when nothing is accelerated. The equations stand in loop.h.
//
// The coordinates of a cut joint come from a pose, which tells angles up to whole turns and quaternions up to their
// sign. The turn is the one nearest to that of the last completed step, at first to the start value: a joint that
// moves by less than half a turn from one step to the next is followed for any number of turns.
#include "base/elementary.h"
#include "model/eval/loop.h"

#define CR_TURN (2.0 * CR_PI)

// --------------------------------------------------------------------------------------------- position

static crWrenchL turnWrench(crLanes33 R, crWrench W)
{
  crWrenchL turned = { crMulL(R, crToLanes(W.t)), crMulL(R, crToLanes(W.f)) };
  return turned;
}

static crPose findPose(crInstance* instance, crCut* cut)
{
  const crPlace *A = &instance->places[cut->bodyA], *B = &instance->places[cut->bodyB];
  cut->R_WA = crMulMML(A->R, cut->R_LA);
  cut->p_WA = A->p + crMulL(A->R, cut->p_LA);
  cut->p_WB = B->p + crMulL(B->R, cut->p_LB);
  crLanes33 R_AW = crTransposeL(cut->R_WA);
  crPose X_AB = { crFromLanes33(crMulMML(R_AW, crMulMML(B->R, cut->R_LB))),
                  crFromLanes(crMulL(R_AW, cut->p_WB - cut->p_WA)) };
  return X_AB;
}

static bool isAngle(const crJointType* type, int i)
{
  return type->coordinateUnits[i][0] == 'r';
}

static void findCoordinates(crCut* cut, const crJointType* type, const crJointAxes* axes, crPose X_AB)
{
  double sign = 0.0;
  type->computeCoordinates(axes, X_AB, cut->q);
  for (int i = 0; i < type->qCount; ++i) {
    if (isAngle(type, i)) {
      cut->q[i] += CR_TURN * round((cut->memory[i] - cut->q[i]) / CR_TURN);
    }
  }
  for (int i = type->qCount - 4; type->hasQuaternion && i < type->qCount; ++i) {
    sign += cut->memory[i] * cut->q[i];
  }
  for (int i = type->qCount - 4; sign < 0.0 && i < type->qCount; ++i) {
    cut->q[i] = -cut->q[i];
  }
}

// The wrenches S (S^T S)^-1, each of which does work on one coordinate alone. Columns of different units are never
// both in a product, but for a screw, where any choice is right on the constraint.
static void findDuals(crCut* cut, const crJointType* type, const crJointAxes* axes)
{
  crMotion columns[CR_MAX_JOINT_V];
  double gram[CR_MAX_JOINT_V][CR_MAX_JOINT_V];
  int n = type->vCount;
  type->computeMotionColumns(axes, cut->q, columns);
  for (int i = 0; i < n; ++i) {
    cut->duals[i] = turnWrench(cut->R_WA, (crWrench){ columns[i].w, columns[i].v });
    for (int j = 0; j < n; ++j) {
      gram[i][j] = crDot(columns[i].w, columns[j].w) + crDot(columns[i].v, columns[j].v);
    }
  }
  for (int i = 0; i < n; ++i) { // Gauss-Jordan; the matrix is positive definite
    double inverse = 1.0 / gram[i][i];
    for (int j = 0; j < n; ++j) {
      gram[i][j] *= inverse;
    }
    cut->duals[i] = (crWrenchL){ cut->duals[i].t * inverse, cut->duals[i].f * inverse };
    for (int k = 0; k < n; ++k) {
      double factor = k != i ? gram[k][i] : 0.0;
      for (int j = 0; factor != 0.0 && j < n; ++j) {
        gram[k][j] -= factor * gram[i][j];
      }
      cut->duals[k] =
          (crWrenchL){ cut->duals[k].t - cut->duals[i].t * factor, cut->duals[k].f - cut->duals[i].f * factor };
    }
  }
}

// Rows of coordinates: the prescribed one, or those that are kept while a loop is assembled.
static void addCoordinateRows(const crInstance* instance, crCut* cut, const crModelJoint* joint)
{
  int row = cut->constraintCount;
  if (joint->motion >= 0) {
    cut->rows[row] = cut->duals[0];
    cut->g[row] = cut->q[0] - instance->signals[joint->motion].value;
    return;
  }
  for (int i = 0; row < cut->allRowCount; ++i) {
    if (joint->fixed[i]) {
      cut->rows[row] = cut->duals[i];
      cut->g[row++] = cut->q[i] - joint->start[i];
    }
  }
}

static void evalPosition(crInstance* instance, crCut* cut)
{
  const crModelJoint* joint = &instance->model->joints[cut->joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  crJointAxes axes = crGetJointAxes(joint);
  crWrench rows[CR_MAX_ROWS];
  crPose X_AB = findPose(instance, cut);
  findCoordinates(cut, type, &axes, X_AB);
  findDuals(cut, type, &axes);
  type->computeConstraint(&axes, X_AB, cut->g);
  type->computeConstraintWrenches(&axes, X_AB, rows);
  for (int r = 0; r < cut->constraintCount; ++r) {
    cut->rows[r] = turnWrench(cut->R_WA, rows[r]);
  }
  addCoordinateRows(instance, cut, joint);
}

void crRememberTurns(crInstance* instance, int tree)
{
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    for (int i = 0; i < CR_MAX_JOINT_Q; ++i) {
      cut->memory[i] = cut->q[i];
    }
  }
}

void crMeasureGap(const crInstance* instance, const crCut* cut, double* outMetres, double* outRadians)
{
  const crModelJoint* joint = &instance->model->joints[cut->joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  crJointAxes axes = crGetJointAxes(joint);
  crLanes33 R_AW = crTransposeL(cut->R_WA), R_WB = crMulMML(instance->places[cut->bodyB].R, cut->R_LB);
  crPose X_AB = { crFromLanes33(crMulMML(R_AW, R_WB)), crFromLanes(crMulL(R_AW, cut->p_WB - cut->p_WA)) };
  crPose error = crInvMulPose(type->computePose(&axes, cut->q), X_AB);
  crQuat turn = crMat3ToQuat(error.R);
  *outMetres = crLength(error.p);
  *outRadians = 2.0 * crAtan2(crLength(crMakeVec3(turn.x, turn.y, turn.z)), fabs(turn.w));
  for (int r = cut->constraintCount; r < cut->allRowCount; ++r) { // coordinates that should have another value
    bool isLength = crDotL(cut->rows[r].f, cut->rows[r].f) > 0.0;
    double* gap = isLength ? outMetres : outRadians;
    *gap = fmax(*gap, fabs(cut->g[r]));
  }
}

// --------------------------------------------------------------------------------------------- velocity

static crMotionL relativeMotion(const crInstance* instance, const crCut* cut)
{
  const crMotionL *A = &instance->V[cut->bodyA], *B = &instance->V[cut->bodyB];
  crLanes rA = cut->p_WB - instance->places[cut->bodyA].p, rB = cut->p_WB - instance->places[cut->bodyB].p;
  crMotionL V = { B->w - A->w, B->v + crCrossL(B->w, rB) - A->v - crCrossL(A->w, rA) };
  return V;
}

// Of B's origin as a point of a body, with the given acceleration of the body's own origin.
static crMotionL accelerationAt(const crInstance* instance, int body, crLanes r, crMotionL A)
{
  crLanes w = instance->V[body].w;
  crMotionL moved = { A.w, A.v + crCrossL(A.w, r) + crCrossL(w, crCrossL(w, r)) };
  return moved;
}

// Acceleration of B relative to A as seen in A, for given accelerations of both bodies.
static crMotionL relativeAcceleration(const crInstance* instance, const crCut* cut, crMotionL V, const crMotionL* A)
{
  int a = cut->bodyA, b = cut->bodyB;
  crMotionL onA = accelerationAt(instance, a, cut->p_WB - instance->places[a].p, A[a]);
  crMotionL onB = accelerationAt(instance, b, cut->p_WB - instance->places[b].p, A[b]);
  crLanes w = instance->V[a].w;
  crMotionL relative = { onB.w - onA.w - crCrossL(w, V.w), onB.v - onA.v - crCrossL(w, V.v) * 2.0 };
  return relative;
}

static void findMotionBias(crCut* cut, const crModelJoint* joint, const crJointType* type)
{
  crMotion bias = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  if (type->computeMotionBias != NULL) {
    crJointAxes axes = crGetJointAxes(joint);
    type->computeMotionBias(&axes, cut->q, cut->u, &bias);
  }
  cut->motionBias = (crMotionL){ crMulL(cut->R_WA, crToLanes(bias.w)), crMulL(cut->R_WA, crToLanes(bias.v)) };
}

static void evalVelocity(crInstance* instance, crCut* cut)
{
  const crModelJoint* joint = &instance->model->joints[cut->joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  crMotionL V = relativeMotion(instance, cut);
  for (int i = 0; i < type->vCount; ++i) {
    cut->u[i] = crPowerL(cut->duals[i], V);
  }
  findMotionBias(cut, joint, type);
  crMotionL A = relativeAcceleration(instance, cut, V, instance->A0);
  A = (crMotionL){ A.w - cut->motionBias.w, A.v - cut->motionBias.v };
  for (int r = 0; r < cut->allRowCount; ++r) {
    cut->rates[r] = crPowerL(cut->rows[r], V);
    cut->biases[r] = crPowerL(cut->rows[r], A);
  }
  if (joint->motion >= 0) {
    cut->rates[cut->constraintCount] -= instance->signals[joint->motion].rate;
    cut->biases[cut->constraintCount] -= instance->signals[joint->motion].acceleration;
  }
}

void crEvalCuts(crInstance* instance, int tree, bool ofPosition, bool ofVelocity)
{
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    if (ofPosition) {
      evalPosition(instance, cut);
    }
    if (ofVelocity) {
      evalVelocity(instance, cut);
    }
  }
}

// ------------------------------------------------------------------------------------------------ force

// What a cut joint's law and drive exert on its coordinates.
static double cutForce(const crInstance* instance, const crCut* cut, const crModelJoint* joint, int i)
{
  bool hasCoordinate = !crGetJointType((int)joint->kind)->hasQuaternion;
  double force = joint->drive >= 0 && i == 0 ? instance->signals[joint->drive].value : 0.0;
  if (joint->law != NULL) {
    force += crComputeLawForce(joint->law, i, hasCoordinate, hasCoordinate ? cut->q[i] : 0.0, cut->u[i]);
  }
  return force;
}

crWrenchL crFindCutForce(const crInstance* instance, const crCut* cut)
{
  const crModelJoint* joint = &instance->model->joints[cut->joint];
  crWrenchL W = { crZeroLanes(), crZeroLanes() };
  for (int i = 0; (joint->law != NULL || joint->drive >= 0) && i < crGetJointType((int)joint->kind)->vCount; ++i) {
    double force = cutForce(instance, cut, joint, i);
    W.t += cut->duals[i].t * force;
    W.f += cut->duals[i].f * force;
  }
  return W;
}

// A wrench about B's origin, moved to a body's own.
static void addWrench(crInstance* instance, int body, const crCut* cut, crWrenchL W, double sign)
{
  if (body > 0) {
    crWrenchL moved = crShiftWrench(W, cut->p_WB - instance->places[body].p);
    instance->F[body].t += moved.t * sign;
    instance->F[body].f += moved.f * sign;
  }
}

void crApplyCutForces(crInstance* instance, int tree)
{
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    const crModelJoint* joint = &instance->model->joints[cut->joint];
    if (joint->law != NULL || joint->drive >= 0) {
      crWrenchL W = crFindCutForce(instance, cut);
      addWrench(instance, cut->bodyB, cut, W, 1.0);
      addWrench(instance, cut->bodyA, cut, W, -1.0);
    }
  }
}

double crGetMotionForce(const crCut* cut)
{
  for (int i = 0; i < cut->activeCount; ++i) {
    if (cut->order[i] == cut->constraintCount) {
      return cut->lambda[i];
    }
  }
  return 0.0;
}

// -------------------------------------------------------------------------------------------- any joint

double crGetCoordinate(const crInstance* instance, int joint, int i)
{
  const crModelJoint* record = &instance->model->joints[joint];
  return record->isCut ? crFindCut(instance, joint)->q[i] : instance->y[record->qStart + i];
}

double crGetRate(const crInstance* instance, int joint, int i)
{
  const crModelJoint* record = &instance->model->joints[joint];
  return record->isCut ? crFindCut(instance, joint)->u[i] : instance->y[record->vStart + i];
}

// A is beyond A0, so of its velocity products only those of the relative motion are taken off again.
double crGetJointAcceleration(const crInstance* instance, int joint, int i)
{
  const crModel* model = instance->model;
  const crModelJoint* record = &model->joints[joint];
  if (!record->isCut) {
    return record->motion >= 0 ? instance->y[record->vStart + 1] : instance->vdot[model->links[joint + 1].dofStart + i];
  }
  const crCut* cut = crFindCut(instance, joint);
  int a = cut->bodyA, b = cut->bodyB;
  crMotionL A = relativeAcceleration(instance, cut, relativeMotion(instance, cut), instance->A0);
  crLanes rA = cut->p_WB - instance->places[a].p, rB = cut->p_WB - instance->places[b].p;
  const crMotionL* more = instance->A;
  A.w += more[b].w - more[a].w - cut->motionBias.w;
  A.v += more[b].v + crCrossL(more[b].w, rB) - more[a].v - crCrossL(more[a].w, rA) - cut->motionBias.v;
  return crPowerL(cut->duals[i], A);
}
