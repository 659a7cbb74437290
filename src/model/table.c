// Open addressing with linear probing in memory that the caller provides.
#include "model/table.h"

#include "base/map.h"

#include <string.h>

int crTableCapacity(int count)
{
  int capacity = 4;
  while (capacity <= 2 * count) {
    capacity *= 2;
  }
  return capacity;
}

void crKeyTable_Clear(crKeyTable* table)
{
  for (int i = 0; i < table->capacity; ++i) {
    table->keys[i] = 0;
    table->values[i] = -1;
  }
}

// The slot that holds the key, or the empty one where it belongs.
static size_t findKeySlot(const crKeyTable* table, uint64_t key)
{
  size_t mask = (size_t)table->capacity - 1;
  size_t i = (size_t)crHashMix(key, 0) & mask;
  while (table->values[i] >= 0 && table->keys[i] != key) {
    i = (i + 1) & mask;
  }
  return i;
}

int crKeyTable_Find(const crKeyTable* table, uint64_t key)
{
  return table->capacity > 0 ? table->values[findKeySlot(table, key)] : -1;
}

int crKeyTable_Add(crKeyTable* table, uint64_t key, int value)
{
  size_t i = findKeySlot(table, key);
  if (table->values[i] < 0) {
    table->keys[i] = key;
    table->values[i] = value;
  }
  return table->values[i];
}

void crPathTable_Clear(crPathTable* table)
{
  for (int i = 0; i < table->capacity; ++i) {
    table->slots[i] = -1;
  }
}

void crPathTable_Add(crPathTable* table, int index)
{
  const char* path = table->text + table->paths[index];
  size_t mask = (size_t)table->capacity - 1;
  size_t i = (size_t)crHashBytes(path, strlen(path)) & mask;
  while (table->slots[i] >= 0) {
    i = (i + 1) & mask;
  }
  table->slots[i] = index;
}

int crPathTable_Find(const crPathTable* table, const char* path, size_t length)
{
  size_t mask = (size_t)table->capacity - 1;
  for (size_t i = (size_t)crHashBytes(path, length) & mask; table->slots[i] >= 0; i = (i + 1) & mask) {
    const char* candidate = table->text + table->paths[table->slots[i]];
    if (strncmp(candidate, path, length) == 0 && candidate[length] == '\0') {
      return table->slots[i];
    }
  }
  return -1;
}
