// The billiards scene in Bullet, with steps of a fixed size and its own impulses: hard contacts, restitution, friction.
#include "billiards.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace
{

constexpr int iterations = 50;

// Ball on ball is smooth; combined values are products otherwise.
bool smoothBalls(btManifoldPoint& point, const btCollisionObjectWrapper* a, int, int, const btCollisionObjectWrapper* b,
                 int, int)
{
  if (!a->getCollisionObject()->isStaticObject() && !b->getCollisionObject()->isStaticObject()) {
    point.m_combinedFriction = 0;
    point.m_combinedRollingFriction = 0;
  }
  return true;
}

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{ &configuration };
  btDbvtBroadphase broadPhase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{ &dispatcher, &broadPhase, &solver, &configuration };
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  btRigidBody* add(double mass, btCollisionShape* shape, double cor, double friction, double rolling)
  {
    bodies.emplace_back(new btRigidBody(mass, nullptr, shape, btVector3(INERTIA, INERTIA, INERTIA)));
    btRigidBody* body = bodies.back().get();
    body->setRestitution(cor);
    body->setFriction(friction);
    body->setRollingFriction(rolling);
    world.addRigidBody(body);
    return body;
  }
  void addPlane(const btVector3& normal, double offset, double cor, double friction, double rolling)
  {
    shapes.emplace_back(new btStaticPlaneShape(normal, offset));
    add(0, shapes.back().get(), cor, friction, rolling);
  }
  ~World()
  {
    for (auto& body : bodies) {
      world.removeRigidBody(body.get());
    }
  }
};

void run(double step)
{
  World w;
  w.world.setGravity(btVector3(0, 0, -GRAVITY));
  w.world.getSolverInfo().m_numIterations = iterations;
  w.world.getSolverInfo().m_restitutionVelocityThreshold = 1e-3;
  w.addPlane(btVector3(0, 0, 1), 0, 0, 0.6, 0.02 * RADIUS);
  w.addPlane(btVector3(-1, 0, 0), -HALF_LENGTH, 0.8, 0, 0);
  w.addPlane(btVector3(1, 0, 0), -HALF_LENGTH, 0.8, 0, 0);
  w.addPlane(btVector3(0, -1, 0), -HALF_WIDTH, 0.8, 0, 0);
  w.addPlane(btVector3(0, 1, 0), -HALF_WIDTH, 0.8, 0, 0);
  w.shapes.emplace_back(new btSphereShape(RADIUS));
  double p[BALLS][3], early[BALLS][3], end[BALLS][3];
  std::vector<btRigidBody*> balls;
  placeBalls(p);
  for (int i = 0; i < BALLS; i++) {
    btRigidBody* ball = w.add(MASS, w.shapes.back().get(), 1, 1, 0);
    btTransform pose;
    pose.setIdentity();
    pose.setOrigin(btVector3(p[i][0], p[i][1], RADIUS));
    ball->setWorldTransform(pose);
    ball->setInterpolationWorldTransform(pose);
    ball->setActivationState(DISABLE_DEACTIVATION);
    ball->setCollisionFlags(ball->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    balls.push_back(ball);
  }
  gContactAddedCallback = smoothBalls;
  balls[0]->setLinearVelocity(btVector3(CUE_SPEED, 0, 0));
  const long steps = std::lround(STOP_TIME / step), earlyStep = std::lround(0.5 / step);
  const double start = cpuNow();
  for (long k = 1; k <= steps; k++) {
    w.world.stepSimulation(step, 0, step);
    for (int i = 0; (k == earlyStep || k == steps) && i < BALLS; i++) {
      const btVector3 x = balls[i]->getWorldTransform().getOrigin();
      for (int a = 0; a < 3; a++) {
        (k == earlyStep ? early : end)[i][a] = x[a];
      }
    }
  }
  char what[64];
  std::snprintf(what, sizeof what, "Bullet, step %g s", step);
  printRow(what, cpuNow() - start, steps, early, end);
}

} // namespace

int main()
{
  printHead();
  run(1e-3);
  run(1e-4);
  return 0;
}
