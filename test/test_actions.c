// Actions: what changes the structure of a run, against closed forms and conservation.
#include "support/lua.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81 // [m/s^2]

static crMomentum momentumOf(const crTestRun* run)
{
  return crInstance_ComputeMomentum(run->instance, crSimulation_GetSet(run->simulation), -1);
}

// ------------------------------------------------------------------------------------------------- release

// Heights [m] and speeds [m/s] of a stage that is pushed with a constant acceleration for a while.
typedef struct Flight {
  double z, v;
} Flight;

static Flight fly(Flight from, double a, double duration)
{
  return (Flight){ from.z + from.v * duration + 0.5 * a * duration * duration, from.v + a * duration };
}

// A thrust that grows from share s0 to s1 of `full` [m/s^2] in a straight line.
static Flight flyRamp(Flight from, double full, double s0, double s1, double duration)
{
  double a = full * s0, rate = full * (s1 - s0) / duration;
  Flight to = fly(from, a - G, duration);
  to.z += rate * duration * duration * duration / 6.0;
  to.v += 0.5 * rate * duration * duration;
  return to;
}

static void the_two_stage_rocket_flies_as_its_closed_form_says(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "rocket.lua" });
  Flight at10 = fly((Flight){ 12.0, 0.0 }, 24000.0 / 1220.0 - G, 10.0);
  assert_close(crTestRun_ValueAt(&run, 9.5, "upper.position.z"),
               fly((Flight){ 12.0, 0.0 }, 24000.0 / 1220.0 - G, 9.5).z, 1e-9);
  // the booster goes on alone
  Flight booster = { at10.z - 7.5, at10.v };
  double landing = (booster.v + sqrt(booster.v * booster.v + 2.0 * G * booster.z)) / G;
  Flight near = fly(booster, -G, 5.0);
  assert_close(crTestRun_ValueAt(&run, 15.0, "booster.position.z"), near.z, 1e-8);
  assert_close(crTestRun_Value(&run, "booster.velocity.z"), near.v, 1e-9);
  assert_int_equal(crModel_GetSize(crSimulation_GetModel(run.simulation)).bodyCount, 3);
  // the upper stage coasts, and lights
  Flight upper = fly(at10, -G, 2.0);
  double full = 9000.0 / 320.0;
  upper = flyRamp(upper, full, 0.0, 1.0, 0.5);
  upper = flyRamp(upper, full, 1.0, 1.0, 17.0);
  upper = flyRamp(upper, full, 1.0, 0.0, 0.5);
  assert_close(crTestRun_ValueAt(&run, 30.0, "upper.position.z"), upper.z, 1e-6);
  assert_close(crTestRun_Value(&run, "upper.velocity.z"), upper.v, 1e-7);
  // the booster is gone when it is down
  assert_true(crModel_FindObject(crSimulation_GetModel(run.simulation), "booster") >= 0);
  crTestRun_Advance(&run, 10.0 + landing + 1e-6);
  assert_int_equal(crModel_FindObject(crSimulation_GetModel(run.simulation), "booster"), -1);
  assert_close(crTestRun_Value(&run, "boosterHeight.value"), 0.0, 1e-6);
  upper = fly(upper, -G, 30.0);
  assert_close(crTestRun_ValueAt(&run, 60.0, "upper.position.z"), upper.z, 1e-6);
  crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
  double speed = booster.v - G * landing;
  assert_close(summary.removed, 0.5 * 900.0 * speed * speed, 1e-2);
  assert_int_equal(summary.actionCount, 2);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
  assert_no_messages(run.log);
  crCloseTestRun(&run);
}

// A free body of two parts that tumbles.
#define TUMBLER                                                                                                        \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "world('w')\n"                                                                                                       \
  "object('a', { free = true, velocity = { 1, -2, 0.5 }, angularVelocity = { 0.3, 2, -1 }, position = { 0.1, 0, 0 "    \
  "},\n"                                                                                                               \
  "  mass{ mass = 2, com = { 0.1, 0, 0.2 }, inertia = { 0.1, 0.2, 0.25 } } })\n"                                       \
  "object('b', { parent = 'a', position = { 0.5, 0.2, -0.3 }, rotation = { 0.3, -0.5, 1 },\n"                          \
  "  mass{ mass = 3, com = { 0, 0.3, 0 }, inertia = { 0.3, 0.2, 0.15 } } })\n"

static void what_is_released_keeps_its_motion(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(TUMBLER "action('go', { release = 'b' })\n", 2.0, 1e-10, cr_solverAuto);
  crMomentum before = momentumOf(&run);
  double energy = crTestRun_Energy(&run);
  crTestRun_Advance(&run, 0.7);
  crMotion same = crTestRun_Motion(&run, "b");
  crPose other = crTestRun_Pose(&run, "b");
  assert_int_equal(crSimulation_Act(run.simulation, "go"), cr_ok);
  run.instance = crTestInstance(run.simulation);
  assert_int_equal(crModel_GetSize(crSimulation_GetModel(run.simulation)).bodyCount, 3);
  crMotion own = crTestRun_Motion(&run, "b");
  assert_vec_close(own.v, same.v, 1e-10); // output points are interpolated
  assert_vec_close(own.w, same.w, 1e-10);
  crPose pose = crTestRun_Pose(&run, "b");
  assert_vec_close(pose.p, other.p, 1e-10);
  assert_vec_close(pose.R.cx, other.R.cx, 1e-10);
  crMomentum between = momentumOf(&run);
  crTestRun_Advance(&run, 2.0);
  crMomentum after = momentumOf(&run);
  assert_vec_close(after.linear, between.linear, 1e-9);
  assert_vec_close(after.linear, before.linear, 1e-9);
  assert_vec_close(after.angular, before.angular, 1e-8);
  assert_close(crTestRun_Energy(&run), energy, 1e-8);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  // its centre of mass goes on in a straight line
  crVec3 arm = { 0.0, 0.3, 0.0 };
  crVec3 start = crTransformPoint(pose, arm);
  crVec3 velocity = crAdd(own.v, crCross(own.w, crSub(start, pose.p)));
  assert_vec_close(crTransformPoint(crTestRun_Pose(&run, "b"), arm), crMulAdd(start, 1.3, velocity), 1e-8);
  crCloseTestRun(&run);
}

// ----------------------------------------------------------------------------------------------- plastic impacts

// Two free bodies, with their masses, centres and inertias about them.
#define TWO_BODIES                                                                                                     \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "world('w')\n"                                                                                                       \
  "object('a', { free = true, velocity = { 1, 0.5, 0 }, angularVelocity = { 0.2, 0.4, 1.5 },\n"                        \
  "  mass{ mass = 2, com = { 0.1, 0, 0.2 }, inertia = { 0.1, 0.2, 0.25 } } })\n"                                       \
  "object('b', { free = true, position = { 1, 0.2, -0.1 }, rotation = { 0.4, 0.2, 0.1 }, velocity = { -1, 0.3, 0.7 "   \
  "},\n"                                                                                                               \
  "  angularVelocity = { -1, 0, 0.5 },\n"                                                                              \
  "  mass{ mass = 3, com = { 0, 0.3, 0 }, inertia = { 0.3, 0.2, 0.15 } } })\n"

static crVec3 solve(crMat3 A, crVec3 b)
{
  double det = crDeterminant(A);
  crMat3 x = { b, A.cy, A.cz }, y = { A.cx, b, A.cz }, z = { A.cx, A.cy, b };
  return (crVec3){ crDeterminant(x) / det, crDeterminant(y) / det, crDeterminant(z) / det };
}

// Adds a body's inertia about a point, in world axes.
static void addInertia(crMat3* ioI, crPose pose, crInertia inertia, crVec3 about)
{
  crVec3 r = crSub(crTransformPoint(pose, inertia.com), about);
  crVec3* columns[] = { &ioI->cx, &ioI->cy, &ioI->cz };
  for (int k = 0; k < 3; ++k) {
    crVec3 e = { k == 0, k == 1, k == 2 };
    crVec3 own = crMulMV(pose.R, crMulSV(inertia.I_com, crMulTV(pose.R, e)));
    crVec3 shifted = crScale(inertia.mass, crCross(r, crCross(e, r)));
    *columns[k] = crAdd(*columns[k], crAdd(own, shifted));
  }
}

static void attaching_two_free_bodies_keeps_momentum_and_loses_energy_as_one_body_says(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(TWO_BODIES "action('grip', { attach = { 'b', to = 'a' }, maxSpeed = 10 })\n", 2.0,
                                 1e-10, cr_solverAuto);
  crTestRun_Advance(&run, 0.4);
  crMomentum before = momentumOf(&run);
  double energy = crTestRun_Energy(&run);
  // one body of both
  crPose poses[] = { crTestRun_Pose(&run, "a"), crTestRun_Pose(&run, "b") };
  crInertia inertias[] = { { 2.0, { 0.1, 0.0, 0.2 }, crDiagonalSym3(0.1, 0.2, 0.25) },
                           { 3.0, { 0.0, 0.3, 0.0 }, crDiagonalSym3(0.3, 0.2, 0.15) } };
  crVec3 coms[] = { crTransformPoint(poses[0], inertias[0].com), crTransformPoint(poses[1], inertias[1].com) };
  crVec3 com = crScale(0.2, crAdd(crScale(2.0, coms[0]), crScale(3.0, coms[1])));
  crMat3 I = { .cx = { 0.0, 0.0, 0.0 } };
  addInertia(&I, poses[0], inertias[0], com);
  addInertia(&I, poses[1], inertias[1], com);
  crVec3 spin = crSub(before.angular, crCross(com, before.linear)), w = solve(I, spin);
  double left = 0.5 * crLengthSquared(before.linear) / 5.0 + 0.5 * crDot(w, spin);
  assert_int_equal(crSimulation_Act(run.simulation, "grip"), cr_ok);
  run.instance = crTestInstance(run.simulation);
  crMomentum after = momentumOf(&run);
  assert_vec_close(after.linear, before.linear, 1e-12);
  assert_vec_close(after.angular, before.angular, 1e-12);
  assert_vec_close(crTestRun_Motion(&run, "a").w, w, 1e-12);
  assert_close(crTestRun_Energy(&run), left, 1e-12);
  assert_close(crSimulation_GetSummary(run.simulation).dissipated, energy - left, 1e-12);
  assert_true(energy - left > 1.0);
  assert_vec_close(crTestRun_Pose(&run, "b").p, poses[1].p, 1e-14);
  crTestRun_Advance(&run, 2.0);
  assert_vec_close(momentumOf(&run).angular, before.angular, 1e-8);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  crCloseTestRun(&run);
}

// Rods of 1 kg and 1 m about z, one behind the other.
#define RODS                                                                                                           \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "local w = world('w')\n"                                                                                             \
  "local function rod(name) return object(name, { mass{ mass = 1, com = { 0.5, 0, 0 },\n"                              \
  "  inertia = { 1e-3, 1 / 12, 1 / 12 } } }), object(name .. 'End', { parent = name, position = { 1, 0, 0 } }) end\n"  \
  "local a, aEnd = rod('a')\n"                                                                                         \
  "local b, bEnd = rod('b')\n"                                                                                         \
  "revolute('first', w, a, { startRate = 1 })\n"                                                                       \
  "revolute('second', aEnd, b, { start = 0.5, startRate = 3 })\n"

static void locking_a_joint_keeps_the_momentum_of_the_others(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(RODS "action('hold', { when = { time = 0.3 }, lock = 'second', maxSpeed = 100 })\n"
                                      "action('free', { when = { time = 0.8 }, unlock = 'second' })\n",
                                 1.5, 1e-10, cr_solverAuto);
  double momentum = momentumOf(&run).angular.z, energy = crTestRun_Energy(&run);
  crTestRun_Advance(&run, 0.3);
  double q = crTestRun_Value(&run, "second.angle");
  // of both rods about the fixed joint
  double I = 1.0 / 3.0 + 1.0 / 12.0 + 1.0 + 0.25 + cos(q), left = 0.5 * momentum * momentum / I;
  assert_close(crTestRun_Value(&run, "first.rate"), momentum / I, 1e-9);
  assert_close(crTestRun_Value(&run, "second.rate"), 0.0, 0.0);
  assert_close(crSimulation_GetSummary(run.simulation).dissipated, energy - left, 1e-9);
  assert_close(crTestRun_ValueAt(&run, 0.79, "second.angle"), q, 1e-14);
  assert_close(momentumOf(&run).angular.z, momentum, 1e-9);
  crTestRun_Advance(&run, 0.8);
  assert_close(crTestRun_Value(&run, "first.rate"), momentum / I, 1e-9);
  assert_close(crTestRun_Value(&run, "second.angle"), q, 1e-14);
  crTestRun_Advance(&run, 1.5);
  assert_close(crTestRun_Energy(&run), left, 1e-8);
  assert_true(fabs(crTestRun_Value(&run, "second.rate")) > 0.01);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  crCloseTestRun(&run);
}

// The rods hit a body that rests, and carry it: angular momentum about the fixed joint is kept.
static void attaching_to_a_mechanism_keeps_what_its_joints_leave_free(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      RODS "object('load', { free = true, position = { 1.4, 0.9, 0.3 }, mass{ mass = 2, com = { 0, 0.1, 0 },\n"
           "  inertia = { 0.1, 0.1, 0.2 } } })\n"
           "action('take', { when = { time = 0.2 }, attach = { 'load', to = 'bEnd' }, maxSpeed = 100 })\n",
      1.0, 1e-10, cr_solverAuto);
  double momentum = momentumOf(&run).angular.z, energy = crTestRun_Energy(&run);
  crTestRun_Advance(&run, 0.2);
  assert_close(momentumOf(&run).angular.z, momentum, 1e-10);
  // the second joint transmits no moment about its axis either: what hangs on it keeps its momentum about it
  crPose pivot = crTestRun_Pose(&run, "b"), load = crTestRun_Pose(&run, "load");
  crMotion V = crTestRun_Motion(&run, "b");
  double loss = crSimulation_GetSummary(run.simulation).dissipated;
  assert_true(loss > 0.0);
  assert_close(crTestRun_Energy(&run) + loss, energy, 1e-12);
  // Jourdain's principle: no variation of rates that the joints allow changes the energy of what is lost. By two
  // formulations: mass matrix of both rods with the load written out.
  double w1 = crTestRun_Value(&run, "first.rate"), w2 = crTestRun_Value(&run, "second.rate");
  crVec3 c = crTransformPoint(load, (crVec3){ 0.0, 0.1, 0.0 });
  double q1 = crTestRun_Value(&run, "first.angle"), q = crTestRun_Value(&run, "second.angle");
  double rx = c.x - pivot.p.x, ry = c.y - pivot.p.y, cc = c.x * c.x + c.y * c.y, rr = rx * rx + ry * ry;
  double cr = c.x * rx + c.y * ry;
  double M11 = 5.0 / 3.0 + cos(q) + 0.2 + 2.0 * cc, M12 = 1.0 / 3.0 + 0.5 * cos(q) + 0.2 + 2.0 * cr;
  double M22 = 1.0 / 3.0 + 0.2 + 2.0 * rr;
  // momenta before: those of the rods alone, from the state of a run without the load
  crTestRun alone = crOpenTestText(RODS, 1.0, 1e-10, cr_solverAuto);
  double u1 = crTestRun_ValueAt(&alone, 0.2, "first.rate"), u2 = crTestRun_Value(&alone, "second.rate");
  double p1 = (5.0 / 3.0 + cos(q)) * u1 + (1.0 / 3.0 + 0.5 * cos(q)) * u2;
  double p2 = (1.0 / 3.0 + 0.5 * cos(q)) * u1 + u2 / 3.0;
  assert_close(M11 * w1 + M12 * w2, p1, 1e-9);
  assert_close(M12 * w1 + M22 * w2, p2, 1e-9);
  assert_close(V.w.z, w1 + w2, 1e-12);
  assert_close(q1, crTestRun_Value(&alone, "first.angle"), 1e-9);
  crTestRun_Advance(&run, 1.0);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  crCloseTestRun(&alone);
  crCloseTestRun(&run);
}

// The world has no potential energy: that of what it gets, and gives back, is no loss.
static void attaching_to_the_world_dissipates_motion_alone(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "world('w')\n"
      "object('a', { free = true, position = { 0, 0, 5 }, mass{ mass = 2, inertia = { 0.1, 0.1, 0.1 } } })\n"
      "action('hold', { when = 0.5, attach = { 'a', to = 'w' }, maxSpeed = 10 })\n"
      "action('go', { when = 1, release = 'a' })\n",
      2.0, 1e-10, cr_solverAuto);
  double speed = G * 0.5, height = 5.0 - 0.5 * G * 0.25;
  crTestRun_Advance(&run, 0.75);
  assert_close(crSimulation_GetSummary(run.simulation).dissipated, 0.5 * 2.0 * speed * speed, 1e-9);
  assert_close(crSimulation_GetSummary(run.simulation).removed, 2.0 * G * height, 1e-9);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-9);
  crTestRun_Advance(&run, 1.5);
  assert_close(crSimulation_GetSummary(run.simulation).removed, 0.0, 1e-9);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-9);
  crCloseTestRun(&run);
}

static void fast_ones_are_refused_unless_asked_for(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(TWO_BODIES "action('grip', { when = 0.25, attach = { 'b', to = 'a' } })\n", 1.0, 1e-8,
                                 cr_solverAuto);
  assert_int_equal(crSimulation_Advance(run.simulation, 1.0), cr_errorModel);
  assert_message(run.log, cr_severityError, "attach at 0.25 s would be an impact: it is too fast");
  assert_message(run.log, cr_severityError, "maxSpeed");
  assert_int_equal(crSimulation_Advance(run.simulation, 1.0), cr_errorMisuse);
  assert_int_equal(crSimulation_Act(run.simulation, "grip"), cr_errorMisuse);
  crCloseTestRun(&run);
  run = crOpenTestText(RODS "action('hold', { lock = 'second' })\n", 1.0, 1e-8, cr_solverAuto);
  assert_int_equal(crSimulation_Act(run.simulation, "hold"), cr_errorModel);
  assert_message(run.log, cr_severityError, "3 rad/s");
  crCloseTestRun(&run);
}

#define CART                                                                                                           \
  "world('w')\n"                                                                                                       \
  "object('a', { mass{ mass = 1, inertia = { 0.1, 0.1, 0.1 } } })\n"                                                   \
  "prismatic('cart', 'w', 'a', { axis = 'x', motion = sine('s', { amplitude = 0.5, frequency = 1 }) })\n"              \
  "action('hold', { when = 0.2, lock = 'cart', maxSpeed = 10 })\n"

static void motions_go_on_where_joints_are_locked(void** state)
{
  (void)state;
  // the sine is the same at 0.2 s and at 0.3 s
  crTestRun run = crOpenTestText(CART "action('go', { when = 0.3, unlock = 'cart' })\n", 1.0, 1e-8, cr_solverAuto);
  assert_close(crTestRun_ValueAt(&run, 0.25, "cart.position"), 0.5 * sin(0.4 * CR_PI), 1e-12);
  assert_close(crTestRun_ValueAt(&run, 0.75, "cart.position"), -0.5, 1e-12);
  crCloseTestRun(&run);
  run = crOpenTestText(CART "action('go', { when = 0.4, unlock = 'cart' })\n", 1.0, 1e-8, cr_solverAuto);
  assert_int_equal(crSimulation_Advance(run.simulation, 1.0), cr_errorModel);
  assert_message(run.log, cr_severityError, "unlock at 0.4 s would be a jump: the motion of the joint has gone on");
  crCloseTestRun(&run);
}

static void what_fails_behind_an_action_names_it(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText("world('w')\n"
                                 "object('a', { free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                                 "object('pin', { parent = 'a' })\n"
                                 "action('drop', { when = 0.5, release = 'pin' })\n",
                                 1.0, 1e-8, cr_solverAuto);
  assert_true(crSimulation_Advance(run.simulation, 1.0) != cr_ok);
  assert_message(run.log, cr_severityError, "'pin' moves, but it and what it carries have no inertia");
  assert_message(run.log, cr_severityError, "the run cannot go on behind this action");
  crCloseTestRun(&run);
}

// ---------------------------------------------------------------------------------------------- pick and place

static void the_arm_puts_block_and_ball_where_they_belong(void** state)
{
  (void)state;
  static const char* const modes[] = { "on", "off" };
  for (int k = 0; k < 2; ++k) {
    crSimulationOptions options = crDefaultSimulationOptions();
    options.islands = k == 0 ? cr_islandsOn : cr_islandsOff;
    crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "pick_and_place.lua", .options = &options });
    print_message("islands %s\n", modes[k]);
    crTestRun_Advance(&run, 2.8); // on the way
    assert_true(crTestRun_Value(&run, "block.position.z") > 0.5);
    crPose magnet = crTestRun_Pose(&run, "magnet"), block = crTestRun_Pose(&run, "block");
    // the face of the magnet lies on the block's, a tenth of a millimetre inside
    crVec3 place = crInvTransformPoint(magnet, block.p);
    assert_vec_close(place, ((crVec3){ 0.0, 0.0, -0.07 }), 2e-4);
    crTestRun_Advance(&run, 7.7);
    assert_true(crTestRun_Value(&run, "ball.position.z") > 0.49); // friction alone holds it
    crTestRun_Advance(&run, 11.5);
    assert_vec_close(crTestRun_Pose(&run, "block").p, ((crVec3){ 0.45, 0.35, 0.36 }), 2e-4);
    crVec3 ball = crTestRun_Pose(&run, "ball").p;
    assert_close(ball.x, 0.25, 1e-4);
    assert_close(ball.y, 0.52, 1e-4);
    assert_close(crLength(crTestRun_Motion(&run, "ball").v), 0.0, 1e-6);
    assert_int_equal(crSimulation_GetSummary(run.simulation).actionCount, 2);
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
    assert_no_messages(run.log);
    crCloseTestRun(&run);
  }
}

// -------------------------------------------------------------------------------------------------- deleting

#define HANGING                                                                                                        \
  "local w = world('w')\n"                                                                                             \
  "local function bob(name, fields) fields[1] = mass{ mass = 1, com = { 0, 0, -0.5 }, inertia = { 0.1, 0.1, 0.1 } }\n" \
  "  return object(name, fields) end\n"                                                                                \
  "local top = bob('top', {})\n"                                                                                       \
  "local low = bob('low', {})\n"                                                                                       \
  "local other = bob('other', {})\n"                                                                                   \
  "revolute('hinge', w, top, { axis = 'y', start = 0.5 })\n"                                                           \
  "revolute('knee', object('end', { parent = top, position = { 0, 0, -1 } }), low, { axis = 'y', start = 0.7 })\n"     \
  "revolute('far', object('post', { parent = w, position = { 5, 0, 0 } }), other, { axis = 'y', start = 1 })\n"        \
  "springDamper('band', low, object('hook', { parent = w, position = { 0, 0, -3 } }), { length = 1, stiffness = 3 "    \
  "})\n"                                                                                                               \
  "jointSensor('bend', { joint = 'knee' })\n"                                                                          \
  "sum('twice', { inputs = { 'bend' }, factors = { 2 } })\n"

static void deleting_takes_what_hangs_on_it_and_its_energy(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestText(HANGING "action('cut', { when = { time = 0.4 }, delete = 'top' })\n", 1.0, 1e-10, cr_solverAuto);
  crTestRun same = crOpenTestText(HANGING, 1.0, 1e-10, cr_solverAuto);
  crTestRun_Advance(&run, 0.4);
  crTestRun_Advance(&same, 0.4);
  const crModel* model = crSimulation_GetModel(run.simulation);
  assert_int_equal(crModel_FindObject(model, "low"), -1);
  assert_int_equal(crModel_FindObject(model, "end"), -1);
  assert_int_equal(crModel_FindJoint(model, "knee"), -1);
  assert_int_equal(crModel_GetSize(model).forceCount, 0);
  assert_true(crModel_FindObject(model, "other") >= 0);
  double bend = crTestRun_Value(&same, "knee.angle");
  assert_close(crTestRun_Value(&run, "bend.value"), bend, 1e-9);
  assert_close(crTestRun_Value(&run, "twice.value"), 2.0 * bend, 1e-9);
  double removed = crTestRun_Energy(&same) - crTestRun_Energy(&run);
  assert_close(crSimulation_GetSummary(run.simulation).removed, removed, 1e-9);
  assert_true(fabs(removed) > 1.0);
  assert_close(crTestRun_ValueAt(&run, 1.0, "far.angle"), crTestRun_ValueAt(&same, 1.0, "far.angle"), 1e-8);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  crCloseTestRun(&same);
  crCloseTestRun(&run);
}

static void rays_name_objects_by_numbers_that_stay(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "scene{ gravity = 'none' }\n"
      "world('w')\n"
      "object('early', { free = true, position = { 5, 0, 0 }, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
      "object('ball', { free = true, position = { 1, 0, 0 },\n"
      "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"
      "raySensor('which', { object = 'w', range = 3, quantity = 'object' })\n"
      "action('gone', { when = 0.5, delete = 'early' })\n",
      1.0, 1e-8, cr_solverAuto);
  assert_close(crTestRun_ValueAt(&run, 0.25, "which.value"), 3.0, 0.0);
  assert_close(crTestRun_ValueAt(&run, 0.75, "which.value"), 3.0, 0.0);
  crCloseTestRun(&run);
}

static void everything_can_be_deleted(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      TUMBLER "sine('s', { amplitude = 1, frequency = 1 })\naction('end', { when = 0.5, delete = 'a' })\n", 1.0, 1e-8,
      cr_solverAuto);
  crTestRun_Advance(&run, 0.75);
  assert_int_equal(crModel_GetSize(crSimulation_GetModel(run.simulation)).bodyCount, 1);
  assert_close(crTestRun_Value(&run, "s.value"), -1.0, 1e-12);
  crTestRun_Advance(&run, 1.0);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_two_stage_rocket_flies_as_its_closed_form_says),
    cmocka_unit_test(what_is_released_keeps_its_motion),
    cmocka_unit_test(attaching_two_free_bodies_keeps_momentum_and_loses_energy_as_one_body_says),
    cmocka_unit_test(locking_a_joint_keeps_the_momentum_of_the_others),
    cmocka_unit_test(attaching_to_a_mechanism_keeps_what_its_joints_leave_free),
    cmocka_unit_test(attaching_to_the_world_dissipates_motion_alone),
    cmocka_unit_test(fast_ones_are_refused_unless_asked_for),
    cmocka_unit_test(motions_go_on_where_joints_are_locked),
    cmocka_unit_test(what_fails_behind_an_action_names_it),
    cmocka_unit_test(the_arm_puts_block_and_ball_where_they_belong),
    cmocka_unit_test(deleting_takes_what_hangs_on_it_and_its_energy),
    cmocka_unit_test(rays_name_objects_by_numbers_that_stay),
    cmocka_unit_test(everything_can_be_deleted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
