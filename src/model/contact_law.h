// Contact laws: the force between two bodies at one touch, from depth, rates and what was frozen when it began.
//
//   f_n = max(0, k delta^n (1 + d delta')),   k = k_red c_res c_geo      on body 2 along e_n
//   f_t = -muK f_n e_t_reg,                   tau = -muR mu_geo f_n e_w_reg
//
// [NeumayrOtter19] eq. 3 to 8, with the penetration rate delta' positive while approaching: -(v2 - v1) . e_n. The table of
// what differs from the papers, and why, is in docs/contact.md.
#ifndef CR_MODEL_CONTACT_LAW_H
#define CR_MODEL_CONTACT_LAW_H

#include "carom/model.h"
#include "collide/touch.h"

// What is frozen when a touch begins; part of the discrete state.
typedef struct crContactMemory {
  double approach;  // [m/s] delta' when it began
  double cor;       // [-] regularized coefficient of restitution
  double damping;   // [s/m] d; springDamper: [N s/m]
  double stiffness; // [N/m^n] k_red c_res c_geo
  double exponent;  // [-] n
  double radius;    // [m] R
  double lever;     // [m] mu_geo
} crContactMemory;

// Motion of body 2 relative to body 1 at the touch.
typedef struct crContactMotion {
  double depth;         // [m] delta
  double rate;          // [m/s] delta', positive while approaching
  crVec3 normal;        // e_n
  crVec3 slip;          // [m/s] v_t
  crVec3 turn;          // [rad/s] w_2 - w_1
} crContactMotion;

typedef struct crContactForce {
  crVec3 force;       // [N] on body 2 at the touch
  crVec3 torque;      // [N m] on body 2
  double normalForce; // [N] f_n
  double elastic;     // [J] stored: k delta^(n+1) / (n+1)
  double dissipation; // [W] >= 0: all power that the touch takes out, but for what it stores
} crContactForce;

// cor_reg of [NeumayrOtter19] eq. 7 with cor_lim = max(cor_min, cor).
double crComputeRegularCor(const crContactLaw* law, double approach);

// |v| for |v| >= vMin, below it smooth and at least vMin / 3.
double crRegularize(double v, double vMin);

// approach: delta' at the event; negative counts as 0.
crContactMemory crFreezeContact(const crContactLaw* law, const crTouchGeometry* geometry, double approach);

// For all responses that exert a force; observer and impulsive laws above their limit give none.
crContactForce crComputeContactForce(const crContactLaw* law, const crContactMemory* memory,
                                     const crContactMotion* motion);

// Half the width of the hysteresis of z1, z2: the option, but at most 1/100 of the depth in which `mass` [kg] rests under
// gravity [m/s^2], and at least 1e-13 m.
double crComputeHysteresis(const crContactLaw* law, const crTouchGeometry* geometry, double mass, double gravity);

// How long a free impact of this approach speed takes, roughly, and how deep it goes.
double crEstimateDepth(const crContactMemory* memory, double mass, double approach);    // [m]
double crEstimateDuration(const crContactMemory* memory, double mass, double approach); // [s]; infinite without approach

#endif
