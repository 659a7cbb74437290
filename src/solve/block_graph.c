// The order of elimination. All steps take time in proportion to the entries of the pattern or of its factors, in
// nodes.
#include "solve/block_graph.h"

#include "solve/front.h"
#include "solve/minimum_degree.h"

#include <string.h>

#define CR_STRANGER_SHARE 0.07 // of the pivots' rows in a front, that may be 0 for the sake of larger fronts

// The pattern made symmetric, row by row, ascending.
typedef struct Pattern {
  int n;
  int *starts, *columns;
} Pattern;

typedef struct Work {
  crArena* arena;
  const int *starts, *rows; // the matrix by columns
  Pattern pattern;          // of unknowns
  int nodeCount;
  int *nodeOf, *nodeStarts; // (n) of an unknown, (nodeCount + 1) its first one
  Pattern graph;            // of nodes, without themselves
  int *order, *position;    // (nodeCount) nodes as they are eliminated, and back
  int* structStarts;        // (nodeCount + 1) by position: later positions that it is coupled to, ascending
  int* structs;
  int* parents; // (nodeCount) by position; -1: none
} Work;

static int* allocate(crArena* arena, size_t count)
{
  return crArena_AllocateZero(arena, count + 1, sizeof(int));
}

// --------------------------------------------------------------------------------------------- pattern

// Entries of each row of the matrix and its transpose together, as starts of lists.
static void countEntries(const Work* work, int n, int* starts)
{
  memset(starts, 0, ((size_t)n + 1) * sizeof *starts);
  for (int j = 0; j < n; ++j) {
    starts[j + 1] += work->starts[j + 1] - work->starts[j];
    for (int k = work->starts[j]; k < work->starts[j + 1]; ++k) {
      ++starts[work->rows[k] + 1];
    }
  }
  for (int i = 0; i < n; ++i) {
    starts[i + 1] += starts[i];
  }
}

static void appendUnique(int* columns, int start, int* next, int value)
{
  if (*next == start || columns[*next - 1] != value) {
    columns[(*next)++] = value;
  }
}

// Lists of all entries, in any order and some of them twice; then, since they are symmetric, every unknown in turn goes
// into the lists of those in its own one: so these come out in order.
static bool makeSymmetric(Work* work, int n)
{
  Pattern* pattern = &work->pattern;
  size_t count = 2 * (size_t)work->starts[n];
  int *all = allocate(work->arena, count), *sorted = allocate(work->arena, count);
  int *starts = allocate(work->arena, (size_t)n + 1), *next = allocate(work->arena, (size_t)n + 1);
  if (all == NULL || sorted == NULL || starts == NULL || next == NULL) {
    return false;
  }
  countEntries(work, n, starts);
  memcpy(next, starts, ((size_t)n + 1) * sizeof *next);
  for (int j = 0; j < n; ++j) {
    for (int k = work->starts[j]; k < work->starts[j + 1]; ++k) {
      all[next[work->rows[k]]++] = j;
      all[next[j]++] = work->rows[k];
    }
  }
  memcpy(next, starts, ((size_t)n + 1) * sizeof *next);
  for (int i = 0; i < n; ++i) {
    for (int k = starts[i]; k < starts[i + 1]; ++k) {
      appendUnique(sorted, starts[all[k]], &next[all[k]], i);
    }
  }
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    int first = starts[i], unique = next[i] - first;
    memmove(sorted + kept, sorted + first, (size_t)unique * sizeof(int));
    starts[i] = kept;
    kept += unique;
  }
  starts[n] = kept;
  *pattern = (Pattern){ n, starts, sorted };
  return true;
}

// ----------------------------------------------------------------------------------------------- nodes

static bool areAlike(const Pattern* pattern, int a, int b)
{
  int count = pattern->starts[a + 1] - pattern->starts[a];
  return count == pattern->starts[b + 1] - pattern->starts[b] &&
         memcmp(pattern->columns + pattern->starts[a], pattern->columns + pattern->starts[b],
                (size_t)count * sizeof(int)) == 0;
}

static bool findNodes(Work* work)
{
  int n = work->pattern.n;
  work->nodeOf = allocate(work->arena, (size_t)n);
  work->nodeStarts = allocate(work->arena, (size_t)n + 1);
  if (work->nodeOf == NULL || work->nodeStarts == NULL) {
    return false;
  }
  for (int i = 0; i < n; ++i) {
    if (i == 0 || !areAlike(&work->pattern, i - 1, i)) {
      work->nodeStarts[work->nodeCount++] = i;
    }
    work->nodeOf[i] = work->nodeCount - 1;
  }
  work->nodeStarts[work->nodeCount] = n;
  return true;
}

// Unknowns of a node are neighbours in every list, so that each node comes up once in a row.
static bool makeGraph(Work* work)
{
  const Pattern* pattern = &work->pattern;
  Pattern* graph = &work->graph;
  graph->n = work->nodeCount;
  graph->starts = allocate(work->arena, (size_t)graph->n + 1);
  graph->columns = allocate(work->arena, (size_t)pattern->starts[pattern->n]);
  if (graph->starts == NULL || graph->columns == NULL) {
    return false;
  }
  int count = 0;
  for (int node = 0; node < graph->n; ++node) {
    int i = work->nodeStarts[node], last = -1;
    graph->starts[node] = count;
    for (int k = pattern->starts[i]; k < pattern->starts[i + 1]; ++k) {
      int other = work->nodeOf[pattern->columns[k]];
      if (other != last && other != node) {
        graph->columns[count++] = other;
      }
      last = other;
    }
  }
  graph->starts[graph->n] = count;
  return true;
}

static bool orderNodes(Work* work)
{
  size_t n = (size_t)work->nodeCount;
  int* weights = allocate(work->arena, n);
  work->order = allocate(work->arena, n);
  work->position = allocate(work->arena, n);
  if (weights == NULL || work->order == NULL || work->position == NULL) {
    return false;
  }
  for (int i = 0; i < work->nodeCount; ++i) {
    weights[i] = work->nodeStarts[i + 1] - work->nodeStarts[i];
  }
  if (!crFindMinimumDegreeOrder(work->nodeCount, work->graph.starts, work->graph.columns, weights, work->arena,
                                work->order)) {
    return false;
  }
  for (int k = 0; k < work->nodeCount; ++k) {
    work->position[work->order[k]] = k;
  }
  return true;
}

// -------------------------------------------------------------------------------------------- structure

// The parent of a node is the first later one that it is coupled to when it is eliminated; shortcuts (nodeCount) lead
// to the last ancestors found so far [Liu90].
static void findParents(Work* work, int* shortcuts)
{
  const Pattern* graph = &work->graph;
  for (int k = 0; k < work->nodeCount; ++k) {
    int node = work->order[k];
    work->parents[k] = shortcuts[k] = -1;
    for (int i = graph->starts[node]; i < graph->starts[node + 1]; ++i) {
      for (int j = work->position[graph->columns[i]], next; j >= 0 && j < k; j = next) {
        next = shortcuts[j];
        shortcuts[j] = k;
        work->parents[j] = next < 0 ? k : work->parents[j];
      }
    }
  }
}

// Children first, and next to each other's parents: an order that stacks work with, as good as the one before.
static bool sortTree(Work* work)
{
  int n = work->nodeCount, count = 0, depth = 0;
  int *heads = allocate(work->arena, (size_t)n + 1), *nexts = allocate(work->arena, (size_t)n);
  int *path = allocate(work->arena, (size_t)n), *order = allocate(work->arena, (size_t)n);
  if (heads == NULL || nexts == NULL || path == NULL || order == NULL) {
    return false;
  }
  memset(heads, -1, ((size_t)n + 1) * sizeof(int));
  for (int k = n - 1; k >= 0; --k) { // roots are children of n
    int parent = work->parents[k] >= 0 ? work->parents[k] : n;
    nexts[k] = heads[parent];
    heads[parent] = k;
  }
  for (int next = heads[n]; next >= 0 || depth > 0;) {
    while (next >= 0) {
      path[depth++] = next;
      next = heads[next];
    }
    int k = path[--depth];
    order[count++] = work->order[k];
    next = nexts[k];
  }
  for (int k = 0; k < n; ++k) {
    work->order[k] = order[k];
    work->position[order[k]] = k;
  }
  return true;
}

// Node k is in the structs of all earlier ones that it is coupled to, and of their ancestors before it. ends: of the
// structs so far; structs NULL: counts only.
static void fillStructs(const Work* work, int* marks, int* ends, int* structs)
{
  const Pattern* graph = &work->graph;
  memset(marks, -1, (size_t)work->nodeCount * sizeof(int));
  for (int k = 0; k < work->nodeCount; ++k) {
    int node = work->order[k];
    marks[k] = k;
    for (int i = graph->starts[node]; i < graph->starts[node + 1]; ++i) {
      int j = work->position[graph->columns[i]];
      for (; j < k && marks[j] != k; j = work->parents[j]) {
        marks[j] = k;
        if (structs != NULL) {
          structs[ends[j]] = k;
        }
        ++ends[j];
      }
    }
  }
}

static bool findStructs(Work* work)
{
  size_t n = (size_t)work->nodeCount;
  int *marks = allocate(work->arena, n), *ends = allocate(work->arena, n);
  work->structStarts = allocate(work->arena, n + 1);
  work->parents = allocate(work->arena, n);
  if (marks == NULL || ends == NULL || work->structStarts == NULL || work->parents == NULL) {
    return false;
  }
  findParents(work, marks);
  if (!sortTree(work)) {
    return false;
  }
  findParents(work, marks);
  fillStructs(work, marks, ends, NULL);
  for (size_t k = 0; k < n; ++k) {
    work->structStarts[k + 1] = work->structStarts[k] + ends[k];
    ends[k] = work->structStarts[k];
  }
  work->structs = allocate(work->arena, (size_t)work->structStarts[n]);
  if (work->structs == NULL) {
    return false;
  }
  fillStructs(work, marks, ends, work->structs);
  return true;
}

// ---------------------------------------------------------------------------------------------- fronts

// Nodes that a front of `pivots` and position k would have for nothing, if it shared that of its parent k + 1.
static int countStrangers(const Work* work, int k)
{
  int own = work->structStarts[k + 1] - work->structStarts[k];
  return work->structStarts[k + 2] - work->structStarts[k + 1] + 1 - own;
}

// Positions [first, last] share a front: each is the parent of the one before, and coupled to little else. What is 0 in
// such a front costs less than to put small ones together.
static int findLast(const Work* work, int first)
{
  int last = first, strangers = 0;
  while (last + 1 < work->nodeCount && work->parents[last] == last + 1) {
    strangers += (last + 1 - first) * countStrangers(work, last);
    int size = work->structStarts[last + 2] - work->structStarts[last + 1] + last + 2 - first;
    if (strangers > CR_STRANGER_SHARE * (last + 2 - first) * size) {
      break;
    }
    ++last;
  }
  return last;
}

static int appendUnknowns(const Work* work, int position, int* indices)
{
  int node = work->order[position], first = work->nodeStarts[node], end = work->nodeStarts[node + 1];
  for (int i = first; i < end; ++i) {
    indices[i - first] = i;
  }
  return end - first;
}

static int countUnknowns(const Work* work, int position)
{
  int node = work->order[position];
  return work->nodeStarts[node + 1] - work->nodeStarts[node];
}

// Sizes first: how many fronts, and indices in all.
static size_t countIndices(const Work* work, int* outFrontCount)
{
  size_t count = 0;
  *outFrontCount = 0;
  for (int first = 0, last; first < work->nodeCount; first = last + 1) {
    last = findLast(work, first);
    ++*outFrontCount;
    for (int k = first; k <= last; ++k) {
      count += (size_t)countUnknowns(work, k);
    }
    for (int i = work->structStarts[last]; i < work->structStarts[last + 1]; ++i) {
      count += (size_t)countUnknowns(work, work->structs[i]);
    }
  }
  return count;
}

static void fillFront(const Work* work, crBlockGraph* graph, crBlockFront* front, int first, int last)
{
  int* indices = graph->indices + front->firstIndex;
  for (int k = first; k <= last; ++k) {
    front->pivotCount += appendUnknowns(work, k, indices + front->pivotCount);
  }
  front->size = front->pivotCount;
  for (int i = work->structStarts[last]; i < work->structStarts[last + 1]; ++i) {
    front->size += appendUnknowns(work, work->structs[i], indices + front->size);
  }
  front->stride = (front->size + CR_FRONT_LANES - 1) / CR_FRONT_LANES * CR_FRONT_LANES;
  graph->largestFront = front->size > graph->largestFront ? front->size : graph->largestFront;
  for (int k = 0; k < front->pivotCount; ++k) {
    graph->operationCount += 2.0 * (front->size - k) * (front->size - k);
  }
}

// frontOf (nodeCount): by position.
static bool makeFronts(Work* work, crBlockGraph* graph, int* frontOf)
{
  size_t count = countIndices(work, &graph->frontCount);
  graph->fronts = crArena_AllocateZero(work->arena, (size_t)graph->frontCount + 1, sizeof *graph->fronts);
  graph->indices = allocate(work->arena, count);
  graph->parentPlaces = allocate(work->arena, count);
  graph->runs = allocate(work->arena, count);
  if (graph->fronts == NULL || graph->indices == NULL || graph->parentPlaces == NULL || graph->runs == NULL) {
    return false;
  }
  int index = 0, number = 0;
  for (int first = 0, last; first < work->nodeCount; first = last + 1, ++number) {
    last = findLast(work, first);
    crBlockFront* front = &graph->fronts[number];
    front->firstIndex = index;
    front->firstPlace = index;
    front->parent = work->parents[last]; // a position, for now
    fillFront(work, graph, front, first, last);
    index += front->size;
    for (int k = first; k <= last; ++k) {
      frontOf[k] = number;
    }
  }
  for (int i = 0; i < graph->frontCount; ++i) {
    crBlockFront* front = &graph->fronts[i];
    front->parent = front->parent >= 0 ? frontOf[front->parent] : -1;
    if (front->parent >= 0) {
      ++graph->fronts[front->parent].childCount;
    }
  }
  return true;
}

static void findRuns(const int* places, int count, int* outRuns)
{
  for (int k = count - 1; k >= 0; --k) {
    outRuns[k] = k + 1 < count && places[k + 1] == places[k] + 1 ? outRuns[k + 1] + 1 : 1;
  }
}

// Where unknowns behind the pivots lie in the parent: both lists are in the order of elimination.
static void placeInParents(crBlockGraph* graph)
{
  for (int i = 0; i < graph->frontCount; ++i) {
    const crBlockFront* front = &graph->fronts[i];
    if (front->parent < 0) {
      continue;
    }
    const int *own = graph->indices + front->firstIndex,
              *others = graph->indices + graph->fronts[front->parent].firstIndex;
    int place = 0;
    for (int k = front->pivotCount; k < front->size; ++k) {
      while (others[place] != own[k]) {
        ++place;
      }
      graph->parentPlaces[front->firstPlace + k - front->pivotCount] = place;
    }
    findRuns(graph->parentPlaces + front->firstPlace, front->size - front->pivotCount, graph->runs + front->firstPlace);
  }
}

// ---------------------------------------------------------------------------------------------- entries

// The front of an entry is the one of its row or column that is eliminated first.
static bool placeEntries(Work* work, crBlockGraph* graph, const int* frontOf)
{
  int n = graph->n, count = work->starts[n];
  int *fronts = allocate(work->arena, (size_t)count), *places = allocate(work->arena, (size_t)n);
  graph->entryCells = allocate(work->arena, (size_t)count);
  graph->entryPlaces = allocate(work->arena, (size_t)count);
  if (fronts == NULL || places == NULL || graph->entryCells == NULL || graph->entryPlaces == NULL) {
    return false;
  }
  for (int j = 0; j < n; ++j) {
    int column = work->position[work->nodeOf[j]];
    for (int k = work->starts[j]; k < work->starts[j + 1]; ++k) {
      int row = work->position[work->nodeOf[work->rows[k]]];
      fronts[k] = frontOf[row < column ? row : column];
      ++graph->fronts[fronts[k]].entryCount;
    }
  }
  int first = 0;
  for (int i = 0; i < graph->frontCount; ++i) {
    graph->fronts[i].firstEntry = first;
    first += graph->fronts[i].entryCount;
    graph->fronts[i].entryCount = 0;
  }
  for (int j = 0; j < n; ++j) { // the column takes the place, for now
    for (int k = work->starts[j]; k < work->starts[j + 1]; ++k) {
      crBlockFront* front = &graph->fronts[fronts[k]];
      int entry = front->firstEntry + front->entryCount++;
      graph->entryCells[entry] = k;
      graph->entryPlaces[entry] = j;
    }
  }
  for (int i = 0; i < graph->frontCount; ++i) {
    const crBlockFront* front = &graph->fronts[i];
    for (int k = 0; k < front->size; ++k) {
      places[graph->indices[front->firstIndex + k]] = k;
    }
    for (int e = front->firstEntry; e < front->firstEntry + front->entryCount; ++e) {
      int row = work->rows[graph->entryCells[e]], column = graph->entryPlaces[e];
      graph->entryPlaces[e] = places[row] * front->stride + places[column];
    }
  }
  return true;
}

// Schur complements wait on a stack until their parent takes them.
static bool measureStack(crBlockGraph* graph, crArena* arena)
{
  int* waiting = allocate(arena, (size_t)graph->frontCount);
  if (waiting == NULL) {
    return false;
  }
  size_t used = 0;
  int count = 0;
  for (int i = 0; i < graph->frontCount; ++i) {
    const crBlockFront* front = &graph->fronts[i];
    for (int child = 0; child < front->childCount; ++child) {
      const crBlockFront* last = &graph->fronts[waiting[--count]];
      size_t rest = (size_t)(last->size - last->pivotCount);
      used -= rest * rest;
    }
    size_t rest = (size_t)(front->size - front->pivotCount);
    used += rest * rest;
    graph->largestStack = used > graph->largestStack ? used : graph->largestStack;
    if (front->parent >= 0) {
      waiting[count++] = i;
    }
  }
  return true;
}

crStatus crMakeBlockGraph(int n, const int* starts, const int* rows, crArena* arena, crBlockGraph* outGraph)
{
  Work work = { .arena = arena, .starts = starts, .rows = rows };
  *outGraph = (crBlockGraph){ .n = n };
  if (!makeSymmetric(&work, n) || !findNodes(&work) || !makeGraph(&work) || !orderNodes(&work)) {
    return cr_errorMemory;
  }
  outGraph->nodeCount = work.nodeCount;
  int* frontOf = allocate(arena, (size_t)work.nodeCount);
  if (frontOf == NULL || !findStructs(&work) || !makeFronts(&work, outGraph, frontOf)) {
    return cr_errorMemory;
  }
  placeInParents(outGraph);
  return placeEntries(&work, outGraph, frontOf) && measureStack(outGraph, arena) ? cr_ok : cr_errorMemory;
}
