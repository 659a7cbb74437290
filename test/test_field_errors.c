// Fields of models with values that they cannot have: each is told with its line, its element, its name, what was
// found and what is allowed.
#include "support/lua.h"
#include "support/test.h"

#include <stdio.h>

#define PAIR                                                                                                           \
  "object('a', { mass{ mass = 1 } }) object('b', { mass{ mass = 1 } }) world('w') "                                    \
  "revolute('r', 'w', 'a', { axis = 'z' }) revolute('s', 'w', 'b', { axis = 'z' }) "

typedef struct Row {
  const char *text, *says; // of one line; the message behind "model.lua:1: error: "
} Row;

static void assertRefused(const Row* rows, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    char says[512];
    snprintf(says, sizeof says, "model.lua:1: error: %s", rows[i].says);
    assert_reads(rows[i].text, cr_errorModel, says);
  }
}
#define ASSERT_REFUSED(rows) assertRefused((rows), sizeof(rows) / sizeof *(rows))

static void records_need_their_fields_by_name_and_once(void** state)
{
  (void)state;
  static const Row rows[] = {
    { "object('a', { solid{ shape = sphere{ radius = 1, diameter = 2 } } })",
      "a: solid1.shape.diameter is given twice, under two names" },
    { "object('a', { solid{ shape = sphere{ 1, 2 } } })", "a: solid1.shape is a list where named fields are expected" },
    { "scene{ 1, 2 }", "scene: a list where named fields are expected" },
    { "object('a', { solid{ shape = sphere{} } })", "a: solid1.shape.radius is missing\n  hint: radius [m]" },
    { "spline('s', { input = 'x', points = { 1, 2 } })",
      "s: values is missing\n  hint: one per point; straight on beyond the ends" },
    { "object('a', { solid{ shape = { radius = 1 } } })",
      "a: solid1.shape has no \"type\"\n  found a table, allowed: a table with a \"type\", as sphere{...} and the like "
      "make" },
    { "object('a', 5)",
      "a: object takes a table of fields as argument 2\n  found a number, allowed: { field = value, ... }" },
    { "object('a', { features = 'ball' })",
      "a: features is of the wrong type\n  found a string, allowed: a list of features" },
  };
  ASSERT_REFUSED(rows);
}

static void numbers_and_matrices_are_told_from_what_is_none(void** state)
{
  (void)state;
  static const Row rows[] = {
    { "object('a', { solid{ shape = sphere{ radius = 1/0 } } })",
      "a: solid1.shape.radius must be finite\n  found infinity, allowed: any finite number" },
    { "object('a', { mass{ mass = 1, inertia = { { 1, 0, 0 }, { 1, 1, 0 }, { 0, 0, 1 } } } })",
      "a: mass1.inertia is not symmetric\n  allowed: a symmetric matrix" },
    { "object('a', { mass{ mass = 1, inertia = 'large' } })",
      "a: mass1.inertia is of the wrong type\n  found a string, allowed: {xx, yy, zz}, {xx, yy, zz, xy, xz, yz}, or "
      "three rows of three numbers" },
    { "scene{ gravity = { mu = 'x' } }", "scene: gravity is of the wrong type\n  found a table, allowed: {x, y, z}, "
                                         "\"none\", or {centre = {x, y, z}, mu = "
                                         "number}" },
    { "scene{ gravity = { mu = 1, centre = 3 } }", "scene: gravity is of the wrong type\n  found a table" },
    { "spline('s', { input = 'x', points = 3, values = { 1, 2 } })",
      "s: points is of the wrong type\n  found a number, allowed: a list of numbers" },
    { "spline('s', { input = 'x', points = { 1, 'b' }, values = { 1, 2 } })",
      "s: points[2] is not a number\n  found a string, allowed: a number" },
    { "userFunction('f', { code = 'return 1', parameters = { 1, 2 } })",
      "f: parameters is of the wrong type\n  found a list, allowed: numbers by name, { x = 1, ... }" },
    { "userFunction('f', { code = 'return 1', parameters = { x = 'y' } })",
      "f: parameters.x is not a number\n  found a string, allowed: a number" },
    { "object('a', { solid{ shape = hull{ points = 3 } } })",
      "a: solid1.shape.points is of the wrong type\n  found a number, allowed: a list of points {x, y, z}" },
  };
  ASSERT_REFUSED(rows);
}

static void names_and_colours_are_told_from_what_is_none(void** state)
{
  (void)state;
  static const Row rows[] = {
    { "sum('s', { inputs = 3 })",
      "s: inputs is of the wrong type\n  found a number, allowed: a list of signals or their paths" },
    { "userFunction('f', { code = 'return 1', inputs = { 'a' } })",
      "f: inputs is of the wrong type\n  found a list, allowed: signals by name, { x = signal, ... }" },
    { "visualMaterial('v', { color = 5 })",
      "v: color is of the wrong type\n  found a number, allowed: a colour's name, \"#rrggbb[aa]\", {r, g, b} or "
      "{r, g, b, a}" },
    { "visualMaterial('v', { color = 'blu' })",
      "v: color is not a known colour\n  found blu, allowed: a CSS colour name or \"#rrggbb[aa]\"" },
    { "visualMaterial('v', { color = { 1, 1, 255 } })",
      "v: color.b is out of range\n  found 255, allowed: 0 .. 1\n  hint: colours are given from 0 to 1, not to 255" },
    { "object('', {})",
      "this name has an empty part\n  found '', allowed: 1 to 255 bytes of UTF-8 without '.', control characters or "
      "outer spaces" },
    { "object(string.rep('x', 300), {})", "this name is too long\n  found 'xxxxxxxxxxxx" },
  };
  ASSERT_REFUSED(rows);
}

// Numbers that have to ascend, to mesh, or to lie in a range: the range is told.
static void numbers_that_do_not_fit_are_told_with_what_does(void** state)
{
  (void)state;
  static const Row rows[] = {
    { PAIR "springDamper('f', 'a', 'b', { table = { { 0, 0 }, { 1, 2 }, { 1, 3 } } })",
      "f: point 3 of the table does not follow\n  found 1 m, allowed: > 1 m\n  hint: elongations ascend, none is there "
      "twice" },
    { PAIR "springDamper('f', 'a', 'b', { table = { { 0, 0 } } })",
      "f: table has too few points\n  found 1, allowed: two or more, or none" },
    { "timeTable('t', { times = { 0, 1, 1 }, values = { 1, 2, 3 } })",
      "t: times[3] is the time before again\n  found 1 s, allowed: > 1 s\n  hint: for a jump use a step, or two times "
      "that differ a little" },
    { "timeTable('t', { times = { 0, 1, 0.5 }, values = { 1, 2, 3 } })",
      "t: times[3] is before the time before\n  found 0.5 s, allowed: > 1 s" },
    { "spline('s', { input = constant('c', { value = 1 }), points = { 0, 2, 1 }, values = { 1, 2, 3 } })",
      "s: points[3] does not follow the point before\n  found 1, allowed: ascending points" },
    { PAIR "action('x', { lock = 'r', maxSpeed = -1 })",
      "x: maxSpeed must be positive\n  found -1 m/s or rad/s, allowed: > 0 m/s or rad/s" },
    { PAIR "gearPair('g', 'r', 's', { ratio = 2, stiffness = 1, efficiency = 1.5 })",
      "g: efficiency is out of range\n  found 1.5, allowed: above 0, to 1" },
    { PAIR "rackPair('g', 'r', 's', { radius = 0 })", "g: radius must not be 0\n  found 0, allowed: another number" },
    { PAIR "motor('g', 'r', { voltage = constant('u', { value = 1 }), resistance = 1, torqueConstant = 0 })",
      "g: torqueConstant must not be 0\n  found 0, allowed: another number" },
    { PAIR "clutch('g', 'r', 's', { friction = 2, frictionStatic = 1 })",
      "g: frictionStatic is below friction\n  found 1, allowed: friction or more" },
    { "object('a', { free = 3 })", "a: free is of the wrong type\n  found a number, allowed: true or false" },
    { "object('a', { solid{ shape = heightField{ heights = 3, width = 1, length = 1 } } })",
      "a: solid1.shape.heights is of the wrong type\n  found a number, allowed: a list of rows of numbers" },
  };
  ASSERT_REFUSED(rows);
}

static void gears_that_do_not_mesh_are_told_why(void** state)
{
  (void)state;
  static const Row rows[] = {
    { PAIR "gearPair('g', 'r', 's', { ratio = 2, faceWidth = 0.01 })",
      "g: pressureAngle, shiftA, shiftB, faceWidth, E and tipRelief need a module" },
    { PAIR "gearPair('g', 'r', 's', { teethA = 20.5, teethB = 30, module = 0.002, faceWidth = 0.01 })",
      "g: teethA is no number of teeth\n  found 20.5, allowed: a whole number from 1 to 1e+06\n  hint: gears with a "
      "module have teeth" },
    { PAIR
      "gearPair('g', 'r', 's', { teethA = 20, teethB = 30, module = 0.002, faceWidth = 0.01, pressureAngle = 20 })",
      "g: pressureAngle is out of range\n  found 20 rad, allowed: 0 < pressureAngle < pi/4 rad\n  hint: 20 degrees are "
      "math.rad(20)" },
    { PAIR "gearPair('g', 'r', 's', { teethA = 20, teethB = 30, module = 0.002, faceWidth = 0.01, stiffness = 3 })",
      "g: gears with a module have their stiffness from it, and no other" },
    { PAIR "gearPair('g', 'r', 's', { teethA = 20, teethB = 30, module = 0.002, faceWidth = 0.01, internal = true })",
      "g: gears with a module have their teeth outside, not internal" },
    { PAIR "gearPair('g', 'r', 's', { teethA = 20, teethB = 30, module = 0.002, faceWidth = 0.01, shiftA = -5 })",
      "g: the gears do not mesh: their shifts leave no room for involutes" },
  };
  ASSERT_REFUSED(rows);
}

static void lists_of_points_and_names_of_files_are_told_from_what_is_none(void** state)
{
  (void)state;
  static const Row rows[] = {
    { "object('a', { rotation = { axis = { 0, 0, 0 }, angle = 1 } })",
      "a: rotation.axis has no direction\n  allowed: a vector of finite, non-zero length" },
    { "object('a', { rotation = { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 1 } } })",
      "a: rotation is not a rotation matrix\n  allowed: orthonormal rows with determinant 1" },
    { "springDamper('f', 'a', 'b', { table = 3 })",
      "f: table is of the wrong type\n  found a number, allowed: a list of points {x, y}" },
    { "springDamper('f', 'a', 'b', { table = { { 0, 0 }, 5 } })",
      "f: table[2] is not a point\n  found a number, allowed: {x, y}" },
    { "object('a', { solid{ shape = hull{ points = { { 0, 0, 0 }, 5 } } } })",
      "a: solid1.shape.points[2] is not a point\n  found a number, allowed: {x, y, z}" },
    { "object('a', { solid{ shape = revolved{ profile = 3 } } })",
      "a: solid1.shape.profile is of the wrong type\n  found a number, allowed: a list of points {x, y}" },
    { "object('a', { solid{ shape = revolved{ profile = { { 0, 0 }, 5 } } } })",
      "a: solid1.shape.profile[2] is not a point of a profile\n  found a number, allowed: {x, y}, with one of arc = "
      "radius" },
    { "object('a', { solid{ shape = mesh{ file = 3 } } })",
      "a: solid1.shape.file is of the wrong type\n  found a number, allowed: the name of an STL, OBJ or COLLADA file" },
    { "object('a', { solid{ shape = mesh{ file = string.rep('x', 5000) } } })",
      "a: solid1.shape.file has too long a name\n  allowed: at most 4095 bytes with its folder" },
    { "object('a', { solid{ shape = heightField{ file = string.rep('x', 5000), width = 1, length = 1 } } })",
      "a: solid1.shape.file has too long a name\n  allowed: at most 4095 bytes with its folder" },
    { "object('a', { solid{ shape = mesh{ file = 'x.stl', scale = 'x' } } })",
      "a: solid1.shape.scale is of the wrong type\n  found a string, allowed: a number or a list of three numbers" },
    { "object('a', { solid{ shape = mesh{ file = 'x.stl', scale = 0 } } })",
      "a: solid1.shape.scale must not be zero\n  found 0, allowed: no part zero" },
    { "object('a', { solid{ shape = heightField{ heights = { { 0, 0 }, { 0, 0 } }, width = 1, length = 1, refine = 1.5 "
      "} } })",
      "a: solid1.shape.refine is out of range\n  found 1.5, allowed: a whole number from 0 to 2147483647" },
    { "object('a', { solid{ shape = heightField{ heights = { { 0, 0 }, { 0, 0 } }, width = 1, length = 1, refine = 'x' "
      "} } })",
      "a: solid1.shape.refine is of the wrong type\n  found a string, allowed: a whole number" },
    { "fmu('f', { file = 3, period = 1 })",
      "f: file is of the wrong type\n  found a number, allowed: the name of an FMU" },
    { "fmu('f', { file = string.rep('x', 5000), period = 1 })",
      "f: file has too long a name\n  allowed: at most 4095 bytes with its folder" },
    { "object('a', { { type = 'thing' } })",
      "a: features[1]: there is no such feature\n  found thing, allowed: solid, visual, mass, light, camera" },
    { "scene{} scene{}", "scene: the options of the scene are given twice" },
    { "cable('c', 'a', 'b', { through = { 'x', '' }, length = 1, stiffness = 1 })",
      "c: object 2 that the cable runs through has no name" },
    { "local many = {} for i = 1, 101 do many['x' .. i] = i end userFunction('f', { code = 'return 1', parameters = "
      "many })",
      "f: a function has too many variables\n  found 101, allowed: at most 100 inputs, parameters and states" },
  };
  ASSERT_REFUSED(rows);
}

// Unusual, but it can be meant: a warning, and the model goes on.
static void numbers_that_no_material_has_are_warned_of(void** state)
{
  (void)state;
  assert_reads("world('w')\nsolidMaterial('M', { density = 1, E = 1e9, nu = 0.7 })", cr_ok,
               "model.lua:2: warning: M: nu = 0.7 is above 0.5, which no isotropic material has");
  assert_reads("world('w')\nscene{ kRed = 2 }", cr_ok,
               "model.lua:2: warning: scene: kRed = 2 is above 1 and makes contacts stiffer than their materials");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(records_need_their_fields_by_name_and_once),
    cmocka_unit_test(numbers_and_matrices_are_told_from_what_is_none),
    cmocka_unit_test(names_and_colours_are_told_from_what_is_none),
    cmocka_unit_test(numbers_that_do_not_fit_are_told_with_what_does),
    cmocka_unit_test(gears_that_do_not_mesh_are_told_why),
    cmocka_unit_test(lists_of_points_and_names_of_files_are_told_from_what_is_none),
    cmocka_unit_test(numbers_that_no_material_has_are_warned_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
