// Shapes: what a body looks like, weighs and touches with.
//
// Sizes are given by name and in metres. Frames: a cone has its frame in the centre of its base,
// a half-space in its surface, a mesh and a height field where their points say, every other shape in its middle.
// `axis` turns a shape: its own axis (z; x for a beam) is laid along `axis` by the shortest rotation.
//
// The edges of a shape are sharp, or rounded by a sphere for contact. Rounding lies inside the given size:
// faces stay in place, edges and corners get round. Mass and pictures use the unrounded shape.
// Internally every shape is a core swept by a ball: { c + r b : c in core, |b| <= 1 }.
#ifndef CAROM_GEOMETRY_H
#define CAROM_GEOMETRY_H

#include "carom/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum crShapeKind {
  cr_shapeNone = 0,
  // solid shapes: volume, support map, contact
  cr_shapeSphere,
  cr_shapeEllipsoid,
  cr_shapeBox,
  cr_shapeCylinder,
  cr_shapeCone,
  cr_shapeCapsule,
  cr_shapeBeam,
  cr_shapeHalfSpace,
  cr_shapeHull,
  cr_shapeMesh,
  cr_shapeHeightField,
  // surfaces of profiles, which may be concave: contact with spheres
  cr_shapeRevolved,
  cr_shapeExtruded,
  cr_shapeInvoluteGear, // an extruded one
  // visual-only shapes
  cr_shapeCoordinateSystem,
  cr_shapeGrid,
  cr_shapeCoil,
  cr_shapeGearWheel,
  cr_shapeText,
  cr_shapeKindCount
} crShapeKind;

CR_API const char* crShapeKind_GetText(crShapeKind kind); // "sphere", "halfSpace", ...
CR_API bool crShapeKind_IsVisualOnly(crShapeKind kind);

#define CR_ROUNDING_SHARE 0.5 // [-] of the smallest dimension: the most that rounding may be

// A triangle mesh, immutable and shared: create, retain, release. Pieces are the convex parts of one
// body (the objects or groups of an OBJ file).
typedef struct crMesh crMesh;

// What a mesh touches with.
typedef enum crMeshPieces {
  cr_piecesGiven,     // the hull of each piece that its file has
  cr_piecesDecompose, // convex pieces that are made of it, crDecomposeMesh
} crMeshPieces;

// A point of a profile, and the way to it from the point before.
typedef struct crProfilePoint {
  double x, y;     // [m]
  double arc;      // [m] radius of an arc of at most half a turn, > 0: to the left, < 0: to the right; 0: none
  bool hasThrough; // the way is the arc through
  double throughX, throughY; // [m] this point
  double
      involute;  // [m] radius of the circle about the origin that the way is an involute of; 0: none; of extruded ones
  bool isSpline; // the way is part of a smooth curve: a cubic spline through all points in turn whose ways are
  bool hasTangent;           // a spline goes through the point along
  double tangentX, tangentY; // [-] this direction; else as it is smoothest
} crProfilePoint;

// A line of straight pieces, arcs, involutes and splines. The way of the first point closes it, from the last one.
typedef struct crProfileDef {
  const crProfilePoint* points; // (pointCount) at least 2, closed at least 3, or 2 with an arc between them
  int pointCount;
  bool isOpen;      // ends at the last point: a surface without a volume, solid on the left of the way along it
  bool isTurnedOut; // the solid is on the other side: around a closed line, not in it; right of an open one
  double error;     // [m] >= 0: how far the arcs that splines are made of may be beside them; 0: 1e-7 of its size
} crProfileDef;

typedef struct crShapeDef {
  size_t size;
  crShapeKind kind;
  crVec3 axis;     // [-] direction of the shape's own axis; zero: as it is, z, or x of a beam
  double rounding; // [m] 0 <= rounding <= CR_ROUNDING_SHARE x smallest dimension, and a ball of this radius has to fit
                   // inside; 0: edges stay sharp
  double inflate;  // [m] >= 0: radius of a ball swept over the outside, for contact
  bool isHollow;   // of a sphere, box, cylinder or cone: a room of this size, with a solid all around; no mass
  double pieceError; // [m] >= 0: of revolved, extruded and hollow shapes: how far convex pieces may be off that all but
                     // balls touch; 0: none, but exact ones of straight sides
  union {
    struct {
      double radius; // [m] > 0
    } sphere;
    struct {
      crVec3 radii; // [m] > 0: semi-axes
    } ellipsoid;
    struct {
      crVec3 size; // [m] > 0: full edges
    } box;
    struct {
      double radius;     // [m] > 0
      double length;     // [m] > 0
      double boreRadius; // [m] 0 <= boreRadius < radius; counts for mass and pictures, not for contact
    } cylinder;
    struct {
      double radius;    // [m] > 0: of the base, at the frame's origin
      double topRadius; // [m] 0 <= topRadius: 0 is a cone, else a frustum
      double length;    // [m] > 0
    } cone;
    struct {
      double radius; // [m] > 0
      double length; // [m] > 0: of the cylindrical part
    } capsule;
    struct {
      double length; // [m] > 0: between the centres of the two half-cylinder ends, along x
      double width;  // [m] > 0: along y, the diameter of the ends
      double height; // [m] > 0: along z
    } beam;
    struct {
      const crVec3* points; // [m] (pointCount), at least 4, not in one plane
      int pointCount;
    } hull;
    struct {
      const crMesh* mesh; // not NULL
      const char* file;   // where it was read from, for messages and for writing the model; or NULL
      crVec3 scale;       // [-] applied when the file was read, no part of it zero; all zero: 1
      crMeshPieces pieces;
      double error;       // [m] >= 0: of pieces that are made, see crPiecesDef
      const crMesh* made; // such pieces, from an earlier time; NULL: they are made when the shape is
    } mesh;
    struct {
      const double* heights;     // [m] (rowCount x columnCount) row by row: each along x, rows along y
      int rowCount, columnCount; // [-] >= 2
      double width, length;      // [m] > 0: along x and y; the frame is in the middle, at height 0
      double depth;              // [m] > 0: how far the ground goes on below its lowest height; 0: a tenth of width
      double height;             // [m] >= 0: of white, where heights were read from a picture; 0: 1
      int refine;     // [-] >= 0: facets along each edge of a cell, of a smooth surface through the heights; 0: 1
      bool isFaceted; // balls touch the facets as all others do, and not the smooth surface
    } heightField;
    struct {
      crProfileDef profile; // x: distance from the axis, >= 0; y: along the axis, z
    } revolved;
    struct {
      crProfileDef profile; // in the x-y plane
      double length;        // [m] > 0: along z
    } extruded;
    struct {
      int teeth;            // [-] >= 3
      double module;        // [m] > 0
      double length;        // [m] > 0: along z
      double pressureAngle; // [rad] 0 < pressureAngle < pi/4: of the tool; 0: 20 degrees
      double shift;         // [-] of the profile, in modules
      double backlash;      // [m] >= 0: that each tooth is thinner by, along the pitch circle
      double tipRelief;     // [m] >= 0: what is taken off at the tips
    } involuteGear;
    struct {
      double length; // [m] > 0: of each arrow
    } coordinateSystem;
    struct {
      double width, length; // [m] > 0: along x and y
      double spacing;       // [m] > 0
    } grid;
    struct {
      double radius;     // [m] > 0: of the winding
      double length;     // [m] > 0: along z
      double wireRadius; // [m] 0 < wireRadius < radius
      int windings;      // [-] >= 1
    } coil;
    struct {
      double radius;     // [m] > 0: to the tips of the teeth
      double boreRadius; // [m] 0 <= boreRadius < radius
      double length;     // [m] > 0: along z
      int teeth;         // [-] >= 3
    } gearWheel;
    struct {
      const char* string; // UTF-8, not empty
      double height;      // [m] > 0: of a capital letter; the text lies in the x-y plane
    } text;
  } as;
} crShapeDef;

CR_API crShapeDef crDefaultShapeDef(crShapeKind kind);

// Reports every breach of the limits above; cr_ok or cr_errorModel. Makes nothing.
CR_API crStatus crCheckShapeDef(const crShapeDef* def, const crErrorSink* sink);

// A shape ready for queries. Immutable, so it may be used by several threads.
typedef struct crShape crShape;

// Refuses visual-only kinds. Warns of a mesh that is open or inside out. The shape keeps no
// pointer into def, but it retains a mesh.
CR_API crStatus crCreateShape(const crShapeDef* def, const crAllocator* allocator, const crErrorSink* sink,
                              crShape** outShape);
CR_API void crDestroyShape(crShape* shape);

CR_API crShapeKind crShape_GetKind(const crShape* shape);
CR_API double crShape_GetRounding(const crShape* shape);          // [m] radius actually used
CR_API double crShape_GetSmallestDimension(const crShape* shape); // [m] of the given shape; half-space: infinite
CR_API bool crShape_IsBounded(const crShape* shape);              // false for a half-space
CR_API double crShape_GetReach(const crShape* shape); // [m] largest distance of a point of it to its frame's origin

// The farthest point of the rounded shape along a direction, in the shape's given frame. Any non-zero
// finite direction; the zero direction counts as +z. For a half-space: the origin.
CR_API crVec3 crShape_ComputeSupport(const crShape* shape, crVec3 direction);

// Bounds of the rounded, inflated shape placed at a pose. Infinite along unbounded directions.
CR_API crAabb crShape_ComputeAabb(const crShape* shape, crPose pose);

// Of the unrounded shape. Volume [m^3]; 0 for a half-space.
CR_API double crShape_ComputeVolume(const crShape* shape);
CR_API crInertia crShape_ComputeInertia(const crShape* shape, double density);

// A mesh shape consists of convex pieces, each a hull; any other shape is its own single piece.
CR_API int crShape_CountPieces(const crShape* shape);
CR_API const crShape* crShape_GetPiece(const crShape* shape, int index);

// ------------------------------------------------------------------------------------------- mesh

typedef struct crMeshDef {
  size_t size;
  const crVec3* points; // [m] (pointCount)
  int pointCount;
  const int32_t (*triangles)[3]; // (triangleCount) indices of points, counter-clockwise seen from outside
  int triangleCount;
  const int32_t* pieceStarts; // (pieceCount) first triangle of each piece, ascending from 0; NULL: one piece
  int pieceCount;
} crMeshDef;

// What a mesh is, found when it was created.
typedef struct crMeshFacts {
  int pointCount, triangleCount, pieceCount;
  crAabb bounds;
  double volume;     // [m^3] signed: negative when the triangles are inside out
  int openEdgeCount; // edges that do not belong to exactly two oppositely oriented triangles, of all or of one piece
  bool isClosed;     // openEdgeCount == 0
} crMeshFacts;

CR_API crMeshDef crDefaultMeshDef(void);
CR_API crStatus crCreateMesh(const crMeshDef* def, const crAllocator* allocator, const crErrorSink* sink,
                             crMesh** outMesh);
CR_API const crMesh* crRetainMesh(const crMesh* mesh);
CR_API void crReleaseMesh(const crMesh* mesh);      // destroyed with the last release; NULL is ignored
CR_API crMeshDef crMesh_GetDef(const crMesh* mesh); // views into the mesh
CR_API crMeshFacts crMesh_GetFacts(const crMesh* mesh);

// Convex pieces of a closed mesh, which it can touch with. They do not overlap, and all of the body is in them: what is
// convex is one piece, what has few inward edges is cut exactly, and of others hulls stay within an error.
typedef struct crPiecesDef {
  size_t size;
  double error; // [m] >= 0: how far pieces may go beyond the mesh, along its normals; at least 1e-6 of its diagonal
  double volumeError; // [-] >= 0: so much more volume than the mesh is enough; 0: the error alone counts
  int limit;          // [-] of pieces; 0: 512
  double work;        // [-] >= 0: how much is done at most, 1 being some half a minute; 0: 1
  bool (*goesOn)(void* context, double share, int pieceCount); // asked now and then, with the share of the work that is
  void* context; // done; false: it ends, with cr_cancelled. NULL: it goes on
} crPiecesDef;

typedef struct crPiecesFacts {
  int pieceCount;
  double distance;    // [m] how far pieces go beyond the mesh, along its normals, at most
  double volumeRatio; // [-] volume of the pieces over that of the mesh
  bool isWithin;      // the error, or the volume error, was reached within the limits
  bool isSpent;       // the work was, before it was reached: `distance` is a bound
} crPiecesFacts;

CR_API crPiecesDef crDefaultPiecesDef(void);

// Makes a mesh of convex pieces, the same for the same mesh. Reports an open mesh. def, outFacts: may be NULL.
CR_API crStatus crDecomposeMesh(const crMesh* mesh, const crPiecesDef* def, const crAllocator* allocator,
                                const crErrorSink* sink, crMesh** outMesh, crPiecesFacts* outFacts);

// A mesh with the file that it was read from, as a model names it.
typedef struct crMeshFile {
  const char* file;
  crVec3 scale; // [-] applied when the file was read; zero: 1
  const crMesh* mesh;
} crMeshFile;

// Volume of the convex hulls of the pieces over the volume of the mesh: 1 when every piece is convex.
// Computed by crCreateShape; 1 for every other kind.
CR_API double crShape_GetHullRatio(const crShape* shape);

// Two spur gears with involute teeth that mesh. The contact ratio is (approach + recess) / pitch.
typedef struct crGearMesh {
  double baseA, baseB;         // [m] radii of base circles
  double tipA, tipB;           // [m] radii of tips
  double centre, angle;        // [m], [rad] distance of their centres, working pressure angle
  double pitch;                // [m] from tooth to tooth along the line of action; 0: there are no gears
  double approach, recess;     // [m] path of contact before and behind the pitch point, where A drives
  double stiffness;            // [N/m] of one pair of teeth in the middle of its path
  double relief, reliefLength; // [m] at the tips of both, over this length of the path
} crGearMesh;

#ifdef __cplusplus
}
#endif

#endif
