// Contacts of a crowd's balls in parts, one for each of a crew (ball_lanes_inside.h, crBallPart).
//
// A part has the contacts of some blocks, and the balls whose sums are whole at their ends: all contacts of a ball with
// others of a greater number lie side by side, and those with balls of smaller ones before them. So what a part needs
// beside its own is before it, mostly at the border: where balls lie in the order of layers, some per cent.
#include "contact/ball_lanes_inside.h"

static void freePart(const crAllocator* allocator, crBallPart* part)
{
  crBallLists_Free(allocator, &part->walls);
  crBallLists_Free(allocator, &part->odd);
  crFree(allocator, part->forces, (size_t)part->room * CR_BALL_ROW * sizeof *part->forces);
  crArray_Free(&part->found, allocator);
  crArray_Free(&part->fresh, allocator);
  crArray_Free(&part->begun, allocator);
  crArray_Free(&part->changes, allocator);
  crArray_Free(&part->moves, allocator);
  crArray_Free(&part->strays, allocator);
  crArray_Free(&part->aside, allocator);
  *part = (crBallPart){ 0 };
}

void crBallLanes_FreeParts(crBallLanes* lanes)
{
  for (int i = 0; i < lanes->partCount; ++i) {
    freePart(&lanes->allocator, &lanes->parts[i]);
  }
  crFree(&lanes->allocator, lanes->parts, (size_t)lanes->partCount * sizeof *lanes->parts);
  crFree(&lanes->allocator, lanes->powers, (size_t)lanes->powerRoom * sizeof *lanes->powers);
  lanes->parts = NULL;
  lanes->powers = NULL;
  lanes->partCount = lanes->powerRoom = 0;
}

bool crBallLanes_SetCrew(crBallLanes* lanes, const crCrew* crew)
{
  int count = crCrew_Count(crew);
  if (crew == lanes->crew && count == lanes->partCount) {
    return true;
  }
  crBallLanes_FreeParts(lanes);
  lanes->crew = crew;
  lanes->areShared = false;
  lanes->parts = crAllocateZero(&lanes->allocator, (size_t)count, sizeof *lanes->parts);
  lanes->partCount = lanes->parts != NULL ? count : 0;
  return lanes->parts != NULL;
}

// The place of the block at which this share of all work is done. A contact costs as much as all that a step does with
// a ball, and a copy, of which there are as many as last time, as much as a contact.
static int findCut(const crBallLanes* lanes, int ordered, int part)
{
  const int* balls = lanes->pairs.a;
  long long all = (long long)ordered + lanes->count, copies = 0;
  for (int p = 0; p < lanes->partCount; ++p) {
    int own = lanes->parts[p].walls.count + lanes->parts[p].odd.count;
    all += own;
    copies += p < part ? own : 0;
  }
  int low = 0, high = (ordered + CR_BALL_BLOCK - 1) / CR_BALL_BLOCK;
  while (low < high) {
    int middle = low + (high - low) / 2, i = CR_BALL_BLOCK * middle;
    long long done = copies + i + balls[i];
    bool isBefore = done * lanes->partCount < all * part;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return CR_BALL_BLOCK * low < ordered ? CR_BALL_BLOCK * low : ordered;
}

static void cutParts(crBallLanes* lanes)
{
  int ordered = crFindOrdered(&lanes->pairs), from = 0, first = 0;
  for (int i = 0; i < lanes->partCount; ++i) {
    crBallPart* part = &lanes->parts[i];
    int to = i + 1 < lanes->partCount ? findCut(lanes, ordered, i + 1) : ordered;
    to = to > from ? to : from; // who had very many copies has no more than these
    part->from = from;
    part->first = first;
    part->to = from = to;
    part->end = first = to < ordered ? lanes->pairs.a[to] : lanes->count;
    lanes->crew->shares[i + 1] = (double)part->end / lanes->count;
  }
}

static bool reserveForces(const crAllocator* allocator, crBallPart* part)
{
  int count = part->end - part->first + 1;
  if (count <= part->room) {
    return true;
  }
  crFree(allocator, part->forces, (size_t)part->room * CR_BALL_ROW * sizeof *part->forces);
  part->room = count + count / 8;
  part->forces = crAllocateZero(allocator, (size_t)part->room * CR_BALL_ROW, sizeof *part->forces);
  part->room = part->forces != NULL ? part->room : 0;
  return part->forces != NULL;
}

static bool copyContact(const crAllocator* allocator, crBallLists* from, int i, int home, crBallLists* to)
{
  double **all[CR_BALL_ARRAYS], **own[CR_BALL_ARRAYS];
  if (!crBallLists_Reserve(allocator, to, to->count + 1)) {
    return false;
  }
  int place = to->count++;
  crBallLists_List(from, all);
  crBallLists_List(to, own);
  for (int k = 0; k < CR_BALL_ARRAYS; ++k) {
    (*own[k])[place] = (*all[k])[i];
  }
  to->a[place] = from->a[i];
  to->b[place] = from->b[i];
  to->homes[place] = home;
  return true;
}

static inline bool isOwn(const crBallPart* part, int ball)
{
  return ball >= part->first && ball < part->end;
}

static void copyPart(void* context, int number)
{
  crBallLanes* lanes = context;
  crBallPart* part = &lanes->parts[number];
  crBallLists *pairs = &lanes->pairs, *walls = &lanes->walls;
  const crAllocator* allocator = &lanes->allocator;
  bool isGood = reserveForces(allocator, part) && crBallLists_Reserve(allocator, &part->walls, 0) &&
                crBallLists_Reserve(allocator, &part->odd, 0);
  part->walls.count = part->odd.count = 0;
  for (int i = 0; i < walls->count && isGood; ++i) {
    isGood = !isOwn(part, walls->a[i]) || copyContact(allocator, walls, i, i, &part->walls);
  }
  for (int i = crFindOrdered(pairs); i < pairs->count && isGood; ++i) {
    bool tells = isOwn(part, pairs->a[i]);
    isGood = !(tells || isOwn(part, pairs->b[i])) || copyContact(allocator, pairs, i, tells ? i : -1, &part->odd);
  }
  for (int i = 0; i < part->from && isGood; ++i) {
    if (pairs->b[i] >= part->first && (isOwn(part, pairs->b[i]) || isOwn(part, pairs->a[i]))) {
      isGood = copyContact(allocator, pairs, i, -1, &part->odd);
    }
  }
  part->own = part->from;
  for (int i = part->from; i < part->to && pairs->b[i] < part->end; ++i) {
    part->own = (i + 1 - part->from) % CR_BALL_BLOCK == 0 ? i + 1 : part->own;
  }
  part->own = part->end == lanes->count ? part->to : part->own;
  crBallLists_Pad(&part->walls);
  crBallLists_Pad(&part->odd);
  part->isGood = isGood;
}

static bool reservePowers(crBallLanes* lanes)
{
  int count = crFindPowerPlaces(lanes).end;
  if (count > lanes->powerRoom) {
    crFree(&lanes->allocator, lanes->powers, (size_t)lanes->powerRoom * sizeof *lanes->powers);
    lanes->powerRoom = count + count / 4;
    lanes->powers = crAllocateZero(&lanes->allocator, (size_t)lanes->powerRoom, sizeof *lanes->powers);
    lanes->powerRoom = lanes->powers != NULL ? lanes->powerRoom : 0;
  }
  if (lanes->powers != NULL) { // nobody writes those that lists are padded with
    memset(lanes->powers, 0, (size_t)count * sizeof *lanes->powers);
  }
  return lanes->powers != NULL;
}

bool crBallLanes_ShareOut(crBallLanes* lanes)
{
  lanes->areShared = false;
  if (lanes->crew == NULL) {
    return true;
  }
  bool isGood = reservePowers(lanes);
  if (isGood) {
    cutParts(lanes);
    crCrew_Run(lanes->crew, copyPart, lanes);
  }
  for (int i = 0; i < lanes->partCount; ++i) {
    isGood = isGood && lanes->parts[i].isGood;
  }
  lanes->areShared = isGood;
  return isGood;
}

// Of contacts side by side, as one pass over blocks of them adds up.
static crLanes addBlocks(const double* powers, int count)
{
  crLanes sum = crZeroLanes();
  for (int start = 0; start < count; start += CR_BALL_BLOCK) {
    crLanes own = crZeroLanes();
    for (int i = start; i < start + CR_BALL_BLOCK && i < count; i += CR_BALL_WIDTH) {
      own += load(powers + i);
    }
    sum += own;
  }
  return sum;
}

double crBallLanes_AddPowers(const crBallLanes* lanes)
{
  const double* powers = lanes->powers;
  crPowerPlaces places = crFindPowerPlaces(lanes);
  double solids = 0.0;
  crLanes sum = addBlocks(powers, lanes->walls.count);
  for (int i = 0; i < lanes->solids.count; ++i) {
    solids += powers[places.solids + i];
  }
  sum += addBlocks(powers + places.odd, lanes->pairs.count - crFindOrdered(&lanes->pairs));
  for (int i = places.blocks; i < places.end; i += CR_BALL_WIDTH) {
    sum += load(powers + i);
  }
  return sum[0] + sum[1] + sum[2] + sum[3] + solids;
}
