// Lua files that say what is to be done by one call with a table.
#ifndef CR_SWEEP_PLAN_SCRIPT_H
#define CR_SWEEP_PLAN_SCRIPT_H

#include "base/text.h"
#include "text/value.h"

typedef struct crPlanScript {
  const char* word; // of the function: "sweep"
  const char* hint; // for a file that does not call it
  // Its table, which lives during the call, and where that is.
  crStatus (*take)(void* context, const crValue* value, crSource source);
  void* context;
  crArena* arena; // of the value, and of what is made of it
} crPlanScript;

// Runs the file in a sandbox. Everything wrong with it is reported.
crStatus crRunPlanScript(const crPlanScript* asked, const char* path, const crErrorSink* sink);

// A file that is named from the folder of another one. NULL: out of memory.
const char* crFindBeside(crArena* arena, const char* path, const char* file);

// What was found, for messages: a text or a number itself, else its kind.
const char* crDescribeFound(const crValue* found, char buffer[CR_NUMBER_SIZE]);

#endif
