// include() and require() in Lua models: parts beside the model are run in its sandbox, what is wrong with them is told
// by their file and line, and whatever makes a model again (resume, sweep) has their texts or notices that they
// changed.
#include "carom/io.h"
#include "support/command.h"
#include "support/folder.h"
#include "support/log.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void writeFile(const char* name, const char* text)
{
  crWriteTestFile(crTestPath(name), text, strlen(text));
}

static int setUp(void** state)
{
  crMakeTestFolder(state);
  assert_int_equal(mkdir(crTestPath("model"), 0777), 0);
  assert_int_equal(mkdir(crTestPath("model/inner"), 0777), 0);
  assert_int_equal(mkdir(crTestPath("outside"), 0777), 0);
  return 0;
}

// Reads model/m.lua with this text; NULL: it must be fine. Returns the scene, to be destroyed.
static crScene* readText(const char* text, const crReadOptions* options, crStatus expected, const char* message)
{
  writeFile("model/m.lua", text);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  assert_int_equal(crReadModel(crTestPath("model/m.lua"), options, NULL, &sink, &scene), expected);
  if (message == NULL) {
    assert_no_messages(log);
  } else {
    assert_message(log, cr_severityError, message);
  }
  crDestroyErrorLog(log);
  return scene;
}

static void assertFault(const char* text, crStatus expected, const char* message)
{
  crScene* scene = readText(text, NULL, expected, message);
  assert_null(scene);
}

static double readX(const crScene* scene, const char* path)
{
  for (int i = 0; i < crScene_Count(scene, cr_elementObject); ++i) {
    const crObjectDef* def = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, i));
    if (strcmp(def->name, path) == 0) {
      return def->position.x;
    }
  }
  fail_msg("there is no %s", path);
  return 0.0;
}

static void include_runs_a_file_each_time_and_gives_what_it_returns(void** state)
{
  (void)state;
  writeFile("model/part.lua", "count = (count or 0) + 1\n"
                              "object('o' .. count, { parent = w, position = { count ^ 3, 0, 0 } })\n"
                              "return count, 'two'\n");
  crScene* scene = readText("w = world('w')\nlocal a = include('part.lua')\nlocal b, c = include 'part.lua'\n"
                            "assert(a == 1 and b == 2 and c == 'two')\n",
                            NULL, cr_ok, NULL);
  assert_true(readX(scene, "o1") == 1.0 && readX(scene, "o2") == 8.0);
  assert_int_equal(crScene_CountSourceFiles(scene), 1);
  crSourceFile source = crScene_GetSourceFile(scene, 0);
  assert_string_equal(source.file, "part.lua");
  assert_true(strlen(source.text) == source.size && strncmp(source.text, "count = ", 8) == 0);
  assert_null(crScene_GetSourceFile(scene, 1).file);
  assert_null(crScene_GetSourceFile(scene, -1).file);
  assert_null(crScene_GetSourceFile(NULL, 0).file);
  assert_int_equal(crScene_CountSourceFiles(NULL), 0);
  const crObjectDef* def = crScene_GetObject(scene, crScene_GetId(scene, cr_elementObject, 2));
  assert_true(strstr(def->source.file, "model/part.lua") != NULL && def->source.line == 2);
  crDestroyScene(scene);
}

static void require_runs_a_file_once(void** state)
{
  (void)state;
  writeFile("model/inner/wheel.lua", "times = (times or 0) + 1\nreturn { radius = 0.25 }\n");
  writeFile("model/nothing.lua", "ran = (ran or 0) + 1\n");
  crScene* scene =
      readText("local wheel = require('inner.wheel')\n"
               "assert(wheel == require 'inner.wheel' and wheel.radius == 0.25 and times == 1)\n"
               "assert(require('nothing') == true and require('nothing') == true and ran == 1)\nworld('w')\n",
               NULL, cr_ok, NULL);
  assert_int_equal(crScene_CountSourceFiles(scene), 2);
  crDestroyScene(scene);
}

static void parts_include_parts_from_the_folder_of_the_model(void** state)
{
  (void)state;
  writeFile("model/inner/a.lua", "return include('inner/b.lua') + 1\n");
  writeFile("model/inner/b.lua", "#!shebang\nreturn 40\n");
  crDestroyScene(
      readText("assert(include('inner/a.lua') + include('./inner/b.lua') == 81)\nworld('w')\n", NULL, cr_ok, NULL));
}

static void assemblies_can_come_from_parts(void** state)
{
  (void)state;
  writeFile("model/arm.lua", "return function(name, x)\n  return assembly(name, { x = x }, function(p)\n"
                             "    object('tip', { parent = 'w', position = { p.x, 0, 0 } })\n  end)\nend\n");
  crScene* scene =
      readText("world('w')\nlocal arm = require('arm')\narm('left', 1)\narm('right', 2)\n", NULL, cr_ok, NULL);
  assert_true(readX(scene, "left.tip") == 1.0 && readX(scene, "right.tip") == 2.0);
  crDestroyScene(scene);
}

static void faults_are_told_by_file_and_line(void** state)
{
  (void)state;
  writeFile("model/syntax.lua", "local a = 1\nlocal = 2\n");
  assertFault("\ninclude('syntax.lua')", cr_errorModel, "model/syntax.lua:2: error: <name> expected near '='");
  writeFile("model/fault.lua", "\n\nerror('too bad')\n");
  assertFault("world('w')\ninclude('fault.lua')", cr_errorModel, "model/fault.lua:3: error: too bad");
  assertFault("world('w')\ninclude('fault.lua')", cr_errorModel, "/model/m.lua:2");
  writeFile("model/wrong.lua", "\nobject('o', { mas = 1 })\n");
  crScene* scene = readText("world('w')\ninclude('wrong.lua')\n", NULL, cr_errorModel, "model/wrong.lua:2: error: o");
  crDestroyScene(scene);
  writeFile("model/call.lua", "shpere{ radius = 1 }\n");
  assertFault("include('call.lua')", cr_errorModel, "did you mean 'sphere'?");
}

static void names_that_are_of_no_use_are_refused(void** state)
{
  (void)state;
  assertFault("include()", cr_errorModel, "m.lua:1: error: include takes the name of a file and nothing else");
  assertFault("include(1)", cr_errorModel, "include takes the name of a file and nothing else");
  assertFault("include('')", cr_errorModel, "include takes the name of a file and nothing else");
  assertFault("include('a.lua', 1)", cr_errorModel, "include takes the name of a file and nothing else");
  assertFault("include('a\\0b.lua')", cr_errorModel, "include takes the name of a file and nothing else");
  assertFault("\ninclude('none.lua')", cr_errorModel, "m.lua:2: error: ");
  assertFault("include('none.lua')", cr_errorModel, "none.lua': No such file");
  assertFault("include('inner')", cr_errorModel, "inner': Is a directory");
  assertFault("require()", cr_errorModel, "require takes the name of a module and nothing else");
  assertFault("require('part.lua')", cr_errorModel, "without '.lua'");
  assertFault("require('../part')", cr_errorModel, "require takes names like 'part' or 'folder.part', not '../part'");
  assertFault("require('/etc/part')", cr_errorModel, "require takes names like 'part'");
  assertFault("require('none')", cr_errorModel, "none.lua': No such file");
  assertFault("include(('x'):rep(5000))", cr_errorModel, "the name of the file is too long");
  assertFault("require(('x'):rep(5000))", cr_errorModel, "require takes names like");
}

#define OUTSIDE "lies outside the model's folder (--allow-path DIR lets models read files there)"

static void files_elsewhere_need_leave(void** state)
{
  (void)state;
  writeFile("outside/far.lua", "world('far')\n");
  assert_int_equal(symlink("../outside/far.lua", crTestPath("model/link.lua")), 0);
  assertFault("include('../outside/far.lua')", cr_errorModel, "'../outside/far.lua' " OUTSIDE);
  assertFault("include('link.lua')", cr_errorModel, "'link.lua' " OUTSIDE);
  assertFault("include('/etc/passwd')", cr_errorModel, "'/etc/passwd' " OUTSIDE);
  assertFault("include('../outside/none.lua')", cr_errorModel, OUTSIDE); // whether it is there is not told
  crReadOptions options = { .size = sizeof options, .allowedPath = crTestPath("outside") };
  crDestroyScene(readText("include('../outside/far.lua')", &options, cr_ok, NULL));
  crDestroyScene(readText("include('link.lua')", &options, cr_ok, NULL));
  crAssertSays("$carom check model/m.lua --allow-path outside", 0, "ok, 0 errors");
}

static void circles_are_named(void** state)
{
  (void)state;
  writeFile("model/a.lua", "include('b.lua')\n");
  writeFile("model/b.lua", "\ninclude('./a.lua')\n");
  assertFault("include('a.lua')", cr_errorModel, "model/b.lua:2: error: files include each other in a circle: ");
  assertFault("include('a.lua')", cr_errorModel, "model/a.lua, which includes ");
  assertFault("include('a.lua')", cr_errorModel, "model/b.lua, which includes ");
  assertFault("include('m.lua')", cr_errorModel, "model/m.lua, which includes ");
  writeFile("model/r.lua", "return require('r')\n");
  assertFault("require('r')", cr_errorModel, "files include each other in a circle");
  for (int i = 0; i < 60; ++i) {
    char name[32], text[64];
    snprintf(name, sizeof name, "model/deep%d.lua", i);
    snprintf(text, sizeof text, "include('deep%d.lua')\n", i + 1);
    writeFile(name, text);
  }
  assertFault("include('deep0.lua')", cr_errorModel,
              "model/deep49.lua:1: error: files include each other more than 50 deep");
  // what is nested too deep in a file is a fault of that file, not of the line that includes it
  char nested[700] = "\n\nlocal t =\n  ";
  size_t size = strlen(nested);
  memset(nested + size, '{', 300);
  memset(nested + size + 300, '}', 300);
  nested[size + 600] = '\0';
  writeFile("model/nested.lua", nested);
  assertFault("\ninclude('nested.lua')", cr_errorModel,
              "model/nested.lua:4: error: blocks or expressions are nested too deep");
}

static void limits_of_the_sandbox_hold_in_parts(void** state)
{
  (void)state;
  crReadOptions options = { .size = sizeof options, .instructionLimit = 100000 };
  writeFile("model/endless.lua", "\nwhile true do end\n");
  assert_null(readText("include('endless.lua')", &options, cr_errorLimit,
                       "model/endless.lua:2: error: the model runs for too long"));
  writeFile("model/short.lua", "");
  assert_null(
      readText("while true do include('short.lua') end", &options, cr_errorLimit, "the model runs for too long"));
  crReadOptions small = { .size = sizeof small, .memoryLimit = 200000, .fileLimit = 1000000 };
  writeFile("model/large.lua", "\nlocal t = {}\nfor i = 1, 1e6 do t[i] = i end\n");
  assert_null(readText("include('large.lua')", &small, cr_errorLimit,
                       "model/large.lua:3: error: the model needs too much memory"));
  static char text[300000];
  memset(text, ' ', sizeof text - 1);
  writeFile("model/long.lua", text);
  assert_null(
      readText("include('long.lua')", &small, cr_errorLimit, "m.lua:1: error: the model needs too much memory"));
  small.fileLimit = 1000;
  assert_null(readText("include('long.lua')", &small, cr_errorModel, "is too large"));
}

static void compiled_code_and_the_world_outside_stay_out(void** state)
{
  (void)state;
  writeFile("model/binary.lua", "\x1bLua nonsense");
  assertFault("include('binary.lua')", cr_errorModel,
              "is compiled Lua (bytecode), which could break out of the sandbox");
  writeFile("model/escape.lua",
            "assert(io == nil and os == nil and package == nil and debug == nil and load == nil and pcall == nil)\n");
  crDestroyScene(readText("include('escape.lua')\nworld('w')", NULL, cr_ok, NULL));
}

// What an FMU does: the texts come from memory, whatever the disk has.
static void texts_that_are_given_are_not_read(void** state)
{
  (void)state;
  writeFile("model/part.lua", "error('not this one')\n");
  static const char text[] = "world('given')\n";
  crSourceFile sources[] = { { "part.lua", text, sizeof text - 1 }, { "/no/where.lua", "", 0 } };
  crReadOptions options = { .size = sizeof options, .sources = sources, .sourceCount = 2 };
  crScene* scene = readText("include('part.lua')\ninclude('/no/where.lua')", &options, cr_ok, NULL);
  assert_int_equal(crScene_CountSourceFiles(scene), 2);
  crDestroyScene(scene);
  options.sources = NULL;
  scene = NULL;
  assert_int_equal(crReadModel(crTestPath("model/m.lua"), &options, NULL, NULL, &scene), cr_errorMisuse);
}

static const char pendulum[] = "local arm = require('arm')\nworld('w')\nlocal rod = object('rod')\n"
                               "object('bob', { parent = rod, position = { 0, 0, -arm.length }, solid{ shape = sphere{ "
                               "radius = 0.1 }, mass = 1 } })\n"
                               "revolute('hinge', 'w', rod, { axis = 'y', start = 0.3 })\n"
                               "scene{ stopTime = 20, interval = 0.01 }\n";

// A run that goes on with another arm would be wrong, though its file is the same.
static void a_resumed_run_keeps_the_parts_it_began_with(void** state)
{
  (void)state;
  writeFile("pendulum.lua", pendulum);
  writeFile("arm.lua", "return { length = 1 }\n");
  crAssertSays("$carom run pendulum.lua --quiet --no-report --out calm.run", 0, "");
  crCallCommand("leave pendulum.lua --no-report --quiet --checkpoint 0");
  writeFile("arm.lua", "return { length = 2 }\n");
  crAssertSays("$carom resume left.run --quiet --no-report", 0, "");
  crAssertSays("$carom convert calm.run calm.csv && $carom convert left.run left.csv && cmp calm.csv left.csv", 0, "");
}

static void a_sweep_goes_on_with_the_parts_it_began_with_alone(void** state)
{
  (void)state;
  writeFile("swing.lua",
            "local p = parameters{ angle = 0.3 }\nlocal arm = require('arm')\nworld('w')\nlocal rod = object('rod')\n"
            "object('bob', { parent = rod, position = { 0, 0, -arm.length }, solid{ shape = sphere{ radius = 0.1 }, "
            "mass = 1 } })\nrevolute('hinge', 'w', rod, { axis = 'y', start = p.angle })\n");
  writeFile("arm.lua", "return { length = 1 }\n");
  crAssertSays("$carom sweep swing.lua --vary angle=0.1:0.3:3 --output 'last(hinge.angle)' --stop 1 --quiet --threads "
               "1 -o s.sweep",
               0, "");
  writeFile("arm.lua", "return { length = 1 } -- a word more\n");
  crAssertSays("$carom sweep swing.lua --vary angle=0.1:0.3:3 --output 'last(hinge.angle)' --stop 1 --quiet --threads "
               "1 -o s.sweep",
               1, "another");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(include_runs_a_file_each_time_and_gives_what_it_returns),
    cmocka_unit_test(require_runs_a_file_once),
    cmocka_unit_test(parts_include_parts_from_the_folder_of_the_model),
    cmocka_unit_test(assemblies_can_come_from_parts),
    cmocka_unit_test(faults_are_told_by_file_and_line),
    cmocka_unit_test(names_that_are_of_no_use_are_refused),
    cmocka_unit_test(files_elsewhere_need_leave),
    cmocka_unit_test(circles_are_named),
    cmocka_unit_test(limits_of_the_sandbox_hold_in_parts),
    cmocka_unit_test(compiled_code_and_the_world_outside_stay_out),
    cmocka_unit_test(texts_that_are_given_are_not_read),
    cmocka_unit_test(a_resumed_run_keeps_the_parts_it_began_with),
    cmocka_unit_test(a_sweep_goes_on_with_the_parts_it_began_with_alone),
  };
  return cmocka_run_group_tests(tests, setUp, crRemoveTestFolder);
}
