// Energy and momentum of bodies and sets.
//
//   kinetic = 1/2 V . I V + 1/2 rotor v^2 of its joint
//   linear momentum = m v + w x h,   angular momentum about the world's origin = I w + h x v + p x linear
#include "model/curve.h"
#include "model/eval/contacts.h"
#include "model/loop/loop.h"

static crMomentum bodyMomentum(const crInstance* instance, int b)
{
  crWrenchL about = crMulRigid(&instance->rigids[b], instance->model->links[b].mass, instance->V[b]);
  crWrenchL momentum = crShiftWrench(about, instance->places[b].p);
  crMomentum sum = { crFromLanes(momentum.f), crFromLanes(momentum.t) };
  return sum;
}

static double gravityPotential(const crInstance* instance, int b)
{
  const crGravity* gravity = &instance->model->gravity;
  double mass = instance->model->links[b].mass;
  crVec3 p = crFromLanes(instance->places[b].p), h = crFromLanes(instance->rigids[b].h);
  if (gravity->kind == cr_gravityUniform) {
    return -crDot(gravity->acceleration, crAdd(crScale(mass, p), h));
  }
  if (gravity->kind == cr_gravityPointMass && mass > 0.0) {
    return -gravity->mu * mass / crLength(crSub(crAdd(p, crScale(1.0 / mass, h)), gravity->centre));
  }
  return 0.0;
}

// What the springs, stops and bristles of a body's joint hold.
static double lawPotential(const crInstance* instance, int b)
{
  const crLink* link = &instance->model->links[b];
  const crModelJoint* joint = &instance->model->joints[link->joint];
  double sum = 0.0;
  if (joint->law >= 0 && !crGetJointType((int)joint->kind)->hasQuaternion) {
    for (int i = 0; i < link->columnCount; ++i) {
      sum += crComputeLawEnergy(instance, joint, i, instance->y[link->qStart + i]);
    }
  }
  return sum;
}

// Likewise of the cut joints of a component.
static double cutPotential(const crInstance* instance, int tree)
{
  double sum = 0.0;
  for (crCut* cut = crFirstCut(instance->loops, tree); cut < crEndCut(instance->loops, tree); ++cut) {
    if (crIsCoupling(cut)) {
      continue;
    }
    const crModelJoint* joint = &instance->model->joints[cut->joint];
    const crJointType* type = crGetJointType((int)joint->kind);
    for (int i = 0; joint->law >= 0 && !type->hasQuaternion && i < type->vCount; ++i) {
      sum += crComputeLawEnergy(instance, joint, i, cut->q[i]);
    }
  }
  return sum;
}

static crEnergy bodyEnergy(const crInstance* instance, int b)
{
  const crLink* link = &instance->model->links[b];
  crWrenchL momentum = crMulRigid(&instance->rigids[b], link->mass, instance->V[b]);
  crEnergy energy = { 0.5 * crPowerL(momentum, instance->V[b]),
                      gravityPotential(instance, b) + lawPotential(instance, b), 0.0 };
  for (int i = 0; i < link->vCount; ++i) {
    double u = instance->y[link->vStart + i];
    energy.kinetic += 0.5 * instance->rotor[link->dofStart + i] * u * u;
  }
  if (link->vCount == 0) {
    double u = instance->y[link->vStart];
    energy.kinetic += 0.5 * crGetRotor(instance->model, &instance->model->joints[link->joint], 0) * u * u;
  }
  return energy;
}

static double springPotential(const crModel* model, const crModelForce* force, crPose X_AB)
{
  double stretch = crLength(X_AB.p) - force->length;
  return 0.5 * force->stiffness * stretch * stretch +
         crCurve_Integrate(model->curvePoints + force->curveStart, force->curveCount, stretch);
}

// K . x^2 / 2
static double quadraticForm(crVec3 K, crVec3 x)
{
  return 0.5 * (K.x * x.x * x.x + K.y * x.y * x.y + K.z * x.z * x.z);
}

static double bushingPotential(const crModelForce* force, crPose X_AB)
{
  crQuat q = crMat3ToQuat(X_AB.R);
  crVec3 turn = crScale(2.0, crMakeVec3(q.x, q.y, q.z));
  return quadraticForm(force->linearStiffness, X_AB.p) - crDot(force->preload, X_AB.p) +
         quadraticForm(force->angularStiffness, turn);
}

// Constant forces and torques have none: theirs depends on the path.
double crComputeElementPotential(const crInstance* instance, const crForceEnds* ends)
{
  const crModelForce* force = &instance->model->forces[ends->force];
  crPose X_WA = crInstance_GetPose(instance, force->objectA), X_WB = crInstance_GetPose(instance, force->objectB);
  crPose X_AB = crInvMulPose(X_WA, X_WB);
  switch (force->kind) {
    case cr_forceSpringDamper: return springPotential(instance->model, force, X_AB);
    case cr_forceBushing: return bushingPotential(force, X_AB);
    case cr_forceCable: return crComputeCablePotential(instance, force);
    default: return 0.0;
  }
}

crEnergy crInstance_ComputeEnergy(const crInstance* instance, crTreeSet set, int body)
{
  crEnergy sum = { 0.0, 0.0, 0.0 };
  if (!crCanEvaluate(instance, set)) {
    return sum;
  }
  const crModel* model = instance->model;
  if (body >= 0) {
    return body > 0 && body < model->size.bodyCount ? bodyEnergy(instance, body) : sum;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      crEnergy energy = bodyEnergy(instance, b);
      sum.kinetic += energy.kinetic;
      sum.potential += energy.potential;
    }
    for (int i = model->treeForces[set.trees[k]]; i < model->treeForces[set.trees[k] + 1]; ++i) {
      sum.potential += crComputeElementPotential(instance, &model->forceEnds[i]);
    }
    if (instance->loops != NULL) {
      sum.potential += cutPotential(instance, set.trees[k]);
    }
    for (int i = model->treeElastics[set.trees[k]]; i < model->treeElastics[set.trees[k] + 1]; ++i) {
      sum.potential += crComputeElasticPotential(instance, model->elastics[i]);
    }
  }
  sum.elastic = set.contacts != NULL ? crContacts_SumElastic(set.contacts) : 0.0;
  return sum;
}

void crInstance_SetLedger(crInstance* instance, crLedger ledger)
{
  instance->ledger = ledger;
}

void crInstance_GetEnergies(const crInstance* instance, double outEnergies[CR_ENERGY_VARIABLES])
{
  const crLedger* ledger = &instance->ledger;
  crEnergy energy = crInstance_ComputeEnergy(instance, crModel_GetAllTrees(instance->model), -1);
  double total = energy.kinetic + energy.potential + ledger->elastic;
  outEnergies[cr_energyKinetic] = energy.kinetic;
  outEnergies[cr_energyPotential] = energy.potential;
  outEnergies[cr_energyElastic] = ledger->elastic;
  outEnergies[cr_energyDissipated] = ledger->dissipated;
  outEnergies[cr_energyWork] = ledger->work;
  outEnergies[cr_energyUnexplained] = total - ledger->start - ledger->work + ledger->dissipated;
}

crMomentum crInstance_ComputeMomentum(const crInstance* instance, crTreeSet set, int body)
{
  crMomentum sum = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
  if (!crCanEvaluate(instance, set)) {
    return sum;
  }
  const crModel* model = instance->model;
  if (body >= 0) {
    return body > 0 && body < model->size.bodyCount ? bodyMomentum(instance, body) : sum;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      crMomentum momentum = bodyMomentum(instance, b);
      sum.linear = crAdd(sum.linear, momentum.linear);
      sum.angular = crAdd(sum.angular, momentum.angular);
    }
  }
  return sum;
}
