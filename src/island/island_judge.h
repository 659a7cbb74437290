// The judge of an island's steps, by what they win or lose of its energy: see crStageSums.
#ifndef CR_ISLAND_ISLAND_JUDGE_H
#define CR_ISLAND_ISLAND_JUDGE_H

#include "solve/problem.h"

// Behind the evaluation of the step's end. [tolerance] The error that energies tell; 0: none that counts.
double crJudgeStep(void* context, double relTol, const crSegment* step);

#endif
