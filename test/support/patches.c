#include "support/patches.h"

#include "carom/collide.h"

#define PRESS_ROUNDS 20

void crPressTogether(crPressed* pair, double depth)
{
  for (int i = 0; i < PRESS_ROUNDS; ++i) {
    crDistance d;
    assert_int_equal(crComputeDistance(pair->a, &pair->X_WA, pair->b, &pair->X_WB, NULL, &d), cr_ok);
    double move = d.distance + depth;
    if (fabs(move) < 1e-9 * depth) {
      return;
    }
    pair->X_WB.p = crMulAdd(pair->X_WB.p, -move, d.normal);
  }
}

crPressed crPressAtRandom(const crShape* a, const crShape* b, double depth, crRandom* random)
{
  crPressed pair = { .a = a, .b = b, .X_WA = crIdentityPose(), .X_WB = crIdentityPose() };
  double reachA = crShape_IsBounded(a) ? crShape_GetReach(a) : 0.0,
         reachB = crShape_IsBounded(b) ? crShape_GetReach(b) : 0.0;
  pair.X_WA = (crPose){ crQuatToMat3(crRandom_Rotation(random)), crScale(0.1, crRandom_UnitVec3(random)) };
  pair.X_WB.R = crQuatToMat3(crRandom_Rotation(random));
  crVec3 way = crRandom_UnitVec3(random);
  if (!crShape_IsBounded(b)) {
    way = crNeg(pair.X_WB.R.cz);
  } else if (!crShape_IsBounded(a)) {
    way = pair.X_WA.R.cz;
  }
  pair.X_WB.p = crMulAdd(pair.X_WA.p, 1.1 * (reachA + reachB), way);
  crPressTogether(&pair, depth);
  return pair;
}

double crComputePressed(const crPressed* pair, crWrench* outOnB)
{
  static crPatch patch;
  crPose X_WA = crPlaceCanonical(pair->a, &pair->X_WA), X_WB = crPlaceCanonical(pair->b, &pair->X_WB);
  crAreaForce force;
  crComputeAreaForce((crAreaModulus){ 1.0, 0.0 }, pair->a, &X_WA, pair->b, &X_WB, &patch, &force);
  const crPose* first = patch.isExchanged ? &X_WB : &X_WA;
  double sign = patch.isExchanged ? 1.0 : -1.0;
  crVec3 f = crScale(sign, crMulMV(first->R, force.force)), t = crScale(sign, crMulMV(first->R, force.torque));
  crVec3 r = crSub(crTransformPoint(*first, force.centre), pair->X_WB.p);
  outOnB->f = f;
  outOnB->t = crAdd(t, crCross(r, f));
  return force.elastic;
}

// U with B moved by h along, or turned about, an axis of the world.
static double computeMoved(const crPressed* pair, int axis, double h)
{
  crPressed moved = *pair;
  crVec3 e = crMakeVec3(axis % 3 == 0, axis % 3 == 1, axis % 3 == 2);
  if (axis < 3) {
    moved.X_WB.p = crMulAdd(moved.X_WB.p, h, e);
  } else {
    moved.X_WB.R = crMulMM(crQuatToMat3(crAxisAngleToQuat(e, h)), moved.X_WB.R);
  }
  crWrench wrench;
  return crComputePressed(&moved, &wrench);
}

double crCheckGradient(const crPressed* pair, double depth, double size, double step)
{
  crWrench onB;
  crComputePressed(pair, &onB);
  double worst = 0.0, scale = crLength(onB.f);
  const double* f = &onB.f.x;
  const double* t = &onB.t.x;
  for (int axis = 0; axis < 6; ++axis) {
    double h = step * depth / (axis < 3 ? 1.0 : size);
    double wide = (computeMoved(pair, axis, h) - computeMoved(pair, axis, -h)) / (2.0 * h);
    double near = (computeMoved(pair, axis, 0.5 * h) - computeMoved(pair, axis, -0.5 * h)) / h;
    double slope = (4.0 * near - wide) / 3.0;
    double is = axis < 3 ? f[axis] : t[axis - 3] / size;
    worst = fmax(worst, fabs(is + slope / (axis < 3 ? 1.0 : size)) / scale);
  }
  return worst;
}
