// The elastic contact law of the benchmark scene on plain arrays, with contacts that begin and end at events.
#ifndef CR_BENCH_BILLIARDS_LAW_H
#define CR_BENCH_BILLIARDS_LAW_H

#include "billiards.h"

#define PAIRS (5 * BALLS + BALLS * (BALLS - 1) / 2)
#define HYSTERESIS 1e-8 // [m]

enum { table = -1, wallRight = -2, wallLeft = -3, wallBack = -4, wallFront = -5 };

typedef struct Contact {
  int isOn, i, j; // j: a ball, or one of the planes
  double damping; // [s/m]
} Contact;

static Contact contacts[PAIRS];

static inline void clearContacts(void)
{
  int c = 0;
  for (int i = 0; i < BALLS; i++) {
    for (int plane = table; plane >= wallFront; plane--) {
      Contact apart = { 0, i, plane, 0 };
      contacts[c++] = apart;
    }
  }
  for (int i = 0; i < BALLS; i++) {
    for (int j = i + 1; j < BALLS; j++) {
      Contact apart = { 0, i, j, 0 };
      contacts[c++] = apart;
    }
  }
}

static inline double contactDistance(const Contact* c, const double (*P)[3])
{
  const double* p = P[c->i];
  if (c->j >= 0) {
    const double* q = P[c->j];
    double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
    return sqrt(x * x + y * y + z * z) - 2 * RADIUS;
  }
  switch (c->j) {
    case table: return p[2] - RADIUS;
    case wallRight: return HALF_LENGTH - p[0] - RADIUS;
    case wallLeft: return HALF_LENGTH + p[0] - RADIUS;
    case wallBack: return HALF_WIDTH - p[1] - RADIUS;
    default: return HALF_WIDTH + p[1] - RADIUS;
  }
}

// z1 and z2.
static inline void findIndicators(const double (*P)[3], double z[2])
{
  z[0] = -1;
  z[1] = 1;
  for (int c = 0; c < PAIRS; c++) {
    double d = contactDistance(&contacts[c], P);
    if (contacts[c].isOn) {
      z[0] = d > z[0] ? d : z[0];
    } else {
      z[1] = d < z[1] ? d : z[1];
    }
  }
  z[1] += 2 * HYSTERESIS;
}

static inline void beginContact(Contact* c, const double (*P)[3], const double (*V)[3])
{
  const double *p = P[c->i], *v = V[c->i];
  if (c->j >= 0) {
    const double *q = P[c->j], *u = V[c->j];
    double length = 0, sum = 0;
    for (int a = 0; a < 3; a++) {
      length += (q[a] - p[a]) * (q[a] - p[a]);
      sum += (q[a] - p[a]) * (v[a] - u[a]);
    }
    c->damping = findDamping(1, sum / sqrt(length));
  } else if (c->j == table) {
    c->damping = findDamping(0, v[2]);
  } else {
    c->damping = findDamping(0.8, c->j >= wallLeft ? v[0] : v[1]);
  }
}

// At an event: contacts that are over end, those that are deep enough begin.
static inline void resolveContacts(const double (*P)[3], const double (*V)[3], double slack)
{
  for (int k = 0; k < PAIRS; k++) {
    Contact* c = &contacts[k];
    double d = contactDistance(c, P);
    if (c->isOn ? d >= -slack : d <= -2 * HYSTERESIS + slack) {
      c->isOn = !c->isOn;
      if (c->isOn) {
        beginContact(c, P, V);
      }
    }
  }
}

static inline void pushBalls(const Contact* c, double depth, const double (*P)[3], const double (*V)[3], double (*F)[3])
{
  const double *p = P[c->i], *v = V[c->i], *q = P[c->j], *u = V[c->j];
  double length = 2 * RADIUS - depth, rate = 0, n[3];
  for (int a = 0; a < 3; a++) {
    n[a] = (q[a] - p[a]) / length;
    rate += n[a] * (v[a] - u[a]);
  }
  double force = ballStiffness() * depth * sqrt(depth) * (1 + c->damping * rate);
  for (int a = 0; a < 3 && force > 0; a++) {
    F[c->i][a] -= force * n[a];
    F[c->j][a] += force * n[a];
  }
}

// Friction and rolling resistance act in the middle of the two witness points.
static inline void pushFromTable(int i, double depth, double damping, const double (*V)[3], const double (*W)[3],
                                 double (*F)[3], double (*T)[3])
{
  const double *v = V[i], *w = W[i];
  double force = wallStiffness() * depth * sqrt(depth) * (1 - damping * v[2]);
  if (force <= 0) {
    return;
  }
  double arm = RADIUS - 0.5 * depth, slipX = v[0] - arm * w[1], slipY = v[1] + arm * w[0];
  double perSlip = 0.6 * force / regularize(sqrt(slipX * slipX + slipY * slipY), V_MIN);
  double perSpin = 0.02 * RADIUS * force / regularize(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), V_MIN);
  double x = -perSlip * slipX, y = -perSlip * slipY;
  F[i][0] += x;
  F[i][1] += y;
  F[i][2] += force;
  T[i][0] += arm * y - perSpin * w[0];
  T[i][1] += -arm * x - perSpin * w[1];
  T[i][2] += -perSpin * w[2];
}

static inline void findForces(const double (*P)[3], const double (*V)[3], const double (*W)[3], double (*F)[3],
                              double (*T)[3])
{
  for (int k = 0; k < PAIRS; k++) {
    const Contact* c = &contacts[k];
    double depth = c->isOn ? -contactDistance(c, P) : 0;
    if (depth <= 0) {
      continue;
    }
    if (c->j >= 0) {
      pushBalls(c, depth, P, V, F);
    } else if (c->j == table) {
      pushFromTable(c->i, depth, c->damping, V, W, F, T);
    } else {
      int axis = c->j >= wallLeft ? 0 : 1;
      double sign = c->j == wallRight || c->j == wallBack ? -1 : 1;
      double force = wallStiffness() * depth * sqrt(depth) * (1 - sign * c->damping * V[c->i][axis]);
      F[c->i][axis] += force > 0 ? sign * force : 0;
    }
  }
}

#endif
