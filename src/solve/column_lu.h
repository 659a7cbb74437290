// Sparse factorizations of any matrices, of one real and one complex one with the same pattern: column by column, with
// pivots from all rows [GilbertPeierls88].
#ifndef CR_SOLVE_COLUMN_LU_H
#define CR_SOLVE_COLUMN_LU_H

#include "base/archive.h"
#include "solve/block_graph.h"

// Of column k first what is above the pivot, each entry behind those it depends on, then what is below it, over the
// pivot. Entries are found by rows of the matrix.
typedef struct crColumnFactors {
  bool isThere;
  int *upperStarts, *lowerStarts; // (n + 1), (n) of U and of L in a column
  int* rows;                      // of an entry
  double* values;                 // of an entry; complex ones in pairs, here and below
  int rowCapacity, valueCapacity;
  int* pivotRows;   // (n) by column
  int* places;      // (n) column whose pivot a row has; -1: none so far
  double* inverses; // (n) of pivots
  double* scales;   // (n) that rows are multiplied by
} crColumnFactors;

typedef struct crColumnLu {
  crArena arena;
  int n;
  const int *starts, *rows;   // the pattern
  int* order;                 // (n) columns as they are eliminated
  crColumnFactors factors[2]; // real, complex
  double* x;                  // (2 n) a column, by rows
  int* pattern;               // (n) rows of a column: from the end on those of U, in the beginning those of L
  int* marks;                 // (n) rows: the last column that they were found for, + 1
  int *path, *next;           // (n) rows that a search came along, and the entry where it goes on
  int* searchEnds;            // (n) of entries of L that lead to all others
} crColumnLu;

void crColumnLu_Init(crColumnLu* lu, const crAllocator* allocator);
void crColumnLu_Free(crColumnLu* lu);

// A new pattern, of which the graph was made; starts and rows must stay where they are.
crStatus crColumnLu_Analyze(crColumnLu* lu, const int* starts, const int* rows, const crBlockGraph* graph);
// See sparse_lu.h.
crStatus crColumnLu_Factorize(crColumnLu* lu, const double* re, const double* im, bool keepsPivots);
void crColumnLu_Solve(crColumnLu* lu, double* b, double* bIm);

// The pivots of the last factors, from which a reader makes factors of the same matrix again, with the same bits; where
// they are those of another one (isOther), the pivots are all that counts.
void crColumnLu_Archive(crArchive* archive, crColumnLu* lu, const double* re, const double* im, bool isOther);

#endif
