// Records: what a run hands out to a sink, and results: what is kept of it in memory, to be looked at, plotted,
// written.
//
// A run hands out rows of variables at output points, poses for pictures, contacts that begin and end, and contacts at
// output points. carom/result.h has the sink that writes them into a file, and reads results from one.
#ifndef CAROM_RECORD_H
#define CAROM_RECORD_H

#include "carom/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crColumn {
  const char* name;        // "arm.joint1.angle"
  const char* unit;        // "rad"; "1" for none
  const char* description; // one line
} crColumn;

#define CR_POSE_SIZE 7 // floats: x, y, z [m], then w, x, y, z of the quaternion R_WB

// Whether a name matches a pattern: '*' stands for any characters but '.', '**' for any, '?' for one but '.'.
CR_API bool crMatchesPattern(const char* name, const char* pattern);

// ----------------------------------------------------------------------------------------- contacts

// Tells contacts apart: two shapes touch once. Normals point out of A, towards B.
typedef struct crContactKey {
  int32_t bodyA, bodyB;   // of the model; -1: not known, in results of Carom 0.1
  int32_t shapeA, shapeB; // contact shapes of the model, shapeA < shapeB
} crContactKey;

// A point of a patch, the surfaces of two shapes inside each other.
typedef struct crPatchCorner {
  crVec3 point;    // [m] world
  double pressure; // [N/m^2] elastic; it may be a little below 0 at the rim
} crPatchCorner;

#define CR_PATCH_CORNERS 17 // at most: the deepest point, and the outline around it

// What a record of a contact is of. Its time, point, normal, depth and slip are those of that moment.
typedef enum crContactPhase {
  cr_contactBegin, // it begins
  cr_contactEnd,   // it ends: all values are final
  cr_contactLast,  // it lasts when a run ends: values so far
  cr_contactNow,   // as it is at some time, with what it exerts
} crContactPhase;

// What the surfaces of a contact do.
typedef enum crContactMode {
  cr_modeNone,     // not known, or there is no friction
  cr_modeSticking, // they hold each other; with regularized friction: they slip slower than vMin
  cr_modeSliding,  // they slip
  cr_modeRolling,  // they do not slip, but one rolls or spins on the other, faster than vMin at its lever
} crContactMode;
CR_API const char* crContactMode_GetText(crContactMode mode); // "none", "sticking", ...

// How a contact crept: friction that is regularized holds nothing, it slips slower than vMin under any load.
typedef struct crCreep {
  double path;  // [m] slipped slower than vMin, or rolled slower than wMin times its lever, while friction had a load
  double time;  // [s] that it took
  double share; // [-] of its limit that friction had, mean over that time
  double depth; // [m] of the contact, likewise
} crCreep;

// Whether something crept that was meant to stay: farther than contacts give way, and for longer than bodies take to
// come to rest. false for NULL.
CR_API bool crCreep_IsWorthTelling(const crCreep* creep);

// A contact. What is not known is NaN. Sums and maxima are as accurate as the steps of a run, and go up to its last
// step.
typedef struct crContactRecord {
  crContactKey key;
  int32_t objectA, objectB; // that touch, by their numbers in the model, or in a result
  int32_t phase;            // crContactPhase
  int32_t observer;         // 1: its law only watches, and never pushes; 0: it is another law; -1: not known
  int32_t row;              // now: of the result that it belongs to; -1: none
  int32_t cornerCount;      // see below; up to CR_PATCH_CORNERS
  int32_t mode;             // crContactMode, now
  double time;              // [s] of the record; NaN, of crContacts_Get: that of the instance
  double begin, end;        // [s] when the distance was 0; end NaN: it lasts
  crVec3 point, normal;     // [m], [-] world; by area: centre of pressure, direction of the resultant
  double depth;             // [m] > 0 inside; by area the largest
  double depthRate;         // [m/s] > 0 approaching
  double slip;              // [m/s] tangential speed
  double approach;          // [m/s] >= 0: speed along the normal when it began, before an impulse
  double separation;        // [m/s] the same when it ended
  double restitution;       // [-] separation / approach; NaN: it did not begin with an approach
  double cor;               // [-] coefficient of restitution of the law at this approach (cor_reg)
  double damping;           // [s/m] d of the law; 0 by area, where nothing is frozen
  double radius;            // [m] contact radius R; 0 by area
  double maxDepth;          // [m] since the begin
  double maxForce;          // [N] largest normal force
  double impulse;           // [N s] of the normal force
  double dissipation;       // [J] energy that it took
  double slipPath;          // [m] that the surfaces have slipped on each other
  crCreep creep;            // of it; zeros where friction sticks or there is none
  crVec3 force, torque;     // now: [N], [N m] on B at the point, world; A takes the opposite
  double normalForce;       // now: [N]
  double elastic;           // now: [J] stored
  double power;             // now: [W] that it takes out
  double coneShare;         // now: [-] tangential force over what friction can hold, (muS) muK f_n; NaN: no friction
  // now, by area; NaN at a point:
  double area;         // [m^2] of the patch
  double meanPressure; // [N/m^2] normal force over area
  double maxPressure;  // [N/m^2] elastic, where it is deepest
  // Of samples of runs and results: the deepest point of the patch, then its convex outline, counterclockwise about the
  // normal. NULL: not told, or there is none. They live as long as the result, or during the call of a sink.
  const crPatchCorner* corners; // (cornerCount)
} crContactRecord;

// -1 for all numbers of things, NaN for the rest but the time.
CR_API crContactRecord crDefaultContactRecord(crContactPhase phase, double time);

// Whether it has pushed so far, by force or impulse. Shapes that come near and part again without a force are no
// contacts: nobody counts or lists them. Observers never push, and are contacts as long as they overlap; so is one of
// which forces are not known. false for NULL.
CR_API bool crContactRecord_HasPushed(const crContactRecord* record);

// -------------------------------------------------------------------------------------------- sink

// What a result is made of before its first row.
typedef struct crResultDef {
  size_t size;
  const char* path;        // of its file; NULL: it has none
  const crColumn* columns; // (columnCount), without time
  int columnCount;
  const char* modelName; // for people; or NULL
  const char* sceneJson; // or NULL
  int expectedRows;      // hint for buffers; 0: unknown
  // What pictures need:
  const char* sourceText;     // the model as it was written, UTF-8; or NULL
  const char* const* bodies;  // (bodyCount) paths of what moves: each row has their poses
  int bodyCount;              //
  const char* const* objects; // (objectCount) paths of what can touch; contacts name them by number
  int objectCount;            // 0: no contacts are recorded
  const crMeshFile* meshes;   // (meshCount) what the mesh files of the scene hold, so that they are not needed again
  int meshCount;
  bool hasEventRows; // rows have kinds; else all of them are at output points
} crResultDef;

CR_API crResultDef crDefaultResultDef(const char* path);

// How a run ended.
typedef enum crRunEnd { cr_runComplete, cr_runStopped, cr_runFailed } crRunEnd;
CR_API const char* crRunEnd_GetText(crRunEnd end); // "ok", "interrupted", "failed"

// Where a row lies. Two rows around an event have the same time: what holds up to it, and what holds from it on.
typedef enum crRowKind { cr_rowOutput, cr_rowBefore, cr_rowAfter } crRowKind;

typedef struct crRow {
  double time;          // [s] not before that of the row before
  crRowKind kind;       //
  const double* values; // (columnCount)
  const float* poses;   // (CR_POSE_SIZE x bodyCount)
} crRow;

// Where the records of a run go. What is pointed to lives during the call. A NULL function: not wanted. Anything but
// cr_ok ends the run with that status, and the run calls nothing but `end` then.
typedef struct crRecordSink {
  void* context;
  crStatus (*begin)(void* context, const crResultDef* def);
  crStatus (*addRow)(void* context, const crRow* row);
  crStatus (*addSample)(void* context, const crContactRecord* sample); // as it is now, of the row that was added last
  // begins, ends, or lasts at the end of the run; those of one key in the order of their times
  crStatus (*addContact)(void* context, const crContactRecord* contact);
  crStatus (*addEvent)(void* context, double time, const char* kind, const char* text);
  // once `begin` has done its work, however the run ended. runJson: what is to be kept about the run, or NULL
  crStatus (*end)(void* context, crRunEnd end, const char* runJson);
} crRecordSink;

// ------------------------------------------------------------------------------------------- result

typedef struct crResult crResult;

// A sink that makes a result in memory, up to 2^30 rows. One result at a time: `begin` forgets the one before.
typedef struct crResultMemory crResultMemory;
CR_API crResultMemory* crCreateResultMemory(const crAllocator* allocator); // NULL when out of memory
CR_API void crDestroyResultMemory(crResultMemory* memory);
CR_API crRecordSink crResultMemory_GetSink(crResultMemory* memory);
// The result, which is the caller's to destroy; NULL: none, or it was taken before. Of a run that has not ended it
// holds nothing yet.
CR_API crResult* crResultMemory_Take(crResultMemory* memory);

CR_API void crDestroyResult(crResult* result);

CR_API int crResult_CountRows(const crResult* result);
CR_API int crResult_CountColumns(const crResult* result);
CR_API const crColumn* crResult_GetColumn(const crResult* result, int column);
CR_API int crResult_FindColumn(const crResult* result, const char* name);    // -1: none
CR_API const double* crResult_GetTimes(const crResult* result);              // (rows)
CR_API const double* crResult_GetValues(const crResult* result, int column); // (rows)
CR_API crRowKind crResult_GetRowKind(const crResult* result, int row);

typedef struct crResultEvent {
  double time;
  const char* kind;
  const char* text;
} crResultEvent;

CR_API int crResult_CountEvents(const crResult* result);
CR_API const crResultEvent* crResult_GetEvent(const crResult* result, int index);

typedef struct crResultFacts {
  const char* version; // of Carom that wrote it
  const char* modelName;
  const char* exitReason; // "running" when the run was killed
  bool isComplete;
  const char* sceneJson;  // or NULL
  const char* runJson;    // or NULL
  const char* sourceText; // or NULL
} crResultFacts;

CR_API crResultFacts crResult_GetFacts(const crResult* result);

CR_API int crResult_CountBodies(const crResult* result);                // 0: no poses were recorded
CR_API const char* crResult_GetBody(const crResult* result, int body);  // path; NULL: no such body
CR_API const float* crResult_GetPoses(const crResult* result, int row); // (CR_POSE_SIZE x bodies); NULL: no such row
CR_API int crResult_CountObjects(const crResult* result);               // that contacts name
CR_API const char* crResult_GetObjectPath(const crResult* result, int object);

// The mesh files of the scene; NULL: none.
CR_API const crMeshFile* crResult_GetMeshes(const crResult* result, int* outCount);

// Contacts from begin to end, ordered by begin, then key; those that never pushed are left out. Time, point, normal and
// slip are those at the begin. The phase is cr_contactEnd; of one that lasts to the end of the run cr_contactLast, with
// its values so far; of one whose end a killed run did not tell cr_contactBegin.
CR_API int crResult_CountContacts(const crResult* result);
CR_API const crContactRecord* crResult_GetContact(const crResult* result, int index);

// The contacts at a row. NULL: none.
CR_API const crContactRecord* crResult_GetContactSamples(const crResult* result, int row, int* outCount);

// Hands all that the result holds to a sink, as its run did, but contacts and events behind the rows. What
// crResultMemory makes of it is the same result.
CR_API crStatus crResult_Replay(const crResult* result, const crRecordSink* sink);

// --------------------------------------------------------------------------------------- selecting

// The columns that match any of the patterns, pattern by pattern, none twice. outColumns has room for all columns of
// the result. A pattern that matches none is reported with the nearest names, and makes this cr_errorModel.
CR_API crStatus crResult_SelectColumns(const crResult* result, const char* const* patterns, int patternCount,
                                       const crAllocator* allocator, const crErrorSink* sink, int* outColumns,
                                       int* outCount);

#ifdef __cplusplus
}
#endif

#endif
