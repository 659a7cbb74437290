// Plots in a terminal: each character is a Braille pattern of 2 x 4 dots.
//
//   1.0 ┤⠉⠑⢄        ⡠⠊⠉⠢
//       ┤   ⠡⡀    ⡔⠁
//  -1.0 ┤    ⠈⠒⠤⠔⠊
//       └────┴────┴────┴
//       0    1    2    3   time [s]
#include "show/plot_axes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CR_MIN_CHARACTERS 30 // narrower and lower plots say nothing
#define CR_MIN_PANEL_LINES 4
#define CR_MAX_CHARACTERS 2000
#define CR_MAX_LINES 2000
#define CR_LINES_PER_TICK 3
#define CR_CHARACTERS_PER_TICK 12
#define CR_VALUE_MARGIN 0.02 // of the range of values, above and below
#define CR_MAX_LEGEND 16     // names; more are counted

// The colours of the pictures, in the palette of 256 that terminals know.
static const int curveColors[] = { 33, 166, 36, 175, 214, 75, 245 };
#define CR_COLOR_COUNT ((int)(sizeof curveColors / sizeof *curveColors))

typedef struct Cell {
  unsigned char dots; // bits of the Braille pattern
  char letter;        // that names the curve here; 0: none
  short curve;        // that was drawn last
} Cell;

typedef struct Canvas {
  const crPlot* plot;
  crTextWriter writer;
  bool isColored;
  int width, height; // [cells]
  int margin;        // [characters] left of the canvas
  Cell* cells;       // (height x width)
  crAxis timeAxis, axis;
} Canvas;

static void put(const Canvas* canvas, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void put(const Canvas* canvas, const char* format, ...)
{
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  size = size < (int)sizeof text ? size : (int)sizeof text - 1;
  canvas->writer.write(canvas->writer.context, text, (size_t)(size > 0 ? size : 0));
}

// Characters, not bytes; control characters are replaced.
static int putName(const Canvas* canvas, const char* name, int limit)
{
  int count = 0;
  while (*name != '\0' && count < limit) {
    int size = 1;
    while (((unsigned char)name[size] & 0xc0) == 0x80) {
      ++size;
    }
    bool isControl = (unsigned char)*name < 0x20 || *name == 0x7f;
    put(canvas, "%.*s", isControl ? 1 : size, isControl ? "?" : name);
    name += size;
    ++count;
  }
  return count;
}

static int countCharacters(const char* text)
{
  int count = 0;
  for (; *text != '\0'; ++text) {
    count += ((unsigned char)*text & 0xc0) != 0x80;
  }
  return count;
}

// ----------------------------------------------------------------------------------------- drawing

// A dot at (x, y) counted in dots from the left and from the top.
static void setDot(Canvas* canvas, int x, int y, int curve)
{
  static const unsigned char bits[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } };
  if (x < 0 || y < 0 || x >= 2 * canvas->width || y >= 4 * canvas->height) {
    return;
  }
  Cell* cell = &canvas->cells[(size_t)(y / 4) * (size_t)canvas->width + (size_t)(x / 2)];
  cell->dots |= bits[y % 4][x % 2];
  cell->curve = (short)curve;
}

typedef struct Pen {
  Canvas* canvas;
  int curve;
  double x, y; // [dots] of the last point
} Pen;

static double clampTo(double value, double min, double max)
{
  return value < min ? min : value > max ? max : value;
}

// A line of dots to the next point. Points outside of the canvas are brought to its border first, so that no line is
// longer than the canvas.
static void drawPoint(void* context, double time, double value, bool isStart)
{
  Pen* pen = context;
  Canvas* canvas = pen->canvas;
  double columns = 2.0 * canvas->width - 1.0, rows = 4.0 * canvas->height - 1.0;
  const crAxis *t = &canvas->timeAxis, *v = &canvas->axis;
  double x = clampTo((time - t->min) / (t->max - t->min) * columns, -2.0, columns + 2.0);
  double y = clampTo((v->max - value) / (v->max - v->min) * rows, -2.0, rows + 2.0);
  double fromX = isStart ? x : pen->x, fromY = isStart ? y : pen->y;
  int steps = (int)ceil(fmax(fabs(x - fromX), fabs(y - fromY)));
  for (int i = 0; i <= steps; ++i) {
    double part = steps > 0 ? (double)i / steps : 0.0;
    setDot(canvas, (int)lround(fromX + part * (x - fromX)), (int)lround(fromY + part * (y - fromY)), pen->curve);
  }
  pen->x = x;
  pen->y = y;
}

static char letterOf(int curve)
{
  return (char)('a' + curve % 26);
}

// Puts the curve's letter on it at a place of its own. The cells that this curve drew last are its own.
static void placeLetter(Canvas* canvas, int curve, int curveCount)
{
  int x = (int)((curve + 0.5) / curveCount * canvas->width);
  for (int k = 0; k < canvas->width; ++k) {
    int column = (x + k) % canvas->width;
    for (int row = 0; row < canvas->height; ++row) {
      Cell* cell = &canvas->cells[(size_t)row * (size_t)canvas->width + (size_t)column];
      if (cell->dots != 0 && cell->curve == curve && cell->letter == 0) {
        cell->letter = letterOf(curve);
        return;
      }
    }
  }
}

static void drawCurves(Canvas* canvas, const crPanel* panel)
{
  memset(canvas->cells, 0, (size_t)canvas->width * (size_t)canvas->height * sizeof(Cell));
  for (int i = 0; i < panel->columnCount; ++i) {
    Pen pen = { .canvas = canvas, .curve = i };
    crTraceCurve(canvas->plot, panel->columns[i], 2 * canvas->width, drawPoint, &pen);
  }
  for (int i = 0; i < panel->columnCount && panel->columnCount > 1 && !canvas->isColored; ++i) {
    placeLetter(canvas, i, panel->columnCount);
  }
}

// ----------------------------------------------------------------------------------------- printing

static void printCell(const Canvas* canvas, const Cell* cell, int* color)
{
  int wanted = cell->dots != 0 && canvas->isColored ? curveColors[cell->curve % CR_COLOR_COUNT] : 0;
  if (wanted != *color) {
    put(canvas, wanted != 0 ? "\x1b[38;5;%dm" : "\x1b[%dm", wanted);
    *color = wanted;
  }
  unsigned code = 0x2800u + cell->dots;
  if (cell->letter != 0) {
    put(canvas, "%c", cell->letter);
  } else if (cell->dots == 0) {
    put(canvas, " ");
  } else {
    put(canvas, "%c%c%c", (int)(0xe0u | code >> 12), (int)(0x80u | (code >> 6 & 0x3fu)), (int)(0x80u | (code & 0x3fu)));
  }
}

// The tick whose label stands in a line, or -1.
static int tickOfLine(const Canvas* canvas, int line)
{
  for (int i = 0; i < canvas->axis.tickCount; ++i) {
    double part = (canvas->axis.max - crAxis_GetTick(&canvas->axis, i)) / (canvas->axis.max - canvas->axis.min);
    if ((int)lround(part * (4.0 * canvas->height - 1.0)) / 4 == line) {
      return i;
    }
  }
  return -1;
}

static void printLines(const Canvas* canvas)
{
  for (int line = 0; line < canvas->height; ++line) {
    char label[CR_TICK_SIZE] = "";
    int tick = tickOfLine(canvas, line), color = 0, last = canvas->width;
    if (tick >= 0) {
      crAxis_FormatTick(&canvas->axis, tick, label);
    }
    const Cell* cells = canvas->cells + (size_t)line * (size_t)canvas->width;
    while (last > 0 && cells[last - 1].dots == 0) {
      --last;
    }
    put(canvas, "%*s%s %s", canvas->margin - 2 - countCharacters(label), "", label, tick >= 0 ? "┤" : "│");
    for (int x = 0; x < last; ++x) {
      printCell(canvas, &cells[x], &color);
    }
    put(canvas, "%s\n", color != 0 ? "\x1b[0m" : "");
  }
}

static int placeTime(const Canvas* canvas, double time)
{
  const crAxis* axis = &canvas->timeAxis;
  return (int)lround((time - axis->min) / (axis->max - axis->min) * (2.0 * canvas->width - 1.0)) / 2;
}

static void printTimeAxis(const Canvas* canvas, bool isLowest)
{
  int tick = 0, place = 0;
  put(canvas, "%*s", canvas->margin - 1, "");
  put(canvas, "└");
  for (int x = 0; x < canvas->width; ++x) {
    bool isTick = tick < canvas->timeAxis.tickCount && x == placeTime(canvas, crAxis_GetTick(&canvas->timeAxis, tick));
    put(canvas, "%s", isTick ? "┴" : "─");
    tick += isTick;
  }
  put(canvas, "\n");
  if (!isLowest) {
    return;
  }
  put(canvas, "%*s", canvas->margin, "");
  for (int i = 0; i < canvas->timeAxis.tickCount; ++i) {
    char text[CR_TICK_SIZE];
    crAxis_FormatTick(&canvas->timeAxis, i, text);
    int start = placeTime(canvas, crAxis_GetTick(&canvas->timeAxis, i));
    int size = countCharacters(text);
    start = start + size > canvas->width ? canvas->width - size : start;
    if (start >= place + (place > 0)) {
      put(canvas, "%*s%s", start - place, "", text);
      place = start + size;
    }
  }
  char label[CR_LABEL_SIZE];
  crFormatAxisLabel("time", "s", canvas->timeAxis.exponent, label);
  put(canvas, "\n%*s%s\n", canvas->margin + (canvas->width - countCharacters(label)) / 2, "", label);
}

// The unit, then the names in their colours or behind their letters.
static void printLegend(const Canvas* canvas, const crPanel* panel)
{
  char label[CR_LABEL_SIZE];
  int width = canvas->margin + canvas->width;
  crFormatAxisLabel(panel->quantity, panel->unit, canvas->axis.exponent, label);
  put(canvas, "%s", label);
  int place = countCharacters(label);
  for (int i = 0; i < panel->columnCount; ++i) {
    const char* name = crResult_GetColumn(canvas->plot->result, panel->columns[i])->name;
    int size = countCharacters(name) + 5;
    if (i == CR_MAX_LEGEND) {
      put(canvas, "  and %d more", panel->columnCount - i);
      break;
    }
    if (place > 0 && place + size > width) {
      put(canvas, "\n");
      place = 0;
    }
    if (canvas->isColored) {
      put(canvas, "  \x1b[38;5;%dm──\x1b[0m ", curveColors[i % CR_COLOR_COUNT]);
    } else if (panel->columnCount > 1) {
      put(canvas, "   %c ", letterOf(i));
    } else {
      put(canvas, "     ");
    }
    place += 5 + putName(canvas, name, width > 5 ? width - 5 : 1);
  }
  put(canvas, "\n");
}

static void printTitle(const Canvas* canvas)
{
  int width = canvas->margin + canvas->width, size = countCharacters(canvas->plot->title);
  if (size > 0) {
    put(canvas, "%*s%s", size < width ? (width - size) / 2 : 0, "", canvas->isColored ? "\x1b[1m" : "");
    putName(canvas, canvas->plot->title, width);
    put(canvas, "%s\n", canvas->isColored ? "\x1b[0m" : "");
  }
}

// ------------------------------------------------------------------------------------------- layout

static crAxis makeValueAxis(const crPanel* panel, int height)
{
  bool isEmpty = panel->min > panel->max;
  return crMakeAxis(isEmpty ? 0.0 : panel->min, isEmpty ? 1.0 : panel->max, CR_VALUE_MARGIN,
                    height / CR_LINES_PER_TICK + 1);
}

// Title, three lines of time axis, and for each panel a legend and an axis line.
static void layOut(Canvas* canvas, int characters, int lines)
{
  const crPlot* plot = canvas->plot;
  int widest = 0;
  int height = (lines - 1 - 2 - 2 * plot->panelCount) / plot->panelCount;
  canvas->height = height > CR_MIN_PANEL_LINES ? height : CR_MIN_PANEL_LINES;
  for (int p = 0; p < plot->panelCount; ++p) {
    crAxis axis = makeValueAxis(&plot->panels[p], canvas->height);
    for (int i = 0; i < axis.tickCount; ++i) {
      char text[CR_TICK_SIZE];
      crAxis_FormatTick(&axis, i, text);
      widest = countCharacters(text) > widest ? countCharacters(text) : widest;
    }
  }
  canvas->margin = widest + 2;
  int width = characters - canvas->margin - 1;
  canvas->width = width > CR_MIN_PANEL_LINES ? width : CR_MIN_PANEL_LINES;
  canvas->timeAxis = crMakeAxis(plot->from, plot->to, 0.0, canvas->width / CR_CHARACTERS_PER_TICK + 1);
}

static int limitTo(int value, int min, int max)
{
  return value < min ? min : value > max ? max : value;
}

crStatus crPlotText(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                    const crAllocator* allocator, const crErrorSink* sink, crTextWriter writer)
{
  crPlotOptions chosen;
  if (result == NULL || writer.write == NULL || (columns == NULL && columnCount > 0) ||
      crChoosePlotOptions(options, sink, &chosen) != cr_ok) {
    return cr_errorMisuse;
  }
  options = &chosen;
  crPlot plot;
  crStatus status = crPreparePlot(result, columns, columnCount, options, allocator, sink, &plot);
  if (status != cr_ok) {
    return status;
  }
  Canvas canvas = { .plot = &plot, .writer = writer, .isColored = options->isColored };
  layOut(&canvas, limitTo(options->characters, CR_MIN_CHARACTERS, CR_MAX_CHARACTERS),
         limitTo(options->lines, CR_MIN_PANEL_LINES, CR_MAX_LINES));
  size_t cellCount = (size_t)canvas.width * (size_t)canvas.height;
  canvas.cells = crAllocateZero(&plot.allocator, cellCount, sizeof(Cell));
  if (canvas.cells != NULL) {
    printTitle(&canvas);
    for (int i = 0; i < plot.panelCount; ++i) {
      canvas.axis = makeValueAxis(&plot.panels[i], canvas.height);
      drawCurves(&canvas, &plot.panels[i]);
      printLegend(&canvas, &plot.panels[i]);
      printLines(&canvas);
      printTimeAxis(&canvas, i == plot.panelCount - 1);
    }
  } else {
    status = cr_errorMemory;
  }
  crFree(&plot.allocator, canvas.cells, cellCount * sizeof(Cell));
  crFreePlot(&plot);
  return status;
}
