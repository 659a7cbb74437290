// Lines of cylinders, cones and beams inside each other: side by side they have what each has alone.
#include "collide/area/lines.h"
#include "collide/area/quadrature.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/test.h"

#include <string.h>

#define SHAPE_COUNT 7
#define TRIALS 20000
#define PANELS 400 // of a span, for Simpson's rule

static void makeBodies(crCurvedBody bodies[SHAPE_COUNT])
{
  bodies[0] = crMakeCurvedBody(crKeepTestShape(crMakeCylinder(0.1, 0.2, 0.0)));
  bodies[1] = crMakeCurvedBody(crKeepTestShape(crMakeCone(0.1, 0.0, 0.2)));
  bodies[2] = crMakeCurvedBody(crKeepTestShape(crMakeCone(0.1, 0.05, 0.2)));
  bodies[3] = crMakeCurvedBody(crKeepTestShape(crMakeCone(0.02, 0.1, 0.1)));
  bodies[4] = crMakeCurvedBody(crKeepTestShape(crMakeBeam(0.2, 0.1, 0.1)));
  bodies[5] = crMakeCurvedBody(crKeepTestShape(crMakeCylinder(0.1, 0.01, 0.0))); // flat disc
  bodies[6] = crMakeCurvedBody(crKeepTestShape(crMakeCylinder(0.01, 0.5, 0.0))); // long rod
}

// Lines of one body in another one, every third of both along axes of each other, every second in a narrow part of the
// family, as across a patch.
typedef struct Trial {
  crRuled ruled[CR_MAX_RULED];
  crCurvedBody discs[2];
  const crRuled* own;
  const crCurvedBody* other;
  crPose X;
  int count;
  crLineRow v;
} Trial;

static void makeTrial(const crCurvedBody* bodies, int n, crRandom* random, Trial* out)
{
  const crCurvedBody* own = &bodies[n % SHAPE_COUNT];
  out->other = &bodies[n / SHAPE_COUNT % SHAPE_COUNT];
  crVec3 toward = crRandom_UnitVec3(random);
  int kinds = crListRuled(own, toward, n % 5 == 0 ? out->discs : NULL, out->ruled);
  int kind = (int)crRandom_Uniform(random, 0.0, kinds);
  out->own = &out->ruled[kind < kinds ? kind : 0];
  crQuat turn = crRandom_Rotation(random);
  out->X.R = n % 3 == 0 ? crIdentityMat3() : crQuatToMat3(turn);
  crVec3 way = crRandom_UnitVec3(random);
  out->X.p = crScale(crRandom_Uniform(random, 0.0, 0.25), way);
  out->count = 1 + n % CR_MAX_LINES;
  double middle = crRandom_Uniform(random, -0.9, 0.9), half = n % 2 == 0 ? 0.1 : crRandom_LogUniform(random, 1e-6, 0.1);
  for (int i = 0; i < out->count; ++i) {
    out->v[i] = middle + crRandom_Uniform(random, -half, half);
  }
}

// The symptom of a lane that is picked wrongly would be a patch that depends on which lines come together.
static void lines_side_by_side_have_the_spans_of_each_alone(void** state)
{
  (void)state;
  static crLines together, alone;
  static Trial trial;
  crCurvedBody bodies[SHAPE_COUNT];
  makeBodies(bodies);
  crRandom random = crMakeRandom(11);
  int insideCount = 0, cutCount = 0;
  for (int n = 0; n < TRIALS; ++n) {
    makeTrial(bodies, n, &random, &trial);
    crMeasureLines(trial.own, trial.other, &trial.X, trial.count, trial.v, &together);
    for (int i = 0; i < trial.count; ++i) {
      crRuledLine line = crRuled_FindLine(trial.own, trial.v[i]);
      crVec3 p = crTransformPoint(trial.X, line.p), u = crMulMV(trial.X.R, line.u);
      crSpan spans[CR_MAX_SPANS], found[CR_MAX_SPANS];
      int count = crFindSpans(trial.other, &p, &u, spans);
      assert_int_equal(crLines_ListSpans(&together, i, found), count);
      for (int k = 0; k < count; ++k) {
        const crSpan* span = &found[k];
        assert_true(span->from == spans[k].from && span->to == spans[k].to);
        assert_int_equal(span->kind, spans[k].kind);
        assert_int_equal(span->segment, spans[k].segment);
      }
      crLineRow v = { trial.v[i] };
      crMeasureLines(trial.own, trial.other, &trial.X, 1, v, &alone);
      assert_true(together.depth[i] == alone.depth[0] && together.deepest[i] == alone.deepest[0]);
      for (int k = 0; k < CR_LINE_SUMS; ++k) {
        assert_true(together.sums[k][i] == alone.sums[k][0]);
      }
      insideCount += count > 0;
      cutCount += count > 1;
    }
  }
  assert_true(insideCount > TRIALS && cutCount > TRIALS / 2);
}

static double depthAt(const Trial* trial, double v, double t, double* outWidth)
{
  crRuledLine line = crRuled_FindLine(trial->own, v);
  *outWidth = line.weight + t * line.more;
  return crCurvedBody_FindDepth(trial->other, crTransformPoint(trial->X, crMulAdd(line.p, t, line.u)));
}

// Of cones the width is taken in the middle for what Simpson's rule misses, and the deepest place as of a parabola.
static void sums_are_integrals_of_the_depth_and_nothing_is_deeper_than_the_deepest(void** state)
{
  (void)state;
  static crLines lines;
  static Trial trial;
  crCurvedBody bodies[SHAPE_COUNT];
  makeBodies(bodies);
  crRandom random = crMakeRandom(12);
  for (int n = 0; n < TRIALS / 20; ++n) {
    makeTrial(bodies, n, &random, &trial);
    crMeasureLines(trial.own, trial.other, &trial.X, trial.count, trial.v, &lines);
    for (int i = 0; i < trial.count; ++i) {
      double sums[CR_LINE_SUMS] = { 0.0 }, depth = 0.0;
      crSpan spans[CR_MAX_SPANS];
      int count = crLines_ListSpans(&lines, i, spans);
      for (int k = 0; k < count; ++k) {
        const crSpan* span = &spans[k];
        double h = (span->to - span->from) / PANELS, w;
        for (int j = 0; j <= PANELS; ++j) {
          double d = depthAt(&trial, trial.v[i], span->from + j * h, &w);
          double share = j == 0 || j == PANELS ? 1.0 : j % 2 == 0 ? 2.0 : 4.0;
          sums[span->kind] += share * h / 3.0 * d * w;
          depth = d > depth ? d : depth;
        }
      }
      bool isCone = trial.other->slope != 0.0;
      for (int k = 0; k < CR_LINE_SUMS; ++k) {
        assert_close(lines.sums[k][i], sums[k], (isCone ? 0.05 : 1e-9) * sums[k] + 1e-15);
      }
      assert_true(lines.depth[i] >= (isCone ? 0.95 : 1.0 - 1e-12) * depth - 1e-15);
    }
  }
}

// What a rule is for: a power of x times the roots that it has at its ends.
static double evalPower(int k, bool isRootAtLow, bool isRootAtHigh, double x)
{
  return pow(x, k) * (isRootAtLow ? sqrt(1.0 + x) : 1.0) * (isRootAtHigh ? sqrt(1.0 - x) : 1.0);
}

// By Simpson's rule in u, x = sin(pi u / 2), where all of them are smooth.
static double integratePower(int k, bool isRootAtLow, bool isRootAtHigh)
{
  double sum = 0.0, h = 2.0 / PANELS;
  for (int j = 0; j <= PANELS; ++j) {
    double angle = 0.5 * CR_PI * (j * h - 1.0), share = j == 0 || j == PANELS ? 1.0 : j % 2 == 0 ? 2.0 : 4.0;
    double f = evalPower(k, isRootAtLow, isRootAtHigh, sin(angle));
    sum += share * h / 3.0 * f * 0.5 * CR_PI * cos(angle);
  }
  return sum;
}

static void rules_across_lines_are_exact(void** state)
{
  (void)state;
  for (int n = 0; n < 12; ++n) {
    bool low = n & 1, high = n & 2;
    const crAcrossRule* rule = &cr_across[n / 4][low][high];
    for (int k = 0; k < 2 * rule->count; ++k) {
      double sum = 0.0, tails[2] = { 0.0 }, ends[2] = { 0.0 };
      for (int i = 0; i < rule->count; ++i) {
        double f = evalPower(k, low, high, rule->x[i]);
        sum += rule->w[i] * f;
        for (int j = 0; j < 2; ++j) {
          tails[j] += rule->tails[j][i] * f;
          ends[j] += rule->ends[j][i] * f;
        }
      }
      assert_close(sum, integratePower(k, low, high), 1e-8);
      for (int j = 0; j < 2; ++j) { // orthogonal to what is of a lower degree, and interpolated as far as can be
        assert_true(k >= rule->count - 2 + j || fabs(tails[j]) < 1e-13);
        assert_true(k >= rule->count || fabs(ends[j] - evalPower(k, low, high, j ? 1.0 : -1.0)) < 1e-12);
      }
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rules_across_lines_are_exact),
    cmocka_unit_test_teardown(lines_side_by_side_have_the_spans_of_each_alone, crDestroyKeptShapes),
    cmocka_unit_test_teardown(sums_are_integrals_of_the_depth_and_nothing_is_deeper_than_the_deepest,
                              crDestroyKeptShapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
