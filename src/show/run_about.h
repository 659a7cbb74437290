// What is told about a run beside its records: name, text and hashes of its model, and run.json.
#ifndef CR_SHOW_RUN_ABOUT_H
#define CR_SHOW_RUN_ABOUT_H

#include "base/sha256.h"
#include "carom/run.h"
#include "show/bytes.h"

#define CR_MODEL_NAME_SIZE 512 // [bytes] its zero included

typedef struct crRunAbout {
  crAllocator allocator;
  char name[CR_MODEL_NAME_SIZE];                              // of the model: "path/model.lua" -> "model"
  char* source;                                               // NULL: the file cannot be read, or is no UTF-8
  size_t sourceSize;                                          //
  crBytes scene;                                              // as canonical JSON, with a zero; empty: there is none
  crMeshFile* meshes;                                         // (meshCount)
  int meshCount;                                              //
  char sourceHash[CR_SHA256_TEXT], sceneHash[CR_SHA256_TEXT]; // "": unknown
} crRunAbout;

// crRunAbout_Free is due in any case.
crStatus crRunAbout_Init(crRunAbout* about, const crRunDef* def, const crScene* scene, const crAllocator* allocator,
                         const crErrorSink* sink);
void crRunAbout_Free(crRunAbout* about);

// run.json: versions, options, hashes, statistics and how the run ended. isWhole: with what differs from machine to
// machine and from run to run, which is times and threads; a result has the rest.
void crWriteRunJson(const crRunAbout* about, const crRunDef* def, crSimulation* simulation, crRunEnd end, bool isWhole,
                    crTextWriter writer);

#endif
