// The shape table of a model: what its contact shapes mean to contacts, and where they are.
#include "collide/area/area.h"
#include "collide/distance/parallel.h"
#include "contact/contact.h"

#define CR_NEAR_SHARE 0.05 // [-] margin over the smallest half size of what moves

static bool isRoundKind(crShapeKind kind)
{
  return kind == cr_shapeSphere || kind == cr_shapeCapsule || kind == cr_shapeEllipsoid;
}

// Massless bodies move with what they carry and what carries them.
static double findMass(const crModel* model, int body)
{
  int t = model->bodies[body].tree;
  if (t < 0 || model->links[body].mass > 0.0) {
    return t < 0 ? HUGE_VAL : model->links[body].mass;
  }
  double sum = 0.0;
  const crTree* tree = &model->trees[t];
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    sum += model->links[b].mass;
  }
  return sum;
}

// By the kind that a shape touches as: hollow spheres are no balls.
static crShapeFacts findFacts(const crModel* model, int index)
{
  const crContactShape* shape = &model->contactShapes[index];
  crShapeKind kind = model->shapes[index].kind;
  crShapeFacts facts = { .body = shape->body,
                         .tree = model->bodies[shape->body].tree,
                         .stateTree = model->bodies[shape->body].tree,
                         .mass = findMass(model, shape->body),
                         .half = 0.5 * crShape_GetSmallestDimension(&model->shapes[index]),
                         .isRound = isRoundKind(kind),
                         .isSphere = kind == cr_shapeSphere,
                         .isCentred = crMaxAbs(shape->X_BS.p) == 0.0,
                         .hasSurfaceVelocity = crLength(shape->surfaceVelocity) > 0.0,
                         .surfaceVelocity = shape->surfaceVelocity,
                         .compound = shape->compound };
  return facts;
}

double crShapeTable_ChooseMargin(const crShapeTable* table, const bool* isMember)
{
  double smallest = HUGE_VAL;
  for (int i = 0; i < table->shapeCount; ++i) {
    bool counts = table->facts[i].tree >= 0 && (isMember == NULL || isMember[i]);
    smallest = counts ? fmin(smallest, table->facts[i].half) : smallest;
  }
  return isfinite(smallest) ? CR_NEAR_SHARE * smallest : 1.0;
}

// A wall that an ellipsoid may touch in several places is as many shapes, one after the other, and one compound.
static void joinWalls(crShapeTable* table)
{
  const crModel* model = table->model;
  for (int i = 1; i < table->shapeCount; ++i) {
    int part = model->shapes[i].wall.part;
    bool isJoined = false;
    for (int k = 0; part != cr_wallNear && k < table->shapeCount && !isJoined; ++k) {
      isJoined = crModel_CanMeet(model, i, k);
    }
    table->facts[i].compound = isJoined ? i - part : table->facts[i].compound;
  }
}

static void fillTable(crShapeTable* table)
{
  const crModel* model = table->model;
  for (int i = 0; i < table->shapeCount; ++i) {
    table->facts[i] = findFacts(model, i);
    table->poses[i] = model->contactShapes[i].X_BS;
    table->bounds[i] = crShape_ComputeAabb(&model->shapes[i], crIdentityPose());
  }
  joinWalls(table);
  for (int i = 0; i < table->shapeCount; ++i) {
    crShapeFacts *own = &table->facts[i], *first = &table->facts[own->compound];
    if (own != first) {
      own->isCompound = first->isCompound = table->hasCompounds = true;
    }
    first->thickest = fmax(first->thickest, own->half);
  }
  for (int i = 0; i < table->shapeCount; ++i) {
    table->facts[i].thickest = table->facts[table->facts[i].compound].thickest;
  }
  for (int t = 0; t < model->size.treeCount; ++t) {
    table->hasOthers = table->hasOthers || !model->areAlone[t];
  }
  table->margin = crShapeTable_ChooseMargin(table, NULL);
  table->gravity = model->gravity.kind == cr_gravityUniform ? crLength(model->gravity.acceleration) : 0.0;
}

crStatus crCreateShapeTable(const crModel* model, const crAllocator* allocator, crShapeTable** outTable)
{
  *outTable = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crShapeTable* table = crAllocateZero(&chosen, 1, sizeof *table);
  if (table == NULL) {
    return cr_errorMemory;
  }
  table->allocator = chosen;
  table->model = model;
  table->shapeCount = model->size.shapeCount;
  size_t count = (size_t)table->shapeCount + 1;
  table->facts = crAllocateZero(&chosen, count, sizeof *table->facts);
  table->poses = crAllocateZero(&chosen, count, sizeof *table->poses);
  table->bounds = crAllocateZero(&chosen, count, sizeof *table->bounds);
  if (table->facts == NULL || table->poses == NULL || table->bounds == NULL) {
    crDestroyShapeTable(table);
    return cr_errorMemory;
  }
  fillTable(table);
  *outTable = table;
  return cr_ok;
}

void crDestroyShapeTable(crShapeTable* table)
{
  if (table != NULL) {
    crAllocator allocator = table->allocator;
    size_t count = (size_t)table->shapeCount + 1;
    crFree(&allocator, table->bounds, count * sizeof *table->bounds);
    crFree(&allocator, table->poses, count * sizeof *table->poses);
    crFree(&allocator, table->facts, count * sizeof *table->facts);
    crFree(&allocator, table, sizeof *table);
  }
}

// A sphere looks the same however it is turned: its axes are left as they are.
static inline void placeShape(const crInstance* instance, const crContacts* contacts, int index)
{
  const crShapeFacts* facts = &contacts->facts[index];
  if (facts->isSphere && facts->isCentred) {
    contacts->poses[index].p = crFromLanes(instance->places[facts->body].p);
  } else {
    crPose X_BS = instance->model->contactShapes[index].X_BS;
    contacts->poses[index] = crMulPose(crGetBodyPose(instance, facts->body), X_BS);
  }
}

void crPlaceShapes(const crInstance* instance, crContacts* contacts, const int* shapes, int count)
{
  for (int k = 0; k < count; ++k) {
    placeShape(instance, contacts, shapes[k]);
  }
}

void crPlaceTrees(const crInstance* instance, crTreeSet set)
{
  const crModel* model = instance->model;
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    int end = model->bodyShapes[tree->bodyStart + tree->bodyCount];
    for (int i = model->bodyShapes[tree->bodyStart]; i < end; ++i) {
      placeShape(instance, set.contacts, i);
    }
  }
}

// Depends on the shapes alone, so that it is the same at all times: sizes stand for contact radii.
typedef double Measure(const crContactLaw* law, bool isArea, const crTouchGeometry* geometry, double mass,
                       double gravity);

static double measurePair(const crContacts* contacts, int shapeA, int shapeB, const crContactLaw* law, Measure* measure)
{
  const crShape* solids = contacts->model->shapes;
  const crShape *solidA = &solids[shapeA], *solidB = &solids[shapeB];
  const crShapeFacts *a = &contacts->facts[shapeA], *b = &contacts->facts[shapeB];
  crTouchGeometry geometry = { .radiusA = a->half,
                               .radiusB = b->half,
                               .isRoundA = a->isRound,
                               .isRoundB = b->isRound,
                               .isSphereA = a->isSphere,
                               .isSphereB = b->isSphere,
                               .isOnSurface = crIsSurface(solidA) || crIsSurface(solidB),
                               .halfSizeA = a->half,
                               .halfSizeB = b->half };
  const crContactShape* shapes = contacts->model->contactShapes;
  crOverrideRadii(&geometry, shapes[shapeA].contactRadius, shapes[shapeB].contactRadius);
  bool isArea = (law->touch == cr_touchByArea && crTouchesByArea(solidA, solidB)) || crIsParallelPair(solidA, solidB);
  return measure(law, isArea, &geometry, fmin(a->mass, b->mass), contacts->gravity);
}

double crContacts_GetHysteresis(const crContacts* contacts, int shapeA, int shapeB, const crContactLaw* law)
{
  return measurePair(contacts, shapeA, shapeB, law, crComputeHysteresis);
}

double crContacts_FindLackingHysteresis(const crContacts* contacts, int* outShape)
{
  const crModel* model = contacts->model;
  int lightest = 0, shapeCount = crModel_GetSize(model).shapeCount;
  for (int i = 1; i < shapeCount; ++i) {
    lightest = contacts->facts[i].mass < contacts->facts[lightest].mass ? i : lightest;
  }
  double least = 0.0;
  for (int i = 0; i < shapeCount; ++i) {
    if (i == lightest || !crModel_CanMeet(model, i, lightest)) {
      continue;
    }
    int a = i < lightest ? i : lightest, b = i < lightest ? lightest : i;
    const crContactLaw* law =
        crModel_GetContactLaw(model, model->contactShapes[a].material, model->contactShapes[b].material);
    double needed = measurePair(contacts, a, b, law, crComputeRestHysteresis);
    if (needed < crContacts_GetHysteresis(contacts, a, b, law) && needed < law->hysteresis &&
        (least == 0.0 || needed < least)) {
      least = needed;
      *outShape = lightest;
    }
  }
  return least;
}
