// Two spur gears with involute teeth that mesh: lengths of their contact, and the energy that their teeth store.
//
// Along the line of action, xi from the pitch point in the direction in which contacts move, teeth are one base pitch
// apart. With e the angle by which A is ahead of B, r the base radius of A, b the backlash, and psi the angle of A,
//
//   U(e, psi) = sum over pairs j of 1/2 k(xi_j) max(0, delta_j)^2
//   delta_j = r (|e| - b / 2) - gap(xi_j),   xi_j = r psi + j pitch;   on the other flank -r psi + (j + 1/2) pitch
//
// gap is what is missing to touch: the relief of tips, and beyond the path of contact what the tip of one has to go
// before it meets the flank of the other. So pairs come and go without a jump, earlier and later under load, and forces
// are derivatives of one energy.
//
//   k(xi) = k_max (1 - 0.45 u^2),   u = -1 to 1 along the path                                         [CaiHayashi94]
//
// k_max is the single stiffness of [ISO6336] part 1, method B, of solid gears with the standard basic rack.
#ifndef CR_GEOMETRY_GEAR_H
#define CR_GEOMETRY_GEAR_H

#include "carom/geometry.h"

typedef struct crGearData {
  double teethA, teethB;
  double module, pressureAngle; // [m], [rad]
  double shiftA, shiftB;        // [-] of the modules
  double faceWidth, E;          // [m], [N/m^2] of both
  double tipRelief;             // [m] at the tips of both
} crGearData;

// NULL: they mesh. Else why not, for people; outMesh is that of no gears then.
const char* crMakeGearMesh(const crGearData* data, crGearMesh* outMesh);

double crComputeContactRatio(const crGearMesh* mesh);

typedef struct crGearPush {
  double energy;             // [J]
  double perAngle, perPhase; // [N m] derivatives by e and psi
} crGearPush;

crGearPush crComputeGearPush(const crGearMesh* mesh, double backlash, double e, double psi);

// [m] What is missing to touch at a place along the line of action; outSlope: its derivative.
double crComputeToothGap(const crGearMesh* mesh, double xi, double* outSlope);

#endif
