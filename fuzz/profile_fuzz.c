// Random balls against surfaces of profiles and rooms, and points against involutes, a twentieth as many: each distance
// against 113 bits (support/profile_truth.h, support/involute_truth.h).
//
// usage: profile_fuzz [PAIRS [SEED]]     1e6 pairs unless given
//
// Fails when an answer is off by more than 1e-13 of the scale, or missing.
#include "support/involute_truth.h"
#include "support/profile_truth.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
  int count = argc > 1 ? (int)strtod(argv[1], NULL) : 1000000;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  double worst = crCompareProfiles(seed, count);
  printf("%d pairs, largest error %.3g of the scale\n", count, worst);
  int ofInvolutes = count / 20; // whose truth takes a search
  double worstInvolute = crCompareInvolutes(seed, ofInvolutes);
  printf("%d points and involutes, largest error %.3g of the scale\n", ofInvolutes, worstInvolute);
  return worst <= 1e-13 && worstInvolute <= 1e-13 ? EXIT_SUCCESS : EXIT_FAILURE;
}
