// A scene of the suite for a moment, for a tool that counts instructions: scripts/counts.sh runs it under callgrind,
// which counts what crSimulation_Advance does.
//
// usage: count SCENE STOP
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const SuiteScene* findScene(const char* name)
{
  for (int i = 0; i < SUITE_COUNT; i++) {
    if (strcmp(suiteScenes[i].name, name) == 0) {
      return &suiteScenes[i];
    }
  }
  fprintf(stderr, "count: there is no scene '%s'\n", name);
  exit(2);
}

static crModel* openScene(const SuiteScene* scene)
{
  char path[1024];
  crScene* read = NULL;
  crModel* model = NULL;
  crReadOptions options = crDefaultReadOptions();
  bool isExample = strncmp(scene->file, "examples/", 9) == 0;
  options.settings = scene->settings;
  while (options.settingCount < SUITE_SETTINGS && scene->settings[options.settingCount].name != NULL) {
    options.settingCount++;
  }
  snprintf(path, sizeof path, "%s/%s", isExample ? BENCH_EXAMPLES : BENCH_SCENES, scene->file + (isExample ? 9 : 0));
  if (crReadModel(path, &options, NULL, NULL, &read) == cr_ok) {
    crCompile(read, NULL, NULL, NULL, &model);
  }
  crDestroyScene(read);
  return model;
}

int main(int argc, char** argv)
{
  if (argc != 3) {
    fprintf(stderr, "usage: count SCENE STOP\n");
    return 2;
  }
  const SuiteScene* scene = findScene(argv[1]);
  crModel* model = openScene(scene);
  crSimulationOptions options = crDefaultSimulationOptions();
  crSimulation* simulation = NULL;
  options.stopTime = scene->stop;
  options.tolerance = scene->tolerance;
#ifdef BENCH_HAS_THREADS
  options.threads = 1;
#endif
  bool isGood = model != NULL && crCreateSimulation(model, &options, NULL, NULL, &simulation) == cr_ok &&
                crSimulation_Advance(simulation, atof(argv[2])) == cr_ok;
  crDestroySimulation(simulation);
  crDestroyModel(model);
  return isGood ? 0 : 1;
}
