#include "geometry/inside.h"

#include "base/memory.h"

#include <stdlib.h>

// An orthonormal frame with no axis near a direction of a drawing; its third axis is the ray.
static const crVec3 rayFrame[3] = { { 0.81604729487771399, -0.47313019076468515, -0.3319858959500207 },
                                    { 0.19767826440673061, 0.7682127455576605, -0.60891089770499573 },
                                    { 0.54312992580404551, 0.43127369517480868, 0.7204254878516988 } };

static crVec3 project(crVec3 x)
{
  return crMakeVec3(crDot(rayFrame[0], x), crDot(rayFrame[1], x), crDot(rayFrame[2], x));
}

// The tree halves the triangles in the middle of their order, down to leaves of CR_LEAF; node i has the children 2 i +
// 1 and 2 i + 2, and as many triangles as follow from that.
#define CR_LEAF 8

static int countNodes(int triangleCount)
{
  return triangleCount <= CR_LEAF ? 1 : 1 + 2 * countNodes(triangleCount - triangleCount / 2);
}

typedef struct Centre {
  double at; // [m] across the ray
  int32_t triangle;
} Centre;

static int compareCentres(const void* a, const void* b)
{
  const Centre *x = a, *y = b;
  return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static crAabb boundRange(const crInside* inside, int start, int count)
{
  crMeshDef def = crMesh_GetDef(inside->mesh);
  crAabb box = crEmptyAabb();
  for (int i = start; i < start + count; ++i) {
    for (int k = 0; k < 3; ++k) {
      crVec3 p = inside->along[def.triangles[inside->order[i]][k]];
      box.min = crMinVec3(box.min, p);
      box.max = crMaxVec3(box.max, p);
    }
  }
  return box;
}

// Sorts a range across the ray along the longer side of its box, and both halves likewise.
static void grow(crInside* inside, Centre* centres, int node, int start, int count)
{
  crAabb box = inside->boxes[node] = boundRange(inside, start, count);
  if (count <= CR_LEAF) {
    return;
  }
  crMeshDef def = crMesh_GetDef(inside->mesh);
  bool isX = box.max.x - box.min.x > box.max.y - box.min.y;
  for (int i = start; i < start + count; ++i) {
    const int32_t* c = def.triangles[inside->order[i]];
    crVec3 sum = crAdd(crAdd(inside->along[c[0]], inside->along[c[1]]), inside->along[c[2]]);
    centres[i] = (Centre){ isX ? sum.x : sum.y, inside->order[i] };
  }
  qsort(centres + start, (size_t)count, sizeof *centres, compareCentres);
  for (int i = start; i < start + count; ++i) {
    inside->order[i] = centres[i].triangle;
  }
  grow(inside, centres, 2 * node + 1, start, count / 2);
  grow(inside, centres, 2 * node + 2, start + count / 2, count - count / 2);
}

bool crInside_Init(crInside* inside, const crMesh* mesh, const crAllocator* allocator)
{
  crMeshDef def = crMesh_GetDef(mesh);
  size_t count = (size_t)def.triangleCount;
  *inside =
      (crInside){ .mesh = mesh, .allocator = crChooseAllocator(allocator), .nodeCount = countNodes(def.triangleCount) };
  inside->along = crAllocate(&inside->allocator, (size_t)def.pointCount * sizeof *inside->along);
  inside->order = crAllocate(&inside->allocator, count * sizeof *inside->order);
  inside->boxes = crAllocate(&inside->allocator, (size_t)inside->nodeCount * sizeof *inside->boxes);
  Centre* centres = crAllocate(&inside->allocator, count * sizeof *centres);
  bool hasMemory = inside->along != NULL && inside->order != NULL && inside->boxes != NULL && centres != NULL;
  for (int i = 0; hasMemory && i < def.pointCount; ++i) {
    inside->along[i] = project(def.points[i]);
  }
  for (int i = 0; hasMemory && i < def.triangleCount; ++i) {
    inside->order[i] = i;
  }
  if (hasMemory) {
    grow(inside, centres, 0, 0, def.triangleCount);
  }
  crFree(&inside->allocator, centres, count * sizeof *centres);
  if (!hasMemory) {
    crInside_Free(inside);
  }
  return hasMemory;
}

void crInside_Free(crInside* inside)
{
  if (inside->mesh == NULL) {
    return;
  }
  crMeshFacts facts = crMesh_GetFacts(inside->mesh);
  crFree(&inside->allocator, inside->along, (size_t)facts.pointCount * sizeof *inside->along);
  crFree(&inside->allocator, inside->order, (size_t)facts.triangleCount * sizeof *inside->order);
  crFree(&inside->allocator, inside->boxes, (size_t)inside->nodeCount * sizeof *inside->boxes);
  *inside = (crInside){ .mesh = NULL };
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

typedef struct Ray {
  const crInside* inside;
  crMeshDef def;
  crVec3 at;
  crInsideChoice* choose; // NULL: all
  const void* context;
} Ray;

static bool mayCross(const crAabb* box, crVec3 at)
{
  return box->min.x <= at.x && at.x <= box->max.x && box->min.y <= at.y && at.y <= box->max.y && at.z <= box->max.z;
}

static int crossTriangle(const Ray* ray, int t)
{
  const int32_t* c = ray->def.triangles[t];
  crVec3 p[3];
  for (int k = 0; k < 3; ++k) {
    p[k] = crSub(ray->inside->along[c[k]], ray->at);
  }
  bool isBeside = (p[0].x > 0.0 && p[1].x > 0.0 && p[2].x > 0.0) || (p[0].x < 0.0 && p[1].x < 0.0 && p[2].x < 0.0) ||
                  (p[0].y > 0.0 && p[1].y > 0.0 && p[2].y > 0.0) || (p[0].y < 0.0 && p[1].y < 0.0 && p[2].y < 0.0) ||
                  (p[0].z < 0.0 && p[1].z < 0.0 && p[2].z < 0.0);
  return isBeside || (ray->choose != NULL && !ray->choose(ray->context, t)) ? 0 : cross(p, c);
}

static int crossNode(const Ray* ray, int node, int start, int count)
{
  if (!mayCross(&ray->inside->boxes[node], ray->at)) {
    return 0;
  }
  if (count > CR_LEAF) {
    return crossNode(ray, 2 * node + 1, start, count / 2) +
           crossNode(ray, 2 * node + 2, start + count / 2, count - count / 2);
  }
  int sum = 0;
  for (int i = start; i < start + count; ++i) {
    sum += crossTriangle(ray, ray->inside->order[i]);
  }
  return sum;
}

int crInside_CountChosen(const crInside* inside, crVec3 x, crInsideChoice* choose, const void* context)
{
  Ray ray = { inside, crMesh_GetDef(inside->mesh), project(x), choose, context };
  return crossNode(&ray, 0, 0, ray.def.triangleCount);
}

int crInside_CountWindings(const crInside* inside, crVec3 x)
{
  return crInside_CountChosen(inside, x, NULL, NULL);
}
