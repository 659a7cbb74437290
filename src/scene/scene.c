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
  crSceneOptions options = { .size = sizeof options };
  return options;
}

static double choose(double value, double standard)
{
  return value != 0.0 ? value : standard;
}

void crCompleteSceneOptions(crSceneOptions* options)
{
  crVec3 acceleration = options->gravity.acceleration;
  if (options->gravity.kind == cr_gravityEarth && crMaxAbs(acceleration) == 0.0) {
    options->gravity = (crGravity){ .kind = cr_gravityUniform, .acceleration = { 0.0, 0.0, -9.81 } };
  }
  if (options->response == cr_responseOfScene) {
    options->response = cr_responseElastic;
  }
  if (options->formula == cr_dampingOfScene) {
    options->formula = cr_dampingFlores;
  }
  if (options->touch == cr_touchOfScene) {
    options->touch = cr_touchByArea;
  }
  if (options->geometry == cr_geometryOfScene) {
    options->geometry = cr_geometryRadius;
  }
  if (options->friction == cr_frictionOfScene) {
    options->friction = cr_frictionRegularized;
  }
  options->kRed = choose(options->kRed, 1.0);
  options->vMin = choose(options->vMin, CR_CONTACT_V_MIN);
  options->wMin = choose(options->wMin, CR_CONTACT_W_MIN);
  options->hysteresis = choose(options->hysteresis, CR_CONTACT_HYSTERESIS);
}

crScene* crMakeEmptyScene(const crAllocator* allocator, const crErrorSink* sink)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crScene* scene = crAllocateZero(&chosen, 1, sizeof *scene);
  if (scene == NULL) {
    return NULL;
  }
  scene->allocator = chosen;
  scene->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  scene->tag = nextTag();
  scene->options = crDefaultSceneOptions();
  crCompleteSceneOptions(&scene->options);
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
  return scene;
}

crStatus crCreateScene(const crAllocator* allocator, const crErrorSink* sink, crScene** outScene)
{
  if (outScene == NULL) {
    return cr_errorMisuse;
  }
  *outScene = NULL;
  crScene* scene = crMakeEmptyScene(allocator, sink);
  if (scene == NULL) {
    crReporter reporter = crMakeReporter(sink, (crSource){ NULL, 0, 0 }, NULL);
    crComplaint complaint = { .message = "out of memory" };
    crReport(&reporter, cr_severityError, cr_errorMemory, &complaint);
    return cr_errorMemory;
  }
  if (!crFillPalettes(scene)) {
    crDestroyScene(scene);
    return cr_errorMemory;
  }
  *outScene = scene;
  return cr_ok;
}

static void freeElements(crScene* scene)
{
  const crAllocator* allocator = &scene->allocator;
  crArray_Free(&scene->elements, allocator);
  crArray_Free(&scene->assemblies, allocator);
  crArray_Free(&scene->objects, allocator);
  crArray_Free(&scene->joints, allocator);
  crArray_Free(&scene->forces, allocator);
  crArray_Free(&scene->signals, allocator);
  crArray_Free(&scene->solidMaterials, allocator);
  crArray_Free(&scene->contactPairs, allocator);
  crArray_Free(&scene->visualMaterials, allocator);
  crArray_Free(&scene->exclusions, allocator);
  crArray_Free(&scene->couplings, allocator);
  crArray_Free(&scene->actions, allocator);
  crArray_Free(&scene->meshes, allocator);
  crArray_Free(&scene->sources, allocator);
  for (size_t i = 0; i < sizeof scene->removed / sizeof *scene->removed; ++i) {
    crArray_Free(&scene->removed[i], allocator);
  }
}

void crDestroyScene(crScene* scene)
{
  if (scene == NULL) {
    return;
  }
  for (int i = 0; i < scene->objects.count && !scene->isBorrowed; ++i) {
    for (int k = 0; k < scene->objects.items[i].def.featureCount; ++k) {
      crDestroyShape(scene->objects.items[i].shapes[k]);
    }
  }
  for (int i = 0; i < scene->meshes.count; ++i) {
    crReleaseMesh(scene->meshes.items[i]);
  }
  freeElements(scene);
  crAllocator allocator = scene->allocator;
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
  return scene != NULL ? scene->errorCount : 0;
}

// --------------------------------------------------------------------------------------------- ids

crId crScene_MakeId(const crScene* scene, crElementKind kind, int index)
{
  // removed numbers less what was removed before them ascend: the first above the index ends those to be skipped
  int low = 0, high = scene->removed[kind].count;
  while (low < high) {
    int middle = (low + high) / 2;
    bool isBefore = scene->removed[kind].items[middle] - middle <= index;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  crId id = { (uint32_t)(index + low) + 1, (uint16_t)kind, scene->tag };
  return id;
}

// How many elements with a smaller number were removed; *outIsRemoved: this one, too.
static int countRemoved(const crScene* scene, crElementKind kind, int number, bool* outIsRemoved)
{
  int low = 0, high = scene->removed[kind].count;
  while (low < high) {
    int middle = (low + high) / 2;
    bool isBefore = scene->removed[kind].items[middle] < number;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  *outIsRemoved = low < scene->removed[kind].count && scene->removed[kind].items[low] == number;
  return low;
}

int crScene_Count(const crScene* scene, crElementKind kind)
{
  if (scene == NULL) {
    return 0;
  }
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
    case cr_elementCoupling: return scene->couplings.count;
    case cr_elementAction: return scene->actions.count;
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
  if (scene == NULL || id.tag != scene->tag || id.kind != kind || id.index1 == 0 || id.index1 > INT32_MAX) {
    return -1;
  }
  bool isRemoved;
  int number = (int)id.index1 - 1, index = number - countRemoved(scene, kind, number, &isRemoved);
  return !isRemoved && index < crScene_Count(scene, kind) ? index : -1;
}

// ----------------------------------------------------------------------------------------- reading

const crSceneOptions* crScene_GetOptions(const crScene* scene)
{
  return scene != NULL ? &scene->options : NULL;
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

const crCouplingDef* crScene_GetCoupling(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementCoupling, id);
  return index >= 0 ? &scene->couplings.items[index] : NULL;
}

const crActionDef* crScene_GetAction(const crScene* scene, crId id)
{
  int index = crScene_IndexOf(scene, cr_elementAction, id);
  return index >= 0 ? &scene->actions.items[index] : NULL;
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
  if (solid->mass > 0.0) {
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
  if (def == NULL || outInertia == NULL || feature < 0 || feature >= def->featureCount) {
    return cr_errorMisuse;
  }
  const crFeatureDef* f = &def->features[feature];
  *outInertia = (crInertia){ 0 };
  if (f->kind == cr_featureMass) {
    bool isBalanced = f->as.mass.policy == cr_inertiaBalance;
    *outInertia =
        (crInertia){ f->as.mass.mass, f->as.mass.com,
                     isBalanced ? crBalanceInertia(f->as.mass.mass, f->as.mass.inertia) : f->as.mass.inertia };
  } else if (f->kind == cr_featureSolid) {
    return computeSolidInertia(scene, &f->as.solid, crScene_GetShape(scene, object, feature), outInertia);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------- searching

crId crScene_Find(const crScene* scene, const char* path)
{
  int found = scene != NULL && path != NULL ? crMap_FindString(&scene->paths, path) : -1;
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
  return scene != NULL ? findIn(scene, &scene->solidMaterialNames, cr_elementSolidMaterial, name) : (crId){ 0 };
}

crId crScene_FindVisualMaterial(const crScene* scene, const char* name)
{
  return scene != NULL ? findIn(scene, &scene->visualMaterialNames, cr_elementVisualMaterial, name) : (crId){ 0 };
}

crId crScene_FindContactPair(const crScene* scene, const char* materialA, const char* materialB)
{
  char key[CR_MAX_PAIR_KEY];
  if (scene == NULL || materialA == NULL || materialB == NULL || !crMakePairKey(materialA, materialB, key)) {
    return (crId){ 0 };
  }
  return findIn(scene, &scene->contactPairNames, cr_elementContactPair, key);
}

bool crScene_IsFailedName(const crScene* scene, const char* path)
{
  return crMap_FindString(&scene->failedNames, path) >= 0;
}

// ------------------------------------------------------------------------------------------ adding

bool crScene_CheckSize(const crScene* scene, const char* type, size_t size, size_t known)
{
  crReporter reporter = crMakeReporter(&scene->sink, (crSource){ NULL, 0, 0 }, NULL);
  return crCheckSize(&reporter, type, size, known);
}

crStatus crScene_Fail(crScene* scene, const crReporter* reporter, const char* name)
{
  if (scene->replaced.kind != cr_elementNone) { // what it was to replace is still there
    return cr_errorModel;
  }
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
  scene->errorCount += scene->replaced.kind == cr_elementNone;
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
  } else if (gravity->kind == cr_gravityEarth) {
    crReportError(reporter, "gravity of the kind earth has an acceleration of its own: choose the kind uniform");
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
  if ((unsigned)options->response > cr_responseObserver || options->response == cr_responseOfScene) {
    crReportError(reporter, "response of the scene cannot be '%s'", crContactResponse_GetText(options->response));
  }
  if ((unsigned)options->formula > cr_dampingExact) {
    crReportError(reporter, "formula of the scene must be flores or exact");
  }
  if ((unsigned)options->geometry > cr_geometryHertz) {
    crReportError(reporter, "geometry of the scene must be radius or table");
  }
  if ((unsigned)options->touch > cr_touchByPoint) {
    crReportError(reporter, "touch of the scene must be area or point");
  }
  if ((unsigned)options->friction > cr_frictionStick) {
    crReportError(reporter, "friction of the scene must be regularized or stick");
  }
  crCheckContactNumbers(reporter, options->kRed, options->vMin, options->wMin, options->hysteresis);
}

crStatus crScene_SetOptions(crScene* scene, const crSceneOptions* options)
{
  if (scene == NULL || options == NULL || !CR_CHECK_SIZE(scene, crSceneOptions, options) ||
      options->run.recordCount < 0 || (options->run.record == NULL && options->run.recordCount > 0)) {
    return cr_errorMisuse;
  }
  crSceneOptions complete = *options;
  options = &complete;
  crCompleteSceneOptions(&complete);
  crReporter reporter = crMakeReporter(&scene->sink, options->source, "scene");
  checkGravity(&reporter, &options->gravity);
  checkRun(&reporter, &options->run);
  checkContactOptions(&reporter, options);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  if (!crScene_Intern(scene, &complete.source.file) || !storePatterns(scene, &complete.run)) {
    return crScene_FailMemory(scene, &reporter);
  }
  scene->options = complete;
  return cr_ok;
}
