#include "collide/area/swept.h"

#include "collide/area/cell.h"
#include "collide/area/curved_body.h"
#include "collide/area/rounded.h"

#define CR_SIDED_VERTICES 512 // of a hull

bool crIsSwept(const crShape* shape)
{
  bool isPolytope = shape->kind == cr_shapeBox || shape->kind == cr_shapeHull;
  return shape->kind == cr_shapeCapsule || crIsRounded(shape) || (isPolytope && shape->sweep > 0.0);
}

// Capsules first, then what is round and rounded. A hull would have a sharp round shape in the cells of all its faces,
// each with many planes: better that comes first, as if the rounding were its own.
static int rank(const crShape* shape, const crShape* other)
{
  bool isHull = other->kind == cr_shapeHull && other->sweep > 0.0;
  return shape->kind == cr_shapeCapsule                            ? 3
         : crIsRounded(shape) || (isHull && crIsCurvedBody(shape)) ? 2
                                                                   : crIsSwept(shape);
}

bool crSweepsFirst(const crShape* a, const crShape* b)
{
  int rankA = rank(a, b), rankB = rank(b, a);
  if (rankA != rankB) {
    return rankA > rankB;
  }
  return rankA == 3 ? a->sweep <= b->sweep : a->reach <= b->reach;
}

// Two capsules curve away from each other; other shapes are flat somewhere, and taken as such.
static double findRadius(const crShape* a, const crShape* b)
{
  if (!(a->sweep > 0.0)) {
    return b->sweep;
  }
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
  for (int i = half.x > 0.0 ? -1 : 1; i <= 1; i += 2) {
    for (int j = half.y > 0.0 ? -1 : 1; j <= 1; j += 2) {
      for (int k = half.z > 0.0 ? -1 : 1; k <= 1; k += 2) {
        crAddKnob(balls, crMakeVec3(i * half.x, j * half.y, k * half.z));
      }
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (*coordinate(&half, axis) > 0.0) {
      addBoxEdges(balls, half, axis);
    }
  }
}

// Edges of a hull are many, and most of them beyond one side of what is near, with both ends.
static void addHull(const crBalls* balls, const crHull* hull)
{
  uint8_t sides[CR_SIDED_VERTICES];
  for (int v = 0; v < hull->vertexCount && v < CR_SIDED_VERTICES; ++v) {
    sides[v] = crBalls_FindSides(balls, hull->vertices[v]);
  }
  for (int v = 0; v < hull->vertexCount; ++v) {
    if (v >= CR_SIDED_VERTICES || sides[v] == 0) {
      crAddKnob(balls, hull->vertices[v]);
    }
  }
  for (int v = 0; v < hull->vertexCount; ++v) {
    uint8_t own = v < CR_SIDED_VERTICES ? sides[v] : 0;
    for (int k = hull->neighbourStarts[v]; k < hull->neighbourStarts[v + 1]; ++k) {
      int to = hull->neighbours[k];
      if (to > v && (to >= CR_SIDED_VERTICES || (own & sides[to]) == 0)) {
        crAddRib(balls, hull->vertices[v], hull->vertices[to]);
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------- fences

// The face of the other core that the own one is farthest above. X: pose of the other core.
static crFence makeFence(const crFacing* facing, const crPose* X)
{
  crVec3 n = crMulMV(X->R, facing->core->normals[facing->first]);
  return (crFence){ n, facing->core->offsets[facing->first] + crDot(n, X->p) };
}

// ---------------------------------------------------------------------------------------------- the other

// Edges, rims and corners of a core.
static void addRibs(const crBalls* balls, const crShape* shape)
{
  switch (shape->kind) {
    case cr_shapeBox: addBox(balls, shape->core.half); break;
    case cr_shapeHull: addHull(balls, shape->core.hull); break;
    default: crAddRims(balls, shape); break;
  }
}

// The second shape as balls, on its way to the first.
typedef struct Exchanged {
  crBalls balls;       // of the second shape, in its axes
  const crPose* X_AB;  // to those of the first,
  const crShape* feet; // on whose core points count; NULL: where they are
} Exchanged;

static void placeFoot(crPatch* patch, int i, const crShape* shape, crVec3 c, crFootHold* hold)
{
  crCoreFoot foot = crComputeNextFoot(shape, c, hold);
  bool isInside = !(foot.distance > 0.0);
  crVec3 z = isInside ? c : crMulAdd(c, -foot.distance, foot.outward);
  crVec3 q = isInside || foot.extent == 0 ? crMakeVec3(0.0, 0.0, 0.0) : foot.extent == 1 ? foot.along : foot.outward;
  patch->z[0][i] = z.x;
  patch->z[1][i] = z.y;
  patch->z[2][i] = z.z;
  patch->q[0][i] = q.x;
  patch->q[1][i] = q.y;
  patch->q[2][i] = q.z;
  patch->s[i] = isInside || foot.extent == 2 ? -1.0 : 1.0;
}

static void finishExchanged(crPatch* patch, int from, int to, const void* data)
{
  const Exchanged* other = data;
  crPatch_Place(patch, from, to, other->X_AB);
  crFootHold hold = { .hull = NULL };
  for (int i = from; i < to; ++i) {
    crVec3 m = crMakeVec3(patch->m[0][i], patch->m[1][i], patch->m[2][i]);
    crVec3 c = crMulAdd(crPatch_GetPoint(patch, i), other->balls.sweep, m);
    if (other->feet != NULL) {
      placeFoot(patch, i, other->feet, c, &hold);
    } else {
      patch->z[0][i] = c.x;
      patch->z[1][i] = c.y;
      patch->z[2][i] = c.z;
    }
  }
}

// The plane through the lowest place of the first core: behind it is all of that, seen from the second.
static crDeepest turnDeepest(const crBalls* balls, const crShape* a)
{
  const crPose* X = &balls->X_AB;
  crVec3 n = balls->deepest->plane.normal;
  crDeepest turned = { .depth = balls->deepest->depth };
  if (turned.depth > 0.0) {
    turned.plane = (crFence){ crNeg(crMulTV(X->R, n)), crDot(n, crSub(X->p, crFindLowest(a, n))) };
  }
  return turned;
}

// Edges, rims and corners of the second shape, if it is swept.
// zone: of its points within reach, in axes of A; NULL: anywhere.
static void addOther(const crBalls* balls, const crShape* a, const crZone* zone, bool hasFeet)
{
  const crShape* b = balls->other;
  crPatch* patch = balls->patch;
  if (!(b->sweep > 0.0) || b->kind == cr_shapeHalfSpace) {
    return;
  }
  crFootHold hold = { .hull = NULL };
  Exchanged other = { .balls = { .sweep = b->sweep,
                                 .radius = b->sweep,
                                 .reach = balls->reach,
                                 .other = a,
                                 .X_AB = crInvertPose(balls->X_AB),
                                 .patch = patch,
                                 .hold = &hold },
                      .X_AB = &balls->X_AB,
                      .feet = hasFeet ? a : NULL };
  crDeepest deepest = turnDeepest(balls, a);
  other.balls.deepest = &deepest;
  if (zone != NULL) {
    other.balls.hasZone = true;
    other.balls.zone = crPlaceZone(zone, &other.balls.X_AB);
  }
  double before = patch->depth;
  crPatch_Hold(patch, true, hasFeet, b->sweep, finishExchanged, &other);
  addRibs(&other.balls, b);
  crPatch_Release(patch);
  if (patch->depth > before) {
    patch->deepest = crTransformPoint(balls->X_AB, patch->deepest);
    patch->deepestNormal = crMulMV(balls->X_AB.R, patch->deepestNormal);
    patch->deepestSpot = crMulAdd(patch->deepest, b->sweep, patch->deepestNormal);
    if (hasFeet) {
      crCoreFoot foot = crComputeCoreFoot(a, patch->deepestSpot);
      patch->deepestSpot = crMulAdd(patch->deepestSpot, -crMax2(foot.distance, 0.0), foot.outward);
    }
  }
}

// -------------------------------------------------------------------------------------------------- pairs

static bool hasFaces(const crShape* shape)
{
  return shape->kind == cr_shapeBox || shape->kind == cr_shapeHull || shape->kind == cr_shapeHalfSpace;
}

static void addOnGround(crBalls* balls, const crShape* a, const crPolytope* core)
{
  const crPose* X = &balls->X_AB;
  balls->hasFence = true;
  balls->fence = (crFence){ X->R.cz, crDot(X->R.cz, X->p) };
  if (crFindHeight(a, balls->fence.normal, balls->fence.offset) < balls->reach) {
    crAddFacesOnGround(balls, core);
    addRibs(balls, a);
  }
}

static void addPolytope(crBalls* balls, const crShape* a)
{
  const crShape* b = balls->other;
  crPose X_BA = crInvertPose(balls->X_AB);
  crPolytope core, other;
  crMakePolytope(a, &core);
  if (b->kind == cr_shapeHalfSpace) {
    addOnGround(balls, a, &core);
    return;
  }
  bool isPolytope = hasFaces(b);
  if (isPolytope) {
    crMakePolytope(b, &other);
    crFacing back = crMakeFacing(&other, a, &core, X_BA);
    if (back.gap >= balls->reach) {
      return;
    }
    balls->hasFence = true;
    balls->fence = makeFence(&back, &balls->X_AB);
  }
  crFacing facing = crMakeFacing(&core, b, isPolytope ? &other : NULL, balls->X_AB);
  crZone zone;
  if (facing.gap >= balls->reach || !crFindZones(&facing, balls->reach, &balls->zone, &zone)) {
    return;
  }
  balls->hasZone = true;
  balls->facing = &facing;
  crAddCells(balls, &zone);
  addRibs(balls, a);
  addOther(balls, a, &zone, true);
}

// Cylinders, cones, frusta and beams.
static void addRound(crBalls* balls, const crShape* a)
{
  const crShape* b = balls->other;
  crPolytope core;
  crZone own, *zone = NULL;
  if (hasFaces(b) && b->kind != cr_shapeHalfSpace) {
    crMakePolytope(b, &core);
    crFacing facing = crMakeFacing(&core, a, NULL, crInvertPose(balls->X_AB));
    if (facing.gap >= balls->reach || !crFindZones(&facing, balls->reach, &own, &balls->zone)) {
      return;
    }
    balls->hasZone = true;
    balls->zone = crPlaceZone(&balls->zone, &balls->X_AB);
    own = crPlaceZone(&own, &balls->X_AB);
    zone = &own;
  }
  crAddRounded(balls, a, zone);
  addOther(balls, a, zone, false);
}

void crAddSwept(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch)
{
  crFootHold hold = { .hull = NULL };
  crDeepest deepest = { .depth = 0.0 };
  crBalls balls = { .sweep = a->sweep,
                    .radius = findRadius(a, b),
                    .reach = a->sweep + b->sweep,
                    .other = b,
                    .X_AB = *X_AB,
                    .patch = patch,
                    .hold = &hold,
                    .deepest = &deepest };
  patch->share = 1.0;
  if (a->kind == cr_shapeCapsule) {
    addSegment(&balls, crMakeVec3(0.0, 0.0, a->core.zMin), crMakeVec3(0.0, 0.0, a->core.zMax));
  } else if (crIsRounded(a) || crIsCurvedBody(a)) {
    addRound(&balls, a);
  } else {
    addPolytope(&balls, a);
  }
}
