// Andrews' squeezing mechanism over its 0.03 s in Carom and in Simbody, as Debian builds it, in turn. Both run at the
// loosest of several tolerances that gives the crank's angle at the end to seven digits [MazziaMagherini08].
//
// Simbody's mechanism is the same tree, closed by constraints on points in the plane, which is all that a plane needs;
// its integrator is the fastest of those it offers here, Runge-Kutta-Merson with projection.
#include "carom/carom.h"
#include "carom/io.h"

#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>

namespace
{

constexpr double published = 15.81077119629904; // [rad]
constexpr double digits = 1.5e-6;               // [rad] seven digits of it
constexpr int runs = 5;

double now()
{
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Result {
  double seconds, error;
};

// -------------------------------------------------------------------------------------------------- Carom

crModel* readModel()
{
  crScene* scene = nullptr;
  crModel* model = nullptr;
  const crReadOptions options = crDefaultReadOptions();
  if (crReadModel(BENCH_EXAMPLES "/andrews.lua", &options, nullptr, nullptr, &scene) == cr_ok) {
    crCompile(scene, nullptr, nullptr, nullptr, &model);
  }
  crDestroyScene(scene);
  return model;
}

Result runCarom(const crModel* model, double tolerance)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  crSimulation* simulation = nullptr;
  options.stopTime = 0.03;
  options.tolerance = tolerance;
  if (crCreateSimulation(model, &options, nullptr, nullptr, &simulation) != cr_ok) {
    return { HUGE_VAL, HUGE_VAL };
  }
  const double start = now();
  crSimulation_Advance(simulation, 0.03);
  const double duration = now() - start;
  const int beta = crModel_FindVariable(model, "beta.angle");
  const double error = std::fabs(crInstance_GetVariable(crSimulation_GetInstance(simulation), beta) - published);
  crDestroySimulation(simulation);
  return { duration, error };
}

// ------------------------------------------------------------------------------------------------ Simbody

using namespace SimTK;

class Squeezer
{
public:
  Squeezer() : matter(system), forces(system)
  {
    const Vec3 A(-0.06934, -0.00227, 0), B(-0.03635, 0.03273, 0), C(0.014, 0.072, 0);
    const Vec3 none(0);
    MobilizedBody::Pin body1(matter.Ground(), Transform(none), plane(0.04325, 2.194e-6, 0.00092, 0), Transform(none));
    MobilizedBody::Pin body2(body1, Transform(Vec3(0.007, 0, 0)), plane(0.00365, 4.41e-7, -0.0115, 0), Transform(none));
    MobilizedBody::Pin body3(matter.Ground(), Transform(B), plane(0.02373, 5.255e-6, 0.01043, -0.01874),
                             Transform(none));
    MobilizedBody::Pin body5(matter.Ground(), Transform(A), plane(0.0705, 1.169e-5, 0.02308, 0.00916), Transform(none));
    MobilizedBody::Pin body4(body5, Transform(Vec3(0.04, 0, 0)), plane(0.00706, 5.667e-7, 0, -0.00579),
                             Transform(none));
    MobilizedBody::Pin body7(matter.Ground(), Transform(A), plane(0.05498, 1.912e-5, -0.00449, -0.01228),
                             Transform(none));
    MobilizedBody::Pin body6(body7, Transform(Vec3(0, -0.04, 0)), plane(0.00706, 5.667e-7, 0.00579, 0),
                             Transform(none));
    const Vec3 P(-0.028, 0, 0);
    meet(body2, P, body3, Vec3(0, -0.035, 0));
    meet(body2, P, body4, Vec3(0, -0.02, 0));
    meet(body2, P, body6, Vec3(0.02, 0, 0));
    Force::TwoPointLinearSpring(forces, matter.Ground(), C, body3, Vec3(0.02, -0.018, 0), 4530, 0.07785);
    Force::MobilityConstantForce(forces, body1, MobilizerUIndex(0), 0.033);
    system.realizeTopology();
    start = system.getDefaultState();
    system.realizeModel(start);
    const double angles[] = { -0.0617138900142764, 0,
                              0.455279819163070,   0.487364979543843,
                              0.222668390165886,   1.23054744454982,
                              -0.222668390165886 };
    for (int i = 0; i < 7; ++i) {
      start.updQ()[i] = angles[i];
    }
  }

  Result run(double accuracy) const
  {
    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(accuracy);
    integrator.setConstraintTolerance(std::fmin(1e-8, accuracy));
    integrator.initialize(start);
    const double begin = now();
    while (integrator.getTime() < 0.03) { // it also returns for reasons of its own
      integrator.stepTo(0.03);
    }
    const double duration = now() - begin;
    return { duration, std::fabs(integrator.getState().getQ()[0] - published) };
  }

private:
  static Body::Rigid plane(double m, double J, double x, double y)
  {
    const Vec3 com(x, y, 0);
    return Body::Rigid(MassProperties(m, com, Inertia(J, J, J).shiftFromMassCenter(-com, m)));
  }

  // Two points of two bodies stay together in the plane: one on the other's x = const and y = const.
  void meet(MobilizedBody& a, const Vec3& pA, MobilizedBody& b, const Vec3& pB)
  {
    Constraint::PointInPlane(a, UnitVec3(XAxis), pA[0], b, pB);
    Constraint::PointInPlane(a, UnitVec3(YAxis), pA[1], b, pB);
  }

  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  State start;
};

// The loosest tolerance that is good enough, and the best time at it.
template <class Run> Result findBest(Run run, double* outTolerance)
{
  for (double tolerance = 1e-4; tolerance > 1e-12; tolerance *= 0.3) {
    Result result = run(tolerance);
    if (result.error < digits) {
      for (int i = 0; i < runs; ++i) {
        result.seconds = std::fmin(result.seconds, run(tolerance).seconds);
      }
      *outTolerance = tolerance;
      return result;
    }
  }
  *outTolerance = 0;
  return { HUGE_VAL, HUGE_VAL };
}

} // namespace

int main()
{
  crModel* model = readModel();
  if (model == nullptr) {
    return 1;
  }
  const Squeezer squeezer;
  double tolerances[2];
  const Result carom = findBest([model](double tolerance) { return runCarom(model, tolerance); }, &tolerances[0]);
  const Result simbody = findBest([&squeezer](double accuracy) { return squeezer.run(accuracy); }, &tolerances[1]);
  std::printf("Andrews' mechanism, 0.03 s, to seven digits\n");
  std::printf("compiler  %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  std::printf("%10s  %10s  %10s  %12s\n", "", "CPU [ms]", "tolerance", "error [rad]");
  std::printf("%10s  %10.2f  %10.1e  %12.1e\n", "Carom", 1e3 * carom.seconds, tolerances[0], carom.error);
  std::printf("%10s  %10.2f  %10.1e  %12.1e\n", "Simbody", 1e3 * simbody.seconds, tolerances[1], simbody.error);
  std::printf("%.1f x faster, at least 1 is asked for\n", simbody.seconds / carom.seconds);
  crDestroyModel(model);
  return carom.seconds < simbody.seconds ? 0 : 1;
}
