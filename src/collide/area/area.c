#include "collide/area/area.h"

#include "collide/area/boxes.h"
#include "collide/area/core_foot.h"
#include "collide/area/curved.h"
#include "collide/area/over_ground.h"
#include "collide/area/round.h"
#include "collide/area/swept.h"

typedef enum Kind {
  pointKind, // touches at a point
  polytopeKind,
  roundKind, // with straight lines: cylinder, cone, frustum, beam
  sweptKind,
} Kind;

static Kind kindOf(const crShape* shape)
{
  return crIsSwept(shape)        ? sweptKind
         : crIsCurvedBody(shape) ? roundKind
         : crIsPolytope(shape)   ? polytopeKind
                                 : pointKind;
}

bool crTouchesByArea(const crShape* a, const crShape* b)
{
  if (crIsSurface(a) || crIsSurface(b)) {
    return crIsOverGround(a, b);
  }
  bool areGround = a->kind == cr_shapeHalfSpace && b->kind == cr_shapeHalfSpace;
  Kind kindA = kindOf(a), kindB = kindOf(b);
  if (kindA == sweptKind || kindB == sweptKind) {
    return crHasCoreFoot(a) && crHasCoreFoot(b);
  }
  return kindA != pointKind && kindB != pointKind && !areGround;
}

// Of the later kind, or not a half-space.
static bool comesFirst(const crShape* a, Kind kindA, const crShape* b, Kind kindB)
{
  if (kindA == sweptKind || kindB == sweptKind) {
    return crSweepsFirst(a, b);
  }
  return kindA != kindB ? kindA > kindB : a->kind != cr_shapeHalfSpace;
}

static void addPolytopes(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch)
{
  bool isPlainBox = a->kind == cr_shapeBox && a->innerFaces == NULL;
  if (isPlainBox && b->kind == cr_shapeBox && b->innerFaces == NULL) {
    crAddBoxes(a->core.half, b->core.half, X_AB, patch);
    return;
  }
  if (isPlainBox && b->kind == cr_shapeHalfSpace) {
    crAddBoxOnGround(a->core.half, b->sweep, X_AB, patch);
    return;
  }
  crPolytope first, second;
  crMakePolytope(a, &first);
  crMakePolytope(b, &second);
  crAddPolytopes(&first, &second, X_AB, patch);
}

static void addRound(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch)
{
  crPolytope second;
  crMakePolytope(b, &second);
  crAddRound(a, &second, X_AB, patch);
}

static void addCurved(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch)
{
  crCurvedBody first = crMakeCurvedBody(a), second = crMakeCurvedBody(b);
  crAddCurved(&first, &second, X_AB, patch);
}

typedef void (*AddPair)(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch);

// By the kinds of the first and of the second shape, which is seldom of a later one.
static const AddPair addPair[sweptKind + 1][sweptKind + 1] = {
  [polytopeKind] = { [polytopeKind] = addPolytopes },
  [roundKind] = { [polytopeKind] = addRound, [roundKind] = addCurved, [sweptKind] = crAddSwept },
  [sweptKind] = { crAddSwept, crAddSwept, crAddSwept, crAddSwept },
};

static crPose relate(const crPose* X_WA, const crPose* X_WB)
{
  return (crPose){ crMulTM(X_WA->R, X_WB->R), crMulTV(X_WA->R, crSub(X_WB->p, X_WA->p)) };
}

static void fill(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crPatch* patch)
{
  Kind kindA = kindOf(a), kindB = kindOf(b);
  bool isGround = a->ground != NULL || b->ground != NULL;
  bool isExchanged = isGround ? a->ground != NULL : !comesFirst(a, kindA, b, kindB);
  crPose X = isExchanged ? relate(X_WB, X_WA) : relate(X_WA, X_WB);
  patch->isExchanged = isExchanged;
  const crShape *first = isExchanged ? b : a, *second = isExchanged ? a : b;
  AddPair add = isGround ? crAddOverGround : isExchanged ? addPair[kindB][kindA] : addPair[kindA][kindB];
  if (add != NULL) {
    add(first, second, &X, patch);
  }
  crPatch_End(patch);
}

void crComputePatch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crPatch* patch)
{
  crPatch_Begin(patch);
  fill(a, X_WA, b, X_WB, patch);
}

void crComputePatchWithCorners(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                               crPatchCornerSeen seeCorner, void* context, crPatch* patch)
{
  crPatch_Begin(patch);
  patch->seeCorner = seeCorner;
  patch->context = context;
  fill(a, X_WA, b, X_WB, patch);
}

void crComputePatchWithLines(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                             crPatchLines* outLines, crPatch* patch)
{
  crPatch_Begin(patch);
  outLines->count = 0;
  outLines->isFull = false;
  patch->lines = outLines;
  fill(a, X_WA, b, X_WB, patch);
}

bool crHasPatchLines(const crShape* a, const crShape* b)
{
  return kindOf(a) == polytopeKind && kindOf(b) == polytopeKind;
}

void crRepeatPatch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crPatchSpill spill,
                   crPatchCornerSeen seeCorner, void* context, crPatch* patch)
{
  crPatchSums sums[2] = { patch->sums[0], patch->sums[1] };
  crVec3 origin = patch->origin;
  crPatch_Begin(patch);
  patch->sums[0] = sums[0];
  patch->sums[1] = sums[1];
  patch->origin = origin;
  patch->hasOrigin = true;
  patch->spill = spill;
  patch->seeCorner = seeCorner;
  patch->context = context;
  fill(a, X_WA, b, X_WB, patch);
}
