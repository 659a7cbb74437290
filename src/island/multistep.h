// A track of another library: IDA or CVODE's BDF integrate the only island of a run.
//
// A multi-step method cannot take its last step again. So a step that has to end elsewhere is found by starting once
// more where the method started last, behind the last event, and integrating again: the same steps, but for the last.
// What the method tells about a step becomes a segment like any other: six of its states, and the polynomial of degree
// 5 through them.
#ifndef CR_ISLAND_MULTISTEP_H
#define CR_ISLAND_MULTISTEP_H

#include "base/archive.h"
#include "island/run.h"
#include "solve/solver.h"

typedef struct crMultistep crMultistep;
typedef struct crIsland crIsland;

// For an island that has all trees; anew where it has another number of states now. cr_errorModel: this build has no
// such solver, which is told.
crStatus crFitMultistep(crIsland* island, crSolverKind kind, crMultistep** ioMultistep);
void crDestroyMultistep(crMultistep* multistep);

// The next step starts anew from the start of the segment; its first step is at most this long [s]; 0: no limit.
void crMultistep_Restart(crMultistep* multistep, double firstStep);

// Fill the segment of the island from its start on: one step, not beyond tMax; and that step again, to end at t
// exactly.
crStatus crMultistep_Step(crMultistep* multistep, double tMax);
crStatus crMultistep_Redo(crMultistep* multistep, double t);

// The last step is final: crInstance_CompleteStep was told.
crStatus crMultistep_NoteComplete(crMultistep* multistep);

// The last restart and what was asked of the method since. A reader, whose island is described and has its contacts,
// makes the track (NULL before) and takes these steps again: cr_errorFile, if they do not lead to where they did.
void crMultistep_Archive(crArchive* archive, crIsland* island, crMultistep** ioMultistep);

// The residual form is not projected: loops stay closed because their constraints are part of it. Those that depended
// on others at the start are not; and where they come to depend on each other, its matrix is singular. Behind a step
// that is final, where the instance is; cr_failNumerics: a loop has opened, or there is no way on, which was told.
crStatus crMultistep_CheckLoops(crMultistep* multistep);

crSolverStatistics crMultistep_GetStatistics(const crMultistep* multistep);
crFailure crMultistep_GetFailure(const crMultistep* multistep);

#endif
