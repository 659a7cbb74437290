// What a run into a folder tells its checkpoints, so that another process can go on with it: which model, what was
// recorded, and the place in the result. JSON; options, inputs and counts are in the simulation that is saved.
#ifndef CR_SHOW_RUN_NOTE_H
#define CR_SHOW_RUN_NOTE_H

#include "base/memory.h"
#include "carom/io.h"
#include "carom/result.h"

typedef struct crRunNote {
  const char* modelFile;    // as it was given, for people
  const char* modelPath;    // absolute; "": the model came from no file
  const char* sourceHash;   // of the file, "": unknown
  const char* sceneHash;    // of its scene as JSON
  const char* stateFile;    // where the state at the end goes, absolute; "": nowhere
  double checkpointSeconds; // as crRunDef has it
  const crSetting* settings;
  int settingCount;
  const char* const* patterns; // of what is recorded
  int patternCount;
  bool hasReport;
  bool isInteractive; // the report is
  crResultPlace place;
} crRunNote;

// NULL: out of memory, or a text is not UTF-8. free() it.
char* crWriteRunNote(const crRunNote* note);

// Texts and lists go to the arena. cr_errorFile: it is no such note, which is reported.
crStatus crReadRunNote(const void* bytes, size_t size, crArena* arena, const crErrorSink* sink, crRunNote* outNote);

#endif
