// Pass 7, pairs: the shapes that take part in contact, and which of them can meet.
//
// A contact shape is a solid feature with a contact material, on an object that can collide; a mesh
// gives one per convex piece. Two of them can meet when
//   - their bodies differ (the world against itself is one body),
//   - no joint with canCollide = false connects the bodies, tree or cut,
//   - the model does not exclude the bodies,
//   - groups and masks agree both ways: (groupA & maskB) and (groupB & maskA).
#include "base/sort.h"
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
    if (c->jointDefs[i]->collision == cr_collisionNever) {
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
  crDump_Print(dump, "contact laws %d\n", c->lawCount);
  for (int i = 0; i < c->lawCount; ++i) {
    const crContactLaw* law = &c->laws[i];
    crDump_Print(dump, "  %s, %s: %s, cor %s, muK %s, muR %s\n", c->materialNames[c->lawKeys[i] >> 32],
                 c->materialNames[(uint32_t)c->lawKeys[i]], crContactResponse_GetText(law->response),
                 crShorten(law->cor).text, crShorten(law->muK).text, crShorten(law->muR).text);
  }
}
