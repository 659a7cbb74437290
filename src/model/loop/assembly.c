// Assembly: start values that close all loops and satisfy all couplings, as near to the guesses as possible.
//
// The change d of the coordinates is the smallest one, measured in their nominal values, that makes the residual of the
// constraints vanish to first order: with the square roots w of the nominal values' squares as weights,
//
//   d = -W G^T (G W G^T + ridge)^-1 g
//
// a damped Gauss-Newton step [Levenberg44]. The ridge falls while steps succeed and rises when they do not, so that
// constraints that depend on each other do no harm. What is marked fixed has no weight, and a fixed coordinate of a cut
// joint is one more constraint. Guesses in a singular position, as a mechanism drawn in one line, are first moved a
// little. Rates follow in one linear step of the same kind.
//
// Which constraints depend on others is found last. In a singular position more of them do than anywhere else on the
// way through, so it is looked for a little further along the motion, too. A row of a coupling has to be independent:
// one that says what is known already, or contradicts it, is a fault of the model.
#include "base/report.h"
#include "model/loop/loop.h"

#include <stdio.h>
#include <string.h>

#define CR_ASSEMBLED 1e-12        // [-] residual over loop size
#define CR_GAP 1e-9               // [-] likewise, that counts as closed
#define CR_ASSEMBLY_STEPS 200     // of the Gauss-Newton method
#define CR_STALL 1e-3             // [-] least relative progress of a step; less often enough is no progress
#define CR_STALLED_STEPS 10       //
#define CR_FIRST_RIDGE 1e-6       // [-] of the loop's motion
#define CR_LEAST_RIDGE 1e-12      //
#define CR_MOST_RIDGE 1e3         //
#define CR_LARGEST_STEP 0.5       // [nominal] of a coordinate
#define CR_NUDGES 12              // attempts from moved guesses
#define CR_NUDGE 0.02             // [nominal] of the first, each doubling up to 1
#define CR_LEAST_RATE_RIDGE 1e-12 //

typedef struct Assembly {
  crInstance* instance;
  crTreeSet set;
  double t;
  double* y;     // best so far
  double* trial; // (stateCount)
  double* guess; // (stateCount)
  int stateCount;
  bool isFurther; // away from the start, where nothing is kept
  int dependent;  // coupling whose row depends on others; -1: none
} Assembly;

// --------------------------------------------------------------------------------------------- weights

static void fillWeights(crInstance* instance, crTreeSet set, bool keepsFixed)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      const crLink* link = &model->links[b];
      const crModelJoint* joint = &model->joints[link->joint];
      for (int i = 0; i < link->vCount; ++i) {
        instance->loops->weights[link->dofStart + i] = keepsFixed && joint->fixed[i] ? 0.0 : joint->nominal[i];
      }
    }
  }
}

// All rows of all cuts in use, with or without those of coordinates that are kept.
static void useRows(crInstance* instance, crTreeSet set, bool withKept)
{
  for (int k = 0; k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      cut->activeCount = withKept ? cut->allRowCount : cut->rowCount;
      for (int r = 0; r < CR_MAX_ROWS; ++r) {
        cut->order[r] = (unsigned char)r;
      }
    }
  }
}

void crChooseAllRows(crInstance* instance, crTreeSet set)
{
  fillWeights(instance, set, false);
  for (int k = 0; k < set.treeCount; ++k) {
    if (crOwnsCuts(instance->loops, set.trees[k])) {
      crChooseRows(instance, set.trees[k]);
    }
  }
}

// --------------------------------------------------------------------------------------------- residual

// Half the sum of squares, in units of the loops' sizes; infinite where it cannot be evaluated.
static double evalResidual(Assembly* a, const double* y, double* outLargest)
{
  double sum = 0.0, largest = 0.0;
  crInstance_SetState(a->instance, a->set, a->t, y);
  if (crInstance_Eval(a->instance, a->set, cr_stagePosition) != cr_ok) {
    return HUGE_VAL;
  }
  for (int k = 0; k < a->set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(a->instance->loops, a->set.trees[k]);
         cut < crEndCut(a->instance->loops, a->set.trees[k]); ++cut) {
      int count = a->isFurther ? cut->rowCount : cut->allRowCount;
      for (int r = 0; r < count; ++r) {
        double g = cut->g[r] / crRowSize(cut, r);
        sum += 0.5 * g * g;
        largest = fmax(largest, fabs(g));
      }
    }
  }
  *outLargest = largest;
  return isfinite(sum) ? sum : HUGE_VAL;
}

// changes := -W G^T (G W G^T + ridge)^-1 x of all rows, x being residuals or rates.
static void solveChange(crInstance* instance, crTreeSet set, double ridge, bool ofRates)
{
  const crModel* model = instance->model;
  crLoops* loops = instance->loops;
  memset(loops->changes, 0, (size_t)model->size.vCount * sizeof *loops->changes);
  for (int t = 0; t < set.treeCount; ++t) {
    int tree = set.trees[t];
    double* x = crGetSolution(instance, tree);
    crPropagateRows(instance, tree, cr_rowsGeometric);
    crFactorRows(instance, tree, cr_rowsGeometric, ridge);
    for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
      for (int i = 0; i < cut->activeCount; ++i) {
        int r = cut->order[i];
        x[cut->activeStart + i] = crRowScale(cut, r) * (ofRates ? cut->rates[r] : cut->g[r]);
      }
    }
    crSolveRows(instance, tree);
    for (crCut* cut = crFirstCut(loops, tree); cut < crEndCut(loops, tree); ++cut) {
      for (int e = cut->entryStart; e < cut->entryStart + cut->entryCount; ++e) {
        const crLink* link = &model->links[loops->entries[e].body];
        for (int d = 0; d < link->vCount; ++d) {
          const double* k = loops->k + (size_t)(cut->dofStart + loops->entries[e].dofStart + d) * CR_MAX_ROWS;
          for (int i = 0; i < cut->activeCount; ++i) {
            int dof = link->dofStart + d;
            loops->changes[dof] -= loops->weights[dof] * k[i] * x[cut->activeStart + i];
          }
        }
      }
    }
  }
}

// No coordinate moves by more than a part of its nominal value.
static void limitChange(const crInstance* instance)
{
  const crLoops* loops = instance->loops;
  int count = instance->model->size.vCount;
  double largest = 0.0;
  for (int d = 0; d < count; ++d) {
    largest = loops->weights[d] > 0.0 ? fmax(largest, fabs(loops->changes[d]) / loops->weights[d]) : largest;
  }
  for (int d = 0; largest > CR_LARGEST_STEP && d < count; ++d) {
    loops->changes[d] *= CR_LARGEST_STEP / largest;
  }
}

// ------------------------------------------------------------------------------------------ Gauss-Newton

// From a->y to a position where the residual vanishes, or the nearest that was found. Returns the residual left.
static double closeLoops(Assembly* a)
{
  crInstance* instance = a->instance;
  double largest = 0.0, trialLargest = 0.0, ridge = CR_FIRST_RIDGE;
  size_t size = (size_t)a->stateCount * sizeof(double);
  int stalled = 0;
  double residual = evalResidual(a, a->y, &largest);
  for (int step = 0; step < CR_ASSEMBLY_STEPS && largest > CR_ASSEMBLED && stalled < CR_STALLED_STEPS; ++step) {
    solveChange(instance, a->set, ridge, false);
    limitChange(instance);
    crMoveCoordinates(instance, a->set, instance->loops->changes); // the instance is at a->y
    crInstance_GetState(instance, a->set, a->trial);
    double next = evalResidual(a, a->trial, &trialLargest);
    stalled = next > residual * (1.0 - CR_STALL) ? stalled + 1 : 0;
    if (next < residual) {
      memcpy(a->y, a->trial, size);
      residual = next;
      largest = trialLargest;
      ridge = fmax(0.1 * ridge, CR_LEAST_RIDGE);
    } else {
      ridge *= 10.0;
      evalResidual(a, a->y, &largest);
      if (ridge > CR_MOST_RIDGE) {
        break;
      }
    }
  }
  evalResidual(a, a->y, &largest);
  return largest;
}

// Guesses a little apart, the same ones on every run: steps of the golden ratio, which never line up.
static void nudge(Assembly* a, int attempt)
{
  crLoops* loops = a->instance->loops;
  double size = CR_NUDGE * ldexp(1.0, attempt / 2), phase = 0.5 * (double)(attempt + 1);
  crInstance_SetState(a->instance, a->set, a->t, a->guess);
  for (int d = 0; d < a->instance->model->size.vCount; ++d) {
    phase += 0.61803398874989485;
    phase -= floor(phase);
    loops->changes[d] = fmin(size, 1.0) * loops->weights[d] * (2.0 * phase - 1.0);
  }
  crMoveCoordinates(a->instance, a->set, loops->changes);
  crInstance_GetState(a->instance, a->set, a->y);
}

static bool isCutClosed(const crInstance* instance, const crCut* cut)
{
  double metres, radians;
  if (crIsCoupling(cut)) {
    return fabs(cut->g[0]) <= CR_GAP * cut->size;
  }
  crMeasureGap(instance, cut, &metres, &radians);
  return metres <= CR_GAP * fmax(1.0, cut->length) && radians <= CR_GAP;
}

static bool isClosed(const Assembly* a)
{
  for (int k = 0; k < a->set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(a->instance->loops, a->set.trees[k]);
         cut < crEndCut(a->instance->loops, a->set.trees[k]); ++cut) {
      if (!isCutClosed(a->instance, cut)) {
        return false;
      }
    }
  }
  return true;
}

static bool assemblePositions(Assembly* a)
{
  size_t size = (size_t)a->stateCount * sizeof(double);
  memcpy(a->guess, a->y, size);
  fillWeights(a->instance, a->set, true);
  useRows(a->instance, a->set, true);
  closeLoops(a);
  bool isDone = isClosed(a);
  for (int attempt = 0; !isDone && attempt < CR_NUDGES; ++attempt) {
    nudge(a, attempt);
    closeLoops(a);
    isDone = isClosed(a);
  }
  if (!isDone) { // what is left from the guesses themselves tells more than what a nudge made of them
    double largest;
    memcpy(a->y, a->guess, size);
    closeLoops(a);
    evalResidual(a, a->y, &largest);
  }
  return isDone;
}

// ------------------------------------------------------------------------------------------------ rates

static double largestRate(const crInstance* instance, crTreeSet set)
{
  double largest = 0.0;
  for (int k = 0; k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      for (int r = 0; r < cut->rowCount; ++r) {
        largest = fmax(largest, fabs(cut->rates[r]));
      }
    }
  }
  return largest;
}

// A fixed rate of a cut joint is that of its start value.
static void aimAtFixedRates(crInstance* instance, crTreeSet set)
{
  for (int k = 0; k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      for (int i = 0, r = cut->rowCount; r < cut->allRowCount; ++i) { // of a coupling none
        const crModelJoint* joint = &instance->model->joints[cut->joint];
        if (joint->fixed[i]) {
          cut->rates[r++] -= joint->startRate[i];
        }
      }
    }
  }
}

// Two steps: the second takes away what the ridge has left of the first.
static double assembleRates(Assembly* a)
{
  crInstance* instance = a->instance;
  double speed = 0.0;
  for (int i = 0; i < 3; ++i) {
    crInstance_SetState(instance, a->set, a->t, a->y);
    if (crInstance_Eval(instance, a->set, cr_stageVelocity) != cr_ok) {
      return HUGE_VAL;
    }
    speed = largestRate(instance, a->set);
    aimAtFixedRates(instance, a->set);
    if (i < 2) {
      solveChange(instance, a->set, CR_LEAST_RATE_RIDGE, true);
      crMoveRates(instance, a->set, instance->loops->changes);
      crInstance_GetState(instance, a->set, a->y);
    }
  }
  return speed;
}

// -------------------------------------------------------------------------------------------- reporting

#define CR_JOINT_LIST 600 // [bytes] of the names of a loop's joints
#define CR_CUT_NAME (CR_JOINT_LIST + 100)

// "'a', 'b', 'c'": the joints of a loop, the cut one last.
static void listJoints(const crModel* model, const crLoop* loop, char* text, size_t size)
{
  const int* bodies = model->loopBodies + loop->bodyStart;
  size_t used = 0;
  for (int i = 0; i + 1 < loop->bodyCount && used < size; ++i) {
    int a = bodies[i], b = bodies[i + 1];
    int body = model->bodies[a].parent == b ? a : b;
    used += (size_t)snprintf(text + used, size - used, "'%s', ", crModel_GetJointPath(model, body - 1));
  }
  if (used < size) {
    snprintf(text + used, size - used, "'%s'", crModel_GetJointPath(model, loop->cutJoint));
  }
}

static const char* pathOf(const crModel* model, const crCut* cut)
{
  return crIsCoupling(cut) ? crModel_GetCouplingPath(model, cut->coupling) : crModel_GetJointPath(model, cut->joint);
}

// "the loop of the joints 'a', 'b'", "the coupling 'c'"
static void nameCut(const crModel* model, const crCut* cut, char* text, size_t size)
{
  char joints[CR_JOINT_LIST];
  if (crIsCoupling(cut)) {
    snprintf(text, size, "the coupling '%s'", pathOf(model, cut));
  } else {
    listJoints(model, &model->loops[cut->joint - (model->size.bodyCount - 1)], joints, sizeof joints);
    snprintf(text, size, "the loop of the joints %s", joints);
  }
}

static void reportCoupling(const crInstance* instance, const crCut* cut, const crErrorSink* sink)
{
  const crModel* model = instance->model;
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, pathOf(model, cut));
  crReportNumber(&reporter, "the coupling cannot be satisfied: its sum of factor times coordinate differs by",
                 cut->g[0], "0", NULL,
                 "check its factors and offset, and the start values of its joints that are marked fixed");
}

static void reportGap(const crInstance* instance, const crCut* cut, const crErrorSink* sink)
{
  const crModel* model = instance->model;
  char joints[CR_JOINT_LIST], message[CR_JOINT_LIST + 100], found[160];
  double metres, radians;
  const crLoop* loop = &model->loops[cut->joint - (model->size.bodyCount - 1)];
  crMeasureGap(instance, cut, &metres, &radians);
  listJoints(model, loop, joints, sizeof joints);
  snprintf(message, sizeof message, "the loop of the joints %s cannot be closed", joints);
  radians = radians > CR_GAP ? radians : 0.0;
  metres = metres > CR_GAP ? metres : 0.0;
  snprintf(found, sizeof found, "a gap of %.4g m and %.4g degrees", metres, radians * 180.0 / CR_PI);
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, crModel_GetJointPath(model, cut->joint));
  crComplaint complaint = { .message = message,
                            .found = found,
                            .hint = "check the lengths, the axes and the start values that are marked fixed; start "
                                    "values near a closed position help" };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
}

static void reportGaps(const Assembly* a, const crErrorSink* sink)
{
  for (int k = 0; k < a->set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(a->instance->loops, a->set.trees[k]);
         cut < crEndCut(a->instance->loops, a->set.trees[k]); ++cut) {
      if (!isCutClosed(a->instance, cut)) {
        (crIsCoupling(cut) ? reportCoupling : reportGap)(a->instance, cut, sink);
      }
    }
  }
}

static void reportRates(const Assembly* a, const crErrorSink* sink)
{
  const crModel* model = a->instance->model;
  const crCut* worst = NULL;
  double largest = 0.0;
  for (int k = 0; k < a->set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(a->instance->loops, a->set.trees[k]);
         cut < crEndCut(a->instance->loops, a->set.trees[k]); ++cut) {
      for (int r = 0; r < cut->allRowCount; ++r) {
        worst = fabs(cut->rates[r]) >= largest ? cut : worst;
        largest = fmax(largest, fabs(cut->rates[r]));
      }
    }
  }
  if (worst != NULL) {
    char name[CR_CUT_NAME], message[CR_CUT_NAME + 100];
    nameCut(model, worst, name, sizeof name);
    snprintf(message, sizeof message, "the start rates tear %s apart", name);
    crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, pathOf(model, worst));
    crReportNumber(&reporter, message, largest, "0", "m/s or rad/s", "mark fewer of the start values as fixed");
  }
}

// [-] Weakness of a loop that may have stopped a solver, at about 1e-2 of its size from a singular position.
#define CR_SUSPECT 1e-4

bool crInstance_DescribeSingular(const crInstance* instance, char* buffer, size_t size)
{
  if (instance == NULL || buffer == NULL) {
    return false;
  }
  const crCut* worst = NULL;
  for (int i = 0; instance->loops != NULL && i < instance->loops->cutCount; ++i) {
    const crCut* cut = &instance->loops->cuts[i];
    worst = cut->weakness < (worst != NULL ? worst->weakness : CR_SUSPECT) ? cut : worst;
  }
  if (worst == NULL) {
    return false;
  }
  char name[CR_CUT_NAME];
  nameCut(instance->model, worst, name, sizeof name);
  snprintf(buffer, size, "%s is at a singular position, where it could go on in two ways", name);
  return true;
}

bool crInstance_DescribeGap(const crInstance* instance, crTreeSet set, double limit, char* buffer, size_t size)
{
  if (!crCanEvaluate(instance, set) || buffer == NULL) {
    return false;
  }
  const crCut* worst = NULL;
  double largest = limit;
  for (int k = 0; instance->loops != NULL && k < set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(instance->loops, set.trees[k]); cut < crEndCut(instance->loops, set.trees[k]); ++cut) {
      for (int r = 0; r < cut->rowCount; ++r) {
        double gap = fabs(cut->g[r]) / crRowSize(cut, r);
        worst = gap > largest || isnan(gap) ? cut : worst;
        largest = fmax(largest, gap);
      }
    }
  }
  if (worst == NULL) {
    return false;
  }
  char name[CR_CUT_NAME];
  nameCut(instance->model, worst, name, sizeof name);
  snprintf(buffer, size, "%s has opened by %.3g of its size", name, largest);
  return true;
}

// ---------------------------------------------------------------------------------------------- assembly

#define CR_RATE_GAP 1e-8 // [m/s] or [rad/s] that counts as none
#define CR_FURTHER 0.05  // [nominal] by which the fastest coordinate moves to where rows are looked at once more

// Whether the rows of the couplings before `end` depend neither on those of loops, of which there are `loopRows`, nor
// on each other. Their rows alone count afterwards.
static bool areIndependent(Assembly* a, int end, int loopRows)
{
  int couplings = 0;
  for (int k = 0; k < a->set.treeCount; ++k) {
    for (crCut* cut = crFirstCut(a->instance->loops, a->set.trees[k]);
         cut < crEndCut(a->instance->loops, a->set.trees[k]); ++cut) {
      cut->rowCount = crIsCoupling(cut) ? cut->coupling < end : cut->rowCount;
      couplings += crIsCoupling(cut) && cut->coupling < end;
    }
  }
  crChooseAllRows(a->instance, a->set);
  return crInstance_CountMultipliers(a->instance, a->set) == loopRows + couplings;
}

// Chooses the rows in use at the present position. Returns the first coupling whose row depends on those of loops and
// of couplings before it; -1: none.
static int chooseHere(Assembly* a)
{
  int low = 0, high = a->instance->model->rigidCount;
  if (high == 0) {
    crChooseAllRows(a->instance, a->set);
    return -1;
  }
  areIndependent(a, 0, 0);
  int loopRows = crInstance_CountMultipliers(a->instance, a->set);
  if (areIndependent(a, high, loopRows)) {
    return -1;
  }
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    bool isGood = areIndependent(a, middle, loopRows);
    low = isGood ? middle : low;
    high = isGood ? high : middle;
  }
  areIndependent(a, a->instance->model->rigidCount, loopRows);
  return high - 1;
}

static void reportDependent(const crModel* model, int coupling, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, crModel_GetCouplingPath(model, coupling));
  crComplaint complaint = { .message =
                                "the coupling follows from loops, prescribed motions and the couplings before it, "
                                "or contradicts them: it leaves its joints no motion that it could decide",
                            .hint = "leave it out, or let one more of its joints move" };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
}

// Moves the instance along its rates to a closed position. False: at rest, or none was found.
static bool moveFurther(Assembly* a)
{
  crInstance* instance = a->instance;
  const crModel* model = instance->model;
  double speed = 0.0, largest = 0.0;
  fillWeights(instance, a->set, false);
  memcpy(a->guess, a->y, (size_t)a->stateCount * sizeof *a->y);
  for (int k = 0; k < a->set.treeCount; ++k) {
    const crTree* tree = &model->trees[a->set.trees[k]];
    for (int i = 0; i < tree->vCount; ++i) {
      int dof = model->treeDofs[a->set.trees[k]] + i;
      instance->loops->changes[dof] = instance->y[tree->vStart + i];
      speed = fmax(speed, fabs(instance->y[tree->vStart + i]) / instance->loops->weights[dof]);
    }
  }
  for (int d = 0; speed > 0.0 && d < model->size.vCount; ++d) {
    instance->loops->changes[d] *= CR_FURTHER / speed;
  }
  if (!(speed > 0.0)) {
    return false;
  }
  crMoveCoordinates(instance, a->set, instance->loops->changes);
  crInstance_GetState(instance, a->set, a->y);
  useRows(instance, a->set, false);
  a->isFurther = true;
  closeLoops(a);
  double residual = evalResidual(a, a->y, &largest);
  a->isFurther = false;
  return isfinite(residual) && largest <= CR_GAP;
}

// Rows in use: those that do not depend on others at the start, or, where these are more, a little further on.
static void chooseRows(Assembly* a)
{
  crInstance* instance = a->instance;
  double largest = 0.0;
  evalResidual(a, a->y, &largest);
  a->dependent = chooseHere(a);
  int count = crInstance_CountMultipliers(instance, a->set);
  bool isFurther = moveFurther(a);
  if (isFurther) {
    int dependent = chooseHere(a);
    isFurther = crInstance_CountMultipliers(instance, a->set) > count;
    a->dependent = isFurther ? dependent : a->dependent;
  }
  memcpy(a->y, a->guess, (size_t)a->stateCount * sizeof *a->y);
  evalResidual(a, a->y, &largest);
  if (!isFurther) {
    crChooseAllRows(instance, a->set);
  }
}

static crStatus assemble(Assembly* a, const crErrorSink* sink)
{
  if (!assemblePositions(a)) {
    int dependent = chooseHere(a);
    if (dependent >= 0) {
      reportDependent(a->instance->model, dependent, sink);
    } else {
      reportGaps(a, sink);
    }
    return cr_errorModel;
  }
  double speed = assembleRates(a);
  bool isGood = speed <= CR_RATE_GAP;
  if (!isGood) {
    reportRates(a, sink);
  }
  chooseRows(a);
  if (a->dependent >= 0) {
    reportDependent(a->instance->model, a->dependent, sink);
    isGood = false;
  }
  crInstance_Eval(a->instance, a->set, cr_stageVelocity);
  for (int k = 0; k < a->set.treeCount; ++k) {
    crRememberTurns(a->instance, a->set.trees[k]);
  }
  crInstance_SetState(a->instance, a->set, a->t, a->y);
  return isGood ? cr_ok : cr_errorModel;
}

crStatus crInstance_Assemble(crInstance* instance, crTreeSet set, double t, double* y, const crErrorSink* sink)
{
  if (!crCanEvaluate(instance, set) || y == NULL) {
    return cr_errorMisuse;
  }
  crInstance_SetState(instance, set, t, y);
  int count = crModel_CountStates(instance->model, set);
  if (instance->loops == NULL || (count == 0 && instance->model->rigidCount == 0)) {
    return cr_ok;
  }
  size_t size = (2 * (size_t)count + 1) * sizeof(double);
  double* memory = crAllocateZero(&instance->allocator, 1, size);
  if (memory == NULL) {
    return cr_errorMemory;
  }
  Assembly a = { .instance = instance,
                 .set = set,
                 .t = t,
                 .y = y,
                 .trial = memory,
                 .guess = memory + count,
                 .stateCount = count,
                 .dependent = -1 };
  crStatus status = assemble(&a, sink);
  crFree(&instance->allocator, memory, size);
  return status;
}

void crFindRows(crInstance* instance)
{
  if (instance->loops != NULL) {
    crTreeSet set = crModel_GetAllTrees(instance->model);
    crModel_GetStart(instance->model, set, instance->rates);
    crInstance_SetState(instance, set, 0.0, instance->rates);
    crInstance_Eval(instance, set, cr_stagePosition);
    crChooseAllRows(instance, set);
    crInstance_SetState(instance, set, 0.0, instance->rates);
  }
}

crLoopFacts crInstance_GetLoopFacts(const crInstance* instance)
{
  if (instance == NULL) {
    return (crLoopFacts){ 0, 0, 0 };
  }
  const crLoops* loops = instance->loops;
  crLoopFacts facts = { instance->model->size.vCount, instance->model->size.vCount, 0 };
  for (int i = 0; loops != NULL && i < loops->cutCount; ++i) {
    facts.freedom -= loops->cuts[i].activeCount;
    facts.gruebler -= loops->cuts[i].rowCount;
  }
  facts.redundantCount = facts.freedom - facts.gruebler;
  return facts;
}

int crInstance_CountRedundant(const crInstance* instance, int joint)
{
  if (instance == NULL || joint < instance->model->size.bodyCount - 1 || joint >= instance->model->size.jointCount) {
    return 0;
  }
  const crCut* cut = crFindCut(instance, joint);
  return cut->rowCount - cut->activeCount;
}
