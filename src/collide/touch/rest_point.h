// Rest points: the small balls on which a shape with flats, edges or rims rests, and the straight edges between them.
//
// All have the radius of the shape's sweep and their centres in the core, so they lie inside the shape, flush with its
// faces.
//
//   sphere           its centre
//   capsule          the two ends of its axis, one edge
//   box, small hull  the corners of the core, and its edges
//   cylinder, cone   points on each rim, a tip its point; an edge along the side where it is nearest to the other shape
//   beam             the corners of its flat sides, and points on the rims of its ends as on those of a cylinder; the
//   edges
//                    of the flat sides and one along the side of each end
//   ellipsoid, large hull, mesh: none, they are taken as round
//
// A rim that rolls must not become a polygon, so its points cannot be fixed to the body; a face that lies flat must not
// rest on points whose places have no meaning. A rim therefore has two sets of four points, at 0, 90, 180 and 270
// degrees from the direction u of the other shape, and from the body's x axis. With a = radius x sine of the tilt they
// share by
//
//   weight of the fixed set = F(2 a / depth),   of the other one: the rest,   F(s) = (1 - s)^2 (1 + 2 s)
//
// Over a plane the depths of the moving set are h + a, h, h - a, h: the sum of any function of them is even in a, and
// the derivative of a potential, since u is where the depth is stationary. That of the fixed set differs from it by no
// more than (a / h)^4, so the change from one to the other costs no energy to speak of.
#ifndef CR_COLLIDE_TOUCH_REST_POINT_H
#define CR_COLLIDE_TOUCH_REST_POINT_H

#include "collide/touch/touch.h"
#include "geometry/shape.h"

#define CR_MAX_REST_EDGES (3 * CR_MAX_REST_VERTICES - 6) // of a convex polytope, by Euler's formula

typedef struct crRestEdge {
  int start, end; // numbers of rest points
} crRestEdge;

// A circle across z. Its rest points are the next 2 CR_RIM_POINTS from `first` on: moving ones, then fixed ones.
typedef struct crRim {
  crVec3 centre; // in S
  double radius; // [m] > 0
  int first;
} crRim;
#define CR_MAX_RIMS 4

int crCountRestPoints(const crShape* shape);
int crCountRestEdges(const crShape* shape);
int crCountRims(const crShape* shape);

// toOther: the direction of the other shape, in S, not zero. (crCountRestPoints) centres in S.
void crPlaceRestPoints(const crShape* shape, crVec3 toOther, crVec3* outPoints);

// Sets the weights of touches of rest points that have got their distances; depth [m]: of the pair. Points of a
// rim that have almost no weight, and perhaps no meaningful place, join the others, so that no contact begins or ends
// by them. Returns the depth that the rest points carry [m], >= 0.
double crWeighRestPoints(const crShape* shape, crVec3 toOther, double depth, crTouch* touches);

// (crCountRestEdges)
void crListRestEdges(const crShape* shape, crRestEdge* outEdges);

// (crCountRims)
void crListRims(const crShape* shape, crRim* outRims);

// F(s) for 0 <= s <= 1, constant beyond: falls from 1 to 0, level at both ends.
static inline double crFade(double s)
{
  if (s <= 0.0) {
    return 1.0;
  }
  return s >= 1.0 ? 0.0 : (1.0 - s) * (1.0 - s) * (1.0 + 2.0 * s);
}

#endif
