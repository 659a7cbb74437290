// Signals of a compiled model. Everything piecewise, from a constant to a cubic table, is a list of polynomials.
//
// Piece k > 0 holds from its start up to that of the next, with s = t - start:
//
//   value = c0 + c1 s + c2 s^2 + c3 s^3
//
// Piece 0 is the constant before the first start. Starts may coincide; then the last of them counts. The starts of all
// pieces are the time events of the model. Which piece is used is told by the phase, a time in the smooth interval that
// is being integrated, so that a step that ends at an event sees no jump.
#ifndef CR_MODEL_SIGNAL_H
#define CR_MODEL_SIGNAL_H

#include "carom/model.h"

typedef struct crPiece {
  double start; // [s]
  double c[4];
} crPiece;

typedef struct crSignalValue {
  double value, rate, acceleration; // the two derivatives are zero where the signal has none
  double stateRate;                 // of a signal with a state
} crSignalValue;

// What a signal depends on, and so at which stage it can be computed.
typedef enum crSignalLevel {
  cr_levelTime,         // before stage position
  cr_levelMotion,       // behind stage velocity
  cr_levelAcceleration, // behind stage acceleration: nothing can be driven by it, or nothing is
} crSignalLevel;

typedef struct crSignal {
  crSignalKind kind;
  crSignalLevel level;
  int pieceStart, pieceCount; // among the pieces of all signals; none for kinds that are not piecewise
  int inputStart, inputCount; // among the inputs of all signals, likewise the factors of a sum
  int state;                  // its place in the state vector, -1: none
  int objectA, objectB;       // sensors: model objects, -1: none
  int frame, joint;           // likewise
  int coupling;               // likewise
  int degree, quantity;       // degree counts from 0; quantity: of a sensor, or the number of a picked state
  crComponent component;
  int port;                               // number among the inputs, or outputs, of the model; -1: none
  int function;                           // number among the functions; -1: none
  int discrete;                           // of a sampled function: where its value lies among the discrete numbers,
                                          // its states behind it
  int stateCount;                         // of a sampled function
  bool hasDerivatives;                    //
  bool readsState;                        // sensor of a coupling: what it measures is the state of that
  bool reserved[2];                       // false
  double amplitude, omega, phase, offset; // sine: omega [rad/s]
  double min, max;                        // limit
  double gains[3];                        // servo: of position, of velocity, 1 / integralTime; motor: R / L, 1 / L, k n
  size_t unit;                            // text of an input or output; 0: not said
  double start;                           // value of an input, or of a sampled function before its first call
  double nominal;                         // of an input
  double period, firstTick;               // [s] of a sampled function
} crSignal;

// What signals refer to by their starts.
typedef struct crSignalLists {
  const crPiece* pieces;
  const int* inputs; // signals
  const double* factors;
} crSignalLists;

// A function, with all that it is made from.
typedef struct crModelFunction {
  crFunction function;
  crFunctionSource source;
  int signal;
  int argumentStart; // of its arguments among those of all functions
} crModelFunction;

static inline bool crHasState(crSignalKind kind)
{
  return kind == cr_signalServo || kind == cr_signalDcMotor;
}

static inline bool crIsSensor(crSignalKind kind)
{
  return kind >= cr_signalFrameSensor && kind <= cr_signalCouplingSensor;
}

static inline bool crIsSampled(crSignalKind kind)
{
  return kind == cr_signalSampled || kind == cr_signalPid || kind == cr_signalFmu;
}

static inline bool crIsFunction(crSignalKind kind)
{
  return kind == cr_signalFunction || crIsSampled(kind);
}

// The signals that must be known before this one; a sampled function reads its inputs when it is called, and so may be
// its own input, and states are known before all signals.
static inline int crCountDirectInputs(const crSignal* signal)
{
  return crIsSampled(signal->kind) || signal->kind == cr_signalPick ? 0 : signal->inputCount;
}

// Whether a sampled function is called at time t.
bool crIsTick(const crSignal* signal, double t);

// The signal at time t, from the values of its inputs; not of sensors, inputs, functions and signals with a
// state, which read an instance.
crSignalValue crComputeSignal(const crSignal* signal, crSignalLists lists, const crSignalValue* values, double t,
                              double phase);

// Trees that signals couple get the same component: `join` unites two trees, -1 is none. Writes the owner of each
// signal, a tree of the component that it is part of.
void crCoupleSignals(const crModel* model, void (*join)(int* parents, int a, int b), int* parents, int* outOwners);

// Orders the signals by the first tree of their component, inputs first. scratch: (signalCount)
void crOrderSignals(crModel* m, int* scratch);

#endif
