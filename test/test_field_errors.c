// Fields of models with values that they cannot have: each is told with its line, its element, its name, what was
// found and what is allowed.
#include "support/lua.h"
#include "support/test.h"

#include <stdio.h>

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

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(records_need_their_fields_by_name_and_once),
    cmocka_unit_test(numbers_and_matrices_are_told_from_what_is_none),
    cmocka_unit_test(names_and_colours_are_told_from_what_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
