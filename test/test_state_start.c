// Runs that start from a state: names and numbers that another run, or a hand, has left.
#include "support/folder.h"
#include "support/log.h"
#include "support/saved_run.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crSimulation* startAt(const crModel* model, const crSavedPlan* plan, const crState* state)
{
  crSimulationOptions options = {
    .size = sizeof options, .stopTime = plan->stop, .tolerance = plan->tolerance, .start = state
  };
  crSimulation* simulation = NULL;
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  return simulation;
}

// The state of a run at a share of its time; the run goes on to its end.
static crState* leave(const crModel* model, const crSavedPlan* plan, double share, crSimulation** outRun)
{
  crState* state = NULL;
  *outRun = startAt(model, plan, NULL);
  assert_int_equal(crSimulation_Advance(*outRun, share * plan->stop), cr_ok);
  assert_int_equal(crSimulation_GetState(*outRun, NULL, &state), cr_ok);
  assert_int_equal(crSimulation_Advance(*outRun, plan->stop), cr_ok);
  return state;
}

static double valueOf(const crNamedNumber* numbers, int count, const char* name)
{
  for (int i = 0; i < count; ++i) {
    if (strcmp(numbers[i].name, name) == 0) {
      return numbers[i].value;
    }
  }
  return NAN;
}

// The largest difference of a state at the end of both.
static double compareEnds(const crSimulation* a, const crSimulation* b)
{
  crState *x = NULL, *y = NULL;
  double largest = 0.0;
  assert_int_equal(crSimulation_GetState(a, NULL, &x), cr_ok);
  assert_int_equal(crSimulation_GetState(b, NULL, &y), cr_ok);
  assert_int_equal(x->stateCount, y->stateCount);
  for (int i = 0; i < x->stateCount; ++i) {
    assert_string_equal(x->states[i].name, y->states[i].name);
    largest = fmax(largest, fabs(x->states[i].value - y->states[i].value));
  }
  for (int i = 0; i < x->turnCount; ++i) {
    largest = fmax(largest, fabs(x->turns[i].value - y->turns[i].value));
  }
  crDestroyState(x);
  crDestroyState(y);
  return largest;
}

// --------------------------------------------------------------------------------------------- going on

// A run that starts from the state of another one ends where that one does, as accurately as both were asked for.
static void a_run_goes_on_from_a_state(void** state)
{
  (void)state;
  static const struct {
    crSavedPlan plan;
    double error;
  } cases[] = {
    { { .file = "examples/double_pendulum.lua", .stop = 2.0, .tolerance = 1e-9 }, 1e-5 },
    { { .file = "examples/spinning_top.lua", .stop = 1.0, .tolerance = 1e-9 }, 1e-5 },
    { { .file = "examples/four_bar.lua", .stop = 8.0, .tolerance = 1e-9 }, 1e-5 }, // turns round and round
    { { .file = "examples/stewart.lua", .stop = 1.0, .tolerance = 1e-9 }, 1e-5 },
    { { .file = "examples/inverted_pendulum.lua", .stop = 2.0, .tolerance = 1e-9 }, 1e-5 },
    { { .file = "examples/servo_arm.lua", .stop = 1.0, .tolerance = 1e-9 }, 1e-5 },
    { { .file = "examples/rolling_ball.lua", .stop = 1.0, .tolerance = 1e-9 }, 1e-4 },
    { { .file = "examples/bouncing_ball.lua", .stop = 1.5, .tolerance = 1e-9 }, 1e-4 },
    { { .file = "examples/billiards.lua", .stop = 0.3, .tolerance = 1e-10 }, 1e-3 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const crSavedPlan* plan = &cases[i].plan;
    crModel* model = crOpenSavedModel(plan);
    assert_non_null(model);
    crSimulation* whole;
    crState* middle = leave(model, plan, 0.513, &whole);
    crSimulation* rest = startAt(model, plan, middle);
    assert_true(crSimulation_GetTime(rest) == middle->time);
    assert_int_equal(crSimulation_Advance(rest, plan->stop), cr_ok);
    assert_close(compareEnds(whole, rest), 0.0, cases[i].error);
    crDestroySimulation(rest);
    crDestroyState(middle);
    crDestroySimulation(whole);
    crDestroyModel(model);
  }
}

// A state that is taken up and read again is the same: contacts go on with what they froze, and do not begin anew.
static void a_state_is_what_was_given(void** state)
{
  (void)state;
  static const crSavedPlan plans[] = {
    { .file = "examples/rolling_ball.lua", .stop = 1.0 },
    { .file = "examples/inverted_pendulum.lua", .stop = 1.0 },
    { .file = "examples/newtons_cradle.lua", .stop = 0.6 },
    { .file = "bench/scenes/box_stack.lua", .stop = 0.5 },
  };
  int contactCount = 0, heldCount = 0;
  for (size_t k = 0; k < sizeof plans / sizeof *plans; ++k) {
    crModel* model = crOpenSavedModel(&plans[k]);
    crSimulation* whole;
    crState *given = leave(model, &plans[k], 0.5, &whole), *found = NULL;
    crSimulation* rest = startAt(model, &plans[k], given);
    assert_int_equal(crSimulation_GetState(rest, NULL, &found), cr_ok);
    assert_true(found->time == given->time);
    for (int i = 0; i < given->stateCount; ++i) {
      assert_close(found->states[i].value, given->states[i].value, 1e-13);
    }
    for (int i = 0; i < given->discreteCount; ++i) {
      assert_true(found->discrete[i].value == given->discrete[i].value);
    }
    assert_int_equal(found->contactCount, given->contactCount);
    for (int i = 0; i < given->contactCount; ++i) {
      assert_string_equal(found->contacts[i].objectA, given->contacts[i].objectA);
      assert_memory_equal(&found->contacts[i].memory, &given->contacts[i].memory, sizeof given->contacts[i].memory);
      assert_true(found->contacts[i].begin == given->contacts[i].begin);
      assert_true(found->contacts[i].impulse == given->contacts[i].impulse);
    }
    int pushing = 0; // none begins anew; those that go on are contacts of this run, too
    for (int i = 0; i < given->contactCount; ++i) {
      pushing += given->contacts[i].impulse != 0.0 || given->contacts[i].maxForce > 0.0;
    }
    assert_int_equal(crSimulation_GetSummary(rest).contactCount, pushing);
    contactCount += given->contactCount;
    heldCount += given->discreteCount;
    crDestroyState(found);
    crDestroySimulation(rest);
    crDestroyState(given);
    crDestroySimulation(whole);
    crDestroyModel(model);
  }
  assert_true(contactCount > 4 && heldCount == 3);
}

static void a_state_has_the_names_of_variables(void** state)
{
  (void)state;
  const crSavedPlan plan = { .file = "examples/inverted_pendulum.lua", .stop = 1.0 };
  crModel* model = crOpenSavedModel(&plan);
  crSimulation* whole = startAt(model, &plan, NULL);
  crState* found = NULL;
  crSimulation_SetInput(whole, 0, 0.25);
  assert_int_equal(crSimulation_Advance(whole, 0.5), cr_ok);
  assert_int_equal(crSimulation_GetState(whole, NULL, &found), cr_ok);
  const crInstance* instance = crSimulation_GetInstance(whole);
  assert_true(found->time == 0.5);
  assert_true(valueOf(found->states, found->stateCount, "hinge.angle") ==
              crInstance_GetVariable(instance, crModel_FindVariable(model, "hinge.angle")));
  assert_true(valueOf(found->discrete, found->discreteCount, "control.value") ==
              crInstance_GetVariable(instance, crModel_FindVariable(model, "control.value")));
  assert_true(valueOf(found->discrete, found->discreteCount, "control.lastA") ==
              crInstance_GetVariable(instance, crModel_FindVariable(model, "control.lastA")));
  assert_true(valueOf(found->inputs, found->inputCount, "push") == 0.25);
  assert_true(found->work == crSimulation_GetSummary(whole).work);
  crDestroyState(found);
  crDestroySimulation(whole);
  crDestroyModel(model);
}

// ----------------------------------------------------------------------------------------------- sticking

// A box and a ball, which friction and rolling friction hold on a slope.
#define SLOPE(friction)                                                                                                \
  "scene{ friction = '" friction "' }\n"                                                                               \
  "solidMaterial('Wood', { density = 600, E = 1e9, nu = 0.3 })\n"                                                      \
  "contactPair('Wood', 'Wood', { cor = 0.3, muK = 0.4, muR = 0.15 })\n"                                                \
  "local w = world('w')\n"                                                                                             \
  "local slope = object('slope', { parent = w, rotation = { axis = 'y', angle = 0.1 },\n"                              \
  "  solid{ shape = halfSpace{}, contact = 'Wood' } })\n"                                                              \
  "local function put(name, shape, y)\n"                                                                               \
  "  object(name, { parent = slope, free = true, position = { 0, y, 0.05 },\n"                                         \
  "    solid{ shape = shape, material = 'Wood', contact = 'Wood' } })\n"                                               \
  "end\n"                                                                                                              \
  "put('box', box{ size = { 0.1, 0.1, 0.1 } }, 0)\n"                                                                   \
  "put('ball', sphere{ radius = 0.05 }, 0.5)\n"

static crState* readBack(const crState* state)
{
  const char* path = crTestPath("stuck.json");
  crState* back = NULL;
  assert_int_equal(crWriteStateFile(state, path, NULL, NULL), cr_ok);
  assert_int_equal(crReadStateFile(path, NULL, NULL, &back), cr_ok);
  return back;
}

// What is stuck goes on without sagging anew, which the box would do by 0.1 um and the ball by 1 um.
static void what_sticks_goes_on_sticking(void** state)
{
  (void)state;
  const crSavedPlan plan = { .text = SLOPE("stick"), .stop = 20.0 };
  crModel* model = crOpenSavedModel(&plan);
  assert_non_null(model);
  crSimulation* whole;
  crState* left = leave(model, &plan, 0.25, &whole);
  crState* taken = readBack(left);
  assert_int_equal(taken->contactCount, 2);
  assert_int_equal(taken->contacts[0].bristle.count, 5);
  crSimulation* rest = startAt(model, &plan, taken);
  assert_int_equal(crSimulation_Advance(rest, plan.stop), cr_ok);
  crState* end = NULL;
  assert_int_equal(crSimulation_GetState(rest, NULL, &end), cr_ok);
  for (int i = 0; i < end->stateCount; ++i) {
    assert_close(end->states[i].value, left->states[i].value, 1e-13);
  }
  for (int i = 0; i < 5; ++i) {
    assert_close(end->contacts[0].bristle.x[i], left->contacts[0].bristle.x[i], 1e-13);
  }
  assert_close(compareEnds(whole, rest), 0.0, 1e-13);
  crDestroyState(end);
  crDestroySimulation(rest);
  crDestroyState(taken);
  crDestroyState(left);
  crDestroySimulation(whole);
  crDestroyModel(model);
}

// A state whose contacts did not stick, in a model where they do: bristles begin with the start, and hold.
static void bristles_begin_anew_where_a_state_has_none(void** state)
{
  (void)state;
  const crSavedPlan creeping = { .text = SLOPE("regularized"), .stop = 1.0 };
  const crSavedPlan sticking = { .text = SLOPE("stick"), .stop = 20.0 };
  crModel *before = crOpenSavedModel(&creeping), *model = crOpenSavedModel(&sticking);
  crSimulation* whole;
  crState *left = leave(before, &creeping, 0.5, &whole), *early = NULL, *end = NULL;
  assert_int_equal(left->contacts[0].bristle.count, 0);
  crSimulation* rest = startAt(model, &sticking, left);
  assert_int_equal(crSimulation_Advance(rest, 2.0), cr_ok);
  assert_int_equal(crSimulation_GetState(rest, NULL, &early), cr_ok);
  assert_int_equal(crSimulation_Advance(rest, sticking.stop), cr_ok);
  assert_int_equal(crSimulation_GetState(rest, NULL, &end), cr_ok);
  assert_int_equal(end->contacts[0].bristle.count, 5);
  assert_true(end->contacts[0].bristle.stiffness > 0.0);
  for (int i = 0; i < end->stateCount; ++i) {
    assert_close(end->states[i].value, early->states[i].value, 1e-12);
  }
  crDestroyState(end);
  crDestroyState(early);
  crDestroySimulation(rest);
  crDestroyState(left);
  crDestroySimulation(whole);
  crDestroyModel(model);
  crDestroyModel(before);
}

// --------------------------------------------------------------------------------------------- mistakes

static void assertRefused(const crModel* model, const crState* given, const char* says)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSimulationOptions options = { .size = sizeof options, .stopTime = 9.0, .start = given };
  crSimulation* simulation = NULL;
  assert_int_equal(crCreateSimulation(model, &options, NULL, &sink, &simulation), cr_errorModel);
  assert_null(simulation);
  assert_message(log, cr_severityError, says);
  crDestroyErrorLog(log);
}

static void names_that_do_not_fit_are_told(void** state)
{
  (void)state;
  const crSavedPlan plan = { .file = "examples/inverted_pendulum.lua", .stop = 1.0 };
  crModel* model = crOpenSavedModel(&plan);
  crSimulation* whole;
  crState* good = leave(model, &plan, 0.5, &whole);
  crNamedNumber states[16];
  assert_int_equal(good->stateCount, 4);
  memcpy(states, good->states, 4 * sizeof *states);
  crState bad = *good;
  bad.states = states;
  bad.stateCount = 3;
  assertRefused(model, &bad, "of the model is missing");
  bad.stateCount = 5;
  states[4] = (crNamedNumber){ "hinge.angel", 0.0 };
  assertRefused(model, &bad, "did you mean 'hinge.angle'?");
  states[4] = states[0];
  assertRefused(model, &bad, "is given twice");
  bad.stateCount = 4;
  states[0].value = NAN;
  assertRefused(model, &bad, "is not finite");
  bad = *good;
  bad.inputs = &(crNamedNumber){ "pull", 1.0 };
  bad.inputCount = 1;
  assertRefused(model, &bad, "no input 'pull'");
  bad = *good;
  bad.time = NAN;
  assertRefused(model, &bad, "stop time");
  bad = *good;
  bad.contacts = &(crStateContact){ .objectA = "cart", .objectB = "rod" };
  bad.contactCount = 1;
  crSimulation* simulation = NULL; // nothing can touch: contacts mean nothing
  crSimulationOptions options = { .size = sizeof options, .stopTime = 9.0, .start = &bad };
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  crDestroySimulation(simulation);
  crDestroyState(good);
  crDestroySimulation(whole);
  crDestroyModel(model);
}

// The state of another model lacks every state: ten are named, the rest is counted.
static void many_missing_states_are_counted(void** state)
{
  (void)state;
  const crSavedPlan plan = { .file = "examples/billiards.lua", .stop = 1.0 };
  crModel* model = crOpenSavedModel(&plan);
  assertRefused(model, &(crState){ .time = 0.0 }, "198 more of the model are missing");
  crDestroyModel(model);
}

static void contacts_that_cannot_be_are_told(void** state)
{
  (void)state;
  const crSavedPlan plan = { .file = "examples/rolling_ball.lua", .stop = 1.0 };
  crModel* model = crOpenSavedModel(&plan);
  crSimulation* whole;
  crState* good = leave(model, &plan, 0.5, &whole);
  assert_int_equal(good->contactCount, 1);
  crStateContact contacts[2] = { good->contacts[0], good->contacts[0] };
  crState bad = *good;
  bad.contacts = contacts;
  bad.contactCount = 2;
  assertRefused(model, &bad, "given twice");
  bad.contactCount = 1;
  contacts[0].objectB = contacts[0].objectA;
  contacts[0].featureB = contacts[0].featureA;
  assertRefused(model, &bad, "cannot be");
  contacts[0].objectB = "nobody";
  assertRefused(model, &bad, "no contact shape");
  crDestroyState(good);
  crDestroySimulation(whole);
  crDestroyModel(model);
}

static void bristles_that_cannot_be_are_told(void** state)
{
  (void)state;
  const crSavedPlan plan = { .text = SLOPE("stick"), .stop = 1.0 };
  crModel* model = crOpenSavedModel(&plan);
  crSimulation* whole;
  crState* good = leave(model, &plan, 0.5, &whole);
  crStateContact contacts[2] = { good->contacts[0], good->contacts[1] };
  crState bad = *good;
  bad.contacts = contacts;
  contacts[0].bristle.count = 4;
  assertRefused(model, &bad, "the bristle of the contact of 'slope' and 'box' has a number of states");
  contacts[0] = good->contacts[0];
  contacts[0].bristle.damping = 0.0;
  assertRefused(model, &bad, "that is not above 0");
  contacts[0] = good->contacts[0];
  contacts[0].bristle.axis = contacts[0].bristle.normal;
  assertRefused(model, &bad, "no two unit vectors");
  contacts[0] = good->contacts[0];
  contacts[0].bristle.x[4] = NAN;
  assertRefused(model, &bad, "is not finite");
  crDestroyState(good);
  crDestroySimulation(whole);
  crDestroyModel(model);
}

static void loops_that_are_open_are_told(void** state)
{
  (void)state;
  const crSavedPlan plan = { .file = "examples/four_bar.lua", .stop = 1.0 };
  crModel* model = crOpenSavedModel(&plan);
  crSimulation* whole;
  crState* good = leave(model, &plan, 0.5, &whole);
  crNamedNumber states[16];
  assert_true(good->stateCount <= 16 && good->turnCount > 0);
  memcpy(states, good->states, (size_t)good->stateCount * sizeof *states);
  states[0].value += 1.5;
  crState bad = *good;
  bad.states = states;
  assertRefused(model, &bad, "does not close the loops");
  crDestroyState(good);
  crDestroySimulation(whole);
  crDestroyModel(model);
}

static void misuse_is_refused(void** state)
{
  (void)state;
  const crSavedPlan plan = { .file = "examples/pendulum.lua", .stop = 1.0 };
  crModel* model = crOpenSavedModel(&plan);
  crSimulation* simulation = startAt(model, &plan, NULL);
  crState* found = NULL;
  assert_int_equal(crSimulation_GetState(NULL, NULL, &found), cr_errorMisuse);
  assert_int_equal(crSimulation_GetState(simulation, NULL, NULL), cr_errorMisuse);
  crTestAllocator counter = { .failAt = -1 };
  crAllocator allocator = crTestAllocator_Make(&counter);
  assert_int_equal(crSimulation_GetState(simulation, &allocator, &found), cr_ok);
  crDestroyState(found);
  long calls = counter.callCount;
  for (long i = 0; i < calls; ++i) {
    counter = (crTestAllocator){ .failAt = i };
    crStatus status = crSimulation_GetState(simulation, &allocator, &found);
    assert_true(status == cr_errorMemory || counter.callCount <= i);
    assert_true(status == cr_errorMemory ? found == NULL : found != NULL);
    crDestroyState(found);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crDestroySimulation(simulation);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_run_goes_on_from_a_state),
    cmocka_unit_test(a_state_is_what_was_given),
    cmocka_unit_test(a_state_has_the_names_of_variables),
    cmocka_unit_test(names_that_do_not_fit_are_told),
    cmocka_unit_test(many_missing_states_are_counted),
    cmocka_unit_test(contacts_that_cannot_be_are_told),
    cmocka_unit_test(what_sticks_goes_on_sticking),
    cmocka_unit_test(bristles_begin_anew_where_a_state_has_none),
    cmocka_unit_test(bristles_that_cannot_be_are_told),
    cmocka_unit_test(loops_that_are_open_are_told),
    cmocka_unit_test(misuse_is_refused),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
