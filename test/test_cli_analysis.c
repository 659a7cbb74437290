// The verbs of mathematics, by closed forms of a pendulum: a point of 1 kg at the end of 1 m; and what wrong usage
// gets.
#include "support/command.h"
#include "support/folder.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81 // [m/s^2] of a new scene

static int writeModel(void** state)
{
  static const char text[] = "local p = parameters{ angle = 0.5 }\n"
                             "world('w')\n"
                             "revolute('hinge', 'w', object('bob', { mass{ mass = 1, com = { 0, 0, -1 } } }),\n"
                             "  { axis = 'y', start = p.angle, torque = input('push', { unit = 'N m' }) })\n";
  int made = crMakeTestFolder(state);
  crWriteTestFile(crTestPath("pendulum.lua"), text, sizeof text - 1);
  return made;
}

// The number behind a name in the last answer.
static double readNumber(const char* name)
{
  const char* found = strstr(crAnswer.text, name);
  assert_non_null(found);
  found += strlen(name);
  return strtod(found + strspn(found, "\": [\n"), NULL);
}

static void forces_hold_a_pendulum_and_accelerate_it(void** state)
{
  (void)state;
  crAssertSays("$carom inverse-dynamics pendulum.lua", 0, "\"rate\": \"hinge.rate\"");
  assert_close(readNumber("\"force\""), G * sin(0.5), 1e-12);
  crAssertSays("$carom inverse-dynamics pendulum.lua --acceleration hinge.rate=2 --set angle=0.1", 0, "\"forces\"");
  assert_close(readNumber("\"force\""), 2.0 + G * sin(0.1), 1e-12);
  crAssertSays("$carom inverse-dynamics pendulum.lua --input push=0.75", 0, "\"forces\"");
  assert_close(readNumber("\"force\""), G * sin(0.5) - 0.75, 1e-12);
}

static void a_pendulum_is_linearized_where_it_is_and_where_it_rests(void** state)
{
  (void)state;
  crAssertSays("$carom linearize pendulum.lua", 0, "\"inputs\": [\n    \"push\"");
  const char* A = strstr(crAnswer.text, "\"A\"");
  assert_non_null(A);
  double entries[4];
  for (int i = 0; i < 4; ++i) {
    A += strcspn(A, "-0123456789");
    char* end;
    entries[i] = strtod(A, &end);
    A = end;
  }
  assert_close(entries[0], 0.0, 1e-8);
  assert_close(entries[1], 1.0, 1e-8);
  assert_close(entries[2], -G * cos(0.5), 1e-8);
  assert_close(entries[3], 0.0, 1e-8);
  crAssertSays("$carom linearize pendulum.lua --equilibrium --time 3", 0, "\"time\": 3.0");
  assert_close(readNumber("\"hinge.angle\""), 0.0, 1e-9);
  crAssertSays("$carom equilibrium pendulum.lua --input push=2 --save-state rest.json", 0, "\"state\"");
  assert_close(readNumber("\"hinge.angle\""), asin(2.0 / G), 1e-9);
  crAssertSays("$carom inverse-dynamics pendulum.lua --start rest.json", 0, "\"force\"");
  assert_close(readNumber("\"force\""), 2.0, 1e-8);
  crAssertSays("$carom equilibrium pendulum.lua --input push=20", 3, "no static equilibrium was found");
}

static void a_pendulum_reaches_what_is_on_its_circle(void** state)
{
  (void)state;
  crAssertSays(
      "$carom ik pendulum.lua --object bob --point 0,0,-1 --position -0.29552020666133955,0,-0.955336489125606", 0,
      "\"reached\": true");
  assert_close(readNumber("\"hinge.angle\""), 0.3, 1e-8);
  crAssertSays("$carom ik pendulum.lua --object bob --quaternion 0.9950041652780258,0,0.09983341664682815,0", 0,
               "\"reached\": true");
  assert_close(readNumber("\"hinge.angle\""), 0.2, 1e-8);
  crAssertSays("$carom ik pendulum.lua --object bob --point 0,0,-1 --position 0,0,-3 --tolerance 1e-6 --no-stops", 3,
               "\"reached\": false");
  assert_close(readNumber("\"distance\""), 2.0, 1e-6);
}

static void wrong_usage_is_told_by_name(void** state)
{
  (void)state;
  static const struct {
    const char *arguments, *part;
    int exitCode;
  } cases[] = {
    { "equilibrium --help", "usage: carom equilibrium", 0 },
    { "equilibrium", "the model is missing", 2 },
    { "equilibrium pendulum.lua more", "one argument too many: 'more'", 2 },
    { "equilibrium pendulum.lua --fast", "unknown option '--fast'", 2 },
    { "equilibrium pendulum.lua --time", "--time needs a value", 2 },
    { "equilibrium pendulum.lua --time soon", "--time needs a number of seconds, not 'soon'", 2 },
    { "equilibrium pendulum.lua --time 1,2", "--time needs a number of seconds, not '1,2'", 2 },
    { "equilibrium pendulum.lua --set angle", "--set needs name=value, not 'angle'", 2 },
    { "equilibrium pendulum.lua --set size=1", "size", 1 },
    { "equilibrium pendulum.lua --input push", "--input needs name=value, not 'push'", 2 },
    { "equilibrium pendulum.lua --input push=hard", "'hard' is no number", 2 },
    { "equilibrium pendulum.lua --input pull=1", "the model has no input 'pull', or its value is not finite", 1 },
    { "equilibrium nothing.lua", "nothing.lua", 1 },
    { "equilibrium pendulum.lua --start nothing.json", "nothing.json", 1 },
    { "equilibrium pendulum.lua --save-state nowhere/rest.json", "nowhere/rest.json", 1 },
    { "ik pendulum.lua", "--object and a --position or a --quaternion are needed", 2 },
    { "ik pendulum.lua --object bob", "--object and a --position or a --quaternion are needed", 2 },
    { "ik pendulum.lua --object rod --position 0,0,1", "the model has no object 'rod'", 2 },
    { "ik pendulum.lua --object bob --position 0,0", "--position cannot be '0,0'", 2 },
    { "ik pendulum.lua --object bob --quaternion 0,0,0,0", "--quaternion cannot be '0,0,0,0'", 2 },
    { "ik pendulum.lua --object bob --point 1,2,x", "--point cannot be '1,2,x'", 2 },
    { "ik pendulum.lua --object bob --tolerance 0", "--tolerance cannot be '0'", 2 },
    { "inverse-dynamics pendulum.lua --acceleration hinge.rate", "--acceleration cannot be 'hinge.rate'", 2 },
    { "inverse-dynamics pendulum.lua --acceleration knee.rate=1", "the model has no rate 'knee.rate'", 2 },
    { "inverse-dynamics pendulum.lua --acceleration hinge.rate=up", "'up' is no number", 2 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char command[256];
    snprintf(command, sizeof command, "$carom %s", cases[i].arguments);
    crAssertSays(command, cases[i].exitCode, cases[i].part);
  }
  crAssertSays("sed s/hinge.angle/knee.angle/ rest.json > knee.json; $carom equilibrium pendulum.lua --start knee.json",
               1, "the model has no state 'knee.angle'");
}

// Forces that are no numbers, and a loop whose joints all have rotors: the mathematics has no answer.
static void what_cannot_be_computed_is_told(void** state)
{
  (void)state;
  static const struct {
    const char *verb, *model, *part;
    int exitCode;
  } cases[] = {
    { "linearize",
      "prismatic('p', 'w', object('a', { mass{ mass = 1 } }), { axis = 'x', stiffness = 1, force = userFunction('f', { "
      "code = 'return 1 / 0' }) })",
      "carom: this cannot be computed here: a number is not finite", 3 },
    { "equilibrium",
      "prismatic('p', 'w', object('a', { mass{ mass = 1 } }), { axis = 'x', stiffness = 1, force = userFunction('f', { "
      "code = 'return 0 / 0' }) })",
      "error: no static equilibrium was found: the forces are not finite\n  hint: start elsewhere: a distance or a "
      "force is infinite or not a number here",
      3 },
    { "check",
      "object('a', { mass{ mass = 1, inertia = { 1, 1, 1 } } }) object('b', { mass{ mass = 1, inertia = { 1, 1, 1 } } "
      "}) "
      "revolute('r1', 'w', 'a', { rotorInertia = 1 }) revolute('r2', 'a', 'b', { rotorInertia = 1 }) "
      "revolute('r3', 'b', 'w', { rotorInertia = 1 })",
      "error: r2: every joint of this loop has a rotorInertia, and this one closes the loop\n  found 1, allowed: at "
      "least one joint of a loop without a rotorInertia\n  hint: fix a body with the inertia of the rotor",
      1 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024], command[64];
    snprintf(text, sizeof text, "world('w')\n%s\n", cases[i].model);
    crWriteTestFile(crTestPath("odd.lua"), text, strlen(text));
    snprintf(command, sizeof command, "$carom %s odd.lua", cases[i].verb);
    crAssertSays(command, cases[i].exitCode, cases[i].part);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(forces_hold_a_pendulum_and_accelerate_it),
    cmocka_unit_test(a_pendulum_is_linearized_where_it_is_and_where_it_rests),
    cmocka_unit_test(a_pendulum_reaches_what_is_on_its_circle),
    cmocka_unit_test(wrong_usage_is_told_by_name),
    cmocka_unit_test(what_cannot_be_computed_is_told),
  };
  return cmocka_run_group_tests(tests, writeModel, crRemoveTestFolder);
}
