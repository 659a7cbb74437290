// Sine and cosine of four angles at once.
//
// The angle is brought into [-pi/4, pi/4] by a multiple k of pi/2 in three parts, the first two of 33 bits, so that
// their products with k are exact; there sine and cosine are polynomials that interpolate them in Chebyshev points
// (relative error 2e-17 and 1e-18). Results are within 1.5 units in the last place, and the same on every machine,
// which those of the C library are not. Beyond CR_SIN_COS_LIMIT the C library is asked.
#ifndef CR_MATH_SIN_COS_H
#define CR_MATH_SIN_COS_H

#include "math/lanes.h"

#define CR_SIN_COS_LIMIT 1e5 // [rad] k < 2^20, so that 33 + 20 bits fit into a double

typedef int64_t crBits __attribute__((vector_size(32)));

static inline crLanes crChooseL(crBits mask, crLanes a, crLanes b)
{
  return (crLanes)((mask & (crBits)a) | (~mask & (crBits)b));
}

static inline void crSinCosL(crLanes x, crLanes* outSin, crLanes* outCos)
{
  const double round = 0x1.8p52; // adding it leaves a whole number, in the low bits
  crLanes shifted = x * 0x1.45f306dc9c883p-1 + round, k = shifted - round;
  crLanes r = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
  crLanes z = r * r;
  crLanes p = -0x1.5555555555555p-3 +
              z * (0x1.1111111110bb1p-7 +
                   z * (-0x1.a01a019e8357dp-13 +
                        z * (0x1.71de37961e4c6p-19 + z * (-0x1.ae600a926c89ap-26 + z * 0x1.5e0af186af739p-33))));
  crLanes q = 0x1.5555555555555p-5 +
              z * (-0x1.6c16c16c16966p-10 +
                   z * (0x1.a01a019f4e867p-16 +
                        z * (-0x1.27e4fa17a41b4p-22 + z * (0x1.1eeb68b109173p-29 + z * -0x1.907d7aebd5e3dp-37))));
  crLanes s = r + r * z * p, half = z * 0.5, most = 1.0 - half;
  crLanes c = most + ((1.0 - most) - half + z * z * q);
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
    bool isNear = fabs(x[i]) <= CR_SIN_COS_LIMIT;
    outSin[i] = isNear ? s[i] : sin(x[i]);
    outCos[i] = isNear ? c[i] : cos(x[i]);
  }
}

// Of any number of angles, four by four.
static inline void crSinCosAll(const double* angles, int count, double* outSin, double* outCos)
{
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    crLanes x, s, c;
    memcpy(&x, angles + i, sizeof x);
    crBits far = (x > CR_SIN_COS_LIMIT) | (x < -CR_SIN_COS_LIMIT);
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
