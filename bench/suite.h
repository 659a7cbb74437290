// The scenes of the suite: models with parameters, how long and how precisely they are run, and what tells whether the
// result is right. Benchmarks and tests share this table.
#ifndef CR_BENCH_SUITE_H
#define CR_BENCH_SUITE_H

#include "carom/carom.h"
#include "carom/io.h"

#define SUITE_SETTINGS 4

// What is printed as the error of a row.
typedef enum SuiteCheck {
  suitePositions, // [m] largest difference of a coordinate from bench/references.txt
  suiteEnergy,    // [-] what the energy balance cannot explain, over the energy that was turned over
  suiteDepth,     // [m] deepest contact at the end: for piles, whose motion is chaotic
} SuiteCheck;

typedef struct SuiteScene {
  const char* name;
  const char* file; // in bench/scenes; with "examples/" in front an example
  crSetting settings[SUITE_SETTINGS];
  double stop;      // [s]
  double tolerance; // [-]
  SuiteCheck check;
  int size; // of the work: 0 is run by --quick as well, 2 by --all only
} SuiteScene;

static const SuiteScene suiteScenes[] = {
  { "billiards16", "billiards16.lua", { { 0 } }, 5, 1e-8, suitePositions, 0 },
  { "rack11", "billiards16.lua", { { "seed", "11" } }, 5, 1e-8, suitePositions, 0 },
  { "bouncing16", "bouncing_balls.lua", { { "n", "16" } }, 1, 1e-8, suitePositions, 0 },
  { "bouncing100", "bouncing_balls.lua", { { "n", "100" } }, 1, 1e-8, suiteEnergy, 1 },
  { "bouncing1000", "bouncing_balls.lua", { { "n", "1000" } }, 1, 1e-8, suiteEnergy, 2 },
  { "box16", "ball_box.lua", { { "n", "16" } }, 1, 1e-8, suitePositions, 0 },
  { "box100", "ball_box.lua", { { "n", "100" } }, 1, 1e-8, suiteEnergy, 1 },
  { "box1000", "ball_box.lua", { { "n", "1000" } }, 1, 1e-8, suiteEnergy, 2 },
  { "slippery16", "ball_box.lua", { { "n", "16" }, { "friction", "false" } }, 1, 1e-8, suiteEnergy, 0 },
  { "slippery100", "ball_box.lua", { { "n", "100" }, { "friction", "false" } }, 1, 1e-8, suiteEnergy, 1 },
  { "pile100", "pile.lua", { { "n", "100" } }, 0.5, 1e-3, suiteDepth, 1 },
  { "pile1000", "pile.lua", { { "n", "1000" } }, 0.5, 1e-3, suiteDepth, 2 },
  { "pile10000", "pile.lua", { { "n", "10000" } }, 0.1, 1e-3, suiteDepth, 2 },
  { "box_stack", "box_stack.lua", { { "n", "10" } }, 1, 1e-4, suitePositions, 0 },
  { "settling12", "settling.lua", { { "n", "12" } }, 2, 1e-4, suiteDepth, 0 },
  { "settling100", "settling.lua", { { "n", "100" } }, 60, 1e-4, suiteDepth, 2 },
  { "mesh_pile", "mesh_pile.lua", { { "n", "30" } }, 0.5, 1e-4, suiteDepth, 1 },
  { "gripper", "gripper.lua", { { 0 } }, 1.5, 1e-4, suitePositions, 0 },
  { "chain", "examples/chain.lua", { { "count", "20" } }, 2, 1e-6, suitePositions, 0 },
  { "mobile", "examples/mobile.lua", { { 0 } }, 5, 1e-5, suitePositions, 0 },
  { "four_bars", "examples/n_four_bar.lua", { { "N", "40" } }, 10, 1e-8, suiteEnergy, 0 },
  { "rattleback", "examples/rattleback.lua", { { 0 } }, 3, 1e-8, suitePositions, 0 },
};
#define SUITE_COUNT (int)(sizeof suiteScenes / sizeof suiteScenes[0])

#endif
