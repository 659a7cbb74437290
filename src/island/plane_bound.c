// Bounds of a distance by a plane that one of the bodies carries along; see the header.
#include "island/plane_bound.h"

// [m/s] Of the origin of `of` in axes of `in`, and of its turning there, at one end of their segments.
static double computeRelativeSpeed(const crSweep* of, const crSweep* in, double reach, bool isEnd)
{
  crVec3 r = isEnd ? crSub(of->p1, in->p1) : crSub(of->p0, in->p0);
  crVec3 w = isEnd ? in->w1 : in->w0, v = isEnd ? crSub(of->v1, in->v1) : crSub(of->v0, in->v0);
  crVec3 turn = crSub(isEnd ? of->w1 : of->w0, w);
  return crLength(crSub(v, crCross(w, r))) + reach * crLength(turn);
}

double crBoundRelative(const crModel* model, int of, const crSweep* ofSweep, const crSweep* inSweep)
{
  static const crSweep still = { .acceleration = 0.0 };
  double own = ofSweep != NULL ? crBoundAcceleration(model, of, ofSweep) : 0.0;
  if (inSweep == NULL) {
    return own;
  }
  ofSweep = ofSweep != NULL ? ofSweep : &still;
  double reach = crFindLever(model, of);
  double away =
      sqrt(fmax(crLengthSquared(crSub(ofSweep->p0, inSweep->p0)), crLengthSquared(crSub(ofSweep->p1, inSweep->p1))));
  double w = sqrt(fmax(crLengthSquared(inSweep->w0), crLengthSquared(inSweep->w1)));
  double speed =
      fmax(computeRelativeSpeed(ofSweep, inSweep, reach, false), computeRelativeSpeed(ofSweep, inSweep, reach, true));
  return own + inSweep->acceleration + inSweep->turning * (away + reach) + 2.0 * CR_DEVIATION * w * speed;
}

double crFindPlaneReach(const crModel* model, int of, const crBodyPlace* ofPlace, const crBodyPlace* inPlace, crVec3 n,
                        double distance, double acceleration, double floor, bool isAhead)
{
  crVec3 corners[CR_MAX_CORNERS];
  double heights[CR_MAX_CORNERS], lowest = HUGE_VAL, reach = HUGE_VAL;
  int count = crShape_ListCorners(&model->shapes[of], corners);
  const crPose* X_BS = &model->contactShapes[of].X_BS;
  for (int i = 0; i < count; ++i) {
    corners[i] = crAdd(ofPlace->X.p, crMulMV(ofPlace->X.R, crAdd(crMulMV(X_BS->R, corners[i]), X_BS->p)));
    heights[i] = crDot(n, corners[i]);
    lowest = fmin(lowest, heights[i]);
  }
  for (int i = 0; i < count; ++i) {
    crVec3 v = crAdd(ofPlace->v, crCross(ofPlace->w, crSub(corners[i], ofPlace->X.p)));
    crVec3 carried = crAdd(inPlace->v, crCross(inPlace->w, crSub(corners[i], inPlace->X.p)));
    double rate = crDot(n, crSub(v, carried));
    reach = fmin(reach, crFindReach(distance + heights[i] - lowest, isAhead ? rate : -rate, acceleration, floor));
  }
  return count > 0 ? reach : 0.0;
}
