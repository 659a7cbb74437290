// What an FMU holds in resources/: its model as text, its meshes, and how it was exported.
#ifndef CR_FMU_PACKAGE_H
#define CR_FMU_PACKAGE_H

#include "base/memory.h"
#include "carom/io.h"

typedef struct crFmuPackage {
  crAllocator allocator;
  crArena arena;         // of names
  const char* guid;      // of the description that belongs to it
  const char* name;      // of the model's file
  char* text;            // (size + 1)
  size_t size;           //
  bool isLua;            //
  bool hasParameters;    //
  bool isExchange;       // exported for Model Exchange as well
  crSetting* settings;   // (settingCount) of the export
  int settingCount;      //
  crMeshFile* meshes;    // (meshCount) retained
  int meshCount;         //
  crSourceFile* sources; // (sourceCount) that the model includes
  int sourceCount;       //
} crFmuPackage;

// Free is due in any case.
crStatus crFmuPackage_Open(crFmuPackage* package, const char* folder, const crAllocator* allocator,
                           const crErrorSink* sink);
void crFmuPackage_Free(crFmuPackage* package);

// The scene and the model with these settings behind those of the export. On failure there is neither.
crStatus crFmuPackage_Read(const crFmuPackage* package, const crSetting* settings, int settingCount,
                           const crErrorSink* sink, crScene** outScene, crModel** outModel);

// The path of the folder that an URI stands for, "file:///tmp/x/resources"; paths stay. false: it is none, or too long.
bool crReadFileUri(const char* uri, char* buffer, size_t size);

#endif
