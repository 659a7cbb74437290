// Plastic impacts: what is connected moves together, with the momenta of before.
//
// With p the momentum that the bodies had, about their places, and J the motion of bodies per rate of the new
// structure, the rates u behind the impact are those of J^T (I J u) = J^T p, which is M u = J^T p: no kinetic energy is
// left out of which the constraints could have taken more, and none is put in. Starting from rates u0 that are known by
// name,
//
//   u = u0 + M^-1 J^T (p - I J u0)
//
// so a body whose momentum is already its own gets no push. As for impulses of contacts (contact/impulse.c) M^-1 J^T is
// read off the accelerations: loops, couplings, rotors and prescribed motions enter as they do in motion. What the
// world or a prescribed motion takes is theirs.
#include "base/memory.h"
#include "sim/acting.h"

#include <string.h>

#define CR_PUSH                                                                                                        \
  1e6 // [1/s] of acceleration by the push over the change of rates: round-off of the forces is below 1e-16

typedef struct Impact {
  crInstance* instance;
  crTreeSet set;
  double t;
  double* y;
  crMomentum* missing; // (bodyCount) about the world's origin
  double* base;        // (vCount) accelerations without a push
} Impact;

static crMomentum add(crMomentum a, double factor, crMomentum b)
{
  return (crMomentum){ crMulAdd(a.linear, factor, b.linear), crMulAdd(a.angular, factor, b.angular) };
}

// What each body of the new model had before, less what it has.
static void findMissing(Impact* impact, const crInstance* from, crTreeSet fromSet)
{
  const crModel *before = crInstance_GetModel(from), *after = crInstance_GetModel(impact->instance);
  for (int b = 1; b < crModel_GetSize(before).bodyCount; ++b) {
    int object = crModel_FindObject(after, crModel_GetBodyPath(before, b));
    if (object >= 0) {
      int body = crModel_GetObject(after, object)->body;
      impact->missing[body] = add(impact->missing[body], 1.0, crInstance_ComputeMomentum(from, fromSet, b));
    }
  }
  for (int b = 1; b < crModel_GetSize(after).bodyCount; ++b) {
    impact->missing[b] = add(impact->missing[b], -1.0, crInstance_ComputeMomentum(impact->instance, impact->set, b));
  }
}

static double findLargest(const double* values, int count)
{
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    largest = fmax(largest, fabs(values[i]));
  }
  return largest;
}

static crStatus evaluate(const Impact* impact, crStage stage)
{
  crInstance_SetState(impact->instance, impact->set, impact->t, impact->y);
  return crInstance_Eval(impact->instance, impact->set, stage);
}

static void push(const Impact* impact, double size)
{
  crInstance* instance = impact->instance;
  for (int b = 1; b < instance->model->size.bodyCount; ++b) {
    crVec3 linear = crScale(size, impact->missing[b].linear), angular = crScale(size, impact->missing[b].angular);
    crVec3 about = crSub(angular, crCross(crFromLanes(instance->places[b].p), linear));
    instance->biases[b].t -= crToLanes(about);
    instance->biases[b].f -= crToLanes(linear);
  }
}

// Rates by the difference of accelerations.
static void addRates(const Impact* impact, double size)
{
  const crModel* model = impact->instance->model;
  double* y = impact->y;
  const double* base = impact->base;
  for (int k = 0; k < impact->set.treeCount; ++k) {
    const crTree* tree = &model->trees[impact->set.trees[k]];
    const double* vdot = impact->instance->vdot + model->treeDofs[impact->set.trees[k]];
    for (int i = 0; i < tree->vCount; ++i) {
      y[tree->qCount + i] += (vdot[i] - *base++) / size;
    }
    y += crTreeStateCount(tree);
  }
}

static void readBase(const Impact* impact)
{
  const crModel* model = impact->instance->model;
  double* base = impact->base;
  for (int k = 0; k < impact->set.treeCount; ++k) {
    int tree = impact->set.trees[k];
    size_t count = (size_t)model->trees[tree].vCount;
    if (count > 0) {
      memcpy(base, impact->instance->vdot + model->treeDofs[tree], count * sizeof *base);
    }
    base += count;
  }
}

static crStatus hit(Impact* impact, const crInstance* from, crTreeSet fromSet)
{
  crStatus status = evaluate(impact, cr_stageVelocity);
  if (status != cr_ok) {
    return status;
  }
  findMissing(impact, from, fromSet);
  status = evaluate(impact, cr_stageAcceleration);
  readBase(impact);
  double size = CR_PUSH * fmax(1.0, findLargest(impact->base, crModel_GetSize(impact->instance->model).vCount));
  status = status == cr_ok ? evaluate(impact, cr_stageForce) : status;
  if (status == cr_ok) {
    push(impact, size);
    status = crInstance_Eval(impact->instance, impact->set, cr_stageAcceleration);
  }
  if (status == cr_ok) {
    addRates(impact, size);
  }
  return status;
}

crStatus crApplyPlasticImpact(const crInstance* from, crTreeSet fromSet, crInstance* to, crTreeSet toSet, double t,
                              double* y, const crAllocator* allocator)
{
  crModelSize size = crModel_GetSize(crInstance_GetModel(to));
  Impact impact = { .instance = to, .set = toSet, .t = t, .y = y };
  impact.missing = crAllocateZero(allocator, (size_t)size.bodyCount, sizeof *impact.missing);
  impact.base = crAllocateZero(allocator, (size_t)size.vCount + 1, sizeof *impact.base);
  bool hasMemory = impact.missing != NULL && impact.base != NULL;
  crStatus status = hasMemory ? hit(&impact, from, fromSet) : cr_errorMemory;
  crFree(allocator, impact.missing, impact.missing != NULL ? (size_t)size.bodyCount * sizeof *impact.missing : 0);
  crFree(allocator, impact.base, impact.base != NULL ? ((size_t)size.vCount + 1) * sizeof *impact.base : 0);
  return status;
}
