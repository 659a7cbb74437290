// Actions in whole runs: their triggers, contacts that go on, checkpoints, results, memory, and what is refused.
#include "support/lua.h"
#include "support/record_scenes.h"
#include "support/saved_run.h"
#include "support/test_run.h"

#include "scene/structure.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81 // [m/s^2]

// ------------------------------------------------------------------------------------------------ triggers

// What an observer of a run has heard of actions.
typedef struct Heard {
  double times[64];
  char names[64][16];
  int count;
} Heard;

static crStatus hear(void* context, double t, const char* action, const char* text)
{
  Heard* heard = context;
  assert_non_null(strstr(text, action));
  assert_true(heard->count < 64);
  heard->times[heard->count] = t;
  snprintf(heard->names[heard->count++], sizeof heard->names[0], "%s", action);
  return cr_ok;
}

static Heard listen(const char* text, double stop, int intervals, crIslandMode islands)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.interval = stop / intervals;
  options.islands = islands;
  options.tolerance = 1e-10;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
  Heard heard = { .count = 0 };
  crObserver observer = { .context = &heard, .atAction = hear };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(run.simulation, &observer, &end), cr_ok);
  assert_int_equal(crSimulation_GetSummary(run.simulation).actionCount, heard.count);
  assert_no_messages(run.log);
  crCloseTestRun(&run);
  return heard;
}

#define PARTS                                                                                                          \
  "local w = world('w')\n"                                                                                             \
  "object('carrier', { free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"                                      \
  "object('part', { parent = 'carrier', position = { 0, 0, 0.5 }, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"        \
  "sine('wave', { amplitude = 2, frequency = 0.5 })\n"

static void times_come_once_or_again_and_again(void** state)
{
  (void)state;
  Heard heard =
      listen(PARTS "action('loose', { when = { time = 0.25, period = 1 }, release = 'part' })\n"
                   "action('fast', { when = { time = 0.75, period = 1 }, attach = { 'part', to = 'carrier' } })\n"
                   "action('once', { when = 0, release = 'part' })\n",
             4.0, 7, cr_islandsOn);
  // what is released twice has nothing to do the second time
  const double times[] = { 0.0, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75 };
  assert_int_equal(heard.count, 8);
  for (int i = 0; i < heard.count; ++i) {
    assert_true(heard.times[i] == times[i]);
    assert_string_equal(heard.names[i], i == 0 ? "once" : i % 2 == 1 ? "fast" : "loose");
  }
}

// 2 sin(pi t) = 1 upwards at 1/6 + 2 k, downwards at 5/6 + 2 k.
static void crossings_are_found_where_they_are(void** state)
{
  (void)state;
  static const char* const directions[] = { "up", "down", "both" };
  for (int k = 0; k < 3; ++k) {
    char text[2000];
    snprintf(text, sizeof text,
             PARTS "action('go', { when = { signal = 'wave', level = 1, direction = '%s' }, release = 'part' })\n"
                   "action('back', { when = { signal = 'wave', level = -1, direction = 'both' },\n"
                   "  attach = { 'part', to = 'carrier' } })\n",
             directions[k]);
    for (int intervals = 1; intervals < 200; intervals += 77) {
      Heard heard = listen(text, 4.0, intervals, k == 1 ? cr_islandsOff : cr_islandsOn);
      assert_int_equal(heard.count, 4);
      double first = k == 1 ? 5.0 / 6.0 : 1.0 / 6.0;
      assert_close(heard.times[0], first, 1e-12);
      assert_close(heard.times[1], 7.0 / 6.0, 1e-12);
      assert_close(heard.times[2], 2.0 + first, 1e-12);
      assert_close(heard.times[3], 2.0 + 7.0 / 6.0, 1e-12);
    }
  }
}

// A falling body crosses a height at a time with a closed form, as all solvers and steps see it.
static void crossings_of_states_do_not_depend_on_output(void** state)
{
  (void)state;
  static const char text[] =
      PARTS "frameSensor('height', { objectA = w, objectB = 'carrier', quantity = 'position', component = 'z' })\n"
            "action('go', { when = { signal = 'height', level = -3, direction = 'down' }, release = 'part' })\n";
  Heard one = listen(text, 2.0, 1, cr_islandsOn), many = listen(text, 2.0, 500, cr_islandsOn);
  assert_int_equal(one.count, 1);
  assert_close(one.times[0], sqrt(6.0 / G), 1e-9);
  assert_true(one.times[0] == many.times[0]);
}

// A signal that jumps, and one that a sampled function holds.
static void jumps_count_as_crossings(void** state)
{
  (void)state;
  Heard heard =
      listen(PARTS "step('jump', { height = 1, start = 0.3 })\n"
                   "sampled('held', { period = 0.5, inputs = {}, state = { n = 0 }, code = 'n = n + 1  return n' })\n"
                   "action('go', { when = { signal = 'jump', level = 0.5 }, release = 'part' })\n"
                   "action('back', { when = { signal = 'held', level = 2.5 }, attach = { 'part', to = 'carrier' } })\n",
             2.0, 3, cr_islandsOn);
  assert_int_equal(heard.count, 2);
  assert_close(heard.times[0], 0.3, 1e-15);
  assert_close(heard.times[1], 1.0, 1e-12);
}

#define GROUND                                                                                                         \
  "solidMaterial('Clay', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                     \
  "contactPair('Clay', 'Clay', { cor = 0, muK = 0.5, muR = 0 })\n"                                                     \
  "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Clay' } })\n"

static void a_contact_that_has_lasted_calls(void** state)
{
  (void)state;
  Heard heard = listen(GROUND "object('ball', { free = true, position = { 0, 0, 0.6 },\n"
                              "  solid{ shape = sphere{ radius = 0.1 }, material = 'Clay', contact = 'Clay' } })\n"
                              "action('stick', { when = { contact = { 'w', 'ball' }, duration = 0.25 },\n"
                              "  attach = { 'ball', to = 'w' }, maxSpeed = 1 })\n",
                       2.0, 5, cr_islandsOn);
  assert_int_equal(heard.count, 1);
  assert_close(heard.times[0], sqrt(1.0 / G) + 0.25, 1e-9);
}

// A box that rests from the start: the contact is as old as the run.
static void a_contact_from_the_start_lasts_from_there(void** state)
{
  (void)state;
  Heard heard =
      listen(GROUND "object('box', { free = true, start = 'rest', position = { 0, 0, 0.1 },\n"
                    "  solid{ shape = box{ size = { 0.2, 0.2, 0.2 } }, material = 'Clay', contact = 'Clay' } })\n"
                    "action('stick', { when = { contact = { 'box', 'w' }, duration = 0.5 },\n"
                    "  attach = { 'box', to = 'w' } })\n",
             1.0, 5, cr_islandsOn);
  assert_int_equal(heard.count, 1);
  assert_close(heard.times[0], 0.5, 1e-9);
}

// A body at rest takes steps of seconds.
static void sines_are_seen_within_long_steps(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText("scene{ gravity = 'none' }\n"
                                 "world('w')\n"
                                 "object('a', { free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                                 "object('b', { parent = 'a', mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                                 "sine('s', { amplitude = 1, frequency = 10 })\n"
                                 "action('go', { when = { signal = 's', level = 0.5 }, release = 'b' })\n"
                                 "action('grip', { when = { signal = 's', level = -0.5, direction = 'down' },\n"
                                 "  attach = { 'b', to = 'a' } })\n",
                                 10.0, 1e-8, cr_solverAuto);
  crTestRun_Advance(&run, 10.0);
  assert_int_equal(crSimulation_GetSummary(run.simulation).actionCount, 200);
  crCloseTestRun(&run);
}

#define STAGES                                                                                                         \
  "scene{ gravity = { 0, 0, -10 } }\n"                                                                                 \
  "contactPair('*', '*', { cor = 0.5, muK = 0.3, muR = 0 })\n"                                                         \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"                                                  \
  "object('upper', { free = true, position = { 0, 0, 100 }, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"              \
  "object('ball', { position = { 0, 0, -98 }, parent = 'upper',\n"                                                     \
  "  solid{ shape = sphere{ radius = 0.1 }, mass = 1, contact = 'Steel' } })\n"                                        \
  "object('other', { free = true, position = { 3, 0, 100 }, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"

// What touches is what is fixed to an object then, not what was so at the start.
static void contacts_are_those_of_what_is_attached_now(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(STAGES "action('drop', { when = 0.1, release = 'ball' })\n"
                                        "action('gone', { when = { contact = { 'upper', 'w' } }, delete = 'upper' })\n",
                                 1.0, 1e-8, cr_solverAuto);
  crTestRun_Advance(&run, 1.0); // the ball is down after 0.62 s
  assert_int_equal(crSimulation_GetSummary(run.simulation).actionCount, 1);
  crCloseTestRun(&run);
  run = crOpenTestText(STAGES "action('take', { when = 0.1, attach = { 'upper', to = 'other' } })\n"
                              "action('gone', { when = { contact = { 'other', 'w' } }, delete = 'other' })\n",
                       1.0, 1e-8, cr_solverAuto);
  crTestRun_Advance(&run, 1.0);
  assert_int_equal(crSimulation_GetSummary(run.simulation).actionCount, 2);
  crCloseTestRun(&run);
}

static void calls_from_outside_do_what_they_name(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(PARTS "action('go', { release = 'part' })\n", 1.0, 1e-8, cr_solverAuto);
  crTestRun_Advance(&run, 0.5);
  assert_int_equal(crSimulation_Act(run.simulation, "gone"), cr_errorMisuse);
  assert_message(run.log, cr_severityError, "the model has no action 'gone'");
  assert_int_equal(crSimulation_Act(NULL, "go"), cr_errorMisuse);
  assert_int_equal(crSimulation_Act(run.simulation, NULL), cr_errorMisuse);
  assert_int_equal(crSimulation_Act(run.simulation, "go"), cr_ok);
  assert_int_equal(crSimulation_Act(run.simulation, "go"), cr_ok); // nothing to do
  crTestRun_Advance(&run, 1.0);
  assert_int_equal(crSimulation_GetSummary(run.simulation).actionCount, 1);
  assert_close(crTestRun_Value(&run, "part.position.z"), 0.5 - 0.5 * G, 1e-8);
  crCloseTestRun(&run);
  run = crOpenTestText("world('w')", 1.0, 1e-8, cr_solverAuto);
  assert_int_equal(crSimulation_Act(run.simulation, "go"), cr_errorMisuse);
  crCloseTestRun(&run);
}

static void actions_that_call_for_each_other_end(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      PARTS "action('on', { when = { time = 0.5, period = 1e-18 }, attach = { 'part', to = 'carrier' } })\n"
            "action('off', { when = { time = 0.5, period = 1e-18 }, release = 'part' })\n",
      1.0, 1e-8, cr_solverAuto);
  assert_int_equal(crSimulation_Advance(run.simulation, 1.0), cr_failNumerics);
  assert_message(run.log, cr_severityError, "actions call for each other without end");
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------- contacts

// A box on a slope that sticks, pushed before, and far from it a part that is attached and released: what friction has
// stored goes on, although the numbers of all bodies and shapes change.
#define SLOPE                                                                                                          \
  "scene{ gravity = { 2, 0.5, -9.81 }, friction = 'stick', tolerance = 1e-9 }\n"                                       \
  "solidMaterial('Clay', { density = 1000, E = 1e8, nu = 0.3 })\n"                                                     \
  "contactPair('Clay', 'Clay', { cor = 0.3, muK = 0.5, muR = 0 })\n"                                                   \
  "world('w')\n"                                                                                                       \
  "object('part', { parent = 'w', position = { 5, 0, 1 }, mass{ mass = 1, inertia = { 1, 1, 1 } },\n"                  \
  "  solid{ shape = sphere{ radius = 0.1 }, contact = 'Clay' } })\n"                                                   \
  "object('floor', { parent = 'w', solid{ shape = box{ size = { 2, 2, 0.2 } }, contact = 'Clay' } })\n"                \
  "object('box', { free = true, start = 'rest', position = { 0, 0, 0.2 },\n"                                           \
  "  solid{ shape = box{ size = { 0.2, 0.2, 0.2 } }, material = 'Clay', contact = 'Clay' } })\n"

static void contacts_that_stick_go_on(void** state)
{
  (void)state;
  static const char* const actions[] = { "action('a', { when = 0.2, release = 'part' })\n",
                                         "action('a', { when = 0.2, attach = { 'box', to = 'w' } })\n"
                                         "action('b', { when = 0.4, release = 'box' })\n",
                                         "action('a', { when = 0.2, delete = 'part' })\n" };
  for (int k = 0; k < 3; ++k) {
    char text[2000];
    snprintf(text, sizeof text, SLOPE "%s", actions[k]);
    crTestRun run = crOpenTestText(text, 1.0, 1e-9, cr_solverAuto);
    double x = crTestRun_Value(&run, "box.position.x"), y = crTestRun_Value(&run, "box.position.y");
    crTestRun_Advance(&run, 1.0);
    // one that began anew would slip by the stretch of what holds it, 1e-7 m
    double tol = k == 1 ? 1e-5 : 1e-9;
    assert_close(crTestRun_Value(&run, "box.position.x"), x, tol);
    assert_close(crTestRun_Value(&run, "box.position.y"), y, tol);
    const crContacts* contacts = crSimulation_GetSet(run.simulation).contacts;
    assert_int_equal(crContacts_Count(contacts), 1);
    crContactRecord record = crContacts_Get(contacts, 0);
    assert_close(fabs(record.force.x), 2.0 * 8.0, 1e-3);
    assert_true(k == 1 || record.begin == 0.0);
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
    crCloseTestRun(&run);
  }
}

// A box that sticks on a plate on a slope; the plate becomes a part of a body that was made before the box, so that the
// two shapes change places, and with them the sense of what friction has stored.
static void contacts_that_stick_go_on_with_their_shapes_exchanged(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "scene{ gravity = { 2, 0.5, -9.81 }, friction = 'stick' }\n"
      "solidMaterial('Clay', { density = 1000, E = 1e8, nu = 0.3 })\n"
      "contactPair('Clay', 'Clay', { cor = 0.3, muK = 0.5, muR = 0 })\n"
      "local w = world('w')\n"
      "object('floor', { parent = 'w', solid{ shape = box{ size = { 2, 2, 0.2 } }, contact = 'Clay' } })\n"
      "object('stand', { mass{ mass = 100, inertia = { 1, 1, 1 } } })\n"
      "prismatic('rail', w, 'stand', { motion = constant('still', { value = 0 }) })\n"
      "object('box', { free = true, start = 'rest', position = { 0.05, 0, 0.3 },\n"
      "  solid{ shape = box{ size = { 0.2, 0.2, 0.2 } }, material = 'Clay', contact = 'Clay' } })\n"
      "object('plate', { free = true, start = 'rest', position = { 0, 0, 0.15 },\n"
      "  solid{ shape = box{ size = { 0.6, 0.6, 0.1 } }, material = 'Clay', contact = 'Clay' } })\n"
      "action('hold', { attach = { 'plate', to = 'stand' } })\n",
      1.0, 1e-9, cr_solverAuto);
  crTestRun_Advance(&run, 0.2);
  crVec3 place = crTestRun_Pose(&run, "box").p;
  crContactRecord before = { 0 }, after = { 0 };
  const crContacts* contacts = crSimulation_GetSet(run.simulation).contacts;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord record = crContacts_Get(contacts, i);
    const char* other = crModel_GetObjectPath(run.model, record.objectA);
    before = strcmp(other, "box") == 0 ? record : before;
  }
  assert_string_equal(crModel_GetObjectPath(run.model, before.objectB), "plate");
  assert_int_equal(crSimulation_Act(run.simulation, "hold"), cr_ok);
  run.instance = crTestInstance(run.simulation);
  const crModel* model = crSimulation_GetModel(run.simulation);
  contacts = crSimulation_GetSet(run.simulation).contacts;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord record = crContacts_Get(contacts, i);
    after = strcmp(crModel_GetObjectPath(model, record.objectB), "box") == 0 ? record : after;
  }
  assert_string_equal(crModel_GetObjectPath(model, after.objectA), "plate");
  assert_true(after.begin == before.begin);
  assert_vec_close(after.force, crNeg(before.force), 1e-6);
  assert_true(fabs(before.force.x) > 10.0 && fabs(before.force.y) > 2.0);
  crTestRun_Advance(&run, 1.0);
  assert_vec_close(crTestRun_Pose(&run, "box").p, place, 1e-8);
  crCloseTestRun(&run);
}

static void all_solvers_stop_at_actions(void** state)
{
  (void)state;
  static const char text[] =
      PARTS "frameSensor('height', { objectA = w, objectB = 'carrier', quantity = 'position', component = 'z' })\n"
            "object('arm', { mass{ mass = 1, com = { 0.5, 0, 0 }, inertia = { 0.1, 0.1, 0.1 } } })\n"
            "revolute('turn', w, 'arm', { axis = 'y', start = 0.3 })\n"
            "action('go', { when = { signal = 'height', level = -3, direction = 'down' }, release = 'part' })\n"
            "action('hold', { when = 0.5, lock = 'turn', maxSpeed = 100 })\n"
            "action('free', { when = 0.7, unlock = 'turn' })\n";
  double reference = NAN;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    crTestRun run = crOpenTestText(text, 1.0, 1e-9, (crSolverKind)kind);
    double angle = crTestRun_ValueAt(&run, 1.0, "turn.angle");
    reference = isnan(reference) ? angle : reference;
    assert_close(angle, reference, 1e-5);
    assert_close(crTestRun_Value(&run, "part.position.z"), 0.5 - 0.5 * G, 1e-5);
    assert_int_equal(crSimulation_GetSummary(run.simulation).actionCount, 3);
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-5);
    crCloseTestRun(&run);
  }
}

// ------------------------------------------------------------------------------------------------- checkpoints

// Swings and balls that hit each other, of which some are attached and let go, while others vanish.
static const char busy[] =
    "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"
    "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"
    "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"
    "local arm = object('arm', { solid{ shape = capsule{ radius = 0.02, length = 0.4, axis = 'x' }, mass = 1 } })\n"
    "revolute('turn', object('post', { parent = w, position = { 0, 0, 1 } }), arm, { axis = 'y',\n"
    "  torque = sine('drive', { amplitude = 1, frequency = 1 }), damping = 0.3 })\n"
    "jointSensor('angle', { joint = 'turn' })\n"
    "sampled('count', { period = 0.05, inputs = { q = 'angle' }, state = { n = 0 }, code = 'n = n + q  return n' })\n"
    "for i = 1, 6 do object('ball' .. i, { free = true, position = { 0.25 * i, 0.01 * i, 0.3 + 0.1 * i },\n"
    "  velocity = { -0.5, 0, 0 }, solid{ shape = sphere{ radius = 0.1 }, material = 'Rubber', contact = 'Rubber' } })\n"
    "end\n"
    "action('take', { when = { time = 0.21 }, attach = { 'ball2', to = 'arm' }, maxSpeed = 100 })\n"
    "action('drop', { when = { signal = 'angle', level = -0.05, direction = 'both' }, release = 'ball2' })\n"
    "action('burst', { when = { contact = { 'w', 'ball5' } }, delete = 'ball5' })\n"
    "action('hold', { when = { time = 0.6 }, lock = 'turn', maxSpeed = 100 })\n"
    "action('free', { when = { time = 0.7 }, unlock = 'turn' })\n";

static void runs_go_on_from_checkpoints_with_the_same_bits(void** state)
{
  (void)state;
  for (int k = 0; k < 3; ++k) {
    crSavedPlan plan = { .text = busy, .stop = 1.0, .intervals = 40, .islands = k == 2 ? cr_islandsOff : cr_islandsOn };
    plan.setsInputs = k == 1; // the clock is held from outside, and copies go on
    crModel* model = crOpenSavedModel(&plan);
    assert_non_null(model);
    const int points[] = { 0, 5, 9, 14, 20, 25, 27, 33 };
    crSavedRun run = crRunSaved(model, &plan, 1, points, 8, k == 1);
    assert_int_equal(run.status, cr_ok);
    assert_true(run.summary.actionCount >= 4);
    crSavedRun plain = crRunSaved(model, &plan, 1, NULL, 0, false);
    assert_int_equal(crCompareSaved(&plain, &run, 0), -1);
    crSavedRun_Free(&plain);
    for (int i = 0; i < 8; ++i) {
      crSavedRun again = crResumeSaved(&run, i, 1 + i % 3);
      assert_int_equal(crCompareSaved(&run, &again, points[i] + 1), -1);
      crSavedRun_Free(&again);
    }
    crSavedRun_Free(&run);
    crDestroyModel(model);
  }
}

static void any_number_of_threads_gives_the_same_bits(void** state)
{
  (void)state;
  crSavedPlan plan = { .text = busy, .stop = 1.0, .intervals = 40 };
  crModel* model = crOpenSavedModel(&plan);
  crSavedRun one = crRunSaved(model, &plan, 1, NULL, 0, false), three = crRunSaved(model, &plan, 3, NULL, 0, false);
  assert_int_equal(crCompareSaved(&one, &three, 0), -1);
  crSavedRun_Free(&one);
  crSavedRun_Free(&three);
  crDestroyModel(model);
}

static void islands_or_one_step_for_all_agree(void** state)
{
  (void)state;
  double angles[2];
  for (int k = 0; k < 2; ++k) {
    crSimulationOptions options = crDefaultSimulationOptions();
    options.stopTime = options.interval = 0.9;
    options.tolerance = 1e-10;
    options.islands = k == 0 ? cr_islandsOn : cr_islandsOff;
    crTestRun run = crOpenTestRun(&(crTestPlan){ .text = busy, .options = &options });
    angles[k] = crTestRun_ValueAt(&run, 0.9, "turn.angle");
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-5);
    crCloseTestRun(&run);
  }
  assert_close(angles[0], angles[1], 1e-6);
}

// -------------------------------------------------------------------------------------------------- thousands

// A turning carrier takes a part and lets it go a thousand times, both in free fall about one point: the part never
// moves relative to the carrier but by what it keeps of its velocity between.
static void a_thousand_grips_leave_nothing_behind(void** state)
{
  (void)state;
  static const char text[] =
      "scene{ gravity = 'none' }\n"
      "world('w')\n"
      "object('hand', { free = true, velocity = { 1, 0, 0 }, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
      "object('ball', { free = true, velocity = { 1, 0, 0 }, position = { 0, 0.3, 0 },\n"
      "  mass{ mass = 0.5, inertia = { 1, 1, 1 } } })\n"
      "action('grip', { when = { time = 0.001, period = 0.002 }, attach = { 'ball', to = 'hand' } })\n"
      "action('let', { when = { time = 0.002, period = 0.002 }, release = 'ball' })\n";
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crTestRun run = crOpenTestText(text, 4.0, 1e-8, cr_solverAuto);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = 4.0;
  crSimulation* simulation = NULL;
  assert_int_equal(crCreateSimulation(run.model, &options, &allocator, &run.sink, &simulation), cr_ok);
  assert_int_equal(crSimulation_Advance(simulation, 0.0045), cr_ok);
  size_t bytes = counter.liveBytes;
  long blocks = counter.liveBlocks;
  assert_int_equal(crSimulation_Advance(simulation, 2.0005), cr_ok);
  assert_int_equal(crSimulation_GetSummary(simulation).actionCount, 2000);
  assert_true(counter.liveBytes == bytes && counter.liveBlocks == blocks);
  const crInstance* instance = crSimulation_GetInstance(simulation);
  crVec3 p = crInstance_GetPose(instance, crModel_FindObject(crSimulation_GetModel(simulation), "ball")).p;
  assert_vec_close(p, ((crVec3){ 2.0005, 0.3, 0.0 }), 1e-12);
  crMomentum momentum = crInstance_ComputeMomentum(instance, crSimulation_GetSet(simulation), -1);
  assert_vec_close(momentum.linear, ((crVec3){ 1.5, 0.0, 0.0 }), 1e-12);
  crDestroySimulation(simulation);
  assert_int_equal(counter.liveBlocks, 0);
  crCloseTestRun(&run);
}

static void every_allocation_may_fail(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(PARTS "action('go', { when = 0.1, release = 'part' })\n"
                                       "action('cut', { when = 0.2, delete = 'part' })\n",
                                 0.3, 1e-8, cr_solverAuto);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = 0.3;
  crStatus status = cr_errorMemory;
  for (int i = 0; status != cr_ok; ++i) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = i;
    crSimulation* simulation = NULL;
    status = crCreateSimulation(run.model, &options, &allocator, NULL, &simulation);
    status = status == cr_ok ? crSimulation_Advance(simulation, 0.3) : status;
    assert_true(status == cr_ok || status == cr_errorMemory);
    crDestroySimulation(simulation);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crCloseTestRun(&run);
}

static void every_allocation_of_the_compiler_may_fail(void** state)
{
  (void)state;
  crTestModel read = crTestModel_Read(PARTS "action('go', { release = 'part' })\naction('cut', { delete = 'part' })\n"
                                            "action('take', { attach = { 'part', to = w } })\n",
                                      NULL);
  assert_no_messages(read.log);
  crStatus status = cr_errorMemory;
  for (int i = 0; status != cr_ok; ++i) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = i;
    crModel* model = NULL;
    status = crCompile(read.scene, NULL, &allocator, NULL, &model);
    assert_true(status == cr_ok || status == cr_errorMemory);
    crDestroyModel(model);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crTestModel_Free(&read);
}

// What a model keeps is the scene, and what a structure without changes makes of it is, too: both compile to the same
// bits.
static void assertSameCopies(const char* name)
{
  char path[1024], hashes[3][CR_HASH_TEXT];
  static const crSceneStructure none;
  crScene* scenes[3] = { NULL };
  snprintf(path, sizeof path, CAROM_ROOT "/examples/%s", name);
  assert_int_equal(crReadModel(path, NULL, NULL, NULL, &scenes[0]), cr_ok);
  assert_int_equal(crCopyScene(scenes[0], NULL, &scenes[1]), cr_ok);
  crAssertSameScenes(scenes[0], scenes[1]);
  while (crScene_Count(scenes[0], cr_elementAction) > 0) { // of which structures have none
    assert_int_equal(crScene_Remove(scenes[0], crScene_GetId(scenes[0], cr_elementAction, 0)), cr_ok);
    assert_int_equal(crScene_Remove(scenes[1], crScene_GetId(scenes[1], cr_elementAction, 0)), cr_ok);
  }
  assert_int_equal(crMakeStructured(scenes[0], &none, NULL, NULL, &scenes[2]), cr_ok);
  for (int i = 0; i < 3; ++i) {
    crModel* model = NULL;
    assert_int_equal(crCompile(scenes[i], NULL, NULL, NULL, &model), cr_ok);
    crModel_GetHash(model, hashes[i]);
    crDestroyModel(model);
  }
  for (int i = 2; i >= 0; --i) {
    crDestroyScene(scenes[i]);
  }
  assert_string_equal(hashes[0], hashes[1]);
  assert_string_equal(hashes[0], hashes[2]);
}

static void copies_of_scenes_are_the_same_models(void** state)
{
  (void)state;
  int count = 0;
  DIR* entries = opendir(CAROM_ROOT "/examples");
  assert_non_null(entries);
  for (struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    size_t length = strlen(entry->d_name);
    if (length > 4 && strcmp(entry->d_name + length - 4, ".lua") == 0) {
      assertSameCopies(entry->d_name);
      ++count;
    }
  }
  closedir(entries);
  assert_true(count > 40);
}

// ------------------------------------------------------------------------------------------------------ results

static void results_know_all_bodies_and_actions(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(PARTS "action('go', { when = 0.25, release = 'part' })\n"
                                       "action('cut', { when = 0.75, delete = 'part' })\n",
                                 1.0, 1e-8, cr_solverAuto);
  crResult* result = NULL;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = 1.0;
  options.interval = 0.1;
  assert_int_equal(crRecordToMemory(run.model, &options, NULL, NULL, &run.sink, &result, NULL, NULL), cr_ok);
  assert_int_equal(crResult_CountEvents(result), 2);
  assert_string_equal(crResult_GetEvent(result, 0)->kind, "action");
  assert_string_equal(crResult_GetEvent(result, 0)->text, "go: release part");
  assert_true(crResult_GetEvent(result, 1)->time == 0.75);
  assert_int_equal(crResult_CountBodies(result), 2);
  assert_string_equal(crResult_GetBody(result, 1), "part");
  const double* z = crResult_GetValues(result, crResult_FindColumn(result, "part.position.z"));
  const double* times = crResult_GetTimes(result);
  for (int row = 0; row < crResult_CountRows(result); ++row) {
    const float* pose = crResult_GetPoses(result, row) + CR_POSE_SIZE;
    bool isGone = times[row] > 0.75 || (times[row] == 0.75 && crResult_GetRowKind(result, row) == cr_rowAfter);
    assert_true(isnan(z[row]) == isGone && isnan(pose[2]) == isGone);
    if (!isGone) {
      assert_close(z[row], 0.5 - 0.5 * G * times[row] * times[row], 1e-8);
      assert_close(pose[2], z[row], 1e-6);
    }
  }
  crDestroyResult(result);
  crCloseTestRun(&run);
}

// ----------------------------------------------------------------------------------------------------- refused

static void assertRefused(const char* more, const char* message)
{
  char text[2000];
  snprintf(text, sizeof text,
           PARTS "object('arm', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                 "revolute('turn', w, 'arm')\nspherical('ball', 'arm',\n"
                 "  object('tip', { mass{ mass = 1, inertia = { 1, 1, 1 } } }))\n%s",
           more);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  crModel* model = NULL;
  crReadLua(text, strlen(text), "model.lua", NULL, NULL, NULL, &sink, &scene);
  if (scene != NULL) {
    crCompile(scene, NULL, NULL, &sink, &model);
  }
  assert_null(model);
  assert_message(log, cr_severityError, message);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void what_makes_no_sense_is_told_where_it_stands(void** state)
{
  (void)state;
  assertRefused("action('x', { when = 1 })", "an action does one thing");
  assertRefused("action('x', { release = 'part', delete = 'part' })", "this one does 2");
  assertRefused("action('x', { attach = 'part' })", "attach needs the object that it attaches to");
  assertRefused("action('x', { release = 'part', to = 'w' })", "only attach has an object");
  assertRefused("action('x', { attach = { 'part', to = 'part' } })", "cannot be attached to itself");
  assertRefused("action('x', { release = 'part', maxSpeed = 1 })", "only attach and lock have a maxSpeed");
  assertRefused("action('x', { attach = { 'part', to = 'w' }, maxSpeed = -1 })", "maxSpeed");
  assertRefused("action('x', { release = 'part', when = { time = 1, signal = 'wave' } })", "one trigger");
  assertRefused("action('x', { release = 'part', when = { time = 1, period = -1 } })", "period");
  assertRefused("action('x', { release = 'part', when = { period = 1 } })", "a period needs the time");
  assertRefused("action('x', { release = 'part', when = { level = 1 } })", "level and direction need a signal");
  assertRefused("action('x', { release = 'part', when = { signal = 'wave', direction = 'left' } })", "direction");
  assertRefused("action('x', { release = 'part', when = { contact = { 'w' } } })", "contact needs two objects");
  assertRefused("action('x', { release = 'part', when = { contact = { 'w', 'w' } } })", "'w' cannot touch itself");
  assertRefused("action('x', { release = 'part', when = { duration = 1 } })", "a duration needs a contact");
  assertRefused("action('x', { release = 'part', when = { contact = { 'w', 'part' }, duration = -1 } })", "duration");
  assertRefused("action('x', { release = 'prat' })", "did you mean 'part'?");
  assertRefused("action('x', { release = 'wave' })", "release has to be an object");
  assertRefused("action('x', { attach = { 'part', to = 'carier' } })", "did you mean 'carrier'?");
  assertRefused("action('x', { lock = 'part' })", "lock has to be a joint");
  assertRefused("action('x', { lock = 'ball' })", "joint 'ball' cannot be locked");
  assertRefused("action('x', { release = 'part', when = { signal = 'wafe' } })", "did you mean 'wave'?");
  assertRefused("action('x', { release = 'part', when = { contact = { 'w', 'prt' } } })", "did you mean 'part'?");
  assertRefused("action('x', { release = 'arm' })", "joints move this object");
  assertRefused("action('x', { attach = { 'arm', to = 'carrier' } })", "joints move this object");
  assertRefused("action('x', { delete = 'w' })", "the world cannot be");
  assertRefused("action('wave', { release = 'part' })", "the name is taken already by a signal");
  assertRefused("action('x', { release = 'part', whn = 1 })", "an action has no such field");
}

// What can meet only behind an action needs its contact pair before.
static void what_cannot_be_compiled_behind_an_action_is_told_before(void** state)
{
  (void)state;
  assertRefused("solidMaterial('Goo', { density = 1000, E = 1e6, nu = 0.4 })\n"
                "object('x', { parent = 'w', solid{ shape = sphere{ radius = 0.1 }, contact = 'Goo' } })\n"
                "object('y', { parent = 'w', position = { 1, 0, 0 }, solid{ shape = sphere{ radius = 0.1 },\n"
                "  material = 'Goo', contact = 'Goo' } })\n"
                "action('go', { release = 'y' })\n",
                "the model cannot be compiled behind this action");
}

// ----------------------------------------------------------------------------------------------------- as text

static void actions_are_the_same_as_json(void** state)
{
  (void)state;
  crTestModel nested = crTestModel_Read(PARTS "action('a', { when = { contact = { 'w', 'part' }, duration = 0.2 }, "
                                              "attach = { 'part', to = 'w' }, maxSpeed = 2 })\n"
                                              "action('b', { when = 0, delete = 'part' })\n",
                                        NULL);
  crTestModel flat = crTestModel_Read(
      PARTS "action('a', { contact = { 'w', 'part' }, duration = 0.2, attach = 'part', to = 'w', maxSpeed = 2 })\n"
            "action('b', { time = 0, delete = 'part' })\n",
      NULL);
  assert_no_messages(nested.log);
  char hashes[2][CR_HASH_TEXT];
  const crScene* scenes[] = { nested.scene, flat.scene };
  for (int i = 0; i < 2; ++i) {
    crModel* model = NULL;
    assert_int_equal(crCompile(scenes[i], NULL, NULL, &nested.sink, &model), cr_ok);
    assert_int_equal(crModel_CountActions(model), 2);
    assert_true(crModel_GetAction(model, 1)->time == CR_ZERO);
    crModel_GetHash(model, hashes[i]);
    crDestroyModel(model);
  }
  assert_string_equal(hashes[0], hashes[1]);
  crTestModel_Free(&nested);
  crTestModel_Free(&flat);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(times_come_once_or_again_and_again),
    cmocka_unit_test(crossings_are_found_where_they_are),
    cmocka_unit_test(crossings_of_states_do_not_depend_on_output),
    cmocka_unit_test(jumps_count_as_crossings),
    cmocka_unit_test(a_contact_that_has_lasted_calls),
    cmocka_unit_test(a_contact_from_the_start_lasts_from_there),
    cmocka_unit_test(sines_are_seen_within_long_steps),
    cmocka_unit_test(contacts_are_those_of_what_is_attached_now),
    cmocka_unit_test(calls_from_outside_do_what_they_name),
    cmocka_unit_test(actions_that_call_for_each_other_end),
    cmocka_unit_test(contacts_that_stick_go_on),
    cmocka_unit_test(contacts_that_stick_go_on_with_their_shapes_exchanged),
    cmocka_unit_test(all_solvers_stop_at_actions),
    cmocka_unit_test(runs_go_on_from_checkpoints_with_the_same_bits),
    cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
    cmocka_unit_test(islands_or_one_step_for_all_agree),
    cmocka_unit_test(a_thousand_grips_leave_nothing_behind),
    cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(every_allocation_of_the_compiler_may_fail),
    cmocka_unit_test(copies_of_scenes_are_the_same_models),
    cmocka_unit_test(results_know_all_bodies_and_actions),
    cmocka_unit_test(what_makes_no_sense_is_told_where_it_stands),
    cmocka_unit_test(what_cannot_be_compiled_behind_an_action_is_told_before),
    cmocka_unit_test(actions_are_the_same_as_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
