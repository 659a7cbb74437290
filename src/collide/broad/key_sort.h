// Sorting 64-bit keys in a time proportional to their number, with scratch memory; base/sort.h needs none, but n log n.
#ifndef CR_COLLIDE_BROAD_KEY_SORT_H
#define CR_COLLIDE_BROAD_KEY_SORT_H

#include "carom/base.h"

typedef uint64_t crKey;

#define CR_KEY_SHIFT 32 // place of the leading half

static inline crKey crMakeKey(int leading, int trailing)
{
  return (crKey)(uint32_t)leading << CR_KEY_SHIFT | (uint32_t)trailing;
}

static inline int crKey_Leading(crKey key)
{
  return (int)(key >> CR_KEY_SHIFT);
}

static inline int crKey_Trailing(crKey key)
{
  return (int)(key & UINT32_MAX);
}

// Keys in ascending order, either in `keys` or in `scratch` (both of `count`): returns which.
crKey* crDistributeKeys(crKey* keys, crKey* scratch, int count);

#endif
