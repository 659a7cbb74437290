// Draws the figures of docs/contact.md that come from runs of the examples, as SVG files.
//
//   example_figures FOLDER EXAMPLES
#include "carom/carom.h"
#include "carom/io.h"
#include "chart.h"

#include <math.h>
#include <string.h>

typedef struct Run {
  crScene* scene;
  crModel* model;
  crSimulation* simulation;
  const crInstance* instance;
} Run;

static void stopUnless(bool isWell, const char* what)
{
  if (!isWell) {
    fprintf(stderr, "example_figures: %s\n", what);
    exit(1);
  }
}

static void startRun(Run* run, double stop, double tolerance)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.tolerance = tolerance;
  stopUnless(crCompile(run->scene, NULL, NULL, NULL, &run->model) == cr_ok, "the model does not compile");
  stopUnless(crCreateSimulation(run->model, &options, NULL, NULL, &run->simulation) == cr_ok, "no simulation");
  run->instance = crSimulation_GetInstance(run->simulation);
}

static Run openExample(const char* folder, const char* name, const crSetting* setting, double stop, double tolerance)
{
  Run run = { 0 };
  char path[1024];
  crReadOptions options = crDefaultReadOptions();
  options.settings = setting;
  options.settingCount = setting != NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  stopUnless(crReadModel(path, &options, NULL, NULL, &run.scene) == cr_ok, path);
  startRun(&run, stop, tolerance);
  return run;
}

static void closeRun(Run* run)
{
  crDestroySimulation(run->simulation);
  crDestroyModel(run->model);
  crDestroyScene(run->scene);
}

static void advance(Run* run, double t)
{
  stopUnless(crSimulation_Advance(run->simulation, t) == cr_ok, "the simulation failed");
}

static crVec3 placeOf(const Run* run, const char* object)
{
  return crInstance_GetPose(run->instance, crModel_FindObject(run->model, object)).p;
}

// --------------------------------------------------------------------------------------- bouncing ball

// cor_reg that is frozen in the contact of an object, NaN without one.
static double corOf(const Run* run, const char* object)
{
  int index = crModel_FindObject(run->model, object);
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord info = crContacts_Get(contacts, i);
    if (info.objectA == index || info.objectB == index) {
      return info.cor;
    }
  }
  return NAN;
}

static crStatus keepCor(void* context, const crContactRecord* change)
{
  *(double*)context = change->cor;
  return cr_ok;
}

typedef struct Hops {
  Curve *elastic, *impulsive, *cor;
  Run* run;
  double lastCor;
} Hops;

static crStatus addHop(void* context, double t, const crInstance* instance)
{
  (void)instance;
  Hops* hops = context;
  double now = corOf(hops->run, "elastic");
  hops->lastCor = isnan(now) ? hops->lastCor : now;
  addPoint(hops->elastic, t, placeOf(hops->run, "elastic").z - 0.06);
  addPoint(hops->impulsive, t, placeOf(hops->run, "impulsive").z - 0.06);
  addPoint(hops->cor, t, hops->lastCor);
  return cr_ok;
}

// A contact lasts less than the interval of output, so its cor_reg is also taken from the events.
static crStatus noteCor(void* context, const crContactRecord* change)
{
  Hops* hops = context;
  bool isElastic = change->objectB == crModel_FindObject(hops->run->model, "elastic");
  return isElastic && change->phase == cr_contactBegin ? keepCor(&hops->lastCor, change) : cr_ok;
}

static void drawHops(const char* folder, const char* examples)
{
  static Chart chart = { .xLabel = "time [s]",
                         .yLabel = "height of the ball [m]; cor_reg",
                         .xMax = 3.0,
                         .yMin = 0.0,
                         .yMax = 1.0,
                         .xTicks = 6,
                         .yTicks = 5 };
  Run run = openExample(examples, "bouncing_ball.lua", NULL, 3.0, 1e-9);
  Hops hops = { addCurve(&chart, "elastic"), NULL, NULL, &run, 0.7 };
  hops.impulsive = addCurve(&chart, "impulsive");
  hops.cor = addCurve(&chart, "cor_reg");
  crObserver observer = { .context = &hops, .atOutput = addHop, .atContact = noteCor };
  crRunEnd end;
  stopUnless(crSimulation_Run(run.simulation, &observer, &end) == cr_ok, "bouncing_ball.lua fails");
  draw(&chart, folder, "bouncing_ball.svg");
  closeRun(&run);
}

// ---------------------------------------------------------------------------------------- rolling ball

static void drawSinking(const char* folder, const char* examples)
{
  static Chart chart = { .xLabel = "time [s]",
                         .yLabel = "depth of the ball in the cloth [um]",
                         .xMax = 0.01,
                         .yMin = 0.0,
                         .yMax = 3.0,
                         .xTicks = 5,
                         .yTicks = 6 };
  static const char* const starts[] = { "pose", "rest" };
  static const char* const labels[] = { "just touching", "start = rest" };
  for (int i = 0; i < 2; ++i) {
    crSetting setting = { "start", starts[i] };
    Run run = openExample(examples, "rolling_ball.lua", &setting, 0.01, 1e-9);
    Curve* curve = addCurve(&chart, labels[i]);
    for (int k = 0; k <= 500; ++k) {
      advance(&run, 0.01 * k / 500);
      addPoint(curve, 0.01 * k / 500, 1e6 * (0.03 - placeOf(&run, "ball").z));
    }
    closeRun(&run);
  }
  draw(&chart, folder, "rolling_depth.svg");
}

// ------------------------------------------------------------------------------------------ stick and slip

static void drawBelt(const char* folder, const char* examples)
{
  static Chart chart = { .xLabel = "time [s]",
                         .yLabel = "position of the block [m]",
                         .xMax = 4.0,
                         .yMin = 0.0,
                         .yMax = 0.08,
                         .xTicks = 8,
                         .yTicks = 4 };
  static const char* const ratios[] = { "0.6", "0.4" };
  static const char* const labels[] = { "muS = 0.6", "muS = muK = 0.4" };
  for (int i = 0; i < 2; ++i) {
    crSetting setting = { "muS", ratios[i] };
    Run run = openExample(examples, "stick_slip.lua", &setting, 4.0, 1e-8);
    Curve* curve = addCurve(&chart, labels[i]);
    for (int k = 0; k <= 1000; ++k) {
      advance(&run, 0.004 * k);
      addPoint(curve, 0.004 * k, placeOf(&run, "block").x);
    }
    closeRun(&run);
  }
  draw(&chart, folder, "stick_slip.svg");
}

// Slip behind an impact over the speed of approach, of a ball of steel whose contact point slips at `slip` of it.
static double bounceObliquely(const char* friction, double slip)
{
  char text[1024];
  snprintf(text, sizeof text,
           "scene{ gravity = { 0, 0, 0 }, friction = '%s', kRed = 1e-3 }\n"
           "contactPair('Steel', 'Steel', { cor = 1, muK = 0.3, muR = 0 })\n"
           "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
           "object('ball', { parent = 'w', position = { 0, 0, 0.031 }, free = true, velocity = { %.17g, 0, -1 },\n"
           "  solid{ shape = sphere{ radius = 0.03 }, material = 'Steel', contact = 'Steel' } })\n",
           friction, slip);
  Run run = { 0 };
  stopUnless(crReadLua(text, strlen(text), "impact", NULL, NULL, NULL, NULL, &run.scene) == cr_ok, "no scene");
  startRun(&run, 0.02, 1e-8);
  advance(&run, 0.02);
  crMotion motion = crInstance_GetMotion(run.instance, crModel_FindObject(run.model, "ball"));
  closeRun(&run);
  return motion.v.x - 0.03 * motion.w.y;
}

// The dots are the solution with partial slip [MawBarberFawcett76], for mu = nu = 0.3, by the method of [PopovHess15].
static void drawImpacts(const char* folder)
{
  static Chart chart = { .xLabel = "slip before the impact, over the speed of approach",
                         .yLabel = "slip behind it",
                         .xMax = 2.5,
                         .yMin = -0.6,
                         .yMax = 0.6,
                         .xTicks = 5,
                         .yTicks = 6 };
  static const double exact[][2] = { { 0.05, 0.010 }, { 0.2, 0.016 },  { 0.4, -0.040 }, { 0.6, -0.202 },
                                     { 0.8, -0.356 }, { 1.0, -0.467 }, { 1.2, -0.529 }, { 1.5, -0.511 },
                                     { 2.0, -0.100 }, { 2.5, 0.400 } };
  Curve *stick = addCurve(&chart, "stick"), *regular = addCurve(&chart, "regularized");
  Curve* annuli = addCurve(&chart, "partial slip");
  annuli->isDotted = true;
  for (int i = 0; i <= 50; ++i) {
    addPoint(stick, 0.05 * i, bounceObliquely("stick", 0.05 * i));
    addPoint(regular, 0.05 * i, bounceObliquely("regularized", 0.05 * i));
  }
  for (int i = 0; i < 10; ++i) {
    addPoint(annuli, exact[i][0], exact[i][1]);
  }
  draw(&chart, folder, "oblique_impact.svg");
}

// ------------------------------------------------------------------------------------------ indicators

static const char* const drop =
    "world('table', { solid{ shape = halfSpace{}, contact = 'DryWood' } })\n"
    "object('ball', { parent = 'table', position = { 0, 0, 0.01 }, free = true,\n"
    "  velocity = { 0, 0, -0.02 },\n"
    "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n";

// z1 and z2 while a contact begins, in nanometres and microseconds. The solver stops where z2 is zero.
static void drawIndicators(const char* folder)
{
  static Chart chart = {
    .xLabel = "time [us]", .yLabel = "[nm]", .xMax = 0.8, .yMin = -16.0, .yMax = 8.0, .xTicks = 8, .yTicks = 6
  };
  Run run = { 0 };
  stopUnless(crReadLua(drop, strlen(drop), "drop", NULL, NULL, NULL, NULL, &run.scene) == cr_ok, "no scene");
  startRun(&run, 1e-6, 1e-9);
  Curve *distance = addCurve(&chart, "distance"), *z1 = addCurve(&chart, "z1"), *z2 = addCurve(&chart, "z2");
  crTreeSet set = crSimulation_GetSet(run.simulation);
  crInstance* own = NULL; // that of the simulation is for reading
  double y[13], z[CR_INDICATORS];
  stopUnless(crModel_CountStates(run.model, set) == 13, "a free body has 13 states");
  stopUnless(crCreateInstance(run.model, NULL, NULL, &own) == cr_ok, "no instance");
  for (int i = 0; i <= 400; ++i) {
    double t = 0.8e-6 * i / 400;
    advance(&run, t);
    crInstance_GetState(run.instance, set, y);
    stopUnless(crInstance_ComputeIndicators(own, set, t, y, z) == cr_ok, "no indicators");
    addPoint(distance, 1e6 * t, 1e9 * (placeOf(&run, "ball").z - 0.01));
    bool touches = crContacts_Count(set.contacts) > 0;
    addPoint(touches ? z1 : z2, 1e6 * t, 1e9 * z[touches ? 0 : 1]);
  }
  draw(&chart, folder, "indicators.svg");
  crDestroyInstance(own);
  closeRun(&run);
}

// ------------------------------------------------------------------------------------------- billiards

#define SCALE 240.0    // [pixels/m]
#define TABLE_X 2.36   // [m] with the cushions
#define TABLE_Y 1.24   //
#define CAPTION 24     // [pixels] below a table
#define CUSHION_X 2.24 // [m] between the cushions
#define CUSHION_Y 1.12 //

static void drawTable(FILE* file, const Run* run, double top, const char* caption)
{
  static const char* const looks[] = { "#ffd700", "#4169e1", "#dc143c", "#663399",
                                       "#ff8c00", "#2e8b57", "#800000", "#222222" };
  double width = SCALE * TABLE_X, height = SCALE * TABLE_Y;
  fprintf(file, "<rect x=\"0\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#8b4513\"/>\n", top, width, height);
  fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#0a6b38\"/>\n",
          0.5 * (width - SCALE * CUSHION_X), top + 0.5 * (height - SCALE * CUSHION_Y), SCALE * CUSHION_X,
          SCALE * CUSHION_Y);
  for (int i = 0; i <= 15; ++i) {
    char name[16] = "cue";
    if (i > 0) {
      snprintf(name, sizeof name, "ball%d", i);
    }
    crVec3 p = placeOf(run, name);
    fprintf(file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\" fill=\"%s\" stroke=\"#222\"/>\n",
            0.5 * width + SCALE * p.x, top + 0.5 * height - SCALE * p.y, SCALE * 0.03,
            i == 0 ? "#fffff0" : looks[(i - 1) % 8]);
  }
  fprintf(file, "<text x=\"6\" y=\"%.1f\">%s</text>\n", top + height + 16.0, caption);
}

static void drawBilliards(const char* folder, const char* examples)
{
  char path[1024];
  double height = SCALE * TABLE_Y + CAPTION;
  snprintf(path, sizeof path, "%s/billiards.svg", folder);
  FILE* file = fopen(path, "w");
  stopUnless(file != NULL, path);
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
          "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          SCALE * TABLE_X, 3.0 * height);
  Run run = openExample(examples, "billiards.lua", NULL, 5.0, 1e-9);
  static const double times[] = { 0.0, 1.0, 5.0 };
  static const char* const captions[] = { "at the start", "after 1 s", "after 5 s" };
  for (int i = 0; i < 3; ++i) {
    advance(&run, times[i]);
    drawTable(file, &run, i * height, captions[i]);
  }
  fputs("</svg>\n", file);
  stopUnless(fclose(file) == 0, path);
  closeRun(&run);
}

// ------------------------------------------------------------------------------------------ nose of a cushion

// Ball, cushion and the line of the push, from the numbers of cushion.lua.
static void drawNose(const char* folder)
{
  const double scale = 4000.0, r = 0.03, e = 2e-3, z = 7.0 / 5.0 * r - 3.0 / 5.0 * e;
  const double ground = 290.0, face = 330.0; // [pixels] of the cloth, of the cushion's face
  double x = e - sqrt((r + e) * (r + e) - (z + e - r) * (z + e - r)), bx = face + scale * x;
  double tx = bx + scale * r * (e - x) / (r + e), tz = ground - scale * 1.4 * r;
  char path[1024];
  snprintf(path, sizeof path, "%s/cushion_nose.svg", folder);
  FILE* file = fopen(path, "w");
  stopUnless(file != NULL, path);
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"560\" height=\"320\" font-family=\"sans-serif\" "
          "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
          "<rect y=\"%.1f\" width=\"560\" height=\"30\" fill=\"#0a6b38\"/>\n",
          ground);
  fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"240\" height=\"%.1f\" rx=\"%.1f\" fill=\"#8b4513\"/>\n", face,
          ground - scale * (z + 0.02), scale * 0.02, scale * e);
  fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#fffff0\" stroke=\"#222\"/>\n", bx,
          ground - scale * r, scale * r);
  fprintf(file, "<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"#c8553d\" stroke-width=\"2\"/>\n", tx, tz, bx,
          ground - scale * r);
  fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#c8553d\"/>\n", tx, tz);
  fprintf(file, "<path d=\"M%.1f %.1f V%.1f M40 %.1f H%.1f\" stroke=\"#444\" stroke-dasharray=\"4 3\"/>\n", bx,
          ground - scale * r, ground, tz, tx);
  fprintf(file, "<text x=\"44\" y=\"%.1f\">h = 7/5 r</text><text x=\"%.1f\" y=\"%.1f\">r</text>\n", tz - 5.0, bx - 14.0,
          ground - 0.5 * scale * r);
  fputs("</svg>\n", file);
  stopUnless(fclose(file) == 0, path);
}

int main(int argc, char** argv)
{
  if (argc != 3) {
    fprintf(stderr, "usage: example_figures FOLDER EXAMPLES\n");
    return 2;
  }
  drawHops(argv[1], argv[2]);
  drawSinking(argv[1], argv[2]);
  drawBelt(argv[1], argv[2]);
  drawImpacts(argv[1]);
  drawIndicators(argv[1]);
  drawBilliards(argv[1], argv[2]);
  drawNose(argv[1]);
  return 0;
}
