// Splines of profiles, as arcs.
//
// Points whose ways are marked as a spline lie on a cubic spline: over the length of its chords, with a continuous
// second derivative, which is 0 where it begins and ends; where a point has a tangent it goes along that instead. Each
// stretch becomes pairs of arcs that go on smoothly [Bolton75], halved until they stay within an error. Native cubics
// would need a search for each distance, which has several answers; arcs have closed forms, and bend by steps that are
// as small as the error asks for.
#ifndef CR_GEOMETRY_PROFILE_SPLINE_H
#define CR_GEOMETRY_PROFILE_SPLINE_H

#include "base/report.h"
#include "carom/geometry.h"

// The same profile without splines.
typedef struct crPlainProfile {
  crProfilePoint* points; // (count)
  int* sources;           // (count) points of the def that they lead to
  int count, room;
} crPlainProfile;

// [m] of the def, or of its size.
double crFindSplineError(const crProfileDef* def);

// The def has been checked. Reports an error that asks for too many arcs.
crStatus crMakePlainProfile(const crProfileDef* def, const crAllocator* allocator, crReporter* reporter,
                            crPlainProfile* outPlain);
void crPlainProfile_Free(crPlainProfile* plain, const crAllocator* allocator);

#endif
