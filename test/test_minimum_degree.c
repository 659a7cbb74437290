// Orders of elimination. Fill is counted by elimination in a dense matrix of couplings; truth comes from graphs whose
// least fill is known, and from all orders of small graphs.
#include "solve/minimum_degree.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------- graphs

typedef struct Graph {
  int n;
  bool* isCoupled; // (n x n)
} Graph;

static Graph makeGraph(int n)
{
  return (Graph){ n, calloc((size_t)n * (size_t)n + 1, sizeof(bool)) };
}

static void couple(Graph* graph, int i, int j)
{
  if (i != j) {
    graph->isCoupled[i * graph->n + j] = graph->isCoupled[j * graph->n + i] = true;
  }
}

static void shuffle(crRandom* random, int n, int* out)
{
  for (int i = 0; i < n; ++i) {
    int k = (int)(crRandom_Next(random) % (uint64_t)(i + 1));
    out[i] = out[k];
    out[k] = i;
  }
}

// The same graph, nodes renamed.
static Graph shuffleGraph(Graph graph, uint64_t seed)
{
  Graph shuffled = makeGraph(graph.n);
  int* names = calloc((size_t)graph.n, sizeof(int));
  crRandom random = crMakeRandom(seed);
  shuffle(&random, graph.n, names);
  for (int i = 0; i < graph.n; ++i) {
    for (int j = 0; j < i; ++j) {
      if (graph.isCoupled[i * graph.n + j]) {
        couple(&shuffled, names[i], names[j]);
      }
    }
  }
  free(names);
  free(graph.isCoupled);
  return shuffled;
}

static Graph makeGrid(int side, int height)
{
  Graph graph = makeGraph(side * side * height);
  for (int i = 0; i < graph.n; ++i) {
    if (i % side > 0) {
      couple(&graph, i, i - 1);
    }
    if (i / side % side > 0) {
      couple(&graph, i, i - side);
    }
    if (i / side / side > 0) {
      couple(&graph, i, i - side * side);
    }
  }
  return graph;
}

static Graph makeRandomGraph(crRandom* random, int n, double probability)
{
  Graph graph = makeGraph(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      if (crRandom_Uniform(random, 0.0, 1.0) < probability) {
        couple(&graph, i, j);
      }
    }
  }
  return graph;
}

// weights NULL: 1 each. false: out of memory.
static bool findOrder(const Graph* graph, const int* weights, const crAllocator* allocator, int* outOrder)
{
  int n = graph->n, count = 0;
  size_t places = (size_t)n + 1;
  int *starts = calloc(places, sizeof(int)), *others = calloc(places * places, sizeof(int));
  int* ones = calloc(places, sizeof(int));
  for (int i = 0; i < n; ++i) {
    ones[i] = 1;
    for (int j = 0; j < n; ++j) {
      if (graph->isCoupled[i * n + j]) {
        others[count++] = j;
      }
    }
    starts[i + 1] = count;
  }
  crArena arena;
  crArena_Init(&arena, allocator);
  bool isDone = crFindMinimumDegreeOrder(n, starts, others, weights != NULL ? weights : ones, &arena, outOrder);
  crArena_Free(&arena);
  free(starts);
  free(others);
  free(ones);
  return isDone;
}

static void assertPermutation(const int* order, int n)
{
  bool* isThere = calloc((size_t)n + 1, sizeof(bool));
  for (int k = 0; k < n; ++k) {
    assert_true(order[k] >= 0 && order[k] < n && !isThere[order[k]]);
    isThere[order[k]] = true;
  }
  free(isThere);
}

// Couplings that elimination adds, each of weight x weight unknowns.
static int countFill(const Graph* graph, const int* order, const int* weights)
{
  int n = graph->n, fill = 0;
  bool *now = malloc((size_t)n * (size_t)n), *isGone = calloc((size_t)n, sizeof(bool));
  int* neighbours = calloc((size_t)n, sizeof(int));
  memcpy(now, graph->isCoupled, (size_t)n * (size_t)n);
  for (int k = 0; k < n; ++k) {
    int count = 0;
    isGone[order[k]] = true;
    for (int j = 0; j < n; ++j) {
      if (now[order[k] * n + j] && !isGone[j]) {
        neighbours[count++] = j;
      }
    }
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b < a; ++b) {
        int i = neighbours[a], j = neighbours[b];
        if (!now[i * n + j]) {
          now[i * n + j] = now[j * n + i] = true;
          fill += weights != NULL ? weights[i] * weights[j] : 1;
        }
      }
    }
  }
  free(now);
  free(isGone);
  free(neighbours);
  return fill;
}

static int findFill(const Graph* graph, const int* weights)
{
  int* order = calloc((size_t)graph->n + 1, sizeof(int));
  crAllocator allocator = crDefaultAllocator();
  assert_true(findOrder(graph, weights, &allocator, order));
  assertPermutation(order, graph->n);
  int fill = countFill(graph, order, weights);
  free(order);
  return fill;
}

static void assertFill(Graph graph, int fill)
{
  assert_int_equal(findFill(&graph, NULL), fill);
  free(graph.isCoupled);
}

// ------------------------------------------------------------------------------------------------ tests

static void trees_and_cliques_have_no_fill(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  for (int n = 0; n <= 400; n = 2 * n + 1) {
    Graph chain = makeGraph(n), arrow = makeGraph(n), tree = makeGraph(n), clique = makeGraph(n);
    for (int i = 1; i < n; ++i) {
      couple(&chain, i, i - 1);
      couple(&arrow, i, 0);
      couple(&tree, i, (int)(crRandom_Next(&random) % (uint64_t)i));
      for (int j = 0; j < i; ++j) {
        couple(&clique, i, j);
      }
    }
    assertFill(shuffleGraph(chain, 1), 0);
    assertFill(shuffleGraph(arrow, 2), 0); // dense from 100 neighbours on
    assertFill(shuffleGraph(tree, 3), 0);
    assertFill(clique, 0);
  }
}

static void rings_have_the_fill_of_a_triangulation(void** state)
{
  (void)state;
  for (int n = 4; n < 200; n += 13) {
    Graph ring = makeGraph(n);
    for (int i = 0; i < n; ++i) {
      couple(&ring, i, (i + 1) % n);
    }
    assertFill(shuffleGraph(ring, 5), n - 3);
  }
}

// The fill of one elimination depends on the set of nodes before it alone, so that least sums are found set by set.
static int findLeastFill(const Graph* graph)
{
  enum { sets = 1 << 7 };
  int n = graph->n, least[sets] = { 0 };
  for (int set = 1; set < 1 << n; ++set) {
    least[set] = n * n;
    for (int last = 0; last < n; ++last) {
      if ((set >> last & 1) == 0) {
        continue;
      }
      int before = set & ~(1 << last), reached = 1 << last, edges = 0;
      for (bool isGrowing = true; isGrowing;) { // along nodes before
        isGrowing = false;
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n && (reached >> i & 1) != 0 && (i == last || (before >> i & 1) != 0); ++j) {
            if (graph->isCoupled[i * n + j] && (reached >> j & 1) == 0) {
              reached |= 1 << j;
              isGrowing = true;
            }
          }
        }
      }
      for (int j = 0; j < n; ++j) { // of the last to those after it: L's entries
        edges += (reached & ~set) >> j & 1;
      }
      least[set] = least[before] + edges < least[set] ? least[before] + edges : least[set];
    }
  }
  int edges = 0;
  for (int i = 0; i < n * n; ++i) {
    edges += graph->isCoupled[i];
  }
  return least[(1 << n) - 1] - edges / 2;
}

static void small_graphs_have_little_more_than_the_least_fill(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(6);
  int sum = 0, leastSum = 0, worse = 0;
  enum { count = 3000 };
  for (int k = 0; k < count; ++k) {
    Graph graph = makeRandomGraph(&random, 4 + k % 4, crRandom_Uniform(&random, 0.2, 0.8));
    int fill = findFill(&graph, NULL), least = findLeastFill(&graph);
    assert_true(fill >= least && fill <= least + 2);
    sum += fill;
    leastSum += least;
    worse += fill > least;
    free(graph.isCoupled);
  }
  assert_true(leastSum > count / 3);
  assert_true(sum < 1.2 * leastSum && worse < count / 15); // least degree is not least fill
}

// Entries of L with its diagonal by AMD of SuiteSparse 5.12.0 on the same graphs, the second one after the shuffle.
static void grids_have_the_fill_of_the_reference(void** state)
{
  (void)state;
  const struct {
    int side, height, entries, shuffledEntries;
  } grids[] = { { 30, 1, 10231, 10662 }, { 10, 10, 32190, 38035 } };
  for (int k = 0; k < 2; ++k) {
    int side = grids[k].side, height = grids[k].height, n = side * side * height;
    int edges = 2 * side * (side - 1) * height + side * side * (height - 1);
    Graph graph = makeGrid(side, height);
    assert_true(n + edges + findFill(&graph, NULL) < 1.05 * grids[k].entries);
    graph = shuffleGraph(graph, 8);
    assert_true(n + edges + findFill(&graph, NULL) < 1.05 * grids[k].shuffledEntries);
    free(graph.isCoupled);
  }
}

// As a tree of joints: each coordinate is coupled to all velocities, which are one node. These in the beginning, where
// their degree is no larger, would couple all coordinates.
static void coordinates_come_before_the_velocities_they_are_coupled_to(void** state)
{
  (void)state;
  for (int n = 2; n <= 130; n *= 2) {
    Graph graph = makeGraph(n + 1);
    int weights[131];
    for (int i = 0; i < n; ++i) {
      couple(&graph, i, n);
      weights[i] = 1;
    }
    weights[n] = n;
    assert_int_equal(findFill(&graph, weights), 0);
    free(graph.isCoupled);
  }
}

static void weights_count_as_that_many_unknowns(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(10);
  int sum = 0, blindSum = 0;
  for (int k = 0; k < 40; ++k) {
    Graph graph = makeRandomGraph(&random, 60, 0.08);
    int weights[60];
    for (int i = 0; i < 60; ++i) {
      weights[i] = 1 + (int)(crRandom_Next(&random) % 12);
    }
    int order[60];
    crAllocator allocator = crDefaultAllocator();
    assert_true(findOrder(&graph, NULL, &allocator, order));
    sum += findFill(&graph, weights);
    blindSum += countFill(&graph, order, weights);
    free(graph.isCoupled);
  }
  assert_true(sum < 0.95 * blindSum);
}

static void hubs_go_last_and_the_rest_is_as_good_as_without(void** state)
{
  (void)state;
  enum { side = 16, n = side * side };
  Graph grid = makeGrid(side, 1), graph = makeGraph(n + 2);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      if (grid.isCoupled[i * n + j]) {
        couple(&graph, i + 1, j + 1);
      }
    }
    couple(&graph, 0, i + 1);
    couple(&graph, n + 1, i + 1);
  }
  int order[n + 2];
  crAllocator allocator = crDefaultAllocator();
  assert_true(findOrder(&graph, NULL, &allocator, order));
  assertPermutation(order, n + 2);
  assert_int_equal(order[n], 0);
  assert_int_equal(order[n + 1], n + 1);
  assert_true(countFill(&graph, order, NULL) <= findFill(&grid, NULL) + 1); // the hubs to each other
  free(grid.isCoupled);
  free(graph.isCoupled);
}

static void out_of_memory_is_reported(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(12);
  Graph graph = makeRandomGraph(&random, 300, 0.02); // its elements need more room than its couplings
  int order[2][300];
  bool isDone = false;
  long failAt = 0;
  for (; !isDone; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    isDone = findOrder(&graph, NULL, &allocator, order[0]);
    assert_int_equal(counter.liveBlocks, 0);
    assert_true(failAt < 100);
  }
  assert_true(failAt > 3);
  crAllocator allocator = crDefaultAllocator();
  assert_true(findOrder(&graph, NULL, &allocator, order[1]));
  assert_memory_equal(order[0], order[1], sizeof order[0]);
  free(graph.isCoupled);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(trees_and_cliques_have_no_fill),
    cmocka_unit_test(rings_have_the_fill_of_a_triangulation),
    cmocka_unit_test(small_graphs_have_little_more_than_the_least_fill),
    cmocka_unit_test(grids_have_the_fill_of_the_reference),
    cmocka_unit_test(coordinates_come_before_the_velocities_they_are_coupled_to),
    cmocka_unit_test(weights_count_as_that_many_unknowns),
    cmocka_unit_test(hubs_go_last_and_the_rest_is_as_good_as_without),
    cmocka_unit_test(out_of_memory_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
