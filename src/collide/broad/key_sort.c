// Few keys are sorted by insertion, many digit by digit from the last one. Digits that all keys share are left out.
#include "collide/broad/key_sort.h"

#define CR_FEW_KEYS 24  // [-] below this, insertion beats clearing the counters of the digits
#define CR_DIGIT_BITS 8 // [-] 256 counters stay in the first cache
#define CR_DIGIT_COUNT (1 << CR_DIGIT_BITS)
#define CR_KEY_BITS 64

static void sortFewKeys(crKey* keys, int count)
{
  for (int i = 1; i < count; ++i) {
    crKey key = keys[i];
    int j = i;
    for (; j > 0 && keys[j - 1] > key; --j) {
      keys[j] = keys[j - 1];
    }
    keys[j] = key;
  }
}

static int digitOf(crKey key, int shift)
{
  return (int)(key >> shift & (CR_DIGIT_COUNT - 1));
}

// Stable.
static void sortByDigit(const crKey* keys, int count, int shift, crKey* outKeys)
{
  int start[CR_DIGIT_COUNT + 1] = { 0 };
  for (int i = 0; i < count; ++i) {
    ++start[digitOf(keys[i], shift) + 1];
  }
  for (int d = 1; d < CR_DIGIT_COUNT; ++d) {
    start[d] += start[d - 1];
  }
  for (int i = 0; i < count; ++i) {
    outKeys[start[digitOf(keys[i], shift)]++] = keys[i];
  }
}

// Bits in which not all keys agree.
static crKey findVaryingBits(const crKey* keys, int count)
{
  crKey varying = 0;
  for (int i = 1; i < count; ++i) {
    varying |= keys[i] ^ keys[0];
  }
  return varying;
}

crKey* crDistributeKeys(crKey* keys, crKey* scratch, int count)
{
  if (count <= CR_FEW_KEYS) {
    sortFewKeys(keys, count);
    return keys;
  }
  crKey varying = findVaryingBits(keys, count);
  for (int shift = 0; shift < CR_KEY_BITS; shift += CR_DIGIT_BITS) {
    if (digitOf(varying, shift) != 0) {
      sortByDigit(keys, count, shift, scratch);
      crKey* held = keys;
      keys = scratch;
      scratch = held;
    }
  }
  return keys;
}
