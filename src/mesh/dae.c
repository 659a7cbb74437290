// COLLADA files (.dae, version 1.4 and 1.5), as far as a body needs them: the triangles and polygons of all geometries
// that the scene shows, placed by the matrices of its nodes, in metres. Each geometry that is shown is one piece.
//
//   <source>    numbers, of which an <accessor> says how many belong together
//   <vertices>  which source holds the positions
//   <triangles>, <polylist>, <polygons>, <trifans>, <tristrips>
//               numbers of corners in <p>, several of them for each corner: the one at the offset of VERTEX counts
//   <node>      matrix, translate, rotate, scale; instances of geometries and of other nodes
//
// The up axis is not applied, as it is not by the programs that show robots: what their files say otherwise is meant
// so.
#include "mesh/dae.h"
#include "base/map.h"
#include "base/platform.h"
#include "carom/io.h"
#include "mesh/mesh_builder.h"
#include "xml/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_MOST_INSTANCES 100000 // nodes and geometries: those that show each other would have no end
#define CR_MOST_WORK 2e9         // [bytes] of numbers, those of a geometry once for each time that it is shown
#define CR_MOST_DEPTH 100        // nodes in nodes, by instances too

// p -> A p + t
typedef struct Affine {
  crMat3 A;
  crVec3 t;
} Affine;

typedef struct Reader {
  crMeshBuilder* builder;
  crArena* arena;
  crMap ids; // -> nodes
  crArrayOf(const crXmlNode*) nodes;
  int budget;
  double work; // [bytes] of numbers that may still be read
  crStatus status;
} Reader;

static bool fail(Reader* reader, const crXmlNode* node, const char* message)
{
  if (reader->status == cr_ok) {
    reader->builder->reporter->source.line = node != NULL ? node->line : 0;
    crComplaint complaint = { .message = message };
    crReport(reader->builder->reporter, cr_severityError, cr_errorSyntax, &complaint);
    reader->status = cr_errorSyntax;
  }
  return false;
}

static bool failMemory(Reader* reader)
{
  reader->status = cr_errorMemory;
  return false;
}

// ------------------------------------------------------------------------------------------------ ids

static void listIds(Reader* reader, const crXmlNode* node)
{
  const char* id = crXml_Get(node, "id");
  if (id != NULL && reader->status == cr_ok) {
    const crXmlNode** place = crArray_Push(&reader->nodes, &reader->builder->allocator);
    if (place == NULL || !crMap_SetString(&reader->ids, id, reader->nodes.count - 1)) {
      failMemory(reader);
      return;
    }
    *place = node;
  }
  for (const crXmlNode* child = node->first; child != NULL; child = child->next) {
    listIds(reader, child);
  }
}

// What "#id" stands for, if it is of this kind; NULL: nothing.
static const crXmlNode* find(const Reader* reader, const char* reference, const char* kind)
{
  int found = reference != NULL && reference[0] == '#' ? crMap_FindString(&reader->ids, reference + 1) : -1;
  const crXmlNode* node = found >= 0 ? reader->nodes.items[found] : NULL;
  return node != NULL && crXml_Is(node, kind) ? node : NULL;
}

static int getWhole(const crXmlNode* node, const char* attribute, int otherwise)
{
  const char* text = crXml_Get(node, attribute);
  double value = otherwise;
  return text != NULL && crSplitNumbers(text, 1, &value) == 1 && value >= 0.0 && value < 1e9 ? (int)value : otherwise;
}

// All numbers of a text; NULL: there is none, or something else, or no memory.
static double* readNumbers(Reader* reader, const crXmlNode* node, int* outCount)
{
  reader->work -= node != NULL ? (double)strlen(node->text) : 0.0;
  if (reader->work < 0.0) {
    fail(reader, node, "the scene shows its geometries too often");
    return NULL;
  }
  *outCount = node != NULL ? crSplitNumbers(node->text, 0, NULL) : 0;
  if (*outCount < 0) {
    fail(reader, node, "these are not all numbers");
    return NULL;
  }
  double* numbers = crArena_AllocateZero(reader->arena, (size_t)*outCount + 1, sizeof *numbers);
  if (numbers == NULL) {
    failMemory(reader);
    return NULL;
  }
  crSplitNumbers(*outCount > 0 ? node->text : "", *outCount, numbers);
  return numbers;
}

// ------------------------------------------------------------------------------------------- geometry

typedef struct Positions {
  const double* numbers;
  int count, stride; // of positions; numbers from one to the next
  int32_t* places;   // (count) in the mesh; -1: not used yet
} Positions;

static bool readPositions(Reader* reader, const crXmlNode* mesh, Positions* out)
{
  const crXmlNode* vertices = crXml_Find(mesh, "vertices");
  const crXmlNode* input = vertices != NULL ? crXml_Find(vertices, "input") : NULL;
  while (input != NULL &&
         (crXml_Get(input, "semantic") == NULL || strcmp(crXml_Get(input, "semantic"), "POSITION") != 0)) {
    input = crXml_FindNext(input);
  }
  const crXmlNode* source = input != NULL ? find(reader, crXml_Get(input, "source"), "source") : NULL;
  const crXmlNode* array = source != NULL ? crXml_Find(source, "float_array") : NULL;
  const crXmlNode* technique = source != NULL ? crXml_Find(source, "technique_common") : NULL;
  const crXmlNode* accessor = technique != NULL ? crXml_Find(technique, "accessor") : NULL;
  int numberCount;
  if (array == NULL) {
    return fail(reader, mesh, "this mesh has no positions");
  }
  out->numbers = readNumbers(reader, array, &numberCount);
  out->stride = accessor != NULL ? getWhole(accessor, "stride", 3) : 3;
  if (out->numbers == NULL || out->stride < 3) {
    return out->numbers != NULL ? fail(reader, source, "positions have three numbers each") : false;
  }
  out->count = numberCount / out->stride;
  out->places = crArena_AllocateZero(reader->arena, (size_t)out->count + 1, sizeof *out->places);
  if (out->places == NULL) {
    return failMemory(reader);
  }
  memset(out->places, -1, (size_t)out->count * sizeof *out->places);
  return true;
}

// The number of a corner in the mesh; -1 after a fault.
static int findCorner(Reader* reader, const Positions* positions, const Affine* place, double index,
                      const crXmlNode* node)
{
  if (!(index >= 0.0 && index < positions->count)) {
    fail(reader, node, "a corner names a position that does not exist");
    return -1;
  }
  int32_t* number = &positions->places[(int)index];
  if (*number < 0) {
    const double* n = positions->numbers + (size_t)positions->stride * (size_t)index;
    crVec3 p = crAdd(crMulMV(place->A, crMakeVec3(n[0], n[1], n[2])), place->t);
    if (!crIsFiniteVec3(p)) {
      fail(reader, node, "a position is not finite");
      return -1;
    }
    *number = crMeshBuilder_AddPoint(reader->builder, p);
    reader->status = *number < 0 ? cr_errorMemory : reader->status;
  }
  return *number;
}

// Corners of one primitive: `step` numbers each, the position's at `offset`.
typedef struct Corners {
  const crXmlNode* node;
  const double* numbers;
  int count, step, offset; // count of corners
} Corners;

static bool addTriangle(Reader* reader, const Positions* positions, const Affine* place, const Corners* corners, int a,
                        int b, int c)
{
  const int places[3] = { a, b, c };
  int found[3];
  for (int i = 0; i < 3; ++i) {
    double index = corners->numbers[(size_t)places[i] * (size_t)corners->step + (size_t)corners->offset];
    found[i] = findCorner(reader, positions, place, index, corners->node);
    if (found[i] < 0) {
      return false;
    }
  }
  bool isMirrored = crDeterminant(place->A) < 0.0;
  return crMeshBuilder_AddTriangle(reader->builder, found[0], found[isMirrored ? 2 : 1], found[isMirrored ? 1 : 2]) ||
         failMemory(reader);
}

// Corners from `first` on as a fan, or as a strip.
static bool addPolygon(Reader* reader, const Positions* positions, const Affine* place, const Corners* corners,
                       int first, int count, bool isStrip)
{
  for (int i = 2; i < count; ++i) {
    bool isOdd = isStrip && i % 2 == 1;
    int a = isStrip ? first + i - 2 : first, b = first + i - 1, c = first + i;
    if (!addTriangle(reader, positions, place, corners, a, isOdd ? c : b, isOdd ? b : c)) {
      return false;
    }
  }
  return true;
}

static bool readInputs(const crXmlNode* primitive, Corners* corners)
{
  bool isFound = false;
  corners->step = 1;
  for (const crXmlNode* input = crXml_Find(primitive, "input"); input != NULL; input = crXml_FindNext(input)) {
    int offset = getWhole(input, "offset", 0);
    const char* semantic = crXml_Get(input, "semantic");
    corners->step = offset + 1 > corners->step ? offset + 1 : corners->step;
    if (semantic != NULL && strcmp(semantic, "VERTEX") == 0) {
      corners->offset = offset;
      isFound = true;
    }
  }
  return isFound && corners->step <= 64;
}

static bool readPrimitive(Reader* reader, const Positions* positions, const Affine* place, const crXmlNode* primitive)
{
  Corners corners = { .node = primitive };
  bool isTriangles = crXml_Is(primitive, "triangles"), isList = crXml_Is(primitive, "polylist");
  bool isStrip = crXml_Is(primitive, "tristrips");
  const crXmlNode* p = crXml_Find(primitive, "p");
  if (p == NULL) {
    return true; // an empty one
  }
  if (!readInputs(primitive, &corners)) {
    return fail(reader, primitive, "these polygons do not say which number is the vertex");
  }
  int sizeCount = 0;
  const double* sizes = isList ? readNumbers(reader, crXml_Find(primitive, "vcount"), &sizeCount) : NULL;
  for (; p != NULL && reader->status == cr_ok; p = crXml_FindNext(p)) {
    int numberCount;
    corners.numbers = readNumbers(reader, p, &numberCount);
    corners.count = numberCount / corners.step;
    int first = 0;
    for (int k = 0; reader->status == cr_ok && first < corners.count; ++k) {
      double size = isTriangles ? 3.0 : isList ? (k < sizeCount ? sizes[k] : -1.0) : corners.count;
      if (isList && k == sizeCount) {
        break;
      }
      if (!(size >= 0.0 && first + size <= corners.count)) {
        return fail(reader, primitive, "polygons have more corners than there are numbers");
      }
      if (!addPolygon(reader, positions, place, &corners, first, (int)size, isStrip)) {
        return false;
      }
      first += (int)size;
    }
  }
  return reader->status == cr_ok;
}

static void readGeometry(Reader* reader, const crXmlNode* geometry, const Affine* place)
{
  static const char* const kinds[] = { "triangles", "polylist", "polygons", "trifans", "tristrips" };
  const crXmlNode* mesh = crXml_Find(geometry, "mesh");
  Positions positions = { 0 };
  if (mesh == NULL || !readPositions(reader, mesh, &positions)) {
    return; // splines have no mesh
  }
  for (const crXmlNode* node = mesh->first; node != NULL && reader->status == cr_ok; node = node->next) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
      if (crXml_Is(node, kinds[i])) {
        readPrimitive(reader, &positions, place, node);
      }
    }
  }
  crMeshBuilder_EndPiece(reader->builder);
}

// --------------------------------------------------------------------------------------------- scene

static Affine multiply(const Affine* a, const Affine* b)
{
  Affine product = { crMulMM(a->A, b->A), crAdd(crMulMV(a->A, b->t), a->t) };
  return product;
}

// The transform that an element of a node stands for; the identity for others.
static Affine readTransform(Reader* reader, const crXmlNode* node)
{
  Affine result = { crIdentityMat3(), { 0.0, 0.0, 0.0 } };
  static const struct {
    const char* name;
    int count;
  } kinds[] = { { "matrix", 16 }, { "translate", 3 }, { "rotate", 4 }, { "scale", 3 } };
  int kind = 0;
  while (kind < 4 && !crXml_Is(node, kinds[kind].name)) {
    ++kind;
  }
  double n[16];
  if (kind == 4) {
    return result;
  }
  if (crSplitNumbers(node->text, 16, n) != kinds[kind].count) {
    fail(reader, node, "this transform has another number of numbers");
    return result;
  }
  if (kind == 0) {
    result.A = (crMat3){ { n[0], n[4], n[8] }, { n[1], n[5], n[9] }, { n[2], n[6], n[10] } };
    result.t = crMakeVec3(n[3], n[7], n[11]);
  } else if (kind == 1) {
    result.t = crMakeVec3(n[0], n[1], n[2]);
  } else if (kind == 2 && (n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0)) {
    result.A = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(n[0], n[1], n[2]), n[3] * CR_PI / 180.0));
  } else if (kind == 3) {
    result.A = (crMat3){ { n[0], 0.0, 0.0 }, { 0.0, n[1], 0.0 }, { 0.0, 0.0, n[2] } };
  }
  return result;
}

static void readNode(Reader* reader, const crXmlNode* node, Affine place, int depth)
{
  if (depth > CR_MOST_DEPTH || reader->budget-- <= 0) {
    fail(reader, node, "the scene has no end: nodes show each other");
    return;
  }
  for (const crXmlNode* child = node->first; child != NULL && reader->status == cr_ok; child = child->next) {
    Affine own = readTransform(reader, child);
    place = multiply(&place, &own);
  }
  for (const crXmlNode* child = node->first; child != NULL && reader->status == cr_ok; child = child->next) {
    const char* url = crXml_Get(child, "url");
    if (crXml_Is(child, "node")) {
      readNode(reader, child, place, depth + 1);
    } else if (crXml_Is(child, "instance_geometry")) {
      const crXmlNode* geometry = find(reader, url, "geometry");
      if (geometry != NULL && reader->budget-- > 0) {
        readGeometry(reader, geometry, &place);
      }
    } else if (crXml_Is(child, "instance_node")) {
      const crXmlNode* other = find(reader, url, "node");
      if (other != NULL) {
        readNode(reader, other, place, depth + 1);
      }
    }
  }
}

static void readScene(Reader* reader, const crXmlNode* root)
{
  const crXmlNode *asset = crXml_Find(root, "asset"), *unit = asset != NULL ? crXml_Find(asset, "unit") : NULL;
  const crXmlNode *scene = crXml_Find(root, "scene"),
                  *instance = scene != NULL ? crXml_Find(scene, "instance_visual_scene") : NULL;
  const crXmlNode *scenes = crXml_Find(root, "library_visual_scenes"),
                  *shown = instance != NULL ? find(reader, crXml_Get(instance, "url"), "visual_scene") : NULL;
  double metre = 1.0;
  if (unit != NULL && crXml_Get(unit, "meter") != NULL && crSplitNumbers(crXml_Get(unit, "meter"), 1, &metre) != 1) {
    fail(reader, unit, "the unit is no number of metres");
    return;
  }
  Affine place = { { { metre, 0.0, 0.0 }, { 0.0, metre, 0.0 }, { 0.0, 0.0, metre } }, { 0.0, 0.0, 0.0 } };
  shown = shown != NULL ? shown : scenes != NULL ? crXml_Find(scenes, "visual_scene") : NULL;
  if (shown != NULL) {
    readNode(reader, shown, place, 0);
    return;
  }
  const crXmlNode* geometries = crXml_Find(root, "library_geometries");
  const crXmlNode* geometry = geometries != NULL ? crXml_Find(geometries, "geometry") : NULL;
  for (; geometry != NULL && reader->status == cr_ok; geometry = crXml_FindNext(geometry)) {
    readGeometry(reader, geometry, &place);
  }
}

// --------------------------------------------------------------------------------------------- file

bool crIsDae(const char* bytes, size_t size)
{
  static const char word[] = "<COLLADA";
  size_t most = size < 4096 ? size : 4096;
  for (size_t i = 0; i + sizeof word - 1 <= most; ++i) {
    if (memcmp(bytes + i, word, sizeof word - 1) == 0) {
      return true;
    }
  }
  return false;
}

static crStatus readDae(crMeshBuilder* builder, const char* text, size_t size, const char* name, crArena* arena)
{
  crXmlNode* root;
  crStatus status = crReadXml(text, size, name, arena, builder->reporter->sink, &root);
  if (status != cr_ok) {
    return status;
  }
  Reader reader = {
    .builder = builder, .arena = arena, .budget = CR_MOST_INSTANCES, .work = CR_MOST_WORK, .status = cr_ok
  };
  crMap_Init(&reader.ids, &builder->allocator);
  if (!crXml_Is(root, "COLLADA")) {
    fail(&reader, root, "this is no COLLADA file");
  } else {
    listIds(&reader, root);
    readScene(&reader, root);
  }
  crMap_Free(&reader.ids);
  crArray_Free(&reader.nodes, &builder->allocator);
  return reader.status;
}

crStatus crReadDae(const char* text, size_t size, const char* name, crVec3 scale, const crAllocator* allocator,
                   const crErrorSink* sink, crMesh** outMesh)
{
  if (outMesh == NULL || (text == NULL && size > 0)) {
    return cr_errorMisuse;
  }
  *outMesh = NULL;
  crReporter reporter = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL);
  crMeshBuilder builder;
  crArena arena;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // for numbers
  locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
  crStatus status = crMeshBuilder_Init(&builder, scale, allocator, &reporter);
  crArena_Init(&arena, &builder.allocator);
  if (status == cr_ok) {
    status = readDae(&builder, text != NULL ? text : "", size, name, &arena);
    status = status == cr_errorMemory ? crMeshBuilder_ReportMemory(&builder) : status;
  }
  reporter.source.line = 0;
  if (status == cr_ok) {
    status = crMeshBuilder_Finish(&builder, outMesh);
  }
  crArena_Free(&arena);
  crMeshBuilder_Free(&builder);
  if (plain != (locale_t)0) {
    uselocale(before);
    freelocale(plain);
  }
  return status;
}
