// Random throws of all kinds of bodies at what is not convex (support/piece_throw.h), each judged by its energy.
//
// usage: piece_fuzz [THROWS [SEED]] [--target NAME] [--body NAME]     of all kinds in turns; 1000 unless given
//
// Fails when a run fails, when something gets out of a room, or when an energy is wrong at the tolerance 1e-8: by more
// than 1e-6 of balls and of ellipsoids in hollow shapes, which touch surfaces themselves, and by more than 1e-5 of all
// else, which touches convex pieces. Ellipsoids push at points, so that edges of pieces change their energy: when they
// gain some, a run has to warn.
#include "support/piece_throw.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BALL_LIMIT 1e-6 // [-]
#define LIMIT 1e-5      // [-]
#define SLOW 10.0       // [s] of CPU: throws that take longer are told of

typedef struct Tally {
  int hits;
  double worst, total, longest;
} Tally;

static bool judge(int target, int body, uint64_t seed, Tally* ofTarget, Tally* ofBody)
{
  clock_t start = clock();
  crPieceThrow thrown = crThrowAtPieces(target, body, seed, 1e-8);
  double time = (double)(clock() - start) / CLOCKS_PER_SEC, off = fabs(thrown.energy);
  Tally* tallies[] = { ofTarget, ofBody };
  for (int i = 0; i < 2; ++i) {
    tallies[i]->hits += thrown.contactCount > 0;
    tallies[i]->worst = fmax(tallies[i]->worst, off);
    tallies[i]->total += time;
    tallies[i]->longest = fmax(tallies[i]->longest, time);
  }
  bool isEllipsoid = crPieceBody_IsEllipsoid(body),
       isExact = body == 0 || (isEllipsoid && crPieceTarget_IsHollow(target));
  bool isOff = !(off <= (isExact ? BALL_LIMIT : LIMIT));
  bool isKnown = isEllipsoid && !isExact && (thrown.isTold || thrown.energy < 0.0);
  bool isWrong = thrown.status != 0 || thrown.hasEscaped || (isOff && !isKnown);
  if (isWrong || isOff || time > SLOW) {
    printf("%s at %s, seed %llu: status %d%s, energy off by %.3g, %d contacts, %lld evaluations, %.2f s\n",
           crPieceBody_GetText(body), crPieceTarget_GetText(target), (unsigned long long)seed, thrown.status,
           thrown.hasEscaped ? ", out of the room" : "", thrown.energy, thrown.contactCount,
           (long long)thrown.evaluationCount, time);
    fflush(stdout);
  }
  return isWrong;
}

typedef struct Plan {
  int count, target, body; // of these alone, or -1
  uint64_t first;
} Plan;

static Plan readPlan(int argc, char** argv)
{
  Plan plan = { .count = 1000, .target = -1, .body = -1, .first = 1 };
  int numbers = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--target") == 0 && i + 1 < argc) {
      ++i;
      for (int k = 0; k < CR_PIECE_TARGETS; ++k) {
        plan.target = strcmp(argv[i], crPieceTarget_GetText(k)) == 0 ? k : plan.target;
      }
    } else if (strcmp(argv[i], "--body") == 0 && i + 1 < argc) {
      ++i;
      for (int k = 0; k < CR_ROOM_BODIES; ++k) {
        plan.body = strcmp(argv[i], crPieceBody_GetText(k)) == 0 ? k : plan.body;
      }
    } else if (numbers++ == 0) {
      plan.count = (int)strtod(argv[i], NULL);
    } else {
      plan.first = strtoull(argv[i], NULL, 10);
    }
  }
  return plan;
}

static void tell(const char* name, const Tally* t)
{
  printf("%-16s %6d hits, energy off by %.2g at most, %.2f s in all, %.2f s at most\n", name, t->hits, t->worst,
         t->total, t->longest);
}

int main(int argc, char** argv)
{
  Plan plan = readPlan(argc, argv);
  int targetCount = plan.target < 0 ? CR_PIECE_TARGETS : 1, wrong = 0;
  Tally targets[CR_PIECE_TARGETS] = { { 0 } }, bodies[CR_ROOM_BODIES] = { { 0 } };
  for (int i = 0; i < plan.count; ++i) {
    int target = plan.target < 0 ? i % targetCount : plan.target;
    int bodyCount = plan.body >= 0 ? 1 : crPieceTarget_IsHollow(target) ? CR_ROOM_BODIES : CR_PIECE_BODIES;
    int body = plan.body < 0 ? i / targetCount % bodyCount : plan.body;
    uint64_t seed = plan.first + (uint64_t)(i / (targetCount * bodyCount));
    wrong += judge(target, body, seed, &targets[target], &bodies[body]);
  }
  for (int i = 0; i < CR_PIECE_TARGETS; ++i) {
    tell(crPieceTarget_GetText(i), &targets[i]);
  }
  for (int i = 0; i < CR_ROOM_BODIES; ++i) {
    tell(crPieceBody_GetText(i), &bodies[i]);
  }
  printf("%d throws, %d wrong\n", plan.count, wrong);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
