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

static double fall(const crStickLaw* law, double beyond)
{
  double drop = law->frictionStatic - law->friction;
  return drop > 0.0 ? law->friction + drop * crExp(-beyond / (law->damping * law->fadeSpeed)) : law->friction;
}

crStick crComputeSlider(const crStickLaw* law, double stretch, double v)
{
  double pull = law->frictionStiffness * stretch, c = law->damping;
  double T = pull + c * v, beyond = fabs(T) - law->frictionStatic;
  if (beyond <= 0.0) {
    return (crStick){ T, v, c * v * v };
  }
  double f = copysign(fall(law, beyond), T), rate = (f - pull) / c;
  return (crStick){ f, rate, f * (T - f) / c + c * rate * rate };
}

crStick crComputeStick(const crInstance* instance, int bristle, double v)
{
  const crJointBristle* record = &instance->model->bristles[bristle];
  const crJointLaw* law = &instance->model->jointLaws[instance->model->joints[record->joint].law];
  crStickLaw stick = { instance->bristleDampings[bristle], law->friction[record->index],
                       law->frictionStatic[record->index], law->frictionStiffness[record->index],
                       law->frictionFade[record->index] };
  return crComputeSlider(&stick, instance->y[record->state], v);
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
static double cutInertia(crInstance* instance, int index, int degree)
{
  const crCut* cut = crFindCut(instance, index);
  const crModelJoint* joint = &instance->model->joints[index];
  crMotion columns[CR_MAX_JOINT_V];
  crJointAxes axes = crGetJointAxes(joint);
  crGetJointType((int)joint->kind)->computeMotionColumns(&axes, cut->q, columns);
  crMat3 R_WA = crFromLanes33(cut->R_WA);
  crMotionL column = { crToLanes(crMulMV(R_WA, columns[degree].w)), crToLanes(crMulMV(R_WA, columns[degree].v)) };
  double a = loneInertia(instance, cut->bodyA, cut->r_A, column);
  double b = loneInertia(instance, cut->bodyB, cut->r_B, column);
  return isinf(a) ? b : isinf(b) ? a : a + b > 0.0 ? a * (b / (a + b)) : 0.0;
}

// The composite inertia of all that a tree's joint moves, with its rotor.
static double treeInertia(const crInstance* instance, int joint, int degree)
{
  const crModel* model = instance->model;
  int body = joint + 1;
  crMotionL S = instance->S[model->links[body].columnStart + degree];
  return crPowerL(crMulArticulated(&instance->articulated[body], S), S) +
         crGetRotor(model, &model->joints[joint], degree);
}

static double findInertia(crInstance* instance, int joint, int degree)
{
  bool isCut = instance->loops != NULL && instance->model->joints[joint].isCut;
  return isCut ? cutInertia(instance, joint, degree) : treeInertia(instance, joint, degree);
}

static double findDamping(double stiffness, double inertia)
{
  return inertia > 0.0 ? 2.0 * sqrt(stiffness * inertia) : stiffness * CR_BRISTLE_TIME;
}

// What both sides of a clutch, or the one of a brake, oppose to it. Prescribed motions oppose without limit.
static double clutchInertia(crInstance* instance, const crModelCoupling* coupling)
{
  const crModel* model = instance->model;
  double inverse = 0.0;
  for (int k = coupling->termStart; k < coupling->termStart + coupling->termCount; ++k) {
    int joint = model->terms[k].joint;
    inverse += model->joints[joint].motion >= 0 ? 0.0 : 1.0 / findInertia(instance, joint, 0);
  }
  return inverse > 0.0 ? 1.0 / inverse : 0.0;
}

// A clutch or brake, by its number among couplings that give way.
static void fillClutch(crInstance* instance, int index)
{
  const crModel* model = instance->model;
  const crModelCoupling* coupling = &model->couplings[model->rigidCount + index];
  double damping = findDamping(coupling->frictionStiffness, clutchInertia(instance, coupling));
  instance->clutchDampings[index] = damping;
  for (int k = coupling->termStart; k < coupling->termStart + coupling->termCount; ++k) {
    double* rate = &instance->clutchRates[model->terms[k].joint];
    *rate = fmin(*rate, coupling->frictionStatic / damping);
  }
}

void crFillBristleDampings(crInstance* instance)
{
  const crModel* model = instance->model;
  if (model->bristleCount + model->clutchCount == 0) {
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
    instance->bristleDampings[i] = findDamping(k, findInertia(instance, bristle->joint, bristle->index));
  }
  for (int joint = 0; model->clutchCount > 0 && joint < model->size.jointCount; ++joint) {
    instance->clutchRates[joint] = HUGE_VAL;
  }
  for (int i = 0; i < crCountElastics(model); ++i) {
    if (model->couplings[model->rigidCount + i].frictionStatic > 0.0) {
      fillClutch(instance, i);
    }
  }
}
