// Pictures drawn by cairo into files, and what plots share: texts, colours, a frame with two axes.
#ifndef CR_SHOW_CANVAS_H
#define CR_SHOW_CANVAS_H

#include "base/report.h"
#include "show/plot_axes.h"

#include <cairo.h>

#define CR_CAIRO "the library cairo, for which memory may be short" // to whoever enters it

typedef struct crPaint {
  double red, green, blue;
} crPaint;

#define CR_CURVE_COLORS 7
extern const crPaint crCurveColors[CR_CURVE_COLORS]; // people with any kind of colour vision can tell them apart
crPaint crFindMapColor(double share);                // 0 to 1, from dark to bright; anything else is grey

// Whether the ending of a name is that of a picture: .svg, .png, .pdf.
bool crIsPicture(const char* path);

typedef struct crCanvasDef {
  const char* path;
  const char* title;    // kept in a PDF
  double width, height; // [points]
  double resolution;    // [pixels/point] of a PNG
  void (*draw)(void* context, cairo_t* cairo);
  void* context;
} crCanvasDef;

// Draws a picture into a file, complete or not at all. What goes wrong is reported.
crStatus crDrawCanvas(const crCanvasDef* def, const crAllocator* allocator, const crErrorSink* sink);

// Reports that a plot cannot be made, and returns cr_errorFile.
crStatus crComplainPlot(const crErrorSink* sink, const char* path, const crComplaint* complaint);

// Sizes of texts do not depend on the kind of picture.
void crCanvas_SetFont(cairo_t* cairo, double size, bool isBold);
double crCanvas_MeasureText(cairo_t* cairo, const char* text);
// anchor: which part of the text lies left of x, 0 to 1.
void crCanvas_DrawText(cairo_t* cairo, double x, double y, double anchor, const char* text);

// A panel with two axes. Lengths in points.
typedef struct crFrame {
  double left, top, width, height;
  crAxis x, y;
} crFrame;

double crFrame_PlaceX(const crFrame* frame, double value);
double crFrame_PlaceY(const crFrame* frame, double value);
// Grid, ticks and labels; "" for none. Labels beyond the width of the frame are cut.
void crFrame_Draw(const crFrame* frame, cairo_t* cairo, const char* labelX, const char* labelY);

#endif
