// Plots of sweeps: names to columns, sizes, and the file.
#include "show/sweep_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_LISTED_LIMIT 200  // different values up to which each has a mean
#define CR_SCATTER_OUTPUTS 4 // of a matrix without names
#define CR_SCATTER_LIMIT 12  // columns of a matrix
#define CR_TITLE_FONT 13.0

static const struct {
  const char* text;
  int least, most;      // names
  double width, height; // [points]
  void (*draw)(crSweepPlot* plot, cairo_t* cairo);
  const char* hint;
} kinds[cr_sweepPlotKindCount] = {
  { "curve", 1, 8, 480.0, 320.0, crDrawSweepCurve, "a curve: an input, then outputs; or a series" },
  { "map", 3, 3, 480.0, 380.0, crDrawSweepMap, "a map: two inputs, then the output" },
  { "histogram", 1, 1, 480.0, 300.0, crDrawSweepHistogram, "a histogram: one output" },
  { "scatter", 0, CR_SCATTER_LIMIT, 0.0, 0.0, crDrawSweepScatter,
    "a matrix of points: inputs and outputs, or none for all" },
  { "sensitivity", 1, 1, 480.0, 300.0, crDrawSweepSensitivity, "indices: one output" },
};

const char* crSweepPlotKind_GetText(crSweepPlotKind kind)
{
  return kind < cr_sweepPlotKindCount ? kinds[kind].text : NULL;
}

crSweepPlotOptions crDefaultSweepPlotOptions(crSweepPlotKind kind)
{
  return (crSweepPlotOptions){ .size = sizeof(crSweepPlotOptions), .kind = kind };
}

// ------------------------------------------------------------------------------------------- columns

double crSweepColumn_Get(const crSweepColumn* column, int row)
{
  return column->values[(size_t)row * (size_t)column->stride];
}

bool crSweepColumn_FindRange(const crSweepColumn* column, int rows, double* outMin, double* outMax)
{
  *outMin = INFINITY;
  *outMax = -INFINITY;
  for (int i = 0; i < rows; ++i) {
    double value = crSweepColumn_Get(column, i);
    if (isfinite(value)) {
      *outMin = fmin(*outMin, value);
      *outMax = fmax(*outMax, value);
    }
  }
  return *outMin <= *outMax;
}

void crSweepColumn_Label(const crSweepColumn* column, int exponent, char outText[CR_LABEL_SIZE])
{
  crFormatAxisLabel(column->name, column->unit, exponent, outText);
}

static int compareNumbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

int crSweepPlot_ListValues(crSweepPlot* plot, const crSweepColumn* column, const double** outValues)
{
  double* values = crArena_AllocateZero(&plot->arena, (size_t)plot->rowCount + 1, sizeof *values);
  if (values == NULL || column->input < 0) {
    return 0;
  }
  for (int i = 0; i < plot->rowCount; ++i) {
    values[i] = crSweepColumn_Get(column, i);
  }
  qsort(values, (size_t)plot->rowCount, sizeof *values, compareNumbers);
  int count = 0;
  for (int i = 0; i < plot->rowCount; ++i) {
    if (count == 0 || values[i] != values[count - 1]) {
      values[count++] = values[i];
    }
  }
  *outValues = values;
  bool isListed = count <= CR_LISTED_LIMIT && (2 * count <= plot->rowCount || count <= 2 || plot->columnCount == 3);
  return isListed ? count : 0;
}

static crSweepColumn getInput(const crSweepTable* table, int input)
{
  int count = crSweepTable_CountInputs(table);
  return (crSweepColumn){ .name = crSweepTable_GetInput(table, input),
                          .unit = "",
                          .values = crSweepTable_GetInputs(table) + input,
                          .stride = count,
                          .input = input,
                          .output = -1 };
}

static crSweepColumn getOutput(const crSweepTable* table, int output)
{
  const crColumn* column = crSweepTable_GetOutput(table, output);
  return (crSweepColumn){ .name = column->name,
                          .unit = strcmp(column->unit, "1") != 0 ? column->unit : "",
                          .values = crSweepTable_GetOutputs(table) + output,
                          .stride = crSweepTable_CountOutputs(table),
                          .input = -1,
                          .output = output };
}

// Whether a name stands for a column: all of it, or what is between the brackets, or a series without its index.
static bool isMeant(const char* column, const char* name)
{
  size_t length = strlen(name);
  const char* open = strchr(column, '(');
  bool isInside = open != NULL && strncmp(open + 1, name, length) == 0 && open[length + 1] == ')';
  bool isSeries = strncmp(column, name, length) == 0 && column[length] == '[';
  return strcmp(column, name) == 0 || isInside || isSeries;
}

static bool findColumn(const crSweepTable* table, const char* name, crSweepColumn* outColumn)
{
  for (int i = 0; i < crSweepTable_CountInputs(table); ++i) {
    if (strcmp(crSweepTable_GetInput(table, i), name) == 0) {
      *outColumn = getInput(table, i);
      return true;
    }
  }
  for (int i = 0; i < crSweepTable_CountOutputs(table); ++i) {
    if (isMeant(crSweepTable_GetOutput(table, i)->name, name)) {
      *outColumn = getOutput(table, i);
      return true;
    }
  }
  return false;
}

static crStatus complainName(const crSweepTable* table, const char* name, const char* path, const crErrorSink* sink)
{
  crNearest nearest = crMakeNearest(name);
  char hint[CR_LABEL_SIZE + 32];
  for (int i = 0; i < crSweepTable_CountInputs(table); ++i) {
    crNearest_Try(&nearest, crSweepTable_GetInput(table, i));
  }
  for (int i = 0; i < crSweepTable_CountOutputs(table); ++i) {
    crNearest_Try(&nearest, crSweepTable_GetOutput(table, i)->name);
  }
  snprintf(hint, sizeof hint, "did you mean '%.150s'?", nearest.best != NULL ? nearest.best : "");
  return crComplainPlot(sink, path,
                        &(crComplaint){ .message = "the sweep has no such input or output",
                                        .found = name,
                                        .hint = nearest.best != NULL ? hint : "carom sweep show DIR lists them" });
}

static crStatus findColumns(crSweepPlot* plot, const char* path, const crErrorSink* sink)
{
  const crSweepPlotOptions* o = plot->options;
  const crSweepTable* table = plot->table;
  int inputs = crSweepTable_CountInputs(table), outputs = crSweepTable_CountOutputs(table);
  plot->columns = crArena_AllocateZero(&plot->arena, (size_t)o->nameCount + (size_t)inputs + (size_t)outputs + 1,
                                       sizeof *plot->columns);
  if (plot->columns == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < o->nameCount; ++i) {
    if (!findColumn(table, o->names[i], &plot->columns[plot->columnCount++])) {
      return complainName(table, o->names[i], path, sink);
    }
  }
  for (int i = 0; o->nameCount == 0 && i < inputs && plot->columnCount < CR_SCATTER_LIMIT; ++i) {
    plot->columns[plot->columnCount++] = getInput(table, i);
  }
  for (int i = 0; o->nameCount == 0 && i < outputs && i < CR_SCATTER_OUTPUTS && plot->columnCount < CR_SCATTER_LIMIT;
       ++i) {
    plot->columns[plot->columnCount++] = getOutput(table, i);
  }
  return cr_ok;
}

// ---------------------------------------------------------------------------------------------- file

static void draw(void* context, cairo_t* cairo)
{
  crSweepPlot* plot = context;
  const crSweepPlotOptions* o = plot->options;
  cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
  cairo_paint(cairo);
  cairo_set_source_rgb(cairo, 0.15, 0.15, 0.15);
  if (o->title != NULL) {
    crCanvas_SetFont(cairo, CR_TITLE_FONT, true);
    crCanvas_DrawText(cairo, 0.5 * plot->width, 20.0, 0.5, o->title);
  }
  bool isSeries = o->kind == cr_sweepCurve && plot->columnCount == 1;
  isSeries ? crDrawSweepSeries(plot, cairo) : kinds[o->kind].draw(plot, cairo);
}

static crStatus checkNames(const crSweepPlot* plot, const char* path, const crErrorSink* sink)
{
  const crSweepPlotOptions* o = plot->options;
  if (o->nameCount < kinds[o->kind].least || o->nameCount > kinds[o->kind].most) {
    char allowed[64];
    snprintf(allowed, sizeof allowed, "%d to %d", kinds[o->kind].least, kinds[o->kind].most);
    return crComplainPlot(sink, path,
                          &(crComplaint){ .message = "the plot needs another number of inputs and outputs",
                                          .allowed = allowed,
                                          .hint = kinds[o->kind].hint });
  }
  if (plot->rowCount == 0) {
    return crComplainPlot(sink, path, &(crComplaint){ .message = "the sweep has no rows yet" });
  }
  return cr_ok;
}

static crStatus checkColumns(const crSweepPlot* plot, const char* path, const crErrorSink* sink)
{
  crSensitivity* indices = NULL;
  const crSweepColumn* first = plot->columns;
  if (plot->options->kind == cr_sweepCurve && plot->columnCount == 1 && strchr(first->name, '[') == NULL) {
    return crComplainPlot(
        sink, path,
        &(crComplaint){ .message = "a curve needs an input and an output, or a series", .found = first->name });
  }
  if (plot->options->kind == cr_sweepSensitivity) {
    indices = calloc((size_t)crSweepTable_CountInputs(plot->table) + 1, sizeof *indices);
    crStatus status = indices != NULL && first->output >= 0
                          ? crSweepTable_ComputeSensitivity(plot->table, first->output, 2, NULL, indices, NULL)
                          : cr_errorMisuse;
    free(indices);
    if (status != cr_ok) {
      return crComplainPlot(sink, path,
                            &(crComplaint){ .message = "indices of sensitivity belong to outputs of a sweep with the "
                                                       "design \"sensitivity\"",
                                            .found = first->name });
    }
  }
  return cr_ok;
}

crStatus crPlotSweep(const crSweepTable* table, const crSweepPlotOptions* options, const char* path,
                     const crAllocator* allocator, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  if (table == NULL || options == NULL || path == NULL ||
      !crCheckSize(&reporter, "crSweepPlotOptions", options->size, sizeof *options) ||
      options->kind >= cr_sweepPlotKindCount || options->nameCount < 0 || !(options->width >= 0.0) ||
      !(options->height >= 0.0) || !(options->resolution >= 0.0)) {
    return cr_errorMisuse;
  }
  if (!crIsPicture(path)) {
    return crComplainPlot(sink, path,
                          &(crComplaint){ .message = "the kind of picture is not known by the ending of its name",
                                          .allowed = ".svg, .png, .pdf" });
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crSweepPlot plot = { .table = table, .options = options, .rowCount = crSweepTable_CountRows(table) };
  crArena_Init(&plot.arena, &chosen);
  crStatus status = checkNames(&plot, path, sink);
  status = status == cr_ok ? findColumns(&plot, path, sink) : status;
  status = status == cr_ok ? checkColumns(&plot, path, sink) : status;
  if (status == cr_ok) {
    double side = 110.0 * plot.columnCount + 60.0;
    plot.width = options->width > 0.0               ? options->width
                 : kinds[options->kind].width > 0.0 ? kinds[options->kind].width
                                                    : side;
    plot.height = options->height > 0.0               ? options->height
                  : kinds[options->kind].height > 0.0 ? kinds[options->kind].height
                                                      : side;
    crCanvasDef def = { .path = path,
                        .title = options->title != NULL ? options->title : "",
                        .width = plot.width,
                        .height = plot.height,
                        .resolution = options->resolution > 0.0 ? options->resolution : 2.0,
                        .draw = draw,
                        .context = &plot };
    status = crDrawCanvas(&def, &chosen, sink);
  }
  crArena_Free(&plot.arena);
  return status;
}
