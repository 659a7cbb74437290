// FMUs of FMI 3.0: the same model behind another interface. What an FMU does is tested with that of 2.0; here is what
// differs: the description, the names of functions, event indicators that are variables.
#include "carom/carom.h"
#include "carom/fmu.h"
#include "fmi3.h"
#include "support/command.h"
#include "support/fmu_host.h"
#include "support/folder.h"

#include <dlfcn.h>
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Host {
  void* library;
  struct {
#define FMI3_FIELD(name, type, arguments) type(*name) arguments;
    FMI3_FUNCTIONS(FMI3_FIELD)
#undef FMI3_FIELD
  } call;
  char resources[1200], token[64], names[1200][128];
  int lengths[1200]; // by value reference; 0: a part of an array
  char dependencies[1200][256];
  int section, variableCount, stateCount, outputCount, unknownCount, derivatives[1200], indicators[2], indicatorCount;
  bool isExchange, isCoSimulation;
  char log[4096];
} Host;

// ----------------------------------------------------------------------------------------- description

static const struct {
  const char *name, *attributes;
} schema[] = {
  { "fmiModelDescription", " fmiVersion modelName instantiationToken description author version copyright license "
                           "generationTool generationDateAndTime variableNamingConvention " },
  { "ModelExchange", " modelIdentifier needsExecutionTool canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUState "
                     "canSerializeFMUState providesDirectionalDerivatives providesAdjointDerivatives "
                     "providesPerElementDependencies needsCompletedIntegratorStep providesEvaluateDiscreteStates " },
  { "CoSimulation", " modelIdentifier needsExecutionTool canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUState "
                    "canSerializeFMUState providesDirectionalDerivatives providesAdjointDerivatives "
                    "providesPerElementDependencies canHandleVariableCommunicationStepSize fixedInternalStepSize "
                    "maxOutputDerivativeOrder recommendedIntermediateInputSmoothness providesIntermediateUpdate "
                    "mightReturnEarlyFromDoStep canReturnEarlyAfterIntermediateUpdate hasEventMode "
                    "providesEvaluateDiscreteStates " },
  { "UnitDefinitions", " " },
  { "Unit", " name " },
  { "BaseUnit", " kg m s A K mol cd rad factor offset " },
  { "LogCategories", " " },
  { "Category", " name description " },
  { "DefaultExperiment", " startTime stopTime tolerance stepSize " },
  { "ModelVariables", " " },
  { "Float64", " name valueReference description causality variability unit nominal derivative start " },
  { "Boolean", " name valueReference description causality variability start " },
  { "String", " name valueReference description causality variability " },
  { "Start", " value " },
  { "Dimension", " start " },
  { "ModelStructure", " " },
  { "Output", " valueReference " },
  { "ContinuousStateDerivative", " valueReference dependencies " },
  { "InitialUnknown", " valueReference " },
  { "EventIndicator", " valueReference " },
};

static const char* const sections[] = { "ModelExchange",
                                        "CoSimulation",
                                        "UnitDefinitions",
                                        "LogCategories",
                                        "DefaultExperiment",
                                        "ModelVariables",
                                        "ModelStructure",
                                        "Output",
                                        "ContinuousStateDerivative",
                                        "InitialUnknown",
                                        "EventIndicator" };

static const char* attribute(const char** attributes, const char* name)
{
  for (int i = 0; attributes[i] != NULL; i += 2) {
    if (strcmp(attributes[i], name) == 0) {
      return attributes[i + 1];
    }
  }
  return NULL;
}

static void checkSchema(const char* element, const char** attributes)
{
  const char* allowed = NULL;
  for (size_t i = 0; i < sizeof schema / sizeof *schema; ++i) {
    allowed = strcmp(schema[i].name, element) == 0 ? schema[i].attributes : allowed;
  }
  assert_non_null(allowed);
  for (int i = 0; attributes[i] != NULL; i += 2) {
    char word[80];
    snprintf(word, sizeof word, " %s ", attributes[i]);
    if (strstr(allowed, word) == NULL) {
      fail_msg("%s has no attribute %s", element, attributes[i]);
    }
  }
}

static void readVariable(Host* host, const char* element, const char** attributes)
{
  const char* causality = attribute(attributes, "causality");
  bool isSet = strcmp(causality, "parameter") == 0 || strcmp(causality, "input") == 0;
  assert_int_equal(atoi(attribute(attributes, "valueReference")), host->variableCount); // behind all parts of the last
  assert_true(strcmp(element, "String") == 0 || isSet == (attribute(attributes, "start") != NULL));
  if (attribute(attributes, "derivative") != NULL) {
    host->derivatives[host->stateCount++] = host->variableCount;
    char der[160];
    snprintf(der, sizeof der, "der(%s)", host->names[atoi(attribute(attributes, "derivative"))]);
    assert_string_equal(der, attribute(attributes, "name"));
  }
  host->lengths[host->variableCount] = 1;
  snprintf(host->names[host->variableCount++], sizeof host->names[0], "%s", attribute(attributes, "name"));
  assert_true(host->variableCount < 1190);
}

// The variable that was read last is an array: its parts take the value references behind it.
static void readDimension(Host* host, const char** attributes)
{
  int first = host->variableCount - 1, length = atoi(attribute(attributes, "start"));
  assert_true(length == 3 || length == 4);
  host->lengths[first] = length;
  host->variableCount += length - 1;
}

static void startElement(void* context, const char* element, const char** attributes)
{
  Host* host = context;
  static int derivative;
  checkSchema(element, attributes);
  for (int i = 0; i < (int)(sizeof sections / sizeof *sections); ++i) {
    if (strcmp(sections[i], element) == 0) {
      assert_true(i >= host->section); // the schema is a sequence
      host->section = i;
    }
  }
  host->isExchange = host->isExchange || strcmp(element, "ModelExchange") == 0;
  host->isCoSimulation = host->isCoSimulation || strcmp(element, "CoSimulation") == 0;
  if (strcmp(element, "fmiModelDescription") == 0) {
    assert_string_equal(attribute(attributes, "fmiVersion"), "3.0");
    snprintf(host->token, sizeof host->token, "%s", attribute(attributes, "instantiationToken"));
    derivative = 0;
  } else if (strcmp(element, "ModelExchange") == 0) {
    assert_string_equal(attribute(attributes, "needsCompletedIntegratorStep"), "true");
  } else if (strcmp(element, "Float64") == 0 || strcmp(element, "Boolean") == 0 || strcmp(element, "String") == 0) {
    readVariable(host, element, attributes);
  } else if (strcmp(element, "Dimension") == 0) {
    readDimension(host, attributes);
  } else if (strcmp(element, "Output") == 0) {
    ++host->outputCount;
  } else if (strcmp(element, "ContinuousStateDerivative") == 0) {
    const char* dependencies = attribute(attributes, "dependencies");
    snprintf(host->dependencies[derivative], sizeof host->dependencies[0], "%s",
             dependencies != NULL ? dependencies : "?");
    assert_int_equal(atoi(attribute(attributes, "valueReference")), host->derivatives[derivative++]);
  } else if (strcmp(element, "InitialUnknown") == 0) {
    ++host->unknownCount;
  } else if (strcmp(element, "EventIndicator") == 0) {
    host->indicators[host->indicatorCount++] = atoi(attribute(attributes, "valueReference"));
  }
}

static Host* openHost(const char* model, unsigned kinds)
{
  Host* host = calloc(1, sizeof *host);
  char command[2048], *text;
  size_t size;
  snprintf(command, sizeof command, "rm -rf m.fmu m.d && $carom fmu %s -o m.fmu --fmi 3 --kind %s", model,
           kinds == cr_fmuCoSimulation ? "cs" : "me,cs");
  crAssertSays(command, 0, "FMI 3.0");
  crUnpackFmu(crTestPath("m.fmu"), crTestPath("m.d"));
  text = crReadTestFile(crTestPath("m.d/modelDescription.xml"), &size);
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetUserData(parser, host);
  XML_SetElementHandler(parser, startElement, NULL);
  assert_int_equal(XML_Parse(parser, text, (int)size, 1), XML_STATUS_OK);
  XML_ParserFree(parser);
  free(text);
  assert_int_equal(host->unknownCount, 2 * host->stateCount + host->outputCount);
  crCallCommand("mv m.d/binaries/x86_64-linux/*.so m.d/m.so");
  host->library = dlopen(crTestPath("m.d/m.so"), RTLD_NOW | RTLD_LOCAL);
  assert_non_null(host->library);
#define FMI3_LOAD(name, type, arguments)                                                                               \
  *(void**)&host->call.name = dlsym(host->library, "fmi3" #name);                                                      \
  assert_non_null(host->call.name);
  FMI3_FUNCTIONS(FMI3_LOAD)
#undef FMI3_LOAD
  assert_string_equal(host->call.GetVersion(), "3.0");
  snprintf(host->resources, sizeof host->resources, "%s/", crTestPath("m.d/resources"));
  return host;
}

static void closeHost(Host* host)
{
  dlclose(host->library);
  free(host);
}

static void keepLog(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
  Host* host = environment;
  (void)category;
  if (status != fmi3OK) {
    snprintf(host->log, sizeof host->log, "%s", message);
  }
}

static fmi3Instance startCoSimulation(Host* host, double tolerance, double stop)
{
  fmi3Instance c = host->call.InstantiateCoSimulation("i", host->token, host->resources, false, true, false, false,
                                                      NULL, 0, host, keepLog, NULL);
  if (c == NULL) {
    fail_msg("%s", host->log);
  }
  assert_int_equal(host->call.EnterInitializationMode(c, true, tolerance, 0.0, true, stop), fmi3OK);
  assert_int_equal(host->call.ExitInitializationMode(c), fmi3OK);
  return c;
}

static fmi3ValueReference find(const Host* host, const char* name)
{
  for (int i = 0; i < host->variableCount; ++i) {
    if (strcmp(host->names[i], name) == 0) {
      return (fmi3ValueReference)i;
    }
  }
  fail_msg("there is no variable %s", name);
  return 0;
}

// A scalar, or a part of an array: "ball.position.x".
static double get(const Host* host, fmi3Instance c, const char* name)
{
  static const char* const parts[2][4] = { { "x", "y", "z", "" }, { "w", "x", "y", "z" } };
  double values[4] = { NAN };
  char stem[128];
  snprintf(stem, sizeof stem, "%s", name);
  for (int i = 0; i < host->variableCount; ++i) {
    if (host->lengths[i] == 1 && strcmp(host->names[i], name) == 0) {
      assert_int_equal(host->call.GetFloat64(c, &(fmi3ValueReference){ (fmi3ValueReference)i }, 1, values, 1), fmi3OK);
      return values[0];
    }
  }
  char* dot = strrchr(stem, '.');
  assert_non_null(dot);
  *dot = '\0';
  fmi3ValueReference reference = find(host, stem);
  int length = host->lengths[reference], part = 0;
  assert_int_equal(host->call.GetFloat64(c, &reference, 1, values, (size_t)length), fmi3OK);
  while (strcmp(parts[length - 3][part], dot + 1) != 0) {
    assert_true(++part < length);
  }
  return values[part];
}

// ----------------------------------------------------------------------------------------------- tests

static void co_simulation_has_the_bits_of_the_run(void** state)
{
  (void)state;
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  assert_int_equal(crReadModel(CAROM_ROOT "/examples/billiards.lua", NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, NULL, &model), cr_ok);
  assert_int_equal(crCreateSimulation(model, NULL, NULL, NULL, &simulation), cr_ok);
  assert_int_equal(crSimulation_Advance(simulation, 1.0), cr_ok);
  Host* host = openHost("$models/billiards.lua", 0);
  fmi3Instance c = startCoSimulation(host, 1e-8, 5.0);
  fmi3Boolean needsEvent, terminate, early;
  double reached;
  assert_int_equal(host->call.DoStep(c, 0.0, 0.25, true, &needsEvent, &terminate, &early, &reached), fmi3OK);
  assert_int_equal(host->call.DoStep(c, 0.25, 0.75, true, &needsEvent, &terminate, &early, &reached), fmi3OK);
  assert_true(reached == 1.0 && !needsEvent && !terminate && !early);
  for (int i = 0; i < crModel_GetSize(model).variableCount; ++i) {
    char name[CR_VARIABLE_NAME];
    crModel_GetVariableName(model, i, name, sizeof name);
    double expected = crInstance_GetVariable(crSimulation_GetInstance(simulation), i);
    if (strncmp(name, "energy.", 7) != 0) {
      assert_true(get(host, c, name) == expected);
    }
  }
  // what is not there is refused with a sentence
  fmi3ValueReference reference = 0;
  double two[2];
  int32_t whole;
  assert_int_equal(host->call.GetFloat64(c, &reference, 1, two, 2), fmi3Error);
  assert_non_null(strstr(host->log, "there are not as many values as the variables and arrays have"));
  assert_int_equal(host->call.GetInt32(c, &reference, 1, &whole, 1), fmi3Error);
  assert_non_null(strstr(host->log, "this FMU has no Int32 variables"));
  assert_int_equal(host->call.EnterConfigurationMode(c), fmi3Error);
  assert_int_equal(host->call.EnterStepMode(c), fmi3Error);
  assert_int_equal(host->call.GetEventIndicators(c, two, 2), fmi3Error);
  assert_non_null(strstr(host->log, "fmi3GetEventIndicators is not allowed now: it waits for a step"));
  // a state
  fmi3FMUState saved = NULL;
  double x = get(host, c, "ball15.position.x");
  assert_int_equal(host->call.GetFMUState(c, &saved), fmi3OK);
  assert_int_equal(host->call.DoStep(c, 1.0, 0.1, true, &needsEvent, &terminate, &early, &reached), fmi3OK);
  assert_true(get(host, c, "ball15.position.x") != x);
  assert_int_equal(host->call.SetFMUState(c, saved), fmi3OK);
  assert_true(get(host, c, "ball15.position.x") == x);
  assert_int_equal(host->call.FreeFMUState(c, &saved), fmi3OK);
  assert_int_equal(host->call.Terminate(c), fmi3OK);
  host->call.FreeInstance(c);
  assert_null(host->call.InstantiateScheduledExecution("i", host->token, host->resources, false, false, host, keepLog,
                                                       NULL, NULL, NULL));
  assert_null(host->call.InstantiateModelExchange("i", "{other}", host->resources, false, false, host, keepLog));
  assert_non_null(strstr(host->log, "they do not belong together"));
  closeHost(host);
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyScene(scene);
}

// Positions, orientations, velocities, states and derivatives of such are arrays: of 3 and 4 numbers, and nothing else
// is.
static void vectors_are_arrays(void** state)
{
  (void)state;
  static const char model[] = "local w = world('w')\n"
                              "scene{ gravity = { 0, 0, -9.81 } }\n"
                              "object('a', { mobility = 'free', position = { 1, 2, 3 }, velocity = { 4, 5, 6 },\n"
                              "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel' } })\n";
  crWriteTestFile(crTestPath("fly.lua"), model, sizeof model - 1);
  Host* host = openHost("fly.lua", 0);
  fmi3Instance c = host->call.InstantiateModelExchange("i", host->token, host->resources, false, true, host, keepLog);
  assert_non_null(c);
  assert_int_equal(host->call.EnterInitializationMode(c, false, 0.0, 0.0, false, 0.0), fmi3OK);
  assert_int_equal(host->call.ExitInitializationMode(c), fmi3OK);
  fmi3ValueReference position = find(host, "a.position"), orientation = find(host, "a.orientation"),
                     velocity = find(host, "a.velocity"), rate = find(host, "der(a.position)"),
                     turning = find(host, "der(a.orientation)"), energy = find(host, "energy.kinetic");
  assert_int_equal(host->lengths[position], 3);
  assert_int_equal(host->lengths[orientation], 4);
  assert_int_equal(host->lengths[velocity], 3);
  assert_int_equal(host->lengths[rate], 3);
  assert_int_equal(host->lengths[turning], 4);
  assert_int_equal(host->lengths[energy], 1);
  assert_int_equal(host->stateCount, 4); // arrays
  // several at once, scalars among them, one behind the other
  fmi3ValueReference all[4] = { velocity, energy, orientation, position };
  double v[11], y[13];
  assert_int_equal(host->call.GetFloat64(c, all, 4, v, 11), fmi3OK);
  assert_int_equal(host->call.GetContinuousStates(c, y, 13), fmi3OK);
  double expected[11] = { 4, 5, 6, v[3], 1, 0, 0, 0, 1, 2, 3 }, states[13] = { 1, 2, 3, 1, 0, 0, 0, 4, 5, 6 };
  assert_memory_equal(v, expected, sizeof v);
  assert_memory_equal(y, states, sizeof y);
  assert_true(v[3] > 0.0);
  // what they depend on: time, and arrays
  char text[64];
  snprintf(text, sizeof text, "0 %u %u", position, velocity);
  assert_string_equal(host->dependencies[0], text);
  snprintf(text, sizeof text, "0 %u %u", orientation, find(host, "a.angularVelocity"));
  assert_string_equal(host->dependencies[1], text);
  // directions: the derivative of a position is the velocity
  double seed[3] = { 0.5, -2.0, 8.0 }, slope[3];
  fmi3Boolean b[5];
  double next;
  assert_int_equal(host->call.UpdateDiscreteStates(c, &b[0], &b[1], &b[2], &b[3], &b[4], &next), fmi3OK);
  assert_int_equal(host->call.EnterContinuousTimeMode(c), fmi3OK);
  assert_int_equal(host->call.GetDirectionalDerivative(c, &rate, 1, &velocity, 1, seed, 3, slope, 3), fmi3OK);
  for (int i = 0; i < 3; ++i) {
    assert_close(slope[i], seed[i], 1e-9); // the linearization takes differences
  }
  // wrong counts, and parts by themselves
  fmi3ValueReference part = position + 1;
  assert_int_equal(host->call.GetFloat64(c, &position, 1, v, 1), fmi3Error);
  assert_non_null(strstr(host->log, "not as many values"));
  assert_int_equal(host->call.GetFloat64(c, &part, 1, v, 1), fmi3Error);
  assert_non_null(strstr(host->log, "a part of an array"));
  assert_int_equal(host->call.GetDirectionalDerivative(c, &rate, 1, &velocity, 1, seed, 2, slope, 3), fmi3Error);
  part = 100000;
  assert_int_equal(host->call.GetFloat64(c, &part, 1, v, 1), fmi3Error);
  assert_non_null(strstr(host->log, "there is no Real variable with the value reference 100000"));
  host->call.FreeInstance(c);
  closeHost(host);
}

typedef struct Points {
  Host* host;
  fmi3Instance instance;
  int count;
  double stop; // [s] where it wants to return
} Points;

static Points points; // the environment of an instance is its host, for the log

static void atPoint(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean setRequested,
                    fmi3Boolean getAllowed, fmi3Boolean stepFinished, fmi3Boolean canReturnEarly,
                    fmi3Boolean* earlyReturnRequested, fmi3Float64* earlyReturnTime)
{
  (void)environment;
  assert_true(!setRequested && getAllowed && stepFinished && canReturnEarly);
  ++points.count;
  assert_close(time, 0.01 * points.count, 1e-12);
  assert_close(get(points.host, points.instance, "time"), time, 0.0);
  *earlyReturnRequested = time >= points.stop - 1e-12;
  *earlyReturnTime = time;
}

// Points inside a step are those of the output interval; the host may look, and return there.
static void steps_tell_of_points_inside(void** state)
{
  (void)state;
  Host* host = openHost("$models/billiards.lua", 0);
  fmi3Instance c = host->call.InstantiateCoSimulation("i", host->token, host->resources, false, false, false, true,
                                                      NULL, 0, host, keepLog, atPoint);
  assert_non_null(c);
  points = (Points){ host, c, 0, 0.3 };
  assert_int_equal(host->call.EnterInitializationMode(c, true, 1e-8, 0.0, true, 5.0), fmi3OK);
  assert_int_equal(host->call.ExitInitializationMode(c), fmi3OK);
  fmi3Boolean needsEvent, terminate, early;
  double reached;
  assert_int_equal(host->call.DoStep(c, 0.0, 0.25, true, &needsEvent, &terminate, &early, &reached), fmi3OK);
  assert_int_equal(points.count, 25);
  assert_true(reached == 0.25 && !early);
  assert_int_equal(host->call.DoStep(c, 0.25, 0.25, true, &needsEvent, &terminate, &early, &reached), fmi3OK);
  assert_int_equal(points.count, 30);
  assert_close(reached, 0.3, 1e-12);
  assert_true(early && !needsEvent);
  host->call.FreeInstance(c);
  closeHost(host);
}

// A ball that falls 1 m: steps end where contacts begin and end, and the host handles events there.
static void steps_of_co_simulation_end_at_contacts(void** state)
{
  (void)state;
  static const char model[] = "scene{ stopTime = 2, tolerance = 1e-10 }\n"
                              "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                              "object('ball', { parent = w, free = true, position = { 0, 0, 1.1 }, solid{ "
                              "shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n";
  crWriteTestFile(crTestPath("fall.lua"), model, sizeof model - 1);
  Host* host = openHost("fall.lua", 0);
  fmi3Instance c = host->call.InstantiateCoSimulation("i", host->token, host->resources, false, false, true, true, NULL,
                                                      0, host, keepLog, NULL);
  if (c == NULL) {
    fail_msg("%s", host->log);
  }
  assert_int_equal(host->call.EnterInitializationMode(c, true, 1e-10, 0.0, true, 2.0), fmi3OK);
  assert_int_equal(host->call.ExitInitializationMode(c), fmi3OK);
  double t = 0.0, next, first = 0.0;
  int count = 0;
  fmi3Boolean needs, terminate, early, nominals, changed, defined;
  assert_int_equal(host->call.DoStep(c, 0.0, 0.5, true, &needs, &terminate, &early, &t), fmi3Error); // in event mode
  assert_int_equal(host->call.EnterContinuousTimeMode(c), fmi3Error);
  assert_int_equal(host->call.EnterStepMode(c), fmi3OK);
  for (int i = 1; i <= 2; ++i) {
    while (t < 0.5 * i) {
      assert_int_equal(host->call.DoStep(c, t, 0.5 * i - t, true, &needs, &terminate, &early, &t), fmi3OK);
      assert_int_equal(needs, early);
      if (early) {
        first = count++ == 0 ? t : first;
        assert_int_equal(host->call.EnterEventMode(c), fmi3OK);
        assert_int_equal(host->call.UpdateDiscreteStates(c, &needs, &terminate, &nominals, &changed, &defined, &next),
                         fmi3OK);
        assert_false(needs);
        assert_int_equal(host->call.EnterStepMode(c), fmi3OK);
      }
    }
    assert_close(t, 0.5 * i, 1e-12);
  }
  assert_int_equal(count, 2); // it begins and ends
  assert_close(first, sqrt(2.0 / 9.81), 1e-6);
  crScene* scene;
  crModel* plain;
  crSimulation* simulation;
  assert_int_equal(crReadModel(crTestPath("fall.lua"), NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, NULL, &plain), cr_ok);
  assert_int_equal(crCreateSimulation(plain, NULL, NULL, NULL, &simulation), cr_ok);
  assert_int_equal(crSimulation_Advance(simulation, 1.0), cr_ok);
  int z = crModel_FindVariable(plain, "ball.position.z");
  assert_close(get(host, c, "ball.position.z"), crInstance_GetVariable(crSimulation_GetInstance(simulation), z), 1e-7);
  crDestroySimulation(simulation);
  crDestroyModel(plain);
  crDestroyScene(scene);
  host->call.FreeInstance(c);
  closeHost(host);
}

// A ball that falls: its state is known in closed form, so no solver is needed to come to the first contact.
static void model_exchange_finds_the_first_contact(void** state)
{
  (void)state;
  static const char model[] = "scene{ stopTime = 1 }\n"
                              "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                              "object('ball', { parent = w, free = true, position = { 0, 0, 1.1 }, solid{ "
                              "shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n";
  crWriteTestFile(crTestPath("fall.lua"), model, sizeof model - 1);
  Host* host = openHost("fall.lua", 0);
  assert_int_equal(host->indicatorCount, 2);
  fmi3Instance c = host->call.InstantiateModelExchange("i", host->token, host->resources, false, true, host, keepLog);
  assert_non_null(c);
  size_t states, indicators;
  assert_int_equal(host->call.GetNumberOfContinuousStates(c, &states), fmi3OK);
  assert_int_equal(host->call.GetNumberOfEventIndicators(c, &indicators), fmi3OK);
  assert_int_equal(states, 13);
  assert_int_equal(indicators, 2);
  assert_int_equal(host->call.EnterInitializationMode(c, false, 0.0, 0.0, false, 0.0), fmi3OK);
  assert_int_equal(host->call.ExitInitializationMode(c), fmi3OK);
  fmi3Boolean again, terminate, nominals, changed, isTime, wantsEvent;
  double next, y[13], rates[13], z[2], z1[2], fall = sqrt(2.0 / 9.81);
  assert_int_equal(host->call.UpdateDiscreteStates(c, &again, &terminate, &nominals, &changed, &isTime, &next), fmi3OK);
  assert_true(!again && !terminate && !changed && !isTime);
  assert_int_equal(host->call.EnterContinuousTimeMode(c), fmi3OK);
  assert_int_equal(host->call.GetContinuousStates(c, y, 13), fmi3OK);
  assert_int_equal(host->call.GetEventIndicators(c, z, 2), fmi3OK);
  assert_true(z[0] == -1.0);    // nothing touches
  assert_true(z[1] > 0.0);      // it is apart
  for (int i = 0; i < 2; ++i) { // just before and just behind the contact
    double t = fall + (i == 0 ? -1e-6 : 1e-6);
    y[2] = 1.1 - 0.5 * 9.81 * t * t;
    y[9] = -9.81 * t;
    assert_int_equal(host->call.SetTime(c, t), fmi3OK);
    assert_int_equal(host->call.SetContinuousStates(c, y, 13), fmi3OK);
    assert_int_equal(host->call.GetEventIndicators(c, i == 0 ? z : z1, 2), fmi3OK);
    assert_int_equal(host->call.CompletedIntegratorStep(c, true, &wantsEvent, &terminate), fmi3OK);
    assert_int_equal(wantsEvent, i == 1);
  }
  assert_true(z[1] > 0.0 && z1[1] < 0.0);
  assert_int_equal(host->call.GetContinuousStateDerivatives(c, rates, 13), fmi3OK);
  assert_close(rates[9], -9.81, 1e-12); // it touches nothing before the event
  assert_int_equal(host->call.EnterEventMode(c), fmi3OK);
  assert_int_equal(host->call.UpdateDiscreteStates(c, &again, &terminate, &nominals, &changed, &isTime, &next), fmi3OK);
  assert_true(changed);
  assert_int_equal(host->call.EnterContinuousTimeMode(c), fmi3OK);
  assert_int_equal(host->call.GetContinuousStateDerivatives(c, rates, 13), fmi3OK);
  assert_true(rates[9] > -9.81); // and is pushed behind it
  fmi3ValueReference references[2] = { (fmi3ValueReference)host->indicators[0],
                                       (fmi3ValueReference)host->indicators[1] };
  assert_int_equal(host->call.GetEventIndicators(c, z, 2), fmi3OK);
  assert_int_equal(host->call.GetFloat64(c, references, 2, z1, 2), fmi3OK);
  assert_true(z[0] < 0.0 && z[0] > -1e-4 && z[0] == z1[0] && z[1] == z1[1]);
  host->call.FreeInstance(c);
  closeHost(host);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(co_simulation_has_the_bits_of_the_run),
    cmocka_unit_test(vectors_are_arrays),
    cmocka_unit_test(model_exchange_finds_the_first_contact),
    cmocka_unit_test(steps_of_co_simulation_end_at_contacts),
    cmocka_unit_test(steps_tell_of_points_inside),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
