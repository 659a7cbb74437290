#include "collide/distance/parallel.h"

#include "base/elementary.h"
#include "collide/distance/outline.h"

#include <math.h>

#define CR_SHELL_DEPTH                                                                                                 \
  0.05                   // [-] of the smaller shape's smallest dimension: deeper ones of a surface without a solid are
                         // seen from its back
#define CR_UNKNOWN 0.05  // [-] likewise: for what sees each other from behind
#define CR_EVIDENT 1e-12 // [-] likewise: depths that are round-off are not asked for
#define CR_PORTION 64    // stretches at a time
#define CR_BUNCH CR_PROFILE_BUNCH
#define CR_END_COSINE 0.5 // [-] of half the angle by which a chain turns away behind its ends
#define CR_END_SINE 0.86602540378443865

bool crIsParallelPair(const crShape* a, const crShape* b)
{
  bool isA = a->kind == cr_shapeExtruded, isB = b->kind == cr_shapeExtruded;
  bool isKind = (isA && isB) || (isA && b->kind == cr_shapeCylinder) || (isB && a->kind == cr_shapeCylinder);
  return isKind && !a->isSkew && !b->isSkew;
}

static crMat3 turn(const crShape* shape, const crPose* X_WF)
{
  return shape->isTurned ? crMulMM(X_WF->R, shape->R_FS) : X_WF->R;
}

double crFindTilt(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB)
{
  return crLength(crCross(turn(a, X_WA).cz, turn(b, X_WB).cz));
}

// ----------------------------------------------------------------------------------------------- features

static const crProfileElement* elementOf(const crChain* chain, int k)
{
  int index = chain->first + k;
  return &chain->profile->items[index < chain->profile->count ? index : index - chain->profile->count];
}

// In the middle between the normal at an end and that by which the chain has turned away behind it. side: 1 behind the
// last element, -1 before the first.
static crPlanePoint turnAway(crPlanePoint normal, double side)
{
  return crPlaneMix(CR_END_COSINE, normal, side * CR_END_SINE, crPlaneLeft(normal));
}

static crFeature makeEnd(const crOutline* o, crPlanePoint point, crPlanePoint normal, double side)
{
  crPlanePoint middle = turnAway(normal, side);
  bool isShared = side > 0.0 ? o->chain->endsShared : o->chain->startsShared;
  return (crFeature){ .kind = isShared ? cr_featureShared : cr_featureEnd,
                      .centre = crOutline_MoveInto(o, point),
                      .normal = crOutline_TurnInto(o, middle),
                      .cosine = CR_END_COSINE };
}

// A stretch of an outline, by its middle and how far from there it reaches: the whole of a circle, or an element.
typedef struct Stretch {
  crPlanePoint middle;
  double reach; // [m]
} Stretch;

#define CR_STRETCH_FEATURES 3

static Stretch getStretch(const crOutline* o, int i)
{
  if (o->chain == NULL) {
    return (Stretch){ o->origin, o->radius };
  }
  const crProfileElement* e = elementOf(o->chain, i);
  return (Stretch){ crOutline_MoveInto(o, e->middle), e->kind == cr_profileArc        ? e->half * e->radius
                                                      : e->kind == cr_profileInvolute ? e->around
                                                                                      : e->half };
}

static bool isRing(const crChain* chain)
{
  return chain->isWhole && chain->profile->isClosed;
}

// Normals of a stretch. Without limits, if its cosine is not > 0.
typedef struct Cone {
  crPlanePoint normal; // in the middle of them
  double sine, cosine; // of half the angle that they turn by
} Cone;

static Cone getCone(const crOutline* o, int i)
{
  if (o->chain == NULL) {
    return (Cone){ .cosine = 0.0 };
  }
  const crProfileElement* e = elementOf(o->chain, i);
  bool isFirst = i == 0, isLast = i == o->count - 1;
  if (isRing(o->chain) || !(isFirst || isLast)) {
    return (Cone){ crOutline_TurnInto(o, e->cone), e->coneSine, e->coneCosine };
  }
  bool isLine = e->kind == cr_profileLine && (isLast || e->cornerCosine > 1.0);
  return isLine && isFirst != isLast
             ? (Cone){ crOutline_TurnInto(o, turnAway(e->normal, isLast ? 1.0 : -1.0)), CR_END_SINE, CR_END_COSINE }
             : (Cone){ .cosine = 0.0 };
}

// Whether two stretches may have opposite normals.
static bool areOpposite(const Cone* a, const Cone* b)
{
  double cosine = a->cosine * b->cosine - a->sine * b->sine;
  return !(a->cosine > 0.0 && b->cosine > 0.0) || -crPlaneDot(a->normal, b->normal) >= cosine - CR_CONE_SLACK;
}

// The element, what is behind it, and what is before the first one. Returns how many have normals.
static int makeFeatures(const crOutline* o, int i, crFeature outFeatures[CR_STRETCH_FEATURES])
{
  const crChain* chain = o->chain;
  if (chain == NULL) {
    outFeatures[0] = (crFeature){
      .kind = cr_featureArc, .centre = o->origin, .radius = o->radius, .normal = o->x, .cosine = -1.0, .place = -1
    };
    return 1;
  }
  const crProfileElement* e = elementOf(chain, i);
  bool isClosed = isRing(chain), isLast = i == chain->count - 1;
  int count = 0;
  outFeatures[count++] = crOutline_MakeElement(o, e);
  if (isLast && !isClosed) {
    outFeatures[count++] = makeEnd(o, e->end, e->endNormal, 1.0);
  } else if (e->cornerCosine <= 1.0) {
    outFeatures[count++] = crOutline_MakeCorner(o, e);
  }
  if (i == 0 && !isClosed) {
    outFeatures[count++] = makeEnd(o, e->start, e->startNormal, -1.0);
  }
  return count;
}

// ---------------------------------------------------------------------------------------------- candidates

// Two outlines, and how deep they may be in each other.
typedef struct Facing {
  const crOutline *a, *b;
  bool areSolid;
  double size;   // [m] smallest dimension of the smaller one
  double extent; // [m] likewise, in the plane alone
} Facing;

typedef struct Candidate {
  double gap;
  crPlanePoint normal; // out of the first one
  crPlanePoint on1;    // point of the first one,
  double between;      // [m] and from there to that of the second one: the gap, but where the next chain has the touch
  double curvature1, curvature2;
} Candidate;

static double bendOf(const crFeature* f)
{
  return f->kind == cr_featureLine ? 0.0 : f->radius != 0.0 ? 1.0 / f->radius : NAN;
}

// Whether a gap may be the distance, given the point of the first one.
static bool isTouch(const Facing* facing, const crFeature* f, const crFeature* g, double gap, crPlanePoint on1,
                    crPlanePoint n)
{
  if (gap >= -CR_EVIDENT * facing->size) {
    return true;
  }
  return facing->areSolid ? crIsDepth(facing->a, f, facing->b, g, gap, on1, n) : gap >= -CR_SHELL_DEPTH * facing->size;
}

static void take(const crFacingPlace* place, const Facing* facing, Candidate* best)
{
  const crFeature *f = &place->f, *g = &place->g;
  double gap = place->gap;
  bool isEnd = f->kind == cr_featureEnd || g->kind == cr_featureEnd;
  bool isShared = f->kind == cr_featureShared || g->kind == cr_featureShared;
  double taken = isShared && gap < 0.0 ? CR_UNKNOWN * facing->size : gap; // the chain that goes on there has the touch
  if ((isEnd && gap < 0.0) || !(taken < best->gap)) {
    return;
  }
  // on the one that is no line: of a line the foot is under the other's centre
  crPlanePoint n = place->normal, on1 = f->kind != cr_featureLine ? crPlaneAdd(f->centre, f->radius, n)
                                                                  : crPlaneAdd(g->centre, -g->radius - gap, n);
  if (isTouch(facing, f, g, gap, on1, n)) {
    *best = (Candidate){ taken, n, on1, gap, bendOf(f), bendOf(g) };
  }
}

static void lookAt(const crFeature* f, const crFeature* g, const Facing* facing, Candidate* best)
{
  crFacingPlace places[CR_FACING_PLACES];
  int count = crFindFacingPlaces(f, g, best->gap, places);
  for (int i = 0; i < count; ++i) {
    take(&places[i], facing, best);
  }
}

// ------------------------------------------------------------------------------------------------ lengths

// Where shapes are along the axis of the first one.
typedef struct Range {
  double low, high; // [m]
} Range;

static Range rangeOf(const crShape* shape, double middle, double side)
{
  if (shape->kind == cr_shapeExtruded) {
    return (Range){ middle - shape->core.half.z, middle + shape->core.half.z };
  }
  double zMin = shape->core.zMin - shape->sweep, zMax = shape->core.zMax + shape->sweep;
  return (Range){ middle + (side > 0.0 ? zMin : -zMax), middle + (side > 0.0 ? zMax : -zMin) };
}

static crOutline makeOutline(const crShape* shape, const crMat3* R, crVec3 p, const crMat3* R1)
{
  crOutline o = { .chain = shape->kind == cr_shapeExtruded ? shape->chain : NULL };
  crVec3 x = crMulTV(*R1, R->cx), y = crMulTV(*R1, R->cy), origin = crMulTV(*R1, p);
  o.radius = shape->core.radius + shape->sweep;
  o.x = (crPlanePoint){ x.x, x.y };
  o.y = (crPlanePoint){ y.x, y.y };
  o.origin = (crPlanePoint){ origin.x, origin.y };
  o.count = o.chain != NULL ? o.chain->count : 1;
  return o;
}

static Stretch boundOutline(const crOutline* o)
{
  const crChain* chain = o->chain;
  if (chain == NULL) {
    return (Stretch){ o->origin, o->radius };
  }
  crPlanePoint middle = crPlaneMix(0.5, chain->min, 0.5, chain->max);
  return (Stretch){ crOutline_MoveInto(o, middle), crPlaneLength(crPlaneSub(chain->max, middle)) };
}

// A portion of the stretches of an outline, and circles around bunches of them. Stretches are made when their bunch is
// looked at, and their features when they are.
typedef struct Portion {
  int start, count, bunchCount;
  bool isMade[CR_PORTION / CR_BUNCH];
  Stretch items[CR_PORTION], bunches[CR_PORTION / CR_BUNCH];
  Cone cones[CR_PORTION];
  int featureCounts[CR_PORTION]; // 0: not made yet
  crFeature features[CR_PORTION][CR_STRETCH_FEATURES];
} Portion;

static double findSquare(const Stretch* a, const Stretch* b)
{
  crPlanePoint d = crPlaneSub(b->middle, a->middle);
  return crPlaneDot(d, d);
}

static int countBunch(const Portion* portion, int bunch)
{
  int left = portion->count - bunch * CR_BUNCH;
  return left < CR_BUNCH ? left : CR_BUNCH;
}

static Stretch getBunch(const crOutline* o, int i)
{
  if (o->chain == NULL) {
    return getStretch(o, i);
  }
  const crProfileElement* e = elementOf(o->chain, i);
  return (Stretch){ crOutline_MoveInto(o, e->centre), e->bunch };
}

static void fillPortion(const crOutline* o, int start, Portion* out)
{
  out->start = start;
  out->count = o->count - start < CR_PORTION ? o->count - start : CR_PORTION;
  out->bunchCount = (out->count + CR_BUNCH - 1) / CR_BUNCH;
  for (int i = 0; i < out->bunchCount; ++i) {
    out->bunches[i] = getBunch(o, start + i * CR_BUNCH);
    out->isMade[i] = false;
  }
}

static const Stretch* makeItems(const crOutline* o, int bunch, Portion* portion)
{
  int start = bunch * CR_BUNCH, end = start + countBunch(portion, bunch);
  for (int i = start; i < end && !portion->isMade[bunch]; ++i) {
    portion->items[i] = getStretch(o, portion->start + i);
    portion->cones[i] = getCone(o, portion->start + i);
    portion->featureCounts[i] = 0;
  }
  portion->isMade[bunch] = true;
  return &portion->items[start];
}

// Of a stretch whose bunch is made.
static const crFeature* getFeatures(const crOutline* o, Portion* portion, int i)
{
  if (portion->featureCounts[i] == 0) {
    portion->featureCounts[i] = makeFeatures(o, portion->start + i, portion->features[i]);
  }
  return portion->features[i];
}

static void lookAtStretches(const crOutline* a, Portion* ofA, int i, const crOutline* b, Portion* ofB, int k,
                            const Facing* facing, Candidate* best)
{
  const crFeature *f = getFeatures(a, ofA, i), *g = getFeatures(b, ofB, k);
  for (int m = 0; m < ofA->featureCounts[i]; ++m) {
    for (int n = 0; n < ofB->featureCounts[k]; ++n) {
      lookAt(&f[m], &g[n], facing, best);
    }
  }
}

// Places of two stretches, or bunches of them.
typedef struct Twosome {
  int a, b;
} Twosome;

// The two whose middles are nearest, of up to CR_PORTION of B: by the nearest of A for each of those, so that no
// comparison waits for the one before.
static Twosome findNearest(const Stretch* a, int countA, const Stretch* b, int countB)
{
  double least[CR_PORTION];
  int places[CR_PORTION];
  for (int k = 0; k < countB; ++k) {
    least[k] = findSquare(&a[0], &b[k]);
    places[k] = 0;
  }
  for (int i = 1; i < countA; ++i) {
    for (int k = 0; k < countB; ++k) {
      double square = findSquare(&a[i], &b[k]);
      places[k] = square < least[k] ? i : places[k];
      least[k] = square < least[k] ? square : least[k];
    }
  }
  int best = 0;
  for (int k = 1; k < countB; ++k) {
    best = least[k] < least[best] ? k : best;
  }
  return (Twosome){ places[best], best };
}

// [m] The distance is not more.
static double findKnown(double least, const Candidate* best)
{
  return best->gap < least ? (best->gap > 0.0 ? best->gap : 0.0) : least;
}

// Whether anything of two circles may be nearer than what is known.
static bool areNear(const Stretch* a, const Stretch* b, double known)
{
  double most = known + a->reach + b->reach;
  return findSquare(a, b) <= most * most;
}

// The stretches of two bunches, but those at `done`.
static void lookAtBunches(const crOutline* a, Portion* ofA, int bunchA, const crOutline* b, Portion* ofB, int bunchB,
                          Twosome done, const Facing* facing, double least, Candidate* best)
{
  makeItems(a, bunchA, ofA);
  makeItems(b, bunchB, ofB);
  double known = findKnown(least, best);
  int startA = bunchA * CR_BUNCH, endA = startA + countBunch(ofA, bunchA);
  int startB = bunchB * CR_BUNCH, endB = startB + countBunch(ofB, bunchB);
  for (int i = startA; i < endA; ++i) {
    for (int k = startB; k < endB; ++k) {
      if (areNear(&ofA->items[i], &ofB->items[k], known) && areOpposite(&ofA->cones[i], &ofB->cones[k]) &&
          !(i == done.a && k == done.b)) {
        lookAtStretches(a, ofA, i, b, ofB, k, facing, best);
        known = findKnown(least, best);
      }
    }
  }
}

// No distance is more than that of two middles, or than a gap that is known: near middles are looked at first, and
// others where their stretches may be nearer. ioLeast [m]: of middles so far.
static void lookAtPortions(const crOutline* a, Portion* ofA, const crOutline* b, Portion* ofB, const Facing* facing,
                           double* ioLeast, Candidate* best)
{
  Twosome near = findNearest(ofA->bunches, ofA->bunchCount, ofB->bunches, ofB->bunchCount);
  Twosome at = findNearest(makeItems(a, near.a, ofA), countBunch(ofA, near.a), makeItems(b, near.b, ofB),
                           countBunch(ofB, near.b));
  Twosome first = { near.a * CR_BUNCH + at.a, near.b * CR_BUNCH + at.b };
  *ioLeast = fmin(*ioLeast, sqrt(findSquare(&ofA->items[first.a], &ofB->items[first.b])));
  lookAtStretches(a, ofA, first.a, b, ofB, first.b, facing, best);
  double known = findKnown(*ioLeast, best);
  for (int i = 0; i < ofA->bunchCount; ++i) {
    for (int k = 0; k < ofB->bunchCount; ++k) {
      if (areNear(&ofA->bunches[i], &ofB->bunches[k], known)) {
        lookAtBunches(a, ofA, i, b, ofB, k, first, facing, *ioLeast, best);
        known = findKnown(*ioLeast, best);
      }
    }
  }
}

// Whether two stretches that do not reach each other may be deeper in each other than what is known: not deeper than
// the extent of the smaller outline.
static bool areDeep(const Stretch* a, const Stretch* b, double extent, double gap)
{
  double reach = a->reach + b->reach, least = fmax(reach, -gap - reach), most = extent + reach;
  double square = findSquare(a, b);
  return square > least * least && square <= most * most;
}

// All that is not near each other may be deep in each other, as what consists of short stretches is.
static void lookIntoBunches(const crOutline* a, Portion* ofA, int bunchA, const crOutline* b, Portion* ofB, int bunchB,
                            const Facing* facing, Candidate* best)
{
  makeItems(a, bunchA, ofA);
  makeItems(b, bunchB, ofB);
  int startA = bunchA * CR_BUNCH, endA = startA + countBunch(ofA, bunchA);
  int startB = bunchB * CR_BUNCH, endB = startB + countBunch(ofB, bunchB);
  for (int i = startA; i < endA; ++i) {
    for (int k = startB; k < endB; ++k) {
      if (areDeep(&ofA->items[i], &ofB->items[k], facing->extent, best->gap) &&
          areOpposite(&ofA->cones[i], &ofB->cones[k])) {
        lookAtStretches(a, ofA, i, b, ofB, k, facing, best);
      }
    }
  }
}

static void lookIntoPortions(const crOutline* a, Portion* ofA, const crOutline* b, Portion* ofB, const Facing* facing,
                             Candidate* best)
{
  for (int i = 0; i < ofA->bunchCount; ++i) {
    for (int k = 0; k < ofB->bunchCount; ++k) {
      if (areNear(&ofA->bunches[i], &ofB->bunches[k], facing->extent)) {
        lookIntoBunches(a, ofA, i, b, ofB, k, facing, best);
      }
    }
  }
}

// By lookAtPortions, or lookIntoPortions.
static void lookAtOutlines(const crOutline* a, const crOutline* b, const Facing* facing, bool isInto, double* ioLeast,
                           Candidate* best)
{
  Portion ofA, ofB;
  for (int i = 0; i < a->count; i += CR_PORTION) {
    fillPortion(a, i, &ofA);
    for (int k = 0; k < b->count; k += CR_PORTION) {
      fillPortion(b, k, &ofB);
      if (isInto) {
        lookIntoPortions(a, &ofA, b, &ofB, facing, best);
      } else {
        lookAtPortions(a, &ofA, b, &ofB, facing, ioLeast, best);
      }
    }
  }
}

// What is as deep in a circle as its own diameter reaches into it.
static bool mayBeDeep(const crOutline* a, const crOutline* b, const Facing* facing)
{
  Stretch ofA = boundOutline(a), ofB = boundOutline(b);
  return facing->areSolid && a->chain != NULL && b->chain != NULL && areNear(&ofA, &ofB, 0.0);
}

// isWhole: depths of stretches that are shorter than that as well, which cost more.
static Candidate findBest(const crOutline* a, const crOutline* b, const Facing* facing, bool isWhole)
{
  Candidate best = { .gap = HUGE_VAL };
  double least = HUGE_VAL;
  lookAtOutlines(a, b, facing, false, &least, &best);
  if (isWhole && mayBeDeep(a, b, facing)) {
    lookAtOutlines(a, b, facing, true, &least, &best);
  }
  return best;
}

// Circles around both: what is far apart need not be looked at closely. False: they are near.
static bool lookFromAfar(const crOutline* a, const crOutline* b, double enough, Candidate* out)
{
  Stretch ofA = boundOutline(a), ofB = boundOutline(b);
  crPlanePoint d = crPlaneSub(ofB.middle, ofA.middle);
  double length = crPlaneLength(d), gap = length - ofA.reach - ofB.reach;
  if (!(gap > enough)) {
    return false;
  }
  crPlanePoint n = crPlaneMix(1.0 / length, d, 0.0, d);
  *out = (Candidate){ gap, n, crPlaneAdd(ofA.middle, ofA.reach, n), gap, 0.0, 0.0 };
  return true;
}

static double findExtent(const crOutline* o)
{
  if (o->chain == NULL) {
    return 2.0 * o->radius;
  }
  crPlanePoint d = crPlaneSub(o->chain->profile->max, o->chain->profile->min);
  return fmin(d.x, d.y);
}

// Of outlines that face each other nowhere.
static Candidate lookAtBacks(const Facing* facing)
{
  if (!crIsOneWithin(facing->a, facing->b)) {
    return (Candidate){ .gap = CR_UNKNOWN * facing->size, .between = CR_UNKNOWN * facing->size };
  }
  crPlanePoint d = crPlaneSub(facing->b->origin, facing->a->origin);
  double length = crPlaneLength(d);
  crPlanePoint n = length > 0.0 ? crPlaneMix(1.0 / length, d, 0.0, d) : facing->a->x;
  return (Candidate){ .gap = -facing->extent, .normal = n, .on1 = facing->a->origin, .between = -facing->extent };
}

// The first one is extruded.
static crParallelTouch compute(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                               double enough)
{
  crMat3 R1 = turn(a, X_WA), R2 = turn(b, X_WB);
  crVec3 offset = crSub(X_WB->p, X_WA->p);
  crOutline first = makeOutline(a, &R1, crMakeVec3(0.0, 0.0, 0.0), &R1), second = makeOutline(b, &R2, offset, &R1);
  Range ofA = rangeOf(a, 0.0, 1.0), ofB = rangeOf(b, crDot(R1.cz, offset), crDot(R1.cz, R2.cz));
  double low = fmax(ofA.low, ofB.low), high = fmin(ofA.high, ofB.high), length = high - low;
  Candidate best;
  if (!lookFromAfar(&first, &second, enough, &best)) {
    Facing facing = { &first, &second, crOutline_IsSolid(&first) && crOutline_IsSolid(&second),
                      fmin(a->smallestDimension, b->smallestDimension), fmin(findExtent(&first), findExtent(&second)) };
    best = findBest(&first, &second, &facing, enough == HUGE_VAL);
    best = best.gap < HUGE_VAL && !(enough == HUGE_VAL && best.gap > 0.0 && crIsOneWithin(&first, &second))
               ? best
               : lookAtBacks(&facing);
  }
  crVec3 n = crMulMV(R1, crMakeVec3(best.normal.x, best.normal.y, 0.0));
  crVec3 on = crAdd(X_WA->p, crMulMV(R1, crMakeVec3(best.on1.x, best.on1.y, 0.5 * (low + high))));
  double distance = fmax(best.gap, -length); // beside each other: not nearer than that
  return (crParallelTouch){ .distance = distance,
                            .normal = n,
                            .pointA = on,
                            .pointB = crMulAdd(on, fmax(best.between, -length), n),
                            .length = length,
                            .curvature = best.curvature1 + best.curvature2 };
}

crParallelTouch crComputeParallel(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                  double enough)
{
  if (a->kind == cr_shapeExtruded) {
    return compute(a, X_WA, b, X_WB, enough);
  }
  crParallelTouch touch = compute(b, X_WB, a, X_WA, enough);
  crVec3 point = touch.pointA;
  touch.normal = crNeg(touch.normal);
  touch.pointA = touch.pointB;
  touch.pointB = point;
  return touch;
}
