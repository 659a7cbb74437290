// Chains of a profile: what balls of a radius touch in one point at most.
#include "geometry/profile.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define CR_AXIS_SHARE 1e-9 // [-] of an arc's radius: centres that are nearer to the axis are on it
#define CR_MOST_TURN                                                                                                   \
  4.0 // [rad] of a chain: what turns by less than 3/2 pi has its parts back to back, and teeth are whole
#define CR_STRAIGHT_SINE 1e-12   // [-] of bends that are round-off
#define CR_FULL_TURN 6.283185308 // [rad] and a little
#define CR_LEAST_FACING 1e-6     // [-] normals that face the axis with less do not

typedef crArrayOf(crChain) ChainList;

static const crProfileElement* getElement(const crChain* chain, int k)
{
  int index = chain->first + k;
  return &chain->profile->items[index < chain->profile->count ? index : index - chain->profile->count];
}

// --------------------------------------------------------------------------------------------- extremes

// Whether the normal of an arc is along d somewhere between its ends.
static bool isAlong(const crProfileElement* e, crPlanePoint d)
{
  double sign = e->curvature > 0.0 ? 1.0 : -1.0, out = crPlaneDot(e->normal, d);
  double along = sign * crPlaneDot(crPlaneLeft(e->normal), d);
  return e->sine * out - e->cosine * fabs(along) >= 0.0;
}

static crPlanePoint findCentre(const crProfileElement* e)
{
  return crPlaneAdd(e->middle, -1.0 / e->curvature, e->normal);
}

// The farthest point of an element along d, of unit length.
static crPlanePoint findFarthest(const crProfileElement* e, crPlanePoint d)
{
  crPlanePoint best = crPlaneDot(e->start, d) > crPlaneDot(e->end, d) ? e->start : e->end;
  double sign = e->curvature > 0.0 ? 1.0 : -1.0;
  crPlanePoint out = { sign * d.x, sign * d.y }; // its normal there
  if (e->kind != cr_profileLine && isAlong(e, out)) {
    double radius;
    crPlanePoint there = e->kind == cr_profileArc ? crPlaneAdd(findCentre(e), e->radius, d)
                                                  : crProfileElement_FindByNormal(e, out, &radius);
    best = crPlaneDot(there, d) > crPlaneDot(best, d) ? there : best;
  }
  return best;
}

crPlanePoint crChain_FindSupport(const crChain* chain, crPlanePoint d)
{
  double length = crPlaneLength(d);
  crPlanePoint unit = length > 0.0 ? (crPlanePoint){ d.x / length, d.y / length } : (crPlanePoint){ 1.0, 0.0 };
  crPlanePoint best = findFarthest(getElement(chain, 0), unit);
  for (int k = 1; k < chain->count; ++k) {
    crPlanePoint p = findFarthest(getElement(chain, k), unit);
    best = crPlaneDot(p, unit) > crPlaneDot(best, unit) ? p : best;
  }
  return best;
}

// An involute is farthest away where it is most unrolled.
static double findReach(const crProfileElement* e)
{
  double reach = fmax(crPlaneLength(e->start), crPlaneLength(e->end));
  if (e->kind == cr_profileArc) {
    crPlanePoint centre = findCentre(e);
    double away = crPlaneLength(centre);
    crPlanePoint d = away > 0.0 ? (crPlanePoint){ centre.x / away, centre.y / away } : e->normal;
    reach = fmax(reach, crPlaneLength(findFarthest(e, d)));
  }
  return reach;
}

static void widen(crPlanePoint p, crPlanePoint* min, crPlanePoint* max)
{
  *min = (crPlanePoint){ fmin(min->x, p.x), fmin(min->y, p.y) };
  *max = (crPlanePoint){ fmax(max->x, p.x), fmax(max->y, p.y) };
}

static double findSpread(const crChain* chain)
{
  crPlanePoint min = { HUGE_VAL, HUGE_VAL }, max = { -HUGE_VAL, -HUGE_VAL };
  bool isRing = chain->isWhole && chain->profile->isClosed;
  for (int k = 0; k < chain->count; ++k) {
    const crProfileElement* e = getElement(chain, k);
    bool isArc = e->kind != cr_profileLine;
    if (e->kind == cr_profileInvolute) { // its centres are an arc of its base circle, and tangents at its ends meet
      crPlanePoint start = crPlaneLeft(e->startNormal), middle = crPlaneLeft(e->normal),
                   end = crPlaneLeft(e->endNormal);
      double r = e->growth * e->base, far = r / e->cosine;
      widen((crPlanePoint){ r * start.x, r * start.y }, &min, &max);
      widen((crPlanePoint){ r * end.x, r * end.y }, &min, &max);
      widen((crPlanePoint){ far * middle.x, far * middle.y }, &min, &max);
    } else if (isArc) {
      widen(findCentre(e), &min, &max);
    }
    if (!isArc || !e->isSmooth || (k == chain->count - 1 && !isRing)) {
      widen(e->end, &min, &max);
    }
    if (!isArc || (k == 0 && !isRing)) {
      widen(e->start, &min, &max);
    }
  }
  return fmin(crPlaneLength(crPlaneSub(max, min)), crPlaneLength(crPlaneSub(chain->max, chain->min)));
}

static void bound(crChain* chain)
{
  const crPlanePoint right = { 1.0, 0.0 }, left = { -1.0, 0.0 }, up = { 0.0, 1.0 }, down = { 0.0, -1.0 };
  chain->max = (crPlanePoint){ crChain_FindSupport(chain, right).x, crChain_FindSupport(chain, up).y };
  chain->min = (crPlanePoint){ crChain_FindSupport(chain, left).x, crChain_FindSupport(chain, down).y };
  for (int k = 0; k < chain->count; ++k) {
    chain->reach = fmax(chain->reach, findReach(getElement(chain, k)));
  }
  chain->spread = findSpread(chain);
}

// ------------------------------------------------------------------------------------------- the axis

// [m] Of an arc, the distance of its centre from the axis; 0 where it is on it but for round-off.
static double findOffset(const crProfileElement* e)
{
  double x = findCentre(e).x;
  return fabs(x) > CR_AXIS_SHARE * e->radius ? x : 0.0;
}

// How an element faces the axis at one of its places. On an arc rho = c_rho - n_rho / curvature. side: 1, or -1: its
// back.
static bool lookAtAxis(crChain* chain, const crProfileElement* e, crPlanePoint point, crPlanePoint normal, double side)
{
  double facing = -side * normal.x;
  if (!(facing > CR_LEAST_FACING)) {
    return false;
  }
  double circle = e->kind == cr_profileArc ? findOffset(e) / facing - side / e->curvature : point.x / facing;
  chain->facing = fmax(chain->facing, facing);
  chain->circle = fmin(chain->circle, fmax(circle, 0.0));
  return true;
}

// Along an arc rho / |n_rho| is monotone in n_rho: it is least at an end, or where the normal is level.
static void faceAxis(crChain* chain, const crProfileElement* e, double side)
{
  const crPlanePoint inward = { -side, 0.0 };
  bool faces = lookAtAxis(chain, e, e->start, e->startNormal, side);
  faces = lookAtAxis(chain, e, e->end, e->endNormal, side) || faces;
  if (e->kind == cr_profileArc && isAlong(e, inward)) {
    faces = lookAtAxis(chain, e, e->middle, inward, side) || faces;
  }
  bool isBowl = e->kind == cr_profileArc && side * e->curvature < 0.0 && findOffset(e) >= 0.0;
  chain->facesByArcs = chain->facesByArcs && (!faces || isBowl);
}

// [rad] That the normal turns by along an element, and at its end; > 0: convex.
static double findTurn(const crProfile* profile, int index)
{
  const crProfileElement* e = &profile->items[index];
  const crProfileElement* next = &profile->items[index + 1 < profile->count ? index + 1 : 0];
  double own = e->kind != cr_profileLine ? 2.0 * e->half * (e->curvature > 0.0 ? 1.0 : -1.0) : 0.0;
  bool goesOn = index + 1 < profile->count || profile->isClosed;
  double sine = crPlaneCross(e->endNormal, next->startNormal), cosine = crPlaneDot(e->endNormal, next->startNormal);
  return own + (goesOn ? crAtan2(sine, cosine) : 0.0);
}

// It may turn by a full turn, and has no concave arc and no bend inwards, however small.
static bool isConvex(const crChain* chain)
{
  double turn = 0.0;
  bool is = !chain->profile->isShell;
  for (int k = 0; k < chain->count && is; ++k) {
    bool isLast = k == chain->count - 1, isRing = chain->isWhole && chain->profile->isClosed;
    const crProfileElement *e = getElement(chain, k), *next = getElement(chain, isLast ? 0 : k + 1);
    double bend = isLast && !isRing ? 0.0 : crPlaneCross(e->endNormal, next->startNormal);
    is = e->curvature >= 0.0 && bend >= -CR_STRAIGHT_SINE;
    turn += e->kind != cr_profileLine ? 2.0 * e->half : 0.0;
    turn += isLast && !isRing ? 0.0 : crAtan2(bend, crPlaneDot(e->endNormal, next->startNormal));
  }
  return is && turn < CR_FULL_TURN;
}

static void measure(crChain* chain)
{
  chain->concave = chain->circle = HUGE_VAL;
  chain->facesByArcs = true;
  for (int k = 0; k < chain->count; ++k) {
    const crProfileElement* e = getElement(chain, k);
    bool isCut = e->kind == cr_profileArc && e->radius <= chain->least;
    bool isBent = e->curvature < 0.0 || (e->curvature > 0.0 && chain->profile->isShell);
    if (isBent && !isCut) {
      chain->concave = fmin(chain->concave, e->radius);
    }
    if (chain->profile->isRevolved) {
      faceAxis(chain, e, 1.0);
    }
    if (chain->profile->isRevolved && chain->profile->isShell) {
      faceAxis(chain, e, -1.0);
    }
  }
  chain->isConvex = isConvex(chain);
  bound(chain);
}

crChain crMakeWholeChain(const crProfile* profile)
{
  crChain chain = { .profile = profile, .count = profile->count, .isWhole = true, .most = HUGE_VAL };
  measure(&chain);
  return chain;
}

// ---------------------------------------------------------------------------------------------- chains

static bool addChain(ChainList* list, crChain chain, const crAllocator* allocator)
{
  for (int i = 0; i < list->count; ++i) {
    crChain* before = &list->items[i];
    bool isSame = before->first == chain.first && before->count == chain.count &&
                  before->startsShared == chain.startsShared && before->endsShared == chain.endsShared &&
                  before->before == chain.before && before->after == chain.after &&
                  before->isBeforeShared == chain.isBeforeShared && before->isAfterShared == chain.isAfterShared;
    if (isSame && before->most == chain.least) {
      before->most = chain.most;
      return true;
    }
  }
  if (!crMakeRoom(list, list->count + 1, allocator)) {
    return false;
  }
  list->items[list->count++] = chain;
  return true;
}

static bool isCut(const crProfile* profile, int joint, double least)
{
  bool isEnd = joint == profile->count - 1 && !profile->isClosed;
  return isEnd || profile->items[joint].cut <= least;
}

// The part of a chain before the last one that was found, which knows now what it goes on as.
static bool addPart(ChainList* list, crChain* ioLast, crChain part, const crAllocator* allocator)
{
  crChain last = *ioLast;
  if (part.startsShared) {
    last.after = part.count;
    last.isAfterShared = part.endsShared;
    part.before = last.count;
    part.isBeforeShared = last.startsShared;
  }
  *ioLast = part;
  return !part.startsShared || addChain(list, last, allocator);
}

// A chain that turns back on itself is cut in parts that do not.
static bool addParts(ChainList* list, crChain chain, const crAllocator* allocator)
{
  const crProfile* profile = chain.profile;
  int first = chain.first, done = 0,
      candidate = -1; // elements of the chain that are in parts, and behind which it can be cut
  double turn = 0.0, sinceCandidate = 0.0;
  bool startsShared = false;
  crChain last = chain;
  for (int k = 0; k < chain.count; ++k) {
    int index = (first + k) % profile->count;
    double more = k + 1 < chain.count ? findTurn(profile, index) : 0.0;
    turn = fmax(turn + more, 0.0);
    sinceCandidate = fmax(sinceCandidate + more, 0.0);
    if (turn > CR_MOST_TURN && candidate >= done) {
      crChain part = chain;
      part.first = (first + done) % profile->count;
      part.count = candidate + 1 - done;
      part.isWhole = false;
      part.startsShared = startsShared;
      part.endsShared = startsShared = true;
      if (!addPart(list, &last, part, allocator)) {
        return false;
      }
      done = candidate + 1;
      turn = sinceCandidate;
    }
    if (profile->items[index].isHalved && k + 1 < chain.count) {
      candidate = k;
      sinceCandidate = 0.0;
    }
  }
  chain.first = (first + done) % profile->count;
  chain.count -= done;
  chain.startsShared = startsShared;
  chain.isWhole = done == 0 && chain.isWhole;
  return addPart(list, &last, chain, allocator) && addChain(list, last, allocator);
}

// Chains of balls of radii in [least, most).
static bool addRange(const crProfile* profile, double least, double most, ChainList* list, const crAllocator* allocator)
{
  int n = profile->count, start = -1;
  for (int k = 0; k < n && start < 0; ++k) {
    start = isCut(profile, (k + n - 1) % n, least) ? k : -1;
  }
  crChain chain = { .profile = profile, .least = least, .most = most };
  if (start < 0) {
    chain.count = n;
    chain.isWhole = true;
    return addChain(list, chain, allocator);
  }
  bool hasMemory = true;
  for (int k = 0, first = start; k < n && hasMemory; ++k) {
    int index = (start + k) % n;
    if (isCut(profile, index, least)) {
      chain.first = first;
      chain.count = (index - first + n) % n + 1;
      chain.isWhole = chain.count == n;
      hasMemory = addParts(list, chain, allocator);
      first = (index + 1) % n;
    }
  }
  return hasMemory;
}

static int compareNumbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// For balls that reach beyond the axis.
static bool addFar(ChainList* list, const crAllocator* allocator)
{
  int count = list->count;
  for (int i = 0; i < count; ++i) {
    crChain far = list->items[i];
    far.isFar = true;
    far.least = fmax(far.least, far.circle);
    if (far.least < far.most) {
      if (!crMakeRoom(list, list->count + 1, allocator)) {
        return false;
      }
      list->items[list->count++] = far;
    }
  }
  return true;
}

static bool listChains(const crProfile* profile, double* radii, ChainList* list, const crAllocator* allocator)
{
  int count = 0;
  radii[count++] = 0.0;
  for (int k = 0; k < profile->count; ++k) {
    if (profile->items[k].cut > 0.0 && isfinite(profile->items[k].cut)) {
      radii[count++] = profile->items[k].cut;
    }
  }
  qsort(radii, (size_t)count, sizeof *radii, compareNumbers);
  for (int i = 0; i < count; ++i) {
    double next = i + 1 < count ? radii[i + 1] : HUGE_VAL;
    if (next > radii[i] && !addRange(profile, radii[i], next, list, allocator)) {
      return false;
    }
  }
  for (int i = 0; i < list->count; ++i) {
    measure(&list->items[i]);
  }
  return !profile->isRevolved || addFar(list, allocator);
}

crStatus crCreateChains(const crProfile* profile, const crAllocator* allocator, crChain** outChains, int* outCount)
{
  size_t room = (size_t)profile->count + 1;
  double* radii = crAllocateZero(allocator, room, sizeof *radii);
  ChainList list = { 0 };
  bool isDone = radii != NULL && listChains(profile, radii, &list, allocator);
  crFree(allocator, radii, room * sizeof *radii);
  crChain* chains = isDone ? crAllocateZero(allocator, (size_t)list.count, sizeof *chains) : NULL;
  if (chains != NULL) {
    memcpy(chains, list.items, (size_t)list.count * sizeof *chains);
  }
  *outChains = chains;
  *outCount = chains != NULL ? list.count : 0;
  crArray_Free(&list, allocator);
  return chains != NULL ? cr_ok : cr_errorMemory;
}

// ---------------------------------------------------------------------------------------------- copies

static size_t headSize(void)
{
  return (sizeof(crChain) + 7) / 8 * 8;
}

size_t crChain_Measure(const crChain* chain)
{
  return headSize() + chain->profile->byteCount;
}

const crChain* crChain_CopyTo(const crChain* chain, void* block)
{
  crChain* copy = block;
  crProfile* profile = (crProfile*)(void*)((char*)block + headSize());
  memcpy(profile, chain->profile, chain->profile->byteCount);
  *copy = *chain;
  copy->profile = profile;
  return copy;
}
