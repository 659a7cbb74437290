// Contacts of balls take other places in their lists behind a step: what is over goes, and what has begun comes to its
// place among those that touch, which are in the order of pairs.
//
// Each part of a list is moved by the one who computes it, who has it in a cache, and inside of it: what comes into a
// part from elsewhere, a few at its ends and all that has begun, is put aside before anybody moves anything.
#include "contact/ball_lanes_inside.h"

#define CR_LISTS 3
#define CR_MOVED_NUMBERS (CR_BALL_ARRAYS + CR_SUM_ARRAYS + CR_POINT_ARRAYS)
#define CR_MOVED_ARRAYS (CR_MOVED_NUMBERS + 2) // and both rows

// The first of those that touch that is not before a pair, from `low` on.
static int findSeat(const crBallLanes* lanes, const crBallLists* lists, int low, crBoxPair own)
{
  int high = lists->kept;
  while (low < high) {
    int middle = low + (high - low) / 2;
    crBoxPair other = crBallLanes_GetShapes(lanes, lists, middle);
    bool isBefore = crComparePairs(other.a, other.b, own.a, own.b) < 0;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

// Returns the place behind them.
static int plan(crBallMoves* moves, crBallLists* lists, int to, int from, int count)
{
  if (count > 0 && to != from) {
    moves->items[moves->count++] = (crBallMove){ lists, to, from, count }; // there is room
  }
  return to + count;
}

// From changes in the order of pairs. Returns how many contacts the list will have.
static int planList(crBallLanes* lanes, crBallLists* lists)
{
  int from = 0, to = 0;
  for (int i = 0; i < lanes->changes.count; ++i) {
    const crBallChange* change = &lanes->changes.items[i];
    bool isKnown = change->place < lists->kept;
    if (change->lists != lists || (change->isOver && !isKnown)) {
      continue;
    }
    int next = isKnown ? change->place : findSeat(lanes, lists, from, change->shapes);
    to = plan(&lanes->moves, lists, to, from, next - from);
    from = isKnown ? next + 1 : next;
    to = isKnown ? to : plan(&lanes->moves, lists, to, change->place, 1);
  }
  return plan(&lanes->moves, lists, to, from, lists->kept - from);
}

// Those of one kind to the left: the first of them first. To the right: the last.
static void orderMoves(crBallMoves* moves)
{
  for (int i = 0; i < moves->count; ++i) {
    int first = i;
    while (i < moves->count && moves->items[i].to > moves->items[i].from) {
      ++i;
    }
    for (int low = first, high = i - 1; low < high; ++low, --high) {
      crBallMove one = moves->items[low];
      moves->items[low] = moves->items[high];
      moves->items[high] = one;
    }
  }
}

typedef struct Arrays {
  char* items[CR_LISTS][CR_MOVED_ARRAYS];
} Arrays;

static inline size_t sizeOf(int array)
{
  return array < CR_MOVED_NUMBERS ? sizeof(double) : sizeof(int);
}

static void listArrays(crBallLanes* lanes, Arrays* out)
{
  crBallLists* all[CR_LISTS] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  for (int l = 0; l < CR_LISTS; ++l) {
    double** own[CR_BALL_ARRAYS];
    size_t room = (size_t)all[l]->room;
    char** to = out->items[l];
    crBallLists_List(all[l], own);
    for (int k = 0; k < CR_BALL_ARRAYS; ++k) {
      *to++ = (char*)*own[k];
    }
    for (size_t k = 0; k < CR_SUM_ARRAYS; ++k) {
      *to++ = (char*)(all[l]->sums + k * room);
    }
    for (size_t k = 0; k < CR_POINT_ARRAYS; ++k) {
      *to++ = (char*)(all[l]->starts + k * room);
    }
    *to++ = (char*)all[l]->a;
    *to = (char*)all[l]->b;
  }
}

static inline char* findArray(const crBallLanes* lanes, const Arrays* arrays, const crBallMove* move, int k)
{
  int list = move->lists == &lanes->pairs ? 0 : move->lists == &lanes->walls ? 1 : 2;
  return arrays->items[list][k];
}

static inline int clamp(int i, int low, int high)
{
  return i < low ? low : i > high ? high : i;
}

// The share of a part in a move: what it has itself, and what comes from elsewhere.
static void cutMove(const crBallLanes* lanes, crBallPart* part, int number, const crBallMove* move)
{
  int from = crFindPlaceOf(lanes, move->lists, number), end = crFindPlaceOf(lanes, move->lists, number + 1);
  int low = clamp(from, move->to, move->to + move->count), high = clamp(end, low, move->to + move->count);
  bool isNew = move->from >= move->lists->kept;
  int shift = move->from - move->to;
  int first = isNew ? high : clamp(from - shift, low, high), last = isNew ? high : clamp(end - shift, first, high);
  (void)plan(&part->strays, move->lists, low, low + shift, first - low);
  (void)plan(&part->moves, move->lists, first, first + shift, last - first);
  (void)plan(&part->strays, move->lists, last, last + shift, high - last);
}

// What each part moves; strays are put aside, array by array.
static void cutPart(void* context, int number)
{
  crBallLanes* lanes = context;
  crBallPart* part = &lanes->parts[number];
  const crAllocator* allocator = &lanes->allocator;
  Arrays arrays;
  int count = 0, place = 0;
  part->isGood = crMakeRoom(&part->moves, lanes->moves.count, allocator) &&
                 crMakeRoom(&part->strays, 2 * lanes->moves.count, allocator);
  part->moves.count = part->strays.count = 0;
  for (int i = 0; i < lanes->moves.count && part->isGood; ++i) {
    cutMove(lanes, part, number, &lanes->moves.items[i]);
  }
  for (int i = 0; i < part->strays.count; ++i) {
    count += part->strays.items[i].count;
  }
  part->isGood = part->isGood && crMakeRoom(&part->aside, CR_MOVED_ARRAYS * count, allocator);
  if (!part->isGood) {
    return;
  }
  orderMoves(&part->moves);
  listArrays(lanes, &arrays);
  for (int k = 0; k < CR_MOVED_ARRAYS; ++k) {
    for (int i = 0; i < part->strays.count; ++i) {
      const crBallMove* move = &part->strays.items[i];
      const char* array = findArray(lanes, &arrays, move, k);
      memcpy(part->aside.items + place, array + (size_t)move->from * sizeOf(k), (size_t)move->count * sizeOf(k));
      place += move->count;
    }
  }
}

// Array by array, each of which is in a cache.
static void movePart(void* context, int number)
{
  crBallLanes* lanes = context;
  const crBallPart* part = &lanes->parts[number];
  Arrays arrays;
  int place = 0;
  listArrays(lanes, &arrays);
  for (int k = 0; k < CR_MOVED_ARRAYS; ++k) {
    size_t size = sizeOf(k);
    for (int i = 0; i < part->moves.count; ++i) {
      const crBallMove* move = &part->moves.items[i];
      char* array = findArray(lanes, &arrays, move, k);
      memmove(array + (size_t)move->to * size, array + (size_t)move->from * size, (size_t)move->count * size);
    }
    for (int i = 0; i < part->strays.count; ++i) {
      const crBallMove* move = &part->strays.items[i];
      char* array = findArray(lanes, &arrays, move, k);
      memcpy(array + (size_t)move->to * size, part->aside.items + place, (size_t)move->count * size);
      place += move->count;
    }
  }
}

bool crBallLanes_Rearrange(crBallLanes* lanes)
{
  crBallLists* all[CR_LISTS] = { &lanes->pairs, &lanes->walls, &lanes->solids };
  int counts[CR_LISTS];
  bool isGood = crMakeRoom(&lanes->moves, 2 * lanes->changes.count + CR_LISTS, &lanes->allocator);
  lanes->moves.count = 0;
  for (int l = 0; l < CR_LISTS && isGood; ++l) {
    counts[l] = planList(lanes, all[l]);
  }
  if (isGood && lanes->moves.count > 0) {
    crCrew_Run(lanes->crew, cutPart, lanes);
    for (int p = 0; p < lanes->partCount; ++p) {
      isGood = isGood && lanes->parts[p].isGood;
    }
    if (isGood) {
      crCrew_Run(lanes->crew, movePart, lanes);
    }
  }
  for (int l = 0; l < CR_LISTS && isGood; ++l) {
    all[l]->count = all[l]->kept = counts[l];
  }
  return isGood;
}
