// Couplings that give way: forces along coordinates of joints.
//
// With s = sum of factor q, e = s - offset and a backlash b,
//
//   lambda = -(k d + c w d'),   d = e - b/2 for e > b/2, e + b/2 for e < -b/2, else 0
//
// w = 1 without backlash. With it w = |d| / (|d| + h), h = b / 100, so that the damper takes hold continuously, and no
// flank pulls: lambda has the sign of -d, or is 0.
//
// Gears with involute teeth have the energy U(e, psi) of geometry/gear.h in place of k d^2 / 2, psi = 1/2 (factorA (qA
// - qC) - factorB (qB - qC)) being how far both have turned. So lambda has -dU/de in place of -k d, and
//
//   Q = factor lambda - dU/dpsi dpsi/dq
//
// of which the second part does as much work as the energy loses by it: stiffness that changes creates nothing.
//
// Losses of a pair A, B with efficiency n where A drives and m where B does: the side that is driven gets n or m times
// its share. A drives where lambda takes power from it, lambda uA < 0 with uA = factorA (qA' - qC') the rate of its
// flank. With T = tanh(-sign(lambda) uA / u0), which is 1 where A drives and -1 where B does, and z from 0 to 1,
//
//   QA = factorA lambda (1 - (1 - m)(1 - z)),   QB = factorB lambda (1 - (1 - n) z)
//   z = z0 + (T > 0 ? 1 - z0 : z0) T,           z0 = (1 - m) / (2 - n - m)
//
// While both flanks move together, factorB qB' = -factorA qA', the loss is |lambda uA T| times (2 - n - m) (1 - z0)
// where A drives, else z0: never negative, and at standstill neither side is favoured. With n = m that is (1 - n)
// |lambda uA T|. A carrier holds against those of A and B that do not count their turns from it: QC = -(QA + QB). (In
// uA and above, qC' is 0 for one that does.)
#include "base/elementary.h"
#include "geometry/gear.h"
#include "model/eval/kink.h"
#include "model/loop/loop.h"

#include <float.h>

#define CR_FLANK 0.01 // [-] share of the backlash within which a damper takes hold

static const crCouplingTerm* termsOf(const crInstance* instance, int coupling)
{
  return instance->model->terms + instance->model->couplings[coupling].termStart;
}

static double computeSum(const crInstance* instance, int index)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  const crCouplingTerm* terms = termsOf(instance, index);
  double sum = -coupling->offset;
  for (int k = 0; k < coupling->termCount; ++k) {
    sum += terms[k].factor * crGetCoordinate(instance, terms[k].joint, 0);
  }
  return sum;
}

static double findDepth(const crModelCoupling* coupling, double e)
{
  double half = 0.5 * coupling->backlash;
  return e > half ? e - half : e < -half ? e + half : 0.0;
}

// c w
static double findDamping(const crModelCoupling* coupling, double depth)
{
  return coupling->damping * (fabs(depth) / (fabs(depth) + CR_FLANK * coupling->backlash));
}

static double computeForce(const crModelCoupling* coupling, double spring, double depth, double rate)
{
  if (coupling->backlash == 0.0) {
    return -spring - coupling->damping * rate;
  }
  double force = -spring - findDamping(coupling, depth) * rate;
  return depth > 0.0 ? fmin(force, 0.0) : depth < 0.0 ? fmax(force, 0.0) : 0.0;
}

// Shares of the force on A and B.
static void findShares(const crModelCoupling* coupling, const crCouplingTerm* terms, const double* rates, double force,
                       double outShares[2])
{
  double carrier = coupling->termCount > 2 && !terms[0].isOnCarrier ? rates[2] : 0.0;
  double u = terms[0].factor * (rates[0] - carrier), side = force > 0.0 ? 1.0 : force < 0.0 ? -1.0 : 0.0;
  double loss = 1.0 - coupling->efficiency, lossBack = 1.0 - coupling->efficiencyBack;
  double T = crTanh(-side * u / CR_FRICTION_RATE), z0 = lossBack / (loss + lossBack);
  double z = z0 + (T > 0.0 ? 1.0 - z0 : z0) * T;
  outShares[0] = 1.0 - lossBack * (1.0 - z);
  outShares[1] = 1.0 - loss * z;
}

void crPushJoint(crInstance* instance, int joint, double force)
{
  const crModelJoint* record = &instance->model->joints[joint];
  instance->elasticPushes[joint] += force;
  if (record->isCut) {
    const crCut* cut = crFindCut(instance, joint);
    crWrenchL W = { cut->duals[0].t * force, cut->duals[0].f * force };
    crAddCutWrench(instance, cut, W);
  } else if (record->motion < 0) {
    instance->tau[instance->model->links[joint + 1].dofStart] += force;
  }
}

// Returns the power that it takes from the joints.
static double applyPair(crInstance* instance, const crModelCoupling* coupling, const crCouplingTerm* terms,
                        double force)
{
  double rates[3] = { 0.0 }, shares[2], forces[3];
  for (int k = 0; k < coupling->termCount; ++k) {
    rates[k] = crGetRate(instance, terms[k].joint, 0);
  }
  findShares(coupling, terms, rates, force, shares);
  forces[0] = terms[0].factor * force * shares[0];
  forces[1] = terms[1].factor * force * shares[1];
  forces[2] = -(terms[0].isOnCarrier ? 0.0 : forces[0]) - (terms[1].isOnCarrier ? 0.0 : forces[1]);
  double power = 0.0;
  for (int k = 0; k < coupling->termCount; ++k) {
    crPushJoint(instance, terms[k].joint, forces[k]);
    power -= forces[k] * rates[k];
  }
  return power;
}

// dpsi/dq of the terms of a pair.
static void findPhaseFactors(const crModelCoupling* coupling, const crCouplingTerm* terms, double outFactors[3])
{
  outFactors[0] = 0.5 * terms[0].factor;
  outFactors[1] = -0.5 * terms[1].factor;
  outFactors[2] = 0.0;
  for (int k = 0; k < 2 && coupling->termCount > 2; ++k) {
    outFactors[2] -= terms[k].isOnCarrier ? 0.0 : outFactors[k];
  }
}

static crGearPush findGearPush(const crInstance* instance, int index, double e)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  const crCouplingTerm* terms = termsOf(instance, index);
  double factors[3], psi = 0.0;
  findPhaseFactors(coupling, terms, factors);
  for (int k = 0; k < coupling->termCount; ++k) {
    psi += factors[k] * crGetCoordinate(instance, terms[k].joint, 0);
  }
  return crComputeGearPush(&coupling->mesh, coupling->backlash, e, psi);
}

// Of the spring at a depth; of teeth that turn under load, what pushes them along their turning is done here.
static double pushSpring(crInstance* instance, int index, double e, double depth)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  if (coupling->mesh.pitch == 0.0) {
    return coupling->stiffness * depth;
  }
  const crCouplingTerm* terms = termsOf(instance, index);
  crGearPush push = findGearPush(instance, index, e);
  double factors[3];
  findPhaseFactors(coupling, terms, factors);
  for (int k = 0; k < coupling->termCount; ++k) {
    crPushJoint(instance, terms[k].joint, -factors[k] * push.perPhase);
  }
  return push.perAngle;
}

static double computeSumRate(const crInstance* instance, int index)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  const crCouplingTerm* terms = termsOf(instance, index);
  double rate = 0.0;
  for (int k = 0; k < coupling->termCount; ++k) {
    rate += terms[k].factor * crGetRate(instance, terms[k].joint, 0);
  }
  return rate;
}

static bool apply(crInstance* instance, int index)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  const crCouplingTerm* terms = termsOf(instance, index);
  double e = computeSum(instance, index), depth = findDepth(coupling, e), rate = computeSumRate(instance, index);
  if (crIsDriveline(coupling)) {
    crElastic driveline = crComputeDriveline(instance, index, e, rate);
    for (int k = 0; k < coupling->termCount; ++k) {
      crPushJoint(instance, terms[k].joint, terms[k].factor * driveline.force);
    }
    instance->elastics[index - instance->model->rigidCount] = driveline;
    return fabs(driveline.force) <= DBL_MAX;
  }
  double spring = pushSpring(instance, index, e, depth);
  double force = computeForce(coupling, spring, depth, rate), power = -force * rate;
  if (coupling->efficiency < 1.0 || coupling->efficiencyBack < 1.0) {
    power = applyPair(instance, coupling, terms, force);
  } else {
    for (int k = 0; k < coupling->termCount; ++k) {
      crPushJoint(instance, terms[k].joint, terms[k].factor * force);
    }
  }
  instance->elastics[index - instance->model->rigidCount] =
      (crElastic){ .force = force, .deflection = e, .dissipation = power - spring * rate };
  return fabs(force) <= DBL_MAX;
}

void crClearElastics(crInstance* instance, int tree)
{
  const crModel* model = instance->model;
  for (int i = model->treeElastics[tree]; i < model->treeElastics[tree + 1]; ++i) {
    const crModelCoupling* coupling = &model->couplings[model->elastics[i]];
    for (int k = coupling->termStart; k < coupling->termStart + coupling->termCount; ++k) {
      instance->elasticPushes[model->terms[k].joint] = 0.0;
    }
  }
  for (int i = model->treeForces[tree]; i < model->treeForces[tree + 1] && model->drumCount > 0; ++i) {
    int drum = model->forces[model->forceEnds[i].force].drum;
    if (drum >= 0) {
      instance->elasticPushes[drum] = 0.0;
    }
  }
}

bool crApplyElastics(crInstance* instance, int tree)
{
  const crModel* model = instance->model;
  bool isFinite = true;
  for (int i = model->treeElastics[tree]; i < model->treeElastics[tree + 1]; ++i) {
    isFinite &= apply(instance, model->elastics[i]);
  }
  return isFinite;
}

double crComputeElasticPotential(const crInstance* instance, int index)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  if (crIsDriveline(coupling)) {
    return crComputeDrivelineEnergy(instance, index);
  }
  double e = computeSum(instance, index), depth = findDepth(coupling, e);
  if (coupling->mesh.pitch > 0.0) {
    return findGearPush(instance, index, e).energy;
  }
  return 0.5 * coupling->stiffness * depth * depth;
}

bool crHasFlanks(const crModelCoupling* coupling)
{
  return !crIsDriveline(coupling) && coupling->backlash > 0.0;
}

// The stiffness of teeth changes as they turn, so where they part against their damper is not looked for.
void crFindFlankKinks(const crInstance* instance, int index, crKink outKinks[2 * CR_KINKS_EACH])
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  double e = computeSum(instance, index), rate = computeSumRate(instance, index), size = fabs(coupling->offset);
  const crCouplingTerm* terms = termsOf(instance, index);
  for (int k = 0; k < coupling->termCount; ++k) {
    size += fabs(terms[k].factor * crGetCoordinate(instance, terms[k].joint, 0));
  }
  bool isPlain = coupling->mesh.pitch == 0.0 && coupling->stiffness > 0.0;
  for (int i = 0; i < 2; ++i) {
    double side = i == 0 ? 1.0 : -1.0, depth = side * e - 0.5 * coupling->backlash;
    double relief = isPlain && depth > 0.0 ? findDamping(coupling, depth) * side * rate / coupling->stiffness : 0.0;
    crMakeKinks(depth, relief, size + coupling->backlash, outKinks + i * CR_KINKS_EACH);
  }
}
