// Outlines of extruded shapes and cylinders in the plane across their parallel axes, what they consist of, and which
// places of them face each other from inside.
#ifndef CR_COLLIDE_DISTANCE_OUTLINE_H
#define CR_COLLIDE_DISTANCE_OUTLINE_H

#include "base/friend.h"
#include "geometry/profile.h"

typedef enum crFeatureKind {
  cr_featureLine,
  cr_featureArc,
  cr_featureInvolute,
  cr_featureEnd,
  cr_featureShared
} crFeatureKind;

// In the plane of the first shape.
typedef struct crFeature {
  crFeatureKind kind;
  crPlanePoint centre;             // of a line: its middle; of an involute: of its base circle
  double radius;                   // [m] signed; 0: a corner
  crPlanePoint normal;             // in its middle
  double cosine;                   // of half the angle that its normals turn by
  double half;                     // [m] of a line: half its length
  const crProfileElement* element; // NULL: a corner, an end or the circle of a cylinder
  double sense;                    // [-] of an involute: 1 convex, -1 concave
  int place;                       // of its element in the profile, or of that before a corner; -1: neither
} crFeature;

// A shape in the plane: a chain, or the circle of a cylinder.
typedef struct crOutline {
  const crChain* chain; // NULL: a circle
  double radius;        // [m] of that
  crPlanePoint x, y;    // its axes in the plane of the first shape
  crPlanePoint origin;
  int count; // stretches
} crOutline;

#define CR_CONE_SLACK 1e-12 // [-] of cosines, so that nothing falls between two features

static inline crPlanePoint crPlaneMix(double s, crPlanePoint a, double t, crPlanePoint b) // s a + t b
{
  return (crPlanePoint){ s * a.x + t * b.x, s * a.y + t * b.y };
}

static inline crPlanePoint crOutline_TurnInto(const crOutline* o, crPlanePoint v)
{
  return crPlaneMix(v.x, o->x, v.y, o->y);
}

static inline crPlanePoint crOutline_MoveInto(const crOutline* o, crPlanePoint p)
{
  return crPlaneAdd(crOutline_TurnInto(o, p), 1.0, o->origin);
}

static inline bool crFeature_HasNormal(const crFeature* f, crPlanePoint n)
{
  return crPlaneDot(f->normal, n) >= f->cosine - CR_CONE_SLACK;
}

// Whether the solid of which an outline is a part has a back.
static inline bool crOutline_IsSolid(const crOutline* o)
{
  return o->chain == NULL || !o->chain->profile->isShell;
}

// An element of the profile of an outline, and the corner behind one that has one.
CR_FRIEND crFeature crOutline_MakeElement(const crOutline* o, const crProfileElement* element);
CR_FRIEND crFeature crOutline_MakeCorner(const crOutline* o, const crProfileElement* element);

// Where two features have opposite normals, and both lie on the line between them.
typedef struct crFacingPlace {
  crFeature f, g;      // as they are there: involutes with the radii and centres that they have
  crPlanePoint normal; // out of the first one
  double gap;          // [m]
} crFacingPlace;

#define CR_FACING_PLACES 2

// Gaps of more than `most` [m] may be left out. Returns how many.
CR_FRIEND int crFindFacingPlaces(const crFeature* f, const crFeature* g, double most,
                                 crFacingPlace out[CR_FACING_PLACES]);

// Whether two features, with opposite normals n out of f and `gap` < 0 [m] between on1 of f and the point of g, tell
// how deep both solids are in each other there. Both are lines or arcs, with the radii and centres that they have
// there, and solid.
CR_FRIEND bool crIsDepth(const crOutline* a, const crFeature* f, const crOutline* b, const crFeature* g, double gap,
                         crPlanePoint on1, crPlanePoint n);

// Whether the whole of one solid is in the other.
CR_FRIEND bool crIsOneWithin(const crOutline* a, const crOutline* b);

#endif
