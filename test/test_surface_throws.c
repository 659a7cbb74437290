// Balls thrown at free bodies with concave surfaces: nothing is lost. More of them in `make fuzz`.
#include "support/surface_throw.h"
#include "support/test.h"

#include <math.h>

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

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(undamped_impacts_on_surfaces_keep_their_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
