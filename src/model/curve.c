// Slopes, values and integrals of curves.
//
// With h the distance of two points, s = (x - x0) / h, the values y0, y1 and the slopes m0, m1:
//
//   y(s) = y0 + h s (m0 + s (c2 + s c3)),   d = (y1 - y0) / h,  c2 = 3 d - 2 m0 - m1,  c3 = m0 + m1 - 2 d
#include "model/curve.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------- slopes

// The harmonic mean of the secants d0 and d1 over lengths h0 and h1, weighted; 0 where they turn.
static double innerSlope(double h0, double d0, double h1, double d1)
{
  if (!(d0 * d1 > 0.0)) {
    return 0.0;
  }
  double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

// At an end, d0 being the secant next to it: the parabola's slope, unless the curve would turn or overshoot.
static double endSlope(double h0, double d0, double h1, double d1)
{
  double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (!(slope * d0 > 0.0)) {
    return 0.0;
  }
  return d0 * d1 <= 0.0 && fabs(slope) > 3.0 * fabs(d0) ? 3.0 * d0 : slope;
}

static double secant(const crCurvePoint* p)
{
  return (p[1].y - p[0].y) / (p[1].x - p[0].x);
}

static void fillSlopes(crCurvePoint* p, int count)
{
  if (count == 2) {
    p[0].slope = p[1].slope = secant(p);
    return;
  }
  for (int i = 1; i < count - 1; ++i) {
    p[i].slope = innerSlope(p[i].x - p[i - 1].x, secant(p + i - 1), p[i + 1].x - p[i].x, secant(p + i));
  }
  int n = count - 1;
  p[0].slope = endSlope(p[1].x - p[0].x, secant(p), p[2].x - p[1].x, secant(p + 1));
  p[n].slope = endSlope(p[n].x - p[n - 1].x, secant(p + n - 1), p[n - 1].x - p[n - 2].x, secant(p + n - 2));
}

// -------------------------------------------------------------------------------------------- evaluation

typedef struct Piece {
  double h, s, c2, c3;
} Piece;

static Piece makePiece(const crCurvePoint* p, double x)
{
  double h = p[1].x - p[0].x, d = (p[1].y - p[0].y) / h;
  Piece piece = { h, (x - p[0].x) / h, 3.0 * d - 2.0 * p[0].slope - p[1].slope, p[0].slope + p[1].slope - 2.0 * d };
  return piece;
}

static double integratePiece(const crCurvePoint* p, double x)
{
  Piece k = makePiece(p, x);
  return k.h * k.s * (p->y + k.h * k.s * (p->slope / 2.0 + k.s * (k.c2 / 3.0 + k.s * k.c3 / 4.0)));
}

void crMakeCurve(const crTablePoint* table, int count, crCurvePoint* outPoints)
{
  for (int i = 0; i < count; ++i) {
    outPoints[i] = (crCurvePoint){ table[i].x, table[i].y, 0.0, 0.0 };
  }
  fillSlopes(outPoints, count);
  for (int i = 1; i < count; ++i) {
    outPoints[i].integral = outPoints[i - 1].integral + integratePiece(outPoints + i - 1, outPoints[i].x);
  }
}

// The last point that is not behind x; the first one before them all.
static int findPoint(const crCurvePoint* points, int count, double x)
{
  int low = 0, high = count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (points[middle].x <= x) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static bool isOutside(const crCurvePoint* points, int count, double x)
{
  return x < points[0].x || x >= points[count - 1].x;
}

double crCurve_Compute(const crCurvePoint* points, int count, double x)
{
  if (count == 0) {
    return 0.0;
  }
  const crCurvePoint* p = &points[findPoint(points, count, x)];
  if (isOutside(points, count, x)) {
    return p->y + p->slope * (x - p->x);
  }
  Piece k = makePiece(p, x);
  return p->y + k.h * k.s * (p->slope + k.s * (k.c2 + k.s * k.c3));
}

static double integrateFromFirst(const crCurvePoint* points, int count, double x)
{
  const crCurvePoint* p = &points[findPoint(points, count, x)];
  if (isOutside(points, count, x)) {
    double step = x - p->x;
    return p->integral + step * (p->y + 0.5 * p->slope * step);
  }
  return p->integral + integratePiece(p, x);
}

double crCurve_Integrate(const crCurvePoint* points, int count, double x)
{
  return count == 0 ? 0.0 : integrateFromFirst(points, count, x) - integrateFromFirst(points, count, 0.0);
}
