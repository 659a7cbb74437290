// Whether a flat face of M holds the foot of the origin on its plane.
//
// The face of M below the normal n is reached by its extreme points: the support along n, turned by a little towards u,
// is the point of the face that is farthest along u. So the search for the foot is one for the nearest point in the
// plane, like that of nearest.c in space: the simplex is a point, an edge or a triangle around the foot.
#include "collide/distance/difference.h"

#define CR_MAX_FOOT_STEPS 24
#define CR_FOOT_TILT                                                                                                   \
  1e-7 // [rad] so small that the face stays in front, so large that a rim point is found in its place

typedef struct Corner {
  crVertex v;
  double x, y; // in the plane, from the foot
} Corner;

typedef struct Plane {
  crVec3 n, t1, t2;
  double g;
  Corner corner[3];
  int count;
  double weight[3];
} Plane;

static Corner makeCorner(const Plane* plane, const crVertex* v)
{
  Corner corner = { *v, crDot(v->w, plane->t1), crDot(v->w, plane->t2) };
  return corner;
}

// Twice the area of the triangle (foot, p, q).
static double areaOf(const Corner* p, const Corner* q)
{
  return p->x * q->y - p->y * q->x;
}

// The nearest point of the edge ij; true when it is nearer than the best so far. Then weights and direction are its.
static bool tryEdge(Plane* plane, int i, int j, double* best, double* outX, double* outY)
{
  const Corner *p = &plane->corner[i], *q = &plane->corner[j];
  double ex = q->x - p->x, ey = q->y - p->y, square = ex * ex + ey * ey;
  double t = square > 0.0 ? -(p->x * ex + p->y * ey) / square : 0.0;
  t = crMax(0.0, crMin(1.0, t));
  double x = p->x + t * ex, y = p->y + t * ey;
  if (!(x * x + y * y < *best)) {
    return false;
  }
  *best = x * x + y * y;
  *outX = x;
  *outY = y;
  for (int k = 0; k < 3; ++k) {
    plane->weight[k] = k == i ? 1.0 - t : k == j ? t : 0.0;
  }
  return true;
}

// The nearest point of the corners to the foot; false when it is the foot itself, between three.
static bool findOutside(Plane* plane, double* outX, double* outY)
{
  double best = HUGE_VAL;
  if (plane->count == 3) {
    Corner* c = plane->corner;
    double area[3] = { areaOf(&c[1], &c[2]), areaOf(&c[2], &c[0]), areaOf(&c[0], &c[1]) };
    double sum = area[0] + area[1] + area[2];
    if (sum != 0.0 && area[0] / sum >= 0.0 && area[1] / sum >= 0.0 && area[2] / sum >= 0.0) {
      for (int k = 0; k < 3; ++k) {
        plane->weight[k] = area[k] / sum;
      }
      return false;
    }
  }
  for (int i = 0; i < plane->count; ++i) {
    for (int j = i; j < plane->count; ++j) {
      tryEdge(plane, i, j, &best, outX, outY);
    }
  }
  return true;
}

// Drops the corners without weight.
static void dropCorners(Plane* plane)
{
  int kept = 0;
  for (int i = 0; i < plane->count; ++i) {
    if (plane->weight[i] > 0.0) {
      plane->corner[kept] = plane->corner[i];
      plane->weight[kept++] = plane->weight[i];
    }
  }
  plane->count = kept;
}

static bool isInPlane(const crDifference* m, const Plane* plane, const crVertex* v)
{
  return crDot(plane->n, v->w) - plane->g <= m->tight;
}

static void setFoot(const Plane* plane, crBounds* bounds)
{
  for (int i = 0; i < plane->count; ++i) {
    bounds->active[i] = plane->corner[i].v;
  }
  bounds->activeCount = plane->count;
  crSetWitness(bounds->active, plane->weight, plane->count, bounds);
  bounds->upper = crLength(crSub(bounds->b, bounds->a));
  bounds->isSettled = true;
  bounds->isSharp = true;
}

bool crFindFoot(crDifference* m, crBounds* bounds)
{
  Plane plane = { .n = bounds->n, .g = bounds->lower };
  plane.t1 = crAnyPerpendicular(plane.n);
  plane.t2 = crCross(plane.n, plane.t1);
  crVertex first = crDifference_FindSupport(m, plane.n);
  plane.corner[0] = makeCorner(&plane, &first);
  plane.count = 1;
  for (int step = 0; step < CR_MAX_FOOT_STEPS; ++step) {
    double x = 0.0, y = 0.0;
    bool isOutside = findOutside(&plane, &x, &y);
    dropCorners(&plane);
    double length = sqrt(x * x + y * y);
    if (!isOutside || length <= m->aligned) {
      setFoot(&plane, bounds);
      return true;
    }
    // least n . w first, then farthest from the nearest point towards the foot
    crVec3 towards = crMulAdd(crScale(x / length, plane.t1), y / length, plane.t2);
    crVertex next = crDifference_FindSupport(m, crUnit(crMulAdd(plane.n, CR_FOOT_TILT, towards)));
    Corner corner = makeCorner(&plane, &next);
    if (!isInPlane(m, &plane, &next) || !((corner.x - x) * x + (corner.y - y) * y < 0.0)) {
      return false;
    }
    plane.corner[plane.count++] = corner;
  }
  return false;
}
