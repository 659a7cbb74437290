// Plots of results: pictures in files, and characters in a terminal.
#ifndef CAROM_PLOT_H
#define CAROM_PLOT_H

#include "carom/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crPlotOptions {
  const char* title;    // NULL: the model's name
  double from, to;      // [s] shown; from >= to: all rows
  double width, height; // [points, 1/72 inch] of the picture; height 0: chosen by the number of panels
  double resolution;    // [pixels/point] of a PNG
  bool hasEventMarks;   // faint lines at the run's events
} crPlotOptions;

CR_API crPlotOptions crDefaultPlotOptions(void); // all rows, 640 points wide, 2 pixels a point, no marks

// The largest number of different units: each has its own panel, one above the other.
#define CR_MAX_PANELS 6

// Draws columns over time into an .svg, .png or .pdf file, by the ending of its name. Columns of the same unit share a
// panel, all panels the time axis. Values that are not finite leave gaps. NULL options: the defaults.
CR_API crStatus crPlotResult(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                             const char* path, const crAllocator* allocator, const crErrorSink* sink);

// The same in characters, `width` x `height` of them, with dots from Unicode's Braille patterns. Of the options it
// takes title, from and to. isColored: curves in colours by ANSI codes.
CR_API crStatus crPlotText(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                           int width, int height, bool isColored, const crAllocator* allocator, const crErrorSink* sink,
                           crTextWriter writer);

#ifdef __cplusplus
}
#endif

#endif
