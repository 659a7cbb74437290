// Six boxes dropped on each other and on a floor, without friction and with a restitution of 1: whatever the energy
// changes by after 2 s is an error. The motion is chaotic, so places do not compare.
#ifndef CR_BENCH_BOXES_H
#define CR_BENCH_BOXES_H

#include "record.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define BOXES 6
#define BOX_DENSITY 1000.0 // [kg/m^3]
#define BOX_GRAVITY 9.81   // [m/s^2]
#define BOX_STOP 2.0       // [s]

static const double boxSize[3] = { 0.1, 0.2, 0.3 }; // [m]

static inline double boxMass(void)
{
  return BOX_DENSITY * boxSize[0] * boxSize[1] * boxSize[2];
}

// [kg m^2] about an axis through the middle.
static inline double boxInertia(int axis)
{
  double u = boxSize[(axis + 1) % 3], v = boxSize[(axis + 2) % 3];
  return boxMass() * (u * u + v * v) / 12;
}

static inline double boxRandom(uint64_t* state) // [Marsaglia03]
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 9007199254740992.0;
}

// Places, and orientations as quaternions (w, x, y, z).
static inline void placeBoxes(double (*p)[3], double (*q)[4])
{
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < BOXES; i++) {
    double length = 0;
    for (int k = 0; k < 4; k++) {
      q[i][k] = boxRandom(&state) - 0.5;
      length += q[i][k] * q[i][k];
    }
    for (int k = 0; k < 4; k++) {
      q[i][k] /= sqrt(length);
    }
    p[i][0] = 0.1 * boxRandom(&state);
    p[i][1] = 0.1 * boxRandom(&state);
    p[i][2] = 0.3 + 0.35 * i;
  }
}

// [J] of a box at a height, with its velocity and its angular velocity in body axes.
static inline double boxEnergy(double height, const double v[3], const double w[3])
{
  double energy = boxMass() * BOX_GRAVITY * height;
  for (int k = 0; k < 3; k++) {
    energy += 0.5 * (boxMass() * v[k] * v[k] + boxInertia(k) * w[k] * w[k]);
  }
  return energy;
}

// [J] of all at the start, where they rest.
static inline double boxesStartEnergy(void)
{
  double p[BOXES][3], q[BOXES][4], none[3] = { 0, 0, 0 }, sum = 0;
  placeBoxes(p, q);
  for (int i = 0; i < BOXES; i++) {
    sum += boxEnergy(p[i][2], none, none);
  }
  return sum;
}

static inline double boxNow(void) // [s] of CPU time
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void printBoxHead(void)
{
  printf("%-44s %8s %10s %14s %10s\n", "six dropped boxes, no losses", "steps", "CPU [ms]", "change [J]", "of");
}

static inline void printBoxRow(const char* what, const char* key, long steps, double seconds, double change)
{
  char name[96];
  printf("%-44s %8ld %10.2f %14.2e %10.4g\n", what, steps, 1e3 * seconds, change, boxesStartEnergy());
  fflush(stdout);
  snprintf(name, sizeof name, "boxes.%s.cpu", key);
  recordNumber(name, seconds);
  snprintf(name, sizeof name, "boxes.%s.change", key);
  recordNumber(name, change);
}

#endif
