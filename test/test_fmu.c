// FMUs for Co-Simulation are the run of `carom run`, bit by bit; what they hold, and how they behave as parts of a
// host.
#include "carom/carom.h"
#include "support/command.h"
#include "support/fmu_host.h"
#include "support/folder.h"
#include "support/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char* example(const char* name)
{
  static char path[1024];
  snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, name);
  return path;
}

static void openExample(crFmuHost* host, const char* name, const crFmuOptions* options)
{
  crExportFmu(example(name), options, crTestPath("model.fmu"));
  crFmuHost_Open(host, crTestPath("model.fmu"));
}

// The step that leads from one time to the other, to the last bit.
static double findStep(double from, double to)
{
  double h = to - from;
  while (from + h < to) {
    h = nextafter(h, HUGE_VAL);
  }
  while (from + h > to) {
    h = nextafter(h, -HUGE_VAL);
  }
  assert_true(from + h == to);
  return h;
}

// -------------------------------------------------------------------------------------------- same bits

typedef struct Reference {
  crErrorLog* log;
  crScene* scene;
  crModel* model;
  crResult* result;
} Reference;

static Reference simulate(const char* name)
{
  Reference r = { .log = crCreateErrorLog(NULL) };
  crErrorSink sink = crErrorLog_GetSink(r.log);
  crReadModel(example(name), NULL, NULL, &sink, &r.scene);
  crCompile(r.scene, NULL, NULL, &sink, &r.model);
  const char* all[] = { "**" };
  crRecordOptions options = crDefaultRecordOptions();
  options.patterns = all;
  options.patternCount = 1;
  crRunEnd end;
  assert_int_equal(crRecordToMemory(r.model, NULL, &options, NULL, &sink, &r.result, NULL, &end), cr_ok);
  return r;
}

static void freeReference(Reference* r)
{
  crDestroyResult(r->result);
  crDestroyModel(r->model);
  crDestroyScene(r->scene);
  crDestroyErrorLog(r->log);
}

static void compareRow(const crFmuHost* host, fmi2Component component, const Reference* r, int row,
                       const fmi2ValueReference* references, double* values)
{
  int count = crResult_CountColumns(r->result);
  assert_int_equal(host->call.GetReal(component, references, (size_t)count, values), fmi2OK);
  for (int i = 0; i < count; ++i) {
    double expected = crResult_GetValues(r->result, i)[row];
    if (memcmp(&values[i], &expected, sizeof expected) != 0 && !(isnan(values[i]) && isnan(expected))) {
      fail_msg("%s at %.17g s: %.17g instead of %.17g", crResult_GetColumn(r->result, i)->name,
               crResult_GetTimes(r->result)[row], values[i], expected);
    }
  }
}

static void compareWithRun(const char* name)
{
  print_message("%s\n", name);
  Reference r = simulate(name);
  crFmuOptions options = crDefaultFmuOptions();
  options.kinds = cr_fmuCoSimulation;
  crFmuHost host;
  openExample(&host, name, &options);
  int count = crResult_CountColumns(r.result);
  fmi2ValueReference* references = malloc(((size_t)count + 1) * sizeof *references);
  double* values = malloc(((size_t)count + 1) * sizeof *values);
  for (int i = 0; i < count; ++i) {
    references[i] = host.variables[crFmuHost_Find(&host, crResult_GetColumn(r.result, i)->name)].reference;
  }
  fmi2Component component = crFmuHost_Start(&host, fmi2CoSimulation);
  const double* times = crResult_GetTimes(r.result);
  double t = times[0];
  for (int row = 0; row < crResult_CountRows(r.result); ++row) {
    if (crResult_GetRowKind(r.result, row) != cr_rowOutput) {
      continue;
    }
    if (times[row] > t) {
      if (host.call.DoStep(component, t, findStep(t, times[row]), fmi2True) != fmi2OK) {
        fail_msg("%s", host.log);
      }
      t = times[row];
    }
    compareRow(&host, component, &r, row, references, values);
  }
  assert_int_equal(host.errorCount, 0);
  host.call.FreeInstance(component);
  free(references);
  free(values);
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
  freeReference(&r);
}

static void co_simulation_has_the_bits_of_the_run(void** state)
{
  (void)state;
  static const char* const names[] = {
    "andrews.lua",         "arch.lua",
    "billiards.lua",       "bouncing_ball.lua",
    "bouncing_box.lua",    "bowling.lua",
    "bricard.lua",         "bushing.lua",
    "chain.lua",           "corner_spheres.lua",
    "crane.lua",           "cushion.lua",
    "differential.lua",    "dominoes.lua",
    "double_pendulum.lua", "double_pendulum_obstacle.lua",
    "eulers_disk.lua",     "four_bar.lua",
    "four_cubes.lua",      "governor.lua",
    "gripper.lua",         "inverted_pendulum.lua",
    "marble_run.lua",      "mobile.lua",
    "n_four_bar.lua",      "newtons_cradle.lua",
    "pendulum.lua",        "pendulum_obstacle.lua",
    "planet.lua",          "planetary_gear.lua",
    "rattleback.lua",      "robot_arm.lua",
    "rolling_ball.lua",    "scissor_lift.lua",
    "servo_arm.lua",       "simple_pendulum.lua",
    "slider_crank.lua",    "spherical_pendulum.lua",
    "spinning_top.lua",    "stewart.lua",
    "stick_slip.lua",      "superball.lua",
    "tipping_log.lua",     "tumbling_body.lua",
    "two_balls.lua",       "two_mass_oscillator.lua",
    "wedge.lua",           "wishbone.lua",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    compareWithRun(names[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(co_simulation_has_the_bits_of_the_run),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
