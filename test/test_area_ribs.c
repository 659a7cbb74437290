// Edges and rims of cores: what they add to a patch is the integral along them, of whatever they come over, and places
// that count move as they should where edges come into the other core.
#include "collide/area/core_breaks.h"
#include "collide/area/polytope.h"
#include "support/patches.h"
#include "support/shapes.h"

static const crShape* makeHull(int count, double rounding, crRandom* random)
{
  crVec3 points[64];
  assert_true(count <= 64);
  for (int i = 0; i < count; ++i) {
    points[i] = crScale(0.1, crRandom_UnitVec3(random));
  }
  crShapeDef def = crMakeHull(points, count);
  def.rounding = rounding;
  return crKeepTestShape(def);
}

static const crShape* makeRounded(crShapeDef def, double rounding)
{
  def.rounding = rounding;
  return crKeepTestShape(def);
}

// ------------------------------------------------------------------------------------------- brute force

// I_2 and I_3.
typedef struct Integrals {
  double i2, i3;
} Integrals;

// Of the points of the first shape that have spots: its ribs, rims and knobs.
static Integrals sumSpots(const crPatch* patch)
{
  Integrals sums = { 0.0, 0.0 };
  assert_false(patch->isSpilled || patch->isBroken);
  for (int run = 0; run < patch->runCount; ++run) {
    for (int i = patch->runs[run]; i < patch->runs[run + 1] && patch->haveSpots[run] && !patch->areSecond[run]; ++i) {
      sums.i2 += patch->w[i] * patch->d[i] * patch->d[i];
      sums.i3 += patch->w[i] * patch->d[i] * patch->d[i] * patch->d[i];
    }
  }
  return sums;
}

// A piece of length ds of a rib of radius r about c, in axes of the other shape, which has no sweep.
static void addBall(Integrals* sums, const crShape* other, crVec3 c, double r, double ds)
{
  double g = r - crComputeCoreFoot(other, c).distance;
  if (g > 0.0) {
    double all = sqrt(2.0 * r * g) * g * g * ds;
    sums->i2 += 16.0 / 15.0 * all;
    sums->i3 += 32.0 / 35.0 * all * g;
  }
}

#define PIECES 20000

// Both rims of a cylinder, cone or beam, X: from its axes to those of the other.
static Integrals integrateRims(const crShape* shape, const crShape* other, const crPose* X)
{
  Integrals sums = { 0.0, 0.0 };
  crMeridian m = crMakeMeridian(shape);
  double half = shape->kind == cr_shapeBeam ? shape->core.half.x : 0.0, r = shape->sweep;
  for (int end = 0; end < 2; ++end) {
    double z = end == 0 ? m.zMin : m.zMax, radius = end == 0 ? m.radius : m.topRadius;
    for (int i = 0; i < PIECES; ++i) {
      double angle = 2.0 * M_PI * (i + 0.5) / PIECES, x = radius * cos(angle), along = 2.0 * (i + 0.5) / PIECES - 1.0;
      crVec3 c = crMakeVec3(x + copysign(half, x), radius * sin(angle), z);
      addBall(&sums, other, crTransformPoint(*X, c), r, 2.0 * M_PI * radius / PIECES);
      for (int side = -1; side <= 1 && half > 0.0; side += 2) {
        c = crMakeVec3(half * along, side * radius, z);
        addBall(&sums, other, crTransformPoint(*X, c), r, 2.0 * half / PIECES);
      }
    }
  }
  return sums;
}

static double compareRims(const crPressed* pair)
{
  static crPatch patch;
  crPose X_WA = crPlaceCanonical(pair->a, &pair->X_WA), X_WB = crPlaceCanonical(pair->b, &pair->X_WB);
  crComputePatch(pair->a, &X_WA, pair->b, &X_WB, &patch);
  crPose X = { crMulTM(X_WB.R, X_WA.R), crMulTV(X_WB.R, crSub(X_WA.p, X_WB.p)) };
  Integrals is = sumSpots(&patch), truth = integrateRims(pair->a, pair->b, &X);
  double scale2 = fmax(truth.i2, 1e-20), scale3 = fmax(truth.i3, 1e-24);
  return fmax(fabs(is.i2 - truth.i2) / scale2, fabs(is.i3 - truth.i3) / scale3);
}

// Rims were looked at 64 times: what is above another feature for less than a 64th of them was not seen, so that I_2
// jumped by 1e-4 where it came to one of these places.
static void rims_are_integrated_over_all_they_pass(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  const crShape* rounded[] = { makeRounded(crMakeCylinder(0.05, 0.2, 0.0), 0.01),
                               makeRounded(crMakeCone(0.08, 0.03, 0.1), 0.004),
                               makeRounded(crMakeBeam(0.2, 0.06, 0.04), 0.005) };
  const crShape* others[] = { crKeepTestShape(crMakeBox(0.2, 0.1, 0.15)),
                              crKeepTestShape(crMakeBox(0.3, 0.2, 0.004)),
                              makeHull(8, 0.0, &random),
                              makeHull(40, 0.0, &random),
                              crKeepTestShape(crMakeCylinder(0.05, 0.2, 0.0)),
                              crKeepTestShape(crMakeCylinder(0.08, 0.004, 0.0)),
                              crKeepTestShape(crMakeCone(0.08, 0.0, 0.2)),
                              crKeepTestShape(crMakeCone(0.08, 0.03, 0.1)),
                              crKeepTestShape(crMakeBeam(0.2, 0.06, 0.04)) };
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 9; ++k) {
      for (int n = 0; n < 12; ++n) {
        double depth = n % 3 == 0 ? 1e-4 : n % 3 == 1 ? 2e-3 : 0.013;
        crPressed pair = crPressAtRandom(rounded[i], others[k], depth, &random);
        assert_true(compareRims(&pair) < 1e-5);
      }
    }
  }
}

// Nothing is looked for there: from standing on one point of the rim to lying flat, where all of it is inside.
static void rims_on_the_ground_are_integrated_from_end_to_end(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  const crShape* rounded[] = { makeRounded(crMakeCylinder(0.05, 0.2, 0.0), 0.01),
                               makeRounded(crMakeCylinder(0.05, 0.02, 0.0), 0.002),
                               makeRounded(crMakeCone(0.08, 0.03, 0.1), 0.004),
                               makeRounded(crMakeBeam(0.2, 0.06, 0.04), 0.005) };
  const crShape* ground = crKeepTestShape(crDefaultShapeDef(cr_shapeHalfSpace));
  for (int i = 0; i < 4; ++i) {
    for (int n = 0; n < 60; ++n) {
      crPressed pair = crPressAtRandom(rounded[i], ground, 1e-3, &random);
      double tilt = n % 4 == 0 ? 0.0 : n % 4 == 1 ? 1e-3 : n % 4 == 2 ? 0.03 : 1.0, depth = n % 3 == 0 ? 1e-4 : 1.8e-3;
      crVec3 about = crRandom_UnitVec3(&random);
      about.z = 0.0;
      pair.X_WB = crIdentityPose();
      pair.X_WA.R = crQuatToMat3(crAxisAngleToQuat(crNormalize(about), tilt));
      pair.X_WA.p.z = 0.3;
      crPressTogether(&pair, depth);
      assert_true(compareRims(&pair) < 1e-6);
    }
  }
}

// An edge that lies on a cap, and reaches over it on both sides: its slope is next to nothing in between, and false
// position needed more rounds for its deepest place than there were. All of the edge was left out then.
static void edges_that_lie_on_caps_are_found(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  crVec3 x = crMakeVec3(1.0, 0.0, 0.0), y = crMakeVec3(0.0, 1.0, 0.0);
  const crShape *beam = makeRounded(crMakeBeam(0.29, 0.14, 0.13), 0.0088),
                *frustum = crKeepTestShape(crMakeCone(0.098, 0.071, 0.081));
  for (int i = 0; i < 200; ++i) {
    crPressed pair = { beam, frustum, crIdentityPose(), crIdentityPose() };
    double tilt = crRandom_LogUniform(&random, 1e-8, 1e-4);
    crMat3 R = crQuatToMat3(crAxisAngleToQuat(x, crRandom_Uniform(&random, 0.3, 1.3)));
    pair.X_WA.R = crMulMM(crQuatToMat3(crAxisAngleToQuat(y, tilt)), R);
    pair.X_WB.R = crQuatToMat3(crAxisAngleToQuat(x, M_PI));
    pair.X_WB.p = crMakeVec3(crRandom_Uniform(&random, -0.05, 0.05), crRandom_Uniform(&random, -0.05, 0.05), -0.2);
    crPressTogether(&pair, 3e-6);
    assert_true(compareRims(&pair) < 1e-5);
  }
}

// A capsule across a sharp edge is an edge above an edge. From where that comes within reach to the nearest place, up
// to twice as far as this is away, nine points were off by 1e-6: a rounded hull on the edge of a box changed its energy
// by 4e-7, in thousands of steps that were refused.
static void edges_across_edges_are_integrated_to_1e_7(void** state)
{
  (void)state;
  static crPatch patch;
  crVec3 points[] = { { 0.0, -0.1, 0.0 },    { 0.0, 0.1, 0.0 },   { 0.02, -0.1, -0.1 },
                      { -0.02, -0.1, -0.1 }, { 0.02, 0.1, -0.1 }, { -0.02, 0.1, -0.1 } };
  const crShape *wedge = crKeepTestShape(crMakeHull(points, 6)), *capsule = crKeepTestShape(crMakeCapsule(0.01, 0.1));
  for (int i = 0; i < 40; ++i) {
    double distance = 0.01 * (0.4 + 0.015 * i), turn = 0.01 * i;
    crPose X_WA = { { { 0.0, 0.0, -1.0 }, { 0.0, 1.0, 0.0 }, { 1.0, 0.0, 0.0 } }, { 0.0, 0.0, distance } };
    X_WA.R = crMulMM(crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 0.0, 1.0), turn)), X_WA.R);
    crPose X_WB = crIdentityPose();
    crComputePatch(capsule, &X_WA, wedge, &X_WB, &patch);
    Integrals is = sumSpots(&patch), truth = { 0.0, 0.0 };
    for (int k = 0; k < PIECES; ++k) {
      double along = 0.1 * ((k + 0.5) / PIECES - 0.5);
      addBall(&truth, wedge, crTransformPoint(X_WA, crMakeVec3(0.0, 0.0, along)), 0.01, 0.1 / PIECES);
    }
    assert_true(fabs(is.i2 / truth.i2 - 1.0) < 1e-7 && fabs(is.i3 / truth.i3 - 1.0) < 1e-7);
  }
}

// ------------------------------------------------------------------------------------------------- depths

// Where an edge comes into the other core its foot, which counts for the extent of the patch, stays behind no more.
// That was no break of the integral along the edge: cores 2 cm inside each other gained 3e-4 of their energy.
static void places_that_count_move_as_edges_come_into_a_core(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  const crShape* shapes[] = { makeRounded(crMakeBox(0.24, 0.24, 0.24), 0.006),
                              makeRounded(crMakeBox(0.2, 0.1, 0.15), 0.004), makeHull(8, 0.005, &random) };
  for (int i = 0; i < 60; ++i) {
    crPressed pair = crPressAtRandom(shapes[i % 2], shapes[i % 3], 0.02, &random);
    assert_true(crCheckGradient(&pair, 0.02, 0.1, 1e-6) < 1e-5);
  }
}

static crAreaPlane makePlane(crVec3 normal, double offset)
{
  return (crAreaPlane){ normal, offset, false };
}

// Feet along lines and arcs, over all features and through the core: what was held of the last point is that of a look
// at all faces.
static void feet_of_series_are_those_of_their_points(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  const crShape* shapes[] = { makeHull(8, 0.0, &random), makeHull(40, 0.0, &random),
                              crKeepTestShape(crMakeBox(0.1, 0.2, 0.05)) };
  for (int i = 0; i < 600; ++i) {
    const crShape* shape = shapes[i % 3];
    crFootHold hold = { .hull = NULL };
    crVec3 centre = crScale(crRandom_Uniform(&random, 0.0, 0.2), crRandom_UnitVec3(&random));
    crVec3 e = crScale(crRandom_LogUniform(&random, 1e-4, 0.2), crRandom_UnitVec3(&random)),
           f = crScale(i % 2 == 0 ? 0.0 : 0.1, crRandom_UnitVec3(&random));
    for (int k = 0; k < 200; ++k) {
      double angle = 0.01 * M_PI * k;
      crVec3 x = crAdd(centre, crAdd(crScale(cos(angle), e), crScale(sin(angle), f)));
      crCoreFoot is = crComputeNextFoot(shape, x, &hold), should = crComputeCoreFoot(shape, x);
      assert_true(fabs(is.distance - should.distance) < 1e-15);
      if (is.feature == should.feature) { // but where two are as near
        assert_true(crMaxAbs(crSub(is.outward, should.outward)) < 1e-15 * 0.2 / fabs(is.distance));
        assert_int_equal(is.extent, should.extent);
        assert_true(is.extent != 1 || crMaxAbs(crCross(is.along, should.along)) < 1e-15);
        assert_true(is.curving == should.curving || fabs(is.curving - should.curving) < 1e-15);
      } else {
        assert_true(crMaxAbs(crSub(is.outward, should.outward)) < 1e-12);
      }
    }
  }
}

// Eight points at once, of features that differ, inside and outside; of boxes and hulls only some are.
static void eight_feet_are_those_of_their_points(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(9);
  const crShape* shapes[] = { crKeepTestShape(crMakeCylinder(0.05, 0.2, 0.0)),
                              crKeepTestShape(crMakeCone(0.1, 0.0, 0.15)),
                              crKeepTestShape(crMakeCone(0.03, 0.1, 0.1)),
                              crKeepTestShape(crMakeCone(0.1, 0.06, 0.1)),
                              crKeepTestShape(crMakeBeam(0.1, 0.06, 0.08)),
                              crKeepTestShape(crMakeBox(0.1, 0.2, 0.05)),
                              makeHull(12, 0.0, &random) };
  int done[7] = { 0 };
  for (int i = 0; i < 70000; ++i) {
    const crShape* shape = shapes[i % 7];
    crVec3 near = crScale(crRandom_Uniform(&random, 0.0, 0.2), crRandom_UnitVec3(&random));
    double wide = crRandom_LogUniform(&random, 1e-4, 0.2);
    crVec3 places[CR_WIDE_LANES];
    crWide x[3];
    crFootHold hold = { .hull = NULL };
    for (int k = 0; k < CR_WIDE_LANES; ++k) {
      places[k] = crMulAdd(near, wide, crRandom_UnitVec3(&random));
      x[0][k] = places[k].x;
      x[1][k] = places[k].y;
      x[2][k] = places[k].z;
      crComputeNextFoot(shape, places[k], &hold);
    }
    crEightFeet feet;
    if (!crComputeEightFeet(shape, x, &hold, &feet)) {
      assert_true(i % 7 > 4);
      continue;
    }
    ++done[i % 7];
    for (int k = 0; k < CR_WIDE_LANES; ++k) {
      crCoreFoot should = crComputeCoreFoot(shape, places[k]);
      crVec3 outward = crMakeVec3(feet.outward[0][k], feet.outward[1][k], feet.outward[2][k]);
      assert_true(fabs(feet.distance[k] - should.distance) < 1e-15);
      assert_true(crMaxAbs(crSub(outward, should.outward)) < 1e-15 * 0.2 / fabs(should.distance));
    }
  }
  for (int i = 0; i < 7; ++i) {
    assert_true(done[i] > (i > 4 ? 300 : 9999));
  }
}

// Faces of a hull in one plane, whose normals differ by rounding errors: a part that both are nearest to belonged to
// both, or to none, and U jumped from one pose to the next.
static void faces_in_one_plane_share_what_is_below_them(void** state)
{
  (void)state;
  static crPatch patch;
  crRandom random = crMakeRandom(4);
  crPolytope box;
  crMakeBoxPolytope(crMakeVec3(0.1, 0.08, 0.05), &box);
  for (int i = 0; i < 2000; ++i) {
    crAreaPlane planes[5] = { makePlane(crMakeVec3(0.0, 0.0, 1.0), 0.06) };
    crVec3 normals[5] = { planes[0].normal }, n = crRandom_UnitVec3(&random);
    for (int k = 1; k < 5; ++k) { // the last three are one
      crVec3 noise = crScale(k > 2 ? crRandom_LogUniform(&random, 1e-17, 1e-13) : 0.0, crRandom_UnitVec3(&random));
      n = k == 2 ? crRandom_UnitVec3(&random) : n;
      normals[k] = crAdd(n, noise);
      planes[k] = makePlane(normals[k], 0.2);
    }
    crPose X = crIdentityPose();
    crPatch_Begin(&patch);
    crAddFaces(&box, 5, planes, normals, &X, &patch);
    crPatch_End(&patch);
    assert_close(patch.sums[0].area, 8.0 * (0.1 * 0.08 + 0.1 * 0.05 + 0.08 * 0.05), 1e-12);
  }
}

// Points of rounding errors may come first, and be anywhere: they do not tell whether a patch is in both shapes. A
// cylinder that lay on a box touched it, or not, from one pose to the next.
static void points_of_rounding_errors_do_not_tell_where_a_patch_is(void** state)
{
  (void)state;
  static crPatch patch;
  crVec3 n = crMakeVec3(0.0, 0.0, 1.0);
  for (int k = 0; k < 2; ++k) { // also where others are deeper
    crPatch_Begin(&patch);
    patch.depth = k == 0 ? 0.0 : 1e-3;
    crPatchMark mark = crPatch_Mark(&patch);
    for (int i = 0; i < 40; ++i) {
      bool isNoise = i < 20;
      crPatch_AddPoint(&patch, isNoise ? 1e-18 : 1e-5, isNoise ? 1e-18 * i : 1e-5, crMakeVec3(i, 0.0, 0.0), n);
      crPatch_SeeDepth(&patch, patch.d[i], crPatch_GetPoint(&patch, i), n);
    }
    assert_int_equal(crPatch_FindSince(&patch, &mark), 20);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(rims_are_integrated_over_all_they_pass, crDestroyKeptShapes),
    cmocka_unit_test_teardown(rims_on_the_ground_are_integrated_from_end_to_end, crDestroyKeptShapes),
    cmocka_unit_test_teardown(edges_that_lie_on_caps_are_found, crDestroyKeptShapes),
    cmocka_unit_test_teardown(edges_across_edges_are_integrated_to_1e_7, crDestroyKeptShapes),
    cmocka_unit_test_teardown(places_that_count_move_as_edges_come_into_a_core, crDestroyKeptShapes),
    cmocka_unit_test_teardown(feet_of_series_are_those_of_their_points, crDestroyKeptShapes),
    cmocka_unit_test_teardown(eight_feet_are_those_of_their_points, crDestroyKeptShapes),
    cmocka_unit_test(faces_in_one_plane_share_what_is_below_them),
    cmocka_unit_test(points_of_rounding_errors_do_not_tell_where_a_patch_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
