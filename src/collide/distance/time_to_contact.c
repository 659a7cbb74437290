// The time to contact with the distance query of this library.
#include "collide/distance/advance.h"

crStatus crComputeTimeToContact(const crShape* a, const crMotionSegment* segmentA, const crShape* b,
                                const crMotionSegment* segmentB, double duration, double tolerance, double* outTime)
{
  return crAdvanceToContact(crComputeDistance, a, segmentA, b, segmentB, duration, tolerance, outTime, NULL);
}
