// Extruded shapes with each other and with cylinders: distances against sampled outlines, the law of lines, cams,
// Geneva wheels and gears.
#include "collide/distance/parallel.h"
#include "contact/area_law.h"
#include "contact/line_law.h"
#include "support/lua.h"
#include "support/shapes.h"
#include "support/test.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------- distances

#define SAMPLES 150 // of an element

static crShapeDef makeExtruded(const crProfilePoint* points, int count)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeExtruded);
  def.as.extruded.profile = (crProfileDef){ .points = points, .pointCount = count };
  def.as.extruded.length = 0.4;
  return def;
}

// A plate with a notch, a rounded nose and a concave side.
static const crProfilePoint notched[] = {
  { .x = -1.0, .y = -0.6 }, { .x = 1.0, .y = -0.6 }, { .x = 1.0, .y = 0.6, .arc = 0.6 },
  { .x = 0.2, .y = 0.6 },   { .x = 0.0, .y = 0.1 },  { .x = -0.2, .y = 0.6 },
  { .x = -1.0, .y = 0.6 },  { .x = -1.0, .y = 0.2 }, { .x = -1.0, .y = -0.2, .arc = -0.25 }
};
static const crProfilePoint triangle[] = { { .x = 0.5, .y = 0.0 }, { .x = -0.3, .y = 0.4 }, { .x = -0.3, .y = -0.4 } };

static crPlanePoint turned(crPlanePoint p, double angle, double x, double y)
{
  return (crPlanePoint){ x + cos(angle) * p.x - sin(angle) * p.y, y + sin(angle) * p.x + cos(angle) * p.y };
}

// To a circle, where b is NULL; else of two outlines, sampled.
static double sample(const crProfile* a, const crProfile* b, double angle, double x, double y)
{
  double best = HUGE_VAL;
  for (int i = 0; i < a->count * SAMPLES; ++i) {
    crPlanePoint p = crProfileElement_At(&a->items[i / SAMPLES], 2.0 * (i % SAMPLES) / (SAMPLES - 1.0) - 1.0).point;
    for (int k = 0; k < (b != NULL ? b->count * SAMPLES : 1); ++k) {
      crPlanePoint q = { x, y };
      if (b != NULL) {
        q = turned(crProfileElement_At(&b->items[k / SAMPLES], 2.0 * (k % SAMPLES) / (SAMPLES - 1.0) - 1.0).point,
                   angle, x, y);
      }
      best = fmin(best, crPlaneDot(crPlaneSub(p, q), crPlaneSub(p, q)));
    }
  }
  return sqrt(best);
}

// Whether the middle or a corner of the second one lies in the first.
static bool isWithin(const crProfile* a, const crProfile* b, double angle, double x, double y)
{
  bool is = crProfile_IsInside(a, (crPlanePoint){ x, y });
  for (int k = 0; b != NULL && k < b->count; ++k) {
    is = is || crProfile_IsInside(a, turned(b->items[k].start, angle, x, y));
  }
  return is;
}

static crPose place(double angle, double x, double y)
{
  return crMakePose(crMakeVec3(x, y, 0.05), crAxisAngleToQuat(crMakeVec3(0, 0, 1), angle));
}

// Samples are 0.015 apart at most, so that a distance d is found as up to sqrt(d^2 + 0.0075^2).
static void distances_are_those_of_sampled_outlines(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(23);
  const crShape* a = crKeepTestShape(makeExtruded(notched, 9));
  const crShape* b = crKeepTestShape(makeExtruded(triangle, 3));
  const crShape* roller = crKeepTestShape(crMakeCylinder(0.15, 0.3, 0.0));
  crPose X_WA = place(0.0, 0.0, 0.0);
  int count = 0;
  for (int i = 0; i < 60; ++i) {
    double angle = crRandom_Uniform(&random, -4.0, 4.0), x = crRandom_Uniform(&random, -2.0, 2.0);
    double y = crRandom_Uniform(&random, -1.6, 1.6);
    crPose X_WB = place(angle, x, y);
    bool isRoller = i % 2 == 0;
    crParallelTouch touch = crComputeParallel(a, &X_WA, isRoller ? roller : b, &X_WB, HUGE_VAL);
    crParallelTouch back = crComputeParallel(isRoller ? roller : b, &X_WB, a, &X_WA, HUGE_VAL);
    double afar = crComputeParallel(a, &X_WA, isRoller ? roller : b, &X_WB, 0.01).distance;
    assert_close(back.distance, touch.distance, 1e-14);
    assert_true(afar == touch.distance || (afar > 0.01 && afar < touch.distance));
    double truth =
        sample(a->chain->profile, isRoller ? NULL : b->chain->profile, angle, x, y) - (isRoller ? 0.15 : 0.0);
    if (truth < 0.05 || isWithin(a->chain->profile, isRoller ? NULL : b->chain->profile, angle, x, y)) {
      continue; // inside, or nearly
    }
    assert_true(touch.distance <= truth + 1e-12 && touch.distance > truth - 1.5e-3);
    assert_close(crLength(touch.normal), 1.0, 1e-14);
    assert_close(crLength(crSub(touch.pointB, touch.pointA)), touch.distance, 1e-13);
    ++count;
  }
  assert_true(count > 25);
}

// A circle in a concave arc, on a line and at a corner: closed forms, on both sides of 0.
static void depths_are_closed_forms(void** state)
{
  (void)state;
  const crShape* a = crKeepTestShape(makeExtruded(notched, 9));
  const crShape* roller = crKeepTestShape(crMakeCylinder(0.15, 0.3, 0.0));
  crPose X_WA = place(0.0, 0.0, 0.0);
  for (int i = -3; i <= 3; ++i) {
    double gap = 1e-3 * i;
    crPose onLine = place(0.3, 0.1, -0.75 - gap),
           atCorner = place(0.3, -1.0 - (0.15 + gap) * sqrt(0.5), -0.6 - (0.15 + gap) * sqrt(0.5));
    // the centre of the concave arc of radius 0.25 is 0.15 left of its ends
    crPose inArc = place(0.3, -1.15 + 0.1 - gap, 0.0), onNose = place(1.0, 1.0 + 0.75 + gap, 0.0);
    crParallelTouch line = crComputeParallel(a, &X_WA, roller, &onLine, HUGE_VAL),
                    corner = crComputeParallel(a, &X_WA, roller, &atCorner, HUGE_VAL);
    crParallelTouch arc = crComputeParallel(a, &X_WA, roller, &inArc, HUGE_VAL),
                    nose = crComputeParallel(a, &X_WA, roller, &onNose, HUGE_VAL);
    assert_close(line.distance, gap, 1e-14);
    assert_close(corner.distance, gap, 1e-14);
    assert_close(arc.distance, gap, 1e-14);
    assert_close(nose.distance, gap, 1e-14);
    assert_close(line.curvature, 1.0 / 0.15, 1e-11);
    assert_close(arc.curvature, 1.0 / 0.15 - 1.0 / 0.25, 1e-11);
    assert_close(nose.curvature, 1.0 / 0.15 + 1.0 / 0.6, 1e-11);
    assert_true(isnan(corner.curvature));
    assert_close(line.length, 0.3, 1e-15);
  }
}

static const crProfilePoint square[] = {
  { .x = -0.5, .y = -0.5 }, { .x = 0.5, .y = -0.5 }, { .x = 0.5, .y = 0.5 }, { .x = -0.5, .y = 0.5 }
};

static double depthOf(const crShape* a, const crShape* b, double angle, double x, double y)
{
  crPose X_WA = place(0.0, 0.0, 0.0), X_WB = place(angle, x, y);
  double depth = -crComputeParallel(a, &X_WA, b, &X_WB, HUGE_VAL).distance;
  assert_close(-crComputeParallel(b, &X_WB, a, &X_WA, HUGE_VAL).distance, depth, 1e-13);
  return depth;
}

// However deep: a roller until its middle is nearer to another side, a corner likewise, and a square in a square as far
// as it overlaps. Depths beyond a twentieth of the size counted as none.
static void great_depths_are_closed_forms(void** state)
{
  (void)state;
  const crShape* block = crKeepTestShape(makeExtruded(square, 4));
  const crShape* roller = crKeepTestShape(crMakeCylinder(0.15, 0.3, 0.0));
  const crShape* spike = crKeepTestShape(makeExtruded(triangle, 3)); // its tip at (0.5, 0)
  for (double depth = 0.01; depth < 0.29; depth += 0.01) {
    assert_close(depthOf(block, roller, 0.3, 0.65 - depth, 0.02), depth, 1e-13);
    assert_close(depthOf(block, block, 0.0, 0.03, 1.0 - depth), depth, 1e-13);
    assert_close(depthOf(block, spike, 0.0, -1.0 + depth, 0.07), depth, 1e-13);
    assert_close(depthOf(block, spike, 0.2, -0.5 - 0.5 * cos(0.2) + depth, -0.1), depth, 1e-13);
  }
}

// [m] Least distance by which two convex polygons can be parted, over the normals of all sides: by the projections of
// their corners.
static double findParting(const crProfile* a, const crProfile* b, double angle, double x, double y)
{
  double least = HUGE_VAL;
  for (int i = 0; i < a->count + b->count; ++i) {
    bool isOfA = i < a->count;
    crPlanePoint n = isOfA ? a->items[i].normal : turned(b->items[i - a->count].normal, angle, 0.0, 0.0);
    n = isOfA ? n : (crPlanePoint){ -n.x, -n.y }; // out of A
    double most = -HUGE_VAL, low = HUGE_VAL;
    for (int k = 0; k < a->count; ++k) {
      most = fmax(most, crPlaneDot(a->items[k].start, n));
    }
    for (int k = 0; k < b->count; ++k) {
      low = fmin(low, crPlaneDot(turned(b->items[k].start, angle, x, y), n));
    }
    least = fmin(least, most - low);
  }
  return least;
}

// A corner in a corner, where each may be nearer to another side than to the one that it came through: the depth was
// lost there, or jumped, and bodies with it 7 to 9 % of their energy.
static void corners_are_as_deep_as_they_can_be_parted(void** state)
{
  (void)state;
  const crShape* block = crKeepTestShape(makeExtruded(square, 4));
  const crShape* spike = crKeepTestShape(makeExtruded(triangle, 3));
  crRandom random = crMakeRandom(1202);
  int count = 0;
  for (int i = 0; i < 20000; ++i) {
    const crShape* other = i % 2 == 0 ? block : spike;
    double angle = crRandom_Uniform(&random, -CR_PI, CR_PI), side = crRandom_Uniform(&random, -CR_PI, CR_PI);
    double away = crRandom_Uniform(&random, 0.7, 1.4), x = away * cos(side), y = away * sin(side);
    double depth = findParting(block->chain->profile, other->chain->profile, angle, x, y);
    if (depth > 1e-6 && depth < 0.15) {
      assert_close(depthOf(block, other, angle, x, y), depth, 1e-12);
      ++count;
    }
  }
  assert_true(count > 2000);
}

// The whole of the smaller one in the other: its smallest dimension, or more where that is known. And beside each other
// there is no depth.
static void what_is_within_is_deep(void** state)
{
  (void)state;
  const crShape* block = crKeepTestShape(makeExtruded(square, 4));
  const crShape* roller = crKeepTestShape(crMakeCylinder(0.15, 0.3, 0.0));
  const crShape* a = crKeepTestShape(makeExtruded(notched, 9));
  const crShape* small = crKeepTestShape(makeExtruded(triangle, 3));
  crRandom random = crMakeRandom(5);
  for (int i = 0; i < 200; ++i) {
    double angle = crRandom_Uniform(&random, -4.0, 4.0), x = crRandom_Uniform(&random, -0.3, 0.3);
    double y = crRandom_Uniform(&random, -0.3, 0.3);
    assert_true(depthOf(block, roller, angle, x, y) >= 0.3 - 1e-13);
    assert_true(depthOf(a, small, angle, 0.4 + 0.1 * x, 0.1 * y - 0.1) > 0.05);
    double away = sample(a->chain->profile, small->chain->profile, angle, 3.0 * x + 1.7, 3.0 * y);
    if (!isWithin(a->chain->profile, small->chain->profile, angle, 3.0 * x + 1.7, 3.0 * y) && away > 0.05) {
      assert_true(depthOf(a, small, angle, 3.0 * x + 1.7, 3.0 * y) < 0.0);
    }
  }
}

// Short elements: two discs of 200 arcs each, whose stretches where they are deepest do not reach each other.
static void depths_of_short_elements_are_known(void** state)
{
  (void)state;
  crProfilePoint points[200];
  for (int i = 0; i < 200; ++i) {
    points[i] = (crProfilePoint){ .x = cos(CR_PI * i / 100.0), .y = sin(CR_PI * i / 100.0), .arc = 1.0 };
  }
  const crShape* disc = crKeepTestShape(makeExtruded(points, 200));
  for (double depth = 0.01; depth < 1.0; depth += 0.05) {
    assert_close(depthOf(disc, disc, 0.3, (2.0 - depth) * cos(1.0), (2.0 - depth) * sin(1.0)), fmin(depth, 0.4), 1e-9);
  }
}

// Beside each other along their axes nothing touches.
static void lengths_end(void** state)
{
  (void)state;
  const crShape* a = crKeepTestShape(makeExtruded(notched, 9));
  const crShape* roller = crKeepTestShape(crMakeCylinder(0.35, 0.3, 0.0));
  crPose X_WA = place(0.0, 0.0, 0.0), X_WB = place(0.0, 1.94, 0.0); // 0.01 deep
  X_WB.p.z += 0.3;
  crParallelTouch touch = crComputeParallel(a, &X_WA, roller, &X_WB, HUGE_VAL);
  assert_close(touch.length, 0.05, 1e-15);
  assert_close(touch.distance, -0.01, 1e-14);
  X_WB.p.z += 0.045;
  assert_close(crComputeParallel(a, &X_WA, roller, &X_WB, HUGE_VAL).distance, -0.005, 1e-14);
  X_WB.p.z += 0.155;
  assert_close(crComputeParallel(a, &X_WA, roller, &X_WB, HUGE_VAL).distance, 0.15, 1e-14);
}

// ---------------------------------------------------------------------------------------------------- law

// Of a strip with a parabolic gap, by the law of areas with its own integrals.
static void lines_have_the_energy_of_their_strip(void** state)
{
  (void)state;
  for (double depth = 1e-6; depth < 1e-3; depth *= 3.0) {
    double length = 0.02, R = 0.01, w = sqrt(2.0 * R * depth);
    double i2 = 16.0 / 15.0 * depth * depth * w * length, i3 = 32.0 / 35.0 * depth * depth * depth * w * length;
    double along = length * length / 12.0, across = w * w / 7.0;
    crAreaModulus law = { .modulus = 1.0 };
    double U = crComputeAreaEnergy(law, i2, i3, along + across, along * across).U;
    assert_close(crComputeLineEnergy(length, R, depth) / U, 1.0, 1e-6);
  }
  crLineLaw law = crComputeLineLaw(0.02, 0.01);
  double middle = CR_LINE_DEPTH * 0.01;
  assert_true(law.exponent > 1.05 && law.exponent < 1.15);
  for (double factor = 0.1; factor <= 10.0; factor *= 1.2) {
    double d = factor * middle, h = 1e-4 * d;
    double force = (crComputeLineEnergy(0.02, 0.01, d + h) - crComputeLineEnergy(0.02, 0.01, d - h)) / (2.0 * h);
    assert_close(law.stiffness * pow(d, law.exponent) / force, 1.0, 0.025);
  }
}

// ------------------------------------------------------------------------------------------------- models

// An eccentric disc of radius R with the eccentricity e lifts the middle of a roller to e sin q + sqrt((R + r)^2 - e^2
// cos^2 q).
#define CAM                                                                                                            \
  "scene{ gravity = { 0, -9.81, 0 } }\ncontactPair('Steel', 'Steel', { cor = 0.3, muK = 0, muR = 0 })\n"               \
  "local w, R, e, r = world('w'), 0.03, 0.01, 0.01\n"                                                                  \
  "local cam = object('cam', { mass{ mass = 1, inertia = { 1e3, 1e3, 1e3 } }, solid{ contact = 'Steel',\n"             \
  "  shape = extruded{ profile = { { e + R, 0, through = { e, -R } }, { e - R, 0, through = { e, R } } },\n"           \
  "  length = 0.01 } } })\n"                                                                                           \
  "revolute('shaft', w, cam, { axis = { 0, 0, 1 }, startRate = %.17g })\n"                                             \
  "local follower = object('follower', { solid{ shape = cylinder{ radius = r, length = 0.01 }, mass = 0.1,\n"          \
  "  contact = 'Steel' } })\n"                                                                                         \
  "prismatic('slide', w, follower, { axis = { 0, 1, 0 }, start = math.sqrt((R + r) ^ 2 - e ^ 2) - 2e-8,\n"             \
  "  startRate = %.17g })\n"

static crTestRun openCam(double speed, double tolerance)
{
  char text[1400];
  snprintf(text, sizeof text, CAM, speed, 0.01 * speed);
  return crOpenTestText(text, 2.0, tolerance, cr_solverDefault);
}

static double findLift(double q)
{
  return 0.01 * sin(q) + sqrt(0.04 * 0.04 - 1e-4 * cos(q) * cos(q));
}

static void a_cam_lifts_its_roller_by_the_closed_form(void** state)
{
  (void)state;
  crTestRun run = openCam(15.0, 1e-9);
  for (int i = 1; i <= 100; ++i) {
    double y = crTestRun_ValueAt(&run, 0.008 * i, "slide.position");
    double away = y - findLift(crTestRun_Value(&run, "shaft.angle"));
    assert_true(away < 1e-7 && away > -1e-7); // 1 N on 10 mm of steel: 5 nm, and what it swings
  }
  crCloseTestRun(&run);
}

// Its least acceleration over speed^2, by differences of the closed form.
static double findLeastCurve(void)
{
  double least = 0.0, h = 1e-4;
  for (double q = 0.0; q < 6.3; q += 1e-3) {
    least = fmin(least, (findLift(q + h) - 2.0 * findLift(q) + findLift(q - h)) / (h * h));
  }
  return least;
}

static double jump(double speed)
{
  crTestRun run = openCam(speed, 1e-9);
  double most = 0.0;
  for (int i = 1; i <= 300; ++i) {
    double t = 1.2 * 2.0 * CR_PI / speed * i / 300.0, y = crTestRun_ValueAt(&run, t, "slide.position");
    most = fmax(most, y - findLift(crTestRun_Value(&run, "shaft.angle")));
  }
  crCloseTestRun(&run);
  return most;
}

// The roller leaves the cam where that falls away faster than gravity: at sqrt(g / most of -y'').
static void a_roller_jumps_at_the_speed_of_the_closed_form(void** state)
{
  (void)state;
  double speed = sqrt(9.81 / -findLeastCurve());
  assert_true(jump(0.99 * speed) < 1e-7);
  assert_true(jump(1.01 * speed) > 1e-6);
}

static void geneva_wheels_index_by_their_angle(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "geneva.lua", .tolerance = 1e-7 });
  double period = 2.0 * CR_PI / 10.0;
  for (int k = 1; k <= 2; ++k) {
    crTestRun_Advance(&run, k * period);
    assert_close(crTestRun_Value(&run, "wheelShaft.angle"), k * CR_PI / 2.0, 1e-4);
  }
  crCloseTestRun(&run);
}

// Of the length of action between tip circles, over the base pitch.
static double findContactRatio(double module, double teethA, double teethB, double angle)
{
  double baseA = 0.5 * module * teethA * cos(angle), baseB = 0.5 * module * teethB * cos(angle);
  double tipA = module * (0.5 * teethA + 1.0), tipB = module * (0.5 * teethB + 1.0);
  double length = sqrt(tipA * tipA - baseA * baseA) + sqrt(tipB * tipB - baseB * baseB) -
                  0.5 * module * (teethA + teethB) * sin(angle);
  return length / (CR_PI * module * cos(angle));
}

// The wheel follows the pinion by the ratio of teeth, to what gives way; as many pairs of teeth touch as the contact
// ratio says, and a few more where they give way.
static void teeth_drive_by_their_ratio(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "involute_gears.lua", .stop = 0.25 });
  double from = crTestRun_ValueAt(&run, 0.1, "pinionShaft.angle"), low = HUGE_VAL, high = -HUGE_VAL, touching = 0.0;
  int count = 0;
  for (double t = 0.1; t <= 0.25; t += 5e-5, ++count) {
    crTestRun_Advance(&run, t);
    double e = crTestRun_Value(&run, "pinionShaft.angle") +
               29.0 / 17.0 * (crTestRun_Value(&run, "wheelShaft.angle") - CR_PI + CR_PI / 29.0);
    low = fmin(low, e);
    high = fmax(high, e);
    touching += crContacts_Count(crSimulation_GetSet(run.simulation).contacts);
  }
  assert_true(crTestRun_Value(&run, "pinionShaft.angle") - from > 8.0);
  // 5 N m at the base circle of 16 mm, 313 N: teeth give way by less than 1.6 um, on one pair or two
  assert_true(high - low < 1e-4);
  assert_close(touching / count, findContactRatio(2e-3, 17.0, 29.0, CR_PI / 9.0), 0.05);
  crCloseTestRun(&run);
}

static void what_is_not_parallel_is_told(void** state)
{
  (void)state;
  static const struct {
    const char *shape, *says;
  } cases[] = {
    { "cylinder{ radius = 0.1, length = 0.2, axis = { 1, 0, 0 } }", "are not parallel" },
    { "extruded{ profile = { { 0, 0 }, { 0.1, 0 }, { 0, 0.1 } }, length = 0.1, axis = { 0, 1, 1 } }",
      "are not parallel" },
    { "box{ size = { 0.1, 0.1, 0.1 } }", "spheres, and cylinders and extruded shapes that are parallel" },
  };
  for (int i = 0; i < 3; ++i) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "world('w', { solid{ shape = extruded{ profile = { { 0, 0 }, { 1, 0 }, { 0, 1, arc = 9 } }, length = 1 },\n"
        "  contact = 'Steel' } })\n"
        "object('o', { parent = 'w', free = true, position = { 3, 0, 0 }, solid{ shape = %s, mass = 1,\n"
        "  contact = 'Steel' } })\n",
        cases[i].shape);
    crTestModel model = crTestModel_Read(text, NULL);
    crModel* compiled = NULL;
    assert_int_equal(model.status, cr_ok);
    assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
    assert_true(crTestModel_Says(&model, cases[i].says));
    crTestModel_Free(&model);
  }
}

// A roller, and a square, that fly into a disc or a square far over the range in which depths are known: at whatever
// angle that is turned, in however long a step.
static void nothing_flies_through_an_outline(void** state)
{
  (void)state;
  static const char* const shapes[] = { "cylinder{ radius = 0.003, length = 0.01 }",
                                        "extruded{ profile = { { 0.003, -0.003 }, { 0.003, 0.003 }, { -0.003, 0.003 }, "
                                        "{ -0.003, -0.003 } }, length = 0.01 }" };
  for (int i = 0; i < 24; ++i) {
    char text[900];
    double v = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0.1 : 30.0;
    snprintf(
        text, sizeof text,
        "scene{ gravity = 'none' }\ncontactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0 })\n"
        "local g = world('g')\n"
        "object('b', { parent = g, rotation = { 0, 0, %.17g }, solid{ shape = extruded{ profile = {\n"
        "  { 0.05, 0, through = { 0, -0.05 } }, { -0.05, 0, through = { 0, 0.05 } } }, length = 0.01 },\n"
        "  contact = 'Steel' } })\n"
        "local r = object('r', { solid{ shape = %s, material = 'Steel', contact = 'Steel' } })\n"
        "planar('rp', g, r, { axis = 'z', start = { 0.13, 0, 0 }, startRate = { %g, 0, 0 }, canCollide = true })\n",
        0.5 * i + 0.2, shapes[i % 2], -v);
    crTestRun run = crOpenTestText(text, 0.15 / v, 1e-8, cr_solverDefault);
    double speed = crTestRun_ValueAt(&run, 0.15 / v, "r.velocity.x");
    assert_close(speed, v, 1e-5 * v);
    crCloseTestRun(&run);
  }
}

static void openSoft(crTestRun* run, const char* shape, double gap, double v)
{
  char text[1200];
  snprintf(text, sizeof text,
           "scene{ gravity = 'none' }\ncontactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0, kRed = 1e-6 })\n"
           "local g = world('g')\n"
           "local cam = { { 0.1, 0, spline = true }, { 0, 0.06, spline = true }, { -0.06, 0, spline = true },\n"
           "  { 0, -0.06, spline = true } }\n"
           "object('b', { parent = g, solid{ shape = %s, contact = 'Steel' } })\n"
           "local r = object('r', { solid{ shape = %s, material = 'Steel', contact = 'Steel' } })\n"
           "planar('rp', g, r, { axis = 'z', start = { %.17g, 0.001, 0.2 }, startRate = { %.17g, 0, 0 },\n"
           "  canCollide = true })\n",
           shape[0] == 'e' ? shape
                           : "extruded{ length = 0.1, profile = { { -0.05, -0.05 }, { 0.05, -0.05 }, { 0.05, 0.05 "
                             "}, { -0.05, 0.05 } } }",
           shape, gap, -v);
  *run = crOpenTestText(text, 1.0, 1e-8, cr_solverDefault);
}

// So soft that a roller goes a quarter of its diameter deep: it comes back with all of its energy, of which half was
// lost.
static void deep_impacts_keep_their_energy(void** state)
{
  (void)state;
  crTestRun run;
  openSoft(&run, "cylinder{ radius = 0.01, length = 0.1 }", 0.061, 1.0);
  double energy = crTestRun_Energy(&run), deepest = 0.0;
  for (int i = 1; i <= 100; ++i) {
    deepest = fmax(deepest, 0.06 - crTestRun_ValueAt(&run, 4e-4 * i, "r.position.x"));
  }
  assert_true(deepest > 0.005 && deepest < 0.01);
  assert_close(crTestRun_Value(&run, "r.velocity.x"), 1.0, 1e-6);
  assert_close(crTestRun_Energy(&run) / energy, 1.0, 1e-6);
  crCloseTestRun(&run);
}

// Faster ones end by name: a roller that goes through, and two cams of short arcs that lose sight of each other.
static void what_goes_through_an_outline_is_told(void** state)
{
  (void)state;
  static const struct {
    const char *shape, *says;
    double gap;
  } cases[] = {
    { "cylinder{ radius = 0.01, length = 0.1 }", "the contact with 'r' does not hold it: it goes through", 0.061 },
    { "extruded{ length = 0.1, error = 1e-6, profile = cam }",
      "the contact with 'r' is too deep: their outlines do not face each other any more", 0.165 },
  };
  for (int i = 0; i < 2; ++i) {
    for (double v = 30.0; v < 4000.0; v *= 10.0) {
      crTestRun run;
      openSoft(&run, cases[i].shape, cases[i].gap, v);
      assert_int_equal(crSimulation_Advance(run.simulation, 0.2 / v), cr_failNumerics);
      assert_message(run.log, cr_severityError, cases[i].says);
      crCloseTestRun(&run);
    }
  }
}

// Outlines that begin deep in each other, by short arcs or as a whole, began as if nothing were there.
static void outlines_that_begin_deep_are_refused(void** state)
{
  (void)state;
  static const char* const shapes[] = { "cylinder{ radius = 0.01, length = 0.1 }",
                                        "extruded{ length = 0.1, error = 1e-6, profile = cam }" };
  for (int i = 0; i < 2; ++i) {
    for (double x = 0.0; x < (i == 0 ? 0.055 : 0.15); x += 0.01) {
      char text[900];
      snprintf(text, sizeof text,
               "local g = world('g')\n"
               "local cam = { { 0.1, 0, spline = true }, { 0, 0.06, spline = true }, { -0.06, 0, spline = true },\n"
               "  { 0, -0.06, spline = true } }\n"
               "object('b', { parent = g, solid{ shape = %s, contact = 'Steel' } })\n"
               "local r = object('r', { solid{ shape = %s, material = 'Steel', contact = 'Steel' } })\n"
               "planar('rp', g, r, { axis = 'z', start = { %.17g, 0.01, 0.3 }, canCollide = true })\n",
               "extruded{ length = 0.1, error = 1e-6, profile = cam }", shapes[i], x);
      crAssertStartIsRefused(text, "b: at 0 s the contact with 'r' is too deep to start with");
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(distances_are_those_of_sampled_outlines, crDestroyKeptShapes),
    cmocka_unit_test_teardown(depths_are_closed_forms, crDestroyKeptShapes),
    cmocka_unit_test_teardown(great_depths_are_closed_forms, crDestroyKeptShapes),
    cmocka_unit_test_teardown(corners_are_as_deep_as_they_can_be_parted, crDestroyKeptShapes),
    cmocka_unit_test_teardown(what_is_within_is_deep, crDestroyKeptShapes),
    cmocka_unit_test_teardown(depths_of_short_elements_are_known, crDestroyKeptShapes),
    cmocka_unit_test_teardown(lengths_end, crDestroyKeptShapes),
    cmocka_unit_test(lines_have_the_energy_of_their_strip),
    cmocka_unit_test(a_cam_lifts_its_roller_by_the_closed_form),
    cmocka_unit_test(a_roller_jumps_at_the_speed_of_the_closed_form),
    cmocka_unit_test(geneva_wheels_index_by_their_angle),
    cmocka_unit_test(teeth_drive_by_their_ratio),
    cmocka_unit_test(what_is_not_parallel_is_told),
    cmocka_unit_test(nothing_flies_through_an_outline),
    cmocka_unit_test(deep_impacts_keep_their_energy),
    cmocka_unit_test(what_goes_through_an_outline_is_told),
    cmocka_unit_test(outlines_that_begin_deep_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
