// Reads a Lua model: a sandbox with the constructors in it, run once.
//
// The model is run under the "C" locale of this thread, so that numbers look the same everywhere.
#include "text/lua_reader.h"

#include "base/platform.h"
#include "scene/scene.h"
#include "text/read_options.h"

#include <string.h>

static int openConstructors(lua_State* L)
{
  crLua_OpenValues(L);
  crLua_OpenElements(L);
  crLua_OpenParameters(L);
  crLua_OpenImport(L);
  crLua_OpenInclude(L);
  return 0;
}

// Runs the model. The scene then holds what could be added.
static crStatus runModel(crLuaReader* reader, const char* text, size_t size, const crReadOptions* options)
{
  crStatus status = crLuaReader_InitSettings(reader, options);
  if (status == cr_ok) {
    status = crLuaSandbox_Call(&reader->sandbox, openConstructors);
  }
  if (status == cr_ok) {
    status = crLuaSandbox_Run(&reader->sandbox, text, size);
  }
  if (status == cr_ok) {
    crLuaReader_CheckSettings(reader);
  }
  return status;
}

// Everything between making the scene and deciding what to do with it.
static crStatus readInto(crScene* scene, const char* text, size_t size, const char* name, const char* folder,
                         const crReadOptions* options, const crAllocator* allocator, const crErrorSink* sink)
{
  crLuaReader reader = { .scene = scene };
  crStatus status =
      crLuaSandbox_Init(&reader.sandbox, name, options->instructionLimit, options->memoryLimit, allocator, sink);
  if (status != cr_ok) {
    return status;
  }
  crAllocator counted = crLuaSandbox_Allocator(&reader.sandbox);
  reader.sandbox.owner = &reader;
  crArena_Init(&reader.values, &counted);
  crMap_Init(&reader.settingNames, allocator);
  crElementList_Init(&reader.imported, &counted);
  crElementReader_Init(&reader.elements, scene, sink, folder, options->fileLimit, allocator);
  crElementReader_Use(&reader.elements, options);
  status = crElementReader_SetFile(&reader.elements, name);
  status = status == cr_ok ? runModel(&reader, text, size, options) : status;
  crElementReader_Free(&reader.elements);
  crMap_Free(&reader.settingNames);
  crLuaReader_FreePart(&reader);
  crArray_Free(&reader.running, &reader.sandbox.allocator);
  crArray_Free(&reader.settings, allocator);
  crArray_Free(&reader.prefix, allocator);
  crElementList_Free(&reader.imported);
  crArena_Free(&reader.values);
  crLuaSandbox_Free(&reader.sandbox);
  return status;
}

crStatus crReadLua(const char* text, size_t size, const char* name, const char* folder, const crReadOptions* options,
                   const crAllocator* allocator, const crErrorSink* sink, crScene** outScene)
{
  if (outScene == NULL || (text == NULL && size > 0)) {
    return cr_errorMisuse;
  }
  *outScene = NULL;
  crReadOptions chosen;
  if (crChooseReadOptions(options, sink, &chosen) != cr_ok) {
    return cr_errorMisuse;
  }
  crAllocator own = crChooseAllocator(allocator);
  crScene* scene = NULL;
  crStatus status = crCreateScene(&own, sink, &scene);
  if (status != cr_ok) {
    return status;
  }
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
  status = readInto(scene, text != NULL ? text : "", size, name != NULL ? name : "model", folder, &chosen, &own, sink);
  if (plain != (locale_t)0) {
    uselocale(before);
    freelocale(plain);
  }
  if (status != cr_ok) {
    crDestroyScene(scene);
    return status;
  }
  *outScene = scene;
  return crScene_CountErrors(scene) > 0 ? cr_errorModel : cr_ok;
}
