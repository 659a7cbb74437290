// Contacts of many sets that share one table: apart, merged and parted they are those of one set of all.
#include "contact/contact.h"
#include "model/eval/free_body.h"
#include "support/test_run.h"

#include <math.h>
#include <string.h>

#define TREES 7
#define CR_TEST_STATES (13 * TREES)
#define BALL(name, x, z)                                                                                               \
  "object('" name "', { parent = 'w', position = { " x ", 0, " z " }, free = true, velocity = { 0.3, 0.1, -0.2 },\n"   \
  "  angularVelocity = { 1, 2, 3 }, solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' }"   \
  "})\n"

// Balls 0 and 1 and the box touch each other and the floor, likewise 3 and 4; 2 touches the floor, 5 nothing.
#define SCENE                                                                                                          \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n" BALL("b0", "0", "0.00999") BALL("b1", "0.01999", \
                                                                                                      "0.00999")       \
      BALL("b2", "0.1", "0.00999") BALL("b3", "0.2", "0.00999") BALL("b4", "0.21999", "0.00999") BALL(                 \
          "b5", "0.3",                                                                                                 \
          "0.2") "object('box', { parent = 'w', position = { -0.01999, 0, 0.00999 }, free = true,\n"                   \
                 "  solid{ shape = box{ size = { 0.02, 0.02, 0.02 } }, material = 'Steel', contact = 'Steel' } })\n"

static const int ownersOf[TREES] = { 0, 0, 2, 3, 3, 5, 0 };

typedef struct Bench {
  crScene* scene;
  crModel* model;
  crInstance* instance;
  crShapeTable* table;
  crContacts* whole;
  crContacts* sets[TREES]; // by owner
  crBoxPair near[64];
  int nearCount;
  double y[CR_TEST_STATES];
} Bench;

static crTreeSet wholeSet(const Bench* bench)
{
  crTreeSet set = crModel_GetAllTrees(bench->model);
  set.contacts = bench->whole;
  return set;
}

static crTreeSet setOf(const Bench* bench, int owner, int trees[TREES])
{
  crTreeSet set = { trees, 0, bench->sets[owner] };
  for (int t = 0; t < TREES; ++t) {
    if (ownersOf[t] == owner) {
      trees[set.treeCount++] = t;
    }
  }
  return set;
}

// Near pairs of an owner; -1: of all.
static int listNear(const Bench* bench, int owner, crBoxPair* out)
{
  int count = 0;
  for (int i = 0; i < bench->nearCount; ++i) {
    int a = bench->table->facts[bench->near[i].a].tree, b = bench->table->facts[bench->near[i].b].tree;
    if (owner < 0 || ownersOf[a >= 0 ? a : b] == owner) {
      out[count++] = bench->near[i];
    }
  }
  return count;
}

static void openScene(Bench* bench, const char* text)
{
  memset(bench, 0, sizeof *bench);
  assert_int_equal(crReadLua(text, strlen(text), "m.lua", NULL, NULL, NULL, NULL, &bench->scene), cr_ok);
  assert_int_equal(crCompile(bench->scene, NULL, NULL, NULL, &bench->model), cr_ok);
}

static void findNear(Bench* bench)
{
  const crBoxPair* near = NULL;
  crInstance_SetState(bench->instance, wholeSet(bench), 0.0, bench->y);
  assert_int_equal(crInstance_Eval(bench->instance, wholeSet(bench), cr_stageVelocity), cr_ok);
  assert_int_equal(crFindNearPairs(bench->instance, bench->whole, &near, &bench->nearCount), cr_ok);
  assert_true(bench->nearCount <= 64);
  memcpy(bench->near, near, (size_t)bench->nearCount * sizeof *near);
}

static void openSetsOf(Bench* bench, const char* text, const crAllocator* allocator)
{
  openScene(bench, text);
  assert_int_equal(bench->model->size.treeCount, TREES);
  assert_int_equal(crCreateInstance(bench->model, NULL, NULL, &bench->instance), cr_ok);
  assert_int_equal(crCreateContacts(bench->model, crModel_GetAllTrees(bench->model), NULL, &bench->whole), cr_ok);
  assert_int_equal(crCreateShapeTable(bench->model, NULL, &bench->table), cr_ok);
  for (int t = 0; t < TREES; ++t) {
    assert_int_equal(crCreateSharedContacts(bench->table, allocator, &bench->sets[t]), cr_ok);
  }
  crModel_GetStart(bench->model, wholeSet(bench), bench->y);
  findNear(bench);
}

static void openSets(Bench* bench, const crAllocator* allocator)
{
  openSetsOf(bench, SCENE, allocator);
}

static void closeSets(Bench* bench)
{
  for (int t = 0; t < TREES; ++t) {
    crDestroyContacts(bench->sets[t]);
  }
  crDestroyContacts(bench->whole);
  crDestroyShapeTable(bench->table);
  crDestroyInstance(bench->instance);
  crDestroyModel(bench->model);
  crDestroyScene(bench->scene);
}

static void resolveApart(Bench* bench)
{
  for (int owner = 0; owner < TREES; ++owner) {
    int trees[TREES];
    crBoxPair near[64];
    crTreeSet set = setOf(bench, owner, trees);
    int count = listNear(bench, owner, near);
    assert_int_equal(crInstance_ResolvePairs(bench->instance, set, near, count), cr_ok);
  }
}

static void checkSame(const crContacts* a, const crContacts* b)
{
  assert_int_equal(crContacts_Count(a), crContacts_Count(b));
  for (int i = 0; i < crContacts_Count(a); ++i) {
    crContactRecord x = crContacts_Get(a, i), y = crContacts_Get(b, i);
    assert_true(x.key.shapeA == y.key.shapeA && x.key.shapeB == y.key.shapeB);
    assert_true(x.depth == y.depth && x.damping == y.damping && x.begin == y.begin);
  }
  assert_int_equal(a->activeShapes.count, b->activeShapes.count);
  assert_int_equal(a->links.count, b->links.count);
  for (int i = 0; i < a->activeShapes.count; ++i) {
    assert_int_equal(a->activeShapes.items[i], b->activeShapes.items[i]);
  }
  for (int i = 0; i < a->links.count; ++i) {
    assert_true(a->links.items[i] == b->links.items[i]);
  }
}

// ------------------------------------------------------------------------------------------------- sets

static void sets_that_share_a_table_have_the_rates_of_one_set_to_the_last_bit(void** state)
{
  (void)state;
  Bench bench;
  double whole[CR_TEST_STATES], apart[CR_TEST_STATES];
  openSets(&bench, NULL);
  assert_int_equal(crInstance_ResolveContacts(bench.instance, wholeSet(&bench)), cr_ok);
  assert_int_equal(crInstance_ComputeRates(bench.instance, wholeSet(&bench), 0.0, bench.y, whole), cr_ok);
  resolveApart(&bench);
  int contacts = 0;
  for (int owner = 0; owner < TREES; ++owner) {
    int trees[TREES];
    double y[CR_TEST_STATES];
    crTreeSet set = setOf(&bench, owner, trees);
    for (int k = 0; k < set.treeCount; ++k) {
      memcpy(y + (ptrdiff_t)13 * k, bench.y + (ptrdiff_t)13 * trees[k], 13 * sizeof *y);
    }
    assert_int_equal(crInstance_ComputeRates(bench.instance, set, 0.0, y, apart), cr_ok);
    for (int k = 0; k < set.treeCount; ++k) {
      assert_memory_equal(apart + (ptrdiff_t)13 * k, whole + (ptrdiff_t)13 * trees[k], 13 * sizeof *y);
    }
    contacts += crContacts_Count(set.contacts);
  }
  assert_int_equal(contacts, crContacts_Count(bench.whole));
  assert_true(contacts >= 5);
  closeSets(&bench);
}

// The pairs of a set, as those of an island that parts: what an owner's trees have go to one set, the others to
// another.
static crStatus part(const crContacts* from, int owner, crContacts* to, crContacts* rest)
{
  crStatus status = cr_ok;
  for (int k = 0; status == cr_ok && k < from->pairs.count; ++k) {
    const crTouchingPair* pair = &from->pairs.items[k];
    int a = from->facts[pair->shapeA].tree, b = from->facts[pair->shapeB].tree;
    status = crContacts_AddPair(from, pair, ownersOf[a >= 0 ? a : b] == owner ? to : rest);
  }
  status = status == cr_ok ? crContacts_SortPairs(to) : status;
  return status == cr_ok ? crContacts_SortPairs(rest) : status;
}

static void sets_that_become_one_and_part_keep_their_contacts(void** state)
{
  (void)state;
  Bench bench;
  openSets(&bench, NULL);
  assert_int_equal(crInstance_ResolveContacts(bench.instance, wholeSet(&bench)), cr_ok);
  resolveApart(&bench);
  crContacts* first = bench.sets[0];
  crContacts* saved = NULL;
  assert_int_equal(crCreateSharedContacts(bench.table, NULL, &saved), cr_ok);
  assert_int_equal(crCopyContacts(bench.sets[3], saved), cr_ok);
  static const int order[] = { 5, 3, 2 };
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(crContacts_Absorb(first, bench.sets[order[i]]), cr_ok);
    assert_int_equal(crContacts_Count(bench.sets[order[i]]), 0);
  }
  checkSame(first, bench.whole);
  assert_int_equal(part(first, 3, bench.sets[3], bench.sets[5]), cr_ok);
  checkSame(bench.sets[3], saved);
  assert_int_equal(crContacts_Count(bench.sets[5]) + crContacts_Count(saved), crContacts_Count(bench.whole));
  assert_int_equal(crContacts_Absorb(bench.sets[5], bench.sets[3]), cr_ok);
  checkSame(bench.sets[5], bench.whole);
  crContacts_Clear(first);
  assert_int_equal(crContacts_Count(first), 0);
  assert_true(isnan(first->lastEvent));
  crDestroyContacts(saved);
  closeSets(&bench);
}

static void events_of_known_pairs_are_those_of_the_broad_phase(void** state)
{
  (void)state;
  Bench bench;
  openSets(&bench, NULL);
  crContacts* shared = bench.sets[0];
  crTreeSet set = wholeSet(&bench), other = set;
  other.contacts = shared;
  for (int k = 0; k < 3; ++k) { // all touch, the balls are lifted, all touch again
    for (int t = 0; t < TREES; ++t) {
      bench.y[13 * t + 2] += k == 1 ? 3e-5 : k == 2 ? -3e-5 : 0.0;
    }
    crInstance_SetState(bench.instance, set, k, bench.y);
    assert_int_equal(crInstance_ResolveContacts(bench.instance, set), cr_ok);
    assert_int_equal(crInstance_ResolvePairs(bench.instance, other, bench.near, bench.nearCount), cr_ok);
    int count, otherCount;
    const crContactRecord* events = crContacts_GetEvents(bench.whole, &count);
    const crContactRecord* others = crContacts_GetEvents(shared, &otherCount);
    assert_true(count > 5);
    assert_int_equal(count, otherCount);
    for (int i = 0; i < count; ++i) {
      assert_true(events[i].phase == others[i].phase && events[i].key.shapeA == others[i].key.shapeA);
      assert_true(events[i].key.shapeB == others[i].key.shapeB && events[i].time == others[i].time);
      assert_true(events[i].depthRate == others[i].depthRate);
    }
    checkSame(shared, bench.whole);
  }
  closeSets(&bench);
}

static void a_set_without_its_broad_phase_makes_it_anew(void** state)
{
  (void)state;
  Bench bench;
  openSets(&bench, NULL);
  crTreeSet set = wholeSet(&bench);
  crBoxPair near[64];
  int count = bench.nearCount;
  memcpy(near, bench.near, sizeof near);
  crContacts_DropBroadPhase(bench.whole);
  findNear(&bench);
  assert_int_equal(bench.nearCount, count);
  assert_memory_equal(bench.near, near, (size_t)count * sizeof *near);
  crContacts_DropBroadPhase(bench.whole);
  assert_int_equal(crInstance_ResolveContacts(bench.instance, set), cr_ok);
  assert_true(crContacts_Count(bench.whole) >= 5);
  closeSets(&bench);
}

// Some balls are lifted, and all others are down.
static crStatus lift(Bench* bench, const int* lifted, int count)
{
  double y[CR_TEST_STATES];
  crTreeSet set = wholeSet(bench);
  set.contacts = bench->sets[0];
  memcpy(y, bench->y, sizeof y);
  for (int i = 0; i < count; ++i) {
    y[13 * lifted[i] + 2] += 3e-5;
  }
  crInstance_SetState(bench->instance, set, 0.0, y);
  return crInstance_ResolvePairs(bench->instance, set, bench->near, bench->nearCount);
}

static double makeMark(const crTouchingPair* pair)
{
  return 1000.0 * pair->shapeA + pair->shapeB;
}

// Where they are in memory changes with what begins and ends before them, or is sorted.
static void contacts_stay_with_their_pairs_where_some_begin_and_others_end(void** state)
{
  (void)state;
  static const int before[] = { 2, 4 }, now[] = { 0, 3 };
  Bench bench;
  openSets(&bench, NULL);
  crContacts* set = bench.sets[0];
  assert_int_equal(lift(&bench, before, 2), cr_ok);
  for (int k = 0; k < set->pairs.count; ++k) {
    set->contacts.items[k].memory.radius = makeMark(&set->pairs.items[k]);
  }
  int beforeCount = set->pairs.count, kept = 0;
  assert_int_equal(lift(&bench, now, 2), cr_ok);
  for (int k = 0; k < set->pairs.count; ++k) {
    const crContact* contact = &set->contacts.items[k];
    assert_true((contact->memory.radius == makeMark(&set->pairs.items[k])) == !contact->isNew);
    kept += !contact->isNew;
    set->contacts.items[k].memory.radius = makeMark(&set->pairs.items[k]);
  }
  assert_true(kept > 1 && kept < beforeCount && kept < set->pairs.count - 1);
  static const int order[] = { 2, 0, 4, 1, 3 }; // circles of several places, and one that stays
  assert_true(set->pairs.count >= 5);
  for (int k = 0; k < 5; ++k) {
    assert_int_equal(crContacts_AddPair(set, &set->pairs.items[order[k]], bench.sets[1]), cr_ok);
  }
  assert_int_equal(crContacts_SortPairs(bench.sets[1]), cr_ok);
  for (int k = 0; k < 5; ++k) {
    const crTouchingPair* pair = &bench.sets[1]->pairs.items[k];
    assert_int_equal(crComparePairs(pair->shapeA, pair->shapeB, set->pairs.items[k].shapeA, set->pairs.items[k].shapeB),
                     0);
    assert_true(bench.sets[1]->contacts.items[k].memory.radius == makeMark(pair));
  }
  closeSets(&bench);
}

static void every_allocation_of_shared_contacts_may_fail(void** state)
{
  (void)state;
  crStatus status = cr_errorMemory;
  for (int failing = TREES; status != cr_ok; ++failing) {
    assert_true(failing < 1000);
    Bench bench;
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failing;
    openSets(&bench, &allocator);
    crContacts* first = bench.sets[0];
    crTreeSet set = wholeSet(&bench);
    set.contacts = first;
    status = crInstance_ResolvePairs(bench.instance, set, bench.near, bench.nearCount);
    int before = crContacts_Count(first);
    crContacts *part3 = bench.sets[3], *rest = bench.sets[5];
    status = status == cr_ok ? part(first, 3, part3, rest) : status;
    assert_int_equal(crContacts_Count(first), before);
    bool hasParted = status == cr_ok;
    status = status == cr_ok ? crContacts_Absorb(part3, rest) : status;
    assert_true(!hasParted || crContacts_Count(part3) + crContacts_Count(rest) == before);
    assert_true(status == cr_ok || status == cr_errorMemory);
    closeSets(&bench);
    assert_int_equal(counter.liveBlocks, 0);
  }
}

// A run in which memory ended while contacts of islands were gathered read a contact that was not there.
static void pairs_without_memory_are_not_there_at_all(void** state)
{
  (void)state;
  int failures = 0;
  for (int ahead = 1; ahead < 40; ++ahead) {
    Bench bench;
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    openSets(&bench, &allocator);
    assert_int_equal(crInstance_ResolveContacts(bench.instance, wholeSet(&bench)), cr_ok);
    crContacts* all = bench.sets[0];
    crStatus status = cr_ok;
    counter.failAt = counter.callCount + ahead;
    for (int k = 0; k < 100 * bench.whole->pairs.count && status == cr_ok; ++k) {
      int before = all->pairs.count;
      status = crContacts_AddPair(bench.whole, &bench.whole->pairs.items[k % bench.whole->pairs.count], all);
      assert_int_equal(all->pairs.count, before + (status == cr_ok));
      assert_int_equal(all->contacts.count, all->pairs.count);
    }
    failures += status == cr_errorMemory;
    closeSets(&bench);
  }
  assert_true(failures > 3);
}

// -------------------------------------------------------------------------------------------- structure

// Trees whose pairs of shapes touch each other, told by the contacts one by one.
static bool touchEachOther(const Bench* bench, int a, int b)
{
  bool isFound = a == b;
  for (int i = 0; i < crContacts_Count(bench->whole); ++i) {
    crContactRecord info = crContacts_Get(bench->whole, i);
    int x = bench->table->facts[info.key.shapeA].tree, y = bench->table->facts[info.key.shapeB].tree;
    isFound = isFound || (x == a && y == b) || (x == b && y == a);
  }
  return isFound;
}

// Of free bodies: rates of all that touch or are coupled, and of coordinates the own one, or the whole quaternion.
static bool isEntry(const Bench* bench, int row, int column)
{
  int r = row % 13, c = column % 13;
  const int* components = bench->model->components;
  if (r >= 7) {
    return touchEachOther(bench, row / 13, column / 13) || components[row / 13] == components[column / 13];
  }
  bool isQuaternion = r >= 3 && ((c >= 3 && c < 7) || c >= 10);
  return row / 13 == column / 13 && (isQuaternion || (r < 3 && (c == r || c == r + 7)));
}

static void checkSparsity(const char* text)
{
  Bench bench;
  int starts[CR_TEST_STATES + 1], rows[CR_TEST_STATES * CR_TEST_STATES], count = 0, next = 0;
  openSetsOf(&bench, text, NULL);
  assert_int_equal(crInstance_ResolveContacts(bench.instance, wholeSet(&bench)), cr_ok);
  crModel_GetSparsity(bench.model, wholeSet(&bench), NULL, NULL, &count);
  assert_true(count <= CR_TEST_STATES * CR_TEST_STATES);
  crModel_GetSparsity(bench.model, wholeSet(&bench), starts, rows, &count);
  for (int column = 0; column < CR_TEST_STATES; ++column) {
    assert_int_equal(starts[column], next);
    for (int row = 0; row < CR_TEST_STATES; ++row) {
      if (isEntry(&bench, row, column)) {
        assert_int_equal(rows[next++], row);
      }
    }
  }
  assert_int_equal(starts[CR_TEST_STATES], next);
  assert_int_equal(count, next);
  closeSets(&bench);
}

static void sparsity_has_the_entries_of_what_touches(void** state)
{
  (void)state;
  checkSparsity(SCENE);
}

// Trees of components lie between those of others, and touch their own and others.
static void sparsity_has_the_entries_of_what_is_coupled(void** state)
{
  (void)state;
  checkSparsity(SCENE "springDamper('s', 'b0', 'b3', { stiffness = 10, damping = 1, length = 0.1 })\n"
                      "springDamper('t', 'b1', 'b5', { stiffness = 10, damping = 1, length = 0.1 })\n"
                      "springDamper('u', 'b5', 'box', { stiffness = 10, damping = 1, length = 0.1 })\n");
  checkSparsity(SCENE "springDamper('s', 'b0', 'b1', { stiffness = 10, damping = 1, length = 0.1 })\n");
}

static void states_that_are_rates_of_others_are_so_exactly(void** state)
{
  (void)state;
  Bench bench;
  int rateOf[CR_TEST_STATES];
  double rates[CR_TEST_STATES];
  openSets(&bench, NULL);
  crTreeSet set = wholeSet(&bench);
  assert_int_equal(crInstance_ResolveContacts(bench.instance, set), cr_ok);
  assert_int_equal(crInstance_ComputeRates(bench.instance, set, 0.0, bench.y, rates), cr_ok);
  crModel_GetRateOf(bench.model, set, rateOf);
  for (int i = 0; i < CR_TEST_STATES; ++i) {
    assert_int_equal(rateOf[i] >= 0, i % 13 < 3);
    assert_true(rateOf[i] < 0 || rates[i] == bench.y[rateOf[i]]);
  }
  crSpin spins[TREES];
  assert_int_equal(crModel_GetSpins(bench.model, set, NULL), TREES - 1); // not the box
  assert_int_equal(crModel_GetSpins(bench.model, set, spins), TREES - 1);
  for (int k = 0; k < TREES - 1; ++k) {
    const double *q = bench.y + spins[k].quaternion, *w = bench.y + spins[k].rate, *dq = rates + spins[k].quaternion;
    assert_close(dq[0], -0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]), 1e-15);
    assert_close(dq[1], 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]), 1e-15);
  }
  closeSets(&bench);
}

static void turning_round_bodies_changes_no_rate(void** state)
{
  (void)state;
  Bench bench;
  double rates[CR_TEST_STATES], turned[CR_TEST_STATES];
  openSets(&bench, NULL);
  crTreeSet set = wholeSet(&bench);
  crRandom random = crMakeRandom(8);
  assert_int_equal(crInstance_ResolveContacts(bench.instance, set), cr_ok);
  assert_int_equal(crInstance_ComputeRates(bench.instance, set, 0.0, bench.y, rates), cr_ok);
  for (int t = 0; t < TREES; ++t) {
    if (crModel_IsRoundTree(bench.model, t)) {
      crQuat q = crRandom_Rotation(&random);
      memcpy(bench.y + (ptrdiff_t)13 * t + 3, (double[4]){ q.w, q.x, q.y, q.z }, 4 * sizeof(double));
    }
  }
  assert_int_equal(crInstance_ComputeRates(bench.instance, set, 0.0, bench.y, turned), cr_ok);
  for (int i = 0; i < CR_TEST_STATES; ++i) {
    assert_true(i % 13 < 7 || fabs(turned[i] - rates[i]) <= 1e-12 * fabs(rates[i]) + 1e-12);
  }
  closeSets(&bench);
}

// ------------------------------------------------------------------------------------------- short path

// A box whose centre of mass is off its origin, and a ball: by stages, one tree after the other, and in one go.
static void the_short_path_gives_what_the_stages_give(void** state)
{
  (void)state;
  Bench bench;
  double rates[26], other[26];
  openScene(&bench, "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n" BALL("a", "0", "0.00999") //
            "object('b', { parent = 'w', position = { 0.1, 0, 0.00999 }, free = true, velocity = { 0.1, 0.2, -0.1 },\n"
            "  angularVelocity = { 3, 1, -2 }, rotation = { 0.001, 0.001, 0.4 },\n"
            "  solid{ shape = box{ size = { 0.03, 0.04, 0.02 } }, material = 'Steel', contact = 'Steel' } })\n"
            "object('c', { parent = 'b', position = { 0.01, 0.01, 0.02 }, solid{ shape = sphere{ radius = 0.005 },\n"
            "  material = 'Steel' } })\n");
  assert_int_equal(crCreateInstance(bench.model, NULL, NULL, &bench.instance), cr_ok);
  crTreeSet set = crModel_GetAllTrees(bench.model);
  assert_int_equal(crCreateContacts(bench.model, set, NULL, &set.contacts), cr_ok);
  assert_int_equal(crInstance_ResolveContacts(bench.instance, set), cr_ok);
  assert_true(crContacts_Count(set.contacts) >= 2);
  crModel_GetStart(bench.model, set, bench.y);
  assert_true(crHasShortPath(bench.instance, set));
  assert_int_equal(crInstance_ComputeRates(bench.instance, set, 0.0, bench.y, rates), cr_ok);
  crPowers powers = crInstance_ComputePowers(bench.instance, set);
  crEnergy energy = crInstance_ComputeEnergy(bench.instance, set, -1);
  crInstance_SetState(bench.instance, set, 0.0, bench.y);
  assert_int_equal(crInstance_Eval(bench.instance, set, cr_stageAcceleration), cr_ok);
  for (int t = 0; t < 2; ++t) {
    crGetTreeRates(bench.instance, t, other + (ptrdiff_t)13 * t);
  }
  for (int i = 0; i < 26; ++i) {
    assert_close(rates[i], other[i], 1e-12 * fabs(other[i]) + 1e-13);
  }
  assert_true(powers.dissipation == crInstance_ComputePowers(bench.instance, set).dissipation);
  assert_true(energy.kinetic == crInstance_ComputeEnergy(bench.instance, set, -1).kinetic);
  bench.y[1] = NAN;
  assert_int_equal(crInstance_ComputeRates(bench.instance, set, 0.0, bench.y, rates), cr_retry);
  crDestroyContacts(set.contacts);
  crDestroyInstance(bench.instance);
  crDestroyModel(bench.model);
  crDestroyScene(bench.scene);
}

#define ROUND_BALL "solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' }"
#define ONE(features, rest)                                                                                            \
  "world('w', {})\nobject('b', { parent = 'w', position = { 1, 0, 0 }, free = true, " features " })\n" rest

static void trees_are_round_when_nothing_can_see_them_turn(void** state)
{
  (void)state;
  static const struct {
    const char* text;
    bool isRound;
  } cases[] = {
    { ONE(ROUND_BALL, ""), true },
    { ONE("solid{ shape = box{ size = { 1, 1, 1 } }, material = 'Steel' }", ""), true },
    { ONE("solid{ shape = box{ size = { 1, 1, 1.01 } }, material = 'Steel' }", ""), false },
    { ONE("solid{ shape = box{ size = { 1, 1, 1 } }, material = 'Steel', contact = 'Steel' }", ""), false },
    { ONE(ROUND_BALL, "object('c', { parent = 'b', position = { 0, 0, 0.1 }, solid{ shape = sphere{ radius = 0.01 },\n"
                      "  material = 'Steel' } })\n"),
      false },
    { ONE(ROUND_BALL, "springDamper('s', 'w', 'b', { stiffness = 1 })\n"), false },
    { "scene{ gravity = { mu = 1, centre = { 0, 0, 0 } } }\n" ONE(ROUND_BALL, ""), false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Bench bench;
    openScene(&bench, cases[i].text);
    assert_int_equal(crModel_IsRoundTree(bench.model, 0), cases[i].isRound);
    crDestroyModel(bench.model);
    crDestroyScene(bench.scene);
  }
}

// An offset of 0 was applied to a null pointer, where a set has no contacts that stick (fuzz_checkpoint).
static void sets_without_bristles_have_none_of_a_tree(void** state)
{
  (void)state;
  crContacts contacts = { 0 };
  const uint64_t* keys = (const uint64_t*)1;
  assert_int_equal(crContacts_FindBristles(&contacts, 3, &keys), 0);
  assert_null(keys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(sets_without_bristles_have_none_of_a_tree),
    cmocka_unit_test(sets_that_share_a_table_have_the_rates_of_one_set_to_the_last_bit),
    cmocka_unit_test(sets_that_become_one_and_part_keep_their_contacts),
    cmocka_unit_test(events_of_known_pairs_are_those_of_the_broad_phase),
    cmocka_unit_test(a_set_without_its_broad_phase_makes_it_anew),
    cmocka_unit_test(contacts_stay_with_their_pairs_where_some_begin_and_others_end),
    cmocka_unit_test(every_allocation_of_shared_contacts_may_fail),
    cmocka_unit_test(pairs_without_memory_are_not_there_at_all),
    cmocka_unit_test(sparsity_has_the_entries_of_what_touches),
    cmocka_unit_test(sparsity_has_the_entries_of_what_is_coupled),
    cmocka_unit_test(states_that_are_rates_of_others_are_so_exactly),
    cmocka_unit_test(turning_round_bodies_changes_no_rate),
    cmocka_unit_test(the_short_path_gives_what_the_stages_give),
    cmocka_unit_test(trees_are_round_when_nothing_can_see_them_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
