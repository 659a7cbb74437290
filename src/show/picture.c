// Reads the scene inside a result again and compiles it, so that bodies, shapes and looks are known.
#include "show/picture.h"

#include "base/map.h"
#include "geometry/shape_kind.h"
#include "scene/structure.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ opening

static void describeFailure(crPicture* picture)
{
  const crError* error = NULL;
  for (int i = 0; i < crErrorLog_Count(picture->log) && error == NULL; ++i) {
    const crError* candidate = crErrorLog_Get(picture->log, i);
    error = candidate->severity == cr_severityError ? candidate : NULL;
  }
  snprintf(picture->note, sizeof picture->note, "the model cannot be drawn: %s%s%s",
           error != NULL ? error->message : "it cannot be read",
           error != NULL && error->found != NULL ? ", found " : "",
           error != NULL && error->found != NULL ? error->found : "");
}

// The paths of the result's bodies belong to the result, which outlives the map.
static crStatus findBodies(crPicture* picture)
{
  crMap map;
  crMap_Init(&map, &picture->allocator);
  bool isFull = true;
  for (int i = 0; i < crResult_CountBodies(picture->result) && isFull; ++i) {
    isFull = crMap_SetString(&map, crResult_GetBody(picture->result, i), i);
  }
  for (int i = 0; i < picture->bodyCount && isFull; ++i) {
    picture->bodies[i] = i > 0 ? crMap_FindString(&map, crModel_GetBodyPath(picture->model, i)) : -1;
  }
  crMap_Free(&map);
  return isFull ? cr_ok : cr_errorMemory;
}

static crStatus findPlaces(crPicture* picture)
{
  crModelSize size = crModel_GetSize(picture->model);
  picture->objectCount = size.objectCount;
  picture->bodyCount = size.bodyCount;
  picture->objects = crAllocateZero(&picture->allocator, (size_t)size.objectCount, sizeof(int));
  picture->bodies = crAllocateZero(&picture->allocator, (size_t)size.bodyCount, sizeof(int));
  if (picture->objects == NULL || picture->bodies == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < size.objectCount; ++i) {
    picture->objects[crModel_GetObject(picture->model, i)->sceneIndex] = i;
  }
  return findBodies(picture);
}

// The body of the result that the model has as a part of another one: an action can release it. false: it is no part.
static bool isLoose(const crPicture* picture, int body, crChange* outChange)
{
  const crModel* model = picture->model;
  const char* path = crResult_GetBody(picture->result, body);
  const crModelObject* object = crModel_GetObject(model, crModel_FindObject(model, path));
  if (object == NULL || strcmp(crModel_GetBodyPath(model, object->body), path) == 0) {
    return false;
  }
  crPose X_WO = crMulPose(crModel_GetBody(model, object->body)->X_WB_start, object->X_BO);
  *outChange = (crChange){
    .kind = cr_changeFree, .index = object->sceneIndex, .position = X_WO.p, .orientation = crMat3ToQuat(X_WO.R)
  };
  return true;
}

// The model with all bodies that the result has, whatever actions have made of them.
static crStatus separateBodies(crPicture* picture, const crErrorSink* sink)
{
  crSceneStructure structure = { .changes = { NULL, 0, 0 } };
  crStatus status = cr_ok;
  for (int i = 0; i < crResult_CountBodies(picture->result) && status == cr_ok; ++i) {
    crChange change;
    if (isLoose(picture, i, &change)) {
      crChange* place = crArray_Push(&structure.changes, &picture->allocator);
      status = place != NULL ? cr_ok : cr_errorMemory;
      if (place != NULL) {
        *place = change;
      }
    }
  }
  if (status == cr_ok && structure.changes.count > 0) {
    crScene* scene = NULL;
    crModel* model = NULL;
    status = crMakeStructured(picture->scene, &structure, &picture->allocator, sink, &scene);
    status = status == cr_ok ? crCompile(scene, NULL, &picture->allocator, sink, &model) : status;
    crDestroyScene(scene);
    crDestroyModel(picture->model);
    picture->model = model;
  }
  crArray_Free(&structure.changes, &picture->allocator);
  return status;
}

static crStatus readScene(crPicture* picture, const char* json)
{
  crErrorSink sink = crErrorLog_GetSink(picture->log);
  crReadOptions options = crDefaultReadOptions();
  options.meshes = crResult_GetMeshes(picture->result, &options.meshCount);
  options.skipsFmus = true; // they may be gone, and move nothing here
  crStatus status =
      crReadJson(json, strlen(json), "scene", NULL, &options, &picture->allocator, &sink, &picture->scene);
  if (status == cr_ok) {
    status = crCompile(picture->scene, NULL, &picture->allocator, &sink, &picture->model);
  }
  return status == cr_ok ? separateBodies(picture, &sink) : status;
}

crStatus crOpenPicture(crPicture* picture, const crResult* result, const crAllocator* allocator)
{
  *picture = (crPicture){ .result = result, .allocator = crChooseAllocator(allocator) };
  const char* json = crResult_GetFacts(result).sceneJson;
  if (json == NULL) {
    snprintf(picture->note, sizeof picture->note, "the result holds no model, so nothing can be drawn");
    return cr_ok;
  }
  picture->log = crCreateErrorLog(&picture->allocator);
  if (picture->log == NULL) {
    return cr_errorMemory;
  }
  crStatus status = readScene(picture, json);
  if (status == cr_ok) {
    return findPlaces(picture);
  }
  if (status != cr_errorMemory) {
    describeFailure(picture);
  }
  crDestroyModel(picture->model);
  crDestroyScene(picture->scene);
  picture->model = NULL;
  picture->scene = NULL;
  return status == cr_errorMemory ? cr_errorMemory : cr_ok;
}

void crClosePicture(crPicture* picture)
{
  crFree(&picture->allocator, picture->objects, (size_t)picture->objectCount * sizeof(int));
  crFree(&picture->allocator, picture->bodies, (size_t)picture->bodyCount * sizeof(int));
  crDestroyModel(picture->model);
  crDestroyScene(picture->scene);
  crDestroyErrorLog(picture->log);
}

// ------------------------------------------------------------------------------------------ looking

const crObjectDef* crPicture_GetObject(const crPicture* picture, int index)
{
  return crScene_GetObject(picture->scene, crScene_GetId(picture->scene, cr_elementObject, index));
}

const crModelObject* crPicture_GetPlace(const crPicture* picture, int index)
{
  return crModel_GetObject(picture->model, picture->objects[index]);
}

const crShapeDef* crPicture_FindDrawn(const crFeatureDef* feature, const char** outLook)
{
  if (feature->kind == cr_featureSolid) {
    *outLook = feature->as.solid.visual;
    return *outLook != NULL ? &feature->as.solid.shape : NULL;
  }
  if (feature->kind == cr_featureVisual) {
    const crShapeDef* shape = &feature->as.visual.shape;
    *outLook = feature->as.visual.visual;
    return *outLook != NULL || crShapeKind_IsVisualOnly(shape->kind) ? shape : NULL;
  }
  return NULL;
}

crVisualMaterialDef crPicture_FindLook(const crPicture* picture, const char* name)
{
  crId id = name != NULL ? crScene_FindVisualMaterial(picture->scene, name) : (crId){ 0 };
  if (!crIsNull(id)) {
    crVisualMaterialDef known = *crScene_GetVisualMaterial(picture->scene, id);
    known.shininess = crResolveZero(known.shininess);
    known.color.a = crResolveZero(known.color.a);
    return known;
  }
  crVisualMaterialDef look = crDefaultVisualMaterialDef(name != NULL ? name : "");
  crCompleteVisualMaterialDef(&look);
  crColor color;
  if (name != NULL && crFindColor(name, &color)) {
    look.color = color;
  }
  return look;
}

crPose crComputeShapePose(const crShapeDef* shape)
{
  crVec3 ownAxis = cr_shapeRows[shape->kind].ownAxis;
  crPose pose = { crQuatToMat3(crShortestRotation(ownAxis, crNormalize(shape->axis))), { 0.0, 0.0, 0.0 } };
  return pose;
}

const char* crFindFileName(const char* path, bool hasEnding, size_t* outSize)
{
  static const char* const endings[] = { ".lua", ".json" };
  const char* slash = strrchr(path, '/');
  const char* name = slash != NULL ? slash + 1 : path;
  *outSize = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof *endings && !hasEnding; ++i) {
    size_t size = strlen(endings[i]);
    if (*outSize > size && strcmp(name + *outSize - size, endings[i]) == 0) {
      *outSize -= size;
      break;
    }
  }
  return name;
}
