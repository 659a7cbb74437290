// Bytes in memory that grow: text and numbers of a file being composed.
#ifndef CR_SHOW_BYTES_H
#define CR_SHOW_BYTES_H

#include "base/memory.h"

typedef struct crBytes {
  crAllocator allocator;
  unsigned char* items;
  size_t size, capacity;
  bool hasFailed; // out of memory; nothing is added any more
} crBytes;

void crBytes_Init(crBytes* bytes, const crAllocator* allocator);
void crBytes_Free(crBytes* bytes);
void crBytes_Add(crBytes* bytes, const void* items, size_t size);
void crBytes_AddFloat(crBytes* bytes, double number); // as float32, little-endian
void crBytes_AddUint32(crBytes* bytes, uint32_t number);

// A writer that adds to bytes, its context.
void crBytes_Write(void* context, const char* text, size_t size);

#endif
