// What four contacts of balls do, in lanes. With D from the middle of A to that of B, |D| its length, and the arm of A
// a share s of D, that of B the rest of it:
//
//   s = (|D| + r_A - r_B) / (2 |D|),   v = v_B - v_A - (s w_A + (1 - s) w_B) x D,   delta = r_A + r_B - |D|
//   t_A = -s D x f,   t_B = -(1 - s) D x f
//
// The point of application is the middle of the two witness points, as everywhere.
#ifndef CR_CONTACT_BALL_PUSH_H
#define CR_CONTACT_BALL_PUSH_H

#include "contact/ball_lanes_inside.h"

typedef struct Lanes3 {
  crLanes x, y, z;
} Lanes3;

typedef __typeof__((crLanes){ 0.0 } < (crLanes){ 0.0 }) Mask;

static inline crLanes splat(double a)
{
  return (crLanes){ a, a, a, a };
}

static inline crLanes load(const double* from)
{
  crLanes l;
  memcpy(&l, from, sizeof l);
  return l;
}

static inline void store(double* to, crLanes l)
{
  memcpy(to, &l, sizeof l);
}

static inline crLanes root(crLanes a)
{
  return (crLanes){ sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3]) };
}

static inline crLanes choose(Mask mask, crLanes a, crLanes b)
{
  return (crLanes)(((Mask)a & mask) | ((Mask)b & ~mask));
}

static inline crLanes cutOff(crLanes a) // below 0
{
  return choose(a > splat(0.0), a, splat(0.0));
}

// Four rows of which the first three lanes count.
static inline Lanes3 turn(const crLanes r[CR_BALL_WIDTH])
{
  crLanes ab0 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), ab1 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  crLanes cd0 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), cd1 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  return (Lanes3){ __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5),
                   __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7) };
}

static inline void turnBack(Lanes3 l, crLanes out[CR_BALL_WIDTH])
{
  crLanes zero = splat(0.0);
  crLanes a = __builtin_shufflevector(l.x, l.y, 0, 4, 2, 6), b = __builtin_shufflevector(l.x, l.y, 1, 5, 3, 7);
  crLanes c = __builtin_shufflevector(l.z, zero, 0, 4, 2, 6), d = __builtin_shufflevector(l.z, zero, 1, 5, 3, 7);
  out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  out[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// What four contacts do.
typedef struct Push {
  Lanes3 force; // on B
  Lanes3 torqueA, torqueB;
  crLanes dissipation;               // [W]
  crLanes normal, depth, rate, slip; // [N], [m], [m/s]
} Push;

// The law of crEvalContactForce. inverse: 1 / |D|; perhaps infinite where there is nothing, which has no stiffness.
// isEven: all balls are alike, so that both arms are half of D, and wA is the sum of both spins.
static inline __attribute__((always_inline)) Push evalPush(const crBallLists* lists, int i, Lanes3 D, Lanes3 v,
                                                           Lanes3 wA, Lanes3 wB, bool isEven)
{
  crLanes distance = root(D.x * D.x + D.y * D.y + D.z * D.z), inverse = 1.0 / distance;
  crLanes share = splat(0.5), rest = share, wx = 0.5 * wA.x, wy = 0.5 * wA.y, wz = 0.5 * wA.z;
  if (!isEven) {
    share = 0.5 + 0.5 * load(lists->diff + i) * inverse;
    rest = 1.0 - share;
    wx = share * wA.x + rest * wB.x;
    wy = share * wA.y + rest * wB.y;
    wz = share * wA.z + rest * wB.z;
  }
  crLanes depth = cutOff(load(lists->sum + i) - distance);
  crLanes rate = -(D.x * v.x + D.y * v.y + D.z * v.z) * inverse, along = rate * inverse;
  crLanes spring = load(lists->k + i) * depth * root(depth);
  crLanes fn = cutOff(spring + spring * load(lists->d + i) * rate);
  Lanes3 s = { v.x - (wy * D.z - wz * D.y) + along * D.x, v.y - (wz * D.x - wx * D.z) + along * D.y,
               v.z - (wx * D.y - wy * D.x) + along * D.z };
  crLanes square = s.x * s.x + s.y * s.y + s.z * s.z, slip = root(square), vMin = load(lists->vMin + i);
  crLanes perMin = load(lists->perMin + i);
  crLanes slow = square * perMin * (1.0 - (1.0 / 3.0) * (slip * perMin)) + (1.0 / 3.0) * vMin;
  crLanes per = fn * (load(lists->muK + i) / choose(slip < vMin, slow, slip)), pull = fn * inverse;
  Lanes3 T = { per * (D.y * s.z - D.z * s.y), per * (D.z * s.x - D.x * s.z), per * (D.x * s.y - D.y * s.x) };
  return (Push){ { pull * D.x - per * s.x, pull * D.y - per * s.y, pull * D.z - per * s.z },
                 { share * T.x, share * T.y, share * T.z },
                 { rest * T.x, rest * T.y, rest * T.z },
                 (fn - spring) * rate + per * square,
                 fn,
                 depth,
                 rate,
                 slip };
}

#endif
