// All kinds of bodies thrown at rooms, profiles in convex pieces, meshes in pieces and ground, at rest and free:
// nothing is lost, and nothing gets out. More of them in `make fuzz`.
#include "support/piece_throw.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static int findTarget(const char* name)
{
  for (int i = 0; i < CR_PIECE_TARGETS; ++i) {
    if (strcmp(crPieceTarget_GetText(i), name) == 0) {
      return i;
    }
  }
  fail_msg("there is no target '%s'", name);
  return -1;
}

static int findBody(const char* name)
{
  for (int i = 0; i < CR_PIECE_BODIES; ++i) {
    if (strcmp(crPieceBody_GetText(i), name) == 0) {
      return i;
    }
  }
  fail_msg("there is no body '%s'", name);
  return -1;
}

static void impacts_of_all_bodies_keep_their_energy(void** state)
{
  (void)state;
  int ellipsoid = findBody("ellipsoid"), hits = 0, count = 0;
  for (int target = 0; target < CR_PIECE_TARGETS; ++target) {
    for (int body = 0; body < CR_PIECE_BODIES; ++body) {
      uint64_t seed = 1 + (uint64_t)(body + target) % 2;
      if (body == ellipsoid) {
        continue;
      }
      crPieceThrow thrown = crThrowAtPieces(target, body, seed, 1e-8);
      assert_int_equal(thrown.status, 0);
      assert_close(thrown.energy, 0.0, body == 0 ? 1e-6 : 1e-5);
      assert_false(thrown.hasEscaped);
      hits += thrown.contactCount > 0;
      ++count;
    }
  }
  assert_true(hits > 3 * count / 4);
}

// Hollow spheres counted as balls: one that moves was not touched by a ball inside, which flew out of it.
static void balls_stay_in_hollow_spheres_that_move(void** state)
{
  (void)state;
  int target = findTarget("hollow sphere");
  for (uint64_t seed = 2; seed <= 8; seed += 2) {
    crPieceThrow thrown = crThrowAtPieces(target, findBody("ball"), seed, 1e-8);
    assert_int_equal(thrown.status, 0);
    assert_true(thrown.contactCount > 0);
    assert_false(thrown.hasEscaped);
    assert_close(thrown.energy, 0.0, 1e-6);
  }
}

// The force of an ellipsoid at edges of pieces has no potential. What it gave was dissipation below zero, and the
// balance was content.
static void energy_from_nothing_is_told(void** state)
{
  (void)state;
  crPieceThrow thrown = crThrowAtPieces(findTarget("hollow sphere"), findBody("ellipsoid"), 4, 1e-8);
  assert_int_equal(thrown.status, 0);
  assert_true(fabs(thrown.energy) < 1e-5 || thrown.isTold);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(impacts_of_all_bodies_keep_their_energy),
    cmocka_unit_test(balls_stay_in_hollow_spheres_that_move),
    cmocka_unit_test(energy_from_nothing_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
