// Inverse kinematics by damped least squares, with limits of coordinates.
//
// With errors e and slopes J of all rows (target.c), and w the squares of the nominal values of the coordinates,
//
//   d = w J^T (J w J^T + a I)^-1 e
//
// is the displacement that makes |e - J d|^2 + a d^T w^-1 d least. The damping a falls after steps that do good, so
// that the end is Newton's, and grows until one does. Coordinates at a limit that d would push beyond it are locked,
// and d is solved for without them; those that would cross one stop there. An attempt that is stuck, in a corner of
// limits or where no small motion helps, is followed by others, from coordinates all over; these are the same on every
// run.
#include "base/memory.h"
#include "base/report.h"
#include "model/eval/target.h"

#include <stdio.h>
#include <string.h>

#define CR_REACH_TOLERANCE 1e-9 // [m], [rad]
#define CR_REACH_LENGTH 1.0     // [m]
#define CR_REACH_STEPS 200      //
#define CR_REACH_ATTEMPTS 20    //
#define CR_FIRST_DAMPING 1e-3   // [-] of the mean of the diagonal
#define CR_LEAST_DAMPING 1e-14  // [-] likewise: what round-off leaves of dependent rows
#define CR_DAMPING_FALL 0.1     // [-] after a step that did good
#define CR_DAMPING_GROWTH 4.0   // [-] after one that did not
#define CR_MAX_DAMPINGS 40      // in a row; then nothing helps
#define CR_MAX_MOVE 0.7         // [-] of the nominal value per step: farther off the slopes mean nothing
#define CR_STALL 1e-3           // [-] less gain than this ...
#define CR_STALLED_STEPS 15     // ... in so many steps is none
#define CR_MAX_LOCKINGS 8       // rounds of locking for one step

typedef struct Search {
  crTargetRows rows;
  const crReachOptions* options;
  double tolerance;
  int stateCount, n;
  double *y, *trial, *best, *start;    // (stateCount)
  double *d, *weights, *lower, *upper; // (n)
  double *matrix, *solution;           // (rowCount x rowCount), (rowCount)
  double* trialErrors;                 // (rowCount) kept while others are tried
  int* coordinates;                    // (n) place of the coordinate in the state; -1: of a quaternion
  bool* isLocked;                      // (n)
  bool* isTurn;                        // (n) the coordinate is an angle
  uint64_t random;
  crReachFacts facts;
} Search;

// ------------------------------------------------------------------------------------------------ limits

// Limits of one degree of freedom: the stops of its joint, and those of the caller.
static void fillLimits(Search* s, int dof, const crJointLaw* law, int index)
{
  const crReachOptions* o = s->options;
  double lower = -HUGE_VAL, upper = HUGE_VAL;
  bool hasStops = law != NULL && !o->ignoresStops && law->stopStiffness[index] > 0.0;
  if (hasStops) {
    lower = law->stopMin[index] > -CR_NO_STOP ? law->stopMin[index] : lower;
    upper = law->stopMax[index] < CR_NO_STOP ? law->stopMax[index] : upper;
  }
  if (o->lower != NULL && o->lower[dof] > lower) {
    lower = o->lower[dof];
  }
  if (o->upper != NULL && o->upper[dof] < upper) {
    upper = o->upper[dof];
  }
  s->lower[dof] = lower;
  s->upper[dof] = upper;
}

// What is known of each degree of freedom: where its coordinate is, its weight and its limits.
static void describeDofs(Search* s)
{
  const crModel* model = s->rows.instance->model;
  int dof = 0, first = 0;
  for (int k = 0; k < s->rows.set.treeCount; ++k) {
    int tree = s->rows.set.trees[k];
    for (int i = 0; i < model->trees[tree].vCount; ++i, ++dof) {
      crStatePlace place = crLocateState(model, tree, model->trees[tree].qCount + i);
      const crModelJoint* joint = &model->joints[place.joint];
      const crJointType* type = crGetJointType((int)joint->kind);
      double nominal = crGetNominal(model, place);
      bool isPlain = !type->hasQuaternion;
      s->coordinates[dof] = isPlain ? first + joint->qStart - model->trees[tree].qStart + place.index : -1;
      s->isTurn[dof] = strcmp(type->rateUnits[place.index], "rad/s") == 0;
      s->weights[dof] = nominal * nominal;
      fillLimits(s, dof, isPlain ? crGetJointLaw(model, joint) : NULL, place.index);
      if (!isPlain) {
        s->lower[dof] = -HUGE_VAL;
        s->upper[dof] = HUGE_VAL;
      }
    }
    first += crTreeStateCount(&model->trees[tree]);
  }
}

static void clamp(const Search* s, double* y)
{
  for (int i = 0; i < s->n; ++i) {
    if (s->coordinates[i] >= 0) {
      double* q = &y[s->coordinates[i]];
      *q = fmin(fmax(*q, s->lower[i]), s->upper[i]);
    }
  }
}

// -------------------------------------------------------------------------------------------------- step

static double sumSquares(const double* x, int count)
{
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    sum += x[i] * x[i];
  }
  return sum;
}

// matrix = J w J^T + a I by its lower half, columns; a is relative to the mean of the diagonal.
static void fillMatrix(const Search* s, double damping)
{
  int m = s->rows.rowCount;
  double trace = 0.0;
  for (int i = 0; i < m; ++i) {
    const double* a = s->rows.slopes + (size_t)i * (size_t)s->n;
    for (int j = 0; j <= i; ++j) {
      const double* b = s->rows.slopes + (size_t)j * (size_t)s->n;
      double sum = 0.0;
      for (int k = 0; k < s->n; ++k) {
        sum += s->isLocked[k] ? 0.0 : a[k] * b[k] * s->weights[k];
      }
      s->matrix[(size_t)i * (size_t)m + (size_t)j] = sum;
    }
    trace += s->matrix[(size_t)i * (size_t)m + (size_t)i];
  }
  double a = damping * (trace > 0.0 ? trace / m : 1.0);
  for (int i = 0; i < m; ++i) {
    s->matrix[(size_t)i * (size_t)m + (size_t)i] += a;
  }
}

// Cholesky, then both substitutions; false: not positive definite.
static bool solve(const Search* s)
{
  size_t m = (size_t)s->rows.rowCount;
  double *A = s->matrix, *x = s->solution;
  memcpy(x, s->rows.errors, m * sizeof *x);
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = A[i * m + j];
      for (size_t k = 0; k < j; ++k) {
        sum -= A[i * m + k] * A[j * m + k];
      }
      if (i == j && !(sum > 0.0)) {
        return false;
      }
      A[i * m + j] = i == j ? sqrt(sum) : sum / A[j * m + j];
    }
    for (size_t k = 0; k < i; ++k) {
      x[i] -= A[i * m + k] * x[k];
    }
    x[i] /= A[i * m + i];
  }
  for (size_t i = m; i-- > 0;) {
    x[i] /= A[i * m + i];
    for (size_t k = 0; k < i; ++k) {
      x[k] -= A[i * m + k] * x[i];
    }
  }
  return true;
}

// d of the coordinates that are not locked, no component of it longer than CR_MAX_MOVE.
static bool computeStep(Search* s, double damping)
{
  fillMatrix(s, damping);
  if (!solve(s)) {
    return false;
  }
  double longest = 1.0;
  for (int k = 0; k < s->n; ++k) {
    double sum = 0.0;
    for (int i = 0; i < s->rows.rowCount; ++i) {
      sum += s->rows.slopes[(size_t)i * (size_t)s->n + (size_t)k] * s->solution[i];
    }
    s->d[k] = s->isLocked[k] ? 0.0 : s->weights[k] * sum;
    longest = fmax(longest, fabs(s->d[k]) / (CR_MAX_MOVE * sqrt(s->weights[k])));
  }
  for (int k = 0; k < s->n; ++k) {
    s->d[k] /= longest;
  }
  return crAreFinite(s->d, s->n);
}

// Locks what is at a limit and would be pushed beyond it; whether there was any that was not locked before.
static bool lockPushed(Search* s)
{
  bool has = false;
  for (int k = 0; k < s->n; ++k) {
    if (s->coordinates[k] >= 0 && !s->isLocked[k]) {
      double q = s->y[s->coordinates[k]];
      if ((q <= s->lower[k] && s->d[k] < 0.0) || (q >= s->upper[k] && s->d[k] > 0.0)) {
        s->isLocked[k] = has = true;
      }
    }
  }
  return has;
}

// The trial state of one damping; whether there is one.
static bool tryStep(Search* s, double damping)
{
  memset(s->isLocked, 0, (size_t)s->n * sizeof *s->isLocked);
  bool isSolved = computeStep(s, damping);
  for (int round = 0; isSolved && round < CR_MAX_LOCKINGS && lockPushed(s); ++round) {
    isSolved = computeStep(s, damping);
  }
  if (isSolved) {
    crDisplace(s->rows.instance, s->rows.set, s->rows.t, s->y, s->d, 1.0, s->trial);
    clamp(s, s->trial);
  }
  return isSolved;
}

// ----------------------------------------------------------------------------------------------- attempt

static bool isReached(Search* s)
{
  crMeasureTargets(&s->rows, &s->facts);
  return s->facts.distance <= s->tolerance && s->facts.angle <= s->tolerance && s->facts.gap <= s->tolerance;
}

// Takes one step from y, whose errors and slopes are there. *damping goes with it. Returns the sum of squares at the
// new y, or a negative number: nothing helps.
static double takeStep(Search* s, double sum, double* damping)
{
  size_t size = (size_t)s->rows.rowCount * sizeof(double);
  memcpy(s->trialErrors, s->rows.errors, size);
  for (int k = 0; k < CR_MAX_DAMPINGS; ++k) {
    memcpy(s->rows.errors, s->trialErrors, size);
    if (tryStep(s, *damping) && crEvalTargetRows(&s->rows, s->trial, false) == cr_ok) {
      double next = sumSquares(s->rows.errors, s->rows.rowCount);
      if (next < sum) {
        memcpy(s->y, s->trial, (size_t)s->stateCount * sizeof *s->y);
        *damping = fmax(CR_DAMPING_FALL * *damping, CR_LEAST_DAMPING);
        return next;
      }
    }
    *damping *= CR_DAMPING_GROWTH;
  }
  memcpy(s->rows.errors, s->trialErrors, size);
  return -1.0;
}

// From y on; cr_ok: reached. cr_failNumerics: stuck.
static crStatus attempt(Search* s, int maxSteps)
{
  const crReachOptions* o = s->options;
  double damping = CR_FIRST_DAMPING;
  int stalled = 0;
  crStatus status = crEvalTargetRows(&s->rows, s->y, false);
  double sum = sumSquares(s->rows.errors, s->rows.rowCount);
  for (int step = 0; status == cr_ok && step < maxSteps && stalled < CR_STALLED_STEPS; ++step) {
    if (isReached(s)) {
      return cr_ok;
    }
    if (o->shouldStop != NULL && o->shouldStop(o->context)) {
      return cr_cancelled;
    }
    ++s->facts.stepCount;
    status = crEvalTargetRows(&s->rows, s->y, true);
    double next = status == cr_ok ? takeStep(s, sum, &damping) : -1.0;
    if (next < 0.0) {
      break;
    }
    stalled = next > sum * (1.0 - CR_STALL) ? stalled + 1 : 0;
    sum = next;
  }
  return status == cr_ok && isReached(s) ? cr_ok : cr_failNumerics;
}

// ------------------------------------------------------------------------------------------------ starts

// A number in [-1, 1) of the sequence of Marsaglia's xorshift.
static double drawNumber(Search* s)
{
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  s->random ^= s->random << 17;
  return (double)(int64_t)s->random / 9223372036854775808.0;
}

// Coordinates all over: between limits where there are two, a turn either way of angles, else a nominal value around.
static void drawStart(Search* s)
{
  for (int k = 0; k < s->n; ++k) {
    double draw = drawNumber(s);
    s->d[k] = draw * (s->isTurn[k] ? CR_PI : sqrt(s->weights[k]));
  }
  crDisplace(s->rows.instance, s->rows.set, s->rows.t, s->start, s->d, 1.0, s->y);
  for (int k = 0; k < s->n; ++k) {
    bool isBounded = s->coordinates[k] >= 0 && s->lower[k] > -HUGE_VAL && s->upper[k] < HUGE_VAL;
    if (isBounded) {
      s->y[s->coordinates[k]] = s->lower[k] + (s->upper[k] - s->lower[k]) * (0.5 + 0.5 * drawNumber(s));
    }
  }
  clamp(s, s->y);
}

// cr_ok: y meets all targets. cr_failNumerics: it is the nearest that was found.
static crStatus search(Search* s)
{
  const crReachOptions* o = s->options;
  size_t size = (size_t)s->stateCount * sizeof(double);
  int maxSteps = o->maxSteps > 0 ? o->maxSteps : CR_REACH_STEPS;
  int maxAttempts = o->maxAttempts > 0 ? o->maxAttempts : CR_REACH_ATTEMPTS;
  double least = HUGE_VAL;
  crReachFacts best = { .distance = NAN, .angle = NAN, .gap = NAN };
  memcpy(s->y, s->start, size);
  clamp(s, s->y);
  crStatus status = cr_failNumerics;
  for (int k = 0; k < maxAttempts && status == cr_failNumerics; ++k) {
    if (k > 0) {
      drawStart(s);
    }
    ++s->facts.attemptCount;
    status = attempt(s, maxSteps);
    double sum = sumSquares(s->rows.errors, s->rows.rowCount);
    if (status == cr_ok || sum < least) {
      least = sum;
      best = s->facts;
      memcpy(s->best, s->y, size);
    }
  }
  best.attemptCount = s->facts.attemptCount;
  best.stepCount = s->facts.stepCount;
  s->facts = best;
  return status;
}

static crStatus fail(const Search* s, const crErrorSink* sink)
{
  const crModel* model = s->rows.instance->model;
  const char* path = s->rows.targetCount == 1 ? crModel_GetObjectPath(model, s->rows.targets[0].object) : NULL;
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, path);
  char found[128];
  snprintf(found, sizeof found, "%.3g m and %.3g rad are left", s->facts.distance, s->facts.angle);
  crComplaint complaint = { .message = s->facts.gap > s->tolerance ? "the target was not reached with all loops closed"
                                                                   : "the target was not reached",
                            .found = found,
                            .hint = "it may be out of reach, or beyond the stops of joints; or let it ignore the "
                                    "orientation" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  return cr_failNumerics;
}

// --------------------------------------------------------------------------------------------------- call

static bool areUsable(const crModel* model, const crReachTarget* targets, int targetCount, crReporter* reporter)
{
  for (int i = 0; i < targetCount; ++i) {
    const crReachTarget* target = &targets[i];
    if (!crCheckSize(reporter, "crReachTarget", target->size, sizeof *target) || target->object < 0 ||
        target->object >= model->size.objectCount || !crIsFiniteVec3(target->X_WO.p) ||
        !crIsFiniteVec3(target->X_WO.R.cx) || !crIsFiniteVec3(target->X_WO.R.cy) ||
        !crIsFiniteVec3(target->X_WO.R.cz) || !crIsFiniteVec3(target->point)) {
      return false;
    }
  }
  return targetCount >= 0;
}

static bool areGood(const crReachOptions* o, crReporter* reporter)
{
  return crCheckSize(reporter, "crReachOptions", o->size, sizeof *o) && o->tolerance >= 0.0 && o->length >= 0.0 &&
         isfinite(o->length) && o->maxSteps >= 0 && o->maxAttempts >= 0;
}

// All arrays in one block of numbers, and one of marks.
static bool takeMemory(Search* s, double** outNumbers, size_t* outCount, int** outMarks)
{
  size_t n = (size_t)s->n, m = (size_t)s->rows.rowCount, states = (size_t)s->stateCount;
  const crAllocator* allocator = &s->rows.instance->allocator;
  *outCount = 4 * states + 4 * n + m * m + 3 * m + m * n + 12 * n + 1;
  double* memory = *outNumbers = crAllocateZero(allocator, *outCount, sizeof *memory);
  *outMarks = crAllocateZero(allocator, 3 * n + 1, sizeof **outMarks);
  if (memory == NULL || *outMarks == NULL) {
    return false;
  }
  double** parts[] = { &s->y, &s->trial, &s->best, &s->start };
  for (int i = 0; i < 4; ++i, memory += states) {
    *parts[i] = memory;
  }
  double** lists[] = { &s->d, &s->weights, &s->lower, &s->upper };
  for (int i = 0; i < 4; ++i, memory += n) {
    *lists[i] = memory;
  }
  s->matrix = memory;
  s->solution = s->matrix + m * m;
  s->trialErrors = s->solution + m;
  s->rows.errors = s->trialErrors + m;
  s->rows.slopes = s->rows.errors + m;
  s->rows.jacobianA = s->rows.slopes + m * n;
  s->rows.jacobianB = s->rows.jacobianA + 6 * n;
  s->coordinates = *outMarks;
  s->isLocked = (bool*)(*outMarks + n);
  s->isTurn = (bool*)(*outMarks + 2 * n);
  return true;
}

crReachTarget crDefaultReachTarget(int object)
{
  return (crReachTarget){ .size = sizeof(crReachTarget), .object = object, .X_WO = crIdentityPose() };
}

crReachOptions crDefaultReachOptions(void)
{
  return (crReachOptions){ .size = sizeof(crReachOptions) };
}

static crStatus refuseDrivenCut(const crModel* model, int joint, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, crModel_GetJointPath(model, joint));
  crComplaint complaint = { .message =
                                "a joint that closes a loop has a prescribed motion: no coordinates are searched for",
                            .hint = "leave its motion out, or give the joint another place in the loop" };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

// Fills `s`, searches, and hands the outcome over.
static crStatus reach(Search* s, double* y, const crErrorSink* sink)
{
  describeDofs(s);
  memcpy(s->start, y, (size_t)s->stateCount * sizeof *y);
  const crModel* model = s->rows.instance->model;
  double* own = s->start;
  for (int k = 0; k < s->rows.set.treeCount; ++k) {
    const crTree* tree = &model->trees[s->rows.set.trees[k]];
    memset(own + tree->qCount, 0, (size_t)tree->vCount * sizeof *own);
    own += crTreeStateCount(tree);
  }
  crStatus status = search(s);
  if (status == cr_ok || (status == cr_failNumerics && isfinite(s->facts.gap))) {
    memcpy(y, s->best, (size_t)s->stateCount * sizeof *y);
  }
  return status == cr_failNumerics ? fail(s, sink) : status;
}

crStatus crInstance_ComputeInverseKinematics(crInstance* instance, crTreeSet set, double t,
                                             const crReachTarget* targets, int targetCount,
                                             const crReachOptions* options, double* y, const crErrorSink* sink,
                                             crReachFacts* outFacts)
{
  static const crReachOptions standard = { .size = sizeof(crReachOptions) };
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  const crReachOptions* o = options != NULL ? options : &standard;
  if (instance == NULL || y == NULL || targets == NULL || !crModel_IsClosed(instance->model, set) || !isfinite(t) ||
      !areGood(o, &reporter) || !areUsable(instance->model, targets, targetCount, &reporter)) {
    return cr_errorMisuse;
  }
  const crModel* model = instance->model;
  int driven = crFindDrivenCut(model, set);
  if (driven >= 0) {
    return refuseDrivenCut(model, driven, sink);
  }
  Search s = { .options = o, .random = 88172645463325252u, .n = crModel_CountRates(model, set) };
  s.stateCount = crModel_CountStates(model, set);
  s.tolerance = o->tolerance > 0.0 ? o->tolerance : CR_REACH_TOLERANCE;
  s.rows = (crTargetRows){ .instance = instance, .set = set, .t = t, .targets = targets, .targetCount = targetCount };
  s.rows.length = o->length > 0.0 ? o->length : CR_REACH_LENGTH;
  s.rows.dofCount = s.n;
  s.rows.rowCount = crCountTargetRows(model, set, targets, targetCount);
  double* numbers = NULL;
  int* marks = NULL;
  size_t count = 0;
  crStatus status = cr_errorMemory;
  if (takeMemory(&s, &numbers, &count, &marks)) {
    status = reach(&s, y, sink);
    crInstance_SetState(instance, set, t, y);
  } else {
    crReport(&reporter, cr_severityError, cr_errorMemory, &(crComplaint){ .message = "out of memory" });
  }
  crFree(&instance->allocator, numbers, numbers != NULL ? count * sizeof *numbers : 0);
  crFree(&instance->allocator, marks, marks != NULL ? (3 * (size_t)s.n + 1) * sizeof *marks : 0);
  if (outFacts != NULL) {
    *outFacts = s.facts;
  }
  return status;
}
