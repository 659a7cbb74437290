// Forward dynamics of revolute chains against DART, as Debian builds it: Skeleton::computeForwardDynamics after a
// change of the state.
#include "chain_peer.hpp"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include <string>

#define RATIO_LIMIT 10.0 // at least so much faster
#define ERROR_LIMIT 1e-8
#define CALL_SHARE 0.05

namespace
{

class Chain
{
public:
  explicit Chain(int n) : skeleton(dart::dynamics::Skeleton::create())
  {
    using namespace dart::dynamics;
    BodyNode* parent = nullptr;
    skeleton->setGravity(Eigen::Vector3d(0, 0, -CHAIN_GRAVITY));
    for (int i = 0; i < n; ++i) {
      RevoluteJoint::Properties joint;
      joint.mName = "joint" + std::to_string(i);
      joint.mAxis = chainAxis(i) == 1 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitX();
      joint.mT_ParentBodyToJoint.setIdentity();
      joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(0, 0, i > 0 ? -CHAIN_LENGTH : 0);
      BodyNode::Properties body;
      body.mName = "link" + std::to_string(i);
      body.mInertia = Inertia(CHAIN_MASS, Eigen::Vector3d(0, 0, -CHAIN_LENGTH / 2),
                              Eigen::Vector3d(CHAIN_IX, CHAIN_IY, CHAIN_IZ).asDiagonal().toDenseMatrix());
      parent = skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second;
    }
    for (int i = 0; i < n; ++i) {
      skeleton->setPosition(i, chainAngle(i, 0));
      skeleton->setVelocity(i, chainRate(i, 0));
    }
  }

  void evaluate(int call)
  {
    skeleton->setPosition(0, chainAngle(0, call));
    skeleton->setVelocity(0, chainRate(0, call));
    skeleton->computeForwardDynamics();
  }

  double acceleration(int i) const
  {
    return skeleton->getAcceleration(i);
  }

private:
  dart::dynamics::SkeletonPtr skeleton;
};

} // namespace

int main()
{
  return chainPeer::compare<Chain>("dart", { RATIO_LIMIT, ERROR_LIMIT }, CALL_SHARE);
}
