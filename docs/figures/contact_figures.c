// Draws the curves of docs/contact.md as SVG files into the folder given as argument. Everything in them comes from the
// contact laws of the library; impacts are integrated here, step by step.
#include "chart.h"
#include "contact/area_law.h"
#include "contact/bristle.h"
#include "contact/contact_law.h"

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
  return crFreezeContact(law, false, &ball, approach);
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
  static Chart fast = { .xLabel = "approach speed [m/s]",
                        .yLabel = "d [s/m]",
                        .xMax = 4.0,
                        .yMin = 0.0,
                        .yMax = 10.0,
                        .xTicks = 8,
                        .yTicks = 5 };
  static const char* const labels[] = { "cor = 1", "cor = 0.8", "cor = 0.6", "cor = 0.4", "cor = 0.2", "cor = 0" };
  for (int k = 0; k < 6; ++k) {
    crContactLaw law = makeLaw(1.0 - 0.2 * k);
    Curve *cor = addCurve(&cors, labels[k]), *d = addCurve(&dampings, labels[k]);
    Curve* dFast = addCurve(&fast, labels[k]);
    for (int i = 0; i < SAMPLES; ++i) {
      double share = (double)i / (SAMPLES - 1);
      addPoint(cor, cors.xMax * share, crComputeRegularCor(&law, cors.xMax * share));
      addPoint(d, dampings.xMax * share, freeze(&law, dampings.xMax * share).damping);
      double damping = freeze(&law, fast.xMax * share).damping;
      if (damping <= fast.yMax) {
        addPoint(dFast, fast.xMax * share, damping);
      }
    }
  }
  draw(&cors, folder, "regular_cor.svg");
  draw(&dampings, folder, "damping.svg");
  draw(&fast, folder, "damping_fast.svg");
}

// ----------------------------------------------------------------------------------------- area contact

// Force of a shape that is `depth` deep in a half-space, its lowest point below its frame's origin by `height`; E* = 1.
static double press(const crShapeDef* def, double height, crMat3 R, double depth)
{
  static crPatch patch;
  crShapeDef ground = crDefaultShapeDef(cr_shapeHalfSpace);
  crShape *a = NULL, *b = NULL;
  crAreaForce force = { .elastic = 0.0 };
  if (crCreateShape(def, NULL, NULL, &a) == cr_ok && crCreateShape(&ground, NULL, NULL, &b) == cr_ok) {
    crPose X_WA = { R, { 0.0, 0.0, height - depth } }, X_WB = crIdentityPose();
    crComputeAreaForce((crAreaModulus){ 1.0, 0.0 }, a, &X_WA, b, &X_WB, &patch, &force);
  }
  crDestroyShape(a);
  crDestroyShape(b);
  return crLength(force.force);
}

// A cylinder of length L and radius 1 that lies on a plane: depth = F / (pi L) (1 + log(pi L^3 / (2 F))).
// [PuttockThwaite69]
static double pressLine(double length, double depth)
{
  double force = 0.5 * length * depth;
  for (int i = 0; i < 100; ++i) {
    force = CR_PI * length * depth / (1.0 + log(CR_PI * length * length * length / (2.0 * force)));
  }
  return force;
}

static void drawAreaStiffness(const char* folder)
{
  static Chart chart = { .xLabel = "6 + log10(depth / radius)",
                         .yLabel = "force, law over theory",
                         .xMax = 4.0,
                         .yMin = 0.8,
                         .yMax = 1.2,
                         .xTicks = 8,
                         .yTicks = 8 };
  crShapeDef disc = crDefaultShapeDef(cr_shapeCylinder), cone = crDefaultShapeDef(cr_shapeCone);
  disc.as.cylinder.radius = 1.0;
  disc.as.cylinder.length = 1.0;
  cone.as.cone.radius = 1.0;
  cone.as.cone.length = 0.25;
  crMat3 one = crIdentityMat3(), down = { { 1.0, 0.0, 0.0 }, { 0.0, -1.0, 0.0 }, { 0.0, 0.0, -1.0 } };
  crMat3 lying = { { 0.0, 0.0, -1.0 }, { 0.0, 1.0, 0.0 }, { 1.0, 0.0, 0.0 } };
  Curve *punch = addCurve(&chart, "round flat punch"), *tip = addCurve(&chart, "cone (Sneddon)");
  Curve *shortLine = addCurve(&chart, "cylinder, L/R = 2"), *longLine = addCurve(&chart, "cylinder, L/R = 20");
  for (int i = 0; i <= 40; ++i) {
    double x = 0.1 * i, depth = pow(10.0, x - 6.0);
    addPoint(punch, x, press(&disc, 0.5, one, depth) / (2.0 * depth));
    addPoint(tip, x, press(&cone, 0.25, down, depth) / (2.0 / CR_PI * 4.0 * depth * depth)); // tan of the half angle: 4
    crShapeDef rod = disc;
    rod.as.cylinder.length = 2.0;
    addPoint(shortLine, x, press(&rod, 1.0, lying, depth) / pressLine(2.0, depth));
    rod.as.cylinder.length = 20.0;
    addPoint(longLine, x, press(&rod, 1.0, lying, depth) / pressLine(20.0, depth));
  }
  draw(&chart, folder, "area_stiffness.svg");
}

#define STROKE 12e-6 // [m] to and fro
#define SPEED 1e-3   // [m/s] of it
#define STROKE_STEPS 600

// The pull of a bristle under 1 N that is moved forth, back and forth again; Euler's method, in steps of 0.02 um.
static void moveBristle(Curve* curve)
{
  crContactLaw law = makeLaw(0.5);
  law.sticks = true;
  law.muK = law.muS = 0.4;
  law.tangentialRatio = 0.8;
  law.tangentialDamping = 1.0;
  law.slipFade = 1e-5;
  crBristle bristle = crMakeBristle(&law, false, crMakeVec3(0.0, 0.0, 1.0), 2.5e5, 1e-4, 0.5, 0.0);
  crVec3 across = bristle.axis;
  for (int i = 0; i < 3 * STROKE_STEPS; ++i) {
    double sign = i / STROKE_STEPS == 1 ? -1.0 : 1.0, h = STROKE / STROKE_STEPS;
    int part = i % STROKE_STEPS;
    crBristleForce pull;
    crBristleMotion motion = { .n = bristle.normal, .v = crScale(sign * SPEED, across), .load = 1.0 };
    crEvalBristle(&law, &motion, &bristle, &pull);
    addPoint(curve, 1e6 * h * (sign > 0.0 ? part : STROKE_STEPS - part), -crDot(pull.force, across));
    bristle.x[0] += bristle.rate[0] * h / SPEED;
  }
}

static void drawStick(const char* folder)
{
  static Chart chart = { .xLabel = "displacement [um]",
                         .yLabel = "friction under 1 N [N]",
                         .xMax = 12.0,
                         .yMin = -0.6,
                         .yMax = 0.6,
                         .xTicks = 6,
                         .yTicks = 6 };
  moveBristle(addCurve(&chart, "stick"));
  Curve* regular = addCurve(&chart, "regularized");
  double pull = 0.4 * SPEED / crRegularize(SPEED, 0.01);
  static const double ways[][2] = { { 0.0, 1.0 }, { 12.0, 1.0 }, { 12.0, -1.0 }, { 0.0, -1.0 }, { 0.0, 1.0 } };
  for (int i = 0; i < 5; ++i) {
    addPoint(regular, ways[i][0], ways[i][1] * pull);
  }
  draw(&chart, folder, "stick.svg");
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
  drawAreaStiffness(argv[1]);
  drawStick(argv[1]);
  return 0;
}
