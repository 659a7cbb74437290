// Any bytes as a robot. What is read becomes a model or is refused with a message, and as Lua it is the same model.
#ifndef CR_FUZZ_ROBOT_CHECK_H
#define CR_FUZZ_ROBOT_CHECK_H

#include "text.h"
#include "text/lua_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Formats every message, and counts the errors.
static inline void format(void* context, const crError* error)
{
  char text[2048];
  crError_Format(error, text, sizeof text);
  *(int*)context += error->severity == cr_severityError;
}

static inline Text writeScene(const crScene* scene)
{
  Text text = { 0 };
  crTextWriter writer = { append, &text };
  if (crWriteJson(scene, NULL, NULL, writer) != cr_ok) {
    abort();
  }
  return text;
}

// Names that Lua cannot hold as paths are found by the element reader in both.
static inline void compareLua(const char* data, size_t size, const crReadOptions* options, const Text* first)
{
  crElementList list;
  crElementReader shapes;
  Text lua = { 0 };
  crElementList_Init(&list, NULL);
  crElementReader_Init(&shapes, NULL, NULL, "/nonexistent", options->fileLimit, NULL);
  if (crReadRobotList(data, size, "fuzz.xml", "/nonexistent", options, &shapes, NULL, &list) != cr_ok ||
      crWriteLua(&list, NULL, NULL, NULL, (crTextWriter){ append, &lua }) != cr_ok) {
    abort();
  }
  crScene* scene = NULL;
  if (crReadLua(lua.bytes, lua.size, "fuzz.lua", "/nonexistent", NULL, NULL, NULL, &scene) != cr_ok) {
    fprintf(stderr, "%s\n", lua.bytes);
    abort();
  }
  Text second = writeScene(scene);
  if (first->size != second.size || memcmp(first->bytes, second.bytes, second.size) != 0) {
    fprintf(stderr, "%s\n%s\n%s\n", lua.bytes, first->bytes, second.bytes);
    abort();
  }
  crDestroyScene(scene);
  free(second.bytes);
  free(lua.bytes);
  crElementReader_Free(&shapes);
  crElementList_Free(&list);
}

static inline void checkRobot(const uint8_t* data, size_t size)
{
  static const crSetting settings[] = { { "ignoreMissing", "true" } };
  int errorCount = 0;
  crErrorSink sink = { format, &errorCount };
  crReadOptions options = crDefaultReadOptions();
  crScene* scene = NULL;
  options.fileLimit = 1 << 20; // of meshes, too: a path may lead anywhere
  options.settings = settings;
  options.settingCount = 1;
  crStatus status = crReadRobot((const char*)data, size, "fuzz.xml", "/nonexistent", &options, NULL, &sink, &scene);
  if ((status == cr_ok) != (errorCount == 0)) {
    abort(); // an error without a message, or a message without an error
  }
  if (status == cr_ok) {
    Text first = writeScene(scene);
    compareLua((const char*)data, size, &options, &first);
    free(first.bytes);
  }
  if (scene != NULL) {
    crModel* model = NULL;
    crCompile(scene, NULL, NULL, NULL, &model);
    crDestroyModel(model);
  }
  crDestroyScene(scene);
}

#endif
