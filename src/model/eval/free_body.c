// Rates of free bodies that are left alone: what the stages do tree by tree, in two passes with the contacts between.
//
// Bodies as they come from a pile or a billiards table are evaluated far more often than anything else, alone or by the
// thousand; the bookkeeping of stages would cost as much as their mechanics. A round one has neither gyroscopic torques
// nor an inertia that turns:  v' = g + f / m,  w' = t / I.
#include "model/eval/free_body.h"

#include "model/eval/contacts.h"

#include <string.h>

bool crHasShortPath(const crInstance* instance, crTreeSet set)
{
  const crModel* model = instance->model;
  int previous = -1;
  bool isSo = set.treeCount > 0;
  for (int k = 0; k < set.treeCount && isSo; ++k) {
    int t = set.trees[k];
    isSo = t > previous && t < model->size.treeCount && model->areAlone[t];
    previous = t;
  }
  return isSo;
}

double crFindFreeEnergy(const crModel* model, int tree, const double* y, double* outPotential)
{
  const crLink* link = &model->links[model->trees[tree].bodyStart];
  const double* u = y + CR_FREE_VELOCITY;
  crRigid rigid = { link->I_Bo, link->h };
  crLanes p = { y[0], y[1], y[2], 0.0 };
  if (link->inverseRound == 0.0) {
    crLanes33 R = crPlaceFree(y).R;
    rigid = (crRigid){ crRotateL33(R, link->I_Bo), crMulL(R, link->h) };
  }
  crMotionL V = { { u[3], u[4], u[5], 0.0 }, { u[0], u[1], u[2], 0.0 } };
  bool falls = model->gravity.kind == cr_gravityUniform;
  *outPotential = falls ? -crDot(model->gravity.acceleration, crFromLanes(p * link->mass + rigid.h)) : 0.0;
  return 0.5 * crPowerL(crMulRigid(&rigid, link->mass, V), V) + *outPotential;
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
static inline crMotionL accelerateRound(crInstance* instance, const crLink* link, int b)
{
  crLanes A0 = instance->A0[b].v;
  const crWrenchL* F = &instance->F[b];
  crMotionL A = { F->t * link->inverseRound, F->f * link->inverseMass - A0 };
  instance->biases[b] = (crWrenchL){ -F->t, A0 * link->mass - F->f };
  instance->A[b] = A;
  return A;
}

static inline void writeCoordinateRates(const double* y, double* out)
{
  double w = y[3], x = y[4], v = y[5], z = y[6];
  double a = 0.5 * y[10], b = 0.5 * y[11], c = 0.5 * y[12];
  out[0] = y[7];
  out[1] = y[8];
  out[2] = y[9];
  out[3] = -(a * x) - b * v - c * z;
  out[4] = a * w + b * z - c * v;
  out[5] = b * w + c * x - a * z;
  out[6] = c * w + a * v - b * x;
}

// Stores numbers one by one from where they are: reading back what was just stored in other pieces is slow.
static inline void writeAcceleration(crMotionL A, double* out)
{
  for (int i = 0; i < 3; ++i) {
    out[i] = A.v[i];
    out[3 + i] = A.w[i];
  }
}

static inline bool accelerateBody(crInstance* instance, const crLink* link, int b, double* outRates)
{
  crMotionL A;
  bool isGood = true;
  if (link->inverseRound > 0.0) {
    A = accelerateRound(instance, link, b);
    writeAcceleration(A, instance->vdot + link->dofStart);
  } else {
    instance->biases[b] = crComputeBias(instance, b);
    isGood = crAccelerateFree(instance, link, b);
    A = instance->A[b];
  }
  writeAcceleration(A, outRates);
  crLanes check = (A.v + A.w) * 0.0;
  return isGood && check[0] + check[1] + check[2] == 0.0;
}

static crStatus finish(crInstance* instance, crTreeSet set, crStage stage, bool isGood)
{
  for (int k = 0; k < set.treeCount; ++k) {
    instance->stages[set.trees[k]] = isGood ? stage : cr_stageTime;
  }
  return isGood ? cr_ok : cr_retry;
}

static inline bool moveBodies(crInstance* instance, crTreeSet set, double t, const double* y)
{
  const crModel* model = instance->model;
  bool isGood = true;
  for (int k = 0; k < set.treeCount; ++k) {
    int b = model->trees[set.trees[k]].bodyStart;
    instance->times[set.trees[k]] = t;
    isGood &= moveBody(instance, &model->links[b], b, y + (size_t)CR_FREE_STATES * (size_t)k);
  }
  return isGood;
}

static inline bool moveSet(crInstance* instance, crTreeSet set, double t, const double* y)
{
  return moveBodies(instance, set, t, y) && (set.contacts == NULL || crApplyContacts(instance, set.contacts));
}

crStatus crMoveFreeBodies(crInstance* instance, crTreeSet set, double t, const double* y)
{
  return finish(instance, set, cr_stageVelocity, moveBodies(instance, set, t, y));
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
    writeCoordinateRates(y + place, outRates + place);
    isGood = accelerateBody(instance, link, b, outRates + place + CR_FREE_VELOCITY);
  }
  return finish(instance, set, cr_stageAcceleration, isGood);
}
