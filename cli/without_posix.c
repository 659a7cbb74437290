// Where the system is not POSIX there is no Slurm.
#include "sweep.h"

#include "base/absent.h"

int crWriteSlurm(const crSweepPlan* plan, const char* folder, const crSweepArguments* arguments,
                 const crErrorSink* sink)
{
  (void)plan;
  (void)arguments;
  (void)crReportAbsent(sink, folder, "this build of Carom writes no scripts for Slurm", NULL);
  return CR_EXIT_MODEL;
}
