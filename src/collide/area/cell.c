#include "collide/area/cell.h"

#include "collide/area/round_part.h"

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

// Above a face, up to the reach: the planes through its edges, across it, as far as they are near. False: nothing is.
static bool addSides(Cell* cell, const crPolytope* core, int face, const crZone* zone)
{
  crVec3 n = core->normals[face];
  double reach = cell->balls->reach, below = crZone_FindDepth(zone, n, core->offsets[face]),
         spread = crZone_FindSpread(zone, n);
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
    double offset = crDot(across, p), depth = crZone_FindDepth(zone, across, offset),
           most = crZone_FindSpread(zone, across);
    if (depth + most <= 0.0 || (depth - most < reach && !addPlane(cell, across, offset, false))) {
      return false;
    }
    p = q;
  }
  return below + spread <= 0.0 || addPlane(cell, crNeg(n), -core->offsets[face], true);
}

// Below a face: nearer to it than to the others, as far as those come into what is common. False: nothing is.
static bool addNearer(Cell* cell, const crPolytope* core, int face, const crZone* zone)
{
  crVec3 n = core->normals[face];
  double offset = core->offsets[face];
  double below = crZone_FindDepth(zone, n, offset) + crZone_FindSpread(zone, n);
  double most =
      cell->balls->reach + crMin2(below, -cell->balls->facing->gap); // no depth is larger where it is the nearest
  bool isIn = addPlane(cell, n, offset, true);
  for (int k = 0; k < core->faceCount && isIn; ++k) {
    crVec3 between = crSub(core->normals[k], n);
    if (k == face || !(crMaxAbs(between) > 0.0)) {
      continue;
    }
    double more = core->offsets[k] - offset, nearer = crZone_FindDepth(zone, between, more),
           spread = crZone_FindSpread(zone, between);
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
      if (isIn && crZone_FindDepth(zone, side, end) - crZone_FindSpread(zone, side) < most) {
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

// The faces of the other core that pass a zone.
static crFaceMarks markFaces(const crBalls* balls, const crZone* zone)
{
  const crPolytope* core = balls->facing->otherCore;
  crFaceMarks marks = { { 0 } };
  crPose X_BA = crInvertPose(balls->X_AB);
  crZone turned = crPlaceZone(zone, &X_BA);
  for (int f = 0; f < core->faceCount && f < CR_MARKED_FACES; ++f) {
    double depth = crZone_FindDepth(&turned, core->normals[f], core->offsets[f]);
    bool isIn = fabs(depth) <= crZone_FindSpread(&turned, core->normals[f]);
    marks.bits[f / 64] |= (uint64_t)isIn << f % 64;
  }
  return marks;
}

// marks: NULL if the other core is round.
static void fillCell(const Cell* cell, const crFaceMarks* marks)
{
  if (marks == NULL) {
    addRound(cell);
  } else {
    addPolytope(cell, cell->balls->facing->otherCore, marks);
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

// All of a face is beyond the fence: nothing above it is within reach.
static bool isBeyond(const crBalls* balls, const crPolytope* core, int face)
{
  const crFence* fence = &balls->fence;
  int k = core->faceStarts[face], end = core->faceStarts[face + 1];
  while (k < end && balls->hasFence &&
         crDot(fence->normal, core->vertices[core->faceVertices[k]]) - fence->offset >= balls->reach) {
    ++k;
  }
  return k == end;
}

// Planes were left out that nothing in the zone is beyond. So if one place that was found is in the zone, all are: they
// are a part of the surface of something convex, of which those planes would cut nothing. Else they would have cut all.
static void keepIfNear(const crBalls* balls, const crZone* zone, const crPatchMark* mark)
{
  crPatch* patch = balls->patch;
  int i = patch->isSpilled ? -1 : crPatch_FindSince(patch, mark);
  if (i >= 0) {
    crVec3 m = crMakeVec3(patch->m[0][i], patch->m[1][i], patch->m[2][i]);
    if (!crZone_Has(zone, crMulAdd(crPatch_GetPoint(patch, i), balls->other->sweep, m))) {
      crPatch_Undo(patch, mark);
    }
  }
}

static void addAbove(const crBalls* balls, const crPolytope* core, int face, const crZone* zone,
                     const crFaceMarks* marks)
{
  Cell cell;
  beginCell(balls, core, face, &cell);
  if (addSides(&cell, core, face, zone)) {
    crPatchMark mark = crPatch_Mark(balls->patch);
    cell.normal = core->normals[face];
    cell.offset = core->offsets[face];
    fillCell(&cell, marks);
    keepIfNear(balls, zone, &mark);
  }
}

static void addBelow(const crBalls* balls, const crPolytope* core, int face, const crZone* zone)
{
  double t = crZone_FindDepth(zone, core->normals[face], core->offsets[face]),
         spread = crZone_FindSpread(zone, core->normals[face]);
  if (t - spread > -balls->facing->gap || t + spread < 0.0) {
    return; // nowhere is it the nearest
  }
  Cell cell;
  beginCell(balls, core, face, &cell);
  if (addNearer(&cell, core, face, zone)) {
    crPatchMark mark = crPatch_Mark(balls->patch);
    addRound(&cell);
    keepIfNear(balls, zone, &mark);
  }
}

// The faces of the own core that points in common can be below, nearest to, or so near to that they feel the reach of
// an edge between. In axes of the other one.
static bool listFaces(const crBalls* balls, const crPolytope* core, const crZone* zone, crCells* out)
{
  const crPose* X = &balls->X_AB;
  double most = balls->reach - balls->facing->gap;
  out->reach = balls->reach;
  out->count = 0;
  for (int i = -1; i < core->faceCount; ++i) {
    int f = i < 0 ? balls->facing->first : i;
    crVec3 n = core->normals[f];
    double t = crZone_FindDepth(zone, n, core->offsets[f]), spread = crZone_FindSpread(zone, n);
    if (t + spread < 0.0) {
      return false;
    }
    if (i == balls->facing->first || (i >= 0 && t - spread >= most)) {
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
static void addAllBelow(const crBalls* balls, const crPolytope* core, const crZone* zone, const crFaceMarks* marks)
{
  crPatch* patch = balls->patch;
  crCells cells;
  if (!listFaces(balls, core, zone, &cells)) {
    return;
  }
  Cell below = { .balls = balls };
  crPatchMark mark = crPatch_Mark(patch);
  double before = patch->depth;
  holdFeet(&below, finishFeet);
  crAddFacesInCells(balls->facing->otherCore, marks, &cells, &balls->X_AB, patch);
  releaseFeet(&below, before);
  keepIfNear(balls, zone, &mark);
}

void crAddCells(const crBalls* balls, const crZone* near)
{
  const crFacing* facing = balls->facing;
  const crPolytope* core = facing->core;
  bool isRound = facing->otherCore == NULL;
  crZone within;
  bool isInside = !(facing->gap > 0.0) && crFindZones(facing, 0.0, NULL, &within);
  crFaceMarks marks;
  if (!isRound) {
    marks = markFaces(balls, near);
  }
  for (int f = 0; f < core->faceCount; ++f) {
    if (core->isInner != NULL && core->isInner[f]) {
      continue;
    }
    if (!isBeyond(balls, core, f)) {
      addAbove(balls, core, f, near, isRound ? NULL : &marks);
    }
    if (isInside && isRound) {
      addBelow(balls, core, f, &within);
    }
  }
  if (isInside && !isRound) {
    marks = markFaces(balls, &within);
    addAllBelow(balls, core, &within, &marks);
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
