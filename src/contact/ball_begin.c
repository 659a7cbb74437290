// Which contacts the lanes of balls have in a step: those that touch, and those that may begin to.
#include "contact/ball_lanes_inside.h"

#define CR_MAX_CROSSING 30     // of Newton's method, with halving
#define CR_CROSSING_SLACK 1e-9 // [-] of the step
#define CR_SEARCH_BLOCK 512    // close pairs that are looked at one after the other

void crBallLists_Push(crBallLists* lists, int a, int b, const crContactMemory* memory, const crContactLaw* law,
                      double sum, double diff)
{
  int i = lists->count++;
  lists->a[i] = a;
  lists->b[i] = b;
  lists->k[i] = memory->stiffness;
  lists->d[i] = memory->damping;
  lists->sum[i] = sum;
  lists->diff[i] = diff;
  lists->muK[i] = law->muK;
  lists->vMin[i] = law->vMin;
  lists->perMin[i] = 1.0 / law->vMin;
  lists->isUneven = (i > 0 && lists->isUneven) || diff != 0.0;
}

// With what does nothing: without stiffness.
void crBallLists_Pad(crBallLists* lists)
{
  static const crContactMemory nothing = { .approach = 0.0 };
  static const crContactLaw still = { .vMin = 1.0 };
  int count = lists->count;
  while (lists->count % CR_BALL_WIDTH != 0) {
    crBallLists_Push(lists, lists->a[0], lists->b[0], &nothing, &still, 0.0, 0.0);
  }
  lists->count = count;
}

bool crIsBallLaw(const crContactLaw* law, double exponent)
{
  bool isElastic = law->response == cr_responseElastic || law->response == cr_responseImpulsive;
  return isElastic && !law->sticks && !(law->muR > 0.0) && exponent == CR_HERTZ_EXPONENT;
}

// NULL: there is no memory.
crBallLists* crBallLanes_Push(crBallLanes* lanes, crBoxPair pair, const crContactMemory* memory,
                              const crContactLaw* law)
{
  int a = lanes->rows[pair.a], b = lanes->rows[pair.b], fixed = a >= 0 ? pair.b : pair.a;
  bool isWall = lanes->table->model->shapes[fixed].kind == cr_shapeHalfSpace;
  crBallLists* lists = a >= 0 && b >= 0 ? &lanes->pairs : isWall ? &lanes->walls : &lanes->solids;
  if (!crBallLists_Reserve(&lanes->allocator, lists, lists->count + 1)) {
    return NULL;
  }
  if (a >= 0 && b >= 0) {
    double ra = lanes->balls[a].radius, rb = lanes->balls[b].radius;
    crBallLists_Push(lists, a, b, memory, law, ra + rb, ra - rb);
  } else {
    int row = a >= 0 ? a : b;
    crBallLists_Push(lists, row, fixed, memory, law, 2.0 * lanes->balls[row].radius, 0.0);
  }
  return lists;
}

// ------------------------------------------------------------------------------------------ what may begin

// Gap of a pair [m], how fast it approaches [m/s] and the acceleration of that [m/s^2], if rates are given; out of A.
typedef struct Look {
  double gap, rate, acceleration;
  crVec3 normal, point;
} Look;

static Look lookAt(const crBallLanes* lanes, crBoxPair pair, const double* y, const double* rates)
{
  int a = lanes->rows[pair.a], b = lanes->rows[pair.b], row = a >= 0 ? a : b;
  const double* own = y + (size_t)CR_BALL_STATES * (size_t)row;
  crVec3 v = crReadBallVec3(own + CR_BALL_VELOCITY), f = { 0.0, 0.0, 0.0 };
  if (rates != NULL) {
    f = crReadBallVec3(rates + (size_t)CR_BALL_STATES * (size_t)row + CR_BALL_VELOCITY);
  }
  Look look;
  if (a >= 0 && b >= 0) {
    size_t other = (size_t)CR_BALL_STATES * (size_t)b;
    crVec3 D = crSub(crReadBallVec3(y + other), crReadBallVec3(own));
    double distance = crLength(D);
    look.gap = distance - lanes->balls[a].radius - lanes->balls[b].radius;
    look.normal = crScale(1.0 / distance, D);
    look.point = crReadBallVec3(own); // which does not matter
    v = crSub(crReadBallVec3(y + other + CR_BALL_VELOCITY), v);
    f = rates != NULL ? crSub(crReadBallVec3(rates + other + CR_BALL_VELOCITY), f) : f;
  } else {
    crTouch touch = crTouchFixed(lanes, a >= 0 ? pair.b : pair.a, row, crReadBallVec3(own));
    look.gap = touch.distance;
    look.normal = a >= 0 ? crNeg(touch.normal) : touch.normal;
    look.point = touch.point;
    v = a >= 0 ? crNeg(v) : v;
    f = a >= 0 ? crNeg(f) : f;
  }
  look.rate = -crDot(look.normal, v);
  look.acceleration = -crDot(look.normal, f);
  return look;
}

static inline bool mayTouchBall(const double* a, const double* b)
{
  double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2], reach = a[3] + b[3];
  return x * x + y * y + z * z < reach * reach;
}

static inline bool mayTouchFixed(const crBallLanes* lanes, int fixed, int row)
{
  const double* reach = lanes->reaches + (size_t)CR_BALL_WIDTH * (size_t)row;
  crTouch touch = crTouchFixed(lanes, fixed, row, crReadBallVec3(reach));
  return touch.distance + lanes->balls[row].radius < reach[3];
}

// [m/s] How fast a pair will be when it touches, if it goes on as it does.
static double predictApproach(const Look* look)
{
  bool comes = look->rate > 0.0 || look->acceleration > 0.0;
  double square = look->rate * look->rate + 2.0 * look->acceleration * fmax(0.0, look->gap);
  return look->gap <= 0.0 ? look->rate : comes && square > 0.0 ? sqrt(square) : 0.0;
}

static crFreshContact prepareFresh(const crBallLanes* lanes, crBoxPair pair, const double* y, const double* rates)
{
  const crModel* model = lanes->table->model;
  const crContactShape* shapes = model->contactShapes;
  const crContactLaw* law = crModel_GetContactLaw(model, shapes[pair.a].material, shapes[pair.b].material);
  Look look = lookAt(lanes, pair, y, rates);
  crPose still = crIdentityPose(); // of a ball only the radius counts
  crPose X_WA = lanes->rows[pair.a] < 0 ? lanes->table->poses[pair.a] : still;
  crPose X_WB = lanes->rows[pair.b] < 0 ? lanes->table->poses[pair.b] : still;
  crTouch touch = { .distance = look.gap, .normal = look.normal, .point = look.point };
  crTouchGeometry geometry = crFindTouchGeometry(model, pair, &X_WA, &X_WB, &touch);
  return (crFreshContact){ .pair = { pair, geometry, look.gap, look.rate },
                           .law = law,
                           .memory = crFreezeContact(law, false, &geometry, predictApproach(&look)) };
}

// Two balls, of a kind that was seen last, perhaps.
static crFreshContact prepareBalls(const crBallLanes* lanes, crBoxPair pair, const double* y, const double* rates,
                                   crBallKind* ioKind)
{
  const crModel* model = lanes->table->model;
  const crContactShape *a = &model->contactShapes[pair.a], *b = &model->contactShapes[pair.b];
  const crContactLaw* law = crModel_GetContactLaw(model, a->material, b->material);
  double ra = model->shapes[pair.a].sweep, rb = model->shapes[pair.b].sweep;
  bool isKnown = ioKind->materials[0] == a->material && ioKind->materials[1] == b->material && ioKind->radii[0] == ra &&
                 ioKind->radii[1] == rb && ioKind->contactRadii[0] == a->contactRadius &&
                 ioKind->contactRadii[1] == b->contactRadius && law->geometry != cr_geometryHertz;
  if (!isKnown) {
    crFreshContact fresh = prepareFresh(lanes, pair, y, rates);
    *ioKind = (crBallKind){ { a->material, b->material },
                            { ra, rb },
                            { a->contactRadius, b->contactRadius },
                            fresh.pair.geometry,
                            fresh.memory };
    return fresh;
  }
  Look look = lookAt(lanes, pair, y, rates);
  crFreshContact fresh = { { pair, ioKind->geometry, look.gap, look.rate }, law, ioKind->memory };
  crFreezeApproach(law, false, predictApproach(&look), &fresh.memory);
  return fresh;
}

// outIsWhole: as of crBallLanes_Begin.
static bool pushFresh(crBallLanes* lanes, const crFreshContact* contact, bool* outIsWhole)
{
  crFreshPair* fresh = crArray_Push(&lanes->fresh, &lanes->allocator);
  *outIsWhole = crIsBallLaw(contact->law, contact->memory.exponent);
  if (fresh == NULL) {
    return false;
  }
  *fresh = contact->pair;
  return crBallLanes_Push(lanes, contact->pair.shapes, &contact->memory, contact->law) != NULL;
}

// Whether a ball and another ball, or a shape of the world, touch already; they are asked for in the order in which the
// lists have them. ioPlace: where the search goes on.
static inline bool isKept(const crBallLists* lists, const int* firsts, const int* seconds, int first, int second,
                          int* ioPlace)
{
  int i = *ioPlace;
  while (i < lists->kept && (firsts[i] < first || (firsts[i] == first && seconds[i] < second))) {
    ++i;
  }
  *ioPlace = i;
  return i < lists->kept && firsts[i] == first && seconds[i] == second;
}

// Places up to which lists have been looked through.
typedef struct Places {
  int walls, solids;
} Places;

// The first contact that is not before a pair.
static int findKept(const crBallLists* lists, crBallPair pair)
{
  int low = 0, high = lists->kept;
  while (low < high) {
    int middle = low + (high - low) / 2;
    bool isBefore = lists->a[middle] < pair.a || (lists->a[middle] == pair.a && lists->b[middle] < pair.b);
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

static inline uint64_t makeKey(int a, int b)
{
  return (uint64_t)a << 32 | (uint32_t)b;
}

// Places of some close pairs that do not touch yet: these and contacts have one order, and most of them are both.
static int findApart(const crBallLanes* lanes, int from, int to, int* outPlaces)
{
  const crBallLists* pairs = &lanes->pairs;
  int place = from < to ? findKept(pairs, lanes->close.items[from]) : 0, count = 0;
  for (int i = from; i < to; ++i) {
    uint64_t key = makeKey(lanes->close.items[i].a, lanes->close.items[i].b), kept = UINT64_MAX;
    for (; place < pairs->kept && (kept = makeKey(pairs->a[place], pairs->b[place])) < key; ++place) {
    }
    bool isKept = place < pairs->kept && kept == key;
    outPlaces[count] = i;
    count += !isKept;
    place += isKept;
  }
  return count;
}

typedef struct Search {
  crBallLanes* lanes;
  const crBallStep* step;
} Search;

// Those of them that may touch in the step.
static void searchFresh(void* context, int number)
{
  const Search* search = context;
  const crBallLanes* lanes = search->lanes;
  const crBallStep* step = search->step;
  const double* reaches = lanes->reaches;
  crBallPart* part = &lanes->parts[number];
  int end = crCrew_FindEqualPart(lanes->crew, lanes->close.count, number + 1);
  part->fresh.count = 0;
  part->isGood = true;
  for (int from = crCrew_FindEqualPart(lanes->crew, lanes->close.count, number); from < end; from += CR_SEARCH_BLOCK) {
    int apart[CR_SEARCH_BLOCK];
    int count = findApart(lanes, from, from + CR_SEARCH_BLOCK < end ? from + CR_SEARCH_BLOCK : end, apart);
    for (int i = 0; i < count && part->isGood; ++i) {
      int a = lanes->close.items[apart[i]].a, b = lanes->close.items[apart[i]].b;
      if (mayTouchBall(reaches + (size_t)CR_BALL_WIDTH * (size_t)a, reaches + (size_t)CR_BALL_WIDTH * (size_t)b)) {
        crBoxPair pair = { lanes->balls[a].shape, lanes->balls[b].shape };
        crFreshContact* fresh = crArray_Push(&part->fresh, &lanes->allocator);
        part->isGood = fresh != NULL;
        if (part->isGood) {
          *fresh = prepareBalls(lanes, pair, step->y, step->rates, &part->kind);
        }
      }
    }
  }
}

// Balls that may begin to touch.
static bool pushBalls(crBallLanes* lanes, const crBallStep* step, bool* outIsWhole)
{
  Search search = { lanes, step };
  bool isGood = crBallLanes_ListClose(lanes, step);
  if (isGood) {
    crCrew_Run(lanes->crew, searchFresh, &search);
  }
  for (int p = 0; p < lanes->partCount && isGood; ++p) {
    const crBallPart* part = &lanes->parts[p];
    isGood = part->isGood;
    for (int i = 0; i < part->fresh.count && isGood && *outIsWhole; ++i) {
      isGood = pushFresh(lanes, &part->fresh.items[i], outIsWhole);
    }
  }
  return isGood;
}

// All neighbours of a shape of the world that are balls of the set.
static bool pushAround(crBallLanes* lanes, const crBallStep* step, int shape, Places* ioPlaces, bool* outIsWhole)
{
  bool isPlane = lanes->table->model->shapes[shape].kind == cr_shapeHalfSpace, isGood = true;
  const crBallLists* lists = isPlane ? &lanes->walls : &lanes->solids;
  int* place = isPlane ? &ioPlaces->walls : &ioPlaces->solids;
  for (int n = step->neighbourStarts[shape]; n < step->neighbourStarts[shape + 1] && isGood && *outIsWhole; ++n) {
    crBoxPair pair = { shape, step->neighbours[n] };
    int row = pair.b > shape ? lanes->rows[pair.b] : -1;
    if (row >= 0 && mayTouchFixed(lanes, shape, row) && !isKept(lists, lists->b, lists->a, shape, row, place)) {
      crFreshContact fresh = prepareFresh(lanes, pair, step->y, step->rates);
      isGood = pushFresh(lanes, &fresh, outIsWhole);
    }
  }
  return isGood;
}

// What else does not move is not for lanes, if it is near to a ball.
static bool isAway(const crBallLanes* lanes, const crBallStep* step, int shape)
{
  bool isAway = true;
  for (int n = step->neighbourStarts[shape]; n < step->neighbourStarts[shape + 1] && isAway; ++n) {
    isAway = lanes->rows[step->neighbours[n]] < 0;
  }
  return isAway;
}

static bool pushAllFresh(crBallLanes* lanes, const crBallStep* step, bool* outIsWhole)
{
  const crShapeTable* table = lanes->table;
  Places places = { 0, 0 };
  bool isGood = true;
  lanes->fresh.count = 0;
  crBallLanes_FindReaches(lanes, step);
  for (int i = 0; i < lanes->stillCount && isGood && *outIsWhole; ++i) {
    int shape = lanes->still[i];
    if (crIsBallPlane(table, shape) || crIsBallSolid(table, shape)) {
      isGood = pushAround(lanes, step, shape, &places, outIsWhole);
    } else {
      *outIsWhole = isAway(lanes, step, shape);
    }
  }
  return isGood && *outIsWhole ? pushBalls(lanes, step, outIsWhole) : isGood;
}

bool crBallLanes_Begin(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, bool* outIsWhole)
{
  *outIsWhole = true;
  bool isGood = lanes->isLoaded || crBallLanes_Load(lanes, contacts, HUGE_VAL, outIsWhole);
  lanes->pairs.count = lanes->pairs.kept;
  lanes->walls.count = lanes->walls.kept;
  lanes->solids.count = lanes->solids.kept;
  lanes->isTold = lanes->isAtEnd = lanes->areShared = false;
  *outIsWhole = *outIsWhole && !contacts->hasSurfaces && !contacts->hasGroups;
  if (isGood && *outIsWhole) {
    isGood = pushAllFresh(lanes, step, outIsWhole);
  }
  crBallLists_Pad(&lanes->pairs);
  crBallLists_Pad(&lanes->walls);
  return isGood && (!*outIsWhole || crBallLanes_ShareOut(lanes));
}

// [-] Share of the step at which the cubic through both ends of the gap is 0; outRate [m/s]: how fast it closes there.
static double findCrossing(const crFreshPair* from, const Look* to, double h, double* outRate)
{
  double low = 0.0, high = 1.0, s = from->gap / (from->gap - to->gap), slope = 0.0;
  for (int i = 0; i < CR_MAX_CROSSING; ++i) {
    double u = 1.0 - s, v0 = -h * from->rate, v1 = -h * to->rate;
    double gap =
        (1.0 + 2.0 * s) * u * u * from->gap + s * u * u * v0 + s * s * (3.0 - 2.0 * s) * to->gap - s * s * u * v1;
    slope = 6.0 * s * u * (to->gap - from->gap) + (1.0 - 4.0 * s + 3.0 * s * s) * v0 - (2.0 * s - 3.0 * s * s) * v1;
    low = gap > 0.0 ? s : low;
    high = gap > 0.0 ? high : s;
    double next = slope < 0.0 ? s - gap / slope : 0.5 * (low + high);
    next = next > low && next < high ? next : 0.5 * (low + high);
    if (fabs(next - s) < CR_CROSSING_SLACK) {
      break;
    }
    s = next;
  }
  *outRate = -slope / h;
  return s;
}

// What touches at the end of the step and did not before.
typedef struct Beginning {
  crBallLanes* lanes;
  const crBallEnd* end;
} Beginning;

static void findBegun(void* context, int number)
{
  const Beginning* beginning = context;
  const crBallEnd* end = beginning->end;
  const crBallLanes* lanes = beginning->lanes;
  crBallPart* part = &lanes->parts[number];
  int last = crCrew_FindEqualPart(lanes->crew, lanes->fresh.count, number + 1);
  part->begun.count = 0;
  part->isGood = true;
  for (int i = crCrew_FindEqualPart(lanes->crew, lanes->fresh.count, number); i < last && part->isGood; ++i) {
    const crFreshPair* fresh = &lanes->fresh.items[i];
    Look look = lookAt(lanes, fresh->shapes, end->y, NULL);
    if (!(look.gap < 0.0)) {
      continue;
    }
    double rate = fresh->rate, share = 0.0;
    if (fresh->gap > 0.0) {
      share = findCrossing(fresh, &look, end->t1 - end->t0, &rate);
    }
    crContactStart* start = crArray_Push(&part->begun, &lanes->allocator);
    part->isGood = start != NULL;
    if (part->isGood) {
      *start = (crContactStart){ .pair = fresh->shapes,
                                 .time = end->t0 + share * (end->t1 - end->t0),
                                 .rate = rate,
                                 .touch = { .distance = 0.0, .normal = look.normal },
                                 .geometry = fresh->geometry };
    }
  }
}

// What all parts have found, one after the other: sorted. false: no memory.
static bool gatherBegun(crBallLanes* lanes, const crBallEnd* end)
{
  Beginning beginning = { lanes, end };
  bool isGood = true;
  crCrew_Run(lanes->crew, findBegun, &beginning);
  lanes->begun.count = 0;
  for (int p = 0; p < lanes->partCount && isGood; ++p) {
    const crContactStarts* found = &lanes->parts[p].begun;
    isGood = lanes->parts[p].isGood && crMakeRoom(&lanes->begun, lanes->begun.count + found->count, &lanes->allocator);
    if (isGood && found->count > 0) {
      memcpy(lanes->begun.items + lanes->begun.count, found->items, (size_t)found->count * sizeof *found->items);
      lanes->begun.count += found->count;
    }
  }
  return isGood;
}

const crContactStarts* crBallLanes_GetBegun(const crBallLanes* lanes)
{
  return &lanes->begun;
}

// In the place of those that might have begun.
static bool pushBegun(crBallLanes* lanes)
{
  const crModel* model = lanes->table->model;
  bool isGood = true;
  lanes->pairs.count = lanes->pairs.kept;
  lanes->walls.count = lanes->walls.kept;
  lanes->solids.count = lanes->solids.kept;
  for (int i = 0; i < lanes->begun.count && isGood; ++i) {
    const crContactStart* start = &lanes->begun.items[i];
    const crContactShape *a = &model->contactShapes[start->pair.a], *b = &model->contactShapes[start->pair.b];
    const crContactLaw* law = crModel_GetContactLaw(model, a->material, b->material);
    crContactMemory memory = crFreezeContact(law, false, &start->geometry, start->rate);
    crBallLists* lists = crBallLanes_Push(lanes, start->pair, &memory, law);
    isGood = lists != NULL;
    if (isGood) {
      crBallLists_StartSums(lists, lists->count - 1, memory.lever);
    }
  }
  crBallLists_Pad(&lanes->pairs);
  crBallLists_Pad(&lanes->walls);
  return isGood && crBallLanes_ShareOut(lanes);
}

crStatus crBallLanes_ComputeEnd(crBallLanes* lanes, const crBallEnd* end, double* outRates, double* outDissipation)
{
  if (!gatherBegun(lanes, end) || !pushBegun(lanes)) {
    return cr_errorMemory;
  }
  lanes->isAtEnd = true;
  return crBallLanes_EvalPoints(lanes, end->stage, outRates, end->stageRates, outDissipation);
}
