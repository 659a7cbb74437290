// Elimination in fronts, panel by panel: a panel of columns is factorized, then taken out of all that is right and
// below by products, which is where the time goes. These work on blocks of some rows and CR_FRONT_LANES columns that
// stay in registers over the whole panel.
#include "solve/front.h"

#include <math.h>
#include <stddef.h>

#define CR_INLINE static inline __attribute__((always_inline))
#define CR_PANEL 16    // columns
#define CR_REAL_ROWS 4 // of a block in registers
#define CR_COMPLEX_ROWS 2
#define CR_COLUMNS 2 // of such a block, in lanes

typedef double Lanes __attribute__((vector_size(CR_FRONT_LANES * sizeof(double)), aligned(8)));

CR_INLINE Lanes spread(double x)
{
  return (Lanes){ x, x, x, x, x, x, x, x };
}

// ------------------------------------------------------------------------------------------------ panels

static void swapRows(int stride, double* a, double* b)
{
  for (int j = 0; j < stride; ++j) {
    double kept = a[j];
    a[j] = b[j];
    b[j] = kept;
  }
}

static int findPivot(const crFront* front, int k)
{
  int best = k;
  double largest = -1.0;
  for (int i = k; i < front->pivotCount; ++i) {
    size_t place = (size_t)i * (size_t)front->stride + (size_t)k;
    double size = fabs(front->re[place]) + (front->im != NULL ? fabs(front->im[place]) : 0.0);
    best = size > largest ? i : best;
    largest = size > largest ? size : largest;
  }
  return best;
}

// Takes column k of a panel, which ends at column `end`, out of the columns behind it. Returns the largest factor.
static double eliminateReal(crFront* front, int k, int end)
{
  size_t stride = (size_t)front->stride;
  double *row = front->re + (size_t)k * stride, inverse = 1.0 / row[k], largest = 0.0;
  row[k] = inverse;
  for (int i = k + 1; i < front->size; ++i) {
    double* other = front->re + (size_t)i * stride;
    double factor = other[k] * inverse, size = fabs(factor);
    other[k] = factor;
    largest = size > largest ? size : largest;
    for (int j = k + 1; j < end; ++j) {
      other[j] -= factor * row[j];
    }
  }
  return isfinite(inverse) ? largest : INFINITY;
}

static double eliminateComplex(crFront* front, int k, int end)
{
  size_t stride = (size_t)front->stride;
  double *rowRe = front->re + (size_t)k * stride, *rowIm = front->im + (size_t)k * stride;
  double square = 1.0 / (rowRe[k] * rowRe[k] + rowIm[k] * rowIm[k]);
  double inverseRe = rowRe[k] * square, inverseIm = -rowIm[k] * square, largest = 0.0;
  rowRe[k] = inverseRe;
  rowIm[k] = inverseIm;
  for (int i = k + 1; i < front->size; ++i) {
    double *otherRe = front->re + (size_t)i * stride, *otherIm = front->im + (size_t)i * stride;
    double x = otherRe[k] * inverseRe - otherIm[k] * inverseIm, y = otherRe[k] * inverseIm + otherIm[k] * inverseRe;
    double size = fabs(x) + fabs(y);
    otherRe[k] = x;
    otherIm[k] = y;
    largest = size > largest ? size : largest;
    for (int j = k + 1; j < end; ++j) {
      otherRe[j] -= x * rowRe[j] - y * rowIm[j];
      otherIm[j] -= x * rowIm[j] + y * rowRe[j];
    }
  }
  return isfinite(square) ? largest : INFINITY;
}

// Columns [first, end), with pivots. Returns the largest factor.
static double factorizePanel(crFront* front, int first, int end, int* swaps)
{
  size_t stride = (size_t)front->stride;
  double largest = 0.0;
  for (int k = first; k < end; ++k) {
    int pivot = findPivot(front, k);
    swaps[k] = pivot;
    if (pivot != k) {
      swapRows(front->stride, front->re + (size_t)k * stride, front->re + (size_t)pivot * stride);
      if (front->im != NULL) {
        swapRows(front->stride, front->im + (size_t)k * stride, front->im + (size_t)pivot * stride);
      }
    }
    double size = (front->im != NULL ? eliminateComplex : eliminateReal)(front, k, end);
    largest = size > largest ? size : largest;
  }
  return largest;
}

// Rows [first, end) right of the panel: by its lower triangle.
static void solveRows(crFront* front, int first, int end)
{
  size_t stride = (size_t)front->stride;
  double *re = front->re, *im = front->im;
  for (int i = first + 1; i < end; ++i) {
    for (int k = first; k < i; ++k) {
      size_t other = (size_t)i * stride, row = (size_t)k * stride;
      double x = re[other + (size_t)k], y = im != NULL ? im[other + (size_t)k] : 0.0;
      for (size_t j = (size_t)end; j < stride && im == NULL; ++j) {
        re[other + j] -= x * re[row + j];
      }
      for (size_t j = (size_t)end; j < stride && im != NULL; ++j) {
        re[other + j] -= x * re[row + j] - y * im[row + j];
        im[other + j] -= x * im[row + j] + y * re[row + j];
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------- products

// A block of rows and columns of lanes less the product of its rows of L, `count` wide, with `count` rows of U.
CR_INLINE void subtractReal(int rows, int columns, int count, size_t stride, const double* l, const double* u,
                            double* c)
{
  Lanes sums[CR_REAL_ROWS][CR_COLUMNS];
  for (int r = 0; r < rows; ++r) {
    for (int j = 0; j < columns; ++j) {
      sums[r][j] = *(const Lanes*)(c + (size_t)r * stride + (size_t)j * CR_FRONT_LANES);
    }
  }
  for (int k = 0; k < count; ++k) {
    for (int j = 0; j < columns; ++j) {
      Lanes row = *(const Lanes*)(u + (size_t)k * stride + (size_t)j * CR_FRONT_LANES);
      for (int r = 0; r < rows; ++r) {
        sums[r][j] -= spread(l[(size_t)r * stride + (size_t)k]) * row;
      }
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int j = 0; j < columns; ++j) {
      *(Lanes*)(c + (size_t)r * stride + (size_t)j * CR_FRONT_LANES) = sums[r][j];
    }
  }
}

CR_INLINE void subtractComplex(int rows, int count, size_t stride, const double* lRe, const double* lIm,
                               const double* uRe, const double* uIm, double* cRe, double* cIm)
{
  Lanes re[CR_COMPLEX_ROWS], im[CR_COMPLEX_ROWS];
  for (int r = 0; r < rows; ++r) {
    re[r] = *(const Lanes*)(cRe + (size_t)r * stride);
    im[r] = *(const Lanes*)(cIm + (size_t)r * stride);
  }
  for (int k = 0; k < count; ++k) {
    Lanes rowRe = *(const Lanes*)(uRe + (size_t)k * stride), rowIm = *(const Lanes*)(uIm + (size_t)k * stride);
    for (int r = 0; r < rows; ++r) {
      Lanes x = spread(lRe[(size_t)r * stride + (size_t)k]), y = spread(lIm[(size_t)r * stride + (size_t)k]);
      re[r] -= x * rowRe - y * rowIm;
      im[r] -= x * rowIm + y * rowRe;
    }
  }
  for (int r = 0; r < rows; ++r) {
    *(Lanes*)(cRe + (size_t)r * stride) = re[r];
    *(Lanes*)(cIm + (size_t)r * stride) = im[r];
  }
}

// Rows [row, row + rows) behind the panel [first, end), whole lanes from column `from` on.
CR_INLINE void updateRealRows(crFront* front, int rows, int row, int first, int count, int from)
{
  size_t stride = (size_t)front->stride;
  const double *l = front->re + (size_t)row * stride + (size_t)first, *u = front->re + (size_t)first * stride;
  double* c = front->re + (size_t)row * stride;
  int j = from, step = CR_COLUMNS * CR_FRONT_LANES;
  for (; j + step <= front->stride; j += step) {
    subtractReal(rows, CR_COLUMNS, count, stride, l, u + j, c + j);
  }
  for (; j < front->stride; j += CR_FRONT_LANES) {
    subtractReal(rows, 1, count, stride, l, u + j, c + j);
  }
}

CR_INLINE void updateComplexRows(crFront* front, int rows, int row, int first, int count, int from)
{
  size_t stride = (size_t)front->stride, l = (size_t)row * stride + (size_t)first, u = (size_t)first * stride;
  size_t c = (size_t)row * stride;
  for (size_t j = (size_t)from; j < stride; j += CR_FRONT_LANES) {
    subtractComplex(rows, count, stride, front->re + l, front->im + l, front->re + u + j, front->im + u + j,
                    front->re + c + j, front->im + c + j);
  }
}

// Columns [end, from) before the first whole lanes, one by one.
static void updateEdge(crFront* front, int first, int end, int from)
{
  size_t stride = (size_t)front->stride;
  double *re = front->re, *im = front->im;
  for (int i = end; i < front->size; ++i) {
    for (int k = first; k < end; ++k) {
      size_t row = (size_t)i * stride, other = (size_t)k * stride;
      double x = re[row + (size_t)k], y = im != NULL ? im[row + (size_t)k] : 0.0;
      for (size_t j = (size_t)end; j < (size_t)from; ++j) {
        re[row + j] -= x * re[other + j] - (im != NULL ? y * im[other + j] : 0.0);
        if (im != NULL) {
          im[row + j] -= x * im[other + j] + y * re[other + j];
        }
      }
    }
  }
}

static void updateRest(crFront* front, int first, int end)
{
  int count = end - first, from = (end + CR_FRONT_LANES - 1) / CR_FRONT_LANES * CR_FRONT_LANES, i = end;
  updateEdge(front, first, end, from);
  if (front->im == NULL) {
    for (; i + CR_REAL_ROWS <= front->size; i += CR_REAL_ROWS) {
      updateRealRows(front, CR_REAL_ROWS, i, first, count, from);
    }
    for (; i < front->size; ++i) {
      updateRealRows(front, 1, i, first, count, from);
    }
    return;
  }
  for (; i + CR_COMPLEX_ROWS <= front->size; i += CR_COMPLEX_ROWS) {
    updateComplexRows(front, CR_COMPLEX_ROWS, i, first, count, from);
  }
  for (; i < front->size; ++i) {
    updateComplexRows(front, 1, i, first, count, from);
  }
}

double crFront_Eliminate(crFront* front, int* swaps)
{
  double largest = 0.0;
  for (int first = 0; first < front->pivotCount; first += CR_PANEL) {
    int end = first + CR_PANEL < front->pivotCount ? first + CR_PANEL : front->pivotCount;
    double size = factorizePanel(front, first, end, swaps);
    largest = size > largest ? size : largest;
    if (end < front->size) {
      solveRows(front, first, end);
      updateRest(front, first, end);
    }
  }
  return largest;
}
