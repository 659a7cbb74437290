// The pile of spheres for programs that do not read models: bench/scenes/pile.lua is the same. n spheres on a jittered
// lattice just above the floor of an open box. They settle in the first half second and are watched again from 2 s on.
//
// The motion is chaotic, so what is compared is the state of the pile: how deep its spheres are in each other, which
// stiff contact makes small, and the mean height of their centres, which must agree between programs.
#ifndef CR_BENCH_PILE_H
#define CR_BENCH_PILE_H

#include "record.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define PILE_RADIUS 0.05 // [m]
#define PILE_MASS (1000.0 * 4 / 3 * 3.14159265358979323846 * PILE_RADIUS * PILE_RADIUS * PILE_RADIUS)
#define PILE_INERTIA (0.4 * PILE_MASS * PILE_RADIUS * PILE_RADIUS)
#define PILE_FRICTION 0.5
#define PILE_GRAVITY 9.81    // [m/s^2]
#define PILE_STEP 1e-3       // [s] of programs with a fixed step
#define PILE_SETTLE 0.5      // [s] duration of settling
#define PILE_REST_BEGIN 2.0  // [s]
#define PILE_REST_END 2.5    // [s]
#define PILE_LARGE 10000     // so many spheres only settle
#define PILE_TIME_LIMIT 60.0 // [s] of CPU time, after which a program stops

static inline int pileSide(int n) // spheres along an edge
{
  return (int)ceil(cbrt((double)n) - 1e-9);
}

static inline double pileHalfWidth(int n) // [m] of the box
{
  return pileSide(n) * 1.05 * PILE_RADIUS + 0.1 * PILE_RADIUS;
}

static inline double pileRandom(uint64_t* state) // [Marsaglia03]
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static inline void placePile(int n, double (*p)[3])
{
  uint64_t state = 88172645463325252u;
  int side = pileSide(n);
  double pitch = 2.05 * PILE_RADIUS, corner = -(side - 1) * pitch / 2;
  for (int i = 0; i < n; i++) {
    p[i][0] = corner + i % side * pitch + 0.02 * PILE_RADIUS * (pileRandom(&state) - 0.5);
    p[i][1] = corner + i / side % side * pitch + 0.02 * PILE_RADIUS * (pileRandom(&state) - 0.5);
    p[i][2] = 1.2 * PILE_RADIUS + i / (side * side) * pitch;
  }
}

// [m] of spheres in each other and in the walls.
static inline double findDeepest(int n, const double (*p)[3])
{
  double deepest = 0, half = pileHalfWidth(n);
  for (int i = 0; i < n; i++) {
    double wall = fmax(-p[i][2], fmax(fabs(p[i][0]), fabs(p[i][1])) - half) + PILE_RADIUS;
    deepest = wall > deepest ? wall : deepest;
    for (int j = 0; j < i; j++) {
      double x = p[i][0] - p[j][0], y = p[i][1] - p[j][1], z = p[i][2] - p[j][2], square = x * x + y * y + z * z;
      if (square < 4 * PILE_RADIUS * PILE_RADIUS) {
        deepest = fmax(deepest, 2 * PILE_RADIUS - sqrt(square));
      }
    }
  }
  return deepest;
}

static inline double findHeight(int n, const double (*p)[3]) // [m] mean
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += p[i][2] / n;
  }
  return sum;
}

static inline double pileNow(void) // [s] of CPU time
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// CPU time up to the marks of a run; NaN: not reached.
typedef struct PileClock {
  double start, settled, restBegin, restEnd; // [s]
  double end;                                // [s] of the simulation
} PileClock;

static inline double pileEnd(int n) // [s]
{
  return n < PILE_LARGE ? PILE_REST_END : PILE_SETTLE;
}

static inline PileClock startPileClock(int n)
{
  PileClock clock = { pileNow(), NAN, NAN, NAN, pileEnd(n) };
  return clock;
}

// To be called when the simulation has reached t; true: it may go on.
static inline int markPile(PileClock* clock, double t)
{
  double now = pileNow() - clock->start;
  clock->settled = isnan(clock->settled) && t > PILE_SETTLE - 1e-9 ? now : clock->settled;
  clock->restBegin = isnan(clock->restBegin) && t > PILE_REST_BEGIN - 1e-9 ? now : clock->restBegin;
  clock->restEnd = isnan(clock->restEnd) && t > PILE_REST_END - 1e-9 ? now : clock->restEnd;
  return t < clock->end - 1e-9 && now < PILE_TIME_LIMIT;
}

static inline void printPileHead(void)
{
  printf("%-36s %7s %18s %18s %12s %14s\n", "pile of spheres, CPU [s/s]", "spheres", "settling", "at rest",
         "deepest [m]", "mean height [m]");
}

static inline void printPileRow(const char* what, const char* key, int n, const PileClock* clock, double deepest,
                                double height)
{
  double settling = clock->settled / PILE_SETTLE;
  double rest = (clock->restEnd - clock->restBegin) / (PILE_REST_END - PILE_REST_BEGIN);
  char name[96];
  printf("%-36s %7d %18.4g %18.4g %12.1e %14.4f\n", what, n, settling, rest, deepest, height);
  fflush(stdout);
  snprintf(name, sizeof name, "pile.%s.%d.settling", key, n);
  recordNumber(name, settling);
  snprintf(name, sizeof name, "pile.%s.%d.rest", key, n);
  recordNumber(name, rest);
  snprintf(name, sizeof name, "pile.%s.%d.deepest", key, n);
  recordNumber(name, deepest);
}

// The sizes to run: so many of them; with --quick only the first, with --all 10,000 as well.
static inline int countPileSizes(int argc, char** argv, int usual)
{
  int count = usual;
  for (int i = 1; i < argc; i++) {
    count = argv[i][2] == 'q' ? 1 : argv[i][2] == 'a' ? 3 : count;
  }
  return count;
}
static const int pileSizes[3] = { 100, 1000, 10000 };

#endif
