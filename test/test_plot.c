// Plots: ticks and labels by their rules, pictures by what is in them.
#include "carom/plot.h"
#include "show/plot_axes.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/results.h"

#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Damped oscillators: two angles [rad], two positions [m], a force [N] with a gap, and variables of more units.
static crResult* makeOscillators(int rowCount)
{
  crColumn columns[] = { { "arm.joint1.angle", "rad", "" },
                         { "arm.joint2.angle", "rad", "" },
                         { "cart.position.x", "m", "" },
                         { "cart.position.y", "m", "" },
                         { "spring.force", "N", "" },
                         { "a", "u1", "" },
                         { "b", "u2", "" },
                         { "c", "u3", "" },
                         { "d", "u4", "" } };
  crResultDef def = {
    .size = sizeof def, .path = crTestPath("plot.h5"), .columns = columns, .columnCount = 9, .modelName = "oscillators"
  };
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int r = 0; r < rowCount; ++r) {
    double t = 10.0 * r / 5000;
    double gap = t > 3.0 && t < 4.0 ? NAN : 1e6 * sin(t);
    double values[9] = { exp(-0.2 * t) * cos(3.0 * t), 0.5 * cos(5.0 * t), 0.1 * t, 0.02 * sin(900.0 * t), gap };
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = t, .values = values }), cr_ok);
  }
  assert_int_equal(crResultWriter_AddEvent(writer, 2.0, "contact", "a"), cr_ok);
  assert_int_equal(crResultWriter_AddEvent(writer, 2.0001, "contact", "b"), cr_ok);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  return crReadTestResult(crTestPath("plot.h5"));
}

static int countOf(const char* text, const char* part)
{
  int count = 0;
  for (const char* p = strstr(text, part); p != NULL; p = strstr(p + 1, part)) {
    ++count;
  }
  return count;
}

// --------------------------------------------------------------------------------------------- axes

static void ticks_are_round_inside_and_few(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int i = 0; i < 20000; ++i) {
    double size = pow(10.0, crRandom_Uniform(&random, -12.0, 12.0));
    double min = size * crRandom_Uniform(&random, -1.0, 1.0);
    double max = min + size * pow(10.0, crRandom_Uniform(&random, -4.0, 0.0));
    int limit = 2 + (int)(crRandom_Next(&random) % 10);
    crAxis axis = crMakeAxis(min, max, 0.0, limit);
    assert_true(axis.tickCount >= (limit > 3 ? 1 : 0) && axis.tickCount <= limit);
    double mantissa = axis.step / pow(10.0, floor(log10(axis.step) + 1e-9));
    assert_true(fabs(mantissa - 1.0) < 1e-6 || fabs(mantissa - 2.0) < 1e-6 || fabs(mantissa - 5.0) < 1e-6);
    char last[CR_TICK_SIZE] = "";
    for (int k = 0; k < axis.tickCount; ++k) {
      double tick = crAxis_GetTick(&axis, k);
      assert_true(tick >= axis.min - 1e-6 * axis.step && tick <= axis.max + 1e-6 * axis.step);
      char text[CR_TICK_SIZE];
      crAxis_FormatTick(&axis, k, text);
      assert_string_not_equal(text, last); // neighbours can be told apart
      memcpy(last, text, sizeof last);
    }
  }
}

static void assertTicks(double min, double max, int limit, const char* expected, int exponent)
{
  char all[512] = "";
  crAxis axis = crMakeAxis(min, max, 0.0, limit);
  for (int i = 0; i < axis.tickCount; ++i) {
    char text[CR_TICK_SIZE];
    crAxis_FormatTick(&axis, i, text);
    strcat(strcat(all, i > 0 ? " " : ""), text);
  }
  assert_string_equal(all, expected);
  assert_int_equal(axis.exponent, exponent);
}

static void tick_labels_are_what_people_write(void** state)
{
  (void)state;
  assertTicks(0.0, 10.0, 6, "0 2 4 6 8 10", 0);
  assertTicks(-1.2, 1.2, 6, "\u22121.0 \u22120.5 0.0 0.5 1.0", 0);
  assertTicks(0.0, 0.03, 5, "0.00 0.01 0.02 0.03", 0);
  assertTicks(0.0, 30000.0, 4, "0 10000 20000 30000", 0);
  assertTicks(0.0, 3e6, 4, "0 1 2 3", 6);
  assertTicks(-2e-5, 2e-5, 5, "\u221220 \u221210 0 10 20", -6);
  assertTicks(5.0, 5.0, 5, "4.6 4.8 5.0 5.2 5.4", 0); // a constant in the middle
  assertTicks(0.0, 5e-324, 5, "\u22121.0 \u22120.5 0.0 0.5 1.0", 0);
  assertTicks(-1.7e308, 1.7e308, 3, "\u221220 0 20", 306);
  assertTicks(0.0, 0.0, 5, "\u22121.0 \u22120.5 0.0 0.5 1.0", 0);
}

static void labels_have_units_powers_and_superscripts(void** state)
{
  (void)state;
  static const struct {
    const char *quantity, *unit;
    int exponent;
    const char* label;
  } cases[] = {
    { "angle", "rad", 0, "angle [rad]" },
    { "acceleration", "m/s^2", 0, "acceleration [m/s\u00b2]" },
    { "", "kg m^2 s^-1", 0, "[kg m\u00b2 s\u207b\u00b9]" },
    { "force", "N", 3, "force [10\u00b3 N]" },
    { "depth", "m", -6, "depth [10\u207b\u2076 m]" },
    { "ratio", "1", 0, "ratio" },
    { "ratio", "1", 3, "ratio [10\u00b3]" },
    { "", "1", 0, "" },
    { "x", "a^b", 0, "x [a^b]" },
    { "x", "a^", 0, "x [a^]" },
    { "x", "a^2-3", 0, "x [a^2-3]" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char label[CR_LABEL_SIZE];
    crFormatAxisLabel(cases[i].quantity, cases[i].unit, cases[i].exponent, label);
    assert_string_equal(label, cases[i].label);
  }
}

static void columns_of_one_unit_share_a_panel(void** state)
{
  (void)state;
  crResult* result = makeOscillators(100);
  int columns[] = { 2, 0, 3, 4, 1 };
  crPlotOptions options = crDefaultPlotOptions();
  crPlot plot;
  assert_int_equal(crPreparePlot(result, columns, 5, &options, NULL, NULL, &plot), cr_ok);
  assert_int_equal(plot.panelCount, 3);
  assert_string_equal(plot.panels[0].unit, "m");
  assert_int_equal(plot.panels[0].columnCount, 2);
  assert_string_equal(plot.panels[0].quantity, "position");
  assert_string_equal(plot.panels[1].quantity, "angle");
  assert_int_equal(plot.panels[1].columns[1], 1);
  assert_string_equal(plot.panels[2].quantity, "force");
  crFreePlot(&plot);
  crDestroyResult(result);
}

// ------------------------------------------------------------------------------------------- curves

typedef struct Trace {
  int points, starts;
  double min, max, lastTime;
} Trace;

static void addPoint(void* context, double time, double value, bool isStart)
{
  Trace* trace = context;
  assert_true(isStart || time >= trace->lastTime);
  trace->lastTime = time;
  ++trace->points;
  trace->starts += isStart;
  trace->min = fmin(trace->min, value);
  trace->max = fmax(trace->max, value);
}

static void thinned_curves_keep_extremes_ends_and_gaps(void** state)
{
  (void)state;
  crResult* result = makeOscillators(5001);
  for (int column = 0; column < 5; ++column) {
    crPlotOptions options = crDefaultPlotOptions();
    crPlot plot;
    assert_int_equal(crPreparePlot(result, &column, 1, &options, NULL, NULL, &plot), cr_ok);
    Trace trace = { .min = INFINITY, .max = -INFINITY };
    crTraceCurve(&plot, column, 100, addPoint, &trace);
    assert_true(trace.points <= 4 * 101 && trace.points >= 100);
    assert_int_equal(trace.starts, column == 4 ? 2 : 1);
    assert_true(trace.min == plot.panels[0].min && trace.max == plot.panels[0].max);
    assert_close(trace.lastTime, 10.0, 0.0);
    crFreePlot(&plot);
  }
  crDestroyResult(result);
}

// ----------------------------------------------------------------------------------------- pictures

// Curves are strokes in their colour that are clipped to a panel; samples in legends are not.
static void svg_has_a_path_for_each_curve(void** state)
{
  (void)state;
  crResult* result = makeOscillators(5001);
  int columns[] = { 0, 1, 2, 3, 4 };
  assert_int_equal(crPlotResult(result, columns, 5, NULL, crTestPath("a.svg"), NULL, NULL), cr_ok);
  char* svg = crReadTestFile(crTestPath("a.svg"), NULL);
  assert_non_null(strstr(svg, "<svg "));
  assert_non_null(strstr(svg, "</svg>"));
  assert_int_equal(countOf(svg, "<svg "), 1);
  assert_int_equal(countOf(svg, "clip-path=\"url("), 5); // five curves
  assert_int_equal(countOf(svg, "stroke:rgb(0%,44.7%,69.8%)"), 3 + 3);
  assert_int_equal(countOf(svg, "stroke:rgb(83.5%,36.9%,0%)"), 2 + 2);
  assert_true(countOf(svg, "<use xlink:href=\"#glyph") > 100); // letters of the labels
  assert_null(strstr(svg, "nan"));
  assert_null(strstr(svg, "inf"));
  free(svg);
  crDestroyResult(result);
}

static void events_are_marked_on_request(void** state)
{
  (void)state;
  crResult* result = makeOscillators(1001);
  int column = 0;
  crPlotOptions options = crDefaultPlotOptions();
  assert_int_equal(crPlotResult(result, &column, 1, &options, crTestPath("a.svg"), NULL, NULL), cr_ok);
  options.hasEventMarks = true;
  assert_int_equal(crPlotResult(result, &column, 1, &options, crTestPath("b.svg"), NULL, NULL), cr_ok);
  char *without = crReadTestFile(crTestPath("a.svg"), NULL), *with = crReadTestFile(crTestPath("b.svg"), NULL);
  assert_int_equal(countOf(without, "stroke-dasharray"), 0);
  assert_int_equal(countOf(with, "stroke-dasharray"), 1); // two events at the same place
  free(without);
  free(with);
  crDestroyResult(result);
}

// Pixels whose colour is near to the given one.
static int countPixels(cairo_surface_t* surface, int red, int green, int blue)
{
  const unsigned char* bytes = cairo_image_surface_get_data(surface);
  int stride = cairo_image_surface_get_stride(surface), count = 0;
  for (int y = 0; y < cairo_image_surface_get_height(surface); ++y) {
    for (int x = 0; x < cairo_image_surface_get_width(surface); ++x) {
      uint32_t pixel;
      memcpy(&pixel, bytes + (size_t)y * (size_t)stride + 4 * (size_t)x, sizeof pixel);
      int r = (int)(pixel >> 16 & 255), g = (int)(pixel >> 8 & 255), b = (int)(pixel & 255);
      count += abs(r - red) + abs(g - green) + abs(b - blue) < 12;
    }
  }
  return count;
}

static void png_shows_curves_and_text_on_white(void** state)
{
  (void)state;
  crResult* result = makeOscillators(5001);
  int columns[] = { 0, 1 };
  crPlotOptions options = crDefaultPlotOptions();
  options.width = 400.0;
  options.height = 300.0;
  options.resolution = 1.5;
  assert_int_equal(crPlotResult(result, columns, 2, &options, crTestPath("a.png"), NULL, NULL), cr_ok);
  cairo_surface_t* surface = cairo_image_surface_create_from_png(crTestPath("a.png"));
  assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
  assert_int_equal(cairo_image_surface_get_width(surface), 600);
  assert_int_equal(cairo_image_surface_get_height(surface), 450);
  int pixels = 600 * 450;
  assert_true(countPixels(surface, 255, 255, 255) > pixels * 7 / 10);
  assert_true(countPixels(surface, 0, 114, 178) > 500); // the first curve
  assert_true(countPixels(surface, 213, 94, 0) > 500);  // the second
  assert_true(countPixels(surface, 38, 38, 38) > 500);  // axes and letters
  cairo_surface_destroy(surface);
  crDestroyResult(result);
}

static void pdf_is_a_pdf_without_a_date(void** state)
{
  (void)state;
  crResult* result = makeOscillators(501);
  int column = 0;
  size_t size;
  assert_int_equal(crPlotResult(result, &column, 1, NULL, crTestPath("a.pdf"), NULL, NULL), cr_ok);
  char* pdf = crReadTestFile(crTestPath("a.pdf"), &size);
  assert_memory_equal(pdf, "%PDF-", 5);
  assert_memory_equal(pdf + size - 6, "%%EOF\n", 6);
  for (size_t i = 0; i + 4 < size; ++i) {
    assert_true(memcmp(pdf + i, "D:20", 4) != 0);
  }
  free(pdf);
  crDestroyResult(result);
}

static void odd_data_is_drawn_without_trouble(void** state)
{
  (void)state;
  crColumn columns[] = { { "nan", "m", "" }, { "huge", "N", "" }, { "tiny", "s", "" }, { "a\x01\xc3\xa4", "1", "" } };
  crResultDef def = {
    .size = sizeof def, .path = crTestPath("odd.h5"), .columns = columns, .columnCount = 4, .modelName = ""
  };
  for (int rows = 1; rows < 4; ++rows) {
    crResultWriter* writer = NULL;
    assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
    for (int r = 0; r < rows; ++r) {
      double values[4] = { NAN, r % 2 == 0 ? 1.7e308 : -1.7e308, 5e-324 * r, r % 2 == 0 ? INFINITY : 3.0 };
      assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = 1e9, .values = values }), cr_ok);
    }
    assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
    crResult* result = crReadTestResult(def.path);
    int all[] = { 0, 1, 2, 3 };
    assert_int_equal(crPlotResult(result, all, 4, NULL, crTestPath("odd.svg"), NULL, NULL), cr_ok);
    char* svg = crReadTestFile(crTestPath("odd.svg"), NULL);
    assert_null(strstr(svg, "nan"));
    free(svg);
    crDestroyResult(result);
  }
}

// A time that a damaged file may have. With dashes along the whole way the picture would never be done.
static void lines_that_lead_far_outside_are_cut_off(void** state)
{
  (void)state;
  enum { COUNT = 24 }; // the last ones are drawn in dashes
  static const double times[] = { 0.0, 0.5, -1e9, 1e9, 1.0 };
  crColumn columns[COUNT];
  char names[COUNT][8];
  int all[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    snprintf(names[i], sizeof names[i], "x%d", i);
    columns[i] = (crColumn){ names[i], "m", "" };
    all[i] = i;
  }
  crResultDef def = {
    .size = sizeof def, .path = crTestPath("far.h5"), .columns = columns, .columnCount = COUNT, .modelName = ""
  };
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int r = 0; r < 5; ++r) {
    double values[COUNT];
    for (int i = 0; i < COUNT; ++i) {
      values[i] = i + 0.5 * r;
    }
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = times[r], .values = values }), cr_ok);
  }
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  crResult* result = crReadTestResult(def.path);
  clock_t start = clock();
  assert_int_equal(crPlotResult(result, all, COUNT, NULL, crTestPath("far.png"), NULL, NULL), cr_ok);
  assert_true((double)(clock() - start) < 5.0 * CLOCKS_PER_SEC);
  assert_int_equal(crPlotResult(result, all, COUNT, NULL, crTestPath("far.svg"), NULL, NULL), cr_ok);
  char* svg = crReadTestFile(crTestPath("far.svg"), NULL);
  assert_int_equal(countOf(svg, "stroke-dasharray") > 0, 1);
  free(svg);
  crDestroyResult(result);
}

// ---------------------------------------------------------------------------------------- characters

typedef struct Text {
  char bytes[200000];
  size_t size;
} Text;

static void collect(void* context, const char* bytes, size_t size)
{
  Text* text = context;
  assert_true(text->size + size < sizeof text->bytes);
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

static void text_plot_fits_into_the_terminal(void** state)
{
  (void)state;
  static Text text;
  crResult* result = makeOscillators(5001);
  int columns[] = { 0, 1, 2, 3, 4 };
  for (int count = 1; count <= 5; count += 2) {
    for (int width = 40; width <= 200; width += 40) {
      crPlotOptions options = crDefaultPlotOptions();
      options.characters = width;
      options.lines = 40;
      text.size = 0;
      crTextWriter writer = { collect, &text };
      assert_int_equal(crPlotText(result, columns, count, &options, NULL, NULL, writer), cr_ok);
      assert_true(countOf(text.bytes, "\n") <= 40 + count);
      int characters = 0;
      for (const char* c = text.bytes; *c != '\0'; ++c) {
        characters = *c == '\n' ? 0 : characters + (((unsigned char)*c & 0xc0) != 0x80);
        assert_true(characters <= width);
      }
      assert_non_null(strstr(text.bytes, "angle [rad]"));
      assert_non_null(strstr(text.bytes, "time [s]"));
      assert_null(strstr(text.bytes, "\x1b"));
    }
  }
  crDestroyResult(result);
}

static void text_plot_shows_the_curve_where_it_is(void** state)
{
  (void)state;
  static Text text;
  crResult* result = makeOscillators(5001);
  int column = 2; // rises from 0 to 1 on a straight line
  crTextWriter writer = { collect, &text };
  text.size = 0;
  assert_int_equal(crPlotText(result, &column, 1, NULL, NULL, NULL, writer), cr_ok);
  int line = 0, lastIndent = 1000;
  for (const char* next = strchr(text.bytes, '\n'); next != NULL && line <= 19; next = strchr(next + 1, '\n')) {
    const char* border = strpbrk(next + 1, "\xe2");
    const char* end = strchr(next + 1, '\n');
    if (line >= 1 && border != NULL && border < end) {
      int indent = (int)strspn(border + 3, " ");
      assert_true(indent <= lastIndent); // higher lines lie further right
      lastIndent = indent;
    }
    ++line;
  }
  assert_true(lastIndent <= 1);
  crDestroyResult(result);
}

static void colours_only_when_asked(void** state)
{
  (void)state;
  static Text text;
  crResult* result = makeOscillators(501);
  int columns[] = { 0, 1 };
  crPlotOptions options = crDefaultPlotOptions();
  crTextWriter writer = { collect, &text };
  options.isColored = true;
  text.size = 0;
  assert_int_equal(crPlotText(result, columns, 2, &options, NULL, NULL, writer), cr_ok);
  assert_non_null(strstr(text.bytes, "\x1b[38;5;33m"));
  assert_non_null(strstr(text.bytes, "\x1b[38;5;166m"));
  assert_null(strstr(text.bytes, " a arm"));
  options.isColored = false;
  text.size = 0;
  assert_int_equal(crPlotText(result, columns, 2, &options, NULL, NULL, writer), cr_ok);
  assert_non_null(strstr(text.bytes, " a arm.joint1.angle"));
  assert_non_null(strstr(text.bytes, " b arm.joint2.angle"));
  crDestroyResult(result);
}

// ---------------------------------------------------------------------------------------- bad input

static void what_cannot_be_plotted_is_told(void** state)
{
  (void)state;
  crResult *result = makeOscillators(101), *empty = makeOscillators(0);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  int columns[] = { 0, 2, 4, 5, 6, 7, 8 }, wrong = 9, files = crCountTestFiles();
  crPlotOptions options = crDefaultPlotOptions();
  const char* path = crTestPath("never.svg");
  assert_int_equal(crPlotResult(result, columns, 7, NULL, path, NULL, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "found 7, allowed: up to 6");
  assert_int_equal(crPlotResult(result, columns, 0, NULL, path, NULL, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "no variables to plot");
  assert_int_equal(crPlotResult(empty, columns, 1, NULL, path, NULL, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "no rows to plot");
  assert_int_equal(crPlotResult(result, columns, 1, NULL, crTestPath("never.gif"), NULL, &sink), cr_errorFile);
  assert_message(log, cr_severityError, "allowed: .svg, .png, .pdf");
  assert_int_equal(crPlotResult(result, columns, 1, NULL, crTestPath("no/such/a.svg"), NULL, &sink), cr_errorFile);
  assert_message(log, cr_severityError, "No such file or directory");
  options.from = 100.0;
  options.to = 101.0;
  assert_int_equal(crPlotResult(result, columns, 1, &options, path, NULL, &sink), cr_errorModel);
  assert_message(log, cr_severityError, "no rows in the times to plot");
  options = crDefaultPlotOptions();
  options.height = 130.0;
  assert_int_equal(crPlotResult(result, columns, 6, &options, path, NULL, &sink), cr_errorFile);
  assert_message(log, cr_severityError, "does not fit into a picture of this size");
  options.width = NAN;
  assert_int_equal(crPlotResult(result, columns, 1, &options, path, NULL, &sink), cr_errorFile);
  assert_message(log, cr_severityError, "120 to 5000 points");
  options = crDefaultPlotOptions();
  options.width = 5000.0; // 50,000 pixels: more than cairo has
  options.resolution = 10.0;
  path = crTestPath("never.png");
  assert_int_equal(crPlotResult(result, columns, 1, &options, path, NULL, &sink), cr_errorFile);
  assert_message(log, cr_severityError, "never.png: error: the plot cannot be drawn\n  found ");
  assert_int_equal(crPlotResult(result, &wrong, 1, NULL, path, NULL, &sink), cr_errorMisuse);
  assert_int_equal(crPlotResult(NULL, &wrong, 1, NULL, path, NULL, &sink), cr_errorMisuse);
  assert_int_equal(crCountTestFiles(), files);
  crDestroyErrorLog(log);
  crDestroyResult(result);
  crDestroyResult(empty);
}

static void out_of_memory_is_clean_at_every_allocation(void** state)
{
  (void)state;
  static Text text;
  crResult* result = makeOscillators(101);
  int columns[] = { 0, 2 };
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus picture = cr_errorMemory, characters = cr_errorMemory;
  for (long failAt = 0; picture == cr_errorMemory || characters == cr_errorMemory; ++failAt) {
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    picture = crPlotResult(result, columns, 2, NULL, crTestPath("a.svg"), &allocator, NULL);
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    text.size = 0;
    crTextWriter writer = { collect, &text };
    characters = crPlotText(result, columns, 2, NULL, &allocator, NULL, writer);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_int_equal(picture, cr_ok);
  assert_int_equal(characters, cr_ok);
  crDestroyResult(result);
}

static void patterns_select_columns_and_offer_names(void** state)
{
  (void)state;
  crResult* result = makeOscillators(1);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  int columns[9], count;
  const char* good[] = { "spring.force", "arm.*.angle", "**.angle" };
  assert_int_equal(crResult_SelectColumns(result, good, 3, NULL, &sink, columns, &count), cr_ok);
  assert_int_equal(count, 3);
  assert_true(columns[0] == 4 && columns[1] == 0 && columns[2] == 1);
  const char* bad[] = { "spring.fource", "arm.*.angel", "nothing.like.this.at.all" };
  assert_int_equal(crResult_SelectColumns(result, bad, 3, NULL, &sink, columns, &count), cr_errorModel);
  assert_int_equal(crErrorLog_CountOf(log, cr_severityError), 3);
  assert_message(log, cr_severityError, "did you mean spring.force");
  assert_message(log, cr_severityError, "did you mean arm.joint1.angle, arm.joint2.angle");
  assert_message(log, cr_severityError, "'**' for any");
  crDestroyErrorLog(log);
  crDestroyResult(result);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ticks_are_round_inside_and_few),
    cmocka_unit_test(tick_labels_are_what_people_write),
    cmocka_unit_test(labels_have_units_powers_and_superscripts),
    cmocka_unit_test(columns_of_one_unit_share_a_panel),
    cmocka_unit_test(thinned_curves_keep_extremes_ends_and_gaps),
    cmocka_unit_test(svg_has_a_path_for_each_curve),
    cmocka_unit_test(events_are_marked_on_request),
    cmocka_unit_test(png_shows_curves_and_text_on_white),
    cmocka_unit_test(pdf_is_a_pdf_without_a_date),
    cmocka_unit_test(odd_data_is_drawn_without_trouble),
    cmocka_unit_test(lines_that_lead_far_outside_are_cut_off),
    cmocka_unit_test(text_plot_fits_into_the_terminal),
    cmocka_unit_test(text_plot_shows_the_curve_where_it_is),
    cmocka_unit_test(colours_only_when_asked),
    cmocka_unit_test(what_cannot_be_plotted_is_told),
    cmocka_unit_test(out_of_memory_is_clean_at_every_allocation),
    cmocka_unit_test(patterns_select_columns_and_offer_names),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
