// Heapsort: n log n in the worst case, nothing on the heap or the stack.
#include "base/sort.h"

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

void crSortKeys(uint64_t* keys, int count)
{
  for (int64_t i = (int64_t)count / 2 - 1; i >= 0; --i) {
    sink(keys, i, count);
  }
  for (int64_t end = (int64_t)count - 1; end > 0; --end) {
    uint64_t largest = keys[0];
    keys[0] = keys[end];
    keys[end] = largest;
    sink(keys, 0, end);
  }
}
