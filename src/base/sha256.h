// SHA-256, the fingerprint of files (FIPS 180-4): the same as that of the command sha256sum.
#ifndef CR_BASE_SHA256_H
#define CR_BASE_SHA256_H

#include "base/friend.h"

#include <stddef.h>
#include <stdint.h>

#define CR_SHA256_TEXT 65 // [bytes] of the hexadecimal text, its zero included

typedef struct crSha256 {
  uint32_t state[8];
  uint64_t size; // [bytes] so far
  uint8_t block[64];
} crSha256;

CR_FRIEND void crSha256_Init(crSha256* hash);
CR_FRIEND void crSha256_Add(crSha256* hash, const void* bytes, size_t size);
CR_FRIEND void crSha256_Finish(crSha256* hash, char outText[CR_SHA256_TEXT]); // ends it

#endif
