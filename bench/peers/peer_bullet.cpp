// Bullet in double precision: GJK with EPA, by its pair detector and by its older solver. Margins are 0, except
// that of a sphere or capsule, which is its radius there.
#include "peer.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <btBulletCollisionCommon.h>
#include <vector>

namespace
{

struct Context {
  std::vector<btConvexShape*> a, b;
  std::vector<btTransform> placeA, placeB;
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver epa;
};

btConvexShape* makeHull(const BenchHull& hull)
{
  auto* shape = new btConvexHullShape();
  for (int i = 0; i < hull.pointCount; ++i) {
    shape->addPoint(btVector3(hull.points[i].x, hull.points[i].y, hull.points[i].z), false);
  }
  shape->recalcLocalAabb();
  return shape;
}

btConvexShape* makeSharp(const BenchShape& shape)
{
  const auto& as = shape.def.as;
  if (shape.def.kind == cr_shapeBox) {
    return new btBoxShape(btVector3(0.5 * as.box.size.x, 0.5 * as.box.size.y, 0.5 * as.box.size.z));
  }
  if (shape.def.kind == cr_shapeCone) {
    return new btConeShapeZ(as.cone.radius, as.cone.length);
  }
  double radius = as.cylinder.radius;
  return new btCylinderShapeZ(btVector3(radius, radius, 0.5 * as.cylinder.length));
}

btConvexShape* makeShape(const BenchShape& shape, const std::vector<btConvexShape*>& hulls)
{
  const auto& as = shape.def.as;
  if (shape.def.kind == cr_shapeSphere) {
    return new btSphereShape(as.sphere.radius);
  }
  if (shape.def.kind == cr_shapeCapsule) {
    return new btCapsuleShapeZ(as.capsule.radius, as.capsule.length);
  }
  btConvexShape* sharp = shape.def.kind == cr_shapeHull ? hulls[static_cast<size_t>(shape.hull)] : makeSharp(shape);
  sharp->setMargin(0.0);
  return sharp;
}

// A cone has its frame in the middle there.
btTransform placeShape(const BenchShape& shape, const crPose& X)
{
  double height = shape.def.kind == cr_shapeCone ? 0.5 * shape.def.as.cone.length : 0.0;
  crVec3 p = crTransformPoint(X, crMakeVec3(0.0, 0.0, height));
  btMatrix3x3 R(X.R.cx.x, X.R.cy.x, X.R.cz.x, X.R.cx.y, X.R.cy.y, X.R.cz.y, X.R.cx.z, X.R.cy.z, X.R.cz.z);
  return btTransform(R, btVector3(p.x, p.y, p.z));
}

void* prepare(const BenchPairs* pairs)
{
  auto* context = new Context();
  std::vector<btConvexShape*> hulls;
  for (int i = 0; i < pairs->hullCount; ++i) {
    hulls.push_back(makeHull(pairs->hulls[i]));
  }
  for (int i = 0; i < pairs->count; ++i) {
    const BenchPair& pair = pairs->pairs[i];
    context->a.push_back(makeShape(pair.a, hulls));
    context->b.push_back(makeShape(pair.b, hulls));
    context->placeA.push_back(placeShape(pair.a, pair.X_WA));
    context->placeB.push_back(placeShape(pair.b, pair.X_WB));
  }
  return context;
}

double queryDetector(void* context, int index)
{
  auto* c = static_cast<Context*>(context);
  auto i = static_cast<size_t>(index);
  btGjkPairDetector detector(c->a[i], c->b[i], &c->simplex, &c->epa);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = c->placeA[i];
  input.m_transformB = c->placeB[i];
  btPointCollector found;
  detector.getClosestPoints(input, found, nullptr);
  return found.m_hasResult ? found.m_distance : NAN;
}

double querySolver2(void* context, int index)
{
  auto* c = static_cast<Context*>(context);
  auto i = static_cast<size_t>(index);
  btGjkEpaSolver2::sResults found;
  btVector3 guess = c->placeB[i].getOrigin() - c->placeA[i].getOrigin();
  if (btGjkEpaSolver2::Distance(c->a[i], c->placeA[i], c->b[i], c->placeB[i], guess, found) ||
      btGjkEpaSolver2::Penetration(c->a[i], c->placeA[i], c->b[i], c->placeB[i], guess, found, false)) {
    return found.distance;
  }
  return NAN;
}

bool canDetect(crShapeKind a, crShapeKind b)
{
  return a != cr_shapeEllipsoid && b != cr_shapeEllipsoid;
}

// Does not look at margins, so not at the radius of a sphere or capsule.
bool canSolve2(crShapeKind a, crShapeKind b)
{
  bool isBall = a == cr_shapeSphere || b == cr_shapeSphere || a == cr_shapeCapsule || b == cr_shapeCapsule;
  return canDetect(a, b) && !isBall;
}

} // namespace

const BenchPeer bench_bulletPeers[] = {
  { "Bullet pair detector", true, canDetect, prepare, queryDetector },
  { "Bullet GjkEpa2", true, canSolve2, prepare, querySolver2 },
  { nullptr, false, nullptr, nullptr, nullptr },
};
