// Gauss' points and weights on [-1, 1].
#ifndef CR_COLLIDE_AREA_GAUSS_H
#define CR_COLLIDE_AREA_GAUSS_H

// Exact up to the fifth degree.
static const struct crGauss3 {
  double x[3], w[3];
} crGauss3 = { { -0.77459666924148338, 0.0, 0.77459666924148338 }, { 5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0 } };

// Exact up to the fifteenth degree.
static const struct crGauss8 {
  double x[8], w[8];
} crGauss8 = { { -0.96028985649753623, -0.79666647741362674, -0.52553240991632899, -0.18343464249564980,
                 0.18343464249564980, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623 },
               { 0.10122853629037626, 0.22238103445337447, 0.31370664587788729, 0.36268378337836198,
                 0.36268378337836198, 0.31370664587788729, 0.22238103445337447, 0.10122853629037626 } };

#endif
