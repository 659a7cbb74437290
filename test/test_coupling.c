// Couplings of joints against closed forms, against the equations of motion with multipliers written out, and against
// themselves in other forms.
#include "support/lua.h"
#include "support/saved_run.h"
#include "support/test_run.h"
#include "support/trees.h"

#include "model/loop/loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81 // [m/s^2]

// Two pendulums about y: p1 of 1 kg at 0.5 m, p2 of 2 kg at 0.3 m, both with 0.02 kg m^2 about their centres.
#define PENDULUMS                                                                                                      \
  "local w = world('w')\n"                                                                                             \
  "local function pendulum(name, m, L, fields)\n"                                                                      \
  "  fields.axis = 'y'\n"                                                                                              \
  "  return revolute(name, w, object(name .. 'Rod', { mass{ mass = m, inertia = { 0.02, 0.02, 0.02 },\n"               \
  "    com = { L, 0, 0 } } }), fields)\n"                                                                              \
  "end\n"

#define TWO                                                                                                            \
  PENDULUMS "pendulum('a', 1, 0.5, { start = 0.45 })\n"                                                                \
            "pendulum('b', 2, 0.3, { start = 0.1 })\n"                                                                 \
            "coupling('c', { joints = { a = 1, b = -2.5 }, offset = 0.2 })\n"

// ---------------------------------------------------------------------------------------- two pendulums

// With b = (a - 0.2) / 2.5 one equation is left: (Ia + Ib / 2.5^2) a'' = Ta + Tb / 2.5, and lambda is what b needs.
static void two_coupled_pendulums_move_as_one_equation_says(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(TWO, 2.0, 1e-10, cr_solverAuto);
  double Ia = 0.02 + 0.25, Ib = 0.02 + 2 * 0.09;
  for (int i = 0; i <= 20; ++i) {
    crTestRun_Advance(&run, 0.1 * i);
    double a = crTestRun_Value(&run, "a.angle"), b = crTestRun_Value(&run, "b.angle");
    assert_close(a - 2.5 * b, 0.2, 1e-15);
    assert_close(crTestRun_Value(&run, "a.rate") - 2.5 * crTestRun_Value(&run, "b.rate"), 0.0, 1e-13);
    double Ta = 0.5 * G * cos(a), Tb = 0.6 * G * cos(b), acceleration = (Ta + Tb / 2.5) / (Ia + Ib / 6.25);
    double force = Ia * acceleration - Ta;
    assert_close(crTestRun_Value(&run, "c.force"), force, 1e-12);
    assert_close(crInstance_GetCouplingForce(run.instance, 0), force, 1e-12);
    crMotion A = crInstance_GetAcceleration(run.instance, crModel_FindObject(run.model, "bRod"));
    assert_close(A.w.y, acceleration / 2.5, 1e-12);
    // each bearing transmits its share of the coupling about its axis
    crWrench R = crInstance_GetReaction(run.instance, crModel_FindJoint(run.model, "b"));
    assert_close(R.t.y, -2.5 * force, 1e-12);
  }
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-9);
  crCloseTestRun(&run);
}

static void all_solvers_keep_a_coupling(void** state)
{
  (void)state;
  double reference = 0.0;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    crTestRun run = crOpenTestText(TWO, 3.0, 1e-10, (crSolverKind)kind);
    double angle = crTestRun_ValueAt(&run, 3.0, "a.angle");
    reference = reference == 0.0 ? angle : reference;
    assert_close(angle, reference, 2e-6);
    assert_close(angle - 2.5 * crTestRun_Value(&run, "b.angle"), 0.2, 1e-12);
    crCloseTestRun(&run);
  }
}

// --------------------------------------------------------------------------------- random trees, all joints

#define MOST_COUPLINGS 3

typedef struct RandomCase {
  crTestMotion motion;
  int couplingCount;
} RandomCase;

// A tree of every kind of joint, its joints of one degree of freedom coupled at random: two and more each, across
// trees.
static bool makeCase(crRandom* random, RandomCase* outCase)
{
  crTestTree tree = crMakeRandomTree(random, 16, true, 2);
  crTestView view = { .turn = crRandom_Rotation(random), .exchangesEnds = crRandom_Next(random) % 2 == 0 };
  char names[CR_MAX_TEST_LINKS][16];
  int count = 0;
  for (int i = 0; i < tree.linkCount; ++i) {
    bool isPlain = crJointKind_CountV(tree.links[i].kind) == 1;
    count += isPlain ? snprintf(names[count], sizeof names[count], "joint%d", i) > 0 : 0;
  }
  crTestScene test = crTestScene_Make(NULL);
  crBuildTree(&test, &tree, view);
  for (int c = 0; c < MOST_COUPLINGS; ++c) {
    crNamedNumber joints[CR_MAX_TEST_LINKS];
    int used = 0;
    for (int i = c; i < count; i += 1 + (int)(crRandom_Next(random) % 2)) {
      joints[used++] = (crNamedNumber){ names[i], crRandom_Uniform(random, 0.5, 2) };
    }
    char name[16];
    snprintf(name, sizeof name, "c%d", c);
    crCouplingDef def = crDefaultCouplingDef(cr_couplingSum, name);
    def.as.sum.joints = joints;
    def.as.sum.jointCount = used;
    def.offset = crRandom_Uniform(random, -0.2, 0.2);
    assert_int_equal(crScene_AddCoupling(test.scene, &def, NULL), cr_ok);
  }
  outCase->motion = crStartScene(test);
  outCase->couplingCount = MOST_COUPLINGS;
  crErrorSink sink = crErrorLog_GetSink(outCase->motion.test.log);
  return crInstance_Assemble(outCase->motion.instance, outCase->motion.all, 0.0, outCase->motion.y, &sink) == cr_ok;
}

// The place of a joint's rate among those of all trees.
static int findDof(const crModel* model, int joint)
{
  return model->links[joint + 1].dofStart;
}

// M v' - h is what inverse dynamics says of v': it has to be sum of factor x lambda on coupled joints, 0 on all others;
// and v' has to satisfy the couplings. The multipliers come from a dense solution with the mass matrix, too.
static void forces_of_couplings_are_factors_times_multipliers(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  for (int round = 0; round < 40; ++round) {
    RandomCase c;
    assert_true(makeCase(&random, &c));
    crTestMotion* m = &c.motion;
    int n = m->rateCount;
    double *rates = calloc((size_t)m->stateCount, sizeof *rates), *v = calloc((size_t)n, sizeof *v);
    double *forces = calloc((size_t)n, sizeof *forces), *expected = calloc((size_t)n, sizeof *expected);
    assert_int_equal(crInstance_ComputeRates(m->instance, m->all, 0.0, m->y, rates), cr_ok);
    for (int t = 0; t < m->model->size.treeCount; ++t) {
      memcpy(v + m->model->treeDofs[t], rates + m->model->trees[t].vStart,
             (size_t)m->model->trees[t].vCount * sizeof *v);
    }
    for (int i = 0; i < c.couplingCount; ++i) {
      int count;
      const crCouplingTerm* terms = crModel_GetCouplingTerms(m->model, i, &count);
      double sum = -crModel_GetCoupling(m->model, i)->offset, rate = 0.0, acceleration = 0.0;
      for (int k = 0; k < count; ++k) {
        const crModelJoint* joint = &m->model->joints[terms[k].joint];
        sum += terms[k].factor * m->y[joint->qStart];
        rate += terms[k].factor * m->y[joint->vStart];
        acceleration += terms[k].factor * rates[joint->vStart];
        expected[findDof(m->model, terms[k].joint)] += terms[k].factor * crInstance_GetCouplingForce(m->instance, i);
      }
      assert_close(sum, 0.0, 1e-11);
      assert_close(rate, 0.0, 1e-11);
      assert_close(acceleration, 0.0, 1e-8);
    }
    assert_int_equal(crInstance_ComputeInverseDynamics(m->instance, m->all, 0.0, m->y, v, forces), cr_ok);
    double largest = 1.0;
    for (int i = 0; i < n; ++i) {
      largest = fmax(largest, fabs(expected[i]));
    }
    for (int i = 0; i < n; ++i) {
      assert_close(forces[i], expected[i], 1e-9 * largest);
    }
    free(rates);
    free(v);
    free(forces);
    free(expected);
    crTestMotion_Free(m);
  }
}

// The residual of the other form vanishes at the rates and multipliers of the explicit one.
static void both_forms_agree(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(11);
  for (int round = 0; round < 20; ++round) {
    RandomCase c;
    assert_true(makeCase(&random, &c));
    crTestMotion* m = &c.motion;
    int rows = crInstance_CountMultipliers(m->instance, m->all);
    assert_int_equal(rows, c.couplingCount);
    double* rates = calloc((size_t)m->stateCount, sizeof *rates);
    double *residual = calloc((size_t)m->stateCount, sizeof *residual), multipliers[2 * MOST_COUPLINGS] = { 0 };
    double constraints[2 * MOST_COUPLINGS];
    assert_int_equal(crInstance_ComputeRates(m->instance, m->all, 0.0, m->y, rates), cr_ok);
    assert_int_equal(crInstance_GetMultipliers(m->instance, m->all, multipliers), cr_ok);
    double largest = 1.0;
    for (int i = 0; i < rows; ++i) {
      largest = fmax(largest, fabs(multipliers[i]));
    }
    for (int form = 0; form < 2; ++form) {
      crStatus (*compute)(crInstance*, crTreeSet, double, const double*, const double*, const double*, double*,
                          double*) = form == 0 ? crInstance_ComputeLoopResidual : crInstance_ComputeRateResidual;
      assert_int_equal(compute(m->instance, m->all, 0.0, m->y, rates, multipliers, residual, constraints), cr_ok);
      for (int i = 0; i < m->stateCount; ++i) {
        assert_close(residual[i], 0.0, 1e-8 * largest);
      }
      for (int i = 0; i < 2 * rows; ++i) {
        assert_close(constraints[i], 0.0, 1e-10);
      }
    }
    free(rates);
    free(residual);
    crTestMotion_Free(m);
  }
}

// ------------------------------------------------------------------------------------------ with loops

// A four-bar whose joint `coupled` turns a flywheel by a coupling, and which is drawn so that each of its joints is cut
// in turn: which one is, depends on the order and on what is coupled.
static void makeFourBar(char* text, size_t size, int order, const char* coupled)
{
  static const char* const joints[] = { "rev('j1', ground1, bar1.a, 0.9)", "rev('j2', bar1.b, bar2.a, -0.4)",
                                        "rev('j3', bar3.b, bar2.b, -0.7)", "rev('j4', ground2, bar3.a, 1.2)" };
  snprintf(text, size,
           PENDULUMS "local ground1 = object('ground1', { parent = w })\n"
                     "local ground2 = object('ground2', { parent = w, position = { 0.9, 0, 0 } })\n"
                     "local function bar(name, L)\n"
                     "  local body = object(name, { mass{ mass = L, inertia = { 0.001, L^3 / 12, L^3 / 12 } } })\n"
                     "  return { a = object(name .. 'a', { parent = body, position = { -L / 2, 0, 0 } }),\n"
                     "    b = object(name .. 'b', { parent = body, position = { L / 2, 0, 0 } }) }\n"
                     "end\n"
                     "local function rev(name, a, b, start)\n"
                     "  revolute(name, a, b, { axis = '-y', start = start, fixed = name == 'j1', startRate = name == "
                     "'j1' and 2 or 0 })\n"
                     "end\n"
                     "local bar1, bar2, bar3 = bar('bar1', 0.3), bar('bar2', 0.8), bar('bar3', 0.6)\n"
                     "%s\n%s\n%s\n%s\n"
                     "pendulum('wheel', 1, 0.05, {})\n"
                     "coupling('c', { joints = { wheel = 1, %s = -3 } })\n",
           joints[order % 4], joints[(order + 1) % 4], joints[(order + 2) % 4], joints[(order + 3) % 4], coupled);
}

// The energy of the motion is kept, the wheel follows, and the motion is the same whichever joint is cut.
static void joints_of_loops_can_be_coupled_wherever_they_are_cut(void** state)
{
  (void)state;
  static const char* const joints[] = { "j1", "j2", "j3", "j4" };
  char text[4096];
  for (int k = 0; k < 4; ++k) {
    double reference = NAN;
    for (int order = 0; order < 4; ++order) {
      makeFourBar(text, sizeof text, order, joints[k]);
      crTestRun run = crOpenTestText(text, 1.0, 1e-9, cr_solverAuto);
      char name[32];
      snprintf(name, sizeof name, "%s.angle", joints[k]);
      double start = crTestRun_Energy(&run);
      assert_close(crTestRun_Value(&run, "wheel.angle"), 3 * crTestRun_Value(&run, name), 1e-12);
      crTestRun_Advance(&run, 1.0);
      assert_close(crTestRun_Value(&run, "wheel.angle"), 3 * crTestRun_Value(&run, name), 1e-12);
      assert_close(crTestRun_Energy(&run), start, 1e-7);
      double end = crTestRun_Value(&run, "j1.angle");
      reference = isnan(reference) ? end : reference;
      assert_close(end, reference, 1e-6);
      // the coupling turns the wheel: its force is what the wheel's motion needs
      double angle = crTestRun_Value(&run, "wheel.angle"), I = 0.02 + 0.0025;
      crMotion A = crInstance_GetAcceleration(run.instance, crModel_FindObject(run.model, "wheelRod"));
      assert_close(crTestRun_Value(&run, "c.force"), I * A.w.y - 0.05 * G * cos(angle), 1e-8);
      crCloseTestRun(&run);
    }
  }
}

// A joint that closes a loop is coupled: in a loop of which every joint is coupled one of them is cut.
#define FULLY_COUPLED                                                                                                  \
  "coupling('c1', { joints = { wheel1 = 1, j1 = -1 } })\n"                                                             \
  "coupling('c2', { joints = { wheel2 = 1, j2 = -1 } })\n"                                                             \
  "coupling('c3', { joints = { wheel3 = 1, j3 = -1 } })\n"                                                             \
  "coupling('c4', { joints = { wheel4 = 1, j4 = -1 } })\n"

static void a_cut_joint_can_be_coupled(void** state)
{
  (void)state;
  char text[4096 + sizeof FULLY_COUPLED];
  makeFourBar(text, 4096, 0, "j1");
  char* end = strstr(text, "pendulum('wheel', 1");
  assert_non_null(end);
  snprintf(end, sizeof text - (size_t)(end - text),
           "for i = 1, 4 do pendulum('wheel' .. i, 1 + i, 0.05, {}) end\n" FULLY_COUPLED);
  int kinds[] = { cr_solverDopri5, cr_solverRadau5, cr_solverIda };
  double reference = NAN;
  for (int i = 0; i < 3; ++i) {
    if (!crTestHasSolver((crSolverKind)kinds[i])) {
      continue;
    }
    crTestRun run = crOpenTestText(text, 1.5, 1e-9, (crSolverKind)kinds[i]);
    int cut = -1;
    for (int j = 1; j <= 4; ++j) {
      char name[8];
      snprintf(name, sizeof name, "j%d", j);
      cut = crModel_GetJoint(run.model, crModel_FindJoint(run.model, name))->isCut ? j : cut;
    }
    assert_true(cut > 0);
    double start = crTestRun_Energy(&run);
    crTestRun_Advance(&run, 1.5);
    assert_close(crTestRun_Energy(&run), start, kinds[i] == cr_solverIda ? 1e-4 : 1e-7);
    for (int j = 1; j <= 4; ++j) {
      char wheel[32], joint[32], force[32], rod[32];
      snprintf(wheel, sizeof wheel, "wheel%d.angle", j);
      snprintf(joint, sizeof joint, "j%d.angle", j);
      snprintf(force, sizeof force, "c%d.force", j);
      snprintf(rod, sizeof rod, "wheel%dRod", j);
      double angle = crTestRun_Value(&run, wheel), m = 1 + j, I = 0.02 + m * 0.0025;
      assert_close(angle, crTestRun_Value(&run, joint), 1e-9);
      crMotion A = crInstance_GetAcceleration(run.instance, crModel_FindObject(run.model, rod));
      assert_close(crTestRun_Value(&run, force), I * A.w.y - m * 0.05 * G * cos(angle), 1e-7);
      // bearings transmit what the coupling exerts, at the cut one as well
      joint[strlen("j1")] = '\0';
      crWrench R = crInstance_GetReaction(run.instance, crModel_FindJoint(run.model, joint));
      assert_close(R.t.y, crTestRun_Value(&run, force), 1e-7);
    }
    double angle = crTestRun_Value(&run, "j1.angle");
    reference = isnan(reference) ? angle : reference;
    assert_close(angle, reference, 1e-5);
    crCloseTestRun(&run);
  }
}

// ------------------------------------------------------------------------------------- prescribed motions

// A motor turns a shaft as a sine says, and a gear the pendulum: the drive exerts what both need.
static void a_prescribed_joint_drives_what_is_coupled_with_it(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestText(PENDULUMS "pendulum('motor', 1, 0, { motion = sine('s', { amplitude = 2, frequency = 0.5 }) })\n"
                               "pendulum('arm', 2, 0.3, {})\n"
                               "coupling('gear', { joints = { motor = 1, arm = -4 }, offset = 0.4 })\n",
                     1.0, 1e-9, cr_solverAuto);
  double I = 0.02 + 2 * 0.09;
  for (int i = 1; i <= 10; ++i) {
    double t = 0.1 * i, w = CR_PI, angle = 2 * sin(w * t), acceleration = -w * w * angle, arm = (angle - 0.4) / 4;
    crTestRun_Advance(&run, t);
    assert_close(crTestRun_Value(&run, "arm.angle"), arm, 1e-13);
    double need = I * acceleration / 4 - 0.6 * G * cos(arm); // about the arm's axis
    assert_close(crTestRun_Value(&run, "gear.force"), need / -4, 1e-10);
    assert_close(crTestRun_Value(&run, "motor.torque"), 0.02 * acceleration + need / 4, 1e-10);
  }
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  crCloseTestRun(&run);
}

// ---------------------------------------------------------------------------------------- start values

static void start_values_are_changed_as_little_as_can_be(void** state)
{
  (void)state;
  // the nearest point of a - 2 b = 1 to (0, 0)
  crTestRun run = crOpenTestText(PENDULUMS "pendulum('a', 1, 0.5, {})\npendulum('b', 1, 0.5, { startRate = 1 })\n"
                                           "coupling('c', { joints = { a = 1, b = -2 }, offset = 1 })\n",
                                 1.0, 1e-8, cr_solverAuto);
  assert_close(crTestRun_Value(&run, "a.angle"), 0.2, 1e-12);
  assert_close(crTestRun_Value(&run, "b.angle"), -0.4, 1e-12);
  assert_close(crTestRun_Value(&run, "a.rate"), 0.4, 1e-11);
  assert_close(crTestRun_Value(&run, "b.rate"), 0.2, 1e-11);
  crCloseTestRun(&run);
}

static void a_fixed_start_value_decides_the_others(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(PENDULUMS "pendulum('a', 1, 0.5, { start = 0.3, startRate = 2, fixed = true })\n"
                                           "pendulum('b', 1, 0.5, {})\npendulum('d', 1, 0.5, {})\n"
                                           "coupling('c', { joints = { a = 1, b = -2 }, offset = 1 })\n"
                                           "coupling('e', { joints = { b = 1, d = -10 } })\n",
                                 1.0, 1e-8, cr_solverAuto);
  assert_close(crTestRun_Value(&run, "a.angle"), 0.3, 1e-15);
  assert_close(crTestRun_Value(&run, "b.angle"), -0.35, 1e-12);
  assert_close(crTestRun_Value(&run, "d.angle"), -0.035, 1e-12);
  assert_close(crTestRun_Value(&run, "d.rate"), 0.1, 1e-11);
  crCloseTestRun(&run);
}

static void start_values_that_are_all_fixed_must_satisfy_a_coupling(void** state)
{
  (void)state;
  crAssertStartIsRefused(PENDULUMS "pendulum('a', 1, 0.5, { start = 0.3, fixed = true })\n"
                                   "pendulum('b', 1, 0.5, { fixed = true })\n"
                                   "coupling('c', { joints = { a = 1, b = -2 }, offset = 1 })\n",
                         "c: the coupling cannot be satisfied");
  crAssertStartIsRefused(PENDULUMS "pendulum('a', 1, 0.5, { start = 1, startRate = 1, fixed = true })\n"
                                   "pendulum('b', 1, 0.5, { fixed = true })\n"
                                   "coupling('c', { joints = { a = 1, b = -2 }, offset = 1 })\n",
                         "the start rates tear the coupling 'c' apart");
}

// ------------------------------------------------------------------------------------ what is not possible

static void couplings_that_depend_on_each_other_are_refused(void** state)
{
  (void)state;
  const char* three = PENDULUMS "pendulum('a', 1, 0.5, {})\npendulum('b', 1, 0.5, {})\npendulum('d', 1, 0.5, {})\n";
  char text[4096];
  static const char* const cases[][2] = {
    { "coupling('c', { joints = { a = 1, b = -2 } })\ncoupling('e', { joints = { a = 2, b = -4 } })\n", // redundant
      "e: the coupling follows from" },
    { "coupling('c', { joints = { a = 1, b = -2 } })\ncoupling('e', { joints = { a = 2, b = -4 }, offset = 1 })\n",
      "e: the coupling follows from" }, // contradictory
    { "coupling('c', { joints = { a = 1, b = -2 } })\ncoupling('e', { joints = { b = 1, d = 1 } })\n"
      "coupling('f', { joints = { a = 1, d = 2 } })\ncoupling('g', { joints = { a = 1 } })\n",
      "f: the coupling follows from" },
    { "coupling('c', { joints = { a = 1 } })\ncoupling('e', { joints = { a = 1 }, offset = 0.5 })\n",
      "e: the coupling follows from" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    snprintf(text, sizeof text, "%s%s", three, cases[i][0]);
    crAssertStartIsRefused(text, cases[i][1]);
  }
  crAssertStartIsRefused(PENDULUMS "pendulum('m', 1, 0.5, { motion = constant('k', { value = 1 }) })\n"
                                   "coupling('c', { joints = { m = 1 }, offset = 1 })\n",
                         "c: the coupling follows from");
}

// A parallelogram keeps two of its angles equal by itself.
static void a_coupling_that_a_loop_implies_is_refused(void** state)
{
  (void)state;
  char text[4096];
  makeFourBar(text, sizeof text, 0, "j1");
  char* end = strstr(text, "coupling(");
  snprintf(end, 400,
           "coupling('c1', { joints = { wheel = 1, j1 = -3 } })\n"
           "coupling('c2', { joints = { wheel = 1, j4 = -3 } })\n"
           "coupling('c3', { joints = { j2 = 1, j3 = -3 } })\n");
  crAssertStartIsRefused(text, "c3: the coupling follows from");
}

static void faults_of_couplings_are_told_where_they_stand(void** state)
{
  (void)state;
  const char* head = PENDULUMS "pendulum('a', 1, 0.5, {})\n"
                               "spherical('ball', w, object('o', { mass{ mass = 1, inertia = { 1, 1, 1 } } }))\n";
  static const struct {
    const char* line;
    const char* says;
    bool isRead; // the text is read, and compiling complains
  } cases[] = {
    { "coupling('c', { joints = { a = 1, q = 2 } })\n", "a joint of the coupling is unknown", true },
    { "coupling('c', { joints = { a = 1, o = 2 } })\n", "'o' is an object, not a joint", true },
    { "coupling('c', { joints = { a = 1, ball = 2 } })\n", "'ball' is a spherical joint, with 3", true },
    { "coupling('c', { joints = { a = 0 } })\n", "the factor of joint 'a' is 0", false },
    { "coupling('c', { joints = {} })\n", "a coupling needs one joint or more", false },
    { "coupling('c', {})\n", "joints", false },
    { "coupling('c', { joints = { a = 'x' } })\n", "a is not a number", false },
    { "coupling('c', { joints = { a = 1 / 0 } })\n", "the factor of joint 'a'", false },
    { "coupling('c', { joints = { a = 1 }, offset = 0 / 0 })\n", "offset", false },
    { "coupling('a', { joints = { a = 1 } })\n", "the name is taken already by a joint", false },
    { "local j = pendulum('b', 1, 1, {})\ncoupling('c', { joints = { [j] = 1, b = 2 } })\n",
      "joint 'b' is in the coupling twice", false },
    { "coupling('c', { joints = { a = 1 }, ratio = 2 })\n", "ratio", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s", head, cases[i].line);
    crTestModel model = crTestModel_Read(text, NULL);
    crModel* compiled = NULL;
    assert_int_equal(model.status, cases[i].isRead ? cr_ok : cr_errorModel);
    if (cases[i].isRead) {
      assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
    }
    assert_true(crTestModel_Says(&model, cases[i].says));
    assert_true(crTestModel_Says(&model, "model.lua:"));
    crTestModel_Free(&model);
  }
}

// ----------------------------------------------------------------------------------------------- the rest

static void couplings_are_part_of_a_scene(void** state)
{
  (void)state;
  crTestScene test = crTestScene_Make(NULL);
  crNamedNumber joints[] = { { "a", 1 }, { "b", 2 } };
  crCouplingDef def = crDefaultCouplingDef(cr_couplingSum, "c");
  def.as.sum.joints = joints;
  def.as.sum.jointCount = 2;
  crId id, other;
  assert_int_equal(crScene_AddCoupling(test.scene, &def, &id), cr_ok);
  def.name = "d";
  assert_int_equal(crScene_AddCoupling(test.scene, &def, &other), cr_ok);
  joints[0].value = 5;
  def.name = "e";
  assert_int_equal(crScene_ReplaceCoupling(test.scene, id, &def), cr_ok);
  assert_string_equal(crScene_GetCoupling(test.scene, id)->name, "e");
  assert_close(crScene_GetCoupling(test.scene, id)->as.sum.joints[0].value, 5, 0);
  assert_close(crScene_GetCoupling(test.scene, other)->as.sum.joints[0].value, 1, 0);
  assert_int_equal(crScene_Remove(test.scene, id), cr_ok);
  assert_int_equal(crScene_Count(test.scene, cr_elementCoupling), 1);
  assert_true(crIsNull(crScene_Find(test.scene, "e")));
  assert_string_equal(crScene_GetCoupling(test.scene, crScene_Find(test.scene, "d"))->name, "d");
  def.kind = cr_couplingKindCount;
  assert_int_equal(crScene_AddCoupling(test.scene, &def, NULL), cr_errorMisuse);
  def.kind = cr_couplingSum;
  def.as.sum.joints = NULL;
  assert_int_equal(crScene_AddCoupling(test.scene, &def, NULL), cr_errorMisuse);
  crTestScene_Free(&test);
}

static void a_model_tells_its_couplings(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(TWO, 1.0, 1e-8, cr_solverAuto);
  assert_int_equal(crModel_GetSize(run.model).couplingCount, 1);
  assert_int_equal(crModel_FindCoupling(run.model, "c"), 0);
  assert_int_equal(crModel_FindCoupling(run.model, "a"), -1);
  assert_int_equal(crModel_FindCoupling(run.model, "x"), -1);
  assert_int_equal(crModel_FindJoint(run.model, "c"), -1);
  assert_int_equal(crModel_FindInput(run.model, "c"), -1);
  assert_string_equal(crModel_GetCouplingPath(run.model, 0), "c");
  assert_null(crModel_GetCoupling(run.model, 1));
  assert_true(isnan(crInstance_GetCouplingForce(run.instance, 1)));
  crVariable variable;
  int index = crModel_FindVariable(run.model, "c.force");
  assert_true(crModel_GetVariable(run.model, index, &variable));
  assert_string_equal(variable.path, "c");
  assert_string_equal(variable.unit, "N m");
  assert_int_equal(crModel_FindVariable(run.model, "c.angle"), -1);
  assert_int_equal(crInstance_GetLoopFacts(run.instance).freedom, 1);
  // both trees are one closed set
  int tree = 0;
  assert_false(crModel_IsClosed(run.model, (crTreeSet){ .trees = &tree, .treeCount = 1 }));
  crCloseTestRun(&run);
}

static void runs_with_couplings_go_on_from_checkpoints(void** state)
{
  (void)state;
  static const crSolverKind kinds[] = { cr_solverAuto, cr_solverRadau5, cr_solverIda };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    crSavedPlan plan = { .text = TWO, .stop = 2.0, .intervals = 20, .tolerance = 1e-7, .solver = kinds[i] };
    if (!crHasSavedSolver(&plan)) {
      continue;
    }
    crModel* model = crOpenSavedModel(&plan);
    assert_non_null(model);
    const int points[] = { 0, 7, 15 };
    crSavedRun run = crRunSaved(model, &plan, 1, points, 3, false);
    assert_int_equal(run.status, cr_ok);
    for (int k = 0; k < 3; ++k) {
      crSavedRun resumed = crResumeSaved(&run, k, 1);
      assert_int_equal(crCompareSaved(&run, &resumed, points[k] + 1), -1);
      crSavedRun_Free(&resumed);
    }
    crSavedRun_Free(&run);
    crDestroyModel(model);
  }
}

// Balls that roll off arms meet others: coupled trees are one island, and contacts, stops and dampers act as ever.
static void couplings_stops_and_contacts_account_for_all_energy(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
      "local function arm(name, x, start)\n"
      "  local o = object(name .. 'Ball', { solid{ shape = sphere{ radius = 0.05 }, material = 'Steel',\n"
      "    contact = 'Steel' } })\n"
      "  return prismatic(name, object(name .. 'Post', { parent = w, position = { x, 0, 0 } }), o, { axis = 'z',\n"
      "    start = start, damping = 0.3, stopMin = -1, stopMax = 0.5, stopStiffness = 1e4, canCollide = true })\n"
      "end\n"
      "local a, b, c = arm('a', 0, 0.4), arm('b', 1, 0.2), arm('d', 2, 0.3)\n"
      "coupling('c', { joints = { [a] = 1, [b] = 2 }, offset = 0.75 })\n",
      2.0, 1e-8, cr_solverAuto);
  for (int i = 1; i <= 10; ++i) {
    crTestRun_Advance(&run, 0.2 * i);
    assert_close(crTestRun_Value(&run, "a.position") + 2 * crTestRun_Value(&run, "b.position"), 0.75, 1e-12);
  }
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-4);
  crCloseTestRun(&run);
}

// The tip of an arm whose second joint follows the first: 1, 2 at 0.5 m each.
static void inverse_kinematics_keeps_couplings(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText("scene{ gravity = 'none' }\nlocal w = world('w')\n"
                                 "local a = object('a', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                                 "local b = object('b', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                                 "local elbow = object('elbow', { parent = a, position = { 0.5, 0, 0 } })\n"
                                 "object('tip', { parent = b, position = { 0.5, 0, 0 } })\n"
                                 "revolute('j1', w, a)\nrevolute('j2', elbow, b)\n"
                                 "coupling('c', { joints = { j2 = 1, j1 = -2 } })\n",
                                 1.0, 1e-8, cr_solverAuto);
  double q = 0.4, y[4] = { 0 };
  crReachTarget target = crDefaultReachTarget(crModel_FindObject(run.model, "tip"));
  target.X_WO.p = crMakeVec3(0.5 * cos(q) + 0.5 * cos(3 * q), 0.5 * sin(q) + 0.5 * sin(3 * q), 0);
  target.ignoresOrientation = true;
  crReachFacts facts;
  crTreeSet all = crModel_GetAllTrees(run.model);
  assert_int_equal(crInstance_ComputeInverseKinematics(run.instance, all, 0.0, &target, 1, NULL, y, &run.sink, &facts),
                   cr_ok);
  assert_close(y[0], q, 1e-7);
  assert_close(y[1], 2 * q, 1e-7);
  crCloseTestRun(&run);
}

// A x' = A (x - x0) of coupled pendulums at rest at the bottom has the frequency of the one equation.
static void linearization_sees_couplings(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(PENDULUMS "pendulum('a', 1, 0.5, { start = math.pi / 2 })\n"
                                           "pendulum('b', 2, 0.3, { start = math.pi / 2 })\n"
                                           "coupling('c', { joints = { a = 1, b = -1 } })\n",
                                 1.0, 1e-8, cr_solverAuto);
  crTreeSet all = crModel_GetAllTrees(run.model);
  double y[4], A[16], w2 = (0.5 + 0.6) * G / (0.27 + 0.2);
  crModel_GetStart(run.model, all, y);
  assert_int_equal(crInstance_Linearize(run.instance, all, 0.0, y, A), cr_ok);
  // states a, a', b, b' by columns: moved together, both are drawn back alike
  for (int row = 1; row < 4; row += 2) {
    assert_close(A[0 + row] + A[8 + row], -w2, 1e-6);
  }
  crCloseTestRun(&run);
}

static void any_allocation_may_fail(void** state)
{
  (void)state;
  crTestModel text = crTestModel_ReadGood(TWO);
  for (long failAt = 0;; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crModel* model = NULL;
    crSimulation* simulation = NULL;
    crSimulationOptions options = crDefaultSimulationOptions();
    options.stopTime = options.interval = 0.1;
    crStatus status = crCompile(text.scene, NULL, &allocator, NULL, &model);
    status = status == cr_ok ? crCreateSimulation(model, &options, &allocator, NULL, &simulation) : status;
    crDestroySimulation(simulation);
    crDestroyModel(model);
    assert_int_equal(counter.liveBlocks, 0);
    if (status == cr_ok) {
      break;
    }
    assert_int_equal(status, cr_errorMemory);
  }
  crTestModel_Free(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_coupled_pendulums_move_as_one_equation_says),
    cmocka_unit_test(all_solvers_keep_a_coupling),
    cmocka_unit_test(forces_of_couplings_are_factors_times_multipliers),
    cmocka_unit_test(both_forms_agree),
    cmocka_unit_test(joints_of_loops_can_be_coupled_wherever_they_are_cut),
    cmocka_unit_test(a_cut_joint_can_be_coupled),
    cmocka_unit_test(a_prescribed_joint_drives_what_is_coupled_with_it),
    cmocka_unit_test(start_values_are_changed_as_little_as_can_be),
    cmocka_unit_test(a_fixed_start_value_decides_the_others),
    cmocka_unit_test(start_values_that_are_all_fixed_must_satisfy_a_coupling),
    cmocka_unit_test(couplings_that_depend_on_each_other_are_refused),
    cmocka_unit_test(a_coupling_that_a_loop_implies_is_refused),
    cmocka_unit_test(faults_of_couplings_are_told_where_they_stand),
    cmocka_unit_test(couplings_are_part_of_a_scene),
    cmocka_unit_test(a_model_tells_its_couplings),
    cmocka_unit_test(runs_with_couplings_go_on_from_checkpoints),
    cmocka_unit_test(couplings_stops_and_contacts_account_for_all_energy),
    cmocka_unit_test(inverse_kinematics_keeps_couplings),
    cmocka_unit_test(linearization_sees_couplings),
    cmocka_unit_test(any_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
