#include "collide/area/corner.h"

#include "collide/area/box_lanes.h"
#include "math/mat3.h"

// Where the three edges come out of a plane, and farther by `more`, they have not ended.
static bool comeOut(crLanes half, crLanes steep, double depth, double more)
{
  crLanes left = (2.0 * half - more) * steep - depth;
  return left[0] > 0.0 && left[1] > 0.0 && left[2] > 0.0;
}

// The edges have not ended where they come out, but for one, which ends below. Returns the axis of that; -1: all come
// out; -2: others end below, too.
static int findEdgeBelow(crLanes half, crLanes steep, double depth)
{
  crLanes left = 2.0 * half * steep - depth;
  int below = (left[0] < 0.0) + (left[1] < 0.0) + (left[2] < 0.0);
  bool isExact = left[0] == 0.0 || left[1] == 0.0 || left[2] == 0.0;
  return isExact || below > 1 ? -2 : below == 0 ? -1 : left[0] < 0.0 ? 0 : left[1] < 0.0 ? 1 : 2;
}

static bool findOnGround(const crShape* box, const crPose* X_WA, const crShape* ground, const crPose* X_WB,
                         crBoxCorner* out)
{
  crVec3 up = X_WB->R.cz, n = crMulTV(X_WA->R, up), h = box->core.half;
  crLanes half = crToLanes(h), steep = crSizesL(crToLanes(n));
  double depth = ground->sweep + crDot(up, crSub(X_WB->p, X_WA->p)) + crSumL(steep * half);
  int edge = depth > 0.0 ? findEdgeBelow(half, steep, depth) : -2;
  if (edge < -1) {
    return false;
  }
  out->edge = edge;
  out->length = edge >= 0 ? 2.0 * half[edge] : 0.0;
  out->isSolid = false;
  out->at = crMakeVec3(-copysign(h.x, n.x), -copysign(h.y, n.y), -copysign(h.z, n.z));
  out->n = n;
  out->depth = depth;
  return true;
}

// A box as another one, with the corner, sees it.
typedef struct Target {
  crLanes half;
  crLanes33 axes; // in those of the other
  crLanes middle; // of the other, in its axes
} Target;

// A box with half edges `half` in a box: the axis of the face that it is least deep below, and how deep; -1: apart.
static int findFace(const Target* b, crLanes half, double* outDepth)
{
  crLanes across = { crSumL(crSizesL(b->axes.x) * half), crSumL(crSizesL(b->axes.y) * half),
                     crSumL(crSizesL(b->axes.z) * half), 0.0 };
  crLanes depths = b->half - crSizesL(b->middle) + across;
  int axis = depths[1] < depths[0] ? 1 : 0;
  axis = depths[2] < depths[axis] ? 2 : axis;
  *outDepth = depths[axis];
  return depths[axis] > 0.0 ? axis : -1;
}

// Whether the tetrahedron is between the faces across an axis, and no deeper below the first face than below these.
static inline bool isBetween(double half, double place, crLanes ways, crLanes axis, double depth)
{
  crLanes ends = crSizesL(place + ways * axis);
  return fabs(place) + depth <= half && ends[0] <= half && ends[1] <= half && ends[2] <= half;
}

static bool holds(crLanes half, crLanes place)
{
  crLanes left = half - crSizesL(place);
  return left[0] >= 0.0 && left[1] >= 0.0 && left[2] >= 0.0;
}

static bool findOnBox(const Target* b, crLanes half, crBoxCorner* out)
{
  double depth;
  int axis = findFace(b, half, &depth);
  out->isApart = axis < 0;
  if (axis < 0) {
    return false;
  }
  crLanes n = (b->middle[axis] < 0.0 ? -1.0 : 1.0) * (axis == 0 ? b->axes.x : axis == 1 ? b->axes.y : b->axes.z);
  crLanes inward = { copysign(1.0, n[0]), copysign(1.0, n[1]), copysign(1.0, n[2]), 0.0 }, at = -inward * half;
  crLanes place = b->middle + (crLanes){ crDotL(b->axes.x, at), crDotL(b->axes.y, at), crDotL(b->axes.z, at), 0.0 };
  if (!holds(b->half, place)) {
    return false;
  }
  out->isIn = true;
  crLanes steep = crSizesL(n);
  if (!comeOut(half, steep, depth, depth / crSumL(steep))) { // the faces at the other ends are no nearer
    return false;
  }
  crLanes ways = inward * (depth / (steep + (crLanes){ 0.0, 0.0, 0.0, 1.0 }));
  out->isSolid = true;
  out->at = crFromLanes(at);
  out->n = crFromLanes(n);
  out->depth = depth;
  out->edge = -1;
  out->length = 0.0;
  return depth <= b->half[axis] && (axis == 0 || isBetween(b->half[0], place[0], ways, b->axes.x, depth)) &&
         (axis == 1 || isBetween(b->half[1], place[1], ways, b->axes.y, depth)) &&
         (axis == 2 || isBetween(b->half[2], place[2], ways, b->axes.z, depth));
}

static bool findOfBoxes(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crBoxCorner* out)
{
  crMat3 R_AB = crMulTM(X_WA->R, X_WB->R);
  crVec3 p = crSub(X_WB->p, X_WA->p);
  crLanes halfA = crToLanes(a->core.half), halfB = crToLanes(b->core.half);
  Target target = { halfB, crToLanes33(R_AB), crToLanes(crNeg(crMulTV(X_WB->R, p))) };
  if (findOnBox(&target, halfA, out) || out->isApart) {
    return !out->isApart;
  }
  out->isOfB = true;
  target = (Target){ halfA, crToLanes33(crTranspose(R_AB)), crToLanes(crMulTV(X_WA->R, p)) };
  return findOnBox(&target, halfB, out);
}

bool crFindBoxCorner(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crBoxCorner* out)
{
  bool isBoxA = crIsSharpBox(a), isBoxB = crIsSharpBox(b);
  out->isOfB = isBoxB && !isBoxA;
  out->isIn = out->isApart = false;
  if (isBoxA && isBoxB) {
    return findOfBoxes(a, X_WA, b, X_WB, out);
  }
  if (isBoxA && b->kind == cr_shapeHalfSpace) {
    return findOnGround(a, X_WA, b, X_WB, out);
  }
  return isBoxB && a->kind == cr_shapeHalfSpace && findOnGround(b, X_WB, a, X_WA, out);
}
