// Area contacts at work: restitution as asked for on face, edge and corner, friction over the patch, thin plates,
// rolling.
#include "support/test_run.h"

#include <stdio.h>

#define G 9.81

static const char* const material = "solidMaterial('m', { density = 1000, E = p.E, nu = 0.3 })\n"
                                    "contactPair('m', 'm', { cor = p.cor, muK = p.mu, muR = 0 })\n"
                                    "local room = world('w', p.plate > 0 and {} or\n"
                                    "  { solid{ shape = halfSpace{}, contact = 'm' } })\n";

static crTestRun open(const char* parameters, const char* scene, const char* body, double stop, double tolerance)
{
  char text[4000];
  snprintf(text, sizeof text,
           "local p = { E = 1e8, cor = 1, mu = 0, plate = 0 }\n%s\nscene{ %s }\n%s"
           "local function body(shape, place, more)\n"
           "  local def = { parent = room, free = true, position = place,\n"
           "    solid{ shape = shape, material = 'm', contact = 'm' } }\n"
           "  for k, v in pairs(more) do def[k] = v end\n"
           "  object('body', def)\n"
           "end\n%s\n",
           parameters, scene, material, body);
  return crOpenTestRun(&(crTestPlan){ .text = text, .stop = stop, .tolerance = tolerance });
}

// Turned so that a face, an edge, a corner is lowest, with its middle above.
static const char* const cubes[] = {
  "body(box{ size = { 0.1, 0.1, 0.1 } }, { 0, 0, 0.15 }, { velocity = { 0, 0, -1 } })",
  "body(box{ size = { 0.1, 0.1, 0.1 } }, { 0, 0, 0.15 }, { velocity = { 0, 0, -1 },\n"
  "  rotation = { axis = 'x', angle = math.pi / 4 } })",
  "body(box{ size = { 0.1, 0.1, 0.1 } }, { 0, 0, 0.15 }, { velocity = { 0, 0, -1 },\n"
  "  rotation = { axis = { 1, -1, 0 }, angle = math.acos(1 / math.sqrt(3)) } })",
};

static void restitution_is_as_asked_for_on_face_edge_and_corner(void** state)
{
  (void)state;
  static const double cors[] = { 0.2, 0.5, 0.8, 1.0 };
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) {
      char parameters[64];
      snprintf(parameters, sizeof parameters, "p.cor = %g", cors[i]);
      crTestRun run = open(parameters, "gravity = 'none'", cubes[k], 0.2, 1e-8);
      crTestRun_Advance(&run, 0.2);
      assert_close(crTestRun_Value(&run, "body.velocity.z"), cors[i], 1e-5);
      crCloseTestRun(&run);
    }
  }
}

// With one surface only, a corner goes through a plate that is soft or thin.
static void a_corner_rebounds_from_a_thin_plate(void** state)
{
  (void)state;
  static const double moduli[] = { 1e7, 1e8, 1e9, 1e10 };
  for (int i = 0; i < 4; ++i) {
    char parameters[64], body[600];
    snprintf(parameters, sizeof parameters, "p.E, p.plate = %g, 1", moduli[i]);
    snprintf(body, sizeof body,
             "object('plate', { parent = room, solid{ shape = box{ size = { 1, 1, 0.002 } }, contact = 'm' } })\n%s",
             cubes[2]);
    crTestRun run = open(parameters, "gravity = 'none'", body, 0.3, 1e-8);
    crTestRun_Advance(&run, 0.3);
    assert_close(crTestRun_Value(&run, "body.velocity.z"), 1.0, 1e-5);
    crCloseTestRun(&run);
  }
}

// v^2 / (2 mu g), and a little creep at the end.
static void a_sliding_box_stops_where_friction_says(void** state)
{
  (void)state;
  crTestRun run = open(
      "p.cor, p.mu = 0.5, 0.5", "",
      "body(box{ size = { 0.2, 0.2, 0.1 } }, { 0, 0, 0.05 }, { velocity = { 1, 0, 0 }, start = 'rest' })", 1.0, 1e-8);
  crTestRun_Advance(&run, 1.0);
  assert_close(crTestRun_Value(&run, "body.position.x"), 1.0 / (2.0 * 0.5 * G), 2e-4);
  assert_close(crTestRun_Value(&run, "body.velocity.x"), 0.0, 1e-6);
  crContactRecord contact = crContacts_Get(crSimulation_GetSet(run.simulation).contacts, 0);
  assert_close(contact.area, 0.04, 1e-4);
  assert_true(contact.damping == 0.0 && contact.radius == 0.0); // nothing is frozen
  crCloseTestRun(&run);
}

// A flat disc that spins: 2/3 mu N R, so that w' = -4/3 mu g / R.
static void a_spinning_disc_is_stopped_by_the_torque_of_a_round_flat(void** state)
{
  (void)state;
  crTestRun run = open("p.cor, p.mu = 0.5, 0.2", "",
                       "body(cylinder{ radius = 0.05, length = 0.01 }, { 0, 0, 0.005 },\n"
                       "  { angularVelocity = { 0, 0, 30 }, start = 'rest' })",
                       0.4, 1e-8);
  crTestRun_Advance(&run, 0.4);
  assert_close(crTestRun_Value(&run, "body.angularVelocity.z"), 30.0 - 4.0 / 3.0 * 0.2 * G / 0.05 * 0.4, 0.05);
  crCloseTestRun(&run);
}

// No polygon, no ripple: what rolls goes on, and down a slope it has 2/3 g sin a.
static void a_cylinder_rolls_as_a_round_thing(void** state)
{
  (void)state;
  const char* rolling = "body(cylinder{ radius = 0.05, length = 0.1, axis = 'y' }, { 0, 0, 0.05 },\n"
                        "  { velocity = { 1, 0, 0 }, angularVelocity = { 0, 20, 0 }, start = 'rest' })";
  crTestRun run = open("p.mu = 0.5", "", rolling, 1.0, 1e-9);
  crTestRun_Advance(&run, 1.0); // 3.2 turns
  assert_close(crTestRun_Value(&run, "body.velocity.x"), 1.0, 1e-5);
  crCloseTestRun(&run);
}

// Steel boxes that slide down on each other, 50 m from where their slides are zero: they lie nanometres deep, less than
// differences of such coordinates move them. Jacobians were of no use, and took most of 16,000 steps.
static void slides_far_from_zero_come_to_rest(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){
      .text = "contactPair('Steel', 'Steel', { cor = 0.3, muK = 0.3, muR = 0 })\n"
              "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
              "object('deep', { parent = w, position = { 0, 0, -50 } })\n"
              "for i = 1, 5 do\n"
              "  object('b' .. i, { solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, material = 'Steel',\n"
              "    contact = 'Steel' } })\n"
              "  prismatic('s' .. i, 'deep', 'b' .. i, { axis = 'z', canCollide = true,\n"
              "    start = 50.05 + 0.1 * (i - 1) + 0.001 * i })\n"
              "end\n",
      .stop = 1.0,
      .tolerance = 1e-7 });
  crTestRun_Advance(&run, 1.0);
  assert_close(crTestRun_Value(&run, "b5.position.z"), 0.45, 1e-7);
  assert_true(crSimulation_GetSummary(run.simulation).solverStatistics.steps < 4000);
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(restitution_is_as_asked_for_on_face_edge_and_corner),
    cmocka_unit_test(a_corner_rebounds_from_a_thin_plate),
    cmocka_unit_test(a_sliding_box_stops_where_friction_says),
    cmocka_unit_test(a_spinning_disc_is_stopped_by_the_torque_of_a_round_flat),
    cmocka_unit_test(a_cylinder_rolls_as_a_round_thing),
    cmocka_unit_test(slides_far_from_zero_come_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
