// Polynomials of fourth degree on 0 ... 1 by their Bernstein coefficients, and their roots there.
//
// Coefficients of one sign: no root. One change of sign: one root. So nothing is searched for where nothing is, and no
// root is missed: intervals are halved until each has one root or none. Two roots whose difference is lost in the noise
// are found as one, or not at all.
#ifndef CR_COLLIDE_AREA_BERNSTEIN_H
#define CR_COLLIDE_AREA_BERNSTEIN_H

#define CR_QUARTIC_ROOTS 8 // four, and rounding errors of a double one

typedef struct crQuartic {
  double c[5];
} crQuartic;

// The product of two of second degree.
static inline crQuartic crMultiplyBernstein(const double f[3], const double g[3])
{
  return (crQuartic){ { f[0] * g[0], 0.5 * (f[0] * g[1] + f[1] * g[0]),
                        (f[0] * g[2] + 4.0 * f[1] * g[1] + f[2] * g[0]) * (1.0 / 6.0),
                        0.5 * (f[1] * g[2] + f[2] * g[1]), f[2] * g[2] } };
}

// The same with a bilinear form in place of the product: its values for pairs of control points.
static inline crQuartic crMakeQuartic(double m00, double m01, double m02, double m11, double m12, double m22)
{
  return (crQuartic){ { m00, m01, (m02 + 2.0 * m11) * (1.0 / 3.0), m12, m22 } };
}

static inline crQuartic crRaiseBernstein(const double f[3])
{
  return (
      crQuartic){ { f[0], 0.5 * (f[0] + f[1]), (f[0] + 4.0 * f[1] + f[2]) * (1.0 / 6.0), 0.5 * (f[1] + f[2]), f[2] } };
}

// Whether there may be a root: coefficients of both signs, beyond the noise.
static inline int crMayHaveRoots(const crQuartic* q, double noise)
{
  int isAbove = 0, isBelow = 0;
  for (int i = 0; i < 5; ++i) {
    isAbove |= q->c[i] > noise;
    isBelow |= q->c[i] < -noise;
  }
  return isAbove & isBelow;
}

// Roots in ascending order, of values larger than the noise on both sides, or between them. Returns their number.
int crFindQuarticRoots(const crQuartic* q, double noise, double outRoots[CR_QUARTIC_ROOTS]);

#endif
