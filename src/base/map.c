// Open addressing with linear probing, at most half full.
#include "base/map.h"

#include <string.h>

// The finalizer of splitmix64: every input bit reaches every output bit.
static uint64_t scramble(uint64_t x)
{
  x ^= x >> 30;
  x *= UINT64_C(0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

uint64_t crHashMix(uint64_t a, uint64_t b)
{
  return scramble(a ^ (scramble(b) + UINT64_C(0x9e3779b97f4a7c15)));
}

uint64_t crHashBytes(const void* data, size_t size)
{
  const unsigned char* bytes = data;
  uint64_t hash = (uint64_t)size;
  for (; size >= 8; size -= 8, bytes += 8) {
    // little-endian by hand, so that the hash does not depend on the machine
    uint64_t word = 0;
    for (int i = 0; i < 8; ++i) {
      word |= (uint64_t)bytes[i] << (8 * i);
    }
    hash = crHashMix(hash, word);
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < size; ++i) {
    tail |= (uint64_t)bytes[i] << (8 * i);
  }
  return crHashMix(hash, tail);
}

void crMap_Init(crMap* map, const crAllocator* allocator)
{
  memset(map, 0, sizeof *map);
  map->allocator = crChooseAllocator(allocator);
}

void crMap_Free(crMap* map)
{
  crFree(&map->allocator, map->slots, (size_t)map->capacity * sizeof *map->slots);
  map->slots = NULL;
  map->count = map->capacity = 0;
}

// The slot that holds the key, or the empty one where it belongs. capacity > 0.
static crMapSlot* findSlot(const crMap* map, const char* key, size_t keySize, uint64_t hash)
{
  size_t mask = (size_t)map->capacity - 1;
  for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
    crMapSlot* slot = &map->slots[i];
    if (slot->key == NULL || (slot->hash == hash && slot->keySize == keySize && memcmp(slot->key, key, keySize) == 0)) {
      return slot;
    }
  }
}

int crMap_Find(const crMap* map, const char* key, size_t keySize)
{
  if (map->capacity == 0) {
    return -1;
  }
  const crMapSlot* slot = findSlot(map, key, keySize, crHashBytes(key, keySize));
  return slot->key != NULL ? slot->value : -1;
}

int crMap_FindString(const crMap* map, const char* key)
{
  return crMap_Find(map, key, strlen(key));
}

static bool enlarge(crMap* map)
{
  crMap larger = *map;
  if (map->capacity > INT32_MAX / 2) {
    return false;
  }
  larger.capacity = map->capacity == 0 ? 16 : 2 * map->capacity;
  larger.slots = crAllocateZero(&map->allocator, (size_t)larger.capacity, sizeof *larger.slots);
  if (larger.slots == NULL) {
    return false;
  }
  for (int i = 0; i < map->capacity; ++i) {
    const crMapSlot* slot = &map->slots[i];
    if (slot->key != NULL) {
      *findSlot(&larger, slot->key, slot->keySize, slot->hash) = *slot;
    }
  }
  crFree(&map->allocator, map->slots, (size_t)map->capacity * sizeof *map->slots);
  *map = larger;
  return true;
}

bool crMap_Set(crMap* map, const char* key, size_t keySize, int value)
{
  if (keySize > UINT32_MAX || (2 * (map->count + 1) > map->capacity && !enlarge(map))) {
    return false;
  }
  uint64_t hash = crHashBytes(key, keySize);
  crMapSlot* slot = findSlot(map, key, keySize, hash);
  map->count += slot->key == NULL;
  crMapSlot filled = { key, (uint32_t)keySize, value, hash };
  *slot = filled;
  return true;
}

bool crMap_SetString(crMap* map, const char* key, int value)
{
  return crMap_Set(map, key, strlen(key), value);
}

// The slots behind the one that gets empty are taken up to the next empty one and put in again, so that probing finds
// them.
void crMap_RemoveString(crMap* map, const char* key)
{
  size_t keySize = strlen(key), mask = (size_t)map->capacity - 1;
  crMapSlot* slot = map->capacity > 0 ? findSlot(map, key, keySize, crHashBytes(key, keySize)) : NULL;
  if (slot == NULL || slot->key == NULL) {
    return;
  }
  slot->key = NULL;
  --map->count;
  for (size_t i = ((size_t)(slot - map->slots) + 1) & mask; map->slots[i].key != NULL; i = (i + 1) & mask) {
    crMapSlot moved = map->slots[i];
    map->slots[i].key = NULL;
    *findSlot(map, moved.key, moved.keySize, moved.hash) = moved;
  }
}

void crMap_CloseGap(crMap* map, int value)
{
  for (int i = 0; i < map->capacity; ++i) {
    map->slots[i].value -= map->slots[i].key != NULL && map->slots[i].value > value;
  }
}
