// Sessions: a run in someone's hands. It goes from point to point of a grid of times; at the points inputs are set, and
// a body may be grabbed and pulled. The same calls at the same points give the same bits.
//
// A pull is a spring with a damper from a point of a body to a target,
//
//   f = m (w^2 (target - p) - 2 w p'),   w = 2 pi CR_PULL_FREQUENCY,
//
// taken at the points of the grid and held in between: a force of the model, whose three components are inputs of it. m
// is the mass that resists at the point: 3 over the trace of the compliance there, the accelerations by unit forces. So
// what is pulled is another model, which goes on from the state of the one before.
#ifndef CR_SIM_SESSION_H
#define CR_SIM_SESSION_H

#include "base/friend.h"
#include "carom/simulate.h"

#define CR_PULL_FREQUENCY 3.0          // [1/s] of the spring with what it pulls
#define CR_SESSION_STOP 1e6            // [s] stop time of its simulations: nobody plays for so long
#define CR_SESSION_INTERVAL 0.00390625 // [s] 1/256: four points in a picture of 60 in a second, without rounding

typedef struct crSession crSession;

// The scene is the caller's, and gets elements of the session; it lives longer and is changed by nobody else.
CR_FRIEND crStatus crCreateSession(crScene* scene, const crAllocator* allocator, const crErrorSink* sink,
                                   crSession** outSession);
CR_FRIEND void crDestroySession(crSession* session);

// One point on.
CR_FRIEND crStatus crSession_Step(crSession* session);
CR_FRIEND crStatus crSession_SetInput(crSession* session, const char* path, double value);
// Takes hold of an object of the scene at a point of it [m], in its axes. cr_errorModel: it does not move, or the model
// has actions, which is told; the session goes on as it was.
CR_FRIEND crStatus crSession_Grab(crSession* session, const char* object, crVec3 point);
CR_FRIEND crStatus crSession_Pull(crSession* session, crVec3 target); // [m] world; cr_errorMisuse: nothing is held
CR_FRIEND crStatus crSession_Release(crSession* session);

// Hands rows to a sink from now on: where the session is, then at each point. They have the variables and bodies of the
// model as it was before anything was pulled; there are no contacts. Of the options, patterns and what is handed on
// count.
CR_FRIEND crStatus crSession_Record(crSession* session, const crRecordOptions* options, const crRecordSink* sink);
CR_FRIEND crStatus crSession_EndRecord(crSession* session); // does nothing unless there is a sink

CR_FRIEND double crSession_GetTime(const crSession* session);

#endif
