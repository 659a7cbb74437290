// The smooth branch of a mechanism's motion through singular positions.
//
// Where two branches of motion cross, as in a parallelogram whose bars lie in one line, constraints lose rank. At a
// distance d from there, rounding e of the residual turns into e/d of the position across the branch, e/d^2 of the
// velocity and e/d^3 of the acceleration, although the motion itself goes on as smoothly as anywhere else. So none of
// them is computed there. Along the present motion, at times s before and after,
//
//   p(s) = the closed position nearest to q + s N(q) v,    u(s) = v made to fit at p(s),
//   n(s) = -M^-1 G^T A^-1 (G w + g'') at p(s), u(s)        w = M^-1 h: accelerations without loops, those of s = 0
//
// are smooth functions of s, and well known but near the singular position. Their values at s = 0 are those of the
// polynomials through samples on both sides: the position is p(0), the rates are u(0), and the accelerations w + n(0).
// Forces are taken at the state itself, so no kink of theirs is smoothed. The direction of motion tells the branch: it
// is momentum that decides.
#include "model/loop/loop.h"

#include <string.h>

#define CR_SIDE_SAMPLES (CR_BRANCH_SAMPLES / 2)
// [rad], or share of the loop's length, from a sample to the next. With ten samples a function whose nearest
// singularity is 1 rad away is met to 3e-10; half as far, rounding would be magnified eightfold.
#define CR_SAMPLE_DISTANCE 0.036
#define CR_MAX_SKIPPED 1    // samples of a side that may be as near to the singular position as the state is
#define CR_LEAST_SPEED 1e-9 // [rad/s] below which motion has no direction

typedef struct Branch {
  crInstance* instance;
  crTreeSet set; // of one component
  int count;
  double times[CR_BRANCH_SAMPLES]; // [s] of samples
  bool hasFree;                    // accelerations are wanted
} Branch;

static double* sampleOf(const Branch* b, int sample)
{
  const crModelSize* size = &b->instance->model->size;
  return b->instance->loops->samples + (size_t)sample * (size_t)(size->stateCount + size->vCount);
}

// ------------------------------------------------------------------------------------------- direction

// The fastest joint of the loops, angles and lengths over the size of their loop.
static double findFastestJoint(const Branch* b)
{
  const crInstance* instance = b->instance;
  const crLoops* loops = instance->loops;
  double speed = 0.0;
  int tree = b->set.trees[0];
  for (const crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
    for (int e = cut->entryStart; e < cut->entryStart + cut->entryCount; ++e) {
      const crLink* link = &instance->model->links[loops->entries[e].body];
      for (int i = 0; !loops->entries[e].isCommon && i < link->vCount; ++i) {
        crMotionL S = instance->S[link->dofStart + i];
        double turn = crDotL(S.w, S.w), way = crDotL(S.v, S.v) / (cut->length * cut->length);
        speed = fmax(speed, fabs(instance->y[link->vStart + i]) * sqrt(turn > 0.0 ? turn : way));
      }
    }
  }
  return speed;
}

// Keeps the state, and the rates of its coordinates.
static void keepBase(const Branch* b)
{
  crInstance* instance = b->instance;
  crLoops* loops = instance->loops;
  for (int k = 0; k < b->set.treeCount; ++k) {
    const crTree* tree = &instance->model->trees[b->set.trees[k]];
    size_t size = (size_t)crTreeStateCount(tree) * sizeof(double);
    memcpy(loops->base + tree->qStart, instance->y + tree->qStart, size);
    crComputeCoordinateRates(instance, tree, loops->slopes + tree->qStart);
  }
}

static void restoreBase(const Branch* b)
{
  crInstance* instance = b->instance;
  for (int k = 0; k < b->set.treeCount; ++k) {
    const crTree* tree = &instance->model->trees[b->set.trees[k]];
    size_t size = (size_t)crTreeStateCount(tree) * sizeof(double);
    memcpy(instance->y + tree->qStart, instance->loops->base + tree->qStart, size);
  }
  crLowerStages(instance, b->set);
}

// The state at time s by its rates, with the way from there to the branch as that of another sample tells it: it grows
// with the square of the time.
static void moveAlong(const Branch* b, double s, const double* sample, double sampleTime)
{
  crInstance* instance = b->instance;
  const crLoops* loops = instance->loops;
  double share = sample != NULL ? s / sampleTime * (s / sampleTime) : 0.0;
  restoreBase(b);
  for (int k = 0; k < b->set.treeCount; ++k) {
    const crTree* tree = &instance->model->trees[b->set.trees[k]];
    for (int i = tree->qStart; i < tree->qStart + tree->qCount; ++i) {
      instance->y[i] += s * loops->slopes[i] + (sample != NULL ? share * sample[i] : 0.0);
    }
  }
}

// --------------------------------------------------------------------------------------------- samples

// vdot := n, the rates of rows being those of w.
static bool solveNormal(const Branch* b, const double* biases)
{
  crInstance* instance = b->instance;
  int tree = b->set.trees[0];
  double* x = crGetSolution(instance, tree);
  for (const crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    for (int i = 0; i < cut->activeCount; ++i) {
      int r = cut->order[i];
      x[cut->activeStart + i] = biases[cut->rowStart + r] + cut->rates[r];
    }
  }
  crClearPivotForces(instance, b->set);
  crSolveRows(instance, tree);
  crAddRowForces(instance, tree, -1.0);
  return crAccelerateLooped(instance, b->set);
}

// n at the sample's position and velocity, where A's factor is.
static bool sampleNormal(const Branch* b, double* outNormal)
{
  crInstance* instance = b->instance;
  const crModel* model = instance->model;
  crLoops* loops = instance->loops;
  double* biases = loops->scratch;
  int owner = b->set.trees[0];
  for (const crCut* cut = crFirstCut(loops, owner); cut < crEndCut(loops, owner); ++cut) {
    memcpy(biases + cut->rowStart, cut->biases, (size_t)cut->rowCount * sizeof *biases);
  }
  for (int k = 0; k < b->set.treeCount; ++k) {
    const crTree* tree = &model->trees[b->set.trees[k]];
    memcpy(instance->y + tree->vStart, loops->freeRates + model->treeDofs[b->set.trees[k]],
           (size_t)tree->vCount * sizeof(double));
  }
  crLowerStages(instance, b->set);
  if (crInstance_Eval(instance, b->set, cr_stageVelocity) != cr_ok || !solveNormal(b, biases)) {
    return false;
  }
  for (int k = 0; k < b->set.treeCount; ++k) {
    int first = model->treeDofs[b->set.trees[k]], count = model->trees[b->set.trees[k]].vCount;
    memcpy(outNormal + first, instance->vdot + first, (size_t)count * sizeof(double));
  }
  return true;
}

// What the sample differs by from the state that moves along its rates.
static void keepSample(Branch* b, double s)
{
  const crInstance* instance = b->instance;
  const crLoops* loops = instance->loops;
  double* sample = sampleOf(b, b->count);
  for (int k = 0; k < b->set.treeCount; ++k) {
    const crTree* tree = &instance->model->trees[b->set.trees[k]];
    for (int i = tree->qStart; i < tree->qStart + tree->qCount; ++i) {
      sample[i] = instance->y[i] - loops->base[i] - s * loops->slopes[i];
    }
    for (int i = tree->vStart; i < tree->vStart + tree->vCount; ++i) {
      sample[i] = instance->y[i] - loops->base[i];
    }
  }
}

// At the position where the instance is, its rows being prepared.
static bool takeSample(Branch* b, double s)
{
  crInstance* instance = b->instance;
  if (crClosePositions(instance, b->set) != cr_ok || crInstance_Eval(instance, b->set, cr_stageVelocity) != cr_ok ||
      !crPrepareRows(instance, b->set) || !crSolveRowChange(instance, b->set, true)) {
    return false;
  }
  crMoveRates(instance, b->set, instance->vdot);
  if (crInstance_Eval(instance, b->set, cr_stageVelocity) != cr_ok) {
    return false;
  }
  keepSample(b, s);
  if (b->hasFree && !sampleNormal(b, sampleOf(b, b->count) + instance->model->size.stateCount)) {
    return false;
  }
  b->times[b->count++] = s;
  return true;
}

// Outwards on one side: each tells the next where to look for the branch.
static bool takeSide(Branch* b, double step)
{
  crInstance* instance = b->instance;
  int first = b->count, skipped = 0;
  for (int i = 1; b->count - first < CR_SIDE_SAMPLES; ++i) {
    bool hasLast = b->count > first;
    moveAlong(b, i * step, hasLast ? sampleOf(b, b->count - 1) : NULL, hasLast ? b->times[b->count - 1] : 0.0);
    if (crInstance_Eval(instance, b->set, cr_stagePosition) != cr_ok || !crPrepareRows(instance, b->set)) {
      return false;
    }
    if (crIsWeak(instance, b->set.trees[0], CR_BRANCH_ZONE)) {
      if (hasLast || ++skipped > CR_MAX_SKIPPED) {
        return false;
      }
    } else if (!takeSample(b, i * step)) {
      return false;
    }
  }
  return true;
}

// --------------------------------------------------------------------------------------- interpolation

// Weights of the samples for the polynomial's value at 0.
static void findWeights(const Branch* b, double* outWeights)
{
  for (int i = 0; i < b->count; ++i) {
    outWeights[i] = 1.0;
    for (int j = 0; j < b->count; ++j) {
      outWeights[i] *= j != i ? b->times[j] / (b->times[j] - b->times[i]) : 1.0;
    }
  }
}

static void interpolate(const Branch* b)
{
  crInstance* instance = b->instance;
  crLoops* loops = instance->loops;
  int stateCount = instance->model->size.stateCount;
  double weights[CR_BRANCH_SAMPLES];
  findWeights(b, weights);
  restoreBase(b);
  for (int k = 0; k < b->set.treeCount; ++k) {
    const crTree* tree = &instance->model->trees[b->set.trees[k]];
    int first = instance->model->treeDofs[b->set.trees[k]];
    for (int sample = 0; sample < b->count; ++sample) {
      const double* values = sampleOf(b, sample);
      for (int i = tree->qStart; i < tree->qStart + tree->qCount; ++i) {
        instance->y[i] += weights[sample] * values[i];
      }
      for (int i = tree->vStart; i < tree->vStart + tree->vCount; ++i) {
        instance->y[i] += weights[sample] * values[i];
      }
      for (int i = first; b->hasFree && i < first + tree->vCount; ++i) {
        loops->freeRates[i] += weights[sample] * values[stateCount + i];
      }
    }
  }
}

bool crFollowBranch(crInstance* instance, crTreeSet component, bool hasFree)
{
  Branch b = { .instance = instance, .set = component, .hasFree = hasFree };
  double speed = findFastestJoint(&b), step = CR_SAMPLE_DISTANCE / speed;
  if (instance->loops->isDriven[component.trees[0]] || !(speed > CR_LEAST_SPEED)) {
    return false;
  }
  keepBase(&b);
  bool isGood = takeSide(&b, step) && takeSide(&b, -step);
  if (isGood) {
    interpolate(&b);
  } else {
    restoreBase(&b);
  }
  return isGood;
}
