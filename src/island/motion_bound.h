// Bounds on how two bodies can approach between two times, from their motion at both.
//
// The cubic through position and velocity at both ends has its largest acceleration at one of them; the motion of an
// accepted step is taken to stay within a factor of that. Then a distance d with rate d' obeys
//
//   d(t + s) >= d + d' s - A s^2 / 2
//
// from either end, A being the sum of both shapes' bounds.
#ifndef CR_ISLAND_MOTION_BOUND_H
#define CR_ISLAND_MOTION_BOUND_H

#include "geometry/shape.h"
#include "model/model.h"

#include <math.h>

#define CR_DEVIATION 2.0        // [-] acceleration inside a step over that of the cubic through its ends
#define CR_MAX_SEARCH 2000      // evaluations of one search; then the time reached is taken for the contact
#define CR_LEAST_PROGRESS 1e-15 // [-] of the time: smaller advances are round-off

// A body at both ends of a step.
typedef struct crSweep {
  crMat3 R0, R1; // R_WB; of balls the identity
  crVec3 p0, v0, w0;
  crVec3 p1, v1, w1;
  double acceleration; // [m/s^2] bound of its origin's
  double turning;      // [1/s^2] bound of |w'| + |w|^2: times a radius, an acceleration
} crSweep;

static inline void crSweep_Bound(crSweep* e, double h)
{
  crVec3 chord = crScale(6.0 / h, crSub(e->p1, e->p0));
  crVec3 a0 = crSub(chord, crAdd(crScale(4.0, e->v0), crScale(2.0, e->v1)));
  crVec3 a1 = crSub(crAdd(crScale(2.0, e->v0), crScale(4.0, e->v1)), chord);
  double w = sqrt(fmax(crDot(e->w0, e->w0), crDot(e->w1, e->w1))), dw = crLength(crSub(e->w1, e->w0));
  e->acceleration = CR_DEVIATION * sqrt(fmax(crDot(a0, a0), crDot(a1, a1))) / h;
  e->turning = CR_DEVIATION * (dw / h + (w + dw) * (w + dw));
}

// [m] How far from the origin of its body a contact shape has points that turning moves: of a ball, the centre.
static inline double crFindLever(const crModel* model, int shape)
{
  bool isBall = model->shapes[shape].kind == cr_shapeSphere;
  return crLength(model->contactShapes[shape].X_BS.p) + (isBall ? 0.0 : crShape_GetReach(&model->shapes[shape]));
}

// [m/s^2] Bound for all points of a contact shape.
static inline double crBoundAcceleration(const crModel* model, int shape, const crSweep* sweep)
{
  return sweep->acceleration + sweep->turning * crFindLever(model, shape);
}

// s at which d + d' s - A s^2 / 2 reaches `floor`, d > floor; infinity: never.
static inline double crFindReach(double d, double rate, double A, double floor)
{
  double gap = d - floor;
  if (gap <= 0.0) {
    return 0.0;
  }
  // A s^2 / 2 - d' s - gap = 0, in the form that does not cancel
  double root = sqrt(rate * rate + 2.0 * A * gap);
  double s = rate <= 0.0 ? 2.0 * gap / (root - rate) : A > 0.0 ? (rate + root) / A : HUGE_VAL;
  return isnan(s) ? HUGE_VAL : s;
}

// Whether the bounds from both ends keep the distance above the floor all over a stretch of length h.
static inline bool crIsSafe(double d0, double rate0, double d1, double rate1, double A, double h, double floor)
{
  return crFindReach(d0, rate0, A, floor) + crFindReach(d1, -rate1, A, floor) >= h;
}

#endif
