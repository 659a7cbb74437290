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
    case cr_shapeRevolved: return core->topRadius;
    case cr_shapeExtruded:
    case cr_shapeHeightField: return core->zMax;
    default: return 0.0; // a sphere's core is the origin
  }
}

double crShape_GetReach(const crShape* shape)
{
  return shape != NULL ? shape->reach : NAN;
}
