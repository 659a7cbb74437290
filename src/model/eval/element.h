// The geometry of force elements, for their forces and their powers.
#ifndef CR_MODEL_EVAL_ELEMENT_H
#define CR_MODEL_EVAL_ELEMENT_H

#include "model/eval/instance.h"

// A body's point in the axes of its link, as seen from the body's origin in world axes.
static inline crVec3 crFindArm(const crInstance* instance, int body, crVec3 p_L)
{
  return crFromLanes(crMulL(instance->places[body].R, crToLanes(p_L)));
}

static inline crVec3 crFindPointVelocity(const crInstance* instance, int body, crVec3 r)
{
  const crMotionL* V = &instance->V[body];
  return crAdd(crFromLanes(V->v), crCross(crFromLanes(V->w), r));
}

// From A's origin to B's, both given by their arms.
static inline crVec3 crFindLine(const crInstance* instance, const crForceEnds* ends, crVec3 rA, crVec3 rB)
{
  crVec3 pA = crFromLanes(instance->places[ends->bodyA].p), pB = crFromLanes(instance->places[ends->bodyB].p);
  return crSub(crAdd(pB, rB), crAdd(pA, rA));
}

// Axes of an element in the world.
static inline crMat3 crFindAxes(const crInstance* instance, int body, crMat3 R_L)
{
  return crMulMM(crFromLanes33(instance->places[body].R), R_L);
}

static inline crVec3 crTimesVec3(crVec3 a, crVec3 b)
{
  return crMakeVec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// What a force or torque element exerts, in world axes.
static inline crVec3 crFindVector(const crInstance* instance, const crForceEnds* ends, const crModelForce* force)
{
  crVec3 a = crMulMV(crFindAxes(instance, ends->bodyF, ends->R_LF), force->vector);
  return force->signal >= 0 ? crScale(instance->signals[force->signal].value, a) : a;
}

#endif
