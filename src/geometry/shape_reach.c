// How far a shape reaches from the origin of its frame: the radius of the ball about the origin around it.
#include "base/elementary.h"
#include "geometry/shape_kind.h"

static double reachOfHull(const crHull* hull)
{
  double square = 0.0;
  for (int i = 0; i < hull->vertexCount; ++i) {
    square = fmax(square, crLengthSquared(hull->vertices[i]));
  }
  return sqrt(square);
}

double crCore_ComputeReach(crShapeKind kind, const crCore* core)
{
  crVec3 h = core->half;
  switch (kind) {
    case cr_shapeEllipsoid: return fmax(h.x, fmax(h.y, h.z));
    case cr_shapeBox: return crLength(h);
    case cr_shapeBeam: return crHypot(h.x + h.y, h.z);
    case cr_shapeCylinder: return crHypot(core->radius, fmax(fabs(core->zMin), fabs(core->zMax)));
    case cr_shapeCone: return fmax(crHypot(core->radius, core->zMin), crHypot(core->topRadius, core->zMax));
    case cr_shapeCapsule: return fmax(fabs(core->zMin), fabs(core->zMax));
    case cr_shapeHull: return reachOfHull(core->hull);
    case cr_shapeHalfSpace: return HUGE_VAL;
    default: return 0.0; // a sphere's core is the origin
  }
}

double crShape_GetReach(const crShape* shape)
{
  return shape != NULL ? shape->reach : NAN;
}

// In S.
static int listCorners(const crShape* shape, crVec3 outCorners[CR_MAX_CORNERS])
{
  const crCore* core = &shape->core;
  switch (shape->kind) {
    case cr_shapeSphere: outCorners[0] = crMakeVec3(0.0, 0.0, 0.0); return 1;
    case cr_shapeCapsule:
      outCorners[0] = crMakeVec3(0.0, 0.0, core->zMin);
      outCorners[1] = crMakeVec3(0.0, 0.0, core->zMax);
      return 2;
    case cr_shapeBox:
      for (int i = 0; i < 8; ++i) {
        crVec3 h = core->half;
        outCorners[i] = crMakeVec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
      }
      return 8;
    case cr_shapeHull:
      for (int i = 0; i < core->hull->vertexCount && i < CR_MAX_CORNERS; ++i) {
        outCorners[i] = core->hull->vertices[i];
      }
      return core->hull->vertexCount <= CR_MAX_CORNERS ? core->hull->vertexCount : 0;
    default: return 0;
  }
}

bool crShape_HasCorners(const crShape* shape)
{
  return shape->kind == cr_shapeSphere || shape->kind == cr_shapeCapsule || shape->kind == cr_shapeBox ||
         (shape->kind == cr_shapeHull && shape->core.hull->vertexCount <= CR_MAX_CORNERS);
}

int crShape_ListCorners(const crShape* shape, crVec3 outCorners[CR_MAX_CORNERS])
{
  int count = listCorners(shape, outCorners);
  for (int i = 0; i < count && shape->isTurned; ++i) {
    outCorners[i] = crMulMV(shape->R_FS, outCorners[i]);
  }
  return count;
}
