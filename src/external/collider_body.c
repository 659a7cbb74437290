// Rows of 27 numbers become shapes and poses.
//
// Shapes are made when the numbers that they follow from change; poses at every call.
#include "external/collider.h"

#include "model/table.h"

#include <stdio.h>
#include <string.h>

#define CR_AXES_SLACK 1e-6     // [-] of axes that a simulator integrated
#define CR_COLLIDER_MARGIN 0.1 // [-] of the smallest dimension of all bodies: how far neighbours are looked for
#define CR_MAX_PIECES (1 << 28)

// Places in a row.
enum {
  rowId,
  rowShape,
  rowForm,
  rowExtra,
  rowStl,
  rowNoCollision,
  rowSize,
  rowRx = 9,
  rowRy = 12,
  rowR = 15,
  rowS = 18
};

static crVec3 readVec3(const double* numbers)
{
  return crMakeVec3(numbers[0], numbers[1], numbers[2]);
}

static void readKey(const double* row, double key[CR_BODY_KEY])
{
  const double numbers[CR_BODY_KEY] = { row[rowId],          row[rowShape], row[rowExtra],    row[rowStl],
                                        row[rowNoCollision], row[rowSize],  row[rowSize + 1], row[rowSize + 2] };
  memcpy(key, numbers, sizeof numbers);
}

// ------------------------------------------------------------------------------------------ shapes

static const crMesh* findMesh(const crCollider* collider, double index)
{
  for (int i = 0; i < collider->meshes.count; ++i) {
    if (collider->meshes.items[i].index == index) {
      return collider->meshes.items[i].mesh;
    }
  }
  return NULL;
}

// Fills the shape of a row and where its frame lies; false after a report.
static bool describeShape(const crCollider* collider, const double* row, crReporter* reporter, crShapeDef* outDef,
                          crVec3* outOffset)
{
  double length = row[rowSize], width = row[rowSize + 1], shift = 0.5 * length;
  crVec3 x = crMakeVec3(1.0, 0.0, 0.0);
  if (row[rowStl] != 0.0) {
    *outDef = crDefaultShapeDef(cr_shapeMesh);
    outDef->as.mesh.mesh = findMesh(collider, row[rowStl]);
    outDef->as.mesh.scale = crMakeVec3(1.0, 1.0, 1.0);
    shift = 0.0;
    if (outDef->as.mesh.mesh == NULL) {
      crReportNumber(reporter, "no mesh has this stl index", row[rowStl], "one that was given to the collider", NULL,
                     NULL);
      return false;
    }
  } else if (row[rowShape] == cr_externalBox) {
    *outDef = crDefaultShapeDef(cr_shapeBox);
    outDef->as.box.size = readVec3(row + rowSize);
  } else if (row[rowShape] == cr_externalSphere) {
    *outDef = crDefaultShapeDef(cr_shapeSphere);
    outDef->as.sphere.radius = 0.5 * length;
  } else if (row[rowShape] == cr_externalCylinder) {
    *outDef = crDefaultShapeDef(cr_shapeCylinder);
    outDef->as.cylinder.radius = 0.5 * width;
    outDef->as.cylinder.length = length;
    outDef->axis = x;
  } else if (row[rowShape] == cr_externalCone) {
    *outDef = crDefaultShapeDef(cr_shapeCone);
    outDef->as.cone.radius = 0.5 * width;
    outDef->as.cone.topRadius = 0.5 * width * row[rowExtra];
    outDef->as.cone.length = length;
    outDef->axis = x;
    shift = 0.0; // its frame is in its base
  } else if (row[rowShape] == cr_externalBeam) {
    *outDef = crDefaultShapeDef(cr_shapeBeam);
    outDef->as.beam.length = length;
    outDef->as.beam.width = width;
    outDef->as.beam.height = row[rowSize + 2];
  } else {
    crReportNumber(reporter, "unknown shape", row[rowShape], "101 box, 102 sphere, 103 cylinder, 104 cone, 106 beam",
                   NULL, "or an stl index");
    return false;
  }
  *outOffset = crScale(collider->def.beginsAtOrigin ? shift : 0.0, x);
  return true;
}

static crReporter makeReporter(const crErrorSink* sink, int body, char path[32])
{
  snprintf(path, 32, "body %d", body + 1);
  return crMakeReporter(sink, (crSource){ 0 }, path);
}

static crStatus createBody(crCollider* collider, int index, const double* row)
{
  char path[32];
  crErrorSink sink = crCollider_Sink(collider);
  crReporter reporter = makeReporter(&sink, index, path);
  crColliderBody* body = &collider->bodies[index];
  crShapeDef def;
  readKey(row, body->key);
  if (row[rowNoCollision] != 0.0) {
    return cr_ok;
  }
  if (!describeShape(collider, row, &reporter, &def, &body->p_FS)) {
    return cr_errorModel;
  }
  crErrorSink inner = crReporter_Sink(&reporter);
  return crCreateShape(&def, &collider->allocator, &inner, &body->shape);
}

// ------------------------------------------------------------------------------------- whole sets

static void freeBodies(crCollider* collider)
{
  const crAllocator* allocator = &collider->allocator;
  for (int i = 0; i < collider->bodyCount; ++i) {
    crDestroyShape(collider->bodies[i].shape);
  }
  crDestroyBroadPhase(collider->broadPhase);
  crFree(allocator, collider->bodies, (size_t)collider->bodyCount * sizeof *collider->bodies);
  crFree(allocator, collider->pieces, (size_t)collider->pieceCount * sizeof *collider->pieces);
  crFree(allocator, collider->owners, (size_t)collider->pieceCount * sizeof *collider->owners);
  collider->broadPhase = NULL;
  collider->bodies = NULL;
  collider->pieces = NULL;
  collider->owners = NULL;
  collider->bodyCount = collider->pieceCount = 0;
}

void crDestroyCollider(crCollider* collider)
{
  if (collider == NULL) {
    return;
  }
  freeBodies(collider);
  for (int i = 0; i < collider->meshes.count; ++i) {
    crReleaseMesh(collider->meshes.items[i].mesh);
  }
  crAllocator allocator = collider->allocator;
  crArray_Free(&collider->meshes, &allocator);
  crFree(&allocator, collider, sizeof *collider);
}

// Fills pieces and owners; rows of the same id have the first of them as owner.
static crStatus fillPieces(crCollider* collider)
{
  const crAllocator* allocator = &collider->allocator;
  crKeyTable ids = { .capacity = crTableCapacity(collider->bodyCount) };
  size_t capacity = (size_t)ids.capacity;
  ids.keys = crAllocateZero(allocator, capacity, sizeof *ids.keys);
  ids.values = crAllocateZero(allocator, capacity, sizeof *ids.values);
  crStatus status = ids.keys != NULL && ids.values != NULL ? cr_ok : cr_errorMemory;
  if (status == cr_ok) {
    crKeyTable_Clear(&ids);
    int next = 0;
    for (int i = 0; i < collider->bodyCount; ++i) {
      const crShape* shape = collider->bodies[i].shape;
      double id = collider->bodies[i].key[0] + 0.0; // -0 is 0
      uint64_t bits;
      memcpy(&bits, &id, sizeof bits);
      int owner = crKeyTable_Add(&ids, bits, i);
      for (int k = 0; shape != NULL && k < crShape_CountPieces(shape); ++k, ++next) {
        collider->pieces[next] = (crColliderPiece){ i, crShape_GetPiece(shape, k) };
        collider->owners[next] = owner;
      }
    }
  }
  crFree(allocator, ids.keys, capacity * sizeof *ids.keys);
  crFree(allocator, ids.values, capacity * sizeof *ids.values);
  return status;
}

// Lists the convex pieces of all bodies and makes their broad phase.
static crStatus createPieces(crCollider* collider)
{
  const crAllocator* allocator = &collider->allocator;
  int64_t count = 0;
  double smallest = HUGE_VAL;
  for (int i = 0; i < collider->bodyCount; ++i) {
    const crShape* shape = collider->bodies[i].shape;
    count += shape != NULL ? crShape_CountPieces(shape) : 0;
    smallest = shape != NULL ? fmin(smallest, crShape_GetSmallestDimension(shape)) : smallest;
  }
  if (count == 0 || count > CR_MAX_PIECES) {
    return count == 0 ? cr_ok : cr_errorLimit;
  }
  collider->margin = CR_COLLIDER_MARGIN * smallest;
  collider->pieces = crAllocateZero(allocator, (size_t)count, sizeof *collider->pieces);
  collider->owners = crAllocateZero(allocator, (size_t)count, sizeof *collider->owners);
  collider->pieceCount = (int)count;
  if (collider->pieces == NULL || collider->owners == NULL) {
    return cr_errorMemory;
  }
  crPairFilter all = { NULL, NULL };
  crStatus status = fillPieces(collider);
  return status == cr_ok
             ? crCreateBroadPhase((int)count, collider->owners, all, collider->margin, allocator, &collider->broadPhase)
             : status;
}

static crStatus createBodies(crCollider* collider, int bodyCount, const double* rows)
{
  freeBodies(collider);
  collider->bodies = crAllocateZero(&collider->allocator, (size_t)bodyCount, sizeof *collider->bodies);
  if (collider->bodies == NULL) {
    return cr_errorMemory;
  }
  collider->bodyCount = bodyCount;
  crStatus worst = cr_ok;
  for (int i = 0; i < bodyCount; ++i) {
    crStatus status = createBody(collider, i, rows + (size_t)i * CR_BODY_INPUTS);
    worst = worst == cr_ok || status == cr_errorMemory ? status : worst;
  }
  worst = worst == cr_ok ? createPieces(collider) : worst;
  if (worst != cr_ok) {
    freeBodies(collider);
  }
  return worst;
}

static bool areSame(const crCollider* collider, int bodyCount, const double* rows)
{
  bool isSame = collider->bodyCount == bodyCount;
  for (int i = 0; isSame && i < bodyCount; ++i) {
    double key[CR_BODY_KEY];
    readKey(rows + (size_t)i * CR_BODY_INPUTS, key);
    for (int k = 0; k < CR_BODY_KEY; ++k) {
      isSame = isSame && key[k] == collider->bodies[i].key[k];
    }
  }
  return isSame;
}

// ------------------------------------------------------------------------------------------- poses

static bool areFinite(const double* numbers, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    if (!isfinite(numbers[i])) {
      return false;
    }
  }
  return true;
}

static bool isRotation(crMat3 R)
{
  crMat3 E = crMulTM(R, R);
  double fault = fmax(crMaxAbs(crSub(E.cx, crMakeVec3(1, 0, 0))),
                      fmax(crMaxAbs(crSub(E.cy, crMakeVec3(0, 1, 0))), crMaxAbs(crSub(E.cz, crMakeVec3(0, 0, 1)))));
  return fault <= CR_AXES_SLACK && crDeterminant(R) > 0.0;
}

static bool placeBody(crCollider* collider, int index, const double* row)
{
  char path[32];
  crErrorSink sink = crCollider_Sink(collider);
  crReporter reporter = makeReporter(&sink, index, path);
  crColliderBody* body = &collider->bodies[index];
  crVec3 rx = readVec3(row + rowRx), ry = readVec3(row + rowRy);
  crMat3 axes = { rx, ry, crCross(rx, ry) };
  crMat3 byRows = { readVec3(row + rowS), readVec3(row + rowS + 3), readVec3(row + rowS + 6) };
  body->R_WB = crTranspose(byRows);
  if (!isRotation(axes)) {
    crReportError(&reporter, "rx and ry are not orthogonal and of unit length");
  }
  if (!isRotation(body->R_WB)) {
    crReportError(&reporter, "S is not a rotation matrix");
  }
  body->origin = readVec3(row + rowR);
  body->X_WS.R = crQuatToMat3(crNormalizeQuat(crMat3ToQuat(axes)));
  body->X_WS.p = crAdd(body->origin, crMulMV(body->X_WS.R, body->p_FS));
  return reporter.errorCount == 0;
}

static crStatus placeBoxes(crCollider* collider)
{
  for (int i = 0; i < collider->pieceCount; ++i) {
    const crColliderPiece* piece = &collider->pieces[i];
    crAabb box = crShape_ComputeAabb(piece->shape, collider->bodies[piece->body].X_WS);
    crStatus status = crBroadPhase_SetBox(collider->broadPhase, i, box);
    if (status != cr_ok) {
      return cr_retry; // so far out that its box is not finite
    }
  }
  return cr_ok;
}

crStatus crCollider_Place(crCollider* collider, int bodyCount, const double* bodies, const crBoxPair** outPairs,
                          int* outCount)
{
  *outPairs = NULL;
  *outCount = 0;
  if (collider->openStatus != cr_ok || bodyCount == 0) {
    return collider->openStatus;
  }
  collider->message[0] = '\0';
  if (!areFinite(bodies, (size_t)bodyCount * CR_BODY_INPUTS)) {
    return cr_retry;
  }
  crStatus status = areSame(collider, bodyCount, bodies) ? cr_ok : createBodies(collider, bodyCount, bodies);
  bool areGood = status == cr_ok;
  for (int i = 0; status == cr_ok && i < bodyCount; ++i) {
    areGood = placeBody(collider, i, bodies + (size_t)i * CR_BODY_INPUTS) && areGood;
  }
  if (!areGood) {
    return status != cr_ok ? status : cr_errorModel;
  }
  if (collider->pieceCount == 0) {
    return cr_ok;
  }
  status = placeBoxes(collider);
  return status == cr_ok ? crBroadPhase_FindPairs(collider->broadPhase, outPairs, outCount) : status;
}
