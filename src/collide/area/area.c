#include "collide/area/area.h"

#include "collide/area/core_foot.h"
#include "collide/area/curved.h"
#include "collide/area/polytope.h"
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
  bool areGround = a->kind == cr_shapeHalfSpace && b->kind == cr_shapeHalfSpace;
  Kind kindA = kindOf(a), kindB = kindOf(b);
  if (kindA == sweptKind || kindB == sweptKind) {
    return crHasCoreFoot(a) && crHasCoreFoot(b);
  }
  return kindA != pointKind && kindB == kindA && !areGround;
}

// Of the later kind, or not a half-space.
static bool comesFirst(const crShape* a, const crShape* b)
{
  Kind kindA = kindOf(a), kindB = kindOf(b);
  if (kindA != kindB) {
    return kindA > kindB;
  }
  return kindA == sweptKind ? crSweepsFirst(a, b) : a->kind != cr_shapeHalfSpace;
}

static void addPair(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch)
{
  if (kindOf(a) == roundKind && kindOf(b) == roundKind) {
    crCurvedBody first = crMakeCurvedBody(a), second = crMakeCurvedBody(b);
    crAddCurved(&first, &second, X_AB, patch);
    return;
  }
  if (crIsSwept(a)) {
    crAddSwept(a, b, X_AB, patch);
    return;
  }
  crPolytope first, second;
  crMakePolytope(a, &first);
  crMakePolytope(b, &second);
  crAddPolytopes(&first, &second, X_AB, patch);
}

static crPose relate(const crPose* X_WA, const crPose* X_WB)
{
  return (crPose){ crMulTM(X_WA->R, X_WB->R), crMulTV(X_WA->R, crSub(X_WB->p, X_WA->p)) };
}

static void fill(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crPatch* patch)
{
  bool isExchanged = !comesFirst(a, b);
  crPose X = isExchanged ? relate(X_WB, X_WA) : relate(X_WA, X_WB);
  patch->isExchanged = isExchanged;
  addPair(isExchanged ? b : a, isExchanged ? a : b, &X, patch);
  crPatch_End(patch);
}

void crComputePatch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crPatch* patch)
{
  crPatch_Begin(patch);
  fill(a, X_WA, b, X_WB, patch);
}

void crRepeatPatch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crPatchSpill spill,
                   void* context, crPatch* patch)
{
  crPatchSums sums[2] = { patch->sums[0], patch->sums[1] };
  crVec3 origin = patch->origin;
  crPatch_Begin(patch);
  patch->sums[0] = sums[0];
  patch->sums[1] = sums[1];
  patch->origin = origin;
  patch->hasOrigin = true;
  patch->spill = spill;
  patch->context = context;
  fill(a, X_WA, b, X_WB, patch);
}
