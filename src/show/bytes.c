// Bytes in memory that grow.
#include "show/bytes.h"

#include <string.h>

#define CR_FIRST_CAPACITY 65536 // [bytes]

void crBytes_Init(crBytes* bytes, const crAllocator* allocator)
{
  *bytes = (crBytes){ .allocator = *allocator };
}

void crBytes_Free(crBytes* bytes)
{
  crFree(&bytes->allocator, bytes->items, bytes->capacity);
  bytes->items = NULL;
  bytes->size = bytes->capacity = 0;
}

static bool reserve(crBytes* bytes, size_t size)
{
  if (bytes->hasFailed || size <= bytes->capacity - bytes->size) {
    return !bytes->hasFailed;
  }
  size_t capacity = 2 * bytes->capacity + size;
  capacity = capacity > CR_FIRST_CAPACITY ? capacity : CR_FIRST_CAPACITY;
  unsigned char* items = crReallocate(&bytes->allocator, bytes->items, bytes->capacity, capacity);
  bytes->hasFailed = items == NULL;
  if (items != NULL) {
    bytes->items = items;
    bytes->capacity = capacity;
  }
  return items != NULL;
}

void crBytes_Add(crBytes* bytes, const void* items, size_t size)
{
  if (size > 0 && reserve(bytes, size)) {
    memcpy(bytes->items + bytes->size, items, size);
    bytes->size += size;
  }
}

void crBytes_AddUint32(crBytes* bytes, uint32_t number)
{
  const unsigned char four[] = { (unsigned char)number, (unsigned char)(number >> 8), (unsigned char)(number >> 16),
                                 (unsigned char)(number >> 24) };
  crBytes_Add(bytes, four, sizeof four);
}

void crBytes_AddFloat(crBytes* bytes, double number)
{
  float value = (float)number;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  crBytes_AddUint32(bytes, bits);
}

void crBytes_Write(void* context, const char* text, size_t size)
{
  crBytes_Add(context, text, size);
}
