// Balls, rollers and extruded bodies thrown at free bodies with concave surfaces: nothing is lost. More of them in
// `make fuzz`.
#include "support/surface_throw.h"
#include "support/test.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define THROWS 6 // of each kind

static void undamped_impacts_on_surfaces_keep_their_energy(void** state)
{
  (void)state;
  for (int kind = 0; kind < CR_SURFACE_KINDS; ++kind) {
    int hits = 0;
    for (uint64_t seed = 1; seed <= THROWS; ++seed) {
      crSurfaceThrow thrown = crThrowAtSurface(kind, seed, 1e-8);
      assert_int_equal(thrown.status, 0);
      assert_close(thrown.energy, 0.0, 1e-6);
      hits += thrown.contactCount > 0;
    }
    assert_true(hits > 0);
  }
}

static void rollers_and_outlines_keep_their_energy(void** state)
{
  (void)state;
  for (int kind = 0; kind < CR_OUTLINE_KINDS; ++kind) {
    int hits = 0;
    for (uint64_t seed = 1; seed <= 2 * THROWS; ++seed) {
      crSurfaceThrow thrown = crThrowOutline(kind, seed, 1.0, 1e-8);
      assert_int_equal(thrown.status, 0);
      assert_close(thrown.energy, 0.0, 1e-6);
      hits += thrown.contactCount > 0;
    }
    assert_true(hits > THROWS);
  }
}

// Free flights in long steps, at whose ends corners are so deep in the disc that its chains see them from afar: runs
// stopped, "it was overlooked that it touches".
static void long_steps_do_not_leap_into_outlines(void** state)
{
  (void)state;
  uint64_t seeds[] = { 1574, 1673 };
  for (int i = 0; i < 2; ++i) {
    crSurfaceThrow thrown = crThrowOutline(3, seeds[i], 1.0, 1e-8);
    assert_int_equal(thrown.status, 0);
    assert_true(thrown.contactCount > 0);
    assert_close(thrown.energy, 0.0, 1e-6);
  }
}

// Kinds and seeds of throws.
typedef struct Throw {
  int kind;
  uint64_t seed;
} Throw;

static void expectKept(const Throw* throws, int count)
{
  for (int i = 0; i < count; ++i) {
    crSurfaceThrow thrown = crThrowOutline(throws[i].kind, throws[i].seed, 1.0, 1e-8);
    assert_int_equal(thrown.status, 0);
    assert_true(thrown.contactCount > 0);
    assert_close(thrown.energy, 0.0, 1e-6);
  }
}

// Free flights whose ends move away from what is nearest, as an outline does that is concave: another part of it was
// met in between, and runs stopped, "it was overlooked that it touches".
static void what_moves_away_from_a_side_may_meet_another(void** state)
{
  (void)state;
  static const Throw throws[] = { { 0, 1589 }, { 0, 2033 }, { 3, 2521 }, { 3, 3181 }, { 0, 3737 } };
  expectKept(throws, 5);
}

// Corners in corners, whose depth was lost where they were nearer to another side: 7 to 11 % of the energy with it, or
// the run.
static void corners_in_corners_keep_their_energy(void** state)
{
  (void)state;
  static const Throw throws[] = { { 1, 1202 }, { 0, 1340 }, { 1, 1654 }, { 1, 1736 },
                                  { 3, 1220 }, { 3, 3670 }, { 3, 10594 } };
  expectKept(throws, 7);
}

// Touches at the cut of two chains, where the one that has not got them took its distance for 0 and searched without
// end, 9 s for an impact; and such as go over to it, which must be seen to come from there.
static void touches_at_the_cut_of_chains_take_no_time(void** state)
{
  (void)state;
  static const Throw throws[] = { { 3, 17 }, { 1, 1094 }, { 2, 2678 }, { 2, 764 }, { 3, 3464 }, { 0, 7562 } };
  clock_t start = clock();
  expectKept(throws, 6);
  assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 5.0); // 0.02 s
}

// A ball that rolls over the cut of two chains in the middle of an impact: its force was gone there within a step, and
// runs stopped, "it was overlooked that it touches", or lost 3e-4 of their energy.
static void impacts_go_on_over_the_cut_of_chains(void** state)
{
  (void)state;
  static const struct {
    int kind;
    uint64_t seed;
  } throws[] = { { 2, 187 }, { 1, 410 }, { 2, 863 }, { 1, 3789 } };
  for (int i = 0; i < 4; ++i) {
    crSurfaceThrow thrown = crThrowAtSurface(throws[i].kind, throws[i].seed, 1e-8);
    assert_int_equal(thrown.status, 0);
    assert_int_equal(thrown.contactCount, 2);
    assert_close(thrown.energy, 0.0, 1e-6);
  }
}

// A ball that had been through a solid where a step was tried to end saw a part of its surface from in front again, and
// the way back from there was taken for free: runs stopped, "it was overlooked that it touches".
static void parts_of_a_surface_tell_nothing_from_inside_the_solid(void** state)
{
  (void)state;
  static const uint64_t seeds[] = { 3003, 3212, 5606 };
  for (int i = 0; i < 3; ++i) {
    crSurfaceThrow thrown = crThrowAtSurface(3, seeds[i], 1e-8);
    assert_int_equal(thrown.status, 0);
    assert_true(thrown.contactCount > 0);
    assert_close(thrown.energy, 0.0, 1e-6);
  }
}

// Balls that rattle in the notch of a disc, with 4 to 40 impacts. The first step of each was wrong by a thousandth of
// what it stored, the last one, where it was implicit, by twice that: 1e-6 to 9e-6 in all.
static void impacts_that_follow_each_other_lose_nothing(void** state)
{
  (void)state;
  static const uint64_t seeds[] = { 345, 3328, 4978, 11246 };
  for (int i = 0; i < 4; ++i) {
    crSurfaceThrow thrown = crThrowAtSurface(7, seeds[i], 1e-8);
    assert_int_equal(thrown.status, 0);
    assert_true(thrown.contactCount >= 4);
    assert_close(thrown.energy, 0.0, 1e-6);
  }
}

// Balls on the end faces of what is cut into several chains: each of these had a touch of its own, and none where the
// ball was beside all of them, as on the hub of a gear, so that it fell through or the run stopped, "it was
// overlooked".
static void end_faces_are_touched_once(void** state)
{
  (void)state;
  for (int kind = 0; kind < CR_OUTLINE_KINDS; ++kind) {
    int hits = 0;
    for (uint64_t seed = 1; seed <= 5 * THROWS; ++seed) {
      crSurfaceThrow thrown = crThrowAtEnd(kind, seed, 1e-8);
      assert_int_equal(thrown.status, 0);
      assert_close(thrown.energy, 0.0, 1e-6);
      hits += thrown.contactCount > 0;
    }
    assert_true(hits > THROWS);
  }
}

// [m] How deep a ball of radius r [m] lies in what is level at the height `top` [m], after it has fallen there.
static double layBall(const char* shape, double x, double y, double r, double top)
{
  char text[1500];
  snprintf(text, sizeof text,
           "contactPair('Steel', 'Steel', { cor = 0.2, muK = 0, muR = 0 })\nworld('w', {})\n"
           "object('ball', { parent = 'w', free = true, position = { %.17g, %.17g, %.17g },\n"
           "  solid{ shape = sphere{ radius = %.17g }, material = 'Steel', contact = 'Steel' } })\n"
           "object('body', { parent = 'w', solid{ contact = 'Steel', shape = %s } })\n",
           x, y, top + r + 1e-3, r, shape);
  crTestRun run = crOpenTestText(text, 0.3, 1e-9, cr_solverDefault);
  double height = crTestRun_ValueAt(&run, 0.3, "ball.position.z");
  crCloseTestRun(&run);
  return top + r - height;
}

// On hub and tooth of a gear, and beside a hole, from near it to where no element of the profile is: balls fell through
// such plates, where the box around the hole ended. Hertz: F = 4/3 E* sqrt(r) d^1.5.
static void balls_lie_on_end_faces_as_deep_as_hertz_says(void** state)
{
  (void)state;
  static const char* const gear = "involuteGear{ teeth = 12, module = 0.01, length = 0.02 }";
  static const char* const hole =
      "extruded{ inside = true, length = 0.02, profile = { { -0.02, 0, through = { 0, -0.02 } "
      "}, { 0.02, 0, through = { 0, 0.02 } } } }";
  static const char* const square =
      "extruded{ inside = true, length = 0.02, profile = { { -0.02, -0.02 }, { 0.02, -0.02 "
      "}, { 0.02, 0.02 }, { -0.02, 0.02 } } }";
  static const struct {
    const char* shape;
    double x, y;
  } cases[] = {
    { gear, 0.005, 0.003 }, { gear, 0.06, 0.0 },    { hole, 0.021, 0.0 },   { hole, 0.025, 0.01 },
    { hole, 0.1, -0.1 },    { square, 0.024, 0.0 }, { square, 0.05, 0.05 }, { square, -0.2, 0.1 },
  };
  double r = 0.01, weight = 8000.0 * 4.0 / 3.0 * CR_PI * r * r * r * 9.81, E = 2e11 / (2.0 * (1.0 - 0.09));
  double depth = pow(0.75 * weight / (E * sqrt(r)), 2.0 / 3.0);
  for (int i = 0; i < 8; ++i) {
    assert_close(layBall(cases[i].shape, cases[i].x, cases[i].y, r, 0.01) / depth, 1.0, 1e-5);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(undamped_impacts_on_surfaces_keep_their_energy),
    cmocka_unit_test(rollers_and_outlines_keep_their_energy),
    cmocka_unit_test(long_steps_do_not_leap_into_outlines),
    cmocka_unit_test(what_moves_away_from_a_side_may_meet_another),
    cmocka_unit_test(corners_in_corners_keep_their_energy),
    cmocka_unit_test(touches_at_the_cut_of_chains_take_no_time),
    cmocka_unit_test(impacts_go_on_over_the_cut_of_chains),
    cmocka_unit_test(parts_of_a_surface_tell_nothing_from_inside_the_solid),
    cmocka_unit_test(impacts_that_follow_each_other_lose_nothing),
    cmocka_unit_test(end_faces_are_touched_once),
    cmocka_unit_test(balls_lie_on_end_faces_as_deep_as_hertz_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
