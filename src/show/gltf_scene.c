// Puts a glTF scene together: nodes, meshes, key frames.
//
//   root (z up becomes y up)
//     a node for each body: animated translation and rotation
//       a node for each object that is drawn or looks: its pose in the body
//         a node for each shape: the mesh
//     a node for each spring: a coil of length 1 from its first end to its second, stretched by its scale
// Equal shapes with equal looks share a mesh.
#include "show/gltf.h"

#include "geometry/shape_kind.h"
#include "show/tessellate.h"

#include <math.h>
#include <string.h>

#define CR_MARGIN 2.0         // [-] an unbounded shape is drawn this much farther than anything moves
#define CR_LEAST_STRETCH 1e-6 // [m] no scale is zero
#define CR_LEAST_SPRING 0.2   // [m] a spring without a length of its own is drawn as thick as one of this
#define CR_COIL_RADIUS 0.12   // [-] of the length
#define CR_COIL_WIRE 0.15     // [-] of the radius
#define CR_COIL_WINDINGS 10
#define CR_LEAST_EXTENT 5.0 // [m]

typedef struct MeshKey {
  crShapeDef shape;
  int look, part;
} MeshKey;

// ------------------------------------------------------------------------------------------ buffers

// A view of what was added to the binary chunk since `offset`, and an accessor for it. -1: out of memory.
static int addAccessor(crGltf* gltf, size_t offset, int target, crGltfAccessor accessor)
{
  crGltfView* view = crArray_Push(&gltf->views, &gltf->allocator);
  crGltfAccessor* place = view != NULL ? crArray_Push(&gltf->accessors, &gltf->allocator) : NULL;
  if (place == NULL || gltf->binary.hasFailed) {
    return -1;
  }
  *view = (crGltfView){ offset, gltf->binary.size - offset, target };
  accessor.view = gltf->views.count - 1;
  *place = accessor;
  return gltf->accessors.count - 1;
}

static int addBytes(crGltf* gltf, const crBytes* bytes, int target, crGltfAccessor accessor)
{
  size_t offset = gltf->binary.size;
  crBytes_Add(&gltf->binary, bytes->items, bytes->size);
  return addAccessor(gltf, offset, target, accessor);
}

// ------------------------------------------------------------------------------------------- meshes

static bool addSurface(crGltf* gltf, const crTriangles* surface, int look)
{
  crGltfMesh* mesh = crArray_Push(&gltf->meshes, &gltf->allocator);
  if (mesh == NULL) {
    return false;
  }
  crGltfAccessor positions = { .type = cr_gltfFloat,
                               .count = surface->pointCount,
                               .shape = "VEC3",
                               .hasBounds = true,
                               .boundCount = 3,
                               .min = { surface->min.x, surface->min.y, surface->min.z },
                               .max = { surface->max.x, surface->max.y, surface->max.z } };
  crGltfAccessor normals = { .type = cr_gltfFloat, .count = surface->pointCount, .shape = "VEC3" };
  crGltfAccessor indices = { .type = cr_gltfUint32, .count = surface->indexCount, .shape = "SCALAR" };
  mesh->look = look;
  mesh->positions = addBytes(gltf, &surface->positions, cr_gltfVertices, positions);
  mesh->normals = surface->isLines ? -1 : addBytes(gltf, &surface->normals, cr_gltfVertices, normals);
  mesh->indices = addBytes(gltf, &surface->indices, cr_gltfIndices, indices);
  return mesh->positions >= 0 && (mesh->normals >= 0 || surface->isLines) && mesh->indices >= 0;
}

static int findLook(crGltf* gltf, const char* name)
{
  const char* key = name != NULL ? name : "";
  int known = crMap_FindString(&gltf->lookNumbers, key);
  if (known >= 0) {
    return known;
  }
  const char** place = crArray_Push(&gltf->looks, &gltf->allocator);
  if (place == NULL) {
    return -1;
  }
  *place = key;
  int number = CR_ARROW_LOOKS + gltf->looks.count - 1;
  return crMap_SetString(&gltf->lookNumbers, key, number) ? number : -1;
}

// The mesh of a part of a shape, made at its first use. outMesh -1: a shape without triangles.
static crStatus findMesh(crGltf* gltf, const crShapeDef* shape, int part, int look, int* outMesh)
{
  MeshKey* key = crArena_AllocateZero(&gltf->arena, 1, sizeof *key);
  if (key == NULL) {
    return cr_errorMemory;
  }
  memcpy(&key->shape, shape, sizeof *shape);
  key->look = look;
  key->part = part;
  *outMesh = crMap_Find(&gltf->meshNumbers, (const char*)key, sizeof *key);
  if (*outMesh >= 0) {
    return cr_ok;
  }
  crTriangles surface;
  crTriangles_Init(&surface, &gltf->allocator);
  crStatus status = crTessellate(shape, part, gltf->extent, &surface);
  if (status == cr_ok && surface.indexCount > 0) {
    *outMesh = gltf->meshes.count;
    bool isAdded =
        addSurface(gltf, &surface, look) && crMap_Set(&gltf->meshNumbers, (const char*)key, sizeof *key, *outMesh);
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
static int addNode(crGltf* gltf, const char* path, const char* suffix, crPose pose)
{
  crGltfNode* node = crArray_Push(&gltf->nodes, &gltf->allocator);
  if (node == NULL) {
    return -1;
  }
  *node = (crGltfNode){ .path = path, .suffix = suffix, .pose = pose, .stretch = 1.0, .mesh = -1, .camera = -1 };
  return gltf->nodes.count - 1;
}

// Nodes first to last - 1 become children, in order.
static bool adopt(crGltf* gltf, int node, const int* children, int count)
{
  gltf->nodes.items[node].firstChild = gltf->children.count;
  gltf->nodes.items[node].childCount = count;
  for (int i = 0; i < count; ++i) {
    int* place = crArray_Push(&gltf->children, &gltf->allocator);
    if (place == NULL) {
      return false;
    }
    *place = children[i];
  }
  return true;
}

typedef crArrayOf(int) NodeList;

static bool pushNode(crGltf* gltf, NodeList* list, int node)
{
  int* place = node >= 0 ? crArray_Push(list, &gltf->allocator) : NULL;
  if (place != NULL) {
    *place = node;
  }
  return place != NULL;
}

static crStatus addShape(crGltf* gltf, const char* path, const crShapeDef* shape, const char* lookName, NodeList* list)
{
  for (int part = 0; part < crCountParts(shape->kind); ++part) {
    bool isArrow = shape->kind == cr_shapeCoordinateSystem;
    int look = isArrow ? part : findLook(gltf, lookName), mesh = -1;
    crStatus status = look >= 0 ? findMesh(gltf, shape, part, look, &mesh) : cr_errorMemory;
    if (status != cr_ok) {
      return status;
    }
    if (mesh >= 0) {
      int node = addNode(gltf, path, crShapeKind_GetText(shape->kind), crComputeShapePose(shape));
      if (!pushNode(gltf, list, node)) {
        return cr_errorMemory;
      }
      gltf->nodes.items[node].mesh = mesh;
    }
  }
  return cr_ok;
}

static crStatus addCamera(crGltf* gltf, const char* path, double fieldOfView, NodeList* list)
{
  double* place = crArray_Push(&gltf->cameras, &gltf->allocator);
  int node = place != NULL ? addNode(gltf, path, "camera", identityPose()) : -1;
  if (!pushNode(gltf, list, node)) {
    return cr_errorMemory;
  }
  *place = fieldOfView;
  gltf->nodes.items[node].camera = gltf->cameras.count - 1;
  return cr_ok;
}

// What an object shows, as nodes in `list`.
static crStatus addFeatures(crGltf* gltf, const crObjectDef* def, NodeList* list)
{
  crStatus status = cr_ok;
  for (int k = 0; k < def->featureCount && status == cr_ok; ++k) {
    const crFeatureDef* feature = &def->features[k];
    const char* look = NULL;
    const crShapeDef* shape = crPicture_FindDrawn(feature, &look);
    if (shape != NULL) {
      status = addShape(gltf, def->name, shape, look, list);
    } else if (feature->kind == cr_featureCamera) {
      status = addCamera(gltf, def->name, feature->as.camera.fieldOfView, list);
    }
  }
  return status;
}

// An object with all that it shows becomes a child in `siblings`; one that shows nothing is left out.
static crStatus addObject(crGltf* gltf, const crModelObject* place, NodeList* siblings)
{
  const crObjectDef* def = crPicture_GetObject(gltf->picture, place->sceneIndex);
  NodeList list = { NULL, 0, 0 };
  crStatus status = addFeatures(gltf, def, &list);
  if (status == cr_ok && list.count > 0) {
    int node = addNode(gltf, def->name, "", place->X_BO);
    bool isAdded = pushNode(gltf, siblings, node) && adopt(gltf, node, list.items, list.count);
    status = isAdded ? cr_ok : cr_errorMemory;
  }
  crArray_Free(&list, &gltf->allocator);
  return status;
}

// The pose of a body at a row; of one that has been deleted the last that it had.
static const float* poseAt(const crGltf* gltf, int body, int row)
{
  int last = gltf->lastRows[body];
  return crResult_GetPoses(gltf->picture->result, row < last ? row : last) + (size_t)CR_POSE_SIZE * body;
}

static crPose startPose(const crGltf* gltf, int body)
{
  int recorded = gltf->picture->bodies[body];
  if (recorded < 0 || gltf->rowCount == 0) {
    return crModel_GetBody(gltf->picture->model, body)->X_WB_start;
  }
  const float* p = poseAt(gltf, recorded, gltf->rows[0]);
  crQuat q = { (double)p[3], (double)p[4], (double)p[5], (double)p[6] };
  return (crPose){ crQuatToMat3(crNormalizeQuat(q)), { (double)p[0], (double)p[1], (double)p[2] } };
}

// ---------------------------------------------------------------------------------------- animation

static bool isFinitePose(const crResult* result, int body, int row)
{
  const float* pose = crResult_GetPoses(result, row) + (size_t)CR_POSE_SIZE * body;
  for (int i = 0; i < CR_POSE_SIZE; ++i) {
    if (!isfinite(pose[i])) {
      return false;
    }
  }
  return true;
}

// Up to where bodies are there.
static bool findLastRows(crGltf* gltf)
{
  const crResult* result = gltf->picture->result;
  int bodyCount = crResult_CountBodies(result);
  gltf->lastRows = crArena_AllocateZero(&gltf->arena, (size_t)bodyCount + 1, sizeof(int));
  for (int b = 0; gltf->lastRows != NULL && b < bodyCount; ++b) {
    int row = crResult_CountRows(result) - 1;
    while (row > 0 && !isFinitePose(result, b, row)) {
      --row;
    }
    gltf->lastRows[b] = row;
  }
  return gltf->lastRows != NULL;
}

// A row in which all bodies are that are still there.
static bool isFiniteRow(const crGltf* gltf, int row)
{
  const crResult* result = gltf->picture->result;
  for (int b = 0; b < crResult_CountBodies(result); ++b) {
    if ((row <= gltf->lastRows[b] || gltf->lastRows[b] == 0) && !isFinitePose(result, b, row)) {
      return false;
    }
  }
  return true;
}

// Key frames have growing times: of two rows beside an event the first is taken.
static bool chooseRows(crGltf* gltf)
{
  const crResult* result = gltf->picture->result;
  int rowCount = crResult_CountRows(result);
  float last = -1.0f;
  gltf->rows = findLastRows(gltf) ? crArena_AllocateZero(&gltf->arena, (size_t)rowCount, sizeof(int)) : NULL;
  for (int r = 0; gltf->rows != NULL && r < rowCount && crResult_CountBodies(result) > 0; ++r) {
    float time = (float)(crResult_GetTimes(result)[r] - crResult_GetTimes(result)[0]);
    if (time > last && isFiniteRow(gltf, r)) {
      gltf->rows[gltf->rowCount++] = r;
      last = time;
    }
  }
  return gltf->rows != NULL;
}

static bool moves(const crGltf* gltf, int body, int first, int count)
{
  const float* start = poseAt(gltf, body, gltf->rows[0]) + first;
  for (int i = 1; i < gltf->rowCount; ++i) {
    if (memcmp(start, poseAt(gltf, body, gltf->rows[i]) + first, (size_t)count * sizeof(float)) != 0) {
      return true;
    }
  }
  return false;
}

static bool addChannel(crGltf* gltf, int node, int output, crGltfPath path)
{
  int* place = output >= 0 ? crArray_Push(&gltf->outputs, &gltf->allocator) : NULL;
  crGltfChannel* channel = place != NULL ? crArray_Push(&gltf->channels, &gltf->allocator) : NULL;
  if (channel == NULL) {
    return false;
  }
  *place = output;
  *channel = (crGltfChannel){ node, gltf->outputs.count - 1, path };
  return true;
}

// glTF puts w last.
static bool animate(crGltf* gltf, int node, int body, bool isRotation)
{
  static const int places[2][4] = { { 0, 1, 2, 0 }, { 4, 5, 6, 3 } };
  int count = isRotation ? 4 : 3;
  size_t offset = gltf->binary.size;
  for (int i = 0; i < gltf->rowCount; ++i) {
    const float* pose = poseAt(gltf, body, gltf->rows[i]);
    for (int k = 0; k < count; ++k) {
      crBytes_AddFloat(&gltf->binary, (double)pose[places[isRotation][k]]);
    }
  }
  crGltfAccessor accessor = { .type = cr_gltfFloat, .count = gltf->rowCount, .shape = isRotation ? "VEC4" : "VEC3" };
  int output = addAccessor(gltf, offset, 0, accessor);
  return addChannel(gltf, node, output, isRotation ? cr_pathRotation : cr_pathTranslation);
}

static crStatus animateBody(crGltf* gltf, int node, int body)
{
  bool isDone = true;
  if (body >= 0 && gltf->rowCount > 1) {
    isDone = !moves(gltf, body, 0, 3) || animate(gltf, node, body, false);
    isDone = isDone && (!moves(gltf, body, 3, 4) || animate(gltf, node, body, true));
  }
  return isDone ? cr_ok : cr_errorMemory;
}

static bool addTimes(crGltf* gltf)
{
  const double* times = crResult_GetTimes(gltf->picture->result);
  size_t offset = gltf->binary.size;
  if (gltf->rowCount < 2) {
    return true;
  }
  for (int i = 0; i < gltf->rowCount; ++i) {
    crBytes_AddFloat(&gltf->binary, times[gltf->rows[i]] - times[0]);
  }
  crGltfAccessor accessor = { .type = cr_gltfFloat,
                              .count = gltf->rowCount,
                              .shape = "SCALAR",
                              .hasBounds = true,
                              .boundCount = 1,
                              .min = { (double)(float)(times[gltf->rows[0]] - times[0]) },
                              .max = { (double)(float)(times[gltf->rows[gltf->rowCount - 1]] - times[0]) } };
  gltf->timeAccessor = addAccessor(gltf, offset, 0, accessor);
  return gltf->timeAccessor >= 0;
}

// ------------------------------------------------------------------------------------------ bodies

static crStatus addBody(crGltf* gltf, int body, NodeList* siblings)
{
  const crBody* part = crModel_GetBody(gltf->picture->model, body);
  NodeList list = { NULL, 0, 0 };
  crStatus status = cr_ok;
  for (int i = 0; i < part->objectCount && status == cr_ok; ++i) {
    status = addObject(gltf, crModel_GetObject(gltf->picture->model, part->objectStart + i), &list);
  }
  if (status == cr_ok) {
    int node = addNode(gltf, crModel_GetBodyPath(gltf->picture->model, body), "body",
                       body > 0 ? startPose(gltf, body) : identityPose());
    bool isAdded = pushNode(gltf, siblings, node) && adopt(gltf, node, list.items, list.count);
    status = isAdded ? animateBody(gltf, node, gltf->picture->bodies[body]) : cr_errorMemory;
  }
  crArray_Free(&list, &gltf->allocator);
  return status;
}

// ------------------------------------------------------------------------------------------ springs

// The origin of a model object at a row.
static crVec3 originAt(const crGltf* gltf, const crModelObject* object, int row)
{
  int body = gltf->picture->bodies[object->body];
  if (object->body == 0 || body < 0) {
    return object->X_BO.p;
  }
  const float* p = poseAt(gltf, body, row);
  crQuat q = { (double)p[3], (double)p[4], (double)p[5], (double)p[6] };
  crPose X_WB = { crQuatToMat3(crNormalizeQuat(q)), { (double)p[0], (double)p[1], (double)p[2] } };
  return crTransformPoint(X_WB, object->X_BO.p);
}

// Where a spring is at a row: its first end, z towards the second, and their distance.
static crPose springAt(const crGltf* gltf, const crModelForce* force, int row, double* outLength)
{
  const crModel* model = gltf->picture->model;
  crVec3 a = originAt(gltf, crModel_GetObject(model, force->objectA), row);
  crVec3 d = crSub(originAt(gltf, crModel_GetObject(model, force->objectB), row), a);
  *outLength = sqrt(crDot(d, d));
  crQuat q =
      *outLength > 0.0 ? crShortestRotation(crMakeVec3(0.0, 0.0, 1.0), crScale(1.0 / *outLength, d)) : crIdentityQuat();
  *outLength = fmax(*outLength, CR_LEAST_STRETCH);
  return (crPose){ crQuatToMat3(q), a };
}

// Numbers of a spring at a row, one after the other for each path.
static void addSpringKey(crGltf* gltf, const crModelForce* force, int row, crGltfPath path)
{
  double length;
  crPose pose = springAt(gltf, force, row, &length);
  crQuat q = crMat3ToQuat(pose.R);
  const double numbers[][4] = { { pose.p.x, pose.p.y, pose.p.z, 0.0 },
                                { q.x, q.y, q.z, q.w },
                                { 1.0, 1.0, length, 0.0 } };
  for (int k = 0; k < (path == cr_pathRotation ? 4 : 3); ++k) {
    crBytes_AddFloat(&gltf->binary, numbers[path][k]);
  }
}

static bool animateSpring(crGltf* gltf, int node, const crModelForce* force)
{
  bool isDone = true;
  for (crGltfPath path = cr_pathTranslation; path <= cr_pathScale && gltf->rowCount > 1 && isDone; ++path) {
    size_t offset = gltf->binary.size;
    for (int i = 0; i < gltf->rowCount; ++i) {
      addSpringKey(gltf, force, gltf->rows[i], path);
    }
    crGltfAccessor accessor = { .type = cr_gltfFloat,
                                .count = gltf->rowCount,
                                .shape = path == cr_pathRotation ? "VEC4" : "VEC3" };
    isDone = addChannel(gltf, node, addAccessor(gltf, offset, 0, accessor), path);
  }
  return isDone;
}

// The coil of a spring has length 1, from 0 on. Its wire gets thinner and thicker with it: scales are all that can be
// animated.
static crStatus addSpring(crGltf* gltf, int index, NodeList* siblings)
{
  const crModelForce* force = crModel_GetForce(gltf->picture->model, index);
  const char* path = crModel_GetForcePath(gltf->picture->model, index);
  crShapeDef coil = crDefaultShapeDef(cr_shapeCoil);
  crCompleteShapeDef(&coil);
  double length = 1.0, size = force->length > 0.0 ? force->length : CR_LEAST_SPRING;
  coil.as.coil.radius = CR_COIL_RADIUS * size;
  coil.as.coil.wireRadius = CR_COIL_WIRE * coil.as.coil.radius;
  coil.as.coil.length = 1.0;
  coil.as.coil.windings = CR_COIL_WINDINGS;
  int look = findLook(gltf, NULL), mesh = -1;
  crStatus status = look >= 0 ? findMesh(gltf, &coil, 0, look, &mesh) : cr_errorMemory;
  if (status != cr_ok) {
    return status;
  }
  crPose pose = gltf->rowCount > 0 ? springAt(gltf, force, gltf->rows[0], &length) : identityPose();
  int node = addNode(gltf, path, "spring", pose);
  int inner = node >= 0 ? addNode(gltf, path, "coil", (crPose){ identityPose().R, { 0.0, 0.0, 0.5 } }) : -1;
  if (inner < 0 || !pushNode(gltf, siblings, node) || !adopt(gltf, node, &inner, 1)) {
    return cr_errorMemory;
  }
  gltf->nodes.items[node].stretch = length;
  gltf->nodes.items[inner].mesh = mesh;
  return animateSpring(gltf, node, force) ? cr_ok : cr_errorMemory;
}

static crStatus addSprings(crGltf* gltf, NodeList* siblings)
{
  crStatus status = cr_ok;
  for (int i = 0; i < crModel_GetSize(gltf->picture->model).forceCount && status == cr_ok; ++i) {
    const crModelForce* force = crModel_GetForce(gltf->picture->model, i);
    status = force->kind == cr_forceSpringDamper ? addSpring(gltf, i, siblings) : cr_ok;
  }
  return status;
}

// -------------------------------------------------------------------------------------------- scene

static void findExtent(crGltf* gltf)
{
  gltf->extent = CR_LEAST_EXTENT;
  for (int i = 0; i < gltf->rowCount; ++i) {
    for (int b = 0; b < crResult_CountBodies(gltf->picture->result); ++b) {
      const float* p = poseAt(gltf, b, gltf->rows[i]); // NOLINT: there are rows
      double far = fmax(fabs((double)p[0]), fmax(fabs((double)p[1]), fabs((double)p[2])));
      gltf->extent = fmax(gltf->extent, CR_MARGIN * far);
    }
  }
}

crStatus crGltf_Build(crGltf* gltf)
{
  NodeList bodies = { NULL, 0, 0 };
  crStatus status = chooseRows(gltf) ? cr_ok : cr_errorMemory;
  findExtent(gltf);
  int root = status == cr_ok ? addNode(gltf, "world, y up", "", identityPose()) : -1;
  status = root >= 0 && addTimes(gltf) ? cr_ok : cr_errorMemory;
  for (int i = 0; i < gltf->picture->bodyCount && status == cr_ok; ++i) {
    status = addBody(gltf, i, &bodies);
  }
  status = status == cr_ok ? addSprings(gltf, &bodies) : status;
  if (status == cr_ok) {
    gltf->nodes.items[root].isRoot = true;
    status = adopt(gltf, root, bodies.items, bodies.count) ? cr_ok : cr_errorMemory;
  }
  crArray_Free(&bodies, &gltf->allocator);
  return status;
}

// ------------------------------------------------------------------------------------------ memory

void crGltf_Init(crGltf* gltf, const crPicture* picture)
{
  *gltf = (crGltf){ .picture = picture, .allocator = picture->allocator };
  crArena_Init(&gltf->arena, &gltf->allocator);
  crBytes_Init(&gltf->binary, &gltf->allocator);
  crMap_Init(&gltf->lookNumbers, &gltf->allocator);
  crMap_Init(&gltf->meshNumbers, &gltf->allocator);
}

void crGltf_Free(crGltf* gltf)
{
  const crAllocator* allocator = &gltf->allocator;
  crArray_Free(&gltf->views, allocator);
  crArray_Free(&gltf->accessors, allocator);
  crArray_Free(&gltf->meshes, allocator);
  crArray_Free(&gltf->nodes, allocator);
  crArray_Free(&gltf->children, allocator);
  crArray_Free(&gltf->looks, allocator);
  crArray_Free(&gltf->cameras, allocator);
  crArray_Free(&gltf->channels, allocator);
  crArray_Free(&gltf->outputs, allocator);
  crMap_Free(&gltf->lookNumbers);
  crMap_Free(&gltf->meshNumbers);
  crBytes_Free(&gltf->binary);
  crArena_Free(&gltf->arena);
}
