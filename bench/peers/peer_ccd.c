// libccd: penetration by MPR and by GJK with EPA. It has no query for the distance of shapes that are apart.
#include "peer.h"

#include <ccd/ccd.h>
#include <stdlib.h>

#define MAX_ITERATIONS 500
#define LOOSE 1e-6 // [m] tolerance
#define TIGHT 1e-10

typedef struct Object {
  crShapeDef def;
  crPose X;
} Object;

typedef struct Context {
  Object* objects; // (2 count)
  ccd_t ccd;
} Context;

static double signedHalf(double size, double d)
{
  return copysign(0.5 * size, d);
}

static crVec3 supportOfRound(double radius, double topRadius, double zMin, double zMax, crVec3 d)
{
  double length = sqrt(d.x * d.x + d.y * d.y);
  bool isTop = topRadius * length + zMax * d.z > radius * length + zMin * d.z;
  double r = (isTop ? topRadius : radius) / (length > 0.0 ? length : 1.0);
  return crMakeVec3(r * d.x, r * d.y, isTop ? zMax : zMin);
}

static crVec3 supportOfPoints(const crVec3* points, int count, crVec3 d)
{
  int best = 0;
  double most = -HUGE_VAL;
  for (int i = 0; i < count; ++i) {
    double along = crDot(points[i], d);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return points[best];
}

static crVec3 supportOf(const crShapeDef* def, crVec3 d)
{
  switch (def->kind) {
    case cr_shapeSphere: return crScale(def->as.sphere.radius / crLength(d), d);
    case cr_shapeBox: {
      crVec3 size = def->as.box.size;
      return crMakeVec3(signedHalf(size.x, d.x), signedHalf(size.y, d.y), signedHalf(size.z, d.z));
    }
    case cr_shapeCapsule:
      return crMulAdd(crMakeVec3(0.0, 0.0, signedHalf(def->as.capsule.length, d.z)),
                      def->as.capsule.radius / crLength(d), d);
    case cr_shapeCylinder: {
      double half = 0.5 * def->as.cylinder.length;
      return supportOfRound(def->as.cylinder.radius, def->as.cylinder.radius, -half, half, d);
    }
    case cr_shapeCone: return supportOfRound(def->as.cone.radius, 0.0, 0.0, def->as.cone.length, d);
    case cr_shapeEllipsoid: {
      crVec3 a = def->as.ellipsoid.radii, s = crMakeVec3(a.x * d.x, a.y * d.y, a.z * d.z);
      double inverse = 1.0 / crLength(s);
      return crMakeVec3(a.x * s.x * inverse, a.y * s.y * inverse, a.z * s.z * inverse);
    }
    default: return supportOfPoints(def->as.hull.points, def->as.hull.pointCount, d);
  }
}

static void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* outPoint)
{
  const Object* o = object;
  crVec3 d = crMakeVec3(ccdVec3X(direction), ccdVec3Y(direction), ccdVec3Z(direction));
  crVec3 p = crTransformPoint(o->X, supportOf(&o->def, crMulTV(o->X.R, d)));
  ccdVec3Set(outPoint, p.x, p.y, p.z);
}

static void centre(const void* object, ccd_vec3_t* outCentre)
{
  const Object* o = object;
  double height = o->def.kind == cr_shapeCone ? 0.5 * o->def.as.cone.length : 0.0;
  crVec3 c = crTransformPoint(o->X, crMakeVec3(0.0, 0.0, height));
  ccdVec3Set(outCentre, c.x, c.y, c.z);
}

static Context* prepare(const BenchPairs* pairs, double tolerance)
{
  Context* context = calloc(1, sizeof *context);
  context->objects = calloc(2 * (size_t)pairs->count, sizeof *context->objects);
  for (int i = 0; i < pairs->count; ++i) {
    const BenchPair* pair = &pairs->pairs[i];
    context->objects[2 * i] = (Object){ pair->a.def, pair->X_WA };
    context->objects[2 * i + 1] = (Object){ pair->b.def, pair->X_WB };
  }
  CCD_INIT(&context->ccd);
  context->ccd.support1 = context->ccd.support2 = support;
  context->ccd.center1 = context->ccd.center2 = centre;
  context->ccd.max_iterations = MAX_ITERATIONS;
  context->ccd.epa_tolerance = context->ccd.mpr_tolerance = context->ccd.dist_tolerance = tolerance;
  return context;
}

static void* prepareLoose(const BenchPairs* pairs)
{
  return prepare(pairs, LOOSE);
}

static void* prepareTight(const BenchPairs* pairs)
{
  return prepare(pairs, TIGHT);
}

static double depthOf(int result, double depth)
{
  return result == 0 ? -depth : result == -1 ? 1.0 : NAN;
}

static double queryMpr(void* context, int index)
{
  Context* c = context;
  ccd_real_t depth = 0.0;
  ccd_vec3_t direction, point;
  int result =
      ccdMPRPenetration(&c->objects[2 * index], &c->objects[2 * index + 1], &c->ccd, &depth, &direction, &point);
  return depthOf(result, depth);
}

static double queryGjk(void* context, int index)
{
  Context* c = context;
  ccd_real_t depth = 0.0;
  ccd_vec3_t direction, point;
  int result =
      ccdGJKPenetration(&c->objects[2 * index], &c->objects[2 * index + 1], &c->ccd, &depth, &direction, &point);
  return depthOf(result, depth);
}

static bool canCompute(crShapeKind a, crShapeKind b)
{
  (void)a;
  (void)b;
  return true;
}

const BenchPeer bench_ccdPeers[] = {
  { "libccd MPR 1e-6", false, canCompute, prepareLoose, queryMpr },
  { "libccd MPR 1e-10", false, canCompute, prepareTight, queryMpr },
  { "libccd GJK/EPA 1e-6", false, canCompute, prepareLoose, queryGjk },
  { "libccd GJK/EPA 1e-10", false, canCompute, prepareTight, queryGjk },
  { NULL, false, NULL, NULL, NULL },
};
