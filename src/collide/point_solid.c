// A point and a sphere, capsule, box, cylinder, cone or beam.
//
// The signed distance of a point x from a convex solid: outside, to its nearest point; inside, to the nearest
// of its faces, negative. A box falls apart into its three axes. A solid of revolution is its meridian, in the
// half-plane of radius rho and height z: a trapezium with the corners (0, zMin), (radius, zMin), (topRadius, zMax)
// and (0, zMax), the axis being no side of it. A beam is one too, with rho the distance from its middle segment.
#include "collide/point_solid.h"

static double beyond(double x, double half)
{
  return x > half ? x - half : x < -half ? x + half : 0.0;
}

// ---------------------------------------------------------------------------------- point and segment

static crPointFoot footOnPoint(crVec3 x)
{
  crVec3 n = crNormalize(x);
  bool isCoincident = !(crMaxAbs(n) > 0.0);
  n = isCoincident ? crMakeVec3(0.0, 0.0, -1.0) : n;
  return (crPointFoot){ crDot(n, x), n };
}

// On the segment any direction across it is as good as any other.
static crPointFoot footOnSegment(const crCore* core, crVec3 x)
{
  crVec3 v = crMakeVec3(x.x, x.y, beyond(x.z, core->zMax));
  double distance = crLength(v);
  return (crPointFoot){ distance, distance > 0.0 ? crNormalize(v) : crMakeVec3(1.0, 0.0, 0.0) };
}

// ---------------------------------------------------------------------------------------------- box

static crVec3 nearestFaceNormal(crVec3 x, crVec3 gap)
{
  if (gap.x <= gap.y && gap.x <= gap.z) {
    return crMakeVec3(x.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
  }
  return gap.y <= gap.z ? crMakeVec3(0.0, x.y < 0.0 ? -1.0 : 1.0, 0.0) : crMakeVec3(0.0, 0.0, x.z < 0.0 ? -1.0 : 1.0);
}

static crPointFoot footOnBox(const crCore* core, crVec3 x)
{
  crVec3 half = core->half;
  crVec3 v = crMakeVec3(beyond(x.x, half.x), beyond(x.y, half.y), beyond(x.z, half.z));
  double square = crLengthSquared(v);
  if (square > 0.0) {
    double distance = sqrt(square);
    return (crPointFoot){ distance, crMakeVec3(v.x / distance, v.y / distance, v.z / distance) };
  }
  crVec3 gap = crSub(half, crAbsVec3(x)); // to the nearer face of each axis
  double depth = gap.x < gap.y ? gap.x : gap.y;
  return (crPointFoot){ -(depth < gap.z ? depth : gap.z), nearestFaceNormal(x, gap) };
}

// ----------------------------------------------------------------------------------------- meridian

// Nearest point of a meridian: signed distance, and the outward unit normal along rho and z.
typedef struct Foot {
  double distance, radial, axial;
} Foot;

static Foot footOnCorner(double rho, double z)
{
  double length = sqrt(rho * rho + z * z);
  return length > 0.0 ? (Foot){ length, rho / length, z / length } : (Foot){ 0.0, 1.0, 0.0 };
}

static Foot findFoot(double radius, double topRadius, double zMin, double zMax, double rho, double z)
{
  double below = zMin - z, above = z - zMax;
  double slant = topRadius - radius, height = zMax - zMin, side = 1.0 / sqrt(slant * slant + height * height);
  double radial = height * side, axial = -slant * side;
  double beside = (rho - radius) * radial - below * axial;
  if (below <= 0.0 && above <= 0.0 && beside <= 0.0) {
    if (beside >= below && beside >= above) {
      return (Foot){ beside, radial, axial };
    }
    return above >= below ? (Foot){ above, 0.0, 1.0 } : (Foot){ below, 0.0, -1.0 };
  }
  if (below > 0.0 && rho <= radius) {
    return (Foot){ below, 0.0, -1.0 };
  }
  if (above > 0.0 && rho <= topRadius) {
    return (Foot){ above, 0.0, 1.0 };
  }
  // along the slanted side, from the base
  if (!((rho - radius) * slant - below * height > 0.0)) {
    return footOnCorner(rho - radius, -below);
  }
  if (!((topRadius - rho) * slant - above * height > 0.0)) {
    return footOnCorner(rho - topRadius, above);
  }
  return (Foot){ beside, radial, axial };
}

// (x, y): from the axis to the point.
static crPointFoot turnFoot(Foot foot, double x, double y, double rho, crVec3 onAxis)
{
  crVec3 radial = rho > 0.0 ? crMakeVec3(x / rho, y / rho, 0.0) : onAxis;
  return (crPointFoot){ foot.distance, crMakeVec3(foot.radial * radial.x, foot.radial * radial.y, foot.axial) };
}

static crPointFoot footOnRevolved(const crCore* core, double topRadius, crVec3 x)
{
  double rho = sqrt(x.x * x.x + x.y * x.y);
  Foot foot = findFoot(core->radius, topRadius, core->zMin, core->zMax, rho, x.z);
  return turnFoot(foot, x.x, x.y, rho, crMakeVec3(1.0, 0.0, 0.0));
}

static crPointFoot footOnBeam(const crCore* core, crVec3 x)
{
  crVec3 half = core->half;
  double along = beyond(x.x, half.x), rho = sqrt(along * along + x.y * x.y);
  Foot foot = findFoot(half.y, half.y, -half.z, half.z, rho, x.z);
  return turnFoot(foot, along, x.y, rho, crMakeVec3(0.0, 1.0, 0.0));
}

// ------------------------------------------------------------------------------------------- choice

crPointFoot crComputePointFoot(const crShape* shape, crVec3 x, double enough)
{
  const crCore* core = &shape->core;
  switch (shape->kind) {
    case cr_shapeCapsule: return footOnSegment(core, x);
    case cr_shapeBox: return footOnBox(core, x);
    case cr_shapeCylinder: return footOnRevolved(core, core->radius, x);
    case cr_shapeCone: return footOnRevolved(core, core->topRadius, x);
    case cr_shapeBeam: return footOnBeam(core, x);
    case cr_shapeHalfSpace: return (crPointFoot){ x.z, crMakeVec3(0.0, 0.0, 1.0) };
    case cr_shapeHull: return crComputePointHullFoot(core->hull, x, enough);
    default: return footOnPoint(x);
  }
}
