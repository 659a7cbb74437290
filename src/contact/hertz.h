// Hertz' contact of two elastic bodies whose gap near the touch is A x^2 + B y^2, 0 < A <= B: an ellipse with the
// semi-axes a along x and b along y, a >= b.
//
//   f = c E* delta^(3/2),    a^2 = majorSquare delta,    b^2 = minorSquare delta,    p_max = 3 f / (2 pi a b)
//
// Of a sphere of radius R on a plane c = 4/3 sqrt(R), and a^2 = b^2 = R delta. To about 1e-14. [Johnson85] 4.2
#ifndef CR_CONTACT_HERTZ_H
#define CR_CONTACT_HERTZ_H

typedef struct crHertz {
  double stiffness;                // [m^(1/2)] c
  double majorSquare, minorSquare; // [m]
  double perA, perB;               // [m^(3/2)] dc/dA, dc/dB
} crHertz;

crHertz crComputeHertz(double A, double B); // [1/m]

// [N/m^2] at the middle of the ellipse under a force [N] at a depth [m].
double crComputeHertzPressure(const crHertz* hertz, double force, double depth);

#endif
