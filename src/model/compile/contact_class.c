// Counting pairs without listing them, part of pairs.
//
// Shapes with the same groups, mask and material form a class; the shapes of a class on one body form a
// cluster. Whether two shapes can meet depends on their clusters only. With n_d shapes in class d, n_bd
// of them on body b, and c ~ d when the groups and masks of c and d agree, each shape of cluster (b, c) has
//
//   partners(b, c) = sum n_d over d ~ c  -  sum n_ed over d ~ c and bodies e that are b or excluded with b
//
// and the pairs are half the sum of n_bc partners(b, c). The cost is (classes)^2 + sum over bodies and
// excluded pairs of the product of their cluster counts: for the few classes that models have, linear.
#include "base/sort.h"
#include "model/compile/compile.h"

#include <stdio.h>

#define CR_SLIP_FADE 1e-5 // [m/s] default: periods of stick and slip are within 2e-4 of sharp ones
#define CR_MISSING_LAW INT32_MAX
#define CR_MAX_MISSING_LAWS 200 // reported pairs of materials without a law; more repeat one mistake

typedef struct PairCounter {
  crCompilation* c;
  int* shapeClasses;   // (shapeCount)
  int* classStarts;    // (classCount + 1) into classClusters
  int* classClusters;  // (clusterCount) clusters by class
  crKeyTable lawTable; // pair of materials that can meet -> law, or CR_MISSING_LAW
  int lawCapacity;     // of laws, and with those that are missing of the table
  int missingCount;
} PairCounter;

static bool agree(const crContactClass* a, const crContactClass* b)
{
  return (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
}

// ----------------------------------------------------------------------------- classes and clusters

static bool allocateTable(crCompilation* c, crKeyTable* table, int count)
{
  table->capacity = crTableCapacity(count);
  if (!crNew(c, table->keys, table->capacity) || !crNew(c, table->values, table->capacity)) {
    return false;
  }
  crKeyTable_Clear(table);
  return true;
}

// Numbers (group, mask) pairs, then (number, material) pairs, in the order of the shapes.
static bool findClasses(PairCounter* counter)
{
  crCompilation* c = counter->c;
  crKeyTable filters, classes;
  int filterCount = 0;
  if (!crNew(c, counter->shapeClasses, c->shapeCount) || !crNew(c, c->classes, c->shapeCount) ||
      !allocateTable(c, &filters, c->shapeCount) || !allocateTable(c, &classes, c->shapeCount)) {
    return false;
  }
  for (int i = 0; i < c->shapeCount; ++i) {
    const crContactShape* shape = &c->shapes[i];
    int filter = crKeyTable_Add(&filters, (uint64_t)shape->group << 32 | shape->mask, filterCount);
    filterCount += filter == filterCount;
    int number = crKeyTable_Add(&classes, (uint64_t)filter << 32 | (uint32_t)shape->material, c->classCount);
    crContactClass* contactClass = &c->classes[number];
    if (number == c->classCount) {
      crContactClass fresh = { shape->group, shape->mask, shape->material, 0 };
      *contactClass = fresh;
      ++c->classCount;
    }
    ++contactClass->shapeCount;
    counter->shapeClasses[i] = number;
  }
  return true;
}

static void clusterBody(PairCounter* counter, int body, uint64_t* keys)
{
  crCompilation* c = counter->c;
  int start = c->shapeStarts[body], count = c->shapeStarts[body + 1] - start;
  for (int i = 0; i < count; ++i) {
    keys[i] = (uint64_t)counter->shapeClasses[start + i] << 32 | (uint64_t)(start + i);
  }
  crSortKeys(keys, count);
  for (int i = 0; i < count; ++i) {
    int number = (int)(keys[i] >> 32), shape = (int)(uint32_t)keys[i];
    if (i == 0 || number != (int)(keys[i - 1] >> 32)) {
      crContactCluster fresh = { body, number, 0, shape, 0 };
      c->clusters[c->clusterCount++] = fresh;
    }
    ++c->clusters[c->clusterCount - 1].shapeCount;
    c->shapeClusters[shape] = c->clusterCount - 1;
  }
  c->clusterStarts[body + 1] = c->clusterCount;
}

static bool findClusters(PairCounter* counter)
{
  crCompilation* c = counter->c;
  uint64_t* keys;
  if (!crNew(c, keys, c->shapeCount) || !crNew(c, c->clusters, c->shapeCount) ||
      !crNew(c, c->shapeClusters, c->shapeCount) || !crNew(c, c->clusterStarts, c->bodyCount + 1)) {
    return false;
  }
  for (int body = 0; body < c->bodyCount; ++body) {
    clusterBody(counter, body, keys);
  }
  return true;
}

static bool listClassClusters(PairCounter* counter)
{
  crCompilation* c = counter->c;
  int* filled;
  if (!crNew(c, counter->classStarts, c->classCount + 1) || !crNew(c, counter->classClusters, c->clusterCount) ||
      !crNew(c, filled, c->classCount)) {
    return false;
  }
  for (int i = 0; i < c->clusterCount; ++i) {
    ++counter->classStarts[c->clusters[i].contactClass + 1];
  }
  for (int k = 0; k < c->classCount; ++k) {
    counter->classStarts[k + 1] += counter->classStarts[k];
  }
  for (int i = 0; i < c->clusterCount; ++i) {
    int k = c->clusters[i].contactClass;
    counter->classClusters[counter->classStarts[k] + filled[k]++] = i;
  }
  return true;
}

// ----------------------------------------------------------------------------------------- counting

// Takes the shapes of `body` that a cluster agrees with off its partners.
static void takeBodyOff(crCompilation* c, crContactCluster* cluster, int body)
{
  const crContactClass* own = &c->classes[cluster->contactClass];
  for (int i = c->clusterStarts[body]; i < c->clusterStarts[body + 1]; ++i) {
    const crContactCluster* other = &c->clusters[i];
    cluster->partnerCount -= agree(own, &c->classes[other->contactClass]) ? other->shapeCount : 0;
  }
}

static bool countPartners(crCompilation* c)
{
  int64_t* totals;
  if (!crNew(c, totals, c->classCount)) {
    return false;
  }
  for (int k = 0; k < c->classCount; ++k) {
    for (int m = 0; m < c->classCount; ++m) {
      totals[k] += agree(&c->classes[k], &c->classes[m]) ? c->classes[m].shapeCount : 0;
    }
  }
  for (int i = 0; i < c->clusterCount; ++i) {
    c->clusters[i].partnerCount = totals[c->clusters[i].contactClass];
    takeBodyOff(c, &c->clusters[i], c->clusters[i].body);
  }
  for (int i = 0; i < c->excludedCount; ++i) {
    int a = c->excluded[i].bodyA, b = c->excluded[i].bodyB;
    for (int k = c->clusterStarts[a]; k < c->clusterStarts[a + 1]; ++k) {
      takeBodyOff(c, &c->clusters[k], b);
    }
    for (int k = c->clusterStarts[b]; k < c->clusterStarts[b + 1]; ++k) {
      takeBodyOff(c, &c->clusters[k], a);
    }
  }
  return true;
}

static void sumPairs(crCompilation* c)
{
  int64_t twice = 0, different = (int64_t)c->shapeCount * (c->shapeCount - 1) / 2;
  for (int i = 0; i < c->clusterCount; ++i) {
    twice += c->clusters[i].shapeCount * c->clusters[i].partnerCount;
  }
  for (int b = 0; b < c->bodyCount; ++b) {
    int64_t count = c->shapeStarts[b + 1] - c->shapeStarts[b];
    different -= count * (count - 1) / 2;
  }
  c->pairCount = twice / 2;
  for (int i = 0; i < c->excludedShapeCount; ++i) {
    const crExcludedShapes* pair = &c->excludedShapes[i];
    const crContactShape *a = &c->shapes[pair->shapeA], *b = &c->shapes[pair->shapeB];
    bool agrees = (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
    c->pairCount -= agrees && crKeyTable_Find(&c->excludedTable, crPairKey(a->body, b->body)) < 0;
  }
  c->excludedPairCount = different - c->pairCount;
}

// --------------------------------------------------------------------------------------------- laws

static bool bodiesCanMeet(const crCompilation* c, int bodyA, int bodyB)
{
  return bodyA != bodyB && crKeyTable_Find(&c->excludedTable, crPairKey(bodyA, bodyB)) < 0;
}

// Whether a shape of one cluster can meet one of the other.
static bool clustersCanMeet(const crCompilation* c, int a, int b)
{
  int64_t apart = 0;
  if (!bodiesCanMeet(c, c->clusters[a].body, c->clusters[b].body)) {
    return false;
  }
  if (!crIsWorldBody(c->clusters[a].body) && !crIsWorldBody(c->clusters[b].body)) {
    return true;
  }
  for (int i = 0; i < c->excludedShapeCount; ++i) {
    int first = c->shapeClusters[c->excludedShapes[i].shapeA], second = c->shapeClusters[c->excludedShapes[i].shapeB];
    apart += (first == a && second == b) || (first == b && second == a);
  }
  return apart < (int64_t)c->clusters[a].shapeCount * c->clusters[b].shapeCount;
}

// Finds a cluster of each class such that their bodies can meet. Every failure uses up a pair of clusters
// on one body or on excluded bodies, so the search is no dearer than the counting.
static bool findWitness(const PairCounter* counter, int classA, int classB, int* outA, int* outB)
{
  const crCompilation* c = counter->c;
  for (int i = counter->classStarts[classA]; i < counter->classStarts[classA + 1]; ++i) {
    int a = counter->classClusters[i];
    for (int k = classA == classB ? i + 1 : counter->classStarts[classB]; k < counter->classStarts[classB + 1]; ++k) {
      int b = counter->classClusters[k];
      if (clustersCanMeet(c, a, b)) {
        *outA = a;
        *outB = b;
        return true;
      }
    }
  }
  return false;
}

static void reportMissingLaw(crCompilation* c, int clusterA, int clusterB)
{
  int first = c->clusters[clusterA].firstShape, second = c->clusters[clusterB].firstShape;
  const crContactShape* a = &c->shapes[first < second ? first : second];
  const crContactShape* b = &c->shapes[first < second ? second : first];
  const char* nameA = c->materialNames[a->material];
  const char* nameB = c->materialNames[b->material];
  char hint[2 * CR_MAX_PATH + 64];
  snprintf(hint, sizeof hint, "contactPair(\"%s\", \"%s\", {...})", nameA, nameB);
  crComplaint rest = { .hint = hint };
  crCompilation_Report(c, cr_severityError, crAddressOfObject(c, c->objects[a->object].sceneIndex), &rest,
                       "'%s' of %s can meet '%s' of %s, but these materials have no contact pair",
                       crNameOfObject(c, a->object), nameA, crNameOfObject(c, b->object), nameB);
}

static bool isLinear(crContactResponse response)
{
  return response == cr_responseSpringDamper || response == cr_responsePenalty;
}

// The scene's response needs a number that only the pair can give.
static void reportNoStiffness(crCompilation* c, const crContactPairDef* def, crContactResponse response)
{
  crAddress address = { def->source, def->materialA };
  crComplaint rest = { .allowed = "> 0", .unit = "N/m", .hint = "give the pair a stiffness, or a response of its own" };
  crCompilation_Report(c, cr_severityError, address, &rest,
                       "the contact pair %s, %s has no stiffness, which the scene's response %s needs", def->materialA,
                       def->materialB, crContactResponse_GetText(response));
}

static double choose(double own, double ofScene)
{
  return own == 0.0 ? ofScene : own;
}

// The plane-strain modulus of a material, [NeumayrOtter19c] eq. 8.
static double modulus(const crContactMaterial* material)
{
  return material->E / (1.0 - material->nu * material->nu);
}

// Stiffness of two bodies along their contact over that across, 4 G* / E* [Mindlin49].
static double findTangentialRatio(const crContactMaterial* a, const crContactMaterial* b)
{
  double G1 = 0.5 * a->E / (1.0 + a->nu), G2 = 0.5 * b->E / (1.0 + b->nu);
  return 4.0 * (1.0 / modulus(a) + 1.0 / modulus(b)) / ((2.0 - a->nu) / G1 + (2.0 - b->nu) / G2);
}

// What the pair says, and the scene where the pair says nothing.
static crContactLaw makeLaw(const crCompilation* c, const crContactPairDef* def, uint64_t key)
{
  const crSceneOptions* options = crScene_GetOptions(c->scene);
  double c1 = modulus(&c->materials[key >> 32]), c2 = modulus(&c->materials[(uint32_t)key]);
  crContactLaw law = {
    .cor = def->cor,
    .muK = def->muK,
    .muR = def->muR,
    .response = def->response == cr_responseOfScene ? options->response : def->response,
    .formula = def->formula == cr_dampingOfScene ? options->formula : def->formula,
    .touch = def->touch == cr_touchOfScene ? options->touch : def->touch,
    .geometry = def->geometry == cr_geometryOfScene ? options->geometry : def->geometry,
    .friction = def->friction == cr_frictionOfScene ? options->friction : def->friction,
    .muS = choose(def->muS, def->muK),
    .slipFade = choose(def->slipFade, CR_SLIP_FADE),
    .tangentialRatio =
        choose(def->tangentialRatio, findTangentialRatio(&c->materials[key >> 32], &c->materials[(uint32_t)key])),
    .tangentialDamping = choose(def->tangentialDamping, NAN),
    .kRed = choose(def->kRed, options->kRed),
    .vMin = choose(def->vMin, options->vMin),
    .wMin = choose(def->wMin, options->wMin),
    .hysteresis = choose(def->hysteresis, options->hysteresis),
    .stiffness = def->stiffness > 0.0 ? def->stiffness : NAN,
    .damping = def->damping,
    .function = def->function,
    .context = def->context,
  };
  law.elasticity = law.kRed / (1.0 / c1 + 1.0 / c2);
  bool pushes = law.response != cr_responseObserver && law.response != cr_responseUser;
  law.sticks = law.friction == cr_frictionStick && pushes && (law.muK > 0.0 || law.muR > 0.0);
  return law;
}

// The pair of two materials: their own, else that of one of them with any other, else that of any two.
static crId findPair(crCompilation* c, const char* nameA, const char* nameB, int clusterA)
{
  crId own = crScene_FindContactPair(c->scene, nameA, nameB);
  crId a = crScene_FindContactPair(c->scene, nameA, CR_ANY_MATERIAL),
       b = crScene_FindContactPair(c->scene, nameB, CR_ANY_MATERIAL);
  if (!crIsNull(own)) {
    return own;
  }
  if (!crIsNull(a) && !crIsNull(b) && !crIdsEqual(a, b)) {
    char hint[2 * CR_MAX_PATH + 64];
    snprintf(hint, sizeof hint, "contactPair(\"%s\", \"%s\", {...})", nameA, nameB);
    crComplaint rest = { .hint = hint };
    int object = c->shapes[c->clusters[clusterA].firstShape].object;
    crCompilation_Report(c, cr_severityError, crAddressOfObject(c, c->objects[object].sceneIndex), &rest,
                         "%s and %s can meet, and both have a contact pair with any material", nameA, nameB);
  }
  return !crIsNull(a) ? a : !crIsNull(b) ? b : crScene_FindContactPair(c->scene, CR_ANY_MATERIAL, CR_ANY_MATERIAL);
}

// Room for one more law. Pairs with any material make more laws than there are pairs.
static bool growLaws(PairCounter* counter)
{
  crCompilation* c = counter->c;
  if (c->lawCount < counter->lawCapacity) {
    return true;
  }
  int capacity = 2 * counter->lawCapacity + 16;
  crContactLaw* laws;
  uint64_t* keys;
  crKeyTable table;
  if (!crNew(c, laws, capacity) || !crNew(c, keys, capacity) ||
      !allocateTable(c, &table, capacity + CR_MAX_MISSING_LAWS)) {
    return false;
  }
  for (int i = 0; i < counter->lawTable.capacity && counter->lawCapacity > 0; ++i) {
    if (counter->lawTable.values[i] >= 0) {
      crKeyTable_Add(&table, counter->lawTable.keys[i], counter->lawTable.values[i]);
    }
  }
  for (int i = 0; i < c->lawCount; ++i) {
    laws[i] = c->laws[i];
    keys[i] = c->lawKeys[i];
  }
  c->laws = laws;
  c->lawKeys = keys;
  counter->lawTable = table;
  counter->lawCapacity = capacity;
  return true;
}

// Looks up the law of two materials whose shapes can meet.
static void addLaw(PairCounter* counter, uint64_t key, int clusterA, int clusterB)
{
  crCompilation* c = counter->c;
  const char* nameA = c->materialNames[key >> 32];
  const char* nameB = c->materialNames[(uint32_t)key];
  crId id = findPair(c, nameA, nameB, clusterA);
  if (crIsNull(id)) {
    crKeyTable_Add(&counter->lawTable, key, CR_MISSING_LAW);
    ++counter->missingCount;
    reportMissingLaw(c, clusterA, clusterB);
    return;
  }
  const crContactPairDef* def = crScene_GetContactPair(c->scene, id);
  crContactLaw law = makeLaw(c, def, key);
  if (isLinear(law.response) && isnan(law.stiffness)) {
    reportNoStiffness(c, def, law.response);
  }
  crKeyTable_Add(&counter->lawTable, key, c->lawCount);
  c->lawKeys[c->lawCount] = key;
  c->laws[c->lawCount++] = law;
}

static crStatus findLaws(PairCounter* counter)
{
  crCompilation* c = counter->c;
  if (!growLaws(counter)) {
    return cr_errorMemory;
  }
  for (int k = 0; k < c->classCount; ++k) {
    for (int m = k; m < c->classCount; ++m) {
      int a, b;
      if (!agree(&c->classes[k], &c->classes[m])) {
        continue;
      }
      uint64_t key = crPairKey(c->classes[k].material, c->classes[m].material);
      if (crKeyTable_Find(&counter->lawTable, key) >= 0 || !findWitness(counter, k, m, &a, &b)) {
        continue;
      }
      if (counter->missingCount == CR_MAX_MISSING_LAWS) {
        crAddress nowhere = { { NULL, 0, 0 }, NULL };
        crCompilation_Report(c, cr_severityError, nowhere, NULL, "more contact pairs are missing, not listed here");
        return cr_ok;
      }
      if (!growLaws(counter)) {
        return cr_errorMemory;
      }
      addLaw(counter, key, a, b);
    }
  }
  return cr_ok;
}

crStatus crCountPairs(crCompilation* c)
{
  PairCounter counter = { .c = c };
  if (!findClasses(&counter) || !findClusters(&counter) || !listClassClusters(&counter) || !countPartners(c)) {
    return cr_errorMemory;
  }
  sumPairs(c);
  crCheckSurfaceRules(c);
  crWarnOfLarge(c);
  crStatus status = findLaws(&counter);
  if (status == cr_ok) {
    crWarnOfTightFits(c, &counter.lawTable);
  }
  return status == cr_ok ? crCheckAreaRules(c, &counter.lawTable) : status;
}
