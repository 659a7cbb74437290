// Steps end where forces have kinks (model/eval/kink.h): at the first one in a step.
//
// With w the frequency behind the kink and a step h that leads past it by a share s of itself, the step misses a push
// of (w h s)^2 / 2 of the velocity. One that starts before it by as much is wrong by some (w h)^2 s / 10. So steps end
// a little behind kinks, where the polynomial of the step tells, which is not that of the step taken again: by a share
// of about the tenth part of the root of the tolerance.
#include "island/island.h"
#include "model/eval/kink.h"

#include <string.h>

#define CR_MOST_ENDS 4      // times that a step is taken again to end at a kink
#define CR_MOST_LOOKS 80    // at the polynomial, for one kink
#define CR_START_SHARE 1e-3 // [tolerance] of the way of a kink's function in a step: nearer to zero it starts there,
#define CR_END_SHARE 0.1    // [root of the tolerance] and ends there
#define CR_AIM_SHARE 0.1    // [-] of the latter: where a step is to end
#define CR_TIME_SHARE 1e-12 // [-] of a step: no kink is placed more closely
#define CR_MOST_PEAKS 6     // looks for what begins and ends inside a step,
#define CR_LEAST_PLACE 1e-4 // [-] of the step, apart and from its ends
#define CR_LEAST_WAY 1e-9   // [-] of its way in the step: what goes no farther to the other side is not there
#define CR_PEAK_DOUBT 0.02  // [-] of its way: by which a parabola may be off

// Kinks at a time of the segment.
static crStatus look(crWorker* worker, const crIsland* island, double t, crKink* out)
{
  crTreeSet set = { island->trees, island->treeCount, NULL };
  crSegment_Interpolate(&island->segment, t, 0, island->treeStates, worker->scratch);
  crInstance_SetPhase(worker->probe, set, island->hasSignals ? island->phase : NAN);
  crInstance_SetState(worker->probe, set, t, worker->scratch);
  crStatus status = crInstance_Eval(worker->probe, set, cr_stageVelocity);
  worker->probed.component = -1; // it is not where it was
  if (status == cr_ok) {
    crInstance_FindKinks(worker->probe, set, out);
  }
  return status;
}

static bool haveOtherSigns(const crKink* a, const crKink* b)
{
  return (a->value > 0.0) != (b->value > 0.0);
}

// Between two times, and not at one of them.
static bool isPassed(const crKink* from, const crKink* to, double relTol)
{
  double a = fabs(from->value), b = fabs(to->value), way = fmax(a, b), noise = fmax(from->noise, to->noise);
  bool isStart = a <= fmax(noise, CR_START_SHARE * relTol * way);
  bool isEnd = b <= fmax(noise, CR_END_SHARE * sqrt(relTol) * way);
  return haveOtherSigns(from, to) && !isStart && !isEnd;
}

// The earliest of all zeros between two times, if their functions were straight; infinity: there is none.
static double findEarliest(int count, const crKink* from, const crKink* to, double t0, double t1)
{
  double first = HUGE_VAL;
  for (int k = 0; k < count; ++k) {
    if (haveOtherSigns(&from[k], &to[k])) {
      first = fmin(first, t0 + (t1 - t0) * from[k].value / (from[k].value - to[k].value));
    }
  }
  return first;
}

// Where a function that has one sign at both ends of the segment would be farthest towards the other, as a parabola
// through a third place [-] of the segment. outPeak: how far; positive where it would have that.
static double findPeak(double from, double at, double to, double x, double* outPeak)
{
  double sign = from > 0.0 ? -1.0 : 1.0, f0 = sign * from, fx = sign * at, f1 = sign * to;
  double a = ((fx - f0) / x - (f1 - f0)) / (x - 1.0), b = f1 - f0 - a, place = a < 0.0 ? -0.5 * b / a : x;
  *outPeak = place > 0.0 && place < 1.0 ? f0 + (a * place + b) * place : -HUGE_VAL;
  return place;
}

// What begins and ends inside the segment: looks where it would be farthest, for the one of all that would be
// the farthest. outTime: where some function has another sign than at the ends, which then stand in the second set;
// infinity: nowhere.
static crStatus findInside(crWorker* worker, const crIsland* island, double* outTime)
{
  const crSegment* segment = &island->segment;
  int count = island->kinkCount;
  crKink *from = worker->kinks, *to = from + count, *middle = to + count;
  double h = segment->t1 - segment->t0, x = 0.5;
  *outTime = HUGE_VAL;
  for (int i = 0; i < CR_MOST_PEAKS && x > CR_LEAST_PLACE && x < 1.0 - CR_LEAST_PLACE; ++i) {
    crStatus status = look(worker, island, segment->t0 + x * h, middle);
    if (status != cr_ok) {
      return status;
    }
    double best = 0.0, next = 0.0;
    for (int k = 0; k < count; ++k) {
      double way = fmax(fabs(middle[k].value - from[k].value), fabs(middle[k].value - to[k].value)), peak;
      if (haveOtherSigns(&from[k], &to[k]) || fabs(from[k].value) <= from[k].noise) {
        continue;
      }
      if (haveOtherSigns(&from[k], &middle[k]) && fabs(middle[k].value) > fmax(middle[k].noise, CR_LEAST_WAY * way)) {
        *outTime = segment->t0 + x * h;
      }
      double place = findPeak(from[k].value, middle[k].value, to[k].value, x, &peak);
      if (peak + CR_PEAK_DOUBT * way > best) { // a parabola is not all of it
        best = peak + CR_PEAK_DOUBT * way;
        next = place;
      }
    }
    if (isfinite(*outTime)) {
      memcpy(to, middle, (size_t)count * sizeof *to);
      return cr_ok;
    }
    x = fabs(next - x) > CR_LEAST_PLACE ? next : 0.0;
  }
  return cr_ok;
}

// Time behind which the first kink of the segment is closely, up to a time; kinks at its start and then are known.
static crStatus findFirst(crWorker* worker, const crIsland* island, double end, double* outTime)
{
  const crSegment* segment = &island->segment;
  int count = island->kinkCount;
  crKink *from = worker->kinks, *to = from + count, *middle = to + count;
  double low = segment->t0, high = end, least = CR_TIME_SHARE * (high - low);
  crStatus status = cr_ok;
  for (int i = 0; i < CR_MOST_LOOKS && status == cr_ok && high - low > least; ++i) {
    double t = findEarliest(count, from, to, low, high);
    if (i % 3 == 2 || !(t > low && t < high)) { // straight lines may come nearer from one side only
      t = 0.5 * (low + high);
    }
    if (!(t > low && t < high)) {
      break;
    }
    status = look(worker, island, t, middle);
    bool isBehind = status == cr_ok && isfinite(findEarliest(count, from, middle, low, t));
    crKink** side = isBehind ? &to : &from;
    crKink* other = *side;
    *side = middle;
    middle = other;
    low = isBehind ? low : t;
    high = isBehind ? t : high;
  }
  *outTime = high;
  return status;
}

crStatus crIsland_EndAtKink(crWorker* worker, crIsland* island)
{
  const crSegment* segment = &island->segment;
  double relTol = island->owner->relTol;
  int count = island->kinkCount;
  if (count == 0 || island->multistep != NULL) {
    return cr_ok;
  }
  for (int i = 0; i < CR_MOST_ENDS; ++i) {
    crKink *from = worker->kinks, *to = from + count;
    crStatus status = look(worker, island, segment->t0, from);
    status = status == cr_ok ? look(worker, island, segment->t1, to) : status;
    bool isAny = false;
    for (int k = 0; k < count && status == cr_ok; ++k) {
      isAny = isAny || isPassed(&from[k], &to[k], relTol);
    }
    double end = segment->t1, t = HUGE_VAL;
    status = status == cr_ok ? crIsland_MakeDense(worker, island) : status;
    if (status == cr_ok && !isAny) {
      status = findInside(worker, island, &end);
      isAny = isfinite(end);
    }
    if (status == cr_ok && isAny) {
      status = findFirst(worker, island, end, &t);
    }
    if (status != cr_ok || !isAny) {
      return status > 0 ? cr_ok : status; // what refuses there is not known, and for others to tell
    }
    t += CR_AIM_SHARE * CR_END_SHARE * sqrt(relTol) * (t - segment->t0);
    if (!(t > segment->t0 && t < segment->t1)) {
      return cr_ok;
    }
    status = crIsland_StepTo(worker, island, t);
    if (status != cr_ok) {
      return status;
    }
    island->memory.h = 0.0; // what comes behind may be over in a small part of such a step
  }
  return cr_ok;
}
