// A fit for people: JSON, pictures of data and model, and a page.
#include "base/file.h"
#include "base/platform.h"
#include "base/read_file.h"
#include "base/text.h"
#include "show/fit_picture.h"
#include "show/report.h"
#include "text/json_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

// folder: where the pictures are; NULL: there are none.
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
  for (int i = 0; i < def->experimentCount && folder != NULL; ++i) {
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
  crStatus status = crMakeFolder(folder, "the folder of the fit cannot be made", sink);
  if (status != cr_ok) {
    return status;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  bool hasPictures = false;
  crBytes bytes;
  crBytes_Init(&bytes, &chosen);
  writeJson(def, fit, (crTextWriter){ crBytes_Write, &bytes });
  status = writeBytes(folder, "fit.json", &bytes, &chosen, sink);
  status = status == cr_ok ? crWriteFitPictures(def, fit, folder, &chosen, sink, &hasPictures) : status;
  if (status == cr_ok) {
    bytes.size = 0;
    makePage(def, fit, hasPictures ? folder : NULL, &chosen, &bytes);
    status = writeBytes(folder, "fit.html", &bytes, &chosen, sink);
  }
  crBytes_Free(&bytes);
  return status;
}
