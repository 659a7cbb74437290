// Forward dynamics of revolute chains against Bullet's btMultiBody, in double precision as Debian builds it (for any
// x86-64; the flags below are ours). Bullet adds acceleration x time step to its joint velocities, from which the
// accelerations are recovered; its damping is switched off.
#include "chain.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>

#define RATIO_LIMIT 3.0 // at least so much faster
#define ERROR_LIMIT 1e-8
#define PROBE_STEP 1e-3 // [s] to read accelerations from velocities
#define TIMED_STEP 1e-12

namespace
{

struct Scratch {
  btAlignedObjectArray<btScalar> numbers;
  btAlignedObjectArray<btVector3> vectors;
  btAlignedObjectArray<btMatrix3x3> matrices;
};

void makeChain(btMultiBody& chain, int n)
{
  const btVector3 inertia(CHAIN_IX, CHAIN_IY, CHAIN_IZ);
  for (int i = 0; i < n; ++i) {
    const btVector3 axis = chainAxis(i) == 1 ? btVector3(0, 1, 0) : btVector3(1, 0, 0);
    chain.setupRevolute(i, CHAIN_MASS, inertia, i - 1, btQuaternion(0, 0, 0, 1), axis,
                        btVector3(0, 0, i > 0 ? -CHAIN_LENGTH / 2 : 0), btVector3(0, 0, -CHAIN_LENGTH / 2), true);
  }
  chain.finalizeMultiDof();
  chain.setLinearDamping(0);
  chain.setAngularDamping(0);
  chain.setUseGyroTerm(true);
  chain.setMaxCoordinateVelocity(1e30);
  chain.setBaseWorldTransform(btTransform::getIdentity());
}

void setState(btMultiBody& chain, int n)
{
  btAlignedObjectArray<btQuaternion> rotations;
  btAlignedObjectArray<btVector3> origins;
  for (int i = 0; i < n; ++i) {
    chain.setJointPos(i, chainAngle(i, 0));
    chain.setJointVel(i, chainRate(i, 0));
  }
  chain.forwardKinematics(rotations, origins);
}

void evaluate(btMultiBody& chain, int n, double step, Scratch& scratch)
{
  chain.clearForcesAndTorques();
  for (int i = 0; i < n; ++i) {
    chain.addLinkForce(i, btVector3(0, 0, -CHAIN_GRAVITY * CHAIN_MASS));
  }
  chain.computeAccelerationsArticulatedBodyAlgorithmMultiDof(step, scratch.numbers, scratch.vectors, scratch.matrices,
                                                             false, false, false);
}

double timeBullet(btMultiBody& chain, int n, Scratch& scratch)
{
  setState(chain, n);
  const double start = chainNow();
  for (int k = 0; k < chainCalls(n); ++k) {
    chain.setJointPos(0, chainAngle(0, k));
    chain.setJointVel(0, chainRate(0, k));
    evaluate(chain, n, TIMED_STEP, scratch);
  }
  return 1e9 * (chainNow() - start) / chainCalls(n) / n;
}

double findError(btMultiBody& chain, crInstance* instance, int n, Scratch& scratch)
{
  static double y[2 * CHAIN_MAX], rates[2 * CHAIN_MAX];
  double error = 0.0, largest = 0.0;
  chainFillState(n, 0, y);
  crInstance_ComputeRates(instance, crModel_GetAllTrees(crInstance_GetModel(instance)), 0.0, y, rates);
  setState(chain, n);
  evaluate(chain, n, PROBE_STEP, scratch);
  for (int i = 0; i < n; ++i) {
    const double acceleration = (chain.getJointVel(i) - chainRate(i, 0)) / PROBE_STEP;
    error = std::fmax(error, std::fabs(acceleration - rates[n + i]));
    largest = std::fmax(largest, std::fabs(acceleration));
  }
  return error / largest;
}

bool compare(int n)
{
  static double y[2 * CHAIN_MAX], rates[2 * CHAIN_MAX];
  crModel* model = chainMakeModel(n);
  crInstance* instance = nullptr;
  if (model == nullptr || crCreateInstance(model, nullptr, nullptr, &instance) != cr_ok) {
    return false;
  }
  btMultiBody chain(n, 1, btVector3(1, 1, 1), true, false);
  Scratch scratch;
  makeChain(chain, n);
  const double error = findError(chain, instance, n, scratch);
  double ours = HUGE_VAL, bullet = HUGE_VAL;
  chainFillState(n, 0, y);
  for (int run = 0; run < CHAIN_RUNS; ++run) {
    ours = std::fmin(ours, chainTimeOurs(instance, n, y, rates));
    bullet = std::fmin(bullet, timeBullet(chain, n, scratch));
  }
  std::printf("%6d  %14.1f  %15.1f  %7.2f  %10.1e\n", n, ours, bullet, bullet / ours, error);
  crDestroyInstance(instance);
  crDestroyModel(model);
  return bullet >= RATIO_LIMIT * ours && error < ERROR_LIMIT;
}

} // namespace

int main()
{
  static const int sizes[] = CHAIN_SIZES;
  bool isGood = true;
  std::printf("compiler  %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  std::printf("%6s  %14s  %15s  %7s  %10s\n", "links", "carom [ns/dof]", "bullet [ns/dof]", "ratio", "difference");
  for (int n : sizes) {
    isGood = compare(n) && isGood;
  }
  std::printf("limit of the ratio: %.1f\n", RATIO_LIMIT);
  return isGood ? 0 : 1;
}
