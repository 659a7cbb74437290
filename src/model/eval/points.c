// Functions of the state at many points in one call, for those whose calls cost more than the function.
#include "model/eval/instance.h"

// What is computed at one point; `row` is the number of the point.
typedef crStatus (*PointFunction)(crInstance* instance, crTreeSet set, double t, const double* y, void* context,
                                  int row);

typedef struct Rows {
  const double* in; // a row of `inCount` for each point, or NULL
  double* out;      // a row of `outCount` for each point
  size_t inCount, outCount;
  int object;
} Rows;

static bool isUsable(const crInstance* instance, crTreeSet set, const crPoints* points, const void* out)
{
  return instance != NULL && crModel_IsClosed(instance->model, set) && points != NULL && points->count >= 0 &&
         (points->count == 0 || (points->times != NULL && points->states != NULL && out != NULL));
}

static crStatus forEach(crInstance* instance, crTreeSet set, const crPoints* points, PointFunction function,
                        void* context, int* outDone)
{
  size_t stateCount = (size_t)crModel_CountStates(instance->model, set);
  crStatus status = cr_ok;
  int row = 0;
  while (row < points->count && status == cr_ok) {
    const double* y = points->states + (size_t)row * stateCount;
    status = function(instance, set, points->times[row], y, context, row);
    row += status == cr_ok;
  }
  if (outDone != NULL) {
    *outDone = row;
  }
  return status;
}

static crStatus computeRates(crInstance* instance, crTreeSet set, double t, const double* y, void* context, int row)
{
  const Rows* rows = context;
  return crInstance_ComputeRates(instance, set, t, y, rows->out + (size_t)row * rows->outCount);
}

static crStatus computeForces(crInstance* instance, crTreeSet set, double t, const double* y, void* context, int row)
{
  const Rows* rows = context;
  return crInstance_ComputeInverseDynamics(instance, set, t, y, rows->in + (size_t)row * rows->inCount,
                                           rows->out + (size_t)row * rows->outCount);
}

static crStatus computeMass(crInstance* instance, crTreeSet set, double t, const double* y, void* context, int row)
{
  const Rows* rows = context;
  return crInstance_ComputeMassMatrix(instance, set, t, y, rows->out + (size_t)row * rows->outCount);
}

static crStatus computeJacobian(crInstance* instance, crTreeSet set, double t, const double* y, void* context, int row)
{
  const Rows* rows = context;
  return crInstance_ComputeFrameJacobian(instance, set, t, y, rows->object, rows->out + (size_t)row * rows->outCount);
}

crStatus crInstance_ComputeRatesAt(crInstance* instance, crTreeSet set, const crPoints* points, double* outRates,
                                   int* outDone)
{
  if (!isUsable(instance, set, points, outRates)) {
    return cr_errorMisuse;
  }
  Rows rows = { .out = outRates, .outCount = (size_t)crModel_CountStates(instance->model, set) };
  return forEach(instance, set, points, computeRates, &rows, outDone);
}

crStatus crInstance_ComputeInverseDynamicsAt(crInstance* instance, crTreeSet set, const crPoints* points,
                                             const double* accelerations, double* outForces, int* outDone)
{
  if (!isUsable(instance, set, points, outForces) || (accelerations == NULL && points->count > 0)) {
    return cr_errorMisuse;
  }
  size_t n = (size_t)crModel_CountRates(instance->model, set);
  Rows rows = { .in = accelerations, .inCount = n, .out = outForces, .outCount = n };
  return forEach(instance, set, points, computeForces, &rows, outDone);
}

crStatus crInstance_ComputeMassMatricesAt(crInstance* instance, crTreeSet set, const crPoints* points,
                                          double* outMatrices, int* outDone)
{
  if (!isUsable(instance, set, points, outMatrices)) {
    return cr_errorMisuse;
  }
  size_t n = (size_t)crModel_CountRates(instance->model, set);
  Rows rows = { .out = outMatrices, .outCount = n * n };
  return forEach(instance, set, points, computeMass, &rows, outDone);
}

crStatus crInstance_ComputeFrameJacobiansAt(crInstance* instance, crTreeSet set, const crPoints* points, int object,
                                            double* outMatrices, int* outDone)
{
  if (!isUsable(instance, set, points, outMatrices)) {
    return cr_errorMisuse;
  }
  Rows rows = { .out = outMatrices,
                .outCount = (size_t)6 * (size_t)crModel_CountRates(instance->model, set),
                .object = object };
  return forEach(instance, set, points, computeJacobian, &rows, outDone);
}

// ------------------------------------------------------------------------------------------------- poses

typedef struct Poses {
  crPose* out;
  int object;
} Poses;

static crStatus computePose(crInstance* instance, crTreeSet set, double t, const double* y, void* context, int row)
{
  const Poses* poses = context;
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stagePosition);
  if (status == cr_ok) {
    poses->out[row] = crInstance_GetPose(instance, poses->object);
  }
  return status;
}

crStatus crInstance_ComputePosesAt(crInstance* instance, crTreeSet set, const crPoints* points, int object,
                                   crPose* outPoses, int* outDone)
{
  if (!isUsable(instance, set, points, outPoses) || object < 0 || object >= instance->model->size.objectCount) {
    return cr_errorMisuse;
  }
  Poses poses = { outPoses, object };
  return forEach(instance, set, points, computePose, &poses, outDone);
}
