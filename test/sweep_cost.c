// What a sweep costs beside its runs: CPU time of the tool for each run, against that of runs in a loop without table,
// threads and folder; and what reading and compiling take of these. Processor time, because other processes on a
// machine do not count in it; the least of several rounds, because they disturb it all the same.
//
// usage: sweep_cost [RUNS [STOP]]     10000 drops of a ball of 0.4 s unless given
#include "base/clock.h"
#include "carom/model.h"
#include "support/folder.h"
#include "support/sweeps.h"
#include "sweep/pool.h"
#include "sweep/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 5
#define LOOP_RUNS 1000

static int runs = 10000;
static double stopTime = 0.4;

typedef struct Cost {
  double cpu, inside; // [s] of CPU time of the process for each run, and in the run itself
  double wall;        // [s] of all
  double megabytes;   // largest
} Cost;

// -------------------------------------------------------------------------------------------- the loop

static crSweepPlan* makePlan(void)
{
  static const crSetting vary[] = { { "height", "0.1:0.5:10" }, { "cor", "uniform(0.4,0.9)" } };
  static const char* const output[] = { "last(ball.position)", "count(contacts)" };
  crSweepDef def = crDefaultSweepDef(crTestPath("drop.lua"));
  def.vary = vary;
  def.varyCount = 2;
  def.output = output;
  def.outputCount = 2;
  def.runs = runs;
  def.options.stopTime = stopTime;
  crSweepPlan* plan = NULL;
  assert_int_equal(crCreateSweepPlan(&def, NULL, NULL, &plan), cr_ok);
  return plan;
}

static int64_t pickRun(int i)
{
  return (int64_t)((double)i * 0.618033989 * runs) % runs; // no grid is in step with it
}

// [s] of CPU time of a run, and of its reading and compiling, in one thread that does nothing else
static void measureLoop(const crSweepPlan* plan, double* outRun, double* outReading)
{
  crAllocator own = crChooseAllocator(NULL);
  crPool pool;
  crPool_Init(&pool, &own);
  crAllocator allocator = crPool_GetAllocator(&pool);
  crRunner runner;
  assert_true(crRunner_Init(&runner, plan, &allocator));
  double began = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < LOOP_RUNS; ++i) {
    crSweepRow row;
    assert_true(crRunner_Run(&runner, pickRun(i), &row) && row.status == cr_ok);
  }
  double between = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < LOOP_RUNS; ++i) {
    crScene* scene = NULL;
    crModel* model = NULL;
    assert_int_equal(crSweepPlan_ReadModel(plan, pickRun(i), &allocator, NULL, &scene), cr_ok);
    assert_int_equal(crCompile(scene, NULL, &allocator, NULL, &model), cr_ok);
    crDestroyModel(model);
    crDestroyScene(scene);
  }
  *outReading = (crReadClock(CLOCK_THREAD_CPUTIME_ID) - between) / LOOP_RUNS;
  *outRun = (between - began) / LOOP_RUNS;
  crRunner_Free(&runner);
  crPool_Free(&pool);
}

// -------------------------------------------------------------------------------------------- the tool

static pid_t start(const char* folder, const char* threads)
{
  char count[32], stop[32];
  snprintf(count, sizeof count, "%d", runs);
  snprintf(stop, sizeof stop, "%.6g", stopTime);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    execl(CAROM_TOOL, "carom", "sweep", crTestPath("drop.lua"), "--vary", "height=0.1:0.5:10", "--vary",
          "cor=uniform(0.4,0.9)", "--runs", count, "--stop", stop, "--output", "last(ball.position)", "--output",
          "count(contacts)", "--threads", threads, "--quiet", "-o", folder, (char*)NULL);
    _exit(127);
  }
  return child;
}

static void await(pid_t child, Cost* ioCost)
{
  int status = 0;
  struct rusage usage;
  assert_int_equal(wait4(child, &status, 0, &usage), child);
  assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
  ioCost->cpu += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  ioCost->megabytes = (double)usage.ru_maxrss / 1024.0;
}

// [s] of CPU time that the rows of a sweep tell
static double sumRows(const char* name)
{
  crSweepTable* table = crReadTestTable(name);
  double sum = 0.0;
  for (int i = 0; i < crSweepTable_CountRows(table); ++i) {
    sum += crSweepTable_GetRow(table, i).cpuSeconds;
  }
  crDestroySweepTable(table);
  return sum;
}

// As many processes at the same time, each with a sweep of its own.
static Cost measureTool(int round, int processes, const char* threads)
{
  pid_t children[2];
  char folder[2][64];
  Cost cost = { 0 };
  double began = crReadClock(CLOCK_MONOTONIC);
  for (int i = 0; i < processes; ++i) {
    snprintf(folder[i], sizeof folder[i], "cost%d-%s-%d-%d.sweep", round, threads, processes, i);
    children[i] = start(crTestPath(folder[i]), threads);
  }
  for (int i = 0; i < processes; ++i) {
    await(children[i], &cost);
  }
  cost.wall = crReadClock(CLOCK_MONOTONIC) - began;
  for (int i = 0; i < processes; ++i) {
    cost.inside += sumRows(folder[i]) / ((double)runs * processes);
  }
  cost.cpu /= (double)runs * processes;
  return cost;
}

static void keepLeast(Cost* least, Cost cost, int round)
{
  double wall = round == 0 || cost.wall < least->wall ? cost.wall : least->wall;
  *least = round == 0 || cost.cpu < least->cpu ? cost : *least;
  least->wall = wall;
}

static void print(const char* what, Cost cost, double ideal)
{
  printf("%-24s %.4f ms of CPU time for each run, %.4f of it in the run, beside it %.1f %%; %.2f s, %.3f of the ideal "
         "rate; %.1f MiB\n",
         what, 1e3 * cost.cpu, 1e3 * cost.inside, 100.0 * (cost.cpu / cost.inside - 1.0), cost.wall, ideal / cost.wall,
         cost.megabytes);
}

static void sweeps_cost_little(void** state)
{
  (void)state;
  crWriteDropModel();
  crSweepPlan* plan = makePlan();
  double run = 0.0, reading = 0.0;
  Cost one = { 0 }, two = { 0 }, apart = { 0 };
  for (int round = 0; round < ROUNDS; ++round) {
    double r, c;
    measureLoop(plan, &r, &c);
    run = round == 0 || r < run ? r : run;
    reading = round == 0 || c < reading ? c : reading;
    keepLeast(&one, measureTool(round, 1, "1"), round);
    keepLeast(&two, measureTool(round, 1, "2"), round);
    keepLeast(&apart, measureTool(round, 2, "1"), round);
  }
  printf("a run in a loop: %.4f ms of CPU time, of which reading and compiling %.4f ms\n", 1e3 * run, 1e3 * reading);
  print("one thread", one, runs * run);
  print("two threads", two, runs * run / 2.0);
  print("two processes at once", apart, runs * run);
  crDestroySweepPlan(plan);
}

int main(int argc, char** argv)
{
  runs = argc > 1 ? atoi(argv[1]) : runs;
  stopTime = argc > 2 ? atof(argv[2]) : stopTime;
  if (runs < LOOP_RUNS || !(stopTime > 0.0)) {
    fprintf(stderr, "usage: sweep_cost [RUNS [STOP]], at least %d runs\n", LOOP_RUNS);
    return 2;
  }
  const struct CMUnitTest tests[] = { cmocka_unit_test(sweeps_cost_little) };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
