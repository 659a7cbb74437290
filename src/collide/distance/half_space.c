// Half-spaces z <= 0 against everything: the farthest point of the other core against the outward normal.
//
// Where a whole edge or face is farthest, its middle is taken, so that a box lying on its face has its contact
// point in the middle of it.
//
// Two half-spaces: with opposite normals their distance is that of the two planes. Otherwise they overlap
// without end, and no finite motion separates them: the distance is -infinity, and both points are the foot of
// the second frame's origin on the first plane.
#include "collide/distance/ball.h"
#include "collide/distance/pair.h"
#include "collide/distance/surface.h"

#define CR_OPPOSITE_SINE 1e-12 // [-] of the angle between two normals that still count as opposite
#define CR_LEVEL_UNITS 4.0     // [noise] height within which points count as equally far

// The middle of all points of a core that are as far along the unit vector d, in S, as p, within `level`.
static crVec3 middleOfFarthest(const crShape* shape, crVec3 d, double level, crVec3 p)
{
  const crCore* core = &shape->core;
  double radial = sqrt(d.x * d.x + d.y * d.y);
  switch (shape->kind) {
    case cr_shapeBox:
      p.x = core->half.x * fabs(d.x) <= level ? 0.0 : p.x;
      p.y = core->half.y * fabs(d.y) <= level ? 0.0 : p.y;
      p.z = core->half.z * fabs(d.z) <= level ? 0.0 : p.z;
      return p;
    case cr_shapeCapsule:
    case cr_shapeCylinder:
      p.z = core->zMax * fabs(d.z) <= level ? 0.0 : p.z;
      return core->radius * radial <= level ? crMakeVec3(0.0, 0.0, p.z) : p;
    case cr_shapeCone: {
      double ahead = (core->topRadius - core->radius) * radial + (core->zMax - core->zMin) * d.z;
      if (fmax(core->radius, core->topRadius) * radial <= level) {
        return crMakeVec3(0.0, 0.0, p.z);
      }
      if (fabs(ahead) <= level) {
        double share = 0.5 * (core->radius + core->topRadius) / radial;
        return crMakeVec3(share * d.x, share * d.y, 0.5 * (core->zMin + core->zMax));
      }
      return p;
    }
    case cr_shapeBeam:
      p.z = core->half.z * fabs(d.z) <= level ? 0.0 : p.z;
      if ((core->half.x + core->half.y) * radial <= level) {
        return crMakeVec3(0.0, 0.0, p.z);
      }
      return core->half.x * fabs(d.x) <= level ? crMakeVec3(0.0, d.y > 0.0 ? core->half.y : -core->half.y, p.z) : p;
    default: return p;
  }
}

// The mean of all vertices of a hull that are equally far: those of a face, an edge, or one.
static crVec3 middleOfHull(const crHull* hull, int top, crVec3 d, double level)
{
  double height = crDot(d, hull->vertices[top]);
  for (int k = hull->neighbourStarts[top]; k < hull->neighbourStarts[top + 1]; ++k) {
    int f = hull->vertexFaces[k], first = hull->faceStarts[f], end = hull->faceStarts[f + 1];
    crVec3 sum = { 0.0, 0.0, 0.0 };
    bool isLevel = true;
    for (int c = first; c < end && isLevel; ++c) {
      crVec3 corner = hull->vertices[hull->faceVertices[c]];
      isLevel = height - crDot(d, corner) <= level;
      sum = crAdd(sum, crSub(corner, hull->vertices[top]));
    }
    if (isLevel) {
      return crMulAdd(hull->vertices[top], 1.0 / (end - first), sum);
    }
  }
  for (int k = hull->neighbourStarts[top]; k < hull->neighbourStarts[top + 1]; ++k) {
    crVec3 other = hull->vertices[hull->neighbours[k]];
    if (height - crDot(d, other) <= level) {
      return crScale(0.5, crAdd(hull->vertices[top], other));
    }
  }
  return hull->vertices[top];
}

// The farthest point along the unit vector d, in S, and the middle of all that are as far.
static crVec3 findFarthest(const crShape* shape, crVec3 d, double level, int* support, crVec3* outMiddle)
{
  crVec3 farthest;
  if (shape->kind == cr_shapeHull) {
    const crHull* hull = shape->core.hull;
    *support = crHull_FindSupportFast(hull, d, *support);
    *outMiddle = middleOfHull(hull, *support, d, level);
    farthest = hull->vertices[*support];
  } else {
    farthest = crCore_ComputeSupport(shape->kind, &shape->core, d);
    *outMiddle = middleOfFarthest(shape, d, level, farthest);
  }
  return farthest;
}

typedef struct Plane {
  crVec3 p, d, middle; // p: of the shape's frame from the plane's origin; d: against the normal, in S
  double distance;
  crVec3 point;
} Plane;

CR_INLINE Plane placePlane(crVec3 origin, crVec3 n, const crShape* shape, const crPose* X_WF, int* support)
{
  Plane plane = { .p = crSubFinite(X_WF->p, origin), .d = crNeg(crToCanonical(shape, X_WF, n)) };
  double level = CR_LEVEL_UNITS * crNoiseOf(shape->reach, plane.p);
  crVec3 farthest = findFarthest(shape, plane.d, level, support, &plane.middle);
  plane.distance = crDot(n, plane.p) - crDot(plane.d, farthest) - shape->sweep;
  plane.point = crMulAdd(crAdd(X_WF->p, crFromCanonical(shape, X_WF, plane.middle)), -shape->sweep, n);
  return plane;
}

void crComputePlaneDistance(crVec3 origin, crVec3 n, const crShape* shape, const crPose* X_WF, int* support,
                            crPlaneDistance* outDistance)
{
  Plane plane = placePlane(origin, n, shape, X_WF, support);
  outDistance->distance = plane.distance;
  outDistance->point = plane.point;
}

void crAnswerPlane(const crShape* half, const crPose* X_WH, const crShape* shape, const crPose* X_WF, int* support,
                   bool isExchanged, crDistance* out)
{
  crVec3 n = crFromCanonical(half, X_WH, crMakeVec3(0.0, 0.0, 1.0));
  Plane plane = placePlane(X_WH->p, n, shape, X_WF, support);
  double distance = plane.distance - half->sweep;
  crSetExact(crNoiseOf(shape->reach + half->sweep, plane.p), distance, out);
  crSetPoints(n, crMulAdd(plane.point, -distance, n), plane.point, isExchanged, out);
  crCurvature* curvatureA = isExchanged ? &out->curvatureB : &out->curvatureA;
  crCurvature* curvatureB = isExchanged ? &out->curvatureA : &out->curvatureB;
  crFindSurface(half, &plane.point, &n, 0, isExchanged ? &out->surfaceB : &out->surfaceA, curvatureA);
  bool hasDirection = crFindSurface(shape, &plane.middle, &plane.d, *support,
                                    isExchanged ? &out->surfaceA : &out->surfaceB, curvatureB);
  curvatureA->direction1 = crAnyPerpendicular(n);
  curvatureB->direction1 = hasDirection ? crFromCanonical(shape, X_WF, curvatureB->direction1) : curvatureA->direction1;
}

void crAnswerTwoPlanes(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, bool isExchanged,
                       crDistance* out)
{
  crVec3 z = { 0.0, 0.0, 1.0 }, n = crFromCanonical(a, X_WA, z), other = crFromCanonical(b, X_WB, z);
  crVec3 p = crSubFinite(X_WB->p, X_WA->p);
  bool isOpposite = crDot(n, other) < 0.0 && crLength(crCross(n, other)) <= CR_OPPOSITE_SINE;
  double sweep = a->sweep + b->sweep, distance = isOpposite ? crDot(n, p) - sweep : -HUGE_VAL;
  crVec3 foot = crMulAdd(X_WB->p, a->sweep - crDot(n, p), n);
  crSetExact(crNoiseOf(sweep, p), distance, out);
  crSetPoints(n, foot, isOpposite ? crMulAdd(foot, distance, n) : foot, isExchanged, out);
  crFindSurface(a, &foot, &n, 0, &out->surfaceA, &out->curvatureA);
  out->curvatureA.direction1 = crAnyPerpendicular(n);
  out->surfaceB = out->surfaceA;
  out->curvatureB = out->curvatureA;
}
