// A touch: how far two shapes are inside each other, where, and along which normal.
//
// The distance is the signed distance of the pair, so that a bound on the motion of both bounds it, and search, events
// and contacts mean the same by it. Balls and ellipsoids push at the touch; all else by area (collide/area), where the
// touch only says when that begins and ends; with `touch = "point"` all shapes push at it. Everything depends on the
// poses alone, and nothing is allocated.
#ifndef CR_COLLIDE_TOUCH_TOUCH_H
#define CR_COLLIDE_TOUCH_TOUCH_H

#include "carom/collide.h"
#include "geometry/shape.h"

typedef struct crTouch {
  double distance; // [m] < 0 penetrating
  crVec3 normal;   // from A to B, in the world, unit length; zero, with a distance > 0: it is not known, see parallel.h
  crVec3 point;    // middle of the two witness points, in the world
} crTouch;

// Whether a touch stays at one point of the body of A, and of B: the middle of a ball, a plane. Others wander about, as
// where a coin is nearest to a table, so that their speed says little about where they will be.
typedef struct crTouchHold {
  bool onA, onB;
} crTouchHold;
crTouchHold crHoldOfTouch(const crShape* a, const crShape* b);

// Needed by events and right-hand sides alike.
void crComputeTouch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crDistanceCache* cache,
                    crTouch* outTouch);

// [m] Touches of outlines with parallel axes that are farther apart may be bounds, with a normal that leads about from
// one to the other, and a point that is on neither.
double crFindAfar(const crShape* a, const crShape* b);

// The pairs that most evaluations ask for, as crComputeTouch has them. outward: of the other shape, at the foot of
// the sphere's centre; gap [m] between that and the other shape. The sphere is A when sign is 1, B when it is -1.
static inline void crTouchFoot(crVec3 centre, double radius, crVec3 outward, double gap, double sign, crTouch* out)
{
  out->distance = gap - radius;
  out->normal = crScale(-sign, outward);
  out->point = crMulAdd(centre, -0.5 * (radius + gap), outward);
}

static inline void crTouchSpherePlane(const crShape* sphere, crVec3 centre, const crShape* plane, const crPose* X_WP,
                                      double sign, crTouch* out)
{
  crVec3 up = plane->isTurned ? crMulMV(X_WP->R, plane->R_FS.cz) : X_WP->R.cz;
  crTouchFoot(centre, sphere->sweep, up, crDot(up, crSub(centre, X_WP->p)) - plane->sweep, sign, out);
}

static inline void crTouchSpheres(const crShape* a, crVec3 centreA, const crShape* b, crVec3 centreB, crTouch* out)
{
  crVec3 x = crSub(centreA, centreB);
  double length = crLength(x);
  crVec3 outward = length > 0.0 ? crScale(1.0 / length, x) : crMakeVec3(0.0, 0.0, -1.0);
  crTouchFoot(centreA, a->sweep, outward, length - b->sweep, 1.0, out);
}

// A sphere and a shape on which the foot of its centre has a short way: any but ellipsoids, large hulls and meshes.
#define CR_FOOT_VERTICES 64 // of a hull, up to which that is so
bool crHasSphereFoot(const crShape* shape);
void crTouchSphereSolid(const crShape* sphere, crVec3 centre, const crShape* solid, const crPose* X_WF, double sign,
                        crTouch* out);

// A chain of a profile that goes on as another one is not touched beyond that cut: of both only one has a touch. A
// contact that lasts has it there, too: its touch is that of the chain behind the cut, so that nothing jumps within a
// step, and at the end of that the contact is handed over. True: it has gone over. So balls go on over the edges of end
// faces which are a chain of their own.
bool crIsShared(const crShape* shape);
bool crIsHeld(const crShape* shape); // or has such an end face
bool crHoldSphereSolid(const crShape* sphere, crVec3 centre, const crShape* solid, const crPose* X_WF, double sign,
                       crTouch* out);
bool crComputeHeldTouch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                        crDistanceCache* cache, crTouch* outTouch);

// What the response at a point needs to know of the geometry at a touch, once, when it begins. The normal there decides
// what a shape touches with, within CR_FLAT_SINE. With h half the smallest dimension and r the rounding (of a sharp
// edge a small one, since a radius of zero would push with nothing):
//   sphere, capsule      their radius
//   ellipsoid            geometric mean of the principal radii
//   side of a cylinder, cone, beam   sqrt(R h): radius across, straight along
//   edge                 sqrt(r h)
//   rim of radius R      sqrt(r R)
//   corner, tip          r
//   flat, hull, mesh     h, not round; half-space: infinite
#define CR_FLAT_SINE 0.05 // [-] of the angle to a flat or edge within which a shape touches with it
typedef struct crTouchGeometry {
  double radiusA, radiusB;     // [m] contact radii
  bool isRoundA, isRoundB;     // false: a flat
  bool isSphereA, isSphereB;   // the shapes themselves, for the table of the papers
  bool isOnSurface;            // one of both is a profile or a field of heights
  double halfSizeA, halfSizeB; // [m] half the smallest dimension of each shape; infinite for a half-space
  // [1/m] of Hertz' ellipses: the gap is least x^2 + most y^2 in the tangent plane; both 0: not asked for, or two flats
  double least, most;
  // of extruded shapes with each other and with cylinders: [m] common length, [1/m] curvature of both; 0: at a point
  double line, bend;
} crTouchGeometry;

crTouchGeometry crComputeTouchGeometry(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                       const crTouch* touch);

double crFindSharpRadius(const crShape* shape); // [m] of an edge or a corner

// touch_curvature.c: principal curvatures of a surface at one of its points [1/m], those of convex ones positive, in
// the world. Hulls and meshes are flat.
crCurvature crFindCurvature(const crShape* shape, const crPose* X_WF, crVec3 point, crVec3 outward);

// A <= B of the gap A x^2 + B y^2 between two surfaces [1/m], of which both normals are along `normal`.
void crRelateCurvatures(const crCurvature* a, const crCurvature* b, crVec3 normal, double* outA, double* outB);

// Fills `least` and `most`. contactRadius [m]: of a sphere that takes the place of a surface; NaN: none does.
void crFindRelativeCurvature(const crShape* a, const crPose* X_WA, double contactRadiusA, const crShape* b,
                             const crPose* X_WB, double contactRadiusB, const crTouch* touch,
                             crTouchGeometry* geometry);

// How the normal of a sphere and a surface of a profile turns where the sphere moves by dx against it: dn = K dx. With
// the principal curvatures k of the surface and the centre at the distance D from it, K has k / (1 + k D) along both
// directions, and 1 / D across an edge.
crMat3 crComputeTouchTurn(const crShape* sphere, crVec3 centre, const crShape* surface, const crPose* X_WF,
                          const crTouch* touch);

#endif
