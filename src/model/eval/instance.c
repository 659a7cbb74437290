// Instances: their memory, state and stages.
#include "model/eval/instance.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/report.h"
#include "model/eval/free_body.h"
#include "model/loop/loop.h"

#include <stdio.h>
#include <string.h>

// A degree of freedom whose pivot is below this share of what it would be with all joints behind it locked moves
// nothing: round-off of n bodies stays below, a real mechanism with a mass ratio of 1e8 far above.
#define CR_LEAST_PIVOT 1e-12

// ---------------------------------------------------------------------------------------------- memory

typedef struct Layout {
  char* block; // NULL: measuring
  size_t used;
} Layout;

static void* take(Layout* layout, size_t count, size_t itemSize)
{
  size_t offset = layout->used;
  size_t size = count * itemSize;
  layout->used += (size + CR_LANES_ALIGNMENT - 1) / CR_LANES_ALIGNMENT * CR_LANES_ALIGNMENT;
  return layout->block != NULL ? layout->block + offset : NULL;
}

#define takeItems(layout, pointer, count) ((pointer) = take((layout), (size_t)(count), sizeof *(pointer)))

static void layOut(Layout* layout, crInstance* instance, const crModelSize* size)
{
  int motions = instance->model->motionCount;
  int bodies = size->bodyCount, dofs = size->vCount, states = size->stateCount, trees = size->treeCount;
  layout->used = 0;
  takeItems(layout, instance->stages, trees);
  takeItems(layout, instance->times, trees > 0 ? trees : 1);
  takeItems(layout, instance->phases, trees > 0 ? trees : 1);
  takeItems(layout, instance->y, (size_t)states + CR_MOTION_SIZE * (size_t)motions);
  takeItems(layout, instance->signals, size->signalCount);
  takeItems(layout, instance->inputs, instance->model->inputCount);
  takeItems(layout, instance->inputRates, CR_INPUT_ORDERS * (size_t)instance->model->inputCount);
  takeItems(layout, instance->inputTimes, instance->model->inputCount);
  takeItems(layout, instance->discrete, instance->model->discreteCount);
  takeItems(layout, instance->nextDiscrete, instance->model->discreteCount);
  takeItems(layout, instance->callers, instance->model->functionCount);
  takeItems(layout, instance->arguments, instance->model->argumentCount);
  takeItems(layout, instance->faultArguments, instance->model->argumentCount);
  takeItems(layout, instance->angles, bodies);
  takeItems(layout, instance->sines, bodies);
  takeItems(layout, instance->cosines, bodies);
  takeItems(layout, instance->places, bodies);
  takeItems(layout, instance->rigids, bodies);
  takeItems(layout, instance->S, dofs + motions);
  takeItems(layout, instance->V, bodies);
  takeItems(layout, instance->A0, bodies);
  takeItems(layout, instance->tau, dofs);
  takeItems(layout, instance->rotor, dofs);
  takeItems(layout, instance->F, bodies);
  takeItems(layout, instance->biases, bodies);
  takeItems(layout, instance->elastics, crCountElastics(instance->model));
  takeItems(layout, instance->elasticPushes, crHasPushes(instance->model) ? size->jointCount : 0);
  takeItems(layout, instance->wraps, instance->model->guideCount);
  takeItems(layout, instance->cables, instance->model->cableCount);
  takeItems(layout, instance->bristleDampings, instance->model->bristleCount);
  takeItems(layout, instance->clutchDampings, crCountElastics(instance->model));
  takeItems(layout, instance->clutchRates, instance->model->clutchCount > 0 ? size->jointCount : 0);
  takeItems(layout, instance->articulated, bodies);
  takeItems(layout, instance->pivots, instance->model->pivotCount);
  takeItems(layout, instance->vdot, dofs);
  takeItems(layout, instance->A, bodies);
  takeItems(layout, instance->W, bodies);
  takeItems(layout, instance->rates, states);
  takeItems(layout, instance->steps, trees);
  takeItems(layout, instance->marks, 3 * (size_t)trees);
  takeItems(layout, instance->entries, trees);
}

static crInstance* allocate(const crModel* model, const crAllocator* allocator)
{
  crInstance head = { .model = model, .allocator = crChooseAllocator(allocator) };
  Layout layout = { NULL, 0 };
  layOut(&layout, &head, &model->size);
  head.byteCount = sizeof head + layout.used + CR_LANES_ALIGNMENT;
  char* block = crAllocateZero(&head.allocator, 1, head.byteCount);
  if (block == NULL) {
    return NULL;
  }
  char* items = block + sizeof head;
  layout.block = items + (0u - (uintptr_t)items) % CR_LANES_ALIGNMENT;
  layOut(&layout, &head, &model->size);
  crInstance* instance = (crInstance*)(void*)block;
  *instance = head;
  return instance;
}

// -------------------------------------------------------------------------------------------- creation

// The columns of a free body do not depend on where it is: velocity first, then angular velocity.
static void fillFreeColumns(crMotionL* S)
{
  crLanes33 one = crToLanes33(crIdentityMat3());
  const crLanes axes[3] = { one.x, one.y, one.z };
  for (int i = 0; i < 3; ++i) {
    S[i] = (crMotionL){ crZeroLanes(), axes[i] };
    S[3 + i] = (crMotionL){ axes[i], crZeroLanes() };
  }
}

static void fillConstants(crInstance* instance)
{
  const crModel* model = instance->model;
  instance->phases[0] = NAN;
  for (int t = 0; t < model->size.treeCount; ++t) {
    instance->phases[t] = NAN;
  }
  instance->places[0].R = crToLanes33(crIdentityMat3());
  if (model->gravity.kind == cr_gravityUniform) {
    instance->A0[0].v = crToLanes(crNeg(model->gravity.acceleration));
  }
  for (int b = 1; b < model->size.bodyCount; ++b) {
    if (model->links[b].path == cr_pathFree) {
      fillFreeColumns(&instance->S[model->links[b].dofStart]);
      instance->A0[b] = instance->A0[0];
    }
    for (int i = 0; i < model->links[b].vCount; ++i) {
      instance->rotor[model->links[b].dofStart + i] = crGetRotor(model, &model->joints[b - 1], i);
    }
  }
}

// A rotor on a cut joint would be a mass between two trees.
static bool checkCuts(const crModel* model, const crErrorSink* sink)
{
  bool isGood = true;
  for (int i = 0; i < model->size.cutJointCount; ++i) {
    const crModelJoint* joint = &model->joints[model->loops[i].cutJoint];
    for (int k = 0; k < crGetJointType((int)joint->kind)->vCount; ++k) {
      if (crGetRotor(model, joint, k) != 0.0) {
        crReporter reporter =
            crMakeReporter(sink, (crSource){ NULL, 0, 0 }, crModel_GetJointPath(model, model->loops[i].cutJoint));
        crReportNumber(&reporter, "every joint of this loop has a rotorInertia, and this one closes the loop",
                       crGetJointLaw(model, joint)->rotorInertia[k],
                       "at least one joint of a loop without a rotorInertia", NULL,
                       "fix a body with the inertia of the rotor to one of its objects");
        isGood = false;
      }
    }
  }
  return isGood;
}

static void reportMassless(const crModel* model, const crErrorSink* sink, int body, double pivot)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, crModel_GetJointPath(model, body - 1));
  char message[3 * CR_MAX_PATH];
  snprintf(message, sizeof message, "'%s' moves, but it and what it carries have no inertia against this motion",
           crModel_GetBodyPath(model, body));
  crReportNumber(&reporter, message, fmax(0.0, pivot), "> 0", "kg or kg m^2",
                 "give it, or an object fixed to it, a mass or a solid material, or the joint a rotorInertia");
}

// Of a joint with several degrees of freedom: what is left of the diagonal along that with the least.
static double findLeastPivot(const crInstance* instance, const crLink* link)
{
  double least = HUGE_VAL;
  for (int i = 0; i < link->vCount; ++i) {
    least = fmin(least, instance->pivots[link->pivotStart + i].pivot);
  }
  return least;
}

// Every body whose joint cannot be accelerated where the instance is, in one go. What is found massless is locked, so
// that it is not held against those before it.
static bool checkPose(crInstance* instance, const crErrorSink* sink)
{
  const crModel* model = instance->model;
  bool isGood = true;
  for (int t = 0; t < model->size.treeCount; ++t) {
    const crTree* tree = &model->trees[t];
    double* floors = instance->vdot; // free until the first evaluation
    crPrescribeMotions(instance, t);
    crEvalPosition(instance, tree);
    crComputeTreeDiagonal(instance, t, floors + model->treeDofs[t]);
    for (int i = model->treeDofs[t]; i < model->treeDofs[t + 1]; ++i) {
      floors[i] *= CR_LEAST_PIVOT;
    }
    for (int b = tree->bodyStart + tree->bodyCount - 1; b >= tree->bodyStart; --b) {
      if (!crArticulateBody(instance, b, floors)) {
        reportMassless(model, sink, b, findLeastPivot(instance, &model->links[b]));
        isGood = false;
      }
    }
  }
  return isGood;
}

static bool checkInertia(crInstance* instance, const crErrorSink* sink)
{
  for (int t = 0; t < instance->model->size.treeCount; ++t) {
    crEvalSignals(instance, t, cr_levelTime, NULL); // motions are no functions, so what fails does not matter here
  }
  return checkPose(instance, sink);
}

// Numbers between 0 and 1 that are the same everywhere.
static double nextRandom(uint64_t* state)
{
  *state = crHashMix(*state, 1);
  return (double)(*state >> 11) * 0x1p-53;
}

// A coordinate between its stops, or within half a turn or a metre of zero.
static double chooseCoordinate(const crJointLaw* law, int i, bool isAngle, uint64_t* state)
{
  double most = isAngle ? CR_PI : 1.0;
  bool hasStops = law != NULL && law->stopMin[i] < law->stopMax[i];
  double min = hasStops ? fmax(law->stopMin[i], -most) : -most, max = hasStops ? fmin(law->stopMax[i], most) : most;
  return min + (max - min) * nextRandom(state);
}

static void chooseJoint(const crModel* model, const crModelJoint* joint, uint64_t* state, double* q)
{
  int count = crJointKind_CountQ(joint->kind);
  bool hasQuaternion = joint->kind == cr_jointSpherical || joint->kind == cr_jointFreeMotion;
  int plain = hasQuaternion ? count - 4 : count;
  bool isAngle = joint->kind != cr_jointPrismatic;
  for (int i = 0; i < plain; ++i) {
    q[i] = chooseCoordinate(hasQuaternion ? NULL : crGetJointLaw(model, joint), i, isAngle, state);
  }
  double length = 0.0;
  for (int i = plain; i < count; ++i) {
    q[i] = 2.0 * nextRandom(state) - 1.0;
    length += q[i] * q[i];
  }
  for (int i = plain; i < count; ++i) {
    q[i] = length > 0.0 ? q[i] / sqrt(length) : i == plain;
  }
}

bool crInstance_IsDefinite(crInstance* instance, int poseCount, const crErrorSink* sink)
{
  const crModel* model = instance->model;
  uint64_t state = 1;
  bool isGood = true;
  for (int pose = 0; pose < poseCount && isGood; ++pose) {
    for (int j = 0; j < model->size.bodyCount - 1; ++j) {
      const crModelJoint* joint = &model->joints[j];
      if (joint->motion < 0) {
        chooseJoint(model, joint, &state, instance->y + joint->qStart);
      }
    }
    isGood = checkPose(instance, sink);
  }
  crModel_GetStart(model, crModel_GetAllTrees(model), instance->y);
  crLowerStages(instance, crModel_GetAllTrees(model));
  return isGood;
}

static crStatus reportMemory(const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  crComplaint complaint = { .message = "out of memory while an instance was created" };
  crReport(&reporter, cr_severityError, cr_errorMemory, &complaint);
  return cr_errorMemory;
}

crStatus crCreateInstance(const crModel* model, const crAllocator* allocator, const crErrorSink* sink,
                          crInstance** outInstance)
{
  if (outInstance == NULL) {
    return cr_errorMisuse;
  }
  *outInstance = NULL;
  if (model == NULL) {
    return cr_errorMisuse;
  }
  crInstance* instance = allocate(model, allocator);
  if (instance == NULL) {
    return reportMemory(sink);
  }
  fillConstants(instance);
  crModel_GetStart(model, crModel_GetAllTrees(model), instance->y);
  instance->ledger.start = NAN;
  crStatus status = crCreateCallers(instance, sink);
  if (status != cr_ok) {
    crDestroyInstance(instance);
    return status;
  }
  status = crCreateLoops(model, &instance->allocator, &instance->loops);
  if (status != cr_ok) {
    crDestroyInstance(instance);
    return reportMemory(sink);
  }
  bool isGood = checkInertia(instance, sink);
  isGood = checkCuts(model, sink) && isGood;
  if (!isGood) {
    crDestroyInstance(instance);
    return cr_errorModel;
  }
  crFillBristleDampings(instance);
  crFindRows(instance);
  *outInstance = instance;
  return cr_ok;
}

void crDestroyInstance(crInstance* instance)
{
  if (instance != NULL) {
    crAllocator allocator = instance->allocator;
    crDestroyLoops(instance->loops);
    crDestroyCallers(instance);
    crFree(&allocator, instance, instance->byteCount);
  }
}

const crModel* crInstance_GetModel(const crInstance* instance)
{
  return instance != NULL ? instance->model : NULL;
}

// ----------------------------------------------------------------------------------------------- state

void crLowerStages(crInstance* instance, crTreeSet set)
{
  for (int k = 0; k < set.treeCount; ++k) {
    instance->stages[set.trees[k]] = cr_stageTime;
    if (instance->loops != NULL) {
      instance->loops->stages[set.trees[k]] = cr_stageTime;
    }
  }
}

crStatus crInstance_SetState(crInstance* instance, crTreeSet set, double t, const double* y)
{
  if (!crCanEvaluate(instance, set) || y == NULL) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    size_t count = (size_t)crTreeStateCount(tree);
    if (count > 0) { // all may be prescribed
      memcpy(instance->y + tree->qStart, y, count * sizeof *y);
      y += count;
    }
    instance->times[set.trees[k]] = t;
  }
  crLowerStages(instance, set);
  if (model->size.treeCount == 0) {
    instance->times[0] = t;
  }
  return cr_ok;
}

crStatus crInstance_SetPhase(crInstance* instance, crTreeSet set, double phase)
{
  if (!crCanEvaluate(instance, set)) {
    return cr_errorMisuse;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    instance->phases[set.trees[k]] = phase;
  }
  return cr_ok;
}

crStatus crInstance_GetState(const crInstance* instance, crTreeSet set, double* outY)
{
  if (!crCanEvaluate(instance, set) || outY == NULL) {
    return cr_errorMisuse;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &instance->model->trees[set.trees[k]];
    size_t count = (size_t)crTreeStateCount(tree);
    if (count > 0) {
      memcpy(outY, instance->y + tree->qStart, count * sizeof *outY);
      outY += count;
    }
  }
  return cr_ok;
}

// ---------------------------------------------------------------------------------------------- stages

// Signals of a level, of all trees that have not reached the stage that they precede: one tree owns those of its whole
// component.
static crStatus evalSignals(crInstance* instance, crTreeSet set, crSignalLevel level, crStage stage)
{
  crStatus status = cr_ok;
  if (instance->model->size.signalCount == 0) {
    return cr_ok;
  }
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    if (instance->stages[set.trees[k]] < stage) {
      status = crEvalSignals(instance, set.trees[k], level, set.contacts);
    }
  }
  if (instance->model->size.treeCount == 0) {
    status = crEvalSignals(instance, 0, level, NULL);
  }
  return status;
}

static crStatus evalMotion(crInstance* instance, int t, crStage stage)
{
  const crTree* tree = &instance->model->trees[t];
  if (instance->stages[t] < cr_stagePosition && stage >= cr_stagePosition) {
    crPrescribeMotions(instance, t);
    if (crEvalPosition(instance, tree) != cr_ok) {
      return cr_retry;
    }
    instance->stages[t] = cr_stagePosition;
  }
  if (instance->stages[t] < cr_stageVelocity && stage >= cr_stageVelocity) {
    crEvalVelocity(instance, tree);
    instance->stages[t] = cr_stageVelocity;
  }
  return cr_ok;
}

// Cut joints, once all trees have moved.
static void evalCuts(crInstance* instance, crTreeSet set, crStage stage)
{
  for (int k = 0; instance->loops != NULL && k < set.treeCount; ++k) {
    int t = set.trees[k];
    crStage* own = &instance->loops->stages[t];
    bool ofPosition = *own < cr_stagePosition && stage >= cr_stagePosition;
    bool ofVelocity = *own < cr_stageVelocity && stage >= cr_stageVelocity;
    if (crOwnsCuts(instance->loops, t) && (ofPosition || ofVelocity)) {
      crEvalCuts(instance, t, ofPosition, ofVelocity);
      *own = ofVelocity ? cr_stageVelocity : cr_stagePosition;
    }
  }
}

// Trees on their own one by one, those in loops together.
static crStatus evalAccelerations(crInstance* instance, crTreeSet set)
{
  crStatus status = cr_ok;
  bool needsLoops = false;
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    crStage* own = &instance->stages[set.trees[k]];
    if (instance->loops != NULL && instance->loops->isLooped[set.trees[k]]) {
      needsLoops = needsLoops || *own < cr_stageAcceleration;
    } else if (*own < cr_stageAcceleration) {
      status = crEvalAcceleration(instance, &instance->model->trees[set.trees[k]]);
      *own = status == cr_ok ? cr_stageAcceleration : cr_stageForce;
    }
  }
  if (status != cr_ok || !needsLoops) {
    return status;
  }
  status = crEvalLoopedAccelerations(instance, set);
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    crStage* own = &instance->stages[set.trees[k]];
    *own = *own < cr_stageAcceleration ? cr_stageAcceleration : *own;
  }
  return status;
}

// Forces couple trees, so all of the set are evaluated when one of them is needed.
static crStatus evalForces(crInstance* instance, crTreeSet set)
{
  bool isDone = true;
  for (int k = 0; k < set.treeCount; ++k) {
    isDone = isDone && instance->stages[set.trees[k]] >= cr_stageForce;
  }
  if (isDone) {
    return cr_ok;
  }
  crStatus status = evalSignals(instance, set, cr_levelMotion, cr_stageForce);
  status = status == cr_ok ? crEvalForces(instance, set) : status;
  for (int k = 0; k < set.treeCount; ++k) {
    instance->stages[set.trees[k]] = status == cr_ok ? cr_stageForce : cr_stageVelocity;
  }
  return status;
}

static void shareReactions(crInstance* instance, crTreeSet set)
{
  for (int k = 0; instance->loops != NULL && k < set.treeCount; ++k) {
    if (crOwnsCuts(instance->loops, set.trees[k]) && instance->stages[set.trees[k]] < cr_stageReport) {
      crShareReactions(instance, set.trees[k]);
    }
  }
}

crStatus crInstance_Eval(crInstance* instance, crTreeSet set, crStage stage)
{
  if (!crCanEvaluate(instance, set)) {
    return cr_errorMisuse;
  }
  crStatus status = cr_ok;
  if (stage >= cr_stagePosition) {
    status = evalSignals(instance, set, cr_levelTime, cr_stagePosition);
  }
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    status = evalMotion(instance, set.trees[k], stage);
  }
  if (status == cr_ok) {
    evalCuts(instance, set, stage);
  }
  if (status == cr_ok && stage >= cr_stageForce) {
    status = evalForces(instance, set);
  }
  if (status == cr_ok && stage >= cr_stageAcceleration) {
    status = evalAccelerations(instance, set);
  }
  if (stage == cr_stageReport && status == cr_ok) {
    shareReactions(instance, set);
    status = evalSignals(instance, set, cr_levelAcceleration, cr_stageReport);
    for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
      instance->stages[set.trees[k]] = cr_stageReport;
    }
  }
  return status;
}

crStatus crMoveGiven(crInstance* instance, crTreeSet set, double t)
{
  for (int k = 0; k < set.treeCount; ++k) {
    instance->phases[set.trees[k]] = NAN;
    instance->times[set.trees[k]] = t;
  }
  crLowerStages(instance, set);
  crStatus status = evalSignals(instance, set, cr_levelTime, cr_stagePosition);
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    status = evalMotion(instance, set.trees[k], cr_stageVelocity);
  }
  return status;
}

// ----------------------------------------------------------------------------------------------- rates

void crGetTreeRates(const crInstance* instance, int treeIndex, double* outRates)
{
  const crTree* tree = &instance->model->trees[treeIndex];
  const double* vdot = instance->vdot + instance->model->treeDofs[treeIndex];
  crComputeCoordinateRates(instance, tree, outRates);
  memcpy(outRates + tree->qCount, vdot, (size_t)tree->vCount * sizeof *vdot);
  crGetAuxiliaryRates(instance, tree, outRates + tree->qCount + tree->vCount);
}

crStatus crInstance_ComputeRates(crInstance* instance, crTreeSet set, double t, const double* y, double* outRates)
{
  bool isMisuse = !crCanEvaluate(instance, set) || y == NULL || outRates == NULL;
  return isMisuse ? cr_errorMisuse : crComputeRates(instance, set, t, y, outRates);
}

crStatus crComputeRates(crInstance* instance, crTreeSet set, double t, const double* y, double* outRates)
{
  if (crHasShortPath(instance, set)) {
    return crComputeFreeRates(instance, set, t, y, outRates);
  }
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stageAcceleration);
  if (status == cr_ok && instance->loops != NULL) {
    status = crRefineWeak(instance, set);
  }
  for (int k = 0; k < set.treeCount && status == cr_ok; ++k) {
    crGetTreeRates(instance, set.trees[k], outRates);
    outRates += crTreeStateCount(&instance->model->trees[set.trees[k]]);
  }
  return status;
}
