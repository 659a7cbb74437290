// Clutches, brakes and motors: forces along coordinates of joints that have states of their own.
//
// Clutch and brake, with v the sum of factor x rate, s >= 0 the engagement and the stretch x of a bristle as state:
//
//   lambda = -f(x, v; s F_k, s F_s)              as friction of joints that sticks, joint_friction.c
//
// Where s falls the slider lets go and the bristle relaxes; its losses stay positive, whatever the limits do.
//
// Motor, with the rate v of its rotor and the current i as state:
//
//   lambda = k i,   L i' = u - R i - k v         without inductance: i = (u - k v) / R
//
//   taken from the terminals u i = k i v (mechanical) + R i^2 (heat) + L i i' (stored, L i^2 / 2)
#include "model/loop/loop.h"

bool crIsDriveline(const crModelCoupling* coupling)
{
  return coupling->kind == cr_couplingClutch || coupling->kind == cr_couplingBrake ||
         coupling->kind == cr_couplingMotor;
}

// In an equilibrium the bristle follows the sum until it would slide.
static double findStretch(const crInstance* instance, int index, double limit, double sum)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  if (instance->statics == NULL) {
    return instance->y[coupling->state];
  }
  double stretch = instance->statics[index - instance->model->rigidCount] + sum;
  return fmax(-limit / coupling->frictionStiffness, fmin(stretch, limit / coupling->frictionStiffness));
}

static crElastic computeClutch(const crInstance* instance, int index, double sum, double rate)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  double share = coupling->signal >= 0 ? fmax(0.0, instance->signals[coupling->signal].value) : 1.0;
  double stretch = findStretch(instance, index, share * coupling->frictionStatic, sum);
  crStickLaw law = { instance->clutchDampings[index - instance->model->rigidCount], share * coupling->friction,
                     share * coupling->frictionStatic, coupling->frictionStiffness, coupling->frictionFade };
  crStick stick = crComputeSlider(&law, stretch, rate);
  return (crElastic){
    .force = -stick.force, .deflection = stretch, .dissipation = stick.dissipation, .stateRate = stick.rate
  };
}

static crElastic computeMotor(const crInstance* instance, int index, double rate)
{
  const crModelCoupling* motor = &instance->model->couplings[index];
  double voltage = instance->signals[motor->signal].value, inner = voltage - motor->torqueConstant * rate;
  bool isState = motor->state >= 0 && instance->statics == NULL;
  double current = isState ? instance->y[motor->state] : inner / motor->resistance;
  double stateRate = motor->state >= 0 ? (inner - motor->resistance * current) / motor->inductance : 0.0;
  return (crElastic){ .force = motor->torqueConstant * current,
                      .deflection = current,
                      .dissipation = motor->resistance * current * current,
                      .work = voltage * current,
                      .stateRate = stateRate };
}

crElastic crComputeDriveline(const crInstance* instance, int index, double sum, double rate)
{
  bool isMotor = instance->model->couplings[index].kind == cr_couplingMotor;
  return isMotor ? computeMotor(instance, index, rate) : computeClutch(instance, index, sum, rate);
}

double crComputeDrivelineEnergy(const crInstance* instance, int index)
{
  const crModelCoupling* coupling = &instance->model->couplings[index];
  double x = coupling->state >= 0 ? instance->y[coupling->state] : 0.0;
  return 0.5 * (coupling->kind == cr_couplingMotor ? coupling->inductance : coupling->frictionStiffness) * x * x;
}
