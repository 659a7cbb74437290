// Copies of sets of contacts that are kept to come back to them: large ones are packed.
#include "contact/contact_copy.h"
#include "support/test_run.h"

#include <stdio.h>
#include <string.h>

#define MOST_SIDE 24

typedef struct Bench {
  crScene* scene;
  crModel* model;
  crInstance* instance;
  crShapeTable* table;
  crContacts *whole, *set; // of the model, and one with its contacts that shares the table
} Bench;

// side x side balls of two sizes that press on the floor, and on their neighbours.
static void openBalls(Bench* bench, int side)
{
  char text[1024];
  assert_true(side <= MOST_SIDE);
  snprintf(
      text, sizeof text,
      "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
      "for i = 0, %d do\n"
      "  local r = i %% 3 == 0 and 0.009 or 0.01\n"
      "  object('b' .. i, { parent = 'w', free = true, position = { i %% %d * 0.0199, i // %d * 0.0199, r - 1e-5 },\n"
      "    velocity = { 0.01 * i, 0, -0.1 - 0.001 * i },\n"
      "    solid{ shape = sphere{ radius = r }, material = 'Steel', contact = 'Steel' } })\n"
      "end\n",
      side * side - 1, side, side);
  memset(bench, 0, sizeof *bench);
  assert_int_equal(crReadLua(text, strlen(text), "m.lua", NULL, NULL, NULL, NULL, &bench->scene), cr_ok);
  assert_int_equal(crCompile(bench->scene, NULL, NULL, NULL, &bench->model), cr_ok);
  assert_int_equal(crCreateInstance(bench->model, NULL, NULL, &bench->instance), cr_ok);
  crTreeSet all = crModel_GetAllTrees(bench->model);
  assert_int_equal(crCreateContacts(bench->model, all, NULL, &bench->whole), cr_ok);
  all.contacts = bench->whole;
  static double y[13 * MOST_SIDE * MOST_SIDE];
  crModel_GetStart(bench->model, all, y);
  crInstance_SetState(bench->instance, all, 0.0, y);
  assert_int_equal(crInstance_ResolveContacts(bench->instance, all), cr_ok);
  assert_int_equal(crInstance_Eval(bench->instance, all, cr_stageForce), cr_ok);
  assert_int_equal(crCreateShapeTable(bench->model, NULL, &bench->table), cr_ok);
  assert_int_equal(crCreateSharedContacts(bench->table, NULL, &bench->set), cr_ok);
  for (int k = 0; k < bench->whole->pairs.count; ++k) {
    assert_int_equal(crContacts_AddPair(bench->whole, &bench->whole->pairs.items[k], bench->set), cr_ok);
  }
  assert_int_equal(crContacts_SortPairs(bench->set), cr_ok);
}

static void closeBalls(Bench* bench)
{
  crDestroyContacts(bench->set);
  crDestroyContacts(bench->whole);
  crDestroyShapeTable(bench->table);
  crDestroyInstance(bench->instance);
  crDestroyModel(bench->model);
  crDestroyScene(bench->scene);
}

static void checkSame(const crContacts* a, const crContacts* b)
{
  assert_int_equal(a->pairs.count, b->pairs.count);
  assert_int_equal(a->contacts.count, b->contacts.count);
  assert_memory_equal(a->contacts.items, b->contacts.items, (size_t)a->contacts.count * sizeof *a->contacts.items);
  for (int k = 0; k < a->pairs.count; ++k) {
    assert_int_equal(a->pairs.items[k].shapeA, b->pairs.items[k].shapeA);
    assert_int_equal(a->pairs.items[k].shapeB, b->pairs.items[k].shapeB);
  }
  assert_int_equal(a->links.count, b->links.count);
  assert_memory_equal(a->links.items, b->links.items, (size_t)a->links.count * sizeof *a->links.items);
}

// Whatever has happened to the set since: fewer contacts, others, more.
static void checkCopy(const Bench* bench, crContactCopy* copy)
{
  crContacts* other = NULL;
  assert_int_equal(crCreateSharedContacts(bench->table, NULL, &other), cr_ok);
  assert_int_equal(crContactCopy_Restore(copy, other), cr_ok);
  checkSame(other, bench->set);
  other->contacts.count = other->pairs.count = other->pairs.count / 2;
  memset(other->contacts.items, 0x55, (size_t)other->contacts.count * sizeof *other->contacts.items);
  assert_int_equal(crContactCopy_Restore(copy, other), cr_ok);
  checkSame(other, bench->set);
  crDestroyContacts(other);
}

static void a_copy_brings_all_contacts_back_to_the_last_bit(void** state)
{
  (void)state;
  static const int sides[] = { 3, MOST_SIDE, 2 }; // one copy for all, which is packed, and is not
  crContactCopy copy = { .set = NULL };
  for (int i = 0; i < 3; ++i) {
    Bench bench;
    openBalls(&bench, sides[i]);
    assert_true(bench.set->contacts.count >= sides[i] * sides[i]);
    assert_int_equal(crContactCopy_Provide(&copy, bench.table, NULL), cr_ok);
    assert_int_equal(crContactCopy_Save(&copy, bench.set), cr_ok);
    assert_true(copy.isPacked == (sides[i] == MOST_SIDE));
    checkCopy(&bench, &copy);
    crContactCopy_Free(&copy);
    closeBalls(&bench);
  }
}

static void a_large_copy_takes_half_of_the_memory(void** state)
{
  (void)state;
  Bench bench;
  crContactCopy copy = { .set = NULL };
  openBalls(&bench, MOST_SIDE);
  assert_int_equal(crContactCopy_Provide(&copy, bench.table, NULL), cr_ok);
  assert_int_equal(crContactCopy_Save(&copy, bench.set), cr_ok);
  assert_null(copy.set->contacts.items);
  assert_true(2 * (size_t)copy.words.capacity * sizeof *copy.words.items <
              (size_t)bench.set->contacts.count * sizeof *bench.set->contacts.items);
  crContactCopy_Free(&copy);
  closeBalls(&bench);
}

static void checkEmpty(const crContacts* set)
{
  assert_int_equal(set->pairs.count, 0);
  assert_int_equal(set->contacts.count, 0);
}

// The contacts of one set are kept and brought back, and then those of another one. Returns whether there was memory.
static bool copyShortOfMemory(const Bench* bench, const crContacts* first, const crContacts* second, long failAt)
{
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  counter.failAt = failAt;
  crContactCopy copy = { .set = NULL };
  crContacts* to = NULL;
  crStatus status = crContactCopy_Provide(&copy, bench->table, &allocator);
  status = status == cr_ok ? crCreateSharedContacts(bench->table, &allocator, &to) : status;
  for (int i = 0; i < 2 && status == cr_ok; ++i) {
    status = crContactCopy_Save(&copy, i == 0 ? first : second);
    if (status != cr_ok) {
      checkEmpty(copy.set);
      break;
    }
    status = crContactCopy_Restore(&copy, to);
    if (status != cr_ok) {
      checkEmpty(to);
    }
  }
  crDestroyContacts(to);
  crContactCopy_Free(&copy);
  assert_int_equal(counter.liveBlocks, 0);
  return status == cr_ok;
}

// Without memory a copy is empty, whatever it was before, and so is what it comes back to.
static void every_allocation_of_a_copy_may_fail(void** state)
{
  (void)state;
  Bench bench;
  crContacts* few = NULL;
  openBalls(&bench, MOST_SIDE);
  assert_int_equal(crCreateSharedContacts(bench.table, NULL, &few), cr_ok);
  for (int k = 0; k < 100; ++k) {
    assert_int_equal(crContacts_AddPair(bench.set, &bench.set->pairs.items[k], few), cr_ok);
  }
  assert_int_equal(crContacts_SortPairs(few), cr_ok);
  crContacts* none = NULL;
  assert_int_equal(crCreateSharedContacts(bench.table, NULL, &none), cr_ok);
  const crContacts* orders[3][2] = { { few, bench.set }, { bench.set, few }, { none, few } };
  for (int i = 0; i < 3; ++i) {
    int failAt = 0;
    while (!copyShortOfMemory(&bench, orders[i][0], orders[i][1], failAt)) {
      assert_true(++failAt < 1000);
    }
    assert_true(failAt > 10);
  }
  crDestroyContacts(none);
  crDestroyContacts(few);
  closeBalls(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_copy_brings_all_contacts_back_to_the_last_bit),
    cmocka_unit_test(a_large_copy_takes_half_of_the_memory),
    cmocka_unit_test(every_allocation_of_a_copy_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
