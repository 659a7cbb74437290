// Hertz' ellipses: the numbers against another formulation, curvatures of shapes, and what models do with them.
#include "collide/touch/touch.h"
#include "contact/contact_law.h"
#include "contact/hertz.h"
#include "support/lua.h"
#include "support/shapes.h"
#include "support/test.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------- ellipses

// From mpmath with 40 digits: A / B = (K - E) / (E a^2 / b^2 - K) solved for b / a, with its ellipk and ellipe.
static void ellipses_are_those_of_forty_digits(void** state)
{
  (void)state;
  static const struct {
    double A, B, stiffness, major, minor;
  } rows[] = {
    { 0.5, 0.5, 1.333333333333333333, 1.0, 1.0 },
    { 9.999999, 10, 0.2981424044535324125, 0.05000000583333395833, 0.049999999166666625 },
    { 1, 1.0009, 0.9425970446835126224, 0.5000749662685511169, 0.4994755057762502579 },
    { 1, 2, 0.8007274755505840949, 0.5570093880218261866, 0.2214953059890869067 },
    { 1, 4, 0.6932026863524771635, 0.6098905339861280851, 0.09752736650346797873 },
    { 0.3, 7, 0.9422370257970148483, 2.377079826939405828, 0.04098229313116832164 },
    { 1, 100, 0.4278512868838696881, 0.7678579430839466955, 0.002321420569160533045 },
    { 0.001, 50, 7.974512940038418649, 870.9862872870533071, 0.002580274254258933858 },
    { 1e-9, 3, 4699.851043884706869, 926267799.2706888114, 0.02457740024310372952 },
  };
  for (int i = 0; i < (int)(sizeof rows / sizeof *rows); ++i) {
    crHertz hertz = crComputeHertz(rows[i].A, rows[i].B);
    assert_close(hertz.stiffness / rows[i].stiffness, 1.0, 3e-14);
    assert_close(hertz.majorSquare / rows[i].major, 1.0, 3e-14);
    assert_close(hertz.minorSquare / rows[i].minor, 1.0, 3e-14);
  }
}

// What the pressure of the ellipse does to the surface of a half-space, integrated by the test: [Johnson85] eq. 3.69
// has u(x, y) = p0 / (2 E*) a b integral of (1 - x^2 / (a^2 + w) - y^2 / (b^2 + w)) / sqrt((a^2 + w) (b^2 + w) w) dw,
// which has to be delta - A x^2 - B y^2. With w = b^2 t^2 / (1 - t)^2 the integrand is smooth.
static double integrate(double a2, double b2, int power)
{
  static const double x[5] = { 0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
                               0.9739065285171717 };
  static const double weight[5] = { 0.2955242247147529, 0.2692667193099964, 0.2190863625159820, 0.1494513491505806,
                                    0.0666713443086881 };
  int panels = 200;
  double sum = 0.0, h = 0.5 / panels;
  for (int i = 0; i < panels; ++i) {
    for (int k = 0; k < 10; ++k) {
      double t = h * (2.0 * i + 1.0 + (k < 5 ? x[k] : -x[k - 5])), rest = 1.0 - t, w = b2 * t * t / (rest * rest);
      double perT = 2.0 * sqrt(b2) / (rest * rest); // dw / sqrt(w) / dt
      double f = perT / sqrt((a2 + w) * (b2 + w));
      sum += h * weight[k % 5] * f / (power == 1 ? a2 + w : power == 2 ? b2 + w : 1.0);
    }
  }
  return sum;
}

static void pressure_of_the_ellipse_presses_the_gap_shut(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(91);
  for (int i = 0; i < 200; ++i) {
    double B = crRandom_LogUniform(&random, 0.05, 20.0), A = B * crRandom_LogUniform(&random, 1e-3, 1.0);
    double depth = 1e-3 / B;
    crHertz hertz = crComputeHertz(A, B);
    double a2 = hertz.majorSquare * depth, b2 = hertz.minorSquare * depth;
    double force = hertz.stiffness * depth * sqrt(depth); // E* is 1
    double scale = 0.5 * crComputeHertzPressure(&hertz, force, depth) * sqrt(a2 * b2);
    assert_close(scale * integrate(a2, b2, 0) / depth, 1.0, 1e-9);
    assert_close(scale * integrate(a2, b2, 1) / A, 1.0, 1e-9);
    assert_close(scale * integrate(a2, b2, 2) / B, 1.0, 1e-9);
  }
}

static void slopes_are_those_of_differences(void** state)
{
  (void)state;
  for (double ratio = 1e-6; ratio < 0.99; ratio *= 1.9) {
    double B = 30.0, A = ratio * B, h = 1e-5;
    crHertz hertz = crComputeHertz(A, B);
    double perA =
        (crComputeHertz(A * (1.0 + h), B).stiffness - crComputeHertz(A * (1.0 - h), B).stiffness) / (2.0 * h * A);
    double perB =
        (crComputeHertz(A, B * (1.0 + h)).stiffness - crComputeHertz(A, B * (1.0 - h)).stiffness) / (2.0 * h * B);
    assert_close(hertz.perA / perA, 1.0, 1e-7);
    assert_close(hertz.perB / perB, 1.0, 1e-7);
  }
}

// Stiffness falls with each curvature, and has no jump where the series of circles begins or elsewhere.
static void stiffness_is_continuous(void** state)
{
  (void)state;
  double before = crComputeHertz(0.1, 10.0).stiffness, A = 0.1, factor = 1.0001;
  while (A * factor <= 10.0) {
    crHertz hertz = crComputeHertz(A, 10.0), next = crComputeHertz(A * factor, 10.0);
    assert_close(next.stiffness - hertz.stiffness, hertz.perA * A * (factor - 1.0), 1e-8 * hertz.stiffness);
    assert_true(next.stiffness < before);
    before = next.stiffness;
    A *= factor;
  }
}

// ------------------------------------------------------------------------------------------- curvatures

// d . tensor . d of a surface along a unit direction across its normal.
static double bendAlong(const crCurvature* c, crVec3 direction)
{
  double cosine = crDot(direction, c->direction1);
  return c->k2 + (c->k1 - c->k2) * cosine * cosine;
}

// By looking all around.
static void relative_curvatures_are_extremes_of_the_sum(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  for (int i = 0; i < 300; ++i) {
    crVec3 n = crRandom_UnitVec3(&random), other = crRandom_UnitVec3(&random), x = crNormalize(crCross(n, other));
    crVec3 y = crCross(n, x);
    double angle = crRandom_Uniform(&random, -4.0, 4.0), low = HUGE_VAL, high = -HUGE_VAL, A, B;
    crCurvature a = { .k1 = 5.0, .k2 = crRandom_Uniform(&random, -3.0, 5.0), .direction1 = x, .isKnown = true };
    crCurvature b = { .k1 = crRandom_Uniform(&random, 0.0, 9.0), .k2 = -2.0, .isKnown = true };
    b.direction1 = crMulAdd(crScale(cos(angle), x), sin(angle), y);
    for (int k = 0; k < 2000; ++k) {
      crVec3 d = crMulAdd(crScale(cos(k * CR_PI / 2000), x), sin(k * CR_PI / 2000), y);
      double sum = 0.5 * (bendAlong(&a, d) + bendAlong(&b, d));
      low = fmin(low, sum);
      high = fmax(high, sum);
    }
    crRelateCurvatures(&a, &b, n, &A, &B);
    assert_close(A, low, 1e-4);
    assert_close(B, high, 1e-4);
  }
}

// Along and across, of a shape at the point where its outward normal is d; both in its frame.
static void assertBends(crShapeDef def, crVec3 point, crVec3 d, crVec3 direction, double along, double across)
{
  crRandom random = crMakeRandom(3);
  crPose X_WF = crMakePose(crMakeVec3(0.3, -2.0, 0.1), crRandom_Rotation(&random));
  const crShape* shape = crKeepTestShape(def);
  crCurvature c = crFindCurvature(shape, &X_WF, crAdd(X_WF.p, crMulMV(X_WF.R, point)), crMulMV(X_WF.R, crNormalize(d)));
  crVec3 t = crMulMV(X_WF.R, direction), outward = crMulMV(X_WF.R, crNormalize(d));
  double scale = 1.0 + fabs(along) + fabs(across);
  assert_true(c.isKnown && c.k1 >= c.k2);
  assert_close(bendAlong(&c, t), along, 1e-12 * scale);
  assert_close(bendAlong(&c, crCross(outward, t)), across, 1e-12 * scale);
}

static void curvatures_of_shapes_are_known(void** state)
{
  (void)state;
  crVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 };
  crShapeDef cylinder = crMakeCylinder(0.2, 1.0, 0.0), capsule = crMakeCapsule(0.2, 1.0);
  assertBends(crMakeSphere(0.25), crScale(0.25, x), x, y, 4.0, 4.0);
  assertBends(cylinder, crMakeVec3(0.2, 0.0, 0.3), x, y, 5.0, 0.0);
  assertBends(cylinder, crMakeVec3(0.1, 0.0, 0.5), z, y, 0.0, 0.0);
  assertBends(cylinder, crMakeVec3(0.2, 0.0, 0.5), crMakeVec3(1, 0, 1), y, 1.0 / (0.2 * sqrt(2.0) + 1e-3), 1e3);
  assertBends(capsule, crMakeVec3(0.2, 0.0, 0.2), x, z, 0.0, 5.0);
  assertBends(capsule, crMakeVec3(0.0, 0.0, 0.7), z, x, 5.0, 5.0);
  crShapeDef cone = crMakeCone(0.4, 0.1, 0.4);
  crVec3 out = { 0.8, 0.0, 0.6 }; // the side falls by 0.3 over 0.4: its normal is 4 : 3
  assertBends(cone, crMakeVec3(0.25, 0.0, 0.0), out, y, 0.8 / 0.25, 0.0);
  // ellipsoid a, b, c at the end of a: a / b^2 and a / c^2
  assertBends(crMakeEllipsoid(0.3, 0.2, 0.1), crMakeVec3(0.3, 0, 0), x, y, 0.3 / 0.04, 0.3 / 0.01);
  assertBends(crMakeBox(1, 1, 1), crMakeVec3(0.5, 0.1, 0), x, y, 0.0, 0.0);
  assertBends(crMakeBox(1, 1, 1), crMakeVec3(0.5, 0.5, 0), crMakeVec3(1, 1, 0), z, 0.0, 1e3);
  assertBends(crMakeBox(1, 1, 1), crMakeVec3(0.5, 0.5, 0.5), crMakeVec3(1, 1, 1), crNormalize(crMakeVec3(1, -1, 0)),
              1e3, 1e3);
  assertBends(crMakeBeam(1.0, 0.4, 0.2), crMakeVec3(0.5, 0, 0), x, y, 5.0, 0.0);
}

// Two equal cylinders that cross at a right angle are a sphere on a plane.
static void crossed_cylinders_are_a_sphere_on_a_plane(void** state)
{
  (void)state;
  crShapeDef def = crMakeCylinder(0.02, 0.3, 0.0);
  def.axis = crMakeVec3(1, 0, 0);
  const crShape* a = crKeepTestShape(def);
  def.axis = crMakeVec3(0, 1, 0);
  const crShape* b = crKeepTestShape(def);
  crPose X_WA = crIdentityPose(), X_WB = crIdentityPose();
  X_WB.p.z = 0.04 - 1e-6;
  crTouch touch;
  crComputeTouch(a, &X_WA, b, &X_WB, NULL, &touch);
  assert_close(touch.distance, -1e-6, 1e-15);
  crTouchGeometry geometry = crComputeTouchGeometry(a, &X_WA, b, &X_WB, &touch);
  assert_true(geometry.least == 0.0 && geometry.most == 0.0); // only where asked for
  crFindRelativeCurvature(a, &X_WA, NAN, b, &X_WB, NAN, &touch, &geometry);
  assert_close(geometry.least, 25.0, 1e-10);
  assert_close(geometry.most, 25.0, 1e-10);
  crContactLaw law = { .cor = 1.0, .geometry = cr_geometryHertz, .elasticity = 1e11, .vMin = 0.01 };
  crContactMemory memory = crFreezeContact(&law, false, &geometry, 1.0);
  assert_close(memory.radius, 0.02, 1e-13);
  assert_close(memory.stiffness / (4.0 / 3.0 * 1e11 * sqrt(0.02)), 1.0, 1e-12);
}

// A straight line on a straight line has no ellipse, two flats have nothing: stiffness is finite, and without a jump.
static void lines_and_flats_have_a_stiffness(void** state)
{
  (void)state;
  crContactLaw law = { .cor = 1.0, .geometry = cr_geometryHertz, .elasticity = 1e11, .vMin = 0.01 };
  crTouchGeometry line = { .radiusA = 0.05,
                           .radiusB = HUGE_VAL,
                           .isRoundA = true,
                           .halfSizeA = 0.05,
                           .halfSizeB = HUGE_VAL,
                           .least = 0.0,
                           .most = 10.0 };
  double stiffness = crFreezeContact(&law, false, &line, 1.0).stiffness;
  assert_close(stiffness / (1e11 * crComputeHertz(0.01, 10.0).stiffness), 1.0, 1e-14);
  line.least = 0.01 * (1.0 + 1e-9);
  assert_close(crFreezeContact(&law, false, &line, 1.0).stiffness / stiffness, 1.0, 1e-8);
  line.least = line.most = 0.0;
  assert_close(crFreezeContact(&law, false, &line, 1.0).stiffness / (4.0 / 3.0 * 1e11 * sqrt(0.05)), 1.0, 1e-14);
}

// ------------------------------------------------------------------------------------------------ models

// Where a body rests: its depth, pressure and area are those of the ellipse.
static void assertRests(const char* text, const char* name, double height, double A, double B, double weight)
{
  char model[1600];
  snprintf(model, sizeof model,
           "scene{ geometry = 'hertz', touch = 'point' }\n"
           "solidMaterial('M', { density = 1000, E = 1e9, nu = 0.3 })\n"
           "contactPair('M', 'M', { cor = 0.5, muK = 0, muR = 0 })\n%s",
           text);
  crTestRun run = crOpenTestText(model, 1.0, 1e-10, cr_solverDefault);
  double modulus = 0.5e9 / 0.91;
  crHertz hertz = crComputeHertz(A, B);
  double depth = pow(weight / (modulus * hertz.stiffness), 2.0 / 3.0);
  crTestRun_Advance(&run, 0.5);
  assert_close((height - crTestRun_Pose(&run, name).p.z) / depth, 1.0, 1e-6);
  crContactRecord record = crContacts_Get(crSimulation_GetSet(run.simulation).contacts, 0);
  double area = CR_PI * depth * sqrt(hertz.majorSquare * hertz.minorSquare);
  assert_close(record.depth / depth, 1.0, 1e-6);
  assert_close(record.area / area, 1.0, 1e-5);
  assert_close(record.meanPressure * area / weight, 1.0, 1e-5);
  assert_close(record.maxPressure / record.meanPressure, 1.5, 1e-14);
  crCloseTestRun(&run);
}

static void bodies_rest_on_their_ellipses(void** state)
{
  (void)state;
  // an ellipsoid with the semi-axes 0.3, 0.1, 0.05 on its belly: curvatures c / a^2 and c / b^2
  assertRests("world('w', { solid{ shape = halfSpace{}, contact = 'M' } })\n"
              "object('o', { parent = 'w', position = { 0, 0, 0.05 }, free = true, start = 'rest',\n"
              "  solid{ shape = ellipsoid{ radii = { 0.3, 0.1, 0.05 } }, mass = 2, contact = 'M' } })\n",
              "o", 0.05, 0.5 * 0.05 / 0.09, 0.5 * 0.05 / 0.01, 2.0 * 9.81);
  // a ball on a cylinder that lies
  assertRests(
      "world('w', { solid{ shape = cylinder{ radius = 0.2, length = 3, axis = { 1, 0, 0 } }, contact = 'M' } })\n"
      "object('o', { parent = 'w', position = { 0, 0, 0.3 }, free = true, start = 'rest',\n"
      "  solid{ shape = sphere{ radius = 0.1 }, mass = 2, contact = 'M' } })\n",
      "o", 0.3, 0.5 / 0.1, 0.5 / 0.1 + 0.5 / 0.2, 2.0 * 9.81);
}

// A ball between the radius law and this one: nothing differs where both are spheres or planes.
static void spheres_are_as_with_radii(void** state)
{
  (void)state;
  crContactLaw law = { .cor = 0.5, .geometry = cr_geometryHertz, .elasticity = 3e10, .vMin = 0.01, .wMin = 0.01 };
  crTouchGeometry g = { .radiusA = 0.03,
                        .radiusB = 0.06,
                        .isRoundA = true,
                        .isRoundB = true,
                        .halfSizeA = 0.03,
                        .halfSizeB = 0.06,
                        .least = 25.0,
                        .most = 25.0 };
  crContactMemory ellipse = crFreezeContact(&law, false, &g, 2.0);
  law.geometry = cr_geometryRadius;
  crContactMemory radius = crFreezeContact(&law, false, &g, 2.0);
  assert_close(ellipse.stiffness / radius.stiffness, 1.0, 1e-14);
  assert_close(ellipse.radius / radius.radius, 1.0, 1e-14);
  assert_close(ellipse.lever / radius.lever, 1.0, 1e-14);
  assert_true(ellipse.damping == radius.damping && ellipse.exponent == radius.exponent);
}

// A ball of 10 mm in a bowl and in a groove around an axis: curvatures with their signs.
static void concave_surfaces_bend_the_other_way(void** state)
{
  (void)state;
  // a groove of radius 12 mm around an axis at 50 mm from its bottom
  crProfilePoint points[] = { { .x = 0.050 + 0.012, .y = 0.012 }, { .x = 0.050 + 0.012, .y = -0.012, .arc = 0.012 } };
  crShapeDef def = crDefaultShapeDef(cr_shapeRevolved);
  def.as.revolved.profile = (crProfileDef){ .points = points, .pointCount = 2, .isOpen = true };
  const crShape* groove = crKeepTestShape(def);
  const crShape* ball = crKeepTestShape(crMakeSphere(0.010));
  crPose X_WA = crIdentityPose(), X_WB = crIdentityPose();
  X_WB.p.x = 0.060 - 1e-6;
  crTouch touch;
  crComputeTouch(groove, &X_WA, ball, &X_WB, NULL, &touch);
  assert_close(touch.distance, -1e-6, 1e-15);
  crTouchGeometry geometry = crComputeTouchGeometry(groove, &X_WA, ball, &X_WB, &touch);
  crFindRelativeCurvature(groove, &X_WA, NAN, ball, &X_WB, NAN, &touch, &geometry);
  assert_close(geometry.least, 0.5 / 0.010 - 0.5 / 0.012, 1e-9);
  assert_close(geometry.most, 0.5 / 0.010 + 0.5 / 0.050, 1e-9);
}

static void tight_grooves_are_warned_of(void** state)
{
  (void)state;
  for (int i = 0; i < 4; ++i) {
    char text[1024];
    double radius = i % 2 == 0 ? 0.0104 : 0.0110; // 0.96 and 0.91
    snprintf(text, sizeof text,
             "scene{ geometry = '%s' }\nworld('ring', { solid{ shape = revolved{ open = true, profile = {\n"
             "  { 0.06, %g }, { 0.06, %g, arc = %g } } }, contact = 'Steel' } })\n"
             "object('ball', { parent = 'ring', free = true, position = { 0.06, 0, 0 },\n"
             "  solid{ shape = sphere{ radius = 0.01 }, mass = 1, contact = 'Steel' } })\n",
             i < 2 ? "hertz" : "radius", radius, -radius, radius);
    crTestModel model = crTestModel_ReadGood(text);
    crModel* compiled = NULL;
    assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_ok);
    assert_int_equal(crTestModel_Says(&model, "'ball' fills its groove in 'ring' to 0.962 of the radius"), i == 0);
    crDestroyModel(compiled);
    crTestModel_Free(&model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ellipses_are_those_of_forty_digits),
    cmocka_unit_test(pressure_of_the_ellipse_presses_the_gap_shut),
    cmocka_unit_test(slopes_are_those_of_differences),
    cmocka_unit_test(stiffness_is_continuous),
    cmocka_unit_test(relative_curvatures_are_extremes_of_the_sum),
    cmocka_unit_test_teardown(curvatures_of_shapes_are_known, crDestroyKeptShapes),
    cmocka_unit_test_teardown(crossed_cylinders_are_a_sphere_on_a_plane, crDestroyKeptShapes),
    cmocka_unit_test(lines_and_flats_have_a_stiffness),
    cmocka_unit_test(bodies_rest_on_their_ellipses),
    cmocka_unit_test(spheres_are_as_with_radii),
    cmocka_unit_test_teardown(concave_surfaces_bend_the_other_way, crDestroyKeptShapes),
    cmocka_unit_test(tight_grooves_are_warned_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
