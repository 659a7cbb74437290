// What carom fmu packs.
#ifndef CR_CLI_FMU_H
#define CR_CLI_FMU_H

#include <stddef.h>
#include <stdint.h>

// The shared library of all FMUs, and the licences of what it holds; NULL: this tool was built without.
const void* crGetFmuBinary(size_t* outSize, const char** outLicense);

#endif
