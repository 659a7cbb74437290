// Sets of trees: their states by number, by name, at the start, and how they depend on each other.
#include "joint/joint_kind.h"
#include "model/eval/instance.h"

#include <stdio.h>

bool crIsTreeSet(const crModel* model, crTreeSet set)
{
  int previous = -1;
  if (model == NULL || set.treeCount < 0 || (set.trees == NULL && set.treeCount > 0)) {
    return false;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    if (set.trees[k] <= previous || set.trees[k] >= model->size.treeCount) {
      return false;
    }
    previous = set.trees[k];
  }
  return true;
}

crTreeSet crModel_GetAllTrees(const crModel* model)
{
  crTreeSet none = { NULL, 0, NULL };
  return model != NULL ? (crTreeSet){ model->allTrees, model->size.treeCount, NULL } : none;
}

int crModel_CountStates(const crModel* model, crTreeSet set)
{
  int count = 0;
  for (int k = 0; model != NULL && k < set.treeCount; ++k) {
    count += crTreeStateCount(&model->trees[set.trees[k]]);
  }
  return count;
}

int crModel_CountRates(const crModel* model, crTreeSet set)
{
  int count = 0;
  for (int k = 0; model != NULL && k < set.treeCount; ++k) {
    count += model->trees[set.trees[k]].vCount;
  }
  return count;
}

// A tree that is coupled has all its partners in the set.
bool crModel_IsClosed(const crModel* model, crTreeSet set)
{
  if (!crIsTreeSet(model, set)) {
    return false;
  }
  for (int k = 0; k < set.treeCount && set.treeCount < model->size.treeCount; ++k) {
    int t = set.trees[k], partners = 0;
    for (int i = 0; model->componentTrees[t] > 1 && i < set.treeCount; ++i) {
      partners += model->components[set.trees[i]] == model->components[t];
    }
    if (model->componentTrees[t] > 1 && partners != model->componentTrees[t]) {
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------------------------------------- states

crStatePlace crLocateState(const crModel* model, int treeIndex, int state)
{
  const crTree* tree = &model->trees[treeIndex];
  bool isRate = state >= tree->qCount;
  int target = tree->qStart + state;
  int index = model->stateJoints[target];
  if (index < 0) {
    int k = -1 - index, bristle = k - model->size.signalCount, coupling = bristle - model->bristleCount;
    return (crStatePlace){ .signal = bristle < 0 ? k : -1,
                           .bristle = bristle < 0 || coupling >= 0 ? -1 : bristle,
                           .coupling = coupling >= 0 ? coupling : -1,
                           .joint = -1,
                           .index = 0,
                           .isRate = true };
  }
  const crModelJoint* joint = &model->joints[index];
  crStatePlace place = { -1, -1, -1, index, target - (isRate ? joint->vStart : joint->qStart), isRate };
  return place;
}

// The tree and the state in it of a state of a set; false: there is none.
static bool locateInSet(const crModel* model, crTreeSet set, int state, crStatePlace* outPlace)
{
  for (int k = 0; k < set.treeCount && state >= 0; ++k) {
    int count = crTreeStateCount(&model->trees[set.trees[k]]);
    if (state < count) {
      *outPlace = crLocateState(model, set.trees[k], state);
      return true;
    }
    state -= count;
  }
  return false;
}

static double getStart(const crModel* model, crStatePlace place)
{
  if (place.joint < 0) {
    return 0.0;
  }
  const crModelJoint* joint = &model->joints[place.joint];
  return place.isRate ? joint->startRate[place.index] : joint->start[place.index];
}

// A component of a quaternion is at most 1.
double crGetNominal(const crModel* model, crStatePlace place)
{
  if (place.bristle >= 0) {
    const crJointBristle* bristle = &model->bristles[place.bristle];
    return model->joints[bristle->joint].nominal[bristle->index];
  }
  if (place.signal >= 0) {
    return 1.0;
  }
  if (place.coupling >= 0) {
    const crModelCoupling* coupling = &model->couplings[place.coupling];
    bool isStretch = coupling->kind != cr_couplingMotor;
    return isStretch ? model->joints[model->terms[coupling->termStart].joint].nominal[0] : 1.0;
  }
  const crModelJoint* joint = &model->joints[place.joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  bool isQuaternion = !place.isRate && type->hasQuaternion && place.index >= type->qCount - 4;
  return isQuaternion ? 1.0 : joint->nominal[place.index];
}

static crStatus fillStates(const crModel* model, crTreeSet set, double (*get)(const crModel*, crStatePlace),
                           double* out)
{
  if (!crIsTreeSet(model, set) || (out == NULL && crModel_CountStates(model, set) > 0)) {
    return cr_errorMisuse;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    int count = crTreeStateCount(&model->trees[set.trees[k]]);
    for (int i = 0; out != NULL && i < count; ++i) {
      *out++ = get(model, crLocateState(model, set.trees[k], i));
    }
  }
  return cr_ok;
}

crStatus crModel_GetStart(const crModel* model, crTreeSet set, double* outY)
{
  return fillStates(model, set, getStart, outY);
}

crStatus crModel_GetNominal(const crModel* model, crTreeSet set, double* outNominal)
{
  return fillStates(model, set, crGetNominal, outNominal);
}

bool crModel_GetStateName(const crModel* model, crTreeSet set, int state, char* buffer, size_t size)
{
  crStatePlace place;
  if (buffer == NULL || !crIsTreeSet(model, set) || !locateInSet(model, set, state, &place)) {
    return false;
  }
  if (place.signal >= 0) {
    snprintf(buffer, size, "%s.%s", crGetSignalPath(model, place.signal),
             crModel_GetSignalStateName(model, place.signal, 0));
    return true;
  }
  if (place.bristle >= 0) {
    const crJointBristle* bristle = &model->bristles[place.bristle];
    const crJointType* type = crGetJointType((int)model->joints[bristle->joint].kind);
    snprintf(buffer, size, "%s.%s", crModel_GetJointPath(model, bristle->joint), type->bristleNames[bristle->index]);
    return true;
  }
  if (place.coupling >= 0) {
    snprintf(buffer, size, "%s.%s", crModel_GetCouplingPath(model, place.coupling),
             crGetCouplingStateName(&model->couplings[place.coupling]));
    return true;
  }
  const crModelJoint* joint = &model->joints[place.joint];
  const crJointType* type = crGetJointType((int)joint->kind);
  const char* name = place.isRate ? type->rateNames[place.index] : type->coordinateNames[place.index];
  snprintf(buffer, size, "%s.%s", crModel_GetJointPath(model, place.joint), name);
  return true;
}

// ------------------------------------------------------------------------------------------- structure

bool crModel_IsRoundTree(const crModel* model, int tree)
{
  return model->areRound[tree];
}

// Of one joint: coordinates whose rate is a state; the components of a quaternion have none of their own.
static void fillRateOf(const crModelJoint* joint, int firstState, int* out)
{
  const crJointType* type = crGetJointType((int)joint->kind);
  int plain = type->hasQuaternion ? type->qCount - 4 : type->qCount;
  for (int i = 0; i < plain; ++i) {
    out[joint->qStart - firstState + i] = joint->vStart - firstState + i;
  }
}

void crModel_GetRateOf(const crModel* model, crTreeSet set, int* outRateOf)
{
  int place = 0;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    int count = crTreeStateCount(tree), *own = outRateOf + place;
    for (int i = 0; i < count; ++i) {
      own[i] = -1;
    }
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      if (model->links[b].vCount > 0) {
        fillRateOf(&model->joints[b - 1], tree->qStart, own);
      }
    }
    for (int i = 0; i < count; ++i) {
      own[i] += own[i] >= 0 ? place : 0;
    }
    place += count;
  }
}

int crModel_GetSpins(const crModel* model, crTreeSet set, crSpin* outSpins)
{
  int place = 0, count = 0;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    if (model->areRound[set.trees[k]]) {
      if (outSpins != NULL) {
        outSpins[count] = (crSpin){ place + CR_FREE_QUATERNION, place + CR_FREE_SPIN };
      }
      ++count;
    }
    place += crTreeStateCount(tree);
  }
  return count;
}
