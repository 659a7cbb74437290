// Wrong usage of the tool's verbs: each mistake has its message, and exit code 2.
#include "support/command.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

// A pendulum, and a result of it.
static int writeModel(void** state)
{
  static const char text[] = "local p = parameters{ angle = 0.5 }\n"
                             "world('w')\n"
                             "revolute('hinge', 'w', object('bob', { mass{ mass = 1, com = { 0, 0, -1 } } }),\n"
                             "  { axis = 'y', start = p.angle, torque = input('push', { unit = 'N m' }) })\n";
  int made = crMakeTestFolder(state);
  crWriteTestFile(crTestPath("m.lua"), text, sizeof text - 1);
  crAssertSays("$carom sweep m.lua --vary angle=1,2 --output 'last(hinge.angle)' --stop 0.1 --quiet -o s.sweep", 0, "");
  crAssertSays("$carom run m.lua --stop 0.1 --interval 0.05 --no-report --quiet --out r && mv r/result.h5 r.h5", 0, "");
  return made;
}

typedef struct Case {
  const char *arguments, *part;
} Case;

static void assertAll(const Case* cases, size_t count, int exitCode)
{
  for (size_t i = 0; i < count; ++i) {
    char command[1024];
    snprintf(command, sizeof command, "$carom %s", cases[i].arguments);
    crAssertSays(command, exitCode, cases[i].part);
  }
}

static void mistakes_of_run_are_told(void** state)
{
  (void)state;
  static const Case cases[] = {
    { "run", "the model is missing" },
    { "run m.lua more", "one argument too many: 'more'" },
    { "run m.lua --set angle", "--set needs name=value, not 'angle'" },
    { "run m.lua --input push", "--input needs name=number, not 'push'" },
    { "run m.lua --input push=", "--input needs name=number, not 'push='" },
    { "run m.lua --input pull=1 --out x", "the model has no input 'pull': push" },
    { "run m.lua --event-rows sometimes", "--event-rows is on or off, not 'sometimes'" },
    { "run m.lua --tol 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33",
      "--tol takes at most " },
    { "run m.lua $(for i in $(seq 300); do printf ' --record h%s' $i; done)", "--record can be given " },
    { "run m.lua $(for i in $(seq 300); do printf ' --input h%s=1' $i; done)", "--input can be given " },
    { "run m.lua --checkpoint often",
      "--checkpoint needs seconds of wall time, or 0: at every output point; not 'often'" },
    { "run m.lua --session s.jsonl --tol 1e-3", "with --session there are only --set, --record, --out" },
    { "view m.lua --live --tol 1e-3,1e-4", "--live takes one tolerance" },
    { "view m.lua --live --session s.jsonl", "--live does not go with --session" },
    { "view m.lua --live --checkpoint 1", "--checkpoint needs --out DIR: without it --live writes nothing" },
    { "view m.lua --live --save-state s.json", "--save-state needs --out DIR: without it --live writes nothing" },
    { "view m.lua --live --no-report", "--no-report needs --out DIR: without it --live writes nothing" },
  };
  assertAll(cases, sizeof cases / sizeof *cases, 2);
}

static void mistakes_of_views_and_plots_are_told(void** state)
{
  (void)state;
  static const Case cases[] = {
    { "plot", "result is missing" },
    { "plot r.h5 hinge.angle -o a.svg --from soon", "--from needs a time in seconds, not 'soon'" },
    { "plot r.h5 hinge.angle -o a.svg --to late", "--to needs a time in seconds, not 'late'" },
    { "plot r.h5 hinge.angle -o a.svg --to", "--to needs a value" },
    { "plot r.h5 hinge.angle -o a.svg --fast", "unknown option '--fast'" },
    { "plot r.h5 hinge.angle -o a.gif", "cannot write 'a.gif': a plot is written as .svg, .png or .pdf" },
    { "plot r.h5 hinge.angle -o a.svg --from 1 --to 0.5", "--from must be less than --to" },
    { "view", "the result is missing" },
    { "view r.h5 --time now", "--time needs a number, not 'now'" },
    { "view r.h5 --fps 0", "--fps needs a number above 0, not '0'" },
    { "view r.h5 --size 1280", "--size needs WIDTHxHEIGHT, e.g. 1280x720, not '1280'" },
    { "view r.h5 --camera 1,2", "--camera needs a direction to look from, e.g. 1,-2,1, not '1,2'" },
    { "view r.h5 r.h5 --png a.png", "pictures, films and scenes are of one result: 'r.h5' is one too many" },
    { "view r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5 r.h5",
      "results are too many" },
    { "info r.h5 --set angle=1", "--set and --dump are for models, not for results" },
    { "convert r.h5 a.csv --set angle=1", "--set is for models, not for results" },
    { "convert r.h5 a.txt", "cannot write 'a.txt': a result is written as .csv or .mat" },
  };
  assertAll(cases, sizeof cases / sizeof *cases, 2);
}

static void mistakes_of_what_makes_files_are_told(void** state)
{
  (void)state;
  static const Case cases[] = {
    { "fmu", "which model?" },
    { "fmu m.lua --set angle", "--set takes NAME=VALUE, not 'angle'" },
    { "fmu m.lua --kind all", "--kind is me, cs or me,cs, not 'all'" },
    { "fmu m.lua --fmi 4", "--fmi is 2 or 3, not '4'" },
    { "fmu m.lua --fmi", "--fmi needs a value" },
    { "fmu m.lua --fast", "unknown option '--fast'" },
    { "fmu m.lua -o m.zip", "cannot write 'm.zip': an FMU ends in .fmu" },
    { "play", "which model?" },
    { "play m.lua --set angle", "--set takes NAME=VALUE, not 'angle'" },
    { "play m.lua --set", "--set needs a value" },
    { "play m.lua --fast", "unknown option '--fast'" },
    { "mesh", "what to do, and with which file?" },
    { "mesh info $models/tee.stl --scale", "--scale needs a value" },
    { "mesh info $models/tee.stl --fast", "unknown option '--fast'" },
    { "mesh repair $models/tee.stl", "repair needs -o FILE" },
    { "mesh hull $models/tee.stl", "hull needs -o FILE" },
    { "mesh decompose $models/tee.stl --limit 3",
      "pieces with a limit or a volume error need -o FILE: models ask by error" },
    { "schema --fast", "unknown argument '--fast'" },
    { "fit m.lua --fast", "unknown option '--fast'" },
    { "fit m.lua --out", "--out needs a value" },
    { "convert m.lua n.lua", "only robots become Lua, and 'm.lua' is a model already" },
    { "convert m.lua n.json more", "more" },
  };
  assertAll(cases, sizeof cases / sizeof *cases, 2);
}

static void mistakes_of_sweeps_are_told(void** state)
{
  (void)state;
  static const Case cases[] = {
    { "sweep", "the model, the plan or the folder is missing" },
    { "sweep m.lua more", "one argument too many: 'more'" },
    { "sweep m.lua --fast", "unknown option '--fast'" },
    { "sweep m.lua --vary", "--vary needs a value" },
    { "sweep m.lua --vary angle", "--vary needs name=value, not 'angle'" },
    { "sweep m.lua --stop never", "--stop needs a positive number, not 'never'" },
    { "sweep m.lua --threads none", "--threads needs a number from 1 to 64, not 'none'" },
    { "sweep m.lua --seed x", "--seed needs a whole number from " },
    { "sweep m.lua --task 3/2", "--task needs K/N, K from 0 to N - 1, not '3/2'" },
    { "sweep m.lua --stop 1", "without --vary the plan says what is run: options of a plan do not go with it" },
    { "sweep plot s.sweep", "the kind of the plot is curve, map, histogram, scatter or sensitivity" },
    { "sweep plot s.sweep pie angle", "the kind of the plot is curve, map, histogram, scatter or sensitivity" },
    { "sweep plot s.sweep curve angle", "-o FILE is missing: .svg, .png or .pdf" },
    { "sweep m.lua --vary angle=1,2 --submit", "--submit needs --slurm" },
    { "sweep . --vary angle=1,2", "the folder of a sweep goes on as it began: --vary does not go with it" },
    { "sweep . -o other", "the folder of a sweep goes on as it began: -o does not go with it" },
    { "sweep show", "the folder of the sweep is missing" },
    { "sweep show s.sweep 1 2", "one argument too many: '2'" },
    { "sweep show s.sweep 2", "there is no run '2': they are numbered from 0 to 1" },
    { "sweep show s.sweep first", "there is no run 'first': they are numbered from 0 to 1" },
  };
  assertAll(cases, sizeof cases / sizeof *cases, 2);
}

// What is no mistake of usage: the folders, models and goals themselves.
static void sweeps_and_fits_that_cannot_be_are_told(void** state)
{
  (void)state;
  crAssertSays(
      "echo x > file; cp m.lua m.txt; mkdir -p empty;"
      "echo \"fit{ model = 'm.lua', parameters = { angle = { 0, 1 } }, minimize = last('hinge.angle') }\" > g.lua;"
      "sed 's/last.*)/time(\"first contact bob w\")/' g.lua > never.lua",
      0, "");
  static const Case cases[] = {
    { "sweep m.txt --vary angle=1,2 --output 'last(hinge.angle)'",
      "m.txt: error: the name does not tell what kind of model this is: .lua or .json" },
    { "sweep m.lua --vary angle=1,2 --output 'last(hinge.angle)' -o file",
      "file: error: the folder of the sweep cannot be made" },
    { "sweep show none", "none: error: the sweep cannot be read\n  found No such file or directory" },
    { "sweep show empty", "empty: error: this is not the folder of a sweep: it has no plan.json" },
    { "fit never.lua",
      "fit: the model fails at the start, or gives no number for the goal\n  hint: a time of what never "
      "happens is no number" },
    { "fit g.lua --out file/none/x",
      "file/none/x: error: the folder of the fit cannot be made\n  found Not a directory" },
  };
  assertAll(cases, sizeof cases / sizeof *cases, 1);
  crAssertSays("$carom sweep m.lua --vary angle=1,2 --output 'last(hinge.angle)' --slurm 2 -o e.sweep", 0,
               "sweep.slurm");
  crAssertSays("$carom sweep plot e.sweep curve angle 'last(hinge.angle)' -o a.svg", 1,
               "a.svg: error: the sweep has no rows yet");
}

// Runs the tool in a folder whose path has about as many bytes, a shell cannot go there.
static void assertInDeepFolder(int bytes, const char* arguments, const char* part)
{
  static const char script[] = "import os, shlex, shutil, sys\n"
                               "here, left = os.getcwd(), int(sys.argv[1]) - len(os.getcwd())\n"
                               "while left > 1:\n"
                               "    name = '0' * min(250, left - 1 if left <= 251 else left - 3)\n"
                               "    os.makedirs(name, exist_ok=True)\n"
                               "    os.chdir(name)\n"
                               "    left -= len(name) + 1\n"
                               "shutil.copy(here + '/m.lua', '.')\n"
                               "os.execv(sys.argv[2], ['carom'] + shlex.split(sys.argv[3]))\n";
  char command[512];
  crWriteTestFile(crTestPath("deep.py"), script, sizeof script - 1);
  snprintf(command, sizeof command, "/usr/bin/python3 deep.py %d $carom \"%s\"", bytes, arguments);
  crAssertSays(command, 1, part);
}

// Paths are kept in full: those that leave no room for the names behind them are refused, wherever a verb begins.
static void paths_that_are_too_long_are_told(void** state)
{
  (void)state;
#define SWEEP "sweep m.lua --vary angle=1,2 --output 'last(hinge.angle)' -o s"
  assertInDeepFolder(4083, SWEEP " --slurm 2",
                     "s: error: the folder of the sweep cannot be found\n  found File name too long");
  assertInDeepFolder(4400, SWEEP,
                     "m.lua: error: the current folder cannot be found\n  found Numerical result out of range");
  assertInDeepFolder(4400, "run m.lua --stop 0.1 --checkpoint 0 --quiet",
                     "m.lua: error: the current folder cannot be found\n  found Numerical result out of range");
#undef SWEEP
  crAssertSays("$carom view $(/usr/bin/python3 -c \"print('x/' * 2045)\")r.h5", 2,
               "carom: the result has too long a name");
  // a file beside the model, seen from 1,400 folders below
  crAssertSays(
      "printf 'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n' > flat.obj; deep=$(/usr/bin/python3 -c \"print('a/' * "
      "1400)\"); mkdir -p $deep; echo \"world('w', { visual{ shape = mesh{ file = 'flat.obj' } } })\" > w.lua; "
      "$carom convert w.lua ${deep}w.json",
      1, "w.lua:1: error: w.visual1: file is too long a path as seen from the new folder");
  crAssertSays(
      "deep=$(/usr/bin/python3 -c \"print('a/' * 1400)\"); echo \"<robot name='r'><link name='b'><visual><geometry>"
      "<mesh filename='flat.obj'/></geometry></visual></link></robot>\" > r.urdf; $carom convert r.urdf ${deep}r.lua; "
      "code=$?; ls $deep; exit $code",
      1, "error: 'flat.obj' is too long a path as seen from the new folder");
  assert_null(strstr(crAnswer.text, "r.lua")); // nothing is left there
  crAssertSays("rm -rf a", 0, "");
  crAssertSays(
      "cp m.lua $(printf 'm\\377.lua'); $carom run $(printf 'm\\377.lua') --stop 0.1 --checkpoint 0 --no-report", 0,
      "warning: no checkpoint can be written: a path or setting is not UTF-8\n  hint: the run goes on; it cannot "
      "be resumed from here");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mistakes_of_run_are_told),
    cmocka_unit_test(mistakes_of_views_and_plots_are_told),
    cmocka_unit_test(mistakes_of_what_makes_files_are_told),
    cmocka_unit_test(mistakes_of_sweeps_are_told),
    cmocka_unit_test(sweeps_and_fits_that_cannot_be_are_told),
    cmocka_unit_test(paths_that_are_too_long_are_told),
  };
  return cmocka_run_group_tests(tests, writeModel, crRemoveTestFolder);
}
