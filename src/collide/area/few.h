// Vectors of a few numbers, for lines side by side, and masks: which lanes something is true of. Eight would have more
// lanes that nobody asks for, and wider ones than a register has are kept in memory. A comparison is not true of what
// is no number.
#ifndef CR_COLLIDE_AREA_FEW_H
#define CR_COLLIDE_AREA_FEW_H

#include <math.h>
#include <string.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

#ifdef __AVX__
#define CR_FEW_LANES 4
#else
#define CR_FEW_LANES 2
#endif

typedef double crFew __attribute__((vector_size(8 * CR_FEW_LANES), aligned(8)));

#if defined __AVX512VL__ && defined __AVX512DQ__

typedef __mmask8 crMask;

static inline crMask crIsAbove(crFew a, crFew b)
{
  return _mm256_cmp_pd_mask((__m256d)a, (__m256d)b, _CMP_GT_OQ);
}

static inline crMask crIsAtLeast(crFew a, crFew b)
{
  return _mm256_cmp_pd_mask((__m256d)a, (__m256d)b, _CMP_GE_OQ);
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
  return a & (crMask)~b;
}

static inline crFew crPick(crMask is, crFew a, crFew b)
{
  return (crFew)_mm256_mask_blend_pd(is, (__m256d)b, (__m256d)a);
}

static inline unsigned crBitsOf(crMask is)
{
  return is;
}

#elif defined __AVX__

typedef __m256d crMask;

static inline crMask crIsAbove(crFew a, crFew b)
{
  return _mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ);
}

static inline crMask crIsAtLeast(crFew a, crFew b)
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

static inline crFew crPick(crMask is, crFew a, crFew b)
{
  return (crFew)_mm256_blendv_pd((__m256d)b, (__m256d)a, is);
}

static inline unsigned crBitsOf(crMask is)
{
  return (unsigned)_mm256_movemask_pd(is);
}

#else

typedef long long crMask __attribute__((vector_size(8 * CR_FEW_LANES), aligned(8))); // lanes of all bits or none

static inline crMask crIsAbove(crFew a, crFew b)
{
  return a > b;
}

static inline crMask crIsAtLeast(crFew a, crFew b)
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

static inline crFew crPick(crMask is, crFew a, crFew b)
{
  return (crFew)(((crMask)a & is) | ((crMask)b & ~is));
}

static inline unsigned crBitsOf(crMask is)
{
  return (unsigned)((is[0] & 1) | (is[1] & 2));
}

#endif

// Where one is no number, the second.
#ifdef __AVX__

static inline crFew crLesserOfFew(crFew a, crFew b)
{
  return (crFew)_mm256_min_pd((__m256d)a, (__m256d)b);
}

static inline crFew crGreaterOfFew(crFew a, crFew b)
{
  return (crFew)_mm256_max_pd((__m256d)a, (__m256d)b);
}

static inline crFew crRootsOfFew(crFew a)
{
  return (crFew)_mm256_sqrt_pd((__m256d)a);
}

#else

static inline crFew crLesserOfFew(crFew a, crFew b)
{
  return crPick(crIsAbove(b, a), a, b);
}

static inline crFew crGreaterOfFew(crFew a, crFew b)
{
  return crPick(crIsAbove(a, b), a, b);
}

static inline crFew crRootsOfFew(crFew a)
{
  return (crFew){ sqrt(a[0]), sqrt(a[1]) };
}

#endif

static inline crFew crReadFew(const double* from)
{
  crFew few;
  memcpy(&few, from, sizeof few);
  return few;
}

static inline void crKeepFew(crFew few, double* to)
{
  memcpy(to, &few, sizeof few);
}

#endif
