// What a report shows: looks, meshes, objects with their shapes.
#include "show/report.h"

#include "base/map.h"
#include "geometry/height_field.h"
#include "geometry/hull.h"
#include "show/draw_surface.h"

#include <stdio.h>
#include <string.h>

#define CR_MAX_MESH_TRIANGLES 300000 // of all meshes: more of them would fill the page and stall the browser

// A shape that is drawn. Shapes are gathered first, so that looks and meshes have their numbers.
typedef struct Drawn {
  const crShapeDef* shape;
  int object; // of the scene
  int look;   // -1: contact geometry that nobody sees, unless the page is asked for it
  int mesh;   // -1: none
  bool isContact;
} Drawn;

typedef struct SceneWriting {
  crReportWriting* report;
  crAllocator allocator;
  crArrayOf(Drawn) drawn;              // object by object
  crArrayOf(const char*) looks;        // names; "": the default look
  crArrayOf(const crShapeDef*) meshes; // shapes that are hulls or meshes, each mesh once
  crMap lookNumbers;                   // by name
  crMap meshNumbers;                   // by the address of a mesh
  int triangleCount;
} SceneWriting;

// ---------------------------------------------------------------------------------------- gathering

// The number of a look; -1: out of memory.
static int findLook(SceneWriting* writing, const char* name)
{
  const char* key = name != NULL ? name : "";
  int known = crMap_FindString(&writing->lookNumbers, key);
  if (known >= 0) {
    return known;
  }
  const char** place = crArray_Push(&writing->looks, &writing->allocator);
  if (place == NULL || !crMap_SetString(&writing->lookNumbers, key, writing->looks.count - 1)) {
    return -1;
  }
  *place = key;
  return writing->looks.count - 1;
}

// false: out of memory. outMesh -1: the mesh has too many triangles, which is noted.
static bool findMesh(SceneWriting* writing, const crShapeDef* shape, int* outMesh)
{
  const crMesh* const* key = &shape->as.mesh.mesh;
  bool isMesh = shape->kind == cr_shapeMesh;
  *outMesh = isMesh ? crMap_Find(&writing->meshNumbers, (const char*)key, sizeof *key) : -1;
  if (*outMesh >= 0) {
    return true;
  }
  int triangleCount = isMesh ? crMesh_GetFacts(*key).triangleCount : 0;
  if (triangleCount > CR_MAX_MESH_TRIANGLES - writing->triangleCount) {
    char note[160];
    snprintf(note, sizeof note, "the mesh '%.80s' with %d triangles is left out",
             shape->as.mesh.file != NULL ? shape->as.mesh.file : "", triangleCount);
    crReportWriting_AddNote(writing->report, note);
    return true;
  }
  writing->triangleCount += triangleCount;
  const crShapeDef** place = crArray_Push(&writing->meshes, &writing->allocator);
  if (place == NULL) {
    return false;
  }
  *place = shape;
  *outMesh = writing->meshes.count - 1;
  return !isMesh || crMap_Set(&writing->meshNumbers, (const char*)key, sizeof *key, *outMesh);
}

static bool gatherFeature(SceneWriting* writing, int object, const crFeatureDef* feature, bool canCollide)
{
  const char* look = NULL;
  const crShapeDef* shape = crPicture_FindDrawn(feature, &look);
  bool isContact = canCollide && feature->kind == cr_featureSolid && feature->as.solid.contact != NULL;
  bool isSeen = shape != NULL;
  if (!isSeen && isContact) {
    shape = &feature->as.solid.shape;
  }
  if (shape == NULL) {
    return true;
  }
  bool needsMesh = shape->kind == cr_shapeHull || shape->kind == cr_shapeMesh || shape->kind == cr_shapeHeightField ||
                   crIsDrawnAsSurface(shape);
  Drawn drawn = {
    .shape = shape, .object = object, .look = isSeen ? findLook(writing, look) : -1, .mesh = -1, .isContact = isContact
  };
  if ((isSeen && drawn.look < 0) || (needsMesh && !findMesh(writing, shape, &drawn.mesh))) {
    return false;
  }
  if (needsMesh && drawn.mesh < 0) {
    return true; // left out
  }
  Drawn* place = crArray_Push(&writing->drawn, &writing->allocator);
  if (place != NULL) {
    *place = drawn;
  }
  return place != NULL;
}

static bool gather(SceneWriting* writing)
{
  const crPicture* picture = writing->report->picture;
  bool isGathered = true;
  for (int i = 0; i < picture->objectCount && isGathered; ++i) {
    const crObjectDef* def = crPicture_GetObject(picture, i);
    for (int k = 0; k < def->featureCount && isGathered; ++k) {
      isGathered = gatherFeature(writing, i, &def->features[k], !def->neverCollides);
    }
  }
  return isGathered;
}

// --------------------------------------------------------------------------------- looks and meshes

static void writeColor(crJsonText* text, crColor color)
{
  crPutVec3(text, "color", (crVec3){ color.r, color.g, color.b });
}

static void writeLooks(const SceneWriting* writing)
{
  crJsonText* text = writing->report->text;
  crJsonText_Key(text, "looks");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->looks.count; ++i) {
    const char* name = writing->looks.items[i];
    crVisualMaterialDef look = crPicture_FindLook(writing->report->picture, name[0] != '\0' ? name : NULL);
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "name", name);
    writeColor(text, look.color);
    crJsonText_KeyNumber(text, "opacity", look.color.a * (1.0 - look.transparency));
    crJsonText_KeyBool(text, "wireframe", look.wireframe);
    crJsonText_KeyNumber(text, "shininess", look.shininess);
    crJsonText_KeyBool(text, "shadows", !look.isShadowless);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

static void writePoints(const SceneWriting* writing, const crVec3* points, int count)
{
  crBytes* data = writing->report->data;
  size_t first = crReportWriting_CountNumbers(writing->report);
  for (int i = 0; i < count; ++i) {
    crBytes_AddFloat(data, points[i].x);
    crBytes_AddFloat(data, points[i].y);
    crBytes_AddFloat(data, points[i].z);
  }
  crPutBlock(writing->report, "points", first);
}

static void writeTriangle(crJsonText* text, int a, int b, int c)
{
  crJsonText_BeginArray(text);
  crJsonText_Number(text, a);
  crJsonText_Number(text, b);
  crJsonText_Number(text, c);
  crJsonText_EndArray(text);
}

static void writeMesh(const SceneWriting* writing, const crMesh* mesh)
{
  crJsonText* text = writing->report->text;
  crMeshDef def = crMesh_GetDef(mesh);
  writePoints(writing, def.points, def.pointCount);
  crJsonText_Key(text, "triangles");
  crJsonText_BeginArray(text);
  for (int i = 0; i < def.triangleCount; ++i) {
    writeTriangle(text, def.triangles[i][0], def.triangles[i][1], def.triangles[i][2]);
  }
  crJsonText_EndArray(text);
}

// Faces of a hull are convex polygons: fans.
static crStatus writeHull(const SceneWriting* writing, const crShapeDef* shape)
{
  crJsonText* text = writing->report->text;
  crHull* hull = NULL;
  crStatus status = crCreateHull(shape->as.hull.points, shape->as.hull.pointCount, &writing->allocator, NULL, &hull);
  if (status != cr_ok) {
    return status;
  }
  writePoints(writing, hull->vertices, hull->vertexCount);
  crJsonText_Key(text, "triangles");
  crJsonText_BeginArray(text);
  for (int f = 0; f < hull->faceCount; ++f) {
    const int32_t* face = hull->faceVertices + hull->faceStarts[f];
    for (int k = 2; k < hull->faceStarts[f + 1] - hull->faceStarts[f]; ++k) {
      writeTriangle(text, face[0], face[k - 1], face[k]);
    }
  }
  crJsonText_EndArray(text);
  crDestroyHull(hull, &writing->allocator);
  return cr_ok;
}

static crStatus writeHeightField(const SceneWriting* writing, const crShapeDef* shape)
{
  crMesh* mesh = NULL;
  crStatus status = crMakeHeightSurface(shape, &writing->allocator, NULL, &mesh);
  if (status == cr_ok) {
    writeMesh(writing, mesh);
  }
  crReleaseMesh(mesh);
  return status;
}

// The triangles of a surface, whose points are floats already.
static crStatus writeSurface(const SceneWriting* writing, const crShapeDef* shape)
{
  crJsonText* text = writing->report->text;
  crTriangles surface;
  crTriangles_Init(&surface, &writing->allocator);
  crStatus status = crTessellate(shape, 0, 0.0, &surface);
  const uint32_t* indices = (const uint32_t*)(const void*)surface.indices.items;
  size_t first = crReportWriting_CountNumbers(writing->report);
  crBytes_Add(writing->report->data, surface.positions.items, surface.positions.size);
  crPutBlock(writing->report, "points", first);
  crJsonText_Key(text, "triangles");
  crJsonText_BeginArray(text);
  for (int i = 0; i + 2 < surface.indexCount && status == cr_ok; i += 3) {
    writeTriangle(text, (int)indices[i], (int)indices[i + 1], (int)indices[i + 2]);
  }
  crJsonText_EndArray(text);
  crTriangles_Free(&surface);
  return status;
}

static crStatus writeMeshes(const SceneWriting* writing)
{
  crJsonText* text = writing->report->text;
  crStatus status = cr_ok;
  crJsonText_Key(text, "meshes");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < writing->meshes.count && status == cr_ok; ++i) {
    const crShapeDef* shape = writing->meshes.items[i];
    crJsonText_BeginObject(text);
    if (shape->kind == cr_shapeMesh) {
      writeMesh(writing, shape->as.mesh.mesh);
    } else if (shape->kind == cr_shapeHeightField) {
      status = writeHeightField(writing, shape);
    } else if (crIsDrawnAsSurface(shape)) {
      status = writeSurface(writing, shape);
    } else {
      status = writeHull(writing, shape);
    }
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
  return status;
}

// ------------------------------------------------------------------------------------------- shapes

static void writeRoundSizes(crJsonText* text, const crShapeDef* shape)
{
  switch (shape->kind) {
    case cr_shapeSphere: crJsonText_KeyNumber(text, "radius", shape->as.sphere.radius); break;
    case cr_shapeCylinder:
      crJsonText_KeyNumber(text, "radius", shape->as.cylinder.radius);
      crJsonText_KeyNumber(text, "length", shape->as.cylinder.length);
      crJsonText_KeyNumber(text, "boreRadius", shape->as.cylinder.boreRadius);
      break;
    case cr_shapeCone:
      crJsonText_KeyNumber(text, "radius", shape->as.cone.radius);
      crJsonText_KeyNumber(text, "topRadius", shape->as.cone.topRadius);
      crJsonText_KeyNumber(text, "length", shape->as.cone.length);
      break;
    case cr_shapeCapsule:
      crJsonText_KeyNumber(text, "radius", shape->as.capsule.radius);
      crJsonText_KeyNumber(text, "length", shape->as.capsule.length);
      break;
    case cr_shapeCoil:
      crJsonText_KeyNumber(text, "radius", shape->as.coil.radius);
      crJsonText_KeyNumber(text, "length", shape->as.coil.length);
      crJsonText_KeyNumber(text, "wireRadius", shape->as.coil.wireRadius);
      crJsonText_KeyNumber(text, "windings", shape->as.coil.windings);
      break;
    case cr_shapeGearWheel:
      crJsonText_KeyNumber(text, "radius", shape->as.gearWheel.radius);
      crJsonText_KeyNumber(text, "boreRadius", shape->as.gearWheel.boreRadius);
      crJsonText_KeyNumber(text, "length", shape->as.gearWheel.length);
      crJsonText_KeyNumber(text, "teeth", shape->as.gearWheel.teeth);
      break;
    default: break;
  }
}

static void writeOtherSizes(crJsonText* text, const crShapeDef* shape)
{
  switch (shape->kind) {
    case cr_shapeEllipsoid: crPutVec3(text, "radii", shape->as.ellipsoid.radii); break;
    case cr_shapeBox: crPutVec3(text, "size", shape->as.box.size); break;
    case cr_shapeBeam:
      crJsonText_KeyNumber(text, "length", shape->as.beam.length);
      crJsonText_KeyNumber(text, "width", shape->as.beam.width);
      crJsonText_KeyNumber(text, "height", shape->as.beam.height);
      break;
    case cr_shapeCoordinateSystem: crJsonText_KeyNumber(text, "length", shape->as.coordinateSystem.length); break;
    case cr_shapeGrid:
      crJsonText_KeyNumber(text, "width", shape->as.grid.width);
      crJsonText_KeyNumber(text, "length", shape->as.grid.length);
      crJsonText_KeyNumber(text, "spacing", shape->as.grid.spacing);
      break;
    case cr_shapeText:
      crJsonText_KeyString(text, "string", shape->as.text.string);
      crJsonText_KeyNumber(text, "height", shape->as.text.height);
      break;
    default: break;
  }
}

static void writeShape(crJsonText* text, const Drawn* drawn)
{
  crJsonText_BeginObject(text);
  bool isMesh = drawn->shape->kind == cr_shapeHeightField || crIsDrawnAsSurface(drawn->shape); // drawn as one
  crJsonText_KeyString(text, "kind", crShapeKind_GetText(isMesh ? cr_shapeMesh : drawn->shape->kind));
  if (drawn->look >= 0) {
    crJsonText_KeyNumber(text, "look", drawn->look);
  }
  crPutPose(text, "pose", crComputeShapePose(drawn->shape));
  crJsonText_KeyBool(text, "isContact", drawn->isContact);
  if (drawn->mesh >= 0) {
    crJsonText_KeyNumber(text, "mesh", drawn->mesh);
  }
  writeRoundSizes(text, drawn->shape);
  writeOtherSizes(text, drawn->shape);
  crJsonText_EndObject(text);
}

// The shapes of an object, from `next` on in the list; returns where those of the next object begin.
static int writeShapes(const SceneWriting* writing, int object, int next)
{
  crJsonText* text = writing->report->text;
  int end = next;
  while (end < writing->drawn.count && writing->drawn.items[end].object == object) {
    ++end;
  }
  if (end > next) {
    crJsonText_Key(text, "shapes");
    crJsonText_BeginArray(text);
    for (int i = next; i < end; ++i) {
      writeShape(text, &writing->drawn.items[i]);
    }
    crJsonText_EndArray(text);
  }
  return end;
}

// ------------------------------------------------------------------------------------------ objects

static void writeMass(const crPicture* picture, crJsonText* text, int object, const crObjectDef* def)
{
  double mass = 0.0;
  for (int k = 0; k < def->featureCount; ++k) {
    crInertia inertia = { .mass = 0.0 };
    crId id = crScene_GetId(picture->scene, cr_elementObject, object);
    mass += crScene_ComputeFeatureInertia(picture->scene, id, k, &inertia) == cr_ok ? inertia.mass : 0.0;
  }
  if (mass > 0.0) {
    crPutKeyNumber(text, "mass", mass);
  }
}

static bool isNamedBefore(const crObjectDef* def, int feature, const char* name)
{
  for (int k = 0; k < feature; ++k) {
    const crSolidDef* solid = &def->features[k].as.solid;
    if (def->features[k].kind == cr_featureSolid && ((solid->material != NULL && strcmp(solid->material, name) == 0) ||
                                                     (solid->contact != NULL && strcmp(solid->contact, name) == 0))) {
      return true;
    }
  }
  return false;
}

static void writeMaterials(crJsonText* text, const crObjectDef* def)
{
  bool isOpen = false;
  for (int k = 0; k < def->featureCount; ++k) {
    if (def->features[k].kind != cr_featureSolid) {
      continue;
    }
    const char* names[] = { def->features[k].as.solid.material, def->features[k].as.solid.contact };
    bool isSame = names[0] != NULL && names[1] != NULL && strcmp(names[0], names[1]) == 0;
    for (int i = 0; i < (isSame ? 1 : 2); ++i) {
      if (names[i] != NULL && !isNamedBefore(def, k, names[i])) {
        if (!isOpen) {
          crJsonText_Key(text, "materials");
          crJsonText_BeginArray(text);
        }
        isOpen = true;
        crJsonText_String(text, names[i]);
      }
    }
  }
  if (isOpen) {
    crJsonText_EndArray(text);
  }
}

static void writeLight(crJsonText* text, const crLightDef* light)
{
  static const char* const kinds[] = { "directional", "ambient", "point", "spot" };
  crJsonText_Key(text, "light");
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "kind", kinds[light->kind]);
  writeColor(text, light->color);
  crJsonText_KeyNumber(text, "intensity", crResolveZero(light->intensity));
  crJsonText_KeyBool(text, "shadows", !light->isShadowless);
  crJsonText_EndObject(text);
}

// The first light and the first camera; an object that has more of them is none that is meant.
static void writeHints(crJsonText* text, const crObjectDef* def)
{
  bool hasLight = false, hasCamera = false;
  for (int k = 0; k < def->featureCount; ++k) {
    const crFeatureDef* feature = &def->features[k];
    if (feature->kind == cr_featureLight && !hasLight) {
      writeLight(text, &feature->as.light);
      hasLight = true;
    } else if (feature->kind == cr_featureCamera && !hasCamera) {
      crJsonText_Key(text, "camera");
      crJsonText_BeginObject(text);
      crJsonText_KeyNumber(text, "fieldOfView", feature->as.camera.fieldOfView);
      crJsonText_EndObject(text);
      hasCamera = true;
    }
  }
}

static void writeObjects(const SceneWriting* writing)
{
  const crPicture* picture = writing->report->picture;
  crJsonText* text = writing->report->text;
  int next = 0;
  crJsonText_Key(text, "objects");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < picture->objectCount; ++i) {
    const crObjectDef* def = crPicture_GetObject(picture, i);
    const crModelObject* place = crPicture_GetPlace(picture, i);
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "path", def->name);
    crJsonText_KeyNumber(text, "body", place->body);
    crPutPose(text, "pose", place->X_BO);
    writeMass(picture, text, i, def);
    writeMaterials(text, def);
    next = writeShapes(writing, i, next);
    writeHints(text, def);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

// --------------------------------------------------------------------------------------------- scene

static void writeNothing(crJsonText* text)
{
  crJsonText_Key(text, "objects");
  crJsonText_BeginArray(text);
  crJsonText_EndArray(text);
}

static crStatus writeScene(SceneWriting* writing)
{
  const crPicture* picture = writing->report->picture;
  crJsonText* text = writing->report->text;
  const crGravity* gravity = &crScene_GetOptions(picture->scene)->gravity;
  if (!gather(writing)) {
    return cr_errorMemory;
  }
  if (gravity->kind == cr_gravityUniform) {
    crPutVec3(text, "gravity", gravity->acceleration);
  }
  writeLooks(writing);
  crStatus status = writeMeshes(writing);
  writeObjects(writing);
  crWriteReportLinks(writing->report);
  return status;
}

crStatus crWriteReportScene(crReportWriting* report)
{
  if (report->picture->model == NULL) {
    writeNothing(report->text);
    return cr_ok;
  }
  SceneWriting writing = { .report = report, .allocator = report->picture->allocator };
  crMap_Init(&writing.lookNumbers, &writing.allocator);
  crMap_Init(&writing.meshNumbers, &writing.allocator);
  crStatus status = writeScene(&writing);
  crArray_Free(&writing.drawn, &writing.allocator);
  crArray_Free(&writing.looks, &writing.allocator);
  crArray_Free(&writing.meshes, &writing.allocator);
  crMap_Free(&writing.lookNumbers);
  crMap_Free(&writing.meshNumbers);
  return status;
}
