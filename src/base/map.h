// A hash map from byte strings to ints, deterministic: fixed hash, no addresses, no random seed.
#ifndef CR_BASE_MAP_H
#define CR_BASE_MAP_H

#include "base/friend.h"
#include "base/memory.h"

// The same bytes give the same hash on every machine and in every run.
CR_FRIEND uint64_t crHashBytes(const void* data, size_t size);
CR_FRIEND uint64_t crHashMix(uint64_t a, uint64_t b);

// Keys are not copied: they must outlive the map.
typedef struct crMapSlot {
  const char* key; // NULL: empty
  uint32_t keySize;
  int32_t value;
  uint64_t hash;
} crMapSlot;

typedef struct crMap {
  crAllocator allocator;
  crMapSlot* slots; // (capacity) a power of two
  int count, capacity;
} crMap;

CR_FRIEND void crMap_Init(crMap* map, const crAllocator* allocator);
CR_FRIEND void crMap_Free(crMap* map);

// The value of a key, or -1.
CR_FRIEND int crMap_Find(const crMap* map, const char* key, size_t keySize);
CR_FRIEND int crMap_FindString(const crMap* map, const char* key);

// Adds or replaces. value >= 0. false: out of memory, the map is unchanged.
CR_FRIEND bool crMap_Set(crMap* map, const char* key, size_t keySize, int value);
CR_FRIEND bool crMap_SetString(crMap* map, const char* key, int value);

// Forgets a key, if it is there. Needs no memory.
void crMap_RemoveString(crMap* map, const char* key);

// Lowers all values above `value` by one, after what they stand for has lost an item.
void crMap_CloseGap(crMap* map, int value);

#endif
