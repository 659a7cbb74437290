// Vectors of four numbers, for lines side by side, and masks: which lanes something is true of. Wider ones would have
// more lanes that nobody asks for. A comparison is not true of what is no number.
#ifndef CR_COLLIDE_AREA_QUAD_H
#define CR_COLLIDE_AREA_QUAD_H

#include <math.h>
#include <string.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

#define CR_QUAD_LANES 4

typedef double crQuad __attribute__((vector_size(8 * CR_QUAD_LANES), aligned(8)));

#if defined __AVX512VL__ && defined __AVX512DQ__

typedef __mmask8 crMask;

static inline crMask crIsAbove(crQuad a, crQuad b)
{
  return _mm256_cmp_pd_mask((__m256d)a, (__m256d)b, _CMP_GT_OQ);
}

static inline crMask crIsAtLeast(crQuad a, crQuad b)
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

static inline crQuad crPick(crMask is, crQuad a, crQuad b)
{
  return (crQuad)_mm256_mask_blend_pd(is, (__m256d)b, (__m256d)a);
}

static inline unsigned crBitsOf(crMask is)
{
  return is;
}

#elif defined __AVX__

typedef __m256d crMask;

static inline crMask crIsAbove(crQuad a, crQuad b)
{
  return _mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ);
}

static inline crMask crIsAtLeast(crQuad a, crQuad b)
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

static inline crQuad crPick(crMask is, crQuad a, crQuad b)
{
  return (crQuad)_mm256_blendv_pd((__m256d)b, (__m256d)a, is);
}

static inline unsigned crBitsOf(crMask is)
{
  return (unsigned)_mm256_movemask_pd(is);
}

#else

typedef long long crMask __attribute__((vector_size(8 * CR_QUAD_LANES), aligned(8))); // lanes of all bits or none

static inline crMask crIsAbove(crQuad a, crQuad b)
{
  return a > b;
}

static inline crMask crIsAtLeast(crQuad a, crQuad b)
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

static inline crQuad crPick(crMask is, crQuad a, crQuad b)
{
  return (crQuad)(((crMask)a & is) | ((crMask)b & ~is));
}

static inline unsigned crBitsOf(crMask is)
{
  return (unsigned)((is[0] & 1) | (is[1] & 2) | (is[2] & 4) | (is[3] & 8));
}

#endif

// Where one is no number, the second.
#ifdef __AVX__

static inline crQuad crLesserOfQuads(crQuad a, crQuad b)
{
  return (crQuad)_mm256_min_pd((__m256d)a, (__m256d)b);
}

static inline crQuad crGreaterOfQuads(crQuad a, crQuad b)
{
  return (crQuad)_mm256_max_pd((__m256d)a, (__m256d)b);
}

static inline crQuad crRootsOfQuads(crQuad a)
{
  return (crQuad)_mm256_sqrt_pd((__m256d)a);
}

#else

static inline crQuad crLesserOfQuads(crQuad a, crQuad b)
{
  return crPick(crIsAbove(b, a), a, b);
}

static inline crQuad crGreaterOfQuads(crQuad a, crQuad b)
{
  return crPick(crIsAbove(a, b), a, b);
}

static inline crQuad crRootsOfQuads(crQuad a)
{
  return (crQuad){ sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3]) };
}

#endif

static inline crQuad crReadQuad(const double* from)
{
  crQuad quad;
  memcpy(&quad, from, sizeof quad);
  return quad;
}

static inline void crKeepQuad(crQuad quad, double* to)
{
  memcpy(to, &quad, sizeof quad);
}

#endif
