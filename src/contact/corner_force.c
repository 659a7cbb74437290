#include "contact/corner_force.h"

#include "collide/area/box_lanes.h"

// a b^T + b a^T off its diagonal: what both other components give to each.
static inline crLanes mix(crLanes a, crLanes b)
{
  return crNextL(a) * crLastL(b) + crLastL(a) * crNextL(b);
}

// Places of a weight: mean, and covariance, of k with itself and of k + 1 with k + 2.
typedef struct Spread {
  crLanes mean, own, other;
} Spread;

static inline Spread findSpread(double all, crLanes x, crLanes own, crLanes other)
{
  double s = 1.0 / all;
  crLanes mean = s * x;
  return (Spread){ mean, s * own - mean * mean, s * other - crNextL(mean) * crLastL(mean) };
}

// The corner, and moments of d^2 in units of lengths and of D^2 times the section's area: each is a part of the three
// triangles and w times one of the section.
typedef struct Shape {
  crLanes nu, gamma, lengths, squares;  // lengths: [-] of edges, over D
  double N, w;                          // w: 1 / N^2, or 0
  double all;                           // of 1,
  crLanes x, own, other;                // of eta, eta_k^2, eta_k+1 eta_k+2;
  crLanes xOfTip, ownOfTip, otherOfTip; // and what of that has the factor w
} Shape;

static inline Shape makeShape(const crBoxCorner* corner)
{
  Shape s;
  const crLanes ones = { 1.0, 1.0, 1.0, 0.0 }, fourth = { 0.0, 0.0, 0.0, 1.0 };
  s.nu = (crLanes){ fabs(corner->n.x), fabs(corner->n.y), fabs(corner->n.z), 0.0 };
  s.N = crSumL(s.nu);
  s.w = corner->isSolid ? 1.0 / (s.N * s.N) : 0.0;
  s.gamma = s.nu / s.N;
  s.lengths = 1.0 / (s.nu + fourth);
  s.squares = s.lengths * s.lengths;
  crLanes rest = s.N * ones - s.nu, g = s.gamma;
  s.xOfTip = (ones + 2.0 * g) * (1.0 / 30.0);
  s.ownOfTip = (ones + g * (2.0 + 3.0 * g)) * (1.0 / 90.0);
  s.otherOfTip = (3.0 * ones - 2.0 * g + 6.0 * crNextL(g) * crLastL(g)) * (1.0 / 180.0);
  s.all = (s.N + s.w) * (1.0 / 6.0);
  s.x = rest * (1.0 / 30.0) + s.w * s.xOfTip;
  s.own = rest * (1.0 / 90.0) + s.w * s.ownOfTip;
  s.other = s.nu * (1.0 / 180.0) + s.w * s.otherOfTip;
  return s;
}

// The same of d, as a spread.
static inline Spread findSpreadOfDepth(const Shape* s)
{
  const crLanes ones = { 1.0, 1.0, 1.0, 0.0 };
  crLanes rest = s->N * ones - s->nu, g = s->gamma;
  double v = s->w * s->N;
  return findSpread((s->N + v) * (1.0 / 3.0), (rest + v * (ones + g)) * (1.0 / 12.0),
                    (rest + v * (ones + g + g * g)) * (1.0 / 30.0),
                    (s->nu + v * (2.0 * ones - g + 2.0 * crNextL(g) * crLastL(g))) * (1.0 / 60.0));
}

// The invariants of the covariance of d^2 over D^2 and D^4, by components.
typedef struct Invariants {
  crLanes products, minors; // of squares of lengths, and of the covariance in units of these, at k + 1 and k + 2
  double t, s;
} Invariants;

static inline Invariants findInvariants(const Shape* shape, const Spread* C)
{
  crLanes products = crNextL(shape->squares) * crLastL(shape->squares);
  crLanes minors = crNextL(C->own) * crLastL(C->own) - C->other * C->other;
  return (Invariants){ products, minors, crSumL(shape->squares * C->own), crSumL(products * minors) };
}

// dU/dnu, from the derivatives by t and s, of these as functions over D: back through all that is above.
static inline crLanes findSlope(const Shape* shape, const Spread* C, const Invariants* q, double byT, double byS,
                                double twiceU)
{
  crLanes c = C->mean, a2 = shape->squares, g = shape->gamma;
  double N = shape->N, w = shape->w, scale = 1.0 / shape->all;
  crLanes byOwn = byT * a2 + byS * mix(q->products, C->own), byOther = -2.0 * byS * q->products * C->other;
  crLanes bySquares = byT * C->own + byS * mix(q->minors, a2);
  crLanes byX = scale * (-2.0 * c * byOwn - mix(byOther, c));
  byOwn *= scale;
  byOther *= scale;
  double byAll = -scale * crSumL(byOwn * shape->own + byOther * shape->other + byX * shape->x);
  double byW = crSumL(byOwn * shape->ownOfTip + byOther * shape->otherOfTip + byX * shape->xOfTip) + byAll / 6.0;
  double byN = crSumL(byOwn) / 90.0 + crSumL(byX) / 30.0 + byAll / 6.0;
  double i2 = N + w, i3 = N + w / N; // in the same units, but for factors
  byW += twiceU * (1.0 / (N * i3) - 1.0 / i2);
  byN += twiceU * ((1.0 - w / (N * N)) / i3 - 1.0 / i2);
  crLanes byGamma = w * (byOwn * (2.0 + 6.0 * g) * (1.0 / 90.0) -
                         (2.0 * byOther - 6.0 * mix(byOther, g)) * (1.0 / 180.0) + 2.0 / 30.0 * byX);
  byN -= (2.0 * w * byW + crSumL(byGamma * g)) / N;
  return byN + byGamma / N - byOwn * (1.0 / 90.0) + byOther * (1.0 / 180.0) - byX * (1.0 / 30.0) -
         2.0 * bySquares * a2 * shape->lengths;
}

// At the corner, where r is the way from the centre of d^2.
static double findPressure(const crAreaEnergy* e, double depth, double i2, double t, double s, const Spread* C,
                           crLanes lengths)
{
  crLanes r = lengths * C->mean, across = lengths * r;
  double square = crDotL(r, r);
  double along = crSumL(across * across * C->own + 2.0 * crNextL(across) * crLastL(across) * C->other);
  double q = e->ut * square + e->us * (t * square - along);
  return depth * (2.0 * e->u2 + 3.0 * e->u3 * depth + 2.0 / i2 * (q - e->ut * t - 2.0 * e->us * s));
}

void crComputeCornerForce(crAreaModulus law, const crBoxCorner* corner, crAreaForce* out)
{
  Shape shape = makeShape(corner);
  Spread C = findSpread(shape.all, shape.x, shape.own, shape.other), C1 = findSpreadOfDepth(&shape);
  Invariants q = findInvariants(&shape, &C);
  double D = corner->depth, square = D * D, share = corner->isSolid ? 0.5 : 1.0;
  double section = 0.5 * square * shape.lengths[0] * shape.lengths[1] * shape.lengths[2];
  double i2 = share * section * square * shape.all;
  double i3 = share * section * square * D * 0.1 * (shape.N + shape.w / shape.N);
  double t = square * q.t, s = square * square * q.s, mean = i3 / i2;
  crAreaEnergy e = crComputeAreaEnergy(law, i2, i3, t, s);
  crLanes slope = findSlope(&shape, &C, &q, e.ut * square, e.us * square * square, 2.0 * e.U);
  crVec3 n = corner->n;
  crLanes inward = { copysign(1.0, n.x), copysign(1.0, n.y), copysign(1.0, n.z), 0.0 }, lengths = D * shape.lengths;
  crVec3 way = crFromLanes(inward * lengths * C1.mean); // from the corner to the centre
  crLanes own = lengths * lengths * C1.own,
          other = crNextL(inward * lengths) * crLastL(inward * lengths) * C1.other; // yz, zx, xy
  out->elastic = e.U;
  out->force = crScale((3.0 * e.U - 0.5 * law.stiffness * mean * mean) / D, n);
  out->torque = crSub(crCross(n, crFromLanes(inward * slope)), crCross(way, out->force));
  out->centre = crAdd(corner->at, way);
  out->spread = (crSym3){ own[0], own[1], own[2], other[2], other[1], other[0] };
  out->area = share * section * (shape.N + (corner->isSolid ? 1.0 : 0.0));
  out->mostPressure = findPressure(&e, D, i2, t, s, &C, lengths);
}
