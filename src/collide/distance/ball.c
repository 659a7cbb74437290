// Balls against shapes: the core of a ball is a point.
//
// The signed distance of a point x from a convex solid: outside, to its nearest point; inside, to the nearest
// of its faces, negative. A box falls apart into its three axes. A solid of revolution is its meridian, in the
// half-plane of radius rho and height z: a trapezium with the corners (0, zMin), (radius, zMin), (topRadius, zMax)
// and (0, zMax), the axis being no side of it. A beam is one too, with rho the distance from its middle segment.
// Ellipsoids: point_ellipsoid.h.
#include "collide/distance/ball.h"

#include "collide/distance/pair.h"
#include "collide/distance/point_ellipsoid.h"
#include "collide/distance/point_solid.h"
#include "collide/distance/surface.h"

CR_INLINE double beyond(double x, double half)
{
  return x > half ? x - half : x < -half ? x + half : 0.0;
}

// At the end of v, seen from its start; `zero`: any normal, for a v without direction.
CR_INLINE crPointFoot footAlong(crVec3 v, crVec3 zero)
{
  double square = crLengthSquared(v);
  if (square > CR_LEAST_SQUARE) {
    double length = sqrt(square);
    return (crPointFoot){ length, crMakeVec3(v.x / length, v.y / length, v.z / length) };
  }
  crVec3 n = crNormalize(v);
  return crMaxAbs(n) > 0.0 ? (crPointFoot){ crDot(n, v), n } : (crPointFoot){ 0.0, zero };
}

// ------------------------------------------------------------------------- point, segment, half-space

CR_INLINE crPointFoot footOnPoint(crVec3 x)
{
  return footAlong(x, crMakeVec3(0.0, 0.0, -1.0));
}

// On the segment any direction across it is as good as any other.
CR_INLINE crPointFoot footOnSegment(const crCore* core, crVec3 x)
{
  return footAlong(crMakeVec3(x.x, x.y, beyond(x.z, core->zMax)), crMakeVec3(1.0, 0.0, 0.0));
}

CR_INLINE crPointFoot footOnPlane(crVec3 x)
{
  return (crPointFoot){ x.z, crMakeVec3(0.0, 0.0, 1.0) };
}

// ---------------------------------------------------------------------------------------------- box

// gap: from the point inside to the nearer face of each axis.
CR_INLINE crPointFoot footFromInside(crVec3 x, crVec3 gap)
{
  if (gap.x <= gap.y && gap.x <= gap.z) {
    return (crPointFoot){ -gap.x, crMakeVec3(x.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0) };
  }
  if (gap.y <= gap.z) {
    return (crPointFoot){ -gap.y, crMakeVec3(0.0, x.y < 0.0 ? -1.0 : 1.0, 0.0) };
  }
  return (crPointFoot){ -gap.z, crMakeVec3(0.0, 0.0, x.z < 0.0 ? -1.0 : 1.0) };
}

CR_INLINE crPointFoot footOnBox(const crCore* core, crVec3 x)
{
  crVec3 half = core->half, v = crMakeVec3(beyond(x.x, half.x), beyond(x.y, half.y), beyond(x.z, half.z));
  return crMaxAbs(v) > 0.0 ? footAlong(v, v) : footFromInside(x, crSub(half, crAbsVec3(x)));
}

// ------------------------------------------------------------------------------------------ surfaces

// In the half-plane of the point: profile.h. On the axis any of them will do.
static crPointFoot footOnRevolvedChain(const crChain* chain, crVec3 x)
{
  double rho = sqrt(x.x * x.x + x.y * x.y);
  crVec3 e = rho > 0.0 ? crMakeVec3(x.x / rho, x.y / rho, 0.0) : crMakeVec3(1.0, 0.0, 0.0);
  crProfileFoot foot = crChain_FindFoot(chain, (crPlanePoint){ rho, x.z });
  return (crPointFoot){ foot.distance, crMakeVec3(foot.normal.x * e.x, foot.normal.x * e.y, foot.normal.y) };
}

// Walls between both ends; beyond them their edges, and above what they enclose the end faces. Where these are a chain
// of their own the others have no more than their edges there, and it has its edges beside it.
static crPointFoot footOnExtrudedChain(const crChain* chain, double half, crVec3 x)
{
  crProfileFoot foot = crChain_FindFoot(chain, (crPlanePoint){ x.x, x.y });
  double up = x.z < 0.0 ? -1.0 : 1.0, above = fabs(x.z) - half;
  if ((chain->isFace && foot.distance > 0.0) || (chain->sharesFace && above > 0.0)) {
    return footAlong(crMakeVec3(foot.distance * foot.normal.x, foot.distance * foot.normal.y, up * above),
                     crMakeVec3(0.0, 0.0, up));
  }
  if (!(above > 0.0) && (foot.distance >= above || foot.distance >= 0.0)) {
    return (crPointFoot){ foot.distance, crMakeVec3(foot.normal.x, foot.normal.y, 0.0) };
  }
  if (foot.distance <= 0.0) {
    return (crPointFoot){ above, crMakeVec3(0.0, 0.0, up) };
  }
  return footAlong(crMakeVec3(foot.distance * foot.normal.x, foot.distance * foot.normal.y, up * above),
                   crMakeVec3(0.0, 0.0, up));
}

static crPointFoot footOnGround(const crGround* ground, crVec3 x, bool isExact)
{
  crGroundFoot foot = crGround_FindFoot(ground, x, isExact);
  return (crPointFoot){ foot.distance, foot.outward };
}

// ----------------------------------------------------------------------------------------- meridian

// Nearest point of a meridian: signed distance, and the outward unit normal along rho and z.
typedef struct Meridian {
  double distance, radial, axial;
} Meridian;

CR_INLINE Meridian meridianOfCorner(double rho, double z)
{
  double length = sqrt(rho * rho + z * z);
  return length > 0.0 ? (Meridian){ length, rho / length, z / length } : (Meridian){ 0.0, 1.0, 0.0 };
}

CR_INLINE Meridian findMeridian(double radius, double topRadius, double zMin, double zMax, double rho, double z)
{
  double below = zMin - z, above = z - zMax;
  double slant = topRadius - radius, height = zMax - zMin, length = sqrt(slant * slant + height * height);
  double side = length > 0.0 ? 1.0 / length : 0.0, radial = length > 0.0 ? height * side : 1.0, axial = -slant * side;
  double beside = (rho - radius) * radial - below * axial;
  if (below <= 0.0 && above <= 0.0 && beside <= 0.0) {
    if (beside >= below && beside >= above) {
      return (Meridian){ beside, radial, axial };
    }
    return above >= below ? (Meridian){ above, 0.0, 1.0 } : (Meridian){ below, 0.0, -1.0 };
  }
  if (below > 0.0 && rho <= radius) {
    return (Meridian){ below, 0.0, -1.0 };
  }
  if (above > 0.0 && rho <= topRadius) {
    return (Meridian){ above, 0.0, 1.0 };
  }
  // along the slanted side, from the base
  if (!((rho - radius) * slant - below * height > 0.0)) {
    return meridianOfCorner(rho - radius, -below);
  }
  if (!((topRadius - rho) * slant - above * height > 0.0)) {
    return meridianOfCorner(rho - topRadius, above);
  }
  return (Meridian){ beside, radial, axial };
}

// (x, y): from the axis to the point.
CR_INLINE crPointFoot turnMeridian(Meridian m, double x, double y, double rho, crVec3 onAxis)
{
  crVec3 radial = rho > 0.0 ? crMakeVec3(x / rho, y / rho, 0.0) : onAxis;
  return (crPointFoot){ m.distance, crMakeVec3(m.radial * radial.x, m.radial * radial.y, m.axial) };
}

CR_INLINE crPointFoot footOnRevolved(const crCore* core, double topRadius, crVec3 x)
{
  double rho = sqrt(x.x * x.x + x.y * x.y);
  Meridian m = findMeridian(core->radius, topRadius, core->zMin, core->zMax, rho, x.z);
  return turnMeridian(m, x.x, x.y, rho, crMakeVec3(1.0, 0.0, 0.0));
}

CR_INLINE crPointFoot footOnBeam(const crCore* core, crVec3 x)
{
  crVec3 half = core->half;
  double along = beyond(x.x, half.x), rho = sqrt(along * along + x.y * x.y);
  Meridian m = findMeridian(half.y, half.y, -half.z, half.z, rho, x.z);
  return turnMeridian(m, along, x.y, rho, crMakeVec3(0.0, 1.0, 0.0));
}

// --------------------------------------------------------------------------------------------- ball

typedef struct Ball {
  crVec3 x; // centre, in S
  crPointFoot foot;
  crVec3 normal;   // from the ball to the shape, in the world
  double distance; // [m]
} Ball;

CR_INLINE bool hasFoot(crVec3 centre, const crShape* shape, const crPose* X_WF)
{
  switch (shape->kind) {
    case cr_shapeHalfSpace: return true;
    case cr_shapeHull:
    case cr_shapeMesh: return false;
    case cr_shapeBox:
      if (crIsInPieces(shape)) {
        return false;
      } // fall through
    default: return crMaxAbs(crSub(centre, X_WF->p)) < CR_FAR;
  }
}

CR_INLINE crPointFoot findFoot(const crShape* shape, crVec3 x)
{
  const crCore* core = &shape->core;
  switch (shape->kind) {
    case cr_shapeEllipsoid: return footOnEllipsoid(core, x);
    case cr_shapeBox: return footOnBox(core, x);
    case cr_shapeCylinder: return footOnRevolved(core, core->radius, x);
    case cr_shapeCone: return footOnRevolved(core, core->topRadius, x);
    case cr_shapeCapsule: return footOnSegment(core, x);
    case cr_shapeBeam: return footOnBeam(core, x);
    case cr_shapeHalfSpace: return footOnPlane(x);
    case cr_shapeRevolved: return footOnRevolvedChain(shape->chain, x);
    case cr_shapeExtruded: return footOnExtrudedChain(shape->chain, core->half.z, x);
    case cr_shapeHeightField: return footOnGround(shape->ground, x, true);
    default: return footOnPoint(x);
  }
}

crPointFoot crComputePointFoot(const crShape* shape, crVec3 x, double enough)
{
  if (shape->kind == cr_shapeHeightField) {
    return footOnGround(shape->ground, x, isinf(enough));
  }
  return shape->kind == cr_shapeHull ? crComputePointHullFoot(shape->core.hull, x, enough) : findFoot(shape, x);
}

CR_INLINE Ball placeBall(crVec3 centre, double radius, const crShape* shape, const crPose* X_WF)
{
  Ball ball = { .x = crToCanonical(shape, X_WF, crSubFinite(centre, X_WF->p)) };
  ball.foot = findFoot(shape, ball.x);
  ball.normal = crNeg(crFromCanonical(shape, X_WF, ball.foot.outward));
  ball.distance = ball.foot.distance - (radius + shape->sweep);
  return ball;
}

bool crTryBall(crVec3 centre, double radius, const crShape* shape, const crPose* X_WF, crBallDistance* outDistance)
{
  if (!hasFoot(centre, shape, X_WF)) {
    return false;
  }
  Ball ball = placeBall(centre, radius, shape, X_WF);
  outDistance->distance = ball.distance;
  outDistance->normal = ball.normal;
  return true;
}

bool crTrySphere(const crShape* sphere, const crPose* X_WA, const crShape* shape, const crPose* X_WF, bool isExchanged,
                 crDistance* out)
{
  if (!hasFoot(X_WA->p, shape, X_WF)) {
    return false;
  }
  Ball ball = placeBall(X_WA->p, sphere->sweep, shape, X_WF);
  double reach = shape->kind == cr_shapeHalfSpace ? shape->sweep : shape->reach;
  crVec3 n = ball.normal, pointA = crMulAdd(X_WA->p, sphere->sweep, n);
  crVec3 foot = crMulAdd(ball.x, -ball.foot.distance, ball.foot.outward);
  crSetExact(crNoiseOf(sphere->sweep + reach, ball.x), ball.distance, out);
  crSetPoints(n, pointA, crMulAdd(pointA, ball.distance, n), isExchanged, out);
  crCurvature* curvatureA = isExchanged ? &out->curvatureB : &out->curvatureA;
  crCurvature* curvatureB = isExchanged ? &out->curvatureA : &out->curvatureB;
  crFindSurface(sphere, &pointA, &n, 0, isExchanged ? &out->surfaceB : &out->surfaceA, curvatureA);
  bool hasDirection =
      crFindSurface(shape, &foot, &ball.foot.outward, 0, isExchanged ? &out->surfaceA : &out->surfaceB, curvatureB);
  curvatureA->direction1 = crAnyPerpendicular(n);
  curvatureB->direction1 = hasDirection ? crFromCanonical(shape, X_WF, curvatureB->direction1) : curvatureA->direction1;
  return true;
}
