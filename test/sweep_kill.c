// A sweep whose process is killed at random times, against an undisturbed one: as many runs as asked for.
//
// usage: sweep_kill [RUNS] [KILLS]     100000 and 20 unless given
#include "support/folder.h"
#include "support/sweeps.h"

#include <stdlib.h>

static int runs = 100000, kills = 20;

static void the_tables_are_the_same(void** state)
{
  (void)state;
  crWriteDropModel();
  int died = crKillSweep("killed.sweep", runs, kills, 5e-5 * runs);
  crRunCalmSweep("calm.sweep", runs);
  crSweepTable *killed = crReadTestTable("killed.sweep"), *calm = crReadTestTable("calm.sweep");
  assert_int_equal(crSweepTable_CountRows(calm), runs);
  assert_same_table(killed, calm);
  print_message("%d runs, %d of %d processes killed: the same bits\n", runs, died, kills);
  crDestroySweepTable(killed);
  crDestroySweepTable(calm);
}

int main(int argc, char** argv)
{
  runs = argc > 1 ? atoi(argv[1]) : runs;
  kills = argc > 2 ? atoi(argv[2]) : kills;
  const struct CMUnitTest tests[] = { cmocka_unit_test(the_tables_are_the_same) };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
