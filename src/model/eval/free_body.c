// Rates of free bodies that are left alone: what the stages do tree by tree, in two passes with the contacts between.
//
// Bodies as they come from a pile or a billiards table are evaluated far more often than anything else, alone or by the
// thousand; the bookkeeping of stages would cost as much as their mechanics. A round one has neither gyroscopic torques
// nor an inertia that turns:  v' = g + f / m,  w' = t / I.
#include "model/eval/free_body.h"

#include "model/eval/contact.h"

#include <string.h>

bool crHasShortPath(const crInstance* instance, crTreeSet set)
{
  const crModel* model = instance->model;
  int previous = -1;
  bool isSo = instance->loops == NULL && set.treeCount > 0;
  for (int k = 0; k < set.treeCount && isSo; ++k) {
    int t = set.trees[k];
    isSo = t > previous && t < model->size.treeCount && model->areAlone[t];
    previous = t;
  }
  return isSo;
}

// Stages position and velocity of one body; A0 never changes. false: not finite.
static inline bool moveBody(crInstance* instance, const crLink* link, int b, const double* y)
{
  memcpy(instance->y + link->qStart, y, CR_FREE_STATES * sizeof *y);
  crPlace place = crPlaceFree(y);
  instance->places[b] = place;
  if (link->inverseRound == 0.0) {
    instance->rigids[b] = (crRigid){ crRotateL33(place.R, link->I_Bo), crMulL(place.R, link->h) };
  }
  const double* u = y + CR_FREE_VELOCITY;
  instance->V[b] = (crMotionL){ { u[3], u[4], u[5], 0.0 }, { u[0], u[1], u[2], 0.0 } };
  instance->F[b] = (crWrenchL){ crZeroLanes(), crZeroLanes() };
  return crAreFinite(y, CR_FREE_STATES);
}

// Stages force, but for contacts, and acceleration.
static inline bool accelerateBody(crInstance* instance, const crLink* link, int b)
{
  if (link->inverseRound == 0.0) {
    instance->biases[b] = crComputeBias(instance, b);
    return crAccelerateFree(instance, link, b);
  }
  crLanes A0 = instance->A0[b].v;
  const crWrenchL* F = &instance->F[b];
  crLanes a = F->f * link->inverseMass - A0, alpha = F->t * link->inverseRound;
  double* vdot = instance->vdot + link->dofStart;
  for (int i = 0; i < 3; ++i) {
    vdot[i] = a[i];
    vdot[3 + i] = alpha[i];
  }
  instance->biases[b] = (crWrenchL){ -F->t, A0 * link->mass - F->f };
  instance->A[b] = (crMotionL){ alpha, a };
  return true;
}

static inline void writeRates(const double* y, const double* vdot, double* out)
{
  double w = y[3], x = y[4], v = y[5], z = y[6];
  double a = 0.5 * y[10], b = 0.5 * y[11], c = 0.5 * y[12];
  memcpy(out, y + CR_FREE_VELOCITY, 3 * sizeof *out);
  out[3] = -(a * x) - b * v - c * z;
  out[4] = a * w + b * z - c * v;
  out[5] = b * w + c * x - a * z;
  out[6] = c * w + a * v - b * x;
  memcpy(out + CR_FREE_VELOCITY, vdot, 6 * sizeof *out);
}

static crStatus finish(crInstance* instance, crTreeSet set, crStage stage, bool isGood)
{
  for (int k = 0; k < set.treeCount; ++k) {
    instance->stages[set.trees[k]] = isGood ? stage : cr_stageTime;
  }
  return isGood ? cr_ok : cr_retry;
}

static inline bool moveSet(crInstance* instance, crTreeSet set, double t, const double* y)
{
  const crModel* model = instance->model;
  bool isGood = true;
  for (int k = 0; k < set.treeCount; ++k) {
    int b = model->trees[set.trees[k]].bodyStart;
    instance->times[set.trees[k]] = t;
    isGood &= moveBody(instance, &model->links[b], b, y + (size_t)CR_FREE_STATES * (size_t)k);
  }
  return isGood && (set.contacts == NULL || crApplyContacts(instance, set.contacts));
}

crStatus crEvalFreeForces(crInstance* instance, crTreeSet set, double t, const double* y)
{
  return finish(instance, set, cr_stageVelocity, moveSet(instance, set, t, y));
}

crStatus crComputeFreeRates(crInstance* instance, crTreeSet set, double t, const double* y, double* outRates)
{
  const crModel* model = instance->model;
  bool isGood = moveSet(instance, set, t, y);
  for (int k = 0; k < set.treeCount && isGood; ++k) {
    size_t place = (size_t)CR_FREE_STATES * (size_t)k;
    int b = model->trees[set.trees[k]].bodyStart;
    const crLink* link = &model->links[b];
    isGood = accelerateBody(instance, link, b);
    writeRates(y + place, instance->vdot + link->dofStart, outRates + place);
    isGood = isGood && crAreFinite(outRates + place + CR_FREE_VELOCITY, 6);
  }
  return finish(instance, set, cr_stageAcceleration, isGood);
}
