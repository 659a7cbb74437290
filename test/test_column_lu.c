// Factorization column by column: residuals, and solutions of dense elimination with partial pivoting, tell whether
// it is right.
#include "solve/column_lu.h"
#include "support/test.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CR_MAX_SIZE 60

// ---------------------------------------------------------------------------------------------- matrices

// Values outside the pattern are 0; its diagonal is always there.
typedef struct Matrix {
  int n;
  double complex a[CR_MAX_SIZE][CR_MAX_SIZE];
  int starts[CR_MAX_SIZE + 1], rows[CR_MAX_SIZE * CR_MAX_SIZE];
  double re[CR_MAX_SIZE * CR_MAX_SIZE], im[CR_MAX_SIZE * CR_MAX_SIZE];
} Matrix;

static void gatherColumns(Matrix* matrix)
{
  int count = 0;
  for (int j = 0; j < matrix->n; ++j) {
    matrix->starts[j] = count;
    for (int i = 0; i < matrix->n; ++i) {
      if (matrix->a[i][j] != 0.0 || i == j) {
        matrix->rows[count] = i;
        matrix->re[count] = creal(matrix->a[i][j]);
        matrix->im[count++] = cimag(matrix->a[i][j]);
      }
    }
  }
  matrix->starts[matrix->n] = count;
}

static double complex chooseNumber(crRandom* random)
{
  double re = crRandom_Uniform(random, -1.0, 1.0);
  return re + crRandom_Uniform(random, -1.0, 1.0) * I;
}

// A permutation with random numbers, regular, and as many more entries as the density says. The identity in place of a
// permutation: the diagonal has numbers.
static Matrix* makeMatrix(crRandom* random, int n, double density, bool isPermuted)
{
  Matrix* matrix = calloc(1, sizeof *matrix);
  int place[CR_MAX_SIZE];
  matrix->n = n;
  for (int i = 0; i < n; ++i) {
    int k = isPermuted ? (int)(crRandom_Next(random) % (uint64_t)(i + 1)) : i;
    place[i] = place[k];
    place[k] = i;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      bool isThere = crRandom_Uniform(random, 0.0, 1.0) < density && (i != j || !isPermuted);
      matrix->a[i][j] = isThere ? chooseNumber(random) : 0.0;
    }
    matrix->a[i][place[i]] += 1.0 + 0.5 * I;
  }
  gatherColumns(matrix);
  return matrix;
}

static void scaleMatrix(crRandom* random, Matrix* matrix)
{
  for (int k = 0; k < matrix->n; ++k) {
    double row = pow(10.0, crRandom_Uniform(random, -8.0, 8.0)),
           column = pow(10.0, crRandom_Uniform(random, -2.0, 2.0));
    for (int j = 0; j < matrix->n; ++j) {
      matrix->a[k][j] *= row;
      matrix->a[j][k] *= column;
    }
  }
  gatherColumns(matrix);
}

static double complex getValue(const Matrix* matrix, int i, int j, bool isComplex)
{
  return isComplex ? matrix->a[i][j] : creal(matrix->a[i][j]);
}

// Dense elimination with rows scaled and the largest pivot.
static void solveDense(const Matrix* matrix, bool isComplex, double complex* b)
{
  int n = matrix->n;
  static double complex a[CR_MAX_SIZE][CR_MAX_SIZE];
  for (int i = 0; i < n; ++i) {
    double largest = 0.0;
    for (int j = 0; j < n; ++j) {
      a[i][j] = getValue(matrix, i, j, isComplex);
      largest = fmax(largest, cabs(a[i][j]));
    }
    for (int j = 0; j < n; ++j) {
      a[i][j] /= largest;
    }
    b[i] /= largest;
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k; i < n; ++i) {
      pivot = cabs(a[i][k]) > cabs(a[pivot][k]) ? i : pivot;
    }
    for (int j = 0; j <= n; ++j) {
      double complex *x = j < n ? &a[k][j] : &b[k], *y = j < n ? &a[pivot][j] : &b[pivot], kept = *x;
      *x = *y;
      *y = kept;
    }
    for (int i = k + 1; i < n; ++i) {
      double complex factor = a[i][k] / a[k][k];
      for (int j = k; j < n; ++j) {
        a[i][j] -= factor * a[k][j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) {
      b[k] -= a[k][j] * b[j];
    }
    b[k] /= a[k][k];
  }
}

// Largest |A x - b| over |A| |x| + |b|, row by row.
static double findResidual(const Matrix* matrix, bool isComplex, const double complex* x, const double complex* b)
{
  double worst = 0.0;
  for (int i = 0; i < matrix->n; ++i) {
    double complex sum = -b[i];
    double size = cabs(b[i]);
    for (int j = 0; j < matrix->n; ++j) {
      sum += getValue(matrix, i, j, isComplex) * x[j];
      size += cabs(getValue(matrix, i, j, isComplex)) * cabs(x[j]);
    }
    worst = fmax(worst, cabs(sum) / size);
  }
  return worst;
}

// ------------------------------------------------------------------------------------------ factorization

typedef struct Solver {
  crArena arena;
  crColumnLu lu;
} Solver;

static crStatus analyze(Solver* solver, const crAllocator* allocator, const Matrix* matrix)
{
  crBlockGraph graph;
  crArena_Init(&solver->arena, allocator);
  crColumnLu_Init(&solver->lu, allocator);
  crStatus status = crMakeBlockGraph(matrix->n, matrix->starts, matrix->rows, &solver->arena, &graph);
  return status == cr_ok ? crColumnLu_Analyze(&solver->lu, matrix->starts, matrix->rows, &graph) : status;
}

static crStatus factorize(Solver* solver, const Matrix* matrix, bool isComplex, bool keepsPivots)
{
  return crColumnLu_Factorize(&solver->lu, matrix->re, isComplex ? matrix->im : NULL, keepsPivots);
}

static void freeSolver(Solver* solver)
{
  crColumnLu_Free(&solver->lu);
  crArena_Free(&solver->arena);
}

static Solver makeSolver(const Matrix* matrix)
{
  Solver solver;
  crAllocator allocator = crDefaultAllocator();
  assert_int_equal(analyze(&solver, &allocator, matrix), cr_ok);
  return solver;
}

static void solve(Solver* solver, bool isComplex, const double complex* b, double complex* outX)
{
  double re[CR_MAX_SIZE], im[CR_MAX_SIZE];
  int n = solver->lu.n;
  for (int i = 0; i < n; ++i) {
    re[i] = creal(b[i]);
    im[i] = cimag(b[i]);
  }
  crColumnLu_Solve(&solver->lu, re, isComplex ? im : NULL);
  for (int i = 0; i < n; ++i) {
    outX[i] = re[i] + (isComplex ? im[i] : 0.0) * I;
  }
}

// The matrix last factorized: a backward error at round-off, and the solution of the dense one within `relTol`.
static void checkSolution(Solver* solver, const Matrix* matrix, bool isComplex, double relTol)
{
  double complex b[CR_MAX_SIZE] = { 0.0 }, x[CR_MAX_SIZE], dense[CR_MAX_SIZE];
  crRandom random = crMakeRandom(3);
  for (int j = 0; j < matrix->n; ++j) { // as large as the rows are
    double complex number = chooseNumber(&random);
    for (int i = 0; i < matrix->n; ++i) {
      b[i] += getValue(matrix, i, j, isComplex) * (isComplex ? number : creal(number));
    }
  }
  memcpy(dense, b, sizeof b);
  solve(solver, isComplex, b, x);
  assert_true(findResidual(matrix, isComplex, x, b) < 1e-11); // pivots down to 1e-3 of the largest
  solveDense(matrix, isComplex, dense);
  double error = 0.0, size = 0.0;
  for (int i = 0; i < matrix->n; ++i) {
    error = fmax(error, cabs(x[i] - dense[i]));
    size = fmax(size, cabs(dense[i]));
  }
  assert_true(error <= relTol * size);
}

static void checkMatrix(const Matrix* matrix, double relTol)
{
  Solver solver = makeSolver(matrix);
  for (int k = 0; k < 4; ++k) {
    assert_int_equal(factorize(&solver, matrix, k % 2 == 1, k >= 2), cr_ok);
    checkSolution(&solver, matrix, k % 2 == 1, relTol);
  }
  freeSolver(&solver);
}

// ------------------------------------------------------------------------------------------------ tests

static void random_matrices_are_solved_as_by_dense_elimination(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int k = 0; k < 300; ++k) {
    int n = 1 + k % CR_MAX_SIZE;
    Matrix* matrix = makeMatrix(&random, n, crRandom_Uniform(&random, 0.0, k % 3 == 0 ? 1.0 : 5.0 / n), false);
    checkMatrix(matrix, 1e-9);
    free(matrix);
  }
}

static void diagonals_of_zeros_need_pivots_from_other_rows(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  for (int k = 0; k < 300; ++k) {
    int n = 1 + k % CR_MAX_SIZE;
    Matrix* matrix = makeMatrix(&random, n, crRandom_Uniform(&random, 0.0, 5.0 / n), true);
    checkMatrix(matrix, 1e-9);
    free(matrix);
  }
}

static void badly_scaled_rows_and_columns_do_no_harm(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  for (int k = 0; k < 200; ++k) {
    int n = 2 + k % (CR_MAX_SIZE - 1);
    Matrix* matrix = makeMatrix(&random, n, 4.0 / n, k % 2 == 0);
    scaleMatrix(&random, matrix);
    checkMatrix(matrix, 1e-7);
    free(matrix);
  }
}

// Row k of a bidiagonal matrix is 1 on the diagonal and `next` beside it, with the corner closed.
static Matrix* makeRing(int n, double diagonal, double next)
{
  Matrix* matrix = calloc(1, sizeof *matrix);
  matrix->n = n;
  for (int i = 0; i < n; ++i) {
    matrix->a[i][i] = diagonal * (1.0 + 0.25 * I);
    matrix->a[i][(i + 1) % n] = next * (1.0 - 0.5 * I);
  }
  gatherColumns(matrix);
  return matrix;
}

// The second one would grow by 1e10 in each row with the pivots of the first one.
static void old_pivots_are_kept_only_while_they_are_good(void** state)
{
  (void)state;
  enum { n = 20 };
  Matrix *first = makeRing(n, 1.0, 0.1), *near = makeRing(n, 0.5, 0.3), *far = makeRing(n, 1e-10, 1.0);
  for (int isComplex = 0; isComplex < 2; ++isComplex) {
    Solver solver = makeSolver(first);
    const crColumnFactors* factors = &solver.lu.factors[isComplex];
    int pivots[n];
    assert_int_equal(factorize(&solver, first, isComplex, true), cr_ok);
    memcpy(pivots, factors->pivotRows, sizeof pivots);
    assert_int_equal(factorize(&solver, near, isComplex, true), cr_ok);
    assert_memory_equal(pivots, factors->pivotRows, sizeof pivots);
    checkSolution(&solver, near, isComplex, 1e-12);
    assert_int_equal(factorize(&solver, far, isComplex, true), cr_ok);
    assert_memory_not_equal(pivots, factors->pivotRows, sizeof pivots);
    checkSolution(&solver, far, isComplex, 1e-12);
    freeSolver(&solver);
  }
  free(first);
  free(near);
  free(far);
}

static void singular_matrices_and_no_numbers_are_refused_and_forgotten(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(8);
  Matrix *good = makeMatrix(&random, 30, 0.2, false), *bad = calloc(1, sizeof *bad);
  Solver solver = makeSolver(good);
  enum { zeroRow, zeroColumn, equalRows, notANumber, infinite, kinds };
  for (int k = 0; k < 4 * kinds; ++k) {
    bool isComplex = k % 2 == 1, keepsPivots = k / 2 % 2 == 1;
    assert_int_equal(factorize(&solver, good, isComplex, false), cr_ok);
    memcpy(bad, good, sizeof *bad);
    for (int e = 0; e < bad->starts[bad->n]; ++e) {
      int kind = k / 4;
      bool isInColumn = e >= bad->starts[7] && e < bad->starts[8];
      double value = kind == notANumber ? NAN : kind == infinite ? INFINITY : 0.0;
      if (kind == zeroColumn ? isInColumn : kind == zeroRow ? bad->rows[e] == 7 : isInColumn && kind != equalRows) {
        bad->re[e] = bad->im[e] = value;
      } else if (kind == equalRows) {
        bad->re[e] = bad->rows[e] == 3 || bad->rows[e] == 7 ? 0.0 : bad->re[e];
        bad->im[e] = bad->rows[e] == 3 || bad->rows[e] == 7 ? 0.0 : bad->im[e];
        if (bad->rows[e] == 3 && isInColumn) {
          bad->re[e] = 1.0;
        }
      }
    }
    assert_int_equal(factorize(&solver, bad, isComplex, keepsPivots), cr_retry);
    assert_int_equal(factorize(&solver, good, isComplex, true), cr_ok);
    checkSolution(&solver, good, isComplex, 1e-8);
  }
  freeSolver(&solver);
  free(good);
  free(bad);
}

// Above the diagonal, where no pivot is looked for; and a pivot whose inverse is no number.
static void no_numbers_in_u_are_refused(void** state)
{
  (void)state;
  const double values[][3] = { { 1.0, NAN, 1.0 }, { 1.0, INFINITY, 1.0 }, { 1.0, 0.5, 1e-310 } };
  Matrix* matrix = makeRing(2, 1.0, 0.5); // columns: a11 a21, a12 a22
  Solver solver = makeSolver(matrix);
  for (int k = 0; k < 6; ++k) {
    const double* value = values[k % 3];
    memcpy(matrix->re, (double[]){ value[0], 0.0, value[1], value[2] }, 4 * sizeof(double));
    memset(matrix->im, 0, 4 * sizeof(double));
    assert_int_equal(factorize(&solver, matrix, k >= 3, false), cr_retry);
    memcpy(matrix->re, (double[]){ value[2], value[1], 0.0, value[0] }, 4 * sizeof(double));
    assert_int_equal(factorize(&solver, matrix, k >= 3, false), cr_retry);
  }
  freeSolver(&solver);
  free(matrix);
}

static void fresh_pivots_do_not_depend_on_what_came_before(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(11);
  Matrix *matrix = makeMatrix(&random, 50, 0.1, true), *other = calloc(1, sizeof *other);
  memcpy(other, matrix, sizeof *other);
  for (int e = 0; e < other->starts[other->n]; ++e) {
    other->re[e] *= crRandom_Uniform(&random, 0.01, 1.0);
  }
  Solver fresh = makeSolver(matrix), used = makeSolver(matrix);
  double complex b[50], x[2][50];
  for (int i = 0; i < 50; ++i) {
    b[i] = i - 0.5 * I;
  }
  assert_int_equal(factorize(&used, other, true, false), cr_ok);
  assert_int_equal(factorize(&used, other, false, false), cr_ok);
  for (int isComplex = 0; isComplex < 2; ++isComplex) {
    assert_int_equal(factorize(&used, matrix, isComplex, false), cr_ok);
    assert_int_equal(factorize(&fresh, matrix, isComplex, false), cr_ok);
    solve(&used, isComplex, b, x[0]);
    solve(&fresh, isComplex, b, x[1]);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
  }
  freeSolver(&fresh);
  freeSolver(&used);
  free(matrix);
  free(other);
}

static void out_of_memory_is_reported_and_later_factorizations_allocate_nothing(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(13);
  Matrix* matrix = makeMatrix(&random, CR_MAX_SIZE, 0.1, true); // fills up: room has to grow
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    Solver solver;
    status = analyze(&solver, &allocator, matrix);
    status = status == cr_ok ? factorize(&solver, matrix, false, false) : status;
    status = status == cr_ok ? factorize(&solver, matrix, true, false) : status;
    if (status == cr_ok) {
      long calls = counter.callCount;
      assert_int_equal(factorize(&solver, matrix, false, false), cr_ok);
      assert_int_equal(factorize(&solver, matrix, true, true), cr_ok);
      assert_int_equal(counter.callCount, calls);
      checkSolution(&solver, matrix, true, 1e-8);
    }
    freeSolver(&solver);
    assert_int_equal(counter.liveBlocks, 0);
    assert_true(failAt < 1000);
  }
  assert_int_equal(status, cr_ok);
  free(matrix);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_matrices_are_solved_as_by_dense_elimination),
    cmocka_unit_test(diagonals_of_zeros_need_pivots_from_other_rows),
    cmocka_unit_test(badly_scaled_rows_and_columns_do_no_harm),
    cmocka_unit_test(old_pivots_are_kept_only_while_they_are_good),
    cmocka_unit_test(singular_matrices_and_no_numbers_are_refused_and_forgotten),
    cmocka_unit_test(no_numbers_in_u_are_refused),
    cmocka_unit_test(fresh_pivots_do_not_depend_on_what_came_before),
    cmocka_unit_test(out_of_memory_is_reported_and_later_factorizations_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
