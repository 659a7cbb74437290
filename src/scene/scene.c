// Creating, searching and reading a scene.
#include "scene/scene.h"

#include <stdatomic.h>
#include <string.h>

#define CR_CONTACT_V_MIN 0.01      // [m/s] slow against what bounces and slides, fast against creep
#define CR_CONTACT_W_MIN 0.01      // [rad/s] likewise
#define CR_CONTACT_HYSTERESIS 1e-8 // [m] below the depth of hard materials, above round-off of metres

// Tags tell scenes of one process apart; they never show in a result.
static uint16_t nextTag(void)
{
  static atomic_uint counter;
  uint16_t tag;
  do {
    tag = (uint16_t)(atomic_fetch_add(&counter, 1) + 1);
  } while (tag == 0);
  return tag;
}

crSceneOptions crDefaultSceneOptions(void)
{
  crSceneOptions options = { .gravity = { .kind = cr_gravityUniform, .acceleration = { 0.0, 0.0, -9.81 } },
                             .contactDetection = true,
                             .kRed = 1.0,
                             .vMin = CR_CONTACT_V_MIN,
                             .wMin = CR_CONTACT_W_MIN,
                             .hysteresis = CR_CONTACT_HYSTERESIS };
  return options;
}

crStatus crCreateScene(const crAllocator* allocator, const crErrorSink* sink, crScene** outScene)
{
  if (outScene == NULL) {
    return cr_errorMisuse;
  }
  *outScene = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crScene* scene = crAllocateZero(&chosen, 1, sizeof *scene);
  if (scene == NULL) {
    return cr_errorMemory;
  }
  scene->allocator = chosen;
  scene->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  scene->tag = nextTag();
  scene->options = crDefaultSceneOptions();
  crArena_Init(&scene->arena, &chosen);
  crMap* maps[] = { &scene->paths,
                    &scene->solidMaterialNames,
                    &scene->visualMaterialNames,
                    &scene->contactPairNames,
                    &scene->failedNames,
                    &scene->strings };
  for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) {
    crMap_Init(maps[i], &chosen);
  }
  if (!crFillPalettes(scene)) {
    crDestroyScene(scene);
    return cr_errorMemory;
  }
  *outScene = scene;
  return cr_ok;
}

void crDestroyScene(crScene* scene)
{
  if (scene == NULL) {
    return;
  }
  for (int i = 0; i < scene->objects.count; ++i) {
    for (int k = 0; k < scene->objects.items[i].def.featureCount; ++k) {
      crDestroyShape(scene->objects.items[i].shapes[k]);
    }
  }
  for (int i = 0; i < scene->meshes.count; ++i) {
    crReleaseMesh(scene->meshes.items[i]);
  }
  crAllocator allocator = scene->allocator;
  crArray_Free(&scene->elements, &allocator);
  crArray_Free(&scene->assemblies, &allocator);
  crArray_Free(&scene->objects, &allocator);
  crArray_Free(&scene->joints, &allocator);
  crArray_Free(&scene->forces, &allocator);
  crArray_Free(&scene->signals, &allocator);
  crArray_Free(&scene->solidMaterials, &allocator);
  crArray_Free(&scene->contactPairs, &allocator);
  crArray_Free(&scene->visualMaterials, &allocator);
  crArray_Free(&scene->exclusions, &allocator);
  crArray_Free(&scene->meshes, &allocator);
  crArray_Free(&scene->stringList, &allocator);
  crMap_Free(&scene->paths);
  crMap_Free(&scene->solidMaterialNames);
  crMap_Free(&scene->visualMaterialNames);
  crMap_Free(&scene->contactPairNames);
  crMap_Free(&scene->failedNames);
  crMap_Free(&scene->strings);
  crArena_Free(&scene->arena);
  crFree(&allocator, scene, sizeof *scene);
}

int crScene_CountErrors(const crScene* scene)
{
  return scene->errorCount;
}

// --------------------------------------------------------------------------------------------- ids

crId crScene_MakeId(const crScene* scene, crElementKind kind, int index)
{
  crId id = { (uint32_t)index + 1, (uint16_t)kind, scene->tag };
  return id;
}

int crScene_Count(const crScene* scene, crElementKind kind)
{
  switch (kind) {
    case cr_elementAssembly: return scene->assemblies.count;
    case cr_elementObject: return scene->objects.count;
    case cr_elementJoint: return scene->joints.count;
    case cr_elementForce: return scene->forces.count;
    case cr_elementSignal: return scene->signals.count;
    case cr_elementSolidMaterial: return scene->solidMaterials.count;
    case cr_elementContactPair: return scene->contactPairs.count;
    case cr_elementVisualMaterial: return scene->visualMaterials.count;
    case cr_elementExclusion: return scene->exclusions.count;
    case cr_elementNone: break;
  }
  return 0;
}

crId crScene_GetId(const crScene* scene, crElementKind kind, int index)
{
  bool exists = index >= 0 && index < crScene_Count(scene, kind);
  return exists ? crScene_MakeId(scene, kind, index) : (crId){ 0 };
}

int crScene_IndexOf(const crScene* scene, crElementKind kind, crId id)
{
  bool isOurs =
      id.tag == scene->tag && id.kind == kind && id.index1 > 0 && id.index1 <= (uint32_t)crScene_Count(scene, kind);
  return isOurs ? (int)id.index1 - 1 : -1;
}

// ----------------------------------------------------------------------------------------- reading

const crSceneOptions* crScene_GetOptions(const crScene* scene)
{
  return &scene->options;
}

const crAssemblyDef* crScene_GetAssembly(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementAssembly, id);
  return index >= 0 ? &scene->assemblies.items[index] : NULL;
}

const crObjectDef* crScene_GetObject(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementObject, id);
  return index >= 0 ? &scene->objects.items[index].def : NULL;
}

const crJointDef* crScene_GetJoint(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementJoint, id);
  return index >= 0 ? &scene->joints.items[index] : NULL;
}

const crForceDef* crScene_GetForce(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementForce, id);
  return index >= 0 ? &scene->forces.items[index] : NULL;
}

const crSignalDef* crScene_GetSignal(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementSignal, id);
  return index >= 0 ? &scene->signals.items[index].def : NULL;
}

const crSolidMaterialDef* crScene_GetSolidMaterial(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementSolidMaterial, id);
  return index >= 0 ? &scene->solidMaterials.items[index].def : NULL;
}

const crContactPairDef* crScene_GetContactPair(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementContactPair, id);
  return index >= 0 ? &scene->contactPairs.items[index].def : NULL;
}

const crVisualMaterialDef* crScene_GetVisualMaterial(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementVisualMaterial, id);
  return index >= 0 ? &scene->visualMaterials.items[index] : NULL;
}

const crExclusionDef* crScene_GetExclusion(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementExclusion, id);
  return index >= 0 ? &scene->exclusions.items[index] : NULL;
}

bool crScene_IsPalette(const crScene* scene, crId id)
{
  int material = crScene_IndexOf(scene, cr_elementSolidMaterial, id);
  int pair = crScene_IndexOf(scene, cr_elementContactPair, id);
  return (material >= 0 && scene->solidMaterials.items[material].isPalette) ||
         (pair >= 0 && scene->contactPairs.items[pair].isPalette);
}

const crShape* crScene_GetShape(const crScene* scene, crId object, int feature)
{
  int index = crScene_IndexOf(scene, cr_elementObject, object);
  if (index < 0 || feature < 0 || feature >= scene->objects.items[index].def.featureCount) {
    return NULL;
  }
  return scene->objects.items[index].shapes[feature];
}

// Inertia of the shape at density 1, scaled to the mass or by the density.
static crStatus computeSolidInertia(const crScene* scene, const crSolidDef* solid, const crShape* shape,
                                    crInertia* outInertia)
{
  double density = 0.0;
  if (!isnan(solid->mass)) {
    density = solid->mass / crShape_ComputeVolume(shape);
  } else if (solid->material != NULL) {
    int material = crMap_FindString(&scene->solidMaterialNames, solid->material);
    if (material < 0) {
      return cr_errorModel;
    }
    density = scene->solidMaterials.items[material].def.density;
  }
  if (density > 0.0) {
    *outInertia = crShape_ComputeInertia(shape, density);
  }
  return cr_ok;
}

crStatus crScene_ComputeFeatureInertia(const crScene* scene, crId object, int feature, crInertia* outInertia)
{
  const crObjectDef* def = crScene_GetObject(scene, object);
  if (def == NULL || feature < 0 || feature >= def->featureCount) {
    return cr_errorMisuse;
  }
  const crFeatureDef* f = &def->features[feature];
  *outInertia = (crInertia){ 0 };
  if (f->kind == cr_featureMass) {
    *outInertia = (crInertia){ f->as.mass.mass, f->as.mass.com, f->as.mass.inertia };
  } else if (f->kind == cr_featureSolid) {
    return computeSolidInertia(scene, &f->as.solid, crScene_GetShape(scene, object, feature), outInertia);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------- searching

crId crScene_Find(const crScene* scene, const char* path)
{
  int found = path != NULL ? crMap_FindString(&scene->paths, path) : -1;
  if (found < 0) {
    return (crId){ 0 };
  }
  return crScene_MakeId(scene, scene->elements.items[found].kind, scene->elements.items[found].index);
}

static crId findIn(const crScene* scene, const crMap* map, crElementKind kind, const char* name)
{
  int found = name != NULL ? crMap_FindString(map, name) : -1;
  return found >= 0 ? crScene_MakeId(scene, kind, found) : (crId){ 0 };
}

crId crScene_FindSolidMaterial(const crScene* scene, const char* name)
{
  return findIn(scene, &scene->solidMaterialNames, cr_elementSolidMaterial, name);
}

crId crScene_FindVisualMaterial(const crScene* scene, const char* name)
{
  return findIn(scene, &scene->visualMaterialNames, cr_elementVisualMaterial, name);
}

crId crScene_FindContactPair(const crScene* scene, const char* materialA, const char* materialB)
{
  char key[CR_MAX_PAIR_KEY];
  if (materialA == NULL || materialB == NULL || !crMakePairKey(materialA, materialB, key)) {
    return (crId){ 0 };
  }
  return findIn(scene, &scene->contactPairNames, cr_elementContactPair, key);
}

bool crScene_IsFailedName(const crScene* scene, const char* path)
{
  return crMap_FindString(&scene->failedNames, path) >= 0;
}

// ------------------------------------------------------------------------------------------ adding

crStatus crScene_Fail(crScene* scene, const crReporter* reporter, const char* name)
{
  scene->errorCount += reporter->errorCount;
  if (name != NULL) {
    if (!crScene_Intern(scene, &name) || !crMap_SetString(&scene->failedNames, name, 0)) {
      return cr_errorMemory;
    }
  }
  return cr_errorModel;
}

crStatus crScene_FailMemory(crScene* scene, crReporter* reporter)
{
  crComplaint complaint = { .message = "out of memory" };
  crReport(reporter, cr_severityError, cr_errorMemory, &complaint);
  scene->errorCount += 1;
  return cr_errorMemory;
}

bool crScene_RegisterPath(crScene* scene, const char* path, crElementKind kind, int index)
{
  crElementRef* ref = crArray_Push(&scene->elements, &scene->allocator);
  if (ref == NULL) {
    return false;
  }
  *ref = (crElementRef){ kind, index };
  if (!crMap_SetString(&scene->paths, path, scene->elements.count - 1)) {
    --scene->elements.count;
    return false;
  }
  return true;
}

bool crScene_Intern(crScene* scene, const char** text)
{
  if (*text == NULL) {
    return true;
  }
  int known = crMap_FindString(&scene->strings, *text);
  if (known >= 0) {
    *text = scene->stringList.items[known];
    return true;
  }
  const char* copy = crArena_CopyString(&scene->arena, *text);
  const char** place = copy != NULL ? crArray_Push(&scene->stringList, &scene->allocator) : NULL;
  if (place == NULL || !crMap_SetString(&scene->strings, copy, scene->stringList.count - 1)) {
    return false;
  }
  *place = copy;
  *text = copy;
  return true;
}

static void checkGravity(crReporter* reporter, const crGravity* gravity)
{
  if (gravity->kind == cr_gravityUniform) {
    crCheckFiniteVec3(reporter, "gravity.acceleration", gravity->acceleration);
  } else if (gravity->kind == cr_gravityPointMass) {
    crCheckFiniteVec3(reporter, "gravity.centre", gravity->centre);
    crCheckNotNegative(reporter, "gravity.mu", gravity->mu, "m^3/s^2");
  } else if (gravity->kind != cr_gravityNone) {
    crReportError(reporter, "unknown kind of gravity %d", (int)gravity->kind);
  }
}

// How a model is to be run, where it says so.
static void checkRun(crReporter* reporter, const crRunOptions* run)
{
  if (!isfinite(run->startTime)) {
    crReportNumber(reporter, "startTime is not finite", run->startTime, "a finite time", "s", NULL);
  } else if (run->stopTime != 0.0 && !(isfinite(run->stopTime) && run->stopTime > run->startTime)) {
    crReportNumber(reporter, "stopTime is not behind startTime", run->stopTime, "> startTime", "s", NULL);
  }
  if (run->interval != 0.0) {
    crCheckPositive(reporter, "interval", run->interval, "s");
  }
  if (run->maxStep != 0.0) {
    crCheckPositive(reporter, "maxStep", run->maxStep, "s");
  }
  if (run->tolerance != 0.0 && !(run->tolerance > 0.0 && run->tolerance < 1.0)) {
    crReportNumber(reporter, "tolerance is out of range", run->tolerance, "0 < tolerance < 1", NULL, NULL);
  }
  if ((unsigned)run->solver >= cr_solverKindCount) {
    crReportError(reporter, "there is no solver number %d", (int)run->solver);
  }
  if ((unsigned)run->islands > cr_islandsOff || (unsigned)run->eventRows > cr_eventRowsOff) {
    crReportError(reporter, "islands and eventRows must be default, on or off");
  }
  for (int i = 0; i < run->recordCount; ++i) {
    if (run->record[i] == NULL || run->record[i][0] == '\0') {
      crReportError(reporter, "record[%d] is empty", i + 1);
    }
  }
}

static bool storePatterns(crScene* scene, crRunOptions* run)
{
  const char** copies = crArena_AllocateZero(&scene->arena, (size_t)run->recordCount, sizeof *copies);
  for (int i = 0; copies != NULL && i < run->recordCount; ++i) {
    copies[i] = run->record[i];
    if (!crScene_Intern(scene, &copies[i])) {
      return false;
    }
  }
  run->record = copies;
  return copies != NULL;
}

// What pairs inherit must itself be known.
static void checkContactOptions(crReporter* reporter, const crSceneOptions* options)
{
  if ((unsigned)options->response > cr_responseObserver) {
    crReportError(reporter, "response of the scene cannot be '%s'", crContactResponseText(options->response));
  }
  if ((unsigned)options->formula >= cr_dampingOfScene) {
    crReportError(reporter, "formula of the scene must be flores or exact");
  }
  if ((unsigned)options->geometry >= cr_geometryOfScene) {
    crReportError(reporter, "geometry of the scene must be radius or table");
  }
  const double numbers[] = { options->kRed, options->vMin, options->wMin, options->hysteresis };
  static const char* const names[] = { "kRed", "vMin", "wMin", "hysteresis" };
  for (int i = 0; i < 4; ++i) {
    if (isnan(numbers[i])) {
      crReportError(reporter, "%s must be given", names[i]);
    }
  }
  crCheckContactNumbers(reporter, options->kRed, options->vMin, options->wMin, options->hysteresis);
}

crStatus crScene_SetOptions(crScene* scene, const crSceneOptions* options)
{
  if (scene == NULL || options == NULL || options->run.recordCount < 0 ||
      (options->run.record == NULL && options->run.recordCount > 0)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&scene->sink, options->source, "scene");
  checkGravity(&reporter, &options->gravity);
  checkRun(&reporter, &options->run);
  checkContactOptions(&reporter, options);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crSceneOptions copy = *options;
  if (!crScene_Intern(scene, &copy.source.file) || !storePatterns(scene, &copy.run)) {
    return crScene_FailMemory(scene, &reporter);
  }
  scene->options = copy;
  return cr_ok;
}
