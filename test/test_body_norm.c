// The error of a step of many bodies: a quantile over those on which something acts. And their spins.
#include "solve/stepper_inside.h"
#include "support/random.h"
#include "support/test.h"

#include <math.h>

#define BODIES 100
#define STATES 9 // position, velocity, angular velocity

typedef struct Crowd {
  crStateVector vectors[3 * BODIES];
  crStructure structure;
  double y0[STATES * BODIES], y1[STATES * BODIES], errors[STATES * BODIES], absTol[STATES * BODIES];
} Crowd;

// Of the tolerance: what 90 of this many bodies are held to. Half of them are to 0.06 of that.
static const double tolerance = 1e-3, share = 0.033 * 3.1622776601683795;

// Bodies at 1 m and 1 m/s, with no error.
static void makeCrowd(Crowd* crowd)
{
  *crowd = (Crowd){ .structure = { .vectors = crowd->vectors, .vectorCount = 3 * BODIES, .bodyShare = 0.033 } };
  for (int i = 0; i < 3 * BODIES; ++i) {
    crowd->vectors[i] = (crStateVector){ 3 * i, 3, i / 3, i % 3 == 0 ? 0.0 : i % 3 == 1 ? 1.0 : 20.0 };
  }
  for (int i = 0; i < STATES * BODIES; ++i) {
    crowd->absTol[i] = 0.01 * tolerance;
    crowd->y0[i] = crowd->y1[i] = i % 3 == 0 ? 1.0 : 0.0;
  }
}

// In units of what bodies are held to, in the velocity of a body of speed 1 in a crowd of speed 1.
static void setError(Crowd* crowd, int body, double units)
{
  crowd->errors[STATES * body + 4] = units * 3.0 * share * 1.01 * tolerance;
}

static double measure(const Crowd* crowd)
{
  double scratch[STATES * BODIES];
  return crMeasureBodies(&crowd->structure, crowd->absTol, tolerance, crowd->y0, crowd->y1, crowd->errors, scratch);
}

// In lanes it is the same but for rounding: of bodies whose number four does not divide.
static void in_lanes_the_error_is_the_same(void** state)
{
  (void)state;
  enum { bodies = BODIES - 1, places = 12 * BODIES };
  Crowd crowd;
  crRandom random = crMakeRandom(5);
  double stages[4][places] = { { 0.0 } }, scratch[BODIES];
  const double weights[4] = { -0.4, 1.1, -1.2, 0.5 };
  makeCrowd(&crowd);
  crowd.structure.vectorCount = 3 * bodies;
  for (int trial = 0; trial < 20; ++trial) {
    for (int i = 0; i < STATES * bodies; ++i) {
      int place = 4 * (i / 3) + i % 3;
      double change = i / STATES % 7 == trial % 7 ? 0.0 : crRandom_Uniform(&random, 0.0, 2e-3);
      for (int k = 0; k < 4; ++k) {
        stages[k][place] = crowd.y0[i] + change * crRandom_Uniform(&random, -1.0, 1.0);
      }
      crowd.y1[i] = stages[3][place];
      stages[0][place] = crowd.y0[i];
      crowd.errors[i] = 0.0;
      for (int k = 0; k < 4; ++k) {
        crowd.errors[i] += weights[k] * stages[k][place];
      }
    }
    crLaneStages lanes = { stages[0], stages[1], stages[2], stages[3], weights };
    double all = measure(&crowd);
    assert_true(all > 0.1);
    assert_close(crMeasureLanes(&crowd.structure, crowd.absTol, tolerance, &lanes, NULL, scratch), all, 1e-12 * all);
  }
  stages[2][4] = (double)NAN;
  crLaneStages lanes = { stages[0], stages[1], stages[2], stages[3], weights };
  assert_true(isnan(crMeasureLanes(&crowd.structure, crowd.absTol, tolerance, &lanes, NULL, scratch)));
}

// Spins of a step of the stabilized method are turned four at a time where they turn little, else one by one: the
// fifth is alone in any case, and has the same motion as the first, as has the second.
static void spins_turn_alike_in_lanes_and_alone(void** state)
{
  (void)state;
  enum { count = 5, n = 7 * count };
  const double speeds[2] = { 3.0, 4000.0 }; // [rad/s]
  for (int k = 0; k < 2; ++k) {
    double memory[8 * n] = { 0.0 }, h = 1e-3, axis[3] = { 0.6, 0.0, 0.8 };
    crSegment segment;
    crSpin spins[count];
    crSegment_Place(&segment, n, memory);
    segment.kind = cr_stepRkc2;
    segment.t0 = 1.0;
    segment.t1 = 1.0 + h;
    for (int i = 0; i < count; ++i) {
      spins[i] = (crSpin){ 7 * i, 7 * i + 4 };
      segment.y0[7 * i] = 1.0;
      for (int l = 0; l < 3; ++l) { // about one axis, faster and faster
        double w = i == 2 ? 1.0 : speeds[k] * axis[l];
        segment.y0[7 * i + 4 + l] = w;
        segment.y1[7 * i + 4 + l] = 1.5 * w;
        segment.f0[7 * i + 4 + l] = segment.f1[7 * i + 4 + l] = 0.5 * w / h;
      }
    }
    crStructure structure = { .spins = spins, .spinCount = count };
    crSegment_FinishSpins(&segment, &structure, NULL);
    double half = 0.5 * 1.25 * speeds[k] * (segment.t1 - segment.t0);
    for (int i = 0; i < count; i += 4) {
      const double *q = segment.y1 + 7 * i, *rate = segment.f1 + 7 * i;
      assert_close(q[0], cos(half), 1e-13);
      assert_close(q[1], axis[0] * sin(half), 1e-13);
      assert_close(q[3], axis[2] * sin(half), 1e-13);
      assert_close(rate[0], -0.75 * speeds[k] * sin(half), 1e-13 * speeds[k]);
      assert_close(q[0], segment.y1[7], 1e-13);
    }
  }
}

static void equal_errors_are_held_to_what_half_of_the_bodies_are(void** state)
{
  (void)state;
  Crowd crowd;
  makeCrowd(&crowd);
  for (int i = 0; i < BODIES; ++i) {
    setError(&crowd, i, 0.042);
  }
  assert_close(measure(&crowd), 0.7, 1e-12);
  for (int i = 0; i < BODIES / 2 - 1; ++i) {
    setError(&crowd, i, 0.006);
  }
  assert_close(measure(&crowd), 0.7, 1e-12); // just more than half of them
  for (int i = 0; i < BODIES / 2 + 1; ++i) {
    setError(&crowd, i, 0.006);
  }
  assert_close(measure(&crowd), 0.1, 1e-12);
}

static void few_bodies_do_not_choose_the_steps_of_all_but_are_guarded(void** state)
{
  (void)state;
  Crowd crowd;
  makeCrowd(&crowd);
  for (int i = 0; i < BODIES; ++i) {
    setError(&crowd, i, i % 13 == 0 ? 100.0 : 0.03);
  }
  assert_close(measure(&crowd), 0.5, 1e-12); // eight of a hundred
  setError(&crowd, 0, 600.0);
  assert_close(measure(&crowd), 2.0, 1e-12); // the worst may have 300 tolerances
  for (int i = 0; i < 10; ++i) {
    setError(&crowd, i, 3.0);
  }
  assert_close(measure(&crowd), 3.0, 1e-12); // ten of a hundred
}

// Where most bodies fall freely the impact of a layer on the floor used to be stepped over, at every tolerance.
static void bodies_in_flight_hide_nobody(void** state)
{
  (void)state;
  Crowd crowd;
  makeCrowd(&crowd);
  setError(&crowd, 42, 0.3);
  assert_close(measure(&crowd), 5.0, 1e-12);
  for (int i = 0; i < BODIES; ++i) {
    crowd.errors[STATES * i] += 1e-13 * tolerance; // rounding
  }
  assert_close(measure(&crowd), 5.0, 1e-9);
}

// A step that is short, since a few balls hit each other, leaves next to no error in all others that touch. Once these
// did not count, and the few held themselves to what half of all are held to, in steps that grew shorter and shorter.
static void bodies_that_touch_count_in_short_steps(void** state)
{
  (void)state;
  Crowd crowd;
  makeCrowd(&crowd);
  for (int i = 0; i < BODIES; ++i) {
    setError(&crowd, i, i < 8 ? 0.3 : 1e-5);
  }
  assert_close(measure(&crowd), 1e-3, 1e-12); // of the worst
}

static void nothing_that_acts_has_no_error(void** state)
{
  (void)state;
  Crowd crowd;
  makeCrowd(&crowd);
  assert_true(measure(&crowd) == 0.0);
}

// A body that is at rest for a moment need not be known any better than the others.
static void the_speed_of_the_crowd_is_the_least_size(void** state)
{
  (void)state;
  Crowd crowd;
  makeCrowd(&crowd);
  setError(&crowd, 3, 0.06);
  crowd.y0[STATES * 3 + 3] = crowd.y1[STATES * 3 + 3] = 0.0;
  assert_close(measure(&crowd), 1.0, 0.01);
}

static void what_is_no_number_is_an_error(void** state)
{
  (void)state;
  Crowd crowd;
  makeCrowd(&crowd);
  for (int i = 0; i < BODIES; ++i) {
    setError(&crowd, i, 0.5);
  }
  crowd.errors[STATES * 9] = (double)NAN;
  assert_true(isnan(measure(&crowd)));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(in_lanes_the_error_is_the_same),
    cmocka_unit_test(spins_turn_alike_in_lanes_and_alone),
    cmocka_unit_test(equal_errors_are_held_to_what_half_of_the_bodies_are),
    cmocka_unit_test(few_bodies_do_not_choose_the_steps_of_all_but_are_guarded),
    cmocka_unit_test(bodies_in_flight_hide_nobody),
    cmocka_unit_test(bodies_that_touch_count_in_short_steps),
    cmocka_unit_test(nothing_that_acts_has_no_error),
    cmocka_unit_test(the_speed_of_the_crowd_is_the_least_size),
    cmocka_unit_test(what_is_no_number_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
