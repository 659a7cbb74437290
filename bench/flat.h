// Scenes of faces, edges, rims and straight sides, with what they may cost and what their energy balance must explain.
// A benchmark and a test share this table.
#ifndef CR_BENCH_FLAT_H
#define CR_BENCH_FLAT_H

#include "carom/carom.h"
#include "carom/io.h"

#include <math.h>

#define FLAT_SETTINGS 3
#define FLAT_ENERGY_LIMIT 1e-5 // [-] unexplained over turned over, or three times the tolerance where that is more

typedef struct FlatScene {
  const char* name;
  const char* file;                  // in bench/scenes; with "examples/" in front an example
  crSetting settings[FLAT_SETTINGS]; // up to the first without a name
  double stop;                       // [s] 0: as the model says
  double tolerance;                  // [-] 0: as the model says
  double limit;                      // [s] of CPU time; 0: none is asked for
  double startLimit;                 // [s] likewise, until the first step
  bool isLong;                       // not for a test
  bool isKnownToMiss;                // its limit, by more than a slow machine explains
} FlatScene;

static const FlatScene flatScenes[] = {
  { .name = "dominoes", .file = "examples/dominoes.lua", .limit = 1.0 },
  { .name = "dominoes x 4, 1e-5",
    .file = "examples/dominoes.lua",
    .settings = { { "scale", "4" }, { "gap", "0.035" } },
    .tolerance = 1e-5 },
  { .name = "dominoes x 4, 1e-7",
    .file = "examples/dominoes.lua",
    .settings = { { "scale", "4" }, { "gap", "0.035" } },
    .tolerance = 1e-7,
    .isLong = true },
  { .name = "dominoes x 4, 1e-9",
    .file = "examples/dominoes.lua",
    .settings = { { "scale", "4" }, { "gap", "0.035" } },
    .tolerance = 1e-9,
    .isLong = true },
  { .name = "wall and ball", .file = "examples/brick_wall.lua" },
  { .name = "bowling", .file = "examples/bowling.lua" },
  { .name = "log over an edge", .file = "examples/tipping_log.lua" },
  { .name = "Euler's disk, 60 s",
    .file = "examples/eulers_disk.lua",
    .settings = { { "stop", "60" } },
    .isLong = true },
  { .name = "spinning coin, 2 s", .file = "spinning_coin.lua", .limit = 0.2 },
  { .name = "cam and roller, 3 s", .file = "cam_roller.lua", .tolerance = 1e-9, .limit = 0.2 },
  { .name = "Geneva wheel, 3 s", .file = "geneva_slots.lua", .tolerance = 1e-9, .limit = 0.2, .isKnownToMiss = true },
  { .name = "chain of 25 on a drum", .file = "drum_chain.lua", .settings = { { "n", "25" } }, .limit = 2.0 },
  { .name = "gears, 17 : 29", .file = "gears.lua", .limit = 1.0 },
  { .name = "ten boxes from rest", .file = "box_tower.lua", .startLimit = 0.05 },
};
#define FLAT_COUNT ((int)(sizeof flatScenes / sizeof flatScenes[0]))

static inline double sumFlatEnergy(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

// [J] What work and losses do not explain.
static inline double findFlatUnexplained(const crSimulationSummary* s)
{
  return sumFlatEnergy(s->endEnergy) - sumFlatEnergy(s->startEnergy) - s->work + s->dissipated;
}

// [J] What went from one form to another: the largest of work, losses, kinetic energy and the change of potential
// energy. What only stands turns over nothing: a millionth of its potential energy counts at least.
static inline double findFlatTurnover(const crSimulationSummary* s)
{
  double turnover = fmax(fmax(fabs(s->work), s->dissipated), 1e-6 * fabs(s->startEnergy.potential));
  turnover = fmax(turnover, fmax(s->startEnergy.kinetic, s->endEnergy.kinetic));
  return fmax(turnover, fabs(s->endEnergy.potential - s->startEnergy.potential));
}

static inline double findFlatLimit(double tolerance)
{
  return fmax(FLAT_ENERGY_LIMIT, 3.0 * tolerance);
}

#endif
