// Friction that sticks: one bristle per contact, a spring beside a damper, in series with Coulomb's slider. The bristle
// x is a state of the equations of motion; there are no modes, no events, and no speed to regularize with.
//
//   T  = k x + c u                        what it would pull with if nothing slipped
//   f  = T           |T| <= muS f_n       sticks, x' = u
//   f  = F T / |T|   else                 slides, x' = (f - k x) / c
//   F  = f_n (muK + (muS - muK) exp(-(|T| - muS f_n) / (c slipFade)))
//
// While it sticks x is a difference of positions, a linear invariant that every Runge-Kutta method keeps to round-off:
// nothing drifts under load. It stores k x^2 / 2 and dissipates f . u - k x . x' >= 0.
//
// u are velocities of body B against A along directions that turn with the normal. With a base (e1, e2, n),
//
//   at a point   v.e1, v.e2                     and where muR > 0   w.e1, w.e2, w.n
//   by area      v.e1, v.e2, r_p w.n            and where muR > 0   w.e1, w.e2
//
// those behind the gap by a second bristle, whose limit is muR lever f_n; r_p is the lever at which the pressure of the
// patch resists drilling. The base is carried from step to step by the least turn of its normal, a smooth function of
// the poses, so that x are plain numbers; what both bodies turn about the normal together is added to x'.
#ifndef CR_CONTACT_BRISTLE_H
#define CR_CONTACT_BRISTLE_H

#include "base/archive.h"
#include "carom/record.h"
#include "contact/contact_law.h"

typedef struct crBristle {
  int count; // states; 0: the contact does not stick
  bool isPatch;
  bool isHeld;                       // without limit, while bodies are put at rest
  double stiffness, damping;         // [N/m], [N s/m] k and c
  double rollStiffness, rollDamping; // [N m/rad], [N m s/rad] of the second one
  double ratio;                      // [-] damping ratio of both
  crVec3 axis, normal;               // the base where it was carried last: e1 and n
  double x[CR_MOST_BRISTLES];        // [m], behind the gap [rad]
  // as evaluated last
  double rate[CR_MOST_BRISTLES];
  double used;  // [-] of its limit; 1: slides
  double slide; // [m/s] of the slider: how fast the surfaces slip
} crBristle;

// What it feels.
typedef struct crBristleMotion {
  crVec3 n, v, w; // normal, sliding velocity, relative angular velocity
  double twirl;   // [rad/s] of both bodies about n, mean
  double radius;  // [m] r_p
  double load;    // [N] f_n >= 0
  double lever;   // [m] of rolling friction
} crBristleMotion;

typedef struct crBristleForce {
  crVec3 force, torque; // [N], [N m] on B
  double stored;        // [J]
  double power;         // [W] >= 0: dissipated
} crBristleForce;

// States of a contact by this law; 0: it does not stick.
CR_FRIEND int crCountBristles(const crContactLaw* law, bool isPatch);

// A new one. stiffness [N/m]: of the contact across, where it will rest or an impact presses it; mass [kg]: reduced.
crBristle crMakeBristle(const crContactLaw* law, bool isPatch, crVec3 n, double stiffness, double mass, double cor,
                        double lever);

// Fills its rates.
void crEvalBristle(const crContactLaw* law, const crBristleMotion* motion, crBristle* bristle,
                   crBristleForce* outForce);

// How forces on B and rates change, at a fixed normal.
typedef struct crBristleSlope {
  crVec3 forceByLoad, torqueByLoad;
  crMat3 forceByV, torqueByV, forceByW, torqueByW;
  crVec3 forceBy[CR_MOST_BRISTLES], torqueBy[CR_MOST_BRISTLES]; // by the states
  double rateByLoad[CR_MOST_BRISTLES];
  crVec3 rateByV[CR_MOST_BRISTLES], rateByW[CR_MOST_BRISTLES];
  double rateBy[CR_MOST_BRISTLES][CR_MOST_BRISTLES]; // row by row
} crBristleSlope;

void crComputeBristleSlope(const crContactLaw* law, const crBristleMotion* motion, const crBristle* bristle,
                           crBristleSlope* outSlope);

// [-] Of its limits under this load, the larger one, at rest.
double crBristle_FindUse(const crContactLaw* law, double load, double lever, const crBristle* bristle);
double crBristle_GetStored(const crBristle* bristle); // [J]
// Carries the base to another normal: at the end of a step, where nothing depends on it.
void crBristle_Carry(crBristle* bristle, crVec3 n);
// Another damping ratio; stores what it did.
void crBristle_SetRatio(crBristle* bristle, double ratio);

// As part of a state of a simulation, and back, as evaluated last with nothing.
crContactBristle crBristle_Keep(const crBristle* bristle);
crBristle crBristle_Restore(const crContactBristle* kept);
// What is wrong with one; NULL: nothing.
const char* crFindBristleFault(const crContactBristle* kept);

void crBristle_Archive(crArchive* archive, crBristle* bristle);

#endif
