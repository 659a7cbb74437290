// The order of explicit steps in islands of a few balls, and in impacts of one or two free bodies. Inside a contact of
// balls everything is smooth, and order 8 takes steps three to four times as long as those of order 5, at twice the
// evaluations. Where a contact begins or ends the force is the 3/2 power of a depth, and order 5 is better. So steps
// are of order 8 where they are short against the time in which any depth of a contact falls to 0, forwards or
// backwards, if it goes on as it does.
//
//   order 5 ── the way to both ends of contacts is long ──► order 8 ── it is short ──► order 5, as long as it was
//
// Their polynomial is that of degree 5 (`isBrief`), which takes no evaluations.
//
// The force of a patch has kinks where edges come in and go out, and patches are dear. So order 8 is given up there at
// the first attempt that fails (stepper.c), and taken up again behind some steps of order 5; and the last step of a
// contact is aimed at its end, where the next kink is.
#include "island/island.h"

#include <math.h>

#define CR_HIGH_TOLERANCE 2e-6 // [-] below which order 8 takes less time
#define CR_END_SHARE 1.0       // [-] of the way to the nearest end of a contact, that a step of order 8 may be long
#define CR_HIGH_WORTH 2.5      // [-] steps of order 5 that it is long, at least
#define CR_HIGH_FIRST 3.0      // [-] that the first one is long
#define CR_AREA_BODIES 2       // of an impact by area: several tremble, which has more kinks than order 8 is worth
#define CR_AREA_TOLERANCE 1e-9 // [-] from which on: patches have steep places that are narrower than its steps
#define CR_AREA_SHARE 0.5      // [-] CR_END_SHARE and
#define CR_AREA_FIRST 2.5      // CR_HIGH_FIRST of contacts by area
#define CR_AREA_BEGIN 0.4      // [-] of the step that is tried where any contact begins: half of these failed, or two
#define CR_AREA_PEAK 1.5       // [-] of a step: how far ahead is seen when a contact is deepest
#define CR_AREA_PAUSE 25       // steps of order 5, where stability holds order 8 back: they tell whether it does
#define CR_AIM_BEYOND 1.01     // [-] of the way to the end of a contact, to which a step goes that would come near it
#define CR_MOST_PHASE 3.0      // [-] h omega from which on nothing moves that is larger than rounding: what rests

static bool isSmooth(const crTouchingPair* pair, const crContact* contact, bool isArea)
{
  return pair->path != cr_touchAny && (isArea || pair->path != cr_touchArea) &&
         pair->law->response != cr_responseUser && contact->bristle.count == 0;
}

static bool touchesByArea(const crIsland* island)
{
  const crContacts* contacts = island->contacts;
  bool is = false;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    is = is || contacts->pairs.items[k].path == cr_touchArea;
  }
  return is;
}

// Whether it is a few free balls that touch something, or by area one or two free bodies, and chooses its methods.
static bool isFor(const crIsland* island, bool isArea)
{
  const crIslands* islands = island->owner;
  const crContacts* contacts = island->contacts;
  bool is = islands->relTol < CR_HIGH_TOLERANCE && contacts->contacts.count > 0 && island->treeCount <= CR_MOST_BALLS &&
            !island->isCrowd && island->kinkCount == 0 && crIslands_GetFixedKind(islands) == NULL;
  for (int k = 0; k < island->treeCount && is && !isArea; ++k) {
    is = islands->model->areRound[island->trees[k]];
  }
  if (isArea) {
    is = is && islands->relTol >= CR_AREA_TOLERANCE && island->treeCount <= CR_AREA_BODIES && !contacts->hasGroups &&
         crIsland_AreFree(island);
  }
  for (int k = 0; k < contacts->contacts.count && is; ++k) {
    is = isSmooth(&contacts->pairs.items[k], &contacts->contacts.items[k], isArea);
  }
  return is;
}

double crIsland_GetFirstShare(const crIsland* island)
{
  return touchesByArea(island) && isFor(island, true) ? CR_AREA_BEGIN : 1.0;
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

// Whether a contact by area may be deepest in the next step: that is told by a cubic through depths and rates at its
// ends, which is not good enough for long ones.
static bool mayPeak(const crIsland* island, double step)
{
  const crContacts* contacts = island->contacts;
  bool may = false;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContactPoint* start = &contacts->contacts.items[k].start;
    double change = CR_AREA_PEAK * step * start->force * findPerMass(island, &contacts->pairs.items[k]);
    may = may || (start->rate > 0.0 && start->rate < change);
  }
  return may;
}

// A step that comes near to where a contact ends goes there, or half of the way: there is a kink, and none before.
static void aimAtEnd(crIsland* island)
{
  const crContacts* contacts = island->contacts;
  crStepMemory* memory = &island->memory;
  double way = HUGE_VAL;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContactPoint* start = &contacts->contacts.items[k].start;
    way = start->depth > 0.0 && start->rate < 0.0 ? fmin(way, -start->depth / start->rate) : way;
  }
  if (memory->h > 0.5 * way) {
    memory->h = memory->h > way ? CR_AIM_BEYOND * way : 0.5 * way;
  }
}

// Before a step. Where bodies rest order 8 would take steps that are stable only since nothing moves: order 5 tells
// that stability holds it back.
void crIsland_ChooseOrder(crIsland* island)
{
  crStepMemory* memory = &island->memory;
  bool isHigh = memory->isBrief && memory->kind == cr_stepDop853, isArea = touchesByArea(island);
  memory->isDear = false;
  if (!(isHigh || memory->kind == cr_stepDopri5) || !(memory->h > 0.0) || !isFor(island, isArea)) {
    return;
  }
  memory->isDear = isArea;
  double share = isArea ? CR_AREA_SHARE : CR_END_SHARE, first = isArea ? CR_AREA_FIRST : CR_HIGH_FIRST;
  double limit = share * findWay(island->contacts), low = isHigh ? memory->lowStep : memory->h;
  double next = fmin(isHigh ? memory->h : first * low, limit);
  bool rests = next * next * findFrequency(island) > CR_MOST_PHASE * CR_MOST_PHASE;
  bool isWorth = limit > CR_HIGH_WORTH * low && !rests && (isHigh || memory->lowSteps == 0);
  isWorth = isWorth && !(isArea && mayPeak(island, next));
  if (isWorth) {
    memory->h = next;
    memory->lowStep = low;
    memory->kind = cr_stepDop853;
  } else if (isHigh) {
    memory->h = rests ? next / CR_HIGH_FIRST : low;
    memory->kind = cr_stepDopri5;
  }
  memory->isBrief = isWorth;
  if (isArea && !isWorth) {
    aimAtEnd(island);
  }
}

bool crIsland_LeaveHighOrder(crIsland* island)
{
  crStepMemory* memory = &island->memory;
  if (!(memory->isDear && memory->isBrief)) {
    return false;
  }
  memory->kind = cr_stepDopri5;
  memory->isBrief = false;
  memory->h = memory->lowStep;
  memory->lowSteps = CR_AREA_PAUSE;
  memory->stiffHits = 0;
  return true;
}

double crIsland_GetLowStep(const crIsland* island)
{
  const crStepMemory* memory = &island->memory;
  bool isHigh = memory->isBrief && memory->kind == cr_stepDop853;
  return isHigh ? memory->lowStep : memory->kind == cr_stepDopri5 ? memory->h : 0.0;
}
