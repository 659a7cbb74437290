// The order of explicit steps in islands of a few balls. Inside a contact of balls everything is smooth, and order 8
// takes steps three to four times as long as those of order 5, at twice the evaluations. Where a contact begins or ends
// the force is the 3/2 power of a depth, and order 5 is better. So steps are of order 8 where they are short against
// the time in which any depth of a contact falls to 0, forwards or backwards, if it goes on as it does.
//
//   order 5 ── the way to both ends of contacts is long ──► order 8 ── it is short ──► order 5, as long as it was
//
// Their polynomial is that of degree 5 (`isBrief`), which takes no evaluations.
#include "island/island.h"

#include <math.h>

#define CR_HIGH_TOLERANCE 2e-6 // [-] below which order 8 takes less time
#define CR_END_SHARE 1.0       // [-] of the way to the nearest end of a contact, that a step of order 8 may be long
#define CR_HIGH_WORTH 2.5      // [-] steps of order 5 that it is long, at least
#define CR_HIGH_FIRST 3.0      // [-] that the first one is long
#define CR_MOST_PHASE 3.0      // [-] h omega from which on nothing moves that is larger than rounding: what rests

static bool isSmooth(const crTouchingPair* pair, const crContact* contact)
{
  return pair->path != cr_touchAny && pair->path != cr_touchArea && pair->law->response != cr_responseUser &&
         contact->bristle.count == 0;
}

// Whether it is a few free balls that touch something, and chooses its methods.
static bool isFor(const crIsland* island)
{
  const crIslands* islands = island->owner;
  const crContacts* contacts = island->contacts;
  bool is = islands->relTol < CR_HIGH_TOLERANCE && contacts->contacts.count > 0 && island->treeCount <= CR_MOST_BALLS &&
            !island->isCrowd && island->kinkCount == 0 && crIslands_GetFixedKind(islands) == NULL;
  for (int k = 0; k < island->treeCount && is; ++k) {
    is = islands->model->areRound[island->trees[k]];
  }
  for (int k = 0; k < contacts->contacts.count && is; ++k) {
    is = isSmooth(&contacts->pairs.items[k], &contacts->contacts.items[k]);
  }
  return is;
}

// [s] To the nearest time, before or behind, at which a contact begins or ends, if depths go on as they do. As they are
// at the start of the step: contacts may have been evaluated elsewhere since.
static double findWay(const crContacts* contacts)
{
  double way = HUGE_VAL;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContactPoint* start = &contacts->contacts.items[k].start;
    way = start->depth > 0.0 ? fmin(way, start->depth / fabs(start->rate)) : 0.0;
  }
  return way;
}

// [1/kg] Of what a contact pushes apart.
static double findPerMass(const crIsland* island, const crTouchingPair* pair)
{
  const crShapeFacts *a = &island->contacts->facts[pair->shapeA], *b = &island->contacts->facts[pair->shapeB];
  const crLink* links = island->owner->model->links;
  return (a->stateTree >= 0 ? links[a->body].inverseMass : 0.0) +
         (b->stateTree >= 0 ? links[b->body].inverseMass : 0.0);
}

// [1/s^2] Of the stiffest contact at the start of the step, squared.
static double findFrequency(const crIsland* island)
{
  const crContacts* contacts = island->contacts;
  double most = 0.0;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContact* contact = &contacts->contacts.items[k];
    double stiffness = contact->memory.exponent * contact->start.force / contact->start.depth;
    most = contact->start.depth > 0.0 ? fmax(most, stiffness * findPerMass(island, &contacts->pairs.items[k])) : most;
  }
  return most;
}

// Before a step. Where bodies rest order 8 would take steps that are stable only since nothing moves: order 5 tells
// that stability holds it back.
void crIsland_ChooseOrder(crIsland* island)
{
  crStepMemory* memory = &island->memory;
  bool isHigh = memory->isBrief && memory->kind == cr_stepDop853;
  if (!(isHigh || memory->kind == cr_stepDopri5) || !(memory->h > 0.0) || !isFor(island)) {
    return;
  }
  double limit = CR_END_SHARE * findWay(island->contacts), low = isHigh ? memory->lowStep : memory->h;
  double next = fmin(isHigh ? memory->h : CR_HIGH_FIRST * low, limit);
  bool rests = next * next * findFrequency(island) > CR_MOST_PHASE * CR_MOST_PHASE;
  bool isWorth = limit > CR_HIGH_WORTH * low && !rests;
  if (isWorth) {
    memory->h = next;
    memory->lowStep = low;
    memory->kind = cr_stepDop853;
  } else if (isHigh) {
    memory->h = rests ? next / CR_HIGH_FIRST : low;
    memory->kind = cr_stepDopri5;
  }
  memory->isBrief = isWorth;
}

double crIsland_GetLowStep(const crIsland* island)
{
  const crStepMemory* memory = &island->memory;
  bool isHigh = memory->isBrief && memory->kind == cr_stepDop853;
  return isHigh ? memory->lowStep : memory->kind == cr_stepDopri5 ? memory->h : 0.0;
}
