// What polytope.c does, of two boxes: opposite faces share an axis, so that three lengths tell of six planes.
#include "collide/area/boxes.h"

#include "collide/area/polytope.h"
#include "collide/area/roof.h"

#define BOX_FACES 6

// The axis of face 2 k and 2 k + 1 is k.
static inline double getAlong(crVec3 v, int axis)
{
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline crVec3 getAxis(const crMat3* R, int axis)
{
  return axis == 0 ? R->cx : axis == 1 ? R->cy : R->cz;
}

static inline double findSpread(crVec3 n, crVec3 half)
{
  return fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
}

// ------------------------------------------------------------------------------------------------- faces

// Along its axes a face needs no products.
void crAddBoxFace(crVec3 half, double radius, int face, int planeCount, const crAreaPlane* planes,
                  const crVec3* normals, const crPose* X_PA, crPatch* patch)
{
  int axis = face / 2;
  double sign = face % 2 == 0 ? 1.0 : -1.0, w = sign * getAlong(half, axis), u, v;
  crChart chart;
  if (axis == 0) {
    chart = (crChart){ { w, 0.0, 0.0 }, { 0.0, 0.0, sign }, { 0.0, -1.0, 0.0 } };
    u = half.z;
    v = half.y;
  } else if (axis == 1) {
    chart = (crChart){ { 0.0, w, 0.0 }, { sign, 0.0, 0.0 }, { 0.0, 0.0, -1.0 } };
    u = half.x;
    v = half.z;
  } else {
    chart = (crChart){ { 0.0, 0.0, w }, { 0.0, sign, 0.0 }, { -1.0, 0.0, 0.0 } };
    u = half.y;
    v = half.x;
  }
  crLoop loop;
  loop.count = 4;
  for (int k = 0; k < 4; ++k) {
    loop.x[k] = (crCorner){ k == 0 || k == 3 ? u : -u, k < 2 ? v : -v };
    loop.planes[k] = CR_NO_PLANE;
  }
  crPatch_AddRoof(patch, &loop, planeCount, planes, normals, &chart, X_PA, CR_EQUAL_DEPTHS * radius);
}

void crAddBoxOnGround(crVec3 half, double offset, const crPose* X_AB, crPatch* patch)
{
  crVec3 n = X_AB->R.cz;
  crAreaPlane ground = { n, offset + crDot(n, X_AB->p), false };
  double across[3] = { n.x * half.x, n.y * half.y, n.z * half.z }, radius = crLength(half);
  double all = fabs(across[0]) + fabs(across[1]) + fabs(across[2]);
  patch->share = 1.0; // see polytope.c
  if (!(ground.offset + all > 0.0)) {
    return;
  }
  for (int k = 0; k < 3; ++k) { // faces with a corner below it
    double rest = all - fabs(across[k]);
    if (ground.offset - across[k] + rest > 0.0) {
      crAddBoxFace(half, radius, 2 * k, 1, &ground, &ground.normal, NULL, patch);
    }
    if (ground.offset + across[k] + rest > 0.0) {
      crAddBoxFace(half, radius, 2 * k + 1, 1, &ground, &ground.normal, NULL, patch);
    }
  }
}

// ------------------------------------------------------------------------------------------------ planes

// A box as another one sees it.
typedef struct Seen {
  crVec3 half;
  double radius;
  crMat3 R;                      // its axes, in those of the other
  crVec3 origin;                 // the other's origin, in its axes
  int first;                     // the face that the other is least deep below; and that depth
  double least;                  //
  unsigned passing;              // faces that pass where the overlap can be, one bit each
  int count;                     // of planes that count there
  crAreaPlane planes[BOX_FACES]; // (count) in axes of the other, `first` first
} Seen;

// false: they are apart. half: of the other one.
static bool findFirst(Seen* b, crVec3 half)
{
  b->least = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    double at = getAlong(b->origin, k), most = getAlong(b->half, k) - fabs(at) + findSpread(getAxis(&b->R, k), half);
    if (most <= 0.0) {
      return false;
    }
    if (most < b->least) {
      b->least = most;
      b->first = 2 * k + (at < 0.0);
    }
  }
  return true;
}

static inline crAreaPlane makePlane(const Seen* b, int face)
{
  crVec3 n = getAxis(&b->R, face / 2);
  double h = getAlong(b->half, face / 2), at = getAlong(b->origin, face / 2);
  return face % 2 == 0 ? (crAreaPlane){ n, h - at, false } : (crAreaPlane){ crNeg(n), h + at, false };
}

// Planes that points of the box, in axes of the other, can be below and nearest to. false: none is inside.
static bool listPlanes(Seen* b, const crAabb* box)
{
  double more = CR_BOX_SLACK * b->radius;
  crVec3 size = crScale(0.5, crSub(box->max, box->min));
  crVec3 middle = crAdd(b->origin, crMulTV(b->R, crScale(0.5, crAdd(box->min, box->max))));
  crVec3 half = crMakeVec3(crMax2(size.x, 0.0) + more, crMax2(size.y, 0.0) + more, crMax2(size.z, 0.0) + more);
  b->count = 1;
  b->passing = 1u << b->first;
  for (int j = 0; j < BOX_FACES; ++j) {
    double at = getAlong(b->half, j / 2) + (j % 2 == 0 ? -1.0 : 1.0) * getAlong(middle, j / 2);
    double spread = findSpread(getAxis(&b->R, j / 2), half);
    if (j == b->first) {
      continue;
    }
    if (at + spread <= 0.0) {
      return false;
    }
    if (at - spread < b->least) {
      b->planes[b->count++] = makePlane(b, j);
      b->passing |= (unsigned)(at <= spread) << j;
    }
  }
  return true;
}

// Faces of A that pass where the overlap can be.
static void addFaces(const Seen* a, const Seen* b, const crVec3* normals, const crPose* X_PA, crPatch* patch)
{
  for (unsigned set = a->passing; set != 0; set &= set - 1) {
    crAddBoxFace(a->half, a->radius, __builtin_ctz(set), b->count, b->planes, normals, X_PA, patch);
  }
}

static bool hasPoint(const Seen* a, crVec3 x)
{
  double slack = CR_ON_FACE * a->radius;
  return fabs(x.x) <= a->half.x + slack && fabs(x.y) <= a->half.y + slack && fabs(x.z) <= a->half.z + slack;
}

// Edges that pass each other closely may leave something where there is no overlap: see polytope.c.
static bool isInBoth(const Seen* a, const Seen* b, const crPose* X_BA, const crPatchMark* mark, const crPatch* patch)
{
  int i = patch->isSpilled ? -1 : crPatch_FindSince(patch, mark);
  if (i < 0) {
    return patch->isSpilled;
  }
  crVec3 x = crPatch_GetPoint(patch, i);
  return crPatch_IsOfSecond(patch, i) ? hasPoint(a, x) : hasPoint(b, crTransformPoint(*X_BA, x));
}

void crAddBoxes(crVec3 halfA, crVec3 halfB, const crPose* X_AB, crPatch* patch)
{
  crPose X_BA = crInvertPose(*X_AB);
  Seen a = { .half = halfA, .R = X_BA.R, .origin = X_AB->p }, b = { .half = halfB, .R = X_AB->R, .origin = X_BA.p };
  if (!findFirst(&b, halfA) || !findFirst(&a, halfB)) {
    return;
  }
  a.radius = crLength(halfA);
  b.radius = crLength(halfB);
  a.planes[0] = makePlane(&a, a.first);
  b.planes[0] = makePlane(&b, b.first);
  crAabb pieceA = crBoundBoxPiece(halfA, &b.planes[0]), pieceB = crBoundBoxPiece(halfB, &a.planes[0]);
  crAabb otherA = crTurnBox(&pieceA, &X_BA), otherB = crTurnBox(&pieceB, X_AB);
  crAabb boxA = crMeetBoxes(&pieceA, &otherB), boxB = crMeetBoxes(&pieceB, &otherA);
  if (!listPlanes(&b, &boxA) || !listPlanes(&a, &boxB)) {
    return;
  }
  crPatchMark mark = crPatch_Mark(patch);
  crVec3 normals[BOX_FACES];
  for (int j = 0; j < b.count; ++j) {
    normals[j] = b.planes[j].normal;
  }
  addFaces(&a, &b, normals, NULL, patch);
  if (!patch->isOneSided) {
    crPatch_TakeSecond(patch);
    for (int j = 0; j < a.count; ++j) {
      normals[j] = crMulMV(X_AB->R, a.planes[j].normal);
    }
    addFaces(&b, &a, normals, X_AB, patch);
  }
  if (!isInBoth(&a, &b, &X_BA, &mark, patch)) {
    crPatch_Undo(patch, &mark);
  }
}
