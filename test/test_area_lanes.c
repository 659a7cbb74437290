// Area contacts of boxes in lanes: the bits that every contact has by itself.
#include "collide/area/corner.h"
#include "collide/area/crossing.h"
#include "contact/area_lanes.h"
#include "contact/area_outline.h"
#include "support/island_run.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

#define BOXES 30
#define STATES 13
#define TRIALS 600

// Boxes of several sizes and laws among a floor, a slope and a step that do not move, and balls, which are none of
// ours.
#define HEAP                                                                                                           \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "solidMaterial('Steel', { density = 7800, E = 2e8, nu = 0.3 })\n"                                                    \
  "solidMaterial('Roll', { density = 2000, E = 5e7, nu = 0.3 })\n"                                                     \
  "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = 0 })\n"                                               \
  "contactPair('Rubber', 'Steel', { cor = 0.6, muK = 0.2, muR = 0 })\n"                                                \
  "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0 })\n"                                                     \
  "contactPair('Rubber', 'Roll', { cor = 0.5, muK = 0.2, muR = 0.1 })\n"                                               \
  "contactPair('Steel', 'Roll', { cor = 0.5, muK = 0.2, muR = 0, response = 'penalty', stiffness = 1e4 })\n"           \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                 \
  "object('slope', { parent = room, position = { 0.4, 0, 0 }, solid{ shape = halfSpace{ axis = { -1, 0, 0.5 } },\n"    \
  "  contact = 'Steel' } })\n"                                                                                         \
  "object('step', { parent = room, position = { 0, 0, 0.05 }, rotation = { 0.1, 0.2, 0.3 },\n"                         \
  "  solid{ shape = box{ size = { 0.2, 0.3, 0.1 } }, contact = 'Roll' } })\n"                                          \
  "for i = 1, 30 do\n"                                                                                                 \
  "  local size = 0.06 + 0.02 * (i % 3)\n"                                                                             \
  "  local shape = i % 10 == 0 and sphere{ radius = size / 2 } or box{ size = { size, 0.1, 0.05 + 0.3 * size } }\n"    \
  "  object('box' .. i, { parent = room, free = true, position = { 0, 0, i },\n"                                       \
  "    solid{ shape = shape, material = i % 2 == 0 and 'Rubber' or 'Steel',\n"                                         \
  "      contact = i % 2 == 0 and 'Rubber' or 'Steel' } })\n"                                                          \
  "end\n"

typedef struct Bench {
  crModel* model;
  crInstance* instance;
  crContacts* contacts;
  crTreeSet set;
  double y[STATES * BOXES], rates[STATES * BOXES];
} Bench;

static void openBench(Bench* bench)
{
  *bench = (Bench){ .model = crOpenIslandModel(&(crIslandPlan){ .text = HEAP }) };
  bench->set = crModel_GetAllTrees(bench->model);
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

// speed: [m/s], of which a trial has so much, and of which lanes may have none.
static void scatter(Bench* bench, double speed, crRandom* random)
{
  for (int k = 0; k < bench->set.treeCount; ++k) {
    double* y = bench->y + STATES * k;
    double q[4], size = 0.0;
    for (int i = 0; i < 3; ++i) {
      y[i] = crRandom_Uniform(random, -0.22, 0.22) + (i == 2 ? 0.24 : 0.0);
      y[7 + i] = speed * crRandom_Uniform(random, -1.0, 1.0);
      y[10 + i] = speed * crRandom_Uniform(random, -20.0, 20.0);
    }
    for (int i = 0; i < 4; ++i) {
      q[i] = crRandom_Uniform(random, -1.0, 1.0);
      size += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i) {
      y[3 + i] = q[i] / sqrt(size);
    }
  }
  crInstance_SetState(bench->instance, bench->set, 0.0, bench->y);
  assert_int_equal(crInstance_ResolveContacts(bench->instance, bench->set), cr_ok);
}

// What patches there were.
typedef struct Kinds {
  int groundCorners, boxCorners, edges, crossings, others;
} Kinds;

static void count(const crAreaSide* a, const crAreaSide* b, Kinds* kinds)
{
  crBoxCorner corner;
  crBoxCrossing crossing;
  if (crFindBoxCorner(a->shape, &a->X_WS, b->shape, &b->X_WS, &corner)) {
    ++*(corner.edge >= 0 ? &kinds->edges : corner.isSolid ? &kinds->boxCorners : &kinds->groundCorners);
  } else if (!corner.isApart && !corner.isIn && crFindBoxCrossing(a->shape, &a->X_WS, b->shape, &b->X_WS, &crossing)) {
    ++kinds->crossings;
  } else {
    ++kinds->others;
  }
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
  assert_true(a->area == b->area && a->pressure == b->pressure && a->grip == b->grip);
  assert_true(a->stored == b->stored && a->release == b->release);
}

// How many contacts lanes take on, of which they leave some to be evaluated alone.
static int countInLanes(const crInstance* instance, crContacts* contacts)
{
  int taken = 0;
  for (int k = 0, end = 0; k < contacts->pairs.count; k = end) {
    for (uint64_t done = crEvalAreas(instance, contacts, k, &end); done != 0; done &= done - 1) {
      ++taken;
    }
  }
  return taken;
}

static void contacts_in_lanes_have_the_bits_of_each_alone(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(5);
  Kinds kinds = { 0 };
  int taken = 0;
  openBench(&bench);
  for (int trial = 0; trial < TRIALS; ++trial) {
    scatter(&bench, trial % 5 == 0 ? 0.0 : trial % 2 == 0 ? 1.0 : 1e-3, &random);
    crContacts* contacts = bench.contacts;
    crContact* alone = malloc((size_t)contacts->contacts.count * sizeof *alone);
    memcpy(alone, contacts->contacts.items, (size_t)contacts->contacts.count * sizeof *alone);
    assert_int_equal(crInstance_ComputeRates(bench.instance, bench.set, 0.0, bench.y, bench.rates), cr_ok);
    for (int k = 0; k < contacts->contacts.count; ++k) {
      const crTouchingPair* pair = &contacts->pairs.items[k];
      crAreaSide a, b;
      if (pair->path == cr_touchArea) {
        crFillAreaSide(bench.instance, contacts, pair->shapeA, &a);
        crFillAreaSide(bench.instance, contacts, pair->shapeB, &b);
        crEvalAreaContact(pair->law, &a, &b, &alone[k]);
        assertAlike(&alone[k], &contacts->contacts.items[k]);
        count(&a, &b, &kinds);
      }
    }
    free(alone);
    taken += countInLanes(bench.instance, contacts);
  }
  closeBench(&bench);
  assert_true(taken > 1000);
  assert_true(kinds.groundCorners > 100 && kinds.boxCorners > 100 && kinds.edges > 20);
  assert_true(kinds.crossings > 100 && kinds.others > 100);
}

// The deepest point is the corner, and the others are where its edges come out of the plane.
static void assertOutline(const crAreaSide* box, const crAreaSide* ground, crVec3 n, const crPatchCorner* corners)
{
  crVec3 up = ground->X_WS.R.cz, first = crSub(corners[2].point, corners[1].point);
  assert_true(corners[0].pressure > 0.0);
  assert_true(crDot(crCross(first, crSub(corners[3].point, corners[1].point)), n) > 0.0);
  int axes = 0;
  for (int i = 0; i < 4; ++i) {
    crVec3 way = crMulTV(box->X_WS.R, crSub(corners[i].point, corners[0].point));
    double above = crDot(up, crSub(corners[i].point, ground->X_WS.p));
    bool isX = fabs(way.x) > 1e-9, isY = fabs(way.y) > 1e-9, isZ = fabs(way.z) > 1e-9;
    axes |= isX | isY << 1 | isZ << 2;
    assert_int_equal(isX + isY + isZ, i == 0 ? 0 : 1);
    assert_true(i == 0 ? above < 0.0 : fabs(above) < 1e-12 && corners[i].pressure == 0.0);
  }
  assert_int_equal(axes, 7);
}

static void outlines_of_corners_are_where_edges_come_out(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(6);
  int found = 0;
  openBench(&bench);
  for (int trial = 0; trial < TRIALS; ++trial) {
    scatter(&bench, 0.0, &random);
    assert_int_equal(crInstance_ComputeRates(bench.instance, bench.set, 0.0, bench.y, bench.rates), cr_ok);
    for (int k = 0; k < bench.contacts->contacts.count; ++k) {
      const crTouchingPair* pair = &bench.contacts->pairs.items[k];
      crVec3 n = bench.contacts->contacts.items[k].now.normal;
      crPatchCorner corners[CR_PATCH_CORNERS];
      crBoxCorner corner;
      crAreaSide a, b;
      crFillAreaSide(bench.instance, bench.contacts, pair->shapeA, &a);
      crFillAreaSide(bench.instance, bench.contacts, pair->shapeB, &b);
      if (crFindBoxCorner(a.shape, &a.X_WS, b.shape, &b.X_WS, &corner) && corner.edge < 0 && !corner.isSolid) {
        assert_int_equal(
            crFindAreaOutline(crFindAreaModulus(pair->law), a.shape, &a.X_WS, b.shape, &b.X_WS, n, corners), 4);
        assertOutline(corner.isOfB ? &b : &a, corner.isOfB ? &a : &b, n, corners);
        ++found;
      }
    }
  }
  closeBench(&bench);
  assert_true(found > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(contacts_in_lanes_have_the_bits_of_each_alone),
    cmocka_unit_test(outlines_of_corners_are_where_edges_come_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
