// Planes along a stretch of time, and the gaps that they leave; see the header.
#include "island/path_bound.h"
#include "island/motion_bound.h"

#include <float.h>

#define CR_PATH_PIECES 48   // of a stretch, that are looked at
#define CR_PATH_HALVINGS 12 // of a stretch, down to the smallest of them
#define CR_PATH_NOISE 16.0  // [-] roundings of lengths that add up to a gap
#define CR_FLAT_RIM 0.02    // [-] sine of the angle to a face, below which its rim is no ball
#define CR_LEAST_COSINE 0.5 // [-] of the angle that a plane turns by
#define CR_LAST_PLACE (CR_PATH_PLACES - 1)

// n at all places, and its rates at the first and the last.
typedef struct Plane {
  crVec3 n[CR_PATH_PLACES];
  crVec3 rates[2]; // [1/s]
} Plane;

// g = c + a . x + b . y, for points x and y of the cores, in S of each.
typedef struct Gap {
  double c;
  crVec3 m[2]; // a and b
} Gap;

// In Bernstein's form.
typedef struct Cubic {
  Gap k[4];
} Cubic;

// A shape as a plane sees it: its core, or two balls about its axis instead.
typedef struct Seen {
  const crShape* shape;
  crPose X_BS;
  bool hasRims;
  double z[2], radius[2]; // [m] of the balls
  double lever;           // [m] of points that are multiplied with a or b
} Seen;

typedef struct Sight {
  Seen seen[2];
  double limit; // [m] of g, above which the distance is above the floor
  int left;     // pieces that may be looked at
} Sight;

// ------------------------------------------------------------------------------------------------- planes

// `in` (0: A, 1: B) carries the plane. That of a half-space is its own.
static Plane makeCarried(const crPath* path, const Seen seen[2], int in, crVec3 n)
{
  Plane plane;
  bool isHalfSpace = seen[in].shape->kind == cr_shapeHalfSpace;
  crVec3 own = isHalfSpace ? crScale(in == 0 ? 1.0 : -1.0, seen[in].X_BS.R.cz) : crMulTV(path->places[0][in].X.R, n);
  for (int i = 0; i < CR_PATH_PLACES; ++i) {
    plane.n[i] = crMulMV(path->places[i][in].X.R, own);
  }
  plane.rates[0] = crCross(path->places[0][in].w, plane.n[0]);
  plane.rates[1] = crCross(path->places[CR_LAST_PLACE][in].w, plane.n[CR_LAST_PLACE]);
  return plane;
}

// n along n0 + s (n1 - n0), s = 0 ... 1.
static Plane makeTurning(const crPath* path, crVec3 n0, crVec3 n1)
{
  Plane plane;
  crVec3 way = crSub(n1, n0);
  for (int i = 0; i < CR_PATH_PLACES; ++i) {
    plane.n[i] = crNormalize(crMulAdd(n0, (double)i / CR_LAST_PLACE, way));
  }
  plane.rates[0] = crScale(1.0 / path->h, crMulAdd(way, -crDot(way, plane.n[0]), plane.n[0]));
  plane.rates[1] = crScale(1.0 / path->h, crMulAdd(way, -crDot(way, plane.n[CR_LAST_PLACE]), plane.n[CR_LAST_PLACE]));
  return plane;
}

// --------------------------------------------------------------------------------------------------- gaps

static Gap addScaled(Gap a, double s, Gap b)
{
  return (Gap){ a.c + s * b.c, { crMulAdd(a.m[0], s, b.m[0]), crMulAdd(a.m[1], s, b.m[1]) } };
}

static Gap middle(Gap a, Gap b)
{
  return (Gap){ 0.5 * (a.c + b.c), { crScale(0.5, crAdd(a.m[0], b.m[0])), crScale(0.5, crAdd(a.m[1], b.m[1])) } };
}

static Gap findGap(const crBodyPlace places[2], const Seen seen[2], crVec3 n)
{
  Gap gap = { .c = 0.0 };
  crVec3 origins[2];
  for (int i = 0; i < 2; ++i) {
    const crPose *X = &places[i].X, *X_BS = &seen[i].X_BS;
    origins[i] = crTransformPoint(*X, X_BS->p);
    gap.m[i] = crMulTV(X_BS->R, crMulTV(X->R, i == 0 ? crNeg(n) : n));
  }
  gap.c = crDot(n, crSub(origins[1], origins[0]));
  return gap;
}

static Gap findRate(const crBodyPlace places[2], const Seen seen[2], crVec3 n, crVec3 turn)
{
  Gap rate = { .c = 0.0 };
  crVec3 origins[2], speeds[2];
  for (int i = 0; i < 2; ++i) {
    const crPose *X = &places[i].X, *X_BS = &seen[i].X_BS;
    crVec3 arm = crMulMV(X->R, X_BS->p), own = crSub(turn, crCross(places[i].w, n)); // of n in axes of the body
    origins[i] = crAdd(X->p, arm);
    speeds[i] = crAdd(places[i].v, crCross(places[i].w, arm));
    rate.m[i] = crMulTV(X_BS->R, crMulTV(X->R, i == 0 ? crNeg(own) : own));
  }
  rate.c = crDot(turn, crSub(origins[1], origins[0])) + crDot(n, crSub(speeds[1], speeds[0]));
  return rate;
}

static Cubic makeCubic(const crPath* path, const Seen seen[2], const Plane* plane)
{
  const crBodyPlace *start = path->places[0], *end = path->places[CR_LAST_PLACE];
  crVec3 n0 = plane->n[0], n1 = plane->n[CR_LAST_PLACE];
  Cubic cubic;
  cubic.k[0] = findGap(start, seen, n0);
  cubic.k[1] = addScaled(cubic.k[0], path->h / 3.0, findRate(start, seen, n0, plane->rates[0]));
  cubic.k[3] = findGap(end, seen, n1);
  cubic.k[2] = addScaled(cubic.k[3], -path->h / 3.0, findRate(end, seen, n1, plane->rates[1]));
  return cubic;
}

static Gap evaluate(const Cubic* cubic, double s)
{
  double r = 1.0 - s;
  const double weights[4] = { r * r * r, 3.0 * r * r * s, 3.0 * r * s * s, s * s * s };
  Gap sum = { .c = 0.0 };
  for (int i = 0; i < 4; ++i) {
    sum = addScaled(sum, weights[i], cubic->k[i]);
  }
  return sum;
}

static void halve(const Cubic* cubic, Cubic* outLeft, Cubic* outRight)
{
  const Gap* k = cubic->k;
  Gap a = middle(k[0], k[1]), b = middle(k[1], k[2]), c = middle(k[2], k[3]);
  Gap ab = middle(a, b), bc = middle(b, c), all = middle(ab, bc);
  *outLeft = (Cubic){ { k[0], a, ab, all } };
  *outRight = (Cubic){ { all, bc, c, k[3] } };
}

// [m] How far m . x may be off.
static double spread(const Seen* seen, crVec3 off)
{
  return (seen->hasRims ? fabs(off.z) : crLength(off)) * seen->lever;
}

// [m] How far g may be off the cubic: CR_DEVIATION times what is seen at the places in between. The largest of it
// is 1.4 times that where an acceleration jumps in between, and 1.3 times for random polynomials of degree 7.
static double findError(const crPath* path, const Seen seen[2], const Plane* plane, const Cubic* cubic)
{
  double most = 0.0;
  for (int i = 1; i < CR_LAST_PLACE; ++i) {
    Gap off = addScaled(findGap(path->places[i], seen, plane->n[i]), -1.0, evaluate(cubic, (double)i / CR_LAST_PLACE));
    most = fmax(most, fabs(off.c) + spread(&seen[0], off.m[0]) + spread(&seen[1], off.m[1]));
  }
  double size = fabs(cubic->k[0].c) + seen[0].lever + seen[1].lever;
  return CR_DEVIATION * most + CR_PATH_NOISE * DBL_EPSILON * size;
}

// ------------------------------------------------------------------------------------------------- shapes

static Seen makeSeen(const crModel* model, int shape)
{
  const crShape* s = &model->shapes[shape];
  Seen seen = { .shape = s, .X_BS = model->contactShapes[shape].X_BS };
  seen.X_BS.R = s->isTurned ? crMulMM(seen.X_BS.R, s->R_FS) : seen.X_BS.R;
  seen.lever = s->kind == cr_shapeHalfSpace ? 0.0 : s->reach; // its plane stays
  return seen;
}

// m: a or b at the start. A ball at z + r m.z / m.xy with radius r / m.xy, m.xy being the length across the axis, has
// the rim on it, and the same lowest m . x.
static void makeRims(Seen* seen, crVec3 m)
{
  const crCore* core = &seen->shape->core;
  crShapeKind kind = seen->shape->kind;
  double across = sqrt(m.x * m.x + m.y * m.y);
  seen->hasRims = (kind == cr_shapeCylinder || kind == cr_shapeCone) && across > CR_FLAT_RIM;
  for (int i = 0; i < 2 && seen->hasRims; ++i) {
    double radius = i == 1 && kind == cr_shapeCone ? core->topRadius : core->radius;
    seen->radius[i] = radius / across;
    seen->z[i] = (i == 1 ? core->zMax : core->zMin) + radius * m.z / across;
    seen->lever = fmax(seen->lever, fabs(seen->z[i]));
  }
}

static double findLowest(const Seen* seen, crVec3 m)
{
  if (seen->hasRims) {
    return fmin(m.z * seen->z[0] - seen->radius[0], m.z * seen->z[1] - seen->radius[1]);
  }
  return crDot(m, crCore_ComputeSupport(seen->shape->kind, &seen->shape->core, crNeg(m)));
}

// ---------------------------------------------------------------------------------------------- stretches

static double findLowestGap(const Sight* sight, const Gap* gap)
{
  return gap->c + findLowest(&sight->seen[0], gap->m[0]) + findLowest(&sight->seen[1], gap->m[1]);
}

static bool isAbove(Sight* sight, const Cubic* cubic)
{
  --sight->left;
  bool isAbove = true;
  for (int k = 0; k < 4 && isAbove; ++k) {
    isAbove = findLowestGap(sight, &cubic->k[k]) > sight->limit;
  }
  return isAbove;
}

// From `start` on, of a piece of length h; 0 ... 1 is the whole stretch.
static double findEnd(Sight* sight, const Cubic* cubic, double start, double h, int halvings)
{
  if (isAbove(sight, cubic)) {
    return start + h;
  }
  if (halvings == 0 || sight->left <= 0) {
    return start;
  }
  Cubic left, right;
  halve(cubic, &left, &right);
  double end = findEnd(sight, &left, start, 0.5 * h, halvings - 1), half = start + 0.5 * h;
  return end < half || sight->left <= 0 ? end : findEnd(sight, &right, half, 0.5 * h, halvings - 1);
}

static double findReach(const crPath* path, const Seen seen[2], const Plane* plane, double floor)
{
  Cubic cubic = makeCubic(path, seen, plane);
  Sight sight = { .seen = { seen[0], seen[1] },
                  .limit = floor + seen[0].shape->sweep + seen[1].shape->sweep,
                  .left = CR_PATH_PIECES };
  makeRims(&sight.seen[0], cubic.k[0].m[0]);
  makeRims(&sight.seen[1], cubic.k[0].m[1]);
  if (!(findLowestGap(&sight, &cubic.k[0]) > sight.limit)) {
    return 0.0;
  }
  sight.limit += findError(path, sight.seen, plane, &cubic);
  return findEnd(&sight, &cubic, 0.0, 1.0, CR_PATH_HALVINGS);
}

static bool isConvex(const crShape* shape)
{
  return shape->kind != cr_shapeMesh && !crIsSurface(shape);
}

bool crIsConvexPair(const crModel* model, int shapeA, int shapeB)
{
  return isConvex(&model->shapes[shapeA]) && isConvex(&model->shapes[shapeB]);
}

static bool hasKind(const Seen seen[2], crShapeKind kind)
{
  return seen[0].shape->kind == kind || seen[1].shape->kind == kind;
}

double crPath_FindCarried(const crPath* path, crVec3 n, double floor)
{
  Seen seen[2] = { makeSeen(path->model, path->shapes[0]), makeSeen(path->model, path->shapes[1]) };
  double reach = 0.0;
  for (int in = 0; in < 2 && reach < 1.0 && isConvex(seen[0].shape) && isConvex(seen[1].shape); ++in) {
    if (seen[1 - in].shape->kind != cr_shapeHalfSpace) {
      Plane plane = makeCarried(path, seen, in, n);
      reach = fmax(reach, findReach(path, seen, &plane, floor));
    }
  }
  return reach;
}

double crPath_FindTurning(const crPath* path, crVec3 n0, crVec3 n1, double floor)
{
  Seen seen[2] = { makeSeen(path->model, path->shapes[0]), makeSeen(path->model, path->shapes[1]) };
  if (!isConvex(seen[0].shape) || !isConvex(seen[1].shape) || hasKind(seen, cr_shapeHalfSpace) ||
      !(crDot(n0, n1) > CR_LEAST_COSINE)) {
    return 0.0;
  }
  Plane plane = makeTurning(path, n0, n1);
  return findReach(path, seen, &plane, floor);
}
