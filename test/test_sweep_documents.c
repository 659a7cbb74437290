// The examples of docs/sweeps.md, at small size.
#include "support/command.h"
#include "support/folder.h"

static void the_map_is_made(void** state)
{
  (void)state;
  crAssertSays("$carom sweep $models/sweeps/map.lua --runs 90", 0, "map.sweep: 90 of 90 runs;");
  crAssertSays("$carom sweep plot map.sweep map angle speed ball.position.x -o map.svg && ls", 0, "map.svg");
  crAssertSays("$carom sweep page map.sweep && ls map.sweep", 0, "sweep.html");
}

static void monte_carlo_tells_scatter_and_causes(void** state)
{
  (void)state;
  crAssertSays("$carom sweep $models/sweeps/tolerance.lua --runs 600", 0, "600 of 600 runs;");
  crAssertSays("$carom sweep plot tolerance.sweep histogram 'last(ball.position.x)' -o histogram.svg", 0, "");
  crAssertSays("$carom sweep plot tolerance.sweep sensitivity 'last(ball.position.x)' -o sensitivity.svg", 0, "");
  crAssertSays("$carom sweep show tolerance.sweep", 0, "indices of sensitivity by 100 sets");
}

static void the_calibration_finds_what_the_document_says(void** state)
{
  (void)state;
  crAssertSays("$carom fit $models/sweeps/swing.lua", 0,
               "0.829901716      0.0005992      0.828720085      0.831083347");
  crAssertSays("$carom fit $models/sweeps/swing.lua --quiet; ls swing.fit", 0, "fit.html");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_map_is_made),
    cmocka_unit_test(monte_carlo_tells_scatter_and_causes),
    cmocka_unit_test(the_calibration_finds_what_the_document_says),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
