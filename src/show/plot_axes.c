// Panels, ranges, ticks and labels of a plot.
#include "show/plot_axes.h"
#include "base/report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_EXPONENT_LOW (-3) // labels from 0.001 ...
#define CR_EXPONENT_HIGH 5   // ... to below 1e5 are written as they are
#define CR_LARGEST 3e307     // values beyond lie outside of the plot: ranges and their margins must not overflow
#define CR_SMALLEST 1e-290   // values below count as zero: steps between them must not vanish
#define CR_FLAT 1e-9         // a range smaller than this part of its values shows round-off only: it is widened
#define CR_EDGE 1e-9         // [steps] ticks this near to the ends count as inside

crPlotOptions crDefaultPlotOptions(void)
{
  crPlotOptions options = { .size = sizeof options };
  return options;
}

crStatus crChoosePlotOptions(const crPlotOptions* options, const crErrorSink* sink, crPlotOptions* outOptions)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  *outOptions = crDefaultPlotOptions();
  if (options != NULL) {
    if (!crCheckSize(&reporter, "crPlotOptions", options->size, sizeof *options)) {
      return cr_errorMisuse;
    }
    *outOptions = *options;
  }
  outOptions->width = outOptions->width == 0.0 ? 640.0 : outOptions->width;
  outOptions->resolution = outOptions->resolution == 0.0 ? 2.0 : outOptions->resolution;
  outOptions->characters = outOptions->characters == 0 ? 80 : outOptions->characters;
  outOptions->lines = outOptions->lines == 0 ? 24 : outOptions->lines;
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- axes

// The least of 1, 2, 5, 10, 20, ... that is not below x > 0.
static double roundUp(double x)
{
  double power = pow(10.0, floor(log10(x)));
  double mantissa = x / power;
  return power * (mantissa <= 1.0 + CR_EDGE   ? 1.0
                  : mantissa <= 2.0 + CR_EDGE ? 2.0
                  : mantissa <= 5.0 + CR_EDGE ? 5.0
                                              : 10.0);
}

static double firstTick(const crAxis* axis)
{
  return ceil(axis->min / axis->step - CR_EDGE);
}

static int countTicks(const crAxis* axis)
{
  return (int)(floor(axis->max / axis->step + CR_EDGE) - firstTick(axis)) + 1;
}

// The decimals that tell neighbouring labels apart.
static void chooseLabels(crAxis* axis)
{
  double largest = fmax(fabs(axis->min), fabs(axis->max));
  int magnitude = (int)floor(log10(largest));
  int stepMagnitude = (int)floor(log10(axis->step) + CR_EDGE);
  bool isPlain = magnitude < CR_EXPONENT_HIGH && magnitude >= CR_EXPONENT_LOW + 1 && stepMagnitude >= CR_EXPONENT_LOW;
  axis->exponent = isPlain ? 0 : 3 * (int)floor(magnitude / 3.0);
  int decimals = axis->exponent - stepMagnitude;
  axis->decimalCount = decimals > 0 ? decimals : 0;
}

crAxis crMakeAxis(double min, double max, double margin, int tickLimit)
{
  min = fmin(fmax(min, -CR_LARGEST), CR_LARGEST);
  max = fmin(fmax(max, -CR_LARGEST), CR_LARGEST);
  double size = fmax(fabs(min), fabs(max));
  if (!(max - min > CR_FLAT * size) || size < CR_SMALLEST) { // constant: shown in the middle
    double half = size >= CR_SMALLEST ? 0.1 * size : 1.0;
    min -= half;
    max += half;
  }
  double range = max - min;
  crAxis axis = { .min = min - margin * range, .max = max + margin * range };
  int limit = tickLimit > 2 ? tickLimit : 2;
  axis.step = roundUp((axis.max - axis.min) / limit);
  axis.tickCount = countTicks(&axis);
  while (axis.tickCount > limit) {
    axis.step = roundUp(axis.step * 1.5);
    axis.tickCount = countTicks(&axis);
  }
  chooseLabels(&axis);
  return axis;
}

double crAxis_GetTick(const crAxis* axis, int index)
{
  double number = firstTick(axis) + index;
  return number == 0.0 ? 0.0 : number * axis->step;
}

void crAxis_FormatTick(const crAxis* axis, int index, char outText[CR_TICK_SIZE])
{
  double value = crAxis_GetTick(axis, index) * pow(10.0, -axis->exponent);
  char digits[CR_TICK_SIZE - 3];
  int size = snprintf(digits, sizeof digits, "%.*f", axis->decimalCount, fabs(value));
  for (int i = 0; i < size && i < (int)sizeof digits - 1; ++i) { // the host's locale may have another sign there
    digits[i] = digits[i] < '0' || digits[i] > '9' ? '.' : digits[i];
  }
  bool isNegative = value < 0.0 && strpbrk(digits, "123456789") != NULL;
  snprintf(outText, CR_TICK_SIZE, "%s%s", isNegative ? "\u2212" : "", digits);
}

// ------------------------------------------------------------------------------------------ labels

// Appends `size` bytes as far as they fit, never a part of a character.
static void append(char* text, const char* more, size_t size)
{
  size_t used = strlen(text), room = CR_LABEL_SIZE - 1 - used;
  if (size > room) {
    size = room;
    while (size > 0 && ((unsigned char)more[size] & 0xc0) == 0x80) {
      --size;
    }
  }
  memcpy(text + used, more, size);
  text[used + size] = '\0';
}

static void appendSuperscript(char* text, const char* digits, size_t size)
{
  static const char* const raised[] = { "\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                        "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };
  for (size_t i = 0; i < size; ++i) {
    const char* letter = digits[i] == '-' ? "\u207b" : raised[digits[i] - '0'];
    append(text, letter, strlen(letter));
  }
}

// m/s^2 as m/s².
static void appendUnit(char* text, const char* unit)
{
  while (*unit != '\0') {
    size_t plain = strcspn(unit, "^");
    append(text, unit, plain);
    unit += plain;
    if (*unit == '^') {
      size_t digits = strspn(unit + 1, "-0123456789");
      bool isPower = digits > 0 && strcspn(unit + 2, "-") >= digits - 1;
      if (isPower) {
        appendSuperscript(text, unit + 1, digits);
      } else {
        append(text, "^", 1);
        digits = 0;
      }
      unit += 1 + digits;
    }
  }
}

void crFormatAxisLabel(const char* quantity, const char* unit, int exponent, char outText[CR_LABEL_SIZE])
{
  bool hasUnit = strcmp(unit, "1") != 0 && unit[0] != '\0';
  outText[0] = '\0';
  append(outText, quantity, strlen(quantity));
  if (!hasUnit && exponent == 0) {
    return;
  }
  append(outText, outText[0] != '\0' ? " [" : "[", outText[0] != '\0' ? 2 : 1);
  if (exponent != 0) {
    char digits[16];
    int size = snprintf(digits, sizeof digits, "%d", exponent);
    append(outText, "10", 2);
    appendSuperscript(outText, digits, (size_t)size);
    append(outText, " ", hasUnit);
  }
  if (hasUnit) {
    appendUnit(outText, unit);
  }
  append(outText, "]", 1);
}

// ------------------------------------------------------------------------------------------ panels

// The part of a name that says what is measured: its last word; of a vector's component, the word before.
static const char* findQuantity(const char* name, size_t* outSize)
{
  const char* dot = strrchr(name, '.');
  const char* word = dot != NULL ? dot + 1 : name;
  *outSize = strlen(word);
  if (dot != NULL && strlen(word) == 1 && strchr("xyzw", *word) != NULL) {
    const char* start = dot;
    while (start > name && start[-1] != '.') {
      --start;
    }
    *outSize = (size_t)(dot - start);
    word = start;
  }
  return word;
}

// What all names of a panel measure, if it is the same.
static void nameQuantity(const crResult* result, crPanel* panel)
{
  size_t size, otherSize;
  const char* quantity = findQuantity(crResult_GetColumn(result, panel->columns[0])->name, &size);
  for (int i = 1; i < panel->columnCount; ++i) {
    const char* other = findQuantity(crResult_GetColumn(result, panel->columns[i])->name, &otherSize);
    if (otherSize != size || memcmp(other, quantity, size) != 0) {
      size = 0;
    }
  }
  panel->quantity[0] = '\0';
  append(panel->quantity, quantity, size);
}

static int findPanel(const crPlot* plot, const char* unit)
{
  int panel = 0;
  while (panel < plot->panelCount && strcmp(plot->panels[panel].unit, unit) != 0) {
    ++panel;
  }
  return panel;
}

static crStatus complainUnits(crReporter* reporter, int unitCount)
{
  char found[32], allowed[32];
  snprintf(found, sizeof found, "%d", unitCount);
  snprintf(allowed, sizeof allowed, "up to %d", CR_MAX_PANELS);
  crComplaint complaint = { "the variables have too many different units for one plot", found, allowed, NULL,
                            "choose fewer variables" };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

// How many units there are, by comparing each column with those before: what is too many is found early.
static int countUnits(const crResult* result, const int* columns, int columnCount)
{
  int count = 0;
  for (int i = 0; i < columnCount; ++i) {
    int k = 0;
    while (strcmp(crResult_GetColumn(result, columns[k])->unit, crResult_GetColumn(result, columns[i])->unit) != 0) {
      ++k;
    }
    count += k == i;
  }
  return count;
}

// Sorts the columns into panels: in the order of their first column, columns in the order given.
static crStatus makePanels(crPlot* plot, const int* columns, crReporter* reporter)
{
  int unitCount = countUnits(plot->result, columns, plot->columnCount);
  if (unitCount > CR_MAX_PANELS) {
    return complainUnits(reporter, unitCount);
  }
  for (int i = 0; i < plot->columnCount; ++i) {
    const char* unit = crResult_GetColumn(plot->result, columns[i])->unit;
    int panel = findPanel(plot, unit);
    plot->panelCount = panel == plot->panelCount ? panel + 1 : plot->panelCount;
    plot->panels[panel].unit = unit;
    ++plot->panels[panel].columnCount;
  }
  int next = 0;
  for (int i = 0; i < plot->panelCount; ++i) {
    plot->panels[i].columns = plot->columns + next;
    next += plot->panels[i].columnCount;
    plot->panels[i].columnCount = 0;
  }
  for (int i = 0; i < plot->columnCount; ++i) {
    crPanel* panel = &plot->panels[findPanel(plot, crResult_GetColumn(plot->result, columns[i])->unit)];
    panel->columns[panel->columnCount++] = columns[i];
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- range

static crStatus complain(crReporter* reporter, const char* message)
{
  crReport(reporter, cr_severityError, cr_errorModel, &(crComplaint){ .message = message });
  return cr_errorModel;
}

static crStatus chooseTimes(crPlot* plot, const crPlotOptions* options, crReporter* reporter)
{
  int rows = crResult_CountRows(plot->result), last = rows - 1;
  const double* times = crResult_GetTimes(plot->result);
  if (rows == 0) {
    return complain(reporter, "the result has no rows to plot");
  }
  bool isAll = !(options->from < options->to);
  plot->from = isAll ? times[0] : options->from;
  plot->to = isAll ? times[last] : options->to;
  int first = 0;
  while (first < rows && times[first] < plot->from) {
    ++first;
  }
  while (last >= 0 && times[last] > plot->to) {
    --last;
  }
  if (first > last) {
    return complain(reporter, "the result has no rows in the times to plot");
  }
  plot->firstRow = first > 0 ? first - 1 : 0;
  plot->endRow = last + 1 < rows ? last + 2 : rows;
  if (!(plot->from < plot->to)) { // a single row
    plot->to = plot->from + 1.0;
  }
  return cr_ok;
}

static void findValueRange(const crPlot* plot, crPanel* panel)
{
  const double* times = crResult_GetTimes(plot->result);
  panel->min = DBL_MAX;
  panel->max = -DBL_MAX;
  for (int i = 0; i < panel->columnCount; ++i) {
    const double* values = crResult_GetValues(plot->result, panel->columns[i]);
    for (int r = plot->firstRow; r < plot->endRow; ++r) {
      if (isfinite(values[r]) && times[r] >= plot->from && times[r] <= plot->to) {
        panel->min = fmin(panel->min, values[r]);
        panel->max = fmax(panel->max, values[r]);
      }
    }
  }
}

crStatus crPreparePlot(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                       const crAllocator* allocator, const crErrorSink* sink, crPlot* outPlot)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  for (int i = 0; i < columnCount; ++i) {
    if (crResult_GetColumn(result, columns[i]) == NULL) {
      return cr_errorMisuse;
    }
  }
  if (columnCount <= 0) {
    return complain(&reporter, "there are no variables to plot");
  }
  *outPlot = (crPlot){ .allocator = crChooseAllocator(allocator), .result = result, .columnCount = columnCount };
  outPlot->title = options->title != NULL ? options->title : crResult_GetFacts(result).modelName;
  crStatus status = chooseTimes(outPlot, options, &reporter);
  if (status != cr_ok) {
    return status;
  }
  outPlot->columns = crAllocateZero(&outPlot->allocator, (size_t)columnCount, sizeof(int));
  status = outPlot->columns != NULL ? makePanels(outPlot, columns, &reporter) : cr_errorMemory;
  if (status != cr_ok) {
    crFreePlot(outPlot);
    return status;
  }
  for (int i = 0; i < outPlot->panelCount; ++i) {
    nameQuantity(result, &outPlot->panels[i]);
    findValueRange(outPlot, &outPlot->panels[i]);
  }
  return cr_ok;
}

void crFreePlot(crPlot* plot)
{
  crFree(&plot->allocator, plot->columns, (size_t)plot->columnCount * sizeof(int));
  plot->columns = NULL;
}

// ------------------------------------------------------------------------------------------ curves

// The rows that share a column of the picture.
typedef struct Cell {
  int first, last, lowest, highest; // rows; first < 0: none
} Cell;

typedef struct Tracer {
  const double *times, *values;
  crPlotPoint point;
  void* context;
  bool isStart; // the next point begins a curve
} Tracer;

static void emit(Tracer* tracer, int row)
{
  tracer->point(tracer->context, tracer->times[row], tracer->values[row], tracer->isStart);
  tracer->isStart = false;
}

// In the order of time; a row that stands for two of them once.
static void emitCell(Tracer* tracer, Cell* cell)
{
  if (cell->first < 0) {
    return;
  }
  int low = cell->lowest < cell->highest ? cell->lowest : cell->highest;
  int high = cell->lowest < cell->highest ? cell->highest : cell->lowest;
  int rows[] = { cell->first, low, high, cell->last };
  for (int i = 0; i < 4; ++i) {
    if (i == 0 || rows[i] != rows[i - 1]) {
      emit(tracer, rows[i]);
    }
  }
  cell->first = -1;
}

static void addToCell(Cell* cell, const double* values, int row)
{
  if (cell->first < 0) {
    *cell = (Cell){ row, row, row, row };
  }
  cell->last = row;
  cell->lowest = values[row] < values[cell->lowest] ? row : cell->lowest;
  cell->highest = values[row] > values[cell->highest] ? row : cell->highest;
}

void crTraceCurve(const crPlot* plot, int column, int cellCount, crPlotPoint point, void* context)
{
  Tracer tracer = { crResult_GetTimes(plot->result), crResult_GetValues(plot->result, column), point, context, true };
  double scale = cellCount / (plot->to - plot->from), place = 0.0;
  Cell cell = { -1, -1, -1, -1 };
  for (int r = plot->firstRow; r < plot->endRow; ++r) {
    if (!isfinite(tracer.values[r])) {
      emitCell(&tracer, &cell);
      tracer.isStart = true;
      continue;
    }
    double here = floor((tracer.times[r] - plot->from) * scale);
    if (here != place) {
      emitCell(&tracer, &cell);
      place = here;
    }
    addToCell(&cell, tracer.values, r);
  }
  emitCell(&tracer, &cell);
}
