// Sorting the toggled pairs and merging them into the list. The merge copies whole runs between two changes.
#include "collide/broad/pair_list.h"

#include "base/memory.h"

#include <string.h>

void crPairList_Free(crPairList* list, const crAllocator* allocator)
{
  crArray_Free(&list->pairs, allocator);
  crArray_Free(&list->spare, allocator);
  crArray_Free(&list->toggled, allocator);
  crArray_Free(&list->scratch, allocator);
}

bool crPairList_Toggle(crPairList* list, const crAllocator* allocator, int a, int b)
{
  crKey* key = crArray_Push(&list->toggled, allocator);
  if (key == NULL) {
    return false;
  }
  *key = crMakeKey(a, b);
  return true;
}

static crKey keyOf(crBoxPair pair)
{
  return crMakeKey(pair.a, pair.b);
}

static crBoxPair pairOf(crKey key)
{
  crBoxPair pair = { crKey_Leading(key), crKey_Trailing(key) };
  return pair;
}

// Doubles the capacity until `count` items fit.
static bool reserve(const crAllocator* allocator, void** items, int* capacity, int64_t count, size_t itemSize)
{
  while (*capacity < count) {
    if (!crGrow(allocator, items, capacity, *capacity, itemSize)) {
      return false;
    }
  }
  return true;
}

// --------------------------------------------------------------------------------------------- sort

static bool sortToggled(crPairList* list, const crAllocator* allocator)
{
  crKeyBuffer *keys = &list->toggled, *scratch = &list->scratch;
  if (!reserve(allocator, (void**)&scratch->items, &scratch->capacity, keys->count, sizeof *scratch->items)) {
    return false;
  }
  if (crDistributeKeys(keys->items, scratch->items, keys->count) != keys->items) {
    crKeyBuffer held = *keys;
    *keys = *scratch;
    *scratch = held;
    keys->count = held.count;
  }
  return true;
}

// Of equal keys, an even number cancels.
static void cancelRepeated(crKeyBuffer* keys)
{
  int kept = 0;
  for (int i = 0; i < keys->count; ++i) {
    if (kept > 0 && keys->items[kept - 1] == keys->items[i]) {
      --kept;
    } else {
      keys->items[kept++] = keys->items[i];
    }
  }
  keys->count = kept;
}

// -------------------------------------------------------------------------------------------- merge

// First pair from `start` on that is not before `key`: strides double until they pass it, then halve.
static int findPlace(const crPairBuffer* pairs, int start, crKey key)
{
  int stride = 1, low = start, high = start;
  while (high < pairs->count && keyOf(pairs->items[high]) < key) {
    low = high + 1;
    high = stride < pairs->count - high ? high + stride : pairs->count;
    stride = stride < INT32_MAX / 2 ? 2 * stride : stride;
  }
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (keyOf(pairs->items[middle]) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void copyRun(const crPairBuffer* from, int start, int end, crPairBuffer* to)
{
  if (end > start) {
    memcpy(to->items + to->count, from->items + start, (size_t)(end - start) * sizeof *to->items);
    to->count += end - start;
  }
}

static void mergeToggled(const crPairBuffer* old, const crKeyBuffer* toggled, crPairBuffer* outMerged)
{
  outMerged->count = 0;
  int done = 0;
  for (int i = 0; i < toggled->count; ++i) {
    crKey key = toggled->items[i];
    int place = findPlace(old, done, key);
    copyRun(old, done, place, outMerged);
    done = place;
    if (place < old->count && keyOf(old->items[place]) == key) {
      ++done;
    } else {
      outMerged->items[outMerged->count++] = pairOf(key);
    }
  }
  copyRun(old, done, old->count, outMerged);
}

bool crPairList_Apply(crPairList* list, const crAllocator* allocator)
{
  if (list->toggled.count == 0) {
    return true;
  }
  int64_t needed = (int64_t)list->pairs.count + list->toggled.count;
  if (!reserve(allocator, (void**)&list->spare.items, &list->spare.capacity, needed, sizeof *list->spare.items) ||
      !sortToggled(list, allocator)) {
    return false;
  }
  cancelRepeated(&list->toggled);
  mergeToggled(&list->pairs, &list->toggled, &list->spare);
  list->toggled.count = 0;
  crPairBuffer held = list->pairs;
  list->pairs = list->spare;
  list->spare = held;
  return true;
}
