// Random pairs of shapes through crComputeDistance, each answer judged by certificates (support/distance_truth.h).
//
// usage: distance_fuzz [PAIRS [SEED]]     1e6 pairs unless given
//
// Prints a table by pair of kinds. Fails when an answer is wrong, not finite, or when more than 1e-6 of them are not
// converged.
#include "support/distance_truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_SHAPES_PER_KIND 60
#define CR_LOOSE_SHARE 1e-6 // [-] of pairs that may end without convergence
#define CR_PRINTED_CASES 20

typedef struct Tally {
  long pairs, deep, notConverged, notGlobal, wrong, iterations;
  int mostIterations;
  double worst;      // [scale] error of converged answers' distances
  double worstPoint; // [scale] of their points
  double worstLoose; // [scale] width of the bounds of the others
} Tally;

static void printCase(const crDistanceCase* c, const crDistance* d, const crVerdict* v, long number)
{
  printf("pair %ld: %s - %s, placement %d, scale %.3g\n", number, crShapeKind_GetText(crShape_GetKind(c->a)),
         crShapeKind_GetText(crShape_GetKind(c->b)), (int)c->placement, crScaleOfCase(c));
  printf("  distance %.17g in [%.17g, %.17g], %d iterations, converged %d, global %d\n", d->distance, d->lowerBound,
         d->upperBound, d->iterations, d->isConverged, d->isGlobal);
  printf("  deep %d distance %.3g primal %.3g dual %.3g identity %.3g enclosure %.3g finite %d\n", v->isDeep,
         v->distance, v->primal, v->dual, v->identity, v->enclosure, v->isFinite);
}

static void count(Tally* tally, const crDistanceCase* c, const crDistance* d, long number, int* printed)
{
  crVerdict v = crJudgeDistance(c, d);
  bool isRight = crIsRightVerdict(c, d, &v);
  ++tally->pairs;
  tally->deep += v.isDeep;
  tally->notGlobal += !d->isGlobal;
  tally->iterations += d->iterations;
  tally->mostIterations = d->iterations > tally->mostIterations ? d->iterations : tally->mostIterations;
  tally->wrong += !isRight;
  if (d->isConverged) {
    tally->worst = fmax(tally->worst, crWorstDistanceOf(&v));
    tally->worstPoint = fmax(tally->worstPoint, v.primal);
  } else {
    ++tally->notConverged;
    tally->worstLoose = fmax(tally->worstLoose, (d->upperBound - d->lowerBound) / crScaleOfCase(c));
  }
  if ((!isRight || !d->isConverged) && (*printed)++ < CR_PRINTED_CASES) {
    printCase(c, d, &v, number);
  }
}

static int report(Tally tallies[cr_shapeKindCount][cr_shapeKindCount])
{
  Tally sum = { 0 };
  printf("%-22s %9s %9s %9s %9s %6s %9s %9s %9s %6s %5s\n", "pair", "pairs", "deep", "loose", "notGlobal", "wrong",
         "distance", "points", "width", "mean", "most");
  for (int i = 0; i < cr_shapeKindCount; ++i) {
    for (int j = 0; j < cr_shapeKindCount; ++j) {
      const Tally* t = &tallies[i][j];
      if (t->pairs == 0) {
        continue;
      }
      char name[64];
      snprintf(name, sizeof name, "%s-%s", crShapeKind_GetText((crShapeKind)i), crShapeKind_GetText((crShapeKind)j));
      printf("%-22s %9ld %9ld %9ld %9ld %6ld %9.1e %9.1e %9.1e %6.1f %5d\n", name, t->pairs, t->deep, t->notConverged,
             t->notGlobal, t->wrong, t->worst, t->worstPoint, t->worstLoose, (double)t->iterations / (double)t->pairs,
             t->mostIterations);
      sum.pairs += t->pairs;
      sum.notConverged += t->notConverged;
      sum.wrong += t->wrong;
      sum.worst = fmax(sum.worst, t->worst);
      sum.worstPoint = fmax(sum.worstPoint, t->worstPoint);
    }
  }
  printf("%ld pairs, %ld not converged, %ld wrong, worst error of a distance %.1e, of a point %.1e of the scale\n",
         sum.pairs, sum.notConverged, sum.wrong, sum.worst, sum.worstPoint);
  bool isGood = sum.wrong == 0 && (double)sum.notConverged <= CR_LOOSE_SHARE * (double)sum.pairs;
  return isGood ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv)
{
  static Tally tallies[cr_shapeKindCount][cr_shapeKindCount];
  long pairs = argc > 1 ? (long)strtod(argv[1], NULL) : 1000000;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  crShapePool pool = crCreateShapePool(seed << 32, CR_SHAPES_PER_KIND);
  crRandom random = crMakeRandom((seed << 32) + (1 << 24)); // seeds are places in one stream
  int printed = 0;
  for (long i = 0; i < pairs; ++i) {
    crDistanceCase c = crMakeDistanceCase(&pool, cr_shapeNone, cr_shapeNone, &random);
    crDistance d;
    if (crComputeDistance(c.a, &c.X_WA, c.b, &c.X_WB, NULL, &d) != cr_ok) {
      printf("pair %ld refused\n", i);
      return EXIT_FAILURE;
    }
    crShapeKind kindA = crShape_GetKind(c.a), kindB = crShape_GetKind(c.b);
    count(&tallies[kindA < kindB ? kindA : kindB][kindA < kindB ? kindB : kindA], &c, &d, i, &printed);
  }
  crDestroyShapePool(&pool);
  return report(tallies);
}
