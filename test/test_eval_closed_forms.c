// Evaluation against closed forms: accelerations and forces that a textbook gives.
#include "support/trees.h"

#include <stdio.h>
#include <string.h>

#define G 9.81 // [m/s^2] along -z

static crTestTree makeTree(int linkCount, const crTestLink* links)
{
  crTestTree tree = { .linkCount = linkCount };
  tree.gravity = (crGravity){ .kind = cr_gravityUniform, .acceleration = { 0, 0, -G } };
  memcpy(tree.links, links, (size_t)linkCount * sizeof *links);
  return tree;
}

static void computeRates(crTestMotion* m, double* rates)
{
  assert_int_equal(crInstance_ComputeRates(m->instance, m->all, 0.0, m->y, rates), cr_ok);
}

// A point mass at the end of a rod of length l below a hinge about y: at (-l sin q, 0, -l cos q).
static crTestLink makePendulum(int parent, double mass, double length, double q, double v)
{
  crTestLink link = crMakeLink(parent, cr_jointRevolute);
  link.axes.axis = crMakeVec3(0, 1, 0);
  link.mass = mass;
  link.inertia = crDiagonalSym3(0, 0, 0);
  link.com = crMakeVec3(0, 0, -length);
  link.q[0] = q;
  link.v[0] = v;
  return link;
}

static crWrench reaction(const crTestMotion* m, const char* joint)
{
  return crInstance_GetReaction(m->instance, crModel_FindJoint(m->model, joint));
}

// ------------------------------------------------------------------------------------------- pendulums

static void pendulum_swings_and_pulls_at_its_hinge(void** state)
{
  (void)state;
  const double mass = 2, length = 0.7, q = 0.9, v = 1.3;
  crTestLink link = makePendulum(-1, mass, length, q, v);
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[2];
  computeRates(&m, rates);
  assert_close(rates[0], v, 0);
  assert_close(rates[1], -G / length * sin(q), 1e-13);
  crVec3 towardsHinge = crMakeVec3(sin(q), 0, cos(q));
  assert_vec_close(reaction(&m, "joint0").f, crScale(mass * (length * v * v + G * cos(q)), towardsHinge), 1e-12);
  assert_vec_close(reaction(&m, "joint0").t, crMakeVec3(0, 0, 0), 1e-12);
  crTestMotion_Free(&m);
}

// [q | v]' linear: A = (0, 1; -g/l cos q, 0).
static void pendulum_linearizes_to_its_oscillator(void** state)
{
  (void)state;
  crTestLink link = makePendulum(-1, 1, 0.5, 0.4, 0.2);
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double A[4];
  assert_int_equal(crInstance_Linearize(m.instance, m.all, 0.0, m.y, A), cr_ok);
  assert_close(A[0], 0, 1e-11);
  assert_close(A[1], -G / 0.5 * cos(0.4), 1e-10);
  assert_close(A[2], 1, 1e-11);
  assert_close(A[3], 0, 1e-11);
  crTestMotion_Free(&m);
}

// Absolute angles a, b of the two rods:
//   (m1 + m2) l1 a'' + m2 l2 b'' cos(a - b) + m2 l2 b'^2 sin(a - b) + (m1 + m2) g sin a = 0
//   l2 b'' + l1 a'' cos(a - b) - l1 a'^2 sin(a - b) + g sin b = 0
static void double_pendulum_satisfies_lagranges_equations(void** state)
{
  (void)state;
  const double m1 = 1.2, m2 = 0.7, l1 = 0.9, l2 = 0.6;
  crTestLink links[2] = { makePendulum(-1, m1, l1, 0.7, 1.1), makePendulum(0, m2, l2, -1.9, 0.8) };
  links[1].nearPosition = crMakeVec3(0, 0, -l1);
  crTestTree tree = makeTree(2, links);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[4];
  computeRates(&m, rates);
  double a = m.y[0], b = m.y[0] + m.y[1], da = m.y[2], db = m.y[2] + m.y[3];
  double dda = rates[2], ddb = rates[2] + rates[3];
  assert_close((m1 + m2) * l1 * dda + m2 * l2 * ddb * cos(a - b) + m2 * l2 * db * db * sin(a - b) +
                   (m1 + m2) * G * sin(a),
               0, 1e-12);
  assert_close(l2 * ddb + l1 * dda * cos(a - b) - l1 * da * da * sin(a - b) + G * sin(b), 0, 1e-12);
  crTestMotion_Free(&m);
}

// A cart on a rail along x with a pendulum at x - l sin q:
//   (M + m) x'' = m l (q'' cos q - q'^2 sin q),   l q'' = x'' cos q - g sin q
static void cart_and_pendulum_push_each_other(void** state)
{
  (void)state;
  const double M = 3, m1 = 1.5, l = 0.8;
  crTestLink links[2] = { crMakeLink(-1, cr_jointPrismatic), makePendulum(0, m1, l, 0.6, 2.0) };
  links[0].mass = M;
  crTestTree tree = makeTree(2, links);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[4], q = 0.6, v = 2.0;
  computeRates(&m, rates);
  assert_close((M + m1) * rates[2], m1 * l * (rates[3] * cos(q) - v * v * sin(q)), 1e-12);
  assert_close(l * rates[3], rates[2] * cos(q) - G * sin(q), 1e-12);
  crTestMotion_Free(&m);
}

// ----------------------------------------------------------------------------------------- other joints

static void screw_falls_as_a_mass_that_has_to_turn(void** state)
{
  (void)state;
  const double mass = 2, J = 0.03, h = 0.05;
  crTestLink link = crMakeLink(-1, cr_jointScrew);
  link.mass = mass;
  link.inertia = crDiagonalSym3(0.02, 0.02, J);
  link.axes.pitch = h;
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[2];
  computeRates(&m, rates);
  assert_close(rates[1], -mass * G * h / (J + mass * h * h), 1e-12);
  crTestMotion_Free(&m);
}

static void block_slides_down_a_slope(void** state)
{
  (void)state;
  const double slope = 0.3;
  crTestLink link = crMakeLink(-1, cr_jointPrismatic);
  link.axes.axis = crMakeVec3(cos(slope), 0, -sin(slope));
  link.mass = 4;
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[2];
  computeRates(&m, rates);
  assert_close(rates[1], G * sin(slope), 1e-14);
  crVec3 normal = crMakeVec3(sin(slope), 0, cos(slope));
  assert_vec_close(reaction(&m, "joint0").f, crScale(4 * G * cos(slope), normal), 1e-13);
  crTestMotion_Free(&m);
}

// Euler's equations in body axes, I w' = -w x I w; the centre falls.
static void free_body_falls_and_tumbles(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int run = 0; run < 50; ++run) {
    crTestLink link = crMakeLink(-1, cr_jointFreeMotion);
    crQuat orientation = crRandom_Rotation(&random);
    link.mass = 1.7;
    link.com = crRandom_UnitVec3(&random);
    link.inertia = crDiagonalSym3(0.3, 0.5, 0.6);
    double scale = crRandom_Uniform(&random, 0.1, 10); // of the quaternion, which means nothing
    const double q[7] = {
      1, 2, 3, scale * orientation.w, scale * orientation.x, scale * orientation.y, scale * orientation.z
    };
    const double v[6] = { 0.1, -0.2, 0.3, 1.5, -2.5, 0.5 };
    memcpy(link.q, q, sizeof q);
    memcpy(link.v, v, sizeof v);
    crTestTree tree = makeTree(1, &link);
    crTestMotion m = crStartTree(&tree, crPlainView());
    double rates[13];
    computeRates(&m, rates);
    crMat3 R = crQuatToMat3(orientation);
    crVec3 w = crMulTV(R, crMakeVec3(v[3], v[4], v[5]));
    crVec3 h = crMakeVec3(0.3 * w.x, 0.5 * w.y, 0.6 * w.z), spin = crNeg(crCross(w, h));
    crVec3 alpha = crMulMV(R, crMakeVec3(spin.x / 0.3, spin.y / 0.5, spin.z / 0.6));
    crVec3 found = crMakeVec3(rates[10], rates[11], rates[12]), c = crMulMV(R, link.com), W = crMulMV(R, w);
    assert_vec_close(found, alpha, 1e-12);
    crVec3 centre =
        crAdd(crMakeVec3(rates[7], rates[8], rates[9]), crAdd(crCross(found, c), crCross(W, crCross(W, c))));
    assert_vec_close(centre, crMakeVec3(0, 0, -G), 1e-12);
    crTestMotion_Free(&m);
  }
}

// A top on a spherical joint: I w' + w x I w = c x m g about the fixed point.
static void top_precesses_about_its_tip(void** state)
{
  (void)state;
  const double mass = 0.5, l = 0.1, I1 = 1e-3, I3 = 6e-4, tilt = 0.4;
  crTestLink link = crMakeLink(-1, cr_jointSpherical);
  link.mass = mass;
  link.com = crMakeVec3(0, 0, l);
  link.inertia = crDiagonalSym3(I1, I1, I3);
  crQuat q = crAxisAngleToQuat(crMakeVec3(1, 0, 0), tilt);
  crMat3 R = crQuatToMat3(q);
  // steady precession: (I1 + m l^2 - I3) P^2 cos(tilt) - I3 s P + m g l = 0, with spin s and P about z
  double P = 3.0, a = I1 + mass * l * l;
  double s = ((a - I3) * P * P * cos(tilt) + mass * G * l) / (I3 * P);
  crVec3 w = crAdd(crMakeVec3(0, 0, P), crScale(s, R.cz));
  memcpy(link.q, &q, sizeof q);
  memcpy(link.v, &w, sizeof w);
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[7];
  computeRates(&m, rates);
  crVec3 steady = crCross(crMakeVec3(0, 0, P), w); // everything turns about z with P
  assert_vec_close(crMakeVec3(rates[4], rates[5], rates[6]), steady, 1e-10);
  crTestMotion_Free(&m);
}

// ------------------------------------------------------------------------------------------ laws of joints

// The acceleration of a unit mass on a rail across gravity.
static double accelerate(crJointLaw law, double q, double v)
{
  crTestLink link = crMakeLink(-1, cr_jointPrismatic);
  link.law = law;
  link.q[0] = q;
  link.v[0] = v;
  crTestTree tree = makeTree(1, &link);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[2];
  computeRates(&m, rates);
  crTestMotion_Free(&m);
  return rates[1];
}

static crJointLaw noLaw(void)
{
  return crDefaultJointDef(cr_jointPrismatic, NULL, NULL, NULL).law;
}

static void springs_dampers_friction_and_stops_follow_their_laws(void** state)
{
  (void)state;
  crJointLaw spring = noLaw(), friction = noLaw(), stop = noLaw(), rotor = noLaw();
  spring.stiffness[0] = 3;
  spring.rest[0] = 0.5;
  spring.damping[0] = 0.2;
  assert_close(accelerate(spring, 0.7, 4), -3 * 0.2 - 0.2 * 4, 1e-14);
  spring.stiffness[0] = -3; // unstable on purpose
  assert_close(accelerate(spring, 0.7, 0), 3 * 0.2, 1e-14);

  friction.friction[0] = 2;
  assert_close(accelerate(friction, 0, 0), 0, 0);
  assert_close(accelerate(friction, 0, 1), -2, 1e-14);
  assert_close(accelerate(friction, 0, -1), 2, 1e-14);
  assert_close(accelerate(friction, 0, 1e-4), -2 * tanh(0.01), 1e-14);
  friction.frictionRate[0] = 5;
  assert_close(accelerate(friction, 0, 1), -2 * tanh(0.2), 1e-14);

  stop.stopMin[0] = -1;
  stop.stopMax[0] = 2;
  stop.stopStiffness[0] = 100;
  stop.stopDamping[0] = 0.5;
  assert_close(accelerate(stop, 1.99, 7), 0, 0);
  assert_close(accelerate(stop, 2.01, 0), -1, 1e-12);
  assert_close(accelerate(stop, 2.01, 1), -1.5, 1e-12);
  assert_close(accelerate(stop, 2.01, -1), -0.5, 1e-12);
  assert_close(accelerate(stop, 2.01, -3), 0, 0); // leaves: a stop never pulls
  assert_close(accelerate(stop, -1.01, 0), 1, 1e-12);
  assert_close(accelerate(stop, -1.01, -1), 1.5, 1e-12);

  rotor.rotorInertia[0] = 0.1;
  rotor.gearRatio[0] = 10;
  rotor.stiffness[0] = 1;
  assert_close(accelerate(rotor, 1, 0), -1.0 / 11, 1e-14);
}

// ----------------------------------------------------------------------------------------- forces, gravity

static void spring_damper_pulls_along_its_line(void** state)
{
  (void)state;
  crTestLink links[2] = { crMakeLink(-1, cr_jointFreeMotion), crMakeLink(-1, cr_jointFreeMotion) };
  const double qA[7] = { 0, 0, 0, 1, 0, 0, 0 }, qB[7] = { 3, 4, 0, 1, 0, 0, 0 }, vB[6] = { 1, 0, 0, 0, 0, 0 };
  memcpy(links[0].q, qA, sizeof qA);
  memcpy(links[1].q, qB, sizeof qB);
  memcpy(links[1].v, vB, sizeof vB);
  links[1].mass = 2;
  crTestTree tree = makeTree(2, links);
  tree.gravity = (crGravity){ .kind = cr_gravityNone };
  tree.springCount = 1;
  tree.springs[0] = (crTestSpring){ 0, 1, { 0, 0, 0 }, { 0, 0, 0 }, 10, 5, 4 };
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[26], tension = 10 * (5 - 4) + 5 * 0.6; // elongation 1, l' = 3/5
  computeRates(&m, rates);
  assert_int_equal(m.all.treeCount, 2);
  assert_close(rates[7], tension * 0.6, 1e-13);
  assert_close(rates[8], tension * 0.8, 1e-13);
  assert_close(rates[13 + 7], -tension * 0.6 / 2, 1e-13);
  assert_close(rates[13 + 8], -tension * 0.8 / 2, 1e-13);
  assert_close(rates[10], 0, 1e-14);
  crInstance_SetState(m.instance, m.all, 0.0, m.y);
  assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageVelocity), cr_ok);
  assert_close(crInstance_ComputeEnergy(m.instance, m.all, -1).potential, 5, 1e-13);
  assert_close(crInstance_ComputeEnergy(m.instance, m.all, -1).kinetic, 1, 1e-13);
  crTestMotion_Free(&m);
}

static void spring_off_centre_turns_its_body(void** state)
{
  (void)state;
  crTestLink link = crMakeLink(-1, cr_jointFreeMotion);
  link.inertia = crDiagonalSym3(2, 2, 2);
  crTestTree tree = makeTree(1, &link);
  tree.gravity = (crGravity){ .kind = cr_gravityNone };
  tree.springCount = 1;
  tree.springs[0] = (crTestSpring){ 0, -1, { 0, 1, 0 }, { 3, 1, 0 }, 7, 0, 1 };
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[13];
  computeRates(&m, rates);
  assert_close(rates[7], 14, 1e-13); // 7 (3 - 1) along x at (0, 1, 0)
  assert_close(rates[12], -7, 1e-13);
  crTestMotion_Free(&m);
}

// Coincident ends have no line between them, and no force.
static void spring_of_no_length_exerts_no_force(void** state)
{
  (void)state;
  crTestLink link = crMakeLink(-1, cr_jointFreeMotion);
  crTestTree tree = makeTree(1, &link);
  tree.gravity = (crGravity){ .kind = cr_gravityNone };
  tree.springCount = 1;
  tree.springs[0] = (crTestSpring){ 0, -1, { 0, 0, 0 }, { 0, 0, 0 }, 7, 3, 1 };
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[13];
  computeRates(&m, rates);
  for (int i = 0; i < 13; ++i) {
    assert_close(rates[i], 0, 0);
  }
  crTestMotion_Free(&m);
}

static void point_mass_attracts_by_the_square_of_the_distance(void** state)
{
  (void)state;
  crTestLink link = crMakeLink(-1, cr_jointFreeMotion);
  const double q[7] = { 7e6, 1e6, -2e6, 1, 0, 0, 0 };
  memcpy(link.q, q, sizeof q);
  crTestTree tree = makeTree(1, &link);
  tree.gravity = (crGravity){ .kind = cr_gravityPointMass, .centre = { 1e6, 1e6, 1e6 }, .mu = 3.986e14 };
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[13], r2 = 6e6 * 6e6 + 3e6 * 3e6, r = sqrt(r2);
  computeRates(&m, rates);
  assert_close(rates[7], -3.986e14 / r2 * (6e6 / r), 1e-12);
  assert_close(rates[8], 0, 1e-12);
  assert_close(rates[9], 3.986e14 / r2 * (3e6 / r), 1e-12);
  assert_close(crInstance_ComputeEnergy(m.instance, m.all, -1).potential, -3.986e14 / r, 1e-3);
  m.y[0] = m.y[1] = m.y[2] = 1e6; // in the centre of attraction
  assert_int_equal(crInstance_ComputeRates(m.instance, m.all, 0.0, m.y, rates), cr_retry);
  crInstance_SetState(m.instance, m.all, 0.0, m.y);
  assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageForce), cr_retry); // who wants forces alone is told, too
  crTestMotion_Free(&m);
}

// ----------------------------------------------------------------------------------------------- reactions

// Each joint of a chain at rest carries the weight of all below it.
static void hanging_chain_carries_its_weight(void** state)
{
  (void)state;
  enum { COUNT = 10 };
  crTestLink links[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    links[i] = makePendulum(i - 1, 1.0 + i, 0.5, 0, 0);
    links[i].nearPosition = crMakeVec3(0, 0, i > 0 ? -0.5 : 0);
  }
  crTestTree tree = makeTree(COUNT, links);
  crTestMotion m = crStartTree(&tree, crPlainView());
  double rates[2 * COUNT], weight = 0;
  computeRates(&m, rates);
  for (int i = COUNT - 1; i >= 0; --i) {
    char name[32];
    snprintf(name, sizeof name, "joint%d", i);
    weight += G * (1.0 + i);
    assert_vec_close(reaction(&m, name).f, crMakeVec3(0, 0, weight), 1e-12 * weight);
    assert_close(rates[COUNT + i], 0, 1e-13);
  }
  crTestMotion_Free(&m);
}

// A beam held by a stiff spring in its hinge: the joint transmits the moment of its weight, in either order of ends.
static void held_beam_loads_its_joint_with_a_moment(void** state)
{
  (void)state;
  for (int exchanged = 0; exchanged < 2; ++exchanged) {
    crTestLink link = crMakeLink(-1, cr_jointRevolute);
    link.axes.axis = crMakeVec3(0, 1, 0);
    link.mass = 3;
    link.com = crMakeVec3(0.5, 0, 0);
    link.nearPosition = crMakeVec3(1, 2, 3);
    link.law.stiffness[0] = 1e4;
    link.law.rest[0] = exchanged ? 3 * G * 0.5 / 1e4 : -3 * G * 0.5 / 1e4; // balances the weight at q = 0
    crTestTree tree = makeTree(1, &link);
    crTestView view = { .turn = crIdentityQuat(), .exchangesEnds = exchanged };
    crTestMotion m = crStartTree(&tree, view);
    double rates[2], sign = exchanged ? -1 : 1;
    computeRates(&m, rates);
    assert_close(rates[1], 0, 1e-12);
    crWrench W = reaction(&m, "joint0");
    assert_vec_close(W.f, crMakeVec3(0, 0, sign * 3 * G), 1e-12);
    assert_vec_close(W.t, crMakeVec3(0, sign * -3 * G * 0.5, 0), 1e-12);
    crTestMotion_Free(&m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pendulum_swings_and_pulls_at_its_hinge),
    cmocka_unit_test(pendulum_linearizes_to_its_oscillator),
    cmocka_unit_test(double_pendulum_satisfies_lagranges_equations),
    cmocka_unit_test(cart_and_pendulum_push_each_other),
    cmocka_unit_test(screw_falls_as_a_mass_that_has_to_turn),
    cmocka_unit_test(block_slides_down_a_slope),
    cmocka_unit_test(free_body_falls_and_tumbles),
    cmocka_unit_test(top_precesses_about_its_tip),
    cmocka_unit_test(springs_dampers_friction_and_stops_follow_their_laws),
    cmocka_unit_test(spring_damper_pulls_along_its_line),
    cmocka_unit_test(spring_off_centre_turns_its_body),
    cmocka_unit_test(spring_of_no_length_exerts_no_force),
    cmocka_unit_test(point_mass_attracts_by_the_square_of_the_distance),
    cmocka_unit_test(hanging_chain_carries_its_weight),
    cmocka_unit_test(held_beam_loads_its_joint_with_a_moment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
