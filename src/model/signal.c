// The value of a signal, the trees that signals couple, and time events with the ticks of sampled functions.
#include "model/signal.h"

#include "base/elementary.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------------------------- values

// The last piece that starts at or before the phase.
static int findPiece(const crPiece* pieces, int count, double phase)
{
  int low = 0, high = count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (pieces[middle].start <= phase) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static crSignalValue computePiece(const crPiece* pieces, int count, double t, double phase)
{
  int piece = findPiece(pieces, count, phase);
  const double* c = pieces[piece].c;
  double s = piece == 0 ? 0.0 : t - pieces[piece].start;
  crSignalValue result = { c[0] + s * (c[1] + s * (c[2] + s * c[3])), c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]),
                           2.0 * c[2] + 6.0 * c[3] * s, 0.0 };
  return result;
}

// f(x): f' = f_x x', f'' = f_xx x'^2 + f_x x''
static crSignalValue computeSpline(const crPiece* pieces, int count, const crSignalValue* x)
{
  const crPiece* piece = &pieces[findPiece(pieces, count, x->value)];
  const double* c = piece->c;
  double s = x->value - piece->start, slope = c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]);
  double bend = 2.0 * c[2] + 6.0 * c[3] * s;
  return (crSignalValue){ .value = c[0] + s * (c[1] + s * (c[2] + s * c[3])),
                          .rate = slope * x->rate,
                          .acceleration = bend * x->rate * x->rate + slope * x->acceleration };
}

static crSignalValue computeSine(const crSignal* signal, double t)
{
  double angle = signal->omega * t + signal->phase, a = signal->amplitude, w = signal->omega;
  double s, c;
  crSinCos(angle, &s, &c);
  crSignalValue result = { signal->offset + a * s, a * w * c, -a * w * w * s, 0.0 };
  return result;
}

static crSignalValue computeSum(const int* inputs, const double* factors, int count, const crSignalValue* values)
{
  crSignalValue sum = { 0.0, 0.0, 0.0, 0.0 };
  for (int i = 0; i < count; ++i) {
    const crSignalValue* input = &values[inputs[i]];
    sum.value += factors[i] * input->value;
    sum.rate += factors[i] * input->rate;
    sum.acceleration += factors[i] * input->acceleration;
  }
  return sum;
}

// (f g)'' = f'' g + 2 f' g' + f g''
static crSignalValue computeProduct(const int* inputs, int count, const crSignalValue* values)
{
  crSignalValue f = values[inputs[0]];
  for (int i = 1; i < count; ++i) {
    const crSignalValue* g = &values[inputs[i]];
    f = (crSignalValue){ f.value * g->value, f.rate * g->value + f.value * g->rate,
                         f.acceleration * g->value + 2.0 * f.rate * g->rate + f.value * g->acceleration, 0.0 };
  }
  return f;
}

crSignalValue crComputeSignal(const crSignal* signal, crSignalLists lists, const crSignalValue* values, double t,
                              double phase)
{
  const int* inputs = lists.inputs + signal->inputStart;
  crSignalValue result = { 0.0, 0.0, 0.0, 0.0 };
  switch (signal->kind) {
    case cr_signalConstant:
    case cr_signalRamp:
    case cr_signalStep:
    case cr_signalTrapezoid:
    case cr_signalTimeTable:
    case cr_signalPath: result = computePiece(lists.pieces + signal->pieceStart, signal->pieceCount, t, phase); break;
    case cr_signalSine: result = computeSine(signal, t); break;
    case cr_signalSum:
      result = computeSum(inputs, lists.factors + signal->inputStart, signal->inputCount, values);
      break;
    case cr_signalProduct: result = computeProduct(inputs, signal->inputCount, values); break;
    case cr_signalLimit: result.value = fmin(fmax(values[inputs[0]].value, signal->min), signal->max); break;
    case cr_signalSpline:
      result = computeSpline(lists.pieces + signal->pieceStart, signal->pieceCount, &values[inputs[0]]);
      break;
    case cr_signalOutput: result = values[inputs[0]]; break;
    case cr_signalInput:
    case cr_signalPick:
    case cr_signalFunction:
    case cr_signalSampled:
    case cr_signalPid:
    case cr_signalFmu:
    case cr_signalServo:
    case cr_signalDcMotor:
    case cr_signalFrameSensor:
    case cr_signalJointSensor:
    case cr_signalReactionSensor:
    case cr_signalSubtreeSensor:
    case cr_signalContactSensor:
    case cr_signalDistanceSensor:
    case cr_signalRaySensor:
    case cr_signalImu:
    case cr_signalCouplingSensor:
    case cr_signalKindCount: break;
  }
  result.stateRate = 0.0;
  if (!signal->hasDerivatives) {
    result.rate = result.acceleration = 0.0;
  }
  return result;
}

// ------------------------------------------------------------------------------------------- coupling

static void own(int* owner, int tree, void (*join)(int*, int, int), int* parents)
{
  join(parents, *owner, tree);
  *owner = *owner >= 0 ? *owner : tree;
}

static int treeOfObject(const crModel* m, int object)
{
  return object >= 0 ? m->bodies[m->objects[object].body].tree : -1;
}

// The world carries everything, anything may touch what is fixed to it, and a ray may meet anything.
static bool readsAll(const crModel* m, const crSignal* signal)
{
  if (signal->kind == cr_signalRaySensor) {
    return signal->objectB < 0;
  }
  return (signal->kind == cr_signalSubtreeSensor ||
          (signal->kind == cr_signalContactSensor && treeOfObject(m, signal->objectB) < 0)) &&
         m->objects[signal->objectA].body == 0;
}

// Sensors belong to all trees that they read.
static void ownSensors(const crModel* m, void (*join)(int*, int, int), int* parents, int* owners)
{
  for (int i = 0; i < m->size.signalCount; ++i) {
    const crSignal* signal = &m->signals[i];
    owners[i] = -1;
    if (crIsSensor(signal->kind) || crHasState(signal->kind)) {
      for (int t = 0; readsAll(m, signal) && t < m->size.treeCount; ++t) {
        own(&owners[i], t, join, parents);
      }
      own(&owners[i], treeOfObject(m, signal->objectA), join, parents);
      own(&owners[i], treeOfObject(m, signal->objectB), join, parents);
      own(&owners[i], treeOfObject(m, signal->frame), join, parents);
      own(&owners[i], signal->joint >= 0 ? m->bodies[m->joints[signal->joint].bodyA].tree : -1, join, parents);
      own(&owners[i], signal->joint >= 0 ? m->bodies[m->joints[signal->joint].bodyB].tree : -1, join, parents);
    }
  }
}

// Inputs go to the owner of what uses them, consumers first. A sampled function may stand before its inputs: true when
// another round is needed.
static bool ownInputs(const crModel* m, void (*join)(int*, int, int), int* parents, int* owners)
{
  bool isChanged = false;
  for (int k = m->size.signalCount - 1; k >= 0; --k) {
    const crSignal* signal = &m->signals[m->signalOrder[k]];
    const int* inputs = m->signalInputs + signal->inputStart;
    int owner = owners[m->signalOrder[k]];
    for (int i = 0; owner >= 0 && i < signal->inputCount; ++i) {
      isChanged = isChanged || owners[inputs[i]] < 0;
      own(&owners[inputs[i]], owner, join, parents);
    }
  }
  return isChanged;
}

// The other way: what nobody uses goes to its inputs.
static bool followInputs(const crModel* m, void (*join)(int*, int, int), int* parents, int* owners)
{
  bool isChanged = false;
  for (int k = 0; k < m->size.signalCount; ++k) {
    const crSignal* signal = &m->signals[m->signalOrder[k]];
    const int* inputs = m->signalInputs + signal->inputStart;
    int* owner = &owners[m->signalOrder[k]];
    for (int i = 0; i < signal->inputCount; ++i) {
      isChanged = isChanged || (*owner < 0 && owners[inputs[i]] >= 0);
      own(owner, owners[inputs[i]], join, parents);
    }
  }
  return isChanged;
}

static void ownByForces(const crModel* m, void (*join)(int*, int, int), int* parents, int* owners)
{
  for (int i = 0; i < m->size.forceCount; ++i) {
    const crModelForce* force = &m->forces[i];
    if (force->signal >= 0) {
      own(&owners[force->signal], treeOfObject(m, force->objectA), join, parents);
      own(&owners[force->signal], treeOfObject(m, force->objectB), join, parents);
    }
  }
}

static void ownByCouplings(const crModel* m, void (*join)(int*, int, int), int* parents, int* owners)
{
  for (int i = m->rigidCount; i < m->size.couplingCount; ++i) {
    const crModelCoupling* coupling = &m->couplings[i];
    for (int k = coupling->termStart; coupling->signal >= 0 && k < coupling->termStart + coupling->termCount; ++k) {
      const crModelJoint* joint = &m->joints[m->terms[k].joint];
      own(&owners[coupling->signal], m->bodies[joint->bodyA].tree, join, parents);
      own(&owners[coupling->signal], m->bodies[joint->bodyB].tree, join, parents);
    }
  }
}

// Consumers first, so that a signal that acts in two places couples them; then inputs; then what nobody uses goes to
// its inputs, and the rest to the first tree.
void crCoupleSignals(const crModel* m, void (*join)(int*, int, int), int* parents, int* owners)
{
  ownSensors(m, join, parents, owners);
  ownByForces(m, join, parents, owners);
  ownByCouplings(m, join, parents, owners);
  for (int i = 0; i < m->size.jointCount; ++i) {
    const crModelJoint* joint = &m->joints[i];
    int signal = joint->drive >= 0 ? joint->drive : joint->motion;
    if (signal >= 0) {
      own(&owners[signal], m->bodies[joint->bodyA].tree, join, parents);
      own(&owners[signal], m->bodies[joint->bodyB].tree, join, parents);
    }
  }
  bool isChanged;
  do {
    isChanged = ownInputs(m, join, parents, owners);
    isChanged = followInputs(m, join, parents, owners) || isChanged;
  } while (isChanged);
  for (int k = 0; k < m->size.signalCount && m->size.treeCount > 0; ++k) {
    owners[k] = owners[k] >= 0 ? owners[k] : 0;
  }
}

// A stable counting sort: inputs stay in front of what uses them. A model without trees has one list all the same.
void crOrderSignals(crModel* m, int* scratch)
{
  int count = m->size.signalCount, lists = m->size.treeCount > 0 ? m->size.treeCount : 1;
  memset(m->treeSignals, 0, ((size_t)lists + 1) * sizeof *m->treeSignals);
  for (int i = 0; i < count; ++i) {
    m->signalOwners[i] = m->size.treeCount > 0 ? m->components[m->signalOwners[i]] : 0;
    ++m->treeSignals[m->signalOwners[i] + 1];
  }
  for (int t = 0; t < lists; ++t) {
    m->treeSignals[t + 1] += m->treeSignals[t];
  }
  for (int k = count - 1; k >= 0; --k) {
    int signal = m->signalOrder[k];
    scratch[--m->treeSignals[m->signalOwners[signal] + 1]] = signal;
  }
  memmove(m->treeSignals, m->treeSignals + 1, (size_t)lists * sizeof *m->treeSignals);
  m->treeSignals[lists] = count;
  if (count > 0) {
    memcpy(m->signalOrder, scratch, (size_t)count * sizeof *scratch);
  }
}

// --------------------------------------------------------------------------------------------- events

// [-] Ticks of different functions, and of a function and another event, that differ by less than this share of the
// time are one: 3 x 0.1 is not 0.3.
#define CR_TICK_SLACK 1e-12

static double tickSlack(const crSignal* signal, double t)
{
  return CR_TICK_SLACK * (fabs(t) + signal->period);
}

bool crIsTick(const crSignal* signal, double t)
{
  double k = round((t - signal->firstTick) / signal->period);
  return k >= 0.0 && fabs(signal->firstTick + k * signal->period - t) <= tickSlack(signal, t);
}

// Beyond 1e12 periods ticks cannot be told apart, and there are none.
static double findNextTick(const crSignal* signal, double t)
{
  double after = t + tickSlack(signal, t);
  double k = fmax(0.0, floor((after - signal->firstTick) / signal->period));
  for (int i = 0; i < 3; ++i) { // rounding may have put k too low by one
    double tick = signal->firstTick + (k + i) * signal->period;
    if (tick > after) {
      return tick;
    }
  }
  return HUGE_VAL;
}

static double findNextPiece(const crModel* model, double t)
{
  int low = 0, high = model->eventCount;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (model->eventTimes[middle] <= t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < model->eventCount ? model->eventTimes[low] : HUGE_VAL;
}

double crModel_GetNextTimeEvent(const crModel* model, double t)
{
  if (model == NULL) {
    return HUGE_VAL;
  }
  double next = findNextPiece(model, t);
  for (int i = 0; isfinite(t) && i < model->sampledCount; ++i) {
    next = fmin(next, findNextTick(&model->signals[model->sampled[i]], t));
  }
  return next;
}
