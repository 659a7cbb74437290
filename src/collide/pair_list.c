// Sorting the toggled pairs and merging them into the list.
//
// Few keys are sorted by insertion, many by their digits, so the cost stays proportional to their number. The
// merge copies whole runs between two changes.
#include "collide/pair_list.h"

#include "base/memory.h"

#include <string.h>

#define CR_FEW_KEYS 24  // [-] below this, insertion beats clearing the counters of the digits
#define CR_DIGIT_BITS 8 // [-] 256 counters stay in the first cache
#define CR_DIGIT_COUNT (1 << CR_DIGIT_BITS)
#define CR_KEY_SHIFT 32 // a's place in a key

void crPairList_Free(crPairList* list, const crAllocator* allocator)
{
  crArray_Free(&list->pairs, allocator);
  crArray_Free(&list->spare, allocator);
  crArray_Free(&list->toggled, allocator);
  crArray_Free(&list->scratch, allocator);
}

bool crPairList_Toggle(crPairList* list, const crAllocator* allocator, int a, int b)
{
  crPairKey* key = crArray_Push(&list->toggled, allocator);
  if (key == NULL) {
    return false;
  }
  *key = (crPairKey)(uint32_t)a << CR_KEY_SHIFT | (uint32_t)b;
  return true;
}

static crPairKey keyOf(crBoxPair pair)
{
  return (crPairKey)(uint32_t)pair.a << CR_KEY_SHIFT | (uint32_t)pair.b;
}

static crBoxPair pairOf(crPairKey key)
{
  crBoxPair pair = { (int)(key >> CR_KEY_SHIFT), (int)(key & UINT32_MAX) };
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

static void sortFewKeys(crPairKey* keys, int count)
{
  for (int i = 1; i < count; ++i) {
    crPairKey key = keys[i];
    int j = i;
    for (; j > 0 && keys[j - 1] > key; --j) {
      keys[j] = keys[j - 1];
    }
    keys[j] = key;
  }
}

// Stable distribution by the digit at `shift`.
static void sortByDigit(const crPairKey* keys, int count, int shift, crPairKey* outKeys)
{
  int start[CR_DIGIT_COUNT + 1] = { 0 };
  for (int i = 0; i < count; ++i) {
    ++start[(keys[i] >> shift & (CR_DIGIT_COUNT - 1)) + 1];
  }
  for (int d = 1; d < CR_DIGIT_COUNT; ++d) {
    start[d] += start[d - 1];
  }
  for (int i = 0; i < count; ++i) {
    outKeys[start[keys[i] >> shift & (CR_DIGIT_COUNT - 1)]++] = keys[i];
  }
}

static void swapKeyBuffers(crKeyBuffer* a, crKeyBuffer* b)
{
  crKeyBuffer held = *a;
  *a = *b;
  *b = held;
}

static bool sortToggled(crPairList* list, const crAllocator* allocator, int boxCount)
{
  crKeyBuffer* keys = &list->toggled;
  if (keys->count <= CR_FEW_KEYS) {
    sortFewKeys(keys->items, keys->count);
    return true;
  }
  if (!reserve(allocator, (void**)&list->scratch.items, &list->scratch.capacity, keys->count,
               sizeof *list->scratch.items)) {
    return false;
  }
  for (int half = 0; half <= CR_KEY_SHIFT; half += CR_KEY_SHIFT) {
    for (int shift = 0; shift < CR_KEY_SHIFT && (boxCount - 1) >> shift > 0; shift += CR_DIGIT_BITS) {
      sortByDigit(list->toggled.items, list->toggled.count, half + shift, list->scratch.items);
      list->scratch.count = list->toggled.count;
      swapKeyBuffers(&list->toggled, &list->scratch);
    }
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
static int findPlace(const crPairBuffer* pairs, int start, crPairKey key)
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
    crPairKey key = toggled->items[i];
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

bool crPairList_Apply(crPairList* list, const crAllocator* allocator, int boxCount)
{
  if (list->toggled.count == 0) {
    return true;
  }
  int64_t needed = (int64_t)list->pairs.count + list->toggled.count;
  if (!reserve(allocator, (void**)&list->spare.items, &list->spare.capacity, needed, sizeof *list->spare.items) ||
      !sortToggled(list, allocator, boxCount)) {
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
