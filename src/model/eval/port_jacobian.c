// How rates and outputs depend on inputs, and outputs on states: B, C and D of a linear model, by differences.
#include "model/eval/difference.h"

#include <string.h>

// Adds weight times the rates of the set to a column.
static void addRates(crInstance* instance, crTreeSet set, double weight, double* column)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    double* rates = instance->rates + tree->qStart;
    crGetTreeRates(instance, set.trees[k], rates);
    for (int i = 0; i < crTreeStateCount(tree); ++i) {
      *column++ += weight * rates[i];
    }
  }
}

static void addOutputs(const crInstance* instance, double weight, double* column)
{
  for (int i = 0; i < instance->model->outputCount; ++i) {
    column[i] += weight * crInstance_GetOutput(instance, i);
  }
}

static crStatus differInput(crInstance* instance, crTreeSet set, int input, double* columnB, double* columnD)
{
  const crModel* model = instance->model;
  double value = instance->inputs[input], step = CR_LINEARIZE_STEP * model->signals[model->inputs[input]].nominal;
  crStatus status = cr_ok;
  for (int i = 0; i < CR_STENCIL_COUNT && status == cr_ok; ++i) {
    crStencilPoint point = crGetStencilPoint(i);
    crInstance_SetInput(instance, input, value + point.step * step);
    status = crInstance_Eval(instance, set, columnD != NULL ? cr_stageReport : cr_stageAcceleration);
    if (status == cr_ok && columnB != NULL) {
      addRates(instance, set, point.weight / step, columnB);
    }
    if (status == cr_ok && columnD != NULL) {
      addOutputs(instance, point.weight / step, columnD);
    }
  }
  crInstance_SetInput(instance, input, value);
  return status;
}

// State number `state` of tree number k of the set.
static crStatus differState(crInstance* instance, crTreeSet set, double t, const double* y, int k, int state,
                            double* columnC)
{
  const crModel* model = instance->model;
  double* place = instance->y + model->trees[set.trees[k]].qStart + state;
  double step = crGetStateStep(instance, set.trees[k], state);
  crStatus status = cr_ok;
  for (int i = 0; i < CR_STENCIL_COUNT && status == cr_ok; ++i) {
    crStencilPoint point = crGetStencilPoint(i);
    crInstance_SetState(instance, set, t, y);
    *place += point.step * step;
    status = crInstance_Eval(instance, set, cr_stageReport);
    if (status == cr_ok) {
      addOutputs(instance, point.weight / step, columnC);
    }
  }
  return status;
}

static crStatus differStates(crInstance* instance, crTreeSet set, double t, const double* y, double* outC)
{
  crStatus status = cr_ok;
  for (int k = 0; k < set.treeCount; ++k) {
    int count = crTreeStateCount(&instance->model->trees[set.trees[k]]);
    for (int i = 0; i < count && status == cr_ok; ++i) {
      status = differState(instance, set, t, y, k, i, outC);
      outC += instance->model->outputCount;
    }
  }
  return status;
}

static void clear(double* matrix, int rows, int columns)
{
  size_t count = (size_t)rows * (size_t)columns;
  if (matrix != NULL && count > 0) {
    memset(matrix, 0, count * sizeof *matrix);
  }
}

crStatus crInstance_LinearizePorts(crInstance* instance, crTreeSet set, double t, const double* y, double* outB,
                                   double* outC, double* outD)
{
  if (!crCanEvaluate(instance, set) || y == NULL) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  int stateCount = crModel_CountStates(model, set);
  clear(outB, stateCount, model->inputCount);
  clear(outC, model->outputCount, stateCount);
  clear(outD, model->outputCount, model->inputCount);
  crInstance_SetState(instance, set, t, y);
  crStatus status = cr_ok;
  for (int i = 0; i < model->inputCount && status == cr_ok && (outB != NULL || outD != NULL); ++i) {
    status = differInput(instance, set, i, outB != NULL ? outB + (size_t)i * (size_t)stateCount : NULL,
                         outD != NULL ? outD + (size_t)i * (size_t)model->outputCount : NULL);
  }
  if (status == cr_ok && outC != NULL && model->outputCount > 0) {
    status = differStates(instance, set, t, y, outC);
  }
  crInstance_SetState(instance, set, t, y);
  return status;
}
