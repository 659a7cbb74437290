// Plots as pictures, drawn by cairo: SVG, PNG and PDF come from one drawing.
//
// From top to bottom: title, then for each unit its legend and its panel, then the time axis. All lengths are in
// points.
#include "base/library.h"
#include "base/report.h"
#include "show/canvas.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_PICTURE_LIMIT 5000.0 // [points] widest and highest picture; 0.01 to 10 pixels a point keep cairo's limits
#define CR_SMALLEST_PICTURE 120.0
#define CR_SMALLEST_PANEL 30.0 // [points] lower ones show nothing
#define CR_TEXT_LIMIT 256      // [bytes] of a text in the picture

#define CR_TITLE_FONT 13.0
#define CR_LABEL_FONT 11.0
#define CR_TICK_FONT 10.0
#define CR_BORDER 14.0     // around everything
#define CR_SPACE 6.0       // between texts and lines
#define CR_LEGEND_ROW 15.0 // height
#define CR_SAMPLE 20.0     // length of the line in a legend
#define CR_LEGEND_ROWS 4   // at most; names that do not fit are counted
#define CR_TICK_LENGTH 4.0
#define CR_TICK_ROOM 26.0      // [points] between ticks of a value axis
#define CR_TIME_TICK_ROOM 56.0 // of the time axis
#define CR_VALUE_MARGIN 0.04   // of the range of values, above and below
#define CR_CURVE_WIDTH 1.4

static const crPaint inkColor = { 0.15, 0.15, 0.15 }, gridColor = { 0.90, 0.90, 0.90 },
                     zeroColor = { 0.70, 0.70, 0.70 };

typedef struct Picture {
  const crPlot* plot;
  const crPlotOptions* options;
  cairo_t* cairo;
  double width, height;
  double left, right; // of all panels
  double panelTop[CR_MAX_PANELS], panelHeight;
  int legendRows[CR_MAX_PANELS];
  crAxis timeAxis, axes[CR_MAX_PANELS];
} Picture;

// -------------------------------------------------------------------------------------------- text

static void setColor(const Picture* picture, crPaint color)
{
  cairo_set_source_rgb(picture->cairo, color.red, color.green, color.blue);
}

static void setFont(const Picture* picture, double size, bool isBold)
{
  crCanvas_SetFont(picture->cairo, size, isBold);
}

static double textWidth(const Picture* picture, const char* text)
{
  return crCanvas_MeasureText(picture->cairo, text);
}

static void drawText(const Picture* picture, double x, double y, double anchor, const char* text)
{
  crCanvas_DrawText(picture->cairo, x, y, anchor, text);
}

// A name without control characters; when it is too wide, its end, which says most, behind dots.
static void fitText(const Picture* picture, const char* text, double width, char outText[CR_TEXT_LIMIT])
{
  size_t size = strlen(text);
  const char* start = size < CR_TEXT_LIMIT ? text : text + size - (CR_TEXT_LIMIT - 8);
  for (;;) {
    while (((unsigned char)*start & 0xc0) == 0x80) {
      ++start;
    }
    snprintf(outText, CR_TEXT_LIMIT, "%s%s", start == text ? "" : "\u2026", start);
    for (char* c = outText; *c != '\0'; ++c) {
      *c = (unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c;
    }
    if (*start == '\0' || textWidth(picture, outText) <= width) {
      return;
    }
    ++start;
  }
}

// ------------------------------------------------------------------------------------------ legend

static const char* nameOf(const Picture* picture, const crPanel* panel, int index)
{
  return crResult_GetColumn(picture->plot->result, panel->columns[index])->name;
}

static void setCurveStyle(const Picture* picture, int index)
{
  static const double dashes[2][2] = { { 5.0, 2.5 }, { 1.2, 2.4 } };
  int style = index / CR_CURVE_COLORS % 3;
  setColor(picture, crCurveColors[index % CR_CURVE_COLORS]);
  cairo_set_dash(picture->cairo, style > 0 ? dashes[style - 1] : NULL, style > 0 ? 2 : 0, 0.0);
  cairo_set_line_width(picture->cairo, CR_CURVE_WIDTH);
}

static void drawSample(const Picture* picture, int index, double x, double y)
{
  setCurveStyle(picture, index);
  cairo_move_to(picture->cairo, x, y - 3.5);
  cairo_line_to(picture->cairo, x + CR_SAMPLE, y - 3.5);
  cairo_stroke(picture->cairo);
  cairo_set_dash(picture->cairo, NULL, 0, 0.0);
  setColor(picture, inkColor);
}

// Names one after the other in as many rows as they need. The first row ends at `y`. Returns the rows; isDrawn false:
// only counts them.
static int layLegend(const Picture* picture, const crPanel* panel, double y, bool isDrawn)
{
  double x = picture->left;
  int row = 0;
  setFont(picture, CR_TICK_FONT, false);
  for (int i = 0; i < panel->columnCount; ++i) {
    char text[CR_TEXT_LIMIT], more[32];
    fitText(picture, nameOf(picture, panel, i), picture->right - picture->left - CR_SAMPLE - CR_SPACE, text);
    snprintf(more, sizeof more, "and %d more", panel->columnCount - i);
    double width = CR_SAMPLE + CR_SPACE + textWidth(picture, text);
    bool isLastRow = row == CR_LEGEND_ROWS - 1 && i + 1 < panel->columnCount;
    double reserve = isLastRow ? 3.0 * CR_SPACE + textWidth(picture, more) : 0.0;
    if (x > picture->left && x + width + reserve > picture->right) {
      if (row == CR_LEGEND_ROWS - 1) {
        if (isDrawn) {
          drawText(picture, x, y + row * CR_LEGEND_ROW, 0.0, more);
        }
        return row + 1;
      }
      x = picture->left;
      ++row;
    }
    if (isDrawn) {
      drawSample(picture, i, x, y + row * CR_LEGEND_ROW);
      drawText(picture, x + CR_SAMPLE + CR_SPACE, y + row * CR_LEGEND_ROW, 0.0, text);
    }
    x += width + 3.0 * CR_SPACE;
  }
  return row + 1;
}

// ------------------------------------------------------------------------------------------ layout

static double widestTick(const Picture* picture, const crAxis* axis)
{
  double widest = 0.0;
  for (int i = 0; i < axis->tickCount; ++i) {
    char text[CR_TICK_SIZE];
    crAxis_FormatTick(axis, i, text);
    widest = fmax(widest, textWidth(picture, text));
  }
  return widest;
}

static double choosePanelHeight(int panelCount)
{
  static const double heights[CR_MAX_PANELS] = { 300.0, 190.0, 150.0, 130.0, 115.0, 105.0 };
  return heights[panelCount - 1];
}

static void makeAxes(Picture* picture)
{
  const crPlot* plot = picture->plot;
  for (int i = 0; i < plot->panelCount; ++i) {
    const crPanel* panel = &plot->panels[i];
    bool isEmpty = panel->min > panel->max;
    picture->axes[i] = crMakeAxis(isEmpty ? 0.0 : panel->min, isEmpty ? 1.0 : panel->max, CR_VALUE_MARGIN,
                                  (int)(picture->panelHeight / CR_TICK_ROOM) + 1);
  }
}

// Heights depend on the rows of legends, those on the left border, and that on the ticks: two rounds settle it.
static void layOut(Picture* picture)
{
  const crPlot* plot = picture->plot;
  double fixed = picture->options->height;
  double top = CR_BORDER + (plot->title[0] != '\0' ? CR_TITLE_FONT + 2.0 * CR_SPACE : 0.0);
  double bottom = CR_TICK_LENGTH + CR_TICK_FONT + CR_LABEL_FONT + 2.0 * CR_SPACE + CR_BORDER;
  picture->right = picture->width - CR_BORDER - CR_SPACE;
  picture->panelHeight = choosePanelHeight(plot->panelCount);
  for (int round = 0; round < 2; ++round) {
    makeAxes(picture);
    setFont(picture, CR_TICK_FONT, false);
    double ticks = 0.0, legends = 0.0;
    for (int i = 0; i < plot->panelCount; ++i) {
      ticks = fmax(ticks, widestTick(picture, &picture->axes[i]));
    }
    picture->left = CR_BORDER + CR_LABEL_FONT + 2.0 * CR_SPACE + ticks + CR_TICK_LENGTH;
    for (int i = 0; i < plot->panelCount; ++i) {
      picture->legendRows[i] = layLegend(picture, &plot->panels[i], 0.0, false);
      legends += picture->legendRows[i] * CR_LEGEND_ROW + 2.0 * CR_SPACE;
    }
    if (fixed > 0.0) {
      picture->panelHeight = (fixed - top - legends - bottom) / plot->panelCount;
    }
    picture->height = fixed > 0.0 ? fixed : top + legends + plot->panelCount * picture->panelHeight + bottom;
  }
  double y = top;
  for (int i = 0; i < plot->panelCount; ++i) {
    y += picture->legendRows[i] * CR_LEGEND_ROW + (i > 0 ? 2.0 : 1.0) * CR_SPACE;
    picture->panelTop[i] = y;
    y += picture->panelHeight;
  }
  picture->timeAxis =
      crMakeAxis(plot->from, plot->to, 0.0, (int)((picture->right - picture->left) / CR_TIME_TICK_ROOM));
}

static double placeTime(const Picture* picture, double time)
{
  const crAxis* axis = &picture->timeAxis;
  return picture->left + (time - axis->min) / (axis->max - axis->min) * (picture->right - picture->left);
}

static double placeValue(const Picture* picture, int panel, double value)
{
  const crAxis* axis = &picture->axes[panel];
  return picture->panelTop[panel] + (axis->max - value) / (axis->max - axis->min) * picture->panelHeight;
}

// ----------------------------------------------------------------------------------------- drawing

static void drawLine(const Picture* picture, double x1, double y1, double x2, double y2)
{
  cairo_move_to(picture->cairo, x1, y1);
  cairo_line_to(picture->cairo, x2, y2);
  cairo_stroke(picture->cairo);
}

static void drawGrid(const Picture* picture, int panel)
{
  double top = picture->panelTop[panel], bottom = top + picture->panelHeight;
  const crAxis* axis = &picture->axes[panel];
  cairo_set_line_width(picture->cairo, 0.7);
  for (int i = 0; i < picture->timeAxis.tickCount; ++i) {
    double x = placeTime(picture, crAxis_GetTick(&picture->timeAxis, i));
    setColor(picture, gridColor);
    drawLine(picture, x, top, x, bottom);
  }
  for (int i = 0; i < axis->tickCount; ++i) {
    double value = crAxis_GetTick(axis, i), y = placeValue(picture, panel, value);
    setColor(picture, value == 0.0 ? zeroColor : gridColor);
    drawLine(picture, picture->left, y, picture->right, y);
  }
}

// One mark for all events in a row that fall onto the same half point.
static void drawMark(const Picture* picture, int panel, double time, double* ioLast)
{
  double x = floor(2.0 * placeTime(picture, time)) / 2.0, top = picture->panelTop[panel];
  if (time >= picture->plot->from && time <= picture->plot->to && x != *ioLast) {
    drawLine(picture, x, top, x, top + picture->panelHeight);
    *ioLast = x;
  }
}

// What the run has noted, and contacts that begin and end.
static void drawEventMarks(const Picture* picture, int panel)
{
  const crResult* result = picture->plot->result;
  double lastEvent = -1.0, lastBegin = -1.0, lastEnd = -1.0;
  static const double dashes[2] = { 2.0, 2.0 };
  cairo_set_source_rgba(picture->cairo, 0.0, 0.0, 0.0, 0.35);
  cairo_set_line_width(picture->cairo, 0.6);
  cairo_set_dash(picture->cairo, dashes, 2, 0.0);
  for (int i = 0; i < crResult_CountEvents(result); ++i) {
    drawMark(picture, panel, crResult_GetEvent(result, i)->time, &lastEvent);
  }
  for (int i = 0; i < crResult_CountContacts(result); ++i) {
    drawMark(picture, panel, crResult_GetContact(result, i)->begin, &lastBegin);
    drawMark(picture, panel, crResult_GetContact(result, i)->end, &lastEnd); // NaN: it lasts
  }
  cairo_set_dash(picture->cairo, NULL, 0, 0.0);
}

typedef struct Curve {
  const Picture* picture;
  int panel;
  double x, y;            // of the last point
  double penX, penY;      // where cairo stands, NaN: nowhere
  double low[2], high[2]; // beyond which nothing is drawn
} Curve;

// The part of a line that lies between two limits of one coordinate, as shares of its length.
static void clipShares(double from, double by, double low, double high, double* ioFirst, double* ioLast)
{
  if (by == 0.0) {
    *ioLast = from >= low && from <= high ? *ioLast : -1.0;
    return;
  }
  double a = (low - from) / by, b = (high - from) / by;
  *ioFirst = fmax(*ioFirst, fmin(a, b));
  *ioLast = fmin(*ioLast, fmax(a, b));
}

// A line to a point far outside has as many dashes as it is long, and cairo makes all of them: what is not seen is cut
// off before.
static void drawTo(Curve* curve, double x, double y)
{
  double first = 0.0, last = 1.0, dx = x - curve->x, dy = y - curve->y;
  clipShares(curve->x, dx, curve->low[0], curve->high[0], &first, &last);
  clipShares(curve->y, dy, curve->low[1], curve->high[1], &first, &last);
  if (first > last) {
    return;
  }
  double fromX = first > 0.0 ? curve->x + first * dx : curve->x, fromY = first > 0.0 ? curve->y + first * dy : curve->y;
  if (!(curve->penX == fromX && curve->penY == fromY)) {
    cairo_move_to(curve->picture->cairo, fromX, fromY);
  }
  curve->penX = last < 1.0 ? curve->x + last * dx : x;
  curve->penY = last < 1.0 ? curve->y + last * dy : y;
  cairo_line_to(curve->picture->cairo, curve->penX, curve->penY);
}

static void drawPoint(void* context, double time, double value, bool isStart)
{
  Curve* curve = context;
  double x = placeTime(curve->picture, time), y = placeValue(curve->picture, curve->panel, value);
  if (isStart) { // and a line of no length, so that a point between two gaps is seen
    curve->x = x;
    curve->y = y;
    curve->penX = curve->penY = NAN;
  }
  drawTo(curve, x, y);
  curve->x = x;
  curve->y = y;
}

static void drawCurves(const Picture* picture, int index)
{
  const crPanel* panel = &picture->plot->panels[index];
  double width = picture->right - picture->left;
  double height = picture->panelHeight, top = picture->panelTop[index];
  Curve curve = { .picture = picture,
                  .panel = index,
                  .low = { picture->left - width, top - height },
                  .high = { picture->right + width, top + 2.0 * height } };
  cairo_save(picture->cairo);
  cairo_rectangle(picture->cairo, picture->left, picture->panelTop[index], width, picture->panelHeight);
  cairo_clip(picture->cairo);
  cairo_set_line_join(picture->cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(picture->cairo, CAIRO_LINE_CAP_ROUND);
  for (int i = 0; i < panel->columnCount; ++i) {
    crTraceCurve(picture->plot, panel->columns[i], (int)(2.0 * width), drawPoint, &curve);
    setCurveStyle(picture, i);
    cairo_stroke(picture->cairo);
  }
  cairo_restore(picture->cairo);
}

static void drawValueAxis(const Picture* picture, int index)
{
  const crAxis* axis = &picture->axes[index];
  double top = picture->panelTop[index], bottom = top + picture->panelHeight;
  setColor(picture, inkColor);
  cairo_set_line_width(picture->cairo, 0.9);
  drawLine(picture, picture->left, top, picture->left, bottom);
  drawLine(picture, picture->left, bottom, picture->right, bottom);
  setFont(picture, CR_TICK_FONT, false);
  for (int i = 0; i < axis->tickCount; ++i) {
    char text[CR_TICK_SIZE];
    double y = placeValue(picture, index, crAxis_GetTick(axis, i));
    drawLine(picture, picture->left - CR_TICK_LENGTH, y, picture->left, y);
    crAxis_FormatTick(axis, i, text);
    drawText(picture, picture->left - CR_TICK_LENGTH - 3.0, y + 0.35 * CR_TICK_FONT, 1.0, text);
  }
}

// Along the axis; where the whole label is too long for a low panel, the unit alone.
static void drawValueLabel(const Picture* picture, int index)
{
  const crPanel* panel = &picture->plot->panels[index];
  double top = picture->panelTop[index], bottom = top + picture->panelHeight;
  char label[CR_LABEL_SIZE], fitted[CR_TEXT_LIMIT];
  setFont(picture, CR_LABEL_FONT, false);
  crFormatAxisLabel(panel->quantity, panel->unit, picture->axes[index].exponent, label);
  if (textWidth(picture, label) > picture->panelHeight) {
    crFormatAxisLabel("", panel->unit, picture->axes[index].exponent, label);
  }
  fitText(picture, label, picture->panelHeight, fitted);
  cairo_save(picture->cairo);
  cairo_translate(picture->cairo, CR_BORDER + CR_LABEL_FONT - 2.0, 0.5 * (top + bottom));
  cairo_rotate(picture->cairo, -0.5 * 3.14159265358979323846);
  drawText(picture, 0.0, 0.0, 0.5, fitted);
  cairo_restore(picture->cairo);
}

// Every panel has the marks, the lowest one also the numbers.
static void drawTimeAxis(const Picture* picture, int panel)
{
  double bottom = picture->panelTop[panel] + picture->panelHeight;
  bool isLowest = panel == picture->plot->panelCount - 1;
  setFont(picture, CR_TICK_FONT, false);
  for (int i = 0; i < picture->timeAxis.tickCount; ++i) {
    char text[CR_TICK_SIZE];
    double x = placeTime(picture, crAxis_GetTick(&picture->timeAxis, i));
    drawLine(picture, x, bottom, x, bottom + CR_TICK_LENGTH);
    crAxis_FormatTick(&picture->timeAxis, i, text);
    if (isLowest) {
      drawText(picture, x, bottom + CR_TICK_LENGTH + 3.0 + CR_TICK_FONT, 0.5, text);
    }
  }
  if (isLowest) {
    char label[CR_LABEL_SIZE];
    crFormatAxisLabel("time", "s", picture->timeAxis.exponent, label);
    setFont(picture, CR_LABEL_FONT, false);
    drawText(picture, 0.5 * (picture->left + picture->right),
             bottom + CR_TICK_LENGTH + CR_TICK_FONT + CR_LABEL_FONT + 2.0 * CR_SPACE, 0.5, label);
  }
}

static void drawPicture(const Picture* picture)
{
  const crPlot* plot = picture->plot;
  cairo_set_source_rgb(picture->cairo, 1.0, 1.0, 1.0);
  cairo_paint(picture->cairo);
  setColor(picture, inkColor);
  if (plot->title[0] != '\0') {
    char title[CR_TEXT_LIMIT];
    setFont(picture, CR_TITLE_FONT, true);
    fitText(picture, plot->title, picture->width - 2.0 * CR_BORDER, title);
    drawText(picture, 0.5 * (picture->left + picture->right), CR_BORDER + CR_TITLE_FONT, 0.5, title);
  }
  for (int i = 0; i < plot->panelCount; ++i) {
    double legend = picture->panelTop[i] - (picture->legendRows[i] - 1) * CR_LEGEND_ROW - CR_SPACE;
    drawGrid(picture, i);
    if (picture->options->hasEventMarks) {
      drawEventMarks(picture, i);
    }
    drawCurves(picture, i);
    drawValueAxis(picture, i);
    drawValueLabel(picture, i);
    drawTimeAxis(picture, i);
    layLegend(picture, &plot->panels[i], legend, true);
  }
}

// -------------------------------------------------------------------------------------------- files

static void drawContext(void* context, cairo_t* cairo)
{
  Picture* picture = context;
  picture->cairo = cairo;
  drawPicture(picture);
}

// Texts are measured before the size of the picture is known: on a picture of one pixel.
static cairo_status_t measure(Picture* picture)
{
  crEnterLibrary(CR_CAIRO);
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  picture->cairo = cairo_create(surface);
  layOut(picture);
  cairo_status_t status = cairo_status(picture->cairo);
  cairo_destroy(picture->cairo);
  cairo_surface_destroy(surface);
  status = status == CAIRO_STATUS_SUCCESS && crIsMemoryShort() ? CAIRO_STATUS_NO_MEMORY : status;
  crLeaveLibrary(status != CAIRO_STATUS_SUCCESS);
  return status;
}

static crStatus writePicture(Picture* picture, const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  cairo_status_t measured = measure(picture);
  if (measured != CAIRO_STATUS_SUCCESS) {
    return measured == CAIRO_STATUS_NO_MEMORY
               ? cr_errorMemory
               : crComplainPlot(sink, path,
                                &(crComplaint){ .message = "the plot cannot be drawn",
                                                .found = cairo_status_to_string(measured) });
  }
  if (picture->panelHeight < CR_SMALLEST_PANEL || picture->right - picture->left < CR_SMALLEST_PANEL) {
    return crComplainPlot(sink, path,
                          &(crComplaint){ .message = "the plot does not fit into a picture of this size",
                                          .hint = "make it larger, or choose fewer variables" });
  }
  crCanvasDef def = { .path = path,
                      .title = picture->plot->title,
                      .width = picture->width,
                      .height = picture->height,
                      .resolution = picture->options->resolution,
                      .draw = drawContext,
                      .context = picture };
  return crDrawCanvas(&def, allocator, sink);
}

static bool isBetween(double value, double min, double max)
{
  return value >= min && value <= max;
}

crStatus crPlotResult(const crResult* result, const int* columns, int columnCount, const crPlotOptions* options,
                      const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  crPlotOptions chosen;
  if (result == NULL || path == NULL || (columns == NULL && columnCount > 0) ||
      crChoosePlotOptions(options, sink, &chosen) != cr_ok) {
    return cr_errorMisuse;
  }
  options = &chosen;
  if (!isBetween(options->width, CR_SMALLEST_PICTURE, CR_PICTURE_LIMIT) ||
      !isBetween(options->resolution, 0.01, 10.0) ||
      (options->height != 0.0 && !isBetween(options->height, CR_SMALLEST_PICTURE, CR_PICTURE_LIMIT))) {
    return crComplainPlot(sink, path,
                          &(crComplaint){ .message = "the size of the picture is not allowed",
                                          .allowed = "120 to 5000 points, 0.01 to 10 pixels a point" });
  }
  if (!crIsPicture(path)) {
    return crComplainPlot(sink, path,
                          &(crComplaint){ .message = "the kind of picture is not known by the ending of its name",
                                          .allowed = ".svg, .png, .pdf" });
  }
  crPlot plot;
  crStatus status = crPreparePlot(result, columns, columnCount, options, allocator, sink, &plot);
  if (status == cr_ok) {
    Picture picture = { .plot = &plot, .options = options, .width = options->width };
    status = writePicture(&picture, path, &plot.allocator, sink);
    crFreePlot(&plot);
  }
  return status;
}
