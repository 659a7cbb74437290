#include "collide/area/cell.h"

#include "collide/area/round_part.h"

#include <string.h>

#define CR_BOX_SLACK 1e-10 // [-] of the radius, around what is common: see polytope.c
#define CR_LEAST_SINE 1e-9 // [-] of the angle between faces: nearer to 0 they are parallel, and no edge is between them

// A face's cell, above or below the face; in axes of A. The first plane is that of the reach.
typedef struct Cell {
  const crBalls* balls;
  crVec3 normal; // of the face that points count on; zero below it
  double offset; // [m]
  int count;
  crAreaPlane planes[CR_MAX_PLANES];
} Cell;

// ------------------------------------------------------------------------------------------------- planes

static bool addPlane(Cell* cell, crVec3 normal, double offset, bool isInner)
{
  if (cell->count == CR_MAX_PLANES) {
    cell->balls->patch->isBroken = true;
    return false;
  }
  cell->planes[cell->count++] = (crAreaPlane){ normal, offset, isInner };
  return true;
}

// How far the other core gets below a plane.
static double findMost(const crBalls* balls, crVec3 normal, double offset)
{
  const crPose* X = &balls->X_AB;
  return -crFindHeight(balls->other, crMulTV(X->R, normal), offset - crDot(normal, X->p));
}

// A box around all of the other core that can be inside A's, or that can be within reach of it; as thin along the
// normal of A's first face as that is. In axes of A.
typedef struct Common {
  crVec3 middle, axes[3];
  double half[3];
} Common;

// How far a function with a gradient gets from its value in the middle.
static double findSpread(const Common* common, crVec3 gradient)
{
  return fabs(crDot(gradient, common->axes[0])) * common->half[0] +
         fabs(crDot(gradient, common->axes[1])) * common->half[1] +
         fabs(crDot(gradient, common->axes[2])) * common->half[2];
}

static double findDepth(const Common* common, crVec3 normal, double offset)
{
  return offset - crDot(normal, common->middle);
}

static bool isInCommon(const Common* common, crVec3 x)
{
  crVec3 v = crSub(x, common->middle);
  return fabs(crDot(v, common->axes[0])) <= common->half[0] && fabs(crDot(v, common->axes[1])) <= common->half[1] &&
         fabs(crDot(v, common->axes[2])) <= common->half[2];
}

// Above a face, up to the reach: the planes through its edges, across it, as far as they are near. False: nothing is.
static bool addSides(Cell* cell, const crPolytope* core, int face, const Common* common)
{
  crVec3 n = core->normals[face];
  double reach = cell->balls->reach, below = findDepth(common, n, core->offsets[face]), spread = findSpread(common, n);
  if (below - spread >= 0.0 || below + spread <= -reach) {
    return false;
  }
  int end = core->faceStarts[face + 1];
  crVec3 p = core->vertices[core->faceVertices[end - 1]];
  for (int k = core->faceStarts[face]; k < end; ++k) {
    crVec3 q = core->vertices[core->faceVertices[k]], across = crCross(crSub(q, p), n);
    double length = crLength(across);
    if (!(length > 0.0)) {
      return false; // the face has no area
    }
    across = crScale(1.0 / length, across);
    double offset = crDot(across, p), depth = findDepth(common, across, offset), most = findSpread(common, across);
    if (depth + most <= 0.0 || (depth - most < reach && !addPlane(cell, across, offset, false))) {
      return false;
    }
    p = q;
  }
  return below + spread <= 0.0 || addPlane(cell, crNeg(n), -core->offsets[face], true);
}

// Below a face: nearer to it than to the others, as far as those come into what is common. False: nothing is.
static bool addNearer(Cell* cell, const crPolytope* core, int face, const Common* common)
{
  crVec3 n = core->normals[face];
  double offset = core->offsets[face];
  double below = findDepth(common, n, offset) + findSpread(common, n);
  double most = cell->balls->reach + crMin2(below, -cell->balls->gap); // no depth is larger where this face is nearest
  bool isIn = addPlane(cell, n, offset, true);
  for (int k = 0; k < core->faceCount && isIn; ++k) {
    crVec3 between = crSub(core->normals[k], n);
    if (k == face || !(crMaxAbs(between) > 0.0)) {
      continue;
    }
    double more = core->offsets[k] - offset, nearer = findDepth(common, between, more),
           spread = findSpread(common, between);
    if (nearer + spread < 0.0) {
      return false;
    }
    if (nearer < spread) {
      double length = crLength(between);
      isIn = addPlane(cell, crScale(1.0 / length, between), more / length, true);
    }
    double sine = crLength(crCross(n, core->normals[k]));
    if (sine > CR_LEAST_SINE) {
      crVec3 side = crMulAdd(n, 1.0 / sine, between);
      double end = offset + more / sine;
      if (isIn && findDepth(common, side, end) - findSpread(common, side) < most) {
        isIn = addPlane(cell, side, end, false);
      }
    }
  }
  return isIn;
}

// -------------------------------------------------------------------------------------------------- faces

// Where points count, and where they press.
static void finishFeet(crPatch* patch, int from, int to, const void* data)
{
  const Cell* cell = data;
  crVec3 n = cell->normal;
  double sink = cell->balls->other->sweep;
  for (int i = from; i < to; ++i) {
    double h = n.x * patch->x[0][i] + n.y * patch->x[1][i] + n.z * patch->x[2][i] - cell->offset;
    patch->z[0][i] = patch->x[0][i] - h * n.x;
    patch->z[1][i] = patch->x[1][i] - h * n.y;
    patch->z[2][i] = patch->x[2][i] - h * n.z;
    patch->e[i] = 0.0;
    patch->q[0][i] = n.x;
    patch->q[1][i] = n.y;
    patch->q[2][i] = n.z;
    patch->s[i] = -1.0;
    for (int k = 0; k < 3; ++k) {
      patch->x[k][i] -= sink * patch->m[k][i];
    }
  }
}

static void holdFeet(const Cell* cell, crPatchFinish finish)
{
  crPatch_Hold(cell->balls->patch, true, true, cell->balls->other->sweep, finish, cell);
}

// Ends that, and places the deepest point if it has become deeper.
static void releaseFeet(const Cell* cell, double before)
{
  crPatch* patch = cell->balls->patch;
  crPatch_Release(patch);
  if (patch->depth > before) {
    crVec3 x = patch->deepest, n = cell->normal;
    patch->deepestSpot = crMulAdd(x, cell->offset - crDot(n, x), n);
    patch->deepest = crMulAdd(x, -cell->balls->other->sweep, patch->deepestNormal);
  }
}

// Likewise of points that came in axes of the other shape.
static void finishTurned(crPatch* patch, int from, int to, const void* data)
{
  const Cell* cell = data;
  crPatch_Place(patch, from, to, &cell->balls->X_AB);
  finishFeet(patch, from, to, data);
}

static void addPolytope(const Cell* cell, const crPolytope* b, const crFaceMarks* marks)
{
  const crBalls* balls = cell->balls;
  const crPose* X = &balls->X_AB;
  crAreaPlane planes[CR_MAX_PLANES];
  crVec3 normals[CR_MAX_PLANES];
  for (int j = 0; j < cell->count; ++j) {
    const crAreaPlane* plane = &cell->planes[j];
    normals[j] = plane->normal;
    planes[j] =
        (crAreaPlane){ crMulTV(X->R, plane->normal), plane->offset - crDot(plane->normal, X->p), plane->isInner };
  }
  double before = balls->patch->depth;
  holdFeet(cell, finishFeet);
  crAddMarkedFaces(b, marks, cell->count, planes, normals, X, balls->patch);
  releaseFeet(cell, before);
}

static void addRoundPart(const Cell* cell, const crRoundPart* part)
{
  const crBalls* balls = cell->balls;
  crPatch* patch = balls->patch;
  crPose X_BA = crInvertPose(balls->X_AB);
  crVec3 normals[CR_MAX_PLANES];
  double offsets[CR_MAX_PLANES], depth = patch->depth, steepest = 1.0;
  bool areInner[CR_MAX_PLANES];
  crAreaPlane planes[CR_MAX_PLANES];
  crOverlap overlap;
  for (int j = 0; j < cell->count; ++j) {
    normals[j] = cell->planes[j].normal;
    offsets[j] = cell->planes[j].offset;
    areInner[j] = cell->planes[j].isInner;
    steepest = crMax2(steepest, crLength(normals[j]));
  }
  crPolytope bounds = {
    .faceCount = cell->count, .normals = normals, .offsets = offsets, .isInner = areInner, .steepest = steepest
  };
  int count = crRoundPart_ListPlanes(part, &bounds, &X_BA, &overlap, planes);
  patch->isBroken |= count < 0;
  if (count <= 0) {
    return;
  }
  holdFeet(cell, finishTurned);
  crRoundPart_AddSurface(part, &overlap, count, planes, patch);
  if (patch->depth > depth) {
    patch->deepest = crTransformPoint(balls->X_AB, patch->deepest);
    patch->deepestNormal = crMulMV(balls->X_AB.R, patch->deepestNormal);
  }
  releaseFeet(cell, depth);
}

static void addRound(const Cell* cell)
{
  static const bool isInner[6] = { true, true, false, false, false, false };
  const crShape* b = cell->balls->other;
  const crCore* core = &b->core;
  if (b->kind == cr_shapeBeam) { // a box whose ends are open, and two half cylinders
    crVec3 h = core->half;
    crSide side = { h.y, -h.z, h.y, h.z };
    crPolytope middle;
    crMakeBoxPolytope(h, &middle);
    middle.isInner = isInner;
    addPolytope(cell, &middle, NULL);
    addRoundPart(cell, &(crRoundPart){ side, h.x, 1 });
    addRoundPart(cell, &(crRoundPart){ side, -h.x, -1 });
    return;
  }
  double top = b->kind == cr_shapeCone ? core->topRadius : core->radius;
  addRoundPart(cell, &(crRoundPart){ { core->radius, core->zMin, top, core->zMax }, 0.0, 0 });
}

// -------------------------------------------------------------------------------------------------- cells

// The other core, if it has faces, and those of them that can be within reach.
typedef struct Other {
  crPolytope core;
  crFaceMarks marks;
} Other;

// Everything within reach of the own core is not farther above its first face; and, the own core being so far above one
// face of the other (the first fence), not farther below that.
static void fillOther(const crBalls* balls, const crPolytope* core, Other* out)
{
  const crPose* X = &balls->X_AB;
  const crFence* fence = &balls->fences[0];
  double more = CR_BOX_SLACK * (core->radius + balls->reach);
  crVec3 n = core->normals[balls->first], m = crNeg(fence->normal);
  double above = core->offsets[balls->first] + balls->reach + more,
         below = balls->reach - fence->height - fence->offset + more;
  crAreaPlane planes[2] = { { crMulTV(X->R, n), above - crDot(n, X->p), false },
                            { crMulTV(X->R, m), below - crDot(m, X->p), false } };
  crMakePolytope(balls->other, &out->core);
  out->marks = crMarkFaces(&out->core, &planes[0], 0);
  crFaceMarks others = crMarkFaces(&out->core, &planes[1], 0);
  for (int i = 0; i < CR_MARKED_FACES / 64; ++i) {
    out->marks.bits[i] &= others.bits[i];
  }
}

// b: NULL if the other core is round.
static void fillCell(const Cell* cell, const Other* b)
{
  if (b == NULL) {
    addRound(cell);
  } else {
    addPolytope(cell, &b->core, &b->marks);
  }
}

// Planes are left as they are.
static void beginCell(const crBalls* balls, const crPolytope* core, int face, Cell* out)
{
  out->balls = balls;
  out->normal = crMakeVec3(0.0, 0.0, 0.0);
  out->offset = 0.0;
  out->count = 0;
  addPlane(out, core->normals[face], core->offsets[face] + balls->reach, false);
}

// Extents along the axes of a box.
typedef struct Extents {
  double low[3], high[3];
} Extents;

static void extend(Extents* extents, const double at[3])
{
  for (int i = 0; i < 3; ++i) {
    extents->low[i] = crMin2(extents->low[i], at[i]);
    extents->high[i] = crMax2(extents->high[i], at[i]);
  }
}

static void project(crVec3 p, const crVec3 axes[3], double out[3])
{
  for (int i = 0; i < 3; ++i) {
    out[i] = crDot(axes[i], p);
  }
}

// Of what is left of a polytope where sign (axes[0] . x - limit) >= 0.
static Extents boundSlice(const crPolytope* core, const crVec3 axes[3], double limit, double sign)
{
  Extents extents = { { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
  for (int f = 0; f < core->faceCount; ++f) {
    int end = core->faceStarts[f + 1];
    double p[3], q[3], cut[3];
    project(core->vertices[core->faceVertices[end - 1]], axes, p);
    for (int k = core->faceStarts[f]; k < end; ++k) {
      project(core->vertices[core->faceVertices[k]], axes, q);
      double dp = sign * (p[0] - limit), dq = sign * (q[0] - limit);
      if (dq >= 0.0) {
        extend(&extents, q);
      }
      if (dp > 0.0 ? dq < 0.0 : dq > 0.0) {
        for (int i = 0; i < 3; ++i) {
          cut[i] = p[i] + dp / (dp - dq) * (q[i] - p[i]);
        }
        extend(&extents, cut);
      }
      memcpy(p, q, sizeof p);
    }
  }
  return extents;
}

// Of the other core, in axes of A; if it has faces, of the part where axes[0] . x <= limit.
static Extents boundOther(const crBalls* balls, const Other* b, const crVec3 axes[3], double limit)
{
  const crPose* X = &balls->X_AB;
  Extents extents;
  if (b == NULL) {
    for (int i = 0; i < 3; ++i) {
      extents.low[i] = -findMost(balls, axes[i], 0.0);
      extents.high[i] = findMost(balls, crNeg(axes[i]), 0.0);
    }
    return extents;
  }
  crVec3 turned[3] = { crMulTV(X->R, axes[0]), crMulTV(X->R, axes[1]), crMulTV(X->R, axes[2]) };
  extents = boundSlice(&b->core, turned, limit - crDot(axes[0], X->p), -1.0);
  for (int i = 0; i < 3; ++i) {
    extents.low[i] += crDot(axes[i], X->p);
    extents.high[i] += crDot(axes[i], X->p);
  }
  return extents;
}

// The other core is at most -gap below the first face. So all of it that is not farther from A's than `wide` is in a
// slice of it, and next to a slice of A's. False: there is nothing.
static bool findCommon(const crBalls* balls, const crPolytope* core, const Other* b, double wide, Common* out)
{
  crVec3 n = core->normals[balls->first], across = crFindAcross(n);
  double more = CR_BOX_SLACK * (core->radius + wide), top = core->offsets[balls->first];
  *out = (Common){ .axes = { n, across, crCross(n, across) } };
  Extents own = boundSlice(core, out->axes, top + balls->gap - wide, 1.0),
          other = boundOther(balls, b, out->axes, top + wide);
  crVec3 middle = crMakeVec3(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i) {
    double low = crMax2(own.low[i] - wide, other.low[i]) - more,
           high = crMin2(own.high[i] + wide, other.high[i]) + more;
    if (!(low < high)) {
      return false;
    }
    middle = crMulAdd(middle, 0.5 * (low + high), out->axes[i]);
    out->half[i] = 0.5 * (high - low);
  }
  out->middle = middle;
  return true;
}

// All of a face is beyond a fence: nothing above it is within reach.
static bool isBeyond(const crBalls* balls, const crPolytope* core, int face)
{
  for (int i = 0; i < balls->fenceCount; ++i) {
    const crFence* fence = &balls->fences[i];
    int k = core->faceStarts[face], end = core->faceStarts[face + 1];
    while (k < end && crDot(fence->normal, core->vertices[core->faceVertices[k]]) - fence->offset >= balls->reach) {
      ++k;
    }
    if (k == end) {
      return true;
    }
  }
  return false;
}

// Planes were left out that no place in common is beyond. So if one that was found is in common, all are: they are a
// part of the surface of something convex, of which those planes would cut nothing. Else they would have cut all of it.
static void keepIfCommon(const crBalls* balls, const Common* common, const crPatchMark* mark)
{
  crPatch* patch = balls->patch;
  int i = patch->isSpilled ? -1 : crPatch_FindSince(patch, mark);
  if (i >= 0) {
    crVec3 m = crMakeVec3(patch->m[0][i], patch->m[1][i], patch->m[2][i]);
    if (!isInCommon(common, crMulAdd(crPatch_GetPoint(patch, i), balls->other->sweep, m))) {
      crPatch_Undo(patch, mark);
    }
  }
}

static void addAbove(const crBalls* balls, const crPolytope* core, int face, const Common* common, const Other* b)
{
  Cell cell;
  beginCell(balls, core, face, &cell);
  if (addSides(&cell, core, face, common)) {
    crPatchMark mark = crPatch_Mark(balls->patch);
    cell.normal = core->normals[face];
    cell.offset = core->offsets[face];
    fillCell(&cell, b);
    keepIfCommon(balls, common, &mark);
  }
}

static void addBelow(const crBalls* balls, const crPolytope* core, int face, const Common* common)
{
  double t = findDepth(common, core->normals[face], core->offsets[face]),
         spread = findSpread(common, core->normals[face]);
  if (t - spread > -balls->gap || t + spread < 0.0) {
    return; // nowhere is it the nearest
  }
  Cell cell;
  beginCell(balls, core, face, &cell);
  if (addNearer(&cell, core, face, common)) {
    crPatchMark mark = crPatch_Mark(balls->patch);
    addRound(&cell);
    keepIfCommon(balls, common, &mark);
  }
}

// The faces of the own core that points in common can be below, nearest to, or so near to that they feel the reach of
// an edge between. In axes of the other one.
static bool listFaces(const crBalls* balls, const crPolytope* core, const Common* common, crCells* out)
{
  const crPose* X = &balls->X_AB;
  double most = balls->reach - balls->gap;
  out->reach = balls->reach;
  out->count = 0;
  for (int i = -1; i < core->faceCount; ++i) {
    int f = i < 0 ? balls->first : i;
    crVec3 n = core->normals[f];
    double t = findDepth(common, n, core->offsets[f]), spread = findSpread(common, n);
    if (t + spread < 0.0) {
      return false;
    }
    if (i == balls->first || (i >= 0 && t - spread >= most)) {
      continue;
    }
    if (out->count == CR_MAX_PLANES) {
      balls->patch->isBroken = true;
      return false;
    }
    int k = out->count++;
    out->planes[k] = (crAreaPlane){ crMulTV(X->R, n), core->offsets[f] - crDot(n, X->p), false };
    out->normals[k] = n;
    out->areInner[k] = core->isInner != NULL && core->isInner[f];
  }
  return true;
}

// Everything below faces at once.
static void addAllBelow(const crBalls* balls, const crPolytope* core, const Common* common, const Other* b)
{
  crPatch* patch = balls->patch;
  crCells cells;
  if (!listFaces(balls, core, common, &cells)) {
    return;
  }
  Cell below = { .balls = balls };
  crPatchMark mark = crPatch_Mark(patch);
  double before = patch->depth;
  holdFeet(&below, finishFeet);
  crAddFacesInCells(&b->core, &b->marks, &cells, &balls->X_AB, patch);
  releaseFeet(&below, before);
  keepIfCommon(balls, common, &mark);
}

void crAddCells(const crBalls* balls, const crPolytope* core)
{
  Other other;
  const Other* b = NULL;
  Common within, near;
  if (balls->other->kind == cr_shapeBox || balls->other->kind == cr_shapeHull) {
    fillOther(balls, core, &other);
    b = &other;
  }
  bool isInside = !(balls->gap > 0.0) && findCommon(balls, core, b, 0.0, &within),
       isNear = findCommon(balls, core, b, balls->reach, &near);
  for (int f = 0; f < core->faceCount; ++f) {
    if (core->isInner != NULL && core->isInner[f]) {
      continue;
    }
    if (isNear && !isBeyond(balls, core, f)) {
      addAbove(balls, core, f, &near, b);
    }
    if (isInside && b == NULL) {
      addBelow(balls, core, f, &within);
    }
  }
  if (isInside && b != NULL) {
    addAllBelow(balls, core, &within, b);
  }
}

void crAddFacesOnGround(const crBalls* balls, const crPolytope* core)
{
  const crPose* X = &balls->X_AB;
  crVec3 n = X->R.cz;
  crAreaPlane ground = { n, balls->reach + crDot(n, X->p), false };
  crPose shift = { crIdentityMat3(), crScale(-balls->sweep, n) };
  crPatch_TakeOffset(balls->patch, false, crScale(balls->sweep, n));
  crAddFaces(core, 1, &ground, &n, &shift, balls->patch);
}
