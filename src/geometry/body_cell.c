#include "geometry/body_cell.h"

#include "base/sort.h"
#include "geometry/exact.h"

#include <stdlib.h>
#include <string.h>

#define CR_DEPTH_FLOOR 1e-12 // [-] of the hull: depths are no more exact
#define CR_LEAST_SHARE 1e-9  // [-] below it a face is along the way, not across
#define CR_CORNER_STEP 2.0   // [-] of the slack, from a corner to where it is looked at
#define CR_CORNER_SHARE 0.5  // [-] of the way to the middle of the cell, at most

static double findHeight(crCutPlane plane, crVec3 x)
{
  return crDot(plane.normal, x) - plane.offset;
}

// ----------------------------------------------------------------------------------------------- polygons

// Between a point below a plane and one above: the same whichever polygon asks.
static crVec3 findCrossing(crCutPlane plane, crVec3 below, crVec3 above)
{
  double low = -findHeight(plane, below), high = findHeight(plane, above);
  return crMulAdd(below, low / (low + high), crSub(above, below));
}

typedef enum Side { isBelow = -1, isOn = 0, isAbove = 1 } Side;

static Side findSide(crCutPlane plane, crVec3 x, double slack)
{
  double height = findHeight(plane, x);
  return height < -slack ? isBelow : height > slack ? isAbove : isOn;
}

// The part of a polygon on one side of a plane; count 0: none. false: out of memory.
static bool clip(const crFlat* flat, crCutPlane plane, double slack, Side wanted, crArena* arena, crFlat* out)
{
  *out = (crFlat){ flat->plane, 0, crArena_Allocate(arena, (size_t)(flat->count + 2) * 2 * sizeof *out->points) };
  for (int k = 0; out->points != NULL && k < flat->count; ++k) {
    crVec3 a = flat->points[k], b = flat->points[(k + 1) % flat->count];
    Side sideA = findSide(plane, a, slack), sideB = findSide(plane, b, slack);
    if (sideA == wanted || sideA == isOn) {
      out->points[out->count++] = a;
    }
    if (sideA != isOn && sideB != isOn && sideA != sideB) {
      out->points[out->count++] = sideA == isBelow ? findCrossing(plane, a, b) : findCrossing(plane, b, a);
    }
  }
  out->count = out->count < 3 ? 0 : out->count;
  return out->points != NULL;
}

typedef struct Sides {
  bool hasBelow, hasAbove;
} Sides;

static Sides findSides(const crFlat* flat, crCutPlane plane, double slack)
{
  Sides sides = { false, false };
  for (int k = 0; k < flat->count; ++k) {
    Side side = findSide(plane, flat->points[k], slack);
    sides.hasBelow |= side == isBelow;
    sides.hasAbove |= side == isAbove;
  }
  return sides;
}

static bool cutFlat(const crFlat* flat, crCutPlane plane, double slack, crArena* arena, crFlat* outBelow,
                    crFlat* outAbove)
{
  Sides sides = findSides(flat, plane, slack);
  *outBelow = *outAbove = *flat;
  if (!sides.hasAbove || !sides.hasBelow) {
    outBelow->count = sides.hasAbove ? 0 : flat->count;
    outAbove->count = sides.hasBelow ? 0 : flat->count;
    return true;
  }
  return clip(flat, plane, slack, isBelow, arena, outBelow) && clip(flat, plane, slack, isAbove, arena, outAbove);
}

// -------------------------------------------------------------------------------------------------- cells

static bool makeRoom(crArena* arena, int fragmentCount, int faceCount, int cornerCount, crBodyCell* out)
{
  *out = (crBodyCell){ 0 };
  out->fragments = crArena_AllocateZero(arena, (size_t)fragmentCount + 1, sizeof *out->fragments);
  out->faces = crArena_AllocateZero(arena, (size_t)faceCount, sizeof *out->faces);
  out->corners = crArena_AllocateZero(arena, (size_t)cornerCount + 1, sizeof *out->corners);
  return out->fragments != NULL && out->faces != NULL && out->corners != NULL;
}

static crVec3 findMiddle(const crBodyCell* cell)
{
  crVec3 sum = crMakeVec3(0.0, 0.0, 0.0);
  for (int i = 0; i < cell->cornerCount; ++i) {
    sum = crAdd(sum, cell->corners[i].point);
  }
  return crScale(1.0 / (cell->cornerCount > 0 ? cell->cornerCount : 1), sum);
}

// Looked at a little inside the cell, farther than what is nearer to a plane is on it: where a polygon passes between,
// that has the corner, too.
static bool isInBody(const crCellSource* source, crVec3 corner, crVec3 middle)
{
  crVec3 inward = crSub(middle, corner);
  double way = crLength(inward), step = fmin(CR_CORNER_STEP * source->slack, CR_CORNER_SHARE * way);
  crVec3 x = way > 0.0 ? crMulAdd(corner, step / way, inward) : corner;
  return crInside_CountWindings(&source->inside, x) * source->sign > 0;
}

bool crMakeFirstCell(const crCellSource* source, crArena* arena, crBodyCell* outCell)
{
  static const int loops[6][4] = { { 1, 3, 7, 5 }, { 0, 4, 6, 2 }, { 2, 6, 7, 3 },
                                   { 0, 1, 5, 4 }, { 4, 5, 7, 6 }, { 0, 2, 3, 1 } };
  crMeshDef def = crMesh_GetDef(source->inside.mesh);
  crAabb box = crMesh_GetFacts(source->inside.mesh).bounds;
  crVec3* room = crArena_Allocate(arena, ((size_t)def.triangleCount * 3 + 24) * sizeof *room);
  if (room == NULL || !makeRoom(arena, def.triangleCount, 6, 8, outCell)) {
    return false;
  }
  for (int t = 0; t < def.triangleCount; ++t) {
    const int32_t* c = def.triangles[t];
    crVec3 a = def.points[c[0]], b = def.points[c[source->sign > 0 ? 1 : 2]],
           d = def.points[c[source->sign > 0 ? 2 : 1]];
    crVec3 normal = crExactCross(crSub(b, a), crSub(d, a));
    if (crLength(normal) > 0.0) {
      normal = crNormalize(normal);
      room[0] = a;
      room[1] = b;
      room[2] = d;
      outCell->fragments[outCell->fragmentCount++] = (crFlat){ { normal, crDot(normal, a) }, 3, room };
      room += 3;
    }
  }
  for (int i = 0; i < 8; ++i) {
    outCell->corners[i].point =
        crMakeVec3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
  }
  outCell->cornerCount = 8;
  for (int f = 0; f < 6; ++f, room += 4) {
    for (int k = 0; k < 4; ++k) {
      room[k] = outCell->corners[loops[f][k]].point;
    }
    outCell->faces[f] = (crFlat){ .count = 4, .points = room };
  }
  outCell->faceCount = 6;
  for (int i = 0; i < 8; ++i) {
    outCell->corners[i].isInBody = isInBody(source, outCell->corners[i].point, findMiddle(outCell));
  }
  return true;
}

// A corner that is not there yet.
static void addCorner(crBodyCell* cell, crVec3 x, double slack)
{
  for (int i = 0; i < cell->cornerCount; ++i) {
    if (crLength(crSub(cell->corners[i].point, x)) <= slack) {
      return;
    }
  }
  cell->corners[cell->cornerCount++] = (crCellCorner){ x, false };
}

// Where the surface of a cell is cut.
typedef struct Rim {
  crCellCorner* corners;
  int count;
} Rim;

static void addToRim(Rim* rim, crVec3 x, double slack)
{
  crBodyCell cell = { .corners = rim->corners, .cornerCount = rim->count };
  addCorner(&cell, x, slack);
  rim->count = cell.cornerCount;
}

typedef struct Turned {
  double angle;
  crVec3 point;
} Turned;

// Of a vector from the middle: grows with the angle, from -2 to 2.
static double findTurn(double x, double y)
{
  double sum = fabs(x) + fabs(y);
  return sum > 0.0 ? (x >= 0.0 ? y / sum : y >= 0.0 ? 2.0 - y / sum : -2.0 - y / sum) : 0.0;
}

static int compareTurns(const void* a, const void* b)
{
  const Turned *x = a, *y = b;
  return x->angle < y->angle ? -1 : x->angle > y->angle;
}

// The rim as a polygon, in order around its middle.
static bool makeCap(const Rim* rim, crCutPlane plane, crArena* arena, crFlat* out)
{
  Turned* turned = crArena_Allocate(arena, (size_t)rim->count * sizeof *turned);
  *out = (crFlat){ plane, rim->count, crArena_Allocate(arena, (size_t)rim->count * sizeof *out->points) };
  if (turned == NULL || out->points == NULL) {
    return false;
  }
  crBodyCell cell = { .corners = rim->corners, .cornerCount = rim->count };
  crVec3 middle = findMiddle(&cell), n = plane.normal;
  crVec3 across = fabs(n.x) < 0.6 ? crMakeVec3(1.0, 0.0, 0.0) : crMakeVec3(0.0, 1.0, 0.0); // NOLINT: not along n
  crVec3 u = crNormalize(crCross(across, n)), v = crCross(n, u);
  for (int i = 0; i < rim->count; ++i) {
    crVec3 d = crSub(rim->corners[i].point, middle);
    turned[i] = (Turned){ findTurn(crDot(u, d), crDot(v, d)), rim->corners[i].point };
  }
  qsort(turned, (size_t)rim->count, sizeof *turned, compareTurns);
  for (int i = 0; i < rim->count; ++i) {
    out->points[i] = turned[i].point;
  }
  return true;
}

static bool cutFaces(const crCellSource* source, const crBodyCell* cell, crCutPlane plane, crArena* arena,
                     crBodyCell* below, crBodyCell* above)
{
  for (int f = 0; f < cell->faceCount; ++f) {
    crFlat low, high;
    if (!cutFlat(&cell->faces[f], plane, source->slack, arena, &low, &high)) {
      return false;
    }
    bool isFlat = low.count > 0 && high.count > 0 && low.count == cell->faces[f].count &&
                  high.count == cell->faces[f].count && low.points == high.points; // it lies on the plane
    if (low.count > 0 && !isFlat) {
      below->faces[below->faceCount++] = low;
    }
    if (high.count > 0 && !isFlat) {
      above->faces[above->faceCount++] = high;
    }
  }
  return true;
}

static bool cutFragments(const crCellSource* source, const crBodyCell* cell, crCutPlane plane, crArena* arena,
                         crBodyCell* below, crBodyCell* above)
{
  for (int f = 0; f < cell->fragmentCount; ++f) {
    crFlat low, high;
    if (!cutFlat(&cell->fragments[f], plane, source->slack, arena, &low, &high)) {
      return false;
    }
    bool isOnPlane = low.count > 0 && high.count > 0 && low.points == high.points;
    bool isBodyBelow = crDot(low.plane.normal, plane.normal) > 0.0;
    if (low.count > 0 && (!isOnPlane || isBodyBelow)) {
      below->fragments[below->fragmentCount++] = low;
    }
    if (high.count > 0 && (!isOnPlane || !isBodyBelow)) {
      above->fragments[above->fragmentCount++] = high;
    }
  }
  return true;
}

// Corners of a part: those of the cell on its side, and the rim.
static void listCorners(const crCellSource* source, const crBodyCell* cell, crCutPlane plane, Side side, const Rim* rim,
                        crBodyCell* part)
{
  for (int i = 0; i < cell->cornerCount; ++i) {
    if (findSide(plane, cell->corners[i].point, source->slack) == side) {
      part->corners[part->cornerCount++] = cell->corners[i];
    }
  }
  if (part->cornerCount == 0) {
    return; // nothing is on this side
  }
  int start = part->cornerCount;
  for (int i = 0; i < rim->count; ++i) {
    part->corners[part->cornerCount++] = rim->corners[i];
  }
  crVec3 middle = findMiddle(part);
  for (int i = start; i < part->cornerCount; ++i) {
    part->corners[i].isInBody = isInBody(source, part->corners[i].point, middle);
  }
}

static int countPoints(const crBodyCell* cell)
{
  int count = 0;
  for (int f = 0; f < cell->faceCount; ++f) {
    count += cell->faces[f].count;
  }
  return count;
}

// Points of the cut faces on the plane.
static void listRim(const crCellSource* source, const crBodyCell* part, crCutPlane plane, Rim* rim)
{
  for (int f = 0; f < part->faceCount; ++f) {
    for (int k = 0; k < part->faces[f].count; ++k) {
      crVec3 x = part->faces[f].points[k];
      if (findSide(plane, x, source->slack) == isOn) {
        addToRim(rim, x, source->slack);
      }
    }
  }
}

bool crCutCell(const crCellSource* source, const crBodyCell* cell, crCutPlane plane, crArena* arena,
               crBodyCell* outBelow, crBodyCell* outAbove)
{
  int rimRoom = 2 * countPoints(cell) + 2 * cell->faceCount;
  Rim rim = { crArena_AllocateZero(arena, (size_t)rimRoom, sizeof *rim.corners), 0 };
  int cornerRoom = cell->cornerCount + rimRoom;
  if (rim.corners == NULL || !makeRoom(arena, cell->fragmentCount, cell->faceCount + 1, cornerRoom, outBelow) ||
      !makeRoom(arena, cell->fragmentCount, cell->faceCount + 1, cornerRoom, outAbove) ||
      !cutFaces(source, cell, plane, arena, outBelow, outAbove) ||
      !cutFragments(source, cell, plane, arena, outBelow, outAbove)) {
    return false;
  }
  listRim(source, outBelow, plane, &rim);
  listRim(source, outAbove, plane, &rim);
  if (rim.count >= 3) {
    crFlat cap;
    if (!makeCap(&rim, plane, arena, &cap)) {
      return false;
    }
    outBelow->faces[outBelow->faceCount++] = cap;
    outAbove->faces[outAbove->faceCount++] = cap;
  }
  listCorners(source, cell, plane, isBelow, &rim, outBelow);
  listCorners(source, cell, plane, isAbove, &rim, outAbove);
  return true;
}

int crListBodyPoints(const crBodyCell* cell, crArena* arena, crVec3** outPoints)
{
  int room = cell->cornerCount, count = 0;
  for (int f = 0; f < cell->fragmentCount; ++f) {
    room += cell->fragments[f].count;
  }
  *outPoints = crArena_Allocate(arena, ((size_t)room + 1) * sizeof **outPoints);
  if (*outPoints == NULL) {
    return -1;
  }
  for (int f = 0; f < cell->fragmentCount; ++f) {
    for (int k = 0; k < cell->fragments[f].count; ++k) {
      (*outPoints)[count++] = cell->fragments[f].points[k];
    }
  }
  for (int i = 0; i < cell->cornerCount; ++i) {
    if (cell->corners[i].isInBody) {
      (*outPoints)[count++] = cell->corners[i].point;
    }
  }
  return count;
}

// -------------------------------------------------------------------------------------------------- depth

// The share of a face's normal in that of a polygon; 0: the way out does not lead through it.
static double findShare(const crFlat* flat, crVec3 normal)
{
  double share = crDot(flat->plane.normal, normal);
  return share > CR_LEAST_SHARE ? share : 0.0;
}

// Whether the way out of the hull from part of a polygon, along its normal, is longer than `depth`; a point of it.
// false: out of memory.
static bool isDeeper(const crFlat* flat, const crHull* hull, double depth, crArena* scratch, bool* outIs,
                     crVec3* outPoint)
{
  crFlat rest = *flat;
  for (int j = 0; j < hull->faceCount && rest.count > 0; ++j) {
    double share = findShare(flat, hull->normals[j]);
    crCutPlane plane = { hull->normals[j], hull->offsets[j] - depth * share };
    crFlat before = rest;
    if (share > 0.0 && findSides(&before, plane, 0.0).hasAbove && !clip(&before, plane, 0.0, isBelow, scratch, &rest)) {
      return false;
    }
  }
  crVec3 sum = crMakeVec3(0.0, 0.0, 0.0);
  for (int k = 0; k < rest.count; ++k) {
    sum = crMulAdd(sum, 1.0 / rest.count, rest.points[k]);
  }
  *outIs = rest.count > 0;
  if (*outIs) {
    *outPoint = sum;
  }
  return true;
}

// No way out is longer than the longest from a corner through each face.
static double boundDepth(const crFlat* flat, const crHull* hull, double least)
{
  double bound = HUGE_VAL;
  for (int j = 0; j < hull->faceCount && bound > least; ++j) {
    double share = findShare(flat, hull->normals[j]), most = -HUGE_VAL;
    for (int k = 0; share > 0.0 && k < flat->count; ++k) {
      most = fmax(most, (hull->offsets[j] - crDot(hull->normals[j], flat->points[k])) / share);
    }
    bound = share > 0.0 ? fmin(bound, most) : bound;
  }
  return bound;
}

bool crMeasureDepth(const crFlat* flat, const crHull* hull, double least, crArena* scratch, double* outDepth,
                    crVec3* outPoint)
{
  double high = boundDepth(flat, hull, least), low = least;
  bool is = false;
  *outDepth = least;
  if (!(high > least) || !isfinite(high)) {
    return true;
  }
  crArena_Clear(scratch);
  if (!isDeeper(flat, hull, least, scratch, &is, outPoint)) {
    return false;
  }
  if (!is) {
    return true;
  }
  while (high - low > CR_DEPTH_SHARE * high + CR_DEPTH_FLOOR * hull->radius) {
    double middle = 0.5 * (low + high);
    crArena_Clear(scratch);
    if (!isDeeper(flat, hull, middle, scratch, &is, outPoint)) {
      return false;
    }
    *(is ? &low : &high) = middle;
  }
  *outDepth = fmax(low, least * (1.0 + CR_DEPTH_SHARE)); // it is deeper, if only a little
  return true;
}
