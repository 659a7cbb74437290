// The second entry of colliders: the elastic law in another simulator, with events. The test is the simulator.
#include "support/free_bodies.h"
#include "support/impact.h"
#include "support/log.h"

#include <string.h>

typedef struct Simulator {
  crCollider* collider;
  crColliderMemory* memory;
  double rows[CR_MAX_FREE_BODIES * CR_BODY_INPUTS], motions[CR_MAX_FREE_BODIES * CR_BODY_MOTIONS];
  int eventCount;
} Simulator;

// Rubber, so that steps need not be short.
static crColliderDef makeDef(double cor, double muK)
{
  crColliderDef def = crDefaultColliderDef();
  def.E = 1e7;
  def.nu = 0.48;
  def.cor = cor;
  def.muK = muK != 0.0 ? muK : CR_ZERO;
  def.muR = CR_ZERO;
  return def;
}

static Simulator makeSimulator(const crColliderDef* def, const crErrorSink* sink)
{
  Simulator simulator = { 0 };
  assert_int_equal(crCreateCollider(def, NULL, sink, &simulator.collider), cr_ok);
  assert_int_equal(crCreateColliderMemory(simulator.collider, &simulator.memory), cr_ok);
  return simulator;
}

static void freeSimulator(Simulator* simulator)
{
  crDestroyColliderMemory(simulator->memory);
  crDestroyCollider(simulator->collider);
}

static void describe(Simulator* simulator, const crFreeBody* bodies, int count)
{
  crMakeBodyRows(bodies, count, simulator->rows);
  crMakeBodyMotions(bodies, count, simulator->motions);
}

static crStatus computeForces(void* context, const crFreeBody* bodies, int count, double* forces)
{
  Simulator* s = context;
  describe(s, bodies, count);
  return crCollider_ComputeElasticForces(s->collider, s->memory, count, s->rows, s->motions, forces);
}

static bool hasEvent(Simulator* s, const crFreeBody* bodies, int count)
{
  double z[2];
  describe(s, bodies, count);
  assert_int_equal(crCollider_ComputeIndicators(s->collider, s->memory, count, s->rows, s->motions, z), cr_ok);
  return z[0] > 0.0 || z[1] < 0.0;
}

static void resolve(Simulator* s, const crFreeBody* bodies, int count)
{
  describe(s, bodies, count);
  assert_int_equal(crCollider_ResolveEvent(s->collider, s->memory, count, s->rows, s->motions), cr_ok);
  ++s->eventCount;
}

// Steps of h; a step with an event is taken up to just behind it.
static void advance(Simulator* s, crFreeBody* bodies, int count, double h)
{
  crFreeBody start[CR_MAX_FREE_BODIES];
  memcpy(start, bodies, (size_t)count * sizeof *start);
  crStepBodies(computeForces, s, bodies, count, h);
  if (!hasEvent(s, bodies, count)) {
    return;
  }
  double low = 0.0, high = h;
  for (int i = 0; i < 50; ++i) {
    double middle = 0.5 * (low + high);
    memcpy(bodies, start, (size_t)count * sizeof *start);
    crStepBodies(computeForces, s, bodies, count, middle);
    *(hasEvent(s, bodies, count) ? &high : &low) = middle;
  }
  memcpy(bodies, start, (size_t)count * sizeof *start);
  crStepBodies(computeForces, s, bodies, count, high);
  resolve(s, bodies, count);
}

// ------------------------------------------------------------------------------------------- impacts

static void makeBalls(crFreeBody bodies[2])
{
  for (int i = 0; i < 2; ++i) {
    bodies[i] = crMakeFreeBody(i + 1, cr_externalSphere, 0.1, 0, 0);
    bodies[i].mass = 1.0 + i;
    bodies[i].p.x = i == 0 ? -0.06 : 0.06;
    bodies[i].v.x = i == 0 ? 1.0 : -1.0;
  }
}

static void two_balls_obtain_the_restitution_of_the_law(void** state)
{
  (void)state;
  for (int formula = 0; formula < 2; ++formula) {
    for (int i = 0; i < 3; ++i) {
      double cor = 0.2 + 0.3 * i;
      crColliderDef def = makeDef(cor, 0.0);
      def.formula = (crDampingFormula)formula;
      Simulator s = makeSimulator(&def, NULL);
      crFreeBody bodies[2];
      makeBalls(bodies);
      resolve(&s, bodies, 2);
      assert_int_equal(crColliderMemory_CountContacts(s.memory), 0);
      for (int k = 0; k < 3000; ++k) {
        advance(&s, bodies, 2, 2e-5);
      }
      assert_int_equal(s.eventCount, 3); // start, begin, end
      double obtained = (bodies[1].v.x - bodies[0].v.x) / 2.0;
      double expected = formula == cr_dampingExact ? cor : crComputeTrueCor(1.6 * (1.0 - cor) / cor);
      assert_close(obtained, expected, 2e-6);
      assert_close(bodies[0].v.x + 2.0 * bodies[1].v.x, -1.0, 1e-12);
      freeSimulator(&s);
    }
  }
}

static void four_cubes_lose_energy_and_keep_momentum(void** state)
{
  (void)state;
  crColliderDef def = makeDef(0.6, 0.3);
  Simulator s = makeSimulator(&def, NULL);
  crFreeBody bodies[4];
  crVec3 p0, l0, p1, l1;
  crMakeFourCubes(bodies, 0);
  resolve(&s, bodies, 4);
  double before = crSumKineticEnergy(bodies, 4);
  crSumMomenta(bodies, 4, &p0, &l0);
  for (int i = 0; i < 15000; ++i) {
    advance(&s, bodies, 4, 2e-4);
    assert_true(crSumKineticEnergy(bodies, 4) < before * (1.0 + 1e-6));
  }
  crSumMomenta(bodies, 4, &p1, &l1);
  assert_vec_close(p1, p0, 1e-11);
  assert_vec_close(l1, l0, 1e-5);
  assert_int_equal(crColliderMemory_CountContacts(s.memory), 0);
  assert_true(s.eventCount > 6);
  double after = crSumKineticEnergy(bodies, 4);
  assert_true(after < 0.95 * before && after > 0.2 * before);
  freeSimulator(&s);
}

// ----------------------------------------------------------------------------------- contacts, forces

static void only_what_an_event_took_up_pushes(void** state)
{
  (void)state;
  crColliderDef def = makeDef(0.5, 0.4);
  Simulator s = makeSimulator(&def, NULL);
  double forces[12], z[2];
  crFreeBody bodies[2];
  makeBalls(bodies);
  bodies[0].p.x = -0.0499; // 2e-4 deep
  bodies[1].p.x = 0.0499;
  assert_int_equal(computeForces(&s, bodies, 2, forces), cr_ok);
  assert_vec_close(crForceOfRow(forces, 1), crMakeVec3(0, 0, 0), 0.0);
  assert_int_equal(crCollider_ComputeIndicators(s.collider, s.memory, 2, s.rows, s.motions, z), cr_ok);
  assert_true(z[0] == -1.0 && z[1] < 0.0);
  resolve(&s, bodies, 2);
  assert_int_equal(crColliderMemory_CountContacts(s.memory), 1);
  assert_int_equal(computeForces(&s, bodies, 2, forces), cr_ok);
  double d = 1.6 / 2.0, k = 4.0 / 3.0 * sqrt(0.025) * 0.5 * def.E / (1.0 - def.nu * def.nu);
  double fn = k * pow(2e-4, 1.5) * (1.0 + d * 2.0);
  assert_close(crForceOfRow(forces, 1).x / fn, 1.0, 1e-9);
  assert_close(crForceOfRow(forces, 0).x / fn, -1.0, 1e-9);
  bodies[1].v = crMakeVec3(-1.0, 2.0, 0.0); // slides, as fast into it as before: the memory has not changed
  assert_int_equal(computeForces(&s, bodies, 2, forces), cr_ok);
  assert_close(crForceOfRow(forces, 1).x / fn, 1.0, 1e-9);
  assert_close(crForceOfRow(forces, 1).y / fn, -0.4, 1e-9);
  assert_close(crTorqueOfRow(forces, 1).z / (0.4 * fn * 0.0499), 1.0, 1e-9); // about its centre: (-r, 0) x (0, -f)
  bodies[1].p.x = 0.2; // far away, without an event: told, and nothing pushes
  assert_int_equal(computeForces(&s, bodies, 2, forces), cr_ok);
  assert_vec_close(crForceOfRow(forces, 1), crMakeVec3(0, 0, 0), 0.0);
  assert_int_equal(crCollider_ComputeIndicators(s.collider, s.memory, 2, s.rows, s.motions, z), cr_ok);
  assert_true(z[0] > 0.0 && z[1] > 0.0);
  resolve(&s, bodies, 2);
  assert_int_equal(crColliderMemory_CountContacts(s.memory), 0);
  freeSimulator(&s);
}

static void what_cannot_be_meant_is_refused(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crColliderDef def = makeDef(0.5, 0.4);
  Simulator s = makeSimulator(&def, &sink);
  double forces[12], z[2];
  crFreeBody bodies[2];
  makeBalls(bodies);
  describe(&s, bodies, 2);
  s.motions[CR_BODY_MOTIONS + 6] = 0.0;
  assert_int_equal(crCollider_ResolveEvent(s.collider, s.memory, 2, s.rows, s.motions), cr_errorModel);
  assert_message(log, cr_severityError, "collider: the mass of body 2 is not positive: 0 kg");
  s.motions[CR_BODY_MOTIONS + 6] = 1.0;
  s.motions[2] = NAN;
  assert_int_equal(crCollider_ComputeElasticForces(s.collider, s.memory, 2, s.rows, s.motions, forces), cr_retry);
  assert_int_equal(crCollider_ComputeElasticForces(s.collider, NULL, 2, s.rows, s.motions, forces), cr_errorMisuse);
  assert_int_equal(crCollider_ComputeElasticForces(s.collider, s.memory, 2, s.rows, NULL, forces), cr_errorMisuse);
  assert_int_equal(crCollider_ComputeIndicators(NULL, s.memory, 2, s.rows, s.motions, z), cr_errorMisuse);
  assert_int_equal(crCollider_ResolveEvent(s.collider, s.memory, -1, s.rows, s.motions), cr_errorMisuse);
  assert_int_equal(crCollider_ComputeIndicators(s.collider, s.memory, 0, NULL, NULL, z), cr_ok);
  assert_true(z[0] == -1.0 && z[1] == 1.0);
  assert_int_equal(crColliderMemory_CountContacts(NULL), 0);
  freeSimulator(&s);
  crDestroyErrorLog(log);
}

static void an_event_without_memory_changes_nothing(void** state)
{
  (void)state;
  crColliderDef def = makeDef(0.5, 0.4);
  crFreeBody bodies[2];
  makeBalls(bodies);
  bodies[0].p.x = -0.049;
  bodies[1].p.x = 0.049;
  bool isDone = false;
  for (long failAt = 0; !isDone; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    Simulator s = { 0 };
    describe(&s, bodies, 2);
    crStatus status = crCreateCollider(&def, &allocator, NULL, &s.collider);
    status = status == cr_ok ? crCreateColliderMemory(s.collider, &s.memory) : status;
    status = status == cr_ok ? crCollider_ResolveEvent(s.collider, s.memory, 2, s.rows, s.motions) : status;
    isDone = status == cr_ok;
    assert_true(isDone || status == cr_errorMemory);
    assert_int_equal(crColliderMemory_CountContacts(s.memory), isDone ? 1 : 0);
    freeSimulator(&s);
    assert_int_equal(counter.liveBlocks, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_balls_obtain_the_restitution_of_the_law),
    cmocka_unit_test(four_cubes_lose_energy_and_keep_momentum),
    cmocka_unit_test(only_what_an_event_took_up_pushes),
    cmocka_unit_test(what_cannot_be_meant_is_refused),
    cmocka_unit_test(an_event_without_memory_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
