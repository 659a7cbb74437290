// Projection of a state onto closed loops, after a step of the explicit form has let it drift by a part of its error.
//
// Positions by Newton's method, velocities in one step, both along the motions that constraint forces cause:
//
//   q <- q + N(q) d,   d = -M^-1 G^T A^-1 g,        v <- v - M^-1 G^T A^-1 (G v + g_t),        A = G M^-1 G^T
//
// So the change is the smallest one measured by the kinetic energy, and what is taken from the velocities is
// perpendicular to all that is left: the energy changes by the square of the drift only.
#include "model/eval/loop.h"

#define CR_CLOSED 1e-13        // [-] residual over loop size that counts as none: rounding of a few joints
#define CR_NEARLY_CLOSED 1e-10 // [-] that is good enough when Newton's method gets no further
#define CR_PROJECTIONS 10      // steps of Newton's method; two do after a step of the solver

// ---------------------------------------------------------------------------------------------- moving

void crMoveCoordinates(crInstance* instance, crTreeSet set, const double* changes, double* y)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    double* rates = instance->rates + tree->qStart;
    for (int i = 0; i < tree->vCount; ++i) {
      instance->y[tree->vStart + i] = changes[model->treeDofs[set.trees[k]] + i];
    }
    crComputeCoordinateRates(instance, tree, rates);
    for (int i = 0; i < tree->qCount; ++i) {
      y[i] += rates[i];
    }
    y += crTreeStateCount(tree);
  }
}

void crMoveRates(crInstance* instance, crTreeSet set, const double* changes, double* y)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int i = 0; i < tree->vCount; ++i) {
      y[tree->qCount + i] += changes[model->treeDofs[set.trees[k]] + i];
    }
    y += crTreeStateCount(tree);
  }
}

double crFindResidual(const crInstance* instance, crTreeSet set, bool ofAll)
{
  double largest = 0.0;
  for (int k = 0; k < set.treeCount; ++k) {
    crForCuts(instance->loops, set.trees[k], cut)
    {
      int count = ofAll ? cut->rowCount : cut->activeCount;
      for (int i = 0; i < count; ++i) {
        const crWrenchL* row = &cut->rows[cut->order[i]];
        bool isLength = crDotL(row->f, row->f) > 0.0;
        double size = fabs(cut->g[cut->order[i]]) / (isLength ? cut->length : 1.0);
        largest = size > largest || isnan(size) ? size : largest;
      }
    }
  }
  return largest;
}

// ------------------------------------------------------------------------------------------- projection

// vdot := -M^-1 G^T A^-1 x, x being the residuals or the rates of the rows in use.
static bool solveChange(crInstance* instance, crTreeSet set, bool ofRates)
{
  crLoops* loops = instance->loops;
  crClearPivotForces(instance, set);
  for (int k = 0; k < set.treeCount; ++k) {
    int tree = set.trees[k];
    if (crOwnsCuts(loops, tree)) {
      double* x = crGetSolution(instance, tree);
      crForCuts(loops, tree, cut)
      {
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

// Rows through the trees at the present position.
static bool prepare(crInstance* instance, crTreeSet set)
{
  if (!crArticulateLooped(instance, set)) {
    return false;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    if (crOwnsCuts(instance->loops, set.trees[k])) {
      crPropagateRows(instance, set.trees[k], cr_rowsDynamic);
      crFactorRows(instance, set.trees[k], 0.0);
    }
  }
  return true;
}

static void clearUnlooped(crInstance* instance, crTreeSet set)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    int t = set.trees[k];
    for (int d = model->treeDofs[t]; !instance->loops->isLooped[t] && d < model->treeDofs[t + 1]; ++d) {
      instance->vdot[d] = 0.0;
    }
  }
}

static crStatus projectPosition(crInstance* instance, crTreeSet set, double t, double* y)
{
  double residual = crFindResidual(instance, set, false);
  for (int i = 0; i < CR_PROJECTIONS && residual > CR_CLOSED; ++i) {
    if (!prepare(instance, set) || !solveChange(instance, set, false)) {
      return cr_retry;
    }
    clearUnlooped(instance, set);
    crMoveCoordinates(instance, set, instance->vdot, y);
    crInstance_SetState(instance, set, t, y);
    if (crInstance_Eval(instance, set, cr_stagePosition) != cr_ok) {
      return cr_retry;
    }
    double before = residual;
    residual = crFindResidual(instance, set, false);
    if (residual > 0.5 * before && residual < CR_NEARLY_CLOSED) {
      return cr_ok;
    }
  }
  return residual <= CR_NEARLY_CLOSED ? cr_ok : cr_retry;
}

static crStatus projectVelocity(crInstance* instance, crTreeSet set, double t, double* y)
{
  if (crInstance_Eval(instance, set, cr_stageVelocity) != cr_ok || !prepare(instance, set) ||
      !solveChange(instance, set, true)) {
    return cr_retry;
  }
  clearUnlooped(instance, set);
  crMoveRates(instance, set, instance->vdot, y);
  crInstance_SetState(instance, set, t, y);
  return cr_ok;
}

crStatus crInstance_Project(crInstance* instance, crTreeSet set, double t, double* y)
{
  if (!crIsTreeSet(instance->model, set)) {
    return cr_errorMisuse;
  }
  crInstance_SetState(instance, set, t, y);
  if (instance->loops == NULL) {
    return cr_ok;
  }
  crStatus status = crInstance_Eval(instance, set, cr_stagePosition);
  status = status == cr_ok ? projectPosition(instance, set, t, y) : status;
  status = status == cr_ok ? projectVelocity(instance, set, t, y) : status;
  return status;
}

void crInstance_CompleteStep(crInstance* instance, crTreeSet set, double t, const double* y)
{
  if (instance->loops == NULL || !crIsTreeSet(instance->model, set)) {
    return;
  }
  crInstance_SetState(instance, set, t, y);
  if (crInstance_Eval(instance, set, cr_stagePosition) == cr_ok) {
    for (int k = 0; k < set.treeCount; ++k) {
      crRememberTurns(instance, set.trees[k]);
    }
  }
}
