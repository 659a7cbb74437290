// The search for contacts in a segment: candidates between the bodies of its island, with the world, and with the
// segments of other islands, by boxes of what shapes sweep. What happens to each: pair_search.c.
#include "island/island.h"

#include <stdlib.h>

#define CR_APART_SHARE                                                                                                 \
  1e-3 // [-] of its radius: gap of a ball beyond which it is apart, and no contact goes on that is held
       // where its chain has ended
#define CR_BALLS_SHARE 1e-7 // [-] of both radii: likewise of two balls, which tells more than rounding

// ------------------------------------------------------------------------------------------- candidates

static inline double findLarger(double a, double b)
{
  return a > b ? a : b;
}

// [m] Between two boxes, or where they overlap 0, squared; `more` is taken off both together, on each side.
static inline double findGapSquare(const crAabb* a, const crAabb* b, double more)
{
  double x = findLarger(b->min.x - a->max.x, a->min.x - b->max.x) + more;
  double y = findLarger(b->min.y - a->max.y, a->min.y - b->max.y) + more;
  double z = findLarger(b->min.z - a->max.z, a->min.z - b->max.z) + more;
  x = findLarger(x, 0.0);
  y = findLarger(y, 0.0);
  z = findLarger(z, 0.0);
  return x * x + y * y + z * z;
}

// A ball and a shape of the world, in axes of that: its box may be slim where that across the world is not.
static bool isApartFrom(const crShapeTable* table, int fixed, const crAabb* ball, double radius)
{
  const crPose* X_WS = &table->poses[fixed];
  crVec3 half = crScale(0.5, crSub(ball->max, ball->min));
  crVec3 p = crMulTV(X_WS->R, crSub(crScale(0.5, crAdd(ball->min, ball->max)), X_WS->p));
  crVec3 inner = crSub(half, crMakeVec3(radius, radius, radius)); // around the ways of its centre
  crAabb centre = { p, p };
  double reach = (1.0 + CR_APART_SHARE) * radius + crLength(inner);
  return findGapSquare(&centre, &table->bounds[fixed], 0.0) > reach * reach;
}

// Whether two shapes with these boxes stay apart all the way, one of them being a ball: its centre is all the time in
// its box less its radius, so what corners of boxes share is none of it.
static bool areApart(const crShapeTable* table, int a, const crAabb* boxA, int b, const crAabb* boxB)
{
  const crShapeFacts *ofA = &table->facts[a], *ofB = &table->facts[b];
  bool isA = ofA->isSphere && ofA->isCentred, isB = ofB->isSphere && ofB->isCentred;
  if (isA && isB) {
    double radii = ofA->half + ofB->half, reach = (1.0 + CR_BALLS_SHARE) * radii;
    return findGapSquare(boxA, boxB, radii) > reach * reach;
  }
  return (isA && ofB->tree < 0 && isApartFrom(table, b, boxA, ofA->half)) ||
         (isB && ofA->tree < 0 && isApartFrom(table, a, boxB, ofB->half));
}

// A ball of another island while a segment lasts, of which its own, to which its box belongs, may be many times as
// long: around the tangent of its path, from which it falls by as much as its acceleration allows.
static crAabb boundOther(const crIslands* islands, const crSegment* segment, int shape, const crSegment* theirs)
{
  const crSweep* sweep = &islands->sweeps[islands->model->contactShapes[shape].body];
  double from = findLarger(segment->t0, theirs->t0) - theirs->t0;
  double to = (segment->t1 < theirs->t1 ? segment->t1 : theirs->t1) - theirs->t0, half = 0.5 * (to - from);
  double more = islands->table->facts[shape].half + 0.5 * sweep->acceleration * to * to;
  crVec3 p = crMulAdd(sweep->p0, 0.5 * (from + to), sweep->v0), v = sweep->v0;
  crVec3 extent = { more + half * fabs(v.x), more + half * fabs(v.y), more + half * fabs(v.z) };
  return (crAabb){ crSub(p, extent), crAdd(p, extent) };
}

// Whether a shape of the island whose segment is searched stays apart from another one.
static bool staysApart(const crIslands* islands, const crIsland* island, int shape, const crAabb* box, int other,
                       const crAabb* theirs)
{
  int number = crIslands_FindOwner(islands, other);
  const crShapeFacts *own = &islands->table->facts[shape], *facts = &islands->table->facts[other];
  bool areBalls = own->isSphere && own->isCentred && facts->isSphere && facts->isCentred;
  if (number < 0 || number == island->number || !areBalls || crIslands_IsCarrier(islands, other)) {
    return areApart(islands->table, shape, box, other, theirs);
  }
  const crSegment* segment = &islands->items[number].segment;
  if (segment->t1 < island->segment.t0 || segment->t0 > island->segment.t1) {
    return false;
  }
  crAabb bound = boundOther(islands, &island->segment, other, segment);
  return areApart(islands->table, shape, box, other, &bound);
}

static crBoxPair orderPair(int shape, int other)
{
  return other < shape ? (crBoxPair){ other, shape } : (crBoxPair){ shape, other };
}

// A carrier over the segment, or in a stretch around it, which is as good for a search, but for surfaces, of which its
// ends are asked. outIsPast: it leaves out what the box is around, or there is nothing to be searched for.
static crStatus standCarrier(crWorker* worker, const crIsland* island, crBoxPair pair, int carrier, const crAabb* own,
                             bool isSearch, bool* outIsPast)
{
  const crIslands* islands = worker->islands;
  const crCarrierFrame* frame;
  const crShape* shapes = islands->model->shapes;
  bool isSurface = crIsSurface(&shapes[pair.a]) || crIsSurface(&shapes[pair.b]);
  crStatus status = crWorker_FrameCarrier(worker, island, carrier, &frame);
  *outIsPast =
      status == cr_ok && frame != NULL &&
      (!crAabbsOverlap(*own, islands->frameBoxes[carrier]) || (isSearch && crIsland_KeepsContact(island, pair)));
  if (status != cr_ok || *outIsPast) {
    return status;
  }
  return frame != NULL && isSearch && !isSurface ? crWorker_StandInFrame(worker, frame, carrier)
                                                 : crWorker_StandCarrier(worker, island, carrier);
}

// Neighbours of one shape whose boxes its box overlaps. takesOthers: those of other islands too.
static crStatus gather(crWorker* worker, const crIsland* island, int shape, const crAabb* boxes, bool takesOthers)
{
  const crIslands* islands = worker->islands;
  crAabb own = boxes[shape];
  bool isCarrier = crIslands_IsCarrier(islands, shape);
  for (int k = islands->neighbourStarts[shape]; k < islands->neighbourStarts[shape + 1]; ++k) {
    int other = islands->neighbours[k];
    int number = crIslands_FindOwner(islands, other);
    bool counts = number == island->number ? other > shape : number < 0 || takesOthers;
    bool isAside = number >= 0 && number != island->number, isCarried = isAside && crIslands_IsCarrier(islands, other);
    if (isAside && (isCarried || isCarrier)) { // it is for the other one to find a carrier
      counts = isCarried && (!isCarrier || other > shape);
      bool isPast = !counts;
      crStatus status = cr_ok;
      if (counts) {
        status = standCarrier(worker, island, orderPair(shape, other), other, &own, takesOthers, &isPast);
      }
      if (status != cr_ok) {
        return status;
      }
      counts = !isPast;
    }
    const crAabb* theirs = number < 0 ? &islands->swept[other] : &boxes[other];
    if (!counts || (worker->looksAside && !isAside) || !crAabbsOverlap(own, *theirs) ||
        staysApart(islands, island, shape, &own, other, theirs)) {
      continue;
    }
    crBoxPair* pair = crArray_Push(&worker->pairs, &worker->islands->allocator);
    if (pair == NULL) {
      return cr_errorMemory;
    }
    *pair = orderPair(shape, other);
  }
  return cr_ok;
}

static crStatus findCandidates(crWorker* worker, const crIsland* island, const crAabb* boxes, bool takesOthers)
{
  const crIslands* islands = worker->islands;
  crStatus status = cr_ok;
  worker->pairs.count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1] && status == cr_ok; ++i) {
      status = gather(worker, island, i, boxes, takesOthers);
    }
  }
  return status;
}

static int comparePairs(const void* a, const void* b)
{
  const crBoxPair *x = a, *y = b;
  return crComparePairs(x->a, x->b, y->a, y->b);
}

static void sortPairs(crWorker* worker)
{
  crBoxPair* items = worker->pairs.items;
  int count = 0;
  if (worker->pairs.count > 1) {
    qsort(items, (size_t)worker->pairs.count, sizeof *items, comparePairs);
  }
  for (int i = 0; i < worker->pairs.count; ++i) {
    if (count == 0 || comparePairs(&items[count - 1], &items[i]) != 0) {
      items[count++] = items[i];
    }
  }
  worker->pairs.count = count;
}

// The same of balls of a crowd that others may meet.
static crStatus findAside(crWorker* worker, const crIsland* island)
{
  const crIslands* islands = worker->islands;
  crStatus status = crWorker_FindRim(worker, island);
  worker->pairs.count = 0;
  for (int i = 0; i < worker->rim.balls.count && status == cr_ok; ++i) {
    int shape = islands->treeShapes[island->trees[worker->rim.balls.items[i]]];
    status = gather(worker, island, shape, islands->swept, true);
  }
  return status;
}

crStatus crWorker_FindNear(crWorker* worker, crIsland* island)
{
  crStatus status = findCandidates(worker, island, worker->islands->boxes, false);
  for (int k = 0; k < island->contacts->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* touching = &island->contacts->pairs.items[k];
    crBoxPair* pair = crArray_Push(&worker->pairs, &worker->islands->allocator);
    if (pair == NULL) {
      return cr_errorMemory;
    }
    *pair = (crBoxPair){ touching->shapeA, touching->shapeB };
  }
  sortPairs(worker);
  return status;
}

// ----------------------------------------------------------------------------------------------- contacts

crStatus crWorker_Search(crWorker* worker, crIsland* island, crHit* outHit)
{
  outHit->time = HUGE_VAL;
  worker->hasSearched = false;
  crStatus status =
      worker->looksAside ? findAside(worker, island) : findCandidates(worker, island, worker->islands->swept, true);
  for (int i = 0; i < worker->pairs.count && status == cr_ok; ++i) {
    crBoxPair pair = worker->pairs.items[i];
    bool isLeft = pair.a == worker->left.a && pair.b == worker->left.b;
    status = isLeft ? cr_ok : crWorker_CheckPair(worker, island, pair, outHit);
  }
  worker->searchCount += worker->hasSearched;
  return status;
}
