// What the errors of an island's states and energies are measured by.
#include "island/island.h"

// [-] Of the tolerance of energies, for crowds of balls, each of which has that of many islands.
#define CR_CROWD_ENERGY 0.1
#define CR_UNWATCHED 1e30 // [J] tolerance of energies that choose no steps
// [J] Absolute tolerance of energies over the relative tolerance, in islands with prescribed motions: these work while
// all states are at rest, so that steps which only the states choose would be far too long for them.
#define CR_WORK_SHARE 10.0
// [-] Tolerance that those of carriers have at least: what each costs is nothing beside what it carries.
#define CR_CARRIER_TOLERANCE 1e-10
#define CR_NOISE 8.0 // [-] absolute tolerance of speeds over the rounding in them, at least

// [J] What the tolerance of energies is a share of: a speed that is wrong by a share of itself makes the kinetic energy
// wrong by twice that share.
double crIsland_FindEnergy(const crIsland* island, double atRest)
{
  const crModel* model = island->owner->model;
  double energy = crInstance_ComputeEnergy(island->owner->instance, crIsland_GetSet(island), -1).kinetic;
  for (int k = 0; k < island->treeCount; ++k) {
    const crTree* tree = &model->trees[island->trees[k]];
    for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
      energy += atRest * model->links[b].mass;
    }
  }
  return energy;
}

void crIsland_FillTolerances(crIsland* island, double* absTol)
{
  const crSimulationOptions* options = &island->owner->run->options;
  double absolute =
      options->absoluteTolerance > 0.0 ? options->absoluteTolerance : CR_ABSOLUTE_SHARE * options->tolerance;
  crModel_GetNominal(island->owner->model, crIsland_GetSet(island), absTol);
  for (int i = island->treeStates; i < island->stateCount; ++i) { // metres and radians, as positions are
    absTol[i] = 1.0;
  }
  for (int i = 0; i < island->n; ++i) {
    absTol[i] = i < island->stateCount ? absTol[i] * absolute : CR_UNWATCHED;
  }
}

// Whether something in it loses energy all at once: cables that get taut, flanks that meet.
static bool hasSuddenLosses(const crIsland* island)
{
  const crModel* model = island->owner->model;
  bool has = false;
  for (int k = 0; k < island->treeCount; ++k) {
    int t = island->trees[k];
    for (int i = model->treeForces[t]; i < model->treeForces[t + 1]; ++i) {
      const crModelForce* force = &model->forces[model->forceEnds[i].force];
      has = has || (force->kind == cr_forceCable && force->damping > 0.0);
    }
    for (int i = model->treeElastics[t]; i < model->treeElastics[t + 1]; ++i) {
      const crModelCoupling* coupling = &model->couplings[model->elastics[i]];
      has = has || (coupling->backlash > 0.0 && coupling->damping > 0.0);
    }
  }
  return has;
}

// Where something touches, steps are chosen by the errors of energies, too. What is lost when a contact ends is no
// smooth function of time: steps in which no speed changes much were wrong by a hundred times the tolerance. Without
// contacts, only where a cable or backlash can do the same, and where an explicit method was asked for, which may be
// held back by stability: then it knows states, but not powers.
void crIsland_WatchEnergies(crIsland* island, double* absTol)
{
  const crStepKind* fixed = crIslands_GetFixedKind(island->owner);
  bool isExplicit = fixed != NULL && *fixed != cr_stepRadau5;
  double tolerance = CR_UNWATCHED;
  if (island->hasMotions || isExplicit || hasSuddenLosses(island)) {
    double asked = island->owner->run->options.tolerance;
    tolerance = CR_WORK_SHARE * (island->owner->isCarrier[island->number] ? fmin(asked, CR_CARRIER_TOLERANCE) : asked);
  } else if (island->contacts->contacts.count > 0) {
    tolerance = island->owner->relTol * crIsland_FindEnergy(island, CR_REST_ENERGY) *
                (island->areBalls ? CR_CROWD_ENERGY : 1.0);
  }
  for (int i = island->stateCount; i < island->n; ++i) {
    absTol[i] = tolerance;
  }
}

// Depths are differences of coordinates, so a contact force has the rounding of these times its stiffness, and what
// that does to speeds is the rounding times the contact's frequency. Errors below say nothing: steps that were chosen
// by them were rejected for ever.
bool crIsland_RaiseTolerances(crIsland* island, double* absTol)
{
  const crIslands* islands = island->owner;
  const crContacts* contacts = island->contacts;
  bool isRaised = false;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    double noise = CR_NOISE * crFindContactNoise(contacts, pair);
    int trees[2] = { contacts->facts[pair->shapeA].stateTree, contacts->facts[pair->shapeB].stateTree };
    for (int side = 0; side < 2; ++side) {
      const crTree* tree = trees[side] >= 0 ? &islands->model->trees[trees[side]] : NULL;
      for (int i = 0; tree != NULL && i < tree->vCount; ++i) {
        double* own = &absTol[islands->stateStarts[trees[side]] + tree->qCount + i];
        isRaised = isRaised || noise > *own;
        *own = fmax(*own, noise);
      }
    }
  }
  return isRaised;
}

// In a crowd, a ball's spin is as accurate as its speed: at its surface, which is all that others feel of it.
void crIsland_LoosenSpins(crIsland* island, double* absTol)
{
  const crIslands* islands = island->owner;
  const crSpin* spin = island->spins;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    if (islands->isRound[tree] && islands->treeShapes[tree + 1] > islands->treeShapes[tree]) {
      double reach = fmin(1.0, crShape_GetReach(&islands->model->shapes[islands->treeShapes[tree]]));
      for (int i = 0; i < 3; ++i) {
        absTol[spin->rate + i] /= reach;
      }
    }
    spin += islands->isRound[tree];
  }
}

// Entries of the Jacobian as its trees touch now; energies depend on all and act on nothing.
