// The pile in Simbody: its Hunt-Crossley contact with the same modulus, Runge-Kutta-Merson at an accuracy of 1e-3.
#include "Simbody.h"

#include "pile.h"

#include <vector>

using namespace SimTK;

namespace
{

void run(int n, bool isSemiExplicit)
{
  std::vector<double> places(3 * static_cast<size_t>(n));
  auto* p = reinterpret_cast<double(*)[3]>(places.data());
  placePile(n, p);
  const double half = pileHalfWidth(n), modulus = std::sqrt(2.0) * 1e7 / (1 - 0.3 * 0.3);
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  GeneralContactSubsystem contacts(system);
  Force::UniformGravity gravity(forces, matter, Vec3(0, 0, -PILE_GRAVITY));
  ContactSetIndex set = contacts.createContactSet();
  Body::Rigid body(MassProperties(PILE_MASS, Vec3(0), Inertia(PILE_INERTIA)));
  std::vector<MobilizedBody> bodies;
  for (int i = 0; i < n; i++) {
    bodies.push_back(MobilizedBody::Free(matter.Ground(), body));
    contacts.addBody(set, bodies[i], ContactGeometry::Sphere(PILE_RADIUS), Transform());
  }
  contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(), Transform(Rotation(Pi / 2, YAxis), Vec3(0)));
  for (int k = 0; k < 4; k++) {
    const double angle = k * Pi / 2;
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                     Transform(Rotation(angle, ZAxis), Vec3(half * std::cos(angle), half * std::sin(angle), 0)));
  }
  HuntCrossleyForce law(forces, contacts, set);
  // two equal bodies of stiffness K act as K / 2^(3/2), where Hertz' law has E / (1 - nu^2) / 2
  for (int i = 0; i < n + 5; i++) {
    law.setBodyParameters(ContactSurfaceIndex(i), modulus, 1.0, PILE_FRICTION, PILE_FRICTION, 0);
  }
  law.setTransitionVelocity(0.01);
  system.realizeTopology();
  State state = system.getDefaultState();
  for (int i = 0; i < n; i++) {
    bodies[i].setQToFitTranslation(state, Vec3(p[i][0], p[i][1], p[i][2]));
  }
  RungeKuttaMersonIntegrator merson(system);
  SemiExplicitEuler2Integrator euler(system);
  Integrator& integrator = isSemiExplicit ? static_cast<Integrator&>(euler) : merson;
  integrator.setAccuracy(1e-3);
  TimeStepper stepper(system, integrator);
  stepper.initialize(state);
  PileClock clock = startPileClock(n);
  for (int k = 1; markPile(&clock, 0.01 * (k - 1)) != 0; k++) {
    stepper.stepTo(0.01 * k);
  }
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) {
      p[i][a] = bodies[i].getBodyOriginLocation(stepper.getState())[a];
    }
  }
  printPileRow(isSemiExplicit ? "Simbody, semi-explicit Euler 2, 1e-3" : "Simbody, Hunt-Crossley, RKM 1e-3",
               isSemiExplicit ? "simbody_euler" : "simbody", n, &clock, findDeepest(n, p), findHeight(n, p));
}

} // namespace

int main(int, char**)
{
  printPileHead();
  run(pileSizes[0], false); // more take minutes
  run(pileSizes[0], true);
  return 0;
}
