// Pass 10, pack: everything into one piece of memory, which the scene does not share.
//
// The scalars of the model say how long its arrays are (model_parts.inc); from them follow the places of all parts.
// Then the records are copied, and what they refer to gets its place.
#include "collide/area/polytope.h"
#include "model/compile/compile.h"
#include "model/curve.h"
#include "scene/scene.h"

#include <string.h>

#define CR_ATTACHED_ALIGNMENT 16 // [bytes] of the arrays that hold addresses

typedef struct Packer {
  crCompilation* c;
  crModel* m;
  size_t textUsed;     // of the block's text
  char* functionText;  // next free byte of the strings that functions and patterns point to
  char* hulls;         // next free byte of the hulls
  size_t functionSize; // [bytes] of all these strings
  size_t hullSize;     // [bytes] of all hulls
} Packer;

static size_t roundUp(size_t size, size_t alignment)
{
  return (size + alignment - 1) / alignment * alignment;
}

// ----------------------------------------------------------------------------------------- measuring

static int countLaws(const crCompilation* c)
{
  int count = 0;
  for (int i = 0; i < c->modelJointCount; ++i) {
    count += c->joints[i].law >= 0;
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

static int64_t countCurvePoints(const crCompilation* c)
{
  int64_t count = 0;
  for (int i = 0; i < c->forceCount; ++i) {
    const crForceDef* def = c->forceDefs[i];
    count += def->kind == cr_forceSpringDamper ? def->as.springDamper.tableCount : 0;
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

static size_t measureString(const char* text)
{
  return text != NULL ? strlen(text) + 1 : 0;
}

// Of the code, and of the names that it has for things.
static size_t measureFunction(const crSceneSignal* signal)
{
  const crFunctionSource* source = &signal->functionSource;
  size_t size = measureString(signal->def.name) + measureString(source->code) + measureString(source->file) +
                measureString(source->source.file);
  for (int i = 0; i < source->argumentCount; ++i) {
    size += measureString(source->arguments[i].name);
  }
  for (int i = 0; i < source->constantCount; ++i) {
    size += measureString(source->constants[i].name);
  }
  for (int i = 0; i < source->stateCount; ++i) {
    size += measureString(source->states[i].name);
  }
  return size;
}

static size_t measureInner(const crCompilation* c, int shape)
{
  return c->innerFaces[shape] != NULL ? (size_t)crCountPolytopeFaces(c->shapeSources[shape]) * sizeof(bool) : 0;
}

// Bytes of all strings and hulls.
static void measureLoose(Packer* packer)
{
  const crCompilation* c = packer->c;
  const crRunOptions* run = &crScene_GetOptions(c->scene)->run;
  for (int i = 0; i < run->recordCount; ++i) {
    packer->functionSize += measureString(run->record[i]);
  }
  size_t size = 1; // the empty text
  for (int i = 0; i < c->objectCount; ++i) {
    size += measureString(c->objectDefs[i]->name);
  }
  for (int i = 0; i < c->jointCount; ++i) {
    size += measureString(c->jointDefs[i]->name);
  }
  for (int i = 0; i < c->forceCount; ++i) {
    size += measureString(c->forceDefs[i]->name);
  }
  for (int i = 0; i < c->couplingCount; ++i) {
    size += measureString(c->couplingDefs[i]->name);
  }
  for (int i = 0; i < c->signalCount; ++i) {
    const crSceneSignal* signal = &c->scene->signals.items[i];
    size += measureString(signal->def.name) + measureString(crGetSignalUnit(&signal->def));
    packer->functionSize += crIsFunction(signal->def.kind) ? measureFunction(signal) : 0;
  }
  for (int i = 0; i < c->materialCount; ++i) {
    size += measureString(c->materialNames[i]);
  }
  for (int i = 0; i < c->shapeCount; ++i) {
    const crHull* hull = c->shapeSources[i]->core.hull;
    packer->hullSize += hull != NULL ? roundUp(hull->byteCount, CR_ATTACHED_ALIGNMENT) : 0;
    packer->hullSize += roundUp(measureInner(c, i), CR_ATTACHED_ALIGNMENT);
    const crChain* chain = c->shapeSources[i]->chain;
    const crGround* ground = c->shapeSources[i]->ground;
    size_t chainSize = ground != NULL ? ground->byteCount : chain != NULL ? crChain_Measure(chain) : 0;
    packer->hullSize += roundUp(chainSize, CR_ATTACHED_ALIGNMENT);
  }
  packer->m->textSize = size;
}

static void countFunctionParts(const crCompilation* c, crModel* m)
{
  for (int i = 0; i < c->signalCount; ++i) {
    if (crIsFunction(c->signalDefs[i]->kind)) {
      const crFunctionSource source = c->scene->signals.items[i].functionSource;
      m->argumentCount += source.argumentCount;
      m->constantCount += source.constantCount;
      m->functionStateCount += source.stateCount;
    }
  }
}

// The scalars, but for those that are found while links are filled.
static void fillScalars(const crCompilation* c, crModel* m)
{
  crGravity gravity = crScene_GetOptions(c->scene)->gravity;
  m->size = (crModelSize){
    .objectCount = c->objectCount,
    .bodyCount = c->bodyCount,
    .treeCount = c->treeCount,
    .jointCount = c->modelJointCount,
    .cutJointCount = c->cutCount,
    .forceCount = c->forceCount,
    .couplingCount = c->couplingCount,
    .signalCount = c->signalCount,
    .shapeCount = c->shapeCount,
    .qCount = c->qCount,
    .vCount = c->vCount,
    .stateCount = c->stateCount,
    .variableCount = c->variableCount,
    .pairCount = c->pairCount,
    .excludedPairCount = c->excludedPairCount,
  };
  m->gravity.kind = gravity.kind; // one by one: the gap behind the kind stays 0
  m->gravity.acceleration = gravity.acceleration;
  m->gravity.centre = gravity.centre;
  m->gravity.mu = gravity.mu;
  m->curvePointCount = (int)countCurvePoints(c);
  m->loopBodyCount = (int)c->loopBodyCount;
  m->guideCount = c->guideStarts[c->forceCount];
  for (int i = 0; i < c->forceCount; ++i) {
    m->cableCount += c->forceDefs[i]->kind == cr_forceCable;
    m->drumCount += c->drums[i] != CR_NONE;
  }
  m->termCount = c->couplingStarts[c->couplingCount];
  m->rigidCount = c->rigidCount;
  for (int i = 0; i < c->couplingCount; ++i) {
    m->clutchCount += c->couplingDefs[i]->kind == cr_couplingClutch || c->couplingDefs[i]->kind == cr_couplingBrake;
  }
  m->materialCount = c->materialCount;
  m->lawCount = c->lawCount;
  m->excludedCount = countExcludedWithShapes(c);
  m->excludedShapeCount = c->excludedShapeCount;
  m->jointLawCount = countLaws(c);
  m->bristleCount = c->bristleCount;
  m->pieceCount = c->pieceCount;
  m->signalInputCount = c->signalInputCount;
  m->driveCount = countDrives(c);
  m->motionCount = c->motionCount;
  m->eventCount = c->eventCount;
  m->functionCount = c->functionCount;
  m->sampledCount = c->sampledCount;
  m->discreteCount = c->discreteCount;
  m->inputCount = c->inputCount;
  m->outputCount = c->outputCount;
  m->variableJointCount = c->variableJointCount;
  m->patternCount = crScene_GetOptions(c->scene)->run.recordCount;
  countFunctionParts(c, m);
}

// ------------------------------------------------------------------------------------------- placing

// The next array behind the handle; only measured while there is no memory.
static void* attach(char* memory, size_t* ioUsed, size_t size)
{
  char* place = memory != NULL ? memory + *ioUsed : NULL;
  *ioUsed += roundUp(size, CR_ATTACHED_ALIGNMENT);
  return place;
}

// What holds addresses, behind the handle; returns the bytes that handle and arrays take. Their counts are those of
// parts that fit in memory, or of defs in the scene, so that nothing overflows.
static size_t placeAttached(Packer* packer, crModel* m, char* memory)
{
  size_t used = roundUp(sizeof *m, CR_ATTACHED_ALIGNMENT);
#define ATTACHED(type, name, count) m->name = attach(memory, &used, (size_t)(count) * sizeof(type));
#include "model/model_parts.inc"
  packer->hulls = attach(memory, &used, packer->hullSize);
  packer->functionText = attach(memory, &used, packer->functionSize);
  return used;
}

// Takes memory for handle, attached arrays and block, and binds the handle to the block.
static crStatus place(Packer* packer, const crModelHead* head)
{
  crCompilation* c = packer->c;
  crModel plan = *packer->m;
  size_t attached = placeAttached(packer, &plan, NULL), size = attached + CR_BLOCK_ALIGNMENT + head->byteCount;
  char* memory = crAllocateZero(&c->allocator, 1, size);
  if (memory == NULL) {
    return cr_errorMemory;
  }
  crModelHead* block =
      (crModelHead*)(void*)(memory + attached + (0u - (uintptr_t)(memory + attached)) % CR_BLOCK_ALIGNMENT);
  crModel* m = (crModel*)(void*)memory;
  memcpy(m, packer->m, sizeof *m);
  memcpy(block, head, sizeof *block);
  placeAttached(packer, m, memory);
  crModel_Bind(m, block);
  m->byteCount = size;
  packer->m = c->model = m;
  packer->textUsed = 1;
  return cr_ok;
}

// ------------------------------------------------------------------------------------------ copying

// Where the string lies in the block's text; 0 for NULL.
static size_t packString(Packer* packer, const char* text)
{
  if (text == NULL) {
    return 0;
  }
  size_t start = packer->textUsed, size = strlen(text) + 1;
  memcpy(packer->m->text + start, text, size);
  packer->textUsed += size;
  return start;
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
    m->paths[i] = packString(packer, crNameOfObject(c, i));
    m->sceneObjects[c->objects[i].sceneIndex] = i;
  }
  copyItems(m->bodies, c->bodies, (size_t)c->bodyCount, sizeof *m->bodies);
  copyItems(m->trees, c->trees, (size_t)c->treeCount, sizeof *m->trees);
}

static void packJoints(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  int lawCount = 0;
  copyItems(m->joints, c->joints, (size_t)c->modelJointCount, sizeof *m->joints);
  for (int i = 0; i < c->modelJointCount; ++i) {
    crModelJoint* joint = &m->joints[i];
    m->paths[c->objectCount + i] =
        joint->isImplicit ? m->paths[joint->objectB] : packString(packer, crNameOfJoint(c, joint));
    if (joint->law >= 0) {
      m->jointLaws[lawCount] = crResolveJointLaw(c, c->jointDefs[joint->sceneIndex]);
      joint->law = lawCount++;
    }
  }
  copyItems(m->bristles, c->bristles, (size_t)c->bristleCount, sizeof *m->bristles);
  copyItems(m->loops, c->loops, (size_t)c->cutCount, sizeof *m->loops);
  copyItems(m->loopBodies, c->loopBodies, (size_t)c->loopBodyCount, sizeof *m->loopBodies);
}

// Of a clutch or brake, with the nominal coordinate of its first joint.
static void packFriction(const crEngagedFriction* law, double nominal, crModelCoupling* coupling)
{
  coupling->friction = law->friction;
  coupling->frictionStatic = fmax(law->friction, law->frictionStatic);
  coupling->frictionStiffness =
      law->frictionStiffness > 0.0 ? law->frictionStiffness : coupling->frictionStatic / (CR_FRICTION_YIELD * nominal);
  coupling->frictionFade = law->frictionFade > 0.0 ? law->frictionFade : CR_FRICTION_FADE;
}

static void packCouplingKind(const crCouplingDef* def, double nominal, crModelCoupling* coupling)
{
  if (def->kind == cr_couplingClutch || def->kind == cr_couplingBrake) {
    packFriction(def->kind == cr_couplingClutch ? &def->as.clutch.law : &def->as.brake.law, nominal, coupling);
  } else if (def->kind == cr_couplingGearPair && def->as.gearPair.module > 0.0) {
    crGearData data = crGetGearData(def);
    crMakeGearMesh(&data, &coupling->mesh);
  } else if (def->kind == cr_couplingMotor) {
    coupling->resistance = def->as.motor.resistance;
    coupling->inductance = def->as.motor.inductance;
    coupling->torqueConstant = def->as.motor.torqueConstant;
  }
}

static void packCouplings(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  int terms = 0;
  for (int i = 0; i < c->couplingCount; ++i) {
    int index = c->couplingOrder[i], start = c->couplingStarts[index];
    const crCouplingDef* def = c->couplingDefs[index];
    double efficiency = def->efficiency > 0.0 ? def->efficiency : 1.0;
    m->couplings[i] = (crModelCoupling){ .sceneIndex = index,
                                         .kind = def->kind,
                                         .termStart = terms,
                                         .termCount = c->couplingStarts[index + 1] - start,
                                         .offset = def->offset,
                                         .stiffness = def->stiffness,
                                         .damping = def->damping,
                                         .backlash = def->backlash,
                                         .efficiency = efficiency,
                                         .efficiencyBack = def->efficiencyBack > 0.0 ? def->efficiencyBack : efficiency,
                                         .signal = c->couplingSignals[index],
                                         .state = c->couplingStates[index] };
    packCouplingKind(def, c->jointDefs[c->termJoints[start]]->nominal[0], &m->couplings[i]);
    m->paths[crFirstCouplingPath(m) + i] = packString(packer, def->name);
    for (int k = start; k < c->couplingStarts[index + 1]; ++k) {
      m->terms[terms++] = (crCouplingTerm){ .joint = c->modelJoints[c->termJoints[k]],
                                            .isOnCarrier = c->isOnCarrier[k],
                                            .factor = c->termFactors[k] };
    }
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
    case cr_forceCable:
      force->stiffness = def->as.cable.stiffness;
      force->damping = def->as.cable.damping;
      force->length = def->as.cable.length;
      force->drumRadius = def->as.cable.drumRadius;
      break;
    case cr_forceKindCount: break;
  }
  return force->curveCount;
}

static void packForces(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  int points = 0, cables = 0, paths = crFirstForcePath(m);
  for (int i = 0; i < c->forceCount; ++i) {
    const crForceDef* def = c->forceDefs[i];
    crModelForce force = { .sceneIndex = i,
                           .kind = def->kind,
                           .objectA = packEnd(c, c->forceEnds[i][0]),
                           .objectB = packEnd(c, c->forceEnds[i][1]),
                           .frame = packEnd(c, c->forceEnds[i][2]),
                           .curveStart = points,
                           .signal = c->forceSignals[i],
                           .guideStart = c->guideStarts[i],
                           .guideCount = c->guideStarts[i + 1] - c->guideStarts[i],
                           .cable = def->kind == cr_forceCable ? cables : -1,
                           .drum = c->drums[i] != CR_NONE ? c->modelJoints[c->drums[i]] : -1 };
    if (def->kind == cr_forceCable) {
      m->cables[cables++] = i;
    }
    for (int k = c->guideStarts[i]; k < c->guideStarts[i + 1]; ++k) {
      m->guides[k].object = c->modelIndex[c->guideObjects[k]];
      m->guides[k].radius = c->guideRadii[k];
    }
    points += packForceKind(def, &force, m->curvePoints + points);
    m->forces[i] = force;
    m->paths[paths + i] = packString(packer, def->name);
  }
}

static void packSignals(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  copyItems(m->signals, c->signals, (size_t)c->signalCount, sizeof *m->signals);
  for (int i = 0; i < c->signalCount; ++i) {
    crSignal* signal = &m->signals[i];
    m->paths[c->objectCount + c->modelJointCount + i] = packString(packer, c->signalDefs[i]->name);
    signal->unit = packString(packer, crGetSignalUnit(c->signalDefs[i]));
    signal->objectA = signal->objectA >= 0 ? c->modelIndex[signal->objectA] : CR_NONE;
    signal->objectB = signal->objectB >= 0 ? c->modelIndex[signal->objectB] : CR_NONE;
    signal->frame = signal->frame >= 0 ? c->modelIndex[signal->frame] : CR_NONE;
    signal->joint = signal->joint >= 0 ? c->modelJoints[signal->joint] : CR_NONE;
  }
  copyItems(m->signalPieces, c->signalPieces, (size_t)c->pieceCount, sizeof *m->signalPieces);
  copyItems(m->signalInputs, c->signalInputs, (size_t)c->signalInputCount, sizeof *m->signalInputs);
  copyItems(m->signalFactors, c->signalFactors, (size_t)c->signalInputCount, sizeof *m->signalFactors);
  copyItems(m->signalOrder, c->signalOrder, (size_t)c->signalCount, sizeof *m->signalOrder);
  copyItems(m->eventTimes, c->eventTimes, (size_t)c->eventCount, sizeof *m->eventTimes);
  copyItems(m->signalVariableStarts, c->signalVariableStarts, (size_t)c->signalCount + 1,
            sizeof *m->signalVariableStarts);
}

// A string that a function points to.
static const char* attachString(Packer* packer, const char* text)
{
  if (text == NULL) {
    return NULL;
  }
  size_t size = strlen(text) + 1;
  char* copy = memcpy(packer->functionText, text, size);
  packer->functionText += size;
  return copy;
}

static const crNamedNumber* attachNumbers(Packer* packer, const crNamedNumber* numbers, int count, crNamedNumber* place)
{
  for (int i = 0; i < count; ++i) {
    place[i] = (crNamedNumber){ attachString(packer, numbers[i].name), numbers[i].value };
  }
  return place;
}

// argumentCount and the two other counts of the model are those of the functions before this one.
static void packFunction(Packer* packer, crModel* m, int index, crModelFunction* outFunction)
{
  const crSceneSignal* signal = &packer->c->scene->signals.items[index];
  crFunctionSource source = signal->functionSource;
  crArgument* arguments = m->functionArguments + m->argumentCount;
  source.path = attachString(packer, signal->def.name);
  source.source.file = attachString(packer, source.source.file);
  source.code = attachString(packer, source.code);
  source.file = attachString(packer, source.file);
  for (int i = 0; i < source.argumentCount; ++i) {
    arguments[i] = (crArgument){ attachString(packer, source.arguments[i].name), NULL };
  }
  source.arguments = arguments;
  source.constants =
      attachNumbers(packer, source.constants, source.constantCount, m->functionConstants + m->constantCount);
  source.states = attachNumbers(packer, source.states, source.stateCount, m->functionStates + m->functionStateCount);
  *outFunction = (crModelFunction){ signal->function, source, index, m->argumentCount };
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

// A copy of a piece by value that owns nothing; its hull lies behind the handle, likewise its inner faces.
static void packShape(Packer* packer, int index, crShape* outShape)
{
  const crShape* shape = packer->c->shapeSources[index];
  *outShape = *shape;
  memset(&outShape->allocator, 0, sizeof outShape->allocator);
  outShape->ownedHull = NULL;
  outShape->pieces = NULL;
  outShape->ownedGround = NULL;
  if (shape->ground != NULL) {
    outShape->ground = memcpy(packer->hulls, shape->ground, shape->ground->byteCount);
    outShape->chain = &outShape->ground->chain;
    packer->hulls += roundUp(shape->ground->byteCount, CR_ATTACHED_ALIGNMENT);
  } else if (shape->chain != NULL) {
    outShape->chain = crChain_CopyTo(shape->chain, packer->hulls);
    packer->hulls += roundUp(crChain_Measure(shape->chain), CR_ATTACHED_ALIGNMENT);
  }
  if (shape->core.hull != NULL) {
    outShape->core.hull = crHull_CopyTo(shape->core.hull, packer->hulls);
    packer->hulls += roundUp(shape->core.hull->byteCount, CR_ATTACHED_ALIGNMENT);
  }
  size_t innerSize = measureInner(packer->c, index);
  outShape->innerFaces = NULL;
  if (innerSize > 0) {
    memcpy(packer->hulls, packer->c->innerFaces[index], innerSize);
    outShape->innerFaces = (const bool*)packer->hulls;
    packer->hulls += roundUp(innerSize, CR_ATTACHED_ALIGNMENT);
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
  crKeyTable_Clear(&m->excludedShapeTable);
  for (int i = 0; i < c->excludedShapeCount; ++i) {
    crKeyTable_Add(&m->excludedShapeTable, crPairKey(c->excludedShapes[i].shapeA, c->excludedShapes[i].shapeB), i);
    m->excludedShapes[i] = c->excludedShapes[i];
  }
}

static void packContact(Packer* packer, crModel* m)
{
  const crCompilation* c = packer->c;
  copyItems(m->contactShapes, c->shapes, (size_t)c->shapeCount, sizeof *m->contactShapes);
  for (int i = 0; i < c->shapeCount; ++i) {
    packShape(packer, i, &m->shapes[i]);
  }
  copyItems(m->materials, c->materials, (size_t)c->materialCount, sizeof *m->materials);
  for (int i = 0; i < c->materialCount; ++i) {
    m->materialNames[i] = packString(packer, c->materialNames[i]);
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
  for (int i = 0; i < c->couplingCount; ++i) {
    crPathTable_Add(&m->pathTable, crFirstCouplingPath(m) + i);
  }
  for (int i = 0; i < m->cableCount; ++i) {
    crPathTable_Add(&m->pathTable, crFirstForcePath(m) + m->cables[i]);
  }
  copyItems(m->variableJoints, c->variableJoints, (size_t)c->variableJointCount, sizeof *m->variableJoints);
  copyItems(m->jointVariableStarts, c->jointVariableStarts, (size_t)c->variableJointCount + 1,
            sizeof *m->jointVariableStarts);
}

static void packRun(Packer* packer, crModel* m)
{
  m->run = crScene_GetOptions(packer->c->scene)->run;
  for (int i = 0; i < m->run.recordCount; ++i) {
    m->patterns[i] = attachString(packer, m->run.record[i]);
  }
  m->run.record = m->patterns;
}

crStatus crPack(crCompilation* c)
{
  crModel scalars;
  crModelHead head;
  Packer packer = { .c = c, .m = &scalars };
  memset(&scalars, 0, sizeof scalars);
  memset(&head, 0, sizeof head);
  scalars.allocator = c->allocator;
  fillScalars(c, &scalars);
  measureLoose(&packer);
  if (countCurvePoints(c) > INT32_MAX || !crModel_LayOut(&scalars, &head)) {
    return cr_errorLimit;
  }
  crModel_StoreScalars(&scalars, &head);
  int* scratch;
  if (!crNew(c, scratch, c->signalCount)) {
    return cr_errorMemory;
  }
  crStatus status = place(&packer, &head);
  if (status != cr_ok) {
    return status;
  }
  crModel* m = packer.m;
  packRun(&packer, m);
  packBodies(&packer, m);
  packJoints(&packer, m);
  packCouplings(&packer, m);
  packForces(&packer, m);
  packSignals(&packer, m);
  packPorts(&packer, m);
  packContact(&packer, m);
  packNames(c, m);
  crFillLinks(m, scratch);
  crModel_StoreScalars(m, m->block);
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- dump

static void dumpPart(crDump* dump, size_t start, size_t count, size_t itemSize, const char* name)
{
  crDump_Print(dump, "  %10zu  %10zu  %6zu  %s\n", start, count, itemSize, name);
}

void crDumpPack(const crCompilation* c, crDump* dump)
{
  const crModel* m = c->model;
  crDump_Print(dump, "one block of %zu bytes\n", m->block->byteCount);
  crDump_Print(dump, "  %10s  %10s  %6s  %s\n", "offset", "count", "size", "part");
#define PART(type, name, count) dumpPart(dump, m->block->starts[cr_part_##name], (size_t)(count), sizeof(type), #name);
#include "model/model_parts.inc"
}
