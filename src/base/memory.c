// Allocator calls, arenas and growing arrays. Sizes are checked for overflow before any call.
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define CR_ARENA_ALIGNMENT 16
#define CR_ARENA_FIRST_BLOCK 4096        // [bytes]
#define CR_ARENA_LARGEST_BLOCK (1 << 20) // [bytes] blocks double up to this size

static void* reallocateByMalloc(void* context, void* block, size_t oldSize, size_t newSize)
{
  (void)context;
  (void)oldSize;
  if (newSize == 0) {
    free(block);
    return NULL;
  }
  return realloc(block, newSize);
}

crAllocator crDefaultAllocator(void)
{
  crAllocator allocator = { reallocateByMalloc, NULL };
  return allocator;
}

crAllocator crChooseAllocator(const crAllocator* allocator)
{
  return allocator != NULL ? *allocator : crDefaultAllocator();
}

void* crReallocate(const crAllocator* allocator, void* block, size_t oldSize, size_t newSize)
{
  return allocator->reallocate(allocator->context, block, oldSize, newSize);
}

void* crAllocate(const crAllocator* allocator, size_t size)
{
  return size == 0 ? NULL : crReallocate(allocator, NULL, 0, size);
}

void* crAllocateZero(const crAllocator* allocator, size_t count, size_t size)
{
  if (size != 0 && count > SIZE_MAX / size) {
    return NULL;
  }
  if (allocator->reallocate == reallocateByMalloc) { // large blocks take no memory where nobody writes
    return count * size == 0 ? NULL : calloc(count, size);
  }
  void* block = crAllocate(allocator, count * size);
  if (block != NULL) {
    memset(block, 0, count * size);
  }
  return block;
}

void crFree(const crAllocator* allocator, void* block, size_t size)
{
  if (block != NULL) {
    crReallocate(allocator, block, size, 0);
  }
}

// ------------------------------------------------------------------------------------------ arena

struct crArenaBlock {
  _Alignas(CR_ARENA_ALIGNMENT) crArenaBlock* previous;
  size_t size; // of the payload, which follows
};

_Static_assert(sizeof(crArenaBlock) % CR_ARENA_ALIGNMENT == 0, "the payload is aligned");

void crArena_Init(crArena* arena, const crAllocator* allocator)
{
  arena->allocator = crChooseAllocator(allocator);
  arena->last = NULL;
  arena->used = 0;
}

void crArena_Free(crArena* arena)
{
  while (arena->last != NULL) {
    crArenaBlock* block = arena->last;
    arena->last = block->previous;
    crFree(&arena->allocator, block, sizeof *block + block->size);
  }
  arena->used = 0;
}

// The last block is the largest but for single large requests, which are not worth keeping anyway.
void crArena_Clear(crArena* arena)
{
  if (arena->last != NULL) {
    crArenaBlock* kept = arena->last;
    arena->last = kept->previous;
    crArena_Free(arena);
    kept->previous = NULL;
    arena->last = kept;
  }
  arena->used = 0;
}

// Payload size of the next block: twice the last one, within limits, but at least `size`.
static size_t nextBlockSize(const crArena* arena, size_t size)
{
  size_t next = arena->last != NULL ? 2 * arena->last->size : CR_ARENA_FIRST_BLOCK;
  next = next > CR_ARENA_LARGEST_BLOCK ? CR_ARENA_LARGEST_BLOCK : next;
  return next < size ? size : next;
}

void* crArena_Allocate(crArena* arena, size_t size)
{
  if (size > SIZE_MAX / 2) {
    return NULL;
  }
  size_t rounded = (size + CR_ARENA_ALIGNMENT - 1) / CR_ARENA_ALIGNMENT * CR_ARENA_ALIGNMENT;
  rounded = rounded == 0 ? CR_ARENA_ALIGNMENT : rounded;
  if (arena->last == NULL || arena->last->size - arena->used < rounded) {
    size_t blockSize = nextBlockSize(arena, rounded);
    crArenaBlock* block = crAllocate(&arena->allocator, sizeof *block + blockSize);
    if (block == NULL) {
      return NULL;
    }
    block->previous = arena->last;
    block->size = blockSize;
    arena->last = block;
    arena->used = 0;
  }
  void* memory = (char*)(arena->last + 1) + arena->used;
  arena->used += rounded;
  return memory;
}

void* crArena_AllocateZero(crArena* arena, size_t count, size_t size)
{
  if (size != 0 && count > SIZE_MAX / size) {
    return NULL;
  }
  void* memory = crArena_Allocate(arena, count * size);
  if (memory != NULL) {
    memset(memory, 0, count * size);
  }
  return memory;
}

void* crArena_Copy(crArena* arena, const void* data, size_t size)
{
  void* memory = crArena_Allocate(arena, size);
  if (memory != NULL && size > 0) {
    memcpy(memory, data, size);
  }
  return memory;
}

char* crArena_CopyString(crArena* arena, const char* text)
{
  return text != NULL ? crArena_Copy(arena, text, strlen(text) + 1) : NULL;
}

// ------------------------------------------------------------------------------------------ array

static bool resize(const crAllocator* allocator, void* items, int* capacity, int grown, size_t itemSize)
{
  if ((size_t)grown > SIZE_MAX / itemSize) {
    return false;
  }
  void* old; // copied as bytes: the pointer's own type is not known here
  memcpy(&old, items, sizeof old);
  void* moved = crReallocate(allocator, old, (size_t)*capacity * itemSize, (size_t)grown * itemSize);
  if (moved == NULL) {
    return false;
  }
  memcpy(items, &moved, sizeof moved);
  *capacity = grown;
  return true;
}

bool crGrow(const crAllocator* allocator, void* items, int* capacity, int count, size_t itemSize)
{
  if (count < *capacity) {
    return true;
  }
  if (*capacity > INT32_MAX / 2) {
    return false;
  }
  return resize(allocator, items, capacity, *capacity == 0 ? 8 : 2 * *capacity, itemSize);
}

bool crReserve(const crAllocator* allocator, void* items, int* capacity, int count, size_t itemSize)
{
  return count <= *capacity || resize(allocator, items, capacity, count, itemSize);
}
