#include "text/distance_query.h"

#include "carom/collide.h"
#include "geometry/shape.h"
#include "text/json_text.h"
#include "text/json_value.h"

#include <stdio.h>
#include <string.h>

#define CR_ERROR_SIZE 2000       // [bytes] of all messages of a query; longer ones are cut
#define CR_FILE_LIMIT (1u << 30) // [bytes] of a mesh

// All that is wrong with one query, joined.
typedef struct Errors {
  char text[CR_ERROR_SIZE];
  size_t length;
} Errors;

// Both sides of a query. Shapes are NULL until they are created.
typedef struct Query {
  crShape* shapes[2];
  crPose poses[2];
} Query;

static const crJsonNoun lineText = { "query", "one is {\"a\": {\"shape\": ..., \"pose\": ...}, \"b\": {...}}" };

// ------------------------------------------------------------------------------------------- errors

static void append(Errors* errors, const char* before, const char* text, const char* after)
{
  if (text != NULL && errors->length < CR_ERROR_SIZE) {
    int size = snprintf(errors->text + errors->length, CR_ERROR_SIZE - errors->length, "%s%s%s", before, text, after);
    errors->length += size > 0 ? (size_t)size : 0;
  }
}

static void collectError(void* context, const crError* error)
{
  Errors* errors = context;
  if (error->severity != cr_severityError) {
    return;
  }
  char column[32];
  snprintf(column, sizeof column, "column %d: ", error->source.column);
  append(errors, "", errors->length > 0 ? "; " : NULL, "");
  append(errors, "", error->source.column > 0 ? column : NULL, "");
  append(errors, "", error->path, ": ");
  append(errors, "", error->message, "");
  append(errors, ", found ", error->found, "");
  append(errors, ", allowed: ", error->allowed, "");
  append(errors, " [", error->unit, "]");
  append(errors, ", ", error->hint, "");
}

static void complain(crReporter* reporter, const char* path, const char* message, const char* found,
                     const char* allowed, const char* hint)
{
  crReporter there = crMakeReporter(reporter->sink, reporter->source, path);
  crComplaint complaint = { .message = message, .found = found, .allowed = allowed, .hint = hint };
  crReport(&there, cr_severityError, cr_errorModel, &complaint);
  ++reporter->errorCount;
}

static crStatus runOutOfMemory(crReporter* reporter)
{
  complain(reporter, NULL, "out of memory", NULL, NULL, NULL);
  return cr_errorMemory;
}

// -------------------------------------------------------------------------------------------- poses

// A table may hold these two fields, no others. False: it is none.
static bool checkTable(crReporter* reporter, const char* path, const crValue* value, const char* first,
                       const char* second)
{
  char allowed[96];
  snprintf(allowed, sizeof allowed, "{\"%s\": ..., \"%s\": ...}", first, second);
  if (value == NULL || value->kind != cr_valueTable || value->itemCount > 0) {
    complain(reporter, path, value == NULL ? "missing" : "of the wrong type",
             value != NULL ? crValue_Describe(value) : NULL, allowed, NULL);
    return false;
  }
  for (int i = 0; i < value->fieldCount; ++i) {
    const char* key = value->keys[i];
    if (strcmp(key, first) != 0 && strcmp(key, second) != 0) {
      complain(reporter, path, "there is no such field here", key, allowed, NULL);
    }
  }
  return true;
}

// A list of numbers, finite because JSON has no others. False after a report.
static bool readNumbers(crReporter* reporter, const char* path, const crValue* value, int count, double* outNumbers)
{
  bool isList = value->kind == cr_valueTable && value->fieldCount == 0 && value->itemCount == count;
  for (int i = 0; isList && i < count; ++i) {
    isList = value->items[i].kind == cr_valueNumber;
    outNumbers[i] = value->items[i].number;
  }
  if (!isList) {
    complain(reporter, path, "of the wrong type", crValue_Describe(value), count == 3 ? "[x, y, z]" : "[w, x, y, z]",
             NULL);
  }
  return isList;
}

// Scaled first, so that no square leaves the range of numbers.
static bool makeRotation(const double n[4], crMat3* outR)
{
  double most = fmax(fmax(fabs(n[0]), fabs(n[1])), fmax(fabs(n[2]), fabs(n[3])));
  if (!(most > 0.0)) {
    return false;
  }
  crQuat q = { n[0] / most, n[1] / most, n[2] / most, n[3] / most };
  *outR = crQuatToMat3(crNormalizeQuat(q));
  return true;
}

static void readPose(crReporter* reporter, const char* path, const crValue* value, crPose* outPose)
{
  double n[4];
  *outPose = crIdentityPose();
  if (!checkTable(reporter, path, value, "position", "quaternion")) {
    return;
  }
  const crValue *position = crValue_Find(value, "position"), *quaternion = crValue_Find(value, "quaternion");
  char inside[64];
  snprintf(inside, sizeof inside, "%s.position", path);
  if (position != NULL && readNumbers(reporter, inside, position, 3, n)) {
    outPose->p = crMakeVec3(n[0], n[1], n[2]);
  }
  snprintf(inside, sizeof inside, "%s.quaternion", path);
  if (quaternion != NULL && readNumbers(reporter, inside, quaternion, 4, n) && !makeRotation(n, &outPose->R)) {
    complain(reporter, inside, "without a direction", "0", "a quaternion of non-zero length", NULL);
  }
}

// ------------------------------------------------------------------------------------------ queries

static void readShape(crDistanceQueries* queries, crReporter* reporter, const char* path, const crValue* value,
                      crShape** outShape)
{
  if (value == NULL) {
    complain(reporter, path, "missing", NULL, "{\"type\": \"sphere\", \"radius\": ...} or another shape", NULL);
    return;
  }
  int before = reporter->errorCount;
  crStatus status = crElementReader_CreateShape(&queries->elements, path, value, CR_ZERO, reporter, outShape);
  if (status != cr_ok && reporter->errorCount == before) {
    complain(reporter, path, crStatus_GetText(status), NULL, NULL, NULL);
  }
}

static void readSide(crDistanceQueries* queries, crReporter* reporter, const char* name, const crValue* value,
                     crShape** outShape, crPose* outPose)
{
  char path[16];
  if (!checkTable(reporter, name, value, "shape", "pose")) {
    return;
  }
  snprintf(path, sizeof path, "%s.shape", name);
  readShape(queries, reporter, path, crValue_Find(value, "shape"), outShape);
  snprintf(path, sizeof path, "%s.pose", name);
  readPose(reporter, path, crValue_Find(value, "pose"), outPose);
}

// A text as a value; *outRoot keeps its strings. False after a report.
static bool readText(crDistanceQueries* queries, crReporter* reporter, const crJsonNoun* noun, const char* text,
                     size_t size, json_t** outRoot, crValue* outValue)
{
  if (crParseJson(reporter, noun, text, size, outRoot) != cr_ok) {
    ++reporter->errorCount;
    return false;
  }
  if (!crConvertJson(&queries->arena, *outRoot, outValue)) {
    runOutOfMemory(reporter);
    return false;
  }
  return true;
}

static void readLine(crDistanceQueries* queries, crReporter* reporter, const char* text, size_t size, Query* query)
{
  json_t* root = NULL;
  crValue value;
  if (readText(queries, reporter, &lineText, text, size, &root, &value) &&
      checkTable(reporter, "query", &value, "a", "b")) {
    readSide(queries, reporter, "a", crValue_Find(&value, "a"), &query->shapes[0], &query->poses[0]);
    readSide(queries, reporter, "b", crValue_Find(&value, "b"), &query->shapes[1], &query->poses[1]);
  }
  json_decref(root);
  crArena_Clear(&queries->arena);
}

static void readPart(crDistanceQueries* queries, const crReporter* reporter, int index, const char* text, Query* query,
                     int* errorCount)
{
  static const char* const names[4] = { "SHAPE_A", "POSE_A", "SHAPE_B", "POSE_B" };
  crReporter there = crMakeReporter(reporter->sink, reporter->source, names[index]);
  crJsonNoun noun = { index % 2 == 0 ? "shape" : "pose", NULL };
  json_t* root = NULL;
  crValue value;
  if (readText(queries, &there, &noun, text, strlen(text), &root, &value)) {
    there.path = NULL; // the names of what is inside begin with it
    if (index % 2 == 0) {
      readShape(queries, &there, names[index], &value, &query->shapes[index / 2]);
    } else {
      readPose(&there, names[index], &value, &query->poses[index / 2]);
    }
  }
  *errorCount += there.errorCount;
  json_decref(root);
  crArena_Clear(&queries->arena);
}

// ------------------------------------------------------------------------------------------ refusals

// As the query has it, and not what was made of it.
static void nameShape(const crShape* shape, char* outName, size_t size)
{
  snprintf(outName, size, "%s%s", shape->given.isHollow ? "hollow " : "", crShapeKind_GetText(shape->given.kind));
}

// Tells of the surface, or of both, that has no convex pieces for the other shape: what it has a distance from, and
// what gives it pieces.
static void complainOfPieces(crReporter* reporter, const char* const names[2], const Query* query)
{
  for (int i = 0; i < 2; ++i) {
    const crShape *surface = query->shapes[i], *other = query->shapes[1 - i];
    if (!crIsSurface(surface) || crHasConvexPieces(surface) || other->kind == cr_shapeSphere) {
      continue;
    }
    char name[32], found[32], message[96];
    nameShape(surface, name, sizeof name);
    nameShape(other, found, sizeof found);
    snprintf(message, sizeof message, "%s %s shape has no distance from this one",
             strchr("aeiou", name[0]) != NULL ? "an" : "a", name);
    complain(reporter, names[i], message, found,
             surface->isRoom                     ? "sphere, ellipsoid"
             : surface->kind == cr_shapeExtruded ? "sphere, cylinder, extruded, involuteGear"
                                                 : "sphere",
             "with a pieceError [m] it has convex pieces, off by up to that, and a distance from all shapes");
  }
}

static void compute(crReporter* reporter, const char* const names[2], const Query* query, crDistance* outDistance)
{
  crStatus status =
      crComputeDistance(query->shapes[0], &query->poses[0], query->shapes[1], &query->poses[1], NULL, outDistance);
  if (status != cr_ok) {
    int before = reporter->errorCount;
    complainOfPieces(reporter, names, query);
    if (reporter->errorCount == before) {
      complain(reporter, NULL, crStatus_GetText(status), NULL, NULL, NULL);
    }
  }
}

// ------------------------------------------------------------------------------------------ answers

static void writeNumber(crJsonText* text, double number)
{
  if (isfinite(number)) {
    crJsonText_Number(text, number);
  } else {
    crJsonText_Null(text);
  }
}

static void writeKeyNumber(crJsonText* text, const char* key, double number)
{
  crJsonText_Key(text, key);
  writeNumber(text, number);
}

static void writeVec3(crJsonText* text, const char* key, crVec3 v)
{
  crJsonText_Key(text, key);
  crJsonText_BeginArray(text);
  writeNumber(text, v.x);
  writeNumber(text, v.y);
  writeNumber(text, v.z);
  crJsonText_EndArray(text);
}

static void writeSurface(crJsonText* text, const char* key, crSurface surface)
{
  static const char* const kinds[] = { "smooth", "face", "edge", "vertex" };
  crJsonText_Key(text, key);
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "kind", kinds[surface.kind]);
  crJsonText_KeyNumber(text, "id", surface.id);
  crJsonText_EndObject(text);
}

static void writeCurvature(crJsonText* text, const char* key, const crCurvature* curvature)
{
  crJsonText_Key(text, key);
  if (!curvature->isKnown) {
    crJsonText_Null(text);
    return;
  }
  crJsonText_BeginObject(text);
  crJsonText_KeyNumber(text, "k1", curvature->k1);
  crJsonText_KeyNumber(text, "k2", curvature->k2);
  writeVec3(text, "direction1", curvature->direction1);
  crJsonText_EndObject(text);
}

static void writeAnswer(const crDistance* d, crTextWriter writer)
{
  crJsonText text;
  crJsonText_Init(&text, writer);
  crJsonText_BeginObject(&text);
  writeKeyNumber(&text, "distance", d->distance);
  writeVec3(&text, "normal", d->normal);
  writeVec3(&text, "pointA", d->pointA);
  writeVec3(&text, "pointB", d->pointB);
  crJsonText_KeyBool(&text, "converged", d->isConverged);
  crJsonText_KeyBool(&text, "global", d->isGlobal);
  writeKeyNumber(&text, "lowerBound", d->lowerBound);
  writeKeyNumber(&text, "upperBound", d->upperBound);
  crJsonText_KeyNumber(&text, "iterations", d->iterations);
  writeSurface(&text, "surfaceA", d->surfaceA);
  writeSurface(&text, "surfaceB", d->surfaceB);
  writeCurvature(&text, "curvatureA", &d->curvatureA);
  writeCurvature(&text, "curvatureB", &d->curvatureB);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}

static void writeErrors(Errors* errors, long line, crTextWriter writer)
{
  crJsonText text;
  crCleanText(errors->text);
  crJsonText_Init(&text, writer);
  crJsonText_BeginObject(&text);
  crJsonText_KeyString(&text, "error", errors->text);
  if (line > 0) {
    crJsonText_KeyNumber(&text, "line", (double)line);
  }
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}

// Computes, answers and destroys. Names: those of the shapes.
static crStatus finish(crReporter* reporter, const char* const names[2], Query* query, Errors* errors, long line,
                       crTextWriter writer)
{
  crDistance d;
  if (reporter->errorCount == 0) {
    compute(reporter, names, query, &d);
  }
  bool isAnswered = reporter->errorCount == 0;
  if (isAnswered) {
    writeAnswer(&d, writer);
  } else {
    writeErrors(errors, line, writer);
  }
  crDestroyShape(query->shapes[0]);
  crDestroyShape(query->shapes[1]);
  return isAnswered ? cr_ok : cr_errorModel;
}

crStatus crDistanceQueries_Answer(crDistanceQueries* queries, const char* text, size_t size, long line,
                                  crTextWriter writer)
{
  Errors errors = { .length = 0 };
  Query query = { .shapes = { NULL, NULL } };
  crErrorSink sink = { collectError, &errors };
  crReporter reporter = crMakeReporter(&sink, (crSource){ NULL, 0, 0 }, NULL);
  static const char* const names[2] = { "a.shape", "b.shape" };
  readLine(queries, &reporter, text, size, &query);
  return finish(&reporter, names, &query, &errors, line, writer);
}

crStatus crDistanceQueries_AnswerParts(crDistanceQueries* queries, const char* const texts[4], crTextWriter writer)
{
  Errors errors = { .length = 0 };
  Query query = { .shapes = { NULL, NULL } };
  crErrorSink sink = { collectError, &errors };
  crReporter reporter = crMakeReporter(&sink, (crSource){ NULL, 0, 0 }, NULL);
  static const char* const names[2] = { "SHAPE_A", "SHAPE_B" };
  int errorCount = 0;
  for (int i = 0; i < 4; ++i) {
    readPart(queries, &reporter, i, texts[i], &query, &errorCount);
  }
  reporter.errorCount = errorCount;
  return finish(&reporter, names, &query, &errors, 0, writer);
}

void crDistanceQueries_Init(crDistanceQueries* queries, const crAllocator* allocator)
{
  crElementReader_Init(&queries->elements, NULL, NULL, NULL, CR_FILE_LIMIT, allocator);
  queries->elements.readsAnywhere = true; // who asks names the files
  crArena_Init(&queries->arena, &queries->elements.allocator);
}

void crDistanceQueries_Free(crDistanceQueries* queries)
{
  crArena_Free(&queries->arena);
  crElementReader_Free(&queries->elements);
}
