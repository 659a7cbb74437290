#include "model/eval/equilibrium_coupling.h"

#include "base/memory.h"
#include "model/loop/loop.h"

#include <string.h>

bool crHasCutJoints(const crInstance* instance, crTreeSet set)
{
  bool has = false;
  for (int k = 0; instance->loops != NULL && k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      has = has || !crIsCoupling(cut);
    }
  }
  return has;
}

// ------------------------------------------------------------------------------------------------ places

// Of a joint of one degree of freedom: that among those of the set, and its coordinate's place in y.
typedef struct Place {
  int dof, state;
} Place;

static Place locate(const crModel* model, crTreeSet set, int joint)
{
  Place place = { 0, 0 };
  int k = 0;
  for (; set.trees[k] != model->bodies[joint + 1].tree; ++k) {
    place.dof += model->trees[set.trees[k]].vCount;
    place.state += crTreeStateCount(&model->trees[set.trees[k]]);
  }
  place.dof += model->links[joint + 1].dofStart - model->treeDofs[set.trees[k]];
  place.state += model->joints[joint].qStart - model->trees[set.trees[k]].qStart;
  return place;
}

static bool isOfSet(const crModel* model, crTreeSet set, int coupling)
{
  int tree = model->bodies[model->terms[model->couplings[coupling].termStart].joint + 1].tree;
  bool isFound = false;
  for (int k = 0; k < set.treeCount; ++k) {
    isFound = isFound || set.trees[k] == tree;
  }
  return isFound;
}

// -------------------------------------------------------------------------------------------------- rows

// Joints with prescribed motions are where they are.
static void fillRow(const crInstance* instance, crTreeSet set, int index, double* row, int n)
{
  const crModel* model = instance->model;
  const crModelCoupling* coupling = &model->couplings[index];
  row[n] = coupling->offset;
  for (int k = coupling->termStart; k < coupling->termStart + coupling->termCount; ++k) {
    const crCouplingTerm* term = &model->terms[k];
    if (model->joints[term->joint].motion >= 0) {
      row[n] -= term->factor * crGetCoordinate(instance, term->joint, 0);
    } else {
      row[locate(model, set, term->joint).dof] += term->factor;
    }
  }
}

// The largest coefficient, of what is not held where there is such; -1: none.
static int choosePivot(const double* row, int n, const double* isHeld)
{
  int best = -1;
  for (int pass = 0; pass < 2 && best < 0; ++pass) {
    for (int j = 0; j < n; ++j) {
      bool isFree = pass == 1 || isHeld[j] == 0.0;
      best = isFree && fabs(row[j]) > (best >= 0 ? fabs(row[best]) : 0.0) ? j : best;
    }
  }
  return best;
}

// row -= factor x other
static void subtract(double* row, double factor, const double* other, int count)
{
  for (int j = 0; factor != 0.0 && j < count; ++j) {
    row[j] -= factor * other[j];
  }
}

// Solves for one coordinate of each row. Rows do not depend on each other: the start would have been refused.
static void solveRows(crReduction* r, const double* isHeld)
{
  int width = r->n + 1, count = 0;
  for (int i = 0; i < r->rowCount; ++i) {
    double* row = r->rows + (size_t)i * (size_t)width;
    for (int k = 0; k < count; ++k) {
      subtract(row, row[r->pivots[k]], r->rows + (size_t)k * (size_t)width, width);
    }
    int pivot = choosePivot(row, r->n, isHeld);
    if (pivot < 0) { // of prescribed joints alone
      continue;
    }
    double scale = 1.0 / row[pivot], *kept = r->rows + (size_t)count * (size_t)width;
    for (int j = 0; j < width; ++j) {
      kept[j] = scale * row[j];
    }
    kept[pivot] = 1.0;
    for (int k = 0; k < count; ++k) {
      double* before = r->rows + (size_t)k * (size_t)width;
      subtract(before, before[pivot], kept, width);
    }
    r->pivots[count++] = pivot;
  }
  r->rowCount = count;
}

// Brings what follows to where the others say.
static void closeRows(const crReduction* r, double* y)
{
  for (int i = 0; i < r->rowCount; ++i) {
    const double* row = r->rows + (size_t)i * ((size_t)r->n + 1);
    double sum = row[r->n];
    for (int j = 0; j < r->n; ++j) {
      sum -= j != r->pivots[i] && row[j] != 0.0 ? row[j] * y[r->states[j]] : 0.0;
    }
    y[r->states[r->pivots[i]]] = sum;
  }
}

// -------------------------------------------------------------------------------------------- reductions

static void fillStates(crReduction* r, const crModel* model, crTreeSet set)
{
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      if (model->links[b].vCount == 1) {
        Place place = locate(model, set, b - 1);
        r->states[place.dof] = place.state;
      }
    }
  }
}

crStatus crCreateReduction(crInstance* instance, crTreeSet set, double t, const double* isHeld, double* y,
                           crReduction* outReduction)
{
  const crModel* model = instance->model;
  crReduction r = { .n = crModel_CountRates(model, set) };
  for (int i = 0; i < model->rigidCount; ++i) {
    r.capacity += isOfSet(model, set, i);
  }
  if (r.capacity > 0) {
    r.states = crAllocateZero(&instance->allocator, (size_t)r.n, sizeof *r.states);
    r.pivots = crAllocateZero(&instance->allocator, (size_t)r.capacity, sizeof *r.pivots);
    r.rows = crAllocateZero(&instance->allocator, (size_t)r.capacity * ((size_t)r.n + 1), sizeof *r.rows);
  }
  *outReduction = r;
  if (r.capacity > 0 && (r.states == NULL || r.pivots == NULL || r.rows == NULL)) {
    crDestroyReduction(instance, outReduction);
    return cr_errorMemory;
  }
  if (r.capacity == 0) {
    return cr_ok;
  }
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stagePosition);
  for (int i = 0; i < model->rigidCount; ++i) {
    if (isOfSet(model, set, i)) {
      fillRow(instance, set, i, r.rows + (size_t)r.rowCount++ * ((size_t)r.n + 1), r.n);
    }
  }
  fillStates(&r, model, set);
  solveRows(&r, isHeld);
  closeRows(&r, y);
  *outReduction = r;
  return status;
}

void crDestroyReduction(crInstance* instance, crReduction* reduction)
{
  const crAllocator* allocator = &instance->allocator;
  size_t capacity = (size_t)reduction->capacity, n = (size_t)reduction->n;
  crFree(allocator, reduction->states, n * sizeof *reduction->states);
  crFree(allocator, reduction->pivots, capacity * sizeof *reduction->pivots);
  crFree(allocator, reduction->rows, capacity * (n + 1) * sizeof *reduction->rows);
  *reduction = (crReduction){ .n = reduction->n };
}

void crReduction_Spread(const crReduction* r, double* d)
{
  for (int i = 0; i < r->rowCount; ++i) {
    const double* row = r->rows + (size_t)i * ((size_t)r->n + 1);
    double sum = 0.0;
    for (int j = 0; j < r->n; ++j) {
      sum -= j != r->pivots[i] ? row[j] * d[j] : 0.0;
    }
    d[r->pivots[i]] = sum;
  }
}

// What is left out is added to what moves it; `step` places apart.
static void reduce(const crReduction* r, int index, double* f, size_t step)
{
  const double* row = r->rows + (size_t)index * ((size_t)r->n + 1);
  size_t pivot = (size_t)r->pivots[index];
  for (size_t j = 0; j < (size_t)r->n; ++j) {
    f[j * step] -= j != pivot ? row[j] * f[pivot * step] : 0.0;
  }
  f[pivot * step] = 0.0;
}

void crReduction_ReduceForces(const crReduction* r, double* f)
{
  for (int i = 0; i < r->rowCount; ++i) {
    reduce(r, i, f, 1);
  }
}

void crReduction_ReduceMasses(const crReduction* r, double* M)
{
  size_t n = (size_t)r->n;
  for (int i = 0; i < r->rowCount; ++i) {
    for (size_t j = 0; j < n; ++j) {
      reduce(r, i, M + j * n, 1);
    }
    for (size_t j = 0; j < n; ++j) {
      reduce(r, i, M + j, n);
    }
  }
  for (int i = 0; i < r->rowCount; ++i) {
    M[(size_t)r->pivots[i] * (n + 1)] = 1.0;
  }
}
