// One-dimensional impacts integrated in long double: a truth for contact laws and for what runs make of them.
#ifndef CR_TEST_IMPACT_H
#define CR_TEST_IMPACT_H

// [N] pushing back at depth > 0 [m], rate [m/s] positive while going deeper.
typedef double (*crImpactForce)(const void* context, double depth, double rate);

typedef struct crImpact {
  double duration;  // [s] from depth 0 to depth 0
  double exitSpeed; // [m/s] > 0: going out
  double maxDepth;  // [m]
  double maxForce;  // [N] largest at a step
} crImpact;

// mass x'' = load - force(x, x') from x = 0, x' = speed until x = 0 again: the formula of [DormandPrince80] with a
// relative error of about `tol` per step. `time` is the scale of the first step [s]. Fails the test when the body stays
// inside for more than 1e7 steps.
crImpact crIntegrateImpact(crImpactForce force, const void* context, double mass, double load, double speed,
                           double time, double tol);

// The restitution of a free impact of the law k x^n (1 + d x') at speed v, u = d v, by Lambert's W.
double crComputeTrueCor(double u);

#endif
