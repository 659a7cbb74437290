// Shapes as triangles. Three ways to make them: turning a profile about z, raising an outline along z, and moving a
// circle along a helix. Edges are sharp because points are repeated there, each with its own normal.
#include "show/tessellate.h"

#include "geometry/height_field.h"
#include "geometry/hull.h"
#include "show/draw_surface.h"

#include <math.h>

#define CR_AROUND 48     // flats around a round shape
#define CR_QUARTER 12    // bands from the equator of a sphere to its pole
#define CR_COIL_STEPS 24 // of one winding
#define CR_WIRE_SIDES 8  // flats around a wire
#define CR_MAX_PROFILE 64
#define CR_TOOTH_POINTS 4
#define CR_SHAFT_RADIUS 0.02 // [-] of an arrow of length 1
#define CR_HEAD_RADIUS 0.06
#define CR_HEAD_LENGTH 0.2

void crTriangles_Init(crTriangles* surface, const crAllocator* allocator)
{
  *surface = (crTriangles){ .min = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, .max = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
  crBytes_Init(&surface->positions, allocator);
  crBytes_Init(&surface->normals, allocator);
  crBytes_Init(&surface->indices, allocator);
}

void crTriangles_Free(crTriangles* surface)
{
  crBytes_Free(&surface->positions);
  crBytes_Free(&surface->normals);
  crBytes_Free(&surface->indices);
}

int crCountParts(crShapeKind kind)
{
  return kind == cr_shapeCoordinateSystem ? 3 : kind == cr_shapeText ? 0 : 1;
}

// ------------------------------------------------------------------------------------------- points

static void addVec3(crBytes* bytes, crVec3 vector)
{
  crBytes_AddFloat(bytes, vector.x);
  crBytes_AddFloat(bytes, vector.y);
  crBytes_AddFloat(bytes, vector.z);
}

// Its number.
static int addPoint(crTriangles* surface, crVec3 point, crVec3 normal)
{
  crVec3 stored = { (double)(float)point.x, (double)(float)point.y, (double)(float)point.z };
  surface->min = crMinVec3(surface->min, stored);
  surface->max = crMaxVec3(surface->max, stored);
  addVec3(&surface->positions, point);
  if (!surface->isLines) {
    addVec3(&surface->normals, crNormalize(normal));
  }
  return surface->pointCount++;
}

static void addIndex(crTriangles* surface, int index)
{
  crBytes_AddUint32(&surface->indices, (uint32_t)index);
  ++surface->indexCount;
}

static void addTriangle(crTriangles* surface, int a, int b, int c)
{
  addIndex(surface, a);
  addIndex(surface, b);
  addIndex(surface, c);
}

static void addQuad(crTriangles* surface, int a, int b, int c, int d)
{
  addTriangle(surface, a, b, c);
  addTriangle(surface, a, c, d);
}

void crTriangles_AddQuad(crTriangles* surface, crVec3 a, crVec3 normalA, crVec3 b, crVec3 normalB, crVec3 c,
                         crVec3 normalC, crVec3 d, crVec3 normalD)
{
  int first = addPoint(surface, a, normalA);
  addPoint(surface, b, normalB);
  addPoint(surface, c, normalC);
  addPoint(surface, d, normalD);
  addQuad(surface, first, first + 1, first + 2, first + 3);
}

void crTriangles_AddFlat(crTriangles* surface, crVec3 a, crVec3 b, crVec3 c, crVec3 normal)
{
  int first = addPoint(surface, a, normal);
  addPoint(surface, b, normal);
  addPoint(surface, c, normal);
  addTriangle(surface, first, first + 1, first + 2);
}

// ------------------------------------------------------------------------------------------- turned

// A point of a profile in the x-z plane, x >= 0, with its outward normal. The outside is on the right of its direction.
typedef struct ProfilePoint {
  double x, z, nx, nz;
} ProfilePoint;

typedef struct Profile {
  ProfilePoint points[CR_MAX_PROFILE];
  int count;
} Profile;

static void addProfilePoint(Profile* profile, double x, double z, double nx, double nz)
{
  profile->points[profile->count++] = (ProfilePoint){ x, z, nx, nz };
}

// A straight piece from (x0, z0) to (x1, z1), with sharp ends.
static void addEdge(Profile* profile, double x0, double z0, double x1, double z1)
{
  double length = hypot(x1 - x0, z1 - z0);
  if (length > 0.0) {
    double nx = (z1 - z0) / length, nz = (x0 - x1) / length;
    addProfilePoint(profile, x0, z0, nx, nz);
    addProfilePoint(profile, x1, z1, nx, nz);
  }
}

// A quarter of a circle about (0, z), from angle `from` on towards +z.
static void addQuarter(Profile* profile, double radius, double z, double from)
{
  for (int i = 0; i <= CR_QUARTER; ++i) {
    double angle = from + 0.5 * CR_PI * i / CR_QUARTER;
    bool isPole = (i == 0 && from < 0.0) || (i == CR_QUARTER && from >= 0.0);
    addProfilePoint(profile, isPole ? 0.0 : radius * cos(angle), z + radius * sin(angle), isPole ? 0.0 : cos(angle),
                    sin(angle));
  }
}

// A cyclic exchange of the axes, which is a rotation: z becomes the axis.
static crVec3 turnTo(int axis, crVec3 v)
{
  return axis == 0 ? crMakeVec3(v.z, v.x, v.y) : axis == 1 ? crMakeVec3(v.y, v.z, v.x) : v;
}

// Turns a profile about z, stretches the whole, and lays z along an axis. Pieces of no length between two points of a
// sharp edge give no triangles.
static void turnProfile(crTriangles* surface, const Profile* profile, crVec3 stretch, int axis)
{
  int first = surface->pointCount, ring = CR_AROUND + 1;
  for (int i = 0; i < profile->count; ++i) {
    const ProfilePoint* p = &profile->points[i];
    for (int k = 0; k <= CR_AROUND; ++k) {
      double angle = 2.0 * CR_PI * (k % CR_AROUND) / CR_AROUND, c = cos(angle), s = sin(angle);
      crVec3 point = { stretch.x * p->x * c, stretch.y * p->x * s, stretch.z * p->z };
      crVec3 normal = { p->nx * c / stretch.x, p->nx * s / stretch.y, p->nz / stretch.z };
      addPoint(surface, turnTo(axis, point), turnTo(axis, normal));
    }
  }
  for (int i = 0; i + 1 < profile->count; ++i) {
    const ProfilePoint *p = &profile->points[i], *q = &profile->points[i + 1];
    for (int k = 0; k < CR_AROUND && (p->x != q->x || p->z != q->z); ++k) {
      int a = first + i * ring + k, b = a + 1, c = b + ring, d = a + ring;
      if (p->x > 0.0) {
        addTriangle(surface, a, b, c);
      }
      if (q->x > 0.0) {
        addTriangle(surface, a, c, d);
      }
    }
  }
}

static const crVec3 unstretched = { 1.0, 1.0, 1.0 };
enum { cr_alongZ = 2 };

static void addCapsule(crTriangles* surface, double radius, double halfLength, crVec3 stretch)
{
  Profile profile = { .count = 0 };
  addQuarter(&profile, radius, -halfLength, -0.5 * CR_PI);
  addQuarter(&profile, radius, halfLength, 0.0);
  turnProfile(surface, &profile, stretch, cr_alongZ);
}

static void addCylinder(crTriangles* surface, double radius, double bore, double length)
{
  Profile profile = { .count = 0 };
  double z = 0.5 * length;
  addEdge(&profile, bore, -z, radius, -z);
  addEdge(&profile, radius, -z, radius, z);
  addEdge(&profile, radius, z, bore, z);
  if (bore > 0.0) {
    addEdge(&profile, bore, z, bore, -z);
  }
  turnProfile(surface, &profile, unstretched, cr_alongZ);
}

static void addCone(crTriangles* surface, double radius, double topRadius, double length)
{
  Profile profile = { .count = 0 };
  addEdge(&profile, 0.0, 0.0, radius, 0.0);
  addEdge(&profile, radius, 0.0, topRadius, length);
  addEdge(&profile, topRadius, length, 0.0, length);
  turnProfile(surface, &profile, unstretched, cr_alongZ);
}

// ------------------------------------------------------------------------------------------- raised

// A point of an outline, which runs counter-clockwise about the origin and is seen from there as a whole; its normals
// towards the point before and the point behind. inner: where the hole is, or the origin.
typedef struct OutlinePoint {
  double x, y;
  double beforeX, beforeY, behindX, behindY;
  double innerX, innerY;
} OutlinePoint;

static crVec3 at(double x, double y, double z)
{
  return crMakeVec3(x, y, z);
}

// The wall, the inner wall and the two caps between two points of the outline.
static void raiseEdge(crTriangles* surface, const OutlinePoint* p, const OutlinePoint* q, double z)
{
  crVec3 np = at(p->behindX, p->behindY, 0.0), nq = at(q->beforeX, q->beforeY, 0.0);
  crVec3 up = { 0.0, 0.0, 1.0 }, down = { 0.0, 0.0, -1.0 };
  bool hasHole = p->innerX != 0.0 || p->innerY != 0.0;
  int a = addPoint(surface, at(p->x, p->y, -z), np), b = addPoint(surface, at(q->x, q->y, -z), nq);
  int c = addPoint(surface, at(q->x, q->y, z), nq), d = addPoint(surface, at(p->x, p->y, z), np);
  addQuad(surface, a, b, c, d);
  for (int side = 0; side < 2; ++side) {
    double height = side == 0 ? z : -z;
    crVec3 normal = side == 0 ? up : down;
    int i = addPoint(surface, at(p->innerX, p->innerY, height), normal);
    int k = addPoint(surface, at(p->x, p->y, height), normal), l = addPoint(surface, at(q->x, q->y, height), normal);
    int m = hasHole ? addPoint(surface, at(q->innerX, q->innerY, height), normal) : i;
    addTriangle(surface, i, side == 0 ? k : l, side == 0 ? l : k);
    if (hasHole) {
      addTriangle(surface, i, side == 0 ? l : m, side == 0 ? m : l);
    }
  }
  if (hasHole) {
    crVec3 ip = at(-p->innerX, -p->innerY, 0.0), iq = at(-q->innerX, -q->innerY, 0.0);
    a = addPoint(surface, at(p->innerX, p->innerY, -z), ip);
    b = addPoint(surface, at(q->innerX, q->innerY, -z), iq);
    c = addPoint(surface, at(q->innerX, q->innerY, z), iq);
    d = addPoint(surface, at(p->innerX, p->innerY, z), ip);
    addQuad(surface, b, a, d, c);
  }
}

// Two half circles, round outside.
static OutlinePoint findBeamPoint(const crShapeDef* shape, int i)
{
  int half = CR_AROUND / 2, side = i / (half + 1), k = i % (half + 1);
  double angle = (side == 0 ? -0.5 : 0.5) * CR_PI + CR_PI * k / half;
  double radius = 0.5 * shape->as.beam.width, centre = (side == 0 ? 0.5 : -0.5) * shape->as.beam.length;
  OutlinePoint point = { .x = centre + radius * cos(angle), .y = radius * sin(angle) };
  point.beforeX = point.behindX = cos(angle);
  point.beforeY = point.behindY = sin(angle);
  return point;
}

static void addBeam(crTriangles* surface, const crShapeDef* shape)
{
  int count = 2 * (CR_AROUND / 2 + 1);
  for (int i = 0; i < count; ++i) {
    OutlinePoint p = findBeamPoint(shape, i), q = findBeamPoint(shape, (i + 1) % count);
    raiseEdge(surface, &p, &q, 0.5 * shape->as.beam.height);
  }
}

// Teeth are trapezes, 2.25 modules high, the module being 2 r / (teeth + 2). Angles in tooth pitches.
static OutlinePoint findGearCorner(const crShapeDef* shape, int i)
{
  static const double angles[CR_TOOTH_POINTS] = { -0.27, -0.11, 0.11, 0.27 };
  double tip = shape->as.gearWheel.radius, bore = shape->as.gearWheel.boreRadius;
  int teeth = shape->as.gearWheel.teeth, k = i % CR_TOOTH_POINTS;
  double root = fmax(tip * (1.0 - 4.5 / (teeth + 2.0)), bore + 0.1 * (tip - bore));
  int tooth = i / CR_TOOTH_POINTS;
  double angle = 2.0 * CR_PI * (tooth + angles[k]) / teeth;
  double radius = k == 1 || k == 2 ? tip : root;
  OutlinePoint point = { .x = radius * cos(angle), .y = radius * sin(angle) };
  point.innerX = bore > 0.0 ? bore * cos(angle) : 0.0;
  point.innerY = bore > 0.0 ? bore * sin(angle) : 0.0;
  return point;
}

static void addGearWheel(crTriangles* surface, const crShapeDef* shape)
{
  int count = CR_TOOTH_POINTS * shape->as.gearWheel.teeth;
  for (int i = 0; i < count; ++i) {
    OutlinePoint p = findGearCorner(shape, i), q = findGearCorner(shape, (i + 1) % count);
    p.behindX = q.beforeX = q.y - p.y;
    p.behindY = q.beforeY = p.x - q.x;
    raiseEdge(surface, &p, &q, 0.5 * shape->as.gearWheel.length);
  }
}

// ------------------------------------------------------------------------------------------- others

static void addBox(crTriangles* surface, crVec3 size)
{
  static const double signs[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
  const double half[3] = { 0.5 * size.x, 0.5 * size.y, 0.5 * size.z };
  for (int face = 0; face < 6; ++face) {
    int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, corners[4];
    double side = face % 2 == 0 ? 1.0 : -1.0;
    for (int k = 0; k < 4; ++k) {
      double p[3], n[3] = { 0.0, 0.0, 0.0 };
      p[axis] = side * half[axis];
      p[u] = side * signs[k][0] * half[u]; // mirrored on the back, so that it is counter-clockwise, too
      p[v] = signs[k][1] * half[v];
      n[axis] = side;
      corners[k] = addPoint(surface, crMakeVec3(p[0], p[1], p[2]), crMakeVec3(n[0], n[1], n[2]));
    }
    addQuad(surface, corners[0], corners[1], corners[2], corners[3]);
  }
}

static void addPlate(crTriangles* surface, double extent)
{
  static const double signs[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
  int corners[4];
  for (int k = 0; k < 4; ++k) {
    corners[k] = addPoint(surface, crMakeVec3(signs[k][0] * extent, signs[k][1] * extent, 0.0), crMakeVec3(0, 0, 1));
  }
  addQuad(surface, corners[0], corners[1], corners[2], corners[3]);
}

static void addLine(crTriangles* surface, crVec3 from, crVec3 to)
{
  addIndex(surface, addPoint(surface, from, crMakeVec3(0, 0, 1)));
  addIndex(surface, addPoint(surface, to, crMakeVec3(0, 0, 1)));
}

// Lines through the middle, and as many beside it as there is room for.
static void addGrid(crTriangles* surface, const crShapeDef* shape)
{
  const double maxLines = 2000.0; // a grid that is finer is a plate
  double x = 0.5 * shape->as.grid.width, y = 0.5 * shape->as.grid.length, spacing = shape->as.grid.spacing;
  int countX = (int)fmin(x / spacing + 1e-9, maxLines), countY = (int)fmin(y / spacing + 1e-9, maxLines);
  surface->isLines = true;
  for (int i = -countX; i <= countX; ++i) {
    addLine(surface, crMakeVec3(i * spacing, -y, 0.0), crMakeVec3(i * spacing, y, 0.0));
  }
  for (int i = -countY; i <= countY; ++i) {
    addLine(surface, crMakeVec3(-x, i * spacing, 0.0), crMakeVec3(x, i * spacing, 0.0));
  }
}

// Rings about c(s) = (r cos a, r sin a, z), spanned by the outward direction e and by b = tangent x e.
static void addCoil(crTriangles* surface, const crShapeDef* shape)
{
  double radius = shape->as.coil.radius, length = shape->as.coil.length, wire = shape->as.coil.wireRadius;
  int rings = shape->as.coil.windings * CR_COIL_STEPS + 1;
  double climb = length / (2.0 * CR_PI * shape->as.coil.windings), t = hypot(radius, climb);
  for (int i = 0; i < rings; ++i) {
    double s = (double)i / (rings - 1), a = 2.0 * CR_PI * shape->as.coil.windings * s, c = cos(a), n = sin(a);
    crVec3 e = { c, n, 0.0 }, b = { -climb * n / t, climb * c / t, -radius / t };
    crVec3 centre = { radius * c, radius * n, length * (s - 0.5) };
    for (int k = 0; k < CR_WIRE_SIDES; ++k) {
      double angle = 2.0 * CR_PI * k / CR_WIRE_SIDES;
      crVec3 normal = crMulAdd(crScale(cos(angle), e), sin(angle), b);
      addPoint(surface, crMulAdd(centre, wire, normal), normal);
    }
  }
  for (int i = 0; i + 1 < rings; ++i) {
    for (int k = 0; k < CR_WIRE_SIDES; ++k) {
      int p = i * CR_WIRE_SIDES + k, q = i * CR_WIRE_SIDES + (k + 1) % CR_WIRE_SIDES;
      addQuad(surface, p, q, q + CR_WIRE_SIDES, p + CR_WIRE_SIDES);
    }
  }
}

static void addArrow(crTriangles* surface, double length, int axis)
{
  Profile profile = { .count = 0 };
  double neck = 1.0 - CR_HEAD_LENGTH;
  addEdge(&profile, 0.0, 0.0, CR_SHAFT_RADIUS, 0.0);
  addEdge(&profile, CR_SHAFT_RADIUS, 0.0, CR_SHAFT_RADIUS, neck);
  addEdge(&profile, CR_SHAFT_RADIUS, neck, CR_HEAD_RADIUS, neck);
  addEdge(&profile, CR_HEAD_RADIUS, neck, 0.0, 1.0);
  turnProfile(surface, &profile, (crVec3){ length, length, length }, axis);
}

// A flat triangle with points of its own.
static void addFlat(crTriangles* surface, crVec3 a, crVec3 b, crVec3 c)
{
  crVec3 normal = crCross(crSub(b, a), crSub(c, a));
  if (crDot(normal, normal) > 0.0) {
    int first = addPoint(surface, a, normal);
    addPoint(surface, b, normal);
    addPoint(surface, c, normal);
    addTriangle(surface, first, first + 1, first + 2);
  }
}

static void addMesh(crTriangles* surface, const crMesh* mesh)
{
  crMeshDef def = crMesh_GetDef(mesh);
  for (int i = 0; i < def.triangleCount; ++i) {
    const int32_t* t = def.triangles[i];
    addFlat(surface, def.points[t[0]], def.points[t[1]], def.points[t[2]]);
  }
}

static crStatus addHeightField(crTriangles* surface, const crShapeDef* shape)
{
  crMesh* mesh = NULL;
  crStatus status = crMakeHeightSurface(shape, &surface->positions.allocator, NULL, &mesh);
  if (status == cr_ok) {
    addMesh(surface, mesh);
  }
  crReleaseMesh(mesh);
  return status;
}

static crStatus addHull(crTriangles* surface, const crShapeDef* shape)
{
  const crAllocator* allocator = &surface->positions.allocator;
  crHull* hull = NULL;
  crStatus status = crCreateHull(shape->as.hull.points, shape->as.hull.pointCount, allocator, NULL, &hull);
  if (status != cr_ok) {
    return status;
  }
  for (int f = 0; f < hull->faceCount; ++f) {
    const int32_t* face = hull->faceVertices + hull->faceStarts[f];
    for (int k = 2; k < hull->faceStarts[f + 1] - hull->faceStarts[f]; ++k) {
      addFlat(surface, hull->vertices[face[0]], hull->vertices[face[k - 1]], hull->vertices[face[k]]);
    }
  }
  crDestroyHull(hull, allocator);
  return cr_ok;
}

crStatus crTessellate(const crShapeDef* shape, int part, double extent, crTriangles* surface)
{
  crStatus status = cr_ok;
  if (crIsDrawnAsSurface(shape)) {
    status = crDrawSurface(shape, &surface->positions.allocator, surface);
    bool isLost = surface->positions.hasFailed || surface->normals.hasFailed || surface->indices.hasFailed;
    return isLost ? cr_errorMemory : status;
  }
  switch (shape->kind) {
    case cr_shapeSphere: addCapsule(surface, shape->as.sphere.radius, 0.0, unstretched); break;
    case cr_shapeEllipsoid: addCapsule(surface, 1.0, 0.0, shape->as.ellipsoid.radii); break;
    case cr_shapeBox: addBox(surface, shape->as.box.size); break;
    case cr_shapeCylinder:
      addCylinder(surface, shape->as.cylinder.radius, shape->as.cylinder.boreRadius, shape->as.cylinder.length);
      break;
    case cr_shapeCone: addCone(surface, shape->as.cone.radius, shape->as.cone.topRadius, shape->as.cone.length); break;
    case cr_shapeCapsule:
      addCapsule(surface, shape->as.capsule.radius, 0.5 * shape->as.capsule.length, unstretched);
      break;
    case cr_shapeBeam: addBeam(surface, shape); break;
    case cr_shapeHalfSpace: addPlate(surface, extent); break;
    case cr_shapeHull: status = addHull(surface, shape); break;
    case cr_shapeMesh: addMesh(surface, shape->as.mesh.mesh); break;
    case cr_shapeHeightField: status = addHeightField(surface, shape); break;
    case cr_shapeCoordinateSystem: addArrow(surface, shape->as.coordinateSystem.length, part); break;
    case cr_shapeGrid: addGrid(surface, shape); break;
    case cr_shapeCoil: addCoil(surface, shape); break;
    case cr_shapeGearWheel: addGearWheel(surface, shape); break;
    default: break;
  }
  bool hasFailed = surface->positions.hasFailed || surface->normals.hasFailed || surface->indices.hasFailed;
  return hasFailed ? cr_errorMemory : status;
}
