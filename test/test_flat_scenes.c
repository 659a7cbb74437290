// The scenes of flat contact that the benchmarks measure: each runs to its end and accounts for its energy. What they
// cost is judged by the benchmark, which repeats them; here nothing may take five times as long.
#include "../bench/flat.h"
#include "support/test_run.h"

#include <stdio.h>
#include <string.h>

#define SLOWEST_MACHINE 5.0 // times the limits

static crSimulationSummary runScene(const FlatScene* scene)
{
  char path[1024];
  crScene* read = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  crRunEnd end = cr_runFailed;
  bool isExample = strncmp(scene->file, "examples/", 9) == 0;
  snprintf(path, sizeof path, "%s/%s%s", CAROM_ROOT, isExample ? "" : "bench/scenes/", scene->file);
  crReadOptions readOptions = crDefaultReadOptions();
  readOptions.settings = scene->settings;
  while (readOptions.settingCount < FLAT_SETTINGS && scene->settings[readOptions.settingCount].name != NULL) {
    ++readOptions.settingCount;
  }
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = scene->stop;
  options.tolerance = scene->tolerance;
  assert_int_equal(crReadModel(path, &readOptions, NULL, NULL, &read), cr_ok);
  assert_int_equal(crCompile(read, NULL, NULL, NULL, &model), cr_ok);
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  crSimulation_Run(simulation, NULL, &end);
  crSimulationSummary summary = crSimulation_GetSummary(simulation);
  printf("%s: %s at %g s\n", scene->name, crRunEnd_GetText(end), summary.time);
  assert_int_equal(end, cr_runComplete);
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyScene(read);
  return summary;
}

static void scenes_run_to_their_end_and_account_for_their_energy(void** state)
{
  (void)state;
  for (int i = 0; i < FLAT_COUNT; ++i) {
    const FlatScene* scene = &flatScenes[i];
    if (scene->isLong) {
      continue;
    }
    crSimulationSummary s = runScene(scene);
    double error = fabs(findFlatUnexplained(&s)) / findFlatTurnover(&s);
    printf("%-22s %8.3f s CPU, start %.3f s, %7lld steps, %.1e J unexplained: %.1e\n", scene->name, s.cpuSeconds,
           s.startSeconds, (long long)s.solverStatistics.steps, findFlatUnexplained(&s), error);
    assert_true(error <= findFlatLimit(s.tolerance));
#ifdef NDEBUG
    assert_true(scene->limit <= 0.0 || scene->isKnownToMiss || s.cpuSeconds <= SLOWEST_MACHINE * scene->limit);
    assert_true(scene->startLimit <= 0.0 || s.startSeconds <= SLOWEST_MACHINE * scene->startLimit);
#endif
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(scenes_run_to_their_end_and_account_for_their_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
