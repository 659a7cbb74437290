// What a run is asked for: by the caller, else by the model, else by nobody.
#include "carom/carom.h"
#include "support/log.h"
#include "support/record_scenes.h"
#include "support/test.h"

#include <string.h>

#define PENDULUM                                                                                                       \
  "world('w')\nrevolute('hinge', 'w', object('bob', { mass{ mass = 1, com = { 0, 0, -1 } } }), { axis = 'y', start = " \
  "0.5 })\n"
#define WISHES                                                                                                         \
  "scene{ startTime = 1, stopTime = 3, interval = 0.5, tolerance = 1e-5, maxStep = 0.1, solver = 'radau5',\n"          \
  "  islands = 'off', record = { 'hinge.*' } }\n"

typedef struct Bench {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene;
  crModel* model;
} Bench;

static Bench openBench(const char* text)
{
  Bench bench = { .log = crCreateErrorLog(NULL) };
  bench.sink = crErrorLog_GetSink(bench.log);
  crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &bench.sink, &bench.scene);
  crCompile(bench.scene, NULL, NULL, &bench.sink, &bench.model);
  return bench;
}

static void closeBench(Bench* bench)
{
  crDestroyModel(bench->model);
  crDestroyScene(bench->scene);
  crDestroyErrorLog(bench->log);
}

static crSimulationOptions optionsOfRun(const crModel* model, const crSimulationOptions* asked)
{
  crSimulation* simulation = NULL;
  assert_int_equal(crCreateSimulation(model, asked, NULL, NULL, &simulation), cr_ok);
  crSimulationOptions options = crSimulation_GetOptions(simulation);
  crDestroySimulation(simulation);
  return options;
}

static int countColumns(const crModel* model, const char* const* patterns, int count)
{
  crRecorder* recorder = NULL;
  assert_int_equal(crCreateRecorder(model, patterns, count, NULL, NULL, &recorder), cr_ok);
  int columns = crRecorder_CountColumns(recorder);
  crDestroyRecorder(recorder);
  return columns;
}

static void assertWishes(const crModel* model)
{
  crSimulationOptions options = optionsOfRun(model, NULL);
  assert_true(options.startTime == 1.0 && options.stopTime == 3.0 && options.interval == 0.5);
  assert_true(options.tolerance == 1e-5 && options.maxStep == 0.1);
  assert_int_equal(options.solver, cr_solverRadau5);
  assert_int_equal(options.islands, cr_islandsOff);
  assert_int_equal(countColumns(model, NULL, 0), 2); // angle and rate
}

static void a_run_is_as_its_model_states(void** state)
{
  (void)state;
  Bench bench = openBench(WISHES PENDULUM);
  assert_no_messages(bench.log);
  assertWishes(bench.model);
  closeBench(&bench);
}

static void what_a_model_states_survives_json(void** state)
{
  (void)state;
  Bench bench = openBench(WISHES PENDULUM);
  crTestText text = { 0 };
  assert_int_equal(crWriteJson(bench.scene, NULL, NULL, crTestText_Writer(&text)), cr_ok);
  crScene* scene = NULL;
  crModel* model = NULL;
  assert_int_equal(crReadJson(text.bytes, text.size, "model.json", NULL, NULL, NULL, &bench.sink, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, &bench.sink, &model), cr_ok);
  assert_no_messages(bench.log);
  assertWishes(model);
  crDestroyModel(model);
  crDestroyScene(scene);
  crTestText_Free(&text);
  closeBench(&bench);
}

static void what_the_caller_asks_for_comes_first(void** state)
{
  (void)state;
  Bench bench = openBench(WISHES PENDULUM);
  crSimulationOptions asked = { .size = sizeof asked,
                                .startTime = 2,
                                .stopTime = 4,
                                .interval = 0.25,
                                .tolerance = 1e-7,
                                .maxStep = 1,
                                .solver = cr_solverAuto,
                                .islands = cr_islandsOn };
  crSimulationOptions options = optionsOfRun(bench.model, &asked);
  assert_true(options.startTime == 2.0 && options.stopTime == 4.0 && options.interval == 0.25);
  assert_true(options.tolerance == 1e-7 && options.maxStep == 1.0);
  assert_int_equal(options.solver, cr_solverAuto);
  assert_int_equal(options.islands, cr_islandsOn);
  const char* pattern = "hinge.angle";
  assert_int_equal(countColumns(bench.model, &pattern, 1), 1);
  closeBench(&bench);
}

static void zero_is_the_default_of_every_option(void** state)
{
  (void)state;
  Bench bench = openBench(PENDULUM);
  crSimulationOptions zero;
  memset(&zero, 0, sizeof zero);
  zero.size = sizeof zero;
  crSimulationOptions options = optionsOfRun(bench.model, &zero), started;
  assert_true(options.startTime == 0.0 && options.stopTime == 10.0 && options.interval == 0.02);
  assert_true(options.tolerance == 1e-6 && isinf(options.maxStep));
  assert_int_equal(options.solver, cr_solverAuto);
  assert_int_equal(options.islands, cr_islandsOn);
  zero.startTime = 5.0;
  started = optionsOfRun(bench.model, &zero);
  assert_true(started.stopTime == 15.0 && started.interval == 0.02);
  closeBench(&bench);
}

static void bad_wishes_are_reported(void** state)
{
  (void)state;
  Bench bench = openBench("scene{ stopTime = 0, interval = -1, tolerance = 2, maxStep = 0, solver = 'euler',\n"
                          "  islands = 'maybe', record = 'hinge.angle' }\n" PENDULUM);
  assert_null(bench.model);
  assert_message(bench.log, cr_severityError, "stopTime must be positive");
  assert_message(bench.log, cr_severityError, "maxStep must be positive");
  assert_message(bench.log, cr_severityError, "solver");
  assert_message(bench.log, cr_severityError, "islands");
  assert_message(bench.log, cr_severityError, "a list of strings");
  closeBench(&bench);
  bench = openBench("scene{ startTime = 4, stopTime = 3, interval = -1, tolerance = 2, record = { '' } }\n" PENDULUM);
  assert_null(bench.model);
  assert_message(bench.log, cr_severityError, "stopTime is not behind startTime");
  assert_message(bench.log, cr_severityError, "interval must be positive");
  assert_message(bench.log, cr_severityError, "tolerance is out of range");
  assert_message(bench.log, cr_severityError, "record[1] is empty");
  closeBench(&bench);
}

static void patterns_of_a_model_that_match_nothing_are_reported(void** state)
{
  (void)state;
  Bench bench = openBench("scene{ record = { 'hinge.angel' } }\n" PENDULUM);
  crRecorder* recorder = NULL;
  assert_int_equal(crCreateRecorder(bench.model, NULL, 0, NULL, &bench.sink, &recorder), cr_errorModel);
  assert_message(bench.log, cr_severityError, "did you mean 'hinge.angle'?");
  closeBench(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_run_is_as_its_model_states),
    cmocka_unit_test(what_a_model_states_survives_json),
    cmocka_unit_test(what_the_caller_asks_for_comes_first),
    cmocka_unit_test(zero_is_the_default_of_every_option),
    cmocka_unit_test(bad_wishes_are_reported),
    cmocka_unit_test(patterns_of_a_model_that_match_nothing_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
