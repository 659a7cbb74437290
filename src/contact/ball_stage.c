// Contacts of balls in the stages of a step: those that are for lanes, their forces, and what sums need of them.
#include "contact/ball_stage.h"

#include "contact/ball_push.h"
#include "contact/contact_group.h"

#define CR_LEAST_BALLS 4 // contacts of balls from which on lanes are faster than one by one

struct crBallStage {
  crAllocator allocator;
  crBallLists lists;     // a, b: bodies
  crArrayOf(int) places; // (lists.count) of the contacts in the set
  crArrayOf(int) others; // contacts that are evaluated one by one, ascending
};

crStatus crCreateBallStage(const crAllocator* allocator, crBallStage** outStage)
{
  crAllocator chosen = crChooseAllocator(allocator);
  *outStage = crAllocateZero(&chosen, 1, sizeof **outStage);
  if (*outStage == NULL) {
    return cr_errorMemory;
  }
  (*outStage)->allocator = chosen;
  return cr_ok;
}

void crDestroyBallStage(crBallStage* stage)
{
  if (stage != NULL) {
    crAllocator allocator = stage->allocator;
    crBallLists_Free(&allocator, &stage->lists);
    crArray_Free(&stage->places, &allocator);
    crArray_Free(&stage->others, &allocator);
    crFree(&allocator, stage, sizeof *stage);
  }
}

// ------------------------------------------------------------------------------------------------ listing

static bool isForLanes(const crContacts* contacts, int place)
{
  const crTouchingPair* pair = &contacts->pairs.items[place];
  const crContact* contact = &contacts->contacts.items[place];
  const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
  return pair->path == cr_touchSpheres && a->stateTree >= 0 && b->stateTree >= 0 && a->isCentred && b->isCentred &&
         !a->hasSurfaceVelocity && !b->hasSurfaceVelocity && contact->bristle.count == 0 &&
         crIsBallLaw(pair->law, contact->memory.exponent) && (!contacts->hasGroups || crIsAlone(contacts, place));
}

static bool listBall(crBallStage* stage, const crContacts* contacts, int place)
{
  const crTouchingPair* pair = &contacts->pairs.items[place];
  const crShapeFacts *a = &contacts->facts[pair->shapeA], *b = &contacts->facts[pair->shapeB];
  int* own = crArray_Push(&stage->places, &stage->allocator);
  if (own == NULL || !crBallLists_Reserve(&stage->allocator, &stage->lists, stage->lists.count + 1)) {
    return false;
  }
  *own = place;
  crBallLists_Push(&stage->lists, a->body, b->body, &contacts->contacts.items[place].memory, pair->law,
                   a->half + b->half, a->half - b->half);
  return true;
}

static bool listOther(crBallStage* stage, int place)
{
  int* own = crArray_Push(&stage->others, &stage->allocator);
  if (own != NULL) {
    *own = place;
  }
  return own != NULL;
}

bool crBallStage_List(crBallStage* stage, const crContacts* contacts, bool* outIsWorth)
{
  bool isGood = true;
  *outIsWorth = false;
  if (contacts->pairs.count < CR_LEAST_BALLS) {
    return true;
  }
  stage->lists.count = stage->places.count = stage->others.count = 0;
  for (int k = 0; k < contacts->pairs.count && isGood; ++k) {
    isGood = isForLanes(contacts, k) ? listBall(stage, contacts, k) : listOther(stage, k);
  }
  *outIsWorth = isGood && stage->lists.count >= CR_LEAST_BALLS;
  if (*outIsWorth) {
    crBallLists_Pad(&stage->lists);
  }
  return isGood;
}

const int* crBallStage_GetOthers(const crBallStage* stage, int* outCount)
{
  *outCount = stage->others.count;
  return stage->others.items;
}

// ------------------------------------------------------------------------------------------------- forces

static inline __attribute__((always_inline)) void gather(const crBallLists* lists, int i, const crInstance* instance,
                                                         bool isEven, Block* block, int place)
{
  crLanes D[CR_BALL_WIDTH], v[CR_BALL_WIDTH], wA[CR_BALL_WIDTH], wB[CR_BALL_WIDTH];
  for (int l = 0; l < CR_BALL_WIDTH; ++l) {
    int a = lists->a[i + l], b = lists->b[i + l];
    const crMotionL *ofA = &instance->V[a], *ofB = &instance->V[b];
    D[l] = instance->places[b].p - instance->places[a].p;
    v[l] = ofB->v - ofA->v;
    wA[l] = isEven ? ofA->w + ofB->w : ofA->w;
    wB[l] = isEven ? ofB->w - ofA->w : ofB->w;
  }
  put4(block->D, place, turn(D));
  put4(block->v, place, turn(v));
  put4(block->wA, place, turn(wA));
  put4(block->wB, place, turn(wB));
}

static inline __attribute__((always_inline)) void scatter(const crBallLists* lists, int i, Block* block, int place,
                                                          bool isEven, crInstance* instance)
{
  crLanes f[CR_BALL_WIDTH], tA[CR_BALL_WIDTH], tB[CR_BALL_WIDTH];
  turnBack(get4(block->D, place), f);
  turnBack(get4(block->wA, place), tA);
  if (!isEven) {
    turnBack(get4(block->wB, place), tB);
  }
  for (int l = 0; l < CR_BALL_WIDTH; ++l) {
    crWrenchL *onA = &instance->F[lists->a[i + l]], *onB = &instance->F[lists->b[i + l]];
    onB->f += f[l];
    onA->f -= f[l];
    onB->t += isEven ? tA[l] : tB[l];
    onA->t += tA[l];
  }
}

// Returns 0; NaN: not finite.
static inline __attribute__((always_inline)) crLanes pushSome(const crBallLists* lists, crInstance* instance,
                                                              bool isEven)
{
  int count = (lists->count + CR_BALL_WIDTH - 1) / CR_BALL_WIDTH * CR_BALL_WIDTH;
  crLanes check = splat(0.0);
  Block block;
  for (int start = 0; start < count; start += CR_BALL_BLOCK) {
    int end = endBlock(start, count);
    for (int i = start; i < end; i += CR_BALL_WIDTH) {
      gather(lists, i, instance, isEven, &block, i - start);
    }
    check += 0.0 * pushBlock(lists, start, end, &block, true, isEven);
    for (int i = start; i < end; i += CR_BALL_WIDTH) {
      Vectors4 f = get4(block.D, i - start);
      check += 0.0 * (f.x + f.y + f.z + load(lists->points + (size_t)cr_pointForce * (size_t)lists->room + i));
      scatter(lists, i, &block, i - start, isEven, instance);
    }
  }
  return check;
}

double crBallStage_Push(const crBallStage* stage, crInstance* instance)
{
  const crBallLists* lists = &stage->lists;
  crLanes check = lists->isUneven ? pushSome(lists, instance, false) : pushSome(lists, instance, true);
  return check[0] + check[1] + check[2] + check[3];
}

// --------------------------------------------------------------------------------------------------- sums

static const double* getPoints(const crBallStage* stage, int kind)
{
  return stage->lists.points + (size_t)kind * (size_t)stage->lists.room;
}

double crBallStage_SumDissipation(const crBallStage* stage)
{
  const double* powers = getPoints(stage, cr_pointPower);
  double sum = 0.0;
  for (int i = 0; i < stage->lists.count; ++i) {
    sum += powers[i];
  }
  return sum;
}

void crBallStage_BeginSums(const crBallStage* stage, crContacts* contacts, double ofStart, double ofStage)
{
  for (int i = 0; i < stage->lists.count; ++i) {
    crContact* contact = &contacts->contacts.items[stage->places.items[i]];
    contact->hasSums = true;
    contact->impulseSum = ofStart * contact->start.force;
    contact->dissipationSum = ofStart * contact->start.power;
    contact->slideSum = ofStart * contact->start.slide;
    contact->releaseSum = ofStart * contact->start.release;
  }
  crBallStage_AddToSums(stage, contacts, ofStage);
}

void crBallStage_AddToSums(const crBallStage* stage, crContacts* contacts, double ofStage)
{
  const double *forces = getPoints(stage, cr_pointForce), *powers = getPoints(stage, cr_pointPower);
  const double *depths = getPoints(stage, cr_pointDepth), *rates = getPoints(stage, cr_pointRate);
  const double* slips = getPoints(stage, cr_pointSlip);
  for (int i = 0; i < stage->lists.count; ++i) {
    crContact* contact = &contacts->contacts.items[stage->places.items[i]];
    contact->impulseSum += ofStage * forces[i];
    contact->dissipationSum += ofStage * powers[i];
    contact->slideSum += forces[i] > 0.0 ? ofStage * slips[i] : 0.0;
    contact->releaseSum -= ofStage * stage->lists.k[i] * depths[i] * sqrt(depths[i]) * rates[i];
  }
}
