// What recording costs: the mobile's run with 500 output points, once without and once with a result file as carom run
// writes it, states and poses, CPU time with everything from the opening of the file to its end. The runs are the same
// bits.
#include "mobile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COST_LIMIT 0.20 // [-] of the run

typedef struct Recording {
  crRecorder* recorder;
  crResultWriter* writer; // NULL: nothing is recorded
} Recording;

static crStatus record(void* context, double t, const crInstance* instance)
{
  Recording* recording = context;
  return recording->writer == NULL
             ? cr_ok
             : crResultWriter_AddRow(recording->writer,
                                     &(crRow){ .time = t,
                                               .values = crRecorder_Read(recording->recorder, instance),
                                               .poses = crRecorder_ReadPoses(recording->recorder, instance) });
}

static bool open(Recording* recording, const crModel* model, const char* path)
{
  if (crCreateRecorder(model, NULL, 0, NULL, NULL, &recording->recorder) != cr_ok) {
    return false;
  }
  crResultDef def = { .size = sizeof def,
                      .path = path,
                      .columns = crRecorder_GetColumns(recording->recorder),
                      .columnCount = crRecorder_CountColumns(recording->recorder),
                      .modelName = "mobile.lua",
                      .expectedRows = MOBILE_OUTPUTS + 1,
                      .bodies = crRecorder_GetBodies(recording->recorder),
                      .bodyCount = crRecorder_CountBodies(recording->recorder) };
  return crCreateResultWriter(&def, NULL, NULL, &recording->writer) == cr_ok;
}

// [s] of CPU time, infinite when it fails. path: of the result, NULL without.
static double run(const crModel* model, const char* path, double* outEnd)
{
  crSimulationOptions options = mobileOptions(MOBILE_TOLERANCE);
  Recording recording = { NULL, NULL };
  crSimulation* simulation = NULL;
  crObserver observer = { .context = &recording, .atOutput = record };
  crRunEnd end = cr_runFailed;
  double start = mobileNow();
  bool isGood = crCreateSimulation(model, &options, NULL, NULL, &simulation) == cr_ok &&
                (path == NULL || open(&recording, model, path)) &&
                crSimulation_Run(simulation, &observer, &end) == cr_ok;
  if (recording.writer != NULL) {
    isGood = crResultWriter_Close(recording.writer, isGood, "ok", NULL) == cr_ok && isGood;
  }
  double duration = isGood ? mobileNow() - start : HUGE_VAL;
  if (isGood) {
    crInstance_GetState(crSimulation_GetInstance(simulation), crModel_GetAllTrees(model), outEnd);
  }
  crDestroyRecorder(recording.recorder);
  crDestroySimulation(simulation);
  return duration;
}

int main(void)
{
  static double endWithout[MOBILE_STATES], endWith[MOBILE_STATES];
  char path[] = "/tmp/carom_bench_XXXXXX";
  crModel* model = mobileMakeModel();
  int handle = mkstemp(path);
  if (model == NULL || handle < 0) {
    return 1;
  }
  close(handle);
  double without = HUGE_VAL, with = HUGE_VAL;
  for (int i = 0; i < MOBILE_RUNS; ++i) {
    without = fmin(without, run(model, NULL, endWithout));
    with = fmin(with, run(model, path, endWith));
  }
  bool isSame = memcmp(endWithout, endWith, sizeof endWith) == 0;
  double cost = with / without - 1.0;
  printf("%14s  %16s  %6s\n", "without [ms]", "recording [ms]", "cost");
  printf("%14.2f  %16.2f  %5.1f%%\n", 1e3 * without, 1e3 * with, 100.0 * cost);
  printf("limit %.0f%%; the end of both runs is %s\n", 100.0 * COST_LIMIT, isSame ? "the same" : "NOT the same");
  unlink(path);
  crDestroyModel(model);
  return isSame && cost < COST_LIMIT ? 0 : 1;
}
