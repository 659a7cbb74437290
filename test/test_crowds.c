// Crowds: what is told of their contacts, from where they go on, and what leaves no trace in them.
#include "support/island_run.h"
#include "support/saved_run.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

#define GRAVITY 9.81
#define RADIUS 0.05
#define MASS (1000.0 * 4.0 / 3.0 * 3.14159265358979323846 * RADIUS * RADIUS * RADIUS)

static crModel* openPile(const char* count, const char* friction)
{
  return crOpenIslandModel(
      &(crIslandPlan){ .file = "bench/scenes/pile.lua", .settings = { { "n", count }, { "muK", friction } } });
}

static crIslandRun runPile(const crModel* model, double stop, double interval, double tolerance)
{
  crSimulationOptions options = crIslandOptions(stop, tolerance);
  options.interval = interval > 0.0 ? interval : options.interval;
  crIslandRun run = crRunIslands(model, &options);
  assert_int_equal(run.status, cr_ok);
  return run;
}

// Sums over all contacts, those that are over and those that last.
typedef struct Sums {
  double onFloor;     // [N s]
  double dissipation; // [J]
  double slipPath;    // [m]
} Sums;

static void addRecord(const crIslandRun* run, const crContactRecord* record, Sums* sums)
{
  bool isFloor = strcmp(crModel_GetObjectPath(run->model, record->objectA), "room") == 0;
  sums->onFloor += isFloor ? record->impulse : 0.0;
  sums->dissipation += record->dissipation;
  sums->slipPath += record->slipPath;
}

static Sums sumContacts(const crIslandRun* run)
{
  Sums sums = { 0.0, 0.0, 0.0 };
  for (int i = 0; i < run->eventCount; ++i) {
    if (run->events[i].phase == cr_contactEnd) {
      addRecord(run, &run->events[i], &sums);
    }
  }
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord record = crContacts_Get(contacts, i);
    addRecord(run, &record, &sums);
  }
  return sums;
}

// Without friction only the floor takes what gravity gives: its impulses are those of all the weight, and of what the
// balls still have. Walls take none of it.
static void the_floor_carries_what_gravity_gives(void** state)
{
  (void)state;
  crModel* model = openPile("60", "0");
  crIslandRun run = runPile(model, 0.3, 0.0, 1e-3);
  double momentum = 0.0, stop = 0.3;
  int count = 0;
  const double* y = run.states + (size_t)(run.rowCount - 1) * (size_t)run.stateCount;
  for (int k = 0; k + 12 < run.stateCount; k += 13) {
    momentum += MASS * (y[k + 9] + GRAVITY * stop);
    ++count;
  }
  Sums sums = sumContacts(&run);
  assert_int_equal(count, 60);
  assert_close(sums.onFloor, momentum, 2e-3 * momentum);
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

static void contacts_account_for_what_is_dissipated(void** state)
{
  (void)state;
  crModel* model = openPile("60", "0.5");
  crIslandRun run = runPile(model, 0.3, 0.0, 1e-3);
  Sums sums = sumContacts(&run);
  double dissipated = run.summary.dissipated;
  assert_true(dissipated > 1.0);
  assert_close(sums.dissipation, dissipated, 1e-2 * dissipated);
  assert_true(fabs(crIslandRun_Unexplained(&run)) < 2e-3 * dissipated);
  crAssertEventsAreSound(&run);
  crAssertContactsAreWhole(&run, 1e-9);
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

// Who looks is told of contacts, which changes nothing of them.
static void looking_at_a_crowd_changes_no_bit_of_its_contacts(void** state)
{
  (void)state;
  crModel* model = openPile("100", "0.5");
  crIslandRun one = runPile(model, 0.25, 0.0, 1e-3), many = runPile(model, 0.25, 0.0037, 1e-3);
  Sums a = sumContacts(&one), b = sumContacts(&many);
  assert_true(crCompareEnds(&one, &many) == 0.0);
  assert_int_equal(one.eventCount, many.eventCount);
  assert_memory_equal(&a, &b, sizeof a);
  for (int i = 0; i < one.eventCount; ++i) {
    const crContactRecord *x = &one.events[i], *y = &many.events[i];
    assert_true(x->time == y->time && x->impulse == y->impulse && x->dissipation == y->dissipation &&
                x->maxDepth == y->maxDepth && x->maxForce == y->maxForce && x->slipPath == y->slipPath &&
                x->creep.path == y->creep.path);
  }
  crIslandRun_Free(&many);
  crIslandRun_Free(&one);
  crDestroyModel(model);
}

// Sums of steps that are not yet counted are in lanes, and have to be there again.
static void a_crowd_goes_on_from_a_checkpoint_bit_by_bit(void** state)
{
  (void)state;
  crSavedPlan plan = { .file = "bench/scenes/pile.lua", .stop = 0.2, .intervals = 20, .settings = { { "n", "100" } } };
  crModel* model = crOpenSavedModel(&plan);
  int points[2] = { 7, 15 };
  crSavedRun plain = crRunSaved(model, &plan, 1, NULL, 0, false), saved = crRunSaved(model, &plan, 2, points, 2, false);
  assert_int_equal(plain.status, cr_ok);
  assert_int_equal(crCompareSaved(&plain, &saved, 0), -1);
  for (int i = 0; i < 2; ++i) {
    crSavedRun again = crResumeSaved(&saved, i, 1 + i);
    assert_int_equal(again.status, cr_ok);
    assert_int_equal(crCompareSaved(&plain, &again, 0), -1);
    crSavedRun_Free(&again);
  }
  crSavedRun_Free(&saved);
  crSavedRun_Free(&plain);
  crDestroyModel(model);
}

// From states inside a pile, by another method and without crowds: for a short time, since errors grow.
static void crowds_agree_with_one_step_for_all_for_a_short_time(void** state)
{
  (void)state;
  crModel* model = openPile("60", "0.5");
  crIslandRun start = runPile(model, 0.1, 0.0, 1e-4);
  crState* from = NULL;
  assert_int_equal(crSimulation_GetState(start.simulation, NULL, &from), cr_ok);
  crSimulationOptions options = crIslandOptions(0.11, 1e-3), tight = crIslandOptions(0.11, 1e-8);
  options.start = tight.start = from;
  tight.islands = cr_islandsOff;
  crIslandRun crowd = crRunIslands(model, &options), truth = crRunIslands(model, &tight);
  assert_int_equal(crowd.status, cr_ok);
  assert_int_equal(truth.status, cr_ok);
  assert_true(crCompareEnds(&crowd, &truth) < 1e-6); // at speeds of 0.5 m/s: 5 mm
  crIslandRun_Free(&truth);
  crIslandRun_Free(&crowd);
  crDestroyState(from);
  crIslandRun_Free(&start);
  crDestroyModel(model);
}

// A layer of balls on a floor, which is a crowd, and others that fall on it, one after the other.
static const char* fallers = "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"
                             "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = 0 })\n"
                             "scene{}\n"
                             "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"
                             "local count = 0\n"
                             "local function ball(x, y, z)\n"
                             "  count = count + 1\n"
                             "  object('ball' .. count, { parent = room, position = { x, y, z }, free = true,\n"
                             "    solid{ shape = sphere{ radius = 0.05 }, mass = 0.5, contact = 'Rubber' } })\n"
                             "end\n"
                             "for i = 0, 63 do ball(i % 8 * 0.0999, i // 8 * 0.0999, 0.0499) end\n"
                             "for i = 0, 8 do ball(0.05 + i % 3 * 0.3, 0.05 + i // 3 * 0.3, 0.13 + 0.006 * i) end\n";

// Of the crowd only those are swept that have others near them: these find all that they meet, when they meet it.
static void balls_that_fall_on_a_crowd_meet_it(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = fallers });
  crSimulationOptions options = crIslandOptions(0.14, 1e-3), tight = crIslandOptions(0.14, 1e-8);
  tight.islands = cr_islandsOff;
  crIslandRun crowd = crRunIslands(model, &options), truth = crRunIslands(model, &tight);
  assert_int_equal(crowd.status, cr_ok);
  assert_int_equal(truth.status, cr_ok);
  assert_true(crowd.summary.mergeCount > 4); // most of the others one by one
  assert_true(crCompareEnds(&crowd, &truth) < 2e-4);
  crAssertEventsAreSound(&crowd);
  crAssertContactsAreWhole(&crowd, 1e-9);
  crIslandRun_Free(&truth);
  crIslandRun_Free(&crowd);
  crDestroyModel(model);
}

// The rim of a crowd is in no checkpoint, nor are sweeps of all others in the middle of a round.
static void balls_that_fall_on_a_crowd_go_on_from_a_checkpoint_bit_by_bit(void** state)
{
  (void)state;
  crSavedPlan plan = { .text = fallers, .stop = 0.14, .intervals = 20, .tolerance = 1e-3 };
  crModel* model = crOpenSavedModel(&plan);
  int points[3] = { 9, 12, 17 };
  crSavedRun plain = crRunSaved(model, &plan, 1, NULL, 0, false), saved = crRunSaved(model, &plan, 2, points, 3, false);
  assert_int_equal(plain.status, cr_ok);
  assert_int_equal(crCompareSaved(&plain, &saved, 0), -1);
  for (int i = 0; i < 3; ++i) {
    crSavedRun again = crResumeSaved(&saved, i, 1 + i % 2);
    assert_int_equal(again.status, cr_ok);
    assert_int_equal(crCompareSaved(&plain, &again, 0), -1);
    crSavedRun_Free(&again);
  }
  crSavedRun_Free(&saved);
  crSavedRun_Free(&plain);
  crDestroyModel(model);
}

// From states inside a pile of areas, whose patches are on courses inside steps of crowds.
static void boxes_cylinders_and_hulls_agree_with_one_step_for_all_for_a_short_time(void** state)
{
  (void)state;
  crModel* model =
      crOpenIslandModel(&(crIslandPlan){ .file = "bench/scenes/mixed_pile.lua", .settings = { { "n", "48" } } });
  crIslandRun start = runPile(model, 0.3, 0.0, 1e-3);
  crState* from = NULL;
  assert_int_equal(crSimulation_GetState(start.simulation, NULL, &from), cr_ok);
  crSimulationOptions options = crIslandOptions(0.304, 1e-3), tight = crIslandOptions(0.304, 1e-7);
  options.start = tight.start = from;
  tight.islands = cr_islandsOff;
  crIslandRun crowd = crRunIslands(model, &options), truth = crRunIslands(model, &tight);
  assert_int_equal(crowd.status, cr_ok);
  assert_int_equal(truth.status, cr_ok);
  assert_true(crowd.summary.methodSteps.rkc2 > 0);
  assert_true(crCompareEnds(&crowd, &truth) < 5e-6); // at speeds of 0.5 m/s: 2.5 mm
  crIslandRun_Free(&truth);
  crIslandRun_Free(&crowd);
  crDestroyState(from);
  crIslandRun_Free(&start);
  crDestroyModel(model);
}

// Of areas, which no lanes have. They left 3e-4 of what was dissipated unexplained, in runs of 100 bodies.
static void boxes_cylinders_and_hulls_explain_their_energy_with_any_threads(void** state)
{
  (void)state;
  crModel* model =
      crOpenIslandModel(&(crIslandPlan){ .file = "bench/scenes/mixed_pile.lua", .settings = { { "n", "80" } } });
  crIslandRun first = { .status = cr_ok };
  for (int threads = 1; threads <= 4; threads *= 2) {
    crSimulationOptions options = crIslandOptions(0.2, 1e-3);
    options.threads = threads;
    crIslandRun run = crRunIslands(model, &options);
    assert_int_equal(run.status, cr_ok);
    if (threads == 1) {
      first = run;
      assert_true(run.summary.dissipated > 1.0);
      assert_true(fabs(crIslandRun_Unexplained(&run)) < 2e-4 * run.summary.dissipated);
      crAssertEventsAreSound(&run);
    } else {
      crAssertSameRuns(&first, &run);
      crIslandRun_Free(&run);
    }
  }
  crIslandRun_Free(&first);
  crDestroyModel(model);
}

static void boxes_cylinders_and_hulls_go_on_from_a_checkpoint_bit_by_bit(void** state)
{
  (void)state;
  crSavedPlan plan = {
    .file = "bench/scenes/mixed_pile.lua", .stop = 0.2, .intervals = 10, .settings = { { "n", "80" } }
  };
  crModel* model = crOpenSavedModel(&plan);
  int points[2] = { 7, 9 };
  crSavedRun plain = crRunSaved(model, &plan, 1, points, 2, false);
  assert_int_equal(plain.status, cr_ok);
  for (int i = 0; i < 2; ++i) {
    crSavedRun again = crResumeSaved(&plain, i, 2 - i);
    assert_int_equal(again.status, cr_ok);
    assert_int_equal(crCompareSaved(&plain, &again, 0), -1);
    crSavedRun_Free(&again);
  }
  crSavedRun_Free(&plain);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_floor_carries_what_gravity_gives),
    cmocka_unit_test(contacts_account_for_what_is_dissipated),
    cmocka_unit_test(looking_at_a_crowd_changes_no_bit_of_its_contacts),
    cmocka_unit_test(a_crowd_goes_on_from_a_checkpoint_bit_by_bit),
    cmocka_unit_test(crowds_agree_with_one_step_for_all_for_a_short_time),
    cmocka_unit_test(balls_that_fall_on_a_crowd_meet_it),
    cmocka_unit_test(balls_that_fall_on_a_crowd_go_on_from_a_checkpoint_bit_by_bit),
    cmocka_unit_test(boxes_cylinders_and_hulls_agree_with_one_step_for_all_for_a_short_time),
    cmocka_unit_test(boxes_cylinders_and_hulls_explain_their_energy_with_any_threads),
    cmocka_unit_test(boxes_cylinders_and_hulls_go_on_from_a_checkpoint_bit_by_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
