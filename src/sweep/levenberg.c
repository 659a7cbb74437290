// Levenberg's and Marquardt's method: (J^T J + lambda D) d = -J^T r with D the diagonal of J^T J, inside bounds. A
// parameter that lies on a bound and is drawn across it stays there.
#include "sweep/fit.h"

#include <math.h>
#include <string.h>

#define CR_MAX_ITERATIONS 200
#define CR_FIRST_LAMBDA 1e-3
#define CR_LARGEST_LAMBDA 1e12
#define CR_SMALLEST_LAMBDA 1e-12
#define CR_GAIN_LIMIT 1e-12 // of the sum over its degrees of freedom: parameters are then 1e-6 of their errors away
#define CR_STEP_LIMIT 1e-11 // [scales]
#define CR_ROUNDING 1e-24   // of the sum at the start: residuals of a perfect model

bool crSolveCholesky(double* a, int n, double* b)
{
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; ++k) {
        sum -= a[i * n + k] * a[j * n + k];
      }
      if (i == j && !(sum > 0.0)) {
        return false;
      }
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) {
      b[i] -= a[i * n + k] * b[k];
    }
    b[i] /= a[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) {
      b[i] -= a[k * n + i] * b[k];
    }
    b[i] /= a[i * n + i];
  }
  return true;
}

static double sumSquares(const double* values, int count)
{
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    sum += values[i] * values[i];
  }
  return sum;
}

// The equations at a point.
typedef struct Normal {
  double matrix[CR_MAX_FIT_PARAMETERS][CR_MAX_FIT_PARAMETERS]; // J^T J
  double gradient[CR_MAX_FIT_PARAMETERS];                      // J^T r
  int free[CR_MAX_FIT_PARAMETERS];                             // (freeCount) parameters that may move
  int freeCount;
} Normal;

static void makeNormal(const crFitProblem* problem, const crLevenberg* s, Normal* normal)
{
  size_t n = (size_t)problem->residualCount;
  normal->freeCount = 0;
  for (int i = 0; i < problem->count; ++i) {
    const double* a = s->jacobian + (size_t)i * n;
    double gradient = 0.0;
    for (size_t k = 0; k < n; ++k) {
      gradient += a[k] * s->residuals[k];
    }
    normal->gradient[i] = gradient;
    for (int j = 0; j <= i; ++j) {
      const double* b = s->jacobian + (size_t)j * n;
      double sum = 0.0;
      for (size_t k = 0; k < n; ++k) {
        sum += a[k] * b[k];
      }
      normal->matrix[i][j] = normal->matrix[j][i] = sum;
    }
    bool isHeld = (s->x[i] <= problem->lower[i] && gradient > 0.0) || (s->x[i] >= problem->upper[i] && gradient < 0.0);
    if (!isHeld && normal->matrix[i][i] > 0.0) {
      normal->free[normal->freeCount++] = i;
    }
  }
}

// The step, cut off at bounds, and by how much the sum should fall.
static double findStep(const crFitProblem* problem, const Normal* normal, const double* x, double lambda,
                       double* outStep)
{
  double matrix[CR_MAX_FIT_PARAMETERS * CR_MAX_FIT_PARAMETERS], step[CR_MAX_FIT_PARAMETERS];
  int n = normal->freeCount;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double value = normal->matrix[normal->free[i]][normal->free[j]];
      matrix[i * n + j] = i == j ? value * (1.0 + lambda) : value;
    }
    step[i] = -normal->gradient[normal->free[i]];
  }
  memset(outStep, 0, (size_t)problem->count * sizeof *outStep);
  if (!crSolveCholesky(matrix, n, step)) {
    return -1.0;
  }
  for (int i = 0; i < n; ++i) {
    int k = normal->free[i];
    outStep[k] = fmin(fmax(x[k] + step[i], problem->lower[k]), problem->upper[k]) - x[k];
  }
  double gain = 0.0;
  for (int i = 0; i < problem->count; ++i) {
    gain -= 2.0 * normal->gradient[i] * outStep[i];
    for (int j = 0; j < problem->count; ++j) {
      gain -= outStep[i] * normal->matrix[i][j] * outStep[j];
    }
  }
  return gain;
}

static double largest(const double* values, int count)
{
  double most = 0.0;
  for (int i = 0; i < count; ++i) {
    most = fmax(most, fabs(values[i]));
  }
  return most;
}

// Tries steps until the sum falls. false: it is over, and `end` says why.
static bool takeStep(crFitProblem* problem, crLevenberg* s, const Normal* normal, double noise, double* ioLambda,
                     double* trial)
{
  int n = problem->residualCount;
  for (;;) {
    double step[CR_MAX_FIT_PARAMETERS], x[CR_MAX_FIT_PARAMETERS];
    double gain = findStep(problem, normal, s->x, *ioLambda, step);
    if ((gain >= 0.0 && gain <= CR_GAIN_LIMIT * s->sum / fmax(1.0, n - problem->count)) || s->sum <= noise ||
        (gain >= 0.0 && largest(step, problem->count) <= CR_STEP_LIMIT)) {
      s->end = cr_fitConverged;
      return false;
    }
    if (*ioLambda > CR_LARGEST_LAMBDA || atomic_load(&problem->runs) >= problem->maxRuns) {
      s->end = *ioLambda > CR_LARGEST_LAMBDA ? cr_fitStalled : cr_fitRunLimit;
      return false;
    }
    for (int i = 0; i < problem->count; ++i) {
      x[i] = s->x[i] + step[i];
    }
    bool isRun = gain > 0.0 && crFitProblem_Evaluate(problem, x, trial, NULL, NULL) == cr_ok;
    double sum = isRun ? sumSquares(trial, n) : INFINITY;
    if (sum < s->sum) {
      bool isGood = s->sum - sum > 0.75 * gain;
      memcpy(s->x, x, (size_t)problem->count * sizeof *x);
      memcpy(s->residuals, trial, (size_t)n * sizeof *trial);
      s->sum = sum;
      *ioLambda = fmax(*ioLambda * (isGood ? 0.1 : 0.5), CR_SMALLEST_LAMBDA);
      return true;
    }
    *ioLambda *= 10.0;
  }
}

crStatus crFitProblem_SolveLevenberg(crFitProblem* problem, crLevenberg* s, const crErrorSink* sink)
{
  size_t size = ((size_t)problem->residualCount + 1) * sizeof(double);
  double* trial = crAllocate(&problem->allocator, size);
  crStatus status = trial != NULL ? crFitProblem_Evaluate(problem, s->x, s->residuals, NULL, sink) : cr_errorMemory;
  double lambda = CR_FIRST_LAMBDA;
  bool isMoving = status == cr_ok;
  s->sum = status == cr_ok ? sumSquares(s->residuals, problem->residualCount) : INFINITY;
  double noise = CR_ROUNDING * s->sum;
  s->end = cr_fitRunLimit;
  for (s->iterations = 0; isMoving && s->iterations < CR_MAX_ITERATIONS; ++s->iterations) {
    Normal normal;
    status = crFitProblem_ShouldStop(problem) ? cr_cancelled : crFitProblem_Differentiate(problem, s->x, s->jacobian);
    if (status != cr_ok) {
      break;
    }
    makeNormal(problem, s, &normal);
    isMoving = takeStep(problem, s, &normal, noise, &lambda, trial);
  }
  crFree(&problem->allocator, trial, trial != NULL ? size : 0);
  return status;
}
