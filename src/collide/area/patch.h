// A patch: the surfaces of two shapes as far as they are inside each other, by points of a quadrature.
//
// With d_B(x) the depth of a point below the surface of B, the least distance to its faces, and 0 outside, everything
// that an area contact needs are integrals over A's surface inside B and over B's surface inside A,
//
//   I_m = share ( integral over A's surface of d_B^m  +  integral over B's surface of d_A^m )
//
// with share 1/2; where one surface is enough, share is 1 and the other is left out. A point carries its part of the
// surface, its depth and minus the gradient of that depth, which is the outward normal of the face that it is below (of
// unit length, but for round sides: see there). All in the axes of the first shape, about its origin: those of its
// canonical frame S. The first shape is A, or B where `isExchanged`.
//
// Where a place counts, for the extent of the patch, may differ from where the point presses: swept shapes count at
// their core (swept.c), and a point may stand for a round spot. So runs of points have an offset, or a spot each.
//
// Points of the second surface may count at their feet on the first shape's core, so that all of a patch counts at one
// level. Such a foot moves with the second shape along the face or edge that it is on, and with the first one across:
// seen from the first shape its velocity is J times that of the point, with
//
//   J = 1 - q q^T on a face with the normal q,   q q^T on an edge along q,   0 at a corner,   1 inside the core
//
// Points are kept in groups of CR_PATCH_LANES, filled up with weight 0, so that sums run over vectors. Where a patch
// has more points than there is room, those so far are summed up and given away (spilled); the forces, which need the
// sums first, then take the shapes a second time.
#ifndef CR_COLLIDE_AREA_PATCH_H
#define CR_COLLIDE_AREA_PATCH_H

#include "geometry/shape.h"

#define CR_PATCH_LANES 8
#define CR_PATCH_ROOM                                                                                                  \
  2056 // points; a multiple of a line of the cache, but not of a page: arrays side by side would share lines
#define CR_PATCH_RUNS 48 // of points of one surface after the other

// Sums of one surface, places about crPatch.origin.
typedef struct crPatchSums {
  double area;   // [m^2] integral of 1,
  double i1;     // [m^3] of d,
  crVec3 x1;     // of d x,
  crSym3 xx1;    // of d x x^T;
  double i2, i3; // [m^4], [m^5] of d^2, d^3,
  crVec3 x2;     // of d^2 x,
  crSym3 xx2;    // of d^2 x x^T
} crPatchSums;

// Of a round shape: those that a patch is to have.
typedef enum crPatchSurface {
  cr_surfaceSide = 1,
  cr_surfaceBottom = 2, // the cap at the lesser z
  cr_surfaceTop = 4,
} crPatchSurface;

#define CR_ALL_SURFACES (cr_surfaceSide | cr_surfaceBottom | cr_surfaceTop)

typedef struct crPatch crPatch;

// Takes a run of points, all of one surface, before they are given away.
typedef void (*crPatchSpill)(crPatch* patch, int run);

// Takes a corner of a polygon, with its depth: what no point of a quadrature reaches.
typedef void (*crPatchCornerSeen)(crPatch* patch, crVec3 x, double depth);

// Sees to points [from, to) of a run when it ends.
typedef void (*crPatchFinish)(crPatch* patch, int from, int to, const void* data);

#define CR_PATCH_LINE_POINTS 240

// Lines where two faces are equally near, by points: there the force changes its direction. A point carries its length
// over the gradient of the difference of both depths, its depth, and the jump of minus the depth's gradient.
typedef struct crPatchLines {
  int count;
  bool isFull; // there are more
  double w[CR_PATCH_LINE_POINTS], d[CR_PATCH_LINE_POINTS];
  crVec3 x[CR_PATCH_LINE_POINTS], jump[CR_PATCH_LINE_POINTS];
} crPatchLines;

struct crPatch {
  double share;                  // [-] of each surface
  bool isExchanged;              // the first shape is B
  bool isSpilled;                // more points than there is room for
  bool isOneSided;               // the first shape's surface alone is asked for,
  unsigned surfaces;             // and of that, if it is round, these: a set of crPatchSurface
  bool isBroken;                 // too many planes at once: the patch is of no use
  int count;                     // points in the room
  int runCount;                  // of points of one surface, and
  int runs[CR_PATCH_RUNS + 1];   // (runCount + 1) where they begin, once all points have come
  bool areSecond[CR_PATCH_RUNS]; // (runCount) of the second shape's surface
  bool haveSpots[CR_PATCH_RUNS]; // (runCount) places that count are in z, with their spread in e; else:
  crVec3 offsets[CR_PATCH_RUNS]; // [m] (runCount) from where points press to where they count
  bool haveFeet[CR_PATCH_RUNS];  // (runCount) places that count are feet
  double sinks[CR_PATCH_RUNS];   // [m] (runCount) then: points of the second surface are where they press + sink m
  crPatchFinish finish;          // of the last run; NULL: nothing is left to do
  const void* finishData;
  bool hasOrigin;
  crVec3 origin; // [m] near all places that count, so that nothing is lost in second moments
  double depth;  // [m] the largest; and where that is, with minus its gradient
  crVec3 deepest, deepestNormal;
  crVec3 deepestSpot;          // where that counts
  bool isDeepestSecond;        // on the second shape's surface
  crPatchSpill spill;          // NULL: sums are taken
  void* context;               // of spill and seeCorner
  crPatchCornerSeen seeCorner; // NULL: nobody asks
  crPatchLines* lines;         // of polytopes; NULL: nobody asks
  crPatchSums sums[2];         // of the first and of the second shape's surface
  _Alignas(64) double w[CR_PATCH_ROOM], d[CR_PATCH_ROOM], x[3][CR_PATCH_ROOM], m[3][CR_PATCH_ROOM];
  double z[3][CR_PATCH_ROOM], e[CR_PATCH_ROOM]; // [m], [m^2] in each direction; of runs that have spots
  double q[3][CR_PATCH_ROOM], s[CR_PATCH_ROOM]; // [-] of those that have feet: J = (s < 0) 1 + s q q^T
};

// An empty patch; the arrays are left as they are.
void crPatch_Begin(crPatch* patch);

// What follows is of the first or second shape's surface.
void crPatch_TakeFirst(crPatch* patch);
void crPatch_TakeSecond(crPatch* patch);

// Likewise, of points with spots, or with an offset.
void crPatch_TakeSpots(crPatch* patch, bool isSecond);
void crPatch_TakeOffset(crPatch* patch, bool isSecond, crVec3 offset);

// Likewise, of points that get spots, and those of the second shape feet, when they are finished. Such a run takes all
// that comes until it ends, which is before `data` does.
void crPatch_Hold(crPatch* patch, bool isSecond, bool hasFeet, double sink, crPatchFinish finish, const void* data);
void crPatch_Release(crPatch* patch);

// All points have come: sums are complete.
void crPatch_End(crPatch* patch);

// Points, and all that is told of them but `lines`, into other axes with the same origin, R: from those to the old
// ones; and sums anew. Of patches that are complete and not spilled.
void crPatch_Turn(crPatch* patch, crMat3 R);

// Where points [from, to) press, and their normals, that came in other axes.
void crPatch_Place(crPatch* patch, int from, int to, const crPose* X);

// Gives away what is in the room.
void crPatch_Spill(crPatch* patch);

// What a patch was before points came that may be of no use.
typedef struct crPatchMark {
  int count, runCount, lineCount;
  bool isSecond, hasSpots, hasFeet, isDeepestSecond, isBroken;
  double sink;
  crVec3 offset;
  double depth;
  crVec3 deepest, deepestNormal, deepestSpot;
} crPatchMark;

crPatchMark crPatch_Mark(const crPatch* patch);

// One of the deeper points that have come since; -1: there is none. None may have been given away: isSpilled.
int crPatch_FindSince(const crPatch* patch, const crPatchMark* mark);

// Takes back what has come since. Points must not have been given away.
void crPatch_Undo(crPatch* patch, const crPatchMark* mark);

static inline crVec3 crPatch_GetPoint(const crPatch* patch, int i)
{
  return crMakeVec3(patch->x[0][i], patch->x[1][i], patch->x[2][i]);
}

static inline bool crPatch_IsOfSecond(const crPatch* patch, int i)
{
  int run = patch->runCount - 1;
  while (run > 0 && patch->runs[run] > i) {
    --run;
  }
  return patch->areSecond[run];
}

// Room for n points one after the other, n <= 3 CR_PATCH_LANES. The caller writes w, d, x, m from the returned place
// on and adds to count.
static inline int crPatch_MakeRoom(crPatch* patch, int n)
{
  if (patch->count + n > CR_PATCH_ROOM - CR_PATCH_LANES) {
    crPatch_Spill(patch);
  }
  return patch->count;
}

static inline void crPatch_AddPoint(crPatch* patch, double weight, double depth, crVec3 x, crVec3 normal)
{
  int i = crPatch_MakeRoom(patch, 1);
  patch->w[i] = weight;
  patch->d[i] = depth;
  patch->x[0][i] = x.x;
  patch->x[1][i] = x.y;
  patch->x[2][i] = x.z;
  patch->m[0][i] = normal.x;
  patch->m[1][i] = normal.y;
  patch->m[2][i] = normal.z;
  patch->count = i + 1;
}

// spread: [m^2] of the spot about z, in each direction
static inline void crPatch_AddSpot(crPatch* patch, double weight, double depth, crVec3 x, crVec3 normal, crVec3 z,
                                   double spread)
{
  crPatch_AddPoint(patch, weight, depth, x, normal);
  int i = patch->count - 1;
  patch->z[0][i] = z.x;
  patch->z[1][i] = z.y;
  patch->z[2][i] = z.z;
  patch->e[i] = spread;
}

// Tells where the depth is largest, if it is there: at a corner of a polygon, which is no point of the quadrature.
static inline void crPatch_SeeDepth(crPatch* patch, double depth, crVec3 x, crVec3 normal)
{
  if (depth > patch->depth) {
    patch->depth = depth;
    patch->deepest = x;
    patch->deepestNormal = normal;
    patch->deepestSpot = crAdd(x, patch->offsets[patch->runCount - 1]);
    patch->isDeepestSecond = patch->areSecond[patch->runCount - 1];
  }
}

#endif
