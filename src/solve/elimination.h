// Unknowns of implicit equations that are eliminated block by block before the rest is solved: states which act on core
// states and depend on them, but on no others of their kind, as those of friction that sticks.
//
// With D the entries of J inside a block, E those of its columns in core rows, and C those of its rows in core columns
// (C' in columns of integrals of core states),
//
//   x_b = M (b_b + (C + C' / g) x),   M = (g I - D)^-1,        and the core has  - E M (C + C' / g)  in its matrix,
//                                                               E M b_b on its right side
//
// A block couples core states that are coupled already, so that the pattern of the core stays as it is.
#ifndef CR_SOLVE_ELIMINATION_H
#define CR_SOLVE_ELIMINATION_H

#include "base/archive.h"
#include "base/memory.h"
#include "solve/problem.h"

// One block. Its numbers: D, E, C, C', then M, real and imaginary part of the complex one, and likewise
// W = M (C + C' / g); all of them column by column.
typedef struct crEliminated {
  int place, count;             // of its states in vectors
  int rowStart, rowCount;       // core rows that it acts on
  int columnStart, columnCount; // core columns that it depends on
  int cellStart;                // of its products, column by column
  size_t numberStart;
} crEliminated;

// An entry of the Jacobian, and where it counts among the numbers.
typedef struct crEliminatedEntry {
  int entry;
  size_t number;
} crEliminatedEntry;

typedef struct crElimination {
  crAllocator allocator;
  crArrayOf(crEliminated) blocks;
  crArrayOf(int) rows;         // places of core rows
  crArrayOf(int) columns;      // places of core columns,
  crArrayOf(int) columnBlocks; // whose block they belong to,
  crArrayOf(int) columnNexts;  // and the next of the same core column; -1: none
  crArrayOf(int) columnHeads;  // (coreCount) the first of a core column; -1: none
  crArrayOf(int) cells;        // in the matrix of the core
  crArrayOf(int) marks;        // (coreCount) while it is made
  crArrayOf(crEliminatedEntry) entries;
  double* numbers;
  size_t numberCount, numberCapacity;
} crElimination;

// What it is made from: a pattern, and what states are. places: of core states and of what is the integral of one, in
// the core; blockOf: of a state, -1: none. Blocks lie in vectors from `place` on.
typedef struct crEliminationPattern {
  int n, coreCount, blockCount, place;
  const int *starts, *rows;
  const int *places, *blockOf;
  const int *isCore, *isSlave; // 0: no
} crEliminationPattern;

void crElimination_Init(crElimination* elimination, const crAllocator* allocator);
void crElimination_Free(crElimination* elimination);
crStatus crElimination_Build(crElimination* elimination, const crEliminationPattern* pattern);

void crElimination_Load(crElimination* elimination, const double* values);
// Adds to the matrices of the core; false: a block is singular.
bool crElimination_FactorizeReal(crElimination* elimination, double g, double* ioMatrix);
bool crElimination_FactorizeComplex(crElimination* elimination, double gRe, double gIm, double* ioRe, double* ioIm);
// Before the core is solved for b, and behind it, for x.
void crElimination_ReduceReal(const crElimination* elimination, double* ioB);
void crElimination_ReduceComplex(const crElimination* elimination, double* ioRe, double* ioIm);
void crElimination_SubstituteReal(const crElimination* elimination, const double* b, double* ioX);
void crElimination_SubstituteComplex(const crElimination* elimination, const double* bRe, const double* bIm,
                                     double* ioRe, double* ioIm);
void crElimination_Archive(crArchive* archive, crElimination* elimination);

#endif
