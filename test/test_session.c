// Sessions: runs that are held in hands, and their files.
#include "carom/result.h"
#include "show/session_run.h"
#include "sim/session.h"
#include "support/folder.h"
#include "support/log.h"
#include "text/session_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ball[] = "local w = world('w')\n"
                           "object('ball', { free = true, position = { 0, 0, 2 },\n"
                           "  solid{ shape = sphere{ diameter = 0.2 }, material = 'Steel' } })\n";

typedef struct Play {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene;
  crSession* session;
} Play;

static Play begin(const char* model)
{
  Play play = { .log = crCreateErrorLog(NULL) };
  play.sink = crErrorLog_GetSink(play.log);
  assert_int_equal(crReadLua(model, strlen(model), "model.lua", NULL, NULL, NULL, &play.sink, &play.scene), cr_ok);
  assert_int_equal(crCreateSession(play.scene, NULL, &play.sink, &play.session), cr_ok);
  return play;
}

static void end(Play* play)
{
  crDestroySession(play->session);
  crDestroyScene(play->scene);
  crDestroyErrorLog(play->log);
}

static void step(const Play* play, int count)
{
  for (int i = 0; i < count; ++i) {
    assert_int_equal(crSession_Step(play->session), cr_ok);
  }
}

// The end of the run of a model under gravity alone is known: z = 2 - g t^2 / 2.
static void a_session_goes_from_point_to_point(void** state)
{
  (void)state;
  Play play = begin(ball);
  step(&play, 128);
  assert_float_equal(crSession_GetTime(play.session), 0.5, 0.0);
  end(&play);
}

// What a pull adds to the scene is gone with the session.
static void a_session_leaves_the_scene_as_it_was(void** state)
{
  (void)state;
  Play play = begin(ball);
  int objects = crScene_Count(play.scene, cr_elementObject);
  assert_int_equal(crSession_Grab(play.session, "ball", crMakeVec3(0.0, 0.0, 0.1)), cr_ok);
  assert_int_equal(crScene_Count(play.scene, cr_elementObject), objects + 1);
  assert_int_equal(crSession_Pull(play.session, crMakeVec3(0.0, 0.0, 3.0)), cr_ok);
  step(&play, 20);
  assert_int_equal(crSession_Grab(play.session, "ball", crMakeVec3(0.1, 0.0, 0.0)), cr_ok);
  assert_int_equal(crScene_Count(play.scene, cr_elementObject), objects + 1);
  crDestroySession(play.session);
  play.session = NULL;
  assert_int_equal(crScene_Count(play.scene, cr_elementObject), objects);
  assert_int_equal(crScene_Count(play.scene, cr_elementForce), 0);
  assert_int_equal(crScene_Count(play.scene, cr_elementSignal), 0);
  end(&play);
}

static bool wasTold(const crErrorLog* log, const char* part)
{
  for (int i = 0; i < crErrorLog_Count(log); ++i) {
    if (strstr(crErrorLog_Get(log, i)->message, part) != NULL) {
      return true;
    }
  }
  return false;
}

static void what_cannot_be_pulled_is_refused(void** state)
{
  (void)state;
  Play play = begin(ball);
  crVec3 point = crMakeVec3(0.0, 0.0, 0.0);
  assert_int_equal(crSession_Grab(play.session, "w", point), cr_errorModel);
  assert_true(wasTold(play.log, "does not move"));
  assert_int_not_equal(crSession_Grab(play.session, "nobody", point), cr_ok);
  assert_int_equal(crSession_Pull(play.session, point), cr_errorMisuse);
  assert_int_equal(crSession_Release(play.session), cr_errorMisuse);
  assert_int_equal(crSession_SetInput(play.session, "throttle", 1.0), cr_errorMisuse);
  step(&play, 4);
  assert_int_equal(crSession_Grab(play.session, "ball", point), cr_ok);
  assert_int_equal(crSession_Pull(play.session, crMakeVec3(NAN, 0.0, 0.0)), cr_errorMisuse);
  step(&play, 4);
  end(&play);
}

static void models_with_actions_are_not_pulled(void** state)
{
  (void)state;
  char model[512];
  snprintf(model, sizeof model, "%saction('gone', { when = { time = 5 }, delete = 'ball' })\n", ball);
  Play play = { .log = crCreateErrorLog(NULL) };
  play.sink = crErrorLog_GetSink(play.log);
  crStatus status = crReadLua(model, strlen(model), "model.lua", NULL, NULL, NULL, &play.sink, &play.scene);
  if (status != cr_ok) {
    fail_msg("%s", crErrorLog_Get(play.log, 0)->message);
  }
  assert_int_equal(crCreateSession(play.scene, NULL, &play.sink, &play.session), cr_ok);
  assert_int_equal(crSession_Grab(play.session, "ball", crMakeVec3(0.0, 0.0, 0.0)), cr_errorModel);
  assert_true(wasTold(play.log, "actions"));
  step(&play, 4);
  end(&play);
}

// --------------------------------------------------------------------------------------------- files

static crStatus readText(const char* text, crErrorLog* log, crSessionScript* outScript)
{
  const char* path = crTestPath("session.json");
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  crErrorSink sink = crErrorLog_GetSink(log);
  return crReadSessionFile(path, NULL, &sink, outScript);
}

static void sessions_are_read(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crSessionScript script;
  assert_int_equal(readText("{ \"format\": \"carom session 1\", \"set\": { \"speed\": \"2\" }, \"steps\": 20,\n"
                            "  \"actions\": [ [0, \"input\", \"throttle\", 0.5], [12, \"grab\", \"cue\", 0, 0, 0.01],\n"
                            "  [12, \"pull\", 0.3, 0, 0.2], [20, \"release\"] ] }",
                            log, &script),
                   cr_ok);
  assert_int_equal(script.stepCount, 20);
  assert_int_equal(script.settingCount, 1);
  assert_string_equal(script.settings[0].value, "2");
  assert_int_equal(script.actionCount, 4);
  assert_int_equal(script.actions[1].kind, cr_sessionGrab);
  assert_string_equal(script.actions[1].path, "cue");
  assert_float_equal(script.actions[2].numbers[0], 0.3, 0.0);
  crSessionScript_Free(&script);
  crDestroyErrorLog(log);
}

static void bad_sessions_are_told_with_their_places(void** state)
{
  (void)state;
#define HEAD "{ \"format\": \"carom session 1\", \"steps\": 5, "
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "{ ", "no JSON" },
    { "{ \"format\": \"carom session 9\" }", "of another version" },
    { "[]", "no session" },
    { "{ \"format\": \"carom session 1\", \"steps\": -1, \"actions\": [] }", "number of steps" },
    { HEAD "\"actions\": 1 }", "list of actions" },
    { HEAD "\"set\": [], \"actions\": [] }", "set by name" },
    { HEAD "\"set\": { \"a\": 1 }, \"actions\": [] }", "are strings" },
    { HEAD "\"set\": { \"allowPath\": \"/\" }, \"actions\": [] }", "which folders a model may read" },
    { HEAD "\"actions\": [ 3 ] }", "begins with its step" },
    { HEAD "\"actions\": [ [6, \"release\"] ] }", "begins with its step" },
    { HEAD "\"actions\": [ [2, \"release\"], [1, \"release\"] ] }", "begins with its step" },
    { HEAD "\"actions\": [ [1, \"push\"] ] }", "no such action" },
    { HEAD "\"actions\": [ [1, 2] ] }", "no such action" },
    { HEAD "\"actions\": [ [1, \"pull\", 1, 2] ] }", "lacks something" },
    { HEAD "\"actions\": [ [1, \"pull\", 1, 2, \"3\"] ] }", "lacks something" },
    { HEAD "\"actions\": [ [1, \"input\", 7, 2] ] }", "lacks something" },
    { HEAD "\"actions\": [ [1, \"release\", 1] ] }", "lacks something" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crSessionScript script;
    assert_int_equal(readText(cases[i].text, log, &script), cr_errorSyntax);
    assert_int_equal(crErrorLog_Count(log), 1);
    const crError* error = crErrorLog_Get(log, 0);
    assert_non_null(strstr(error->source.file, "session.json"));
    if (strstr(error->message, cases[i].message) == NULL) {
      fail_msg("%s: %s", cases[i].text, error->message);
    }
    crSessionScript_Free(&script);
    crDestroyErrorLog(log);
  }
}

// ------------------------------------------------------------------------------------------ once more

static char sessionModel[1024], sessionFile[1024], sessionFolder[1024];

static crStatus replay(const char* steps, const char* actions, const crAllocator* allocator, const crErrorSink* sink,
                       crSessionFacts* outFacts)
{
  char text[1024];
  snprintf(sessionModel, sizeof sessionModel, "%s", crTestPath("ball.lua"));
  snprintf(sessionFile, sizeof sessionFile, "%s", crTestPath("ball.json"));
  snprintf(sessionFolder, sizeof sessionFolder, "%s", crTestPath("ball.run"));
  crWriteTestFile(sessionModel, ball, strlen(ball));
  snprintf(text, sizeof text, "{\"format\": \"carom session 1\", \"steps\": %s, \"actions\": [%s]}", steps, actions);
  crWriteTestFile(sessionFile, text, strlen(text));
  crRunDef def = { .size = sizeof def, .file = sessionModel, .folder = sessionFolder, .omitsReport = true };
  return crReplaySession(&def, sessionFile, allocator, sink, outFacts);
}

// They were left out without a word.
static void actions_that_the_model_refuses_fail_and_keep_what_there_is(void** state)
{
  (void)state;
  static const char* const wrong[] = { "[2, \"grab\", \"w\", 0, 0, 0]", "[2, \"grab\", \"none\", 0, 0, 0]",
                                       "[2, \"pull\", 0, 0, 1]", "[2, \"input\", \"none\", 1]" };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crSessionFacts facts;
    assert_int_equal(replay("4", wrong[i], NULL, &sink, &facts), cr_errorModel);
    assert_message(log, cr_severityError, "actions[0]: the model cannot do this action of the session");
    assert_int_equal(facts.rowCount, 3); // the start and two steps
    crResult* result = NULL;
    assert_int_equal(crReadResult(crTestPath("ball.run/result.h5"), NULL, NULL, &result), cr_ok);
    assert_int_equal(crResult_CountRows(result), 3);
    crDestroyResult(result);
    crDestroyErrorLog(log);
  }
}

typedef struct PeakAllocator {
  crAllocator own;
  size_t live, peak;
} PeakAllocator;

static void* reallocateCounted(void* context, void* block, size_t oldSize, size_t newSize)
{
  PeakAllocator* counter = context;
  counter->live += newSize - oldSize;
  counter->peak = counter->live > counter->peak ? counter->live : counter->peak;
  return counter->own.reallocate(counter->own.context, block, oldSize, newSize);
}

static size_t peakOf(const char* steps)
{
  PeakAllocator counter = { .own = crDefaultAllocator() };
  crAllocator allocator = counter.own;
  allocator.context = &counter;
  allocator.reallocate = reallocateCounted;
  crSessionFacts facts;
  assert_int_equal(replay(steps, "", &allocator, NULL, &facts), cr_ok);
  assert_int_equal(facts.rowCount, atoi(steps) + 1);
  assert_int_equal(counter.live, 0);
  return counter.peak;
}

// Rows were kept in memory until the end, which a session of days never reaches. What remains is the index of the file
// that every run has: less than a third of the rows.
static void rows_of_a_session_are_not_kept_in_memory(void** state)
{
  (void)state;
  size_t few = peakOf("16000"), many = peakOf("64000");
  crResult* result = NULL;
  assert_int_equal(crReadResult(crTestPath("ball.run/result.h5"), NULL, NULL, &result), cr_ok);
  size_t row = sizeof(double) * (size_t)crResult_CountColumns(result) + 7 * sizeof(float);
  crDestroyResult(result);
  assert_true(few > 0 && many - few < 48000 * row / 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_session_goes_from_point_to_point),
    cmocka_unit_test(a_session_leaves_the_scene_as_it_was),
    cmocka_unit_test(what_cannot_be_pulled_is_refused),
    cmocka_unit_test(models_with_actions_are_not_pulled),
    cmocka_unit_test(sessions_are_read),
    cmocka_unit_test(bad_sessions_are_told_with_their_places),
    cmocka_unit_test(actions_that_the_model_refuses_fail_and_keep_what_there_is),
    cmocka_unit_test(rows_of_a_session_are_not_kept_in_memory),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
