// Distances and forces of the contact law of billiards.h on islands of balls; inline, because steps do little else.
#ifndef CR_BENCH_PROTOTYPE_FORCE_H
#define CR_BENCH_PROTOTYPE_FORCE_H

#include "world.h"

static inline double planeGap(const World* world, const double* state, int plane) // [m]
{
  switch (plane) {
    case 0: return state[2] - RADIUS;
    case 1: return world->halfX - state[0] - RADIUS;
    case 2: return world->halfX + state[0] - RADIUS;
    case 3: return world->halfY - state[1] - RADIUS;
    default: return world->halfY + state[1] - RADIUS;
  }
}

static inline double planeRate(const double* state, int plane) // [m/s]
{
  switch (plane) {
    case 0: return state[5];
    case 1: return -state[3];
    case 2: return state[3];
    case 3: return -state[4];
    default: return state[4];
  }
}

static inline double pairGap(const double* a, const double* b) // [m]
{
  double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return sqrt(x * x + y * y + z * z) - 2 * RADIUS;
}

static inline double pairRate(const double* a, const double* b) // [m/s]
{
  double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  double u = b[3] - a[3], v = b[4] - a[4], w = b[5] - a[5];
  return (x * u + y * v + z * w) / sqrt(x * x + y * y + z * z);
}

static inline void pushFromTable(const World* world, const double* s, double damping, double* a)
{
  double depth = RADIUS - s[2];
  if (depth <= 0) {
    return;
  }
  double force = world->kPlane * depth * sqrt(depth) * (1 - damping * s[5]);
  if (force <= 0) {
    return;
  }
  double arm = RADIUS - 0.5 * depth, slipX = s[3] - arm * s[7], slipY = s[4] + arm * s[6];
  double perSlip = world->muK * force / regularize(sqrt(slipX * slipX + slipY * slipY), V_MIN);
  double perSpin = world->muR * RADIUS * force / regularize(sqrt(s[6] * s[6] + s[7] * s[7] + s[8] * s[8]), V_MIN);
  double x = -perSlip * slipX, y = -perSlip * slipY;
  a[0] += x / MASS;
  a[1] += y / MASS;
  a[2] += force / MASS;
  a[3] += (arm * y - perSpin * s[6]) / INERTIA;
  a[4] += (-arm * x - perSpin * s[7]) / INERTIA;
  a[5] -= perSpin * s[8] / INERTIA;
}

static inline void pushFromWalls(const World* world, const double* s, const Ball* ball, double* a)
{
  for (int plane = 1; plane < PLANES; plane++) {
    if ((ball->touches >> plane & 1) == 0) {
      continue;
    }
    int axis = plane >= 3;
    double sign = (plane & 1) != 0 ? -1 : 1, depth = RADIUS - ((axis ? world->halfY : world->halfX) + sign * s[axis]);
    if (depth > 0) {
      double force = world->kPlane * depth * sqrt(depth) * (1 - sign * ball->damping[plane] * s[3 + axis]);
      a[axis] += force > 0 ? sign * force / MASS : 0;
    }
  }
}

static inline void pushApart(const World* world, const Touch* touch, const double* p, const double* q, double* a,
                             double* b)
{
  double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2], length = sqrt(x * x + y * y + z * z);
  double depth = 2 * RADIUS - length;
  if (depth <= 0) {
    return;
  }
  double perLength = 1 / length;
  x *= perLength;
  y *= perLength;
  z *= perLength;
  double rate = x * (p[3] - q[3]) + y * (p[4] - q[4]) + z * (p[5] - q[5]);
  double force = world->kBall * depth * sqrt(depth) * (1 + touch->damping * rate) / MASS;
  if (force > 0) {
    a[0] -= force * x;
    a[1] -= force * y;
    a[2] -= force * z;
    b[0] += force * x;
    b[1] += force * y;
    b[2] += force * z;
  }
}

static inline void computeAccelerations(const World* world, const Island* island, const double* states, double* rates)
{
  for (int k = 0; k < island->ballCount; k++) {
    const Ball* ball = &world->balls[island->balls[k]];
    const double* s = states + STATE_SIZE * k;
    double* a = rates + 6 * k;
    memset(a, 0, 6 * sizeof *a);
    a[2] = -GRAVITY;
    if ((ball->touches & 1) != 0) {
      pushFromTable(world, s, ball->damping[0], a);
    }
    if (ball->touches >> 1 != 0) {
      pushFromWalls(world, s, ball, a);
    }
  }
  for (int k = 0; k < island->touchCount; k++) {
    const Touch* touch = &island->touches[k];
    int a = world->balls[touch->a].place, b = world->balls[touch->b].place;
    pushApart(world, touch, states + STATE_SIZE * a, states + STATE_SIZE * b, rates + 6 * a, rates + 6 * b);
  }
}

#endif
