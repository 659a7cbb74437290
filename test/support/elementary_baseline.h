// The elementary functions once more, compiled for the plainest processor of this kind: no fused multiply-add, no wide
// vectors.
#ifndef TEST_ELEMENTARY_BASELINE_H
#define TEST_ELEMENTARY_BASELINE_H

double baselineSin(double x);
double baselineCos(double x);
double baselineTan(double x);
void baselineSinCos(double x, double* outSin, double* outCos);
double baselineAsin(double x);
double baselineAcos(double x);
double baselineAtan2(double y, double x);
double baselineExp(double x);
double baselineLog(double x);
double baselineLog2(double x);
double baselineLog10(double x);
double baselineLog1p(double x);
double baselinePow(double x, double y);
double baselineTanh(double x);
double baselineCbrt(double x);
double baselineHypot(double x, double y);
double baselinePerGamma(double x);

#endif
