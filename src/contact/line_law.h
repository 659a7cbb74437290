// Contact along a line: a straight strip of length l between two surfaces that bend away from each other with the
// relative radius R, d(x) = delta - x^2 / (2 R).
//
// The law of areas (area_law.h) has U = E* AGM(l / sqrt 3, 2 w / sqrt 7) (6/7 delta)^2 for it, w^2 = 2 R delta, since
// I3 / I2 = 6/7 delta and places weighted with d^2 have the variances l^2 / 12 and w^2 / 7. The mean hardly changes
// with the depth, so that U is nearly a power of it: the one that has the same energy at CR_LINE_DEPTH R, and at twice
// and half of that the same ratio. From a tenth of that depth to ten times it forces are within 2.5 %.
#ifndef CR_CONTACT_LINE_LAW_H
#define CR_CONTACT_LINE_LAW_H

#define CR_LINE_DEPTH 3e-5 // [-] of R: steel under 100 N on 10 mm of length, with R = 10 mm

typedef struct crLineLaw {
  double stiffness; // [m^(2 - exponent)] force over E* delta^exponent
  double exponent;  // [-] about 1.1
} crLineLaw;

crLineLaw crComputeLineLaw(double length, double radius); // [m]

double crComputeLineEnergy(double length, double radius, double depth); // [m^3] U / E* by the law of areas

#endif
