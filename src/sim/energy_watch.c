// What the balance of energy of a run leaves unexplained, and whether that is more than steps of its tolerance explain.
//
// Steps are wrong by the tolerance, relative to the states, so energies are wrong by about twice that of what is turned
// over: the largest kinetic or elastic energy, change of potential energy, work and dissipation. Errors of thousands of
// steps add up: the examples leave up to 300 times the tolerance. A thousand times it, 1e-5 where the tolerance is
// 1e-8, is no accident.
#include "base/report.h"
#include "sim/acting.h"

#include <stdio.h>

#define CR_UNEXPLAINED_SHARE 1000.0 // [-] times the tolerance, of what is turned over
#define CR_UNEXPLAINED_NOISE 1e-12  // [-] of the largest energy: rounding errors of sums

static double sum(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

void crSimulation_WatchEnergy(crSimulation* simulation)
{
  crEnergyWatch* watch = &simulation->energyWatch;
  const crRun* run = &simulation->run;
  const double* balance = run->state + run->stateCount;
  double work = run->balanceCount > 0 ? balance[cr_balanceWork] : 0.0;
  double dissipated = run->balanceCount > 0 ? balance[cr_balanceDissipated] : 0.0;
  crEnergy now = crInstance_ComputeEnergy(run->instance, run->set, -1), start = simulation->startEnergy;
  double removed = simulation->acting != NULL ? simulation->acting->removed : 0.0;
  double unexplained = sum(now) - sum(start) - work + dissipated + removed, growth = fabs(unexplained - watch->last);
  double most = fmax(fmax(now.kinetic, now.elastic), fmax(fabs(now.potential - start.potential), dissipated));
  watch->turnover = fmax(watch->turnover, fmax(most, fabs(work)));
  watch->largest = fmax(watch->largest, fmax(fabs(now.potential), watch->turnover));
  watch->worst = fmax(watch->worst, fabs(unexplained));
  if (growth > watch->growth) {
    watch->growth = growth;
    watch->from = watch->time;
    watch->to = simulation->time;
  }
  watch->last = unexplained;
  watch->time = simulation->time;
}

#define CR_HINT_SIZE 512 // [bytes]

// Contacts begin at twice their hysteresis, with the elastic energy that they have there. That comes from nothing,
// which does not matter unless bodies are so small and light that they rest less deep than that.
static const char* findCause(const crSimulation* simulation, char outHint[CR_HINT_SIZE])
{
  const crContacts* contacts = simulation->run.contacts;
  int shape = -1;
  double needed = contacts != NULL ? crContacts_FindLackingHysteresis(contacts, &shape) : 0.0;
  if (!(needed > 0.0)) {
    return "see whether it shrinks with the tolerance; what happens at that time is the cause";
  }
  const crModel* model = simulation->run.model;
  snprintf(outHint, CR_HINT_SIZE,
           "'%.100s' is so small and light that contacts begin deeper than it rests: set hysteresis = %.1g in scene{}, "
           "and nominal = %.1g in its joint, a freeMotion where it is free",
           crModel_GetObjectPath(model, model->contactShapes[shape].object), needed,
           crShape_GetSmallestDimension(&model->shapes[shape]));
  return outHint;
}

static void warn(const crSimulation* simulation, const char* message, double energy, double limit, const char* hint)
{
  char found[48], allowed[96];
  snprintf(found, sizeof found, "%.3g J", energy);
  snprintf(allowed, sizeof allowed, "%.3g J: %g times the tolerance", limit, CR_UNEXPLAINED_SHARE);
  crReporter reporter = crMakeReporter(&simulation->run.sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message, .found = found, .allowed = allowed, .hint = hint };
  crReport(&reporter, cr_severityWarning, cr_ok, &complaint);
}

void crSimulation_JudgeEnergy(crSimulation* simulation)
{
  crEnergyWatch* watch = &simulation->energyWatch;
  const crRun* run = &simulation->run;
  double given = run->balanceCount > 0 ? -run->state[run->stateCount + cr_balanceDissipated] : 0.0;
  double limit =
      CR_UNEXPLAINED_SHARE * run->options.tolerance * watch->turnover + CR_UNEXPLAINED_NOISE * watch->largest;
  bool isUnexplained = watch->worst > limit, isGiven = given > limit;
  if (watch->hasWarned || !(isUnexplained || isGiven)) {
    return;
  }
  watch->hasWarned = true;
  char message[200], hint[CR_HINT_SIZE];
  if (isUnexplained) {
    snprintf(message, sizeof message,
             "energy is unexplained by the balance, of %.4g J turned over; most of it arose from %.9g s to %.9g s",
             watch->turnover, watch->from, watch->to);
    warn(simulation, message, watch->worst, limit, findCause(simulation, hint));
  } else {
    snprintf(message, sizeof message, "contacts and dampers gave energy instead of taking it, of %.4g J turned over",
             watch->turnover);
    warn(simulation, message, given, limit,
         "forces without a potential do that: laws of one's own, or ellipsoids at edges of convex pieces");
  }
}
