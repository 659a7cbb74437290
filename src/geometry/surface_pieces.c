// Convex pieces of shapes of profiles, which all but balls touch.
//
// The profile becomes a polygon, its arcs chords; the polygon is cut into convex ones: into triangles by ears, which
// are joined again across diagonals as long as they stay convex [HertelMehlhorn83]. An extruded piece is a prism.
// Around an axis a convex polygon P is turned by an angle a on either side of a half-plane and flattened between:
//
//   { (x, y, z) : (x / (k cos a), z) in P, |y| <= x tan a },    k = 2 / (1 + cos a)
//
// which is convex, and shares its sides with the next one. With k the surface of radius R lies in the middle between
// edges and faces, both off by R tan^2(a / 2).
//
// Where the solid is around a profile, a wall of some thickness stands for it, and likewise behind an open one.
#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/shape_kind.h"

#include <stdio.h>
#include <string.h>

#define CR_MOST_PIECES 20000 // of one shape
#define CR_LEAST_WEDGES 8    // around an axis
#define CR_WALL 0.25         // [-] of the size: thickness of walls
#define CR_WALL_HALVINGS 12  // of walls behind open profiles, until they do not meet themselves
#define CR_FLAT_SHARE 1e-13  // [-] of the square of the size: areas that count as none
#define CR_ON_AXIS 1e-12     // [-] of the size
#define CR_MOST_CHORDS 5000  // of one outline: ears take time with their square
#define CR_LEAST_CHORDS 3.0  // in half a turn: with fewer nothing may be left of a disc

// Of a polygon, from a point to that of the next side.
typedef struct Side {
  int32_t from, next;
  int32_t twin; // the same side of the polygon beyond; -1: none
  bool isGone;
} Side;

typedef struct Cut {
  crAllocator allocator;
  crReporter reporter;
  const crProfile* profile;
  bool isRevolved;
  double size, error; // [m]
  crArrayOf(crPlanePoint) points;
  crArrayOf(Side) sides;
  int32_t* next;   // (points) of a ring
  int32_t* firsts; // (points) a side of each polygon
  bool hasFailed;  // out of memory
} Cut;

static void addPoint(Cut* cut, double x, double y)
{
  crPlanePoint* place = crArray_Push(&cut->points, &cut->allocator);
  cut->hasFailed |= place == NULL;
  if (place != NULL) {
    *place = (crPlanePoint){ x, y };
  }
}

// ------------------------------------------------------------------------------------------------- outline

// Chords of an element that stay within the error: one of length l across a radius R is off by l^2 / (8 R).
static int countChords(const crProfileElement* e, double error)
{
  if (e->kind == cr_profileLine) {
    return 1;
  }
  double most = e->radius;
  for (int i = -1; i <= 1; ++i) { // an involute is longest where its radius is largest
    double k = fabs(crProfileElement_At(e, (double)i).curvature);
    most = fmax(most, k > 0.0 ? 1.0 / k : most);
  }
  double count = ceil(2.0 * e->half * fmax(sqrt(most / (8.0 * error)), CR_LEAST_CHORDS / CR_PI));
  return count < 1.0 ? 1 : count < CR_MOST_CHORDS ? (int)count : CR_MOST_CHORDS; // NaN: no turn, by no error
}

static void outlineProfile(Cut* cut)
{
  const crProfile* profile = cut->profile;
  for (int i = 0; i < profile->count && cut->points.count < CR_MOST_CHORDS; ++i) {
    const crProfileElement* e = &profile->items[i];
    int count = countChords(e, 0.5 * cut->error);
    bool isBroken = i == 0 || crPlaneLength(crPlaneSub(profile->items[i - 1].end, e->start)) > CR_ON_AXIS * cut->size;
    if (isBroken) { // else the one before has ended here
      addPoint(cut, e->start.x, e->start.y);
    }
    for (int k = 1; k <= count; ++k) {
      crPlanePoint p = k < count ? crProfileElement_At(e, 2.0 * k / count - 1.0).point : e->end;
      bool isLast = i == profile->count - 1 && k == count && profile->isClosed;
      bool isMiddle = e->kind == cr_profileLine && e->isHalved; // of a line, in which nothing bends
      if (!isLast && !isMiddle) {
        addPoint(cut, p.x, p.y);
      }
    }
  }
}

static double areaOf(const Cut* cut)
{
  double sum = 0.0;
  const crPlanePoint* p = cut->points.items;
  for (int i = 0; i < cut->points.count; ++i) {
    sum += crPlaneCross(p[i], p[(i + 1) % cut->points.count]);
  }
  return 0.5 * sum;
}

static bool isOnAxis(const Cut* cut, crPlanePoint p)
{
  return cut->isRevolved && fabs(p.x) <= CR_ON_AXIS * cut->size;
}

// A room with both ends on the axis, from the upper one to the lower: around it, back to its start.
static void wallRoom(Cut* cut)
{
  const crProfile* profile = cut->profile;
  double t = CR_WALL * cut->size, out = profile->max.x + t;
  addPoint(cut, 0.0, profile->min.y - t);
  addPoint(cut, out, profile->min.y - t);
  addPoint(cut, out, profile->max.y + t);
  addPoint(cut, 0.0, profile->max.y + t);
}

// A hole that touches nothing: a box around it, and a cut from the hole's point that is farthest along x to its side.
static void wallHole(Cut* cut)
{
  const crProfile* profile = cut->profile;
  double t = CR_WALL * cut->size, right = profile->max.x + t;
  double left = cut->isRevolved ? fmax(0.0, profile->min.x - t) : profile->min.x - t;
  int count = cut->points.count, first = 0;
  for (int i = 1; i < count; ++i) {
    first = cut->points.items[i].x > cut->points.items[first].x ? i : first;
  }
  double y = cut->points.items[first].y;
  for (int i = 0; i <= count && !cut->hasFailed; ++i) {
    crPlanePoint p = cut->points.items[(first + i) % count];
    addPoint(cut, p.x, p.y);
  }
  addPoint(cut, right, y);
  addPoint(cut, right, profile->max.y + t);
  addPoint(cut, left, profile->max.y + t);
  addPoint(cut, left, profile->min.y - t);
  addPoint(cut, right, profile->min.y - t);
  addPoint(cut, right, y);
  for (int i = count; i < cut->points.count && !cut->hasFailed; ++i) {
    cut->points.items[i - count] = cut->points.items[i];
  }
  cut->points.count -= cut->hasFailed ? 0 : count;
}

static bool doCross(crPlanePoint a, crPlanePoint b, crPlanePoint c, crPlanePoint d)
{
  crPlanePoint u = crPlaneSub(b, a), v = crPlaneSub(d, c);
  double p = crPlaneCross(u, crPlaneSub(c, a)), q = crPlaneCross(u, crPlaneSub(d, a));
  double r = crPlaneCross(v, crPlaneSub(a, c)), s = crPlaneCross(v, crPlaneSub(b, c));
  return p * q < 0.0 && r * s < 0.0;
}

static bool isSimple(const Cut* cut)
{
  const crPlanePoint* p = cut->points.items;
  int n = cut->points.count;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 2; k < n; ++k) {
      if (doCross(p[i], p[i + 1], p[k], p[(k + 1) % n])) {
        return false;
      }
    }
  }
  return true;
}

// The way back of an open profile, at the distance t to its left.
static void wallOpen(Cut* cut, int count, double t)
{
  for (int i = count - 1; i >= 0 && !cut->hasFailed; --i) {
    const crPlanePoint* p = cut->points.items;
    crPlanePoint a = crPlaneSub(p[i], p[i > 0 ? i - 1 : i]), b = crPlaneSub(p[i < count - 1 ? i + 1 : i], p[i]);
    a = i > 0 ? a : b;
    b = i < count - 1 ? b : a;
    crPlanePoint m = crPlaneLeft(a), n = crPlaneLeft(b);
    double lengthA = crPlaneLength(m), lengthB = crPlaneLength(n);
    crPlanePoint sum = { m.x / lengthA + n.x / lengthB, m.y / lengthA + n.y / lengthB };
    double square = crPlaneDot(sum, sum), far = square > 0.5 ? 2.0 * t / square : 2.0 * t; // sharp bends are blunt
    crPlanePoint q = crPlaneAdd(p[i], far, sum);
    addPoint(cut, cut->isRevolved ? (isOnAxis(cut, p[i]) ? 0.0 : fmax(q.x, 0.0)) : q.x, q.y);
  }
}

static crStatus closeOpen(Cut* cut)
{
  int count = cut->points.count;
  double t = CR_WALL * cut->size;
  for (int i = 0; i < CR_WALL_HALVINGS && !cut->hasFailed; ++i, t *= 0.5) {
    cut->points.count = count;
    wallOpen(cut, count, t);
    if (!cut->hasFailed && isSimple(cut) && areaOf(cut) > 0.0) {
      return cr_ok;
    }
  }
  if (!cut->hasFailed) {
    crReportError(&cut->reporter, "no wall behind the open profile can be made: close it");
  }
  return cut->hasFailed ? cr_errorMemory : cr_errorModel;
}

// What is solid, as one ring of points, counter-clockwise.
static crStatus makeOutline(Cut* cut)
{
  outlineProfile(cut);
  if (cut->hasFailed) {
    return cr_errorMemory;
  }
  int count = cut->points.count;
  bool isOfAxis = isOnAxis(cut, cut->points.items[0]) && isOnAxis(cut, cut->points.items[count - 1]);
  if (!cut->profile->isClosed && !isOfAxis) {
    return closeOpen(cut);
  }
  if (areaOf(cut) < 0.0) {
    isOfAxis ? wallRoom(cut) : wallHole(cut);
  }
  return cut->hasFailed ? cr_errorMemory : cr_ok;
}

// ---------------------------------------------------------------------------------------------------- ears

static double turnAt(const Cut* cut, int a, int b, int c)
{
  const crPlanePoint* p = cut->points.items;
  return crPlaneCross(crPlaneSub(p[b], p[a]), crPlaneSub(p[c], p[b]));
}

static bool isSame(crPlanePoint a, crPlanePoint b)
{
  return a.x == b.x && a.y == b.y;
}

// Whether the triangle before b, at b and behind it holds no other point of the ring.
static bool isEar(const Cut* cut, int a, int b, int c, double flat)
{
  const crPlanePoint* p = cut->points.items;
  if (!(turnAt(cut, a, b, c) > flat)) {
    return false;
  }
  for (int k = cut->next[c]; k != a; k = cut->next[k]) {
    bool isCorner = isSame(p[k], p[a]) || isSame(p[k], p[b]) || isSame(p[k], p[c]);
    if (!isCorner && turnAt(cut, a, b, k) >= 0.0 && turnAt(cut, b, c, k) >= 0.0 && turnAt(cut, c, a, k) >= 0.0) {
      return false;
    }
  }
  return true;
}

static void addSide(Cut* cut, int from, int next)
{
  Side* side = crArray_Push(&cut->sides, &cut->allocator);
  cut->hasFailed |= side == NULL;
  if (side != NULL) {
    *side = (Side){ from, next, -1, false };
  }
}

static void pairSides(Cut* cut, int a, int b)
{
  if (a >= 0) {
    cut->sides.items[a].twin = b;
    cut->sides.items[b].twin = a;
  }
}

// pending: of each point of the ring, the side of a triangle on the other side of the way to the next point; -1: none.
// That from c to a is the ring's for the last triangle alone.
static void addTriangle(Cut* cut, int a, int b, int c, int32_t* pending)
{
  int first = cut->sides.count;
  addSide(cut, a, first + 1);
  addSide(cut, b, first + 2);
  addSide(cut, c, first);
  if (!cut->hasFailed) {
    pairSides(cut, pending[a], first);
    pairSides(cut, pending[b], first + 1);
    if (cut->next[c] == a) {
      pairSides(cut, pending[c], first + 2);
    }
    pending[a] = first + 2;
  }
}

// Cuts ears off the ring; false: there is none left, so it crosses itself.
static bool cutEars(Cut* cut, int32_t* pending)
{
  int left = cut->points.count, a = left - 1, tried = 0;
  double flat = CR_FLAT_SHARE * cut->size * cut->size;
  for (int i = 0; i < left; ++i) {
    cut->next[i] = (i + 1) % left;
    pending[i] = -1;
  }
  while (left > 2 && !cut->hasFailed) {
    int b = cut->next[a], c = cut->next[b];
    bool isFlat = tried > left && fabs(turnAt(cut, a, b, c)) <= flat;
    if (isFlat || isEar(cut, a, b, c, flat)) {
      if (isFlat) {
        pending[a] = -1;
      } else {
        addTriangle(cut, a, b, c, pending);
      }
      cut->next[a] = c;
      --left;
      tried = 0;
      a = c; // ears in turn, so that they are not all at one point
    } else if (++tried > 2 * left + 2) {
      return false;
    } else {
      a = b;
    }
  }
  return true;
}

// ------------------------------------------------------------------------------------------------- joining

static int findBefore(const Cut* cut, int side)
{
  int before = side;
  while (cut->sides.items[before].next != side) {
    before = cut->sides.items[before].next;
  }
  return before;
}

static int cornerOf(const Cut* cut, int side)
{
  return cut->sides.items[side].from;
}

static int endOf(const Cut* cut, int side)
{
  return cornerOf(cut, cut->sides.items[side].next);
}

// Takes a diagonal away where the polygons on both sides are one that is convex.
static void joinAcross(Cut* cut, int e)
{
  Side* sides = cut->sides.items;
  int f = sides[e].twin, a = cornerOf(cut, e), b = cornerOf(cut, f);
  int beforeE = findBefore(cut, e), beforeF = findBefore(cut, f);
  double flat = -CR_FLAT_SHARE * cut->size * cut->size; // what is in a line may bend by round-off
  if (turnAt(cut, cornerOf(cut, beforeE), a, endOf(cut, sides[f].next)) < flat ||
      turnAt(cut, cornerOf(cut, beforeF), b, endOf(cut, sides[e].next)) < flat) {
    return;
  }
  sides[beforeE].next = sides[f].next;
  sides[beforeF].next = sides[e].next;
  sides[e].isGone = sides[f].isGone = true;
}

static void joinAll(Cut* cut)
{
  for (int e = 0; e < cut->sides.count; ++e) {
    if (cut->sides.items[e].twin > e && !cut->sides.items[e].isGone) {
      joinAcross(cut, e);
    }
  }
}

// Polygons in turn: a side of each.
static int listPolygons(Cut* cut)
{
  int count = 0;
  for (int e = 0; e < cut->sides.count; ++e) {
    if (!cut->sides.items[e].isGone) {
      cut->firsts[count++] = e;
      for (int k = e; !cut->sides.items[k].isGone; k = cut->sides.items[k].next) {
        cut->sides.items[k].isGone = true;
      }
    }
  }
  return count;
}

// -------------------------------------------------------------------------------------------------- pieces

typedef struct Pieces {
  Cut* cut;
  crShape* items;
  int count, wedgeCount;
  double length;
  crVec3* points; // of one
} Pieces;

static int placeWedge(const Pieces* pieces, int first, int wedge)
{
  const Cut* cut = pieces->cut;
  double half = CR_PI / pieces->wedgeCount, k = 2.0 / (1.0 + crCos(half));
  int count = 0, side = first;
  do {
    crPlanePoint p = cut->points.items[cornerOf(cut, side)];
    double rho = k * p.x;
    if (isOnAxis(cut, p)) {
      pieces->points[count++] = crMakeVec3(0.0, 0.0, p.y);
    } else {
      for (int s = 0; s < 2; ++s) { // as the next one has it, to the last digit
        double angle = 2.0 * half * ((wedge + s) % pieces->wedgeCount);
        pieces->points[count++] = crMakeVec3(rho * crCos(angle), rho * crSin(angle), p.y);
      }
    }
    side = cut->sides.items[side].next;
  } while (side != first);
  return count;
}

static int placePrism(const Pieces* pieces, int first)
{
  const Cut* cut = pieces->cut;
  int count = 0, side = first;
  do {
    crPlanePoint p = cut->points.items[cornerOf(cut, side)];
    pieces->points[count++] = crMakeVec3(p.x, p.y, -0.5 * pieces->length);
    pieces->points[count++] = crMakeVec3(p.x, p.y, 0.5 * pieces->length);
    side = cut->sides.items[side].next;
  } while (side != first);
  return count;
}

static crStatus addPiece(Pieces* pieces, const crShape* shape, int pointCount, const crErrorSink* sink)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeHull);
  def.as.hull.points = pieces->points;
  def.as.hull.pointCount = pointCount;
  def.axis = shape->given.axis;
  crShape* hull = NULL;
  crStatus status = crCreateShape(&def, &shape->allocator, sink, &hull);
  if (status != cr_ok) {
    return status;
  }
  crShape* piece = &pieces->items[pieces->count++];
  *piece = *hull;
  piece->leastBall = HUGE_VAL;
  piece->standsFor = shape->kind;
  piece->isRoom = shape->isRoom;
  hull->ownedHull = NULL;
  crDestroyShape(hull);
  return cr_ok;
}

static crStatus addAll(Pieces* pieces, const crShape* shape, int polygonCount, const crErrorSink* sink)
{
  const Cut* cut = pieces->cut;
  crStatus status = cr_ok;
  for (int i = 0; i < polygonCount && status == cr_ok; ++i) {
    int first = cut->firsts[i];
    for (int w = 0; w < pieces->wedgeCount && status == cr_ok; ++w) {
      int count = cut->isRevolved ? placeWedge(pieces, first, w) : placePrism(pieces, first);
      status = addPiece(pieces, shape, count, sink);
    }
  }
  return status;
}

static crStatus refuseCount(Cut* cut, const char* message, double count, int most)
{
  char allowed[32];
  snprintf(allowed, sizeof allowed, "<= %d", most);
  crReportNumber(&cut->reporter, message, count, allowed, NULL, "a larger pieceError");
  return cr_errorModel;
}

// Behind the chains of the shape.
static crStatus makePieces(crShape* shape, Cut* cut, int polygonCount, double length, const crErrorSink* sink)
{
  double around = cut->isRevolved ? 0.5 * CR_PI / crAtan2(sqrt(0.5 * cut->error / cut->profile->max.x), 1.0) : 1.0;
  double wedges = cut->isRevolved ? fmax(CR_LEAST_WEDGES, ceil(around)) : 1.0;
  if (!(polygonCount * wedges <= CR_MOST_PIECES)) {
    return refuseCount(cut, "the convex pieces of the shape are too many", polygonCount * wedges, CR_MOST_PIECES);
  }
  size_t before = (size_t)shape->pieceCount, all = before + (size_t)polygonCount * (size_t)wedges;
  size_t pointSize = 2 * (size_t)cut->points.count * sizeof(crVec3);
  Pieces pieces = { .cut = cut, .wedgeCount = (int)wedges, .length = length, .count = shape->pieceCount };
  pieces.points = crAllocate(&cut->allocator, pointSize);
  pieces.items = crAllocateZero(&cut->allocator, all, sizeof *pieces.items);
  crStatus status = pieces.points != NULL && pieces.items != NULL ? cr_ok : cr_errorMemory;
  if (status == cr_ok) {
    memcpy(pieces.items, shape->pieces, before * sizeof *pieces.items);
    crFree(&cut->allocator, shape->pieces, before * sizeof *pieces.items);
    shape->pieces = pieces.items;
    shape->pieceCount = (int)all;
    status = addAll(&pieces, shape, polygonCount, sink);
  }
  crFree(&cut->allocator, pieces.points, pointSize);
  if (pieces.points == NULL && pieces.items != NULL) {
    crFree(&cut->allocator, pieces.items, all * sizeof *pieces.items);
  }
  return status;
}

static crStatus cutAndMake(crShape* shape, Cut* cut, double length, const crErrorSink* sink)
{
  size_t count = (size_t)cut->points.count, size = count * sizeof(int32_t);
  int32_t* pending = crAllocate(&cut->allocator, size);
  cut->next = crAllocate(&cut->allocator, size);
  cut->firsts = crAllocate(&cut->allocator, size);
  crStatus status = pending != NULL && cut->next != NULL && cut->firsts != NULL ? cr_ok : cr_errorMemory;
  if (status == cr_ok && !cutEars(cut, pending)) {
    crReportError(&cut->reporter, "the profile cannot be cut into convex pieces");
    status = cr_errorModel;
  }
  status = cut->hasFailed ? cr_errorMemory : status;
  if (status == cr_ok) {
    joinAll(cut);
    int polygonCount = listPolygons(cut);
    if (polygonCount == 0) {
      crReportError(&cut->reporter, "the profile is too flat for convex pieces");
    }
    status = polygonCount > 0 ? makePieces(shape, cut, polygonCount, length, sink) : cr_errorModel;
  }
  crFree(&cut->allocator, cut->firsts, size);
  crFree(&cut->allocator, cut->next, size);
  crFree(&cut->allocator, pending, size);
  return status;
}

crStatus crAddSurfacePieces(crShape* shape, const crProfile* profile, double length, const crErrorSink* sink)
{
  Cut cut = { .allocator = shape->allocator,
              .reporter = crMakeReporter(sink, (crSource){ 0 }, NULL),
              .profile = profile,
              .isRevolved = shape->kind == cr_shapeRevolved,
              .size = profile->size,
              .error = shape->given.pieceError };
  crStatus status = makeOutline(&cut);
  if (status == cr_ok && cut.points.count >= CR_MOST_CHORDS) {
    status = refuseCount(&cut, "the outline of convex pieces takes too many chords", (double)cut.points.count,
                         CR_MOST_CHORDS - 1);
  }
  status = status == cr_ok ? cutAndMake(shape, &cut, length, sink) : status;
  crArray_Free(&cut.points, &cut.allocator);
  crArray_Free(&cut.sides, &cut.allocator);
  return status;
}
