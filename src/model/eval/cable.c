// Cables: a tension along the way that cable_path.c finds.
//
//   T = max(0, k e + c h e'),   e = L - l + R q,   h = e / (e + 1e-4 l),   for e > 0, else 0
//
// q is the coordinate of the drum. Forces are T times the slopes of L, so that their power is -T L'.
#include "model/eval/cable.h"

#include "model/eval/element.h"
#include "model/eval/kink.h"
#include "model/loop/loop.h"

#include <float.h>

#define CR_CABLE_HOLD 1e-4 // [-] of the length, within which the damper takes hold of a cable that gets taut

static crVec3 armOf(const crInstance* instance, const crModelForce* force, int i)
{
  const crGuide* guide = &instance->model->guides[force->guideStart + i];
  return crFindArm(instance, guide->body, guide->p_L);
}

static int bodyOf(const crInstance* instance, const crModelForce* force, int i)
{
  return instance->model->guides[force->guideStart + i].body;
}

static double findRate(const crInstance* instance, const crModelForce* force)
{
  double rate = 0.0;
  for (crCablePart part = { .from = 0 }; crNextCablePart(instance, force, &part);) {
    int a = bodyOf(instance, force, part.from), b = bodyOf(instance, force, part.to);
    crVec3 vA = crFindPointVelocity(instance, a, armOf(instance, force, part.from));
    crVec3 vB = crFindPointVelocity(instance, b, armOf(instance, force, part.to));
    rate += crDot(part.pull, crSub(vB, vA)) + crDot(part.turnFrom, crFromLanes(instance->V[a].w)) +
            crDot(part.turnTo, crFromLanes(instance->V[b].w));
  }
  return rate;
}

// A force at the centre of a guide, and a torque.
static void addPull(crInstance* instance, const crModelForce* force, int i, crVec3 f, crVec3 t)
{
  int body = bodyOf(instance, force, i);
  if (body > 0) {
    instance->F[body].t += crToLanes(crAdd(t, crCross(armOf(instance, force, i), f)));
    instance->F[body].f += crToLanes(f);
  }
}

static void pull(crInstance* instance, const crModelForce* force, double tension)
{
  for (crCablePart part = { .from = 0 }; crNextCablePart(instance, force, &part);) {
    addPull(instance, force, part.from, crScale(tension, part.pull), crScale(-tension, part.turnFrom));
    addPull(instance, force, part.to, crScale(-tension, part.pull), crScale(-tension, part.turnTo));
  }
}

static double findElongation(const crInstance* instance, const crModelForce* force, double length)
{
  double wound = force->drum >= 0 ? force->drumRadius * crGetCoordinate(instance, force->drum, 0) : 0.0;
  return length - force->length + wound;
}

// e'
static double findElongationRate(const crInstance* instance, const crModelForce* force)
{
  double winding = force->drum >= 0 ? force->drumRadius * crGetRate(instance, force->drum, 0) : 0.0;
  return findRate(instance, force) + winding;
}

// c h
static double findDamping(const crModelForce* force, double e)
{
  return force->damping * (e / (e + CR_CABLE_HOLD * force->length));
}

bool crApplyCable(crInstance* instance, const crModelForce* force)
{
  crCable* cable = &instance->cables[force->cable];
  double length;
  if (!crFindCablePath(instance, force, &length)) {
    return false;
  }
  double e = findElongation(instance, force, length);
  *cable = (crCable){ .length = length };
  if (e > 0.0) {
    double rate = findElongationRate(instance, force), elastic = force->stiffness * e;
    cable->tension = fmax(0.0, elastic + findDamping(force, e) * rate);
    cable->energy = 0.5 * elastic * e;
    cable->dissipation = (cable->tension - elastic) * rate;
    pull(instance, force, cable->tension);
    if (force->drum >= 0) {
      crPushJoint(instance, force->drum, -force->drumRadius * cable->tension);
    }
  }
  return length <= DBL_MAX && cable->tension <= DBL_MAX;
}

// The way is found again into its place, where it is the same at the same position.
double crComputeCablePotential(const crInstance* instance, const crModelForce* force)
{
  double length;
  if (!crFindCablePath(instance, force, &length)) {
    return NAN;
  }
  double e = findElongation(instance, force, length);
  return e > 0.0 ? 0.5 * force->stiffness * e * e : 0.0;
}

// Where there is no way, the evaluation refuses; here it only has no kink.
void crFindCableKinks(const crInstance* instance, const crModelForce* force, crKink outKinks[CR_KINKS_EACH])
{
  double length, relief = 0.0;
  bool isFound = crFindCablePath(instance, force, &length);
  double e = isFound ? findElongation(instance, force, length) : 0.0;
  if (e > 0.0) {
    relief = findDamping(force, e) * findElongationRate(instance, force) / force->stiffness;
  }
  crMakeKinks(e, relief, isFound ? length + force->length : 0.0, outKinks);
}
