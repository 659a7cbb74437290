#include "show/canvas.h"

#include "base/file.h"
#include "base/library.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_LABEL_FONT 11.0
#define CR_TICK_FONT 10.0
#define CR_TICK_LENGTH 4.0
#define CR_LABEL_GAP 8.0 // [points] between ticks and labels

// ------------------------------------------------------------------------------------------- colours

// Those of Okabe and Ito, the palest left out.
const crPaint crCurveColors[CR_CURVE_COLORS] = {
  { 0.000, 0.447, 0.698 }, { 0.835, 0.369, 0.000 }, { 0.000, 0.620, 0.451 }, { 0.800, 0.475, 0.655 },
  { 0.902, 0.624, 0.000 }, { 0.337, 0.706, 0.914 }, { 0.250, 0.250, 0.250 },
};

// From blue over green to yellow, ever brighter: it reads as well in grey.
crPaint crFindMapColor(double share)
{
  static const crPaint stops[] = { { 0.267, 0.005, 0.329 }, { 0.279, 0.175, 0.483 }, { 0.230, 0.322, 0.546 },
                                   { 0.173, 0.449, 0.558 }, { 0.128, 0.567, 0.551 }, { 0.158, 0.684, 0.502 },
                                   { 0.369, 0.789, 0.383 }, { 0.678, 0.864, 0.190 }, { 0.993, 0.906, 0.144 } };
  enum { last = sizeof stops / sizeof *stops - 1 };
  if (!(share >= 0.0 && share <= 1.0)) {
    return (crPaint){ 0.85, 0.85, 0.85 };
  }
  int i = share < 1.0 ? (int)(share * last) : last - 1;
  double part = share * last - i;
  const crPaint *a = &stops[i], *b = &stops[i + 1];
  return (crPaint){ a->red + part * (b->red - a->red), a->green + part * (b->green - a->green),
                    a->blue + part * (b->blue - a->blue) };
}

// --------------------------------------------------------------------------------------------- files

typedef enum Format { formatSvg, formatPng, formatPdf, formatNone } Format;

static Format findFormat(const char* path)
{
  static const char* const endings[] = { ".svg", ".png", ".pdf" };
  size_t size = strlen(path);
  int format = 0;
  while (format < formatNone && (size < 4 || strcmp(path + size - 4, endings[format]) != 0)) {
    ++format;
  }
  return (Format)format;
}

static cairo_status_t writeBytes(void* context, const unsigned char* bytes, unsigned size)
{
  crOutputFile_Write(context, bytes, size);
  return crOutputFile_HasFailed(context) ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t* createSurface(const crCanvasDef* def, Format format, crOutputFile* file)
{
  if (format == formatSvg) {
    return cairo_svg_surface_create_for_stream(writeBytes, file, def->width, def->height);
  }
  if (format == formatPdf) {
    return cairo_pdf_surface_create_for_stream(writeBytes, file, def->width, def->height);
  }
  double scale = def->resolution;
  return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(def->width * scale), (int)ceil(def->height * scale));
}

// The same plot gives the same bytes: no time of making.
static void describePdf(const crCanvasDef* def, cairo_surface_t* surface)
{
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, def->title);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
}

static cairo_status_t drawFile(const crCanvasDef* def, Format format, crOutputFile* file)
{
  cairo_surface_t* surface = createSurface(def, format, file);
  if (format == formatPng) {
    cairo_surface_set_device_scale(surface, def->resolution, def->resolution);
  } else if (format == formatPdf) {
    describePdf(def, surface);
  }
  cairo_t* cairo = cairo_create(surface);
  def->draw(def->context, cairo);
  cairo_status_t status = cairo_status(cairo);
  cairo_destroy(cairo);
  if (status == CAIRO_STATUS_SUCCESS && format == formatPng) {
    status = cairo_surface_write_to_png_stream(surface, writeBytes, file);
  }
  cairo_surface_finish(surface);
  status = status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status;
  cairo_surface_destroy(surface);
  return status;
}

bool crIsPicture(const char* path)
{
  return findFormat(path) != formatNone;
}

crStatus crComplainPlot(const crErrorSink* sink, const char* path, const crComplaint* complaint)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL);
  crReport(&reporter, cr_severityError, cr_errorFile, complaint);
  return cr_errorFile;
}

crStatus crDrawCanvas(const crCanvasDef* def, const crAllocator* allocator, const crErrorSink* sink)
{
  crOutputFile* file;
  crStatus status = crOpenOutputFile(def->path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  crEnterLibrary(CR_CAIRO);
  cairo_status_t drawn = drawFile(def, findFormat(def->path), file);
  drawn = drawn == CAIRO_STATUS_SUCCESS && crIsMemoryShort() ? CAIRO_STATUS_NO_MEMORY : drawn; // texts may be missing
  crLeaveLibrary(drawn != CAIRO_STATUS_SUCCESS);
  bool isWritten = drawn == CAIRO_STATUS_SUCCESS || crOutputFile_HasFailed(file); // then closing tells why
  status = crCloseOutputFile(file, isWritten, sink);
  if (isWritten) {
    return status;
  }
  return drawn == CAIRO_STATUS_NO_MEMORY ? cr_errorMemory
                                         : crComplainPlot(sink, def->path,
                                                          &(crComplaint){ .message = "the plot cannot be drawn",
                                                                          .found = cairo_status_to_string(drawn) });
}

// --------------------------------------------------------------------------------------------- texts

void crCanvas_SetFont(cairo_t* cairo, double size, bool isBold)
{
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, size);
}

double crCanvas_MeasureText(cairo_t* cairo, const char* text)
{
  cairo_text_extents_t extents;
  cairo_text_extents(cairo, text, &extents);
  return extents.x_advance;
}

void crCanvas_DrawText(cairo_t* cairo, double x, double y, double anchor, const char* text)
{
  cairo_move_to(cairo, x - anchor * crCanvas_MeasureText(cairo, text), y);
  cairo_show_text(cairo, text);
  cairo_new_path(cairo); // which would begin behind the text
}

// --------------------------------------------------------------------------------------------- frames

double crFrame_PlaceX(const crFrame* frame, double value)
{
  return frame->left + (value - frame->x.min) / (frame->x.max - frame->x.min) * frame->width;
}

double crFrame_PlaceY(const crFrame* frame, double value)
{
  return frame->top + (frame->y.max - value) / (frame->y.max - frame->y.min) * frame->height;
}

static void drawLine(cairo_t* cairo, double x1, double y1, double x2, double y2)
{
  cairo_move_to(cairo, x1, y1);
  cairo_line_to(cairo, x2, y2);
  cairo_stroke(cairo);
}

// Its end behind dots where it is too long, since ends say most.
static void drawLabel(cairo_t* cairo, const char* text, double x, double y, double width)
{
  const char* start = text;
  char shown[CR_LABEL_SIZE + 8];
  do {
    snprintf(shown, sizeof shown, "%s%.*s", start == text ? "" : "\u2026", CR_LABEL_SIZE, start);
    do {
      start += *start != '\0';
    } while (((unsigned char)*start & 0xc0) == 0x80);
  } while (*start != '\0' && crCanvas_MeasureText(cairo, shown) > width);
  crCanvas_DrawText(cairo, x, y, 0.5, shown);
}

void crFrame_Draw(const crFrame* frame, cairo_t* cairo, const char* labelX, const char* labelY)
{
  double bottom = frame->top + frame->height, right = frame->left + frame->width, widest = 0.0;
  char text[CR_TICK_SIZE];
  crCanvas_SetFont(cairo, CR_TICK_FONT, false);
  cairo_set_line_width(cairo, 0.7);
  for (int i = 0; i < frame->x.tickCount; ++i) {
    double x = crFrame_PlaceX(frame, crAxis_GetTick(&frame->x, i));
    cairo_set_source_rgb(cairo, 0.90, 0.90, 0.90);
    drawLine(cairo, x, frame->top, x, bottom);
    cairo_set_source_rgb(cairo, 0.15, 0.15, 0.15);
    drawLine(cairo, x, bottom, x, bottom + CR_TICK_LENGTH);
    crAxis_FormatTick(&frame->x, i, text);
    crCanvas_DrawText(cairo, x, bottom + CR_TICK_LENGTH + CR_TICK_FONT + 1.0, 0.5, text);
  }
  for (int i = 0; i < frame->y.tickCount; ++i) {
    double y = crFrame_PlaceY(frame, crAxis_GetTick(&frame->y, i));
    cairo_set_source_rgb(cairo, 0.90, 0.90, 0.90);
    drawLine(cairo, frame->left, y, right, y);
    cairo_set_source_rgb(cairo, 0.15, 0.15, 0.15);
    drawLine(cairo, frame->left - CR_TICK_LENGTH, y, frame->left, y);
    crAxis_FormatTick(&frame->y, i, text);
    crCanvas_DrawText(cairo, frame->left - CR_TICK_LENGTH - 3.0, y + 0.35 * CR_TICK_FONT, 1.0, text);
    widest = fmax(widest, crCanvas_MeasureText(cairo, text));
  }
  cairo_set_line_width(cairo, 0.9);
  cairo_set_source_rgb(cairo, 0.15, 0.15, 0.15);
  drawLine(cairo, frame->left, frame->top, frame->left, bottom);
  drawLine(cairo, frame->left, bottom, right, bottom);
  crCanvas_SetFont(cairo, CR_LABEL_FONT, false);
  drawLabel(cairo, labelX, frame->left + 0.5 * frame->width,
            bottom + CR_TICK_LENGTH + CR_TICK_FONT + CR_LABEL_FONT + CR_LABEL_GAP, frame->width);
  cairo_save(cairo);
  cairo_translate(cairo, frame->left - CR_TICK_LENGTH - widest - CR_LABEL_GAP, frame->top + 0.5 * frame->height);
  cairo_rotate(cairo, -1.5707963267948966);
  drawLabel(cairo, labelY, 0.0, 0.0, frame->height);
  cairo_restore(cairo);
}
