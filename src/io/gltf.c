// Motion as binary glTF 2.0 (.glb), for Blender, slides and other viewers.
//
//   root (z up becomes y up)
//     a node for each body: animated translation and rotation
//       a node for each object that is drawn or looks: its pose in the body
//         a node for each shape: the mesh
// Equal shapes with equal looks share a mesh. The file is a header, a JSON chunk and a binary chunk.
#include "carom/report.h"

#include "base/file.h"
#include "base/map.h"
#include "base/report.h"
#include "io/json_text.h"
#include "io/picture.h"
#include "io/tessellate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_GLB_MAGIC 0x46546c67u // "glTF"
#define CR_GLB_VERSION 2u
#define CR_GLB_JSON 0x4e4f534au // "JSON"
#define CR_GLB_BINARY 0x004e4942u
#define CR_GLB_LIMIT 0xfffffff0u // [bytes] lengths have 32 bits
enum { cr_gltfUint32 = 5125, cr_gltfFloat = 5126, cr_gltfVertices = 34962, cr_gltfIndices = 34963 };
enum { cr_gltfLines = 1, cr_gltfTriangles = 4 };
#define CR_NEAR 0.01        // [m] of cameras
#define CR_ARROW_LOOKS 3    // looks of the arrows of coordinate systems, which come first
#define CR_MARGIN 2.0       // [-] an unbounded shape is drawn this much farther than anything moves
#define CR_LEAST_EXTENT 5.0 // [m]

typedef struct View {
  size_t offset, size;
  int target; // 0: none
} View;

typedef struct Accessor {
  int view;
  int type; // cr_gltfFloat or cr_gltfUint32
  int count;
  const char* shape; // "SCALAR", "VEC3", "VEC4"
  bool hasBounds;
  int boundCount;
  double min[3], max[3];
} Accessor;

typedef struct Mesh {
  int positions, normals, indices; // accessors; normals -1: lines
  int look;
} Mesh;

typedef struct Node {
  const char* path;   // name
  const char* suffix; // behind it, or ""
  int firstChild, childCount;
  crPose pose;
  bool isRoot;
  int mesh, camera; // -1: none
} Node;

typedef struct Channel {
  int node, sampler;
  bool isRotation;
} Channel;

typedef struct MeshKey {
  crShapeDef shape;
  int look, part;
} MeshKey;

typedef struct Writing {
  const crPicture* picture;
  crAllocator allocator;
  crArena arena;
  crBytes binary;
  crArrayOf(View) views;
  crArrayOf(Accessor) accessors;
  crArrayOf(Mesh) meshes;
  crArrayOf(Node) nodes;
  crArrayOf(int) children; // nodes
  crArrayOf(const char*) looks;
  crArrayOf(double) cameras; // field of view [rad]
  crArrayOf(Channel) channels;
  crArrayOf(int) outputs; // accessor of each sampler; all have the same input
  crMap lookNumbers, meshNumbers;
  int* rows; // (rowCount) of the result: finite, times growing
  int rowCount;
  int timeAccessor;
  double extent; // [m]
} Writing;

// ------------------------------------------------------------------------------------------ buffers

// A view of what was added to the binary chunk since `offset`, and an accessor for it. -1: out of memory.
static int addAccessor(Writing* writing, size_t offset, int target, Accessor accessor)
{
  View* view = crArray_Push(&writing->views, &writing->allocator);
  Accessor* place = view != NULL ? crArray_Push(&writing->accessors, &writing->allocator) : NULL;
  if (place == NULL || writing->binary.hasFailed) {
    return -1;
  }
  *view = (View){ offset, writing->binary.size - offset, target };
  accessor.view = writing->views.count - 1;
  *place = accessor;
  return writing->accessors.count - 1;
}

static int addBytes(Writing* writing, const crBytes* bytes, int target, Accessor accessor)
{
  size_t offset = writing->binary.size;
  crBytes_Add(&writing->binary, bytes->items, bytes->size);
  return addAccessor(writing, offset, target, accessor);
}

// ------------------------------------------------------------------------------------------- meshes

static bool addSurface(Writing* writing, const crTriangles* surface, int look)
{
  Mesh* mesh = crArray_Push(&writing->meshes, &writing->allocator);
  if (mesh == NULL) {
    return false;
  }
  Accessor positions = { .type = cr_gltfFloat,
                         .count = surface->pointCount,
                         .shape = "VEC3",
                         .hasBounds = true,
                         .boundCount = 3,
                         .min = { surface->min.x, surface->min.y, surface->min.z },
                         .max = { surface->max.x, surface->max.y, surface->max.z } };
  Accessor normals = { .type = cr_gltfFloat, .count = surface->pointCount, .shape = "VEC3" };
  Accessor indices = { .type = cr_gltfUint32, .count = surface->indexCount, .shape = "SCALAR" };
  mesh->look = look;
  mesh->positions = addBytes(writing, &surface->positions, cr_gltfVertices, positions);
  mesh->normals = surface->isLines ? -1 : addBytes(writing, &surface->normals, cr_gltfVertices, normals);
  mesh->indices = addBytes(writing, &surface->indices, cr_gltfIndices, indices);
  return mesh->positions >= 0 && (mesh->normals >= 0 || surface->isLines) && mesh->indices >= 0;
}

static int findLook(Writing* writing, const char* name)
{
  const char* key = name != NULL ? name : "";
  int known = crMap_FindString(&writing->lookNumbers, key);
  if (known >= 0) {
    return known;
  }
  const char** place = crArray_Push(&writing->looks, &writing->allocator);
  if (place == NULL) {
    return -1;
  }
  *place = key;
  int number = CR_ARROW_LOOKS + writing->looks.count - 1;
  return crMap_SetString(&writing->lookNumbers, key, number) ? number : -1;
}

// The mesh of a part of a shape, made at its first use. outMesh -1: a shape without triangles.
static crStatus findMesh(Writing* writing, const crShapeDef* shape, int part, int look, int* outMesh)
{
  MeshKey* key = crArena_AllocateZero(&writing->arena, 1, sizeof *key);
  if (key == NULL) {
    return cr_errorMemory;
  }
  memcpy(&key->shape, shape, sizeof *shape);
  key->look = look;
  key->part = part;
  *outMesh = crMap_Find(&writing->meshNumbers, (const char*)key, sizeof *key);
  if (*outMesh >= 0) {
    return cr_ok;
  }
  crTriangles surface;
  crTriangles_Init(&surface, &writing->allocator);
  crStatus status = crTessellate(shape, part, writing->extent, &surface);
  if (status == cr_ok && surface.indexCount > 0) {
    *outMesh = writing->meshes.count;
    bool isAdded = addSurface(writing, &surface, look) &&
                   crMap_Set(&writing->meshNumbers, (const char*)key, sizeof *key, *outMesh);
    status = isAdded ? cr_ok : cr_errorMemory;
  }
  crTriangles_Free(&surface);
  return status;
}

// -------------------------------------------------------------------------------------------- nodes

static crPose identityPose(void)
{
  return (crPose){ crQuatToMat3(crIdentityQuat()), { 0.0, 0.0, 0.0 } };
}

// The number of a new node without children; -1: out of memory.
static int addNode(Writing* writing, const char* path, const char* suffix, crPose pose)
{
  Node* node = crArray_Push(&writing->nodes, &writing->allocator);
  if (node == NULL) {
    return -1;
  }
  *node = (Node){ .path = path, .suffix = suffix, .pose = pose, .mesh = -1, .camera = -1 };
  return writing->nodes.count - 1;
}

// Nodes first to last - 1 become children, in order.
static bool adopt(Writing* writing, int node, const int* children, int count)
{
  writing->nodes.items[node].firstChild = writing->children.count;
  writing->nodes.items[node].childCount = count;
  for (int i = 0; i < count; ++i) {
    int* place = crArray_Push(&writing->children, &writing->allocator);
    if (place == NULL) {
      return false;
    }
    *place = children[i];
  }
  return true;
}

typedef crArrayOf(int) NodeList;

static bool pushNode(Writing* writing, NodeList* list, int node)
{
  int* place = node >= 0 ? crArray_Push(list, &writing->allocator) : NULL;
  if (place != NULL) {
    *place = node;
  }
  return place != NULL;
}

static crStatus addShape(Writing* writing, const char* path, const crShapeDef* shape, const char* lookName,
                         NodeList* list)
{
  for (int part = 0; part < crCountParts(shape->kind); ++part) {
    bool isArrow = shape->kind == cr_shapeCoordinateSystem;
    int look = isArrow ? part : findLook(writing, lookName), mesh = -1;
    crStatus status = look >= 0 ? findMesh(writing, shape, part, look, &mesh) : cr_errorMemory;
    if (status != cr_ok) {
      return status;
    }
    if (mesh >= 0) {
      int node = addNode(writing, path, crShapeKindText(shape->kind), crComputeShapePose(shape));
      if (!pushNode(writing, list, node)) {
        return cr_errorMemory;
      }
      writing->nodes.items[node].mesh = mesh;
    }
  }
  return cr_ok;
}

static crStatus addCamera(Writing* writing, const char* path, double fieldOfView, NodeList* list)
{
  double* place = crArray_Push(&writing->cameras, &writing->allocator);
  int node = place != NULL ? addNode(writing, path, "camera", identityPose()) : -1;
  if (!pushNode(writing, list, node)) {
    return cr_errorMemory;
  }
  *place = fieldOfView;
  writing->nodes.items[node].camera = writing->cameras.count - 1;
  return cr_ok;
}

// What an object shows, as nodes in `list`.
static crStatus addFeatures(Writing* writing, const crObjectDef* def, NodeList* list)
{
  crStatus status = cr_ok;
  for (int k = 0; k < def->featureCount && status == cr_ok; ++k) {
    const crFeatureDef* feature = &def->features[k];
    const char* look = NULL;
    const crShapeDef* shape = crPicture_FindDrawn(feature, &look);
    if (shape != NULL) {
      status = addShape(writing, def->name, shape, look, list);
    } else if (feature->kind == cr_featureCamera) {
      status = addCamera(writing, def->name, feature->as.camera.fieldOfView, list);
    }
  }
  return status;
}

// An object with all that it shows becomes a child in `siblings`; one that shows nothing is left out.
static crStatus addObject(Writing* writing, const crModelObject* place, NodeList* siblings)
{
  const crObjectDef* def = crPicture_GetObject(writing->picture, place->sceneIndex);
  NodeList list = { NULL, 0, 0 };
  crStatus status = addFeatures(writing, def, &list);
  if (status == cr_ok && list.count > 0) {
    int node = addNode(writing, def->name, "", place->X_BO);
    bool isAdded = pushNode(writing, siblings, node) && adopt(writing, node, list.items, list.count);
    status = isAdded ? cr_ok : cr_errorMemory;
  }
  crArray_Free(&list, &writing->allocator);
  return status;
}

// The pose of a body at a row.
static const float* poseAt(const Writing* writing, int body, int row)
{
  return crResult_GetPoses(writing->picture->result, row) + (size_t)CR_POSE_SIZE * body;
}

static crPose startPose(const Writing* writing, int body)
{
  int recorded = writing->picture->bodies[body];
  if (recorded < 0 || writing->rowCount == 0) {
    return crModel_GetBody(writing->picture->model, body)->X_WB_start;
  }
  const float* p = poseAt(writing, recorded, writing->rows[0]);
  crQuat q = { (double)p[3], (double)p[4], (double)p[5], (double)p[6] };
  return (crPose){ crQuatToMat3(crNormalizeQuat(q)), { (double)p[0], (double)p[1], (double)p[2] } };
}

// ---------------------------------------------------------------------------------------- animation

static bool isFiniteRow(const crResult* result, int row)
{
  const float* poses = crResult_GetPoses(result, row);
  for (int i = 0; i < CR_POSE_SIZE * crResult_CountBodies(result); ++i) {
    if (!isfinite(poses[i])) {
      return false;
    }
  }
  return true;
}

// Key frames have growing times: of two rows beside an event the first is taken.
static bool chooseRows(Writing* writing)
{
  const crResult* result = writing->picture->result;
  int rowCount = crResult_CountRows(result);
  float last = -1.0f;
  writing->rows = crArena_AllocateZero(&writing->arena, (size_t)rowCount, sizeof(int));
  for (int r = 0; writing->rows != NULL && r < rowCount && crResult_CountBodies(result) > 0; ++r) {
    float time = (float)(crResult_GetTimes(result)[r] - crResult_GetTimes(result)[0]);
    if (time > last && isFiniteRow(result, r)) {
      writing->rows[writing->rowCount++] = r;
      last = time;
    }
  }
  return writing->rows != NULL;
}

static bool moves(const Writing* writing, int body, int first, int count)
{
  const float* start = poseAt(writing, body, writing->rows[0]) + first;
  for (int i = 1; i < writing->rowCount; ++i) {
    if (memcmp(start, poseAt(writing, body, writing->rows[i]) + first, (size_t)count * sizeof(float)) != 0) {
      return true;
    }
  }
  return false;
}

static bool addChannel(Writing* writing, int node, int output, bool isRotation)
{
  int* place = output >= 0 ? crArray_Push(&writing->outputs, &writing->allocator) : NULL;
  Channel* channel = place != NULL ? crArray_Push(&writing->channels, &writing->allocator) : NULL;
  if (channel == NULL) {
    return false;
  }
  *place = output;
  *channel = (Channel){ node, writing->outputs.count - 1, isRotation };
  return true;
}

// glTF puts w last.
static bool animate(Writing* writing, int node, int body, bool isRotation)
{
  static const int places[2][4] = { { 0, 1, 2, 0 }, { 4, 5, 6, 3 } };
  int count = isRotation ? 4 : 3;
  size_t offset = writing->binary.size;
  for (int i = 0; i < writing->rowCount; ++i) {
    const float* pose = poseAt(writing, body, writing->rows[i]);
    for (int k = 0; k < count; ++k) {
      crBytes_AddFloat(&writing->binary, (double)pose[places[isRotation][k]]);
    }
  }
  Accessor accessor = { .type = cr_gltfFloat, .count = writing->rowCount, .shape = isRotation ? "VEC4" : "VEC3" };
  return addChannel(writing, node, addAccessor(writing, offset, 0, accessor), isRotation);
}

static crStatus animateBody(Writing* writing, int node, int body)
{
  bool isDone = true;
  if (body >= 0 && writing->rowCount > 1) {
    isDone = !moves(writing, body, 0, 3) || animate(writing, node, body, false);
    isDone = isDone && (!moves(writing, body, 3, 4) || animate(writing, node, body, true));
  }
  return isDone ? cr_ok : cr_errorMemory;
}

static bool addTimes(Writing* writing)
{
  const double* times = crResult_GetTimes(writing->picture->result);
  size_t offset = writing->binary.size;
  if (writing->rowCount < 2) {
    return true;
  }
  for (int i = 0; i < writing->rowCount; ++i) {
    crBytes_AddFloat(&writing->binary, times[writing->rows[i]] - times[0]);
  }
  Accessor accessor = { .type = cr_gltfFloat,
                        .count = writing->rowCount,
                        .shape = "SCALAR",
                        .hasBounds = true,
                        .boundCount = 1,
                        .min = { (double)(float)(times[writing->rows[0]] - times[0]) },
                        .max = { (double)(float)(times[writing->rows[writing->rowCount - 1]] - times[0]) } };
  writing->timeAccessor = addAccessor(writing, offset, 0, accessor);
  return writing->timeAccessor >= 0;
}

// ------------------------------------------------------------------------------------------- scene

static crStatus addBody(Writing* writing, int body, NodeList* siblings)
{
  const crBody* part = crModel_GetBody(writing->picture->model, body);
  NodeList list = { NULL, 0, 0 };
  crStatus status = cr_ok;
  for (int i = 0; i < part->objectCount && status == cr_ok; ++i) {
    status = addObject(writing, crModel_GetObject(writing->picture->model, part->objectStart + i), &list);
  }
  if (status == cr_ok) {
    int node = addNode(writing, part->path, "body", body > 0 ? startPose(writing, body) : identityPose());
    bool isAdded = pushNode(writing, siblings, node) && adopt(writing, node, list.items, list.count);
    status = isAdded ? animateBody(writing, node, writing->picture->bodies[body]) : cr_errorMemory;
  }
  crArray_Free(&list, &writing->allocator);
  return status;
}

static void findExtent(Writing* writing)
{
  writing->extent = CR_LEAST_EXTENT;
  for (int i = 0; i < writing->rowCount; ++i) {
    for (int b = 0; b < crResult_CountBodies(writing->picture->result); ++b) {
      const float* p = poseAt(writing, b, writing->rows[i]);
      double far = fmax(fabs((double)p[0]), fmax(fabs((double)p[1]), fabs((double)p[2])));
      writing->extent = fmax(writing->extent, CR_MARGIN * far);
    }
  }
}

static crStatus buildScene(Writing* writing)
{
  NodeList bodies = { NULL, 0, 0 };
  crStatus status = chooseRows(writing) ? cr_ok : cr_errorMemory;
  findExtent(writing);
  int root = status == cr_ok ? addNode(writing, "world, y up", "", identityPose()) : -1;
  status = root >= 0 && addTimes(writing) ? cr_ok : cr_errorMemory;
  for (int i = 0; i < writing->picture->bodyCount && status == cr_ok; ++i) {
    status = addBody(writing, i, &bodies);
  }
  if (status == cr_ok) {
    writing->nodes.items[root].isRoot = true;
    status = adopt(writing, root, bodies.items, bodies.count) ? cr_ok : cr_errorMemory;
  }
  crArray_Free(&bodies, &writing->allocator);
  return status;
}

// --------------------------------------------------------------------------------------------- JSON

static void putNumbers(crJsonText* text, const char* key, const double* numbers, int count)
{
  crJsonText_Key(text, key);
  crJsonText_BeginArray(text);
  for (int i = 0; i < count; ++i) {
    crJsonText_Number(text, numbers[i]);
  }
  crJsonText_EndArray(text);
}

static void putChildren(const Writing* writing, crJsonText* text, const Node* node)
{
  if (node->childCount > 0) {
    crJsonText_Key(text, "children");
    crJsonText_BeginArray(text);
    for (int i = 0; i < node->childCount; ++i) {
      crJsonText_Number(text, writing->children.items[node->firstChild + i]);
    }
    crJsonText_EndArray(text);
  }
}

// z up becomes y up: a quarter turn about x.
static void putPose(crJsonText* text, const Node* node)
{
  crQuat q = crMat3ToQuat(node->pose.R);
  double rotation[] = { q.x, q.y, q.z, q.w };
  const double translation[] = { node->pose.p.x, node->pose.p.y, node->pose.p.z };
  if (node->isRoot) {
    rotation[0] = -sqrt(0.5);
    rotation[3] = sqrt(0.5);
  }
  if (translation[0] != 0.0 || translation[1] != 0.0 || translation[2] != 0.0) {
    putNumbers(text, "translation", translation, 3);
  }
  if (rotation[0] != 0.0 || rotation[1] != 0.0 || rotation[2] != 0.0) {
    putNumbers(text, "rotation", rotation, 4);
  }
}

static void putNodes(const Writing* writing, crJsonText* text)
{
  crJsonText_Key(text, "nodes");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->nodes.count; ++i) {
    const Node* node = &writing->nodes.items[i];
    char name[CR_MAX_PATH + 64];
    snprintf(name, sizeof name, "%s%s%s", node->path, node->suffix[0] != '\0' ? " " : "", node->suffix);
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "name", name);
    putPose(text, node);
    putChildren(writing, text, node);
    if (node->mesh >= 0) {
      crJsonText_KeyNumber(text, "mesh", node->mesh);
    }
    if (node->camera >= 0) {
      crJsonText_KeyNumber(text, "camera", node->camera);
    }
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

static void putMeshes(const Writing* writing, crJsonText* text)
{
  crJsonText_Key(text, "meshes");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->meshes.count; ++i) {
    const Mesh* mesh = &writing->meshes.items[i];
    crJsonText_BeginObject(text);
    crJsonText_Key(text, "primitives");
    crJsonText_BeginArray(text);
    crJsonText_BeginObject(text);
    crJsonText_Key(text, "attributes");
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "POSITION", mesh->positions);
    if (mesh->normals >= 0) {
      crJsonText_KeyNumber(text, "NORMAL", mesh->normals);
    }
    crJsonText_EndObject(text);
    crJsonText_KeyNumber(text, "indices", mesh->indices);
    crJsonText_KeyNumber(text, "material", mesh->look);
    crJsonText_KeyNumber(text, "mode", mesh->normals >= 0 ? cr_gltfTriangles : cr_gltfLines);
    crJsonText_EndObject(text);
    crJsonText_EndArray(text);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

// Colours of models are those of screens (sRGB), factors of glTF are linear.
static double linear(double value)
{
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static void putMaterial(crJsonText* text, const char* name, const crVisualMaterialDef* look)
{
  double opacity = look->color.a * (1.0 - look->transparency);
  const double factor[] = { linear(look->color.r), linear(look->color.g), linear(look->color.b), opacity };
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "name", name);
  crJsonText_Key(text, "pbrMetallicRoughness");
  crJsonText_BeginObject(text);
  putNumbers(text, "baseColorFactor", factor, 4);
  crJsonText_KeyNumber(text, "metallicFactor", 0.0);
  crJsonText_KeyNumber(text, "roughnessFactor", 1.0 - 0.8 * look->shininess);
  crJsonText_EndObject(text);
  if (opacity < 1.0) {
    crJsonText_KeyString(text, "alphaMode", "BLEND");
  }
  crJsonText_KeyBool(text, "doubleSided", true); // open meshes and plates have a back
  crJsonText_EndObject(text);
}

static void putMaterials(const Writing* writing, crJsonText* text)
{
  static const crColor colors[CR_ARROW_LOOKS] = { { 0.85, 0.18, 0.16, 1 },
                                                  { 0.16, 0.62, 0.25, 1 },
                                                  { 0.13, 0.4, 0.85, 1 } };
  static const char* const names[CR_ARROW_LOOKS] = { "x axis", "y axis", "z axis" };
  crJsonText_Key(text, "materials");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < CR_ARROW_LOOKS; ++i) {
    crVisualMaterialDef look = crDefaultVisualMaterialDef(names[i]);
    look.color = colors[i];
    putMaterial(text, names[i], &look);
  }
  for (int i = 0; i < writing->looks.count; ++i) {
    const char* name = writing->looks.items[i];
    crVisualMaterialDef look = crPicture_FindLook(writing->picture, name[0] != '\0' ? name : NULL);
    putMaterial(text, name[0] != '\0' ? name : "default", &look);
  }
  crJsonText_EndArray(text);
}

static void putCameras(const Writing* writing, crJsonText* text)
{
  if (writing->cameras.count == 0) {
    return;
  }
  crJsonText_Key(text, "cameras");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->cameras.count; ++i) {
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "type", "perspective");
    crJsonText_Key(text, "perspective");
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "yfov", writing->cameras.items[i]);
    crJsonText_KeyNumber(text, "znear", CR_NEAR);
    crJsonText_EndObject(text);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

static void putAnimation(const Writing* writing, crJsonText* text)
{
  if (writing->channels.count == 0) {
    return;
  }
  crJsonText_Key(text, "animations");
  crJsonText_BeginArray(text);
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyString(text, "name", "run");
  crJsonText_Key(text, "channels");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->channels.count; ++i) {
    const Channel* channel = &writing->channels.items[i];
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "sampler", channel->sampler);
    crJsonText_Key(text, "target");
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "node", channel->node);
    crJsonText_KeyString(text, "path", channel->isRotation ? "rotation" : "translation");
    crJsonText_EndObject(text);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
  crJsonText_Key(text, "samplers");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->outputs.count; ++i) {
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "input", writing->timeAccessor);
    crJsonText_KeyNumber(text, "output", writing->outputs.items[i]);
    crJsonText_KeyString(text, "interpolation", "LINEAR");
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
  crJsonText_EndObject(text);
  crJsonText_EndArray(text);
}

static void putAccessors(const Writing* writing, crJsonText* text)
{
  crJsonText_Key(text, "accessors");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->accessors.count; ++i) {
    const Accessor* accessor = &writing->accessors.items[i];
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "bufferView", accessor->view);
    crJsonText_KeyNumber(text, "componentType", accessor->type);
    crJsonText_KeyNumber(text, "count", accessor->count);
    crJsonText_KeyString(text, "type", accessor->shape);
    if (accessor->hasBounds) {
      putNumbers(text, "min", accessor->min, accessor->boundCount);
      putNumbers(text, "max", accessor->max, accessor->boundCount);
    }
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
  crJsonText_Key(text, "bufferViews");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->views.count; ++i) {
    const View* view = &writing->views.items[i];
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "buffer", 0);
    crJsonText_KeyNumber(text, "byteOffset", (double)view->offset);
    crJsonText_KeyNumber(text, "byteLength", (double)view->size);
    if (view->target != 0) {
      crJsonText_KeyNumber(text, "target", view->target);
    }
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

static void describe(const Writing* writing, crJsonText* text)
{
  crJsonText_BeginObjectLines(text);
  crJsonText_Key(text, "asset");
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "version", "2.0");
  crJsonText_KeyString(text, "generator", "carom " CAROM_VERSION);
  crJsonText_EndObject(text);
  crJsonText_KeyNumber(text, "scene", 0);
  crJsonText_Key(text, "scenes");
  crJsonText_BeginArray(text);
  crJsonText_BeginObject(text);
  const double root = 0.0;
  putNumbers(text, "nodes", &root, 1);
  crJsonText_EndObject(text);
  crJsonText_EndArray(text);
  putNodes(writing, text);
  putCameras(writing, text);
  if (writing->accessors.count > 0) {
    if (writing->meshes.count > 0) {
      putMeshes(writing, text);
      putMaterials(writing, text);
    }
    putAnimation(writing, text);
    putAccessors(writing, text);
    crJsonText_Key(text, "buffers");
    crJsonText_BeginArray(text);
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "byteLength", (double)writing->binary.size);
    crJsonText_EndObject(text);
    crJsonText_EndArray(text);
  }
  crJsonText_EndObject(text);
  crJsonText_Finish(text);
}

// --------------------------------------------------------------------------------------------- file

static crStatus complain(const crErrorSink* sink, crStatus status, const char* message, const char* hint)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "glTF");
  crComplaint complaint = { .message = message, .hint = hint };
  crReport(&reporter, cr_severityError, status, &complaint);
  return status;
}

static void writeUint32(crOutputFile* file, size_t number)
{
  const unsigned char four[] = { (unsigned char)number, (unsigned char)(number >> 8), (unsigned char)(number >> 16),
                                 (unsigned char)(number >> 24) };
  crOutputFile_Write(file, four, sizeof four);
}

// Chunks have lengths of whole words; JSON is filled up with blanks. All binary data are words.
static crStatus writeFile(const Writing* writing, crBytes* json, const char* path, const crErrorSink* sink)
{
  while (json->size % 4 != 0 && !json->hasFailed) {
    crBytes_Add(json, " ", 1);
  }
  if (json->hasFailed) {
    return cr_errorMemory;
  }
  size_t binary = writing->binary.size, total = 12 + 8 + json->size + (binary > 0 ? 8 + binary : 0);
  if (total > CR_GLB_LIMIT) {
    return complain(sink, cr_errorLimit, "a glTF file cannot be larger than 4 GB", "record fewer rows (--interval)");
  }
  crOutputFile* file;
  crStatus status = crOpenOutputFile(path, &writing->allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  writeUint32(file, CR_GLB_MAGIC);
  writeUint32(file, CR_GLB_VERSION);
  writeUint32(file, total);
  writeUint32(file, json->size);
  writeUint32(file, CR_GLB_JSON);
  crOutputFile_Write(file, json->items, json->size);
  if (binary > 0) {
    writeUint32(file, binary);
    writeUint32(file, CR_GLB_BINARY);
    crOutputFile_Write(file, writing->binary.items, binary);
  }
  return crCloseOutputFile(file, true, sink);
}

static void freeWriting(Writing* writing)
{
  const crAllocator* allocator = &writing->allocator;
  crArray_Free(&writing->views, allocator);
  crArray_Free(&writing->accessors, allocator);
  crArray_Free(&writing->meshes, allocator);
  crArray_Free(&writing->nodes, allocator);
  crArray_Free(&writing->children, allocator);
  crArray_Free(&writing->looks, allocator);
  crArray_Free(&writing->cameras, allocator);
  crArray_Free(&writing->channels, allocator);
  crArray_Free(&writing->outputs, allocator);
  crMap_Free(&writing->lookNumbers);
  crMap_Free(&writing->meshNumbers);
  crBytes_Free(&writing->binary);
  crArena_Free(&writing->arena);
}

static crStatus writePicture(const crPicture* picture, const char* path, const crErrorSink* sink)
{
  Writing writing = { .picture = picture, .allocator = picture->allocator };
  crBytes json;
  crJsonText text;
  crArena_Init(&writing.arena, &writing.allocator);
  crBytes_Init(&writing.binary, &writing.allocator);
  crMap_Init(&writing.lookNumbers, &writing.allocator);
  crMap_Init(&writing.meshNumbers, &writing.allocator);
  crBytes_Init(&json, &writing.allocator);
  crStatus status = buildScene(&writing);
  if (status == cr_ok) {
    crJsonText_Init(&text, (crTextWriter){ crBytes_Write, &json });
    describe(&writing, &text);
    status = writeFile(&writing, &json, path, sink);
  }
  crBytes_Free(&json);
  freeWriting(&writing);
  return status;
}

crStatus crWriteGlb(const crResult* result, const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  if (result == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crPicture picture;
  crStatus status = crOpenPicture(&picture, result, allocator);
  if (status == cr_ok) {
    status =
        picture.model != NULL ? writePicture(&picture, path, sink) : complain(sink, cr_errorModel, picture.note, NULL);
  }
  crClosePicture(&picture);
  return status;
}
