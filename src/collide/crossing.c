#include "collide/crossing.h"

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
  double penalty;   // [m] for its slope
  double depths[2]; // [m] of the rest points at its ends
  double nearest;   // [m] height of the end that is nearer to the other shape
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

// The edges of one side that may touch: within reach of the other shape along n, which points at it, and not too steep.
static void chooseEdges(const crCrossingPair* pair, const crRestSide* side, const crVec3* points, crVec3 n,
                        EdgeList* out)
{
  double heights[CR_MAX_REST_VERTICES], top = -HUGE_VAL;
  for (int i = 0; i < side->count; ++i) {
    heights[i] = crDot(n, points[i]);
    top = heights[i] > top ? heights[i] : top;
  }
  crRestEdge list[CR_MAX_REST_EDGES];
  int count = crCountRestEdges(side->shape);
  crListRestEdges(side->shape, list);
  double least = top - pair->depth - pair->margin;
  out->count = 0;
  for (int k = 0; k < count; ++k) {
    int i = list[k].start, j = list[k].end;
    double nearest = heights[i] > heights[j] ? heights[i] : heights[j];
    if (nearest < least) {
      continue;
    }
    Edge edge = { .p = points[i], .d = crSub(points[j], points[i]), .nearest = nearest };
    double rise = heights[j] - heights[i];
    edge.square = crLengthSquared(edge.d);
    if (!(rise * rise < CR_STEEP_SLOPE * CR_STEEP_SLOPE * edge.square)) {
      continue;
    }
    edge.penalty = penalizeSlope(rise * rise / edge.square, pair->fadeLength);
    edge.depths[0] = -side->touches[i].distance;
    edge.depths[1] = -side->touches[j].distance;
    out->edges[out->count++] = edge;
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
  double sine; // [-] of the angle between them
  crVec3 v;    // [m] from the first to the second
} Meeting;

static double clamp01(double s)
{
  return s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
}

static Meeting meet(const Edge* a, const Edge* b)
{
  crVec3 r = crSub(b->p, a->p);
  double across = crDot(a->d, b->d), alongA = crDot(a->d, r), alongB = crDot(b->d, r), product = a->square * b->square;
  double square = crLengthSquared(crCross(a->d, b->d));
  bool areParallel = !(square > CR_PARALLEL_SQUARE * product);
  double s = areParallel ? 0.5 : clamp01((alongA * b->square - alongB * across) / square);
  double t = clamp01((s * across - alongB) / b->square);
  s = clamp01((t * across + alongA) / a->square);
  Meeting m = { .s = s, .t = t, .sine = areParallel ? 0.0 : sqrt(square / product) };
  m.v = crSub(crMulAdd(r, t, b->d), crScale(s, a->d));
  return m;
}

static bool isInside(double s)
{
  return s > 0.0 && s < 1.0;
}

// Of two edges that cross between their ends the normal is across both; on which side it is that the other shape lies
// is what n says, also where the cores overlap.
static double measureMeeting(const Edge* a, const Edge* b, const Meeting* m, crVec3 n, crVec3* outNormal)
{
  if (m->sine > 0.0 && isInside(m->s) && isInside(m->t)) {
    crVec3 N = crNormalize(crCross(a->d, b->d));
    *outNormal = crDot(N, n) < 0.0 ? crNeg(N) : N;
    return crDot(*outNormal, m->v);
  }
  double length = crLength(m->v);
  *outNormal = length > 0.0 ? crNormalize(m->v) : n;
  return length;
}

static double weighMeeting(const Edge* a, const Edge* b, const Meeting* m, double depth, double fadeLength)
{
  double acrossA = m->sine * sqrt(a->square), acrossB = m->sine * sqrt(b->square);
  return fadeAtEnd(m->s * acrossA, a->depths[0], depth, fadeLength) *
         fadeAtEnd((1.0 - m->s) * acrossA, a->depths[1], depth, fadeLength) *
         fadeAtEnd(m->t * acrossB, b->depths[0], depth, fadeLength) *
         fadeAtEnd((1.0 - m->t) * acrossB, b->depths[1], depth, fadeLength);
}

static void crossEdges(const crCrossingPair* pair, const Edge* a, const Edge* b, Kept* kept)
{
  double sweepA = pair->a.shape->sweep, sweepB = pair->b.shape->sweep;
  Meeting m = meet(a, b);
  crTouch touch = { .weight = 0.0 };
  double length = measureMeeting(a, b, &m, pair->n_A, &touch.normal);
  touch.distance = length - sweepA - sweepB + a->penalty + b->penalty;
  if (touch.distance > pair->margin) {
    return;
  }
  if (touch.distance < 0.0) {
    touch.weight = weighMeeting(a, b, &m, -touch.distance, pair->fadeLength);
  }
  crVec3 pointOfA = crMulAdd(a->p, m.s, a->d);
  touch.point = crMulAdd(pointOfA, 0.5 * (sweepA + length - sweepB), touch.normal);
  keepTouch(kept, &touch, pair->a.X_WS);
}

// ------------------------------------------------------------------------------------ rim and edge

// The rim's side, in whose S everything is; `sign` 1 when it is A's, so that normals point from A to B.
typedef struct RimPair {
  const crCrossingPair* pair;
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
  keepTouch(kept, &touch, r->side->X_WS);
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

static void crossRims(const crCrossingPair* pair, bool isOfA, Kept* kept)
{
  const crRestSide *side = isOfA ? &pair->a : &pair->b, *other = isOfA ? &pair->b : &pair->a;
  int rimCount = crCountRims(side->shape);
  if (rimCount == 0 || crCountRestEdges(other->shape) == 0) {
    return;
  }
  crVec3 n = isOfA ? pair->n_A : crNeg(pair->n_B);
  RimPair r = { pair, side, side->shape->sweep, other->shape->sweep, n, isOfA ? 1.0 : -1.0 };
  crRim rims[CR_MAX_RIMS];
  EdgeList edges;
  crListRims(side->shape, rims);
  chooseEdges(pair, other, other->inOther, crNeg(n), &edges);
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

// b's edges above this height over a's are too far.
static void crossAllEdges(const crCrossingPair* pair, Kept* kept)
{
  EdgeList ofA, ofB;
  chooseEdges(pair, &pair->a, pair->a.own, pair->n_A, &ofA);
  if (ofA.count == 0) {
    return;
  }
  chooseEdges(pair, &pair->b, pair->b.inOther, crNeg(pair->n_A), &ofB);
  double reach = pair->a.shape->sweep + pair->b.shape->sweep + pair->margin;
  for (int i = 0; i < ofA.count; ++i) {
    for (int k = 0; k < ofB.count; ++k) {
      if (-ofB.edges[k].nearest - ofA.edges[i].nearest <= reach) {
        crossEdges(pair, &ofA.edges[i], &ofB.edges[k], kept);
      }
    }
  }
}

void crFindCrossings(const crCrossingPair* pair, crTouch* outTouches)
{
  Kept kept = { .touches = outTouches, .capacity = crCountCrossings(pair->a.shape, pair->b.shape) };
  crossAllEdges(pair, &kept);
  crossRims(pair, true, &kept);
  crossRims(pair, false, &kept);
  crVec3 n = crMulMV(pair->a.X_WS->R, pair->n_A);
  for (int k = kept.count; k < kept.capacity; ++k) {
    outTouches[k] = (crTouch){ .distance = pair->margin, .weight = 0.0, .normal = n, .point = pair->a.X_WS->p };
  }
}
