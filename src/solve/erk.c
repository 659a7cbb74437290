// Explicit Runge-Kutta methods by ARKODE: Dormand and Prince's of order 5 [DormandPrince80], which needs the fewest
// evaluations for a given error among ARKODE's tables, and Prince and Dormand's of order 8 [PrinceDormand81].
// ARKODE 5.4 keeps the error; what follows is done here.
//
// - For roots, interpolation takes a step of the same method from the start of the last step to the time asked for. So
//   the state at a root is that of a step that ends there, and redoing it changes nothing.
// - For output that would be too dear. Order 5 takes the polynomial of degree 5 through states and rates of the last
//   three ends of steps: its error, h^6, is that of the steps, and it costs no evaluation. For the long steps of order
//   8 it is too coarse, and so are ARKODE's. There the polynomial through four ends, error h^8, says where to evaluate
//   f inside the step; these slopes with three ends make a polynomial of degree 9, once for all output points of the
//   step. The error is h^9, that of the steps [EnrightEtAl86]. Where steps changed too fast for that, and in the first
//   ones, output is interpolated as for roots.
// - A stage that cannot be evaluated shortens the step. ARKODE would give up.
// - Both tables end with f at the end of the step (first same as last). ARKODE takes the last stage for that whenever
//   its node is 1, even where its argument is another. So Prince and Dormand's 13 stages have got such a 14th, which
//   costs nothing. ARKODE's own method of order 8, Fehlberg's, has not; besides, its error estimate is 0 for y' = f(t).
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <arkode/arkode_erkstep.h>

#define CR_MAX_STAGES 14
#define CR_MAX_INNER 4
#define CR_MIN_DISTANCE 0.2  // steps that one of the last ends must be away to tell anything,
#define CR_MAX_DISTANCE 2.0  // and may be away before the polynomial is worse than the steps
#define CR_RETRY_SHRINK 0.25 // of the step, where a stage cannot be evaluated

struct crErk {
  ARKodeButcherTable table;      // the last row of A is b
  double* slopes[CR_MAX_STAGES]; // (n) each: f at the stages of an interpolation
  int innerCount;                // slopes inside a step that its polynomial needs: none for order 5
  double* inner[CR_MAX_INNER];   // (n) each: these
  double innerFrom, innerTo;     // the step that they belong to
};

// -------------------------------------------------------------------------------------------- tables

// RK8(7)13M of [PrinceDormand81]; row 14 is b, of order 8, and d is of order 7.
// clang-format off
static const double nodes8[14] = {
  0.0, 1.0 / 18, 1.0 / 12, 1.0 / 8, 5.0 / 16, 3.0 / 8, 59.0 / 400, 93.0 / 200, 5490023248.0 / 9719169821.0, 13.0 / 20,
  1201146811.0 / 1299019798.0, 1.0, 1.0, 1.0 };
static const double embedded8[14] = {
  13451932.0 / 455176623.0, 0, 0, 0, 0, -808719846.0 / 976000145.0, 1757004468.0 / 5645159321.0,
  656045339.0 / 265891186.0, -3867574721.0 / 1518517206.0, 465885868.0 / 322736535.0, 53011238.0 / 667516719.0, 2.0 / 45 };
static const double stages8[14][14] = {
  { 0 },
  { 1.0 / 18 },
  { 1.0 / 48, 1.0 / 16 },
  { 1.0 / 32, 0, 3.0 / 32 },
  { 5.0 / 16, 0, -75.0 / 64, 75.0 / 64 },
  { 3.0 / 80, 0, 0, 3.0 / 16, 3.0 / 20 },
  { 29443841.0 / 614563906.0, 0, 0, 77736538.0 / 692538347.0, -28693883.0 / 1125000000.0, 23124283.0 / 1800000000.0 },
  { 16016141.0 / 946692911.0, 0, 0, 61564180.0 / 158732637.0, 22789713.0 / 633445777.0, 545815736.0 / 2771057229.0,
    -180193667.0 / 1043307555.0 },
  { 39632708.0 / 573591083.0, 0, 0, -433636366.0 / 683701615.0, -421739975.0 / 2616292301.0, 100302831.0 / 723423059.0,
    790204164.0 / 839813087.0, 800635310.0 / 3783071287.0 },
  { 246121993.0 / 1340847787.0, 0, 0, -37695042795.0 / 15268766246.0, -309121744.0 / 1061227803.0,
    -12992083.0 / 490766935.0, 6005943493.0 / 2108947869.0, 393006217.0 / 1396673457.0, 123872331.0 / 1001029789.0 },
  { -1028468189.0 / 846180014.0, 0, 0, 8478235783.0 / 508512852.0, 1311729495.0 / 1432422823.0,
    -10304129995.0 / 1701304382.0, -48777925059.0 / 3047939560.0, 15336726248.0 / 1032824649.0,
    -45442868181.0 / 3398467696.0, 3065993473.0 / 597172653.0 },
  { 185892177.0 / 718116043.0, 0, 0, -3185094517.0 / 667107341.0, -477755414.0 / 1098053517.0,
    -703635378.0 / 230739211.0, 5731566787.0 / 1027545527.0, 5232866602.0 / 850066563.0, -4093664535.0 / 808688257.0,
    3962137247.0 / 1805957418.0, 65686358.0 / 487910083.0 },
  { 403863854.0 / 491063109.0, 0, 0, -5068492393.0 / 434740067.0, -411421997.0 / 543043805.0, 652783627.0 / 914296604.0,
    11173962825.0 / 925320556.0, -13158990841.0 / 6184727034.0, 3936647629.0 / 1978049680.0, -160528059.0 / 685178525.0,
    248638103.0 / 1413531060.0 },
  { 14005451.0 / 335480064.0, 0, 0, 0, 0, -59238493.0 / 1068277825.0, 181606767.0 / 758867731.0,
    561292985.0 / 797845732.0, -1041891430.0 / 1371343529.0, 760417239.0 / 1151165299.0, 118820643.0 / 751138087.0,
    -528747749.0 / 2220607170.0, 1.0 / 4 },
};
// clang-format on

static ARKodeButcherTable makePrinceDormand(void)
{
  double c[14], d[14], A[14][14]; // ARKODE copies them, but wants them writable
  memcpy(c, nodes8, sizeof c);
  memcpy(d, embedded8, sizeof d);
  memcpy(A, stages8, sizeof A);
  return ARKodeButcherTable_Create(14, 8, 7, c, &A[0][0], A[13], d);
}

// -------------------------------------------------------------------------------------------- create

static bool setTolerances(crSolver* solver)
{
  crSolver_LoadTolerances(solver);
  return ERKStepSVtolerances(solver->integrator, solver->options.relTol, solver->vector) == ARK_SUCCESS;
}

static bool setOptions(crSolver* solver)
{
  void* ark = solver->integrator;
  return setTolerances(solver) && ERKStepSetUserData(ark, solver) == ARK_SUCCESS &&
         ERKStepSetErrHandlerFn(ark, crKeepMessage, solver) == ARK_SUCCESS &&
         ERKStepSetTable(ark, solver->erk->table) == ARK_SUCCESS &&
         ERKStepSetInterpolantDegree(ark, 3) == ARK_SUCCESS && // not used, but degrees above 3 cost evaluations
         ERKStepSetMaxStep(ark, crSolver_GetMaxStep(solver)) == ARK_SUCCESS &&
         ERKStepSetMaxHnilWarns(ark, -1) == ARK_SUCCESS &&
         ERKStepSetMaxErrTestFails(ark, CR_MAX_SHRINKS) == ARK_SUCCESS;
}

static bool allocateVectors(crSolver* solver, double** vectors, int count)
{
  for (int i = 0; i < count; ++i) {
    vectors[i] = crArena_AllocateZero(&solver->arena, (size_t)solver->problem.n, sizeof(double));
    if (vectors[i] == NULL) {
      return false;
    }
  }
  return true;
}

static crStatus createWith(crSolver* solver, ARKodeButcherTable table, int innerCount)
{
  solver->erk = table != NULL ? crArena_AllocateZero(&solver->arena, 1, sizeof *solver->erk) : NULL;
  if (solver->erk == NULL) {
    ARKodeButcherTable_Free(table);
    return cr_errorMemory;
  }
  solver->erk->table = table;
  solver->erk->innerCount = innerCount;
  solver->erk->innerFrom = solver->erk->innerTo = NAN;
  solver->integrator = ERKStepCreate(crComputeRates, 0.0, solver->vector, solver->context);
  bool isMade = solver->integrator != NULL && setOptions(solver) &&
                allocateVectors(solver, solver->erk->slopes, table->stages) &&
                allocateVectors(solver, solver->erk->inner, innerCount);
  return isMade ? cr_ok : cr_errorMemory;
}

static crStatus create5(crSolver* solver)
{
  return createWith(solver, ARKodeButcherTable_LoadERK(ARKODE_DORMAND_PRINCE_7_4_5), 0);
}

static crStatus create8(crSolver* solver)
{
  return createWith(solver, makePrinceDormand(), CR_MAX_INNER);
}

static void destroy(crSolver* solver)
{
  if (solver->integrator != NULL) {
    ERKStepFree(&solver->integrator);
  }
  if (solver->erk != NULL) {
    ARKodeButcherTable_Free(solver->erk->table);
  }
}

// --------------------------------------------------------------------------------------------- steps

static crTrouble toTrouble(int flag)
{
  switch (flag) {
    case ARK_SUCCESS:
    case ARK_TSTOP_RETURN: return cr_troubleNone;
    case ARK_ERR_FAILURE: return cr_troubleStep;
    case ARK_UNREC_RHSFUNC_ERR:
    case ARK_RHSFUNC_FAIL: return cr_troubleUndefined;
    case ARK_TOO_MUCH_ACC: return cr_troubleTolerance;
    default: return cr_troubleInside;
  }
}

static void setFirstStep(crSolver* solver, double step)
{
  ERKStepSetInitStep(solver->integrator, step);
}

// From `to`, whose rates are f there.
static int startFromTo(crSolver* solver)
{
  crSolver_LoadState(solver);
  solver->knowsRates = true;
  solver->erk->innerFrom = solver->erk->innerTo = NAN; // other states may come at the same times
  return ERKStepReInit(solver->integrator, crComputeRates, solver->to.t, solver->vector);
}

static crTrouble restart(crSolver* solver, bool knowsRates)
{
  (void)knowsRates;
  return toTrouble(startFromTo(solver));
}

// Tries the step; where a stage cannot be evaluated, starts again with a shorter one.
static int tryStep(crSolver* solver, double tEnd, double* tReached)
{
  void* ark = solver->integrator;
  ERKStepSetStopTime(ark, tEnd);
  int flag = ERKStepEvolve(ark, tEnd, solver->vector, tReached, ARK_ONE_STEP);
  for (int shrink = 0; flag == ARK_UNREC_RHSFUNC_ERR && shrink < CR_MAX_SHRINKS; ++shrink) {
    double tried = solver->method->getAccount(solver).triedStep;
    crSolver_BankCounters(solver);
    ++solver->statistics.rejectedSteps;
    startFromTo(solver);
    setFirstStep(solver, CR_RETRY_SHRINK * tried);
    ERKStepSetStopTime(ark, tEnd);
    flag = ERKStepEvolve(ark, tEnd, solver->vector, tReached, ARK_ONE_STEP);
  }
  return flag;
}

static crTrouble step(crSolver* solver, double tStop)
{
  double tReached = 0.0;
  int flag = tryStep(solver, fmin(tStop, DBL_MAX), &tReached);
  if (flag < 0) {
    return toTrouble(flag);
  }
  crSolver_ReadState(solver, solver->to.y);
  flag = ERKStepGetDky(solver->integrator, tReached, 1, solver->rateVector); // f there, as stored
  crSolver_ReadRates(solver, solver->to.rates);
  solver->to.t = tReached;
  return toTrouble(flag);
}

// ------------------------------------------------------------------------------------- interpolation

// out = y + h sum of a[j] slopes[j], j < stage
static void addSlopes(const crSolver* solver, double h, int stage, double* out)
{
  const double* a = solver->erk->table->A[stage];
  for (int i = 0; i < solver->problem.n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < stage; ++j) {
      sum += a[j] * solver->erk->slopes[j][i];
    }
    out[i] = solver->from.y[i] + h * sum;
  }
}

static crTrouble evalSlope(crSolver* solver, double t, const double* y, double* outSlope)
{
  crStatus status = crSolver_EvalRates(solver, t, y, outSlope);
  return status == cr_ok ? cr_troubleNone : status == cr_retry ? cr_troubleUndefined : cr_troubleFunction;
}

static crTrouble interpolate(crSolver* solver, double t, double* outY, double* outRates)
{
  const crErk* erk = solver->erk;
  double h = t - solver->from.t;
  int last = erk->table->stages - 1;
  memcpy(erk->slopes[0], solver->from.rates, (size_t)solver->problem.n * sizeof(double));
  for (int stage = 1; stage < last; ++stage) {
    addSlopes(solver, h, stage, outY);
    crTrouble trouble = evalSlope(solver, solver->from.t + erk->table->c[stage] * h, outY, erk->slopes[stage]);
    if (trouble != cr_troubleNone) {
      return trouble;
    }
  }
  addSlopes(solver, h, last, outY);
  return outRates != NULL ? evalSlope(solver, t, outY, outRates) : cr_troubleNone;
}

// ------------------------------------------------------------------------------------------- output

static const double innerPlaces[CR_MAX_INNER] = { 0.2, 0.4, 0.6, 0.8 }; // of the step

// Whether the start of a step before lies at a useful distance, measured by this step.
static bool isUseful(const crSolver* solver, int i)
{
  double distance = (solver->from.t - solver->before[i].t) / (solver->to.t - solver->from.t);
  return solver->beforeCount > i && distance >= CR_MIN_DISTANCE * (i + 1) && distance <= CR_MAX_DISTANCE * (i + 1);
}

// f at the inner places, on a polynomial.
static crTrouble evalInner(crSolver* solver, const crHermite* hermite, double** outRates)
{
  for (int i = 0; i < solver->erk->innerCount; ++i) {
    double t = hermite->t0 + innerPlaces[i] * hermite->h;
    crHermite_Compute(hermite, solver->problem.n, t, solver->scratch, NULL);
    crTrouble trouble = evalSlope(solver, t, solver->scratch, outRates[i]);
    if (trouble != cr_troubleNone) {
      return trouble;
    }
  }
  return cr_troubleNone;
}

// Three ends and the slopes inside.
static crHermite makeInnerHermite(const crSolver* solver, double** rates)
{
  crHermite hermite = crMakeHermite(&solver->from, &solver->to);
  crHermite_AddPoint(&hermite, &solver->before[0]);
  for (int i = 0; i < solver->erk->innerCount; ++i) {
    crHermite_AddSlope(&hermite, innerPlaces[i], rates[i]);
  }
  return hermite;
}

// The slopes inside the step, from four ends, and once more from the first ones.
static crTrouble findInner(crSolver* solver)
{
  crErk* erk = solver->erk;
  crHermite ends = crMakeHermite(&solver->from, &solver->to);
  crHermite_AddPoint(&ends, &solver->before[0]);
  crHermite_AddPoint(&ends, &solver->before[1]);
  erk->innerFrom = erk->innerTo = NAN;
  crTrouble trouble = evalInner(solver, &ends, erk->slopes);
  if (trouble == cr_troubleNone) {
    crHermite first = makeInnerHermite(solver, erk->slopes);
    trouble = evalInner(solver, &first, erk->inner);
  }
  if (trouble == cr_troubleNone) {
    erk->innerFrom = solver->from.t;
    erk->innerTo = solver->to.t;
  }
  return trouble;
}

static crTrouble interpolateOutput(crSolver* solver, double t, double* outY)
{
  crErk* erk = solver->erk;
  bool isKnown = erk->innerCount == 0 || (erk->innerFrom == solver->from.t && erk->innerTo == solver->to.t);
  if (!isUseful(solver, 0) || (!isKnown && (!isUseful(solver, 1) || findInner(solver) != cr_troubleNone))) {
    return interpolate(solver, t, outY, NULL);
  }
  crHermite hermite = makeInnerHermite(solver, erk->inner);
  crHermite_Compute(&hermite, solver->problem.n, t, outY, NULL);
  return cr_troubleNone;
}

// ------------------------------------------------------------------------------------------- account

static crAccount getAccount(const crSolver* solver)
{
  void* integrator = solver->integrator;
  long errors = 0;
  crAccount account = { .lastOrder = solver->method->info.order };
  ERKStepGetNumErrTestFails(integrator, &errors);
  account.rejectedSteps = errors;
  ERKStepGetLastStep(integrator, &account.lastStep);
  ERKStepGetCurrentStep(integrator, &account.triedStep);
  return account;
}

static bool getErrors(crSolver* solver)
{
  return ERKStepGetEstLocalErrors(solver->integrator, solver->vector) == ARK_SUCCESS &&
         ERKStepGetErrWeights(solver->integrator, solver->rateVector) == ARK_SUCCESS;
}

const crMethod crErk5Method = {
  .info = { .name = "erk5",
            .about = "explicit Runge-Kutta of order 5, Dormand and Prince (ARKODE)",
            .canRedo = true,
            .order = 5 },
  .startOrder = 5,
  .create = create5,
  .destroy = destroy,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .interpolateOutput = interpolateOutput,
  .getAccount = getAccount,
  .getErrors = getErrors,
};

const crMethod crErk8Method = {
  .info = { .name = "erk8",
            .about = "explicit Runge-Kutta of order 8, Prince and Dormand (ARKODE)",
            .canRedo = true,
            .order = 8 },
  .startOrder = 8,
  .create = create8,
  .destroy = destroy,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .interpolateOutput = interpolateOutput,
  .getAccount = getAccount,
  .getErrors = getErrors,
};
