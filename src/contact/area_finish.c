// What follows from patches and motion in lanes: point, normal and reach, damping and friction at five points, and what
// is told of contacts; the equations and the order of area_contact.c and of area_loss.c.
#include "contact/area_lanes_inside.h"
#include "contact/area_loss.h"

// ------------------------------------------------------------------------------------------------- reach

static inline crPart3 findAcross(crPart3 n)
{
  crPart one = crSpreadOverPart(1.0), zero = crSpreadOverPart(0.0), near = crSpreadOverPart(0.6);
  crPart size = crSizesOfParts(n.x);
  crPart3 e = { crPickAbove(near, size, one, zero), crPickAbove(near, size, zero, one), zero };
  e = crMulAddP(e, -crDotP(e, n), n);
  return crScaleP(1.0 / crRootsOfParts(crDotP(e, e)), e);
}

// The rows of a symmetric matrix.
typedef struct Sym {
  crPart xx, yy, zz, xy, xz, yz;
} Sym;

static inline crPart3 mulS(const Sym* s, crPart3 v)
{
  return (crPart3){ s->xx * v.x + s->xy * v.y + s->xz * v.z, s->xy * v.x + s->yy * v.y + s->yz * v.z,
                    s->xz * v.x + s->yz * v.y + s->zz * v.z };
}

static inline crPart3 combine(crPart a, crPart3 e0, crPart b, crPart3 e1)
{
  return crAddP(crScaleP(a, e0), crScaleP(b, e1));
}

static inline void findReach(const crAreaBlock* block, int from, const crPart33* R, crPart3 n, crPart3 out[2])
{
  const crAreaRow* rows = block->spread;
  crPart zero = crSpreadOverPart(0.0);
  Sym S = { crReadPart(rows[0], from), crReadPart(rows[1], from), crReadPart(rows[2], from),
            crReadPart(rows[3], from), crReadPart(rows[4], from), crReadPart(rows[5], from) };
  crPart3 l = crMulTP(R, n), Sl = mulS(&S, l), e0 = findAcross(n), e1 = crCrossP(n, e0);
  Sym minors = { S.yy * S.zz - S.yz * S.yz, S.xx * S.zz - S.xz * S.xz, S.xx * S.yy - S.xy * S.xy,
                 S.xz * S.yz - S.xy * S.zz, S.xy * S.yz - S.xz * S.yy, S.xy * S.xz - S.yz * S.xx };
  crPart det = crRootsOfParts(crGreaterOfParts(zero, crDotP(l, mulS(&minors, l))));
  crPart trace = S.xx + S.yy + S.zz - crDotP(l, Sl) + 2.0 * det;
  crPart s = crPickAbove(trace, zero, CR_POINT_REACH / crRootsOfParts(trace), zero);
  crPart3 l0 = crMulTP(R, e0), l1 = crMulTP(R, e1), s0 = mulS(&S, l0);
  crPart c00 = crGreaterOfParts(zero, crDotP(s0, l0)), c01 = crDotP(s0, l1);
  crPart c11 = crGreaterOfParts(zero, crDotP(mulS(&S, l1), l1));
  out[0] = combine(s * (c00 + det), e0, s * c01, e1);
  out[1] = combine(s * c01, e0, s * (c11 + det), e1);
}

// ------------------------------------------------------------------------------------------------ motion

// Two sides at a place.
typedef struct Motion {
  crPart3 pA, vA, wA, pB, vB, wB;
} Motion;

static inline crPart3 findVelocity(const Motion* m, crPart3 x)
{
  crPart3 b = crAddP(m->vB, crCrossP(m->wB, crSubP(x, m->pB)));
  return crSubP(b, crAddP(m->vA, crCrossP(m->wA, crSubP(x, m->pA))));
}

// 1 / m, and what turning adds at x along n: by the inverse inertia about the centre of mass.
static inline crPart invertMass(const crAreaSides* side, int from, crPart3 x, crPart3 n)
{
  crPart mass = crReadPart(side->mass, from), inverse = 1.0 / mass, zero = crSpreadOverPart(0.0);
  crPart3 h = crReadPart3(side->h, from), c = { h.x * inverse, h.y * inverse, h.z * inverse };
  crPart33 I = crReadPart33(side->I, from);
  crPart square = crDotP(h, c);
  crPart3 cx = crMulAddP(I.x, c.x, h), cy = crMulAddP(I.y, c.y, h), cz = crMulAddP(I.z, c.z, h);
  cx.x -= square;
  cy.y -= square;
  cz.z -= square;
  crPart3 yz = crCrossP(cy, cz), zx = crCrossP(cz, cx), xy = crCrossP(cx, cy);
  crPart determinant = crDotP(cx, yz), s = crPickAbove(determinant, zero, 1.0 / determinant, zero);
  crPart33 turns = { crScaleP(s, yz), crScaleP(s, zx), crScaleP(s, xy) };
  crPart3 centre = crAddP(crReadPart3(side->p, from), c), arm = crCrossP(crSubP(x, centre), n);
  return inverse + crDotP(arm, crMulMP(&turns, arm));
}

// -------------------------------------------------------------------------------------------------- loss

// Of the law, and of the patch.
typedef struct Pad {
  crPart muK, vMin, u, more, fade; // see findDamping of area_loss.c
  crPart load, squareSpeed, isDamped;
} Pad;

static inline crPart findDamping(const Pad* pad, crPart rate)
{
  crPart speed = crRootsOfParts(rate * rate + pad->squareSpeed) + CR_LEAST_SPEED;
  crPart slow = pad->fade * speed, root = 1.0 / (1.0 + slow * slow), inverse = 1.0 / speed;
  crPart d = (pad->u + pad->more * root * root) * inverse, zero = crSpreadOverPart(0.0);
  return crPickAbove(pad->isDamped, zero, d, zero);
}

static inline crPart regularize(crPart speed, crPart vMin)
{
  crPart slow = crLesserOfParts(speed, vMin), inverse = 1.0 / vMin;
  return crGreaterOfParts(speed, slow * slow * inverse * (1.0 - slow * (inverse / 3.0)) + vMin / 3.0);
}

static inline crPart findGrip(crPart least, crPart3 arm)
{
  crPart square = crDotP(arm, arm), share = square / (square + least * least);
  return share * share;
}

// What one of the five points exerts.
typedef struct Point {
  crPart3 rub;
  crPart pressed, more, power;
} Point;

// share: of the load; rate, damped: [m/s] as the point approaches, and as far as damping feels it.
static inline Point pushPoint(const Pad* pad, double share, crPart rate, crPart damped, crPart3 v, crPart3 n)
{
  crPart3 slip = crMulAddP(v, rate, n);
  crPart load = share * pad->load, damping = load * findDamping(pad, damped);
  crPart pressed = crGreaterOfParts(crSpreadOverPart(0.0), load + damping * damped), more = pressed - load;
  crPart square = slip.x * slip.x + slip.y * slip.y + slip.z * slip.z;
  crPart rub = pad->muK * pressed / regularize(crRootsOfParts(square), pad->vMin);
  return (Point){ crScaleP(rub, slip), pressed, more, more * damped + rub * square };
}

static inline crPart total(const crPart x[5])
{
  return ((x[0] + x[1]) + (x[2] + x[3])) + x[4];
}

static inline crPart3 totals(const Point points[5])
{
  crPart x[5], y[5], z[5];
  for (int k = 0; k < 5; ++k) {
    x[k] = points[k].rub.x;
    y[k] = points[k].rub.y;
    z[k] = points[k].rub.z;
  }
  return (crPart3){ total(x), total(y), total(z) };
}

// On one of the arms: of the two points that are opposite to each other.
static inline crPart3 combineArm(const Point* out, const Point* back, crPart grip, crPart3 n)
{
  crPart3 force = { out->rub.x - back->rub.x, out->rub.y - back->rub.y, out->rub.z - back->rub.z };
  return crMulAddP((crPart3){ -force.x, -force.y, -force.z }, grip * (out->more - back->more), n);
}

typedef struct Loss {
  crPart3 force, torque, slip;
  crPart normal, power;
} Loss;

// v: of B against A at the point.
static inline Loss findLoss(const Pad* pad, crPart least, crPart3 v, crPart3 turn, crPart3 n, const crPart3 reach[2])
{
  crPart3 p = reach[0], q = reach[1], vp = crCrossP(turn, p), vq = crCrossP(turn, q);
  crPart middle = -crDotP(v, n), gripP = findGrip(least, p), gripQ = findGrip(least, q);
  crPart rateP = crDotP(vp, n), rateQ = crDotP(vq, n), feltP = gripP * rateP, feltQ = gripQ * rateQ;
  Point points[5];
  points[0] = pushPoint(pad, 1.0 / 9.0, middle, middle, v, n);
  points[1] = pushPoint(pad, 2.0 / 9.0, middle - rateP, middle - feltP, crAddP(v, vp), n);
  points[2] = pushPoint(pad, 2.0 / 9.0, middle - rateQ, middle - feltQ, crAddP(v, vq), n);
  points[3] = pushPoint(pad, 2.0 / 9.0, middle + rateP, middle + feltP, crSubP(v, vp), n);
  points[4] = pushPoint(pad, 2.0 / 9.0, middle + rateQ, middle + feltQ, crSubP(v, vq), n);
  crPart pressed[5], more[5], power[5];
  for (int k = 0; k < 5; ++k) {
    pressed[k] = points[k].pressed;
    more[k] = points[k].more;
    power[k] = points[k].power;
  }
  crPart3 rub = totals(points);
  crPart3 byP = combineArm(&points[1], &points[3], gripP, n), byQ = combineArm(&points[2], &points[4], gripQ, n);
  return (Loss){ crMulAddP((crPart3){ -rub.x, -rub.y, -rub.z }, total(more), n),
                 crAddP(crCrossP(p, byP), crCrossP(q, byQ)), crMulAddP(v, middle, n), total(pressed), total(power) };
}

// ------------------------------------------------------------------------------------------------ contact

// A patch in the world, as B feels it.
typedef struct Patch {
  crPart3 n, point, force, torque, reach[2];
  crPart load;
} Patch;

static inline Patch turnForce(const crAreaBlock* block, int from, const crPart33* R, crPart3 origin)
{
  Patch patch;
  crPart sign = crReadPart(block->sign, from);
  crPart3 along = crReadPart3(block->along, from), force = crReadPart3(block->force, from);
  patch.force = crScaleP(sign, crMulMP(R, force));
  patch.torque = crScaleP(sign, crMulMP(R, crReadPart3(block->torque, from)));
  patch.point = crAddP(origin, crMulMP(R, crReadPart3(block->centre, from)));
  crPart zero = crSpreadOverPart(0.0), isAlong = crReadPart(block->isAlong, from);
  crPart length = crRootsOfParts(crDotP(patch.force, patch.force)), inverse = 1.0 / length;
  crPart3 n = crScaleP(sign, crMulMP(R, along));
  patch.load = crPickAbove(isAlong, zero, crDotP(force, along), length);
  patch.n = (crPart3){ crPickAbove(isAlong, zero, n.x, inverse * patch.force.x),
                       crPickAbove(isAlong, zero, n.y, inverse * patch.force.y),
                       crPickAbove(isAlong, zero, n.z, inverse * patch.force.z) };
  findReach(block, from, R, patch.n, patch.reach);
  return patch;
}

static inline Pad makePad(const crAreaBlock* block, int from, const Patch* patch)
{
  Pad pad = { .muK = crReadPart(block->muK, from), .vMin = crReadPart(block->vMin, from), .load = patch->load };
  crPart mobility =
      invertMass(&block->a, from, patch->point, patch->n) + invertMass(&block->b, from, patch->point, patch->n);
  pad.u = crReadPart(block->u, from);
  pad.more = crGreaterOfParts(pad.u, crSpreadOverPart(CR_REST_DAMPING)) - pad.u;
  pad.fade = CR_REST_FADE / pad.vMin;
  pad.squareSpeed = 2.0 * crReadPart(block->elastic, from) * mobility;
  pad.isDamped = crReadPart(block->isDamped, from);
  return pad;
}

// Where one by one knows better: what may be noise, reaches too far, or leads to no number.
static inline crPart findOdd(const crAreaBlock* block, int from, const Patch* patch)
{
  crPart depth = crReadPart(block->depth, from), elastic = crReadPart(block->elastic, from);
  crPart one = crSpreadOverPart(1.0), zero = crSpreadOverPart(0.0), most = crReadPart(block->mostSquare, from);
  crPart isGood = crPickAbove(elastic, zero, one, zero) * crPickAbove(patch->load, zero, one, zero);
  isGood *= crPickAbove(patch->load * depth, CR_STEEPEST * elastic, zero, one);
  isGood *= crPickAbove(depth, crReadPart(block->mostDepth, from), zero, one);
  for (int i = 0; i < 2; ++i) {
    isGood *= crPickAbove(most, crDotP(patch->reach[i], patch->reach[i]), one, zero);
  }
  return one - isGood;
}

void crFinishAreas(crAreaBlock* block, int from)
{
  const crAreaBlock* in = block; // C does not take what may change for what may not, of rows
  crPart33 R = crReadPart33(in->R, from);
  crPart3 origin = crReadPart3(in->origin, from);
  Patch patch = turnForce(in, from, &R, origin);
  crKeepPart(block->isOdd, from, findOdd(in, from, &patch));
  Motion motion = { crReadPart3(in->a.p, from), crReadPart3(in->a.v, from), crReadPart3(in->a.w, from),
                    crReadPart3(in->b.p, from), crReadPart3(in->b.v, from), crReadPart3(in->b.w, from) };
  Pad pad = makePad(in, from, &patch);
  crPart3 turn = crSubP(motion.wB, motion.wA), v = findVelocity(&motion, patch.point);
  Loss loss = findLoss(&pad, crReadPart(in->least, from), v, turn, patch.n, patch.reach);
  crPart3 deepest = crAddP(origin, crMulMP(&R, crReadPart3(in->at, from)));
  crPart3 normal = crMulMP(&R, crReadPart3(in->normal, from));
  crPart lengths =
      crRootsOfParts(crDotP(patch.reach[0], patch.reach[0])) + crRootsOfParts(crDotP(patch.reach[1], patch.reach[1]));
  crKeepPart3(block->point, from, patch.point);
  crKeepPart3(block->n, from, patch.n);
  crKeepPart3(block->slip, from, loss.slip);
  crKeepPart3(block->turn, from, turn);
  crKeepPart(block->rate, from, crDotP(findVelocity(&motion, deepest), normal) * crReadPart(in->side, from));
  crKeepPart(block->grip, from, CR_GRIP * lengths);
  crKeepPart(block->load, from, loss.normal);
  crKeepPart(block->release, from, crDotP(patch.force, v) + crDotP(patch.torque, turn));
  crKeepPart3(block->drag, from, loss.force);
  crKeepPart3(block->outForce, from, crAddP(patch.force, loss.force));
  crKeepPart3(block->outTorque, from, crAddP(patch.torque, loss.torque));
  crKeepPart(block->dissipation, from, loss.power);
}
