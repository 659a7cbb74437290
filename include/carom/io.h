// The library carom_io: Lua models, JSON models, robots, mesh files, and by carom/result.h result files.
#ifndef CAROM_IO_H
#define CAROM_IO_H

#include "carom/external.h"
#include "carom/model.h"
#include "carom/result.h"
#include "carom/state.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ models

// A parameter given from outside, e.g. { "robot.arm.length", "0.3" }.
typedef struct crSetting {
  const char* name;
  const char* value; // a number, true, false, or else a string
} crSetting;

typedef struct crReadOptions {
  size_t size;
  const crSetting* settings; // (settingCount) override the defaults of the model's parameters
  int settingCount;
  int64_t instructionLimit; // Lua: instructions until the model counts as endless; 0: 1e9
  size_t memoryLimit;       // [bytes] Lua: with what the scene takes, roughly; 0: 1 GiB
  size_t fileLimit;         // [bytes] of one model or mesh file; 0: 2 GiB
  const crMeshFile* meshes; // (meshCount) taken instead of reading the files of these names and scales
  int meshCount;
  const char* allowedPath;     // folders outside its own that a model may read files from, with ':' between; NULL: none
  const crSourceFile* sources; // (sourceCount) Lua: taken instead of reading the files of these names
  int sourceCount;
  bool skipsFmus; // FMUs are taken for what the model says of them, and not read: a scene to look at, not to run
} crReadOptions;

CR_API crReadOptions crDefaultReadOptions(void);

// Reads a model by the ending of its name: .lua, .json; .urdf, .mjcf, .xml for robots. NULL options: the defaults. Mesh
// files and Lua files that it includes are looked up beside the model, and read there and below alone, wherever links
// lead, unless `allowedPath` or the settings "allowPath" and "meshPath" name folders; meshes of robots are read where
// they are found. Everything is
// reported to the sink, which must live as long as the scene; a setting that no parameter of the model takes is an
// error, what a Lua model prints a note. After cr_errorModel the scene holds all elements that could be added, so that
// it can be checked further and must be destroyed; but there is none when a Lua model stopped before its end, as after
// any other failure.
CR_API crStatus crReadModel(const char* path, const crReadOptions* options, const crAllocator* allocator,
                            const crErrorSink* sink, crScene** outScene);

// The same from memory. `name` stands for the file in messages; relative mesh files are looked up in
// `folder` (NULL: the current one).
CR_API crStatus crReadLua(const char* text, size_t size, const char* name, const char* folder,
                          const crReadOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                          crScene** outScene);
CR_API crStatus crReadJson(const char* text, size_t size, const char* name, const char* folder,
                           const crReadOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                           crScene** outScene);

// Robots: URDF or MJCF, told by the root element (docs/robots.md). The settings are the options of reading it:
// "meshPath", "ignoreMissing", "inertia", "fixed", ...
CR_API crStatus crReadRobot(const char* text, size_t size, const char* name, const char* folder,
                            const crReadOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                            crScene** outScene);

// Writes a robot's file as a Lua model with the names of the file. Mesh files are named as seen from the folder of the
// robot; those of a file, from that of the target, which is written complete or not at all.
CR_API crStatus crWriteRobotLua(const char* path, const crReadOptions* options, const crAllocator* allocator,
                                const crErrorSink* sink, crTextWriter writer);
CR_API crStatus crWriteRobotLuaFile(const char* path, const crReadOptions* options, const char* target,
                                    const crAllocator* allocator, const crErrorSink* sink);

// The function that runs Lua code, for the defs of signals with a `code`. The code sees its arguments, constants and
// states as local variables, `time` and, when sampled, `period`; mathematics, and nothing else. It cannot keep anything
// but states from call to call. One call may take 1e6 instructions and 1 MiB. A result that is not finite is cr_retry,
// an error in the code cr_failNumerics.
CR_API const crFunction* crGetLuaFunction(void);

// The function that runs FMUs, for the defs of cr_signalFmu. They are code of others, which can do whatever this
// process can: it is loaded only where crAllowFmus has said so, when a simulation begins. This holds for the whole
// process, so that no model, plan, session or checkpoint can say it.
CR_API const crFunction* crGetFmuFunction(void);
CR_API void crAllowFmus(bool isAllowed);

// Writes the scene as canonical JSON: one element a line, shortest round-trip numbers, palette entries left
// out. Reading it back gives the same scene, bit for bit in every field that its kind has, and writing that gives
// the same text. What JSON cannot hold (text that is not UTF-8, an infinite parameter, a mesh that was not read from
// a file) is reported as cr_errorModel, and nothing is written.
CR_API crStatus crWriteJson(const crScene* scene, const crAllocator* allocator, const crErrorSink* sink,
                            crTextWriter writer);

// The same into a file, complete or not at all: it is written beside `path` and then renamed. Relative mesh files,
// which are meant from `modelFolder` (NULL: the current one), are rewritten so that they lead to the same files
// from the folder of `path`.
CR_API crStatus crWriteJsonFile(const crScene* scene, const char* path, const char* modelFolder,
                                const crAllocator* allocator, const crErrorSink* sink);

// Lays the text of a Lua model out anew: indentation and blanks, nothing else. Tokens, comments and line breaks stay,
// but for blanks at the ends of lines and more than one empty line. Doing it twice changes nothing more. What is no Lua
// is cr_errorSyntax, told with its line; then nothing is written. `name` stands for the file in messages.
CR_API crStatus crFormatLua(const char* text, size_t size, const char* name, const crAllocator* allocator,
                            const crErrorSink* sink, crTextWriter writer);

// The JSON schema (draft 2020-12) of what crReadJson takes.
CR_API crStatus crWriteJsonSchema(const crAllocator* allocator, crTextWriter writer);

// Annotations for the Lua language server: the constructors of Lua models and their fields.
CR_API crStatus crWriteLuaAnnotations(crTextWriter writer);

// The reference of all elements and their fields, as Markdown.
CR_API crStatus crWriteReference(crTextWriter writer);

// ------------------------------------------------------------------------------------------ states

// A state as JSON: its keys are the fields of crState; numbers read back as the same bits, null stands for NaN.
CR_API crStatus crWriteState(const crState* state, crTextWriter writer);
// Into a file, complete or not at all.
CR_API crStatus crWriteStateFile(const crState* state, const char* path, const crAllocator* allocator,
                                 const crErrorSink* sink);

// Reads a state; crDestroyState frees it. Time and states have to be there, what else is missing is none or zero.
// All unknown keys, missing ones and wrong types are reported by their place in the text; whether names are those of a
// model is seen when a simulation starts from the state. `name` stands for the file in messages.
CR_API crStatus crReadState(const char* text, size_t size, const char* name, const crAllocator* allocator,
                            const crErrorSink* sink, crState** outState);
CR_API crStatus crReadStateFile(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                                crState** outState);

// ----------------------------------------------------------------------------------------- meshes

// Reads an STL file (ASCII or binary), an OBJ file or a COLLADA file. The ending .stl, .obj or .dae decides, in any
// case; a file with another ending is told by its content. Coordinates are multiplied by `scale`, no part of which may
// be zero; a mirroring scale also turns the triangles, so that the outside stays outside.
//
// Vertices with equal coordinates become one point. Triangles two corners of which coincide are left out,
// with one warning that counts them. The solids of an ASCII STL file, the objects and groups of an OBJ file,
// the geometries of a COLLADA file become pieces. Whether the mesh is closed, and inside out, is among its facts
// (crMesh_GetFacts).
//
// Errors: cr_errorFile (cannot be opened or read, no regular file), cr_errorLimit (too large),
// cr_errorSyntax (with line and column for texts), cr_errorModel (scale), cr_errorMemory.
CR_API crStatus crReadMesh(const char* path, crVec3 scale, const crAllocator* allocator, const crErrorSink* sink,
                           crMesh** outMesh);

// The same from memory. `name` stands for the file in messages. A file is binary when its size fits its
// count of triangles, even if it begins with "solid".
CR_API crStatus crReadStl(const void* bytes, size_t size, const char* name, crVec3 scale, const crAllocator* allocator,
                          const crErrorSink* sink, crMesh** outMesh);

// Reads v, f, o and g; other keywords are ignored. Polygons are cut into fans from their first vertex.
CR_API crStatus crReadObj(const char* text, size_t size, const char* name, crVec3 scale, const crAllocator* allocator,
                          const crErrorSink* sink, crMesh** outMesh);

// Reads the polygons that the scene of a COLLADA file shows, in metres before the scale; each geometry is a piece. The
// up axis is not applied.
CR_API crStatus crReadDae(const char* text, size_t size, const char* name, crVec3 scale, const crAllocator* allocator,
                          const crErrorSink* sink, crMesh** outMesh);

// Writes a mesh as an OBJ file, each piece an object of its own, with coordinates that are read back as the same bits.
// note: text of a comment in the first line, or NULL.
CR_API crStatus crWriteObj(const crMesh* mesh, const char* note, crTextWriter writer);
// The same into a file, complete or not at all.
CR_API crStatus crWriteObjFile(const crMesh* mesh, const char* note, const char* path, const crAllocator* allocator,
                               const crErrorSink* sink);

// Pieces that were made of the mesh of a file, kept beside it: FILE.HASH.pieces.obj, with a hash of the mesh as it was
// read and of the error asked for. Writing them is whoever asks; a model that decomposes the mesh takes them.
CR_API crStatus crKeepPieces(const char* file, const crMesh* mesh, double error, const crMesh* pieces,
                             const crAllocator* allocator, const crErrorSink* sink);

#define CR_FAULT_PLACES 8

// What is wrong with a mesh, or was.
typedef struct crMeshFaults {
  int shellCount;                 // [-] connected parts
  int openEdgeCount;              // [-] edges of one triangle alone
  int crowdedEdgeCount;           // [-] edges of more than two
  int duplicateCount;             // [-] triangles that are there twice
  int turnedCount;                // [-] triangles against the orientation of their shell
  int insideOutCount;             // [-] shells that are inside out
  int weldedCount;                // [-] points that are too near to others
  int holeCount;                  // [-] holes, loops of open edges
  int placeCount;                 // [-] how many of the following there are
  crVec3 places[CR_FAULT_PLACES]; // [m] middles of the first open and crowded edges
} crMeshFaults;

typedef struct crRepairDef {
  size_t size;
  double weld; // [m] >= 0: points nearer than that become one; 0: only equal ones
  double fill; // [m] >= 0: holes of at most this size are filled; 0: a tenth of the mesh's diagonal
} crRepairDef;

CR_API crRepairDef crDefaultRepairDef(void);

// Faults of a mesh, all pieces as one surface.
CR_API crStatus crFindMeshFaults(const crMesh* mesh, const crRepairDef* def, const crAllocator* allocator,
                                 crMeshFaults* outFaults);

// Welds points, takes out what is there twice, turns triangles and shells, fills holes. outFaults: what was mended.
// What stays open, crowded or cannot be oriented is reported with a place, as cr_errorModel, and there is no mesh then.
CR_API crStatus crRepairMesh(const crMesh* mesh, const crRepairDef* def, const crAllocator* allocator,
                             const crErrorSink* sink, crMesh** outMesh, crMeshFaults* outFaults);

// Reads a mesh, in metres, for a collider of carom/external.h, which knows it under an index > 0 from then on.
CR_API crStatus crCollider_ReadMesh(crCollider* collider, int stlIndex, const char* file);

// For hosts that cannot look at a status when they create something, such as Modelica tools: creates with the default
// allocator and reads the meshes. Never fails but for memory (NULL): what was wrong shows in the status of the first
// call and in the message.
CR_API crCollider* crOpenCollider(double stiffness, double cor, double muK, double muR, const int* stlIndices,
                                  const char* const* stlFiles, int stlCount);

#ifdef __cplusplus
}
#endif

#endif
