// The law of area contacts: one energy of the patch, and its gradient.
//
//   U = E* l (I3 / I2)^2,   l = AGM(a, b)            elastic, [docs/contact.md]
//   U = c / 2 (I3 / I2)^2                            springDamper and penalty, c their stiffness
//
// I3 / I2 is a mean depth; a, b are the half axes of the flat ellipse with the covariance C of places weighted with d^2
// (C = a^2 / 4, b^2 / 4 along its axes). 2 E* l is the stiffness of a rigid elliptic punch on a half-space, since
// pi a E* / K(e) is 2 E* times the arithmetic-geometric mean of the half axes. U depends on the two poses alone, so
// what acts is its derivative and nothing is lost or gained: moving boundaries contribute nothing, because the
// integrand is 0 where a surface enters the other body and equal on both sides of a line where two faces are equally
// near.
//
// With c the centre of d^2, G = dU/dC, and x in the axes of the first shape,
//
//   p(x) = 2 d (u2 + ((x - c)^T G (x - c) - tr G C) / I2) + 3 u3 d^2            what a unit of depth costs at x
//   f    = sum over the first surface of p m - the same over the second - (2 / I2) G sum over the first of d^2 (x - c)
//
// likewise its torque: points of the first surface move with the first shape, and C with them.
#ifndef CR_CONTACT_AREA_LAW_H
#define CR_CONTACT_AREA_LAW_H

#include "carom/model.h"
#include "collide/area/area.h"

// [-] of t^2, added to s: patches are as wide as 1e-5 of their length, at least. Edges of hard bodies are a tenth of
// that. Patches that are not turned into axes of their own, as those of groups, of many points and in tangents, lose it
// in the rounding of C, and s could be below 0; forces jumped by 1e-4, and steps failed.
#define CR_LEAST_MINORS 1e-10

// [-] of the sum of two means, of their difference: what the series leaves is less than a last bit. It is that of
// 2 K(e) / pi: (2 k)!^2 / (2^k k!)^4, of e^(2 k).
#define CR_AGM_NEAR 0.08
extern const double crMeanSeries[7];

// Parts of the law that a patch does not know; one of both is 0.
typedef struct crAreaModulus {
  double modulus;   // [N/m^2] E*
  double stiffness; // [N/m] c
} crAreaModulus;

crAreaModulus crFindAreaModulus(const crContactLaw* law);

// U and its derivatives by I2, I3 and the two invariants of C: its trace t and the sum s of its principal minors, which
// may be 0.
typedef struct crAreaEnergy {
  double U; // [J]
  double u2, u3, ut, us;
} crAreaEnergy;

crAreaEnergy crComputeAreaEnergy(crAreaModulus law, double i2, double i3, double t, double s);

// The pressure p(x) = d (k0 + k1 (x - o)^T G (x - o) + k2 d) at a point of depth d that counts at x, in axes of the
// first shape.
typedef struct crAreaPressure {
  double k0, k1, k2;
  crSym3 G;
  crVec3 o;
} crAreaPressure;

double crComputePressure(const crAreaPressure* p, crVec3 x, double d); // [N/m^2]

// What a patch exerts on the first shape, and where; in axes of the first shape about its origin.
typedef struct crAreaForce {
  double elastic;      // [J] U; 0: they do not touch, and nothing else holds
  crVec3 force;        // [N] on the first shape
  crVec3 torque;       // [N m] likewise, about `centre`
  crVec3 centre;       // [m] of the depth: where it presses
  crSym3 spread;       // [m^2] covariance of places weighted with the depth
  double area;         // [m^2] mean of both surfaces
  double mostPressure; // [N/m^2] at the deepest point
  crAreaPressure pressure;
} crAreaForce;

// The patch of two shapes with its force. X: poses of the canonical frames.
void crComputeAreaForce(crAreaModulus law, const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                        crPatch* patch, crAreaForce* outForce);

// The force of a patch that is complete.
void crPushPatch(crAreaModulus law, const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                 crPatch* patch, crAreaForce* outForce);

// Several patches of two bodies that push together: I2, I3 and moments of d^2, with the shares of the patches, summed
// up in world axes about the origin of the first one.
typedef struct crAreaTotal {
  crVec3 origin;
  double i2, i3;
  crVec3 x2;
  crSym3 xx2;
} crAreaTotal;

// Adds a patch that has its sums. X_WP: pose of the axes of its points.
void crAreaTotal_Add(crAreaTotal* total, const crPatch* patch, const crPose* X_WP);

// The law of all of them: p(x) = share d (k0 + k1 (x - c)^T G (x - c) + k2 d), in the world.
typedef struct crAreaTogether {
  double elastic; // [J] U
  double k0, k1, k2;
  crSym3 G;
  crVec3 centre; // c
} crAreaTogether;

crAreaTogether crComputeAreaTogether(crAreaModulus law, const crAreaTotal* total);

// What one of the patches exerts on A then, in the world, its torque about the centre. X: poses of the canonical
// frames.
void crPushTogether(const crAreaTogether* together, const crShape* a, const crPose* X_WA, const crShape* b,
                    const crPose* X_WB, crPatch* patch, crVec3* outForce, crVec3* outTorque);

#endif
