// Axis-aligned boxes as six lower limits: min.x, min.y, min.z, -max.x, -max.y, -max.z.
//
// In this form a union is an element-wise minimum, containment an element-wise <=, and the gap between two
// boxes along one axis is a single sum. A floating-point sum is monotone, so a box that contains another one
// is never found farther away than it: a tree that prunes by outer boxes misses nothing, not even by rounding.
#ifndef CR_COLLIDE_BROAD_BOUNDS_H
#define CR_COLLIDE_BROAD_BOUNDS_H

#include "carom/math.h"

typedef struct crBounds {
  double low[6]; // [m] all +infinite: an empty box, which overlaps nothing
} crBounds;

static inline crBounds crEmptyBounds(void)
{
  crBounds b = { { HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL } };
  return b;
}

static inline crBounds crMakeBounds(crAabb box)
{
  crBounds b = { { box.min.x, box.min.y, box.min.z, -box.max.x, -box.max.y, -box.max.z } };
  return b;
}

static inline bool crBounds_HasNan(const crBounds* b)
{
  bool hasNan = false;
  for (int k = 0; k < 6; ++k) {
    hasNan |= isnan(b->low[k]) != 0;
  }
  return hasNan;
}

// Nothing is inside: min > max, or the box lies at infinity.
static inline bool crBounds_IsEmpty(const crBounds* b)
{
  bool isEmpty = false;
  for (int k = 0; k < 3; ++k) {
    isEmpty |= b->low[k] > -b->low[k + 3] || b->low[k] == HUGE_VAL || b->low[k + 3] == HUGE_VAL;
  }
  return isEmpty;
}

static inline bool crBounds_AreEqual(const crBounds* a, const crBounds* b)
{
  bool areEqual = true;
  for (int k = 0; k < 6; ++k) {
    areEqual &= a->low[k] == b->low[k];
  }
  return areEqual;
}

static inline bool crBounds_Contain(const crBounds* outer, const crBounds* inner)
{
  bool contain = true;
  for (int k = 0; k < 6; ++k) {
    contain &= outer->low[k] <= inner->low[k];
  }
  return contain;
}

static inline crBounds crUniteBounds(const crBounds* a, const crBounds* b)
{
  crBounds u;
  for (int k = 0; k < 6; ++k) {
    u.low[k] = a->low[k] < b->low[k] ? a->low[k] : b->low[k];
  }
  return u;
}

// No axis shows a gap of more than `margin` [m]. Bitwise: no branch, all six are cheap.
static inline bool crBounds_Overlap(const crBounds* a, const crBounds* b, double margin)
{
  return (a->low[0] + b->low[3] <= margin) & (a->low[3] + b->low[0] <= margin) & (a->low[1] + b->low[4] <= margin) &
         (a->low[4] + b->low[1] <= margin) & (a->low[2] + b->low[5] <= margin) & (a->low[5] + b->low[2] <= margin);
}

// [m] along axis 0, 1 or 2
static inline double crBounds_Extent(const crBounds* b, int axis)
{
  return -(b->low[axis] + b->low[axis + 3]);
}

#endif
