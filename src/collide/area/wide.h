// Vectors of eight numbers, for points of a patch and vertices of a hull side by side. Sums are always taken in the
// same order: the same points give the same bits.
#ifndef CR_COLLIDE_AREA_WIDE_H
#define CR_COLLIDE_AREA_WIDE_H

#include <math.h>
#include <stddef.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

#define CR_WIDE_LANES 8

typedef double crWide __attribute__((vector_size(8 * CR_WIDE_LANES), aligned(8)));
typedef long long crWideMask __attribute__((vector_size(8 * CR_WIDE_LANES), aligned(8))); // lanes of all bits or none

// As many lanes as a register has. Compilers keep wider vectors in memory: loops with many sums take the lanes of
// groups of eight part by part, which gives the same bits.
#if defined __AVX512F__
#define CR_PART_LANES 8
#elif defined __AVX__
#define CR_PART_LANES 4
#else
#define CR_PART_LANES 2
#endif

typedef double crPart __attribute__((vector_size(8 * CR_PART_LANES), aligned(8)));

static inline double crTotal(crWide a)
{
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

// The totals of eight vectors at once, with the bits of crTotal.
static inline crWide crTotals(const crWide v[CR_WIDE_LANES])
{
  crWide pairs[4], fours[2]; // sums of neighbouring lanes of two vectors, of four lanes of four
  for (size_t i = 0; i < 4; ++i) {
    crWide a = v[2 * i], b = v[2 * i + 1];
    pairs[i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
               __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (size_t i = 0; i < 2; ++i) {
    crWide a = pairs[2 * i], b = pairs[2 * i + 1];
    fours[i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
               __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  return __builtin_shufflevector(fours[0], fours[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(fours[0], fours[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

// Lane by lane, where one is no number the second. Compilers do not find the instructions for these by themselves.
#ifdef __AVX512F__

static inline crWide crLesser(crWide a, crWide b)
{
  return (crWide)_mm512_min_pd((__m512d)a, (__m512d)b);
}

static inline crWide crGreater(crWide a, crWide b)
{
  return (crWide)_mm512_max_pd((__m512d)a, (__m512d)b);
}

static inline crWide crRoots(crWide a)
{
  return (crWide)_mm512_sqrt_pd((__m512d)a);
}

#else

static inline crWide crLesser(crWide a, crWide b)
{
  crWideMask isLess = a < b;
  return (crWide)(((crWideMask)a & isLess) | ((crWideMask)b & ~isLess));
}

static inline crWide crGreater(crWide a, crWide b)
{
  crWideMask isMore = a > b;
  return (crWide)(((crWideMask)a & isMore) | ((crWideMask)b & ~isMore));
}

static inline crWide crRoots(crWide a)
{
  for (int k = 0; k < CR_WIDE_LANES; ++k) {
    a[k] = sqrt(a[k]);
  }
  return a;
}

#endif

// The same of parts; one bit for each lane below a limit; x where a > b, else y; a bit for each of these; and the least
// of all lanes.
#if defined __AVX512F__

static inline crPart crLesserOfParts(crPart a, crPart b)
{
  return crLesser(a, b);
}

static inline crPart crGreaterOfParts(crPart a, crPart b)
{
  return crGreater(a, b);
}

static inline crPart crRootsOfParts(crPart a)
{
  return crRoots(a);
}

static inline unsigned crFindAbove(crPart a, crPart b)
{
  return (unsigned)_mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ);
}

static inline crPart crPickAbove(crPart a, crPart b, crPart x, crPart y)
{
  return (crPart)_mm512_mask_blend_pd((__mmask8)crFindAbove(a, b), (__m512d)y, (__m512d)x);
}

static inline unsigned crFindBelow(crPart a, double limit)
{
  return (unsigned)_mm512_cmp_pd_mask((__m512d)a, _mm512_set1_pd(limit), _CMP_LT_OQ);
}

#elif defined __AVX__

static inline crPart crLesserOfParts(crPart a, crPart b)
{
  return (crPart)_mm256_min_pd((__m256d)a, (__m256d)b);
}

static inline crPart crGreaterOfParts(crPart a, crPart b)
{
  return (crPart)_mm256_max_pd((__m256d)a, (__m256d)b);
}

static inline crPart crRootsOfParts(crPart a)
{
  return (crPart)_mm256_sqrt_pd((__m256d)a);
}

static inline unsigned crFindAbove(crPart a, crPart b)
{
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ));
}

static inline crPart crPickAbove(crPart a, crPart b, crPart x, crPart y)
{
  return (crPart)_mm256_blendv_pd((__m256d)y, (__m256d)x, _mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ));
}

static inline unsigned crFindBelow(crPart a, double limit)
{
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, _mm256_set1_pd(limit), _CMP_LT_OQ));
}

#else

static inline crPart crLesserOfParts(crPart a, crPart b)
{
  return (crPart){ a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1] };
}

static inline crPart crGreaterOfParts(crPart a, crPart b)
{
  return (crPart){ a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1] };
}

static inline crPart crRootsOfParts(crPart a)
{
  return (crPart){ sqrt(a[0]), sqrt(a[1]) };
}

static inline unsigned crFindAbove(crPart a, crPart b)
{
  return (unsigned)(a[0] > b[0]) | (unsigned)(a[1] > b[1]) << 1;
}

static inline crPart crPickAbove(crPart a, crPart b, crPart x, crPart y)
{
  return (crPart){ a[0] > b[0] ? x[0] : y[0], a[1] > b[1] ? x[1] : y[1] };
}

static inline unsigned crFindBelow(crPart a, double limit)
{
  return (unsigned)(a[0] < limit) | (unsigned)(a[1] < limit) << 1;
}

#endif

static inline double crLeastOf(crPart a)
{
#if CR_PART_LANES == 8
  a = crLesser(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
  a = crLesser(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
#elif CR_PART_LANES == 4
  a = crLesserOfParts(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
#endif
  return a[0] < a[1] ? a[0] : a[1];
}

#endif
