// A model in a page: read, run, described. One at a time.
#ifndef CR_WASM_PLAY_H
#define CR_WASM_PLAY_H

#include "carom/simulate.h"
#include "show/run_about.h"
#include "sim/session.h"

#define CR_EXPORT(name) __attribute__((export_name(name)))
#define CR_IMPORT(name) __attribute__((import_module("carom"), import_name(name)))

// What is handed out goes into memory, and poses to where the page can see them while a run goes on.
typedef struct crPlayRecording {
  crResultMemory* memory;
  crResultDef def; // until the first row; what it points to is the recorder's and the play's
  int bodyCount, rowCount;
  crSimulation* simulation; // of a run
  crBytes json;             // about it
} crPlayRecording;

typedef struct crPlay {
  char* file;                // of the model
  crSetting* settings;       // (settingCount) into settingText
  int settingCount;          //
  char* settingText;         //
  crErrorLog* log;           // messages of the model, then of the run
  crErrorSink sink;          //
  crScene* scene;            //
  crModel* model;            // NULL: it has errors
  crRunAbout about;          // what is told of it with a run
  crBytes text;              // JSON for the page
  crBytes numbers;           // that the text refers to
  crPlayRecording recording; // what is recorded now
  crResult* result;          // of the last run; NULL: there is none
  crBytes poses;             // rows of the run that goes on: time and poses, float32
  crSession* session;        // NULL: there is none
} crPlay;

extern crPlay crThePlay;
extern crSimulationOptions crTheOptions; // of all runs; its size is 0 until some are set

// The page is told where a run is, now and then; it answers whether to stop.
CR_IMPORT("progress") int crHost_Progress(double time);
// The text and the numbers describe the start of a run that goes on.
CR_IMPORT("begin") void crHost_Begin(void);

// live.c: ends the session, if there is one; its rows are the result.
void crPlay_EndLive(crPlay* play);

// Forgets the result before, and makes room for another one, for crPlay_MakeSink. false: out of memory.
bool crPlay_BeginRecording(crPlay* play);
crRecordSink crPlay_MakeSink(crPlay* play);
void crPlay_EndRecording(crPlay* play); // what was recorded is the result
// Texts, hashes and meshes that go with records.
crRecordOptions crPlay_MakeRecordOptions(crPlay* play);

#endif
