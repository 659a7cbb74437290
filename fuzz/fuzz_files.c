// Any bytes as one of the smaller files of JSON that Carom reads: the first byte says which. States that are read are
// written, and read again to the same text.
#include "edits.h"
#include "show/run_note.h"
#include "sweep/plan.h"
#include "text.h"
#include "text/distance_query.h"
#include "text/session_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void readState(const char* text, size_t size, const crErrorSink* sink, int* errorCount)
{
  crState *state = NULL, *again = NULL;
  crStatus status = crReadState(text, size, "state.json", NULL, sink, &state);
  require((status == cr_ok) == (state != NULL) && (status == cr_ok) == (*errorCount == 0), "a state, or an error");
  if (state != NULL) {
    Text first = { 0 }, second = { 0 };
    require(crWriteState(state, (crTextWriter){ append, &first }) == cr_ok, "what is read is written");
    require(crReadState(first.bytes, first.size, "again", NULL, sink, &again) == cr_ok, "and read again");
    require(crWriteState(again, (crTextWriter){ append, &second }) == cr_ok, "and written again");
    require(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0, "as the same text");
    free(first.bytes);
    free(second.bytes);
  }
  crDestroyState(state);
  crDestroyState(again);
}

static void readSession(const char* text, size_t size, const crErrorSink* sink, const int* errorCount)
{
  const char* path = choosePath("fuzz.session");
  crSessionScript script;
  writeImage(path, (const uint8_t*)text, size);
  crStatus status = crReadSessionFile(path, NULL, sink, &script);
  require((status == cr_ok) == (*errorCount == 0), "a session, or an error");
  for (int i = 0; status == cr_ok && i < script.actionCount; ++i) {
    require(script.actions[i].kind < cr_sessionActionCount && script.actions[i].step >= 0 &&
                (i == 0 || script.actions[i].step >= script.actions[i - 1].step),
            "actions are in their order");
  }
  crSessionScript_Free(&script);
}

static void answerQuery(const char* text, size_t size)
{
  Text answer = { 0 };
  crDistanceQueries queries;
  crDistanceQueries_Init(&queries, NULL);
  crStatus status = crDistanceQueries_Answer(&queries, text, size, 1, (crTextWriter){ append, &answer });
  require(answer.size > 0 && (status == cr_ok) == (strstr(answer.bytes, "\"error\"") == NULL),
          "an answer, or an error");
  crDistanceQueries_Free(&queries);
  free(answer.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  if (size == 0) {
    return 0;
  }
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  const char* text = (const char*)data + 1;
  crArena arena;
  crPlanText plan;
  crRunNote note;
  crStatus status;
  crArena_Init(&arena, NULL);
  switch (data[0] % 5) {
    case 0: readState(text, size - 1, &sink, &errorCount); break;
    case 1: readSession(text, size - 1, &sink, &errorCount); break;
    case 2: answerQuery(text, size - 1); break;
    case 3:
      status = crParsePlanJson(text, size - 1, "plan.json", &arena, &sink, &plan);
      require((status == cr_ok) == (errorCount == 0), "a plan, or an error");
      break;
    default:
      status = crReadRunNote(text, size - 1, &arena, &sink, &note);
      require((status == cr_ok) == (errorCount == 0), "a note, or an error");
      break;
  }
  crArena_Free(&arena);
  return 0;
}
