// The billiards scene in Simbody, with the same contact law as a force of its own and the same two event indicators.
#include "Simbody.h"

#include "billiards_law.h"

#include <memory>
#include <vector>

using namespace SimTK;

namespace
{

std::vector<MobilizedBody> bodies;

void readState(const State& state, double P[BALLS][3], double V[BALLS][3], double W[BALLS][3])
{
  for (int i = 0; i < BALLS; i++) {
    const Vec3& p = bodies[i].getBodyOriginLocation(state);
    const SpatialVec v = V != nullptr ? bodies[i].getBodyVelocity(state) : SpatialVec(Vec3(0), Vec3(0));
    for (int a = 0; a < 3; a++) {
      P[i][a] = p[a];
      if (V != nullptr) {
        V[i][a] = v[1][a];
        W[i][a] = v[0][a];
      }
    }
  }
}

class Law : public Force::Custom::Implementation
{
public:
  void calcForce(const State& state, Vector_<SpatialVec>& wrenches, Vector_<Vec3>&, Vector&) const override
  {
    double P[BALLS][3], V[BALLS][3], W[BALLS][3], F[BALLS][3] = {}, T[BALLS][3] = {};
    readState(state, P, V, W);
    findForces(P, V, W, F, T);
    for (int i = 0; i < BALLS; i++) {
      wrenches[bodies[i].getMobilizedBodyIndex()] +=
          SpatialVec(Vec3(T[i][0], T[i][1], T[i][2]), Vec3(F[i][0], F[i][1], F[i][2]));
    }
  }
  Real calcPotentialEnergy(const State&) const override
  {
    return 0;
  }
};

class Indicator : public TriggeredEventHandler
{
public:
  explicit Indicator(int which) : TriggeredEventHandler(Stage::Position), which(which)
  {
    getTriggerInfo().setTriggerOnRisingSignTransition(which == 0);
    getTriggerInfo().setTriggerOnFallingSignTransition(which == 1);
    getTriggerInfo().setRequiredLocalizationTimeWindow(1e-9);
  }
  Real getValue(const State& state) const override
  {
    double P[BALLS][3], z[2];
    readState(state, P, nullptr, nullptr);
    findIndicators(P, z);
    return z[which];
  }
  void handleEvent(State& state, Real, bool&) const override
  {
    double P[BALLS][3], V[BALLS][3], W[BALLS][3];
    bodies.front().getMatterSubsystem().getSystem().realize(state, Stage::Velocity);
    readState(state, P, V, W);
    resolveContacts(P, V, 1e-13);
    state.invalidateAllCacheAtOrAbove(Stage::Position);
  }

private:
  int which;
};

void run(const char* name, bool isStiff, double accuracy)
{
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity(forces, matter, Vec3(0, 0, -GRAVITY));
  Body::Rigid ball(MassProperties(MASS, Vec3(0), Inertia(INERTIA)));
  bodies.clear();
  for (int i = 0; i < BALLS; i++) {
    bodies.push_back(MobilizedBody::Free(matter.Ground(), ball));
  }
  clearContacts();
  Force::Custom(forces, new Law());
  system.addEventHandler(new Indicator(0));
  system.addEventHandler(new Indicator(1));
  system.realizeTopology();
  State state = system.getDefaultState();
  double P[BALLS][3], V[BALLS][3], W[BALLS][3], early[BALLS][3], end[BALLS][3];
  placeBalls(P);
  for (int i = 0; i < BALLS; i++) {
    bodies[i].setQToFitTranslation(state, Vec3(P[i][0], P[i][1], P[i][2]));
  }
  bodies[0].setUToFitLinearVelocity(state, Vec3(CUE_SPEED, 0, 0));
  system.realize(state, Stage::Velocity);
  readState(state, P, V, W);
  resolveContacts(P, V, 0);
  state.invalidateAllCacheAtOrAbove(Stage::Position);
  std::unique_ptr<Integrator> integrator;
  if (isStiff) {
    integrator.reset(new CPodesIntegrator(system, CPodes::BDF));
  } else {
    integrator.reset(new RungeKuttaMersonIntegrator(system));
  }
  integrator->setAccuracy(accuracy);
  TimeStepper stepper(system, *integrator);
  stepper.initialize(state);
  const double start = cpuNow();
  stepper.stepTo(0.5);
  system.realize(stepper.getState(), Stage::Velocity);
  readState(stepper.getState(), early, V, W);
  stepper.stepTo(STOP_TIME);
  system.realize(stepper.getState(), Stage::Velocity);
  readState(stepper.getState(), end, V, W);
  printRow(name, cpuNow() - start, integrator->getNumStepsTaken(), early, end);
}

} // namespace

int main()
{
  printHead();
  run("Simbody, CPodes BDF, accuracy 1e-8", true, 1e-8);
  run("Simbody, Runge-Kutta-Merson, accuracy 1e-8", false, 1e-8);
  return 0;
}
