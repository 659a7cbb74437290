// Contacts as a run tells them: that they begin, end and last, what they did, and which are none.
#include "carom/carom.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

#define MAX_RECORDS 64

typedef struct Records {
  crContactRecord items[MAX_RECORDS];
  int count;
} Records;

static crStatus keep(void* context, const crContactRecord* record)
{
  Records* records = context;
  assert_true(records->count < MAX_RECORDS);
  records->items[records->count++] = *record;
  return cr_ok;
}

static crSimulationSummary runText(const char* text, double stop, Records* outRecords, crRunEnd expected)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.interval = stop / 10.0;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
  crObserver observer = { .context = outRecords, .atContact = keep };
  crRunEnd end;
  outRecords->count = 0;
  assert_int_equal(crSimulation_Run(run.simulation, &observer, &end), cr_ok);
  assert_int_equal(end, expected);
  crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
  crCloseTestRun(&run);
  return summary;
}

#define FLOOR "world('floor', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"

// It had NaN for all of this, however long it had lasted.
static void a_contact_that_lasts_has_carried_the_weight_all_the_time(void** state)
{
  (void)state;
  static Records records;
  crSimulationSummary s = runText(FLOOR "object('ball', { parent = 'floor', position = { 0, 0, 0.02 }, free = true,\n"
                                        "  start = 'rest', solid{ shape = sphere{ radius = 0.02 }, mass = 0.5,\n"
                                        "  contact = 'Steel' } })\n",
                                  2.0, &records, cr_runComplete);
  assert_int_equal(s.contactCount, 1);
  assert_int_equal(records.count, 2);
  const crContactRecord *begin = &records.items[0], *last = &records.items[1];
  assert_true(begin->phase == cr_contactBegin && begin->time == 0.0);
  assert_true(last->phase == cr_contactLast && last->time == 2.0 && last->begin == 0.0 && isnan(last->end));
  assert_true(last->key.bodyA == 0 && last->key.bodyB == 1);
  assert_true(last->key.shapeA == begin->key.shapeA && last->key.shapeB == begin->key.shapeB);
  assert_int_equal(last->observer, 0);
  assert_close(last->normalForce, 0.5 * 9.81, 1e-6);
  assert_close(last->maxForce, 0.5 * 9.81, 1e-6);
  assert_close(last->impulse, 0.5 * 9.81 * 2.0, 1e-6);
  assert_close(last->dissipation, 0.0, 1e-9);
  assert_true(last->maxDepth > 0.0 && last->maxDepth < 1e-5);
  assert_true(crContactRecord_HasPushed(last));
}

// ------------------------------------------------------------------------------------------- patches

// The only contact of a body that lies on the floor, at the end of a run.
static crContactRecord lay(const char* body, crPatchCorner* corners)
{
  char text[1024];
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = 0.01;
  snprintf(text, sizeof text,
           "solidMaterial('Soft', { density = 1000, E = 1e7, nu = 0.3 })\n"
           "contactPair('Soft', 'Steel', { cor = 0.5, muK = 0.3, muR = 0 })\n" FLOOR
           "object('body', { parent = 'floor', free = true, start = 'rest', solid{ mass = 2, contact = 'Soft',\n"
           "%s })\n",
           body);
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
  crTestRun_Advance(&run, 0.01);
  const crContacts* contacts = crSimulation_GetSet(run.simulation).contacts;
  assert_int_equal(crContacts_Count(contacts), 1);
  crContactRecord record = crContacts_Get(contacts, 0);
  record.cornerCount = crContacts_FindPatch(contacts, 0, corners);
  assert_int_equal(crContacts_FindPatch(contacts, 1, corners + 0), 0);
  crCloseTestRun(&run);
  return record;
}

static double outlineArea(const crPatchCorner* corners, int count)
{
  double area = 0.0;
  for (int i = 1; i < count; ++i) {
    crVec3 a = crSub(corners[i].point, corners[0].point);
    crVec3 b = crSub(corners[i + 1 < count ? i + 1 : 1].point, corners[0].point);
    area += 0.5 * (a.x * b.y - a.y * b.x);
  }
  return area;
}

// m g over the whole face, and the outline is that face.
static void a_box_at_rest_presses_with_its_weight_over_its_face(void** state)
{
  (void)state;
  crPatchCorner corners[CR_PATCH_CORNERS];
  crContactRecord r = lay("shape = box{ size = { 0.2, 0.1, 0.06 } } }, position = { 0.4, 0.3, 0.03 }", corners);
  const double weight = 2.0 * 9.81;
  assert_close(r.normalForce, weight, 1e-5 * weight);
  assert_close(r.force.z, weight, 1e-5 * weight);
  assert_close(crLength(r.torque), 0.0, 1e-6);
  assert_close(r.point.x, 0.4, 1e-9);
  assert_close(r.point.y, 0.3, 1e-9);
  assert_close(r.area, 0.02, 1e-3 * 0.02); // with what of its sides is below the floor
  assert_close(r.meanPressure, weight / 0.02, 1e-3 * weight / 0.02);
  assert_true(r.maxPressure > 0.5 * r.meanPressure && r.maxPressure < 3.0 * r.meanPressure);
  assert_true(r.depth > 0.0 && r.depth < 1e-4);
  assert_int_equal(r.cornerCount, 5);
  for (int i = 1; i < 5; ++i) {
    assert_close(fabs(corners[i].point.x - 0.4), 0.1, 1e-4);
    assert_close(fabs(corners[i].point.y - 0.3), 0.05, 1e-4);
    assert_close(corners[i].point.z, 0.0, 1e-4);
    assert_true(corners[i].pressure > 0.0);
  }
  assert_close(outlineArea(corners, 5), 0.02, 1e-4 * 0.02);
}

// Outlines run counterclockwise about the normal and enclose nearly the area.
static void outlines_enclose_the_patch(void** state)
{
  (void)state;
  static const struct {
    const char* body;
    double least; // [-] of the area
  } cases[] = {
    { "shape = capsule{ radius = 0.1, length = 0.3, axis = 'x' } }, position = { 0, 0, 0.1 }", 0.75 },
    { "shape = cylinder{ radius = 0.1, length = 0.1 } }, position = { 0, 0, 0.05 }", 0.9 },
    { "shape = cylinder{ radius = 0.1, length = 0.3, axis = 'x' } }, position = { 0, 0, 0.1 }", 0.7 },
    { "shape = box{ size = { 0.2, 0.1, 0.06 }, rounding = 0.005 } }, position = { 0, 0, 0.03 }", 0.9 },
    { "shape = hull{ points = { { 0.1, 0, 0 }, { 0, 0.1, 0 }, { -0.1, 0, 0 }, { 0, -0.1, 0 }, { 0, 0, 0.1 } } } }",
      0.99 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crPatchCorner corners[CR_PATCH_CORNERS];
    crContactRecord r = lay(cases[i].body, corners);
    assert_true(r.cornerCount >= 4 && r.cornerCount <= CR_PATCH_CORNERS);
    double area = outlineArea(corners, r.cornerCount);
    if (!(area > cases[i].least * r.area && area < 1.05 * r.area)) {
      fail_msg("%s: an outline of %g m^2 around %g m^2", cases[i].body, area, r.area);
    }
  }
}

static void balls_touch_at_a_point_and_have_no_patch(void** state)
{
  (void)state;
  crPatchCorner corners[CR_PATCH_CORNERS];
  crContactRecord r = lay("shape = sphere{ radius = 0.1 } }, position = { 0, 0, 0.1 }", corners);
  assert_true(isnan(r.area) && isnan(r.meanPressure) && isnan(r.maxPressure));
  assert_int_equal(r.cornerCount, 0);
  assert_int_equal(crContacts_FindPatch(NULL, 0, corners), 0);
}

// A ball a micrometre deep that flies away: the law cannot pull, and damping takes all of the push.
static const char departing[] = "scene{ gravity = 'none', response = '%s' }\n" FLOOR
                                "object('ball', { parent = 'floor', position = { 0, 0, 0.019999 }, free = true,\n"
                                "  velocity = { 0, 0, 3 }, solid{ shape = sphere{ radius = 0.02 }, mass = 0.5,\n"
                                "  contact = 'Steel' } })\n";

static void what_never_pushes_is_no_contact(void** state)
{
  (void)state;
  static const struct {
    const char* response;
    int count;
  } cases[] = { { "elastic", 0 }, { "impulsive", 0 }, { "observer", 1 } };
  static Records records;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024];
    snprintf(text, sizeof text, departing, cases[i].response);
    crSimulationSummary s = runText(text, 0.1, &records, cr_runComplete);
    assert_int_equal(records.count, 2);
    const crContactRecord* end = &records.items[1];
    assert_true(records.items[0].phase == cr_contactBegin && end->phase == cr_contactEnd);
    assert_true(end->maxForce == 0.0 && end->impulse == 0.0 && end->end == end->time);
    assert_int_equal(crContactRecord_HasPushed(end), cases[i].count == 1);
    assert_int_equal(s.contactCount, cases[i].count);
  }
}

// An impulse has no force, and is a push all the same.
static void an_impulse_is_a_push(void** state)
{
  (void)state;
  static Records records;
  crSimulationSummary s = runText("scene{ response = 'impulsive' }\n" FLOOR
                                  "object('ball', { parent = 'floor', position = { 0, 0, 0.12 }, free = true,\n"
                                  "  solid{ shape = sphere{ radius = 0.02 }, mass = 0.5, contact = 'Steel' } })\n",
                                  0.25, &records, cr_runComplete);
  assert_int_equal(s.contactCount, 1);
  assert_int_equal(records.count, 2);
  const crContactRecord* end = &records.items[1];
  assert_close(end->impulse, 0.5 * (end->approach + end->separation), 1e-6);
  assert_close(end->approach, sqrt(2.0 * 9.81 * 0.1), 1e-6);
  assert_close(end->restitution, end->separation / end->approach, 1e-15);
  assert_true(crContactRecord_HasPushed(end));
}

// What a run takes over from a state begins, for this run, at its start: else its result would not know it.
static void a_contact_that_goes_on_from_a_state_is_told(void** state)
{
  (void)state;
  static Records records;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = 1.0;
  crTestRun run = crOpenTestRun(
      &(crTestPlan){ .text = FLOOR "object('ball', { parent = 'floor', position = { 0, 0, 0.02 },\n"
                                   "  free = true, start = 'rest', solid{ shape = sphere{ radius = 0.02 },\n"
                                   "  mass = 0.5, contact = 'Steel' } })\n",
                     .options = &options });
  crState* left = NULL;
  assert_int_equal(crSimulation_Advance(run.simulation, 0.5), cr_ok);
  assert_int_equal(crSimulation_GetState(run.simulation, NULL, &left), cr_ok);
  options.start = left;
  crSimulation* rest = NULL;
  assert_int_equal(crCreateSimulation(run.model, &options, NULL, &run.sink, &rest), cr_ok);
  crObserver observer = { .context = &records, .atContact = keep };
  crRunEnd end;
  records.count = 0;
  assert_int_equal(crSimulation_Run(rest, &observer, &end), cr_ok);
  assert_int_equal(records.count, 2);
  assert_true(records.items[0].phase == cr_contactBegin && records.items[0].time == 0.5);
  assert_true(records.items[1].phase == cr_contactLast && records.items[1].begin == 0.0);
  assert_true(records.items[1].impulse > 0.5 * 9.81 * 0.5 - 1e-6); // with what was known of the time before
  assert_int_equal(crSimulation_GetSummary(rest).contactCount, 1);
  crDestroySimulation(rest);
  crDestroyState(left);
  crCloseTestRun(&run);
}

static void unknown_contacts_are_told(void** state)
{
  (void)state;
  crContactRecord record = crDefaultContactRecord(cr_contactNow, 1.0);
  assert_true(record.time == 1.0 && record.phase == cr_contactNow && record.key.bodyA == -1 && isnan(record.depth));
  assert_true(crContactRecord_HasPushed(&record)); // who knows
  assert_false(crContactRecord_HasPushed(NULL));
  crTestRun run = crOpenTestText(FLOOR "object('ball', { parent = 'floor', position = { 0, 0, 1 }, free = true,\n"
                                       "  solid{ shape = sphere{ radius = 0.02 }, mass = 1, contact = 'Steel' } })\n",
                                 0.1, 0.0, cr_solverAuto);
  const crContacts* contacts = crSimulation_GetSet(run.simulation).contacts;
  assert_int_equal(crContacts_Count(contacts), 0);
  assert_int_equal(crContacts_Get(contacts, 0).key.shapeA, -1);
  assert_int_equal(crContacts_Get(contacts, -1).objectB, -1);
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_box_at_rest_presses_with_its_weight_over_its_face),
    cmocka_unit_test(outlines_enclose_the_patch),
    cmocka_unit_test(balls_touch_at_a_point_and_have_no_patch),
    cmocka_unit_test(a_contact_that_lasts_has_carried_the_weight_all_the_time),
    cmocka_unit_test(what_never_pushes_is_no_contact),
    cmocka_unit_test(an_impulse_is_a_push),
    cmocka_unit_test(a_contact_that_goes_on_from_a_state_is_told),
    cmocka_unit_test(unknown_contacts_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
