// Static equilibrium: coordinates at which nothing at rest is accelerated.
//
// With the generalized forces f(q) at v = 0, and small motions d in the space of the rates, q moved by d = q + N(q) d:
//
//   (K + a M) d = f(q),   K = -df/dd by differences,   a >= 0
//
// is Newton's step for a = 0 and a step along M^-1 f for large a. The damping a is the least at which the symmetric
// part of K + a M is positive definite: then d goes where forces do work, away from equilibria that are unstable, as
// falling would. It is never quite zero: where K is singular, as for a ball that may rest anywhere, d is the shortest
// of all steps. Steps are shortened until the mean force along them still does work.
//
// Friction that sticks makes many positions equilibria. Degrees of freedom that have any are held where they are, and
// the others moved until they are in equilibrium; then the loads are those that friction has to carry. Where that is
// too much, the worst slides: against it acts the friction of sliding, and the search goes on. In the end the bristles
// are stretched so that they carry the loads.
//
// Of joints that are coupled one follows the others (equilibrium_coupling.h): it counts as held, with its force and
// mass added to those of the others. Clutches and brakes are springs that give way where they would slide, motors have
// the current of their voltage at standstill (driveline.c).
#include "base/memory.h"
#include "base/report.h"
#include "math/dense.h"
#include "model/eval/equilibrium_coupling.h"
#include "model/loop/loop.h"

#include <stdio.h>
#include <string.h>

#define CR_EQUILIBRIUM_STEPS 1000 // Newton takes some 5; the rest is for ways from far away
#define CR_EQUILIBRIUM_TOL 1e-11  // [-] of what a displacement by the nominal value costs
#define CR_NOISE_SHARE 1e-3       // [-] of the tolerance: round-off
#define CR_MAX_MOVE 0.5           // [-] of the nominal value per step: farther off K means nothing
#define CR_MAX_SHORTENINGS 30     // halvings of a step
#define CR_DIFFERENCE 1e-5        // [-] of the nominal value: error of K 1e-10 of it
#define CR_LEAST_DAMPING 1e-10    // [-] of the largest K_ii / M_ii
#define CR_DAMPING_GROWTH 2.0     // [-] until positive definite
#define CR_STEP_DAMPING 1.5       // [-] until the step is short enough
#define CR_MAX_DAMPINGS 200

typedef struct Search {
  crInstance* instance;
  crTreeSet set;
  double t;
  int n; // degrees of freedom
  int stateCount;
  double *y, *trial;    // (stateCount) at rest
  double *f, *fNew;     // (n) generalized forces
  double *d, *nominal;  // (n)
  double *K, *M, *work; // (n x n) by columns
  const double* atRest; // (n) zeros
  double* isHeld;       // (n) 1: by friction, else 0
  double* slide;        // (n) friction of what was held and slides now
  double* statics;      // (crCountElastics) see crInstance.statics
  crReduction couplings;
} Search;

// ---------------------------------------------------------------------------------------------- motion

// outY = y moved by factor d, at rest.
static void moveBy(const Search* s, const double* y, const double* d, double factor, double* outY)
{
  crDisplace(s->instance, s->set, s->t, y, d, factor, outY);
}

// With bristles that are not stretched.
static crStatus computeLoads(const Search* s, const double* y, double* outLoads)
{
  crStatus status = crInstance_ComputeInverseDynamics(s->instance, s->set, s->t, y, s->atRest, outLoads);
  for (int i = 0; i < s->n; ++i) {
    outLoads[i] = -outLoads[i];
  }
  crReduction_ReduceForces(&s->couplings, outLoads);
  return status;
}

static crStatus computeForces(const Search* s, const double* y, double* outForces)
{
  crStatus status = computeLoads(s, y, outForces);
  for (int i = 0; i < s->n; ++i) {
    outForces[i] = s->isHeld[i] != 0.0 ? 0.0 : outForces[i] + s->slide[i];
  }
  return status;
}

// K by central differences, a column per degree of freedom.
static crStatus computeStiffness(Search* s)
{
  crStatus status = cr_ok;
  size_t n = (size_t)s->n;
  memset(s->d, 0, n * sizeof *s->d);
  memset(s->K, 0, n * n * sizeof *s->K);
  for (size_t j = 0; j < n && status == cr_ok; ++j) {
    if (s->isHeld[j] != 0.0) {
      continue;
    }
    double h = CR_DIFFERENCE * s->nominal[j];
    double* column = s->K + j * n;
    s->d[j] = h;
    crReduction_Spread(&s->couplings, s->d);
    moveBy(s, s->y, s->d, 1.0, s->trial);
    status = computeForces(s, s->trial, column);
    if (status == cr_ok) {
      moveBy(s, s->y, s->d, -1.0, s->trial);
      status = computeForces(s, s->trial, s->fNew);
    }
    for (size_t i = 0; i < n; ++i) {
      column[i] = (s->fNew[i] - column[i]) / (2.0 * h);
    }
    memset(s->d, 0, n * sizeof *s->d);
  }
  return status;
}

// ------------------------------------------------------------------------------------- linear equations

// work = K + a M, or its symmetric part; of what is held the diagonal only.
static void fillMatrix(const Search* s, double a, bool isSymmetric)
{
  size_t n = (size_t)s->n;
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) {
      double k = isSymmetric ? 0.5 * (s->K[i + j * n] + s->K[j + i * n]) : s->K[i + j * n];
      bool isCoupled = i == j || s->isHeld[i] + s->isHeld[j] == 0.0;
      s->work[i + j * n] = isCoupled ? k + a * s->M[i + j * n] : 0.0;
    }
  }
}

// ------------------------------------------------------------------------------------------------ steps

// The least damping that makes K + a M positive definite.
static double chooseDamping(const Search* s)
{
  size_t n = (size_t)s->n;
  double largest = 0.0;
  for (size_t i = 0; i < n; ++i) {
    double ratio = fabs(s->K[i + i * n]) / s->M[i + i * n];
    largest = ratio > largest ? ratio : largest;
  }
  double a = largest > 0.0 ? CR_LEAST_DAMPING * largest : 1.0;
  for (int k = 0; k < CR_MAX_DAMPINGS; ++k) {
    fillMatrix(s, a, true);
    if (crFactorCholesky(s->work, s->n)) {
      break;
    }
    a *= CR_DAMPING_GROWTH;
  }
  return a;
}

// The largest component of d in units of what is allowed; infinite where d is not finite.
static double measureStep(const Search* s)
{
  double longest = 0.0;
  for (int i = 0; i < s->n; ++i) {
    longest = fmax(longest, fabs(s->d[i]) / (CR_MAX_MOVE * s->nominal[i]));
  }
  return crAreFinite(s->d, s->n) ? longest : HUGE_VAL;
}

// d = (K + a M)^-1 f with a so large that no coordinate moves by more than CR_MAX_MOVE. Cutting d instead would leave
// only the direction in which K + a M is nearly singular.
static bool computeStep(Search* s)
{
  double a = chooseDamping(s);
  for (int k = 0; k < CR_MAX_DAMPINGS; ++k, a *= CR_STEP_DAMPING) {
    fillMatrix(s, a, false);
    memcpy(s->d, s->f, (size_t)s->n * sizeof *s->d);
    bool isSolved = crSolveDense(s->work, s->n, s->d);
    crReduction_Spread(&s->couplings, s->d);
    if (isSolved && measureStep(s) <= 1.0) {
      return true;
    }
  }
  return false;
}

// Moves y along d, all the way or as far as the mean force of both ends does work.
static bool takeStep(Search* s)
{
  double factor = 1.0;
  for (int k = 0; k < CR_MAX_SHORTENINGS; ++k, factor *= 0.5) {
    moveBy(s, s->y, s->d, factor, s->trial);
    if (computeForces(s, s->trial, s->fNew) == cr_ok) {
      double gained = 0.0;
      for (int i = 0; i < s->n; ++i) {
        gained += (s->f[i] + s->fNew[i]) * s->d[i];
      }
      if (gained > 0.0) {
        memcpy(s->y, s->trial, (size_t)s->stateCount * sizeof *s->y);
        memcpy(s->f, s->fNew, (size_t)s->n * sizeof *s->f);
        return true;
      }
    }
  }
  return false;
}

// The largest force in units of what is allowed, and whose it is; K and M must be those of y.
static double findWorst(const Search* s, int* outDof)
{
  size_t n = (size_t)s->n;
  double worst = 0.0;
  *outDof = 0;
  for (size_t i = 0; i < n; ++i) {
    double scale = s->M[i + i * n] * s->nominal[i]; // an acceleration by the nominal value in 1 s
    for (size_t j = 0; j < n; ++j) {
      scale += fabs(s->K[i + j * n]) * s->nominal[j];
    }
    double share = fabs(s->f[i]) / (CR_EQUILIBRIUM_TOL * scale);
    if (share > worst) {
      worst = share;
      *outDof = (int)i;
    }
  }
  return worst;
}

// ---------------------------------------------------------------------------------------------- messages

// The joint of a degree of freedom of the set, and the name of its coordinate.
static int findJoint(const crModel* model, crTreeSet set, int dof, const char** outRate)
{
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    if (dof < tree->vCount) {
      crStatePlace place = crLocateState(model, set.trees[k], tree->qCount + dof);
      const crModelJoint* joint = &model->joints[place.joint];
      *outRate = crGetJointType((int)joint->kind)->rateNames[place.index];
      return place.joint;
    }
    dof -= tree->vCount;
  }
  return -1;
}

static crStatus fail(const Search* s, const crErrorSink* sink, int dof)
{
  const char* rate = "";
  int joint = findJoint(s->instance->model, s->set, dof, &rate);
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, crModel_GetJointPath(s->instance->model, joint));
  char message[256], found[64];
  const char* more = s->slide[dof] != 0.0 ? ", more than friction carries," : "";
  snprintf(message, sizeof message, "no static equilibrium was found: a force along '%s'%s is left", rate, more);
  snprintf(found, sizeof found, "%.6g", s->f[dof]);
  crComplaint complaint = { message, found, "0", "N or N m",
                            "hold what can fall or turn for ever with a spring or a stop, or start nearer to the "
                            "equilibrium" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  return cr_failNumerics;
}

static crStatus failEvaluation(const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  crComplaint complaint = { .message = "no static equilibrium was found: the forces are not finite",
                            .hint = "start elsewhere: a distance or a force is infinite or not a number here" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  return cr_failNumerics;
}

// ------------------------------------------------------------------------------------------------ search

// Small forces are an equilibrium when the next step makes them smaller still: next to a singularity they are small
// only against differences that make no sense there. At round-off nothing gets smaller any more.
static bool hasConverged(double share, double previousShare)
{
  return share <= CR_NOISE_SHARE || (previousShare <= 1.0 && share <= 0.5 * previousShare);
}

static crStatus search(Search* s, const crEquilibriumOptions* options, const crErrorSink* sink)
{
  bool canStop = options != NULL && options->shouldStop != NULL;
  int worst = 0;
  double share = HUGE_VAL;
  if (computeForces(s, s->y, s->f) != cr_ok) {
    return failEvaluation(sink);
  }
  for (int k = 0; k < CR_EQUILIBRIUM_STEPS; ++k) {
    if (canStop && options->shouldStop(options->context)) {
      return cr_cancelled;
    }
    if (crInstance_ComputeMassMatrix(s->instance, s->set, s->t, s->y, s->M) != cr_ok || computeStiffness(s) != cr_ok) {
      return failEvaluation(sink);
    }
    crReduction_ReduceMasses(&s->couplings, s->M);
    double previous = share;
    share = findWorst(s, &worst);
    if (hasConverged(share, previous)) {
      return cr_ok;
    }
    if (!computeStep(s) || !takeStep(s)) { // no work is to be had any more
      return share <= 1.0 ? cr_ok : fail(s, sink, worst);
    }
  }
  return fail(s, sink, worst);
}

// ---------------------------------------------------------------------------------------------- friction

// Degrees of freedom that stick, one after the other.
typedef struct Sticking {
  int dof; // of the set
  double* stretch;
  double atRest, sliding; // [N m] or [N] friction
  double stiffness;
} Sticking;

static Sticking describe(Search* s, int dof, int bristle, double* treeStates, const crTree* tree)
{
  const crModel* model = s->instance->model;
  const crJointBristle* record = &model->bristles[bristle];
  const crJointLaw* law = &model->jointLaws[model->joints[record->joint].law];
  return (Sticking){ .dof = dof,
                     .stretch = treeStates + (record->state - tree->qStart),
                     .atRest = law->frictionStatic[record->index],
                     .sliding = law->friction[record->index],
                     .stiffness = law->frictionStiffness[record->index] };
}

// The first one behind a degree of freedom of the set; false: there is none.
static bool findSticking(Search* s, int behind, Sticking* outSticking)
{
  const crModel* model = s->instance->model;
  double* states = s->y;
  int dof = 0;
  for (int k = 0; k < s->set.treeCount; ++k) {
    const crTree* tree = &model->trees[s->set.trees[k]];
    for (int i = 0; i < tree->vCount; ++i, ++dof) {
      crStatePlace place = crLocateState(model, s->set.trees[k], tree->qCount + i);
      int bristle = crFindBristle(model, &model->joints[place.joint], place.index);
      if (dof > behind && bristle >= 0) {
        *outSticking = describe(s, dof, bristle, states, tree);
        return true;
      }
    }
    states += crTreeStateCount(tree);
  }
  return false;
}

static void holdAll(Search* s)
{
  Sticking one = { .dof = -1 };
  while (findSticking(s, one.dof, &one)) {
    s->isHeld[one.dof] = 1.0;
    *one.stretch = 0.0;
  }
}

// Lets go the one whose load, in fNew, is farthest beyond its friction; false: all hold.
static bool releaseWorst(Search* s)
{
  Sticking one = { .dof = -1 }, worst = { .dof = -1 };
  double most = 1.0;
  while (findSticking(s, one.dof, &one)) {
    double share = fabs(s->fNew[one.dof]) / one.atRest;
    if (s->isHeld[one.dof] != 0.0 && share > most) {
      most = share;
      worst = one;
    }
  }
  if (worst.dof >= 0) {
    s->isHeld[worst.dof] = 0.0;
    s->slide[worst.dof] = -copysign(worst.sliding, s->fNew[worst.dof]);
  }
  return worst.dof >= 0;
}

static void stretchAll(Search* s)
{
  Sticking one = { .dof = -1 };
  while (findSticking(s, one.dof, &one)) {
    double load = s->isHeld[one.dof] != 0.0 ? s->fNew[one.dof] : -s->slide[one.dof];
    *one.stretch = load / one.stiffness;
  }
}

static crStatus searchWithFriction(Search* s, const crEquilibriumOptions* options, const crErrorSink* sink)
{
  crStatus status;
  do {
    status = search(s, options, sink);
    if (status == cr_ok && computeLoads(s, s->y, s->fNew) != cr_ok) {
      status = failEvaluation(sink);
    }
  } while (status == cr_ok && releaseWorst(s));
  if (status == cr_ok) {
    stretchAll(s);
  }
  return status;
}

static void fillStart(Search* s, const double* y)
{
  const crModel* model = s->instance->model;
  double* nominal = s->nominal;
  double* own = s->y;
  memcpy(s->y, y, (size_t)s->stateCount * sizeof *y);
  for (int k = 0; k < s->set.treeCount; ++k) {
    int tree = s->set.trees[k], qCount = model->trees[tree].qCount, vCount = model->trees[tree].vCount;
    memset(own + qCount, 0, (size_t)vCount * sizeof *own);
    for (int i = 0; i < vCount; ++i) {
      *nominal++ = crGetNominal(model, crLocateState(model, tree, qCount + i));
    }
    own += crTreeStateCount(&model->trees[tree]);
  }
  holdAll(s);
}

// Where sums of clutches and brakes begin, with the stretches that they have.
static crStatus fillStatics(Search* s)
{
  const crModel* model = s->instance->model;
  crInstance_SetState(s->instance, s->set, s->t, s->y);
  crStatus status = crInstance_Eval(s->instance, s->set, cr_stagePosition);
  for (int i = model->rigidCount; i < model->size.couplingCount && status == cr_ok; ++i) {
    const crModelCoupling* coupling = &model->couplings[i];
    double* start = &s->statics[i - model->rigidCount];
    *start = coupling->state >= 0 ? s->instance->y[coupling->state] : 0.0;
    for (int k = coupling->termStart; k < coupling->termStart + coupling->termCount; ++k) {
      *start -= model->terms[k].factor * crGetCoordinate(s->instance, model->terms[k].joint, 0);
    }
  }
  return status;
}

// Stretches and currents of the state that was evaluated last.
static void keepStatics(Search* s)
{
  const crModel* model = s->instance->model;
  double* own = s->y;
  for (int k = 0; k < s->set.treeCount; ++k) {
    const crTree* tree = &model->trees[s->set.trees[k]];
    for (int i = tree->qCount + tree->vCount; i < crTreeStateCount(tree); ++i) {
      int coupling = crLocateState(model, s->set.trees[k], i).coupling;
      if (coupling >= 0) {
        own[i] = s->instance->elastics[coupling - model->rigidCount].deflection;
      }
    }
    own += crTreeStateCount(tree);
  }
}

// What follows by a coupling counts as held.
static crStatus start(Search* s)
{
  crStatus status = crCreateReduction(s->instance, s->set, s->t, s->isHeld, s->y, &s->couplings);
  for (int i = 0; i < s->couplings.rowCount; ++i) {
    s->isHeld[s->couplings.pivots[i]] = 1.0;
  }
  return status == cr_ok ? fillStatics(s) : status;
}

static crStatus searchAll(Search* s, const crEquilibriumOptions* options, const crErrorSink* sink)
{
  crStatus status = start(s);
  if (status != cr_ok) {
    return status == cr_errorMemory ? status : failEvaluation(sink);
  }
  s->instance->statics = s->statics;
  status = searchWithFriction(s, options, sink);
  if (status == cr_ok) {
    keepStatics(s);
  }
  s->instance->statics = NULL;
  return status;
}

static crStatus failMemory(crReporter* reporter)
{
  crComplaint complaint = { .message = "out of memory while an equilibrium was searched for" };
  crReport(reporter, cr_severityError, cr_errorMemory, &complaint);
  return cr_errorMemory;
}

static crStatus refuseLoops(const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  crComplaint complaint = { .message = "no static equilibrium is searched for where joints form loops",
                            .hint = "add damping to the joints and simulate until the motion has died out" };
  crReport(&reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

crEquilibriumOptions crDefaultEquilibriumOptions(void)
{
  return (crEquilibriumOptions){ .size = sizeof(crEquilibriumOptions) };
}

crStatus crInstance_ComputeEquilibrium(crInstance* instance, crTreeSet set, double t, double* y,
                                       const crEquilibriumOptions* options, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
  if (instance == NULL || y == NULL || !crModel_IsClosed(instance->model, set) ||
      (options != NULL && !crCheckSize(&reporter, "crEquilibriumOptions", options->size, sizeof *options))) {
    return cr_errorMisuse;
  }
  if (crHasCutJoints(instance, set)) {
    return refuseLoops(sink);
  }
  int n = crModel_CountRates(instance->model, set), stateCount = crModel_CountStates(instance->model, set);
  size_t square = (size_t)n * (size_t)n, elastics = (size_t)crCountElastics(instance->model);
  size_t count = 2 * (size_t)stateCount + 7 * (size_t)n + 3 * square + elastics;
  if (n == 0) {
    return cr_ok;
  }
  double* memory = crAllocateZero(&instance->allocator, count, sizeof *memory);
  if (memory == NULL) {
    return failMemory(&reporter);
  }
  Search s = { .instance = instance, .set = set, .t = t, .n = n, .stateCount = stateCount, .y = memory };
  s.trial = s.y + stateCount;
  s.f = s.trial + stateCount;
  s.fNew = s.f + n;
  s.d = s.fNew + n;
  s.nominal = s.d + n;
  s.atRest = s.nominal + n;
  s.isHeld = s.nominal + 2 * (size_t)n;
  s.slide = s.isHeld + n;
  s.K = s.slide + n;
  s.M = s.K + square;
  s.work = s.M + square;
  s.statics = s.work + square;
  fillStart(&s, y);
  crStatus status = searchAll(&s, options, sink);
  if (status == cr_ok) {
    memcpy(y, s.y, (size_t)stateCount * sizeof *y);
  } else if (status == cr_errorMemory) {
    failMemory(&reporter);
  }
  crDestroyReduction(instance, &s.couplings);
  crInstance_SetState(instance, set, t, y);
  crFree(&instance->allocator, memory, count * sizeof *memory);
  return status;
}
