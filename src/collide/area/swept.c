#include "collide/area/swept.h"

#include "collide/area/polygon.h"
#include "collide/area/sheet.h"

bool crIsSwept(const crShape* shape)
{
  bool isRounded = shape->kind == cr_shapeBox || shape->kind == cr_shapeHull;
  return shape->kind == cr_shapeCapsule || (isRounded && shape->sweep > 0.0);
}

bool crSweepsFirst(const crShape* a, const crShape* b)
{
  bool isCapsuleA = a->kind == cr_shapeCapsule, isCapsuleB = b->kind == cr_shapeCapsule;
  if (isCapsuleA != isCapsuleB) {
    return isCapsuleA;
  }
  return isCapsuleA ? a->sweep <= b->sweep : a->reach <= b->reach;
}

// Two capsules curve away from each other; other shapes are flat somewhere, and taken as such.
static double findRadius(const crShape* a, const crShape* b)
{
  return b->kind == cr_shapeCapsule ? a->sweep * b->sweep / (a->sweep + b->sweep) : a->sweep;
}

// ------------------------------------------------------------------------------------------- polytopes

static void addSegment(const crBalls* balls, crVec3 p, crVec3 q)
{
  crAddRib(balls, p, q);
  crAddKnob(balls, p);
  crAddKnob(balls, q);
}

static double* coordinate(crVec3* v, int axis)
{
  return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

// Corners a, b, c, d of a box at +-1 along `axis`, in the order of a face's border.
static void addBoxFace(const crBalls* balls, crVec3 half, int axis, double side)
{
  static const double u[4] = { -1.0, 1.0, 1.0, -1.0 }, v[4] = { -1.0, -1.0, 1.0, 1.0 };
  int e1 = (axis + 1) % 3, e2 = (axis + 2) % 3;
  crVec3 corners[4], normal = crMakeVec3(0.0, 0.0, 0.0);
  *coordinate(&normal, axis) = 1.0;
  for (int i = 0; i < 4; ++i) {
    *coordinate(&corners[i], axis) = side * *coordinate(&half, axis);
    *coordinate(&corners[i], e1) = u[i] * *coordinate(&half, e1);
    *coordinate(&corners[i], e2) = v[i] * *coordinate(&half, e2);
  }
  crAddFacet(balls, 4, corners, normal);
}

// The four edges along an axis, fewer where the box has no width across.
static void addBoxEdges(const crBalls* balls, crVec3 half, int axis)
{
  int e1 = (axis + 1) % 3, e2 = (axis + 2) % 3;
  for (int i = *coordinate(&half, e1) > 0.0 ? -1 : 1; i <= 1; i += 2) {
    for (int k = *coordinate(&half, e2) > 0.0 ? -1 : 1; k <= 1; k += 2) {
      crVec3 p = half;
      *coordinate(&p, e1) *= i;
      *coordinate(&p, e2) *= k;
      crVec3 q = p;
      *coordinate(&q, axis) *= -1.0;
      crAddRib(balls, p, q);
    }
  }
}

// A box whose half edges may be 0.
static void addBox(const crBalls* balls, crVec3 half)
{
  for (int axis = 0; axis < 3; ++axis) {
    double h = *coordinate(&half, axis), h1 = *coordinate(&half, (axis + 1) % 3),
           h2 = *coordinate(&half, (axis + 2) % 3);
    for (int i = h > 0.0 ? -1 : 1; h1 > 0.0 && h2 > 0.0 && i <= 1; i += 2) {
      addBoxFace(balls, half, axis, i);
    }
    if (h > 0.0) {
      addBoxEdges(balls, half, axis);
    }
  }
  for (int i = half.x > 0.0 ? -1 : 1; i <= 1; i += 2) {
    for (int j = half.y > 0.0 ? -1 : 1; j <= 1; j += 2) {
      for (int k = half.z > 0.0 ? -1 : 1; k <= 1; k += 2) {
        crAddKnob(balls, crMakeVec3(i * half.x, j * half.y, k * half.z));
      }
    }
  }
}

static void addHullFace(const crBalls* balls, const crHull* hull, int face)
{
  int start = hull->faceStarts[face], end = hull->faceStarts[face + 1];
  crVec3 corners[CR_MAX_SHEET_CORNERS];
  for (int from = start + 1; from < end - 1; from += CR_MAX_SHEET_CORNERS - 2) { // a fan of parts, mostly one
    int n = 0;
    corners[n++] = hull->vertices[hull->faceVertices[start]];
    for (int k = from; k < end && n < CR_MAX_SHEET_CORNERS; ++k) {
      corners[n++] = hull->vertices[hull->faceVertices[k]];
    }
    crAddFacet(balls, n, corners, hull->normals[face]);
  }
}

static void addHull(const crBalls* balls, const crHull* hull)
{
  for (int f = 0; f < hull->faceCount; ++f) {
    addHullFace(balls, hull, f);
  }
  for (int v = 0; v < hull->vertexCount; ++v) {
    crAddKnob(balls, hull->vertices[v]);
    for (int k = hull->neighbourStarts[v]; k < hull->neighbourStarts[v + 1]; ++k) {
      if (hull->neighbours[k] > v) {
        crAddRib(balls, hull->vertices[v], hull->vertices[hull->neighbours[k]]);
      }
    }
  }
}

void crAddSwept(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch)
{
  crBalls balls = { .sweep = a->sweep,
                    .radius = findRadius(a, b),
                    .reach = a->sweep + b->sweep,
                    .other = b,
                    .X_AB = *X_AB,
                    .patch = patch };
  const crCore* core = &a->core;
  patch->share = 1.0;
  switch (a->kind) {
    case cr_shapeBox: addBox(&balls, core->half); break;
    case cr_shapeHull: addHull(&balls, core->hull); break;
    default: addSegment(&balls, crMakeVec3(0.0, 0.0, core->zMin), crMakeVec3(0.0, 0.0, core->zMax)); break;
  }
}
