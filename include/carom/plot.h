// Plots of results: pictures in files, and characters in a terminal.
#ifndef CAROM_PLOT_H
#define CAROM_PLOT_H

#include "carom/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

// Columns of the same unit share a panel; panels lie one above the other and share the time axis.
#define CR_MAX_PANELS 6

typedef struct crPlotOptions {
  size_t size;
  const char* title;     // NULL: the model's name
  double from, to;       // [s] the times shown; from >= to: all
  bool hasEventMarks;    // faint lines where the run had events, contacts that begin and end among them
  double width, height;  // [points, 1/72 inch] of a picture; width 0: 640, height 0: by the number of panels
  double resolution;     // [pixels/point] of a PNG; 0: 2
  int characters, lines; // of a plot in a terminal; 0: 80, 24
  bool isColored;        // curves in a terminal in colours, by ANSI codes; letters otherwise
} crPlotOptions;

CR_API crPlotOptions crDefaultPlotOptions(void);

// Draws columns over time into an .svg, .png or .pdf file, by the ending of its name. Values that are not finite leave
// gaps. NULL options: the defaults. More than CR_MAX_PANELS units, no rows, or no rows in the times shown are reported.
CR_API crStatus crPlotResult(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                             const char* path, const crAllocator* allocator, const crErrorSink* sink);

// The same in characters, for a terminal: dots are Unicode's Braille patterns.
CR_API crStatus crPlotText(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                           const crAllocator* allocator, const crErrorSink* sink, crTextWriter writer);

// ------------------------------------------------------------------------------------------ sweeps

typedef enum crSweepPlotKind {
  cr_sweepCurve,       // outputs over one input: means and the middle 80 % where it has listed values, else points. A
                       // series alone: its values over time, of all runs
  cr_sweepMap,         // an output by colour over two inputs: means of cells where they have listed values
  cr_sweepHistogram,   // of one input or output
  cr_sweepScatter,     // all pairs of inputs and outputs; no names: all inputs, and the first four outputs
  cr_sweepSensitivity, // indices of one output
  cr_sweepPlotKindCount
} crSweepPlotKind;

CR_API const char* crSweepPlotKind_GetText(crSweepPlotKind kind); // "curve", "map", ...

typedef struct crSweepPlotOptions {
  size_t size;
  crSweepPlotKind kind;
  const char* const*
      names;            // (nameCount) of inputs and outputs: first what lies along the axes. "ball.position.z" stands
  int nameCount;        // for "last(ball.position.z)" where nothing else has it
  const char* title;    // or NULL
  double width, height; // [points]; 0: as the kind needs
  double resolution;    // [pixels/point] of a PNG; 0: 2
} crSweepPlotOptions;

CR_API crSweepPlotOptions crDefaultSweepPlotOptions(crSweepPlotKind kind);

// Draws rows of a sweep that did not fail into an .svg, .png or .pdf file. Unknown names are reported with the nearest
// ones.
CR_API crStatus crPlotSweep(const crSweepTable* table, const crSweepPlotOptions* options, const char* path,
                            const crAllocator* allocator, const crErrorSink* sink);

#ifdef __cplusplus
}
#endif

#endif
