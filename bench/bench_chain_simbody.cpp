// Forward dynamics of revolute chains against Simbody, as Debian builds it: realize(Acceleration) after a change of the
// state.
#include "chain_peer.hpp"

#include <Simbody.h>

#define RATIO_LIMIT 10.0 // at least so much faster
#define ERROR_LIMIT 1e-8
#define CALL_SHARE 0.1

namespace
{

class Chain
{
public:
  explicit Chain(int n) : matter(system), forces(system)
  {
    using namespace SimTK;
    Force::UniformGravity(forces, matter, Vec3(0, 0, -CHAIN_GRAVITY));
    const Vec3 com(0, 0, -CHAIN_LENGTH / 2);
    const Inertia inertia = Inertia(CHAIN_IX, CHAIN_IY, CHAIN_IZ).shiftFromMassCenter(-com, CHAIN_MASS);
    const Body::Rigid body(MassProperties(CHAIN_MASS, com, inertia));
    MobilizedBody parent = matter.Ground();
    for (int i = 0; i < n; ++i) { // a pin turns about its frame's z: that becomes y or x
      const Rotation R = chainAxis(i) == 1 ? Rotation(-Pi / 2, XAxis) : Rotation(Pi / 2, YAxis);
      parent =
          MobilizedBody::Pin(parent, Transform(R, Vec3(0, 0, i > 0 ? -CHAIN_LENGTH : 0)), body, Transform(R, Vec3(0)));
    }
    system.realizeTopology();
    state = system.getDefaultState();
    system.realizeModel(state);
    for (int i = 0; i < n; ++i) {
      state.updQ()[i] = chainAngle(i, 0);
      state.updU()[i] = chainRate(i, 0);
    }
  }

  void evaluate(int call)
  {
    state.updQ()[0] = chainAngle(0, call);
    state.updU()[0] = chainRate(0, call);
    system.realize(state, SimTK::Stage::Acceleration);
  }

  double acceleration(int i) const
  {
    return state.getUDot()[i];
  }

private:
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::State state;
};

} // namespace

int main()
{
  return chainPeer::compare<Chain>("simbody", { RATIO_LIMIT, ERROR_LIMIT }, CALL_SHARE);
}
