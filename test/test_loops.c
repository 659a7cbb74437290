// Kinematic loops against closed forms, second formulations, and themselves cut elsewhere.
#include "support/loops.h"

#include "model/loop/loop.h"

#include <stdio.h>
#include <string.h>

#define G 9.81 // [m/s^2]

// ----------------------------------------------------------------------------------- four-bar by hand

// A plane four-bar: crank a from the origin, coupler b, rocker c from (d, 0); thin rods of 1 kg/m, gravity along -y.
// Angles from x: t of the crank, p of the coupler, s of the rocker; the branch with the coupler above. With a + d = b +
// c all bars are in one line when the crank points away from the rocker's foot; moving on smoothly, coupler and rocker
// are then on the other side.
typedef struct FourBar {
  double a, b, c, d;
  bool changesSides;
} FourBar;

typedef struct BarAngles {
  double p, s;
} BarAngles;

static const FourBar bars = { 0.3, 0.8, 0.6, 0.9, false };
static const FourBar evenBars = { 0.5, 0.7, 0.8, 1.0, true };

static double sideOf(const FourBar* f, double t)
{
  double passes = floor((t + CR_PI) / (2 * CR_PI));
  return f->changesSides && fmod(fabs(passes), 2) == 1 ? -1 : 1;
}

static BarAngles solveFourBar(const FourBar* f, double t)
{
  double x = f->d - f->a * cos(t), y = -f->a * sin(t); // from the crank's tip to the rocker's foot
  double e = hypot(x, y), along = (f->b * f->b - f->c * f->c + e * e) / (2 * e);
  double across = sideOf(f, t) * sqrt(fmax(0, f->b * f->b - along * along)), direction = atan2(y, x);
  BarAngles angles = { .p = direction + atan2(across, along) };
  double tipX = f->a * cos(t) + f->b * cos(angles.p), tipY = f->a * sin(t) + f->b * sin(angles.p);
  angles.s = atan2(tipY, tipX - f->d);
  return angles;
}

// Derivatives of p and s by t, from the loop's velocities.
static BarAngles slopes(const FourBar* f, double t, BarAngles q)
{
  double det = f->b * f->c * sin(q.s - q.p);
  return (BarAngles){ .p = f->a * f->c * sin(t - q.s) / det, .s = f->a * f->b * sin(t - q.p) / det };
}

// Half the kinetic energy's coefficient of t'^2, and the potential energy.
static double inertiaOf(const FourBar* f, double t)
{
  BarAngles q = solveFourBar(f, t), k = slopes(f, t, q);
  double vx = -f->a * sin(t) - 0.5 * f->b * sin(q.p) * k.p, vy = f->a * cos(t) + 0.5 * f->b * cos(q.p) * k.p;
  return pow(f->a, 3) / 3 + pow(f->c, 3) / 3 * k.s * k.s + pow(f->b, 3) / 12 * k.p * k.p + f->b * (vx * vx + vy * vy);
}

static double potentialOf(const FourBar* f, double t)
{
  BarAngles q = solveFourBar(f, t);
  return G * (f->a * f->a * sin(t) / 2 + f->c * f->c * sin(q.s) / 2 + f->b * (f->a * sin(t) + f->b * sin(q.p) / 2));
}

static double derivative(const FourBar* f, double (*function)(const FourBar*, double), double t)
{
  const double h = 2e-3; // fourth order: error 1e-11
  return (8 * (function(f, t + h) - function(f, t - h)) - function(f, t + 2 * h) + function(f, t - 2 * h)) / (12 * h);
}

// I t'' + I' t'^2 / 2 + V' = 0
static double accelerationOf(const FourBar* f, double t, double rate)
{
  return -(0.5 * derivative(f, inertiaOf, t) * rate * rate + derivative(f, potentialOf, t)) / inertiaOf(f, t);
}

// Runge's and Kutta's classical method with steps so small that it is exact to 1e-10.
static void integrateFourBar(const FourBar* f, double stop, double* t, double* rate)
{
  const int steps = 4000;
  double h = stop / steps;
  for (int i = 0; i < steps; ++i) {
    double k1 = *rate, l1 = accelerationOf(f, *t, *rate);
    double k2 = *rate + h / 2 * l1, l2 = accelerationOf(f, *t + h / 2 * k1, k2);
    double k3 = *rate + h / 2 * l2, l3 = accelerationOf(f, *t + h / 2 * k2, k3);
    double k4 = *rate + h * l3, l4 = accelerationOf(f, *t + h * k3, k4);
    *t += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    *rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
}

// --------------------------------------------------------------------------------- four-bar as a model

// Joints in the order that `order` gives: the last ones are cut. Start values need not fit.
static const char* const bodiesText =
    "scene{ gravity = {0, -9.81, 0} }\n"
    "local a, b, c, d = %s\n"
    "local function rod(name, l)\n"
    "  local o = object(name, { mass{ mass = l, com = {l/2, 0, 0}, inertia = {0, l^3/12, l^3/12} } })\n"
    "  return o, object(name .. 'End', { parent = o, position = {l, 0, 0} })\n"
    "end\n"
    "local w = world('w')\n"
    "local foot = object('foot', { parent = w, position = {d, 0, 0} })\n"
    "local crank, crankEnd = rod('crank', a)\n"
    "local coupler, couplerEnd = rod('coupler', b)\n"
    "local rocker, rockerEnd = rod('rocker', c)\n"
    "local make = {\n"
    "  A = function() revolute('A', w, crank, { start = 0.4, startRate = 9, fixed = true }) end,\n"
    "  B = function() revolute('B', crankEnd, coupler, { start = 0.3 }) end,\n"
    "  C = function() revolute('C', couplerEnd, rockerEnd, { start = 1 }) end,\n"
    "  D = function() revolute('D', foot, rocker, { start = 2 }) end }\n";

static crTestLoop startBars(const char* lengths, const char* order, const char* more, double tolerance,
                            crSolverKind solver)
{
  char bodies[2048], text[4096];
  snprintf(bodies, sizeof bodies, bodiesText, lengths);
  snprintf(text, sizeof text, "%s%s\nfor i = 1, 4 do make[string.sub('%s', i, i)]() end\n", bodies, more, order);
  return crStartLoop(text, 10.0, tolerance, solver);
}

static crTestLoop startFourBar(const char* order, const char* more, double tolerance, crSolverKind solver)
{
  return startBars("0.3, 0.8, 0.6, 0.9", order, more, tolerance, solver);
}

static void four_bar_moves_as_its_one_equation_says(void** state)
{
  (void)state;
  crTestLoop loop = startFourBar("ABCD", "", 1e-10, cr_solverAuto);
  double t = 0.4, rate = 9, energy = crTestLoop_GetEnergy(&loop);
  assert_close(crTestLoop_Get(&loop, "A.angle"), t, 0);
  assert_close(crTestLoop_Get(&loop, "A.rate"), rate, 0);
  assert_close(energy, 0.5 * inertiaOf(&bars, t) * rate * rate + potentialOf(&bars, t), 1e-9);
  for (int i = 1; i <= 4; ++i) {
    crTestLoop_Advance(&loop, 0.5 * i);
    integrateFourBar(&bars, 0.5, &t, &rate);
    BarAngles q = solveFourBar(&bars, t), k = slopes(&bars, t, q);
    assert_close(crTestLoop_Get(&loop, "A.angle"), t, 1e-7);
    assert_close(crTestLoop_Get(&loop, "A.rate"), rate, 1e-6);
    assert_close(cos(crTestLoop_Get(&loop, "D.angle")), cos(q.s), 1e-7);
    assert_close(crTestLoop_Get(&loop, "D.rate"), k.s * rate, 1e-6);
    assert_close(crTestLoop_Get(&loop, "B.rate"), (k.p - 1) * rate, 1e-6);
    assert_close(crTestLoop_Get(&loop, "C.rate"), (k.s - k.p) * rate, 1e-6);
    assert_true(crTestLoop_FindGap(&loop) < 1e-12);
    assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-8 * fabs(energy));
  }
  crTestLoop_Free(&loop);
}

static void every_solver_keeps_loop_and_energy(void** state)
{
  (void)state;
  double t = 0.4, rate = 9;
  integrateFourBar(&bars, 2.0, &t, &rate);
  for (int solver = crTestFirstSolver(); solver < cr_solverKindCount; ++solver) {
    crTestLoop loop = startFourBar("ABCD", "", 1e-8, (crSolverKind)solver);
    double energy = crTestLoop_GetEnergy(&loop);
    crTestLoop_Advance(&loop, 2.0);
    assert_close(crTestLoop_Get(&loop, "A.angle"), t, 5e-4);
    assert_true(crTestLoop_FindGap(&loop) < 1e-9);
    assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-6 * fabs(energy));
    crTestLoop_Free(&loop);
  }
}

// ---------------------------------------------------------------------------------- singular positions

// Once a turn all bars are in one line, and the motion goes on along a curve: neither coordinates nor accelerations of
// the joints are simple there, as they are in a parallelogram.
static void even_four_bar_changes_sides_smoothly(void** state)
{
  (void)state;
  static const struct {
    crSolverKind solver;
    double tolerance, energyLimit, angleLimit;
  } runs[] = { { cr_solverDopri5, 1e-8, 1e-6, 1e-4 },
               { cr_solverDopri5, 1e-10, 1e-8, 1e-6 },
               { cr_solverRadau5, 1e-11, 1e-7, 1e-5 },
               { cr_solverDopri5, 1e-11, 1e-9, 1e-6 } };
  double t = 0.4, rate = 9, angles[4]; // by the one equation to 5e-7: its derivatives are differences
  for (int k = 0; k < 6; ++k) {
    integrateFourBar(&evenBars, 0.5, &t, &rate);
  }
  assert_true(t > 9 * CR_PI); // five times through the line
  for (int i = 0; i < 4; ++i) {
    crTestLoop loop = startBars("0.5, 0.7, 0.8, 1", "ABDC", "", runs[i].tolerance, runs[i].solver);
    assert_non_null(loop.simulation);
    double energy = crTestLoop_GetEnergy(&loop);
    for (int k = 1; k <= 10; ++k) {
      crTestLoop_Advance(&loop, 0.3 * k);
      assert_close(crTestLoop_GetEnergy(&loop), energy, runs[i].energyLimit * fabs(energy));
      assert_true(crTestLoop_FindGap(&loop) < 1e-12);
    }
    assert_close(crTestLoop_Get(&loop, "A.angle"), t, runs[i].angleLimit);
    assert_close(crTestLoop_Get(&loop, "A.rate"), rate, 10 * runs[i].angleLimit);
    assert_close(cos(crTestLoop_Get(&loop, "D.angle")), cos(solveFourBar(&evenBars, t).s), 10 * runs[i].angleLimit);
    angles[i] = crTestLoop_Get(&loop, "A.angle");
    crTestLoop_Free(&loop);
  }
  assert_close(angles[1], angles[3], 1e-8);
}

// -------------------------------------------------------------------------------------- other cuts

static const char* const orders[] = { "ABCD", "DCBA", "ADCB", "CBAD" };

static void all_cuts_of_a_loop_are_the_same_mechanism(void** state)
{
  (void)state;
  const char* laws = "local A = make.A\n"
                     "make.C = function() revolute('C', couplerEnd, rockerEnd, { start = 1, stiffness = 5, rest = 0.8,"
                     " damping = 0.02, friction = 0.1 }) end\n";
  crTestLoop first = startFourBar(orders[0], laws, 1e-9, cr_solverAuto);
  bool isCut[2] = { crTestLoop_IsCut(&first, "C"), false };
  crTestLoop_Advance(&first, 1.5);
  for (int i = 1; i < 4; ++i) {
    static const char* const joints[] = { "A", "B", "C", "D" };
    crTestLoop other = startFourBar(orders[i], laws, 1e-9, cr_solverAuto);
    isCut[1] = isCut[1] || crTestLoop_IsCut(&other, "C") != isCut[0];
    crTestLoop_Advance(&other, 1.5);
    for (int j = 0; j < 4; ++j) {
      char angle[16], rate[16];
      snprintf(angle, sizeof angle, "%s.angle", joints[j]);
      snprintf(rate, sizeof rate, "%s.rate", joints[j]);
      crWrench a = crTestLoop_GetReaction(&first, joints[j]), b = crTestLoop_GetReaction(&other, joints[j]);
      assert_close(crTestLoop_Get(&first, angle), crTestLoop_Get(&other, angle), 1e-6);
      assert_close(crTestLoop_Get(&first, rate), crTestLoop_Get(&other, rate), 1e-5);
      assert_vec_close(a.f, b.f, 1e-4);
      assert_vec_close(a.t, b.t, 1e-4);
    }
    assert_close(crTestLoop_GetEnergy(&first), crTestLoop_GetEnergy(&other), 1e-6);
    crTestLoop_Free(&other);
  }
  assert_true(isCut[1]); // the law acted in a tree joint and in a cut one
  crTestLoop_Free(&first);
}

// The angle of a joint that closes the loop grows over whole turns like that of any other.
static void angles_of_cut_joints_count_turns(void** state)
{
  (void)state;
  const char* drive = "path('turns', { values = { 0.4, 40 }, maxVelocity = 10, maxAcceleration = 40 })\n"
                      "make.A = function() revolute('A', w, crank, { motion = 'turns' }) end\n";
  for (int i = 0; i < 4; ++i) {
    crTestLoop loop = startFourBar(orders[i], drive, 1e-7, cr_solverAuto);
    for (int k = 1; k <= 20; ++k) {
      crTestLoop_Advance(&loop, 0.2 * k);
      double t = crTestLoop_Get(&loop, "A.angle");
      BarAngles q = solveFourBar(&bars, t);
      assert_close(crTestLoop_Get(&loop, "B.angle"), q.p - t, 1e-6); // the coupler swings, the crank turns away from it
      assert_close(crTestLoop_Get(&loop, "C.angle"), q.s - q.p, 1e-6);
      assert_close(crTestLoop_Get(&loop, "D.angle"), q.s, 1e-6);
    }
    crTestLoop_Free(&loop);
  }
}

// A shaft in two bearings, driven by a constant torque: the second bearing closes a loop. Its motion is so simple that
// steps become as long as they may, and in one of them it makes many turns. The angle of the bearing that was cut once
// was that nearest to the one at the end of the last step, and lost them all.
#define SHAFT                                                                                                          \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "local w = world('w')\n"                                                                                             \
  "local shaft = object('shaft', { mass{ mass = 1, inertia = {0.1, 0.1, 0.05} } })\n"                                  \
  "local tail = object('tail', { parent = shaft, position = {0, 0, 0.5} })\n"                                          \
  "constant('push', { value = 2 })\n"                                                                                  \
  "revolute('near', w, shaft, { startRate = 100, torque = 'push' })\n"                                                 \
  "revolute('far', object('stand', { parent = w, position = {0, 0, 0.5} }), tail)\n"

static void angles_of_cut_joints_count_many_turns_in_a_step(void** state)
{
  (void)state;
  for (int solver = crTestFirstSolver(); solver < cr_solverKindCount; ++solver) {
    crTestLoop loop = crStartLoop(SHAFT, 20.0, 1e-8, (crSolverKind)solver);
    assert_non_null(loop.simulation);
    assert_true(crTestLoop_IsCut(&loop, "far"));
    for (int i = 1; i <= 4; ++i) {
      double t = 5.0 * i, angle = 100 * t + 20 * t * t; // 1,600 turns at the end
      crTestLoop_Advance(&loop, t);
      assert_close(crTestLoop_Get(&loop, "near.angle"), angle, 1e-6 * angle);
      assert_close(crTestLoop_Get(&loop, "far.angle"), crTestLoop_Get(&loop, "near.angle"), 1e-8);
    }
    if (solver == cr_solverDopri5) {
      assert_true(crSimulation_GetSummary(loop.simulation).solverStatistics.steps < 160);
    }
    crTestLoop_Free(&loop);
  }
}

// A round of islands that is taken back goes on from the turns that there were: they used to be those of what was taken
// back.
static void what_cuts_keep_comes_back(void** state)
{
  (void)state;
  crTestLoop loop = crStartLoop(SHAFT, 1.0, 1e-8, cr_solverDopri5);
  crTreeSet all = crModel_GetAllTrees(loop.model);
  crCutMemory kept[1];
  assert_int_equal(crModel_GetSize(loop.model).cutJointCount, 1);
  crInstance_KeepCuts(loop.instance, 0, kept);
  crInstance_CompleteStep(loop.instance, all, 1.0, (double[]){ 100.0, 100.0 }); // angle and rate
  crInstance_RestoreCuts(loop.instance, 0, kept);
  crInstance_SetState(loop.instance, all, 0.001, (double[]){ 0.1, 0.0 });
  assert_int_equal(crInstance_Eval(loop.instance, all, cr_stageVelocity), cr_ok);
  assert_close(crTestLoop_Get(&loop, "far.angle"), 0.1, 1e-12);
  crTestLoop_Free(&loop);
}

// ------------------------------------------------------------------------------------- slider-crank

// x = r cos t + sqrt(l^2 - r^2 sin^2 t); the crank is driven, the torque is what changes the energy.
static void slider_crank_follows_its_closed_form(void** state)
{
  (void)state;
  const double r = 0.2, l = 0.5, w = 2 * CR_PI;
  const char* text =
      "scene{ gravity = 'none' }\n"
      "local w = world('w')\n"
      "local crank = object('crank', { mass{ mass = 1, com = {0.1, 0, 0}, inertia = {0.01, 0.01, 0.02} } })\n"
      "local pin = object('pin', { parent = crank, position = {0.2, 0, 0} })\n"
      "local rod = object('rod', { mass{ mass = 1e-9, com = {0.25, 0, 0}, inertia = {1e-9, 1e-9, 1e-9} } })\n"
      "local small = object('small', { parent = rod, position = {0.5, 0, 0} })\n"
      "local piston = object('piston', { mass{ mass = 2, inertia = {0.01, 0.01, 0.01} } })\n"
      "path('turn', { values = {0, 1000}, maxVelocity = 2 * pi, maxAcceleration = 1000 })\n"
      "revolute('main', w, crank, { motion = 'turn' })\n"
      "revolute('big', pin, rod, { start = -0.1 })\n"
      "prismatic('slide', w, piston, { axis = 'x', start = 0.6 })\n"
      "revolute('wrist', small, piston)\n";
  crTestLoop loop = crStartLoop(text, 10.0, 1e-9, cr_solverAuto);
  for (int i = 1; i <= 10; ++i) {
    crTestLoop_Advance(&loop, 0.1 + 0.173 * i);
    double t = crTestLoop_Get(&loop, "main.angle"), s = sqrt(l * l - r * r * sin(t) * sin(t));
    double v = -w * r * sin(t) * (1 + r * cos(t) / s);
    double a =
        -w * w * r * (cos(t) + r * (cos(2 * t) * s * s + r * r * sin(t) * sin(t) * cos(t) * cos(t)) / (s * s * s));
    assert_close(crTestLoop_Get(&loop, "main.rate"), w, 1e-9);
    assert_close(crTestLoop_Get(&loop, "slide.position"), r * cos(t) + s, 1e-8);
    assert_close(crTestLoop_Get(&loop, "slide.velocity"), v, 1e-7);
    assert_close(sin(crTestLoop_Get(&loop, "wrist.angle")), r / l * sin(t), 1e-8);
    assert_close(crTestLoop_Get(&loop, "main.torque"), 2 * a * v / w, 1e-5);
    assert_close(crTestLoop_GetReaction(&loop, "wrist").f.x, 2 * a, 1e-5);
  }
  crTestLoop_Free(&loop);
}

// A five-bar, whose middle joint lies between two bodies that are two joints from the ground each: it is cut although
// its motion is prescribed. What its torque works is what the energy gains.
static void a_prescribed_joint_may_close_the_loop(void** state)
{
  (void)state;
  const char* text =
      "scene{ gravity = 'none' }\n"
      "local function rod(name, l)\n"
      "  local o = object(name, { mass{ mass = l, com = {l/2, 0, 0}, inertia = {0.001, l^3/12, l^3/12} } })\n"
      "  return o, object(name .. 'End', { parent = o, position = {l, 0, 0} })\n"
      "end\n"
      "local w = world('w')\n"
      "local foot = object('foot', { parent = w, position = {0.5, 0, 0} })\n"
      "local a, aEnd = rod('a', 0.5)\n"
      "local b, bEnd = rod('b', 0.5)\n"
      "local c, cEnd = rod('c', 0.5)\n"
      "local d, dEnd = rod('d', 0.5)\n"
      "sine('wag', { amplitude = 0.3, frequency = 0.7, offset = 2 })\n"
      "revolute('A', w, a, { start = 2.2, startRate = 1 })\n"
      "revolute('B', aEnd, b, { start = -1.2 })\n"
      "revolute('D', foot, d, { start = 1 })\n"
      "revolute('C', dEnd, c, { start = 1.2 })\n"
      "revolute('E', bEnd, cEnd, { motion = 'wag' })\n";
  crTestLoop loop = crStartLoop(text, 10.0, 1e-9, cr_solverAuto);
  assert_true(crTestLoop_IsCut(&loop, "E"));
  double start = crTestLoop_GetEnergy(&loop), work = 0, h = 0.001;
  double power = crTestLoop_Get(&loop, "E.torque") * crTestLoop_Get(&loop, "E.rate");
  for (int i = 1; i <= 1000; ++i) { // Simpson's rule, two at a time
    crTestLoop_Advance(&loop, h * i);
    double next = crTestLoop_Get(&loop, "E.torque") * crTestLoop_Get(&loop, "E.rate");
    work += (i % 2 == 1 ? 4 * next : power + next) * h / 3;
    power = i % 2 == 0 ? next : power;
  }
  assert_close(crTestLoop_Get(&loop, "E.angle"), 2 + 0.3 * sin(2 * CR_PI * 0.7), 1e-9);
  assert_close(crTestLoop_GetEnergy(&loop) - start, work, 1e-7);
  assert_true(fabs(work) > 1e-3);
  crLoopFacts facts = crInstance_GetLoopFacts(loop.instance);
  assert_int_equal(facts.freedom, 1);
  assert_int_equal(facts.gruebler, 4 - 6);
  crTestLoop_Free(&loop);
}

// ---------------------------------------------------------------------------------------- redundancy

// A door on two hinges in one line: the second adds nothing. Both carry half of the weight; the moment of the weight is
// carried by a pair of horizontal forces and by moments in the hinges, the same at both by symmetry.
static void two_hinges_share_the_weight_of_a_door(void** state)
{
  (void)state;
  const double m = 30, width = 0.9, height = 1.6;
  const char* text = "local w = world('w')\n"
                     "local door = object('door', { mass{ mass = 30, com = {0.45, 0, 0}, inertia = {1, 1, 2} } })\n"
                     "local upper = object('upper', { parent = door, position = {0, 0, 0.8} })\n"
                     "local lower = object('lower', { parent = door, position = {0, 0, -0.8} })\n"
                     "revolute('top', object('topFrame', { parent = w, position = {0, 0, 0.8} }), upper)\n"
                     "revolute('bottom', object('bottomFrame', { parent = w, position = {0, 0, -0.8} }), lower)\n";
  crTestLoop loop = crStartLoop(text, 1.0, 1e-8, cr_solverAuto);
  crWrench top = crTestLoop_GetReaction(&loop, "top"), bottom = crTestLoop_GetReaction(&loop, "bottom");
  crLoopFacts facts = crInstance_GetLoopFacts(loop.instance);
  assert_int_equal(facts.freedom, 1);
  assert_int_equal(facts.gruebler, -4);
  assert_int_equal(facts.redundantCount, 5);
  assert_close(top.f.z, m * G / 2, 1e-8);
  assert_close(bottom.f.z, m * G / 2, 1e-8);
  assert_close(top.f.x + bottom.f.x, 0, 1e-8);
  assert_true(top.f.x < -1.0);
  assert_close(top.t.y, bottom.t.y, 1e-8);
  // about y at the middle: the weight at width/2, the pair of forces, and both moments
  assert_close(m * G * width / 2 + (top.f.x - bottom.f.x) * height / 2 + top.t.y + bottom.t.y, 0, 1e-8);
  crTestLoop_Free(&loop);
}

// -------------------------------------------------------------------------------------- every joint kind

// Two arms of two bodies each, whose ends are two joints away from the world: the joint between them is cut, whatever
// its kind is.
static const char* const armsText =
    "local w = world('w')\n"
    "local function link(name, x) return object(name, { mass{ mass = 1 + x, com = {0.2, 0.05 * x, 0.02},"
    " inertia = {0.02, 0.03, 0.04} } }) end\n"
    "local function at(name, o, x, y, z) return object(name, { parent = o, position = {x, y, z} }) end\n"
    "local a, b, c, d = link('a', 0.1), link('b', 0.2), link('c', 0.3), link('d', 0.4)\n"
    "spherical('A', w, a, { startRate = {0.5, 1, 0.2} })\n"
    "universal('B', at('aEnd', a, 0.4, 0, 0), b, { axis = 'y', axis2 = 'z', start = {0.5, 0.2}, startRate = {1, -0.5} "
    "})\n"
    "spherical('C', at('foot', w, 1, 0.1, 0), c, { startRate = {0.2, -0.4, 1} })\n"
    "universal('D', at('cEnd', c, -0.4, 0, 0), d, { axis = 'y', axis2 = 'z', start = {-0.5, 0.1} })\n"
    "%s('K', at('bEnd', b, 0.2, 0, 0), at('dEnd', d, -0.2, 0, 0), { %s })\n";

typedef struct ClosingKind {
  const char *kind, *fields, *coordinate, *rate;
  int freedom;
} ClosingKind;

static const ClosingKind kinds[] = {
  { "revolute", "axis = {1, 2, 3}", "angle", "rate", 5 },
  { "prismatic", "axis = {1, 0.2, 0}", "position", "velocity", 5 },
  { "cylindrical", "axis = {1, 0.2, 0.3}", "angle", "rate", 6 },
  { "universal", "axis = 'z', axis2 = {1, 1, 0}", "angle2", "rate2", 6 },
  { "spherical", "", NULL, NULL, 7 },
  { "planar", "axis = {0.3, 0.2, 1}", "position.x", "velocity.x", 7 },
  { "screw", "axis = {1, 0, 0.3}, pitch = 0.05", "angle", "rate", 5 },
};
#define KIND_COUNT ((int)(sizeof kinds / sizeof *kinds))

static crTestLoop startArms(const ClosingKind* kind)
{
  char text[4096];
  snprintf(text, sizeof text, armsText, kind->kind, kind->fields);
  crTestLoop loop = crStartLoop(text, 2.0, 1e-9, cr_solverAuto);
  assert_non_null(loop.simulation);
  assert_true(crTestLoop_IsCut(&loop, "K"));
  return loop;
}

// Articulated bodies and a solve for the forces on one side, Newton and Euler with given forces on the other.
static void explicit_and_residual_form_are_the_same_equations(void** state)
{
  (void)state;
  for (int i = 0; i < KIND_COUNT; ++i) {
    crTestLoop loop = startArms(&kinds[i]);
    crTreeSet all = crModel_GetAllTrees(loop.model);
    double y[64], rates[64], multipliers[12] = { 0 }, residual[64], constraints[12];
    int states = crModel_CountStates(loop.model, all), rows = crInstance_CountMultipliers(loop.instance, all);
    crTestLoop_Advance(&loop, 0.8);
    crInstance_GetState(loop.instance, all, y);
    assert_int_equal(crInstance_ComputeRates(loop.instance, all, 0.8, y, rates), cr_ok);
    crInstance_GetMultipliers(loop.instance, all, multipliers);
    assert_int_equal(
        crInstance_ComputeLoopResidual(loop.instance, all, 0.8, y, rates, multipliers, residual, constraints), cr_ok);
    for (int k = 0; k < states; ++k) {
      assert_close(residual[k], 0, 1e-10);
    }
    for (int k = 0; k < 2 * rows; ++k) {
      assert_close(constraints[k], 0, 1e-12);
    }
    crTestLoop_Free(&loop);
  }
}

// The forces of the one form are the accelerations of the other, and its pattern has room for every entry of the
// matrix.
static void pattern_of_the_residual_form_holds_all_entries(void** state)
{
  (void)state;
  for (int i = 0; i < KIND_COUNT; ++i) {
    enum { limit = 80 };
    crTestLoop loop = startArms(&kinds[i]);
    crTreeSet all = crModel_GetAllTrees(loop.model);
    double y[limit] = { 0 }, rates[limit] = { 0 }, base[limit], shifted[limit];
    int columnStarts[limit + 1], rows[limit * limit], count;
    int states = crModel_CountStates(loop.model, all), m = crInstance_CountMultipliers(loop.instance, all);
    crTestLoop_Advance(&loop, 0.8);
    crInstance_GetState(loop.instance, all, y);
    assert_int_equal(crInstance_ComputeRates(loop.instance, all, 0.8, y, rates), cr_ok);
    crInstance_GetMultipliers(loop.instance, all, rates + states);
    assert_int_equal(
        crInstance_ComputeRateResidual(loop.instance, all, 0.8, y, rates, rates + states, base, base + states), cr_ok);
    crInstance_GetLoopSparsity(loop.instance, all, 0, columnStarts, rows, &count);
    for (int j = 0; j < states + 2 * m; ++j) {
      double keptY = y[j], keptRate = rates[j], e = 1e-5, c = 10;
      assert_close(base[j], 0, 1e-10);
      y[j] += e;
      rates[j] += c * e;
      assert_int_equal(
          crInstance_ComputeRateResidual(loop.instance, all, 0.8, y, rates, rates + states, shifted, shifted + states),
          cr_ok);
      y[j] = keptY;
      rates[j] = keptRate;
      for (int r = 0, k = columnStarts[j]; r < states + 2 * m; ++r) {
        bool isEntry = k < columnStarts[j + 1] && rows[k] == r;
        k += isEntry;
        if (!isEntry) {
          assert_close(shifted[r], base[r], 1e-12);
        }
      }
    }
    crTestLoop_Free(&loop);
  }
}

// A chain that hangs between two points, of rods on spherical joints. Newton's method with a matrix of inertias of
// joint coordinates needed a new one every other step: the residual form took 15,000 steps for a second.
static void long_closed_chains_are_no_trouble_to_the_residual_form(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  const char* text =
      "local w = world('w')\n"
      "local n, l, before = 30, 0.1, w\n"
      "local turn = pi / (2 * (n - 2))\n"
      "for i = 1, n - 1 do\n"
      "  local rod = object('rod' .. i, { mass{ mass = 0.1, com = {l/2, 0, 0}, inertia = {1e-5, 1e-4, 1e-4} } })\n"
      "  local start = i == 1 and { math.cos(pi / 4), 0, math.sin(pi / 4), 0 } or { math.cos(turn), 0, "
      "-math.sin(turn), "
      "0 }\n"
      "  spherical('joint' .. i, before, rod, { start = start })\n"
      "  before = object('end' .. i, { parent = rod, position = {l, 0, 0} })\n"
      "end\n"
      "spherical('last', object('far', { parent = w, position = {1.5, 0.2, 0} }), before)\n";
  crVec3 places[2];
  for (int form = 0; form < 2; ++form) {
    crTestLoop loop = crStartLoop(text, 0.5, form == 0 ? 1e-9 : 1e-7, form == 0 ? cr_solverDopri5 : cr_solverIda);
    assert_non_null(loop.simulation);
    double energy = crTestLoop_GetEnergy(&loop);
    crTestLoop_Advance(&loop, 0.5);
    assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-6 * fabs(energy));
    assert_true(crTestLoop_FindGap(&loop) < 1e-12);
    places[form] = crMakeVec3(crTestLoop_Get(&loop, "rod12.position.x"), crTestLoop_Get(&loop, "rod12.position.y"),
                              crTestLoop_Get(&loop, "rod12.position.z"));
    if (form == 1) {
      crSolverStatistics statistics = crSimulation_GetSummary(loop.simulation).solverStatistics;
      assert_true(statistics.steps < 3000);
      assert_true(statistics.jacobians < statistics.steps / 5);
    }
    crTestLoop_Free(&loop);
  }
  assert_vec_close(places[0], places[1], 1e-4);
}

static void every_joint_kind_can_close_a_loop(void** state)
{
  (void)state;
  for (int i = 0; i < KIND_COUNT; ++i) {
    crTestLoop loop = startArms(&kinds[i]);
    assert_int_equal(crInstance_GetLoopFacts(loop.instance).freedom, kinds[i].freedom);
    double energy = crTestLoop_GetEnergy(&loop), sum = 0, h = 0.001, first = 0, last = 0;
    for (int k = 0; k <= 200; ++k) { // Simpson's rule: the coordinate is the integral of its rate
      char name[64];
      crTestLoop_Advance(&loop, 1 + h * k);
      if (kinds[i].rate != NULL) {
        snprintf(name, sizeof name, "K.%s", kinds[i].rate);
        sum += crTestLoop_Get(&loop, name) * h / 3 * (k == 0 || k == 200 ? 1 : k % 2 == 1 ? 4 : 2);
        snprintf(name, sizeof name, "K.%s", kinds[i].coordinate);
        last = crTestLoop_Get(&loop, name);
        first = k == 0 ? last : first;
      }
    }
    assert_close(last - first, sum, 1e-8);
    assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-7 * (1 + fabs(energy)));
    assert_true(crTestLoop_FindGap(&loop) < 1e-9);
    crTestLoop_Free(&loop);
  }
}

// ------------------------------------------------------------------------------------------- reactions

// What the ground gives through both of its joints is the rate of the momentum less the weight.
static void reactions_carry_weight_and_momentum(void** state)
{
  (void)state;
  const double h = 1e-4, weight = (0.3 + 0.8 + 0.6) * G;
  for (int i = 0; i < 4; ++i) {
    crTestLoop loop = startFourBar(orders[i], "", 1e-11, cr_solverAuto);
    crTreeSet all = crModel_GetAllTrees(loop.model);
    crVec3 momenta[3], force = { 0, 0, 0 };
    for (int k = 0; k < 3; ++k) {
      crTestLoop_Advance(&loop, 0.7 + h * k);
      momenta[k] = crInstance_ComputeMomentum(loop.instance, all, -1).linear;
      if (k == 1) {
        force = crAdd(crTestLoop_GetReaction(&loop, "A").f, crTestLoop_GetReaction(&loop, "D").f);
      }
    }
    crVec3 rate = crScale(1 / (2 * h), crSub(momenta[2], momenta[0]));
    assert_vec_close(force, crAdd(rate, crMakeVec3(0, weight, 0)), 1e-4 * crLength(force));
    crTestLoop_Free(&loop);
  }
}

// --------------------------------------------------------------------------------------------- contact

// A ball falls on the coupler of a parallelogram. The impulse moves the whole loop, which stays closed; without losses
// the energy stays, whether the ball bounces off by impulse or elastically.
static void impacts_go_through_loops(void** state)
{
  (void)state;
  static const char* const responses[] = { "impulsive", "elastic" };
  for (int i = 0; i < 2; ++i) {
    char text[4096];
    snprintf(
        text, sizeof text,
        "scene{ response = '%s', kRed = 0.01 }\n"
        "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0 })\n"
        "local w = world('w')\n"
        "local function bar(name, l, contact)\n"
        "  local o = object(name)\n"
        "  object(name .. 'Body', { parent = o, position = {l/2, 0, 0}, solid{ shape = box{ size = {l, 0.05, 0.02} },"
        " mass = 2, material = contact and 'Steel' or nil, contact = contact } })\n"
        "  return o, object(name .. 'End', { parent = o, position = {l, 0, 0} })\n"
        "end\n"
        "local a, aEnd = bar('a', 0.5)\n"
        "local b, bEnd = bar('b', 1, 'Steel')\n"
        "local c, cEnd = bar('c', 0.5)\n"
        "revolute('A', w, a, { axis = '-y', start = 1, fixed = true, stiffness = 200, rest = 1.3 })\n"
        "revolute('B', aEnd, b, { axis = '-y', start = -1 })\n"
        "revolute('D', object('foot', { parent = w, position = {1, 0, 0} }), c, { axis = '-y', start = 1 })\n"
        "revolute('C', bEnd, cEnd, { axis = '-y' })\n"
        "object('ball', { mobility = 'free', position = {0.8, 0, 0.8}, solid{ shape = sphere{ radius = 0.05 },"
        " mass = 1, material = 'Steel', contact = 'Steel' } })\n",
        responses[i]);
    crTestLoop loop = crStartLoop(text, 1.0, 1e-9, cr_solverAuto);
    assert_non_null(loop.simulation);
    double energy = crTestLoop_GetEnergy(&loop);
    crTestLoop_Advance(&loop, 0.6);
    assert_true(crSimulation_GetSummary(loop.simulation).contactCount > 0);
    assert_true(crTestLoop_Get(&loop, "ball.velocity.z") > -4);
    assert_true(crTestLoop_FindGap(&loop) < 1e-9);
    assert_close(crTestLoop_Get(&loop, "A.rate"), crTestLoop_Get(&loop, "D.rate"), 1e-7);
    assert_close(crTestLoop_GetEnergy(&loop), energy, 1e-4 * fabs(energy));
    crTestLoop_Free(&loop);
  }
}

// ------------------------------------------------------------------------------------------ assembly

static void a_loop_that_cannot_close_names_its_joints_and_its_gap(void** state)
{
  (void)state;
  const char* text = "local w = world('w')\n"
                     "local far = object('far', { parent = w, position = {1, 0, 0} })\n"
                     "local a = object('a', { mass{ mass = 1, com = {0.2, 0, 0}, inertia = {1, 1, 1} } })\n"
                     "local aEnd = object('aEnd', { parent = a, position = {0.4, 0, 0} })\n"
                     "local b = object('b', { mass{ mass = 1, com = {0.2, 0, 0}, inertia = {1, 1, 1} } })\n"
                     "local bEnd = object('bEnd', { parent = b, position = {0.5, 0, 0} })\n"
                     "revolute('one', w, a, { start = 0.3 })\n"
                     "revolute('two', aEnd, b, { start = -0.5 })\n"
                     "revolute('three', bEnd, far)\n";
  crTestLoop open = crStartLoop(text, 1.0, 1e-8, cr_solverAuto);
  assert_null(open.simulation);
  assert_true(crTestModel_Says(&open.text, "the loop of the joints 'one', 'three', 'two' cannot be closed"));
  assert_true(crTestModel_Says(&open.text, "found a gap of 0.1 m and 0 degrees"));
  crTestLoop_Free(&open);
}

static void start_values_in_one_line_find_a_closed_position(void** state)
{
  (void)state;
  const char* zero = "make.A = function() revolute('A', w, crank) end\n"
                     "make.B = function() revolute('B', crankEnd, coupler) end\n"
                     "make.D = function() revolute('D', foot, rocker) end\n";
  crTestLoop loop = startFourBar("ABCD", zero, 1e-8, cr_solverAuto);
  assert_non_null(loop.simulation);
  assert_true(crTestLoop_FindGap(&loop) < 1e-11);
  crTestLoop_Free(&loop);
}

static void fixed_start_values_stay_even_those_of_the_cut_joint(void** state)
{
  (void)state;
  const char* fixed =
      "make.A = function() revolute('A', w, crank, { start = 0.1 }) end\n"
      "make.C = function() revolute('C', couplerEnd, rockerEnd, { start = 1.2, startRate = 2, fixed = true }) end\n";
  for (int i = 0; i < 4; ++i) {
    crTestLoop loop = startFourBar(orders[i], fixed, 1e-8, cr_solverAuto);
    assert_non_null(loop.simulation);
    assert_close(crTestLoop_Get(&loop, "C.angle"), 1.2, 1e-10);
    assert_close(crTestLoop_Get(&loop, "C.rate"), 2, 1e-9);
    assert_true(crTestLoop_FindGap(&loop) < 1e-11);
    crTestLoop_Free(&loop);
  }
}

// -------------------------------------------------------------------------------------------- sets

// Mechanisms that nothing connects are evaluated on their own, to the same bits.
static void separate_loops_are_separate_sets(void** state)
{
  (void)state;
  const char* second =
      "local first = { A = make.A, B = make.B, C = make.C, D = make.D }\n"
      "for _, k in ipairs{ 'D', 'A', 'C', 'B' } do first[k]() end\n"
      "local ground = object('ground2', { parent = w, position = {0, 0, 1} })\n"
      "w, foot = ground, object('foot2', { parent = ground, position = {0.9, 0, 0} })\n"
      "crank, crankEnd = rod('crank2', a)\n"
      "coupler, couplerEnd = rod('coupler2', b)\n"
      "rocker, rockerEnd = rod('rocker2', c)\n"
      "make.A = function() revolute('A2', w, crank, { start = 1.4, startRate = 3, fixed = true }) end\n"
      "make.B = function() revolute('B2', crankEnd, coupler, { start = -1 }) end\n"
      "make.C = function() revolute('C2', couplerEnd, rockerEnd, { start = 1 }) end\n"
      "make.D = function() revolute('D2', foot, rocker, { start = 2 }) end\n";
  crTestLoop loop = startFourBar("ABCD", second, 1e-8, cr_solverAuto);
  assert_non_null(loop.simulation);
  crTreeSet all = crModel_GetAllTrees(loop.model);
  double y[64], rates[64], own[64];
  int members[4], place = 0, offset = 0;
  crInstance_GetState(loop.instance, all, y);
  assert_int_equal(crInstance_ComputeRates(loop.instance, all, 0.0, y, rates), cr_ok);
  assert_int_equal(all.treeCount, 4);
  for (int half = 0; half < 2; ++half) {
    crTreeSet set = { .trees = members, .treeCount = 2 };
    members[0] = 2 * half;
    members[1] = 2 * half + 1;
    assert_true(crModel_IsClosed(loop.model, set));
    assert_int_equal(crInstance_ComputeRates(loop.instance, set, 0.0, y + offset, own), cr_ok);
    place = crModel_CountStates(loop.model, set);
    assert_memory_equal(own, rates + offset, (size_t)place * sizeof *own);
    offset += place;
  }
  crTestLoop_Free(&loop);
}

// ----------------------------------------------------------------------------------------- resources

static void every_failing_allocation_is_a_clean_error(void** state)
{
  (void)state;
  crTestLoop loop = startFourBar("ABCD", "", 1e-8, cr_solverAuto);
  crTreeSet set = crModel_GetAllTrees(loop.model);
  double y[64];
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crInstance* instance = NULL;
    status = crCreateInstance(loop.model, &allocator, NULL, &instance);
    if (status == cr_ok) {
      crModel_GetStart(loop.model, set, y);
      status = crInstance_Assemble(instance, set, 0.0, y, NULL);
    }
    assert_true(status == cr_ok || status == cr_errorMemory);
    crDestroyInstance(instance);
    assert_int_equal(counter.liveBlocks, 0);
    assert_true(failAt < 1000);
  }
  crTestLoop_Free(&loop);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(four_bar_moves_as_its_one_equation_says),
    cmocka_unit_test(every_solver_keeps_loop_and_energy),
    cmocka_unit_test(even_four_bar_changes_sides_smoothly),
    cmocka_unit_test(all_cuts_of_a_loop_are_the_same_mechanism),
    cmocka_unit_test(angles_of_cut_joints_count_turns),
    cmocka_unit_test(angles_of_cut_joints_count_many_turns_in_a_step),
    cmocka_unit_test(what_cuts_keep_comes_back),
    cmocka_unit_test(slider_crank_follows_its_closed_form),
    cmocka_unit_test(a_prescribed_joint_may_close_the_loop),
    cmocka_unit_test(two_hinges_share_the_weight_of_a_door),
    cmocka_unit_test(explicit_and_residual_form_are_the_same_equations),
    cmocka_unit_test(pattern_of_the_residual_form_holds_all_entries),
    cmocka_unit_test(long_closed_chains_are_no_trouble_to_the_residual_form),
    cmocka_unit_test(every_joint_kind_can_close_a_loop),
    cmocka_unit_test(reactions_carry_weight_and_momentum),
    cmocka_unit_test(impacts_go_through_loops),
    cmocka_unit_test(a_loop_that_cannot_close_names_its_joints_and_its_gap),
    cmocka_unit_test(start_values_in_one_line_find_a_closed_position),
    cmocka_unit_test(fixed_start_values_stay_even_those_of_the_cut_joint),
    cmocka_unit_test(separate_loops_are_separate_sets),
    cmocka_unit_test(every_failing_allocation_is_a_clean_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
