// States of contacts that stick, as part of those of a set: where they lie, what they are made of, and which entries
// they add to its Jacobian.
//
// A contact's states act on the rates of its two trees, and of what is coupled with these; they depend on the states of
// the two trees and on themselves. Their rows lie behind those of all trees, in the order of their places.
#include "base/elementary.h"
#include "base/sort.h"
#include "collide/area/area.h"
#include "contact/area_law.h"
#include "contact/contact.h"

#include <string.h>

#define CR_IMPACT_SHARE 0.4    // [-] of the depth of an impact: where the stiffness across is taken
#define CR_MOST_DEPTH 0.25     // [-] of the thinner body's half
#define CR_DEPTH_STEPS 12      // of the search for the depth of a patch
#define CR_DEPTH_TOLERANCE 0.1 // [-] to which it is found
#define CR_LEAST_POWER 1.5     // [-] of the energy of a patch over its depth: 2 of faces,
#define CR_MOST_POWER 4.0      // 3 of tips
#define CR_CROWD_RATIO 1.0     // [-] damping ratio in crowds: vibrations along contacts would limit the steps there

// ---------------------------------------------------------------------------------------------- stiffness

// A body's mass where it moves; both together.
static double findLighter(const crContacts* contacts, const crTouchingPair* pair)
{
  return fmin(contacts->facts[pair->shapeA].mass, contacts->facts[pair->shapeB].mass);
}

static double findReduced(const crContacts* contacts, const crTouchingPair* pair)
{
  double a = contacts->facts[pair->shapeA].mass, b = contacts->facts[pair->shapeB].mass;
  return isinf(a) ? b : isinf(b) ? a : a * b / (a + b);
}

// Of a law with one depth: there d F / d depth.
static double findPointStiffness(const crContacts* contacts, const crTouchingPair* pair, const crContactMemory* memory,
                                 double depth)
{
  double weight = findLighter(contacts, pair) * contacts->gravity, n = memory->exponent;
  double rest = weight > 0.0 ? crPow(weight / memory->stiffness, 1.0 / n) : 0.0;
  double impact = crEstimateDepth(memory, findReduced(contacts, pair), memory->approach);
  double at = fmax(depth, fmax(rest, CR_IMPACT_SHARE * impact));
  return n * memory->stiffness * (n == 1.0 ? 1.0 : crPow(at, n - 1.0));
}

// Two shapes at their poses, B moved against A.
typedef struct Press {
  crAreaModulus law;
  const crShape *a, *b;
  crPose X_WA, X_WB; // of canonical frames
  crVec3 n;
  double gap;  // [m] between them as they are
  double most; // [m]
} Press;

typedef struct Pressed {
  double energy, force; // [J], [N]
  double power;         // [-] of the depth, in the energy
} Pressed;

static Pressed press(const Press* press, double depth)
{
  crPatch patch;
  crAreaForce force;
  crPose moved = press->X_WB;
  moved.p = crMulAdd(moved.p, -(press->gap + depth), press->n);
  crComputeAreaForce(press->law, press->a, &press->X_WA, press->b, &moved, &patch, &force);
  Pressed is = { force.elastic, force.elastic > 0.0 ? crLength(force.force) : 0.0, 2.0 };
  if (is.energy > 0.0 && isfinite(is.force)) {
    is.power = fmin(CR_MOST_POWER, fmax(CR_LEAST_POWER, is.force * depth / is.energy));
  }
  return is;
}

// The depth at which the force, or the energy, is the one asked for; from a guess, as if both were powers of it.
static double findDepth(const Press* pressing, double force, double energy, double guess, Pressed* outIs)
{
  double depth = fmin(guess, pressing->most);
  for (int i = 0; i < CR_DEPTH_STEPS; ++i) {
    *outIs = press(pressing, depth);
    double ratio = energy > 0.0 ? energy / outIs->energy : force / outIs->force;
    double next = depth * 4.0;
    if (outIs->energy > 0.0 && isfinite(outIs->energy)) {
      next = depth * crPow(ratio, 1.0 / (energy > 0.0 ? outIs->power : outIs->power - 1.0));
    }
    next = fmin(fmin(fmax(next, 0.01 * depth), 100.0 * depth), pressing->most);
    if (fabs(next - depth) <= CR_DEPTH_TOLERANCE * depth) {
      break;
    }
    depth = next;
  }
  return depth;
}

// d F / d depth of U = c depth^p is (p - 1) / p F^2 / U.
static double findSlope(const Pressed* is)
{
  return is->energy > 0.0 && isfinite(is->energy) ? (is->power - 1.0) / is->power * is->force * is->force / is->energy
                                                  : 0.0;
}

static double findPatchStiffness(const crContacts* contacts, const crTouchingPair* pair, const crContactMemory* memory)
{
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  const crPose *X_WA = &contacts->poses[pair->shapeA], *X_WB = &contacts->poses[pair->shapeB];
  double half = fmin(contacts->facts[pair->shapeA].half, contacts->facts[pair->shapeB].half);
  crTouch touch;
  crComputeTouch(a, X_WA, b, X_WB, NULL, &touch);
  Press pressing = { .law = crFindAreaModulus(pair->law),
                     .a = a,
                     .b = b,
                     .X_WA = crPlaceCanonical(a, X_WA),
                     .X_WB = crPlaceCanonical(b, X_WB),
                     .n = touch.normal,
                     .gap = touch.distance,
                     .most = CR_MOST_DEPTH * half };
  double mass = findReduced(contacts, pair), weight = findLighter(contacts, pair) * contacts->gravity;
  double energy = 0.5 * mass * memory->approach * memory->approach, stiffness = 0.0;
  Pressed is;
  if (weight > 0.0) {
    findDepth(&pressing, weight, 0.0, weight / memory->stiffness, &is);
    stiffness = findSlope(&is);
  }
  if (energy > 0.0) {
    double depth = findDepth(&pressing, 0.0, energy, sqrt(2.0 * energy / memory->stiffness), &is);
    is = press(&pressing, CR_IMPACT_SHARE * depth);
    stiffness = fmax(stiffness, findSlope(&is));
  }
  if (!(stiffness > 0.0) && touch.distance < 0.0) {
    is = press(&pressing, -touch.distance);
    stiffness = findSlope(&is);
  }
  return stiffness > 0.0 ? stiffness : memory->stiffness;
}

crBristle crContacts_StartBristle(const crContacts* contacts, const crTouchingPair* pair, const crContactMemory* memory,
                                  const crTouch* touch)
{
  bool isArea = pair->path == cr_touchArea;
  if (crCountBristles(pair->law, isArea) == 0) {
    return (crBristle){ .count = 0 };
  }
  double stiffness = isArea ? findPatchStiffness(contacts, pair, memory)
                            : findPointStiffness(contacts, pair, memory, fmax(0.0, -touch->distance));
  double cor = crComputeRegularCor(pair->law, memory->approach);
  crBristle bristle =
      crMakeBristle(pair->law, isArea, touch->normal, stiffness, findReduced(contacts, pair), cor, memory->lever);
  if (contacts->isCrowd) {
    crBristle_SetRatio(&bristle, CR_CROWD_RATIO);
  }
  return bristle;
}

void crContacts_SetCrowd(crContacts* contacts, bool isCrowd)
{
  contacts->isCrowd = isCrowd;
  for (int k = 0; k < contacts->contacts.count && isCrowd; ++k) {
    crBristle_SetRatio(&contacts->contacts.items[k].bristle, CR_CROWD_RATIO);
  }
}

// ------------------------------------------------------------------------------------------------- states

int crContacts_CountBristles(const crContacts* contacts)
{
  int count = 0;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    count += contacts->contacts.items[k].bristle.count;
  }
  return count;
}

void crContacts_PlaceBristles(crContacts* contacts, int least)
{
  int count = 0;
  for (int k = 0; k < contacts->contacts.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    contact->place = count;
    count += contact->bristle.count;
  }
  contacts->bristleCount = count > least ? count : least;
}

// The first of `count` places side by side that nobody has; there is room behind the last one.
static int findFree(const crContacts* contacts, int from, int count)
{
  int run = 0, i = from;
  for (; i < contacts->bristleCount && run < count; ++i) {
    run = contacts->owners.items[i] < 0 ? run + 1 : 0;
  }
  return i - run;
}

static bool growPlaces(crContacts* contacts, int count)
{
  if (!crMakeRoom(&contacts->owners, count, &contacts->allocator)) {
    return false;
  }
  for (int i = contacts->bristleCount; i < count; ++i) {
    contacts->owners.items[i] = -1;
  }
  contacts->bristleCount = count;
  return true;
}

static void occupy(crContacts* contacts, int index)
{
  const crContact* contact = &contacts->contacts.items[index];
  for (int i = 0; i < contact->bristle.count; ++i) {
    contacts->owners.items[contact->place + i] = index;
  }
}

bool crContacts_SeatBristles(crContacts* contacts)
{
  int count = contacts->bristleCount, next = 0;
  contacts->bristleCount = 0;
  if (!growPlaces(contacts, count)) {
    return false;
  }
  for (int k = 0; k < contacts->contacts.count; ++k) {
    if (contacts->contacts.items[k].place >= 0) {
      occupy(contacts, k);
    }
  }
  for (int k = 0; k < contacts->contacts.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    if (contact->place >= 0) {
      continue;
    }
    next = findFree(contacts, next, contact->bristle.count);
    contact->place = next;
    if (next + contact->bristle.count > contacts->bristleCount &&
        !growPlaces(contacts, next + contact->bristle.count + contacts->bristleCount / 4)) {
      return false;
    }
    occupy(contacts, k);
  }
  return true;
}

void crContacts_SetBristles(crContacts* contacts, const double* x)
{
  for (int k = 0; k < contacts->contacts.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    for (int i = 0; i < contact->bristle.count; ++i) {
      contact->bristle.x[i] = x[contact->place + i];
    }
  }
}

void crContacts_GetBristles(const crContacts* contacts, double* outX)
{
  memset(outX, 0, (size_t)contacts->bristleCount * sizeof *outX);
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContact* contact = &contacts->contacts.items[k];
    for (int i = 0; i < contact->bristle.count; ++i) {
      outX[contact->place + i] = contact->bristle.x[i];
    }
  }
}

void crContacts_GetBristleRates(const crContacts* contacts, double* outRates)
{
  memset(outRates, 0, (size_t)contacts->bristleCount * sizeof *outRates);
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContact* contact = &contacts->contacts.items[k];
    for (int i = 0; i < contact->bristle.count; ++i) {
      outRates[contact->place + i] = contact->bristle.rate[i];
    }
  }
}

void crContacts_CarryBristles(crContacts* contacts)
{
  for (int k = 0; contacts->bristleCount > 0 && k < contacts->contacts.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    crBristle_Carry(&contact->bristle, contact->motion.normal);
  }
}

// ------------------------------------------------------------------------------------------------ pattern

static uint64_t makeKey(int high, int low)
{
  return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

bool crContacts_ReserveBristles(crContacts* contacts)
{
  return crMakeRoom(&contacts->bristles, 2 * contacts->contacts.count, &contacts->allocator) &&
         crMakeRoom(&contacts->owners, contacts->bristleCount, &contacts->allocator);
}

// Trees with the places of their bristles, sorted; and whose a place is.
static void listBristles(crContacts* contacts)
{
  int count = 0;
  for (int i = 0; i < contacts->bristleCount; ++i) {
    contacts->owners.items[i] = -1;
  }
  for (int k = 0; k < contacts->contacts.count; ++k) {
    const crContact* contact = &contacts->contacts.items[k];
    const crTouchingPair* pair = &contacts->pairs.items[k];
    int a = contacts->facts[pair->shapeA].stateTree, b = contacts->facts[pair->shapeB].stateTree;
    if (contact->bristle.count == 0) {
      continue;
    }
    contacts->owners.items[contact->place] = k;
    if (a >= 0) {
      contacts->bristles.items[count++] = makeKey(a, contact->place);
    }
    if (b >= 0 && b != a) {
      contacts->bristles.items[count++] = makeKey(b, contact->place);
    }
  }
  contacts->owners.count = contacts->bristleCount;
  contacts->bristles.count = count;
  if (count > 1) {
    crSortKeys(contacts->bristles.items, count);
  }
}

int crContacts_FindBristles(const crContacts* contacts, int tree, const uint64_t** outKeys)
{
  int low = 0, high = contacts->bristles.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    bool isBefore = contacts->bristles.items[middle] < makeKey(tree, 0);
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  int end = low;
  while (end < contacts->bristles.count && contacts->bristles.items[end] >> 32 == (uint32_t)tree) {
    ++end;
  }
  *outKeys = end > low ? contacts->bristles.items + low : NULL; // there may be no array at all
  return end - low;
}

static const crContact* findOwner(const crContacts* contacts, uint64_t key)
{
  return &contacts->contacts.items[contacts->owners.items[(uint32_t)key]];
}

int crContacts_CountBristleRows(const crContacts* contacts, int tree, int before)
{
  const uint64_t* keys;
  int count = crContacts_FindBristles(contacts, tree, &keys), rows = 0;
  for (int i = 0; i < count && (int)(uint32_t)keys[i] < before; ++i) {
    rows += findOwner(contacts, keys[i])->bristle.count;
  }
  return rows;
}

// Where columns are written; rows NULL: they are counted.
typedef struct Pattern {
  const crContacts* contacts;
  crTreeSet set;
  const int* stateStarts; // of trees
  int treeStates;
  int* rows;
  int count;
} Pattern;

static void addRow(Pattern* pattern, int row)
{
  if (pattern->rows != NULL) {
    pattern->rows[pattern->count] = row;
  }
  ++pattern->count;
}

// Rows of the bristles of a tree, behind a column of it.
static void addBristleRows(Pattern* pattern, int tree)
{
  const uint64_t* keys;
  int count = crContacts_FindBristles(pattern->contacts, tree, &keys);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < findOwner(pattern->contacts, keys[i])->bristle.count; ++k) {
      addRow(pattern, pattern->treeStates + (int)(uint32_t)keys[i] + k);
    }
  }
}

// Rates of the trees that a force on one of two acts on.
static void addRateRows(Pattern* pattern, int a, int b)
{
  const crModel* model = pattern->contacts->model;
  bool isAlone = (a < 0 || model->componentTrees[a] == 1) && (b < 0 || model->componentTrees[b] == 1);
  int first = a < 0 || (b >= 0 && b < a) ? b : a, second = first == a ? b : a;
  int both[2] = { first, second != first ? second : -1 };
  for (int k = 0; k < (isAlone ? 2 : pattern->set.treeCount); ++k) {
    int tree = isAlone ? both[k] : pattern->set.trees[k];
    bool isMoved = isAlone ? tree >= 0
                           : (a >= 0 && model->components[tree] == model->components[a]) ||
                                 (b >= 0 && model->components[tree] == model->components[b]);
    const crTree* record = isMoved ? &model->trees[tree] : NULL;
    for (int i = 0; isMoved && i < record->vCount + record->auxCount; ++i) {
      addRow(pattern, pattern->stateStarts[tree] + record->qCount + i);
    }
  }
}

static void addColumn(Pattern* pattern, const crContact* contact, const crTouchingPair* pair)
{
  const crShapeFacts* facts = pattern->contacts->facts;
  addRateRows(pattern, facts[pair->shapeA].stateTree, facts[pair->shapeB].stateTree);
  for (int i = 0; i < contact->bristle.count; ++i) {
    addRow(pattern, pattern->treeStates + contact->place + i);
  }
}

// Columns of trees grow from the last one on, each behind what it has.
static void widenColumns(Pattern* pattern, int treeCount, int* columnStarts, int added)
{
  const crModel* model = pattern->contacts->model;
  int column = pattern->treeStates;
  for (int t = treeCount - 1; t >= 0; --t) {
    int tree = pattern->set.trees[t], rows = crContacts_CountBristleRows(pattern->contacts, tree, INT32_MAX);
    for (int i = crTreeStateCount(&model->trees[tree]) - 1; i >= 0; --i) {
      int start = columnStarts[column - 1], end = columnStarts[column];
      columnStarts[column] = end + added;
      added -= rows;
      memmove(pattern->rows + start + added, pattern->rows + start, (size_t)(end - start) * sizeof(int));
      pattern->count = end + added;
      addBristleRows(pattern, tree);
      --column;
    }
  }
}

void crContacts_AddBristlePattern(crContacts* contacts, crTreeSet set, const int* stateStarts, int* ioColumnStarts,
                                  int* ioRows, int* ioCount)
{
  if (contacts->bristleCount == 0) {
    return;
  }
  listBristles(contacts);
  Pattern pattern = { contacts, set, stateStarts, crModel_CountStates(contacts->model, set), ioRows, *ioCount };
  int added = 0;
  for (int t = 0; t < set.treeCount; ++t) {
    added += crContacts_CountBristleRows(contacts, set.trees[t], INT32_MAX) *
             crTreeStateCount(&contacts->model->trees[set.trees[t]]);
  }
  if (ioRows != NULL) {
    widenColumns(&pattern, set.treeCount, ioColumnStarts, added);
  }
  pattern.count = *ioCount + added;
  for (int i = 0, left = 0, owner = -1; i < contacts->bristleCount; ++i, --left) {
    if (contacts->owners.items[i] >= 0) {
      owner = contacts->owners.items[i];
      left = contacts->contacts.items[owner].bristle.count;
      contacts->contacts.items[owner].column = pattern.count;
    }
    if (left > 0) {
      addColumn(&pattern, &contacts->contacts.items[owner], &contacts->pairs.items[owner]);
    } else {
      addRow(&pattern, pattern.treeStates + i);
    }
    if (ioRows != NULL) {
      ioColumnStarts[pattern.treeStates + i + 1] = pattern.count;
    }
  }
  *ioCount = pattern.count;
}
