// Carom as the right-hand side of another solver: SUNDIALS' IDA integrates a model and finds its contact events with
// its own root finder. This is how a tool for FMI model exchange would do it: it knows states, a residual, two event
// indicators, time events, and what to call at an event and after a step.
//
//   cc root_finder.c $(pkg-config --static --cflags --libs carom) -o root_finder
//   ./root_finder bouncing_ball.lua [STOP [TOLERANCE [MAX_STEP]]]        [s], [-], [s]
//
// Prints contacts as they begin and end, and the state at the end.
//
// A root finder looks at the ends of steps alone: what begins and ends to touch within a step is missed. MAX_STEP must
// be shorter than any passage of two bodies through each other. Loops of joints are left to crSimulate.
#include <carom/carom.h>
#include <carom/io.h>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#define ABSOLUTE_SHARE 0.01 // absolute tolerance for a nominal value of 1, over the relative one

typedef struct Machine {
  const crModel* model;
  crInstance* instance;
  crTreeSet set;       // all trees, with their contacts
  double phase;        // [s] signals are taken from the piece that holds here
  N_Vector y, rates;   // where IDA is
  N_Vector tolerances; // absolute
  SUNMatrix matrix;
  SUNLinearSolver linear;
  void* ida;
} Machine;

// IDA takes positive numbers for "try a smaller step".
static int toFlag(crStatus status)
{
  return status == cr_ok ? 0 : status > 0 ? 1 : -1;
}

static int computeResidual(realtype t, N_Vector y, N_Vector yp, N_Vector residual, void* context)
{
  Machine* m = context;
  crInstance_SetPhase(m->instance, m->set, m->phase);
  return toFlag(crInstance_ComputeResidual(m->instance, m->set, t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(residual)));
}

static int computeRoots(realtype t, N_Vector y, N_Vector yp, realtype* z, void* context)
{
  (void)yp;
  Machine* m = context;
  crInstance_SetPhase(m->instance, m->set, m->phase);
  return toFlag(crInstance_ComputeIndicators(m->instance, m->set, t, NV_DATA_S(y), z));
}

static void printContacts(const Machine* m)
{
  int count = 0;
  const crContactRecord* events = crContacts_GetEvents(m->set.contacts, &count);
  for (int i = 0; i < count; i++) {
    printf("%s %.12f s, %.6e m/s: %s, %s\n", events[i].phase == cr_contactBegin ? "begins" : "ends  ", events[i].time,
           events[i].phase == cr_contactBegin ? events[i].approach : events[i].separation,
           crModel_GetObjectPath(m->model, events[i].objectA), crModel_GetObjectPath(m->model, events[i].objectB));
  }
}

// Who touches whom is found anew at (t, y), impulses may change y, and rates follow.
static crStatus passEvent(Machine* m, double t)
{
  int count;
  double lost, *y = NV_DATA_S(m->y);
  crInstance_SetPhase(m->instance, m->set, m->phase);
  crInstance_SetState(m->instance, m->set, t, y);
  crStatus status = crInstance_Sample(m->instance, m->set);
  if (status == cr_ok && m->set.contacts != NULL) {
    status = crInstance_ResolveContacts(m->instance, m->set);
    status = status == cr_ok ? crInstance_ResolveImpacts(m->instance, m->set, y, &count, &lost) : status;
    printContacts(m);
  }
  return status == cr_ok ? crInstance_ComputeRates(m->instance, m->set, t, y, NV_DATA_S(m->rates)) : status;
}

// The contacts' sums go on over a step of length h that ended at t.
static crStatus completeStep(Machine* m, double t, double h)
{
  crInstance_SetPhase(m->instance, m->set, m->phase);
  crInstance_SetState(m->instance, m->set, t, NV_DATA_S(m->y));
  crStatus status = crInstance_Eval(m->instance, m->set, cr_stageForce);
  if (status == cr_ok && m->set.contacts != NULL) {
    crContacts_CompleteStep(m->set.contacts, h);
  }
  crInstance_CompleteStep(m->instance, m->set, t, NV_DATA_S(m->y));
  return status;
}

// Start values. A simulation has put what lies at rest where what it lies on carries it.
static crStatus readStart(Machine* m)
{
  crSimulation* simulation = NULL;
  crStatus status = crCreateSimulation(m->model, NULL, NULL, NULL, &simulation);
  if (status == cr_ok) {
    crInstance_GetState(crSimulation_GetInstance(simulation), m->set, NV_DATA_S(m->y));
  }
  crDestroySimulation(simulation);
  return status;
}

static bool createIda(Machine* m, SUNContext context, double tolerance, double maxStep)
{
  int n = crModel_CountStates(m->model, m->set);
  m->y = N_VNew_Serial(n, context);
  m->rates = N_VNew_Serial(n, context);
  m->tolerances = N_VNew_Serial(n, context);
  m->matrix = SUNDenseMatrix(n, n, context);
  m->linear = SUNLinSol_Dense(m->y, m->matrix, context);
  m->ida = IDACreate(context);
  crModel_GetNominal(m->model, m->set, NV_DATA_S(m->tolerances));
  N_VScale(ABSOLUTE_SHARE * tolerance, m->tolerances, m->tolerances);
  return IDAInit(m->ida, computeResidual, 0.0, m->y, m->rates) == IDA_SUCCESS &&
         IDASVtolerances(m->ida, tolerance, m->tolerances) == IDA_SUCCESS && IDASetUserData(m->ida, m) == IDA_SUCCESS &&
         IDASetMaxStep(m->ida, maxStep) == IDA_SUCCESS &&
         IDASetLinearSolver(m->ida, m->linear, m->matrix) == IDA_SUCCESS &&
         (m->set.contacts == NULL || IDARootInit(m->ida, CR_INDICATORS, computeRoots) == IDA_SUCCESS);
}

static void destroyIda(Machine* m)
{
  IDAFree(&m->ida);
  SUNLinSolFree(m->linear);
  SUNMatDestroy(m->matrix);
  N_VDestroy(m->tolerances);
  N_VDestroy(m->rates);
  N_VDestroy(m->y);
}

// From event to event, step by step.
static crStatus integrate(Machine* m, double stop)
{
  double t = 0.0;
  crStatus status = cr_ok;
  while (t < stop && status == cr_ok) {
    m->phase = t;
    status = passEvent(m, t);
    double event = crModel_GetNextTimeEvent(m->model, t), end = event < stop ? event : stop;
    int flag = IDAReInit(m->ida, t, m->y, m->rates);
    IDASetStopTime(m->ida, end);
    while (status == cr_ok && flag == IDA_SUCCESS) {
      double from = t;
      flag = IDASolve(m->ida, end, &t, m->y, m->rates, IDA_ONE_STEP);
      status = flag < 0 ? cr_failNumerics : completeStep(m, t, t - from);
    }
  }
  return status;
}

static void printState(const Machine* m)
{
  char name[512];
  for (int i = 0; i < crModel_CountStates(m->model, m->set); i++) {
    crModel_GetStateName(m->model, m->set, i, name, sizeof name);
    printf("%s = %.12g\n", name, NV_Ith_S(m->y, i));
  }
}

static crStatus run(Machine* m, double stop, double tolerance, double maxStep)
{
  SUNContext context = NULL;
  crStatus status = crCreateInstance(m->model, NULL, NULL, &m->instance);
  if (status == cr_ok && crInstance_CountMultipliers(m->instance, m->set) > 0) {
    fprintf(stderr, "the model has loops\n");
    status = cr_errorModel;
  }
  if (status == cr_ok && crModel_GetSize(m->model).pairCount > 0) {
    status = crCreateContacts(m->model, m->set, NULL, &m->set.contacts);
  }
  if (status == cr_ok && SUNContext_Create(NULL, &context) == 0) {
    status = createIda(m, context, tolerance, maxStep) ? readStart(m) : cr_errorMemory;
    status = status == cr_ok ? integrate(m, stop) : status;
    printState(m);
    destroyIda(m);
  }
  SUNContext_Free(&context);
  crDestroyContacts(m->set.contacts);
  crDestroyInstance(m->instance);
  return status;
}

int main(int argc, char** argv)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  crModel* model = NULL;
  crStatus status = argc > 1 ? crReadModel(argv[1], NULL, NULL, &sink, &scene) : cr_errorMisuse;
  status = status == cr_ok ? crCompile(scene, NULL, NULL, &sink, &model) : status;
  if (status == cr_ok) {
    const crRunOptions* wishes = crModel_GetRunOptions(model);
    double stop = argc > 2 ? atof(argv[2]) : wishes->stopTime > 0 ? wishes->stopTime : 1.0;
    double tolerance = argc > 3 ? atof(argv[3]) : wishes->tolerance > 0 ? wishes->tolerance : 1e-8;
    Machine machine = { .model = model, .set = crModel_GetAllTrees(model) };
    status = run(&machine, stop, tolerance, argc > 4 ? atof(argv[4]) : 1e-3 * stop);
  }
  if (status != cr_ok) {
    char text[1024] = "";
    if (crErrorLog_Count(log) > 0) {
      crError_Format(crErrorLog_Get(log, 0), text, sizeof text);
    }
    fprintf(stderr, "%s %s\n", crStatus_GetText(status), text);
  }
  crDestroyModel(model);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
  return status == cr_ok ? 0 : 1;
}
