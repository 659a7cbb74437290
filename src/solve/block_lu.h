// Sparse factorizations of matrices whose unknowns come in blocks, as those of bodies: of one real and one complex
// matrix with the same pattern.
//
// Multifrontal [Liu92]: nearly all work is done in dense matrices, see front.h, at ten to thirty times the speed of a
// factorization column by column. Pivots are looked for within fronts only.
#ifndef CR_SOLVE_BLOCK_LU_H
#define CR_SOLVE_BLOCK_LU_H

#include "solve/block_graph.h"

typedef struct crBlockFactors {
  double *re, *im; // rows of pivots and then columns below them, front by front; im NULL: real
  int* swaps;      // (n) of the pivots of each front
} crBlockFactors;

typedef struct crBlockLu {
  crArena arena;
  crBlockGraph graph;
  size_t* offsets; // (frontCount) of its factors
  int* firstSwaps; // (frontCount)
  int* waiting;    // (frontCount) whose Schur complements are on the stack
  crBlockFactors real, complex;
  double *front, *frontIm; // the one at work
  double *stack, *stackIm; // Schur complements
  double *x, *xIm;         // (largest front)
} crBlockLu;

void crBlockLu_Init(crBlockLu* lu, const crAllocator* allocator);
void crBlockLu_Free(crBlockLu* lu);

// A new pattern: compressed columns with their diagonal.
crStatus crBlockLu_Analyze(crBlockLu* lu, int n, const int* starts, const int* rows);
// im NULL: the real one, else the complex one. False: singular, or pivots from other fronts are needed.
bool crBlockLu_Factorize(crBlockLu* lu, const double* re, const double* im);
// In place; bIm NULL: the real one.
void crBlockLu_Solve(crBlockLu* lu, double* b, double* bIm);

#endif
