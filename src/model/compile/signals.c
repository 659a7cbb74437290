// Pass 2, signals: names become indices, inputs come first, shapes become polynomials.
//
// A cubic table is a spline with slopes m_i that are zero at its ends: with h the lengths of the intervals and d their
// slopes, two continuous derivatives at the inner knots mean
//
//   m_i-1 / h_i-1 + 2 (1 / h_i-1 + 1 / h_i) m_i + m_i+1 / h_i = 3 (d_i-1 / h_i-1 + d_i / h_i)
//
// A leg of a path of length D with limits v and a takes the least time when the acceleration is at its limit unless the
// velocity is: t_a = min(v / a, sqrt(D / a)) up and down, D / (a t_a) - t_a between.
#include "model/compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crAddress addressOf(const crCompilation* c, int signal)
{
  crAddress address = { c->signalDefs[signal]->source, c->signalDefs[signal]->name };
  return address;
}

static const int* inputsOf(const crCompilation* c, const crSignal* signal)
{
  return c->signalInputs + signal->inputStart;
}

// --------------------------------------------------------------------------------------------- pieces

// To the signal at hand, whose pieces are the last ones.
static void addPiece(crCompilation* c, double start, double c0, double c1, double c2, double c3)
{
  crPiece piece = { start, { c0, c1, c2, c3 } };
  c->signalPieces[c->pieceCount++] = piece;
}

static void fillTrapezoid(crCompilation* c, const crSignalDef* def)
{
  double top = def->start + def->rise, end = top + def->hold;
  addPiece(c, 0.0, def->offset, 0.0, 0.0, 0.0);
  if (def->rise > 0.0) {
    addPiece(c, def->start, def->offset, def->height / def->rise, 0.0, 0.0);
  }
  addPiece(c, top, def->offset + def->height, 0.0, 0.0, 0.0);
  if (def->fall > 0.0) {
    addPiece(c, end, def->offset + def->height, -def->height / def->fall, 0.0, 0.0);
  }
  addPiece(c, end + def->fall, def->offset, 0.0, 0.0, 0.0);
}

static void fillRamp(crCompilation* c, const crSignalDef* def)
{
  addPiece(c, 0.0, def->offset, 0.0, 0.0, 0.0);
  if (def->kind == cr_signalRamp) {
    addPiece(c, def->start, def->offset, def->height / def->duration, 0.0, 0.0);
  }
  double end = def->kind == cr_signalRamp ? def->start + def->duration : def->start;
  addPiece(c, end, def->offset + def->height, 0.0, 0.0, 0.0);
}

// Elimination from the left, substitution from the right; both end slopes are zero. slopes: (count), scratch: (count)
static void computeSlopes(const crSignalDef* def, double* slopes, double* scratch)
{
  int last = def->timeCount - 1;
  const double *x = def->times, *y = def->values;
  slopes[0] = slopes[last] = scratch[0] = 0.0;
  for (int i = 1; i < last; ++i) {
    double left = 1.0 / (x[i] - x[i - 1]), right = 1.0 / (x[i + 1] - x[i]);
    double known = 3.0 * ((y[i] - y[i - 1]) * left * left + (y[i + 1] - y[i]) * right * right);
    double pivot = 2.0 * (left + right) - left * scratch[i - 1];
    scratch[i] = right / pivot;
    slopes[i] = (known - left * slopes[i - 1]) / pivot;
  }
  for (int i = last - 1; i > 0; --i) {
    slopes[i] -= scratch[i] * slopes[i + 1];
  }
}

static bool fillTable(crCompilation* c, const crSignalDef* def)
{
  bool isCubic = def->interpolation == cr_interpolationCubic;
  int last = def->timeCount - 1;
  double *slopes, *scratch;
  if (!crNew(c, slopes, def->timeCount) || !crNew(c, scratch, def->timeCount)) {
    return false;
  }
  if (isCubic) {
    computeSlopes(def, slopes, scratch);
  }
  addPiece(c, 0.0, def->values[0], 0.0, 0.0, 0.0);
  for (int i = 0; i < last; ++i) {
    double h = def->times[i + 1] - def->times[i], d = (def->values[i + 1] - def->values[i]) / h;
    double m0 = isCubic ? slopes[i] : d, m1 = isCubic ? slopes[i + 1] : d;
    addPiece(c, def->times[i], def->values[i], m0, isCubic ? (3.0 * d - 2.0 * m0 - m1) / h : 0.0,
             isCubic ? (m0 + m1 - 2.0 * d) / (h * h) : 0.0);
  }
  addPiece(c, def->times[last], def->values[last], 0.0, 0.0, 0.0);
  return true;
}

static void fillPath(crCompilation* c, const crSignalDef* def)
{
  double t = def->start;
  addPiece(c, 0.0, def->values[0], 0.0, 0.0, 0.0);
  for (int i = 1; i < def->valueCount; ++i) {
    double from = def->values[i - 1], to = def->values[i], way = fabs(to - from);
    if (way == 0.0) {
      continue;
    }
    double a = copysign(def->maxAcceleration, to - from);
    double speeding = fmin(def->maxVelocity / def->maxAcceleration, sqrt(way / def->maxAcceleration));
    double cruising = fmax(0.0, way / (def->maxAcceleration * speeding) - speeding);
    double part = 0.5 * a * speeding * speeding, v = a * speeding;
    addPiece(c, t, from, 0.0, 0.5 * a, 0.0);
    addPiece(c, t + speeding, from + part, v, 0.0, 0.0);
    addPiece(c, t + speeding + cruising, to - part, v, -0.5 * a, 0.0);
    t += 2.0 * speeding + cruising;
    addPiece(c, t, to, 0.0, 0.0, 0.0);
  }
}

static bool hasSingleInput(crSignalKind kind)
{
  return kind == cr_signalLimit || kind == cr_signalOutput || kind == cr_signalPick || crHasState(kind);
}

static int countInputs(const crSignalDef* def)
{
  bool hasMany = def->kind == cr_signalSum || def->kind == cr_signalProduct;
  return hasSingleInput(def->kind) ? 1 : crIsFunction(def->kind) ? def->argumentCount : hasMany ? def->inputCount : 0;
}

// More than any shape of the kind needs.
static int64_t boundPieces(const crSignalDef* def)
{
  switch (def->kind) {
    case cr_signalTimeTable: return (int64_t)def->timeCount + 1;
    case cr_signalPath: return 4 * (int64_t)def->valueCount + 1;
    default: return 5;
  }
}

// Room for the pieces and inputs of all signals.
static crStatus reserveLists(crCompilation* c)
{
  int64_t pieces = 0, inputs = 0;
  for (int i = 0; i < c->signalCount; ++i) {
    pieces += boundPieces(c->signalDefs[i]);
    inputs += countInputs(c->signalDefs[i]);
  }
  if (pieces > INT32_MAX || inputs > INT32_MAX) {
    return cr_errorLimit;
  }
  return crNew(c, c->signalPieces, pieces) && crNew(c, c->signalInputs, inputs) && crNew(c, c->signalFactors, inputs)
             ? cr_ok
             : cr_errorMemory;
}

static crStatus fillPieces(crCompilation* c, crSignal* signal, const crSignalDef* def)
{
  crStatus status = cr_ok;
  signal->pieceStart = c->pieceCount;
  switch (def->kind) {
    case cr_signalConstant: addPiece(c, 0.0, def->value, 0.0, 0.0, 0.0); break;
    case cr_signalRamp:
    case cr_signalStep: fillRamp(c, def); break;
    case cr_signalTrapezoid: fillTrapezoid(c, def); break;
    case cr_signalTimeTable: status = fillTable(c, def) ? cr_ok : cr_errorMemory; break;
    case cr_signalPath: fillPath(c, def); break;
    default: break;
  }
  signal->pieceCount = c->pieceCount - signal->pieceStart;
  return status;
}

// -------------------------------------------------------------------------------------------- sensors

static int resolveOptional(crCompilation* c, crElementKind kind, int index, const char* what, const char* name)
{
  return name != NULL ? crResolveElement(c, kind, addressOf(c, index), what, name) : CR_NONE;
}

// Indices are those of the scene here; pack turns them into those of the model.
static void resolveSensor(crCompilation* c, int index)
{
  const crSignalDef* def = c->signalDefs[index];
  crSignal* signal = &c->signals[index];
  bool isFrame = def->kind == cr_signalFrameSensor, isSubtree = def->kind == cr_signalSubtreeSensor;
  bool isJoint = def->kind == cr_signalJointSensor || def->kind == cr_signalReactionSensor || crHasState(def->kind);
  signal->objectA = signal->objectB = signal->frame = signal->joint = CR_NONE;
  if (isFrame || isSubtree) {
    signal->objectA = resolveOptional(c, cr_elementObject, index, isFrame ? "objectA" : "object", def->objectA);
  }
  if (isFrame) {
    signal->objectB = resolveOptional(c, cr_elementObject, index, "objectB", def->objectB);
  }
  if (crIsSensor(def->kind) && def->kind != cr_signalJointSensor) {
    signal->frame = resolveOptional(c, cr_elementObject, index, "frame", def->frame);
  }
  if (isJoint) {
    signal->joint = resolveOptional(c, cr_elementJoint, index, "joint", def->joint);
  }
  signal->degree = def->degree - 1;
  signal->quantity = def->quantity;
  signal->component = def->component;
}

static void checkJointOfSensor(crCompilation* c, int index)
{
  const crSignal* signal = &c->signals[index];
  if (signal->joint < 0) {
    return;
  }
  const crJointType* type = crGetJointType((int)c->jointDefs[signal->joint]->kind);
  if (type->vCount == 0) {
    crCompilation_Report(c, cr_severityError, addressOf(c, index), NULL,
                         "joint '%s' is a weld, in which nothing is measured", c->jointDefs[signal->joint]->name);
    return;
  }
  if (crHasState(signal->kind) && type->vCount != 1) {
    crCompilation_Report(c, cr_severityError, addressOf(c, index), NULL,
                         "joint '%s' has %d degrees of freedom, where one is needed", c->jointDefs[signal->joint]->name,
                         type->vCount);
    return;
  }
  bool isCoordinate = signal->kind == cr_signalJointSensor && signal->quantity == cr_jointPosition;
  if (signal->kind == cr_signalJointSensor && (signal->degree < 0 || signal->degree >= type->vCount)) {
    crCompilation_Report(c, cr_severityError, addressOf(c, index), NULL,
                         "degree is %d, but joint '%s' has %d degrees of freedom", signal->degree + 1,
                         c->jointDefs[signal->joint]->name, type->vCount);
  } else if (isCoordinate && type->hasQuaternion) {
    crComplaint rest = { .hint = "measure the angles with a frameSensor" };
    crCompilation_Report(c, cr_severityError, addressOf(c, index), &rest,
                         "joint '%s' has a quaternion, and no coordinate for each degree of freedom",
                         c->jointDefs[signal->joint]->name);
  }
}

// What the sensor itself reads; other kinds read their inputs.
static crSignalLevel findLevel(const crSignal* signal)
{
  bool isAccelerated = (signal->kind == cr_signalFrameSensor && (signal->quantity == cr_frameAcceleration ||
                                                                 signal->quantity == cr_frameAngularAcceleration)) ||
                       (signal->kind == cr_signalJointSensor && signal->quantity == cr_jointAcceleration) ||
                       signal->kind == cr_signalReactionSensor;
  bool isMoving = crIsSensor(signal->kind) || crHasState(signal->kind);
  return isAccelerated ? cr_levelAcceleration : isMoving ? cr_levelMotion : cr_levelTime;
}

static crSignalLevel findLevelOfAll(const crCompilation* c, int index)
{
  const crSignal* signal = &c->signals[index];
  crSignalLevel level = findLevel(signal);
  if (signal->kind == cr_signalPick) {
    return crHasState(c->signals[inputsOf(c, signal)[0]].kind) ? cr_levelMotion : cr_levelTime;
  }
  for (int i = 0; i < crCountDirectInputs(signal); ++i) {
    crSignalLevel other = c->signals[inputsOf(c, signal)[i]].level;
    level = other > level ? other : level;
  }
  return level;
}

static void checkStates(crCompilation* c)
{
  for (int i = 0; i < c->signalCount; ++i) {
    if (crHasState(c->signals[i].kind) && c->signals[i].level == cr_levelAcceleration) {
      crCompilation_Report(c, cr_severityError, addressOf(c, i), NULL,
                           "the input depends on accelerations or reactions, which may depend on this signal");
    }
  }
}

static void checkDrives(crCompilation* c)
{
  for (int i = 0; i < c->jointCount; ++i) {
    int signal = c->jointDrives[i];
    if (signal >= 0 && c->signals[signal].level == cr_levelAcceleration) {
      crComplaint rest = { .found = c->signalDefs[signal]->name,
                           .hint = "drive it by positions and velocities, which are known before the forces" };
      crCompilation_Report(c, cr_severityError, crAddressOfEdge(c, i), &rest,
                           "the drive depends on accelerations or reactions, which depend on the drive");
    }
  }
  for (int i = 0; i < c->forceCount; ++i) {
    int signal = c->forceSignals[i];
    if (signal >= 0 && c->signals[signal].level == cr_levelAcceleration) {
      crAddress address = { c->forceDefs[i]->source, c->forceDefs[i]->name };
      crComplaint rest = { .found = c->signalDefs[signal]->name,
                           .hint = "sample it: what a sampled function returns is held and known" };
      crCompilation_Report(c, cr_severityError, address, &rest,
                           "the force depends on accelerations or reactions, which depend on the force");
    }
  }
}

// ------------------------------------------------------------------------------------------- resolving

static void resolveInputs(crCompilation* c, int index)
{
  const crSignalDef* def = c->signalDefs[index];
  crSignal* signal = &c->signals[index];
  bool isPort = def->kind == cr_signalOutput || def->kind == cr_signalPick, isSingle = hasSingleInput(def->kind);
  bool isSum = def->kind == cr_signalSum, isFunction = crIsFunction(def->kind);
  signal->inputStart = c->signalInputCount;
  signal->inputCount = countInputs(def);
  c->signalInputCount += signal->inputCount;
  for (int i = 0; i < signal->inputCount; ++i) {
    const char* name = isSingle ? def->input : isFunction ? def->arguments[i].signal : def->inputs[i];
    bool isPid = def->kind == cr_signalPid;
    const char* what = isPid ? def->arguments[i].name : isPort ? "signal" : isSingle ? "input" : "inputs";
    int place = signal->inputStart + i;
    c->signalInputs[place] = crResolveElement(c, cr_elementSignal, addressOf(c, index), what, name);
    c->signalFactors[place] = isSum && def->factorCount > 0 ? def->factors[i] : 1.0;
  }
}

// The gear of a motor is that of its joint.
static void fillGains(const crCompilation* c, crSignal* signal, const crSignalDef* def)
{
  signal->state = CR_NONE;
  if (def->kind == cr_signalServo) {
    const double gains[3] = { def->positionGain, def->velocityGain, 1.0 / def->integralTime };
    memcpy(signal->gains, gains, sizeof gains);
  } else if (def->kind == cr_signalDcMotor && signal->joint >= 0) {
    double gear = c->jointDefs[signal->joint]->law.gearRatio[0];
    const double gains[3] = { def->resistance / def->inductance, 1.0 / def->inductance, def->torqueConstant * gear };
    memcpy(signal->gains, gains, sizeof gains);
  }
}

// Numbers of inputs, outputs and functions, and the places of what sampled functions keep.
static void fillPort(crCompilation* c, crSignal* signal, const crSignalDef* def)
{
  bool isInput = def->kind == cr_signalInput, isOutput = def->kind == cr_signalOutput;
  signal->nominal = def->nominal;
  signal->start = isInput || crIsSampled(def->kind) ? def->value : 0.0;
  signal->port = isInput ? c->inputCount++ : isOutput ? c->outputCount++ : CR_NONE;
  signal->function = crIsFunction(def->kind) ? c->functionCount++ : CR_NONE;
  signal->discrete = CR_NONE;
  if (crIsSampled(def->kind)) {
    signal->period = def->period;
    signal->firstTick = def->start;
    signal->stateCount = def->stateCount;
    signal->discrete = c->discreteCount;
    c->discreteCount += 1 + def->stateCount;
    ++c->sampledCount;
  }
}

static crStatus fillSignal(crCompilation* c, int index)
{
  const crSignalDef* def = c->signalDefs[index];
  crSignal* signal = &c->signals[index];
  signal->kind = def->kind;
  signal->amplitude = def->amplitude;
  signal->omega = 2.0 * CR_PI * def->frequency;
  signal->phase = def->phase;
  signal->offset = def->offset;
  signal->min = def->min;
  signal->max = def->max;
  resolveSensor(c, index);
  checkJointOfSensor(c, index);
  fillGains(c, signal, def);
  fillPort(c, signal, def);
  resolveInputs(c, index);
  return fillPieces(c, signal, def);
}

static void resolveDrives(crCompilation* c)
{
  for (int i = 0; i < c->jointCount; ++i) {
    const crJointDef* def = c->jointDefs[i];
    const char* what = def->kind == cr_jointPrismatic ? "force" : "torque";
    crAddress address = crAddressOfEdge(c, i);
    c->jointDrives[i] = def->drive != NULL ? crResolveElement(c, cr_elementSignal, address, what, def->drive) : CR_NONE;
    c->jointMotions[i] =
        def->motion != NULL ? crResolveElement(c, cr_elementSignal, address, "motion", def->motion) : CR_NONE;
  }
  for (int i = 0; i < c->forceCount; ++i) {
    const crForceDef* def = c->forceDefs[i];
    const char* what = def->kind == cr_forceSpringDamper ? "tension" : "factor";
    crAddress address = { def->source, def->name };
    bool hasSignal = def->signal != NULL && def->kind != cr_forceBushing;
    c->forceSignals[i] = hasSignal ? crResolveElement(c, cr_elementSignal, address, what, def->signal) : CR_NONE;
  }
}

// ------------------------------------------------------------------------------------------- ordering

#define CR_CYCLE_TEXT 1024 // [bytes] of the names of a cycle

// The path of the search from `first` to its end, which leads back to `first`.
static void reportCycle(crCompilation* c, const int* stack, int stacked, int first)
{
  char text[CR_CYCLE_TEXT];
  size_t used = 0;
  int from = stacked - 1;
  while (stack[from] != first) {
    --from;
  }
  for (int i = from; i <= stacked && used < sizeof text; ++i) {
    const char* name = c->signalDefs[i < stacked ? stack[i] : first]->name;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s'%s'", i > from ? " <- " : "", name);
  }
  crComplaint rest = { .found = text, .hint = "a signal cannot be its own input" };
  crCompilation_Report(c, cr_severityError, addressOf(c, first), &rest, "the signals form a cycle");
}

enum { unseen, open, closed };

// Depth first; a signal is placed when all its inputs are.
static crStatus orderSignals(crCompilation* c)
{
  int *marks, *next, *stack;
  if (!crNew(c, c->signalOrder, c->signalCount) || !crNew(c, marks, c->signalCount) ||
      !crNew(c, next, c->signalCount) || !crNew(c, stack, c->signalCount + 1)) {
    return cr_errorMemory;
  }
  int placed = 0;
  for (int root = 0; root < c->signalCount; ++root) {
    int stacked = 0;
    if (marks[root] == unseen) {
      stack[stacked++] = root;
      marks[root] = open;
    }
    while (stacked > 0) {
      int s = stack[stacked - 1];
      const crSignal* signal = &c->signals[s];
      if (next[s] == crCountDirectInputs(signal)) {
        marks[s] = closed;
        c->signalOrder[placed++] = s;
        --stacked;
        continue;
      }
      int input = inputsOf(c, signal)[next[s]++];
      if (input >= 0 && marks[input] == open) {
        reportCycle(c, stack, stacked, input);
      } else if (input >= 0 && marks[input] == unseen) {
        marks[input] = open;
        stack[stacked++] = input;
      }
    }
  }
  return cr_ok;
}

static bool hasDerivatives(const crCompilation* c, int index)
{
  const crSignalDef* def = c->signalDefs[index];
  const crSignal* signal = &c->signals[index];
  bool has = def->kind == cr_signalConstant || def->kind == cr_signalSine || def->kind == cr_signalPath ||
             def->kind == cr_signalSum || def->kind == cr_signalProduct || def->kind == cr_signalOutput ||
             (def->kind == cr_signalTimeTable && def->interpolation == cr_interpolationCubic);
  for (int i = 0; has && i < signal->inputCount; ++i) {
    has = has && (inputsOf(c, signal)[i] < 0 || c->signals[inputsOf(c, signal)[i]].hasDerivatives);
  }
  return has;
}

// The first signal on the way back from a motion that has no derivatives although its inputs have.
static int findCulprit(const crCompilation* c, int signal)
{
  int culprit = signal;
  do {
    const crSignal* at = &c->signals[signal = culprit];
    bool hasNone = at->kind == cr_signalLimit || at->kind == cr_signalPick || crIsFunction(at->kind);
    for (int i = 0; culprit == signal && !hasNone && i < at->inputCount; ++i) {
      culprit = c->signals[inputsOf(c, at)[i]].hasDerivatives ? signal : inputsOf(c, at)[i];
    }
  } while (culprit != signal);
  return culprit;
}

static void checkMotions(crCompilation* c)
{
  for (int i = 0; i < c->jointCount; ++i) {
    int signal = c->jointMotions[i];
    if (signal >= 0 && !c->signals[signal].hasDerivatives) {
      const crSignalDef* culprit = c->signalDefs[findCulprit(c, signal)];
      crComplaint rest = { .found = c->signalDefs[signal]->name,
                           .allowed =
                               "a signal with two derivatives: constant, sine, path, cubic timeTable, their sums "
                               "and products",
                           .hint = "a path or a cubic timeTable goes from value to value smoothly" };
      crCompilation_Report(c, cr_severityError, crAddressOfEdge(c, i), &rest,
                           "motion needs a velocity and an acceleration, which the %s '%s' does not have",
                           crSignalKindText(culprit->kind), culprit->name);
    }
  }
}

// -------------------------------------------------------------------------------------------- picking

// The name of state i of a signal; NULL: there are no more.
static const char* nameState(const crSignalDef* def, int i)
{
  if (crIsSampled(def->kind)) {
    return i < def->stateCount ? def->states[i].name : NULL;
  }
  return i > 0 || !crHasState(def->kind) ? NULL : def->kind == cr_signalDcMotor ? "current" : "integral";
}

static void resolvePick(crCompilation* c, int index)
{
  const crSignalDef *def = c->signalDefs[index], *target = c->signalDefs[inputsOf(c, &c->signals[index])[0]];
  crNearest nearest = crMakeNearest(def->state);
  const char* name = nameState(target, 0);
  for (int i = 0; name != NULL; name = nameState(target, ++i)) {
    if (strcmp(name, def->state) == 0) {
      c->signals[index].quantity = i;
      return;
    }
    crNearest_Try(&nearest, name);
  }
  char hint[CR_MAX_PATH + 32];
  snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best != NULL ? nearest.best : "");
  crComplaint rest = { .found = def->state, .hint = nearest.best != NULL ? hint : NULL };
  crCompilation_Report(c, cr_severityError, addressOf(c, index), &rest, "the %s '%s' has no such state",
                       crSignalKindText(target->kind), target->name);
}

// --------------------------------------------------------------------------------------------- events

static int compareTimes(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static crStatus listEvents(crCompilation* c)
{
  int64_t count = 0;
  for (int i = 0; i < c->signalCount; ++i) {
    count += c->signals[i].pieceCount > 0 ? c->signals[i].pieceCount - 1 : 0;
  }
  if (count > INT32_MAX) {
    return cr_errorLimit;
  }
  if (!crNew(c, c->eventTimes, count)) {
    return cr_errorMemory;
  }
  int placed = 0;
  for (int i = 0; i < c->signalCount; ++i) {
    for (int k = 1; k < c->signals[i].pieceCount; ++k) {
      c->eventTimes[placed++] = c->signalPieces[c->signals[i].pieceStart + k].start;
    }
  }
  if (placed > 0) {
    qsort(c->eventTimes, (size_t)placed, sizeof *c->eventTimes, compareTimes);
  }
  for (int i = 0; i < placed; ++i) {
    if (c->eventCount == 0 || c->eventTimes[i] != c->eventTimes[c->eventCount - 1]) {
      c->eventTimes[c->eventCount++] = c->eventTimes[i];
    }
  }
  return cr_ok;
}

// Inputs whose own definition failed, which was reported there.
static bool hasBrokenInputs(const crCompilation* c)
{
  for (int i = 0; i < c->signalInputCount; ++i) {
    if (c->signalInputs[i] < 0) {
      return true;
    }
  }
  return false;
}

// Marks the inputs of what is marked, consumers first. Samples may come before their inputs; so it is done again until
// nothing new is found.
static void markInputs(const crCompilation* c, bool* needed)
{
  bool isNew = true;
  while (isNew) {
    isNew = false;
    for (int k = c->signalCount - 1; k >= 0; --k) {
      const crSignal* signal = &c->signals[c->signalOrder[k]];
      for (int i = 0; needed[c->signalOrder[k]] && i < signal->inputCount; ++i) {
        int input = inputsOf(c, signal)[i];
        isNew = isNew || !needed[input];
        needed[input] = true;
      }
    }
  }
}

// Marks what forces depend on, directly or through signals: drives, motions, forces, states and samples.
static void markNeeded(const crCompilation* c, bool* needed)
{
  for (int i = 0; i < c->jointCount; ++i) {
    int signal = c->jointDrives[i] >= 0 ? c->jointDrives[i] : c->jointMotions[i];
    if (signal >= 0) {
      needed[signal] = true;
    }
  }
  for (int i = 0; i < c->forceCount; ++i) {
    if (c->forceSignals[i] >= 0) {
      needed[c->forceSignals[i]] = true;
    }
  }
  for (int i = 0; i < c->signalCount; ++i) {
    needed[i] = needed[i] || crHasState(c->signals[i].kind) || c->signals[i].kind == cr_signalSampled;
  }
  markInputs(c, needed);
}

// What is only recorded waits for the report: an energy of a thousand bodies would cost as much as their motion.
static crStatus delayUnneeded(crCompilation* c)
{
  bool* needed;
  if (!crNew(c, needed, c->signalCount)) {
    return cr_errorMemory;
  }
  markNeeded(c, needed);
  for (int i = 0; i < c->signalCount; ++i) {
    c->signals[i].level = needed[i] ? c->signals[i].level : cr_levelAcceleration;
  }
  return cr_ok;
}

crStatus crResolveSignals(crCompilation* c)
{
  if (!crNew(c, c->signals, c->signalCount) || !crNew(c, c->signalStarts, c->signalCount) ||
      !crNew(c, c->jointDrives, c->jointCount) || !crNew(c, c->jointMotions, c->jointCount) ||
      !crNew(c, c->forceSignals, c->forceCount)) {
    return cr_errorMemory;
  }
  crStatus status = reserveLists(c);
  int before = c->errorCount;
  for (int i = 0; i < c->signalCount && status == cr_ok; ++i) {
    status = fillSignal(c, i);
  }
  if (status != cr_ok) {
    return status;
  }
  resolveDrives(c);
  status = orderSignals(c);
  if (status != cr_ok || c->errorCount > before || hasBrokenInputs(c)) {
    return status;
  }
  crSignalLists lists = { c->signalPieces, c->signalInputs, c->signalFactors };
  for (int k = 0; k < c->signalCount; ++k) { // inputs first
    int signal = c->signalOrder[k];
    if (c->signals[signal].kind == cr_signalPick) {
      resolvePick(c, signal);
    }
    c->signals[signal].hasDerivatives = hasDerivatives(c, signal);
    c->signals[signal].level = findLevelOfAll(c, signal);
    c->signalStarts[signal] = crComputeSignal(&c->signals[signal], lists, c->signalStarts, 0.0, 0.0);
  }
  checkMotions(c);
  checkDrives(c);
  checkStates(c);
  status = delayUnneeded(c);
  return status == cr_ok ? listEvents(c) : status;
}

// --------------------------------------------------------------------------------------------- dump

void crDumpSignals(const crCompilation* c, crDump* dump)
{
  crDump_Print(dump, "signals %d, time events %d\n", c->signalCount, c->eventCount);
  for (int k = 0; k < c->signalCount; ++k) {
    const crSignal* signal = &c->signals[c->signalOrder[k]];
    crDump_Print(dump, "  %s %s, pieces %d, %s derivatives", c->signalDefs[c->signalOrder[k]]->name,
                 crSignalKindText(signal->kind), signal->pieceCount, signal->hasDerivatives ? "two" : "no");
    for (int i = 0; i < signal->inputCount; ++i) {
      int input = inputsOf(c, signal)[i];
      crDump_Print(dump, "%s%s", i > 0 ? ", " : ", of ", input >= 0 ? c->signalDefs[input]->name : "?");
    }
    crDump_Print(dump, "\n");
  }
  for (int i = 0; i < c->jointCount; ++i) {
    int signal = c->jointDrives[i] >= 0 ? c->jointDrives[i] : c->jointMotions[i];
    if (signal >= 0) {
      crDump_Print(dump, "  joint %s %s %s\n", c->jointDefs[i]->name,
                   c->jointDrives[i] >= 0 ? "driven by" : "moves with", c->signalDefs[signal]->name);
    }
  }
}
