// The page of a sweep: what is in it, and what it says in a browser.
#include "support/command.h"
#include "support/folder.h"
#include "support/sweeps.h"

#include "carom/report.h"

#include <stdlib.h>
#include <string.h>

static void makeSweep(void)
{
  crWriteDropModel();
  crAssertSays(
      "test -d page.sweep || $carom sweep drop.lua --vary height=0.1:0.5:5 --vary 'cor=uniform(0.4,0.9)' --vary "
      "kind=Steel,Aluminium --set fails=0.15 --runs 30 --stop 0.3 --output 'last(ball.position.z)' --output "
      "'count(contacts)' -o page.sweep",
      0, "");
}

static void a_page_holds_the_table(void** state)
{
  (void)state;
  makeSweep();
  crAssertSays("$carom sweep page page.sweep && ls page.sweep", 0, "sweep.html");
  size_t size;
  char* page = crReadTestFile(crTestPath("page.sweep/sweep.html"), &size);
  assert_null(strstr(page, "@DESCRIPTION@"));
  assert_null(strstr(page, "@NUMBERS@"));
  assert_non_null(strstr(page, "\"texts\": [\"Steel\", \"Aluminium\"]"));
  assert_non_null(strstr(page, "the ball is too low"));
  assert_null(strstr(page, "http://"));
  free(page);
  crAssertSays("$carom sweep page page.sweep a.html && cmp a.html page.sweep/sweep.html && echo same", 0, "same");
}

// A page has room for so many columns; the others were left out without a word.
static void a_page_says_how_many_outputs_there_are(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom sweep drop.lua --vary height=0.1,0.2 --output 'series(ball.position,500)' -o wide.sweep && "
               "$carom sweep page wide.sweep && grep -o '\"outputs\": [0-9]*' wide.sweep/sweep.html",
               0, "\"outputs\": 1500");
}

// The command that the page gives for a run is that of `carom sweep show`.
static void a_chosen_run_has_the_command_that_runs_it(void** state)
{
  (void)state;
  crCallCommand("command -v chromium && test \"$CAROM_NO_BROWSER\" != 1");
  if (crAnswer.exitCode != 0) {
    print_message("skipped: there is no Chromium\n");
    skip();
  }
  makeSweep();
  crAssertSays(
      "$carom sweep page page.sweep; $carom sweep show page.sweep 17 | grep 'carom run' | sed 's/^ *//' > a.txt; "
      "HOME=$PWD chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --dump-dom "
      "\"file://$PWD/page.sweep/sweep.html#run=17\" 2>/dev/null | grep -o 'id=\"command\">[^<]*' | "
      "sed 's/.*>//; s/&amp;/\\&/g' > b.txt; cat a.txt b.txt; cmp a.txt b.txt && echo same",
      0, "same");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_page_holds_the_table),
    cmocka_unit_test(a_page_says_how_many_outputs_there_are),
    cmocka_unit_test(a_chosen_run_has_the_command_that_runs_it),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
