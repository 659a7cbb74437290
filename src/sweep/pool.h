// An allocator for one thread that keeps what is freed, by sizes, for the next run: reading, compiling and simulating
// take and give the same blocks again and again.
//
// Whoever frees a block says its size, so that blocks need no head. They are never joined: what a run has taken at most
// of each size stays.
#ifndef CR_SWEEP_POOL_H
#define CR_SWEEP_POOL_H

#include "base/memory.h"

#define CR_POOL_CLASSES 128

typedef struct crPool {
  crAllocator source;          // of chunks, and of blocks that are too large
  void* free[CR_POOL_CLASSES]; // lists of free blocks
  struct crPoolChunk* chunks;  //
  unsigned char *next, *end;   // what is left of the last chunk
} crPool;

void crPool_Init(crPool* pool, const crAllocator* source);
void crPool_Free(crPool* pool); // with all blocks but large ones, which their owners free
crAllocator crPool_GetAllocator(crPool* pool);

#endif
