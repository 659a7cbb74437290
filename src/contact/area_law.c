#include "contact/area_law.h"

#include "math/sym3.h"

#include "collide/area/polygon.h"
#include "collide/area/wide.h"

#define CR_LEAST_I2 1e-60 // [m^4] below it two shapes touch exactly: rounding errors of nothing
#define CR_ASKEW 1e-6     // [-] what is left of products that cancel, below which they are avoided

const double crMeanSeries[7] = {
  1.0, 1.0 / 4, 9.0 / 64, 25.0 / 256, 1225.0 / 16384, 3969.0 / 65536, 53361.0 / 1048576
};

crAreaModulus crFindAreaModulus(const crContactLaw* law)
{
  bool isLinear = law->response == cr_responseSpringDamper || law->response == cr_responsePenalty;
  return (crAreaModulus){ isLinear ? 0.0 : law->elasticity, isLinear ? law->stiffness : 0.0 };
}

// ------------------------------------------------------------------------------------------------ energy

// l and its derivatives by t and s. With the invariants p = (a + b) / 2 = sqrt(t + 2 sqrt(s)), q = sqrt(a b) =
// 2 s^(1/4): neither axes nor a normal are asked for. Means that are near each other need no more rounds: with
// e = (p - q) / (p + q) it is (p + q) / 2 over 2 K(e) / pi, of which the series in e^2 is taken.
static double computeMean(double t, double s, double* outByT, double* outByS)
{
  double r = sqrt(s), p = sqrt(t + 2.0 * r), q = 2.0 * sqrt(r);
  double pt = 0.5 / p, ps = 0.5 / (p * r), qt = 0.0, qs = 0.25 * q / s;
  while (fabs(p - q) > CR_AGM_NEAR * (p + q)) {
    double g = sqrt(p * q), k = 0.5 / g, gt = k * (pt * q + p * qt), gs = k * (ps * q + p * qs);
    p = 0.5 * (p + q);
    pt = 0.5 * (pt + qt);
    ps = 0.5 * (ps + qs);
    q = g;
    qt = gt;
    qs = gs;
  }
  const double *c = crMeanSeries, k = 1.0 / (p + q), e = (p - q) * k, x = e * e, y = x * x;
  double even = c[0] + x * c[1] + y * (c[2] + x * c[3]) + y * y * (c[4] + x * c[5] + y * c[6]);
  double slope = c[1] + 2.0 * x * c[2] + y * (3.0 * c[3] + 4.0 * x * c[4]) + y * y * (5.0 * c[5] + 6.0 * x * c[6]);
  double mean = 0.5 / (even * k), bySum = 0.5 / even, byE = -2.0 * e * slope * mean / even;
  double byP = bySum + 2.0 * byE * q * k * k, byQ = bySum - 2.0 * byE * p * k * k;
  *outByT = byP * pt + byQ * qt;
  *outByS = byP * ps + byQ * qs;
  return mean;
}

crAreaEnergy crComputeAreaEnergy(crAreaModulus law, double i2, double i3, double t, double s)
{
  double mean = i3 / i2, square = mean * mean, byT = 0.0, byS = 0.0, length = 0.0;
  if (law.modulus > 0.0) {
    length = computeMean(t, s + CR_LEAST_MINORS * t * t, &byT, &byS);
    byT += 2.0 * CR_LEAST_MINORS * t * byS;
  }
  double U = (law.modulus * length + 0.5 * law.stiffness) * square, k = law.modulus * square;
  return (crAreaEnergy){ U, -2.0 * U / i2, 2.0 * U / i3, k * byT, k * byS };
}

// ------------------------------------------------------------------------------------------------- force

// p(x) = d (k0 + k1 (x - c)^T G (x - c) + k2 d) on the first surface, about o, x being the place that counts; and its
// sums.
typedef struct Push {
  double k0, k1, k2;
  crSym3 G;
  crVec3 o;
  crVec3 force, torque;
} Push;

// Feet z of points x of the second surface move with the first shape by v(z) - J v(x), and C with them.
static void pushFeet(const crPatch* patch, int run, Push* push)
{
  double sink = patch->sinks[run];
  crSym3 G = push->G;
  crVec3 o = push->o;
  crWide zero = { 0.0 }, fx = zero, fy = zero, fz = zero, tx = zero, ty = zero, tz = zero;
  for (int i = patch->runs[run]; i < patch->runs[run + 1]; i += CR_PATCH_LANES) {
    crWide d = *(const crWide*)&patch->d[i], w = *(const crWide*)&patch->w[i] * d * d;
    crWide x = *(const crWide*)&patch->z[0][i] - o.x, y = *(const crWide*)&patch->z[1][i] - o.y,
           z = *(const crWide*)&patch->z[2][i] - o.z;
    crWide px = *(const crWide*)&patch->x[0][i] + sink * *(const crWide*)&patch->m[0][i] - o.x,
           py = *(const crWide*)&patch->x[1][i] + sink * *(const crWide*)&patch->m[1][i] - o.y,
           pz = *(const crWide*)&patch->x[2][i] + sink * *(const crWide*)&patch->m[2][i] - o.z;
    crWide qx = *(const crWide*)&patch->q[0][i], qy = *(const crWide*)&patch->q[1][i],
           qz = *(const crWide*)&patch->q[2][i], s = *(const crWide*)&patch->s[i];
    crWide gx = w * (G.xx * x + G.xy * y + G.xz * z), gy = w * (G.xy * x + G.yy * y + G.yz * z),
           gz = w * (G.xz * x + G.yz * y + G.zz * z), all = s * (s - 1.0) * 0.5, // 1 for s = -1, else 0
        along = s * (qx * gx + qy * gy + qz * gz);
    crWide jx = all * gx + along * qx, jy = all * gy + along * qy, jz = all * gz + along * qz;
    fx += gx - jx;
    fy += gy - jy;
    fz += gz - jz;
    tx += y * gz - z * gy - (py * jz - pz * jy);
    ty += z * gx - x * gz - (pz * jx - px * jz);
    tz += x * gy - y * gx - (px * jy - py * jx);
  }
  crWide sums = crTotals((crWide[]){ fx, fy, fz, tx, ty, tz, zero, zero });
  push->force = crMulAdd(push->force, -push->k1, crMakeVec3(sums[0], sums[1], sums[2]));
  push->torque = crMulAdd(push->torque, -push->k1, crMakeVec3(sums[3], sums[4], sums[5]));
}

// The lanes from `part` on of all groups of a run: sums of force and torque.
static inline void pushPart(const crPatch* patch, const Push* push, int run, int part, double sums[6][CR_PATCH_LANES])
{
  crVec3 offset = patch->offsets[run], o = push->o;
  bool hasSpots = patch->haveSpots[run];
  crSym3 G = push->G;
  double round = G.xx + G.yy + G.zz, sign = patch->areSecond[run] ? -1.0 : 1.0;
  crPart zero = { 0.0 }, fx = zero, fy = zero, fz = zero, tx = zero, ty = zero, tz = zero;
  for (int i = patch->runs[run] + part; i < patch->runs[run + 1]; i += CR_PATCH_LANES) {
    crPart d = *(const crPart*)&patch->d[i], w = *(const crPart*)&patch->w[i];
    crPart x = *(const crPart*)&patch->x[0][i] - o.x, y = *(const crPart*)&patch->x[1][i] - o.y,
           z = *(const crPart*)&patch->x[2][i] - o.z;
    crPart a = x + offset.x, b = y + offset.y, c = z + offset.z, e = zero; // where they count
    if (hasSpots) {
      a = *(const crPart*)&patch->z[0][i] - o.x;
      b = *(const crPart*)&patch->z[1][i] - o.y;
      c = *(const crPart*)&patch->z[2][i] - o.z;
      e = *(const crPart*)&patch->e[i] * round;
    }
    crPart q = a * (G.xx * a + 2.0 * (G.xy * b + G.xz * c)) + b * (G.yy * b + 2.0 * G.yz * c) + G.zz * c * c + e;
    crPart p = w * d * ((push->k0 + push->k1 * q + push->k2 * d) * sign);
    crPart nx = p * *(const crPart*)&patch->m[0][i], ny = p * *(const crPart*)&patch->m[1][i],
           nz = p * *(const crPart*)&patch->m[2][i];
    fx += nx;
    fy += ny;
    fz += nz;
    tx += y * nz - z * ny;
    ty += z * nx - x * nz;
    tz += x * ny - y * nx;
  }
  *(crPart*)&sums[0][part] = fx;
  *(crPart*)&sums[1][part] = fy;
  *(crPart*)&sums[2][part] = fz;
  *(crPart*)&sums[3][part] = tx;
  *(crPart*)&sums[4][part] = ty;
  *(crPart*)&sums[5][part] = tz;
}

static void pushPoints(crPatch* patch, int run)
{
  Push* push = patch->context;
  double lanes[8][CR_PATCH_LANES];
  ((crWide*)lanes)[6] = ((crWide*)lanes)[7] = (crWide){ 0.0 }; // filled up
  for (int part = 0; part < CR_PATCH_LANES; part += CR_PART_LANES) {
    pushPart(patch, push, run, part, lanes);
  }
  crWide sums = crTotals((const crWide*)lanes);
  push->force = crAdd(push->force, crMakeVec3(sums[0], sums[1], sums[2]));
  push->torque = crAdd(push->torque, crMakeVec3(sums[3], sums[4], sums[5]));
  if (patch->haveFeet[run]) {
    pushFeet(patch, run, push);
  }
}

// The first surface moves with the first shape, and C with it: -k1 G h, and minus k1 times the vector of the
// antisymmetric part of G S, with h and S the moments of d^2 about the centre.
static void addOwnMotion(const crPatchSums* own, crVec3 c, Push* push)
{
  crVec3 h = crMulAdd(own->x2, -own->i2, c);
  crSym3 S =
      crAddSym3(crAddSym3(own->xx2, crScaleSym3(-1.0, crMixSym3(c, own->x2))), crScaleSym3(own->i2, crOuterSym3(c)));
  crVec3 gx = crMulSV(push->G, crMakeVec3(S.xx, S.xy, S.xz)), gy = crMulSV(push->G, crMakeVec3(S.xy, S.yy, S.yz)),
         gz = crMulSV(push->G, crMakeVec3(S.xz, S.yz, S.zz));
  push->force = crMulAdd(push->force, -push->k1, crMulSV(push->G, h));
  push->torque = crMulAdd(push->torque, -push->k1, crMakeVec3(gy.z - gz.y, gz.x - gx.z, gx.y - gy.x));
}

// Everything that follows from the sums, but for those over p.
static void fillForce(const crPatch* patch, const crAreaEnergy* e, crAreaForce* out)
{
  const crPatchSums *a = &patch->sums[0], *b = &patch->sums[1];
  double i1 = a->i1 + b->i1;
  crVec3 c = crScale(1.0 / i1, crAdd(a->x1, b->x1));
  crSym3 moments = crScaleSym3(1.0 / i1, crAddSym3(a->xx1, b->xx1));
  out->elastic = e->U;
  out->centre = crAdd(patch->origin, c);
  out->spread = crAddSym3(moments, crScaleSym3(-1.0, crOuterSym3(c)));
  out->area = patch->share * (a->area + b->area);
}

double crComputePressure(const crAreaPressure* p, crVec3 x, double d)
{
  crVec3 r = crSub(x, p->o);
  return d * (p->k0 + p->k1 * crDot(r, crMulSV(p->G, r)) + p->k2 * d);
}

void crComputeAreaForce(crAreaModulus law, const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                        crPatch* patch, crAreaForce* outForce)
{
  crComputePatch(a, X_WA, b, X_WB, patch);
  crPushPatch(law, a, X_WA, b, X_WB, patch, outForce);
}

// Covariance of places weighted with d^2; outCentre: their mean, about the patch's origin.
static crSym3 findSpread(const crPatch* patch, crVec3* outCentre)
{
  const crPatchSums *s0 = &patch->sums[0], *s1 = &patch->sums[1];
  double I2 = s0->i2 + s1->i2;
  crVec3 c = *outCentre = crScale(1.0 / I2, crAdd(s0->x2, s1->x2));
  return crAddSym3(crScaleSym3(1.0 / I2, crAddSym3(s0->xx2, s1->xx2)), crScaleSym3(-1.0, crOuterSym3(c)));
}

// In the axes that the patch has.
static void push(crAreaModulus law, const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                 crPatch* patch, crAreaForce* outForce)
{
  const crPatchSums *s0 = &patch->sums[0], *s1 = &patch->sums[1];
  double I2 = s0->i2 + s1->i2, share = patch->share;
  crVec3 c;
  crSym3 C = findSpread(patch, &c);
  double t = crTraceSym3(C), s = crMinorsSym3(C);
  crAreaEnergy e = crComputeAreaEnergy(law, share * I2, share * (s0->i3 + s1->i3), t, s);
  Push push = { .k0 = share * 2.0 * e.u2 - 2.0 / I2 * (e.ut * t + 2.0 * e.us * s),
                .k1 = 2.0 / I2,
                .k2 = share * 3.0 * e.u3,
                .o = crAdd(patch->origin, c) };
  push.G = crAddSym3(crScaleSym3(e.us, crAcrossSym3(C)), crDiagonalSym3(e.ut, e.ut, e.ut));
  fillForce(patch, &e, outForce);
  if (patch->isSpilled) {
    crRepeatPatch(a, X_WA, b, X_WB, pushPoints, NULL, &push, patch);
  } else {
    patch->context = &push;
    for (int i = 0; i < patch->runCount; ++i) {
      pushPoints(patch, i);
    }
  }
  if (s1->i2 > 0.0) {
    addOwnMotion(s0, c, &push);
  }
  outForce->pressure = (crAreaPressure){ push.k0 / share, push.k1 / share, push.k2 / share, push.G, push.o };
  outForce->mostPressure = crComputePressure(&outForce->pressure, patch->deepestSpot, patch->depth);
  outForce->force = push.force;
  outForce->torque = crAdd(push.torque, crCross(crSub(push.o, outForce->centre), push.force));
}

// A patch that is long and narrow, and lies askew: its width is lost in the rounding errors of its length.
static bool isAskew(crSym3 C)
{
  double products = C.xx * C.yy + C.xx * C.zz + C.yy * C.zz;
  return crMinorsSym3(C) < CR_ASKEW * products;
}

// Axes with the first one along it.
static crMat3 findAxes(crSym3 C)
{
  bool isX = C.xx >= C.yy && C.xx >= C.zz, isY = !isX && C.yy >= C.zz;
  crVec3 column = isX   ? crMakeVec3(C.xx, C.xy, C.xz)
                  : isY ? crMakeVec3(C.xy, C.yy, C.yz)
                        : crMakeVec3(C.xz, C.yz, C.zz);
  crVec3 u = crScale(1.0 / crLength(column), column), v = crFindAcross(u);
  return (crMat3){ u, v, crCross(u, v) };
}

static void turnForce(crMat3 R, crAreaForce* force)
{
  force->force = crMulMV(R, force->force);
  force->torque = crMulMV(R, force->torque);
  force->centre = crMulMV(R, force->centre);
  force->spread = crRotateSym3(R, force->spread);
  force->pressure.G = crRotateSym3(R, force->pressure.G);
  force->pressure.o = crMulMV(R, force->pressure.o);
}

void crPushPatch(crAreaModulus law, const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                 crPatch* patch, crAreaForce* outForce)
{
  *outForce = (crAreaForce){ .elastic = 0.0 };
  if (patch->isBroken) {
    outForce->elastic = NAN;
    return;
  }
  if (!(patch->share * (patch->sums[0].i2 + patch->sums[1].i2) > CR_LEAST_I2)) {
    return;
  }
  crVec3 c;
  crSym3 C = findSpread(patch, &c);
  if (patch->isSpilled || !isAskew(C)) {
    push(law, a, X_WA, b, X_WB, patch, outForce);
    return;
  }
  crMat3 R = findAxes(C);
  crPatch_Turn(patch, R);
  push(law, a, X_WA, b, X_WB, patch, outForce);
  crPatch_Turn(patch, crTranspose(R));
  turnForce(R, outForce);
}

// ---------------------------------------------------------------------------------------------- together

void crAreaTotal_Add(crAreaTotal* total, const crPatch* patch, const crPose* X_WP)
{
  const crPatchSums *a = &patch->sums[0], *b = &patch->sums[1];
  double i2 = patch->share * (a->i2 + b->i2);
  if (!(i2 > 0.0)) {
    return;
  }
  crVec3 at = crTransformPoint(*X_WP, patch->origin);
  total->origin = total->i2 > 0.0 ? total->origin : at;
  crVec3 o = crSub(at, total->origin);
  crVec3 x = crScale(patch->share, crMulMV(X_WP->R, crAdd(a->x2, b->x2)));
  crSym3 xx = crScaleSym3(patch->share, crRotateSym3(X_WP->R, crAddSym3(a->xx2, b->xx2)));
  xx = crAddSym3(xx, crAddSym3(crMixSym3(o, x), crScaleSym3(i2, crOuterSym3(o))));
  total->i2 += i2;
  total->i3 += patch->share * (a->i3 + b->i3);
  total->x2 = crAdd(total->x2, crMulAdd(x, i2, o));
  total->xx2 = crAddSym3(total->xx2, xx);
}

crAreaTogether crComputeAreaTogether(crAreaModulus law, const crAreaTotal* total)
{
  double I2 = total->i2;
  if (!(I2 > CR_LEAST_I2)) {
    return (crAreaTogether){ .elastic = 0.0 };
  }
  crVec3 c = crScale(1.0 / I2, total->x2);
  crSym3 C = crAddSym3(crScaleSym3(1.0 / I2, total->xx2), crScaleSym3(-1.0, crOuterSym3(c)));
  double t = crTraceSym3(C), s = crMinorsSym3(C);
  crAreaEnergy e = crComputeAreaEnergy(law, I2, total->i3, t, s);
  return (crAreaTogether){ .elastic = e.U,
                           .k0 = 2.0 * e.u2 - 2.0 / I2 * (e.ut * t + 2.0 * e.us * s),
                           .k1 = 2.0 / I2,
                           .k2 = 3.0 * e.u3,
                           .G = crAddSym3(crScaleSym3(e.us, crAcrossSym3(C)), crDiagonalSym3(e.ut, e.ut, e.ut)),
                           .centre = crAdd(total->origin, c) };
}

void crPushTogether(const crAreaTogether* together, const crShape* a, const crPose* X_WA, const crShape* b,
                    const crPose* X_WB, crPatch* patch, crVec3* outForce, crVec3* outTorque)
{
  crComputePatch(a, X_WA, b, X_WB, patch);
  const crPose* X = patch->isExchanged ? X_WB : X_WA;
  double share = patch->share, sign = patch->isExchanged ? -1.0 : 1.0;
  Push push = { .k0 = share * together->k0,
                .k1 = share * together->k1,
                .k2 = share * together->k2,
                .G = crRotateSym3(crTranspose(X->R), together->G),
                .o = crMulTV(X->R, crSub(together->centre, X->p)) };
  if (patch->isSpilled) {
    crRepeatPatch(a, X_WA, b, X_WB, pushPoints, NULL, &push, patch);
  } else {
    patch->context = &push;
    for (int i = 0; i < patch->runCount; ++i) {
      pushPoints(patch, i);
    }
  }
  push.force = crScale(sign, push.force);
  push.torque = crScale(sign, push.torque);
  const crPatchSums* own = &patch->sums[patch->isExchanged ? 1 : 0];
  if (own->i2 > 0.0) {
    addOwnMotion(own, crSub(push.o, patch->origin), &push);
  }
  *outForce = crMulMV(X->R, push.force);
  *outTorque = crMulMV(X->R, push.torque);
}
