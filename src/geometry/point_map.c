// Points are compared by value and hashed by the bits of x + 0, which makes -0 and 0 the same.
#include "geometry/point_map.h"

#include <string.h>

#define CR_POINT_LIMIT (INT32_MAX / 4)
#define CR_FIRST_CAPACITY 16
#define CR_POINT_BATCH 64 // [-] slots fetched ahead of their use

void crPointMap_Init(crPointMap* map, const crAllocator* allocator)
{
  crAllocator chosen = crChooseAllocator(allocator);
  memset(map, 0, sizeof *map);
  map->allocator = chosen;
}

void crPointMap_Free(crPointMap* map)
{
  crFree(&map->allocator, map->slots, map->slotCount * sizeof *map->slots);
  crFree(&map->allocator, map->points, (size_t)map->capacity * sizeof *map->points);
  crPointMap_Init(map, &map->allocator);
}

static uint64_t bitsOf(double x)
{
  double positive = x + 0.0;
  uint64_t bits;
  memcpy(&bits, &positive, sizeof bits);
  return bits;
}

// Each coordinate is multiplied by an odd constant of its own; coordinates that were single precision
// have their information in the upper bits, hence the shifts.
static uint32_t hashPoint(crVec3 p)
{
  uint64_t x = bitsOf(p.x), y = bitsOf(p.y), z = bitsOf(p.z);
  uint64_t h = (x ^ (x >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ (h >> 29) ^ y ^ (y >> 32)) * UINT64_C(0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 29) ^ z ^ (z >> 32)) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(h >> 32);
}

static bool enlargeSlots(crPointMap* map, size_t slotCount)
{
  crPointSlot* slots = crAllocateZero(&map->allocator, slotCount, sizeof *slots);
  if (slots == NULL) {
    return false;
  }
  size_t mask = slotCount - 1;
  for (size_t i = 0; i < map->slotCount; ++i) {
    if (map->slots[i].index1 != 0) {
      size_t k = map->slots[i].tag & mask;
      while (slots[k].index1 != 0) {
        k = (k + 1) & mask;
      }
      slots[k] = map->slots[i];
    }
  }
  crFree(&map->allocator, map->slots, map->slotCount * sizeof *map->slots);
  map->slots = slots;
  map->slotCount = slotCount;
  return true;
}

bool crPointMap_Reserve(crPointMap* map, int count)
{
  if (count > CR_POINT_LIMIT) {
    return false;
  }
  if (count > map->capacity) {
    size_t old = (size_t)map->capacity * sizeof *map->points, new = (size_t)count * sizeof *map->points;
    crVec3* moved = crReallocate(&map->allocator, map->points, old, new);
    if (moved == NULL) {
      return false;
    }
    map->points = moved;
    map->capacity = count;
  }
  size_t slotCount = (size_t)2 * CR_FIRST_CAPACITY;
  while (slotCount < 2 * (size_t)count) {
    slotCount *= 2;
  }
  return slotCount <= map->slotCount || enlargeSlots(map, slotCount);
}

// Makes room for `count` more points, at least doubling.
static bool growFor(crPointMap* map, int count)
{
  if (map->capacity - map->count >= count && 2 * (size_t)(map->count + count) <= map->slotCount) {
    return true;
  }
  int needed = map->count + count, doubled = map->count > CR_POINT_LIMIT / 2 ? CR_POINT_LIMIT : 2 * map->count;
  int least = needed > CR_FIRST_CAPACITY ? needed : CR_FIRST_CAPACITY;
  return crPointMap_Reserve(map, doubled > least ? doubled : least);
}

// There is room.
static int addHashed(crPointMap* map, crVec3 point, uint32_t tag)
{
  size_t mask = map->slotCount - 1;
  for (size_t i = tag & mask;; i = (i + 1) & mask) {
    crPointSlot* slot = &map->slots[i];
    if (slot->index1 == 0) {
      slot->tag = tag;
      slot->index1 = (uint32_t)++map->count;
      map->points[map->count - 1] = point;
      return map->count - 1;
    }
    const crVec3* known = &map->points[slot->index1 - 1];
    if (slot->tag == tag && known->x == point.x && known->y == point.y && known->z == point.z) {
      return (int)slot->index1 - 1;
    }
  }
}

int crPointMap_Add(crPointMap* map, crVec3 point)
{
  return growFor(map, 1) ? addHashed(map, point, hashPoint(point)) : -1;
}

bool crPointMap_AddAll(crPointMap* map, const crVec3* points, int count, int32_t* outIndices)
{
  uint32_t tags[CR_POINT_BATCH];
  for (int start = 0; start < count; start += CR_POINT_BATCH) {
    int size = count - start < CR_POINT_BATCH ? count - start : CR_POINT_BATCH;
    if (!growFor(map, size)) {
      return false;
    }
    size_t mask = map->slotCount - 1;
    for (int i = 0; i < size; ++i) {
      tags[i] = hashPoint(points[start + i]);
      __builtin_prefetch(&map->slots[tags[i] & mask]);
    }
    for (int i = 0; i < size; ++i) {
      outIndices[start + i] = addHashed(map, points[start + i], tags[i]);
    }
  }
  return true;
}
