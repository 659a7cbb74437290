#include "contact/crossing_force.h"

#include "contact/dual.h"
#include "math/sym3.h"

// Derivatives are by turns of A.

// An edge in units of the depth.
typedef struct Edge {
  crDual ends[2], tip, deep;       // along it from where it is nearest; the depth at the tip
  crDual lengths[2], distances[2]; // from the tip to the ends; from these to the other edge
} Edge;

static inline Edge makeEdge(crDual p, crDual q)
{
  const crDual one = { 1.0, crZeroLanes() };
  crDual sine = crRootDual(crAddDual(crMulDual(p, p), crMulDual(q, q)));
  crDual byP = crQuotientDual(one, p), byQ = crQuotientDual(one, q), bySine = crQuotientDual(one, sine);
  crDual bySum = crQuotientDual(one, crAddDual(p, q)), deep = crMulDual(sine, bySum);
  return (Edge){ { crMulDual(crMulDual(q, byP), bySine), crScaleDual(-1.0, crMulDual(crMulDual(p, byQ), bySine)) },
                 crMulDual(crMulDual(crSubDual(q, p), bySum), bySine),
                 deep,
                 { crMulDual(deep, byP), crMulDual(deep, byQ) },
                 { crMulDual(sine, byP), crMulDual(sine, byQ) } };
}

// Sums over both ends with weights: of 1, s, s^2.
typedef struct Ends {
  crDual all, first, second;
} Ends;

static inline Ends sumEnds(const crDual weights[2], const crDual s[2])
{
  crDual a = crMulDual(weights[0], s[0]), b = crMulDual(weights[1], s[1]);
  return (Ends){ crAddDual(weights[0], weights[1]), crAddDual(a, b),
                 crAddDual(crMulDual(a, s[0]), crMulDual(b, s[1])) };
}

// Moments with the places a along an edge, b along the other one, and h across, 1 at the other one.
typedef struct Moments {
  crDual all, a, b, h, aa, ab, ah, bb, bh, hh;
} Moments;

// Barycentric coordinates l of the tip and x, y of the two others: means over a triangle of l^m times 1, x, l, x^2, x
// y, x l, l^2.
typedef struct Means {
  double all, x, l, xx, xy, xl, ll;
} Means;

static const Means depthMeans = { 1.0 / 3, 1.0 / 12, 1.0 / 6, 1.0 / 30, 1.0 / 60, 1.0 / 30, 1.0 / 10 };
static const Means squareMeans = { 1.0 / 6, 1.0 / 30, 1.0 / 10, 1.0 / 90, 1.0 / 180, 1.0 / 60, 1.0 / 15 };

// Of the two faces at an edge, with d^m / (2 D^m) = factor l^m.
static inline Moments findMoments(const Edge* edge, const Edge* other, const Means* c, crDual factor)
{
  Ends own = sumEnds(edge->lengths, edge->ends), far = sumEnds(other->distances, other->ends);
  crDual tip = edge->tip, W = crMulDual(factor, own.all), W1 = crMulDual(factor, own.first),
         W2 = crMulDual(factor, own.second), H = far.all;
  crDual byTip = crMulDual(W, tip), all = crMulDual(W, H);
  crDual cross = crAddDual(crScaleDual(c->xy, W1), crScaleDual(c->xl, byTip));
  crDual square = crAddDual(crAddDual(crScaleDual(c->xx, W2), crScaleDual(2.0 * c->xl, crMulDual(W1, tip))),
                            crScaleDual(c->ll, crMulDual(byTip, tip)));
  return (Moments){ .all = crScaleDual(c->all, all),
                    .a = crMulDual(H, crAddDual(crScaleDual(c->x, W1), crScaleDual(c->l, byTip))),
                    .b = crScaleDual(c->x, crMulDual(W, far.first)),
                    .h = crScaleDual(c->x, all),
                    .aa = crMulDual(H, square),
                    .ab = crMulDual(far.first, cross),
                    .ah = crMulDual(H, cross),
                    .bb = crScaleDual(c->xx, crMulDual(W, far.second)),
                    .bh = crScaleDual(c->xx, crMulDual(W, far.first)),
                    .hh = crScaleDual(c->xx, all) };
}

// Both boxes' surfaces, a and h of A's edge; h of B's is 1 less that.
static inline Moments addMoments(const Moments* a, const Moments* b)
{
  return (Moments){ .all = crAddDual(a->all, b->all),
                    .a = crAddDual(a->a, b->b),
                    .b = crAddDual(a->b, b->a),
                    .h = crAddDual(a->h, crSubDual(b->all, b->h)),
                    .aa = crAddDual(a->aa, b->bb),
                    .ab = crAddDual(a->ab, b->ab),
                    .ah = crAddDual(a->ah, crSubDual(b->b, b->bh)),
                    .bb = crAddDual(a->bb, b->aa),
                    .bh = crAddDual(a->bh, crSubDual(b->a, b->ah)),
                    .hh = crAddDual(a->hh, crAddDual(crSubDual(b->all, crScaleDual(2.0, b->h)), b->hh)) };
}

// Means and covariances.
static inline Moments centre(const Moments* m)
{
  const crDual one = { 1.0, crZeroLanes() };
  crDual share = crQuotientDual(one, m->all), a = crMulDual(share, m->a), b = crMulDual(share, m->b),
         h = crMulDual(share, m->h);
  return (Moments){ .all = m->all,
                    .a = a,
                    .b = b,
                    .h = h,
                    .aa = crSubDual(crMulDual(share, m->aa), crMulDual(a, a)),
                    .ab = crSubDual(crMulDual(share, m->ab), crMulDual(a, b)),
                    .ah = crSubDual(crMulDual(share, m->ah), crMulDual(a, h)),
                    .bb = crSubDual(crMulDual(share, m->bb), crMulDual(b, b)),
                    .bh = crSubDual(crMulDual(share, m->bh), crMulDual(b, h)),
                    .hh = crSubDual(crMulDual(share, m->hh), crMulDual(h, h)) };
}

// The sum of the principal minors, in axes that are not across each other: their cosine is g.
static inline crDual addMinors(const Moments* C, crDual g)
{
  const crDual one = { 1.0, crZeroLanes() };
  crDual ab = crSubDual(crMulDual(C->aa, C->bb), crMulDual(C->ab, C->ab));
  crDual ah = crSubDual(crMulDual(C->aa, C->hh), crMulDual(C->ah, C->ah));
  crDual bh = crSubDual(crMulDual(C->bb, C->hh), crMulDual(C->bh, C->bh));
  crDual mixed = crSubDual(crMulDual(C->ab, C->hh), crMulDual(C->ah, C->bh));
  return crAddDual(crAddDual(crMulDual(crSubDual(one, crMulDual(g, g)), ab), crScaleDual(2.0, crMulDual(g, mixed))),
                   crAddDual(ah, bh));
}

// Places of the covariance in axes of A.
static crSym3 placeSpread(const crBoxCrossing* crossing, const Moments* C)
{
  crVec3 a = crossing->a.along, b = crossing->b.along, n = crossing->n;
  crSym3 own = crAddSym3(crScaleSym3(C->aa.v, crOuterSym3(a)),
                         crAddSym3(crScaleSym3(C->bb.v, crOuterSym3(b)), crScaleSym3(C->hh.v, crOuterSym3(n))));
  crSym3 mixed = crAddSym3(crScaleSym3(C->ab.v, crMixSym3(a, b)),
                           crAddSym3(crScaleSym3(C->ah.v, crMixSym3(a, n)), crScaleSym3(C->bh.v, crMixSym3(b, n))));
  return crScaleSym3(crossing->depth * crossing->depth, crAddSym3(own, mixed));
}

static crVec3 placeMean(const crBoxCrossing* crossing, const Moments* C)
{
  crVec3 way = crAdd(crScale(C->a.v, crossing->a.along), crScale(C->b.v, crossing->b.along));
  return crScale(crossing->depth, crMulAdd(way, C->h.v, crossing->n));
}

// From where A's edge is nearest.
static crCrossingTip findTip(const crBoxCrossing* crossing, const Edge* a, const Edge* b)
{
  double D = crossing->depth;
  bool isOfB = b->deep.v > a->deep.v;
  const crCrossingEdge *own = isOfB ? &crossing->b : &crossing->a, *other = isOfB ? &crossing->a : &crossing->b;
  const Edge* edge = isOfB ? b : a;
  crVec3 at = crScale(D * edge->tip.v, own->along);
  int face = own->steep[1] > own->steep[0] ? 0 : 1; // that below which less of the patch is deep
  return (crCrossingTip){ isOfB ? crMulAdd(at, D, crossing->n) : at, other->faces[face], D * edge->deep.v, isOfB };
}

// r: the way from the centre of d^2.
static double findPressure(const crAreaEnergy* e, double depth, double i2, double t, double s, crSym3 C, crVec3 r)
{
  double q = e->ut * crDot(r, r) + e->us * crDot(r, crMulSV(crAcrossSym3(C), r));
  return depth * (2.0 * e->u2 + 3.0 * e->u3 * depth + 2.0 / i2 * (q - e->ut * t - 2.0 * e->us * s));
}

static inline crDual makeSteep(double value, double sign, crVec3 byTurn)
{
  return (crDual){ value, crToLanes(crScale(sign, byTurn)) };
}

void crComputeCrossingForce(crAreaModulus law, const crBoxCrossing* crossing, crAreaForce* out, crCrossingTip* outTip)
{
  const crCrossingEdge *ea = &crossing->a, *eb = &crossing->b;
  double D = crossing->depth, square = D * D;
  Edge a = makeEdge(makeSteep(ea->steep[0], 1.0, crCross(ea->along, eb->faces[0])),
                    makeSteep(ea->steep[1], -1.0, crCross(ea->along, eb->faces[1])));
  Edge b = makeEdge(makeSteep(eb->steep[0], 1.0, crCross(ea->faces[0], eb->along)),
                    makeSteep(eb->steep[1], -1.0, crCross(ea->faces[1], eb->along)));
  crDual g = { crDot(ea->along, eb->along), crToLanes(crCross(ea->along, eb->along)) };
  crDual squareA = crScaleDual(0.5, crMulDual(a.deep, a.deep)), squareB = crScaleDual(0.5, crMulDual(b.deep, b.deep));
  Moments a2 = findMoments(&a, &b, &squareMeans, squareA), b2 = findMoments(&b, &a, &squareMeans, squareB);
  Moments a1 = findMoments(&a, &b, &depthMeans, crScaleDual(0.5, a.deep)),
          b1 = findMoments(&b, &a, &depthMeans, crScaleDual(0.5, b.deep));
  Moments both2 = addMoments(&a2, &b2), both1 = addMoments(&a1, &b1), C = centre(&both2), C1 = centre(&both1);
  crDual t = crAddDual(crAddDual(C.aa, C.bb), crAddDual(C.hh, crScaleDual(2.0, crMulDual(g, C.ab))));
  crDual s = addMinors(&C, g), I2 = both2.all;
  crDual I3 = crScaleDual(0.6, crAddDual(crMulDual(a.deep, a2.all), crMulDual(b.deep, b2.all))); // (1 / 10) / (1 / 6)
  double i2 = 0.5 * square * square * I2.v, i3 = 0.5 * square * square * D * I3.v, mean = i3 / i2;
  crAreaEnergy e = crComputeAreaEnergy(law, i2, i3, square * t.v, square * square * s.v);
  crLanes byTurn =
      0.5 * square * square * (e.u2 * I2.d + e.u3 * D * I3.d) + square * e.ut * t.d + square * square * e.us * s.d;
  crVec3 way = placeMean(crossing, &C1);
  *outTip = findTip(crossing, &a, &b);
  out->elastic = e.U;
  out->force = crScale((3.0 * e.U - 0.5 * law.stiffness * mean * mean) / D, crossing->n);
  out->torque = crSub(crNeg(crFromLanes(byTurn)), crCross(way, out->force));
  out->centre = crAdd(crossing->at, way);
  out->spread = placeSpread(crossing, &C1);
  out->area = 0.25 * square *
              ((a.lengths[0].v + a.lengths[1].v) * (b.distances[0].v + b.distances[1].v) +
               (b.lengths[0].v + b.lengths[1].v) * (a.distances[0].v + a.distances[1].v));
  out->mostPressure = findPressure(&e, outTip->depth, i2, square * t.v, square * square * s.v,
                                   placeSpread(crossing, &C), crSub(outTip->at, placeMean(crossing, &C)));
  outTip->at = crAdd(crossing->at, outTip->at);
}
