// What a step may win or lose by its own errors: its energy is judged beside the estimate of its method.
#include "island/island_judge.h"
#include "island/island.h"
#include "model/eval/free_body.h"

#include <float.h>

#define CR_SPILL_SHARE 0.5      // [-] times the tolerance: energy that a step may win or lose by what contacts store
#define CR_SPILL_REST 1e-5      // [J/kg] that count where nothing moves: a tenth of those of the error test
#define CR_SPILL_TOLERANCE 5e-7 // [-] beyond which what a step may win or lose does not grow with the tolerance,
#define CR_SPILL_LEAST 0.004    // [-] down to this share of it: errors of thousands of steps add up
#define CR_SPILL_ROUGH 40.0  // [-] times that, where the tolerance of speeds is what rounding errors of contacts leave
#define CR_SPILL_CREEP 1e-2  // [m/s] times the tolerance: speeds that are none
#define CR_SPILL_NOISE 200.0 // [-] times rounding errors, likewise

// [J] What a step wins: free bodies have more energy, and contacts have lost more, than was there and what moving
// surfaces put in.
static double findGain(const crIsland* island, const crSpill* sum, const crSegment* step, double* ioNoise)
{
  const crModel* model = island->owner->model;
  const double *y0 = step->y0, *y1 = step->y1;
  double gain = sum->rise, size = 0.0, before, after;
  for (int k = 0; k < island->treeCount; ++k, y0 += CR_FREE_STATES, y1 += CR_FREE_STATES) {
    gain += crFindFreeEnergy(model, island->trees[k], y1, &after);
    gain -= crFindFreeEnergy(model, island->trees[k], y0, &before);
    size += fabs(after) + fabs(before);
  }
  const double *e0 = step->y0 + island->stateCount, *e1 = step->y1 + island->stateCount;
  gain += e1[cr_balanceDissipated] - e0[cr_balanceDissipated] - (e1[cr_balanceWork] - e0[cr_balanceWork]);
  *ioNoise += DBL_EPSILON * size;
  return gain;
}

// Of the stabilized method, which has no sums over its stages: energy at both ends. [-] In units of what it may win.
static double judgeStabilized(const crIsland* island, double tolerance, const crSegment* step)
{
  crSpill sum = { .isWhole = true };
  double noise = 0.0;
  for (int k = 0; k < island->contacts->contacts.count; ++k) {
    const crContact* contact = &island->contacts->contacts.items[k];
    sum.isWhole = sum.isWhole && contact->stored == contact->force.elastic;
    sum.rise += contact->stored - contact->start.stored;
  }
  bool isKnown =
      island->areFree && !island->isRaised && sum.isWhole && island->n == island->stateCount + CR_BALANCE_COUNT;
  double gain = isKnown ? fabs(findGain(island, &sum, step, &noise)) : 0.0;
  return gain / (tolerance * crIsland_FindEnergy(island, CR_REST_ENERGY) + CR_SPILL_NOISE * noise);
}

// What contacts store is a function of the poses, so that a step that is right has taken it from the bodies. Of free
// bodies all energy is known, so that losses are judged, too, and steps that were chosen by an estimate of low order.
double crJudgeStep(void* context, double relTol, const crSegment* step)
{
  const crIsland* island = context;
  double share = fmin(relTol, fmax(CR_SPILL_TOLERANCE, CR_SPILL_LEAST * relTol));
  if (step->kind == cr_stepRkc2) {
    return judgeStabilized(island, share, step);
  }
  crSpill sum = crContacts_FindSpill(island->contacts);
  double off = fabs(sum.spill) / CR_SPILL_SHARE, noise = sum.noise;
  double tolerance =
      share * (island->isRaised ? CR_SPILL_ROUGH : 1.0); // speeds are no better than rounding lets them be
  if (island->areFree && !island->isRaised && sum.isWhole && island->n == island->stateCount + CR_BALANCE_COUNT) {
    off = fmax(off, fabs(findGain(island, &sum, step, &noise)));
  }
  // and what rests has speeds of less than their tolerance, whose work in a step of minutes says nothing
  noise = CR_SPILL_NOISE * noise + CR_SPILL_CREEP * relTol * sum.load * (step->t1 - step->t0);
  if (off <= tolerance * sum.stored + noise) {
    return 0.0;
  }
  return off /
         (tolerance * (sum.stored + crIsland_FindEnergy(island, island->isRaised ? CR_REST_ENERGY : CR_SPILL_REST)) +
          noise);
}
