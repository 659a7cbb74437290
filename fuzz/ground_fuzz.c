// Random throws of bodies at random height fields (support/ground_throw.h), each judged by its energy and its time.
//
// usage: ground_fuzz [THROWS [SEED]] [--lossy] [--kind NAME]     of all kinds in turns; 700 unless given
//
// Fails when a run fails but for cylinders at the border of a field, when a body is in the ground, or when an energy is
// wrong, of what falls at the tolerance 1e-8: by more than 1e-6 of balls and cylinders, which touch the smooth surface,
// and by more than 1e-5 of what touches facets, or loses energy.
#include "support/ground_throw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIMIT 1e-6 // [-] of what touches the smooth surface without losses,
#define LOOSE 1e-5 // and of all else
#define SLOW 3.0   // [s] of CPU: throws that take longer are told of

typedef struct Tally {
  int hits, borders;
  double worst, total, longest;
} Tally;

static bool judge(crGroundKind kind, uint64_t seed, bool isLossy, Tally* tally)
{
  clock_t start = clock();
  crGroundThrow thrown = crThrowAtGround(kind, seed, 1e-8, isLossy);
  double time = (double)(clock() - start) / CLOCKS_PER_SEC, off = fabs(thrown.energy);
  tally->hits += thrown.contactCount > 0;
  tally->worst = fmax(tally->worst, off);
  tally->total += time;
  tally->longest = fmax(tally->longest, time);
  tally->borders += thrown.isAtBorder;
  bool isWrong = (thrown.status != 0 && !thrown.isAtBorder) || thrown.isInside ||
                 !(off <= (isLossy || kind > cr_groundBall ? LOOSE : LIMIT));
  if (isWrong || time > SLOW) {
    printf("%s, seed %llu: status %d%s, energy off by %.3g, %lld evaluations, %.2f s\n", crGroundKind_GetText(kind),
           (unsigned long long)seed, thrown.status, thrown.isInside ? ", in the ground" : "", thrown.energy,
           (long long)thrown.evaluationCount, time);
    fflush(stdout);
  }
  return isWrong;
}

typedef struct Plan {
  int count, only; // only: a kind, or -1
  uint64_t first;
  bool isLossy;
} Plan;

static Plan readPlan(int argc, char** argv)
{
  Plan plan = { .count = 700, .only = -1, .first = 1 };
  int numbers = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--lossy") == 0) {
      plan.isLossy = true;
    } else if (strcmp(argv[i], "--kind") == 0 && i + 1 < argc) {
      ++i;
      for (int kind = 0; kind < cr_groundCount; ++kind) {
        plan.only = strcmp(argv[i], crGroundKind_GetText((crGroundKind)kind)) == 0 ? kind : plan.only;
      }
    } else if (numbers++ == 0) {
      plan.count = (int)strtol(argv[i], NULL, 10);
    } else {
      plan.first = strtoull(argv[i], NULL, 10);
    }
  }
  return plan;
}

int main(int argc, char** argv)
{
  Plan plan = readPlan(argc, argv);
  Tally tallies[cr_groundCount] = { { 0 } };
  int wrong = 0;
  for (int i = 0; i < plan.count; ++i) {
    int kind = plan.only >= 0 ? plan.only : i % cr_groundCount;
    uint64_t seed = plan.first + (uint64_t)(plan.only >= 0 ? i : i / cr_groundCount);
    wrong += judge((crGroundKind)kind, seed, plan.isLossy, &tallies[kind]);
  }
  for (int kind = 0; kind < cr_groundCount; ++kind) {
    const Tally* t = &tallies[kind];
    printf("%-10s %6d hits, %d ended at the border, energy off by %.2g at most, %.2f s in all, %.2f s at most\n",
           crGroundKind_GetText((crGroundKind)kind), t->hits, t->borders, t->worst, t->total, t->longest);
  }
  printf("%d throws, %d wrong\n", plan.count, wrong);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
