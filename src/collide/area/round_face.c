// Faces of a polytope inside a round part.
#include "collide/area/round_part.h"
#include "collide/area/strip.h"

#include <string.h>

#define CR_ACROSS 0.5       // [-] square of the cosine between a face's normal and the axis
#define CR_LEAST_APART 2e-7 // [-] of the size: how far from the axis a plane along it is, at least

// The depth in the part: below its side c (R(z) - r), and below its caps.
typedef struct Depths {
  crFanBound side, caps[2];
  bool hasCap[2];
  double cosine; // c
} Depths;

static Depths makeDepths(const crSide* side, const bool isCapNear[2])
{
  double height = side->z1 - side->z0, growth = (side->r1 - side->r0) / height, c = 1.0 / sqrt(1.0 + growth * growth);
  return (Depths){ { { 0.0, 0.0, -c * growth }, c, c * (side->r0 - growth * side->z0) },
                   { { { 0.0, 0.0, -1.0 }, 0.0, -side->z0 }, { { 0.0, 0.0, 1.0 }, 0.0, side->z1 } },
                   { isCapNear[0], isCapNear[1] },
                   c };
}

// A face in axes of the part.
typedef struct Face {
  bool isFirst; // the one whose plane bounds the piece
  bool isHalf;  // on one side of x = 0, and across the axis: no strips (strip.h), which need that edge
  crVec3 normal;
  double offset;
  int count;
  crVec3 corners[CR_MAX_POLYGON_FACE + 2];
} Face;

// Keeps x * sense >= 0, and all of a face that is on that plane: what is beyond leaves it out.
static void cutInHalf(int sense, double slack, Face* face)
{
  double most = -HUGE_VAL;
  for (int i = 0; i < face->count; ++i) {
    most = crMax2(most, face->corners[i].x * sense);
  }
  for (int i = 0; i < face->count && fabs(most) <= slack; ++i) {
    face->corners[i].x = face->corners[i].x * sense >= -slack ? 0.0 : face->corners[i].x;
  }
  crVec3 kept[CR_MAX_POLYGON_FACE + 2];
  int n = 0;
  for (int i = 0; i < face->count; ++i) {
    crVec3 p = face->corners[i], q = face->corners[i + 1 < face->count ? i + 1 : 0];
    double a = p.x * sense, b = q.x * sense;
    if (a >= 0.0) {
      kept[n++] = p;
    }
    if ((a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0)) {
      kept[n] = crMulAdd(p, a / (a - b), crSub(q, p));
      kept[n++].x = 0.0;
    }
  }
  memcpy(face->corners, kept, (size_t)n * sizeof kept[0]);
  face->count = n;
  face->isHalf = most > slack && face->normal.z * face->normal.z > CR_ACROSS;
}

// Points from + s along, 0 <= s <= 1, or all of a line.
typedef struct Edge {
  crVec3 from, along;
  double low, high;
} Edge;

typedef struct Edges {
  int count;
  Edge edges[CR_MAX_POLYGON_FACE + 3];
} Edges;

// The plane of the piece, below which all of the face is, as one more edge: edges beyond it are left out.
static void addPieceEdge(const Face* face, const crPiece* piece, crVec3 origin, crFan* fan, Edges* edges)
{
  crVec3 n = piece->axes[0], m = face->normal, along = crCross(n, m);
  double c = piece->offset - crDot(n, origin), square = crLengthSquared(along);
  if (!(square > CR_PARALLEL)) {
    return;
  }
  crVec3 from = crScale(1.0 / square, crCross(crSub(crScale(c, m), crScale(face->offset, n)), along));
  crFan_AddCut(fan, (crFanBound){ n, 0.0, c });
  edges->edges[edges->count++] = (Edge){ from, along, -HUGE_VAL, HUGE_VAL };
}

// Adds a cut for every edge that passes the piece. False: the face is beside the piece.
static bool addEdges(const Face* face, const crPiece* piece, crVec3 origin, crFan* fan, Edges* edges)
{
  bool isBounded = face->isFirst;
  crVec3 centre = crSub(piece->centre, origin);
  edges->count = 0;
  for (int i = 0; i < face->count; ++i) {
    crVec3 p = face->corners[i], along = crSub(face->corners[i + 1 < face->count ? i + 1 : 0], p);
    if (face->isHalf && p.x == 0.0 && along.x == 0.0) {
      continue; // the fan ends there
    }
    crVec3 out = crCross(along, face->normal);
    double length = crLength(out);
    if (!(length > 0.0)) {
      continue;
    }
    out = crScale(1.0 / length, out);
    double offset = crDot(out, p), at = offset - crDot(out, centre), spread = crPiece_FindSpread(piece, out);
    double above = piece->offset - crDot(piece->axes[0], crAdd(origin, p));
    bool isShared = !face->isFirst && fabs(above) < fan->slack && fabs(crDot(piece->axes[0], along)) < fan->slack;
    if (at + spread <= 0.0) {
      return false;
    }
    if (at - spread < 0.0 || isShared) {
      crFan_AddCut(fan, (crFanBound){ out, 0.0, offset });
      edges->edges[edges->count++] = (Edge){ p, along, 0.0, 1.0 };
    }
    isBounded |= isShared;
  }
  if (!isBounded) {
    addPieceEdge(face, piece, origin, fan, edges);
  }
  return true;
}

// Where an edge passes the side, a cap, or where two depths are equal.
static void breakAtEdge(crFan* fan, const crSide* side, const Depths* depths, const Edge* edge, crPatch* patch)
{
  crVec3 p = edge->from, e = edge->along;
  double growth = (side->r1 - side->r0) / (side->z1 - side->z0), radius = crSide_RadiusAt(side, p.z);
  if (edge->low == 0.0) {
    crFan_AddBreak(fan, p, -1, patch); // its other end is that of the next
  }
  crFan_BreakAtCone(fan, p, e, edge->low, edge->high, radius, growth * e.z, -1, patch);
  for (int i = 0; i < 2; ++i) {
    if (!depths->hasCap[i]) {
      continue;
    }
    const crFanBound* cap = &depths->caps[i];
    double at = crFanBound_At(cap, p, 0.0), slope = -cap->normal.z * e.z, s = -at / slope;
    if (s >= edge->low && s <= edge->high) {
      crFan_AddBreak(fan, crMulAdd(p, s, e), -1, patch);
    }
    // c (R - r) = cap
    crFan_BreakAtCone(fan, p, e, edge->low, edge->high, radius - at / depths->cosine,
                      growth * e.z - slope / depths->cosine, 0, patch);
  }
  if (depths->hasCap[0] && depths->hasCap[1] && e.z != 0.0) { // both caps
    double s = (0.5 * (side->z0 + side->z1) - p.z) / e.z;
    if (s >= edge->low && s <= edge->high) {
      crFan_AddBreak(fan, crMulAdd(p, s, e), 1, patch);
    }
  }
}

static void findBreaks(crFan* fan, const crSide* side, const Depths* depths, const Face* face, const Edges* edges,
                       crPatch* patch)
{
  double middle = 0.5 * (side->z0 + side->z1), half = 0.5 * (side->z1 - side->z0);
  if (depths->hasCap[0]) {
    crFan_BreakAtCircle(fan, side->z0, side->r0, face->normal, face->offset, -1, NULL);
  }
  if (depths->hasCap[1]) {
    crFan_BreakAtCircle(fan, side->z1, side->r1, face->normal, face->offset, -1, NULL);
  }
  if (depths->hasCap[0] && depths->hasCap[1]) {
    crFan_BreakAtCircle(fan, middle, crSide_RadiusAt(side, middle) - half / depths->cosine, face->normal, face->offset,
                        0, NULL);
  }
  for (int i = 0; i < edges->count; ++i) {
    breakAtEdge(fan, side, depths, &edges->edges[i], patch);
  }
}

// A plane that has the axis in it has no angles, and one next to it more arcs than can be told apart. Depth below the
// side is even in the distance, so that a plane a little beside has next to the same. Half a part ends at the axis, at
// the plane of its middle: that is cut there.
static void keepApart(const crRoundPart* part, Face* face)
{
  const crSide* side = &part->side;
  double size = side->z1 - side->z0 + crMax2(side->r0, side->r1), least = CR_LEAST_APART * size;
  if (part->sense == 0 && fabs(face->offset) < least && fabs(face->normal.z) < CR_LEAST_APART) {
    face->offset = face->offset < 0.0 ? -2.0 * least : 2.0 * least;
  }
}

// Corners tell how deep they are.
static void addFace(const crRoundPart* part, const Depths* depths, Face* face, const crPiece* piece, crPatch* patch)
{
  crFan fan;
  Edges edges;
  const crSide* side = &part->side;
  crVec3 origin = crMakeVec3(part->x, 0.0, 0.0);
  keepApart(part, face);
  crFan_BeginPlane(&fan, face->normal, face->offset, side->z1 - side->z0 + crMax2(side->r0, side->r1), origin);
  crFan_AddDepth(&fan, depths->side);
  for (int i = 0; i < 2; ++i) {
    if (depths->hasCap[i]) {
      crFan_AddDepth(&fan, depths->caps[i]);
    }
  }
  crFan_AddCut(&fan, (crFanBound){ { 0.0, 0.0, 0.0 }, -1.0, 0.0 }); // r >= 0
  for (int i = 0; i < 2; ++i) {
    if (!depths->hasCap[i]) { // far from the piece; but edges that are, too, are left out and do not hold what is there
      crFan_AddCut(&fan, depths->caps[i]);
    }
  }
  if (!addEdges(face, piece, origin, &fan, &edges)) {
    return;
  }
  crFan_Aim(&fan, face->normal, part->sense);
  findBreaks(&fan, side, depths, face, &edges, patch);
  if (crFan_NeedsStrips(&fan)) {
    crFan_AddStrips(&fan, patch);
  } else {
    crFan_AddPoints(&fan, patch);
  }
}

// Whether a face is beyond the plane that touches the side along the generator towards a point: no part of it is
// inside.
static bool isBeyond(const crSide* side, const Face* face, crVec3 toward)
{
  double r = sqrt(toward.x * toward.x + toward.y * toward.y), growth = (side->r1 - side->r0) / (side->z1 - side->z0);
  crVec3 n = crMakeVec3(toward.x / r, toward.y / r, -growth);
  double offset = side->r0 - growth * side->z0;
  int i = 0;
  while (i < face->count && crDot(n, face->corners[i]) >= offset) {
    ++i;
  }
  return i == face->count;
}

// Most faces that come near are beside the side: the planes through what is near, its ends, and the face tell.
static bool isBesideSide(const crRoundPart* part, const Face* face, const crPiece* near)
{
  crVec3 x = near->centre, middle = crMakeVec3(0.0, 0.0, 0.0), along = crScale(near->half[1], near->axes[1]);
  x.x -= part->x;
  for (int i = 0; i < face->count; ++i) {
    middle = crAdd(middle, face->corners[i]);
  }
  const crSide* side = &part->side;
  return isBeyond(side, face, x) || isBeyond(side, face, middle) || isBeyond(side, face, crAdd(x, along)) ||
         isBeyond(side, face, crSub(x, along));
}

// The corners [from, to) of a face, with its first one.
static void addFacePart(const crRoundPart* part, const Depths* depths, const crPolytope* b, int f, int from, int to,
                        const crPose* X_AB, const crOverlap* overlap, crPatch* patch)
{
  const crPiece* piece = &overlap->piece;
  Face face;
  int start = b->faceStarts[f];
  face.normal = crMulMV(X_AB->R, b->normals[f]);
  face.offset = b->offsets[f] + crDot(face.normal, X_AB->p) - face.normal.x * part->x;
  face.isFirst = f == piece->face;
  face.isHalf = false;
  face.count = 0;
  for (int k = from > start ? from - 1 : from; k < to; ++k) {
    crVec3 x = crTransformPoint(*X_AB, b->vertices[b->faceVertices[k < from ? start : k]]);
    x.x -= part->x;
    face.corners[face.count++] = x;
  }
  if (part->sense != 0) {
    cutInHalf(part->sense, CR_EQUAL_DEPTHS * b->radius, &face);
  }
  if (face.count > 2 && !isBesideSide(part, &face, &overlap->tight)) {
    addFace(part, depths, &face, piece, patch);
  }
}

// Where only caps are near: faces below one or two planes.
static void addBelowCaps(const crRoundPart* part, const crPolytope* b, const crPose* X_AB, const crOverlap* overlap,
                         crPatch* patch)
{
  crAreaPlane planes[2];
  crVec3 normals[2];
  int count = 0;
  for (int i = 0; i < 2; ++i) {
    if (overlap->isCapNear[i]) {
      crVec3 n = normals[count] = crMakeVec3(0.0, 0.0, i == 0 ? -1.0 : 1.0);
      double offset = i == 0 ? -part->side.z0 : part->side.z1;
      planes[count++] = (crAreaPlane){ crMulTV(X_AB->R, n), offset - crDot(n, X_AB->p), false };
    }
  }
  crAddFaces(b, count, planes, normals, X_AB, patch);
}

void crRoundPart_AddFaces(const crRoundPart* part, const crPolytope* b, const crPose* X_AB, const crOverlap* overlap,
                          crPatch* patch)
{
  if (part->sense == 0 && !overlap->isSideNear && (overlap->isCapNear[0] || overlap->isCapNear[1])) {
    addBelowCaps(part, b, X_AB, overlap, patch);
    return;
  }
  Depths depths = makeDepths(&part->side, overlap->isCapNear);
  crVec3 centre = crInvTransformPoint(*X_AB, overlap->tight.centre);
  for (int f = 0; f < b->faceCount; ++f) {
    double at = fabs(b->offsets[f] - crDot(b->normals[f], centre));
    bool isBeside =
        f != overlap->piece.face && at > crPiece_FindSpread(&overlap->tight, crMulMV(X_AB->R, b->normals[f]));
    if (isBeside || (b->isInner != NULL && b->isInner[f])) {
      continue;
    }
    int to = b->faceStarts[f + 1];
    for (int k = b->faceStarts[f]; k < to - 1; k += CR_MAX_POLYGON_FACE - 2) { // a fan of parts, mostly one
      int end = k + CR_MAX_POLYGON_FACE - 1 < to ? k + CR_MAX_POLYGON_FACE - 1 : to;
      addFacePart(part, &depths, b, f, k, end, X_AB, overlap, patch);
    }
  }
}
