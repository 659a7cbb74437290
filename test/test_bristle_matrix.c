// The rate matrix of free bodies on contacts that stick, states of bristles included, against differences of rates.
#include "contact/contact.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_STATES 80

#define FLOOR                                                                                                          \
  "scene{ kRed = 1e-3 }\n"                                                                                             \
  "contactPair('Steel', 'Steel', { cor = 0.6, muK = 0.3, muS = %s, slipFade = 0.1, muR = %s, friction = 'stick' })\n"  \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
#define BODY(name, place, shape, more)                                                                                 \
  "object('" name "', { parent = 'w', position = { " place " }, free = true, " more "\n"                               \
  "  solid{ shape = " shape ", material = 'Steel', contact = 'Steel' } })\n"

typedef struct Bench {
  crTestRun run;
  crTreeSet set;
  int n, treeStates;
  int kinds[MAX_STATES]; // position, quaternion, velocity, spin, bristle of sliding, of rolling
  double y[MAX_STATES];
  double matrix[MAX_STATES * MAX_STATES], differences[MAX_STATES * MAX_STATES]; // by columns
} Bench;

static void computeRates(Bench* bench, double* outRates)
{
  crContacts_SetBristles(bench->set.contacts, bench->y + bench->treeStates);
  assert_int_equal(crInstance_ComputeRates(bench->run.instance, bench->set, 0.0, bench->y, outRates), cr_ok);
  crContacts_GetBristleRates(bench->set.contacts, outRates + bench->treeStates);
}

// Stretches bristles to a share of their limits.
static void stretch(Bench* bench, double share)
{
  crContacts* contacts = bench->set.contacts;
  crRandom random = crMakeRandom(7);
  double rates[MAX_STATES];
  computeRates(bench, rates);
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContact* contact = &contacts->contacts.items[k];
    const crContactLaw* law = contacts->pairs.items[k].law;
    const crBristle* bristle = &contact->bristle;
    int slides = bristle->isPatch ? 3 : 2, at = bench->treeStates + contact->place;
    double load = contact->force.normalForce;
    assert_true(load > 0.0 && bristle->count >= slides);
    for (int i = 0; i < bristle->count; ++i) {
      double most = i < slides ? law->muS * load / bristle->stiffness
                               : law->muR * contact->memory.lever * load / bristle->rollStiffness;
      double part = crRandom_Uniform(&random, 0.4, 0.6) * (crRandom_Next(&random) % 2 == 0 ? 1.0 : -1.0);
      bench->y[at + i] = share * part * most;
      bench->kinds[at + i] = i < slides ? 4 : 5;
    }
  }
}

static Bench openBench(const char* text, double share)
{
  Bench bench = { .run = crOpenTestRun(&(crTestPlan){ .text = text, .stop = 1.0 }) };
  bench.set = crSimulation_GetSet(bench.run.simulation);
  bench.treeStates = crModel_CountStates(bench.run.model, bench.set);
  assert_true(crModel_HasRateMatrix(bench.run.model, bench.set));
  crContacts_PlaceBristles(bench.set.contacts, 0);
  assert_true(crContacts_ReserveBristles(bench.set.contacts));
  bench.n = bench.treeStates + bench.set.contacts->bristleCount;
  assert_true(bench.n <= MAX_STATES);
  crInstance_GetState(bench.run.instance, bench.set, bench.y);
  static const int kinds[13] = { 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3 };
  for (int i = 0; i < bench.treeStates; ++i) {
    bench.kinds[i] = kinds[i % 13];
  }
  stretch(&bench, share);
  return bench;
}

static void computeMatrix(Bench* bench)
{
  static int starts[MAX_STATES + 1], rows[MAX_STATES * MAX_STATES];
  static double values[MAX_STATES * MAX_STATES];
  int stateStarts[MAX_STATES], counted = 0, count = 0;
  for (int k = 0; k < bench->set.treeCount; ++k) {
    stateStarts[bench->set.trees[k]] = 13 * k;
  }
  crModel_GetSparsity(bench->run.model, bench->set, NULL, NULL, &counted);
  crContacts_AddBristlePattern(bench->set.contacts, bench->set, stateStarts, NULL, NULL, &counted);
  crModel_GetSparsity(bench->run.model, bench->set, starts, rows, &count);
  crContacts_AddBristlePattern(bench->set.contacts, bench->set, stateStarts, starts, rows, &count);
  assert_int_equal(count, counted);
  assert_int_equal(starts[bench->n], count);
  memset(values, 0xff, sizeof values); // NaN
  memset(bench->matrix, 0, sizeof bench->matrix);
  crContacts_SetBristles(bench->set.contacts, bench->y + bench->treeStates);
  assert_int_equal(crInstance_ComputeRateMatrix(bench->run.instance, bench->set, 0.0, bench->y, values), cr_ok);
  for (int c = 0; c < bench->n; ++c) {
    for (int i = starts[c]; i < starts[c + 1]; ++i) {
      assert_true(rows[i] >= 0 && rows[i] < bench->n && (i == starts[c] || rows[i] > rows[i - 1]));
      bench->matrix[c * bench->n + rows[i]] = values[i];
    }
  }
}

static void computeDifferences(Bench* bench)
{
  static const double places[4] = { -2.0, -1.0, 1.0, 2.0 };
  static const double steps[6] = { 1e-8, 1e-8, 1e-5, 1e-5, 1e-9, 1e-8 };
  for (int c = 0; c < bench->n; ++c) {
    double h = steps[bench->kinds[c]], f[4][MAX_STATES], saved = bench->y[c];
    for (int k = 0; k < 4; ++k) {
      bench->y[c] = saved + places[k] * h;
      computeRates(bench, f[k]);
    }
    bench->y[c] = saved;
    for (int r = 0; r < bench->n; ++r) {
      bench->differences[c * bench->n + r] = (8.0 * (f[2][r] - f[1][r]) - (f[3][r] - f[0][r])) / (12.0 * h);
    }
  }
}

// Against the largest entry of the same kind of row and column. byTurn: tolerance of columns of quaternions, of which a
// tenth of a metre counts as much as positions.
static void checkMatrix(Bench* bench, double tolerance, double byTurn)
{
  static const double noises[6] = { 1e-3, 4e-3, 1e-6, 1e-6, 1e-2, 1e-3 }; // by columns: round-off of the differences
  int n = bench->n, coupled = 0;
  double largest[6][6] = { { 0.0 } };
  double twirled = 0.0; // by how much bristles turn with both bodies, which slopes leave out
  for (int i = bench->treeStates; i < n; ++i) {
    twirled = fmax(twirled, fabs(bench->y[i]));
  }
  computeMatrix(bench);
  computeDifferences(bench);
  for (int i = 0; i < n * n; ++i) {
    double* size = &largest[bench->kinds[i % n]][bench->kinds[i / n]];
    *size = fmax(*size, fabs(bench->differences[i]));
  }
  for (int i = 0; i < n * n; ++i) {
    int row = bench->kinds[i % n], column = bench->kinds[i / n];
    double size = largest[row][column];
    size = column == 1 ? fmax(size, 0.1 * largest[row][0]) : size;
    double noise = noises[column] + (row >= 4 && column == 3 ? twirled : 0.0);
    assert_close(bench->matrix[i], bench->differences[i], (column == 1 ? byTurn : tolerance) * size + noise);
    coupled += i / n >= bench->treeStates && i % n < bench->treeStates && bench->matrix[i] != 0.0;
  }
  assert_true(coupled >= bench->n - bench->treeStates);
}

// Bristles without and with rolling, muS as muK and above; slow, so that they stick, and fast.
static const char* const statics[] = { "0.3", "0.5" };
static const char* const rollings[] = { "0", "0.02" };
static const double shares[] = { 0.5, 3.0 };

static void balls_on_a_plane_are_exact(void** state)
{
  (void)state;
  static const char* const spins[] = {
    "velocity = { 0.3, 0.1, -0.02 }, angularVelocity = { 1, 2, 3 },",
    "velocity = { 3e-6, 1e-6, 2e-6 }, angularVelocity = { 2e-5, 1e-5, 4e-5 },",
  };
  for (int i = 0; i < 16; ++i) {
    char text[2000];
    snprintf(text, sizeof text, FLOOR BODY("a", "0, 0, 0.0499", "sphere{ radius = 0.05 }", "%s"), statics[i % 2],
             rollings[i / 2 % 2], spins[i / 4 % 2]);
    Bench bench = openBench(text, shares[i / 8]);
    assert_int_equal(bench.set.contacts->bristleCount, i / 2 % 2 == 0 ? 2 : 5);
    checkMatrix(&bench, 1e-5, 1e-5);
    crCloseTestRun(&bench.run);
  }
}

static void balls_that_touch_each_other_are_exact(void** state)
{
  (void)state;
  for (int i = 0; i < 8; ++i) {
    char text[2000];
    snprintf(text, sizeof text,
             FLOOR BODY("a", "0, 0, 0.0499", "sphere{ radius = 0.05 }",
                        "velocity = { 3e-2, 1e-2, -2e-2 }, angularVelocity = { 0.1, 0.2, 0.3 },")
                 BODY("b", "0.04985, 0.06647, 0.0345", "sphere{ radius = 0.0346 }",
                      "velocity = { -2e-2, 2e-2, -3e-3 }, angularVelocity = { 0.3, -0.1, 0.2 },")
                     BODY("c", "0.2, 0.06, 0.0345", "sphere{ radius = 0.0346 }", ""),
             statics[i % 2], rollings[i / 2 % 2]);
    Bench bench = openBench(text, shares[i / 4]);
    assert_int_equal(crContacts_Count(bench.set.contacts), 4);
    checkMatrix(&bench, 1e-5, 1e-5);
    crCloseTestRun(&bench.run);
  }
}

// The centre of pressure moves when a body turns, and with it the arm of the bristle's force, which slopes leave out.
static void boxes_are_close(void** state)
{
  (void)state;
  static const char* const spins[] = {
    "velocity = { 0.3, 0.1, -0.02 }, angularVelocity = { 0.1, 0.2, 0.3 },",
    "velocity = { 3e-6, 1e-6, 2e-6 }, angularVelocity = { 2e-5, 1e-5, 4e-5 },",
  };
  for (int i = 0; i < 16; ++i) {
    char text[2000];
    snprintf(text, sizeof text,
             FLOOR BODY("a", "0, 0, 0.0499", "box{ size = { 0.2, 0.14, 0.1 } }", "%s")
                 BODY("b", "0.01, 0.02, 0.1498", "box{ size = { 0.1, 0.12, 0.1 } }", ""),
             statics[i % 2], rollings[i / 2 % 2], spins[i / 4 % 2]);
    Bench bench = openBench(text, shares[i / 8]);
    assert_int_equal(bench.set.contacts->bristleCount, i / 2 % 2 == 0 ? 6 : 10);
    checkMatrix(&bench, 3e-3, 0.1);
    crCloseTestRun(&bench.run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(balls_on_a_plane_are_exact),
    cmocka_unit_test(balls_that_touch_each_other_are_exact),
    cmocka_unit_test(boxes_are_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
