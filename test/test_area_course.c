// Patches on courses: what of a step's end is known at the start of the next one.
#include "contact/area_course.h"
#include "contact/contact_group.h"
#include "support/island_run.h"

#define STATES 13

// A body of two boxes on a floor. Both touch when it lies level, one of them when it leans.
#define PAIR                                                                                                           \
  "solidMaterial('Rubber', { density = 1000, E = 1e6, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.5, muK = 0.5, muR = 0 })\n"                                               \
  "world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                              \
  "object('body', { parent = 'room', free = true, position = { 0, 0, 1 },\n"                                           \
  "  solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, material = 'Rubber', contact = 'Rubber' } })\n"                   \
  "object('arm', { parent = 'body', position = { 0.1, 0, 0 },\n"                                                       \
  "  solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, material = 'Rubber', contact = 'Rubber' } })\n"

static void place(crInstance* instance, crTreeSet set, double z, double lean)
{
  double y[STATES] = { 0.0, 0.0, z, cos(0.5 * lean), 0.0, -sin(0.5 * lean) };
  crInstance_SetState(instance, set, 0.0, y);
  assert_int_equal(crInstance_ResolveContacts(instance, set), cr_ok);
  crContacts_ListGroups(set.contacts);
}

// A step in which nothing moves. Returns whether all contacts were known at its start.
static bool takeStep(crInstance* instance, crTreeSet set, crAreaCourses* courses, double t0)
{
  bool isKnown = false;
  crContacts* contacts = set.contacts;
  contacts->courses = courses;
  assert_true(crCourses_Begin(courses, contacts, t0, &isKnown));
  for (int node = cr_nodeStart; node <= cr_nodeEnd; ++node) {
    crCourses_Set(courses, (crStageNode)node, (node - cr_nodeStart) / (double)(cr_nodeEnd - cr_nodeStart));
    for (int k = 0; k < contacts->pairs.count; ++k) {
      crCourses_Eval(instance, contacts, k);
    }
  }
  crCourses_End(courses, t0 + 1.0);
  contacts->courses = NULL;
  return isKnown;
}

// One that was in a group meanwhile, and that nobody has looked at, went on from where it was before.
static void what_was_in_a_group_is_looked_at_anew(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = PAIR });
  crTreeSet set = crModel_GetAllTrees(model);
  crInstance* instance;
  crContacts* contacts;
  crAreaCourses* courses;
  assert_int_equal(crCreateInstance(model, NULL, NULL, &instance), cr_ok);
  assert_int_equal(crCreateContacts(model, set, NULL, &contacts), cr_ok);
  crAllocator allocator = crChooseAllocator(NULL);
  assert_int_equal(crCreateCourses(&allocator, &courses), cr_ok);
  set.contacts = contacts;
  place(instance, set, 0.049, 0.1);
  assert_int_equal(contacts->pairs.count, 1);
  assert_false(takeStep(instance, set, courses, 0.0));
  assert_true(takeStep(instance, set, courses, 1.0));
  place(instance, set, 0.049, 0.0);
  assert_int_equal(contacts->pairs.count, 2);
  assert_true(contacts->hasGroups);
  assert_true(takeStep(instance, set, courses, 2.0));
  place(instance, set, 0.048, 0.1);
  assert_int_equal(contacts->pairs.count, 1);
  assert_false(takeStep(instance, set, courses, 3.0));
  assert_true(takeStep(instance, set, courses, 4.0));
  crDestroyCourses(courses);
  crDestroyContacts(contacts);
  crDestroyInstance(instance);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_was_in_a_group_is_looked_at_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
