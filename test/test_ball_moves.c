// Contacts of balls that change places in their lists: all that is known of each goes with it, whoever moves which.
#include "contact/ball_lanes_inside.h"
#include "support/island_run.h"
#include "support/random.h"

#include <stdlib.h>

#define BALLS 12
#define MOST (BALLS * (BALLS - 1) / 2)
#define MOST_PARTS 5
#define NUMBERS (CR_BALL_ARRAYS + CR_SUM_ARRAYS + CR_POINT_ARRAYS)

#define HEAP                                                                                                           \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = 0 })\n"                                               \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                 \
  "for i = 1, 12 do\n"                                                                                                 \
  "  object('ball' .. i, { parent = room, free = true, position = { 0, 0, i },\n"                                      \
  "    solid{ shape = sphere{ radius = 0.05 }, material = 'Rubber', contact = 'Rubber' } })\n"                         \
  "end\n"

// A crew of threads, all of which are this one, the first part first, or the last.
typedef struct Team {
  int count;
  bool isBackwards;
} Team;

static void runParts(void* context, crCrewTask* task, void* ofTask)
{
  const Team* team = context;
  for (int i = 0; i < team->count; ++i) {
    task(ofTask, team->isBackwards ? team->count - 1 - i : i);
  }
}

static double* findArray(const crBallLists* lists, int k)
{
  crBallLists own = *lists;
  double** all[CR_BALL_ARRAYS];
  crBallLists_List(&own, all);
  int sum = k - CR_BALL_ARRAYS, point = sum - CR_SUM_ARRAYS;
  return sum < 0 ? *all[k] : point < 0 ? lists->sums + sum * lists->room : lists->starts + point * lists->room;
}

static double tag(int a, int b, int k)
{
  return a + 100.0 * b + 1e4 * k;
}

static void put(crBallLists* lists, int a, int b)
{
  int i = lists->count++;
  lists->a[i] = a;
  lists->b[i] = b;
  for (int k = 0; k < NUMBERS; ++k) {
    findArray(lists, k)[i] = tag(a, b, k);
  }
}

static void note(crBallLanes* lanes, crBallLists* lists, int place, bool isOver)
{
  crBallChange* change = crArray_Push(&lanes->changes, &lanes->allocator);
  assert_non_null(change);
  *change = (crBallChange){ lists, place, crBallLanes_GetShapes(lanes, lists, place), isOver };
}

static int compareChanges(const void* a, const void* b)
{
  const crBallChange *x = a, *y = b;
  return crComparePairs(x->shapes.a, x->shapes.b, y->shapes.a, y->shapes.b);
}

// Each pair of balls is kept, over, has begun, has begun and is over, or is apart; a share of changes. isIn: touches
// in the end.
static void fill(crBallLanes* lanes, crRandom* random, double share, bool isIn[BALLS][BALLS])
{
  enum { isKept, isOver, hasBegun, wasShort, isApart } kinds[BALLS][BALLS];
  crBallLists* pairs = &lanes->pairs;
  pairs->count = 0;
  lanes->changes.count = 0;
  for (int a = 0; a < BALLS; ++a) {
    for (int b = a + 1; b < BALLS; ++b) {
      bool changes = crRandom_Uniform(random, 0.0, 1.0) < share;
      kinds[a][b] = changes ? 1 + (int)crRandom_Uniform(random, 0.0, 3.999) : isKept;
      isIn[a][b] = kinds[a][b] == isKept || kinds[a][b] == hasBegun;
      if (kinds[a][b] == isKept || kinds[a][b] == isOver) {
        put(pairs, a, b);
        if (kinds[a][b] == isOver) {
          note(lanes, pairs, pairs->count - 1, true);
        }
      }
    }
  }
  pairs->kept = pairs->count;
  for (int b = BALLS - 1; b > 0; --b) { // in no order
    for (int a = b - 1; a >= 0; --a) {
      if (kinds[a][b] == hasBegun || kinds[a][b] == wasShort) {
        put(pairs, a, b);
        note(lanes, pairs, pairs->count - 1, kinds[a][b] == wasShort);
      }
    }
  }
  if (lanes->changes.count > 1) {
    qsort(lanes->changes.items, (size_t)lanes->changes.count, sizeof *lanes->changes.items, compareChanges);
  }
}

static void checkAll(const crBallLanes* lanes, bool isIn[BALLS][BALLS])
{
  const crBallLists* pairs = &lanes->pairs;
  int i = 0;
  for (int a = 0; a < BALLS; ++a) {
    for (int b = a + 1; b < BALLS; ++b) {
      if (!isIn[a][b]) {
        continue;
      }
      assert_true(i < pairs->count && pairs->a[i] == a && pairs->b[i] == b);
      for (int k = 0; k < NUMBERS; ++k) {
        assert_true(findArray(pairs, k)[i] == tag(a, b, k));
      }
      ++i;
    }
  }
  assert_int_equal(i, pairs->count);
  assert_int_equal(i, pairs->kept);
}

static void what_is_known_of_a_contact_goes_with_it_to_its_place(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = HEAP });
  crTreeSet set = crModel_GetAllTrees(model);
  crInstance* instance;
  crContacts* contacts;
  crBallLanes* lanes;
  assert_int_equal(crCreateInstance(model, NULL, NULL, &instance), cr_ok);
  assert_int_equal(crCreateContacts(model, set, NULL, &contacts), cr_ok);
  assert_int_equal(crCreateBallLanes(contacts->table, NULL, &lanes), cr_ok);
  assert_true(crBallLanes_SetBalls(lanes, instance, set));
  assert_true(crBallLists_Reserve(&lanes->allocator, &lanes->pairs, MOST));
  crRandom random = crMakeRandom(41);
  double shares[MOST_PARTS + 1];
  bool isIn[BALLS][BALLS];
  for (int trial = 0; trial < 600; ++trial) {
    Team team = { 1 + trial % MOST_PARTS, trial % 2 == 0 };
    crCrew crew = { team.count, shares, &team, runParts };
    for (int i = 0; i <= crew.count; ++i) {
      shares[i] = (double)i / crew.count;
    }
    assert_true(crBallLanes_SetCrew(lanes, NULL));
    assert_true(crBallLanes_SetCrew(lanes, trial % 7 == 0 ? NULL : &crew));
    for (int p = 1; p < lanes->partCount; ++p) { // some are empty, or behind all
      lanes->parts[p].from = lanes->parts[p - 1].from + (int)crRandom_Uniform(&random, 0.0, 30.0);
    }
    fill(lanes, &random, trial % 3 == 0 ? 0.05 : 0.5, isIn);
    assert_true(crBallLanes_Rearrange(lanes));
    checkAll(lanes, isIn);
  }
  assert_true(crBallLanes_SetCrew(lanes, NULL));
  crDestroyBallLanes(lanes);
  crDestroyContacts(contacts);
  crDestroyInstance(instance);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_known_of_a_contact_goes_with_it_to_its_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
