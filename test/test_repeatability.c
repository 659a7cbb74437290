// The same run gives the same bits: again, and in one, two and four threads side by side, as they stand in result.h5.
#include "carom/carom.h"
#include "carom/io.h"
#include "support/folder.h"
#include "support/log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 4

// A run by one thread. It uses a model that others use as well, or reads and compiles one of its own.
typedef struct Job {
  const char* example;
  const crModel* shared; // NULL: of its own
  crSolverKind solver;
  char path[512]; // of the result
  crStatus status;
} Job;

static crModel* makeModel(const char* example)
{
  char path[1024];
  crScene* scene = NULL;
  crModel* model = NULL;
  snprintf(path, sizeof path, CAROM_ROOT "/examples/%s", example);
  if (crReadModel(path, NULL, NULL, NULL, &scene) == cr_ok) {
    crCompile(scene, NULL, NULL, NULL, &model);
  }
  crDestroyScene(scene);
  return model;
}

typedef struct Recording {
  crRecorder* recorder;
  crResultWriter* writer;
} Recording;

static crStatus record(void* context, double t, const crInstance* instance)
{
  Recording* recording = context;
  return crResultWriter_AddRow(recording->writer,
                               &(crRow){ .time = t, .values = crRecorder_Read(recording->recorder, instance) });
}

static crStatus simulate(const crModel* model, const Job* job, Recording* recording)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = 1.0;
  options.interval = 0.01;
  options.solver = job->solver;
  crSimulation* simulation = NULL;
  crRunEnd end;
  crStatus status = crCreateRecorder(model, NULL, 0, NULL, NULL, &recording->recorder);
  if (status == cr_ok) {
    crResultDef def = { .size = sizeof def,
                        .path = job->path,
                        .columns = crRecorder_GetColumns(recording->recorder),
                        .columnCount = crRecorder_CountColumns(recording->recorder) };
    status = crCreateResultWriter(&def, NULL, NULL, &recording->writer);
  }
  status = status == cr_ok ? crCreateSimulation(model, &options, NULL, NULL, &simulation) : status;
  crObserver observer = { .context = recording, .atOutput = record };
  status = status == cr_ok ? crSimulation_Run(simulation, &observer, &end) : status;
  crDestroySimulation(simulation);
  return status;
}

static void* run(void* context)
{
  Job* job = context;
  crModel* own = job->shared == NULL ? makeModel(job->example) : NULL;
  const crModel* model = job->shared != NULL ? job->shared : own;
  Recording recording = { NULL, NULL };
  job->status = model != NULL ? simulate(model, job, &recording) : cr_errorModel;
  if (recording.writer != NULL) {
    crStatus closed = crResultWriter_Close(recording.writer, true, "ok", NULL);
    job->status = job->status == cr_ok ? closed : job->status;
  }
  crDestroyRecorder(recording.recorder);
  crDestroyModel(own);
  return NULL;
}

static crResult* readResult(const char* path)
{
  crResult* result = NULL;
  assert_int_equal(crReadResult(path, NULL, NULL, &result), cr_ok);
  return result;
}

static void assertSameBits(const crResult* a, const crResult* b)
{
  int rows = crResult_CountRows(a), columns = crResult_CountColumns(a);
  assert_int_equal(rows, 101);
  assert_int_equal(crResult_CountRows(b), rows);
  assert_int_equal(crResult_CountColumns(b), columns);
  assert_memory_equal(crResult_GetTimes(a), crResult_GetTimes(b), (size_t)rows * sizeof(double));
  for (int i = 0; i < columns; ++i) {
    assert_string_equal(crResult_GetColumn(a, i)->name, crResult_GetColumn(b, i)->name);
    assert_memory_equal(crResult_GetValues(a, i), crResult_GetValues(b, i), (size_t)rows * sizeof(double));
  }
}

// Runs a job `count` times at once, every other one with the shared model, and compares with the reference.
static void runSideBySide(const char* example, crSolverKind solver, const crModel* model, int count,
                          const crResult* reference)
{
  Job jobs[MAX_THREADS];
  pthread_t threads[MAX_THREADS];
  for (int i = 0; i < count; ++i) {
    char name[64];
    jobs[i] = (Job){ .example = example, .shared = i % 2 == 0 ? model : NULL, .solver = solver };
    snprintf(name, sizeof name, "thread%d.h5", i);
    snprintf(jobs[i].path, sizeof jobs[i].path, "%s", crTestPath(name));
    assert_int_equal(pthread_create(&threads[i], NULL, run, &jobs[i]), 0);
  }
  for (int i = 0; i < count; ++i) {
    pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < count; ++i) {
    assert_int_equal(jobs[i].status, cr_ok);
    crResult* result = readResult(jobs[i].path);
    assertSameBits(reference, result);
    crDestroyResult(result);
  }
}

static void assertRepeats(const char* example, crSolverKind solver)
{
  crModel* model = makeModel(example);
  assert_non_null(model);
  Job job = { .example = example, .solver = solver };
  snprintf(job.path, sizeof job.path, "%s", crTestPath("reference.h5"));
  run(&job);
  assert_int_equal(job.status, cr_ok);
  crResult* reference = readResult(job.path);
  for (int count = 1; count <= MAX_THREADS; count *= 2) {
    runSideBySide(example, solver, model, count, reference);
  }
  crDestroyResult(reference);
  crDestroyModel(model);
}

// Time events, signals with states, and a change of the solver.
static void servo_arm_repeats_to_the_bit_in_1_2_and_4_threads(void** state)
{
  (void)state;
  for (int solver = cr_solverAuto; solver < cr_solverKindCount; solver = crTestNextSolver(solver)) {
    assertRepeats("servo_arm.lua", (crSolverKind)solver);
  }
}

// Sparse equations of 188 states, and quaternions.
static void mobile_and_tumbling_body_repeat_to_the_bit_in_1_2_and_4_threads(void** state)
{
  (void)state;
  assertRepeats("mobile.lua", cr_solverAuto);
  assertRepeats("tumbling_body.lua", cr_solverAuto);
  crTestNeedSolver(cr_solverIda);
  assertRepeats("mobile.lua", cr_solverCvodeBdf);
  assertRepeats("tumbling_body.lua", cr_solverIda);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(servo_arm_repeats_to_the_bit_in_1_2_and_4_threads),
    cmocka_unit_test(mobile_and_tumbling_body_repeat_to_the_bit_in_1_2_and_4_threads),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
