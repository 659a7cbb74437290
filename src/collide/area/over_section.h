// Where circles, lines of the side and chords of the caps of a cylinder are below smooth ground.
#ifndef CR_COLLIDE_AREA_OVER_SECTION_H
#define CR_COLLIDE_AREA_OVER_SECTION_H

#include "collide/area/ground_depth.h"
#include "collide/area/spans_above.h"
#include "geometry/shape.h"

typedef enum crOverPose { cr_overRolling, cr_overStanding } crOverPose;

// In axes of the ground.
typedef struct crOver {
  const crGround* ground;
  double radius, z0, z1;
  double cell;               // [m] the lesser step of the grid
  double facing;             // [-] least d over f
  crMat3 R;                  // axes of the round shape
  crVec3 centre;             // its origin
  crVec3 axis, down, across; // down: across the axis, towards the ground
  crVec3 low, high;          // of the box around it
  crOverPose pose;
  double lean;  // [-] least slope of f along `down` when rolling, along the axis when standing
  double angle; // [rad] of the lowest place that was found last
} crOver;

crOver crPlaceOver(const crShape* round, const crShape* ground, const crPose* X_GA);

crVec3 crOver_PointAt(const crOver* over, double s, double angle);

// A circle of the side, or a rim.
typedef struct crSection {
  crOver* over;
  double s;
} crSection;

// Where it is below, as angles from `down`.
void crFindArcs(crSection* section, crSpansAbove* out);

// Its lowest place.
double crSection_FindLowest(crSection* section);

// Where sections are below.
void crScanSide(crOver* over, bool isWhole, crSpansAbove* out);

// A chord of a cap along `down`, r sin(place) beside its middle.
typedef struct crChord {
  crOver* over;
  double s;      // of the cap
  crVec3 middle; // of the chord
} crChord;

// Returns half its length.
double crChord_Place(crChord* chord, double place);

void crScanChord(crChord* chord, double half, bool isWhole, crSpansAbove* out);

// Where chords have a part that is below, by their places.
void crScanCap(crChord* chord, bool isWhole, crSpansAbove* out);

// A straight way from a point.
typedef struct crWay {
  const crOver* over;
  crVec3 from, along;
} crWay;

// How far the way is below, falling, from 0 to `most`.
double crFindEnd(const crWay* way, double most);

#endif
