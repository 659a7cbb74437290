// Checkpoints: a run that goes on from one has the bits of the run that was saved, whatever it was doing.
#include "support/saved_run.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static const crSavedPlan plans[] = {
#include "support/saved_plans.inc"
};

#define PLAN_COUNT (sizeof plans / sizeof *plans)

// Saves a run at two points, with as many threads as it is the turn of, goes on from both with the other number of
// them, and compares with the run that nobody disturbed.
static void checkPlan(const crSavedPlan* plan, crRandom* random, int threads)
{
  crModel* model = crOpenSavedModel(plan);
  assert_non_null(model);
  int points[2] = { (int)crRandom_Uniform(random, 0, plan->intervals / 2),
                    (int)crRandom_Uniform(random, plan->intervals / 2, plan->intervals) };
  crSavedRun plain = crRunSaved(model, plan, threads, NULL, 0, false);
  crSavedRun saved = crRunSaved(model, plan, 3 - threads, points, 2, false);
  assert_int_equal(plain.status, cr_ok);
  if (crCompareSaved(&plain, &saved, 0) != -1) {
    fail_msg("saving changes %s", plan->file != NULL ? plan->file : "text");
  }
  for (int i = 0; i < 2; ++i) {
    crSavedRun again = crResumeSaved(&saved, i, 1 + i);
    int row = crCompareSaved(&plain, &again, 0);
    if (again.status != cr_ok || row != -1) {
      fail_msg("%s, saved after row %d: status %d, row %d differs", plan->file != NULL ? plan->file : "text", points[i],
               again.status, row);
    }
    crSavedRun_Free(&again);
  }
  crSavedRun_Free(&saved);
  crSavedRun_Free(&plain);
  crDestroyModel(model);
}

static void runs_go_on_from_checkpoints_bit_by_bit(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(14);
  for (size_t i = 0; i < PLAN_COUNT; ++i) {
    if (crHasSavedSolver(&plans[i])) {
      checkPlan(&plans[i], &random, 1 + (int)(i % 2));
    }
  }
}

// ------------------------------------------------------------------------------------------ what they say

typedef struct Bytes {
  char* bytes;
  size_t size;
} Bytes;

static crStatus keep(void* context, const void* bytes, size_t size)
{
  Bytes* to = context;
  to->bytes = malloc(size);
  to->size = size;
  memcpy(to->bytes, bytes, size);
  return cr_ok;
}

#define CR_NEVER_WRITTEN 0xa5 // what memory holds before anyone writes to it
#define CR_CHANCE_LENGTH 16   // [bytes] of it in a row are no number that somebody meant

static void* fillWithChance(void* context, void* block, size_t oldSize, size_t newSize)
{
  crAllocator plain = crDefaultAllocator();
  char* bytes = plain.reallocate(plain.context, block, oldSize, newSize);
  size_t known = block != NULL ? oldSize : 0;
  (void)context;
  if (bytes != NULL && newSize > known) {
    memset(bytes + known, CR_NEVER_WRITTEN, newSize - known);
  }
  return bytes;
}

// A run that was saved before its first step held numbers of segments that no step had written yet.
static void what_nobody_has_written_is_not_saved(void** state)
{
  (void)state;
  crAllocator allocator = { fillWithChance, NULL };
  for (size_t i = 0; i < PLAN_COUNT; ++i) {
    crModel* model = crHasSavedSolver(&plans[i]) ? crOpenSavedModel(&plans[i]) : NULL;
    crSimulation* simulation = NULL;
    Bytes kept = { NULL, 0 };
    if (model == NULL || crCreateSimulation(model, NULL, &allocator, NULL, &simulation) != cr_ok) {
      crDestroyModel(model);
      continue;
    }
    assert_int_equal(crSimulation_Save(simulation, NULL, 0, (crByteWriter){ keep, &kept }), cr_ok);
    for (size_t k = 0, run = 0; k < kept.size; ++k) {
      run = (unsigned char)kept.bytes[k] == CR_NEVER_WRITTEN ? run + 1 : 0;
      if (run >= CR_CHANCE_LENGTH) {
        fail_msg("%s: byte %zu of the checkpoint was never written", plans[i].file != NULL ? plans[i].file : "text", k);
      }
    }
    free(kept.bytes);
    crDestroySimulation(simulation);
    crDestroyModel(model);
  }
}

static const crSavedPlan ball = { .file = "examples/bouncing_ball.lua", .stop = 3.0, .intervals = 50 };

static crSimulation* start(const crModel* model, double stop)
{
  crSimulationOptions options = { .size = sizeof options, .stopTime = stop, .interval = 0.01 };
  crSimulation* simulation = NULL;
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  return simulation;
}

static Bytes save(const crSimulation* simulation, const char* note)
{
  Bytes saved = { NULL, 0 };
  assert_int_equal(
      crSimulation_Save(simulation, note, note != NULL ? strlen(note) + 1 : 0, (crByteWriter){ keep, &saved }), cr_ok);
  return saved;
}

static void a_checkpoint_tells_what_it_is_and_carries_a_note(void** state)
{
  (void)state;
  crModel* model = crOpenSavedModel(&ball);
  crSimulation* simulation = start(model, 1.0);
  assert_int_equal(crSimulation_Advance(simulation, 0.3), cr_ok);
  Bytes saved = save(simulation, "row 7");
  crCheckpointFacts facts;
  assert_int_equal(crReadCheckpointFacts(saved.bytes, saved.size, NULL, &facts), cr_ok);
  assert_string_equal(facts.build, crGetBuild());
  assert_int_equal(strlen(facts.model), 64);
  assert_true(facts.time == 0.3);
  assert_int_equal(facts.outputCount, 0);
  assert_int_equal(facts.noteSize, 6);
  assert_string_equal(facts.note, "row 7");
  free(saved.bytes);
  saved = save(simulation, NULL);
  assert_int_equal(crReadCheckpointFacts(saved.bytes, saved.size, NULL, &facts), cr_ok);
  assert_int_equal(facts.noteSize, 0);
  free(saved.bytes);
  crDestroySimulation(simulation);
  crDestroyModel(model);
}

static void a_later_stop_time_goes_on_behind_the_end(void** state)
{
  (void)state;
  crModel* model = crOpenSavedModel(&ball);
  crSimulation* simulation = start(model, 0.5);
  assert_int_equal(crSimulation_Advance(simulation, 0.5), cr_ok);
  Bytes saved = save(simulation, NULL);
  crSimulation* more = NULL;
  crLoadOptions options = { .size = sizeof options, .stopTime = 0.4 };
  assert_int_equal(crLoadSimulation(model, saved.bytes, saved.size, &options, NULL, NULL, &more), cr_errorModel);
  assert_null(more);
  options.stopTime = 1.0;
  assert_int_equal(crLoadSimulation(model, saved.bytes, saved.size, &options, NULL, NULL, &more), cr_ok);
  assert_true(crSimulation_GetTime(more) == 0.5);
  assert_int_equal(crSimulation_Advance(more, 1.0), cr_ok);
  crSimulation* whole = start(model, 1.0);
  assert_int_equal(crSimulation_Advance(whole, 1.0), cr_ok);
  double far = crSimulation_GetSummary(whole).dissipated, near = crSimulation_GetSummary(more).dissipated;
  assert_close(near, far, 1e-6 * far); // other steps, the same motion
  crDestroySimulation(whole);
  crDestroySimulation(more);
  free(saved.bytes);
  crDestroySimulation(simulation);
  crDestroyModel(model);
}

static crStatus refuse(void* context, const void* bytes, size_t size)
{
  (void)context;
  (void)bytes;
  return size > 0 ? cr_errorFile : cr_ok;
}

static void misuse_is_refused(void** state)
{
  (void)state;
  crModel* model = crOpenSavedModel(&ball);
  crSimulation* simulation = start(model, 1.0);
  crSimulation* other = simulation;
  crByteWriter none = { NULL, NULL }, failing = { refuse, NULL };
  Bytes saved = save(simulation, NULL);
  assert_int_equal(crSimulation_Save(NULL, NULL, 0, failing), cr_errorMisuse);
  assert_int_equal(crSimulation_Save(simulation, NULL, 0, none), cr_errorMisuse);
  assert_int_equal(crSimulation_Save(simulation, NULL, 1, failing), cr_errorMisuse);
  assert_int_equal(crSimulation_Save(simulation, NULL, 0, failing), cr_errorFile);
  assert_int_equal(crSimulation_Copy(NULL, NULL, NULL, &other), cr_errorMisuse);
  assert_int_equal(crSimulation_Copy(simulation, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crLoadSimulation(NULL, saved.bytes, saved.size, NULL, NULL, NULL, &other), cr_errorMisuse);
  assert_int_equal(crLoadSimulation(model, NULL, 0, NULL, NULL, NULL, &other), cr_errorMisuse);
  assert_int_equal(crLoadSimulation(model, saved.bytes, saved.size, NULL, NULL, NULL, NULL), cr_errorMisuse);
  crLoadOptions options = { .size = sizeof options, .threads = CR_MAX_THREADS + 1 };
  assert_int_equal(crLoadSimulation(model, saved.bytes, saved.size, &options, NULL, NULL, &other), cr_errorModel);
  free(saved.bytes);
  crDestroySimulation(simulation);
  crDestroyModel(model);
}

static crStatus saveAtContact(void* context, const crContactRecord* contact)
{
  (void)contact;
  crSimulation *simulation = context, *copy = NULL;
  crState* found = NULL;
  crByteWriter failing = { refuse, NULL };
  assert_int_equal(crSimulation_Save(simulation, NULL, 0, failing), cr_errorMisuse);
  assert_int_equal(crSimulation_Copy(simulation, NULL, NULL, &copy), cr_errorMisuse);
  assert_int_equal(crSimulation_GetState(simulation, NULL, &found), cr_errorMisuse);
  return cr_cancelled;
}

static void a_run_on_its_way_between_output_points_cannot_be_saved(void** state)
{
  (void)state;
  crModel* model = crOpenSavedModel(&ball);
  crSimulation* simulation = start(model, 3.0);
  crObserver observer = { .context = simulation, .atContact = saveAtContact };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(simulation, &observer, &end), cr_cancelled);
  crDestroySimulation(simulation);
  crDestroyModel(model);
}

typedef struct Stopper {
  long questions, most; // stops after so many
  int rows;
  double last;
} Stopper;

static bool shouldStop(void* context, double t)
{
  (void)t;
  Stopper* stopper = context;
  return ++stopper->questions == stopper->most;
}

static crStatus countRow(void* context, double t, const crInstance* instance)
{
  Stopper* stopper = context;
  stopper->last = crInstance_GetVariable(instance, 0) + t;
  ++stopper->rows;
  return cr_ok;
}

// A run that is stopped between output points can be saved there. It goes on, and so does what was saved.
static void a_run_that_was_stopped_goes_on(void** state)
{
  (void)state;
  const crSavedPlan plan = { .file = "bench/scenes/ball_box.lua", .settings = { { "n", "80" } } };
  crModel* model = crOpenSavedModel(&plan);
  crSimulationOptions options = { .size = sizeof options, .stopTime = 0.2, .interval = 0.05 };
  Stopper whole = { .most = -1 };
  crSimulation* simulation = NULL;
  crRunEnd end;
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  crObserver observer = { .context = &whole, .shouldStop = shouldStop, .atOutput = countRow };
  assert_int_equal(crSimulation_Run(simulation, &observer, &end), cr_ok);
  crSimulationSummary expected = crSimulation_GetSummary(simulation);
  crDestroySimulation(simulation);
  for (long most = 1; most < whole.questions; most += whole.questions / 5) {
    Stopper parts[2] = { { .most = most }, { .most = -1 } };
    crSimulation* both[2] = { NULL, NULL };
    observer.context = &parts[0];
    assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &both[0]), cr_ok);
    assert_int_equal(crSimulation_Run(both[0], &observer, &end), cr_ok);
    assert_int_equal(end, cr_runStopped);
    Bytes saved = save(both[0], NULL);
    assert_int_equal(crLoadSimulation(model, saved.bytes, saved.size, NULL, NULL, NULL, &both[1]), cr_ok);
    parts[1].rows = parts[0].rows;
    for (int i = 0; i < 2; ++i) {
      observer.context = &parts[i];
      assert_int_equal(crSimulation_Run(both[i], &observer, &end), cr_ok);
      assert_int_equal(end, cr_runComplete);
      assert_int_equal(parts[i].rows, whole.rows);
      assert_true(parts[i].last == whole.last);
      crSimulationSummary summary = crSimulation_GetSummary(both[i]);
      assert_memory_equal(&summary.solverStatistics, &expected.solverStatistics, sizeof expected.solverStatistics);
      assert_true(summary.dissipated == expected.dissipated && summary.outputCount == expected.outputCount);
      crDestroySimulation(both[i]);
    }
    free(saved.bytes);
  }
  crDestroyModel(model);
}

// A model without anything that moves has nothing but its time.
static void a_world_alone_can_be_saved(void** state)
{
  (void)state;
  const crSavedPlan plan = { .text = "world('w')\nsampled('s', { period = 0.1, state = { n = 0 },\n"
                                     "  code = 'n = n + 1  return n' })\n",
                             .stop = 1.0,
                             .intervals = 7 };
  crRandom random = crMakeRandom(2);
  checkPlan(&plan, &random, 1);
}

// Contacts that stick were in no place before the first row was gathered: what was saved at the start, before any step,
// was refused as damaged, "a contact sticks that does not", and a run that was killed then could not be resumed.
static void contacts_that_stick_can_be_saved_at_the_start(void** state)
{
  (void)state;
  static const char* const files[] = { "examples/gripper.lua", "examples/arch.lua" };
  for (int i = 0; i < 4; ++i) {
    const crSavedPlan plan = {
      .file = files[i / 2], .stop = 0.02, .intervals = 4, .islands = i % 2 == 0 ? cr_islandsOn : cr_islandsOff
    };
    crModel* model = crOpenSavedModel(&plan);
    int start = 0;
    crSavedRun plain = crRunSaved(model, &plan, 1, NULL, 0, false);
    crSavedRun saved = crRunSaved(model, &plan, 1, &start, 1, false);
    assert_int_equal(plain.status, cr_ok);
    assert_non_null(saved.bytes[0]);
    crSavedRun again = crResumeSaved(&saved, 0, 1);
    assert_int_equal(again.status, cr_ok);
    assert_int_equal(crCompareSaved(&plain, &again, 0), -1);
    crSavedRun_Free(&again);
    crSavedRun_Free(&saved);
    crSavedRun_Free(&plain);
    crDestroyModel(model);
  }
}

// What is looked at leaves nothing to the steps: reactions of a loop with redundant constraints once changed its size,
// by which the drift of steps is judged.
static void output_points_leave_no_trace_in_the_steps_of_loops(void** state)
{
  (void)state;
  for (int kind = crTestHasSolver(cr_solverCvodeBdf) ? 0 : 1; kind < 2; ++kind) {
    crSavedPlan plan = { .file = "examples/four_bar.lua",
                         .stop = 2.0,
                         .intervals = 4,
                         .solver = kind == 0 ? cr_solverCvodeBdf : cr_solverRadau5 };
    crModel* model = crOpenSavedModel(&plan);
    crSavedRun few = crRunSaved(model, &plan, 1, NULL, 0, false);
    plan.intervals = 400;
    crSavedRun many = crRunSaved(model, &plan, 1, NULL, 0, false);
    assert_int_equal(few.summary.solverStatistics.evaluations, many.summary.solverStatistics.evaluations);
    assert_true(few.rows[4].values == many.rows[400].values);
    crSavedRun_Free(&many);
    crSavedRun_Free(&few);
    crDestroyModel(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_nobody_has_written_is_not_saved),
    cmocka_unit_test(runs_go_on_from_checkpoints_bit_by_bit),
    cmocka_unit_test(a_checkpoint_tells_what_it_is_and_carries_a_note),
    cmocka_unit_test(a_later_stop_time_goes_on_behind_the_end),
    cmocka_unit_test(misuse_is_refused),
    cmocka_unit_test(a_run_on_its_way_between_output_points_cannot_be_saved),
    cmocka_unit_test(a_run_that_was_stopped_goes_on),
    cmocka_unit_test(a_world_alone_can_be_saved),
    cmocka_unit_test(contacts_that_stick_can_be_saved_at_the_start),
    cmocka_unit_test(output_points_leave_no_trace_in_the_steps_of_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
