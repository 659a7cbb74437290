// Pass 10, pack: everything into one memory block, which the scene does not share.
//
// The block is laid out twice by the same function, first to measure it, then to place its parts; then
// the records are copied and their pointers moved into the block.
#include "model/compile/compile.h"
#include "model/curve.h"
#include "scene/scene.h"

#include <string.h>

#define CR_BLOCK_ALIGNMENT 16 // [bytes] of every part

typedef struct Packer {
  crCompilation* c;
  char* block; // NULL: measuring
  size_t used;
  bool hasOverflow;
  char* text; // next free byte of the strings
  size_t textSize;
  char* hulls; // next free byte of the hulls
  size_t hullSize;
} Packer;

static size_t roundUp(size_t size)
{
  return (size + CR_BLOCK_ALIGNMENT - 1) / CR_BLOCK_ALIGNMENT * CR_BLOCK_ALIGNMENT;
}

// Reserves a part. The sum of all parts stays below SIZE_MAX / 2.
static void* take(Packer* packer, const char* name, size_t count, size_t itemSize)
{
  crCompilation* c = packer->c;
  size_t offset = packer->used;
  if (packer->hasOverflow || count > SIZE_MAX / 4 / itemSize || offset > SIZE_MAX / 4) {
    packer->hasOverflow = true;
    return NULL;
  }
  packer->used += roundUp(count * itemSize);
  if (packer->block == NULL) {
    crBlockPart part = { name, offset, count, itemSize };
    c->parts[c->partCount++] = part;
    return NULL;
  }
  return packer->block + offset;
}

#define takeItems(packer, name, pointer, count) ((pointer) = take((packer), (name), (size_t)(count), sizeof *(pointer)))

// Items that hold lanes start at an address of their own alignment, wherever the block lies.
static void* takeAligned(Packer* packer, const char* name, size_t count, size_t itemSize)
{
  char* part = take(packer, name, count * itemSize + CR_LANES_ALIGNMENT, 1);
  return part == NULL ? NULL : part + (0u - (uintptr_t)part) % CR_LANES_ALIGNMENT;
}

static int countLaws(const crCompilation* c)
{
  int count = 0;
  for (int i = 0; i < c->modelJointCount; ++i) {
    count += c->joints[i].law != NULL;
  }
  return count;
}

// Tree joints only: a cut joint moves nothing by itself.
static int countDrives(const crCompilation* c)
{
  int count = 0;
  for (int i = 0; i < c->bodyCount - 1; ++i) {
    count += crHasDrive(&c->joints[i]);
  }
  return count;
}

static size_t countCurvePoints(const crCompilation* c)
{
  size_t count = 0;
  for (int i = 0; i < c->forceCount; ++i) {
    const crForceDef* def = c->forceDefs[i];
    count += def->kind == cr_forceSpringDamper ? (size_t)def->as.springDamper.tableCount : 0;
  }
  return count;
}

static int countExcludedWithShapes(const crCompilation* c)
{
  int count = 0;
  for (int i = 0; i < c->excludedCount; ++i) {
    const crExcludedBodies* pair = &c->excluded[i];
    count += c->shapeStarts[pair->bodyA] < c->shapeStarts[pair->bodyA + 1] &&
             c->shapeStarts[pair->bodyB] < c->shapeStarts[pair->bodyB + 1];
  }
  return count;
}

static void takeTable(Packer* packer, const char* keysName, const char* valuesName, crKeyTable* table, int count)
{
  table->capacity = crTableCapacity(count);
  takeItems(packer, keysName, table->keys, table->capacity);
  takeItems(packer, valuesName, table->values, table->capacity);
}

static void layOutLinks(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  m->links = takeAligned(packer, "links", (size_t)c->bodyCount, sizeof *m->links);
  takeItems(packer, "axes of links", m->linkAxes, c->bodyCount);
  takeItems(packer, "all trees", m->allTrees, c->treeCount);
  takeItems(packer, "degrees of freedom of trees", m->treeDofs, c->treeCount + 1);
  takeItems(packer, "components", m->components, c->treeCount);
  takeItems(packer, "trees of components", m->componentTrees, c->treeCount);
  takeItems(packer, "components by forces", m->forceComponents, c->treeCount);
  takeItems(packer, "shapes of bodies", m->bodyShapes, c->bodyCount + 1);
  takeItems(packer, "trees left alone", m->areAlone, c->treeCount);
  takeItems(packer, "round trees", m->areRound, c->treeCount);
  takeItems(packer, "laws of joints", m->jointLaws, m->jointLawCount);
  takeItems(packer, "bodies with laws", m->lawBodies, m->jointLawCount);
  takeItems(packer, "laws of trees", m->treeLaws, c->treeCount + 1);
  takeItems(packer, "ends of forces", m->forceEnds, c->forceCount);
  takeItems(packer, "forces of trees", m->treeForces, c->treeCount + 1);
  takeItems(packer, "joints of states", m->stateJoints, c->stateCount);
}

static void layOutSignals(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  int pieces = 0, inputs = 0;
  for (int i = 0; i < c->signalCount; ++i) {
    pieces += c->signals[i].pieceCount;
    inputs += c->signals[i].inputCount;
  }
  takeItems(packer, "signals", m->signals, c->signalCount);
  takeItems(packer, "pieces of signals", m->signalPieces, pieces);
  takeItems(packer, "inputs of signals", m->signalInputs, inputs);
  takeItems(packer, "factors of signals", m->signalFactors, inputs);
  takeItems(packer, "order of signals", m->signalOrder, c->signalCount);
  takeItems(packer, "owners of signals", m->signalOwners, c->signalCount);
  takeItems(packer, "signals, sorted", m->signalScratch, c->signalCount);
  takeItems(packer, "signals of trees", m->treeSignals, c->treeCount + 2);
  takeItems(packer, "driven bodies", m->driveBodies, m->driveCount);
  takeItems(packer, "driven bodies of trees", m->treeDrives, c->treeCount + 1);
  takeItems(packer, "time events", m->eventTimes, c->eventCount);
  takeItems(packer, "variables of signals", m->signalVariableStarts, c->signalCount + 1);
}

static void layOutFunctions(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  takeItems(packer, "functions", m->functions, c->functionCount);
  takeItems(packer, "arguments of functions", m->functionArguments, m->argumentCount);
  takeItems(packer, "constants of functions", m->functionConstants, m->constantCount);
  takeItems(packer, "states of functions", m->functionStates, m->functionStateCount);
  takeItems(packer, "sampled functions", m->sampled, c->sampledCount);
  takeItems(packer, "inputs", m->inputs, c->inputCount);
  takeItems(packer, "outputs", m->outputs, c->outputCount);
}

// Sets the pointers of the model, once a block is there.
static void layOut(Packer* packer, crModel* m)
{
  crCompilation* c = packer->c;
  int pathCount = c->objectCount + c->modelJointCount + c->signalCount;
  packer->used = 0;
  take(packer, "model", 1, sizeof *m);
  takeItems(packer, "objects", m->objects, c->objectCount);
  takeItems(packer, "bodies", m->bodies, c->bodyCount);
  takeItems(packer, "trees", m->trees, c->treeCount);
  takeItems(packer, "joints", m->joints, c->modelJointCount);
  takeItems(packer, "loops", m->loops, c->cutCount);
  takeItems(packer, "bodies of loops", m->loopBodies, c->loopBodyCount);
  takeItems(packer, "forces", m->forces, c->forceCount);
  takeItems(packer, "curves of forces", m->curvePoints, m->curvePointCount);
  layOutLinks(packer, m);
  layOutSignals(packer, m);
  layOutFunctions(packer, m);
  takeItems(packer, "contact shapes", m->contactShapes, c->shapeCount);
  takeItems(packer, "shapes", m->shapes, c->shapeCount);
  takeItems(packer, "contact materials", m->materials, c->materialCount);
  takeItems(packer, "contact laws", m->laws, c->lawCount);
  takeTable(packer, "table of laws, keys", "table of laws, values", &m->lawTable, c->lawCount);
  takeItems(packer, "excluded bodies", m->excluded, m->excludedCount);
  takeTable(packer, "table of exclusions, keys", "table of exclusions, values", &m->excludedTable, m->excludedCount);
  takeItems(packer, "paths", m->paths, pathCount);
  m->pathTable.capacity = crTableCapacity(pathCount);
  takeItems(packer, "table of paths", m->pathTable.slots, m->pathTable.capacity);
  takeItems(packer, "patterns to record", m->patterns, m->run.recordCount);
  takeItems(packer, "objects of the scene", m->sceneObjects, c->objectCount);
  takeItems(packer, "joints with variables", m->variableJoints, c->variableJointCount);
  takeItems(packer, "variables of joints", m->jointVariableStarts, c->variableJointCount + 1);
  packer->hulls = take(packer, "hulls", packer->hullSize, 1);
  packer->text = take(packer, "text", packer->textSize, 1);
}

static size_t measureString(const char* text)
{
  return text != NULL ? strlen(text) + 1 : 0;
}

// Units, code, and the names that it has for things.
static size_t measureSignal(const crSceneSignal* signal)
{
  const crSignalDef* def = &signal->def;
  const crFunctionSource* source = &signal->functionSource;
  size_t size = strlen(def->name) + 1 + measureString(crGetSignalUnit(def));
  if (crIsFunction(def->kind)) {
    size += measureString(source->code) + measureString(def->source.file);
    for (int i = 0; i < source->argumentCount; ++i) {
      size += measureString(source->arguments[i].name);
    }
    for (int i = 0; i < source->constantCount; ++i) {
      size += measureString(source->constants[i].name);
    }
    for (int i = 0; i < source->stateCount; ++i) {
      size += measureString(source->states[i].name);
    }
  }
  return size;
}

// Bytes of all strings and hulls.
static void measureLoose(Packer* packer)
{
  const crCompilation* c = packer->c;
  const crRunOptions* run = &crScene_GetOptions(c->scene)->run;
  for (int i = 0; i < run->recordCount; ++i) {
    packer->textSize += strlen(run->record[i]) + 1;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    packer->textSize += strlen(c->objectDefs[i]->name) + 1;
  }
  for (int i = 0; i < c->jointCount; ++i) {
    packer->textSize += strlen(c->jointDefs[i]->name) + 1;
  }
  for (int i = 0; i < c->forceCount; ++i) {
    packer->textSize += strlen(c->forceDefs[i]->name) + 1;
  }
  for (int i = 0; i < c->signalCount; ++i) {
    packer->textSize += measureSignal(&c->scene->signals.items[i]);
  }
  for (int i = 0; i < c->materialCount; ++i) {
    packer->textSize += strlen(c->materials[i].name) + 1;
  }
  for (int i = 0; i < c->shapeCount; ++i) {
    const crHull* hull = c->shapes[i].shape->core.hull;
    packer->hullSize += hull != NULL ? roundUp(hull->byteCount) : 0;
  }
}

// ------------------------------------------------------------------------------------------ copying

static const char* packString(Packer* packer, const char* text)
{
  if (text == NULL) {
    return NULL;
  }
  size_t size = strlen(text) + 1;
  char* copy = memcpy(packer->text, text, size);
  packer->text += size;
  return copy;
}

static void copyItems(void* to, const void* from, size_t count, size_t itemSize)
{
  if (count > 0) {
    memcpy(to, from, count * itemSize);
  }
}

static void packBodies(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  copyItems(m->objects, c->objects, (size_t)c->objectCount, sizeof *m->objects);
  for (int i = 0; i < c->objectCount; ++i) {
    m->objects[i].path = m->paths[i] = packString(packer, c->objects[i].path);
    m->sceneObjects[c->objects[i].sceneIndex] = i;
  }
  copyItems(m->bodies, c->bodies, (size_t)c->bodyCount, sizeof *m->bodies);
  for (int b = 0; b < c->bodyCount; ++b) {
    m->bodies[b].path = m->objects[m->bodies[b].objectStart].path;
  }
  copyItems(m->trees, c->trees, (size_t)c->treeCount, sizeof *m->trees);
}

static void packJoints(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  crJointLaw* laws = m->jointLaws;
  copyItems(m->joints, c->joints, (size_t)c->modelJointCount, sizeof *m->joints);
  for (int i = 0; i < c->modelJointCount; ++i) {
    crModelJoint* joint = &m->joints[i];
    joint->path = joint->isImplicit ? m->objects[joint->objectB].path : packString(packer, joint->path);
    m->paths[c->objectCount + i] = joint->path;
    if (joint->law != NULL) {
      *laws = *joint->law;
      joint->law = laws++;
    }
  }
  copyItems(m->loops, c->loops, (size_t)c->cutCount, sizeof *m->loops);
  int* bodies = m->loopBodies;
  for (int i = 0; i < c->cutCount; ++i) {
    copyItems(bodies, c->loops[i].bodies, (size_t)c->loops[i].bodyCount, sizeof *bodies);
    m->loops[i].bodies = bodies;
    bodies += c->loops[i].bodyCount;
  }
}

static int packEnd(const crCompilation* c, int object)
{
  return object != CR_NONE ? c->modelIndex[object] : -1;
}

// What the kinds do not have in common. Returns the number of points of the curve.
static int packForceKind(const crForceDef* def, crModelForce* force, crCurvePoint* points)
{
  switch (def->kind) {
    case cr_forceSpringDamper:
      force->stiffness = def->as.springDamper.stiffness;
      force->damping = def->as.springDamper.damping;
      force->length = def->as.springDamper.length;
      force->curveCount = def->as.springDamper.tableCount;
      if (force->curveCount > 0) {
        crMakeCurve(def->as.springDamper.table, force->curveCount, points);
      }
      break;
    case cr_forceBushing:
      force->linearStiffness = def->as.bushing.stiffness;
      force->linearDamping = def->as.bushing.damping;
      force->angularStiffness = def->as.bushing.angularStiffness;
      force->angularDamping = def->as.bushing.angularDamping;
      force->preload = def->as.bushing.preload;
      break;
    case cr_forceForce: force->vector = def->as.force.vector; break;
    case cr_forceTorque: force->vector = def->as.torque.vector; break;
    case cr_forceKindCount: break;
  }
  return force->curveCount;
}

static void packForces(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  crCurvePoint* points = m->curvePoints;
  for (int i = 0; i < c->forceCount; ++i) {
    const crForceDef* def = c->forceDefs[i];
    crModelForce force = { .path = packString(packer, def->name),
                           .sceneIndex = i,
                           .kind = def->kind,
                           .objectA = packEnd(c, c->forceEnds[i][0]),
                           .objectB = packEnd(c, c->forceEnds[i][1]),
                           .frame = packEnd(c, c->forceEnds[i][2]),
                           .curve = points,
                           .signal = c->forceSignals[i] };
    points += packForceKind(def, &force, points);
    m->forces[i] = force;
  }
}

static void packSignals(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  crPiece* pieces = m->signalPieces;
  int* inputs = m->signalInputs;
  double* factors = m->signalFactors;
  copyItems(m->signals, c->signals, (size_t)c->signalCount, sizeof *m->signals);
  for (int i = 0; i < c->signalCount; ++i) {
    crSignal* signal = &m->signals[i];
    signal->path = m->paths[c->objectCount + c->modelJointCount + i] = packString(packer, signal->path);
    signal->unit = packString(packer, signal->unit);
    copyItems(pieces, signal->pieces, (size_t)signal->pieceCount, sizeof *pieces);
    copyItems(inputs, signal->inputs, (size_t)signal->inputCount, sizeof *inputs);
    copyItems(factors, signal->factors, (size_t)signal->inputCount, sizeof *factors);
    signal->objectA = signal->objectA >= 0 ? c->modelIndex[signal->objectA] : CR_NONE;
    signal->objectB = signal->objectB >= 0 ? c->modelIndex[signal->objectB] : CR_NONE;
    signal->frame = signal->frame >= 0 ? c->modelIndex[signal->frame] : CR_NONE;
    signal->joint = signal->joint >= 0 ? c->modelJoints[signal->joint] : CR_NONE;
    signal->pieces = pieces;
    signal->inputs = inputs;
    signal->factors = factors;
    pieces += signal->pieceCount;
    inputs += signal->inputCount;
    factors += signal->inputCount;
  }
  copyItems(m->signalOrder, c->signalOrder, (size_t)c->signalCount, sizeof *m->signalOrder);
  copyItems(m->eventTimes, c->eventTimes, (size_t)c->eventCount, sizeof *m->eventTimes);
  copyItems(m->signalVariableStarts, c->signalVariableStarts, (size_t)c->signalCount + 1,
            sizeof *m->signalVariableStarts);
}

static const crNamedNumber* packNumbers(Packer* packer, const crNamedNumber* numbers, int count, crNamedNumber* place)
{
  for (int i = 0; i < count; ++i) {
    place[i] = (crNamedNumber){ packString(packer, numbers[i].name), numbers[i].value };
  }
  return place;
}

static void packFunction(Packer* packer, crModel* m, int index, crModelFunction* outFunction)
{
  const crSceneSignal* signal = &packer->c->scene->signals.items[index];
  crFunctionSource source = signal->functionSource;
  crArgument* arguments = m->functionArguments + m->argumentCount;
  source.path = m->signals[index].path;
  source.source.file = packString(packer, source.source.file);
  source.code = packString(packer, source.code);
  for (int i = 0; i < source.argumentCount; ++i) {
    arguments[i] = (crArgument){ packString(packer, source.arguments[i].name), NULL };
  }
  source.arguments = arguments;
  source.constants =
      packNumbers(packer, source.constants, source.constantCount, m->functionConstants + m->constantCount);
  source.states = packNumbers(packer, source.states, source.stateCount, m->functionStates + m->functionStateCount);
  *outFunction = (crModelFunction){ index, signal->function, source, m->argumentCount };
  m->argumentCount += source.argumentCount;
  m->constantCount += source.constantCount;
  m->functionStateCount += source.stateCount;
}

// The counts, which have measured the block, are counted again here.
static void packPorts(Packer* packer, crModel* m)
{
  int sampled = 0;
  m->argumentCount = m->constantCount = m->functionStateCount = 0;
  for (int i = 0; i < m->size.signalCount; ++i) {
    const crSignal* signal = &m->signals[i];
    if (signal->kind == cr_signalInput) {
      m->inputs[signal->port] = i;
    } else if (signal->kind == cr_signalOutput) {
      m->outputs[signal->port] = i;
    } else if (crIsFunction(signal->kind)) {
      packFunction(packer, m, i, &m->functions[signal->function]);
    }
    if (crIsSampled(signal->kind)) {
      m->sampled[sampled++] = i;
    }
  }
}

// A copy of a piece by value that owns nothing; its hull lies in the block.
static void packShape(Packer* packer, const crShape* shape, crShape* outShape)
{
  *outShape = *shape;
  memset(&outShape->allocator, 0, sizeof outShape->allocator);
  outShape->ownedHull = NULL;
  outShape->pieces = NULL;
  if (shape->core.hull != NULL) {
    outShape->core.hull = crHull_CopyTo(shape->core.hull, packer->hulls);
    packer->hulls += roundUp(shape->core.hull->byteCount);
  }
}

static void packExcluded(const crCompilation* c, crModel* m)
{
  int count = 0;
  crKeyTable_Clear(&m->excludedTable);
  for (int i = 0; i < c->excludedCount; ++i) {
    int a = c->excluded[i].bodyA, b = c->excluded[i].bodyB;
    if (c->shapeStarts[a] < c->shapeStarts[a + 1] && c->shapeStarts[b] < c->shapeStarts[b + 1]) {
      crKeyTable_Add(&m->excludedTable, crPairKey(a, b), count);
      m->excluded[count++] = c->excluded[i];
    }
  }
}

static void packContact(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  copyItems(m->contactShapes, c->shapes, (size_t)c->shapeCount, sizeof *m->contactShapes);
  for (int i = 0; i < c->shapeCount; ++i) {
    packShape(packer, c->shapes[i].shape, &m->shapes[i]);
    m->contactShapes[i].shape = &m->shapes[i];
  }
  copyItems(m->materials, c->materials, (size_t)c->materialCount, sizeof *m->materials);
  for (int i = 0; i < c->materialCount; ++i) {
    m->materials[i].name = packString(packer, c->materials[i].name);
  }
  copyItems(m->laws, c->laws, (size_t)c->lawCount, sizeof *m->laws);
  crKeyTable_Clear(&m->lawTable);
  for (int i = 0; i < c->lawCount; ++i) {
    crKeyTable_Add(&m->lawTable, c->lawKeys[i], i);
  }
  packExcluded(c, m);
}

static void packNames(const crCompilation* c, crModel* m)
{
  m->pathTable.paths = m->paths;
  crPathTable_Clear(&m->pathTable);
  for (int i = 0; i < c->objectCount; ++i) {
    crPathTable_Add(&m->pathTable, i);
  }
  for (int i = 0; i < c->modelJointCount; ++i) {
    if (!m->joints[i].isImplicit) {
      crPathTable_Add(&m->pathTable, c->objectCount + i);
    }
  }
  for (int i = 0; i < c->signalCount; ++i) {
    crPathTable_Add(&m->pathTable, c->objectCount + c->modelJointCount + i);
  }
  copyItems(m->variableJoints, c->variableJoints, (size_t)c->variableJointCount, sizeof *m->variableJoints);
  copyItems(m->jointVariableStarts, c->jointVariableStarts, (size_t)c->variableJointCount + 1,
            sizeof *m->jointVariableStarts);
}

static void countFunctionParts(const crCompilation* c, crModel* m)
{
  for (int i = 0; i < c->signalCount; ++i) {
    if (crIsFunction(c->signalDefs[i]->kind)) {
      crFunctionSource source = c->scene->signals.items[i].functionSource;
      m->argumentCount += source.argumentCount;
      m->constantCount += source.constantCount;
      m->functionStateCount += source.stateCount;
    }
  }
}

static void fillHead(const crCompilation* c, crModel* m)
{
  crModelSize size = {
    .objectCount = c->objectCount,
    .bodyCount = c->bodyCount,
    .treeCount = c->treeCount,
    .jointCount = c->modelJointCount,
    .cutJointCount = c->cutCount,
    .forceCount = c->forceCount,
    .signalCount = c->signalCount,
    .shapeCount = c->shapeCount,
    .qCount = c->qCount,
    .vCount = c->vCount,
    .stateCount = c->stateCount,
    .pairCount = c->pairCount,
    .excludedPairCount = c->excludedPairCount,
    .variableCount = c->variableCount,
  };
  m->size = size;
  m->allocator = c->allocator;
  m->gravity = crScene_GetOptions(c->scene)->gravity;
  m->run = crScene_GetOptions(c->scene)->run;
  m->materialCount = c->materialCount;
  m->lawCount = c->lawCount;
  m->jointLawCount = countLaws(c);
  m->driveCount = countDrives(c);
  m->motionCount = c->motionCount;
  m->eventCount = c->eventCount;
  m->inputCount = c->inputCount;
  m->outputCount = c->outputCount;
  m->functionCount = c->functionCount;
  m->sampledCount = c->sampledCount;
  m->discreteCount = c->discreteCount;
  countFunctionParts(c, m);
  m->curvePointCount = countCurvePoints(c);
  m->excludedCount = countExcludedWithShapes(c);
  m->variableJointCount = c->variableJointCount;
}

static void packRun(Packer* packer, crModel* m)
{
  for (int i = 0; i < m->run.recordCount; ++i) {
    m->patterns[i] = packString(packer, m->run.record[i]);
  }
  m->run.record = m->patterns;
}

crStatus crPack(crCompilation* c)
{
  Packer packer = { .c = c };
  crModel head;
  memset(&head, 0, sizeof head);
  fillHead(c, &head);
  measureLoose(&packer);
  layOut(&packer, &head);
  if (packer.hasOverflow) {
    return cr_errorLimit;
  }
  head.byteCount = packer.used;
  packer.block = crAllocateZero(&c->allocator, 1, packer.used);
  if (packer.block == NULL) {
    return cr_errorMemory;
  }
  layOut(&packer, &head);
  crModel* m = (crModel*)(void*)packer.block;
  *m = head;
  packRun(&packer, m);
  packBodies(&packer, m);
  packJoints(&packer, m);
  packForces(&packer, m);
  packSignals(&packer, m);
  packPorts(&packer, m);
  packContact(&packer, m);
  packNames(c, m);
  crFillLinks(m);
  c->model = m;
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- dump

void crDumpPack(const crCompilation* c, crDump* dump)
{
  crDump_Print(dump, "one block of %zu bytes\n", c->model->byteCount);
  crDump_Print(dump, "  %10s  %10s  %6s  %s\n", "offset", "count", "size", "part");
  for (int i = 0; i < c->partCount; ++i) {
    const crBlockPart* part = &c->parts[i];
    crDump_Print(dump, "  %10zu  %10zu  %6zu  %s\n", part->offset, part->count, part->itemSize, part->name);
  }
}
