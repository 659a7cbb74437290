// What plots of sweeps share: columns by name, and the picture.
#ifndef CR_SHOW_SWEEP_PLOT_H
#define CR_SHOW_SWEEP_PLOT_H

#include "carom/plot.h"
#include "show/canvas.h"

// An input or output of a sweep.
typedef struct crSweepColumn {
  const char* name;
  const char* unit;     // "" for none
  const double* values; // (rows) `stride` apart
  int stride;
  int input; // which one; -1: an output
  int output;
} crSweepColumn;

typedef struct crSweepPlot {
  const crSweepTable* table;
  const crSweepPlotOptions* options;
  crArena arena;
  crSweepColumn* columns; // (columnCount) as asked for
  int columnCount;
  int rowCount;
  double width, height;
} crSweepPlot;

double crSweepColumn_Get(const crSweepColumn* column, int row);
// The least and the largest finite value; false: there is none.
bool crSweepColumn_FindRange(const crSweepColumn* column, int rows, double* outMin, double* outMax);
void crSweepColumn_Label(const crSweepColumn* column, int exponent, char outText[CR_LABEL_SIZE]);

// Whether its values are few, and so worth a mean of each: sorted, each once, in the arena. 0: they are not.
int crSweepPlot_ListValues(crSweepPlot* plot, const crSweepColumn* column, const double** outValues);

void crDrawSweepCurve(crSweepPlot* plot, cairo_t* cairo);
void crDrawSweepSeries(crSweepPlot* plot, cairo_t* cairo);
void crDrawSweepMap(crSweepPlot* plot, cairo_t* cairo);
void crDrawSweepHistogram(crSweepPlot* plot, cairo_t* cairo);
void crDrawSweepScatter(crSweepPlot* plot, cairo_t* cairo);
void crDrawSweepSensitivity(crSweepPlot* plot, cairo_t* cairo);

#endif
