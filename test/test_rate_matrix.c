// The rate matrix of free bodies in contact, against differences of their rates.
#include "carom/collide.h"
#include "contact/linear_contact.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_STATES 52

#define FLOOR                                                                                                          \
  "contactPair('Steel', 'Steel', { cor = 0.6, muK = 0.3, muR = 0.02 })\n"                                              \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
#define BODY(name, place, shape, more)                                                                                 \
  "object('" name "', { parent = 'w', position = { " place " }, free = true, " more "\n"                               \
  "  solid{ shape = " shape ", material = 'Steel', contact = 'Steel' } })\n"

typedef struct Bench {
  crTestRun run;
  crTreeSet set;
  int n;
  double y[MAX_STATES];
  double matrix[MAX_STATES * MAX_STATES], differences[MAX_STATES * MAX_STATES]; // by columns
} Bench;

static Bench openAny(const char* text)
{
  Bench bench = { .run = crOpenTestRun(&(crTestPlan){ .text = text, .stop = 1.0 }) };
  bench.set = crSimulation_GetSet(bench.run.simulation);
  bench.n = crModel_CountStates(bench.run.model, bench.set);
  assert_true(bench.n <= MAX_STATES);
  crInstance_GetState(bench.run.instance, bench.set, bench.y);
  return bench;
}

static Bench openBench(const char* text)
{
  Bench bench = openAny(text);
  assert_true(crModel_HasRateMatrix(bench.run.model, bench.set));
  return bench;
}

static void computeMatrix(Bench* bench)
{
  int starts[MAX_STATES + 1], rows[MAX_STATES * MAX_STATES];
  double values[MAX_STATES * MAX_STATES];
  crModel_GetSparsity(bench->run.model, bench->set, starts, rows, NULL);
  memset(values, 0xff, sizeof values); // NaN
  memset(bench->matrix, 0, sizeof bench->matrix);
  assert_int_equal(crInstance_ComputeRateMatrix(bench->run.instance, bench->set, 0.0, bench->y, values), cr_ok);
  for (int c = 0; c < bench->n; ++c) {
    for (int i = starts[c]; i < starts[c + 1]; ++i) {
      bench->matrix[c * bench->n + rows[i]] = values[i];
    }
  }
}

// Richardson's extrapolation of central differences: contacts are stiff in positions, so these are moved by nanometres.
static void computeDifferences(Bench* bench)
{
  for (int c = 0; c < bench->n; ++c) {
    double h = c % 13 < 7 ? 1e-8 : 1e-5;
    double f[4][MAX_STATES], saved = bench->y[c];
    static const double places[4] = { -2.0, -1.0, 1.0, 2.0 };
    for (int k = 0; k < 4; ++k) {
      bench->y[c] = saved + places[k] * h;
      assert_int_equal(crInstance_ComputeRates(bench->run.instance, bench->set, 0.0, bench->y, f[k]), cr_ok);
    }
    bench->y[c] = saved;
    for (int r = 0; r < bench->n; ++r) {
      bench->differences[c * bench->n + r] = (8.0 * (f[2][r] - f[1][r]) - (f[3][r] - f[0][r])) / (12.0 * h);
    }
  }
}

// Against the largest entry of the same kind of row and column, since neglected terms are compared with stiff ones.
// negligible: [1/s^2], of rates by positions.
static void checkMatrix(Bench* bench, double tolerance, double negligible)
{
  int n = bench->n, blocks = 0;
  computeMatrix(bench);
  computeDifferences(bench);
  static const int kinds[13] = { 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3 };
  double largest[4][4] = { { 0.0 } };
  for (int i = 0; i < n * n; ++i) {
    double* size = &largest[kinds[i % n % 13]][kinds[i / n % 13]];
    *size = fmax(*size, fabs(bench->differences[i]));
  }
  for (int i = 0; i < n * n; ++i) {
    double size = largest[kinds[i % n % 13]][kinds[i / n % 13]];
    double noise = kinds[i / n % 13] < 2 ? 1e-3 + negligible : 1e-6; // round-off of the differences
    assert_close(bench->matrix[i], bench->differences[i], tolerance * size + noise);
    blocks += fabs(bench->matrix[i]) > 0.0;
  }
  assert_true(blocks > n);
}

static void balls_on_a_plane_are_exact(void** state)
{
  (void)state;
  static const char* spins[] = { "velocity = { 0.3, 0.1, -0.02 }, angularVelocity = { 1, 2, 3 },",
                                 "velocity = { 0.003, 0.001, 0.002 }, angularVelocity = { 0.002, 0.001, 0.004 },", "" };
  for (int i = 0; i < 3; ++i) {
    char text[2000];
    snprintf(text, sizeof text, FLOOR BODY("a", "0, 0, 0.0499", "sphere{ radius = 0.05 }", "%s"), spins[i]);
    Bench bench = openBench(text);
    assert_int_equal(crContacts_Count(bench.set.contacts), 1);
    checkMatrix(&bench, 1e-6, 0.0);
    crCloseTestRun(&bench.run);
  }
}

static void balls_that_touch_each_other_are_exact(void** state)
{
  (void)state;
  Bench bench = openBench(FLOOR BODY("a", "0, 0, 0.0499", "sphere{ radius = 0.05 }",
                                     "velocity = { 0.3, 0.1, -0.02 }, angularVelocity = { 1, 2, 3 },")
                              BODY("b", "0.04985, 0.06647, 0.0345", "sphere{ radius = 0.0346 }",
                                   "velocity = { -0.2, 0.2, 0.03 }, angularVelocity = { 3, -1, 2 },")
                                  BODY("c", "0.2, 0.06, 0.0345", "sphere{ radius = 0.0346 }", ""));
  assert_int_equal(crContacts_Count(bench.set.contacts), 4);
  checkMatrix(&bench, 1e-6, 0.0);
  crCloseTestRun(&bench.run);
}

// In the groove of a ring, where the normal turns at another rate along it than across, in a V groove, and on the end
// of a prism, where all directions are alike.
static void balls_in_grooves_are_exact(void** state)
{
  (void)state;
  static const char* const shapes[] = {
    "revolved{ profile = { { 0.3, -0.1 }, { 0.4, -0.1 }, { 0.4, 0.1 }, { 0.3, 0.1 }, { 0.3, 0.04 },\n"
    "  { 0.3, -0.04, through = { 0.318, 0 } } } }",
    "revolved{ profile = { { 0.25, -0.1 }, { 0.25, -0.05 }, { 0.2, 0 }, { 0.25, 0.05 }, { 0.25, 0.1 }, { 0.1, 0.1 },\n"
    "  { 0.1, -0.1 } } }",
    "extruded{ profile = { { 0.2, -0.2 }, { 0.2, 0.2 }, { -0.2, 0.2 }, { -0.2, -0.2 } }, length = 0.2 }",
  };
  static const char* const places[] = { "0.26796, 0, 0.001", "0.2704, 0.0001, 0.0001", "0.03, 0.02, 0.1499" };
  static const int counts[] = { 1, 2, 1 };
  for (int i = 0; i < 3; ++i) {
    char text[2000];
    snprintf(
        text, sizeof text,
        "contactPair('Steel', 'Steel', { cor = 0.6, muK = 0.3, muR = 0.02 })\nworld('w', {})\n"
        "object('ring', { parent = 'w', solid{ shape = %s, contact = 'Steel' } })\n" BODY(
            "a", "%s", "sphere{ radius = 0.05 }", "velocity = { 0.3, 0.1, -0.02 }, angularVelocity = { 1, 2, 3 },"),
        shapes[i], places[i]);
    Bench bench = openBench(text);
    assert_int_equal(crContacts_Count(bench.set.contacts), counts[i]);
    checkMatrix(&bench, 1e-5, 0.0);
    crCloseTestRun(&bench.run);
  }
}

static void boxes_are_close(void** state)
{
  (void)state;
  Bench bench = openBench(FLOOR BODY("a", "0, 0, 0.0499", "box{ size = { 0.2, 0.14, 0.1 } }",
                                     "velocity = { 0.3, 0.1, -0.02 }, angularVelocity = { 0.1, 0.2, 0.3 },")
                              BODY("b", "0.01, 0.02, 0.1498", "box{ size = { 0.1, 0.12, 0.1 } }", ""));
  assert_int_equal(crContacts_Count(bench.set.contacts), 2);
  checkMatrix(&bench, 5e-3, 0.0);
  crCloseTestRun(&bench.run);
}

// A shape on a half-space or a plate, z [m] above it.
static void writePair(char* text, size_t size, const char* shape, const char* turn, bool isBox, double z)
{
  snprintf(text, size,
           "contactPair('Steel', 'Steel', { cor = 0.6, muK = 0.3, muR = 0 })\nscene{ kRed = 1e-3 }\nworld('w', {})\n"
           "object('t', { parent = 'w', position = { 0, 0, %s },\n"
           "  solid{ shape = %s, contact = 'Steel' } })\n"
           "object('a', { parent = 'w', position = { 0.01, 0.02, %.17g }, free = true, rotation = { %s },\n"
           "  velocity = { 0.03, 0.01, -0.02 }, angularVelocity = { 0.1, 0.2, 0.3 },\n"
           "  solid{ shape = %s, material = 'Steel', contact = 'Steel' } })\n",
           isBox ? "-0.05" : "0", isBox ? "box{ size = { 0.5, 0.5, 0.1 } }" : "halfSpace{}", z, turn, shape);
}

// How far above its support a shape is that begins 1 m above.
static double measureHeight(const char* text, bool isBox)
{
  Bench bench = openBench(text);
  const crShape* shapes = bench.run.model->shapes;
  crPose X_WA = crIdentityPose(), X_WB = crGetBodyPose(bench.run.instance, 1);
  crDistance d;
  X_WA.p.z = isBox ? -0.05 : 0.0;
  assert_int_equal(crComputeDistance(&shapes[0], &X_WA, &shapes[1], &X_WB, NULL, &d), cr_ok);
  crCloseTestRun(&bench.run);
  return d.distance;
}

// On faces, rims, edges, corners and straight sides, with damping and friction.
static void slopes_of_area_contacts_are_their_derivatives(void** state)
{
  (void)state;
  static const char* const shapes[] = {
    "box{ size = { 0.1, 0.08, 0.06 } }",
    "cylinder{ radius = 0.04, length = 0.1 }",
    "cone{ radius = 0.04, length = 0.1 }",
    "cone{ radius = 0.04, topRadius = 0.02, length = 0.1 }",
    "capsule{ radius = 0.03, length = 0.06 }",
    "beam{ length = 0.1, width = 0.04, height = 0.02 }",
    "box{ size = { 0.1, 0.08, 0.06 }, rounding = 0.01 }",
    "hull{ points = { { 0.05, 0, -0.03 }, { -0.04, 0.04, -0.03 }, { -0.03, -0.05, -0.03 }, { 0, 0, 0.06 } } }",
  };
  static const char* const turns[] = { "0, 0, 0", "0.3, 0, 0", "pi / 2, 0.2, 0.1", "0.5, 0.7, 0.2" };
  for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; ++i) {
    for (size_t k = 0; k < sizeof turns / sizeof *turns; ++k) {
      char text[2000];
      bool isBox = i % 2 == 1;
      writePair(text, sizeof text, shapes[i / 2], turns[k], isBox, 1.0);
      writePair(text, sizeof text, shapes[i / 2], turns[k], isBox, 1.0 - measureHeight(text, isBox) - 2e-5);
      Bench bench = openBench(text);
      assert_int_equal(crContacts_Count(bench.set.contacts), 1);
      checkMatrix(&bench, 5e-3, 100.0); // of 1e6 and more
      crCloseTestRun(&bench.run);
    }
  }
}

// Two plates that meet in a flat valley: what each of them pushes with depends on both depths. Without that the ball
// was held sideways with a twentieth of what holds it.
static void a_ball_in_a_flat_valley_is_exact(void** state)
{
  (void)state;
  Bench bench = openBench("contactPair('Steel', 'Steel', { cor = 0.6, muK = 0.3, muR = 0.02 })\n"
                          "scene{ kRed = 1e-3 }\n"
                          "world('w', {})\n"
                          "local s, c = math.sin(0.05), math.cos(0.05)\n"
                          "for i, side in ipairs{ -1, 1 } do\n"
                          "  object('plate' .. i, { parent = 'w', rotation = { axis = 'y', angle = -side * 0.05 },\n"
                          "    position = { side * (0.1 * c + 0.005 * s), 0, 0.1 * s - 0.005 * c },\n"
                          "    solid{ shape = box{ size = { 0.2, 0.2, 0.01 } }, contact = 'Steel' } })\n"
                          "end\n"
                          "object('a', { parent = 'w', position = { 1e-7, 0, 0.05 / c - 2e-5 }, free = true,\n"
                          "  velocity = { 0.03, 0.01, -0.02 }, angularVelocity = { 0.1, 0.2, 0.3 },\n"
                          "  solid{ shape = sphere{ radius = 0.05 }, material = 'Steel', contact = 'Steel' } })\n");
  assert_int_equal(crContacts_Count(bench.set.contacts), 2);
  checkMatrix(&bench, 1e-4, 0.0);
  crCloseTestRun(&bench.run);
}

// Two flush plates: over their seam the ball touches both at one foot. The one that is deeper by its last bit pushes,
// and no motion of the ball hands that over. Slopes that let it were 1e10 where 1e4 is right.
static void a_ball_over_a_seam_is_exact(void** state)
{
  (void)state;
  static const char* const places[] = { "0, 0, 0.04998", "1e-9, 0, 0.04998", "-1e-7, 0, 0.04998" };
  for (int i = 0; i < 3; ++i) {
    char text[2000];
    snprintf(text, sizeof text,
             "contactPair('Steel', 'Steel', { cor = 0.6, muK = 0.3, muR = 0.02 })\n"
             "world('w', {})\n"
             "for i, side in ipairs{ -1, 1 } do\n"
             "  object('plate' .. i, { parent = 'w', position = { side * 0.1, 0, -0.005 },\n"
             "    solid{ shape = box{ size = { 0.2, 0.2, 0.01 } }, contact = 'Steel' } })\n"
             "end\n" BODY("a", "%s", "sphere{ radius = 0.05 }",
                          "velocity = { 0.03, 0.01, -0.02 }, angularVelocity = { 0.1, 0.2, 0.3 },"),
             places[i]);
    Bench bench = openBench(text);
    assert_int_equal(crContacts_Count(bench.set.contacts), 2);
    checkMatrix(&bench, 1e-6, 0.0);
    crCloseTestRun(&bench.run);
  }
}

// An arm of two links presses its hand on a box that lies on the floor; all of them move. Differences of rates with
// linear contacts are those of the rates as they are, where the increments are so small that these can be taken.
static void linear_contacts_have_the_slopes_of_contacts(void** state)
{
  (void)state;
  Bench bench = openAny(
      "contactPair('Steel', 'Steel', { cor = 0.6, muK = 0.3, muR = 0.01 })\n"
      "scene{ kRed = 1e-3 }\n"
      "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
      "object('box', { parent = 'w', position = { 0.25, 0.01, 0.02999 }, rotation = { 0, 0, 0.2 }, free = true,\n"
      "  velocity = { 0.02, 0.01, -0.01 }, angularVelocity = { 2, 2, 2 },\n"
      "  solid{ shape = box{ size = { 0.2, 0.2, 0.06 } }, material = 'Steel', contact = 'Steel' } })\n"
      "object('base', { parent = 'w', position = { 0, 0, 0.20907 } })\n"
      "object('upper', { mass{ mass = 1, inertia = { 0.01, 0.01, 0.01 } } })\n"
      "object('elbow', { parent = 'upper', position = { 0.1, 0, 0 } })\n"
      "object('hand', { mass{ mass = 1, inertia = { 0.01, 0.01, 0.01 } } })\n"
      "object('finger', { parent = 'hand', position = { 0.15, 0, 0 },\n"
      "  solid{ shape = box{ size = { 0.04, 0.03, 0.02 } }, material = 'Steel', contact = 'Steel' } })\n"
      "revolute('shoulder', 'base', 'upper', { axis = 'y', start = 0.3, startRate = 0.1 })\n"
      "revolute('joint', 'elbow', 'hand', { axis = 'y', start = 0.4195, startRate = 0.2 })\n");
  crContacts* contacts = bench.set.contacts;
  assert_int_equal(crContacts_Count(contacts), 2);
  assert_int_equal(bench.n, 17);
  static const int isVelocity[17] = { 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1 };
  double rates[MAX_STATES], moved[MAX_STATES];
  computeDifferences(&bench);
  assert_int_equal(crInstance_ComputeRates(bench.run.instance, bench.set, 0.0, bench.y, rates), cr_ok);
  crContacts_BeginLinear(bench.run.instance, contacts);
  assert_int_equal(crInstance_ComputeRates(bench.run.instance, bench.set, 0.0, bench.y, moved), cr_ok);
  for (int r = 0; r < bench.n; ++r) {
    assert_close(moved[r], rates[r], 1e-9 * (1.0 + fabs(rates[r])));
  }
  double largest[2] = { 0.0, 0.0 }; // by positions, by velocities
  for (int i = 0; i < bench.n * bench.n; ++i) {
    double* size = &largest[isVelocity[i / bench.n]];
    *size = fmax(*size, fabs(bench.differences[i]));
  }
  for (int c = 0; c < bench.n; ++c) {
    double saved = bench.y[c], h = 1e-8;
    bench.y[c] = saved + h;
    assert_int_equal(crInstance_ComputeRates(bench.run.instance, bench.set, 0.0, bench.y, rates), cr_ok);
    bench.y[c] = saved;
    for (int r = 0; r < bench.n; ++r) {
      assert_close((rates[r] - moved[r]) / h, bench.differences[c * bench.n + r],
                   (isVelocity[c] ? 5e-5 : 1e-6) * largest[isVelocity[c]]);
    }
  }
  crContacts_EndLinear(contacts);
  crCloseTestRun(&bench.run);
}

static crContactForce pushSoftly(void* context, const crContactMemory* memory, const crContactMotion* motion)
{
  (void)context;
  (void)memory;
  double fn = 1e4 * motion->depth * (1.0 + 0.5 * motion->rate);
  crContactForce force = { .force = crMulAdd(crScale(fn, motion->normal), -0.2 * fn, motion->slip),
                           .torque = crScale(-1e-3 * fn, motion->turn),
                           .normalForce = fn };
  return force;
}

// The slope of a law given as a function is found by differences, that of the others in closed form.
static void slopes_of_laws_are_their_derivatives(void** state)
{
  (void)state;
  crContactMemory memory = { .damping = 0.4, .stiffness = 1e6, .exponent = 1.5, .lever = 0.03 };
  crContactMotion motion = { .depth = 1e-4,
                             .rate = 0.1,
                             .normal = { 0.6, 0.0, 0.8 },
                             .slip = { 0.004, 0.003, -0.003 },
                             .turn = { 0.1, 0.2, -0.3 } };
  static const crContactResponse responses[] = { cr_responseElastic, cr_responseSpringDamper, cr_responsePenalty,
                                                 cr_responseUser };
  for (int i = 0; i < 4; ++i) {
    crContactLaw law = {
      .response = responses[i], .muK = 0.3, .muR = 0.01, .vMin = 0.01, .wMin = 0.01, .function = pushSoftly
    };
    memory.exponent = i == 0 ? 1.5 : 1.0;
    crContactForce force = crComputeContactForce(&law, &memory, &motion);
    crContactSlope slope = crComputeContactSlope(&law, &memory, &motion, &force);
    double h = 1e-6;
    crContactMotion plus = motion, minus = motion;
    crVec3 dv = crMakeVec3(0.3, -0.5, 0.7);
    double along = crDot(dv, motion.normal);
    plus.depth += h * motion.depth;
    minus.depth -= h * motion.depth;
    plus.rate -= h * along;
    minus.rate += h * along;
    plus.slip = crMulAdd(crMulAdd(motion.slip, h, dv), -h * along, motion.normal);
    minus.slip = crMulAdd(crMulAdd(motion.slip, -h, dv), h * along, motion.normal);
    plus.turn = crMulAdd(motion.turn, h, dv);
    minus.turn = crMulAdd(motion.turn, -h, dv);
    crContactForce f = crComputeContactForce(&law, &memory, &plus), g = crComputeContactForce(&law, &memory, &minus);
    crVec3 df = crScale(0.5 / h, crSub(f.force, g.force)), dt = crScale(0.5 / h, crSub(f.torque, g.torque));
    crVec3 sf = crAdd(crMulMV(slope.forcePerV, dv), crMulMV(slope.forcePerW, dv));
    crVec3 st = crAdd(crMulMV(slope.torquePerV, dv), crMulMV(slope.torquePerW, dv));
    sf = crMulAdd(sf, motion.depth, slope.forcePerDepth);
    st = crMulAdd(st, motion.depth, slope.torquePerDepth);
    assert_vec_close(sf, df, 1e-5 * crLength(df));
    assert_vec_close(st, dt, 1e-5 * crLength(dt));
  }
}

static void other_sets_have_no_rate_matrix(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestRun(&(crTestPlan){ .text = "world('w', {})\n" BODY("a", "0, 0, 1", "sphere{ radius = 0.05 }",
                                                                   "") "springDamper('s', 'w', 'a', {})\n",
                                   .stop = 1.0 });
  assert_false(crModel_HasRateMatrix(run.model, crModel_GetAllTrees(run.model)));
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(balls_on_a_plane_are_exact),
    cmocka_unit_test(balls_that_touch_each_other_are_exact),
    cmocka_unit_test(balls_in_grooves_are_exact),
    cmocka_unit_test(boxes_are_close),
    cmocka_unit_test(slopes_of_area_contacts_are_their_derivatives),
    cmocka_unit_test(a_ball_in_a_flat_valley_is_exact),
    cmocka_unit_test(a_ball_over_a_seam_is_exact),
    cmocka_unit_test(linear_contacts_have_the_slopes_of_contacts),
    cmocka_unit_test(slopes_of_laws_are_their_derivatives),
    cmocka_unit_test(other_sets_have_no_rate_matrix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
