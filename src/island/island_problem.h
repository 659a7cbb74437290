// The problem of an island as its steps and sums use it.
#ifndef CR_ISLAND_ISLAND_PROBLEM_H
#define CR_ISLAND_ISLAND_PROBLEM_H

#include "island/island.h"

// Rates of all its states, and what an evaluation leaves in the instance and in contacts; at the end of its segment;
// and somewhere, with rates that go nowhere.
crStatus crIsland_EvalRates(crIsland* island, double t, const double* y, double* outRates);
crStatus crIsland_EvalEnd(crIsland* island);
crStatus crIsland_EvalAt(crIsland* island, double t, const double* y);
double* crIsland_GetScratch(const crIsland* island); // (n)

// The pattern of its Jacobian, as its contacts are now; Provide: before a step of this kind, where that needs it.
crStatus crIsland_FindPattern(crWorker* worker, crIsland* island);
crStatus crIsland_ProvidePattern(crWorker* worker, crIsland* island, crStepKind kind);

// Before a step of this kind: lanes of a crowd of balls, for one that is no longer than h [s]; then how stages are
// evaluated. And behind a step: what has begun in lanes.
crStatus crIsland_ProvideLanes(const crWorker* worker, crIsland* island, crStepKind kind, double h);
crStatus crIsland_ProvideStage(crWorker* worker, crIsland* island, crStepKind kind);
crStatus crIsland_SettleLanes(const crWorker* worker, crIsland* island);
crStatus crIsland_ProvideCourses(crIsland* island, crStepKind kind); // whether patches are on courses in it
void crIsland_SetForm(const crWorker* worker, crIsland* island);     // whether the stepper works in lanes

#endif
