// Involutes and splines of profiles, and gears made of them: against 40-digit references, other ways to compute the
// same, and the formulas of gears.
#include "collide/distance/parallel.h"
#include "geometry/gear.h"
#include "support/involute_truth.h"
#include "support/log.h"
#include "support/lua.h"
#include "support/record_scenes.h"
#include "support/shapes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static crShapeDef makeGear(int teeth, double shift, double backlash, double relief)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeInvoluteGear);
  def.as.involuteGear.teeth = teeth;
  def.as.involuteGear.module = 0.002;
  def.as.involuteGear.length = 0.02;
  def.as.involuteGear.shift = shift;
  def.as.involuteGear.backlash = backlash;
  def.as.involuteGear.tipRelief = relief;
  return def;
}

static crPose place(double angle, double x, double y)
{
  return crMakePose(crMakeVec3(x, y, 0.0), crAxisAngleToQuat(crMakeVec3(0, 0, 1), angle));
}

// ---------------------------------------------------------------------------------------------- distances

// Of points {x, y} / 1024 from the involute of a circle of radius 0.03 about the origin that begins on the x axis,
// between t = 1/4 and 1: by bisection in 60 digits (mpmath), 40 of them here.
static const struct {
  int x, y;
  double distance;
} references[] = {
  { 59, -4, 0.02064007088692290595354295702459589786229 },  { 25, 30, 0.02647401169651126148182674493042984059305 },
  { 47, -19, 0.02331293063150289609586609495869583049684 }, { 39, 29, 0.01957701197611593485439392387743092064855 },
  { 11, 21, 0.02866159467558958978064972218503995760058 },  { -14, 37, 0.05729814418321578031538330935963691263044 },
  { 0, -13, 0.03348676610811853366821197380737825004498 },  { 27, 10, 0.01063547615582351123394078106702504524217 },
  { 11, 4, 0.02052635039462641120911244673017971319947 },   { 49, -14, 0.02034348116836029246845476825462238571233 },
  { 53, -5, 0.01661005812962848345335612528354339549435 },  { -19, 26, 0.05554146879165990718372350659594194893724 },
  { 7, 6, 0.02475315384502592109970471306713967383244 },    { 15, -9, 0.01857039015009684278483131405829700004963 },
  { 29, -10, 0.01025659509359431665046505885674723630615 }, { -11, -12, 0.04332403716360784988324973665400816142924 },
};

static const crProfilePoint flank[] = {
  { .x = 0.03092290234572826549631422877119609496332, .y = 0.0001552756148058520068209952742752568782707 },
  { .x = 0.04145319872028108672160316787219826810065,
    .y = 0.009035060368192703677546971425619671876708,
    .involute = 0.03 },
};

static crShapeDef makeOpen(const crProfilePoint* points, int count)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeExtruded);
  def.as.extruded.profile = (crProfileDef){ .points = points, .pointCount = count, .isOpen = true };
  def.as.extruded.length = 0.1;
  return def;
}

// Convex or concave, and whichever way round: points are at the same distance.
static void distances_agree_with_40_digits(void** state)
{
  (void)state;
  const crProfilePoint back[] = { { .x = flank[1].x, .y = flank[1].y },
                                  { .x = flank[0].x, .y = flank[0].y, .involute = 0.03 } };
  for (int way = 0; way < 4; ++way) {
    crShapeDef def = makeOpen(way % 2 == 0 ? flank : back, 2);
    def.as.extruded.profile.isTurnedOut = way >= 2;
    const crChain* chain = crKeepTestShape(def)->chain;
    for (size_t i = 0; i < sizeof references / sizeof *references; ++i) {
      crPlanePoint x = { references[i].x / 1024.0, references[i].y / 1024.0 };
      crProfileFoot foot = crChain_FindFoot(chain, x);
      assert_close(fabs(foot.distance), references[i].distance, 1e-13 * 0.04);
      assert_close(crPlaneLength(crPlaneSub(x, foot.point)), references[i].distance, 1e-13 * 0.04);
    }
  }
}

static void distances_of_random_points_agree_with_113_bits(void** state)
{
  (void)state;
  assert_true(crCompareInvolutes(1, 2000) <= 1e-13);
}

// Normals of an involute touch its base circle, and the radius of curvature is the length of that tangent.
static void normals_touch_the_base_circle(void** state)
{
  (void)state;
  const crShape* gear = crKeepTestShape(makeGear(23, 0.3, 0.0, 0.0));
  const crProfile* profile = gear->chain->profile;
  double base = 0.023 * cos(CR_PI / 9.0);
  int count = 0;
  for (int k = 0; k < profile->count; ++k) {
    const crProfileElement* e = &profile->items[k];
    for (int i = -4; i <= 4 && e->kind == cr_profileInvolute; ++i, ++count) {
      crProfilePlace place = crProfileElement_At(e, 0.25 * i);
      double radius = sqrt(crPlaneDot(place.point, place.point) - base * base);
      assert_close(fabs(crPlaneCross(place.normal, place.point)), base, 1e-16);
      assert_close(1.0 / place.curvature, radius, 1e-15);
      assert_close(crPlaneLength(place.normal), 1.0, 1e-15);
    }
  }
  assert_true(count >= 23 * 2 * 9);
}

// -------------------------------------------------------------------------------------------------- gears

// [m] Thickness of the tooth about x at a radius, by where the outline is crossed.
static double findThickness(const crProfile* profile, double radius)
{
  double low = 0.0, high = CR_PI / 20.0;
  for (int i = 0; i < 60; ++i) {
    double middle = 0.5 * (low + high);
    bool isInside = crProfile_IsInside(profile, (crPlanePoint){ radius * cos(middle), radius * sin(middle) });
    *(isInside ? &low : &high) = middle;
  }
  return 2.0 * radius * low;
}

// s = m (pi / 2 + 2 x tan a) - b on the pitch circle, and 2 r' (s / 2r + inv a - inv a') elsewhere.
static void teeth_are_as_thick_as_their_formula_says(void** state)
{
  (void)state;
  for (int i = 0; i < 3; ++i) {
    double x = 0.25 * (i - 1), b = 1e-5 * i, r = 0.020, a = CR_PI / 9.0;
    const crShape* gear = crKeepTestShape(makeGear(20, x, b, 0.0));
    double s = 0.002 * (0.5 * CR_PI + 2.0 * x * tan(a)) - b;
    assert_close(findThickness(gear->chain->profile, r), s, 1e-14);
    double above = r + 0.0015 * (1.0 + x), angle = acos(r * cos(a) / above);
    double there = 2.0 * above * (0.5 * s / r + tan(a) - a - tan(angle) + angle);
    assert_close(findThickness(gear->chain->profile, above), there, 1e-14);
    assert_close(gear->chain->reach, r + 0.002 * (1.0 + x), 1e-15);
  }
}

// The relief is what is missing at the tip along the normal of the involute: the tooth is thinner there by twice as
// much over the base radius, in angle, and as thick as without below the last half module.
static void relief_is_taken_off_at_tips(void** state)
{
  (void)state;
  const crProfile* plain = crKeepTestShape(makeGear(20, 0.0, 0.0, 0.0))->chain->profile;
  const crProfile* relieved = crKeepTestShape(makeGear(20, 0.0, 0.0, 1e-5))->chain->profile;
  double tip = 0.022 * (1.0 - 1e-12), base = 0.020 * cos(CR_PI / 9.0);
  assert_close(findThickness(plain, tip) - findThickness(relieved, tip), 2e-5 / base * tip, 1e-11);
  assert_close(findThickness(plain, 0.0209), findThickness(relieved, 0.0209), 1e-14);
  assert_true(findThickness(plain, 0.0215) - findThickness(relieved, 0.0215) > 1e-6);
}

#define STEPS 2000

// Pairs of teeth of gears that roll on each other keep one distance along their line of action, b cos a with each tooth
// thinner by b; as many do at a time as the contact ratio says, on a path that the gap is part of.
static void teeth_mesh_along_the_line_of_action(void** state)
{
  (void)state;
  crGearData data = {
    .teethA = 17, .teethB = 29, .module = 0.002, .pressureAngle = CR_PI / 9.0, .faceWidth = 0.02, .E = 1.0
  };
  crGearMesh mesh;
  assert_null(crMakeGearMesh(&data, &mesh));
  double b = 2e-5, gap = b * cos(CR_PI / 9.0), pitch = 2.0 * CR_PI / 17.0;
  const crShape *a = crKeepTestShape(makeGear(17, 0.0, b, 0.0)), *c = crKeepTestShape(makeGear(29, 0.0, b, 0.0));
  int onPath = 0;
  for (int i = 0; i < STEPS; ++i) {
    double phi = pitch * i / STEPS;
    crPose X_WA = place(phi, 0.0, 0.0), X_WB = place(CR_PI - CR_PI / 29.0 - phi * 17.0 / 29.0, 0.046, 0.0);
    for (int m = 0; m < crShape_CountPieces(a) * crShape_CountPieces(c); ++m) {
      const crShape *p = crShape_GetPiece(a, m / crShape_CountPieces(c)),
                    *q = crShape_GetPiece(c, m % crShape_CountPieces(c));
      if (!crIsPieceFor(p, q) || !crIsPieceFor(q, p)) {
        continue; // end faces
      }
      crParallelTouch touch = crComputeParallel(p, &X_WA, q, &X_WB, 1e-4);
      assert_true(touch.distance > gap - 1e-15);
      bool isAlong = fabs(touch.normal.x - sin(CR_PI / 9.0)) < 1e-9 && touch.normal.y > 0.0;
      if (isAlong && touch.distance < 1e-4) {
        assert_close(touch.distance, gap, 1e-15);
        ++onPath;
      }
    }
  }
  assert_close((double)onPath / STEPS, crComputeContactRatio(&mesh) + gap / mesh.pitch, 2.0 / STEPS);
}

// Against arcs, lines and corners: by the feet of points of the other one's outline, which are dense.
static void distances_of_two_are_those_of_points(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  const crProfilePoint plate[] = { { .x = -0.004, .y = -0.003 },
                                   { .x = 0.004, .y = -0.003 },
                                   { .x = 0.004, .y = 0.003, .arc = 0.005 },
                                   { .x = -0.004, .y = 0.003 } };
  crShapeDef def = makeOpen(plate, 4);
  def.as.extruded.profile.isOpen = false;
  const crShape *gear = crKeepTestShape(makeGear(20, 0.0, 0.0, 1e-5)), *other = crKeepTestShape(def);
  const crProfile* outline = other->chain->profile;
  crPose X_WA = place(0.0, 0.0, 0.0);
  int count = 0;
  for (int i = 0; i < 300; ++i) {
    double angle = crRandom_Uniform(&random, -4.0, 4.0), x = crRandom_Uniform(&random, 0.024, 0.029);
    crPose X_WB = place(angle, x, 0.0);
    double truth = HUGE_VAL;
    for (int k = 0; k < outline->count * 200; ++k) {
      crPlanePoint p = crProfileElement_At(&outline->items[k / 200], 2.0 * (k % 200) / 199.0 - 1.0).point;
      crPlanePoint at = { x + cos(angle) * p.x - sin(angle) * p.y, sin(angle) * p.x + cos(angle) * p.y };
      truth = fmin(truth, crChain_FindFoot(gear->chain, at).distance);
    }
    if (truth > 1e-4) {
      double distance = crComputeParallel(gear, &X_WA, other, &X_WB, HUGE_VAL).distance;
      assert_true(distance <= truth + 1e-15 && distance > truth - 2e-5);
      ++count;
    }
  }
  assert_true(count > 50);
}

// ------------------------------------------------------------------------------------------------ splines

#define KNOTS 9

// Slopes of a closed spline by elimination with rows of the whole matrix.
static void solveSlopes(const crProfilePoint* points, double slopes[KNOTS][2])
{
  double rows[KNOTS][KNOTS + 2] = { { 0.0 } };
  for (int i = 0; i < KNOTS; ++i) {
    int a = (i + KNOTS - 1) % KNOTS, b = (i + 1) % KNOTS;
    double ux = points[i].x - points[a].x, uy = points[i].y - points[a].y, u = sqrt(ux * ux + uy * uy);
    double vx = points[b].x - points[i].x, vy = points[b].y - points[i].y, v = sqrt(vx * vx + vy * vy);
    rows[i][a] = 1.0 / u;
    rows[i][i] = 2.0 / u + 2.0 / v;
    rows[i][b] = 1.0 / v;
    rows[i][KNOTS] = 3.0 * (ux / (u * u) + vx / (v * v));
    rows[i][KNOTS + 1] = 3.0 * (uy / (u * u) + vy / (v * v));
  }
  for (int i = 0; i < KNOTS; ++i) {
    for (int k = 0; k < KNOTS; ++k) {
      double factor = k != i ? rows[k][i] / rows[i][i] : 0.0;
      for (int j = 0; j < KNOTS + 2; ++j) {
        rows[k][j] -= factor * rows[i][j];
      }
    }
  }
  for (int i = 0; i < KNOTS; ++i) {
    slopes[i][0] = rows[i][KNOTS] / rows[i][i];
    slopes[i][1] = rows[i][KNOTS + 1] / rows[i][i];
  }
}

static double findFarthest(const crProfilePoint* points, double slopes[KNOTS][2], const crChain* chain)
{
  double most = 0.0;
  for (int i = 0; i < KNOTS * 100; ++i) {
    int b = i / 100, a = (b + KNOTS - 1) % KNOTS;
    double u = i % 100 / 100.0, w = 1.0 - u, x = points[b].x - points[a].x, y = points[b].y - points[a].y;
    double h = sqrt(x * x + y * y), s = u * u * (3.0 - 2.0 * u);
    crPlanePoint p = { points[a].x + s * x + h * u * w * (w * slopes[a][0] - u * slopes[b][0]),
                       points[a].y + s * y + h * u * w * (w * slopes[a][1] - u * slopes[b][1]) };
    most = fmax(most, fabs(crChain_FindFoot(chain, p).distance));
  }
  return most;
}

static void splines_are_arcs_within_their_error(void** state)
{
  (void)state;
  crProfilePoint points[KNOTS];
  for (int i = 0; i < KNOTS; ++i) {
    double angle = 2.0 * CR_PI * i / KNOTS, r = 0.03 + 0.006 * (i % 3);
    points[i] = (crProfilePoint){ .x = r * cos(angle), .y = r * sin(angle), .isSpline = true };
  }
  double slopes[KNOTS][2];
  solveSlopes(points, slopes);
  int before = 0;
  for (double error = 1e-5; error > 1e-10; error *= 0.01) {
    crShapeDef def = makeOpen(points, KNOTS);
    def.as.extruded.profile.isOpen = false;
    def.as.extruded.profile.error = error;
    const crChain* chain = crKeepTestShape(def)->chain;
    double most = findFarthest(points, slopes, chain);
    assert_true(most <= 1.05 * error && most > 0.01 * error);
    assert_true(chain->profile->count > before);
    before = chain->profile->count;
    for (int k = 0; k < chain->profile->count; ++k) {
      assert_true(chain->profile->items[k].isSmooth);
    }
  }
  assert_true(before < 4000);
}

// Ends of a spline are straight, or go along a tangent that is given.
static void splines_end_as_they_are_told(void** state)
{
  (void)state;
  crProfilePoint points[] = { { .x = 0.0 },
                              { .x = 1.0, .y = 0.5, .isSpline = true },
                              { .x = 2.0, .y = 0.0, .isSpline = true },
                              { .x = 3.0, .y = 0.0 } };
  crShapeDef def = makeOpen(points, 4);
  const crProfile* profile = crKeepTestShape(def)->chain->profile;
  double first = fabs(profile->items[0].curvature);
  assert_true(first < 0.1 && profile->items[0].kind != cr_profileLine);
  points[2].hasTangent = true;
  points[2].tangentX = 5.0;
  profile = crKeepTestShape(def)->chain->profile;
  int last = profile->count - 1;
  while (profile->items[last].kind == cr_profileLine) {
    --last;
  }
  assert_close(profile->items[last].endNormal.x, 0.0, 1e-12);
  assert_true(profile->items[last].isSmooth); // into the line
}

// ----------------------------------------------------------------------------------------------- bad input

static void assertRefused(const crShapeDef* def, const char* message)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crShape* shape = NULL;
  assert_int_equal(crCreateShape(def, NULL, &sink, &shape), cr_errorModel);
  assert_null(shape);
  assert_message(log, cr_severityError, message);
  crDestroyErrorLog(log);
}

static void what_is_no_involute_or_spline_is_refused(void** state)
{
  (void)state;
  static const struct {
    const char* message;
    crProfilePoint from, to;
  } cases[] = {
    { "point 2 of the profile has both arc and involute", { .x = 1.0 }, { .x = 2.0, .arc = 3.0, .involute = 0.5 } },
    { "point 2 of the profile has both involute and spline",
      { .x = 1 },
      { .x = 2, .involute = 0.5, .isSpline = true } },
    { "point 2 of the profile has an involute of no circle", { .x = 1.0 }, { .x = 2.0, .involute = -0.5 } },
    { "point 2 of the profile has an involute that begins at its base circle",
      { .x = 1.0 },
      { .x = 2, .involute = 1.0 } },
    { "point 2 of the profile is beside the involute", { .x = 1.0 }, { .x = 2.0, .involute = 0.5 } },
    { "point 2 of the profile has a tangent that no spline goes along", { .x = 1 }, { .x = 2, .hasTangent = true } },
    { "point 2 of the profile has a tangent that has no direction",
      { .x = 1 },
      { .x = 2, .hasTangent = true, .isSpline = true } },
    { "point 1 of an open profile has no way to it", { .x = 1.0, .isSpline = true }, { .x = 2.0 } },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crProfilePoint points[] = { cases[i].from, cases[i].to };
    crShapeDef def = makeOpen(points, 2);
    assertRefused(&def, cases[i].message);
  }
  double t = 2.9, b = 0.1; // of a long involute
  crProfilePoint far[] = { { .x = b * (cos(0.1) + 0.1 * sin(0.1)), .y = b * (sin(0.1) - 0.1 * cos(0.1)) },
                           { .x = b * (cos(t) + t * sin(t)), .y = b * (sin(t) - t * cos(t)), .involute = b } };
  crShapeDef def = makeOpen(far, 2);
  assertRefused(&def, "point 2 of the profile has an involute that turns by");
  crProfilePoint wave[] = { { .x = 0.0 }, { .x = 1.0, .y = 1.0, .isSpline = true }, { .x = 2.0, .isSpline = true } };
  def = makeOpen(wave, 3);
  def.as.extruded.profile.error = 1e-18;
  assertRefused(&def, "the splines of a profile need too many arcs");
  def.as.extruded.profile.error = -1.0;
  assertRefused(&def, "error must not be negative");
  def = crDefaultShapeDef(cr_shapeRevolved);
  def.as.revolved.profile = (crProfileDef){ .points = flank, .pointCount = 2, .isOpen = true };
  assertRefused(&def, "point 2 of the profile has an involute, which is for extruded profiles");
}

static void gears_that_cannot_be_are_refused(void** state)
{
  (void)state;
  crShapeDef def = makeGear(2, 0.0, 0.0, 0.0);
  assertRefused(&def, "teeth must be at least 3");
  def = makeGear(2000, 0.0, 0.0, 0.0);
  assertRefused(&def, "teeth must be at most 1000");
  def = makeGear(12, NAN, 0.0, 0.0);
  assertRefused(&def, "shift must be a finite number");
  def = makeGear(12, 1.5, 0.0, 0.0);
  assertRefused(&def, "the teeth of an involute gear are pointed");
  def = makeGear(12, -9.0, 0.0, 0.0);
  assertRefused(&def, "the root circle of an involute gear must have a radius");
  def = makeGear(40, -3.0, 0.0, 0.0);
  assertRefused(&def, "the teeth of an involute gear have no flanks");
  def = makeGear(3, -0.22, 0.0, 0.0); // its roots have a radius of a quarter of a module, its flanks go straight down
  def.as.involuteGear.tipRelief = 0.03 * def.as.involuteGear.module;
  def.as.involuteGear.pressureAngle = 0.0573;
  assertRefused(&def, "the teeth of an involute gear leave no room between them: at their roots they are thick by");
  def = makeGear(20, 0.0, 0.0, 0.0);
  def.as.involuteGear.pressureAngle = 0.8;
  assertRefused(&def, "pressureAngle must be below pi/4");
}

static void involutes_and_splines_are_written_and_read(void** state)
{
  (void)state;
  const char* text =
      "world('w', { solid{ contact = 'Steel', shape = extruded{ length = 1, open = true, error = 1e-6, profile = {\n"
      "  { 1, 0 }, { 2, 1, spline = true }, { 3, 0, spline = true, tangent = { 1, 0 } }, { to = { 4, 0 } } } } } })\n"
      "object('g', { parent = 'w', free = true, position = { 9, 0, 0 }, solid{ contact = 'Steel', mass = 1,\n"
      "  shape = involuteGear{ teeth = 20, module = 0.01, length = 0.1, shift = 0.1 } } })\n";
  crTestModel model = crTestModel_Read(text, NULL);
  assert_int_equal(model.status, cr_ok);
  crTestText first = crWriteTestText(model.scene);
  assert_non_null(strstr(first.bytes, "\"to\": [3, 0], \"spline\": true, \"tangent\": [1, 0]"));
  crScene* back = NULL;
  assert_int_equal(crReadJson(first.bytes, first.size, "back.json", NULL, NULL, NULL, &model.sink, &back), cr_ok);
  crTestText second = crWriteTestText(back);
  assert_string_equal(first.bytes, second.bytes);
  crTestText_Free(&first);
  crTestText_Free(&second);
  crDestroyScene(back);
  crTestModel_Free(&model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(distances_agree_with_40_digits, crDestroyKeptShapes),
    cmocka_unit_test(distances_of_random_points_agree_with_113_bits),
    cmocka_unit_test_teardown(normals_touch_the_base_circle, crDestroyKeptShapes),
    cmocka_unit_test_teardown(teeth_are_as_thick_as_their_formula_says, crDestroyKeptShapes),
    cmocka_unit_test_teardown(relief_is_taken_off_at_tips, crDestroyKeptShapes),
    cmocka_unit_test_teardown(teeth_mesh_along_the_line_of_action, crDestroyKeptShapes),
    cmocka_unit_test_teardown(distances_of_two_are_those_of_points, crDestroyKeptShapes),
    cmocka_unit_test_teardown(splines_are_arcs_within_their_error, crDestroyKeptShapes),
    cmocka_unit_test_teardown(splines_end_as_they_are_told, crDestroyKeptShapes),
    cmocka_unit_test(what_is_no_involute_or_spline_is_refused),
    cmocka_unit_test(gears_that_cannot_be_are_refused),
    cmocka_unit_test(involutes_and_splines_are_written_and_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
