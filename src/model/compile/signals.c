// Pass 2, signals: names become indices, inputs come first, shapes become polynomials.
//
// A cubic table is a spline with slopes m_i that are zero at its ends: with h the lengths of the intervals and d their
// slopes, two continuous derivatives at the inner knots mean
//
//   m_i-1 / h_i-1 + 2 (1 / h_i-1 + 1 / h_i) m_i + m_i+1 / h_i = 3 (d_i-1 / h_i-1 + d_i / h_i)
//
// Paths and splines of other signals are made in motion_path.c.
#include "model/compile/compile.h"
#include "scene/scene.h"

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
void crAddPiece(crCompilation* c, double start, const double coefficients[4])
{
  crPiece piece = { .start = start };
  memcpy(piece.c, coefficients, sizeof piece.c);
  c->signalPieces[c->pieceCount++] = piece;
}

static void addPiece(crCompilation* c, double start, double c0, double c1, double c2, double c3)
{
  crAddPiece(c, start, (double[4]){ c0, c1, c2, c3 });
}

static void fillTrapezoid(crCompilation* c, const crSignalDef* def)
{
  double start = def->as.trapezoid.start, height = def->as.trapezoid.height, offset = def->as.trapezoid.offset;
  double rise = def->as.trapezoid.rise, fall = def->as.trapezoid.fall;
  double top = start + rise, end = top + def->as.trapezoid.hold;
  addPiece(c, 0.0, offset, 0.0, 0.0, 0.0);
  if (rise > 0.0) {
    addPiece(c, start, offset, height / rise, 0.0, 0.0);
  }
  addPiece(c, top, offset + height, 0.0, 0.0, 0.0);
  if (fall > 0.0) {
    addPiece(c, end, offset + height, -height / fall, 0.0, 0.0);
  }
  addPiece(c, end + fall, offset, 0.0, 0.0, 0.0);
}

static void fillRamp(crCompilation* c, const crSignalDef* def)
{
  double start = def->as.ramp.start, duration = def->as.ramp.duration;
  double height = def->as.ramp.height, offset = def->as.ramp.offset;
  addPiece(c, 0.0, offset, 0.0, 0.0, 0.0);
  addPiece(c, start, offset, height / duration, 0.0, 0.0);
  addPiece(c, start + duration, offset + height, 0.0, 0.0, 0.0);
}

static void fillStep(crCompilation* c, const crSignalDef* def)
{
  addPiece(c, 0.0, def->as.step.offset, 0.0, 0.0, 0.0);
  addPiece(c, def->as.step.start, def->as.step.offset + def->as.step.height, 0.0, 0.0, 0.0);
}

// Elimination from the left, substitution from the right; both end slopes are zero. slopes: (count), scratch: (count)
static void computeSlopes(const crSignalDef* def, double* slopes, double* scratch)
{
  int last = def->as.timeTable.timeCount - 1;
  const double *x = def->as.timeTable.times, *y = def->as.timeTable.values;
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
  bool isCubic = def->as.timeTable.interpolation == cr_interpolationCubic;
  int count = def->as.timeTable.timeCount, last = count - 1;
  const double *times = def->as.timeTable.times, *values = def->as.timeTable.values;
  double *slopes, *scratch;
  if (!crNew(c, slopes, count) || !crNew(c, scratch, count)) {
    return false;
  }
  if (isCubic) {
    computeSlopes(def, slopes, scratch);
  }
  addPiece(c, 0.0, values[0], 0.0, 0.0, 0.0);
  for (int i = 0; i < last; ++i) {
    double h = times[i + 1] - times[i], d = (values[i + 1] - values[i]) / h;
    double m0 = isCubic ? slopes[i] : d, m1 = isCubic ? slopes[i + 1] : d;
    addPiece(c, times[i], values[i], m0, isCubic ? (3.0 * d - 2.0 * m0 - m1) / h : 0.0,
             isCubic ? (m0 + m1 - 2.0 * d) / (h * h) : 0.0);
  }
  addPiece(c, times[last], values[last], 0.0, 0.0, 0.0);
  return true;
}

// More than any shape of the kind needs.
static int64_t boundPieces(const crSignalDef* def)
{
  switch (def->kind) {
    case cr_signalTimeTable: return (int64_t)def->as.timeTable.timeCount + 1;
    case cr_signalPath: return 8 * (int64_t)def->as.path.valueCount + 1;
    case cr_signalSpline: return (int64_t)def->as.spline.pointCount + 1;
    default: return 5;
  }
}

// The signals that a signal reads, and what it calls them.
typedef struct Inputs {
  const char* one;             // the only one
  const char* const* several;  // or several,
  const crArgument* arguments; // or those of a function
  const char* what;            // "input"; NULL: what the function calls it
  const double* factors;       // of a sum; NULL: 1 for all
  int count;
} Inputs;

static Inputs findInputs(const crSceneSignal* signal)
{
  const crSignalDef* def = &signal->def;
  const crFunctionSource* source = &signal->functionSource;
  switch (def->kind) {
    case cr_signalLimit: return (Inputs){ .one = def->as.limit.input, .what = "input", .count = 1 };
    case cr_signalSpline: return (Inputs){ .one = def->as.spline.input, .what = "input", .count = 1 };
    case cr_signalServo: return (Inputs){ .one = def->as.servo.input, .what = "input", .count = 1 };
    case cr_signalDcMotor: return (Inputs){ .one = def->as.dcMotor.input, .what = "input", .count = 1 };
    case cr_signalOutput: return (Inputs){ .one = def->as.output.signal, .what = "signal", .count = 1 };
    case cr_signalPick: return (Inputs){ .one = def->as.pick.signal, .what = "signal", .count = 1 };
    case cr_signalSum:
      return (Inputs){ .several = def->as.sum.inputs,
                       .what = "inputs",
                       .factors = def->as.sum.factorCount > 0 ? def->as.sum.factors : NULL,
                       .count = def->as.sum.inputCount };
    case cr_signalProduct:
      return (Inputs){ .several = def->as.product.inputs, .what = "inputs", .count = def->as.product.inputCount };
    case cr_signalFunction:
    case cr_signalSampled:
    case cr_signalFmu:
      return (Inputs){ .arguments = source->arguments, .what = "inputs", .count = source->argumentCount };
    case cr_signalPid: return (Inputs){ .arguments = source->arguments, .count = source->argumentCount };
    default: return (Inputs){ .count = 0 };
  }
}

// Room for the pieces and inputs of all signals.
static crStatus reserveLists(crCompilation* c)
{
  int64_t pieces = 0, inputs = 0;
  for (int i = 0; i < c->signalCount; ++i) {
    pieces += boundPieces(c->signalDefs[i]);
    inputs += findInputs(&c->scene->signals.items[i]).count;
  }
  if (pieces > INT32_MAX || inputs > INT32_MAX) {
    return cr_errorLimit;
  }
  return crNew(c, c->signalPieces, pieces) && crNew(c, c->signalInputs, inputs) && crNew(c, c->signalFactors, inputs)
             ? cr_ok
             : cr_errorMemory;
}

static crStatus fillPieces(crCompilation* c, int index)
{
  const crSignalDef* def = c->signalDefs[index];
  crSignal* signal = &c->signals[index];
  crStatus status = cr_ok;
  signal->pieceStart = c->pieceCount;
  switch (def->kind) {
    case cr_signalConstant: addPiece(c, 0.0, def->as.constant.value, 0.0, 0.0, 0.0); break;
    case cr_signalRamp: fillRamp(c, def); break;
    case cr_signalStep: fillStep(c, def); break;
    case cr_signalTrapezoid: fillTrapezoid(c, def); break;
    case cr_signalTimeTable: status = fillTable(c, def) ? cr_ok : cr_errorMemory; break;
    case cr_signalPath: crFillPath(c, index); break;
    case cr_signalSpline: status = crFillSpline(c, def) ? cr_ok : cr_errorMemory; break;
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

static int resolveObject(crCompilation* c, int index, const char* what, const char* name)
{
  return resolveOptional(c, cr_elementObject, index, what, name);
}

static int resolveJoint(crCompilation* c, int index, const char* name)
{
  return resolveOptional(c, cr_elementJoint, index, "joint", name);
}

// An object that has something to be met; none for no name.
static int resolveSolid(crCompilation* c, int index, const char* what, const char* name)
{
  int object = resolveObject(c, index, what, name);
  bool hasSolid = object < 0;
  for (int k = 0; object >= 0 && k < c->objectDefs[object]->featureCount; ++k) {
    const crFeatureDef* feature = &c->objectDefs[object]->features[k];
    hasSolid = hasSolid || (feature->kind == cr_featureSolid && feature->as.solid.contact != NULL);
  }
  if (!hasSolid || (object >= 0 && c->objectDefs[object]->neverCollides)) {
    crComplaint rest = { .found = name, .allowed = "an object with a solid that has a contact material" };
    crCompilation_Report(c, cr_severityError, addressOf(c, index), &rest, "%s has nothing that could be met", what);
    return CR_BROKEN;
  }
  return object;
}

static void fillRay(crSignal* signal, const crSignalDef* def)
{
  crVec3 x = { 1.0, 0.0, 0.0 }, direction = def->as.raySensor.direction;
  direction = crMaxAbs(direction) > 0.0 ? crNormalize(direction) : x;
  signal->gains[0] = direction.x;
  signal->gains[1] = direction.y;
  signal->gains[2] = direction.z;
  signal->max = def->as.raySensor.range;
}

// What it measures has to be there. Its first joint says which trees it reads.
static void resolveCoupling(crCompilation* c, int index, crSignal* signal)
{
  const crSignalDef* def = c->signalDefs[index];
  signal->quantity = (int)def->as.couplingSensor.quantity;
  int found = resolveOptional(c, cr_elementCoupling, index, "coupling", def->as.couplingSensor.coupling);
  if (found < 0) {
    return;
  }
  const crCouplingDef* coupling = c->couplingDefs[found];
  bool isMotor = coupling->kind == cr_couplingMotor, isRigid = true;
  for (int k = 0; k < c->couplingCount; ++k) {
    if (c->couplingOrder[k] == found) {
      signal->coupling = k;
      isRigid = k < c->rigidCount;
    }
  }
  bool isThere = signal->quantity == cr_couplingForce || (signal->quantity == cr_couplingCurrent) == isMotor;
  if (!isThere || (signal->quantity == cr_couplingDeflection && isRigid)) {
    crCompilation_Report(c, cr_severityError, addressOf(c, index), NULL, "'%s' has no %s", coupling->name,
                         signal->quantity == cr_couplingCurrent ? "current: it is no motor" : "deflection");
  }
  signal->readsState = signal->quantity == cr_couplingCurrent
                           ? coupling->as.motor.inductance > 0.0
                           : signal->quantity == cr_couplingDeflection && coupling->kind >= cr_couplingClutch;
  signal->joint = c->termJoints[c->couplingStarts[found]];
}

// Indices are those of the scene here, but of couplings; pack turns them into those of the model.
static void resolveSensor(crCompilation* c, int index)
{
  const crSignalDef* def = c->signalDefs[index];
  crSignal* signal = &c->signals[index];
  signal->objectA = signal->objectB = signal->frame = signal->joint = signal->coupling = CR_NONE;
  switch (def->kind) {
    case cr_signalFrameSensor:
      signal->objectA = resolveObject(c, index, "objectA", def->as.frameSensor.objectA);
      signal->objectB = resolveObject(c, index, "objectB", def->as.frameSensor.objectB);
      signal->frame = resolveObject(c, index, "frame", def->as.frameSensor.frame);
      signal->quantity = (int)def->as.frameSensor.quantity;
      signal->component = def->as.frameSensor.component;
      break;
    case cr_signalJointSensor:
      signal->joint = resolveJoint(c, index, def->as.jointSensor.joint);
      signal->quantity = (int)def->as.jointSensor.quantity;
      signal->degree = def->as.jointSensor.degree - 1;
      break;
    case cr_signalReactionSensor:
      signal->frame = resolveObject(c, index, "frame", def->as.reactionSensor.frame);
      signal->joint = resolveJoint(c, index, def->as.reactionSensor.joint);
      signal->quantity = (int)def->as.reactionSensor.quantity;
      signal->component = def->as.reactionSensor.component;
      break;
    case cr_signalSubtreeSensor:
      signal->objectA = resolveObject(c, index, "object", def->as.subtreeSensor.object);
      signal->frame = resolveObject(c, index, "frame", def->as.subtreeSensor.frame);
      signal->quantity = (int)def->as.subtreeSensor.quantity;
      signal->component = def->as.subtreeSensor.component;
      break;
    case cr_signalContactSensor:
      signal->objectA = resolveObject(c, index, "object", def->as.contactSensor.object);
      signal->objectB = resolveObject(c, index, "other", def->as.contactSensor.other);
      signal->frame = resolveObject(c, index, "frame", def->as.contactSensor.frame);
      signal->quantity = (int)def->as.contactSensor.quantity;
      signal->component = def->as.contactSensor.component;
      break;
    case cr_signalDistanceSensor:
      signal->objectA = resolveSolid(c, index, "objectA", def->as.distanceSensor.objectA);
      signal->objectB = resolveSolid(c, index, "objectB", def->as.distanceSensor.objectB);
      signal->frame = resolveObject(c, index, "frame", def->as.distanceSensor.frame);
      signal->quantity = (int)def->as.distanceSensor.quantity;
      signal->component = def->as.distanceSensor.component;
      break;
    case cr_signalRaySensor:
      signal->objectA = resolveObject(c, index, "object", def->as.raySensor.object);
      signal->objectB = resolveSolid(c, index, "other", def->as.raySensor.other);
      signal->frame = resolveObject(c, index, "frame", def->as.raySensor.frame);
      signal->quantity = (int)def->as.raySensor.quantity;
      signal->component = def->as.raySensor.component;
      fillRay(signal, def);
      break;
    case cr_signalImu:
      signal->objectA = resolveObject(c, index, "object", def->as.imu.object);
      signal->quantity = (int)def->as.imu.quantity;
      signal->component = def->as.imu.component;
      break;
    case cr_signalCouplingSensor: resolveCoupling(c, index, signal); break;
    case cr_signalServo: signal->joint = resolveJoint(c, index, def->as.servo.joint); break;
    case cr_signalDcMotor: signal->joint = resolveJoint(c, index, def->as.dcMotor.joint); break;
    default: break;
  }
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
                       (signal->kind == cr_signalImu && signal->quantity == cr_imuSpecificForce) ||
                       (signal->kind == cr_signalCouplingSensor && !signal->readsState) ||
                       signal->kind == cr_signalReactionSensor || signal->kind == cr_signalContactSensor;
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
      crCompilation_Report(
          c, cr_severityError, addressOf(c, i), NULL,
          "the input depends on accelerations, reactions or contacts, which may depend on this signal");
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
                           "the drive depends on accelerations, reactions or contacts, which depend on the drive");
    }
  }
  for (int i = 0; i < c->forceCount; ++i) {
    int signal = c->forceSignals[i];
    if (signal >= 0 && c->signals[signal].level == cr_levelAcceleration) {
      crAddress address = { c->forceDefs[i]->source, c->forceDefs[i]->name };
      crComplaint rest = { .found = c->signalDefs[signal]->name,
                           .hint = "sample it: what a sampled function returns is held and known" };
      crCompilation_Report(c, cr_severityError, address, &rest,
                           "the force depends on accelerations, reactions or contacts, which depend on the force");
    }
  }
  for (int i = 0; i < c->couplingCount; ++i) {
    int signal = c->couplingSignals[i];
    if (signal >= 0 && c->signals[signal].level == cr_levelAcceleration) {
      crAddress address = { c->couplingDefs[i]->source, c->couplingDefs[i]->name };
      crComplaint rest = { .found = c->signalDefs[signal]->name,
                           .hint = "sample it: what a sampled function returns is held and known" };
      crCompilation_Report(c, cr_severityError, address, &rest,
                           "the %s depends on accelerations, reactions or contacts, which depend on it",
                           crCouplingKind_GetText(c->couplingDefs[i]->kind));
    }
  }
}

// ------------------------------------------------------------------------------------------- resolving

static void resolveInputs(crCompilation* c, int index)
{
  crSignal* signal = &c->signals[index];
  Inputs inputs = findInputs(&c->scene->signals.items[index]);
  signal->inputStart = c->signalInputCount;
  signal->inputCount = inputs.count;
  c->signalInputCount += inputs.count;
  for (int i = 0; i < inputs.count; ++i) {
    const crArgument* argument = inputs.arguments != NULL ? &inputs.arguments[i] : NULL;
    const char* name = argument != NULL ? argument->signal : inputs.several != NULL ? inputs.several[i] : inputs.one;
    const char* what = argument != NULL && inputs.what == NULL ? argument->name : inputs.what;
    int place = signal->inputStart + i;
    c->signalInputs[place] = crResolveElement(c, cr_elementSignal, addressOf(c, index), what, name);
    c->signalFactors[place] = inputs.factors != NULL ? inputs.factors[i] : 1.0;
  }
}

// The gear of a motor is that of its joint.
static void fillGains(const crCompilation* c, crSignal* signal, const crSignalDef* def)
{
  signal->state = CR_NONE;
  if (def->kind == cr_signalServo) {
    const double gains[3] = { def->as.servo.positionGain, def->as.servo.velocityGain,
                              1.0 / def->as.servo.integralTime };
    memcpy(signal->gains, gains, sizeof gains);
  } else if (def->kind == cr_signalDcMotor && signal->joint >= 0) {
    double gear = c->jointDefs[signal->joint]->law.gearRatio[0], inductance = def->as.dcMotor.inductance;
    const double gains[3] = { def->as.dcMotor.resistance / inductance, 1.0 / inductance,
                              def->as.dcMotor.torqueConstant * gear };
    memcpy(signal->gains, gains, sizeof gains);
  }
}

static void fillSampled(crCompilation* c, crSignal* signal, const crSceneSignal* source)
{
  const crSignalDef* def = &source->def;
  bool isPid = def->kind == cr_signalPid, isFmu = def->kind == cr_signalFmu;
  signal->start = isPid ? def->as.pid.value : isFmu ? def->as.fmu.value : def->as.sampled.value;
  signal->firstTick = isPid ? def->as.pid.start : isFmu ? def->as.fmu.start : def->as.sampled.start;
  signal->period = source->functionSource.period;
  signal->stateCount = source->functionSource.stateCount;
  signal->discrete = c->discreteCount;
  c->discreteCount += 1 + signal->stateCount;
  ++c->sampledCount;
}

// Numbers of inputs, outputs and functions, and the places of what sampled functions keep.
static void fillPort(crCompilation* c, crSignal* signal, const crSceneSignal* source)
{
  const crSignalDef* def = &source->def;
  bool isInput = def->kind == cr_signalInput, isOutput = def->kind == cr_signalOutput;
  signal->nominal = isInput ? def->as.input.nominal : 1.0;
  signal->start = isInput ? def->as.input.start : 0.0;
  signal->port = isInput ? c->inputCount++ : isOutput ? c->outputCount++ : CR_NONE;
  signal->function = crIsFunction(def->kind) ? c->functionCount++ : CR_NONE;
  signal->discrete = CR_NONE;
  if (crIsSampled(def->kind)) {
    fillSampled(c, signal, source);
  }
}

static crStatus fillSignal(crCompilation* c, int index)
{
  const crSignalDef* def = c->signalDefs[index];
  crSignal* signal = &c->signals[index];
  signal->kind = def->kind;
  if (def->kind == cr_signalSine) {
    signal->amplitude = def->as.sine.amplitude;
    signal->omega = 2.0 * CR_PI * def->as.sine.frequency;
    signal->phase = def->as.sine.phase;
    signal->offset = def->as.sine.offset;
  } else if (def->kind == cr_signalLimit) {
    signal->min = def->as.limit.min;
    signal->max = def->as.limit.max;
  }
  resolveSensor(c, index);
  checkJointOfSensor(c, index);
  fillGains(c, signal, def);
  fillPort(c, signal, &c->scene->signals.items[index]);
  resolveInputs(c, index);
  return fillPieces(c, index);
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
    const char* name = def->kind == cr_forceSpringDamper ? def->as.springDamper.tension
                       : def->kind == cr_forceForce      ? def->as.force.factor
                       : def->kind == cr_forceTorque     ? def->as.torque.factor
                                                         : NULL;
    c->forceSignals[i] = name != NULL ? crResolveElement(c, cr_elementSignal, address, what, name) : CR_NONE;
  }
  for (int i = 0; i < c->couplingCount; ++i) {
    const crCouplingDef* def = c->couplingDefs[i];
    const char* what = def->kind == cr_couplingMotor ? "voltage" : "engagement";
    crAddress address = { def->source, def->name };
    const char* name = def->kind == cr_couplingMotor    ? def->as.motor.voltage
                       : def->kind == cr_couplingClutch ? def->as.clutch.law.engagement
                       : def->kind == cr_couplingBrake  ? def->as.brake.law.engagement
                                                        : NULL;
    c->couplingSignals[i] = name != NULL ? crResolveElement(c, cr_elementSignal, address, what, name) : CR_NONE;
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
             def->kind == cr_signalSpline || def->kind == cr_signalSum || def->kind == cr_signalProduct ||
             def->kind == cr_signalOutput ||
             (def->kind == cr_signalTimeTable && def->as.timeTable.interpolation == cr_interpolationCubic);
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
                               "a signal with two derivatives: constant, sine, path, cubic timeTable, their sums, "
                               "products and splines",
                           .hint = "a path or a cubic timeTable goes from value to value smoothly" };
      crCompilation_Report(c, cr_severityError, crAddressOfEdge(c, i), &rest,
                           "motion needs a velocity and an acceleration, which the %s '%s' does not have",
                           crSignalKind_GetText(culprit->kind), culprit->name);
    }
  }
}

// -------------------------------------------------------------------------------------------- picking

// The name of state i of a signal; NULL: there are no more.
static const char* nameState(const crSceneSignal* signal, int i)
{
  crSignalKind kind = signal->def.kind;
  if (crIsSampled(kind)) {
    return i < signal->functionSource.stateCount ? signal->functionSource.states[i].name : NULL;
  }
  return i > 0 || !crHasState(kind) ? NULL : kind == cr_signalDcMotor ? "current" : "integral";
}

// Variables have different names: a signal called "energy" has no state that is called like an energy of the whole.
static void checkStateNames(crCompilation* c, int index)
{
  const crSceneSignal* signal = &c->scene->signals.items[index];
  const char* name = strcmp(signal->def.name, CR_ENERGY_PATH) == 0 ? nameState(signal, 0) : NULL;
  for (int i = 0; name != NULL; name = nameState(signal, ++i)) {
    for (int k = 0; k < CR_ENERGY_VARIABLES; ++k) {
      if (strcmp(name, crGetEnergyName((crEnergyVariable)k)) == 0) {
        crComplaint rest = { .found = name, .hint = "call the signal or its state otherwise" };
        crCompilation_Report(c, cr_severityError, addressOf(c, index), &rest,
                             "a state has the name of an energy of the whole model, " CR_ENERGY_PATH ".%s", name);
      }
    }
  }
}

static void resolvePick(crCompilation* c, int index)
{
  const char* state = c->signalDefs[index]->as.pick.state;
  const crSceneSignal* target = &c->scene->signals.items[inputsOf(c, &c->signals[index])[0]];
  crNearest nearest = crMakeNearest(state);
  const char* name = nameState(target, 0);
  for (int i = 0; name != NULL; name = nameState(target, ++i)) {
    if (strcmp(name, state) == 0) {
      c->signals[index].quantity = i;
      return;
    }
    crNearest_Try(&nearest, name);
  }
  char hint[CR_MAX_PATH + 32];
  snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best != NULL ? nearest.best : "");
  crComplaint rest = { .found = state, .hint = nearest.best != NULL ? hint : NULL };
  crCompilation_Report(c, cr_severityError, addressOf(c, index), &rest, "the %s '%s' has no such state",
                       crSignalKind_GetText(target->def.kind), target->def.name);
}

// --------------------------------------------------------------------------------------------- events

static int compareTimes(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

// The pieces of a spline begin at values of its input.
static bool hasTimes(const crSignal* signal)
{
  return signal->pieceCount > 0 && signal->kind != cr_signalSpline;
}

static crStatus listEvents(crCompilation* c)
{
  int64_t count = 0;
  for (int i = 0; i < c->signalCount; ++i) {
    count += hasTimes(&c->signals[i]) ? c->signals[i].pieceCount - 1 : 0;
  }
  if (count > INT32_MAX) {
    return cr_errorLimit;
  }
  if (!crNew(c, c->eventTimes, count)) {
    return cr_errorMemory;
  }
  int placed = 0;
  for (int i = 0; i < c->signalCount; ++i) {
    for (int k = 1; hasTimes(&c->signals[i]) && k < c->signals[i].pieceCount; ++k) {
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
  for (int i = 0; i < c->couplingCount; ++i) {
    if (c->couplingSignals[i] >= 0) {
      needed[c->couplingSignals[i]] = true;
    }
  }
  for (int i = 0; i < c->signalCount; ++i) {
    crSignalKind kind = c->signals[i].kind;
    needed[i] = needed[i] || crHasState(kind) || kind == cr_signalSampled || kind == cr_signalFmu;
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
      !crNew(c, c->forceSignals, c->forceCount) || !crNew(c, c->couplingSignals, c->couplingCount)) {
    return cr_errorMemory;
  }
  crStatus status = reserveLists(c);
  status = status == cr_ok ? crGroupPaths(c) : status;
  int before = c->errorCount;
  for (int i = 0; i < c->signalCount && status == cr_ok; ++i) {
    status = fillSignal(c, i);
    checkStateNames(c, i);
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
                 crSignalKind_GetText(signal->kind), signal->pieceCount, signal->hasDerivatives ? "two" : "no");
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
