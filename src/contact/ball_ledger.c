// What happens to contacts of balls while lanes have them: sums over steps, what begins and what is over. All that is
// summed up of a contact is in 150 bytes here; contacts of the set get it when somebody looks at them.
#include "contact/ball_lanes_inside.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------ loading

static bool isFixed(const crShapeTable* table, int shape)
{
  return crIsBallPlane(table, shape) || crIsBallSolid(table, shape);
}

static crBallAccount makeAccount(const crContactLaw* law, const crContact* contact)
{
  return (crBallAccount){ .law = law,
                          .lever = contact->memory.lever,
                          .force = contact->start.force,
                          .power = contact->start.power,
                          .depth = contact->start.depth,
                          .rate = contact->start.rate,
                          .slip = contact->lastSlip,
                          .turn = contact->lastTurn,
                          .maxDepth = contact->maxDepth,
                          .maxForce = contact->maxForce,
                          .impulse = contact->impulse,
                          .dissipation = contact->dissipation,
                          .slipPath = contact->slipPath,
                          .creep = contact->creep };
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
        lists->accounts[lists->count - 1] = makeAccount(pair->law, contact);
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
  const crBallAccount* account = &lists->accounts[i];
  crBallLanes_ReportContact(lanes, pair, y, contact);
  contact->hasSums = contact->hasParts = contact->hasPeaks = false;
  contact->start = (crContactPoint){ .force = account->force,
                                     .power = account->power,
                                     .depth = account->depth,
                                     .rate = account->rate,
                                     .slide = account->force > 0.0 ? account->slip : 0.0 };
  contact->lastSlip = account->slip;
  contact->lastTurn = account->turn;
  contact->slipRate = contact->turnRate = 0.0;
  contact->maxDepth = account->maxDepth;
  contact->maxForce = account->maxForce;
  contact->impulse = account->impulse;
  contact->dissipation = account->dissipation;
  contact->slipPath = account->slipPath;
  contact->creep = account->creep;
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

// What the step adds, and what the next one starts with.
static void addStep(const crBallLists* lists, int i, double h)
{
  crBallAccount* account = &lists->accounts[i];
  const double* points = lists->points + i;
  size_t room = (size_t)lists->room;
  double force = points[cr_pointForce * room], power = points[cr_pointPower * room];
  double depth = points[cr_pointDepth * room], rate = points[cr_pointRate * room];
  double slip = points[cr_pointSlip * room], turn = points[cr_pointTurn * room], vMin = lists->vMin[i];
  account->impulse += 0.5 * h * (account->force + force);
  account->dissipation += 0.5 * h * (account->power + power);
  account->slipPath += 0.5 * h * ((account->force > 0.0 ? account->slip : 0.0) + (force > 0.0 ? slip : 0.0));
  if (account->rate > 0.0 && rate < 0.0) {
    crContactPoint start = { .depth = account->depth, .rate = account->rate };
    account->maxDepth = crFindDeepest(&start, depth, rate, h, account->maxDepth);
  }
  account->maxDepth = depth > account->maxDepth ? depth : account->maxDepth;
  account->maxForce = force > account->maxForce ? force : account->maxForce;
  if (slip < vMin && account->slip < vMin) {
    crCreepStep step = { .h = h,
                         .slip = 0.5 * (slip + account->slip),
                         .turn = 0.5 * (turn + account->turn),
                         .force = force,
                         .depth = depth,
                         .lever = account->lever,
                         .ofRolling = account->lever };
    crAddCreep(account->law, &step, &account->creep);
  }
  account->force = force;
  account->power = power;
  account->depth = depth;
  account->rate = rate;
  account->slip = slip;
  account->turn = turn;
}

// Some contacts of a list, whose changes go to a part; false: no memory.
static bool countSome(crBallLanes* lanes, crBallLists* lists, int from, int to, double h, crBallPart* part)
{
  const double* depths = lists->points + (size_t)cr_pointDepth * (size_t)lists->room;
  for (int i = from; i < to; ++i) {
    bool isOver = !(depths[i] > 0.0);
    addStep(lists, i, h);
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
    int from = crFindPart(all[l]->count, CR_BALL_BLOCK, number, lanes->partCount);
    int to = crFindPart(all[l]->count, CR_BALL_BLOCK, number + 1, lanes->partCount);
    part->isGood = countSome(lanes, all[l], from, to, counting->h, part);
  }
}

// All contacts; changes of all parts together, which are sorted later. false: no memory.
static bool countAll(crBallLanes* lanes, double h)
{
  Counting counting = { lanes, h };
  bool isGood = true;
  crCrew_Run(lanes->crew, countPart, &counting);
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

// So many places behind `to`, or before it.
static void move(crBallLists* lists, int to, int from, int count)
{
  double** all[CR_BALL_ARRAYS];
  size_t size = (size_t)count;
  crBallLists_List(lists, all);
  for (int i = 0; i < CR_BALL_ARRAYS; ++i) {
    memmove(*all[i] + to, *all[i] + from, size * sizeof **all[i]);
  }
  memmove(lists->a + to, lists->a + from, size * sizeof *lists->a);
  memmove(lists->b + to, lists->b + from, size * sizeof *lists->b);
  memmove(lists->accounts + to, lists->accounts + from, size * sizeof *lists->accounts);
}

// Leaves out what is over, of changes in the order of places.
static void leaveOut(const crBallLanes* lanes, crBallLists* lists)
{
  const crBallChange* changes = lanes->changes.items;
  int to = -1, from = 0, kept = lists->kept;
  for (int i = 0; i < lanes->changes.count; ++i) {
    int place = changes[i].place;
    if (changes[i].lists != lists || !changes[i].isOver) {
      continue;
    }
    if (to >= 0) {
      move(lists, to, from, place - from);
    }
    to = to < 0 ? place : to + place - from;
    from = place + 1;
    kept -= place < lists->kept;
  }
  if (to >= 0) {
    move(lists, to, from, lists->count - from);
    lists->count = to + lists->count - from;
  }
  lists->kept = kept;
}

// Where one belongs among the first of those that touch, which are in the order of pairs.
static int findSeat(const crBallLanes* lanes, const crBallLists* lists, int count, crBoxPair own)
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    crBoxPair other = crBallLanes_GetShapes(lanes, lists, middle);
    bool isBefore = crComparePairs(other.a, other.b, own.a, own.b) < 0;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

static int findLastOf(const crBallLanes* lanes, const crBallLists* lists, int first, int end)
{
  crBoxPair last = crBallLanes_GetShapes(lanes, lists, first);
  int place = first;
  for (int i = first + 1; i < end; ++i) {
    crBoxPair own = crBallLanes_GetShapes(lanes, lists, i);
    if (crComparePairs(own.a, own.b, last.a, last.b) > 0) {
      last = own;
      place = i;
    }
  }
  return place;
}

// What has begun goes to its place among those that touch: from behind, so that each of these is moved once. On the way
// it is behind all others. false: no memory.
static bool seatBegun(crBallLanes* lanes, crBallLists* lists)
{
  int begun = lists->count - lists->kept, spare = lists->count, end = lists->kept;
  if (begun == 0) {
    return true;
  }
  if (!crBallLists_Reserve(&lanes->allocator, lists, lists->count + begun)) {
    return false;
  }
  move(lists, spare, lists->kept, begun);
  for (int shift = begun; shift > 0; --shift) {
    int last = findLastOf(lanes, lists, spare, spare + shift);
    int seat = findSeat(lanes, lists, end, crBallLanes_GetShapes(lanes, lists, last));
    move(lists, seat + shift, seat, end - seat);
    move(lists, seat + shift - 1, last, 1);
    move(lists, last, spare + shift - 1, 1);
    end = seat;
  }
  lists->kept = lists->count;
  return true;
}

static int comparePlaces(const void* a, const void* b)
{
  const crBallChange *x = a, *y = b;
  return x->lists != y->lists ? (x->lists < y->lists ? -1 : 1) : x->place - y->place;
}

crStatus crBallLanes_CountStep(crBallLanes* lanes, crContacts* contacts, double t0, double t1, const double* y)
{
  crBallLists* all[3] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  contacts->events.count = 0;
  lanes->areShared = false;
  bool isGood = countAll(lanes, t1 - t0);
  crStatus status = isGood ? tellChanges(lanes, contacts, t0, t1, y) : cr_errorMemory;
  if (lanes->changes.count > 1) {
    qsort(lanes->changes.items, (size_t)lanes->changes.count, sizeof *lanes->changes.items, comparePlaces);
  }
  for (int l = 0; l < 3; ++l) {
    leaveOut(lanes, all[l]);
    isGood = seatBegun(lanes, all[l]) && isGood;
  }
  lanes->isTold = false;
  return status == cr_ok && !isGood ? cr_errorMemory : status;
}

bool crBallLanes_AreDeep(const crBallLanes* lanes, double share)
{
  const crBallLists* all[3] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  bool areDeep = false;
  for (int l = 0; l < 3; ++l) {
    const crBallLists* lists = all[l];
    const double* depths = lists->points + (size_t)cr_pointDepth * (size_t)lists->room;
    for (int i = 0; i < lists->count && !areDeep; ++i) {
      double half = 0.5 * (lists->sum[i] - fabs(lists->diff[i]));
      half = l == 2 ? fmin(half, lanes->table->facts[lists->b[i]].half) : half;
      areDeep = depths[i] > share * half;
    }
  }
  return areDeep;
}
