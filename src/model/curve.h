// Curve: a table joined by a monotone cubic.
//
// Between two points it is the cubic of their values and slopes, beyond the first and the last one the straight line of
// their slopes: continuous with its first derivative, so that integrators keep their order. Slopes are chosen so that
// the curve neither overshoots nor turns between two points: [FritschButland84] inside, the limited parabola of three
// points at the ends. Two points give a straight line.
#ifndef CR_MODEL_CURVE_H
#define CR_MODEL_CURVE_H

#include "carom/model.h"

// Fills count >= 2 points from a table with ascending x.
void crMakeCurve(const crTablePoint* table, int count, crCurvePoint* outPoints);

// Its value, and its integral from 0 to x; both 0 without points.
double crCurve_Compute(const crCurvePoint* points, int count, double x);
double crCurve_Integrate(const crCurvePoint* points, int count, double x);

#endif
