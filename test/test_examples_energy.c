// Every example runs to its own end at its own settings, in half a second of CPU time, and accounts for its energy:
// what work and losses do not explain is at most 5e-6 of the turnover, the largest of |work|, dissipated energy, and
// the ranges of kinetic, potential and elastic energy over the output points. A top that only spins turns over nothing
// but rounding errors: a thousandth of the largest kinetic energy counts at least.
//
// Exceptions are listed. One that has become unnecessary makes the test fail, so that it is taken out.
#include "carom/carom.h"
#include "carom/io.h"
#include "support/log.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_LIMIT 0.5     // [s]
#define ENERGY_LIMIT 5e-6 // [-] unexplained over turnover
// Times the limit, for machines that are slow or busy; the table marks what is above the limit itself.
#define SLOWEST_MACHINE 2.0
#define LEAST_EXCHANGE 1e-3 // [-] of the largest kinetic energy that counts as turnover
#define MAX_EXAMPLES 100
#define NAME_SIZE 64

// What an example is known to miss.
typedef enum Flaw {
  flawRun = 1,
  flawCpu = 2,
  flawEnergy = 4,
} Flaw;

static const struct {
  const char* example;
  int flaws;
} exceptions[] = {
  { "dominoes.lua", flawCpu },       // 24 boxes, each on the floor and against two others: 1 s
  { "brick_wall.lua", flawCpu },     // 16 boxes, forty contacts at a time: 3 s
  { "ball_bearing.lua", flawCpu },   // 9 balls in raceways, Jacobians by differences: 2 s
  { "involute_gears.lua", flawCpu }, // teeth that rattle: 1.3 s
  { "terrain_car.lua", flawCpu },    // four wheels by area on smooth ground: 0.9 s
};

typedef struct Range {
  double min, max;
} Range;

typedef struct Account {
  crRunEnd end;
  double time; // [s] reached
  double cpuSeconds;
  int64_t steps, evaluations;
  double unexplained, turnover; // [J]
} Account;

typedef struct Ledger {
  const crSimulation* simulation;    // whose trees actions change
  Range kinetic, potential, elastic; // [J]
} Ledger;

static void widen(Range* range, double x)
{
  range->min = fmin(range->min, x);
  range->max = fmax(range->max, x);
}

static crStatus keepEnergy(void* context, double t, const crInstance* instance)
{
  (void)t;
  Ledger* ledger = context;
  crEnergy energy = crInstance_ComputeEnergy(instance, crSimulation_GetSet(ledger->simulation), -1);
  widen(&ledger->kinetic, energy.kinetic);
  widen(&ledger->potential, energy.potential);
  widen(&ledger->elastic, energy.elastic);
  return cr_ok;
}

static double total(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

static double width(Range range)
{
  return range.max - range.min;
}

static Account closeAccount(const Ledger* ledger, const crSimulationSummary* s, crRunEnd end)
{
  double turnover = fmax(fabs(s->work), s->dissipated);
  turnover = fmax(turnover, LEAST_EXCHANGE * ledger->kinetic.max);
  turnover = fmax(turnover, fmax(width(ledger->kinetic), fmax(width(ledger->potential), width(ledger->elastic))));
  return (Account){ .end = end,
                    .time = s->time,
                    .cpuSeconds = s->cpuSeconds,
                    .steps = s->solverStatistics.steps,
                    .evaluations = s->solverStatistics.evaluations,
                    .unexplained =
                        fabs(total(s->endEnergy) - total(s->startEnergy) - s->work + s->dissipated + s->removed),
                    .turnover = turnover };
}

static Account runExample(const char* example)
{
  char path[1024];
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  crRunEnd end = cr_runFailed;
  snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, example);
  assert_int_equal(crReadModel(path, NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, NULL, &model), cr_ok);
  assert_int_equal(crCreateSimulation(model, NULL, NULL, NULL, &simulation), cr_ok);
  Range nothing = { HUGE_VAL, -HUGE_VAL };
  Ledger ledger = { simulation, nothing, nothing, nothing };
  crObserver observer = { .context = &ledger, .atOutput = keepEnergy };
  crSimulation_Run(simulation, &observer, &end);
  crSimulationSummary summary = crSimulation_GetSummary(simulation);
  Account account = closeAccount(&ledger, &summary, end);
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyScene(scene);
  return account;
}

// ----------------------------------------------------------------------------------------------- judge

static int compareNames(const void* a, const void* b)
{
  return strcmp(a, b);
}

static int listExamples(char (*names)[NAME_SIZE])
{
  int count = 0;
  DIR* entries = opendir(CAROM_ROOT "/examples");
  assert_non_null(entries);
  for (struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    size_t length = strlen(entry->d_name);
    if (length > 4 && length < NAME_SIZE && strcmp(entry->d_name + length - 4, ".lua") == 0) {
      assert_true(count < MAX_EXAMPLES);
      memcpy(names[count++], entry->d_name, length + 1);
    }
  }
  closedir(entries);
  qsort(names, (size_t)count, sizeof *names, compareNames);
  return count;
}

static int findExceptions(const char* example)
{
  for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; ++i) {
    if (strcmp(exceptions[i].example, example) == 0) {
      return exceptions[i].flaws;
    }
  }
  return 0;
}

// What is wrong with a run. CPU times are judged in optimized builds only.
static int findFlaws(const Account* account)
{
  double cpuLimit = CPU_LIMIT * SLOWEST_MACHINE;
#ifndef NDEBUG
  cpuLimit = HUGE_VAL;
#endif
  if (account->end != cr_runComplete) {
    return flawRun;
  }
  return (account->cpuSeconds > cpuLimit ? flawCpu : 0) |
         (account->unexplained > ENERGY_LIMIT * account->turnover ? flawEnergy : 0);
}

// Whether the example is as good as it should be, and no better than its exceptions say. A time that is between the
// limit and what slow machines are granted proves neither.
static bool judge(const char* example, const Account* account)
{
  int flaws = findFlaws(account), known = findExceptions(example);
  int cured = known & ~flaws;
  if (account->cpuSeconds > CPU_LIMIT) {
    cured &= ~flawCpu;
  }
  printf("%-28s %s %6.3g s CPU%s %8.3f s, %7lld steps, %8lld evaluations, %8.1e of %8.1e J unexplained: %7.1e%s%s\n",
         example, account->end == cr_runComplete ? "to" : "STOPS AT", account->time,
         account->cpuSeconds > CPU_LIMIT ? " (long)" : "", account->cpuSeconds, (long long)account->steps,
         (long long)account->evaluations, account->unexplained, account->turnover,
         account->turnover > 0.0 ? account->unexplained / account->turnover : 0.0,
         (flaws & ~known) != 0 ? "  FLAW"
         : known != 0          ? "  known flaw"
                               : "",
         cured != 0 ? "  CURED: take it out of the exceptions" : "");
  return (flaws & ~known) == 0 && cured == 0;
}

static void examples_run_to_their_end_and_account_for_their_energy(void** state)
{
  (void)state;
  static char names[MAX_EXAMPLES][NAME_SIZE];
  int count = listExamples(names), badCount = 0;
  assert_true(count >= 37);
  for (int i = 0; i < count; ++i) {
    Account account = runExample(names[i]);
    badCount += !judge(names[i], &account);
  }
  assert_int_equal(badCount, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(examples_run_to_their_end_and_account_for_their_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
