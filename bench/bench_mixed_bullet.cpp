// Boxes, cylinders and hulls in Bullet: sequential impulses with its default of 10 iterations, steps of 1 ms, nothing
// put to sleep.
#include "mixed.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace
{

struct Pile {
  btDefaultCollisionConfiguration configuration{ makeSizes() };
  btCollisionDispatcher dispatcher{ &configuration };
  btDbvtBroadphase broadPhase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{ &dispatcher, &broadPhase, &solver, &configuration };
  btBoxShape box{ btVector3(mixedBox[0] / 2, mixedBox[1] / 2, mixedBox[2] / 2) };
  btCylinderShapeZ cylinder{ btVector3(MIXED_RADIUS, MIXED_RADIUS, MIXED_LENGTH / 2) };
  btConvexHullShape hull;
  std::vector<std::unique_ptr<btCollisionShape>> planes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  Pile()
  {
    for (int i = 0; i < MIXED_CORNERS; i++) {
      double x[3];
      mixedCorner(i, x);
      hull.addPoint(btVector3(x[0], x[1], x[2]));
    }
    box.setMargin(1e-3); // [m] around all of them; the default of 0.04 is as large as the bodies
    cylinder.setMargin(1e-3);
    hull.setMargin(1e-3);
  }

  static btDefaultCollisionConstructionInfo makeSizes()
  {
    btDefaultCollisionConstructionInfo sizes;
    sizes.m_defaultMaxPersistentManifoldPoolSize = 80000;
    sizes.m_defaultMaxCollisionAlgorithmPoolSize = 80000;
    return sizes;
  }

  void add(btRigidBody* body)
  {
    bodies.emplace_back(body);
    body->setFriction(std::sqrt(MIXED_FRICTION)); // of a pair: the product
    world.addRigidBody(body);
  }

  void addPlane(const btVector3& normal, double offset)
  {
    planes.emplace_back(new btStaticPlaneShape(normal, offset));
    add(new btRigidBody(0, nullptr, planes.back().get()));
  }

  void addBody(int kind, const double p[3], const double q[4])
  {
    btConvexInternalShape* shapes[3] = { &box, &cylinder, &hull };
    const double volume = kind == 0   ? mixedBox[0] * mixedBox[1] * mixedBox[2]
                          : kind == 1 ? SIMD_PI * MIXED_RADIUS * MIXED_RADIUS * MIXED_LENGTH
                                      : 2.6 * MIXED_REACH * MIXED_REACH * MIXED_REACH; // about
    btVector3 inertia;
    shapes[kind]->calculateLocalInertia(MIXED_DENSITY * volume, inertia);
    auto* body = new btRigidBody(MIXED_DENSITY * volume, nullptr, shapes[kind], inertia);
    btTransform place(btQuaternion(q[1], q[2], q[3], q[0]), btVector3(p[0], p[1], p[2]));
    body->setWorldTransform(place);
    body->setInterpolationWorldTransform(place);
    body->setActivationState(DISABLE_DEACTIVATION);
    add(body);
  }

  ~Pile()
  {
    for (auto& body : bodies) {
      world.removeRigidBody(body.get());
    }
  }
};

void run(int n)
{
  std::vector<double> places(7 * static_cast<size_t>(n));
  auto* p = reinterpret_cast<double(*)[3]>(places.data());
  auto* q = reinterpret_cast<double(*)[4]>(places.data() + 3 * static_cast<size_t>(n));
  placeMixed(n, p, q);
  Pile pile;
  const double half = mixedHalfWidth(n);
  pile.world.setGravity(btVector3(0, 0, -MIXED_GRAVITY));
  pile.addPlane(btVector3(0, 0, 1), 0);
  pile.addPlane(btVector3(1, 0, 0), -half);
  pile.addPlane(btVector3(-1, 0, 0), -half);
  pile.addPlane(btVector3(0, 1, 0), -half);
  pile.addPlane(btVector3(0, -1, 0), -half);
  for (int i = 0; i < n; i++) {
    pile.addBody(i % 3, p[i], q[i]);
  }
  double start = mixedNow(), seconds = 0, height = 0;
  long k = 0;
  for (; k * MIXED_STEP < MIXED_STOP - 1e-9 && seconds < MIXED_LIMIT; k++) {
    pile.world.stepSimulation(MIXED_STEP, 0, MIXED_STEP);
    seconds = mixedNow() - start;
  }
  for (int i = 0; i < n; i++) {
    height += pile.bodies[5 + i]->getWorldTransform().getOrigin().z() / n;
  }
  printMixedRow("Bullet, 10 iterations, step 0.001 s", "bullet", n, k * MIXED_STEP, seconds, height, NAN);
}

} // namespace

int main(int argc, char** argv)
{
  printMixedHead();
  for (int i = 0; i < countMixedSizes(argc, argv); i++) {
    run(mixedSizes[i]);
  }
  return 0;
}
