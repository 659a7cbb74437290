// Numbers with four derivatives, which follow from them by the rules of calculus.
#ifndef CR_CONTACT_DUAL_H
#define CR_CONTACT_DUAL_H

#include "math/lanes.h"

#include <math.h>

typedef struct crDual {
  double v;
  crLanes d;
} crDual;

static inline crDual crAddDual(crDual a, crDual b)
{
  return (crDual){ a.v + b.v, a.d + b.d };
}

static inline crDual crSubDual(crDual a, crDual b)
{
  return (crDual){ a.v - b.v, a.d - b.d };
}

static inline crDual crMulDual(crDual a, crDual b)
{
  return (crDual){ a.v * b.v, a.d * b.v + b.d * a.v };
}

static inline crDual crScaleDual(double s, crDual a)
{
  return (crDual){ s * a.v, s * a.d };
}

static inline crDual crQuotientDual(crDual a, crDual b)
{
  double s = 1.0 / b.v, q = a.v * s;
  return (crDual){ q, (a.d - b.d * q) * s };
}

static inline crDual crRootDual(crDual a)
{
  double r = sqrt(a.v);
  return (crDual){ r, a.d * (0.5 / r) };
}

#endif
