// Gears, racks and belts: ratios, power flow, elasticity, backlash and losses, against closed forms.
#include "support/lua.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Wheels about z without gravity: a of 0.02 kg m^2, b of 0.05 kg m^2.
#define WHEELS                                                                                                         \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "local w = world('w')\n"                                                                                             \
  "local function wheel(name, I, fields)\n"                                                                            \
  "  return revolute(name, w, object(name .. 'Wheel', { mass{ mass = 1, inertia = { I, I, I } } }), fields)\n"         \
  "end\n"                                                                                                              \
  "local function slide(name, m, fields)\n"                                                                            \
  "  return prismatic(name, w, object(name .. 'Block', { mass{ mass = m, inertia = { 1, 1, 1 } } }), fields)\n"        \
  "end\n"

static crTestRun openText(const char* text, double stop)
{
  return crOpenTestText(text, stop, 1e-10, cr_solverAuto);
}

// ------------------------------------------------------------------------------------------------- ratios

// Willis: zs (sun - carrier) + zr (ring - carrier) = 0, exact to rounding on the way and at the end.
static void a_planetary_gear_has_its_ratio(void** state)
{
  (void)state;
  crTestPlan plan = { .example = "planetary_gear.lua", .stop = 2.0 };
  crTestRun run = crOpenTestRun(&plan);
  double ratio = 1.0 + (24.0 + 36.0) / 24.0;
  for (int i = 1; i <= 20; ++i) {
    crTestRun_Advance(&run, 0.1 * i);
    double sun = crTestRun_Value(&run, "sun.angle"), carrier = crTestRun_Value(&run, "carrier.angle");
    assert_true(fabs(carrier) > 1e-3);
    assert_close(sun / carrier, ratio, 1e-12);
    assert_close(crTestRun_Value(&run, "sun.rate") / crTestRun_Value(&run, "carrier.rate"), ratio, 1e-12);
    double planet = crTestRun_Value(&run, "planet2.angle");
    assert_close(planet, -(sun - carrier) * 24 / 18, 1e-12 * fabs(sun));
    // torques of motor, load and ring hold each other and what is accelerated
    double motor = 2.0, load = -0.5 * crTestRun_Value(&run, "carrier.rate"),
           held = crTestRun_Value(&run, "ring.torque");
    if (i == 20) { // at rest relative to each other: torques balance
      assert_close(motor + load + held, 0.0, 1e-6);
      assert_close(held / motor, ratio - 1.0, 1e-6);
    }
  }
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
  crCloseTestRun(&run);
}

static void a_differential_halves_speeds_and_torques(void** state)
{
  (void)state;
  crTestPlan plan = { .example = "differential.lua", .stop = 4.0 };
  crTestRun run = crOpenTestRun(&plan);
  for (int i = 1; i <= 20; ++i) {
    crTestRun_Advance(&run, 0.2 * i);
    double left = crTestRun_Value(&run, "left.angle"), right = crTestRun_Value(&run, "right.angle");
    double mean = crTestRun_Value(&run, "case.angle");
    assert_true(mean > 0 && left > right);
    assert_close((left + right) / (2 * mean), 1.0, 1e-12);
    double rates = crTestRun_Value(&run, "left.rate") + crTestRun_Value(&run, "right.rate");
    assert_close(rates / (2 * crTestRun_Value(&run, "case.rate")), 1.0, 1e-12);
    // what holds the spider against one side gear holds it against the other, but for its own inertia
    double onLeft = crTestRun_Value(&run, "leftMesh.force"), onRight = crTestRun_Value(&run, "rightMesh.force");
    assert_close(onLeft / onRight, 1.0, 1e-3);
  }
  crCloseTestRun(&run);
}

// Each pair is the coupling that its description says.
static void pairs_are_couplings_with_factors(void** state)
{
  (void)state;
  static const struct {
    const char* line;
    const char* names[3];
    double factors[3];
    int count;
  } cases[] = {
    { "gearPair('g', 'a', 'b', { ratio = 3, offset = 0.5 })\n", { "a", "b" }, { 1, 3 }, 2 },
    { "gearPair('g', 'a', 'b', { teethA = 20, teethB = 50 })\n", { "a", "b" }, { 1, 2.5 }, 2 },
    { "gearPair('g', 'a', 'b', { teethA = 20, teethB = 50, internal = true })\n", { "a", "b" }, { 1, -2.5 }, 2 },
    { "gearPair('g', 'a', 'd', { ratio = 2, carrier = 'b' })\n", { "a", "d", "b" }, { 1, 2, -1 }, 3 },
    { "gearPair('g', 'a', 'f', { ratio = 2, carrier = 'b' })\n", { "a", "f", "b" }, { 1, 2, -3 }, 3 },
    { "rackPair('g', 'a', 's', { radius = 0.1 })\n", { "a", "s" }, { -0.1, 1 }, 2 },
    { "belt('g', 'a', 'b', { radiusA = 0.1, radiusB = 0.3 })\n", { "a", "b" }, { 0.1, -0.3 }, 2 },
    { "belt('g', 'a', 'b', { radiusA = 0.1, radiusB = 0.3, crossed = true })\n", { "a", "b" }, { 0.1, 0.3 }, 2 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[2048];
    snprintf(text, sizeof text,
             WHEELS "wheel('a', 1, {})\nwheel('b', 1, {})\nwheel('f', 1, {})\nslide('s', 1, {})\n"
                    "revolute('d', 'bWheel', object('planet', { mass{ mass = 1, inertia = { 1, 1, 1 } } }))\n%s",
             cases[i].line);
    crTestRun run = openText(text, 1.0);
    int count;
    const crCouplingTerm* terms = crModel_GetCouplingTerms(run.model, crModel_FindCoupling(run.model, "g"), &count);
    assert_int_equal(count, cases[i].count);
    for (int k = 0; k < count; ++k) {
      assert_string_equal(crModel_GetJointPath(run.model, terms[k].joint), cases[i].names[k]);
      assert_close(terms[k].factor, cases[i].factors[k], 1e-15);
    }
    crCloseTestRun(&run);
  }
}

// A weight of 2 kg on a rack turns a pinion of 0.1 m on a wheel of 0.02 kg m^2, which a belt connects with another.
static void a_rack_and_a_belt_accelerate_as_inertias_say(void** state)
{
  (void)state;
  crTestRun run = openText(WHEELS "local a = wheel('a', 0.02, {})\nlocal b = wheel('b', 0.05, {})\n"
                                  "local s = slide('s', 2, { force = constant('pull', { value = 10 }) })\n"
                                  "rackPair('rack', a, s, { radius = 0.1 })\n"
                                  "belt('belt', a, b, { radiusA = 0.2, radiusB = 0.4 })\n",
                           1.0);
  double effective = 2 + 0.02 / 0.01 + 0.05 / 0.01 * 0.25, acceleration = 10 / effective;
  assert_close(crTestRun_ValueAt(&run, 1.0, "s.position"), 0.5 * acceleration, 1e-11);
  assert_close(crTestRun_Value(&run, "a.angle"), 5 * acceleration, 1e-10);
  assert_close(crTestRun_Value(&run, "b.angle"), 2.5 * acceleration, 1e-10);
  assert_close(crTestRun_Value(&run, "rack.force"), 2 * acceleration - 10, 1e-11);
  // the belt's force, at the radius of its pulley, turns the second wheel
  assert_close(-0.4 * crTestRun_Value(&run, "belt.force"), 0.05 * 5 * acceleration, 1e-11);
  crCloseTestRun(&run);
}

// --------------------------------------------------------------------------------------------- elasticity

// e = a + 3 b of wheels at rest but for a swings with w^2 = k (1 / Ia + 9 / Ib).
static void an_elastic_mesh_swings_at_its_frequency(void** state)
{
  (void)state;
  crTestRun run = openText(WHEELS "local a = wheel('a', 0.02, { startRate = 1 })\nlocal b = wheel('b', 0.05, {})\n"
                                  "gearPair('g', a, b, { ratio = 3, stiffness = 80, offset = 0.25 })\n",
                           2.0);
  double w = sqrt(80 * (1 / 0.02 + 9 / 0.05)), e0 = -0.25, rate = 1.0;
  for (int i = 1; i <= 10; ++i) {
    double t = 0.2 * i, e = e0 * cos(w * t) + rate / w * sin(w * t);
    crTestRun_Advance(&run, t);
    assert_close(crTestRun_Value(&run, "g.deflection"), e, 1e-6);
    assert_close(crTestRun_Value(&run, "g.force"), -80 * crTestRun_Value(&run, "g.deflection"), 1e-9);
  }
  assert_close(crTestRun_Energy(&run), 0.5 * 0.02 + 0.5 * 80 * 0.0625, 1e-7);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-7);
  crCloseTestRun(&run);
}

// A damper alone is a viscous clutch: the difference of rates dies out, momentum stays, the balance closes.
static void a_damper_alone_is_a_clutch(void** state)
{
  (void)state;
  crTestRun run = openText(WHEELS "local a = wheel('a', 0.02, { startRate = 10 })\nlocal b = wheel('b', 0.05, {})\n"
                                  "coupling('clutch', { joints = { [a] = 1, [b] = -1 }, damping = 0.1 })\n",
                           3.0);
  double t = 0.3, decay = exp(-0.1 * (1 / 0.02 + 1 / 0.05) * t), common = 0.2 / 0.07;
  assert_close(crTestRun_ValueAt(&run, t, "a.rate") - crTestRun_Value(&run, "b.rate"), 10 * decay, 1e-8);
  assert_close(crTestRun_ValueAt(&run, 3.0, "a.rate"), common, 1e-7);
  assert_close(crTestRun_Value(&run, "energy.dissipated"), 0.5 * 0.02 * 100 - 0.5 * 0.07 * common * common, 1e-7);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------ backlash

// In the play nothing acts; beyond it a flank throws back without loss: the difference of rates changes its sign.
static void backlash_is_free_play_between_elastic_flanks(void** state)
{
  (void)state;
  crTestRun run =
      openText(WHEELS "local a = wheel('a', 0.02, { startRate = 1 })\nlocal b = wheel('b', 0.05, {})\n"
                      "coupling('g', { joints = { [a] = 1, [b] = -1 }, stiffness = 2e4, backlash = 0.2 })\n",
               0.5);
  assert_close(crTestRun_ValueAt(&run, 0.09, "a.rate"), 1.0, 1e-14);
  assert_close(crTestRun_Value(&run, "g.force"), 0.0, 0.0);
  assert_close(crTestRun_Value(&run, "g.deflection"), 0.09, 1e-12);
  double common = 0.02 / 0.07, after = 2 * common - 1;
  assert_close(crTestRun_ValueAt(&run, 0.13, "a.rate"), after, 1e-7);
  assert_close(crTestRun_Value(&run, "b.rate"), 2 * common, 1e-7);
  assert_close(crTestRun_Energy(&run), 0.01, 1e-8);
  // the half swing on the flank takes pi / w
  double w = sqrt(2e4 * (1 / 0.02 + 1 / 0.05));
  double leaves = 0.1 + CR_PI / w;
  assert_close(crTestRun_Value(&run, "g.deflection"), 0.1 - (0.13 - leaves), 1e-7);
  crCloseTestRun(&run);
}

// With damping energy is lost at the flanks, and booked; no flank pulls.
static void damped_backlash_loses_energy_and_never_pulls(void** state)
{
  (void)state;
  crTestRun run = openText(WHEELS "local a = wheel('a', 0.02, { startRate = 3 })\nlocal b = wheel('b', 0.05, {})\n"
                                  "coupling('g', { joints = { [a] = 1, [b] = -1 }, stiffness = 2e4, backlash = 0.2,\n"
                                  "  damping = 5 })\n",
                           2.0);
  double before = crTestRun_Energy(&run);
  for (int i = 1; i <= 2000; ++i) {
    crTestRun_Advance(&run, 0.001 * i);
    double e = crTestRun_Value(&run, "g.deflection"), force = crTestRun_Value(&run, "g.force");
    assert_true(fabs(e) <= 0.1 ? force == 0.0 : force * e <= 0.0);
  }
  double lost = before - crTestRun_Energy(&run);
  assert_true(lost > 0.01);
  assert_close(crTestRun_Value(&run, "energy.dissipated"), lost, 1e-8);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------- losses

// Driven from one side at a steady speed the other gets its share of the power, whichever side drives; what is lost is
// booked.
static void an_efficiency_is_the_share_that_arrives(void** state)
{
  (void)state;
  static const struct {
    const char* pair; // of joints a and b
    double ratio;     // turns, or metres, of a for one of b
  } pairs[] = {
    { "gearPair('g', a, b, { ratio = 3, stiffness = 5e3, damping = 5, efficiency = 0.8 })", -3 },
    { "gearPair('g', a, b, { ratio = 3, internal = true, stiffness = 5e3, damping = 5, efficiency = 0.8 })", 3 },
    { "belt('g', a, b, { radiusA = 0.1, radiusB = 0.3, stiffness = 5e5, damping = 500, efficiency = 0.8 })", 3 },
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    for (int driver = 0; driver < 2; ++driver) {
      char text[2048];
      snprintf(text, sizeof text,
               WHEELS "local torque = constant('t', { value = 6 })\n"
                      "local a = wheel('a', 0.02, { %s })\nlocal b = wheel('b', 0.05, { %s })\n%s\n",
               driver == 0 ? "torque = torque" : "damping = 0.1", driver == 0 ? "damping = 0.9" : "torque = torque",
               pairs[i].pair);
      crTestRun run = openText(text, 20.0);
      crTestRun_Advance(&run, 10.0);
      double lost = crTestRun_Value(&run, "energy.dissipated"), work = crTestRun_Value(&run, "energy.work");
      crTestRun_Advance(&run, 20.0);
      double a = crTestRun_Value(&run, "a.rate"), b = crTestRun_Value(&run, "b.rate");
      double in = 6 * (driver == 0 ? a : b), out = driver == 0 ? 0.9 * b * b : 0.1 * a * a;
      assert_close(a / b, pairs[i].ratio, 1e-9);
      assert_close(out / in, 0.8, 1e-6);
      // the run's own balance: all work is lost, in the load and in the mesh
      assert_close((crTestRun_Value(&run, "energy.work") - work) / 10, in, 1e-5 * in);
      assert_close((crTestRun_Value(&run, "energy.dissipated") - lost) / 10, in, 1e-5 * in);
      assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6 * work);
      crCloseTestRun(&run);
    }
  }
}

// A lossy planetary stage: what the mesh loses is a share of the power that rolls in it, not of what couples through.
static void a_lossy_planetary_gear_balances(void** state)
{
  (void)state;
  crTestPlan plan = { .example = "planetary_gear.lua",
                      .stop = 2.0,
                      .tolerance = 1e-9,
                      .settings = { { "stiffness", "2e4" }, { "efficiency", "0.98" } } };
  crTestRun run = crOpenTestRun(&plan);
  crTestRun_Advance(&run, 2.0);
  double sun = crTestRun_Value(&run, "sun.rate"), carrier = crTestRun_Value(&run, "carrier.rate");
  assert_close(sun / carrier, 3.5, 1e-6);
  double in = 2.0 * sun, out = 0.5 * carrier * carrier;
  // Radzimovsky: efficiency (1 + i0 n^2) / (1 + i0) with i0 = zr / zs, the losses of both meshes in the rolling power
  assert_close(out / in, (1 + 2.5 * 0.98 * 0.98) / 3.5, 1e-4);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
  // the torques hold each other although there are losses
  double motor = 2.0, load = -0.5 * carrier, held = crTestRun_Value(&run, "ring.torque");
  assert_close(motor + load + held, 0.0, 1e-4);
  crCloseTestRun(&run);
}

// ---------------------------------------------------------------------------------------- in other places

// An elastic coupling of a cut joint and of a prescribed one: energy is accounted for, drives know what it takes.
static void elastic_couplings_act_in_loops_and_on_prescribed_joints(void** state)
{
  (void)state;
  crTestRun run =
      openText("local w = world('w')\n"
               "local function bar(name, L)\n"
               "  local body = object(name, { mass{ mass = L, inertia = { 0.001, L^3 / 12, L^3 / 12 } } })\n"
               "  return { a = object(name .. 'a', { parent = body, position = { -L / 2, 0, 0 } }),\n"
               "    b = object(name .. 'b', { parent = body, position = { L / 2, 0, 0 } }) }\n"
               "end\n"
               "local function rev(name, a, b, start)\n"
               "  return revolute(name, a, b, { axis = '-y', start = start, fixed = name == 'j1' })\n"
               "end\n"
               "local bar1, bar2, bar3 = bar('bar1', 0.3), bar('bar2', 0.8), bar('bar3', 0.6)\n"
               "local j1 = rev('j1', w, bar1.a, 0.9)\nlocal j2 = rev('j2', bar1.b, bar2.a, -0.4)\n"
               "local j3 = rev('j3', bar3.b, bar2.b, -0.7)\n"
               "local j4 = rev('j4', object('foot', { parent = w, position = { 0.9, 0, 0 } }), bar3.a, 1.2)\n"
               "local flywheel = object('flywheel', { mass{ mass = 1, inertia = { 0.01, 0.01, 0.01 } } })\n"
               "local wheel = revolute('wheel', w, flywheel, { axis = 'y', motion = sine('s', { amplitude = 1, "
               "frequency = 1 }) })\n"
               "for i, j in ipairs{ j1, j2, j3, j4 } do\n"
               "  coupling('c' .. i, { joints = { [j] = i, [wheel] = 1 }, stiffness = 3, damping = 0.1 })\n"
               "end\n",
               1.5);
  for (int i = 1; i <= 15; ++i) {
    crTestRun_Advance(&run, 0.1 * i);
    double sum = 0.0, t = 0.1 * i, w = 2 * CR_PI;
    for (int k = 1; k <= 4; ++k) {
      char name[32];
      snprintf(name, sizeof name, "c%d.force", k);
      sum += crTestRun_Value(&run, name);
      snprintf(name, sizeof name, "j%d", k);
      // a joint transmits what its coupling exerts on it, about its axis
      crWrench R = crInstance_GetReaction(run.instance, crModel_FindJoint(run.model, name));
      snprintf(name, sizeof name, "c%d.force", k);
      assert_close(-R.t.y, k * crTestRun_Value(&run, name), 1e-8);
    }
    assert_close(crTestRun_Value(&run, "wheel.torque"), -0.01 * w * w * sin(w * t) - sum, 1e-9);
  }
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-7);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------- faults

static void faults_of_pairs_are_told(void** state)
{
  (void)state;
  static const struct {
    const char* line;
    const char* says;
    bool isRead; // the text is read, and compiling complains
  } cases[] = {
    { "gearPair('g', a, b, {})", "needs a ratio, or teethA and teethB", false },
    { "gearPair('g', a, b, { ratio = 2, teethA = 10, teethB = 20 })", "needs a ratio, or teethA and teethB", false },
    { "gearPair('g', a, b, { teethA = 10 })", "needs a ratio, or teethA and teethB", false },
    { "gearPair('g', a, b, { ratio = -2 })", "ratio", false },
    { "gearPair('g', a, a, { ratio = 2 })", "jointA and jointB are both 'a'", false },
    { "gearPair('g', a, b, { ratio = 2, carrier = a })", "the carrier is one of the gears", false },
    { "gearPair('g', a, s, { ratio = 2 })", "'s' does not turn", true },
    { "gearPair('g', a, d, { ratio = 2, carrier = f })", "mounted neither on the carrier", true },
    { "rackPair('g', a, b, { radius = 1 })", "the rack has to be a prismatic joint", true },
    { "rackPair('g', s, b, { radius = 1 })", "'s' does not turn", true },
    { "rackPair('g', a, s, { radius = 0 })", "radius", false },
    { "rackPair('g', a, s)", "radius", false },
    { "belt('g', a, b, { radiusA = 0, radiusB = 1 })", "radiusA", false },
    { "belt('g', a, b, { radiusA = 1, radiusB = 1, stiffness = -1 })", "stiffness", false },
    { "belt('g', a, b, { radiusA = 1, radiusB = 1, backlash = 0.1 })", "a coupling with backlash needs a stiffness",
      false },
    { "belt('g', a, b, { radiusA = 1, radiusB = 1, efficiency = 0.9 })", "a pair with losses needs a stiffness",
      false },
    { "belt('g', a, b, { radiusA = 1, radiusB = 1, stiffness = 1, efficiency = 1.1 })", "efficiency", false },
    { "coupling('g', { joints = { a = 1 }, stiffness = 1, efficiency = 0.9 })", "efficiency", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[2048];
    snprintf(text, sizeof text,
             WHEELS "local a, b, f, s = wheel('a', 1, {}), wheel('b', 1, {}), wheel('f', 1, {}), slide('s', 1, {})\n"
                    "local d = revolute('d', 'bWheel', object('planet', { mass{ mass = 1, inertia = { 1, 1, 1 } } }))\n"
                    "%s\n",
             cases[i].line);
    crTestModel model = crTestModel_Read(text, NULL);
    crModel* compiled = NULL;
    assert_int_equal(model.status, cases[i].isRead ? cr_ok : cr_errorModel);
    if (cases[i].isRead) {
      assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
    }
    assert_true(crTestModel_Says(&model, cases[i].says));
    assert_true(crTestModel_Says(&model, "g: "));
    crTestModel_Free(&model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_planetary_gear_has_its_ratio),
    cmocka_unit_test(a_differential_halves_speeds_and_torques),
    cmocka_unit_test(pairs_are_couplings_with_factors),
    cmocka_unit_test(a_rack_and_a_belt_accelerate_as_inertias_say),
    cmocka_unit_test(an_elastic_mesh_swings_at_its_frequency),
    cmocka_unit_test(a_damper_alone_is_a_clutch),
    cmocka_unit_test(backlash_is_free_play_between_elastic_flanks),
    cmocka_unit_test(damped_backlash_loses_energy_and_never_pulls),
    cmocka_unit_test(an_efficiency_is_the_share_that_arrives),
    cmocka_unit_test(a_lossy_planetary_gear_balances),
    cmocka_unit_test(elastic_couplings_act_in_loops_and_on_prescribed_joints),
    cmocka_unit_test(faults_of_pairs_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
