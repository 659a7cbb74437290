// Derivatives of the contact laws, for the Jacobians of implicit methods.
//
// With s = |v_t|, r(s) the regularized size of it, P = 1 - e_n e_n^T, and e = f / f_n, t = tau / f_n, which depend on
// slip and turn alone:
//
//   df   = (dfn/ddelta ddelta + dfn/ddelta' ddelta') e - muK fn (P / r - v_t v_t^T r' / (s r^2)) dv,  ddelta' = -e_n .
//   dv dtau = (likewise)                                t - muR mu_geo fn (1 / r - w w^T r' / (|w| r^2)) dw
//
// and r' / s is 1 / s above vMin, 2 / vMin - s / vMin^2 below: finite at rest.
#include "base/elementary.h"
#include "contact/contact_law.h"
#include "math/mat3.h"

#include <float.h>

static crMat3 makeOuter(crVec3 a, crVec3 b)
{
  crMat3 m = { crScale(b.x, a), crScale(b.y, a), crScale(b.z, a) };
  return m;
}

// d(v / r(|v|)) / dv = D / r - v v^T r' / (|v| r^2); D is what v can change by.
static crMat3 turnSlope(crVec3 v, double vMin, crMat3 D)
{
  crMat3 zero = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  double size = crLength(v), r = crRegularize(size, vMin);
  double ratio = size >= vMin ? 1.0 / size : (2.0 - size / vMin) / vMin;
  return crMulAddMat3(crMulAddMat3(zero, 1.0 / r, D), -ratio / (r * r), makeOuter(v, v));
}

// Of the spring and damper along the normal.
static void findNormalSlopes(const crContactLaw* law, const crContactMemory* memory, const crContactMotion* motion,
                             double* outPerDepth, double* outPerRate)
{
  double n = memory->exponent, depth = motion->depth;
  double power = n == 1.0 ? 1.0 : n == 1.5 ? sqrt(depth) : crPow(depth, n - 1.0);
  double perDepth = memory->stiffness * n * power, spring = perDepth * depth / n;
  bool isLinear = law->response == cr_responseSpringDamper;
  *outPerRate = memory->damping * (isLinear ? 1.0 : spring);
  *outPerDepth = perDepth * (isLinear ? 1.0 : 1.0 + memory->damping * motion->rate);
}

static crContactSlope computeSlope(const crContactLaw* law, const crContactMemory* memory,
                                   const crContactMotion* motion, const crContactForce* force)
{
  crContactSlope slope = { .forcePerDepth = crMakeVec3(0.0, 0.0, 0.0) };
  double fn = force->normalForce, perDepth, perRate;
  if (!(fn > 0.0)) {
    return slope;
  }
  crMat3 one = crIdentityMat3();
  findNormalSlopes(law, memory, motion, &perDepth, &perRate);
  bool isStick = law->sticks; // what bristles add is for others to tell
  crVec3 n = motion->normal, e = isStick ? n : crScale(1.0 / fn, force->force);
  crVec3 t = isStick ? crMakeVec3(0.0, 0.0, 0.0) : crScale(1.0 / fn, force->torque);
  slope.forcePerDepth = crScale(perDepth, e);
  slope.torquePerDepth = crScale(perDepth, t);
  slope.forcePerV = makeOuter(crScale(-perRate, e), n);
  slope.torquePerV = makeOuter(crScale(-perRate, t), n);
  if (law->muK > 0.0 && !isStick) {
    crMat3 across = crMulAddMat3(one, -1.0, makeOuter(n, n));
    slope.forcePerV = crMulAddMat3(slope.forcePerV, -law->muK * fn, turnSlope(motion->slip, law->vMin, across));
  }
  if (law->muR > 0.0 && !isStick) {
    slope.torquePerW =
        crMulAddMat3(slope.torquePerW, -law->muR * memory->lever * fn, turnSlope(motion->turn, law->wMin, one));
  }
  return slope;
}

// ---------------------------------------------------------------------------------------------- users' laws

static crVec3 slopeOf(crVec3 after, crVec3 before, double h)
{
  return crScale(1.0 / h, crSub(after, before));
}

static crVec3 axis(int i)
{
  return crMakeVec3(i == 0, i == 1, i == 2);
}

static void setColumn(crMat3* m, int i, crVec3 column)
{
  *(i == 0 ? &m->cx : i == 1 ? &m->cy : &m->cz) = column;
}

static crContactSlope differSlope(const crContactLaw* law, const crContactMemory* memory, const crContactMotion* motion,
                                  const crContactForce* force)
{
  crContactSlope slope;
  double share = sqrt(DBL_EPSILON), hDepth = share * motion->depth;
  double hV = share * fmax(law->vMin, fabs(motion->rate) + crLength(motion->slip));
  double hW = share * fmax(law->wMin, crLength(motion->turn));
  crContactMotion moved = *motion;
  moved.depth += hDepth;
  crContactForce f = crComputeContactForce(law, memory, &moved);
  slope.forcePerDepth = slopeOf(f.force, force->force, hDepth);
  slope.torquePerDepth = slopeOf(f.torque, force->torque, hDepth);
  for (int i = 0; i < 3; ++i) {
    double along = crDot(axis(i), motion->normal);
    moved = *motion;
    moved.rate -= hV * along;
    moved.slip = crMulAdd(crMulAdd(motion->slip, hV, axis(i)), -hV * along, motion->normal);
    f = crComputeContactForce(law, memory, &moved);
    setColumn(&slope.forcePerV, i, slopeOf(f.force, force->force, hV));
    setColumn(&slope.torquePerV, i, slopeOf(f.torque, force->torque, hV));
    moved = *motion;
    moved.turn = crMulAdd(motion->turn, hW, axis(i));
    f = crComputeContactForce(law, memory, &moved);
    setColumn(&slope.forcePerW, i, slopeOf(f.force, force->force, hW));
    setColumn(&slope.torquePerW, i, slopeOf(f.torque, force->torque, hW));
  }
  return slope;
}

crContactSlope crComputeContactSlope(const crContactLaw* law, const crContactMemory* memory,
                                     const crContactMotion* motion, const crContactForce* force)
{
  bool pushes = motion->depth > 0.0 && law->response != cr_responseObserver;
  if (pushes && law->response == cr_responseUser) {
    return differSlope(law, memory, motion, force);
  }
  return computeSlope(law, memory, motion, force);
}
