// Any bytes as a JSON model. What is read must be written, and read again to the same text.
#include "carom/io.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Formats every message, and counts the errors.
static void format(void* context, const crError* error)
{
  char text[2048];
  crError_Format(error, text, sizeof text);
  *(int*)context += error->severity == cr_severityError;
}

static crStatus readModel(const char* text, size_t size, int* outErrorCount, crScene** outScene)
{
  *outErrorCount = 0;
  crErrorSink sink = { format, outErrorCount };
  crReadOptions options = crDefaultReadOptions();
  options.fileLimit = 1 << 20; // of meshes, too: a path may lead anywhere
  crStatus status = crReadJson(text, size, "fuzz.json", "/nonexistent", &options, NULL, &sink, outScene);
  if ((status == cr_ok) != (*outErrorCount == 0)) {
    abort(); // an error without a message, or a message without an error
  }
  return status;
}

static Text writeModel(const crScene* scene)
{
  Text text = { 0 };
  crTextWriter writer = { append, &text };
  if (crWriteJson(scene, NULL, NULL, writer) != cr_ok) {
    abort();
  }
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  int errorCount = 0;
  crScene *scene = NULL, *again = NULL;
  readModel((const char*)data, size, &errorCount, &scene);
  if (scene != NULL) { // with faults: what could be added, which is a model as well
    Text first = writeModel(scene);
    if (readModel(first.bytes, first.size, &errorCount, &again) != cr_ok) {
      (void)fwrite(first.bytes, 1, first.size, stderr);
      abort();
    }
    Text second = writeModel(again);
    if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0) {
      abort();
    }
    free(first.bytes);
    free(second.bytes);
  }
  crDestroyScene(scene);
  crDestroyScene(again);
  return 0;
}
