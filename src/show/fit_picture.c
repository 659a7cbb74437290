// Pictures of a fit: for each experiment the data and the model together.
#include "show/fit_picture.h"

#include "base/file.h"
#include "show/canvas.h"

#include <math.h>
#include <stdio.h>

#define CR_PICTURE_WIDTH 620.0 // [points]
#define CR_PANEL_HEIGHT 190.0

typedef struct Picture {
  const crFitExperiment* experiment;
  const double* values; // of the model
} Picture;

static double at(const double* values, const crFitExperiment* e, int row, int variable)
{
  return values[(size_t)row * (size_t)e->variableCount + (size_t)variable];
}

// Measurements as dots, the model as a line through its values at the same times.
static void drawPanel(const Picture* picture, cairo_t* cairo, int variable)
{
  const crFitExperiment* e = picture->experiment;
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < e->rowCount; ++i) {
    double measured = at(e->values, e, i, variable), model = at(picture->values, e, i, variable);
    low = fmin(low, isfinite(measured) ? fmin(measured, model) : model);
    high = fmax(high, isfinite(measured) ? fmax(measured, model) : model);
  }
  bool isLast = variable == e->variableCount - 1;
  crFrame frame = { .left = 76.0,
                    .top = 14.0 + variable * CR_PANEL_HEIGHT,
                    .width = CR_PICTURE_WIDTH - 96.0,
                    .height = CR_PANEL_HEIGHT - 22.0 };
  frame.x = crMakeAxis(e->times[0], e->times[e->rowCount - 1], 0.0, (int)(frame.width / 60.0));
  frame.y = crMakeAxis(low, high, 0.05, (int)(frame.height / 30.0));
  crFrame_Draw(&frame, cairo, isLast ? "time [s]" : "", e->variables[variable]);
  for (int i = 0; i < e->rowCount; ++i) {
    cairo_line_to(cairo, crFrame_PlaceX(&frame, e->times[i]),
                  crFrame_PlaceY(&frame, at(picture->values, e, i, variable)));
  }
  cairo_set_source_rgb(cairo, crCurveColors[1].red, crCurveColors[1].green, crCurveColors[1].blue);
  cairo_set_line_width(cairo, 1.4);
  cairo_stroke(cairo);
  cairo_set_source_rgba(cairo, crCurveColors[0].red, crCurveColors[0].green, crCurveColors[0].blue, 0.7);
  for (int i = 0; i < e->rowCount; ++i) {
    double measured = at(e->values, e, i, variable);
    if (isfinite(measured)) {
      cairo_arc(cairo, crFrame_PlaceX(&frame, e->times[i]), crFrame_PlaceY(&frame, measured), 1.8, 0.0,
                6.2831853071795865);
      cairo_fill(cairo);
    }
  }
}

static void drawPicture(void* context, cairo_t* cairo)
{
  const Picture* picture = context;
  cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
  cairo_paint(cairo);
  for (int i = 0; i < picture->experiment->variableCount; ++i) {
    drawPanel(picture, cairo, i);
  }
}

crStatus crWriteFitPictures(const crFitDef* def, const crFit* fit, const char* folder, const crAllocator* allocator,
                            const crErrorSink* sink, bool* outAreThere)
{
  *outAreThere = true;
  crStatus status = cr_ok;
  for (int i = 0; i < def->experimentCount && status == cr_ok; ++i) {
    char path[CR_PATH_SIZE];
    Picture picture = { &def->experiments[i], crFit_GetValues(fit, i) };
    snprintf(path, sizeof path, "%s/experiment-%d.svg", folder, i + 1);
    crCanvasDef canvas = { .path = path,
                           .title = def->experiments[i].name != NULL ? def->experiments[i].name : "",
                           .width = CR_PICTURE_WIDTH,
                           .height = 40.0 + CR_PANEL_HEIGHT * def->experiments[i].variableCount,
                           .resolution = 2.0,
                           .draw = drawPicture,
                           .context = &picture };
    status = crDrawCanvas(&canvas, allocator, sink);
  }
  return status;
}
