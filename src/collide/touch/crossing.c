#include "collide/touch/crossing.h"

#include <float.h>

#define CR_LEVEL_SLOPE 0.5       // [-] sine of an edge's angle to the contact plane up to which it counts in full
#define CR_STEEP_SLOPE 0.75      // [-] and beyond which not at all
#define CR_SLOPE_PENALTY 10.0    // [fadeLength] added to the distance at CR_STEEP_SLOPE
#define CR_RIM_SLOPE 0.5         // [-] share of an edge's square that must lie in the plane of a rim
#define CR_RIM_CHORD 0.5         // [rim radius] half length of a chord from which on its ends count in full
#define CR_PARALLEL_SQUARE 1e-20 // [-] square of the sine below which edges have no common perpendicular
#define CR_SIDE_COSINE 0.5       // [-] of rim axis and normal above which the normal tells above from below

// An edge that may cross, with what does not depend on its partner.
typedef struct Edge {
  crVec3 p, d;      // p + s d, 0 <= s <= 1, in the frame at hand
  double square;    // [m^2] |d|^2
  double inverse;   // [1/m^2] of it
  double penalty;   // [m] for its slope
  double depths[2]; // [m] of the rest points at its ends
  double apart;     // [m] lower bound of its distance from the other shape
} Edge;

typedef struct EdgeList {
  Edge edges[CR_MAX_REST_EDGES];
  int count;
} EdgeList;

typedef struct Kept {
  crTouch* touches;
  double keys[CR_MAX_CROSSINGS]; // [m^3] square of weight x depth^1.5
  int count, capacity;
} Kept;

// ------------------------------------------------------------------------------------------- choice

static bool comesBefore(double key, double distance, double otherKey, double otherDistance)
{
  return key > otherKey || (key == otherKey && distance < otherDistance);
}

// touch: in S, placed at X_WS once it is kept.
static void keepTouch(Kept* kept, const crTouch* touch, const crPose* X_WS)
{
  double depth = touch->distance < 0.0 ? -touch->distance : 0.0;
  double key = touch->weight * touch->weight * depth * depth * depth;
  int place = kept->count;
  while (place > 0 && comesBefore(key, touch->distance, kept->keys[place - 1], kept->touches[place - 1].distance)) {
    --place;
  }
  if (place == kept->capacity) {
    return;
  }
  kept->count += kept->count < kept->capacity;
  for (int k = kept->count - 1; k > place; --k) {
    kept->touches[k] = kept->touches[k - 1];
    kept->keys[k] = kept->keys[k - 1];
  }
  kept->keys[place] = key;
  kept->touches[place] = *touch;
  kept->touches[place].normal = crMulMV(X_WS->R, touch->normal);
  kept->touches[place].point = crTransformPoint(*X_WS, touch->point);
}

static double penalizeSlope(double slopeSquare, double fadeLength)
{
  if (slopeSquare <= CR_LEVEL_SLOPE * CR_LEVEL_SLOPE) {
    return 0.0;
  }
  double beyond = (sqrt(slopeSquare) - CR_LEVEL_SLOPE) / (CR_STEEP_SLOPE - CR_LEVEL_SLOPE);
  return CR_SLOPE_PENALTY * fadeLength * beyond * beyond;
}

// The edges of one side that may touch: within reach of the other shape, and not too steep. points: of the side, in the
// frame at hand.
static void chooseEdges(const crRestPair* pair, const crRestSide* side, const crVec3* points, EdgeList* out)
{
  crRestEdge list[CR_MAX_REST_EDGES];
  int count = crCountRestEdges(side->shape);
  crListRestEdges(side->shape, list);
  out->count = 0;
  for (int k = 0; k < count; ++k) {
    int i = list[k].start, j = list[k].end;
    double rise = side->heights[j] - side->heights[i], nearest = rise > 0.0 ? side->heights[j] : side->heights[i];
    double apart = crBoundByHeight(pair, side, nearest);
    if (apart > pair->margin) {
      continue;
    }
    Edge* edge = &out->edges[out->count];
    edge->d = crSub(points[j], points[i]);
    edge->square = crLengthSquared(edge->d);
    if (rise * rise >= CR_STEEP_SLOPE * CR_STEEP_SLOPE * edge->square) {
      continue;
    }
    edge->p = points[i];
    edge->inverse = 1.0 / edge->square;
    edge->penalty = penalizeSlope(rise * rise * edge->inverse, pair->fadeLength);
    edge->apart = apart;
    edge->depths[0] = -side->touches[i].distance;
    edge->depths[1] = -side->touches[j].distance;
    ++out->count;
  }
}

// F(s_c) of the end of an edge whose rest point is so deep and lies so far beside the other edge.
static double fadeAtEnd(double beside, double endDepth, double depth, double fadeLength)
{
  if (endDepth <= 0.0 || beside >= fadeLength) {
    return 1.0;
  }
  return crFade(crFade(beside / fadeLength) * endDepth / depth);
}

// ----------------------------------------------------------------------------------- edge and edge

// Where two edges are nearest.
typedef struct Meeting {
  double s, t;
  crVec3 v;          // [m] from the first to the second
  crVec3 N;          // [m^2] across both
  double sineSquare; // [-] of the angle between them; 0 where they count as parallel
} Meeting;

static double clamp01(double s)
{
  return s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
}

static bool isInside(double s)
{
  return s > 0.0 && s < 1.0;
}

static Meeting meet(const Edge* a, const Edge* b)
{
  crVec3 r = crSub(b->p, a->p);
  double across = crDot(a->d, b->d), alongA = crDot(a->d, r), alongB = crDot(b->d, r);
  Meeting m = { .N = crCross(a->d, b->d) };
  double square = crLengthSquared(m.N);
  m.sineSquare = square * a->inverse * b->inverse;
  bool areParallel = !(m.sineSquare > CR_PARALLEL_SQUARE);
  double s = areParallel ? 0.5 : clamp01((alongA * b->square - alongB * across) / square);
  m.t = clamp01((s * across - alongB) * b->inverse);
  m.s = clamp01((m.t * across + alongA) * a->inverse);
  m.v = crSub(crMulAdd(r, m.t, b->d), crScale(m.s, a->d));
  m.sineSquare = areParallel ? 0.0 : m.sineSquare;
  return m;
}

static bool crossesInside(const Meeting* m)
{
  return m->sineSquare > 0.0 && isInside(m->s) && isInside(m->t);
}

// Of two edges that cross between their ends the normal is across both; on which side it is that the other shape lies
// is what n says, also where the cores overlap.
static double measureMeeting(const Meeting* m, crVec3 n, crVec3* outNormal)
{
  if (crossesInside(m)) {
    crVec3 N = crNormalize(m->N);
    *outNormal = crDot(N, n) < 0.0 ? crNeg(N) : N;
    return crDot(*outNormal, m->v);
  }
  double length = crLength(m->v);
  *outNormal = length > 0.0 ? crScale(1.0 / length, m->v) : n;
  return length;
}

static double weighMeeting(const Edge* a, const Edge* b, const Meeting* m, double depth, double fadeLength)
{
  double acrossA = sqrt(m->sineSquare * a->square), acrossB = sqrt(m->sineSquare * b->square);
  return fadeAtEnd(m->s * acrossA, a->depths[0], depth, fadeLength) *
         fadeAtEnd((1.0 - m->s) * acrossA, a->depths[1], depth, fadeLength) *
         fadeAtEnd(m->t * acrossB, b->depths[0], depth, fadeLength) *
         fadeAtEnd((1.0 - m->t) * acrossB, b->depths[1], depth, fadeLength);
}

// reach: [m] between the cores, beyond which nothing touches.
static void crossEdges(const crRestPair* pair, const Edge* a, const Edge* b, double reach, Kept* kept)
{
  Meeting m = meet(a, b);
  if (crLengthSquared(m.v) > reach * reach && !(crDot(m.v, pair->a.toOther) < 0.0 && crossesInside(&m))) {
    return;
  }
  double sweepA = pair->a.shape->sweep, sweepB = pair->b.shape->sweep;
  crTouch touch = { .weight = 0.0 };
  double length = measureMeeting(&m, pair->a.toOther, &touch.normal);
  touch.distance = length - sweepA - sweepB + a->penalty + b->penalty;
  if (touch.distance > pair->margin) {
    return;
  }
  if (touch.distance < 0.0) {
    touch.weight = weighMeeting(a, b, &m, -touch.distance, pair->fadeLength);
  }
  crVec3 pointOfA = crMulAdd(a->p, m.s, a->d);
  touch.point = crMulAdd(pointOfA, 0.5 * (sweepA + length - sweepB), touch.normal);
  keepTouch(kept, &touch, &pair->a.X_WS);
}

// ------------------------------------------------------------------------------------ rim and edge

// The rim's side, in whose S everything is; `sign` 1 when it is A's, so that normals point from A to B.
typedef struct RimPair {
  const crRestPair* pair;
  const crRestSide* side;
  double sweep, otherSweep; // [m]
  crVec3 n;                 // towards the other shape
  double sign;
} RimPair;

static double besideRim(const crRim* rim, crVec3 p)
{
  return fabs(sqrt(p.x * p.x + p.y * p.y) - rim->radius);
}

// t: on the edge p + t d, p seen from the rim's centre. chord: [m] half of what the rim cuts out of the edge's line.
static void keepRimCrossing(const RimPair* r, const crRim* rim, const Edge* edge, crVec3 p, double t, double chord,
                            Kept* kept)
{
  crVec3 x = crMulAdd(p, t, edge->d);
  double rho = sqrt(x.x * x.x + x.y * x.y), share = rho > 0.0 ? rim->radius / rho : 0.0;
  crVec3 onRim = crMakeVec3(share * x.x, share * x.y, 0.0), v = crSub(x, onRim), normal;
  double length = crLength(v);
  if (chord > 0.0 && isInside(t) && fabs(r->n.z) > CR_SIDE_COSINE) {
    normal = crMakeVec3(0.0, 0.0, r->n.z < 0.0 ? -1.0 : 1.0);
    length = crDot(normal, v);
  } else {
    normal = length > 0.0 ? crNormalize(v) : r->n;
  }
  crTouch touch = { .weight = 0.0, .distance = length - r->sweep - r->otherSweep + edge->penalty };
  if (touch.distance > r->pair->margin) {
    return;
  }
  if (touch.distance < 0.0) {
    double depth = -touch.distance, l = r->pair->fadeLength;
    touch.weight = (1.0 - crFade(chord / (CR_RIM_CHORD * rim->radius))) *
                   fadeAtEnd(besideRim(rim, p), edge->depths[0], depth, l) *
                   fadeAtEnd(besideRim(rim, crAdd(p, edge->d)), edge->depths[1], depth, l);
  }
  touch.point = crAdd(rim->centre, crMulAdd(onRim, 0.5 * (r->sweep + length - r->otherSweep), normal));
  touch.normal = crScale(r->sign, normal);
  keepTouch(kept, &touch, &r->side->X_WS);
}

// |p + t d| = radius across the axis.
static void crossRim(const RimPair* r, const crRim* rim, const Edge* edge, Kept* kept)
{
  crVec3 p = crSub(edge->p, rim->centre), d = edge->d;
  double a = d.x * d.x + d.y * d.y, b = p.x * d.x + p.y * d.y;
  if (!(a > CR_RIM_SLOPE * edge->square)) {
    return;
  }
  double discriminant = b * b - a * (p.x * p.x + p.y * p.y - rim->radius * rim->radius);
  double root = discriminant > 0.0 ? sqrt(discriminant) : 0.0, chord = root / sqrt(a);
  keepRimCrossing(r, rim, edge, p, clamp01((-b - root) / a), chord, kept);
  keepRimCrossing(r, rim, edge, p, clamp01((-b + root) / a), chord, kept);
}

static void crossRims(const crRestPair* pair, bool isOfA, Kept* kept)
{
  const crRestSide *side = isOfA ? &pair->a : &pair->b, *other = isOfA ? &pair->b : &pair->a;
  int rimCount = crCountRims(side->shape);
  if (rimCount == 0 || crCountRestEdges(other->shape) == 0) {
    return;
  }
  RimPair r = { pair, side, side->shape->sweep, other->shape->sweep, side->toOther, isOfA ? 1.0 : -1.0 };
  crRim rims[CR_MAX_RIMS];
  EdgeList edges;
  crListRims(side->shape, rims);
  chooseEdges(pair, other, other->inOther, &edges);
  for (int i = 0; i < rimCount; ++i) {
    for (int k = 0; k < edges.count; ++k) {
      crossRim(&r, &rims[i], &edges.edges[k], kept);
    }
  }
}

// --------------------------------------------------------------------------------------------- all

int crCountCrossings(const crShape* a, const crShape* b)
{
  int edgesA = crCountRestEdges(a), edgesB = crCountRestEdges(b);
  int count = edgesA * edgesB + 2 * (crCountRims(a) * edgesB + crCountRims(b) * edgesA);
  return count < CR_MAX_CROSSINGS ? count : CR_MAX_CROSSINGS;
}

static void crossAllEdges(const crRestPair* pair, Kept* kept)
{
  EdgeList ofA, ofB;
  chooseEdges(pair, &pair->a, pair->a.own, &ofA);
  if (ofA.count == 0) {
    return;
  }
  chooseEdges(pair, &pair->b, pair->b.inOther, &ofB);
  double reach = pair->a.shape->sweep + pair->b.shape->sweep + pair->margin;
  for (int i = 0; i < ofA.count; ++i) {
    for (int k = 0; k < ofB.count; ++k) {
      if (ofA.edges[i].apart + ofB.edges[k].apart + pair->depth <= pair->margin) {
        crossEdges(pair, &ofA.edges[i], &ofB.edges[k], reach, kept);
      }
    }
  }
}

void crFindCrossings(const crRestPair* pair, crTouch* outTouches)
{
  Kept kept = { .touches = outTouches, .capacity = crCountCrossings(pair->a.shape, pair->b.shape) };
  crossAllEdges(pair, &kept);
  crossRims(pair, true, &kept);
  crossRims(pair, false, &kept);
  crVec3 n = crMulMV(pair->a.X_WS.R, pair->a.toOther);
  for (int k = kept.count; k < kept.capacity; ++k) {
    outTouches[k] = (crTouch){ .distance = pair->margin, .weight = 0.0, .normal = n, .point = pair->a.X_WS.p };
  }
}
