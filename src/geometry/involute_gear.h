// The outline of a spur gear with involute teeth, as points of a profile.
//
// With z teeth of the module m, the pressure angle a of the tool, its shift x, and what each tooth is thinner by, b, on
// the pitch circle:
//
//   r = m z / 2,    base = r cos a,    tip = r + m (1 + x),    root = r + m (x - 1.25)
//   thickness on the pitch circle  s = m (pi / 2 + 2 x tan a) - b
//   half the angle of a tooth at the radius r'    s / (2 r) + inv a - inv a',   cos a' = base / r',   inv a = tan a - a
//
// Flanks are involutes down to the root, or to CR_GEAR_LEAST_ROLL of their base circle, below which they go on straight
// down. With a relief, the last CR_GEAR_RELIEF modules below the tip are an arc that leaves the involute smoothly, and
// is off it by the relief at the tip. The first tooth is about the x axis.
#ifndef CR_GEOMETRY_INVOLUTE_GEAR_H
#define CR_GEOMETRY_INVOLUTE_GEAR_H

#include "base/report.h"
#include "carom/geometry.h"

#define CR_GEAR_LEAST_ROLL 0.02 // [rad] where tips of others still reach
#define CR_GEAR_RELIEF 0.5      // [-] modules
#define CR_GEAR_ADDENDUM 1.0    // [-] modules that a tooth stands out
#define CR_GEAR_DEDENDUM 1.25   // [-] and its space goes in

// Reports what no gear can be made of. The memory is taken back by crFree, outCount points.
crStatus crMakeGearOutline(const crShapeDef* def, const crAllocator* allocator, crReporter* reporter,
                           crProfilePoint** outPoints, int* outCount);

#endif
