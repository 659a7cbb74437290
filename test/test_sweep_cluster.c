// Sweeps by several processes: MPI ranks and tasks of Slurm give the table of one thread.
#include "support/command.h"
#include "support/folder.h"
#include "support/sweeps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP                                                                                                          \
  " sweep drop.lua --vary height=0.1:0.5:10 --vary 'cor=uniform(0.4,0.9)' --vary fails=0,0.2 --runs 500 --output "     \
  "'last(ball.position)' --output 'count(contacts)' "

static void assertSameAsOneThread(const char* folder)
{
  crAssertSays("test -d one.sweep || $carom" SWEEP "--threads 1 -o one.sweep", 0, "");
  crSweepTable *one = crReadTestTable("one.sweep"), *other = crReadTestTable(folder);
  assert_int_equal(crSweepTable_CountRows(one), 500);
  assert_same_table(one, other);
  crDestroySweepTable(one);
  crDestroySweepTable(other);
}

// ------------------------------------------------------------------------------------------------ MPI

#ifdef CAROM_MPI_TOOL
#define MPIRUN                                                                                                         \
  "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "                     \
  "OMPI_MCA_btl=self,vader " CAROM_MPIRUN " -n "

static void ranks_of_mpi_give_the_same_table(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays(MPIRUN "2 " CAROM_MPI_TOOL SWEEP "-o two.sweep", 0, "500 of 500 runs, 75 failed; 500 in");
  crAssertSays(MPIRUN "4 " CAROM_MPI_TOOL SWEEP "-o four.sweep", 0, "500 of 500 runs, 75 failed; 500 in");
  assertSameAsOneThread("two.sweep");
  assertSameAsOneThread("four.sweep");
  crAssertSays("ls four.sweep | grep -c shard", 0, "4");
  crAssertSays(MPIRUN "2 " CAROM_MPI_TOOL " sweep four.sweep", 0, "500 of 500 runs, 75 failed\n");
}

// Killed and started again with another number of ranks.
static void ranks_that_were_killed_go_on(void** state)
{
  (void)state;
  crWriteDropModel();
  crCallCommand(MPIRUN "2 " CAROM_MPI_TOOL SWEEP "-o killed.sweep --stop 0.4 & mpi=$!; "
                       "for i in $(seq 1000); do ls killed.sweep/shard* >/dev/null 2>&1 && break; sleep 0.01; done; "
                       "sleep 0.1; kill -9 $(pgrep -P $mpi -d ' ') $mpi; wait $mpi");
  crAssertSays("sleep 0.2; " MPIRUN "4 " CAROM_MPI_TOOL SWEEP "-o killed.sweep --stop 0.4", 0, "500 of 500 runs");
  crAssertSays("$carom" SWEEP "--stop 0.4 --threads 1 -o calm.sweep", 0, "500 of 500 runs");
  crSweepTable *killed = crReadTestTable("killed.sweep"), *calm = crReadTestTable("calm.sweep");
  assert_same_table(killed, calm);
  crDestroySweepTable(killed);
  crDestroySweepTable(calm);
}

static void what_is_wrong_is_told_once(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays(MPIRUN "2 " CAROM_MPI_TOOL " sweep drop.lua --vary heigth=1,2 --output 'time(end)' 2>&1 | "
                      "grep -c 'no such parameter'",
               0, "1\n");
}
#else
static void ranks_of_mpi_give_the_same_table(void** state)
{
  (void)state;
  print_message("skipped: this machine has no MPI\n");
  skip();
}

static void ranks_that_were_killed_go_on(void** state)
{
  ranks_of_mpi_give_the_same_table(state);
}

static void what_is_wrong_is_told_once(void** state)
{
  ranks_of_mpi_give_the_same_table(state);
}
#endif

static void a_build_without_mpi_says_so(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("OMPI_COMM_WORLD_SIZE=2 $carom" SWEEP "-o none.sweep", 2, "this build has no MPI");
}

// ---------------------------------------------------------------------------------------------- Slurm

// The script itself, run as Slurm would: any shell is one.
static void the_script_for_slurm_runs_the_sweep(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom" SWEEP "--slurm 3 -o array.sweep", 0, "array.sweep/sweep.slurm");
  crAssertSays("cat array.sweep/sweep.slurm", 0, "#SBATCH --array=0-2\n");
  crAssertSays("for i in 0 1 2; do SLURM_ARRAY_TASK_ID=$i sh array.sweep/sweep.slurm & done; wait", 0, "of 500 runs");
  assertSameAsOneThread("array.sweep");
  crAssertSays("PATH=/nowhere $carom" SWEEP "--slurm 3 --submit -o array.sweep", 1, "sbatch cannot be started");
  crAssertSays("$carom" SWEEP "--submit -o array.sweep", 2, "--submit needs --slurm");
}

// A Slurm of one node, of this test's own.
static void an_array_of_slurm_gives_the_same_table(void** state)
{
  (void)state;
  crWriteDropModel();
  crCallCommand("command -v slurmctld slurmd sbatch munged >/dev/null && test $(id -u) = 0");
  if (crAnswer.exitCode != 0) {
    print_message("skipped: Slurm and munge are not installed, or this is not root\n");
    skip();
  }
  crAssertSays("sh '" CAROM_ROOT "/test/slurm.sh' $carom" SWEEP, 0, "500 of 500 runs, 75 failed");
  assertSameAsOneThread("slurm.sweep");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ranks_of_mpi_give_the_same_table),    cmocka_unit_test(ranks_that_were_killed_go_on),
    cmocka_unit_test(what_is_wrong_is_told_once),          cmocka_unit_test(a_build_without_mpi_says_so),
    cmocka_unit_test(the_script_for_slurm_runs_the_sweep), cmocka_unit_test(an_array_of_slurm_gives_the_same_table),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
