#include "collide/area/swept.h"

#include "collide/area/cell.h"
#include "collide/area/rounded.h"

bool crIsSwept(const crShape* shape)
{
  bool isPolytope = shape->kind == cr_shapeBox || shape->kind == cr_shapeHull;
  return shape->kind == cr_shapeCapsule || crIsRounded(shape) || (isPolytope && shape->sweep > 0.0);
}

// Capsules first, then what is round.
static int rank(const crShape* shape)
{
  return shape->kind == cr_shapeCapsule ? 2 : crIsRounded(shape) ? 1 : 0;
}

bool crSweepsFirst(const crShape* a, const crShape* b)
{
  int rankA = rank(a), rankB = rank(b);
  if (rankA != rankB) {
    return rankA > rankB;
  }
  return rankA == 2 ? a->sweep <= b->sweep : a->reach <= b->reach;
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

// Edges and corners of a box whose half edges may be 0.
static void addBox(const crBalls* balls, crVec3 half)
{
  for (int axis = 0; axis < 3; ++axis) {
    if (*coordinate(&half, axis) > 0.0) {
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

static void addHull(const crBalls* balls, const crHull* hull)
{
  for (int v = 0; v < hull->vertexCount; ++v) {
    crAddKnob(balls, hull->vertices[v]);
    for (int k = hull->neighbourStarts[v]; k < hull->neighbourStarts[v + 1]; ++k) {
      if (hull->neighbours[k] > v) {
        crAddRib(balls, hull->vertices[v], hull->vertices[hull->neighbours[k]]);
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------- fences

static void addFence(crBalls* balls, crVec3 normal, double offset)
{
  balls->fences[balls->fenceCount++] = (crFence){ normal, offset };
}

// The face of the first core that the second is farthest above. Returns that height.
static double fenceOwn(crBalls* balls, const crPolytope* core)
{
  const crPose* X = &balls->X_AB;
  int first = 0;
  double most = -HUGE_VAL;
  for (int f = 0; f < core->faceCount; ++f) {
    crVec3 n = core->normals[f];
    double height = crFindHeight(balls->other, crMulTV(X->R, n), core->offsets[f] - crDot(n, X->p));
    first = height > most ? f : first;
    most = crMax2(most, height);
  }
  balls->first = first;
  balls->gap = most;
  addFence(balls, crNeg(core->normals[first]), -core->offsets[first] - most);
  return most;
}

// Likewise, the face of the second that the first is farthest above.
static double fenceOther(crBalls* balls, const crShape* a)
{
  const crPose* X = &balls->X_AB;
  crPolytope core;
  crMakePolytope(balls->other, &core);
  int first = 0;
  double most = -HUGE_VAL;
  for (int f = 0; f < core.faceCount; ++f) {
    crVec3 n = crMulMV(X->R, core.normals[f]);
    double height = crFindHeight(a, n, core.offsets[f] + crDot(n, X->p));
    first = height > most ? f : first;
    most = crMax2(most, height);
  }
  crVec3 n = crMulMV(X->R, core.normals[first]);
  addFence(balls, n, core.offsets[first] + crDot(n, X->p));
  return most;
}

// -------------------------------------------------------------------------------------------------- pairs

static void addPolytope(crBalls* balls, const crShape* a)
{
  bool isOnGround = balls->other->kind == cr_shapeHalfSpace;
  bool hasFaces = balls->other->kind == cr_shapeBox || balls->other->kind == cr_shapeHull || isOnGround;
  crPolytope core;
  crMakePolytope(a, &core);
  if ((hasFaces && fenceOther(balls, a) >= balls->reach) || (!isOnGround && fenceOwn(balls, &core) >= balls->reach)) {
    return;
  }
  if (isOnGround) {
    crAddFacesOnGround(balls, &core);
  } else {
    crAddCells(balls, &core);
  }
  if (a->kind == cr_shapeBox) {
    addBox(balls, a->core.half);
  } else {
    addHull(balls, a->core.hull);
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
  patch->share = 1.0;
  if (a->kind == cr_shapeCapsule) {
    addSegment(&balls, crMakeVec3(0.0, 0.0, a->core.zMin), crMakeVec3(0.0, 0.0, a->core.zMax));
  } else if (crIsRounded(a)) {
    crAddRounded(&balls, a);
  } else {
    addPolytope(&balls, a);
  }
}
