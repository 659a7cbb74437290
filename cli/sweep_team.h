// Processes that mpirun has started to share one sweep: rank 0 deals out blocks of runs to whoever asks, and runs
// points itself.
#ifndef CR_CLI_SWEEP_TEAM_H
#define CR_CLI_SWEEP_TEAM_H

#include "carom/sweep.h"

typedef struct crSweepTeam crSweepTeam;

// Whether mpirun has started more than one process, as its environment tells.
bool crIsStartedByMpi(void);
bool crHasMpi(void); // in this build

crSweepTeam* crCreateSweepTeam(void); // NULL: MPI cannot be started
void crDestroySweepTeam(crSweepTeam* team);
int crSweepTeam_GetRank(const crSweepTeam* team);

// The worst status of all; every rank calls it.
crStatus crSweepTeam_Agree(crSweepTeam* team, crStatus status);

// crRunSweep by all of them. Rank 0 tells of all, and gets the progress of all.
crStatus crSweepTeam_Run(crSweepTeam* team, const crSweepPlan* plan, const char* folder, const crSweepOptions* options,
                         const crErrorSink* sink, crSweepProgress* outProgress);

#endif
