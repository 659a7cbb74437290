// Hash tables whose memory the caller provides, so that they can lie inside a model's block.
//
// Both use open addressing with linear probing, at most half full; they never grow, and their hash is
// the same in every run. Unlike crMap they hold no allocator.
#ifndef CR_MODEL_TABLE_H
#define CR_MODEL_TABLE_H

#include <stddef.h>
#include <stdint.h>

// Slots for a table of up to `count` entries: a power of two, more than twice the count. count < 2^30.
int crTableCapacity(int count);

// From 64-bit keys to values >= 0.
typedef struct crKeyTable {
  uint64_t* keys;  // (capacity)
  int32_t* values; // (capacity) -1: empty
  int capacity;
} crKeyTable;

// The key of two indices in either order.
static inline uint64_t crPairKey(int a, int b)
{
  uint64_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
  return low << 32 | high;
}

void crKeyTable_Clear(crKeyTable* table);
int crKeyTable_Find(const crKeyTable* table, uint64_t key); // -1: none
// The value that the key has already, else the given one, which is added.
int crKeyTable_Add(crKeyTable* table, uint64_t key, int value);

// From paths to the places of these paths in an array.
typedef struct crPathTable {
  int32_t* slots; // (capacity) index into `paths`, -1: empty
  int capacity;
  const size_t* paths; // where each begins in the text
  const char* text;
} crPathTable;

void crPathTable_Clear(crPathTable* table);
void crPathTable_Add(crPathTable* table, int index);                             // the path must be new
int crPathTable_Find(const crPathTable* table, const char* path, size_t length); // -1: none

#endif
