// Box against segment, apart: the point of the segment nearest to the box, by Newton's method in one variable.
//
// With x(t) = p + t d a point of the segment in the box's frame and e(t) = x - clamp(x) how far it is outside along
// each axis, half the squared distance has the derivative g = e . d, which grows with t and is piecewise linear: its
// slope H is the sum of d_i^2 over the axes along which x is outside. On the piece that holds the zero a step is
// exact; from the point of the segment nearest to the box's centre there are one to three. A step that leaves the
// interval known to hold the zero halves it instead.
//
// Then the normal follows from the features, as for two boxes, and has to prove the distance. What is not proved,
// what overlaps, and what has more than one pair of nearest points goes the way of two boxes.
#include "collide/distance/box.h"

#define CR_MAX_NEWTON_STEPS 8
#define CR_STILL_UNITS 1.0  // [noise] a derivative so small is rounding
#define CR_LEAST_SLOPE 1e-3 // [-] below, two edges are too parallel for t to be accurate

// A point of the segment, in relation to the box.
typedef struct Outside {
  double t;     // [m] from the middle of the segment
  crVec3 x, e;  // [m]
  double pull;  // [m] derivative g
  double slope; // [-] H
} Outside;

CR_INLINE double excess(double x, double half)
{
  double over = fabs(x) - half;
  return over > 0.0 ? copysign(over, x) : 0.0;
}

CR_INLINE double clampTo(double half, double t)
{
  return t > half ? half : t < -half ? -half : t;
}

CR_INLINE Outside measureAt(const crBoxes* m, crVec3 d, double t)
{
  Outside o = { .t = t, .x = crMulAdd(m->p, t, d) };
  o.e = crMakeVec3(excess(o.x.x, m->half[0]), excess(o.x.y, m->half[1]), excess(o.x.z, m->half[2]));
  o.pull = crDot(o.e, d);
  o.slope = (o.e.x != 0.0 ? d.x * d.x : 0.0) + (o.e.y != 0.0 ? d.y * d.y : 0.0) + (o.e.z != 0.0 ? d.z * d.z : 0.0);
  return o;
}

// False: the segment meets the box, crosses an edge at too small an angle, or no end was found.
CR_INLINE bool findNearest(const crBoxes* m, crVec3 d, Outside* o, bool* outIsEnd)
{
  double length = m->half[3], low = -HUGE_VAL, high = HUGE_VAL;
  double t = clampTo(length, -crDot(m->p, d));
  for (int step = 0; step < CR_MAX_NEWTON_STEPS; ++step) {
    *o = measureAt(m, d, t);
    *outIsEnd = o->pull > 0.0 ? t == -length : t == length;
    if (fabs(o->pull) <= CR_STILL_UNITS * m->noise) {
      *outIsEnd = false;
      return o->slope > CR_LEAST_SLOPE;
    }
    if (*outIsEnd) {
      return true;
    }
    low = o->pull < 0.0 ? t : low;
    high = o->pull > 0.0 ? t : high;
    t = clampTo(length, t - o->pull / o->slope);
    if (!(t > low && t < high)) {
      t = 0.5 * (fmax(low, -length) + fmin(high, length));
    }
  }
  return false;
}

// Of the features that the nearest points lie on, from the box to the segment. Between two edges from their
// directions, which keep their digits where the difference of the points has none.
CR_INLINE crVec3 computeNormal(crVec3 d, const Outside* o, bool isEnd)
{
  crVec3 e = o->e, n = e;
  int count = (e.x != 0.0) + (e.y != 0.0) + (e.z != 0.0);
  if (!isEnd && count == 2) {
    n = e.x == 0.0 ? crMakeVec3(0.0, -d.z, d.y) : e.y == 0.0 ? crMakeVec3(d.z, 0.0, -d.x) : crMakeVec3(-d.y, d.x, 0.0);
    n = crDot(n, e) < 0.0 ? crNeg(n) : n;
  } else if (!isEnd) {
    n = crMulAdd(e, -o->pull, d);
  }
  return crNormalize(n);
}

// Whether a stretch of the segment is as near: along a face, or along an edge.
CR_INLINE bool isAlong(const crBoxes* m, crVec3 d, crVec3 n)
{
  double level = CR_LEVEL_UNITS * m->noise;
  bool x = m->half[0] * fabs(n.x) <= level, y = m->half[1] * fabs(n.y) <= level, z = m->half[2] * fabs(n.z) <= level;
  double along = (x ? d.x * d.x : 0.0) + (y ? d.y * d.y : 0.0) + (z ? d.z * d.z : 0.0);
  return m->half[3] * fabs(crDot(n, d)) <= level && along > 1.0 - CR_LEAST_SLOPE;
}

bool crBoxes_TrySegmentApart(const crBoxes* m, double scale, crDistance* out)
{
  crVec3 d = m->axis[3];
  Outside o;
  bool isEnd;
  if (!findNearest(m, d, &o, &isEnd)) {
    return false;
  }
  crVec3 n = computeNormal(d, &o, isEnd);
  double lower = crBoxes_Separate(m, n), upper = fmax(crLength(o.e), lower), accepted = crBoxes_AcceptedWidth(m, scale);
  if (!(upper - lower <= accepted) || !(crMissOf(o.e, lower, n) <= accepted) || isAlong(m, d, n)) {
    return false;
  }
  crBoxes_Answer(m, crSub(o.x, o.e), o.x, lower, upper, n, out);
  return true;
}
