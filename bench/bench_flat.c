// What one patch costs (patch_times.h); then scenes of flat contact (flat.h): what each costs, and how much of its
// energy is left unexplained. A row is missed when the run fails, takes longer than asked for, or leaves more than 1e-5
// of what was turned over unexplained, or than ten times the tolerance.
//
// usage: bench_flat [--quick]     short ones only
#include "flat.h"
#include "measure.h"
#include "patch_times.h"
#include "record.h"

#include <stdio.h>
#include <string.h>

#define REPEATS 3
#define LONGEST_RUN 120 // [s] of CPU time

static Job planRun(const FlatScene* scene, char path[1024], double* outTolerance)
{
  bool isExample = strncmp(scene->file, "examples/", 9) == 0;
  snprintf(path, 1024, "%s/%s", isExample ? BENCH_EXAMPLES : BENCH_SCENES, isExample ? scene->file + 9 : scene->file);
  Job job = makeJob(path, scene->stop, scene->tolerance);
  crReadOptions options = crDefaultReadOptions();
  crScene* read = NULL;
  for (int i = 0; i < FLAT_SETTINGS && scene->settings[i].name != NULL; i++) {
    job.settings[i] = scene->settings[i];
    options.settingCount = i + 1;
  }
  options.settings = scene->settings;
  if (crReadModel(path, &options, NULL, NULL, &read) == cr_ok) {
    const crRunOptions* wishes = &crScene_GetOptions(read)->run;
    job.stop = job.stop > 0 ? job.stop : wishes->stopTime;
    job.tolerance = job.tolerance > 0 ? job.tolerance : wishes->tolerance;
  }
  crDestroyScene(read);
  job.repeats = scene->isLong ? 1 : REPEATS;
  job.limit = LONGEST_RUN;
  *outTolerance = job.tolerance;
  return job;
}

static bool runScene(const FlatScene* scene)
{
  char path[1024], key[96];
  double tolerance;
  Job job = planRun(scene, path, &tolerance);
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  const crSimulationSummary* s = &m->summary;
  bool isMet = false;
  if (m->isGood) {
    double error = fabs(findFlatUnexplained(s)) / findFlatTurnover(s);
    isMet = error <= findFlatLimit(tolerance) && !(scene->limit > 0 && m->cpuSeconds > scene->limit) &&
            !(scene->startLimit > 0 && s->startSeconds > scene->startLimit);
    printf("| %-22s | %7.0e | %9.3f | %9.3f | %8lld | %8lld | %10.1e | %9.1e | %-6s |\n", scene->name, tolerance,
           m->cpuSeconds, s->startSeconds, (long long)s->solverStatistics.steps, (long long)s->contactCount,
           findFlatUnexplained(s), error, isMet ? "met" : "MISSED");
    snprintf(key, sizeof key, "flat.%s.cpu", scene->file);
    recordNumber(key, m->cpuSeconds);
  } else {
    printf("| %-22s | fails: %s\n", scene->name, m->message);
  }
  fflush(stdout);
  freeOutcome(&outcome);
  return isMet;
}

int main(int argc, char** argv)
{
  bool isQuick = argc > 1 && strcmp(argv[1], "--quick") == 0, areMet = true;
  printMachine();
  areMet = printPatchTimes();
  printf("\n| %-22s | %7s | %9s | %9s | %8s | %8s | %10s | %9s | %-6s |\n", "flat contact", "tol", "CPU [s]",
         "start [s]", "steps", "contacts", "unexpl [J]", "error", "");
  printf("|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < FLAT_COUNT; i++) {
    if (!isQuick || !flatScenes[i].isLong) {
      areMet = runScene(&flatScenes[i]) && areMet;
    }
  }
  return isQuick || areMet ? 0 : 1;
}
