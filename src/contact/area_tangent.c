#include "contact/area_tangent.h"

#include "math/sym3.h"

#include "collide/area/wide.h"

#define CR_SLOPE_STEP 1e-6 // [-] of s, for the one second derivative of the mean that the others follow from

// -------------------------------------------------------------------------------------------------- base

// Sum of x x (G x) over moments S of x x^T.
static crVec3 twistOf(crSym3 G, crSym3 S)
{
  crVec3 gx = crMulSV(G, crMakeVec3(S.xx, S.xy, S.xz)), gy = crMulSV(G, crMakeVec3(S.xy, S.yy, S.yz)),
         gz = crMulSV(G, crMakeVec3(S.xz, S.yz, S.zz));
  return crMakeVec3(gy.z - gz.y, gz.x - gx.z, gx.y - gy.x);
}

// l scales with the root of a length squared: t l_t + 2 s l_s = l / 2, and what follows by differentiation.
static void fillSecond(crAreaModulus law, crAreaBase* out)
{
  const crAreaEnergy* e = &out->energy;
  double t = out->t, s = out->s, step = CR_SLOPE_STEP * (s + CR_LEAST_MINORS * t * t);
  crAreaEnergy next = crComputeAreaEnergy(law, out->i2, out->i3, t, s + step);
  out->uss = (next.us - e->us) / step;
  out->uts = -(1.5 * e->us + 2.0 * s * out->uss) / t;
  out->utt = -(0.5 * e->ut + 2.0 * s * out->uts) / t;
}

bool crFillAreaBase(crAreaModulus law, const crPatch* patch, const crAreaForce* force, crAreaBase* out)
{
  const crPatchSums *a = &patch->sums[0], *b = &patch->sums[1];
  if (patch->isSpilled || patch->lines == NULL || patch->lines->isFull || !(force->elastic > 0.0)) {
    return false;
  }
  const crAreaPressure* p = &force->pressure;
  double share = patch->share, I2 = a->i2 + b->i2;
  crVec3 c = crSub(p->o, patch->origin);
  crSym3 own = crAddSym3(crAddSym3(a->xx2, crScaleSym3(-1.0, crMixSym3(c, a->x2))), crScaleSym3(a->i2, crOuterSym3(c)));
  crSym3 all = crAddSym3(crScaleSym3(1.0 / I2, crAddSym3(a->xx2, b->xx2)), crScaleSym3(-1.0, crOuterSym3(c)));
  *out = (crAreaBase){ .patch = patch,
                       .force = force,
                       .I2 = I2,
                       .i2 = share * I2,
                       .i3 = share * (a->i3 + b->i3),
                       .t = crTraceSym3(all),
                       .s = crMinorsSym3(all),
                       .k0 = share * p->k0,
                       .k1 = share * p->k1,
                       .k2 = share * p->k2,
                       .C = all,
                       .G = p->G,
                       .c = p->o,
                       .isMoved = b->i2 > 0.0,
                       .h = crMulAdd(a->x2, -a->i2, c),
                       .S = own };
  out->energy = crComputeAreaEnergy(law, out->i2, out->i3, out->t, out->s);
  if (law.modulus > 0.0) {
    fillSecond(law, out);
  }
  return true;
}

// -------------------------------------------------------------------------------------------------- sums

// How sums of one surface change, places about c.
typedef struct Change {
  double i1, i2, i3;
  crVec3 x1, x2;
  crSym3 xx1, xx2;
} Change;

typedef struct Motion {
  crVec3 v, w; // v at c
} Motion;

typedef struct Point {
  crWide w, d, x, y, z, mx, my, mz;
  crWide ux, uy, uz; // of the second shape there
  crWide rate;       // of d
} Point;

static inline Point takePoint(const crAreaBase* base, const Motion* motion, int i, double sign)
{
  const crPatch* patch = base->patch;
  Point p = { *(const crWide*)&patch->w[i],
              *(const crWide*)&patch->d[i],
              *(const crWide*)&patch->x[0][i] - base->c.x,
              *(const crWide*)&patch->x[1][i] - base->c.y,
              *(const crWide*)&patch->x[2][i] - base->c.z,
              *(const crWide*)&patch->m[0][i],
              *(const crWide*)&patch->m[1][i],
              *(const crWide*)&patch->m[2][i],
              .rate = { 0.0 } };
  crVec3 v = motion->v, w = motion->w;
  p.ux = v.x + w.y * p.z - w.z * p.y;
  p.uy = v.y + w.z * p.x - w.x * p.z;
  p.uz = v.z + w.x * p.y - w.y * p.x;
  p.rate = sign * (p.mx * p.ux + p.my * p.uy + p.mz * p.uz);
  return p;
}

static void addChange(const crAreaBase* base, const Motion* motion, int run, Change* change)
{
  const crPatch* patch = base->patch;
  bool isSecond = patch->areSecond[run];
  double moves = isSecond ? 1.0 : 0.0;
  crWide zero = { 0.0 }, i1 = zero, i2 = zero, i3 = zero, x1 = zero, y1 = zero, z1 = zero, x2 = zero, y2 = zero,
         z2 = zero, xx = zero, yy = zero, zz = zero, xy = zero, xz = zero, yz = zero;
  crWide ee = zero, ff = zero, gg = zero, ef = zero, eg = zero, fg = zero; // of d x x^T
  for (int i = patch->runs[run]; i < patch->runs[run + 1]; i += CR_WIDE_LANES) {
    Point p = takePoint(base, motion, i, isSecond ? -1.0 : 1.0);
    crWide g = p.w * p.rate, g2 = 2.0 * g * p.d, d1 = moves * p.w * p.d, d2 = d1 * p.d;
    crWide gx = g2 * p.x + d2 * p.ux, gy = g2 * p.y + d2 * p.uy, gz = g2 * p.z + d2 * p.uz;
    crWide hx = g * p.x + d1 * p.ux, hy = g * p.y + d1 * p.uy, hz = g * p.z + d1 * p.uz;
    i1 += g;
    i2 += g2;
    i3 += 1.5 * g2 * p.d;
    x1 += hx;
    y1 += hy;
    z1 += hz;
    ee += (hx + d1 * p.ux) * p.x;
    ff += (hy + d1 * p.uy) * p.y;
    gg += (hz + d1 * p.uz) * p.z;
    ef += hx * p.y + d1 * p.x * p.uy;
    eg += hx * p.z + d1 * p.x * p.uz;
    fg += hy * p.z + d1 * p.y * p.uz;
    x2 += gx;
    y2 += gy;
    z2 += gz;
    xx += (gx + d2 * p.ux) * p.x;
    yy += (gy + d2 * p.uy) * p.y;
    zz += (gz + d2 * p.uz) * p.z;
    xy += gx * p.y + d2 * p.x * p.uy;
    xz += gx * p.z + d2 * p.x * p.uz;
    yz += gy * p.z + d2 * p.y * p.uz;
  }
  crWide a = crTotals((crWide[]){ i1, i2, i3, x1, y1, z1, x2, y2 });
  crWide b = crTotals((crWide[]){ z2, xx, yy, zz, xy, xz, yz, zero });
  crWide c = crTotals((crWide[]){ ee, ff, gg, ef, eg, fg, zero, zero });
  change->i1 += a[0];
  change->i2 += a[1];
  change->i3 += a[2];
  change->x1 = crAdd(change->x1, crMakeVec3(a[3], a[4], a[5]));
  change->x2 = crAdd(change->x2, crMakeVec3(a[6], a[7], b[0]));
  change->xx1 = crAddSym3(change->xx1, (crSym3){ c[0], c[1], c[2], c[3], c[4], c[5] });
  change->xx2 = crAddSym3(change->xx2, (crSym3){ b[1], b[2], b[3], b[4], b[5], b[6] });
}

// --------------------------------------------------------------------------------------------------- law

// How the pressure's parameters change.
typedef struct Turn {
  double elastic, k0, k1, k2;
  crSym3 G;
  crVec3 c;
} Turn;

static Turn turnLaw(const crAreaBase* base, const Change* all)
{
  const crAreaEnergy* e = &base->energy;
  double share = base->patch->share, i2 = share * all->i2, i3 = share * all->i3, I2 = base->I2;
  crSym3 C = crAddSym3(crScaleSym3(1.0 / I2, all->xx2), crScaleSym3(-all->i2 / I2, base->C));
  double t = crTraceSym3(C), s = crDotSym3(crAcrossSym3(base->C), C);
  double U = e->u2 * i2 + e->u3 * i3 + e->ut * t + e->us * s, more = 2.0 * (i3 / base->i3 - i2 / base->i2);
  double u2 = -2.0 * (U - e->U * i2 / base->i2) / base->i2, u3 = 2.0 * (U - e->U * i3 / base->i3) / base->i3;
  double ut = e->ut * more + base->utt * t + base->uts * s, us = e->us * more + base->uts * t + base->uss * s;
  double trace = e->ut * base->t + 2.0 * e->us * base->s; // of G C
  double traceChange = ut * base->t + e->ut * t + 2.0 * (us * base->s + e->us * s);
  crSym3 G = crAddSym3(crScaleSym3(us, crAcrossSym3(base->C)), crScaleSym3(e->us, crAcrossSym3(C)));
  return (Turn){ .elastic = U,
                 .k0 = 2.0 * share * u2 + 2.0 * all->i2 / (I2 * I2) * trace - 2.0 / I2 * traceChange,
                 .k1 = -2.0 * all->i2 / (I2 * I2),
                 .k2 = 3.0 * share * u3,
                 .G = crAddSym3(G, crDiagonalSym3(ut, ut, ut)),
                 .c = crScale(1.0 / I2, all->x2) };
}

// x^T G x
static inline crWide squareIn(crSym3 G, crWide x, crWide y, crWide z)
{
  return x * (G.xx * x + 2.0 * (G.xy * y + G.xz * z)) + y * (G.yy * y + 2.0 * G.yz * z) + G.zz * z * z;
}

static void pushRun(const crAreaBase* base, const Motion* motion, const Turn* turn, int run, crAreaTangent* out)
{
  const crPatch* patch = base->patch;
  bool isSecond = patch->areSecond[run];
  double sign = isSecond ? -1.0 : 1.0, moves = isSecond ? 1.0 : 0.0;
  crSym3 G = base->G;
  crVec3 c = turn->c, w = isSecond ? crMakeVec3(0.0, 0.0, 0.0) : motion->w; // what turns normals
  crWide zero = { 0.0 }, fx = zero, fy = zero, fz = zero, tx = zero, ty = zero, tz = zero;
  for (int i = patch->runs[run]; i < patch->runs[run + 1]; i += CR_WIDE_LANES) {
    Point p = takePoint(base, motion, i, sign);
    crWide ax = moves * p.ux - c.x, ay = moves * p.uy - c.y, az = moves * p.uz - c.z; // of x - c
    crWide q = squareIn(G, p.x, p.y, p.z);
    crWide qRate = squareIn(turn->G, p.x, p.y, p.z) +
                   2.0 * (ax * (G.xx * p.x + G.xy * p.y + G.xz * p.z) + ay * (G.xy * p.x + G.yy * p.y + G.yz * p.z) +
                          az * (G.xz * p.x + G.yz * p.y + G.zz * p.z));
    crWide weight = sign * p.w, plain = base->k0 + base->k1 * q, at = weight * p.d * (plain + base->k2 * p.d);
    crWide rate = weight * (p.rate * (plain + 2.0 * base->k2 * p.d) +
                            p.d * (turn->k0 + turn->k1 * q + base->k1 * qRate + turn->k2 * p.d));
    crWide nx = rate * p.mx + at * (w.y * p.mz - w.z * p.my), ny = rate * p.my + at * (w.z * p.mx - w.x * p.mz),
           nz = rate * p.mz + at * (w.x * p.my - w.y * p.mx);
    crWide px = at * p.mx, py = at * p.my, pz = at * p.mz;
    fx += nx;
    fy += ny;
    fz += nz;
    tx += p.y * nz - p.z * ny + (ay * pz - az * py);
    ty += p.z * nx - p.x * nz + (az * px - ax * pz);
    tz += p.x * ny - p.y * nx + (ax * py - ay * px);
  }
  crWide sums = crTotals((crWide[]){ fx, fy, fz, tx, ty, tz, zero, zero });
  out->force = crAdd(out->force, crMakeVec3(sums[0], sums[1], sums[2]));
  out->torque = crAdd(out->torque, crMakeVec3(sums[3], sums[4], sums[5]));
}

static void pushLines(const crAreaBase* base, const Motion* motion, crAreaTangent* out)
{
  const crPatchLines* lines = base->patch->lines;
  for (int i = 0; i < lines->count; ++i) {
    crVec3 x = crSub(lines->x[i], base->c), jump = lines->jump[i];
    double d = lines->d[i], q = crDot(x, crMulSV(base->G, x)), p = d * (base->k0 + base->k1 * q + base->k2 * d);
    double k = -lines->w[i] * p * crDot(jump, crAdd(motion->v, crCross(motion->w, x)));
    out->force = crMulAdd(out->force, k, jump);
    out->torque = crMulAdd(out->torque, k, crCross(x, jump));
  }
}

// The first surface moves with the first shape, and C with it.
static void pushOwn(const crAreaBase* base, const Change* own, const Turn* turn, crAreaTangent* out)
{
  crVec3 h = crMulAdd(own->x2, -base->patch->sums[0].i2, turn->c);
  crSym3 S = crAddSym3(own->xx2, crScaleSym3(-1.0, crMixSym3(turn->c, base->h)));
  crVec3 f = crAdd(crMulSV(turn->G, base->h), crMulSV(base->G, h));
  crVec3 t = crAdd(twistOf(turn->G, base->S), twistOf(base->G, S));
  out->force = crMulAdd(crMulAdd(out->force, -turn->k1, crMulSV(base->G, base->h)), -base->k1, f);
  out->torque = crMulAdd(crMulAdd(out->torque, -turn->k1, twistOf(base->G, base->S)), -base->k1, t);
}

void crComputeAreaTangent(const crAreaBase* base, crVec3 v, crVec3 w, crAreaTangent* out)
{
  const crPatch* patch = base->patch;
  const crAreaForce* force = base->force;
  Motion motion = { crAdd(v, crCross(w, base->c)), w };
  Change changes[2] = { { .i1 = 0.0 }, { .i1 = 0.0 } };
  for (int i = 0; i < patch->runCount; ++i) {
    addChange(base, &motion, i, &changes[patch->areSecond[i]]);
  }
  Change *own = &changes[0], *other = &changes[1];
  Change all = { own->i1 + other->i1,
                 own->i2 + other->i2,
                 own->i3 + other->i3,
                 crAdd(own->x1, other->x1),
                 crAdd(own->x2, other->x2),
                 crAddSym3(own->xx1, other->xx1),
                 crAddSym3(own->xx2, other->xx2) };
  Turn turn = turnLaw(base, &all);
  *out = (crAreaTangent){ .elastic = turn.elastic };
  for (int i = 0; i < patch->runCount; ++i) {
    pushRun(base, &motion, &turn, i, out);
  }
  pushLines(base, &motion, out);
  if (base->isMoved) {
    pushOwn(base, own, &turn, out);
  }
  double i1 = patch->sums[0].i1 + patch->sums[1].i1;
  crVec3 arm = crSub(base->c, force->centre); // from the centre of d
  out->centre = crScale(1.0 / i1, crMulAdd(all.x1, all.i1, arm));
  crSym3 moments = crAddSym3(force->spread, crOuterSym3(arm)); // of d about c
  out->spread = crAddSym3(crScaleSym3(1.0 / i1, all.xx1), crScaleSym3(-all.i1 / i1, moments));
  out->spread = crAddSym3(out->spread, crMixSym3(arm, out->centre));
  out->torque = crAdd(out->torque, crAdd(crCross(crSub(turn.c, out->centre), force->force), crCross(arm, out->force)));
}
