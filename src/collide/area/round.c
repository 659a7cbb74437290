#include "collide/area/round.h"

#include "collide/area/round_part.h"

// See isInBoth of polytope.c: the same for the planes, edges and caps that were left out here.
static bool isInBoth(const crRoundPart* part, const crPolytope* b, const crPose* X_AB, const crPatchMark* mark,
                     const crPatch* patch)
{
  int i = patch->isSpilled ? -1 : crPatch_FindSince(patch, mark);
  if (i < 0) {
    return patch->isSpilled; // so many are no error
  }
  crVec3 x = crPatch_GetPoint(patch, i), inB = crInvTransformPoint(*X_AB, x);
  return crPolytope_Has(b, inB) && (!crPatch_IsOfSecond(patch, i) || crRoundPart_Has(part, x));
}

static void addPart(const crRoundPart* part, const crPolytope* b, const crPose* X_AB, crPatch* patch)
{
  crAreaPlane planes[CR_MAX_PLANES];
  crOverlap overlap;
  int count = crRoundPart_ListPlanes(part, b, X_AB, &overlap, planes);
  patch->isBroken |= count < 0;
  if (count <= 0) {
    return;
  }
  count = crRoundPart_DropFarther(&overlap, count, planes);
  crPatchMark mark = crPatch_Mark(patch);
  crPatch_TakeFirst(patch);
  crRoundPart_AddSurface(part, &overlap, count, planes, patch);
  if (!b->isHalfSpace && !patch->isOneSided) {
    crPatch_TakeSecond(patch);
    crRoundPart_AddFaces(part, b, X_AB, &overlap, patch);
  }
  if (!isInBoth(part, b, X_AB, &mark, patch)) {
    crPatch_Undo(patch, &mark);
  }
}

// What is between the ends of a beam.
static void addMiddle(const crCore* core, const crPolytope* b, const crPose* X_AB, crPatch* patch)
{
  bool hasSide = (patch->surfaces & cr_surfaceSide) != 0;
  bool isInner[6] = {
    true, true, !hasSide, !hasSide, (patch->surfaces & cr_surfaceTop) == 0, (patch->surfaces & cr_surfaceBottom) == 0
  };
  crPolytope middle;
  crMakeBoxPolytope(core->half, &middle);
  middle.isInner = isInner;
  crAddPolytopes(&middle, b, X_AB, patch);
}

void crAddRound(const crShape* a, const crPolytope* b, const crPose* X_AB, crPatch* patch)
{
  const crCore* core = &a->core;
  if (b->isHalfSpace) {
    patch->share = 1.0;
  }
  if (a->kind == cr_shapeBeam) {
    crVec3 h = core->half;
    crSide side = { h.y, -h.z, h.y, h.z };
    addMiddle(core, b, X_AB, patch);
    addPart(&(crRoundPart){ side, h.x, 1 }, b, X_AB, patch);
    addPart(&(crRoundPart){ side, -h.x, -1 }, b, X_AB, patch);
    return;
  }
  double top = a->kind == cr_shapeCone ? core->topRadius : core->radius;
  addPart(&(crRoundPart){ { core->radius, core->zMin, top, core->zMax }, 0.0, 0 }, b, X_AB, patch);
}
