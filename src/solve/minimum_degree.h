// An order of elimination that leaves factors sparse: approximate minimum degree [AmestoyDavisDuff96].
#ifndef CR_SOLVE_MINIMUM_DEGREE_H
#define CR_SOLVE_MINIMUM_DEGREE_H

#include "base/memory.h"

// Of a graph of n nodes that are coupled both ways, but not to themselves; node i stands for weights[i] > 0 unknowns.
// Memory at work is the arena's. false: out of memory.
bool crFindMinimumDegreeOrder(int n, const int* starts, const int* others, const int* weights, crArena* arena,
                              int* outOrder);

#endif
