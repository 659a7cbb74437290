// Two boxes, or a box and a segment: their Minkowski difference M = B - A is a zonotope,
//
//   M = { p + sum of value[k] axis[k] : |value[k]| <= half[k] }
//
// with the axes of A first, then those of B; it is symmetric about p. The point of B that belongs to values is
// p + sum over B's axes, that of A minus the sum over A's axes.
#ifndef CR_COLLIDE_DISTANCE_BOX_H
#define CR_COLLIDE_DISTANCE_BOX_H

#include "collide/distance/pair.h"

#define CR_BOX_AXES 6
#define CR_LEVEL_UNITS 4.0        // [noise] height within which an axis counts as perpendicular to n
#define CR_ACCEPTED_WIDTH 2.5e-13 // [scale] of the bounds; wider goes to the general routine
#define CR_RESIDUE_UNITS 8.0      // [noise] by which points may miss their distance

typedef struct crBoxes {
  crVec3 axis[CR_BOX_AXES]; // unit length, in S_A: 0..2 are A's x, y, z
  double half[CR_BOX_AXES]; // [m]
  crVec3 p;                 // [m] centre of B
  int count;                // 6; 4 where B is a segment
  double noise;             // [m] as in crQuery
} crBoxes;

// A point of M. Where side[k] is not 0, value[k] = side[k] half[k].
typedef struct crBoxPoint {
  double value[CR_BOX_AXES]; // [m]
  int side[CR_BOX_AXES];     // -1, 0 or 1
  crVec3 v;                  // the point less the target
  bool isSolved;             // the values without a side are the best for the others
} crBoxPoint;

static inline double crBoxes_Separate(const crBoxes* m, crVec3 n)
{
  double g = crDot(n, m->p) - m->half[0] * fabs(n.x) - m->half[1] * fabs(n.y) - m->half[2] * fabs(n.z);
  for (int k = 3; k < m->count; ++k) {
    g -= m->half[k] * fabs(crDot(n, m->axis[k]));
  }
  return g;
}

static inline crVec3 crBoxes_PointOfB(const crBoxes* m, const crBoxPoint* x)
{
  crVec3 point = m->p;
  for (int k = 3; k < m->count; ++k) {
    point = crMulAdd(point, x->value[k], m->axis[k]);
  }
  return point;
}

static inline crVec3 crBoxes_PointOfA(const crBoxPoint* x)
{
  return crMakeVec3(-x->value[0], -x->value[1], -x->value[2]);
}

// [m] between the bounds of an answer, and between the points and their distance
static inline double crBoxes_AcceptedWidth(const crBoxes* m, double scale)
{
  return fmax(CR_ACCEPTED_WIDTH * scale, CR_RESIDUE_UNITS * m->noise);
}

// How far v is from distance x n [m].
static inline double crMissOf(crVec3 v, double distance, crVec3 n)
{
  return crMaxAbs(crMulAdd(v, -distance, n));
}

// The points are moved along n so that they agree with the distance to the last digit.
CR_INLINE void crBoxes_Answer(const crBoxes* m, crVec3 a, crVec3 b, double lower, double upper, crVec3 n,
                              crDistance* out)
{
  crVec3 middle = crScale(0.5, crAdd(a, b));
  double distance = 0.5 * (lower + upper);
  out->distance = distance;
  out->normal = n;
  out->pointA = crMulAdd(middle, -0.5 * distance, n);
  out->pointB = crMulAdd(middle, 0.5 * distance, n);
  out->lowerBound = lower - m->noise;
  out->upperBound = upper + m->noise;
  out->iterations = 1;
  out->isConverged = true;
  out->isGlobal = true;
}

// B is a segment: its distance from the box, where it is easily found. False: another way has to be taken.
bool crBoxes_TrySegmentApart(const crBoxes* m, double scale, crDistance* out);

// Moves x to the point of M nearest to the target. True when found; x is a point of M in any case.
bool crBoxes_FindNearest(const crBoxes* m, const crVec3* target, crBoxPoint* x);

// Where the features of A and B that lie along the normal have more than one pair of nearest points, moves x to the
// middle of them. `height`: how far B's lies from A's along it [m].
void crBoxes_CentrePatch(const crBoxes* m, const crVec3* normal, double height, crBoxPoint* x);

#endif
