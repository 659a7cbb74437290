// The middle of a contact patch: where faces or edges of two boxes lie along each other.
//
// Across the normal n the boxes show a face, an edge or a vertex each. When these are parallel, the nearest points
// are not unique; the ends of the patch would make contact points jump from corner to corner as rounding errors
// decide. So the one with fewer axes, a polygon of 1, 2 or 4 corners, is laid onto the other and clipped at its
// bounds; the mean of the corners that remain is taken.
#include "collide/distance/box.h"

#define CR_MISS_UNITS 16.0 // [noise] by which the points of the middle may miss each other: beyond, it is none
#define CR_MAX_CORNERS 8   // of a rectangle clipped by a rectangle

typedef struct Polygon {
  crVec3 corner[CR_MAX_CORNERS];
  int count;
} Polygon;

// Axes of one box that are perpendicular to n.
typedef struct Feature {
  int axis[2];
  int count; // 0: vertex, 1: edge, 2: face
} Feature;

CR_INLINE Feature findFeature(const crBoxes* m, crVec3 n, int first, int end)
{
  Feature feature = { .count = 0 };
  for (int k = first; k < end; ++k) {
    if (feature.count < 2 && m->half[k] * fabs(crDot(n, m->axis[k])) <= CR_LEVEL_UNITS * m->noise) {
      feature.axis[feature.count++] = k;
    }
  }
  return feature;
}

// Corners of a feature about a point of it.
static Polygon makePolygon(const crBoxes* m, const Feature* feature, crVec3 middle)
{
  Polygon polygon = { { middle }, 1 };
  if (feature->count > 0) {
    crVec3 e = crScale(m->half[feature->axis[0]], m->axis[feature->axis[0]]);
    polygon = (Polygon){ { crAdd(middle, e), crSub(middle, e) }, 2 };
  }
  if (feature->count > 1) {
    crVec3 f = crScale(m->half[feature->axis[1]], m->axis[feature->axis[1]]);
    crVec3 p = polygon.corner[0], q = polygon.corner[1];
    polygon = (Polygon){ { crAdd(p, f), crAdd(q, f), crSub(q, f), crSub(p, f) }, 4 };
  }
  return polygon;
}

// Keeps what has d . x <= limit.
static void clipPolygon(Polygon* polygon, crVec3 d, double limit)
{
  Polygon rest = { .count = 0 };
  int count = polygon->count;
  for (int i = 0; i < count; ++i) {
    crVec3 p = polygon->corner[i], q = polygon->corner[(i + 1) % count];
    double before = crDot(d, p) - limit, after = crDot(d, q) - limit;
    if (before <= 0.0 && rest.count < CR_MAX_CORNERS) {
      rest.corner[rest.count++] = p;
    }
    bool isCrossed = (before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0);
    if (isCrossed && (count > 2 || i == 0) && rest.count < CR_MAX_CORNERS) {
      rest.corner[rest.count++] = crMulAdd(p, before / (before - after), crSub(q, p));
    }
  }
  *polygon = rest;
}

static crVec3 meanOfCorners(const Polygon* polygon)
{
  crVec3 sum = { 0.0, 0.0, 0.0 };
  for (int i = 0; i < polygon->count; ++i) {
    sum = crAdd(sum, polygon->corner[i]);
  }
  return crScale(1.0 / polygon->count, sum);
}

// Sets the values of a feature's axes so that its point is y, seen from the feature's middle.
static void setValues(const crBoxes* m, const Feature* feature, crVec3 y, double sign, crBoxPoint* x)
{
  for (int i = 0; i < feature->count; ++i) {
    int k = feature->axis[i];
    double value = crDot(y, m->axis[k]);
    x->value[k] = sign * (value > m->half[k] ? m->half[k] : value < -m->half[k] ? -m->half[k] : value);
  }
}

static crVec3 middleOfFeature(const crBoxes* m, const Feature* feature, crVec3 n, double sign, int first, int end)
{
  crVec3 middle = { 0.0, 0.0, 0.0 };
  for (int k = first; k < end; ++k) {
    bool isAlong = (feature->count > 0 && feature->axis[0] == k) || (feature->count > 1 && feature->axis[1] == k);
    double side = crDot(n, m->axis[k]) > 0.0 ? sign : -sign;
    middle = isAlong ? middle : crMulAdd(middle, side * m->half[k], m->axis[k]);
  }
  return middle;
}

static bool isUnique(const crBoxes* m, const Feature* a, const Feature* b)
{
  if (a->count == 0 || b->count == 0) {
    return true;
  }
  if (a->count + b->count > 2) {
    return false;
  }
  crVec3 N = crCross(m->axis[a->axis[0]], m->axis[b->axis[0]]);
  return crLength(N) * fmin(m->half[a->axis[0]], m->half[b->axis[0]]) > CR_LEVEL_UNITS * m->noise;
}

CR_APART void centrePatch(const crBoxes* m, crVec3 n, double height, const Feature* a, const Feature* b, crBoxPoint* x)
{
  crVec3 middleA = middleOfFeature(m, a, n, 1.0, 0, 3);
  crVec3 middleB = crMulAdd(crAdd(m->p, middleOfFeature(m, b, n, -1.0, 3, m->count)), -height, n);
  bool isClippedByA = a->count >= b->count;
  const Feature* clip = isClippedByA ? a : b;
  crVec3 centre = isClippedByA ? middleA : middleB;
  Polygon polygon = makePolygon(m, isClippedByA ? b : a, crSub(isClippedByA ? middleB : middleA, centre));
  for (int i = 0; i < clip->count && polygon.count > 0; ++i) {
    int k = clip->axis[i];
    clipPolygon(&polygon, m->axis[k], m->half[k]);
    clipPolygon(&polygon, crNeg(m->axis[k]), m->half[k]);
  }
  if (polygon.count == 0) {
    return;
  }
  crVec3 point = crAdd(centre, meanOfCorners(&polygon));
  crBoxPoint moved = *x;
  setValues(m, a, crSub(point, middleA), -1.0, &moved);
  setValues(m, b, crSub(point, middleB), 1.0, &moved);
  crVec3 pointA = crMakeVec3(-moved.value[0], -moved.value[1], -moved.value[2]);
  crVec3 w = crMulAdd(crSub(crBoxes_PointOfB(m, &moved), pointA), -height, n);
  if (crMaxAbs(w) <= CR_MISS_UNITS * m->noise) {
    *x = moved;
  }
}

void crBoxes_CentrePatch(const crBoxes* m, const crVec3* normal, double height, crBoxPoint* x)
{
  crVec3 n = *normal;
  Feature b = findFeature(m, n, 3, m->count);
  if (b.count == 0) {
    return;
  }
  Feature a = findFeature(m, n, 0, 3);
  if (!isUnique(m, &a, &b)) {
    centrePatch(m, n, height, &a, &b, x);
  }
}
