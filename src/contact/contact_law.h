// Contact laws: the force between two bodies at one touch, from depth, rates and what was frozen when it began.
//
//   f_n = max(0, k delta^n (1 + d delta')),   k = k_red c_res c_geo      on body 2 along e_n
//   f_t = -muK f_n e_t_reg,                   tau = -muR mu_geo f_n e_w_reg
//
// [NeumayrOtter19c] eq. 3 to 8, with the penetration rate delta' positive while approaching: -(v2 - v1) . e_n. The
// table of what differs from the papers, and why, is in docs/contact.md.
#ifndef CR_CONTACT_CONTACT_LAW_H
#define CR_CONTACT_CONTACT_LAW_H

#include "carom/model.h"
#include "collide/touch/touch.h"
#include "contact/hertz.h"

// What is frozen (crContactMemory, part of the discrete state), the motion and the force stand in carom/scene.h,
// because users' laws need them.

// Puts the radii that users gave in place of those of the shapes; NaN: none. A flat with a radius counts as round.
void crOverrideRadii(crTouchGeometry* geometry, double contactRadiusA, double contactRadiusB);

// Hertz' ellipse of a touch; false: its curvatures are not known, or both are flat. Along a line, where both are
// straight, there is none: it counts as the arc of a large circle.
bool crFindEllipse(const crTouchGeometry* geometry, crHertz* outEllipse);

// cor_reg of [NeumayrOtter19c] eq. 7 with cor_lim = max(cor_min, cor).
double crComputeRegularCor(const crContactLaw* law, double approach);

// |v| for |v| >= vMin, below it smooth and at least vMin / 3.
static inline double crRegularize(double v, double vMin)
{
  double size = fabs(v);
  if (size >= vMin) {
    return size;
  }
  return size * size / vMin * (1.0 - size / (3.0 * vMin)) + vMin / 3.0;
}

// d v of the law k delta^n (1 + d delta') whose free impact at speed v has the restitution cor, 0 < cor <= 1; for any
// n.
double crComputeExactDamping(double cor);

// u of area contacts, whose free impacts have the restitution cor: with delta' = v_s cos phi, c = cos phi,
//
//   e(u) = exp(-integral of u c^2 / (1 + u c (1 - c^2)) dc)      from -1 to 1 for u <= 1,
//   e(u) = 1 / u exp(-the same from -1 / u on)                   above, where 1 + u c is held at >= 0
double crComputeAreaRestitution(double u);
double crComputeAreaDamping(double cor); // its inverse

// approach: delta' at the event; negative counts as 0. Of area contacts nothing is frozen that the force needs: damping
// is u, and stiffness and exponent serve estimates.
crContactMemory crFreezeContact(const crContactLaw* law, bool isArea, const crTouchGeometry* geometry, double approach);

// What depends on the approach alone, anew: an impulse has changed it.
void crFreezeApproach(const crContactLaw* law, bool isArea, double approach, crContactMemory* memory);

// An observer exerts none. The impulsive law is elastic once its impulses are done: it carries what stays.
crContactForce crComputeContactForce(const crContactLaw* law, const crContactMemory* memory,
                                     const crContactMotion* motion);

// The same in place, where evaluations spend their time. What slip and turn take is divided out before f_n is known:
// square roots and divisions are slow, and so they need not wait for each other.
#define CR_HERTZ_EXPONENT 1.5
double crRaiseDepth(double depth, double exponent); // depth^exponent, for other exponents

static inline void crEvalContactForce(const crContactLaw* law, const crContactMemory* memory,
                                      const crContactMotion* motion, crContactForce* outForce)
{
  double depth = motion->depth, n = memory->exponent;
  if (!(depth > 0.0) || law->response == cr_responseObserver) {
    *outForce = (crContactForce){ .normalForce = 0.0 };
    return;
  }
  if (law->response == cr_responseUser) {
    *outForce = law->function(law->context, memory, motion);
    return;
  }
  bool rubs = !law->sticks; // else bristles do
  bool slides = law->muK > 0.0 && rubs, turns = law->muR > 0.0 && rubs;
  double slip = slides ? crLength(motion->slip) : 0.0, turn = turns ? crLength(motion->turn) : 0.0;
  double perSlip = slides ? law->muK / crRegularize(slip, law->vMin) : 0.0;
  double perTurn = turns ? law->muR * memory->lever / crRegularize(turn, law->wMin) : 0.0;
  double spring = memory->stiffness * (n == CR_HERTZ_EXPONENT ? depth * sqrt(depth) : crRaiseDepth(depth, n));
  double damper = memory->damping * motion->rate * (law->response == cr_responseSpringDamper ? 1.0 : spring);
  double sum = spring + damper, fn = sum < 0.0 ? 0.0 : sum; // not fmax: NaN stays NaN
  double bySlip = fn * perSlip, byTurn = fn * perTurn;
  outForce->normalForce = fn;
  outForce->force = crMulAdd(crScale(fn, motion->normal), -bySlip, motion->slip);
  outForce->torque = turns ? crScale(-byTurn, motion->turn) : crMakeVec3(0.0, 0.0, 0.0);
  outForce->elastic = spring * depth / (n + 1.0);
  outForce->dissipation = (fn - spring) * motion->rate + bySlip * slip * slip + byTurn * turn * turn;
}

// How the force changes with the motion, at a fixed normal: v is that of body 2 relative to body 1, of which the motion
// has slip and rate, w their relative angular velocity.
typedef struct crContactSlope {
  crVec3 forcePerDepth, torquePerDepth; // [N/m], [N]
  crMat3 forcePerV, torquePerV;         // [N s/m], [N s]
  crMat3 forcePerW, torquePerW;         // [N s], [N m s]
} crContactSlope;

// Closed forms; differences for a law of the user. contact_slope.c
crContactSlope crComputeContactSlope(const crContactLaw* law, const crContactMemory* memory,
                                     const crContactMotion* motion, const crContactForce* force);

// Half the width of the hysteresis of z1, z2: the option, but at most 1/100 of the depth in which `mass` [kg] rests
// under gravity [m/s^2], and at least 1e-13 m unless the option is less.
double crComputeHysteresis(const crContactLaw* law, bool isArea, const crTouchGeometry* geometry, double mass,
                           double gravity);
// That share of the depth alone; infinite without a weight.
double crComputeRestHysteresis(const crContactLaw* law, bool isArea, const crTouchGeometry* geometry, double mass,
                               double gravity);

// How long a free impact of this approach speed takes, roughly, and how deep it goes.
double crEstimateDepth(const crContactMemory* memory, double mass, double approach); // [m]
double crEstimateDuration(const crContactMemory* memory, double mass,
                          double approach); // [s]; infinite without approach

#endif
