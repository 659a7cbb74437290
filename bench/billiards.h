// The benchmark scene of billiards for programs that do not read models: numbers, start, reference and one row of
// output.
//
// Sixteen balls on a half-space between four others, the cue ball at 3 m/s; bench/scenes/billiards16.lua is the same. The
// reference was integrated by a program of its own, one explicit Runge-Kutta method of order 5 for all balls at a
// tolerance of 1e-13 with every contact event located; two other methods (order 5 and a BDF method, hand-written
// right-hand side) agree with it to 1e-9 m at their tightest tolerances. The scene is not chaotic: errors of 1e-8 stay
// 1e-7 after 5 s.
#ifndef CR_BENCH_BILLIARDS_H
#define CR_BENCH_BILLIARDS_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BALLS 16
#define RADIUS 0.03 // [m]
#define MASS 0.2    // [kg]
#define INERTIA (0.4 * MASS * RADIUS * RADIUS)
#define GRAVITY 9.81                             // [m/s^2]
#define HALF_LENGTH 1.12                         // [m] of the table, from the middle to a wall
#define HALF_WIDTH 0.56                          // [m]
#define CUE_SPEED 3.0                            // [m/s]
#define V_MIN 0.01                               // [m/s], [rad/s]
#define STOP_TIME 5.0                            // [s]
#define BALL_MODULUS (5.4e9 / (1 - 0.34 * 0.34)) // [N/m^2] E / (1 - nu^2)
#define WALL_MODULUS (1.1e10 / (1 - 0.4 * 0.4))

static inline double wallStiffness(void) // [N/m^1.5]
{
  return 4.0 / 3.0 / (1 / BALL_MODULUS + 1 / WALL_MODULUS) * sqrt(RADIUS);
}

static inline double ballStiffness(void)
{
  return 4.0 / 3.0 * (BALL_MODULUS / 2) * sqrt(RADIUS / 2);
}

// |v| for |v| >= least, smooth and at least a third of it below.
static inline double regularize(double v, double least)
{
  v = fabs(v);
  return v >= least ? v : v * v / least * (1 - v / (3 * least)) + least / 3;
}

static inline double findDamping(double cor, double approach)
{
  double e = cor > 0.001 ? cor : 0.001;
  e += (0.001 - e) * exp(log(0.01) * fabs(approach) / V_MIN);
  double d = 8 * (1 - e) / (5 * e * regularize(approach, V_MIN));
  return d < 1000 ? d : 1000;
}

// The cue ball, then the rack row by row, all at rest on the table.
static inline void placeBalls(double p[BALLS][3])
{
  double z = RADIUS - pow(MASS * GRAVITY / wallStiffness(), 2.0 / 3.0), pitch = 2 * RADIUS + 1e-4;
  int k = 1;
  p[0][0] = -0.56;
  p[0][1] = 0;
  p[0][2] = z;
  for (int row = 0; row < 5; row++) {
    for (int j = 0; j <= row; j++, k++) {
      p[k][0] = 0.56 + row * pitch * sqrt(3.0) / 2;
      p[k][1] = (j - row / 2.0) * pitch;
      p[k][2] = z;
    }
  }
}

// An asymmetric rack: every ball up to 2e-5 m off its place, the cue ball 4 mm beside the axis. Seed 0: nothing moves.
static inline void shiftBalls(double p[BALLS][3], int seed)
{
  unsigned long state = (unsigned long)seed; // a linear congruential generator modulo 2^32, its upper 24 bits
  for (int i = 0; seed != 0 && i < BALLS; i++) {
    for (int a = 0; a < 2; a++) {
      state = (state * 1664525ul + 1013904223ul) & 0xfffffffful;
      p[i][a] += 4e-5 * ((double)(state >> 8) / 16777216.0 - 0.5);
    }
  }
  p[0][1] += seed != 0 ? 0.004 : 0;
}

// [m] x and y at 0.5 s and at 5 s
static const double referenceEarly[BALLS][2] = {
  { 0.49184243972221625, -1.3377795775764953e-22 }, { 0.55883264796001708, 2.866629633383619e-20 },
  { 0.60903020216597992, -0.033026645283654302 },   { 0.60903020216597992, 0.033026645283654302 },
  { 0.66107957737112433, -0.063481729321150149 },   { 0.66610232227097321, -8.6797416508170045e-21 },
  { 0.66107957737112433, 0.063481729321150149 },    { 0.71337027562149025, -0.09337294457768619 },
  { 0.71839516476445986, -0.031471944924441685 },   { 0.71839516476445986, 0.031471944924441685 },
  { 0.71337027562149025, 0.09337294457768619 },     { 0.79674927190613398, -0.13668443301687894 },
  { 0.77285924258429206, -0.06193761992279212 },    { 0.77809223993065779, -7.8505056077946534e-21 },
  { 0.77285924258429206, 0.06193761992279212 },     { 0.79674927190613398, 0.13668443301687894 },
};

static const double referenceEnd[BALLS][2] = {
  { 0.49479801284037939, -1.8371671894150607e-20 }, { 0.55808689916066379, 2.7815675027972796e-19 },
  { 0.54637861516787456, -0.11407890841399579 },    { 0.54637861516787456, 0.11407890841399579 },
  { 0.61577288720376977, -0.13547354517982574 },    { 0.6805021655453154, -7.7020227767642947e-20 },
  { 0.61577288720376977, 0.13547354517982574 },     { 0.69149638680544645, -0.16798905586451987 },
  { 0.74212923343766435, -0.048203409214183549 },   { 0.74212923343766435, 0.048203409214183549 },
  { 0.69149638680544645, 0.16798905586451987 },     { 0.81918731431407943, -0.44169835665613777 },
  { 0.87157234105982051, -0.10553612374578986 },    { 1.0843899062351952, -2.8271753917818028e-19 },
  { 0.87157234105982051, 0.10553612374578986 },     { 0.81918731431407943, 0.44169835665613777 },
};

static inline double findError(const double p[BALLS][3], const double reference[BALLS][2])
{
  double error = 0;
  for (int i = 0; i < BALLS; i++) {
    for (int a = 0; a < 2; a++) {
      double d = fabs(p[i][a] - reference[i][a]);
      error = d <= error ? error : d; // keeps NaN
    }
  }
  return error;
}

static inline double cpuNow(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void printHead(void)
{
  printf("%-44s %10s %9s %12s %12s\n", "billiards16, 5 s", "CPU [ms]", "steps", "error 0.5 s", "error 5 s");
}

static inline void printRow(const char* what, double seconds, long steps, const double early[BALLS][3],
                            const double end[BALLS][3])
{
  printf("%-44s %10.4g %9ld %12.2g %12.2g\n", what, 1e3 * seconds, steps, findError(early, referenceEarly),
         findError(end, referenceEnd));
  fflush(stdout);
}

#endif
