// An independent witness of the search for contacts: examples/c/root_finder.c lets SUNDIALS' IDA integrate a model and
// find its contact events as roots of the two indicators; runs find them their own way. Both must end in the same
// state, with the same contacts at the same times. Times are compared as lengths, by the speed at which bodies approach
// or part.
//
// How near is derived from what the two do when the tolerance changes. Each is run at a tolerance and at one a hundred
// times looser, and both changes together estimate the errors of the loose runs. Those of the tight runs are some
// hundredth of that; half of it is granted, because an end may be lucky, and not all methods converge so fast. A
// systematic difference does not shrink with the tolerance, and shows where errors are small: with impulses, contacts
// that begin at 1.5 epsilon instead of 2 leave states six times as far apart as is granted.
#define _GNU_SOURCE // popen
#include "support/folder.h"
#include "support/island_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIGHT 1e-10
#define LOOSE 1e-8
#define TIGHT_SHARE 0.5  // of the estimated error of the loose runs, allowed between the tight ones
#define STATE_FLOOR 1e-9 // [-] of states over 1 + |state|: ten times the tight tolerance
#define GAP_FLOOR 1e-10  // [m] a hundredth of the hysteresis: as fine as distances are searched
#define MAX_EVENTS 400
#define MAX_STATES 256
#define NAMES_SIZE 256

typedef struct Model {
  const char* name;
  const char* file; // of the project, or
  const char* text; // a model
  double stop;      // [s]
  double maxStep;   // [s] of the root finder: shorter than any contact that could be leapt over
} Model;

typedef struct Event {
  bool begins;
  double time;  // [s]
  double speed; // [m/s] of approach or separation
  char objects[NAMES_SIZE];
} Event;

// What a run leaves behind.
typedef struct Track {
  int eventCount, stateCount;
  Event events[MAX_EVENTS];
  double states[MAX_STATES];
} Track;

// ---------------------------------------------------------------------------------------------- the two

static void readLine(const char* line, Track* track)
{
  Event* event = &track->events[track->eventCount];
  const char* equals = strstr(line, " = ");
  assert_true(track->eventCount < MAX_EVENTS && track->stateCount < MAX_STATES);
  if (equals != NULL) {
    track->states[track->stateCount++] = atof(equals + 3);
  } else if (sscanf(line, "%*s %lf s, %lf m/s: %255[^\n]", &event->time, &event->speed, event->objects) == 3) {
    event->begins = strncmp(line, "begins", 6) == 0;
    ++track->eventCount;
  }
}

static Track runWitness(const Model* model, double tolerance)
{
  Track track = { 0 };
  char command[2048], path[1024], line[1024];
  if (model->file != NULL) {
    snprintf(path, sizeof path, "%s/%s", CAROM_ROOT, model->file);
  } else {
    snprintf(path, sizeof path, "%s", crTestPath("model.lua"));
    crWriteTestFile(path, model->text, strlen(model->text));
  }
  snprintf(command, sizeof command, "%s %s %.17g %.17g %.17g", CAROM_ROOT_FINDER, path, model->stop, tolerance,
           model->maxStep);
  FILE* pipe = popen(command, "r");
  assert_non_null(pipe);
  while (fgets(line, sizeof line, pipe) != NULL) {
    readLine(line, &track);
  }
  assert_int_equal(pclose(pipe), 0);
  return track;
}

static Track runSimulation(const Model* model, double tolerance, crIslandMode islands)
{
  Track track = { 0 };
  crIslandPlan plan = { .file = model->file, .text = model->text };
  crModel* compiled = crOpenIslandModel(&plan);
  crSimulationOptions options = crIslandOptions(model->stop, tolerance);
  options.islands = islands;
  crIslandRun run = crRunIslands(compiled, &options);
  assert_true(run.eventCount <= MAX_EVENTS && run.stateCount <= MAX_STATES);
  track.stateCount = run.stateCount;
  memcpy(track.states, run.states + (size_t)(run.rowCount - 1) * (size_t)run.stateCount,
         (size_t)run.stateCount * sizeof(double));
  for (int i = 0; i < run.eventCount; ++i) {
    Event* event = &track.events[track.eventCount++];
    event->begins = run.events[i].phase == cr_contactBegin;
    event->time = run.events[i].time;
    event->speed = event->begins ? run.events[i].approach : run.events[i].separation;
    snprintf(event->objects, sizeof event->objects, "%s, %s", crModel_GetObjectPath(compiled, run.events[i].objectA),
             crModel_GetObjectPath(compiled, run.events[i].objectB));
  }
  crIslandRun_Free(&run);
  crDestroyModel(compiled);
  return track;
}

// ---------------------------------------------------------------------------------------------- compare

typedef struct Difference {
  double state; // [-] over 1 + |state|
  double gap;   // [m] of events: how far the bodies move between the two times; infinite: they are not the same
} Difference;

static bool isAlike(const Event* a, const Event* b)
{
  return a->begins == b->begins && strcmp(a->objects, b->objects) == 0;
}

// The event of the other track that is the same one: as many alike have come before it. Simultaneous events of
// different pairs may come in any order.
static const Event* findSame(const Track* track, int index, const Track* other)
{
  int rank = 0;
  for (int i = 0; i < index; ++i) {
    rank += isAlike(&track->events[i], &track->events[index]);
  }
  for (int i = 0; i < other->eventCount; ++i) {
    if (isAlike(&other->events[i], &track->events[index]) && rank-- == 0) {
      return &other->events[i];
    }
  }
  return NULL;
}

static Difference compare(const Track* a, const Track* b)
{
  Difference d = { 0.0, a->eventCount == b->eventCount ? 0.0 : HUGE_VAL };
  assert_int_equal(a->stateCount, b->stateCount);
  for (int i = 0; i < a->stateCount; ++i) {
    d.state = fmax(d.state, fabs(a->states[i] - b->states[i]) / (1.0 + fabs(b->states[i])));
  }
  for (int i = 0; i < a->eventCount; ++i) {
    const Event* same = findSame(a, i, b);
    d.gap = same != NULL ? fmax(d.gap, fabs((a->events[i].time - same->time) * same->speed)) : HUGE_VAL;
  }
  return d;
}

typedef struct Witness {
  Track tight, loose;
} Witness;

static void checkRun(const Model* model, const Witness* witness, crIslandMode islands)
{
  Track run = runSimulation(model, TIGHT, islands), looseRun = runSimulation(model, LOOSE, islands);
  Difference own = compare(&run, &looseRun), its = compare(&witness->tight, &witness->loose);
  Difference both = compare(&run, &witness->tight);
  double stateLimit = TIGHT_SHARE * (own.state + its.state) + STATE_FLOOR;
  double gapLimit = TIGHT_SHARE * (own.gap + its.gap) + GAP_FLOOR;
  printf("%-18s islands %-3s %2d events, states %7.1e apart (limit %7.1e), events %7.1e m (limit %7.1e)\n", model->name,
         islands == cr_islandsOn ? "on" : "off", run.eventCount, both.state, stateLimit, both.gap, gapLimit);
  assert_int_equal(run.eventCount, witness->tight.eventCount);
  assert_true(isfinite(stateLimit) && isfinite(gapLimit));
  assert_true(both.state <= stateLimit);
  assert_true(both.gap <= gapLimit);
}

static void checkModels(int count, const Model* models)
{
  for (int i = 0; i < count; ++i) {
    Witness witness = { runWitness(&models[i], TIGHT), runWitness(&models[i], LOOSE) };
    assert_true(witness.tight.eventCount > 0);
    checkRun(&models[i], &witness, cr_islandsOn);
    checkRun(&models[i], &witness, cr_islandsOff);
  }
}

#define COUNT(models) ((int)(sizeof(models) / sizeof((models)[0])))

// ----------------------------------------------------------------------------------------------- models

static void examples_end_as_a_root_finder_has_them(void** state)
{
  (void)state;
  static const Model models[] = {
    { "bouncing ball", "examples/bouncing_ball.lua", NULL, 1.9, 2e-3 },
    { "two balls", "examples/two_balls.lua", NULL, 1.0, 2e-3 },
    { "rolling ball", "examples/rolling_ball.lua", NULL, 0.5, 2e-3 },
    { "cushion", "examples/cushion.lua", NULL, 0.5, 2e-3 },
    { "pendulum, obstacle", "examples/pendulum_obstacle.lua", NULL, 2.0, 2e-3 },
    { "double pendulum", "examples/double_pendulum_obstacle.lua", NULL, 1.0, 2e-3 },
    { "Newton's cradle", "examples/newtons_cradle.lua", NULL, 0.6, 1e-3 },
    { "rattleback", "examples/rattleback.lua", NULL, 0.5, 2e-3 },
  };
  checkModels(COUNT(models), models);
}

static void mechanisms_end_as_a_root_finder_has_them(void** state)
{
  (void)state;
  static const Model models[] = {
    { "cam follower", "bench/scenes/cam_follower.lua", NULL, 0.3, 5e-4 },
    { "Geneva wheel", "bench/scenes/geneva.lua", NULL, 0.7, 5e-4 },
    { "walking toy", "bench/scenes/walking_toy.lua", NULL, 0.5, 1e-3 },
    { "spinning coin", "bench/scenes/spinning_coin.lua", NULL, 0.05, 1e-4 },
    { "chain on a drum", "bench/scenes/drum_chain.lua", NULL, 0.3, 5e-4 },
    { "flyballs, buffer", "bench/scenes/flyball_stop.lua", NULL, 0.6, 1e-3 },
  };
  checkModels(COUNT(models), models);
}

#define FLOOR                                                                                                          \
  "scene{ kRed = 1e-2 }\n"                                                                                             \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"

static void small_models_end_as_a_root_finder_has_them(void** state)
{
  (void)state;
  static const Model models[] = {
    { "ellipsoid tumbles", NULL,
      FLOOR "object('egg', { parent = room, position = { 0, 0, 0.2 }, rotation = { 0.4, 0.3, 0 }, free = true,\n"
            "  velocity = { 0.5, 0, 0 }, angularVelocity = { 1, 4, 0 },\n"
            "  solid{ shape = ellipsoid{ radii = { 0.05, 0.04, 0.03 } }, material = 'Steel', contact = 'Steel' } })\n",
      0.6, 1e-3 },
    { "capsules cross", NULL,
      FLOOR "local function rod(name, z, axis, v)\n"
            "  object(name, { parent = room, position = { 0.01, 0.02, z }, free = true, velocity = v,\n"
            "    solid{ shape = capsule{ radius = 0.01, length = 0.1, axis = axis }, material = 'Steel',\n"
            "           contact = 'Steel' } })\n"
            "end\n"
            "rod('lower', 1, 'x', { 0, 0, 1 })\n"
            "rod('upper', 1.1, { 0.2, 1, 0.1 }, { 0, 0, -1 })\n",
      0.3, 1e-3 },
    { "ball on a belt", NULL,
      "scene{ kRed = 1e-3 }\n"
      "local room = world('room')\n"
      "object('belt', { parent = room, solid{ shape = box{ size = { 4, 1, 0.1 } }, contact = 'DryWood',\n"
      "  surfaceVelocity = { 0.5, 0, 0 } } })\n"
      "object('ball', { parent = room, position = { -1, 0, 0.12 }, free = true,\n"
      "  solid{ shape = sphere{ radius = 0.05 }, material = 'Steel', contact = 'Steel' } })\n",
      0.5, 1e-3 },
    { "linear law", NULL,
      "contactPair('Steel', 'Steel', { cor = 0.5, muK = 0.3, muR = 0, response = 'springDamper', stiffness = 1e5,\n"
      "  damping = 20 })\n"
      "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
      "object('ball', { parent = room, position = { 0, 0, 0.3 }, free = true, angularVelocity = { 0, 20, 0 },\n"
      "  solid{ shape = sphere{ radius = 0.05 }, material = 'Steel', contact = 'Steel' } })\n",
      0.8, 1e-3 },
    { "impulses", NULL,
      "contactPair('Steel', 'Steel', { cor = 0.8, muK = 0, muR = 0, response = 'impulsive' })\n"
      "scene{ gravity = 'none' }\n"
      "local room = world('room')\n"
      "for i = 1, 3 do\n"
      "  object('ball' .. i, { parent = room, position = { 0.25 * i, 0.004 * i, 0 }, free = true,\n"
      "    velocity = { i == 1 and 1 or 0, 0, 0 },\n"
      "    solid{ shape = sphere{ radius = 0.05 }, material = 'Steel', contact = 'Steel' } })\n"
      "end\n",
      0.5, 1e-3 },
    { "pushed at a time", NULL,
      FLOOR "local ball = object('ball', { parent = room, position = { 0, 0, 0.052 }, free = true,\n"
            "  solid{ shape = sphere{ radius = 0.05 }, material = 'Steel', contact = 'Steel' } })\n"
            "force('push', ball, { force = { 20, 0, 60 },\n"
            "  factor = step('when', { height = 1, start = 0.1 }) })\n",
      0.4, 1e-3 },
  };
  checkModels(COUNT(models), models);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(examples_end_as_a_root_finder_has_them),
    cmocka_unit_test(mechanisms_end_as_a_root_finder_has_them),
    cmocka_unit_test(small_models_end_as_a_root_finder_has_them),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
