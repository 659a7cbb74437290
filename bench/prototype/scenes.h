// The scenes of the suite that the prototype can do, as bench/scenes/*.lua have them.
#ifndef CR_BENCH_PROTOTYPE_SCENES_H
#define CR_BENCH_PROTOTYPE_SCENES_H

#include "world.h"

World* makeBilliards(int seed);              // billiards16.lua; 0: the symmetric rack
World* makeBouncingBalls(int n);             // bouncing_balls.lua
World* makeBallBox(int n, bool hasFriction); // ball_box.lua

#endif
