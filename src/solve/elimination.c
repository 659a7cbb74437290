#include "solve/elimination.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------------- memory

void crElimination_Init(crElimination* elimination, const crAllocator* allocator)
{
  *elimination = (crElimination){ .allocator = *allocator };
}

void crElimination_Free(crElimination* e)
{
  crArray_Free(&e->blocks, &e->allocator);
  crArray_Free(&e->rows, &e->allocator);
  crArray_Free(&e->columns, &e->allocator);
  crArray_Free(&e->columnBlocks, &e->allocator);
  crArray_Free(&e->columnNexts, &e->allocator);
  crArray_Free(&e->columnHeads, &e->allocator);
  crArray_Free(&e->cells, &e->allocator);
  crArray_Free(&e->marks, &e->allocator);
  crArray_Free(&e->entries, &e->allocator);
  crFree(&e->allocator, e->numbers, e->numberCapacity * sizeof *e->numbers);
  *e = (crElimination){ .allocator = e->allocator };
}

static bool reserveNumbers(crElimination* e, size_t count)
{
  if (count <= e->numberCapacity) {
    return true;
  }
  size_t capacity = count + count / 2;
  double* numbers = crAllocateZero(&e->allocator, capacity, sizeof *numbers);
  if (numbers == NULL) {
    return false;
  }
  crFree(&e->allocator, e->numbers, e->numberCapacity * sizeof *e->numbers);
  e->numbers = numbers;
  e->numberCapacity = capacity;
  return true;
}

// ------------------------------------------------------------------------------------------------ numbers

// Where the numbers of a block begin.
typedef struct Numbers {
  double *D, *E, *C, *integrated;
  double *M, *Mre, *Mim;
  double *W, *Wre, *Wim;
} Numbers;

static Numbers findNumbers(const crElimination* e, const crEliminated* block)
{
  size_t c = (size_t)block->count, square = c * c, rows = c * (size_t)block->rowCount;
  size_t columns = c * (size_t)block->columnCount;
  Numbers x = { .D = e->numbers + block->numberStart };
  x.E = x.D + square;
  x.C = x.E + rows;
  x.integrated = x.C + columns;
  x.M = x.integrated + columns;
  x.Mre = x.M + square;
  x.Mim = x.Mre + square;
  x.W = x.Mim + square;
  x.Wre = x.W + columns;
  x.Wim = x.Wre + columns;
  return x;
}

static size_t countNumbers(const crEliminated* block)
{
  size_t c = (size_t)block->count;
  return 4 * c * c + c * (size_t)block->rowCount + 5 * c * (size_t)block->columnCount;
}

// ---------------------------------------------------------------------------------------------- structure

// Which state of its block it is.
static int findState(const crEliminationPattern* p, int state)
{
  int block = p->blockOf[state], first = state;
  while (first > 0 && p->blockOf[first - 1] == block) {
    --first;
  }
  return state - first;
}

// Blocks with their states, which lie side by side, one block after the other.
static bool listBlocks(crElimination* e, const crEliminationPattern* p)
{
  if (!crMakeRoom(&e->blocks, p->blockCount, &e->allocator) || !crMakeRoom(&e->marks, p->coreCount, &e->allocator) ||
      !crMakeRoom(&e->columnHeads, p->coreCount, &e->allocator)) {
    return false;
  }
  e->blocks.count = p->blockCount;
  int place = p->place;
  for (int k = 0; k < p->blockCount; ++k) {
    e->blocks.items[k] = (crEliminated){ .place = -1 };
  }
  for (int i = 0; i < p->n; ++i) {
    if (p->blockOf[i] >= 0) {
      crEliminated* block = &e->blocks.items[p->blockOf[i]];
      block->place = block->place < 0 ? place : block->place;
      ++block->count;
      ++place;
    }
  }
  for (int i = 0; i < p->coreCount; ++i) {
    e->columnHeads.items[i] = -1;
    e->marks.items[i] = -1;
  }
  e->rows.count = e->columns.count = e->columnBlocks.count = e->columnNexts.count = e->cells.count = 0;
  e->entries.count = 0;
  return true;
}

static int findRow(const crElimination* e, const crEliminated* block, int place)
{
  int i = 0;
  while (e->rows.items[block->rowStart + i] != place) {
    ++i;
  }
  return i;
}

// -1: it is not there yet.
static int findColumn(const crElimination* e, int block, int place)
{
  for (int k = e->columnHeads.items[place]; k >= 0; k = e->columnNexts.items[k]) {
    if (e->columnBlocks.items[k] == block) {
      return k;
    }
  }
  return -1;
}

// Core rows in the columns of blocks, block by block.
static bool listRows(crElimination* e, const crEliminationPattern* p)
{
  int last = -1;
  for (int j = 0; j < p->n; ++j) {
    int b = p->blockOf[j];
    if (b < 0) {
      continue;
    }
    crEliminated* block = &e->blocks.items[b];
    block->rowStart = b != last ? e->rows.count : block->rowStart;
    last = b;
    for (int k = p->starts[j]; k < p->starts[j + 1]; ++k) {
      int place = p->isCore[p->rows[k]] ? p->places[p->rows[k]] : -1;
      if (place >= 0 && e->marks.items[place] != b) {
        if (!crMakeRoom(&e->rows, e->rows.count + 1, &e->allocator)) {
          return false;
        }
        e->marks.items[place] = b;
        e->rows.items[e->rows.count++] = place;
        ++block->rowCount;
      }
    }
  }
  return true;
}

// Core columns in the rows of blocks, in their order; those of one block are brought together afterwards.
static bool listColumns(crElimination* e, const crEliminationPattern* p)
{
  for (int j = 0; j < p->n; ++j) {
    for (int k = p->starts[j]; p->places[j] >= 0 && k < p->starts[j + 1]; ++k) {
      int b = p->blockOf[p->rows[k]], place = p->places[j];
      if (b < 0 || findColumn(e, b, place) >= 0) {
        continue;
      }
      int count = e->columns.count;
      if (!crMakeRoom(&e->columns, count + 1, &e->allocator) ||
          !crMakeRoom(&e->columnBlocks, count + 1, &e->allocator) ||
          !crMakeRoom(&e->columnNexts, count + 1, &e->allocator)) {
        return false;
      }
      e->columns.items[count] = place;
      e->columnBlocks.items[count] = b;
      e->columnNexts.items[count] = e->columnHeads.items[place];
      e->columnHeads.items[place] = count;
      e->columns.count = e->columnBlocks.count = e->columnNexts.count = count + 1;
      ++e->blocks.items[b].columnCount;
    }
  }
  return true;
}

// Columns of a block side by side, ascending; heads and nexts follow.
static bool sortColumns(crElimination* e, const crEliminationPattern* p)
{
  int count = e->columns.count, start = 0;
  if (!crMakeRoom(&e->cells, count, &e->allocator)) {
    return false;
  }
  for (int b = 0; b < p->blockCount; ++b) {
    e->blocks.items[b].columnStart = start;
    start += e->blocks.items[b].columnCount;
    e->blocks.items[b].columnCount = 0;
  }
  int* sorted = e->cells.items;
  for (int c = 0; c < p->coreCount; ++c) {
    for (int k = e->columnHeads.items[c]; k >= 0; k = e->columnNexts.items[k]) {
      crEliminated* block = &e->blocks.items[e->columnBlocks.items[k]];
      sorted[block->columnStart + block->columnCount++] = c;
    }
    e->columnHeads.items[c] = -1;
  }
  if (count > 0) {
    memcpy(e->columns.items, sorted, (size_t)count * sizeof(int));
  }
  for (int b = 0; b < p->blockCount; ++b) {
    const crEliminated* block = &e->blocks.items[b];
    for (int k = block->columnStart; k < block->columnStart + block->columnCount; ++k) {
      e->columnBlocks.items[k] = b;
      e->columnNexts.items[k] = e->columnHeads.items[e->columns.items[k]];
      e->columnHeads.items[e->columns.items[k]] = k;
    }
  }
  return true;
}

static bool addEntry(crElimination* e, int entry, const double* number)
{
  if (!crMakeRoom(&e->entries, e->entries.count + 1, &e->allocator)) {
    return false;
  }
  e->entries.items[e->entries.count++] = (crEliminatedEntry){ entry, (size_t)(number - e->numbers) };
  return true;
}

static bool listEntries(crElimination* e, const crEliminationPattern* p)
{
  bool isDone = true;
  for (int j = 0; j < p->n; ++j) {
    int own = p->blockOf[j];
    for (int k = p->starts[j]; k < p->starts[j + 1] && isDone; ++k) {
      int row = p->rows[k], b = own >= 0 ? own : p->blockOf[row];
      if (b < 0) {
        continue;
      }
      const crEliminated* block = &e->blocks.items[b];
      Numbers x = findNumbers(e, block);
      size_t count = (size_t)block->count;
      if (own >= 0 && p->isCore[row]) {
        size_t at = (size_t)findRow(e, block, p->places[row]), column = (size_t)findState(p, j);
        isDone = addEntry(e, k, x.E + at + column * (size_t)block->rowCount);
      } else if (own >= 0 && p->blockOf[row] == own) {
        isDone = addEntry(e, k, x.D + (size_t)findState(p, row) + (size_t)findState(p, j) * count);
      } else if (own < 0 && p->places[j] >= 0) {
        size_t column = (size_t)(findColumn(e, b, p->places[j]) - block->columnStart);
        double* to = p->isSlave[j] ? x.integrated : x.C;
        isDone = addEntry(e, k, to + (size_t)findState(p, row) + column * count);
      }
    }
  }
  return isDone;
}

crStatus crElimination_Build(crElimination* e, const crEliminationPattern* p)
{
  if (p->blockCount == 0) {
    e->blocks.count = e->entries.count = 0;
    return cr_ok;
  }
  if (!listBlocks(e, p) || !listRows(e, p) || !listColumns(e, p) || !sortColumns(e, p)) {
    return cr_errorMemory;
  }
  e->numberCount = 0;
  int cells = 0;
  for (int b = 0; b < p->blockCount; ++b) {
    crEliminated* block = &e->blocks.items[b];
    block->numberStart = e->numberCount;
    block->cellStart = cells;
    e->numberCount += countNumbers(block);
    cells += block->rowCount * block->columnCount;
  }
  if (!reserveNumbers(e, e->numberCount) || !crMakeRoom(&e->cells, cells, &e->allocator) || !listEntries(e, p)) {
    return cr_errorMemory;
  }
  e->cells.count = cells;
  return cr_ok;
}

// ----------------------------------------------------------------------------------------- factorization

void crElimination_Load(crElimination* e, const double* values)
{
  for (int b = 0; b < e->blocks.count; ++b) {
    Numbers x = findNumbers(e, &e->blocks.items[b]);
    memset(x.D, 0, (size_t)(x.M - x.D) * sizeof(double));
  }
  for (int k = 0; k < e->entries.count; ++k) {
    e->numbers[e->entries.items[k].number] += values[e->entries.items[k].entry];
  }
}

static int findPivot(int n, int c, const double* re, const double* im)
{
  int best = c;
  double most = -1.0;
  for (int r = c; r < n; ++r) {
    double size = fabs(re[r + c * n]) + fabs(im[r + c * n]);
    best = size > most ? r : best;
    most = size > most ? size : most;
  }
  return best;
}

static void swap(double* a, double* b)
{
  double c = *a;
  *a = *b;
  *b = c;
}

// Inverse of a small complex matrix, column by column, by Gauss and Jordan with pivots of rows.
static bool invert(int n, double* are, double* aim, double* re, double* im)
{
  for (int i = 0; i < n * n; ++i) {
    re[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    im[i] = 0.0;
  }
  for (int c = 0; c < n; ++c) {
    int pivot = findPivot(n, c, are, aim);
    double pr = are[pivot + c * n], pi = aim[pivot + c * n], square = pr * pr + pi * pi;
    if (!(square > 0.0 && isfinite(square))) {
      return false;
    }
    double qr = pr / square, qi = -pi / square;
    for (int j = 0; j < n; ++j) {
      double* at[4] = { are, aim, re, im };
      for (int k = 0; k < 4; ++k) {
        swap(&at[k][c + j * n], &at[k][pivot + j * n]);
      }
      for (int k = 0; k < 4; k += 2) {
        double x = at[k][c + j * n], y = at[k + 1][c + j * n];
        at[k][c + j * n] = x * qr - y * qi;
        at[k + 1][c + j * n] = x * qi + y * qr;
      }
    }
    for (int r = 0; r < n; ++r) {
      double fr = are[r + c * n], fi = aim[r + c * n];
      for (int j = 0; r != c && j < n; ++j) {
        double x = are[c + j * n], y = aim[c + j * n], u = re[c + j * n], v = im[c + j * n];
        are[r + j * n] -= fr * x - fi * y;
        aim[r + j * n] -= fr * y + fi * x;
        re[r + j * n] -= fr * u - fi * v;
        im[r + j * n] -= fr * v + fi * u;
      }
    }
  }
  return true;
}

// M = (g I - D)^-1
static bool invertBlock(const crEliminated* block, const double* D, double gRe, double gIm, double* re, double* im)
{
  double are[CR_MOST_BLOCK * CR_MOST_BLOCK] = { 0.0 }, aim[CR_MOST_BLOCK * CR_MOST_BLOCK] = { 0.0 };
  int n = block->count;
  for (int i = 0; i < n * n; ++i) {
    bool isDiagonal = i % (n + 1) == 0;
    are[i] = (isDiagonal ? gRe : 0.0) - D[i];
    aim[i] = isDiagonal ? gIm : 0.0;
  }
  return invert(n, are, aim, re, im);
}

bool crElimination_FactorizeReal(crElimination* e, double g, double* ioMatrix)
{
  for (int b = 0; b < e->blocks.count; ++b) {
    const crEliminated* block = &e->blocks.items[b];
    Numbers x = findNumbers(e, block);
    double none[CR_MOST_BLOCK * CR_MOST_BLOCK];
    int n = block->count;
    if (!invertBlock(block, x.D, g, 0.0, x.M, none)) {
      return false;
    }
    for (int c = 0; c < block->columnCount; ++c) {
      double *w = x.W + (size_t)c * (size_t)n, column[CR_MOST_BLOCK];
      for (int a = 0; a < n; ++a) {
        column[a] = x.C[a + c * n] + x.integrated[a + c * n] / g;
        w[a] = 0.0;
      }
      for (int a = 0; a < n; ++a) {
        for (int i = 0; i < n; ++i) {
          w[i] += x.M[i + a * n] * column[a];
        }
      }
      const int* cells = e->cells.items + block->cellStart + (size_t)c * (size_t)block->rowCount;
      for (int a = 0; a < n; ++a) {
        for (int r = 0; r < block->rowCount; ++r) {
          ioMatrix[cells[r]] -= x.E[r + a * block->rowCount] * w[a];
        }
      }
    }
  }
  return true;
}

bool crElimination_FactorizeComplex(crElimination* e, double gRe, double gIm, double* ioRe, double* ioIm)
{
  double square = 1.0 / (gRe * gRe + gIm * gIm), hRe = gRe * square, hIm = -gIm * square;
  for (int b = 0; b < e->blocks.count; ++b) {
    const crEliminated* block = &e->blocks.items[b];
    Numbers x = findNumbers(e, block);
    int n = block->count;
    if (!invertBlock(block, x.D, gRe, gIm, x.Mre, x.Mim)) {
      return false;
    }
    for (int c = 0; c < block->columnCount; ++c) {
      double *re = x.Wre + (size_t)c * (size_t)n, *im = x.Wim + (size_t)c * (size_t)n;
      for (int i = 0; i < n; ++i) {
        re[i] = im[i] = 0.0;
      }
      for (int a = 0; a < n; ++a) {
        double u = x.C[a + c * n] + x.integrated[a + c * n] * hRe, v = x.integrated[a + c * n] * hIm;
        for (int i = 0; i < n; ++i) {
          re[i] += x.Mre[i + a * n] * u - x.Mim[i + a * n] * v;
          im[i] += x.Mre[i + a * n] * v + x.Mim[i + a * n] * u;
        }
      }
      const int* cells = e->cells.items + block->cellStart + (size_t)c * (size_t)block->rowCount;
      for (int a = 0; a < n; ++a) {
        for (int r = 0; r < block->rowCount; ++r) {
          ioRe[cells[r]] -= x.E[r + a * block->rowCount] * re[a];
          ioIm[cells[r]] -= x.E[r + a * block->rowCount] * im[a];
        }
      }
    }
  }
  return true;
}

// ----------------------------------------------------------------------------------------------- solution

static void multiply(int n, const double* m, const double* b, double* out)
{
  for (int i = 0; i < n; ++i) {
    out[i] = 0.0;
  }
  for (int a = 0; a < n; ++a) {
    for (int i = 0; i < n; ++i) {
      out[i] += m[i + a * n] * b[a];
    }
  }
}

static void multiplyComplex(int n, const double* mRe, const double* mIm, const double* bRe, const double* bIm,
                            double* outRe, double* outIm)
{
  for (int i = 0; i < n; ++i) {
    outRe[i] = outIm[i] = 0.0;
  }
  for (int a = 0; a < n; ++a) {
    for (int i = 0; i < n; ++i) {
      outRe[i] += mRe[i + a * n] * bRe[a] - mIm[i + a * n] * bIm[a];
      outIm[i] += mRe[i + a * n] * bIm[a] + mIm[i + a * n] * bRe[a];
    }
  }
}

// b += E t in the rows of a block.
static void addToRows(const crElimination* e, const crEliminated* block, const double* E, const double* t, double* b)
{
  const int* rows = e->rows.items + block->rowStart;
  for (int a = 0; a < block->count; ++a) {
    for (int r = 0; r < block->rowCount; ++r) {
      b[rows[r]] += E[r + a * block->rowCount] * t[a];
    }
  }
}

void crElimination_ReduceReal(const crElimination* e, double* ioB)
{
  for (int k = 0; k < e->blocks.count; ++k) {
    const crEliminated* block = &e->blocks.items[k];
    Numbers x = findNumbers(e, block);
    double t[CR_MOST_BLOCK];
    multiply(block->count, x.M, ioB + block->place, t);
    addToRows(e, block, x.E, t, ioB);
  }
}

void crElimination_ReduceComplex(const crElimination* e, double* ioRe, double* ioIm)
{
  for (int k = 0; k < e->blocks.count; ++k) {
    const crEliminated* block = &e->blocks.items[k];
    Numbers x = findNumbers(e, block);
    double re[CR_MOST_BLOCK], im[CR_MOST_BLOCK];
    multiplyComplex(block->count, x.Mre, x.Mim, ioRe + block->place, ioIm + block->place, re, im);
    addToRows(e, block, x.E, re, ioRe);
    addToRows(e, block, x.E, im, ioIm);
  }
}

void crElimination_SubstituteReal(const crElimination* e, const double* b, double* ioX)
{
  for (int k = 0; k < e->blocks.count; ++k) {
    const crEliminated* block = &e->blocks.items[k];
    Numbers x = findNumbers(e, block);
    const int* columns = e->columns.items + block->columnStart;
    double* own = ioX + block->place;
    multiply(block->count, x.M, b + block->place, own);
    for (int c = 0; c < block->columnCount; ++c) {
      for (int i = 0; i < block->count; ++i) {
        own[i] += x.W[i + c * block->count] * ioX[columns[c]];
      }
    }
  }
}

void crElimination_SubstituteComplex(const crElimination* e, const double* bRe, const double* bIm, double* ioRe,
                                     double* ioIm)
{
  for (int k = 0; k < e->blocks.count; ++k) {
    const crEliminated* block = &e->blocks.items[k];
    Numbers x = findNumbers(e, block);
    const int* columns = e->columns.items + block->columnStart;
    double *re = ioRe + block->place, *im = ioIm + block->place;
    multiplyComplex(block->count, x.Mre, x.Mim, bRe + block->place, bIm + block->place, re, im);
    for (int c = 0; c < block->columnCount; ++c) {
      double u = ioRe[columns[c]], v = ioIm[columns[c]];
      for (int i = 0; i < block->count; ++i) {
        double wRe = x.Wre[i + c * block->count], wIm = x.Wim[i + c * block->count];
        re[i] += wRe * u - wIm * v;
        im[i] += wRe * v + wIm * u;
      }
    }
  }
}

// All numbers: those that follow from the Jacobian are read twice.
void crElimination_Archive(crArchive* archive, crElimination* e)
{
  if (e->blocks.count > 0) {
    crArchive_Doubles(archive, e->numbers, e->numberCount);
  }
}
