// Area contacts as linear functions of how their bodies move, while a Jacobian of jointed bodies is taken by
// differences: then a column costs no patch, and a contact that is less deep than the increments of joints move it has
// its slope all the same.
//
// With the slope of crComputeAreaSlope, by B's motion against A, p from A's origin to B's, and theta, dx, dv, dw how
// the bodies have turned, moved and changed their velocities since,
//
//   dX = dx_B - dx_A - theta_A x p,                      dT = theta_B - theta_A
//   dV = dv_B - dv_A - (dw_A - theta_A x w_A) x p - theta_A x (v_B - v_A),   dW = dw_B - dw_A - theta_A x (w_B - w_A)
//   f  = f_0 + f_X dX + f_T dT + f_V dV + f_W dW + theta_A x f_0
//
// Turning A turns everything about its origin, and B and all velocities are turned back; where both turn as one body,
// nothing changes.
//
// Contacts at points are what they are. But a column moves one body, and what touches at a point of others has the
// force that it had before, to the last bit.
#ifndef CR_CONTACT_LINEAR_CONTACT_H
#define CR_CONTACT_LINEAR_CONTACT_H

#include "contact/area_contact.h"

// A body at a time.
typedef struct crBodyState {
  crMat3 R;
  crVec3 p, v, w;
} crBodyState;

// A contact, or all of a group, at the place of the first one.
struct crLinearContact {
  crAreaSlope slope;
  crBodyState a, b;
  // of each contact, where it sticks
  crAreaBristle bristle;
  double x[CR_MOST_BRISTLES], rate[CR_MOST_BRISTLES]; // there
};

// From here on area contacts are linear about the state that the instance was evaluated at last, until the end.
void crContacts_BeginLinear(const crInstance* instance, crContacts* contacts);
void crContacts_EndLinear(crContacts* contacts);

// Whether neither body of a contact at a point, without bristles, has moved since it was last asked: then its force is
// the same.
bool crContacts_Stays(const crInstance* instance, crContacts* contacts, int contact);

// What a contact exerts then on its bodies; nothing where it is not the first of its group. Returns 0; NaN: not finite.
double crPushLinear(crInstance* instance, crContacts* contacts, int contact);

#endif
