#include "collide/area/round_part.h"

#include "collide/area/disc.h"

#define CR_TIGHTEN_ROUNDS 4
#define CR_PIECE_SLACK 1e-10 // [-] of the size, around a piece: far above rounding, see polytope.c
#define CR_NEAR 1e-12        // [-] of the size: what is missed by less is met
#define CR_LEAST_SLOPE 1e-6  // [-] of a plane along an axis of a piece: less does not shrink it

#define CR_PARALLEL 1e-24 // [-] square of the sine of planes that have no line in common

// ------------------------------------------------------------------------------------------------ planes

static double largestRadius(const crSide* side)
{
  return crMax2(side->r0, side->r1);
}

static double sizeOf(const crSide* side)
{
  return largestRadius(side) + side->z1 - side->z0;
}

// The depth of the deepest point below a plane in axes of the part.
static double findMost(const crSide* side, crVec3 n, double offset)
{
  double h = sqrt(n.x * n.x + n.y * n.y);
  return offset + crMax2(h * side->r0 - n.z * side->z0, h * side->r1 - n.z * side->z1);
}

static inline double depthInB(const crPolytope* b, int j, crVec3 x)
{
  return b->offsets[j] - crDot(b->normals[j], x);
}

static bool isInner(const crPolytope* b, int j)
{
  return b->isInner != NULL && b->isInner[j];
}

bool crRoundPart_Has(const crRoundPart* part, crVec3 x)
{
  const crSide* side = &part->side;
  double u = x.x - part->x, r = sqrt(u * u + x.y * x.y), slack = CR_NEAR * sizeOf(side);
  return u * part->sense >= -slack && x.z >= side->z0 - slack && x.z <= side->z1 + slack &&
         r <= crSide_RadiusAt(side, x.z) + slack;
}

// The plane of B that the part is least deep below, with that depth; -1: they are apart.
static int findFirst(const crRoundPart* part, const crPolytope* b, const crPose* X_AB, double* outLeast)
{
  const crSide* side = &part->side;
  crVec3 axis = crMakeVec3(part->x, 0.0, 0.0), middle = crMakeVec3(part->x, 0.0, 0.5 * (side->z0 + side->z1));
  crVec3 axisInB = crInvTransformPoint(*X_AB, axis), middleInB = crInvTransformPoint(*X_AB, middle);
  int first = -1;
  double least = HUGE_VAL;
  for (int j = 0; j < b->faceCount; ++j) {
    if (depthInB(b, j, middleInB) >= least) {
      continue; // the part is at least as deep as its middle
    }
    double most = findMost(side, crMulMV(X_AB->R, b->normals[j]), depthInB(b, j, axisInB));
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

// The extent along h e_z - n_z e_r, across the normal, of the cut through the axis and the normal, below the plane.
static crExtent boundCut(const crSide* side, double h, double nz, double offset)
{
  double r[4] = { -side->r0, side->r0, side->r1, -side->r1 }, z[4] = { side->z0, side->z0, side->z1, side->z1 };
  crExtent extent = { HUGE_VAL, -HUGE_VAL };
  for (int i = 0; i < 4; ++i) {
    int k = (i + 1) % 4;
    double di = offset - h * r[i] - nz * z[i], dk = offset - h * r[k] - nz * z[k], at = h * z[i] - nz * r[i],
           next = h * z[k] - nz * r[k];
    if (di > 0.0 ? dk < 0.0 : dk > 0.0) {
      double cut = at + di / (di - dk) * (next - at);
      extent.least = crMin2(extent.least, cut);
      extent.most = crMax2(extent.most, cut);
    }
    if (di >= 0.0) {
      extent.least = crMin2(extent.least, at);
      extent.most = crMax2(extent.most, at);
    }
  }
  return extent;
}

// Along the normal; across it in the plane of the axis; and across both, where a chord of depth d / h in a circle of
// radius R is shorter than 2 sqrt(2 R d / h).
static void boundPiece(const crRoundPart* part, crVec3 n, double offset, double depth, crPiece* out)
{
  double h = sqrt(n.x * n.x + n.y * n.y), radius = largestRadius(&part->side),
         more = CR_PIECE_SLACK * sizeOf(&part->side);
  crVec3 across = h > 0.0 ? crMakeVec3(-n.y / h, n.x / h, 0.0) : crMakeVec3(0.0, 1.0, 0.0);
  crExtent along = boundCut(&part->side, h, n.z, offset);
  double chord = h * radius > 2.0 * depth ? sqrt(2.0 * radius * depth / h) : radius;
  out->axes[0] = n;
  out->axes[1] = across;
  out->axes[2] = crCross(n, across);
  out->half[0] = 0.5 * depth + more;
  out->half[1] = chord + more;
  out->half[2] = 0.5 * (along.most - along.least) + more;
  out->centre = crMulAdd(crScale(offset - 0.5 * depth, n), 0.5 * (along.most + along.least), out->axes[2]);
  out->centre.x += part->x;
  out->depth = depth;
}

static inline double depthAt(const crAreaPlane* plane, crVec3 x)
{
  return plane->offset - crDot(plane->normal, x);
}

// Takes away what is outside of a plane all across the other two axes, along one axis. False: nothing is left.
static bool shrinkAlong(int axis, int count, const crAreaPlane* planes, double more, crPiece* piece)
{
  double low = -piece->half[axis], high = piece->half[axis];
  for (int j = 0; j < count; ++j) {
    double slope = crDot(planes[j].normal, piece->axes[axis]), most = depthAt(&planes[j], piece->centre) +
                                                                      crPiece_FindSpread(piece, planes[j].normal) -
                                                                      fabs(slope) * piece->half[axis];
    if (slope > CR_LEAST_SLOPE) {
      high = crMin2(high, (most + more) / slope);
    } else if (slope < -CR_LEAST_SLOPE) {
      low = crMax2(low, (most + more) / slope);
    }
  }
  piece->centre = crMulAdd(piece->centre, 0.5 * (low + high), piece->axes[axis]);
  piece->half[axis] = 0.5 * (high - low);
  return low < high;
}

// Whether a plane is less deep than `limit` somewhere in a piece.
static bool isWithin(const crAreaPlane* plane, const crPiece* piece, double limit)
{
  return depthAt(plane, piece->centre) - crPiece_FindSpread(piece, plane->normal) < (plane->isInner ? 0.0 : limit);
}

// Shrinks the piece to what can be inside B, and leaves out planes that do not count there. Returns their number.
static int tighten(int count, crAreaPlane* planes, double more, crPiece* piece)
{
  for (int round = 0; round < CR_TIGHTEN_ROUNDS && count > 2; ++round) {
    for (int axis = 2; axis >= 0; --axis) {
      if (!shrinkAlong(axis, count, planes, more, piece)) {
        return 0;
      }
    }
    int kept = 1;
    for (int j = 1; j < count; ++j) {
      if (isWithin(&planes[j], piece, piece->depth)) {
        planes[kept++] = planes[j];
      }
    }
    if (kept == count) {
      break;
    }
    count = kept;
  }
  return count;
}

// Whether plane k is less deep than plane j all over a piece: then j is nowhere nearest, and cuts nothing.
static bool isNearer(const crAreaPlane* k, const crAreaPlane* j, const crPiece* piece)
{
  crVec3 n = crSub(j->normal, k->normal);
  return j->offset - k->offset - crDot(n, piece->centre) > crPiece_FindSpread(piece, n);
}

int crRoundPart_DropFarther(const crOverlap* overlap, int count, crAreaPlane* planes)
{
  const crPiece* piece = &overlap->tight;
  int kept = 1;
  for (int j = 1; j < count; ++j) {
    bool isFarther = false;
    for (int k = 0; k < count && !isFarther; ++k) {
      isFarther = k != j && (planes[j].isInner || !planes[k].isInner) && isNearer(&planes[k], &planes[j], piece);
    }
    if (!isFarther) {
      planes[kept++] = planes[j];
    }
  }
  return kept;
}

// What of the part's own surface is in the second piece or near.
static void findNear(const crRoundPart* part, crOverlap* o)
{
  const crSide* side = &part->side;
  const crPiece* box = &o->tight;
  crVec3 x = box->centre;
  double z = crPiece_FindSpread(box, crMakeVec3(0.0, 0.0, 1.0)), r = 0.0;
  for (int i = 0; i < 3; ++i) {
    crVec3 e = box->axes[i];
    r += box->half[i] * sqrt(e.x * e.x + e.y * e.y);
  }
  x.x -= part->x;
  r += sqrt(x.x * x.x + x.y * x.y);
  double growth = (side->r1 - side->r0) / (side->z1 - side->z0), c = 1.0 / sqrt(1.0 + growth * growth);
  double below = c * (crSide_RadiusAt(side, x.z) - fabs(growth) * z - r),
         caps[2] = { x.z - z - side->z0, side->z1 - x.z - z };
  double slack = CR_NEAR * sizeOf(side);
  o->isSideIn = below <= slack;
  o->isSideNear = below < box->depth + slack;
  for (int i = 0; i < 2; ++i) {
    bool isCap = (i == 0 ? side->r0 : side->r1) > 0.0;
    o->isCapIn[i] = isCap && caps[i] <= slack;
    o->isCapNear[i] = isCap && caps[i] < box->depth + slack;
  }
}

int crRoundPart_ListPlanes(const crRoundPart* part, const crPolytope* b, const crPose* X_AB, crOverlap* outOverlap,
                           crAreaPlane* outPlanes)
{
  double least;
  int first = findFirst(part, b, X_AB, &least), count = 1;
  if (first < 0) {
    return 0;
  }
  crPiece* piece = &outOverlap->piece;
  crVec3 n = crMulMV(X_AB->R, b->normals[first]), origin = crNeg(crMulTV(X_AB->R, X_AB->p));
  double offset = depthInB(b, first, origin);
  outPlanes[0] = (crAreaPlane){ n, offset, false };
  double steep = b->steepest > 1.0 ? 1.0 / crLength(n) : 1.0; // of a cell, whose planes may fall faster than with 1
  boundPiece(part, crScale(steep, n), steep * (offset - n.x * part->x), steep * least, piece);
  piece->depth = least;
  if (!(piece->half[2] >= 0.0)) {
    return 0; // no deeper than rounding errors
  }
  piece->face = first;
  piece->offset = offset;
  crVec3 centre = crInvTransformPoint(*X_AB, piece->centre);
  double radius = b->steepest * sqrt(piece->half[0] * piece->half[0] + piece->half[1] * piece->half[1] +
                                     piece->half[2] * piece->half[2]);
  for (int j = 0; j < b->faceCount; ++j) {
    if (j == first || depthInB(b, j, centre) - radius >= least) {
      continue;
    }
    crAreaPlane plane = { crMulMV(X_AB->R, b->normals[j]), depthInB(b, j, origin), isInner(b, j) };
    if (isWithin(&plane, piece, least)) {
      if (count == CR_MAX_PLANES) {
        return -1;
      }
      outPlanes[count++] = plane;
    }
  }
  outOverlap->tight = *piece;
  count = tighten(count, outPlanes, CR_PIECE_SLACK * sizeOf(&part->side), &outOverlap->tight);
  findNear(part, outOverlap);
  return count;
}

// -------------------------------------------------------------------------------------------------- side

static crFanBound minus(const crFanBound* f, const crFanBound* g)
{
  return (crFanBound){ crSub(f->normal, g->normal), 0.0, f->offset - g->offset };
}

// Where the depth along the curve on the side on which depths i and k are equal is largest or least: with n the normal
// of that curve's plane and f that of depth i, the gradient of r^2 = (R0 + g z)^2 is a combination l n + m f.
static void seeAlongBisector(const crFan* fan, int i, int k, crPatch* patch)
{
  const crFanBound *a = &fan->bounds[i], *b = &fan->bounds[k];
  const crSide* side = &fan->side;
  crVec3 n = crSub(a->normal, b->normal), f = a->normal;
  double g = (side->r1 - side->r0) / (side->z1 - side->z0), g2 = g * g;
  double p = g2 * (n.x * n.x + n.y * n.y) - n.z * n.z, q = g2 * (n.x * f.x + n.y * f.y) - n.z * f.z,
         s = g2 * (f.x * f.x + f.y * f.y) - f.z * f.z, root = sqrt(crMax2(q * q - p * s, 0.0));
  double t = q >= 0.0 ? -(q + root) : root - q, l[2] = { t, s }, m[2] = { p, t };
  for (int way = 0; way < 4; ++way) {
    double sign = way < 2 ? 1.0 : -1.0, x = l[way % 2] * n.x + m[way % 2] * f.x,
           y = l[way % 2] * n.y + m[way % 2] * f.y, length = sign * sqrt(x * x + y * y);
    double c = x / length, v = y / length, along = n.x * c + n.y * v, offset = a->offset - b->offset;
    double start = offset - n.z * side->z0 - along * side->r0, end = offset - n.z * side->z1 - along * side->r1,
           at = start / (start - end);
    if (at >= 0.0 && at <= 1.0) {
      double r = side->r0 + at * (side->r1 - side->r0);
      crFan_SeeDepth(fan, crMakeVec3(r * c, r * v, side->z0 + at * (side->z1 - side->z0)), patch);
    }
  }
}

// The deepest points of rims below single planes.
static void seeRims(const crFan* fan, crPatch* patch)
{
  const crSide* side = &fan->side;
  for (int k = 0; k < fan->depthCount; ++k) {
    crVec3 n = fan->bounds[k].normal;
    double h = sqrt(n.x * n.x + n.y * n.y), x = h > 0.0 ? -n.x / h : 1.0, y = h > 0.0 ? -n.y / h : 0.0;
    crFan_SeeDepth(fan, crMakeVec3(side->r0 * x, side->r0 * y, side->z0), patch);
    crFan_SeeDepth(fan, crMakeVec3(side->r1 * x, side->r1 * y, side->z1), patch);
  }
}

static void breakAtRims(crFan* fan, const crFanBound* f, const bool isRim[2], int nearest, crPatch* patch)
{
  const crSide* side = &fan->side;
  if (isRim[0]) {
    crFan_BreakAtCircle(fan, side->z0, side->r0, f->normal, f->offset, nearest, patch);
  }
  if (isRim[1]) {
    crFan_BreakAtCircle(fan, side->z1, side->r1, f->normal, f->offset, nearest, patch);
  }
}

// A bound as a piece sees it [m]: in the middle, and what it gains from there to the ends of its three axes.
typedef double Seen __attribute__((vector_size(32), aligned(8)));

static Seen seeBound(const crPiece* piece, crVec3 centre, const crFanBound* f)
{
  Seen seen = { crFanBound_At(f, centre, 0.0) };
  for (int i = 0; i < 3; ++i) {
    seen[i + 1] = piece->half[i] * crDot(f->normal, piece->axes[i]);
  }
  return seen;
}

static inline double spreadOf(Seen seen)
{
  return fabs(seen[1]) + fabs(seen[2]) + fabs(seen[3]);
}

// Which bounds are 0 in the piece, or next to it: planes of B may be its ends; and which pairs of depths are equal and
// the least somewhere there.
typedef struct Meetings {
  const crPiece* piece;
  crVec3 centre; // [m] of the piece
  Seen seen[CR_MAX_FAN_BOUNDS];
  bool isMet[CR_MAX_FAN_BOUNDS];
  bool areEqual[CR_MAX_FAN_BOUNDS][CR_MAX_FAN_BOUNDS]; // [i][k], k < i
} Meetings;

// The part of o + s e that is in the piece, beyond which is no point of the surface. False: there is none.
static bool clipByPiece(const Meetings* meetings, crVec3 o, crVec3 e, double slack, double* outLow, double* outHigh)
{
  crVec3 from = crSub(o, meetings->centre);
  double low = -HUGE_VAL, high = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    double h = meetings->piece->half[i] + slack, x = crDot(from, meetings->piece->axes[i]),
           along = crDot(e, meetings->piece->axes[i]), a = (-h - x) / along, b = (h - x) / along;
    if (along == 0.0) {
      low = fabs(x) <= h ? low : HUGE_VAL;
      continue;
    }
    low = crMax2(low, crMin2(a, b));
    high = crMin2(high, crMax2(a, b));
  }
  *outLow = low;
  *outHigh = high;
  return low <= high;
}

// Where the line that is on both planes, offset - normal . x = 0, passes the side.
static void breakAtLine(crFan* fan, const Meetings* meetings, const crFanBound* f, const crFanBound* g, int nearest,
                        crPatch* patch)
{
  crVec3 e = crCross(f->normal, g->normal);
  double ee = crLengthSquared(e), low, high;
  if (!(ee > CR_PARALLEL)) {
    return;
  }
  crVec3 o = crScale(1.0 / ee, crCross(crSub(crScale(f->offset, g->normal), crScale(g->offset, f->normal)), e));
  if (!clipByPiece(meetings, o, e, fan->slack, &low, &high)) {
    return;
  }
  const crSide* side = &fan->side;
  double growth = (side->r1 - side->r0) / (side->z1 - side->z0);
  crFan_BreakAtCone(fan, o, e, low, high, crSide_RadiusAt(side, o.z), growth * e.z, nearest, patch);
}

static bool areEqual(const crFan* fan, const Meetings* meetings, int i, int k)
{
  Seen more = meetings->seen[i] - meetings->seen[k];
  return fabs(more[0]) <= spreadOf(more) + fan->slack;
}

// Whether another depth is less than a mean of both, all over the piece.
static bool areCovered(const crFan* fan, const Meetings* meetings, int i, int k)
{
  Seen f = meetings->seen[i], g = meetings->seen[k],
       means[3] = { 0.5 * f + 0.5 * g, 0.25 * f + 0.75 * g, 0.75 * f + 0.25 * g };
  for (int l = 0; l < fan->depthCount; ++l) {
    for (int at = 0; at < 3 && l != i && l != k; ++at) {
      Seen less = meetings->seen[l] - means[at];
      if (less[0] + spreadOf(less) < -2.0 * fan->slack) {
        return true;
      }
    }
  }
  return false;
}

// Where depths i and k are equal on a rim, at a cut, or to a third.
static void breakAtBisector(crFan* fan, int i, int k, const Meetings* meetings, const bool isRim[2], crPatch* patch)
{
  const crFanBound* f = &fan->bounds[i];
  crFanBound more = minus(f, &fan->bounds[k]);
  breakAtRims(fan, &more, isRim, i, patch);
  for (int l = 0; l < k; ++l) {
    if (meetings->areEqual[i][l] && meetings->areEqual[k][l]) {
      crFanBound other = minus(f, &fan->bounds[l]);
      breakAtLine(fan, meetings, &more, &other, i, patch);
    }
  }
  for (int l = fan->depthCount; l < fan->count; ++l) {
    breakAtLine(fan, meetings, &more, &fan->bounds[l], i, patch);
  }
}

static void findRims(const crFan* fan, bool isRim[2])
{
  const crSide* side = &fan->side;
  isRim[0] = side->r0 > 0.0;
  isRim[1] = side->r1 > 0.0;
  for (int i = 0; i < fan->count; ++i) {
    const crFanBound* f = &fan->bounds[i];
    double h = sqrt(f->normal.x * f->normal.x + f->normal.y * f->normal.y);
    isRim[0] = isRim[0] && f->offset - f->normal.z * side->z0 + h * side->r0 >= 0.0;
    isRim[1] = isRim[1] && f->offset - f->normal.z * side->z1 + h * side->r1 >= 0.0;
  }
}

// Where a bound ends on a rim, an edge passes the side, two depths are equal on a rim or at a cut, or three anywhere;
// and where the depth along two equal ones is largest.
static void findSideBreaks(crFan* fan, const crPiece* piece, crPatch* patch)
{
  Meetings meetings;
  bool isRim[2];
  crVec3 centre = crSub(piece->centre, fan->origin);
  meetings.piece = piece;
  meetings.centre = centre;
  findRims(fan, isRim);
  for (int i = 0; i < fan->count; ++i) {
    const crFanBound* f = &fan->bounds[i];
    Seen seen = meetings.seen[i] = seeBound(piece, centre, f);
    meetings.isMet[i] = fabs(seen[0]) <= spreadOf(seen) + fan->slack;
    if (meetings.isMet[i]) {
      breakAtRims(fan, f, isRim, -1, patch);
    }
  }
  for (int i = 1; i < fan->count; ++i) {
    for (int k = 0; k < i; ++k) {
      bool areMet = meetings.isMet[i] && meetings.isMet[k], isDepth = i < fan->depthCount;
      meetings.areEqual[i][k] = isDepth && areEqual(fan, &meetings, i, k);
      if (isDepth && (areMet || meetings.areEqual[i][k]) && areCovered(fan, &meetings, i, k)) {
        areMet = meetings.areEqual[i][k] = false;
      }
      if (areMet) {
        breakAtLine(fan, &meetings, &fan->bounds[i], &fan->bounds[k], -1, patch);
      }
    }
  }
  for (int i = 1; i < fan->depthCount && i < fan->count; ++i) {
    for (int k = 0; k < i; ++k) {
      if (meetings.areEqual[i][k]) { // NOLINT: all are set above
        breakAtBisector(fan, i, k, &meetings, isRim, patch);
        seeAlongBisector(fan, i, k, patch);
      }
    }
  }
}

static void addSide(const crRoundPart* part, const crPiece* piece, int count, const crAreaPlane* planes, crPatch* patch)
{
  crFan fan;
  crFan_BeginSide(&fan, part->side, crMakeVec3(part->x, 0.0, 0.0));
  for (int isCut = 0; isCut < 2; ++isCut) {
    for (int j = 0; j < count; ++j) {
      crVec3 n = planes[j].normal;
      crFanBound bound = { n, 0.0, planes[j].offset - n.x * part->x };
      if (planes[j].isInner && isCut) {
        crFan_AddCut(&fan, bound);
      } else if (!planes[j].isInner && !isCut) {
        crFan_AddDepth(&fan, bound);
      }
    }
  }
  crFan_Aim(&fan, planes[0].normal, part->sense);
  seeRims(&fan, patch);
  findSideBreaks(&fan, piece, patch);
  crFan_AddPoints(&fan, patch);
}

// -------------------------------------------------------------------------------------------------- caps

static void addCap(const crRoundPart* part, double z, double radius, int count, const crAreaPlane* planes,
                   crPatch* patch)
{
  static const double u[4] = { 1.0, -1.0, -1.0, 1.0 }, v[4] = { 1.0, 1.0, -1.0, -1.0 };
  crCorner buffers[3][CR_MAX_POLYGON], parts[2][CR_MAX_POLYGON];
  crLinear depths[CR_MAX_PLANES];
  crVec3 normals[CR_MAX_PLANES], kept[CR_MAX_PLANES];
  crChart chart = { { part->x, 0.0, z }, { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } };
  for (int j = 0; j < count; ++j) {
    crVec3 n = normals[j] = planes[j].normal;
    if (planes[j].offset - crDot(n, chart.origin) + radius * sqrt(n.x * n.x + n.y * n.y) <= 0.0) {
      return;
    }
  }
  for (int k = 0; k < 4; ++k) {
    double side = u[k] * part->sense < 0.0 ? 0.0 : 1.5 * u[k]; // the straight edge of half a disc
    buffers[0][k] = (crCorner){ side * radius, 1.5 * radius * v[k] };
  }
  const crCorner *x, *corners;
  int n = 4;
  double slack = CR_EQUAL_DEPTHS * radius;
  int m = crCutByPlanes(count, planes, normals, &chart, slack, &n, buffers, &x, depths, kept);
  crRegion region = { m, depths, kept, slack };
  for (int j = 0; j < m; ++j) {
    int partCount = crCutRegion(n, x, &region, j, parts, &corners);
    if (partCount > 2) {
      crPatch_AddInDisc(patch, partCount, corners, radius, &chart, &depths[j], kept[j]);
    }
  }
}

void crRoundPart_AddSurface(const crRoundPart* part, const crOverlap* overlap, int planeCount,
                            const crAreaPlane* planes, crPatch* patch)
{
  const crSide* side = &part->side;
  if (overlap->isSideIn && (patch->surfaces & cr_surfaceSide) != 0) {
    addSide(part, &overlap->tight, planeCount, planes, patch);
  }
  if (overlap->isCapIn[0] && (patch->surfaces & cr_surfaceBottom) != 0) {
    addCap(part, side->z0, side->r0, planeCount, planes, patch);
  }
  if (overlap->isCapIn[1] && (patch->surfaces & cr_surfaceTop) != 0) {
    addCap(part, side->z1, side->r1, planeCount, planes, patch);
  }
}
