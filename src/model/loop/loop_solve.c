// Constraint forces: the rows through the trees, A = G M^-1 G^T and its factor within an envelope.
//
// The envelope holds, for every row, all columns from its first to the diagonal [GeorgeLiu81]; no other entry of the
// factor L, A = L L^T, can differ from zero. Rows whose pivot vanishes depend on those before them, as the third
// constraint of a plane mechanism in space, or a joint that is doubled: they are left out.
#include "model/loop/loop.h"

#include <float.h>
#include <string.h>

// [-] Share of the mean motion of a loop, squared, below which a row adds nothing to the rows before: 1e-5 of a length.
// Constraints that differ by less are the same for every drawing; rounding is at 1e-16.
#define CR_RANK_TOLERANCE 1e-10
// [-] Share of the largest diagonal of a cut's rows in A that a pivot must keep. The rows in use are independent but in
// singular positions; there the pivot goes with the square of the distance, and within 3e-7 of the loop's size a row
// would only magnify rounding. Without it for that long, the motion changes by 1e-13.
#define CR_LEAST_ROW_PIVOT 1e-13

static inline const crPathEntry* entriesOf(const crLoops* loops, const crCut* cut)
{
  return loops->entries + cut->entryStart;
}

static inline double* valuesOf(const crLoops* loops, const crCut* cut)
{
  return loops->k + (size_t)cut->dofStart * CR_MAX_ROWS;
}

// ------------------------------------------------------------------------------------------ propagation

// Adds the wrench of a coupling on the bodies of a joint of it that is cut.
static void startTerm(crInstance* instance, crCut* cut, const crCouplingTerm* term)
{
  const crCut* joint = crFindCut(instance, term->joint);
  crWrenchL* K = instance->loops->K + (size_t)cut->entryStart * CR_MAX_ROWS;
  const crPathEntry* entries = entriesOf(instance->loops, cut);
  crWrenchL W = crFindTermWrench(instance, term);
  crWrenchL onA = crShiftWrench(W, joint->r_A), onB = crShiftWrench(W, joint->r_B);
  for (int e = 0; e < cut->entryCount; ++e) {
    crWrenchL* own = &K[(size_t)e * CR_MAX_ROWS];
    if (entries[e].body == joint->bodyB) {
      *own = (crWrenchL){ own->t + onB.t, own->f + onB.f };
    } else if (entries[e].body == joint->bodyA) {
      *own = (crWrenchL){ own->t - onA.t, own->f - onA.f };
    }
  }
}

static void startCoupling(crInstance* instance, crCut* cut)
{
  const crModelCoupling* coupling = &instance->model->couplings[cut->coupling];
  crWrenchL* K = instance->loops->K + (size_t)cut->entryStart * CR_MAX_ROWS;
  for (int e = 0; e < cut->entryCount; ++e) {
    K[(size_t)e * CR_MAX_ROWS] = (crWrenchL){ crZeroLanes(), crZeroLanes() };
  }
  for (int i = 0; i < coupling->termCount; ++i) {
    const crCouplingTerm* term = &instance->model->terms[coupling->termStart + i];
    if (instance->model->joints[term->joint].isCut) {
      startTerm(instance, cut, term);
    }
  }
}

// The wrenches of the rows in use on both bodies of the cut.
static void startRows(crInstance* instance, crCut* cut, bool scales)
{
  crLoops* loops = instance->loops;
  crWrenchL* K = loops->K + (size_t)cut->entryStart * CR_MAX_ROWS;
  const crPathEntry* entries = entriesOf(loops, cut);
  if (crIsCoupling(cut)) {
    startCoupling(instance, cut);
    return;
  }
  for (int e = 0; e < cut->entryCount; ++e) {
    int body = entries[e].body;
    memset(K + (size_t)e * CR_MAX_ROWS, 0, (size_t)cut->activeCount * sizeof *K);
    double sign = (double)(body == cut->bodyB) - (double)(body == cut->bodyA);
    if (sign == 0.0) {
      continue;
    }
    crLanes r = body == cut->bodyB ? cut->r_B : cut->r_A;
    for (int i = 0; i < cut->activeCount; ++i) {
      double factor = sign * (scales ? crRowScale(cut, cut->order[i]) : 1.0);
      crWrenchL moved = crShiftWrench(cut->rows[cut->order[i]], r);
      K[e * CR_MAX_ROWS + i] = (crWrenchL){ moved.t * factor, moved.f * factor };
    }
  }
}

static void addToEntry(crWrenchL* K, int parent, int i, crWrenchL moved)
{
  if (parent >= 0) {
    crWrenchL* P = &K[parent * CR_MAX_ROWS + i];
    P->t += moved.t;
    P->f += moved.f;
  }
}

// One row through one joint: its shares k, and the rest handed to the parent.
static void passRevolute(const crInstance* instance, const crLink* link, int body, crWrenchL W, double push,
                         double root, double* k, crWrenchL* outMoved)
{
  const crPivot* pivot = &instance->pivots[link->pivotStart];
  double share = crDotL(instance->places[body].R.z, W.t) + push;
  crWrenchL moved = crShiftWrench(W, instance->places[body].r);
  *k = share / root;
  *outMoved = (crWrenchL){ moved.t - pivot->Z.t * share, moved.f - pivot->Z.f * share };
}

static void passGeneral(const crInstance* instance, const crLink* link, int body, crWrenchL W, double push, double* k,
                        crWrenchL* outMoved)
{
  const crPivot* pivots = &instance->pivots[link->pivotStart];
  crWrenchL moved = crShiftWrench(W, instance->places[body].r);
  for (int d = 0; d < link->vCount; ++d) {
    double x = crPowerL(W, instance->S[link->dofStart + d]) + push;
    for (int j = 0; j < d; ++j) {
      x -= pivots[d].L[j] * k[(size_t)j * CR_MAX_ROWS];
    }
    x = pivots[d].L[d] > 0.0 ? x / pivots[d].L[d] : 0.0;
    k[(size_t)d * CR_MAX_ROWS] = x;
    moved.t -= pivots[d].Z.t * x;
    moved.f -= pivots[d].Z.f * x;
  }
  *outMoved = moved;
}

static void propagateDynamic(crInstance* instance, crCut* cut)
{
  crLoops* loops = instance->loops;
  crWrenchL* K = loops->K + (size_t)cut->entryStart * CR_MAX_ROWS;
  double *k = valuesOf(loops, cut), *roots = loops->roots + cut->dofStart;
  const crPathEntry* entries = entriesOf(loops, cut);
  startRows(instance, cut, false);
  for (int e = 0; e < cut->entryCount; ++e) {
    const crPathEntry* entry = &entries[e];
    const crLink* link = &instance->model->links[entry->body];
    double* values = k + (size_t)entry->dofStart * CR_MAX_ROWS;
    bool isRevolute = link->path == cr_pathRevolute;
    double root = isRevolute ? sqrt(instance->pivots[link->pivotStart].pivot) : 1.0;
    for (int d = 0; d < link->vCount; ++d) {
      roots[entry->dofStart + d] = root;
    }
    for (int i = 0; i < cut->activeCount; ++i) {
      crWrenchL W = K[e * CR_MAX_ROWS + i], moved;
      if (isRevolute) {
        passRevolute(instance, link, entry->body, W, entry->push, root, values + i, &moved);
      } else {
        passGeneral(instance, link, entry->body, W, entry->push, values + i, &moved);
      }
      addToEntry(K, entry->parent, i, moved);
    }
  }
}

// The squared motion of B against A that the path's joints can make, to compare rows with.
static double totalMotion(const crInstance* instance, const crCut* cut)
{
  const crLoops* loops = instance->loops;
  const crPathEntry* entries = entriesOf(loops, cut);
  double sum = 0.0;
  for (int e = 0; e < cut->entryCount; ++e) {
    const crLink* link = &instance->model->links[entries[e].body];
    for (int d = link->dofStart; !entries[e].isCommon && d < link->dofStart + link->vCount; ++d) {
      crMotionL S = instance->S[d];
      crLanes v = S.v + crCrossL(S.w, cut->p_WB - instance->places[entries[e].body].p);
      double w = loops->weights[d] * loops->weights[d];
      sum += w * (crDotL(v, v) + cut->length * cut->length * crDotL(S.w, S.w));
    }
  }
  return sum;
}

// Of a coupling: the squared change of its sum.
static double totalChange(const crInstance* instance, const crCut* cut)
{
  const double* k = valuesOf(instance->loops, cut);
  double sum = 0.0;
  for (int d = 0; d < cut->dofCount; ++d) {
    sum += k[(size_t)d * CR_MAX_ROWS] * k[(size_t)d * CR_MAX_ROWS];
  }
  return sum;
}

static void findLength(const crInstance* instance, crCut* cut)
{
  const crPathEntry* entries = entriesOf(instance->loops, cut);
  cut->length = 0.0;
  for (int e = 0; e < cut->entryCount; ++e) {
    crLanes r = cut->p_WB - instance->places[entries[e].body].p;
    cut->length = entries[e].isCommon ? cut->length : fmax(cut->length, sqrt(crDotL(r, r)));
  }
  cut->length = cut->length > 0.0 ? cut->length : 1.0;
}

static void propagateGeometric(crInstance* instance, crCut* cut)
{
  crLoops* loops = instance->loops;
  crWrenchL* K = loops->K + (size_t)cut->entryStart * CR_MAX_ROWS;
  double* k = valuesOf(loops, cut);
  const crPathEntry* entries = entriesOf(loops, cut);
  if (!crIsCoupling(cut)) {
    findLength(instance, cut);
  }
  startRows(instance, cut, true);
  for (int e = 0; e < cut->entryCount; ++e) {
    const crPathEntry* entry = &entries[e];
    const crLink* link = &instance->model->links[entry->body];
    for (int i = 0; i < cut->activeCount; ++i) {
      crWrenchL W = K[e * CR_MAX_ROWS + i];
      for (int d = 0; d < link->vCount; ++d) {
        int dof = link->dofStart + d;
        double share = entry->isCommon ? 0.0 : loops->weights[dof] * (crPowerL(W, instance->S[dof]) + entry->push);
        k[(size_t)(entry->dofStart + d) * CR_MAX_ROWS + (size_t)i] = share;
      }
      addToEntry(K, entry->parent, i, crShiftWrench(W, instance->places[entry->body].r));
    }
  }
  cut->scale = crIsCoupling(cut) ? totalChange(instance, cut) : totalMotion(instance, cut);
}

void crPropagateRows(crInstance* instance, int tree, crRowMode mode)
{
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    if (mode == cr_rowsDynamic) {
      propagateDynamic(instance, cut);
    } else {
      propagateGeometric(instance, cut);
    }
  }
}

// ----------------------------------------------------------------------------------------------- matrix

static inline double* rowOf(const crLoops* loops, const crCut* cut, int i)
{
  return loops->envelope + cut->envelopeStart + (size_t)i * (size_t)cut->envelopeWidth;
}

// First column of a cut's rows, and the place of a cut's own columns in rows of another.
static inline int firstColumn(const crLoops* loops, const crCut* cut)
{
  return loops->cuts[cut->first].activeStart;
}

// Adds the shares of one joint to the block of two cuts.
static void addShares(double* block, int width, const double* kA, int countA, const double* kB, int countB)
{
  for (int i = 0; i < countA; ++i) {
    for (int j = 0; j < countB; ++j) {
      block[(size_t)i * (size_t)width + (size_t)j] += kA[i] * kB[j];
    }
  }
}

// Bodies that are on both paths, highest first on both.
static void fillBlock(const crInstance* instance, crCut* cut, const crCut* other)
{
  const crLoops* loops = instance->loops;
  double* block = rowOf(loops, cut, 0) + (other->activeStart - firstColumn(loops, cut));
  const crPathEntry *a = entriesOf(loops, cut), *b = entriesOf(loops, other);
  const double *kA = valuesOf(loops, cut), *kB = valuesOf(loops, other);
  for (int i = 0; i < cut->activeCount; ++i) {
    memset(block + (size_t)i * (size_t)cut->envelopeWidth, 0, (size_t)other->activeCount * sizeof *block);
  }
  for (int i = 0, j = 0; i < cut->entryCount && j < other->entryCount;) {
    if (a[i].body == b[j].body) {
      for (int d = 0; d < instance->model->links[a[i].body].vCount; ++d) {
        addShares(block, cut->envelopeWidth, kA + (size_t)(a[i].dofStart + d) * CR_MAX_ROWS, cut->activeCount,
                  kB + (size_t)(b[j].dofStart + d) * CR_MAX_ROWS, other->activeCount);
      }
    }
    int bodyA = a[i].body, bodyB = b[j].body;
    i += bodyA >= bodyB;
    j += bodyB >= bodyA;
  }
}

// The rows of a cut in A, all columns up to its own.
static void fillRows(const crInstance* instance, crCut* cut)
{
  const crLoops* loops = instance->loops;
  int columns = cut->activeStart - firstColumn(loops, cut);
  for (int i = 0; i < cut->activeCount; ++i) {
    memset(rowOf(loops, cut, i), 0, (size_t)columns * sizeof(double));
  }
  for (int c = 0; c < cut->couplingCount; ++c) {
    fillBlock(instance, cut, &loops->cuts[loops->couplings[cut->couplingStart + c]]);
  }
  fillBlock(instance, cut, cut);
}

// L_rc = (A_rc - sum L_rk L_ck) / L_cc for all columns of cuts before; a row that was left out has an infinite L_cc.
static void eliminateBefore(const crLoops* loops, const crCut* cut, int i)
{
  double* row = rowOf(loops, cut, i);
  int firstA = firstColumn(loops, cut);
  for (const crCut* other = &loops->cuts[cut->first]; other < cut; ++other) {
    int firstB = firstColumn(loops, other), start = firstA > firstB ? firstA : firstB;
    for (int j = 0; j < other->activeCount; ++j) {
      const double* otherRow = rowOf(loops, other, j) - firstB;
      int column = other->activeStart + j;
      double x = row[column - firstA];
      for (int k = start; k < column; ++k) {
        x -= row[k - firstA] * otherRow[k];
      }
      row[column - firstA] = x / otherRow[column];
    }
  }
}

// What is left of the diagonal, by all columns before its own place in the cut.
static double leftOf(const crLoops* loops, const crCut* cut, int i, int place)
{
  const double* row = rowOf(loops, cut, i);
  int columns = cut->activeStart - firstColumn(loops, cut);
  double x = row[columns + i];
  for (int k = 0; k < columns + place; ++k) {
    x -= row[k] * row[k];
  }
  return x;
}

// Column `place` of the cut's own triangle, for the rows below.
static void eliminateOwn(const crLoops* loops, const crCut* cut, int place, double pivot)
{
  int columns = cut->activeStart - firstColumn(loops, cut);
  const double* row = rowOf(loops, cut, place);
  double root = sqrt(pivot);
  for (int i = place + 1; i < cut->activeCount; ++i) {
    double* other = rowOf(loops, cut, i);
    double x = other[columns + place];
    for (int k = 0; k < columns + place; ++k) {
      x -= other[k] * row[k];
    }
    other[columns + place] = x / root;
  }
  rowOf(loops, cut, place)[columns + place] = root;
}

// The largest diagonal of a cut's rows, all of them in units of a length.
static double largestDiagonal(const crLoops* loops, const crCut* cut, crRowMode mode)
{
  int columns = cut->activeStart - firstColumn(loops, cut);
  double largest = 0.0;
  for (int i = 0; i < cut->activeCount; ++i) {
    double scale = mode == cr_rowsDynamic ? crRowScale(cut, cut->order[i]) : 1.0;
    largest = fmax(largest, rowOf(loops, cut, i)[columns + i] * scale * scale);
  }
  return largest;
}

// The rows of a cut in the factor; those of all cuts before are there. Returns the number of those left out.
static int factorCut(crInstance* instance, crCut* cut, crRowMode mode, double ridge)
{
  const crLoops* loops = instance->loops;
  int columns = cut->activeStart - firstColumn(loops, cut), lost = 0;
  fillRows(instance, cut);
  for (int i = 0; i < cut->activeCount; ++i) {
    rowOf(loops, cut, i)[columns + i] += ridge * cut->scale;
    eliminateBefore(loops, cut, i);
  }
  double largest = largestDiagonal(loops, cut, mode), least = CR_LEAST_ROW_PIVOT * largest;
  cut->weakness = 1.0;
  for (int i = 0; i < cut->activeCount; ++i) {
    double scale = mode == cr_rowsDynamic ? crRowScale(cut, cut->order[i]) : 1.0;
    double pivot = leftOf(loops, cut, i, i);
    bool isGood = pivot * scale * scale > least;
    cut->weakness = fmin(cut->weakness, pivot * scale * scale / largest);
    eliminateOwn(loops, cut, i, isGood ? pivot : HUGE_VAL);
    lost += !isGood;
  }
  return lost;
}

int crFactorRows(crInstance* instance, int tree, crRowMode mode, double ridge)
{
  int lost = 0, start = 0;
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    cut->activeStart = start;
    start += cut->activeCount;
    lost += factorCut(instance, cut, mode, ridge);
  }
  return lost;
}

// ------------------------------------------------------------------------------------------------- rank

// Exchanges two rows of a cut that are not eliminated yet: shares, matrix and order.
static void swapRows(crLoops* loops, crCut* cut, int i, int j)
{
  int columns = cut->activeStart - firstColumn(loops, cut);
  double *a = rowOf(loops, cut, i), *b = rowOf(loops, cut, j), *k = valuesOf(loops, cut);
  unsigned char row = cut->order[i];
  cut->order[i] = cut->order[j];
  cut->order[j] = row;
  for (int c = 0; c < columns + cut->activeCount; ++c) {
    double x = a[c];
    a[c] = b[c];
    b[c] = x;
  }
  for (int r = 0; r < cut->activeCount; ++r) {
    double* other = rowOf(loops, cut, r) + columns;
    double x = other[i];
    other[i] = other[j];
    other[j] = x;
  }
  for (int d = 0; d < cut->dofCount; ++d) {
    double x = k[(size_t)d * CR_MAX_ROWS + (size_t)i];
    k[(size_t)d * CR_MAX_ROWS + (size_t)i] = k[(size_t)d * CR_MAX_ROWS + (size_t)j];
    k[(size_t)d * CR_MAX_ROWS + (size_t)j] = x;
  }
}

// The row whose remainder is largest; of equal ones the first.
static int findLargest(const crLoops* loops, const crCut* cut, int place, double* outPivot)
{
  int best = place;
  *outPivot = leftOf(loops, cut, place, place);
  for (int i = place + 1; i < cut->activeCount; ++i) {
    double pivot = leftOf(loops, cut, i, place);
    if (pivot > *outPivot * (1.0 + CR_RANK_TOLERANCE)) {
      *outPivot = pivot;
      best = i;
    }
  }
  return best;
}

static int chooseOfCut(crInstance* instance, crCut* cut)
{
  crLoops* loops = instance->loops;
  fillRows(instance, cut);
  for (int i = 0; i < cut->activeCount; ++i) {
    eliminateBefore(loops, cut, i);
  }
  for (int place = 0; place < cut->activeCount; ++place) {
    double pivot;
    int best = findLargest(loops, cut, place, &pivot);
    if (!(pivot > CR_RANK_TOLERANCE * cut->scale)) {
      return place;
    }
    if (best != place) {
      swapRows(loops, cut, place, best);
    }
    eliminateOwn(loops, cut, place, pivot);
  }
  return cut->activeCount;
}

void crChooseRows(crInstance* instance, int tree)
{
  int start = 0;
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    cut->activeCount = cut->rowCount;
    for (int r = 0; r < CR_MAX_ROWS; ++r) {
      cut->order[r] = (unsigned char)r;
    }
  }
  crPropagateRows(instance, tree, cr_rowsGeometric);
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    cut->activeStart = start;
    cut->activeCount = chooseOfCut(instance, cut);
    start += cut->activeCount;
  }
}

// ---------------------------------------------------------------------------------------------- solving

static double* solutionOf(const crLoops* loops, int tree)
{
  int cut = loops->treeCuts[tree];
  return loops->solution + (cut < loops->cutCount ? loops->cuts[cut].rowStart : 0);
}

static void substituteForward(const crLoops* loops, const crCut* cut, double* x)
{
  int first = firstColumn(loops, cut);
  for (int i = 0; i < cut->activeCount; ++i) {
    const double* row = rowOf(loops, cut, i) - first;
    int own = cut->activeStart + i;
    double sum = x[own];
    for (int k = first; k < own; ++k) {
      sum -= row[k] * x[k];
    }
    x[own] = sum / row[own];
  }
}

static void substituteBack(const crLoops* loops, const crCut* cut, double* x)
{
  int first = firstColumn(loops, cut);
  for (int i = cut->activeCount - 1; i >= 0; --i) {
    const double* row = rowOf(loops, cut, i) - first;
    int own = cut->activeStart + i;
    x[own] /= row[own];
    for (int k = first; k < own; ++k) {
      x[k] -= row[k] * x[own];
    }
  }
}

void crSolveRows(crInstance* instance, int tree)
{
  crLoops* loops = instance->loops;
  double* x = solutionOf(loops, tree);
  for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
    substituteForward(loops, cut, x);
  }
  for (int c = loops->treeCuts[tree + 1] - 1; c >= loops->treeCuts[tree]; --c) {
    substituteBack(loops, &loops->cuts[c], x);
  }
}

double* crGetSolution(crInstance* instance, int tree)
{
  return solutionOf(instance->loops, tree);
}

// --------------------------------------------------------------------------------------------- dynamics

void crClearPivotForces(crInstance* instance, crTreeSet set)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    int first = model->links[tree->bodyStart].pivotStart;
    for (int d = 0; d < tree->vCount && instance->loops->isLooped[set.trees[k]]; ++d) {
      instance->pivots[first + d].y = 0.0;
    }
  }
}

bool crArticulateLooped(crInstance* instance, crTreeSet set)
{
  bool isGood = true;
  for (int k = 0; k < set.treeCount; ++k) {
    if (instance->loops->isLooped[set.trees[k]]) {
      isGood &= crArticulateTree(instance, &instance->model->trees[set.trees[k]]);
    }
  }
  return isGood;
}

bool crAccelerateLooped(crInstance* instance, crTreeSet set)
{
  const crModel* model = instance->model;
  bool isGood = true;
  for (int k = 0; k < set.treeCount; ++k) {
    int t = set.trees[k];
    if (instance->loops->isLooped[t]) {
      crAccelerateTree(instance, &model->trees[t]);
      isGood &= crAreFinite(instance->vdot + model->treeDofs[t], model->trees[t].vCount);
    }
  }
  return isGood;
}

static void addForcesOfCut(crInstance* instance, const crCut* cut, const double* x, double sign)
{
  const crLoops* loops = instance->loops;
  const double *k = valuesOf(loops, cut), *roots = loops->roots + cut->dofStart;
  const crPathEntry* entries = entriesOf(loops, cut);
  for (int e = 0; e < cut->entryCount; ++e) {
    const crLink* link = &instance->model->links[entries[e].body];
    for (int d = 0; d < link->vCount; ++d) {
      int place = entries[e].dofStart + d;
      double sum = 0.0;
      for (int i = 0; i < cut->activeCount; ++i) {
        sum += k[(size_t)place * CR_MAX_ROWS + (size_t)i] * x[cut->activeStart + i];
      }
      instance->pivots[link->pivotStart + d].y += sign * sum / roots[place];
    }
  }
}

void crAddRowForces(crInstance* instance, int tree, double sign)
{
  const double* x = solutionOf(instance->loops, tree);
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    addForcesOfCut(instance, cut, x, sign);
  }
}

// -(G M^-1 (tau - h) + biases): the pivots' y holds L^-1 (tau - S^T pA), or that over L for revolute joints.
static void fillRight(const crInstance* instance, const crCut* cut, double* x)
{
  const crLoops* loops = instance->loops;
  const double *k = valuesOf(loops, cut), *roots = loops->roots + cut->dofStart;
  const crPathEntry* entries = entriesOf(loops, cut);
  for (int i = 0; i < cut->activeCount; ++i) {
    x[cut->activeStart + i] = -cut->biases[cut->order[i]];
  }
  for (int e = 0; e < cut->entryCount; ++e) {
    const crLink* link = &instance->model->links[entries[e].body];
    for (int d = 0; d < link->vCount; ++d) {
      int place = entries[e].dofStart + d;
      double y = instance->pivots[link->pivotStart + d].y * roots[place];
      for (int i = 0; i < cut->activeCount; ++i) {
        x[cut->activeStart + i] -= k[(size_t)place * CR_MAX_ROWS + (size_t)i] * y;
      }
    }
  }
}

static bool keepForces(crCut* cut, const double* x)
{
  bool isFinite = true;
  for (int i = 0; i < cut->activeCount; ++i) {
    cut->lambda[i] = x[cut->activeStart + i];
    isFinite = isFinite && fabs(cut->lambda[i]) <= DBL_MAX;
  }
  return isFinite;
}

// What a cut's forces leave for the joints of its path to transmit: pA - sum of K lambda.
static void addToBiases(crInstance* instance, const crCut* cut)
{
  const crLoops* loops = instance->loops;
  const crWrenchL* K = loops->K + (size_t)cut->entryStart * CR_MAX_ROWS;
  const crPathEntry* entries = entriesOf(loops, cut);
  for (int e = 0; e < cut->entryCount; ++e) {
    crWrenchL* bias = &instance->articulated[entries[e].body].bias;
    for (int i = 0; i < cut->activeCount; ++i) {
      bias->t -= K[e * CR_MAX_ROWS + i].t * cut->lambda[i];
      bias->f -= K[e * CR_MAX_ROWS + i].f * cut->lambda[i];
    }
  }
}

// Two passes over the cuts of a component: each does all it can for a cut while its memory is at hand. The pivots' y
// is read by the first and changed by the second.
static bool solveForces(crInstance* instance, int tree)
{
  crLoops* loops = instance->loops;
  double* x = solutionOf(loops, tree);
  int start = 0;
  bool isFinite = true;
  for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
    cut->activeStart = start;
    start += cut->activeCount;
    propagateDynamic(instance, cut);
    factorCut(instance, cut, cr_rowsDynamic, 0.0);
    fillRight(instance, cut, x);
    substituteForward(loops, cut, x);
  }
  for (crCut* cut = loops->cuts + loops->treeCuts[tree + 1] - 1; cut >= loops->cuts + loops->treeCuts[tree]; --cut) {
    substituteBack(loops, cut, x);
    isFinite &= keepForces(cut, x);
    addForcesOfCut(instance, cut, x, 1.0);
    addToBiases(instance, cut);
  }
  crSumPushes(instance, tree);
  return isFinite;
}

crStatus crEvalLoopedAccelerations(crInstance* instance, crTreeSet set)
{
  bool isGood = crArticulateLooped(instance, set);
  for (int k = 0; k < set.treeCount && isGood; ++k) {
    if (crOwnsCuts(instance->loops, set.trees[k])) {
      isGood = solveForces(instance, set.trees[k]);
    }
  }
  return isGood && crAccelerateLooped(instance, set) ? cr_ok : cr_retry;
}
