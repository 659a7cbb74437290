// Signals at the stage of their level, the coordinates that they prescribe, and the forces that this takes.
#include "model/loop/loop.h"

// Output, and rate of the state x:
//
//   servo   kv (e + x),  e = kp (r - q) - v,  x' = e / T
//   motor   n k x,       x' = (r - R x - k n v) / L
static crSignalValue computeControl(const crInstance* instance, const crSignal* signal)
{
  const double* gains = signal->gains;
  double r = instance->signals[crGetInputs(instance->model, signal)[0]].value, x = instance->y[signal->state];
  double q = crGetCoordinate(instance, signal->joint, 0), v = crGetRate(instance, signal->joint, 0);
  if (signal->kind == cr_signalServo) {
    double e = gains[0] * (r - q) - v;
    return (crSignalValue){ .value = gains[1] * (e + x), .stateRate = gains[2] * e };
  }
  return (crSignalValue){ .value = gains[2] * x, .stateRate = gains[1] * (r - gains[2] * v) - gains[0] * x };
}

void crGetAuxiliaryRates(const crInstance* instance, const crTree* tree, double* outRates)
{
  const crModel* model = instance->model;
  for (int i = 0; i < tree->auxCount; ++i) {
    int k = -1 - model->stateJoints[tree->auxStart + i], bristle = k - model->size.signalCount;
    int coupling = bristle - model->bristleCount;
    if (bristle < 0) {
      outRates[i] = instance->signals[k].stateRate;
    } else if (coupling >= 0) {
      outRates[i] = instance->elastics[coupling - model->rigidCount].stateRate;
    } else {
      const crJointBristle* record = &model->bristles[bristle];
      outRates[i] = crComputeStick(instance, bristle, crGetRate(instance, record->joint, record->index)).rate;
    }
  }
}

static crStatus evalSignal(crInstance* instance, const crSignal* signal, double t, double phase,
                           const crContacts* contacts, crSignalValue* outValue)
{
  if (crIsSensor(signal->kind)) {
    *outValue = (crSignalValue){ .value = crReadSensor(instance, signal, contacts) };
  } else if (crHasState(signal->kind)) {
    *outValue = computeControl(instance, signal);
  } else if (signal->kind == cr_signalInput) {
    *outValue = (crSignalValue){ .value = instance->hasInputRates ? crInstance_ComputeInput(instance, signal->port, t)
                                                                  : instance->inputs[signal->port] };
  } else if (crIsSampled(signal->kind)) {
    *outValue = (crSignalValue){ .value = instance->discrete[signal->discrete] };
  } else if (signal->kind == cr_signalPick) {
    const crSignal* target = &instance->model->signals[crGetInputs(instance->model, signal)[0]];
    *outValue = (crSignalValue){ .value = crIsSampled(target->kind)
                                              ? instance->discrete[target->discrete + 1 + signal->quantity]
                                              : instance->y[target->state] };
  } else if (signal->kind == cr_signalFunction) {
    *outValue = (crSignalValue){ .value = 0.0 };
    return crCallFunction(instance, signal, t, NULL, &outValue->value);
  } else {
    *outValue = crComputeSignal(signal, crGetSignalLists(instance->model), instance->signals, t, phase);
  }
  return cr_ok;
}

crStatus crEvalSignals(crInstance* instance, int tree, crSignalLevel level, const crContacts* contacts)
{
  const crModel* model = instance->model;
  double t = instance->times[tree];
  double phase = isnan(instance->phases[tree]) ? t : instance->phases[tree];
  crStatus status = cr_ok;
  for (int k = model->treeSignals[tree]; k < model->treeSignals[tree + 1] && status == cr_ok; ++k) {
    int index = model->signalOrder[k];
    if (model->signals[index].level == level) {
      status = evalSignal(instance, &model->signals[index], t, phase, contacts, &instance->signals[index]);
    }
  }
  return status;
}

void crPrescribeMotions(crInstance* instance, int tree)
{
  const crModel* model = instance->model;
  for (int i = model->treeDrives[tree]; i < model->treeDrives[tree + 1]; ++i) {
    const crModelJoint* joint = &model->joints[model->driveBodies[i] - 1];
    if (joint->motion >= 0) {
      const crSignalValue* value = &instance->signals[joint->motion];
      double* place = instance->y + joint->qStart;
      place[0] = value->value;
      place[1] = value->rate;
      place[2] = value->acceleration;
    }
  }
}

// What moves a prescribed joint is its share of the wrench that the joint transmits, less what its law and couplings
// give, and what its rotor takes.
double crGetDrive(const crInstance* instance, int joint)
{
  const crModel* model = instance->model;
  const crModelJoint* record = &model->joints[joint];
  if (record->drive >= 0) {
    return instance->signals[record->drive].value;
  }
  if (record->isCut) {
    return crGetMotionForce(crFindCut(instance, joint));
  }
  const crLink* link = &model->links[joint + 1];
  const crArticulated* body = &instance->articulated[joint + 1];
  crWrenchL moved = crMulArticulated(body, instance->A[joint + 1]);
  crWrenchL W = { moved.t + body->bias.t, moved.f + body->bias.f };
  const double* place = instance->y + link->qStart;
  double law = record->law >= 0 ? crComputeLawForce(instance, record, 0, true, place[0], place[1]) : 0.0;
  double given = law + crGetPush(instance, joint);
  return crPowerL(W, instance->S[link->columnStart]) - given + crGetRotor(model, record, 0) * place[2];
}
