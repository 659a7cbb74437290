// Evaluation on random mechanisms with every kind of joint: independent computations of the same agree.
#include "support/trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 24
#define MAX_STATES 400

static crTestMotion startRandom(uint64_t seed, bool hasLaws, int springCount)
{
  crRandom random = crMakeRandom(seed);
  crTestTree tree = crMakeRandomTree(&random, 4 + (int)(seed % 17), hasLaws, springCount);
  crTestView view = { .turn = crIdentityQuat(), .exchangesEnds = seed % 3 == 1 };
  crTestMotion motion = crStartTree(&tree, view);
  assert_true(motion.stateCount <= MAX_STATES);
  return motion;
}

static void computeRates(crTestMotion* m, const double* y, double* rates)
{
  assert_int_equal(crInstance_ComputeRates(m->instance, m->all, 0.0, y, rates), cr_ok);
}

static double largest(const double* values, int count)
{
  double max = 0.0;
  for (int i = 0; i < count; ++i) {
    max = fmax(max, fabs(values[i]));
  }
  return max;
}

// The rates v' of a whole state vector, tree by tree behind each other.
static void pickRates(const crTestMotion* m, const double* y, double* rates)
{
  for (int k = 0, place = 0; k < m->all.treeCount; ++k) {
    const crTree* tree = crModel_GetTree(m->model, k);
    memcpy(rates + place, y + tree->vStart, (size_t)tree->vCount * sizeof *y);
    place += tree->vCount;
  }
}

// -------------------------------------------------------------------------------------------- two forms

static void the_residual_of_the_rates_is_zero(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crTestMotion m = startRandom(seed, seed % 2 == 0, (int)(seed % 4));
    double rates[MAX_STATES], residual[MAX_STATES];
    computeRates(&m, m.y, rates);
    assert_int_equal(crInstance_ComputeResidual(m.instance, m.all, 0.0, m.y, rates, residual), cr_ok);
    assert_close(largest(residual, m.stateCount), 0.0, 1e-11 * (1.0 + largest(rates, m.stateCount)));
    crTestMotion_Free(&m);
  }
}

static void residual_is_linear_in_the_rates_with_the_mass_matrix(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  static double M[MAX_STATES * MAX_STATES];
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crTestMotion m = startRandom(seed, seed % 2 == 0, (int)(seed % 3));
    double with[MAX_STATES], without[MAX_STATES], zero[MAX_STATES] = { 0 }, a[MAX_STATES];
    int n = m.rateCount;
    for (int i = 0; i < n; ++i) {
      a[i] = crRandom_Uniform(&random, -1, 1);
    }
    assert_int_equal(crInstance_ComputeInverseDynamics(m.instance, m.all, 0.0, m.y, a, with), cr_ok);
    assert_int_equal(crInstance_ComputeInverseDynamics(m.instance, m.all, 0.0, m.y, zero, without), cr_ok);
    assert_int_equal(crInstance_ComputeMassMatrix(m.instance, m.all, 0.0, m.y, M), cr_ok);
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) {
        sum += M[j * n + i] * a[j];
        assert_true(M[j * n + i] == M[i * n + j]);
      }
      assert_close(with[i] - without[i], sum, 1e-11 * (1.0 + largest(with, n)));
    }
    crTestMotion_Free(&m);
  }
}

// --------------------------------------------------------------------------------------------- matrices

// Adds m Jc^T Jc + Jw^T I Jw of one body, from the description alone.
static void addBodyMatrix(const crTestLink* link, crPose X_WB, const double* J, int n, double* M)
{
  crVec3 c = crMulMV(X_WB.R, link->com);
  crSym3 I = crRotateSym3(X_WB.R, link->inertia);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      crVec3 wi = crMakeVec3(J[6 * i], J[6 * i + 1], J[6 * i + 2]);
      crVec3 wj = crMakeVec3(J[6 * j], J[6 * j + 1], J[6 * j + 2]);
      crVec3 vi = crAdd(crMakeVec3(J[6 * i + 3], J[6 * i + 4], J[6 * i + 5]), crCross(wi, c));
      crVec3 vj = crAdd(crMakeVec3(J[6 * j + 3], J[6 * j + 4], J[6 * j + 5]), crCross(wj, c));
      M[j * n + i] += link->mass * crDot(vi, vj) + crDot(wi, crMulSV(I, wj));
    }
  }
}

// True when the Cholesky factor exists; destroys the matrix.
static bool isPositiveDefinite(double* M, int n)
{
  for (int k = 0; k < n; ++k) {
    if (!(M[k * n + k] > 0.0)) {
      return false;
    }
    for (int i = k + 1; i < n; ++i) {
      double factor = M[k * n + i] / M[k * n + k];
      for (int j = k; j < n; ++j) {
        M[j * n + i] -= factor * M[j * n + k];
      }
    }
  }
  return true;
}

static void mass_matrix_is_the_sum_over_bodies_and_positive(void** state)
{
  (void)state;
  static double M[MAX_STATES * MAX_STATES], sum[MAX_STATES * MAX_STATES], J[6 * MAX_STATES];
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crRandom random = crMakeRandom(seed);
    crTestTree tree = crMakeRandomTree(&random, 4 + (int)(seed % 9), false, 0);
    crTestMotion m = crStartTree(&tree, crPlainView());
    int n = m.rateCount;
    memset(sum, 0, sizeof sum);
    for (int i = 0; i < tree.linkCount; ++i) {
      char name[32];
      snprintf(name, sizeof name, "body%d", i);
      int object = crModel_FindObject(m.model, name);
      assert_int_equal(crInstance_ComputeFrameJacobian(m.instance, m.all, 0.0, m.y, object, J), cr_ok);
      addBodyMatrix(&tree.links[i], crInstance_GetPose(m.instance, object), J, n, sum);
    }
    assert_int_equal(crInstance_ComputeMassMatrix(m.instance, m.all, 0.0, m.y, M), cr_ok);
    for (int i = 0; i < n * n; ++i) {
      assert_close(M[i], sum[i], 1e-11 * (1.0 + largest(sum, n * n)));
    }
    assert_true(isPositiveDefinite(M, n));
    crTestMotion_Free(&m);
  }
}

static void rotors_add_to_the_diagonal_of_the_mass_matrix(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  crTestTree tree = crMakeRandomTree(&random, 6, true, 0), bare = tree;
  static double M[2][MAX_STATES * MAX_STATES];
  for (int i = 0; i < bare.linkCount; ++i) {
    memset(bare.links[i].law.rotorInertia, 0, sizeof bare.links[i].law.rotorInertia);
  }
  for (int k = 0; k < 2; ++k) {
    crTestMotion m = crStartTree(k == 0 ? &tree : &bare, crPlainView());
    assert_int_equal(crInstance_ComputeMassMatrix(m.instance, m.all, 0.0, m.y, M[k]), cr_ok);
    if (k == 1) {
      int n = m.rateCount, place = 0;
      for (int i = 0; i < crModel_GetSize(m.model).bodyCount - 1; ++i) {
        const crModelJoint* joint = crModel_GetJoint(m.model, i);
        const crTestLink* link = &tree.links[atoi(crModel_GetJointPath(m.model, i) + strlen("joint"))];
        for (int j = 0; j < crJointKind_CountV(joint->kind); ++j, ++place) {
          double rotor = link->law.rotorInertia[j] * link->law.gearRatio[j] * link->law.gearRatio[j];
          assert_close(M[0][place * n + place] - M[1][place * n + place], rotor, 1e-13 * (1 + M[0][place * n + place]));
          M[0][place * n + place] = M[1][place * n + place];
        }
      }
      assert_memory_equal(M[0], M[1], (size_t)(n * n) * sizeof(double));
    }
    crTestMotion_Free(&m);
  }
}

static void frame_jacobian_gives_the_motion_of_every_object(void** state)
{
  (void)state;
  double J[6 * MAX_STATES], v[MAX_STATES];
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crTestMotion m = startRandom(seed, false, 2);
    pickRates(&m, m.y, v);
    for (int object = 0; object < crModel_GetSize(m.model).objectCount; ++object) {
      assert_int_equal(crInstance_ComputeFrameJacobian(m.instance, m.all, 0.0, m.y, object, J), cr_ok);
      assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageVelocity), cr_ok);
      crMotion V = crInstance_GetMotion(m.instance, object);
      double sum[6] = { 0 };
      for (int j = 0; j < m.rateCount; ++j) {
        for (int i = 0; i < 6; ++i) {
          sum[i] += J[6 * j + i] * v[j];
        }
      }
      assert_vec_close(V.w, crMakeVec3(sum[0], sum[1], sum[2]), 1e-12);
      assert_vec_close(V.v, crMakeVec3(sum[3], sum[4], sum[5]), 1e-12);
    }
    crTestMotion_Free(&m);
  }
}

// ------------------------------------------------------------------------------------------- differences

// Of fourth order, along the motion itself: how something changes with time.
#define STEP 1e-3
static const double stencilSteps[4] = { 1, -1, 2, -2 }, stencilWeights[4] = { 8, -8, -1, 1 };

static void moveAlong(const double* y, const double* rates, double step, int count, double* moved)
{
  for (int i = 0; i < count; ++i) {
    moved[i] = y[i] + step * rates[i];
  }
}

static void motions_and_accelerations_are_derivatives_of_poses(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crTestMotion m = startRandom(seed, seed % 2 == 0, 2);
    int count = crModel_GetSize(m.model).objectCount;
    double rates[MAX_STATES], moved[MAX_STATES];
    crVec3* sums = calloc((size_t)count, 4 * sizeof *sums); // p', R' e_x, w', v'
    computeRates(&m, m.y, rates);
    for (int k = 0; k < 4; ++k) {
      double weight = stencilWeights[k] / (12 * STEP);
      moveAlong(m.y, rates, stencilSteps[k] * STEP, m.stateCount, moved);
      crInstance_SetState(m.instance, m.all, 0.0, moved);
      assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageVelocity), cr_ok);
      for (int i = 0; i < count; ++i) {
        crPose X = crInstance_GetPose(m.instance, i);
        crMotion V = crInstance_GetMotion(m.instance, i);
        sums[4 * i] = crMulAdd(sums[4 * i], weight, X.p);
        sums[4 * i + 1] = crMulAdd(sums[4 * i + 1], weight, X.R.cx);
        sums[4 * i + 2] = crMulAdd(sums[4 * i + 2], weight, V.w);
        sums[4 * i + 3] = crMulAdd(sums[4 * i + 3], weight, V.v);
      }
    }
    computeRates(&m, m.y, rates);
    double scale = 1.0 + largest(rates, m.stateCount);
    for (int i = 0; i < count; ++i) {
      crMotion V = crInstance_GetMotion(m.instance, i), A = crInstance_GetAcceleration(m.instance, i);
      assert_vec_close(sums[4 * i], V.v, 1e-7 * scale);
      assert_vec_close(sums[4 * i + 1], crCross(V.w, crInstance_GetPose(m.instance, i).R.cx), 1e-7 * scale);
      assert_vec_close(sums[4 * i + 2], A.w, 1e-7 * scale * scale);
      assert_vec_close(sums[4 * i + 3], A.v, 1e-7 * scale * scale);
    }
    free(sums);
    crTestMotion_Free(&m);
  }
}

static double energyAt(crTestMotion* m, const double* y)
{
  crInstance_SetState(m->instance, m->all, 0.0, y);
  assert_int_equal(crInstance_Eval(m->instance, m->all, cr_stageVelocity), cr_ok);
  crEnergy energy = crInstance_ComputeEnergy(m->instance, m->all, -1);
  return energy.kinetic + energy.potential;
}

static double energyRate(crTestMotion* m)
{
  double rates[MAX_STATES], moved[MAX_STATES], sum = 0.0;
  computeRates(m, m->y, rates);
  for (int k = 0; k < 4; ++k) {
    moveAlong(m->y, rates, 0.1 * stencilSteps[k] * STEP, m->stateCount, moved);
    sum += stencilWeights[k] / (1.2 * STEP) * energyAt(m, moved);
  }
  return sum;
}

static void energy_is_kept_without_dissipation(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crRandom random = crMakeRandom(seed);
    crTestTree tree = crMakeRandomTree(&random, 4 + (int)(seed % 17), true, 2);
    for (int i = 0; i < tree.linkCount; ++i) { // springs and rotors only
      memset(tree.links[i].law.damping, 0, sizeof tree.links[i].law.damping);
      memset(tree.links[i].law.friction, 0, sizeof tree.links[i].law.friction);
      memset(tree.links[i].law.stopDamping, 0, sizeof tree.links[i].law.stopDamping);
    }
    tree.springs[0].damping = tree.springs[1].damping = 0.0;
    if (seed % 3 == 0) {
      tree.gravity = (crGravity){ .kind = cr_gravityPointMass, .centre = { 20, 0, 0 }, .mu = 1000.0 };
    }
    crTestMotion m = crStartTree(&tree, crPlainView());
    assert_close(energyRate(&m), 0.0, 1e-6 * (1.0 + fabs(energyAt(&m, m.y))));
    crTestMotion_Free(&m);
  }
}

// What dampers, friction and the damping of stops take, from the description.
static double dissipation(const crTestTree* tree)
{
  double sum = 0.0;
  for (int i = 0; i < tree->linkCount; ++i) {
    const crTestLink* link = &tree->links[i];
    const crJointLaw* law = &link->law;
    const crJointType* type = crGetJointType((int)link->kind);
    for (int j = 0; j < type->vCount; ++j) {
      double v = link->v[j], q = link->q[j];
      sum += law->damping[j] * v * v;
      if (!type->hasQuaternion) {
        double side = q > law->stopMax[j] ? 1 : q < law->stopMin[j] ? -1 : 0;
        double depth = side > 0 ? q - law->stopMax[j] : law->stopMin[j] - q;
        double approach = side * v;
        sum += law->friction[j] * v * tanh(v / law->frictionRate[j]);
        sum += side != 0 ? law->stopStiffness[j] * depth * approach * (fmax(0, 1 + law->stopDamping[j] * approach) - 1)
                         : 0.0;
      }
    }
  }
  return sum;
}

static void energy_falls_by_what_dampers_and_friction_take(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crRandom random = crMakeRandom(seed);
    crTestTree tree = crMakeRandomTree(&random, 4 + (int)(seed % 17), true, 0);
    crTestMotion m = crStartTree(&tree, crPlainView());
    assert_close(energyRate(&m), -dissipation(&tree), 1e-6 * (1.0 + fabs(energyAt(&m, m.y))));
    crTestMotion_Free(&m);
  }
}

static void momentum_of_a_free_mechanism_is_kept(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crRandom random = crMakeRandom(seed);
    crTestTree tree = crMakeRandomTree(&random, 8, true, 0);
    tree.gravity = (crGravity){ .kind = cr_gravityNone };
    for (int i = 0; i < tree.linkCount; ++i) { // one tree on a free root; a rotor's momentum is not counted
      tree.links[i].parent = i == 0 ? -1 : tree.links[i].parent < 0 ? 0 : tree.links[i].parent;
      memset(tree.links[i].law.rotorInertia, 0, sizeof tree.links[i].law.rotorInertia);
    }
    crTestLink root = crMakeLink(-1, cr_jointFreeMotion);
    memcpy(root.q, (double[7]){ 0.1, 0.2, -0.3, 0.4, -0.5, 0.6, 0.7 }, sizeof root.q);
    memcpy(root.v, (double[6]){ 1, -2, 0.5, 0.3, 0.6, -0.7 }, sizeof root.v);
    root.com = crMakeVec3(0.2, -0.1, 0.3);
    tree.links[0] = root;
    crTestMotion m = crStartTree(&tree, crPlainView());
    double rates[MAX_STATES], moved[MAX_STATES];
    crVec3 linear = { 0, 0, 0 }, angular = { 0, 0, 0 };
    computeRates(&m, m.y, rates);
    for (int k = 0; k < 4; ++k) {
      moveAlong(m.y, rates, stencilSteps[k] * STEP, m.stateCount, moved);
      crInstance_SetState(m.instance, m.all, 0.0, moved);
      assert_int_equal(crInstance_Eval(m.instance, m.all, cr_stageVelocity), cr_ok);
      crMomentum momentum = crInstance_ComputeMomentum(m.instance, m.all, -1);
      linear = crMulAdd(linear, stencilWeights[k] / (12 * STEP), momentum.linear);
      angular = crMulAdd(angular, stencilWeights[k] / (12 * STEP), momentum.angular);
    }
    assert_vec_close(linear, crMakeVec3(0, 0, 0), 1e-7 * (1.0 + largest(rates, m.stateCount)));
    assert_vec_close(angular, crMakeVec3(0, 0, 0), 1e-7 * (1.0 + largest(rates, m.stateCount)));
    crTestMotion_Free(&m);
  }
}

// Differences of eighth order with a step of their own.
static void linearization_agrees_with_differences(void** state)
{
  (void)state;
  static const double weights[4] = { 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280 };
  static double A[MAX_STATES * MAX_STATES];
  const double step = 5e-3;
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crRandom random = crMakeRandom(seed);
    crTestTree tree = crMakeRandomTree(&random, 4 + (int)(seed % 5), true, (int)(seed % 3));
    for (int i = 0; i < tree.linkCount; ++i) { // stops have kinks
      for (int j = 0; j < CR_MAX_JOINT_V; ++j) {
        tree.links[i].law.stopMin[j] = -CR_NO_STOP;
        tree.links[i].law.stopMax[j] = CR_NO_STOP;
      }
    }
    crTestMotion m = crStartTree(&tree, crPlainView());
    int n = m.stateCount;
    assert_int_equal(crInstance_Linearize(m.instance, m.all, 0.0, m.y, A), cr_ok);
    double scale = 1.0 + largest(A, n * n);
    for (int j = 0; j < n; ++j) {
      double column[MAX_STATES] = { 0 }, plus[MAX_STATES], minus[MAX_STATES], y[MAX_STATES];
      for (int k = 1; k <= 4; ++k) {
        memcpy(y, m.y, (size_t)n * sizeof *y);
        y[j] = m.y[j] + k * step;
        computeRates(&m, y, plus);
        y[j] = m.y[j] - k * step;
        computeRates(&m, y, minus);
        for (int i = 0; i < n; ++i) {
          column[i] += weights[k - 1] * (plus[i] - minus[i]) / step;
        }
      }
      for (int i = 0; i < n; ++i) {
        assert_close(A[j * n + i], column[i], 1e-7 * scale);
      }
    }
    crTestMotion_Free(&m);
  }
}

static void sparsity_holds_every_entry_of_the_linearization(void** state)
{
  (void)state;
  static double A[MAX_STATES * MAX_STATES];
  static int starts[MAX_STATES + 1], rows[MAX_STATES * MAX_STATES];
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crTestMotion m = startRandom(seed, true, (int)(seed % 4));
    int n = m.stateCount, count = 0, again = 0;
    crModel_GetSparsity(m.model, m.all, NULL, NULL, &count);
    crModel_GetSparsity(m.model, m.all, starts, rows, &again);
    assert_int_equal(count, again);
    assert_int_equal(starts[n], count);
    assert_int_equal(crInstance_Linearize(m.instance, m.all, 0.0, m.y, A), cr_ok);
    for (int j = 0; j < n; ++j) {
      for (int k = starts[j]; k < starts[j + 1]; ++k) {
        assert_true(k == starts[j] || rows[k] > rows[k - 1]);
        A[j * n + rows[k]] = 0.0;
      }
    }
    assert_close(largest(A, n * n), 0.0, 0.0);
    crTestMotion_Free(&m);
  }
}

// -------------------------------------------------------------------------------------------- invariance

// The accelerations of all bodies of two views, seen in the first.
static void compareViews(const crTestTree* tree, crTestView view)
{
  crTestMotion a = crStartTree(tree, crPlainView()), b = crStartTree(tree, view);
  double rates[MAX_STATES];
  crMat3 R = crQuatToMat3(view.turn);
  computeRates(&a, a.y, rates);
  double scale = 1.0 + largest(rates, a.stateCount);
  computeRates(&b, b.y, rates);
  for (int i = 0; i < tree->linkCount; ++i) {
    char name[32];
    snprintf(name, sizeof name, "body%d", i);
    int objectA = crModel_FindObject(a.model, name), objectB = crModel_FindObject(b.model, name);
    crPose XA = crInstance_GetPose(a.instance, objectA), XB = crInstance_GetPose(b.instance, objectB);
    crMotion AA = crInstance_GetAcceleration(a.instance, objectA), AB = crInstance_GetAcceleration(b.instance, objectB);
    assert_vec_close(XB.p, crAdd(view.shift, crMulMV(R, XA.p)), 1e-12);
    assert_vec_close(AB.w, crMulMV(R, AA.w), 1e-12 * scale);
    assert_vec_close(AB.v, crMulMV(R, AA.v), 1e-12 * scale);
  }
  crTestMotion_Free(&a);
  crTestMotion_Free(&b);
}

static void how_a_mechanism_is_written_down_changes_nothing(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crRandom random = crMakeRandom(seed);
    crTestTree tree = crMakeRandomTree(&random, 4 + (int)(seed % 12), false, 2);
    crTestView turned = { .turn = crRandom_Rotation(&random), .shift = { 3, -2, 1 } };
    crTestView exchanged = { .turn = crIdentityQuat(), .exchangesEnds = true };
    crTestView backwards = { .turn = crIdentityQuat(), .isBackwards = true };
    crTestView otherFrames = { .turn = crIdentityQuat(), .startsAtFarFrame = true };
    crTestView everything = { crRandom_Rotation(&random), { 1, 2, 3 }, true, true, true };
    if (seed % 4 == 0) {
      tree.gravity = (crGravity){ .kind = cr_gravityPointMass, .centre = { 20, 0, 0 }, .mu = 1000.0 };
    }
    compareViews(&tree, turned);
    compareViews(&tree, exchanged);
    compareViews(&tree, backwards);
    compareViews(&tree, otherFrames);
    compareViews(&tree, everything);
  }
}

// ---------------------------------------------------------------------------------------------- reactions

// Sums what acts on each body through its joints; with gravity that is mass times acceleration of the centre, and the
// change of angular momentum about it.
static void reactions_and_gravity_move_each_body(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= RUNS; ++seed) {
    crRandom random = crMakeRandom(seed);
    crTestTree tree = crMakeRandomTree(&random, 4 + (int)(seed % 17), true, 0);
    crTestView view = { .turn = crIdentityQuat(), .exchangesEnds = seed % 2 == 0 };
    crVec3 f[CR_MAX_TEST_LINKS], t[CR_MAX_TEST_LINKS]; // about the world's origin
    double rates[MAX_STATES];
    memset(f, 0, sizeof f);
    memset(t, 0, sizeof t);
    for (int i = 0; i < tree.linkCount; ++i) { // a rotor holds back part of the joint's torque
      memset(tree.links[i].law.rotorInertia, 0, sizeof tree.links[i].law.rotorInertia);
    }
    crTestMotion m = crStartTree(&tree, view);
    computeRates(&m, m.y, rates);
    for (int i = 0; i < tree.linkCount; ++i) {
      char name[32];
      snprintf(name, sizeof name, "joint%d", i);
      int joint = crModel_FindJoint(m.model, name);
      crWrench W = crInstance_GetReaction(m.instance, joint);
      crVec3 p = crInstance_GetPose(m.instance, crModel_GetJoint(m.model, joint)->objectB).p;
      crVec3 moment = crAdd(W.t, crCross(p, W.f));
      double sign = view.exchangesEnds ? -1.0 : 1.0; // objectB is on this link, or on its parent
      int parent = tree.links[i].parent;
      f[i] = crMulAdd(f[i], sign, W.f);
      t[i] = crMulAdd(t[i], sign, moment);
      if (parent >= 0) {
        f[parent] = crMulAdd(f[parent], -sign, W.f);
        t[parent] = crMulAdd(t[parent], -sign, moment);
      }
    }
    double scale = 1.0 + largest(rates, m.stateCount);
    for (int i = 0; i < tree.linkCount; ++i) {
      char name[32];
      snprintf(name, sizeof name, "body%d", i);
      int object = crModel_FindObject(m.model, name);
      const crTestLink* link = &tree.links[i];
      crPose X = crInstance_GetPose(m.instance, object);
      crMotion V = crInstance_GetMotion(m.instance, object), A = crInstance_GetAcceleration(m.instance, object);
      crVec3 c = crMulMV(X.R, link->com);
      crVec3 a = crAdd(A.v, crAdd(crCross(A.w, c), crCross(V.w, crCross(V.w, c))));
      crSym3 I = crRotateSym3(X.R, link->inertia);
      crVec3 gravity = crScale(link->mass, tree.gravity.acceleration);
      crVec3 spin = crAdd(crMulSV(I, A.w), crCross(V.w, crMulSV(I, V.w)));
      assert_vec_close(crAdd(f[i], gravity), crScale(link->mass, a), 1e-10 * scale);
      crVec3 aboutCentre = crSub(t[i], crCross(crAdd(X.p, c), f[i]));
      assert_vec_close(aboutCentre, spin, 1e-10 * scale);
    }
    crTestMotion_Free(&m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_residual_of_the_rates_is_zero),
    cmocka_unit_test(residual_is_linear_in_the_rates_with_the_mass_matrix),
    cmocka_unit_test(mass_matrix_is_the_sum_over_bodies_and_positive),
    cmocka_unit_test(rotors_add_to_the_diagonal_of_the_mass_matrix),
    cmocka_unit_test(frame_jacobian_gives_the_motion_of_every_object),
    cmocka_unit_test(motions_and_accelerations_are_derivatives_of_poses),
    cmocka_unit_test(energy_is_kept_without_dissipation),
    cmocka_unit_test(energy_falls_by_what_dampers_and_friction_take),
    cmocka_unit_test(momentum_of_a_free_mechanism_is_kept),
    cmocka_unit_test(linearization_agrees_with_differences),
    cmocka_unit_test(sparsity_holds_every_entry_of_the_linearization),
    cmocka_unit_test(how_a_mechanism_is_written_down_changes_nothing),
    cmocka_unit_test(reactions_and_gravity_move_each_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
