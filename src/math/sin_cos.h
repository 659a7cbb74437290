// Sine and cosine of four angles at once: the bits of crSin and crCos, but for the sign of zero.
//
// base/circular.h has the formulas. Angles beyond CR_NEAR_ANGLE are taken one by one.
#ifndef CR_MATH_SIN_COS_H
#define CR_MATH_SIN_COS_H

#include "base/circular.h"
#include "base/elementary.h"
#include "math/lanes.h"

typedef int64_t crBits __attribute__((vector_size(32)));

static inline crLanes crChooseL(crBits mask, crLanes a, crLanes b)
{
  return (crLanes)((mask & (crBits)a) | (~mask & (crBits)b));
}

static inline void crSinCosL(crLanes x, crLanes* outSin, crLanes* outCos)
{
  CR_REDUCE_ANGLE(crLanes, x, shifted, r, rest);
  crLanes z = r * r, s = CR_SIN_FORMULA(r, rest, z);
  CR_COS_FORMULA(crLanes, r, rest, z, c);
  crBits quadrant = (crBits)shifted, isOdd = -(quadrant & 1);
  crBits sinSign = (quadrant & 2) << 62, cosSign = ((quadrant + 1) & 2) << 62;
  *outSin = (crLanes)((crBits)crChooseL(isOdd, c, s) ^ sinSign);
  *outCos = (crLanes)((crBits)crChooseL(isOdd, s, c) ^ cosSign);
}

// Up to four angles; those beyond the limit one by one.
static inline void crSinCosSome(const double* angles, int count, double* outSin, double* outCos)
{
  crLanes x = crZeroLanes(), s, c;
  for (int i = 0; i < count; ++i) {
    x[i] = angles[i];
  }
  crSinCosL(x, &s, &c);
  for (int i = 0; i < count; ++i) {
    outSin[i] = s[i];
    outCos[i] = c[i];
    if (fabs(x[i]) > CR_NEAR_ANGLE) {
      crSinCos(x[i], &outSin[i], &outCos[i]);
    }
  }
}

// Of any number of angles, four by four.
static inline void crSinCosAll(const double* angles, int count, double* outSin, double* outCos)
{
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    crLanes x, s, c;
    memcpy(&x, angles + i, sizeof x);
    crBits far = (x > CR_NEAR_ANGLE) | (x < -CR_NEAR_ANGLE);
    if ((far[0] | far[1] | far[2] | far[3]) != 0) {
      crSinCosSome(angles + i, 4, outSin + i, outCos + i);
      continue;
    }
    crSinCosL(x, &s, &c);
    memcpy(outSin + i, &s, sizeof s);
    memcpy(outCos + i, &c, sizeof c);
  }
  crSinCosSome(angles + i, count - i, outSin + i, outCos + i);
}

#endif
