// Support maps and bounding boxes.
//
// A support map gives the farthest point s(d) of a body along a direction d. For a core swept by a ball
// of radius r it is s_core(d) + r d / |d|.
//
// Where a whole edge or face is farthest, one fixed point of it is chosen: a zero component of d counts
// as positive, a zero radial part of d points along +x, the top of a cone is preferred to its base, the
// lowest index among the vertices of a hull and among the pieces of a mesh. So the result depends on d
// alone, and every tie is a true farthest point.
#include "geometry/shape_kind.h"

// Between these the squared length of a direction neither overflows nor loses its larger component.
#define CR_SMALLEST_SQUARE 1e-280
#define CR_LARGEST_SQUARE 1e280

// ----------------------------------------------------------------------------------------- support

// Unit vector along (d.x, d.y), or +x.
static crVec3 radialDirection(crVec3 d)
{
  double square = d.x * d.x + d.y * d.y;
  if (square > CR_SMALLEST_SQUARE && square < CR_LARGEST_SQUARE) {
    double length = sqrt(square);
    return crMakeVec3(d.x / length, d.y / length, 0.0);
  }
  if (d.x == 0.0 && d.y == 0.0) {
    return crMakeVec3(1.0, 0.0, 0.0);
  }
  return crNormalize(crMakeVec3(d.x, d.y, 0.0));
}

static double withSign(double value, double direction)
{
  return direction >= 0.0 ? value : -value;
}

crVec3 crCore_SupportPoint(const crCore* core, crVec3 d_S)
{
  (void)core;
  (void)d_S;
  return crMakeVec3(0.0, 0.0, 0.0);
}

// s_i = a_i u_i with u along (a_i d_i): the unit sphere's support, stretched.
crVec3 crCore_SupportEllipsoid(const crCore* core, crVec3 d_S)
{
  crVec3 a = core->half;
  crVec3 u = crNormalize(crMakeVec3(a.x * d_S.x, a.y * d_S.y, a.z * d_S.z));
  return crMakeVec3(a.x * u.x, a.y * u.y, a.z * u.z);
}

crVec3 crCore_SupportBox(const crCore* core, crVec3 d_S)
{
  crVec3 h = core->half;
  return crMakeVec3(withSign(h.x, d_S.x), withSign(h.y, d_S.y), withSign(h.z, d_S.z));
}

crVec3 crCore_SupportCylinder(const crCore* core, crVec3 d_S)
{
  crVec3 p = crScale(core->radius, radialDirection(d_S));
  p.z = d_S.z >= 0.0 ? core->zMax : core->zMin;
  return p;
}

// The top rim is farther than the base rim by (topRadius - radius) e.d + (zMax - zMin) d.z, e radial.
crVec3 crCore_SupportCone(const crCore* core, crVec3 d_S)
{
  crVec3 e = radialDirection(d_S);
  double ahead = (core->topRadius - core->radius) * (e.x * d_S.x + e.y * d_S.y) + (core->zMax - core->zMin) * d_S.z;
  crVec3 p = crScale(ahead >= 0.0 ? core->topRadius : core->radius, e);
  p.z = ahead >= 0.0 ? core->zMax : core->zMin;
  return p;
}

crVec3 crCore_SupportCapsule(const crCore* core, crVec3 d_S)
{
  return crMakeVec3(0.0, 0.0, d_S.z >= 0.0 ? core->zMax : core->zMin);
}

crVec3 crCore_SupportBeam(const crCore* core, crVec3 d_S)
{
  crVec3 p = crScale(core->half.y, radialDirection(d_S));
  return crMakeVec3(p.x + withSign(core->half.x, d_S.x), p.y, withSign(core->half.z, d_S.z));
}

crVec3 crCore_SupportAround(const crCore* core, crVec3 d_S)
{
  crVec3 p = crCore_SupportBox(core, d_S);
  return crMakeVec3(core->radius + p.x, core->topRadius + p.y, p.z);
}

crVec3 crCore_SupportGround(const crCore* core, crVec3 d_S)
{
  crVec3 p = crCore_SupportBox(core, d_S);
  return crMakeVec3(p.x, p.y, core->zMin + p.z);
}

// The farthest point of the profile in the half-plane, or plane, of d.
static crVec3 supportOfChain(const crShape* shape, crVec3 d_S)
{
  if (shape->kind == cr_shapeExtruded) {
    crPlanePoint p = crChain_FindSupport(shape->chain, (crPlanePoint){ d_S.x, d_S.y });
    return crMakeVec3(p.x, p.y, withSign(shape->core.half.z, d_S.z));
  }
  crVec3 e = radialDirection(d_S);
  crPlanePoint p = crChain_FindSupport(shape->chain, (crPlanePoint){ e.x * d_S.x + e.y * d_S.y, d_S.z });
  return crMakeVec3(p.x * e.x, p.x * e.y, p.y);
}

crVec3 crCore_SupportHull(const crCore* core, crVec3 d_S)
{
  return core->hull->vertices[crHull_FindSupportFast(core->hull, d_S, 0)];
}

crVec3 crCore_ComputeSupport(crShapeKind kind, const crCore* core, crVec3 d_S)
{
  return cr_shapeRows[kind].support(core, d_S);
}

// u: unit vector, in F.
static crVec3 computeSupport(const crShape* shape, crVec3 u)
{
  if (shape->kind == cr_shapeHalfSpace) {
    return crMakeVec3(0.0, 0.0, 0.0);
  }
  crVec3 d_S = shape->isTurned ? crMulTV(shape->R_FS, u) : u;
  bool isProfile = crIsSurface(shape) && shape->ground == NULL;
  crVec3 c = isProfile ? supportOfChain(shape, d_S) : crCore_ComputeSupport(shape->kind, &shape->core, d_S);
  return crMulAdd(shape->isTurned ? crMulMV(shape->R_FS, c) : c, shape->sweep, u);
}

crVec3 crShape_ComputeSupport(const crShape* shape, crVec3 direction)
{
  if (shape == NULL) {
    return crMakeVec3(0.0, 0.0, 0.0);
  }
  bool isZero = direction.x == 0.0 && direction.y == 0.0 && direction.z == 0.0;
  crVec3 u = isZero ? crMakeVec3(0.0, 0.0, 1.0) : crNormalize(direction);
  if (!crIsInPieces(shape) || !crShape_IsBounded(shape)) {
    return crIsInPieces(shape) ? crMakeVec3(0.0, 0.0, 0.0) : computeSupport(shape, u);
  }
  crVec3 best = computeSupport(&shape->pieces[0], u);
  for (int i = 1; i < shape->pieceCount && shape->pieces[i].ground == NULL; ++i) { // facets are as far
    crVec3 p = computeSupport(&shape->pieces[i], u);
    best = crDot(p, u) > crDot(best, u) ? p : best;
  }
  return best;
}

// ------------------------------------------------------------------------------------------ bounds

// The extent of a body along the world's axis i is its support value along row i of R_WS. Every function
// below computes the three rows at once: column vectors of R_WS, element by element.

static crAabb symmetricBounds(crVec3 extent)
{
  crAabb bounds = { crNeg(extent), extent };
  return bounds;
}

// Extents of a disc of radius 1 across S's z axis.
static crVec3 discExtent(crMat3 R_WS)
{
  crVec3 x = R_WS.cx, y = R_WS.cy;
  return crMakeVec3(sqrt(x.x * x.x + y.x * y.x), sqrt(x.y * x.y + y.y * y.y), sqrt(x.z * x.z + y.z * y.z));
}

// Two discs on the z axis and all between them.
static crAabb discBounds(const crCore* core, double radius, double topRadius, crMat3 R_WS)
{
  crVec3 extent = discExtent(R_WS);
  crVec3 base = crScale(core->zMin, R_WS.cz), top = crScale(core->zMax, R_WS.cz);
  crAabb bounds = { crMinVec3(crMulAdd(base, -radius, extent), crMulAdd(top, -topRadius, extent)),
                    crMaxVec3(crMulAdd(base, radius, extent), crMulAdd(top, topRadius, extent)) };
  return bounds;
}

crAabb crCore_BoundPoint(const crCore* core, crMat3 R_WS)
{
  (void)core;
  (void)R_WS;
  return symmetricBounds(crMakeVec3(0.0, 0.0, 0.0));
}

crAabb crCore_BoundEllipsoid(const crCore* core, crMat3 R_WS)
{
  crVec3 x = crScale(core->half.x, R_WS.cx), y = crScale(core->half.y, R_WS.cy), z = crScale(core->half.z, R_WS.cz);
  return symmetricBounds(crMakeVec3(crLength(crMakeVec3(x.x, y.x, z.x)), crLength(crMakeVec3(x.y, y.y, z.y)),
                                    crLength(crMakeVec3(x.z, y.z, z.z))));
}

crAabb crCore_BoundBox(const crCore* core, crMat3 R_WS)
{
  crVec3 extent = crScale(core->half.x, crAbsVec3(R_WS.cx));
  extent = crMulAdd(extent, core->half.y, crAbsVec3(R_WS.cy));
  return symmetricBounds(crMulAdd(extent, core->half.z, crAbsVec3(R_WS.cz)));
}

crAabb crCore_BoundCylinder(const crCore* core, crMat3 R_WS)
{
  return discBounds(core, core->radius, core->radius, R_WS);
}

crAabb crCore_BoundCone(const crCore* core, crMat3 R_WS)
{
  return discBounds(core, core->radius, core->topRadius, R_WS);
}

crAabb crCore_BoundGround(const crCore* core, crMat3 R_WS)
{
  crAabb bounds = crCore_BoundBox(core, R_WS);
  crVec3 middle = crScale(core->zMin, R_WS.cz);
  return (crAabb){ crAdd(bounds.min, middle), crAdd(bounds.max, middle) };
}

crAabb crCore_BoundAround(const crCore* core, crMat3 R_WS)
{
  crAabb bounds = crCore_BoundBox(core, R_WS);
  crVec3 middle = crMulMV(R_WS, crMakeVec3(core->radius, core->topRadius, 0.0));
  return (crAabb){ crAdd(bounds.min, middle), crAdd(bounds.max, middle) };
}

crAabb crCore_BoundCapsule(const crCore* core, crMat3 R_WS)
{
  return symmetricBounds(crScale(core->zMax, crAbsVec3(R_WS.cz)));
}

crAabb crCore_BoundBeam(const crCore* core, crMat3 R_WS)
{
  crVec3 extent = crScale(core->half.x, crAbsVec3(R_WS.cx));
  extent = crMulAdd(extent, core->half.y, discExtent(R_WS));
  return symmetricBounds(crMulAdd(extent, core->half.z, crAbsVec3(R_WS.cz)));
}

// Bounded on one side only where the normal is exactly an axis of the world.
crAabb crCore_BoundHalfSpace(const crCore* core, crMat3 R_WS)
{
  (void)core;
  crVec3 n = R_WS.cz;
  crAabb bounds = { { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL }, { HUGE_VAL, HUGE_VAL, HUGE_VAL } };
  if (n.y == 0.0 && n.z == 0.0) {
    *(n.x > 0.0 ? &bounds.max.x : &bounds.min.x) = 0.0;
  } else if (n.x == 0.0 && n.z == 0.0) {
    *(n.y > 0.0 ? &bounds.max.y : &bounds.min.y) = 0.0;
  } else if (n.x == 0.0 && n.y == 0.0) {
    *(n.z > 0.0 ? &bounds.max.z : &bounds.min.z) = 0.0;
  }
  return bounds;
}

// Least and greatest height of a large hull's vertices along d.
static void boundAlong(const crHull* hull, crVec3 d, double* outMin, double* outMax)
{
  *outMin = crDot(d, hull->vertices[crHull_FindSupportFast(hull, crNeg(d), 0)]);
  *outMax = crDot(d, hull->vertices[crHull_FindSupportFast(hull, d, 0)]);
}

crAabb crCore_BoundHull(const crCore* core, crMat3 R_WS)
{
  crAabb bounds = crEmptyAabb();
  if (core->hull->cellCount > 0) {
    crMat3 R_SW = crTranspose(R_WS);
    boundAlong(core->hull, R_SW.cx, &bounds.min.x, &bounds.max.x);
    boundAlong(core->hull, R_SW.cy, &bounds.min.y, &bounds.max.y);
    boundAlong(core->hull, R_SW.cz, &bounds.min.z, &bounds.max.z);
    return bounds;
  }
  for (int i = 0; i < core->hull->vertexCount; ++i) { // by comparisons, since fmin and fmax are calls
    crVec3 p = crMulMV(R_WS, core->hull->vertices[i]);
    bounds.min.x = p.x < bounds.min.x ? p.x : bounds.min.x;
    bounds.min.y = p.y < bounds.min.y ? p.y : bounds.min.y;
    bounds.min.z = p.z < bounds.min.z ? p.z : bounds.min.z;
    bounds.max.x = p.x > bounds.max.x ? p.x : bounds.max.x;
    bounds.max.y = p.y > bounds.max.y ? p.y : bounds.max.y;
    bounds.max.z = p.z > bounds.max.z ? p.z : bounds.max.z;
  }
  return bounds;
}

crAabb crShape_ComputeAabb(const crShape* shape, crPose pose)
{
  if (shape == NULL) {
    return (crAabb){ 0 };
  }
  if (crIsInPieces(shape)) {
    crAabb bounds = crEmptyAabb();
    for (int i = 0; i < shape->pieceCount; ++i) {
      bounds = crUnionAabb(bounds, crShape_ComputeAabb(&shape->pieces[i], pose));
    }
    return bounds;
  }
  crMat3 R_WS = shape->isTurned ? crMulMM(pose.R, shape->R_FS) : pose.R;
  crAabb bounds = cr_shapeRows[shape->kind].bound(&shape->core, R_WS);
  crVec3 sweep = crMakeVec3(shape->sweep, shape->sweep, shape->sweep);
  bounds.min = crAdd(pose.p, crSub(bounds.min, sweep));
  bounds.max = crAdd(pose.p, crAdd(bounds.max, sweep));
  return bounds;
}
