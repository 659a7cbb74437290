// Random scenes after the records, and a comparison of scenes that shares no code with readers and writers.
#include "support/record_scenes.h"

#include "mesh/mesh_file.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------------- text

static void append(void* context, const char* bytes, size_t size)
{
  crTestText* text = context;
  if (text->size + size + 1 > text->capacity) {
    text->capacity = 2 * (text->size + size + 1);
    text->bytes = realloc(text->bytes, text->capacity);
  }
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

crTextWriter crTestText_Writer(crTestText* text)
{
  crTextWriter writer = { append, text };
  return writer;
}

void crTestText_Free(crTestText* text)
{
  free(text->bytes);
  *text = (crTestText){ 0 };
}

crTestText crWriteTestText(const crScene* scene)
{
  crTestText text = { 0 };
  assert_int_equal(crWriteJson(scene, NULL, NULL, crTestText_Writer(&text)), cr_ok);
  return text;
}

// ----------------------------------------------------------------------------------------- filling

#define CR_POINT_COUNT 8
#define CR_LIST_COUNT 4
#define CR_MAX_TEST_FEATURES 64
#define CR_TEXT_SIZE 64
#define CR_MAX_TEXTS 512

// Memory that the defs of one element point to.
typedef struct Filler {
  crRandom* random;
  double share;
  const char* meshFile;
  const crMesh* mesh;
  int serial; // makes names unique
  int jointKind;
  char texts[CR_MAX_TEXTS][CR_TEXT_SIZE];
  int textCount;
  crVec3 points[CR_MAX_TEST_FEATURES][CR_POINT_COUNT];
  crTablePoint table[CR_POINT_COUNT];
  int hullCount;
  double numbers[2][CR_LIST_COUNT];
  int listCount;
  const char* names[CR_LIST_COUNT];
  crArgument arguments[CR_LIST_COUNT];
  crNamedNumber named[2][CR_LIST_COUNT];
  int namedCount;
  crParameter parameters[3];
  crFeatureDef features[CR_MAX_TEST_FEATURES];
} Filler;

static double uniform(Filler* filler, double min, double max)
{
  return crRandom_Uniform(filler->random, min, max);
}

// A new name with everything in it that has to be escaped, and some UTF-8.
static const char* makeText(Filler* filler, const char* field)
{
  assert_true(filler->textCount < CR_MAX_TEXTS);
  char* text = filler->texts[filler->textCount++];
  snprintf(text, CR_TEXT_SIZE, "%.10s \"%d\" \\ / \xc3\xbc\xe2\x82\xac\xf0\x9f\x8e\xb1", field, filler->serial++);
  return text;
}

// Required sizes fall and optional ones get small with their place in the record, so that inner radii and roundings
// fit into what they belong to. Friction is not less before it slides, and damping ratios are not tiny.
static double makeNumber(Filler* filler, const crField* field, int place)
{
  if (strcmp(field->name, "muS") == 0 || strcmp(field->name, "tangentialDamping") == 0) {
    return uniform(filler, 1.0, 2.0);
  }
  return field->isRequired ? 0.9 - 0.05 * place + uniform(filler, 0.0, 0.02)
                           : 0.04 * pow(0.1, place) * uniform(filler, 0.5, 1.0);
}

static void fillNumbers(Filler* filler, double* numbers, int count)
{
  for (int i = 0; i < count; ++i) {
    numbers[i] = uniform(filler, 0.3, 0.9);
  }
}

static const crVec3* makePoints(Filler* filler)
{
  crVec3* points = filler->points[filler->hullCount++];
  for (int i = 0; i < CR_POINT_COUNT; ++i) { // a cube whose corners are moved a little
    points[i] = crMakeVec3((i & 1) + uniform(filler, -0.1, 0.1), (i >> 1 & 1) + uniform(filler, -0.1, 0.1),
                           (i >> 2) + uniform(filler, -0.1, 0.1));
  }
  return points;
}

static const double* makeAscending(Filler* filler)
{
  double* numbers = filler->numbers[filler->listCount++];
  for (int i = 0; i < CR_LIST_COUNT; ++i) {
    numbers[i] = i + uniform(filler, 0.0, 0.9);
  }
  return numbers;
}

// Names that code may use, no two of one element alike.
static const char* makeIdentifier(Filler* filler, const char* field)
{
  char* text = filler->texts[filler->textCount++];
  snprintf(text, CR_TEXT_SIZE, "%.10s_%d", field, filler->serial++);
  return text;
}

static const crArgument* makeArguments(Filler* filler, const char* field)
{
  for (int i = 0; i < CR_LIST_COUNT; ++i) {
    filler->arguments[i] = (crArgument){ makeIdentifier(filler, field), makeText(filler, field) };
  }
  return filler->arguments;
}

static const crNamedNumber* makeNamed(Filler* filler, const char* field)
{
  crNamedNumber* numbers = filler->named[filler->namedCount++];
  for (int i = 0; i < CR_LIST_COUNT; ++i) {
    numbers[i] = (crNamedNumber){ makeIdentifier(filler, field), uniform(filler, -1e9, 1e9) };
  }
  return numbers;
}

static const crTablePoint* makeTable(Filler* filler)
{
  for (int i = 0; i < CR_POINT_COUNT; ++i) {
    filler->table[i] = (crTablePoint){ i - 3 + uniform(filler, 0.0, 0.5), uniform(filler, -1e3, 1e3) };
  }
  return filler->table;
}

static crSym3 makeInertia(Filler* filler)
{
  crSym3 inertia;
  fillNumbers(filler, &inertia.xx, 3);
  inertia = (crSym3){ 1.0 + 0.1 * inertia.xx,    1.0 + 0.1 * inertia.yy,    1.0 + 0.1 * inertia.zz,
                      uniform(filler, 0.0, 0.1), uniform(filler, 0.0, 0.1), uniform(filler, -0.1, 0.0) };
  return inertia;
}

static void fillRecord(Filler* filler, const crRecord* record, void* def);

static void fillParameters(Filler* filler, const crParameter** outParameters, int* outCount)
{
  static const double ranges[][2] = { { 0.0, 0.0 }, { -1e9, 1e9 }, { -HUGE_VAL, 1e9 }, { -1e9, HUGE_VAL } };
  const double* range = ranges[(int)uniform(filler, 0.0, 3.999)];
  filler->parameters[0] = (crParameter){ .name = "length",
                                         .number = uniform(filler, -1e9, 1e9),
                                         .min = range[0],
                                         .max = range[1],
                                         .unit = range[0] == 0.0 ? NULL : "m/s^2" };
  filler->parameters[1] = (crParameter){ .name = makeText(filler, "on"), .kind = cr_parameterBool, .number = 1.0 };
  filler->parameters[2] = (crParameter){
    .name = "label", .kind = cr_parameterString, .string = "line\n\ttab \x01\x1f", .label = "what it \"says\""
  };
  *outParameters = filler->parameters;
  *outCount = 3;
}

static const double slopeHeights[4] = { 0.0, 0.1, 0.2, 0.1 + 0.2 };

// Looks are hollow, solids are not: what is hollow has no mass, edges or bore.
static crShapeDef makeShape(Filler* filler, crShapeKind kind, bool isSolid)
{
  crShapeDef shape = crDefaultShapeDef(kind);
  fillRecord(filler, crGetShapeRecord(kind), &shape);
  shape.isHollow = shape.isHollow && !isSolid;
  if (shape.isHollow) {
    shape.rounding = shape.inflate = 0.0;
    shape.as.cylinder.boreRadius = kind == cr_shapeCylinder ? 0.0 : shape.as.cylinder.boreRadius;
  }
  bool isOfProfile = kind == cr_shapeRevolved || kind == cr_shapeExtruded || kind == cr_shapeInvoluteGear;
  bool hasPieces = isOfProfile || (shape.isHollow && kind != cr_shapeBox);
  shape.pieceError = hasPieces ? 0.1 + shape.pieceError : 0.0; // coarse ones, of those that have any
  if (kind == cr_shapeMesh && shape.as.mesh.pieces == cr_piecesGiven) {
    shape.as.mesh.error = 0.0; // that of pieces that are made
  }
  if (kind == cr_shapeInvoluteGear) { // each tooth is some lines and pieces
    shape.as.involuteGear.teeth = 12 + filler->serial % 2;
  }
  if (kind == cr_shapeHeightField) { // heights or a file: one of them is needed
    shape.as.heightField.heights = slopeHeights;
    shape.as.heightField.rowCount = shape.as.heightField.columnCount = 2;
    shape.as.heightField.refine = 2 + filler->serial % 2; // each facet is a piece with blocks of memory of its own
  }
  return shape;
}

static bool isWithoutMass(const crShapeDef* shape)
{
  const crProfileDef* profile =
      shape->kind == cr_shapeRevolved ? &shape->as.revolved.profile : &shape->as.extruded.profile;
  bool isOfProfile = shape->kind == cr_shapeRevolved || shape->kind == cr_shapeExtruded;
  return shape->kind == cr_shapeHalfSpace || (isOfProfile && (profile->isOpen || profile->isTurnedOut));
}

// A solid and a look of every shape that fits, then one of every other feature.
static void fillFeatures(Filler* filler, const crFeatureDef** outFeatures, int* outCount)
{
  int count = 0;
  for (int i = 0; i < 2 * cr_shapeKindCount; ++i) {
    crShapeKind shape = (crShapeKind)(i / 2);
    crFeatureKind kind = i % 2 == 0 ? cr_featureSolid : cr_featureVisual;
    bool isSolid = kind == cr_featureSolid;
    if (shape == cr_shapeNone || (isSolid && crShapeKind_IsVisualOnly(shape)) ||
        (shape == cr_shapeMesh && filler->mesh == NULL)) {
      continue;
    }
    crFeatureDef* feature = &filler->features[count++];
    *feature = crDefaultFeatureDef(kind);
    fillRecord(filler, crGetFeatureRecord(kind), &feature->as);
    *(isSolid ? &feature->as.solid.shape : &feature->as.visual.shape) = makeShape(filler, shape, isSolid);
    if (isSolid && isWithoutMass(&feature->as.solid.shape)) {
      feature->as.solid.material = NULL;
      feature->as.solid.mass = 0.0;
    }
  }
  for (int kind = cr_featureMass; kind < cr_featureKindCount; ++kind) {
    filler->features[count] = crDefaultFeatureDef((crFeatureKind)kind);
    fillRecord(filler, crGetFeatureRecord((crFeatureKind)kind), &filler->features[count++].as);
  }
  *outFeatures = filler->features;
  *outCount = count;
}

// A value that the member does not have yet.
static int findOther(const crChoice* choices, int value)
{
  while (choices->value == value) {
    ++choices;
  }
  return choices->value;
}

static const crProfilePoint ringProfile[] = {
  { .x = 0.5, .y = -0.25 },
  { .x = 1.5, .y = -0.25 },
  { .x = 1.5, .y = 0.25, .arc = -0.5 },
  { .x = 0.5, .y = 0.25, .hasThrough = true, .throughX = 1.0, .throughY = 0.75 },
};

static void fillField(Filler* filler, const crField* field, int place, void* def)
{
  void* member = (char*)def + field->offset;
  void* behind = (char*)member + sizeof(void*);
  switch (field->type) {
    case cr_fieldNumber: *(double*)member = makeNumber(filler, field, place); break;
    case cr_fieldInteger: *(int*)member = 70 + place; break;
    case cr_fieldBool:
    case cr_fieldNot: *(bool*)member = !*(bool*)member; break;
    case cr_fieldCollision:
      *(crJointCollision*)member =
          *(crJointCollision*)member == cr_collisionNever ? cr_collisionAllowed : cr_collisionNever;
      break;
    case cr_fieldMask:
    case cr_fieldBits: *(uint32_t*)member = (uint32_t)crRandom_Next(filler->random) & 0xfffffff6; break;
    case cr_fieldString:
    case cr_fieldPath:
    case cr_fieldJoint:
    case cr_fieldCoupling:
    case cr_fieldSignal:
    case cr_fieldMaterial: *(const char**)member = makeText(filler, field->name); break;
    case cr_fieldEnum: *(int*)member = findOther(field->choices, *(int*)member); break;
    case cr_fieldVec3:
    case cr_fieldAxis:
    case cr_fieldScale: fillNumbers(filler, member, 3); break;
    case cr_fieldRotation: *(crQuat*)member = crRandom_Rotation(filler->random); break;
    case cr_fieldColor: fillNumbers(filler, member, 4); break;
    case cr_fieldSym3: *(crSym3*)member = makeInertia(filler); break;
    case cr_fieldProfile:
      *(const crProfilePoint**)member = ringProfile;
      *(int*)behind = (int)(sizeof ringProfile / sizeof *ringProfile);
      break;
    case cr_fieldPoints:
      *(const crVec3**)member = makePoints(filler);
      *(int*)behind = CR_POINT_COUNT;
      break;
    case cr_fieldNumbers:
      *(const double**)member = makeAscending(filler);
      *(int*)behind = CR_LIST_COUNT;
      break;
    case cr_fieldPaths:
    case cr_fieldSignals:
    case cr_fieldStrings:
      for (int i = 0; i < CR_LIST_COUNT; ++i) {
        filler->names[i] = makeText(filler, field->name);
      }
      *(const char* const**)member = filler->names;
      *(int*)behind = CR_LIST_COUNT;
      break;
    case cr_fieldArguments:
      *(const crArgument**)member = makeArguments(filler, field->name);
      *(int*)behind = CR_LIST_COUNT;
      break;
    case cr_fieldNamed:
      *(const crNamedNumber**)member = makeNamed(filler, field->name);
      *(int*)behind = CR_LIST_COUNT;
      break;
    case cr_fieldTable:
      *(const crTablePoint**)member = makeTable(filler);
      *(int*)behind = CR_POINT_COUNT;
      break;
    case cr_fieldMesh:
      *(const crMesh**)member = filler->mesh;
      *(const char**)behind = filler->meshFile;
      break;
    case cr_fieldHeights:
      *(const double**)member = slopeHeights;
      ((int*)behind)[0] = ((int*)behind)[1] = 2;
      break;
    case cr_fieldPicture: break; // the same heights
    case cr_fieldFmu: break;     // needs a file: test_fmu_import
    case cr_fieldShape: break;   // chosen by the feature
    case cr_fieldGravity:
      *(crGravity*)member = (crGravity){ .kind = cr_gravityPointMass, .centre = { -0.0, 5e-324, 1e300 }, .mu = 0.1 };
      break;
    case cr_fieldFeatures: fillFeatures(filler, member, behind); break;
    case cr_fieldParameters: fillParameters(filler, member, behind); break;
    case cr_fieldCoordinates: fillNumbers(filler, member, crJointKind_CountQ((crJointKind)filler->jointKind)); break;
    case cr_fieldRates:
    case cr_fieldEach: fillNumbers(filler, member, crJointKind_CountV((crJointKind)filler->jointKind)); break;
    case cr_fieldFlags: ((bool*)member)[filler->jointKind == cr_jointFreeMotion ? 2 : 0] = true; break;
  }
}

static void fillRecord(Filler* filler, const crRecord* record, void* def)
{
  bool isFree = true; // only free objects have velocities and a start
  for (int i = 0; i < record->fieldCount; ++i) {
    const crField* field = &record->fields[i];
    bool isChosen = uniform(filler, 0.0, 1.0) < filler->share;
    isFree = strcmp(field->name, "mobility") == 0 ? isChosen : isFree;
    bool isOfFree = strcmp(field->name, "velocity") == 0 || strcmp(field->name, "angularVelocity") == 0 ||
                    strcmp(field->name, "start") == 0;
    bool isAllowed = isFree || !isOfFree;
    if (field->factor == 0.0 && (field->isRequired || isChosen) && isAllowed) {
      fillField(filler, field, i, def);
    }
  }
}

static void startElement(Filler* filler)
{
  filler->textCount = filler->hullCount = filler->listCount = filler->namedCount = 0;
}

static void addJoint(Filler* filler, crScene* scene, crJointKind kind)
{
  crJointDef joint = crDefaultJointDef(kind, NULL, NULL, NULL);
  crCompleteJointDef(&joint);
  startElement(filler);
  filler->jointKind = (int)kind;
  fillRecord(filler, crGetJointRecord(kind), &joint);
  for (int i = 0; i < CR_MAX_JOINT_V; ++i) { // stops in order, and with a stiffness; static friction above sliding
    joint.law.frictionStatic[i] += joint.law.frictionStatic[i] != 0.0 ? joint.law.friction[i] : 0.0;
    joint.law.stopMin[i] = fmin(joint.law.stopMin[i], joint.law.stopMax[i] - 1.0);
    joint.law.stopStiffness[i] = crRecord_Find(crGetJointRecord(kind), "stopStiffness") != NULL ? 7.0 + i : 0.0;
  }
  bool isDriven = joint.drive != NULL || joint.start[0] != 0.0 || joint.startRate[0] != 0.0;
  joint.motion = isDriven ? NULL : joint.motion; // a motion alone
  assert_int_equal(crScene_AddJoint(scene, &joint, NULL), cr_ok);
}

static void addForce(Filler* filler, crScene* scene, crForceKind kind)
{
  crForceDef force = crDefaultForceDef(kind, NULL, NULL, NULL);
  startElement(filler);
  fillRecord(filler, crGetForceRecord(kind), &force);
  if (kind == cr_forceCable) {
    force.as.cable.radiusCount = force.as.cable.throughCount > 0 ? force.as.cable.radiusCount : 0;
    force.as.cable.drumRadius = force.as.cable.drum == NULL ? 0.0 : 0.25;
  }
  assert_int_equal(crScene_AddForce(scene, &force, NULL), cr_ok);
}

static bool hasTeeth(const crCouplingDef* coupling)
{
  return coupling->as.gearPair.module != 0.0 || coupling->as.gearPair.pressureAngle != 0.0 ||
         coupling->as.gearPair.shiftA != 0.0 || coupling->as.gearPair.shiftB != 0.0 ||
         coupling->as.gearPair.faceWidth != 0.0 || coupling->as.gearPair.E != 0.0 ||
         coupling->as.gearPair.tipRelief != 0.0;
}

// Gears that mesh, whose other numbers are kept.
static void makeTeeth(crCouplingDef* coupling)
{
  coupling->stiffness = coupling->as.gearPair.ratio = 0.0;
  coupling->as.gearPair.isInternal = false;
  coupling->as.gearPair.teethA = 21.0;
  coupling->as.gearPair.teethB = 34.0;
  coupling->as.gearPair.module = 0.25;
  coupling->as.gearPair.faceWidth = 0.125;
  coupling->as.gearPair.pressureAngle = coupling->as.gearPair.pressureAngle != 0.0 ? 0.375 : 0.0;
  coupling->as.gearPair.shiftA = coupling->as.gearPair.shiftA != 0.0 ? 0.125 : 0.0;
  coupling->as.gearPair.shiftB = coupling->as.gearPair.shiftB != 0.0 ? -0.0625 : 0.0;
}

static void addCoupling(Filler* filler, crScene* scene, crCouplingKind kind)
{
  crCouplingDef coupling = crDefaultCouplingDef(kind, NULL);
  startElement(filler);
  fillRecord(filler, crGetCouplingRecord(kind), &coupling);
  bool needsStiffness = coupling.backlash != 0.0 || coupling.efficiency != 0.0 || coupling.efficiencyBack != 0.0 ||
                        kind == cr_couplingFlexible;
  coupling.stiffness = needsStiffness && coupling.stiffness == 0.0 ? 7.0 : coupling.stiffness;
  if (kind == cr_couplingGearPair) { // a ratio, or teeth of both
    bool hasRatio = coupling.as.gearPair.ratio != 0.0;
    coupling.as.gearPair.teethA = hasRatio ? 0.0 : 11.0;
    coupling.as.gearPair.teethB = hasRatio ? 0.0 : 13.5;
    if (hasTeeth(&coupling)) {
      makeTeeth(&coupling);
    }
  }
  if (kind == cr_couplingClutch || kind == cr_couplingBrake) { // static friction above sliding
    crEngagedFriction* law = kind == cr_couplingClutch ? &coupling.as.clutch.law : &coupling.as.brake.law;
    law->frictionStatic += law->frictionStatic != 0.0 ? law->friction : 0.0;
  }
  assert_int_equal(crScene_AddCoupling(scene, &coupling, NULL), cr_ok);
}

static void addSignal(Filler* filler, crScene* scene, crSignalKind kind)
{
  crSignalDef signal = crDefaultSignalDef(kind, NULL);
  crCompleteSignalDef(&signal);
  startElement(filler);
  fillRecord(filler, crGetSignalRecord(kind), &signal);
  const char* code = "-- \"\\ \xc3\xbc\n\treturn time < 1 and 0 or 1";
  if (kind == cr_signalFunction) {
    signal.as.function.code = code;
    signal.as.function.function = *crGetLuaFunction();
  } else if (kind == cr_signalSampled) {
    signal.as.sampled.code = code;
    signal.as.sampled.function = *crGetLuaFunction();
  }
  assert_int_equal(crScene_AddSignal(scene, &signal, NULL), cr_ok);
}

// Fills a def of one kind and adds it.
#define ADD(Kind, def)                                                                                                 \
  do {                                                                                                                 \
    startElement(filler);                                                                                              \
    fillRecord(filler, crGetElementRecord(cr_element##Kind), &(def));                                                  \
    assert_int_equal(crScene_Add##Kind(scene, &(def), NULL), cr_ok);                                                   \
  } while (0)

static void addElements(Filler* filler, crScene* scene)
{
  crSolidMaterialDef solid = crDefaultSolidMaterialDef(NULL);
  crContactPairDef pair = crDefaultContactPairDef(NULL, NULL);
  crVisualMaterialDef visual = crDefaultVisualMaterialDef(NULL);
  crAssemblyDef assembly = crDefaultAssemblyDef(NULL);
  crObjectDef object = crDefaultObjectDef(NULL);
  crExclusionDef exclusion = crDefaultExclusionDef(NULL, NULL);
  ADD(SolidMaterial, solid);
  ADD(ContactPair, pair);
  ADD(VisualMaterial, visual);
  ADD(Assembly, assembly);
  ADD(Object, object);
  ADD(Exclusion, exclusion);
  for (int kind = 0; kind < cr_jointKindCount; ++kind) {
    addJoint(filler, scene, (crJointKind)kind);
  }
  for (int kind = 0; kind < cr_forceKindCount; ++kind) {
    addForce(filler, scene, (crForceKind)kind);
  }
  for (int kind = 0; kind < cr_couplingKindCount; ++kind) {
    addCoupling(filler, scene, (crCouplingKind)kind);
  }
  for (int kind = 0; kind < cr_signalKindCount; ++kind) {
    if (kind != cr_signalFmu) {
      addSignal(filler, scene, (crSignalKind)kind);
    }
  }
}

void crFillTestScene(crScene* scene, crRandom* random, int count, double share, const char* meshFile)
{
  Filler* filler = calloc(1, sizeof *filler);
  crMesh* mesh = NULL;
  if (meshFile != NULL) {
    assert_int_equal(crReadMeshFile(meshFile, crMakeVec3(1, 1, 1), 1 << 20, NULL, NULL, &mesh), cr_ok);
  }
  filler->random = random;
  filler->share = share;
  filler->meshFile = meshFile;
  filler->mesh = mesh;
  crSceneOptions options = crDefaultSceneOptions();
  crCompleteSceneOptions(&options);
  fillRecord(filler, crGetSceneRecord(), &options);
  assert_int_equal(crScene_SetOptions(scene, &options), cr_ok);
  for (int i = 0; i < count; ++i) {
    addElements(filler, scene);
  }
  crReleaseMesh(mesh);
  free(filler);
}

// --------------------------------------------------------------------------------------- comparing

static bool sameString(const char* a, const char* b)
{
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool sameStrings(const char* const* a, const char* const* b, int count)
{
  for (int i = 0; i < count; ++i) {
    if (!sameString(a[i], b[i])) {
      return false;
    }
  }
  return true;
}

static bool sameParameters(const crParameter* a, const crParameter* b, int count)
{
  for (int i = 0; i < count; ++i) {
    if (!sameString(a[i].name, b[i].name) || a[i].kind != b[i].kind ||
        memcmp(&a[i].number, &b[i].number, sizeof(double)) != 0 || !sameString(a[i].string, b[i].string) ||
        a[i].min != b[i].min || a[i].max != b[i].max || !sameString(a[i].unit, b[i].unit) ||
        !sameString(a[i].label, b[i].label)) {
      return false;
    }
  }
  return true;
}

static bool sameFeatures(const crFeatureDef* a, const crFeatureDef* b, int count)
{
  for (int i = 0; i < count; ++i) {
    if (a[i].kind != b[i].kind || !crSameFields(crGetFeatureRecord(a[i].kind), &a[i].as, &b[i].as, 0)) {
      return false;
    }
  }
  return true;
}

static bool sameNumbers(const double* a, const double* b, int count)
{
  for (int i = 0; i < count; ++i) {
    if (memcmp(&a[i], &b[i], sizeof(double)) != 0 && !(isnan(a[i]) && isnan(b[i]))) {
      return false;
    }
  }
  return true;
}

static bool sameArguments(const crArgument* a, const crArgument* b, int count)
{
  for (int i = 0; i < count; ++i) {
    if (!sameString(a[i].name, b[i].name) || !sameString(a[i].signal, b[i].signal)) {
      return false;
    }
  }
  return true;
}

static bool sameNamed(const crNamedNumber* a, const crNamedNumber* b, int count)
{
  for (int i = 0; i < count; ++i) {
    if (!sameString(a[i].name, b[i].name) || memcmp(&a[i].value, &b[i].value, sizeof(double)) != 0) {
      return false;
    }
  }
  return true;
}

static bool sameProfiles(const crProfilePoint* a, const crProfilePoint* b, int count)
{
  bool isSame = true;
  for (int i = 0; i < count && isSame; ++i) {
    isSame = a[i].x == b[i].x && a[i].y == b[i].y && a[i].arc == b[i].arc && a[i].hasThrough == b[i].hasThrough &&
             a[i].throughX == b[i].throughX && a[i].throughY == b[i].throughY;
  }
  return isSame;
}

static bool sameField(const crField* field, const void* defA, const void* defB, int jointKind)
{
  const char *a = (const char*)defA + field->offset, *b = (const char*)defB + field->offset;
  const void* const* pointerA = (const void* const*)a;
  const void* const* pointerB = (const void* const*)b;
  const char *behindA = a + sizeof(void*), *behindB = b + sizeof(void*);
  int count = crJointKind_CountV((crJointKind)jointKind);
  switch (field->type) {
    case cr_fieldNumber: return sameNumbers((const double*)a, (const double*)b, 1);
    case cr_fieldInteger:
    case cr_fieldEnum:
    case cr_fieldCollision:
    case cr_fieldMask:
    case cr_fieldBits: return memcmp(a, b, 4) == 0;
    case cr_fieldNot:
    case cr_fieldBool: return memcmp(a, b, sizeof(bool)) == 0;
    case cr_fieldString:
    case cr_fieldPath:
    case cr_fieldJoint:
    case cr_fieldCoupling:
    case cr_fieldSignal:
    case cr_fieldMaterial: return sameString(*pointerA, *pointerB);
    case cr_fieldMesh: return sameString(*(const char* const*)behindA, *(const char* const*)behindB);
    case cr_fieldVec3:
    case cr_fieldAxis:
    case cr_fieldScale: return sameNumbers((const double*)a, (const double*)b, 3);
    case cr_fieldRotation:
    case cr_fieldColor: return sameNumbers((const double*)a, (const double*)b, 4);
    case cr_fieldSym3: return sameNumbers((const double*)a, (const double*)b, 6);
    case cr_fieldGravity: return memcmp(a, b, sizeof(crGravity)) == 0;
    case cr_fieldCoordinates: return memcmp(a, b, (size_t)crJointKind_CountQ((crJointKind)jointKind) * 8) == 0;
    case cr_fieldRates:
    case cr_fieldEach: return memcmp(a, b, (size_t)count * 8) == 0;
    case cr_fieldFlags: return memcmp(a, b, (size_t)count) == 0;
    case cr_fieldShape: {
      const crShapeDef *shapeA = (const void*)a, *shapeB = (const void*)b;
      return shapeA->kind == shapeB->kind &&
             (shapeA->kind == cr_shapeNone || crSameFields(crGetShapeRecord(shapeA->kind), shapeA, shapeB, 0));
    }
    default: break;
  }
  int countA = *(const int*)behindA, countB = *(const int*)behindB;
  if (countA != countB) {
    return false;
  }
  if (field->type == cr_fieldSignals || field->type == cr_fieldStrings || field->type == cr_fieldPaths) {
    return sameStrings(*pointerA, *pointerB, countA);
  }
  if (field->type == cr_fieldArguments) {
    return sameArguments(*pointerA, *pointerB, countA);
  }
  if (field->type == cr_fieldNamed) {
    return sameNamed(*pointerA, *pointerB, countA);
  }
  if (field->type == cr_fieldNumbers) {
    return sameNumbers(*pointerA, *pointerB, countA);
  }
  if (field->type == cr_fieldHeights || field->type == cr_fieldPicture) { // rows and columns
    int columnsA = ((const int*)behindA)[1], columnsB = ((const int*)behindB)[1];
    return columnsA == columnsB && sameNumbers(*pointerA, *pointerB, countA * columnsA);
  }
  if (field->type == cr_fieldProfile) {
    return sameProfiles(*pointerA, *pointerB, countA);
  }
  return field->type == cr_fieldPoints     ? sameNumbers(*pointerA, *pointerB, 3 * countA)
         : field->type == cr_fieldTable    ? sameNumbers(*pointerA, *pointerB, 2 * countA)
         : field->type == cr_fieldFeatures ? sameFeatures(*pointerA, *pointerB, countA)
                                           : sameParameters(*pointerA, *pointerB, countA);
}

bool crSameFields(const crRecord* record, const void* a, const void* b, int jointKind)
{
  for (int i = 0; i < record->fieldCount; ++i) {
    if (!sameField(&record->fields[i], a, b, jointKind)) {
      print_message("%s.%s differs\n", record->type, record->fields[i].name);
      return false;
    }
  }
  return true;
}

static const void* getDef(const crScene* scene, crElementKind kind, int index)
{
  crId id = crScene_GetId(scene, kind, index);
  switch (kind) {
    case cr_elementAssembly: return crScene_GetAssembly(scene, id);
    case cr_elementObject: return crScene_GetObject(scene, id);
    case cr_elementJoint: return crScene_GetJoint(scene, id);
    case cr_elementForce: return crScene_GetForce(scene, id);
    case cr_elementSignal: return crScene_GetSignal(scene, id);
    case cr_elementSolidMaterial: return crScene_GetSolidMaterial(scene, id);
    case cr_elementContactPair: return crScene_GetContactPair(scene, id);
    case cr_elementVisualMaterial: return crScene_GetVisualMaterial(scene, id);
    case cr_elementExclusion: return crScene_GetExclusion(scene, id);
    case cr_elementCoupling: return crScene_GetCoupling(scene, id);
    case cr_elementAction: return crScene_GetAction(scene, id);
    case cr_elementNone: break;
  }
  return NULL;
}

void crAssertSameScenes(const crScene* a, const crScene* b)
{
  assert_true(crSameFields(crGetSceneRecord(), crScene_GetOptions(a), crScene_GetOptions(b), 0));
  for (int kind = cr_elementAssembly; kind <= cr_elementAction; ++kind) {
    int count = crScene_Count(a, (crElementKind)kind);
    assert_int_equal(count, crScene_Count(b, (crElementKind)kind));
    for (int i = 0; i < count; ++i) {
      const void *defA = getDef(a, (crElementKind)kind, i), *defB = getDef(b, (crElementKind)kind, i);
      const crRecord* record = crGetElementRecord((crElementKind)kind);
      int jointKind = 0;
      if (kind == cr_elementJoint) {
        jointKind = (int)((const crJointDef*)defA)->kind;
        assert_int_equal(jointKind, ((const crJointDef*)defB)->kind);
        record = crGetJointRecord((crJointKind)jointKind);
      } else if (kind == cr_elementForce) {
        record = crGetForceRecord(((const crForceDef*)defA)->kind);
      } else if (kind == cr_elementCoupling) {
        record = crGetCouplingRecord(((const crCouplingDef*)defA)->kind);
      } else if (kind == cr_elementSignal) {
        record = crGetSignalRecord(((const crSignalDef*)defA)->kind);
      }
      assert_true(crSameFields(record, defA, defB, jointKind));
    }
  }
}
