// Signals: blocks that compute one number each at any time, what drives joints and forces and what is measured.
#ifndef CAROM_SIGNAL_H
#define CAROM_SIGNAL_H

#include "carom/base.h"
#include "carom/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// A signal may also have two derivatives; those that have can prescribe the motion of a joint.
typedef enum crSignalKind {
  cr_signalConstant,  // value
  cr_signalSine,      // offset + amplitude sin(2 pi frequency t + phase)
  cr_signalRamp,      // offset until start, then to offset + height in a straight line of this duration
  cr_signalStep,      // offset before start, offset + height from then on
  cr_signalTrapezoid, // offset until start, up to offset + height in `rise`, there for `hold`, back in `fall`
  cr_signalTimeTable, // through (times, values); before and behind it the end values
  cr_signalPath,      // from value to value, at rest at each, in the shortest time that the limits allow
  cr_signalSpline,    // a smooth function of its input through (points, values), straight beyond them
  cr_signalSum,       // sum of factors x inputs
  cr_signalProduct,   // product of the inputs
  cr_signalLimit,     // the input, kept between min and max
  // Two that have a state x, which starts at 0 and is integrated with the motion. q and v are coordinate and rate of a
  // joint with one degree of freedom, r is the input:
  cr_signalServo,          // velocityGain (e + x), e = positionGain (r - q) - v, x' = e / integralTime
  cr_signalDcMotor,        // torque n k x of a motor behind the joint's gear n: L x' = r - R x - k n v, x the current
  cr_signalFrameSensor,    // how objectB is placed and moves relative to objectA, in the axes of frame
  cr_signalJointSensor,    // a coordinate of a joint and its derivatives
  cr_signalReactionSensor, // what a joint transmits from its objectA to its objectB, about the origin of objectB
  cr_signalSubtreeSensor,  // energy or momentum of the body of an object and all that it carries
  cr_signalContactSensor,  // what all contacts of an object's own solids, or those with another object, do to it
  cr_signalDistanceSensor, // how far the solids of two objects are apart
  cr_signalRaySensor,      // what a ray from an object meets first
  cr_signalImu,            // what an inertial measurement unit in an object feels, in its axes
  cr_signalCouplingSensor, // what a coupling transmits, how far it gives way, the current of a motor
  cr_signalInput,          // what was set from outside last; `value` at the start
  cr_signalOutput,         // its input, under a name that is known outside
  cr_signalFunction,       // what a function of other signals and of time returns
  cr_signalSampled,        // likewise, called at the times start + k period and held between, with states of its own;
                           // `value` before the first call
  cr_signalPick,           // a state of its input, which is a sampled function, a servo or a motor
  // A digital controller, called as a sampled function is: with r the reference, m the input, T the period,
  //   value = kp (r - m) + i + d,  i += ki T (r - m) unless the value is at a limit,  d = (Tf d - kd m') / (Tf + T),
  // m' being the change of m since the last call, and 0 at the first one. States: integral i, derivative d, last m.
  cr_signalPid,
  cr_signalFmu, // an FMU for Co-Simulation, code of others, that goes on by one period at every call; its first output
  cr_signalKindCount
} crSignalKind;

CR_API const char* crSignalKind_GetText(crSignalKind kind); // "constant", "sine", ...

typedef enum crInterpolation {
  cr_interpolationLinear, // straight lines: no derivatives
  cr_interpolationCubic,  // spline with two continuous derivatives, at rest at both ends
} crInterpolation;

// The force of which joints get their factors. Deflections are of couplings that give way, clutches and brakes;
// currents of motors.
typedef enum crCouplingQuantity { cr_couplingForce, cr_couplingDeflection, cr_couplingCurrent } crCouplingQuantity;

// Of solids with a contact material. A normal is that of the nearest points from A to B, or out of what a ray meets.
typedef enum crDistanceQuantity { cr_distanceDistance, cr_distanceNormal } crDistanceQuantity; // [m] < 0: they overlap
typedef enum crRayQuantity {
  cr_rayDistance, // [m] from the object's origin; the range where it meets nothing
  cr_rayNormal,   // against the ray where it meets nothing
  cr_rayObject,   // number of the object in the order of the first scene of a run, from 1; 0: none
} crRayQuantity;
typedef enum crImuQuantity {
  cr_imuSpecificForce,   // [m/s^2] acceleration less that of gravity: at rest that against gravity
  cr_imuAngularVelocity, // [rad/s]
} crImuQuantity;

// What sensors measure. Velocities and accelerations are differences of those in the world, not derivatives as seen
// from a moving frame. angle: rotation of B in A, about x, then the new y, then the new z.
typedef enum crFrameQuantity {
  cr_frameDistance, // [m] of the origins
  cr_framePosition, // [m]
  cr_frameVelocity, // [m/s]
  cr_frameAcceleration,
  cr_frameAngle,           // [rad]
  cr_frameAngularVelocity, // [rad/s]
  cr_frameAngularAcceleration,
  cr_frameDistanceRate, // [m/s] derivative of the distance
} crFrameQuantity;
typedef enum crJointQuantity { cr_jointPosition, cr_jointRate, cr_jointAcceleration } crJointQuantity;
typedef enum crReactionQuantity { cr_reactionForce, cr_reactionTorque } crReactionQuantity; // [N], [N m]
typedef enum crSubtreeQuantity {
  cr_subtreeEnergy,          // [J] kinetic and potential
  cr_subtreeKineticEnergy,   // [J]
  cr_subtreePotentialEnergy, // [J] of gravity, joints, and forces inside it or to the world
  cr_subtreeMomentum,        // [N s]
  cr_subtreeAngularMomentum, // [N m s] about the origin of the world
} crSubtreeQuantity;
// Of the contacts of an object, as sums; 0 while nothing touches it.
typedef enum crContactQuantity {
  cr_contactForce,       // [N] on the object
  cr_contactTorque,      // [N m] on the object about its origin
  cr_contactNormalForce, // [N] normal forces, added up whatever their directions
  cr_contactArea,        // [m^2] of those that touch by area
  cr_contactPressure,    // [N/m^2] the largest of those
  cr_contactDepth,       // [m] the largest
} crContactQuantity;
typedef enum crComponent { cr_componentX, cr_componentY, cr_componentZ } crComponent;

// An argument of a function: the signal, and what its code calls it.
typedef struct crArgument {
  const char* name;   // an identifier; NULL for a function in C
  const char* signal; // path
} crArgument;

typedef struct crNamedNumber {
  const char* name;
  double value;
} crNamedNumber;

// What a function is made from.
typedef struct crFunctionSource {
  const char* path; // of the signal
  crSource source;
  const char* code; // NULL: none; of an FMU the hash of its file
  const char* file; // of an FMU: where it is; else NULL
  const crArgument* arguments;
  int argumentCount;
  const crNamedNumber* constants; // by which the code knows numbers of the model
  int constantCount;
  const crNamedNumber* states; // start values
  int stateCount;
  double period; // [s] of a sampled one, else 0
} crFunctionSource;

// A function that models call while they run. The result must depend on the arguments and states alone, or steps that a
// solver takes again come out differently.
typedef struct crFunction {
  // arguments: values in the order of the def; states: of a sampled function, to be replaced by the new ones. cr_retry:
  // not defined here, the solver takes a smaller step; < 0 ends the run.
  crStatus (*call)(void* caller, double t, const double* arguments, double* states, double* outValue);
  void* context;
  // Every instance makes a caller of its own. NULL: `context` is the caller of all, in whatever thread they are.
  crStatus (*create)(void* context, const crFunctionSource* source, const crAllocator* allocator,
                     const crErrorSink* sink, void** outCaller);
  void (*destroy)(void* caller);
  const char* (*explain)(const void* caller); // why the last call failed; NULL: it does not say
  // Before a simulation begins, so that what is missing is told before anything moves. cr_retry: it is not allowed to
  // run here, which is told as an error; a check of the start does without. NULL: nothing to be done.
  crStatus (*start)(void* caller, const crErrorSink* sink);
  // Of callers that remember more than their states, for checkpoints: how many numbers, what they are, taking them. A
  // call with states of an earlier time goes back to what was then. NULL, all three: states are all.
  int64_t (*countMemory)(const void* caller);
  void (*getMemory)(const void* caller, double* outNumbers);
  crStatus (*setMemory)(void* caller, const double* numbers, int64_t count);
} crFunction;

// What each kind has stands in the member of `as` that has the name of the kind. Names of signals, objects and joints
// are paths. Units: those of what the signal is used for where none is given.
typedef struct crSignalDef {
  size_t size;
  const char* name;
  crSource source;
  crSignalKind kind;
  union {
    struct {
      double value;
    } constant;
    struct {
      double amplitude;
      double frequency; // [Hz]
      double phase;     // [rad]
      double offset;
    } sine;
    struct {
      double height;
      double duration; // [s] > 0
      double start;    // [s]
      double offset;
    } ramp;
    struct {
      double height;
      double start; // [s]
      double offset;
    } step;
    struct {
      double height;
      double rise, hold, fall; // [s] >= 0
      double start;            // [s]
      double offset;
    } trapezoid;
    struct {
      const double* times; // [s] (timeCount) ascending, two or more
      int timeCount;
      const double* values; // (valueCount) as many as times
      int valueCount;
      crInterpolation interpolation;
    } timeTable;
    struct {
      const double* values; // (valueCount) one or more
      int valueCount;
      double maxVelocity, maxAcceleration; // [1/s], [1/s^2] > 0: limits of its derivatives
      double maxJerk;                      // [1/s^3] > 0, likewise; 0: none
      double start;                        // [s]
      // (syncCount) paths with as many values and the same start: every leg of all takes the time that the slowest
      // needs. Those that these name belong to it, too
      const char* const* sync;
      int syncCount;
    } path;
    struct {
      const char* input;
      const double* points; // (pointCount) of the input, ascending, two or more
      int pointCount;
      const double* values; // (valueCount) as many
      int valueCount;
    } spline;
    struct {
      const char* const* inputs; // (inputCount) one or more
      int inputCount;
      const double* factors; // (factorCount) one per input; none: 1 for all
      int factorCount;
    } sum;
    struct {
      const char* const* inputs; // (inputCount) one or more
      int inputCount;
    } product;
    struct {
      const char* input;
      double min, max; // min < max; -CR_NO_LIMIT, CR_NO_LIMIT: none on that side; both 0: none
    } limit;
    struct {
      const char* input;
      const char* joint;
      double positionGain; // [1/s] > 0
      double velocityGain; // [force per rate] > 0
      double integralTime; // [s] > 0
    } servo;
    struct {
      const char* input; // [V]
      const char* joint;
      double resistance;     // R [Ohm] >= 0
      double inductance;     // L [H] > 0
      double torqueConstant; // k [N m/A] = [V s/rad]
    } dcMotor;
    struct {
      const char *objectA, *objectB;
      crFrameQuantity quantity;
      crComponent component;
      const char* frame; // object; NULL: the world's axes
    } frameSensor;
    struct {
      const char* joint;
      crJointQuantity quantity;
      int degree; // 1, 2, ...: coordinate of the joint, counted in degrees of freedom; 0: 1
    } jointSensor;
    struct {
      const char* joint;
      crReactionQuantity quantity;
      crComponent component;
      const char* frame; // object; NULL: the world's axes
    } reactionSensor;
    struct {
      const char* object;
      crSubtreeQuantity quantity;
      crComponent component;
      const char* frame; // object; NULL: the world's axes
    } subtreeSensor;
    struct {
      const char* object;
      const char* other; // object; NULL: all that touches
      crContactQuantity quantity;
      crComponent component;
      const char* frame; // object; NULL: the world's axes
    } contactSensor;
    struct {
      const char *objectA, *objectB; // each with a solid that has a contact material
      crDistanceQuantity quantity;
      crComponent component;
      const char* frame; // object; NULL: the world's axes
    } distanceSensor;
    struct {
      const char* object; // from whose origin the ray comes; it does not meet what moves with it, nor its own solids
      const char* other;  // object whose solids it can meet; NULL: all
      crVec3 direction;   // in the object's axes; zero: x
      double range;       // [m] > 0
      crRayQuantity quantity;
      crComponent component;
      const char* frame; // object; NULL: the world's axes
    } raySensor;
    struct {
      const char* object;
      crImuQuantity quantity;
      crComponent component;
    } imu;
    struct {
      const char* coupling;
      crCouplingQuantity quantity;
    } couplingSensor;
    struct {
      double start;     // value until another one is set
      const char* unit; // NULL: not said
      double nominal;   // > 0: typical magnitude; 0: 1
    } input;
    struct {
      const char* signal;
      const char* unit; // NULL: not said
    } output;
    struct {
      const char* code;    // NULL: `function` needs none
      crFunction function; // with a code the one of its language: crGetLuaFunction (carom/io.h)
      const crArgument* arguments;
      int argumentCount;
      const crNamedNumber* constants; // of its code
      int constantCount;
    } function;
    struct {
      const char* code;
      crFunction function;
      const crArgument* arguments;
      int argumentCount;
      const crNamedNumber* constants;
      int constantCount;
      const crNamedNumber* states; // with their start values
      int stateCount;
      double period; // [s] > 0
      double start;  // [s] of the first call
      double value;  // before the first call
    } sampled;
    struct {
      const char* signal;
      const char* state; // the name of its state
      const char* unit;  // NULL: not said
    } pick;
    struct {
      const char* input;
      const char* reference;
      double period;         // T [s] > 0
      double gain;           // kp
      double integralGain;   // ki [1/s]
      double derivativeGain; // kd [s]
      double filterTime;     // Tf [s] >= 0
      double min, max;       // min < max; -CR_NO_LIMIT, CR_NO_LIMIT: none on that side; both 0: none
      double start;          // [s] of the first call
      double value;          // before the first call
    } pid;
    struct {
      const char* file;            // as the model names it
      const char* path;            // where it is; NULL: `file`
      const char* hash;            // SHA-256 that the file must have; NULL: any
      crFunction function;         // crGetFmuFunction (carom/io.h)
      const crArgument* arguments; // signals by the names that its inputs have
      int argumentCount;
      const crNamedNumber* constants; // its parameters
      int constantCount;
      const char* const* outputs; // (outputCount) one or more of its variables; the first is the value, all are states
      int outputCount;
      double period; // [s] > 0, between two communication points
      double start;  // [s] of the first one, where it is initialized
      double value;  // before that, of all outputs
    } fmu;
  } as;
} crSignalDef;

#define CR_NO_LIMIT 1e300 // a limit that nothing reaches; finite, so that JSON can hold it

CR_API crSignalDef crDefaultSignalDef(crSignalKind kind, const char* name);

#ifdef __cplusplus
}
#endif

#endif
