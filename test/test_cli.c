// The tool as a user meets it: verbs, help, messages, exit codes.
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Run {
  int exitCode;
  char out[1 << 16]; // standard output and standard error
} Run;

// Runs the tool in the folder of the tests.
static void run(Run* run, const char* arguments)
{
  char command[4096];
  snprintf(command, sizeof command, "cd '%s' && { '%s' %s; } 2>&1", CAROM_ROOT, CAROM_TOOL, arguments);
  FILE* pipe = popen(command, "r");
  assert_non_null(pipe);
  size_t size = fread(run->out, 1, sizeof run->out - 1, pipe);
  run->out[size] = '\0';
  int status = pclose(pipe);
  assert_true(WIFEXITED(status));
  run->exitCode = WEXITSTATUS(status);
}

static void assertSays(const char* arguments, int exitCode, const char* part)
{
  static Run one;
  run(&one, arguments);
  if (one.exitCode != exitCode || strstr(one.out, part) == NULL) {
    print_error("carom %s: exit %d, expected %d and '%s' in:\n%s\n", arguments, one.exitCode, exitCode, part, one.out);
    fail();
  }
}

static void writeModel(const char* path, const char* text)
{
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void help_is_there_for_everything(void** state)
{
  (void)state;
  assertSays("--help", 0, "usage: carom VERB");
  assertSays("help", 0, "usage: carom VERB");
  assertSays("--version", 0, "carom 0.");
  const char* verbs[] = { "run", "resume", "check", "info", "plot", "view", "convert", "distance", "schema" };
  for (int i = 0; i < 9; ++i) {
    char arguments[64], usage[64];
    snprintf(usage, sizeof usage, "usage: carom %s", verbs[i]);
    snprintf(arguments, sizeof arguments, "help %s", verbs[i]);
    assertSays(arguments, 0, usage);
    snprintf(arguments, sizeof arguments, "%s --help", verbs[i]);
    assertSays(arguments, 0, usage);
  }
}

static void wrong_usage_exits_with_2_and_points_to_help(void** state)
{
  (void)state;
  assertSays("", 2, "usage: carom VERB");
  assertSays("chekc x", 2, "there is no verb 'chekc'\ntry: carom help");
  assertSays("help nothing", 2, "there is no verb 'nothing'");
  assertSays("check", 2, "the model is missing\ntry: carom help check");
  assertSays("check a.lua b.lua", 2, "one argument too many: 'b.lua'");
  assertSays("check --wrong a.lua", 2, "unknown option '--wrong'");
  assertSays("check a.lua --set", 2, "--set needs a value");
  assertSays("check a.lua --set x", 2, "--set needs name=value, not 'x'");
  assertSays("info examples/pendulum.lua --dump nothing", 2,
             "there is no pass 'nothing': resolve, signals, check, weld");
  assertSays("convert examples/pendulum.lua out.txt", 2, "the output is .json");
  assertSays("convert examples/pendulum.lua", 2, "the output file is missing");
  assertSays("convert examples/pendulum.lua out.json --contacts", 2, "--contacts is for results, not for models");
  assertSays("convert examples/pendulum.lua out.json --samples", 2, "--samples is for results, not for models");
  assertSays("convert result.h5 out.csv --samples --contacts", 2, "two tables: ask for one");
  assertSays("convert result.h5 out.mat --samples", 2, "contacts are written as .csv");
  assertSays("play a.lua -o a.lua", 2, "cannot write 'a.lua': a page ends in .html");
  assertSays("view", 2, "the result is missing\ntry: carom help view");
  assertSays("view a.h5 b.h5", 1, "a.h5: error: the result file cannot be opened");
  assertSays("view a.h5 -o a.txt", 2, "cannot write 'a.txt'");
  assertSays("view a.h5 --wrong", 2, "unknown option '--wrong'");
  assertSays("view no_such.h5", 1, "No such file or directory");
  assertSays("convert result.h5 out.mat --contacts", 2, "contacts are written as .csv");
}

static void check_shows_all_errors_with_their_lines(void** state)
{
  (void)state;
  char path[] = "/tmp/carom test XXXXXX.lua", arguments[128];
  int handle = mkstemps(path, 4);
  assert_true(handle >= 0);
  close(handle);
  writeModel(path, "world('w')\n"
                   "object('a', { parent = 'v', solid{ shape = sphere{ radius = -1 } } })\n"
                   "revolute('j', 'w', 'nobody')\n"
                   "object('b', { solid{ shape = sphere{ radus = 1 }, material = 'Steel' } })\n");
  snprintf(arguments, sizeof arguments, "check '%s'", path);
  static Run one;
  run(&one, arguments);
  assert_int_equal(one.exitCode, 1);
  const char* parts[] = { "lua:2: error: a.solid1: radius must be positive",
                          "lua:3: error: j: ",
                          "nobody",
                          "lua:4: error: b: solid1.shape.radus: a sphere has no such field",
                          "did you mean 'radius'?",
                          "not ok, 4 errors" };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    if (strstr(one.out, parts[i]) == NULL) {
      print_error("'%s' is not in:\n%s\n", parts[i], one.out);
      fail();
    }
  }
  assert_null(strstr(one.out, "\x1b")); // no colours in a pipe
  unlink(path);
  assertSays("check /nowhere/x.lua", 1, "/nowhere/x.lua");
  assertSays("check examples", 1, "examples");
  assertSays("check README.md", 1, "README.md");
}

static void unknown_settings_end_every_verb(void** state)
{
  (void)state;
  static const char* const verbs[] = { "check", "info", "run" };
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; ++i) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "%s examples/billiards.lua --set spede=3", verbs[i]);
    assertSays(arguments, 1, "spede: this was set, but the model has no such parameter\n  hint: did you mean 'speed'?");
  }
}

static void check_lists_pairs_that_a_joint_excludes(void** state)
{
  (void)state;
  char path[] = "/tmp/caromXXXXXX.lua", arguments[128];
  int handle = mkstemps(path, 4);
  close(handle);
  writeModel(path,
             "local w = world('w', { solid{ shape = box{ size = { 1, 1, 1 } }, contact = 'Steel' } })\n"
             "local a = object('a', { solid{ shape = sphere{ radius = 1 }, material = 'Steel', contact = 'Steel' } })\n"
             "revolute('j', w, a)\n");
  snprintf(arguments, sizeof arguments, "check %s", path);
  assertSays(arguments, 0, "w - a  by joint j\n");
  assertSays(arguments, 0, "ok, 0 errors, 0 warnings");
  snprintf(arguments, sizeof arguments, "check %s --json", path);
  assertSays(arguments, 0, "\"ok\": true");
  snprintf(arguments, sizeof arguments, "check %s --set speed=3", path);
  assertSays(arguments, 1, "speed");
  assertSays(arguments, 1, "1 error");
  unlink(path);
}

static void check_finds_overlaps_at_the_start(void** state)
{
  (void)state;
  char path[] = "/tmp/caromXXXXXX.lua", arguments[128];
  int handle = mkstemps(path, 4);
  close(handle);
  writeModel(path, "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                   "local function ball(name, x, z)\n"
                   "  object(name, { parent = 'w', position = { x, 0, z }, free = true,\n"
                   "    solid{ shape = sphere{ radius = 0.5 }, material = 'Steel', contact = 'Steel' } })\n"
                   "end\n"
                   "ball('a', 0, 0.5) ball('b', 0.75, 0.5) ball('c', 5, 0.4999)\n");
  snprintf(arguments, sizeof arguments, "check %s", path);
  assertSays(arguments, 1, "error: a: at 0 s the contact with 'b' is too deep to start with\n  found 0.25 m");
  assertSays(arguments, 1, "1 error, 0 warnings\n"); // resting on the ground, or a little in it, is fine
  unlink(path);
}

static void info_shows_what_a_model_consists_of(void** state)
{
  (void)state;
  assertSays("info examples/billiards.lua", 0, "208 states");
  assertSays("info examples/pendulum.lua", 0,
             "  length                  0.8 m             0.1 .. 10         of the rod\n");
  assertSays("info examples/pendulum.lua --json", 0, "\"label\": \"of the rod\"");
  assertSays("info examples/billiards.lua", 0, "200 pairs that can meet");
  assertSays("info examples/super_objects.lua", 0, "in 6 super-objects");
  assertSays("info examples/super_objects.lua", 0, "super-objects 3 2 4 6, cut at joint joint5");
  assertSays(
      "info examples/super_objects.lua --dump needs", 0,
      "super-object 3\n  collision    obj5\n  mass         obj4 obj5\n  force        obj4 obj5\n  visual       -\n");
  assertSays("info examples/super_objects.lua --dump needs", 0,
             "super-object 6\n  collision    obj14\n  mass         obj12 obj14\n  force        obj12 obj13 obj14\n");
  assertSays("info examples/super_objects.lua --dump needs", 0, "visual       obj10\n");
  assertSays("info examples/super_objects.lua --dump needs", 0,
             "force        obj2 obj3\n  visual       -\n  no collision 3 4 5\n");
  assertSays("info examples/super_objects.lua --dump needs", 0, "force elements spring (obj11, obj8)\n");
  assertSays("info examples/super_objects.lua --dump needs", 0, "cut joint joint5 between super-objects 3 and 6\n");
  assertSays("info examples/super_objects.lua --dump weld", 0, "obj");
  assertSays("info examples/four_bar.lua", 0, "13 objects in 4 super-objects (the world included), 2 trees");
  assertSays("info examples/mobile.lua", 0, "94 joints");
  assertSays("info examples/four_bar.lua --json --dump cut", 2, "--json and --dump do not go together");
  assertSays("info examples/four_bar.lua", 0, "cut at joint");
  assertSays("info examples/four_bar.lua --json", 0, "\"superObjects\": 4");
  assertSays("info examples/robot_arm.lua --json", 0, "robot.arm");
  const char* passes[] = { "resolve", "check", "weld", "lump", "order", "cut", "pairs", "needs", "variables", "pack" };
  for (int i = 0; i < 10; ++i) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "info examples/four_bar.lua --dump %s", passes[i]);
    assertSays(arguments, 0, "\n");
  }
}

// Whatever the size of the output, lost bytes are told.
static void a_full_disk_is_reported(void** state)
{
  (void)state;
  const char* commands[] = { "--help > /dev/full",
                             "--version > /dev/full",
                             "help check > /dev/full",
                             "convert examples/pendulum.lua - > /dev/full",
                             "convert examples/mobile.lua - > /dev/full",
                             "info examples/mobile.lua --all > /dev/full",
                             "info examples/mobile.lua --json > /dev/full",
                             "info examples/mobile.lua --dump variables > /dev/full" };
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
    assertSays(commands[i], 1, "carom: cannot write the output: No space left on device");
  }
  assertSays("info examples/mobile.lua --all | head -1", 0, "examples/mobile.lua");
}

static void names_cannot_command_the_terminal(void** state)
{
  (void)state;
  char path[] = "/tmp/caromXXXXXX.lua", arguments[128];
  int handle = mkstemps(path, 4);
  close(handle);
  writeModel(
      path, "world('w') object('a\\u{9b}2J', {}) object('b\\27[2J', {}) object('ok \\u{e4}', { parent = 'w\\27[1m' })");
  snprintf(arguments, sizeof arguments, "check %s", path);
  static Run one;
  run(&one, arguments);
  assert_int_equal(one.exitCode, 1);
  assert_null(strchr(one.out, 27));
  assert_null(strstr(one.out, "\xc2\x9b"));
  assert_non_null(strstr(one.out, "ok \xc3\xa4: parent is unknown"));
  unlink(path);
}

static void numbers_beyond_the_range_are_refused(void** state)
{
  (void)state;
  char path[] = "/tmp/caromXXXXXX.lua", arguments[128];
  int handle = mkstemps(path, 4);
  close(handle);
  writeModel(path, "world('w')\n"
                   "object('a', { parent = 'w', free = true, mass{ mass = 1e308, inertia = { 1, 1, 1 } },\n"
                   "  mass{ mass = 1e308, inertia = { 1, 1, 1 } } })\n"
                   "object('b', { parent = 'w', position = { 1e308, 0, 0 } })\n"
                   "object('c', { parent = 'b', position = { 1e308, 0, 0 }, free = true, mass{ mass = 1 } })\n");
  snprintf(arguments, sizeof arguments, "check %s", path);
  assertSays(arguments, 1, "the mass or inertia of 'a' is not finite");
  assertSays(arguments, 1, "'c' turns freely, but has no inertia about some axis");
  unlink(path);
}

static void convert_gives_the_same_model(void** state)
{
  (void)state;
  char folder[] = "/tmp/carom-convert-XXXXXX", arguments[512], command[512];
  assert_non_null(mkdtemp(folder));
  snprintf(arguments, sizeof arguments, "convert examples/robot_arm.lua %s/a.json", folder);
  assertSays(arguments, 0, "");
  snprintf(arguments, sizeof arguments, "convert %s/a.json %s/b.json", folder, folder);
  assertSays(arguments, 0, "");
  snprintf(command, sizeof command, "cmp %s/a.json %s/b.json", folder, folder);
  assert_int_equal(system(command), 0);
  snprintf(
      command, sizeof command,
      "cd '%s' && '%s' info examples/robot_arm.lua | tail -n +2 > %s/1 && '%s' info %s/a.json | tail -n +2 > %s/2 && "
      "cmp %s/1 %s/2",
      CAROM_ROOT, CAROM_TOOL, folder, CAROM_TOOL, folder, folder, folder, folder);
  assert_int_equal(system(command), 0);
  snprintf(arguments, sizeof arguments, "convert examples/pendulum.lua %s/no/such/x.json", folder);
  assertSays(arguments, 1, "/no/such/x.json");
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  assertSays("convert examples/pendulum.lua -", 0, "\"carom\": 1");
}

// A run, and everything that can be done with what it leaves.
static void results_are_shown_plotted_and_converted(void** state)
{
  (void)state;
  char folder[] = "/tmp/carom-run-XXXXXX", arguments[512], command[512];
  assert_non_null(mkdtemp(folder));
  snprintf(arguments, sizeof arguments, "run examples/pendulum.lua --stop 2 --interval 0.01 --out %s", folder);
  assertSays(arguments, 0, "201 rows of ");
  assertSays(arguments, 0, "work 0 J, dissipated 0 J; unexplained "); // also where nothing was dissipated
  snprintf(arguments, sizeof arguments, "info %s/result.h5 --all", folder);
  assertSays(arguments, 0, "pivot.angle");
  assertSays(arguments, 0, "energy.dissipated");
  assertSays(arguments, 0, "time 0 s to 2 s");
  snprintf(arguments, sizeof arguments, "plot %s energy.kinetic", folder);
  assertSays(arguments, 0, "energy.kinetic");
  // the folder of a run stands for its result, with a slash behind it or not
  snprintf(arguments, sizeof arguments, "info %s", folder);
  assertSays(arguments, 0, "time 0 s to 2 s");
  snprintf(arguments, sizeof arguments, "plot %s/ 'pivot.*'", folder);
  assertSays(arguments, 0, "time [s]");
  snprintf(arguments, sizeof arguments, "convert %s %s/folder.mat", folder, folder);
  assertSays(arguments, 0, "");
  snprintf(arguments, sizeof arguments, "view %s", folder);
  assertSays(arguments, 0, "/report.html");
  snprintf(arguments, sizeof arguments, "view %s/ -o %s/scene.glb", folder, folder);
  assertSays(arguments, 0, "scene.glb");
  snprintf(command, sizeof command, "test -s %s/folder.mat && test -s %s/report.html && test -s %s/scene.glb", folder,
           folder, folder);
  assert_int_equal(system(command), 0);
  assertSays("info examples", 1, "examples/result.h5");
  snprintf(arguments, sizeof arguments, "plot %s/result.h5 'pivot.*'", folder);
  assertSays(arguments, 0, "pivot.angle");
  assertSays(arguments, 0, "time [s]");
  snprintf(arguments, sizeof arguments, "plot %s/result.h5 'pivto.angle'", folder);
  assertSays(arguments, 1, "pivot.angle");
  snprintf(arguments, sizeof arguments, "plot %s/result.h5 pivot.angle -o %s/plot.svg", folder, folder);
  assertSays(arguments, 0, "");
  snprintf(arguments, sizeof arguments, "convert %s/result.h5 %s/result.csv", folder, folder);
  assertSays(arguments, 0, "");
  snprintf(
      command, sizeof command,
      "grep -q '<svg' %s/plot.svg && test $(wc -l < %s/result.csv) = 202 && "
      "head -1 %s/result.csv | grep -q 'time \\[s\\].*pivot.angle \\[rad\\]' && grep -q '\"exit\": \"ok\"' %s/run.json",
      folder, folder, folder, folder);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  assertSays("info examples/bricard.lua", 0, "1 degree of freedom, 0 by Gruebler's count");
  assertSays("info examples/bricard.lua --json", 0, "\"gruebler\": 0");
  assertSays("info README.md.h5", 1, "README.md.h5");
  snprintf(command, sizeof command, "run examples/billiards.lua --stop 0.2 --out %s", folder);
  assertSays(command, 0, "contacts 16 began");
  snprintf(command, sizeof command, "run examples/billiards.lua --stop 0.2 --no-contact --out %s", folder);
  assertSays(command, 0, "Done at 0.2 s");
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  bool hasSundials = crTestHasSolver(cr_solverIda);
  assertSays("run examples/pendulum.lua --solver erk5", 2, "there is no solver 'erk5': auto, ");
  assertSays("run examples/pendulum.lua --solver nothing", 2, "dopri5, dop853, radau5");
  assertSays("run examples/pendulum.lua --solver ida --stop 0.1 --no-report --out /tmp/carom_cli_ida",
             hasSundials ? 0 : 2,
             hasSundials ? "solver   ida" : "this build has no SUNDIALS, so no 'ida': auto, dopri5");
  assertSays("run examples/pendulum.lua --tol -1", 2, "--tol needs a positive number, not '-1'");
  assertSays("run examples/pendulum.lua --tol 1e-5,1e-7 --start s.json", 2, "--start does not go with several");
  assertSays("run examples/pendulum.lua --tol 1e-5,1e-7 --save-state s.json", 2,
             "--save-state does not go with several");
  static const char* const others[] = { "--start s.json", "--input a=1", "--session s.json", "--no-report",
                                        "--tol 1e-5,1e-7" };
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    snprintf(arguments, sizeof arguments, "run examples/pendulum.lua --interactive %s", others[i]);
    assertSays(arguments, 2, "--interactive does not go with ");
  }
  assertSays("run examples/pendulum.lua --tol 1e-5,1e-7 --checkpoint 0", 2, "--checkpoint does not go with several");
  assertSays("run examples/pendulum.lua --tol 1e-5,1e-7", 0, "(reference)");
}

// Nothing told that more than half was not recorded, and what drives the model was not among the rest.
static void large_models_tell_what_they_record(void** state)
{
  (void)state;
  char path[] = "/tmp/caromXXXXXX.lua", folder[] = "/tmp/carom-large-XXXXXX", arguments[512];
  close(mkstemps(path, 4));
  assert_non_null(mkdtemp(folder));
  writeModel(path, "local w = world('w')\n"
                   "for i = 1, 200 do\n"
                   "  object('arm' .. i, { mass{ mass = 1, com = { 0, 0, -1 }, inertia = { 1, 1, 1 } } })\n"
                   "  revolute('hinge' .. i, w, 'arm' .. i, { axis = 'y', start = 0.1 })\n"
                   "end\n"
                   "object('crank', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                   "revolute('motor', w, 'crank', { motion = sine('swing', { amplitude = 1, frequency = 1 }) })\n"
                   "object('cart', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                   "prismatic('track', w, 'cart', { force = 'swing' })\n");
  // objects, hinges, the motor and the track with what they exert, the signal, energies
  int all = 203 * 13 + 200 * 2 + 3 + 3 + 1 + 6, some = 200 * 2 + 3 + 3 + 6;
  char expected[128];
  snprintf(arguments, sizeof arguments, "run %s --stop 0.1 --interval 0.05 --no-report --out %s", path, folder);
  snprintf(expected, sizeof expected, "3 rows of %d variables, out of %d; --record '**' records all\n", some, all);
  assertSays(arguments, 0, expected);
  snprintf(arguments, sizeof arguments, "info %s --all --json", folder);
  static const char* const kept[] = { "\"motor.angle\"", "\"motor.rate\"",  "\"motor.torque\"", "\"track.position\"",
                                      "\"track.force\"", "\"energy.work\"", "\"hinge200.rate\"" };
  static Run info;
  run(&info, arguments);
  for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i) {
    assert_non_null(strstr(info.out, kept[i]));
  }
  assert_null(strstr(info.out, "\"arm1.position.x\""));
  snprintf(arguments, sizeof arguments, "run %s --stop 0.1 --interval 0.05 --no-report --json --out %s", path, folder);
  snprintf(expected, sizeof expected, "\"recorded\": {\n    \"variables\": %d,\n    \"of\": %d\n", some, all);
  assertSays(arguments, 0, expected);
  snprintf(arguments, sizeof arguments, "run %s --stop 0.1 --interval 0.05 --no-report --record '**' --out %s", path,
           folder);
  snprintf(expected, sizeof expected, "3 rows of %d variables\n", all);
  assertSays(arguments, 0, expected);
  snprintf(arguments, sizeof arguments, "rm -r %s %s", folder, path);
  assert_int_equal(system(arguments), 0);
}

static long numberBehind(const char* text, const char* words)
{
  const char* place = strstr(text, words);
  assert_non_null(place);
  return strtol(place + strlen(words), NULL, 10);
}

// The summary counted what had begun, info had no events, and plots marked none. In the dominoes a slow contact begins
// at the time at which another of its touch ends: it was told first.
static void summary_info_and_tables_agree_on_contacts(void** state)
{
  (void)state;
  static const char* const models[] = { "bouncing_ball.lua", "billiards.lua", "newtons_cradle.lua",
                                        "dominoes.lua --stop 1.2" };
  char folder[] = "/tmp/carom-contacts-XXXXXX", arguments[512];
  static Run summary, info, table;
  assert_non_null(mkdtemp(folder));
  for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
    snprintf(arguments, sizeof arguments, "run examples/%s --no-report --out %s", models[i], folder);
    run(&summary, arguments);
    snprintf(arguments, sizeof arguments, "info %s --json | grep -E '\"contacts\": [0-9]'", folder);
    run(&info, arguments);
    snprintf(arguments, sizeof arguments, "convert %s %s/c.csv --contacts && grep -c '^[0-9]' %s/c.csv", folder, folder,
             folder);
    run(&table, arguments);
    long count = numberBehind(summary.out, "  contacts "), events = numberBehind(summary.out, "began; ");
    assert_true(count > 0 && events > 0);
    assert_int_equal(numberBehind(info.out, "\"contacts\": "), count);
    assert_int_equal(strtol(table.out, NULL, 10), count);
    char line[64];
    snprintf(line, sizeof line, "%ld contacts, %ld events", count, events);
    snprintf(arguments, sizeof arguments, "info %s", folder);
    assertSays(arguments, 0, line);
  }
  snprintf(arguments, sizeof arguments, "plot %s energy.kinetic --events -o %s/e.svg && grep -c dasharray %s/e.svg",
           folder, folder, folder);
  run(&table, arguments);
  assert_true(strtol(table.out, NULL, 10) > 10);
  snprintf(arguments, sizeof arguments, "rm -r %s", folder);
  assert_int_equal(system(arguments), 0);
}

static void islands_and_threads_are_options_of_run(void** state)
{
  (void)state;
  assertSays("run examples/two_balls.lua --islands maybe", 2,
             "--islands is on or off, not 'maybe'\ntry: carom help run");
  assertSays("run examples/two_balls.lua --islands", 2, "--islands needs a value");
  const char* wrong[] = { "0", "65", "-1", "two", "2x", "''", "1e1" };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char arguments[96];
    snprintf(arguments, sizeof arguments, "run examples/two_balls.lua --threads %s", wrong[i]);
    assertSays(arguments, 2, "--threads needs a number from 1 to 64, not '");
  }
  const char* model = "run examples/two_balls.lua --stop 0.1 --no-report --json --out /tmp/carom_cli_islands";
  static Run on, off;
  char arguments[256];
  snprintf(arguments, sizeof arguments, "%s --threads 3; cat /tmp/carom_cli_islands/run.json", model);
  run(&on, arguments);
  snprintf(arguments, sizeof arguments, "%s --islands off; cat /tmp/carom_cli_islands/run.json", model);
  run(&off, arguments);
  assert_int_equal(on.exitCode, 0);
  assert_int_equal(off.exitCode, 0);
  const char* parts[] = { "\"used\": true", "\"count\": 2", "\"merged\": 0", "\"parted\": 1", "\"distances\": " };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    assert_non_null(strstr(on.out, parts[i]));
    assert_null(strstr(off.out, parts[i]));
  }
  assert_non_null(strstr(on.out, "\"threads\": 3"));
  assert_non_null(strstr(off.out, "\"used\": false"));
  assert_non_null(strstr(off.out, "they were switched off"));
  assertSays("run examples/pendulum.lua --stop 0.1 --no-report --json --out /tmp/carom_cli_islands", 0,
             "nothing can touch");
  assertSays("run examples/two_balls.lua --solver dopri5 --stop 0.1 --no-report --json --out /tmp/carom_cli_islands", 0,
             "\"used\": true");
  assert_int_equal(system("rm -r /tmp/carom_cli_islands"), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(large_models_tell_what_they_record),
    cmocka_unit_test(summary_info_and_tables_agree_on_contacts),
    cmocka_unit_test(islands_and_threads_are_options_of_run),
    cmocka_unit_test(help_is_there_for_everything),
    cmocka_unit_test(wrong_usage_exits_with_2_and_points_to_help),
    cmocka_unit_test(check_shows_all_errors_with_their_lines),
    cmocka_unit_test(unknown_settings_end_every_verb),
    cmocka_unit_test(check_lists_pairs_that_a_joint_excludes),
    cmocka_unit_test(check_finds_overlaps_at_the_start),
    cmocka_unit_test(info_shows_what_a_model_consists_of),
    cmocka_unit_test(a_full_disk_is_reported),
    cmocka_unit_test(names_cannot_command_the_terminal),
    cmocka_unit_test(numbers_beyond_the_range_are_refused),
    cmocka_unit_test(convert_gives_the_same_model),
    cmocka_unit_test(results_are_shown_plotted_and_converted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
