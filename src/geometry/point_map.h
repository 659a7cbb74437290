// A set of points with exact look-up, numbered as they come: vertex merging in linear time.
#ifndef CR_GEOMETRY_POINT_MAP_H
#define CR_GEOMETRY_POINT_MAP_H

#include "base/friend.h"
#include "base/memory.h"
#include "carom/math.h"

// Open addressing, at most half full. A slot holds the upper half of the hash beside the index, so that
// most foreign points are told apart without fetching them.
typedef struct crPointSlot {
  uint32_t tag;
  uint32_t index1; // index + 1; 0: empty
} crPointSlot;

typedef struct crPointMap {
  crAllocator allocator;
  crPointSlot* slots; // (slotCount) a power of two, or 0
  size_t slotCount;
  crVec3* points; // (count) of `capacity`
  int count, capacity;
} crPointMap;

CR_FRIEND void crPointMap_Init(crPointMap* map, const crAllocator* allocator);
CR_FRIEND void crPointMap_Free(crPointMap* map);

// Makes room for `count` points at once. false: out of memory, the map is unchanged.
CR_FRIEND bool crPointMap_Reserve(crPointMap* map, int count);

// The index of the point with the same coordinates (-0 equals 0), added when it is new; -1 when out of
// memory or beyond INT32_MAX / 4 points. The point must be finite.
CR_FRIEND int crPointMap_Add(crPointMap* map, crVec3 point);

// The same for some points at once, whose slots are fetched ahead: three times as fast in large sets.
// false: out of memory, some of the points are added.
CR_FRIEND bool crPointMap_AddAll(crPointMap* map, const crVec3* points, int count, int32_t* outIndices);

#endif
