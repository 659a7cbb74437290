// Sine and cosine, as formulas for one number or for a vector of numbers: math/sin_cos.h has four at a time, and the
// bits are the same.
//
// An angle up to CR_NEAR_ANGLE is brought into [-pi/4, pi/4] by a multiple k of pi/2 in three parts
// [CodyWaite80]. The first two have 33 bits, so that their products with k are exact, and so are the first two
// differences or their errors; the third part has 53. What is left is r + rest. The nearest that an angle of that size
// comes to a multiple of pi/2 is 2^-53, where the rounding of k times the third part still is nothing:
// test_elementary.c tries the angle next to each multiple.
#ifndef CR_BASE_CIRCULAR_H
#define CR_BASE_CIRCULAR_H

#include "base/elementary_tables.h"

#define CR_NEAR_ANGLE 1e5       // [rad] k < 2^16
#define CR_ROUND_WHOLE 0x1.8p52 // adding it leaves a whole number, in the low bits
#define CR_ROUND_TOP 0x1.8p27   // adding it and taking it away leaves 25 bits of r

// The arguments of these macros are names of variables.
// NOLINTBEGIN(bugprone-macro-parentheses)

// From x: k and, in its low bits, its quadrant; r and its rest.
#define CR_REDUCE_ANGLE(Type, x, shifted, r, rest)                                                                     \
  Type shifted = x * CR_PER_HALF_PI + CR_ROUND_WHOLE, k_ = shifted - CR_ROUND_WHOLE;                                   \
  Type a_ = x - k_ * CR_HALF_PI_1, b_ = k_ * CR_HALF_PI_2, c_ = k_ * CR_HALF_PI_3;                                     \
  Type s_ = a_ - b_, r = s_ - c_, rest = ((s_ - r) - c_) + ((a_ - s_) - b_)

#define CR_POLYNOMIAL_5(a, z) (a[0] + z * (a[1] + z * (a[2] + z * (a[3] + z * (a[4] + z * a[5])))))

// sin(r + rest) = r + (rest cos(r) + r z P(z)), z = r^2
#define CR_SIN_FORMULA(r, rest, z) (r + (rest * (1.0 - 0.5 * z) + r * z * CR_POLYNOMIAL_5(crSinSeries, z)))

// cos(r + rest) = 1 - top^2 / 2 - (r - top)(r + top) / 2 - r rest + z^2 P(z), top being the first bits of r
#define CR_COS_FORMULA(Type, r, rest, z, outCos)                                                                       \
  Type top_ = (r + CR_ROUND_TOP) - CR_ROUND_TOP, half_ = 0.5 * top_ * top_, most_ = 1.0 - half_;                       \
  Type small_ = z * z * CR_POLYNOMIAL_5(crCosSeries, z) - (r * rest + 0.5 * (r - top_) * (r + top_));                  \
  Type outCos = most_ + (((1.0 - most_) - half_) + small_)

// NOLINTEND(bugprone-macro-parentheses)

#endif
