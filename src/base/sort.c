// Quicksort around the median of three, and heapsort for what that does not halve: n log n in the worst case, and
// nothing on the heap.
#include "base/sort.h"

#include <stdbool.h>

#define CR_FEW_KEYS 24 // that are sorted by insertion

// Lets the key at `root` sink until both of its children are smaller. The heap is keys[0, count).
static void sink(uint64_t* keys, int64_t root, int64_t count)
{
  uint64_t key = keys[root];
  for (int64_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
    child += child + 1 < count && keys[child + 1] > keys[child];
    if (keys[child] <= key) {
      break;
    }
    keys[root] = keys[child];
    root = child;
  }
  keys[root] = key;
}

static void sortByHeap(uint64_t* keys, int64_t count)
{
  for (int64_t i = count / 2 - 1; i >= 0; --i) {
    sink(keys, i, count);
  }
  for (int64_t end = count - 1; end > 0; --end) {
    uint64_t largest = keys[0];
    keys[0] = keys[end];
    keys[end] = largest;
    sink(keys, 0, end);
  }
}

static void sortByInsertion(uint64_t* keys, int64_t count)
{
  for (int64_t i = 1; i < count; ++i) {
    uint64_t key = keys[i];
    int64_t k = i;
    for (; k > 0 && keys[k - 1] > key; --k) {
      keys[k] = keys[k - 1];
    }
    keys[k] = key;
  }
}

static uint64_t findMedian(uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

// Keys up to the pivot first; returns how many. At least one on either side.
static int64_t divide(uint64_t* keys, int64_t count)
{
  uint64_t pivot = findMedian(keys[0], keys[count / 2], keys[count - 1]);
  int64_t i = 0, k = count - 1;
  for (;;) {
    for (; keys[i] < pivot; ++i) {
    }
    for (; keys[k] > pivot; --k) {
    }
    if (i >= k) {
      return i > 0 ? i : 1;
    }
    uint64_t key = keys[i];
    keys[i++] = keys[k];
    keys[k--] = key;
  }
}

static void sortKeys(uint64_t* keys, int64_t count, int depth)
{
  while (count > CR_FEW_KEYS) {
    if (depth-- == 0) {
      sortByHeap(keys, count);
      return;
    }
    int64_t first = divide(keys, count), rest = count - first;
    bool isFirst = first < rest; // the smaller part
    sortKeys(isFirst ? keys : keys + first, isFirst ? first : rest, depth);
    keys = isFirst ? keys + first : keys;
    count = isFirst ? rest : first;
  }
  sortByInsertion(keys, count);
}

void crSortKeys(uint64_t* keys, int count)
{
  int depth = 2;
  for (int64_t size = count; size > 0; size /= 2) {
    depth += 2;
  }
  sortKeys(keys, count, depth);
}
