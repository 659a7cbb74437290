// The tool in surroundings that others have set: their locale, rights of new files, time zone, none at all.
#include "support/command.h"
#include "support/folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What the tool writes and prints, into a folder; times taken are left out.
#define ALL_VERBS                                                                                                      \
  "all() { mkdir -p $1 && cd $1 && $carom run $models/two_balls.lua --stop 0.5 --tol 1e-9 --interval 0.015625 "        \
  "--set speed=2.5 --quiet --out two.run && "                                                                          \
  "$carom convert two.run rows.csv && $carom convert two.run rows.mat && $carom convert two.run list.csv --contacts "  \
  "&& $carom convert $models/two_balls.lua scene.json && $carom plot two.run '*.position.x' -o plot.svg && "           \
  "$carom plot two.run '*.position.x' > plot.txt && $carom info two.run > info.txt && $carom check "                   \
  "$models/four_bar.lua > check.txt && $carom linearize $models/pendulum.lua > linear.txt && $carom distance "         \
  "'{\"type\":\"sphere\",\"radius\":0.5}' '{\"position\":[0,0,0.25]}' '{\"type\":\"sphere\",\"radius\":0.5}' "         \
  "'{\"position\":[3.5,0,0]}' > distance.txt; code=$?; rm -rf two.run; cd ..; return $code; }; "

static void a_german_locale_changes_nothing_that_is_written_or_read(void** state)
{
  (void)state;
  crCallCommand("LC_ALL=de_DE.UTF-8 locale decimal_point");
  if (strchr(crAnswer.text, ',') == NULL) {
    skip(); // a machine without localedef
  }
  crAssertSays(ALL_VERBS
               "(LC_ALL=C; export LC_ALL; all plain) && (LC_ALL=de_DE.UTF-8; LANG=$LC_ALL; export LC_ALL LANG; "
               "all german) && diff -r plain german && ls plain | wc -l",
               0, "10\n");
  crAssertSays("cat german/distance.txt", 0, "2.5");
}

static void the_time_zone_changes_nothing_that_is_written(void** state)
{
  (void)state;
  crAssertSays(ALL_VERBS "(TZ=UTC; export TZ; all here) && (TZ=Asia/Tokyo; export TZ; all there) && diff -r here there "
                         "&& ls here | wc -l",
               0, "10\n");
}

// HOME, PATH, TMPDIR, TERM: none is there.
static void no_environment_is_needed(void** state)
{
  (void)state;
  crAssertSays("env -i $carom run $models/pendulum.lua --stop 0.1 --out bare.run && env -i $carom info bare.run && "
               "env -i $carom check $models/pendulum.lua && env -i HOME=/nowhere $carom plot bare.run '*.angle'",
               0, "run: complete");
}

static void files_have_the_rights_that_the_user_leaves_them(void** state)
{
  (void)state;
  crAssertSays("umask 077; $carom run $models/pendulum.lua --stop 0.1 --checkpoint 0 --quiet --out closed.run && "
               "stat -c '%a %n' closed.run closed.run/*",
               0, "700 closed.run\n600 closed.run/report.html\n600 closed.run/result.h5\n600 closed.run/run.json\n");
  crAssertSays(
      "umask 022; $carom run $models/pendulum.lua --stop 0.1 --quiet --out open.run && stat -c '%a %n' open.run "
      "open.run/*",
      0, "755 open.run\n644 open.run/report.html\n644 open.run/result.h5\n644 open.run/run.json\n");
  crAssertSays("umask 777; $carom run $models/pendulum.lua --stop 0.1 --quiet --out none.run; code=$?; chmod -R u+rwx "
               "none.run; test $code -le 3 && echo ended",
               0, "ended");
}

// /proc for those who may write everywhere.
static void a_folder_that_cannot_be_written_is_told(void** state)
{
  (void)state;
  crAssertSays("$carom run $models/pendulum.lua --out /proc/carom.run", 1, "the folder of the run cannot be made");
  crAssertSays("$carom convert $models/pendulum.lua /proc/scene.json", 1, "/proc/scene.json: error: ");
  if (geteuid() != 0) {
    crAssertSays("mkdir -p locked && chmod 500 locked && $carom run $models/pendulum.lua --out locked/x.run", 1,
                 "the folder of the run cannot be made\n  found Permission denied");
    crAssertSays("mkdir -p shut.run && chmod 500 shut.run && $carom run $models/pendulum.lua --out shut.run", 1,
                 "Permission denied");
  }
}

static void verbs_whose_streams_are_closed_end_by_themselves(void** state)
{
  (void)state;
  crAssertSays("$carom check $models/pendulum.lua <&- >&- 2>&-; echo it was $?", 0, "it was 1\n");
  crAssertSays("$carom run $models/pendulum.lua --stop 0.1 --out mute.run <&- >&- 2>&-; $carom info mute.run", 0,
               "run: complete");
  crAssertSays("$carom distance - <&- 2>&1; test $? -ne 0 && echo refused", 0, "refused");
  crAssertSays("$carom info $models/billiards.lua --all | head -1 > /dev/null; echo went on", 0, "went on");
}

// "--out a/b" was refused while there was no folder a.
static void folders_on_the_way_are_made(void** state)
{
  (void)state;
  crAssertSays("$carom run $models/pendulum.lua --stop 0.1 --quiet --out not/yet/there.run && $carom info "
               "not/yet/there.run",
               0, "run: complete");
  crAssertSays("echo x > file; $carom run $models/pendulum.lua --out file/there.run", 1,
               "the folder of the run cannot be made\n  found Not a directory");
}

// A call of the function takes ten milliseconds: the interrupt comes while one works, in every kind of step.
static void an_interrupt_is_heard_inside_a_function(void** state)
{
  (void)state;
  static const char* const solvers[] = { "auto", "radau5" };
  static const char model[] = "local w = world('world')\n"
                              "object('block', { mass{ mass = 1 } })\n"
                              "prismatic('slide', w, 'block', { force = userFunction('law', {\n"
                              "  inputs = { x = jointSensor('x', { joint = 'slide' }) },\n"
                              "  code = 'local s = 0 * x for i = 1, 4e4 do s = s + math.sin(i) end return s' }) })\n";
  crWriteTestFile(crTestPath("slow.lua"), model, sizeof model - 1);
  for (int i = 0; i < 2; ++i) {
    setenv("SOLVER", solvers[i], 1);
    crAssertSays(
        "rm -rf slow.run; $carom run slow.lua --stop 1e6 --solver $SOLVER --no-report --out slow.run & run=$!; "
        "await slow.run/result.h5; sleep 0.3; kill -INT $run; (sleep 60; kill -9 $run) > out 2>&1 & wait $run; "
        "code=$?; "
        "kill $! 2> /dev/null; $carom info slow.run; (exit $code)",
        130, "run: interrupted");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_german_locale_changes_nothing_that_is_written_or_read),
    cmocka_unit_test(the_time_zone_changes_nothing_that_is_written),
    cmocka_unit_test(no_environment_is_needed),
    cmocka_unit_test(files_have_the_rights_that_the_user_leaves_them),
    cmocka_unit_test(a_folder_that_cannot_be_written_is_told),
    cmocka_unit_test(verbs_whose_streams_are_closed_end_by_themselves),
    cmocka_unit_test(folders_on_the_way_are_made),
    cmocka_unit_test(an_interrupt_is_heard_inside_a_function),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
