// A point and a convex hull of few faces.
//
// Inside, the nearest plane counts. Outside, only faces that the point lies in front of can hold the nearest point, and
// the least of their distances is the answer; the greatest height over a plane is a lower bound of it. On a face the
// nearest point is the foot on its plane, or lies on an edge that the foot is beyond.
#include "collide/distance/point_solid.h"

typedef struct Nearest {
  double square; // [m^2]
  crVec3 v;      // from the nearest point to x
} Nearest;

// p + s e, 0 <= s <= 1, against x = p + w.
static void keepEdge(Nearest* best, crVec3 e, crVec3 w)
{
  double s = crDot(w, e) / crLengthSquared(e);
  s = s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
  crVec3 v = crMulAdd(w, -s, e);
  double square = crLengthSquared(v);
  if (square < best->square) {
    *best = (Nearest){ square, v };
  }
}

// height: of x over the face's plane, > 0.
static void keepFace(Nearest* best, const crHull* hull, int face, crVec3 x, double height)
{
  crVec3 n = hull->normals[face];
  int first = hull->faceStarts[face], end = hull->faceStarts[face + 1];
  bool isOver = true;
  crVec3 p = hull->vertices[hull->faceVertices[end - 1]];
  for (int k = first; k < end; ++k) {
    crVec3 q = hull->vertices[hull->faceVertices[k]], e = crSub(q, p), w = crSub(x, p);
    if (crDot(crCross(e, n), w) > 0.0) {
      isOver = false;
      keepEdge(best, e, w);
    }
    p = q;
  }
  if (isOver && height * height < best->square) {
    *best = (Nearest){ height * height, crScale(height, n) };
  }
}

crPointFoot crComputePointHullFoot(const crHull* hull, crVec3 x, double enough)
{
  int highest = 0;
  double height = -HUGE_VAL;
  for (int f = 0; f < hull->faceCount; ++f) {
    double h = crDot(hull->normals[f], x) - hull->offsets[f];
    if (h > height) {
      height = h;
      highest = f;
    }
  }
  if (height <= 0.0 || height > enough) {
    return (crPointFoot){ height, hull->normals[highest] };
  }
  Nearest best = { .square = HUGE_VAL };
  for (int f = 0; f < hull->faceCount; ++f) {
    double h = crDot(hull->normals[f], x) - hull->offsets[f];
    if (h > 0.0 && h * h < best.square) {
      keepFace(&best, hull, f, x, h);
    }
  }
  double distance = sqrt(best.square);
  return (crPointFoot){ distance, distance > 0.0 ? crNormalize(best.v) : hull->normals[highest] };
}
