// Reads elements from values: the one way from a model file into a scene, for Lua and JSON alike.
#ifndef CR_TEXT_ELEMENT_READER_H
#define CR_TEXT_ELEMENT_READER_H

#include "base/map.h"
#include "base/report.h"
#include "carom/io.h"
#include "text/value.h"

typedef struct crElementReader {
  crAllocator allocator;
  crScene* scene; // NULL where only shapes are read
  crErrorSink sink;
  const char* folder; // of relative mesh files; NULL: the current one
  size_t fileLimit;
  const crReadOptions* options; // meshes that are known, folders that are allowed; NULL: none
  bool readsAnywhere;           // mesh files may lie wherever they are said to
  bool hasOptions;              // were set by the model
  const char* place;            // what to call an element without a name in messages, e.g. "objects[3]"; NULL: its kind
  crArena scratch;              // of one element
  crArena meshNames;
  crMap meshes; // "file|sx|sy|sz" -> meshList
  crArrayOf(const crMesh*) meshList;
} crElementReader;

void crElementReader_Init(crElementReader* reader, crScene* scene, const crErrorSink* sink, const char* folder,
                          size_t fileLimit, const crAllocator* allocator);
// Takes meshes and leave to read others from options that must live as long.
void crElementReader_Use(crElementReader* reader, const crReadOptions* options);
void crElementReader_Free(crElementReader* reader);

// Adds one element. `value` is a table with the fields of field.h; joints and forces say their kind in "type".
// `source` is where it was written. Every fault is reported; cr_errorModel when there was one.
crStatus crElementReader_Add(crElementReader* reader, crElementKind kind, const crValue* value, crSource source);

// Elements of several kinds, which "type" tells apart.
bool crHasKinds(crElementKind kind);

// Says which file the scene is of, for messages that have no element as their address.
crStatus crElementReader_SetFile(crElementReader* reader, const char* name);

// Creates a shape from a table with a "type" and the fields of its record; `name` is what messages call it.
// Without a "rounding" it gets the given one. Needs no scene. Every fault is reported through `reporter`.
crStatus crElementReader_CreateShape(crElementReader* reader, const char* name, const crValue* value, double rounding,
                                     crReporter* reporter, crShape** outShape);

// The mesh of a table of the type "mesh"; it belongs to the reader. Every fault is reported.
crStatus crElementReader_ReadMesh(crElementReader* reader, const crValue* value, crReporter* reporter,
                                  const crMesh** outMesh);

// The options of the scene, at most once.
crStatus crElementReader_SetOptions(crElementReader* reader, const crValue* value, crSource source);

#endif
