// Elements of profiles, and the foot of a point on them.
//
// Of an arc of radius R with its middle p and the direction m from its centre to p, the distance of x is
//
//   |x - c| - R = (|q|^2 + 2 R q . m) / (|x - c| + R),      q = x - p,   x - c = q + R m
//
// which loses no digits, however far away the centre is.
//
// Of an involute, see profile.h, x = b g w + c tau n at the foot, tau = sqrt(|x|^2 - b^2): by the angle a from the
// normal in its middle,
//
//   (x . n_0 + i x . w_0) = (c tau + i g b) exp(i a),     distance = c (tau - b t),   t = t_0 + c g a
//
// The distance grows with t where x . g w < b, so that the end that is less unrolled can be nearer, or nearest.
#include "geometry/profile.h"

#include "base/elementary.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------- lines

static crProfilePlace placeOnLine(const crProfileElement* e, double s)
{
  crPlanePoint tangent = crPlaneLeft(e->normal);
  return (crProfilePlace){ crPlaneAdd(e->middle, s * e->half, tangent), e->normal, 0.0 };
}

static double findLineSpeed(const crProfileElement* e, double s)
{
  (void)s;
  return e->half;
}

static int findOnLine(const crProfileElement* e, crPlanePoint x, crPlanePoint* outNormal, double* outSigned,
                      double* outCurvature)
{
  *outCurvature = 0.0;
  crPlanePoint q = crPlaneSub(x, e->middle);
  double along = crPlaneDot(q, crPlaneLeft(e->normal));
  *outNormal = e->normal;
  *outSigned = crPlaneDot(q, e->normal);
  return along > e->half ? 1 : along < -e->half ? -1 : 0;
}

// ----------------------------------------------------------------------------------------------- arcs

static double signOf(const crProfileElement* e)
{
  return e->curvature > 0.0 ? 1.0 : -1.0;
}

static crProfilePlace placeOnArc(const crProfileElement* e, double s)
{
  double angle = s * e->half, sign = signOf(e), sine = crSin(angle), ofHalf = crSin(0.5 * angle);
  crPlanePoint tangent = crPlaneLeft(e->normal);
  double inward = 2.0 * ofHalf * ofHalf; // 1 - cos
  crPlanePoint point = crPlaneAdd(e->middle, -e->radius * sign * inward, e->normal);
  crPlanePoint normal = crPlaneAdd(e->normal, -inward, e->normal);
  return (crProfilePlace){ crPlaneAdd(point, e->radius * sine, tangent), crPlaneAdd(normal, sign * sine, tangent),
                           e->curvature };
}

static double findArcSpeed(const crProfileElement* e, double s)
{
  (void)s;
  return e->half * e->radius;
}

static int findOnArc(const crProfileElement* e, crPlanePoint x, crPlanePoint* outNormal, double* outSigned,
                     double* outCurvature)
{
  *outCurvature = e->curvature;
  double sign = signOf(e), R = e->radius;
  crPlanePoint q = crPlaneSub(x, e->middle), tangent = crPlaneLeft(e->normal);
  double out = sign * crPlaneDot(q, e->normal), along = crPlaneDot(q, tangent), w = R + out;
  double length = sqrt(w * w + along * along);
  if (!(e->sine * w - e->cosine * fabs(along) >= 0.0)) {
    return along < 0.0 ? -1 : 1;
  }
  double square = out * out + along * along;
  *outSigned = sign * (square + 2.0 * R * out) / (length + R);
  *outNormal = e->normal;
  if (length > 0.0) {
    *outNormal = crPlaneAdd((crPlanePoint){ w / length * e->normal.x, w / length * e->normal.y }, sign * along / length,
                            tangent);
  }
  return 0;
}

// ------------------------------------------------------------------------------------------ involutes

static crPlanePoint turnBy(crPlanePoint n, double cosine, double sine)
{
  return (crPlanePoint){ cosine * n.x - sine * n.y, cosine * n.y + sine * n.x };
}

static crPlanePoint placeByRoll(const crProfileElement* e, crPlanePoint n, double t)
{
  double along = e->base * e->growth, out = e->base * t * signOf(e);
  return (crPlanePoint){ -along * n.y + out * n.x, along * n.x + out * n.y };
}

static double rollAt(const crProfileElement* e, double s)
{
  return e->roll + e->growth * s * e->half;
}

static crProfilePlace placeOnInvolute(const crProfileElement* e, double s)
{
  double angle = signOf(e) * s * e->half, t = rollAt(e, s), sine, cosine;
  crSinCos(angle, &sine, &cosine);
  crPlanePoint n = turnBy(e->normal, cosine, sine);
  return (crProfilePlace){ placeByRoll(e, n, t), n, signOf(e) / (e->base * t) };
}

static double findInvoluteSpeed(const crProfileElement* e, double s)
{
  return e->half * e->base * rollAt(e, s);
}

crPlanePoint crProfileElement_FindByNormal(const crProfileElement* e, crPlanePoint n, double* outRadius)
{
  double angle = crAtan2(crPlaneCross(e->normal, n), crPlaneDot(e->normal, n));
  double t = e->roll + e->growth * signOf(e) * angle;
  *outRadius = e->base * t;
  return placeByRoll(e, n, t);
}

// The nearer end, or the one that is less unrolled alone.
static int findInvoluteEnd(const crProfileElement* e, crPlanePoint x, bool isLowAlone, double* outCurvature)
{
  crPlanePoint a = crPlaneSub(x, e->start), b = crPlaneSub(x, e->end);
  int low = e->growth > 0.0 ? -1 : 1;
  int end = isLowAlone ? low : crPlaneDot(a, a) < crPlaneDot(b, b) ? -1 : 1;
  *outCurvature = signOf(e) / (e->base * rollAt(e, end));
  return end;
}

static int findOnInvolute(const crProfileElement* e, crPlanePoint x, crPlanePoint* outNormal, double* outSigned,
                          double* outCurvature)
{
  double b = e->base, square = crPlaneDot(x, x), rest = square - b * b;
  if (!(rest >= 0.0)) {
    return findInvoluteEnd(e, x, true, outCurvature);
  }
  double c = signOf(e), g = e->growth, tau = sqrt(rest);
  double xn = crPlaneDot(x, e->normal), xw = crPlaneDot(x, crPlaneLeft(e->normal));
  double sine = (xw * c * tau - xn * g * b) / square, cosine = (xn * c * tau + xw * g * b) / square;
  double angle = crAtan2(sine, cosine), t = e->roll + c * g * angle;
  if (!(fabs(angle) <= e->half)) {
    return findInvoluteEnd(e, x, false, outCurvature);
  }
  crPlanePoint low = g > 0.0 ? e->start : e->end, out = g > 0.0 ? e->startNormal : e->endNormal;
  double offset = c * (tau - b * t);
  crPlanePoint away = crPlaneSub(x, low);
  if (g * crPlaneDot(x, crPlaneLeft(out)) < b && crPlaneDot(away, away) < offset * offset) {
    return findInvoluteEnd(e, x, true, outCurvature);
  }
  *outNormal = turnBy(e->normal, cosine, sine);
  *outSigned = offset;
  *outCurvature = c / (b * t);
  return 0;
}

const crProfileRow cr_profileRows[CR_PROFILE_KINDS] = {
  [cr_profileLine] = { placeOnLine, findLineSpeed, findOnLine },
  [cr_profileArc] = { placeOnArc, findArcSpeed, findOnArc },
  [cr_profileInvolute] = { placeOnInvolute, findInvoluteSpeed, findOnInvolute },
};

// ----------------------------------------------------------------------------------------------- feet

// Nearest point of a stretch. side [m]: how far in front of the tangent there x is.
typedef struct Nearest {
  crProfileFoot foot;
  double side;
} Nearest;

static Nearest findOnElement(const crProfile* profile, int index, crPlanePoint x)
{
  const crProfileElement* e = &profile->items[index];
  Nearest found = { .foot = { .element = index } };
  double offset = 0.0;
  crPlanePoint normal = e->normal;
  int end = cr_profileRows[e->kind].nearest(e, x, &normal, &offset, &found.foot.curvature);
  if (end == 0) {
    found.foot.distance = fabs(offset);
    found.foot.normal = normal;
    found.foot.point = crPlaneAdd(x, -offset, normal);
    found.side = offset;
    return found;
  }
  crPlanePoint point = end < 0 ? e->start : e->end, out = end < 0 ? e->startNormal : e->endNormal;
  crPlanePoint v = crPlaneSub(x, point);
  double length = crPlaneLength(v);
  found.foot.end = end;
  found.foot.distance = length;
  found.foot.point = point;
  found.foot.normal = length > 0.0 ? (crPlanePoint){ v.x / length, v.y / length } : out;
  found.side = crPlaneDot(v, out);
  return found;
}

// Where two elements meet both have the same distance: the one tells the side that sees x steeper.
static Nearest findNearest(const crProfile* profile, int first, int count, crPlanePoint x)
{
  int start = first;
  double least = HUGE_VAL;
  for (int k = 0; k < count; ++k) { // the one whose middle is nearest is the first guess
    int index = first + k < profile->count ? first + k : first + k - profile->count;
    crPlanePoint q = crPlaneSub(x, profile->items[index].middle);
    double square = crPlaneDot(q, q);
    start = square < least ? index : start;
    least = square < least ? square : least;
  }
  Nearest best = findOnElement(profile, start, x);
  for (int k = 0; k < count; ++k) {
    int index = first + k < profile->count ? first + k : first + k - profile->count;
    const crProfileElement* e = &profile->items[index];
    crPlanePoint q = crPlaneSub(x, e->middle);
    double reach = best.foot.distance + e->around;
    if (index == start || crPlaneDot(q, q) > reach * reach) {
      continue;
    }
    Nearest found = findOnElement(profile, index, x);
    if (found.foot.distance < best.foot.distance ||
        (found.foot.distance == best.foot.distance && fabs(found.side) > fabs(best.side))) {
      best = found;
    }
  }
  return best;
}

bool crProfile_IsInside(const crProfile* profile, crPlanePoint x)
{
  return !profile->isShell && findNearest(profile, 0, profile->count, x).side < 0.0;
}

static int countBefore(const crProfile* profile, int index)
{
  return index > 0 ? index - 1 : profile->isClosed ? profile->count - 1 : -1;
}

static bool isAtCorner(const crProfile* profile, const crProfileFoot* foot)
{
  if (foot->end == 0) {
    return false;
  }
  int joint = foot->end > 0 ? foot->element : countBefore(profile, foot->element);
  return joint < 0 || !profile->items[joint].isSmooth;
}

crProfileFoot crChain_FindFoot(const crChain* chain, crPlanePoint x)
{
  const crProfile* profile = chain->profile;
  crPlanePoint seen = { chain->isFar ? -x.x : x.x, x.y };
  Nearest found = findNearest(profile, chain->first, chain->count, seen);
  crProfileFoot* foot = &found.foot;
  if (isAtCorner(profile, foot)) {
    foot->curvature = NAN;
  }
  if (found.side < 0.0) {
    bool isInside = crProfile_IsInside(profile, x);
    double sign = foot->end == 0 ? -1.0 : 1.0; // an element's own normal points out of the solid, one at an end to x
    sign = isInside ? -sign : sign;
    foot->distance = isInside ? -foot->distance : foot->distance;
    foot->normal = foot->end == 0 ? (isInside ? foot->normal : (crPlanePoint){ -foot->normal.x, -foot->normal.y })
                                  : (crPlanePoint){ sign * foot->normal.x, sign * foot->normal.y };
  }
  if (chain->isFar) {
    foot->distance = foot->point.x > 0.0 ? foot->distance : HUGE_VAL;
    foot->normal.x = -foot->normal.x;
    foot->point.x = -foot->point.x;
  }
  return found.foot;
}

bool crChain_IsBack(const crChain* chain, const crProfileFoot* foot, crPlanePoint normal)
{
  const crProfileElement* e = &chain->profile->items[foot->element];
  crPlanePoint own = foot->end < 0 ? e->startNormal : e->endNormal;
  crPlanePoint point = { chain->isFar ? -foot->point.x : foot->point.x, foot->point.y };
  double offset, curvature;
  if (foot->end == 0) {
    cr_profileRows[e->kind].nearest(e, point, &own, &offset, &curvature);
  }
  own.x = chain->isFar ? -own.x : own.x;
  return chain->profile->isShell && crPlaneDot(own, normal) < 0.0;
}

bool crChain_IsShared(const crChain* chain, const crProfileFoot* foot)
{
  int last = (chain->first + chain->count - 1) % chain->profile->count;
  return (foot->end < 0 && chain->startsShared && foot->element == chain->first) ||
         (foot->end > 0 && chain->endsShared && foot->element == last);
}

bool crChain_IsBehind(const crChain* chain, crPlanePoint x)
{
  Nearest found = findNearest(chain->profile, chain->first, chain->count, x);
  int last = (chain->first + chain->count - 1) % chain->profile->count;
  bool isEnd =
      (found.foot.end < 0 && found.foot.element == chain->first) || (found.foot.end > 0 && found.foot.element == last);
  bool goesOn = (chain->isWhole && chain->profile->isClosed) || crChain_IsShared(chain, &found.foot);
  return found.side < 0.0 && (!isEnd || goesOn);
}

crChain crChain_GetNext(const crChain* chain, const crProfileFoot* foot)
{
  int n = chain->profile->count;
  bool isAfter = foot->end > 0;
  crChain next = *chain;
  next.first = isAfter ? (chain->first + chain->count) % n : (chain->first - chain->before + n) % n;
  next.count = isAfter ? chain->after : chain->before;
  next.startsShared = isAfter || chain->isBeforeShared;
  next.endsShared = !isAfter || chain->isAfterShared;
  next.isWhole = false;
  return next;
}

bool crChain_GoesOnAs(const crChain* chain, const crChain* other)
{
  int n = chain->profile->count, end = (chain->first + chain->count) % n;
  bool isAfter = chain->endsShared && other->first == end && other->count == chain->after;
  bool isBefore =
      chain->startsShared && (other->first + other->count) % n == chain->first && other->count == chain->before;
  return (isAfter || isBefore) && chain->isFar == other->isFar;
}

bool crChain_MeetsOnFace(const crChain* chain, const crChain* other)
{
  int n = chain->profile->count;
  bool isBehind = (chain->first + chain->count) % n == other->first;
  bool isBefore = (other->first + other->count) % n == chain->first;
  return (chain->isFace && other->sharesFace) || (chain->sharesFace && other->isFace) ||
         (chain->sharesFace && other->sharesFace && (isBehind || isBefore));
}

// -------------------------------------------------------------------------------------------- integrals

// Gauss' rule with 8 points: nodes and weights of the right half.
#define CR_GAUSS 4
static const double gaussNodes[CR_GAUSS] = { 0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                             0.9602898564975363 };
static const double gaussWeights[CR_GAUSS] = { 0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                               0.1012285362903763 };
#define CR_GAUSS_ANGLE 0.25 // [rad] of an arc that one rule is for: nothing is left of its error

static double power(double x, int n)
{
  double product = 1.0;
  for (int k = 0; k < n; ++k) {
    product *= x;
  }
  return product;
}

// x^i y^j dy at a place, over ds
static double integrand(const crProfileElement* e, double s, int i, int j)
{
  crProfilePlace place = crProfileElement_At(e, s);
  double dy = place.normal.x * cr_profileRows[e->kind].speed(e, s); // the tangent is (-normal.y, normal.x)
  return power(place.point.x, i) * power(place.point.y, j) * dy;
}

// By Green's theorem, the integral of x^(i+1) / (i + 1) y^j dy around it. The axis adds nothing.
double crProfile_Integrate(const crProfile* profile, int i, int j)
{
  double sum = 0.0;
  for (int k = 0; k < profile->count; ++k) {
    const crProfileElement* e = &profile->items[k];
    int parts = e->kind == cr_profileLine ? 1 : 1 + (int)(2.0 * e->half / CR_GAUSS_ANGLE);
    double width = 1.0 / parts; // half of each, in s
    for (int part = 0; part < parts; ++part) {
      double middle = -1.0 + (2 * part + 1) * width;
      for (int n = 0; n < CR_GAUSS; ++n) {
        double both = integrand(e, middle - width * gaussNodes[n], i + 1, j) +
                      integrand(e, middle + width * gaussNodes[n], i + 1, j);
        sum += width * gaussWeights[n] * both;
      }
    }
  }
  return sum / (i + 1);
}

// ----------------------------------------------------------------------------------------------- sides

#define CR_SIDE_SHARE 0.1  // [-] of the size: a side that is shorter is not lain on
#define CR_FLAT_SHARE 0.51 // [-] of the size: radius from which on arcs, as the sides of a rotor, are flat for hollows

static const crProfileElement* getAround(const crProfile* profile, int i)
{
  return &profile->items[(i + profile->count) % profile->count];
}

static double findLength(const crProfileElement* e)
{
  return 2.0 * e->half * (e->kind == cr_profileLine ? 1.0 : e->radius);
}

crProfileSides crProfile_FindSides(const crProfile* profile)
{
  crProfileSides sides = { .areLines = true };
  double size = fmax(profile->max.x - profile->min.x, profile->max.y - profile->min.y);
  for (int i = 0; i < profile->count; ++i) {
    const crProfileElement *e = &profile->items[i], *before = getAround(profile, i - 1), *last = e;
    bool isLine = e->kind == cr_profileLine, isArc = e->kind == cr_profileArc;
    sides.areLines = sides.areLines && isLine;
    if (before->isHalved) { // looked at with its first half
      continue;
    }
    double length = findLength(e);
    if (e->isHalved) {
      last = getAround(profile, i + 1);
      length += findLength(last);
    }
    bool isLong = length >= CR_SIDE_SHARE * size, isBed = isLine || (isArc && e->curvature < 0.0);
    bool isFlat = isLine || (isArc && e->curvature > 0.0 && e->radius > CR_FLAT_SHARE * size);
    sides.hasBed = sides.hasBed || (isLong && isBed);
    sides.hasFlat = sides.hasFlat || (isLong && isFlat && before->cornerCosine <= 1.0 && last->cornerCosine <= 1.0);
  }
  return sides;
}
