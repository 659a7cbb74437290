// Hertz' elliptical contact by complete elliptic integrals.
//
// With beta = b / a, m = 1 - beta^2, K(m), E(m), D = (K - E) / m and [Johnson85] eq. 4.26 to 4.28,
//
//   A / B = beta^2 D / (K - D),    b^2 = delta E / (K (A + B)),    c = 2 pi / 3 sqrt(E / (A + B)) / (beta K^(3/2))
//
// The first is solved for beta. K and D come from the arithmetic-geometric mean, D without a difference of K and E, so
// that circles have all digits too: with c_n of the mean, 1 - E / K = sum of 2^(n-1) c_n^2, and c_0^2 = m.
//
// Derivatives. Pressure minimizes the energy at a given approach, so that a change of the gap works against the
// pressure as it is: dU/dA = -integral of p x^2 = -f a^2 / 5. With U = 2/5 c E* delta^(5/2) this is
//
//   dc/dA = -c a^2 / (2 delta),    dc/dB = -c b^2 / (2 delta)
#include "contact/hertz.h"

#include "base/elementary.h"
#include "carom/math.h"

#include <math.h>

#define CR_MAX_MEAN_STEPS 40 // of the mean, which doubles its digits each time; from beta = 1e-150 it takes 12
#define CR_MAX_RATIO_STEPS 30
#define CR_RATIO_TOLERANCE 1e-15
#define CR_CIRCLE 1e-3 // [-] m, below which the slope is that of a circle

typedef struct Integrals {
  double K, D;
} Integrals;

// a_n of the mean; `part` is c_n^2 / m.
static Integrals computeIntegrals(double beta)
{
  double a = 0.5 * (1.0 + beta), g = sqrt(beta), c = 0.5 * (1.0 - beta);
  double part = 0.25 * (1.0 - beta) / (1.0 + beta), power = 1.0, sum = 0.5 + part;
  for (int n = 0; n < CR_MAX_MEAN_STEPS && c > 0.0 && power * part > 1e-17 * sum; ++n) {
    double next = 0.5 * (a + g);
    g = sqrt(a * g);
    a = next;
    part *= c * c / (16.0 * a * a); // c_(n+1) = c_n^2 / (4 a_(n+1))
    c = c * c / (4.0 * a);
    power *= 2.0;
    sum += power * part;
  }
  double K = 0.5 * CR_PI / a;
  return (Integrals){ K, K * sum };
}

// d log(A / B) / d log beta. Of Legendre: dK/dm = (K - D) / (2 beta^2), dE/dm = -D / 2.
static double computeSlope(double beta, Integrals of)
{
  double square = beta * beta, m = (1.0 - beta) * (1.0 + beta), rest = of.K - of.D;
  if (m < CR_CIRCLE) {
    return 1.5;
  }
  double ofD = (rest / square - of.D) / (2.0 * m), ofRest = rest / (2.0 * square) - ofD;
  return 2.0 - 2.0 * square * (ofD / of.D - ofRest / rest);
}

// beta of A / B by Newton's method in logarithms, where the relation is nearly straight: its slope is 3/2 of circles,
// about 2 of thin ellipses.
static double findBeta(double ratio, Integrals* outIntegrals)
{
  double target = crLog(ratio), x = target / 1.5; // log beta
  *outIntegrals = computeIntegrals(1.0);
  if (!(target < 0.0)) {
    return 1.0;
  }
  double beta = 1.0, change = 1.0;
  for (int i = 0; i < CR_MAX_RATIO_STEPS && fabs(change) > CR_RATIO_TOLERANCE; ++i) {
    beta = crExp(x);
    *outIntegrals = computeIntegrals(beta);
    double square = beta * beta, value = crLog(square * outIntegrals->D / (outIntegrals->K - outIntegrals->D));
    change = (target - value) / computeSlope(beta, *outIntegrals);
    x = fmin(x + change, 0.0);
  }
  return beta;
}

crHertz crComputeHertz(double A, double B)
{
  Integrals of;
  double beta = findBeta(A / B, &of), m = (1.0 - beta) * (1.0 + beta);
  double E = of.K - m * of.D, minor = E / (of.K * (A + B)), major = minor / (beta * beta);
  double c = 2.0 / 3.0 * CR_PI * sqrt(minor) / (beta * of.K);
  return (crHertz){
    .stiffness = c, .majorSquare = major, .minorSquare = minor, .perA = -0.5 * c * major, .perB = -0.5 * c * minor
  };
}

double crComputeHertzPressure(const crHertz* hertz, double force, double depth)
{
  return 1.5 * force / (CR_PI * depth * sqrt(hertz->majorSquare * hertz->minorSquare));
}
