// What is made of a table: indices of sensitivity, and pictures.
#include "support/command.h"
#include "support/folder.h"
#include "support/sweeps.h"

#include "carom/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- sensitivity

// Ishigami's function of three angles in (-pi, pi), as the place of a thing that does not move.
static void writeIshigami(void)
{
  static const char text[] =
      "local p = parameters{ x1 = 0, x2 = 0, x3 = 0 }\n"
      "scene{ stopTime = 1e-3, interval = 1e-3 }\n"
      "local f = math.sin(p.x1) + 7 * math.sin(p.x2)^2 + 0.1 * p.x3^4 * math.sin(p.x1)\n"
      "local room = world('room')\n"
      "object('f', { parent = room, position = { f, 0, 0 } })\n"
      "object('ball', { parent = room, free = true, solid{ shape = sphere{ radius = 0.1 }, material = 'Steel' } })\n";
  crWriteTestFile(crTestPath("ishigami.lua"), text, sizeof text - 1);
}

#define ISHIGAMI                                                                                                       \
  "$carom sweep ishigami.lua --vary 'x1=uniform(-3.141592653589793,3.141592653589793)' --vary "                        \
  "'x2=uniform(-3.141592653589793,3.141592653589793)' --vary 'x3=uniform(-3.141592653589793,3.141592653589793)' "      \
  "--output 'last(f.position.x)' "

// V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2, V_1 = (1 + b pi^4/5)^2/2, V_2 = a^2/8, V_13 = 8 b^2 pi^8/225.
static void sobol_indices_of_ishigamis_function_are_found(void** state)
{
  (void)state;
  const double pi4 = pow(3.14159265358979323846, 4.0), a = 7.0, b = 0.1;
  double variance = a * a / 8.0 + b * pi4 / 5.0 + b * b * pi4 * pi4 / 18.0 + 0.5;
  double v1 = 0.5 * pow(1.0 + b * pi4 / 5.0, 2.0), v2 = a * a / 8.0, v13 = 8.0 * b * b * pi4 * pi4 / 225.0;
  double first[3] = { v1 / variance, v2 / variance, 0.0 };
  double total[3] = { (v1 + v13) / variance, v2 / variance, v13 / variance };
  assert_close(first[0], 0.3139, 5e-5);
  assert_close(first[1], 0.4424, 5e-5);
  writeIshigami();
  crAssertSays(ISHIGAMI "--design sensitivity --runs 10240 -o ishigami.sweep", 0, "10240 of 10240 runs;");
  crSweepTable* table = crReadTestTable("ishigami.sweep");
  crSensitivity indices[3];
  int count = 0;
  assert_int_equal(crSweepTable_ComputeSensitivity(table, 0, 0, NULL, indices, &count), cr_ok);
  assert_int_equal(count, 2048);
  for (int i = 0; i < 3; ++i) {
    print_message("x%d: first %.4f +- %.4f (%.4f), total %.4f +- %.4f (%.4f)\n", i + 1, indices[i].first,
                  indices[i].firstError, first[i], indices[i].total, indices[i].totalError, total[i]);
    assert_close(indices[i].first, first[i], 3.0 * indices[i].firstError);
    assert_close(indices[i].total, total[i], 3.0 * indices[i].totalError);
    assert_in_range((int)(1e4 * indices[i].firstError), 20, 400);
  }
  crAssertSays("$carom sweep show ishigami.sweep", 0, "indices of sensitivity by 2048 sets");
  crDestroySweepTable(table);
}

// Sets of which a run is missing do not count.
static void incomplete_sets_are_left_out(void** state)
{
  (void)state;
  writeIshigami();
  crAssertSays(ISHIGAMI "--design sensitivity --runs 50 --task 0/4 -o part.sweep", 0, " of 50 runs");
  crSweepTable* table = crReadTestTable("part.sweep");
  crSensitivity indices[3];
  int count = -1;
  assert_int_equal(crSweepTable_ComputeSensitivity(table, 0, 2, NULL, indices, &count), cr_ok);
  assert_in_range(count, 0, 9);
  assert_int_equal(crSweepTable_ComputeSensitivity(table, 1, 2, NULL, indices, &count), cr_errorMisuse);
  crDestroySweepTable(table);
  crAssertSays(ISHIGAMI "--runs 50 -o random.sweep", 0, "50 of 50 runs");
  table = crReadTestTable("random.sweep");
  assert_int_equal(crSweepTable_ComputeSensitivity(table, 0, 2, NULL, indices, &count), cr_errorMisuse);
  crDestroySweepTable(table);
}

// --------------------------------------------------------------------------------------------- plots

// Text in an SVG of cairo is made of glyphs, so what is there is told by the number of shapes.
static int countParts(const char* name, const char* part)
{
  size_t size;
  char* text = crReadTestFile(crTestPath(name), &size);
  int count = 0;
  for (const char* at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
    ++count;
  }
  free(text);
  return count;
}

static void plots_of_all_kinds_are_drawn(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom sweep drop.lua --vary height=0.1:0.5:5 --vary cor=0.5:0.9:4 --output 'last(ball.position.z)' "
               "--output 'count(contacts)' --output 'series(ball.position.z,20)' -o grid.sweep",
               0, "20 of 20");
  crAssertSays("$carom sweep plot grid.sweep map height cor ball.position.z -o map.svg --title Map", 0, "");
  crAssertSays("$carom sweep plot grid.sweep curve height 'last(ball.position.z)' -o curve.svg", 0, "");
  crAssertSays("$carom sweep plot grid.sweep curve height 'last(ball.position.z)' 'count(contacts)' -o two.pdf", 0, "");
  crAssertSays("$carom sweep plot grid.sweep curve 'series(ball.position.z)' -o series.svg", 0, "");
  crAssertSays("$carom sweep plot grid.sweep histogram 'count(contacts)' -o histogram.png", 0, "");
  crAssertSays("$carom sweep plot grid.sweep scatter -o scatter.svg", 0, "");
  assert_in_range(countParts("map.svg", "stroke:none;fill-rule:nonzero"), 120, 200); // 20 cells and 100 colours
  assert_in_range(countParts("series.svg", "stroke-opacity:0.8"), 20, 20);
  writeIshigami();
  crAssertSays(ISHIGAMI "--design sensitivity --runs 500 -o indices.sweep", 0, "500 of 500");
  crAssertSays("$carom sweep plot indices.sweep sensitivity f.position.x -o indices.svg", 0, "");
  crAssertSays("$carom sweep plot grid.sweep map height cor ball.position.z -o again.svg --title Map && "
               "cmp map.svg again.svg && echo same",
               0, "same");
}

// The bar of an output that is the same in all runs had no width.
static void one_value_has_a_bar(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom sweep drop.lua --vary height=0.1:0.5:5 --output 'last(ball.position.x)' -o same.sweep && "
               "$carom sweep plot same.sweep histogram ball.position.x -o same.svg",
               0, "5 of 5");
  size_t size;
  char* text = crReadTestFile(crTestPath("same.svg"), &size);
  const char* bar = strstr(text, "fill-opacity:0.85");
  const char* path = bar != NULL ? strstr(bar, "d=\"M ") : NULL;
  double left, top, right;
  assert_non_null(path);
  assert_int_equal(sscanf(path, "d=\"M %lf %lf L %lf ", &left, &top, &right), 3);
  assert_true(right - left > 10.0);
  free(text);
}

static void plots_that_cannot_be_are_told(void** state)
{
  (void)state;
  static const struct {
    const char *command, *says;
    int code;
  } wrong[] = {
    { "$carom sweep plot grid.sweep map height cor -o a.svg", "a map: two inputs, then the output", 1 },
    { "$carom sweep plot grid.sweep curve -o a.svg", "a curve: an input, then outputs", 1 },
    { "$carom sweep plot grid.sweep map heigth cor ball.position.z -o a.svg", "did you mean 'height'?", 1 },
    { "$carom sweep plot grid.sweep histogram height -o a.jpg", ".svg, .png, .pdf", 1 },
    { "$carom sweep plot grid.sweep histogram height", "-o FILE is missing", 2 },
    { "$carom sweep plot grid.sweep pie height -o a.svg", "curve, map, histogram", 2 },
    { "$carom sweep plot grid.sweep sensitivity 'count(contacts)' -o a.svg", "the design \"sensitivity\"", 1 },
    { "$carom sweep plot grid.sweep curve height -o a.svg", "a curve needs an input and an output", 1 },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    crAssertSays(wrong[i].command, wrong[i].code, wrong[i].says);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(sobol_indices_of_ishigamis_function_are_found),
    cmocka_unit_test(incomplete_sets_are_left_out),
    cmocka_unit_test(plots_of_all_kinds_are_drawn),
    cmocka_unit_test(one_value_has_a_bar),
    cmocka_unit_test(plots_that_cannot_be_are_told),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
