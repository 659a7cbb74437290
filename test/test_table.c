// Sorting and the hash tables inside a model.
#include "base/sort.h"
#include "model/table.h"
#include "support/test.h"

#include <string.h>

static void sorting_orders_and_keeps_every_key(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int count = 0; count < 70; ++count) {
    uint64_t keys[70], slow[70];
    for (int i = 0; i < count; ++i) {
      keys[i] = slow[i] = crRandom_Next(&random) % (count % 2 == 0 ? 5 : UINT64_MAX);
    }
    // insertion sort
    for (int i = 1; i < count; ++i) {
      for (int k = i; k > 0 && slow[k - 1] > slow[k]; --k) {
        uint64_t larger = slow[k - 1];
        slow[k - 1] = slow[k];
        slow[k] = larger;
      }
    }
    crSortKeys(keys, count);
    assert_memory_equal(keys, slow, (size_t)count * sizeof *keys);
  }
}

static void a_key_table_keeps_the_first_value_of_a_key(void** state)
{
  (void)state;
  uint64_t keys[64];
  int32_t values[64];
  crKeyTable table = { keys, values, crTableCapacity(30) };
  assert_int_equal(table.capacity, 64);
  crKeyTable_Clear(&table);
  for (int i = 0; i < 30; ++i) {
    assert_int_equal(crKeyTable_Find(&table, crPairKey(i, 2 * i)), -1);
    assert_int_equal(crKeyTable_Add(&table, crPairKey(i, 2 * i), i), i);
  }
  for (int i = 0; i < 30; ++i) {
    assert_int_equal(crKeyTable_Add(&table, crPairKey(2 * i, i), 99), i);
    assert_int_equal(crKeyTable_Find(&table, crPairKey(2 * i, i)), i);
  }
}

static void a_path_table_compares_whole_paths(void** state)
{
  (void)state;
  static const char text[] = "a\0a.b\0ab\0";
  static const size_t paths[] = { 0, 2, 6, 9 };
  int32_t slots[16];
  crPathTable table = { slots, crTableCapacity(4), paths, text };
  assert_int_equal(table.capacity, 16);
  crPathTable_Clear(&table);
  for (int i = 0; i < 4; ++i) {
    crPathTable_Add(&table, i);
  }
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(crPathTable_Find(&table, text + paths[i], strlen(text + paths[i])), i);
  }
  assert_int_equal(crPathTable_Find(&table, "a.b", 1), 0);
  assert_int_equal(crPathTable_Find(&table, "a.", 2), -1);
  assert_int_equal(crPathTable_Find(&table, "abc", 3), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(sorting_orders_and_keeps_every_key),
    cmocka_unit_test(a_key_table_keeps_the_first_value_of_a_key),
    cmocka_unit_test(a_path_table_compares_whole_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
