#include "sweep/pool.h"

#include <string.h>

#define CR_POOL_GRAIN 16           // [bytes] sizes of small blocks are multiples of it
#define CR_POOL_SMALL 1024         // [bytes] above, there are four sizes for each doubling
#define CR_POOL_LARGEST (64 << 10) // [bytes] larger ones are the source's
#define CR_POOL_CHUNK (256 << 10)  // [bytes]

typedef struct crPoolChunk {
  struct crPoolChunk* before;
  size_t size; // [bytes] of all of it
} Chunk;

#define CR_SMALL_CLASSES (CR_POOL_SMALL / CR_POOL_GRAIN)
#define CR_CHUNK_HEAD ((sizeof(Chunk) + CR_POOL_GRAIN - 1) / CR_POOL_GRAIN * CR_POOL_GRAIN)

// The class of a size, and the size of its blocks.
static int findClass(size_t size, size_t* outSize)
{
  if (size <= CR_POOL_SMALL) {
    size_t grains = (size + CR_POOL_GRAIN - 1) / CR_POOL_GRAIN;
    *outSize = grains * CR_POOL_GRAIN;
    return (int)grains - 1;
  }
  size_t base = CR_POOL_SMALL;
  int class = CR_SMALL_CLASSES;
  while (size > 2 * base) {
    base *= 2;
    class += 4;
  }
  int quarter = (int)((size - base + base / 4 - 1) / (base / 4)); // 1 to 4
  *outSize = base + (size_t)quarter * (base / 4);
  return class + quarter - 1;
}

static void* carve(crPool* pool, size_t size)
{
  if ((size_t)(pool->end - pool->next) < size) {
    Chunk* chunk = crAllocate(&pool->source, CR_POOL_CHUNK);
    if (chunk == NULL) {
      return NULL;
    }
    *chunk = (Chunk){ pool->chunks, CR_POOL_CHUNK };
    pool->chunks = chunk;
    pool->next = (unsigned char*)chunk + CR_CHUNK_HEAD;
    pool->end = (unsigned char*)chunk + CR_POOL_CHUNK;
  }
  void* block = pool->next;
  pool->next += size;
  return block;
}

static void* take(crPool* pool, size_t size)
{
  if (size > CR_POOL_LARGEST) {
    return crAllocate(&pool->source, size);
  }
  size_t rounded;
  int class = findClass(size, &rounded);
  void* block = pool->free[class];
  if (block == NULL) {
    return carve(pool, rounded);
  }
  memcpy(&pool->free[class], block, sizeof block); // the next one
  return block;
}

static void give(crPool* pool, void* block, size_t size)
{
  if (size > CR_POOL_LARGEST) {
    crFree(&pool->source, block, size);
    return;
  }
  size_t rounded;
  int class = findClass(size, &rounded);
  memcpy(block, &pool->free[class], sizeof block);
  pool->free[class] = block;
}

static void* reallocate(void* context, void* block, size_t oldSize, size_t newSize)
{
  crPool* pool = context;
  if (block == NULL || oldSize == 0) {
    return newSize > 0 ? take(pool, newSize) : NULL;
  }
  size_t oldRounded = 0, newRounded = 1;
  if (newSize > 0 && oldSize <= CR_POOL_LARGEST && newSize <= CR_POOL_LARGEST) {
    (void)findClass(oldSize, &oldRounded);
    (void)findClass(newSize, &newRounded);
  }
  if (oldRounded == newRounded) {
    return block;
  }
  void* moved = newSize > 0 ? take(pool, newSize) : NULL;
  if (newSize > 0 && moved == NULL) {
    return NULL;
  }
  if (moved != NULL) {
    memcpy(moved, block, oldSize < newSize ? oldSize : newSize);
  }
  give(pool, block, oldSize);
  return moved;
}

void crPool_Init(crPool* pool, const crAllocator* source)
{
  *pool = (crPool){ .source = *source };
}

void crPool_Free(crPool* pool)
{
  while (pool->chunks != NULL) {
    Chunk* before = pool->chunks->before;
    crFree(&pool->source, pool->chunks, pool->chunks->size);
    pool->chunks = before;
  }
}

crAllocator crPool_GetAllocator(crPool* pool)
{
  return (crAllocator){ reallocate, pool };
}
