// Output points are read between steps and change none: rows at common times, contact events and the number of steps
// are the same, bit by bit, whatever the interval. Evaluations are not counted: some polynomials take their own.
#include "support/island_run.h"

#include <string.h>

#define ROUND_SHAPES 64

typedef struct Subject {
  const char* file;
  crSetting setting;
  double stop; // [s]
  double tolerance;
} Subject;

// Multiples of each other, times that are no multiples of them, and the end alone; binary fractions, so that common
// times are equal.
static const double intervals[] = { 1.0 / 256, 1.0 / 64, 3.0 / 64, 1.0 };
#define INTERVAL_COUNT ((int)(sizeof intervals / sizeof intervals[0]))

static int findRow(const crIslandRun* run, double t)
{
  int row = 0;
  while (row < run->rowCount && run->times[row] != t) {
    ++row;
  }
  return row < run->rowCount ? row : -1;
}

static const double* stateAt(const crIslandRun* run, int row)
{
  return run->states + (size_t)row * (size_t)run->stateCount;
}

// How many rows of b that a has, too, are the same; outCount: of how many.
static int countSameRows(const crIslandRun* a, const crIslandRun* b, int* outCount)
{
  int same = 0;
  *outCount = 0;
  for (int i = 0; i < b->rowCount; ++i) {
    int row = findRow(a, b->times[i]);
    if (row >= 0) {
      ++*outCount;
      same += memcmp(stateAt(a, row), stateAt(b, i), (size_t)a->stateCount * sizeof(double)) == 0;
    }
  }
  return same;
}

// Times, places and sums of all contacts.
static bool hasSameEvents(const crIslandRun* a, const crIslandRun* b)
{
  bool isSame = a->eventCount == b->eventCount;
  for (int i = 0; i < a->eventCount && isSame; ++i) {
    const crContactRecord *x = &a->events[i], *y = &b->events[i];
    isSame = x->phase == y->phase && x->key.shapeA == y->key.shapeA && x->key.shapeB == y->key.shapeB &&
             memcmp(&x->time, &y->time, sizeof x->time) == 0 && memcmp(&x->point, &y->point, sizeof x->point) == 0 &&
             memcmp(&x->impulse, &y->impulse, sizeof x->impulse) == 0;
  }
  return isSame;
}

// Whether two runs with different intervals are the same.
static bool isSameRun(const crIslandRun* a, const crIslandRun* b)
{
  int common, same = countSameRows(a, b, &common);
  assert_true(common >= 2); // start and end at least
  return same == common && hasSameEvents(a, b) &&
         a->summary.solverStatistics.steps == b->summary.solverStatistics.steps;
}

static crIslandRun runSubject(const crModel* model, const Subject* subject, double interval, crIslandMode islands)
{
  crSimulationOptions options = crIslandOptions(subject->stop, subject->tolerance);
  options.interval = interval;
  options.islands = islands;
  return crRunIslands(model, &options);
}

// How many of the intervals change anything.
static int countChanges(const crModel* model, const Subject* subject, crIslandMode islands)
{
  int changes = 0;
  crIslandRun one = runSubject(model, subject, intervals[0], islands);
  assert_true(one.summary.solverStatistics.steps > 0);
  for (int i = 1; i < INTERVAL_COUNT; ++i) {
    crIslandRun other = runSubject(model, subject, intervals[i], islands);
    changes += !isSameRun(&one, &other);
    crIslandRun_Free(&other);
  }
  crIslandRun_Free(&one);
  return changes;
}

static crModel* openSubject(const Subject* subject)
{
  return crOpenIslandModel(&(crIslandPlan){ .file = subject->file, .settings = { subject->setting } });
}

static void rows_do_not_depend_on_the_output_interval(void** state)
{
  (void)state;
  static const Subject subjects[] = {
    { "bench/scenes/ball_box.lua", { "n", "30" }, 0.25, 1e-8 },
    { "bench/scenes/pile.lua", { "n", "20" }, 0.25, 1e-5 },
    { "bench/scenes/cam_follower.lua", { NULL, NULL }, 0.5, 1e-6 },
    { "bench/scenes/walking_toy.lua", { NULL, NULL }, 0.5, 1e-6 },
    { "bench/scenes/wheel_rig.lua", { NULL, NULL }, 0.25, 1e-6 },
    { "examples/newtons_cradle.lua", { NULL, NULL }, 1.0, 1e-7 },
    { "examples/double_pendulum.lua", { NULL, NULL }, 1.0, 1e-7 },
    { "examples/governor.lua", { NULL, NULL }, 1.0, 1e-7 },
    { "examples/four_bar.lua", { NULL, NULL }, 1.0, 1e-7 },
  };
  for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; ++i) {
    crModel* model = openSubject(&subjects[i]);
    assert_true(crModel_GetSize(model).shapeCount <= ROUND_SHAPES);
    assert_int_equal(countChanges(model, &subjects[i], cr_islandsOn), 0);
    assert_int_equal(countChanges(model, &subjects[i], cr_islandsOff), 0);
    crDestroyModel(model);
  }
}

static void rows_of_large_models_do_not_depend_on_the_output_interval(void** state)
{
  (void)state;
  static const Subject subjects[] = {
    { "bench/scenes/ball_box.lua", { "n", "80" }, 0.125, 1e-8 },
    { "bench/scenes/pile.lua", { "n", "80" }, 0.125, 1e-5 },
  };
  for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; ++i) {
    crModel* model = openSubject(&subjects[i]);
    assert_true(crModel_GetSize(model).shapeCount > ROUND_SHAPES);
    assert_int_equal(countChanges(model, &subjects[i], cr_islandsOn), 0);
    assert_int_equal(countChanges(model, &subjects[i], cr_islandsOff), 0);
    crDestroyModel(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_do_not_depend_on_the_output_interval),
    cmocka_unit_test(rows_of_large_models_do_not_depend_on_the_output_interval),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
