// Blocks of states that implicit steps eliminate, against a dense solution of the whole system.
#include "solve/step_matrix.h"
#include "support/test.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BODY_STATES 13 // three positions, a quaternion, six velocities
#define FOLLOWERS 2
#define MOST_BODIES 40
#define MOST_BLOCKS 60
#define MOST_STATES (MOST_BODIES * BODY_STATES + FOLLOWERS + (CR_MOST_BLOCK + 1) * MOST_BLOCKS)
#define MOST_UNKNOWNS (6 * MOST_BODIES + CR_MOST_BLOCK * MOST_BLOCKS)
#define MOST_ENTRIES (MOST_STATES * 200)

// Bodies in a row, each linked with the next, and blocks that act between two neighbours or on one alone.
typedef struct System {
  int bodyCount, blockCount, n, entryCount;
  crStateBlock blocks[MOST_BLOCKS];
  int sides[MOST_BLOCKS][2]; // bodies; -1: none
  int rateOf[MOST_STATES];
  bool isFollower[MOST_STATES];
  crSpin spins[MOST_BODIES];
  int starts[MOST_STATES + 1], rows[MOST_ENTRIES];
  crStructure structure;
  crSparsity pattern;
  crProblem problem;
} System;

static System s;

static void addRow(int row)
{
  assert_true(s.entryCount < MOST_ENTRIES);
  s.rows[s.entryCount++] = row;
}

static void addVelocities(int body)
{
  for (int i = 7; body >= 0 && body < s.bodyCount && i < BODY_STATES; ++i) {
    addRow(body * BODY_STATES + i);
  }
}

static void addBlockRows(int body)
{
  for (int b = 0; b < s.blockCount; ++b) {
    for (int i = 0; (s.sides[b][0] == body || s.sides[b][1] == body) && i < s.blocks[b].count; ++i) {
      addRow(s.blocks[b].first + i);
    }
  }
}

// Rows of a column, ascending.
static void addColumn(int column)
{
  int body = column / BODY_STATES, inBody = column % BODY_STATES, block = -1;
  for (int b = 0; b < s.blockCount; ++b) {
    block = column >= s.blocks[b].first && column < s.blocks[b].first + s.blocks[b].count ? b : block;
  }
  if (block >= 0) {
    const int* sides = s.sides[block];
    addVelocities(sides[0]);
    addVelocities(sides[1]);
    for (int i = 0; i < s.blocks[block].count; ++i) {
      addRow(s.blocks[block].first + i);
    }
  } else if (body < s.bodyCount && (inBody < 3 || inBody >= 7)) {
    if (inBody >= 7 && inBody < 10) {
      addRow(body * BODY_STATES + inBody - 7); // the position that it is the rate of
    }
    addVelocities(body - 1);
    addVelocities(body);
    addVelocities(body + 1);
    addBlockRows(body);
  } else {
    addRow(column);
  }
}

static int compareInts(const void* a, const void* b)
{
  return *(const int*)a - *(const int*)b;
}

static void makeSystem(crRandom* random, int bodyCount, int blockCount)
{
  memset(&s, 0, sizeof s);
  s.bodyCount = bodyCount;
  s.blockCount = blockCount;
  int next = bodyCount * BODY_STATES + FOLLOWERS;
  for (int b = 0; b < blockCount; ++b) {
    next += b % 3 == 2; // a place that nobody has
    int count = 1 + (int)(crRandom_Next(random) % CR_MOST_BLOCK),
        body = (int)(crRandom_Next(random) % (unsigned)bodyCount);
    s.blocks[b] = (crStateBlock){ next, count };
    s.sides[b][0] = body;
    s.sides[b][1] = body + 1 < bodyCount && b % 4 != 0 ? body + 1 : -1;
    next += count;
  }
  s.n = next;
  for (int i = 0; i < s.n; ++i) {
    int inBody = i % BODY_STATES;
    s.rateOf[i] = i < bodyCount * BODY_STATES && inBody < 3 ? i + 7 : -1;
    s.isFollower[i] = i >= bodyCount * BODY_STATES;
  }
  for (int b = 0; b < blockCount; ++b) {
    for (int i = 0; i < s.blocks[b].count; ++i) {
      s.isFollower[s.blocks[b].first + i] = false;
    }
  }
  for (int b = 0; b < bodyCount; ++b) {
    s.spins[b] = (crSpin){ b * BODY_STATES + 3, b * BODY_STATES + 10 };
  }
  for (int c = 0; c < s.n; ++c) {
    s.starts[c] = s.entryCount;
    addColumn(c);
    qsort(s.rows + s.starts[c], (size_t)(s.entryCount - s.starts[c]), sizeof(int), compareInts);
  }
  s.starts[s.n] = s.entryCount;
  s.structure = (crStructure){ .rateOf = s.rateOf,
                               .isFollower = s.isFollower,
                               .spins = s.spins,
                               .spinCount = bodyCount,
                               .blocks = s.blocks,
                               .blockCount = blockCount };
  s.pattern = (crSparsity){ s.n, s.starts, s.rows };
  s.problem = (crProblem){ .n = s.n, .pattern = &s.pattern, .structure = &s.structure };
}

// (g I - J) x = b, where a position is its velocity over g; in the order of the unknowns.
static void solveDense(const crStepMatrix* matrix, double complex g, const double complex* b, double complex* outX)
{
  static double complex a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1];
  static int numbers[MOST_STATES];
  int count = matrix->unknownCount;
  assert_true(count <= MOST_UNKNOWNS);
  for (int i = 0; i < s.n; ++i) {
    numbers[i] = -1;
  }
  for (int i = 0; i < count; ++i) {
    numbers[matrix->unknowns[i]] = i;
    memset(a[i], 0, sizeof a[i]);
    a[i][i] = g;
    a[i][count] = b[i];
  }
  for (int c = 0; c < s.n; ++c) {
    bool isSlave = s.rateOf[c] >= 0;
    int column = numbers[isSlave ? s.rateOf[c] : c];
    for (int k = s.starts[c]; k < s.starts[c + 1]; ++k) {
      if (column >= 0 && numbers[s.rows[k]] >= 0) {
        a[numbers[s.rows[k]]][column] -= isSlave ? matrix->values[k] / g : matrix->values[k];
      }
    }
  }
  for (int c = 0; c < count; ++c) {
    int pivot = c;
    for (int r = c; r < count; ++r) {
      pivot = cabs(a[r][c]) > cabs(a[pivot][c]) ? r : pivot;
    }
    for (int k = c; k <= count; ++k) {
      double complex saved = a[c][k];
      a[c][k] = a[pivot][k];
      a[pivot][k] = saved;
    }
    for (int r = c + 1; r < count; ++r) {
      double complex factor = a[r][c] / a[c][c];
      for (int k = c; factor != 0.0 && k <= count; ++k) {
        a[r][k] -= factor * a[c][k];
      }
    }
  }
  for (int r = count - 1; r >= 0; --r) {
    outX[r] = a[r][count];
    for (int k = r + 1; k < count; ++k) {
      outX[r] -= a[r][k] * outX[k];
    }
    outX[r] /= a[r][r];
  }
}

#define MOST_PLACES (MOST_UNKNOWNS + 64)

static void checkSolutions(crRandom* random, crStepMatrix* matrix)
{
  static _Alignas(64) double b[3][MOST_PLACES], x[3][MOST_PLACES], alone[MOST_PLACES], real[MOST_PLACES];
  static double complex right[2][MOST_UNKNOWNS], truth[2][MOST_UNKNOWNS];
  double g = 360.0, gReal = 268.0, gImaginary = 305.0;
  int count = matrix->unknownCount;
  assert_true(matrix->length <= MOST_PLACES);
  for (int k = 0; k < s.entryCount; ++k) {
    matrix->values[k] = crRandom_Uniform(random, -30.0, 30.0);
  }
  for (int c = 0; c < s.n; ++c) { // stiff springs
    for (int k = s.starts[c]; s.rateOf[c] >= 0 && k < s.starts[c + 1]; ++k) {
      matrix->values[k] *= 1e3;
    }
  }
  memset(b, 0, sizeof b);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      b[k][matrix->unknownPlaces[i]] = crRandom_Uniform(random, -1.0, 1.0);
    }
    right[0][i] = b[0][matrix->unknownPlaces[i]];
    right[1][i] = b[1][matrix->unknownPlaces[i]] + I * b[2][matrix->unknownPlaces[i]];
  }
  crStepMatrix_Load(matrix);
  assert_int_equal(crStepMatrix_Factorize(matrix, g, gReal, gImaginary, false), cr_ok);
  memcpy(real, b[0], sizeof real);
  crStepMatrix_SolveReal(matrix, real, alone);
  crStepMatrix_Solve(matrix, (double* const[]){ b[0], b[1], b[2] }, (double* const[]){ x[0], x[1], x[2] });
  solveDense(matrix, g, right[0], truth[0]);
  solveDense(matrix, gReal + I * gImaginary, right[1], truth[1]);
  double size = 0.0;
  for (int i = 0; i < count; ++i) {
    size = fmax(size, fmax(cabs(truth[0][i]), cabs(truth[1][i])));
  }
  for (int i = 0; i < count; ++i) {
    int place = matrix->unknownPlaces[i];
    assert_close(alone[place], creal(truth[0][i]), 1e-10 * size);
    assert_close(x[0][place], creal(truth[0][i]), 1e-10 * size);
    assert_close(x[1][place], creal(truth[1][i]), 1e-10 * size);
    assert_close(x[2][place], cimag(truth[1][i]), 1e-10 * size);
  }
}

static void checkSystem(uint64_t seed, int bodyCount, int blockCount, bool isSparse)
{
  crRandom random = crMakeRandom(seed);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStepMatrix matrix;
  bool isNew;
  makeSystem(&random, bodyCount, blockCount);
  crStepMatrix_Init(&matrix, &allocator);
  assert_int_equal(crStepMatrix_SetProblem(&matrix, &s.problem, &isNew), cr_ok);
  int states = 0;
  for (int b = 0; b < blockCount; ++b) {
    states += s.blocks[b].count;
  }
  assert_int_equal(matrix.coreCount, 6 * bodyCount);
  assert_int_equal(matrix.unknownCount, 6 * bodyCount + states);
  assert_int_equal(matrix.isSparse, isSparse);
  checkSolutions(&random, &matrix);
  checkSolutions(&random, &matrix); // other numbers in the same places
  assert_int_equal(crStepMatrix_SetProblem(&matrix, &s.problem, &isNew), cr_ok);
  assert_false(isNew);
  crStepMatrix_Free(&matrix);
  assert_int_equal(counter.liveBytes, 0);
}

static void blocks_of_one_body_are_eliminated(void** state)
{
  (void)state;
  for (int blocks = 0; blocks < 6; ++blocks) {
    checkSystem(1 + (uint64_t)blocks, 1, blocks, false);
  }
}

static void blocks_of_a_few_bodies_are_eliminated(void** state)
{
  (void)state;
  for (int bodies = 2; bodies < 6; ++bodies) {
    checkSystem(10 + (uint64_t)bodies, bodies, 2 * bodies, 6 * bodies > CR_MAX_INVERTED);
  }
}

static void blocks_of_many_bodies_are_eliminated(void** state)
{
  (void)state;
  checkSystem(20, 25, 30, true);
  checkSystem(21, MOST_BODIES, MOST_BLOCKS, true);
}

// What has blocks after it had none, or others, takes them up.
static void blocks_may_come_and_go(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(30);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStepMatrix matrix;
  crStepMatrix_Init(&matrix, &allocator);
  static const int counts[][2] = { { 3, 0 }, { 3, 4 }, { 20, 10 }, { 2, 1 }, { 2, 5 }, { 30, 0 }, { 30, 30 } };
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    bool isNew;
    makeSystem(&random, counts[i][0], counts[i][1]);
    assert_int_equal(crStepMatrix_SetProblem(&matrix, &s.problem, &isNew), cr_ok);
    assert_true(isNew);
    checkSolutions(&random, &matrix);
  }
  crStepMatrix_Free(&matrix);
  assert_int_equal(counter.liveBytes, 0);
}

static void missing_memory_is_told(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(40);
  makeSystem(&random, 25, 20);
  int failures = 0;
  for (long failAt = 0;; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crStepMatrix matrix;
    bool isNew;
    crStepMatrix_Init(&matrix, &allocator);
    crStatus status = crStepMatrix_SetProblem(&matrix, &s.problem, &isNew);
    crStepMatrix_Free(&matrix);
    assert_int_equal(counter.liveBytes, 0);
    if (status == cr_ok) {
      break;
    }
    assert_int_equal(status, cr_errorMemory);
    ++failures;
  }
  assert_true(failures > 3);
}

// A block whose own equations have no solution asks for another step.
static void singular_blocks_are_told(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(50);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStepMatrix matrix;
  bool isNew;
  makeSystem(&random, 2, 1);
  crStepMatrix_Init(&matrix, &allocator);
  assert_int_equal(crStepMatrix_SetProblem(&matrix, &s.problem, &isNew), cr_ok);
  memset(matrix.values, 0, (size_t)s.entryCount * sizeof(double));
  for (int i = 0; i < s.blocks[0].count; ++i) {
    int column = s.blocks[0].first + i;
    for (int k = s.starts[column]; k < s.starts[column + 1]; ++k) {
      matrix.values[k] = s.rows[k] == column ? 100.0 : 0.0;
    }
  }
  crStepMatrix_Load(&matrix);
  assert_int_equal(crStepMatrix_Factorize(&matrix, 100.0, 70.0, 80.0, false), cr_retry);
  assert_int_equal(crStepMatrix_Factorize(&matrix, 101.0, 70.0, 80.0, false), cr_ok);
  crStepMatrix_Free(&matrix);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_of_one_body_are_eliminated),
    cmocka_unit_test(blocks_of_a_few_bodies_are_eliminated),
    cmocka_unit_test(blocks_of_many_bodies_are_eliminated),
    cmocka_unit_test(blocks_may_come_and_go),
    cmocka_unit_test(missing_memory_is_told),
    cmocka_unit_test(singular_blocks_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
