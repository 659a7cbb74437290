// A chart with a few curves as an SVG file, for the programs that draw the figures of docs/.
#ifndef CR_FIGURES_CHART_H
#define CR_FIGURES_CHART_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 560  // [pixels]
#define HEIGHT 320 //
#define LEFT 62    // margins
#define RIGHT 130
#define TOP 18
#define BOTTOM 46
#define MAX_CURVES 8
#define SAMPLES 300 // of a smooth curve
#define MAX_POINTS 2048

static const char* const colours[] = { "#0b6e99", "#c8553d", "#2e8b57", "#8a5a9e", "#b8860b", "#444444" };

typedef struct Curve {
  const char* label;
  double x[MAX_POINTS], y[MAX_POINTS];
  int count;
  bool isDotted; // points, not a line
} Curve;

typedef struct Chart {
  const char *xLabel, *yLabel;
  double xMax, yMin, yMax;
  int xTicks, yTicks; // intervals
  Curve curves[MAX_CURVES];
  int curveCount;
} Chart;

// --------------------------------------------------------------------------------------------- svg

static double xPixel(const Chart* chart, double x)
{
  return LEFT + x / chart->xMax * (WIDTH - LEFT - RIGHT);
}

static double yPixel(const Chart* chart, double y)
{
  return HEIGHT - BOTTOM - (y - chart->yMin) / (chart->yMax - chart->yMin) * (HEIGHT - TOP - BOTTOM);
}

static void drawAxes(FILE* file, const Chart* chart)
{
  for (int i = 0; i <= chart->xTicks; ++i) {
    double x = chart->xMax * i / chart->xTicks, px = xPixel(chart, x);
    fprintf(file, "<path d=\"M%.1f %d V%d\" stroke=\"#ddd\"/>", px, TOP, HEIGHT - BOTTOM);
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", px, HEIGHT - BOTTOM + 17, x);
  }
  for (int i = 0; i <= chart->yTicks; ++i) {
    double y = chart->yMin + (chart->yMax - chart->yMin) * i / chart->yTicks, py = yPixel(chart, y);
    fprintf(file, "<path d=\"M%d %.1f H%d\" stroke=\"#ddd\"/>", LEFT, py, WIDTH - RIGHT);
    fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6, py + 4, y);
  }
  fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8,
          chart->xLabel);
  fprintf(file, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
          (TOP + HEIGHT - BOTTOM) / 2, chart->yLabel);
}

static void drawCurve(FILE* file, const Chart* chart, int index)
{
  const Curve* curve = &chart->curves[index];
  const char* colour = colours[index % 6];
  if (curve->isDotted) {
    for (int i = 0; i < curve->count; ++i) {
      fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", xPixel(chart, curve->x[i]),
              yPixel(chart, curve->y[i]), colour);
    }
  } else {
    fprintf(file, "<path fill=\"none\" stroke-width=\"1.6\" stroke=\"%s\" d=\"", colour);
    for (int i = 0; i < curve->count; ++i) {
      fprintf(file, "%c%.1f %.1f", i == 0 ? 'M' : 'L', xPixel(chart, curve->x[i]), yPixel(chart, curve->y[i]));
    }
    fputs("\"/>\n", file);
  }
  fprintf(file, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", WIDTH - RIGHT + 10, TOP + 14 + 18 * index, colour,
          curve->label);
}

static inline void draw(const Chart* chart, const char* folder, const char* name)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          WIDTH, HEIGHT, WIDTH, HEIGHT);
  drawAxes(file, chart);
  for (int i = 0; i < chart->curveCount; ++i) {
    drawCurve(file, chart, i);
  }
  fputs("</svg>\n", file);
  if (fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

static inline Curve* addCurve(Chart* chart, const char* label)
{
  Curve* curve = &chart->curves[chart->curveCount++];
  curve->label = label;
  return curve;
}

static inline void addPoint(Curve* curve, double x, double y)
{
  if (curve->count < MAX_POINTS) {
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
  }
}

#endif
