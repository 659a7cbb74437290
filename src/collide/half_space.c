// Half-spaces z <= 0 against everything: the farthest point of the other core against the outward normal.
//
// Where a whole edge or face is farthest, its middle is taken, so that a box lying on its face has its contact
// point in the middle of it.
//
// Two half-spaces: with opposite normals their distance is that of the two planes. Otherwise they overlap
// without end, and no finite motion separates them: the distance is -infinity, and both points are the foot of
// the second frame's origin on the first plane.
#include "collide/pair.h"

#define CR_OPPOSITE_SINE 1e-12 // [-] of the angle between two normals that still count as opposite
#define CR_LEVEL_UNITS 4.0     // [noise] height within which points count as equally far

// The farthest point of a core along the unit vector d, in S; the middle of all those that are within `level` of it.
static crVec3 middleOfFarthest(const crShape* shape, crVec3 d, double level)
{
  const crCore* core = &shape->core;
  crVec3 p = crCore_ComputeSupport(shape->kind, core, d);
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

// B is the half-space: its plane passes through X_AB.p, its normal is R_AB z and points towards A.
void crComputeHalfSpacePair(const crQuery* query, crDistance* out)
{
  const crShape* a = query->a;
  crVec3 n = crNeg(query->X_AB.R.cz);
  crVec3 farthest = crCore_ComputeSupport(a->kind, &a->core, n);
  double distance = crDot(n, crSub(query->X_AB.p, farthest));
  crVec3 pointA = middleOfFarthest(a, n, CR_LEVEL_UNITS * query->noise);
  crSetExact(query, distance, n, pointA, crMulAdd(pointA, distance, n), out);
}

// A is the half-space.
void crComputeHalfSpaceHullPair(const crQuery* query, crDistance* out)
{
  const crHull* hull = query->b->core.hull;
  crDistanceCache* cache = query->cache;
  crVec3 d_B = crNeg(crMulTV(query->X_AB.R, crMakeVec3(0.0, 0.0, 1.0)));
  bool isStart = cache->supportB > 0 && cache->supportB < hull->vertexCount;
  int top = crHull_ClimbSupport(hull, d_B, isStart ? cache->supportB : 0);
  cache->supportB = top;
  double distance = crTransformPoint(query->X_AB, hull->vertices[top]).z;
  crVec3 pointB = crTransformPoint(query->X_AB, middleOfHull(hull, top, d_B, CR_LEVEL_UNITS * query->noise));
  crVec3 pointA = crMakeVec3(pointB.x, pointB.y, pointB.z - distance);
  crSetExact(query, distance, crMakeVec3(0.0, 0.0, 1.0), pointA, pointB, out);
}

void crComputeTwoHalfSpacesPair(const crQuery* query, crDistance* out)
{
  crVec3 n = { 0.0, 0.0, 1.0 }, other = query->X_AB.R.cz, p = query->X_AB.p;
  crVec3 foot = crMakeVec3(p.x, p.y, 0.0);
  bool isOpposite = other.z < 0.0 && sqrt(other.x * other.x + other.y * other.y) <= CR_OPPOSITE_SINE;
  if (isOpposite) {
    crSetExact(query, p.z, n, foot, p, out);
  } else {
    crSetExact(query, -HUGE_VAL, n, foot, foot, out);
  }
}
