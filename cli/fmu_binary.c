// The binary of FMUs and the licences of what it holds, as files of the build: the assembler puts them into the tool.
#include "fmu.h"

#ifdef CAROM_FMU_BINARY

#define CR_SYMBOL(name) ".globl " name "\n.hidden " name "\n" name ":\n"

__asm__(".section .rodata\n" CR_SYMBOL("crFmuBinaryStart") ".incbin \"" CAROM_FMU_BINARY "\"\n" CR_SYMBOL(
    "crFmuBinaryEnd") ".byte 0\n" CR_SYMBOL("crFmuLicenseStart") ".incbin \"" CAROM_FMU_LICENSE
                                                                 "\"\n.byte 0\n.previous\n");

__attribute__((visibility("hidden"))) extern const char crFmuBinaryStart[], crFmuBinaryEnd[], crFmuLicenseStart[];

const void* crGetFmuBinary(size_t* outSize, const char** outLicense)
{
  *outSize = (size_t)((uintptr_t)crFmuBinaryEnd - (uintptr_t)crFmuBinaryStart);
  *outLicense = crFmuLicenseStart;
  return crFmuBinaryStart;
}

#else

const void* crGetFmuBinary(size_t* outSize, const char** outLicense)
{
  *outSize = 0;
  *outLicense = NULL;
  return NULL;
}

#endif
