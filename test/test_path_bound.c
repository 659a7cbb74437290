// Planes along the ways of two bodies: what they say is free is free, wherever one looks, and what glides past at a
// distance of nanometres is told at one go.
#include "carom/collide.h"
#include "island/path_bound.h"
#include "support/random.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHAPES 9
#define LOOKS 64    // at a way
#define SLACK 1e-12 // [m] of a distance query

// Each shape off the origin of its body.
static const char* const text =
    "scene{ gravity = 'none' }\n"
    "contactPair('Steel', 'Steel', { cor = 0.5, muK = 0.1, muR = 0 })\n"
    "local w = world('w', {})\n"
    "local shapes = {\n"
    "  sphere{ radius = 0.05 }, box{ size = { 0.1, 0.14, 0.06 } }, cylinder{ radius = 0.04, length = 0.12 },\n"
    "  cone{ radius = 0.06, length = 0.1 }, capsule{ radius = 0.03, length = 0.08 },\n"
    "  ellipsoid{ radii = { 0.04, 0.05, 0.07 } }, box{ size = { 0.1, 0.08, 0.12 }, rounding = 0.01 },\n"
    "  beam{ length = 0.1, width = 0.05, height = 0.04 },\n"
    "  hull{ points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.1 }, { 0.08, 0.08, 0.02 } } } }\n"
    "for i, s in ipairs(shapes) do\n"
    "  local body = object('body' .. i, { parent = w, position = { i, 0, 0 }, free = true })\n"
    "  object('part' .. i, { parent = body, position = { 0.02, -0.01, 0.03 }, rotation = { 0.3, 0.2, 0.1 },\n"
    "    solid{ shape = s, material = 'Steel', contact = 'Steel' } })\n"
    "end\n"
    "object('plate', { parent = w, position = { 0, 1, 0 }, free = true,\n"
    "  solid{ shape = box{ size = { 0.4, 0.02, 0.2 } }, material = 'Steel', contact = 'Steel' } })\n"
    "object('pin', { parent = w, position = { 0, 2, 0 }, free = true,\n"
    "  solid{ shape = cylinder{ radius = 0.01, length = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"
    "object('ground', { parent = w, position = { 0, 0, -1 }, solid{ shape = halfSpace{}, contact = 'Steel' } })\n";

static int findShape(const crModel* model, const char* object)
{
  int found = -1;
  for (int i = 0; i < model->size.shapeCount; ++i) {
    found = strcmp(crModel_GetObjectPath(model, model->contactShapes[i].object), object) == 0 ? i : found;
  }
  assert_true(found >= 0);
  return found;
}

static int findPart(const crModel* model, int number)
{
  char name[16];
  snprintf(name, sizeof name, number < SHAPES ? "part%d" : "ground", number + 1);
  return findShape(model, name);
}

// p = p0 + v t + a sin(k t), turned by w t + b sin(k t) about an axis.
typedef struct Way {
  crVec3 p0, v, a, axis;
  crQuat q0;
  double w, b, k;
} Way;

static Way makeWay(crRandom* random, double speed, double turning)
{
  return (Way){ .v = crScale(crRandom_Uniform(random, 0.0, speed), crRandom_UnitVec3(random)),
                .a = crScale(crRandom_Uniform(random, 0.0, 0.01), crRandom_UnitVec3(random)),
                .axis = crRandom_UnitVec3(random),
                .q0 = crRandom_Rotation(random),
                .w = crRandom_Uniform(random, -turning, turning),
                .b = crRandom_Uniform(random, 0.0, 0.05),
                .k = crRandom_Uniform(random, 1.0, 5.0) };
}

static crBodyPlace placeAt(const Way* way, double t)
{
  double angle = way->w * t + way->b * sin(way->k * t);
  crVec3 e = crScale(sin(0.5 * angle), way->axis);
  crQuat turn = { cos(0.5 * angle), e.x, e.y, e.z };
  crVec3 p = crMulAdd(crMulAdd(way->p0, t, way->v), sin(way->k * t), way->a);
  return (crBodyPlace){ .X = crMakePose(p, crMulQuat(turn, way->q0)),
                        .v = crMulAdd(way->v, way->k * cos(way->k * t), way->a),
                        .w = crScale(way->w + way->b * way->k * cos(way->k * t), way->axis) };
}

static crDistance measure(const crModel* model, const int shapes[2], const Way ways[2], double t)
{
  crPose X[2];
  for (int i = 0; i < 2; ++i) {
    X[i] = crMulPose(placeAt(&ways[i], t).X, model->contactShapes[shapes[i]].X_BS);
  }
  crDistance d;
  assert_int_equal(crComputeDistance(&model->shapes[shapes[0]], &X[0], &model->shapes[shapes[1]], &X[1], NULL, &d),
                   cr_ok);
  return d;
}

static crPath follow(const crModel* model, const int shapes[2], const Way ways[2], double h)
{
  crPath path = { .model = model, .shapes = { shapes[0], shapes[1] }, .h = h };
  for (int i = 0; i < CR_PATH_PLACES; ++i) {
    double t = h * i / (CR_PATH_PLACES - 1);
    path.places[i][0] = placeAt(&ways[0], t);
    path.places[i][1] = placeAt(&ways[1], t);
  }
  return path;
}

// At the start the distance is `gap`.
static void bringTogether(const crModel* model, const int shapes[2], Way ways[2], double gap)
{
  for (int i = 0; i < 3; ++i) {
    crDistance d = measure(model, shapes, ways, 0.0);
    ways[1].p0 = crMulAdd(ways[1].p0, gap - d.distance, d.normal);
  }
}

static void assertFree(const crModel* model, const int shapes[2], const Way ways[2], double end, double floor)
{
  for (int i = 0; i <= LOOKS; ++i) {
    assert_true(measure(model, shapes, ways, end * i / LOOKS).distance > floor - SLACK);
  }
}

static void what_planes_say_is_free_is_free(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
  crRandom random = crMakeRandom(11);
  int whole = 0, parts = 0, count = 0;
  for (int a = 0; a < SHAPES; ++a) {
    for (int b = a; b <= SHAPES; ++b) {
      for (int i = 0; i < 24; ++i, ++count) {
        const int shapes[2] = { findPart(run.model, a), findPart(run.model, b == a ? (a + 1) % SHAPES : b) };
        Way ways[2] = { makeWay(&random, 1.0, 3.0), makeWay(&random, 1.0, 3.0) };
        ways[1].p0 = crScale(0.3, crRandom_UnitVec3(&random));
        double gap = crRandom_LogUniform(&random, 1e-9, 0.1), h = crRandom_LogUniform(&random, 1e-5, 0.2);
        bringTogether(run.model, shapes, ways, gap);
        crDistance start = measure(run.model, shapes, ways, 0.0), end = measure(run.model, shapes, ways, h);
        double floor = i % 2 == 0 ? 0.0 : 0.5 * start.distance;
        crPath path = follow(run.model, shapes, ways, h);
        double carried = crPath_FindCarried(&path, start.normal, floor);
        double turning = crPath_FindTurning(&path, start.normal, end.normal, floor), reach = fmax(carried, turning);
        assertFree(run.model, shapes, ways, reach * h, floor);
        whole += reach == 1.0;
        parts += reach > 0.0 && reach < 1.0;
      }
    }
  }
  assert_true(whole > count / 4 && parts > count / 8);
  crCloseTestRun(&run);
}

// A plate turns, a pin turns along its side, all the time at the same distance. The bound on accelerations, 27 m/s^2,
// needs a look every 3 us: there were millions of them in a Geneva drive.
static void what_glides_is_told_at_one_go(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
  const int shapes[2] = { findShape(run.model, "plate"), findShape(run.model, "pin") };
  const double w = 6.0, spin = -2.0, slide = 0.5, gap = 1e-10, h = 0.01;
  crPath path = { .model = run.model, .shapes = { shapes[0], shapes[1] }, .h = h };
  for (int i = 0; i < CR_PATH_PLACES; ++i) {
    double t = h * i / (CR_PATH_PLACES - 1);
    crQuat plate = { cos(0.5 * w * t), 0.0, 0.0, sin(0.5 * w * t) };
    crQuat pin = { cos(0.5 * spin * t), 0.0, 0.0, sin(0.5 * spin * t) };
    crPose X = crMakePose(crMakeVec3(0.0, 0.0, 0.0), plate);
    crVec3 along = crMulMV(X.R, crMakeVec3(slide, 0.0, 0.0)), axis = crMakeVec3(0.0, 0.0, w);
    crVec3 p = crMulMV(X.R, crMakeVec3(slide * t - 0.1, 0.01 + 0.01 + gap, 0.0));
    path.places[i][0] = (crBodyPlace){ .X = X, .w = axis };
    path.places[i][1] =
        (crBodyPlace){ .X = crMakePose(p, pin), .v = crAdd(along, crCross(axis, p)), .w = crMakeVec3(0.0, 0.0, spin) };
  }
  crVec3 n = path.places[0][0].X.R.cy;
  assert_true(crPath_FindCarried(&path, n, 0.0) == 1.0);
  assert_true(crPath_FindCarried(&path, n, 0.9 * gap) == 1.0);
  assert_true(crPath_FindCarried(&path, n, 1.1 * gap) == 0.0);
  crCloseTestRun(&run);
}

// Straight ways without a turn: the distance falls by the speed along a normal that stays, so it is known when it falls
// to the floor, and a plane sees that to the last halving.
static void straight_ways_are_free_until_they_are_not(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
  crRandom random = crMakeRandom(17);
  const double h = 0.1, gap = 0.01, speed = 0.2, last = 1.0 / 4096.0;
  for (int a = 0; a < SHAPES; ++a) {
    for (int b = 0; b <= SHAPES; ++b) {
      for (int i = 0; i < 4 && a != b; ++i) {
        bool isFirst = b == SHAPES && i >= 2; // the half-space
        const int shapes[2] = { findPart(run.model, isFirst ? b : a), findPart(run.model, isFirst ? a : b) };
        Way ways[2] = { makeWay(&random, 0.0, 0.0), makeWay(&random, 0.0, 0.0) };
        ways[0].a = ways[1].a = crMakeVec3(0.0, 0.0, 0.0);
        ways[0].b = ways[1].b = 0.0;
        ways[1].p0 = crScale(0.3, crRandom_UnitVec3(&random));
        bringTogether(run.model, shapes, ways, gap);
        crVec3 n = measure(run.model, shapes, ways, 0.0).normal, both = crScale(3.0, crRandom_UnitVec3(&random));
        ways[0].v = both;
        ways[1].v = crMulAdd(both, -speed, n);
        crPath path = follow(run.model, shapes, ways, h);
        double floor = i % 2 == 0 ? 0.0 : 0.6 * gap, until = (gap - floor) / speed / h;
        double carried = crPath_FindCarried(&path, n, floor), turning = crPath_FindTurning(&path, n, n, floor);
        assert_true(carried <= until + 1e-9 && carried >= until - last - 1e-9);
        assert_true(turning <= until + 1e-9 && (turning >= until - last - 1e-9 || b == SHAPES));
      }
    }
  }
  crCloseTestRun(&run);
}

// Things that are round about an axis and turn about it stay as far from a plane as they are, however they lean.
static void what_spins_about_its_axis_is_told_at_one_go(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
  crRandom random = crMakeRandom(19);
  for (int i = 0; i < 40; ++i) {
    const int shapes[2] = { findPart(run.model, 2 + i % 2), findPart(run.model, SHAPES) }; // cylinder and cone
    crPose X_BS = run.model->contactShapes[shapes[0]].X_BS;
    Way ways[2] = { makeWay(&random, 0.0, 0.0), { .q0 = crIdentityQuat(), .axis = crMakeVec3(0.0, 0.0, 1.0) } };
    bringTogether(run.model, shapes, ways, 1e-9);
    crPath path = { .model = run.model, .shapes = { shapes[0], shapes[1] }, .h = 0.01 };
    crBodyPlace start = placeAt(&ways[0], 0.0);
    crPose X_WS = crMulPose(start.X, X_BS);
    crVec3 axis = X_WS.R.cz;
    if (fabs(axis.z) > 0.999) {
      continue; // it stands on a face
    }
    for (int k = 0; k < CR_PATH_PLACES; ++k) {
      double angle = 20.0 * path.h * k / (CR_PATH_PLACES - 1); // 11 degrees in all
      crMat3 turn = crQuatToMat3(crAxisAngleToQuat(axis, angle));
      crVec3 arm = crMulMV(turn, crSub(start.X.p, X_WS.p));
      path.places[k][0] = (crBodyPlace){ .X = { .R = crMulMM(turn, start.X.R), .p = crAdd(X_WS.p, arm) },
                                         .v = crScale(20.0, crCross(axis, arm)),
                                         .w = crScale(20.0, axis) };
      path.places[k][1] = placeAt(&ways[1], 0.0);
    }
    crVec3 down = crMakeVec3(0.0, 0.0, -1.0);
    assert_true(crPath_FindCarried(&path, down, 0.0) == 1.0);
    assert_true(crPath_FindCarried(&path, down, 0.9e-9) == 1.0);
    assert_true(crPath_FindCarried(&path, down, 1.1e-9) == 0.0);
    double here = measure(run.model, shapes, ways, 0.0).distance;
    assert_true(crPath_FindCarried(&path, down, here - 1e-17) < 1.0); // less than the roundings of lengths
  }
  crCloseTestRun(&run);
}

// Two edges that cross: no plane that one of the bodies carries stays between them.
static void a_plane_between_two_edges_turns_with_both(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
  const int shapes[2] = { findPart(run.model, 1), findShape(run.model, "plate") };
  crRandom random = crMakeRandom(5);
  int crossings = 0, better = 0;
  for (int i = 0; i < 400; ++i) {
    Way ways[2] = { makeWay(&random, 0.0, 3.0), makeWay(&random, 0.0, 3.0) };
    ways[1].p0 = crScale(0.3, crRandom_UnitVec3(&random));
    ways[0].a = ways[1].a = crMakeVec3(0.0, 0.0, 0.0);
    const double gap = 1e-6, h = 1e-4;
    bringTogether(run.model, shapes, ways, gap);
    crDistance start = measure(run.model, shapes, ways, 0.0), end = measure(run.model, shapes, ways, h);
    crVec3 v = crSub(crCross(placeAt(&ways[1], 0.0).w, crSub(start.pointB, ways[1].p0)),
                     crCross(placeAt(&ways[0], 0.0).w, crSub(start.pointA, ways[0].p0)));
    ways[1].v = crScale(-crDot(v, start.normal), start.normal); // so that they neither come nearer nor go
    end = measure(run.model, shapes, ways, h);
    double turn = crLength(crSub(end.normal, start.normal));
    crPath path = follow(run.model, shapes, ways, h);
    double carried = crPath_FindCarried(&path, start.normal, 0.0);
    if (turn > 1e-6 && carried < 1.0 && end.distance > 0.5 * gap) { // else a face is there
      ++crossings;
      better += crPath_FindTurning(&path, start.normal, end.normal, 0.0) == 1.0;
    }
  }
  assert_true(crossings > 20);
  assert_true(better >= crossings * 9 / 10);
  crCloseTestRun(&run);
}

// Nothing is known of half-spaces that turn, and of planes that turn by more than they should.
static void planes_that_tell_nothing_say_so(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverAuto);
  const int shapes[2] = { findPart(run.model, 1), findPart(run.model, SHAPES) };
  crRandom random = crMakeRandom(3);
  Way ways[2] = { makeWay(&random, 0.0, 0.1), makeWay(&random, 0.0, 0.0) };
  ways[1] = (Way){ .q0 = crIdentityQuat(), .axis = crMakeVec3(0.0, 0.0, 1.0) };
  ways[0].p0 = crMakeVec3(0.0, 0.0, 1.0);
  crPath path = follow(run.model, shapes, ways, 1e-3);
  crVec3 down = crMakeVec3(0.0, 0.0, -1.0);
  assert_true(crPath_FindCarried(&path, down, 0.0) == 1.0);
  assert_true(crPath_FindTurning(&path, down, down, 0.0) == 0.0);
  path.shapes[1] = findPart(run.model, 2);
  assert_true(crPath_FindTurning(&path, down, crNeg(down), 0.0) == 0.0);
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_planes_say_is_free_is_free),
    cmocka_unit_test(what_glides_is_told_at_one_go),
    cmocka_unit_test(straight_ways_are_free_until_they_are_not),
    cmocka_unit_test(what_spins_about_its_axis_is_told_at_one_go),
    cmocka_unit_test(a_plane_between_two_edges_turns_with_both),
    cmocka_unit_test(planes_that_tell_nothing_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
