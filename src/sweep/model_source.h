// The text of a model, read once, from which models with other parameters are made again and again.
#ifndef CR_SWEEP_MODEL_SOURCE_H
#define CR_SWEEP_MODEL_SOURCE_H

#include "base/memory.h"
#include "carom/io.h"

typedef struct crModelSource {
  crAllocator allocator;
  crArena arena;
  const char* path;   // absolute
  const char* folder; // of the file
  char* text;         // (size)
  size_t size;
  bool isLua;
  crScene* scene;     // whose meshes and included files are used again; NULL: it has none
  crMeshFile* meshes; // (meshCount)
  int meshCount;
  crSourceFile* sources; // (sourceCount)
  int sourceCount;
} crModelSource;

// Free is due in any case.
crStatus crModelSource_Init(crModelSource* source, const char* path, const crAllocator* allocator,
                            const crErrorSink* sink);
void crModelSource_Free(crModelSource* source);

// crReadModel's rules hold. Several threads may read at once.
crStatus crModelSource_Read(const crModelSource* source, const crSetting* settings, int settingCount,
                            const crAllocator* allocator, const crErrorSink* sink, crScene** outScene);

// Keeps a scene for its meshes and included files, which are then not read again: it belongs to the source if it has
// any. false: out of memory.
bool crModelSource_KeepFiles(crModelSource* source, crScene** ioScene);

#endif
