// Friction that sticks next to the regularized law: what scenes cost by both, how far the body that matters has moved
// along its contact, and how much energy is left unexplained.
//
// usage: bench_stick [--quick]     short ones only
#include "flat.h"
#include "measure.h"
#include "record.h"

#include <stdio.h>
#include <string.h>

#define REPEATS 3
#define LONGEST_RUN 120 // [s] of CPU time
#define STICK_SETTINGS 3

typedef struct StickScene {
  const char* name;
  const char* file;
  crSetting settings[STICK_SETTINGS]; // up to the first without a name
  const char* body;
  double stop, tolerance;
  bool isLong;
} StickScene;

static const StickScene scenes[] = {
  { "box on 14 degrees, 1 h", "stick_block.lua", { { "angle", "14" } }, "b", 3600, 1e-4, false },
  { "box on 14 degrees, 1 h", "stick_block.lua", { { "angle", "14" } }, "b", 3600, 1e-6, false },
  { "box on 14 degrees, 1 h", "stick_block.lua", { { "angle", "14" } }, "b", 3600, 1e-8, false },
  { "box on 14 degrees, 1 h", "stick_block.lua", { { "angle", "14" } }, "b", 3600, 1e-10, false },
  { "ball on 4 degrees, 1 h",
    "stick_block.lua",
    { { "angle", "4" }, { "shape", "ball" }, { "muR", "0.15" } },
    "b",
    3600,
    1e-8,
    false },
  { "shaken at 50 Hz, 10 s", "stick_block.lua", { { "load", "shake" } }, "b", 10, 1e-8, false },
  { "through the cone, 3 s", "stick_block.lua", { { "load", "ramp" } }, "b", 3, 1e-8, false },
  { "gripper, 60 s", "stick_grip.lua", { { NULL, NULL } }, "cube", 60, 1e-8, false },
  { "mass on a belt, 10 s", "stick_belt.lua", { { NULL, NULL } }, "mass", 10, 1e-8, false },
  { "eight boxes, 10 s", "stick_stack.lua", { { NULL, NULL } }, "b8", 10, 1e-6, false },
  { "six parcels, 10 s", "stick_parcels.lua", { { NULL, NULL } }, "parcel1", 10, 1e-5, false },
  { "100 balls, soft, 1 s", "stick_pile.lua", { { "E", "1e7" } }, "ball50", 1, 1e-5, true },
  { "100 balls, soft, 2 s", "stick_pile.lua", { { "E", "1e7" } }, "ball50", 2, 1e-5, true },
  { "100 balls, 1 s", "stick_pile.lua", { { NULL, NULL } }, "ball50", 1, 1e-5, true },
};

static bool runScene(const StickScene* scene, const char* law)
{
  char path[1024], key[128];
  int count = 0;
  snprintf(path, sizeof path, "%s/%s", BENCH_SCENES, scene->file);
  Job job = makeJob(path, scene->stop, scene->tolerance);
  while (count < STICK_SETTINGS && scene->settings[count].name != NULL) {
    job.settings[count] = scene->settings[count];
    ++count;
  }
  job.settings[count] = (crSetting){ "law", law };
  job.repeats = scene->isLong ? 1 : REPEATS;
  job.limit = LONGEST_RUN;
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  bool isGood = m->isGood;
  if (isGood) {
    const crSimulationSummary* s = &m->summary;
    const double* p = findPosition(&outcome, scene->body);
    printf("| %-22s | %7.0e | %-11s | %9lld | %9.4f | %12.4e | %9.1e | %10.1e |\n", scene->name, scene->tolerance, law,
           (long long)s->solverStatistics.evaluations, m->cpuSeconds, p != NULL ? p[0] : NAN, m->fastest,
           findFlatUnexplained(s));
    snprintf(key, sizeof key, "stick.%s.%s.%.0e.cpu", scene->name, law, scene->tolerance);
    recordNumber(key, m->cpuSeconds);
  } else {
    printf("| %-22s | %7.0e | %-11s | fails: %s\n", scene->name, scene->tolerance, law, m->message);
  }
  fflush(stdout);
  freeOutcome(&outcome);
  return isGood;
}

int main(int argc, char** argv)
{
  bool isQuick = argc > 1 && strcmp(argv[1], "--quick") == 0, areGood = true;
  printMachine();
  printf("\n| %-22s | %7s | %-11s | %9s | %9s | %12s | %9s | %10s |\n", "friction", "tol", "law", "evals", "CPU [s]",
         "x [m]", "v [m/s]", "unexpl [J]");
  printf("|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    if (!isQuick || !scenes[i].isLong) {
      areGood = runScene(&scenes[i], "stick") && areGood;
      areGood = runScene(&scenes[i], "regularized") && areGood;
    }
  }
  return areGood ? 0 : 1;
}
