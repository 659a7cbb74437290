// What corners and edges of boxes ask of vectors in lanes (math/lanes.h), whose components are axes of a box.
#ifndef CR_COLLIDE_AREA_BOX_LANES_H
#define CR_COLLIDE_AREA_BOX_LANES_H

#include "geometry/shape.h"
#include "math/lanes.h"

// Without rounding or inner faces.
static inline bool crIsSharpBox(const crShape* shape)
{
  return shape->kind == cr_shapeBox && shape->sweep == 0.0 && shape->innerFaces == NULL;
}

static inline crLanes crSizesL(crLanes a)
{
  return (crLanes){ fabs(a[0]), fabs(a[1]), fabs(a[2]), 0.0 };
}

static inline double crSumL(crLanes a)
{
  return a[0] + a[1] + a[2];
}

// Of the components k + 1 and k + 2.
static inline crLanes crNextL(crLanes a)
{
  return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

static inline crLanes crLastL(crLanes a)
{
  return __builtin_shufflevector(a, a, 2, 0, 1, 3);
}

#endif
