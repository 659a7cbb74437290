// The limits that hold unless others are given.
#include "text/read_options.h"

#include "base/report.h"

#define CR_INSTRUCTION_LIMIT 1000000000   // some ten seconds of Lua
#define CR_MEMORY_LIMIT ((size_t)1 << 30) // [bytes]

crReadOptions crDefaultReadOptions(void)
{
  crReadOptions options = { .size = sizeof options };
  return options;
}

static bool isList(const void* items, int count)
{
  return count == 0 || (count > 0 && items != NULL);
}

crStatus crChooseReadOptions(const crReadOptions* options, const crErrorSink* sink, crReadOptions* outOptions)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  *outOptions = crDefaultReadOptions();
  if (options != NULL) {
    if (!crCheckSize(&reporter, "crReadOptions", options->size, sizeof *options) || options->instructionLimit < 0 ||
        !isList(options->settings, options->settingCount) || !isList(options->meshes, options->meshCount) ||
        !isList(options->sources, options->sourceCount)) {
      return cr_errorMisuse;
    }
    *outOptions = *options;
  }
  if (outOptions->instructionLimit == 0) {
    outOptions->instructionLimit = CR_INSTRUCTION_LIMIT;
  }
  if (outOptions->memoryLimit == 0) {
    outOptions->memoryLimit = CR_MEMORY_LIMIT;
  }
  if (outOptions->fileLimit == 0) {
    outOptions->fileLimit = CR_MODEL_FILE_LIMIT;
  }
  return cr_ok;
}
