// The pile in the Open Dynamics Engine: quickstep with its default of 20 iterations, steps of 1 ms.
#include "pile.h"

#include <ode/ode.h>

#include <vector>

namespace
{

dWorldID world;
dJointGroupID contactJoints;

void addContact(void*, dGeomID a, dGeomID b)
{
  dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
  dContact contact = {};
  if ((bodyA != nullptr || bodyB != nullptr) && dCollide(a, b, 1, &contact.geom, sizeof contact) > 0) {
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = PILE_FRICTION;
    dJointAttach(dJointCreateContact(world, contactJoints, &contact), bodyA, bodyB);
  }
}

void run(int n)
{
  std::vector<double> places(3 * static_cast<size_t>(n));
  auto* p = reinterpret_cast<double(*)[3]>(places.data());
  placePile(n, p);
  world = dWorldCreate();
  contactJoints = dJointGroupCreate(0);
  dSpaceID space = dHashSpaceCreate(nullptr);
  dHashSpaceSetLevels(space, -4, -2);
  dWorldSetGravity(world, 0, 0, -PILE_GRAVITY);
  const double half = pileHalfWidth(n);
  dGeomID planes[5] = { dCreatePlane(nullptr, 0, 0, 1, 0), dCreatePlane(nullptr, 1, 0, 0, -half),
                        dCreatePlane(nullptr, -1, 0, 0, -half), dCreatePlane(nullptr, 0, 1, 0, -half),
                        dCreatePlane(nullptr, 0, -1, 0, -half) };
  std::vector<dBodyID> bodies;
  for (int i = 0; i < n; i++) {
    dMass mass;
    dMassSetSphereTotal(&mass, PILE_MASS, PILE_RADIUS);
    bodies.push_back(dBodyCreate(world));
    dBodySetMass(bodies[i], &mass);
    dBodySetPosition(bodies[i], p[i][0], p[i][1], p[i][2]);
    dGeomSetBody(dCreateSphere(space, PILE_RADIUS), bodies[i]);
  }
  PileClock clock = startPileClock(n);
  for (long k = 1; markPile(&clock, (k - 1) * PILE_STEP) != 0; k++) {
    dSpaceCollide(space, nullptr, addContact);
    for (dGeomID plane : planes) {
      dSpaceCollide2(plane, reinterpret_cast<dGeomID>(space), nullptr, addContact);
    }
    dWorldQuickStep(world, PILE_STEP);
    dJointGroupEmpty(contactJoints);
  }
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) {
      p[i][a] = dBodyGetPosition(bodies[i])[a];
    }
  }
  printPileRow("ODE, quickstep, step 0.001 s", "ode", n, &clock, findDeepest(n, p), findHeight(n, p));
  dJointGroupDestroy(contactJoints);
  dSpaceDestroy(space);
  dWorldDestroy(world);
}

} // namespace

int main(int argc, char** argv)
{
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  printPileHead();
  for (int i = 0; i < countPileSizes(argc, argv, 3); i++) {
    run(pileSizes[i]);
  }
  return 0;
}
