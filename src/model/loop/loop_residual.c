// The residual form with loops: the stabilized index-1 equations of [GearGuptaLeimkuhler85], as [NeumayrOtter19] eq. 3
// has them, for solvers of 0 = F(t, y, y').
//
//   y = (states of the trees | lambda_int | mu_int)
//
//   0 = q' - N(q) (v - G^T mu_int')
//   0 = M v' - h - G^T lambda_int'
//   0 = g
//   0 = G v + g_t
//
// of the rows in use. lambda_int is the integral of the constraint forces, so that these are rates like all others and
// the index is 1; mu_int' is 0 in exact arithmetic and leaves room for both g and g' to vanish. The paper's equation
// 11 has mu_int in place of its rate, which would be of index 2. With quaternions G acts on rates v, not on q'. G is
// not taken from the solver's Jacobian, as in the paper, but exact: G^T x is a recursion inwards over bodies on which
// the wrenches of the rows act.
//
// A solver is better served by the second equation times M^-1, 0 = v' - M^-1 (h + G^T lambda_int'), which articulated
// bodies give at the same cost. In coordinates of joints the inertias of a long chain differ by many orders of
// magnitude, that of the chain about its first joint and of a link about itself: when the chain has moved by a
// hundredth, a matrix with the old inertias is of no use any more, and Newton's method needs a new one every few steps.
#include "model/loop/loop.h"

#include <string.h>

// -------------------------------------------------------------------------------------------- multipliers

int crInstance_CountMultipliers(const crInstance* instance, crTreeSet set)
{
  int count = 0;
  if (!crCanEvaluate(instance, set)) {
    return count;
  }
  for (int k = 0; instance->loops != NULL && k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      count += cut->activeCount;
    }
  }
  return count;
}

crStatus crInstance_GetMultipliers(const crInstance* instance, crTreeSet set, double* outForces)
{
  if (!crCanEvaluate(instance, set) || outForces == NULL) {
    return cr_errorMisuse;
  }
  for (int k = 0; instance->loops != NULL && k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      for (int i = 0; i < cut->activeCount; ++i) {
        *outForces++ = cut->lambda[i];
      }
    }
  }
  return cr_ok;
}

// ----------------------------------------------------------------------------------------------- G^T x

static void addWrench(crInstance* instance, int body, crLanes r, crWrenchL W, double sign)
{
  if (body > 0) {
    crWrenchL moved = crShiftWrench(W, r);
    instance->W[body].t += moved.t * sign;
    instance->W[body].f += moved.f * sign;
  }
}

// Of a coupling's force x, that on joints that are cut.
static void addTerms(crInstance* instance, const crCut* cut, double x)
{
  const crModelCoupling* coupling = &instance->model->couplings[cut->coupling];
  for (int i = coupling->termStart; i < coupling->termStart + coupling->termCount; ++i) {
    const crCouplingTerm* term = &instance->model->terms[i];
    if (instance->model->joints[term->joint].isCut) {
      const crCut* joint = crFindCut(instance, term->joint);
      crWrenchL W = crFindTermWrench(instance, term);
      addWrench(instance, joint->bodyB, joint->r_B, W, x);
      addWrench(instance, joint->bodyA, joint->r_A, W, -x);
    }
  }
}

// And that along the coordinates of the others.
static void addPushes(crInstance* instance, crTreeSet set, const double* x)
{
  const crLoops* loops = instance->loops;
  for (int k = 0; k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(loops, set.trees[k]); cut < crEndCut(loops, set.trees[k]); x += cut++->activeCount) {
      bool isUsed = crIsCoupling(cut) && cut->activeCount > 0;
      for (int e = cut->entryStart; isUsed && e < cut->entryStart + cut->entryCount; ++e) {
        const crLink* link = &instance->model->links[loops->entries[e].body];
        if (link->vCount > 0 && loops->entries[e].push != 0.0) {
          loops->changes[link->dofStart] += loops->entries[e].push * *x;
        }
      }
    }
  }
}

static void addRows(crInstance* instance, crTreeSet set, const double* x)
{
  for (int k = 0; k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      if (crIsCoupling(cut) && cut->activeCount > 0) {
        addTerms(instance, cut, *x++);
      }
      if (crIsCoupling(cut)) {
        continue;
      }
      crWrenchL W = { crZeroLanes(), crZeroLanes() };
      for (int i = 0; i < cut->activeCount; ++i, ++x) {
        W.t += cut->rows[cut->order[i]].t * *x;
        W.f += cut->rows[cut->order[i]].f * *x;
      }
      addWrench(instance, cut->bodyB, cut->r_B, W, 1.0);
      addWrench(instance, cut->bodyA, cut->r_A, W, -1.0);
    }
  }
}

// changes := G^T x of all trees of the set; stage position.
static void multiplyTransposed(crInstance* instance, crTreeSet set, const double* x)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    memset(instance->W + tree->bodyStart, 0, (size_t)tree->bodyCount * sizeof *instance->W);
  }
  addRows(instance, set, x);
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int b = tree->bodyStart + tree->bodyCount - 1; b >= tree->bodyStart; --b) {
      const crLink* link = &model->links[b];
      for (int d = link->dofStart; d < link->dofStart + link->vCount; ++d) {
        instance->loops->changes[d] = crPowerL(instance->W[b], instance->S[d]);
      }
      if (link->parent > 0) {
        crWrenchL moved = crShiftWrench(instance->W[b], instance->places[b].r);
        instance->W[link->parent].t += moved.t;
        instance->W[link->parent].f += moved.f;
      }
    }
  }
  addPushes(instance, set, x);
}

// --------------------------------------------------------------------------------------------- residual

// residual of q: q' - N(q) (v - changes)
static void stabilize(crInstance* instance, int treeIndex, const double* rates, double* residual)
{
  const crModel* model = instance->model;
  const crTree* tree = &model->trees[treeIndex];
  const double* changes = instance->loops->changes + model->treeDofs[treeIndex];
  double* v = instance->y + tree->vStart;
  double* saved = instance->loops->saved + model->treeDofs[treeIndex];
  size_t size = (size_t)tree->vCount * sizeof *v;
  memcpy(saved, v, size); // adding them again would leave a share of large changes behind, as of those for differences
  for (int i = 0; i < tree->vCount; ++i) {
    v[i] -= changes[i];
  }
  crComputeCoordinateRates(instance, tree, residual);
  memcpy(v, saved, size);
  for (int i = 0; i < tree->qCount; ++i) {
    residual[i] = rates[i] - residual[i];
  }
}

static void balanceAuxiliary(crInstance* instance, const crTree* tree, const double* rates, double* residual)
{
  crGetAuxiliaryRates(instance, tree, residual + tree->qCount + tree->vCount);
  for (int i = tree->qCount + tree->vCount; i < crTreeStateCount(tree); ++i) {
    residual[i] = rates[i] - residual[i];
  }
}

// M v' - h - changes
static void balanceForces(crInstance* instance, int treeIndex, const double* rates, double* residual)
{
  const crModel* model = instance->model;
  const crTree* tree = &model->trees[treeIndex];
  const double* changes = instance->loops->changes + model->treeDofs[treeIndex];
  crComputeTreeForces(instance, treeIndex, rates + tree->qCount, residual + tree->qCount);
  for (int i = 0; i < tree->vCount; ++i) {
    residual[tree->qCount + i] -= changes[i];
  }
  balanceAuxiliary(instance, tree, rates, residual);
}

// v' - vdot
static void balanceRates(crInstance* instance, int treeIndex, const double* rates, double* residual)
{
  const crTree* tree = &instance->model->trees[treeIndex];
  const double* vdot = instance->vdot + instance->model->treeDofs[treeIndex];
  for (int i = 0; i < tree->vCount; ++i) {
    residual[tree->qCount + i] = rates[tree->qCount + i] - vdot[i];
  }
  balanceAuxiliary(instance, tree, rates, residual);
}

// vdot := M^-1 (h + G^T forces) of all trees in loops; stage force.
static bool accelerate(crInstance* instance, crTreeSet set, const double* forces)
{
  if (!crArticulateLooped(instance, set)) {
    return false;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    int tree = set.trees[k], start = 0;
    double* x = crGetSolution(instance, tree);
    for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
      cut->activeStart = start;
      start += cut->activeCount;
    }
    if (crOwnsCuts(instance->loops, tree)) {
      memcpy(x, forces, (size_t)start * sizeof *x);
      forces += start;
      crPropagateRows(instance, tree, cr_rowsDynamic);
      crAddRowForces(instance, tree, 1.0);
    }
  }
  return crAccelerateLooped(instance, set);
}

static void writeConstraints(const crInstance* instance, crTreeSet set, double* positions, double* velocities)
{
  for (int k = 0; k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      for (int i = 0; i < cut->activeCount; ++i) {
        *positions++ = cut->g[cut->order[i]];
        *velocities++ = cut->rates[cut->order[i]];
      }
    }
  }
}

// The equations of coordinates, which both forms share.
static crStatus startResidual(crInstance* instance, crTreeSet set, double t, const double* y, const double* yp,
                              const double* multiplierRates, double* outResidual)
{
  int place = 0;
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stageForce);
  if (status != cr_ok) {
    return status;
  }
  multiplyTransposed(instance, set, multiplierRates + crInstance_CountMultipliers(instance, set));
  for (int k = 0; k < set.treeCount; place += crTreeStateCount(&instance->model->trees[set.trees[k++]])) {
    stabilize(instance, set.trees[k], yp + place, outResidual + place);
  }
  return cr_ok;
}

static crStatus endResidual(crInstance* instance, crTreeSet set, const double* residual, double* outConstraints)
{
  int rows = crInstance_CountMultipliers(instance, set), states = crModel_CountStates(instance->model, set);
  writeConstraints(instance, set, outConstraints, outConstraints + rows);
  return crAreFinite(residual, states) && crAreFinite(outConstraints, 2 * rows) ? cr_ok : cr_retry;
}

crStatus crInstance_ComputeLoopResidual(crInstance* instance, crTreeSet set, double t, const double* y,
                                        const double* yp, const double* multiplierRates, double* outResidual,
                                        double* outConstraints)
{
  if (!crCanEvaluate(instance, set) || y == NULL || yp == NULL || outResidual == NULL) {
    return cr_errorMisuse;
  }
  if (instance->loops == NULL) {
    return crInstance_ComputeResidual(instance, set, t, y, yp, outResidual);
  }
  if (multiplierRates == NULL || outConstraints == NULL) {
    return cr_errorMisuse;
  }
  int place = 0;
  crStatus status = startResidual(instance, set, t, y, yp, multiplierRates, outResidual);
  if (status != cr_ok) {
    return status;
  }
  multiplyTransposed(instance, set, multiplierRates);
  for (int k = 0; k < set.treeCount; place += crTreeStateCount(&instance->model->trees[set.trees[k++]])) {
    balanceForces(instance, set.trees[k], yp + place, outResidual + place);
  }
  return endResidual(instance, set, outResidual, outConstraints);
}

crStatus crInstance_ComputeRateResidual(crInstance* instance, crTreeSet set, double t, const double* y,
                                        const double* yp, const double* multiplierRates, double* outResidual,
                                        double* outConstraints)
{
  if (!crCanEvaluate(instance, set) || y == NULL || yp == NULL || outResidual == NULL) {
    return cr_errorMisuse;
  }
  if (instance->loops == NULL) {
    return crInstance_ComputeResidual(instance, set, t, y, yp, outResidual);
  }
  if (multiplierRates == NULL || outConstraints == NULL) {
    return cr_errorMisuse;
  }
  int place = 0;
  crStatus status = startResidual(instance, set, t, y, yp, multiplierRates, outResidual);
  if (status == cr_ok && !accelerate(instance, set, multiplierRates)) {
    status = cr_retry;
  }
  if (status != cr_ok) {
    return status;
  }
  for (int k = 0; k < set.treeCount; place += crTreeStateCount(&instance->model->trees[set.trees[k++]])) {
    bool isLooped = instance->loops->isLooped[set.trees[k]];
    (isLooped ? balanceRates : balanceForces)(instance, set.trees[k], yp + place, outResidual + place);
  }
  return endResidual(instance, set, outResidual, outConstraints);
}

// --------------------------------------------------------------------------------------------- sparsity

typedef struct Pattern {
  crInstance* instance;
  crTreeSet set;
  int firstRow; // of constraints
  int rows;     // their number
  int* places;  // (treeCount) first state of a tree in the set's vector; -1: not in the set
  int* columnRows;
  int count;
  int* marks; // (treeCount)
  int mark;   // of the last column
} Pattern;

static void addRow(Pattern* p, int row)
{
  if (p->columnRows != NULL) {
    p->columnRows[p->count] = row;
  }
  ++p->count;
}

static bool isOnPath(const crInstance* instance, const crCut* cut, int body)
{
  const crPathEntry* entries = instance->loops->entries + cut->entryStart;
  int low = 0, high = cut->entryCount - 1;
  while (low < high) { // highest body first
    int middle = (low + high) / 2;
    if (entries[middle].body > body) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return cut->entryCount > 0 && entries[low].body == body && !entries[low].isCommon;
}

// Constraint rows that a joint of the tree moves; those of velocities lie behind those of positions.
static void addConstraintRows(Pattern* p, int tree, int body, bool ofPosition, bool ofVelocity)
{
  int component = p->instance->model->components[tree];
  for (int level = 0; level < 2; ++level) {
    int row = p->firstRow + level * p->rows;
    for (int k = 0; k < p->set.treeCount; ++k) {
      for (crCut* cut = crFirstCut(p->instance->loops, p->set.trees[k]);
           cut < crEndCut(p->instance->loops, p->set.trees[k]); ++cut) {
        bool isMoved = p->set.trees[k] == component && isOnPath(p->instance, cut, body);
        for (int i = 0; i < cut->activeCount; ++i, ++row) {
          if (isMoved && (level == 0 ? ofPosition : ofVelocity)) {
            addRow(p, row);
          }
        }
      }
    }
  }
}

// Rows of coordinates that a state of a joint changes: as in crModel_GetSparsity.
static void addCoordinateRows(Pattern* p, crStatePlace state, int jointRow)
{
  const crJointType* type = crGetJointType((int)p->instance->model->joints[state.joint].kind);
  int plain = type->hasQuaternion ? type->qCount - 4 : type->qCount;
  if (state.index < plain) {
    addRow(p, jointRow + state.index);
  } else {
    for (int i = 0; i < 4; ++i) {
      addRow(p, jointRow + plain + i);
    }
  }
}

// Marks the trees that move a cut.
static void markTrees(const Pattern* p, const crCut* cut, int mark)
{
  const crLoops* loops = p->instance->loops;
  for (int e = cut->entryStart; e < cut->entryStart + cut->entryCount; ++e) {
    p->marks[p->instance->model->bodies[loops->entries[e].body].tree] = mark;
  }
}

// Likewise of all cuts that a body moves. A cut's forces have the directions of its objectA and act at its objectB, so
// that accelerations of all of these trees depend on where the body is.
static void markCoupled(const Pattern* p, int tree, int body, int mark)
{
  const crLoops* loops = p->instance->loops;
  int component = p->instance->model->components[tree];
  for (crCut* cut = crFirstCut(loops, component); cut < crEndCut(loops, component); ++cut) {
    if (isOnPath(p->instance, cut, body)) {
      markTrees(p, cut, mark);
    }
  }
}

// Accelerations of one tree depend on states of those that force elements and signals couple it with, and on
// coordinates of those that loops do.
static void addStateColumn(Pattern* p, int tree, int stateIndex)
{
  const crModel* model = p->instance->model;
  crStatePlace state = crLocateState(model, tree, stateIndex);
  int mark = ++p->mark;
  if (state.joint >= 0 && !state.isRate) {
    markCoupled(p, tree, state.joint + 1, mark);
  }
  for (int k = 0; k < p->set.treeCount; ++k) {
    int t = p->set.trees[k], place = p->places[t];
    const crTree* record = &model->trees[t];
    if (t == tree && state.joint >= 0) {
      addCoordinateRows(p, state, place + model->joints[state.joint].qStart - record->qStart);
    }
    bool isForced = model->forceComponents[t] == model->forceComponents[tree];
    int end = record->qCount + record->vCount + (isForced ? record->auxCount : 0);
    for (int i = record->qCount; (isForced || p->marks[t] == mark) && i < end; ++i) {
      addRow(p, place + i);
    }
  }
  if (state.joint >= 0) {
    addConstraintRows(p, tree, state.joint + 1, !state.isRate, true);
  }
}

// A force accelerates all joints of the trees that move its cut.
static void addForceColumn(Pattern* p, const crCut* cut)
{
  const crModel* model = p->instance->model;
  int mark = ++p->mark;
  markTrees(p, cut, mark);
  for (int k = 0; k < p->set.treeCount; ++k) {
    const crTree* record = &model->trees[p->set.trees[k]];
    int first = p->places[p->set.trees[k]] + record->qCount;
    for (int i = 0; p->marks[p->set.trees[k]] == mark && i < record->vCount; ++i) {
      addRow(p, first + i);
    }
  }
}

// What stabilizes acts on the coordinates of the joints of its path.
static void addStabilizerColumn(Pattern* p, const crCut* cut)
{
  const crModel* model = p->instance->model;
  const crPathEntry* entries = p->instance->loops->entries + cut->entryStart;
  for (int e = cut->entryCount - 1; e >= 0; --e) { // lowest body first: rows ascend within a tree, and trees do
    int body = entries[e].body, tree = model->bodies[body].tree;
    const crLink* link = &model->links[body];
    int count = link->vCount > 0 ? crJointKind_CountQ(model->joints[link->joint].kind) : 0;
    int start = p->places[tree] + link->qStart - model->trees[tree].qStart;
    for (int i = 0; !entries[e].isCommon && i < count; ++i) {
      addRow(p, start + i);
    }
  }
}

static void addMultiplierColumns(Pattern* p, bool isForce, int* outColumnStarts, int* column)
{
  for (int k = 0; k < p->set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(p->instance->loops, p->set.trees[k]);
         cut < crEndCut(p->instance->loops, p->set.trees[k]); ++cut) {
      for (int i = 0; i < cut->activeCount; ++i) {
        if (outColumnStarts != NULL) {
          outColumnStarts[*column] = p->count;
        }
        ++*column;
        (isForce ? addForceColumn : addStabilizerColumn)(p, cut);
      }
    }
  }
}

crStatus crInstance_GetLoopSparsity(crInstance* instance, crTreeSet set, int otherCount, int* outColumnStarts,
                                    int* outRows, int* outCount)
{
  if (!crCanEvaluate(instance, set) || outCount == NULL || otherCount < 0) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  if (instance->loops == NULL) {
    return crModel_GetSparsity(model, set, outColumnStarts, outRows, outCount);
  }
  Pattern p = { .instance = instance, .set = set, .columnRows = outRows, .places = instance->marks };
  p.firstRow = crModel_CountStates(model, set) + otherCount;
  p.rows = crInstance_CountMultipliers(instance, set);
  int place = 0, column = 0;
  p.marks = instance->marks + model->size.treeCount;
  memset(p.marks, 0, (size_t)model->size.treeCount * sizeof *p.marks);
  for (int k = 0; k < set.treeCount; place += crTreeStateCount(&model->trees[set.trees[k++]])) {
    p.places[set.trees[k]] = place;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    for (int i = 0; i < crTreeStateCount(&model->trees[set.trees[k]]); ++i) {
      if (outColumnStarts != NULL) {
        outColumnStarts[column] = p.count;
      }
      ++column;
      addStateColumn(&p, set.trees[k], i);
    }
  }
  for (int i = 0; i < otherCount; ++i) {
    if (outColumnStarts != NULL) {
      outColumnStarts[column] = p.count;
    }
    addRow(&p, column++);
  }
  addMultiplierColumns(&p, true, outColumnStarts, &column);
  addMultiplierColumns(&p, false, outColumnStarts, &column);
  if (outColumnStarts != NULL) {
    outColumnStarts[column] = p.count;
  }
  *outCount = p.count;
  return cr_ok;
}
