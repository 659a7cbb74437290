// How derivatives and outputs change with states and inputs: directional derivatives, from the linearization of the
// model around the point that the host has set.
//
//   d y' = A dy + B du,   d z = C dy + D du
#include "component.h"

#include <string.h>

static size_t countSlopes(const crFmu* fmu)
{
  size_t n = (size_t)fmu->treeStates, m = (size_t)fmu->inputCount, p = (size_t)crModel_CountOutputs(fmu->model);
  return (n + p) * (n + m) + 1;
}

bool crFmu_HasSlopes(const crFmu* fmu)
{
  return fmu->isExchange && fmu->stateCount == fmu->treeStates;
}

void crFmu_FreeSlopes(crFmu* fmu)
{
  crFree(&fmu->allocator, fmu->slopes, fmu->slopes != NULL ? countSlopes(fmu) * sizeof(double) : 0);
  fmu->slopes = NULL;
}

// Columns one behind the other, in each the states before the outputs.
static void join(crFmu* fmu, const double* upper, const double* lower, int columnCount, double* out)
{
  size_t n = (size_t)fmu->treeStates, p = (size_t)crModel_CountOutputs(fmu->model);
  for (int i = 0; i < columnCount; ++i) {
    memcpy(out, upper + (size_t)i * n, n * sizeof *out);
    memcpy(out + n, lower + (size_t)i * p, p * sizeof *out);
    out += n + p;
  }
}

static crStatus linearize(crFmu* fmu, double* parts)
{
  crInstance* instance = fmu->simulation->run.instance;
  size_t n = (size_t)fmu->treeStates, m = (size_t)fmu->inputCount, p = (size_t)crModel_CountOutputs(fmu->model);
  double *A = parts, *B = A + n * n, *C = B + n * m, *D = C + p * n;
  crInstance_SetPhase(instance, fmu->set, fmu->phase);
  crStatus status = n > 0 ? crInstance_Linearize(instance, fmu->set, fmu->time, fmu->y, A) : cr_ok;
  status = status == cr_ok ? crInstance_LinearizePorts(instance, fmu->set, fmu->time, fmu->y, B, C, D) : status;
  if (status == cr_ok) {
    join(fmu, A, C, (int)n, fmu->slopes);
    join(fmu, B, D, (int)m, fmu->slopes + n * (n + p));
  }
  fmu->isCurrent = false;
  return status;
}

crStatus crFmu_ComputeSlopes(crFmu* fmu)
{
  crStatus status = crFmu_Realize(fmu);
  if (status != cr_ok || fmu->hasSlopes) {
    return status;
  }
  size_t count = countSlopes(fmu);
  if (fmu->slopes == NULL) {
    fmu->slopes = crAllocateZero(&fmu->allocator, count, sizeof *fmu->slopes);
  }
  double* parts = crAllocateZero(&fmu->allocator, count, sizeof *parts);
  bool isStarting = fmu->mode <= cr_fmuInitializing;
  if (isStarting) {
    fmu->phase = fmu->startTime;
  }
  status = fmu->slopes != NULL && parts != NULL ? linearize(fmu, parts) : cr_errorMemory;
  crFree(&fmu->allocator, parts, parts != NULL ? count * sizeof *parts : 0);
  if (status == cr_ok && isStarting) { // the run stays where it is
    status = crSimulation_Place(fmu->simulation, fmu->time);
    fmu->isCurrent = status == cr_ok;
  }
  fmu->hasSlopes = status == cr_ok;
  return status;
}

int crFmu_FindSlopeRow(const crFmu* fmu, const crFmuVariable* unknown)
{
  return unknown->role == cr_fmuDerivative ? unknown->state
         : unknown->role == cr_fmuOutput   ? fmu->treeStates + unknown->index
                                           : -1;
}

int crFmu_FindSlopeColumn(const crFmu* fmu, const crFmuVariable* known)
{
  bool isState = known->state >= 0 && known->role != cr_fmuDerivative;
  return isState ? known->state : known->role == cr_fmuInput ? fmu->treeStates + known->index : -1;
}

double crFmu_GetSlope(const crFmu* fmu, int row, int column)
{
  size_t rows = (size_t)fmu->treeStates + (size_t)crModel_CountOutputs(fmu->model);
  return fmu->slopes[(size_t)column * rows + (size_t)row];
}
