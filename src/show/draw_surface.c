// Triangles of shapes of profiles and of hollow shapes: the profile in short straight pieces, turned about the axis or
// raised along it. End faces of extruded shapes are cut into triangles by their ears.
#include "show/draw_surface.h"

#include "base/memory.h"
#include "geometry/shape.h"

#define CR_AROUND 96        // flats around the axis
#define CR_PIECE_ANGLE 0.15 // [rad] of an arc that one piece is for
#define CR_MOST_PIECES 64   // of one arc

bool crIsDrawnAsSurface(const crShapeDef* shape)
{
  return shape->kind == cr_shapeRevolved || shape->kind == cr_shapeExtruded || shape->kind == cr_shapeInvoluteGear ||
         (shape->isHollow && shape->kind != cr_shapeBox);
}

// A piece of the profile, with normals at both ends.
typedef struct Piece {
  crProfilePlace from, to;
} Piece;

typedef crArrayOf(Piece) PieceList;

static int countPieces(const crProfileElement* e)
{
  int count = e->kind != cr_profileLine ? 1 + (int)(2.0 * e->half / CR_PIECE_ANGLE) : 1;
  return count < CR_MOST_PIECES ? count : CR_MOST_PIECES;
}

static bool listPieces(const crProfile* profile, PieceList* list, const crAllocator* allocator)
{
  for (int i = 0; i < profile->count; ++i) {
    const crProfileElement* e = &profile->items[i];
    int count = countPieces(e);
    for (int k = 0; k < count; ++k) {
      if (!crMakeRoom(list, list->count + 1, allocator)) {
        return false;
      }
      list->items[list->count++] = (Piece){ crProfileElement_At(e, -1.0 + 2.0 * k / count),
                                            crProfileElement_At(e, -1.0 + 2.0 * (k + 1) / count) };
    }
  }
  return true;
}

static crVec3 turn(crPlanePoint p, double angle)
{
  return crMakeVec3(p.x * cos(angle), p.x * sin(angle), p.y);
}

// The profile has the solid on its left: seen from outside, it goes up where the angle grows to the right.
static void turnPieces(const PieceList* list, crTriangles* surface)
{
  for (int i = 0; i < list->count; ++i) {
    const Piece* piece = &list->items[i];
    for (int k = 0; k < CR_AROUND; ++k) {
      double a = 2.0 * CR_PI * k / CR_AROUND, b = 2.0 * CR_PI * (k + 1) / CR_AROUND;
      crTriangles_AddQuad(surface, turn(piece->from.point, a), turn(piece->from.normal, a), turn(piece->from.point, b),
                          turn(piece->from.normal, b), turn(piece->to.point, b), turn(piece->to.normal, b),
                          turn(piece->to.point, a), turn(piece->to.normal, a));
    }
  }
}

static crVec3 raise(crPlanePoint p, double z)
{
  return crMakeVec3(p.x, p.y, z);
}

static void raisePieces(const PieceList* list, double half, crTriangles* surface)
{
  for (int i = 0; i < list->count; ++i) {
    const Piece* piece = &list->items[i];
    crVec3 from = raise(piece->from.normal, 0.0), to = raise(piece->to.normal, 0.0);
    crTriangles_AddQuad(surface, raise(piece->from.point, -half), from, raise(piece->to.point, -half), to,
                        raise(piece->to.point, half), to, raise(piece->from.point, half), from);
  }
}

// ------------------------------------------------------------------------------------------------- faces

static bool isIn(crPlanePoint a, crPlanePoint b, crPlanePoint c, crPlanePoint p)
{
  return crPlaneCross(crPlaneSub(b, a), crPlaneSub(p, a)) > 0.0 &&
         crPlaneCross(crPlaneSub(c, b), crPlaneSub(p, b)) > 0.0 &&
         crPlaneCross(crPlaneSub(a, c), crPlaneSub(p, c)) > 0.0;
}

static bool isEar(const crPlanePoint* points, int count, int i)
{
  crPlanePoint a = points[(i + count - 1) % count], b = points[i], c = points[(i + 1) % count];
  bool isSo = crPlaneCross(crPlaneSub(b, a), crPlaneSub(c, b)) > 0.0;
  for (int k = 0; k < count && isSo; ++k) {
    isSo = !isIn(a, b, c, points[k]);
  }
  return isSo;
}

static void addFace(crPlanePoint a, crPlanePoint b, crPlanePoint c, double half, crTriangles* surface)
{
  crVec3 up = { 0.0, 0.0, 1.0 };
  crTriangles_AddFlat(surface, raise(a, half), raise(b, half), raise(c, half), up);
  crTriangles_AddFlat(surface, raise(a, -half), raise(c, -half), raise(b, -half), crNeg(up));
}

// Counter-clockwise around a solid; points are used up.
static void addFaces(crPlanePoint* points, int count, double half, crTriangles* surface)
{
  for (int i = 0, tries = 0; count > 2 && tries < count;) {
    if (!isEar(points, count, i)) {
      i = (i + 1) % count;
      ++tries;
      continue;
    }
    addFace(points[(i + count - 1) % count], points[i], points[(i + 1) % count], half, surface);
    for (int k = i; k + 1 < count; ++k) {
      points[k] = points[k + 1];
    }
    --count;
    i = i < count ? i : 0;
    tries = 0;
  }
}

static bool closeEnds(const PieceList* list, double half, const crAllocator* allocator, crTriangles* surface)
{
  crPlanePoint* points = crAllocateZero(allocator, (size_t)list->count, sizeof *points);
  for (int i = 0; points != NULL && i < list->count; ++i) {
    points[i] = list->items[i].from.point;
  }
  if (points != NULL) {
    addFaces(points, list->count, half, surface);
  }
  crFree(allocator, points, (size_t)list->count * sizeof *points);
  return points != NULL;
}

crStatus crDrawSurface(const crShapeDef* def, const crAllocator* allocator, crTriangles* surface)
{
  crShape* shape = NULL;
  crShapeDef upright = *def;
  upright.axis = crMakeVec3(0.0, 0.0, 1.0);
  crStatus status = crCreateShape(&upright, allocator, NULL, &shape);
  if (status != cr_ok) {
    return status;
  }
  const crProfile* profile = shape->chain->profile;
  PieceList list = { 0 };
  bool hasMemory = listPieces(profile, &list, allocator);
  if (hasMemory && shape->kind == cr_shapeRevolved) {
    turnPieces(&list, surface);
  } else if (hasMemory) {
    raisePieces(&list, shape->core.half.z, surface);
    hasMemory = !profile->hasVolume || closeEnds(&list, shape->core.half.z, allocator, surface);
  }
  crArray_Free(&list, allocator);
  crDestroyShape(shape);
  return hasMemory ? cr_ok : cr_errorMemory;
}
