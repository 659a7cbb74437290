// What is told about a run beside its records: name, text and hashes of its model, and run.json.
#ifndef CR_SHOW_RUN_ABOUT_H
#define CR_SHOW_RUN_ABOUT_H

#include "base/sha256.h"
#include "carom/run.h"
#include "show/bytes.h"
#include "show/checkpoint_pair.h"

#define CR_MODEL_NAME_SIZE 512 // [bytes] its zero included

typedef struct crRunAbout {
  crAllocator allocator;
  char name[CR_MODEL_NAME_SIZE];                              // of the model: "path/model.lua" -> "model"
  char* source;                                               // NULL: the file cannot be read, or is no UTF-8
  size_t sourceSize;                                          //
  crBytes scene;                                              // as canonical JSON, with a zero; empty: there is none
  crMeshFile* meshes;                                         // (meshCount)
  int meshCount;                                              //
  int columnCount;                                            // variables that are recorded
  char sourceHash[CR_SHA256_TEXT], sceneHash[CR_SHA256_TEXT]; // "": unknown
} crRunAbout;

// Where a run comes from that goes on: what its def cannot tell.
typedef struct crRunOrigin {
  const char* modelPath;      // of the model's file, absolute; "": there is none
  const char* sourceHash;     // of the file when the run began
  bool isFileGone;            // it is not what it was, and:
  const char* source;         // the text that the result has kept; NULL: none
  bool hasReport;             // the run was asked for one
  crCheckpointPair pair;      // the older checkpoint is written next
  crSimulation* simulation;   // the caller's, from crLoadSimulation; its own options count
  const crResultPlace* place; // in the result in the folder
} crRunOrigin;

// crRunAbout_Free is due in any case. origin NULL: a new run.
crStatus crRunAbout_Init(crRunAbout* about, const crRunDef* def, const crRunOrigin* origin, const crScene* scene,
                         const crAllocator* allocator, const crErrorSink* sink);
void crRunAbout_Free(crRunAbout* about);

// SHA-256 as text.
void crDigestBytes(const void* bytes, size_t size, char outHash[CR_SHA256_TEXT]);

// crRunModel for a run that goes on in a folder that the caller has locked; origin NULL: for a new one.
crStatus crContinueRun(const crRunDef* def, const crRunOrigin* origin, const crAllocator* allocator,
                       const crErrorSink* sink, crRunFacts* outFacts);

// run.json: versions, options, hashes, statistics and how the run ended. isWhole: with what differs from machine to
// machine and from run to run, which is times and threads; a result has the rest.
void crWriteRunJson(const crRunAbout* about, const crRunDef* def, crSimulation* simulation, crRunEnd end, bool isWhole,
                    crTextWriter writer);

#endif
