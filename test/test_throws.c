// Two bodies thrown at each other, all pairs of kinds: what they store while they touch they give back, and what is
// lost is accounted for. fuzz/throw_fuzz.c does the same with any number of throws, and repeats single ones.
#include "support/test.h"
#include "support/throw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEDIAN_LIMIT 1e-6 // [-]
#define WORST_LIMIT 1e-5  // [-] of the energy,
#define LOSSY_LIMIT 1e-6  // [-] and of what was lost,
#define MENDED_LIMIT 2e-6 // [-] of the energy, of throws that were wrong once
#define FIRST_SEED 5      // to 8, which is a throw of bodies with parallel axes
#define LAST_SEED 8
#define MAX_THROWS (CR_THROWN_PAIRS * (LAST_SEED - FIRST_SEED + 1))

typedef struct Sample {
  int count, bad;
  double errors[MAX_THROWS];
} Sample;

static int compareNumbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double findMedian(Sample* sample)
{
  qsort(sample->errors, (size_t)sample->count, sizeof *sample->errors, compareNumbers);
  return sample->errors[sample->count / 2];
}

// Throws that fail, miss or whose error is above the limit are printed, with what throw_fuzz needs to repeat them.
static void addThrow(Sample* sample, crThrownPair pair, uint64_t seed, const crThrowOptions* options, double limit)
{
  crThrowResult result = crRunThrow(pair, seed, options);
  double error = crThrowResult_Error(&result, options);
  if (result.status != cr_ok || result.contactCount == 0 || !(error <= limit)) {
    printf("throw_fuzz --pair %s-%s --seed %llu --tolerance %g%s: %s %s, %d contacts, error %.2e\n",
           crThrownKind_GetText(pair.a), crThrownKind_GetText(pair.b), (unsigned long long)seed, options->tolerance,
           options->cor < 1.0 ? " --lossy" : "", crStatus_GetText(result.status), result.message, result.contactCount,
           error);
    ++sample->bad;
  }
  sample->errors[sample->count++] = error;
}

static double chooseLimit(const crThrowOptions* options)
{
  return options->cor >= 1.0 ? WORST_LIMIT : LOSSY_LIMIT;
}

static void throwAllPairs(const crThrowOptions* options, uint64_t firstSeed)
{
  static Sample sample;
  sample.count = sample.bad = 0;
  for (int i = 0; i < CR_THROWN_PAIRS; ++i) {
    for (uint64_t seed = firstSeed; seed <= LAST_SEED; ++seed) {
      crThrownPair pair = crGetThrownPair(i);
      addThrow(&sample, pair, seed, options, chooseLimit(options));
    }
  }
  double median = findMedian(&sample);
  printf("%d throws: error of the energy %.1e in the median, %.1e at most\n", sample.count, median,
         sample.errors[sample.count - 1]);
  assert_int_equal(sample.bad, 0);
  assert_true(median <= MEDIAN_LIMIT);
}

static void thrown_bodies_keep_their_energy(void** state)
{
  (void)state;
  crThrowOptions options = { .tolerance = 1e-8, .cor = 1.0 };
  throwAllPairs(&options, FIRST_SEED);
}

static void losses_of_thrown_bodies_are_accounted_for(void** state)
{
  (void)state;
  crThrowOptions options = { .tolerance = 1e-8, .cor = 0.5, .muK = 0.4 };
  throwAllPairs(&options, LAST_SEED - 1);
}

// Patches of a beam appeared and disappeared at once, and a twentieth of what was lost was not accounted for.
static void edges_that_pass_each_other_closely_lose_nothing(void** state)
{
  (void)state;
  crThrowOptions options = { .tolerance = 1e-8, .cor = 0.5, .muK = 0.4 };
  crThrownPair pair;
  assert_true(crFindThrownPair("beam-hull", &pair));
  crThrowResult result = crRunThrow(pair, 2, &options);
  assert_int_equal(result.status, cr_ok);
  assert_true(crThrowResult_Error(&result, &options) <= WORST_LIMIT);
}

// A hundredth of the tolerance leaves less than a tenth of the error in the median, and a fifth of the largest.
static void errors_of_the_energy_fall_with_the_tolerance(void** state)
{
  (void)state;
  static Sample samples[3];
  static const double tolerances[3] = { 1e-6, 1e-8, 1e-10 };
  double medians[3], worst[3];
  for (int k = 0; k < 3; ++k) {
    crThrowOptions options = { .tolerance = tolerances[k], .cor = 1.0 };
    samples[k].count = samples[k].bad = 0;
    for (int i = 0; i < CR_THROWN_PAIRS; i += 2) {
      addThrow(&samples[k], crGetThrownPair(i), FIRST_SEED, &options, 1e3 * tolerances[k]);
    }
    assert_int_equal(samples[k].bad, 0);
    medians[k] = findMedian(&samples[k]);
    worst[k] = samples[k].errors[samples[k].count - 1];
    printf("tolerance %g: error of the energy %.1e in the median, %.1e at most\n", tolerances[k], medians[k], worst[k]);
  }
  assert_true(medians[1] < 0.1 * medians[0] && medians[2] < 0.1 * medians[1]);
  assert_true(worst[1] < 0.2 * worst[0] && worst[2] < 0.2 * worst[1]);
}

// At the end of its contact a patch of a last bit pushed with 8 N: 4e-4 of what was lost.
static void the_last_bit_of_a_contact_does_no_work(void** state)
{
  (void)state;
  static Sample sample;
  crThrowOptions options = { .tolerance = 1e-8, .cor = 0.5, .muK = 0.4 };
  crThrownPair pair;
  assert_true(crFindThrownPair("capsule-cone", &pair));
  sample.count = sample.bad = 0;
  addThrow(&sample, pair, 1, &options, LOSSY_LIMIT);
  assert_int_equal(sample.bad, 0);
}

typedef struct Seed {
  const char* pair;
  uint64_t seed;
} Seed;

// Throws of rounded shapes that gained or lost 1e-5 to 1e-2. Rims that came over another feature for a 64th of them,
// and edges that lay on a cap, were overlooked. Edges came into a core without a break. Faces of a hull in one plane
// had the same place twice. Planes that were left out where cells have nothing inside let something in. A flat that
// came to a rib was taken for noise. Steps passed kinks and short pulses between stages. Edges passed the axis or the
// tip of a cone, where their depth all but has a kink, within one part.
static void what_was_wrong_with_rounded_shapes_is_right(void** state)
{
  (void)state;
  static const Seed seeds[] = {
    { "beam-roundedHull", 10341 },
    { "roundedCone-roundedHull", 10504 },
    { "cone-roundedCone", 10070 },
    { "cylinder-roundedCone", 10509 },
    { "box-beam", 10488 },
    { "frustum-roundedBeam", 10616 },
    { "roundedBox-roundedBox", 10171 },
    { "roundedBox-roundedBox", 10670 },
    { "box-roundedHull", 10339 },
    { "plate-roundedBeam", 10514 },
    { "plate-roundedCylinder", 10034 },
    { "plate-roundedCylinder", 10089 },
    { "plate-roundedCone", 10523 },
    { "beam-roundedBeam", 10115 },
    { "roundedBox-roundedCylinder", 10093 },
    { "cylinder-roundedBeam", 10273 },
    { "box-roundedHull", 10550 },
    { "roundedCone-roundedHull", 10442 },
    { "box-roundedCylinder", 10713 },
    { "box-roundedCylinder", 500080 },
    { "cylinder-roundedBox", 9002 },
    { "frustum-roundedBox", 9001 },
    { "cone-roundedHull", 770062 },
  };
  static Sample sample;
  crThrowOptions options = { .tolerance = 1e-8, .cor = 1.0 };
  sample.count = sample.bad = 0;
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; ++i) {
    crThrownPair pair;
    assert_true(crFindThrownPair(seeds[i].pair, &pair));
    addThrow(&sample, pair, seeds[i].seed, &options, MENDED_LIMIT);
  }
  assert_int_equal(sample.bad, 0);
}

// Throws that left 1e-6 to 6e-6 of what was lost unexplained. Steps to the end of a contact, and across kinks of a
// patch, took the work of forces a thousandth wrong, which the tolerance let pass. Implicit steps were far from right:
// of sliding contacts, of a ball that comes to roll, and of a cone that turns on in free flight.
static void what_was_lost_and_unexplained_is_explained(void** state)
{
  (void)state;
  static const Seed seeds[] = {
    { "plate-roundedCylinder", 20059 }, { "plate-roundedCone", 20083 }, { "plate-roundedCylinder", 20014 },
    { "plate-roundedHull", 20025 },     { "beam-roundedHull", 20082 },  { "box-roundedHull", 20071 },
    { "box-roundedHull", 20065 },       { "capsule-plate", 20003 },     { "cylinder-plate", 20007 },
    { "cone-frustum", 20007 },          { "cone-plate", 20058 },        { "hull-hull", 20058 },
    { "roundedBox-plate", 20092 },      { "sphere-box", 20069 },        { "sphere-plate", 20072 },
    { "sphere-roundedCone", 20064 },    { "ellipsoid-plate", 20010 },   { "ellipsoid-ellipsoid", 20044 },
  };
  static Sample sample;
  crThrowOptions options = { .tolerance = 1e-8, .cor = 0.5, .muK = 0.4 };
  sample.count = sample.bad = 0;
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; ++i) {
    crThrownPair pair;
    assert_true(crFindThrownPair(seeds[i].pair, &pair));
    addThrow(&sample, pair, seeds[i].seed, &options, LOSSY_LIMIT);
  }
  assert_int_equal(sample.bad, 0);
}

// Faces pushed balls and ellipsoids so gently that they lay a few nanometres deep. Contacts began deeper than that, 14
// to 149 of them, each with the energy of its own beginning: up to 2e-5 of what was lost.
static void what_is_pushed_gently_is_not_thrown_out_again_and_again(void** state)
{
  (void)state;
  static const Seed seeds[] = {
    { "sphere-hull", 20090 },
    { "sphere-plate", 20178 },
    { "sphere-beam", 20372 },
    { "ellipsoid-hull", 20350 },
  };
  static Sample sample;
  crThrowOptions options = { .tolerance = 1e-8, .cor = 0.5, .muK = 0.4 };
  sample.count = sample.bad = 0;
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; ++i) {
    crThrownPair pair;
    assert_true(crFindThrownPair(seeds[i].pair, &pair));
    addThrow(&sample, pair, seeds[i].seed, &options, LOSSY_LIMIT);
  }
  assert_int_equal(sample.bad, 0);
}

static void a_throw_is_repeated_bit_by_bit(void** state)
{
  (void)state;
  crThrowOptions options = { .tolerance = 1e-8, .cor = 1.0 };
  crThrownPair pair;
  assert_true(crFindThrownPair("hull-cone", &pair));
  assert_false(crFindThrownPair("halfSpace-halfSpace", &pair));
  crThrowResult a = crRunThrow(pair, 123, &options), b = crRunThrow(pair, 123, &options);
  assert_true(a.change == b.change && a.steps == b.steps && a.depth == b.depth && a.energy == b.energy);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(thrown_bodies_keep_their_energy),
    cmocka_unit_test(losses_of_thrown_bodies_are_accounted_for),
    cmocka_unit_test(edges_that_pass_each_other_closely_lose_nothing),
    cmocka_unit_test(errors_of_the_energy_fall_with_the_tolerance),
    cmocka_unit_test(the_last_bit_of_a_contact_does_no_work),
    cmocka_unit_test(what_was_wrong_with_rounded_shapes_is_right),
    cmocka_unit_test(what_was_lost_and_unexplained_is_explained),
    cmocka_unit_test(what_is_pushed_gently_is_not_thrown_out_again_and_again),
    cmocka_unit_test(a_throw_is_repeated_bit_by_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
