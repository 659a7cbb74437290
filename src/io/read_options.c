// The limits under which models are read unless the caller says otherwise.
#include "carom/io.h"

#define CR_DEFAULT_INSTRUCTION_LIMIT 2000000000   // about ten seconds of Lua
#define CR_DEFAULT_MEMORY_LIMIT ((size_t)4 << 30) // [bytes]
#define CR_DEFAULT_FILE_LIMIT ((size_t)2 << 30)   // [bytes]

crReadOptions crDefaultReadOptions(void)
{
  crReadOptions options = { .instructionLimit = CR_DEFAULT_INSTRUCTION_LIMIT,
                            .memoryLimit = CR_DEFAULT_MEMORY_LIMIT,
                            .fileLimit = CR_DEFAULT_FILE_LIMIT };
  return options;
}
