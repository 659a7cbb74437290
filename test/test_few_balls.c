// A few balls in a step: the bits of an evaluation, of rates and of what it leaves in contacts; and who is none of
// them.
#include "contact/few_balls.h"
#include "support/island_run.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

#define BALLS 6
#define STATES 13
#define TRIALS 400

// Balls of several sizes and laws between a floor, a slope and a step that do not move.
#define HEAP                                                                                                           \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "solidMaterial('Steel', { density = 7800, E = 2e8, nu = 0.3 })\n"                                                    \
  "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = 0.1 })\n"                                             \
  "contactPair('Rubber', 'Steel', { cor = 0.6, muK = 0.2, muR = 0 })\n"                                                \
  "contactPair('Steel', 'Steel', { cor = 1, muK = 0.1, muR = 0, response = 'springDamper', stiffness = 1e4,\n"         \
  "  damping = 20 })\n"                                                                                                \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                 \
  "object('slope', { parent = room, position = { 0.3, 0, 0 }, solid{ shape = halfSpace{ axis = { -1, 0, 0.5 } },\n"    \
  "  contact = 'Steel' } })\n"                                                                                         \
  "object('step', { parent = room, position = { 0, 0, 0.05 }, rotation = { 0.1, 0.2, 0.3 },\n"                         \
  "  solid{ shape = box{ size = { 0.1, 0.15, 0.1 } }, contact = 'Rubber' } })\n"                                       \
  "for i = 1, 6 do\n"                                                                                                  \
  "  local matter = i % 2 == 0 and 'Rubber' or 'Steel'\n"                                                              \
  "  object('ball' .. i, { parent = room, free = true, position = { 0, 0, i },\n"                                      \
  "    solid{ shape = " SHAPE ", material = matter, contact = matter } })\n"                                           \
  "end\n"
#define SHAPE "sphere{ radius = 0.04 + 0.01 * (i % 3) }"

// One of them is none.
#define BOXED "i == 3 and box{ size = { 0.1, 0.1, 0.1 } } or sphere{ radius = 0.05 }"

typedef struct Bench {
  crModel* model;
  crInstance* instance;
  crContacts* contacts;
  crTreeSet set;
  double y[STATES * BALLS];
} Bench;

static void openBench(Bench* bench, const char* text)
{
  *bench = (Bench){ .model = crOpenIslandModel(&(crIslandPlan){ .text = text }) };
  bench->set = crModel_GetAllTrees(bench->model);
  assert_int_equal(bench->set.treeCount, BALLS);
  assert_int_equal(crCreateInstance(bench->model, NULL, NULL, &bench->instance), cr_ok);
  assert_int_equal(crCreateContacts(bench->model, bench->set, NULL, &bench->contacts), cr_ok);
  bench->set.contacts = bench->contacts;
}

static void closeBench(Bench* bench)
{
  crDestroyContacts(bench->contacts);
  crDestroyInstance(bench->instance);
  crDestroyModel(bench->model);
}

static void scatter(Bench* bench, double speed, crRandom* random)
{
  for (int k = 0; k < BALLS; ++k) {
    double* y = bench->y + STATES * k;
    for (int i = 0; i < STATES; ++i) {
      y[i] = i < 3   ? crRandom_Uniform(random, -0.12, 0.12)
             : i < 7 ? i == 3
                     : speed * crRandom_Uniform(random, -1.0, 1.0);
    }
    y[2] += 0.13;
  }
  crInstance_SetState(bench->instance, bench->set, 0.0, bench->y);
  assert_int_equal(crInstance_ResolveContacts(bench->instance, bench->set), cr_ok);
}

static void assertNumbers(const void* a, const void* b, size_t size)
{
  const double *x = a, *y = b;
  for (size_t i = 0; i < size / sizeof *x; ++i) {
    assert_true(x[i] == y[i]);
  }
}

// All that an evaluation tells.
static void assertAlike(const crContact* a, const crContact* b)
{
  assertNumbers(&a->now, &b->now, sizeof a->now);
  assertNumbers(&a->motion, &b->motion, sizeof a->motion);
  assertNumbers(&a->force, &b->force, sizeof a->force);
  assertNumbers(&a->drag, &b->drag, sizeof a->drag);
  assert_true(a->stored == b->stored && a->release == b->release);
}

// But for those of quaternions, on which nothing depends.
static void assertRates(const double* a, const double* b)
{
  for (int i = 0; i < STATES * BALLS; ++i) {
    bool isTurn = i % STATES >= 3 && i % STATES < 7;
    assert_true(isTurn ? a[i] == 0.0 : a[i] == b[i]);
  }
}

static void a_few_balls_have_the_bits_of_an_evaluation(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(11);
  crFewBalls few;
  int owners[BALLS], contactCount = 0, taken = 0;
  openBench(&bench, HEAP);
  memset(owners, 0, sizeof owners);
  for (int trial = 0; trial < TRIALS; ++trial) {
    scatter(&bench, trial % 2 == 0 ? 1.0 : 1e-3, &random);
    if (!crFewBalls_List(&few, bench.instance, bench.set, owners, 0)) { // some touch a solid twice over
      continue;
    }
    ++taken;
    double rates[STATES * BALLS], own[STATES * BALLS];
    crPowers powers, ends;
    crContacts* contacts = bench.contacts;
    crContact* before = malloc((size_t)contacts->contacts.count * sizeof *before);
    assert_int_equal(crInstance_ComputeRates(bench.instance, bench.set, 0.0, bench.y, rates), cr_ok);
    crPowers whole = crInstance_ComputePowers(bench.instance, bench.set);
    memcpy(before, contacts->contacts.items, (size_t)contacts->contacts.count * sizeof *before);
    for (int i = 0; i < STATES * BALLS; ++i) { // stages look at nothing but what they are given
      bench.instance->y[i] = NAN;
    }
    assert_int_equal(crFewBalls_ComputeRates(&few, bench.instance, bench.set, bench.y, own, &powers), cr_ok);
    assertRates(own, rates);
    assert_true(powers.dissipation == whole.dissipation && powers.work == 0.0);
    for (int k = 0; k < contacts->contacts.count; ++k) {
      contacts->contacts.items[k].motion.depth = contacts->contacts.items[k].force.elastic = NAN;
    }
    assert_int_equal(crFewBalls_ComputeEnd(&few, bench.instance, bench.set, 0.0, bench.y, own, &ends), cr_ok);
    assertRates(own, rates);
    assert_true(ends.dissipation == whole.dissipation);
    for (int k = 0; k < contacts->contacts.count; ++k) {
      assertAlike(&contacts->contacts.items[k], &before[k]);
    }
    contactCount += contacts->contacts.count;
    free(before);
  }
  closeBench(&bench);
  assert_true(taken > TRIALS / 2 && contactCount > 2 * taken);
}

static void numbers_that_are_not_finite_are_refused(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(12);
  crFewBalls few;
  crPowers powers;
  double own[STATES * BALLS];
  int owners[BALLS] = { 0 };
  openBench(&bench, HEAP);
  do {
    scatter(&bench, 1.0, &random);
  } while (!crFewBalls_List(&few, bench.instance, bench.set, owners, 0));
  bench.y[STATES + 8] = NAN;
  assert_int_equal(crFewBalls_ComputeRates(&few, bench.instance, bench.set, bench.y, own, &powers), cr_retry);
  assert_int_equal(crFewBalls_ComputeEnd(&few, bench.instance, bench.set, 0.0, bench.y, own, &powers), cr_retry);
  closeBench(&bench);
}

#undef SHAPE
#define SHAPE BOXED

static void what_is_no_ball_is_left_to_the_instance(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(13);
  crFewBalls few;
  int owners[BALLS] = { 0 };
  openBench(&bench, HEAP);
  scatter(&bench, 1.0, &random);
  assert_false(crFewBalls_List(&few, bench.instance, bench.set, owners, 0));
  closeBench(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_few_balls_have_the_bits_of_an_evaluation),
    cmocka_unit_test(numbers_that_are_not_finite_are_refused),
    cmocka_unit_test(what_is_no_ball_is_left_to_the_instance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
