// What the errors of a crowd are measured by: vectors of its bodies, not all of its states alike. See body_norm.c.
#include "island/island.h"

// States of a free body: position, quaternion, velocity, angular velocity.
#define CR_PLACE 3
#define CR_TURN 4

static void addVector(crIsland* island, int first, int count, int body, double least)
{
  island->vectors[island->structure.vectorCount++] = (crStateVector){ first, count, body, least };
}

// A spin counts by what it does at the surface, which is all that others feel of it.
static void addFree(crIsland* island, int first, int tree, int body)
{
  const crIslands* islands = island->owner;
  int shape = islands->treeShapes[tree];
  bool hasShape = islands->treeShapes[tree + 1] > shape;
  double reach = hasShape ? crShape_GetReach(&islands->model->shapes[shape]) : 1.0;
  addVector(island, first, CR_PLACE, body, 0.0);
  first += CR_PLACE;
  if (!islands->isRound[tree]) {
    addVector(island, first, CR_TURN, body, 0.0);
  }
  first += CR_TURN;
  addVector(island, first, CR_PLACE, body, 1.0);
  addVector(island, first + CR_PLACE, CR_PLACE, body, 1.0 / fmin(1.0, reach));
}

static bool isFree(const crModel* model, int tree)
{
  const crTree* t = &model->trees[tree];
  return t->bodyCount == 1 && model->links[t->bodyStart].path == cr_pathFree;
}

bool crIsland_ListVectors(crIsland* island)
{
  const crIslands* islands = island->owner;
  int most = island->treeStates;
  island->structure.vectorCount = 0;
  if (!crIsland_IsLarge(island) || island->stateCount > island->treeStates) {
    return true;
  }
  if (!crReserve(&islands->allocator, &island->vectors, &island->vectorCapacity, most, sizeof *island->vectors)) {
    return false;
  }
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k], first = islands->stateStarts[tree];
    int count = crTreeStateCount(&islands->model->trees[tree]);
    if (isFree(islands->model, tree)) {
      addFree(island, first, tree, k);
      continue;
    }
    for (int i = first; i < first + count; ++i) {
      addVector(island, i, 1, k, 0.0);
    }
  }
  island->structure.vectors = island->vectors;
  return true;
}
