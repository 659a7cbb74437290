// The pile in Bullet: sequential impulses with its default of 10 iterations, steps of 1 ms, nothing put to sleep.
#include "pile.h"

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
  btSphereShape sphere{ PILE_RADIUS };
  std::vector<std::unique_ptr<btCollisionShape>> planes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  static btDefaultCollisionConstructionInfo makeSizes()
  {
    btDefaultCollisionConstructionInfo sizes;
    sizes.m_defaultMaxPersistentManifoldPoolSize = 80000;
    sizes.m_defaultMaxCollisionAlgorithmPoolSize = 80000;
    return sizes;
  }

  void add(btRigidBody* body, double friction)
  {
    bodies.emplace_back(body);
    body->setFriction(friction); // of a pair: the product
    world.addRigidBody(body);
  }

  void addPlane(const btVector3& normal, double offset)
  {
    planes.emplace_back(new btStaticPlaneShape(normal, offset));
    add(new btRigidBody(0, nullptr, planes.back().get()), 0.7071067811865476);
  }

  void addSphere(const double p[3])
  {
    auto* body = new btRigidBody(PILE_MASS, nullptr, &sphere, btVector3(PILE_INERTIA, PILE_INERTIA, PILE_INERTIA));
    btTransform place(btQuaternion::getIdentity(), btVector3(p[0], p[1], p[2]));
    body->setWorldTransform(place);
    body->setInterpolationWorldTransform(place);
    body->setActivationState(DISABLE_DEACTIVATION);
    add(body, 0.7071067811865476);
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
  std::vector<double> places(3 * static_cast<size_t>(n));
  auto* p = reinterpret_cast<double(*)[3]>(places.data());
  placePile(n, p);
  Pile pile;
  const double half = pileHalfWidth(n);
  pile.world.setGravity(btVector3(0, 0, -PILE_GRAVITY));
  pile.addPlane(btVector3(0, 0, 1), 0);
  pile.addPlane(btVector3(1, 0, 0), -half);
  pile.addPlane(btVector3(-1, 0, 0), -half);
  pile.addPlane(btVector3(0, 1, 0), -half);
  pile.addPlane(btVector3(0, -1, 0), -half);
  for (int i = 0; i < n; i++) {
    pile.addSphere(p[i]);
  }
  PileClock clock = startPileClock(n);
  for (long k = 1; markPile(&clock, (k - 1) * PILE_STEP) != 0; k++) {
    pile.world.stepSimulation(PILE_STEP, 0, PILE_STEP);
  }
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) {
      p[i][a] = pile.bodies[5 + i]->getWorldTransform().getOrigin()[a];
    }
  }
  printPileRow("Bullet, 10 iterations, step 0.001 s", "bullet", n, &clock, findDeepest(n, p), findHeight(n, p));
}

} // namespace

int main(int argc, char** argv)
{
  printPileHead();
  for (int i = 0; i < countPileSizes(argc, argv, 2); i++) {
    run(pileSizes[i]);
  }
  return 0;
}
