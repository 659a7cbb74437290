// Sessions as JSON: what was done in a play page, to be done again.
//
//   { "format": "carom session 1", "model": "billiards.lua", "set": { "speed": "2" }, "steps": 1200,
//     "actions": [ [0, "input", "throttle", 0.5], [12, "grab", "cue", 0, 0, 0.01], [12, "pull", 0.3, 0, 0.2],
//                  [90, "release"] ] }
//
// An action is done at a point of the grid of the session, before the step that leaves it (sim/session.h).
#ifndef CR_TEXT_SESSION_FILE_H
#define CR_TEXT_SESSION_FILE_H

#include "base/friend.h"
#include "carom/io.h"

typedef enum crSessionActionKind {
  cr_sessionGrab,
  cr_sessionPull,
  cr_sessionRelease,
  cr_sessionInput,
  cr_sessionActionCount
} crSessionActionKind;

typedef struct crSessionAction {
  int step;
  crSessionActionKind kind;
  const char* path;  // of an object or an input; else NULL
  double numbers[3]; // point, target, or value of an input
} crSessionAction;

typedef struct crSessionScript {
  crAllocator allocator;
  void* json;          // that strings belong to
  crSetting* settings; // (settingCount)
  int settingCount;
  crSessionAction* actions; // (actionCount) in the order of their steps
  int actionCount;
  int stepCount;
} crSessionScript;

// All that is wrong is reported by its place in the text. crSessionScript_Free is due in any case.
CR_FRIEND crStatus crReadSessionFile(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                                     crSessionScript* outScript);
CR_FRIEND void crSessionScript_Free(crSessionScript* script);

#endif
