// Fits: estimates against an independent least-squares, intervals that cover the truth, goals with known optima.
#include "support/command.h"
#include "support/folder.h"
#include "support/log.h"

#include "carom/fit.h"
#include "carom/report.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* writeModel(const char* name, const char* text)
{
  const char* path = crTestPath(name);
  crWriteTestFile(path, text, strlen(text));
  return path;
}

static const char* writePendulum(void)
{
  return writeModel("pendulum.lua",
                    "local p = parameters{ length = 1, damping = 0.1, start = 0.5 }\n"
                    "scene{ stopTime = 10 }\n"
                    "local room = world('room')\n"
                    "local bar = object('bar')\n"
                    "object('bob', { parent = bar, position = { 0, 0, -p.length }, mass{ mass = 1 } })\n"
                    "revolute('hinge', room, bar, { axis = 'y', damping = p.damping, start = p.start })\n");
}

// A ball is thrown along a table, bounces, slides and gets a spin.
static const char* writeBall(void)
{
  return writeModel("ball.lua",
                    "local p = parameters{ cor = 0.7, mu = 0.3 }\n"
                    "scene{ stopTime = 1.2 }\n"
                    "contactPair('Steel', 'DryWood', { cor = p.cor, muK = p.mu, muR = 0.001 })\n"
                    "local room = world('room')\n"
                    "object('table', { parent = room, position = { 5, 0, -0.05 }, "
                    "solid{ shape = box{ size = { 20, 1, 0.1 } }, contact = 'DryWood' } })\n"
                    "object('ball', { parent = room, position = { 0, 0, 0.4 }, velocity = { 8, 0, 0 }, free = true,\n"
                    "  solid{ shape = sphere{ diameter = 0.04 }, material = 'Steel', contact = 'Steel' } })\n");
}

static bool hasNlopt(void)
{
  void* library = dlopen("libnlopt.so.0", RTLD_NOW);
  if (library != NULL) {
    dlclose(library);
  }
  return library != NULL;
}

static crFit* fitModel(const crFitDef* def)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crFit* fit = NULL;
  crStatus status = crFitModel(def, NULL, &sink, &fit);
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  crDestroyErrorLog(log);
  return fit;
}

// --------------------------------------------------------------------------------------- uncertainty

// Values of tables of the distribution.
static void quantiles_of_student_are_those_of_tables(void** state)
{
  (void)state;
  assert_close(crStudentQuantile(0.975, 1), 12.706204736, 1e-8);
  assert_close(crStudentQuantile(0.975, 2), 4.3026527297, 1e-9);
  assert_close(crStudentQuantile(0.975, 5), 2.5705818366, 1e-9);
  assert_close(crStudentQuantile(0.95, 30), 1.6972608866, 1e-9);
  assert_close(crStudentQuantile(0.975, 100), 1.9839715185, 1e-9);
  assert_close(crStudentQuantile(0.975, 1999), crStudentQuantile(0.975, 2001), 2e-6);
  assert_close(crStudentQuantile(0.975, 100000), 1.95998771, 1e-8);
  assert_close(crStudentQuantile(0.1, 7), -crStudentQuantile(0.9, 7), 1e-15);
  assert_true(isnan(crStudentQuantile(0.0, 5)) && isnan(crStudentQuantile(0.5, 0)));
}

// Two swings of a pendulum of 0.83 m with 0.21 N m s/rad, made and fitted by scipy (solve_ivp with DOP853 at 1e-11,
// least_squares), with noise of 0.02 rad.
static void a_pendulum_is_fitted_as_by_scipy(void** state)
{
  (void)state;
  writePendulum();
  crAssertSays("cp '" CAROM_ROOT "/examples/sweeps/swing_small.csv' '" CAROM_ROOT "/examples/sweeps/swing_large.csv' .",
               0, "");
  static const char text[] =
      "fit{ model = 'pendulum.lua', parameters = { length = { 0.5, 2, start = 1 }, damping = { 0, 1 } },\n"
      "  experiments = {\n"
      "    { data = 'swing_small.csv', set = { start = 0.3 }, columns = { phi = 'hinge.angle' }, deviation = 0.02 },\n"
      "    { data = 'swing_large.csv', set = { start = 1.2 }, columns = { phi = 'hinge.angle' }, deviation = 0.02 } } "
      "}\n";
  crWriteTestFile(crTestPath("swing.lua"), text, sizeof text - 1);
  crFitPlan* plan = NULL;
  assert_int_equal(crReadFitPlan(crTestPath("swing.lua"), NULL, NULL, &plan), cr_ok);
  static const char* const methods[] = { "levenberg-marquardt", "bobyqa" };
  for (int m = 0; m < (hasNlopt() ? 2 : 1); ++m) {
    crFitDef def = *crFitPlan_GetDef(plan);
    def.method = methods[m];
    crFit* fit = fitModel(&def);
    crFitEstimate damping = crFit_GetEstimate(fit, 0), length = crFit_GetEstimate(fit, 1);
    assert_string_equal(length.name, "length");
    assert_close(length.value, 0.8299017164433251, 1e-3 * 0.00059924);
    assert_close(damping.value, 0.21005210214397085, 1e-3 * 0.00165043);
    assert_close(length.error, 0.00059924, 1e-7);
    assert_close(damping.error, 0.00165043, 1e-7);
    assert_close(crFit_GetFacts(fit).sum, 190.51613481591627, 1e-5);
    assert_close(length.high - length.low, 2.0 * crStudentQuantile(0.975, 200) * length.error, 1e-12);
    crDestroyFit(fit);
  }
  crDestroyFitPlan(plan);
  crAssertSays("$carom fit swing.lua", 0, "converged");
  crAssertSays("cat swing.fit/fit.json", 0, "\"end\": \"converged\"");
  crAssertSays("grep -c '<img' swing.fit/fit.html; ls swing.fit", 0,
               "2\nexperiment-1.svg\nexperiment-2.svg\nfit.html\n");
}

// What the model itself gives at some times.
static void runModel(crFitDef* def, const double* truth, crFitExperiment* e, double* values)
{
  crFitParameter fixed[2] = { def->parameters[0], def->parameters[1] };
  for (int i = 0; i < 2; ++i) {
    fixed[i].hasStart = true;
    fixed[i].start = truth[i];
  }
  crFitDef once = *def;
  once.parameters = fixed;
  once.maxRuns = 1;
  memset(values, 0, (size_t)e->rowCount * (size_t)e->variableCount * sizeof *values);
  e->values = values;
  e->deviations = NULL;
  crFit* fit = NULL;
  assert_int_equal(crFitModel(&once, NULL, NULL, &fit), cr_ok);
  memcpy(values, crFit_GetValues(fit, 0), (size_t)e->rowCount * (size_t)e->variableCount * sizeof *values);
  crDestroyFit(fit);
}

// Two normal numbers from two uniform ones, by Box and Muller.
static double normal(crRandom* random)
{
  double u = crRandom_Uniform(random, 1e-12, 1.0), angle = crRandom_Uniform(random, 0.0, 6.283185307179586);
  return sqrt(-2.0 * log(u)) * cos(angle);
}

// How often the intervals of two parameters hold the truth, over fits to what the model gives and new noise each time;
// a deviation that is right is found as 1.
static void assertCovered(crFitDef* def, crFitExperiment* e, const double* truth, const double* noise)
{
  enum { repetitions = 400, maxValues = 128 };
  double clean[maxValues], noisy[maxValues], scatter = 0.0;
  int count = e->rowCount * e->variableCount, covered[2] = { 0, 0 };
  assert_in_range(count, 1, maxValues);
  runModel(def, truth, e, clean);
  crRandom random = crMakeRandom(17);
  e->values = noisy;
  e->deviations = noise;
  for (int r = 0; r < repetitions; ++r) {
    for (int i = 0; i < count; ++i) {
      noisy[i] = clean[i] + noise[i % e->variableCount] * normal(&random);
    }
    crFit* fit = fitModel(def);
    for (int k = 0; k < 2; ++k) {
      crFitEstimate estimate = crFit_GetEstimate(fit, k);
      covered[k] += estimate.low <= truth[k] && truth[k] <= estimate.high;
    }
    scatter += crFit_GetFacts(fit).deviation / repetitions;
    crDestroyFit(fit);
  }
  print_message("covered: %s %.1f %%, %s %.1f %%; mean deviation %.3f\n", def->parameters[0].name,
                100.0 * covered[0] / repetitions, def->parameters[1].name, 100.0 * covered[1] / repetitions, scatter);
  assert_in_range(covered[0], 0.92 * repetitions, 0.98 * repetitions);
  assert_in_range(covered[1], 0.92 * repetitions, 0.98 * repetitions);
  assert_close(scatter, 1.0, 0.02);
}

static void fillTimes(double* times, int count, double interval)
{
  for (int i = 0; i < count; ++i) {
    times[i] = interval * (i + 1);
  }
}

static crFitDef makeDef(const char* model, const crFitParameter* parameters, const crFitExperiment* experiment)
{
  crFitDef def = crDefaultFitDef(model);
  def.parameters = parameters;
  def.parameterCount = 2;
  def.experiments = experiment;
  def.experimentCount = 1;
  def.threads = 1;
  return def;
}

static const crFitParameter swing[2] = { { "damping", 0.0, 1.0, true, 0.3, 0.0 },
                                         { "length", 0.5, 2.0, true, 0.9, 0.0 } };

static void intervals_of_a_pendulum_cover_the_truth(void** state)
{
  (void)state;
  enum { rows = 40 };
  static const char* const variables[] = { "hinge.angle" };
  const double truth[2] = { 0.21, 0.83 }, noise = 0.02;
  double times[rows];
  fillTimes(times, rows, 0.1);
  crFitExperiment e = { .variables = variables, .variableCount = 1, .times = times, .rowCount = rows };
  crFitDef def = makeDef(writePendulum(), swing, &e);
  assertCovered(&def, &e, truth, &noise);
}

static void intervals_of_a_ball_cover_the_truth(void** state)
{
  (void)state;
  enum { rows = 40 };
  static const char* const variables[] = { "ball.position.x", "ball.position.z" };
  const crFitParameter parameters[2] = { { "cor", 0.4, 0.95, true, 0.7, 0.0 }, { "mu", 0.05, 0.5, true, 0.2, 0.0 } };
  const double truth[2] = { 0.72, 0.17 }, noise[2] = { 0.002, 0.001 };
  double times[rows];
  fillTimes(times, rows, 0.015); // two bounces
  crFitExperiment e = { .variables = variables, .variableCount = 2, .times = times, .rowCount = rows };
  crFitDef def = makeDef(writeBall(), parameters, &e);
  assertCovered(&def, &e, truth, noise);
}

// A small swing of a pendulum of 1 kg: l^2 phi'' + d phi' + g l phi = 0.
static double swingOf(double damping, double length, double start, double t)
{
  double decay = damping / (2.0 * length * length), w = sqrt(9.81 / length - decay * decay);
  return start * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
}

// Gauss's and Newton's method on the closed form; outErrors from the same s^2 (J^T J)^-1.
static void fitSwing(const double* times, const double* values, int rows, double start, double* ioX, double* outErrors)
{
  for (int iteration = 0; iteration < 20; ++iteration) {
    double a = 0.0, b = 0.0, c = 0.0, u = 0.0, v = 0.0, sum = 0.0;
    for (int i = 0; i < rows; ++i) {
      double h = 1e-6, t = times[i], residual = values[i] - swingOf(ioX[0], ioX[1], start, t);
      double p = (swingOf(ioX[0] + h, ioX[1], start, t) - swingOf(ioX[0] - h, ioX[1], start, t)) / (2.0 * h);
      double q = (swingOf(ioX[0], ioX[1] + h, start, t) - swingOf(ioX[0], ioX[1] - h, start, t)) / (2.0 * h);
      a += p * p;
      b += p * q;
      c += q * q;
      u += p * residual;
      v += q * residual;
      sum += residual * residual;
    }
    double det = a * c - b * b, variance = sum / (rows - 2);
    ioX[0] += (c * u - b * v) / det;
    ioX[1] += (a * v - b * u) / det;
    outErrors[0] = sqrt(variance * c / det);
    outErrors[1] = sqrt(variance * a / det);
  }
}

// Another model and another method that share nothing with ours.
static void small_swings_are_fitted_as_by_their_closed_form(void** state)
{
  (void)state;
  enum { rows = 60 };
  static const char* const variables[] = { "hinge.angle" };
  static const crSetting settings[] = { { "start", "0.0005" } };
  double times[rows], values[rows], start = 0.0005, noise = 1e-5, x[2] = { 0.2, 0.85 }, errors[2];
  crRandom random = crMakeRandom(5);
  fillTimes(times, rows, 0.1);
  for (int i = 0; i < rows; ++i) {
    values[i] = swingOf(0.21, 0.83, start, times[i]) + noise * normal(&random);
  }
  crFitExperiment e = { .variables = variables,
                        .variableCount = 1,
                        .times = times,
                        .rowCount = rows,
                        .values = values,
                        .deviations = &noise,
                        .settings = settings,
                        .settingCount = 1 };
  crFitDef def = makeDef(writePendulum(), swing, &e);
  def.options.tolerance = 1e-10;
  def.options.absoluteTolerance = 1e-14;
  crFit* fit = fitModel(&def);
  fitSwing(times, values, rows, start, x, errors);
  for (int k = 0; k < 2; ++k) {
    crFitEstimate estimate = crFit_GetEstimate(fit, k);
    print_message("%s: %.8f +- %.6f, closed form %.8f +- %.6f\n", estimate.name, estimate.value, estimate.error, x[k],
                  errors[k]);
    assert_close(estimate.value, x[k], 1e-3 * errors[k]);
    assert_close(estimate.error, errors[k], 1e-4 * errors[k]);
  }
  crDestroyFit(fit);
}

// cor and mu of a ball that bounces and slides: two methods that share nothing but the residuals agree.
static void a_bouncing_ball_gives_away_its_materials(void** state)
{
  (void)state;
  enum { rows = 120 };
  static const char* const variables[] = { "ball.position.x", "ball.position.z" };
  const double truth[2] = { 0.72, 0.17 };
  const crFitParameter parameters[2] = { { "cor", 0.4, 0.95, true, 0.65, 0.0 }, { "mu", 0.05, 0.5, true, 0.25, 0.0 } };
  double times[rows], values[2 * rows], noise[2] = { 0.002, 0.001 };
  for (int i = 0; i < rows; ++i) {
    times[i] = 0.01 * (i + 1);
  }
  crFitExperiment e = { .variables = variables, .variableCount = 2, .times = times, .rowCount = rows };
  crFitDef def = crDefaultFitDef(writeBall());
  def.parameters = parameters;
  def.parameterCount = 2;
  def.experiments = &e;
  def.experimentCount = 1;
  runModel(&def, truth, &e, values);
  crRandom random = crMakeRandom(3);
  for (int i = 0; i < 2 * rows; ++i) {
    values[i] += noise[i % 2] * normal(&random);
  }
  e.deviations = noise;
  crFit* own = fitModel(&def);
  for (int k = 0; k < 2; ++k) {
    crFitEstimate estimate = crFit_GetEstimate(own, k);
    print_message("%s: %.6f +- %.6f, truth %.2f\n", estimate.name, estimate.value, estimate.error, truth[k]);
    assert_close(estimate.value, truth[k], 4.0 * estimate.error);
    assert_true(estimate.error < 0.01 * truth[k]);
  }
  if (hasNlopt()) {
    def.method = "bobyqa";
    crFit* other = fitModel(&def);
    for (int k = 0; k < 2; ++k) {
      crFitEstimate a = crFit_GetEstimate(own, k), b = crFit_GetEstimate(other, k);
      assert_close(a.value, b.value, 1e-3 * a.error);
    }
    crDestroyFit(other);
  }
  crDestroyFit(own);
}

// What is not measured (nan) does not count, and a parameter on its bound has no interval.
static void gaps_and_bounds_are_respected(void** state)
{
  (void)state;
  enum { rows = 30 };
  static const char* const variables[] = { "hinge.angle" };
  const double truth[2] = { 0.2, 1.0 };
  const crFitParameter wide[2] = { { "damping", 0.0, 1.0, false, 0.0, 0.0 }, { "length", 0.5, 2.0, true, 0.9, 0.0 } };
  const crFitParameter narrow[2] = { { "damping", 0.3, 1.0, false, 0.0, 0.0 }, { "length", 0.5, 2.0, true, 0.9, 0.1 } };
  double times[rows], values[rows];
  for (int i = 0; i < rows; ++i) {
    times[i] = 0.1 * (i + 1);
  }
  crFitExperiment e = { .variables = variables, .variableCount = 1, .times = times, .rowCount = rows };
  crFitDef def = crDefaultFitDef(writePendulum());
  def.parameters = wide;
  def.parameterCount = 2;
  def.experiments = &e;
  def.experimentCount = 1;
  runModel(&def, truth, &e, values);
  values[7] = NAN;
  crFit* fit = fitModel(&def);
  assert_int_equal(crFit_GetFacts(fit).residualCount, rows - 1);
  assert_close(crFit_GetEstimate(fit, 0).value, 0.2, 1e-6);
  assert_close(crFit_GetEstimate(fit, 1).value, 1.0, 1e-6);
  crDestroyFit(fit);
  def.parameters = narrow;
  fit = fitModel(&def);
  crFitEstimate damping = crFit_GetEstimate(fit, 0);
  assert_true(damping.isAtBound && damping.value == 0.3 && isnan(damping.error));
  assert_true(isfinite(crFit_GetEstimate(fit, 1).error));
  crDestroyFit(fit);
}

// ---------------------------------------------------------------------------------------------- goals

// Rosenbrock's valley, as the place of a thing that does not move: least at (1, 1).
static void a_goal_is_made_least(void** state)
{
  (void)state;
  if (!hasNlopt()) {
    print_message("skipped: this machine has no NLopt\n");
    skip();
  }
  writeModel("valley.lua", "local p = parameters{ x = 0, y = 0 }\n"
                           "scene{ stopTime = 1e-3, interval = 1e-3 }\n"
                           "local room = world('room')\n"
                           "object('f', { parent = room, position = { (1 - p.x)^2 + 100 * (p.y - p.x^2)^2, 0, 0 } })\n"
                           "object('ball', { parent = room, free = true,\n"
                           "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel' } })\n");
  static const char* const methods[] = { "bobyqa", "cobyla", "crs2", "mlsl" };
  for (int m = 0; m < 4; ++m) {
    const crFitParameter parameters[2] = { { "x", -2.0, 2.0, true, -1.0, 0.0 }, { "y", -1.0, 3.0, true, 1.0, 0.0 } };
    crFitDef def = crDefaultFitDef(crTestPath("valley.lua"));
    def.parameters = parameters;
    def.parameterCount = 2;
    def.goal = "last(f.position.x)";
    def.method = methods[m];
    def.maxRuns = 4000;
    crFit* fit = fitModel(&def);
    print_message("%s: %.2g at (%.6f, %.6f), %d runs\n", methods[m], crFit_GetFacts(fit).sum,
                  crFit_GetEstimate(fit, 0).value, crFit_GetEstimate(fit, 1).value, crFit_GetFacts(fit).runs);
    assert_close(crFit_GetEstimate(fit, 0).value, 1.0, m == 1 ? 0.1 : 1e-3);
    assert_true(isnan(crFit_GetEstimate(fit, 0).error));
    crDestroyFit(fit);
  }
  crAssertSays(
      "echo 'fit{ model = \"valley.lua\", parameters = { x = { -2, 2 }, y = { 0.25, 3 } }, method = \"bobyqa\", "
      "maximize = last(\"f.position.x\"), runs = 500 }' > most.lua; $carom fit most.lua",
      0, "last(f.position.x) = ");
}

// --------------------------------------------------------------------------------------------- errors

static void what_is_wrong_with_a_fit_is_told(void** state)
{
  (void)state;
  static const struct {
    const char *plan, *says;
  } wrong[] = {
    { "fit{ model = 'pendulum.lua', parameters = { lenght = { 1, 2 } }, experiments = { { data = 'a.csv' } } }",
      "did you mean 'length'?" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 2, 1 } }, experiments = { { data = 'a.csv' } } }",
      "wrong.lua: error: parameters.length: a parameter lies between two bounds" },
    { "\n\nfit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = 1 }",
      "wrong.lua:3: error: experiments" },
    { "fit{ model = 'pendulum.lua', parameters = { length = 1 }, experiments = { { data = 'a.csv' } } }",
      "parameters.length" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = { { data = 'none.csv' } } }",
      "none.csv" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = { { data = 'b.csv' } } }",
      "b.csv:3: error: this is no number" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = { { data = 'd.csv' } } }",
      "d.csv:2: error: this is no number\n  found 0.1\\x07" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = { { data = 'e.csv' } } }",
      "e.csv: error: the file is no text in UTF-8" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = { { data = 'c.csv' } } }",
      "no column \"time\"" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = { { data = 'a.csv', "
      "columns = { psi = 'hinge.angle' } } } }",
      "the data have no such column" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = { { data = 'a.csv', "
      "columns = { phi = 'hinge.angel' } } } }",
      "did you mean 'hinge.angle'?" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, experiments = { { data = 'a.csv', columns = { "
      "phi = 'hinge.angle' } }, { data = 'a.csv' } } }",
      "error: experiments[2]: the model has no such variable" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, minimize = last('hinge.angel') }",
      "error: goal: the model has no such variable" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } } }", "experiments, or a goal" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { 1, 2 } }, minimize = last('hinge.angle'), method = "
      "'best' }",
      "there is no such method" },
    { "fit{ model = 'pendulum.lua', parameters = { length = { -1, 1, start = -0.5 } }, experimens = {} }",
      "there is no such field here" },
    { "x = 1", "the plan has no fit" },
  };
  writePendulum();
  crAssertSays("printf 'time,phi\\n0.1,0.3\\n0.2,0.2\\n' > a.csv; printf 'time,phi\\n0.1,0.3\\n0.2,x\\n' > b.csv; "
               "printf 't,phi\\n0.1,0.3\\n' > c.csv; printf 'time,phi\\n0.1\\a,0.3\\n' > d.csv; "
               "printf 'time,phi\\n0.1,0.3\\n\\0000.2,0.3\\n' > e.csv",
               0, "");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    crWriteTestFile(crTestPath("wrong.lua"), wrong[i].plan, strlen(wrong[i].plan));
    crAssertSays("$carom fit wrong.lua", 1, wrong[i].says);
  }
  crAssertSays("$carom fit", 2, "the plan is missing");
  crAssertSays("$carom fit none.lua", 1, "none.lua");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(quantiles_of_student_are_those_of_tables),
    cmocka_unit_test(a_pendulum_is_fitted_as_by_scipy),
    cmocka_unit_test(intervals_of_a_pendulum_cover_the_truth),
    cmocka_unit_test(intervals_of_a_ball_cover_the_truth),
    cmocka_unit_test(small_swings_are_fitted_as_by_their_closed_form),
    cmocka_unit_test(a_bouncing_ball_gives_away_its_materials),
    cmocka_unit_test(gaps_and_bounds_are_respected),
    cmocka_unit_test(a_goal_is_made_least),
    cmocka_unit_test(what_is_wrong_with_a_fit_is_told),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
