// A step of an island by the explicit pair of orders 5 and 4 [DormandPrince80], with a test for stiffness
// [HairerWanner96].
#include "force.h"

#include <stdlib.h>

#define VECTORS 10     // of work: y, next, seven slopes, accelerations
#define STABILITY 6.25 // square of the h |lambda| above which steps are held by stability
#define LONG_STEP 1e-4 // [s] in which nothing changes: at rest

typedef struct Stages {
  int n; // numbers in a vector
  double *y, *next, *k1, *k2, *k3, *k4, *k5, *k6, *k7, *rates;
} Stages;

static Stages takeStages(World* world, const Island* island)
{
  int n = STATE_SIZE * island->ballCount;
  if (world->workSize < n) {
    free(world->work);
    world->workSize = (2 * n + 64 + 7) & ~7;
    world->work = aligned_alloc(64, sizeof(double) * VECTORS * (size_t)world->workSize);
  }
  double* w = world->work;
  int size = world->workSize;
  return (Stages){ .n = n,
                   .y = w,
                   .next = w + size,
                   .k1 = w + 2 * size,
                   .k2 = w + 3 * size,
                   .k3 = w + 4 * size,
                   .k4 = w + 5 * size,
                   .k5 = w + 6 * size,
                   .k6 = w + 7 * size,
                   .k7 = w + 8 * size,
                   .rates = w + 9 * size };
}

static inline void findSlopes(const World* world, const Island* island, const double* restrict y,
                              double* restrict rates, double* restrict slopes)
{
  computeAccelerations(world, island, y, rates);
  for (int k = 0; k < island->ballCount; k++) {
    memcpy(slopes + STATE_SIZE * k, y + STATE_SIZE * k + 3, 3 * sizeof *y);
    memcpy(slopes + STATE_SIZE * k + 3, rates + 6 * k, 6 * sizeof *y);
  }
}

static void runStages(const World* world, const Island* island, const Stages* s, double h)
{
  int n = s->n;
  double* restrict y = s->y, * restrict t = s->next, * restrict k1 = s->k1, * restrict k2 = s->k2, * restrict k3 = s->k3;
  double* restrict k4 = s->k4, * restrict k5 = s->k5, * restrict k6 = s->k6;
  for (int i = 0; i < n; i++) {
    t[i] = y[i] + h * 0.2 * k1[i];
  }
  findSlopes(world, island, t, s->rates, k2);
  for (int i = 0; i < n; i++) {
    t[i] = y[i] + h * (3. / 40 * k1[i] + 9. / 40 * k2[i]);
  }
  findSlopes(world, island, t, s->rates, k3);
  for (int i = 0; i < n; i++) {
    t[i] = y[i] + h * (44. / 45 * k1[i] - 56. / 15 * k2[i] + 32. / 9 * k3[i]);
  }
  findSlopes(world, island, t, s->rates, k4);
  for (int i = 0; i < n; i++) {
    t[i] = y[i] + h * (19372. / 6561 * k1[i] - 25360. / 2187 * k2[i] + 64448. / 6561 * k3[i] - 212. / 729 * k4[i]);
  }
  findSlopes(world, island, t, s->rates, k5);
  for (int i = 0; i < n; i++) {
    t[i] = y[i] + h * (9017. / 3168 * k1[i] - 355. / 33 * k2[i] + 46732. / 5247 * k3[i] + 49. / 176 * k4[i] -
                       5103. / 18656 * k5[i]);
  }
  findSlopes(world, island, t, s->rates, k6);
  for (int i = 0; i < n; i++) {
    t[i] = y[i] +
           h * (35. / 384 * k1[i] + 500. / 1113 * k3[i] + 125. / 192 * k4[i] - 2187. / 6784 * k5[i] + 11. / 84 * k6[i]);
  }
  findSlopes(world, island, t, s->rates, s->k7);
}

static double estimateError(const Stages* s, double h, double tolerance)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    double error = h * (71. / 57600 * s->k1[i] - 71. / 16695 * s->k3[i] + 71. / 1920 * s->k4[i] -
                        17253. / 339200 * s->k5[i] + 22. / 525 * s->k6[i] - 1. / 40 * s->k7[i]);
    double size = fabs(s->y[i]) > fabs(s->next[i]) ? fabs(s->y[i]) : fabs(s->next[i]);
    double scale = 0.01 * tolerance + tolerance * size;
    sum += (error / scale) * (error / scale);
  }
  return sqrt(sum / s->n);
}

// h |lambda| from the two last slopes, which are taken at the same time.
static bool seemsStiff(const Stages* s, double h)
{
  double slope = 0, distance = 0;
  for (int i = 0; i < s->n; i++) {
    double sixth = s->y[i] + h * (9017. / 3168 * s->k1[i] - 355. / 33 * s->k2[i] + 46732. / 5247 * s->k3[i] +
                                  49. / 176 * s->k4[i] - 5103. / 18656 * s->k5[i]);
    slope += (s->k7[i] - s->k6[i]) * (s->k7[i] - s->k6[i]);
    distance += (s->next[i] - sixth) * (s->next[i] - sixth);
  }
  return h * h * slope > STABILITY * distance || (h > LONG_STEP && distance < 1e-24);
}

double takeExplicitStep(World* world, Island* island, double h)
{
  Stages s = takeStages(world, island);
  for (int k = 0; k < island->ballCount; k++) {
    const Ball* ball = &world->balls[island->balls[k]];
    memcpy(s.y + STATE_SIZE * k, ball->start, sizeof ball->start);
    memcpy(s.k1 + STATE_SIZE * k, ball->start + 3, 3 * sizeof(double));
    memcpy(s.k1 + STATE_SIZE * k + 3, ball->startRates, sizeof ball->startRates);
  }
  runStages(world, island, &s, h);
  world->counts.ballStages += 6 * island->ballCount;
  double error = estimateError(&s, h, world->tolerance);
  Ball* first = &world->balls[island->balls[0]];
  if (!world->isGlobal && island->ballCount == 1 && first->touches == 1 && seemsStiff(&s, h)) {
    first->stiffCount++;
  }
  for (int k = 0; k < island->ballCount; k++) {
    Ball* ball = &world->balls[island->balls[k]];
    double angle[3];
    memcpy(ball->end, s.next + STATE_SIZE * k, sizeof ball->end);
    memcpy(ball->endRates, s.k7 + STATE_SIZE * k + 3, sizeof ball->endRates);
    setPath(ball, h, ball->startRates, ball->endRates);
    for (int m = 0; m < 3; m++) {
      angle[m] = h * (0.5 * (ball->start[6 + m] + ball->end[6 + m]) +
                      h / 12 * (ball->startRates[3 + m] - ball->endRates[3 + m]));
    }
    turnBall(ball, h, angle);
  }
  island->hasCollocation = false;
  return error;
}
