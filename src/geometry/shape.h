// The inside of a shape: a core in the shape's own frame S, swept by a ball.
//
//   shape = { R_FS (c + r b) : c in core, |b| <= 1 },   r = sweep
//
// F is the frame in which the user gave the shape, S its canonical frame (own axis z; x for a beam).
//   sphere    core: the origin             sweep: radius + inflate
//   capsule   core: segment along z        sweep: radius + inflate
//   ellipsoid core: the ellipsoid          sweep: inflate
//   box, cylinder, cone, beam, hull: the given shape eroded by `rounding`   sweep: rounding + inflate
//   half-space: z <= 0                     sweep: inflate; of a wall of a hollow box, less its distance
//   revolved, extruded: a chain of a profile (profile.h), no core; not convex
//   hollow sphere, cylinder, cone: revolved, with walls for ellipsoids as pieces; hollow box: six half-spaces as pieces
//   height field: facets as pieces, and behind them, for balls, one of kind heightField (ground.h)
// So the distance of two shapes is the distance of their cores less both sweeps, and collision code
// needs the cores alone.
#ifndef CR_GEOMETRY_SHAPE_H
#define CR_GEOMETRY_SHAPE_H

#include "carom/geometry.h"
#include "geometry/ground.h"
#include "geometry/hull.h"
#include "geometry/profile.h"

// Which fields count, by kind:
//   box       half = half edges
//   ellipsoid half = semi-axes
//   beam      half = (half length between end centres, end radius, half height)
//   cylinder  radius, zMin, zMax
//   cone      radius at zMin, topRadius at zMax
//   capsule   zMin, zMax
//   hull      hull
//   revolved  radius, zMin, zMax: the cylinder around it; topRadius: how far it reaches
//   extruded  half: of the box around it; (radius, topRadius): x and y of the middle of that; zMax: how far it reaches
//   ground    half: of the box around it; zMin: z of its middle; zMax: how far it reaches
typedef struct crCore {
  crVec3 half;
  double radius, topRadius;
  double zMin, zMax;
  const crHull* hull;
} crCore;

// A part of a room's wall as ellipsoids touch it (collide/distance/wall.h): with h_K(n) = offset for its normals n out
// of the room, those of a sphere, of the generators of a cylinder or cone, which have `sine` along its axis, or the one
// of a cap.
typedef enum crWallKind { cr_wallNone, cr_wallSphere, cr_wallCone, cr_wallCap } crWallKind;
typedef enum crWallPart { cr_wallNear, cr_wallFar, cr_wallRing } crWallPart; // but the first: of what does not fit
typedef struct crWall {
  crWallKind kind;
  crWallPart part;
  double offset;       // [m]
  double sine, cosine; // [-]
  double leastRadius;  // [m] of curvature across the axis
} crWall;

// What a distance query reads comes first, in two cache lines.
struct crShape {
  crShapeKind kind;
  bool isTurned; // R_FS is not the identity
  bool isSkew;   // in a model: its axis may turn against those of extruded shapes, whose convex pieces it touches
  double sweep;  // [m]
  double reach;  // [m] largest distance of a point to F's origin
  crCore core;
  crMat3 R_FS;
  double rounding;          // [m] part of sweep that lies inside the given size
  double inflate;           // [m] part of sweep that lies outside
  crShapeDef given;         // sizes as given; its pointers are NULL except a mesh's retained mesh
  double smallestDimension; // [m]
  crInertia unitInertia;    // for density 1, in F
  double hullRatio;         // [-]
  int pieceCount;           // of a mesh, a revolved or extruded shape, a hollow box; else 0
  crShape* pieces;          // (pieceCount) one hull, chain or wall each
  const crChain* chain;     // of a revolved or extruded shape, the whole of it or one of its pieces; of smooth ground
  const crGround* ground;   // of the smooth piece of a height field, which has its chain
  double leastBall;         // [m] balls with a lesser radius touch a smooth piece beside this one; else 0
  crProfileSides sides;     // of an extruded shape and its pieces
  bool hasPrisms;           // likewise: there are convex pieces
  double leastWheel;        // [m] cylinders of a lesser reach touch a smooth piece beside this one; else 0
  crShapeKind standsFor;    // of a convex piece of a revolved or extruded shape: which of both; else none
  int chainCount;           // of a revolved or extruded shape: pieces that are chains or walls; convex ones follow
  bool isRoom;              // a hollow sphere, cylinder or cone, or a piece of one: ellipsoids touch its walls alone
  crWall wall;              // of a piece that is one
  crChain* ownedChains;     // (pieceCount + 1) the whole, then those of the pieces
  crProfile* ownedProfile;
  crGround* ownedGround;
  crHull* ownedHull;      // of a hull, else NULL
  const bool* innerFaces; // (faces) of a box or hull in a model: shared with another shape of its body; NULL: none
  crAllocator allocator;
};

// Whether a shape is a surface that may be concave, which balls alone touch.
static inline bool crIsSurface(const crShape* shape)
{
  return shape->chain != NULL;
}

// Whether a surface has convex pieces for what is no ball.
static inline bool crHasConvexPieces(const crShape* shape)
{
  return shape->chainCount > 0 && shape->pieceCount > shape->chainCount;
}

// Whether an ellipsoid touches such a wall at one place, wherever it is: none of its radii of curvature is larger.
static inline bool crFitsIn(const crShape* ellipsoid, const crShape* wall)
{
  crVec3 half = ellipsoid->core.half;
  double most = fmax(half.x, fmax(half.y, half.z)), least = fmin(half.x, fmin(half.y, half.z));
  return most * most / least + ellipsoid->sweep < wall->wall.leastRadius;
}

// Whether it consists of pieces and is nothing without them.
static inline bool crIsInPieces(const crShape* shape)
{
  return shape->pieceCount > 0 && shape->chain == NULL;
}

// Whether two extruded shapes, or pieces of them, may lie flat on each other: the touch of two outlines, which is at
// one point, would change places for ever.
static inline bool crMayLieFlat(const crShape* a, const crShape* b)
{
  return (a->sides.hasFlat && b->sides.hasBed) || (b->sides.hasFlat && a->sides.hasBed);
}

// Of pieces that take each other's place: whether `piece` is what the other one touches. Spheres, and rollers parallel
// to an extruded one, meet chains for their radius, another extruded shape those for the smallest; what is skew to them
// meets convex ones, and so do extruded shapes that may lie flat on each other, where both have such.
CR_FRIEND bool crIsPieceFor(const crShape* piece, const crShape* other);

// Whether a shape that is no ball can touch smooth ground itself (collide/area/over_ground.h), and not its facets:
// cylinders with sharp rims, as far as they are not too large. Distances of these are to facets, as those of all
// others.
static inline bool crIsWheel(const crShape* other)
{
  return other->kind == cr_shapeCylinder && other->sweep == 0.0;
}

static inline bool crTouchesSmoothGround(const crShape* ground, const crShape* other)
{
  return ground->ground != NULL && crIsWheel(other) && other->reach < ground->ground->wheel;
}

// As crIsPieceFor, of contacts.
CR_FRIEND bool crTouchesPiece(const crShape* piece, const crShape* other);

// Farthest point of the core along d, in S. d need not be of unit length; not zero. Not for a mesh, whose
// pieces have cores. Which point of a face or edge that is farthest as a whole: see shape_support.c.
crVec3 crCore_ComputeSupport(crShapeKind kind, const crCore* core, crVec3 d_S);

// Largest distance of a point of the core to S's origin [m]; infinite for a half-space. Not for a mesh.
double crCore_ComputeReach(crShapeKind kind, const crCore* core);

#endif
