// The linear equations of implicit steps.
#include "solve/step_matrix.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define CR_ALIGNMENT 64 // [bytes] of matrices: a row of a body's is one line of the cache

static const size_t bodyCells = (size_t)CR_BODY_CORE * CR_BODY_STRIDE;

// ----------------------------------------------------------------------------------------------- memory

void crStepMatrix_Init(crStepMatrix* matrix, const crAllocator* allocator)
{
  *matrix = (crStepMatrix){ .allocator = *allocator, .n = -1 };
  crArena_Init(&matrix->arena, allocator);
  crElimination_Init(&matrix->elimination, allocator);
}

static void freeBlocks(crStepMatrix* matrix)
{
  crFree(&matrix->allocator, matrix->integers, matrix->integerCount * sizeof *matrix->integers);
  crFree(&matrix->allocator, matrix->doubles, matrix->doubleCount * sizeof *matrix->doubles);
}

void crStepMatrix_Free(crStepMatrix* matrix)
{
  freeBlocks(matrix);
  crArena_Free(&matrix->arena);
  crDestroySparseLu(matrix->lu);
  crElimination_Free(&matrix->elimination);
  matrix->lu = NULL;
}

static size_t pad(size_t count)
{
  return (count + CR_LANES - 1) / CR_LANES * CR_LANES;
}

static int* takeIntegers(int** next, size_t count)
{
  int* taken = *next;
  *next += count;
  return taken;
}

static double* takeDoubles(double** next, size_t count)
{
  double* taken = *next;
  *next += pad(count);
  return taken;
}

static void placeIntegers(crStepMatrix* matrix, size_t n, size_t entryCount)
{
  int* next = matrix->integers;
  int** byState[] = { &matrix->roles,         &matrix->newRoles,    &matrix->core,      &matrix->places,
                      &matrix->slaves,        &matrix->masters,     &matrix->followers, &matrix->marks,
                      &matrix->slaveHeads,    &matrix->slaveNexts,  &matrix->diagonals, &matrix->unknowns,
                      &matrix->unknownPlaces, &matrix->vectorPlaces };
  for (size_t i = 0; i < sizeof byState / sizeof *byState; ++i) {
    *byState[i] = takeIntegers(&next, n);
  }
  matrix->starts = takeIntegers(&next, n + 1);
  matrix->coreStarts = takeIntegers(&next, n + 1);
  matrix->coreRows = takeIntegers(&next, n + entryCount);
  matrix->neededStarts = takeIntegers(&next, n + 1);
  matrix->neededRows = takeIntegers(&next, entryCount);
  matrix->rows = takeIntegers(&next, entryCount);
  matrix->cells = takeIntegers(&next, entryCount);
  matrix->slaveEntries = takeIntegers(&next, 3 * entryCount);
}

#define CR_BY_STATE 18 // arrays of integers by state,
#define CR_BY_ENTRY 7  // and by entry

// Cells that a matrix can have: dense, or entries with the diagonal.
static size_t countCells(size_t n, size_t entryCount)
{
  size_t inverted = n < CR_MAX_INVERTED ? n : CR_MAX_INVERTED, dense = inverted * pad(inverted);
  size_t sparse = n > CR_MAX_INVERTED ? n + entryCount : 0;
  size_t cells = dense > sparse ? dense : sparse, body = bodyCells;
  return pad(cells > body ? cells : body);
}

static void placeDoubles(crStepMatrix* matrix, size_t n, size_t entryCount)
{
  size_t over = (uintptr_t)matrix->doubles % CR_ALIGNMENT;
  double* next = matrix->doubles + (over > 0 ? CR_ALIGNMENT - over : 0) / sizeof(double);
  size_t count = countCells(n, entryCount);
  double** byCell[] = { &matrix->direct, &matrix->integrated, &matrix->real, &matrix->complexReal,
                        &matrix->complexImaginary };
  for (size_t i = 0; i < sizeof byCell / sizeof *byCell; ++i) {
    *byCell[i] = takeDoubles(&next, count);
  }
  matrix->bodyInverses = takeDoubles(&next, 3 * bodyCells);
  matrix->values = takeDoubles(&next, entryCount);
}

// A system that grows mostly grows again.
static int grow(int capacity, int count)
{
  int more = capacity + capacity / 2;
  return count <= capacity ? capacity : count > more ? count : more;
}

crStatus crStepMatrix_Reserve(crStepMatrix* matrix, int n, int entryCount)
{
  if (n <= matrix->capacity && entryCount <= matrix->entryCapacity) {
    return cr_ok;
  }
  size_t states = (size_t)grow(matrix->capacity, n), entries = (size_t)grow(matrix->entryCapacity, entryCount);
  size_t integerCount = (size_t)CR_BY_STATE * (states + 1) + CR_BY_ENTRY * entries;
  size_t doubleCount = 5 * countCells(states, entries) + pad(entries) + 3 * bodyCells + CR_ALIGNMENT / sizeof(double);
  int* integers = crAllocateZero(&matrix->allocator, integerCount, sizeof *integers);
  double* doubles = crAllocateZero(&matrix->allocator, doubleCount, sizeof *doubles);
  crArena arena;
  crJacobian colored;
  crArena_Init(&arena, &matrix->allocator);
  if (integers == NULL || doubles == NULL || crJacobian_Reserve(&colored, (int)states, (int)entries, &arena) != cr_ok) {
    crArena_Free(&arena);
    crFree(&matrix->allocator, integers, integerCount * sizeof *integers);
    crFree(&matrix->allocator, doubles, doubleCount * sizeof *doubles);
    return cr_errorMemory;
  }
  crStepMatrix_Free(matrix);
  matrix->arena = arena;
  matrix->differences = colored;
  matrix->differences.arena = &matrix->arena;
  matrix->integers = integers;
  matrix->doubles = doubles;
  matrix->integerCount = integerCount;
  matrix->doubleCount = doubleCount;
  matrix->capacity = (int)states;
  matrix->entryCapacity = (int)entries;
  matrix->n = -1; // nothing is known any more
  placeIntegers(matrix, states, entries);
  placeDoubles(matrix, states, entries);
  return cr_ok;
}

// -------------------------------------------------------------------------------------------- structure

static void readRoles(const crStructure* structure, int n, int* outRoles)
{
  bool hasRates = structure != NULL && structure->rateOf != NULL;
  bool hasFollowers = structure != NULL && structure->isFollower != NULL;
  for (int i = 0; i < n; ++i) {
    outRoles[i] = hasRates ? structure->rateOf[i] : CR_ROLE_CORE;
  }
  for (int i = 0; hasFollowers && i < n; ++i) {
    outRoles[i] = structure->isFollower[i] ? CR_ROLE_FOLLOWER : outRoles[i];
  }
  for (int i = 0; structure != NULL && i < structure->spinCount; ++i) {
    for (int k = 0; k < 4; ++k) {
      outRoles[structure->spins[i].quaternion + k] = CR_ROLE_SPIN;
    }
  }
  for (int i = 0; structure != NULL && i < structure->blockCount; ++i) {
    for (int k = 0; k < structure->blocks[i].count; ++k) {
      outRoles[structure->blocks[i].first + k] = CR_ROLE_BLOCK - i;
    }
  }
}

static bool isSamePattern(const crStepMatrix* matrix, const crSparsity* pattern, int entryCount)
{
  size_t n = (size_t)matrix->n;
  if (entryCount != matrix->entryCount) {
    return false;
  }
  return pattern == NULL || (memcmp(matrix->starts, pattern->columnStarts, (n + 1) * sizeof(int)) == 0 &&
                             memcmp(matrix->rows, pattern->rows, (size_t)entryCount * sizeof(int)) == 0);
}

static void copyPattern(crStepMatrix* matrix, const crSparsity* pattern)
{
  int n = matrix->n;
  if (pattern != NULL) {
    memcpy(matrix->starts, pattern->columnStarts, ((size_t)n + 1) * sizeof(int));
    memcpy(matrix->rows, pattern->rows, (size_t)matrix->entryCount * sizeof(int));
    return;
  }
  for (int k = 0; k < n * n; ++k) {
    matrix->rows[k] = k % n;
  }
  for (int j = 0; j <= n; ++j) {
    matrix->starts[j] = j * n;
  }
}

// A state that is the integral of one that is neither a follower nor such an integral itself.
static bool isSlave(const crStepMatrix* matrix, int i)
{
  return matrix->roles[i] >= 0 && matrix->roles[matrix->roles[i]] == CR_ROLE_CORE;
}

static void sortStates(crStepMatrix* matrix)
{
  matrix->coreCount = matrix->slaveCount = matrix->followerCount = 0;
  for (int i = 0; i < matrix->n; ++i) {
    matrix->places[i] = -1;
    if (matrix->roles[i] == CR_ROLE_FOLLOWER) {
      matrix->followers[matrix->followerCount++] = i;
    } else if (isSlave(matrix, i)) {
      matrix->slaves[matrix->slaveCount++] = i;
    } else if (matrix->roles[i] > CR_ROLE_SPIN) {
      matrix->places[i] = matrix->coreCount;
      matrix->core[matrix->coreCount++] = i;
    }
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    int i = matrix->slaves[k];
    matrix->masters[k] = matrix->places[matrix->roles[i]];
    matrix->places[i] = matrix->masters[k];
  }
  matrix->stride = (int)pad((size_t)matrix->coreCount);
}

// What vectors hold: the core, and behind its padding the blocks.
static void listUnknowns(crStepMatrix* matrix)
{
  int count = matrix->coreCount, place = matrix->stride;
  memcpy(matrix->unknowns, matrix->core, (size_t)count * sizeof(int));
  for (int i = 0; i < count; ++i) {
    matrix->unknownPlaces[i] = i;
  }
  matrix->blockCount = 0;
  for (int i = 0; i < matrix->n; ++i) {
    matrix->vectorPlaces[i] = isSlave(matrix, i) ? -1 : matrix->places[i];
    if (matrix->roles[i] <= CR_ROLE_BLOCK) {
      matrix->vectorPlaces[i] = place;
      matrix->unknowns[count] = i;
      matrix->unknownPlaces[count++] = place++;
      int number = CR_ROLE_BLOCK - matrix->roles[i] + 1;
      matrix->blockCount = number > matrix->blockCount ? number : matrix->blockCount;
    }
  }
  matrix->unknownCount = count;
  matrix->length = (int)pad((size_t)place);
}

static crStatus eliminate(crStepMatrix* matrix)
{
  int n = matrix->n, *blockOf = matrix->marks, *isCore = matrix->slaveHeads, *isSlave = matrix->slaveNexts; // free now
  for (int i = 0; i < n; ++i) {
    blockOf[i] = matrix->roles[i] <= CR_ROLE_BLOCK ? CR_ROLE_BLOCK - matrix->roles[i] : -1;
    isSlave[i] = matrix->places[i] >= 0 && matrix->roles[i] >= 0;
    isCore[i] = matrix->places[i] >= 0 && !isSlave[i];
  }
  crEliminationPattern pattern = { .n = n,
                                   .coreCount = matrix->coreCount,
                                   .blockCount = matrix->blockCount,
                                   .place = matrix->stride,
                                   .starts = matrix->starts,
                                   .rows = matrix->rows,
                                   .places = matrix->places,
                                   .blockOf = blockOf,
                                   .isCore = isCore,
                                   .isSlave = isSlave };
  return crElimination_Build(&matrix->elimination, &pattern);
}

static bool isCore(const crStepMatrix* matrix, int i)
{
  return matrix->places[i] >= 0 && !isSlave(matrix, i);
}

// Cells of the transposed matrix: column after column.
static void placeDense(crStepMatrix* matrix)
{
  for (int j = 0; j < matrix->n; ++j) {
    for (int k = matrix->starts[j]; k < matrix->starts[j + 1]; ++k) {
      bool takesPart = matrix->places[j] >= 0 && isCore(matrix, matrix->rows[k]);
      int cell = takesPart ? matrix->places[j] * matrix->stride + matrix->places[matrix->rows[k]] : 0;
      matrix->cells[k] = !takesPart ? -1 : isSlave(matrix, j) ? -2 - cell : cell;
    }
  }
  matrix->cellCount = matrix->coreCount * matrix->stride;
  for (int i = 0; i < matrix->coreCount; ++i) {
    matrix->diagonals[i] = i * matrix->stride + i;
  }
  crElimination* blocks = &matrix->elimination;
  for (int b = 0; b < blocks->blocks.count; ++b) {
    const crEliminated* block = &blocks->blocks.items[b];
    int* cells = blocks->cells.items + block->cellStart;
    for (int c = 0; c < block->columnCount; ++c) {
      for (int r = 0; r < block->rowCount; ++r) {
        *cells++ =
            blocks->columns.items[block->columnStart + c] * matrix->stride + blocks->rows.items[block->rowStart + r];
      }
    }
  }
}

// Columns whose entries make up a column of the core: its own, and those of its integrals.
static void linkSlaves(crStepMatrix* matrix)
{
  for (int c = 0; c < matrix->coreCount; ++c) {
    matrix->slaveHeads[c] = -1;
    matrix->marks[c] = -1;
  }
  for (int s = matrix->slaveCount - 1; s >= 0; --s) {
    matrix->slaveNexts[s] = matrix->slaveHeads[matrix->masters[s]];
    matrix->slaveHeads[matrix->masters[s]] = s;
  }
}

// Adds the entries of column j to the column of the matrix that begins at cell `start`; marks[row]: its cell there.
static void placeColumn(crStepMatrix* matrix, int j, int start)
{
  for (int k = matrix->starts[j]; k < matrix->starts[j + 1]; ++k) {
    matrix->cells[k] = -1;
    if (isCore(matrix, matrix->rows[k])) {
      int row = matrix->places[matrix->rows[k]];
      if (matrix->marks[row] < start) {
        matrix->marks[row] = matrix->cellCount;
        matrix->coreRows[matrix->cellCount++] = row;
      }
      matrix->cells[k] = isSlave(matrix, j) ? -2 - matrix->marks[row] : matrix->marks[row];
    }
  }
}

// Products of blocks in a column, which begins at cell `start`; mostly they have cells already.
static void placeBlocks(crStepMatrix* matrix, int column, int start)
{
  crElimination* blocks = &matrix->elimination;
  for (int k = blocks->blocks.count > 0 ? blocks->columnHeads.items[column] : -1; k >= 0;
       k = blocks->columnNexts.items[k]) {
    const crEliminated* block = &blocks->blocks.items[blocks->columnBlocks.items[k]];
    int* cells = blocks->cells.items + block->cellStart + (k - block->columnStart) * block->rowCount;
    for (int r = 0; r < block->rowCount; ++r) {
      int row = blocks->rows.items[block->rowStart + r];
      if (matrix->marks[row] < start) {
        matrix->marks[row] = matrix->cellCount;
        matrix->coreRows[matrix->cellCount++] = row;
      }
      cells[r] = matrix->marks[row];
    }
  }
}

static void placeSparse(crStepMatrix* matrix)
{
  memset(matrix->cells, -1, (size_t)matrix->entryCount * sizeof(int));
  linkSlaves(matrix);
  matrix->cellCount = 0;
  for (int c = 0; c < matrix->coreCount; ++c) {
    int start = matrix->cellCount;
    matrix->coreStarts[c] = matrix->diagonals[c] = matrix->marks[c] = start;
    matrix->coreRows[matrix->cellCount++] = c;
    placeColumn(matrix, matrix->core[c], start);
    for (int s = matrix->slaveHeads[c]; s >= 0; s = matrix->slaveNexts[s]) {
      placeColumn(matrix, matrix->slaves[s], start);
    }
    placeBlocks(matrix, c, start);
  }
  matrix->coreStarts[matrix->coreCount] = matrix->cellCount;
}

static void listSlaveEntries(crStepMatrix* matrix)
{
  matrix->slaveEntryCount = 0;
  for (int s = 0; s < matrix->slaveCount; ++s) {
    for (int k = matrix->starts[matrix->slaves[s]]; k < matrix->starts[matrix->slaves[s] + 1]; ++k) {
      int place = matrix->vectorPlaces[matrix->rows[k]];
      if (place >= 0) {
        int* entry = matrix->slaveEntries + 3 * (size_t)matrix->slaveEntryCount++;
        entry[0] = k;
        entry[1] = place;
        entry[2] = s;
      }
    }
  }
}

static bool isSameProblem(const crStepMatrix* matrix, const crProblem* problem, int entryCount)
{
  return problem->n == matrix->n && isSamePattern(matrix, problem->pattern, entryCount) &&
         memcmp(matrix->roles, matrix->newRoles, (size_t)matrix->n * sizeof(int)) == 0;
}

crStatus crStepMatrix_SetProblem(crStepMatrix* matrix, const crProblem* problem, bool* outIsNew)
{
  int n = problem->n, entryCount = problem->pattern != NULL ? problem->pattern->columnStarts[n] : n * n;
  *outIsNew = true;
  crStatus status = crStepMatrix_Reserve(matrix, n, entryCount);
  if (status != cr_ok) {
    return status;
  }
  readRoles(problem->structure, n, matrix->newRoles);
  *outIsNew = !isSameProblem(matrix, problem, entryCount);
  if (!*outIsNew) {
    return cr_ok;
  }
  int* roles = matrix->newRoles;
  matrix->newRoles = matrix->roles;
  matrix->roles = roles;
  matrix->n = n;
  matrix->entryCount = entryCount;
  matrix->isColored = matrix->isAnalyzed = false;
  copyPattern(matrix, problem->pattern);
  sortStates(matrix);
  listUnknowns(matrix);
  status = eliminate(matrix);
  if (status != cr_ok) {
    matrix->n = -1;
    return status;
  }
  matrix->isSparse = matrix->coreCount > CR_MAX_INVERTED;
  (matrix->isSparse ? placeSparse : placeDense)(matrix);
  listSlaveEntries(matrix);
  return cr_ok;
}

// ------------------------------------------------------------------------------------------------ values

// Rates of followers and of spins are no part of the equations, and nothing depends on them.
static bool isNeeded(const crStepMatrix* matrix, int state)
{
  return matrix->roles[state] != CR_ROLE_FOLLOWER && matrix->roles[state] != CR_ROLE_SPIN;
}

static crStatus colorNeeded(crStepMatrix* matrix)
{
  int count = 0;
  for (int j = 0; j < matrix->n; ++j) {
    matrix->neededStarts[j] = count;
    for (int k = matrix->starts[j]; k < matrix->starts[j + 1] && isNeeded(matrix, j); ++k) {
      if (isNeeded(matrix, matrix->rows[k])) {
        matrix->neededRows[count++] = matrix->rows[k];
      }
    }
  }
  matrix->neededStarts[matrix->n] = count;
  crSparsity pattern = { matrix->n, matrix->neededStarts, matrix->neededRows };
  return crJacobian_SetSystem(&matrix->differences, &pattern);
}

crStatus crStepMatrix_ComputeDifferences(crStepMatrix* matrix, const crDifferences* differences, double h,
                                         const double* absTol, double relTol)
{
  crJacobian* colored = &matrix->differences;
  crStatus status = matrix->isColored ? cr_ok : colorNeeded(matrix);
  if (status != cr_ok) {
    return status;
  }
  matrix->isColored = true;
  crJacobian_SetIncrements(colored, h, differences->y, differences->base, absTol, relTol);
  status = crJacobian_ComputeDifferences(colored, differences);
  const double* next = colored->values;
  for (int j = 0; j < matrix->n; ++j) {
    for (int k = matrix->starts[j]; k < matrix->starts[j + 1]; ++k) {
      matrix->values[k] = isNeeded(matrix, j) && isNeeded(matrix, matrix->rows[k]) ? *next++ : 0.0;
    }
  }
  return status;
}

void crStepMatrix_Load(crStepMatrix* matrix)
{
  size_t size = (size_t)matrix->cellCount * sizeof(double);
  memset(matrix->direct, 0, size);
  memset(matrix->integrated, 0, size);
  for (int k = 0; k < matrix->entryCount; ++k) {
    int cell = matrix->cells[k];
    if (cell >= 0) {
      matrix->direct[cell] = matrix->values[k];
    } else if (cell < -1) {
      matrix->integrated[-2 - cell] += matrix->values[k];
    }
  }
  crElimination_Load(&matrix->elimination, matrix->values);
}

// ---------------------------------------------------------------------------------------- factorization

// g I - A - B / g
static void fillReal(const crStepMatrix* matrix, double g, double* out)
{
  double inverse = 1.0 / g;
  for (int k = 0; k < matrix->cellCount; ++k) {
    out[k] = -matrix->direct[k] - matrix->integrated[k] * inverse;
  }
  for (int i = 0; i < matrix->coreCount; ++i) {
    out[matrix->diagonals[i]] += g;
  }
}

static void fillComplex(const crStepMatrix* matrix, double gReal, double gImaginary, double* outRe, double* outIm)
{
  double square = 1.0 / (gReal * gReal + gImaginary * gImaginary), re = gReal * square, im = -gImaginary * square;
  for (int k = 0; k < matrix->cellCount; ++k) {
    outRe[k] = -matrix->direct[k] - matrix->integrated[k] * re;
    outIm[k] = -matrix->integrated[k] * im;
  }
  for (int i = 0; i < matrix->coreCount; ++i) {
    outRe[matrix->diagonals[i]] += gReal;
    outIm[matrix->diagonals[i]] += gImaginary;
  }
}

// Inverses of a body have places of their own, so that the matrices are still there when pivots are needed.
static bool invert(crStepMatrix* matrix)
{
  int m = matrix->coreCount, stride = matrix->stride;
  double *re = matrix->complexReal, *im = matrix->complexImaginary;
  if (m == CR_BODY_CORE) {
    double* own = matrix->bodyInverses;
    for (int i = 0; i < 3; ++i) {
      matrix->inverses[i] = own + (size_t)i * bodyCells;
    }
    if (crInvertBody(matrix->real, re, im, matrix->inverses[0], matrix->inverses[1], matrix->inverses[2])) {
      return true;
    }
  }
  matrix->inverses[0] = matrix->real;
  matrix->inverses[1] = re;
  matrix->inverses[2] = im;
  return crInvertReal(m, stride, matrix->real) && crInvertComplex(m, stride, re, im);
}

static crStatus analyze(crStepMatrix* matrix)
{
  crStatus status = matrix->lu == NULL ? crCreateSparseLu(&matrix->allocator, &matrix->lu) : cr_ok;
  if (status == cr_ok) {
    status = crSparseLu_Analyze(matrix->lu, matrix->coreCount, matrix->coreStarts, matrix->coreRows);
  }
  matrix->isAnalyzed = status == cr_ok;
  return status;
}

crStatus crStepMatrix_Factorize(crStepMatrix* matrix, double g, double gReal, double gImaginary, bool keepsPivots)
{
  fillReal(matrix, g, matrix->real);
  fillComplex(matrix, gReal, gImaginary, matrix->complexReal, matrix->complexImaginary);
  if (matrix->blockCount > 0 && !(crElimination_FactorizeReal(&matrix->elimination, g, matrix->real) &&
                                  crElimination_FactorizeComplex(&matrix->elimination, gReal, gImaginary,
                                                                 matrix->complexReal, matrix->complexImaginary))) {
    return cr_retry;
  }
  if (!matrix->isSparse) {
    return invert(matrix) ? cr_ok : cr_retry;
  }
  crStatus status = matrix->isAnalyzed ? cr_ok : analyze(matrix);
  if (status == cr_ok) {
    status = crSparseLu_Factorize(matrix->lu, matrix->real, NULL, keepsPivots);
  }
  return status == cr_ok ? crSparseLu_Factorize(matrix->lu, matrix->complexReal, matrix->complexImaginary, keepsPivots)
                         : status;
}

// --------------------------------------------------------------------------------------------- solution

static void multiplyReal(int m, int stride, const double* restrict a, const double* restrict b, double* restrict out)
{
  for (int j = 0; j < stride; ++j) {
    out[j] = 0.0;
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < stride; ++j) {
      out[j] += b[i] * a[i * stride + j];
    }
  }
}

static void multiplyComplex(int m, int stride, const double* restrict re, const double* restrict im,
                            const double* restrict bRe, const double* restrict bIm, double* restrict outRe,
                            double* restrict outIm)
{
  for (int j = 0; j < stride; ++j) {
    outRe[j] = outIm[j] = 0.0;
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < stride; ++j) {
      double x = re[i * stride + j], y = im[i * stride + j];
      outRe[j] += bRe[i] * x - bIm[i] * y;
      outIm[j] += bRe[i] * y + bIm[i] * x;
    }
  }
}

static void solveCore(crStepMatrix* matrix, const double* b, double* outX)
{
  if (matrix->isSparse) {
    memcpy(outX, b, (size_t)matrix->stride * sizeof *b);
    crSparseLu_Solve(matrix->lu, outX, NULL);
  } else if (matrix->coreCount == CR_BODY_CORE) {
    crMultiplyBodyReal(matrix->inverses[0], b, outX);
  } else {
    multiplyReal(matrix->coreCount, matrix->stride, matrix->inverses[0], b, outX);
  }
}

static void clearBehind(const crStepMatrix* matrix, double* x)
{
  for (int i = matrix->stride; i < matrix->length; ++i) {
    x[i] = 0.0;
  }
}

void crStepMatrix_SolveReal(crStepMatrix* matrix, double* b, double* outX)
{
  if (matrix->blockCount == 0) {
    solveCore(matrix, b, outX);
    return;
  }
  clearBehind(matrix, outX);
  crElimination_ReduceReal(&matrix->elimination, b);
  solveCore(matrix, b, outX);
  crElimination_SubstituteReal(&matrix->elimination, b, outX);
}

static void solveAll(crStepMatrix* matrix, double* const* b, double* const* outX)
{
  double* const* inverses = matrix->inverses;
  if (!matrix->isSparse && matrix->coreCount == CR_BODY_CORE) {
    crMultiplyBody(inverses[0], inverses[1], inverses[2], b, outX);
    return;
  }
  solveCore(matrix, b[0], outX[0]);
  if (matrix->isSparse) {
    memcpy(outX[1], b[1], (size_t)matrix->stride * sizeof(double));
    memcpy(outX[2], b[2], (size_t)matrix->stride * sizeof(double));
    crSparseLu_Solve(matrix->lu, outX[1], outX[2]);
  } else {
    multiplyComplex(matrix->coreCount, matrix->stride, inverses[1], inverses[2], b[1], b[2], outX[1], outX[2]);
  }
}

void crStepMatrix_Solve(crStepMatrix* matrix, double* const* b, double* const* outX)
{
  if (matrix->blockCount == 0) {
    solveAll(matrix, b, outX);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    clearBehind(matrix, outX[i]);
  }
  crElimination_ReduceReal(&matrix->elimination, b[0]);
  crElimination_ReduceComplex(&matrix->elimination, b[1], b[2]);
  solveAll(matrix, b, outX);
  crElimination_SubstituteReal(&matrix->elimination, b[0], outX[0]);
  crElimination_SubstituteComplex(&matrix->elimination, b[1], b[2], outX[1], outX[2]);
}

void crStepMatrix_AddSlaves(const crStepMatrix* matrix, const double* slaveB, double factor, double* b)
{
  for (int k = 0; k < matrix->slaveEntryCount; ++k) {
    const int* entry = matrix->slaveEntries + 3 * (size_t)k;
    b[entry[1]] += matrix->values[entry[0]] * slaveB[entry[2]] * factor;
  }
}

// ---------------------------------------------------------------------------------------------- archive

bool crStepMatrix_IsOf(crStepMatrix* matrix, const crProblem* problem)
{
  int n = problem->n, entryCount = problem->pattern != NULL ? problem->pattern->columnStarts[n] : n * n;
  if (n != matrix->n || entryCount != matrix->entryCount) {
    return false;
  }
  readRoles(problem->structure, n, matrix->newRoles);
  return isSameProblem(matrix, problem, entryCount);
}

// The matrices that were factorized last are kept, but for small ones, which are inverted in their place.
static void archiveInverses(crArchive* archive, crStepMatrix* matrix)
{
  bool isBody = matrix->coreCount == CR_BODY_CORE && matrix->inverses[0] == matrix->bodyInverses;
  crArchive_Bool(archive, &isBody);
  if (archive->isReading && isBody && matrix->coreCount != CR_BODY_CORE) {
    crArchive_Refuse(archive, "factors do not fit their matrix");
  }
  double* places[3] = { matrix->real, matrix->complexReal, matrix->complexImaginary };
  size_t count = isBody ? bodyCells : (size_t)matrix->cellCount;
  for (size_t i = 0; i < 3 && crArchive_IsGood(archive); ++i) {
    matrix->inverses[i] = isBody ? matrix->bodyInverses + i * bodyCells : places[i];
    crArchive_Doubles(archive, matrix->inverses[i], count);
  }
}

void crStepMatrix_Archive(crArchive* archive, crStepMatrix* matrix, bool hasFactors)
{
  size_t cells = (size_t)matrix->cellCount;
  crArchive_Doubles(archive, matrix->values, (size_t)matrix->entryCount);
  if (archive->isReading && crArchive_IsGood(archive)) {
    crStepMatrix_Load(matrix);
  }
  crElimination_Archive(archive, &matrix->elimination);
  bool hasLu = matrix->isSparse && matrix->isAnalyzed;
  crArchive_Bool(archive, &hasLu);
  if (archive->isReading && hasLu && !matrix->isSparse) {
    crArchive_Refuse(archive, "factors do not fit their matrix");
  }
  if (!matrix->isSparse && hasFactors) {
    archiveInverses(archive, matrix);
  }
  if (!hasLu || !crArchive_IsGood(archive)) {
    return;
  }
  crArchive_Doubles(archive, matrix->real, cells);
  crArchive_Doubles(archive, matrix->complexReal, cells);
  crArchive_Doubles(archive, matrix->complexImaginary, cells);
  if (archive->isReading && crArchive_IsGood(archive)) {
    crArchive_Fail(archive, matrix->isAnalyzed ? cr_ok : analyze(matrix));
  }
  if (crArchive_IsGood(archive)) {
    crSparseLu_Archive(archive, matrix->lu, matrix->real, NULL);
  }
  if (crArchive_IsGood(archive)) {
    crSparseLu_Archive(archive, matrix->lu, matrix->complexReal, matrix->complexImaginary);
  }
}
