// A fit for people: JSON, pictures of data and model, and a page.
#include "base/file.h"
#include "base/platform.h"
#include "base/read_file.h"
#include "base/text.h"
#include "show/canvas.h"
#include "show/report.h"
#include "text/json_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_PICTURE_WIDTH 620.0 // [points]
#define CR_PANEL_HEIGHT 190.0
#define CR_PICTURE_LIMIT ((size_t)256 << 20) // [bytes] of one that is read again

static const char* const ends[] = { "converged", "stalled", "run limit" };

// ---------------------------------------------------------------------------------------------- JSON

static void writeNumber(crJsonText* text, const char* key, double number)
{
  crJsonText_Key(text, key);
  isfinite(number) ? crJsonText_Number(text, number) : crJsonText_Null(text);
}

static void writeJson(const crFitDef* def, const crFit* fit, crTextWriter writer)
{
  crFitFacts facts = crFit_GetFacts(fit);
  crJsonText text;
  crJsonText_Init(&text, writer);
  crJsonText_BeginObjectLines(&text);
  crJsonText_KeyString(&text, "carom", CAROM_VERSION);
  crJsonText_KeyString(&text, "model", def->model);
  crJsonText_KeyString(&text, "end", ends[facts.end]);
  crJsonText_KeyNumber(&text, "runs", facts.runs);
  crJsonText_KeyNumber(&text, "iterations", facts.iterations);
  crJsonText_KeyNumber(&text, "measurements", facts.residualCount);
  writeNumber(&text, def->goal != NULL ? "goal" : "sum", facts.sum);
  writeNumber(&text, "deviation", def->goal != NULL ? NAN : facts.deviation);
  crJsonText_Key(&text, "parameters");
  crJsonText_BeginObjectLines(&text);
  for (int i = 0; i < facts.parameterCount; ++i) {
    crFitEstimate e = crFit_GetEstimate(fit, i);
    crJsonText_Key(&text, e.name);
    crJsonText_BeginObject(&text);
    crJsonText_KeyNumber(&text, "value", e.value);
    writeNumber(&text, "error", e.error);
    writeNumber(&text, "low", e.low);
    writeNumber(&text, "high", e.high);
    crJsonText_KeyBool(&text, "isAtBound", e.isAtBound);
    crJsonText_EndObject(&text);
  }
  crJsonText_EndObject(&text);
  crJsonText_Key(&text, "covariance");
  crJsonText_BeginArrayLines(&text);
  for (int i = 0; i < facts.parameterCount; ++i) {
    crJsonText_BeginArray(&text);
    for (int j = 0; j < facts.parameterCount; ++j) {
      double value = crFit_GetCovariance(fit, i, j);
      isfinite(value) ? crJsonText_Number(&text, value) : crJsonText_Null(&text);
    }
    crJsonText_EndArray(&text);
  }
  crJsonText_EndArray(&text);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}

// ------------------------------------------------------------------------------------------ pictures

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

static crStatus writePictures(const crFitDef* def, const crFit* fit, const char* folder, const crAllocator* allocator,
                              const crErrorSink* sink)
{
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

// ---------------------------------------------------------------------------------------------- page

static void add(crBytes* page, const char* text)
{
  crBytes_Add(page, text, strlen(text));
}

// So that no name in a plan can end what holds it.
static void addEscaped(crBytes* page, const char* text)
{
  for (const char* c = text; *c != '\0'; ++c) {
    const char* instead = *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : *c == '&' ? "&amp;" : *c == '"' ? "&quot;" : NULL;
    instead != NULL ? add(page, instead) : crBytes_Add(page, c, 1);
  }
}

static void addCell(crBytes* page, double number)
{
  char text[64];
  snprintf(text, sizeof text, isfinite(number) ? "<td>%.7g</td>" : "<td>&ndash;</td>", number);
  add(page, text);
}

static void addPicture(crBytes* page, const char* path, const crAllocator* allocator)
{
  char* bytes = NULL;
  size_t size = 0;
  if (crReadFile(path, CR_PICTURE_LIMIT, allocator, NULL, &bytes, &size) == cr_ok) {
    add(page, "<img alt=\"data and model\" src=\"data:image/svg+xml;base64,"); // names in it are its own then
    crWriteBase64((const unsigned char*)bytes, size, (crTextWriter){ crBytes_Write, page });
    add(page, "\">\n");
    crFree(allocator, bytes, size + 1);
  }
}

static void makePage(const crFitDef* def, const crFit* fit, const char* folder, const crAllocator* allocator,
                     crBytes* page)
{
  crFitFacts facts = crFit_GetFacts(fit);
  char text[512];
  add(page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fit</title>\n<style>"
            "body{font:14px/1.5 system-ui,sans-serif;color:#1f2328;max-width:60em;margin:2em auto;padding:0 1em}"
            "table{border-collapse:collapse}td,th{padding:.25em .9em;text-align:right;border-bottom:1px solid #d8dee4}"
            "td:first-child,th:first-child{text-align:left}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}"
            "img{max-width:100%}</style></head><body>\n<h1>Fit of ");
  addEscaped(page, def->model);
  add(page, "</h1>\n<table><tr><th>parameter</th><th>value</th><th>standard error</th><th>95 % from</th><th>to</th>"
            "<th></th></tr>\n");
  for (int i = 0; i < facts.parameterCount; ++i) {
    crFitEstimate e = crFit_GetEstimate(fit, i);
    add(page, "<tr><td>");
    addEscaped(page, e.name);
    add(page, "</td>");
    addCell(page, e.value);
    addCell(page, e.error);
    addCell(page, e.low);
    addCell(page, e.high);
    add(page, e.isAtBound ? "<td>on a bound</td></tr>\n" : "<td></td></tr>\n");
  }
  add(page, "</table>\n<p>");
  if (def->goal != NULL) {
    addEscaped(page, def->goal);
    snprintf(text, sizeof text, " = %.10g. ", facts.sum);
  } else {
    snprintf(text, sizeof text, "%d measurements; sum of squares %.6g, deviation %.6g. ", facts.residualCount,
             facts.sum, facts.deviation);
  }
  add(page, text);
  snprintf(text, sizeof text, "%s after %d runs.</p>\n", ends[facts.end], facts.runs);
  add(page, text);
  for (int i = 0; i < def->experimentCount; ++i) {
    char path[CR_PATH_SIZE];
    snprintf(path, sizeof path, "%s/experiment-%d.svg", folder, i + 1);
    add(page, "<h2>");
    addEscaped(page, def->experiments[i].name != NULL ? def->experiments[i].name : "experiment");
    add(page, "</h2>\n<p>Dots: measured. Line: the model.</p>\n");
    addPicture(page, path, allocator);
  }
  add(page, "</body></html>\n");
}

static crStatus writeBytes(const char* folder, const char* name, const crBytes* bytes, const crAllocator* allocator,
                           const crErrorSink* sink)
{
  char path[CR_PATH_SIZE];
  crOutputFile* file = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  crStatus status = bytes->hasFailed ? cr_errorMemory : crOpenOutputFile(path, allocator, sink, &file);
  if (status == cr_ok) {
    crOutputFile_Write(file, bytes->items, bytes->size);
    status = crCloseOutputFile(file, true, sink);
  }
  return status;
}

crStatus crWriteFitReport(const crFitDef* def, const crFit* fit, const char* folder, const crAllocator* allocator,
                          const crErrorSink* sink)
{
  if (def == NULL || fit == NULL || folder == NULL || strlen(folder) > CR_PATH_SIZE - 64) {
    return cr_errorMisuse;
  }
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    return crReportFile(sink, folder, "the folder of the fit cannot be made", errno);
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crBytes bytes;
  crBytes_Init(&bytes, &chosen);
  writeJson(def, fit, (crTextWriter){ crBytes_Write, &bytes });
  crStatus status = writeBytes(folder, "fit.json", &bytes, &chosen, sink);
  status = status == cr_ok ? writePictures(def, fit, folder, &chosen, sink) : status;
  if (status == cr_ok) {
    bytes.size = 0;
    makePage(def, fit, folder, &chosen, &bytes);
    status = writeBytes(folder, "fit.html", &bytes, &chosen, sink);
  }
  crBytes_Free(&bytes);
  return status;
}
