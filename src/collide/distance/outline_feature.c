// Features of outlines, and the places where two of them face each other.
#include "base/elementary.h"
#include "collide/distance/outline.h"

#include <math.h>

crFeature crOutline_MakeElement(const crOutline* o, const crProfileElement* e)
{
  crFeature f = { .kind = cr_featureLine,
                  .normal = crOutline_TurnInto(o, e->normal),
                  .cosine = 1.0,
                  .half = e->half,
                  .element = e,
                  .place = (int)(e - o->chain->profile->items) };
  f.centre = crOutline_MoveInto(o, e->middle);
  if (e->kind == cr_profileArc) {
    f.kind = cr_featureArc;
    f.radius = 1.0 / e->curvature;
    f.centre = crPlaneAdd(f.centre, -f.radius, f.normal);
    f.cosine = e->cosine;
  } else if (e->kind == cr_profileInvolute) {
    f = (crFeature){ .kind = cr_featureInvolute,
                     .centre = o->origin,
                     .normal = f.normal,
                     .cosine = e->cosine,
                     .element = e,
                     .sense = e->curvature > 0.0 ? 1.0 : -1.0,
                     .place = f.place };
  }
  return f;
}

crFeature crOutline_MakeCorner(const crOutline* o, const crProfileElement* e)
{
  return (crFeature){ .kind = cr_featureArc,
                      .centre = crOutline_MoveInto(o, e->end),
                      .normal = crOutline_TurnInto(o, e->corner),
                      .cosine = e->cornerCosine,
                      .place = (int)(e - o->chain->profile->items) };
}

// ------------------------------------------------------------------------------------------------- places

// Normals of straight pieces are one.
static bool touchLine(const crFeature* line, const crFeature* other, double* outGap)
{
  crPlanePoint n = line->normal, d = crPlaneSub(other->centre, line->centre);
  if (fabs(crPlaneCross(n, d)) > line->half || !crFeature_HasNormal(other, (crPlanePoint){ -n.x, -n.y })) {
    return false;
  }
  *outGap = crPlaneDot(d, n) - other->radius;
  return true;
}

// Whether the angle between the normal of a feature and d is within its cone, given d . normal and |d|^2.
static bool isWithin(double cosine, double dot, double square)
{
  double least = cosine - CR_CONE_SLACK, limit = least * least * square;
  return least > 0.0 ? dot > 0.0 && dot * dot >= limit : dot >= 0.0 || dot * dot <= limit;
}

// Roots are taken of candidates alone.
static bool touchArcs(const crFeature* f, const crFeature* g, double most, double* outGap, crPlanePoint* outNormal)
{
  crPlanePoint d = crPlaneSub(g->centre, f->centre);
  double sum = f->radius + g->radius, sign = sum < 0.0 ? -1.0 : 1.0, square = crPlaneDot(d, d);
  double reach = most + sum; // of the length of d
  if (!(square > 0.0) || (sign > 0.0 && square > reach * reach) ||
      !isWithin(f->cosine, sign * crPlaneDot(f->normal, d), square) ||
      !isWithin(g->cosine, -sign * crPlaneDot(g->normal, d), square)) {
    return false;
  }
  double length = sqrt(square);
  *outNormal = crPlaneMix(sign / length, d, 0.0, d);
  *outGap = sign * length - sum;
  return true;
}

static crPlanePoint negative(crPlanePoint a)
{
  return (crPlanePoint){ -a.x, -a.y };
}

// [m] Radius of curvature of an involute where its normal is n, > 0.
static double radiusBy(const crFeature* f, crPlanePoint n)
{
  const crProfileElement* e = f->element;
  double angle = crAtan2(crPlaneCross(f->normal, n), crPlaneDot(f->normal, n));
  return e->base * (e->roll + e->growth * f->sense * angle);
}

// The centre of curvature of an involute where its normal is n: there it touches its base circle.
static crPlanePoint centreBy(const crFeature* f, crPlanePoint n)
{
  return crPlaneAdd(f->centre, f->element->base * f->element->growth, crPlaneLeft(n));
}

// Where an involute has the normal n it is an arc, but for where its centre is.
static void bendInvolute(crFeature* f, crPlanePoint n)
{
  f->radius = f->sense * radiusBy(f, n);
  f->centre = centreBy(f, n);
}

// Normals of an involute that lead to a point, or away from it. Returns how many.
static int aimInvolute(const crFeature* f, crPlanePoint point, crPlanePoint out[2])
{
  crPlanePoint d = crPlaneSub(point, f->centre);
  double base = f->element->base * f->element->growth, square = crPlaneDot(d, d), rest = square - base * base;
  if (!(rest > 0.0)) {
    return 0;
  }
  double root = sqrt(rest); // d = base left(n) +- root n
  out[0] = (crPlanePoint){ (root * d.x + base * d.y) / square, (root * d.y - base * d.x) / square };
  out[1] = (crPlanePoint){ (-root * d.x + base * d.y) / square, (-root * d.y - base * d.x) / square };
  return 2;
}

// Lines of action of two involutes: normals out of the first one that both have. Returns how many.
static int alignInvolutes(const crFeature* f, const crFeature* g, crPlanePoint out[2])
{
  crPlanePoint d = crPlaneSub(g->centre, f->centre);
  double sum = f->element->base * f->element->growth + g->element->base * g->element->growth; // d . left(n)
  double square = crPlaneDot(d, d), rest = square - sum * sum;
  if (!(rest > 0.0)) {
    return 0;
  }
  double root = sqrt(rest);
  out[0] = (crPlanePoint){ (root * d.x + sum * d.y) / square, (root * d.y - sum * d.x) / square };
  out[1] = (crPlanePoint){ (-root * d.x + sum * d.y) / square, (-root * d.y - sum * d.x) / square };
  return 2;
}

// Normals out of the first one where one of them is an involute.
static int findNormals(const crFeature* f, const crFeature* g, crPlanePoint out[2])
{
  if (f->kind == cr_featureInvolute && g->kind == cr_featureInvolute) {
    return alignInvolutes(f, g, out);
  }
  const crFeature *involute = f->kind == cr_featureInvolute ? f : g, *other = involute == f ? g : f;
  if (other->kind == cr_featureLine) {
    out[0] = other == f ? other->normal : negative(other->normal);
    return 1;
  }
  int count = aimInvolute(involute, other->centre, out);
  for (int i = 0; i < count && involute == g; ++i) {
    out[i] = negative(out[i]);
  }
  return count;
}

static bool hasNormal(const crFeature* f, crPlanePoint n)
{
  return f->kind == cr_featureLine || crFeature_HasNormal(f, n);
}

// With the centres that they have along a normal, on which both lie.
static bool lookAlong(const crFeature* of, const crFeature* with, crPlanePoint n, crFacingPlace* out)
{
  crPlanePoint back = negative(n);
  if (!hasNormal(of, n) || !hasNormal(with, back)) {
    return false;
  }
  crFeature f = *of, g = *with;
  if (f.kind == cr_featureInvolute) {
    bendInvolute(&f, n);
  }
  if (g.kind == cr_featureInvolute) {
    bendInvolute(&g, back);
  }
  const crFeature* line = f.kind == cr_featureLine ? &f : g.kind == cr_featureLine ? &g : NULL;
  crPlanePoint d = crPlaneSub(g.centre, f.centre);
  if (line != NULL && fabs(crPlaneCross(n, d)) > line->half) {
    return false;
  }
  *out = (crFacingPlace){ f, g, n, crPlaneDot(d, n) - f.radius - g.radius };
  return true;
}

int crFindFacingPlaces(const crFeature* f, const crFeature* g, double most, crFacingPlace out[CR_FACING_PLACES])
{
  double gap;
  crPlanePoint n;
  bool isFound;
  if (f->kind == cr_featureInvolute || g->kind == cr_featureInvolute) {
    crPlanePoint normals[2];
    int count = findNormals(f, g, normals), found = 0;
    for (int i = 0; i < count; ++i) {
      found += lookAlong(f, g, normals[i], &out[found]);
    }
    return found;
  }
  if (f->kind == cr_featureLine || g->kind == cr_featureLine) {
    const crFeature *line = f->kind == cr_featureLine ? f : g, *other = line == f ? g : f;
    isFound = other->kind != cr_featureLine && touchLine(line, other, &gap);
    n = line == f ? line->normal : negative(line->normal);
  } else {
    isFound = touchArcs(f, g, most, &gap, &n);
  }
  if (isFound) {
    out[0] = (crFacingPlace){ *f, *g, n, gap };
  }
  return isFound;
}
