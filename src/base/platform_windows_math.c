// Three functions of C that mingw-w64 has, but with other digits than the rest of the world: its fma rounds twice, and
// its fmin and fmax choose the other one of two zeros.
#include "base/platform.h"

#ifdef _WIN32

#include <math.h>
#include <stdint.h>

double fmax(double x, double y)
{
  return x > y || y != y ? x : y;
}

double fmin(double x, double y)
{
  return x < y || y != y ? x : y;
}

__extension__ typedef unsigned __int128 Wide;

#define CR_TOP 124 // highest bit of a number that takes part: a sum of two has room, and 18 bits below a product are 0

typedef struct Exact {
  Wide digits; // the value is digits x 2^exponent
  int exponent;
  bool isNegative;
} Exact;

static int findTop(Wide digits)
{
  uint64_t high = (uint64_t)(digits >> 64);
  return high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)digits);
}

static Exact normalize(Exact number)
{
  int shift = CR_TOP - findTop(number.digits);
  return (Exact){ number.digits << shift, number.exponent - shift, number.isNegative };
}

static Exact split(double x) // finite, not 0
{
  int exponent;
  double fraction = frexp(fabs(x), &exponent);
  return (Exact){ (Wide)(uint64_t)ldexp(fraction, 53), exponent - 53, x < 0.0 };
}

// Of two normalized ones. What falls below the last digit is kept as a last digit that is not 0.
static Exact add(Exact a, Exact b)
{
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.digits < b.digits)) {
    Exact larger = b;
    b = a;
    a = larger;
  }
  int shift = a.exponent - b.exponent;
  Wide lost = shift == 0 ? 0 : shift > 127 ? b.digits : b.digits << (128 - shift);
  Wide small = (shift > 127 ? 0 : b.digits >> shift) | (lost != 0);
  return (Exact){ a.isNegative == b.isNegative ? a.digits + small : a.digits - small, a.exponent, a.isNegative };
}

// To the nearest double, of two the even one.
static double roundNumber(Exact number) // not 0
{
  int top = findTop(number.digits), exponent = top + number.exponent;
  int places = exponent >= -1022 ? 53 : 53 + 1022 + exponent;
  int shift = top + 1 - places;
  if (places < 0) {
    return number.isNegative ? -0.0 : 0.0;
  }
  Wide kept = number.digits;
  if (shift > 0) {
    Wide half = (Wide)1 << (shift - 1), rest = number.digits & ((half << 1) - 1);
    kept = number.digits >> shift;
    kept += rest > half || (rest == half && (kept & 1) != 0);
  }
  double value = ldexp((double)(uint64_t)kept, number.exponent + (shift > 0 ? shift : 0));
  return number.isNegative ? -value : value;
}

double fma(double x, double y, double z)
{
  if (!isfinite(x) || !isfinite(y) || !isfinite(z) || x == 0.0 || y == 0.0 || z == 0.0) {
    return z == 0.0 && x != 0.0 && y != 0.0 ? x * y : x * y + z; // the sign of what is too small is that of the product
  }
  Exact a = split(x), b = split(y);
  Exact product = { a.digits * b.digits, a.exponent + b.exponent, a.isNegative != b.isNegative };
  Exact sum = add(normalize(product), normalize(split(z)));
  return sum.digits != 0 ? roundNumber(sum) : 0.0;
}

#endif
