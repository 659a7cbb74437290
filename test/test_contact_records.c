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
  assert_true(last->key.bodyA == 0 && last->key.bodyB == 1 && last->key.touch == 0);
  assert_true(last->key.shapeA == begin->key.shapeA && last->key.shapeB == begin->key.shapeB);
  assert_int_equal(last->observer, 0);
  assert_close(last->normalForce, 0.5 * 9.81, 1e-6);
  assert_close(last->maxForce, 0.5 * 9.81, 1e-6);
  assert_close(last->impulse, 0.5 * 9.81 * 2.0, 1e-6);
  assert_close(last->dissipation, 0.0, 1e-9);
  assert_true(last->maxDepth > 0.0 && last->maxDepth < 1e-5);
  assert_true(crContactRecord_HasPushed(last));
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
    cmocka_unit_test(a_contact_that_lasts_has_carried_the_weight_all_the_time),
    cmocka_unit_test(what_never_pushes_is_no_contact),
    cmocka_unit_test(an_impulse_is_a_push),
    cmocka_unit_test(a_contact_that_goes_on_from_a_state_is_told),
    cmocka_unit_test(unknown_contacts_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
