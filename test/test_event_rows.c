// Rows just before and just after events: a jump seen from both sides, at its own time.
#include "carom/carom.h"
#include "carom/io.h"
#include "support/log.h"
#include "support/same_result.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BALLS CAROM_ROOT "/examples/bouncing_ball.lua" // one is pushed back by a force, one thrown back by impulses
#define WHEEL                                                                                                          \
  "scene{ gravity = 'none' }\nworld('w')\n"                                                                            \
  "revolute('r', 'w', object('wheel', { mass{ mass = 1, inertia = { 1, 1, 0.5 } } }),\n"                               \
  "  { torque = step('jump', { height = 2, start = 0.37 }) })\n"

typedef struct Bench {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene;
  crModel* model;
} Bench;

static Bench compileBench(Bench bench)
{
  assert_int_equal(crCompile(bench.scene, NULL, NULL, &bench.sink, &bench.model), cr_ok);
  assert_no_messages(bench.log);
  return bench;
}

static Bench openText(const char* text)
{
  Bench bench = { .log = crCreateErrorLog(NULL) };
  bench.sink = crErrorLog_GetSink(bench.log);
  crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &bench.sink, &bench.scene);
  return compileBench(bench);
}

static Bench openFile(const char* path)
{
  Bench bench = { .log = crCreateErrorLog(NULL) };
  bench.sink = crErrorLog_GetSink(bench.log);
  crReadModel(path, NULL, NULL, &bench.sink, &bench.scene);
  return compileBench(bench);
}

static void closeBench(Bench* bench)
{
  crDestroyModel(bench->model);
  crDestroyScene(bench->scene);
  crDestroyErrorLog(bench->log);
}

static crResult* record(const Bench* bench, double stop, double interval, crEventRows rows)
{
  crResult* result = NULL;
  crSimulationOptions options = { .size = sizeof options, .stopTime = stop, .interval = interval, .eventRows = rows };
  assert_int_equal(crRecordToMemory(bench->model, &options, NULL, NULL, &bench->sink, &result, NULL, NULL), cr_ok);
  return result;
}

static double valueAt(const crResult* result, const char* name, int row)
{
  int column = crResult_FindColumn(result, name);
  assert_true(column >= 0);
  return crResult_GetValues(result, column)[row];
}

static int countRows(const crResult* result, crRowKind kind)
{
  int count = 0;
  for (int i = 0; i < crResult_CountRows(result); ++i) {
    count += crResult_GetRowKind(result, i) == kind;
  }
  return count;
}

// Pairs of rows of one time, in the order of time.
static void assertPairs(const crResult* result)
{
  const double* times = crResult_GetTimes(result);
  for (int i = 0; i < crResult_CountRows(result); ++i) {
    crRowKind kind = crResult_GetRowKind(result, i);
    assert_true(i == 0 || times[i] >= times[i - 1]);
    if (kind == cr_rowBefore) {
      assert_true(crResult_GetRowKind(result, i + 1) == cr_rowAfter && times[i + 1] == times[i]);
    }
  }
  assert_int_equal(countRows(result, cr_rowBefore), countRows(result, cr_rowAfter));
}

// ---------------------------------------------------------------------------------------------- jumps

static void an_impulse_is_seen_from_both_sides(void** state)
{
  (void)state;
  Bench bench = openFile(BALLS);
  crResult* result = record(&bench, 0.5, 0.1, cr_eventRowsDefault);
  assertPairs(result);
  int jumps = 0;
  for (int i = 0; i + 1 < crResult_CountRows(result); ++i) {
    double before = valueAt(result, "impulsive.velocity.z", i), after = valueAt(result, "impulsive.velocity.z", i + 1);
    if (crResult_GetRowKind(result, i) == cr_rowBefore && before < 0.0 && after > 0.0) {
      ++jumps;
      assert_close(after, -0.7 * before, 1e-5); // cor = 0.7, less what v_min takes
      assert_true(valueAt(result, "impulsive.position.z", i) == valueAt(result, "impulsive.position.z", i + 1));
      assert_close(crResult_GetTimes(result)[i], sqrt(2 * 0.95 / 9.81), 1e-7);
      assert_close(valueAt(result, "elastic.velocity.z", i), valueAt(result, "elastic.velocity.z", i + 1), 0.0);
    }
  }
  assert_int_equal(jumps, 1);
  assert_no_messages(bench.log);
  crDestroyResult(result);
  closeBench(&bench);
}

static bool hasEventAt(const crResult* result, double t)
{
  bool has = isnan(t);
  for (int i = 0; i < crResult_CountRows(result); ++i) {
    bool isEvent = crResult_GetRowKind(result, i) == cr_rowAfter;
    has = has || (isEvent && fabs(crResult_GetTimes(result)[i] - t) < 1e-6);
  }
  return has;
}

// Contacts are told with the time at which shapes touched; events are where that is found out, behind 2 epsilon.
static void events_are_where_contacts_begin_and_end(void** state)
{
  (void)state;
  Bench bench = openFile(BALLS);
  crResult* result = record(&bench, 1.5, 0.1, cr_eventRowsOn);
  assert_true(crResult_CountContacts(result) >= 5);
  for (int i = 0; i < crResult_CountContacts(result); ++i) {
    const crContactRecord* contact = crResult_GetContact(result, i);
    assert_true(hasEventAt(result, contact->begin) && hasEventAt(result, contact->end));
  }
  assert_false(hasEventAt(result, 0.3));
  crDestroyResult(result);
  closeBench(&bench);
}

static void a_signal_that_jumps_has_both_values(void** state)
{
  (void)state;
  Bench bench = openText(WHEEL);
  crResult* result = record(&bench, 1.0, 0.1, cr_eventRowsDefault);
  assertPairs(result);
  assert_int_equal(countRows(result, cr_rowBefore), 1);
  for (int i = 0; i + 1 < crResult_CountRows(result); ++i) {
    if (crResult_GetRowKind(result, i) == cr_rowBefore) {
      assert_true(crResult_GetTimes(result)[i] == 0.37);
      assert_true(valueAt(result, "jump.value", i) == 0.0 && valueAt(result, "jump.value", i + 1) == 2.0);
      assert_true(valueAt(result, "r.torque", i) == 0.0 && valueAt(result, "r.torque", i + 1) == 2.0);
      assert_true(valueAt(result, "r.angle", i) == valueAt(result, "r.angle", i + 1));
    }
  }
  crDestroyResult(result);
  closeBench(&bench);
}

// ------------------------------------------------------------------------------------------ other rows

// The rows of one kind of a result, in one piece.
static double* gather(const crResult* result, bool isOutput, int* outCount)
{
  int columns = crResult_CountColumns(result);
  double* numbers = calloc((size_t)crResult_CountRows(result) * (size_t)(columns + 1) + 1, sizeof *numbers);
  *outCount = 0;
  for (int i = 0; i < crResult_CountRows(result); ++i) {
    if ((crResult_GetRowKind(result, i) == cr_rowOutput) == isOutput) {
      numbers[(*outCount)++] = crResult_GetTimes(result)[i];
      for (int c = 0; c < columns; ++c) {
        numbers[(*outCount)++] = crResult_GetValues(result, c)[i];
      }
    }
  }
  return numbers;
}

static void assertSameRows(const crResult* a, const crResult* b, bool isOutput)
{
  int countA, countB;
  double *numbersA = gather(a, isOutput, &countA), *numbersB = gather(b, isOutput, &countB);
  assert_true(countA > 0);
  assert_int_equal(countA, countB);
  assert_memory_equal(numbersA, numbersB, (size_t)countA * sizeof *numbersA);
  free(numbersA);
  free(numbersB);
}

static void looking_at_events_changes_no_bit(void** state)
{
  (void)state;
  static const char* const examples[] = { "bouncing_ball.lua",
                                          "billiards.lua",
                                          "pendulum_obstacle.lua",
                                          "inverted_pendulum.lua",
                                          "double_pendulum_obstacle.lua",
                                          "cushion.lua" };
  for (size_t i = 0; i < sizeof examples / sizeof *examples; ++i) {
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, examples[i]);
    Bench bench = openFile(path);
    double stop = crModel_GetRunOptions(bench.model)->stopTime > 1.0 ? 1.0 : 0.0; // or its own
    crResult* on = record(&bench, stop, 0.02, cr_eventRowsOn);
    crResult* off = record(&bench, stop, 0.02, cr_eventRowsOff);
    assert_int_equal(countRows(off, cr_rowOutput), crResult_CountRows(off));
    assert_true(crResult_CountRows(on) > crResult_CountRows(off));
    assertSameRows(on, off, true);
    crDestroyResult(on);
    crDestroyResult(off);
    closeBench(&bench);
  }
}

// 27 balls that fall into a heap: few enough to be one group, and loose enough to be a crowd. FMUs write no rows at
// events, and had other last bits than runs, in which nothing near joined a crowd.
static void looking_at_events_changes_no_bit_of_a_crowd(void** state)
{
  (void)state;
  Bench bench = openText("scene{ tolerance = 1e-4, kRed = 1e-3 }\n"
                         "local w = world('w', { solid{ shape = box{ size = { 2, 2, 0.2 } }, contact = 'DryWood' } })\n"
                         "for i = 0, 26 do\n"
                         "  local x, y, z = i % 3, i // 3 % 3, i // 9\n"
                         "  object('b' .. i, { parent = w, free = true,\n"
                         "    position = { 0.1 * x + 0.013 * z, 0.1 * y - 0.011 * z, 0.16 + 0.11 * z + 0.001 * i },\n"
                         "    solid{ shape = sphere{ diameter = 0.099 }, contact = 'Steel', material = 'Steel' } })\n"
                         "end\n");
  crResult* on = record(&bench, 0.3, 0.02, cr_eventRowsOn);
  crResult* off = record(&bench, 0.3, 0.02, cr_eventRowsOff);
  assert_true(countRows(on, cr_rowAfter) > 5);
  assertSameRows(on, off, true);
  crDestroyResult(on);
  crDestroyResult(off);
  closeBench(&bench);
}

static void events_do_not_depend_on_output_points(void** state)
{
  (void)state;
  Bench bench = openFile(BALLS);
  crResult* fine = record(&bench, 1.2, 0.007, cr_eventRowsOn);
  crResult* coarse = record(&bench, 1.2, 0.6, cr_eventRowsOn);
  assertSameRows(fine, coarse, false);
  crDestroyResult(fine);
  crDestroyResult(coarse);
  closeBench(&bench);
}

// A run that is copied in its middle, at an output point.
typedef struct Split {
  crSimulation *first, *second;
  double time; // [s] where
} Split;

static crStatus copyAt(void* context, double t)
{
  Split* split = context;
  return t == split->time ? crSimulation_Copy(split->first, NULL, NULL, &split->second) : cr_ok;
}

static crResult* recordRun(crSimulation* simulation, const crRecordOptions* options)
{
  crResultMemory* memory = crCreateResultMemory(NULL);
  crRecordSink sink = crResultMemory_GetSink(memory);
  crRunEnd end;
  assert_int_equal(crSimulation_Record(simulation, options, &sink, &end), cr_ok);
  crResult* result = crResultMemory_Take(memory);
  crDestroyResultMemory(memory);
  return result;
}

static void a_copy_goes_on_with_the_same_rows_at_events(void** state)
{
  (void)state;
  Bench bench = openFile(BALLS);
  Split split = { .time = 0.5 };
  crSimulationOptions options = { .size = sizeof options,
                                  .stopTime = 1.25,
                                  .interval = 0.25 }; // the second hop ends at 1.06 s
  assert_int_equal(crCreateSimulation(bench.model, &options, NULL, NULL, &split.first), cr_ok);
  crRecordOptions how = { .size = sizeof how, .context = &split, .atOutput = copyAt };
  crResult *whole = recordRun(split.first, &how), *rest = recordRun(split.second, NULL);
  int count = crResult_CountRows(rest), shift = crResult_CountRows(whole) - count;
  assert_true(shift > 0 && countRows(rest, cr_rowAfter) > 0);
  for (int i = 0; i < count; ++i) {
    assert_int_equal(crResult_GetRowKind(rest, i), crResult_GetRowKind(whole, shift + i));
    assert_true(crResult_GetTimes(rest)[i] == crResult_GetTimes(whole)[shift + i]);
    assert_true(valueAt(rest, "elastic.velocity.z", i) == valueAt(whole, "elastic.velocity.z", shift + i));
  }
  crDestroyResult(whole);
  crDestroyResult(rest);
  crDestroySimulation(split.first);
  crDestroySimulation(split.second);
  closeBench(&bench);
}

// ------------------------------------------------------------------------------------------- how many

static void too_many_events_are_left_out_and_told(void** state)
{
  (void)state;
  Bench bench = openText("scene{ gravity = 'none' }\nworld('w')\n"
                         "local x = jointSensor('x', { joint = 'p' })\n"
                         "sampled('s', { period = 0.0005, inputs = { x = x }, code = 'return -x' })\n"
                         "prismatic('p', 'w', object('a', { mass{ mass = 1 } }), { start = 1, force = 's' })\n");
  crResult* result = record(&bench, 0.4, 0.1, cr_eventRowsDefault);
  assertPairs(result);
  assert_int_equal(countRows(result, cr_rowBefore), 4 * 100);
  assert_message(bench.log, cr_severityWarning, "more than 100 events between two output points");
  assert_int_equal(crErrorLog_CountOf(bench.log, cr_severityWarning), 1);
  crDestroyResult(result);
  closeBench(&bench);
}

// 70 balls that fall onto a table: more than 64 shapes, and than 1,000 variables with their sensors.
static void large_models_have_them_on_request(void** state)
{
  (void)state;
  Bench bench =
      openText("scene{ tolerance = 1e-4, kRed = 1e-3 }\n"
               "local w = world('w', { solid{ shape = box{ size = { 20, 20, 0.2 } }, contact = 'DryWood' } })\n"
               "for i = 1, 90 do\n"
               "  object('b' .. i, { parent = w, position = { 0.2 * i - 9, 0, 0.2 + 0.001 * i }, free = true,\n"
               "    solid{ shape = sphere{ diameter = 0.1 }, contact = 'Steel', material = 'Steel' } })\n"
               "end\n");
  crResult* standard = record(&bench, 0.12, 0.02, cr_eventRowsDefault);
  assert_int_equal(crResult_CountRows(standard), 7);
  crResult* asked = record(&bench, 0.12, 0.02, cr_eventRowsOn);
  assertPairs(asked);
  assert_true(countRows(asked, cr_rowAfter) > 5);
  crDestroyResult(standard);
  crDestroyResult(asked);
  closeBench(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_impulse_is_seen_from_both_sides),
    cmocka_unit_test(events_are_where_contacts_begin_and_end),
    cmocka_unit_test(a_signal_that_jumps_has_both_values),
    cmocka_unit_test(looking_at_events_changes_no_bit),
    cmocka_unit_test(looking_at_events_changes_no_bit_of_a_crowd),
    cmocka_unit_test(events_do_not_depend_on_output_points),
    cmocka_unit_test(too_many_events_are_left_out_and_told),
    cmocka_unit_test(large_models_have_them_on_request),
    cmocka_unit_test(a_copy_goes_on_with_the_same_rows_at_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
