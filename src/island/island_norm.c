// What the errors of a crowd of balls are measured by: vectors of its bodies, not all of its states alike. See
// body_norm.c.
#include "island/island.h"

// Places among the states of a free body: position, quaternion, velocity, angular velocity.
#define CR_VELOCITY 7
#define CR_SPIN 10
#define CR_BALL_VECTORS 3

static void addVector(crIsland* island, int first, int body, double least)
{
  island->vectors[island->structure.vectorCount++] = (crStateVector){ first, 3, body, least };
}

bool crIsland_ListVectors(crIsland* island)
{
  const crIslands* islands = island->owner;
  bool areBalls = crIsland_IsLarge(island) && !islands->sticks && crIsland_AreBalls(island);
  island->structure.vectorCount = 0;
  if (!areBalls) {
    return true;
  }
  if (!crReserve(&islands->allocator, &island->vectors, &island->vectorCapacity, CR_BALL_VECTORS * island->treeCount,
                 sizeof *island->vectors)) {
    return false;
  }
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k], first = islands->stateStarts[tree];
    double reach = fmin(1.0, crShape_GetReach(&islands->model->shapes[islands->treeShapes[tree]]));
    addVector(island, first, k, 0.0);
    addVector(island, first + CR_VELOCITY, k, 1.0);
    addVector(island, first + CR_SPIN, k, 1.0 / reach); // as fast as its surface is: all that others feel of it
  }
  island->structure.vectors = island->vectors;
  return true;
}
