// The rim of a crowd of balls: those of them that have a neighbour of another island. Inside of it balls meet nobody
// but each other, which lanes know of, so that only the rim is swept and searched in a step. Whoever asks for all of
// them, as an event does, has them swept then.
#include "island/island.h"

// Places and velocities among the states of a ball.
#define CR_VELOCITY 7
#define CR_SPIN 10

static bool hasOthers(const crIslands* islands, const crIsland* island, int shape)
{
  bool hasOthers = false;
  for (int n = islands->neighbourStarts[shape]; n < islands->neighbourStarts[shape + 1] && !hasOthers; ++n) {
    int owner = crIslands_FindOwner(islands, islands->neighbours[n]);
    hasOthers = owner >= 0 && owner != island->number;
  }
  return hasOthers;
}

// It is the same while neighbours are, and nobody joins or parts.
crStatus crWorker_FindRim(crWorker* worker, const crIsland* island)
{
  const crIslands* islands = worker->islands;
  crRim* rim = &worker->rim;
  if (rim->number == island->number && rim->stamp == islands->neighbourStamp) {
    return cr_ok;
  }
  rim->number = -1;
  rim->balls.count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    if (hasOthers(islands, island, islands->treeShapes[island->trees[k]])) {
      int* place = crArray_Push(&rim->balls, &islands->allocator);
      if (place == NULL) {
        return cr_errorMemory;
      }
      *place = k;
    }
  }
  rim->number = island->number;
  rim->stamp = islands->neighbourStamp;
  return cr_ok;
}

static crVec3 readVec3(const double* x)
{
  return crMakeVec3(x[0], x[1], x[2]);
}

static crAabb boxOfBall(crVec3 p, double radius)
{
  crVec3 extent = crMakeVec3(radius, radius, radius);
  return (crAabb){ crSub(p, extent), crAdd(p, extent) };
}

// What balls sweep in the segment, as crWorker_Sweep has it.
crStatus crWorker_SweepRim(crWorker* worker, crIsland* island)
{
  crIslands* islands = worker->islands;
  const crSegment* segment = &island->segment;
  double h = segment->t1 - segment->t0;
  crStatus status = crWorker_FindRim(worker, island);
  for (int i = 0; i < worker->rim.balls.count && status == cr_ok; ++i) {
    int tree = island->trees[worker->rim.balls.items[i]], shape = islands->treeShapes[tree];
    const double *y0 = segment->y0 + islands->stateStarts[tree], *y1 = segment->y1 + islands->stateStarts[tree];
    crSweep* sweep = &islands->sweeps[islands->model->contactShapes[shape].body];
    *sweep = (crSweep){ .R0 = crIdentityMat3(),
                        .R1 = crIdentityMat3(),
                        .p0 = readVec3(y0),
                        .v0 = readVec3(y0 + CR_VELOCITY),
                        .w0 = readVec3(y0 + CR_SPIN),
                        .p1 = readVec3(y1),
                        .v1 = readVec3(y1 + CR_VELOCITY),
                        .w1 = readVec3(y1 + CR_SPIN) };
    crSweep_Bound(sweep, h);
    double radius = islands->model->shapes[shape].sweep, bulge = sweep->acceleration * h * h / 8.0;
    crVec3 extra = crMakeVec3(bulge, bulge, bulge);
    islands->startBoxes[shape] = boxOfBall(sweep->p0, radius);
    islands->boxes[shape] = boxOfBall(sweep->p1, radius);
    crAabb box = crUnionAabb(islands->boxes[shape], islands->startBoxes[shape]);
    islands->swept[shape] = (crAabb){ crSub(box.min, extra), crAdd(box.max, extra) };
  }
  island->isRimSwept = true;
  return status;
}
