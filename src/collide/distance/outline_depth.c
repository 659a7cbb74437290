// Which of the places where two outlines face each other with a gap below 0 are depths.
//
// Of the chains of two solids that are convex where they touch, overlap and common normals n, the gap along n is how
// far apart they are in that direction, and
//
//   depth = - max over n of gap(n)
//
// the least way by which they can be parted. It changes no faster than the bodies move, also where another side becomes
// the nearest one, so that it has a potential. Places where both face each other are the local maxima of the gap: that
// one counts which no other of the two convex runs around it is above. To look at the others, both outlines are walked
// along as their normals turn alike, up to less than half a turn, or to where one of the two is not convex any more.
//
// Such a place is none of other walls, seen through the solid, if a point of one of both is in the solid of the other,
// and no side of that which is not of the run is nearer to it that it can be pushed out of: those with a normal
// opposite to one of its own, and those with an end in its own solid, which can be pushed out of that. A round feature
// has its centre for it, if that is in the solid, a straight or hollow one its foot. Of two bodies that are apart no
// place of either is in the other, so that nothing of them is a depth.
#include "base/elementary.h"
#include "collide/distance/outline.h"

#include <math.h>

#define CR_DEPTH_SLACK 1e-12 // [-] of sizes: what two sides may be equally far by
#define CR_THIN_WALL 1e-3    // [-] likewise: depths below it are not looked for beyond a wall
#define CR_TIP_DEPTH 0.02    // [-] of the size: depths up to which tips are looked at that go through each other,
#define CR_TIP_REACH 20.0    // [-] and how far away from the place these are, over the depth
#define CR_RUN_TURN 3.0      // [rad] that a convex run turns by from a place on, at most: less than to its other side
#define CR_RUN_BEND 1e-9     // [-] sine of bends inwards that are round-off

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

static crPlanePoint negative(crPlanePoint a)
{
  return (crPlanePoint){ -a.x, -a.y };
}

static double findSize(const crOutline* o)
{
  return o->chain != NULL ? o->chain->profile->size : o->radius;
}

// ---------------------------------------------------------------------------------------------------- runs

// A way along a convex run of an outline from one feature on, forwards or backwards, for which the normal turns to the
// left or to the right.
typedef struct Walk {
  const crOutline* o;
  double side; // 1 or -1
  crFeature f; // where it is
  bool isCorner;
  double left; // [rad] that the normal turns by up to the end of that
} Walk;

static const crProfileElement* getNext(const crProfile* profile, int joint)
{
  return &profile->items[joint + 1 < profile->count ? joint + 1 : 0];
}

static double findAngle(crPlanePoint from, crPlanePoint to, double side)
{
  return fmax(0.0, crAtan2(side * crPlaneCross(from, to), crPlaneDot(from, to)));
}

static bool isConvex(const crFeature* f)
{
  return f->kind == cr_featureLine || f->radius >= 0.0;
}

static Walk startWalk(const crOutline* o, const crFeature* f, crPlanePoint n, double side)
{
  Walk walk = { .o = o, .side = side, .f = *f, .isCorner = f->element == NULL, .left = HUGE_VAL };
  if (o->chain != NULL) {
    const crProfileElement* e = &o->chain->profile->items[f->place];
    crPlanePoint end = side < 0.0 && !walk.isCorner  ? e->startNormal
                       : side > 0.0 && walk.isCorner ? getNext(o->chain->profile, f->place)->startNormal
                                                     : e->endNormal;
    walk.left = findAngle(n, crOutline_TurnInto(o, end), side);
  }
  return walk;
}

// Whether the outline goes on convex: there is a corner, or the next element.
static bool walkOn(Walk* walk)
{
  const crProfile* profile = walk->o->chain->profile;
  int n = profile->count, at = walk->f.place, joint = walk->side > 0.0 ? at : at > 0 ? at - 1 : n - 1;
  joint = walk->isCorner ? at : joint;
  const crProfileElement *before = &profile->items[joint], *behind = getNext(profile, joint);
  double bend = crPlaneCross(before->endNormal, behind->startNormal);
  bool isEnd = joint == n - 1 && !profile->isClosed, hasCorner = before->cornerCosine <= 1.0;
  if (isEnd || !(hasCorner || (before->isSmooth && bend >= -CR_RUN_BEND))) {
    return false;
  }
  if (hasCorner && !walk->isCorner) {
    walk->f = crOutline_MakeCorner(walk->o, before);
    walk->left = findAngle(before->endNormal, behind->startNormal, 1.0);
    walk->isCorner = true;
    return true;
  }
  const crProfileElement* next = walk->side > 0.0 ? behind : before;
  walk->f = crOutline_MakeElement(walk->o, next);
  walk->left = next->kind == cr_profileLine ? 0.0 : 2.0 * next->half;
  walk->isCorner = false;
  return next->curvature >= 0.0;
}

// Elements of a profile, from the first again behind the last.
typedef struct Run {
  int first, count;
} Run;

static bool isInRun(const Run* run, int i, int n)
{
  return (i >= run->first ? i - run->first : i - run->first + n) < run->count;
}

// Around a feature, as far as it turns by less than to its other side.
static Run findRun(const crOutline* o, const crFeature* f, crPlanePoint n)
{
  Run run = { 0, 0 };
  if (o->chain == NULL) {
    return run;
  }
  int all = o->chain->profile->count, steps[2] = { 0, 0 };
  for (int i = 0; i < 2; ++i) {
    Walk walk = startWalk(o, f, n, i == 0 ? -1.0 : 1.0);
    double turn = walk.left;
    while (turn < CR_RUN_TURN && steps[i] < all && walkOn(&walk)) {
      turn += walk.left;
      steps[i] += !walk.isCorner;
    }
  }
  int own = f->element != NULL; // a corner is in front of the next one
  run.first = (f->place + (own ? 0 : 1) - steps[0] + 2 * all) % all;
  run.count = steps[0] + own + steps[1] < all ? steps[0] + own + steps[1] : all;
  return run;
}

// Whether two convex runs can be parted by less than `depth` along another normal. Of what is convex all such normals
// part it, and it is as deep as along the best of them: both walk along their outlines as their normals turn alike.
static bool canPartSooner(const crOutline* a, const crFeature* f, const crOutline* b, const crFeature* g,
                          crPlanePoint n, double depth)
{
  crPlanePoint back = negative(n);
  for (int i = 0; i < 2; ++i) {
    double side = i == 0 ? -1.0 : 1.0, turn = 0.0;
    Walk ofA = startWalk(a, f, n, side), ofB = startWalk(b, g, back, side);
    for (;;) {
      Walk *next = ofA.left <= ofB.left ? &ofA : &ofB, *other = next == &ofA ? &ofB : &ofA;
      turn += next->left;
      other->left -= next->left;
      if (!(turn < CR_RUN_TURN) || !walkOn(next)) {
        break;
      }
      crFacingPlace places[CR_FACING_PLACES];
      int count = crFindFacingPlaces(&ofA.f, &ofB.f, HUGE_VAL, places);
      for (int k = 0; k < count; ++k) {
        if (-places[k].gap < depth) {
          return true;
        }
      }
    }
  }
  return false;
}

// --------------------------------------------------------------------------------------------------- depths

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
static bool hasNearer(const crOutline* o, const crFeature* round, const crOutline* own, const Run* run,
                      crPlanePoint place, double depth)
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
    } else if (isWithin(x, e->middle, depth + e->around) && !isInRun(run, i, profile->count) &&
               isBehind(e, o, round, own, x, depth)) {
      return true;
    }
  }
  return false;
}

// Whether anything of a solid, but of a run, is nearer to a point of it than `depth`.
static bool isNearOthers(const crOutline* o, const Run* run, crPlanePoint p, double depth)
{
  if (o->chain == NULL) {
    return o->radius - crPlaneLength(crPlaneSub(p, o->origin)) < depth;
  }
  const crProfile* profile = o->chain->profile;
  crPlanePoint x = seeFrom(o, p);
  for (int i = 0; i < profile->count; ++i) {
    const crProfileElement* e = &profile->items[i];
    if (isInRun(run, i, profile->count) || !isWithin(x, e->middle, depth + e->around)) {
      continue;
    }
    crChain one = { .profile = profile, .first = i, .count = 1 };
    if (fabs(crChain_FindFoot(&one, x).distance) < depth) {
      return true;
    }
  }
  return false;
}

// Whether a feature of `own` is `depth` deep in a solid, with its point p, as far as all tells that is not in the run.
static bool isDeepIn(const crOutline* o, const crFeature* f, const crOutline* own, const Run* run, double depth,
                     crPlanePoint p)
{
  double slack = CR_DEPTH_SLACK * (depth + findSize(o));
  if (f->kind == cr_featureLine || f->radius < 0.0) {
    return isBehindChain(o, p, depth) && !isNearOthers(o, run, p, depth - slack);
  }
  double ofCentre = depth - f->radius;
  if (ofCentre > 0.0 && isBehindChain(o, f->centre, depth)) {
    return !hasNearer(o, f, own, run, f->centre, ofCentre - slack);
  }
  return isBehindChain(o, p, depth) && !hasNearer(o, f, own, run, p, depth - slack);
}

// Whether a point is next to a run. Where both are thinner than they are deep, as at the tips of teeth, neither of the
// two points may be in the other solid, but what is between them is: else another normal would part them.
static bool isAtTip(const crOutline* o, const Run* run, double depth, crPlanePoint p)
{
  if (o->chain == NULL || !(depth < CR_TIP_DEPTH * findSize(o))) {
    return false;
  }
  const crProfile* profile = o->chain->profile;
  crChain whole = { .profile = profile, .count = profile->count, .isWhole = true };
  crProfileFoot foot = crChain_FindFoot(&whole, seeFrom(o, p));
  return fabs(foot.distance) <= CR_TIP_REACH * depth && isInRun(run, foot.element, profile->count);
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
  if (isPlainDepth(a, f, -gap, on2) || isPlainDepth(b, g, -gap, on1)) {
    return true;
  }
  bool areRuns = isConvex(f) && isConvex(g);
  Run none = { 0, 0 }, ofA = areRuns ? findRun(a, f, n) : none, ofB = areRuns ? findRun(b, g, negative(n)) : none;
  bool isReal = isDeepIn(a, g, b, &ofA, -gap, on2) || isDeepIn(b, f, a, &ofB, -gap, on1);
  if (!isReal && !(areRuns && (isAtTip(a, &ofA, -gap, on2) || isAtTip(b, &ofB, -gap, on1)))) {
    return false;
  }
  double size = fmin(findSize(a), findSize(b));
  return !areRuns || !canPartSooner(a, f, b, g, n, -gap - CR_DEPTH_SLACK * size);
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
