// States as JSON: what is written reads back as the same bits, and what is wrong is told by its place.
#include "carom/io.h"
#include "support/folder.h"
#include "support/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const crNamedNumber states[] = { { "cue.position.x", 0.1 }, { "Kör.per \"a\".rate", -0.0 }, { "b", 5e-324 } };
static const crNamedNumber inputs[] = { { "push", 1.0 / 3.0 } };
static const crNamedNumber discrete[] = { { "controller.value", NAN }, { "controller.sum", 2.0 } };
static const crNamedNumber turns[] = { { "crank.angle", 314.15926535897931 } };
static const crStateContact contacts[] = {
  { .objectA = "cue",
    .objectB = "table",
    .featureA = 1,
    .pieceB = 7,
    .memory = { 0.5, 0.9, 12.0, 1e9, 1.5, 0.02, 0.01 },
    .begin = 0.25,
    .approach = 0.625,
    .isSettled = true,
    .maxDepth = 1e-6,
    .maxForce = 3.5,
    .impulse = NAN,
    .dissipation = 0.125,
    .slipPath = 0.375,
    .bristle = { 5,
                 true,
                 1e6,
                 20.0,
                 3.0,
                 0.1,
                 0.2,
                 { 1.0, 0.0, 0.0 },
                 { 0.0, 0.6, 0.8 },
                 { 1e-6, -1.0 / 3.0, 0.0, 5e-324, 2.0 } } },
  { .objectA = "a", .objectB = "b" },
};

static crState makeState(void)
{
  return (crState){ .time = 1.1,
                    .states = states,
                    .stateCount = 3,
                    .inputs = inputs,
                    .inputCount = 1,
                    .discrete = discrete,
                    .discreteCount = 2,
                    .turns = turns,
                    .turnCount = 1,
                    .contacts = contacts,
                    .contactCount = 2,
                    .dissipated = 0.3,
                    .work = -0.7 };
}

static bool isSame(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void assertNumbers(const crNamedNumber* a, int countA, const crNamedNumber* b, int countB)
{
  assert_int_equal(countA, countB);
  for (int i = 0; i < countA; ++i) {
    assert_string_equal(a[i].name, b[i].name);
    assert_true(isSame(a[i].value, b[i].value));
  }
}

static void assertBristle(const crStateBristle* a, const crStateBristle* b)
{
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->isPatch, b->isPatch);
  assert_true(isSame(a->stiffness, b->stiffness) && isSame(a->damping, b->damping) && isSame(a->ratio, b->ratio));
  assert_true(isSame(a->rollStiffness, b->rollStiffness) && isSame(a->rollDamping, b->rollDamping));
  assert_memory_equal(&a->axis, &b->axis, sizeof a->axis);
  assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
  assert_memory_equal(a->x, b->x, sizeof a->x);
}

static void assertContact(const crStateContact* a, const crStateContact* b)
{
  assert_string_equal(a->objectA, b->objectA);
  assert_string_equal(a->objectB, b->objectB);
  assert_int_equal(a->featureA, b->featureA);
  assert_int_equal(a->featureB, b->featureB);
  assert_int_equal(a->pieceA, b->pieceA);
  assert_int_equal(a->pieceB, b->pieceB);
  assert_int_equal(a->isSettled, b->isSettled);
  assert_memory_equal(&a->memory, &b->memory, sizeof a->memory);
  assert_true(isSame(a->begin, b->begin) && isSame(a->approach, b->approach) && isSame(a->maxDepth, b->maxDepth));
  assert_true(isSame(a->maxForce, b->maxForce) && isSame(a->impulse, b->impulse));
  assert_true(isSame(a->dissipation, b->dissipation) && isSame(a->slipPath, b->slipPath));
  assertBristle(&a->bristle, &b->bristle);
}

static void assertStates(const crState* a, const crState* b)
{
  assert_true(isSame(a->time, b->time) && isSame(a->dissipated, b->dissipated) && isSame(a->work, b->work));
  assertNumbers(a->states, a->stateCount, b->states, b->stateCount);
  assertNumbers(a->inputs, a->inputCount, b->inputs, b->inputCount);
  assertNumbers(a->discrete, a->discreteCount, b->discrete, b->discreteCount);
  assertNumbers(a->turns, a->turnCount, b->turns, b->turnCount);
  assert_int_equal(a->contactCount, b->contactCount);
  for (int i = 0; i < a->contactCount; ++i) {
    assertContact(&a->contacts[i], &b->contacts[i]);
  }
}

// ------------------------------------------------------------------------------------------ statements

static void a_state_reads_back_as_the_same_bits(void** test)
{
  (void)test;
  const char* path = crTestPath("state.json");
  crState state = makeState();
  crState* back = NULL;
  assert_int_equal(crWriteStateFile(&state, path, NULL, NULL), cr_ok);
  assert_int_equal(crReadStateFile(path, NULL, NULL, &back), cr_ok);
  assertStates(&state, back);
  crDestroyState(back);
}

static void a_copy_needs_nothing_of_the_original(void** test)
{
  (void)test;
  char name[] = "arm.angle";
  crNamedNumber angle = { name, 0.5 };
  crState state = { .time = 2.0, .states = &angle, .stateCount = 1 };
  crState* copy = NULL;
  assert_int_equal(crCopyState(&state, NULL, &copy), cr_ok);
  memset(name, 'x', sizeof name - 1);
  angle.value = 0.0;
  assert_string_equal(copy->states[0].name, "arm.angle");
  assert_true(copy->states[0].value == 0.5 && copy->time == 2.0);
  crDestroyState(copy);
  crDestroyState(NULL);
}

static void time_and_states_are_enough(void** test)
{
  (void)test;
  const char text[] = "{\"caromState\": 1, \"time\": 2, \"states\": {\"a.x\": 1}}";
  crState* state = NULL;
  assert_int_equal(crReadState(text, strlen(text), "s.json", NULL, NULL, &state), cr_ok);
  crState expected = { .time = 2.0, .states = &(crNamedNumber){ "a.x", 1.0 }, .stateCount = 1 };
  assertStates(state, &expected);
  crDestroyState(state);
}

#define HEAD "{\"caromState\": 1, \"time\": 0, \"states\": {}, "
#define MEMORY                                                                                                         \
  "\"memory\": {\"approach\": 0, \"cor\": 0, \"damping\": 0, \"stiffness\": 0, \"exponent\": 0, \"radius\": 0, "       \
  "\"lever\": 0}"

// States of Carom before contacts stuck have no slip path and no bristles.
static void contacts_of_older_states_have_no_bristle(void** test)
{
  (void)test;
  const char text[] = HEAD "\"contacts\": [{\"objectA\": \"a\", \"featureA\": 0, \"pieceA\": 0, \"objectB\": \"b\", "
                           "\"featureB\": 0, \"pieceB\": 0, \"begin\": 0, \"approach\": 0, \"isSettled\": true, "
                           "\"maxDepth\": 0, \"maxForce\": 0, \"impulse\": 0, \"dissipation\": 0, " MEMORY "}]}";
  crState* state = NULL;
  assert_int_equal(crReadState(text, strlen(text), "s.json", NULL, NULL, &state), cr_ok);
  assert_int_equal(state->contactCount, 1);
  assert_int_equal(state->contacts[0].bristle.count, 0);
  assert_true(state->contacts[0].slipPath == 0.0);
  crDestroyState(state);
}

static void what_is_wrong_is_told_by_its_place(void** test)
{
  (void)test;
  static const struct {
    const char *text, *message;
    crStatus status;
  } cases[] = {
    { "", "the state is empty", cr_errorSyntax },
    { "{\"caromState\": 1", "s.json:1", cr_errorSyntax },
    { "[]", "this is no state of a run", cr_errorSyntax },
    { "{\"carom\": 1}", "this is no state of a run", cr_errorSyntax },
    { "{\"caromState\": 2}", "this version is unknown", cr_errorSyntax },
    { "{\"caromState\": 1, \"states\": {}}", "time: this is missing", cr_errorModel },
    { "{\"caromState\": 1, \"time\": 0}", "states: this is missing", cr_errorModel },
    { "{\"caromState\": 1, \"time\": \"0\", \"states\": {}}", "time: this is of the wrong type", cr_errorModel },
    { "{\"caromState\": 1, \"time\": 0, \"states\": {\"a.x\": null}}", "states.a.x: this is of", cr_errorModel },
    { "{\"caromState\": 1, \"time\": 0, \"states\": []}", "states: this is of the wrong type", cr_errorModel },
    { HEAD "\"contact\": []}", "did you mean 'contacts'?", cr_errorModel },
    { HEAD "\"work\": true}", "work: this is of the wrong type", cr_errorModel },
    { HEAD "\"inputs\": {\"push\": \"1\"}}", "inputs.push: this is of the wrong type", cr_errorModel },
    { HEAD "\"contacts\": {}}", "contacts: this is of the wrong type", cr_errorModel },
    { HEAD "\"contacts\": [1]}", "contacts[1]: this is of the wrong type", cr_errorModel },
    { HEAD "\"contacts\": [{}]}", "contacts[1].objectA: this is missing", cr_errorModel },
    { HEAD "\"contacts\": [{\"feature\": 1}]}", "did you mean 'featureA'?", cr_errorModel },
    { HEAD "\"contacts\": [{\"pieceA\": 1.5}]}", "contacts[1].pieceA: this is of the wrong type", cr_errorModel },
    { HEAD "\"contacts\": [{\"pieceA\": -1}]}", "a whole number", cr_errorModel },
    { HEAD "\"contacts\": [{\"isSettled\": 1}]}", "contacts[1].isSettled: this is of", cr_errorModel },
    { HEAD "\"contacts\": [{\"memory\": {\"corr\": 1}}]}", "did you mean 'cor'?", cr_errorModel },
    { HEAD "\"contacts\": [{\"memory\": {}}]}", "contacts[1].memory.lever: this is missing", cr_errorModel },
    { HEAD "\"contacts\": [{\"bristle\": 1}]}", "contacts[1].bristle: this is of the wrong type", cr_errorModel },
    { HEAD "\"contacts\": [{\"bristle\": {}}]}", "contacts[1].bristle.axis: this is missing", cr_errorModel },
    { HEAD "\"contacts\": [{\"bristle\": {\"axes\": 1}}]}", "did you mean 'axis'?", cr_errorModel },
    { HEAD "\"contacts\": [{\"bristle\": {\"x\": [1, 2]}}]}", "a list of 5 numbers", cr_errorModel },
    { HEAD "\"contacts\": [{\"bristle\": {\"axis\": [1, null, 0]}}]}", "contacts[1].bristle.axis[2]: this",
      cr_errorModel },
    { HEAD "\"contacts\": [{\"slipPath\": \"1\"}]}", "contacts[1].slipPath: this is of", cr_errorModel },
    { HEAD "\"contacts\": [{\"objectA\": 3, " MEMORY "}]}", "contacts[1].objectA: this is of", cr_errorModel },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crState* state = NULL;
    crStatus status = crReadState(cases[i].text, strlen(cases[i].text), "s.json", NULL, &sink, &state);
    assert_message(log, cr_severityError, cases[i].message);
    assert_int_equal(status, cases[i].status);
    assert_null(state);
    crDestroyErrorLog(log);
  }
}

static void files_that_cannot_be_read_or_written_are_told(void** test)
{
  (void)test;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crState state = makeState();
  crState* back = NULL;
  assert_int_equal(crReadStateFile(crTestPath("nothing.json"), NULL, &sink, &back), cr_errorFile);
  assert_int_equal(crWriteStateFile(&state, crTestPath("no/folder/state.json"), NULL, &sink), cr_errorFile);
  assert_message(log, cr_severityError, "nothing.json");
  assert_message(log, cr_severityError, "no/folder/state.json");
  crDestroyErrorLog(log);
  assert_int_equal(crReadStateFile(NULL, NULL, NULL, &back), cr_errorMisuse);
  assert_int_equal(crWriteStateFile(NULL, "x", NULL, NULL), cr_errorMisuse);
  assert_int_equal(crCopyState(NULL, NULL, &back), cr_errorMisuse);
}

static void out_of_memory_is_clean_at_every_allocation(void** test)
{
  (void)test;
  const char* path = crTestPath("memory.json");
  crState state = makeState();
  assert_int_equal(crWriteStateFile(&state, path, NULL, NULL), cr_ok);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    crState* back = NULL;
    counter.failAt = failAt;
    status = crReadStateFile(path, &allocator, NULL, &back);
    crDestroyState(back);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_int_equal(status, cr_ok);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_state_reads_back_as_the_same_bits),
    cmocka_unit_test(a_copy_needs_nothing_of_the_original),
    cmocka_unit_test(time_and_states_are_enough),
    cmocka_unit_test(contacts_of_older_states_have_no_bristle),
    cmocka_unit_test(what_is_wrong_is_told_by_its_place),
    cmocka_unit_test(files_that_cannot_be_read_or_written_are_told),
    cmocka_unit_test(out_of_memory_is_clean_at_every_allocation),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
