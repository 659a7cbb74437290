// Motion as binary glTF 2.0 (.glb), for Blender, slides and other viewers: a header, a JSON chunk and a binary chunk.
#include "show/gltf.h"

#include "base/file.h"
#include "base/report.h"
#include "carom/report.h"
#include "scene/scene.h"
#include "text/json_text.h"

#include <math.h>
#include <stdio.h>

#define CR_GLB_MAGIC 0x46546c67u // "glTF"
#define CR_GLB_VERSION 2u
#define CR_GLB_JSON 0x4e4f534au // "JSON"
#define CR_GLB_BINARY 0x004e4942u
#define CR_GLB_LIMIT 0xfffffff0u // [bytes] lengths have 32 bits
enum { cr_gltfLines = 1, cr_gltfTriangles = 4 };
#define CR_NEAR 0.01 // [m] of cameras

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

static void putChildren(const crGltf* gltf, crJsonText* text, const crGltfNode* node)
{
  if (node->childCount > 0) {
    crJsonText_Key(text, "children");
    crJsonText_BeginArray(text);
    for (int i = 0; i < node->childCount; ++i) {
      crJsonText_Number(text, gltf->children.items[node->firstChild + i]);
    }
    crJsonText_EndArray(text);
  }
}

// z up becomes y up: a quarter turn about x.
static void putPose(crJsonText* text, const crGltfNode* node)
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
  if (node->stretch != 1.0) {
    const double scale[] = { 1.0, 1.0, node->stretch };
    putNumbers(text, "scale", scale, 3);
  }
}

static void putNodes(const crGltf* gltf, crJsonText* text)
{
  crJsonText_Key(text, "nodes");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < gltf->nodes.count; ++i) {
    const crGltfNode* node = &gltf->nodes.items[i];
    char name[CR_MAX_PATH + 64];
    snprintf(name, sizeof name, "%s%s%s", node->path, node->suffix[0] != '\0' ? " " : "", node->suffix);
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "name", name);
    putPose(text, node);
    putChildren(gltf, text, node);
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

static void putMeshes(const crGltf* gltf, crJsonText* text)
{
  crJsonText_Key(text, "meshes");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < gltf->meshes.count; ++i) {
    const crGltfMesh* mesh = &gltf->meshes.items[i];
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

static void putMaterials(const crGltf* gltf, crJsonText* text)
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
    crCompleteVisualMaterialDef(&look);
    putMaterial(text, names[i], &look);
  }
  for (int i = 0; i < gltf->looks.count; ++i) {
    const char* name = gltf->looks.items[i];
    crVisualMaterialDef look = crPicture_FindLook(gltf->picture, name[0] != '\0' ? name : NULL);
    putMaterial(text, name[0] != '\0' ? name : "default", &look);
  }
  crJsonText_EndArray(text);
}

static void putCameras(const crGltf* gltf, crJsonText* text)
{
  if (gltf->cameras.count == 0) {
    return;
  }
  crJsonText_Key(text, "cameras");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < gltf->cameras.count; ++i) {
    crJsonText_BeginObject(text);
    crJsonText_KeyString(text, "type", "perspective");
    crJsonText_Key(text, "perspective");
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "yfov", gltf->cameras.items[i]);
    crJsonText_KeyNumber(text, "znear", CR_NEAR);
    crJsonText_EndObject(text);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
}

static void putAnimation(const crGltf* gltf, crJsonText* text)
{
  static const char* const paths[] = { "translation", "rotation", "scale" };
  if (gltf->channels.count == 0) {
    return;
  }
  crJsonText_Key(text, "animations");
  crJsonText_BeginArray(text);
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyString(text, "name", "run");
  crJsonText_Key(text, "channels");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < gltf->channels.count; ++i) {
    const crGltfChannel* channel = &gltf->channels.items[i];
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "sampler", channel->sampler);
    crJsonText_Key(text, "target");
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "node", channel->node);
    crJsonText_KeyString(text, "path", paths[channel->path]);
    crJsonText_EndObject(text);
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
  crJsonText_Key(text, "samplers");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < gltf->outputs.count; ++i) {
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "input", gltf->timeAccessor);
    crJsonText_KeyNumber(text, "output", gltf->outputs.items[i]);
    crJsonText_KeyString(text, "interpolation", "LINEAR");
    crJsonText_EndObject(text);
  }
  crJsonText_EndArray(text);
  crJsonText_EndObject(text);
  crJsonText_EndArray(text);
}

static void putAccessors(const crGltf* gltf, crJsonText* text)
{
  crJsonText_Key(text, "accessors");
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < gltf->accessors.count; ++i) {
    const crGltfAccessor* accessor = &gltf->accessors.items[i];
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
  for (int i = 0; i < gltf->views.count; ++i) {
    const crGltfView* view = &gltf->views.items[i];
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

static void describe(const crGltf* gltf, crJsonText* text)
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
  putNodes(gltf, text);
  putCameras(gltf, text);
  if (gltf->accessors.count > 0) {
    if (gltf->meshes.count > 0) {
      putMeshes(gltf, text);
      putMaterials(gltf, text);
    }
    putAnimation(gltf, text);
    putAccessors(gltf, text);
    crJsonText_Key(text, "buffers");
    crJsonText_BeginArray(text);
    crJsonText_BeginObject(text);
    crJsonText_KeyNumber(text, "byteLength", (double)gltf->binary.size);
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
static crStatus writeFile(const crGltf* gltf, crBytes* json, const char* path, const crErrorSink* sink)
{
  while (json->size % 4 != 0 && !json->hasFailed) {
    crBytes_Add(json, " ", 1);
  }
  if (json->hasFailed) {
    return cr_errorMemory;
  }
  size_t binary = gltf->binary.size, total = 12 + 8 + json->size + (binary > 0 ? 8 + binary : 0);
  if (total > CR_GLB_LIMIT) {
    return complain(sink, cr_errorLimit, "a glTF file cannot be larger than 4 GB", "record fewer rows (--interval)");
  }
  crOutputFile* file;
  crStatus status = crOpenOutputFile(path, &gltf->allocator, sink, &file);
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
    crOutputFile_Write(file, gltf->binary.items, binary);
  }
  return crCloseOutputFile(file, true, sink);
}

static crStatus writePicture(const crPicture* picture, const char* path, const crErrorSink* sink)
{
  crGltf gltf;
  crBytes json;
  crJsonText text;
  crGltf_Init(&gltf, picture);
  crBytes_Init(&json, &gltf.allocator);
  crStatus status = crGltf_Build(&gltf);
  if (status == cr_ok) {
    crJsonText_Init(&text, (crTextWriter){ crBytes_Write, &json });
    describe(&gltf, &text);
    status = writeFile(&gltf, &json, path, sink);
  }
  crBytes_Free(&json);
  crGltf_Free(&gltf);
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
