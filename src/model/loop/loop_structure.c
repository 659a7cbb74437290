// The structure of loops, found when an instance is made: paths, couplings, the numbering of cuts, memory.
//
// Two cuts are coupled when a joint that can move lies on both of their paths to the world. Within a component cuts are
// numbered by breadth-first search over couplings from a cut with few of them [CuthillMcKee69], which keeps coupled
// cuts near to each other, and A's envelope narrow.
#include "model/loop/loop.h"

#include "base/sort.h"

#include <string.h>

// Work that is forgotten once the structure is there. Cuts by their numbers in the model.
typedef struct Builder {
  const crModel* model;
  crLoops* loops;
  crArena arena;
  crCut* cuts;                  // (cutCount) in the model's order; only the fields of structure
  int *bodyStarts, *bodyCuts;   // cuts whose path holds a body that can move
  int *coupledStarts, *coupled; // both directions, ascending
  int* marks;                   // (cutCount)
  int* numbers;                 // (cutCount) new numbers by old ones
  int* queue;                   // (cutCount) old ones by new numbers
  uint64_t* keys;               // (cutCount)
  int* places;                  // (bodyCount) entry of a body in the path that is made; -1: none
  uint64_t* bodyKeys;           // (bodyCount)
} Builder;

#define newItems(arena, pointer, count)                                                                                \
  (((pointer) = crArena_AllocateZero((arena), (size_t)(count) + 1, sizeof *(pointer))) != NULL)

// Lanes want more than an arena's alignment.
static void* newLanes(crArena* arena, size_t count, size_t size)
{
  char* block = crArena_AllocateZero(arena, count * size + CR_LANES_ALIGNMENT, 1);
  return block != NULL ? block + (0u - (uintptr_t)block) % CR_LANES_ALIGNMENT : NULL;
}

// ------------------------------------------------------------------------------------------------ paths

// Bodies from both sides of a cut to the world, highest number first; counts only where entries is NULL.
static int walkPath(const crModel* model, const crCut* cut, crPathEntry* entries, int* outDofs)
{
  int a = cut->bodyA, b = cut->bodyB, count = 0, dofs = 0, lastA = -1, lastB = -1;
  while (a > 0 || b > 0) {
    int body = a > b ? a : b;
    bool climbsA = a == body, climbsB = b == body;
    if (entries != NULL) {
      entries[count] = (crPathEntry){ body, -1, dofs, climbsA && climbsB, (double)climbsB - (double)climbsA, 0.0 };
      if (climbsA && lastA >= 0) {
        entries[lastA].parent = count;
      }
      if (climbsB && lastB >= 0) {
        entries[lastB].parent = count;
      }
    }
    lastA = climbsA ? count : lastA;
    lastB = climbsB ? count : lastB;
    a = climbsA ? model->links[body].parent : a;
    b = climbsB ? model->links[body].parent : b;
    dofs += model->links[body].vCount;
    ++count;
  }
  *outDofs = dofs;
  return count;
}

static int treeOfCut(const crModel* model, const crCut* cut)
{
  int tree = model->bodies[cut->bodyA].tree;
  return tree >= 0 ? tree : model->bodies[cut->bodyB].tree;
}

// Coordinates of which a row may be made: those that are prescribed, or kept when the loop is assembled.
static int countKept(const crModelJoint* joint)
{
  const crJointType* type = crGetJointType((int)joint->kind);
  int count = 0;
  for (int i = 0; joint->motion < 0 && !type->hasQuaternion && i < type->vCount; ++i) {
    count += joint->fixed[i];
  }
  return count;
}

static void placeEnd(const crModel* model, int body, crPose X_BO, crLanes33* outR, crLanes* outP)
{
  crMat3 R_BL = model->linkAxes[body];
  *outR = crToLanes33(crMulTM(R_BL, X_BO.R));
  *outP = crToLanes(crMulTV(R_BL, X_BO.p));
}

// The body that a coupled joint moves, or one of those between which it is cut.
static int bodyOfTerm(const crModel* model, const crCouplingTerm* term)
{
  const crModelJoint* joint = &model->joints[term->joint];
  return !joint->isCut ? term->joint + 1 : joint->bodyB > 0 ? joint->bodyB : joint->bodyA;
}

static void describeCoupling(const crModel* model, int coupling, crCut* cut)
{
  cut->joint = -1;
  cut->coupling = coupling;
  cut->bodyB = bodyOfTerm(model, &model->terms[model->couplings[coupling].termStart]);
  cut->memoryTime = NAN;
  cut->length = 1.0;
  cut->rowCount = cut->allRowCount = cut->activeCount = 1;
  for (int r = 0; r < CR_MAX_ROWS; ++r) {
    cut->order[r] = (unsigned char)r;
  }
}

static void describeCut(const crModel* model, int loop, crCut* cut)
{
  cut->coupling = -1;
  cut->joint = model->loops[loop].cutJoint;
  const crModelJoint* joint = &model->joints[cut->joint];
  cut->bodyA = joint->bodyA;
  cut->bodyB = joint->bodyB;
  placeEnd(model, cut->bodyA, joint->X_BA, &cut->R_LA, &cut->p_LA);
  placeEnd(model, cut->bodyB, joint->X_BB, &cut->R_LB, &cut->p_LB);
  memcpy(cut->memory, joint->start, sizeof cut->memory);
  cut->memoryTime = NAN;
  cut->constraintCount = crGetJointType((int)joint->kind)->constraintCount;
  cut->rowCount = cut->constraintCount + (joint->motion >= 0);
  cut->allRowCount = cut->rowCount + countKept(joint);
  cut->activeCount = cut->rowCount;
  for (int r = 0; r < CR_MAX_ROWS; ++r) {
    cut->order[r] = (unsigned char)r;
  }
}

// ---------------------------------------------------------------------------------------- coupled paths

// Adds the bodies from one up to the world that are not there yet; `places` of those that are is not -1.
static int climb(const crModel* model, int body, int* places, uint64_t* keys, int count)
{
  for (; body > 0 && places[body] < 0; body = model->links[body].parent) {
    places[body] = 0;
    keys[count++] = (uint64_t)(model->size.bodyCount - body); // ascending keys: the highest body first
  }
  return count;
}

// The bodies that a joint of the path moves without moving the other side of a cut joint change its coordinate.
static void markSides(const crModel* model, const crModelJoint* joint, const int* places, crPathEntry* entries)
{
  int a = joint->bodyA, b = joint->bodyB;
  while (a != b) {
    int body = a > b ? a : b;
    entries[places[body]].isCommon = false;
    a = a == body ? model->links[a].parent : a;
    b = b == body ? model->links[b].parent : b;
  }
}

// Likewise of a coupling: from all of its joints to the world. With entries NULL counts only.
static int walkCoupling(Builder* b, const crCut* cut, crPathEntry* entries, int* outDofs)
{
  const crModel* model = b->model;
  const crModelCoupling* coupling = &model->couplings[cut->coupling];
  const crCouplingTerm* terms = model->terms + coupling->termStart;
  int count = 0, dofs = 0;
  for (int i = 0; i < coupling->termCount; ++i) {
    const crModelJoint* joint = &model->joints[terms[i].joint];
    count = climb(model, joint->bodyA, b->places, b->bodyKeys, count);
    count = climb(model, joint->bodyB, b->places, b->bodyKeys, count);
  }
  crSortKeys(b->bodyKeys, count);
  for (int e = 0; e < count; ++e) {
    int body = model->size.bodyCount - (int)b->bodyKeys[e];
    b->places[body] = e;
    if (entries != NULL) {
      entries[e] = (crPathEntry){ .body = body, .parent = -1, .dofStart = dofs, .isCommon = true };
    }
    dofs += model->links[body].vCount;
  }
  for (int e = 0; entries != NULL && e < count; ++e) {
    int parent = model->links[entries[e].body].parent;
    entries[e].parent = parent > 0 ? b->places[parent] : -1;
  }
  for (int i = 0; entries != NULL && i < coupling->termCount; ++i) {
    const crModelJoint* joint = &model->joints[terms[i].joint];
    if (joint->isCut) {
      markSides(model, joint, b->places, entries);
    } else {
      crPathEntry* entry = &entries[b->places[terms[i].joint + 1]];
      entry->push = terms[i].factor;
      entry->isCommon = false;
    }
  }
  for (int e = 0; e < count; ++e) {
    b->places[model->size.bodyCount - (int)b->bodyKeys[e]] = -1;
  }
  *outDofs = dofs;
  return count;
}

static int walk(Builder* b, const crCut* cut, crPathEntry* entries, int* outDofs)
{
  return cut->coupling >= 0 ? walkCoupling(b, cut, entries, outDofs) : walkPath(b->model, cut, entries, outDofs);
}

static bool makePaths(Builder* b)
{
  crLoops* loops = b->loops;
  int loopCount = b->model->size.cutJointCount, bodies = b->model->size.bodyCount;
  if (!newItems(&b->arena, b->places, bodies) || !newItems(&b->arena, b->bodyKeys, bodies)) {
    return false;
  }
  for (int i = 0; i < bodies; ++i) {
    b->places[i] = -1;
  }
  for (int i = 0; i < loops->cutCount; ++i) {
    crCut* cut = &b->cuts[i];
    if (i < loopCount) {
      describeCut(b->model, i, cut);
    } else {
      describeCoupling(b->model, i - loopCount, cut);
    }
    cut->entryStart = loops->entryCount;
    cut->dofStart = loops->dofCount;
    cut->entryCount = walk(b, cut, NULL, &cut->dofCount);
    loops->entryCount += cut->entryCount;
    loops->dofCount += cut->dofCount;
    loops->rowCount += cut->allRowCount;
  }
  if (!newItems(&loops->arena, loops->entries, loops->entryCount)) {
    return false;
  }
  for (int i = 0; i < loops->cutCount; ++i) {
    int dofs;
    walk(b, &b->cuts[i], loops->entries + b->cuts[i].entryStart, &dofs);
  }
  return true;
}

// -------------------------------------------------------------------------------------------- couplings

// Compressed lists by body. A body that cannot move couples nothing.
static bool listCuts(Builder* b)
{
  const crLoops* loops = b->loops;
  int bodies = b->model->size.bodyCount;
  int* filled;
  if (!newItems(&b->arena, b->bodyStarts, bodies + 1) || !newItems(&b->arena, b->bodyCuts, loops->entryCount) ||
      !newItems(&b->arena, filled, bodies)) {
    return false;
  }
  for (int e = 0; e < loops->entryCount; ++e) {
    b->bodyStarts[loops->entries[e].body + 1] += b->model->links[loops->entries[e].body].vCount > 0;
  }
  for (int i = 0; i < bodies; ++i) {
    b->bodyStarts[i + 1] += b->bodyStarts[i];
  }
  for (int i = 0; i < loops->cutCount; ++i) {
    for (int e = b->cuts[i].entryStart; e < b->cuts[i].entryStart + b->cuts[i].entryCount; ++e) {
      int body = loops->entries[e].body;
      if (b->model->links[body].vCount > 0) {
        b->bodyCuts[b->bodyStarts[body] + filled[body]++] = i;
      }
    }
  }
  return true;
}

// Cuts that share a body with cut i, each once, into out (may be NULL).
static int findCoupled(Builder* b, int i, int* out)
{
  const crCut* cut = &b->cuts[i];
  int count = 0;
  for (int e = cut->entryStart; e < cut->entryStart + cut->entryCount; ++e) {
    int body = b->loops->entries[e].body;
    for (int k = b->bodyStarts[body]; k < b->bodyStarts[body + 1]; ++k) {
      int other = b->bodyCuts[k];
      if (other != i && b->marks[other] != i + 1) {
        b->marks[other] = i + 1;
        if (out != NULL) {
          out[count] = other;
        }
        ++count;
      }
    }
  }
  return count;
}

static bool couple(Builder* b)
{
  int cuts = b->loops->cutCount;
  if (!newItems(&b->arena, b->marks, cuts) || !newItems(&b->arena, b->coupledStarts, cuts + 1)) {
    return false;
  }
  for (int i = 0; i < cuts; ++i) {
    b->coupledStarts[i + 1] = b->coupledStarts[i] + findCoupled(b, i, NULL);
  }
  for (int i = 0; i < cuts; ++i) {
    b->marks[i] = 0;
  }
  if (!newItems(&b->arena, b->coupled, b->coupledStarts[cuts])) {
    return false;
  }
  for (int i = 0; i < cuts; ++i) {
    findCoupled(b, i, b->coupled + b->coupledStarts[i]);
  }
  return true;
}

// -------------------------------------------------------------------------------------------- numbering

static int degree(const Builder* b, int cut)
{
  return b->coupledStarts[cut + 1] - b->coupledStarts[cut];
}

static void enqueue(Builder* b, int cut, int* queued)
{
  b->numbers[cut] = *queued;
  b->queue[(*queued)++] = cut;
}

// Breadth first from a cut; neighbours with fewer couplings first.
static void numberFrom(Builder* b, int start, int* queued)
{
  int next = *queued;
  enqueue(b, start, queued);
  while (next < *queued) {
    int cut = b->queue[next++], count = 0;
    for (int k = b->coupledStarts[cut]; k < b->coupledStarts[cut + 1]; ++k) {
      int other = b->coupled[k];
      if (b->numbers[other] < 0) {
        b->keys[count++] = (uint64_t)degree(b, other) << 32 | (uint64_t)other;
      }
    }
    crSortKeys(b->keys, count);
    for (int i = 0; i < count; ++i) {
      enqueue(b, (int)(uint32_t)b->keys[i], queued);
    }
  }
}

// Component by component, each from its cuts with the fewest couplings.
static bool numberCuts(Builder* b)
{
  int cuts = b->loops->cutCount, queued = 0;
  uint64_t* starts;
  if (!newItems(&b->arena, b->numbers, cuts) || !newItems(&b->arena, b->queue, cuts) ||
      !newItems(&b->arena, b->keys, cuts) || !newItems(&b->arena, starts, cuts)) {
    return false;
  }
  for (int i = 0; i < cuts; ++i) {
    b->numbers[i] = -1;
    starts[i] = (uint64_t)degree(b, i) << 32 | (uint64_t)i;
  }
  crSortKeys(starts, cuts);
  for (int t = 0; t < b->model->size.treeCount; ++t) {
    b->loops->treeCuts[t] = queued;
    for (int k = 0; b->loops->isLooped[t] && b->model->components[t] == t && k < cuts; ++k) {
      int cut = (int)(uint32_t)starts[k];
      int tree = treeOfCut(b->model, &b->cuts[cut]);
      if (tree >= 0 && b->model->components[tree] == t && b->numbers[cut] < 0) {
        numberFrom(b, cut, &queued);
      }
    }
  }
  b->loops->treeCuts[b->model->size.treeCount] = queued;
  return true;
}

// ---------------------------------------------------------------------------------------------- filling

static bool fillCouplings(Builder* b)
{
  crLoops* loops = b->loops;
  if (!newItems(&loops->arena, loops->couplings, b->coupledStarts[loops->cutCount])) {
    return false;
  }
  int used = 0;
  for (int n = 0; n < loops->cutCount; ++n) {
    crCut* cut = &loops->cuts[n];
    int old = b->queue[n], count = 0;
    cut->couplingStart = used;
    for (int k = b->coupledStarts[old]; k < b->coupledStarts[old + 1]; ++k) {
      int other = b->numbers[b->coupled[k]];
      if (other < n) {
        b->keys[count++] = (uint64_t)other;
      }
    }
    crSortKeys(b->keys, count);
    for (int i = 0; i < count; ++i) {
      loops->couplings[used++] = (int)b->keys[i];
    }
    cut->couplingCount = count;
    cut->first = count > 0 ? loops->couplings[cut->couplingStart] : n;
  }
  return true;
}

// Room for all rows, whichever are in use later.
static bool fillEnvelope(Builder* b)
{
  crLoops* loops = b->loops;
  size_t size = 0;
  for (int n = 0; n < loops->cutCount; ++n) {
    crCut* cut = &loops->cuts[n];
    for (int m = cut->first; m <= n; ++m) {
      cut->envelopeWidth += loops->cuts[m].allRowCount;
    }
    cut->envelopeStart = size;
    size += (size_t)cut->envelopeWidth * (size_t)cut->allRowCount;
  }
  return newItems(&loops->arena, loops->envelope, size);
}

static bool allocateArrays(Builder* b)
{
  crLoops* loops = b->loops;
  int dofs = b->model->size.vCount, bodies = b->model->size.bodyCount, states = b->model->size.stateCount;
  loops->cuts = newLanes(&loops->arena, (size_t)loops->cutCount, sizeof *loops->cuts);
  loops->K = newLanes(&loops->arena, (size_t)loops->entryCount * CR_MAX_ROWS, sizeof *loops->K);
  loops->reactions = newLanes(&loops->arena, (size_t)bodies, sizeof *loops->reactions);
  return loops->cuts != NULL && loops->K != NULL && loops->reactions != NULL &&
         newItems(&loops->arena, loops->cutOfLoop, loops->cutCount) &&
         newItems(&loops->arena, loops->pushes, b->model->size.jointCount) &&
         newItems(&loops->arena, loops->k, (size_t)loops->dofCount * CR_MAX_ROWS) &&
         newItems(&loops->arena, loops->roots, loops->dofCount) &&
         newItems(&loops->arena, loops->solution, loops->rowCount) &&
         newItems(&loops->arena, loops->scratch, 6 * (size_t)loops->rowCount) &&
         newItems(&loops->arena, loops->weights, dofs) && newItems(&loops->arena, loops->saved, dofs) &&
         newItems(&loops->arena, loops->changes, dofs) && newItems(&loops->arena, loops->freeRates, dofs) &&
         newItems(&loops->arena, loops->base, states) && newItems(&loops->arena, loops->slopes, states) &&
         newItems(&loops->arena, loops->samples, CR_BRANCH_SAMPLES * (size_t)(states + dofs));
}

static void markDriven(crLoops* loops, const crModel* model, const crModelJoint* joint)
{
  int tree = model->bodies[joint->bodyB > 0 ? joint->bodyB : joint->bodyA].tree;
  if (joint->motion >= 0 && tree >= 0) {
    loops->isDriven[model->components[tree]] = true;
  }
}

// Trees by component: the numbers of all before, first as counts, then as places.
static bool listMembers(Builder* b)
{
  const crModel* model = b->model;
  crLoops* loops = b->loops;
  int trees = model->size.treeCount;
  int* filled;
  if (!newItems(&loops->arena, loops->members, trees) || !newItems(&loops->arena, loops->memberStarts, trees + 1) ||
      !newItems(&loops->arena, loops->isDriven, trees) || !newItems(&b->arena, filled, trees)) {
    return false;
  }
  for (int t = 0; t < trees; ++t) {
    ++loops->memberStarts[model->components[t] + 1];
  }
  for (int t = 0; t < trees; ++t) {
    loops->memberStarts[t + 1] += loops->memberStarts[t];
  }
  for (int t = 0; t < trees; ++t) {
    int component = model->components[t];
    loops->members[loops->memberStarts[component] + filled[component]++] = t;
  }
  for (int j = 0; j < model->size.jointCount; ++j) {
    markDriven(loops, model, &model->joints[j]);
  }
  return true;
}

static bool markTrees(Builder* b)
{
  const crModel* model = b->model;
  crLoops* loops = b->loops;
  int trees = model->size.treeCount;
  if (!newItems(&loops->arena, loops->treeCuts, trees + 1) || !newItems(&loops->arena, loops->stages, trees) ||
      !newItems(&loops->arena, loops->isLooped, trees) || !newItems(&loops->arena, loops->isWeak, trees) ||
      !newItems(&loops->arena, loops->isFollowed, trees) || !newItems(&loops->arena, loops->evasions, trees)) {
    return false;
  }
  for (int i = 0; i < loops->cutCount; ++i) {
    int tree = treeOfCut(model, &b->cuts[i]);
    if (tree >= 0) {
      loops->isLooped[model->components[tree]] = true;
    }
  }
  for (int t = 0; t < trees; ++t) {
    loops->isLooped[t] = loops->isLooped[model->components[t]];
  }
  return true;
}

static bool build(Builder* b)
{
  crLoops* loops = b->loops;
  bool isBuilt = newItems(&b->arena, b->keys, loops->cutCount);
  b->cuts = newLanes(&b->arena, (size_t)loops->cutCount, sizeof *b->cuts);
  isBuilt = isBuilt && b->cuts != NULL && makePaths(b) && markTrees(b) && listMembers(b) && listCuts(b) && couple(b) &&
            numberCuts(b) && allocateArrays(b);
  int rows = 0;
  for (int n = 0; isBuilt && n < loops->cutCount; ++n) {
    loops->cuts[n] = b->cuts[b->queue[n]];
    loops->cuts[n].rowStart = rows;
    rows += loops->cuts[n].allRowCount;
    loops->cutOfLoop[b->queue[n]] = n;
  }
  return isBuilt && fillCouplings(b) && fillEnvelope(b);
}

crStatus crCreateLoops(const crModel* model, const crAllocator* allocator, crLoops** outLoops)
{
  *outLoops = NULL;
  if (crCountCuts(model) == 0) {
    return cr_ok;
  }
  crLoops* loops = crAllocateZero(allocator, 1, sizeof *loops);
  if (loops == NULL) {
    return cr_errorMemory;
  }
  crArena_Init(&loops->arena, allocator);
  loops->cutCount = crCountCuts(model);
  Builder builder = { .model = model, .loops = loops };
  crArena_Init(&builder.arena, allocator);
  bool isBuilt = build(&builder);
  crArena_Free(&builder.arena);
  if (!isBuilt) {
    crDestroyLoops(loops);
    return cr_errorMemory;
  }
  *outLoops = loops;
  return cr_ok;
}

void crDestroyLoops(crLoops* loops)
{
  if (loops != NULL) {
    crAllocator allocator = loops->arena.allocator;
    crArena_Free(&loops->arena);
    crFree(&allocator, loops, sizeof *loops);
  }
}
