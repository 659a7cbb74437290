// Cables: lengths against closed forms, forces against virtual work, and motions against textbooks.
#include "support/lua.h"
#include "support/random.h"
#include "support/test_run.h"

#include "model/eval/cable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81 // [m/s^2]

static double lengthOf(crTestRun* run, const char* cable)
{
  char name[64];
  snprintf(name, sizeof name, "%s.length", cable);
  return crTestRun_Value(run, name);
}

// ------------------------------------------------------------------------------------------------ lengths

// A quarter of a turn over a pulley of 0.2 m: from (-1, 0.2) along its top and down to (0.2, -2).
static void a_cable_over_a_pulley_has_tangents_and_an_arc(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText("local w = world('w')\n"
                                 "local a = object('a', { parent = w, position = { -1, 0.2, 0 } })\n"
                                 "local b = object('b', { parent = w, position = { 0.2, -2, 0 } })\n"
                                 "local c = object('c', { parent = w, position = { 0.2, 2, 0 } })\n"
                                 "local pulley = object('pulley', { parent = w })\n"
                                 "local load = object('load', { parent = w, free = true, position = { 0, 0, 9 },\n"
                                 "  mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                                 // each also pulls at a body, or nothing would be evaluated
                                 "local function over(name, from, to, radius)\n"
                                 "  cable(name, from, load, { through = { pulley, to }, radii = { radius, 0 },\n"
                                 "    length = 100, stiffness = 1 })\n"
                                 "end\n"
                                 "over('clockwise', a, b, -0.2)\nover('under', a, c, 0.2)\nover('by', a, b, 0.2)\n",
                                 1e-3, 1e-8, cr_solverAuto);
  double rest = hypot(hypot(0.2, 2), 9);
  assert_close(lengthOf(&run, "clockwise"), 1 + 0.2 * CR_PI / 2 + 2 + rest, 1e-14);
  // the other way it goes below and up again: seen from a the lower tangent leans by 2 atan(0.2)
  assert_close(lengthOf(&run, "under"), 1 + 0.2 * (CR_PI / 2 + 2 * atan(0.2)) + 2 + rest, 1e-14);
  assert_close(lengthOf(&run, "by"), hypot(1.2, 2.2) + rest, 1e-14);
  assert_close(crTestRun_Value(&run, "by.tension"), 0.0, 0.0);
  crCloseTestRun(&run);
}

// Open and crossed belts around two pulleys, one of which hangs on a slide: half of the belt's formula each.
static void tangents_of_two_pulleys_are_those_of_belts(void** state)
{
  (void)state;
  for (int isCrossed = 0; isCrossed < 2; ++isCrossed) {
    char text[2048];
    snprintf(text, sizeof text,
             "local w = world('w')\n"
             "local a = object('a', { parent = w, position = { -3, %g, 0 } })\n"
             "local big = object('big', { parent = w })\n"
             "local small = object('small', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
             "prismatic('slide', w, small, { start = 2, axis = 'x' })\n"
             "local b = object('b', { parent = w, position = { %s, 0 } })\n"
             "cable('c', a, b, { through = { big, small }, radii = { 0.5, %g }, length = 100, stiffness = 1 })\n",
             -0.5, isCrossed ? "5, 0.2" : "2.2, 3", isCrossed ? -0.2 : 0.2);
    crTestRun run = crOpenTestText(text, 1e-3, 1e-8, cr_solverAuto);
    // the straight part leans by g: sin g = (0.5 -+ 0.2) / 2
    double difference = isCrossed ? 0.7 : 0.3, lean = asin(difference / 2), part = sqrt(4 - difference * difference);
    double expected = 3 + 0.5 * lean + part + 0.2 * (isCrossed ? lean : CR_PI / 2 - lean) + 3;
    assert_close(lengthOf(&run, "c"), expected, 1e-13);
    crCloseTestRun(&run);
  }
}

// -------------------------------------------------------------------------------------------- virtual work

// Four free bodies with pulleys and points at random places: forces on all of them are -T dL / dq, differences of the
// length being taken, and they hold each other.
static void forces_are_slopes_of_the_length(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  int checked = 0;
  for (int round = 0; round < 60; ++round) {
    char text[4096];
    int used = snprintf(text, sizeof text, "scene{ gravity = 'none' }\nlocal w = world('w')\n");
    for (int i = 0; i < 5; ++i) {
      crQuat q = crRandom_Rotation(&random);
      used +=
          snprintf(text + used, sizeof text - (size_t)used,
                   "object('b%d', { parent = w, free = true, position = { %.17g, %.17g, %.17g }, rotation = { %.17g, "
                   "%.17g, %.17g, %.17g }, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                   "object('g%d', { parent = 'b%d', position = { %.17g, %.17g, 0.1 } })\n",
                   i, 2.0 * i + crRandom_Uniform(&random, -0.3, 0.3), crRandom_Uniform(&random, -0.5, 0.5),
                   crRandom_Uniform(&random, -0.5, 0.5), q.w, q.x, q.y, q.z, i, i, crRandom_Uniform(&random, -0.2, 0.2),
                   crRandom_Uniform(&random, -0.2, 0.2));
    }
    snprintf(text + used, sizeof text - (size_t)used,
             "cable('c', 'g0', 'g4', { through = { 'g1', 'g2', 'g3' }, radii = { 0.3, -0.2, %s }, length = 2,\n"
             "  stiffness = 10 })\n",
             round % 2 == 0 ? "0.25" : "0");
    crTestModel read = crTestModel_ReadGood(text);
    crModel* model = NULL;
    crInstance* instance = NULL;
    assert_int_equal(crCompile(read.scene, NULL, NULL, &read.sink, &model), cr_ok);
    assert_int_equal(crCreateInstance(model, NULL, &read.sink, &instance), cr_ok);
    crTreeSet all = crModel_GetAllTrees(model);
    double y[5 * 13], rates[5 * 13], moved[5 * 13];
    crModel_GetStart(model, all, y);
    bool hasWay = crInstance_ComputeRates(instance, all, 0.0, y, rates) == cr_ok; // no end lies over a pulley
    crVec3 sum = { 0, 0, 0 };
    double tension = instance->cables[0].tension, length = 0.0;
    for (int t = 0; hasWay && t < 5; ++t) {
      const crTree* tree = &model->trees[t];
      const double* v = rates + tree->vStart; // mass 1: accelerations are forces
      sum = crAdd(sum, crMakeVec3(v[0], v[1], v[2]));
      for (int i = 0; i < 3; ++i) {
        double slope = 0.0;
        static const double weights[] = { 1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12 }, steps[] = { -2, -1, 1, 2 };
        const double h = 1e-4;
        for (int k = 0; k < 4; ++k) {
          memcpy(moved, y, sizeof moved);
          moved[tree->qStart + i] += steps[k] * h;
          crInstance_SetState(instance, all, 0.0, moved);
          assert_int_equal(crInstance_Eval(instance, all, cr_stagePosition), cr_ok);
          assert_true(crFindCablePath(instance, &model->forces[0], &length));
          slope += weights[k] * length / h;
        }
        assert_close(v[i], -tension * slope, 1e-8 * (1 + tension));
      }
    }
    if (hasWay) {
      assert_vec_close(sum, crMakeVec3(0, 0, 0), 1e-11 * (1 + tension));
    }
    checked += hasWay;
    crDestroyInstance(instance);
    crDestroyModel(model);
    crTestModel_Free(&read);
  }
  assert_true(checked > 40);
}

// The same for turns, by the energy: free bodies that a stiff cable draws about keep their energy, momentum and angular
// momentum.
static void a_cable_keeps_energy_and_momenta(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "scene{ gravity = 'none' }\nlocal w = world('w')\n"
      "local function body(name, x, y, v)\n"
      "  object(name, { parent = w, free = true, position = { x, y, 0 }, velocity = v, angularVelocity = { 0.3, -0.2, "
      "0.1 },\n"
      "    mass{ mass = 1, inertia = { 0.3, 0.4, 0.5 } } })\n"
      "end\n"
      "body('a', 0, 0, { 0, 0, 0.3 })\nbody('b', 2, 1, { 0.2, 0, 0 })\nbody('c', 4, -1, { 0, 0.1, 0 })\n"
      "body('d', 6, 0, { -0.2, 0.1, 0.2 })\n"
      "cable('rope', 'a', 'd', { through = { 'b', 'c' }, radii = { -0.3, 0.4 }, length = 6.9, stiffness = 8 })\n",
      2.0, 1e-10, cr_solverAuto);
  crTreeSet all = crModel_GetAllTrees(run.model);
  crMomentum start = crInstance_ComputeMomentum(run.instance, all, -1);
  double energy = crTestRun_Energy(&run);
  int drawn = 0;
  for (int i = 1; i <= 10; ++i) {
    crTestRun_Advance(&run, 0.05 * i);
    drawn += crTestRun_Value(&run, "rope.tension") > 0.0;
    crMomentum now = crInstance_ComputeMomentum(run.instance, all, -1);
    assert_vec_close(now.linear, start.linear, 1e-9);
    assert_vec_close(now.angular, start.angular, 1e-8);
    assert_close(crTestRun_Energy(&run), energy, 1e-8);
  }
  assert_true(drawn >= 3);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------- motions

// Atwood's machine: masses over a pulley move with (m1 - m2) g / (m1 + m2), the rope carries 2 m1 m2 g / (m1 + m2).
static void atwoods_machine_falls_as_the_textbook_says(void** state)
{
  (void)state;
  double m1 = 3, m2 = 2, T = 2 * m1 * m2 * G / (m1 + m2), a = (m1 - m2) * G / (m1 + m2), k = 1e5;
  double L = 2 + 0.3 * CR_PI;
  char text[2048];
  snprintf(text, sizeof text,
           "local w = world('w')\nlocal function weight(name, x, m)\n"
           "  local o = object(name, { mass{ mass = m, inertia = { 1, 1, 1 } } })\n"
           "  prismatic(name .. 'Rail', object(name .. 'Post', { parent = w, position = { x, 0, -1 } }), o, { axis = "
           "'z' })\n"
           "  return o\nend\n"
           "local a, b = weight('a', 0.3, %g), weight('b', -0.3, %g)\n"
           "local pulley = object('pulley', { parent = w, rotation = { pi / 2, 0, 0 } })\n"
           "cable('rope', a, b, { through = { pulley }, radii = { 0.3 }, length = %.17g, stiffness = %g })\n",
           m1, m2, L - T / k, k);
  crTestRun run = crOpenTestText(text, 0.5, 1e-10, cr_solverAuto);
  assert_close(lengthOf(&run, "rope"), L, 1e-14);
  for (int i = 1; i <= 5; ++i) {
    double t = 0.1 * i;
    crTestRun_Advance(&run, t);
    assert_close(crTestRun_Value(&run, "aRail.position"), -0.5 * a * t * t, 1e-8);
    assert_close(crTestRun_Value(&run, "bRail.position"), 0.5 * a * t * t, 1e-8);
    assert_close(crTestRun_Value(&run, "rope.tension"), T, 1e-3);
    assert_close(crTestRun_Value(&run, "rope.energy"), 0.5 * T * T / k, 1e-6);
  }
  crCloseTestRun(&run);
}

// A ball on a rope of 1 m is let fall from its fixture: free until the rope is taut, then it stretches by what energy
// says, and rises slack again. With damping the loss is booked.
static void a_rope_is_slack_until_it_is_taut(void** state)
{
  (void)state;
  for (int isDamped = 0; isDamped < 2; ++isDamped) {
    char text[1024];
    snprintf(text, sizeof text,
             "local w = world('w')\nlocal o = object('o', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"
             "prismatic('rail', w, o, { axis = 'z', start = -0.1 })\n"
             "cable('rope', w, o, { length = 1, stiffness = 5e3, damping = %g })\n",
             isDamped ? 20.0 : 0.0);
    crTestRun run = crOpenTestText(text, 1.2, 1e-10, cr_solverAuto);
    double taut = sqrt(2 * 0.9 / G), lowest = 0.0, start = crTestRun_Energy(&run);
    assert_close(crTestRun_ValueAt(&run, 0.9 * taut, "rail.position"), -0.1 - 0.5 * G * 0.81 * taut * taut, 1e-9);
    assert_close(crTestRun_Value(&run, "rope.tension"), 0.0, 0.0);
    for (int i = 0; i <= 3000; ++i) {
      crTestRun_Advance(&run, taut + 0.0002 * i);
      lowest = fmin(lowest, crTestRun_Value(&run, "rail.position"));
      assert_true(crTestRun_Value(&run, "rope.tension") >= 0.0);
    }
    if (isDamped) {
      assert_true(crTestRun_Energy(&run) < start - 0.5);
      assert_close(crTestRun_Value(&run, "energy.dissipated"), start - crTestRun_Energy(&run), 1e-6);
    } else {
      // m g (0.9 + s) = k s^2 / 2
      double mg = 2 * G, s = (mg + sqrt(mg * mg + 2 * 5e3 * mg * 0.9)) / 5e3;
      assert_close(lowest, -1 - s, 1e-5);
      assert_close(crTestRun_Energy(&run), start, 1e-7);
    }
    crCloseTestRun(&run);
  }
}

// A winch winds rope onto a drum of 0.2 m and lifts a load on two falls: half the speed, half the force, and the
// motor's torque is tension times radius.
static void a_winch_lifts_a_block_on_two_falls(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "local w = world('w')\n"
      "local fixture = object('fixture', { parent = w, position = { -0.25, 0, 0 } })\n"
      "local lead = object('lead', { parent = w, position = { 0.25, 0, 0 } })\n"
      "local block = object('block', { mass{ mass = 40, inertia = { 1, 1, 1 } } })\n"
      "local sheave = object('sheave', { parent = block, rotation = { pi / 2, 0, 0 } })\n"
      "prismatic('rail', w, block, { axis = 'z', start = -3 })\n"
      "local drum = object('drum', { mass{ mass = 1, inertia = { 0.1, 0.1, 0.1 } } })\n"
      "local winch = revolute('winch', w, drum, { axis = 'y',\n"
      "  motion = path('wind', { values = { 0, 5 }, maxVelocity = 1, maxAcceleration = 0.5 }) })\n"
      "cable('rope', lead, fixture, { through = { sheave }, radii = { -0.25 }, length = 6.7836, stiffness = 1e5,\n"
      "  damping = 2e3, drum = winch, drumRadius = 0.2 })\n",
      8.0, 1e-9, cr_solverAuto);
  double before = crTestRun_ValueAt(&run, 3.0, "rail.position");
  assert_close(crTestRun_Value(&run, "rope.tension"), 20 * G, 1e-2);
  assert_close(crTestRun_Value(&run, "winch.torque"), 0.2 * crTestRun_Value(&run, "rope.tension"), 1e-9);
  double rise = crTestRun_ValueAt(&run, 4.0, "rail.position") - before;
  assert_close(rise, 0.5 * 0.2, 1e-4); // one radian a second
  crTestRun_Advance(&run, 8.0);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-4);
  crCloseTestRun(&run);
}

static void the_crane_of_the_examples_lifts_and_turns_its_load(void** state)
{
  (void)state;
  crTestPlan plan = { .example = "crane.lua", .stop = 20.0 };
  crTestRun run = crOpenTestRun(&plan);
  double start = crTestRun_Pose(&run, "cargo").p.z;
  crTestRun_Advance(&run, 20.0);
  assert_close(crTestRun_Pose(&run, "cargo").p.z - start, 2.0, 0.05); // half the rope
  assert_close(crTestRun_Unexplained(&run), 0.0, 1.0);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------- faults

static void faults_of_cables_are_told(void** state)
{
  (void)state;
  static const struct {
    const char* line;
    const char* says;
    bool isRead;
  } cases[] = {
    { "cable('c', w, o, { stiffness = 1 })", "length", false },
    { "cable('c', w, o, { length = 1, stiffness = 0 })", "stiffness", false },
    { "cable('c', w, o, { length = -1, stiffness = 1 })", "length", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, damping = -1 })", "damping", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, drum = 'j' })", "needs both drum and drumRadius", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, drumRadius = 1 })", "needs both drum and drumRadius", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, through = { p }, radii = { 1, 2 } })", "radii do not match",
      false },
    { "cable('c', w, o, { length = 1, stiffness = 1, through = { p, p } })", "twice in a row", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, through = { o } })", "twice in a row", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, through = 'p' })", "a list of objects", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, through = { 3 } })", "a list of objects", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, through = { p }, radii = { 0 / 0 } })", "radius 1", false },
    { "cable('c', w, w, { length = 1, stiffness = 1 })", "two different objects", false },
    { "cable('c', w, o, { length = 1, stiffness = 1, through = { 'x' } })", "that the cable runs through is unknown",
      true },
    { "cable('c', w, o, { length = 1, stiffness = 1, drum = 'x', drumRadius = 1 })", "drum is unknown", true },
    { "cable('c', w, o, { length = 1, stiffness = 1, drum = 's', drumRadius = 1 })", "'s' is a spherical joint", true },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[2048];
    snprintf(text, sizeof text,
             "local w = world('w')\nlocal o = object('o', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
             "local p = object('p', { parent = w, position = { 1, 0, 0 } })\nrevolute('j', w, o)\n"
             "spherical('s', w, object('q', { mass{ mass = 1, inertia = { 1, 1, 1 } } }))\n%s\n",
             cases[i].line);
    crTestModel model = crTestModel_Read(text, NULL);
    crModel* compiled = NULL;
    assert_int_equal(model.status, cases[i].isRead ? cr_ok : cr_errorModel);
    if (cases[i].isRead) {
      assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
    }
    assert_true(crTestModel_Says(&model, cases[i].says));
    assert_true(crTestModel_Says(&model, "c: "));
    crTestModel_Free(&model);
  }
}

// A point that comes into a pulley leaves no way: the run stops and says so, it neither ends nor hangs the host.
static void an_end_inside_a_pulley_stops_the_run(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestText("local w = world('w')\nlocal o = object('o', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                     "prismatic('rail', w, o, { axis = 'x', start = 1, startRate = -1 })\n"
                     "cable('c', o, object('p', { parent = w, position = { 0, 3, 0 } }), {\n"
                     "  through = { object('pulley', { parent = w }) }, radii = { 0.3 }, length = 50,\n"
                     "  stiffness = 1 })\n",
                     2.0, 1e-8, cr_solverAuto);
  crRunEnd end = cr_runComplete;
  crSimulation_Run(run.simulation, NULL, &end);
  assert_int_equal(end, cr_runFailed);
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cable_over_a_pulley_has_tangents_and_an_arc),
    cmocka_unit_test(tangents_of_two_pulleys_are_those_of_belts),
    cmocka_unit_test(forces_are_slopes_of_the_length),
    cmocka_unit_test(a_cable_keeps_energy_and_momenta),
    cmocka_unit_test(atwoods_machine_falls_as_the_textbook_says),
    cmocka_unit_test(a_rope_is_slack_until_it_is_taut),
    cmocka_unit_test(a_winch_lifts_a_block_on_two_falls),
    cmocka_unit_test(the_crane_of_the_examples_lifts_and_turns_its_load),
    cmocka_unit_test(faults_of_cables_are_told),
    cmocka_unit_test(an_end_inside_a_pulley_stops_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
