// Forward dynamics of revolute chains: ns per degree of freedom of crInstance_ComputeRates, against the recursion of
// the textbook ([Featherstone08] table 7.1) written out for this chain with dense 6x6 matrices, built with the same
// flags. The yardstick knows the chain by heart: axes, lengths and inertias are constants in it. The last column is the
// largest difference of the accelerations, relative to the largest acceleration.
#include "chain.h"

#include <stdio.h>
#include <string.h>

#define FLATNESS_LIMIT 1.5 // dearest per cheapest degree of freedom over all n
#define ERROR_LIMIT 1e-9   // [-] the yardstick's own round-off at n = 512

// ---------------------------------------------------------------------------------------- the yardstick

typedef double Matrix6[6][6];

static struct {
  Matrix6 X[CHAIN_MAX], IA[CHAIN_MAX], rigid;
  double v[CHAIN_MAX][6], c[CHAIN_MAX][6], pA[CHAIN_MAX][6], U[CHAIN_MAX][6], a[CHAIN_MAX][6];
  double inverseD[CHAIN_MAX], u[CHAIN_MAX], acceleration[CHAIN_MAX];
} hand;

static void fillRigid(void)
{
  const double com[3] = { 0, 0, -CHAIN_LENGTH / 2 }, inertia[3] = { CHAIN_IX, CHAIN_IY, CHAIN_IZ };
  const double cross[3][3] = { { 0, -com[2], com[1] }, { com[2], 0, -com[0] }, { -com[1], com[0], 0 } };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double sum = i == j ? inertia[i] : 0.0;
      for (int k = 0; k < 3; ++k) {
        sum += CHAIN_MASS * cross[i][k] * cross[j][k];
      }
      hand.rigid[i][j] = sum;
      hand.rigid[i][j + 3] = CHAIN_MASS * cross[i][j];
      hand.rigid[i + 3][j] = CHAIN_MASS * cross[j][i];
      hand.rigid[i + 3][j + 3] = i == j ? CHAIN_MASS : 0.0;
    }
  }
}

// Motion transform from the parent: rotation E, then the offset r.
static void fillTransform(int link, double angle, Matrix6 X)
{
  const double c = cos(angle), s = sin(angle), z = link > 0 ? -CHAIN_LENGTH : 0.0;
  const double r[3][3] = { { 0, -z, 0 }, { z, 0, 0 }, { 0, 0, 0 } };
  const double aboutY[3][3] = { { c, 0, -s }, { 0, 1, 0 }, { s, 0, c } };
  const double aboutX[3][3] = { { 1, 0, 0 }, { 0, c, s }, { 0, -s, c } };
  const double(*E)[3] = chainAxis(link) == 1 ? aboutY : aboutX;
  memset(X, 0, sizeof(Matrix6));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      X[i][j] = X[i + 3][j + 3] = E[i][j];
      for (int k = 0; k < 3; ++k) {
        X[i + 3][j] -= E[i][k] * r[k][j];
      }
    }
  }
}

static void crossMotion(const double* V, const double* m, double* out)
{
  out[0] = V[1] * m[2] - V[2] * m[1];
  out[1] = V[2] * m[0] - V[0] * m[2];
  out[2] = V[0] * m[1] - V[1] * m[0];
  out[3] = V[1] * m[5] - V[2] * m[4] + V[4] * m[2] - V[5] * m[1];
  out[4] = V[2] * m[3] - V[0] * m[5] + V[5] * m[0] - V[3] * m[2];
  out[5] = V[0] * m[4] - V[1] * m[3] + V[3] * m[1] - V[4] * m[0];
}

static void crossForce(const double* V, const double* f, double* out)
{
  out[0] = V[1] * f[2] - V[2] * f[1] + V[4] * f[5] - V[5] * f[4];
  out[1] = V[2] * f[0] - V[0] * f[2] + V[5] * f[3] - V[3] * f[5];
  out[2] = V[0] * f[1] - V[1] * f[0] + V[3] * f[4] - V[4] * f[3];
  out[3] = V[1] * f[5] - V[2] * f[4];
  out[4] = V[2] * f[3] - V[0] * f[5];
  out[5] = V[0] * f[4] - V[1] * f[3];
}

static void multiply(Matrix6 m, const double* x, double* out)
{
  for (int i = 0; i < 6; ++i) {
    out[i] = 0.0;
    for (int j = 0; j < 6; ++j) {
      out[i] += m[i][j] * x[j];
    }
  }
}

static void moveLink(int i, double q, double rate)
{
  double joint[6] = { 0 }, momentum[6];
  joint[chainAxis(i)] = rate;
  fillTransform(i, q, hand.X[i]);
  for (int k = 0; k < 6; ++k) {
    double sum = joint[k];
    for (int m = 0; i > 0 && m < 6; ++m) {
      sum += hand.X[i][k][m] * hand.v[i - 1][m];
    }
    hand.v[i][k] = sum;
  }
  crossMotion(hand.v[i], joint, hand.c[i]);
  memcpy(hand.IA[i], hand.rigid, sizeof(Matrix6));
  multiply(hand.rigid, hand.v[i], momentum);
  crossForce(hand.v[i], momentum, hand.pA[i]);
}

// IA and pA of link i, projected and moved to link i - 1.
static void addToParent(int i)
{
  Matrix6 Ia, T;
  double pa[6];
  for (int k = 0; k < 6; ++k) {
    for (int m = 0; m < 6; ++m) {
      Ia[k][m] = hand.IA[i][k][m] - hand.U[i][k] * hand.inverseD[i] * hand.U[i][m];
    }
  }
  for (int k = 0; k < 6; ++k) {
    pa[k] = hand.pA[i][k] + hand.U[i][k] * hand.inverseD[i] * hand.u[i];
    for (int m = 0; m < 6; ++m) {
      pa[k] += Ia[k][m] * hand.c[i][m];
    }
  }
  for (int k = 0; k < 6; ++k) {
    for (int m = 0; m < 6; ++m) {
      T[k][m] = 0.0;
      for (int l = 0; l < 6; ++l) {
        T[k][m] += Ia[k][l] * hand.X[i][l][m];
      }
    }
  }
  for (int k = 0; k < 6; ++k) {
    for (int m = 0; m < 6; ++m) {
      double sum = 0.0;
      for (int l = 0; l < 6; ++l) {
        sum += hand.X[i][l][k] * T[l][m];
      }
      hand.IA[i - 1][k][m] += sum;
    }
    double sum = 0.0;
    for (int l = 0; l < 6; ++l) {
      sum += hand.X[i][l][k] * pa[l];
    }
    hand.pA[i - 1][k] += sum;
  }
}

static void accelerateLink(int i)
{
  const double falling[6] = { 0, 0, 0, 0, 0, CHAIN_GRAVITY };
  const double* parent = i > 0 ? hand.a[i - 1] : falling;
  double force = hand.u[i];
  multiply(hand.X[i], parent, hand.a[i]);
  for (int k = 0; k < 6; ++k) {
    hand.a[i][k] += hand.c[i][k];
    force -= hand.U[i][k] * hand.a[i][k];
  }
  hand.acceleration[i] = force * hand.inverseD[i];
  hand.a[i][chainAxis(i)] += hand.acceleration[i];
}

static void computeByHand(int n, const double* q, const double* rates)
{
  for (int i = 0; i < n; ++i) {
    moveLink(i, q[i], rates[i]);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = 0; k < 6; ++k) {
      hand.U[i][k] = hand.IA[i][k][chainAxis(i)];
    }
    hand.inverseD[i] = 1.0 / hand.U[i][chainAxis(i)];
    hand.u[i] = -hand.pA[i][chainAxis(i)];
    if (i > 0) {
      addToParent(i);
    }
  }
  for (int i = 0; i < n; ++i) {
    accelerateLink(i);
  }
}

// ------------------------------------------------------------------------------------------- measurement

typedef struct Timing {
  double ours, hand; // [ns] per degree of freedom
  double error;
} Timing;

static double findError(int n, const double* rates)
{
  double error = 0.0, largest = 0.0;
  for (int i = 0; i < n; ++i) {
    error = fmax(error, fabs(rates[n + i] - hand.acceleration[i]));
    largest = fmax(largest, fabs(hand.acceleration[i]));
  }
  return error / largest;
}

static double timeHand(int n, double* y)
{
  double start = chainNow();
  for (int k = 0; k < chainCalls(n); ++k) {
    y[0] = chainAngle(0, k);
    y[n] = chainRate(0, k);
    computeByHand(n, y, y + n);
  }
  return 1e9 * (chainNow() - start) / chainCalls(n) / n;
}

static Timing measure(crInstance* instance, int n)
{
  static double y[2 * CHAIN_MAX], rates[2 * CHAIN_MAX];
  Timing timing = { HUGE_VAL, HUGE_VAL, 0.0 };
  chainFillState(n, 0, y);
  for (int run = 0; run < CHAIN_RUNS; ++run) {
    timing.ours = fmin(timing.ours, chainTimeOurs(instance, n, y, rates));
    timing.hand = fmin(timing.hand, timeHand(n, y));
    timing.error = fmax(timing.error, findError(n, rates));
  }
  return timing;
}

int main(void)
{
  static const int sizes[] = CHAIN_SIZES;
  double cheapest = HUGE_VAL, dearest = 0.0;
  bool isGood = true;
  fillRigid();
  printf("compiler  %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printf("%6s  %14s  %18s  %7s  %10s\n", "links", "carom [ns/dof]", "textbook [ns/dof]", "ratio", "difference");
  for (int i = 0; i < CHAIN_SIZE_COUNT; ++i) {
    crModel* model = chainMakeModel(sizes[i]);
    crInstance* instance = NULL;
    if (model == NULL || crCreateInstance(model, NULL, NULL, &instance) != cr_ok) {
      return 1;
    }
    Timing t = measure(instance, sizes[i]);
    printf("%6d  %14.1f  %18.1f  %7.2f  %10.1e\n", sizes[i], t.ours, t.hand, t.hand / t.ours, t.error);
    cheapest = fmin(cheapest, t.ours);
    dearest = fmax(dearest, t.ours);
    isGood = isGood && t.ours < t.hand && t.error < ERROR_LIMIT;
    crDestroyInstance(instance);
    crDestroyModel(model);
  }
  printf("dearest / cheapest degree of freedom: %.2f (limit %.1f)\n", dearest / cheapest, FLATNESS_LIMIT);
  return isGood && dearest < FLATNESS_LIMIT * cheapest ? 0 : 1;
}
