// Draws the curves of docs/contact.md as SVG files into the folder given as argument. Everything in them comes from the
// contact laws of the library; impacts are integrated here, step by step.
#include "model/contact_law.h"

#include <stdio.h>
#include <stdlib.h>

#define WIDTH 560  // [pixels]
#define HEIGHT 320 //
#define LEFT 62    // margins
#define RIGHT 130
#define TOP 18
#define BOTTOM 46
#define MAX_CURVES 8
#define SAMPLES 300

static const char* const colours[] = { "#0b6e99", "#c8553d", "#2e8b57", "#8a5a9e", "#b8860b", "#444444" };

typedef struct Curve {
  const char* label;
  double x[SAMPLES], y[SAMPLES];
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

static void draw(const Chart* chart, const char* folder, const char* name)
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

static Curve* addCurve(Chart* chart, const char* label)
{
  Curve* curve = &chart->curves[chart->curveCount++];
  curve->label = label;
  return curve;
}

static void addPoint(Curve* curve, double x, double y)
{
  curve->x[curve->count] = x;
  curve->y[curve->count++] = y;
}

// -------------------------------------------------------------------------------------------- laws

static crContactLaw makeLaw(double cor)
{
  crContactLaw law = {
    .cor = cor, .kRed = 1.0, .vMin = 0.01, .wMin = 0.01, .hysteresis = 1e-8, .elasticity = 1.1e11, .stiffness = 1e5
  };
  return law;
}

static crContactMemory freeze(const crContactLaw* law, double approach)
{
  crTouchGeometry ball = {
    .radiusA = HUGE_VAL, .radiusB = 0.02, .isRoundB = true, .isSphereB = true, .halfSizeA = HUGE_VAL, .halfSizeB = 0.02
  };
  return crFreezeContact(law, &ball, approach);
}

static double accelerate(const crContactLaw* law, const crContactMemory* memory, double depth, double rate)
{
  crContactMotion motion = { .depth = depth, .rate = rate, .normal = { 0.0, 0.0, 1.0 } };
  return -crComputeContactForce(law, memory, &motion).normalForce; // of 1 kg
}

// Exit speed over approach speed of a free impact of 1 kg at 1 m/s: classical Runge-Kutta, 4,000 steps an impact.
static double hit(const crContactLaw* law)
{
  crContactMemory memory = freeze(law, 1.0);
  double h = crEstimateDuration(&memory, 1.0, 1.0) / 4000.0, x = 0.0, v = 1.0;
  do {
    double a1 = accelerate(law, &memory, x, v);
    double v2 = v + 0.5 * h * a1, a2 = accelerate(law, &memory, x + 0.5 * h * v, v2);
    double v3 = v + 0.5 * h * a2, a3 = accelerate(law, &memory, x + 0.5 * h * v2, v3);
    double v4 = v + h * a3, a4 = accelerate(law, &memory, x + h * v3, v4);
    x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  } while (x > 0.0);
  return -v;
}

// ----------------------------------------------------------------------------------------- figures

static void drawRestitution(const char* folder)
{
  static Chart chart = { .xLabel = "cor asked for",
                         .yLabel = "restitution obtained",
                         .xMax = 1.0,
                         .yMin = 0.0,
                         .yMax = 1.0,
                         .xTicks = 10,
                         .yTicks = 10 };
  Curve* asked = addCurve(&chart, "as asked for");
  addPoint(asked, 0.0, 0.0);
  addPoint(asked, 1.0, 1.0);
  Curve *flores = addCurve(&chart, "flores"), *penalty = addCurve(&chart, "penalty"),
        *exact = addCurve(&chart, "exact");
  exact->isDotted = true;
  for (int i = 1; i <= 50; ++i) {
    crContactLaw law = makeLaw(0.02 * i);
    addPoint(flores, law.cor, hit(&law));
    law.response = cr_responsePenalty;
    addPoint(penalty, law.cor, hit(&law));
    if (i % 5 == 0) {
      law.response = cr_responseElastic;
      law.formula = cr_dampingExact;
      addPoint(exact, law.cor, hit(&law));
    }
  }
  draw(&chart, folder, "restitution.svg");
}

static void drawRegularization(const char* folder)
{
  static Chart chart = {
    .xLabel = "|v| / vMin", .yLabel = "", .xMax = 2.0, .yMin = 0.0, .yMax = 2.0, .xTicks = 8, .yTicks = 4
  };
  Curve *size = addCurve(&chart, "reg(v) / vMin"), *unit = addCurve(&chart, "|e_t_reg|");
  for (int i = 0; i < SAMPLES; ++i) {
    double v = 2.0 * i / (SAMPLES - 1);
    addPoint(size, v, crRegularize(v, 1.0));
    addPoint(unit, v, v / crRegularize(v, 1.0));
  }
  draw(&chart, folder, "regularization.svg");
}

static void drawSpeedDependence(const char* folder)
{
  static Chart cors = { .xLabel = "approach speed [m/s]",
                        .yLabel = "cor_reg",
                        .xMax = 0.04,
                        .yMin = 0.0,
                        .yMax = 1.0,
                        .xTicks = 8,
                        .yTicks = 5 };
  static Chart dampings = { .xLabel = "approach speed [m/s]",
                            .yLabel = "d [s/m]",
                            .xMax = 0.2,
                            .yMin = 0.0,
                            .yMax = 1000.0,
                            .xTicks = 8,
                            .yTicks = 5 };
  static const char* const labels[] = { "cor = 1", "cor = 0.8", "cor = 0.6", "cor = 0.4", "cor = 0.2", "cor = 0" };
  for (int k = 0; k < 6; ++k) {
    crContactLaw law = makeLaw(1.0 - 0.2 * k);
    Curve *cor = addCurve(&cors, labels[k]), *d = addCurve(&dampings, labels[k]);
    for (int i = 0; i < SAMPLES; ++i) {
      double share = (double)i / (SAMPLES - 1);
      addPoint(cor, cors.xMax * share, crComputeRegularCor(&law, cors.xMax * share));
      addPoint(d, dampings.xMax * share, freeze(&law, dampings.xMax * share).damping);
    }
  }
  draw(&cors, folder, "regular_cor.svg");
  draw(&dampings, folder, "damping.svg");
}

int main(int argc, char** argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: contact_figures FOLDER\n");
    return 2;
  }
  drawRestitution(argv[1]);
  drawRegularization(argv[1]);
  drawSpeedDependence(argv[1]);
  return 0;
}
