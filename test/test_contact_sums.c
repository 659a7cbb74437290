// What is told of a contact when it ends, its impulse, the energy it took, its largest depth and force, is that of the
// law, to the accuracy asked for.
#include "contact/contact.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_EVENTS 4000
#define E 1e9
#define NU 0.3
#define RADIUS 0.01
#define SPEED 2.0  // [m/s]
#define HEIGHT 0.1 // [m]
#define GRAVITY 9.81

typedef struct Bench {
  crTestRun run;
  crContactRecord events[MAX_EVENTS];
  int eventCount;
} Bench;

static crStatus keepEvent(void* context, const crContactRecord* event)
{
  Bench* bench = context;
  if (event->phase != cr_contactLast) {
    assert_true(bench->eventCount < MAX_EVENTS);
    bench->events[bench->eventCount++] = *event;
  }
  return cr_ok;
}

static crSimulationOptions makeOptions(double stop, double tolerance, crSolverKind solver)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = stop;
  options.tolerance = tolerance;
  options.solver = solver;
  return options;
}

static void runText(Bench* bench, const char* text, crSimulationOptions options)
{
  crObserver observer = { .context = bench, .atContact = keepEvent };
  crRunEnd end;
  bench->eventCount = 0;
  bench->run = crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
  assert_int_equal(crSimulation_Run(bench->run.simulation, &observer, &end), cr_ok);
}

static double stiffness(void)
{
  return 4.0 / 3.0 * E / (1.0 - NU * NU) / 2.0 * sqrt(RADIUS);
}
// The law k depth^1.5 (1 + d rate) of a ball of 1 kg on a half-space.
typedef struct Law {
  double k, d;
} Law;

static long double findForce(const Law* law, long double depth, long double rate)
{
  return law->k * depth * sqrtl(depth) * (1.0L + law->d * rate);
}

typedef struct Motion {
  long double depth, rate;
} Motion;

// One step of the classical method of order 4, m = 1 kg.
static Motion moveOn(const Law* law, Motion y, long double h)
{
  static const long double nodes[4] = { 0.0L, 0.5L, 0.5L, 1.0L }, weights[4] = { 1.0L, 2.0L, 2.0L, 1.0L };
  Motion slope = { 0.0L, 0.0L }, sum = { 0.0L, 0.0L };
  for (int i = 0; i < 4; ++i) {
    Motion at = { y.depth + nodes[i] * h * slope.depth, y.rate + nodes[i] * h * slope.rate };
    slope = (Motion){ at.rate, -findForce(law, fmaxl(at.depth, 0.0L), at.rate) };
    sum.depth += weights[i] * slope.depth;
    sum.rate += weights[i] * slope.rate;
  }
  return (Motion){ y.depth + h / 6.0L * sum.depth, y.rate + h / 6.0L * sum.rate };
}

// The vertex of the parabola through three values, of which the middle one is the largest.
static double findVertex(const long double v[3])
{
  long double slope = 0.5L * (v[2] - v[0]), bend = v[0] - 2.0L * v[1] + v[2];
  return (double)(v[1] - 0.5L * slope * slope / bend);
}

// Largest depth and force of an impact without gravity, in long double with 1e4 steps on the way in.
static void integrateMaxima(const Law* law, double* outDepth, double* outForce)
{
  Motion y = { 0.0L, SPEED };
  long double h = 1e-4L * powl(5.0L * SPEED * SPEED / (4.0L * law->k), 0.4L) / SPEED;
  long double depths[3] = { 0.0L }, forces[3] = { 0.0L };
  *outDepth = *outForce = 0.0;
  while (y.rate > -0.5L * SPEED * 0.5L) {
    y = moveOn(law, y, h);
    for (int k = 0; k < 2; ++k) {
      depths[k] = depths[k + 1];
      forces[k] = forces[k + 1];
    }
    depths[2] = y.depth;
    forces[2] = findForce(law, y.depth, y.rate);
    *outDepth = depths[1] > depths[0] && depths[1] >= depths[2] ? findVertex(depths) : *outDepth;
    *outForce = forces[1] > forces[0] && forces[1] >= forces[2] ? findVertex(forces) : *outForce;
  }
}

#define MATERIALS                                                                                                      \
  "solidMaterial('M', { density = 1000, E = 1e9, nu = 0.3 })\n"                                                        \
  "contactPair('M', 'M', { cor = %.17g, muK = 0, muR = 0, formula = 'flores' })\n"                                     \
  "world('w', { solid{ shape = halfSpace{}, contact = 'M' } })\n"

// One impact, without gravity.
static void runImpact(Bench* bench, double cor, crSimulationOptions options)
{
  char text[1200];
  snprintf(text, sizeof text,
           "scene{ gravity = 'none', hysteresis = 1e-12 }\n" MATERIALS
           "object('ball', { parent = 'w', position = { 0, 0, 0.011 }, free = true, velocity = { 0, 0, -2 },\n"
           "  solid{ shape = sphere{ radius = 0.01 }, mass = 1, contact = 'M' } })\n",
           cor);
  runText(bench, text, options);
  assert_int_equal(bench->eventCount, 2);
}

typedef struct Errors {
  double depth, force, impulse, energy; // relative
} Errors;

// By what the states at both ends of the contact tell, and the truth about its maxima.
static Errors findErrors(const Bench* bench, double depth, double force)
{
  const crContactRecord* end = &bench->events[1];
  double lost = 0.5 * (SPEED * SPEED - end->separation * end->separation);
  return (Errors){ fabs(end->maxDepth / depth - 1.0), fabs(end->maxForce / force - 1.0),
                   fabs(end->impulse / (SPEED + end->separation) - 1.0),
                   fabs(end->dissipation - lost) / (0.5 * SPEED * SPEED) };
}

// At 1e-8. The steps of implicit methods are less accurate, and so are the speeds that the energy is compared with.
static void assertSmall(Errors errors, crSolverKind kind)
{
  bool isExternal = kind == cr_solverIda || kind == cr_solverCvodeBdf;
  double limit = isExternal ? 3e-6 : 1e-6;
  assert_true(errors.depth < limit && errors.force < limit && errors.impulse < limit);
  assert_true(errors.energy < (kind == cr_solverRadau5 ? 3e-6 : limit));
}

// Steps of order 8 are a tenth of the impact long: between their ends the largest force is less well known.
static void assertFalls(Errors loose, Errors tight, crSolverKind kind)
{
  bool isLong = kind == cr_solverDop853;
  assert_true(loose.depth < 5e-3 && loose.force < (isLong ? 1e-2 : 5e-3) && loose.impulse < 1e-3 &&
              loose.energy < 5e-3);
  assert_true(tight.depth < 1e-7 && tight.force < (isLong ? 1e-6 : 1e-7) && tight.impulse < 3e-8 &&
              tight.energy < 1e-7);
}

static const crSolverKind kinds[] = { cr_solverAuto,   cr_solverDopri5, cr_solverDop853,
                                      cr_solverRadau5, cr_solverIda,    cr_solverCvodeBdf };
#define KIND_COUNT ((int)(sizeof kinds / sizeof kinds[0]))

static bool isAvailable(crSolverKind kind)
{
  return kind == cr_solverAuto || crGetSolverInfo(kind)->isAvailable;
}

// A trapezoid over ends of steps, and the largest values at these, were off by 1e-2 with dop853 at 1e-8, by 4e-4 with
// dopri5.
static void checkImpacts(double cor, double depth, double force)
{
  static Bench bench;
  for (int k = 0; k < KIND_COUNT; ++k) {
    for (int mode = 0; mode < 2 && isAvailable(kinds[k]); ++mode) {
      const double tolerances[3] = { 1e-4, 1e-8, 1e-10 };
      Errors errors[3];
      for (int i = 0; i < 3; ++i) {
        crSimulationOptions options = makeOptions(0.1, tolerances[i], kinds[k]);
        options.islands = mode == 0 ? cr_islandsOn : cr_islandsOff;
        runImpact(&bench, cor, options);
        errors[i] = findErrors(&bench, depth, force);
        crCloseTestRun(&bench.run);
      }
      assertSmall(errors[1], kinds[k]);
      assertFalls(errors[0], errors[2], kinds[k]);
    }
  }
}

// m v^2 / 2 = 2/5 k depth^(5/2)
static void an_impact_without_losses_is_that_of_hertz(void** state)
{
  (void)state;
  double depth = pow(5.0 * SPEED * SPEED / (4.0 * stiffness()), 0.4);
  checkImpacts(1.0, depth, stiffness() * depth * sqrt(depth));
}

static void an_impact_with_losses_is_that_of_its_law(void** state)
{
  (void)state;
  static Bench bench;
  runImpact(&bench, 0.5, makeOptions(0.1, 1e-8, cr_solverAuto));
  Law law = { stiffness(), bench.events[1].damping };
  crCloseTestRun(&bench.run);
  double depth, force;
  integrateMaxima(&law, &depth, &force);
  checkImpacts(0.5, depth, force);
}

// A face that lands flat is a linear spring: half a swing of duration T, with the depth v T / pi and the force m v pi /
// T.
static void a_face_that_lands_flat_swings_half_a_period(void** state)
{
  (void)state;
  static Bench bench;
  char text[1200];
  snprintf(text, sizeof text,
           "scene{ gravity = 'none', hysteresis = 1e-12 }\n" MATERIALS
           "object('box', { parent = 'w', position = { 0, 0, 0.06 }, free = true, velocity = { 0, 0, -2 },\n"
           "  solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, mass = 1, contact = 'M' } })\n",
           1.0);
  static const double tolerances[] = { 1e-3, 1e-5, 1e-7 }, errors[] = { 6e-3, 3e-4, 1e-5 };
  for (int i = 0; i < 3; ++i) {
    runText(&bench, text, makeOptions(0.1, tolerances[i], cr_solverAuto));
    assert_int_equal(bench.eventCount, 2);
    const crContactRecord* end = &bench.events[1];
    double T = end->time - bench.events[0].time, pi = acos(-1.0);
    assert_close(end->maxDepth / (SPEED * T / pi), 1.0, errors[i]);
    assert_close(end->maxForce / (SPEED * pi / T), 1.0, errors[i]);
    crCloseTestRun(&bench.run);
  }
}

// Impulse by speeds at both ends and the weight in between; energy by speeds alone, since they are at one height.
static void bounces_take_impulse_and_energy_by_the_balance(void** state)
{
  (void)state;
  static Bench bench;
  char text[1200];
  snprintf(text, sizeof text,
           "scene{ hysteresis = 1e-12 }\n" MATERIALS
           "object('ball', { parent = 'w', position = { 0, 0, %.17g }, free = true,\n"
           "  solid{ shape = sphere{ radius = 0.01 }, mass = 1, contact = 'M' } })\n",
           0.8, HEIGHT + RADIUS);
  runText(&bench, text, makeOptions(1.0, 1e-9, cr_solverAuto));
  assert_true(bench.eventCount >= 10);
  double sum = 0.0;
  for (int i = 0; i + 1 < bench.eventCount; i += 2) {
    const crContactRecord *begin = &bench.events[i], *end = begin + 1;
    assert_true(begin->phase == cr_contactBegin && end->phase != cr_contactBegin);
    double impulse = begin->approach + end->separation + GRAVITY * (end->time - begin->time);
    assert_close(end->impulse / impulse, 1.0, 1e-6);
    double energy = 0.5 * (begin->approach * begin->approach - end->separation * end->separation);
    assert_close(end->dissipation / energy, 1.0, 1e-6);
    sum += end->dissipation;
  }
  if (bench.eventCount % 2 == 0) {
    assert_close(sum / crSimulation_GetSummary(bench.run.simulation).dissipated, 1.0, 1e-12);
  }
  crCloseTestRun(&bench.run);
}

// All that is lost is lost in contacts: those that ended, and those that are left.
static double addUpContacts(const Bench* bench)
{
  double sum = 0.0;
  for (int i = 0; i < bench->eventCount; ++i) {
    sum += bench->events[i].phase == cr_contactBegin ? 0.0 : bench->events[i].dissipation;
  }
  const crContacts* contacts = crSimulation_GetSet(bench->run.simulation).contacts;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    sum += crContacts_Get(contacts, i).dissipation;
  }
  return sum;
}

static void checkLosses(const char* example, double stop, crSolverKind kind, crIslandMode mode, int leastContacts)
{
  static Bench bench;
  crSimulationOptions options = makeOptions(stop, 1e-8, kind);
  options.islands = mode;
  crObserver observer = { .context = &bench, .atContact = keepEvent };
  crRunEnd end;
  bench.eventCount = 0;
  bench.run = crOpenTestRun(&(crTestPlan){ .example = example, .options = &options });
  assert_int_equal(crSimulation_Run(bench.run.simulation, &observer, &end), cr_ok);
  crSimulationSummary summary = crSimulation_GetSummary(bench.run.simulation);
  assert_true(summary.contactCount >= leastContacts);
  assert_close(addUpContacts(&bench) / summary.dissipated, 1.0, 1e-12);
  crCloseTestRun(&bench.run);
}

// The balance of a run is a state that the same steps integrate, so both agree to round-off: over steps that hits cut
// short, and contacts that come, go and change the island that they belong to.
static void contacts_take_what_the_run_has_lost(void** state)
{
  (void)state;
  static const crSolverKind own[] = { cr_solverAuto, cr_solverDopri5, cr_solverDop853, cr_solverRadau5 };
  for (crIslandMode mode = cr_islandsOn; mode <= cr_islandsOff; ++mode) {
    checkLosses("billiards.lua", 1.5, cr_solverAuto, mode, 50);
    for (int k = 0; k < (int)(sizeof own / sizeof own[0]); ++k) {
      checkLosses("bouncing_box.lua", 0.6, own[k], mode, 8);
      checkLosses("bouncing_ball.lua", 1.5, own[k], mode, 3);
    }
  }
}

// ------------------------------------------------------------------------------------------------- parts

// One contact whose force is the time, and so is its depth.
typedef struct Ramp {
  crContact contact;
  crTouchingPair pair;
  crContactLaw law;
  crContacts contacts;
} Ramp;

static void moveTo(Ramp* ramp, double t)
{
  ramp->contact.force.normalForce = ramp->contact.motion.depth = t;
  ramp->contact.force.dissipation = 2.0 * t;
  ramp->contact.motion.rate = 1.0;
  ramp->contact.motion.slip = crMakeVec3(3.0 * t, 0.0, 0.0);
  ramp->contact.motion.turn = crMakeVec3(0.0, 0.0, 5.0 * t);
}

static void startRamp(Ramp* ramp)
{
  *ramp = (Ramp){ .pair = { .law = &ramp->law } };
  ramp->contacts.pairs.items = &ramp->pair;
  ramp->contacts.contacts.items = &ramp->contact;
  ramp->contacts.pairs.count = ramp->contacts.contacts.count = 1;
  moveTo(ramp, 0.0);
  crContacts_StartSums(&ramp->contacts);
}

// By the trapezoidal rule, which is exact here, as a method of two stages.
static void takePart(Ramp* ramp, double from, double to)
{
  moveTo(ramp, to);
  crContacts_BeginSums(&ramp->contacts, 0.5 * (to - from), 0.0);
  crContacts_AddToSums(&ramp->contacts, 0.5 * (to - from));
}

static void a_step_in_parts_adds_up_and_one_taken_again_starts_anew(void** state)
{
  (void)state;
  Ramp ramp;
  startRamp(&ramp);
  takePart(&ramp, 0.0, 1.0);
  crContacts_KeepPart(&ramp.contacts, 1.0);
  takePart(&ramp, 1.0, 4.0); // an attempt that was rejected
  takePart(&ramp, 1.0, 3.0);
  crContacts_KeepPart(&ramp.contacts, 2.0);
  moveTo(&ramp, 9.0); // a part whose stages nobody has summed up
  crContacts_DropSums(&ramp.contacts);
  takePart(&ramp, 0.0, 2.0);
  crContacts_CompleteStep(&ramp.contacts, 2.0);
  assert_close(ramp.contact.impulse, 2.0, 1e-15);
  assert_close(ramp.contact.dissipation, 4.0, 1e-15);
  assert_close(ramp.contact.slipPath, 6.0, 1e-15);
  assert_close(ramp.contact.slipRate, 3.0, 1e-15);
  assert_close(ramp.contact.turnRate, 5.0, 1e-15);
  assert_close(ramp.contact.maxDepth, 2.0, 0.0);
  assert_close(ramp.contact.maxForce, 2.0, 0.0);
  takePart(&ramp, 2.0, 7.0);
  crContacts_KeepPart(&ramp.contacts, 5.0);
  moveTo(&ramp, 6.0); // back again: a trapezoid over the last second
  crContacts_CompleteStep(&ramp.contacts, 6.0);
  assert_close(ramp.contact.impulse, 2.0 + 22.5 + 6.5, 1e-14);
  assert_close(ramp.contact.dissipation, 2.0 * (2.0 + 22.5 + 6.5), 1e-14);
  assert_close(ramp.contact.slipPath, 3.0 * (2.0 + 22.5 + 6.5), 1e-14);
  assert_close(ramp.contact.slipRate, 3.0 * 4.0 / 6.0, 1e-15); // from 2 to 6 m/s, in 6 s
  assert_close(ramp.contact.turnRate, 5.0 * 4.0 / 6.0, 1e-15);
  assert_close(ramp.contact.maxDepth, 7.0, 0.0);
  assert_close(ramp.contact.maxForce, 7.0, 0.0);
}

// A depth of 1 m at both ends of a second, with a peak between them: (h omega)^2 = x by its rates.
static bool isSteep(double x, double damping, double limit)
{
  Ramp ramp;
  startRamp(&ramp);
  ramp.contact.start.depth = ramp.contact.motion.depth = ramp.contact.maxDepth = 1.0;
  ramp.contact.start.rate = 0.5 * x;
  ramp.contact.motion.rate = -0.5 * x;
  ramp.contact.memory.damping = damping;
  bool areSteep;
  assert_true(crContacts_CompleteSums(&ramp.contacts, 1.0, limit, &areSteep));
  return areSteep;
}

// The cubic through both ends of a sine is off by (h omega)^4 / 384 of it, and its slope by sqrt(3) / 216 (h omega)^3,
// of which a damper makes a force. Peaks in steps for which that is too much are looked for in shorter ones.
static void steps_are_steep_where_a_cubic_misses_the_peak(void** state)
{
  (void)state;
  for (double x = 1e-3; x < 3.0; x *= 1.7) {
    for (double damping = 0.0; damping<2000.0; damping = damping> 0.0 ? 10.0 * damping : 1e-3) {
      double error = x * x / 384.0 + sqrt(3.0) / 216.0 * pow(x, 1.5) * damping * 0.5 * x;
      assert_false(isSteep(x, damping, 1.01 * error));
      assert_true(isSteep(x, damping, 0.98 * error));
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_impact_without_losses_is_that_of_hertz),
    cmocka_unit_test(an_impact_with_losses_is_that_of_its_law),
    cmocka_unit_test(a_face_that_lands_flat_swings_half_a_period),
    cmocka_unit_test(bounces_take_impulse_and_energy_by_the_balance),
    cmocka_unit_test(contacts_take_what_the_run_has_lost),
    cmocka_unit_test(steps_are_steep_where_a_cubic_misses_the_peak),
    cmocka_unit_test(a_step_in_parts_adds_up_and_one_taken_again_starts_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
