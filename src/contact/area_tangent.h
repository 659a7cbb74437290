// How the force of a patch of two polytopes changes with their pose: second derivatives of the energy.
//
// With the second shape moving at u(x) = v + w x x relative to the first, depths, places and normals of the first
// surface change by m u, 0 and w x m, those of the second by -m u, u and 0; sums follow, then the law and its pressure.
// Where two faces are equally near the direction of the force jumps, and the line moves:
//
//   df = -integral along it of p (m_j - m_k) (m_j - m_k) u / |grad (d_j - d_k)|
//
// Other boundaries contribute nothing: there p is 0, or they belong to the surface.
#ifndef CR_CONTACT_AREA_TANGENT_H
#define CR_CONTACT_AREA_TANGENT_H

#include "contact/area_law.h"

// The law at a patch, for all directions.
typedef struct crAreaBase {
  const crPatch* patch; // with its lines
  const crAreaForce* force;
  double I2, i2, i3; // without and with the share
  double t, s;       // invariants of C
  crAreaEnergy energy;
  double utt, uts, uss; // second derivatives of U
  double k0, k1, k2;    // of the pressure, with the share
  crSym3 C, G;
  crVec3 c;     // [m] centre of d^2, in axes of the first shape
  bool isMoved; // there is a second surface, so that the first one's own motion counts
  crVec3 h;     // of the first surface about c: integral of d^2 x,
  crSym3 S;     // of d^2 x x^T
} crAreaBase;

// false: the patch has more points or lines than there was room for, or no force.
bool crFillAreaBase(crAreaModulus law, const crPatch* patch, const crAreaForce* force, crAreaBase* out);

// What changes per unit of a motion of the second shape, in axes of the first: v at their origin, w.
typedef struct crAreaTangent {
  double elastic;
  crVec3 force, torque, centre; // as in crAreaForce
  crSym3 spread;
} crAreaTangent;

void crComputeAreaTangent(const crAreaBase* base, crVec3 v, crVec3 w, crAreaTangent* out);

#endif
