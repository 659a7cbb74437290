// Approximate minimum degree [AmestoyDavisDuff96].
//
// The variable with the fewest unknowns next to it, its degree, is eliminated, which couples all of these to each
// other. That clique is kept as an element, a list of variables, and each of them has the element in its list, in place
// of what the element tells. So lists of variables never grow. Elements whose variables are all in a new one are
// absorbed by it. Variables with the same lists are one from then on and eliminated together. Degrees are bounds:
// unknowns that two elements share outside the new one count twice. Of equals comes the one first whose degree was
// found last.
#include "solve/minimum_degree.h"

#include <math.h>
#include <string.h>

// x sqrt(n) neighbours, 101 and more: dense, goes last, since its list would be read at each elimination.
#define CR_DENSE_FACTOR 10.0

// Nodes are variables until they are eliminated, then elements.
typedef struct Quotient {
  crArena* arena;
  int unknownCount;            // not eliminated so far
  int* lists;                  // of a variable: elements, then variables; of an element: variables
  int listCount, listCapacity; // places taken
  const int* nodeWeights;      // (n)
  int *starts, *ends;          // (n) of a list
  int* elementEnds;            // (n) of the elements in the list of a variable
  int* weights;                // (n) unknowns of a variable, negative in the new element; 0: none, or not one any more
  int* degrees;                // (n) unknowns next to a variable, at most; those in an element
  int64_t *marks, stamp;       // (n) of an element: 0: absorbed, else from stamp on: unknowns not in the new one
  int *heads, *firstHead;      // (unknowns + 1) variables by degree, -1: none; those before the first are empty
  int *nexts, *previous;       // (n) in lists of variables by degree; while these are computed, by hash, and the hash
  int* hashHeads;              // (n) variables by hash, -1: none
  int *members, *lastMembers;  // (n) nodes that are eliminated together, as lists: the next one, -1: none
} Quotient;

static bool makeQuotient(Quotient* q, int n, const int* starts, const int* others, const int* weights)
{
  size_t count = (size_t)n, edges = (size_t)starts[n];
  for (int i = 0; i < n; ++i) {
    q->unknownCount += weights[i];
  }
  q->listCount = starts[n];
  q->listCapacity = starts[n] + starts[n] / 2 + n;
  q->lists = crArena_Allocate(q->arena, (size_t)q->listCapacity * sizeof(int));
  q->heads = crArena_Allocate(q->arena, ((size_t)q->unknownCount + 1) * sizeof(int));
  q->marks = crArena_Allocate(q->arena, count * sizeof *q->marks);
  int** arrays[] = { &q->starts, &q->ends,     &q->elementEnds, &q->weights, &q->degrees,
                     &q->nexts,  &q->previous, &q->hashHeads,   &q->members, &q->lastMembers };
  int* block = crArena_Allocate(q->arena, 10 * count * sizeof(int));
  if (q->lists == NULL || q->heads == NULL || q->marks == NULL || block == NULL) {
    return false;
  }
  for (size_t i = 0; i < 10; ++i) {
    *arrays[i] = block + i * count;
  }
  memcpy(q->lists, others, edges * sizeof(int));
  memset(q->heads, -1, ((size_t)q->unknownCount + 1) * sizeof(int));
  for (int i = 0; i < n; ++i) {
    q->starts[i] = q->elementEnds[i] = starts[i];
    q->ends[i] = starts[i + 1];
    q->weights[i] = weights[i];
    q->marks[i] = 1;
    q->hashHeads[i] = q->members[i] = -1;
    q->lastMembers[i] = i;
  }
  q->stamp = 1;
  q->nodeWeights = weights;
  q->firstHead = q->heads;
  return true;
}

static bool reserveLists(Quotient* q, int more)
{
  if (q->listCapacity - q->listCount >= more) {
    return true;
  }
  if (q->listCapacity > (INT32_MAX - more) / 2) {
    return false;
  }
  int capacity = 2 * q->listCapacity + more;
  int* lists = crArena_Allocate(q->arena, (size_t)capacity * sizeof(int));
  if (lists != NULL) {
    memcpy(lists, q->lists, (size_t)q->listCount * sizeof(int));
    q->lists = lists;
    q->listCapacity = capacity;
  }
  return lists != NULL;
}

// ------------------------------------------------------------------------------------ variables by degree

// The list of a variable: that of its degree with its node's own unknowns. Without these velocities of a tree, one node
// coupled to each coordinate, would come before the coordinates, and couple all of them.
static int* getHead(const Quotient* q, int i)
{
  return &q->heads[q->degrees[i] + q->nodeWeights[i]];
}

static void insertVariable(Quotient* q, int i, int degree)
{
  q->degrees[i] = degree;
  int* head = getHead(q, i);
  q->previous[i] = -1;
  q->nexts[i] = *head;
  if (*head >= 0) {
    q->previous[*head] = i;
  }
  *head = i;
  q->firstHead = head < q->firstHead ? head : q->firstHead;
}

static void removeVariable(Quotient* q, int i)
{
  if (q->nexts[i] >= 0) {
    q->previous[q->nexts[i]] = q->previous[i];
  }
  *(q->previous[i] >= 0 ? &q->nexts[q->previous[i]] : getHead(q, i)) = q->nexts[i];
}

// Dense ones are left out, with no weight.
static void insertAll(Quotient* q, int n)
{
  double dense = CR_DENSE_FACTOR * sqrt(n);
  for (int i = 0; i < n; ++i) {
    if (q->ends[i] - q->starts[i] > dense) {
      q->unknownCount -= q->weights[i];
      q->weights[i] = 0;
    }
  }
  for (int i = 0; i < n; ++i) {
    int degree = 0;
    for (int k = q->starts[i]; k < q->ends[i]; ++k) {
      degree += q->weights[q->lists[k]];
    }
    if (q->weights[i] > 0) {
      insertVariable(q, i, degree);
    }
  }
}

static int takePivot(Quotient* q)
{
  while (*q->firstHead < 0) {
    ++q->firstHead;
  }
  int pivot = *q->firstHead;
  removeVariable(q, pivot);
  return pivot;
}

// i goes along with `to` from now on.
static void joinMembers(Quotient* q, int to, int i)
{
  q->weights[i] = 0;
  q->members[q->lastMembers[to]] = i;
  q->lastMembers[to] = q->lastMembers[i];
}

// ------------------------------------------------------------------------------------------ elimination

static void addToElement(Quotient* q, int pivot, int first, int end)
{
  for (int k = first; k < end; ++k) {
    int i = q->lists[k];
    if (q->weights[i] > 0) {
      q->degrees[pivot] += q->weights[i];
      q->weights[i] = -q->weights[i];
      q->lists[q->listCount++] = i;
      removeVariable(q, i);
    }
  }
}

// The variables next to the pivot, directly and by elements, which are absorbed.
static bool makeElement(Quotient* q, int pivot)
{
  if (!reserveLists(q, q->degrees[pivot])) {
    return false;
  }
  int start = q->listCount;
  q->unknownCount -= q->weights[pivot];
  q->weights[pivot] = 0;
  q->degrees[pivot] = 0;
  for (int k = q->starts[pivot]; k < q->elementEnds[pivot]; ++k) {
    int e = q->lists[k];
    if (q->marks[e] != 0) {
      addToElement(q, pivot, q->starts[e], q->ends[e]);
      q->marks[e] = 0;
    }
  }
  addToElement(q, pivot, q->elementEnds[pivot], q->ends[pivot]);
  q->starts[pivot] = start;
  q->ends[pivot] = q->listCount;
  return true;
}

// Of every element that has a variable in common with the new one: the unknowns that are not common.
static void markElements(Quotient* q, int pivot)
{
  for (int k = q->starts[pivot]; k < q->ends[pivot]; ++k) {
    int i = q->lists[k];
    for (int m = q->starts[i]; m < q->elementEnds[i]; ++m) {
      int e = q->lists[m];
      if (q->marks[e] != 0) {
        q->marks[e] = (q->marks[e] < q->stamp ? q->stamp + q->degrees[e] : q->marks[e]) + q->weights[i];
      }
    }
  }
}

// What is left of the list of i, with the new element; returns the degree without that.
static int shortenList(Quotient* q, int pivot, int i)
{
  int end = q->starts[i], degree = 0;
  unsigned hash = 0;
  for (int k = end; k < q->elementEnds[i]; ++k) {
    int e = q->lists[k], outside = q->marks[e] != 0 ? (int)(q->marks[e] - q->stamp) : 0;
    if (outside > 0) {
      degree += outside;
      hash += (unsigned)e;
      q->lists[end++] = e;
    } else {
      q->marks[e] = 0;
    }
  }
  int place = end; // of the pivot, which was in this list, or an element of its list was
  for (int k = q->elementEnds[i]; k < q->ends[i]; ++k) {
    int j = q->lists[k];
    if (q->weights[j] > 0) {
      degree += q->weights[j];
      hash += (unsigned)j;
      q->lists[end++] = j;
    }
  }
  q->lists[end] = q->lists[place];
  q->lists[place] = pivot;
  q->elementEnds[i] = place + 1;
  q->ends[i] = end + 1;
  q->previous[i] = (int)(hash & INT32_MAX);
  return degree;
}

// Variables next to nothing else are eliminated with the pivot; of all others the lists are ready to be compared.
static void shortenLists(Quotient* q, int n, int pivot)
{
  for (int k = q->starts[pivot]; k < q->ends[pivot]; ++k) {
    int i = q->lists[k], degree = shortenList(q, pivot, i);
    if (degree == 0) {
      q->degrees[pivot] += q->weights[i];
      q->unknownCount += q->weights[i];
      joinMembers(q, pivot, i);
    } else {
      int hash = q->previous[i] % n;
      q->degrees[i] = degree < q->degrees[i] ? degree : q->degrees[i];
      q->previous[i] = hash;
      q->nexts[i] = q->hashHeads[hash];
      q->hashHeads[hash] = i;
    }
  }
}

static bool isMarked(const Quotient* q, int i)
{
  for (int k = q->starts[i]; k < q->ends[i]; ++k) {
    if (q->marks[q->lists[k]] != q->stamp) {
      return false;
    }
  }
  return true;
}

// Puts those behind i that have the same list together with it.
static void joinAlike(Quotient* q, int i)
{
  ++q->stamp;
  for (int k = q->starts[i]; k < q->ends[i]; ++k) {
    q->marks[q->lists[k]] = q->stamp;
  }
  for (int last = i, j = q->nexts[i]; j >= 0; j = q->nexts[j]) {
    if (q->ends[j] - q->starts[j] == q->ends[i] - q->starts[i] && isMarked(q, j)) {
      q->weights[i] += q->weights[j];
      joinMembers(q, i, j);
      q->nexts[last] = q->nexts[j];
    } else {
      last = j;
    }
  }
}

static void joinAllAlike(Quotient* q, int pivot)
{
  for (int k = q->starts[pivot]; k < q->ends[pivot]; ++k) {
    int i = q->lists[k];
    if (q->weights[i] != 0) {
      int hash = q->previous[i], head = q->hashHeads[hash];
      q->hashHeads[hash] = -1;
      for (int j = head; j >= 0 && q->nexts[j] >= 0; j = q->nexts[j]) {
        joinAlike(q, j);
      }
    }
  }
}

// The variables of the new element that are left, back among the others.
static void finishElement(Quotient* q, int pivot)
{
  int end = q->starts[pivot];
  for (int k = q->starts[pivot]; k < q->ends[pivot]; ++k) {
    int i = q->lists[k];
    if (q->weights[i] != 0) {
      q->weights[i] = -q->weights[i];
      int degree = q->degrees[i] + q->degrees[pivot], most = q->unknownCount;
      insertVariable(q, i, (degree < most ? degree : most) - q->weights[i]);
      q->lists[end++] = i;
    }
  }
  q->ends[pivot] = q->listCount = end;
}

bool crFindMinimumDegreeOrder(int n, const int* starts, const int* others, const int* weights, crArena* arena,
                              int* outOrder)
{
  Quotient q = { .arena = arena };
  if (!makeQuotient(&q, n, starts, others, weights)) {
    return false;
  }
  insertAll(&q, n);
  int count = 0, total = q.unknownCount;
  for (int i = n - 1, last = n; i >= 0; --i) { // dense ones
    if (q.weights[i] == 0) {
      outOrder[--last] = i;
    }
  }
  while (q.unknownCount > 0) {
    int pivot = takePivot(&q);
    if (!makeElement(&q, pivot)) {
      return false;
    }
    q.stamp += total + 1;
    markElements(&q, pivot);
    shortenLists(&q, n, pivot);
    q.stamp += total + 1;
    joinAllAlike(&q, pivot);
    finishElement(&q, pivot);
    for (int i = pivot; i >= 0; i = q.members[i]) {
      outOrder[count++] = i;
    }
  }
  return true;
}
