#include "geometry/inside.h"

#include "base/memory.h"

// An orthonormal frame with no axis near a direction of a drawing; its third axis is the ray.
static const crVec3 rayFrame[3] = { { 0.81604729487771399, -0.47313019076468515, -0.3319858959500207 },
                                    { 0.19767826440673061, 0.7682127455576605, -0.60891089770499573 },
                                    { 0.54312992580404551, 0.43127369517480868, 0.7204254878516988 } };

static crVec3 project(crVec3 x)
{
  return crMakeVec3(crDot(rayFrame[0], x), crDot(rayFrame[1], x), crDot(rayFrame[2], x));
}

bool crInside_Init(crInside* inside, const crMesh* mesh, const crAllocator* allocator)
{
  crMeshDef def = crMesh_GetDef(mesh);
  *inside = (crInside){ mesh, crChooseAllocator(allocator), NULL };
  inside->along = crAllocate(&inside->allocator, (size_t)def.pointCount * sizeof *inside->along);
  for (int i = 0; inside->along != NULL && i < def.pointCount; ++i) {
    inside->along[i] = project(def.points[i]);
  }
  return inside->along != NULL;
}

void crInside_Free(crInside* inside)
{
  if (inside->along != NULL) {
    crFree(&inside->allocator, inside->along, (size_t)crMesh_GetFacts(inside->mesh).pointCount * sizeof(crVec3));
    inside->along = NULL;
  }
}

// > 0: the ray passes left of the way from a to b. The same number for both directions but for its sign.
static double findSide(crVec3 a, crVec3 b)
{
  return a.x * b.y - a.y * b.x;
}

static bool isLeft(double side, int32_t a, int32_t b)
{
  return side > 0.0 || (side == 0.0 && a < b);
}

// 1: the ray goes out through the triangle, -1: in, 0: past it, or it is behind.
static int cross(const crVec3 p[3], const int32_t c[3])
{
  double side[3] = { findSide(p[1], p[2]), findSide(p[2], p[0]), findSide(p[0], p[1]) };
  bool left0 = isLeft(side[0], c[1], c[2]), left1 = isLeft(side[1], c[2], c[0]), left2 = isLeft(side[2], c[0], c[1]);
  if (left0 != left1 || left1 != left2) {
    return 0;
  }
  double ahead = side[0] * p[0].z + side[1] * p[1].z + side[2] * p[2].z; // times twice the area, with its sign
  bool isAhead = left0 ? ahead > 0.0 : ahead < 0.0;
  return isAhead ? (left0 ? 1 : -1) : 0;
}

int crInside_CountWindings(const crInside* inside, crVec3 x)
{
  crMeshDef def = crMesh_GetDef(inside->mesh);
  crVec3 at = project(x);
  int sum = 0;
  for (int t = 0; t < def.triangleCount; ++t) {
    const int32_t* c = def.triangles[t];
    crVec3 p[3];
    for (int k = 0; k < 3; ++k) {
      p[k] = crSub(inside->along[c[k]], at);
    }
    bool isBeside = (p[0].x > 0.0 && p[1].x > 0.0 && p[2].x > 0.0) || (p[0].x < 0.0 && p[1].x < 0.0 && p[2].x < 0.0) ||
                    (p[0].y > 0.0 && p[1].y > 0.0 && p[2].y > 0.0) || (p[0].y < 0.0 && p[1].y < 0.0 && p[2].y < 0.0) ||
                    (p[0].z < 0.0 && p[1].z < 0.0 && p[2].z < 0.0);
    sum += isBeside ? 0 : cross(p, c);
  }
  return sum;
}
