// How long a ball, or a roller, and a surface of a profile stay apart.
//
// Seen from the surface the centre of the ball moves along y(t), and the distance d(y) of the centre obeys
//
//   d'' = n . y'' + y'^T H y',      H with the eigenvalues k / (1 + k d),  n_rho / rho
//
// along the profile and around the axis, k < 0 where the surface is concave. Convex parts bend the distance up. With
// the least concave radius R, as long as d < R, the first one is not below -1 / (R - d); the second one not below -1 /
// rho times the most that the surface faces the axis with, nor below -1 / (R - d) where only arcs about the axis do.
// The motion around the axis changes no distance, so that a ring may spin as it likes. Where d comes near to R another
// part of the surface may become the nearest one, and nothing is left but that d changes no faster than y.
#ifndef CR_ISLAND_SURFACE_BOUND_H
#define CR_ISLAND_SURFACE_BOUND_H

#include "island/motion_bound.h"
#include "island/path_bound.h"

typedef struct crSurfaceView {
  const crChain* chain; // NULL: none of both is a surface, or both are
  bool isRevolved;
  bool isRoller; // a cylinder in place of a ball, with a parallel axis: see roller_bound.h
  double radius; // [m] of the ball
} crSurfaceView;

// The ball as the surface sees it at one time.
typedef struct crSurfaceSight {
  double rate;       // [m/s] of the distance
  double along;      // [m/s] of the centre in the half-plane of the profile, or its plane
  double around;     // [m/s] around the axis
  double rho;        // [m] from the axis
  crPlanePoint x, v; // [m], [m/s] in the plane of the profile; v: of an extruded one
} crSurfaceSight;

crSurfaceView crFindSurfaceView(const crModel* model, int shapeA, int shapeB);

// places: of the bodies of A and B; normal: from A to B.
crSurfaceSight crLookAtSurface(const crModel* model, int shapeA, int shapeB, const crBodyPlace places[2],
                               crVec3 normal);

// [m/s^2] Bound of the acceleration of a ball's centre, seen from the surface: what the surface adds to that of the
// ball.
double crBoundSurfaceAcceleration(const crModel* model, int shape, const crSweep* sweep, double away, double speed);

// [s] For how long the distance of both, now `distance`, stays above the floor: from now on, back if !isAhead, and not
// longer than `longest`.
// Back from inside the solid a part of its surface tells nothing: there its distance may change its sign at once. Of a
// roller its elements alone are looked at.
double crFindSurfaceReach(const crSurfaceView* view, const crSurfaceSight* sight, double distance, double A,
                          double floor, bool isAhead, double longest);

#endif
