// Random boxes and hulls that tumble on each other and on a floor (support/tumble.h): does every run come to its end,
// does every contact begin where the search aims at, and is none overlooked?
//
// usage: tumble_fuzz [FIRST [COUNT [SAMPLE [SOLVER]]]]        SAMPLE [s]: look at all distances that often
//
// Prints a line for each run that is wrong, and for each of a single one. Fails when there are any.
#include "support/tumble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CR_DEEPEST 2.1 // [-] depth over hysteresis at which contacts begin, or are overlooked, at most
#define CR_ENERGY 1e-3 // [-] of the energy that may be unexplained at the loosest tolerance

static bool judge(const crTumblePlan* plan, bool isTold)
{
  crTumbleResult r = crRunTumble(plan);
  double error = fabs(r.unexplained) / r.energy;
  bool isRight =
      r.status == cr_ok && r.deepestStart <= CR_DEEPEST && r.deepestMissed <= CR_DEEPEST && error < CR_ENERGY;
  if (!isRight || isTold) {
    printf("%llu: n %d E %.1e tol %.1e cor %g mu %g%s%s: %s, %.4f s, start %.3g, missed %.3g, energy %.1e, steps %lld "
           "events %lld contacts %lld distances %lld, %.2f s %s\n",
           (unsigned long long)plan->seed, plan->bodyCount, plan->E, plan->tolerance, plan->cor, plan->muK,
           plan->hasPlate ? " plate" : "", plan->islands == cr_islandsOff ? " whole" : "", crStatus_GetText(r.status),
           r.time, r.deepestStart, r.deepestMissed, error, (long long)r.steps, (long long)r.events,
           (long long)r.contacts, (long long)r.distances, r.cpuSeconds, r.message);
    fflush(stdout);
  }
  return isRight;
}

int main(int argc, char** argv)
{
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long count = argc > 2 ? strtol(argv[2], NULL, 10) : argc > 1 ? 1 : 200, wrong = 0;
  for (long i = 0; i < count; ++i) {
    crTumblePlan plan = crMakeTumblePlan(first + (uint64_t)i);
    plan.sample = argc > 3 ? strtod(argv[3], NULL) : 0.0;
    plan.solver = argc > 4 ? (crSolverKind)strtol(argv[4], NULL, 10) : cr_solverAuto;
    wrong += !judge(&plan, count == 1);
  }
  printf("%ld of %ld runs are wrong\n", wrong, count);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
