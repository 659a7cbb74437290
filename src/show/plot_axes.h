// What a plot shows, before anything is drawn: panels, ranges, ticks, labels.
#ifndef CR_SHOW_PLOT_AXES_H
#define CR_SHOW_PLOT_AXES_H

#include "base/memory.h"
#include "carom/plot.h"

// An axis. Its ticks are multiples of a round step inside [min, max]; labels are divided by 10^exponent.
typedef struct crAxis {
  double min, max; // min < max
  double step;     // between ticks: 1, 2 or 5 times a power of ten
  int tickCount;
  int exponent;     // 0, or a multiple of 3 that keeps labels short
  int decimalCount; // of labels
} crAxis;

// An axis for values from min to max, with no more than tickLimit ticks. margin: room at both ends as a part of the
// range.
crAxis crMakeAxis(double min, double max, double margin, int tickLimit);
double crAxis_GetTick(const crAxis* axis, int index);

#define CR_TICK_SIZE 32
void crAxis_FormatTick(const crAxis* axis, int index, char outText[CR_TICK_SIZE]); // with a true minus sign

// "angle [rad]", "force [10³ N]"; what is not known is left out. Digits behind ^ become superscripts.
#define CR_LABEL_SIZE 160
void crFormatAxisLabel(const char* quantity, const char* unit, int exponent, char outText[CR_LABEL_SIZE]);

// Curves of one unit.
typedef struct crPanel {
  const char* unit;
  int* columns; // (columnCount) of the result
  int columnCount;
  double min, max;              // of all finite values shown; min > max: none
  char quantity[CR_LABEL_SIZE]; // what the names have in common, e.g. "angle"; "" for nothing
} crPanel;

typedef struct crPlot {
  crAllocator allocator;
  const crResult* result;
  const char* title;
  double from, to;      // [s] the times shown, from < to
  int firstRow, endRow; // rows to be drawn: those shown, and one more on each side
  crPanel panels[CR_MAX_PANELS];
  int panelCount;
  int* columns; // (columnCount) in the order of the panels
  int columnCount;
} crPlot;

// The options with their defaults filled in; NULL: all of them. cr_errorMisuse: of an unknown size, which is reported.
crStatus crChoosePlotOptions(const crPlotOptions* options, const crErrorSink* sink, crPlotOptions* outOptions);

// Checks and prepares; on success crFreePlot is due.
crStatus crPreparePlot(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                       const crAllocator* allocator, const crErrorSink* sink, crPlot* outPlot);
void crFreePlot(crPlot* plot);

// The points of a curve, thinned out: rows that fall into the same of `cellCount` columns of the picture are reduced to
// the first, lowest, highest and last. `point` is called for each; isStart: the curve begins here, also after a gap.
typedef void (*crPlotPoint)(void* context, double time, double value, bool isStart);
void crTraceCurve(const crPlot* plot, int column, int cellCount, crPlotPoint point, void* context);

#endif
