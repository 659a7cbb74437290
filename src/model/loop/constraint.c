// Kinematics of cut joints: coordinates and rates, the constraint and its wrenches, and what is left of its second
// derivative when nothing is accelerated. The equations stand in loop.h.
//
// The coordinates of a cut joint come from a pose, which tells angles up to whole turns and quaternions up to their
// sign. The turn is the one nearest to a prediction from the last completed step, at first from the start: with the
// rate that the joint had there, and once the velocities are known with the mean of that rate and of the present one.
// So a joint may make many turns in a step, as long as its rate changes evenly enough to tell them within half a turn.
// A screw's position along its axis tells the turn by itself.
#include "base/elementary.h"
#include "model/loop/loop.h"

#include <string.h>

#define CR_TURN (2.0 * CR_PI)

// --------------------------------------------------------------------------------------------- position

static crWrenchL turnWrench(crLanes33 R, crWrench W)
{
  crWrenchL turned = { crMulL(R, crToLanes(W.t)), crMulL(R, crToLanes(W.f)) };
  return turned;
}

// The sum of a and b, and what rounding took from it.
static crLanes addExactly(crLanes a, crLanes b, crLanes* rest)
{
  crLanes sum = a + b, part = sum - a;
  *rest += (a - (sum - part)) + (b - part);
  return sum;
}

// From A's origin to B's, along the loop and not by way of the world: far from the world's origin, positions are
// rounded by more than a loop may be open. A sum with its rounding errors carried along, since the ends of trees may be
// far away.
static crLanes findDistance(const crInstance* instance, const crCut* cut)
{
  const crPathEntry* entries = instance->loops->entries + cut->entryStart;
  crLanes rest = crZeroLanes();
  crLanes sum = crMulL(instance->places[cut->bodyB].R, cut->p_LB) - crMulL(instance->places[cut->bodyA].R, cut->p_LA);
  for (int e = 0; e < cut->entryCount; ++e) {
    if (!entries[e].isCommon) {
      sum = addExactly(sum, instance->places[entries[e].body].r * entries[e].side, &rest);
    }
  }
  return sum + rest;
}

static crPose findPose(crInstance* instance, crCut* cut)
{
  const crPlace *A = &instance->places[cut->bodyA], *B = &instance->places[cut->bodyB];
  crLanes p_AB = findDistance(instance, cut);
  cut->R_WA = crMulMML(A->R, cut->R_LA);
  cut->r_B = crMulL(B->R, cut->p_LB);
  cut->r_A = crMulL(A->R, cut->p_LA) + p_AB;
  cut->p_WB = B->p + cut->r_B;
  crLanes33 R_AW = crTransposeL(cut->R_WA);
  return (crPose){ crFromLanes33(crMulMML(R_AW, crMulMML(B->R, cut->R_LB))), crFromLanes(crMulL(R_AW, p_AB)) };
}

static bool isAngle(const crJointType* type, int i)
{
  return type->coordinateUnits[i][0] == 'r';
}

// The turn nearest to a value.
static double chooseTurn(double angle, double near)
{
  return angle + CR_TURN * round((near - angle) / CR_TURN);
}

static bool needsTurns(const crModelJoint* joint, const crJointType* type)
{
  return !type->hasQuaternion && !(type->hasPitch && joint->pitch != 0.0);
}

// Since the last completed step; 0 before the first.
static double findElapsed(const crInstance* instance, const crCut* cut)
{
  int tree = instance->model->bodies[cut->bodyB > 0 ? cut->bodyB : cut->bodyA].tree;
  return isnan(cut->memoryTime) || tree < 0 ? 0.0 : instance->times[tree] - cut->memoryTime;
}

static void findCoordinates(const crInstance* instance, crCut* cut, const crModelJoint* joint, crPose X_AB)
{
  const crJointType* type = crGetJointType((int)joint->kind);
  crJointAxes axes = crGetJointAxes(joint);
  double sign = 0.0, elapsed = findElapsed(instance, cut);
  type->computeCoordinates(&axes, X_AB, cut->q);
  for (int i = 0; needsTurns(joint, type) && i < type->qCount; ++i) {
    if (isAngle(type, i)) {
      bool isPrescribed = joint->motion >= 0 && i == 0;
      double near =
          isPrescribed ? instance->signals[joint->motion].value : cut->memory[i] + elapsed * cut->memoryRates[i];
      cut->q[i] = chooseTurn(cut->q[i], near);
    }
  }
  for (int i = type->qCount - 4; type->hasQuaternion && i < type->qCount; ++i) {
    sign += cut->memory[i] * cut->q[i];
  }
  for (int i = type->qCount - 4; sign < 0.0 && i < type->qCount; ++i) {
    cut->q[i] = -cut->q[i];
  }
}

// Turns once more, the rates at both ends being known: exact where they grow evenly.
static void correctTurns(const crInstance* instance, crCut* cut, const crModelJoint* joint, const crJointType* type)
{
  double elapsed = findElapsed(instance, cut);
  for (int i = 0; elapsed != 0.0 && needsTurns(joint, type) && joint->motion < 0 && i < type->qCount; ++i) {
    if (isAngle(type, i)) {
      double mean = 0.5 * (cut->memoryRates[i] + cut->u[i]);
      cut->q[i] = chooseTurn(cut->q[i], cut->memory[i] + elapsed * mean);
    }
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
  findCoordinates(instance, cut, joint, X_AB);
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
    memcpy(cut->memory, cut->q, sizeof cut->memory);
    memcpy(cut->memoryRates, cut->u, sizeof cut->memoryRates);
    cut->memoryTime = instance->times[tree];
  }
}

void crInstance_KeepCuts(const crInstance* instance, int tree, crCutMemory* outMemories)
{
  const crLoops* loops = instance->loops;
  for (int c = loops != NULL ? loops->treeCuts[tree] : 0; loops != NULL && c < loops->treeCuts[tree + 1]; ++c) {
    const crCut* cut = &loops->cuts[c];
    crCutMemory* to = &outMemories[c];
    *to = (crCutMemory){ .time = cut->memoryTime,
                         .length = cut->length,
                         .activeCount = cut->activeCount,
                         .evasions = loops->evasions[tree],
                         .isWeak = loops->isWeak[tree] };
    memcpy(to->q, cut->memory, sizeof to->q);
    memcpy(to->rates, cut->memoryRates, sizeof to->rates);
    memcpy(to->order, cut->order, sizeof to->order);
  }
}

void crInstance_RestoreCuts(crInstance* instance, int tree, const crCutMemory* memories)
{
  crLoops* loops = instance->loops;
  for (int c = loops != NULL ? loops->treeCuts[tree] : 0; loops != NULL && c < loops->treeCuts[tree + 1]; ++c) {
    crCut* cut = &loops->cuts[c];
    const crCutMemory* from = &memories[c];
    cut->memoryTime = from->time;
    cut->length = from->length;
    cut->activeCount = from->activeCount;
    loops->evasions[tree] = from->evasions;
    loops->isWeak[tree] = from->isWeak;
    memcpy(cut->memory, from->q, sizeof cut->memory);
    memcpy(cut->memoryRates, from->rates, sizeof cut->memoryRates);
    memcpy(cut->order, from->order, sizeof cut->order);
  }
}

void crMeasureGap(const crInstance* instance, const crCut* cut, double* outMetres, double* outRadians)
{
  const crModelJoint* joint = &instance->model->joints[cut->joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  crJointAxes axes = crGetJointAxes(joint);
  crLanes33 R_AW = crTransposeL(cut->R_WA), R_WB = crMulMML(instance->places[cut->bodyB].R, cut->R_LB);
  crPose X_AB = { crFromLanes33(crMulMML(R_AW, R_WB)), crFromLanes(crMulL(R_AW, findDistance(instance, cut))) };
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
  crMotionL V = { B->w - A->w, B->v + crCrossL(B->w, cut->r_B) - A->v - crCrossL(A->w, cut->r_A) };
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
  crMotionL onA = accelerationAt(instance, a, cut->r_A, A[a]);
  crMotionL onB = accelerationAt(instance, b, cut->r_B, A[b]);
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
  correctTurns(instance, cut, joint, type);
  findMotionBias(cut, joint, type);
  crMotionL A = relativeAcceleration(instance, cut, V, instance->A0);
  A = (crMotionL){ A.w - cut->motionBias.w, A.v - cut->motionBias.v };
  cut->coordinateBias = crPowerL(cut->duals[0], A);
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
    if (ofPosition && !crIsCoupling(cut)) {
      evalPosition(instance, cut);
    }
    if (ofVelocity && !crIsCoupling(cut)) {
      evalVelocity(instance, cut);
    }
  }
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    if (crIsCoupling(cut)) { // once all coordinates are known, with their turns
      crEvalCoupling(instance, cut, ofVelocity);
    }
  }
}

// ------------------------------------------------------------------------------------------------ force

// What a cut joint's law and drive exert on its coordinates.
static double cutForce(const crInstance* instance, const crCut* cut, const crModelJoint* joint, int i)
{
  bool hasCoordinate = !crGetJointType((int)joint->kind)->hasQuaternion;
  double force = joint->drive >= 0 && i == 0 ? instance->signals[joint->drive].value : 0.0;
  if (joint->law >= 0) {
    force += crComputeLawForce(instance, joint, i, hasCoordinate, hasCoordinate ? cut->q[i] : 0.0, cut->u[i]);
  }
  return force;
}

crWrenchL crFindCutForce(const crInstance* instance, const crCut* cut)
{
  const crModelJoint* joint = &instance->model->joints[cut->joint];
  crWrenchL W = { crZeroLanes(), crZeroLanes() };
  for (int i = 0; (joint->law >= 0 || joint->drive >= 0) && i < crGetJointType((int)joint->kind)->vCount; ++i) {
    double force = cutForce(instance, cut, joint, i);
    W.t += cut->duals[i].t * force;
    W.f += cut->duals[i].f * force;
  }
  return W;
}

// A wrench about B's origin, r away from a body's own, moved there.
static void addWrench(crInstance* instance, int body, crLanes r, crWrenchL W, double sign)
{
  if (body > 0) {
    crWrenchL moved = crShiftWrench(W, r);
    instance->F[body].t += moved.t * sign;
    instance->F[body].f += moved.f * sign;
  }
}

void crAddCutWrench(crInstance* instance, const crCut* cut, crWrenchL W)
{
  addWrench(instance, cut->bodyB, cut->r_B, W, 1.0);
  addWrench(instance, cut->bodyA, cut->r_A, W, -1.0);
}

void crApplyCutForces(crInstance* instance, int tree)
{
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    const crModelJoint* joint = crIsCoupling(cut) ? NULL : &instance->model->joints[cut->joint];
    if (joint != NULL && (joint->law >= 0 || joint->drive >= 0)) {
      crAddCutWrench(instance, cut, crFindCutForce(instance, cut));
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
  crLanes rA = cut->r_A, rB = cut->r_B;
  const crMotionL* more = instance->A;
  A.w += more[b].w - more[a].w - cut->motionBias.w;
  A.v += more[b].v + crCrossL(more[b].w, rB) - more[a].v - crCrossL(more[a].w, rA) - cut->motionBias.v;
  return crPowerL(cut->duals[i], A);
}
