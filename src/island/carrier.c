// Carriers: what moves as a given function of time, as a shaken tray or a drum that turns. Its motion feels nothing, so
// it couples nobody: an island places the carriers that it touches or searches at times of its own, as it has the world
// where that is. What contacts take from the drive of a carrier is work of the islands that have them; what moves the
// carrier itself is work of its own island, which has its contacts with the world, and with carriers of larger numbers.
//
// A component of trees is one if it has no states and nothing acts in it, and all that drives it are sums, products and
// splines of sines, paths and tables over time, with rates that do not jump. Where their pieces begin, what touches it
// starts anew. All islands that may meet a carrier in a round, or touch it, are of its group, so that one thread places
// it.
#include "island/island.h"
#include "model/loop/loop.h"

#define CR_FIRST_PART 1e-3  // [s] of a stretch that few places of a carrier tell of, at first; and of a frame
#define CR_FRAME_SHARE 0.25 // [-] of it: longer steps have no use for a frame
#define CR_PART_GROWTH 1.5  // [-] of it, behind one that they tell rightly
#define CR_LEAST_PART 1e-12 // [-] of the time
#define CR_PART_SHARE 0.1   // [-] of the bound on its path: how far the middle may be off the cubic through both ends
#define CR_PART_FLOOR 1e-12 // [m] likewise, at least
#define CR_PART_TURN 0.05   // [rad] likewise, of its rotation
#define CR_JUMP 1e-9        // [-] of the largest value, or rate: what rounding leaves between two pieces of a signal
#define CR_LIMIT_DOUBT 1.1  // [-] of a step, by which it may be longer than it was planned
#define CR_LIMIT_STEPS 8.0  // [-] steps of its own island: as far as others near to it go in one

// ------------------------------------------------------------------------------------------------- which

static bool isPiecewise(crSignalKind kind)
{
  return kind == cr_signalConstant || kind == cr_signalPath || kind == cr_signalTimeTable;
}

// The last piece that begins by time t.
static int findPiece(const crPiece* pieces, int count, double t)
{
  int low = 0, high = count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    low = pieces[middle].start <= t ? middle : low;
    high = pieces[middle].start <= t ? high : middle;
  }
  return low;
}

// Whether value and rate do not jump where one piece follows another in a run; the first one is constant.
static bool isContinuous(const crSignal* signal, const crPiece* pieces, const crSimulationOptions* options)
{
  double value = 0.0, rate = 0.0; // largest
  for (int i = 1; i < signal->pieceCount; ++i) {
    value = fmax(value, fabs(pieces[i].c[0]));
    rate = fmax(rate, fabs(pieces[i].c[1]));
  }
  bool is = true;
  for (int i = 1; i < signal->pieceCount; ++i) {
    const double* c = pieces[i - 1].c;
    double s = i > 1 ? pieces[i].start - pieces[i - 1].start : 0.0, slope = c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]);
    bool counts = pieces[i].start > options->startTime && pieces[i].start <= options->stopTime;
    is = is && (!counts || (fabs(c[0] + s * (c[1] + s * (c[2] + s * c[3])) - pieces[i].c[0]) <= CR_JUMP * value &&
                            fabs((i > 1 ? slope : 0.0) - pieces[i].c[1]) <= CR_JUMP * rate));
  }
  return is;
}

// Whether a signal is a function of time with a rate that does not jump, or drives nothing.
static bool isGiven(const crModel* model, const crSignal* signal, const crSimulationOptions* options)
{
  if (isPiecewise(signal->kind)) {
    return isContinuous(signal, model->signalPieces + signal->pieceStart, options);
  }
  switch (signal->kind) {
    case cr_signalSine: return true;
    case cr_signalSum:
    case cr_signalProduct:
    case cr_signalSpline: return signal->level == cr_levelTime || signal->level == cr_levelAcceleration;
    default: return signal->level == cr_levelAcceleration && crIsSensor(signal->kind);
  }
}

static bool isGivenTree(const crIslands* islands, int tree)
{
  const crModel* model = islands->model;
  const crTree* record = &model->trees[tree];
  const crLoops* loops = islands->instance->loops;
  bool is = crTreeStateCount(record) == 0 && model->treeDrives[tree + 1] > model->treeDrives[tree] &&
            model->treeForces[tree + 1] == model->treeForces[tree] &&
            model->treeElastics[tree + 1] == model->treeElastics[tree] && (loops == NULL || !loops->isLooped[tree]);
  for (int b = record->bodyStart; b < record->bodyStart + record->bodyCount && is; ++b) {
    is = model->joints[model->links[b].joint].law < 0;
  }
  for (int k = model->treeDrives[tree]; k < model->treeDrives[tree + 1] && is; ++k) {
    is = model->joints[model->driveBodies[k] - 1].motion >= 0;
  }
  for (int k = model->treeSignals[tree]; k < model->treeSignals[tree + 1] && is; ++k) {
    is = isGiven(model, &model->signals[model->signalOrder[k]], &islands->run->options);
  }
  return is;
}

static crTreeSet getComponent(const crIslands* islands, int tree)
{
  const crModel* model = islands->model;
  return (crTreeSet){ islands->componentTrees + islands->componentStarts[tree],
                      model->componentTrees[model->components[tree]], NULL };
}

// Whether its motion is smooth between the starts of pieces, and it is one body: courses are made for such.
static bool hasCourse(const crIslands* islands, int tree)
{
  const crModel* model = islands->model;
  bool has = islands->isCarrier[tree] && model->trees[tree].bodyCount == 1 &&
             model->componentTrees[model->components[tree]] == 1;
  for (int k = model->treeSignals[tree]; k < model->treeSignals[tree + 1] && has; ++k) {
    has = model->signals[model->signalOrder[k]].kind != cr_signalSpline;
  }
  return has;
}

static bool makeCourses(crIslands* islands)
{
  size_t trees = (size_t)islands->model->size.treeCount;
  islands->courseOf = crAllocateZero(&islands->allocator, trees, sizeof *islands->courseOf);
  for (size_t t = 0; islands->courseOf != NULL && t < trees; ++t) {
    islands->courseOf[t] = hasCourse(islands, (int)t) ? islands->courseCount++ : -1;
  }
  size_t count = (size_t)islands->courseCount * CR_COURSES;
  islands->courses = crAllocateZero(&islands->allocator, count, sizeof *islands->courses);
  for (size_t i = 0; islands->courses != NULL && i < count; i += CR_COURSES) {
    crCourse_Clear(&islands->courses[i]);
  }
  return islands->courseOf != NULL && (islands->courses != NULL || count == 0);
}

bool crIslands_FindCarriers(crIslands* islands)
{
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, bodies = (size_t)size->bodyCount;
  islands->isCarrier = crAllocateZero(&islands->allocator, trees, sizeof *islands->isCarrier);
  islands->carrierSpans = crAllocateZero(&islands->allocator, trees, sizeof *islands->carrierSpans);
  islands->carrierParts = crAllocateZero(&islands->allocator, trees, sizeof *islands->carrierParts);
  islands->partSweeps = crAllocateZero(&islands->allocator, bodies, sizeof *islands->partSweeps);
  islands->frames = crAllocateZero(&islands->allocator, trees, sizeof *islands->frames);
  islands->frameBoxes = crAllocateZero(&islands->allocator, (size_t)size->shapeCount + 1, sizeof *islands->frameBoxes);
  if (islands->isCarrier == NULL || islands->carrierSpans == NULL || islands->carrierParts == NULL ||
      islands->partSweeps == NULL || islands->frames == NULL || islands->frameBoxes == NULL) {
    return false;
  }
  for (int t = 0; t < size->treeCount && islands->whole == NULL; ++t) {
    crTreeSet set = getComponent(islands, t);
    bool is = true;
    for (int k = 0; k < set.treeCount && is; ++k) {
      is = isGivenTree(islands, set.trees[k]);
    }
    islands->isCarrier[t] = is;
    islands->carrierCount += is;
    islands->carrierTree = is ? t : islands->carrierTree;
    islands->carrierSpans[t].t0 = islands->frames[t].span.t0 = NAN;
    for (int i = islands->treeShapes[t]; i < islands->treeShapes[t + 1] && is; ++i) {
      islands->table->facts[i].stateTree = -1;
      islands->table->hasCarriers = true;
    }
  }
  return makeCourses(islands);
}

void crIslands_FreeCarriers(crIslands* islands)
{
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, bodies = (size_t)size->bodyCount;
  crFree(&islands->allocator, islands->courses, (size_t)islands->courseCount * CR_COURSES * sizeof *islands->courses);
  crFree(&islands->allocator, islands->courseOf, trees * sizeof *islands->courseOf);
  crFree(&islands->allocator, islands->frameBoxes, ((size_t)size->shapeCount + 1) * sizeof *islands->frameBoxes);
  crFree(&islands->allocator, islands->frames, trees * sizeof *islands->frames);
  crFree(&islands->allocator, islands->partSweeps, bodies * sizeof *islands->partSweeps);
  crFree(&islands->allocator, islands->carrierParts, trees * sizeof *islands->carrierParts);
  crFree(&islands->allocator, islands->carrierSpans, trees * sizeof *islands->carrierSpans);
  crFree(&islands->allocator, islands->isCarrier, trees * sizeof *islands->isCarrier);
}

bool crIsland_AreBalls(const crIsland* island)
{
  return island->contacts->carriers.count == 0 && crAreBalls(island->owner->table, crIsland_GetSet(island));
}

// [s] Where the next piece of what drives a carrier begins behind t; infinity: nowhere.
static double findNextPiece(const crIslands* islands, crTreeSet set, double t)
{
  const crModel* model = islands->model;
  double next = HUGE_VAL;
  for (int n = 0; n < set.treeCount; ++n) {
    for (int k = model->treeSignals[set.trees[n]]; k < model->treeSignals[set.trees[n] + 1]; ++k) {
      const crSignal* signal = &model->signals[model->signalOrder[k]];
      const crPiece* pieces = model->signalPieces + signal->pieceStart;
      int piece = isPiecewise(signal->kind) ? findPiece(pieces, signal->pieceCount, t) + 1 : signal->pieceCount;
      next = piece < signal->pieceCount ? fmin(next, pieces[piece].start) : next;
    }
  }
  return next;
}

double crIslands_FindCarrierEvent(const crIslands* islands, const crIsland* island, double t)
{
  double next = HUGE_VAL;
  for (int k = 0; k < island->contacts->carriers.count; ++k) {
    next = fmin(next, findNextPiece(islands, getComponent(islands, island->contacts->carriers.items[k]), t));
  }
  return next;
}

// ----------------------------------------------------------------------------------------------- instance

static double findNextEvent(const void* context, int tree, double t)
{
  const crIslands* islands = context;
  return findNextPiece(islands, getComponent(islands, tree), t);
}

// By its course, of which searches, which look far ahead, know nothing: a course is made of a dozen looks. Where it has
// one that is what counts, whoever has evaluated it at this time.
static crStatus placeCarrier(const crIslands* islands, const crIsland* island, int tree, double t)
{
  crInstance* instance = islands->instance;
  int course = islands->courseOf[tree];
  if (islands->islandOf[tree] == island->number) {
    return cr_ok;
  }
  crCourse* courses = course >= 0 ? &islands->courses[(size_t)course * CR_COURSES] : NULL;
  if (courses != NULL && crCourse_Place(courses, instance, tree, t, findNextEvent, islands)) {
    return cr_ok;
  }
  bool isThere = instance->stages[tree] >= cr_stageVelocity && instance->times[tree] == t;
  return isThere ? cr_ok : crMoveGiven(instance, getComponent(islands, tree), t);
}

crStatus crIslands_PlaceCarriers(const crIslands* islands, const crIsland* island, double t)
{
  crStatus status = cr_ok;
  for (int k = 0; k < island->contacts->carriers.count && status == cr_ok; ++k) {
    status = placeCarrier(islands, island, island->contacts->carriers.items[k], t);
  }
  return status;
}

crStatus crIslands_PlaceCarrierOf(const crIslands* islands, const crIsland* island, int shape, double t)
{
  return placeCarrier(islands, island, islands->table->facts[shape].tree, t);
}

// ------------------------------------------------------------------------------------------------- sweeps

crSpan crIslands_FindOpenSpan(const crIslands* islands, const crIsland* island)
{
  const crSegment* segment = &island->segment;
  double from = islands->isSmall ? segment->t0 : fmin(fmax(segment->t0, islands->start), segment->t1);
  return (crSpan){ from, segment->t1 };
}

void crIslands_ForgetStand(crIslands* islands, const crIsland* island)
{
  islands->carrierSpans[islands->model->components[island->trees[0]]].t0 = NAN;
}

// Ends of sweeps of all bodies of a carrier at a time, and boxes of their shapes there.
typedef enum End { atStart, atEnd } End;

static crStatus readEnd(crWorker* worker, crTreeSet set, double t, End end)
{
  crIslands* islands = worker->islands;
  const crModel* model = islands->model;
  for (int k = 0; k < set.treeCount; ++k) {
    int body = -1;
    crBodyPlace place = { .X = crIdentityPose() };
    for (int i = islands->treeShapes[set.trees[k]]; i < islands->treeShapes[set.trees[k] + 1]; ++i) {
      const crContactShape* shape = &model->contactShapes[i];
      if (shape->body != body) {
        body = shape->body;
        crStatus status = crWorker_PlaceBody(worker, body, t, &place);
        if (status != cr_ok) {
          return status;
        }
        crSweep* sweep = &islands->partSweeps[body];
        *(end == atStart ? &sweep->R0 : &sweep->R1) = place.X.R;
        *(end == atStart ? &sweep->p0 : &sweep->p1) = place.X.p;
        *(end == atStart ? &sweep->v0 : &sweep->v1) = place.v;
        *(end == atStart ? &sweep->w0 : &sweep->w1) = place.w;
      }
      islands->boxes[i] = crShape_ComputeAabb(&model->shapes[i], crMulPose(place.X, shape->X_BS));
    }
  }
  return cr_ok;
}

// What is at the end of a part is at the start of the next one, and of the whole, if that begins.
static void beginPart(crIslands* islands, crTreeSet set, bool isFirst)
{
  for (int k = 0; k < set.treeCount; ++k) {
    for (int i = islands->treeShapes[set.trees[k]]; i < islands->treeShapes[set.trees[k] + 1]; ++i) {
      int body = islands->model->contactShapes[i].body;
      crSweep* part = &islands->partSweeps[body];
      part->R0 = part->R1;
      part->p0 = part->p1;
      part->v0 = part->v1;
      part->w0 = part->w1;
      islands->startBoxes[i] = islands->boxes[i];
      if (isFirst) {
        part->acceleration = part->turning = 0.0;
        islands->sweeps[body] = *part;
        islands->swept[i] = islands->boxes[i];
      }
    }
  }
}

// Bounds of a part between t and t + h, and whether its middle is where they have it.
static crStatus boundPart(crWorker* worker, crTreeSet set, double t, double h, bool* outIsGood)
{
  crIslands* islands = worker->islands;
  *outIsGood = true;
  for (int k = 0; k < set.treeCount; ++k) {
    for (int i = islands->treeShapes[set.trees[k]], body = -1; i < islands->treeShapes[set.trees[k] + 1]; ++i) {
      if (islands->model->contactShapes[i].body == body) {
        continue;
      }
      body = islands->model->contactShapes[i].body;
      crSweep* part = &islands->partSweeps[body];
      crBodyPlace place;
      crStatus status = crWorker_PlaceBody(worker, body, t + 0.5 * h, &place);
      if (status != cr_ok) {
        return status;
      }
      crSweep_Bound(part, h);
      crVec3 cubic = crMulAdd(crScale(0.5, crAdd(part->p0, part->p1)), 0.125 * h, crSub(part->v0, part->v1));
      crVec3 w = crScale(0.5, crAdd(part->w0, part->w1));
      double bulge = part->acceleration * h * h / 8.0;
      *outIsGood = *outIsGood && crLength(crSub(place.X.p, cubic)) <= CR_PART_SHARE * bulge + CR_PART_FLOOR &&
                   h * crLength(crSub(place.w, w)) <= CR_PART_TURN;
    }
  }
  return cr_ok;
}

// A part is as good as it was bounded: the whole sweeps what it does.
static void addPart(crIslands* islands, crTreeSet set, double h)
{
  for (int k = 0; k < set.treeCount; ++k) {
    for (int i = islands->treeShapes[set.trees[k]]; i < islands->treeShapes[set.trees[k] + 1]; ++i) {
      int body = islands->model->contactShapes[i].body;
      const crSweep* part = &islands->partSweeps[body];
      crSweep* whole = &islands->sweeps[body];
      whole->R1 = part->R1;
      whole->p1 = part->p1;
      whole->v1 = part->v1;
      whole->w1 = part->w1;
      whole->acceleration = fmax(whole->acceleration, part->acceleration);
      whole->turning = fmax(whole->turning, part->turning);
      double bulge = crBoundAcceleration(islands->model, i, part) * h * h / 8.0;
      crVec3 extra = crMakeVec3(bulge, bulge, bulge);
      crAabb box = crUnionAabb(islands->startBoxes[i], islands->boxes[i]);
      box = (crAabb){ crSub(box.min, extra), crAdd(box.max, extra) };
      islands->swept[i] = crUnionAabb(islands->swept[i], box);
    }
  }
}

// In parts that their ends tell of, each checked in its middle, and none beyond the end of a piece.
static crStatus sweepCarrier(crWorker* worker, crTreeSet set, crSpan span)
{
  crIslands* islands = worker->islands;
  double* least = &islands->carrierParts[islands->model->components[set.trees[0]]];
  crStatus status = readEnd(worker, set, span.t0, atEnd);
  beginPart(islands, set, true);
  *least = HUGE_VAL;
  double event = findNextPiece(islands, set, span.t0);
  for (double t = span.t0, h = CR_FIRST_PART; t < span.t1 && status == cr_ok;) {
    double last = fmin(span.t1, event);
    bool isLast = t + h >= last, isGood = false;
    double end = isLast ? last : t + h;
    status = readEnd(worker, set, end, atEnd);
    status = status == cr_ok ? boundPart(worker, set, t, end - t, &isGood) : status;
    if (status == cr_ok && !isGood && end - t > CR_LEAST_PART * (1.0 + fabs(t))) {
      h = 0.5 * (end - t);
      continue;
    }
    addPart(islands, set, end - t);
    beginPart(islands, set, false);
    *least =
        isLast && t == span.t0 && end == span.t1 ? *least : fmin(*least, h); // a rest is shorter than what is right
    t = end;
    h = t == event ? CR_FIRST_PART : h * CR_PART_GROWTH;
    event = t == event ? findNextPiece(islands, set, t) : event;
  }
  return status;
}

static crStatus standOver(crWorker* worker, int component, crSpan span)
{
  crIslands* islands = worker->islands;
  crSpan* now = &islands->carrierSpans[component];
  if (now->t0 == span.t0 && now->t1 == span.t1) {
    return cr_ok;
  }
  islands->items[islands->islandOf[component]].sweptStamp = -1;
  now->t0 = NAN;
  crStatus status = sweepCarrier(worker, getComponent(islands, component), span);
  if (status == cr_ok) {
    *now = span;
  }
  return status;
}

crStatus crWorker_StandCarrier(crWorker* worker, const crIsland* island, int shape)
{
  const crIslands* islands = worker->islands;
  int component = islands->model->components[islands->table->facts[shape].tree];
  return standOver(worker, component, crIslands_FindOpenSpan(islands, island));
}

// [m/s] Of a point of a carrier while it sweeps what it does now.
static double boundSpeed(const crIslands* islands, int shape, double h)
{
  const crContactShape* record = &islands->model->contactShapes[shape];
  const crSweep* sweep = &islands->sweeps[record->body];
  double v = fmax(crLength(sweep->v0), crLength(sweep->v1)) + sweep->acceleration * h;
  double w = fmax(crLength(sweep->w0), crLength(sweep->w1)) + sweep->turning * h;
  return v + w * (crLength(record->X_BS.p) + crShape_GetReach(&islands->model->shapes[shape]));
}

crStatus crWorker_FrameCarrier(crWorker* worker, const crIsland* island, int shape, const crCarrierFrame** outFrame)
{
  crIslands* islands = worker->islands;
  int component = islands->model->components[islands->table->facts[shape].tree];
  crCarrierFrame* frame = &islands->frames[component];
  crSpan span = crIslands_FindOpenSpan(islands, island);
  double start = floor(span.t0 / CR_FIRST_PART) * CR_FIRST_PART;
  crSpan whole = { start, start + 2.0 * CR_FIRST_PART };
  *outFrame = NULL;
  if (!(whole.t0 <= span.t0 && span.t1 <= whole.t1 && span.t1 - span.t0 <= CR_FRAME_SHARE * CR_FIRST_PART)) {
    return cr_ok;
  }
  if (frame->span.t0 == whole.t0) {
    *outFrame = frame;
    return cr_ok;
  }
  crTreeSet set = getComponent(islands, component);
  crStatus status = standOver(worker, component, whole);
  frame->span.t0 = NAN;
  frame->speed = 0.0;
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    for (int i = islands->treeShapes[set.trees[k]]; i < islands->treeShapes[set.trees[k] + 1]; ++i) {
      islands->frameBoxes[i] = islands->swept[i];
      frame->speed = fmax(frame->speed, boundSpeed(islands, i, 2.0 * CR_FIRST_PART));
    }
  }
  if (status == cr_ok) {
    frame->span = whole;
    *outFrame = frame;
  }
  return status;
}

crStatus crWorker_StandInFrame(crWorker* worker, const crCarrierFrame* frame, int shape)
{
  return standOver(worker, worker->islands->model->components[worker->islands->table->facts[shape].tree], frame->span);
}

crStatus crWorker_StandCarriers(crWorker* worker, const crIsland* island)
{
  const crIslands* islands = worker->islands;
  crStatus status = cr_ok;
  for (int k = 0; k < island->contacts->carriers.count && status == cr_ok; ++k) {
    int tree = island->contacts->carriers.items[k];
    if (islands->islandOf[tree] != island->number) {
      status = crWorker_StandCarrier(worker, island, islands->treeShapes[tree]);
    }
  }
  return status;
}

// Of an island that another thread may be stepping, in another group.
static double peekAtStep(const crIsland* island)
{
  double step;
  __atomic_load(&island->motionStep, &step, __ATOMIC_RELAXED);
  return step;
}

// A search looks along the way of a carrier as far as bounds on its acceleration allow, and no more than some times.
double crIslands_FindCarrierLimit(const crIslands* islands, const crIsland* island)
{
  double limit = HUGE_VAL, least = 0.0;
  if (islands->carrierCount == 1 && island->memory.h > 0.0) { // of any that is near; of others it does not matter
    least = CR_LIMIT_STEPS * peekAtStep(&islands->items[islands->islandOf[islands->carrierTree]]);
  }
  if (CR_LIMIT_DOUBT * island->memory.h < least) {
    return limit; // it will not be that long
  }
  for (int k = 0; islands->carrierCount > 0 && k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1]; ++i) {
      for (int n = islands->neighbourStarts[i]; n < islands->neighbourStarts[i + 1]; ++n) {
        int other = islands->neighbours[n], number = crIslands_FindOwner(islands, other);
        if (number >= 0 && number != island->number && crIslands_IsCarrier(islands, other)) {
          limit = fmin(limit, CR_LIMIT_STEPS * islands->items[number].motionStep);
        }
      }
    }
  }
  return limit;
}
