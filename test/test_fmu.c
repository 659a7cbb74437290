// FMUs for Co-Simulation are the run of `carom run`, bit by bit; what they hold, and how they behave as parts of a
// host.
#include "carom/carom.h"
#include "fmu/unit.h"
#include "support/command.h"
#include "support/fmu_host.h"
#include "support/folder.h"
#include "support/log.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
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

// stopTime 0: the whole run.
static Reference simulate(const char* name, double stopTime)
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
  crSimulationOptions run = crDefaultSimulationOptions();
  run.stopTime = stopTime;
  assert_int_equal(
      crRecordToMemory(r.model, stopTime > 0.0 ? &run : NULL, &options, NULL, &sink, &r.result, NULL, &end), cr_ok);
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

static void compareWithRun(const char* name, double stopTime)
{
  Reference r = simulate(name, stopTime);
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
  host.stopTime = stopTime > 0.0 ? stopTime : host.stopTime;
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

static int isModel(const struct dirent* entry)
{
  const char* dot = strrchr(entry->d_name, '.');
  return dot != NULL && strcmp(dot, ".lua") == 0;
}

static bool isWhole; // `test_fmu all`: also of examples that take seconds

// [s] The stop time of examples that take long; 0: their own.
static double findStop(const char* name)
{
  return isWhole ? 0.0 : strcmp(name, "brick_wall.lua") == 0 ? 0.2 : strcmp(name, "dominoes.lua") == 0 ? 0.5 : 0.0;
}

// All examples.
static void co_simulation_has_the_bits_of_the_run(void** state)
{
  (void)state;
  struct dirent** entries;
  int count = scandir(CAROM_ROOT "/examples", &entries, isModel, alphasort);
  assert_true(count >= 54);
  for (int i = 0; i < count; ++i) {
    print_message("%s\n", entries[i]->d_name);
    compareWithRun(entries[i]->d_name, findStop(entries[i]->d_name));
    free(entries[i]);
  }
  free(entries);
}

// ---------------------------------------------------------------------------------------------- behaviour

// Steps of 0.01 s up to a time, for models that start at 0.
static void stepTo(const crFmuHost* host, fmi2Component component, double from, double to)
{
  int first = (int)lround(from / 0.01), last = (int)lround(to / 0.01);
  for (int i = first; i < last; ++i) {
    double t = i * 0.01;
    if (host->call.DoStep(component, t, findStep(t, (i + 1) * 0.01), fmi2True) != fmi2OK) {
      fail_msg("%s", host->log);
    }
  }
}

// All Real variables.
static double* getAll(const crFmuHost* host, fmi2Component component)
{
  double* values = calloc((size_t)host->variableCount, sizeof *values);
  for (int i = 0; i < host->variableCount; ++i) {
    if (strcmp(host->variables[i].type, "Real") == 0) {
      assert_int_equal(host->call.GetReal(component, &host->variables[i].reference, 1, &values[i]), fmi2OK);
    }
  }
  return values;
}

static void assertSame(const crFmuHost* host, const double* a, const double* b)
{
  for (int i = 0; i < host->variableCount; ++i) {
    if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) {
      fail_msg("%s: %.17g and %.17g", host->variables[i].name, a[i], b[i]);
    }
  }
}

static void set(const crFmuHost* host, fmi2Component component, const char* name, double value, fmi2Status status)
{
  fmi2ValueReference reference = host->variables[crFmuHost_Find(host, name)].reference;
  assert_int_equal(host->call.SetReal(component, &reference, 1, &value), status);
}

static void states_go_on_with_the_same_bits(void** state)
{
  (void)state;
  crFmuHost host;
  openExample(&host, "billiards.lua", NULL);
  fmi2Component component = crFmuHost_Start(&host, fmi2CoSimulation), other;
  fmi2FMUstate saved = NULL, read = NULL;
  stepTo(&host, component, 0.0, 0.5);
  assert_int_equal(host.call.GetFMUstate(component, &saved), fmi2OK);
  stepTo(&host, component, 0.5, 1.0);
  double* expected = getAll(&host, component);
  // in the same instance
  assert_int_equal(host.call.SetFMUstate(component, saved), fmi2OK);
  assert_true(crFmuHost_Get(&host, component, "time") == 0.5);
  stepTo(&host, component, 0.5, 1.0);
  double* again = getAll(&host, component);
  assertSame(&host, expected, again);
  free(again);
  // as bytes, in an instance that has seen nothing
  size_t size;
  assert_int_equal(host.call.SerializedFMUstateSize(component, saved, &size), fmi2OK);
  char* bytes = malloc(size);
  assert_int_equal(host.call.SerializeFMUstate(component, saved, bytes, size), fmi2OK);
  other = crFmuHost_Instantiate(&host, fmi2CoSimulation);
  assert_int_equal(host.call.DeSerializeFMUstate(other, bytes, size, &read), fmi2OK);
  assert_int_equal(host.call.SetFMUstate(other, read), fmi2OK);
  stepTo(&host, other, 0.5, 1.0);
  again = getAll(&host, other);
  assertSame(&host, expected, again);
  free(again);
  host.call.FreeFMUstate(other, &read);
  // damaged bytes are refused, wherever the damage is
  for (size_t i = 0; i < size; i += 1 + size / 50) {
    bytes[i] ^= 1;
    assert_int_equal(host.call.DeSerializeFMUstate(other, bytes, size, &read), fmi2OK);
    assert_int_equal(host.call.SetFMUstate(other, read), fmi2Error);
    bytes[i] ^= 1;
    host.call.FreeFMUstate(other, &read);
  }
  free(bytes);
  host.call.FreeFMUstate(component, &saved);
  // a new life
  assert_int_equal(host.call.Reset(component), fmi2OK);
  assert_int_equal(host.call.SetupExperiment(component, fmi2True, host.tolerance, 0.0, fmi2True, host.stopTime),
                   fmi2OK);
  assert_int_equal(host.call.EnterInitializationMode(component), fmi2OK);
  assert_int_equal(host.call.ExitInitializationMode(component), fmi2OK);
  stepTo(&host, component, 0.0, 1.0);
  again = getAll(&host, component);
  assertSame(&host, expected, again);
  free(again);
  free(expected);
  host.call.FreeInstance(component);
  host.call.FreeInstance(other);
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
}

static fmi2Component startWith(crFmuHost* host, const char* name, double value, fmi2Status status)
{
  fmi2Component component = crFmuHost_Instantiate(host, fmi2CoSimulation);
  assert_non_null(component);
  set(host, component, name, value, fmi2OK);
  assert_int_equal(host->call.SetupExperiment(component, fmi2False, 0.0, 0.0, fmi2False, 0.0), fmi2OK);
  assert_int_equal(host->call.EnterInitializationMode(component), fmi2OK);
  assert_int_equal(host->call.ExitInitializationMode(component), status);
  return component;
}

static void parameters_are_those_of_the_model(void** state)
{
  (void)state;
  crFmuHost host;
  openExample(&host, "billiards.lua", NULL);
  fmi2Component component = startWith(&host, "speed", 2.0, fmi2OK);
  assert_true(crFmuHost_Get(&host, component, "speed") == 2.0);
  assert_true(crFmuHost_Get(&host, component, "cue.velocity.x") == 2.0);
  stepTo(&host, component, 0.0, 0.1);
  double* values = getAll(&host, component);
  // reset forgets it
  assert_int_equal(host.call.Reset(component), fmi2OK);
  assert_int_equal(host.call.EnterInitializationMode(component), fmi2OK);
  assert_true(crFmuHost_Get(&host, component, "cue.velocity.x") == 3.0);
  assert_int_equal(host.call.ExitInitializationMode(component), fmi2OK);
  set(&host, component, "speed", 1.0, fmi2Error);
  assert_non_null(strstr(host.log, "'speed' cannot be set: parameters are fixed"));
  host.call.FreeInstance(component);
  // another number of states
  component = startWith(&host, "rows", 3.0, fmi2Error);
  assert_non_null(strstr(host.log, "the model has other variables, 91 states instead of 208"));
  host.call.FreeInstance(component);
  // what the model itself refuses
  component = startWith(&host, "kRed", -1.0, fmi2Error);
  assert_non_null(strstr(host.log, "kRed"));
  host.call.FreeInstance(component);
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
  // the same by --set
  crSetting setting = { "speed", "2" };
  crFmuOptions options = crDefaultFmuOptions();
  options.settings = &setting;
  options.settingCount = 1;
  openExample(&host, "billiards.lua", &options);
  assert_string_equal(host.variables[crFmuHost_Find(&host, "speed")].start, "2");
  component = startWith(&host, "gap", 1e-4, fmi2OK);
  stepTo(&host, component, 0.0, 0.1);
  double* others = getAll(&host, component);
  assertSame(&host, values, others);
  free(values);
  free(others);
  host.call.FreeInstance(component);
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
}

static void exportText(crFmuHost* host, const char* text, const crFmuOptions* options)
{
  crCallCommand("rm -rf model.fmu model.fmu.d");
  crWriteTestFile(crTestPath("text.lua"), text, strlen(text));
  crExportFmu(crTestPath("text.lua"), options, crTestPath("model.fmu"));
  crFmuHost_Open(host, crTestPath("model.fmu"));
}

static void parameters_have_ranges_and_units(void** state)
{
  (void)state;
  crFmuHost host;
  openExample(&host, "pendulum.lua", NULL);
  const crHostVariable* length = &host.variables[crFmuHost_Find(&host, "length")];
  assert_string_equal(length->unit, "m");
  assert_string_equal(length->min, "0.1");
  assert_string_equal(length->max, "10");
  assert_string_equal(length->description, "of the rod");
  fmi2Component component = crFmuHost_Instantiate(&host, fmi2CoSimulation);
  set(&host, component, "length", 20.0, fmi2Error);
  assert_non_null(strstr(host.log, "fmi2SetReal: 'length' cannot be 20, it is outside its range: 0.1 .. 10 m"));
  set(&host, component, "length", 10.0, fmi2OK); // no harm was done
  assert_int_equal(host.call.EnterInitializationMode(component), fmi2OK);
  assert_int_equal(host.call.ExitInitializationMode(component), fmi2OK);
  host.call.FreeInstance(component);
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
}

// A mass on a spring that is pushed: x'' = u - x, from rest.
static void inputs_and_outputs_are_those_of_the_model(void** state)
{
  (void)state;
  static const char text[] = "local p = parameters{ name = 'x', isPushed = true }\n"
                             "local w = world('w')\n"
                             "local b = object('b', { solid{ shape = sphere{ radius = 0.1 }, mass = 1 } })\n"
                             "prismatic('slide', w, b, { stiffness = 1, force = p.isPushed and input('push', { start = "
                             "0.5, unit = 'N' }) or nil })\n"
                             "output(p.name, { signal = jointSensor('s', { joint = 'slide' }), unit = 'm' })\n";
  crFmuHost host;
  exportText(&host, text, NULL);
  assert_int_equal(host.outputCount, 1);
  assert_string_equal(host.variables[crFmuHost_Find(&host, "push")].start, "0.5");
  assert_string_equal(host.variables[crFmuHost_Find(&host, "push")].unit, "N");
  assert_string_equal(host.variables[crFmuHost_Find(&host, "isPushed")].type, "Boolean");
  assert_string_equal(host.variables[crFmuHost_Find(&host, "name")].start, "x");
  fmi2Component component = startWith(&host, "push", 0.0, fmi2OK);
  assert_true(crFmuHost_Get(&host, component, "x") == 0.0);
  set(&host, component, "push", 2.0, fmi2OK);
  assert_close(crFmuHost_Get(&host, component, "der(slide.velocity)"), 2.0, 1e-14);
  stepTo(&host, component, 0.0, 1.0);
  set(&host, component, "push", -1.0, fmi2OK); // held from here on
  stepTo(&host, component, 1.0, 2.0);
  double x1 = 2.0 * (1.0 - cos(1.0)), v1 = 2.0 * sin(1.0);
  assert_close(crFmuHost_Get(&host, component, "x"), -1.0 + (x1 + 1.0) * cos(1.0) + v1 * sin(1.0), 1e-6);
  host.call.FreeInstance(component);
  // parameters that are no numbers: a name that changes variables is refused
  component = crFmuHost_Instantiate(&host, fmi2CoSimulation);
  fmi2ValueReference name = host.variables[crFmuHost_Find(&host, "name")].reference,
                     isPushed = host.variables[crFmuHost_Find(&host, "isPushed")].reference;
  fmi2String found, other = "y";
  fmi2Boolean flag;
  assert_int_equal(host.call.GetString(component, &name, 1, &found), fmi2OK);
  assert_string_equal(found, "x");
  assert_int_equal(host.call.GetBoolean(component, &isPushed, 1, &flag), fmi2OK);
  assert_int_equal(flag, fmi2True);
  assert_int_equal(host.call.SetString(component, &name, 1, &other), fmi2OK);
  assert_int_equal(host.call.EnterInitializationMode(component), fmi2OK);
  assert_int_equal(host.call.ExitInitializationMode(component), fmi2Error);
  assert_non_null(strstr(host.log, "the first that differs is 'x'"));
  host.call.FreeInstance(component);
  crFmuHost_Close(&host);
}

static void calls_in_the_wrong_state_are_refused(void** state)
{
  (void)state;
  crFmuHost host;
  openExample(&host, "pendulum.lua", NULL);
  fmi2Component c = crFmuHost_Instantiate(&host, fmi2CoSimulation);
  fmi2ValueReference time = 0, wrong = 100000, local = host.variables[host.variableCount - 1].reference;
  double value = 0.0;
  assert_int_equal(host.call.DoStep(c, 0.0, 0.1, fmi2True), fmi2Error);
  assert_non_null(strstr(host.log, "fmi2DoStep is not allowed now: it is instantiated and not initialized"));
  assert_int_equal(host.call.ExitInitializationMode(c), fmi2Error);
  assert_int_equal(host.call.Terminate(c), fmi2Error);
  assert_int_equal(host.call.GetReal(c, &local, 1, &value), fmi2Error);
  assert_int_equal(host.call.SetupExperiment(c, fmi2False, 0.0, 1.0, fmi2True, 0.0), fmi2Error);
  assert_int_equal(host.call.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2True, 1.0), fmi2OK);
  assert_int_equal(host.call.EnterInitializationMode(c), fmi2OK);
  assert_int_equal(host.call.EnterInitializationMode(c), fmi2Error);
  assert_int_equal(host.call.GetReal(c, &local, 1, &value), fmi2OK);
  assert_int_equal(host.call.ExitInitializationMode(c), fmi2OK);
  assert_int_equal(host.call.GetReal(c, &wrong, 1, &value), fmi2Error);
  assert_non_null(strstr(host.log, "there is no Real variable with the value reference 100000"));
  assert_int_equal(host.call.SetReal(c, &local, 1, &value), fmi2Error);
  assert_int_equal(host.call.SetReal(c, &time, 1, &value), fmi2Error);
  assert_int_equal(host.call.SetTime(c, 0.0), fmi2Error); // of Model Exchange
  assert_int_equal(host.call.EnterEventMode(c), fmi2Error);
  assert_int_equal(host.call.DoStep(c, 0.5, 0.1, fmi2True), fmi2Error);
  assert_non_null(strstr(host.log, "the FMU is at 0 s, not at the communication point 0.5 s"));
  assert_int_equal(host.call.DoStep(c, 0.0, 0.0, fmi2True), fmi2Error);
  assert_int_equal(host.call.DoStep(c, 0.0, -1.0, fmi2True), fmi2Error);
  assert_int_equal(host.call.DoStep(c, 0.0, 2.0, fmi2True), fmi2Error);
  assert_non_null(strstr(host.log, "behind the stop time 1 s of the experiment"));
  assert_int_equal(host.call.DoStep(c, 0.0, 1.0, fmi2True), fmi2OK); // none of these did any harm
  assert_int_equal(host.call.GetRealStatus(c, fmi2LastSuccessfulTime, &value), fmi2OK);
  assert_true(value == 1.0);
  assert_int_equal(host.call.Terminate(c), fmi2OK);
  assert_int_equal(host.call.DoStep(c, 1.0, 0.1, fmi2True), fmi2Error);
  assert_int_equal(host.call.GetReal(c, &local, 1, &value), fmi2OK);
  host.call.FreeInstance(c);
  host.call.FreeInstance(NULL);
  assert_int_equal(host.call.Terminate(NULL), fmi2Error);
  // another description, no resources
  char guid = host.guid[1];
  host.guid[1] = 'x';
  assert_null(crFmuHost_Instantiate(&host, fmi2CoSimulation));
  assert_non_null(strstr(host.log, "they do not belong together"));
  host.guid[1] = guid;
  snprintf(host.resources, sizeof host.resources, "file:///nowhere/resources");
  assert_null(crFmuHost_Instantiate(&host, fmi2CoSimulation));
  assert_non_null(strstr(host.log, "carom.json"));
  snprintf(host.resources, sizeof host.resources, "http://nowhere/resources");
  assert_null(crFmuHost_Instantiate(&host, fmi2CoSimulation));
  assert_non_null(strstr(host.log, "is no file on this machine"));
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
}

// ------------------------------------------------------------------------------------------ many at once

typedef struct Crowd {
  crFmuHost* host;
  const double* expected;
  bool isSame;
} Crowd;

static void* runOne(void* context)
{
  Crowd* crowd = context;
  crFmuHost host = *crowd->host; // with a log of its own
  fmi2CallbackFunctions functions = { 0 };
  crowd->isSame = true;
  for (int i = 0; i < 13 && crowd->isSame; ++i) {
    fmi2Component c =
        host.call.Instantiate("one", fmi2CoSimulation, host.guid, host.resources, &functions, fmi2False, fmi2False);
    crowd->isSame = c != NULL &&
                    host.call.SetupExperiment(c, fmi2True, host.tolerance, 0.0, fmi2True, host.stopTime) == fmi2OK &&
                    host.call.EnterInitializationMode(c) == fmi2OK && host.call.ExitInitializationMode(c) == fmi2OK &&
                    host.call.DoStep(c, 0.0, 0.2, fmi2True) == fmi2OK;
    for (int k = 0; k < host.variableCount && crowd->isSame; ++k) {
      double value = 0.0;
      host.call.GetReal(c, &host.variables[k].reference, 1, &value);
      crowd->isSame = memcmp(&value, &crowd->expected[k], sizeof value) == 0;
    }
    host.call.FreeInstance(c);
  }
  return NULL;
}

static void many_instances_live_side_by_side(void** state)
{
  (void)state;
  crFmuHost host;
  openExample(&host, "billiards.lua", NULL);
  fmi2Component all[100];
  double* expected = NULL;
  for (int i = 0; i < 100; ++i) {
    all[i] = crFmuHost_Start(&host, fmi2CoSimulation);
  }
  for (int i = 0; i < 100; ++i) {
    assert_int_equal(host.call.DoStep(all[i], 0.0, 0.2, fmi2True), fmi2OK);
    double* values = getAll(&host, all[i]);
    if (expected != NULL) {
      assertSame(&host, expected, values);
      free(values);
    } else {
      expected = values;
    }
  }
  for (int i = 0; i < 100; ++i) {
    host.call.FreeInstance(all[i]);
  }
  pthread_t threads[8];
  Crowd crowds[8];
  for (int i = 0; i < 8; ++i) {
    crowds[i] = (Crowd){ &host, expected, false };
    assert_int_equal(pthread_create(&threads[i], NULL, runOne, &crowds[i]), 0);
  }
  for (int i = 0; i < 8; ++i) {
    pthread_join(threads[i], NULL);
    assert_true(crowds[i].isSame);
  }
  free(expected);
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
}

// --------------------------------------------------------------------------------------------- export

static void the_same_model_gives_the_same_bytes(void** state)
{
  (void)state;
  size_t sizes[2];
  char *first, *second;
  crExportFmu(example("billiards.lua"), NULL, crTestPath("a.fmu"));
  setenv("TZ", "Asia/Tokyo", 1);
  crExportFmu(example("billiards.lua"), NULL, crTestPath("b.fmu"));
  unsetenv("TZ");
  first = crReadTestFile(crTestPath("a.fmu"), &sizes[0]);
  second = crReadTestFile(crTestPath("b.fmu"), &sizes[1]);
  assert_int_equal(sizes[0], sizes[1]);
  assert_memory_equal(first, second, sizes[0]);
  assert_true(sizes[0] < 4000000);
  free(first);
  free(second);
  crCallCommand("rm -rf a.fmu b.fmu");
}

static void a_locked_fmu_has_no_source(void** state)
{
  (void)state;
  crFmuOptions options = crDefaultFmuOptions();
  crFmuHost host;
  openExample(&host, "billiards.lua", NULL);
  fmi2Component c = crFmuHost_Start(&host, fmi2CoSimulation);
  stepTo(&host, c, 0.0, 0.3);
  double x = crFmuHost_Get(&host, c, "cue.position.x");
  host.call.FreeInstance(c);
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
  options.isLocked = true;
  openExample(&host, "billiards.lua", &options);
  crAssertSays("ls model.fmu.d/resources && ! grep -q 'The nose of a cushion' -r model.fmu.d/resources", 0,
               "model.json");
  crAssertSays("head -c 4 model.fmu.d/model.png | tail -c 3", 0, "PNG");
  for (int i = 0; i < host.variableCount; ++i) {
    assert_string_not_equal(host.variables[i].causality, "parameter");
  }
  c = crFmuHost_Start(&host, fmi2CoSimulation);
  stepTo(&host, c, 0.0, 0.3);
  assert_true(crFmuHost_Get(&host, c, "cue.position.x") == x);
  host.call.FreeInstance(c);
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d");
}

// Meshes travel along, whatever folder they came from.
static void meshes_are_resources(void** state)
{
  (void)state;
  char text[2048];
  crCallCommand("mkdir -p parts && cp \"$models/../test/data/tetrahedron.stl\" parts/");
  snprintf(text, sizeof text,
           "local w = world('w')\n"
           "for i = 1, 2 do object('m' .. i, { free = true, position = { 3 * i, 0, 0 }, velocity = { 0, 0, i },\n"
           "  solid{ shape = mesh{ file = 'parts/tetrahedron.stl', scale = 0.1 * i }, material = 'Steel' } }) end\n");
  crFmuHost host;
  exportText(&host, text, NULL);
  crCallCommand("rm -rf parts");
  fmi2Component c = crFmuHost_Start(&host, fmi2CoSimulation);
  stepTo(&host, c, 0.0, 1.0);
  assert_close(crFmuHost_Get(&host, c, "m2.velocity.z"), 2.0 - 9.81, 1e-9);
  host.call.FreeInstance(c);
  crFmuHost_Close(&host);
}

// So do the files that the model includes, and parameters still reach them.
static void included_files_are_resources(void** state)
{
  (void)state;
  crCallCommand("mkdir -p parts && echo \"function ball(p) object('b', { free = true, velocity = { 0, 0, p.speed }, "
                "solid{ shape = sphere{ radius = 1 }, material = 'Steel' } }) end\" > parts/ball.lua && "
                "echo \"world('w') require('parts.ball')\" > model.lua");
  crFmuHost host;
  exportText(&host, "local p = parameters{ speed = 3 }\ninclude('model.lua')\nball(p)\n", NULL);
  crCallCommand("rm -rf parts model.lua");
  fmi2Component c = startWith(&host, "speed", 5.0, fmi2OK);
  stepTo(&host, c, 0.0, 1.0);
  assert_close(crFmuHost_Get(&host, c, "b.velocity.z"), 5.0 - 9.81, 1e-9);
  host.call.FreeInstance(c);
  crFmuHost_Close(&host);
}

// What was exported, with a line of its manifest put otherwise: no instance, and a message.
static void a_damaged_manifest_is_told(void** state)
{
  (void)state;
  crFmuHost host;
  crCallCommand(
      "mkdir -p parts && cp \"$models/../test/data/tetrahedron.stl\" parts/ && echo 'x = 1' > parts/inner.lua");
  exportText(
      &host,
      "include('parts/inner.lua')\nworld('w')\n"
      "object('m', { free = true, solid{ shape = mesh{ file = 'parts/tetrahedron.stl' }, material = 'Steel' } })\n",
      NULL);
  crCallCommand("rm -rf parts; cp model.fmu.d/resources/carom.json good.json");
  static const char* const cases[][2] = {
    { "del(d['guid'])", "resources/carom.json of the FMU is damaged: it has no guid" },
    { "d['model'] = '../model.lua'", "resources/carom.json of the FMU is damaged: it names no model" },
    { "d['carom'] = '0.0.1'", "is damaged: it is of another version of Carom than the binary" },
    { "d['settings'] = [['speed', 3]]", "is damaged: a setting is no pair of texts" },
    { "del(d['meshes'][0]['resource'])", "is damaged: a mesh has no name" },
    { "d['sources'][0]['resource'] = '../../x'", "is damaged: a file that the model includes has no name" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char command[512];
    snprintf(command, sizeof command,
             "/usr/bin/python3 -c \"import json; d = json.load(open('good.json')); %s; "
             "json.dump(d, open('model.fmu.d/resources/carom.json', 'w'))\"",
             cases[i][0]);
    crAssertSays(command, 0, "");
    assert_null(crFmuHost_Instantiate(&host, fmi2CoSimulation));
    if (strstr(host.log, cases[i][1]) == NULL) {
      fail_msg("%s", host.log);
    }
  }
  crFmuHost_Close(&host);
  crCallCommand("rm -rf model.fmu model.fmu.d good.json");
}

static void models_that_an_fmu_cannot_hold_are_refused(void** state)
{
  (void)state;
  static const char many[] =
      "scene{ friction = 'stick' } world('w') contactPair('Steel', 'Steel', { cor = 0.5, muK = 0.3, muR = 0 })\n"
      "for i = 1, 12 do object('b' .. i, { position = { i, 0, 0 }, free = true, solid{ shape = sphere{ radius = 0.1 "
      "},\n"
      "  material = 'Steel', contact = 'Steel' } }) end";
  crWriteTestFile(crTestPath("many.lua"), many, strlen(many)); // 66 pairs
  crAssertSays("$carom fmu many.lua --kind me", 1, "more than 64 can, which is too many for Model Exchange");
  crAssertSays("$carom fmu many.lua -o s.fmu", 0, "Co-Simulation, ");
  crAssertSays("sed 's/12/11/' many.lua > fewer.lua; $carom fmu fewer.lua -o s.fmu", 0,
               "Model Exchange and Co-Simulation, ");
  crAssertSays(
      "printf \"scene{ solver = 'ida' } world('w') object('b', { free = true, solid{ shape = sphere{ radius = 1 }, "
      "material = 'Steel' } })\" > i.lua; $carom fmu i.lua",
      1, "a solver of SUNDIALS, which FMUs do not hold");
  crAssertSays(
      "cp $models/robots/six_axis.urdf . && echo \"world('w') import('six_axis.urdf', { name = 'arm' })\" > r.lua; "
      "$carom fmu r.lua",
      1, "--locked exports what came of them");
  crAssertSays("$carom fmu $models/rocket.lua --kind me", 1, "actions change the structure of the model during a run");
  crAssertSays("$carom fmu $models/rocket.lua -o s.fmu", 0, "FMI 2.0, Co-Simulation, ");
  crAssertSays("$carom fmu r.lua --locked", 0, "0 parameters");
  crAssertSays("$carom fmu six_axis.urdf", 0, "six_axis.fmu");
  crAssertSays(
      "printf \"local p = parameters{ push = 1 } world('w') local b = object('b', { solid{ shape = sphere{ radius = 1 "
      "}, mass = 1 } }) prismatic('s', 'w', b, { force = input('push') })\" > t.lua; $carom fmu t.lua",
      1, "two variables of the FMU would have the name 'push'");
}

static void the_tool_says_what_is_wrong(void** state)
{
  (void)state;
  crAssertSays("$carom fmu", 2, "which model?");
  crAssertSays("$carom fmu a.lua b.lua", 2, "one model at a time");
  crAssertSays("$carom fmu a.lua --kind co", 2, "--kind is me, cs or me,cs, not 'co'");
  crAssertSays("$carom fmu a.lua --fmi 1", 2, "--fmi is");
  crAssertSays("$carom fmu a.lua --set speed", 2, "--set takes NAME=VALUE");
  crAssertSays("$carom fmu a.lua --sett", 2, "unknown option '--sett'");
  crAssertSays("$carom fmu a.lua -o", 2, "-o needs a value");
  crAssertSays("$carom fmu a.lua -o a.lua", 2, "cannot write 'a.lua': an FMU ends in .fmu");
  crAssertSays("$carom fmu none.lua", 1, "none.lua");
  crAssertSays("$carom fmu $models/billiards.lua --set sped=1", 1, "did you mean 'speed'");
  crAssertSays("$carom fmu $models/billiards.lua -o none/x.fmu", 1, "none/x.fmu");
  crAssertSays("$carom fmu --help", 0, "usage: carom fmu MODEL");
  crAssertSays("$carom fmu $models/billiards.lua && ls", 0, "billiards.fmu");
}

// A host may have other versions of what is inside, and need not have what Carom is built with.
static void the_binary_shows_fmi_and_needs_libc_alone(void** state)
{
  (void)state;
  crAssertSays("nm -D --defined-only '" CAROM_FMU_BINARY "' | grep -v ' T fmi[23]' ; true", 0, "");
  assert_string_equal(crAnswer.text, "");
  crAssertSays("objdump -p '" CAROM_FMU_BINARY "' | grep NEEDED | grep -v 'libc.so.6\\|libm.so.6\\|ld-linux' ; true", 0,
               "");
  assert_string_equal(crAnswer.text, "");
  crAssertSays("objdump -T '" CAROM_FMU_BINARY "' | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1", 0, "GLIBC_2.");
  assert_true(atoi(crAnswer.text + strlen("GLIBC_2.")) <= 34);
}

static void units_have_exponents(void** state)
{
  (void)state;
  crBaseUnit unit;
  assert_true(crReadUnit("N m s/rad", &unit));
  int torque[CR_BASE_UNITS] = { [cr_unitKg] = 1, [cr_unitM] = 2, [cr_unitS] = -1, [cr_unitRad] = -1 };
  assert_memory_equal(unit.exponents, torque, sizeof torque);
  assert_true(crReadUnit("mm/s^2", &unit));
  assert_int_equal(unit.exponents[cr_unitS], -2);
  assert_close(unit.factor, 1e-3, 1e-18);
  assert_true(crReadUnit("1", &unit) && unit.exponents[cr_unitM] == 0 && unit.factor == 1.0);
  assert_false(crReadUnit("m or rad", &unit));
  assert_false(crReadUnit("furlong", &unit));
  assert_false(crReadUnit("m/", &unit));
  assert_false(crReadUnit("m^", &unit));
}

int main(int count, char** arguments)
{
  isWhole = count > 1 && strcmp(arguments[1], "all") == 0;
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(units_have_exponents),
    cmocka_unit_test(the_binary_shows_fmi_and_needs_libc_alone),
    cmocka_unit_test(the_same_model_gives_the_same_bytes),
    cmocka_unit_test(a_locked_fmu_has_no_source),
    cmocka_unit_test(meshes_are_resources),
    cmocka_unit_test(included_files_are_resources),
    cmocka_unit_test(a_damaged_manifest_is_told),
    cmocka_unit_test(models_that_an_fmu_cannot_hold_are_refused),
    cmocka_unit_test(the_tool_says_what_is_wrong),
    cmocka_unit_test(inputs_and_outputs_are_those_of_the_model),
    cmocka_unit_test(parameters_are_those_of_the_model),
    cmocka_unit_test(parameters_have_ranges_and_units),
    cmocka_unit_test(states_go_on_with_the_same_bits),
    cmocka_unit_test(calls_in_the_wrong_state_are_refused),
    cmocka_unit_test(many_instances_live_side_by_side),
    cmocka_unit_test(co_simulation_has_the_bits_of_the_run),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
