// The order in which a sparse matrix of blocks is eliminated, and in which fronts.
//
// Unknowns next to each other that are coupled to the same others, as those of one body, make a node. Nodes are ordered
// by minimum degree; nodes eliminated one after another that are coupled to the same later ones share a front. A front
// has the rows and columns of its nodes, the pivots, and of all later unknowns that they are coupled to; its Schur
// complement goes into the front of the first of those, its parent [Liu92].
#ifndef CR_SOLVE_BLOCK_GRAPH_H
#define CR_SOLVE_BLOCK_GRAPH_H

#include "base/memory.h"

typedef struct crBlockFront {
  int pivotCount, size, stride;
  int firstIndex;             // into indices: `size` unknowns, pivots first, later ones by the order of elimination
  int parent;                 // -1: none
  int firstPlace;             // into parentPlaces: of its unknowns behind the pivots
  int firstEntry, entryCount; // into entryCells and entryPlaces
  int childCount;
} crBlockFront;

typedef struct crBlockGraph {
  int n;         // unknowns
  int nodeCount; // small means that blocks are large
  int frontCount;
  crBlockFront* fronts; // every one behind its children, which are the last ones on a stack
  int* indices;
  int* parentPlaces;             // in the front of the parent
  int* runs;                     // by such a place: how many follow one another from there on
  int *entryCells, *entryPlaces; // entries of the matrix, and where they go in the front
  int largestFront;              // size
  size_t largestStack;           // places for Schur complements
  double operationCount;         // about, of a real factorization
} crBlockGraph;

// Of a pattern in compressed columns that has its diagonal. All memory is the arena's.
crStatus crMakeBlockGraph(int n, const int* starts, const int* rows, crArena* arena, crBlockGraph* outGraph);

#endif
