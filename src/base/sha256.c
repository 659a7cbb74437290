// SHA-256 in the symbols of FIPS 180-4, sections 4.1.2, 4.2.2 and 6.2.2. K: the first 32 bits of the fractional parts
// of the cube roots of the first 64 primes; the first state: those of the square roots of the first 8.
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

#define CR_BLOCK 64 // [bytes]

static const uint32_t K[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t x, int n)
{
  return x >> n | x << (32 - n);
}

static void expand(const uint8_t* block, uint32_t W[64])
{
  for (int t = 0; t < 16; ++t) {
    const uint8_t* b = block + (ptrdiff_t)4 * t;
    W[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
  }
  for (int t = 16; t < 64; ++t) {
    uint32_t s0 = turn(W[t - 15], 7) ^ turn(W[t - 15], 18) ^ W[t - 15] >> 3;
    uint32_t s1 = turn(W[t - 2], 17) ^ turn(W[t - 2], 19) ^ W[t - 2] >> 10;
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
}

static void addBlock(uint32_t state[8], const uint8_t* block)
{
  uint32_t W[64];
  expand(block, W);
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (int t = 0; t < 64; ++t) {
    uint32_t T1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + W[t];
    uint32_t T2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + T1;
    d = c, c = b, b = a, a = T1 + T2;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void crSha256_Init(crSha256* hash)
{
  static const uint32_t first[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
  memset(hash, 0, sizeof *hash);
  memcpy(hash->state, first, sizeof first);
}

void crSha256_Add(crSha256* hash, const void* bytes, size_t size)
{
  const uint8_t* next = bytes;
  while (size > 0) {
    size_t used = hash->size % CR_BLOCK, part = size < CR_BLOCK - used ? size : CR_BLOCK - used;
    if (part == CR_BLOCK) {
      addBlock(hash->state, next);
    } else {
      memcpy(hash->block + used, next, part);
      if (used + part == CR_BLOCK) {
        addBlock(hash->state, hash->block);
      }
    }
    hash->size += part;
    next += part;
    size -= part;
  }
}

// A one, zeros, and the length in bits at the end of the last block.
void crSha256_Finish(crSha256* hash, char outText[CR_SHA256_TEXT])
{
  static const uint8_t padding[CR_BLOCK] = { 0x80 };
  uint64_t bits = 8 * hash->size;
  uint8_t length[8];
  for (int i = 0; i < 8; ++i) {
    length[i] = (uint8_t)(bits >> (56 - 8 * i));
  }
  size_t used = hash->size % CR_BLOCK;
  crSha256_Add(hash, padding, (used < 56 ? 56 : 120) - used);
  crSha256_Add(hash, length, sizeof length);
  for (int i = 0; i < 8; ++i) {
    snprintf(outText + (ptrdiff_t)8 * i, 9, "%08x", (unsigned)hash->state[i]);
  }
}
