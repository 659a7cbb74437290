// Pass 7, pairs: the shapes that take part in contact, and which of them can meet.
//
// A contact shape is a solid feature with a contact material, on an object that can collide; a mesh
// gives one per convex piece. Two of them can meet when
//   - their bodies differ (the world against itself is one body),
//   - no joint that does not say canCollide = true connects the bodies, tree or cut; of a joint to the world only those
//     shapes are kept apart that overlap, or touch, at the start, unless it says canCollide = false,
//   - the model does not exclude the bodies,
//   - groups and masks agree both ways: (groupA & maskB) and (groupB & maskA).
#include "base/sort.h"
#include "carom/collide.h"
#include "collide/area/over_ground.h"
#include "collide/distance/parallel.h"
#include "collide/touch/touch.h"
#include "model/compile/compile.h"

// ----------------------------------------------------------------------------------- contact shapes

static bool canTouch(const crCompilation* c, int object, int feature)
{
  return !c->objectDefs[object]->neverCollides && c->featureContacts[c->featureStarts[object] + feature] >= 0 &&
         !crScene_GetOptions(c->scene)->ignoresContacts;
}

static const crShape* shapeOf(const crCompilation* c, int object, int feature)
{
  return crScene_GetShape(c->scene, crScene_GetId(c->scene, cr_elementObject, object), feature);
}

static crStatus countShapes(crCompilation* c)
{
  int64_t count = 0;
  if (!crNew(c, c->shapeStarts, c->bodyCount + 1)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    int object = c->objectOrder[i];
    for (int k = 0; k < c->objectDefs[object]->featureCount; ++k) {
      count += canTouch(c, object, k) ? crShape_CountPieces(shapeOf(c, object, k)) : 0;
    }
    if (count > INT32_MAX / 4) {
      return cr_errorLimit;
    }
    c->shapeStarts[c->objects[i].body + 1] = (int)count;
  }
  c->shapeCount = (int)count;
  return cr_ok;
}

// The place of a solid material of the scene among the model's contact materials, new ones at the end.
static int useMaterial(crCompilation* c, int* places, int sceneMaterial)
{
  if (places[sceneMaterial] == CR_NONE) {
    crId id = crScene_GetId(c->scene, cr_elementSolidMaterial, sceneMaterial);
    const crSolidMaterialDef* def = crScene_GetSolidMaterial(c->scene, id);
    crContactMaterial material = { def->E, def->nu };
    places[sceneMaterial] = c->materialCount;
    c->materialNames[c->materialCount] = def->name;
    c->materials[c->materialCount++] = material;
  }
  return places[sceneMaterial];
}

static crContactShape* addPieces(crCompilation* c, int index, int feature, int material, crContactShape* next)
{
  const crModelObject* object = &c->objects[index];
  const crSolidDef* solid = &c->objectDefs[object->sceneIndex]->features[feature].as.solid;
  const crShape* shape = shapeOf(c, object->sceneIndex, feature);
  for (int piece = 0; piece < crShape_CountPieces(shape); ++piece) {
    next->object = index;
    next->body = object->body;
    next->feature = feature;
    next->piece = piece;
    next->X_BS = object->X_BO;
    c->shapeSources[next - c->shapes] = crShape_GetPiece(shape, piece);
    next->material = material;
    next->group = solid->group;
    next->mask = ~solid->ignored;
    next->contactRadius = solid->contactRadius > 0.0 ? solid->contactRadius : NAN;
    next->surfaceVelocity = crMulMV(object->X_BO.R, solid->surfaceVelocity);
    ++next;
  }
  return next;
}

static crStatus listShapes(crCompilation* c)
{
  int materialCount = crScene_Count(c->scene, cr_elementSolidMaterial);
  int* places;
  if (!crNew(c, c->shapes, c->shapeCount) || !crNew(c, c->shapeSources, c->shapeCount) ||
      !crNew(c, places, materialCount) || !crNew(c, c->materials, materialCount) ||
      !crNew(c, c->materialNames, materialCount)) {
    return cr_errorMemory;
  }
  for (int m = 0; m < materialCount; ++m) {
    places[m] = CR_NONE;
  }
  crContactShape* next = c->shapes;
  for (int i = 0; i < c->objectCount; ++i) {
    int object = c->objectOrder[i];
    for (int k = 0; k < c->objectDefs[object]->featureCount; ++k) {
      if (canTouch(c, object, k)) {
        int material = useMaterial(c, places, c->featureContacts[c->featureStarts[object] + k]);
        next = addPieces(c, i, k, material, next);
      }
    }
  }
  return cr_ok;
}

// ---------------------------------------------------------------------------------- excluded bodies

// Adds a pair of bodies unless it is there; the first reason counts.
static void exclude(crCompilation* c, int bodyA, int bodyB, crExclusionReason reason, int joint)
{
  if (bodyA == bodyB ||
      crKeyTable_Add(&c->excludedTable, crPairKey(bodyA, bodyB), c->excludedCount) != c->excludedCount) {
    return;
  }
  crExcludedBodies pair = { bodyA < bodyB ? bodyA : bodyB, bodyA < bodyB ? bodyB : bodyA, reason, joint };
  c->excluded[c->excludedCount++] = pair;
}

static int bodyOf(const crCompilation* c, int object)
{
  return c->objects[c->modelIndex[object]].body;
}

// Sorts by bodies and lets the table point to the new places.
static crStatus sortExcluded(crCompilation* c)
{
  uint64_t* keys;
  crExcludedBodies* sorted;
  if (!crNew(c, keys, c->excludedCount) || !crNew(c, sorted, c->excludedCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->excludedCount; ++i) {
    keys[i] = crPairKey(c->excluded[i].bodyA, c->excluded[i].bodyB);
  }
  crSortKeys(keys, c->excludedCount);
  for (int i = 0; i < c->excludedCount; ++i) {
    sorted[i] = c->excluded[crKeyTable_Find(&c->excludedTable, keys[i])];
  }
  crKeyTable_Clear(&c->excludedTable);
  for (int i = 0; i < c->excludedCount; ++i) {
    crKeyTable_Add(&c->excludedTable, keys[i], i);
  }
  c->excluded = sorted;
  return cr_ok;
}

// ---------------------------------------------------------------------------- shapes at the world

#define CR_TOUCH_SHARE 1e-3 // [-] distance over the smaller shape's smallest dimension below which shapes touch

// The body that a joint connects with the world; CR_NONE: it connects two others, or says what may collide.
static int findWorldSide(const crCompilation* c, int joint)
{
  int a = bodyOf(c, c->jointEnds[joint][0]), b = bodyOf(c, c->jointEnds[joint][1]);
  bool isOne = crIsWorldBody(a) != crIsWorldBody(b);
  return isOne && c->jointDefs[joint]->collision == cr_collisionByKind ? (crIsWorldBody(a) ? b : a) : CR_NONE;
}

static crPose findStart(const crCompilation* c, int shape)
{
  return crMulPose(c->bodies[c->shapes[shape].body].X_WB_start, c->shapes[shape].X_BS);
}

static bool touchAtStart(const crCompilation* c, int a, crAabb boxA, int b, crAabb boxB)
{
  const crShape *shapeA = c->shapeSources[a], *shapeB = c->shapeSources[b];
  double margin = CR_TOUCH_SHARE * fmin(crShape_GetSmallestDimension(shapeA), crShape_GetSmallestDimension(shapeB));
  crVec3 wide = crMakeVec3(margin, margin, margin);
  crDistance distance;
  boxA.min = crSub(boxA.min, wide);
  boxA.max = crAdd(boxA.max, wide);
  if (!crAabbsOverlap(boxA, boxB) || (shapeA->ground != NULL && !crTouchesPiece(shapeA, shapeB)) ||
      (shapeB->ground != NULL && !crTouchesPiece(shapeB, shapeA))) {
    return false;
  }
  crPose X_WA = findStart(c, a), X_WB = findStart(c, b);
  if (crIsOverGround(shapeA, shapeB)) {
    crTouch touch;
    crComputeTouch(shapeA, &X_WA, shapeB, &X_WB, NULL, &touch);
    return touch.distance < margin;
  }
  bool isWall = shapeA->wall.kind != cr_wallNone || shapeB->wall.kind != cr_wallNone;
  if (isWall && !(crIsPieceFor(shapeA, shapeB) && crIsPieceFor(shapeB, shapeA))) {
    return false;
  }
  bool isKnown = isWall || crIsParallelPair(shapeA, shapeB) ||
                 ((!crIsSurface(shapeA) || shapeB->kind == cr_shapeSphere) &&
                  (!crIsSurface(shapeB) || shapeA->kind == cr_shapeSphere));
  bool isAnswered = isKnown && crComputeDistance(shapeA, &X_WA, shapeB, &X_WB, NULL, &distance) == cr_ok;
  return !isKnown || (isAnswered && distance.distance < margin);
}

static bool addExcludedShapes(crCompilation* c, int a, int b, int joint)
{
  if (c->excludedShapeCount == c->excludedShapeCapacity) {
    int capacity = 2 * c->excludedShapeCapacity + 16;
    crExcludedShapes* more;
    if (!crNew(c, more, capacity)) {
      return false;
    }
    for (int i = 0; i < c->excludedShapeCount; ++i) {
      more[i] = c->excludedShapes[i];
    }
    c->excludedShapes = more;
    c->excludedShapeCapacity = capacity;
  }
  c->excludedShapes[c->excludedShapeCount++] = (crExcludedShapes){ a, b, joint, 0 };
  return true;
}

// By shapes; of equal ones the first stays.
static crStatus sortExcludedShapes(crCompilation* c)
{
  int count = c->excludedShapeCount;
  crExcludedShapes* sorted;
  uint64_t* keys;
  c->excludedShapeTable.capacity = crTableCapacity(count);
  if (!crNew(c, sorted, count) || !crNew(c, keys, count) ||
      !crNew(c, c->excludedShapeTable.keys, c->excludedShapeTable.capacity) ||
      !crNew(c, c->excludedShapeTable.values, c->excludedShapeTable.capacity)) {
    return cr_errorMemory;
  }
  crKeyTable_Clear(&c->excludedShapeTable);
  int different = 0;
  for (int i = 0; i < count; ++i) {
    uint64_t key = crPairKey(c->excludedShapes[i].shapeA, c->excludedShapes[i].shapeB);
    if (crKeyTable_Find(&c->excludedShapeTable, key) < 0) {
      crKeyTable_Add(&c->excludedShapeTable, key, i);
      keys[different++] = key;
    }
  }
  crSortKeys(keys, different);
  for (int i = 0; i < different; ++i) {
    sorted[i] = c->excludedShapes[crKeyTable_Find(&c->excludedShapeTable, keys[i])];
  }
  crKeyTable_Clear(&c->excludedShapeTable);
  for (int i = 0; i < different; ++i) {
    crKeyTable_Add(&c->excludedShapeTable, keys[i], i);
  }
  c->excludedShapes = sorted;
  c->excludedShapeCount = different;
  return cr_ok;
}

static bool excludeShapesOf(crCompilation* c, int body, int joint, const crAabb* worldBoxes)
{
  for (int s = c->shapeStarts[body]; s < c->shapeStarts[body + 1]; ++s) {
    crAabb box = crShape_ComputeAabb(c->shapeSources[s], findStart(c, s));
    for (int w = c->shapeStarts[0]; w < c->shapeStarts[1]; ++w) {
      if (touchAtStart(c, w, worldBoxes[w - c->shapeStarts[0]], s, box) && !addExcludedShapes(c, w, s, joint)) {
        return false;
      }
    }
  }
  return true;
}

static crStatus excludeShapes(crCompilation* c)
{
  crAabb* boxes;
  int start = c->shapeStarts[0], count = c->shapeStarts[1] - start;
  if (!crNew(c, boxes, count)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < count; ++i) {
    boxes[i] = crShape_ComputeAabb(c->shapeSources[start + i], findStart(c, start + i));
  }
  for (int i = 0; i < c->jointCount; ++i) {
    int body = crIsWeld(c->jointDefs[i]->kind) ? CR_NONE : findWorldSide(c, i);
    if (body != CR_NONE && !excludeShapesOf(c, body, c->modelJoints[i], boxes)) {
      return cr_errorMemory;
    }
  }
  return sortExcludedShapes(c);
}

static crStatus excludeBodies(crCompilation* c)
{
  int64_t count = (int64_t)c->jointCount + c->exclusionCount;
  if (count > INT32_MAX / 8) {
    return cr_errorLimit;
  }
  c->excludedTable.capacity = crTableCapacity((int)count);
  if (!crNew(c, c->excludedTable.keys, c->excludedTable.capacity) ||
      !crNew(c, c->excludedTable.values, c->excludedTable.capacity) || !crNew(c, c->excluded, count)) {
    return cr_errorMemory;
  }
  crKeyTable_Clear(&c->excludedTable);
  for (int i = 0; i < c->jointCount; ++i) {
    const int* ends = c->jointEnds[i];
    if (c->jointDefs[i]->collision != cr_collisionAllowed && findWorldSide(c, i) == CR_NONE) {
      exclude(c, bodyOf(c, ends[0]), bodyOf(c, ends[1]), cr_excludedByJoint, c->modelJoints[i]);
    }
  }
  for (int i = 0; i < c->exclusionCount; ++i) {
    const int* ends = c->exclusionEnds[i];
    exclude(c, bodyOf(c, ends[0]), bodyOf(c, ends[1]), cr_excludedByUser, CR_NONE);
  }
  return sortExcluded(c);
}

crStatus crPair(crCompilation* c)
{
  crStatus status = countShapes(c);
  status = status == cr_ok ? listShapes(c) : status;
  status = status == cr_ok ? crFindCompounds(c) : status;
  status = status == cr_ok ? excludeBodies(c) : status;
  status = status == cr_ok ? crMarkSkewShapes(c) : status;
  status = status == cr_ok ? excludeShapes(c) : status;
  return status == cr_ok ? crCountPairs(c) : status;
}

// --------------------------------------------------------------------------------------------- dump

static void dumpShapes(const crCompilation* c, crDump* dump)
{
  int width = 6;
  for (int i = 0; i < c->shapeCount; ++i) {
    crWiden(&width, crNameOfObject(c, c->shapes[i].object));
  }
  crDump_Print(dump, "contact shapes %d\n", c->shapeCount);
  if (c->shapeCount > 0) {
    crDump_Print(dump, "  %6s  %12s  %-*s  %-10s  %8s  %8s  %s\n", "shape", "super-object", width, "object", "kind",
                 "group", "mask", "material");
  }
  for (int i = 0; i < c->shapeCount; ++i) {
    const crContactShape* shape = &c->shapes[i];
    crDump_Print(dump, "  %6d  %12d  %-*s  %-10s  %8x  %8x  %s\n", i, crSuperNumber(shape->body), width,
                 crNameOfObject(c, shape->object), crShapeKind_GetText(crShape_GetKind(c->shapeSources[i])),
                 (unsigned)shape->group, (unsigned)shape->mask, c->materialNames[shape->material]);
  }
}

void crDumpPairs(const crCompilation* c, crDump* dump)
{
  dumpShapes(c, dump);
  crDump_Print(dump, "pairs that can meet %lld, excluded %lld\n", (long long)c->pairCount,
               (long long)c->excludedPairCount);
  crDump_Print(dump, "excluded super-objects %d\n", c->excludedCount);
  for (int i = 0; i < c->excludedCount; ++i) {
    const crExcludedBodies* pair = &c->excluded[i];
    bool isJoint = pair->reason == cr_excludedByJoint;
    crDump_Print(dump, "  %d and %d by %s%s\n", crSuperNumber(pair->bodyA), crSuperNumber(pair->bodyB),
                 isJoint ? "joint " : "the model", isJoint ? crNameOfJoint(c, &c->joints[pair->joint]) : "");
  }
  crDump_Print(dump, "shapes that touch at joints to the world %d\n", c->excludedShapeCount);
  for (int i = 0; i < c->excludedShapeCount; ++i) {
    const crExcludedShapes* pair = &c->excludedShapes[i];
    crDump_Print(dump, "  shapes %d and %d by joint %s\n", pair->shapeA, pair->shapeB,
                 crNameOfJoint(c, &c->joints[pair->joint]));
  }
  crDump_Print(dump, "contact laws %d\n", c->lawCount);
  for (int i = 0; i < c->lawCount; ++i) {
    const crContactLaw* law = &c->laws[i];
    crDump_Print(dump, "  %s, %s: %s, cor %s, muK %s, muR %s\n", c->materialNames[c->lawKeys[i] >> 32],
                 c->materialNames[(uint32_t)c->lawKeys[i]], crContactResponse_GetText(law->response),
                 crShorten(law->cor).text, crShorten(law->muK).text, crShorten(law->muR).text);
  }
}
