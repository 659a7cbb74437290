// Plans of sweeps and of fits with fields that they cannot have: each is told with its line, its field, what was found
// and what is allowed.
#include "carom/fit.h"
#include "carom/sweep.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/test.h"

#include <string.h>

typedef struct Row {
  const char *plan, *says;
} Row;

// A pendulum, and measurements of it.
static int writeFiles(void** state)
{
  static const char* const files[][2] = {
    { "m.lua", "local p = parameters{ angle = 0.5, mass = 1 }\n"
               "world('w')\n"
               "revolute('hinge', 'w', object('bob', { mass{ mass = p.mass, com = { 0, 0, -1 } } }),\n"
               "  { axis = 'y', start = p.angle })\n" },
    { "a.csv", "time,hinge.angle\n0,0.5\n0.1,0.49\n" },
    { "few.csv", "time,hinge.angle\n0,0.5\n0.1\n" },
    { "more.csv", "time,hinge.angle\n0,0.5,3\n" },
    { "empty.csv", "time,hinge.angle\n" },
    { "back.csv", "time,hinge.angle\n0.1,0.5\n0,0.4\n" },
    { "vector.csv", "time,bob.position\n0,0.5\n0.1,0.4\n" },
  };
  int made = crMakeTestFolder(state);
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    crWriteTestFile(crTestPath(files[i][0]), files[i][1], strlen(files[i][1]));
  }
  return made;
}

static crStatus readSweep(const crErrorSink* sink)
{
  crSweepPlan* plan = NULL;
  crStatus status = crReadSweepPlan(crTestPath("plan.lua"), NULL, sink, &plan);
  crDestroySweepPlan(plan);
  return status;
}

static crStatus readFit(const crErrorSink* sink)
{
  crFitPlan* plan = NULL;
  crFit* fit = NULL;
  crStatus status = crReadFitPlan(crTestPath("plan.lua"), NULL, sink, &plan);
  status = status == cr_ok ? crFitModel(crFitPlan_GetDef(plan), NULL, sink, &fit) : status;
  crDestroyFit(fit);
  crDestroyFitPlan(plan);
  return status;
}

static void assertRefused(const Row* rows, size_t count, crStatus read(const crErrorSink* sink))
{
  for (size_t i = 0; i < count; ++i) {
    crWriteTestFile(crTestPath("plan.lua"), rows[i].plan, strlen(rows[i].plan));
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    assert_true(read(&sink) < cr_ok); // a table of numbers that is wrong is an error of syntax
    assert_message(log, cr_severityError, rows[i].says);
    crDestroyErrorLog(log);
  }
}

static void wrong_sweeps_are_told(void** state)
{
  (void)state;
  static const Row rows[] = {
    { "sweep(3)", "plan.lua:1: error: sweep: of the wrong type\n  found 3, allowed: sweep{ model = ..., vary = {...}, "
                  "output = {...} }" },
    { "sweep{ vary = {}, output = {} }",
      "plan.lua:1: error: model: the model is missing\n  allowed: the file of a model" },
    { "sweep{ model = 3 }", "plan.lua:1: error: model: of the wrong type\n  found 3, allowed: a text" },
    { "sweep{ model = 'm.lua', vary = 3, output = {} }",
      "plan.lua:1: error: vary: of the wrong type\n  found 3, allowed: { name = ..., ... }" },
    { "sweep{ model = 'm.lua', vary = {}, output = { last('x') } }", "plan.lua:1: error: vary: no parameter varies" },
    { "sweep{ model = 'm.lua', vary = { angle = {} }, output = { last('hinge.angle') } }",
      "vary.angle: of the wrong type\n  found an empty list, allowed: grid(...), values(...), uniform(...), " },
    { "sweep{ model = 'm.lua', vary = { angle = 'gauss(0, 1)' }, output = { last('hinge.angle') } }",
      "vary.angle: a parameter cannot vary in this way\n  found gauss(0, 1), allowed: grid(" },
    { "sweep{ model = 'm.lua', vary = { angle = 'grid(1, 2)' }, output = { last('hinge.angle') } }",
      "vary.angle: a grid is given by three numbers\n  found grid(1, 2), allowed: grid(" },
    { "sweep{ model = 'm.lua', vary = { angle = 'grid(1, 2, 1.5)' }, output = { last('hinge.angle') } }",
      "vary.angle: a grid is given by its first value, its last one and their number\n  found grid(1, 2, 1.5), "
      "allowed: grid(first, last, number), number from 1 to 1000000" },
    { "sweep{ model = 'm.lua', vary = { angle = 'uniform(2, 1)' }, output = { last('hinge.angle') } }",
      "vary.angle: a distribution over an interval is given by its two ends\n  found uniform(2, 1), allowed: "
      "uniform(a, b), a <= b" },
    { "sweep{ model = 'm.lua', vary = { angle = 'loguniform(0, 1)' }, output = { last('hinge.angle') } }",
      "found loguniform(0, 1), allowed: loguniform(a, b), 0 < a <= b" },
    { "sweep{ model = 'm.lua', vary = { angle = 'normal(0, -1)' }, output = { last('hinge.angle') } }",
      "vary.angle: a normal distribution is given by two numbers\n  found normal(0, -1), allowed: normal(mean, "
      "standard deviation), the latter >= 0" },
    { "sweep{ model = 'm.lua', vary = { angle = '1,,2' }, output = { last('hinge.angle') } }",
      "vary.angle: a value of the list is empty\n  allowed: numbers or texts with commas between" },
    { "sweep{ model = 'm.lua', vary = { angle = 'uniform(1, 2' }, output = { last('hinge.angle') } }",
      "vary.angle: a bracket is not closed\n  found uniform(1, 2, allowed: grid(" },
    { "sweep{ model = 'm.lua', vary = { angle = values(string.rep('a', 70)) }, output = { last('hinge.angle') } }",
      "vary.angle: a value is too long\n  found aaaaaaaa" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, set = { angle = 1 } "
      "}",
      "vary.angle: the parameter varies and is set as well" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = 'hinge' }",
      "plan.lua:1: error: output: of the wrong type\n  found hinge, allowed: { last(\"ball.position.z\"), ... }" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = {} }",
      "plan.lua:1: error: output: nothing is kept of the runs\n  hint: for example output = {" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { 'last(hinge.angle' } }",
      "output[1]: a bracket is not closed\n  found last(hinge.angle, allowed: last(v), " },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { 'middle(hinge.angle)' } }",
      "output[1]: there is no such output\n  found middle(hinge.angle), allowed: last(v), " },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { 'count(bananas)' } }",
      "output[1]: there is no such output\n  found count(bananas), allowed: last(v), " },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { series('hinge.angle', 1) } }",
      "output[1]: a series has a number of values\n  found series(hinge.angle, 1), allowed: 2 to 1000000" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angel') } }",
      "output[1]: the model has no such variable\n  found hinge.angel\n  hint: did you mean 'hinge.angle'?" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, set = 3 }",
      "set: of the wrong type\n  found 3, allowed: { name = ..., ... }" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, set = { mass = {} } "
      "}",
      "set.mass: of the wrong type\n  found an empty list, allowed: a number, a text, true or false" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, seed = 'x' }",
      "seed: of the wrong type or size\n  found x, allowed: a whole number from 0 to 2^53 - 1" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, seed = 2^53 }",
      "seed: of the wrong type or size\n  found 9007199254740992, allowed: a whole number from 0 to 2^53 - 1" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, design = 3 }",
      "design: of the wrong type\n  found 3, allowed: a text" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, design = 'good' }",
      "design: there is no such design\n  found good, allowed: grid, random, sobol, latin, sensitivity" },
    { "sweep{ model = 'm.lua', vary = { angle = uniform(1, 2) }, output = { last('hinge.angle') }, design = 'grid' }",
      "design: a grid has listed values only\n  hint: grid(...) and values(...); distributions need the design" },
    { "sweep{ model = 'm.lua', vary = { angle = uniform(1, 2) }, output = { last('hinge.angle') } }",
      "runs: the number of runs is not given\n  found 0, allowed: 1 to 1e9; all points of the grid" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, runs = -1 }",
      "runs: of the wrong type or size\n  found -1, allowed: a whole number from 0" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, runs = 1e12 }",
      "runs: the number of runs is wrong\n  found 1000000000000, allowed: 1 to 1e9" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, runs = 5 }",
      "runs: the grid has fewer points than runs are asked for\n  found 5, allowed: up to 2" },
    { "sweep{ model = 'm.lua', vary = { angle = uniform(1, 2) }, output = { last('hinge.angle') }, design = "
      "'sensitivity', runs = 5 }",
      "runs: indices of sensitivity need whole sets of runs\n  found 5, allowed: a multiple of 3, parameters + 2: 6 "
      "for example" },
    { "local v = {}\nfor i = 1, 70 do v['p' .. i] = uniform(0, 1) end\nsweep{ model = 'm.lua', vary = v, output = { "
      "last('hinge.angle') }, design = 'sobol', runs = 2 }",
      "plan.lua:3: error: design: too many parameters for Sobol's sequence\n  allowed: 64 distributions, 32 for "
      "sensitivity\n  hint: design = \"latin\" or \"random\" has no limit" },
    { "sweep{ model = 'm.lua', vary = { angle = grid(1, 2, 1000000), mass = grid(1, 2, 1000000) }, output = { "
      "last('hinge.angle') } }",
      "vary: the listed values have too many points\n  allowed: up to 1e9 of them" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, solver = 'fast' }",
      "solver: there is no such solver\n  found fast, allowed: auto, " },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, contacts = 'no' }",
      "contacts: of the wrong type\n  found no, allowed: true or false" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, tolerance = 'high' }",
      "tolerance: of the wrong type or size\n  found high, allowed: a number > 0" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, stopTime = -1 }",
      "stopTime: of the wrong type or size\n  found -1, allowed: a number > 0" },
    { "sweep{ model = 'm.lua', vary = { angle = values(1, 2) }, output = { last('hinge.angle') }, stoptime = 3 }",
      "sweep: a sweep has no such field\n  found stoptime\n  hint: did you mean 'stopTime'?" },
    { "fit{ model = 'm.lua' }", "plan.lua: error: the plan has no sweep\n  hint: sweep{ model = \"drop.lua\", ... }" },
  };
  assertRefused(rows, sizeof rows / sizeof *rows, readSweep);
}

static void wrong_fits_are_told(void** state)
{
  (void)state;
  static const Row rows[] = {
    { "fit(3)", "plan.lua:1: error: fit: of the wrong type\n  found 3, allowed: fit{ model = ..., parameters = {...}, "
                "experiments = {...} }" },
    { "fit{ parameters = {} }", "plan.lua:1: error: model: the model is missing\n  allowed: the file of a model" },
    { "fit{ model = 'm.lua', parameters = 3 }",
      "parameters: missing, or of the wrong type\n  found 3, allowed: { name = { lower, upper, start = ... }, ... }" },
    { "fit{ model = 'm.lua', parameters = {}, experiments = { { data = 'a.csv' } } }",
      "parameters: the number of parameters is wrong\n  allowed: 1 to 32" },
    { "fit{ model = 'm.lua', parameters = { angle = 1 }, experiments = { { data = 'a.csv' } } }",
      "parameters.angle: a parameter lies between two bounds\n  found 1, allowed: { lower, upper, start = ..., scale = "
      "... }" },
    { "fit{ model = 'm.lua', parameters = { angle = { 1, 0 } }, experiments = { { data = 'a.csv' } } }",
      "parameters.angle: a parameter lies between two bounds\n  allowed: { lower, upper }, lower < upper" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1, start = 2 } }, experiments = { { data = 'a.csv' } } }",
      "parameters.angle: the start lies outside of the bounds" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1, start = 'x' } }, experiments = { { data = 'a.csv' } } }",
      "parameters.angle.start: of the wrong type\n  found x, allowed: a number between the bounds" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1, scale = -1 } }, experiments = { { data = 'a.csv' } } }",
      "parameters.angle.scale: of the wrong type or size\n  found -1, allowed: a number > 0" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1, step = 1 } }, experiments = { { data = 'a.csv' } } }",
      "parameters.angle: there is no such field here\n  found step" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = 3 }",
      "experiments: of the wrong type\n  found 3, allowed: { { data = \"file.csv\" }, ... }" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { 3 } }",
      "experiments[1]: of the wrong type\n  found 3, allowed: { data = \"file.csv\", ... }" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { name = 'x' } } }",
      "experiments[1]: the data are missing\n  allowed: data = \"file.csv\"" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 3 } } }",
      "experiments[1].data: of the wrong type\n  found 3, allowed: a text" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv', columns = 3 } } }",
      "experiments[1]: columns are of the wrong type\n  found 3, allowed: { column = \"variable\", ... }" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv', deviation = -1 } } }",
      "experiments[1]: a deviation is a number for all columns, or one for each by its name\n  found -1, allowed: > "
      "0" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv', set = 3 } } }",
      "experiments[1].set: of the wrong type\n  found 3, allowed: { name = value, ... }" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv', set = { mass = {} } "
      "} } }",
      "experiments[1].set.mass: of the wrong type\n  found an empty list, allowed: a number, a text, true or false" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'few.csv' } } }",
      "few.csv:3: error: the line has fewer values than there are names" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'more.csv' } } }",
      "more.csv:2: error: the line has more values than there are names" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'empty.csv' } } }",
      "empty.csv: error: the file has no measurements" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'back.csv' } } }",
      "experiments[1]: the times of the measurements are not ascending" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'vector.csv' } } }",
      "experiments: a variable is a vector: its components are measured one by one" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv' } }, method = 3 }",
      "method: of the wrong type\n  found 3, allowed: a text" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv' } }, runs = 'many' }",
      "runs: of the wrong type or size\n  found many, allowed: a whole number from 1 to 1e9" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv' } }, runs = 1e18 }",
      "runs: of the wrong type or size\n  found 1e+18, allowed: a whole number from 1 to 1e9" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv' } }, seed = 0.5 }",
      "seed: of the wrong type or size\n  found 0.5, allowed: a whole number from 0 to 2^53 - 1" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv' } }, tolerance = -1 }",
      "tolerance: of the wrong type or size\n  found -1, allowed: a number > 0" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, experiments = { { data = 'a.csv' } }, minimize = "
      "last('hinge.angle') }",
      "fit: a fit has experiments, or a goal to be least or largest" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, minimize = last('hinge.angle'), maximize = "
      "last('hinge.angle') }",
      "fit: there are two goals\n  allowed: minimize or maximize" },
    { "fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, minimize = last('hinge.angle'), method = "
      "'levenberg-marquardt' }",
      "method: levenberg-marquardt is for experiments\n  allowed: bobyqa, cobyla, crs2, mlsl" },
    { "sweep{ model = 'm.lua' }", "plan.lua: error: the plan has no fit\n  hint: fit{ model = \"drop.lua\", ... }" },
  };
  assertRefused(rows, sizeof rows / sizeof *rows, readFit);
}

// What plans cannot say, and callers can.
static void numbers_of_callers_are_told(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSweepDef def = crDefaultSweepDef(crTestPath("m.lua"));
  crSetting vary = { "angle", "values(1, 2)" };
  const char* output = "last(hinge.angle)";
  def.vary = &vary;
  def.varyCount = 1;
  def.output = &output;
  def.outputCount = 1;
  def.seed = UINT64_C(1) << 53;
  crSweepPlan* plan = NULL;
  assert_int_equal(crCreateSweepPlan(&def, NULL, &sink, &plan), cr_errorModel);
  assert_null(plan);
  assert_message(log, cr_severityError, "seed: the seed is too large\n  allowed: 0 to 2^53 - 1");
  crFitParameter parameter = { .name = "angle", .lower = 0.0, .upper = 1.0, .scale = -1.0 };
  crFitDef fitDef = crDefaultFitDef(crTestPath("m.lua"));
  fitDef.parameters = &parameter;
  fitDef.parameterCount = 1;
  fitDef.goal = output;
  crFit* fit = NULL;
  assert_int_equal(crFitModel(&fitDef, NULL, &sink, &fit), cr_errorModel);
  assert_null(fit);
  assert_message(log, cr_severityError, "parameters.angle: the scale is wrong\n  allowed: > 0");
  static const double times[] = { 0.0, 0.1 }, values[] = { 0.5, 0.49 }, deviations[] = { -1.0 };
  static const char* const variables[] = { "hinge.angle" };
  crFitExperiment experiment = {
    .rowCount = 0, .variableCount = 1, .times = times, .values = values, .variables = variables
  };
  parameter.scale = 0.0;
  fitDef.goal = NULL;
  fitDef.experiments = &experiment;
  fitDef.experimentCount = 1;
  assert_int_equal(crFitModel(&fitDef, NULL, &sink, &fit), cr_errorModel);
  assert_message(log, cr_severityError, "experiments[1]: the experiment has no measurements");
  experiment.rowCount = 2;
  experiment.deviations = deviations;
  assert_int_equal(crFitModel(&fitDef, NULL, &sink, &fit), cr_errorModel);
  assert_message(log, cr_severityError, "experiments[1]: a deviation is wrong\n  allowed: > 0");
  crDestroyErrorLog(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(wrong_sweeps_are_told),
    cmocka_unit_test(wrong_fits_are_told),
    cmocka_unit_test(numbers_of_callers_are_told),
  };
  return cmocka_run_group_tests(tests, writeFiles, crRemoveTestFolder);
}
