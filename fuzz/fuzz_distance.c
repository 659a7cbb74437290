// Any bytes as two shapes at two poses: a distance with true bounds, whatever they are, and the same the other way
// round.
#include "carom/collide.h"
#include "mesh_check.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct Bytes {
  const uint8_t* at;
  size_t left;
} Bytes;

static unsigned takeByte(Bytes* bytes)
{
  if (bytes->left == 0) {
    return 0;
  }
  --bytes->left;
  return *bytes->at++;
}

// A length of a few powers of ten; every fourth byte one that other lengths have, too, so that things coincide.
static double takeLength(Bytes* bytes)
{
  unsigned a = takeByte(bytes), b = takeByte(bytes);
  static const double powers[4] = { 1.0, 1e-3, 1e-6, 1e2 };
  return a % 4 == 0 ? 0.5 * (1 + a / 64) : powers[a / 4 % 4] * (1 + b) / 64.0;
}

static double takeSigned(Bytes* bytes)
{
  double length = takeLength(bytes);
  return takeByte(bytes) % 2 == 0 ? length : -length;
}

static crVec3 takeVector(Bytes* bytes)
{
  double x = takeSigned(bytes), y = takeSigned(bytes), z = takeSigned(bytes);
  return crMakeVec3(x, y, z);
}

static crShape* takeShape(Bytes* bytes)
{
  static const crShapeKind kinds[8] = { cr_shapeSphere, cr_shapeEllipsoid, cr_shapeBox,  cr_shapeCylinder,
                                        cr_shapeCone,   cr_shapeCapsule,   cr_shapeBeam, cr_shapeHull };
  crShapeDef def = crDefaultShapeDef(kinds[takeByte(bytes) % 8]);
  crVec3 points[12];
  double x = takeLength(bytes), y = takeLength(bytes), z = takeLength(bytes);
  switch (def.kind) {
    case cr_shapeSphere: def.as.sphere.radius = x; break;
    case cr_shapeEllipsoid: def.as.ellipsoid.radii = crMakeVec3(x, y, z); break;
    case cr_shapeBox: def.as.box.size = crMakeVec3(x, y, z); break;
    case cr_shapeCylinder:
      def.as.cylinder.radius = x;
      def.as.cylinder.length = y;
      break;
    case cr_shapeCone:
      def.as.cone.radius = x;
      def.as.cone.length = y;
      def.as.cone.topRadius = takeByte(bytes) % 2 == 0 ? 0.0 : z;
      break;
    case cr_shapeCapsule:
      def.as.capsule.radius = x;
      def.as.capsule.length = y;
      break;
    case cr_shapeBeam:
      def.as.beam.length = x;
      def.as.beam.width = y;
      def.as.beam.height = z;
      break;
    default:
      def.as.hull.pointCount = 4 + (int)(takeByte(bytes) % 9);
      for (int i = 0; i < def.as.hull.pointCount; ++i) {
        points[i] = takeVector(bytes);
      }
      def.as.hull.points = points;
      break;
  }
  crShape* shape = NULL;
  int errorCount = 0;
  crErrorSink sink = { checkMessage, &errorCount };
  crStatus status = crCreateShape(&def, NULL, &sink, &shape);
  require((status == cr_ok) == (shape != NULL) && (status == cr_ok) == (errorCount == 0), "a shape, or an error");
  return shape;
}

static crPose takePose(Bytes* bytes)
{
  crVec3 p = takeVector(bytes), axis = takeVector(bytes);
  double angle = takeByte(bytes) % 3 == 0 ? 0.5 * CR_PI * (takeByte(bytes) % 4) : takeSigned(bytes);
  return (crPose){ crQuatToMat3(crAxisAngleToQuat(crNormalize(axis), angle)), p };
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  Bytes bytes = { data, size };
  crShape *a = takeShape(&bytes), *b = takeShape(&bytes);
  if (a != NULL && b != NULL) {
    crPose X_WA = takePose(&bytes), X_WB = takePose(&bytes);
    crDistance there, back;
    require(crComputeDistance(a, &X_WA, b, &X_WB, NULL, &there) == cr_ok, "an answer");
    require(crComputeDistance(b, &X_WB, a, &X_WA, NULL, &back) == cr_ok, "an answer the other way round");
    double scale = crShape_GetReach(a) + crShape_GetReach(b) + crLength(crSub(X_WA.p, X_WB.p));
    require(isfinite(there.distance) && crIsFiniteVec3(there.normal), "it is finite");
    require(fabs(crLength(there.normal) - 1.0) < 1e-9, "the normal has unit length");
    require(there.lowerBound <= there.distance + 1e-12 * scale && there.distance <= there.upperBound + 1e-12 * scale,
            "it is between its bounds");
    require(!there.isConverged || !back.isConverged || !there.isGlobal || !back.isGlobal ||
                fabs(there.distance - back.distance) <= 1e-9 * scale,
            "it is the same the other way round");
  }
  crDestroyShape(a);
  crDestroyShape(b);
  return 0;
}
