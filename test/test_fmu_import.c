// FMUs of others in a model: the same bits as the same thing written in Lua, going back, checkpoints, and what is
// refused.
#include "base/memory.h"
#include "carom/carom.h"
#include "carom/io.h"
#include "fmu/archive.h"
#include "support/command.h"
#include "support/fmu_host.h"
#include "support/folder.h"
#include "support/log.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE(name, reference, causality, type)                                                                     \
  "<ScalarVariable name=\"" name "\" valueReference=\"" reference "\" causality=\"" causality "\"><" type              \
  "/></ScalarVariable>"
#define HEAD(version, kind, identifier)                                                                                \
  "<?xml version=\"1.0\"?><fmiModelDescription fmiVersion=\"" version "\" modelName=\"tiny\" guid=\"{tiny}\"><" kind   \
  " modelIdentifier=\"" identifier "\"/><ModelVariables>"
#define TAIL "</ModelVariables><ModelStructure/></fmiModelDescription>"
#define VARIABLES                                                                                                      \
  VARIABLE("gain", "0", "parameter", "Real")                                                                           \
  VARIABLE("integralGain", "1", "parameter", "Real")                                                                   \
  VARIABLE("reference", "2", "input", "Real")                                                                          \
  VARIABLE("measured", "3", "input", "Real")                                                                           \
  VARIABLE("command", "4", "output", "Real")                                                                           \
  VARIABLE("integral", "5", "local", "Real")                                                                           \
  VARIABLE("steps", "6", "output", "Integer")                                                                          \
  VARIABLE("isOff", "7", "input", "Boolean")                                                                           \
  VARIABLE("isBroken", "8", "parameter", "Boolean")                                                                    \
  VARIABLE("isDrunk", "9", "parameter", "Boolean")                                                                     \
  VARIABLE("isRude", "12", "parameter", "Boolean")                                                                     \
  VARIABLE("isWorried", "11", "parameter", "Boolean") VARIABLE("label", "10", "parameter", "String")
#define DESCRIPTION HEAD("2.0", "CoSimulation", "tiny") VARIABLES TAIL

// A flywheel whose speed is to follow a reference; what drives it stands in front.
#define FLYWHEEL                                                                                                       \
  "local disc = object('disc', { solid{ shape = cylinder{ radius = 0.1, length = 0.02 }, mass = 2 } })\n"              \
  "local speed = jointSensor('speed', { joint = 'hinge', quantity = 'rate' })\n"                                       \
  "local wanted = sine('wanted', { amplitude = 3, frequency = 0.7, offset = 2 })\n"
#define HINGE "revolute('hinge', world('w'), disc, { axis = 'z', torque = drive, damping = 0.01 })\n"

#define TINY(more)                                                                                                     \
  FLYWHEEL "local drive = fmu('drive', { file = 'tiny.fmu', period = 0.01,\n"                                          \
           "  inputs = { reference = wanted, measured = speed },\n"                                                    \
           "  outputs = { 'command', 'integral', 'steps' },\n"                                                         \
           "  parameters = { gain = 0.2, integralGain = 0.5" more " } })\n" HINGE
// The same in Lua: it acts on what it read one period ago, as an FMU does that is given its inputs before a step.
#define LUA_TWIN                                                                                                       \
  FLYWHEEL "local drive = sampled('drive', { period = 0.01,\n"                                                         \
           "  inputs = { reference = wanted, measured = speed },\n"                                                    \
           "  state = { r = 0, m = 0, i = 0, isRunning = 0 },\n"                                                       \
           "  parameters = { gain = 0.2, integralGain = 0.5 },\n"                                                      \
           "  code = [[\n"                                                                                             \
           "    local isFirst = isRunning == 0\n"                                                                      \
           "    local e = isFirst and reference - measured or r - m\n"                                                 \
           "    i = isFirst and 0 or i + integralGain * period * e\n"                                                  \
           "    r, m, isRunning = reference, measured, 1\n"                                                            \
           "    return gain * e + i\n"                                                                                 \
           "  ]] })\n" HINGE

// ------------------------------------------------------------------------------------------------ support

// share: of the library
static void packPart(const char* path, const char* description, const char* extraName, double share)
{
  size_t size;
  char* library = crReadTestFile(CAROM_TINY_FMU, &size);
  size = (size_t)(share * (double)size);
  crZipEntry entries[5] = { { "modelDescription.xml", description, strlen(description) },
                            { "binaries/linux64/tiny.so", library, size },
                            { "resources/note.txt", "here", 4 },
                            { extraName, "x", 1 } };
  char* bytes;
  size_t packed;
  int first = description[0] == '\0' ? 1 : 0;
  crAllocator allocator = crChooseAllocator(NULL);
  assert_int_equal(crPackZip(entries + first, (extraName != NULL ? 4 : 3) - first, &allocator, NULL, &bytes, &packed),
                   cr_ok);
  crWriteTestFile(path, bytes, packed);
  crFree(&allocator, bytes, packed);
  free(library);
}

static void packWith(const char* path, const char* description, const char* extraName)
{
  packPart(path, description, extraName, 1.0);
}

static void writeModel(const char* name, const char* text)
{
  crWriteTestFile(crTestPath(name), text, strlen(text));
}

typedef struct Run {
  crErrorLog* log;
  crScene* scene;
  crModel* model;
  crSimulation* simulation;
} Run;

static Run openRun(const char* name, double stop)
{
  Run run = { .log = crCreateErrorLog(NULL) };
  crErrorSink sink = crErrorLog_GetSink(run.log);
  crReadModel(crTestPath(name), NULL, NULL, &sink, &run.scene);
  crCompile(run.scene, NULL, NULL, &sink, &run.model);
  crSimulationOptions options = crModel_ChooseOptions(run.model, NULL);
  options.stopTime = stop;
  crCreateSimulation(run.model, &options, NULL, &sink, &run.simulation);
  return run;
}

static Run openGood(const char* name, double stop)
{
  Run run = openRun(name, stop);
  assert_no_messages(run.log);
  assert_non_null(run.simulation);
  return run;
}

static void closeRun(Run* run)
{
  crDestroySimulation(run->simulation);
  crDestroyModel(run->model);
  crDestroyScene(run->scene);
  crDestroyErrorLog(run->log);
}

static double getValue(const Run* run, const char* name)
{
  int variable = crModel_FindVariable(run->model, name);
  assert_true(variable >= 0);
  return crInstance_GetVariable(crSimulation_GetInstance(run->simulation), variable);
}

static void advance(Run* run, double t)
{
  assert_int_equal(crSimulation_Advance(run->simulation, t), cr_ok);
}

typedef struct Saved {
  char* bytes;
  size_t size;
} Saved;

static crStatus keepBytes(void* context, const void* bytes, size_t size)
{
  Saved* saved = context;
  saved->bytes = realloc(saved->bytes, saved->size + size);
  memcpy(saved->bytes + saved->size, bytes, size);
  saved->size += size;
  return cr_ok;
}

static int countUnpacked(void)
{
  int count = 0;
  DIR* folder = opendir(getenv("TMPDIR"));
  assert_non_null(folder);
  for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    count += strncmp(entry->d_name, "carom-fmu-", 10) == 0;
  }
  closedir(folder);
  return count;
}

// ----------------------------------------------------------------------------------------------- the same

static void an_fmu_gives_the_bits_of_the_same_function_in_lua(void** state)
{
  (void)state;
  writeModel("fmu.lua", TINY(""));
  writeModel("twin.lua", LUA_TWIN);
  Run fmu = openGood("fmu.lua", 3.0), twin = openGood("twin.lua", 3.0);
  assert_int_equal(countUnpacked(), 1);
  for (int k = 0; k <= 300; ++k) {
    advance(&fmu, 0.01 * k);
    advance(&twin, 0.01 * k);
    double a = getValue(&fmu, "hinge.rate"), b = getValue(&twin, "hinge.rate");
    assert_true(memcmp(&a, &b, sizeof a) == 0);
    assert_true(getValue(&fmu, "drive.integral") == getValue(&twin, "drive.i"));
    assert_true(getValue(&fmu, "drive.steps") == k);
  }
  assert_true(fabs(getValue(&fmu, "hinge.rate")) > 0.1);
  closeRun(&fmu);
  closeRun(&twin);
  assert_int_equal(countUnpacked(), 0);
}

// The flywheel as an FMU of our own exporter, under a torque that is held: I w' = T - d w is solved by exponentials.
static void a_model_of_ours_as_an_fmu_follows_the_closed_form(void** state)
{
  (void)state;
  writeModel("wheel.lua", "local disc = object('disc', { mass{ mass = 2, inertia = { 0.01, 0.01, 0.01 } } })\n"
                          "local hinge = revolute('hinge', world('w'), disc,\n"
                          "  { axis = 'z', torque = input('torque', { unit = 'N.m' }), damping = 0.05 })\n"
                          "output('speed', { signal = jointSensor('rate', { joint = hinge, quantity = 'rate' }) })\n"
                          "scene{ tolerance = 1e-10 }\n");
  crFmuOptions options = crDefaultFmuOptions();
  crExportFmu(crTestPath("wheel.lua"), &options, crTestPath("wheel.fmu"));
  writeModel("around.lua", "local torque = sine('torque', { amplitude = 0.3, frequency = 2, phase = 0.4 })\n"
                           "fmu('wheel', { file = 'wheel.fmu', period = 0.02, inputs = { torque = torque },\n"
                           "  outputs = { 'speed', 'hinge.angle' } })\n"
                           "world('w')\n");
  Run run = openGood("around.lua", 2.0);
  double w = 0.0, a = 0.0, decay = exp(-0.05 * 0.02 / 0.01);
  for (int k = 0; k <= 100; ++k) {
    double t = 0.02 * k;
    advance(&run, t);
    assert_true(fabs(getValue(&run, "wheel.speed") - w) < 1e-8);
    assert_true(fabs(getValue(&run, "wheel.hinge.angle") - a) < 1e-8);
    double torque = 0.3 * sin(4.0 * M_PI * t + 0.4), end = torque / 0.05;
    a += end * 0.02 + (w - end) * (1.0 - decay) * 0.01 / 0.05;
    w = end + (w - end) * decay;
  }
  closeRun(&run);
}

static void json_says_the_same(void** state)
{
  (void)state;
  writeModel("fmu.lua", TINY(""));
  crAssertSays("$carom convert fmu.lua fmu.json", 0, "");
  crAssertSays("$carom convert fmu.json again.json && cmp fmu.json again.json", 0, "");
  Run lua = openGood("fmu.lua", 1.0), json = openGood("fmu.json", 1.0);
  advance(&lua, 1.0);
  advance(&json, 1.0);
  assert_true(getValue(&lua, "hinge.rate") == getValue(&json, "hinge.rate"));
  closeRun(&lua);
  closeRun(&json);
}

static void a_run_that_is_saved_goes_on_with_the_same_bits(void** state)
{
  (void)state;
  writeModel("fmu.lua", TINY(""));
  Run run = openGood("fmu.lua", 2.0);
  crErrorSink sink = crErrorLog_GetSink(run.log);
  Saved saved = { NULL, 0 };
  advance(&run, 0.735);
  assert_int_equal(crSimulation_Save(run.simulation, NULL, 0, (crByteWriter){ keepBytes, &saved }), cr_ok);
  crSimulation* second = NULL;
  assert_int_equal(crLoadSimulation(run.model, saved.bytes, saved.size, NULL, NULL, &sink, &second), cr_ok);
  for (int k = 1; k <= 10; ++k) {
    advance(&run, 0.735 + 0.1 * k);
    assert_int_equal(crSimulation_Advance(second, 0.735 + 0.1 * k), cr_ok);
    for (int i = 0; i < crModel_GetSize(run.model).variableCount; ++i) {
      double a = crInstance_GetVariable(crSimulation_GetInstance(run.simulation), i);
      double b = crInstance_GetVariable(crSimulation_GetInstance(second), i);
      assert_true(memcmp(&a, &b, sizeof a) == 0);
    }
  }
  crDestroySimulation(second);
  free(saved.bytes);
  closeRun(&run);
}

static crFunctionSource makeSource(const crArgument* arguments, int argumentCount, const crNamedNumber* constants,
                                   int constantCount, const crNamedNumber* states, int stateCount)
{
  static char file[1024];
  snprintf(file, sizeof file, "%s", crTestPath("tiny.fmu"));
  return (crFunctionSource){ .path = "drive",
                             .file = file,
                             .arguments = arguments,
                             .argumentCount = argumentCount,
                             .constants = constants,
                             .constantCount = constantCount,
                             .states = states,
                             .stateCount = stateCount,
                             .period = 0.125 };
}

// What a run does that goes back: calls with states of before, with the same inputs and with others.
static void calls_with_earlier_states_go_back(void** state)
{
  (void)state;
  const crArgument arguments[] = { { "reference", "r" }, { "measured", "m" } };
  const crNamedNumber constants[] = { { "gain", 2.0 }, { "integralGain", 10.0 } };
  const crNamedNumber states[] = { { "command", 0.0 }, { "steps", 0.0 }, { "calls", 0.0 } };
  crFunctionSource source = makeSource(arguments, 2, constants, 2, states, 3);
  const crFunction* f = crGetFmuFunction();
  void *straight, *winding;
  assert_int_equal(f->create(f->context, &source, NULL, NULL, &straight), cr_ok);
  assert_int_equal(f->create(f->context, &source, NULL, NULL, &winding), cr_ok);
  double a[3] = { 0 }, b[3] = { 0 }, kept[3], value, other, integral = 0.0;
  for (int k = 0; k < 40; ++k) {
    double inputs[2] = { sin(k), 0.1 * k }, wrong[2] = { 5.0, -k };
    assert_int_equal(f->call(straight, 0.125 * k, inputs, a, &value), cr_ok);
    memcpy(kept, b, sizeof kept);
    if (k % 7 == 3) { // three calls that are taken back
      assert_int_equal(f->call(winding, 0.125 * k, wrong, b, &other), cr_ok);
      assert_int_equal(f->call(winding, 0.125 * (k + 1), wrong, b, &other), cr_ok);
      assert_int_equal(f->call(winding, 0.125 * (k + 2), inputs, b, &other), cr_ok);
    }
    memcpy(b, kept, sizeof b);
    assert_int_equal(f->call(winding, 0.125 * k, inputs, b, &other), cr_ok);
    assert_true(memcmp(a, b, sizeof a) == 0 && value == other);
    double e = k > 0 ? sin(k - 1) - 0.1 * (k - 1) : 0.0;
    integral += 10.0 * 0.125 * e;
    assert_true(fabs(value - (2.0 * (k > 0 ? e : sin(0)) + integral)) < 1e-12);
  }
  a[2] = 100.0; // calls that it knows nothing of
  assert_int_equal(f->call(straight, 5.0, (double[2]){ 0.0, 0.0 }, a, &value), cr_failNumerics);
  assert_non_null(strstr(f->explain(straight), "cannot go on from a state alone"));
  f->destroy(straight);
  f->destroy(winding);
  assert_int_equal(countUnpacked(), 0);
}

static void threads_change_no_bit(void** state)
{
  (void)state;
  double ends[2];
  writeModel("many.lua",
             "scene{ gravity = { 0, 0, -9.81 } }\n"
             "local floor = world('floor', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
             "for i = 1, 24 do\n"
             "  local ball = object('ball' .. i, { mobility = 'free', position = { 0.3 * i, 0, 0.5 + 0.01 * i },\n"
             "    solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' },\n"
             "    velocity = { i % 3 - 1, 0, 0 } })\n"
             "  if i % 6 == 0 then\n"
             "    local height = frameSensor('height' .. i, { objectA = floor, objectB = ball,\n"
             "      quantity = 'position', component = 'z' })\n"
             "    local drive = fmu('drive' .. i, { file = 'tiny.fmu', period = 0.01,\n"
             "      inputs = { measured = height }, parameters = { gain = 30, integralGain = 3 } })\n"
             "    force('push' .. i, ball, { force = { 0, 0, 1 }, factor = drive })\n"
             "  end\n"
             "end\n");
  for (int threads = 1; threads <= 3; threads += 2) {
    Run run = openRun("many.lua", 1.0);
    assert_no_messages(run.log);
    crDestroySimulation(run.simulation);
    crSimulationOptions options = crModel_ChooseOptions(run.model, NULL);
    crErrorSink sink = crErrorLog_GetSink(run.log);
    options.stopTime = 1.0;
    options.threads = threads;
    assert_int_equal(crCreateSimulation(run.model, &options, NULL, &sink, &run.simulation), cr_ok);
    advance(&run, 1.0);
    ends[threads / 2] = 0.0;
    for (int i = 1; i <= 24; ++i) {
      char name[32];
      snprintf(name, sizeof name, "ball%d.position.z", i);
      ends[threads / 2] += i * getValue(&run, name);
    }
    closeRun(&run);
  }
  assert_true(ends[0] == ends[1] && isfinite(ends[0]));
}

// ------------------------------------------------------------------------------------------------ refused

static void without_leave_nothing_is_run(void** state)
{
  (void)state;
  writeModel("fmu.lua", TINY(""));
  crAssertSays("$carom check fmu.lua", 0, "the start is not checked: a function, such as an FMU, may not run here");
  crAssertSays("$carom check fmu.lua", 0, "ok, 0 errors");
  crAssertSays("$carom run fmu.lua --no-report --stop 0.1", 1, "fmu.lua:4: error: drive: an FMU is code of others");
  crAssertSays("$carom run fmu.lua --no-report --stop 0.1", 1, "--allow-fmu lets FMUs run");
  crAssertSays("$carom run fmu.lua --no-report --stop 0.1 --set allowFmu=true", 1, "allowFmu");
  crAssertSays("$carom check fmu.lua --allow-fmu", 0, "ok, 0 errors");
  crAssertSays("$carom run fmu.lua --no-report --stop 0.1 --allow-fmu", 0, "Done at 0.1 s");
  crAllowFmus(false);
  Run run = openRun("fmu.lua", 1.0);
  assert_null(run.simulation);
  assert_message(run.log, cr_severityError, "an FMU is code of others, which can do whatever you can: it is not run");
  closeRun(&run);
  crAllowFmus(true);
}

static void an_fmu_goes_neither_into_an_fmu_nor_into_a_page(void** state)
{
  (void)state;
  writeModel("fmu.lua", TINY(""));
  crAssertSays("$carom fmu fmu.lua -o no.fmu", 1, "the model runs FMUs of others, which an FMU of Carom does not hold");
  crAssertSays("$carom play fmu.lua -o no.html", 1, "the model runs FMUs of others, which no page can");
}

// The leave is given anew: what a folder of results says is not yours.
static void a_run_that_was_left_goes_on_with_leave_alone(void** state)
{
  (void)state;
  writeModel("fmu.lua", TINY(""));
  crAssertSays("$carom run fmu.lua --stop 1 --interval 1e-3 --quiet --allow-fmu --out whole.run", 0, "");
  crAssertSays("leave fmu.lua --stop 1 --interval 1e-3 --no-report --quiet --allow-fmu", 0, "");
  crAssertSays("$carom resume left.run --quiet --no-report", 1, "an FMU is code of others");
  crAssertSays("$carom resume left.run --quiet --no-report --allow-fmu", 0, "");
  crAssertSays("$carom plot whole.run hinge.rate -o whole.svg --title a && $carom plot left.run hinge.rate -o left.svg "
               "--title a && cmp whole.svg left.svg",
               0, "");
}

// A scene to look at is read, and compiled, where its FMU is gone; to run it that is needed.
static void a_scene_is_looked_at_without_its_fmus(void** state)
{
  (void)state;
  crReadOptions options = crDefaultReadOptions();
  crScene* scene = NULL;
  crModel* model = NULL;
  assert_int_not_equal(crReadLua(TINY(""), strlen(TINY("")), "model.lua", "/nowhere", &options, NULL, NULL, &scene),
                       cr_ok);
  crDestroyScene(scene);
  options.skipsFmus = true;
  assert_int_equal(crReadLua(TINY(""), strlen(TINY("")), "model.lua", "/nowhere", &options, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, NULL, &model), cr_ok);
  crDestroyModel(model);
  crDestroyScene(scene);
}

static void files_lie_where_a_model_may_read(void** state)
{
  (void)state;
  crAssertSays("mkdir -p inner", 0, "");
  writeModel("inner/fmu.lua", "fmu('f', { file = '../tiny.fmu', period = 1 })\nworld('w')\n");
  crAssertSays("$carom check inner/fmu.lua", 1, "file lies outside the model's folder");
  crAssertSays("$carom check inner/fmu.lua --allow-path .", 0, "ok");
  writeModel("missing.lua", "fmu('f', { file = 'nowhere.fmu', period = 1 })\nworld('w')\n");
  crAssertSays("$carom check missing.lua", 1, "missing.lua:1: error: f: cannot open");
}

static void assertRefused(const char* fields, const char* message)
{
  char text[1024];
  snprintf(text, sizeof text, "fmu('f', { file = 'bad.fmu', period = 0.1%s })\nworld('w')\n", fields);
  writeModel("bad.lua", text);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  assert_int_not_equal(crReadModel(crTestPath("bad.lua"), NULL, NULL, &sink, &scene), cr_ok);
  assert_message(log, cr_severityError, message);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void names_that_an_fmu_does_not_have_are_told(void** state)
{
  (void)state;
  packWith(crTestPath("bad.fmu"), DESCRIPTION, NULL);
  assertRefused(", inputs = { referense = constant('c', { value = 1 }) }", "hint: did you mean 'reference'?");
  assertRefused(", inputs = { gain = constant('c', { value = 1 }) }", "'gain' of the FMU is no input");
  assertRefused(", parameters = { measured = 1 }", "'measured' of the FMU is no parameter, its causality is input");
  assertRefused(", parameters = { label = 1 }", "'label' of the FMU is a text, and models pass numbers");
  assertRefused(", outputs = { 'comand' }", "the FMU has no such variable");
  assertRefused(", outputs = { 'command', 'command' }", "'command' of the FMU is named twice");
  assertRefused(", period = 0", "period");
}

static void descriptions_that_cannot_be_meant_are_told(void** state)
{
  (void)state;
  static const struct {
    const char *description, *message;
  } cases[] = {
    { "", "the archive is no FMU: it has no modelDescription.xml" },
    { "<a", "modelDescription.xml" },
    { "<a/>", "modelDescription.xml describes no FMU: it begins with <a>" },
    { HEAD("3.0", "CoSimulation", "tiny") VARIABLES TAIL, "the FMU is of another version of FMI" },
    { HEAD("2.0", "ModelExchange", "tiny") VARIABLES TAIL, "the FMU is none for Co-Simulation" },
    { HEAD("2.0", "CoSimulation", "../../etc/x") VARIABLES TAIL, "no modelIdentifier that is a name" },
    { HEAD("2.0", "CoSimulation", "tiny") TAIL, "the FMU has no outputs" },
    { HEAD("2.0", "CoSimulation", "tiny") VARIABLE("a", "-1", "output", "Real") TAIL, "has no name, valueReference" },
    { HEAD("2.0", "CoSimulation", "tiny") VARIABLE("a", "1", "output", "Thing") TAIL, "has no name, valueReference" },
    { "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    packWith(crTestPath("bad.fmu"), cases[i].description, NULL);
    assertRefused("", cases[i].message);
  }
}

// Every prefix of a good file, and every byte of it turned over, is read or refused, and never more.
static void damaged_archives_are_refused(void** state)
{
  (void)state;
  size_t size;
  char* bytes = crReadTestFile(crTestPath("tiny.fmu"), &size);
  for (size_t i = 0; i < size; i += size / 97 + 1) {
    crWriteTestFile(crTestPath("bad.fmu"), bytes, i);
    assertRefused("", "");
  }
  writeModel("bad.lua", "fmu('f', { file = 'bad.fmu', period = 0.1 })\nworld('w')\n");
  for (size_t i = 0; i < size; i += size / 301 + 1) {
    bytes[i] = (char)~bytes[i];
    crWriteTestFile(crTestPath("bad.fmu"), bytes, size);
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crScene* scene = NULL;
    crStatus status = crReadModel(crTestPath("bad.lua"), NULL, NULL, &sink, &scene);
    assert_true((status == cr_ok) == (crErrorLog_CountOf(log, cr_severityError) == 0));
    crDestroyScene(scene);
    crDestroyErrorLog(log);
    bytes[i] = (char)~bytes[i];
  }
  free(bytes);
}

static void assertStartIsRefused(const char* message)
{
  writeModel("bad.lua", "fmu('f', { file = 'bad.fmu', period = 0.1 })\nworld('w')\n");
  int before = countUnpacked(); // a run that was killed has left its own
  Run run = openRun("bad.lua", 1.0);
  assert_null(run.simulation);
  assert_message(run.log, cr_severityError, message);
  closeRun(&run);
  assert_int_equal(countUnpacked(), before);
}

static void archives_write_nothing_outside_and_need_their_binary(void** state)
{
  (void)state;
  static const char* const names[] = { "../evil",         "resources/../../evil", "/tmp/evil",
                                       "resources//evil", "resources/./evil",     "a\\..\\evil" };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    packWith(crTestPath("bad.fmu"), DESCRIPTION, names[i]);
    assertStartIsRefused("the FMU has a file that leads out of its folder");
  }
  packWith(crTestPath("bad.fmu"), HEAD("2.0", "CoSimulation", "other") VARIABLES TAIL, NULL);
  assertStartIsRefused("the FMU has no binary that can be loaded here, binaries/linux64/other.so");
  packWith(crTestPath("bad.fmu"), HEAD("2.0", "CoSimulation", "text") VARIABLES TAIL, "binaries/linux64/text.so");
  assertStartIsRefused("the FMU has no binary that can be loaded here, binaries/linux64/text.so");
}

// An archive of these files.
static void packAll(const char* path, const crZipEntry* entries, int count)
{
  char* bytes;
  size_t size;
  crAllocator allocator = crChooseAllocator(NULL);
  assert_int_equal(crPackZip(entries, count, &allocator, NULL, &bytes, &size), cr_ok);
  crWriteTestFile(path, bytes, size);
  crFree(&allocator, bytes, size);
}

// Spaces deflate to a thousandth.
static void a_description_that_is_too_large_is_not_unpacked(void** state)
{
  (void)state;
  size_t size = ((size_t)64 << 20) + 1;
  char* text = malloc(size);
  memset(text, ' ', size);
  packAll(crTestPath("bad.fmu"), &(crZipEntry){ "modelDescription.xml", text, size }, 1);
  free(text);
  assertRefused("", "bad.lua:1: error: f: 'modelDescription.xml' in the FMU is too large: 67108865 bytes");
}

static void an_archive_of_too_many_files_is_refused(void** state)
{
  (void)state;
  enum { count = 20001 };
  static char names[count][16];
  crZipEntry* entries = calloc(count, sizeof *entries);
  for (int i = 0; i < count; ++i) {
    snprintf(names[i], sizeof names[i], "f%d", i);
    entries[i] = (crZipEntry){ names[i], "", 0 };
  }
  packAll(crTestPath("bad.fmu"), entries, count);
  free(entries);
  assertRefused("", "is no FMU that is run here: it has more than 20000 files");
}

static void bytes_that_do_not_fit_their_checksum_are_told(void** state)
{
  (void)state;
  packWith(crTestPath("bad.fmu"), DESCRIPTION, NULL);
  size_t size;
  char* bytes = crReadTestFile(crTestPath("bad.fmu"), &size);
  bytes[30 + strlen("modelDescription.xml") + 40] ^= 1; // behind the head of the first file
  crWriteTestFile(crTestPath("bad.fmu"), bytes, size);
  free(bytes);
  assertRefused("", "bad.lua:1: error: f: 'modelDescription.xml' in the FMU is damaged");
}

static void what_cannot_be_unpacked_is_told_with_the_reason(void** state)
{
  (void)state;
  char name[2200] = "resources/";
  memset(name + 10, 'n', 300);
  packWith(crTestPath("bad.fmu"), DESCRIPTION, name);
  assertStartIsRefused("nnn' of the FMU cannot be unpacked: File name too long");
  memset(name + 10, 'n', 2100);
  packWith(crTestPath("bad.fmu"), DESCRIPTION, name);
  assertStartIsRefused("the FMU has a file with too long a name: 'resources/nnn");
  // a file stands where a folder is needed
  crZipEntry entries[] = { { "modelDescription.xml", DESCRIPTION, strlen(DESCRIPTION) },
                           { "resources/way", "x", 1 },
                           { "resources/way/on", "x", 1 } };
  packAll(crTestPath("bad.fmu"), entries, 3);
  assertStartIsRefused("'resources/way/on' of the FMU cannot be unpacked: Not a directory");
  packWith(crTestPath("bad.fmu"), DESCRIPTION, NULL);
  crCallCommand("TMPDIR=/nowhere/at/all $carom run bad.lua --no-report --stop 0.1 --allow-fmu");
  assert_int_equal(crAnswer.exitCode, 1);
  assert_non_null(
      strstr(crAnswer.text, "there is no room for an FMU below '/nowhere/at/all': No such file or directory"));
  crCallCommand("TMPDIR=/$(printf '%01100d' 0) $carom run bad.lua --no-report --stop 0.1 --allow-fmu");
  assert_int_equal(crAnswer.exitCode, 1);
  assert_non_null(strstr(crAnswer.text, "0000...': File name too long"));
}

// The binary with a word of its own in the place of another that is as long.
static void packChanged(const char* path, const char* word, const char* other)
{
  size_t size, length = strlen(word), packed;
  int count = 0;
  char *library = crReadTestFile(CAROM_TINY_FMU, &size), *bytes;
  for (size_t i = 0; i + length < size; ++i) {
    if (memcmp(library + i, word, length) == 0) {
      memcpy(library + i, other, length);
      ++count;
    }
  }
  assert_true(count > 0);
  crZipEntry entries[] = { { "modelDescription.xml", DESCRIPTION, strlen(DESCRIPTION) },
                           { "binaries/linux64/tiny.so", library, size } };
  crAllocator allocator = crChooseAllocator(NULL);
  assert_int_equal(crPackZip(entries, 2, &allocator, NULL, &bytes, &packed), cr_ok);
  crWriteTestFile(path, bytes, packed);
  crFree(&allocator, bytes, packed);
  free(library);
}

static void a_binary_that_is_none_of_this_standard_is_refused(void** state)
{
  (void)state;
  packChanged(crTestPath("bad.fmu"), "fmi2DoStep", "fmi2DoStop");
  assertStartIsRefused("the binary of the FMU has no function fmi2DoStep");
  packChanged(crTestPath("bad.fmu"), "default", "strange");
  assertStartIsRefused("the binary of the FMU is of FMI 2.0 with types 'strange', not of FMI 2.0 with 'default'");
}

static void an_fmu_that_needs_its_tool_is_warned_of(void** state)
{
  (void)state;
  packWith(crTestPath("tool.fmu"),
           "<?xml version=\"1.0\"?><fmiModelDescription fmiVersion=\"2.0\" modelName=\"tiny\" guid=\"{tiny}\">"
           "<CoSimulation modelIdentifier=\"tiny\" needsExecutionTool=\"true\"/><ModelVariables>" VARIABLES TAIL,
           NULL);
  writeModel("tool.lua", "fmu('f', { file = 'tool.fmu', period = 0.1 })\nworld('w')\n");
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  assert_int_equal(crReadModel(crTestPath("tool.lua"), NULL, NULL, &sink, &scene), cr_ok);
  assert_message(log, cr_severityWarning, "the FMU needs the tool that it comes from");
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

// The loader maps it, and the process ended when it touched what is not there.
static void a_library_that_is_cut_off_is_refused(void** state)
{
  (void)state;
  for (int i = 1; i < 10; ++i) {
    packPart(crTestPath("bad.fmu"), DESCRIPTION, NULL, 0.1 * i);
    writeModel("bad.lua", "fmu('f', { file = 'bad.fmu', period = 0.1 })\nworld('w')\n");
    crAssertSays("$carom run bad.lua --no-report --stop 0.1 --allow-fmu; test $? -le 1 && echo ended", 0, "ended");
  }
  packPart(crTestPath("bad.fmu"), DESCRIPTION, NULL, 0.1); // at the end there is what nobody loads
  assertStartIsRefused("the binary of the FMU is cut off, binaries/linux64/tiny.so");
}

// The run was gone without a word, and its exit code was that of the FMU.
static void an_fmu_that_ends_the_process_is_told(void** state)
{
  (void)state;
  writeModel("rude.lua", TINY(", isRude = 1"));
  crAssertSays("$carom run rude.lua --no-report --stop 1 --allow-fmu --out rude.run", 3,
               "carom: the process was ended by an FMU; what was written before is kept");
}

static void an_fmu_that_has_changed_is_refused(void** state)
{
  (void)state;
  packWith(crTestPath("bad.fmu"), DESCRIPTION, NULL);
  writeModel("bad.lua", "fmu('f', { file = 'bad.fmu', period = 0.1 })\nworld('w')\n");
  Run run = openGood("bad.lua", 1.0);
  packWith(crTestPath("bad.fmu"), DESCRIPTION, "resources/more.txt");
  crSimulation* second = NULL;
  crErrorSink sink = crErrorLog_GetSink(run.log);
  assert_int_equal(crCreateSimulation(run.model, NULL, NULL, &sink, &second), cr_errorModel);
  assert_message(run.log, cr_severityError, "has changed since the model was read");
  closeRun(&run);
}

static void assertFails(const char* name, const char* text, const char* message)
{
  writeModel(name, text);
  Run run = openGood(name, 1.0);
  assert_true(crSimulation_Advance(run.simulation, 1.0) < 0);
  assert_message(run.log, cr_severityError, message);
  closeRun(&run);
}

static void what_an_fmu_says_is_told(void** state)
{
  (void)state;
  assertFails("burnt.lua", TINY(", isBroken = 1"),
              "the simulation stops at 0.52 s: fmu 'drive' failed, fmi2DoStep of the FMU returns 'error': "
              "'the winding has burnt (0.51)', at 0.52 s");
  assertFails(
      "half.lua",
      "fmu('f', { file = 'tiny.fmu', period = 0.1, inputs = { isOff = ramp('r', { height = 1, duration = 1 }) } })"
      "\nworld('w')\n",
      "'isOff' of the FMU takes 0 or 1, and gets 0.1");
  packWith(crTestPath("bad.fmu"), HEAD("2.0", "CoSimulation", "tiny") VARIABLE("a", "99", "output", "Real") TAIL, NULL);
  writeModel("bad.lua", "fmu('f', { file = 'bad.fmu', period = 0.1 })\nworld('w')\n");
  Run run = openRun("bad.lua", 1.0);
  assert_message(run.log, cr_severityError, "fmi2GetReal of the FMU returns 'error': 'no such real (99)'");
  closeRun(&run);
}

static void warnings_are_counted_and_told_at_the_end(void** state)
{
  (void)state;
  writeModel("warm.lua", TINY(", isWorried = 1"));
  Run run = openGood("warm.lua", 1.0);
  advance(&run, 1.0);
  assert_no_messages(run.log);
  crDestroySimulation(run.simulation);
  run.simulation = NULL;
  assert_message(run.log, cr_severityWarning,
                 "warning: drive: the FMU has warned 49 times, at first: 'the winding gets warm (0.51)'");
  closeRun(&run);
  crAssertSays("$carom run warm.lua --no-report --stop 1 --allow-fmu", 0, "the FMU has warned 49 times");
}

// One that is not the same twice is told where its steps have to be taken again.
static void an_fmu_that_does_not_repeat_itself_is_told(void** state)
{
  (void)state;
  const crArgument arguments[] = { { "reference", "r" } };
  const crNamedNumber constants[] = { { "isDrunk", 1.0 } };
  const crNamedNumber states[] = { { "command", 0.0 }, { "calls", 0.0 } };
  crFunctionSource source = makeSource(arguments, 1, constants, 1, states, 2);
  const crFunction* f = crGetFmuFunction();
  void* caller;
  assert_int_equal(f->create(f->context, &source, NULL, NULL, &caller), cr_ok);
  double held[2] = { 0 }, kept[2], value, one = 1.0, two = 2.0;
  assert_int_equal(f->call(caller, 0.0, &one, held, &value), cr_ok);
  assert_int_equal(f->call(caller, 0.125, &one, held, &value), cr_ok);
  memcpy(kept, held, sizeof kept);
  assert_int_equal(f->call(caller, 0.25, &one, held, &value), cr_ok);
  assert_int_equal(f->call(caller, 0.375, &one, held, &value), cr_ok);
  memcpy(held, kept, sizeof held);
  assert_int_equal(f->call(caller, 0.25, &two, held, &value), cr_ok); // what it says there is known
  assert_int_equal(f->call(caller, 0.375, &two, held, &value), cr_failNumerics);
  assert_non_null(strstr(f->explain(caller), "had to take its steps again, and does not do the same"));
  f->destroy(caller);
}

static void a_state_alone_is_not_enough(void** state)
{
  (void)state;
  writeModel("fmu.lua", TINY(""));
  crAssertSays("$carom run fmu.lua --no-report --stop 0.5 --allow-fmu --save-state at.json", 0, "Done");
  crAssertSays("$carom run fmu.lua --no-report --stop 1 --allow-fmu --start at.json", 3,
               "an FMU cannot go on from a state alone");
}

static int setUp(void** state)
{
  int status = crMakeTestFolder(state);
  char folder[1024];
  snprintf(folder, sizeof folder, "%s", crTestPath("."));
  setenv("TMPDIR", folder, 1);
  packWith(crTestPath("tiny.fmu"), DESCRIPTION, NULL);
  crAllowFmus(true);
  return status;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_fmu_gives_the_bits_of_the_same_function_in_lua),
    cmocka_unit_test(a_model_of_ours_as_an_fmu_follows_the_closed_form),
    cmocka_unit_test(json_says_the_same),
    cmocka_unit_test(a_run_that_is_saved_goes_on_with_the_same_bits),
    cmocka_unit_test(calls_with_earlier_states_go_back),
    cmocka_unit_test(threads_change_no_bit),
    cmocka_unit_test(without_leave_nothing_is_run),
    cmocka_unit_test(an_fmu_goes_neither_into_an_fmu_nor_into_a_page),
    cmocka_unit_test(a_run_that_was_left_goes_on_with_leave_alone),
    cmocka_unit_test(a_scene_is_looked_at_without_its_fmus),
    cmocka_unit_test(files_lie_where_a_model_may_read),
    cmocka_unit_test(names_that_an_fmu_does_not_have_are_told),
    cmocka_unit_test(descriptions_that_cannot_be_meant_are_told),
    cmocka_unit_test(damaged_archives_are_refused),
    cmocka_unit_test(archives_write_nothing_outside_and_need_their_binary),
    cmocka_unit_test(a_description_that_is_too_large_is_not_unpacked),
    cmocka_unit_test(an_archive_of_too_many_files_is_refused),
    cmocka_unit_test(bytes_that_do_not_fit_their_checksum_are_told),
    cmocka_unit_test(what_cannot_be_unpacked_is_told_with_the_reason),
    cmocka_unit_test(a_binary_that_is_none_of_this_standard_is_refused),
    cmocka_unit_test(an_fmu_that_needs_its_tool_is_warned_of),
    cmocka_unit_test(a_library_that_is_cut_off_is_refused),
    cmocka_unit_test(an_fmu_that_ends_the_process_is_told),
    cmocka_unit_test(an_fmu_that_has_changed_is_refused),
    cmocka_unit_test(what_an_fmu_says_is_told),
    cmocka_unit_test(warnings_are_counted_and_told_at_the_end),
    cmocka_unit_test(an_fmu_that_does_not_repeat_itself_is_told),
    cmocka_unit_test(a_state_alone_is_not_enough),
  };
  return cmocka_run_group_tests(tests, setUp, crRemoveTestFolder);
}
