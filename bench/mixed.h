// The pile of boxes, cylinders and hulls for programs that do not read models: bench/scenes/mixed_pile.lua is the same.
//
// The motion is chaotic, so what is compared is the height of the pile. Of Carom the energy that its balance cannot
// explain is told as well, over what was dissipated; the others keep no balance.
#ifndef CR_BENCH_MIXED_H
#define CR_BENCH_MIXED_H

#include "record.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define MIXED_STEP 1e-3 // [s] of programs with a fixed step
#define MIXED_STOP 0.5  // [s]
#define MIXED_GRAVITY 9.81
#define MIXED_DENSITY 1000.0
#define MIXED_FRICTION 0.5
#define MIXED_PITCH 0.1    // [m]
#define MIXED_RADIUS 0.028 // [m] of cylinders,
#define MIXED_LENGTH 0.06  // [m]
#define MIXED_REACH 0.035  // [m] of hulls
#define MIXED_CORNERS 12   // of them
#define MIXED_LIMIT 60.0   // [s] of CPU time, after which a program stops
#define MIXED_GOLDEN 2.399963229728653

static const double mixedBox[3] = { 0.06, 0.05, 0.04 }; // [m]
static const int mixedSizes[2] = { 100, 1000 };

static inline int mixedSide(int n) // bodies along an edge
{
  return (int)ceil(cbrt((double)n) - 1e-9);
}

static inline double mixedHalfWidth(int n) // [m] of the room
{
  return mixedSide(n) * MIXED_PITCH / 2 + 0.01;
}

static inline double mixedRandom(uint64_t* state) // [Marsaglia03]
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 9007199254740992.0;
}

// Places, and orientations as quaternions (w, x, y, z).
static inline void placeMixed(int n, double (*p)[3], double (*q)[4])
{
  uint64_t state = 88172645463325252u;
  int side = mixedSide(n);
  for (int i = 0; i < n; i++) {
    double square = 0;
    for (int k = 0; k < 4; k++) {
      q[i][k] = mixedRandom(&state) - 0.5;
      square += q[i][k] * q[i][k];
    }
    for (int k = 0; k < 4; k++) {
      q[i][k] /= sqrt(square);
    }
    p[i][0] = (i % side - (side - 1) / 2.0) * MIXED_PITCH;
    p[i][1] = (i / side % side - (side - 1) / 2.0) * MIXED_PITCH;
    p[i][2] = 0.06 + i / (side * side) * MIXED_PITCH;
  }
}

static inline void mixedCorner(int i, double x[3])
{
  double z = 1 - (2 * i + 1) / 12.0, s = sqrt(1 - z * z);
  x[0] = MIXED_REACH * s * cos(i * MIXED_GOLDEN);
  x[1] = MIXED_REACH * s * sin(i * MIXED_GOLDEN);
  x[2] = MIXED_REACH * z;
}

static inline double mixedNow(void) // [s] of CPU time
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void printMixedHead(void)
{
  printf("%-36s %6s %10s %12s %16s %14s\n", "boxes, cylinders and hulls", "bodies", "time [s]", "CPU [s/s]",
         "mean height [m]", "unexplained");
}

// t: [s] how far it came. unexplained: [-] of what was dissipated; NaN: nobody knows.
static inline void printMixedRow(const char* what, const char* key, int n, double t, double seconds, double height,
                                 double unexplained)
{
  char name[96];
  printf("%-36s %6d %10.3g %12.4g %16.4f %14.1e\n", what, n, t, seconds / t, height, unexplained);
  fflush(stdout);
  snprintf(name, sizeof name, "mixed.%s.%d.cpu", key, n);
  recordNumber(name, seconds / t);
  snprintf(name, sizeof name, "mixed.%s.%d.time", key, n);
  recordNumber(name, t);
  snprintf(name, sizeof name, "mixed.%s.%d.unexplained", key, n);
  recordNumber(name, unexplained);
}

// With --quick only the first size.
static inline int countMixedSizes(int argc, char** argv)
{
  return argc > 1 && argv[1][2] == 'q' ? 1 : 2;
}

#endif
