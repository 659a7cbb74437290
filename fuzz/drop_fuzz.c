// Random bodies dropped on each other and on a floor (support/drop.h), each run judged by its energy.
//
// usage: drop_fuzz [--count N] [--mixed] [--lossy] [--E E] [--tolerance T] [--seed N] [--islands-off] [--stop T]
//                  [--far X]
//
// With --count: that run alone. Without: 6, 20 and 100 bodies, boxes and mixed, E = 1e7, 1e9 and 2.1e11, tolerances
// 1e-5, 1e-7 and 1e-9, without and with losses; 108 runs, of which each prints a line. Fails when a run fails or never
// ends, when energy is unexplained (more than 1e-5 of that at the start, or than the tolerance), when a body is
// below the floor, or when bodies with losses do not come to rest.
#include "support/drop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_REST_SHARE 1e-4 // [-] of the energy at the start that may be kinetic at rest

static bool judge(const crDropPlan* plan)
{
  crDropResult r = crRunDrop(plan);
  double error = crDropResult_Error(&r);
  bool isRight = r.status == cr_ok && error <= crDropPlan_FindLimit(plan) && r.lowest > 0.0 &&
                 (plan->cor >= 1.0 || r.kinetic <= CR_REST_SHARE * r.energy);
  printf("%5d %-5s %-8s %8.1e %8.0e | %9.3g %9.1e %9.1e %9.3g %9.1e %8lld %7lld %9.3f  %s\n", plan->count,
         plan->isMixed ? "mixed" : "boxes", plan->cor < 1.0 ? "lossy" : "lossless", plan->E, plan->tolerance, r.energy,
         r.change + r.dissipated, error, r.kinetic, r.depth, (long long)r.steps, (long long)r.contacts, r.cpuSeconds,
         isRight ? "" : "WRONG");
  if (r.status != cr_ok) {
    printf("      at %.6f s: %s %s\n", r.time, crStatus_GetText(r.status), r.message);
  }
  fflush(stdout);
  return isRight;
}

static void printHead(void)
{
  printf("%5s %-5s %-8s %8s %8s | %9s %9s %9s %9s %9s %8s %7s %9s\n", "count", "kinds", "losses", "E", "tol",
         "energy J", "unexpl. J", "error", "kinetic J", "depth m", "steps", "contacts", "CPU s");
}

static int judgeAll(void)
{
  static const int counts[] = { 6, 20, 100 };
  static const double moduli[] = { 1e7, 1e9, 2.1e11 }, tolerances[] = { 1e-5, 1e-7, 1e-9 };
  int wrong = 0;
  printHead();
  for (int i = 0; i < 108; ++i) {
    crDropPlan plan = crMakeDropPlan(counts[i / 36], i % 2 == 1, i / 2 % 2 == 1);
    plan.E = moduli[i / 4 % 3];
    plan.tolerance = tolerances[i / 12 % 3];
    wrong += !judge(&plan);
  }
  printf("%d runs are wrong\n", wrong);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Flags come first: what they choose is the plan that numbers are set in.
static bool hasFlag(int argc, char** argv, const char* flag)
{
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], flag) == 0) {
      return true;
    }
  }
  return false;
}

static bool readNumbers(crDropPlan* plan, int argc, char** argv)
{
  for (int i = 1; i < argc; ++i) {
    const char* value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--mixed") == 0 || strcmp(argv[i], "--lossy") == 0 || strcmp(argv[i], "--islands-off") == 0) {
      continue;
    }
    if (value == NULL) {
      return false;
    }
    if (strcmp(argv[i], "--count") == 0) {
      plan->count = (int)strtol(value, NULL, 10);
    } else if (strcmp(argv[i], "--E") == 0) {
      plan->E = strtod(value, NULL);
    } else if (strcmp(argv[i], "--tolerance") == 0) {
      plan->tolerance = strtod(value, NULL);
    } else if (strcmp(argv[i], "--seed") == 0) {
      plan->seed = strtoull(value, NULL, 10);
    } else if (strcmp(argv[i], "--stop") == 0) {
      plan->stop = strtod(value, NULL);
    } else if (strcmp(argv[i], "--far") == 0) {
      plan->far = strtod(value, NULL);
    } else {
      return false;
    }
    ++i;
  }
  return plan->count > 0;
}

int main(int argc, char** argv)
{
  if (argc == 1) {
    return judgeAll();
  }
  crDropPlan plan = crMakeDropPlan(0, hasFlag(argc, argv, "--mixed"), hasFlag(argc, argv, "--lossy"));
  plan.islands = hasFlag(argc, argv, "--islands-off") ? cr_islandsOff : cr_islandsDefault;
  if (!readNumbers(&plan, argc, argv)) {
    fprintf(stderr, "usage: drop_fuzz [--count N [--mixed] [--lossy] [--E E] [--tolerance T] [--seed N] "
                    "[--islands-off] [--stop T] [--far X]]\n");
    return 2;
  }
  printHead();
  return judge(&plan) ? EXIT_SUCCESS : EXIT_FAILURE;
}
