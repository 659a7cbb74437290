// Runs that are saved on their way, and gone on with from there: whether every bit is that of the run itself.
#ifndef CR_TEST_SAVED_RUN_H
#define CR_TEST_SAVED_RUN_H

#include "carom/carom.h"
#include "carom/io.h"

#define CR_MAX_SAVED_SETTINGS 6

typedef struct crSavedPlan {
  const char* file;     // of the project, or NULL
  const char* text;     // a Lua model instead
  double stop;          // [s]
  int intervals;        // between output points
  double tolerance;     // 0: as the model says
  double maxStep;       // [s] likewise
  crSolverKind solver;  // cr_solverDefault: likewise
  crIslandMode islands; // likewise
  bool setsInputs;      // the clock is held from outside, and inputs are set on the way
  crSetting settings[CR_MAX_SAVED_SETTINGS];
} crSavedPlan;

// Swings with drives, springs, inputs and sampled functions above a row of balls, and a paddle with a prescribed
// motion: neighbours hit each other, and there are so many of them that they are run in rounds.
#define CR_SWINGS                                                                                                      \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"                                               \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                 \
  "local function body(name, shape) return object(name, { solid{ shape = shape, material = 'Rubber',\n"                \
  "  contact = 'Rubber' } }) end\n"                                                                                    \
  "input('push', { start = 0.1 })\n"                                                                                   \
  "for i = 1, 30 do\n"                                                                                                 \
  "  local post = object('post' .. i, { parent = room, position = { 0.25 * i, 0, 0.7 } })\n"                           \
  "  local rod = body('rod' .. i, capsule{ radius = 0.02, length = 0.2 })\n"                                           \
  "  local top = object('top' .. i, { parent = rod, position = { 0, 0, 0.15 } })\n"                                    \
  "  local low = object('low' .. i, { parent = rod, position = { 0, 0, -0.15 } })\n"                                   \
  "  local bob = body('bob' .. i, sphere{ radius = 0.06 })\n"                                                          \
  "  local swing = sine('swing' .. i, { amplitude = 0.2, frequency = 1 + 0.1 * i })\n"                                 \
  "  if i == 4 then swing = 'push' end\n"                                                                              \
  "  if i % 6 == 0 then swing = 'brake' .. i end\n"                                                                    \
  "  revolute('upper' .. i, post, top, { axis = 'y', start = 0.1 * (i % 7) - 0.3, damping = 0.001, torque = swing "    \
  "})\n"                                                                                                               \
  "  if i % 6 == 0 then sampled('brake' .. i, { period = 0.013, inputs = {\n"                                          \
  "    w = jointSensor('rate' .. i, { joint = 'upper' .. i, quantity = 'rate' }) },\n"                                 \
  "    state = { sum = 0 }, code = 'sum = sum + 0.01 * w  return -0.05 * w - sum' }) end\n"                            \
  "  revolute('lower' .. i, low, bob, { axis = 'y', start = 0.2 * (i % 3) })\n"                                        \
  "  local ball = object('ball' .. i, { parent = room, free = true, position = { 0.25 * i, 0, 0.08 },\n"               \
  "    solid{ shape = sphere{ radius = 0.05 }, material = 'Rubber', contact = 'Rubber' } })\n"                         \
  "  if i % 5 == 0 then springDamper('band' .. i, ball, bob, { length = 0.4, stiffness = 20 }) end\n"                  \
  "end\n"                                                                                                              \
  "local paddle = body('paddle', box{ size = { 0.05, 0.3, 0.3 } })\n"                                                  \
  "exclude(room, paddle)\n"                                                                                            \
  "prismatic('drive', object('rail', { parent = room, position = { -0.1, 0, 0.2 } }), paddle, {\n"                     \
  "  motion = sine('beat', { amplitude = 0.2, frequency = 2 }) })\n"

// Joints that stick and slide: one with a servo, one with a prescribed motion, all of a loop, and a swing that a ball
// hits.
#define CR_STICKING                                                                                                    \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"                                               \
  "local w = world('w')\n"                                                                                             \
  "local function bar(name, length)\n"                                                                                 \
  "  local b = object(name, { mass{ mass = length, com = { length / 2, 0, 0 }, inertia = { 0.01, 0.1, 0.1 } } })\n"    \
  "  return b, object(name .. 'End', { parent = name, position = { length, 0, 0 } })\n"                                \
  "end\n"                                                                                                              \
  "local function stick(f, more)\n"                                                                                    \
  "  local law = more or {}\n"                                                                                         \
  "  law.axis, law.friction, law.frictionStatic, law.frictionLaw = 'y', f, 1.2 * f, 'stick'\n"                         \
  "  return law\n"                                                                                                     \
  "end\n"                                                                                                              \
  "local crank, crankEnd = bar('crank', 1)\n"                                                                          \
  "local coupler, couplerEnd = bar('coupler', 3)\n"                                                                    \
  "local rocker, rockerEnd = bar('rocker', 2)\n"                                                                       \
  "local post = object('post', { parent = w, position = { 3, 0, 0 } })\n"                                              \
  "revolute('a', w, crank, stick(3, { start = -0.9, fixed = true,\n"                                                   \
  "  torque = sine('push', { amplitude = 60, frequency = 2 }) }))\n"                                                   \
  "revolute('b', crankEnd, coupler, stick(2, { start = 0.7 }))\n"                                                      \
  "revolute('c', post, rocker, stick(2, { start = -1.5 }))\n"                                                          \
  "revolute('d', couplerEnd, rockerEnd, stick(1))\n"                                                                   \
  "local shoulder, shoulderEnd = bar('upper', 0.5)\n"                                                                  \
  "local fore = bar('fore', 0.5)\n"                                                                                    \
  "revolute('turn', object('stand', { parent = w, position = { 0, 2, 0 } }), shoulder, stick(3,\n"                     \
  "  { motion = sine('swing', { amplitude = 0.5, frequency = 1 }) }))\n"                                               \
  "revolute('elbow', shoulderEnd, fore, stick(2, { torque = servo('hold', { input = sine('aim', { amplitude = 1,\n"    \
  "  frequency = 1.5 }), joint = 'elbow', positionGain = 5, velocityGain = 2, integralTime = 0.1 }) }))\n"             \
  "for i = 1, 3 do\n"                                                                                                  \
  "  local bob = object('bob' .. i, { solid{ shape = sphere{ radius = 0.1 }, material = 'Rubber', contact = 'Rubber' " \
  "} })\n"                                                                                                             \
  "  local top = object('top' .. i, { parent = bob, position = { 0, 0, 0.5 } })\n"                                     \
  "  revolute('swing' .. i, object('hook' .. i, { parent = w, position = { 0.22 * i, 5, 0 } }), top,\n"                \
  "    stick(2, { start = i == 1 and 0.9 or 0.0 }))\n"                                                                 \
  "end\n"

bool crHasSavedSolver(const crSavedPlan* plan); // this build has its solver

// NULL: it cannot be read or compiled.
crModel* crOpenSavedModel(const crSavedPlan* plan);

// What a run has handed out: the fingerprint of each row, with all variables and contacts, and of all events before it.
typedef struct crSavedRow {
  uint64_t values, events;
} crSavedRow;

typedef struct crSavedRun {
  const crModel* model;
  const crSavedPlan* plan;
  crStatus status;
  crRunEnd end;
  crSimulationSummary summary;
  crSavedRow* rows; // (rowCount)
  int rowCount;
  uint64_t events; // of all of them
  // where to save: after the rows of these numbers, ascending
  const int* points; // (pointCount)
  int pointCount;
  void** bytes;  // (pointCount) NULL: it did not get there
  size_t* sizes; // (pointCount)
  bool copies;   // goes on with a copy at each of these points, and destroys the original
  crSimulation* simulation;
} crSavedRun;

// A whole run, which saves itself at some points.
crSavedRun crRunSaved(const crModel* model, const crSavedPlan* plan, int threads, const int* points, int pointCount,
                      bool copies);
// Goes on from the checkpoint of a run.
crSavedRun crResumeSaved(const crSavedRun* run, int point, int threads);
void crSavedRun_Free(crSavedRun* run);

// The first row that differs, from a row on; -1: none does, nor do events and statistics at the end. -2: those do.
int crCompareSaved(const crSavedRun* a, const crSavedRun* b, int firstRow);

#endif
