// The law of friction that sticks: its slopes against differences, its bounds, and what it stores and dissipates.
#include "contact/bristle.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

#define LOAD 40.0    // [N]
#define LEVER 0.02   // [m]
#define RADIUS 0.013 // [m]
#define STATES CR_MOST_BRISTLES

// One bristle in some state, and the motion that it feels.
typedef struct Sample {
  crContactLaw law;
  crBristle bristle;
  crBristleMotion motion;
} Sample;

// How far each part is loaded, in its limits.
typedef struct Wish {
  bool isPatch, rolls, falls; // falls: muS > muK
  double slide, roll;         // [-] |T| over the limit at LOAD
  double load;                // [N]
} Wish;

static void drawPart(crRandom* random, int first, int count, double k, double c, double size, double* x, double* u)
{
  double direction[3], square = 0.0;
  for (int i = 0; i < count; ++i) {
    direction[i] = crRandom_Uniform(random, -1.0, 1.0);
    square += direction[i] * direction[i];
  }
  for (int i = 0; i < count; ++i) {
    u[first + i] = crRandom_Uniform(random, -1.0, 1.0) * size / c;
    x[first + i] = (size * direction[i] / sqrt(square) - c * u[first + i]) / k;
  }
}

static Sample draw(crRandom* random, const Wish* wish)
{
  Sample s = { .law = { .sticks = 1,
                        .muK = 0.4,
                        .muS = wish->falls ? 0.6 : 0.4,
                        .muR = wish->rolls ? 0.05 : 0.0,
                        .tangentialRatio = 0.8,
                        .tangentialDamping = NAN } };
  crVec3 n0 = crRandom_UnitVec3(random), n = crMulAdd(n0, 0.1, crRandom_UnitVec3(random));
  n = crScale(1.0 / crLength(n), n);
  s.bristle = crMakeBristle(&s.law, wish->isPatch, n0, 1e6, 0.7, crRandom_Uniform(random, 0.01, 1.0), LEVER);
  s.law.slipFade = 0.3 * s.law.muS * LOAD / s.bristle.damping; // the fall is as wide as the limit
  s.motion = (crBristleMotion){
    .n = n, .twirl = crRandom_Uniform(random, -3.0, 3.0), .radius = RADIUS, .load = wish->load, .lever = LEVER
  };
  crBristle carried = s.bristle;
  crBristle_Carry(&carried, n);
  crVec3 e1 = carried.axis, e2 = crCross(n, e1);
  double u[STATES] = { 0.0 };
  int slides = wish->isPatch ? 3 : 2, rolls = s.bristle.count - slides;
  drawPart(random, 0, slides, s.bristle.stiffness, s.bristle.damping, wish->slide * s.law.muS * LOAD, s.bristle.x, u);
  if (rolls > 0) {
    drawPart(random, slides, rolls, s.bristle.rollStiffness, s.bristle.rollDamping,
             wish->roll * s.law.muR * LEVER * LOAD, s.bristle.x, u);
  }
  s.motion.v = crAdd(crScale(u[0], e1), crScale(u[1], e2));
  if (wish->isPatch) {
    s.motion.w = crScale(u[2] / RADIUS, n);
    s.motion.w = crAdd(s.motion.w, crAdd(crScale(u[3], e1), crScale(u[4], e2)));
  } else {
    s.motion.w = crAdd(crScale(u[4], n), crAdd(crScale(u[2], e1), crScale(u[3], e2)));
  }
  return s;
}

static crBristleForce evaluate(const Sample* s, double* outRates)
{
  crBristle bristle = s->bristle;
  crBristleForce force;
  crEvalBristle(&s->law, &s->motion, &bristle, &force);
  for (int i = 0; i < bristle.count; ++i) {
    outRates[i] = bristle.rate[i];
  }
  return force;
}

// Force, torque and rates, one after the other.
#define OUTPUTS (6 + STATES)

static void list(const Sample* s, double out[OUTPUTS])
{
  crBristleForce f = evaluate(s, out + 6);
  crVec3 both[2] = { f.force, f.torque };
  for (int i = 0; i < 2; ++i) {
    out[3 * i] = both[i].x;
    out[3 * i + 1] = both[i].y;
    out[3 * i + 2] = both[i].z;
  }
}

// d / d (some number of the sample), by central differences of fourth order.
static void differ(Sample* s, double* number, double h, double out[OUTPUTS])
{
  static const double places[4] = { -2.0, -1.0, 1.0, 2.0 };
  double f[4][OUTPUTS], saved = *number;
  for (int k = 0; k < 4; ++k) {
    *number = saved + places[k] * h;
    list(s, f[k]);
  }
  *number = saved;
  for (int i = 0; i < OUTPUTS; ++i) {
    out[i] = i < 6 + s->bristle.count ? (8.0 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12.0 * h) : 0.0;
  }
}

static double getColumn(crMat3 m, int column, int row)
{
  crVec3 c = column == 0 ? m.cx : column == 1 ? m.cy : m.cz;
  return row == 0 ? c.x : row == 1 ? c.y : c.z;
}

static double getPart(crVec3 v, int i)
{
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static void assertColumn(const double found[OUTPUTS], const double wanted[OUTPUTS], int count)
{
  double sizes[3] = { 0.0 }; // of forces, torques, rates
  for (int i = 0; i < 6 + count; ++i) {
    double* size = &sizes[i / 3 < 2 ? i / 3 : 2];
    *size = fmax(*size, fabs(wanted[i]));
  }
  for (int i = 0; i < 6 + count; ++i) {
    assert_close(found[i], wanted[i], 1e-7 * sizes[i / 3 < 2 ? i / 3 : 2] + 1e-6);
  }
}

static void checkSlopes(Sample* s)
{
  crBristleSlope slope;
  int count = s->bristle.count;
  double wanted[OUTPUTS], found[OUTPUTS];
  crComputeBristleSlope(&s->law, &s->motion, &s->bristle, &slope);
  double speed = 0.1 * LOAD / s->bristle.damping, angular = speed / LEVER;
  for (int a = 0; a < 6; ++a) {
    double* numbers[6] = { &s->motion.v.x, &s->motion.v.y, &s->motion.v.z,
                           &s->motion.w.x, &s->motion.w.y, &s->motion.w.z };
    differ(s, numbers[a], 1e-3 * (a < 3 ? speed : angular), wanted);
    for (int i = 0; i < 3; ++i) {
      found[i] = getColumn(a < 3 ? slope.forceByV : slope.forceByW, a % 3, i);
      found[3 + i] = getColumn(a < 3 ? slope.torqueByV : slope.torqueByW, a % 3, i);
    }
    for (int i = 0; i < count; ++i) {
      found[6 + i] = getPart((a < 3 ? slope.rateByV : slope.rateByW)[i], a % 3);
    }
    assertColumn(found, wanted, count);
  }
  for (int j = 0; j < count; ++j) {
    differ(s, &s->bristle.x[j], 1e-4 * LOAD / s->bristle.stiffness, wanted);
    for (int i = 0; i < 3; ++i) {
      found[i] = getPart(slope.forceBy[j], i);
      found[3 + i] = getPart(slope.torqueBy[j], i);
    }
    for (int i = 0; i < count; ++i) {
      found[6 + i] = slope.rateBy[i][j];
    }
    assertColumn(found, wanted, count);
  }
  if (s->motion.load > 0.0) {
    differ(s, &s->motion.load, 1e-4 * LOAD, wanted);
    for (int i = 0; i < 3; ++i) {
      found[i] = getPart(slope.forceByLoad, i);
      found[3 + i] = getPart(slope.torqueByLoad, i);
    }
    for (int i = 0; i < count; ++i) {
      found[6 + i] = slope.rateByLoad[i];
    }
    assertColumn(found, wanted, count);
  }
}

static void slopes_are_derivatives(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  static const double sizes[] = { 0.5, 1.3, 4.0 }; // sticks, slides while it falls, slides
  for (int i = 0; i < 2 * 2 * 2 * 3 * 3 * 2; ++i) {
    Wish wish = { .isPatch = i % 2 == 1,
                  .rolls = i / 2 % 2 == 1,
                  .falls = i / 4 % 2 == 1,
                  .slide = sizes[i / 8 % 3],
                  .roll = sizes[i / 24 % 3],
                  .load = i / 72 == 0 ? LOAD : 0.0 };
    for (int k = 0; k < 5; ++k) {
      Sample sample = draw(&random, &wish);
      checkSlopes(&sample);
    }
  }
}

static void held_bristles_stick_at_any_load(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  Wish wish = { .rolls = true, .falls = true, .slide = 30.0, .roll = 30.0, .load = 0.0 };
  for (int i = 0; i < 20; ++i) {
    wish.isPatch = i % 2 == 1;
    Sample sample = draw(&random, &wish);
    sample.bristle.isHeld = true;
    double rates[STATES];
    crBristleForce force = evaluate(&sample, rates);
    assert_true(crLength(force.force) > 0.0);
    checkSlopes(&sample);
  }
}

// What a bristle takes from its bodies it stores or dissipates, and it dissipates nothing negative.
static void what_is_not_stored_is_dissipated(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  for (int i = 0; i < 4000; ++i) {
    Wish wish = { .isPatch = i % 2 == 1,
                  .rolls = i / 2 % 2 == 1,
                  .falls = i / 4 % 2 == 1,
                  .slide = crRandom_LogUniform(&random, 0.01, 100.0),
                  .roll = crRandom_LogUniform(&random, 0.01, 100.0),
                  .load = i % 9 == 8 ? 0.0 : crRandom_Uniform(&random, 0.0, 2.0 * LOAD) };
    Sample s = draw(&random, &wish);
    double rates[STATES], intoStore = 0.0, sum = 0.0;
    crBristleForce force = evaluate(&s, rates);
    int slides = wish.isPatch ? 3 : 2;
    for (int k = 0; k < s.bristle.count; ++k) {
      double part = (k < slides ? s.bristle.stiffness : s.bristle.rollStiffness) * s.bristle.x[k] * rates[k];
      intoStore += part;
      sum += fabs(part);
    }
    double taken = -crDot(force.force, s.motion.v) - crDot(force.torque, s.motion.w);
    assert_close(force.power, taken - intoStore, 1e-12 * (sum + fabs(taken)));
    assert_true(force.power >= -1e-13 * (sum + fabs(taken)));
    assert_close(force.stored, crBristle_GetStored(&s.bristle), 0.0);
  }
}

// Springs across and about the normal: two that slide, or three of a patch, the others roll.
static void what_is_stored_is_that_of_the_springs(void** state)
{
  (void)state;
  crBristle bristle = { .count = 4, .x = { 1.0, 2.0, 3.0, 4.0 }, .stiffness = 10.0, .rollStiffness = 0.5 };
  assert_close(crBristle_GetStored(&bristle), 0.5 * (10.0 * 5.0 + 0.5 * 25.0), 1e-12);
  bristle.isPatch = true;
  assert_close(crBristle_GetStored(&bristle), 0.5 * (10.0 * 14.0 + 0.5 * 16.0), 1e-12);
}

// Every number of a kept bristle that no run could have left there is told; the others are not.
static void what_no_run_leaves_is_a_fault_of_a_bristle(void** state)
{
  (void)state;
  const crContactBristle good = { .count = 5,
                                  .x = { 0.1, -0.2, 0.3, 0.0, 0.4 },
                                  .stiffness = 2.0,
                                  .damping = 3.0,
                                  .ratio = 0.5,
                                  .rollStiffness = 4.0,
                                  .rollDamping = 5.0,
                                  .axis = { 1, 0, 0 },
                                  .normal = { 0, 0, 1 } };
  assert_null(crFindBristleFault(&good));
  crContactBristle kept = good;
  kept.count = 2; // none that roll: nobody asks for their numbers
  kept.rollStiffness = kept.rollDamping = 0.0;
  assert_null(crFindBristleFault(&kept));
  kept.isPatch = true;
  assert_non_null(strstr(crFindBristleFault(&kept), "number of states that is none of 2 at a point, 3 by area"));
  kept.count = 3;
  assert_null(crFindBristleFault(&kept));
  kept.isPatch = false;
  assert_non_null(crFindBristleFault(&kept));
  kept.count = 0;
  assert_null(crFindBristleFault(&kept));
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 3; ++k) {
      static const double wrong[] = { 0.0, -1.0, INFINITY };
      kept = good;
      double* const numbers[] = { &kept.stiffness, &kept.damping, &kept.ratio, &kept.rollStiffness, &kept.rollDamping };
      *numbers[i] = wrong[k];
      assert_string_equal(crFindBristleFault(&kept), "has a stiffness, damping or ratio that is not above 0");
    }
    kept = good;
    kept.x[i] = NAN;
    assert_string_equal(crFindBristleFault(&kept), "is not finite");
  }
  for (int i = 0; i < 3; ++i) {
    kept = good;
    kept.axis = i == 0 ? crMakeVec3(2, 0, 0) : i == 1 ? crMakeVec3(0, 0, 1) : kept.axis;
    kept.normal = i == 2 ? crMakeVec3(0, 0, 0.5) : kept.normal;
    assert_string_equal(crFindBristleFault(&kept),
                        "has an axis and a normal that are no two unit vectors across each other");
  }
}

static void forces_keep_their_bounds(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  int slid = 0;
  for (int i = 0; i < 4000; ++i) {
    Wish wish = { .isPatch = i % 2 == 1,
                  .rolls = i / 2 % 2 == 1,
                  .falls = i / 4 % 2 == 1,
                  .slide = crRandom_LogUniform(&random, 0.01, 100.0),
                  .roll = crRandom_LogUniform(&random, 0.01, 100.0),
                  .load = i % 9 == 8 ? 0.0 : crRandom_Uniform(&random, 0.0, 2.0 * LOAD) };
    Sample s = draw(&random, &wish);
    double rates[STATES];
    crBristleForce force = evaluate(&s, rates);
    crVec3 n = s.motion.n;
    double drill = crDot(force.torque, n), roll = crLength(crMulAdd(force.torque, -drill, n));
    double slide = crLength(force.force), most = s.law.muS * wish.load, mostRoll = s.law.muR * LEVER * wish.load;
    assert_close(crDot(force.force, n), 0.0, 1e-12 * slide);
    slide = wish.isPatch ? sqrt(slide * slide + drill * drill / (RADIUS * RADIUS)) : slide;
    roll = wish.isPatch ? roll : sqrt(roll * roll + drill * drill);
    assert_true(slide <= most * (1.0 + 1e-12));
    assert_true(roll <= mostRoll * (1.0 + 1e-12) + 1e-12);
    if (!wish.falls && wish.slide * LOAD > 1.01 * wish.load) { // Coulomb's to the last digits
      assert_close(slide, s.law.muK * wish.load, 1e-12 * LOAD);
      ++slid;
    }
  }
  assert_true(slid > 500);
}

// The base is carried around and back without a turn; what lies in it is no shorter.
static void bases_are_carried_with_the_normal(void** state)
{
  (void)state;
  crContactLaw law = { .sticks = 1, .muK = 0.4, .muS = 0.4, .tangentialRatio = 0.8, .tangentialDamping = 1.0 };
  crRandom random = crMakeRandom(5);
  for (int i = 0; i < 200; ++i) {
    crVec3 n0 = crRandom_UnitVec3(&random), side = crRandom_UnitVec3(&random), n = n0;
    crBristle bristle = crMakeBristle(&law, false, n0, 1e6, 1.0, 0.5, 0.0);
    crVec3 axis = bristle.axis;
    for (int k = 1; k <= 40; ++k) { // along an arc, and back
      n = crMulAdd(n0, 0.05 * (k <= 20 ? k : 40 - k), side);
      n = crScale(1.0 / crLength(n), n);
      crBristle_Carry(&bristle, n);
      assert_close(crDot(bristle.axis, n), 0.0, 1e-15);
      assert_close(crLength(bristle.axis), 1.0, 1e-15);
    }
    assert_vec_close(bristle.axis, axis, 1e-13);
  }
}

// c = 2 ratio sqrt(k m): of all dampers, and of what has none nothing.
static void dampers_are_in_proportion_to_their_ratio(void** state)
{
  (void)state;
  crBristle bristle = { .count = 5, .stiffness = 10.0, .damping = 2.0, .rollDamping = 3.0, .ratio = 0.5 }, none = { 0 };
  crBristle_SetRatio(&bristle, 1.0);
  assert_true(bristle.damping == 4.0 && bristle.rollDamping == 6.0 && bristle.ratio == 1.0 &&
              bristle.stiffness == 10.0);
  crBristle_SetRatio(&none, 1.0);
  assert_true(none.damping == 0.0 && none.rollDamping == 0.0 && none.ratio == 0.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(dampers_are_in_proportion_to_their_ratio),
    cmocka_unit_test(slopes_are_derivatives),
    cmocka_unit_test(held_bristles_stick_at_any_load),
    cmocka_unit_test(what_is_not_stored_is_dissipated),
    cmocka_unit_test(what_is_stored_is_that_of_the_springs),
    cmocka_unit_test(what_no_run_leaves_is_a_fault_of_a_bristle),
    cmocka_unit_test(forces_keep_their_bounds),
    cmocka_unit_test(bases_are_carried_with_the_normal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
