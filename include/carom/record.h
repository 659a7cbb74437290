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

// Tells contacts apart: two objects, the shapes that touch, and which of their points of contact it is.
typedef struct crContactKey {
  int32_t objectA, objectB; // numbers of the objects that a record names; normals point out of A, towards B
  int32_t shapeA, shapeB;   // of the model
  int32_t feature;          // where the same two shapes can touch in several points at once
} crContactKey;

typedef enum crContactChange { cr_contactBegin, cr_contactEnd } crContactChange;

// A contact begins or ends. What is not known is NaN; point, normal and slip are those at that time.
typedef struct crContactRecord {
  double time;        // [s]
  int32_t change;     // crContactChange
  crContactKey key;   //
  crVec3 point;       // [m] world
  crVec3 normal;      // [-] unit length, world
  double speed;       // [m/s] along the normal, >= 0. begin: of approach, end: of separation
  double slip;        // [m/s] tangential speed
  double cor;         // [-] begin: coefficient of restitution of the law at this speed (cor_reg)
  double damping;     // [s/m] begin: d of the law
  double radius;      // [m] begin: contact radius R
  double maxDepth;    // [m] end: since the begin
  double maxForce;    // [N] end: largest normal force
  double impulse;     // [N s] end: of the normal force
  double dissipation; // [J] end: energy that the contact took
} crContactRecord;

// A contact at an output row.
typedef struct crContactSample {
  int32_t row;        // set by the writer
  crContactKey key;   //
  crVec3 point;       // [m] world
  crVec3 normal;      // [-] unit length, world
  crVec3 force;       // [N] on B, world; A takes the opposite
  crVec3 torque;      // [N m] on B about the point, world
  double depth;       // [m] > 0 inside
  double depthRate;   // [m/s] > 0 approaching
  double slip;        // [m/s] tangential speed
  double dissipation; // [J] since the begin
} crContactSample;

// With zero for the key, NaN for all numbers.
CR_API crContactRecord crDefaultContactRecord(crContactChange change, double time);
CR_API crContactSample crDefaultContactSample(void);

// -------------------------------------------------------------------------------------------- sink

// What a result is made of before its first row.
typedef struct crResultDef {
  const char* path;        // of its file; NULL: it has none
  const crColumn* columns; // (columnCount), without time
  int columnCount;
  const char* modelName; // for people
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
} crResultDef;

// How a run ended.
typedef enum crRunEnd { cr_runComplete, cr_runStopped, cr_runFailed } crRunEnd;
CR_API const char* crRunEndText(crRunEnd end); // "ok", "interrupted", "failed"

typedef struct crRow {
  double time;          // [s]
  const double* values; // (columnCount)
  const float* poses;   // (CR_POSE_SIZE x bodyCount)
} crRow;

// Where the records of a run go. What is pointed to lives during the call. A NULL function: not wanted. Anything but
// cr_ok ends the run with that status, and the run calls nothing but `end` then.
typedef struct crRecordSink {
  void* context;
  crStatus (*begin)(void* context, const crResultDef* def);
  crStatus (*addRow)(void* context, const crRow* row);
  crStatus (*addSample)(void* context, const crContactSample* sample);   // of the row that was added last
  crStatus (*addContact)(void* context, const crContactRecord* contact); // those of one key in the order of their times
  crStatus (*addEvent)(void* context, double time, const char* kind, const char* text);
  // after `begin`, whatever came of it. runJson: what is to be kept about the run, or NULL
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
CR_API const float* crResult_GetPoses(const crResult* result, int row); // (7 x bodies); NULL: no such row
CR_API int crResult_CountObjects(const crResult* result);               // that contacts name
CR_API const char* crResult_GetObjectPath(const crResult* result, int object);

// The mesh files of the scene; NULL: none.
CR_API const crMeshFile* crResult_GetMeshes(const crResult* result, int* outCount);

// A contact from its begin to its end, ordered by begin, then key. NaN: not known.
typedef struct crResultContact {
  crContactKey key;
  double begin, end;           // [s] end NaN: touching until the result ends
  crVec3 point, normal;        // [m], [-] at the begin
  double approach, separation; // [m/s]
  double restitution;          // [-] separation / approach
  double slip;                 // [m/s] at the begin
  double cor, damping, radius; // of the law, as in crContactRecord
  double maxDepth, maxForce, impulse, dissipation;
} crResultContact;

CR_API int crResult_CountContacts(const crResult* result);
CR_API const crResultContact* crResult_GetContact(const crResult* result, int index);

// The contacts at a row. NULL: none.
CR_API const crContactSample* crResult_GetContactSamples(const crResult* result, int row, int* outCount);

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
