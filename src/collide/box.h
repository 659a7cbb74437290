// Two boxes, or a box and a segment: their Minkowski difference M = B - A is a zonotope,
//
//   M = { p + sum of value[k] axis[k] : |value[k]| <= half[k] }
//
// with the axes of A first, then those of B; it is symmetric about p. The point of B that belongs to values is
// p + sum over B's axes, that of A minus the sum over A's axes.
#ifndef CR_COLLIDE_BOX_H
#define CR_COLLIDE_BOX_H

#include "collide/pair.h"

#define CR_BOX_AXES 6
#define CR_LEVEL_UNITS 4.0 // [noise] height within which an axis counts as perpendicular to n

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

// Moves x to the point of M nearest to the target. True when found; x is a point of M in any case.
bool crBoxes_FindNearest(const crBoxes* m, const crVec3* target, crBoxPoint* x);

// Where the features of A and B that lie along the normal have more than one pair of nearest points, moves x to the
// middle of them. `height`: how far B's lies from A's along it [m].
void crBoxes_CentrePatch(const crBoxes* m, const crVec3* normal, double height, crBoxPoint* x);

#endif
