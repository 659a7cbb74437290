// Any bytes as a Lua model, with limits small enough to try many.
#include "base/text.h"
#include "carom/io.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Formats every message, counts the errors, and makes sure that what is shown is text.
static void format(void* context, const crError* error)
{
  char text[8192];
  crError_Format(error, text, sizeof text);
  if (error->message == NULL || !crIsUtf8(error->message, strlen(error->message)) ||
      (error->path != NULL && !crIsUtf8(error->path, strlen(error->path)))) {
    abort();
  }
  *(int*)context += error->severity == cr_severityError;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  int errorCount = 0;
  crErrorSink sink = { format, &errorCount };
  const crSetting settings[] = { { "n", "3" }, { "robot.arm.length", "0.5" }, { "on", "true" }, { "x", "text" } };
  crReadOptions options = crDefaultReadOptions();
  options.settings = settings;
  options.settingCount = 4;
  options.instructionLimit = 100000;
  options.memoryLimit = 8 << 20;
  options.fileLimit = 1 << 20; // of meshes: a path may lead anywhere
  crScene* scene = NULL;
  crStatus status = crReadLua((const char*)data, size, "fuzz.lua", "/nonexistent", &options, NULL, &sink, &scene);
  bool hasScene = status == cr_ok || status == cr_errorModel; // and not necessarily then
  if ((status == cr_ok) != (errorCount == 0) || (status == cr_ok && scene == NULL) || (scene != NULL && !hasScene) ||
      status == cr_errorMisuse) {
    abort();
  }
  crDestroyScene(scene);
  return 0;
}
