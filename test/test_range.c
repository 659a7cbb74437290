// Sensors of distances and rays, and inertial measurement units: against closed forms, and rays against a march by
// distances.
#include "carom/collide.h"
#include "support/lua.h"
#include "support/random.h"
#include "support/test_run.h"

#include "model/eval/instance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81 // [m/s^2]

// Solids of many shapes on posts, and a lamp that looks at them.
static const char* const shapes[] = { "sphere{ radius = 0.4 }",
                                      "box{ size = { 0.6, 0.8, 1 } }",
                                      "ellipsoid{ radii = { 0.3, 0.4, 0.6 } }",
                                      "cylinder{ radius = 0.4, length = 0.8 }",
                                      "cone{ radius = 0.5, length = 0.9 }",
                                      "capsule{ radius = 0.3, length = 0.5 }",
                                      "cone{ radius = 0.5, topRadius = 0.2, length = 0.7 }",
                                      "box{ size = { 0.7, 0.7, 0.7 }, rounding = 0.1 }" };

static void rays_meet_balls_boxes_and_planes_where_geometry_says(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
      "object('ball', { parent = w, position = { 3, 0, 1 }, solid{ shape = sphere{ radius = 0.5 }, contact = 'Steel' } "
      "})\n"
      "object('crate', { parent = w, position = { 6, 0, 1 }, solid{ shape = box{ size = { 1, 4, 2 } }, contact = "
      "'Steel' } })\n"
      "local eye = object('eye', { parent = w, position = { 0, 0.3, 1 } })\n"
      "local body = object('body', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\nrevolute('j', w, body)\n"
      "local function ray(name, fields)\n  fields.object = eye\n  fields.range = 10\n  raySensor(name, fields)\nend\n"
      "ray('first', {})\nray('normal', { quantity = 'normal', component = 'y' })\nray('who', { quantity = 'object' })\n"
      "ray('toCrate', { other = 'crate' })\nray('down', { direction = { 0, 0, -2 } })\nray('up', { direction = 'z' })\n"
      "ray('nobody', { direction = 'z', quantity = 'object' })\n"
      "ray('slanted', { direction = { 1, 0, -1 } })\nray('past', { direction = { 3, 0.25, 0 } })\n",
      0.1, 1e-8, cr_solverAuto);
  assert_close(crTestRun_Value(&run, "first.value"), 3 - sqrt(0.25 - 0.09), 1e-10);
  assert_close(crTestRun_Value(&run, "normal.value"), 0.3 / 0.5, 1e-9);
  assert_close(crTestRun_Value(&run, "who.value"), 2, 0); // w, ball, crate, ...
  assert_close(crTestRun_Value(&run, "toCrate.value"), 5.5, 1e-11);
  assert_close(crTestRun_Value(&run, "down.value"), 1, 1e-11);
  assert_close(crTestRun_Value(&run, "up.value"), 10, 0);
  assert_close(crTestRun_Value(&run, "nobody.value"), 0, 0);
  assert_close(crTestRun_Value(&run, "slanted.value"), sqrt(2), 1e-11);
  // at y = 0.55 above the ball: it goes by and meets the crate
  assert_close(crTestRun_Value(&run, "past.value"), 5.5 * sqrt(1 + 1.0 / 144), 1e-10);
  crCloseTestRun(&run);
}

// Of any shape: the end of the ray touches the solid, and no point before it is inside, as signed distances of a small
// ball tell.
static void rays_end_on_the_surface_of_any_shape(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(21);
  int hits = 0;
  for (int round = 0; round < 240; ++round) {
    crQuat q = crRandom_Rotation(&random);
    crVec3 from = crScale(3, crRandom_UnitVec3(&random));
    crVec3 to = crScale(0.5, crRandom_UnitVec3(&random)), d = crSub(to, from);
    char text[2048];
    snprintf(text, sizeof text,
             "local w = world('w')\n"
             "object('o', { parent = w, rotation = { %.17g, %.17g, %.17g, %.17g }, solid{ shape = %s, contact = "
             "'Steel' } })\n"
             "local eye = object('eye', { parent = w, position = { %.17g, %.17g, %.17g } })\n"
             "revolute('j', w, object('body', { mass{ mass = 1, inertia = { 1, 1, 1 } } }))\n"
             "raySensor('r', { object = eye, direction = { %.17g, %.17g, %.17g }, range = 8 })\n",
             q.w, q.x, q.y, q.z, shapes[round % 8], from.x, from.y, from.z, d.x, d.y, d.z);
    crTestRun run = crOpenTestText(text, 0.1, 1e-8, cr_solverAuto);
    double length = crTestRun_Value(&run, "r.value");
    crShapeDef def = crDefaultShapeDef(cr_shapeSphere);
    def.as.sphere.radius = 1e-9;
    crShape* point = NULL;
    assert_int_equal(crCreateShape(&def, NULL, NULL, &point), cr_ok);
    crPose X_WS = crMulPose(crGetBodyPose(run.instance, 0), crModel_GetContactShape(run.model, 0)->X_BS); // the world's
    crVec3 u = crNormalize(d);
    double least = HUGE_VAL;
    for (int i = 0; i <= 200; ++i) {
      crPose X_WP = crIdentityPose();
      crDistance distance;
      X_WP.p = crMulAdd(from, fmin(length, 8) * i / 200, u);
      assert_int_equal(crComputeDistance(point, &X_WP, crModel_GetShape(run.model, 0), &X_WS, NULL, &distance), cr_ok);
      least = fmin(least, distance.distance);
      if (i == 200 && length < 8) {
        assert_close(distance.distance, -1e-9, 1e-8);
        ++hits;
      }
    }
    assert_true(least > -1e-8);
    crDestroyShape(point);
    crCloseTestRun(&run);
  }
  assert_true(hits > 60);
}

// A ball on a slide above a box: the distance of their surfaces, positive and negative, and its normal.
static void distances_of_solids_are_those_of_their_surfaces(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "scene{ gravity = 'none', contactDetection = true, response = 'observer' }\n"
      "local w = world('w')\n"
      "local crate = object('crate', { parent = w, solid{ shape = box{ size = { 2, 2, 2 } }, contact = 'Steel' } })\n"
      "local ball = object('ball', { solid{ shape = sphere{ radius = 0.5 }, material = 'Steel', contact = 'Steel' } "
      "})\n"
      "prismatic('rail', w, ball, { axis = 'z', start = 4, startRate = -1 })\n"
      "distanceSensor('gap', { objectA = crate, objectB = ball })\n"
      "distanceSensor('n', { objectA = crate, objectB = ball, quantity = 'normal', component = 'z' })\n",
      3.0, 1e-8, cr_solverAuto);
  assert_close(crTestRun_ValueAt(&run, 1.0, "gap.value"), 1.5, 1e-12);
  assert_close(crTestRun_Value(&run, "n.value"), 1, 1e-12);
  assert_close(crTestRun_ValueAt(&run, 2.75, "gap.value"), -0.25, 1e-12);
  crCloseTestRun(&run);
}

// At rest it feels what holds it against gravity; falling freely nothing; on a turntable the centripetal acceleration.
static void an_imu_feels_specific_force_and_spin(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestText("local w = world('w')\nlocal function block(name, fields)\n"
                     "  fields[1] = mass{ mass = 1, inertia = { 1, 1, 1 } }\n  return object(name, fields)\nend\n"
                     "local resting = object('resting', { parent = w, rotation = { pi / 2, 0, 0 } })\n"
                     "local falling = block('falling', { parent = w, free = true, position = { 0, 0, 9 }, "
                     "angularVelocity = { 1, 2, 3 } })\n"
                     "local table_ = block('turntable', {})\n"
                     "revolute('j', w, table_, { motion = path('p', { values = { 0, 100 }, maxVelocity = 4, "
                     "maxAcceleration = 1e3 }) })\n"
                     "local rim = object('rim', { parent = table_, position = { 0.5, 0, 0 } })\n"
                     "for _, c in ipairs{ 'x', 'y', 'z' } do\n"
                     "  imu('rest' .. c, { object = resting, component = c })\n  imu('fall' .. c, { object = falling, "
                     "component = c })\n"
                     "  imu('rim' .. c, { object = rim, component = c })\n"
                     "  imu('spin' .. c, { object = rim, component = c, quantity = 'angularVelocity' })\n"
                     "end\n",
                     1.0, 1e-9, cr_solverAuto);
  crTestRun_Advance(&run, 0.7);
  assert_close(crTestRun_Value(&run, "restx.value"), 0, 1e-12);
  assert_close(crTestRun_Value(&run, "resty.value"), G, 1e-12);
  assert_close(crTestRun_Value(&run, "restz.value"), 0, 1e-12);
  assert_close(crTestRun_Value(&run, "fallx.value"), 0, 1e-12);
  assert_close(crTestRun_Value(&run, "fallz.value"), 0, 1e-12);
  assert_close(crTestRun_Value(&run, "rimx.value"), -0.5 * 16, 1e-10);
  assert_close(crTestRun_Value(&run, "rimy.value"), 0, 1e-10);
  assert_close(crTestRun_Value(&run, "rimz.value"), G, 1e-12);
  assert_close(crTestRun_Value(&run, "spinz.value"), 4, 1e-12);
  crCloseTestRun(&run);
}

// A ray in a controller: a cart keeps its distance from a wall by a function of what the ray tells.
static void a_function_may_read_a_ray(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(
      "scene{ gravity = 'none' }\nlocal w = world('w')\n"
      "object('wall', { parent = w, position = { 5, 0, 0 }, solid{ shape = box{ size = { 1, 4, 4 } }, contact = "
      "'Steel' } })\n"
      "local cart = object('cart', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
      "local law = userFunction('law', { inputs = { d = raySensor('ray', { object = cart, range = 20 }),\n"
      "  v = jointSensor('v', { joint = 'rail', quantity = 'rate' }) }, code = 'return 9 * (d - 1) - 6 * v' })\n"
      "prismatic('rail', w, cart, { force = law })\n",
      5.0, 1e-8, cr_solverAuto);
  assert_close(crTestRun_ValueAt(&run, 5.0, "rail.position"), 3.5, 1e-4);
  assert_close(crTestRun_Value(&run, "ray.value"), 1.0, 1e-4);
  crCloseTestRun(&run);
}

static void faults_of_range_sensors_are_told(void** state)
{
  (void)state;
  static const struct {
    const char* line;
    const char* says;
    bool isRead;
  } cases[] = {
    { "raySensor('r', { object = 'o', range = 0 })", "range", false },
    { "raySensor('r', { object = 'o' })", "range", false },
    { "raySensor('r', { range = 1 })", "object", false },
    { "raySensor('r', { object = 'o', range = 1, direction = { 0 / 0, 0, 0 } })", "direction", false },
    { "raySensor('r', { object = 'x', range = 1 })", "object is unknown", true },
    { "raySensor('r', { object = 'o', range = 1, other = 'p' })", "nothing that could be met", true },
    { "distanceSensor('r', { objectA = 'o', objectB = 'p' })", "nothing that could be met", true },
    { "distanceSensor('r', { objectA = 'o' })", "objectB", false },
    { "imu('r', {})", "object", false },
    { "imu('r', { object = 'o', quantity = 'force' })", "quantity", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024];
    snprintf(text, sizeof text,
             "local w = world('w')\n"
             "object('o', { parent = w, solid{ shape = sphere{ radius = 1 }, contact = 'Steel' } })\n"
             "object('p', { parent = w })\n%s\n",
             cases[i].line);
    crTestModel model = crTestModel_Read(text, NULL);
    crModel* compiled = NULL;
    assert_int_equal(model.status, cases[i].isRead ? cr_ok : cr_errorModel);
    if (cases[i].isRead) {
      assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
    }
    assert_true(crTestModel_Says(&model, cases[i].says));
    assert_true(crTestModel_Says(&model, "r: "));
    crTestModel_Free(&model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rays_meet_balls_boxes_and_planes_where_geometry_says),
    cmocka_unit_test(rays_end_on_the_surface_of_any_shape),
    cmocka_unit_test(distances_of_solids_are_those_of_their_surfaces),
    cmocka_unit_test(an_imu_feels_specific_force_and_spin),
    cmocka_unit_test(a_function_may_read_a_ray),
    cmocka_unit_test(faults_of_range_sensors_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
