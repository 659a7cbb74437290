// What the explicit pairs share: places in the working space, and loops over padded vectors. Tables of weights are
// known where these are compiled, so that zeros in them cost nothing.
#ifndef CR_SOLVE_EXPLICIT_H
#define CR_SOLVE_EXPLICIT_H

#include "math/sin_cos.h"
#include "solve/stepper_inside.h"

#include <string.h>

#define CR_INLINE static inline __attribute__((always_inline))
#define CR_BODY_STATES 16 // of a free body with its followers: 15 states

// Vectors of the working space. atLast: the argument of the last stage but one; slopes: those of all stages.
enum { atStart = 0, atStage, atLast, slopes };

CR_INLINE const double* slopeOf(const double* k, int stage, int stride)
{
  return k + (size_t)stage * (size_t)stride;
}

// out = y + h sum of weights times the first slopes, which lie one behind the other
CR_INLINE void addSlopes(const double* weights, int count, int stride, double h, const double* restrict y,
                         const double* restrict k, double* restrict out)
{
  for (int i = 0; i < stride; ++i) {
    double sum = weights[0] * k[i];
    for (int j = 1; j < count; ++j) {
      if (weights[j] != 0.0) {
        sum += weights[j] * k[j * stride + i];
      }
    }
    out[i] = y[i] + h * sum;
  }
}

CR_INLINE double addLanes(crLanes lanes)
{
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

CR_INLINE crLanes makePositive(crLanes x)
{
  const crBits sign = { INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX };
  return (crLanes)((crBits)x & sign);
}

CR_INLINE crLanes loadLanes(const double* a)
{
  return *(const crLanes*)a; // vectors of the working space are aligned
}

// The tolerance of each state, from its sizes at both ends of the step.
CR_INLINE crLanes findTolerance(const crStepper* stepper, double relTol, int i)
{
  crLanes size0 = makePositive(loadLanes(stepper->vectors[atStart] + i));
  crLanes size1 = makePositive(loadLanes(stepper->vectors[atStage] + i));
  crLanes size = crChooseL((crBits)(size0 > size1), size0, size1);
  return loadLanes(stepper->absTol + i) + relTol * size;
}

#endif
