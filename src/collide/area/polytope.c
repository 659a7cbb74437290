// Polytopes in polytopes.
//
// 1. The plane of B that A is least deep below, `least`, and the same the other way round: all of the overlap is in the
//    piece of A below that plane and in the piece of B below A's. A box around both pieces is where it can be.
// 2. A plane counts if somewhere in that box it is less deep than `least`. For a small box on a large one a single
//    plane is left, so that the cost does not depend on sizes.
// 3. Every face with a corner in the piece is cut by the planes that count, and what is left is split by the nearest:
//    roof.c.
#include "collide/area/polytope.h"

#include "collide/area/boxes.h"
#include "collide/area/roof.h"
#include "collide/area/wide.h"

#define CR_SCANNED_VERTICES 128 // more are not all looked at for the farthest

static const crVec3 boxNormals[6] = { { 1.0, 0.0, 0.0 },  { -1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 },
                                      { 0.0, -1.0, 0.0 }, { 0.0, 0.0, 1.0 },  { 0.0, 0.0, -1.0 } };
static const int32_t boxStarts[7] = { 0, 4, 8, 12, 16, 20, 24 };
static const int32_t boxLoops[24] = { 1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1 };

bool crIsPolytope(const crShape* shape)
{
  bool isSharp = shape->kind == cr_shapeBox || shape->kind == cr_shapeHull;
  return shape->kind == cr_shapeHalfSpace || (isSharp && shape->sweep == 0.0);
}

static void makeBox(crVec3 h, crPolytope* out)
{
  for (int i = 0; i < 8; ++i) {
    out->box.vertices[i] = crMakeVec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
  }
  for (int i = 0; i < 6; ++i) {
    out->box.offsets[i] = i / 2 == 0 ? h.x : i / 2 == 1 ? h.y : h.z;
  }
  out->half = h;
  out->radius = crLength(h);
  out->vertexCount = 8;
  out->faceCount = 6;
  out->vertices = out->box.vertices;
  out->normals = boxNormals;
  out->offsets = out->box.offsets;
  out->faceStarts = boxStarts;
  out->faceVertices = boxLoops;
}

static void makeHull(const crHull* hull, crPolytope* out)
{
  out->hull = hull;
  out->half = crMakeVec3(0.0, 0.0, 0.0);
  out->centre = hull->centre;
  out->radius = hull->radius;
  out->vertexCount = hull->vertexCount;
  out->faceCount = hull->faceCount;
  out->vertices = hull->vertices;
  out->normals = hull->normals;
  out->offsets = hull->offsets;
  out->faceStarts = hull->faceStarts;
  out->faceVertices = hull->faceVertices;
}

void crMakePolytope(const crShape* shape, crPolytope* out)
{
  out->isHalfSpace = shape->kind == cr_shapeHalfSpace;
  out->isInner = shape->innerFaces;
  out->hull = NULL;
  out->steepest = 1.0;
  out->centre = crMakeVec3(0.0, 0.0, 0.0);
  out->radius = HUGE_VAL;
  if (out->isHalfSpace) {
    out->half = crMakeVec3(0.0, 0.0, 0.0);
    out->vertexCount = 0;
    out->faceCount = 1;
    out->box.offsets[0] = shape->sweep;
    out->normals = &boxNormals[4];
    out->offsets = out->box.offsets;
  } else if (shape->kind == cr_shapeBox) {
    makeBox(shape->core.half, out);
  } else {
    makeHull(shape->core.hull, out);
  }
}

void crMakeBoxPolytope(crVec3 half, crPolytope* out)
{
  out->isHalfSpace = false;
  out->isInner = NULL;
  out->hull = NULL;
  out->steepest = 1.0;
  out->centre = crMakeVec3(0.0, 0.0, 0.0);
  makeBox(half, out);
}

int crCountPolytopeFaces(const crShape* shape)
{
  return !crIsPolytope(shape)          ? 0
         : shape->kind == cr_shapeBox  ? 6
         : shape->kind == cr_shapeHull ? shape->core.hull->faceCount
                                       : 1;
}

static bool isInner(const crPolytope* b, int j)
{
  return b->isInner != NULL && b->isInner[j];
}

// ------------------------------------------------------------------------------------------------ planes

// Vertices from i on along n, as many as a register has; the last ones may be filled up with the first vertex.
static inline crPart reachAlong(const crHull* hull, crVec3 n, int i)
{
  const double *x = hull->columns + i, *y = x + hull->paddedCount, *z = y + hull->paddedCount;
  return n.x * *(const crPart*)x + n.y * *(const crPart*)y + n.z * *(const crPart*)z;
}

// How deep a polytope is below a plane in its axes.
static double findMost(const crPolytope* a, crVec3 n, double offset)
{
  if (a->hull == NULL) {
    return offset + fabs(n.x) * a->half.x + fabs(n.y) * a->half.y + fabs(n.z) * a->half.z;
  }
  if (a->vertexCount > CR_SCANNED_VERTICES) {
    return offset - crDot(n, a->vertices[crHull_FindSupportFast(a->hull, crNeg(n), 0)]);
  }
  crPart least = reachAlong(a->hull, n, 0);
  for (int i = CR_PART_LANES; i < a->vertexCount; i += CR_PART_LANES) {
    least = crLesserOfParts(least, reachAlong(a->hull, n, i));
  }
  return offset - crLeastOf(least);
}

// The corner that is deepest below planes with a normal.
static crVec3 findDeepest(const crPolytope* a, crVec3 n)
{
  if (a->hull == NULL) {
    crVec3 h = a->half;
    return crMakeVec3(n.x > 0.0 ? -h.x : h.x, n.y > 0.0 ? -h.y : h.y, n.z > 0.0 ? -h.z : h.z);
  }
  return a->vertices[crHull_FindSupportFast(a->hull, crNeg(n), 0)];
}

// Depth of a point of B's axes below plane j of B.
static inline double depthInB(const crPolytope* b, int j, crVec3 x)
{
  return b->offsets[j] - crDot(b->normals[j], x);
}

// The plane of B that A is least deep below, with that depth; -1: they are apart.
static int findFirst(const crPolytope* a, const crPolytope* b, const crPose* X_AB, double* outLeast)
{
  crVec3 origin = crNeg(crMulTV(X_AB->R, X_AB->p)), centre = crAdd(origin, crMulTV(X_AB->R, a->centre));
  int start = 0, first = -1;
  double lowest = HUGE_VAL, least = HUGE_VAL;
  for (int j = 0; j < b->faceCount; ++j) {
    double d = depthInB(b, j, centre);
    start = d < lowest ? j : start;
    lowest = crMin2(lowest, d);
  }
  if (lowest + a->radius <= 0.0) {
    return -1;
  }
  crVec3 deepest = findDeepest(a, crMulMV(X_AB->R, b->normals[start]));
  crVec3 probe = crAdd(origin, crMulTV(X_AB->R, deepest));
  for (int i = -1; i < b->faceCount; ++i) {
    int j = i < 0 ? start : i;
    if (i == start || depthInB(b, j, probe) >= least) {
      continue; // A is at least as deep as one of its corners
    }
    double most = findMost(a, crMulMV(X_AB->R, b->normals[j]), depthInB(b, j, origin));
    if (most <= 0.0) {
      return -1;
    }
    if (most < least && !isInner(b, j)) {
      least = most;
      first = j;
    }
  }
  *outLeast = least;
  return first;
}

// One bit for each of the vertices i .. i + 7 of a hull that is below a plane in its axes.
static inline unsigned findBelow(const crHull* hull, const crAreaPlane* plane, int i)
{
  int count = hull->vertexCount - i;
  unsigned all = count < CR_WIDE_LANES ? (1u << count) - 1 : (1u << CR_WIDE_LANES) - 1, below = 0;
  for (int part = 0; part < CR_WIDE_LANES; part += CR_PART_LANES) {
    below |= crFindBelow(reachAlong(hull, plane->normal, i + part), plane->offset) << part;
  }
  return below & all;
}

static void extend(crAabb* box, crVec3 x)
{
  box->min = crMakeVec3(crMin2(box->min.x, x.x), crMin2(box->min.y, x.y), crMin2(box->min.z, x.z));
  box->max = crMakeVec3(crMax2(box->max.x, x.x), crMax2(box->max.y, x.y), crMax2(box->max.z, x.z));
}

// A vertex below a plane, and where its edges cut that.
static void extendByVertex(const crHull* hull, int vertex, const crAreaPlane* plane, crAabb* box)
{
  crVec3 p = hull->vertices[vertex];
  double dp = plane->offset - crDot(plane->normal, p);
  extend(box, p);
  for (int k = hull->neighbourStarts[vertex]; k < hull->neighbourStarts[vertex + 1]; ++k) {
    crVec3 q = hull->vertices[hull->neighbours[k]];
    double dq = plane->offset - crDot(plane->normal, q);
    if (dq <= 0.0) {
      extend(box, crMulAdd(p, dp / (dp - dq), crSub(q, p)));
    }
  }
}

// The box of the piece of A below a plane in its axes, which has some.
static crAabb boundPiece(const crPolytope* a, const crAreaPlane* plane)
{
  if (a->hull == NULL) {
    return crBoundBoxPiece(a->half, plane);
  }
  crAabb box = { { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
  for (int i = 0; i < a->vertexCount; i += CR_WIDE_LANES) {
    for (unsigned set = findBelow(a->hull, plane, i); set != 0; set &= set - 1) {
      extendByVertex(a->hull, i + __builtin_ctz(set), plane, &box);
    }
  }
  return box;
}

// What of B counts in the box where the overlap can be.
typedef struct Counted {
  int count;                         // of planes; 0: nothing is inside; -1: too many
  crAreaPlane planes[CR_MAX_PLANES]; // (count) in axes of A, that points of the box can be below and nearest to
  int faceCount;                     // of faces
  int faces[CR_MAX_PLANES];          // (faceCount) that pass the box
} Counted;

// box: in axes of A. The plane `first` comes first.
static void listPlanes(const crPolytope* b, const crPose* X_AB, int first, double least, const crAabb* box,
                       Counted* out)
{
  double more = CR_BOX_SLACK * b->radius;
  crVec3 middle = crScale(0.5, crAdd(box->min, box->max)), size = crScale(0.5, crSub(box->max, box->min));
  crVec3 half = crMakeVec3(crMax2(size.x, 0.0) + more, crMax2(size.y, 0.0) + more, crMax2(size.z, 0.0) + more);
  crVec3 origin = crNeg(crMulTV(X_AB->R, X_AB->p)), middleInB = crAdd(origin, crMulTV(X_AB->R, middle));
  double radius = crLength(half);
  int count = 1;
  out->count = out->faceCount = 0;
  out->planes[0] = (crAreaPlane){ crMulMV(X_AB->R, b->normals[first]), depthInB(b, first, origin), false };
  for (int j = 0; j < b->faceCount; ++j) {
    double limit = isInner(b, j) ? 0.0 : least, at = depthInB(b, j, middleInB);
    if (j == first) {
      out->faces[out->faceCount++] = j;
      continue;
    }
    if (at - radius >= limit) {
      continue;
    }
    crVec3 n = crMulMV(X_AB->R, b->normals[j]);
    double spread = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    if (at + spread <= 0.0) {
      return;
    }
    if (at - spread < limit) {
      if (count == CR_MAX_PLANES) {
        out->count = -1;
        return;
      }
      out->planes[count++] = (crAreaPlane){ n, depthInB(b, j, origin), isInner(b, j) };
      if (at <= spread) {
        out->faces[out->faceCount++] = j;
      }
    }
  }
  out->count = count;
}

// ------------------------------------------------------------------------------------------------- faces

// Two axes across a normal without a root, [Duff17].
static crChart makeChart(crVec3 n, double offset)
{
  crVec3 origin = crScale(offset, n);
  double sign = n.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (sign + n.z), b = n.x * n.y * a;
  return (crChart){ origin, { 1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x }, { b, sign + n.y * n.y * a, -n.y } };
}

// What faces are put into: planes, and their normals in the axes of the points; or the cells of a core.
typedef struct Target {
  int count;
  const crAreaPlane* planes;
  const crVec3* normals;
  const crCells* cells; // NULL: none
  const crPose* X;      // to the axes of the points; NULL: they are the same
} Target;

// The corners [from, to) of a face, with the first one of it.
static void addFacePart(const crPolytope* a, int face, int from, int to, const Target* target, crPatch* patch)
{
  crLoop loop;
  crChart chart = makeChart(a->normals[face], a->offsets[face]);
  int n = 0, start = a->faceStarts[face];
  double slack = CR_EQUAL_DEPTHS * a->radius;
  for (int k = from; k < to || (k == to && from > start); ++k) {
    crVec3 x = a->vertices[a->faceVertices[k < to ? k : start]];
    loop.x[n] = (crCorner){ crDot(chart.e1, x), crDot(chart.e2, x) };
    loop.planes[n++] = CR_NO_PLANE;
  }
  loop.count = n;
  if (target->cells != NULL) {
    crPatch_AddCells(patch, &loop, target->cells, &chart, target->X, slack);
  } else {
    crPatch_AddRoof(patch, &loop, target->count, target->planes, target->normals, &chart, target->X, slack);
  }
}

static void addFace(const crPolytope* a, int face, const Target* target, crPatch* patch)
{
  int from = a->faceStarts[face], to = a->faceStarts[face + 1];
  for (int k = from; k < to - 1 && !isInner(a, face); k += CR_MAX_POLYGON_FACE - 2) { // a fan of parts, mostly one
    int end = k + CR_MAX_POLYGON_FACE - 1 < to ? k + CR_MAX_POLYGON_FACE - 1 : to;
    addFacePart(a, face, k, end, target, patch);
  }
}

static void addAnyFace(const crPolytope* a, int face, const Target* target, crPatch* patch)
{
  if (a->hull != NULL || target->cells != NULL) {
    addFace(a, face, target, patch);
  } else if (!isInner(a, face)) {
    crAddBoxFace(a->half, a->radius, face, target->count, target->planes, target->normals, target->X, patch);
  }
}

// A face of a box has a corner below a plane.
static bool isFaceBelow(const crPolytope* a, int face, const crAreaPlane* plane)
{
  crVec3 n = plane->normal, h = a->half;
  double along[3] = { n.x * h.x, n.y * h.y, n.z * h.z }, sign = face % 2 == 0 ? 1.0 : -1.0;
  double all = fabs(along[0]) + fabs(along[1]) + fabs(along[2]);
  return plane->offset - sign * along[face / 2] + (all - fabs(along[face / 2])) > 0.0;
}

static void markHullFaces(const crHull* hull, const crAreaPlane* plane, int from, crFaceMarks* out)
{
  for (int i = 0; i < hull->vertexCount; i += CR_WIDE_LANES) {
    for (unsigned set = findBelow(hull, plane, i); set != 0; set &= set - 1) {
      int vertex = i + __builtin_ctz(set);
      for (int k = hull->neighbourStarts[vertex]; k < hull->neighbourStarts[vertex + 1]; ++k) {
        int face = hull->vertexFaces[k] - from;
        if (face >= 0 && face < CR_MARKED_FACES) {
          out->bits[face / 64] |= (uint64_t)1 << face % 64;
        }
      }
    }
  }
}

crFaceMarks crMarkFaces(const crPolytope* a, const crAreaPlane* plane, int from)
{
  crFaceMarks marks = { { 0 } };
  if (a->hull != NULL) {
    markHullFaces(a->hull, plane, from, &marks);
  }
  for (int f = from; f < a->faceCount && a->hull == NULL; ++f) {
    marks.bits[0] |= (uint64_t)isFaceBelow(a, f, plane) << f;
  }
  return marks;
}

static void addMarked(const crPolytope* a, const crFaceMarks* marks, const crAreaPlane* first, const Target* target,
                      crPatch* patch)
{
  for (int from = 0; from < a->faceCount; from += CR_MARKED_FACES) {
    crFaceMarks below = crMarkFaces(a, first, from);
    for (int i = 0; i < CR_MARKED_FACES / 64 && from + 64 * i < a->faceCount; ++i) {
      uint64_t set = below.bits[i] & (marks != NULL && from == 0 ? marks->bits[i] : ~(uint64_t)0);
      for (; set != 0; set &= set - 1) {
        addAnyFace(a, from + 64 * i + __builtin_ctzll(set), target, patch);
      }
    }
  }
}

void crAddMarkedFaces(const crPolytope* a, const crFaceMarks* marks, int planeCount, const crAreaPlane* planes,
                      const crVec3* normals, const crPose* X_PA, crPatch* patch)
{
  Target target = { .count = planeCount, .planes = planes, .normals = normals, .X = X_PA };
  addMarked(a, marks, &planes[0], &target, patch);
}

void crAddFacesInCells(const crPolytope* a, const crFaceMarks* marks, const crCells* cells, const crPose* X_PA,
                       crPatch* patch)
{
  Target target = { .cells = cells, .X = X_PA };
  addMarked(a, marks, &cells->planes[0], &target, patch);
}

void crAddFaces(const crPolytope* a, int planeCount, const crAreaPlane* planes, const crVec3* normals,
                const crPose* X_PA, crPatch* patch)
{
  crAddMarkedFaces(a, NULL, planeCount, planes, normals, X_PA, patch);
}

// Those faces of A that pass where the overlap can be.
static void addListed(const crPolytope* a, const Counted* own, const Counted* other, const crVec3* normals,
                      const crPose* X_PA, crPatch* patch)
{
  Target target = { .count = other->count, .planes = other->planes, .normals = normals, .X = X_PA };
  for (int i = 0; i < own->faceCount; ++i) {
    addAnyFace(a, own->faces[i], &target, patch);
  }
}

// ------------------------------------------------------------------------------------------------- pairs

static void turnNormals(int count, const crAreaPlane* planes, crMat3 R, crVec3* out)
{
  for (int j = 0; j < count; ++j) {
    out[j] = crMulMV(R, planes[j].normal);
  }
}

static void copyNormals(int count, const crAreaPlane* planes, crVec3* out)
{
  for (int j = 0; j < count; ++j) {
    out[j] = planes[j].normal;
  }
}

// One surface is enough in what has no other side, and nearer to the truth: a wedge pressed into a half-space has 0.78
// to 0.90 of its force, with both surfaces 0.69 to 0.83.
static void addOnGround(const crPolytope* a, const crPolytope* b, const crPose* X_AB, crPatch* patch)
{
  crAreaPlane ground = { X_AB->R.cz, b->offsets[0] + crDot(X_AB->R.cz, X_AB->p), false };
  patch->share = 1.0;
  if (a->hull == NULL && a->isInner == NULL) {
    crAddBoxOnGround(a->half, b->offsets[0], X_AB, patch);
  } else if (findMost(a, ground.normal, ground.offset) > 0.0) {
    crAddFaces(a, 1, &ground, &ground.normal, NULL, patch);
  }
}

bool crPolytope_Has(const crPolytope* a, crVec3 x)
{
  int j = 0;
  double slack = CR_ON_FACE * a->radius;
  while (j < a->faceCount && depthInB(a, j, x) >= -slack) {
    ++j;
  }
  return j == a->faceCount;
}

// Planes that do not count where the overlap can be are left out. That is right where there is an overlap: with such a
// plane or without, it is convex, and the plane does not pass it. Where there is none, as of edges that pass each other
// closely, something may be below the planes that are left. So some point is asked whether it is in both.
static bool isInBoth(const crPolytope* a, const crPolytope* b, const crPose* X_BA, const crPatchMark* mark,
                     const crPatch* patch)
{
  int i = patch->isSpilled ? -1 : crPatch_FindSince(patch, mark);
  if (i < 0) {
    return patch->isSpilled; // so many are no error
  }
  crVec3 x = crPatch_GetPoint(patch, i);
  return crPatch_IsOfSecond(patch, i) ? crPolytope_Has(a, x) : crPolytope_Has(b, crTransformPoint(*X_BA, x));
}

void crAddPolytopes(const crPolytope* a, const crPolytope* b, const crPose* X_AB, crPatch* patch)
{
  if (b->isHalfSpace) {
    addOnGround(a, b, X_AB, patch);
    return;
  }
  if (a->hull == NULL && b->hull == NULL && a->isInner == NULL && b->isInner == NULL) {
    crAddBoxes(a->half, b->half, X_AB, patch);
    return;
  }
  double leastA, leastB;
  int firstB = findFirst(a, b, X_AB, &leastA);
  if (firstB < 0) {
    return;
  }
  crPose X_BA = crInvertPose(*X_AB);
  int firstA = findFirst(b, a, &X_BA, &leastB);
  if (firstA < 0) {
    return;
  }
  crPatchMark mark = crPatch_Mark(patch);
  crVec3 normalB = crMulMV(X_AB->R, b->normals[firstB]), normalA = crMulMV(X_BA.R, a->normals[firstA]);
  crAreaPlane inA = { normalB, b->offsets[firstB] + crDot(normalB, X_AB->p), false };
  crAreaPlane inB = { normalA, a->offsets[firstA] + crDot(normalA, X_BA.p), false };
  crAabb pieceA = boundPiece(a, &inA), pieceB = boundPiece(b, &inB);
  if (!(pieceA.min.x <= pieceA.max.x && pieceB.min.x <= pieceB.max.x)) {
    return; // no deeper than rounding errors, of which another sum has others
  }
  crAabb otherB = crTurnBox(&pieceB, X_AB), otherA = crTurnBox(&pieceA, &X_BA);
  crAabb boxA = crMeetBoxes(&pieceA, &otherB), boxB = crMeetBoxes(&pieceB, &otherA);
  Counted ofB, ofA;
  crVec3 normals[CR_MAX_PLANES];
  listPlanes(b, X_AB, firstB, leastA, &boxA, &ofB);
  listPlanes(a, &X_BA, firstA, leastB, &boxB, &ofA);
  patch->isBroken = ofA.count < 0 || ofB.count < 0;
  if (ofA.count <= 0 || ofB.count <= 0) {
    return;
  }
  copyNormals(ofB.count, ofB.planes, normals);
  addListed(a, &ofA, &ofB, normals, NULL, patch);
  if (!patch->isOneSided) {
    crPatch_TakeSecond(patch);
    turnNormals(ofA.count, ofA.planes, X_AB->R, normals);
    addListed(b, &ofB, &ofA, normals, X_AB, patch);
  }
  if (!isInBoth(a, b, &X_BA, &mark, patch)) {
    crPatch_Undo(patch, &mark);
  }
}
