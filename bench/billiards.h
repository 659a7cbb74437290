// The benchmark scene of billiards for programs that do not read models: numbers, start, reference and one row of
// output.
//
// Sixteen balls on a half-space between four others, the cue ball at 3 m/s; bench/scenes/billiards16.lua is the same.
// The reference was integrated by the program in bench/prototype with one explicit step for all balls at a tolerance of
// 1e-13 and every contact event located; Carom's explicit method of order 8 at 1e-12, which shares neither code nor
// formulas with it, differs by 7e-12 m at 5 s. The scene is not chaotic: errors of 1e-8 stay 1e-7 after 5 s.
#ifndef CR_BENCH_BILLIARDS_H
#define CR_BENCH_BILLIARDS_H

#include "record.h"

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
  { 0.49184243960348722, 0 },
  { 0.55883264803162025, 0 },
  { 0.60903020230811644, -0.033026645369648319 },
  { 0.60903020230811644, 0.033026645369648319 },
  { 0.66107957738387901, -0.063481728997268602 },
  { 0.6661023220729605, 0 },
  { 0.66107957738387901, 0.063481728997268602 },
  { 0.71337027540732856, -0.09337294480125824 },
  { 0.71839516497995837, -0.031471945156936548 },
  { 0.71839516497995837, 0.031471945156936548 },
  { 0.71337027540732856, 0.09337294480125824 },
  { 0.79674927196884093, -0.13668443305305647 },
  { 0.77285924268179351, -0.061937620267487697 },
  { 0.77809223950204243, 0 },
  { 0.77285924268179351, 0.061937620267487697 },
  { 0.79674927196884093, 0.13668443305305647 },
};

static const double referenceEnd[BALLS][2] = {
  { 0.49479801454332711, 0 },
  { 0.55808690482947643, 0 },
  { 0.54637859321228055, -0.11407889450877505 },
  { 0.54637859321228055, 0.11407889450877505 },
  { 0.61577289419441383, -0.13547353232141371 },
  { 0.68050216214260884, 0 },
  { 0.61577289419441383, 0.13547353232141371 },
  { 0.6914963870878289, -0.16798907339690825 },
  { 0.74212923905200412, -0.04820341410546726 },
  { 0.74212923905200412, 0.04820341410546726 },
  { 0.6914963870878289, 0.16798907339690825 },
  { 0.81918722278298561, -0.44169833188446295 },
  { 0.87157234687230678, -0.10553613340917981 },
  { 1.0843899107525294, 0 },
  { 0.87157234687230678, 0.10553613340917981 },
  { 0.81918722278298561, 0.44169833188446295 },
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

// A row, which is also left for bench/targets.c: as "billiards.WHAT.cpu", with _ for spaces.
static inline void printRow(const char* what, double seconds, long steps, const double early[BALLS][3],
                            const double end[BALLS][3])
{
  char key[96];
  snprintf(key, sizeof key, "billiards.%s.cpu", what);
  for (char* c = key; *c != '\0'; c++) {
    *c = *c == ' ' ? '_' : *c;
  }
  recordNumber(key, seconds);
  printf("%-44s %10.4g %9ld %12.2g %12.2g\n", what, 1e3 * seconds, steps, findError(early, referenceEarly),
         findError(end, referenceEnd));
  fflush(stdout);
}

#endif
