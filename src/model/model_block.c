// The block of a model: where its parts lie, binding a handle to it, and its fingerprint.
//
// A gap between the members of a record would hold chance, and the fingerprint with it. So the compiler refuses to make
// one, on machines with the sizes that records were made for.
#include "carom/scene.h"
#include "math/lanes.h"

#if UINTPTR_MAX == UINT64_MAX
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
#include "model/link.h"
#include "model/signal.h"
#pragma GCC diagnostic pop
#endif

#include "base/sha256.h"
#include "collide/area/polytope.h"
#include "model/model.h"

#include <string.h>

static size_t roundUp(size_t size, size_t alignment)
{
  return (size + alignment - 1) / alignment * alignment;
}

// Reserves `count` items behind `used` bytes. The sum of all parts stays below SIZE_MAX / 2.
static bool reserve(size_t count, size_t itemSize, size_t alignment, size_t* ioUsed, size_t* outStart)
{
  *outStart = roundUp(*ioUsed, alignment);
  if (count > SIZE_MAX / 4 / itemSize || *outStart > SIZE_MAX / 4) {
    return false;
  }
  *ioUsed = *outStart + count * itemSize;
  return true;
}

bool crModel_LayOut(const crModel* m, crModelHead* outHead)
{
  size_t used = sizeof *outHead;
  bool fits = true;
#define PART(type, name, count)                                                                                        \
  fits = fits && reserve((size_t)(count), sizeof(type), _Alignof(type), &used, &outHead->starts[cr_part_##name]);
#include "model/model_parts.inc"
  outHead->byteCount = roundUp(used, CR_BLOCK_ALIGNMENT);
  return fits;
}

void crModel_StoreScalars(const crModel* m, crModelHead* outHead)
{
#define SCALAR(type, name) memcpy(&outHead->name, &m->name, sizeof m->name);
#include "model/model_parts.inc"
}

void crModel_Bind(crModel* m, crModelHead* block) // NOLINT: long for the preprocessor alone
{
  char* bytes = (char*)block;
  m->block = block;
#define SCALAR(type, name) memcpy(&m->name, &block->name, sizeof m->name);
#define PART(type, name, count) m->name = (type*)(void*)(bytes + block->starts[cr_part_##name]);
#include "model/model_parts.inc"
  m->lawTable = (crKeyTable){ m->lawKeys, m->lawValues, crTableCapacity(m->lawCount) };
  m->excludedTable = (crKeyTable){ m->excludedKeys, m->excludedValues, crTableCapacity(m->excludedCount) };
  m->excludedShapeTable =
      (crKeyTable){ m->excludedShapeKeys, m->excludedShapeValues, crTableCapacity(m->excludedShapeCount) };
  m->pathTable = (crPathTable){ m->pathSlots, crTableCapacity(crCountPaths(m)), m->paths, m->text };
}

// --------------------------------------------------------------------------------------- fingerprint

static void addText(crSha256* hash, const char* text)
{
  crSha256_Add(hash, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
}

static void addNumbers(crSha256* hash, const crNamedNumber* numbers, int count)
{
  for (int i = 0; i < count; ++i) {
    addText(hash, numbers[i].name);
    crSha256_Add(hash, &numbers[i].value, sizeof numbers[i].value);
  }
}

static void addFunction(crSha256* hash, const crModelFunction* function)
{
  const crFunctionSource* source = &function->source;
  addText(hash, source->code);
  for (int i = 0; i < source->argumentCount; ++i) {
    addText(hash, source->arguments[i].name);
  }
  addNumbers(hash, source->constants, source->constantCount);
  addNumbers(hash, source->states, source->stateCount);
  crSha256_Add(hash, &source->period, sizeof source->period);
}

// Up to its function, of which is known that there is one.
static void addLaw(crSha256* hash, const crContactLaw* law)
{
  bool hasFunction = law->function != NULL;
  crSha256_Add(hash, law, offsetof(crContactLaw, function));
  crSha256_Add(hash, &hasFunction, sizeof hasFunction);
}

static void addHull(crSha256* hash, const crHull* hull)
{
  crSha256_Add(hash, hull->vertices, (size_t)hull->vertexCount * sizeof *hull->vertices);
  crSha256_Add(hash, hull->normals, (size_t)hull->faceCount * sizeof *hull->normals);
  crSha256_Add(hash, hull->offsets, (size_t)hull->faceCount * sizeof *hull->offsets);
  crSha256_Add(hash, hull->faceStarts, ((size_t)hull->faceCount + 1) * sizeof *hull->faceStarts);
  crSha256_Add(hash, hull->faceVertices, (size_t)hull->faceVertexCount * sizeof *hull->faceVertices);
}

// The core and what is swept over it: all that collisions see.
static void addShape(crSha256* hash, const crShape* shape)
{
  const crCore* core = &shape->core;
  int kind = (int)shape->kind;
  double sizes[] = { core->radius, core->topRadius, core->zMin,     core->zMax,
                     shape->sweep, shape->rounding, shape->inflate, shape->smallestDimension,
                     core->half.x, core->half.y,    core->half.z };
  crSha256_Add(hash, &kind, sizeof kind);
  crSha256_Add(hash, sizes, sizeof sizes);
  crSha256_Add(hash, &shape->R_FS, sizeof shape->R_FS);
  if (core->hull != NULL) {
    addHull(hash, core->hull);
  }
  if (shape->innerFaces != NULL) {
    crSha256_Add(hash, shape->innerFaces, (size_t)crCountPolytopeFaces(shape) * sizeof *shape->innerFaces);
  }
}

static void addAction(crSha256* hash, const crActionDef* action)
{
  const char* texts[] = { action->name, action->attach, action->release, action->remove,
                          action->lock, action->unlock, action->to,      action->signal };
  const double numbers[] = { action->maxSpeed, action->time,     action->period,
                             action->level,    action->duration, action->direction };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    addText(hash, texts[i]);
  }
  for (int i = 0; i < action->contactCount; ++i) {
    addText(hash, action->contact[i]);
  }
  crSha256_Add(hash, numbers, sizeof numbers);
}

crStatus crModel_GetHash(const crModel* m, char outText[CR_HASH_TEXT])
{
  _Static_assert(CR_HASH_TEXT == CR_SHA256_TEXT, "one length of fingerprints");
  if (m == NULL || outText == NULL) {
    return cr_errorMisuse;
  }
  crSha256 hash;
  crSha256_Init(&hash);
  crSha256_Add(&hash, m->block, m->block->byteCount);
  for (int i = 0; i < m->size.shapeCount; ++i) {
    addShape(&hash, &m->shapes[i]);
  }
  for (int i = 0; i < m->lawCount; ++i) {
    addLaw(&hash, &m->laws[i]);
  }
  for (int i = 0; i < m->functionCount; ++i) {
    addFunction(&hash, &m->functions[i]);
  }
  for (int i = 0; i < crModel_CountActions(m); ++i) {
    addAction(&hash, crModel_GetAction(m, i));
  }
  crSha256_Finish(&hash, outText);
  return cr_ok;
}
