// Which lanes of a part (wide.h) something is true of, and numbers picked by that. A comparison is not true of what is
// no number.
#ifndef CR_COLLIDE_AREA_MASK_H
#define CR_COLLIDE_AREA_MASK_H

#include "collide/area/wide.h"

#if defined __AVX512F__

typedef __mmask8 crMask;

static inline crMask crIsAbove(crPart a, crPart b)
{
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ);
}

static inline crMask crIsAtLeast(crPart a, crPart b)
{
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GE_OQ);
}

static inline crMask crBoth(crMask a, crMask b)
{
  return (crMask)(a & b);
}

static inline crMask crEither(crMask a, crMask b)
{
  return (crMask)(a | b);
}

static inline crMask crExcept(crMask a, crMask b)
{
  return (crMask)(a & ~b);
}

static inline crPart crPick(crMask is, crPart a, crPart b)
{
  return (crPart)_mm512_mask_blend_pd(is, (__m512d)b, (__m512d)a);
}

static inline unsigned crBitsOf(crMask is)
{
  return is;
}

#elif defined __AVX__

typedef __m256d crMask;

static inline crMask crIsAbove(crPart a, crPart b)
{
  return _mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ);
}

static inline crMask crIsAtLeast(crPart a, crPart b)
{
  return _mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GE_OQ);
}

static inline crMask crBoth(crMask a, crMask b)
{
  return _mm256_and_pd(a, b);
}

static inline crMask crEither(crMask a, crMask b)
{
  return _mm256_or_pd(a, b);
}

static inline crMask crExcept(crMask a, crMask b)
{
  return _mm256_andnot_pd(b, a);
}

static inline crPart crPick(crMask is, crPart a, crPart b)
{
  return (crPart)_mm256_blendv_pd((__m256d)b, (__m256d)a, is);
}

static inline unsigned crBitsOf(crMask is)
{
  return (unsigned)_mm256_movemask_pd(is);
}

#else

typedef long long crMask __attribute__((vector_size(8 * CR_PART_LANES), aligned(8))); // lanes of all bits or none

static inline crMask crIsAbove(crPart a, crPart b)
{
  return a > b;
}

static inline crMask crIsAtLeast(crPart a, crPart b)
{
  return a >= b;
}

static inline crMask crBoth(crMask a, crMask b)
{
  return a & b;
}

static inline crMask crEither(crMask a, crMask b)
{
  return a | b;
}

static inline crMask crExcept(crMask a, crMask b)
{
  return a & ~b;
}

static inline crPart crPick(crMask is, crPart a, crPart b)
{
  return (crPart)(((crMask)a & is) | ((crMask)b & ~is));
}

static inline unsigned crBitsOf(crMask is)
{
  return (unsigned)((is[0] & 1) | (is[1] & 2));
}

#endif

#endif
