// Which of the places where two outlines face each other with a gap below 0 are depths.
//
// A round feature, a corner or a convex arc, is as deep in the other solid as it is to the nearest of the sides that it
// can be pushed out of: those with a normal opposite to one of its own, and those with an end in its own solid, which
// can be pushed out of that. All others are seen through the solid. As long as its centre is not in the solid, its
// point tells. A straight or hollow feature is as deep as that point of it which is farthest from all sides. Of two
// bodies that are apart no place of either is in the other, so that nothing of them is a depth. It is enough that this
// holds for one of both features: the tip of a tooth that is pushed into a block is not far from its own flanks.
#include "collide/distance/outline.h"

#include <math.h>

#define CR_DEPTH_SLACK 1e-12 // [-] of sizes: what two sides may be equally far by
#define CR_BESIDE 0.5        // [-] of a depth: what is nearer is told by others
#define CR_THIN_WALL 1e-3    // [-] likewise: depths below it are not looked for beyond a wall

static crPlanePoint seeFrom(const crOutline* o, crPlanePoint p)
{
  crPlanePoint d = crPlaneSub(p, o->origin);
  return (crPlanePoint){ crPlaneDot(d, o->x), crPlaneDot(d, o->y) };
}

static bool isInCircle(const crOutline* o, crPlanePoint p)
{
  crPlanePoint d = crPlaneSub(p, o->origin);
  return crPlaneDot(d, d) < o->radius * o->radius;
}

static bool isInSolid(const crOutline* o, crPlanePoint p)
{
  return o->chain == NULL ? isInCircle(o, p) : crProfile_IsInside(o->chain->profile, seeFrom(o, p));
}

// In the solid, and behind what is nearest of the chain: else there is something between them. Most that are not are
// not behind the chain, which is shorter than the profile. No wall is thin enough to be looked for beyond a small
// depth.
static bool isBehindChain(const crOutline* o, crPlanePoint p, double depth)
{
  if (o->chain == NULL) {
    return isInCircle(o, p);
  }
  crPlanePoint x = seeFrom(o, p);
  bool isSmall = o->chain->isWhole || depth < CR_THIN_WALL * o->chain->profile->size;
  return crChain_IsBehind(o->chain, x) && (isSmall || crProfile_IsInside(o->chain->profile, x));
}

// Whether any normal of an element is opposite to one of a feature.
static bool canOppose(const crProfileElement* e, const crOutline* o, const crFeature* f)
{
  double sine = sqrt(fmax(0.0, 1.0 - f->cosine * f->cosine));
  double cosine = e->kind == cr_profileLine ? f->cosine : f->cosine * e->cosine - sine * e->sine;
  return -crPlaneDot(crOutline_TurnInto(o, e->normal), f->normal) >= cosine - CR_CONE_SLACK;
}

// Whether x is behind an element, by less than `depth`, and can be pushed out of it: by a normal of the round feature,
// or of what is next to that and opposite to the element elsewhere, or by an end of the element, which is in the other
// solid itself then. All is in the axes of the element's outline.
static bool isBehind(const crProfileElement* e, const crOutline* o, const crFeature* round, const crOutline* own,
                     crPlanePoint x, double depth)
{
  crPlanePoint n;
  double offset, curvature;
  if (cr_profileRows[e->kind].nearest(e, x, &n, &offset, &curvature) != 0 || !(offset < 0.0 && offset > -depth)) {
    return false;
  }
  return canOppose(e, o, round) || isInSolid(own, crOutline_MoveInto(o, e->start)) ||
         isInSolid(own, crOutline_MoveInto(o, e->end));
}

static bool isWithin(crPlanePoint x, crPlanePoint middle, double reach)
{
  crPlanePoint q = crPlaneSub(x, middle);
  return crPlaneDot(q, q) <= reach * reach;
}

// Whether a place of a round feature is less than `depth` behind a side. That of a circle is the only one.
static bool hasNearer(const crOutline* o, const crFeature* round, const crOutline* own, crPlanePoint place,
                      double depth)
{
  if (o->chain == NULL || !(depth > 0.0)) {
    return false;
  }
  const crProfile* profile = o->chain->profile;
  crPlanePoint x = seeFrom(o, place);
  for (int i = 0; i < profile->count; ++i) {
    const crProfileElement* e = &profile->items[i];
    bool isBunch = i % CR_PROFILE_BUNCH == 0;
    if (isBunch && !isWithin(x, e->centre, depth + e->bunch)) {
      i += CR_PROFILE_BUNCH - 1;
    } else if (isWithin(x, e->middle, depth + e->around) && isBehind(e, o, round, own, x, depth)) {
      return true;
    }
  }
  return false;
}

// [m] Of a point from the nearest side, < 0 in the solid.
static double findSigned(const crOutline* o, crPlanePoint p)
{
  if (o->chain == NULL) {
    return crPlaneLength(crPlaneSub(p, o->origin)) - o->radius;
  }
  crChain whole = { .profile = o->chain->profile, .count = o->chain->profile->count, .isWhole = true };
  return crChain_FindFoot(&whole, seeFrom(o, p)).distance;
}

// Whether a feature of `own` is `depth` deep in a solid, with its point p.
static bool isDeepIn(const crOutline* o, const crFeature* f, const crOutline* own, double depth, crPlanePoint p)
{
  double slack = CR_DEPTH_SLACK * (depth + (o->chain != NULL ? o->chain->profile->size : o->radius));
  if (f->kind == cr_featureLine || f->radius < 0.0) {
    return isBehindChain(o, p, depth) && findSigned(o, p) <= slack - depth;
  }
  double ofCentre = depth - f->radius;
  if (ofCentre > 0.0 && isBehindChain(o, f->centre, depth)) {
    return !hasNearer(o, f, own, f->centre, ofCentre - slack);
  }
  return isBehindChain(o, p, depth) && !hasNearer(o, f, own, p, depth - slack);
}

static bool isClearOf(const crProfile* profile, int i, crPlanePoint x, double depth)
{
  const crProfileElement* e = &profile->items[i];
  crPlanePoint q = crPlaneSub(x, e->middle);
  double reach = depth + e->around;
  return crPlaneDot(q, q) >= reach * reach;
}

// Whether nothing of an outline is nearer to a place that is `depth` behind a feature of it than that, by what is known
// of all elements beforehand, which costs next to nothing. The circle about the place that touches the element in its
// foot reaches 2 depths from there: it has nothing of those elements that are farther away, nothing of the element
// itself as long as that bends less, and nothing of the next ones whose own circles it misses. So the place is in the
// solid. Most depths are so small.
static bool isPlainDepth(const crOutline* o, const crFeature* f, double depth, crPlanePoint place)
{
  if (o->chain == NULL) {
    return depth <= o->radius;
  }
  const crProfile* profile = o->chain->profile;
  const crProfileElement* e = f->element;
  if (e == NULL || 2.0 * depth > e->room || (e->curvature > 0.0 && depth > e->radius)) {
    return false;
  }
  int i = (int)(e - profile->items), last = profile->count - 1;
  crPlanePoint x = seeFrom(o, place);
  return isClearOf(profile, i > 0 ? i - 1 : last, x, depth) && isClearOf(profile, i < last ? i + 1 : 0, x, depth);
}

bool crIsDepth(const crOutline* a, const crFeature* f, const crOutline* b, const crFeature* g, double gap,
               crPlanePoint on1, crPlanePoint n)
{
  crPlanePoint on2 = crPlaneAdd(on1, gap, n);
  return isPlainDepth(a, f, -gap, on2) || isPlainDepth(b, g, -gap, on1) || isDeepIn(a, g, b, -gap, on2) ||
         isDeepIn(b, f, a, -gap, on1);
}

// -------------------------------------------------------------------------------------------------- whole

static crPlanePoint getAny(const crOutline* o)
{
  return o->chain == NULL ? o->origin : crOutline_MoveInto(o, o->chain->profile->items[0].start);
}

// By the ends of its elements, given that no sides of both face each other.
static bool liesIn(const crOutline* inner, const crOutline* outer)
{
  bool is = isInSolid(outer, getAny(inner));
  for (int i = 1; inner->chain != NULL && is && i < inner->chain->profile->count; ++i) {
    is = isInSolid(outer, crOutline_MoveInto(inner, inner->chain->profile->items[i].start));
  }
  return is;
}

bool crIsOneWithin(const crOutline* a, const crOutline* b)
{
  return crOutline_IsSolid(a) && crOutline_IsSolid(b) && (liesIn(b, a) || liesIn(a, b));
}
