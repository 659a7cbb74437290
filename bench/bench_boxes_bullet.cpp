// Six dropped boxes in Bullet: sequential impulses with its default of 10 iterations, restitution 1.
#include "boxes.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace
{

struct Boxes {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{ &configuration };
  btDbvtBroadphase broadPhase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{ &dispatcher, &broadPhase, &solver, &configuration };
  btBoxShape box{ btVector3(boxSize[0] / 2, boxSize[1] / 2, boxSize[2] / 2) };
  btStaticPlaneShape plane{ btVector3(0, 0, 1), 0 };
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  void add(btRigidBody* body)
  {
    bodies.emplace_back(body);
    body->setFriction(0);
    body->setRestitution(1); // of a pair: the product
    body->setDamping(0, 0);
    body->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(body);
  }

  ~Boxes()
  {
    for (auto& body : bodies) {
      world.removeRigidBody(body.get());
    }
  }
};

double measureEnergy(const btRigidBody& body)
{
  const btVector3 v = body.getLinearVelocity(),
                  w = body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
  const double speed[3] = { v.x(), v.y(), v.z() }, spin[3] = { w.x(), w.y(), w.z() };
  return boxEnergy(body.getWorldTransform().getOrigin().z(), speed, spin);
}

void run(double step, const char* what, const char* key)
{
  double p[BOXES][3], q[BOXES][4];
  placeBoxes(p, q);
  Boxes boxes;
  boxes.world.setGravity(btVector3(0, 0, -BOX_GRAVITY));
  boxes.add(new btRigidBody(0, nullptr, &boxes.plane));
  for (int i = 0; i < BOXES; i++) {
    auto* body =
        new btRigidBody(boxMass(), nullptr, &boxes.box, btVector3(boxInertia(0), boxInertia(1), boxInertia(2)));
    btTransform place(btQuaternion(q[i][1], q[i][2], q[i][3], q[i][0]), btVector3(p[i][0], p[i][1], p[i][2]));
    body->setWorldTransform(place);
    body->setInterpolationWorldTransform(place);
    boxes.add(body);
  }
  const long steps = std::lround(BOX_STOP / step);
  double start = boxNow(), energy = 0;
  for (long k = 0; k < steps; k++) {
    boxes.world.stepSimulation(step, 0, step);
  }
  double seconds = boxNow() - start;
  for (int i = 0; i < BOXES; i++) {
    energy += measureEnergy(*boxes.bodies[1 + i]);
  }
  printBoxRow(what, key, steps, seconds, energy - boxesStartEnergy());
}

} // namespace

int main()
{
  printBoxHead();
  run(1e-3, "Bullet, 10 iterations, step 0.001 s", "bullet.1e-03");
  run(1e-4, "Bullet, 10 iterations, step 0.0001 s", "bullet.1e-04");
  return 0;
}
