// A step of one ball on the table by Radau IIA of order 5 [HairerWanner96], chapter IV.8, on seven unknowns
// (z, z' | x', y', w): the vertical motion drives the rest and does not feel it, so the matrix is a block of two
// and a block of five. Positions x and y and the rotation are quadratures.
#include "world.h"

#define UNKNOWNS 7
#define TAIL 5 // unknowns x', y', w
#define ITERATIONS 9
#define MAX_REMAINING 3e-3 // of the tolerance: what an iteration may leave
#define STAGNATION 1e-3    // of the tolerance: an iteration that stops there has met rounding, and converged

static const int placeOf[UNKNOWNS] = { 2, 5, 3, 4, 6, 7, 8 }; // in the state of a ball
static const int rateOf[UNKNOWNS] = { -1, 2, 0, 1, 3, 4, 5 }; // in its rates; z' is a state

// ----------------------------------------------------------------------------------------------- the method

// Eigenvectors of the inverse of A, real one first, and their inverse.
static const double T[3][3] = { { 9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02 },
                                { 0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779 },
                                { 0.96604818261509293619, 1, 0 } };
static const double TI[3][3] = { { 4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119 },
                                 { -4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196 },
                                 { -0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497 } };

typedef struct Method {
  double c[3];          // nodes
  double weights[3];    // the last row of A
  double real, re, im;  // eigenvalues of the inverse of A
  double estimate[3];   // of the error
  double startSlope[4]; // derivative at 0 of the Lagrange polynomials on 0 and the nodes
} Method;

static Method makeMethod(void)
{
  double s6 = sqrt(6.0), a = cbrt(81.0), b = cbrt(9.0), re = (12 - a + b) / 60, im = (a + b) * sqrt(3.0) / 60;
  Method m = { .c = { (4 - s6) / 10, (4 + s6) / 10, 1 },
               .weights = { (16 - s6) / 36, (16 + s6) / 36, 1.0 / 9 },
               .real = 30 / (6 + a - b),
               .re = re / (re * re + im * im),
               .im = im / (re * re + im * im),
               .estimate = { -(13 + 7 * s6) / 3, (-13 + 7 * s6) / 3, -1.0 / 3 } };
  double x[4] = { 0, m.c[0], m.c[1], 1 };
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      double product = k != i ? 1 / (x[i] - x[k]) : 0;
      for (int j = 0; j < 4; j++) {
        product *= j != i && j != k ? (0 - x[j]) / (x[i] - x[j]) : 1;
      }
      m.startSlope[i] += product;
    }
  }
  return m;
}

// ------------------------------------------------------------------------------------------------ equations

static inline void findRates(const World* world, const double* y, double damping, double* f)
{
  memset(f, 0, UNKNOWNS * sizeof *f);
  f[0] = y[1];
  f[1] = -GRAVITY;
  double depth = RADIUS - y[0];
  if (depth <= 0) {
    return;
  }
  double force = world->kPlane * depth * sqrt(depth) * (1 - damping * y[1]);
  if (force <= 0) {
    return;
  }
  double arm = RADIUS - 0.5 * depth, slipX = y[2] - arm * y[5], slipY = y[3] + arm * y[4];
  double perSlip = world->muK * force / regularize(sqrt(slipX * slipX + slipY * slipY), V_MIN);
  double perSpin = world->muR * RADIUS * force / regularize(sqrt(y[4] * y[4] + y[5] * y[5] + y[6] * y[6]), V_MIN);
  double x = -perSlip * slipX, z = -perSlip * slipY;
  f[1] += force / MASS;
  f[2] = x / MASS;
  f[3] = z / MASS;
  f[4] = (arm * z - perSpin * y[4]) / INERTIA;
  f[5] = (-arm * x - perSpin * y[5]) / INERTIA;
  f[6] = -perSpin * y[6] / INERTIA;
}

typedef struct Jacobian {
  double zz, zv;        // of z'' by z and z'
  double left[TAIL][2]; // of the tail by z and z'
  double tail[TAIL][TAIL];
} Jacobian;

// reg'(v) / v
static inline double regularizeSlope(double v)
{
  return v >= V_MIN ? 1 / v : 2 / V_MIN - v / (V_MIN * V_MIN);
}

// The lever is taken as the radius: an iteration needs no more.
static inline void findJacobian(const World* world, const double* y, double damping, Jacobian* J)
{
  const double R = RADIUS, *w = y + 4;
  memset(J, 0, sizeof *J);
  double depth = R - y[0];
  if (depth <= 0) {
    return;
  }
  double hertz = world->kPlane * depth * sqrt(depth), force = hertz * (1 - damping * y[1]);
  if (force <= 0) {
    return;
  }
  double byZ = -1.5 * world->kPlane * sqrt(depth) * (1 - damping * y[1]), byV = -hertz * damping;
  J->zz = byZ / MASS;
  J->zv = byV / MASS;
  double tx = y[2] - R * y[5], ty = y[3] + R * y[4], slip = sqrt(tx * tx + ty * ty), reg = regularize(slip, V_MIN);
  double k = world->muK / reg, g = k * force / reg * regularizeSlope(slip);
  double xx = -k * force + g * tx * tx, xy = g * tx * ty, yy = -k * force + g * ty * ty;
  double spin = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), regSpin = regularize(spin, V_MIN);
  double kr = world->muR * R / regSpin, gr = kr * force / regSpin * regularizeSlope(spin);
  double fx = -k * tx, fy = -k * ty; // per unit of normal force
  double perForce[TAIL] = { fx / MASS, fy / MASS, (R * fy - kr * w[0]) / INERTIA, (-R * fx - kr * w[1]) / INERTIA,
                            -kr * w[2] / INERTIA };
  // the slip is (x' - R wy, y' + R wx)
  double byX[TAIL] = { xx, xy, R * xy, -R * xx, 0 }, byY[TAIL] = { xy, yy, R * yy, -R * xy, 0 };
  for (int i = 0; i < TAIL; i++) {
    J->left[i][0] = perForce[i] * byZ;
    J->left[i][1] = perForce[i] * byV;
    J->tail[0][i] = byX[i] / MASS;
    J->tail[1][i] = byY[i] / MASS;
    J->tail[2][i] = R * byY[i] / INERTIA;
    J->tail[3][i] = -R * byX[i] / INERTIA;
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      J->tail[2 + i][2 + j] += (gr * w[i] * w[j] - (i == j ? kr * force : 0)) / INERTIA;
    }
  }
}

// --------------------------------------------------------------------------------------------- linear algebra

typedef struct RealFactors { // of g - J
  double g, inverse;         // of the determinant of the first block
  double m[TAIL][TAIL];
} RealFactors;

typedef struct ComplexFactors {
  double re, im, inverseRe, inverseIm;
  double mr[TAIL][TAIL], mi[TAIL][TAIL];
} ComplexFactors;

static inline void factorReal(const Jacobian* J, double g, RealFactors* f)
{
  f->g = g;
  f->inverse = 1 / (g * (g - J->zv) - J->zz);
  for (int i = 0; i < TAIL; i++) {
    for (int j = 0; j < TAIL; j++) {
      f->m[i][j] = (i == j ? g : 0) - J->tail[i][j];
    }
  }
  for (int k = 0; k < TAIL; k++) {
    f->m[k][k] = 1 / f->m[k][k];
    for (int i = k + 1; i < TAIL; i++) {
      f->m[i][k] *= f->m[k][k];
      for (int j = k + 1; j < TAIL; j++) {
        f->m[i][j] -= f->m[i][k] * f->m[k][j];
      }
    }
  }
}

static inline void solveReal(const Jacobian* J, const RealFactors* f, double* x)
{
  double z = ((f->g - J->zv) * x[0] + x[1]) * f->inverse, v = (J->zz * x[0] + f->g * x[1]) * f->inverse, *y = x + 2;
  x[0] = z;
  x[1] = v;
  for (int i = 0; i < TAIL; i++) {
    y[i] += J->left[i][0] * z + J->left[i][1] * v;
  }
  for (int i = 1; i < TAIL; i++) {
    for (int j = 0; j < i; j++) {
      y[i] -= f->m[i][j] * y[j];
    }
  }
  for (int i = TAIL - 1; i >= 0; i--) {
    for (int j = i + 1; j < TAIL; j++) {
      y[i] -= f->m[i][j] * y[j];
    }
    y[i] *= f->m[i][i];
  }
}

static inline void factorComplex(const Jacobian* J, double re, double im, ComplexFactors* f)
{
  double dr = re * re - im * im - re * J->zv - J->zz, di = 2 * re * im - im * J->zv, n = 1 / (dr * dr + di * di);
  f->re = re;
  f->im = im;
  f->inverseRe = dr * n;
  f->inverseIm = -di * n;
  for (int i = 0; i < TAIL; i++) {
    for (int j = 0; j < TAIL; j++) {
      f->mr[i][j] = (i == j ? re : 0) - J->tail[i][j];
      f->mi[i][j] = i == j ? im : 0;
    }
  }
  for (int k = 0; k < TAIL; k++) {
    double pr = f->mr[k][k], pi = f->mi[k][k], q = 1 / (pr * pr + pi * pi), ir = pr * q, ii = -pi * q;
    f->mr[k][k] = ir;
    f->mi[k][k] = ii;
    for (int i = k + 1; i < TAIL; i++) {
      double ar = f->mr[i][k], ai = f->mi[i][k], mr = ar * ir - ai * ii, mi = ar * ii + ai * ir;
      f->mr[i][k] = mr;
      f->mi[i][k] = mi;
      for (int j = k + 1; j < TAIL; j++) {
        double br = f->mr[k][j], bi = f->mi[k][j];
        f->mr[i][j] -= mr * br - mi * bi;
        f->mi[i][j] -= mr * bi + mi * br;
      }
    }
  }
}

// x + i w
static inline void solveComplex(const Jacobian* J, const ComplexFactors* f, double* x, double* w)
{
  double ar = f->re - J->zv, ai = f->im, a = f->inverseRe, b = f->inverseIm;
  double zr = ar * x[0] - ai * w[0] + x[1], zi = ar * w[0] + ai * x[0] + w[1];
  double vr = J->zz * x[0] + f->re * x[1] - f->im * w[1], vi = J->zz * w[0] + f->re * w[1] + f->im * x[1];
  x[0] = zr * a - zi * b;
  w[0] = zr * b + zi * a;
  x[1] = vr * a - vi * b;
  w[1] = vr * b + vi * a;
  double *y = x + 2, *u = w + 2;
  for (int i = 0; i < TAIL; i++) {
    y[i] += J->left[i][0] * x[0] + J->left[i][1] * x[1];
    u[i] += J->left[i][0] * w[0] + J->left[i][1] * w[1];
  }
  for (int i = 1; i < TAIL; i++) {
    for (int j = 0; j < i; j++) {
      y[i] -= f->mr[i][j] * y[j] - f->mi[i][j] * u[j];
      u[i] -= f->mr[i][j] * u[j] + f->mi[i][j] * y[j];
    }
  }
  for (int i = TAIL - 1; i >= 0; i--) {
    for (int j = i + 1; j < TAIL; j++) {
      y[i] -= f->mr[i][j] * y[j] - f->mi[i][j] * u[j];
      u[i] -= f->mr[i][j] * u[j] + f->mi[i][j] * y[j];
    }
    double t = f->mr[i][i] * y[i] - f->mi[i][i] * u[i];
    u[i] = f->mr[i][i] * u[i] + f->mi[i][i] * y[i];
    y[i] = t;
  }
}

// ------------------------------------------------------------------------------------------------- the step

typedef struct Step {
  double h, damping;
  double y[UNKNOWNS], f[UNKNOWNS]; // at the start
  double perScale[UNKNOWNS];       // 1 / allowed error
  double Z[3][UNKNOWNS];           // stages less y
  Jacobian J;
  RealFactors real;
  ComplexFactors complex;
} Step;

// Stages as the polynomial of the last step has them, went on.
static void predict(const Method* m, const Island* island, Step* s)
{
  if (!island->hasCollocation) {
    memset(s->Z, 0, sizeof s->Z);
    return;
  }
  for (int k = 0; k < 3; k++) {
    double q = m->c[k] * (s->h / island->collocationStep);
    for (int i = 0; i < UNKNOWNS; i++) {
      const double(*c)[UNKNOWNS] = island->collocation;
      s->Z[k][i] = q * (c[0][i] + (q - (m->c[1] - 1)) * (c[1][i] + (q - (m->c[0] - 1)) * c[2][i]));
    }
  }
}

// One iteration on the transformed stages W; returns the size of the change in units of the tolerance.
static inline double iterate(const World* world, const Method* m, Step* s, double W[3][UNKNOWNS])
{
  double t[3][UNKNOWNS], sum = 0, real = m->real / s->h, re = m->re / s->h, im = m->im / s->h;
  for (int k = 0; k < 3; k++) {
    double y[UNKNOWNS];
    for (int i = 0; i < UNKNOWNS; i++) {
      y[i] = s->y[i] + s->Z[k][i];
    }
    findRates(world, y, s->damping, t[k]);
  }
  for (int i = 0; i < UNKNOWNS; i++) {
    double a = t[0][i], b = t[1][i], c = t[2][i];
    t[0][i] = TI[0][0] * a + TI[0][1] * b + TI[0][2] * c - real * W[0][i];
    t[1][i] = TI[1][0] * a + TI[1][1] * b + TI[1][2] * c - re * W[1][i] + im * W[2][i];
    t[2][i] = TI[2][0] * a + TI[2][1] * b + TI[2][2] * c - re * W[2][i] - im * W[1][i];
  }
  solveReal(&s->J, &s->real, t[0]);
  solveComplex(&s->J, &s->complex, t[1], t[2]);
  for (int i = 0; i < UNKNOWNS; i++) {
    double a = t[0][i] * s->perScale[i], b = t[1][i] * s->perScale[i], c = t[2][i] * s->perScale[i];
    sum += a * a + b * b + c * c;
    a = W[0][i] += t[0][i];
    b = W[1][i] += t[1][i];
    c = W[2][i] += t[2][i];
    s->Z[0][i] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
    s->Z[1][i] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
    s->Z[2][i] = T[2][0] * a + b;
  }
  return sqrt(sum / (3 * UNKNOWNS));
}

// Simplified Newton iteration; false: it does not converge.
static bool solveStages(World* world, const Method* m, Step* s)
{
  double W[3][UNKNOWNS], last = 0;
  double limit = fmin(MAX_REMAINING, fmax(10 * 2.2e-16 / world->implicitTolerance, sqrt(world->implicitTolerance)));
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int k = 0; k < 3; k++) {
      W[k][i] = TI[k][0] * s->Z[0][i] + TI[k][1] * s->Z[1][i] + TI[k][2] * s->Z[2][i];
    }
  }
  for (int i = 0; i < ITERATIONS; i++) {
    double change = iterate(world, m, s, W), remaining = 1e-3 * limit; // of the first one nothing is known
    world->counts.ballStages += 3;
    world->counts.iterations = i + 1;
    if (!(change < 1e30)) {
      return false;
    }
    if (i > 0) {
      double rate = change / last;
      if (rate >= 0.99) {
        return change < STAGNATION;
      }
      double future = rate / (1 - rate);
      if (i > 1 && future * change * pow(rate, ITERATIONS - 1 - i) > limit && change > STAGNATION) {
        return false;
      }
      remaining = limit / future;
    }
    last = fmax(change, 1e-16);
    if (change <= remaining) {
      return true;
    }
  }
  return false;
}

static double estimateError(World* world, const Method* m, const Step* s, bool isFirst)
{
  double t[UNKNOWNS], error[UNKNOWNS], f[UNKNOWNS], sum = 0;
  for (int i = 0; i < UNKNOWNS; i++) {
    t[i] = (m->estimate[0] * s->Z[0][i] + m->estimate[1] * s->Z[1][i] + m->estimate[2] * s->Z[2][i]) / s->h;
    f[i] = s->f[i];
  }
  for (int pass = 0; pass < 2; pass++) {
    sum = 0;
    for (int i = 0; i < UNKNOWNS; i++) {
      error[i] = t[i] + f[i];
    }
    solveReal(&s->J, &s->real, error);
    for (int i = 0; i < UNKNOWNS; i++) {
      sum += error[i] * s->perScale[i] * error[i] * s->perScale[i];
    }
    if (sum < UNKNOWNS || !isFirst || pass == 1) {
      break;
    }
    for (int i = 0; i < UNKNOWNS; i++) { // filtered once more
      error[i] += s->y[i];
    }
    findRates(world, error, s->damping, f);
    world->counts.ballStages++;
  }
  return sqrt(sum / UNKNOWNS);
}

// [..] the integral over the step of unknown i.
static inline double integrate(const Method* m, const Step* s, int i)
{
  return s->h * (s->y[i] + m->weights[0] * s->Z[0][i] + m->weights[1] * s->Z[1][i] + m->weights[2] * s->Z[2][i]);
}

static void keepResult(World* world, const Method* m, const Step* s, Ball* ball)
{
  static const int speedOf[3] = { 2, 3, 1 }; // x', y', z' among the unknowns
  double y[UNKNOWNS], f[UNKNOWNS], acceleration[3], angle[3];
  for (int i = 0; i < UNKNOWNS; i++) {
    y[i] = s->y[i] + s->Z[2][i];
    ball->end[placeOf[i]] = y[i];
  }
  ball->end[0] = ball->start[0] + integrate(m, s, 2);
  ball->end[1] = ball->start[1] + integrate(m, s, 3);
  findRates(world, y, s->damping, f);
  world->counts.ballStages++;
  for (int i = 1; i < UNKNOWNS; i++) {
    ball->endRates[rateOf[i]] = f[i];
  }
  // Of the polynomial, not of the law: what decays fast at the start of a long step is not on its path.
  for (int k = 0; k < 3; k++) {
    int i = speedOf[k];
    acceleration[k] =
        (m->startSlope[1] * s->Z[0][i] + m->startSlope[2] * s->Z[1][i] + m->startSlope[3] * s->Z[2][i]) / s->h;
    angle[k] = integrate(m, s, 4 + k);
  }
  setPath(ball, s->h, acceleration, ball->endRates);
  turnBall(ball, s->h, angle);
}

static void keepCollocation(const Method* m, const Step* s, Island* island)
{
  const double* c = m->c;
  for (int i = 0; i < UNKNOWNS; i++) {
    double first = (s->Z[1][i] - s->Z[2][i]) / (c[1] - 1), slope = (s->Z[0][i] - s->Z[1][i]) / (c[0] - c[1]);
    double bend = (slope - s->Z[0][i] / c[0]) / c[1], second = (slope - first) / (c[0] - 1);
    island->collocation[0][i] = first;
    island->collocation[1][i] = second;
    island->collocation[2][i] = second - bend;
  }
  island->collocationStep = s->h;
  island->hasCollocation = true;
}

double takeImplicitStep(World* world, Island* island, double h)
{
  static Method method;
  if (method.real == 0) {
    method = makeMethod();
  }
  Ball* ball = &world->balls[island->balls[0]];
  Step s = { .h = h, .damping = ball->damping[0] };
  double tolerance = world->implicitTolerance;
  for (int i = 0; i < UNKNOWNS; i++) {
    s.y[i] = ball->start[placeOf[i]];
    s.f[i] = i == 0 ? ball->start[5] : ball->startRates[rateOf[i]];
    s.perScale[i] = 1 / (0.01 * tolerance + tolerance * fabs(s.y[i]));
  }
  findJacobian(world, s.y, s.damping, &s.J);
  factorReal(&s.J, method.real / h, &s.real);
  factorComplex(&s.J, method.re / h, method.im / h, &s.complex);
  predict(&method, island, &s);
  if (!solveStages(world, &method, &s)) {
    return -1;
  }
  double error = estimateError(world, &method, &s, island->isFirst);
  keepResult(world, &method, &s, ball);
  if (error < 1) {
    keepCollocation(&method, &s, island);
  }
  return error;
}
