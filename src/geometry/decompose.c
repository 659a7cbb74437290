// Convex pieces of a closed mesh: cells of space are cut by planes of the mesh until what the body has in each of them
// is convex, to the error asked for. The pieces are the hulls of that.
//
// The part that goes deepest below its hull is cut first, by the plane that leaves the least volume in the hulls of
// both parts: planes of the mesh where it is deep, and, where those are many, planes along the axes. Parts of different
// cells do not overlap, so their hulls do not either. Two pieces that are convex together are one again in the end.
#include "base/report.h"
#include "geometry/body_cell.h"
#include "geometry/mesh.h"
#include "geometry/point_map.h"

#include <stdio.h>

#define CR_LEAST_ERROR 1e-6   // [-] of the diagonal of the box: float coordinates of STL are no better
#define CR_SLACK_SHARE 0.1    // [-] of the error: what is nearer to a plane is on it
#define CR_MOST_PLANES 24     // tried for one cut
#define CR_SAME_PLANE 1e-6    // [-] between normals of planes that are one
#define CR_EQUAL_VOLUME 1e-9  // [-] of a volume: less is no gain
#define CR_MERGED_VOLUME 1e-6 // [-] of two pieces: so much more may be in the hull of both
#define CR_PIECE_LIMIT 512    // unless given
#define CR_WORK 2e9           // [-] faces looked at, in some half a minute
#define CR_HULL_WORK 150.0    // [-] likewise, in the time that a point takes of which a hull is made
#define CR_LAST_WORK 1.5      // [-] of the work that pieces are made with: then bounds take the place of depths
#define CR_ASKED_WORK 2e6     // [-] after which the caller is asked
#define CR_CUT_SHARE 8.0      // [-] of the work that is left for each piece that is: so much one cut may take
#define CR_INSIDE_WORK 64.0   // [-] faces in the time that a corner takes of which is asked whether it is inside

typedef struct Part {
  crBodyCell cell;
  crHull* hull;      // of the body in it; NULL: none
  double volume;     // [m^3] of the hull
  double depth;      // [m] of the mesh below the hull along its normals, at most; 0: no more than the error
  crVec3 deepest;    // where
  bool isUncuttable; // no plane made it better
} Part;

typedef struct Decomposition {
  crAllocator allocator;
  crReporter reporter;
  crPiecesDef def;
  crCellSource source;
  double meshVolume; // [m^3]
  crArena arena;     // of the cells
  crArena trial;     // of one cut on trial
  crArena scratch;   // of one measure
  crArrayOf(Part) parts;
  double work;     // [-] faces looked at
  double mostWork; // [-]
  double asked;    // [-] work at which the caller was asked last
} Decomposition;

static bool isSpent(const Decomposition* d)
{
  return d->work >= d->mostWork;
}

static crStatus addWork(Decomposition* d, double work)
{
  d->work += work;
  if (d->def.goesOn == NULL || d->work < d->asked + CR_ASKED_WORK) {
    return cr_ok;
  }
  d->asked = d->work;
  return d->def.goesOn(d->def.context, fmin(1.0, d->work / d->mostWork), d->parts.count) ? cr_ok : cr_cancelled;
}

// What one cut may take: large parts are measured by bounds, and few planes are tried for them, so that there is work
// left for what they become.
static double findShare(const Decomposition* d)
{
  double left = fmax(d->mostWork - d->work, 0.0);
  return CR_CUT_SHARE * left / fmax(d->def.limit - d->parts.count, 1.0);
}

// -------------------------------------------------------------------------------------------------- parts

// cr_errorModel: the points have no volume.
static crStatus wrap(Decomposition* d, const crVec3* points, int count, crHull** outHull, double* outVolume)
{
  *outHull = NULL;
  *outVolume = 0.0;
  crStatus status = addWork(d, CR_HULL_WORK * count);
  if (status != cr_ok) {
    return status;
  }
  status = count >= 4 ? crCreateHull(points, count, &d->allocator, NULL, outHull) : cr_errorModel;
  if (status == cr_ok) {
    *outVolume = crHull_ComputeInertia(*outHull).mass;
  }
  return status;
}

// Fills hull and volume of a part that has a cell; the points are in the arena.
static crStatus wrapPart(Decomposition* d, crArena* arena, Part* part)
{
  crVec3* points;
  int count = crListBodyPoints(&part->cell, arena, &points);
  if (count < 0) {
    return cr_errorMemory;
  }
  crStatus status = wrap(d, points, count, &part->hull, &part->volume);
  return status == cr_errorModel ? cr_ok : status;
}

// How far it is out of a hull along the normal of a polygon, at most: to the plane across it that the hull ends at.
static double boundDepth(const crFlat* flat, const crHull* hull)
{
  crVec3 n = flat->plane.normal;
  double low = HUGE_VAL;
  for (int k = 0; k < flat->count; ++k) {
    low = fmin(low, crDot(n, flat->points[k]));
  }
  return crDot(n, hull->vertices[crHull_FindSupportFast(hull, n, 0)]) - low;
}

// As crMeasureDepth, of which most polygons have no need; or a bound.
static crStatus measureFlat(Decomposition* d, const crFlat* flat, const crHull* hull, double least, bool isBound,
                            double* outDepth, crVec3* outPoint)
{
  double bound = boundDepth(flat, hull);
  bool needsMore = bound > least && !isBound;
  crStatus status = addWork(d, (double)flat->count + (needsMore ? hull->faceCount : 0.0));
  *outDepth = fmax(bound, least);
  *outPoint = flat->points[0];
  if (status != cr_ok || !needsMore) {
    return status;
  }
  return crMeasureDepth(flat, hull, least, &d->scratch, outDepth, outPoint) ? cr_ok : cr_errorMemory;
}

// Whether the exact depths of a part would take more than a cut of it.
static bool isBoundOnly(const Decomposition* d, const Part* part)
{
  return isSpent(d) || (double)part->cell.fragmentCount * part->hull->faceCount > findShare(d);
}

static crStatus measurePart(Decomposition* d, Part* part)
{
  double least = d->def.error;
  bool isBound = part->hull != NULL && isBoundOnly(d, part);
  crStatus status = cr_ok;
  part->depth = 0.0;
  for (int f = 0; part->hull != NULL && f < part->cell.fragmentCount && status == cr_ok; ++f) {
    crVec3 point;
    double depth;
    status = measureFlat(d, &part->cell.fragments[f], part->hull, least, isBound, &depth, &point);
    if (status == cr_ok && depth > least) {
      least = part->depth = depth;
      part->deepest = point;
    }
  }
  return status;
}

static crStatus addPart(Decomposition* d, const crBodyCell* cell)
{
  Part part = { .cell = *cell };
  crStatus status = wrapPart(d, &d->trial, &part);
  if (status != cr_ok || part.hull == NULL) {
    return status;
  }
  status = measurePart(d, &part);
  Part* place = status == cr_ok ? crArray_Push(&d->parts, &d->allocator) : NULL;
  if (place == NULL) {
    crDestroyHull(part.hull, &d->allocator);
    return status != cr_ok ? status : cr_errorMemory;
  }
  *place = part;
  return cr_ok;
}

// ---------------------------------------------------------------------------------------------------- cuts

typedef struct Candidate {
  crCutPlane plane;
  double weight; // [m^3] depth of what lies on it, times its area
} Candidate;

typedef struct Candidates {
  Candidate items[CR_MOST_PLANES];
  int count;
  bool isFull; // there were others
} Candidates;

static bool areSame(crCutPlane a, crCutPlane b, double slack)
{
  double sign = crDot(a.normal, b.normal) < 0.0 ? -1.0 : 1.0;
  return crLength(crSub(a.normal, crScale(sign, b.normal))) <= CR_SAME_PLANE &&
         fabs(a.offset - sign * b.offset) <= slack;
}

// Keeps the heaviest ones, the first among equals.
static void addCandidate(Candidates* candidates, crCutPlane plane, double weight, double slack)
{
  int lightest = 0;
  for (int i = 0; i < candidates->count; ++i) {
    if (areSame(candidates->items[i].plane, plane, slack)) {
      candidates->items[i].weight += weight;
      return;
    }
    lightest = candidates->items[i].weight < candidates->items[lightest].weight ? i : lightest;
  }
  if (candidates->count < CR_MOST_PLANES) {
    candidates->items[candidates->count++] = (Candidate){ plane, weight };
    return;
  }
  candidates->isFull = true;
  if (weight > candidates->items[lightest].weight) {
    candidates->items[lightest] = (Candidate){ plane, weight };
  }
}

static double findArea(const crFlat* flat)
{
  crVec3 sum = crMakeVec3(0.0, 0.0, 0.0);
  for (int k = 2; k < flat->count; ++k) {
    sum = crAdd(sum, crCross(crSub(flat->points[k - 1], flat->points[0]), crSub(flat->points[k], flat->points[0])));
  }
  return 0.5 * crLength(sum);
}

static crStatus listCandidates(Decomposition* d, const Part* part, Candidates* out)
{
  bool isBound = isBoundOnly(d, part);
  out->count = 0;
  out->isFull = false;
  for (int f = 0; f < part->cell.fragmentCount; ++f) {
    const crFlat* flat = &part->cell.fragments[f];
    crVec3 point;
    double depth;
    crStatus status = measureFlat(d, flat, part->hull, d->def.error, isBound, &depth, &point);
    if (status != cr_ok) {
      return status;
    }
    if (depth > d->def.error) {
      addCandidate(out, flat->plane, depth * findArea(flat), d->source.slack);
    }
  }
  for (int axis = 0; out->isFull && axis < 3; ++axis) {
    crVec3 normal = crMakeVec3(axis == 0, axis == 1, axis == 2);
    out->items[CR_MOST_PLANES - 1 - axis].plane = (crCutPlane){ normal, crDot(normal, part->deepest) };
  }
  return cr_ok;
}

// The middle of a part across its longest side.
static crCutPlane halve(const Part* part)
{
  crAabb box = crEmptyAabb();
  for (int i = 0; i < part->hull->vertexCount; ++i) {
    box.min = crMinVec3(box.min, part->hull->vertices[i]);
    box.max = crMaxVec3(box.max, part->hull->vertices[i]);
  }
  crVec3 side = crSub(box.max, box.min);
  int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
  crVec3 normal = crMakeVec3(axis == 0, axis == 1, axis == 2);
  return (crCutPlane){ normal, 0.5 * crDot(normal, crAdd(box.min, box.max)) };
}

static double findCutWork(const Part* part)
{
  return (double)part->cell.fragmentCount + CR_INSIDE_WORK * part->cell.cornerCount;
}

// Of a part so large that a cut cannot try them all, the heaviest ones, and its middle.
static void limitCandidates(const Decomposition* d, const Part* part, Candidates* candidates)
{
  double one = findCutWork(part) + CR_HULL_WORK * 3.0 * part->cell.fragmentCount; // of triangles
  double most = fmax(1.0, floor(findShare(d) / one));
  for (int i = 0; most < candidates->count && i < (int)most; ++i) {
    for (int k = i + 1; k < candidates->count; ++k) {
      if (candidates->items[k].weight > candidates->items[i].weight) {
        Candidate lighter = candidates->items[i];
        candidates->items[i] = candidates->items[k];
        candidates->items[k] = lighter;
      }
    }
  }
  if (most < candidates->count) {
    candidates->count = (int)most;
    candidates->items[candidates->count - 1].plane = halve(part);
  }
}

// The volume of the hulls of both parts; infinite where the plane is no cut. Leaves nothing behind.
static crStatus tryCut(Decomposition* d, const Part* part, crCutPlane plane, double* outVolume)
{
  crArena_Clear(&d->trial);
  crStatus asked = addWork(d, findCutWork(part));
  if (asked != cr_ok) {
    return asked;
  }
  Part below = { .hull = NULL }, above = { .hull = NULL };
  *outVolume = HUGE_VAL;
  if (!crCutCell(&d->source, &part->cell, plane, &d->trial, &below.cell, &above.cell)) {
    return cr_errorMemory;
  }
  if (below.cell.cornerCount == 0 || above.cell.cornerCount == 0) {
    return cr_ok;
  }
  crStatus status = wrapPart(d, &d->trial, &below);
  status = status == cr_ok ? wrapPart(d, &d->trial, &above) : status;
  if (status == cr_ok) {
    *outVolume = below.volume + above.volume;
  }
  crDestroyHull(below.hull, &d->allocator);
  crDestroyHull(above.hull, &d->allocator);
  return status;
}

// Cuts a part by its best plane; its place is taken by what is left.
static crStatus cutPart(Decomposition* d, int index)
{
  Candidates candidates;
  const Part part = d->parts.items[index];
  crStatus listed = listCandidates(d, &part, &candidates);
  if (listed != cr_ok) {
    return listed;
  }
  limitCandidates(d, &part, &candidates);
  int best = -1;
  double least = HUGE_VAL;
  for (int i = 0; i < candidates.count && !isSpent(d); ++i) {
    double volume;
    crStatus status = tryCut(d, &part, candidates.items[i].plane, &volume);
    if (status != cr_ok) {
      return status;
    }
    if (volume < least - CR_EQUAL_VOLUME * part.volume) {
      best = i;
      least = volume;
    }
  }
  if (best < 0 || isSpent(d)) { // of one that not all planes were tried for it may be a bad one
    d->parts.items[index].isUncuttable = !isSpent(d);
    return cr_ok;
  }
  crBodyCell below, above;
  if (!crCutCell(&d->source, &part.cell, candidates.items[best].plane, &d->arena, &below, &above)) {
    return cr_errorMemory;
  }
  crDestroyHull(part.hull, &d->allocator);
  d->parts.items[index] = d->parts.items[--d->parts.count];
  crArena_Clear(&d->trial);
  crStatus status = addPart(d, &below);
  return status == cr_ok ? addPart(d, &above) : status;
}

static double sumVolumes(const Decomposition* d)
{
  double sum = 0.0;
  for (int i = 0; i < d->parts.count; ++i) {
    sum += d->parts.items[i].volume;
  }
  return sum;
}

// The part to cut next; -1: none.
static int findDeepest(const Decomposition* d)
{
  int deepest = -1;
  bool isEnough = d->def.volumeError > 0.0 && sumVolumes(d) <= (1.0 + d->def.volumeError) * d->meshVolume;
  for (int i = 0; i < d->parts.count && !isEnough; ++i) {
    const Part* part = &d->parts.items[i];
    if (part->depth > 0.0 && !part->isUncuttable && (deepest < 0 || part->depth > d->parts.items[deepest].depth)) {
      deepest = i;
    }
  }
  return deepest;
}

// --------------------------------------------------------------------------------------------------- union

static crAabb boundPart(const Part* part, double more)
{
  crAabb box = crEmptyAabb();
  for (int i = 0; i < part->hull->vertexCount; ++i) {
    box.min = crMinVec3(box.min, part->hull->vertices[i]);
    box.max = crMaxVec3(box.max, part->hull->vertices[i]);
  }
  box.min = crSub(box.min, crMakeVec3(more, more, more));
  box.max = crAdd(box.max, crMakeVec3(more, more, more));
  return box;
}

// Makes one piece of two where their hull has no more than both of them.
static crStatus tryUnion(Decomposition* d, int a, int b, bool* outIsOne)
{
  Part *first = &d->parts.items[a], *second = &d->parts.items[b];
  int count = first->hull->vertexCount + second->hull->vertexCount, n = 0;
  crArena_Clear(&d->trial);
  crVec3* points = crArena_Allocate(&d->trial, (size_t)count * sizeof *points);
  *outIsOne = false;
  if (points == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < first->hull->vertexCount; ++i) {
    points[n++] = first->hull->vertices[i];
  }
  for (int i = 0; i < second->hull->vertexCount; ++i) {
    points[n++] = second->hull->vertices[i];
  }
  Part both = { .hull = NULL };
  crStatus status = wrap(d, points, count, &both.hull, &both.volume);
  double sum = first->volume + second->volume;
  if (status != cr_ok || both.volume > sum * (1.0 + CR_MERGED_VOLUME)) {
    crDestroyHull(both.hull, &d->allocator);
    return status == cr_errorModel ? cr_ok : status;
  }
  both.cell.fragmentCount = first->cell.fragmentCount + second->cell.fragmentCount;
  both.cell.fragments = crArena_AllocateZero(&d->arena, (size_t)both.cell.fragmentCount + 1, sizeof(crFlat));
  if (both.cell.fragments == NULL) {
    crDestroyHull(both.hull, &d->allocator);
    return cr_errorMemory;
  }
  for (int f = 0; f < both.cell.fragmentCount; ++f) {
    int k = f - first->cell.fragmentCount;
    both.cell.fragments[f] = k < 0 ? first->cell.fragments[f] : second->cell.fragments[k];
  }
  status = measurePart(d, &both);
  if (status != cr_ok) {
    crDestroyHull(both.hull, &d->allocator);
    return status;
  }
  *outIsOne = both.depth <= fmax(first->depth, second->depth);
  crDestroyHull(*outIsOne ? first->hull : both.hull, &d->allocator);
  if (*outIsOne) {
    crDestroyHull(second->hull, &d->allocator);
    *first = both;
    d->parts.items[b] = d->parts.items[--d->parts.count];
  }
  return cr_ok;
}

static crStatus uniteParts(Decomposition* d)
{
  bool isChanged = true;
  while (isChanged && !isSpent(d)) {
    isChanged = false;
    for (int a = 0; a < d->parts.count; ++a) {
      for (int b = a + 1; b < d->parts.count && !isSpent(d); ++b) {
        bool isOne = false;
        crAabb boxA = boundPart(&d->parts.items[a], d->source.slack), boxB = boundPart(&d->parts.items[b], 0.0);
        crStatus status = crAabbsOverlap(boxA, boxB) ? tryUnion(d, a, b, &isOne) : cr_ok;
        if (status != cr_ok) {
          return status;
        }
        isChanged |= isOne;
        b -= isOne;
      }
    }
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------------------- pieces

// Fans of all faces, piece by piece.
static crStatus writePieces(Decomposition* d, crMesh** outMesh)
{
  int triangleCount = 0, n = 0;
  for (int i = 0; i < d->parts.count; ++i) {
    triangleCount += d->parts.items[i].hull->faceVertexCount - 2 * d->parts.items[i].hull->faceCount;
  }
  crPointMap map;
  crPointMap_Init(&map, &d->allocator);
  int32_t(*triangles)[3] = crArena_Allocate(&d->arena, (size_t)triangleCount * sizeof *triangles);
  int32_t* starts = crArena_Allocate(&d->arena, (size_t)d->parts.count * sizeof *starts);
  bool hasMemory = triangles != NULL && starts != NULL;
  for (int i = 0; hasMemory && i < d->parts.count; ++i) {
    const crHull* hull = d->parts.items[i].hull;
    starts[i] = n;
    for (int f = 0; hasMemory && f < hull->faceCount; ++f) {
      const int32_t* loop = hull->faceVertices + hull->faceStarts[f];
      int count = hull->faceStarts[f + 1] - hull->faceStarts[f];
      for (int k = 2; hasMemory && k < count; ++k, ++n) {
        triangles[n][0] = crPointMap_Add(&map, hull->vertices[loop[0]]);
        triangles[n][1] = crPointMap_Add(&map, hull->vertices[loop[k - 1]]);
        triangles[n][2] = crPointMap_Add(&map, hull->vertices[loop[k]]);
        hasMemory = triangles[n][0] >= 0 && triangles[n][1] >= 0 && triangles[n][2] >= 0;
      }
    }
  }
  crStatus status = cr_errorMemory;
  if (hasMemory) {
    crMeshDef def = crDefaultMeshDef();
    def.points = map.points;
    def.pointCount = map.count;
    def.triangles = (const int32_t(*)[3])triangles;
    def.triangleCount = triangleCount;
    def.pieceStarts = starts;
    def.pieceCount = d->parts.count;
    status = crCreateMesh(&def, &d->allocator, d->reporter.sink, outMesh);
  }
  crPointMap_Free(&map);
  return status;
}

static crStatus findFacts(Decomposition* d, crPiecesFacts* out)
{
  *out = (crPiecesFacts){ .pieceCount = d->parts.count, .isWithin = findDeepest(d) < 0 };
  out->isSpent = !out->isWithin && isSpent(d);
  d->mostWork *= CR_LAST_WORK;
  d->def.error = 0.0;
  for (int i = 0; i < d->parts.count; ++i) {
    out->isWithin &= d->def.volumeError > 0.0 || !d->parts.items[i].isUncuttable;
    crStatus status = measurePart(d, &d->parts.items[i]);
    if (status != cr_ok) {
      return status;
    }
    out->distance = fmax(out->distance, d->parts.items[i].depth);
  }
  out->volumeRatio = sumVolumes(d) / d->meshVolume;
  return cr_ok;
}

static crStatus decompose(Decomposition* d, crMesh** outMesh, crPiecesFacts* outFacts)
{
  crBodyCell first;
  if (!crMakeFirstCell(&d->source, &d->arena, &first)) {
    return cr_errorMemory;
  }
  crStatus status = addPart(d, &first);
  if (status == cr_ok && d->parts.count == 0) { // one corner 1e14 times as far as the others
    crReportError(&d->reporter, "the mesh is flat as far as numbers of its size can tell, no pieces can be made of it");
    return cr_errorModel;
  }
  for (int next = findDeepest(d); status == cr_ok && next >= 0 && d->parts.count < d->def.limit && !isSpent(d);
       next = findDeepest(d)) {
    status = cutPart(d, next);
  }
  status = status == cr_ok ? uniteParts(d) : status;
  if (status == cr_ok && d->parts.count == 0) {
    crComplaint complaint = { .message = "the mesh has no convex piece with a volume",
                              .hint = "to within rounding its points are in one plane or on one line" };
    crReport(&d->reporter, cr_severityError, cr_errorModel, &complaint);
    status = cr_errorModel;
  }
  status = status == cr_ok ? findFacts(d, outFacts) : status;
  return status == cr_ok ? writePieces(d, outMesh) : status;
}

// ---------------------------------------------------------------------------------------------- the outside

crPiecesDef crDefaultPiecesDef(void)
{
  crPiecesDef def = { .size = sizeof def };
  return def;
}

static crStatus checkDef(const crMesh* mesh, const crPiecesDef* def, crReporter* reporter)
{
  if (!(def->error >= 0.0 && isfinite(def->error))) {
    crReportNumber(reporter, "the error of pieces must not be negative", def->error, ">= 0", "m", NULL);
  }
  if (!(def->volumeError >= 0.0 && isfinite(def->volumeError))) {
    crReportNumber(reporter, "the volume error of pieces must not be negative", def->volumeError, ">= 0", NULL, NULL);
  }
  if (!(def->work >= 0.0 && isfinite(def->work))) {
    crReportNumber(reporter, "the work for pieces must not be negative", def->work, ">= 0", NULL, NULL);
  }
  if (def->limit < 0) {
    crReportNumber(reporter, "the limit of pieces must not be negative", def->limit, ">= 0", NULL, NULL);
  }
  crMeshFacts facts = crMesh_GetFacts(mesh);
  if (!facts.isClosed) {
    crComplaint complaint = { .message = "an open mesh has no inside that pieces could be made of",
                              .hint = "carom mesh check says where it is open, carom mesh repair closes small holes" };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  } else if (!(fabs(facts.volume) > 0.0 && isfinite(facts.volume))) {
    crReportError(reporter, "the mesh encloses no volume, or none that is finite");
  }
  return reporter->errorCount == 0 ? cr_ok : cr_errorModel;
}

static void completeDef(const crMesh* mesh, crPiecesDef* def)
{
  crAabb box = crMesh_GetFacts(mesh).bounds;
  def->error = fmax(def->error, CR_LEAST_ERROR * crLength(crSub(box.max, box.min)));
  def->limit = def->limit > 0 ? def->limit : CR_PIECE_LIMIT;
}

static void freeDecomposition(Decomposition* d)
{
  for (int i = 0; i < d->parts.count; ++i) {
    crDestroyHull(d->parts.items[i].hull, &d->allocator);
  }
  crArray_Free(&d->parts, &d->allocator);
  crInside_Free(&d->source.inside);
  crArena_Free(&d->arena);
  crArena_Free(&d->trial);
  crArena_Free(&d->scratch);
}

crStatus crDecomposeMesh(const crMesh* mesh, const crPiecesDef* def, const crAllocator* allocator,
                         const crErrorSink* sink, crMesh** outMesh, crPiecesFacts* outFacts)
{
  Decomposition d = { .allocator = crChooseAllocator(allocator),
                      .reporter = crMakeReporter(sink, (crSource){ 0 }, NULL),
                      .def = def != NULL ? *def : crDefaultPiecesDef() };
  crPiecesFacts facts;
  if (outMesh != NULL) {
    *outMesh = NULL;
  }
  if (mesh == NULL || outMesh == NULL || !crCheckSize(&d.reporter, "crPiecesDef", d.def.size, sizeof d.def)) {
    return cr_errorMisuse;
  }
  crStatus status = checkDef(mesh, &d.def, &d.reporter);
  if (status != cr_ok) {
    return status;
  }
  completeDef(mesh, &d.def);
  d.mostWork = CR_WORK * (d.def.work > 0.0 ? d.def.work : 1.0);
  d.source.slack = CR_SLACK_SHARE * d.def.error;
  d.source.sign = crMesh_GetFacts(mesh).volume < 0.0 ? -1 : 1;
  d.meshVolume = fabs(crMesh_GetFacts(mesh).volume);
  crArena_Init(&d.arena, &d.allocator);
  crArena_Init(&d.trial, &d.allocator);
  crArena_Init(&d.scratch, &d.allocator);
  bool isReady = crInside_Init(&d.source.inside, mesh, &d.allocator);
  status = isReady ? decompose(&d, outMesh, outFacts != NULL ? outFacts : &facts) : cr_errorMemory;
  freeDecomposition(&d);
  if (status == cr_errorMemory) {
    crComplaint complaint = { .message = "out of memory while making pieces of a mesh" };
    crReport(&d.reporter, cr_severityError, cr_errorMemory, &complaint);
  }
  return status;
}
