// Errors of targets, and gaps of loops, with their slopes.
//
// A target wants the point c of its object at p and its axes along R:
//
//   e = ((p - p_Wc) / length, angle axis),   (R R_WO^T) = rotation by angle about axis, 0 <= angle <= pi
//
// in world axes, with the slopes ((J_v + J_w x c) / length, J_w), J = (J_w, J_v) the frame Jacobian of the object. J_w
// is the slope of the angle along the axis only, but J_w^T e is half the gradient of angle^2 however large it is: so a
// search that cannot reach a pose ends where distance^2 + angle^2 is least. Not 2 axis sin(angle / 2): its slopes
// shrink by cos(angle / 2), and such a search ends beside the nearest.
//
// A coupling has the row offset - sum of factor q, and its slopes are factors, times the wrench of the coordinate of a
// joint that is cut. A joint that closes a loop has the rows -g(X_AB), whose slopes are its wrenches along the relative
// motion (joint_kind.h).
#include "model/eval/target.h"

#include "base/elementary.h"
#include "joint/joint_kind.h"
#include "model/loop/loop.h"

#include <string.h>

#define CR_MAX_ROWS_OF_JOINT 6

static int countRows(const crReachTarget* target)
{
  return (target->ignoresPosition ? 0 : 3) + (target->ignoresOrientation ? 0 : 3);
}

static bool isInSet(const crModel* model, crTreeSet set, int body)
{
  for (int k = 0; k < set.treeCount; ++k) {
    if (model->bodies[body].tree == set.trees[k]) {
      return true;
    }
  }
  return false;
}

// The next joint of the set behind `joint` that closes a loop; -1: none.
static int nextCut(const crModel* model, crTreeSet set, int joint)
{
  for (++joint; joint < model->size.jointCount; ++joint) {
    const crModelJoint* cut = &model->joints[joint];
    if (cut->isCut && (isInSet(model, set, cut->bodyA) || isInSet(model, set, cut->bodyB))) {
      return joint;
    }
  }
  return -1;
}

// The next coupling of the set behind `coupling`; -1: none.
static int nextCoupling(const crModel* model, crTreeSet set, int coupling)
{
  for (++coupling; coupling < model->rigidCount; ++coupling) {
    const crModelJoint* joint = &model->joints[model->terms[model->couplings[coupling].termStart].joint];
    if (isInSet(model, set, joint->bodyA) || isInSet(model, set, joint->bodyB)) {
      return coupling;
    }
  }
  return -1;
}

int crFindDrivenCut(const crModel* model, crTreeSet set)
{
  int joint = nextCut(model, set, -1);
  while (joint >= 0 && model->joints[joint].motion < 0) {
    joint = nextCut(model, set, joint);
  }
  return joint;
}

int crCountTargetRows(const crModel* model, crTreeSet set, const crReachTarget* targets, int targetCount)
{
  int count = 0;
  for (int i = 0; i < targetCount; ++i) {
    count += countRows(&targets[i]);
  }
  for (int j = nextCut(model, set, -1); j >= 0; j = nextCut(model, set, j)) {
    count += crGetJointType((int)model->joints[j].kind)->constraintCount;
  }
  for (int i = nextCoupling(model, set, -1); i >= 0; i = nextCoupling(model, set, i)) {
    ++count;
  }
  return count;
}

// A row of slopes: a . J_w + b . J_v of one frame, added.
static void addSlope(const crTargetRows* rows, int row, const double* jacobian, crVec3 a, crVec3 b)
{
  double* slope = rows->slopes + (size_t)row * (size_t)rows->dofCount;
  for (int d = 0; d < rows->dofCount; ++d) {
    const double* J = jacobian + (size_t)6 * (size_t)d;
    slope[d] += a.x * J[0] + a.y * J[1] + a.z * J[2] + b.x * J[3] + b.y * J[4] + b.z * J[5];
  }
}

static crStatus evalJacobian(crTargetRows* rows, const double* y, int object, double* outMatrix)
{
  return crInstance_ComputeFrameJacobian(rows->instance, rows->set, rows->t, y, object, outMatrix);
}

// ----------------------------------------------------------------------------------------------- targets

static crVec3 axisOf(int i)
{
  return crMakeVec3(i == 0, i == 1, i == 2);
}

static void putVector(double* place, crVec3 v)
{
  place[0] = v.x;
  place[1] = v.y;
  place[2] = v.z;
}

static crVec3 findTurn(crMat3 R_want, crMat3 R_have)
{
  crQuat q = crMat3ToQuat(crMulMM(R_want, crTranspose(R_have))); // w >= 0
  crVec3 v = crMakeVec3(q.x, q.y, q.z);                          // axis sin(angle / 2)
  double length = crLength(v);
  return crScale(length > 0.0 ? 2.0 * crAtan2(length, q.w) / length : 2.0, v);
}

static crStatus evalTarget(crTargetRows* rows, const crReachTarget* target, const double* y, bool hasSlopes, int row)
{
  crPose X_WO = crInstance_GetPose(rows->instance, target->object);
  crVec3 c = crMulMV(X_WO.R, target->point);
  crStatus status = hasSlopes ? evalJacobian(rows, y, target->object, rows->jacobianB) : cr_ok;
  if (status != cr_ok) {
    return status;
  }
  if (!target->ignoresPosition) {
    double share = 1.0 / rows->length;
    putVector(rows->errors + row, crScale(share, crSub(target->X_WO.p, crAdd(X_WO.p, c))));
    for (int i = 0; hasSlopes && i < 3; ++i) { // axis . (v + w x c) = axis . v + (c x axis) . w
      addSlope(rows, row + i, rows->jacobianB, crScale(share, crCross(c, axisOf(i))), crScale(share, axisOf(i)));
    }
    row += 3;
  }
  if (!target->ignoresOrientation) {
    putVector(rows->errors + row, findTurn(target->X_WO.R, X_WO.R));
    for (int i = 0; hasSlopes && i < 3; ++i) {
      addSlope(rows, row + i, rows->jacobianB, axisOf(i), crMakeVec3(0, 0, 0));
    }
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------------- loops

static crStatus evalCut(crTargetRows* rows, const crModelJoint* joint, const double* y, bool hasSlopes, int row)
{
  const crJointType* type = crGetJointType((int)joint->kind);
  crJointAxes axes = { joint->axis, joint->axis2, joint->pitch };
  crPose X_WA = crInstance_GetPose(rows->instance, joint->objectA);
  crPose X_WB = crInstance_GetPose(rows->instance, joint->objectB);
  crPose X_AB = crInvMulPose(X_WA, X_WB);
  double residual[CR_MAX_ROWS_OF_JOINT];
  crWrench wrenches[CR_MAX_ROWS_OF_JOINT];
  type->computeConstraint(&axes, X_AB, residual);
  for (int i = 0; i < type->constraintCount; ++i) {
    rows->errors[row + i] = -residual[i];
  }
  if (!hasSlopes) {
    return cr_ok;
  }
  crStatus status = evalJacobian(rows, y, joint->objectA, rows->jacobianA);
  status = status == cr_ok ? evalJacobian(rows, y, joint->objectB, rows->jacobianB) : status;
  if (status != cr_ok) {
    return status;
  }
  type->computeConstraintWrenches(&axes, X_AB, wrenches);
  crVec3 r = crSub(X_WB.p, X_WA.p);
  for (int i = 0; i < type->constraintCount; ++i) {
    crVec3 torque = crMulMV(X_WA.R, wrenches[i].t), force = crMulMV(X_WA.R, wrenches[i].f);
    addSlope(rows, row + i, rows->jacobianB, torque, force);
    addSlope(rows, row + i, rows->jacobianA, crNeg(crAdd(torque, crCross(r, force))), crNeg(force));
  }
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- couplings

// The place of a tree joint's degree of freedom among those of the set.
static int findDof(const crTargetRows* rows, int joint)
{
  const crModel* model = rows->instance->model;
  const crLink* link = &model->links[joint + 1];
  int tree = model->bodies[joint + 1].tree, first = 0;
  for (int k = 0; rows->set.trees[k] != tree; ++k) {
    first += model->trees[rows->set.trees[k]].vCount;
  }
  return first + link->dofStart - model->treeDofs[tree];
}

// The slope of a cut joint's coordinate, times a factor.
static crStatus addCutSlope(crTargetRows* rows, int jointIndex, const double* y, double factor, int row)
{
  const crModelJoint* joint = &rows->instance->model->joints[jointIndex];
  const crWrenchL dual = crFindCut(rows->instance, jointIndex)->duals[0];
  crVec3 torque = crScale(factor, crFromLanes(dual.t)), force = crScale(factor, crFromLanes(dual.f));
  crVec3 r =
      crSub(crInstance_GetPose(rows->instance, joint->objectB).p, crInstance_GetPose(rows->instance, joint->objectA).p);
  crStatus status = evalJacobian(rows, y, joint->objectA, rows->jacobianA);
  status = status == cr_ok ? evalJacobian(rows, y, joint->objectB, rows->jacobianB) : status;
  if (status == cr_ok) {
    addSlope(rows, row, rows->jacobianB, torque, force);
    addSlope(rows, row, rows->jacobianA, crNeg(crAdd(torque, crCross(r, force))), crNeg(force));
  }
  return status;
}

// The largest factor counts as 1.
static crStatus evalCoupling(crTargetRows* rows, int index, const double* y, bool hasSlopes, int row)
{
  const crModel* model = rows->instance->model;
  const crModelCoupling* coupling = &model->couplings[index];
  const crCouplingTerm* terms = model->terms + coupling->termStart;
  double largest = 0.0, sum = coupling->offset;
  for (int i = 0; i < coupling->termCount; ++i) {
    largest = fmax(largest, fabs(terms[i].factor));
    sum -= terms[i].factor * crGetCoordinate(rows->instance, terms[i].joint, 0);
  }
  rows->errors[row] = sum / largest;
  crStatus status = cr_ok;
  for (int i = 0; hasSlopes && i < coupling->termCount && status == cr_ok; ++i) {
    const crModelJoint* joint = &model->joints[terms[i].joint];
    if (joint->isCut) {
      status = addCutSlope(rows, terms[i].joint, y, terms[i].factor / largest, row);
    } else if (joint->motion < 0) {
      int dof = findDof(rows, terms[i].joint);
      rows->slopes[(size_t)row * (size_t)rows->dofCount + (size_t)dof] += terms[i].factor / largest;
    }
  }
  return status;
}

crStatus crEvalTargetRows(crTargetRows* rows, const double* y, bool hasSlopes)
{
  const crModel* model = rows->instance->model;
  crInstance_SetState(rows->instance, rows->set, rows->t, y);
  crStatus status = crInstance_Eval(rows->instance, rows->set, cr_stagePosition);
  if (hasSlopes) {
    memset(rows->slopes, 0, (size_t)rows->rowCount * (size_t)rows->dofCount * sizeof *rows->slopes);
  }
  int row = 0;
  for (int i = 0; i < rows->targetCount && status == cr_ok; ++i) {
    status = evalTarget(rows, &rows->targets[i], y, hasSlopes, row);
    row += countRows(&rows->targets[i]);
  }
  for (int j = nextCut(model, rows->set, -1); j >= 0 && status == cr_ok; j = nextCut(model, rows->set, j)) {
    status = evalCut(rows, &model->joints[j], y, hasSlopes, row);
    row += crGetJointType((int)model->joints[j].kind)->constraintCount;
  }
  for (int i = nextCoupling(model, rows->set, -1); i >= 0 && status == cr_ok; i = nextCoupling(model, rows->set, i)) {
    status = evalCoupling(rows, i, y, hasSlopes, row++);
  }
  return status == cr_ok && !crAreFinite(rows->errors, rows->rowCount) ? cr_retry : status;
}

void crMeasureTargets(const crTargetRows* rows, crReachFacts* outFacts)
{
  int row = 0;
  outFacts->distance = outFacts->angle = outFacts->gap = 0.0;
  for (int i = 0; i < rows->targetCount; ++i) {
    const double* e = rows->errors + row;
    if (!rows->targets[i].ignoresPosition) {
      double distance = rows->length * crLength(crMakeVec3(e[0], e[1], e[2]));
      outFacts->distance = fmax(outFacts->distance, distance);
      e += 3;
    }
    if (!rows->targets[i].ignoresOrientation) {
      outFacts->angle = fmax(outFacts->angle, crLength(crMakeVec3(e[0], e[1], e[2])));
    }
    row += countRows(&rows->targets[i]);
  }
  for (; row < rows->rowCount; ++row) {
    outFacts->gap = fmax(outFacts->gap, fabs(rows->errors[row]));
  }
}
