// What happens to contacts of balls while lanes have them: sums over steps, what begins and what is over. All that is
// summed up of a contact is in arrays here; contacts of the set get it when somebody looks at them.
#include "contact/ball_lanes_inside.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------ loading

static bool isFixed(const crShapeTable* table, int shape)
{
  return crIsBallPlane(table, shape) || crIsBallSolid(table, shape);
}

static void loadSums(crBallLists* lists, int i, const crContact* contact)
{
  const double sums[CR_SUM_ARRAYS] = {
    [cr_sumLever] = contact->memory.lever,      [cr_sumMaxDepth] = contact->maxDepth,
    [cr_sumMaxForce] = contact->maxForce,       [cr_sumImpulse] = contact->impulse,
    [cr_sumDissipation] = contact->dissipation, [cr_sumSlipPath] = contact->slipPath,
    [cr_sumCreepPath] = contact->creep.path,    [cr_sumCreepTime] = contact->creep.time,
    [cr_sumCreepLoad] = contact->creep.load,    [cr_sumCreepDepth] = contact->creep.depth
  };
  const double starts[CR_POINT_ARRAYS] = {
    [cr_pointForce] = contact->start.force, [cr_pointPower] = contact->start.power,
    [cr_pointDepth] = contact->start.depth, [cr_pointRate] = contact->start.rate,
    [cr_pointSlip] = contact->lastSlip,     [cr_pointTurn] = contact->lastTurn
  };
  for (int k = 0; k < CR_SUM_ARRAYS; ++k) {
    lists->sums[(size_t)k * (size_t)lists->room + (size_t)i] = sums[k];
  }
  for (int k = 0; k < CR_POINT_ARRAYS; ++k) {
    lists->starts[(size_t)k * (size_t)lists->room + (size_t)i] = starts[k];
  }
}

// Those that touch, or those that have begun since.
static bool loadSome(crBallLanes* lanes, const crContacts* contacts, bool areBegun, double t0, bool* outIsWhole)
{
  bool isGood = true;
  for (int k = 0; k < contacts->pairs.count && isGood && *outIsWhole; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    bool isBegun = !contact->isTouching && contact->begin >= t0;
    if (areBegun ? !isBegun : !contact->isTouching) {
      continue;
    }
    *outIsWhole = crIsBallLaw(pair->law, contact->memory.exponent) &&
                  (lanes->rows[pair->shapeA] >= 0 || isFixed(lanes->table, pair->shapeA)) &&
                  (lanes->rows[pair->shapeB] >= 0 || isFixed(lanes->table, pair->shapeB));
    if (*outIsWhole) {
      crBoxPair shapes = { pair->shapeA, pair->shapeB };
      crBallLists* lists = crBallLanes_Push(lanes, shapes, &contact->memory, pair->law);
      isGood = lists != NULL;
      if (isGood) {
        loadSums(lists, lists->count - 1, contact);
      }
    }
  }
  return isGood;
}

bool crBallLanes_Load(crBallLanes* lanes, const crContacts* contacts, double t0, bool* outIsWhole)
{
  crBallLists* all[3] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  bool isGood = true;
  *outIsWhole = true;
  lanes->areShared = false;
  for (int i = 0; i < 3; ++i) {
    all[i]->count = all[i]->kept = 0;
    isGood = isGood && crBallLists_Reserve(&lanes->allocator, all[i], 0);
  }
  isGood = isGood && loadSome(lanes, contacts, false, t0, outIsWhole);
  for (int i = 0; i < 3; ++i) {
    all[i]->kept = all[i]->count;
  }
  isGood = isGood && loadSome(lanes, contacts, true, t0, outIsWhole);
  crBallLists_Pad(&lanes->pairs);
  crBallLists_Pad(&lanes->walls);
  lanes->isLoaded = isGood && *outIsWhole;
  lanes->isTold = lanes->isAtEnd = true;
  return isGood;
}

crStatus crBallLanes_Resume(crBallLanes* lanes, const crContacts* contacts, double t0, const double* y,
                            double* outRates, bool* outIsWhole)
{
  double power;
  *outIsWhole = true;
  if (lanes->isLoaded) {
    return cr_ok;
  }
  if (!crBallLanes_Load(lanes, contacts, t0, outIsWhole)) {
    return cr_errorMemory;
  }
  crBallLanes_FillStage(lanes, y);
  return *outIsWhole ? crBallLanes_EvalPoints(lanes, lanes->stage, outRates, NULL, &power) : cr_ok;
}

void crBallLanes_Drop(crBallLanes* lanes)
{
  lanes->isLoaded = false;
}

// ------------------------------------------------------------------------------------------------- telling

static void tellContact(const crBallLanes* lanes, const crBallLists* lists, int i, const crTouchingPair* pair,
                        const double* y, crContact* contact)
{
  size_t room = (size_t)lists->room;
  const double *starts = lists->starts + i, *sums = lists->sums + i;
  double force = starts[cr_pointForce * room], slip = starts[cr_pointSlip * room];
  crBallLanes_ReportContact(lanes, pair, y, contact);
  contact->hasSums = contact->hasParts = contact->hasPeaks = false;
  contact->start = (crContactPoint){ .force = force,
                                     .power = starts[cr_pointPower * room],
                                     .depth = starts[cr_pointDepth * room],
                                     .rate = starts[cr_pointRate * room],
                                     .slide = force > 0.0 ? slip : 0.0 };
  contact->lastSlip = slip;
  contact->lastTurn = starts[cr_pointTurn * room];
  contact->slipRate = contact->turnRate = 0.0;
  contact->maxDepth = sums[cr_sumMaxDepth * room];
  contact->maxForce = sums[cr_sumMaxForce * room];
  contact->impulse = sums[cr_sumImpulse * room];
  contact->dissipation = sums[cr_sumDissipation * room];
  contact->slipPath = sums[cr_sumSlipPath * room];
  contact->creep = (crCreepSums){ sums[cr_sumCreepPath * room], sums[cr_sumCreepTime * room],
                                  sums[cr_sumCreepLoad * room], sums[cr_sumCreepDepth * room] };
}

void crBallLanes_Tell(crBallLanes* lanes, crContacts* contacts, const double* y)
{
  const crBallLists* all[3] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  crContacts_SeatLate(contacts);
  if (!lanes->isLoaded || lanes->isTold) {
    return;
  }
  for (int l = 0; l < 3; ++l) {
    for (int i = 0; i < (lanes->isAtEnd ? all[l]->count : all[l]->kept); ++i) {
      const crTouchingPair* pair = crContacts_FindPair(contacts, crBallLanes_GetShapes(lanes, all[l], i));
      if (pair != NULL) {
        tellContact(lanes, all[l], i, pair, y, crContacts_GetOf(contacts, pair));
      }
    }
  }
  lanes->isTold = true;
}

// ------------------------------------------------------------------------------------------------ counting

static inline crLanes choose(crLanes isFirst, crLanes a, crLanes b) // by the bits of a comparison
{
  __typeof__(a < b) mask = (__typeof__(a < b))isFirst;
  return (crLanes)(((__typeof__(mask))a & mask) | ((__typeof__(mask))b & ~mask));
}

static inline crLanes isLess(crLanes a, crLanes b)
{
  return (crLanes)(a < b);
}

static inline crLanes both(crLanes a, crLanes b)
{
  return (crLanes)((__typeof__(a < b))a & (__typeof__(a < b))b);
}

static inline void add(double* sum, crLanes a)
{
  store(sum, load(sum) + a);
}

// What a step adds to how four contacts have crept, as crAddCreep has it for contacts that do not resist rolling.
static inline void addCreep(const crBallLists* lists, int i, double h, crLanes v, crLanes w, crLanes isSlow)
{
  size_t room = (size_t)lists->room;
  const double* points = lists->points + i;
  double* sums = lists->sums + i;
  crLanes zero = crZeroLanes(), vMin = load(lists->vMin + i);
  crLanes force = load(points + cr_pointForce * room), depth = load(points + cr_pointDepth * room);
  crLanes slow = v * v / vMin * (1.0 - v / (3.0 * vMin)) + vMin / 3.0, share = v / choose(isLess(v, vMin), slow, v);
  crLanes turns = w * load(sums + cr_sumLever * room);
  crLanes counts =
      both(both(isSlow, isLess(zero, force)), both(isLess(zero, load(lists->muK + i)), isLess(turns, vMin)));
  counts = both(counts, isLess(zero + CR_LEAST_LOAD, share));
  add(sums + cr_sumCreepPath * room, choose(counts, h * v, zero));
  add(sums + cr_sumCreepTime * room, choose(counts, zero + h, zero));
  add(sums + cr_sumCreepLoad * room, choose(counts, h * share, zero));
  add(sums + cr_sumCreepDepth * room, choose(counts, h * choose(isLess(zero, depth), depth, zero), zero));
}

// What a step adds to sums of four contacts.
static inline void addStep(const crBallLists* lists, int i, double h)
{
  size_t room = (size_t)lists->room;
  const double *points = lists->points + i, *starts = lists->starts + i;
  double* sums = lists->sums + i;
  crLanes zero = crZeroLanes(), vMin = load(lists->vMin + i);
  crLanes force0 = load(starts + cr_pointForce * room), force = load(points + cr_pointForce * room);
  crLanes slip0 = load(starts + cr_pointSlip * room), slip = load(points + cr_pointSlip * room);
  crLanes turn0 = load(starts + cr_pointTurn * room), turn = load(points + cr_pointTurn * room);
  crLanes rate0 = load(starts + cr_pointRate * room), rate = load(points + cr_pointRate * room);
  crLanes depth = load(points + cr_pointDepth * room), most = load(sums + cr_sumMaxDepth * room);
  crLanes strongest = load(sums + cr_sumMaxForce * room);
  add(sums + cr_sumImpulse * room, 0.5 * h * (force0 + force));
  add(sums + cr_sumDissipation * room,
      0.5 * h * (load(starts + cr_pointPower * room) + load(points + cr_pointPower * room)));
  add(sums + cr_sumSlipPath * room,
      0.5 * h * (choose(isLess(zero, force0), slip0, zero) + choose(isLess(zero, force), slip, zero)));
  for (int l = 0; l < CR_BALL_WIDTH; ++l) {
    if (rate0[l] > 0.0 && rate[l] < 0.0) {
      crContactPoint start = { .depth = starts[cr_pointDepth * room + (size_t)l], .rate = rate0[l] };
      most[l] = crFindDeepest(&start, depth[l], rate[l], h, most[l]);
    }
  }
  store(sums + cr_sumMaxDepth * room, choose(isLess(most, depth), depth, most));
  store(sums + cr_sumMaxForce * room, choose(isLess(strongest, force), force, strongest));
  crLanes isSlow = both(isLess(slip, vMin), isLess(slip0, vMin));
  addCreep(lists, i, h, 0.5 * (slip + slip0), 0.5 * (turn + turn0), isSlow);
}

// Some contacts of a list, whose changes go to a part; false: no memory.
static bool countSome(crBallLanes* lanes, crBallLists* lists, int from, int to, double h, crBallPart* part)
{
  const double* depths = lists->points + (size_t)cr_pointDepth * (size_t)lists->room;
  for (int i = from; i < to; i += CR_BALL_WIDTH) {
    addStep(lists, i, h);
  }
  for (int i = from; i < to; ++i) {
    bool isOver = !(depths[i] > 0.0);
    if (isOver || i >= lists->kept) {
      crBallChange* change = crArray_Push(&part->changes, &lanes->allocator);
      if (change == NULL) {
        return false;
      }
      *change = (crBallChange){ lists, i, crBallLanes_GetShapes(lanes, lists, i), isOver };
    }
  }
  return true;
}

typedef struct Counting {
  crBallLanes* lanes;
  double h;
} Counting;

static void countPart(void* context, int number)
{
  const Counting* counting = context;
  crBallLanes* lanes = counting->lanes;
  crBallPart* part = &lanes->parts[number];
  crBallLists* all[3] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  part->changes.count = 0;
  part->isGood = true;
  for (int l = 0; l < 3 && part->isGood; ++l) {
    int from = crFindPlaceOf(lanes, all[l], number), to = crFindPlaceOf(lanes, all[l], number + 1);
    part->isGood = countSome(lanes, all[l], from, to, counting->h, part);
  }
}

// All contacts; changes of all parts together, which are sorted later. false: no memory.
static bool countAll(crBallLanes* lanes, double h)
{
  Counting counting = { lanes, h };
  bool isGood = true;
  crBallLists* all[3] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  crCrew_Run(lanes->crew, countPart, &counting);
  for (int l = 0; l < 3; ++l) { // the end is the start of what comes
    double* starts = all[l]->starts;
    all[l]->starts = all[l]->points;
    all[l]->points = starts;
  }
  lanes->changes.count = 0;
  for (int p = 0; p < lanes->partCount; ++p) {
    const crBallPart* part = &lanes->parts[p];
    isGood = isGood && part->isGood;
    for (int i = 0; i < part->changes.count && isGood; ++i) {
      crBallChange* change = crArray_Push(&lanes->changes, &lanes->allocator);
      isGood = change != NULL;
      if (isGood) {
        *change = part->changes.items[i];
      }
    }
  }
  return isGood;
}

static int compareChanges(const void* a, const void* b)
{
  const crBallChange *x = a, *y = b;
  return crComparePairs(x->shapes.a, x->shapes.b, y->shapes.a, y->shapes.b);
}

// Contacts of the set learn of what has begun or is over, in the order of pairs.
static crStatus tellChanges(crBallLanes* lanes, crContacts* contacts, double t0, double t1, const double* y)
{
  int count = lanes->changes.count;
  if (count > 1) {
    qsort(lanes->changes.items, (size_t)count, sizeof *lanes->changes.items, compareChanges);
  }
  for (int i = 0; i < count; ++i) {
    const crBallChange* change = &lanes->changes.items[i];
    const crTouchingPair* pair;
    crContact* contact;
    if (!crContacts_FindSeat(contacts, change->shapes, &pair, &contact)) {
      return cr_errorMisuse;
    }
    tellContact(lanes, change->lists, change->place, pair, y, contact);
    bool isKnown = change->place < change->lists->kept, isTouching = !change->isOver;
    if (isKnown != isTouching && !crContacts_NoteChange(contacts, pair, contact, isTouching, t0, t1)) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

crStatus crBallLanes_CountStep(crBallLanes* lanes, crContacts* contacts, double t0, double t1, const double* y)
{
  contacts->events.count = 0;
  lanes->areShared = false;
  bool isGood = countAll(lanes, t1 - t0);
  crStatus status = isGood ? tellChanges(lanes, contacts, t0, t1, y) : cr_errorMemory;
  isGood = isGood && crBallLanes_Rearrange(lanes);
  lanes->isTold = false;
  return status == cr_ok && !isGood ? cr_errorMemory : status;
}

typedef struct Depth {
  const crBallLanes* lanes;
  double share;
} Depth;

static void findDeep(void* context, int number)
{
  const Depth* depth = context;
  const crBallLanes* lanes = depth->lanes;
  const crBallLists* all[3] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  bool areDeep = false;
  for (int l = 0; l < 3; ++l) {
    const crBallLists* lists = all[l];
    const double* depths = lists->points + (size_t)cr_pointDepth * (size_t)lists->room;
    int end = crFindPlaceOf(lanes, lists, number + 1);
    for (int i = crFindPlaceOf(lanes, lists, number); i < end; ++i) {
      double half = 0.5 * (lists->sum[i] - fabs(lists->diff[i]));
      half = l == 2 ? fmin(half, lanes->table->facts[lists->b[i]].half) : half;
      areDeep = areDeep || depths[i] > depth->share * half;
    }
  }
  lanes->parts[number].isGood = !areDeep;
}

// Each part looks at its own: one who looks at all of them takes them out of the caches of the others.
bool crBallLanes_AreDeep(const crBallLanes* lanes, double share)
{
  Depth depth = { lanes, share };
  bool areDeep = false;
  crCrew_Run(lanes->crew, findDeep, &depth);
  for (int p = 0; p < lanes->partCount; ++p) {
    areDeep = areDeep || !lanes->parts[p].isGood;
  }
  return areDeep;
}
