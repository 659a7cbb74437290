// Inverses of small matrices by Gauss-Jordan elimination.
//
// For a body all rows stay in registers, and the real and the complex matrix take turns, since each operation of one of
// them waits for the one before. To look for pivots would take longer than all the rest; matrices of bodies in contact
// have them on the diagonal.
#include "solve/inverse.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define CR_INLINE static inline __attribute__((always_inline))
#define CR_LOST_PRECISION 1e-6 // of a product of a matrix, its inverse and ones

CR_INLINE double* rowOf(double* a, int i, int stride)
{
  return a + (size_t)i * (size_t)stride;
}

// ---------------------------------------------------------------------------------------------- pivots

static void swapRows(int stride, double* a, double* b)
{
  for (int j = 0; j < stride; ++j) {
    double kept = a[j];
    a[j] = b[j];
    b[j] = kept;
  }
}

// Rows were swapped: so are the columns of the inverse, backwards.
static void swapColumns(int m, int stride, const int* pivots, double* a)
{
  for (int k = m - 1; k >= 0; --k) {
    for (int i = 0; pivots[k] != k && i < m; ++i) {
      double kept = a[i * stride + k];
      a[i * stride + k] = a[i * stride + pivots[k]];
      a[i * stride + pivots[k]] = kept;
    }
  }
}

static int findPivot(int m, int stride, const double* a, int k)
{
  int best = k;
  for (int i = k + 1; i < m; ++i) {
    best = fabs(a[i * stride + k]) > fabs(a[best * stride + k]) ? i : best;
  }
  return best;
}

static int findComplexPivot(int m, int stride, const double* re, const double* im, int k)
{
  int best = k;
  double largest = 0.0;
  for (int i = k; i < m; ++i) {
    double size = fabs(re[i * stride + k]) + fabs(im[i * stride + k]);
    best = size > largest ? i : best;
    largest = size > largest ? size : largest;
  }
  return best;
}

// --------------------------------------------------------------------------------------------- general

// Four places of a row. A place is replaced within them and never on its own: to read four that were just written one
// by one takes longer than all else.
typedef double Quad __attribute__((vector_size(CR_LANES * sizeof(double)), aligned(8)));
typedef int64_t QuadBits __attribute__((vector_size(CR_LANES * sizeof(int64_t))));

CR_INLINE Quad loadQuad(const double* a)
{
  return *(const Quad*)a;
}

CR_INLINE void storeQuad(double* a, Quad quad)
{
  *(Quad*)a = quad;
}

// All bits where a place from `first` on is k.
CR_INLINE QuadBits findPlace(int first, int k)
{
  int64_t far = k - first;
  QuadBits places = { 0, 1, 2, 3 }, here = { far, far, far, far };
  return places == here;
}

CR_INLINE Quad replace(Quad quad, QuadBits isPlace, double x)
{
  Quad other = { x, x, x, x };
  return (Quad)((isPlace & (QuadBits)other) | (~isPlace & (QuadBits)quad));
}

// Takes the pivot row k out of all others.
CR_INLINE void eliminateReal(int m, int stride, double* a, int k)
{
  double *row = rowOf(a, k, stride), inverse = 1.0 / row[k];
  for (int j = 0; j < stride; j += CR_LANES) {
    storeQuad(row + j, replace(loadQuad(row + j), findPlace(j, k), 1.0) * inverse);
  }
  for (int i = 0; i < m; ++i) {
    double *other = rowOf(a, i, stride), factor = other[k];
    for (int j = 0; j < stride && i != k; j += CR_LANES) {
      Quad rest = replace(loadQuad(other + j), findPlace(j, k), 0.0);
      storeQuad(other + j, rest - factor * loadQuad(row + j));
    }
  }
}

CR_INLINE bool invertReal(int m, int stride, double* a)
{
  int pivots[CR_MAX_INVERTED] = { 0 };
  for (int k = 0; k < m; ++k) {
    pivots[k] = findPivot(m, stride, a, k);
    if (pivots[k] != k) {
      swapRows(stride, rowOf(a, k, stride), rowOf(a, pivots[k], stride));
    }
    if (!(fabs(a[k * stride + k]) > 0.0)) {
      return false;
    }
    eliminateReal(m, stride, a, k);
  }
  swapColumns(m, stride, pivots, a);
  return true;
}

CR_INLINE void eliminateComplex(int m, int stride, double* re, double* im, int k)
{
  double *rowRe = rowOf(re, k, stride), *rowIm = rowOf(im, k, stride);
  double square = 1.0 / (rowRe[k] * rowRe[k] + rowIm[k] * rowIm[k]);
  double inverseRe = rowRe[k] * square, inverseIm = -rowIm[k] * square;
  for (int j = 0; j < stride; j += CR_LANES) {
    QuadBits isPlace = findPlace(j, k);
    Quad x = replace(loadQuad(rowRe + j), isPlace, 1.0), y = replace(loadQuad(rowIm + j), isPlace, 0.0);
    storeQuad(rowRe + j, x * inverseRe - y * inverseIm);
    storeQuad(rowIm + j, x * inverseIm + y * inverseRe);
  }
  for (int i = 0; i < m; ++i) {
    double *otherRe = rowOf(re, i, stride), *otherIm = rowOf(im, i, stride), a = otherRe[k], b = otherIm[k];
    for (int j = 0; j < stride && i != k; j += CR_LANES) {
      QuadBits isPlace = findPlace(j, k);
      Quad x = loadQuad(rowRe + j), y = loadQuad(rowIm + j);
      storeQuad(otherRe + j, replace(loadQuad(otherRe + j), isPlace, 0.0) - (a * x - b * y));
      storeQuad(otherIm + j, replace(loadQuad(otherIm + j), isPlace, 0.0) - (a * y + b * x));
    }
  }
}

CR_INLINE bool invertComplex(int m, int stride, double* re, double* im)
{
  int pivots[CR_MAX_INVERTED] = { 0 };
  for (int k = 0; k < m; ++k) {
    pivots[k] = findComplexPivot(m, stride, re, im, k);
    if (pivots[k] != k) {
      swapRows(stride, rowOf(re, k, stride), rowOf(re, pivots[k], stride));
      swapRows(stride, rowOf(im, k, stride), rowOf(im, pivots[k], stride));
    }
    if (!(fabs(re[k * stride + k]) + fabs(im[k * stride + k]) > 0.0)) {
      return false;
    }
    eliminateComplex(m, stride, re, im, k);
  }
  swapColumns(m, stride, pivots, re);
  swapColumns(m, stride, pivots, im);
  return true;
}

// One free body that is not round has 10 equations: its rows have a length that is known when this is compiled.
#define CR_SOLID_STRIDE 12

bool crInvertReal(int m, int stride, double* a)
{
  return stride == CR_SOLID_STRIDE ? invertReal(m, CR_SOLID_STRIDE, a) : invertReal(m, stride, a);
}

bool crInvertComplex(int m, int stride, double* re, double* im)
{
  return stride == CR_SOLID_STRIDE ? invertComplex(m, CR_SOLID_STRIDE, re, im) : invertComplex(m, stride, re, im);
}

// -------------------------------------------------------------------------------------------- one body

typedef double Row __attribute__((vector_size(CR_BODY_STRIDE * sizeof(double)), aligned(8)));
typedef int64_t Bits __attribute__((vector_size(CR_BODY_STRIDE * sizeof(int64_t))));

CR_INLINE Row spread(double x)
{
  return (Row){ x, x, x, x, x, x, x, x };
}

// The row with another value at place k.
CR_INLINE Row place(Row row, double x, int k)
{
  const Bits mask = { -(k == 0), -(k == 1), -(k == 2), -(k == 3), -(k == 4), -(k == 5), -(k == 6), -(k == 7) };
  return (Row)((mask & (Bits)spread(x)) | (~mask & (Bits)row));
}

CR_INLINE void eliminateBodyReal(Row* a, int k)
{
  Row row = place(a[k], 1.0, k) * spread(1.0 / a[k][k]);
#pragma GCC unroll 6
  for (int i = 0; i < CR_BODY_CORE; ++i) {
    a[i] = i == k ? row : place(a[i], 0.0, k) - spread(a[i][k]) * row;
  }
}

CR_INLINE void eliminateBodyComplex(Row* re, Row* im, int k)
{
  double x = re[k][k], y = im[k][k], square = 1.0 / (x * x + y * y);
  Row inverseRe = spread(x * square), inverseIm = spread(-y * square);
  Row oldRe = place(re[k], 1.0, k), oldIm = place(im[k], 0.0, k);
  Row rowRe = oldRe * inverseRe - oldIm * inverseIm, rowIm = oldRe * inverseIm + oldIm * inverseRe;
#pragma GCC unroll 6
  for (int i = 0; i < CR_BODY_CORE; ++i) {
    Row factorRe = spread(re[i][k]), factorIm = spread(im[i][k]);
    re[i] = i == k ? rowRe : place(re[i], 0.0, k) - (factorRe * rowRe - factorIm * rowIm);
    im[i] = i == k ? rowIm : place(im[i], 0.0, k) - (factorRe * rowIm + factorIm * rowRe);
  }
}

// Whether the (transposed) matrices times their inverses times ones are ones again.
CR_INLINE bool areInverses(const Row* real, const Row* re, const Row* im, const Row* a, const Row* c, const Row* d)
{
  Row sum = spread(0.0), sumRe = sum, sumIm = sum, x = sum, xRe = sum, xIm = sum;
  for (int i = 0; i < CR_BODY_CORE; ++i) {
    x += a[i];
    xRe += c[i];
    xIm += d[i];
  }
  for (int i = 0; i < CR_BODY_CORE; ++i) {
    sum += spread(x[i]) * real[i];
    sumRe += spread(xRe[i]) * re[i] - spread(xIm[i]) * im[i];
    sumIm += spread(xRe[i]) * im[i] + spread(xIm[i]) * re[i];
  }
  double worst = 0.0;
  for (int i = 0; i < CR_BODY_CORE; ++i) {
    worst += fabs(sum[i] - 1.0) + fabs(sumRe[i] - 1.0) + fabs(sumIm[i]);
  }
  return worst <= CR_LOST_PRECISION;
}

bool crInvertBody(const double* real, const double* re, const double* im, double* outReal, double* outRe, double* outIm)
{
  const Row *realRows = (const Row*)real, *reRows = (const Row*)re, *imRows = (const Row*)im;
  Row a[CR_BODY_CORE], c[CR_BODY_CORE], d[CR_BODY_CORE];
  for (int i = 0; i < CR_BODY_CORE; ++i) {
    a[i] = realRows[i];
    c[i] = reRows[i];
    d[i] = imRows[i];
  }
#pragma GCC unroll 6
  for (int k = 0; k < CR_BODY_CORE; ++k) {
    eliminateBodyReal(a, k);
    eliminateBodyComplex(c, d, k);
  }
  for (int i = 0; i < CR_BODY_CORE; ++i) {
    ((Row*)outReal)[i] = a[i];
    ((Row*)outRe)[i] = c[i];
    ((Row*)outIm)[i] = d[i];
  }
  return areInverses(realRows, reRows, imRows, a, c, d);
}

CR_INLINE Row multiply(const Row* rows, const double* b)
{
  Row even = spread(b[0]) * rows[0], odd = spread(b[1]) * rows[1];
  for (int i = 2; i < CR_BODY_CORE; i += 2) {
    even += spread(b[i]) * rows[i];
    odd += spread(b[i + 1]) * rows[i + 1];
  }
  return even + odd;
}

void crMultiplyBodyReal(const double* real, const double* b, double* outX)
{
  *(Row*)outX = multiply((const Row*)real, b);
}

void crMultiplyBody(const double* real, const double* re, const double* im, double* const* b, double* const* outX)
{
  const Row *realRows = (const Row*)real, *reRows = (const Row*)re, *imRows = (const Row*)im;
  Row x0 = multiply(realRows, b[0]), x1 = multiply(reRows, b[1]) - multiply(imRows, b[2]);
  Row x2 = multiply(imRows, b[1]) + multiply(reRows, b[2]);
  *(Row*)outX[0] = x0;
  *(Row*)outX[1] = x1;
  *(Row*)outX[2] = x2;
}
