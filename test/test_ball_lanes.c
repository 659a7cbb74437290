// Balls in lanes: the rates that the usual evaluation has, contacts that begin inside steps, and what is told of them.
#include "contact/ball_lanes.h"
#include "contact/ball_stage.h"
#include "support/island_run.h"
#include "support/lanes_baseline.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

#define BALLS 40
#define STATES 13
#define MOST_CONTACTS 900

static crCrew crew;

// Balls of three sizes among a floor, a slope and a post.
#define HEAP                                                                                                           \
  "local p = parameters{ muR = 0, response = 'elastic' }\n"                                                            \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "solidMaterial('Steel', { density = 7800, E = 2e8, nu = 0.3 })\n"                                                    \
  "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = p.muR, response = p.response })\n"                    \
  "contactPair('Rubber', 'Steel', { cor = 0.6, muK = 0.2, muR = 0 })\n"                                                \
  "contactPair('Steel', 'Steel', { cor = 0.9, muK = 0, muR = 0 })\n"                                                   \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                 \
  "object('slope', { parent = room, position = { 0.3, 0, 0 }, solid{ shape = halfSpace{ axis = { -1, 0, 0.5 } },\n"    \
  "  contact = 'Steel' } })\n"                                                                                         \
  "object('post', { parent = room, position = { 0, 0, 0.1 }, rotation = { 0.1, 0.2, 0.3 },\n"                          \
  "  solid{ shape = box{ size = { 0.1, 0.1, 0.3 } }, contact = 'Rubber' } })\n"                                        \
  "for i = 1, 40 do\n"                                                                                                 \
  "  object('ball' .. i, { parent = room, free = true, position = { 0, 0, i },\n"                                      \
  "    solid{ shape = sphere{ radius = 0.03 + 0.01 * (i % 3) }, material = i % 2 == 0 and 'Rubber' or 'Steel',\n"      \
  "      contact = i % 2 == 0 and 'Rubber' or 'Steel' } })\n"                                                          \
  "end\n"

typedef struct Bench {
  crModel* model;
  crInstance* instance;
  crContacts* contacts;
  crTreeSet set;
  crBallLanes* lanes;
  int *starts, *neighbours; // all are
  double y[STATES * BALLS + 4], rates[STATES * BALLS + 4];
} Bench;

static void openBench(Bench* bench, const char* text, const char* muR, const char* response)
{
  *bench = (Bench){ .model = crOpenIslandModel(
                        &(crIslandPlan){ .text = text, .settings = { { "muR", muR }, { "response", response } } }) };
  bench->set = crModel_GetAllTrees(bench->model);
  assert_int_equal(crCreateInstance(bench->model, NULL, NULL, &bench->instance), cr_ok);
  assert_int_equal(crCreateContacts(bench->model, bench->set, NULL, &bench->contacts), cr_ok);
  bench->set.contacts = bench->contacts;
  assert_int_equal(crCreateBallLanes(bench->contacts->table, NULL, &bench->lanes), cr_ok);
  int count = bench->model->size.shapeCount, place = 0;
  bench->starts = calloc((size_t)count + 1, sizeof *bench->starts);
  bench->neighbours = calloc((size_t)(count * count), sizeof *bench->neighbours);
  for (int a = 0; a < count; ++a) {
    bench->starts[a] = place;
    for (int b = 0; b < count; ++b) {
      if (a != b && crModel_CanMeet(bench->model, a, b)) {
        bench->neighbours[place++] = b;
      }
    }
  }
  bench->starts[count] = place;
}

static void closeBench(Bench* bench)
{
  free(bench->starts);
  free(bench->neighbours);
  crDestroyBallLanes(bench->lanes);
  crDestroyContacts(bench->contacts);
  crDestroyInstance(bench->instance);
  crDestroyModel(bench->model);
}

static void scatter(Bench* bench, crRandom* random)
{
  for (int k = 0; k < bench->set.treeCount; ++k) {
    double* y = bench->y + STATES * k;
    double q[4], size = 0.0;
    for (int i = 0; i < 3; ++i) {
      y[i] = crRandom_Uniform(random, -0.2, 0.2) + (i == 2 ? 0.22 : 0.0);
      y[7 + i] = crRandom_Uniform(random, -1.0, 1.0);
      y[10 + i] = crRandom_Uniform(random, -20.0, 20.0);
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
  assert_int_equal(crInstance_ComputeRates(bench->instance, bench->set, 0.0, bench->y, bench->rates), cr_ok);
}

static bool begin(Bench* bench, double h)
{
  bool isWhole = false;
  crBallStep step = { h, bench->y, bench->rates, bench->starts, bench->neighbours, 0 };
  assert_true(crBallLanes_SetBalls(bench->lanes, bench->instance, bench->set));
  assert_true(crBallLanes_Begin(bench->lanes, bench->contacts, &step, &isWhole));
  return isWhole;
}

// The end of a step at these states.
static crStatus computeEnd(Bench* bench, double t0, double t1, const double* y, double* outRates, double* outPower)
{
  crBallLanes_FillStage(bench->lanes, y);
  crBallEnd end = { t0, t1, y, bench->lanes->stage, NULL };
  return crBallLanes_ComputeEnd(bench->lanes, &end, outRates, outPower);
}

static double sumDissipation(const crContacts* contacts)
{
  double sum = 0.0;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    sum += crContacts_Get(contacts, i).power;
  }
  return sum;
}

static void lanes_have_the_rates_of_the_usual_evaluation(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(11);
  int contactCount = 0;
  openBench(&bench, HEAP, "0", "elastic");
  assert_true(crAreBalls(bench.contacts->table, bench.set));
  for (int trial = 0; trial < 50; ++trial) {
    double rates[STATES * BALLS + 4], power = 0.0, atEnd[STATES * BALLS + 4], endPower = 0.0;
    scatter(&bench, &random);
    double dissipation = sumDissipation(bench.contacts), scale = 0.0;
    contactCount += crContacts_Count(bench.contacts);
    assert_true(begin(&bench, 1e-9));
    assert_int_equal(crBallLanes_ComputeRates(bench.lanes, bench.y, rates, &power), cr_ok);
    assert_int_equal(computeEnd(&bench, 0.0, 1e-9, bench.y, atEnd, &endPower), cr_ok);
    assert_int_equal(crBallLanes_GetBegun(bench.lanes)->count, 0);
    for (int i = 0; i < STATES * bench.set.treeCount; ++i) {
      scale = fmax(scale, fabs(bench.rates[i]));
    }
    for (int i = 0; i < STATES * bench.set.treeCount; ++i) {
      bool isTurning = i % STATES >= 3 && i % STATES < 7;
      assert_close(rates[i], isTurning ? 0.0 : bench.rates[i], 1e-12 * scale);
      assert_true(atEnd[i] == rates[i]);
    }
    assert_close(power, dissipation, 1e-11 * fabs(dissipation));
    assert_true(endPower == power);
  }
  assert_true(contactCount > 1000);
  closeBench(&bench);
}

// What is told is what the usual evaluation leaves in contacts.
static void a_report_tells_what_the_usual_evaluation_does(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(12);
  openBench(&bench, HEAP, "0", "elastic");
  scatter(&bench, &random);
  int count = crContacts_Count(bench.contacts);
  crContactRecord* before = calloc((size_t)count, sizeof *before);
  for (int i = 0; i < count; ++i) {
    before[i] = crContacts_Get(bench.contacts, i);
  }
  assert_true(begin(&bench, 1e-6));
  for (int i = 0; i < count; ++i) {
    bench.contacts->contacts.items[i].now = (crTouch){ 0 };
    bench.contacts->contacts.items[i].motion = (crContactMotion){ 0 };
    bench.contacts->contacts.items[i].force = (crContactForce){ 0 };
  }
  crBallLanes_Tell(bench.lanes, bench.contacts, bench.y);
  for (int i = 0; i < count; ++i) {
    crContactRecord now = crContacts_Get(bench.contacts, i);
    assert_close(now.depth, before[i].depth, 1e-15);
    assert_close(now.depthRate, before[i].depthRate, 1e-13);
    assert_close(now.slip, before[i].slip, 1e-13);
    assert_close(crLength(crSub(now.point, before[i].point)), 0.0, 1e-14);
    assert_close(crLength(crSub(now.normal, before[i].normal)), 0.0, 1e-13);
    assert_close(crLength(crSub(now.force, before[i].force)), 0.0, 1e-10 * (1.0 + crLength(now.force)));
    assert_close(now.elastic, before[i].elastic, 1e-10 * (1.0 + now.elastic));
  }
  free(before);
  closeBench(&bench);
}

// States, or rates, of the bench in lanes.
static void fill(const Bench* bench, const double* y, double* out)
{
  static const int firsts[3] = { 0, 7, 10 };
  for (int k = 0; k < CR_STAGE_ROW * bench->set.treeCount; ++k) {
    int lane = k % 4, part = k % CR_STAGE_ROW / 4;
    out[k] = lane < 3 ? y[STATES * (k / CR_STAGE_ROW) + firsts[part] + lane] : 0.0;
  }
}

// The next stage is the combination that it should be, of rates that are written nowhere else; with vector registers
// and without.
static void a_stage_is_formed_of_the_rates_at_the_last_one(void** state)
{
  (void)state;
  enum { count = CR_STAGE_ROW * BALLS };
  Bench bench;
  crRandom random = crMakeRandom(17);
  openBench(&bench, HEAP, "0", "elastic");
  for (int trial = 0; trial < 20; ++trial) {
    double rates[STATES * BALLS + 4], power, f[count], start[count], startRates[count], last[count], before[count];
    double out[count], plain[count];
    scatter(&bench, &random);
    assert_true(begin(&bench, 1e-6));
    assert_int_equal(crBallLanes_ComputeRates(bench.lanes, bench.y, rates, &power), cr_ok);
    fill(&bench, rates, f);
    fill(&bench, bench.y, last);
    for (int i = 0; i < count; ++i) {
      start[i] = i % 4 < 3 ? crRandom_Uniform(&random, -1.0, 1.0) : 0.0;
      before[i] = i % 4 < 3 ? crRandom_Uniform(&random, -1.0, 1.0) : 0.0;
      startRates[i] = i % 4 < 3 ? crRandom_Uniform(&random, -1.0, 1.0) : 0.0;
    }
    crLaneStage stage = { start, startRates, last, before, out, { 0.3, 1.5, -0.8, 1e-3, -4e-4 } };
    const double* w = stage.weights;
    assert_true(crBallLanes_ComputeNext(bench.lanes, &stage) == power);
    for (int i = 0; i < count; ++i) {
      assert_true(out[i] == w[0] * start[i] + w[1] * last[i] + w[2] * before[i] + w[3] * f[i] + w[4] * startRates[i]);
    }
    stage.out = plain;
    assert_true(baselineComputeNext(bench.lanes, &stage) == power);
    assert_memory_equal(out, plain, sizeof out);
  }
  closeBench(&bench);
}

// A crew of threads, all of which are this one: parts in another order each time.
static void runShuffled(void* team, crCrewTask* task, void* context)
{
  crRandom* random = team;
  int count = crew.count, order[16];
  for (int i = 0; i < count; ++i) {
    int k = (int)crRandom_Uniform(random, 0.0, i + 0.999);
    order[i] = order[k];
    order[k] = i;
  }
  for (int i = 0; i < count; ++i) {
    task(context, order[i]);
  }
}

// What lanes say of a step: a stage behind its start, and its end.
typedef struct Step {
  double next[CR_STAGE_ROW * BALLS], rates[STATES * BALLS + 4], points[CR_POINT_ARRAYS * MOST_CONTACTS];
  double powers[2];
  int count, begun;
} Step;

static void takeLaneStep(Bench* bench, double h, const double* end, Step* out)
{
  static double zero[CR_STAGE_ROW * BALLS], last[CR_STAGE_ROW * BALLS];
  memset(out, 0, sizeof *out);
  assert_true(begin(bench, h));
  fill(bench, bench->y, last);
  crLaneStage stage = { last, zero, last, zero, out->next, { 0.25, 0.75, 0.0, 1e-4, 0.0 } };
  out->powers[0] = crBallLanes_ComputeNext(bench->lanes, &stage);
  assert_int_equal(computeEnd(bench, 0.0, h, end, out->rates, &out->powers[1]), cr_ok);
  out->begun = crBallLanes_GetBegun(bench->lanes)->count;
  const crBallLists* all[3] = { &bench->lanes->pairs, &bench->lanes->walls, &bench->lanes->solids };
  for (int l = 0; l < 3; ++l) {
    for (int i = 0; i < all[l]->count; ++i) {
      for (int k = 0; k < CR_POINT_ARRAYS; ++k) {
        out->points[out->count++] = all[l]->points[k * all[l]->room + i];
      }
    }
  }
}

// However many there are: whoever computes a contact once more for a ball of its own adds it up where one alone does.
static void a_crew_has_the_bits_of_one_who_is_alone(void** state)
{
  (void)state;
  static Step alone, together;
  double shares[6]; // of one more than the most parts
  Bench bench;
  crRandom random = crMakeRandom(29), order = crMakeRandom(30);
  int begun = 0, copies = 0;
  openBench(&bench, HEAP, "0", "elastic");
  for (int trial = 0; trial < 20; ++trial) {
    double end[STATES * BALLS + 4];
    scatter(&bench, &random);
    for (int k = 0; k < STATES * BALLS; ++k) {
      bench.y[k] *= k % STATES < 3 ? 0.35 : 1.0;
    }
    crInstance_SetState(bench.instance, bench.set, 0.0, bench.y);
    assert_int_equal(crInstance_ResolveContacts(bench.instance, bench.set), cr_ok);
    assert_int_equal(crInstance_ComputeRates(bench.instance, bench.set, 0.0, bench.y, bench.rates), cr_ok);
    for (int k = 0; k < STATES * BALLS; ++k) {
      end[k] = bench.y[k] + (k % STATES < 3 ? 1e-3 * bench.y[k + 7] : 0.0);
    }
    assert_true(crBallLanes_SetCrew(bench.lanes, NULL));
    takeLaneStep(&bench, 1e-3, end, &alone);
    assert_true(bench.lanes->pairs.kept > 2 * CR_BALL_BLOCK && alone.count < CR_POINT_ARRAYS * MOST_CONTACTS);
    begun += alone.begun;
    for (int count = 1; count <= 5; ++count) {
      for (int i = 0; i <= count; ++i) {
        shares[i] = (double)i / count;
      }
      crew = (crCrew){ count, shares, &order, runShuffled };
      assert_true(crBallLanes_SetCrew(bench.lanes, NULL));
      assert_true(crBallLanes_SetCrew(bench.lanes, &crew));
      takeLaneStep(&bench, 1e-3, end, &together);
      assert_true(bench.lanes->areShared);
      copies += bench.lanes->parts[count - 1].odd.count;
      assert_memory_equal(&alone, &together, sizeof alone);
    }
  }
  assert_true(begun > 20 && copies > 1000);
  assert_true(crBallLanes_SetCrew(bench.lanes, NULL));
  closeBench(&bench);
}

// Balls of one size have a way of their own through the lanes, with the same bits.
static void balls_of_one_size_have_the_bits_of_any_other(void** state)
{
  (void)state;
  const char* text = "local p = parameters{ muR = 0, response = '' }\n"
                     "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"
                     "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = 0 })\n"
                     "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"
                     "for i = 1, 40 do object('ball' .. i, { parent = room, free = true, position = { 0, 0, i },\n"
                     "  solid{ shape = sphere{ radius = 0.05 }, material = 'Rubber', contact = 'Rubber' } }) end\n";
  Bench bench;
  crRandom random = crMakeRandom(18);
  openBench(&bench, text, "0", "");
  for (int trial = 0; trial < 20; ++trial) {
    double even[STATES * BALLS + 4] = { 0.0 }, uneven[STATES * BALLS + 4] = { 0.0 }, power, other;
    scatter(&bench, &random);
    assert_true(begin(&bench, 1e-6));
    assert_true(bench.lanes->pairs.count > 10 && !bench.lanes->pairs.isUneven);
    assert_int_equal(crBallLanes_ComputeRates(bench.lanes, bench.y, even, &power), cr_ok);
    bench.lanes->pairs.isUneven = true;
    assert_int_equal(crBallLanes_ComputeRates(bench.lanes, bench.y, uneven, &other), cr_ok);
    assert_memory_equal(even, uneven, sizeof even);
    assert_true(power == other);
  }
  closeBench(&bench);
}

// Forces between balls are those of an isolated system: nothing is gained by momentum or spin.
static void forces_of_balls_keep_momentum(void** state)
{
  (void)state;
  const char* text = "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"
                     "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = 0 })\n"
                     "scene{ gravity = 'none' }\n"
                     "local p = parameters{ muR = 0, response = '' }\n"
                     "local room = world('room')\n"
                     "for i = 1, 40 do object('ball' .. i, { parent = room, free = true, position = { 0, 0, i },\n"
                     "  solid{ shape = sphere{ radius = 0.03 + 0.01 * (i % 3) }, material = 'Rubber',\n"
                     "  contact = 'Rubber' } }) end\n";
  Bench bench;
  crRandom random = crMakeRandom(13);
  openBench(&bench, text, "0", "");
  scatter(&bench, &random);
  double rates[STATES * BALLS + 4], power, size = 0.0;
  assert_true(begin(&bench, 1e-9));
  assert_int_equal(crBallLanes_ComputeRates(bench.lanes, bench.y, rates, &power), cr_ok);
  crVec3 linear = { 0.0, 0.0, 0.0 }, angular = { 0.0, 0.0, 0.0 };
  for (int k = 0; k < bench.set.treeCount; ++k) {
    const crLink* link = &bench.model->links[bench.model->trees[bench.set.trees[k]].bodyStart];
    const double *y = bench.y + STATES * k, *r = rates + STATES * k;
    crVec3 p = { y[0], y[1], y[2] }, f = crScale(link->mass, crMakeVec3(r[7], r[8], r[9]));
    crVec3 t = crScale(1.0 / link->inverseRound, crMakeVec3(r[10], r[11], r[12]));
    linear = crAdd(linear, f);
    angular = crAdd(angular, crAdd(crCross(p, f), t));
    size += crLength(f);
  }
  assert_true(size > 1.0);
  assert_true(crLength(linear) < 1e-13 * size && crLength(angular) < 1e-13 * size);
  assert_true(power > 0.0);
  closeBench(&bench);
}

// A ball that falls on a floor, a slope or a ball: when and how fast is known.
static void what_begins_in_a_step_begins_when_and_as_fast_as_it_should(void** state)
{
  (void)state;
  const char* text = "local p = parameters{ muR = 0, response = '' }\n"
                     "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"
                     "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = 0 })\n"
                     "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"
                     "for i = 1, 3 do object('ball' .. i, { parent = room, free = true, position = { i, 0, 1 },\n"
                     "  solid{ shape = sphere{ radius = 0.05 }, material = 'Rubber', contact = 'Rubber' } }) end\n";
  Bench bench;
  openBench(&bench, text, "0", "");
  double h = 1e-3, g = 9.81, end[STATES * BALLS + 4];
  const double heights[3] = { 0.0505, 0.2, 0.3004 }, speeds[3] = { -1.0, 0.0, -0.5 };
  for (int k = 0; k < 3; ++k) { // the third falls on the second
    double* y = bench.y + STATES * k;
    y[0] = k == 0 ? 1.0 : 2.0;
    y[2] = heights[k];
    y[3] = 1.0;
    y[9] = speeds[k];
  }
  crInstance_SetState(bench.instance, bench.set, 0.0, bench.y);
  assert_int_equal(crInstance_ResolveContacts(bench.instance, bench.set), cr_ok);
  assert_int_equal(crInstance_ComputeRates(bench.instance, bench.set, 0.0, bench.y, bench.rates), cr_ok);
  assert_int_equal(crContacts_Count(bench.contacts), 0);
  assert_true(begin(&bench, h));
  memcpy(end, bench.y, sizeof end);
  for (int k = 0; k < 3; ++k) {
    end[STATES * k + 2] += h * (speeds[k] - 0.5 * g * h);
    end[STATES * k + 9] -= g * h;
  }
  double rates[STATES * BALLS + 4], power;
  assert_int_equal(computeEnd(&bench, 5.0, 5.0 + h, end, rates, &power), cr_ok);
  crContactStarts starts = *crBallLanes_GetBegun(bench.lanes);
  assert_int_equal(starts.count, 2);
  double fall = (sqrt(1.0 + 2.0 * g * 0.0005) - 1.0) / g;
  assert_close(starts.items[0].time, 5.0 + fall, 1e-9);
  assert_close(starts.items[0].rate, 1.0 + g * fall, 1e-6);
  assert_close(starts.items[1].time, 5.0 + 0.0008, 1e-9); // both fall alike
  assert_close(starts.items[1].rate, 0.5, 1e-6);
  assert_true(begin(&bench, 1e-5)); // too short for any of them
  assert_int_equal(computeEnd(&bench, 5.0, 5.0 + h, end, rates, &power), cr_ok);
  assert_int_equal(crBallLanes_GetBegun(bench.lanes)->count, 0);
  closeBench(&bench);
}

// In any order and in any portions.
static void contacts_that_begin_take_their_places_in_the_order_of_pairs(void** state)
{
  (void)state;
  enum { most = BALLS * (BALLS - 1) / 2 };
  Bench bench;
  crRandom random = crMakeRandom(23);
  openBench(&bench, HEAP, "0", "elastic");
  scatter(&bench, &random);
  assert_true(begin(&bench, 1e-4));
  for (int trial = 0; trial < 5; ++trial) {
    crContactStart starts[most];
    int count = 0;
    crContacts_Clear(bench.contacts);
    for (int a = 0; a < BALLS; ++a) {
      for (int b = a + 1; b < BALLS; ++b) {
        crBoxPair pair = { bench.lanes->balls[a].shape, bench.lanes->balls[b].shape };
        crTouchGeometry geometry = { .radiusA = 0.05, .radiusB = 0.05, .isRoundA = true, .isRoundB = true };
        starts[count++] = (crContactStart){ .pair = pair, .rate = 1.0 + BALLS * a + b, .geometry = geometry };
      }
    }
    for (int i = count - 1; i > 0; --i) {
      int k = (int)crRandom_Uniform(&random, 0.0, i + 0.999);
      crContactStart start = starts[i];
      starts[i] = starts[k];
      starts[k] = start;
    }
    for (int i = 0, some; i < count; i += some) {
      some = 1 + (int)crRandom_Uniform(&random, 0.0, 6.0);
      some = some < count - i ? some : count - i;
      assert_int_equal(crContacts_Insert(bench.contacts, starts + i, some), cr_ok);
      if (crRandom_Uniform(&random, 0.0, 1.0) < 0.2) {
        crContacts_SeatLate(bench.contacts);
      }
      for (int k = 0; k < count; ++k) {
        const crTouchingPair* pair;
        crContact* contact;
        assert_true(crContacts_FindSeat(bench.contacts, starts[k].pair, &pair, &contact) == (k < i + some));
        assert_true(k >= i + some || contact->approach == starts[k].rate);
      }
    }
    crContacts_SeatLate(bench.contacts);
    assert_int_equal(bench.contacts->pairs.count, count);
    for (int k = 0; k < count; ++k) {
      const crTouchingPair* pair = &bench.contacts->pairs.items[k];
      assert_true(k == 0 || crComparePairs(pair[-1].shapeA, pair[-1].shapeB, pair->shapeA, pair->shapeB) < 0);
      assert_true(crContacts_FindPair(bench.contacts, starts[k].pair) != NULL);
    }
  }
  crContacts_Clear(bench.contacts);
  closeBench(&bench);
}

static void other_laws_are_not_for_lanes(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(14);
  const char* others[][2] = { { "0.1", "elastic" }, { "0", "observer" } };
  for (int i = 0; i < 2; ++i) {
    Bench bench;
    openBench(&bench, HEAP, others[i][0], others[i][1]);
    scatter(&bench, &random);
    assert_false(begin(&bench, 1e-6));
    closeBench(&bench);
  }
}

static void numbers_that_are_not_finite_are_refused(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(15);
  openBench(&bench, HEAP, "0", "elastic");
  for (int place = 0; place < STATES; ++place) {
    double rates[STATES * BALLS + 4], power;
    scatter(&bench, &random);
    assert_true(begin(&bench, 1e-6));
    bench.y[STATES * 17 + place] = (double)NAN;
    bool isTurning = place >= 3 && place < 7; // nothing depends on these
    assert_int_equal(crBallLanes_ComputeRates(bench.lanes, bench.y, rates, &power), isTurning ? cr_ok : cr_retry);
  }
  closeBench(&bench);
}

// The same bits with vector registers and without.
static void lanes_have_the_bits_of_the_plainest_processor(void** state)
{
  (void)state;
  Bench bench;
  crRandom random = crMakeRandom(16);
  openBench(&bench, HEAP, "0", "elastic");
  for (int trial = 0; trial < 50; ++trial) {
    double rates[STATES * BALLS + 4] = { 0.0 }, plain[STATES * BALLS + 4] = { 0.0 }, power, plainPower;
    scatter(&bench, &random);
    assert_true(begin(&bench, 1e-4));
    assert_int_equal(crBallLanes_ComputeRates(bench.lanes, bench.y, rates, &power), cr_ok);
    assert_int_equal(baselineComputeRates(bench.lanes, bench.y, plain, &plainPower), cr_ok);
    assert_memory_equal(rates, plain, sizeof rates);
    assert_true(power == plainPower);
    assert_int_equal(baselineEvalPoints(bench.lanes, bench.lanes->stage, plain, NULL, &plainPower), cr_ok);
    assert_memory_equal(rates, plain, sizeof rates);
    assert_true(power == plainPower);
  }
  closeBench(&bench);
}

// Rates, powers and sums over contacts in a stage of a step, against those of the usual evaluation, which left the
// contacts as they are. Returns the contacts that were in lanes.
static int compareStage(Bench* bench, crBallStage* stage)
{
  double rates[STATES * BALLS + 4], scale = 0.0;
  int count = crContacts_Count(bench->contacts), others;
  crContact *items = bench->contacts->contacts.items, *usual = calloc((size_t)count, sizeof *usual);
  double dissipation = crContacts_SumPowers(bench->contacts, bench->instance).dissipation;
  bool isWorth = false;
  crContacts_StartSums(bench->contacts);
  crContacts_BeginSums(bench->contacts, 0.1, 0.3);
  crContacts_AddToSums(bench->contacts, 0.7);
  memcpy(usual, items, (size_t)count * sizeof *usual);
  assert_true(crBallStage_List(stage, bench->contacts, &isWorth));
  assert_true(isWorth);
  bench->contacts->stage = stage;
  assert_int_equal(crInstance_ComputeRates(bench->instance, bench->set, 0.0, bench->y, rates), cr_ok);
  assert_close(crContacts_SumPowers(bench->contacts, bench->instance).dissipation, dissipation, 1e-11 * dissipation);
  crContacts_BeginSums(bench->contacts, 0.1, 0.3);
  crContacts_AddToSums(bench->contacts, 0.7);
  bench->contacts->stage = NULL;
  for (int i = 0; i < STATES * bench->set.treeCount; ++i) {
    scale = fmax(scale, fabs(bench->rates[i]));
  }
  for (int i = 0; i < STATES * bench->set.treeCount; ++i) {
    assert_close(rates[i], bench->rates[i], 1e-12 * scale);
  }
  for (int i = 0; i < count; ++i) {
    assert_true(items[i].hasSums);
    assert_close(items[i].impulseSum, usual[i].impulseSum, 1e-10 * (1.0 + usual[i].impulseSum));
    assert_close(items[i].dissipationSum, usual[i].dissipationSum, 1e-10 * (1.0 + fabs(usual[i].dissipationSum)));
    assert_close(items[i].slideSum, usual[i].slideSum, 1e-12 * (1.0 + usual[i].slideSum));
  }
  crBallStage_GetOthers(stage, &others);
  free(usual);
  return count - others;
}

// Among contacts with walls and a post, and with muR those of rubber, which roll, and are evaluated one by one.
static void stages_of_steps_have_the_rates_and_sums_of_the_usual_evaluation(void** state)
{
  (void)state;
  static const char* const rolling[2] = { "0", "0.01" };
  int inLanes[2] = { 0, 0 };
  for (int k = 0; k < 2; ++k) {
    Bench bench;
    crBallStage* stage;
    crRandom random = crMakeRandom(18);
    openBench(&bench, HEAP, rolling[k], "elastic");
    assert_int_equal(crCreateBallStage(NULL, &stage), cr_ok);
    for (int trial = 0; trial < 50; ++trial) {
      scatter(&bench, &random);
      inLanes[k] += compareStage(&bench, stage);
    }
    crDestroyBallStage(stage);
    closeBench(&bench);
  }
  assert_true(inLanes[1] > 300);
  assert_true(inLanes[0] > 1.2 * inLanes[1]);
}

static void numbers_that_are_not_finite_are_refused_in_stages(void** state)
{
  (void)state;
  Bench bench;
  crBallStage* stage;
  crRandom random = crMakeRandom(19);
  double rates[STATES * BALLS + 4];
  bool isWorth = false;
  openBench(&bench, HEAP, "0", "elastic");
  assert_int_equal(crCreateBallStage(NULL, &stage), cr_ok);
  scatter(&bench, &random);
  assert_true(crBallStage_List(stage, bench.contacts, &isWorth));
  bench.contacts->stage = stage;
  bench.y[STATES * 7 + 8] = NAN;
  assert_int_equal(crInstance_ComputeRates(bench.instance, bench.set, 0.0, bench.y, rates), cr_retry);
  crDestroyBallStage(stage);
  closeBench(&bench);
}

// Few contacts are evaluated one by one.
static void lanes_are_for_stages_of_many_contacts(void** state)
{
  (void)state;
  Bench bench;
  crBallStage* stage;
  bool isWorth = true;
  openBench(&bench, HEAP, "0", "elastic");
  assert_int_equal(crCreateBallStage(NULL, &stage), cr_ok);
  assert_true(crBallStage_List(stage, bench.contacts, &isWorth));
  assert_false(isWorth);
  crDestroyBallStage(stage);
  closeBench(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(lanes_have_the_rates_of_the_usual_evaluation),
    cmocka_unit_test(a_report_tells_what_the_usual_evaluation_does),
    cmocka_unit_test(a_stage_is_formed_of_the_rates_at_the_last_one),
    cmocka_unit_test(a_crew_has_the_bits_of_one_who_is_alone),
    cmocka_unit_test(balls_of_one_size_have_the_bits_of_any_other),
    cmocka_unit_test(forces_of_balls_keep_momentum),
    cmocka_unit_test(what_begins_in_a_step_begins_when_and_as_fast_as_it_should),
    cmocka_unit_test(contacts_that_begin_take_their_places_in_the_order_of_pairs),
    cmocka_unit_test(other_laws_are_not_for_lanes),
    cmocka_unit_test(numbers_that_are_not_finite_are_refused),
    cmocka_unit_test(lanes_have_the_bits_of_the_plainest_processor),
    cmocka_unit_test(stages_of_steps_have_the_rates_and_sums_of_the_usual_evaluation),
    cmocka_unit_test(numbers_that_are_not_finite_are_refused_in_stages),
    cmocka_unit_test(lanes_are_for_stages_of_many_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
