// Shapes of profiles: chains for contact, and mass properties of what profiles enclose.
//
// With a closed profile around the region G, of revolution about y, or extruded along z by the length L:
//
//   V = 2 pi int rho,   int x^2 dV = int y^2 dV = pi int rho^3,   int z^2 dV = 2 pi int rho z^2    over G
//   V = L int 1,        int x^2 dV = L int x^2, ...,              int z^2 dV = V L^2 / 12
//
// Hollow shapes are rooms. That of a sphere, cylinder or cone is a surface of revolution, with walls for ellipsoids; a
// box has six walls, each a half-space that begins where the wall is.
#include "base/memory.h"
#include "geometry/involute_gear.h"
#include "geometry/shape_kind.h"

#include <string.h>

#define CR_WALLS 6         // of a box
#define CR_MOST_WALLS 5    // of other rooms, for ellipsoids
#define CR_MOST_SIDES 512  // of profiles that are cut into convex pieces without being asked to
#define CR_EXACT 1e-12     // [-] of the size: the error of these
#define CR_FACE_SIZES 20.0 // [-] over the size of a hole: how far from it its end faces are touched

// ------------------------------------------------------------------------------------------------ mass

static crInertia weighRevolved(const crProfile* profile)
{
  double volume = 2.0 * CR_PI * crProfile_Integrate(profile, 1, 0), z = crProfile_Integrate(profile, 1, 1);
  double com = 2.0 * CR_PI * z / volume, across = CR_PI * crProfile_Integrate(profile, 3, 0);
  double along = 2.0 * CR_PI * crProfile_Integrate(profile, 1, 2) - volume * com * com;
  return (crInertia){ volume, { 0.0, 0.0, com }, crDiagonalSym3(across + along, across + along, 2.0 * across) };
}

static crInertia weighExtruded(const crProfile* profile, double length)
{
  double area = crProfile_Integrate(profile, 0, 0);
  double x = crProfile_Integrate(profile, 1, 0) / area, y = crProfile_Integrate(profile, 0, 1) / area;
  double volume = area * length, zz = volume * length * length / 12.0;
  double xx = length * crProfile_Integrate(profile, 2, 0) - volume * x * x;
  double yy = length * crProfile_Integrate(profile, 0, 2) - volume * y * y;
  double xy = length * crProfile_Integrate(profile, 1, 1) - volume * x * y;
  return (crInertia){ volume, { x, y, 0.0 }, { yy + zz, xx + zz, xx + yy, -xy, 0.0, 0.0 } };
}

static void weigh(crShape* shape, const crProfile* profile, double length)
{
  crInertia inertia = { 0 };
  if (profile->hasVolume) {
    inertia = shape->kind == cr_shapeRevolved ? weighRevolved(profile) : weighExtruded(profile, length);
  }
  crPose X_FS = { shape->R_FS, { 0.0, 0.0, 0.0 } };
  shape->unitInertia = shape->isTurned ? crTransformInertia(X_FS, inertia) : inertia;
}

// ---------------------------------------------------------------------------------------------- chains

static void takeChain(crShape* shape, const crChain* chain, double length)
{
  crCore* core = &shape->core;
  shape->chain = chain;
  if (shape->kind == cr_shapeRevolved) {
    core->radius = chain->max.x;
    core->zMin = chain->min.y;
    core->zMax = chain->max.y;
    core->topRadius = chain->reach;
  } else {
    core->half = crMakeVec3(0.5 * (chain->max.x - chain->min.x), 0.5 * (chain->max.y - chain->min.y), 0.5 * length);
    core->radius = 0.5 * (chain->max.x + chain->min.x);
    core->topRadius = 0.5 * (chain->max.y + chain->min.y);
    core->zMax = sqrt(chain->reach * chain->reach + 0.25 * length * length);
  }
}

// Around a hole there is solid as far as one sees, and its end faces are touched far from it.
static void widenFace(crShape* piece, double length)
{
  const crProfile* profile = piece->chain->profile;
  bool isHole = piece->kind == cr_shapeExtruded && profile->isClosed && !profile->hasVolume;
  if (isHole && (piece->chain->isFace || piece->chain->isWhole)) {
    double most = CR_FACE_SIZES * profile->size;
    piece->core.half.x = piece->core.half.y = most;
    piece->core.zMax = sqrt(2.0 * most * most + 0.25 * length * length);
  }
}

static void initPiece(crShape* piece, const crShape* shape)
{
  *piece = *shape;
  piece->pieceCount = piece->chainCount = 0;
  piece->pieces = NULL;
  piece->ownedChains = NULL;
  piece->ownedProfile = NULL;
}

// End faces of what is cut into several chains are one of their own, for the balls that touch several.
static bool leaveFace(crChain* chains, int count, const crChain* whole, crChain* outFace)
{
  *outFace = *whole;
  outFace->isFace = true;
  outFace->least = HUGE_VAL;
  for (int i = 0; i < count; ++i) {
    chains[i].sharesFace = !chains[i].isWhole;
    outFace->least = chains[i].sharesFace ? fmin(outFace->least, chains[i].least) : outFace->least;
  }
  return isfinite(outFace->least);
}

// The walls of a room, for ellipsoids: round ones for each touch that there may be, and flat ones, caps. Returns how
// many.
static int listWalls(const crShape* shape, crWall walls[CR_MOST_WALLS])
{
  const crShapeDef* def = &shape->given;
  bool isCone = def->kind == cr_shapeCone, isSphere = def->kind == cr_shapeSphere;
  double bottom = isCone ? def->as.cone.radius : def->as.cylinder.radius;
  double top = isCone ? def->as.cone.topRadius : def->as.cylinder.radius;
  double length = isCone ? def->as.cone.length : def->as.cylinder.length, zMin = isCone ? 0.0 : -0.5 * length;
  crWall wall = { .kind = isSphere ? cr_wallSphere : cr_wallCone };
  if (isSphere) {
    wall.offset = wall.leastRadius = def->as.sphere.radius;
  } else {
    double slant = sqrt(length * length + (bottom - top) * (bottom - top));
    wall.sine = (bottom - top) / slant;
    wall.cosine = length / slant;
    wall.offset = bottom * wall.cosine + zMin * wall.sine;
    wall.leastRadius = fmin(bottom, top) / wall.cosine;
  }
  int count = 0;
  for (int part = cr_wallNear; part <= (isSphere ? cr_wallFar : cr_wallRing); ++part) {
    walls[count] = wall;
    walls[count++].part = (crWallPart)part;
  }
  for (int side = -1; side <= 1 && !isSphere; side += 2) {
    bool isCap = (side > 0 ? top : bottom) > 0.0;
    walls[count] = (crWall){ .kind = cr_wallCap, .sine = side, .offset = side > 0 ? zMin + length : -zMin };
    count += isCap;
  }
  return count;
}

static crStatus makePieces(crShape* shape, const crProfile* profile, double length)
{
  const crAllocator* allocator = &shape->allocator;
  crChain* chains = NULL;
  int found = 0;
  crStatus status = crCreateChains(profile, allocator, &chains, &found);
  if (status != cr_ok) {
    return status;
  }
  crChain whole = crMakeWholeChain(profile), face;
  bool hasFace = shape->kind == cr_shapeExtruded && profile->isClosed && leaveFace(chains, found, &whole, &face);
  crWall walls[CR_MOST_WALLS];
  int chainCount = found + hasFace, count = chainCount + (shape->isRoom ? listWalls(shape, walls) : 0);
  crChain* all = crAllocateZero(allocator, (size_t)count + 1, sizeof *all);
  crShape* pieces = all != NULL ? crAllocateZero(allocator, (size_t)count, sizeof *pieces) : NULL;
  if (pieces != NULL) {
    all[0] = whole;
    takeChain(shape, &all[0], length);
    for (int i = 0; i < chainCount; ++i) {
      all[i + 1] = i < found ? chains[i] : face;
      initPiece(&pieces[i], shape);
      takeChain(&pieces[i], &all[i + 1], length);
      widenFace(&pieces[i], length);
    }
    for (int i = chainCount; i < count; ++i) {
      initPiece(&pieces[i], shape);
      pieces[i].wall = walls[i - chainCount];
    }
    shape->pieceCount = shape->chainCount = count;
    shape->pieces = pieces;
    shape->ownedChains = all;
  } else {
    crFree(allocator, all, ((size_t)count + 1) * sizeof *all);
  }
  crFree(allocator, chains, (size_t)found * sizeof *chains);
  return pieces != NULL ? cr_ok : cr_errorMemory;
}

static double findSmallest(const crShape* shape, const crProfile* profile, double length)
{
  double least = fmin(profile->max.x - profile->min.x, profile->max.y - profile->min.y);
  least = shape->kind == cr_shapeExtruded ? fmin(least, length) : least;
  return profile->hasVolume ? least : HUGE_VAL;
}

// Chains alone are left.
static crStatus dropPrisms(crShape* shape)
{
  crShape* chains = crAllocateZero(&shape->allocator, (size_t)shape->chainCount, sizeof *chains);
  if (chains == NULL) {
    return cr_errorMemory;
  }
  memcpy(chains, shape->pieces, (size_t)shape->chainCount * sizeof *chains);
  for (int i = shape->chainCount; i < shape->pieceCount; ++i) {
    crDestroyHull(shape->pieces[i].ownedHull, &shape->allocator);
  }
  crFree(&shape->allocator, shape->pieces, (size_t)shape->pieceCount * sizeof *shape->pieces);
  shape->pieces = chains;
  shape->pieceCount = shape->chainCount;
  return cr_ok;
}

// Solids with straight sides alone have theirs without being asked, as these are exact.
static crStatus addPrisms(crShape* shape, const crProfile* profile, double length, const crErrorSink* sink)
{
  crProfileSides sides = crProfile_FindSides(profile);
  bool isExtruded = shape->kind == cr_shapeExtruded, isAsked = shape->given.pieceError > 0.0;
  bool areExact = isExtruded && sides.areLines && profile->hasVolume && profile->count <= CR_MOST_SIDES;
  crStatus status = cr_ok;
  if (isAsked || areExact) {
    shape->given.pieceError = isAsked ? shape->given.pieceError : CR_EXACT * profile->size;
    status = crAddSurfacePieces(shape, profile, length, isAsked ? sink : NULL);
  }
  if (!isAsked && status == cr_errorModel) { // too flat: it does without
    shape->given.pieceError = 0.0;
    status = dropPrisms(shape);
  }
  shape->sides = sides;
  shape->hasPrisms = isExtruded && shape->pieceCount > shape->chainCount;
  for (int i = 0; i < shape->pieceCount && isExtruded; ++i) {
    shape->pieces[i].sides = sides;
    shape->pieces[i].hasPrisms = shape->hasPrisms;
    shape->pieces[i].given.pieceError = shape->given.pieceError;
  }
  return status;
}

static crStatus build(crShape* shape, const crProfileDef* def, double length, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  crStatus status =
      crCreateProfile(def, shape->kind == cr_shapeRevolved, &shape->allocator, &reporter, &shape->ownedProfile);
  if (status != cr_ok) {
    return status;
  }
  shape->smallestDimension = findSmallest(shape, shape->ownedProfile, length);
  weigh(shape, shape->ownedProfile, length);
  status = makePieces(shape, shape->ownedProfile, length);
  return status == cr_ok ? addPrisms(shape, shape->ownedProfile, length, sink) : status;
}

crStatus crBuildSurface(crShape* shape, const crErrorSink* sink)
{
  bool isRevolved = shape->kind == cr_shapeRevolved;
  crProfileDef def = isRevolved ? shape->given.as.revolved.profile : shape->given.as.extruded.profile;
  double length = isRevolved ? 0.0 : shape->given.as.extruded.length;
  crStatus status = build(shape, &def, length, sink);
  crProfileDef* given = isRevolved ? &shape->given.as.revolved.profile : &shape->given.as.extruded.profile;
  given->points = NULL;
  for (int i = 0; i < shape->chainCount && shape->pieces != NULL; ++i) {
    shape->pieces[i].given = shape->given;
  }
  return status;
}

crStatus crBuildGear(crShape* shape, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  crProfilePoint* points = NULL;
  crProfileDef def = { .points = NULL };
  crStatus status = crMakeGearOutline(&shape->given, &shape->allocator, &reporter, &points, &def.pointCount);
  def.points = points;
  shape->kind = cr_shapeExtruded;
  if (status == cr_ok) {
    status = build(shape, &def, shape->given.as.involuteGear.length, sink);
    crFree(&shape->allocator, points, (size_t)def.pointCount * sizeof *points);
  }
  return status;
}

void crDestroySurface(crShape* shape)
{
  crFree(&shape->allocator, shape->ownedChains, ((size_t)shape->chainCount + 1) * sizeof *shape->ownedChains);
  if (shape->ownedProfile != NULL) {
    crFree(&shape->allocator, shape->ownedProfile, shape->ownedProfile->byteCount);
  }
}

// ----------------------------------------------------------------------------------------------- rooms

#define CR_ROOM_POINTS 4

// From the axis at the bottom to the axis at the top; returns how many points.
static int outlineRoom(const crShapeDef* def, crProfilePoint points[CR_ROOM_POINTS])
{
  if (def->kind == cr_shapeSphere) {
    double R = def->as.sphere.radius;
    points[0] = (crProfilePoint){ .y = -R };
    points[1] = (crProfilePoint){ .y = R, .arc = R };
    return 2;
  }
  bool isCone = def->kind == cr_shapeCone;
  double bottom = isCone ? def->as.cone.radius : def->as.cylinder.radius;
  double top = isCone ? def->as.cone.topRadius : def->as.cylinder.radius;
  double length = isCone ? def->as.cone.length : def->as.cylinder.length;
  double zMin = isCone ? 0.0 : -0.5 * length, zMax = isCone ? length : 0.5 * length;
  int count = 0;
  points[count++] = (crProfilePoint){ .y = zMin };
  points[count++] = (crProfilePoint){ .x = bottom, .y = zMin };
  if (top > 0.0) {
    points[count++] = (crProfilePoint){ .x = top, .y = zMax };
  }
  points[count++] = (crProfilePoint){ .y = zMax };
  return count;
}

// Inside of the box, at the distance of half an edge from its middle.
static crStatus buildWalls(crShape* shape)
{
  crVec3 half = crScale(0.5, shape->given.as.box.size);
  shape->pieces = crAllocateZero(&shape->allocator, CR_WALLS, sizeof *shape->pieces);
  if (shape->pieces == NULL) {
    return cr_errorMemory;
  }
  const crVec3 inward[CR_WALLS] = { { 1.0, 0.0, 0.0 },  { -1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 },
                                    { 0.0, -1.0, 0.0 }, { 0.0, 0.0, 1.0 },  { 0.0, 0.0, -1.0 } };
  shape->pieceCount = CR_WALLS;
  shape->smallestDimension = HUGE_VAL;
  for (int i = 0; i < CR_WALLS; ++i) {
    crShape* wall = &shape->pieces[i];
    crVec3 n = inward[i];
    initPiece(wall, shape);
    wall->kind = cr_shapeHalfSpace;
    wall->core = (crCore){ .radius = 0.0 };
    wall->sweep = -fabs(crDot(n, half));
    wall->R_FS = crMulMM(shape->R_FS, crQuatToMat3(crShortestRotation(crMakeVec3(0.0, 0.0, 1.0), n)));
    wall->isTurned = true;
  }
  return cr_ok;
}

crStatus crBuildHollow(crShape* shape, const crErrorSink* sink)
{
  if (shape->kind == cr_shapeBox) {
    return buildWalls(shape);
  }
  crProfilePoint points[CR_ROOM_POINTS];
  crProfileDef def = { .points = points, .isOpen = true, .isTurnedOut = true };
  def.pointCount = outlineRoom(&shape->given, points);
  shape->kind = cr_shapeRevolved;
  shape->isRoom = true;
  return build(shape, &def, 0.0, sink);
}
