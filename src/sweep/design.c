// Random numbers, Sobol's sequence and permutations as functions of their place.
#include "sweep/design.h"

#include "sweep/sobol_table.h"

#include <string.h>

#define CR_PHILOX_ROUNDS 10
#define CR_SOBOL_BITS 32
#define CR_FEISTEL_ROUNDS 6
#define CR_LARGEST_UNIT (1.0 - 0x1p-53) // the largest number below 1
#define CR_STREAM_LATIN 0x40000000u     // of the keys of permutations, behind all dimensions

// ----------------------------------------------------------------------------------------- designs

static const char* const names[cr_designCount] = { "grid", "random", "sobol", "latin", "sensitivity" };

const char* crDesign_GetText(crDesign design)
{
  return design < cr_designCount ? names[design] : "";
}

crDesign crFindDesign(const char* name)
{
  int i = 0;
  while (i < cr_designCount && strcmp(names[i], name) != 0) {
    ++i;
  }
  return (crDesign)i;
}

// ------------------------------------------------------------------------------------ random numbers

void crPhilox(const uint32_t counter[4], const uint32_t key[2], uint32_t outWords[4])
{
  uint32_t c[4] = { counter[0], counter[1], counter[2], counter[3] }, k[2] = { key[0], key[1] };
  for (int round = 0; round < CR_PHILOX_ROUNDS; ++round) {
    uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    uint32_t next[4] = { (uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1],
                         (uint32_t)a };
    memcpy(c, next, sizeof c);
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  memcpy(outWords, c, sizeof c);
}

static uint64_t randomBits(uint64_t seed, uint64_t i, uint32_t stream)
{
  uint32_t counter[4] = { (uint32_t)i, (uint32_t)(i >> 32), stream, 0 };
  uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) }, words[4];
  crPhilox(counter, key, words);
  return (uint64_t)words[1] << 32 | words[0];
}

// The middle of one of 2^52 intervals: never 0 or 1.
static double toUnit(uint64_t bits)
{
  return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

double crRandomUnit(uint64_t seed, uint64_t i, uint32_t stream)
{
  return toUnit(randomBits(seed, i, stream));
}

// -------------------------------------------------------------------------------------------- Sobol

// V_k = 2^(32 - k) m_k, and behind the degree s by the recurrence of the polynomial.
static void makeDirections(int dimension, uint32_t v[CR_SOBOL_BITS])
{
  for (int k = 0; k < CR_SOBOL_BITS; ++k) {
    v[k] = 1u << (31 - k);
  }
  if (dimension == 0) {
    return;
  }
  const crSobolRow* row = &sobolRows[dimension - 1];
  int s = row->degree;
  for (int k = 0; k < s; ++k) {
    v[k] = (uint32_t)row->m[k] << (31 - k);
  }
  for (int k = s; k < CR_SOBOL_BITS; ++k) {
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (int j = 1; j < s; ++j) {
      v[k] ^= (row->inner >> (s - 1 - j) & 1) != 0 ? v[k - j] : 0;
    }
  }
}

uint32_t crSobolBits(uint32_t i, int dimension)
{
  if (dimension < 0 || dimension >= CR_SOBOL_DIMENSIONS) {
    return 0;
  }
  uint32_t v[CR_SOBOL_BITS], bits = 0;
  makeDirections(dimension, v);
  uint32_t gray = i ^ i >> 1; // the usual order of points
  for (int k = 0; gray != 0; ++k, gray >>= 1) {
    bits ^= (gray & 1) != 0 ? v[k] : 0;
  }
  return bits;
}

static uint32_t reverseBits(uint32_t x)
{
  x = x << 16 | x >> 16;
  x = (x & 0x00FF00FFu) << 8 | (x & 0xFF00FF00u) >> 8;
  x = (x & 0x0F0F0F0Fu) << 4 | (x & 0xF0F0F0F0u) >> 4;
  x = (x & 0x33333333u) << 2 | (x & 0xCCCCCCCCu) >> 2;
  return (x & 0x55555555u) << 1 | (x & 0xAAAAAAAAu) >> 1;
}

// Each bit is flipped by a hash of those above it: products with even numbers carry upwards only, in reversed order.
static uint32_t scramble(uint32_t bits, uint32_t key)
{
  uint32_t x = reverseBits(bits);
  x ^= x * 0x3D20ADEAu;
  x += key;
  x *= (key >> 16) | 1;
  x ^= x * 0x05526C56u;
  x ^= x * 0x53A22864u;
  return reverseBits(x);
}

static double sobolCoordinate(uint64_t seed, uint64_t i, int dimension)
{
  uint32_t key = (uint32_t)randomBits(seed, 0, (uint32_t)dimension);
  return ((double)scramble(crSobolBits((uint32_t)i, dimension), key) + 0.5) * 0x1p-32;
}

// --------------------------------------------------------------------------------------- permutations

// Half of the bits are mixed with a hash of the other half, by turns: a bijection of 2^bits numbers.
static uint64_t mixHalves(uint64_t i, int halfBits, uint64_t key)
{
  uint64_t mask = ((uint64_t)1 << halfBits) - 1, left = i >> halfBits, right = i & mask;
  for (int round = 0; round < CR_FEISTEL_ROUNDS; ++round) {
    uint64_t next = left ^ (randomBits(key, right, (uint32_t)round) & mask);
    left = right;
    right = next;
  }
  return left << halfBits | right;
}

uint64_t crPermute(uint64_t i, uint64_t n, uint64_t key)
{
  int halfBits = 1;
  while (halfBits < 31 && (uint64_t)1 << (2 * halfBits) < n) {
    ++halfBits;
  }
  do { // those outside [0, n) are gone through: within n the cycles stay a permutation
    i = mixHalves(i, halfBits, key);
  } while (i >= n);
  return i;
}

// -------------------------------------------------------------------------------------- coordinates

double crDesign_FindCoordinate(crDesign design, uint64_t seed, uint64_t i, uint64_t n, int dimension)
{
  double place = crRandomUnit(seed, i, (uint32_t)dimension);
  if (design == cr_designSobol || design == cr_designSensitivity) {
    return sobolCoordinate(seed, i, dimension);
  }
  if (design == cr_designLatin && n > 0) {
    uint64_t key = randomBits(seed, 0, CR_STREAM_LATIN + (uint32_t)dimension);
    double coordinate = ((double)crPermute(i, n, key) + place) / (double)n;
    return coordinate < CR_LARGEST_UNIT ? coordinate : CR_LARGEST_UNIT;
  }
  return place;
}
