// Pass 2, check: one world, parents without cycles, joints that can move, every object connected.
//
// Rigid groups come from a union-find over parents and fix joints, here only to know who is rigidly
// connected with whom; the order of objects in a group is found by weld. The joint graph over the
// groups gets its spanning forest (forest.c); a joint that is left over closes a loop.
//
// What depends on a reference that is reported already is not reported again: an object with an unknown
// parent is not "unconnected", too.
#include "model/compile/compile.h"

#include <stdio.h>
#include <string.h>

#define CR_CYCLE_NAMES 6 // names shown of a cycle; longer ones are shortened

typedef struct Checker {
  crCompilation* c;
  bool* isTainted; // (objectCount) what connects it is partly unknown
  int* marks;      // (objectCount) scratch
  int* next;       // (objectCount) scratch: successor in a graph with one arrow per node
  int* objects;    // (objectCount) scratch: object that a node is called by
} Checker;

// ------------------------------------------------------------------------------------------- cycles

// Follows the arrows from `start` over nodes not seen before. A node on a cycle that this walk closed, or
// CR_NONE. Marks are start + 1.
static int findCycle(const int* next, int* marks, int start)
{
  int node = start;
  while (node >= 0 && marks[node] == 0) {
    marks[node] = start + 1;
    node = next[node];
  }
  return node >= 0 && marks[node] == start + 1 ? node : CR_NONE;
}

static int countCycle(const int* next, int node)
{
  int count = 1;
  for (int other = next[node]; other != node; other = next[other]) {
    ++count;
  }
  return count;
}

// The lowest node, so that the message does not depend on where the walk came from.
static int lowestOfCycle(const int* next, int node)
{
  int lowest = node;
  for (int other = next[node]; other != node; other = next[other]) {
    lowest = other < lowest ? other : lowest;
  }
  return lowest;
}

// "'a' -> 'b' -> 'a'", from the node `first`. objects[node] is the object that a node is called by.
static void formatCycle(const Checker* checker, int first, const int* objects, char* buffer, size_t size)
{
  int count = countCycle(checker->next, first);
  int shown = count > CR_CYCLE_NAMES ? CR_CYCLE_NAMES - 1 : count;
  size_t length = 0;
  int node = first;
  for (int i = 0; i < shown && length < size; ++i, node = checker->next[node]) {
    length += (size_t)snprintf(buffer + length, size - length, "'%s' -> ", checker->c->objectDefs[objects[node]]->name);
  }
  const char* name = checker->c->objectDefs[objects[first]]->name;
  if (shown == count && length < size) {
    snprintf(buffer + length, size - length, "'%s'", name);
  } else if (length < size) {
    snprintf(buffer + length, size - length, "... -> '%s', %d in all", name, count);
  }
}

static void checkParentCycles(Checker* checker)
{
  crCompilation* c = checker->c;
  for (int i = 0; i < c->objectCount; ++i) {
    checker->next[i] = c->parents[i];
    checker->marks[i] = 0;
    checker->objects[i] = i;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    int node = findCycle(checker->next, checker->marks, i);
    if (node == CR_NONE) {
      continue;
    }
    char cycle[(CR_CYCLE_NAMES + 1) * 256];
    int first = lowestOfCycle(checker->next, node);
    formatCycle(checker, first, checker->objects, cycle, sizeof cycle);
    crComplaint rest = { .found = cycle, .hint = "one of them must have another parent or none" };
    crCompilation_Report(c, cr_severityError, crAddressOfObject(c, first), &rest, "the parents form a cycle");
    c->rigidParents[first] = CR_NONE;
    checker->isTainted[first] = true;
    for (int other = checker->next[first]; other != first; other = checker->next[other]) {
      checker->isTainted[other] = true;
    }
  }
}

// -------------------------------------------------------------------------------------------- world

static void checkWorld(crCompilation* c)
{
  int count = 0;
  c->world = CR_NONE;
  for (int i = 0; i < c->objectCount; ++i) {
    if (c->objectDefs[i]->mobility != cr_mobilityWorld) {
      continue;
    }
    if (++count == 1) {
      c->world = i;
      continue;
    }
    crComplaint rest = { .hint = "a model has exactly one world: let the others have it as their parent" };
    crCompilation_Report(c, cr_severityError, crAddressOfObject(c, i), &rest, "there are two worlds: '%s' and '%s'",
                         c->objectDefs[c->world]->name, c->objectDefs[i]->name);
  }
  // the world may be among the elements that failed
  if (count == 0 && !c->sceneHasErrors) {
    crAddress nowhere = { { crScene_GetOptions(c->scene)->source.file, 0, 0 }, NULL };
    crComplaint rest = { .hint = "add one object that is the world, the inertial frame of all others" };
    crCompilation_Report(c, cr_severityError, nowhere, &rest, "the model has no world");
  }
}

// ------------------------------------------------------------------------------------- rigid groups

static int findRoot(int* up, int node)
{
  while (up[node] != node) {
    up[node] = up[up[node]];
    node = up[node];
  }
  return node;
}

// Unites the sets of two nodes under the lower root; false: they are one set already.
static bool unite(int* up, int a, int b)
{
  int rootA = findRoot(up, a), rootB = findRoot(up, b);
  if (rootA == rootB) {
    return false;
  }
  up[rootA > rootB ? rootA : rootB] = rootA < rootB ? rootA : rootB;
  return true;
}

static void findRigidParents(Checker* checker)
{
  crCompilation* c = checker->c;
  for (int i = 0; i < c->objectCount; ++i) {
    bool isRigid = c->objectDefs[i]->mobility == cr_mobilityRigid && c->parents[i] >= 0;
    c->rigidParents[i] = isRigid ? c->parents[i] : CR_NONE;
    checker->isTainted[i] = c->parents[i] == CR_BROKEN;
  }
}

// Finds joints whose ends are not two objects.
static void checkJointEnds(Checker* checker)
{
  crCompilation* c = checker->c;
  for (int i = 0; i < c->jointCount; ++i) {
    int a = c->jointEnds[i][0], b = c->jointEnds[i][1];
    c->isUsable[i] = a >= 0 && b >= 0 && a != b;
    if (a == b && a >= 0) {
      crComplaint rest = { .hint = "a joint connects two different objects" };
      crCompilation_Report(c, cr_severityError, crAddressOfEdge(c, i), &rest, "the joint connects '%s' with itself",
                           c->objectDefs[a]->name);
    }
    if (a >= 0 && !c->isUsable[i]) {
      checker->isTainted[a] = true;
    }
    if (b >= 0 && !c->isUsable[i]) {
      checker->isTainted[b] = true;
    }
  }
}

static void reportRigidJoint(crCompilation* c, int joint, const char* hint)
{
  crComplaint rest = { .hint = hint };
  crCompilation_Report(c, cr_severityError, crAddressOfEdge(c, joint), &rest,
                       "the %s joint connects '%s' and '%s', which are rigidly connected already",
                       crJointKind_GetText(c->jointDefs[joint]->kind), c->objectDefs[c->jointEnds[joint][0]]->name,
                       c->objectDefs[c->jointEnds[joint][1]]->name);
  c->isUsable[joint] = false;
}

// Groups are numbered by their first object.
static crStatus numberGroups(crCompilation* c, int* up)
{
  int count = 0;
  for (int i = 0; i < c->objectCount; ++i) {
    int root = findRoot(up, i);
    c->groups[i] = root == i ? count++ : c->groups[root];
  }
  c->groupCount = count;
  if (!crNew(c, c->groupReferences, count)) {
    return cr_errorMemory;
  }
  for (int g = 0; g < count; ++g) {
    c->groupReferences[g] = CR_NONE;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    int* reference = &c->groupReferences[c->groups[i]];
    *reference = *reference == CR_NONE && c->rigidParents[i] == CR_NONE ? i : *reference;
  }
  return cr_ok;
}

static crStatus findGroups(crCompilation* c)
{
  int* up;
  if (!crNew(c, up, c->objectCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    up[i] = i;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    if (c->rigidParents[i] >= 0) {
      unite(up, i, c->rigidParents[i]);
    }
  }
  for (int i = 0; i < c->jointCount; ++i) {
    if (c->isUsable[i] && crIsWeld(c->jointDefs[i]->kind) && !unite(up, c->jointEnds[i][0], c->jointEnds[i][1])) {
      reportRigidJoint(c, i, "remove this joint, or the parent or fix joint that makes it redundant");
    }
  }
  for (int i = 0; i < c->jointCount; ++i) {
    if (c->isUsable[i] && !crIsWeld(c->jointDefs[i]->kind) &&
        findRoot(up, c->jointEnds[i][0]) == findRoot(up, c->jointEnds[i][1])) {
      reportRigidJoint(c, i, "a joint moves two rigid groups: take away the parent or fix joint between them");
    }
  }
  return numberGroups(c, up);
}

// Forces and exclusions within one rigid group are of no use.
static void checkOtherEnds(crCompilation* c)
{
  for (int i = 0; i < c->forceCount; ++i) {
    int a = c->forceEnds[i][0], b = c->forceEnds[i][1];
    crAddress address = { c->forceDefs[i]->source, c->forceDefs[i]->name };
    bool isCable = c->forceDefs[i]->kind == cr_forceCable; // it may act on what it runs through
    if (a >= 0 && b >= 0 && c->groups[a] == c->groups[b] && !isCable) {
      crCompilation_Report(c, cr_severityWarning, address, NULL,
                           "the force has no effect: '%s' and '%s' are rigidly connected", c->objectDefs[a]->name,
                           c->objectDefs[b]->name);
    } else if (a >= 0 && b == CR_NONE && c->world >= 0 && c->groups[a] == c->groups[c->world]) {
      crCompilation_Report(c, cr_severityWarning, address, NULL, "the force has no effect: '%s' is fixed to the world",
                           c->objectDefs[a]->name);
    }
  }
  for (int i = 0; i < c->exclusionCount; ++i) {
    int a = c->exclusionEnds[i][0], b = c->exclusionEnds[i][1];
    crAddress address = { c->exclusionDefs[i]->source, "exclude" };
    if (a >= 0 && b >= 0 && c->groups[a] == c->groups[b]) {
      crCompilation_Report(c, cr_severityWarning, address, NULL,
                           "the exclusion has no effect: '%s' and '%s' are rigidly connected and never collide",
                           c->objectDefs[a]->name, c->objectDefs[b]->name);
    }
  }
}

// ------------------------------------------------------------------------------------------- forest

// Finds the joints that the forest does not use: they close loops.
static crStatus findCuts(crCompilation* c)
{
  if (!crNew(c, c->cutEdges, c->jointCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->jointCount; ++i) {
    int groupA = c->isUsable[i] ? c->groups[c->jointEnds[i][0]] : CR_NONE;
    int groupB = c->isUsable[i] ? c->groups[c->jointEnds[i][1]] : CR_NONE;
    bool isLoop = groupA != groupB && c->treeEdges[groupA] != CR_BROKEN && c->treeEdges[groupB] != CR_BROKEN &&
                  c->treeEdges[groupA] != i && c->treeEdges[groupB] != i;
    if (!isLoop) {
      continue;
    }
    if (!crIsFreeEdge(c, i)) {
      c->cutEdges[c->cutCount++] = i;
      continue;
    }
    crComplaint rest = { .hint = "remove it: a joint that leaves all motions free constrains nothing in a loop" };
    crCompilation_Report(c, cr_severityError, crAddressOfEdge(c, i), &rest,
                         "the %s joint closes a loop: '%s' and '%s' are connected already",
                         crJointKind_GetText(c->jointDefs[i]->kind), c->objectDefs[c->jointEnds[i][0]]->name,
                         c->objectDefs[c->jointEnds[i][1]]->name);
  }
  return cr_ok;
}

// A free object must be the one that reaches its group.
static void checkFreeObject(crCompilation* c, int object)
{
  int edge = c->treeEdges[c->groups[object]];
  if (edge == c->jointCount + object || edge == CR_BROKEN) {
    return;
  }
  crComplaint rest = { .hint = "drop 'free': an object is free only when nothing else connects it with the world" };
  crAddress address = crAddressOfObject(c, object);
  if (edge == CR_NONE) {
    crCompilation_Report(c, cr_severityError, address, &rest, "'%s' is free, but rigidly connected to the world",
                         address.path);
  } else if (edge >= c->jointCount) {
    crCompilation_Report(c, cr_severityError, address, &rest,
                         "'%s' is free, but rigidly connected to '%s', which is free already", address.path,
                         c->objectDefs[edge - c->jointCount]->name);
  } else {
    crCompilation_Report(c, cr_severityError, address, &rest, "'%s' is free, but joint '%s' already connects it",
                         address.path, c->jointDefs[edge]->name);
  }
}

// Reports each set of groups that joints connect with each other, but not with the world.
static crStatus checkConnections(Checker* checker)
{
  crCompilation* c = checker->c;
  int *up, *objectCounts;
  bool* isQuiet;
  if (!crNew(c, up, c->groupCount) || !crNew(c, objectCounts, c->groupCount) || !crNew(c, isQuiet, c->groupCount)) {
    return cr_errorMemory;
  }
  for (int g = 0; g < c->groupCount; ++g) {
    up[g] = g;
  }
  for (int i = 0; i < c->jointCount; ++i) {
    if (c->isUsable[i]) {
      unite(up, c->groups[c->jointEnds[i][0]], c->groups[c->jointEnds[i][1]]);
    }
  }
  for (int i = 0; i < c->objectCount; ++i) {
    int root = findRoot(up, c->groups[i]);
    ++objectCounts[root];
    isQuiet[root] = isQuiet[root] || checker->isTainted[i];
  }
  for (int g = 0; g < c->groupCount; ++g) {
    if (c->treeEdges[g] != CR_BROKEN || up[g] != g || isQuiet[g]) {
      continue;
    }
    crAddress address = crAddressOfObject(c, c->groupReferences[g]);
    crComplaint rest = { .hint = "make it free, give it a parent, or connect it by a joint" };
    int others = objectCounts[g] - 1;
    if (others == 0) {
      crCompilation_Report(c, cr_severityError, address, &rest, "'%s' is not connected to the world", address.path);
    } else {
      crCompilation_Report(c, cr_severityError, address, &rest,
                           "'%s' is not connected to the world, nor %s that it is connected with", address.path,
                           others == 1 ? "is the object" : "are the objects");
    }
  }
  return cr_ok;
}

// The start pose of a tree with a free root is given relative to the root's parent, which may lie in
// another tree: these references must not run in a circle.
static void checkStartCycles(Checker* checker)
{
  crCompilation* c = checker->c;
  int* freeObjects = checker->objects;
  for (int g = 0; g < c->groupCount; ++g) {
    freeObjects[g] = c->treeEdges[g] >= c->jointCount ? c->treeEdges[g] - c->jointCount : CR_NONE;
    int parent = freeObjects[g] >= 0 ? c->parents[freeObjects[g]] : CR_NONE;
    checker->next[g] = parent >= 0 ? c->groupRoots[c->groups[parent]] : CR_NONE;
    checker->marks[g] = 0;
  }
  for (int g = 0; g < c->groupCount; ++g) {
    int node = findCycle(checker->next, checker->marks, g);
    if (node == CR_NONE || checker->isTainted[freeObjects[node]]) {
      continue;
    }
    char cycle[(CR_CYCLE_NAMES + 1) * 256];
    int first = lowestOfCycle(checker->next, node), object = freeObjects[first];
    formatCycle(checker, first, freeObjects, cycle, sizeof cycle);
    crComplaint rest = { .found = cycle, .hint = "give it a parent that does not move with it, such as the world" };
    crCompilation_Report(c, cr_severityError, crAddressOfObject(c, object), &rest,
                         "the start pose of free object '%s' depends on itself, because its parent '%s' moves with it",
                         c->objectDefs[object]->name, c->objectDefs[c->parents[object]]->name);
  }
}

static crStatus checkForest(Checker* checker)
{
  crCompilation* c = checker->c;
  crStatus status = crGrowForest(c);
  if (status != cr_ok || c->world == CR_NONE) {
    return status;
  }
  status = findCuts(c);
  for (int i = 0; i < c->objectCount; ++i) {
    if (c->objectDefs[i]->mobility == cr_mobilityFree) {
      checkFreeObject(c, i);
    }
  }
  // a joint that failed may be what connects: absence proves nothing
  if (status == cr_ok && !c->sceneHasErrors) {
    status = checkConnections(checker);
  }
  checkStartCycles(checker);
  return status;
}

crStatus crCheck(crCompilation* c)
{
  Checker checker = { .c = c };
  if (!crNew(c, c->rigidParents, c->objectCount) || !crNew(c, c->isUsable, c->jointCount) ||
      !crNew(c, c->groups, c->objectCount) || !crNew(c, checker.isTainted, c->objectCount) ||
      !crNew(c, checker.marks, c->objectCount) || !crNew(c, checker.next, c->objectCount) ||
      !crNew(c, checker.objects, c->objectCount)) {
    return cr_errorMemory;
  }
  checkWorld(c);
  findRigidParents(&checker);
  checkParentCycles(&checker);
  checkJointEnds(&checker);
  crStatus status = findGroups(c);
  if (status != cr_ok) {
    return status;
  }
  checkOtherEnds(c);
  crCheckCarriers(c);
  return checkForest(&checker);
}

// --------------------------------------------------------------------------------------------- dump

static const char* edgeName(const crCompilation* c, int edge)
{
  return edge == CR_NONE        ? "the world"
         : edge == CR_BROKEN    ? "not connected"
         : edge < c->jointCount ? c->jointDefs[edge]->name
                                : "free motion";
}

void crDumpCheck(const crCompilation* c, crDump* dump)
{
  int width = 9;
  for (int i = 0; i < c->objectCount; ++i) {
    crWiden(&width, c->objectDefs[i]->name);
  }
  crDump_Print(dump, "world %s\n", c->world >= 0 ? c->objectDefs[c->world]->name : "-");
  crDump_Print(dump, "errors %d, warnings %d\n", c->errorCount, c->warningCount);
  crDump_Print(dump, "rigid groups %d\n", c->groupCount);
  crDump_Print(dump, "  %6s  %-*s  %5s  %-*s  %s\n", "group", width, "reference", "depth", width, "moved by", "from");
  for (int g = 0; g < c->groupCount; ++g) {
    int from = c->treeParents[g];
    crDump_Print(dump, "  %6d  %-*s  %5d  %-*s  %s\n", g, width, c->objectDefs[c->groupReferences[g]]->name,
                 c->groupDepths[g], width, edgeName(c, c->treeEdges[g]),
                 from >= 0 ? c->objectDefs[c->groupReferences[from]]->name : "-");
  }
  crDump_Print(dump, "loops %d\n", c->cutCount);
  for (int i = 0; i < c->cutCount; ++i) {
    const int* ends = c->jointEnds[c->cutEdges[i]];
    crDump_Print(dump, "  closed by %s, between %s and %s\n", c->jointDefs[c->cutEdges[i]]->name,
                 c->objectDefs[ends[0]]->name, c->objectDefs[ends[1]]->name);
  }
}
