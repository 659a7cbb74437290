#include "collide/area/lines.h"

#include "base/elementary.h"
#include "collide/area/polygon.h"

#include "collide/area/mask.h"
#include <string.h>

#define CR_LEAST_SHARE 1e-13 // [-] of a cone's radius in the middle of a span: what is less is none
#define CR_SMALL_SQUARE 0.04 // [-] up to which a series is as good as the logarithm,
#define CR_SERIES 11         // and its last term
#define CR_WIDER 1e-9        // [-] of a radius: who is farther away is outside

// ------------------------------------------------------------------------------------------------- alone

static inline double findDepth(const crCurvedBody* b, const crLines* lines, int i, const crSpan* span, double t)
{
  crVec3 x = crMulAdd(crLines_GetPlace(lines->q, i), t, crLines_GetPlace(lines->w, i));
  if (span->kind == cr_spanLower) {
    return x.z - b->z0;
  }
  if (span->kind == cr_spanUpper) {
    return b->z1 - x.z;
  }
  double r = crCurvedBody_FindRadius(b, x.z), across = crCurvedBody_SeeX(b, span->segment, x.x, 1.0);
  // at a tip rounding errors are larger than the radius
  return r > 0.0 ? crMax2(0.5 * b->cosine * (r - (across * across + x.y * x.y) / r), 0.0) : 0.0;
}

static inline void seeDepth(crLines* lines, int i, double t, double depth)
{
  lines->deepest[i] = depth > lines->depth[i] ? t : lines->deepest[i];
  lines->depth[i] = depth > lines->depth[i] ? depth : lines->depth[i];
}

// What the mean of the depth over a span near a cone's side is more than Simpson's rule says. The depth is A + B R + q
// / R; of the last the rule misses q / R s(x), R in the middle and x the share of R that it changes by to either end,
// with s = atanh(x) / x - (2 + 1 / (1 - x^2)) / 3, a series where that cancels. So the measure of a line has no jump
// anywhere.
static double findConeRest(const crCurvedBody* other, const crLines* lines, int i, double from, double to)
{
  crVec3 p = crLines_GetPlace(lines->q, i), u = crLines_GetPlace(lines->w, i);
  double m = 0.5 * (from + to), h = 0.5 * (to - from);
  double slope = other->slope * u.z, start = crCurvedBody_FindRadius(other, p.z);
  double r = start + m * slope, inverse = 1.0 / r, x = h * slope * inverse, square = x * x;
  if (!(fabs(x) < 1.0 - CR_LEAST_SHARE)) { // the tip, where q is none
    return 0.0;
  }
  double px = slope * p.x - start * u.x, py = slope * p.y - start * u.y;
  double q = -0.5 * other->cosine * (px * px + py * py) * inverse; // times slope^2 / R
  if (square < CR_SMALL_SQUARE) {
    double sum = 0.0;
    for (int k = CR_SERIES; k >= 2; --k) {
      sum = sum * square + (1.0 / (2 * k + 1) - 1.0 / 3.0);
    }
    return q * square * (h * inverse) * (h * inverse) * sum;
  }
  double s = 0.5 * crLog((1.0 + x) / (1.0 - x)) / x - (2.0 + 1.0 / (1.0 - square)) / 3.0;
  return q * s / (slope * slope);
}

// Simpson's rule, exact for the cubic that the depth and the width of a line have together, but for cones.
static void measureAlone(const crCurvedBody* other, crLines* lines, int i)
{
  for (int k = 0; k < CR_LINE_SUMS; ++k) {
    lines->sums[k][i] = 0.0;
  }
  lines->depth[i] = lines->deepest[i] = 0.0;
  double weight = lines->weight[i], more = lines->more[i];
  for (int k = 0; k < lines->roomCounts[i]; ++k) {
    const crSpan* span = &lines->room[i][k];
    double m = 0.5 * (span->from + span->to), h = 0.5 * (span->to - span->from);
    double a = findDepth(other, lines, i, span, span->from), b = findDepth(other, lines, i, span, m),
           c = findDepth(other, lines, i, span, span->to);
    lines->sums[span->kind][i] += h / 3.0 * ((a + 4.0 * b + c) * (weight + m * more) + (c - a) * h * more);
    if (other->slope != 0.0 && span->kind == cr_spanSide) {
      lines->sums[0][i] += 2.0 * h * findConeRest(other, lines, i, span->from, span->to) * (weight + m * more);
    }
    seeDepth(lines, i, span->from, a);
    seeDepth(lines, i, span->to, c);
    seeDepth(lines, i, m, b);
    double slope = 0.5 * (c - a), bend = 2.0 * b - a - c; // of a parabola
    if (span->kind == cr_spanSide && bend > 0.0 && fabs(slope) < bend) {
      seeDepth(lines, i, m + h * slope / bend, b + 0.5 * slope * slope / bend);
    }
  }
}

// ---------------------------------------------------------------------------------------------- in lanes

typedef struct Place {
  crPart x, y, z;
} Place;

static inline crPart readPart(const double* from)
{
  crPart part;
  memcpy(&part, from, sizeof part);
  return part;
}

static inline void keepPart(crPart part, double* to)
{
  memcpy(to, &part, sizeof part);
}

static inline void keepPlace(crLineRow rows[3], int at, Place p)
{
  keepPart(p.x, &rows[0][at]);
  keepPart(p.y, &rows[1][at]);
  keepPart(p.z, &rows[2][at]);
}

static inline crPart sizesOf(crPart a)
{
  crPart zero = { 0.0 };
  return crPick(crIsAbove(zero, a), -a, a);
}

static inline Place turn(const crMat3* R, Place a)
{
  return (Place){ R->cx.x * a.x + R->cy.x * a.y + R->cz.x * a.z, R->cx.y * a.x + R->cy.y * a.y + R->cz.y * a.z,
                  R->cx.z * a.x + R->cy.z * a.y + R->cz.z * a.z };
}

// As crRuled_FindLine.
static inline void placePart(const crRuled* ruled, crPart v, Place* outP, Place* outU, crPart* outWeight,
                             crPart* outMore)
{
  const crCurvedBody* body = ruled->own;
  crPart zero = { 0.0 };
  double tall = body->z1 - body->z0;
  if (ruled->kind == cr_ruledCap) {
    crPart half = body->half + ruled->r * crRootsOfParts((1.0 - v) * (1.0 + v));
    *outP = (Place){ -half, ruled->r * v, zero + ruled->z };
    *outU = (Place){ 2.0 * half, zero, zero };
    *outWeight = 2.0 * half * ruled->r;
    *outMore = zero;
  } else if (ruled->kind == cr_ruledFlat) {
    *outP = (Place){ body->half * v, zero + ruled->y, zero + body->z0 };
    *outU = (Place){ zero, zero, zero + tall };
    *outWeight = zero + tall * body->half;
    *outMore = zero;
  } else {
    crPart kv = ruled->k * v, inverse = 1.0 / (1.0 + kv * kv), c = (1.0 - kv * kv) * inverse, s = 2.0 * kv * inverse;
    crPart ex = c * ruled->ex - s * ruled->ey, ey = c * ruled->ey + s * ruled->ex;
    double more = body->r1 - body->r0;
    crPart scale = body->slant * ruled->k * inverse;
    *outP = (Place){ ruled->x + body->r0 * ex, body->r0 * ey, zero + body->z0 };
    *outU = (Place){ more * ex, more * ey, zero + tall };
    *outWeight = scale * body->r0;
    *outMore = scale * more;
  }
}

// What is seen along lines, as in spans.c, with the parts of them that are inside: from ... cut of one kind, and cut
// ... to of another one, or all of one.
typedef struct Sight {
  const crCurvedBody* other;
  Place p, u;
  crPart sideA, sideB, sideC; // R^2 - rho^2 = a t^2 + 2 b t + c
  crPart r, dr, z, dz;
  double tall;
  crPart shift, isOffAxis;  // x as the segment sees it is (x + shift) isOffAxis
  crMask isBetween, isBack; // segments 1 and 2 of a beam, else 0
  crMask isIn, isCut;       // there is a part; it is cut
  crMask isLeft;            // there are more: the line is seen alone
  crPart from, cut, to;
  crMask areSide[2], areLower[2]; // what the parts are nearest to
} Sight;

static inline crPart valueOf(crPart a, crPart b, crPart c, crPart t)
{
  return (a * t + 2.0 * b) * t + c;
}

// Both roots in ascending order, of those that have any.
static inline crMask solve(crPart a, crPart b, crPart c, crPart* outLow, crPart* outHigh)
{
  crPart zero = { 0.0 }, square = b * b - a * c, root = crRootsOfParts(square);
  crPart g = crPick(crIsAbove(b, zero), -b - root, -b + root);
  crMask isZeroA = crBoth(crIsAtLeast(a, zero), crIsAtLeast(zero, a)),
         isZeroG = crBoth(crIsAtLeast(g, zero), crIsAtLeast(zero, g));
  crPart beyond = crPick(crIsAbove(g, zero), zero + HUGE_VAL, zero - HUGE_VAL);
  crPart x = crPick(isZeroA, beyond, g / a), y = crPick(isZeroG, x, c / g);
  *outLow = crLesserOfParts(x, y);
  *outHigh = crGreaterOfParts(x, y);
  return crIsAbove(square, zero);
}

static inline void clipByCaps(Sight* s)
{
  crPart zero = { 0.0 }, one = zero + 1.0, low = s->p.z - s->other->z0, high = s->other->z1 - s->p.z;
  crPart least = crLesserOfParts(crLesserOfParts(low, high), crLesserOfParts(low + s->u.z, high - s->u.z));
  crPart inverse = 1.0 / s->u.z, a = -low * inverse, b = high * inverse;
  crMask isBeyond = crIsAbove(zero, least);
  s->from = crPick(isBeyond, crGreaterOfParts(zero, crLesserOfParts(a, b)), zero);
  s->to = crPick(isBeyond, crLesserOfParts(one, crGreaterOfParts(a, b)), one);
  s->isIn = crIsAbove(s->to, s->from);
}

// Where p + t u can be within -reach ... reach.
static inline void narrow(crPart p, crPart u, double reach, crPart* ioFrom, crPart* ioTo)
{
  crPart a = (-reach - p) / u, b = (reach - p) / u;
  *ioFrom = crGreaterOfParts(crLesserOfParts(a, b), *ioFrom); // what is no number changes nothing
  *ioTo = crLesserOfParts(crGreaterOfParts(a, b), *ioTo);
}

// The segment of a beam that a line is inside of, with the part of the line that passes it. Lines that can be inside of
// several are left.
static inline void findSegments(Sight* s)
{
  crPart zero = { 0.0 }, one = zero + 1.0;
  double half = s->other->half, radius = (1.0 + CR_WIDER) * s->other->r0;
  s->shift = zero;
  s->isOffAxis = one;
  s->isLeft = s->isBetween = s->isBack = crIsAbove(zero, zero);
  if (!(half > 0.0)) {
    return;
  }
  crPart lower = (-half - s->p.x) / s->u.x, upper = (half - s->p.x) / s->u.x, from = s->from, to = s->to;
  crMask isForward = crIsAbove(s->u.x, zero), isMoving = crEither(isForward, crIsAbove(zero, s->u.x));
  crPart first = crLesserOfParts(crGreaterOfParts(crPick(isForward, lower, upper), from), to);
  crPart second = crLesserOfParts(crGreaterOfParts(crPick(isForward, upper, lower), from), to);
  narrow(s->p.x, s->u.x, half + radius, &from, &to);
  narrow(s->p.y, s->u.y, radius, &from, &to);
  crMask isBefore = crIsAtLeast(first, to), isAfter = crExcept(crIsAtLeast(from, second), isBefore);
  crMask isBetween = crExcept(crBoth(crIsAtLeast(from, first), crIsAtLeast(second, to)), crEither(isBefore, isAfter));
  crMask isFront = crEither(crExcept(isBefore, isForward), crBoth(isAfter, isForward));
  crMask isBack = crEither(crBoth(isBefore, isForward), crExcept(isAfter, isForward));
  s->isLeft = crExcept(s->isIn, crBoth(isMoving, crEither(isBetween, crEither(isFront, isBack))));
  s->isBetween = isBetween;
  s->isBack = isBack;
  s->shift = crPick(isFront, zero - half, crPick(isBack, zero + half, zero));
  s->isOffAxis = crPick(isBetween, zero, one);
  s->from = crPick(isBefore, s->from, crPick(isAfter, second, first));
  s->to = crPick(isBefore, first, crPick(isAfter, s->to, second));
  s->isIn = crBoth(s->isIn, crIsAbove(s->to, s->from));
}

static inline void seeSide(Sight* s)
{
  const crCurvedBody* b = s->other;
  crPart x = (s->p.x + s->shift) * s->isOffAxis, dx = s->u.x * s->isOffAxis;
  s->r = b->r0 + b->slope * (s->p.z - b->z0);
  s->dr = b->slope * s->u.z;
  s->z = s->p.z - b->z0;
  s->dz = s->u.z;
  s->tall = b->z1 - b->z0;
  s->sideA = s->dr * s->dr - dx * dx - s->u.y * s->u.y;
  s->sideB = s->r * s->dr - x * dx - s->p.y * s->u.y;
  s->sideC = s->r * s->r - x * x - s->p.y * s->p.y;
}

static inline void clipBySide(Sight* s)
{
  crPart zero = { 0.0 }, low, high;
  crMask isFrom = crIsAtLeast(valueOf(s->sideA, s->sideB, s->sideC, s->from), zero),
         isTo = crIsAtLeast(valueOf(s->sideA, s->sideB, s->sideC, s->to), zero);
  crMask hasRoots = solve(s->sideA, s->sideB, s->sideC, &low, &high), isWhole = crBoth(isFrom, isTo);
  crMask isOne = crExcept(crEither(isFrom, isTo), isWhole);
  crMask isMiddle = crBoth(crIsAbove(zero, s->sideA), crBoth(crIsAbove(s->to, low), crIsAbove(high, s->from)));
  crPart first = crLesserOfParts(crGreaterOfParts(low, s->from), s->to),
         second = crLesserOfParts(crGreaterOfParts(high, s->from), s->to);
  crPart root = crPick(crIsAtLeast(sizesOf(high - second), sizesOf(low - first)), first, second);
  crMask isMet = crBoth(hasRoots, crEither(isOne, isMiddle));
  crPart from = crPick(isOne, crPick(isFrom, s->from, root), low),
         to = crPick(isOne, crPick(isFrom, root, s->to), high);
  s->from = crPick(isWhole, s->from, from);
  s->to = crPick(isWhole, s->to, to);
  s->isIn = crBoth(s->isIn, crEither(isWhole, crBoth(isMet, crIsAbove(s->to, s->from))));
}

static inline crPart boundSide(const Sight* s)
{
  const crCurvedBody* b = s->other;
  crPart zero = { 0.0 };
  crPart most =
      crGreaterOfParts(valueOf(s->sideA, s->sideB, s->sideC, s->from), valueOf(s->sideA, s->sideB, s->sideC, s->to));
  crMask isBetween =
      crBoth(crIsAbove(s->sideA * s->from + s->sideB, zero), crIsAbove(zero, s->sideA * s->to + s->sideB));
  most = crPick(isBetween, s->sideC - s->sideB * s->sideB / s->sideA, most);
  double half = 0.5 * b->cosine;
  if (b->slope == 0.0) {
    return half * most * b->inverse;
  }
  crPart ra = s->r + s->from * s->dr, rb = s->r + s->to * s->dr, least = crLesserOfParts(ra, rb);
  crPart all = half * crGreaterOfParts(ra, rb);
  return crPick(crIsAbove(2.0 * least * all, most), half * most / least, all);
}

static inline void findKind(const Sight* s, crPart t, crMask* outSide, crMask* outLower)
{
  crPart radius = s->r + t * s->dr, low = s->z + t * s->dz, high = s->tall - low;
  crPart cap = crLesserOfParts(low, high), side = s->other->cosine * valueOf(s->sideA, s->sideB, s->sideC, t);
  *outSide = crIsAtLeast(2.0 * radius * cap, side);
  *outLower = crIsAtLeast(high, low);
}

// Lines near both caps, and those that are cut twice, are left.
static inline void splitByNearest(Sight* s)
{
  crPart zero = { 0.0 }, low = s->z + s->from * s->dz, high = s->z + s->to * s->dz, bound = boundSide(s);
  crMask isLow = crIsAbove(bound, crLesserOfParts(low, high)),
         isHigh = crIsAbove(bound, s->tall - crGreaterOfParts(low, high)), isNear = crEither(isLow, isHigh);
  s->cut = s->to;
  s->isCut = s->areLower[0] = s->areLower[1] = crIsAbove(zero, zero);
  s->areSide[0] = s->areSide[1] = crIsAtLeast(zero, zero);
  if ((crBitsOf(isNear) & crBitsOf(s->isIn)) == 0) {
    s->isIn = crBoth(s->isIn, crIsAbove(s->to - s->from, zero + CR_LEAST_SPAN));
    return;
  }
  double c = s->other->cosine;
  crPart h = crPick(isLow, s->z, s->tall - s->z), dh = crPick(isLow, s->dz, -s->dz), first, second;
  crMask hasRoots = solve(c * s->sideA - 2.0 * s->dr * dh, c * s->sideB - s->r * dh - s->dr * h,
                          c * s->sideC - 2.0 * s->r * h, &first, &second);
  crMask isFirst = crBoth(crIsAbove(first, s->from), crIsAbove(s->to, first)),
         isSecond = crBoth(crIsAbove(second, s->from), crIsAbove(s->to, second));
  crMask isCut = crBoth(crBoth(hasRoots, isNear), crEither(isFirst, isSecond));
  crPart cut = crPick(isFirst, first, second), least = zero + CR_LEAST_SPAN;
  crMask isLong = crBoth(crIsAbove(cut - s->from, least), crIsAbove(s->to - cut, least));
  crMask isOdd = crEither(crBoth(isLow, isHigh), crEither(crBoth(isFirst, isSecond), crExcept(isCut, isLong)));
  s->isLeft = crEither(s->isLeft, crBoth(crBoth(s->isIn, isNear), isOdd));
  s->isIn = crBoth(s->isIn, crEither(isCut, crIsAbove(s->to - s->from, least)));
  crPart end = crPick(isCut, cut, s->to);
  crMask sides[2], lowers[2];
  findKind(s, 0.5 * (s->from + end), &sides[0], &lowers[0]);
  findKind(s, 0.5 * (cut + s->to), &sides[1], &lowers[1]);
  crMask isOther = crEither(crExcept(sides[0], sides[1]), crExcept(sides[1], sides[0]));
  crMask isOtherCap = crEither(crExcept(lowers[0], lowers[1]), crExcept(lowers[1], lowers[0]));
  isOther = crEither(isOther, crExcept(isOtherCap, crEither(sides[0], sides[1])));
  s->isCut = crBoth(isCut, isOther);
  s->cut = crPick(s->isCut, cut, s->to);
  for (int k = 0; k < 2; ++k) {
    s->areSide[k] = crExcept(s->areSide[k], crExcept(isNear, sides[k]));
    s->areLower[k] = crExcept(lowers[k], s->areSide[k]);
  }
}

static inline crPart depthAt(const Sight* s, int part, crPart t)
{
  const crCurvedBody* b = s->other;
  crPart zero = { 0.0 }, x = s->p.x + t * s->u.x, y = s->p.y + t * s->u.y, z = s->p.z + t * s->u.z;
  crPart r = b->r0 + b->slope * (z - b->z0), across = (x + s->shift) * s->isOffAxis;
  crPart side = crGreaterOfParts(0.5 * b->cosine * (r - (across * across + y * y) / r), zero);
  side = crPick(crIsAbove(r, zero), side, zero);
  return crPick(s->areSide[part], side, crPick(s->areLower[part], z - b->z0, b->z1 - z));
}

// As findConeRest, but for what needs a logarithm, which is asked for alone.
static crPart restOf(const Sight* s, const crLines* lines, int at, crMask isAsked, crPart from, crPart to)
{
  const crCurvedBody* b = s->other;
  crPart zero = { 0.0 }, m = 0.5 * (from + to), h = 0.5 * (to - from), slope = s->dr, start = s->r;
  crPart r = start + m * slope, inverse = 1.0 / r, x = h * slope * inverse, square = x * x;
  crMask isTip = crExcept(isAsked, crIsAbove(zero + (1.0 - CR_LEAST_SHARE), sizesOf(x)));
  crMask isSmall = crIsAbove(zero + CR_SMALL_SQUARE, square);
  crPart px = slope * s->p.x - start * s->u.x, py = slope * s->p.y - start * s->u.y;
  crPart q = -0.5 * b->cosine * (px * px + py * py) * inverse, sum = zero;
  for (int k = CR_SERIES; k >= 2; --k) {
    sum = sum * square + (1.0 / (2 * k + 1) - 1.0 / 3.0);
  }
  crPart rest = crPick(isTip, zero, q * square * (h * inverse) * (h * inverse) * sum);
  unsigned alone = crBitsOf(crExcept(crExcept(isAsked, isTip), isSmall));
  for (int i = 0; alone != 0; ++i, alone >>= 1) {
    if (alone & 1) {
      rest[i] = findConeRest(b, lines, at + i, from[i], to[i]);
    }
  }
  return rest;
}

typedef struct Deepest {
  crPart depth, at;
} Deepest;

static inline void seeDepths(Deepest* deepest, crMask is, crPart t, crPart depth)
{
  crMask isDeeper = crBoth(is, crIsAbove(depth, deepest->depth));
  deepest->at = crPick(isDeeper, t, deepest->at);
  deepest->depth = crPick(isDeeper, depth, deepest->depth);
}

// As measureAlone, of the first or second part of lines.
static inline void measurePart(const Sight* s, crLines* lines, int at, int part, crMask is, Deepest* deepest,
                               crPart sums[CR_LINE_SUMS])
{
  crPart zero = { 0.0 }, from = part == 0 ? s->from : s->cut, to = part == 0 ? s->cut : s->to;
  crPart m = 0.5 * (from + to), h = 0.5 * (to - from), weight = readPart(&lines->weight[at]),
         more = readPart(&lines->more[at]);
  crPart a = depthAt(s, part, from), b = depthAt(s, part, m), c = depthAt(s, part, to);
  crPart sum = h / 3.0 * ((a + 4.0 * b + c) * (weight + m * more) + (c - a) * h * more);
  crMask isSide = crBoth(is, s->areSide[part]), isLower = crBoth(is, s->areLower[part]),
         isUpper = crExcept(is, crEither(isSide, isLower));
  if (s->other->slope != 0.0) {
    crPart rest = 2.0 * h * restOf(s, lines, at, isSide, from, to) * (weight + m * more);
    sum = crPick(isSide, sum + rest, sum);
  }
  sums[cr_spanSide] = crPick(isSide, sums[cr_spanSide] + sum, sums[cr_spanSide]);
  sums[cr_spanLower] = crPick(isLower, sums[cr_spanLower] + sum, sums[cr_spanLower]);
  sums[cr_spanUpper] = crPick(isUpper, sums[cr_spanUpper] + sum, sums[cr_spanUpper]);
  seeDepths(deepest, is, from, a);
  seeDepths(deepest, is, to, c);
  seeDepths(deepest, is, m, b);
  crPart slope = 0.5 * (c - a), bend = 2.0 * b - a - c;
  crMask isArched = crBoth(isSide, crBoth(crIsAbove(bend, zero), crIsAbove(bend, sizesOf(slope))));
  seeDepths(deepest, isArched, m + h * slope / bend, b + 0.5 * slope * slope / bend);
}

static inline void keepSpans(const Sight* s, int at, crLines* lines)
{
  crPart zero = { 0.0 };
  keepPart(crPick(s->isIn, s->from, zero), &lines->from[at]);
  keepPart(s->cut, &lines->cut[at]);
  keepPart(crPick(s->isIn, s->to, zero), &lines->to[at]);
  lines->left |= crBitsOf(s->isLeft) << at;
  lines->areCut |= crBitsOf(s->isCut) << at;
  lines->areBetween |= crBitsOf(s->isBetween) << at;
  lines->areBack |= crBitsOf(s->isBack) << at;
  for (int k = 0; k < 2; ++k) {
    lines->areSide[k] |= crBitsOf(s->areSide[k]) << at;
    lines->areLower[k] |= crBitsOf(s->areLower[k]) << at;
  }
}

// One that is left.
static void seeAlone(const crCurvedBody* other, int i, crLines* lines)
{
  const crLines* seen = lines;
  crVec3 p = crLines_GetPlace(seen->q, i), u = crLines_GetPlace(seen->w, i);
  int count = lines->roomCounts[i] = crFindSpans(other, &p, &u, lines->room[i]);
  lines->from[i] = count > 0 ? lines->room[i][0].from : 0.0;
  lines->to[i] = count > 0 ? lines->room[i][count - 1].to : 0.0;
  measureAlone(other, lines, i);
}

static void seePart(const crRuled* ruled, const crCurvedBody* other, const crPose* X, int at, const crLineRow v,
                    crLines* lines)
{
  crPart zero = { 0.0 }, weight, more, sums[CR_LINE_SUMS] = { zero, zero, zero };
  Place p, u;
  Sight s;
  s.other = other;
  placePart(ruled, readPart(&v[at]), &p, &u, &weight, &more);
  s.p = turn(&X->R, p);
  s.p = (Place){ X->p.x + s.p.x, X->p.y + s.p.y, X->p.z + s.p.z };
  s.u = turn(&X->R, u);
  keepPlace(lines->p, at, p);
  keepPlace(lines->u, at, u);
  keepPlace(lines->q, at, s.p);
  keepPlace(lines->w, at, s.u);
  keepPart(weight, &lines->weight[at]);
  keepPart(more, &lines->more[at]);
  clipByCaps(&s);
  findSegments(&s);
  seeSide(&s);
  clipBySide(&s);
  splitByNearest(&s);
  Deepest deepest = { zero, zero };
  measurePart(&s, lines, at, 0, s.isIn, &deepest, sums);
  crMask isSecond = crBoth(s.isIn, s.isCut);
  if (crBitsOf(isSecond) != 0) {
    measurePart(&s, lines, at, 1, isSecond, &deepest, sums);
  }
  for (int k = 0; k < CR_LINE_SUMS; ++k) {
    keepPart(sums[k], &lines->sums[k][at]);
  }
  keepPart(deepest.depth, &lines->depth[at]);
  keepPart(deepest.at, &lines->deepest[at]);
  keepSpans(&s, at, lines);
  unsigned left = crBitsOf(s.isLeft);
  for (int i = 0; left != 0; ++i, left >>= 1) {
    if (left & 1u) {
      seeAlone(other, at + i, lines);
    }
  }
}

void crMeasureLines(const crRuled* ruled, const crCurvedBody* other, const crPose* X, int count, crLineRow v,
                    crLines* out)
{
  int end = (count + CR_PART_LANES - 1) / CR_PART_LANES * CR_PART_LANES;
  for (int i = count; i < end; ++i) {
    v[i] = v[count - 1];
  }
  out->left = out->areCut = out->areSide[0] = out->areSide[1] = out->areLower[0] = out->areLower[1] = 0;
  out->areBetween = out->areBack = 0;
  for (int at = 0; at < end; at += CR_PART_LANES) {
    seePart(ruled, other, X, at, v, out);
  }
}

static crSpanKind kindOf(const crLines* lines, int part, unsigned line)
{
  return lines->areSide[part] & line ? cr_spanSide : lines->areLower[part] & line ? cr_spanLower : cr_spanUpper;
}

int crLines_ListSpans(const crLines* lines, int i, crSpan* outSpans)
{
  unsigned line = 1u << i;
  if (lines->left & line) {
    memcpy(outSpans, lines->room[i], (size_t)lines->roomCounts[i] * sizeof outSpans[0]);
    return lines->roomCounts[i];
  }
  if (!(lines->to[i] > lines->from[i])) {
    return 0;
  }
  int segment = lines->areBetween & line ? 1 : lines->areBack & line ? 2 : 0;
  outSpans[0] = (crSpan){ lines->from[i], lines->cut[i], kindOf(lines, 0, line), segment };
  outSpans[1] = (crSpan){ lines->cut[i], lines->to[i], kindOf(lines, 1, line), segment };
  return lines->areCut & line ? 2 : 1;
}
