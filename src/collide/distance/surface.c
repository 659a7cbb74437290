// The feature under a witness point, by the normal there, and its principal curvatures.
//
// The normal decides, not the point: it lies in the normal cone of exactly one feature of the core. A feature
// counts as flat along a direction that is perpendicular to the normal within CR_LEVEL_SINE.
//
// Numbers of features:
//   box       faces 2 axis + side; edges 4 axis + sides of the two other axes; vertices by the sides of x, y, z
//             (side: 0 positive, 1 negative; the first axis counts 1, the next 2, then 4)
//   cylinder, cone   faces 0 top, 1 base; smooth: 2 side, 3 top rim, 4 base rim; vertices 0 top tip, 1 base tip
//   beam      faces 0 top, 1 base, 2 +y, 3 -y; edges: 2 (1 on -y) + (1 on base); smooth: 4 end +x, 5 end -x,
//             6 + 2 (1 on -x) + (1 on base) their rims
//   capsule   smooth: 0 top end, 1 base end, 2 side
//   hull      faces and vertices by their index; edges by the place of the higher vertex among the neighbours of
//             the lower
//
// Curvatures of a core swept by a ball of radius r: a core's radii of curvature grow by r. A corner has 1/r twice,
// a straight edge 1/r and 0, a rim of radius R 1/r and c / (R + r c), c the radial part of the normal.
#include "collide/distance/surface.h"

#include "collide/distance/pair.h"

#define CR_AXIS_SHARE 1e-9 // [-] of its size: points of a surface of revolution that are nearer to the axis are on it
#define CR_LEVEL_SINE 1e-9 // [-] of the angle between a normal and a feature's own

static void setSurface(crSurface* surface, crSurfaceKind kind, int id)
{
  surface->kind = kind;
  surface->id = id;
}

// Of given radii of curvature of the swept surface; infinite where it is straight. Unknown where one is zero. True:
// the direction counts.
static bool setRadii(crCurvature* curvature, double radius1, double radius2, crVec3 direction1)
{
  bool isOrdered = radius1 <= radius2;
  double least = isOrdered ? radius1 : radius2, greatest = isOrdered ? radius2 : radius1;
  curvature->isKnown = least > 0.0;
  curvature->k1 = curvature->isKnown ? 1.0 / least : 0.0;
  curvature->k2 = curvature->isKnown ? 1.0 / greatest : 0.0;
  curvature->direction1 = direction1;
  return true;
}

static bool setAlike(crCurvature* curvature, double k, bool isKnown)
{
  curvature->isKnown = isKnown;
  curvature->k1 = k;
  curvature->k2 = k;
  return false;
}

static bool setFlat(crCurvature* curvature)
{
  return setAlike(curvature, 0.0, true);
}

static bool setBall(crCurvature* curvature, double radius)
{
  return setAlike(curvature, radius > 0.0 ? 1.0 / radius : 0.0, radius > 0.0);
}

// across: the edge and the normal.
static bool setEdge(crCurvature* curvature, double radius, crVec3 across)
{
  curvature->isKnown = radius > 0.0;
  curvature->k1 = curvature->isKnown ? 1.0 / radius : 0.0;
  curvature->k2 = 0.0;
  curvature->direction1 = across;
  return true;
}

static bool isLevel(double component)
{
  return fabs(component) <= CR_LEVEL_SINE;
}

// -------------------------------------------------------------------------------------------- round

// Bit k stands for axis k.
static bool findBox(const crShape* shape, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  int side = (d.x < 0.0) | (d.y < 0.0) << 1 | (d.z < 0.0) << 2;
  int level = isLevel(d.x) | isLevel(d.y) << 1 | isLevel(d.z) << 2;
  switch (level) {
    case 6: setSurface(surface, cr_surfaceFace, side & 1); return setFlat(curvature);
    case 5: setSurface(surface, cr_surfaceFace, 2 + (side >> 1 & 1)); return setFlat(curvature);
    case 3: setSurface(surface, cr_surfaceFace, 4 + (side >> 2)); return setFlat(curvature);
    case 1:
      setSurface(surface, cr_surfaceEdge, side >> 1);
      return setEdge(curvature, shape->sweep, crMakeVec3(0.0, -d.z, d.y));
    case 2:
      setSurface(surface, cr_surfaceEdge, 4 + (side & 1) + (side >> 2 << 1));
      return setEdge(curvature, shape->sweep, crMakeVec3(d.z, 0.0, -d.x));
    case 4:
      setSurface(surface, cr_surfaceEdge, 8 + (side & 3));
      return setEdge(curvature, shape->sweep, crMakeVec3(-d.y, d.x, 0.0));
    default: setSurface(surface, cr_surfaceVertex, side); return setBall(curvature, shape->sweep);
  }
}

static bool findCapsule(const crShape* shape, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  if (isLevel(d.z)) {
    setSurface(surface, cr_surfaceSmooth, 2);
    return setEdge(curvature, shape->sweep, crMakeVec3(-d.y, d.x, 0.0));
  }
  setSurface(surface, cr_surfaceSmooth, d.z < 0.0);
  return setBall(curvature, shape->sweep);
}

// A circle of radius R across z, swept by the ball; c: radial part of the normal.
static bool setRim(crCurvature* curvature, double sweep, double R, double c, crVec3 d)
{
  crVec3 along = crMakeVec3(-d.y / c, d.x / c, 0.0);
  return setRadii(curvature, sweep, R / c + sweep, crNormalize(crCross(along, d)));
}

CR_APART bool findCylinder(const crShape* shape, crVec3 p, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  const crCore* core = &shape->core;
  double topRadius = shape->kind == cr_shapeCone ? core->topRadius : core->radius, baseRadius = core->radius;
  double c = sqrt(d.x * d.x + d.y * d.y);
  bool isBase = d.z < 0.0;
  if (isLevel(c) && (isBase ? baseRadius : topRadius) > 0.0) {
    setSurface(surface, cr_surfaceFace, isBase);
    return setFlat(curvature);
  }
  double length = core->zMax - core->zMin, slant = topRadius - baseRadius;
  double ahead = (slant * c + length * d.z) / sqrt(slant * slant + length * length);
  if (isLevel(ahead)) {
    double R = sqrt(p.x * p.x + p.y * p.y);
    setSurface(surface, cr_surfaceSmooth, 2);
    return setRadii(curvature, R / c + shape->sweep, HUGE_VAL, crMakeVec3(-d.y / c, d.x / c, 0.0));
  }
  double radius = ahead > 0.0 ? topRadius : baseRadius;
  if (!(radius > 0.0)) {
    setSurface(surface, cr_surfaceVertex, ahead < 0.0);
    return setBall(curvature, shape->sweep);
  }
  setSurface(surface, cr_surfaceSmooth, ahead > 0.0 ? 3 : 4);
  return setRim(curvature, shape->sweep, radius, c, d);
}

CR_APART bool findBeam(const crShape* shape, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  double c = sqrt(d.x * d.x + d.y * d.y), radius = shape->core.half.y;
  int isBase = d.z < 0.0;
  if (isLevel(c)) {
    setSurface(surface, cr_surfaceFace, isBase);
    return setFlat(curvature);
  }
  if (isLevel(d.x / c) && isLevel(d.z)) {
    setSurface(surface, cr_surfaceFace, 2 + (d.y < 0.0));
    return setFlat(curvature);
  }
  if (isLevel(d.x / c)) {
    setSurface(surface, cr_surfaceEdge, 2 * (d.y < 0.0) + isBase);
    return setEdge(curvature, shape->sweep, crMakeVec3(0.0, -d.z, d.y));
  }
  if (isLevel(d.z)) {
    setSurface(surface, cr_surfaceSmooth, 4 + (d.x < 0.0));
    return setRadii(curvature, radius + shape->sweep, HUGE_VAL, crMakeVec3(-d.y / c, d.x / c, 0.0));
  }
  setSurface(surface, cr_surfaceSmooth, 6 + 2 * (d.x < 0.0) + isBase);
  return setRim(curvature, shape->sweep, radius, c, d);
}

// Radii of curvature: the eigenvalues of the support function's Hessian across the normal,
// H = (D D - D D d (D D d)' / h^2) / h, D = diag(a), h = |D d|.
CR_APART bool findEllipsoid(const crShape* shape, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  crVec3 a = shape->core.half, t1 = crAnyPerpendicular(d), t2 = crCross(d, t1);
  crVec3 u = crMakeVec3(a.x * d.x, a.y * d.y, a.z * d.z);
  crVec3 c1 = crCross(crMakeVec3(a.x * t1.x, a.y * t1.y, a.z * t1.z), u);
  crVec3 c2 = crCross(crMakeVec3(a.x * t2.x, a.y * t2.y, a.z * t2.z), u);
  double h = crLength(u), inverse = 1.0 / (h * h * h);
  double xx = crLengthSquared(c1) * inverse, xy = crDot(c1, c2) * inverse, yy = crLengthSquared(c2) * inverse;
  double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy), spread = sqrt(half * half + xy * xy);
  // det H across d = (a.x a.y a.z)^2 / h^4: the lesser radius without cancellation on a flat ellipsoid
  double volume = a.x * a.y * a.z / (h * h), greatest = mean + spread, least = volume / greatest * volume;
  // the eigenvector of the lesser radius, from the row of H - least that has the longer one
  double longer = spread + fabs(half), along = half < 0.0 ? longer : -xy, across = half < 0.0 ? -xy : longer;
  double size = sqrt(2.0 * spread * longer);
  bool isRound = !(size > 0.0);
  crVec3 direction = crScale(1.0 / (isRound ? 1.0 : size), crMulAdd(crScale(isRound ? 1.0 : along, t1), across, t2));
  setSurface(surface, cr_surfaceSmooth, 0);
  return setRadii(curvature, least + shape->sweep, greatest + shape->sweep, direction);
}

// --------------------------------------------------------------------------------------------- hull

static int findLevelFace(const crHull* hull, int vertex, crVec3 d)
{
  for (int k = hull->neighbourStarts[vertex]; k < hull->neighbourStarts[vertex + 1]; ++k) {
    int f = hull->vertexFaces[k];
    if (crLengthSquared(crSub(hull->normals[f], d)) <= CR_LEVEL_SINE * CR_LEVEL_SINE) {
      return f;
    }
  }
  return -1;
}

// The edge of a vertex that is perpendicular to d, as the place of its end among the neighbours.
static int findLevelEdge(const crHull* hull, int vertex, crVec3 d, double sine)
{
  for (int k = hull->neighbourStarts[vertex]; k < hull->neighbourStarts[vertex + 1]; ++k) {
    crVec3 edge = crSub(hull->vertices[hull->neighbours[k]], hull->vertices[vertex]);
    if (fabs(crDot(edge, d)) <= sine * crLength(edge)) {
      return k;
    }
  }
  return -1;
}

static int numberEdge(const crHull* hull, int vertex, int place)
{
  int other = hull->neighbours[place];
  if (vertex < other) {
    return place;
  }
  int k = hull->neighbourStarts[other];
  while (hull->neighbours[k] != vertex) {
    ++k;
  }
  return k;
}

// ------------------------------------------------------------------------------------------ profiles

// [1/m] Along the profile, seen from where its normal leads.
static double findBend(const crShape* shape, const crProfileFoot* foot, crPlanePoint normal)
{
  double k = isnan(foot->curvature) ? 0.0 : foot->curvature;
  return crChain_IsBack(shape->chain, foot, normal) ? -k : k;
}

// In the plane of the profile, of the foot of the point itself; across: the other direction of the surface.
static bool findProfile(const crShape* shape, crPlanePoint p, crPlanePoint normal, crVec3 along, crVec3 across,
                        double acrossCurvature, crSurface* surface, crCurvature* curvature)
{
  crProfileFoot foot = crChain_FindFoot(shape->chain, p);
  bool isCorner = isnan(foot.curvature);
  double k = findBend(shape, &foot, normal);
  bool isFlat = k == 0.0 && acrossCurvature == 0.0;
  setSurface(surface, isCorner ? cr_surfaceEdge : isFlat ? cr_surfaceFace : cr_surfaceSmooth, foot.element);
  bool isFirst = isCorner || k >= acrossCurvature;
  curvature->isKnown = !isCorner;
  curvature->k1 = isCorner ? 0.0 : isFirst ? k : acrossCurvature;
  curvature->k2 = isFirst ? acrossCurvature : k;
  curvature->direction1 = isFirst ? along : across;
  return true;
}

static bool findRevolved(const crShape* shape, crVec3 p, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  double rho = sqrt(p.x * p.x + p.y * p.y);
  crVec3 e = rho > 0.0 ? crMakeVec3(p.x / rho, p.y / rho, 0.0) : crMakeVec3(1.0, 0.0, 0.0);
  double radial = e.x * d.x + e.y * d.y, side = shape->chain->isFar ? -1.0 : 1.0; // which is seen mirrored
  crPlanePoint place = { side * rho, p.z }, normal = { side * radial, d.z };
  crVec3 along = crMakeVec3(-d.z * e.x, -d.z * e.y, radial), across = crMakeVec3(-e.y, e.x, 0.0);
  bool isOnAxis = rho <= CR_AXIS_SHARE * shape->chain->profile->size;
  crProfileFoot foot = crChain_FindFoot(shape->chain, place);
  double round = isOnAxis ? findBend(shape, &foot, normal) : radial / rho;
  return findProfile(shape, place, normal, along, across, round, surface, curvature);
}

// Of a room: flat, or hollow across its axis, and straight along it if it is no sphere.
static bool findWall(const crShape* shape, crVec3 p, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  const crWall* wall = &shape->wall;
  setSurface(surface, wall->kind == cr_wallCap ? cr_surfaceFace : cr_surfaceSmooth, wall->part);
  if (wall->kind == cr_wallCap) {
    return setFlat(curvature);
  }
  if (wall->kind == cr_wallSphere) {
    return setAlike(curvature, -1.0 / wall->offset, true);
  }
  double rho = sqrt(p.x * p.x + p.y * p.y);
  crVec3 e = crScale(1.0 / rho, crMakeVec3(p.x, p.y, 0.0));
  curvature->isKnown = true;
  curvature->k1 = 0.0;
  curvature->k2 = -wall->cosine / rho;
  curvature->direction1 = crMakeVec3(-d.z * e.x, -d.z * e.y, e.x * d.x + e.y * d.y);
  return true;
}

static bool findExtruded(const crShape* shape, crVec3 p, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  if (fabs(d.z) > CR_LEVEL_SINE) { // an end face, or its edge
    bool isFace = isLevel(d.x) && isLevel(d.y);
    setSurface(surface, isFace ? cr_surfaceFace : cr_surfaceEdge, shape->chain->profile->count + (d.z > 0.0));
    return isFace ? setFlat(curvature) : setBall(curvature, 0.0);
  }
  return findProfile(shape, (crPlanePoint){ p.x, p.y }, (crPlanePoint){ d.x, d.y }, crMakeVec3(-d.y, d.x, 0.0),
                     crMakeVec3(0.0, 0.0, 1.0), 0.0, surface, curvature);
}

// Below or above a point near it. Edges are as those of profiles; their bends along them are left out.
static bool findGround(const crShape* shape, crVec3 p, crVec3 d, crSurface* surface, crCurvature* curvature)
{
  const crGround* ground = shape->ground;
  crGroundFoot foot = crGround_FindFoot(ground, p, false);
  if (foot.isSmooth) {
    setSurface(surface, cr_surfaceSmooth, 0);
    curvature->isKnown = true;
    crGround_FindCurvature(ground, foot.point.x, foot.point.y, &curvature->k1, &curvature->k2, &curvature->direction1);
    return true;
  }
  bool isWall = (isLevel(d.x) || isLevel(d.y)) && isLevel(d.z), isBase = isLevel(d.x) && isLevel(d.y) && d.z < 0.0;
  bool isAlongX = fabs(foot.point.x) < 0.5 * ground->width; // of the edge
  setSurface(surface, isWall || isBase ? cr_surfaceFace : cr_surfaceEdge, 1);
  curvature->isKnown = isWall || isBase;
  curvature->k1 = curvature->k2 = 0.0;
  crVec3 edge = isAlongX ? crMakeVec3(1.0, 0.0, 0.0) : crMakeVec3(0.0, 1.0, 0.0);
  crVec3 across = crCross(edge, d);
  bool isCorner = !isAlongX && !(fabs(foot.point.y) < 0.5 * ground->length);
  curvature->direction1 = isCorner || crMaxAbs(across) == 0.0 ? crAnyPerpendicular(d) : crNormalize(across);
  return true;
}

CR_APART bool findHull(const crShape* shape, crVec3 d, int start, crSurface* surface, crCurvature* curvature)
{
  const crHull* hull = shape->core.hull;
  int vertex = crHull_FindSupportFast(hull, d, start);
  // where a face is level, so are its edges, if nearly: without one, faces need not be read from memory
  bool isVertex = findLevelEdge(hull, vertex, d, 2.0 * CR_LEVEL_SINE) < 0;
  int face = isVertex ? -1 : findLevelFace(hull, vertex, d);
  if (face >= 0) {
    setSurface(surface, cr_surfaceFace, face);
    return setFlat(curvature);
  }
  int place = isVertex ? -1 : findLevelEdge(hull, vertex, d, CR_LEVEL_SINE);
  if (place >= 0) {
    crVec3 edge = crSub(hull->vertices[hull->neighbours[place]], hull->vertices[vertex]);
    setSurface(surface, cr_surfaceEdge, numberEdge(hull, vertex, place));
    return setEdge(curvature, shape->sweep, crCross(crNormalize(edge), d));
  }
  setSurface(surface, cr_surfaceVertex, vertex);
  return setBall(curvature, shape->sweep);
}

int crCountFeatures(const crHull* hull, crSurfaceKind kind)
{
  switch (kind) {
    case cr_surfaceFace: return hull->faceCount;
    case cr_surfaceEdge: return hull->neighbourCount;
    default: return hull->vertexCount;
  }
}

bool crFindSurface(const crShape* shape, const crVec3* p_S, const crVec3* d_S, int start, crSurface* outSurface,
                   crCurvature* outCurvature)
{
  switch (shape->kind) {
    case cr_shapeBox: return findBox(shape, *d_S, outSurface, outCurvature);
    case cr_shapeCapsule: return findCapsule(shape, *d_S, outSurface, outCurvature);
    case cr_shapeCylinder:
    case cr_shapeCone: return findCylinder(shape, *p_S, *d_S, outSurface, outCurvature);
    case cr_shapeBeam: return findBeam(shape, *d_S, outSurface, outCurvature);
    case cr_shapeEllipsoid: return findEllipsoid(shape, *d_S, outSurface, outCurvature);
    case cr_shapeHull: return findHull(shape, *d_S, start, outSurface, outCurvature);
    case cr_shapeRevolved:
      return shape->wall.kind != cr_wallNone ? findWall(shape, *p_S, *d_S, outSurface, outCurvature)
                                             : findRevolved(shape, *p_S, *d_S, outSurface, outCurvature);
    case cr_shapeExtruded: return findExtruded(shape, *p_S, *d_S, outSurface, outCurvature);
    case cr_shapeHeightField: return findGround(shape, *p_S, *d_S, outSurface, outCurvature);
    case cr_shapeHalfSpace: setSurface(outSurface, cr_surfaceFace, 0); return setFlat(outCurvature);
    default: setSurface(outSurface, cr_surfaceSmooth, 0); return setBall(outCurvature, shape->sweep);
  }
}
