// Starts of the scenes, number by number as the models have them.
#include "scenes.h"

#include <stdint.h>

// [Marsaglia03], 53 bits.
static double drawRandom(uint64_t* state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 9007199254740992.0;
}

World* makeBilliards(int seed)
{
  double p[BALLS][3];
  World* world = createWorld(BALLS);
  world->halfX = HALF_LENGTH;
  world->halfY = HALF_WIDTH;
  world->muK = 0.6;
  world->muR = 0.02;
  world->corTable = 0;
  world->corWall = 0.8;
  placeBalls(p);
  shiftBalls(p, seed);
  for (int i = 0; i < BALLS; i++) {
    memcpy(world->balls[i].end, p[i], sizeof p[i]);
  }
  world->balls[0].end[3] = CUE_SPEED;
  return world;
}

World* makeBouncingBalls(int n)
{
  World* world = createWorld(n);
  uint64_t state = 88172645463325252u;
  int side = (int)ceil(sqrt(n));
  world->halfX = world->halfY = fmax(0.1, 0.5 * sqrt(n * 0.04));
  world->muK = 0.6;
  world->muR = 0.02;
  world->corTable = 0.8;
  world->corWall = 1;
  double half = 0.5 * sqrt(n * 0.04), cell = 2 * half / side;
  for (int i = 0; i < n; i++) {
    double* p = world->balls[i].end;
    p[0] = -half + (i % side + 0.5) * cell;
    p[1] = -half + (i / side + 0.5) * cell;
    p[2] = RADIUS + (0.05 + 0.1 * drawRandom(&state));
  }
  return world;
}

World* makeBallBox(int n, bool hasFriction)
{
  World* world = createWorld(n);
  uint64_t state = 88172645463325252u;
  int side = (int)ceil(sqrt(n));
  double half = fmax(0.1, 0.5 * sqrt(n * 0.0283)), cell = 2 * (half - 0.032) / side, play = fmax(0, cell - 0.0605);
  world->halfX = world->halfY = half;
  world->muK = hasFriction ? 0.6 : 0;
  world->muR = hasFriction ? 0.02 : 0;
  world->corTable = 0;
  world->corWall = hasFriction ? 0.8 : 1;
  for (int i = 0; i < n; i++) {
    double* s = world->balls[i].end;
    s[0] = -half + 0.032 + (i % side + 0.5) * cell + play * (drawRandom(&state) - 0.5);
    s[1] = -half + 0.032 + (i / side + 0.5) * cell + play * (drawRandom(&state) - 0.5);
    s[2] = RADIUS - pow(MASS * GRAVITY / wallStiffness(), 2.0 / 3.0);
    double angle = 6.283185307179586 * drawRandom(&state);
    s[3] = cos(angle);
    s[4] = sin(angle);
  }
  return world;
}
