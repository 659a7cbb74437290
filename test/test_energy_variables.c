// Energies as variables over time: against closed forms, the balance at every row, and the summary at the end.
#include "carom/carom.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_ROWS 256
enum { kinetic, potential, elastic, dissipated, work, unexplained, COUNT };

typedef struct Rows {
  crRecorder* recorder;
  int count;
  double times[MAX_ROWS];
  double values[MAX_ROWS][COUNT];
} Rows;

static crStatus keepRow(void* context, double t, const crInstance* instance)
{
  Rows* rows = context;
  assert_true(rows->count < MAX_ROWS);
  rows->times[rows->count] = t;
  memcpy(rows->values[rows->count++], crRecorder_Read(rows->recorder, instance), sizeof rows->values[0]);
  return cr_ok;
}

// Runs to the end with 100 intervals; what the rows say must agree with itself and with the summary.
static crSimulationSummary runRows(const char* text, double stop, double tolerance, double allowed, Rows* outRows)
{
  static const char* const patterns[] = { "energy.*" };
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.interval = stop / 100.0;
  options.tolerance = tolerance;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
  crRunEnd end;
  outRows->count = 0;
  assert_int_equal(crCreateRecorder(run.model, patterns, 1, NULL, &run.sink, &outRows->recorder), cr_ok);
  assert_int_equal(crRecorder_CountColumns(outRows->recorder), COUNT);
  crObserver observer = { .context = outRows, .atOutput = keepRow };
  assert_int_equal(crSimulation_Run(run.simulation, &observer, &end), cr_ok);
  assert_int_equal(outRows->count, 101);
  crSimulationSummary s = crSimulation_GetSummary(run.simulation);
  const double* first = outRows->values[0];
  for (int i = 0; i < outRows->count; ++i) {
    const double* row = outRows->values[i];
    double sum = row[kinetic] + row[potential] + row[elastic] + row[dissipated] - row[work];
    assert_close(sum, first[kinetic] + first[potential] + first[elastic] + row[unexplained], 1e-13 * (1.0 + fabs(sum)));
    assert_close(row[unexplained], 0.0, allowed);
  }
  const double* last = outRows->values[outRows->count - 1];
  assert_true(first[kinetic] == s.startEnergy.kinetic && first[potential] == s.startEnergy.potential);
  assert_true(first[dissipated] == 0.0 && first[work] == 0.0 && first[unexplained] == 0.0);
  assert_true(last[kinetic] == s.endEnergy.kinetic && last[potential] == s.endEnergy.potential);
  assert_true(last[elastic] == s.endEnergy.elastic && last[dissipated] == s.dissipated && last[work] == s.work);
  crDestroyRecorder(outRows->recorder);
  crCloseTestRun(&run);
  return s;
}

// m v' = -c v: the damper takes m v0^2 / 2 (1 - exp(-2 c t / m)).
static void a_damper_takes_what_the_closed_form_says(void** state)
{
  (void)state;
  static Rows rows;
  runRows("scene{ gravity = 'none' }\nlocal w = world('w')\n"
          "object('cart', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"
          "prismatic('slide', w, 'cart', { startRate = 3, damping = 0.7 })\n",
          4.0, 1e-10, 1e-7, &rows);
  for (int i = 0; i < rows.count; ++i) {
    double left = 9.0 * exp(-0.7 * rows.times[i]);
    assert_close(rows.values[i][kinetic], left, 1e-7);
    assert_close(rows.values[i][dissipated], 9.0 - left, 1e-7);
    assert_true(rows.values[i][work] == 0.0 && rows.values[i][potential] == 0.0);
  }
}

// A constant force on a free cart: its work is F^2 t^2 / 2 m, all of it kinetic.
static void a_force_works_as_the_closed_form_says(void** state)
{
  (void)state;
  static Rows rows;
  runRows("scene{ gravity = 'none' }\nlocal w = world('w')\n"
          "object('cart', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"
          "prismatic('slide', w, 'cart', { force = constant('push', { value = 5 }) })\n",
          2.0, 1e-10, 1e-8, &rows);
  for (int i = 0; i < rows.count; ++i) {
    assert_close(rows.values[i][work], 25.0 * rows.times[i] * rows.times[i] / 4.0, 1e-8);
    assert_true(rows.values[i][dissipated] == 0.0);
  }
}

// A damped pendulum comes to rest: what it has lost is the height of its start.
static void a_damped_pendulum_loses_its_height(void** state)
{
  (void)state;
  static Rows rows;
  crSimulationSummary s = runRows("local w = world('w')\n"
                                  "object('rod', { mass{ mass = 1.5, com = { 0, 0, -0.4 }, inertia = { 0, 0, 0 } } })\n"
                                  "revolute('hinge', w, 'rod', { axis = 'y', start = 1, damping = 0.4 })\n",
                                  60.0, 1e-9, 1e-6, &rows);
  assert_close(s.dissipated, 1.5 * 9.81 * 0.4 * (1.0 - cos(1.0)), 1e-6);
  for (int i = 1; i < rows.count; ++i) {
    assert_true(rows.values[i][dissipated] >= rows.values[i - 1][dissipated] - 1e-9);
  }
}

// A ball that bounces: energy is stored while it touches, and each bounce takes some; falls take none.
static void a_bouncing_ball_stores_and_loses_energy_in_its_contacts(void** state)
{
  (void)state;
  static const char* const responses[] = { "elastic", "impulsive" };
  static Rows rows;
  for (int k = 0; k < 2; ++k) {
    char text[512];
    snprintf(text, sizeof text,
             "scene{ response = '%s' }\n"
             "world('w', { solid{ shape = halfSpace{}, contact = 'DryWood' } })\n"
             "object('ball', { parent = 'w', position = { 0, 0, 0.32 }, free = true,\n"
             "  solid{ shape = sphere{ radius = 0.02 }, material = 'DryWood', contact = 'DryWood' } })\n",
             responses[k]);
    crSimulationSummary s = runRows(text, 0.5, 1e-9, 1e-8, &rows);
    double before = rows.values[40][dissipated], touch = sqrt(2.0 * 0.3 / 9.81);
    assert_true(touch > rows.times[40] && touch < rows.times[60]);
    assert_close(before, 0.0, 1e-12);
    assert_close(rows.values[60][dissipated], s.dissipated, 1e-9);
    assert_close(s.dissipated, s.startEnergy.potential - s.endEnergy.potential - s.endEnergy.kinetic, 1e-8);
    assert_true(s.dissipated > 0.1 * (s.startEnergy.potential - 0.02 * 9.81));
  }
}

// Before a run nothing is known of a start; the instance alone has its own energies.
static void an_instance_knows_its_own_energies(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText("local w = world('w')\n"
                                 "object('rod', { mass{ mass = 2, com = { 0, 0, -1 }, inertia = { 1, 1, 1 } } })\n"
                                 "revolute('hinge', w, 'rod', { axis = 'y', startRate = 2 })\n",
                                 1.0, 0.0, cr_solverAuto);
  crInstance* instance = NULL;
  assert_int_equal(crCreateInstance(run.model, NULL, &run.sink, &instance), cr_ok);
  assert_int_equal(crInstance_Eval(instance, crModel_GetAllTrees(run.model), cr_stageReport), cr_ok);
  static const struct {
    const char* name;
    double value;
  } cases[] = { { "energy.kinetic", 0.5 * 3.0 * 4.0 },
                { "energy.potential", -2.0 * 9.81 },
                { "energy.elastic", 0.0 },
                { "energy.dissipated", 0.0 },
                { "energy.work", 0.0 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int variable = crModel_FindVariable(run.model, cases[i].name);
    crVariable facts;
    assert_true(crModel_GetVariable(run.model, variable, &facts));
    assert_string_equal(facts.path, "energy");
    assert_string_equal(facts.quantity, strchr(cases[i].name, '.') + 1);
    assert_string_equal(facts.unit, "J");
    assert_int_equal(facts.state, -1);
    assert_close(crInstance_GetVariable(instance, variable), cases[i].value, 1e-12);
  }
  assert_true(isnan(crInstance_GetVariable(instance, crModel_FindVariable(run.model, "energy.unexplained"))));
  assert_int_equal(crModel_FindVariable(run.model, "energy.total"), -1);
  assert_int_equal(crModel_FindVariable(run.model, "energy."), -1);
  crDestroyInstance(instance);
  crCloseTestRun(&run);
}

// Elements may be called "energy"; only a state of theirs cannot have the name of an energy of the whole.
static void elements_may_be_called_energy(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText("world('w')\nobject('energy', { parent = 'w' })\n", 1.0, 0.0, cr_solverAuto);
  assert_true(crModel_FindVariable(run.model, "energy.position.x") >= 0);
  assert_true(crModel_FindVariable(run.model, "energy.kinetic") >= 0);
  crCloseTestRun(&run);
  run = crOpenTestText("world('w')\nsampled('energy', { period = 1, state = { heat = 1 }, code = 'return heat' })\n",
                       1.0, 0.0, cr_solverAuto);
  assert_true(crModel_FindVariable(run.model, "energy.heat") >= 0);
  crCloseTestRun(&run);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  static const char text[] =
      "world('w')\nsampled('energy', { period = 1, state = { work = 1 }, code = 'return work' })\n";
  crScene* scene = NULL;
  crModel* model = NULL;
  assert_int_equal(crReadLua(text, strlen(text), "m.lua", NULL, NULL, NULL, &sink, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, &sink, &model), cr_errorModel);
  assert_message(log, cr_severityError,
                 "m.lua:2: error: energy: a state has the name of an energy of the whole model, energy.work");
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_damper_takes_what_the_closed_form_says),
    cmocka_unit_test(a_force_works_as_the_closed_form_says),
    cmocka_unit_test(a_damped_pendulum_loses_its_height),
    cmocka_unit_test(a_bouncing_ball_stores_and_loses_energy_in_its_contacts),
    cmocka_unit_test(an_instance_knows_its_own_energies),
    cmocka_unit_test(elements_may_be_called_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
