// Spheres against spheres, capsules, boxes, cylinders, cones and beams: the core of a sphere is a point.
//
// The signed distance of a point x from a convex solid: outside, to its nearest point; inside, to the nearest
// of its faces, negative. A box falls apart into its three axes. A solid of revolution is its meridian, in the
// half-plane of radius rho and height z: a trapezium with the corners (0, zMin), (radius, zMin), (topRadius, zMax)
// and (0, zMax), the axis being no side of it. A beam is one too, with rho the distance from its middle segment.
#include "collide/pair.h"

// What a pair has in S_B: the sphere's centre.
static crVec3 placePoint(const crQuery* query)
{
  return crNeg(crMulTV(query->X_AB.R, query->X_AB.p));
}

// Of the outward unit normal of B at the point nearest to the sphere's centre, in S_B.
static void answerPoint(const crQuery* query, double distance, crVec3 outward, crDistance* out)
{
  crVec3 n = crNeg(crMulMV(query->X_AB.R, outward));
  crSetExact(query, distance, n, crMakeVec3(0.0, 0.0, 0.0), crScale(distance, n), out);
}

static double beyond(double x, double half)
{
  return x > half ? x - half : x < -half ? x + half : 0.0;
}

// ---------------------------------------------------------------------------------- point and segment

void crComputeTwoPointsPair(const crQuery* query, crDistance* out)
{
  crVec3 p = query->X_AB.p, n = crNormalize(p);
  bool isCoincident = !(crMaxAbs(n) > 0.0);
  n = isCoincident ? crMakeVec3(0.0, 0.0, 1.0) : n;
  crSetExact(query, crDot(n, p), n, crMakeVec3(0.0, 0.0, 0.0), p, out);
}

// On the segment any direction across it is as good as any other.
void crComputePointSegmentPair(const crQuery* query, crDistance* out)
{
  crVec3 x = placePoint(query), v = crMakeVec3(x.x, x.y, beyond(x.z, query->b->core.zMax));
  double distance = crLength(v);
  answerPoint(query, distance, distance > 0.0 ? crNormalize(v) : crMakeVec3(1.0, 0.0, 0.0), out);
}

// ---------------------------------------------------------------------------------------------- box

static crVec3 nearestFaceNormal(crVec3 x, crVec3 gap)
{
  if (gap.x <= gap.y && gap.x <= gap.z) {
    return crMakeVec3(x.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
  }
  return gap.y <= gap.z ? crMakeVec3(0.0, x.y < 0.0 ? -1.0 : 1.0, 0.0) : crMakeVec3(0.0, 0.0, x.z < 0.0 ? -1.0 : 1.0);
}

void crComputePointBoxPair(const crQuery* query, crDistance* out)
{
  crVec3 half = query->b->core.half, x = placePoint(query);
  crVec3 v = crMakeVec3(beyond(x.x, half.x), beyond(x.y, half.y), beyond(x.z, half.z));
  double square = crLengthSquared(v);
  if (square > 0.0) {
    answerPoint(query, sqrt(square), crNormalize(v), out);
    return;
  }
  crVec3 gap = crSub(half, crAbsVec3(x)); // to the nearer face of each axis
  crVec3 outward = nearestFaceNormal(x, gap);
  double depth = gap.x < gap.y ? gap.x : gap.y;
  answerPoint(query, -(depth < gap.z ? depth : gap.z), outward, out);
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
static void answerMeridian(const crQuery* query, Foot foot, double x, double y, double rho, crVec3 onAxis,
                           crDistance* out)
{
  crVec3 radial = rho > 0.0 ? crMakeVec3(x / rho, y / rho, 0.0) : onAxis;
  crVec3 outward = crMakeVec3(foot.radial * radial.x, foot.radial * radial.y, foot.axial);
  answerPoint(query, foot.distance, outward, out);
}

static void computeRevolved(const crQuery* query, double topRadius, crDistance* out)
{
  const crCore* core = &query->b->core;
  crVec3 x = placePoint(query);
  double rho = sqrt(x.x * x.x + x.y * x.y);
  Foot foot = findFoot(core->radius, topRadius, core->zMin, core->zMax, rho, x.z);
  answerMeridian(query, foot, x.x, x.y, rho, crMakeVec3(1.0, 0.0, 0.0), out);
}

void crComputePointCylinderPair(const crQuery* query, crDistance* out)
{
  computeRevolved(query, query->b->core.radius, out);
}

void crComputePointConePair(const crQuery* query, crDistance* out)
{
  computeRevolved(query, query->b->core.topRadius, out);
}

void crComputePointBeamPair(const crQuery* query, crDistance* out)
{
  crVec3 half = query->b->core.half, x = placePoint(query);
  double along = beyond(x.x, half.x), rho = sqrt(along * along + x.y * x.y);
  Foot foot = findFoot(half.y, half.y, -half.z, half.z, rho, x.z);
  answerMeridian(query, foot, along, x.y, rho, crMakeVec3(0.0, 1.0, 0.0), out);
}
