// What is deep at the start: the check and the run say the same, with the same depth.
#include "support/command.h"
#include "support/folder.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char* bodies;
  int exitCode;     // of the check, and of the run
  const char* says; // "": nothing
} cases[] = {
  { "b('a', 0, 0, 2, sphere{ radius = 0.5 }) b('b', 0, 0, 2, sphere{ radius = 0.5 })", 1,
    "error: a: at 0 s the contact with 'b' is too deep to start with\n  found 1 m" },
  { "b('a', 0, 0, 2, sphere{ radius = 0.5 }) b('b', 0.75, 0, 2, sphere{ radius = 0.5 })", 1, "found 0.25 m" },
  { "b('a', 0, 0, 2, box{ size = { 1, 1, 1 } }) b('b', 0.1, 0.2, 2.7, box{ size = { 1, 1, 1 } })", 1, "found 0.3 m" },
  { "b('a', 0, 0, 2, box{ size = { 1, 1, 1 } }) b('b', 0, 0, 2, box{ size = { 1, 1, 1 } })", 1, "found 1 m" },
  { "b('a', 0, 0, 2, cone{ radius = 0.3, length = 1 }) b('b', 0, 0, 2, cone{ radius = 0.3, length = 1 })", 1, "found" },
  { "b('a', 0, 0, 0.3, box{ size = { 1, 1, 1 } })", 1, "found 0.2 m" },
  { "b('a', 0, 0, 0.49, box{ size = { 1, 1, 1 } })", 0,
    "warning: w: at 0 s the contact with 'a' is deeper than bodies at rest\n  found 0.01 m" },
  { "b('a', 0, 0, 0.499999, box{ size = { 1, 1, 1 } })", 0, "" },
  { "b('a', 0, 0, 0.3, sphere{ radius = 0.5 }, 'rest')", 0, "" },
};

// The lines of the answer from the first message on that tells of depths, and the two behind.
static void keepMessage(char outText[400])
{
  const char* start = strstr(crAnswer.text, ": at 0 s the contact");
  const char* end = start;
  for (int i = 0; i < 3 && end != NULL; ++i) {
    end = strchr(end + 1, '\n');
  }
  snprintf(outText, 400, "%.*s", end != NULL ? (int)(end - start) : 0, end != NULL ? start : "");
}

static void a_check_and_a_run_say_the_same_of_what_is_deep_at_the_start(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[2048], checked[400], run[400];
    snprintf(text, sizeof text,
             "contactPair('Steel', 'Steel', { cor = 0.5, muK = 0.2, muR = 0.001 })\n"
             "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
             "local function b(name, x, y, z, shape, start)\n"
             "  object(name, { parent = w, free = true, start = start or 'pose', position = { x, y, z },\n"
             "    solid{ shape = shape, material = 'Steel', contact = 'Steel' } })\nend\n%s\n",
             cases[i].bodies);
    crWriteTestFile(crTestPath("deep.lua"), text, strlen(text));
    crAssertSays("$carom check deep.lua", cases[i].exitCode, cases[i].says);
    keepMessage(checked);
    crAssertSays("$carom run deep.lua --stop 1e-6 --no-report --out deep.run", cases[i].exitCode, cases[i].says);
    keepMessage(run);
    assert_string_equal(checked, run);
    assert_int_equal(checked[0] == '\0', cases[i].says[0] == '\0');
  }
}

// A pin in a block of 300 pieces: one of them made one error each.
static void two_objects_are_told_of_once(void** state)
{
  (void)state;
  static const char text[] =
      "local g = world('g')\n"
      "object('block', { parent = g, solid{ contact = 'Steel', shape = revolved{ pieceError = 1e-5, profile = {\n"
      "  { 0.01, -0.03 }, { 0.02, -0.03 }, { 0.02, 0 }, { 0.013, 0 }, { 0.01, -0.003 } } } } })\n"
      "object('pin', { parent = g, free = true, position = { 0.012, 0, 0 }, solid{ material = 'Steel',\n"
      "  contact = 'Steel', shape = cylinder{ radius = 0.0099, length = 0.04 } } })\n";
  crWriteTestFile(crTestPath("block.lua"), text, strlen(text));
  crAssertSays("$carom check block.lua", 1, "error: block: at 0 s the contact with 'pin' is too deep to start with");
  assert_non_null(strstr(crAnswer.text, "not ok, 1 error, 0 warnings"));
}

static void the_check_tells_of_loops_as_a_run_does(void** state)
{
  (void)state;
  static const char text[] = "local w = world('w')\n"
                             "local a = object('a', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                             "revolute('one', w, a)\n"
                             "local far = object('far', { parent = w, position = { 5, 0, 0 } })\n"
                             "revolute('two', far, a)\n";
  crWriteTestFile(crTestPath("loop.lua"), text, strlen(text));
  crAssertSays("$carom check loop.lua", 1, "not ok, 1 error");
  crAssertSays("$carom run loop.lua --no-report --out loop.run", 1, "error");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_check_and_a_run_say_the_same_of_what_is_deep_at_the_start),
    cmocka_unit_test(two_objects_are_told_of_once),
    cmocka_unit_test(the_check_tells_of_loops_as_a_run_does),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
