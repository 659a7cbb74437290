// FCL: signed distance, by either of its solvers.
#include "peer.h"

#include <fcl/fcl.h>

namespace
{

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct Context {
  std::vector<fcl::CollisionObjectd> a, b;
  fcl::GJKSolverType solver;
};

Geometry makeHull(const BenchHull& hull)
{
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  for (int i = 0; i < hull.pointCount; ++i) {
    points->push_back({ hull.points[i].x, hull.points[i].y, hull.points[i].z });
  }
  auto faces = std::make_shared<std::vector<int>>(hull.faces, hull.faces + hull.faceWordCount);
  return std::make_shared<fcl::Convexd>(points, hull.faceCount, faces, true);
}

Geometry makeGeometry(const BenchShape& shape, const std::vector<Geometry>& hulls)
{
  const auto& as = shape.def.as;
  switch (shape.def.kind) {
    case cr_shapeSphere: return std::make_shared<fcl::Sphered>(as.sphere.radius);
    case cr_shapeBox: return std::make_shared<fcl::Boxd>(as.box.size.x, as.box.size.y, as.box.size.z);
    case cr_shapeCapsule: return std::make_shared<fcl::Capsuled>(as.capsule.radius, as.capsule.length);
    case cr_shapeCylinder: return std::make_shared<fcl::Cylinderd>(as.cylinder.radius, as.cylinder.length);
    case cr_shapeCone: return std::make_shared<fcl::Coned>(as.cone.radius, as.cone.length);
    case cr_shapeEllipsoid: {
      crVec3 a = as.ellipsoid.radii;
      return std::make_shared<fcl::Ellipsoidd>(a.x, a.y, a.z);
    }
    default: return hulls[static_cast<size_t>(shape.hull)];
  }
}

// A cone has its frame in the middle there.
fcl::Transform3d placeShape(const BenchShape& shape, const crPose& X)
{
  double height = shape.def.kind == cr_shapeCone ? 0.5 * shape.def.as.cone.length : 0.0;
  crVec3 p = crTransformPoint(X, crMakeVec3(0.0, 0.0, height));
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() << X.R.cx.x, X.R.cy.x, X.R.cz.x, X.R.cx.y, X.R.cy.y, X.R.cz.y, X.R.cx.z, X.R.cy.z, X.R.cz.z;
  T.translation() << p.x, p.y, p.z;
  return T;
}

Context* prepare(const BenchPairs* pairs, fcl::GJKSolverType solver)
{
  auto* context = new Context{ {}, {}, solver };
  std::vector<Geometry> hulls;
  for (int i = 0; i < pairs->hullCount; ++i) {
    hulls.push_back(makeHull(pairs->hulls[i]));
  }
  for (int i = 0; i < pairs->count; ++i) {
    const BenchPair& pair = pairs->pairs[i];
    context->a.emplace_back(makeGeometry(pair.a, hulls), placeShape(pair.a, pair.X_WA));
    context->b.emplace_back(makeGeometry(pair.b, hulls), placeShape(pair.b, pair.X_WB));
  }
  return context;
}

void* prepareLibccd(const BenchPairs* pairs)
{
  return prepare(pairs, fcl::GST_LIBCCD);
}

void* prepareOwn(const BenchPairs* pairs)
{
  return prepare(pairs, fcl::GST_INDEP);
}

double query(void* context, int index)
{
  auto* c = static_cast<Context*>(context);
  try {
    fcl::DistanceRequestd request(true, true, 0.0, 0.0, 1e-6, c->solver);
    fcl::DistanceResultd result;
    fcl::distance(&c->a[static_cast<size_t>(index)], &c->b[static_cast<size_t>(index)], request, result);
    return result.min_distance;
  } catch (...) {
    return NAN;
  }
}

bool canCompute(crShapeKind, crShapeKind)
{
  return true;
}

} // namespace

const BenchPeer bench_fclPeers[] = {
  { "FCL distance, libccd", true, canCompute, prepareLibccd, query },
  { "FCL distance, own GJK", true, canCompute, prepareOwn, query },
  { nullptr, false, nullptr, nullptr, nullptr },
};
