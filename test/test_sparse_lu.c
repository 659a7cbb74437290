// Factorizations and inverses inside implicit steps: products with the matrices tell whether they are right.
#include "solve/block_lu.h"
#include "solve/front.h"
#include "solve/inverse.h"
#include "solve/sparse_lu.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- matrices

// A sparse matrix by columns.
typedef struct Matrix {
  int n;
  int *starts, *rows;
  double *re, *im;
} Matrix;

static Matrix makeMatrix(int n, int capacity)
{
  Matrix matrix = { .n = n };
  matrix.starts = calloc((size_t)n + 1, sizeof(int));
  matrix.rows = calloc((size_t)capacity, sizeof(int));
  matrix.re = calloc((size_t)capacity, sizeof(double));
  matrix.im = calloc((size_t)capacity, sizeof(double));
  return matrix;
}

static void freeMatrix(Matrix* matrix)
{
  free(matrix->starts);
  free(matrix->rows);
  free(matrix->re);
  free(matrix->im);
}

// Bodies in a cube, `block` unknowns each, coupled to their neighbours. Not symmetric.
static Matrix makeCube(int side, int block, double diagonal)
{
  int bodies = side * side * side, n = bodies * block, count = 0;
  Matrix matrix = makeMatrix(n, n * 7 * block);
  crRandom random = crMakeRandom(7);
  for (int j = 0; j < n; ++j) {
    int body = j / block, x = body % side, y = body / side % side, z = body / side / side;
    matrix.starts[j] = count;
    for (int other = 0; other < bodies; ++other) {
      int far = abs(other % side - x) + abs(other / side % side - y) + abs(other / side / side - z);
      for (int i = 0; far <= 1 && i < block; ++i, ++count) {
        matrix.rows[count] = other * block + i;
        matrix.re[count] = crRandom_Uniform(&random, -1.0, 1.0) + (matrix.rows[count] == j ? diagonal : 0.0);
        matrix.im[count] = crRandom_Uniform(&random, -1.0, 1.0);
      }
    }
  }
  matrix.starts[n] = count;
  return matrix;
}

// Largest |M x - b| over |M| |x|; im of the matrix counts if bIm is there.
static double findResidual(const Matrix* matrix, const double* x, const double* xIm, const double* b, const double* bIm)
{
  size_t n = (size_t)matrix->n;
  double *sums = calloc(3 * n, sizeof *sums), *sumsIm = sums + n, *sizes = sums + 2 * n, worst = 0.0;
  for (int j = 0; j < matrix->n; ++j) {
    for (int k = matrix->starts[j]; k < matrix->starts[j + 1]; ++k) {
      double a = matrix->re[k], c = bIm != NULL ? matrix->im[k] : 0.0, y = bIm != NULL ? xIm[j] : 0.0;
      sums[matrix->rows[k]] += a * x[j] - c * y;
      sumsIm[matrix->rows[k]] += a * y + c * x[j];
      sizes[matrix->rows[k]] += (fabs(a) + fabs(c)) * (fabs(x[j]) + fabs(y));
    }
  }
  for (int i = 0; i < matrix->n; ++i) {
    double error = fabs(sums[i] - b[i]) + (bIm != NULL ? fabs(sumsIm[i] - bIm[i]) : 0.0);
    worst = fmax(worst, error / (sizes[i] + fabs(b[i])));
  }
  free(sums);
  return worst;
}

static void checkSolutions(crSparseLu* lu, const Matrix* matrix)
{
  size_t n = (size_t)matrix->n;
  double *b = malloc(4 * n * sizeof *b), *bIm = b + n, *x = b + 2 * n, *xIm = b + 3 * n;
  crRandom random = crMakeRandom(3);
  for (size_t i = 0; i < 2 * n; ++i) {
    b[i] = crRandom_Uniform(&random, -1.0, 1.0);
  }
  memcpy(x, b, 2 * n * sizeof *b);
  crSparseLu_Solve(lu, x, NULL);
  assert_true(findResidual(matrix, x, NULL, b, NULL) < 1e-12);
  memcpy(x, b, 2 * n * sizeof *b);
  crSparseLu_Solve(lu, x, xIm);
  assert_true(findResidual(matrix, x, xIm, b, bIm) < 1e-12);
  free(b);
}

static crSparseLu* makeLu(void)
{
  crAllocator allocator = crDefaultAllocator();
  crSparseLu* lu = NULL;
  assert_int_equal(crCreateSparseLu(&allocator, &lu), cr_ok);
  return lu;
}

static void checkMatrix(Matrix matrix, bool keepsPivots)
{
  crSparseLu* lu = makeLu();
  assert_int_equal(crSparseLu_Analyze(lu, matrix.n, matrix.starts, matrix.rows), cr_ok);
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(crSparseLu_Factorize(lu, matrix.re, NULL, keepsPivots && i > 0), cr_ok);
    assert_int_equal(crSparseLu_Factorize(lu, matrix.re, matrix.im, keepsPivots && i > 0), cr_ok);
    checkSolutions(lu, &matrix);
  }
  crDestroySparseLu(lu);
  freeMatrix(&matrix);
}

// ---------------------------------------------------------------------------------------------- sparse

static void cubes_of_bodies_are_solved_to_round_off(void** state)
{
  (void)state;
  const int blocks[] = { 1, 3, 6, 7 }; // of one unknown: by columns
  for (int i = 0; i < 4; ++i) {
    for (int side = 1; side <= 4; ++side) {
      checkMatrix(makeCube(side, blocks[i], 4.0), side % 2 == 0);
    }
  }
}

static void blocks_without_a_diagonal_need_pivots_within_them(void** state)
{
  (void)state;
  checkMatrix(makeCube(3, 6, 0.0), false);
}

// Chains of four bodies with nothing on their own blocks: the first one has no pivots in its front.
static void pivots_from_other_blocks_are_found_by_columns(void** state)
{
  (void)state;
  enum { block = 4, chains = 8, n = 4 * block * chains };
  Matrix matrix = makeMatrix(n, n * 3 * block);
  crRandom random = crMakeRandom(9);
  int count = 0;
  for (int j = 0; j < n; ++j) {
    matrix.starts[j] = count;
    for (int i = 0; i < n; ++i) {
      int distance = abs(i / block - j / block);
      if (i / (4 * block) == j / (4 * block) && distance <= 1) {
        matrix.rows[count] = i;
        matrix.re[count] = distance == 1 ? crRandom_Uniform(&random, -1.0, 1.0) : i == j ? 1e-14 : 0.0;
        matrix.im[count++] = distance == 1 ? crRandom_Uniform(&random, -1.0, 1.0) : 0.0;
      }
    }
  }
  matrix.starts[n] = count;
  checkMatrix(matrix, false);
}

static void singular_matrices_are_refused(void** state)
{
  (void)state;
  Matrix matrix = makeCube(3, 6, 4.0);
  memset(matrix.re, 0, (size_t)matrix.starts[matrix.n] * sizeof *matrix.re);
  crSparseLu* lu = makeLu();
  assert_int_equal(crSparseLu_Analyze(lu, matrix.n, matrix.starts, matrix.rows), cr_ok);
  assert_int_equal(crSparseLu_Factorize(lu, matrix.re, NULL, false), cr_retry);
  crDestroySparseLu(lu);
  freeMatrix(&matrix);
}

static void factors_do_not_depend_on_what_came_before(void** state)
{
  (void)state;
  Matrix small = makeCube(2, 6, 4.0), large = makeCube(3, 6, 4.0);
  crSparseLu *fresh = makeLu(), *used = makeLu();
  double x[2][8 * 6];
  assert_int_equal(crSparseLu_Analyze(used, large.n, large.starts, large.rows), cr_ok);
  assert_int_equal(crSparseLu_Factorize(used, large.re, NULL, false), cr_ok);
  crSparseLu* lus[] = { fresh, used };
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(crSparseLu_Analyze(lus[i], small.n, small.starts, small.rows), cr_ok);
    assert_int_equal(crSparseLu_Factorize(lus[i], small.re, NULL, false), cr_ok);
    for (int k = 0; k < small.n; ++k) {
      x[i][k] = k;
    }
    crSparseLu_Solve(lus[i], x[i], NULL);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  crDestroySparseLu(fresh);
  crDestroySparseLu(used);
  freeMatrix(&small);
  freeMatrix(&large);
}

static void no_more_fronts_than_nodes_and_all_entries_are_in_them(void** state)
{
  (void)state;
  Matrix matrix = makeCube(4, 6, 4.0);
  crAllocator allocator = crDefaultAllocator();
  crArena arena;
  crArena_Init(&arena, &allocator);
  crBlockGraph graph;
  assert_int_equal(crMakeBlockGraph(matrix.n, matrix.starts, matrix.rows, &arena, &graph), cr_ok);
  assert_int_equal(graph.nodeCount, 64);
  assert_true(graph.frontCount <= 64);
  int entries = 0, pivots = 0;
  for (int i = 0; i < graph.frontCount; ++i) {
    entries += graph.fronts[i].entryCount;
    pivots += graph.fronts[i].pivotCount;
    assert_true(graph.fronts[i].parent == -1 || graph.fronts[i].parent > i);
  }
  assert_int_equal(entries, matrix.starts[matrix.n]);
  assert_int_equal(pivots, matrix.n);
  crArena_Free(&arena);
  freeMatrix(&matrix);
}

static crStatus analyzeAndFactorize(crSparseLu* lu, const Matrix* matrix)
{
  crStatus status = crSparseLu_Analyze(lu, matrix->n, matrix->starts, matrix->rows);
  status = status == cr_ok ? crSparseLu_Factorize(lu, matrix->re, NULL, false) : status;
  return status == cr_ok ? crSparseLu_Factorize(lu, matrix->re, matrix->im, false) : status;
}

static void out_of_memory_is_reported_and_leaks_nothing(void** state)
{
  (void)state;
  for (int block = 1; block <= 6; block += 5) { // by columns and by fronts
    Matrix matrix = makeCube(3, block, 4.0);
    crStatus status = cr_errorMemory;
    for (long failAt = 0; status == cr_errorMemory; ++failAt) {
      crTestAllocator counter;
      crAllocator allocator = crTestAllocator_Make(&counter);
      counter.failAt = failAt;
      crSparseLu* lu = NULL;
      status = crCreateSparseLu(&allocator, &lu);
      status = status == cr_ok ? analyzeAndFactorize(lu, &matrix) : status;
      if (status == cr_errorMemory && lu != NULL) { // there is some again
        counter.failAt = -1;
        assert_int_equal(analyzeAndFactorize(lu, &matrix), cr_ok);
        checkSolutions(lu, &matrix);
      }
      crDestroySparseLu(lu);
      assert_int_equal(counter.liveBlocks, 0);
      assert_true(failAt < 1000);
    }
    assert_int_equal(status, cr_ok);
    freeMatrix(&matrix);
  }
}

// ------------------------------------------------------------------------------------------------ dense

// Largest difference of the product of a matrix with its inverse from the identity.
static double findInverseError(int m, int stride, const double* re, const double* im, const double* inRe,
                               const double* inIm)
{
  double worst = 0.0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      double sum = i == j ? -1.0 : 0.0, sumIm = 0.0;
      for (int k = 0; k < m; ++k) {
        int a = i * stride + k, b = k * stride + j;
        sum += re[a] * inRe[b] - (im != NULL ? im[a] * inIm[b] : 0.0);
        sumIm += im != NULL ? re[a] * inIm[b] + im[a] * inRe[b] : 0.0;
      }
      worst = fmax(worst, fabs(sum) + fabs(sumIm));
    }
  }
  return worst;
}

static void fillRows(crRandom* random, int m, int stride, double diagonal, double* out)
{
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < stride; ++j) {
      out[i * stride + j] = j < m ? crRandom_Uniform(random, -1.0, 1.0) + (i == j ? diagonal : 0.0) : 0.0;
    }
  }
}

static void small_inverses_are_inverses(void** state)
{
  (void)state;
  double re[1600], im[1600], inRe[1600], inIm[1600];
  crRandom random = crMakeRandom(11);
  for (int m = 1; m <= CR_MAX_INVERTED; ++m) {
    int stride = (m + CR_LANES - 1) / CR_LANES * CR_LANES;
    for (int k = 0; k < 2; ++k) { // without a diagonal: pivots
      fillRows(&random, m, stride, k == 0 ? 0.0 : 3.0, re);
      fillRows(&random, m, stride, 0.0, im);
      re[0] = k == 0 && m > 1 ? 0.0 : re[0];
      memcpy(inRe, re, sizeof re);
      assert_true(crInvertReal(m, stride, inRe));
      assert_true(findInverseError(m, stride, re, NULL, inRe, NULL) < 1e-9);
      memcpy(inRe, re, sizeof re);
      memcpy(inIm, im, sizeof im);
      assert_true(crInvertComplex(m, stride, inRe, inIm));
      assert_true(findInverseError(m, stride, re, im, inRe, inIm) < 1e-9);
    }
  }
  memset(re, 0, sizeof re);
  memset(im, 0, sizeof im);
  assert_false(crInvertReal(5, 8, re));
  assert_false(crInvertComplex(5, 8, re, im));
}

static void inverses_of_a_body_agree_and_tell_when_they_need_pivots(void** state)
{
  (void)state;
  enum { m = CR_BODY_CORE, stride = CR_BODY_STRIDE };
  double real[m * stride], re[m * stride], im[m * stride], inverses[3][m * stride], b[3][stride], x[3][stride];
  crRandom random = crMakeRandom(5);
  fillRows(&random, m, stride, 4.0, real);
  fillRows(&random, m, stride, 4.0, re);
  fillRows(&random, m, stride, 2.0, im);
  assert_true(crInvertBody(real, re, im, inverses[0], inverses[1], inverses[2]));
  assert_true(findInverseError(m, stride, real, NULL, inverses[0], NULL) < 1e-12);
  assert_true(findInverseError(m, stride, re, im, inverses[1], inverses[2]) < 1e-12);
  double *bs[3] = { b[0], b[1], b[2] }, *xs[3] = { x[0], x[1], x[2] };
  fillRows(&random, 3, stride, 0.0, b[0]);
  crMultiplyBody(inverses[0], inverses[1], inverses[2], bs, xs);
  for (int i = 0; i < m; ++i) { // rows of the inverses are columns
    double sum = -x[0][i], sumRe = -x[1][i], sumIm = -x[2][i];
    for (int k = 0; k < m; ++k) {
      int place = k * stride + i;
      sum += inverses[0][place] * b[0][k];
      sumRe += inverses[1][place] * b[1][k] - inverses[2][place] * b[2][k];
      sumIm += inverses[1][place] * b[2][k] + inverses[2][place] * b[1][k];
    }
    assert_close(fabs(sum) + fabs(sumRe) + fabs(sumIm), 0.0, 1e-14);
  }
  real[0] = 0.0;
  assert_false(crInvertBody(real, re, im, inverses[0], inverses[1], inverses[2]));
}

// All pivots: the product of L and U is the matrix, rows swapped.
static void fronts_are_products_of_triangles(void** state)
{
  (void)state;
  const int sizes[] = { 1, 5, 16, 17, 33, 60 };
  crRandom random = crMakeRandom(2);
  for (int s = 0; s < 6; ++s) {
    int size = sizes[s], stride = (size + CR_FRONT_LANES - 1) / CR_FRONT_LANES * CR_FRONT_LANES, swaps[60];
    size_t cells = (size_t)size * (size_t)stride;
    double *a = malloc(2 * cells * sizeof *a), *lu = a + cells;
    fillRows(&random, size, stride, 0.0, a);
    memcpy(lu, a, cells * sizeof *a);
    crFront front = { size, size, stride, lu, NULL };
    assert_true(crFront_Eliminate(&front, swaps) <= 1.0);
    for (int k = 0; k < size; ++k) {
      for (int j = 0; j < stride && swaps[k] != k; ++j) {
        double kept = a[k * stride + j];
        a[k * stride + j] = a[swaps[k] * stride + j];
        a[swaps[k] * stride + j] = kept;
      }
    }
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        double sum = 0.0;
        for (int k = 0; k <= (i < j ? i : j); ++k) {
          double l = k == i ? 1.0 : lu[i * stride + k], u = k == j ? 1.0 / lu[k * stride + k] : lu[k * stride + j];
          sum += l * u;
        }
        assert_close(sum, a[i * stride + j], 1e-12);
      }
    }
    free(a);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(cubes_of_bodies_are_solved_to_round_off),
    cmocka_unit_test(blocks_without_a_diagonal_need_pivots_within_them),
    cmocka_unit_test(pivots_from_other_blocks_are_found_by_columns),
    cmocka_unit_test(singular_matrices_are_refused),
    cmocka_unit_test(factors_do_not_depend_on_what_came_before),
    cmocka_unit_test(no_more_fronts_than_nodes_and_all_entries_are_in_them),
    cmocka_unit_test(out_of_memory_is_reported_and_leaks_nothing),
    cmocka_unit_test(small_inverses_are_inverses),
    cmocka_unit_test(inverses_of_a_body_agree_and_tell_when_they_need_pivots),
    cmocka_unit_test(fronts_are_products_of_triangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
