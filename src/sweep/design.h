// Designs: where run number i lies in the unit cube, as a function of a seed and i alone.
//
// Random numbers are counter-based (Philox-4x32-10 [Salmon11]): number (i, dimension) of a seed without those before.
// Sobol's sequence has Joe and Kuo's direction numbers [JoeKuo08] and Owen's scrambling by hashes of the higher bits
// [Burley20], with keys of the seed. Latin hypercubes put sample i of n into the stratum that a keyed permutation of
// [0, n) names, at a random place of it.
//
// All coordinates lie inside (0, 1), so that every distribution has a finite value there.
#ifndef CR_SWEEP_DESIGN_H
#define CR_SWEEP_DESIGN_H

#include "base/friend.h"

#include <stdbool.h>
#include <stdint.h>

#define CR_SOBOL_DIMENSIONS 64

typedef enum crDesign {
  cr_designGrid,
  cr_designRandom,
  cr_designSobol,
  cr_designLatin,
  cr_designSensitivity, // two Sobol points and mixtures of them: see sensitivity.c
  cr_designCount
} crDesign;

CR_FRIEND const char* crDesign_GetText(crDesign design);
CR_FRIEND crDesign crFindDesign(const char* name); // cr_designCount: there is none

// Four random words of a counter and a key.
CR_FRIEND void crPhilox(const uint32_t counter[4], const uint32_t key[2], uint32_t outWords[4]);

// Point i of Sobol's sequence without scrambling, times 2^32. 0 for dimensions that it does not have.
CR_FRIEND uint32_t crSobolBits(uint32_t i, int dimension);

// Item i of a permutation of [0, n) that the key chooses; i < n.
CR_FRIEND uint64_t crPermute(uint64_t i, uint64_t n, uint64_t key);

// A coordinate of sample i of n.
CR_FRIEND double crDesign_FindCoordinate(crDesign design, uint64_t seed, uint64_t i, uint64_t n, int dimension);

// A number inside (0, 1); `stream` tells users of one seed apart.
CR_FRIEND double crRandomUnit(uint64_t seed, uint64_t i, uint32_t stream);

#endif
