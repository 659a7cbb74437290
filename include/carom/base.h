// Status codes, error records, allocators and ids: what every other header stands on.
//
// Rules that hold in all headers:
//
// Errors. Three channels, never mixed: bad input is reported to an error sink with an address, bad numerics come back
// as a status with a number, bad code is an assert inside the library. No function of Carom ends the host.
//
// NULL and numbers out of range. What returns a status answers cr_errorMisuse to an object, an array or a place for an
// answer that is NULL, and to a number that names nothing, and changes nothing. What returns a value answers with an
// inert one: NULL, 0 of a count, -1 of an index, false, NaN of a number, zeros of a struct (of a pose: the world's).
// What destroys ignores NULL. Where NULL has a meaning, a comment says so.
//
// Lists. A count, and an item by its index from 0; an array that is stored as such, as a pointer to const and a count,
// valid as long as its owner. Arrays that the caller hands over have the length that stands beside them in brackets.
//
// Options and defs begin with their size; all else zero is the default, and a NULL pointer to options is the same.
//
// Threads. What is const may be used by several threads at once. Everything else belongs to one thread at a time;
// objects that do not share a parent that is written to are independent. There is no global state but the lock under
// which HDF5 is entered (carom/result.h).
//
// Units are SI, angles in radian, axes right-handed. Units stand in brackets: [m].
#ifndef CAROM_BASE_H
#define CAROM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(CAROM_SHARED) && defined(__GNUC__)
#define CR_API __attribute__((visibility("default")))
#else
#define CR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------- status

// 0 is done, > 0 is not done yet, < 0 is a failure.
typedef enum crStatus {
  cr_ok = 0,
  cr_retry = 1,          // a trial point could not be evaluated: come back with a smaller step
  cr_cancelled = 2,      // the caller's own function asked to stop; nothing is reported and nothing half made is left
  cr_errorModel = -1,    // the model breaks a rule; each breach was reported to the sink
  cr_errorMisuse = -2,   // the C API was called with arguments that cannot be meant
  cr_errorSyntax = -3,   // a text could not be parsed
  cr_errorFile = -4,     // a file could not be opened, read or written
  cr_errorMemory = -5,   // the allocator returned NULL
  cr_errorLimit = -6,    // a limit was reached (instructions, memory, nesting, size)
  cr_failNumerics = -20, // the numbers broke down beyond repair
} crStatus;

// The status as a word for messages, e.g. "model error".
CR_API const char* crStatus_GetText(crStatus status);

// ------------------------------------------------------------------------------------- allocator

// Every object of Carom takes its memory from the allocator that it was created with.
// `reallocate` follows Lua's contract: newSize 0 frees and returns NULL; block NULL allocates;
// otherwise it resizes. Returned blocks are aligned for any type. It may return NULL.
typedef struct crAllocator {
  void* (*reallocate)(void* context, void* block, size_t oldSize, size_t newSize);
  void* context;
} crAllocator;

// malloc, realloc and free. A NULL `const crAllocator*` argument means this one.
CR_API crAllocator crDefaultAllocator(void);

// ---------------------------------------------------------------------------------------- errors

typedef enum crSeverity {
  cr_severityNote = 0,
  cr_severityWarning = 1,
  cr_severityError = 2,
} crSeverity;

// Where an element was written. file is NULL for elements made through the C API.
typedef struct crSource {
  const char* file;
  int line;   // from 1; 0: unknown
  int column; // from 1; 0: unknown
} crSource;

// One message, with its address. Strings are valid only while it is being reported; any but
// `message` may be NULL.
typedef struct crError {
  crSeverity severity;
  crStatus status;
  crSource source;
  const char* path;    // element, e.g. "robot.arm.joint1"
  const char* message; // what is wrong, one sentence without full stop
  const char* found;   // the value found, e.g. "-1"
  const char* allowed; // what is allowed, e.g. "> 0"
  const char* unit;    // unit of found and allowed, e.g. "kg"
  const char* hint;    // what to do about it
} crError;

// Receives every message as it arises. A NULL `const crErrorSink*` argument discards them.
typedef struct crErrorSink {
  void (*report)(void* context, const crError* error);
  void* context;
} crErrorSink;

// Writes the message as readable text of one to three lines, always terminated, no newline at the
// end. Returns the length that the whole text needs, like snprintf.
CR_API int crError_Format(const crError* error, char* buffer, size_t size);

// Replaces by '?' every byte that could command a terminal or mislead a reader: control characters but line breaks
// and tabs, marks that reverse the direction of writing, and what is not UTF-8. crError_Format does it.
CR_API void crCleanText(char* text);

// A sink that keeps copies of all messages, up to 10,000 of each severity.
typedef struct crErrorLog crErrorLog;
CR_API crErrorLog* crCreateErrorLog(const crAllocator* allocator); // NULL when out of memory
CR_API void crDestroyErrorLog(crErrorLog* log);
CR_API crErrorSink crErrorLog_GetSink(crErrorLog* log);
CR_API int crErrorLog_Count(const crErrorLog* log);                        // messages kept
CR_API int crErrorLog_CountOf(const crErrorLog* log, crSeverity severity); // reported, kept or not
CR_API const crError* crErrorLog_Get(const crErrorLog* log, int index);    // NULL: no such index
CR_API void crErrorLog_Clear(crErrorLog* log);

// ------------------------------------------------------------------------------- defs and options

// Structs that describe what is wanted, ...Def and ...Options, begin with their `size`: sizeof as the caller compiled
// it, so that a library of another version finds out. crDefault...() sets it; by hand it is
//
//   crJointDef def = { .size = sizeof def, .name = "hinge", ... };
//
// Any other size is cr_errorMisuse, reported with the name of the struct. In every other member zero (0, false, NULL)
// is the default, so that these two ways to begin mean the same.
//
// A few numbers have a default that is not 0 although 0 makes sense. There CR_ZERO says 0: so small that it changes
// nothing, and 0 in what models as text say.
#define CR_ZERO 1e-300

// The number that is meant: 0 for CR_ZERO.
static inline double crResolveZero(double value)
{
  return value == CR_ZERO ? 0.0 : value;
}

// ----------------------------------------------------------------------------------------- writing

// Where text goes: a stream, a string, a file.
typedef struct crTextWriter {
  void (*write)(void* context, const char* text, size_t size);
  void* context;
} crTextWriter;

// ------------------------------------------------------------------------------------------- ids

// Kinds of element that a scene holds.
typedef enum crElementKind {
  cr_elementNone = 0,
  cr_elementAssembly,
  cr_elementObject,
  cr_elementJoint,
  cr_elementForce,
  cr_elementSignal,
  cr_elementSolidMaterial,
  cr_elementContactPair,
  cr_elementVisualMaterial,
  cr_elementExclusion,
  cr_elementCoupling,
  cr_elementAction,
} crElementKind;

CR_API const char* crElementKind_GetText(crElementKind kind); // "object", "joint", ...

// A value id; all zero is null. It carries its kind and the tag of its scene, so that an id of
// another scene or of another kind is found out instead of naming a wrong element.
typedef struct crId {
  uint32_t index1; // index + 1
  uint16_t kind;   // crElementKind
  uint16_t tag;    // of the scene
} crId;

static inline bool crIsNull(crId id)
{
  return id.index1 == 0;
}

static inline bool crIdsEqual(crId a, crId b)
{
  return a.index1 == b.index1 && a.kind == b.kind && a.tag == b.tag;
}

// --------------------------------------------------------------------------------------- version

#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 2
#define CAROM_VERSION_PATCH 0
#define CAROM_VERSION_NUMBER (10000 * CAROM_VERSION_MAJOR + 100 * CAROM_VERSION_MINOR + CAROM_VERSION_PATCH)
#define CAROM_VERSION "0.2.0"
CR_API const char* crGetVersion(void); // of the library that runs

// Whether a program that was compiled with the headers of a version can use the library that runs:
// crIsCompatible(CAROM_VERSION_NUMBER). Before 1.0.0 only patches of one minor version are.
CR_API bool crIsCompatible(int headers);

#ifdef __cplusplus
}
#endif

#endif
