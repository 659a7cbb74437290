// Elliptic integrals and functions, by arithmetic-geometric means: closed forms of pendulums and free bodies.
#ifndef CR_TEST_ELLIPTIC_H
#define CR_TEST_ELLIPTIC_H

// Complete integral of the first kind, modulus 0 <= k < 1.
double crEllipticK(double k);

// Jacobi's functions of modulus 0 <= k < 1.
void crJacobi(double u, double k, double* sn, double* cn, double* dn);

#endif
