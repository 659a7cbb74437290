// Once a step of an island is final: what its contacts have summed up over it, and what follows from that.
#include "island/island_problem.h"
#include "model/loop/loop.h"

#define CR_MOST_PEAKS 8     // contacts of an island up to which their peaks are worth evaluations
#define CR_PEAK_SHARE 100.0 // [tolerance] relative error of a peak from which on it is
#define CR_NEAR_SHARE 1e-6  // [-] of the step: inside its ends, for accelerations

// Evaluates the island at the state y + step f.
static crStatus evalNear(crWorker* worker, crIsland* island, double t, double step, const double* y, const double* f)
{
  if (!crReserve(&island->owner->allocator, &worker->scratch, &worker->scratchCapacity, island->n, sizeof(double))) {
    return cr_errorMemory;
  }
  for (int i = 0; i < island->n; ++i) {
    worker->scratch[i] = y[i] + step * f[i];
  }
  return crIsland_EvalAt(island, t + step, worker->scratch);
}

// Sums over a step of another library's method, which has no stages: by the formula of Gauss and Lobatto with five
// points on its polynomial.
static crStatus sumSegment(crWorker* worker, crIsland* island)
{
  static const double nodes[3] = { 0.17267316464601142810, 0.5, 0.82732683535398857190 };
  static const double weights[3] = { 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0 };
  const crSegment* segment = &island->segment;
  double h = segment->t1 - segment->t0, ofEnd = h / 20.0;
  if (!crReserve(&island->owner->allocator, &worker->scratch, &worker->scratchCapacity, island->n, sizeof(double))) {
    return cr_errorMemory;
  }
  crStatus status = cr_ok;
  for (int i = 0; i < 3 && status == cr_ok; ++i) {
    double t = segment->t0 + nodes[i] * h;
    crSegment_Interpolate(segment, t, 0, island->n, worker->scratch);
    status = crIsland_EvalAt(island, t, worker->scratch);
    if (status == cr_ok && i == 0) {
      crContacts_BeginSums(island->contacts, ofEnd, weights[i] * h);
    } else if (status == cr_ok) {
      crContacts_AddToSums(island->contacts, weights[i] * h);
    }
  }
  if (status == cr_retry) {
    crContacts_DropSums(island->contacts);
  }
  crStatus atEnd = status < 0 ? status : crIsland_EvalEnd(island);
  if (status == cr_ok && atEnd == cr_ok) {
    crContacts_AddToSums(island->contacts, ofEnd);
  }
  return atEnd;
}

// Rates of contacts a little inside both ends of the segment. outStep [s]: that far; 0: f refuses there.
static crStatus lookNear(crWorker* worker, crIsland* island, double* outStep)
{
  const crSegment* segment = &island->segment;
  double step = CR_NEAR_SHARE * (segment->t1 - segment->t0);
  crStatus status = evalNear(worker, island, segment->t0, step, segment->y0, segment->f0);
  if (status == cr_ok) {
    crContacts_LookNear(island->contacts, false);
    status = evalNear(worker, island, segment->t1, -step, segment->y1, segment->f1);
  }
  if (status == cr_ok) {
    crContacts_LookNear(island->contacts, true);
  }
  *outStep = status == cr_ok ? step : 0.0;
  return status < 0 ? status : crIsland_EvalEnd(island);
}

static crStatus completeContacts(crWorker* worker, crIsland* island)
{
  const crSegment* segment = &island->segment;
  crContacts* contacts = island->contacts;
  double h = segment->t1 - segment->t0, limit = CR_PEAK_SHARE * island->owner->relTol, nearStep = 0.0;
  bool areSteep = false, sums = island->multistep != NULL && contacts->contacts.count > 0 && h > 0.0;
  crStatus status = sums ? sumSegment(worker, island) : cr_ok;
  if (status == cr_ok && crContacts_CompleteSums(contacts, h, limit, &areSteep)) {
    bool isFew = contacts->contacts.count <= CR_MOST_PEAKS && !island->isCrowd; // else there are some in every step
    status = areSteep && isFew && segment->isDense ? lookNear(worker, island, &nearStep) : cr_ok;
    crContacts_CompletePeaks(contacts, h, nearStep);
  }
  return status;
}

// Contacts of a step that lanes took. What is deep is looked at like any other.
static crStatus countLanes(crWorker* worker, crIsland* island, bool* outIsWhole)
{
  const crSegment* segment = &island->segment;
  if (!crBallLanes_SetCrew(island->lanes, crIsland_GetCrew(worker, island))) {
    return cr_errorMemory;
  }
  crStatus status = crBallLanes_Resume(island->lanes, island->contacts, segment->t0, segment->y1,
                                       crIsland_GetScratch(island), outIsWhole);
  if (status != cr_ok || !*outIsWhole) {
    return status;
  }
  if (crBallLanes_AreDeep(island->lanes, CR_DEEP_SHARE)) {
    crBallLanes_Tell(island->lanes, island->contacts, segment->y1);
    status = crWorker_CheckThrough(worker, island);
  }
  crStatus counted = crBallLanes_CountStep(island->lanes, island->contacts, segment->t0, segment->t1, segment->y1);
  return status == cr_ok ? counted : status;
}

static crStatus countContacts(crWorker* worker, crIsland* island)
{
  crStatus status = cr_ok;
  island->tookLanes = island->tookLanes && island->areBalls;
  if (island->tookLanes) {
    status = countLanes(worker, island, &island->tookLanes);
  }
  if (status == cr_ok && !island->tookLanes) {
    status = completeContacts(worker, island);
    status = status == cr_ok ? crWorker_CheckThrough(worker, island) : status;
    status = status == cr_ok ? crWorker_CheckBorder(worker, island, island->segment.t1) : status;
  }
  return status;
}

crStatus crIsland_CountStep(crWorker* worker, crIsland* island)
{
  crIslands* islands = island->owner;
  if (island->isCounted) {
    return cr_ok;
  }
  crStatus status = countContacts(worker, island);
  if (island->multistep == NULL) { // whose steps are taken again from far back
    crContacts_CarryBristles(island->contacts);
  }
  island->policy.time += island->segment.t1 - island->segment.t0;
  island->isCounted = true;
  if (status == cr_ok && island->hasLoops) {
    crInstance_CompleteStep(islands->instance, crIsland_GetSet(island), island->segment.t1, island->segment.y1);
    if (island->multistep != NULL) {
      status = crMultistep_NoteComplete(island->multistep);
      status = status == cr_ok ? crMultistep_CheckLoops(island->multistep) : status;
    }
  }
  bool follows = island->isCrowd || crIsland_IsBusy(island);
  return status == cr_ok && follows ? crWorker_FollowCrowd(worker, island) : status;
}
