#include "collide/area/cell.h"

#include "collide/area/round_part.h"

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

// The planes through the edges of a face, across it. False: the other core is beside, or the face has no area.
static bool addSides(Cell* cell, const crPolytope* core, int face)
{
  crVec3 n = core->normals[face];
  int end = core->faceStarts[face + 1];
  crVec3 p = core->vertices[core->faceVertices[end - 1]];
  for (int k = core->faceStarts[face]; k < end; ++k) {
    crVec3 q = core->vertices[core->faceVertices[k]], across = crCross(crSub(q, p), n);
    double length = crLength(across);
    if (!(length > 0.0)) {
      return false;
    }
    across = crScale(1.0 / length, across);
    double offset = crDot(across, p);
    if (!(findMost(cell->balls, across, offset) > 0.0) || !addPlane(cell, across, offset, false)) {
      return false;
    }
    p = q;
  }
  return true;
}

// A box in axes of A around all of the other core that can be inside A's.
typedef struct Common {
  crVec3 middle, half;
} Common;

// How far a function with a gradient gets from its value in the middle.
static double findSpread(const Common* common, crVec3 gradient)
{
  return fabs(gradient.x) * common->half.x + fabs(gradient.y) * common->half.y + fabs(gradient.z) * common->half.z;
}

static double findDepth(const Common* common, crVec3 normal, double offset)
{
  return offset - crDot(normal, common->middle);
}

// Below a face: nearer to it than to the others, as far as those come into what is common.
static void addNearer(Cell* cell, const crPolytope* core, int face, const Common* common)
{
  crVec3 n = core->normals[face];
  double offset = core->offsets[face];
  double most = cell->balls->reach - cell->balls->gap; // no depth is larger where this face is the nearest
  bool isIn = addPlane(cell, n, offset, true);
  for (int k = 0; k < core->faceCount && isIn; ++k) {
    crVec3 between = crSub(core->normals[k], n);
    double more = core->offsets[k] - offset, sine = crLength(crCross(n, core->normals[k]));
    if (k == face || !(crMaxAbs(between) > 0.0)) {
      continue;
    }
    if (findDepth(common, between, more) < findSpread(common, between)) {
      double length = crLength(between);
      isIn = addPlane(cell, crScale(1.0 / length, between), more / length, true);
    }
    if (sine > CR_LEAST_SINE) {
      crVec3 side = crMulAdd(n, 1.0 / sine, between);
      double end = offset + more / sine;
      if (isIn && findDepth(common, side, end) - findSpread(common, side) < most) {
        isIn = addPlane(cell, side, end, false);
      }
    }
  }
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

static void addAbove(const crBalls* balls, const crPolytope* core, int face, const Other* b)
{
  Cell cell;
  beginCell(balls, core, face, &cell);
  if (addSides(&cell, core, face)) {
    cell.normal = core->normals[face];
    cell.offset = core->offsets[face];
    addPlane(&cell, crNeg(core->normals[face]), -core->offsets[face], true);
    fillCell(&cell, b);
  }
}

// Of a box, along one axis after the other.
typedef struct Corners {
  double low[3], high[3];
} Corners;

static void extend(Corners* corners, crVec3 p)
{
  const double x[3] = { p.x, p.y, p.z };
  for (int i = 0; i < 3; ++i) {
    corners->low[i] = crMin2(corners->low[i], x[i]);
    corners->high[i] = crMax2(corners->high[i], x[i]);
  }
}

// The other core is at most -gap below the first face, so that all in common is in a slice of the own core.
static Corners boundSlice(const crBalls* balls, const crPolytope* core)
{
  Corners corners = { { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
  crVec3 n = core->normals[balls->first];
  double limit = core->offsets[balls->first] + balls->gap; // n . x is at least that
  for (int f = 0; f < core->faceCount; ++f) {
    int end = core->faceStarts[f + 1];
    crVec3 p = core->vertices[core->faceVertices[end - 1]];
    double dp = crDot(n, p) - limit;
    for (int k = core->faceStarts[f]; k < end; ++k) {
      crVec3 q = core->vertices[core->faceVertices[k]];
      double dq = crDot(n, q) - limit;
      if (dq >= 0.0) {
        extend(&corners, q);
      }
      if (dp > 0.0 ? dq < 0.0 : dq > 0.0) {
        extend(&corners, crMulAdd(p, dp / (dp - dq), crSub(q, p)));
      }
      p = q;
      dp = dq;
    }
  }
  return corners;
}

static Common findCommon(const crBalls* balls, const crPolytope* core)
{
  static const crVec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  Corners c = boundSlice(balls, core);
  double more = CR_BOX_SLACK * core->radius;
  for (int i = 0; i < 3; ++i) {
    c.low[i] = crMax2(-findMost(balls, axes[i], 0.0), c.low[i]) - more;
    c.high[i] = crMin2(findMost(balls, crNeg(axes[i]), 0.0), c.high[i]) + more;
  }
  return (Common){ { 0.5 * (c.low[0] + c.high[0]), 0.5 * (c.low[1] + c.high[1]), 0.5 * (c.low[2] + c.high[2]) },
                   { 0.5 * (c.high[0] - c.low[0]), 0.5 * (c.high[1] - c.low[1]), 0.5 * (c.high[2] - c.low[2]) } };
}

// All that is within reach above a face is no farther below the first one than the other core gets.
static bool isFar(const crBalls* balls, const crPolytope* core, int face)
{
  crVec3 n = core->normals[balls->first];
  double least = HUGE_VAL, rise = crMax2(crDot(n, core->normals[face]), 0.0);
  for (int k = core->faceStarts[face]; k < core->faceStarts[face + 1]; ++k) {
    least = crMin2(least, core->offsets[balls->first] - crDot(n, core->vertices[core->faceVertices[k]]));
  }
  return least > balls->reach * rise - balls->gap;
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

static void addBelow(const crBalls* balls, const crPolytope* core, int face, const Common* common, const Other* b)
{
  double t = findDepth(common, core->normals[face], core->offsets[face]);
  if (t - findSpread(common, core->normals[face]) > -balls->gap) {
    return; // nowhere is it the nearest
  }
  Cell cell;
  beginCell(balls, core, face, &cell);
  addNearer(&cell, core, face, common);
  fillCell(&cell, b);
}

void crAddCells(const crBalls* balls, const crPolytope* core)
{
  Other other;
  const Other* b = NULL;
  bool isInside = !(balls->gap > 0.0);
  Common common = { .half.x = 0.0 };
  if (balls->other->kind == cr_shapeBox || balls->other->kind == cr_shapeHull) {
    fillOther(balls, core, &other);
    b = &other;
  }
  if (isInside) {
    common = findCommon(balls, core);
  }
  for (int f = 0; f < core->faceCount; ++f) {
    if (core->isInner != NULL && core->isInner[f]) {
      continue;
    }
    double most = findMost(balls, core->normals[f], core->offsets[f]);
    if (most + balls->reach > 0.0 && !isFar(balls, core, f) && !isBeyond(balls, core, f)) {
      addAbove(balls, core, f, b);
    }
    if (most > 0.0 && isInside) {
      addBelow(balls, core, f, &common, b);
    }
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
