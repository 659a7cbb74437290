// Object3Ds and their features: defaults, checks, adding.
#include "geometry/shape_kind.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#define CR_UNIT_QUATERNION_SLACK 1e-14 // [-] | |q|^2 - 1 | below which a quaternion keeps its bits
#define CR_CONVEX_SLACK 1e-3           // [-] hull volume above mesh volume from which a mesh is called not convex

const char* crFeatureKind_GetText(crFeatureKind kind)
{
  static const char* const texts[] = { "solid", "visual", "mass", "light", "camera" };
  return (unsigned)kind < cr_featureKindCount ? texts[kind] : "unknown feature";
}

crFeatureDef crDefaultFeatureDef(crFeatureKind kind)
{
  crFeatureDef def = { .size = sizeof def, .kind = kind };
  if (kind == cr_featureSolid) {
    def.as.solid.shape = crDefaultShapeDef(cr_shapeNone);
  } else if (kind == cr_featureVisual) {
    def.as.visual.shape = crDefaultShapeDef(cr_shapeNone);
  }
  return def;
}

crObjectDef crDefaultObjectDef(const char* name)
{
  crObjectDef def = { .size = sizeof def, .name = name };
  return def;
}

static void completeLight(crLightDef* light)
{
  if (crIsZeroColor(light->color)) {
    light->color = (crColor){ 1.0, 1.0, 1.0, 1.0 };
  }
  light->intensity = light->intensity == 0.0 ? 1.0 : light->intensity;
}

void crCompleteFeatureDef(crFeatureDef* def)
{
  if (def->kind == cr_featureSolid) {
    crCompleteShapeDef(&def->as.solid.shape);
    def->as.solid.group = def->as.solid.group == 0 ? 1 : def->as.solid.group;
  } else if (def->kind == cr_featureVisual) {
    crCompleteShapeDef(&def->as.visual.shape);
  } else if (def->kind == cr_featureLight) {
    completeLight(&def->as.light);
  } else if (def->kind == cr_featureCamera && def->as.camera.fieldOfView == 0.0) {
    def->as.camera.fieldOfView = 0.8;
  }
}

void crCompleteObjectDef(crObjectDef* def)
{
  crQuat q = def->rotation;
  if (q.w == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0) {
    def->rotation.w = 1.0;
  }
}

// ---------------------------------------------------------------------------------------- features

// The volume of an open mesh says nothing about its shape.
static void warnIfNotConvex(crReporter* reporter, const crSolidDef* solid, const crShape* shape)
{
  double ratio = crShape_GetHullRatio(shape);
  if (solid->contact == NULL || ratio <= 1.0 + CR_CONVEX_SLACK ||
      !crMesh_GetFacts(solid->shape.as.mesh.mesh).isClosed) {
    return;
  }
  char message[160];
  snprintf(message, sizeof message,
           "the mesh is not convex: its hull, which it touches with, has %.4g times its volume", ratio);
  crComplaint complaint = { .message = message,
                            .hint =
                                "pieces = \"decompose\" makes convex pieces of it; objects or groups of an OBJ file "
                                "are others" };
  crReport(reporter, cr_severityWarning, cr_ok, &complaint);
}

// What has no volume.
static void refuseMass(crReporter* reporter, const crShapeDef* shape)
{
  bool isRevolved = shape->kind == cr_shapeRevolved;
  const crProfileDef* profile = isRevolved                        ? &shape->as.revolved.profile
                                : shape->kind == cr_shapeExtruded ? &shape->as.extruded.profile
                                                                  : NULL;
  bool isSurface = profile != NULL && (profile->isOpen || profile->isTurnedOut);
  const char* message = shape->kind == cr_shapeHalfSpace ? "a half-space has no finite mass"
                        : shape->isHollow                ? "a hollow shape has no mass"
                        : isSurface                      ? "a profile that encloses no solid has no mass"
                                                         : NULL;
  if (message != NULL) {
    crComplaint complaint = { .message = message, .hint = "give it a contact material only" };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  }
}

static crStatus checkSolid(crScene* scene, crReporter* reporter, const crSolidDef* solid, crShape** outShape)
{
  if (solid->mass != 0.0 && !(solid->mass > 0.0 && isfinite(solid->mass))) {
    crReportNumber(reporter, "mass must be positive", solid->mass, "> 0", "kg", "omit it to take it from the density");
  }
  if (solid->contactRadius != 0.0) {
    crCheckPositive(reporter, "contactRadius", solid->contactRadius, "m");
  }
  crCheckFiniteVec3(reporter, "surfaceVelocity", solid->surfaceVelocity);
  if (crShapeKind_IsVisualOnly(solid->shape.kind)) {
    crReportError(reporter, "a %s is only for pictures and cannot be a solid's shape",
                  crShapeKind_GetText(solid->shape.kind));
    return cr_errorModel;
  }
  if (solid->material != NULL || solid->mass != 0.0) {
    refuseMass(reporter, &solid->shape);
  }
  crErrorSink sink = crReporter_Sink(reporter);
  crStatus status = crCreateShape(&solid->shape, &scene->allocator, &sink, outShape);
  if (status == cr_ok && solid->shape.kind == cr_shapeMesh) {
    warnIfNotConvex(reporter, solid, *outShape);
  }
  return status;
}

static void checkMass(crReporter* reporter, const crMassDef* def)
{
  if ((unsigned)def->policy > cr_inertiaBalance) {
    crReportError(reporter, "unknown policy %d", (int)def->policy);
  }
  if (def->policy == cr_inertiaStrict) {
    crCheckPositive(reporter, "mass", def->mass, "kg");
  } else {
    crCheckNotNegative(reporter, "mass", def->mass, "kg");
  }
  crCheckFiniteVec3(reporter, "com", def->com);
  const double entries[] = { def->inertia.xx, def->inertia.yy, def->inertia.zz,
                             def->inertia.xy, def->inertia.xz, def->inertia.yz };
  for (int i = 0; i < 6; ++i) {
    if (!crCheckFinite(reporter, "inertia", entries[i])) {
      return;
    }
  }
  if (def->policy == cr_inertiaStrict && !crIsPhysicalInertia(1.0, def->inertia)) {
    double moments[3];
    char found[96];
    crSym3_ComputeEigen(def->inertia, moments, NULL);
    snprintf(found, sizeof found, "principal moments %.6g, %.6g, %.6g", moments[0], moments[1], moments[2]);
    crComplaint complaint = { "no rigid body has this inertia", found,
                              "none negative, the largest at most the sum of the other two", "kg m^2",
                              "inertia is about the centre of mass; policy = \"given\" or \"balance\" would take it" };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  }
}

static void checkLight(crReporter* reporter, const crLightDef* def)
{
  if ((unsigned)def->kind > cr_lightSpot) {
    crReportError(reporter, "unknown kind of light %d", (int)def->kind);
  }
  crCheckColor(reporter, "color", def->color);
  crCheckNotNegative(reporter, "intensity", def->intensity, NULL);
}

static crStatus checkFeature(crScene* scene, crReporter* reporter, const crFeatureDef* def, crShape** outShape)
{
  *outShape = NULL;
  if (def->kind == cr_featureSolid) {
    return checkSolid(scene, reporter, &def->as.solid, outShape);
  }
  if (def->kind == cr_featureVisual) {
    crErrorSink sink = crReporter_Sink(reporter);
    return crCheckShapeDef(&def->as.visual.shape, &sink);
  }
  if (def->kind == cr_featureMass) {
    checkMass(reporter, &def->as.mass);
  } else if (def->kind == cr_featureLight) {
    checkLight(reporter, &def->as.light);
  } else if (def->kind == cr_featureCamera) {
    if (!(def->as.camera.fieldOfView > 0.0 && def->as.camera.fieldOfView < CR_PI)) {
      crReportNumber(reporter, "fieldOfView is out of range", def->as.camera.fieldOfView, "0 < fieldOfView < pi", "rad",
                     NULL);
    }
  } else {
    crReportError(reporter, "unknown kind of feature %d", (int)def->kind);
  }
  return cr_ok;
}

// As long as the scene; none is kept of none.
static bool keepMesh(crScene* scene, const crMesh* mesh)
{
  const crMesh** place = mesh != NULL ? crArray_Push(&scene->meshes, &scene->allocator) : NULL;
  if (place != NULL) {
    *place = crRetainMesh(mesh);
  }
  return place != NULL || mesh == NULL;
}

// Copies what a shape def points to into the scene.
static bool copyShapeDef(crScene* scene, crShapeDef* shape)
{
  if (shape->kind == cr_shapeHull) {
    size_t size = (size_t)shape->as.hull.pointCount * sizeof *shape->as.hull.points;
    shape->as.hull.points = crArena_Copy(&scene->arena, shape->as.hull.points, size);
    return shape->as.hull.points != NULL;
  }
  if (shape->kind == cr_shapeHeightField) {
    size_t count = (size_t)shape->as.heightField.rowCount * (size_t)shape->as.heightField.columnCount;
    shape->as.heightField.heights =
        crArena_Copy(&scene->arena, shape->as.heightField.heights, count * sizeof *shape->as.heightField.heights);
    return shape->as.heightField.heights != NULL;
  }
  if (shape->kind == cr_shapeRevolved || shape->kind == cr_shapeExtruded) {
    crProfileDef* profile = shape->kind == cr_shapeRevolved ? &shape->as.revolved.profile : &shape->as.extruded.profile;
    size_t size = (size_t)profile->pointCount * sizeof *profile->points;
    profile->points = crArena_Copy(&scene->arena, profile->points, size);
    return profile->points != NULL;
  }
  if (shape->kind == cr_shapeText) {
    return crScene_Intern(scene, &shape->as.text.string);
  }
  if (shape->kind == cr_shapeMesh) {
    return keepMesh(scene, shape->as.mesh.mesh) && keepMesh(scene, shape->as.mesh.made) &&
           crScene_Intern(scene, &shape->as.mesh.file);
  }
  return true;
}

static bool copyFeature(crScene* scene, crFeatureDef* feature)
{
  if (feature->kind == cr_featureSolid) {
    crSolidDef* solid = &feature->as.solid;
    return copyShapeDef(scene, &solid->shape) && crScene_Intern(scene, &solid->material) &&
           crScene_Intern(scene, &solid->contact) && crScene_Intern(scene, &solid->visual);
  }
  if (feature->kind == cr_featureVisual) {
    return copyShapeDef(scene, &feature->as.visual.shape) && crScene_Intern(scene, &feature->as.visual.visual);
  }
  return true;
}

// ----------------------------------------------------------------------------------------- objects

static void checkPose(crReporter* reporter, const crObjectDef* def)
{
  crCheckFiniteVec3(reporter, "position", def->position);
  double length = crQuatLength(def->rotation);
  if (!isfinite(length) || length < 1e-150) {
    crReportNumber(reporter, "rotation is not a quaternion of finite, non-zero length", length, "> 0", NULL, NULL);
  }
}

static void checkMobility(crReporter* reporter, const crObjectDef* def)
{
  if ((unsigned)def->mobility > cr_mobilityWorld) {
    crReportError(reporter, "unknown mobility %d", (int)def->mobility);
  }
  if (def->mobility == cr_mobilityWorld && def->parent != NULL) {
    crReportError(reporter, "the world cannot have a parent ('%s')", def->parent);
  }
  bool isPosed = crMaxAbs(def->position) != 0.0 || def->rotation.w != 1.0;
  if (def->mobility == cr_mobilityWorld && isPosed) {
    crReportError(reporter, "the world cannot be moved: it is the frame that positions are given in");
  }
  if ((unsigned)def->start > cr_startRest) {
    crReportError(reporter, "unknown start %d", (int)def->start);
  } else if (def->start == cr_startRest && def->mobility != cr_mobilityFree) {
    crComplaint complaint = { .message = "only a free object can start at rest on what it lies on",
                              .hint = "make it free, or omit start" };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  }
  if (crCheckFiniteVec3(reporter, "velocity", def->velocity) &&
      crCheckFiniteVec3(reporter, "angularVelocity", def->angularVelocity) && def->mobility != cr_mobilityFree &&
      (crMaxAbs(def->velocity) != 0.0 || crMaxAbs(def->angularVelocity) != 0.0)) {
    crComplaint complaint = { .message = "only a free object has a start velocity of its own",
                              .hint = "make it free, or give the joint that moves it a startRate" };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  }
}

// Checks all features and makes their shapes. outShapes is filled even on failure.
static crStatus checkFeatures(crScene* scene, crReporter* reporter, const crObjectDef* def, crShape** outShapes)
{
  crStatus worst = cr_ok;
  for (int i = 0; i < def->featureCount; ++i) {
    char path[CR_MAX_PATH + 64];
    crReporter one = *reporter;
    one.errorCount = one.warningCount = 0;
    snprintf(path, sizeof path, "%s.%s%d", def->name, crFeatureKind_GetText(def->features[i].kind), i + 1);
    one.path = path;
    crFeatureDef feature = def->features[i];
    crCompleteFeatureDef(&feature);
    crStatus status = checkFeature(scene, &one, &feature, &outShapes[i]);
    worst = status == cr_errorMemory ? status : worst;
    reporter->errorCount += one.errorCount;
  }
  return worst;
}

// Copies everything and registers the object; false: out of memory, nothing registered.
static bool storeObject(crScene* scene, const crObjectDef* def, crShape** shapes)
{
  crSceneObject object = { .def = *def, .shapes = shapes };
  crObjectDef* own = &object.def;
  size_t size = (size_t)def->featureCount * sizeof *def->features;
  crFeatureDef* features = crArena_Copy(&scene->arena, def->features, size);
  if (features == NULL || !crScene_Intern(scene, &own->name) || !crScene_Intern(scene, &own->parent) ||
      !crScene_Intern(scene, &own->source.file)) {
    return false;
  }
  for (int i = 0; i < def->featureCount; ++i) {
    crCompleteFeatureDef(&features[i]);
    if (!copyFeature(scene, &features[i])) {
      return false;
    }
  }
  own->features = features;
  double length = crQuatLength(own->rotation);
  if (fabs(length * length - 1.0) > CR_UNIT_QUATERNION_SLACK) {
    own->rotation = crNormalizeQuat(own->rotation);
  }
  if (crArray_Push(&scene->objects, &scene->allocator) == NULL) {
    return false;
  }
  scene->objects.items[scene->objects.count - 1] = object;
  if (!crScene_RegisterPath(scene, own->name, cr_elementObject, scene->objects.count - 1)) {
    --scene->objects.count;
    return false;
  }
  return true;
}

// Sizes of the def, of its features and of their shapes.
static bool checkSizes(const crScene* scene, const crObjectDef* def)
{
  bool areRight = CR_CHECK_SIZE(scene, crObjectDef, def);
  for (int i = 0; areRight && def->features != NULL && i < def->featureCount; ++i) {
    const crFeatureDef* feature = &def->features[i];
    areRight = CR_CHECK_SIZE(scene, crFeatureDef, feature);
    if (areRight && feature->kind == cr_featureSolid) {
      areRight = CR_CHECK_SIZE(scene, crShapeDef, &feature->as.solid.shape);
    } else if (areRight && feature->kind == cr_featureVisual) {
      areRight = CR_CHECK_SIZE(scene, crShapeDef, &feature->as.visual.shape);
    }
  }
  return areRight;
}

crStatus crScene_AddObject(crScene* scene, const crObjectDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !checkSizes(scene, def) || def->featureCount < 0 ||
      (def->featureCount > 0 && def->features == NULL)) {
    return cr_errorMisuse;
  }
  crObjectDef complete = *def;
  def = &complete;
  crCompleteObjectDef(&complete);
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  crCheckName(&reporter, "an object's name", def->name, true);
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crShape** shapes = crArena_AllocateZero(&scene->arena, (size_t)def->featureCount, sizeof(crShape*));
  if (shapes == NULL) {
    return crScene_FailMemory(scene, &reporter);
  }
  crScene_CheckPathIsFree(scene, &reporter, def->name);
  checkPose(&reporter, def);
  checkMobility(&reporter, def);
  crStatus status = checkFeatures(scene, &reporter, def, shapes);
  if (status == cr_ok && reporter.errorCount == 0 && storeObject(scene, def, shapes)) {
    if (outId != NULL) {
      *outId = crScene_MakeId(scene, cr_elementObject, scene->objects.count - 1);
    }
    return cr_ok;
  }
  for (int i = 0; i < def->featureCount; ++i) {
    crDestroyShape(shapes[i]);
  }
  return reporter.errorCount > 0 ? crScene_Fail(scene, &reporter, def->name) : crScene_FailMemory(scene, &reporter);
}

// ------------------------------------------------------------------------------------------ meshes

static const crShapeDef* findMeshShape(const crFeatureDef* feature)
{
  const crShapeDef* shape = feature->kind == cr_featureSolid    ? &feature->as.solid.shape
                            : feature->kind == cr_featureVisual ? &feature->as.visual.shape
                                                                : NULL;
  return shape != NULL && shape->kind == cr_shapeMesh && shape->as.mesh.file != NULL ? shape : NULL;
}

// A walk over the shapes that have a mesh from a file, in the order of objects and features.
typedef struct MeshWalk {
  const crScene* scene;
  int object, feature;
  const crShapeDef* shape; // the one that was found
} MeshWalk;

static bool findNextMesh(MeshWalk* walk)
{
  for (; walk->object < walk->scene->objects.count; ++walk->object, walk->feature = 0) {
    const crObjectDef* def = &walk->scene->objects.items[walk->object].def;
    while (walk->feature < def->featureCount) {
      walk->shape = findMeshShape(&def->features[walk->feature++]);
      if (walk->shape != NULL) {
        return true;
      }
    }
  }
  return false;
}

// Names of files are the scene's own copies, one for equal ones.
static bool isFirst(const MeshWalk* walk)
{
  MeshWalk before = { .scene = walk->scene };
  crVec3 scale = walk->shape->as.mesh.scale;
  while (findNextMesh(&before) && before.shape != walk->shape) {
    crVec3 other = before.shape->as.mesh.scale;
    if (before.shape->as.mesh.file == walk->shape->as.mesh.file && other.x == scale.x && other.y == scale.y &&
        other.z == scale.z) {
      return false;
    }
  }
  return true;
}

int crScene_CountMeshFiles(const crScene* scene)
{
  MeshWalk walk = { .scene = scene };
  int count = 0;
  while (scene != NULL && findNextMesh(&walk)) {
    count += isFirst(&walk);
  }
  return count;
}

crMeshFile crScene_GetMeshFile(const crScene* scene, int index)
{
  MeshWalk walk = { .scene = scene };
  while (scene != NULL && index >= 0 && findNextMesh(&walk)) {
    if (isFirst(&walk) && index-- == 0) {
      return (crMeshFile){ walk.shape->as.mesh.file, walk.shape->as.mesh.scale, walk.shape->as.mesh.mesh };
    }
  }
  return (crMeshFile){ .file = NULL };
}
