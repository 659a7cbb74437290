// Solid materials, contact pairs and visual materials: palettes, checks, adding.
#include "scene/scene.h"

#include <string.h>

crSolidMaterialDef crDefaultSolidMaterialDef(const char* name)
{
  crSolidMaterialDef def = { .size = sizeof def, .name = name };
  return def;
}

crContactPairDef crDefaultContactPairDef(const char* materialA, const char* materialB)
{
  crContactPairDef def = { .size = sizeof def, .materialA = materialA, .materialB = materialB };
  return def;
}

const char* crContactResponse_GetText(crContactResponse response)
{
  static const char* const texts[] = { "scene", "elastic", "springDamper", "penalty", "impulsive", "observer", "user" };
  return (unsigned)response < cr_responseCount ? texts[response] : "unknown response";
}

crVisualMaterialDef crDefaultVisualMaterialDef(const char* name)
{
  crVisualMaterialDef def = { .size = sizeof def, .name = name };
  return def;
}

bool crIsZeroColor(crColor color)
{
  return color.r == 0.0 && color.g == 0.0 && color.b == 0.0 && color.a == 0.0;
}

void crCompleteVisualMaterialDef(crVisualMaterialDef* def)
{
  if (crIsZeroColor(def->color)) {
    def->color = (crColor){ 0.6, 0.6, 0.65, 1.0 };
  }
  def->shininess = def->shininess == 0.0 ? 0.5 : def->shininess;
}

static crStatus finish(crScene* scene, crElementKind kind, int index, crId* outId)
{
  if (outId != NULL) {
    *outId = crScene_MakeId(scene, kind, index);
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------- solid

static void checkSolidMaterial(crReporter* reporter, const crSolidMaterialDef* def)
{
  crCheckName(reporter, "a material's name", def->name, false);
  crCheckPositive(reporter, "density", def->density, "kg/m^3");
  if (def->E != 0.0) {
    crCheckPositive(reporter, "E", def->E, "N/m^2");
  }
  if (def->nu != 0.0 && !(def->nu > 0.0 && def->nu < 1.0)) {
    crReportNumber(reporter, "nu is out of range", def->nu, "0 < nu < 1", NULL, NULL);
  } else if (def->nu > 0.5) {
    crReportWarning(reporter, "nu = %g is above 0.5, which no isotropic material has", def->nu);
  }
}

static crStatus addSolidMaterial(crScene* scene, const crSolidMaterialDef* def, bool isPalette, crId* outId)
{
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  checkSolidMaterial(&reporter, def);
  if (def->name != NULL && strcmp(def->name, CR_ANY_MATERIAL) == 0) {
    crReportError(&reporter, "'*' stands for any solid material and cannot be one");
  }
  int index = def->name != NULL ? crMap_FindString(&scene->solidMaterialNames, def->name) : -1;
  if (scene->replaced.kind == cr_elementSolidMaterial && index != scene->replaced.index) {
    crReportError(&reporter, "a solid material keeps its name when it is replaced");
  } else if (scene->replaced.kind == cr_elementNone && index >= 0 && !scene->solidMaterials.items[index].isPalette) {
    crReportError(&reporter, "a solid material of this name exists already");
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crSceneMaterial filled = { *def, isPalette };
  if (!crScene_Intern(scene, &filled.def.name) || !crScene_Intern(scene, &filled.def.source.file)) {
    return crScene_FailMemory(scene, &reporter);
  }
  if (index < 0) {
    index = scene->solidMaterials.count;
    if (crArray_Push(&scene->solidMaterials, &scene->allocator) == NULL) {
      return crScene_FailMemory(scene, &reporter);
    }
    if (!crMap_SetString(&scene->solidMaterialNames, filled.def.name, index)) {
      --scene->solidMaterials.count;
      return crScene_FailMemory(scene, &reporter);
    }
  }
  scene->solidMaterials.items[index] = filled;
  return finish(scene, cr_elementSolidMaterial, index, outId);
}

crStatus crScene_AddSolidMaterial(crScene* scene, const crSolidMaterialDef* def, crId* outId)
{
  return scene != NULL && def != NULL && CR_CHECK_SIZE(scene, crSolidMaterialDef, def)
             ? addSolidMaterial(scene, def, false, outId)
             : cr_errorMisuse;
}

// ------------------------------------------------------------------------------------ contact pairs

bool crMakePairKey(const char* a, const char* b, char key[CR_MAX_PAIR_KEY])
{
  if (strcmp(a, b) > 0) {
    const char* swap = a;
    a = b;
    b = swap;
  }
  size_t sizeA = strlen(a), sizeB = strlen(b);
  if (sizeA + sizeB + 2 > CR_MAX_PAIR_KEY) {
    return false;
  }
  memcpy(key, a, sizeA);
  key[sizeA] = '\n';
  memcpy(key + sizeA + 1, b, sizeB + 1);
  return true;
}

void crCheckContactNumbers(crReporter* reporter, double kRed, double vMin, double wMin, double hysteresis)
{
  if (kRed != 0.0 && crCheckPositive(reporter, "kRed", kRed, NULL) && kRed > 1.0) {
    crReportWarning(reporter, "kRed = %g is above 1 and makes contacts stiffer than their materials", kRed);
  }
  if (vMin != 0.0) {
    crCheckPositive(reporter, "vMin", vMin, "m/s");
  }
  if (wMin != 0.0) {
    crCheckPositive(reporter, "wMin", wMin, "rad/s");
  }
  if (hysteresis != 0.0) {
    crCheckPositive(reporter, "hysteresis", hysteresis, "m");
  }
}

static void checkResponse(crReporter* reporter, const crContactPairDef* def)
{
  if ((unsigned)def->response >= cr_responseCount) {
    crReportError(reporter, "unknown response %d", (int)def->response);
  }
  if ((unsigned)def->formula > cr_dampingExact) {
    crReportError(reporter, "unknown formula %d", (int)def->formula);
  }
  if ((unsigned)def->geometry > cr_geometryHertz) {
    crReportError(reporter, "unknown geometry %d", (int)def->geometry);
  }
  if ((unsigned)def->touch > cr_touchByPoint) {
    crReportError(reporter, "unknown touch %d", (int)def->touch);
  }
  bool isLinear = def->response == cr_responseSpringDamper || def->response == cr_responsePenalty;
  if (isLinear || def->stiffness != 0.0) {
    crCheckPositive(reporter, "stiffness", def->stiffness, "N/m");
  }
  crCheckNotNegative(reporter, "damping", def->damping, "N s/m");
  if ((def->response == cr_responseUser) != (def->function != NULL)) {
    crReportError(reporter, "the response 'user' and a function belong together, but only one of them is given");
  }
}

static void checkFriction(crReporter* reporter, const crContactPairDef* def)
{
  if ((unsigned)def->friction > cr_frictionStick) {
    crReportError(reporter, "unknown friction %d", (int)def->friction);
  }
  if (def->muS != 0.0 && !(def->muS >= def->muK && isfinite(def->muS))) {
    crReportNumber(reporter, "muS is out of range", def->muS, "muS >= muK", NULL,
                   "friction is not less before it slides");
  }
  if (def->slipFade != 0.0) {
    crCheckPositive(reporter, "slipFade", def->slipFade, "m/s");
  }
  if (def->tangentialRatio != 0.0) {
    crCheckPositive(reporter, "tangentialRatio", def->tangentialRatio, NULL);
  }
  if (def->tangentialDamping != 0.0 && !(def->tangentialDamping >= 0.01 && def->tangentialDamping <= 10.0)) {
    crReportNumber(reporter, "tangentialDamping is out of range", def->tangentialDamping,
                   "0.01 <= tangentialDamping <= 10", NULL, NULL);
  }
}

static void checkContactPair(crReporter* reporter, const crContactPairDef* def)
{
  crCheckName(reporter, "the first material's name", def->materialA, false);
  crCheckName(reporter, "the second material's name", def->materialB, false);
  if (!(def->cor >= 0.0 && def->cor <= 1.0)) {
    crReportNumber(reporter, "cor is out of range", def->cor, "0 <= cor <= 1", NULL, NULL);
  }
  crCheckNotNegative(reporter, "muK", def->muK, NULL);
  crCheckNotNegative(reporter, "muR", def->muR, NULL);
  crCheckContactNumbers(reporter, def->kRed, def->vMin, def->wMin, def->hysteresis);
  checkResponse(reporter, def);
  checkFriction(reporter, def);
}

static crStatus addContactPair(crScene* scene, const crContactPairDef* def, bool isPalette, crId* outId)
{
  char key[CR_MAX_PAIR_KEY] = "";
  bool hasKey = def->materialA != NULL && def->materialB != NULL && crMakePairKey(def->materialA, def->materialB, key);
  char path[CR_MAX_PAIR_KEY];
  memcpy(path, key, sizeof path);
  if (hasKey) {
    *strchr(path, '\n') = '/';
  }
  crReporter reporter = crMakeReporter(&scene->sink, def->source, hasKey ? path : "contactPair");
  checkContactPair(&reporter, def);
  int index = crMap_FindString(&scene->contactPairNames, key);
  if (scene->replaced.kind == cr_elementContactPair && index != scene->replaced.index) {
    crReportError(&reporter, "a contact pair keeps its materials when it is replaced");
  } else if (scene->replaced.kind == cr_elementNone && index >= 0 && !scene->contactPairs.items[index].isPalette) {
    crReportError(&reporter, "this contact pair exists already");
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, NULL);
  }
  crScenePair filled = { *def, isPalette };
  const char* ownKey = key;
  if (!crScene_Intern(scene, &filled.def.materialA) || !crScene_Intern(scene, &filled.def.materialB) ||
      !crScene_Intern(scene, &ownKey) || !crScene_Intern(scene, &filled.def.source.file)) {
    return crScene_FailMemory(scene, &reporter);
  }
  if (index < 0) {
    index = scene->contactPairs.count;
    if (crArray_Push(&scene->contactPairs, &scene->allocator) == NULL) {
      return crScene_FailMemory(scene, &reporter);
    }
    if (!crMap_SetString(&scene->contactPairNames, ownKey, index)) {
      --scene->contactPairs.count;
      return crScene_FailMemory(scene, &reporter);
    }
  }
  scene->contactPairs.items[index] = filled;
  return finish(scene, cr_elementContactPair, index, outId);
}

crStatus crScene_AddContactPair(crScene* scene, const crContactPairDef* def, crId* outId)
{
  return scene != NULL && def != NULL && CR_CHECK_SIZE(scene, crContactPairDef, def)
             ? addContactPair(scene, def, false, outId)
             : cr_errorMisuse;
}

// ------------------------------------------------------------------------------------------ visual

static void checkVisualMaterial(crReporter* reporter, const crVisualMaterialDef* def)
{
  crCheckName(reporter, "a material's name", def->name, false);
  crCheckColor(reporter, "color", def->color);
  if (!(def->transparency >= 0.0 && def->transparency <= 1.0)) {
    crReportNumber(reporter, "transparency is out of range", def->transparency, "0 .. 1", NULL, NULL);
  }
  if (!(def->shininess >= 0.0 && def->shininess <= 1.0)) {
    crReportNumber(reporter, "shininess is out of range", def->shininess, "0 .. 1", NULL, NULL);
  }
}

crStatus crScene_AddVisualMaterial(crScene* scene, const crVisualMaterialDef* def, crId* outId)
{
  if (scene == NULL || def == NULL || !CR_CHECK_SIZE(scene, crVisualMaterialDef, def)) {
    return cr_errorMisuse;
  }
  crVisualMaterialDef complete = *def;
  def = &complete;
  crCompleteVisualMaterialDef(&complete);
  crReporter reporter = crMakeReporter(&scene->sink, def->source, def->name);
  checkVisualMaterial(&reporter, def);
  int known = def->name != NULL ? crMap_FindString(&scene->visualMaterialNames, def->name) : -1;
  bool isReplaced = scene->replaced.kind == cr_elementVisualMaterial;
  if (isReplaced && known != scene->replaced.index) {
    crReportError(&reporter, "a visual material keeps its name when it is replaced");
  } else if (!isReplaced && known >= 0) {
    crReportError(&reporter, "a visual material of this name exists already");
  }
  if (reporter.errorCount > 0) {
    return crScene_Fail(scene, &reporter, def->name);
  }
  crVisualMaterialDef filled = *def;
  if (!crScene_Intern(scene, &filled.name) || !crScene_Intern(scene, &filled.source.file)) {
    return crScene_FailMemory(scene, &reporter);
  }
  int index = isReplaced ? known : scene->visualMaterials.count;
  if (!isReplaced) {
    if (crArray_Push(&scene->visualMaterials, &scene->allocator) == NULL) {
      return crScene_FailMemory(scene, &reporter);
    }
    if (!crMap_SetString(&scene->visualMaterialNames, filled.name, index)) {
      --scene->visualMaterials.count;
      return crScene_FailMemory(scene, &reporter);
    }
  }
  scene->visualMaterials.items[index] = filled;
  return finish(scene, cr_elementVisualMaterial, index, outId);
}

// ---------------------------------------------------------------------------------------- palettes

static const crSolidMaterialDef paletteSolids[] = {
  { .size = sizeof(crSolidMaterialDef), .name = "Steel", .density = 8000, .E = 2.0e11, .nu = 0.30 },
  { .size = sizeof(crSolidMaterialDef), .name = "Aluminium", .density = 2700, .E = 6.9e10, .nu = 0.32 },
  { .size = sizeof(crSolidMaterialDef), .name = "DryWood", .density = 700, .E = 1.1e10, .nu = 0.40 },
  { .size = sizeof(crSolidMaterialDef), .name = "BilliardBall", .density = 1768, .E = 5.4e9, .nu = 0.34 },
  { .size = sizeof(crSolidMaterialDef), .name = "BilliardTable", .density = 700, .E = 1.1e10, .nu = 0.40 },
  { .size = sizeof(crSolidMaterialDef), .name = "BilliardCushion", .density = 700, .E = 1.1e10, .nu = 0.40 },
  { .size = sizeof(crSolidMaterialDef), .name = "BilliardCue", .density = 700, .E = 1.1e10, .nu = 0.40 },
};

static const struct {
  const char *a, *b;
  double cor, muK, muR;
} palettePairs[] = {
  { "Steel", "Steel", 0.7, 0.5, 0.001 },
  { "DryWood", "DryWood", 0.6, 0.3, 0.001 },
  { "Steel", "DryWood", 0.7, 0.4, 0.001 },
  { "BilliardBall", "BilliardBall", 1.0, 0.0, 0.0 },
  { "BilliardBall", "BilliardTable", 0.0, 0.6, 0.02 },
  { "BilliardBall", "BilliardCushion", 0.8, 0.0, 0.0 },
  { "BilliardBall", "BilliardCue", 0.98, 0.0, 0.0 },
};

#define CR_PALETTE_SOLIDS ((int)(sizeof paletteSolids / sizeof *paletteSolids))
#define CR_PALETTE_PAIRS ((int)(sizeof palettePairs / sizeof *palettePairs))

static crContactPairDef makePalettePair(int i)
{
  crContactPairDef def = crDefaultContactPairDef(palettePairs[i].a, palettePairs[i].b);
  def.cor = palettePairs[i].cor;
  def.muK = palettePairs[i].muK;
  def.muR = palettePairs[i].muR;
  return def;
}

bool crFillPalettes(crScene* scene)
{
  for (int i = 0; i < CR_PALETTE_SOLIDS; ++i) {
    if (addSolidMaterial(scene, &paletteSolids[i], true, NULL) != cr_ok) {
      return false;
    }
  }
  for (int i = 0; i < CR_PALETTE_PAIRS; ++i) {
    crContactPairDef def = makePalettePair(i);
    if (addContactPair(scene, &def, true, NULL) != cr_ok) {
      return false;
    }
  }
  return true;
}

// The palette is added first, so its entries have the first places. Names stay those that the scene has copied.
bool crScene_RestoreSolidMaterial(crScene* scene, int index)
{
  if (index >= CR_PALETTE_SOLIDS) {
    return false;
  }
  crSolidMaterialDef def = paletteSolids[index];
  def.name = scene->solidMaterials.items[index].def.name;
  scene->solidMaterials.items[index] = (crSceneMaterial){ def, true };
  return true;
}

bool crScene_RestoreContactPair(crScene* scene, int index)
{
  if (index >= CR_PALETTE_PAIRS) {
    return false;
  }
  crScenePair pair = { makePalettePair(index), true };
  const crContactPairDef* given = &scene->contactPairs.items[index].def;
  bool isTurned = strcmp(given->materialA, pair.def.materialA) != 0;
  pair.def.materialA = isTurned ? given->materialB : given->materialA;
  pair.def.materialB = isTurned ? given->materialA : given->materialB;
  scene->contactPairs.items[index] = pair;
  return true;
}
