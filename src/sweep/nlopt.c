#include "sweep/nlopt.h"

#include "base/platform.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

#define CR_NLOPT_LIBRARY "libnlopt.so.0"
#define CR_NLOPT_MAXEVAL_REACHED 5
#define CR_NLOPT_FORCED_STOP (-5)
#define CR_NLOPT_ROUNDOFF (-4) // as good as it gets

typedef struct Optimizer Optimizer; // nlopt_opt
typedef double Function(unsigned n, const double* x, double* gradient, void* context);

// The functions of NLopt that are used, as its reference declares them.
typedef struct Library {
  void* handle;
  int (*fromString)(const char* name);
  Optimizer* (*create)(int algorithm, unsigned n);
  void (*destroy)(Optimizer* optimizer);
  int (*setObjective)(Optimizer* optimizer, Function* function, void* context);
  int (*setLower)(Optimizer* optimizer, const double* lower);
  int (*setUpper)(Optimizer* optimizer, const double* upper);
  int (*setTolerance)(Optimizer* optimizer, double tolerance);
  int (*setLimit)(Optimizer* optimizer, int count);
  int (*setStep)(Optimizer* optimizer, double step);
  int (*setLocal)(Optimizer* optimizer, const Optimizer* local);
  int (*stop)(Optimizer* optimizer);
  void (*seed)(unsigned long seed);
  int (*optimize)(Optimizer* optimizer, double* x, double* outValue);
} Library;

static const struct {
  const char *word, *algorithm;
} methods[] = {
  { "bobyqa", "LN_BOBYQA" }, { "cobyla", "LN_COBYLA" }, { "crs2", "GN_CRS2_LM" }, { "mlsl", "GN_MLSL_LDS" }
};

static const char* findAlgorithm(const char* method)
{
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    if (strcmp(methods[i].word, method) == 0) {
      return methods[i].algorithm;
    }
  }
  return NULL;
}

bool crIsNloptMethod(const char* method)
{
  return findAlgorithm(method) != NULL;
}

// C has no cast from an object to a function, POSIX wants one.
static bool find(Library* library, const char* name, void* outFunction)
{
  void* symbol = dlsym(library->handle, name);
  memcpy(outFunction, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool openLibrary(Library* library)
{
  library->handle = dlopen(CR_NLOPT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return library->handle != NULL && find(library, "nlopt_algorithm_from_string", &library->fromString) &&
         find(library, "nlopt_create", &library->create) && find(library, "nlopt_destroy", &library->destroy) &&
         find(library, "nlopt_set_min_objective", &library->setObjective) &&
         find(library, "nlopt_set_lower_bounds", &library->setLower) &&
         find(library, "nlopt_set_upper_bounds", &library->setUpper) &&
         find(library, "nlopt_set_xtol_rel", &library->setTolerance) &&
         find(library, "nlopt_set_maxeval", &library->setLimit) &&
         find(library, "nlopt_set_initial_step1", &library->setStep) &&
         find(library, "nlopt_set_local_optimizer", &library->setLocal) &&
         find(library, "nlopt_force_stop", &library->stop) && find(library, "nlopt_srand", &library->seed) &&
         find(library, "nlopt_optimize", &library->optimize);
}

typedef struct Call {
  const crNloptProblem* problem;
  const Library* library;
  Optimizer* optimizer;
} Call;

static double evaluate(unsigned n, const double* x, double* gradient, void* context)
{
  (void)n;
  (void)gradient; // none of the methods asks for one
  const Call* call = context;
  if (call->problem->shouldStop != NULL && call->problem->shouldStop(call->problem->context)) {
    call->library->stop(call->optimizer);
  }
  return call->problem->evaluate(call->problem->context, x);
}

static Optimizer* createOptimizer(const Library* library, const crNloptProblem* problem, const char* algorithm)
{
  int number = library->fromString(algorithm);
  Optimizer* optimizer = number >= 0 ? library->create(number, (unsigned)problem->count) : NULL;
  if (optimizer != NULL) {
    library->setLower(optimizer, problem->lower);
    library->setUpper(optimizer, problem->upper);
    library->setTolerance(optimizer, problem->tolerance);
    library->setLimit(optimizer, problem->maxEvaluations);
    library->setStep(optimizer, problem->step);
  }
  return optimizer;
}

static crStatus minimize(const Library* library, const crNloptProblem* problem, double* ioX, bool* outIsLimited)
{
  bool isGlobal = strcmp(problem->method, "mlsl") == 0;
  Optimizer* optimizer = createOptimizer(library, problem, findAlgorithm(problem->method));
  Optimizer* local = isGlobal ? createOptimizer(library, problem, "LN_BOBYQA") : NULL;
  double value;
  if (optimizer == NULL || (isGlobal && local == NULL)) {
    library->destroy(optimizer);
    library->destroy(local);
    return cr_errorMemory;
  }
  Call call = { problem, library, optimizer };
  library->setObjective(optimizer, evaluate, &call);
  if (local != NULL) {
    library->setLocal(optimizer, local);
  }
  library->seed((unsigned long)problem->seed + 1);
  int result = library->optimize(optimizer, ioX, &value);
  library->destroy(optimizer);
  library->destroy(local);
  *outIsLimited = result == CR_NLOPT_MAXEVAL_REACHED;
  bool isDone = result > 0 || result == CR_NLOPT_ROUNDOFF;
  return isDone ? cr_ok : result == CR_NLOPT_FORCED_STOP ? cr_cancelled : cr_failNumerics;
}

crStatus crMinimizeByNlopt(const crNloptProblem* problem, double* ioX, bool* outIsLimited, const crErrorSink* sink)
{
  Library library = { 0 };
  crStatus status;
  if (openLibrary(&library)) {
    status = minimize(&library, problem, ioX, outIsLimited);
  } else {
    crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "fit");
    crComplaint complaint = { .message = "this method needs NLopt, which this machine does not have",
                              .found = problem->method,
                              .hint = "install libnlopt0, or use levenberg-marquardt" };
    crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
    status = cr_errorFile;
  }
  if (library.handle != NULL) {
    dlclose(library.handle);
  }
  return status;
}
