// Sensors of contacts against weights and momenta; what they read is fed back by sampled functions alone.
#include "support/lua.h"
#include "support/test_run.h"

#include <stdio.h>

#define GRAVITY 9.81 // [m/s^2]

#define STAGE                                                                                                          \
  "solidMaterial('Soft', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                     \
  "contactPair('Soft', 'Soft', { cor = 0.5, muK = 0.3, muR = 0 })\n"                                                   \
  "world('floor', { solid{ shape = halfSpace{}, contact = 'Soft' } })\n"

// A box of 0.2 x 0.1 x 0.06 m that lies at (x, y) on z.
#define BOX(name, mass, x, y, z)                                                                                       \
  "object('" name "', { parent = 'floor', free = true, start = 'rest', position = { " #x ", " #y ", " #z               \
  " + 0.03 },\n"                                                                                                       \
  "  solid{ shape = box{ size = { 0.2, 0.1, 0.06 } }, mass = " #mass ", contact = 'Soft' } })\n"

static crTestRun openBench(const char* text, double stop)
{
  return crOpenTestText(text, stop, 1e-9, cr_solverAuto);
}

static double valueAt(crTestRun* bench, double t, const char* signal)
{
  char name[64];
  snprintf(name, sizeof name, "%s.value", signal);
  return crTestRun_ValueAt(bench, t, name);
}

// ------------------------------------------------------------------------------------------- closed forms

// m g on the floor, over the face of the box; what acts on the floor is opposite, with its lever.
static void a_box_at_rest_weighs_m_g_over_its_face(void** state)
{
  (void)state;
  const double weight = 2.0 * GRAVITY;
  crTestRun bench = openBench(
      STAGE BOX("box", 2, 0.4, 0.3,
                0.0) "object('turned', { parent = 'floor', rotation = { 0, math.pi / 2, 0 } })\n"
                     "for _, q in ipairs{ 'force', 'torque', 'normalForce', 'area', 'pressure', 'depth' } do\n"
                     "  contactSensor(q, { object = 'box', quantity = q, component = 'z' })\n"
                     "end\n"
                     "contactSensor('fx', { object = 'box', component = 'x' })\n"
                     "contactSensor('along', { object = 'box', component = 'x', frame = 'turned' })\n"
                     "contactSensor('onFloor', { object = 'floor', other = 'box', component = 'z' })\n"
                     "contactSensor('tx', { object = 'floor', quantity = 'torque', component = 'x' })\n"
                     "contactSensor('ty', { object = 'floor', other = 'box', quantity = 'torque', component = 'y' })\n"
                     "contactSensor('nothing', { object = 'box', other = 'turned', component = 'z' })\n",
      1.0);
  assert_close(valueAt(&bench, 1.0, "force"), weight, 1e-6 * weight);
  assert_close(valueAt(&bench, 1.0, "normalForce"), weight, 1e-6 * weight);
  assert_close(valueAt(&bench, 1.0, "fx"), 0.0, 1e-6);
  assert_close(valueAt(&bench, 1.0, "along"), -weight, 1e-6 * weight); // its x is down
  assert_close(valueAt(&bench, 1.0, "torque"), 0.0, 1e-6);
  assert_close(valueAt(&bench, 1.0, "area"), 0.02, 1e-3 * 0.02);
  assert_close(valueAt(&bench, 1.0, "normalForce") / valueAt(&bench, 1.0, "area"), weight / 0.02, 1e-3 * weight / 0.02);
  assert_true(valueAt(&bench, 1.0, "pressure") > 0.5 * weight / 0.02);
  assert_true(valueAt(&bench, 1.0, "depth") > 0.0 && valueAt(&bench, 1.0, "depth") < 1e-4);
  assert_close(valueAt(&bench, 1.0, "onFloor"), -weight, 1e-6 * weight);
  assert_close(valueAt(&bench, 1.0, "tx"), -0.3 * weight, 1e-6 * weight);
  assert_close(valueAt(&bench, 1.0, "ty"), 0.4 * weight, 1e-6 * weight);
  assert_true(valueAt(&bench, 1.0, "nothing") == 0.0);
  crCloseTestRun(&bench);
}

// The lower one is pushed up by the weight of both and down by that of the upper one.
static void boxes_on_each_other_pass_on_their_weights(void** state)
{
  (void)state;
  crTestRun bench =
      openBench(STAGE BOX("lower", 2, 0, 0, 0.0) BOX("upper", 3, 0, 0, 0.06)
                    BOX("beside", 4, 1, 0,
                        0.0) "contactSensor('between', { object = 'upper', other = 'lower', component = 'z' })\n"
                             "contactSensor('ground', { object = 'lower', other = 'floor', component = 'z' })\n"
                             "contactSensor('all', { object = 'lower', component = 'z' })\n"
                             "contactSensor('pressed', { object = 'lower', quantity = 'normalForce' })\n"
                             "contactSensor('carried', { object = 'floor', component = 'z' })\n",
                1.0);
  assert_close(valueAt(&bench, 1.0, "between"), 3 * GRAVITY, 1e-5 * GRAVITY);
  assert_close(valueAt(&bench, 1.0, "ground"), 5 * GRAVITY, 1e-5 * GRAVITY);
  assert_close(valueAt(&bench, 1.0, "all"), 2 * GRAVITY, 1e-5 * GRAVITY);
  assert_close(valueAt(&bench, 1.0, "pressed"), 8 * GRAVITY, 1e-5 * GRAVITY);
  assert_close(valueAt(&bench, 1.0, "carried"), -9 * GRAVITY, 1e-5 * GRAVITY);
  crCloseTestRun(&bench);
}

// While it bounces, the contact force is what changes the momentum, besides gravity. Balls touch at a point.
static void contact_forces_change_momenta(void** state)
{
  (void)state;
  static const char* const shapes[] = { "sphere{ radius = 0.05 }", "box{ size = { 0.1, 0.1, 0.1 } }" };
  for (int i = 0; i < 2; ++i) {
    char text[1600];
    snprintf(text, sizeof text,
             STAGE
             "object('body', { parent = 'floor', free = true, position = { 0, 0, 0.06 }, velocity = { 0, 0, -1 },\n"
             "  solid{ shape = %s, mass = 2, contact = 'Soft' } })\n"
             "contactSensor('f', { object = 'body', component = 'z' })\n"
             "contactSensor('area', { object = 'body', quantity = 'area' })\n"
             "subtreeSensor('p', { object = 'body', quantity = 'momentum', component = 'z' })\n",
             shapes[i]);
    crTestRun bench = openBench(text, 0.1);
    const double h = 1e-6;
    int touching = 0;
    for (double t = 0.0005; t < 0.02; t += 0.0005) {
      double before = valueAt(&bench, t - h, "p"), f = valueAt(&bench, t, "f"), area = valueAt(&bench, t, "area");
      double rate = (valueAt(&bench, t + h, "p") - before) / (2.0 * h);
      assert_close(rate, f - 2.0 * GRAVITY, 1e-3 * (1.0 + fabs(f)));
      assert_true(area >= 0.0 && (i == 1 || area == 0.0));
      touching += f > 1.0;
    }
    assert_true(touching > 0 && touching < 35);
    crCloseTestRun(&bench);
  }
}

// --------------------------------------------------------------------------------------------- feedback

// A plate that is pressed on a box by a force which a controller raises until the contact force is 50 N.
static void a_sampled_controller_feeds_contact_forces_back(void** state)
{
  (void)state;
  crTestRun bench = openBench(
      STAGE "object('plate', { solid{ shape = box{ size = { 0.1, 0.1, 0.02 } }, mass = 1, contact = 'Soft' } })\n"
            "prismatic('guide', 'floor', 'plate', { axis = 'z', start = 0.01, canCollide = true, damping = 20,\n"
            "  force = 'control' })\n"
            "contactSensor('felt', { object = 'plate', other = 'floor', component = 'z' })\n"
            "sampled('control', { inputs = { f = 'felt' }, state = { u = 0 }, period = 0.01,\n"
            "  code = 'u = u - 0.3 * (50 - f) return u' })\n",
      2.0);
  assert_close(valueAt(&bench, 2.0, "felt"), 50.0, 0.05);
  assert_close(valueAt(&bench, 2.0, "control"), -(50.0 - GRAVITY), 0.05);
  crCloseTestRun(&bench);
}

static void assertRefused(const char* text, const char* says)
{
  char whole[1600];
  snprintf(whole, sizeof whole, STAGE BOX("box", 2, 0, 0, 0.0) "%s", text);
  crTestModel read = crTestModel_Read(whole, NULL);
  crModel* model = NULL;
  if (read.scene != NULL && read.status == cr_ok) {
    assert_int_equal(crCompile(read.scene, NULL, NULL, &read.sink, &model), cr_errorModel);
  }
  assert_null(model);
  assert_message(read.log, cr_severityError, says);
  crTestModel_Free(&read);
}

static void mistakes_are_named(void** state)
{
  (void)state;
  assertRefused("contactSensor('s', {})", "object is missing");
  assertRefused("contactSensor('s', { object = 'bax' })", "did you mean 'box'?");
  assertRefused("contactSensor('s', { object = 'box', other = 'flor' })", "did you mean 'floor'?");
  assertRefused("contactSensor('s', { object = 'box', frame = 'up' })", "frame is unknown");
  assertRefused("contactSensor('s', { object = 'box', quantity = 'weight' })", "quantity is not one of its values");
  assertRefused("object('o', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                "revolute('r', 'floor', 'o', { torque = contactSensor('s', { object = 'box' }) })",
                "the drive depends on accelerations, reactions or contacts, which depend on the drive");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_box_at_rest_weighs_m_g_over_its_face),
    cmocka_unit_test(boxes_on_each_other_pass_on_their_weights),
    cmocka_unit_test(contact_forces_change_momenta),
    cmocka_unit_test(a_sampled_controller_feeds_contact_forces_back),
    cmocka_unit_test(mistakes_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
