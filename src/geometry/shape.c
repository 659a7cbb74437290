// Making a shape: its rotation, core, mass properties, and the hulls of hull and mesh shapes.
#include "base/memory.h"
#include "geometry/height_field.h"
#include "geometry/mesh.h"
#include "geometry/shape_kind.h"

#include <stdio.h>
#include <string.h>

#define CR_TEXT_SIZE 160     // [bytes] of a text with a number in it
#define CR_MESSAGE_SIZE 1024 // [bytes] of a message with a file name in it; a longer one is cut

// ----------------------------------------------------------------------------------------- one core

static double chooseRounding(const crShape* shape)
{
  if (!cr_shapeRows[shape->kind].hasEdges) {
    return 0.0;
  }
  return crResolveZero(shape->given.rounding);
}

static void setInertia(crShape* shape, crInertia inertia_S)
{
  crPose X_FS = { shape->R_FS, { 0.0, 0.0, 0.0 } };
  shape->unitInertia = shape->isTurned ? crTransformInertia(X_FS, inertia_S) : inertia_S;
}

static crStatus buildSimple(crShape* shape)
{
  const crShapeRow* row = &cr_shapeRows[shape->kind];
  shape->smallestDimension = row->measure(&shape->given);
  shape->rounding = chooseRounding(shape);
  shape->sweep = row->makeCore(&shape->given, shape->rounding, &shape->core) + shape->inflate;
  setInertia(shape, row->weigh(&shape->given));
  return cr_ok;
}

// ---------------------------------------------------------------------------------------- hull cores

// The hull of the given points, its width and its mass properties.
static crStatus wrapPoints(crShape* shape, const crVec3* points, int pointCount, const crErrorSink* sink)
{
  crStatus status = crCreateHull(points, pointCount, &shape->allocator, sink, &shape->ownedHull);
  if (status == cr_ok) {
    shape->smallestDimension = crHull_ComputeWidth(shape->ownedHull);
    setInertia(shape, crHull_ComputeInertia(shape->ownedHull));
  }
  return status;
}

// Puts the eroded hull in place of the hull.
static crStatus roundHull(crShape* shape, double rounding, const crErrorSink* sink)
{
  if (rounding > 0.0) {
    crHull* eroded = NULL;
    crStatus status = crCreateErodedHull(shape->ownedHull, rounding, &shape->allocator, sink, &eroded);
    if (status != cr_ok) {
      return status;
    }
    crDestroyHull(shape->ownedHull, &shape->allocator);
    shape->ownedHull = eroded;
  }
  shape->core.hull = shape->ownedHull;
  shape->rounding = rounding;
  shape->sweep = rounding + shape->inflate;
  return cr_ok;
}

static crStatus checkGivenRounding(const crShape* shape, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  crCheckRounding(&shape->given, CR_ROUNDING_SHARE * shape->smallestDimension, shape->smallestDimension, &reporter);
  return reporter.errorCount == 0 ? cr_ok : cr_errorModel;
}

static crStatus buildHull(crShape* shape, const crShapeDef* def, const crErrorSink* sink)
{
  crStatus status = wrapPoints(shape, def->as.hull.points, def->as.hull.pointCount, sink);
  status = status == cr_ok ? checkGivenRounding(shape, sink) : status;
  return status == cr_ok ? roundHull(shape, chooseRounding(shape), sink) : status;
}

// -------------------------------------------------------------------------------------------- pieces

// The points of a mesh piece, each once.
typedef struct PointCollector {
  crVec3* points;   // (mesh points)
  int32_t* takenBy; // (mesh points) number of the piece that took it last, from 1
} PointCollector;

static int collectPoints(const PointCollector* collector, const crMesh* mesh, int piece)
{
  crMeshDef def = crMesh_GetDef(mesh);
  int start, triangleCount, count = 0;
  crMesh_GetPiece(mesh, piece, &start, &triangleCount);
  for (int i = start; i < start + triangleCount; ++i) {
    for (int k = 0; k < 3; ++k) {
      int32_t point = def.triangles[i][k];
      if (collector->takenBy[point] != piece + 1) {
        collector->takenBy[point] = piece + 1;
        collector->points[count++] = def.points[point];
      }
    }
  }
  return count;
}

// A piece starts as a hull in the frames of its mesh.
static void initPiece(crShape* piece, const crShape* shape)
{
  piece->kind = cr_shapeHull;
  piece->isTurned = shape->isTurned;
  piece->R_FS = shape->R_FS;
  piece->inflate = shape->inflate;
  piece->given = crDefaultShapeDef(cr_shapeHull);
  piece->given.axis = shape->given.axis;
  piece->given.rounding = shape->given.rounding;
  piece->given.inflate = shape->given.inflate;
  piece->hullRatio = 1.0;
  piece->allocator = shape->allocator;
}

static crStatus wrapPieces(crShape* shape, const crMesh* mesh, const PointCollector* collector, const crErrorSink* sink)
{
  shape->smallestDimension = HUGE_VAL;
  for (int i = 0; i < shape->pieceCount; ++i) {
    crShape* piece = &shape->pieces[i];
    initPiece(piece, shape);
    int count = collectPoints(collector, mesh, i);
    crStatus status = wrapPoints(piece, collector->points, count, sink);
    if (status == cr_errorModel) {
      crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
      crReportError(&reporter, "piece %d of %d of the mesh has no convex hull", i + 1, shape->pieceCount);
    }
    if (status != cr_ok) {
      return status;
    }
    shape->smallestDimension = fmin(shape->smallestDimension, piece->smallestDimension);
  }
  return cr_ok;
}

// The hulls of the pieces of a mesh.
static crStatus wrapMesh(crShape* shape, const crMesh* mesh, const crErrorSink* sink)
{
  crMeshFacts facts = crMesh_GetFacts(mesh);
  shape->pieces = crAllocateZero(&shape->allocator, (size_t)facts.pieceCount, sizeof *shape->pieces);
  if (shape->pieces == NULL) {
    return cr_errorMemory;
  }
  shape->pieceCount = facts.pieceCount;
  size_t pointCount = (size_t)facts.pointCount;
  PointCollector collector = { crAllocateZero(&shape->allocator, pointCount, sizeof *collector.points),
                               crAllocateZero(&shape->allocator, pointCount, sizeof *collector.takenBy) };
  bool hasMemory = collector.points != NULL && collector.takenBy != NULL;
  crStatus status = hasMemory ? wrapPieces(shape, mesh, &collector, sink) : cr_errorMemory;
  crFree(&shape->allocator, collector.takenBy, pointCount * sizeof *collector.takenBy);
  crFree(&shape->allocator, collector.points, pointCount * sizeof *collector.points);
  return status;
}

static crStatus roundPieces(crShape* shape, const crErrorSink* sink)
{
  shape->rounding = chooseRounding(shape);
  shape->sweep = shape->rounding + shape->inflate;
  crStatus status = cr_ok;
  for (int i = 0; i < shape->pieceCount && status == cr_ok; ++i) {
    status = roundHull(&shape->pieces[i], shape->rounding, sink);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------- mesh

static void warnOfMesh(crReporter* reporter, const crShapeDef* def, const char* what, const char* hint)
{
  char message[CR_MESSAGE_SIZE];
  const char* file = def->as.mesh.file;
  snprintf(message, sizeof message, "mesh%s%s %s", file != NULL ? " " : "", file != NULL ? file : "", what);
  crComplaint complaint = { .message = message, .hint = hint };
  crReport(reporter, cr_severityWarning, cr_ok, &complaint);
}

static crStatus weighMesh(crShape* shape, const crShapeDef* def, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  crMeshFacts facts = crMesh_GetFacts(def->as.mesh.mesh);
  crInertia inertia_S = crMesh_ComputeInertia(def->as.mesh.mesh); // of an inside-out mesh as if turned
  if (!(inertia_S.mass > 0.0)) {
    crReportNumber(&reporter, "mesh must enclose a volume", inertia_S.mass, "> 0", "m^3", NULL);
    return cr_errorModel;
  }
  if (!facts.isClosed) {
    char what[CR_TEXT_SIZE];
    snprintf(what, sizeof what, "is not closed: it has %d open edges, so its mass properties are doubtful",
             facts.openEdgeCount);
    warnOfMesh(&reporter, def, what, "close the mesh, or give mass, centre and inertia yourself");
  } else if (facts.volume < 0.0) {
    warnOfMesh(&reporter, def, "is inside out: its triangles are clockwise seen from outside; it is taken as turned",
               "reverse the order of the corners");
  }
  setInertia(shape, inertia_S);
  return cr_ok;
}

static void compareWithHulls(crShape* shape)
{
  double hullVolume = 0.0;
  for (int i = 0; i < shape->pieceCount; ++i) {
    hullVolume += shape->pieces[i].unitInertia.mass;
  }
  shape->hullRatio = hullVolume / shape->unitInertia.mass;
}

static void warnOfError(const crShapeDef* def, const crPiecesFacts* facts, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  char what[CR_TEXT_SIZE];
  snprintf(what, sizeof what, "touches with %d convex pieces, which is the limit%s: they are wrong by up to %.3g m",
           facts->pieceCount, facts->isSpent ? " of work" : "", facts->distance);
  warnOfMesh(&reporter, def, what, "say which error is right, or make pieces of it with carom mesh decompose");
}

// Pieces that are made of a mesh.
static crStatus wrapDecomposed(crShape* shape, const crShapeDef* def, const crErrorSink* sink)
{
  crPiecesDef pieces = crDefaultPiecesDef();
  pieces.error = def->as.mesh.error;
  crMesh* mesh = NULL;
  crPiecesFacts facts;
  if (def->as.mesh.made != NULL) {
    return wrapMesh(shape, def->as.mesh.made, sink);
  }
  crStatus status = crDecomposeMesh(def->as.mesh.mesh, &pieces, &shape->allocator, sink, &mesh, &facts);
  if (status == cr_ok && !facts.isWithin) {
    warnOfError(def, &facts, sink);
  }
  status = status == cr_ok ? wrapMesh(shape, mesh, sink) : status;
  crReleaseMesh(mesh);
  return status;
}

static crStatus buildMesh(crShape* shape, const crShapeDef* def, const crErrorSink* sink)
{
  shape->given.as.mesh.mesh = crRetainMesh(def->as.mesh.mesh);
  crStatus status = weighMesh(shape, def, sink);
  if (status == cr_ok) {
    bool isMade = def->as.mesh.pieces == cr_piecesDecompose;
    status = isMade ? wrapDecomposed(shape, def, sink) : wrapMesh(shape, def->as.mesh.mesh, sink);
  }
  status = status == cr_ok ? checkGivenRounding(shape, sink) : status;
  status = status == cr_ok ? roundPieces(shape, sink) : status;
  if (status == cr_ok) {
    compareWithHulls(shape);
  }
  return status;
}

// -------------------------------------------------------------------------------------- height fields

static crStatus weighSurface(crShape* shape, const crShapeDef* def, const crErrorSink* sink)
{
  crMesh* surface = NULL;
  crStatus status = crMakeHeightSurface(def, &shape->allocator, sink, &surface);
  if (status == cr_ok) {
    setInertia(shape, crMesh_ComputeInertia(surface));
  }
  crReleaseMesh(surface);
  return status;
}

// What balls touch in place of facets, as one more piece behind them.
static crStatus addGround(crShape* shape, const crShapeDef* def)
{
  size_t size = (size_t)shape->pieceCount * sizeof *shape->pieces;
  crGround* ground = crCreateGround(def, &shape->allocator);
  crShape* pieces = crAllocateZero(&shape->allocator, (size_t)shape->pieceCount + 1, sizeof *pieces);
  shape->ownedGround = ground;
  if (ground == NULL || pieces == NULL) {
    crFree(&shape->allocator, pieces, size + sizeof *pieces);
    return cr_errorMemory;
  }
  double lowest = HUGE_VAL; // of all samples, as the base of the facets has it
  memcpy(pieces, shape->pieces, size);
  crFree(&shape->allocator, shape->pieces, size);
  shape->pieces = pieces;
  for (int i = 0; i < shape->pieceCount; ++i) {
    const crHull* hull = pieces[i].ownedHull;
    for (int k = 0; k < hull->vertexCount; ++k) {
      lowest = fmin(lowest, hull->vertices[k].z);
    }
    pieces[i].leastBall = ground->chain.most;
  }
  ground->base = lowest;
  for (int i = 0; i < shape->pieceCount; ++i) {
    pieces[i].leastWheel = ground->wheel;
  }
  crShape* piece = &pieces[shape->pieceCount++];
  *piece = *shape;
  piece->pieceCount = 0;
  piece->pieces = NULL;
  piece->ownedGround = NULL;
  piece->kind = cr_shapeHeightField;
  piece->sweep = shape->inflate;
  piece->rounding = 0.0;
  piece->ground = ground;
  piece->chain = &ground->chain;
  double x = 0.5 * ground->width, y = 0.5 * ground->length, z = fmax(fabs(ground->high), fabs(ground->base));
  piece->smallestDimension = 2.0 * fmin(fmin(x, y), 0.5 * (ground->high - ground->base));
  piece->core = (crCore){ .half = crMakeVec3(x, y, 0.5 * (ground->high - ground->base)),
                          .zMin = 0.5 * (ground->high + ground->base),
                          .zMax = sqrt(x * x + y * y + z * z) };
  return cr_ok;
}

// For contacts it is a mesh of many pieces, and smooth for balls that fit into its valleys. Inflated it is not: what
// fits then depends on where.
static crStatus buildHeightField(crShape* shape, const crShapeDef* def, const crErrorSink* sink)
{
  crMesh* pieces = NULL;
  shape->kind = cr_shapeMesh;
  crStatus status = weighSurface(shape, def, sink);
  status = status == cr_ok ? crMakeHeightPieces(def, &shape->allocator, sink, &pieces) : status;
  status = status == cr_ok ? wrapMesh(shape, pieces, sink) : status;
  status = status == cr_ok ? roundPieces(shape, sink) : status;
  crReleaseMesh(pieces);
  bool isSmooth = !def->as.heightField.isFaceted && shape->inflate == 0.0;
  return status == cr_ok && isSmooth ? addGround(shape, def) : status;
}

// ---------------------------------------------------------------------------------- create, destroy

static crStatus refuseVisualOnly(crShapeKind kind, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  crReportError(&reporter, "a shape of kind %s is only drawn: it has no volume and no contact",
                crShapeKind_GetText(kind));
  return cr_errorModel;
}

static bool isFiniteInertia(crInertia inertia)
{
  crSym3 I = inertia.I_com;
  return isfinite(inertia.mass) && crIsFiniteVec3(inertia.com) && isfinite(I.xx + I.yy + I.zz) &&
         isfinite(I.xy + I.xz + I.yz);
}

// Sizes may be right one by one and still give a volume or inertia beyond the range of a double.
static crStatus checkRange(const crShape* shape, const crErrorSink* sink)
{
  crInertia inertia = shape->unitInertia;
  crSym3 I = inertia.I_com;
  bool isRight = isFiniteInertia(inertia) && inertia.mass > 0.0 && I.xx > 0.0 && I.yy > 0.0 && I.zz > 0.0;
  if (isRight || !crShape_IsBounded(shape) || (crIsSurface(shape) && !shape->chain->profile->hasVolume)) {
    return cr_ok;
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  crReportNumber(&reporter, "volume or inertia is out of the range of numbers", inertia.mass, NULL, "m^3",
                 "sizes are in metres");
  return cr_errorModel;
}

static bool isIdentity(crMat3 R)
{
  return R.cx.x == 1.0 && R.cx.y == 0.0 && R.cx.z == 0.0 && R.cy.x == 0.0 && R.cy.y == 1.0 && R.cy.z == 0.0 &&
         R.cz.x == 0.0 && R.cz.y == 0.0 && R.cz.z == 1.0;
}

static void initShape(crShape* shape, const crShapeDef* def, crAllocator allocator)
{
  shape->allocator = allocator;
  shape->kind = def->kind;
  shape->given = *def;
  crCompleteShapeDef(&shape->given);
  if (def->kind == cr_shapeHull) {
    shape->given.as.hull.points = NULL;
  } else if (def->kind == cr_shapeMesh) {
    shape->given.as.mesh.mesh = NULL;
    shape->given.as.mesh.file = NULL;
    shape->given.as.mesh.made = NULL;
  } else if (def->kind == cr_shapeHeightField) {
    shape->given.as.heightField.heights = NULL;
  }
  // exact for quarter and half turns: a half-space along x has the world's x axis itself as its normal
  shape->R_FS = crQuatToMat3(crShortestRotation(cr_shapeRows[def->kind].ownAxis, shape->given.axis));
  shape->isTurned = !isIdentity(shape->R_FS);
  shape->inflate = def->inflate;
  shape->hullRatio = 1.0;
}

static void setReach(crShape* shape)
{
  if (!crIsInPieces(shape)) {
    shape->reach = crCore_ComputeReach(shape->kind, &shape->core) + shape->sweep;
  }
  for (int i = 0; i < shape->pieceCount; ++i) {
    setReach(&shape->pieces[i]);
    shape->reach = fmax(shape->reach, shape->pieces[i].reach);
  }
}

static crStatus buildShape(crShape* shape, const crShapeDef* def, const crErrorSink* sink)
{
  if (def->isHollow) {
    return crBuildHollow(shape, sink);
  }
  switch (def->kind) {
    case cr_shapeRevolved:
    case cr_shapeExtruded: return crBuildSurface(shape, sink);
    case cr_shapeInvoluteGear: return crBuildGear(shape, sink);
    case cr_shapeHull: return buildHull(shape, def, sink);
    case cr_shapeMesh: return buildMesh(shape, def, sink);
    case cr_shapeHeightField: return buildHeightField(shape, def, sink);
    default: return buildSimple(shape);
  }
}

crStatus crCreateShape(const crShapeDef* def, const crAllocator* allocator, const crErrorSink* sink, crShape** outShape)
{
  if (outShape == NULL) {
    return cr_errorMisuse;
  }
  *outShape = NULL;
  crStatus status = crCheckShapeDef(def, sink);
  if (status != cr_ok) {
    return status;
  }
  if (crShapeKind_IsVisualOnly(def->kind)) {
    return refuseVisualOnly(def->kind, sink);
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crShape* shape = crAllocateZero(&chosen, 1, sizeof *shape);
  if (shape == NULL) {
    return cr_errorMemory;
  }
  initShape(shape, def, chosen);
  status = buildShape(shape, def, sink);
  status = status == cr_ok ? checkRange(shape, sink) : status;
  if (status != cr_ok) {
    crDestroyShape(shape);
    return status;
  }
  setReach(shape);
  *outShape = shape;
  return cr_ok;
}

void crDestroyShape(crShape* shape)
{
  if (shape == NULL) {
    return;
  }
  crAllocator allocator = shape->allocator;
  for (int i = 0; i < shape->pieceCount; ++i) {
    crDestroyHull(shape->pieces[i].ownedHull, &allocator);
  }
  crFree(&allocator, shape->pieces, (size_t)shape->pieceCount * sizeof *shape->pieces);
  crDestroySurface(shape);
  if (shape->ownedGround != NULL) {
    crFree(&allocator, shape->ownedGround, shape->ownedGround->byteCount);
  }
  crDestroyHull(shape->ownedHull, &allocator);
  if (shape->given.kind == cr_shapeMesh) {
    crReleaseMesh(shape->given.as.mesh.mesh);
  }
  crFree(&allocator, shape, sizeof *shape);
}

// ----------------------------------------------------------------------------------------- questions

crShapeKind crShape_GetKind(const crShape* shape)
{
  return shape != NULL ? shape->given.kind : cr_shapeNone;
}

double crShape_GetRounding(const crShape* shape)
{
  return shape != NULL ? shape->rounding : 0.0;
}

double crShape_GetSmallestDimension(const crShape* shape)
{
  return shape != NULL ? shape->smallestDimension : 0.0;
}

bool crShape_IsBounded(const crShape* shape)
{
  bool isRoom = shape != NULL && shape->given.isHollow && crIsInPieces(shape);
  return shape != NULL && shape->kind != cr_shapeHalfSpace && !isRoom;
}

int crShape_CountPieces(const crShape* shape)
{
  return shape == NULL ? 0 : shape->pieceCount > 0 ? shape->pieceCount : 1;
}

const crShape* crShape_GetPiece(const crShape* shape, int index)
{
  if (index < 0 || index >= crShape_CountPieces(shape)) {
    return NULL;
  }
  return shape->pieceCount > 0 ? &shape->pieces[index] : shape;
}

bool crIsPieceFor(const crShape* piece, const crShape* other)
{
  if (piece->isRoom && (other->kind == cr_shapeEllipsoid || piece->wall.kind != cr_wallNone)) {
    bool isWall = piece->wall.kind != cr_wallNone && other->kind == cr_shapeEllipsoid;
    return isWall && (piece->wall.part == cr_wallNear || !crFitsIn(other, piece));
  }
  bool isSphere = other->kind == cr_shapeSphere;
  bool isSkew = piece->isSkew || other->isSkew || (piece->hasPrisms && other->hasPrisms && crMayLieFlat(piece, other));
  if (crIsSurface(piece) && piece->chain->isFace && !isSphere) {
    return false;
  }
  if (!crIsSurface(piece)) {
    bool isParallel = piece->standsFor == cr_shapeExtruded && !isSkew &&
                      (other->kind == cr_shapeCylinder || other->standsFor == cr_shapeExtruded);
    return !(isSphere && other->sweep < piece->leastBall) && !isParallel;
  }
  bool isExtruded = piece->kind == cr_shapeExtruded && !isSkew;
  bool isRoller = isExtruded && other->kind == cr_shapeCylinder;
  double radius = other->sweep + (isRoller ? other->core.radius : 0.0);
  if (isExtruded && other->kind == cr_shapeExtruded) {
    return piece->chain->least == 0.0;
  }
  return (isSphere || isRoller) && radius >= piece->chain->least && radius < piece->chain->most;
}

bool crTouchesPiece(const crShape* piece, const crShape* other)
{
  double wheel = piece->ground != NULL ? piece->ground->wheel : piece->leastWheel;
  if (crIsWheel(other) && other->reach < wheel) {
    return piece->ground != NULL;
  }
  return crIsPieceFor(piece, other);
}

double crShape_GetHullRatio(const crShape* shape)
{
  return shape != NULL ? shape->hullRatio : 1.0;
}
