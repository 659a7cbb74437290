// Which method takes the next step of an island. All of it follows from counts, never from a clock, so that the same
// run chooses the same.
//
//   explicit ── steps held back by stability, a contact there ──► radau5, until a contact begins
//
// is how an island goes on by itself: explicit in flights and impacts, implicit while bodies roll and rest. Where
// contacts come and go all the time, or steps are short for reasons that such a test does not see, it may be better to
// be implicit always. Both policies are tried: after a stretch with the one, the other goes on for a share of its cost,
// and stays if it took less for the same time. Whoever loses waits longer for the next trial.
#include "island/island.h"

#include <math.h>

#define CR_CROWD 16             // trees from which on contacts change inside steps,
#define CR_CROWD_TOLERANCE 1e-5 // [-] if the tolerance is as loose as this
#define CR_SMALL_CROWD 4        // likewise, of bodies that touch by area, at tolerances
#define CR_SMALL_TOLERANCE 1e-4 // [-] as loose as this: their steps hardly cost more by having many stages
#define CR_RESUME_SHARE 0.3     // [-] of the step before, where a contact has begun in a crowd
#define CR_STIFF_STEP 1e-3      // [s] first implicit step; steps adapt by themselves
#define CR_HIGH_ORDER 2e-6      // [-] tolerance below which order 8 takes less time than order 5 for the same error
#define CR_PATIENCE 2000.0      // [evaluations] before the first trial,
#define CR_PATIENCE_GROWTH 2.0  // [-] and how much more before the next one, after one that was lost
#define CR_TRIAL_SHARE 0.15     // [-] of the first patience: what a trial may cost,
#define CR_WARM_SHARE 0.1       // [-] behind what it takes until steps have grown
#define CR_WORTH 0.75           // [-] cost over that of the other policy below which a trial is won
#define CR_IMPACT_STEPS 25      // behind an event that are explicit for good reason
#define CR_STEP_COST 3.0        // [evaluations] of a step: the search for contacts in it, and all that is done once
#define CR_JACOBIAN_COST 2.0    // [evaluations] that are not counted as such
#define CR_FACTOR_COST 1.5      // [evaluations] of a factorization of a small matrix,
#define CR_FACTOR_SIZE 12.0     // [states] and how many more of them cost as much again

// -------------------------------------------------------------------------------------------------- cost

// Contacts that were settled, all of them: no impact goes on, so an implicit method takes the longer steps.
static bool isSettled(const crIsland* island)
{
  bool isSettled = island->contacts->contacts.count > 0;
  for (int i = 0; i < island->contacts->contacts.count; ++i) {
    isSettled = isSettled && island->contacts->contacts.items[i].isSettled;
  }
  return isSettled;
}

static void settle(crIsland* island, bool isSettled)
{
  for (int i = 0; i < island->contacts->contacts.count; ++i) {
    island->contacts->contacts.items[i].isSettled = isSettled;
  }
}

// Right behind an event steps are short because of an impact: explicit ones are, for good reason.
static bool isImpact(const crIsland* island)
{
  return island->policy.stepCount <= CR_IMPACT_STEPS;
}

void crIsland_CountCost(crIsland* island, crStepCounts before, crStepCounts after)
{
  double factors = CR_FACTOR_COST * (1.0 + island->n / CR_FACTOR_SIZE);
  double cost = (double)(after.evaluations - before.evaluations) + CR_STEP_COST * (double)(after.steps - before.steps) +
                CR_JACOBIAN_COST * (double)(after.jacobians - before.jacobians) +
                factors * (double)(after.factorizations - before.factorizations);
  bool isSure =
      island->policy.isImplicit ? isSettled(island) : island->memory.kind == cr_stepRadau5 || isImpact(island);
  island->policy.cost += cost;
  island->policy.doubt += isSure ? 0.0 : cost;
}

// ------------------------------------------------------------------------------------------------- start

bool crIslands_AllowCrowds(const crIslands* islands)
{
  return islands->relTol >= CR_CROWD_TOLERANCE && islands->run->contacts != NULL &&
         crIslands_GetFixedKind(islands) == NULL;
}

bool crIslands_IsCrowd(const crIslands* islands, int treeCount)
{
  return treeCount >= CR_CROWD && crIslands_AllowCrowds(islands);
}

bool crIsland_AreFree(const crIsland* island)
{
  return crModel_HasRateMatrix(island->owner->model, crIsland_GetSet(island)) &&
         island->owner->model->gravity.kind != cr_gravityPointMass;
}

static bool isSmallCrowd(const crIsland* island)
{
  return island->treeCount >= CR_SMALL_CROWD && island->owner->relTol >= CR_SMALL_TOLERANCE && !island->owner->sticks &&
         crIsland_AreFree(island) && !crAreBalls(island->owner->table, crIsland_GetSet(island));
}

bool crIsland_IsLarge(const crIsland* island)
{
  const crIslands* islands = island->owner;
  return islands->relTol >= CR_CROWD_TOLERANCE && islands->run->contacts != NULL &&
         (island->treeCount >= CR_CROWD || isSmallCrowd(island));
}

bool crIsland_IsBusy(const crIsland* island)
{
  const crIslands* islands = island->owner;
  return island->treeCount >= CR_CROWD && islands->relTol < CR_CROWD_TOLERANCE && islands->whole == NULL &&
         !islands->sticks && islands->run->contacts != NULL && crIslands_GetFixedKind(islands) == NULL;
}

// [s] The step to go on with in a crowd that has stepped before: nothing has changed but a few contacts.
static double resumeStep(const crIsland* island)
{
  double h = island->memory.h;
  for (int i = 0; i < island->contacts->contacts.count; ++i) {
    const crContact* contact = &island->contacts->contacts.items[i];
    bool isNew = contact->maxForce == 0.0 && contact->approach > 0.0;
    h = isNew ? fmin(h, CR_RESUME_SHARE * island->memory.h) : h;
  }
  return h;
}

// Where nothing can touch no polynomial is needed but at output points.
static crStepKind chooseExplicit(const crIslands* islands)
{
  bool isSmooth = islands->run->contacts == NULL;
  return isSmooth && islands->relTol < CR_HIGH_ORDER ? cr_stepDop853 : cr_stepDopri5;
}

static void start(crIsland* island, crStepKind kind, double h)
{
  island->memory = crStartMemory(kind, h);
  island->memory.isAlone = island->isAlone;
  island->memory.isLazy = island->owner->run->contacts == NULL;
  island->memory.isChanged = true;
}

// [s] The first step behind an event; 0: it has to be looked for. What begins is only one of many contacts, which have
// told how long their steps may be.
static double chooseFirst(const crIsland* island, double next)
{
  double tolerance = island->owner->relTol * crIsland_FindEnergy(island, CR_REST_ENERGY);
  double first = crIsland_GetFirstShare(island) * crFindFirstStep(island->contacts, tolerance);
  if (island->contacts->contacts.count > 0) {
    first = fmin(first, next);
  }
  return isfinite(first) ? first : 0.0;
}

void crIsland_StartMethod(crIsland* island, double next)
{
  bool wasCrowd = island->isCrowd;
  const crStepKind* fixed = crIslands_GetFixedKind(island->owner);
  double first = chooseFirst(island, next);
  island->policy.stepCount = 0;
  if (island->multistep != NULL) {
    crMultistep_Restart(island->multistep, first);
    return;
  }
  island->isCrowd = crIsland_IsLarge(island) && fixed == NULL;
  if (!(island->isCrowd && wasCrowd)) {
    island->endCount = island->stepCount = 0;
  }
  if (island->isCrowd && wasCrowd && island->memory.h > 0.0) {
    double radius = island->memory.radius;
    start(island, island->memory.kind, resumeStep(island));
    island->memory.radius = radius;
  } else if (island->isCrowd) {
    start(island, cr_stepRkc2, 0.0);
  } else if (fixed != NULL) {
    start(island, *fixed, first);
  } else if (isSettled(island)) {
    start(island, cr_stepRadau5, CR_STIFF_STEP);
  } else if (island->policy.isImplicit) {
    start(island, cr_stepRadau5, first > 0.0 ? first : CR_STIFF_STEP);
  } else {
    start(island, chooseExplicit(island->owner), first);
  }
}

// ------------------------------------------------------------------------------------------------- steps

// Goes on from the last step with the other policy.
static void changePolicy(crIsland* island)
{
  island->policy.isImplicit = !island->policy.isImplicit;
  if (island->policy.isImplicit) {
    start(island, cr_stepRadau5, island->memory.lastStep > 0.0 ? island->memory.lastStep : CR_STIFF_STEP);
  } else {
    settle(island, false); // where they have, that is soon found again
    start(island, chooseExplicit(island->owner), 0.0);
  }
}

static void beginTrial(crIsland* island)
{
  crPolicy* policy = &island->policy;
  policy->isTrial = true;
  policy->isWarm = false;
  policy->rivalRate = policy->cost / policy->time;
  policy->cost = policy->doubt = policy->time = 0.0;
  changePolicy(island);
}

static void endTrial(crIsland* island)
{
  crPolicy* policy = &island->policy;
  bool isWon = policy->cost < CR_WORTH * policy->rivalRate * policy->time;
  policy->isTrial = false;
  policy->patience *= CR_PATIENCE_GROWTH;
  policy->cost = policy->doubt = policy->time = 0.0;
  if (!isWon) {
    changePolicy(island);
  }
}

void crIsland_ConsiderMethod(crIsland* island)
{
  crPolicy* policy = &island->policy;
  if (island->isCrowd || crIslands_GetFixedKind(island->owner) != NULL) {
    return;
  }
  if (policy->isTrial && !policy->isWarm && policy->cost >= CR_WARM_SHARE * CR_PATIENCE) {
    policy->isWarm = true;
    policy->cost = policy->doubt = policy->time = 0.0;
  } else if (policy->isTrial && policy->cost >= CR_TRIAL_SHARE * CR_PATIENCE) {
    endTrial(island);
  } else if (!policy->isTrial && policy->doubt >= fmax(policy->patience, CR_PATIENCE) && policy->time > 0.0) {
    policy->patience = fmax(policy->patience, CR_PATIENCE);
    beginTrial(island);
  }
}

void crIsland_WatchMethod(crIsland* island)
{
  if (island->isCrowd) {
    crIsland_ChooseCrowdMethod(island);
    return;
  }
  ++island->policy.stepCount;
  if (island->policy.isImplicit && !isImpact(island)) {
    settle(island, true);
  }
  bool isHeld = island->memory.kind != cr_stepRadau5 && island->memory.stiffHits >= CR_STIFF_HITS;
  if (!isHeld || crIslands_GetFixedKind(island->owner) != NULL || crIsland_LeaveHighOrder(island)) {
    return;
  }
  if (island->contacts->contacts.count > 0) {
    settle(island, true);
    start(island, cr_stepRadau5, CR_STIFF_STEP);
  } else if (!island->policy.isTrial && island->policy.patience == 0.0) { // the first trial comes at once
    island->policy.patience = CR_PATIENCE;
    island->policy.doubt = fmax(island->policy.doubt, CR_PATIENCE);
  }
}
