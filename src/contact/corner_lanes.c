// Corners of boxes below planes in lanes: the equations and the order of corner_force.c and of area_law.c.
#include "contact/area_lanes_inside.h"

// Components along the three edges of the corner.
typedef struct Three {
  crPart k[3];
} Three;

static const int next[3] = { 1, 2, 0 }, last[3] = { 2, 0, 1 };

static inline crPart sum(Three a)
{
  return a.k[0] + a.k[1] + a.k[2];
}

// Places of a weight, as of corner_force.c.
typedef struct Spread {
  Three mean, own, other;
} Spread;

static inline Spread findSpread(crPart all, const Three* x, const Three* own, const Three* other)
{
  Spread spread;
  crPart s = 1.0 / all;
  for (int k = 0; k < 3; ++k) {
    spread.mean.k[k] = s * x->k[k];
  }
  for (int k = 0; k < 3; ++k) {
    crPart mean = spread.mean.k[k];
    spread.own.k[k] = s * own->k[k] - mean * mean;
    spread.other.k[k] = s * other->k[k] - spread.mean.k[next[k]] * spread.mean.k[last[k]];
  }
  return spread;
}

typedef struct Shape {
  Three nu, gamma, lengths, squares;
  crPart N, w, all;
  Three x, own, other, xOfTip, ownOfTip, otherOfTip;
} Shape;

static inline Shape makeShape(crPart3 n, crPart isSolid)
{
  Shape s;
  s.nu = (Three){ { crSizesOfParts(n.x), crSizesOfParts(n.y), crSizesOfParts(n.z) } };
  s.N = sum(s.nu);
  s.w = isSolid * (1.0 / (s.N * s.N));
  for (int k = 0; k < 3; ++k) {
    s.gamma.k[k] = s.nu.k[k] / s.N;
    s.lengths.k[k] = 1.0 / s.nu.k[k];
    s.squares.k[k] = s.lengths.k[k] * s.lengths.k[k];
  }
  s.all = (s.N + s.w) * (1.0 / 6.0);
  for (int k = 0; k < 3; ++k) {
    crPart g = s.gamma.k[k], rest = s.N - s.nu.k[k], others = 6.0 * s.gamma.k[next[k]] * s.gamma.k[last[k]];
    s.xOfTip.k[k] = (1.0 + 2.0 * g) * (1.0 / 30.0);
    s.ownOfTip.k[k] = (1.0 + g * (2.0 + 3.0 * g)) * (1.0 / 90.0);
    s.otherOfTip.k[k] = (3.0 - 2.0 * g + others) * (1.0 / 180.0);
    s.x.k[k] = rest * (1.0 / 30.0) + s.w * s.xOfTip.k[k];
    s.own.k[k] = rest * (1.0 / 90.0) + s.w * s.ownOfTip.k[k];
    s.other.k[k] = s.nu.k[k] * (1.0 / 180.0) + s.w * s.otherOfTip.k[k];
  }
  return s;
}

static inline Spread findSpreadOfDepth(const Shape* s)
{
  Three x, own, other;
  crPart v = s->w * s->N;
  for (int k = 0; k < 3; ++k) {
    crPart g = s->gamma.k[k], rest = s->N - s->nu.k[k], others = 2.0 * s->gamma.k[next[k]] * s->gamma.k[last[k]];
    x.k[k] = (rest + v * (1.0 + g)) * (1.0 / 12.0);
    own.k[k] = (rest + v * (1.0 + g + g * g)) * (1.0 / 30.0);
    other.k[k] = (s->nu.k[k] + v * (2.0 - g + others)) * (1.0 / 60.0);
  }
  return findSpread((s->N + v) * (1.0 / 3.0), &x, &own, &other);
}

typedef struct Invariants {
  Three products, minors;
  crPart t, s;
} Invariants;

static inline Invariants findInvariants(const Shape* shape, const Spread* C)
{
  Invariants q;
  Three alone, both;
  for (int k = 0; k < 3; ++k) {
    q.products.k[k] = shape->squares.k[next[k]] * shape->squares.k[last[k]];
    q.minors.k[k] = C->own.k[next[k]] * C->own.k[last[k]] - C->other.k[k] * C->other.k[k];
    alone.k[k] = shape->squares.k[k] * C->own.k[k];
    both.k[k] = q.products.k[k] * q.minors.k[k];
  }
  q.t = sum(alone);
  q.s = sum(both);
  return q;
}

// -------------------------------------------------------------------------------------------------- law

typedef struct Mean {
  crPart value, byT, byS;
} Mean;

static inline Mean computeMean(crPart t, crPart s)
{
  crPart r = crRootsOfParts(s), p = crRootsOfParts(t + 2.0 * r), q = 2.0 * crRootsOfParts(r);
  crPart pt = 0.5 / p, ps = 0.5 / (p * r), qt = crSpreadOverPart(0.0), qs = 0.25 * q / s;
  crPart gap = crSizesOfParts(p - q), near = CR_AGM_NEAR * (p + q);
  while (crFindAbove(gap, near) != 0) { // lanes that are done stay
    crPart g = crRootsOfParts(p * q), k = 0.5 / g, gt = k * (pt * q + p * qt), gs = k * (ps * q + p * qs);
    p = crPickAbove(gap, near, 0.5 * (p + q), p);
    pt = crPickAbove(gap, near, 0.5 * (pt + qt), pt);
    ps = crPickAbove(gap, near, 0.5 * (ps + qs), ps);
    q = crPickAbove(gap, near, g, q);
    qt = crPickAbove(gap, near, gt, qt);
    qs = crPickAbove(gap, near, gs, qs);
    gap = crSizesOfParts(p - q);
    near = CR_AGM_NEAR * (p + q);
  }
  const double* c = crMeanSeries;
  crPart k = 1.0 / (p + q), e = (p - q) * k, x = e * e, y = x * x;
  crPart even = c[0] + x * c[1] + y * (c[2] + x * c[3]) + y * y * (c[4] + x * c[5] + y * c[6]);
  crPart slope = c[1] + 2.0 * x * c[2] + y * (3.0 * c[3] + 4.0 * x * c[4]) + y * y * (5.0 * c[5] + 6.0 * x * c[6]);
  crPart mean = 0.5 / (even * k), bySum = 0.5 / even, byE = -2.0 * e * slope * mean / even;
  crPart byP = bySum + 2.0 * byE * q * k * k, byQ = bySum - 2.0 * byE * p * k * k;
  return (Mean){ mean, byP * pt + byQ * qt, byP * ps + byQ * qs };
}

typedef struct Energy {
  crPart U, u2, u3, ut, us;
} Energy;

static inline Energy computeEnergy(crPart modulus, crPart i2, crPart i3, crPart t, crPart s)
{
  crPart mean = i3 / i2, square = mean * mean;
  Mean length = computeMean(t, s + CR_LEAST_MINORS * t * t);
  crPart byT = length.byT + 2.0 * CR_LEAST_MINORS * t * length.byS;
  crPart U = modulus * length.value * square, k = modulus * square;
  return (Energy){ U, -2.0 * U / i2, 2.0 * U / i3, k * byT, k * length.byS };
}

// ------------------------------------------------------------------------------------------------- force

// a b^T + b a^T off its diagonal.
static inline crPart mix(const Three* a, const Three* b, int k)
{
  return a->k[next[k]] * b->k[last[k]] + a->k[last[k]] * b->k[next[k]];
}

static inline Three findSlope(const Shape* shape, const Spread* C, const Invariants* q, crPart byT, crPart byS,
                              crPart twiceU)
{
  Three byOwn, byOther, bySquares, byX, byGamma, parts, out;
  crPart N = shape->N, w = shape->w, scale = 1.0 / shape->all;
  for (int k = 0; k < 3; ++k) {
    byOwn.k[k] = byT * shape->squares.k[k] + byS * mix(&q->products, &C->own, k);
    byOther.k[k] = -2.0 * byS * q->products.k[k] * C->other.k[k];
    bySquares.k[k] = byT * C->own.k[k] + byS * mix(&q->minors, &shape->squares, k);
  }
  for (int k = 0; k < 3; ++k) {
    byX.k[k] = scale * (-2.0 * C->mean.k[k] * byOwn.k[k] - mix(&byOther, &C->mean, k));
  }
  for (int k = 0; k < 3; ++k) {
    byOwn.k[k] *= scale;
    byOther.k[k] *= scale;
    parts.k[k] = byOwn.k[k] * shape->own.k[k] + byOther.k[k] * shape->other.k[k] + byX.k[k] * shape->x.k[k];
  }
  crPart byAll = -scale * sum(parts);
  for (int k = 0; k < 3; ++k) {
    parts.k[k] =
        byOwn.k[k] * shape->ownOfTip.k[k] + byOther.k[k] * shape->otherOfTip.k[k] + byX.k[k] * shape->xOfTip.k[k];
  }
  crPart byW = sum(parts) + byAll / 6.0, byN = sum(byOwn) / 90.0 + sum(byX) / 30.0 + byAll / 6.0;
  crPart i2 = N + w, i3 = N + w / N;
  byW += twiceU * (1.0 / (N * i3) - 1.0 / i2);
  byN += twiceU * ((1.0 - w / (N * N)) / i3 - 1.0 / i2);
  for (int k = 0; k < 3; ++k) {
    crPart g = shape->gamma.k[k];
    byGamma.k[k] =
        w * (byOwn.k[k] * (2.0 + 6.0 * g) * (1.0 / 90.0) -
             (2.0 * byOther.k[k] - 6.0 * mix(&byOther, &shape->gamma, k)) * (1.0 / 180.0) + 2.0 / 30.0 * byX.k[k]);
    parts.k[k] = byGamma.k[k] * g;
  }
  byN -= (2.0 * w * byW + sum(parts)) / N;
  for (int k = 0; k < 3; ++k) {
    out.k[k] = byN + byGamma.k[k] / N - byOwn.k[k] * (1.0 / 90.0) + byOther.k[k] * (1.0 / 180.0) -
               byX.k[k] * (1.0 / 30.0) - 2.0 * bySquares.k[k] * shape->squares.k[k] * shape->lengths.k[k];
  }
  return out;
}

static inline crPart findPressure(const Energy* e, crPart depth, crPart i2, crPart t, crPart s, const Spread* C,
                                  const Three* lengths)
{
  Three r, across, parts;
  for (int k = 0; k < 3; ++k) {
    r.k[k] = lengths->k[k] * C->mean.k[k];
    across.k[k] = lengths->k[k] * r.k[k];
    parts.k[k] = r.k[k] * r.k[k];
  }
  crPart square = sum(parts);
  for (int k = 0; k < 3; ++k) {
    parts.k[k] = across.k[k] * across.k[k] * C->own.k[k] + 2.0 * across.k[next[k]] * across.k[last[k]] * C->other.k[k];
  }
  crPart q = e->ut * square + e->us * (t * square - sum(parts));
  return depth * (2.0 * e->u2 + 3.0 * e->u3 * depth + 2.0 / i2 * (q - e->ut * t - 2.0 * e->us * s));
}

static inline crPart3 toPart3(const Three* a)
{
  return (crPart3){ a->k[0], a->k[1], a->k[2] };
}

void crPushCorners(crAreaBlock* block, int from)
{
  const crAreaBlock* in = block; // C does not take what may change for what may not, of rows
  crPart3 n = crReadPart3(in->along, from);
  crPart isSolid = crReadPart(in->isSolid, from), D = crReadPart(in->depth, from), square = D * D;
  Shape shape = makeShape(n, isSolid);
  Spread C = findSpread(shape.all, &shape.x, &shape.own, &shape.other), C1 = findSpreadOfDepth(&shape);
  Invariants q = findInvariants(&shape, &C);
  crPart share = 1.0 - 0.5 * isSolid;
  crPart section = 0.5 * square * shape.lengths.k[0] * shape.lengths.k[1] * shape.lengths.k[2];
  crPart i2 = share * section * square * shape.all;
  crPart i3 = share * section * square * D * 0.1 * (shape.N + shape.w / shape.N);
  crPart t = square * q.t, s = square * square * q.s;
  Energy e = computeEnergy(crReadPart(in->modulus, from), i2, i3, t, s);
  Three slope = findSlope(&shape, &C, &q, e.ut * square, e.us * square * square, 2.0 * e.U);
  Three inward = { { crSignsOfParts(n.x), crSignsOfParts(n.y), crSignsOfParts(n.z) } }, lengths, ways, way;
  for (int k = 0; k < 3; ++k) {
    lengths.k[k] = D * shape.lengths.k[k];
    ways.k[k] = inward.k[k] * lengths.k[k];
    way.k[k] = ways.k[k] * C1.mean.k[k];
    slope.k[k] = inward.k[k] * slope.k[k];
  }
  crPart3 arm = toPart3(&way), force = crScaleP(3.0 * e.U / D, n);
  crKeepPart(block->elastic, from, e.U);
  crKeepPart3(block->force, from, force);
  crKeepPart3(block->torque, from, crSubP(crCrossP(n, toPart3(&slope)), crCrossP(arm, force)));
  crKeepPart3(block->centre, from, crAddP(crReadPart3(in->at, from), arm));
  for (int k = 0; k < 3; ++k) {
    crKeepPart(block->spread[k], from, lengths.k[k] * lengths.k[k] * C1.own.k[k]);
    crKeepPart(block->spread[5 - k], from, ways.k[next[k]] * ways.k[last[k]] * C1.other.k[k]);
  }
  crKeepPart(block->area, from, share * section * (shape.N + isSolid));
  crKeepPart(block->pressure, from, findPressure(&e, D, i2, t, s, &C, &lengths));
}
