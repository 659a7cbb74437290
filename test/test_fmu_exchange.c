// FMUs for Model Exchange in a host with a solver of its own: CVODE integrates the states and finds the roots of the
// indicators. What comes out is the run of Carom, up to the tolerance.
#include "carom/carom.h"
#include "support/command.h"
#include "support/fmu_host.h"
#include "support/folder.h"
#include "support/log.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#define ABSOLUTE_SHARE 0.01 // of the relative tolerance, for nominal values of 1

typedef struct Exchange {
  crFmuHost* host;
  fmi2Component component;
  int stateCount;
  SUNContext context;
  N_Vector y, tolerances;
  SUNNonlinearSolver nonlinear;
  void* cvode;
  double t, nextEvent;
  int eventCount, stepCount, changeCount;
} Exchange;

static int toFlag(fmi2Status status)
{
  return status == fmi2OK ? 0 : status == fmi2Discard ? 1 : -1;
}

static void setPoint(const Exchange* e, double t, N_Vector y)
{
  assert_int_equal(e->host->call.SetTime(e->component, t), fmi2OK);
  assert_int_equal(e->host->call.SetContinuousStates(e->component, NV_DATA_S(y), (size_t)e->stateCount), fmi2OK);
}

static int computeRates(realtype t, N_Vector y, N_Vector rates, void* context)
{
  const Exchange* e = context;
  setPoint(e, t, y);
  return toFlag(e->host->call.GetDerivatives(e->component, NV_DATA_S(rates), (size_t)e->stateCount));
}

static int computeRoots(realtype t, N_Vector y, realtype* z, void* context)
{
  const Exchange* e = context;
  setPoint(e, t, y);
  return toFlag(e->host->call.GetEventIndicators(e->component, z, (size_t)e->host->indicatorCount));
}

// The event mode of the standard: until nothing is needed any more.
static void passEvent(Exchange* e)
{
  fmi2EventInfo info = { .newDiscreteStatesNeeded = fmi2True };
  bool isChanged = false;
  while (info.newDiscreteStatesNeeded) {
    if (e->host->call.NewDiscreteStates(e->component, &info) != fmi2OK) {
      fail_msg("%s", e->host->log);
    }
    isChanged = isChanged || info.valuesOfContinuousStatesChanged;
    assert_false(info.terminateSimulation);
  }
  e->changeCount += isChanged;
  e->nextEvent = info.nextEventTimeDefined ? info.nextEventTime : HUGE_VAL;
  assert_int_equal(e->host->call.EnterContinuousTimeMode(e->component), fmi2OK);
  assert_int_equal(e->host->call.GetContinuousStates(e->component, NV_DATA_S(e->y), (size_t)e->stateCount), fmi2OK);
}

static void start(Exchange* e, crFmuHost* host, double tolerance, double maxStep)
{
  *e = (Exchange){ .host = host, .stateCount = host->derivativeCount, .t = host->startTime };
  e->component = crFmuHost_Start(host, fmi2ModelExchange);
  SUNContext_Create(NULL, &e->context);
  e->y = N_VNew_Serial(e->stateCount, e->context);
  e->tolerances = N_VNew_Serial(e->stateCount, e->context);
  passEvent(e);
  host->call.GetNominalsOfContinuousStates(e->component, NV_DATA_S(e->tolerances), (size_t)e->stateCount);
  N_VScale(ABSOLUTE_SHARE * tolerance, e->tolerances, e->tolerances);
  e->cvode = CVodeCreate(CV_ADAMS, e->context);
  e->nonlinear = SUNNonlinSol_FixedPoint(e->y, 0, e->context);
  assert_int_equal(CVodeInit(e->cvode, computeRates, e->t, e->y), CV_SUCCESS);
  assert_int_equal(CVodeSVtolerances(e->cvode, tolerance, e->tolerances), CV_SUCCESS);
  assert_int_equal(CVodeSetUserData(e->cvode, e), CV_SUCCESS);
  assert_int_equal(CVodeSetNonlinearSolver(e->cvode, e->nonlinear), CV_SUCCESS);
  assert_int_equal(CVodeSetMaxStep(e->cvode, maxStep), CV_SUCCESS);
  if (host->indicatorCount > 0) {
    assert_int_equal(CVodeRootInit(e->cvode, host->indicatorCount, computeRoots), CV_SUCCESS);
    CVodeSetNoInactiveRootWarn(e->cvode);
  }
}

static void stop(Exchange* e)
{
  assert_int_equal(e->host->call.Terminate(e->component), fmi2OK);
  e->host->call.FreeInstance(e->component);
  CVodeFree(&e->cvode);
  SUNNonlinSolFree(e->nonlinear);
  N_VDestroy(e->y);
  N_VDestroy(e->tolerances);
  SUNContext_Free(&e->context);
}

// One step up to `end` at most, and what it ends with.
static void step(Exchange* e, double end)
{
  bool isTime = e->nextEvent <= end;
  double goal = isTime ? e->nextEvent : end;
  if (goal > e->t) {
    CVodeSetStopTime(e->cvode, goal);
    int flag = CVode(e->cvode, goal, e->y, &e->t, CV_ONE_STEP);
    if (flag < 0) {
      fail_msg("CVODE gives up at %.17g s: %d\n%s", e->t, flag, e->host->log);
    }
    fmi2Boolean wantsEvent, wantsEnd;
    setPoint(e, e->t, e->y);
    if (e->host->call.CompletedIntegratorStep(e->component, fmi2True, &wantsEvent, &wantsEnd) != fmi2OK) {
      fail_msg("%s", e->host->log);
    }
    ++e->stepCount;
    if (flag != CV_ROOT_RETURN && !wantsEvent && !(isTime && e->t >= e->nextEvent)) {
      return;
    }
  }
  if (e->t < end || isTime) {
    assert_int_equal(e->host->call.EnterEventMode(e->component), fmi2OK);
    passEvent(e);
    ++e->eventCount;
    assert_int_equal(CVodeReInit(e->cvode, e->t, e->y), CV_SUCCESS);
  }
}

static void integrate(Exchange* e, double end)
{
  while (end - e->t > 1e-13) { // an event may be an ulp before
    step(e, end);
  }
}

// ------------------------------------------------------------------------------------------- references

// An example, or any model by its path.
static const char* example(const char* name)
{
  static char path[2048];
  if (name[0] == '/') {
    return name;
  }
  snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, name);
  return path;
}

static void openExample(crFmuHost* host, const char* name)
{
  crFmuOptions options = crDefaultFmuOptions();
  options.kinds = cr_fmuModelExchange;
  crCallCommand("rm -rf model.fmu model.fmu.d");
  crExportFmu(example(name), &options, crTestPath("model.fmu"));
  crFmuHost_Open(host, crTestPath("model.fmu"));
}

typedef struct Truth {
  crScene* scene;
  crModel* model;
  crSimulation* simulation;
} Truth;

static Truth openTruth(const char* name, double tolerance)
{
  Truth truth = { 0 };
  crSimulationOptions options = crDefaultSimulationOptions();
  options.tolerance = tolerance;
  assert_int_equal(crReadModel(example(name), NULL, NULL, NULL, &truth.scene), cr_ok);
  assert_int_equal(crCompile(truth.scene, NULL, NULL, NULL, &truth.model), cr_ok);
  assert_int_equal(crCreateSimulation(truth.model, &options, NULL, NULL, &truth.simulation), cr_ok);
  return truth;
}

static void closeTruth(Truth* truth)
{
  crDestroySimulation(truth->simulation);
  crDestroyModel(truth->model);
  crDestroyScene(truth->scene);
}

// The largest difference of a position of any object, up to a time. [m]
static double findLargestError(Exchange* e, Truth* truth, double end, int points)
{
  double worst = 0.0;
  for (int i = 1; i <= points; ++i) {
    double t = end * i / points;
    integrate(e, t);
    assert_int_equal(crSimulation_Advance(truth->simulation, t), cr_ok);
    const crInstance* instance = crSimulation_GetInstance(truth->simulation);
    for (int k = 0; k < e->host->variableCount; ++k) {
      const crHostVariable* variable = &e->host->variables[k];
      if (strstr(variable->name, ".position.") != NULL && variable->derivative == 0) {
        double value;
        assert_int_equal(e->host->call.GetReal(e->component, &variable->reference, 1, &value), fmi2OK);
        double expected = crInstance_GetVariable(instance, crModel_FindVariable(truth->model, variable->name));
        worst = fmax(worst, fabs(value - expected));
      }
    }
  }
  return worst;
}

static double compare(const char* name, double tolerance, double maxStep, double end, int points)
{
  crFmuHost host;
  Exchange e;
  Truth truth = openTruth(name, 1e-11);
  openExample(&host, name);
  start(&e, &host, tolerance, maxStep);
  double worst = findLargestError(&e, &truth, end, points);
  print_message("%s at %g: %.2e m in %d steps, %d events, %d of which changed something\n", name, tolerance, worst,
                e.stepCount, e.eventCount, e.changeCount);
  assert_int_equal(host.errorCount, 0);
  assert_int_equal(host.warningCount, 0);
  stop(&e);
  crFmuHost_Close(&host);
  closeTruth(&truth);
  return worst;
}

static void bouncing_balls_converge_to_the_run(void** state)
{
  (void)state;
  assert_true(compare("bouncing_ball.lua", 1e-6, 5e-3, 3.0, 100) <= 1e-4);
  assert_true(compare("bouncing_ball.lua", 1e-8, 5e-3, 3.0, 100) <= 5e-6);
  assert_true(compare("bouncing_ball.lua", 1e-10, 5e-3, 3.0, 100) <= 1e-6);
}

static void billiards_are_those_of_the_run(void** state)
{
  (void)state;
  assert_true(compare("billiards.lua", 1e-8, 5e-3, 2.0, 20) <= 5e-6);
}

// The largest change of a coordinate that closing all loops makes at the end of a run in the host.
static double findDrift(const char* name, double end, int* outEvents)
{
  crFmuHost host;
  Exchange e;
  Truth truth = openTruth(name, 1e-8);
  openExample(&host, name);
  start(&e, &host, 1e-8, 0.02);
  integrate(&e, end);
  crInstance* instance;
  crTreeSet set = crModel_GetAllTrees(truth.model);
  double worst = 0.0, *closed = malloc((size_t)e.stateCount * sizeof *closed);
  memcpy(closed, NV_DATA_S(e.y), (size_t)e.stateCount * sizeof *closed);
  assert_int_equal(crCreateInstance(truth.model, NULL, NULL, &instance), cr_ok);
  assert_int_equal(crInstance_Project(instance, set, e.t, HUGE_VAL, closed), cr_ok);
  for (int i = 0; i < e.stateCount; ++i) {
    worst = fmax(worst, fabs(closed[i] - NV_Ith_S(e.y, i)));
  }
  print_message("%s: drift %.1e after %g s, %d steps, %d events\n", name, worst, end, e.stepCount, e.eventCount);
  assert_int_equal(host.errorCount, 0);
  *outEvents = e.eventCount;
  crDestroyInstance(instance);
  free(closed);
  stop(&e);
  crFmuHost_Close(&host);
  closeTruth(&truth);
  return worst;
}

static void loops_do_not_drift(void** state)
{
  (void)state;
  int events;
  assert_true(findDrift("four_bar.lua", 10.0, &events) <= 2e-7);
  assert_true(findDrift("stewart.lua", 10.0, &events) <= 2e-7);
}

// Sampled functions and signals that jump are time events of the host.
static void sampled_controllers_work_in_time_events(void** state)
{
  (void)state;
  assert_true(compare("inverted_pendulum.lua", 1e-9, 0.01, 2.0, 20) <= 1e-6);
  assert_true(compare("servo_arm.lua", 1e-9, 0.01, 2.0, 20) <= 1e-6);
}

// A ball of 1 cm that is thrown through a plate of 1 mm: a host with long steps does not see it.
static void contacts_that_a_host_steps_over_are_told(void** state)
{
  (void)state;
  static const char model[] = "scene{ gravity = { 0, 0, 0 }, stopTime = 1 }\n"
                              "local w = world('w')\n"
                              "object('plate', { parent = w, solid{ shape = box{ size = { 0.001, 1, 1 } }, "
                              "contact = 'Steel' } })\n"
                              "object('ball', { parent = w, free = true, position = { -0.5, 0, 0 }, "
                              "velocity = { 1, 0, 0 }, solid{ shape = sphere{ radius = 0.3 }, material = 'Steel', "
                              "contact = 'Steel' } })\n";
  crFmuHost host;
  Exchange e;
  crCallCommand("rm -rf model.fmu model.fmu.d");
  crWriteTestFile(crTestPath("plate.lua"), model, sizeof model - 1);
  crExportFmu(crTestPath("plate.lua"), NULL, crTestPath("model.fmu"));
  crFmuHost_Open(&host, crTestPath("model.fmu"));
  start(&e, &host, 1e-6, 1.0);
  fmi2Boolean wantsEvent, wantsEnd;
  NV_Ith_S(e.y, 0) = 0.5; // a step from one side to the other
  setPoint(&e, 1.0, e.y);
  assert_int_equal(host.call.CompletedIntegratorStep(e.component, fmi2True, &wantsEvent, &wantsEnd), fmi2OK);
  assert_false(wantsEvent);
  assert_int_equal(host.warningCount, 1);
  assert_non_null(strstr(host.log, "the host stepped over the contact of"));
  assert_non_null(strstr(host.log, "'ball'"));
  assert_non_null(strstr(host.log, "limit its steps to 0.125 s"));
  stop(&e);
  crFmuHost_Close(&host);
}

// A spinning ball hops over a floor, on which its friction sticks.
static const char* writeStickingBall(void)
{
  static char path[1024];
  static const char text[] =
      "scene{ friction = 'stick', stopTime = 1 }\n"
      "solidMaterial('Rubber', { density = 1000, E = 2e7, nu = 0.45 })\n"
      "contactPair('Rubber', 'Rubber', { cor = 0.8, muK = 0.5, muS = 0.6, muR = 0.001 })\n"
      "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"
      "object('ball', { parent = w, free = true, position = { 0, 0, 0.15 }, velocity = { 1, 0.2, 0 },\n"
      "  angularVelocity = { 0, -30, 5 }, solid{ shape = sphere{ radius = 0.1 }, material = 'Rubber', contact = "
      "'Rubber' } })\n";
  snprintf(path, sizeof path, "%s", crTestPath("sticking.lua"));
  crWriteTestFile(path, text, sizeof text - 1);
  return path;
}

// Contacts that stick have states in places of their own, which are 0 while they are apart.
static void contacts_that_stick_have_states(void** state)
{
  (void)state;
  const char* ball = writeStickingBall();
  double coarse = compare(ball, 1e-7, 2e-3, 1.0, 20), fine = compare(ball, 1e-9, 2e-3, 1.0, 20);
  assert_true(coarse <= 1e-5 && fine <= 1e-7);
  assert_true(compare("stick_slip.lua", 1e-8, 1e-2, 1.0, 20) <= 1e-6); // sticks, slides, sticks
  crFmuHost host;
  Exchange e;
  openExample(&host, ball);
  start(&e, &host, 1e-8, 2e-3);
  assert_int_equal(e.stateCount, 13 + 5);
  assert_string_equal(host.variables[crFmuHost_Find(&host, "sticking.pair1.x2")].unit, "m");
  assert_string_equal(host.variables[crFmuHost_Find(&host, "sticking.pair1.x5")].unit, "rad");
  while (e.changeCount < 1) {
    step(&e, 1.0);
  }
  for (int i = 0; i < 5; ++i) {
    step(&e, 1.0);
  }
  assert_true(crFmuHost_Get(&host, e.component, "sticking.pair1.x1") != 0.0);
  while (e.changeCount < 2) {
    step(&e, 1.0);
  }
  for (int i = 0; i < 5; ++i) {
    assert_true(NV_Ith_S(e.y, 13 + i) == 0.0);
  }
  stop(&e);
  crFmuHost_Close(&host);
}

static void checkSavedState(const char* name)
{
  crFmuHost host;
  Exchange e;
  openExample(&host, name);
  start(&e, &host, 1e-8, 5e-3);
  while (e.changeCount < 3) { // the third contact has begun
    step(&e, 3.0);
  }
  size_t n = (size_t)e.stateCount;
  double *y = malloc(n * sizeof *y), *rates = malloc(n * sizeof *rates), *again = malloc(n * sizeof *again), z[2],
         zAgain[2], t = e.t;
  fmi2FMUstate saved = NULL;
  memcpy(y, NV_DATA_S(e.y), n * sizeof *y);
  for (int i = 0; i < 5; ++i) {
    step(&e, 3.0);
  }
  setPoint(&e, e.t, e.y);
  t = e.t;
  memcpy(y, NV_DATA_S(e.y), n * sizeof *y);
  assert_int_equal(host.call.GetFMUstate(e.component, &saved), fmi2OK);
  assert_int_equal(host.call.GetDerivatives(e.component, rates, n), fmi2OK);
  assert_int_equal(host.call.GetEventIndicators(e.component, z, 2), fmi2OK);
  while (e.changeCount < 6) {
    step(&e, 3.0);
  }
  assert_int_equal(host.call.SetFMUstate(e.component, saved), fmi2OK);
  assert_int_equal(host.call.GetContinuousStates(e.component, again, n), fmi2OK);
  assert_memory_equal(again, y, n * sizeof *y);
  assert_true(crFmuHost_Get(&host, e.component, "time") == t);
  assert_int_equal(host.call.GetDerivatives(e.component, again, n), fmi2OK);
  assert_int_equal(host.call.GetEventIndicators(e.component, zAgain, 2), fmi2OK);
  assert_memory_equal(again, rates, n * sizeof *rates);
  assert_memory_equal(zAgain, z, sizeof z);
  assert_int_equal(host.call.FreeFMUstate(e.component, &saved), fmi2OK);
  assert_null(saved);
  free(y);
  free(rates);
  free(again);
  stop(&e);
  crFmuHost_Close(&host);
}

// Which shapes touch belongs to the state: one that was saved amid an impact goes on with the same bits.
static void states_of_model_exchange_are_whole(void** state)
{
  (void)state;
  checkSavedState("bouncing_ball.lua");
  checkSavedState(writeStickingBall());
}

// ------------------------------------------------------------------------------------------ derivatives

static bool dependsOn(const crFmuHost* host, int derivative, int index)
{
  char words[4096], word[32];
  if (host->dependencies[derivative] == NULL) {
    return true;
  }
  snprintf(words, sizeof words, " %s ", host->dependencies[derivative]);
  snprintf(word, sizeof word, " %d ", index);
  return strstr(words, word) != NULL;
}

// A column of the Jacobian by directional derivatives and by differences of derivatives; where there is no dependency
// there is nothing.
static void checkColumn(Exchange* e, int state, double* outWorst)
{
  size_t n = (size_t)e->stateCount;
  double before[64], behind[64], found[64], h = 1e-5, seed = 1.0, x = NV_Ith_S(e->y, state);
  fmi2ValueReference unknowns[64], known;
  int index = e->host->variables[e->host->derivatives[state] - 1].derivative;
  assert_true(n <= 64);
  known = e->host->variables[index - 1].reference;
  for (size_t i = 0; i < n; ++i) {
    unknowns[i] = e->host->variables[e->host->derivatives[i] - 1].reference;
  }
  assert_int_equal(e->host->call.GetDirectionalDerivative(e->component, unknowns, n, &known, 1, &seed, found), fmi2OK);
  NV_Ith_S(e->y, state) = x + h;
  setPoint(e, e->t, e->y);
  assert_int_equal(e->host->call.GetDerivatives(e->component, behind, n), fmi2OK);
  NV_Ith_S(e->y, state) = x - h;
  setPoint(e, e->t, e->y);
  assert_int_equal(e->host->call.GetDerivatives(e->component, before, n), fmi2OK);
  NV_Ith_S(e->y, state) = x;
  setPoint(e, e->t, e->y);
  for (size_t i = 0; i < n; ++i) {
    double difference = (behind[i] - before[i]) / (2.0 * h);
    *outWorst = fmax(*outWorst, fabs(found[i] - difference) / (1.0 + fabs(difference)));
    assert_true(dependsOn(e->host, (int)i, index) || found[i] == 0.0);
  }
}

static void checkJacobian(const char* name)
{
  crFmuHost host;
  Exchange e;
  openExample(&host, name);
  start(&e, &host, 1e-8, 0.01);
  integrate(&e, 0.3);
  double worst = 0.0;
  for (int i = 0; i < e.stateCount; ++i) {
    checkColumn(&e, i, &worst);
  }
  print_message("%s: %d states, Jacobian within %.1e of differences\n", name, e.stateCount, worst);
  assert_true(worst <= 1e-5);
  stop(&e);
  crFmuHost_Close(&host);
}

// x'' = u - x with the output x: all slopes are known.
static void directional_derivatives_are_those_of_the_linearization(void** state)
{
  (void)state;
  static const char text[] = "local w = world('w')\n"
                             "local b = object('b', { solid{ shape = sphere{ radius = 0.1 }, mass = 1 } })\n"
                             "prismatic('s', w, b, { stiffness = 1, force = input('u', { unit = 'N' }) })\n"
                             "output('z', { signal = jointSensor('p', { joint = 's' }), unit = 'm' })\n";
  crFmuHost host;
  crCallCommand("rm -rf model.fmu model.fmu.d");
  crWriteTestFile(crTestPath("spring.lua"), text, sizeof text - 1);
  crExportFmu(crTestPath("spring.lua"), NULL, crTestPath("model.fmu"));
  crFmuHost_Open(&host, crTestPath("model.fmu"));
  Exchange e;
  start(&e, &host, 1e-8, 0.01);
  const char* names[] = { "der(s.position)", "der(s.velocity)", "z" };
  const char* from[] = { "s.position", "s.velocity", "u" };
  static const double slopes[3][3] = { { 0.0, 1.0, 0.0 }, { -1.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 } };
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      fmi2ValueReference unknown = host.variables[crFmuHost_Find(&host, names[i])].reference,
                         known = host.variables[crFmuHost_Find(&host, from[k])].reference;
      double seed = 2.0, found = 0.0;
      assert_int_equal(host.call.GetDirectionalDerivative(e.component, &unknown, 1, &known, 1, &seed, &found), fmi2OK);
      assert_close(found, 2.0 * slopes[i][k], 1e-6);
    }
  }
  fmi2ValueReference time = 0, unknown = host.variables[crFmuHost_Find(&host, "z")].reference;
  double seed = 1.0, found;
  assert_int_equal(host.call.GetDirectionalDerivative(e.component, &unknown, 1, &time, 1, &seed, &found), fmi2Error);
  assert_non_null(strstr(host.log, "a known is no state and no input"));
  assert_int_equal(host.call.GetDirectionalDerivative(e.component, &time, 1, &unknown, 1, &seed, &found), fmi2Error);
  assert_non_null(strstr(host.log, "an unknown is no derivative of a state and no output"));
  stop(&e);
  crFmuHost_Close(&host);
  checkJacobian("double_pendulum.lua");
  checkJacobian("planet.lua");
}

// A host may keep a step that it took without a contact unless it is told that the states have changed: the ball would
// fall through the table.
static void contacts_that_begin_change_the_states(void** state)
{
  (void)state;
  crFmuHost host;
  Exchange e;
  openExample(&host, "bouncing_ball.lua");
  start(&e, &host, 1e-8, 5e-3);
  while (e.eventCount == 0) {
    step(&e, 3.0);
  }
  assert_int_equal(e.changeCount, 1);
  assert_int_equal(host.eventCount > 0, 1); // and logged
  stop(&e);
  crFmuHost_Close(&host);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(directional_derivatives_are_those_of_the_linearization),
    cmocka_unit_test(contacts_that_begin_change_the_states),
    cmocka_unit_test(states_of_model_exchange_are_whole),
    cmocka_unit_test(contacts_that_a_host_steps_over_are_told),
    cmocka_unit_test(loops_do_not_drift),
    cmocka_unit_test(sampled_controllers_work_in_time_events),
    cmocka_unit_test(bouncing_balls_converge_to_the_run),
    cmocka_unit_test(billiards_are_those_of_the_run),
    cmocka_unit_test(contacts_that_stick_have_states),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
