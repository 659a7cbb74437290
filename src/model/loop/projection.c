// Projection of a state onto closed loops, after a step of the explicit form has let it drift by a part of its error.
//
// Positions by Newton's method, velocities in one step, both along the motions that constraint forces cause:
//
//   q <- q + N(q) d,   d = -M^-1 G^T A^-1 g,        v <- v - M^-1 G^T A^-1 (G v + g_t),        A = G M^-1 G^T
//
// So the change is the smallest one measured by the kinetic energy, and what is taken from the velocities is
// perpendicular to all that is left: the energy changes by the square of the drift only.
#include "model/loop/loop.h"

#include <string.h>

#define CR_CLOSED 1e-16        // [-] residual over loop size that counts as none
#define CR_LAST_BUT_ONE 1e-9   // [-] before a step of Newton's method that leaves nothing but rounding
#define CR_NEARLY_CLOSED 1e-10 // [-] that is good enough when Newton's method gets no further
// [-] Pivot of A from which on a position is near a singular one, at about 1e-3 of the loop's size. Errors e across the
// two branches that meet there turn velocities by e over the distance: rounding, 1e-16, does so by 1e-10 per 1e-3.
#define CR_WEAK 1e-6
// [-] Likewise, from which on the stages of a step are projected. The drift across branches grows with the inverse of
// the distance, its acceleration with the cube, so that a step would not get past.
#define CR_NEARLY_WEAK 1e-2
#define CR_EVASIONS 8     // shorter steps that are tried before one that ends there is taken
#define CR_PROJECTIONS 10 // steps of Newton's method; two do after a step of the solver

// ---------------------------------------------------------------------------------------------- moving

// q += N(q) changes. The rates of coordinates are computed from v, which is put aside.
void crMoveCoordinates(crInstance* instance, crTreeSet set, const double* changes)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    int dofStart = model->treeDofs[set.trees[k]];
    double *v = instance->y + tree->vStart, *saved = instance->loops->saved + dofStart;
    double *q = instance->y + tree->qStart, *rates = instance->rates + tree->qStart;
    for (int i = 0; i < tree->vCount; ++i) {
      saved[i] = v[i];
      v[i] = changes[dofStart + i];
    }
    crComputeCoordinateRates(instance, tree, rates);
    for (int i = 0; i < tree->qCount; ++i) {
      q[i] += rates[i];
    }
    for (int i = 0; i < tree->vCount; ++i) {
      v[i] = saved[i];
    }
  }
  crLowerStages(instance, set);
}

void crMoveRates(crInstance* instance, crTreeSet set, const double* changes)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int i = 0; i < tree->vCount; ++i) {
      instance->y[tree->vStart + i] += changes[model->treeDofs[set.trees[k]] + i];
    }
  }
  crLowerStages(instance, set);
}

static double findResidual(const crInstance* instance, crTreeSet set, bool ofAll)
{
  double largest = 0.0;
  for (int k = 0; k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      int count = ofAll ? cut->rowCount : cut->activeCount;
      for (int i = 0; i < count; ++i) {
        double size = fabs(cut->g[cut->order[i]]) / crRowSize(cut, cut->order[i]);
        largest = size > largest || isnan(size) ? size : largest;
      }
    }
  }
  return largest;
}

// ------------------------------------------------------------------------------------------- projection

bool crSolveRowChange(crInstance* instance, crTreeSet set, bool ofRates)
{
  crLoops* loops = instance->loops;
  crClearPivotForces(instance, set);
  for (int k = 0; k < set.treeCount; ++k) {
    int tree = set.trees[k];
    if (crOwnsCuts(loops, tree)) {
      double* x = crGetSolution(instance, tree);
      for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
        for (int i = 0; i < cut->activeCount; ++i) {
          x[cut->activeStart + i] = ofRates ? cut->rates[cut->order[i]] : cut->g[cut->order[i]];
        }
      }
      crSolveRows(instance, tree);
      crAddRowForces(instance, tree, -1.0);
    }
  }
  return crAccelerateLooped(instance, set);
}

bool crPrepareRows(crInstance* instance, crTreeSet set)
{
  if (!crArticulateLooped(instance, set)) {
    return false;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    if (crOwnsCuts(instance->loops, set.trees[k])) {
      crPropagateRows(instance, set.trees[k], cr_rowsDynamic);
      crFactorRows(instance, set.trees[k], cr_rowsDynamic, 0.0);
    }
  }
  return true;
}

crStatus crClosePositions(crInstance* instance, crTreeSet set)
{
  double residual = findResidual(instance, set, false);
  for (int i = 0; i < CR_PROJECTIONS && residual > CR_CLOSED; ++i) {
    if ((i > 0 && !crPrepareRows(instance, set)) || !crSolveRowChange(instance, set, false)) {
      return cr_retry;
    }
    crMoveCoordinates(instance, set, instance->vdot);
    if (crInstance_Eval(instance, set, cr_stagePosition) != cr_ok) {
      return cr_retry;
    }
    double before = residual;
    residual = findResidual(instance, set, false);
    bool isStalled = residual > 0.5 * before && residual < CR_NEARLY_CLOSED;
    if (before < CR_LAST_BUT_ONE || isStalled) {
      break;
    }
  }
  return residual <= CR_NEARLY_CLOSED ? cr_ok : cr_retry;
}

// Whether `changes` of velocities (by degrees of freedom) are no more than a part of the largest one, in units of
// nominal values. Where two branches of a mechanism's motion cross, a position error selects the wrong one, and with
// it other velocities.
static bool isSmallChange(const crInstance* instance, crTreeSet set, const double* changes, double limit)
{
  const crModel* model = instance->model;
  double speed = 1.0, change = 0.0;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      const crLink* link = &model->links[b];
      for (int i = 0; i < link->vCount; ++i) {
        double nominal = model->joints[link->joint].nominal[i];
        speed = fmax(speed, fabs(instance->y[link->vStart + i]) / nominal);
        change = fmax(change, fabs(changes[link->dofStart + i]) / nominal);
      }
    }
  }
  return change <= limit * speed;
}

#define CR_ROWS_CHANGED 1e-9 // [-] residual of a row that was left out, over loop size, from which on it counts

// Rows that depended on others where they were chosen, as in a singular position, may do so no longer.
static bool watchRows(crInstance* instance, crTreeSet set)
{
  if (findResidual(instance, set, true) <= CR_ROWS_CHANGED) {
    return true;
  }
  crChooseAllRows(instance, set);
  return false;
}

bool crIsWeak(const crInstance* instance, int tree, double share)
{
  bool has = false;
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    has = has || cut->weakness < share;
  }
  return has;
}

// A singular position is to be stepped over where its branch cannot be followed: a step that would end near one is
// refused, unless it has begun there, or no shorter one helps.
static bool isEvaded(crInstance* instance, int tree)
{
  crLoops* loops = instance->loops;
  if (loops->isWeak[tree] || loops->evasions[tree] >= CR_EVASIONS || !crIsWeak(instance, tree, CR_WEAK)) {
    return false;
  }
  ++loops->evasions[tree];
  return true;
}

static crStatus projectVelocity(crInstance* instance, crTreeSet component, double limit)
{
  if (crInstance_Eval(instance, component, cr_stageVelocity) != cr_ok || !crPrepareRows(instance, component) ||
      !crSolveRowChange(instance, component, true)) {
    return cr_retry;
  }
  if (isfinite(limit) &&
      (isEvaded(instance, component.trees[0]) || !isSmallChange(instance, component, instance->vdot, limit))) {
    return cr_retry;
  }
  crMoveRates(instance, component, instance->vdot);
  return cr_ok;
}

// What following a branch has changed of the rates, into `changes`.
static bool isBranchNear(crInstance* instance, crTreeSet component, double limit)
{
  const crModel* model = instance->model;
  crLoops* loops = instance->loops;
  for (int k = 0; k < component.treeCount; ++k) {
    const crTree* tree = &model->trees[component.trees[k]];
    for (int i = 0; i < tree->vCount; ++i) {
      loops->changes[model->treeDofs[component.trees[k]] + i] =
          instance->y[tree->vStart + i] - loops->base[tree->vStart + i];
    }
  }
  return isSmallChange(instance, component, loops->changes, limit);
}

// The state that the instance is in, of one component.
static crStatus projectComponent(crInstance* instance, crTreeSet component, double limit)
{
  if (crInstance_Eval(instance, component, cr_stagePosition) != cr_ok || !crPrepareRows(instance, component)) {
    return cr_retry;
  }
  bool isNear = crIsWeak(instance, component.trees[0], CR_BRANCH_ZONE);
  bool isFollowed = isNear && crFollowBranch(instance, component, false);
  if (isNear && crInstance_Eval(instance, component, cr_stagePosition) != cr_ok) {
    return cr_retry;
  }
  bool isPrepared = isFollowed || !isNear || crPrepareRows(instance, component); // not where samples were
  if (!isPrepared || (!isFollowed && crClosePositions(instance, component) != cr_ok)) {
    return cr_retry;
  }
  if (isfinite(limit) && !watchRows(instance, component)) {
    return cr_retry;
  }
  if (isFollowed) {
    return isfinite(limit) && !isBranchNear(instance, component, limit) ? cr_retry : cr_ok;
  }
  return projectVelocity(instance, component, limit);
}

crStatus crInstance_Project(crInstance* instance, crTreeSet set, double t, double limit, double* y)
{
  if (!crCanEvaluate(instance, set) || y == NULL) {
    return cr_errorMisuse;
  }
  crInstance_SetState(instance, set, t, y);
  crStatus status = cr_ok;
  for (int k = 0; instance->loops != NULL && k < set.treeCount && status == cr_ok; ++k) {
    if (crOwnsCuts(instance->loops, set.trees[k])) {
      status = projectComponent(instance, crGetComponent(instance->loops, set.trees[k]), limit);
    }
  }
  if (status == cr_ok) {
    crInstance_GetState(instance, set, y);
  } else {
    crInstance_SetState(instance, set, t, y);
  }
  return status;
}

// ----------------------------------------------------------------------------------------------- stages

// freeRates := accelerations of a component at stage force without its loops.
static bool findFreeRates(crInstance* instance, crTreeSet component)
{
  const crModel* model = instance->model;
  if (!crArticulateLooped(instance, component) || !crAccelerateLooped(instance, component)) {
    return false;
  }
  for (int k = 0; k < component.treeCount; ++k) {
    int first = model->treeDofs[component.trees[k]], count = model->trees[component.trees[k]].vCount;
    memcpy(instance->loops->freeRates + first, instance->vdot + first, (size_t)count * sizeof(double));
  }
  return true;
}

// Its accelerations are those of the branch.
static void takeFreeRates(crInstance* instance, crTreeSet component)
{
  const crModel* model = instance->model;
  for (int k = 0; k < component.treeCount; ++k) {
    int first = model->treeDofs[component.trees[k]], count = model->trees[component.trees[k]].vCount;
    memcpy(instance->vdot + first, instance->loops->freeRates + first, (size_t)count * sizeof(double));
  }
}

crStatus crRefineWeak(crInstance* instance, crTreeSet set)
{
  crLoops* loops = instance->loops;
  crStatus status = cr_ok;
  bool isNear = false;
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    int tree = set.trees[k];
    loops->isFollowed[tree] = false;
    if (crIsWeak(instance, tree, CR_NEARLY_WEAK)) {
      crTreeSet component = crGetComponent(loops, tree);
      isNear = true;
      loops->isFollowed[tree] = crIsWeak(instance, tree, CR_BRANCH_ZONE) && findFreeRates(instance, component) &&
                                crFollowBranch(instance, component, true);
      if (!loops->isFollowed[tree]) {
        crLowerStages(instance, component);
        status = projectComponent(instance, component, HUGE_VAL);
      }
    }
  }
  if (!isNear || status != cr_ok) {
    return status;
  }
  status = crInstance_Eval(instance, set, cr_stageAcceleration);
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    if (loops->isFollowed[set.trees[k]]) {
      takeFreeRates(instance, crGetComponent(loops, set.trees[k]));
    }
  }
  return status;
}

crStatus crInstance_CompleteStep(crInstance* instance, crTreeSet set, double t, const double* y)
{
  if (!crCanEvaluate(instance, set) || y == NULL) {
    return cr_errorMisuse;
  }
  if (instance->loops == NULL) {
    return cr_ok;
  }
  crInstance_SetState(instance, set, t, y);
  if (crInstance_Eval(instance, set, cr_stageVelocity) == cr_ok && crPrepareRows(instance, set)) {
    for (int k = 0; k < set.treeCount; ++k) {
      crRememberTurns(instance, set.trees[k]);
      instance->loops->isWeak[set.trees[k]] = crIsWeak(instance, set.trees[k], CR_WEAK);
      instance->loops->evasions[set.trees[k]] = 0;
    }
  }
  return cr_ok;
}
