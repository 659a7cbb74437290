// The drawings of sweeps: curves, maps, histograms, matrices of points, indices.
#include "show/sweep_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_LEFT 76.0       // [points] around a frame
#define CR_RIGHT 18.0      //
#define CR_TOP 34.0        //
#define CR_BOTTOM 48.0     //
#define CR_BAR_ROOM 78.0   // for the colours of a map
#define CR_TICK_ROOM 60.0  // [points] between ticks along, and
#define CR_TICK_SPACE 30.0 // upwards
#define CR_BAND 0.1        // share of values left out below and above a band
#define CR_MAX_BINS 100

static crFrame makeFrame(const crSweepPlot* plot, double room)
{
  return (crFrame){ .left = CR_LEFT,
                    .top = plot->options->title != NULL ? CR_TOP : 0.5 * CR_TOP,
                    .width = plot->width - CR_LEFT - CR_RIGHT - room,
                    .height = plot->height - CR_BOTTOM - (plot->options->title != NULL ? CR_TOP : 0.5 * CR_TOP) };
}

static crAxis makeAxis(double min, double max, double margin, double length, double room)
{
  return min <= max ? crMakeAxis(min, max, margin, (int)(length / room) + 1) : crMakeAxis(0.0, 1.0, margin, 3);
}

static void setCurveColor(cairo_t* cairo, int index, double opacity)
{
  crPaint c = crCurveColors[index % CR_CURVE_COLORS];
  cairo_set_source_rgba(cairo, c.red, c.green, c.blue, opacity);
}

static void drawDot(cairo_t* cairo, double x, double y, double radius)
{
  if (isfinite(x) && isfinite(y)) {
    cairo_arc(cairo, x, y, radius, 0.0, 6.283185307179586);
    cairo_fill(cairo);
  }
}

static double chooseOpacity(int count)
{
  return count < 200 ? 0.8 : count < 2000 ? 0.4 : count < 20000 ? 0.15 : 0.05;
}

static int compareNumbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

// The value below which a share of sorted ones lies.
static double findQuantile(const double* sorted, int count, double share)
{
  double place = share * (count - 1);
  int i = (int)place;
  return i + 1 < count ? sorted[i] + (place - i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

// --------------------------------------------------------------------------------------------- curves

// What is known of an output at one value of the input.
typedef struct Level {
  double x, low, mean, high; // mean NaN: nothing
} Level;

static Level measureLevel(const crSweepPlot* plot, const crSweepColumn* in, const crSweepColumn* out, double x,
                          double* scratch)
{
  int count = 0;
  double sum = 0.0;
  for (int i = 0; i < plot->rowCount; ++i) {
    double value = crSweepColumn_Get(out, i);
    if (crSweepColumn_Get(in, i) == x && isfinite(value)) {
      scratch[count++] = value;
      sum += value;
    }
  }
  if (count == 0) {
    return (Level){ x, NAN, NAN, NAN };
  }
  qsort(scratch, (size_t)count, sizeof *scratch, compareNumbers);
  return (Level){ x, findQuantile(scratch, count, CR_BAND), sum / count, findQuantile(scratch, count, 1.0 - CR_BAND) };
}

static void drawLevels(const crFrame* frame, cairo_t* cairo, const Level* levels, int count, int color)
{
  for (int i = 0; i < count; ++i) { // up along the band, and back
    cairo_line_to(cairo, crFrame_PlaceX(frame, levels[i].x), crFrame_PlaceY(frame, levels[i].high));
  }
  for (int i = count - 1; i >= 0; --i) {
    cairo_line_to(cairo, crFrame_PlaceX(frame, levels[i].x), crFrame_PlaceY(frame, levels[i].low));
  }
  cairo_close_path(cairo);
  setCurveColor(cairo, color, 0.2);
  cairo_fill(cairo);
  for (int i = 0; i < count; ++i) {
    cairo_line_to(cairo, crFrame_PlaceX(frame, levels[i].x), crFrame_PlaceY(frame, levels[i].mean));
  }
  setCurveColor(cairo, color, 1.0);
  cairo_set_line_width(cairo, 1.4);
  cairo_stroke(cairo);
}

static void drawCurveOf(crSweepPlot* plot, const crFrame* frame, cairo_t* cairo, int index)
{
  const crSweepColumn *in = &plot->columns[0], *out = &plot->columns[index];
  const double* values = NULL;
  int count = crSweepPlot_ListValues(plot, in, &values), kept = 0;
  double* scratch = crArena_AllocateZero(&plot->arena, (size_t)plot->rowCount + 1, sizeof *scratch);
  Level* levels = crArena_AllocateZero(&plot->arena, (size_t)count + 1, sizeof *levels);
  if (count == 0 || scratch == NULL || levels == NULL) {
    setCurveColor(cairo, index - 1, chooseOpacity(plot->rowCount));
    for (int i = 0; i < plot->rowCount; ++i) {
      drawDot(cairo, crFrame_PlaceX(frame, crSweepColumn_Get(in, i)), crFrame_PlaceY(frame, crSweepColumn_Get(out, i)),
              2.0);
    }
    return;
  }
  for (int i = 0; i < count; ++i) {
    Level level = measureLevel(plot, in, out, values[i], scratch);
    if (isfinite(level.mean)) {
      levels[kept++] = level;
    }
  }
  drawLevels(frame, cairo, levels, kept, index - 1);
  for (int i = 0; i < kept; ++i) {
    drawDot(cairo, crFrame_PlaceX(frame, levels[i].x), crFrame_PlaceY(frame, levels[i].mean), 2.0);
  }
}

void crDrawSweepCurve(crSweepPlot* plot, cairo_t* cairo)
{
  crFrame frame = makeFrame(plot, 0.0);
  double min, max, low = INFINITY, high = -INFINITY;
  char labelX[CR_LABEL_SIZE], labelY[CR_LABEL_SIZE];
  (void)crSweepColumn_FindRange(&plot->columns[0], plot->rowCount, &min, &max);
  frame.x = makeAxis(min, max, 0.02, frame.width, CR_TICK_ROOM);
  for (int i = 1; i < plot->columnCount; ++i) {
    if (crSweepColumn_FindRange(&plot->columns[i], plot->rowCount, &min, &max)) {
      low = fmin(low, min);
      high = fmax(high, max);
    }
  }
  frame.y = makeAxis(low, high, 0.04, frame.height, CR_TICK_SPACE);
  crSweepColumn_Label(&plot->columns[0], frame.x.exponent, labelX);
  crSweepColumn_Label(&plot->columns[1], frame.y.exponent, labelY);
  crFrame_Draw(&frame, cairo, labelX, plot->columnCount == 2 ? labelY : "");
  for (int i = 1; i < plot->columnCount; ++i) {
    drawCurveOf(plot, &frame, cairo, i);
    if (plot->columnCount > 2) {
      crCanvas_SetFont(cairo, 10.0, false);
      setCurveColor(cairo, i - 1, 1.0);
      crCanvas_DrawText(cairo, frame.left + frame.width - 4.0, frame.top + 13.0 * i, 1.0, plot->columns[i].name);
    }
  }
}

// A series: how many columns follow each other under its name.
static int countSamples(const crSweepTable* table, int output)
{
  const char* name = crSweepTable_GetOutput(table, output)->name;
  const char* open = strrchr(name, '[');
  size_t length = open != NULL ? (size_t)(open - name) + 1 : strlen(name) + 1;
  int count = 1;
  while (output + count < crSweepTable_CountOutputs(table) &&
         strncmp(crSweepTable_GetOutput(table, output + count)->name, name, length) == 0) {
    ++count;
  }
  return count;
}

// All runs over their time, from start (0) to stop (1).
void crDrawSweepSeries(crSweepPlot* plot, cairo_t* cairo)
{
  crFrame frame = makeFrame(plot, 0.0);
  const crSweepColumn* column = &plot->columns[0];
  int count = countSamples(plot->table, column->output);
  double low = INFINITY, high = -INFINITY, min, max;
  char label[CR_LABEL_SIZE], name[CR_LABEL_SIZE];
  for (int k = 0; k < count; ++k) {
    crSweepColumn sample = *column;
    sample.values += k;
    if (crSweepColumn_FindRange(&sample, plot->rowCount, &min, &max)) {
      low = fmin(low, min);
      high = fmax(high, max);
    }
  }
  frame.x = makeAxis(0.0, 1.0, 0.0, frame.width, CR_TICK_ROOM);
  frame.y = makeAxis(low, high, 0.04, frame.height, CR_TICK_SPACE);
  snprintf(name, sizeof name, "%.*s", (int)strcspn(column->name, "["), column->name);
  crFormatAxisLabel(name, column->unit, frame.y.exponent, label);
  crFrame_Draw(&frame, cairo, "share of the time from start to stop", label);
  cairo_set_line_width(cairo, 0.8);
  setCurveColor(cairo, 0, chooseOpacity(plot->rowCount));
  for (int i = 0; i < plot->rowCount; ++i) {
    for (int k = 0; k < count; ++k) {
      double value = column->values[(size_t)i * (size_t)column->stride + (size_t)k];
      if (isfinite(value)) {
        cairo_line_to(cairo, crFrame_PlaceX(&frame, (double)k / (count - 1)), crFrame_PlaceY(&frame, value));
      }
    }
    cairo_stroke(cairo);
  }
}

// ----------------------------------------------------------------------------------------------- map

// Half way to the neighbours on both sides.
static void findCell(const double* values, int count, int i, double min, double max, double* outLow, double* outHigh)
{
  *outLow = i > 0 ? 0.5 * (values[i - 1] + values[i]) : min;
  *outHigh = i + 1 < count ? 0.5 * (values[i] + values[i + 1]) : max;
}

// Where a list of values begins and ends when each has a cell.
static void widen(const double* values, int count, double* ioMin, double* ioMax)
{
  if (count > 1) {
    *ioMin -= 0.5 * (values[1] - values[0]);
    *ioMax += 0.5 * (values[count - 1] - values[count - 2]);
  }
}

static int findPlace(const double* values, int count, double value)
{
  int low = 0, high = count - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (values[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Means of the output in the cells; NaN: none. NULL: out of memory.
static double* measureCells(crSweepPlot* plot, const double* xs, int countX, const double* ys, int countY)
{
  size_t cells = (size_t)countX * (size_t)countY;
  double* sums = crArena_AllocateZero(&plot->arena, cells, sizeof *sums);
  int* counts = crArena_AllocateZero(&plot->arena, cells, sizeof *counts);
  if (sums == NULL || counts == NULL) {
    return NULL;
  }
  for (int i = 0; i < plot->rowCount; ++i) {
    double value = crSweepColumn_Get(&plot->columns[2], i);
    if (isfinite(value)) {
      size_t cell = (size_t)findPlace(ys, countY, crSweepColumn_Get(&plot->columns[1], i)) * (size_t)countX +
                    (size_t)findPlace(xs, countX, crSweepColumn_Get(&plot->columns[0], i));
      sums[cell] += value;
      ++counts[cell];
    }
  }
  for (size_t i = 0; i < cells; ++i) {
    sums[i] = counts[i] > 0 ? sums[i] / counts[i] : NAN;
  }
  return sums;
}

static void drawColorBar(const crSweepPlot* plot, const crFrame* frame, cairo_t* cairo, double min, double max)
{
  crFrame bar = { frame->left + frame->width + 60.0, frame->top, 12.0, frame->height,
                  .x = crMakeAxis(0.0, 1.0, 0.0, 2) };
  bar.y = makeAxis(min, max, 0.0, bar.height, CR_TICK_SPACE);
  bar.x.tickCount = 0;
  char label[CR_LABEL_SIZE];
  crSweepColumn_Label(&plot->columns[2], bar.y.exponent, label);
  crFrame_Draw(&bar, cairo, "", label);
  for (int i = 0; i < 100; ++i) {
    crPaint c = crFindMapColor((i + 0.5) / 100.0);
    double y = bar.top + bar.height * (99 - i) / 100.0;
    cairo_set_source_rgb(cairo, c.red, c.green, c.blue);
    cairo_rectangle(cairo, bar.left, y, bar.width, bar.height / 100.0 + 0.5);
    cairo_fill(cairo);
  }
}

static void fillMap(const crFrame* frame, cairo_t* cairo, const double* xs, int countX, const double* ys, int countY,
                    const double* cells, double low, double high)
{
  for (int j = 0; j < countY; ++j) {
    for (int i = 0; i < countX; ++i) {
      double x0, x1, y0, y1, value = cells[(size_t)j * (size_t)countX + (size_t)i];
      findCell(xs, countX, i, frame->x.min, frame->x.max, &x0, &x1);
      findCell(ys, countY, j, frame->y.min, frame->y.max, &y0, &y1);
      crPaint c = crFindMapColor(high > low ? (value - low) / (high - low) : isfinite(value) ? 0.5 : NAN);
      double left = crFrame_PlaceX(frame, x0), top = crFrame_PlaceY(frame, y1);
      cairo_set_source_rgb(cairo, c.red, c.green, c.blue);
      cairo_rectangle(cairo, left, top, crFrame_PlaceX(frame, x1) - left + 0.3, crFrame_PlaceY(frame, y0) - top + 0.3);
      cairo_fill(cairo);
    }
  }
}

void crDrawSweepMap(crSweepPlot* plot, cairo_t* cairo)
{
  crFrame frame = makeFrame(plot, CR_BAR_ROOM);
  const double *xs = NULL, *ys = NULL;
  int countX = crSweepPlot_ListValues(plot, &plot->columns[0], &xs);
  int countY = crSweepPlot_ListValues(plot, &plot->columns[1], &ys);
  double minX, maxX, minY, maxY, low, high;
  (void)crSweepColumn_FindRange(&plot->columns[0], plot->rowCount, &minX, &maxX);
  (void)crSweepColumn_FindRange(&plot->columns[1], plot->rowCount, &minY, &maxY);
  bool isListed = countX > 1 && countY > 1;
  double* cells = isListed ? measureCells(plot, xs, countX, ys, countY) : NULL;
  crSweepColumn means = { .values = cells, .stride = 1 };
  bool hasRange = cells != NULL ? crSweepColumn_FindRange(&means, countX * countY, &low, &high)
                                : crSweepColumn_FindRange(&plot->columns[2], plot->rowCount, &low, &high);
  if (cells != NULL) {
    widen(xs, countX, &minX, &maxX);
    widen(ys, countY, &minY, &maxY);
  }
  frame.x = makeAxis(minX, maxX, cells != NULL ? 0.0 : 0.02, frame.width, CR_TICK_ROOM);
  frame.y = makeAxis(minY, maxY, cells != NULL ? 0.0 : 0.02, frame.height, CR_TICK_SPACE);
  char labelX[CR_LABEL_SIZE], labelY[CR_LABEL_SIZE];
  crSweepColumn_Label(&plot->columns[0], frame.x.exponent, labelX);
  crSweepColumn_Label(&plot->columns[1], frame.y.exponent, labelY);
  crFrame_Draw(&frame, cairo, labelX, labelY);
  if (!hasRange) {
    return;
  }
  if (cells != NULL) {
    fillMap(&frame, cairo, xs, countX, ys, countY, cells, low, high);
  }
  for (int i = 0; cells == NULL && i < plot->rowCount; ++i) {
    crPaint c = crFindMapColor(high > low ? (crSweepColumn_Get(&plot->columns[2], i) - low) / (high - low) : 0.5);
    cairo_set_source_rgb(cairo, c.red, c.green, c.blue);
    drawDot(cairo, crFrame_PlaceX(&frame, crSweepColumn_Get(&plot->columns[0], i)),
            crFrame_PlaceY(&frame, crSweepColumn_Get(&plot->columns[1], i)), 2.5);
  }
  drawColorBar(plot, &frame, cairo, low, high > low ? high : low + 1.0);
}

// ----------------------------------------------------------------------------------------- histograms

// As wide as Freedman and Diaconis say: twice the middle half over the cube root of the number.
static int chooseBins(crSweepPlot* plot, const crSweepColumn* column, double min, double max)
{
  double* sorted = crArena_AllocateZero(&plot->arena, (size_t)plot->rowCount + 1, sizeof *sorted);
  int count = 0;
  for (int i = 0; sorted != NULL && i < plot->rowCount; ++i) {
    double value = crSweepColumn_Get(column, i);
    if (isfinite(value)) {
      sorted[count++] = value;
    }
  }
  if (count < 2 || max <= min) {
    return 1;
  }
  qsort(sorted, (size_t)count, sizeof *sorted, compareNumbers);
  double width = 2.0 * (findQuantile(sorted, count, 0.75) - findQuantile(sorted, count, 0.25)) / cbrt(count);
  double bins = width > 0.0 ? ceil((max - min) / width) : ceil(sqrt(count));
  return bins < 5.0 ? 5 : bins > CR_MAX_BINS ? CR_MAX_BINS : (int)bins;
}

// Bars between min and max; returns the highest.
static int countBins(const crSweepColumn* column, int rows, double min, double max, int* counts, int bins)
{
  int most = 1;
  memset(counts, 0, (size_t)bins * sizeof *counts);
  for (int i = 0; i < rows; ++i) {
    double value = crSweepColumn_Get(column, i);
    if (isfinite(value)) {
      int bin = max > min ? (int)((value - min) / (max - min) * bins) : 0;
      bin = bin < bins ? bin : bins - 1;
      most = ++counts[bin] > most ? counts[bin] : most;
    }
  }
  return most;
}

// One value has a bar, too.
static void drawBars(const crFrame* frame, cairo_t* cairo, const int* counts, int bins, double min, double max)
{
  if (max <= min) {
    double half = 0.05 * (frame->x.max - frame->x.min);
    min -= half;
    max += half;
  }
  setCurveColor(cairo, 0, 0.85);
  for (int i = 0; i < bins; ++i) {
    double left = crFrame_PlaceX(frame, min + (max - min) * i / bins);
    double right = crFrame_PlaceX(frame, min + (max - min) * (i + 1) / bins), top = crFrame_PlaceY(frame, counts[i]);
    cairo_rectangle(cairo, left, top, right - left, crFrame_PlaceY(frame, 0.0) - top);
    cairo_fill_preserve(cairo);
    cairo_set_line_width(cairo, 0.5);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_stroke(cairo);
    setCurveColor(cairo, 0, 0.85);
  }
}

void crDrawSweepHistogram(crSweepPlot* plot, cairo_t* cairo)
{
  const crSweepColumn* column = &plot->columns[0];
  int counts[CR_MAX_BINS];
  double min, max;
  char label[CR_LABEL_SIZE];
  bool hasRange = crSweepColumn_FindRange(column, plot->rowCount, &min, &max);
  int bins = hasRange ? chooseBins(plot, column, min, max) : 1;
  int most = hasRange ? countBins(column, plot->rowCount, min, max, counts, bins) : 1;
  crFrame frame = makeFrame(plot, 0.0);
  frame.x = makeAxis(min, max, 0.02, frame.width, CR_TICK_ROOM);
  frame.y = crMakeAxis(0.0, 1.04 * most, 0.0, (int)(frame.height / CR_TICK_SPACE));
  crSweepColumn_Label(column, frame.x.exponent, label);
  crFrame_Draw(&frame, cairo, label, "runs");
  if (hasRange) {
    drawBars(&frame, cairo, counts, bins, min, max);
  }
}

// -------------------------------------------------------------------------------------------- scatter

static void drawCell(crSweepPlot* plot, cairo_t* cairo, crFrame* frame, int i, int j)
{
  const crSweepColumn *x = &plot->columns[i], *y = &plot->columns[j];
  double min, max;
  bool hasX = crSweepColumn_FindRange(x, plot->rowCount, &min, &max);
  frame->x = makeAxis(min, max, 0.05, frame->width, 45.0);
  if (i == j && hasX) {
    int counts[CR_MAX_BINS], bins = chooseBins(plot, x, min, max);
    int most = countBins(x, plot->rowCount, min, max, counts, bins);
    frame->y = crMakeAxis(0.0, 1.04 * most, 0.0, 3);
    drawBars(frame, cairo, counts, bins, min, max);
    return;
  }
  (void)crSweepColumn_FindRange(y, plot->rowCount, &min, &max);
  frame->y = makeAxis(min, max, 0.05, frame->height, 30.0);
  setCurveColor(cairo, 0, chooseOpacity(plot->rowCount));
  for (int row = 0; row < plot->rowCount; ++row) {
    drawDot(cairo, crFrame_PlaceX(frame, crSweepColumn_Get(x, row)), crFrame_PlaceY(frame, crSweepColumn_Get(y, row)),
            1.2);
  }
}

void crDrawSweepScatter(crSweepPlot* plot, cairo_t* cairo)
{
  int n = plot->columnCount;
  crFrame whole = makeFrame(plot, 0.0);
  double gap = 6.0, width = (whole.width - gap * (n - 1)) / n, height = (whole.height - gap * (n - 1)) / n;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      crFrame frame = {
        .left = whole.left + i * (width + gap), .top = whole.top + j * (height + gap), .width = width, .height = height
      };
      char labelX[CR_LABEL_SIZE] = "", labelY[CR_LABEL_SIZE] = "";
      drawCell(plot, cairo, &frame, i, j);
      crSweepColumn_Label(&plot->columns[i], frame.x.exponent, labelX);
      crSweepColumn_Label(&plot->columns[j], i == j ? 0 : frame.y.exponent, labelY);
      frame.x.tickCount = j == n - 1 ? frame.x.tickCount : 0;
      frame.y.tickCount = i == 0 && j > 0 ? frame.y.tickCount : 0;
      crFrame_Draw(&frame, cairo, j == n - 1 ? labelX : "", i == 0 ? labelY : "");
    }
  }
}

// ----------------------------------------------------------------------------------------- sensitivity

static void drawIndex(const crFrame* frame, cairo_t* cairo, double place, double value, double error, int color)
{
  double x = crFrame_PlaceX(frame, place), half = 0.16 * frame->width / (frame->x.max - frame->x.min);
  double top = crFrame_PlaceY(frame, fmax(value, 0.0)), bottom = crFrame_PlaceY(frame, fmin(value, 0.0));
  setCurveColor(cairo, color, 0.85);
  cairo_rectangle(cairo, x - half, top, 2.0 * half, bottom - top);
  cairo_fill(cairo);
  cairo_set_source_rgb(cairo, 0.15, 0.15, 0.15);
  cairo_set_line_width(cairo, 1.0);
  cairo_move_to(cairo, x, crFrame_PlaceY(frame, value - 1.96 * error));
  cairo_line_to(cairo, x, crFrame_PlaceY(frame, value + 1.96 * error));
  cairo_stroke(cairo);
}

// First and total index side by side, with intervals of 95 %.
void crDrawSweepSensitivity(crSweepPlot* plot, cairo_t* cairo)
{
  int inputs = crSweepTable_CountInputs(plot->table);
  crSensitivity* indices = crArena_AllocateZero(&plot->arena, (size_t)inputs + 1, sizeof *indices);
  double most = 1.0, least = 0.0;
  if (indices == NULL || crSweepTable_ComputeSensitivity(plot->table, plot->columns[0].output, 0,
                                                         &plot->arena.allocator, indices, NULL) != cr_ok) {
    return;
  }
  for (int i = 0; i < inputs; ++i) {
    most = fmax(most, indices[i].total + 1.96 * indices[i].totalError);
    least = fmin(least, indices[i].first - 1.96 * indices[i].firstError);
  }
  crFrame frame = makeFrame(plot, 0.0);
  char title[CR_LABEL_SIZE];
  frame.x = crMakeAxis(-0.5, inputs - 0.5, 0.0, 2);
  frame.x.min = -0.5;
  frame.x.max = inputs - 0.5;
  frame.x.tickCount = 0;
  frame.y = makeAxis(least, most, 0.02, frame.height, CR_TICK_SPACE);
  snprintf(title, sizeof title, "%.100s: share of the variance", plot->columns[0].name);
  crFrame_Draw(&frame, cairo, "by itself, and with all others; intervals of 95 %", title);
  for (int i = 0; i < inputs; ++i) {
    drawIndex(&frame, cairo, i - 0.18, indices[i].first, indices[i].firstError, 0);
    drawIndex(&frame, cairo, i + 0.18, indices[i].total, indices[i].totalError, 1);
    crCanvas_SetFont(cairo, 10.0, false);
    crCanvas_DrawText(cairo, crFrame_PlaceX(&frame, i), frame.top + frame.height + 14.0, 0.5,
                      crSweepTable_GetInput(plot->table, i));
  }
}
