#!/usr/bin/env python3
# Computes the tables and polynomials of the elementary functions with 200 bits and writes src/base/elementary_tables.h.
# Nothing here is measured or random: the same mpmath gives the same file. Needs python3-mpmath; the build does not.
#
# usage: scripts/elementary_tables.py > src/base/elementary_tables.h
#
# Polynomials are the best in the sense of Chebyshev, found by Remez' exchange, in the error that their use asks for.
import struct
from mpmath import mp, mpf, log, exp, sin, cos, atan, asin, tanh, gamma, pi, sqrt, floor, lu_solve, matrix, cbrt

mp.prec = 200


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", float(x)))[0]


def near(x):  # the nearest double, exactly
    return mpf(float(x))


def cut(x, unit):  # the nearest multiple of 2^unit
    return mp.nint(mp.ldexp(x, -unit)) * mp.ldexp(mpf(1), unit)


def text(x):
    return float(x).hex().replace("0x1.0000000000000p", "0x1p")


def remez(f, weight, low, high, degree):
    """The coefficients of the polynomial P for which the largest |weight (P - f)| on [low, high] is least."""
    count = degree + 2
    middle, half = (mpf(low) + high) / 2, (mpf(high) - low) / 2
    points = [middle - half * cos(pi * i / (count - 1)) for i in range(count)]
    grid = [middle - half * cos(pi * i / 800) for i in range(801)]
    for _ in range(12):
        system = matrix(count, count)
        right = matrix(count, 1)
        for i, t in enumerate(points):
            for k in range(degree + 1):
                system[i, k] = t**k
            system[i, count - 1] = (-1) ** i / weight(t)
            right[i] = f(t)
        solution = lu_solve(system, right)
        coefficients = [solution[k] for k in range(degree + 1)]
        error = [weight(t) * (mp.polyval(coefficients[::-1], t) - f(t)) for t in grid]
        extrema = []  # the largest error of each run of one sign
        for t, e in zip(grid, error):
            if extrema and (extrema[-1][1] > 0) == (e > 0):
                if abs(e) > abs(extrema[-1][1]):
                    extrema[-1] = (t, e)
            else:
                extrema.append((t, e))
        while len(extrema) > count:
            extrema.pop(0 if abs(extrema[0][1]) < abs(extrema[-1][1]) else -1)
        if len(extrema) < count:
            break
        points = [t for t, _ in extrema]
    return coefficients, max(abs(e) for e in error)


def polynomial(name, comment, f, weight, low, high, degree, rests=0):
    coefficients, error = remez(f, weight, low, high, degree)
    print(f"// {comment}: error 2^{float(log(error, 2)):.1f}")
    print(f"static const double {name}[] = {{")
    print("".join(f"  {text(c)},\n" for c in coefficients) + "};\n")
    if rests > 0:
        print("// what its first coefficients have lost")
        values = ", ".join(text(c - near(c)) for c in coefficients[:rests])
        print(f"static const double {name}Rests[] = {{ {values} }};\n")


def define(name, value, comment):
    print(f"#define {name} {text(value) if value > 0 else '(' + text(value) + ')'} // {comment}")


EXP_SIZE = 128
LOG_SIZE = 128
LOG_START = 0x3FE6955500000000
ATAN_STEPS = 64


def exp_part():
    ln2 = log(mpf(2))
    step = ln2 / EXP_SIZE
    high = cut(step, -42)  # 35 bits: its product with 18 bits is exact
    define("CR_EXP_PER_STEP", EXP_SIZE / ln2, "steps of the table per unit")
    define("CR_EXP_STEP_HIGH", high, "log(2) / 128, 35 bits")
    define("CR_EXP_STEP_LOW", step - high, "and the rest")
    print()
    r = step / 2 * mpf("1.001")
    polynomial("crExpSeries", "exp(r) = 1 + r + r^2 P(r), |r| <= log(2) / 256",
               lambda t: (exp(t) - 1 - t) / t**2 if abs(t) > mpf(2) ** -40 else mpf(1) / 2 + t / 6, lambda t: r**2, -r, r, 3)
    print("// 2^(i / 128) = value (1 + rest)")
    print("static const crExpRow crExpTable[] = {")
    for i in range(EXP_SIZE):
        exact = mpf(2) ** (mpf(i) / EXP_SIZE)
        value = near(exact)
        print(f"  {{ {text(value)}, {text(exact / value - 1)} }},")
    print("};\n")


def log_part():
    ln2 = log(mpf(2))
    high = cut(ln2, -42)  # its product with 11 bits and the logarithms of the table are multiples of 2^-42
    define("CR_LOG2_HIGH", high, "log(2), a multiple of 2^-42")
    define("CR_LOG2_LOW", ln2 - high, "and the rest")
    for name, base in (("2", 2), ("10", 10)):
        inverse = 1 / log(mpf(base))
        top = cut(inverse, -26)
        define(f"CR_PER_LOG{name}_HIGH", top, f"1 / log({base}), 27 bits")
        define(f"CR_PER_LOG{name}_LOW", inverse - top, "and the rest")
    print(f"#define CR_LOG_START 0x{LOG_START:016x} // bits of the first number of the table, {struct.unpack('<d', struct.pack('<Q', LOG_START))[0]:.4f}")
    print()
    rows = []
    largest = mpf(0)
    width = 1 << (52 - 7)
    for i in range(LOG_SIZE):
        ends = [mpf(struct.unpack("<d", struct.pack("<Q", LOG_START + (i + k) * width))[0]) for k in (0, 1)]
        if max(abs(e - 1) for e in ends) < mpf(2) ** -7:
            inverse = mpf(1)
        else:
            inverse = cut(2 / (ends[0] + ends[1]), -9)
        largest = max([largest] + [abs(e * inverse - 1) for e in ends])
        rows.append(inverse)
    polynomial("crLogSeries", f"log(1 + r) = r - r^2 / 2 + r^3 P(r), |r| <= {float(largest):.5f}",
               lambda t: (log(1 + t) - t + t**2 / 2) / t**3 if abs(t) > mpf(2) ** -30 else mpf(1) / 3 - t / 4,
               lambda t: largest**3, -largest, largest, 5)
    print("// 1 / c, a multiple of 2^-9, and log(c), a multiple of 2^-42 and the rest; c is near the middle of the interval")
    print("static const crLogRow crLogTable[] = {")
    for inverse in rows:
        exact = -log(inverse)
        top = cut(exact, -42)
        print(f"  {{ {text(inverse)}, {{ {text(top)}, {text(exact - top)} }} }},")
    print("};\n")


def circular_part():
    half = pi / 2
    parts = []
    rest = half
    for unit in (-32, -66):
        part = cut(rest, unit)
        parts.append(part)
        rest -= part
    define("CR_HALF_PI_1", parts[0], "pi / 2, 33 bits")
    define("CR_HALF_PI_2", parts[1], "the next 33")
    define("CR_HALF_PI_3", rest, "and the rest")
    define("CR_PER_HALF_PI", 2 / pi, "2 / pi")
    define("CR_HALF_PI_HIGH", near(half), "pi / 2")
    define("CR_HALF_PI_LOW", half - near(half), "and the rest")
    define("CR_PI_LOW", pi - near(pi), "pi less the double next to it")
    print()
    end = (pi / 4) ** 2 * mpf("1.0001")
    tiny = mpf(2) ** -40

    def sine(z):
        if z < tiny:
            return -mpf(1) / 6 + z / 120
        r = sqrt(z)
        return (sin(r) / r - 1) / z

    def cosine(z):
        if z < tiny:
            return mpf(1) / 24 - z / 720
        r = sqrt(z)
        return (cos(r) - 1 + z / 2) / z**2

    polynomial("crSinSeries", "sin(r) = r + r z P(z), z = r^2, |r| <= pi / 4", sine,
               lambda z: (z + tiny) * sqrt(z + tiny) / sin(sqrt(z + tiny)), 0, end, 5)
    polynomial("crCosSeries", "cos(r) = 1 - z / 2 + z^2 P(z)", cosine,
               lambda z: (z + tiny) ** 2 / cos(sqrt(z + tiny)), 0, end, 5)
    words = 20
    saved = mp.prec
    mp.prec = 64 * words + 64
    digits = int(floor(mp.ldexp(2 / mp.pi, 64 * words)))
    mp.prec = saved
    print("// 2 / pi, in binary: the first word has the 64 bits behind the point")
    print("static const uint64_t crTwoByPi[] = {")
    for i in range(words):
        print(f"  0x{(digits >> (64 * (words - 1 - i))) & (2**64 - 1):016x},")
    print("};\n")


def inverse_circular_part():
    tiny = mpf(2) ** -40

    def arc(z):
        if z < tiny:
            return mpf(1) / 6 + 3 * z / 40
        r = sqrt(z)
        return (asin(r) / r - 1) / z

    polynomial("crAsinSeries", "asin(x) = x + x z P(z), z = x^2 <= 1/4", arc, lambda z: z + tiny, 0, mpf("0.25"), 12)

    def arc_tangent(z):
        if z < tiny:
            return -mpf(1) / 3 + z / 5
        r = sqrt(z)
        return (atan(r) / r - 1) / z

    polynomial("crAtanSeries", "atan(t) = t + t z P(z), z = t^2, |t| <= 1/8", arc_tangent, lambda z: z + tiny, 0,
               mpf(2) ** -6 * mpf("1.02"), 5)
    polynomial("crAtanShortSeries", "the same for |t| <= 1/128", arc_tangent, lambda z: z + tiny, 0,
               mpf(2) ** -14 * mpf("1.02"), 2)
    print("// atan(i / 64)")
    print("static const crPair crAtanTable[] = {")
    for i in range(ATAN_STEPS + 1):
        exact = atan(mpf(i) / ATAN_STEPS)
        value = near(exact)
        print(f"  {{ {text(value)}, {text(exact - value)} }},")
    print("};\n")


def other_part():
    tiny = mpf(2) ** -40

    def hyperbolic(z):
        if z < tiny:
            return -mpf(1) / 3 + 2 * z / 15
        r = sqrt(z)
        return (tanh(r) / r - 1) / z

    polynomial("crTanhSeries", "tanh(x) = x + x z P(z), z = x^2, |x| <= 1/4", hyperbolic,
               lambda z: (z + tiny) * sqrt(z + tiny) / tanh(sqrt(z + tiny)), 0, mpf(2) ** -4, 6)
    polynomial("crCbrtSeries", "q^(-1/3), 0.909 <= q <= 1.1", lambda q: 1 / cbrt(q), cbrt, mpf("0.909"), mpf("1.1"), 4)
    for name, middle in (("Low", mpf("0.875")), ("High", mpf("1.625"))):
        polynomial(f"crPerGamma{name}", f"1 / gamma(x) = P(x - {float(middle)}), |x - {float(middle)}| <= 3/8",
                   lambda t: 1 / gamma(middle + t), lambda t: gamma(middle + t), -mpf("0.375"), mpf("0.375"), 14, 2)


print("// Tables and polynomials of the elementary functions, written by scripts/elementary_tables.py.")
print("// clang-format off")
print("""#ifndef CR_BASE_ELEMENTARY_TABLES_H
#define CR_BASE_ELEMENTARY_TABLES_H

#include "base/pair.h"

typedef struct crExpRow {
  double value, rest;
} crExpRow;

typedef struct crLogRow {
  double inverse;
  crPair log;
} crLogRow;
""")
for p in (exp_part, log_part, circular_part, inverse_circular_part, other_part):
    p()
print("#endif")
