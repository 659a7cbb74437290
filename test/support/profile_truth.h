// The distance of a point from what a profile makes, in 113 bits, by centres and crossings: nothing of it is shared
// with src/geometry/profile.c. And random profiles.
#ifndef CR_TEST_PROFILE_TRUTH_H
#define CR_TEST_PROFILE_TRUTH_H

#include "carom/geometry.h"
#include "support/random.h"

#define CR_TRUTH_POINTS 16

// A revolved or extruded shape, with its points.
typedef struct crProfileCase {
  const char* name;
  crShapeDef def;
  crProfilePoint points[CR_TRUTH_POINTS];
} crProfileCase;

// Raceways, bores, bowls, funnels, tori, grooves, blocks, cams, by chance, with sizes of `size` [m]; hollow primitives
// as well.
void crMakeProfileCase(crRandom* random, double size, crProfileCase* out);

// Signed distance of a ball of radius r about x, in the shape's own frame, less than zero inside.
double crComputeProfileTruth(const crProfileCase* which, crVec3 x, double r);

// The largest error of so many random pairs, over the scale. Balls are all over, near the surface, and on the axis.
double crCompareProfiles(uint64_t seed, int count);

#endif
