// Memory: allocator calls, arenas and growing arrays.
#ifndef CR_BASE_MEMORY_H
#define CR_BASE_MEMORY_H

#include "base/friend.h"
#include "carom/base.h"

// The allocator itself, or the default one for NULL.
CR_FRIEND crAllocator crChooseAllocator(const crAllocator* allocator);

CR_FRIEND void* crAllocate(const crAllocator* allocator, size_t size); // NULL when out of memory or size is 0
CR_FRIEND void* crAllocateZero(const crAllocator* allocator, size_t count, size_t size); // checks count x size
CR_FRIEND void* crReallocate(const crAllocator* allocator, void* block, size_t oldSize, size_t newSize);
CR_FRIEND void crFree(const crAllocator* allocator, void* block, size_t size);

// An arena hands out memory that is freed all at once. Blocks never move.
typedef struct crArenaBlock crArenaBlock;
typedef struct crArena {
  crAllocator allocator;
  crArenaBlock* last;
  size_t used; // bytes handed out in the last block
} crArena;

CR_FRIEND void crArena_Init(crArena* arena, const crAllocator* allocator);
CR_FRIEND void crArena_Free(crArena* arena);
CR_FRIEND void crArena_Clear(crArena* arena); // forgets everything handed out, keeps the last block for reuse
CR_FRIEND void* crArena_Allocate(crArena* arena, size_t size); // aligned to 16; NULL when out of memory
CR_FRIEND void* crArena_AllocateZero(crArena* arena, size_t count, size_t size);
CR_FRIEND char* crArena_CopyString(crArena* arena, const char* text); // NULL for NULL and when out of memory
CR_FRIEND void* crArena_Copy(crArena* arena, const void* data, size_t size);

// Makes room for one more element of a growing array { items, count, capacity }. false: out of memory,
// the array is unchanged.
// items is the address of a pointer to any type.
CR_FRIEND bool crGrow(const crAllocator* allocator, void* items, int* capacity, int count, size_t itemSize);

// Makes room for `count` elements; likewise.
CR_FRIEND bool crReserve(const crAllocator* allocator, void* items, int* capacity, int count, size_t itemSize);

// Declares a growing array of T, e.g. crArrayOf(crVec3) points.
#define crArrayOf(T)                                                                                                   \
  struct {                                                                                                             \
    T* items;                                                                                                          \
    int count, capacity;                                                                                               \
  }

// The place for a new last element, counted already; NULL when out of memory.
#define crArray_Push(array, allocator)                                                                                 \
  (crGrow((allocator), &(array)->items, &(array)->capacity, (array)->count, sizeof *(array)->items)                    \
       ? &(array)->items[(array)->count++]                                                                             \
       : NULL)

// Room for at least `n` items. What grows takes half as many again, and no more:
// most sets have one or two contacts.
#define crMakeRoom(array, n, allocator)                                                                                \
  ((n) <= (array)->capacity ||                                                                                         \
   crReserve((allocator), &(array)->items, &(array)->capacity, (n) + (n) / 2, sizeof *(array)->items))

#define crArray_Free(array, allocator)                                                                                 \
  do {                                                                                                                 \
    crFree((allocator), (array)->items, (size_t)(array)->capacity * sizeof *(array)->items);                           \
    (array)->items = NULL;                                                                                             \
    (array)->count = (array)->capacity = 0;                                                                            \
  } while (0)

#endif
