// K(k) = pi / (2 agm(1, sqrt(1 - k^2))); sn, cn, dn by descending Landen steps.
#include "support/elliptic.h"

#include "carom/math.h"

double crEllipticK(double k)
{
  double a = 1.0, b = sqrt(1.0 - k * k);
  for (int i = 0; i < 10; ++i) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return CR_PI / (2.0 * a);
}

void crJacobi(double u, double k, double* sn, double* cn, double* dn)
{
  double a[16], c[16], b = sqrt(1.0 - k * k);
  a[0] = 1.0;
  c[0] = k;
  int n = 0;
  for (; n < 14 && fabs(c[n]) > 1e-17; ++n) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = sqrt(a[n] * b);
  }
  double phi = ldexp(a[n] * u, n);
  for (int i = n; i > 0; --i) {
    phi = 0.5 * (phi + asin(c[i] * sin(phi) / a[i]));
  }
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1.0 - k * k * *sn * *sn);
}
