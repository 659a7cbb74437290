// Collisions for other simulators: forces from poses alone, and with velocities. The test is the simulator.
#include "carom/collide.h"
#include "carom/io.h"
#include "collide/area/area.h"
#include "support/folder.h"
#include "support/free_bodies.h"
#include "support/log.h"
#include "support/shapes.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- bodies

static crCollider* createCollider(const crColliderDef* def, crErrorLog* log)
{
  crCollider* collider = NULL;
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crCreateCollider(def, NULL, &sink, &collider), cr_ok);
  return collider;
}

typedef struct Bench {
  crErrorLog* log;
  crCollider* collider;
  double stiffness;
} Bench;

static Bench makeBench(void)
{
  crColliderDef def = crDefaultColliderDef();
  crErrorLog* log = crCreateErrorLog(NULL);
  Bench bench = { log, createCollider(&def, log), 1e5 };
  return bench;
}

static void freeBench(Bench* bench)
{
  crDestroyCollider(bench->collider);
  crDestroyErrorLog(bench->log);
}

static void computeForces(Bench* bench, const crFreeBody* bodies, int count, double* forces)
{
  double rows[CR_MAX_FREE_BODIES * CR_BODY_INPUTS];
  crMakeBodyRows(bodies, count, rows);
  assert_int_equal(crCollider_ComputeForces(bench->collider, count, rows, forces), cr_ok);
}

// -------------------------------------------------------------------------------------- first entry

static void boxes_that_overlap_are_pushed_apart_by_k_times_depth(void** state)
{
  (void)state;
  Bench bench = makeBench();
  double forces[12];
  crFreeBody bodies[2] = { crMakeFreeBody(1, cr_externalBox, 1, 2, 3), crMakeFreeBody(2, cr_externalBox, 1, 1, 1) };
  bodies[1].p = crMakeVec3(0.99, 0.0, 0.0);
  bodies[1].q = crAxisAngleToQuat(crMakeVec3(1, 0, 0), 0.5 * CR_PI); // its y is the world's z
  computeForces(&bench, bodies, 2, forces);
  double f = 0.01 * bench.stiffness, some = 0.03 * f; // along the edges the depth is less
  assert_vec_close(crForceOfRow(forces, 0), crMakeVec3(-f, 0, 0), some);
  assert_vec_close(crForceOfRow(forces, 1), crMakeVec3(f, 0, 0), some);
  bodies[1].p = crMakeVec3(0.0, 0.0, 1.98); // on top: along its own y
  computeForces(&bench, bodies, 2, forces);
  assert_vec_close(crForceOfRow(forces, 1), crMakeVec3(0, 2.0 * f, 0), 2.0 * some);
  bodies[1].p.z = 2.1;
  computeForces(&bench, bodies, 2, forces);
  assert_vec_close(crForceOfRow(forces, 1), crMakeVec3(0, 0, 0), 0.0);
  freeBench(&bench);
}

// A force off the centre turns: a ball on the edge of a plate.
static void torques_are_about_r_in_body_axes(void** state)
{
  (void)state;
  Bench bench = makeBench();
  double forces[12];
  crFreeBody bodies[2] = { crMakeFreeBody(1, cr_externalBox, 4, 4, 1), crMakeFreeBody(2, cr_externalSphere, 1, 0, 0) };
  bodies[0].q = crAxisAngleToQuat(crMakeVec3(0, 0, 1), 0.5 * CR_PI); // its x is the world's y
  bodies[1].p = crMakeVec3(1.5, 0.0, 0.99);
  computeForces(&bench, bodies, 2, forces);
  double f = 0.01 * bench.stiffness;
  assert_vec_close(crForceOfRow(forces, 0), crMakeVec3(0, 0, -f), 1e-9);
  assert_vec_close(crTorqueOfRow(forces, 0), crMakeVec3(1.5 * f, 0, 0),
                   1e-9); // (1.5, 0, .) x (0, 0, -f) = (0, 1.5 f, 0)
  assert_vec_close(crTorqueOfRow(forces, 1), crMakeVec3(0, 0, 0), 1e-9);
  freeBench(&bench);
}

static crFreeBody makeRandomBody(crRandom* random, int id)
{
  static const crExternalShape shapes[] = { cr_externalBox, cr_externalSphere, cr_externalCylinder, cr_externalCone,
                                            cr_externalBeam };
  crFreeBody body = crMakeFreeBody(id, shapes[crRandom_Next(random) % 5], crRandom_Uniform(random, 0.5, 1.0),
                                   crRandom_Uniform(random, 0.5, 1.0), crRandom_Uniform(random, 0.5, 1.0));
  body.extra = body.shape == cr_externalCone ? 0.3 : 0.0;
  body.q = crRandom_Rotation(random);
  body.p = crScale(0.42, crRandom_UnitVec3(random));
  return body;
}

static crShape* createTwin(const crFreeBody* body)
{
  crShapeDef def;
  double length = body->size.x, width = body->size.y;
  switch ((int)body->shape) {
    case cr_externalBox: def = crMakeBox(length, width, body->size.z); break;
    case cr_externalSphere: def = crMakeSphere(0.5 * length); break;
    case cr_externalCylinder: def = crMakeCylinder(0.5 * width, length, 0.0); break;
    case cr_externalCone: def = crMakeCone(0.5 * width, 0.5 * width * body->extra, length); break;
    default: def = crMakeBeam(length, width, body->size.z); break;
  }
  if (body->shape == cr_externalCylinder || body->shape == cr_externalCone) {
    def.axis = crMakeVec3(1, 0, 0);
  }
  return crCreateTestShape(&def);
}

static crDistance distanceOf(const crFreeBody* a, const crFreeBody* b)
{
  crShape *shapeA = createTwin(a), *shapeB = createTwin(b);
  crPose X_WA = crMakePose(a->p, a->q), X_WB = crMakePose(b->p, b->q);
  crDistance d;
  assert_int_equal(crComputeDistance(shapeA, &X_WA, shapeB, &X_WB, NULL, &d), cr_ok);
  crDestroyShape(shapeA);
  crDestroyShape(shapeB);
  return d;
}

// c / 2 depth^2, with the mean depth of the patch where there is one.
static double energyOf(const crFreeBody* a, const crFreeBody* b, double stiffness)
{
  crShape *shapeA = createTwin(a), *shapeB = createTwin(b);
  double depth = fmax(0.0, -distanceOf(a, b).distance), energy = 0.5 * stiffness * depth * depth;
  if (crTouchesByArea(shapeA, shapeB)) {
    static crPatch patch;
    crPose X_WA = crMakePose(a->p, a->q), X_WB = crMakePose(b->p, b->q);
    X_WA = crPlaceCanonical(shapeA, &X_WA);
    X_WB = crPlaceCanonical(shapeB, &X_WB);
    crComputePatch(shapeA, &X_WA, shapeB, &X_WB, &patch);
    double mean = (patch.sums[0].i3 + patch.sums[1].i3) / (patch.sums[0].i2 + patch.sums[1].i2);
    energy = 0.5 * stiffness * mean * mean;
  }
  crDestroyShape(shapeA);
  crDestroyShape(shapeB);
  return energy;
}

// Moves body b a little along or about a world axis.
static crFreeBody moved(const crFreeBody* b, int axis, double by)
{
  crVec3 e = crMakeVec3(axis % 3 == 0, axis % 3 == 1, axis % 3 == 2);
  crFreeBody body = *b;
  if (axis < 3) {
    body.p = crMulAdd(body.p, by, e);
  } else {
    body.q = crMulQuat(crAxisAngleToQuat(e, by), body.q);
  }
  return body;
}

static void forces_are_the_gradient_of_the_energy_for_all_shapes(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crRandom random = crMakeRandom(11);
  for (int i = 0; i < 300; ++i) {
    crFreeBody bodies[2] = { makeRandomBody(&random, 1), makeRandomBody(&random, 2) };
    double forces[12], depth = crRandom_Uniform(&random, 1e-3, 2e-3);
    bodies[1].p = crScale(5.0, bodies[1].p);
    crDistance d = distanceOf(&bodies[0], &bodies[1]);
    bodies[1].p = crMulAdd(bodies[1].p, -d.distance - depth, d.normal);
    computeForces(&bench, bodies, 2, forces);
    crMat3 R = crQuatToMat3(bodies[1].q);
    crVec3 f = crMulMV(R, crForceOfRow(forces, 1)), t = crMulMV(R, crTorqueOfRow(forces, 1));
    const double got[] = { f.x, f.y, f.z, t.x, t.y, t.z };
    for (int axis = 0; axis < 6; ++axis) {
      double h = 1e-7;
      crFreeBody more = moved(&bodies[1], axis, h), less = moved(&bodies[1], axis, -h);
      double slope =
          (energyOf(&bodies[0], &more, bench.stiffness) - energyOf(&bodies[0], &less, bench.stiffness)) / (2.0 * h);
      assert_close(got[axis], -slope, 1e-5 * bench.stiffness * depth);
    }
    // actio = reactio, also about the world's origin
    crMat3 R0 = crQuatToMat3(bodies[0].q);
    crVec3 f0 = crMulMV(R0, crForceOfRow(forces, 0)), t0 = crMulMV(R0, crTorqueOfRow(forces, 0));
    crVec3 sum = crAdd(crAdd(t, crCross(bodies[1].p, f)), crAdd(t0, crCross(bodies[0].p, f0)));
    assert_vec_close(crAdd(f, f0), crMakeVec3(0, 0, 0), 1e-9);
    assert_vec_close(sum, crMakeVec3(0, 0, 0), 1e-9);
  }
  freeBench(&bench);
}

static void parts_of_one_body_and_those_left_out_do_not_touch(void** state)
{
  (void)state;
  Bench bench = makeBench();
  double forces[12];
  crFreeBody bodies[2] = { crMakeFreeBody(7, cr_externalSphere, 1, 0, 0),
                           crMakeFreeBody(7, cr_externalSphere, 1, 0, 0) };
  bodies[1].p.x = 0.9;
  computeForces(&bench, bodies, 2, forces);
  assert_vec_close(crForceOfRow(forces, 1), crMakeVec3(0, 0, 0), 0.0);
  bodies[1].id = 8;
  computeForces(&bench, bodies, 2, forces);
  assert_true(forces[6] > 0.0);
  bodies[0].noCollision = 1;
  computeForces(&bench, bodies, 2, forces);
  assert_vec_close(crForceOfRow(forces, 1), crMakeVec3(0, 0, 0), 0.0);
  bodies[1].noCollision = 1; // none is left
  computeForces(&bench, bodies, 2, forces);
  assert_int_equal(crCollider_ComputeForces(bench.collider, 0, NULL, NULL), cr_ok);
  freeBench(&bench);
}

static void shapes_can_begin_at_their_origin(void** state)
{
  (void)state;
  crColliderDef def = crDefaultColliderDef();
  def.beginsAtOrigin = true;
  crErrorLog* log = crCreateErrorLog(NULL);
  Bench bench = { log, createCollider(&def, log), 1e5 };
  double forces[12];
  static const crExternalShape shapes[] = { cr_externalBox, cr_externalSphere, cr_externalCylinder, cr_externalCone };
  for (int i = 0; i < 4; ++i) { // reaches from 0 to 2; the other from 1.99 on
    crFreeBody bodies[2] = { crMakeFreeBody(1, shapes[i], 2, 1, 1), crMakeFreeBody(2, cr_externalBox, 2, 2, 2) };
    bodies[0].extra = 0.5;
    bodies[1].p.x = 1.99;
    computeForces(&bench, bodies, 2, forces);
    assert_vec_close(crForceOfRow(forces, 1), crMakeVec3(0.01 * bench.stiffness, 0, 0), 0.03 * 0.01 * bench.stiffness);
  }
  freeBench(&bench);
}

// -------------------------------------------------------------------------------------------- meshes

static void an_stl_cube_is_a_box(void** state)
{
  (void)state;
  Bench bench = makeBench();
  assert_int_equal(crCollider_ReadMesh(bench.collider, 20, crWriteStlCube("cube.stl")), cr_ok);
  crRandom random = crMakeRandom(3);
  for (int i = 0; i < 50; ++i) {
    double asMesh[12], asBox[12];
    crFreeBody bodies[2] = { crMakeFreeBody(1, cr_externalBox, 1, 1, 1), crMakeFreeBody(2, cr_externalBox, 1, 1, 1) };
    bodies[0].q = crRandom_Rotation(&random);
    bodies[1].q = crRandom_Rotation(&random);
    bodies[1].p = crScale(crRandom_Uniform(&random, 1.0, 1.2), crRandom_UnitVec3(&random));
    computeForces(&bench, bodies, 2, asBox);
    bodies[1].stl = 20;
    computeForces(&bench, bodies, 2, asMesh);
    for (int k = 0; k < 12; ++k) {
      assert_close(asMesh[k], asBox[k], 1e-6 * bench.stiffness);
    }
  }
  assert_int_equal(crCollider_ReadMesh(bench.collider, 20, crTestPath("cube.stl")), cr_errorModel);
  assert_non_null(strstr(crCollider_GetMessage(bench.collider), "the stl index 20 is taken already"));
  assert_int_equal(crCollider_ReadMesh(bench.collider, 21, crTestPath("none.stl")), cr_errorFile);
  freeBench(&bench);
}

// ---------------------------------------------------------------------------------------- bad input

static void assertRefused(Bench* bench, const double* rows, crStatus status, const char* says)
{
  double forces[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, before[12];
  memcpy(before, forces, sizeof before);
  assert_int_equal(crCollider_ComputeForces(bench->collider, 2, rows, forces), status);
  assert_memory_equal(forces, before, sizeof before);
  if (strstr(crCollider_GetMessage(bench->collider), says) == NULL) {
    fail_msg("'%s' is not in '%s'", says, crCollider_GetMessage(bench->collider));
  }
}

static void bad_rows_are_refused_with_their_number(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crFreeBody bodies[2] = { crMakeFreeBody(1, cr_externalBox, 1, 1, 1), crMakeFreeBody(2, cr_externalBox, 1, 1, 1) };
  double rows[2 * CR_BODY_INPUTS];
  double* second = rows + CR_BODY_INPUTS;
  crMakeBodyRows(bodies, 2, rows);
  second[1] = 99;
  assertRefused(&bench, rows, cr_errorModel, "body 2: unknown shape\n  found 99, allowed: 101 box");
  crMakeBodyRows(bodies, 2, rows);
  second[4] = 5;
  assertRefused(&bench, rows, cr_errorModel, "body 2: no mesh has this stl index\n  found 5");
  crMakeBodyRows(bodies, 2, rows);
  second[7] = -1;
  assertRefused(&bench, rows, cr_errorModel, "body 2");
  crMakeBodyRows(bodies, 2, rows);
  second[9] = 2;
  assertRefused(&bench, rows, cr_errorModel, "body 2: rx and ry are not orthogonal and of unit length");
  crMakeBodyRows(bodies, 2, rows);
  rows[18] = -1;
  assertRefused(&bench, rows, cr_errorModel, "body 1: S is not a rotation matrix");
  crMakeBodyRows(bodies, 2, rows);
  second[15] = NAN;
  assertRefused(&bench, rows, cr_retry, "");
  assert_int_equal(crCollider_ComputeForces(NULL, 2, rows, rows), cr_errorMisuse);
  assert_int_equal(crCollider_ComputeForces(bench.collider, -1, rows, rows), cr_errorMisuse);
  assert_int_equal(crCollider_ComputeForces(bench.collider, 1, NULL, rows), cr_errorMisuse);
  crMakeBodyRows(bodies, 2, rows);
  double forces[12];
  assert_int_equal(crCollider_ComputeForces(bench.collider, 2, rows, forces), cr_ok); // none the worse for it
  assert_string_equal(crCollider_GetMessage(bench.collider), "");
  freeBench(&bench);
}

static void bad_constants_are_refused_together(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crColliderDef def = { .size = sizeof def,
                        .stiffness = CR_ZERO,
                        .E = -1,
                        .nu = 2,
                        .cor = 2,
                        .muK = -1,
                        .muR = -1,
                        .kRed = -1,
                        .vMin = NAN,
                        .wMin = -1,
                        .hysteresis = -1,
                        .formula = (crDampingFormula)99,
                        .gravity = NAN };
  crCollider* collider;
  assert_int_equal(crCreateCollider(&def, NULL, &sink, &collider), cr_errorModel);
  assert_null(collider);
  assert_int_equal(crErrorLog_Count(log), 12);
  assert_message(log, cr_severityError, "collider: stiffness must be positive\n  found 0 N/m, allowed: > 0 N/m");
  assert_message(log, cr_severityError, "collider: nu is out of range");
  assert_message(log, cr_severityError, "collider: gravity must not be negative");
  crErrorLog_Clear(log);
  def = (crColliderDef){ .size = sizeof def - 8 };
  assert_int_equal(crCreateCollider(&def, NULL, &sink, &collider), cr_errorMisuse);
  assert_message(log, cr_severityError, "crColliderDef has an unknown size");
  def = (crColliderDef){ .size = sizeof def }; // and steel otherwise
  assert_int_equal(crCreateCollider(&def, NULL, &sink, &collider), cr_ok);
  crDestroyCollider(collider);
  crDestroyErrorLog(log);
}

static void an_opened_collider_says_later_what_was_wrong(void** state)
{
  (void)state;
  double row[CR_BODY_INPUTS], force[CR_BODY_OUTPUTS];
  crFreeBody body = crMakeFreeBody(1, cr_externalBox, 1, 1, 1);
  crMakeBodyRow(&body, row);
  int indices[] = { 3 };
  const char* files[] = { crTestPath("no_such.stl") };
  crCollider* collider = crOpenCollider(1e5, 0.5, 0, 0, indices, files, 1);
  assert_non_null(collider);
  assert_int_equal(crCollider_ComputeForces(collider, 1, row, force), cr_errorFile);
  assert_non_null(strstr(crCollider_GetMessage(collider), "no_such.stl"));
  crDestroyCollider(collider);
  collider = crOpenCollider(-1, 0.5, 0, 0, NULL, NULL, 0);
  assert_int_equal(crCollider_ComputeForces(collider, 1, row, force), cr_errorModel);
  assert_non_null(strstr(crCollider_GetMessage(collider), "stiffness must be positive"));
  crDestroyCollider(collider);
  files[0] = crWriteStlCube("good.stl");
  collider = crOpenCollider(1e5, 0.5, 0, 0, indices, files, 1);
  assert_int_equal(crCollider_ComputeForces(collider, 1, row, force), cr_ok);
  crDestroyCollider(collider);
  assert_non_null(strstr(crCollider_GetMessage(NULL), "out of memory"));
}

// --------------------------------------------------------------------------------------- simulation

static crStatus byPose(void* context, const crFreeBody* bodies, int count, double* forces)
{
  double rows[CR_MAX_FREE_BODIES * CR_BODY_INPUTS];
  crMakeBodyRows(bodies, count, rows);
  return crCollider_ComputeForces(context, count, rows, forces);
}

static void four_cubes_keep_momentum_and_energy(void** state)
{
  (void)state;
  for (int asMesh = 0; asMesh < 2; ++asMesh) {
    Bench bench = makeBench();
    assert_int_equal(crCollider_ReadMesh(bench.collider, 20, crWriteStlCube("four.stl")), cr_ok);
    crFreeBody bodies[4];
    crVec3 p0, l0, p1, l1;
    crMakeFourCubes(bodies, asMesh ? 20 : 0);
    double before = crSumKineticEnergy(bodies, 4), forces[24];
    assert_int_equal(byPose(bench.collider, bodies, 4, forces), cr_ok);
    for (int i = 0; i < 24; ++i) {
      assert_true(forces[i] == 0.0);
    }
    crSumMomenta(bodies, 4, &p0, &l0);
    for (int i = 0; i < 15000; ++i) {
      crStepBodies(byPose, bench.collider, bodies, 4, 2e-4);
    }
    crSumMomenta(bodies, 4, &p1, &l1);
    assert_vec_close(p1, p0, 1e-12);
    assert_vec_close(l1, l0, 1e-6);
    assert_close(crSumKineticEnergy(bodies, 4) / before, 1.0, 1e-3); // all apart again: nothing is stored
    assert_int_equal(byPose(bench.collider, bodies, 4, forces), cr_ok);
    for (int i = 0; i < 4; ++i) {
      assert_vec_close(crForceOfRow(forces, i), crMakeVec3(0, 0, 0), 0.0);
      assert_true(crLength(bodies[i].v) > 0.05); // each was hit
    }
    freeBench(&bench);
  }
}

static void no_result_depends_on_earlier_calls(void** state)
{
  (void)state;
  Bench bench = makeBench();
  crRandom random = crMakeRandom(77);
  for (int i = 0; i < 50; ++i) {
    double first[12], second[12];
    crFreeBody bodies[2] = { makeRandomBody(&random, 1), makeRandomBody(&random, 2) };
    Bench fresh = makeBench();
    computeForces(&fresh, bodies, 2, first);
    computeForces(&bench, bodies, 2, second);
    assert_memory_equal(first, second, sizeof first);
    freeBench(&fresh);
  }
  freeBench(&bench);
}

// ------------------------------------------------------------------------------------------- memory

static void memory_runs_out_cleanly_and_is_not_taken_twice(void** state)
{
  (void)state;
  crColliderDef def = crDefaultColliderDef();
  crFreeBody bodies[4];
  double rows[4 * CR_BODY_INPUTS], forces[24];
  crMakeFourCubes(bodies, 0);
  bodies[0].p.x = -0.9;
  crMakeBodyRows(bodies, 4, rows);
  bool isDone = false;
  for (long failAt = 0; !isDone; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crCollider* collider = NULL;
    crStatus status = crCreateCollider(&def, &allocator, NULL, &collider);
    status = status == cr_ok ? crCollider_ComputeForces(collider, 4, rows, forces) : status;
    isDone = status == cr_ok;
    assert_true(isDone || status == cr_errorMemory);
    long calls = counter.callCount;
    if (isDone) { // the same bodies elsewhere
      rows[15] -= 0.01;
      assert_int_equal(crCollider_ComputeForces(collider, 4, rows, forces), cr_ok);
      assert_int_equal(counter.callCount, calls);
    }
    crDestroyCollider(collider);
    assert_int_equal(counter.liveBlocks, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_that_overlap_are_pushed_apart_by_k_times_depth),
    cmocka_unit_test(torques_are_about_r_in_body_axes),
    cmocka_unit_test(forces_are_the_gradient_of_the_energy_for_all_shapes),
    cmocka_unit_test(parts_of_one_body_and_those_left_out_do_not_touch),
    cmocka_unit_test(shapes_can_begin_at_their_origin),
    cmocka_unit_test(an_stl_cube_is_a_box),
    cmocka_unit_test(bad_rows_are_refused_with_their_number),
    cmocka_unit_test(bad_constants_are_refused_together),
    cmocka_unit_test(an_opened_collider_says_later_what_was_wrong),
    cmocka_unit_test(four_cubes_keep_momentum_and_energy),
    cmocka_unit_test(no_result_depends_on_earlier_calls),
    cmocka_unit_test(memory_runs_out_cleanly_and_is_not_taken_twice),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
