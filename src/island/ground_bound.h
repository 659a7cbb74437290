// How far a round shape over smooth ground (collide/area/over_ground.h) is free, between two times at which it is known
// how far apart they are.
//
// Over a point of the shape the ground is a gap g below it along z. With the point's acceleration a and velocity v
//
//   g'' = a_z - h' a - v h'' v  <=  A sqrt(1 + max |h'|^2) + fall |v|^2
//
// so that between two times g is above the line through its ends less half of that times s (h - s). At both ends g of
// no point is less than the least one, whichever point has that: the same holds of the least gap, and of distances,
// which are that over sqrt(1 + max |h'|^2), or less. From one end alone only the speed of all points tells anything.
#ifndef CR_ISLAND_GROUND_BOUND_H
#define CR_ISLAND_GROUND_BOUND_H

#include "geometry/ground.h"
#include "island/motion_bound.h"

typedef struct crGroundView {
  const crGround* ground; // NULL: the pair is another one
  int shape, round;       // of the ground, and the other one
  bool isStill;           // the ground is at rest
} crGroundView;

crGroundView crFindGroundView(const crModel* model, int shapeA, int shapeB);

// Whether the round shape stays over the ground's rectangle as long as its points move by no more than `way`.
bool crStaysOverGround(const crGroundView* view, const crModel* model, const crPose* X_WB, double way);

// [-] The part of a stretch of length h from the first end on in which distances stay above `floor`. speed, A: bounds
// of all points.
double crFindGapPart(const crGroundView* view, double distance0, double distance1, double speed, double A, double h,
                     double floor);

#endif
