// Conservative advancement with a replaceable distance query.
#ifndef CR_COLLIDE_DISTANCE_ADVANCE_H
#define CR_COLLIDE_DISTANCE_ADVANCE_H

#include "carom/collide.h"

// Whether a shape is its pieces to another one, and not a whole.
bool crIsInPiecesFor(const crShape* shape, const crShape* other);

// As crComputeDistance. Only its normal is used, and any normal gives a valid bound; a bad one a poor bound.
typedef crStatus (*crDistanceFunction)(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                       crDistanceCache* cache, crDistance* outDistance);

// crComputeTimeToContact by the given function. outAdvances: number of calls, may be NULL.
crStatus crAdvanceToContact(crDistanceFunction computeDistance, const crShape* a, const crMotionSegment* segmentA,
                            const crShape* b, const crMotionSegment* segmentB, double duration, double tolerance,
                            double* outTime, int* outAdvances);

#endif
