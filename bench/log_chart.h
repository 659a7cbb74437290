// A chart with logarithmic axes as an SVG file, in the look of the figures of docs/: curves with a mark at every point,
// labels beside them.
#ifndef CR_BENCH_LOG_CHART_H
#define CR_BENCH_LOG_CHART_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CHART_WIDTH 640  // [pixels]
#define CHART_HEIGHT 400 //
#define CHART_LEFT 66    // margins
#define CHART_RIGHT 176
#define CHART_TOP 16
#define CHART_BOTTOM 46
#define CHART_CURVES 12
#define CHART_POINTS 16

typedef struct LogCurve {
  char label[48];
  double x[CHART_POINTS], y[CHART_POINTS]; // > 0
  int count;
  bool isBold;
} LogCurve;

typedef struct LogChart {
  const char *xLabel, *yLabel;
  LogCurve curves[CHART_CURVES];
  int curveCount;
  int xLow, xHigh, yLow, yHigh; // decades, set when it is drawn
} LogChart;

static inline LogCurve* addLogCurve(LogChart* chart, const char* label, bool isBold)
{
  LogCurve* curve = &chart->curves[chart->curveCount < CHART_CURVES ? chart->curveCount++ : CHART_CURVES - 1];
  snprintf(curve->label, sizeof curve->label, "%s", label);
  curve->isBold = isBold;
  return curve;
}

static inline void addLogPoint(LogCurve* curve, double x, double y)
{
  if (x > 0 && y > 0 && isfinite(x) && isfinite(y) && curve->count < CHART_POINTS) {
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
  }
}

static inline void findDecades(LogChart* chart)
{
  double xLow = HUGE_VAL, xHigh = 0, yLow = HUGE_VAL, yHigh = 0;
  for (int i = 0; i < chart->curveCount; i++) {
    for (int k = 0; k < chart->curves[i].count; k++) {
      xLow = fmin(xLow, chart->curves[i].x[k]);
      xHigh = fmax(xHigh, chart->curves[i].x[k]);
      yLow = fmin(yLow, chart->curves[i].y[k]);
      yHigh = fmax(yHigh, chart->curves[i].y[k]);
    }
  }
  chart->xLow = (int)floor(log10(xLow));
  chart->xHigh = (int)ceil(log10(xHigh));
  chart->yLow = (int)floor(log10(yLow));
  chart->yHigh = (int)ceil(log10(yHigh));
}

// Small errors are on the right: precision grows to the right, work upwards.
static inline double logX(const LogChart* chart, double x)
{
  double part = (chart->xHigh - log10(x)) / (chart->xHigh - chart->xLow);
  return CHART_LEFT + part * (CHART_WIDTH - CHART_LEFT - CHART_RIGHT);
}

static inline double logY(const LogChart* chart, double y)
{
  double part = (log10(y) - chart->yLow) / (chart->yHigh - chart->yLow);
  return CHART_HEIGHT - CHART_BOTTOM - part * (CHART_HEIGHT - CHART_TOP - CHART_BOTTOM);
}

static inline void drawLogAxes(FILE* file, const LogChart* chart)
{
  int right = CHART_WIDTH - CHART_RIGHT, bottom = CHART_HEIGHT - CHART_BOTTOM;
  int stride = chart->xHigh - chart->xLow > 8 ? 2 : 1;
  for (int k = chart->xLow; k <= chart->xHigh; k++) {
    double x = logX(chart, pow(10, k));
    fprintf(file, "<path d=\"M%.1f %d V%d\" stroke=\"#ddd\"/>", x, CHART_TOP, bottom);
    if ((k - chart->xLow) % stride == 0) {
      fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">1e%d</text>\n", x, bottom + 17, k);
    }
  }
  for (int k = chart->yLow; k <= chart->yHigh; k++) {
    for (int m = 1; m < (k < chart->yHigh ? 10 : 2); m++) {
      double y = logY(chart, m * pow(10, k));
      fprintf(file, "<path d=\"M%d %.1f H%d\" stroke=\"%s\"/>", CHART_LEFT, y, right, m == 1 ? "#ccc" : "#f0f0f0");
    }
    fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", CHART_LEFT - 6,
            logY(chart, pow(10, k)) + 4, pow(10, k));
  }
  fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (CHART_LEFT + right) / 2,
          CHART_HEIGHT - 8, chart->xLabel);
  fprintf(file, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
          (CHART_TOP + bottom) / 2, chart->yLabel);
}

static inline void drawMark(FILE* file, int shape, double x, double y, const char* colour)
{
  static const char* const paths[] = { "M-3.2 -3.2h6.4v6.4h-6.4z", "M0 -4L3.8 3H-3.8z", "M0 -4.2L4.2 0L0 4.2L-4.2 0z" };
  if (shape == 0) {
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\"/>", x, y, colour);
  } else {
    fprintf(file, "<path transform=\"translate(%.1f %.1f)\" d=\"%s\" fill=\"%s\"/>", x, y, paths[shape - 1], colour);
  }
}

static inline void drawLogCurve(FILE* file, const LogChart* chart, int index)
{
  static const char* const colours[] = { "#0b6e99", "#c8553d", "#2e8b57", "#8a5a9e", "#b8860b", "#444444",
                                         "#d46aa0", "#5aa9e6", "#7a9a01", "#e69138", "#000000", "#e0382b" };
  const LogCurve* curve = &chart->curves[index];
  const char* colour = colours[index % 12];
  fprintf(file, "<path fill=\"none\" stroke-width=\"%g\" stroke=\"%s\" d=\"", curve->isBold ? 2.6 : 1.3, colour);
  for (int i = 0; i < curve->count; i++) {
    fprintf(file, "%c%.1f %.1f", i == 0 ? 'M' : 'L', logX(chart, curve->x[i]), logY(chart, curve->y[i]));
  }
  fputs("\"/>\n", file);
  for (int i = 0; i < curve->count; i++) {
    drawMark(file, index % 4, logX(chart, curve->x[i]), logY(chart, curve->y[i]), colour);
  }
  int x = CHART_WIDTH - CHART_RIGHT + 14, y = CHART_TOP + 14 + 19 * index;
  drawMark(file, index % 4, x, y - 4, colour);
  fprintf(file, "<text x=\"%d\" y=\"%d\" fill=\"%s\"%s>%s</text>\n", x + 10, y, colour,
          curve->isBold ? " font-weight=\"bold\"" : "", curve->label);
}

// False: the file cannot be written.
static inline bool drawLogChart(LogChart* chart, const char* path)
{
  FILE* file = fopen(path, "w");
  if (file == NULL) {
    return false;
  }
  findDecades(chart);
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          CHART_WIDTH, CHART_HEIGHT, CHART_WIDTH, CHART_HEIGHT);
  drawLogAxes(file, chart);
  for (int i = 0; i < chart->curveCount; i++) {
    drawLogCurve(file, chart, i);
  }
  fputs("</svg>\n", file);
  return fclose(file) == 0;
}

#endif
