// Contact where nothing gives, nothing weighs or nothing moves: walls with prescribed motion, massless bodies, models
// without states.
#include "contact/contact.h"
#include "support/test_run.h"

#include <math.h>
#include <string.h>

static crTestRun openBench(const char* text, double stop)
{
  return crOpenTestText(text, stop, 0.0, cr_solverAuto);
}

#define STEEL_BALL(name, x, y, z)                                                                                      \
  "object('" name "', { parent = 'w', position = { " #x ", " #y ", " #z " }, free = true,\n"                           \
  "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n"

// ------------------------------------------------------------------------------------------ prescribed walls

// A wall that swings with x = sin(pi t) / 2 meets balls at rest at x = 0.14, where its speed is pi/2 cos(pi t).
#define PADDLE                                                                                                         \
  "scene{ response = 'impulsive', gravity = 'none' }\n"                                                                \
  "world('w', {})\n"                                                                                                   \
  "object('paddle', { solid{ shape = box{ size = { 0.1, 2, 2 } }, mass = 1, contact = 'Steel' } })\n"                  \
  "sine('swing', { amplitude = 0.5, frequency = 0.5 })\n"                                                              \
  "prismatic('slide', 'w', 'paddle', { axis = 'x', motion = 'swing' })\n"

static void a_driven_wall_hits_two_balls_at_once_as_hard_as_one(void** state)
{
  (void)state;
  crTestRun one = openBench(PADDLE STEEL_BALL("a", 0.2, 0.5, 0), 0.5);
  crTestRun two = openBench(PADDLE STEEL_BALL("a", 0.2, 0.5, 0) STEEL_BALL("b", 0.2, -0.5, 0), 0.5);
  assert_int_equal(crSimulation_Advance(one.simulation, 0.5), cr_ok);
  assert_int_equal(crSimulation_Advance(two.simulation, 0.5), cr_ok);
  double wall = 0.5 * CR_PI * sqrt(1.0 - 0.28 * 0.28); // at sin(pi t) = 0.14 / 0.5
  assert_close(crTestRun_Value(&one, "a.velocity.x"), 1.7 * wall, 1e-6);
  assert_close(crTestRun_Value(&two, "a.velocity.x"), 1.7 * wall, 1e-6);
  assert_close(crTestRun_Value(&two, "b.velocity.x"), 1.7 * wall, 1e-6);
  // what the wall puts in is work; what is lost is (1 - cor^2) m v^2 / 2 of each ball
  double mass = 4.0 / 3.0 * CR_PI * 1e-6 * 8000.0; // of Steel in the palette
  crSimulationSummary summary = crSimulation_GetSummary(two.simulation);
  assert_close(summary.dissipated, 2.0 * 0.5 * mass * wall * wall * (1.0 - 0.49), 1e-5);
  crCloseTestRun(&one);
  crCloseTestRun(&two);
}

// Two driven balls meet: no impulse changes anything, and the ball beside them must not notice.
#define TWO_DRIVEN                                                                                                     \
  "scene{ response = 'impulsive' }\n"                                                                                  \
  "world('w', {})\n"                                                                                                   \
  "sine('up', { amplitude = 0.1, frequency = 1 })\n"                                                                   \
  "object('seat', { parent = 'w', position = { 0, 0, 0.1 } })\n"                                                       \
  "object('a', { solid{ shape = sphere{ radius = 0.02 }, mass = 1, contact = 'Steel' } })\n"                           \
  "object('b', { solid{ shape = sphere{ radius = 0.02 }, mass = 1, contact = 'Steel' } })\n"                           \
  "prismatic('slideA', 'w', 'a', { axis = 'z', motion = 'up' })\n"                                                     \
  "prismatic('slideB', 'seat', 'b', { axis = 'z' , motion = constant('still', { value = 0 }) })\n"

static void impulses_pass_by_what_nothing_moves(void** state)
{
  (void)state;
  crTestRun bench = openBench(TWO_DRIVEN STEEL_BALL("ball", 1, 0, 0), 0.2);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.2), cr_ok);
  assert_int_equal(crSimulation_GetSummary(bench.simulation).contactCount, 1);
  assert_close(crTestRun_Value(&bench, "ball.position.z"), -0.5 * 9.81 * 0.04, 1e-9);
  crCloseTestRun(&bench);
}

// Contacts of such models were once found at the start only: the balls meet where 0.1 sin(2 pi t) = 0.06.
static void models_without_states_find_their_contacts(void** state)
{
  (void)state;
  crTestRun bench = openBench(TWO_DRIVEN, 0.2);
  double meeting = asin(0.6) / (2.0 * CR_PI);
  assert_int_equal(crSimulation_Advance(bench.simulation, meeting - 1e-6), cr_ok);
  assert_int_equal(crSimulation_GetSummary(bench.simulation).contactCount, 0);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.2), cr_ok);
  crSimulationSummary summary = crSimulation_GetSummary(bench.simulation);
  assert_int_equal(summary.contactCount, 1);
  crEnergy e = summary.endEnergy, s = summary.startEnergy; // they are pressed through each other, by their drives
  double gain = e.kinetic + e.potential + e.elastic - s.kinetic - s.potential - s.elastic;
  assert_true(summary.work > 1e5);
  assert_close((summary.work - summary.dissipated - gain) / summary.work, 0.0, 1e-8);
  crCloseTestRun(&bench);
}

static void squeezed_hard_bodies_are_told_to_be_elastic(void** state)
{
  (void)state;
  const char* text = "scene{ response = 'impulsive', gravity = 'none' }\n"
                     "world('w', {})\n"
                     "object('wall', { parent = 'w', position = { 0.3, 0, 0 },\n"
                     "  solid{ shape = box{ size = { 0.1, 2, 2 } }, contact = 'Steel' } })\n"
                     "object('press', { solid{ shape = box{ size = { 0.1, 2, 2 } }, mass = 1, contact = 'Steel' } })\n"
                     "sine('swing', { amplitude = 0.25, frequency = 0.5 })\n"
                     "prismatic('slide', 'w', 'press', { axis = 'x', motion = 'swing' })\n" STEEL_BALL("a", 0.2, 0, 0);
  crTestRun bench = openBench(text, 0.5);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.5), cr_failNumerics);
  assert_message(bench.log, cr_severityError, "there is no end of impacts");
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.5), cr_errorMisuse); // it has failed
  crCloseTestRun(&bench);
}

// The square root of a speed that an impulse turns round.
static void a_function_that_fails_behind_an_impulse_is_named(void** state)
{
  (void)state;
  const char* text =
      "scene{ response = 'impulsive' }\n"
      "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n" STEEL_BALL(
          "ball", 0, 0, 0.05) "object('top', { parent = 'w', position = { 0, 0, 1 } })\n"
                              "frameSensor('rate', { objectA = 'top', objectB = 'ball', quantity = 'distanceRate' })\n"
                              "userFunction('law', { inputs = { v = 'rate' }, code = 'return 0.01 * math.sqrt(v)' })\n"
                              "springDamper('band', 'top', 'ball', { tension = 'law' })\n";
  crTestRun bench = openBench(text, 0.5);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.5), cr_failNumerics);
  assert_message(bench.log, cr_severityError, "the model cannot be evaluated behind an event: ");
  crCloseTestRun(&bench);
}

// -------------------------------------------------------------------------------------------------- massless

// The ball at the elbow of a double pendulum has no mass of its own.
static void massless_bodies_bounce_with_what_they_carry(void** state)
{
  (void)state;
  const char* text = "scene{ response = 'impulsive' }\n"
                     "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('hinge', { parent = 'w', position = { 0, 0, 0.3 } })\n"
                     "object('arm', { mass{ mass = 1, inertia = { 0.01, 0.02, 0.03 } } })\n"
                     "object('end', { parent = 'arm', position = { 0.5, 0, 0 } })\n"
                     "object('elbow', { solid{ shape = sphere{ radius = 0.02 }, contact = 'Steel' } })\n"
                     "object('wrist', { parent = 'elbow', position = { 0.1, 0, 0 } })\n"
                     "object('hand', { mass{ mass = 1, inertia = { 0.01, 0.02, 0.03 } } })\n"
                     "revolute('j1', 'hinge', 'arm', { axis = 'y' })\n"
                     "revolute('j2', 'end', 'elbow', { axis = 'y' })\n"
                     "revolute('j3', 'wrist', 'hand', { axis = 'x' })\n";
  crTestRun bench = openBench(text, 0.4);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.4), cr_ok);
  crSimulationSummary summary = crSimulation_GetSummary(bench.simulation);
  assert_true(summary.contactCount > 0 && summary.dissipated > 0.0);
  assert_true(crTestRun_Value(&bench, "elbow.position.z") > 0.0199);
  assert_close(crTestRun_Unexplained(&bench), 0.0, 1e-6);
  crCloseTestRun(&bench);
}

// ---------------------------------------------------------------------------------------------------- start

// The energy at the start is that behind the impacts that happen there.
static void impacts_at_the_start_do_not_upset_the_balance(void** state)
{
  (void)state;
  const char* text = "scene{ response = 'impulsive' }\n"
                     "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('ball', { parent = 'w', position = { 0, 0, 0.009999 }, free = true,\n"
                     "  velocity = { 0, 0, -1 },\n"
                     "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n";
  crTestRun bench = openBench(text, 0.05);
  assert_close(crTestRun_Value(&bench, "ball.velocity.z"), 0.7, 1e-6);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.05), cr_ok);
  assert_close(crTestRun_Unexplained(&bench), 0.0, 1e-6);
  crCloseTestRun(&bench);
}

// A ball that creeps down at 1e-9 m/s would have touched long before the run.
static void what_touches_at_the_start_begins_there(void** state)
{
  (void)state;
  const char* text = "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('ball', { parent = 'w', position = { 0, 0, 0.009999 }, free = true,\n"
                     "  velocity = { 0, 0, -1e-9 },\n"
                     "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n";
  crTestRun bench = openBench(text, 0.01);
  const crContacts* contacts = crSimulation_GetSet(bench.simulation).contacts;
  assert_int_equal(crContacts_Count(contacts), 1);
  assert_close(crContacts_Get(contacts, 0).begin, 0.0, 0.0);
  crCloseTestRun(&bench);
}

// m g = k delta^(3/2), with the contact radius that the user gave: four times the ball's, so half the stiffness
// doubles.
static void rest_takes_the_contact_radius_of_the_user(void** state)
{
  (void)state;
  const char* text =
      "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
      "object('a', { parent = 'w', position = { 0, 0, 0.01 }, free = true, start = 'rest',\n"
      "  solid{ shape = sphere{ radius = 0.01 }, mass = 1, contact = 'Steel' } })\n"
      "object('b', { parent = 'w', position = { 1, 0, 0.01 }, free = true, start = 'rest',\n"
      "  solid{ shape = sphere{ radius = 0.01 }, mass = 1, contact = 'Steel', contactRadius = 0.04 } })\n";
  crTestRun bench = openBench(text, 0.1);
  double depthA = 0.01 - crTestRun_Value(&bench, "a.position.z"),
         depthB = 0.01 - crTestRun_Value(&bench, "b.position.z");
  assert_close(depthA / depthB, pow(2.0, 2.0 / 3.0), 1e-6);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.1), cr_ok);
  assert_close(0.01 - crTestRun_Value(&bench, "b.position.z"), depthB, 1e-9);
  crCloseTestRun(&bench);
}

// A sphere on a plane is in the table what it is elsewhere, so its hysteresis is, too.
static void the_table_of_the_papers_has_the_same_hysteresis_for_balls(void** state)
{
  (void)state;
  double hysteresis[2];
  static const char* const texts[] = {
    "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n" STEEL_BALL("ball", 0, 0, 0.1),
    "scene{ geometry = 'table' }\n"
    "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n" STEEL_BALL("ball", 0, 0, 0.1),
  };
  for (int i = 0; i < 2; ++i) {
    crTestRun bench = openBench(texts[i], 0.1);
    const crContactShape* shapes = bench.model->contactShapes;
    const crContactLaw* law = crModel_GetContactLaw(bench.model, shapes[0].material, shapes[1].material);
    hysteresis[i] = crContacts_GetHysteresis(crSimulation_GetSet(bench.simulation).contacts, 0, 1, law);
    crCloseTestRun(&bench);
  }
  assert_true(hysteresis[0] > 1e-12);
  assert_close(hysteresis[1], hysteresis[0], 0.0);
}

// ------------------------------------------------------------------------------------------------------ search

// The edge of a thin rod that spins comes down as a whole: one contact, in one event inside the step.
static void searches_count_steps_and_events_not_touches(void** state)
{
  (void)state;
  const char* text = "scene{ gravity = 'none' }\n"
                     "world('w', {})\n"
                     "object('plate', { parent = 'w', position = { 0, 0, -0.1 },\n"
                     "  solid{ shape = box{ size = { 2, 2, 0.001 } }, contact = 'Steel' } })\n"
                     "object('rod', { parent = 'w', free = true, angularVelocity = { 0, 20, 0 },\n"
                     "  solid{ shape = box{ size = { 1, 0.01, 0.01 } }, material = 'Steel', contact = 'Steel' } })\n";
  crTestRun bench = openBench(text, 0.02);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.02), cr_ok);
  crSimulationSummary summary = crSimulation_GetSummary(bench.simulation);
  assert_int_equal(summary.contactCount, 1);
  assert_true(summary.eventCount > 0 && summary.searchedSteps > 0);
  assert_true(summary.searchedSteps <= summary.solverStatistics.steps);
  crCloseTestRun(&bench);
}

// -------------------------------------------------------------------------------------------------- observers

typedef struct Watch {
  int begins;
  double first; // [s]
  double stopAt;
} Watch;

static crStatus countBegin(void* context, const crContactRecord* change)
{
  Watch* watch = context;
  watch->first = watch->begins == 0 ? change->time : watch->first;
  watch->begins += change->phase == cr_contactBegin;
  return cr_ok;
}

static bool isLate(void* context, double t)
{
  return t >= ((const Watch*)context)->stopAt;
}

#define RESTING                                                                                                        \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"                                                  \
  "object('ball', { parent = 'w', position = { 0, 0, 0.01 }, free = true, start = 'rest', velocity = { 1, 0, 0 },\n"   \
  "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n"

static void contacts_that_exist_at_the_start_are_told(void** state)
{
  (void)state;
  crTestRun bench = openBench(RESTING, 0.01);
  Watch watch = { .begins = 0, .first = NAN, .stopAt = HUGE_VAL };
  crObserver observer = { .context = &watch, .atContact = countBegin };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(bench.simulation, &observer, &end), cr_ok);
  assert_int_equal(watch.begins, 1);
  assert_close(watch.first, 0.0, 0.0);
  crCloseTestRun(&bench);
}

// Time, state and energies of a run that is stopped belong together.
static void a_run_that_is_stopped_accounts_for_its_energy(void** state)
{
  (void)state;
  crTestRun bench = openBench(RESTING, 1.0);
  Watch watch = { .stopAt = 0.02 };
  crObserver observer = { .context = &watch, .shouldStop = isLate };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(bench.simulation, &observer, &end), cr_ok);
  assert_int_equal(end, cr_runStopped);
  crSimulationSummary summary = crSimulation_GetSummary(bench.simulation);
  assert_true(summary.time >= 0.02 && summary.time < 1.0);
  assert_close(summary.time, crSimulation_GetTime(bench.simulation), 0.0);
  assert_true(summary.dissipated > 1e-4);
  assert_close(crTestRun_Unexplained(&bench), 0.0, 1e-8);
  crCloseTestRun(&bench);
}

// ---------------------------------------------------------------------------------------------------- memory

static void rates_with_contacts_take_no_memory_and_repeat_to_the_last_bit(void** state)
{
  (void)state;
  const char* text =
      "world('w', { solid{ shape = halfSpace{}, contact = 'DryWood' } })\n"
      "for i = 1, 5 do object('o' .. i, { parent = 'w', position = { 0, 0, 0.0999 * i - 0.05 },\n"
      "  free = true, solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, mass = 1, contact = 'DryWood' } })\n"
      "end\n";
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  crTestAllocator counter = { .failAt = -1 };
  crAllocator allocator = crTestAllocator_Make(&counter);
  double y[65], first[65], again[65];
  assert_int_equal(crReadLua(text, strlen(text), "m.lua", NULL, NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, NULL, &model), cr_ok);
  assert_int_equal(crCreateSimulation(model, NULL, &allocator, NULL, &simulation), cr_ok);
  crInstance* instance = crTestInstance(simulation);
  crTreeSet set = crSimulation_GetSet(simulation);
  assert_true(crContacts_Count(set.contacts) >= 4);
  crInstance_GetState(instance, set, y);
  counter.failAt = counter.callCount; // the next one
  assert_int_equal(crInstance_ComputeRates(instance, set, 0.0, y, first), cr_ok);
  for (int i = 0; i < 10; ++i) {
    double z[CR_INDICATORS];
    assert_int_equal(crInstance_ComputeIndicators(instance, set, 0.0, y, z), cr_ok);
    assert_int_equal(crInstance_ComputeRates(instance, set, 0.0, y, again), cr_ok);
    assert_memory_equal(first, again, sizeof first);
  }
  assert_int_equal(counter.callCount, counter.failAt);
  counter.failAt = -1;
  crDestroySimulation(simulation);
  assert_int_equal(counter.liveBlocks, 0);
  crDestroyModel(model);
  crDestroyScene(scene);
}

// A ball that starts at rest, and impulses: what reserves memory at the start and at events.
static void every_allocation_may_fail(void** state)
{
  (void)state;
  const char* text = "scene{ response = 'impulsive' }\n"
                     "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('c', { parent = 'w', position = { 2, 0, 0.01 }, free = true, start = 'rest',\n"
                     "  solid{ shape = sphere{ radius = 0.01 }, mass = 1, contact = 'Steel' } })\n" //
      STEEL_BALL("a", 0, 0, 0.0105) STEEL_BALL("b", 1, 0, 0.0105);
  crScene* scene = NULL;
  crModel* model = NULL;
  assert_int_equal(crReadLua(text, strlen(text), "m.lua", NULL, NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, NULL, &model), cr_ok);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = 0.012;
  options.solver = cr_solverDopri5;
  crStatus status = cr_errorMemory;
  for (int failing = 0; status != cr_ok; ++failing) {
    assert_true(failing < 10000);
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failing;
    crSimulation* simulation = NULL;
    status = crCreateSimulation(model, &options, &allocator, NULL, &simulation);
    status = status == cr_ok ? crSimulation_Advance(simulation, 0.012) : status;
    assert_true(status == cr_ok || status == cr_errorMemory);
    crDestroySimulation(simulation);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crDestroyModel(model);
  crDestroyScene(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_driven_wall_hits_two_balls_at_once_as_hard_as_one),
    cmocka_unit_test(impulses_pass_by_what_nothing_moves),
    cmocka_unit_test(models_without_states_find_their_contacts),
    cmocka_unit_test(squeezed_hard_bodies_are_told_to_be_elastic),
    cmocka_unit_test(a_function_that_fails_behind_an_impulse_is_named),
    cmocka_unit_test(massless_bodies_bounce_with_what_they_carry),
    cmocka_unit_test(impacts_at_the_start_do_not_upset_the_balance),
    cmocka_unit_test(what_touches_at_the_start_begins_there),
    cmocka_unit_test(rest_takes_the_contact_radius_of_the_user),
    cmocka_unit_test(searches_count_steps_and_events_not_touches),
    cmocka_unit_test(contacts_that_exist_at_the_start_are_told),
    cmocka_unit_test(a_run_that_is_stopped_accounts_for_its_energy),
    cmocka_unit_test(rates_with_contacts_take_no_memory_and_repeat_to_the_last_bit),
    cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(the_table_of_the_papers_has_the_same_hysteresis_for_balls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
