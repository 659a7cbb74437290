// What the errors of a crowd of free bodies are measured by: vectors of its bodies, not all of its states alike. See
// body_norm.c.
#include "island/island.h"

// Places among the states of a free body: position, quaternion, velocity, angular velocity.
#define CR_VELOCITY 7
#define CR_SPIN 10
#define CR_MOST_VECTORS 4 // of a body; a ball has no orientation
#define CR_QUATERNION 3
#define CR_BALL_SHARE 0.033 // [-] of the tolerance that balls are held to,
#define CR_FREE_SHARE 0.1   // and others, of whose steps the energy is judged, too

static void addVector(crIsland* island, int first, int count, int body, double least)
{
  island->vectors[island->structure.vectorCount++] = (crStateVector){ first, count, body, least };
}

// [m] Of the shapes of a body, about its origin; without any: 1.
static double findReach(const crIslands* islands, int tree)
{
  double reach = 0.0;
  for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1]; ++i) {
    const crContactShape* place = &islands->model->contactShapes[i];
    double off = islands->isRound[tree] ? 0.0 : crLength(place->X_BS.p);
    reach = fmax(reach, off + crShape_GetReach(&islands->model->shapes[i]));
  }
  return reach > 0.0 ? reach : 1.0;
}

bool crIsland_ListVectors(crIsland* island)
{
  const crIslands* islands = island->owner;
  bool isMany = crIsland_IsLarge(island) && !islands->sticks, areBalls = isMany && crIsland_AreBalls(island);
  island->structure.vectorCount = 0;
  island->structure.bodyShare = areBalls ? CR_BALL_SHARE : CR_FREE_SHARE;
  if (!areBalls && !(isMany && island->areFree)) {
    return true;
  }
  if (!crReserve(&islands->allocator, &island->vectors, &island->vectorCapacity, CR_MOST_VECTORS * island->treeCount,
                 sizeof *island->vectors)) {
    return false;
  }
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k], first = islands->stateStarts[tree];
    double reach = fmin(1.0, findReach(islands, tree));
    addVector(island, first, 3, k, 0.0);
    if (!islands->isRound[tree]) {
      addVector(island, first + CR_QUATERNION, 4, k, 0.0);
    }
    addVector(island, first + CR_VELOCITY, 3, k, 1.0);
    addVector(island, first + CR_SPIN, 3, k, 1.0 / reach); // as fast as its surface is: all that others feel of it
  }
  island->structure.vectors = island->vectors;
  return true;
}
