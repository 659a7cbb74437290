// Friction of joints that sticks: a bristle, spring k beside damper c, in series with Coulomb's slider.
//
//   T  = k x + c v                                what the bristle would pull if nothing slid
//   f  = T,                      x' = v           |T| <= F_s: sticks
//   f  = F(|T|) sign(T),         x' = (f - k x) / c     else: slides
//   F(T) = F_k + (F_s - F_k) exp(-(T - F_s) / (c v_fade))
//
//   stored k x^2 / 2,   dissipated f v - k x x' = f (T - f) / c + c x'^2 >= 0
//
// The stretch x is a state. While it sticks, x is a difference of coordinates, which every solver keeps to round-off:
// nothing drifts, however long it is loaded below F_s. No regularized velocity occurs, and the rates that the solver
// sees do not exceed those of the spring: c = 2 sqrt(k J) damps critically what the joint moves, and 1 / (c / k) is
// how fast a sliding bristle follows a change of F. A smaller c would ring after each stop and each start.
#include "base/elementary.h"
#include "model/loop/loop.h"

// [s] c / k where a joint moves nothing that has an inertia, because its motion is prescribed: the time that a bristle
// takes to follow, short against motions of machines.
#define CR_BRISTLE_TIME 1e-3

static double fall(const crJointLaw* law, int i, double beyond, double c)
{
  double drop = law->frictionStatic[i] - law->friction[i];
  return drop > 0.0 ? law->friction[i] + drop * crExp(-beyond / (c * law->frictionFade[i])) : law->friction[i];
}

crStick crComputeStick(const crInstance* instance, int bristle, double v)
{
  const crJointBristle* record = &instance->model->bristles[bristle];
  const crJointLaw* law = &instance->model->jointLaws[instance->model->joints[record->joint].law];
  double pull = law->frictionStiffness[record->index] * instance->y[record->state];
  double c = instance->bristleDampings[bristle];
  double T = pull + c * v, beyond = fabs(T) - law->frictionStatic[record->index];
  if (beyond <= 0.0) {
    return (crStick){ T, v, c * v * v };
  }
  double f = copysign(fall(law, record->index, beyond, c), T), rate = (f - pull) / c;
  return (crStick){ f, rate, f * (T - f) / c + c * rate * rate };
}

// ---------------------------------------------------------------------------------------------- dampers

// Of a body alone about the axis of a cut joint, or along it; the world's is infinite.
static double loneInertia(const crInstance* instance, int body, crLanes r, crMotionL column)
{
  if (body == 0) {
    return HUGE_VAL;
  }
  crMotionL atBody = { column.w, column.v - crCrossL(column.w, r) };
  crWrenchL momentum = crMulRigid(&instance->rigids[body], instance->model->links[body].mass, atBody);
  return crPowerL(momentum, atBody);
}

// What both sides of a cut joint oppose to a force between them, if nothing else held them: J_A J_B / (J_A + J_B).
static double cutInertia(crInstance* instance, const crJointBristle* bristle)
{
  const crCut* cut = crFindCut(instance, bristle->joint);
  const crModelJoint* joint = &instance->model->joints[bristle->joint];
  crMotion columns[CR_MAX_JOINT_V];
  crJointAxes axes = crGetJointAxes(joint);
  crGetJointType((int)joint->kind)->computeMotionColumns(&axes, cut->q, columns);
  crMat3 R_WA = crFromLanes33(cut->R_WA);
  crMotionL column = { crToLanes(crMulMV(R_WA, columns[bristle->index].w)),
                       crToLanes(crMulMV(R_WA, columns[bristle->index].v)) };
  double a = loneInertia(instance, cut->bodyA, cut->r_A, column);
  double b = loneInertia(instance, cut->bodyB, cut->r_B, column);
  return isinf(a) ? b : isinf(b) ? a : a + b > 0.0 ? a * (b / (a + b)) : 0.0;
}

// The composite inertia of all that a tree's joint moves, with its rotor.
static double treeInertia(const crInstance* instance, const crJointBristle* bristle)
{
  const crModel* model = instance->model;
  int body = bristle->joint + 1;
  crMotionL S = instance->S[model->links[body].columnStart + bristle->index];
  return crPowerL(crMulArticulated(&instance->articulated[body], S), S) +
         crGetRotor(model, &model->joints[bristle->joint], bristle->index);
}

void crFillBristleDampings(crInstance* instance)
{
  const crModel* model = instance->model;
  if (model->bristleCount == 0) {
    return;
  }
  for (int t = 0; t < model->size.treeCount; ++t) {
    crComputeTreeDiagonal(instance, t, instance->vdot + model->treeDofs[t]); // leaves composite inertias behind
    if (instance->loops != NULL) {
      crEvalCuts(instance, t, true, false);
    }
  }
  for (int i = 0; i < model->bristleCount; ++i) {
    const crJointBristle* bristle = &model->bristles[i];
    const crModelJoint* joint = &model->joints[bristle->joint];
    double k = model->jointLaws[joint->law].frictionStiffness[bristle->index];
    bool isCut = instance->loops != NULL && joint->isCut;
    double inertia = isCut ? cutInertia(instance, bristle) : treeInertia(instance, bristle);
    instance->bristleDampings[i] = inertia > 0.0 ? 2.0 * sqrt(k * inertia) : k * CR_BRISTLE_TIME;
  }
}
