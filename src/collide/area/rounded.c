#include "collide/area/rounded.h"

#include "collide/area/curved.h"
#include "collide/area/round.h"

bool crIsRounded(const crShape* shape)
{
  bool isRound = shape->kind == cr_shapeCylinder || shape->kind == cr_shapeCone || shape->kind == cr_shapeBeam;
  return isRound && shape->sweep > 0.0;
}

// ---------------------------------------------------------------------------------------------- surfaces

// The other core, without its sweep, as sharp shapes see it.
typedef struct Other {
  bool isPolytope;
  crPolytope polytope;
  crCurvedBody body;
} Other;

static void makeOther(const crShape* shape, Other* out)
{
  out->isPolytope = shape->kind == cr_shapeHalfSpace || shape->kind == cr_shapeBox || shape->kind == cr_shapeHull;
  if (!out->isPolytope) {
    out->body = crMakeCurvedBody(shape);
    return;
  }
  crMakePolytope(shape, &out->polytope);
  if (shape->kind == cr_shapeHalfSpace) {
    out->polytope.box.offsets[0] = 0.0;
  }
}

// Points count where they are, but press as much farther out as the other core is below its surface.
static void finishSurface(crPatch* patch, int from, int to, const void* data)
{
  const crBalls* balls = data;
  for (int i = from; i < to; ++i) {
    patch->e[i] = 0.0;
    for (int k = 0; k < 3; ++k) {
      patch->z[k][i] = patch->x[k][i];
      patch->x[k][i] += balls->other->sweep * patch->m[k][i];
    }
  }
}

static void addSurface(const crBalls* balls, crShapeKind kind, const crCore* core, unsigned surfaces,
                       const Other* other)
{
  crShape shape = { .kind = kind, .core = *core };
  crPatch* patch = balls->patch;
  const crDeepest* deepest = balls->deepest;
  if (deepest->depth > 0.0 && crFindHeight(&shape, deepest->plane.normal, deepest->plane.offset) >= 0.0) {
    return;
  }
  bool isSunk = balls->other->sweep > 0.0;
  patch->surfaces = surfaces;
  if (isSunk) {
    crPatch_Hold(patch, false, false, 0.0, finishSurface, balls);
  } else {
    crPatch_TakeFirst(patch);
  }
  if (other->isPolytope) {
    crAddRound(&shape, &other->polytope, &balls->X_AB, patch);
  } else {
    crCurvedBody body = crMakeCurvedBody(&shape);
    crAddCurved(&body, &other->body, &balls->X_AB, patch);
  }
  if (isSunk) {
    crPatch_Release(patch);
  }
}

// How far a zone is from the axis, and how far it gets from there.
typedef struct Around {
  double rho, wide, z, tall; // [m]
} Around;

static Around seeAround(const crZone* near)
{
  Around around = { .z = near->middle.z, .tall = crZone_FindSpread(near, crMakeVec3(0.0, 0.0, 1.0)) };
  around.rho = sqrt(near->middle.x * near->middle.x + near->middle.y * near->middle.y);
  for (int i = 0; i < 3; ++i) {
    crVec3 e = near->axes[i];
    around.wide += near->half[i] * sqrt(e.x * e.x + e.y * e.y);
  }
  return around;
}

// Whether a zone touches the side of a cylinder or cone, from inside.
static bool passesSide(const crZone* near, const crCore* core, bool isCone)
{
  if (near == NULL) {
    return true;
  }
  Around around = seeAround(near);
  double growth = isCone ? (core->topRadius - core->radius) / (core->zMax - core->zMin) : 0.0;
  double radius = core->radius + growth * (around.z - core->zMin) - fabs(growth) * around.tall;
  return around.z - around.tall <= core->zMax && around.z + around.tall >= core->zMin &&
         around.rho + around.wide >= radius;
}

static bool passesCap(const crZone* near, double z, double radius)
{
  if (near == NULL) {
    return true;
  }
  Around around = seeAround(near);
  return fabs(around.z - z) <= around.tall && around.rho - around.wide <= radius;
}

// The side moved out by R, and the caps.
static void addTurned(const crBalls* balls, const crShape* a, const crZone* near, const Other* other)
{
  const crCore* core = &a->core;
  double r0 = core->radius, r1 = a->kind == cr_shapeCone ? core->topRadius : core->radius, R = balls->reach;
  double height = core->zMax - core->zMin, slant = sqrt(height * height + (r0 - r1) * (r0 - r1));
  crCore moved = *core;
  if (height > 0.0) {
    double radial = R * height / slant, axial = R * (r0 - r1) / slant;
    moved.radius = r0 + radial;
    moved.topRadius = r1 + radial;
    moved.zMin += axial;
    moved.zMax += axial;
    if (passesSide(near, &moved, a->kind == cr_shapeCone)) {
      addSurface(balls, a->kind, &moved, cr_surfaceSide, other);
    }
  }
  moved = *core;
  moved.zMin -= R;
  bool isBottom = r0 > 0.0 && passesCap(near, moved.zMin, r0), isTop = r1 > 0.0 && passesCap(near, core->zMax + R, r1);
  if (r0 == r1) {
    moved.zMax += R;
    if (isBottom || isTop) {
      addSurface(balls, a->kind, &moved, cr_surfaceBottom | cr_surfaceTop, other);
    }
    return;
  }
  if (isBottom) {
    addSurface(balls, a->kind, &moved, cr_surfaceBottom, other);
  }
  if (isTop) {
    moved.zMin = core->zMin;
    moved.zMax += R;
    addSurface(balls, a->kind, &moved, cr_surfaceTop, other);
  }
}

static void addBeam(const crBalls* balls, const crShape* a, const Other* other)
{
  crCore core = a->core;
  double y = core.half.y, z = core.half.z;
  if (z > 0.0) {
    core.half.y = y + balls->reach;
    addSurface(balls, a->kind, &core, cr_surfaceSide, other);
  }
  if (y > 0.0) {
    core.half = crMakeVec3(core.half.x, y, z + balls->reach);
    addSurface(balls, a->kind, &core, cr_surfaceBottom | cr_surfaceTop, other);
  }
}

// -------------------------------------------------------------------------------------------------- rims

// Where a corner of the meridian counts, seen from it: R times the mean direction of the surfaces next to it.
typedef struct Lift {
  double radial, axial;
} Lift;

static Lift findLift(double R, double radial, double axial, double cap)
{
  double length = sqrt(radial * radial + (axial + cap) * (axial + cap));
  return length > 0.0 ? (Lift){ R * radial / length, R * (axial + cap) / length } : (Lift){ 0.0, R * cap };
}

static void addCircle(const crBalls* balls, double radius, double z, Lift lift)
{
  crVec3 centre = crMakeVec3(0.0, 0.0, z);
  if (!(radius > 0.0)) {
    crAddLiftedKnob(balls, centre, crMakeVec3(0.0, 0.0, lift.axial));
    return;
  }
  crAddRim(balls, &(crRim){ .centre = centre,
                            .e1 = { 1.0, 0.0, 0.0 },
                            .e2 = { 0.0, 1.0, 0.0 },
                            .radius = radius,
                            .angle = 2.0 * M_PI,
                            .outward = lift.radial,
                            .along = lift.axial });
}

static void addCircles(const crBalls* balls, const crShape* a)
{
  const crCore* core = &a->core;
  double r0 = core->radius, r1 = a->kind == cr_shapeCone ? core->topRadius : core->radius, R = balls->reach;
  double height = core->zMax - core->zMin, slant = sqrt(height * height + (r0 - r1) * (r0 - r1));
  double radial = slant > 0.0 ? height / slant : 1.0, axial = slant > 0.0 ? (r0 - r1) / slant : 0.0;
  addCircle(balls, r0, core->zMin, findLift(R, radial, axial, -1.0));
  if (height > 0.0) {
    addCircle(balls, r1, core->zMax, r1 > 0.0 ? findLift(R, radial, axial, 1.0) : (Lift){ 0.0, R });
  }
}

// Two half circles and two straight lines between.
static void addStadium(const crBalls* balls, crVec3 half, double z, Lift lift)
{
  for (int side = -1; side <= 1; side += 2) {
    crVec3 p = crMakeVec3(-half.x, side * half.y, z), q = crMakeVec3(half.x, side * half.y, z);
    if (half.x > 0.0) {
      crAddLiftedRib(balls, p, q, crMakeVec3(0.0, side * lift.radial, lift.axial));
    }
    crVec3 centre = crMakeVec3(side * half.x, 0.0, z);
    if (half.y > 0.0) {
      crAddRim(balls, &(crRim){ .centre = centre,
                                .e1 = { 0.0, -side, 0.0 },
                                .e2 = { side, 0.0, 0.0 },
                                .radius = half.y,
                                .angle = M_PI,
                                .outward = lift.radial,
                                .along = lift.axial });
    } else {
      crAddLiftedKnob(balls, centre, crMakeVec3(side * lift.radial, 0.0, lift.axial));
    }
  }
}

void crAddRims(const crBalls* balls, const crShape* a)
{
  if (a->kind != cr_shapeBeam) {
    addCircles(balls, a);
    return;
  }
  crVec3 half = a->core.half;
  double lift = M_SQRT1_2 * balls->reach;
  addStadium(balls, half, half.z, (Lift){ lift, lift });
  if (half.z > 0.0) {
    addStadium(balls, half, -half.z, (Lift){ lift, -lift });
  }
}

// Rims first: what is below the deepest of them often leaves out the caps or the side.
void crAddRounded(const crBalls* balls, const crShape* a, const crZone* near)
{
  Other other;
  makeOther(balls->other, &other);
  balls->patch->isOneSided = true;
  crAddRims(balls, a);
  if (a->kind == cr_shapeBeam) {
    addBeam(balls, a, &other);
  } else {
    addTurned(balls, a, near, &other);
  }
  balls->patch->share = 1.0;
}
