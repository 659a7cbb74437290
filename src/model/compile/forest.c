// The spanning forest of the joint graph, part of check.
//
// Nodes are rigid groups, edges are joints, and one implicit edge of free motion from the world to every
// free object. The search starts at the world and goes breadth first, level by level, over the joints
// that constrain something; among the joints that could reach a new group from the same level, those
// that are driven, coupled or have a rotor come first, then those with fewer degrees of freedom, then those created
// first. That keeps trees shallow and the states few, leaves the constraints of large joints to those that close loops,
// and makes the choice independent of the order of objectA and objectB. Groups that are left are reached by free
// motion, joints before implicit edges, each followed by another breadth-first search.
#include "base/sort.h"
#include "model/compile/compile.h"

typedef struct Forest {
  crCompilation* c;
  int* starts;   // (groupCount + 1) into adjacent
  int* adjacent; // joints at each group, ascending
  int* queue;    // (groupCount) groups in the order in which they were reached
  int queued;
  uint64_t* candidates; // (jointCount) joints that leave a level: passive << 40 | dof << 32 | joint
  uint64_t* heap;       // (2 x jointCount) smallest first: free joints that might reach a group
  int heaped;
} Forest;

static int otherEnd(const crCompilation* c, int joint, int group)
{
  int a = c->groups[c->jointEnds[joint][0]], b = c->groups[c->jointEnds[joint][1]];
  return a == group ? b : a;
}

static bool isEdge(const crCompilation* c, int joint)
{
  return c->isUsable[joint] && !crIsWeld(c->jointDefs[joint]->kind);
}

static bool isReached(const crCompilation* c, int group)
{
  return c->treeEdges[group] != CR_BROKEN;
}

// Lists the joints of each group in compressed rows.
static bool listAdjacent(Forest* forest)
{
  crCompilation* c = forest->c;
  int* filled;
  if (!crNew(c, forest->starts, c->groupCount + 1) || !crNew(c, forest->adjacent, 2 * (size_t)c->jointCount) ||
      !crNew(c, filled, c->groupCount)) {
    return false;
  }
  for (int i = 0; i < c->jointCount; ++i) {
    for (int end = 0; end < 2 && isEdge(c, i); ++end) {
      ++forest->starts[c->groups[c->jointEnds[i][end]] + 1];
    }
  }
  for (int g = 0; g < c->groupCount; ++g) {
    forest->starts[g + 1] += forest->starts[g];
  }
  for (int i = 0; i < c->jointCount; ++i) {
    for (int end = 0; end < 2 && isEdge(c, i); ++end) {
      int g = c->groups[c->jointEnds[i][end]];
      forest->adjacent[forest->starts[g] + filled[g]++] = i;
    }
  }
  return true;
}

// --------------------------------------------------------------------------------------------- heap

static void pushHeap(Forest* forest, uint64_t key)
{
  int i = forest->heaped++;
  for (int up = (i - 1) / 2; i > 0 && forest->heap[up] > key; up = (i - 1) / 2) {
    forest->heap[i] = forest->heap[up];
    i = up;
  }
  forest->heap[i] = key;
}

static uint64_t popHeap(Forest* forest)
{
  uint64_t smallest = forest->heap[0], key = forest->heap[--forest->heaped];
  int i = 0;
  for (int child = 1; child < forest->heaped; child = 2 * i + 1) {
    child += child + 1 < forest->heaped && forest->heap[child + 1] < forest->heap[child];
    if (forest->heap[child] >= key) {
      break;
    }
    forest->heap[i] = forest->heap[child];
    i = child;
  }
  forest->heap[i] = key;
  return smallest;
}

// ------------------------------------------------------------------------------------------- search

static void reach(Forest* forest, int group, int edge, int parent)
{
  crCompilation* c = forest->c;
  c->treeEdges[group] = edge;
  c->treeParents[group] = parent;
  c->groupDepths[group] = parent >= 0 ? c->groupDepths[parent] + 1 : 0;
  c->groupRoots[group] = parent < 0 ? CR_NONE : c->groupRoots[parent] == CR_NONE ? group : c->groupRoots[parent];
  forest->queue[forest->queued++] = group;
  for (int k = forest->starts[group]; k < forest->starts[group + 1]; ++k) {
    int joint = forest->adjacent[k];
    if (crIsFreeEdge(c, joint) && !isReached(c, otherEnd(c, joint, group))) {
      pushHeap(forest, (uint64_t)joint);
    }
  }
}

// What acts on a coordinate is cheapest where the coordinate is a state.
static bool isPassive(const crCompilation* c, int joint)
{
  const crJointDef* def = c->jointDefs[joint];
  bool hasRotor = false;
  for (int i = 0; i < crGetJointType(def->kind)->vCount; ++i) {
    hasRotor = hasRotor || def->law.rotorInertia[i] != 0.0;
  }
  return def->drive == NULL && def->motion == NULL && !hasRotor && !c->isCoupled[joint];
}

// Joints that constrain and lead from a level to groups not reached yet, best first.
static int collectCandidates(Forest* forest, int levelStart, int levelEnd)
{
  const crCompilation* c = forest->c;
  int count = 0;
  for (int i = levelStart; i < levelEnd; ++i) {
    int group = forest->queue[i];
    for (int k = forest->starts[group]; k < forest->starts[group + 1]; ++k) {
      int joint = forest->adjacent[k];
      if (!crIsFreeEdge(c, joint) && !isReached(c, otherEnd(c, joint, group))) {
        uint64_t dof = (uint64_t)crGetJointType(c->jointDefs[joint]->kind)->vCount;
        forest->candidates[count++] = (uint64_t)isPassive(c, joint) << 40 | dof << 32 | (uint64_t)joint;
      }
    }
  }
  crSortKeys(forest->candidates, count);
  return count;
}

// Breadth first from the groups in queue[levelStart, queued).
static void searchLevels(Forest* forest, int levelStart)
{
  crCompilation* c = forest->c;
  while (levelStart < forest->queued) {
    int levelEnd = forest->queued;
    int count = collectCandidates(forest, levelStart, levelEnd);
    for (int i = 0; i < count; ++i) {
      int joint = (int)(uint32_t)forest->candidates[i];
      int a = c->groups[c->jointEnds[joint][0]], b = c->groups[c->jointEnds[joint][1]];
      if (!isReached(c, a)) {
        reach(forest, a, joint, b);
      } else if (!isReached(c, b)) {
        reach(forest, b, joint, a);
      }
    }
    levelStart = levelEnd;
  }
}

static void searchFreeJoints(Forest* forest)
{
  crCompilation* c = forest->c;
  while (forest->heaped > 0) {
    int joint = (int)popHeap(forest);
    int a = c->groups[c->jointEnds[joint][0]], b = c->groups[c->jointEnds[joint][1]];
    if (isReached(c, a) && isReached(c, b)) {
      continue;
    }
    int start = forest->queued;
    reach(forest, isReached(c, a) ? b : a, joint, isReached(c, a) ? a : b);
    searchLevels(forest, start);
  }
}

static bool allocateForest(Forest* forest)
{
  crCompilation* c = forest->c;
  return crNew(c, c->treeEdges, c->groupCount) && crNew(c, c->treeParents, c->groupCount) &&
         crNew(c, c->groupRoots, c->groupCount) && crNew(c, c->groupDepths, c->groupCount) &&
         crNew(c, forest->queue, c->groupCount) && crNew(c, forest->candidates, c->jointCount) &&
         crNew(c, forest->heap, 2 * (size_t)c->jointCount) && listAdjacent(forest);
}

crStatus crGrowForest(crCompilation* c)
{
  Forest forest = { .c = c };
  if (!allocateForest(&forest)) {
    return cr_errorMemory;
  }
  for (int g = 0; g < c->groupCount; ++g) {
    c->treeEdges[g] = c->groupRoots[g] = CR_BROKEN;
    c->treeParents[g] = CR_NONE;
  }
  // more than one world is an error, but what hangs on the second one is connected
  for (int i = 0; i < c->objectCount; ++i) {
    if (c->objectDefs[i]->mobility == cr_mobilityWorld && !isReached(c, c->groups[i])) {
      reach(&forest, c->groups[i], CR_NONE, CR_NONE);
    }
  }
  searchLevels(&forest, 0);
  searchFreeJoints(&forest);
  for (int i = 0; i < c->objectCount && c->world != CR_NONE; ++i) {
    if (c->objectDefs[i]->mobility == cr_mobilityFree && !isReached(c, c->groups[i])) {
      int start = forest.queued;
      reach(&forest, c->groups[i], c->jointCount + i, c->groups[c->world]);
      searchLevels(&forest, start);
      searchFreeJoints(&forest);
    }
  }
  return cr_ok;
}
