// Pass 1, resolve: names become indices.
//
// An unknown name is reported at the element that refers to it, with the nearest known name. A name
// whose own definition failed is passed over, because that was reported where it stands.
#include "model/compile/compile.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------- suggestions

// Feeds one candidate, unless its length alone rules it out or too much was spent already. Distances of
// crNearest are twice the number of letters.
static void tryName(crCompilation* c, crNearest* nearest, size_t length, const char* candidate)
{
  size_t other = strlen(candidate);
  size_t difference = other > length ? other - length : length - other;
  if (2 * difference >= (size_t)nearest->bestDistance || c->suggestionBudget <= 0) {
    return;
  }
  c->suggestionBudget -= (int64_t)(length * other) + 1;
  crNearest_Try(nearest, candidate);
}

// True for "robot.arm.bar" and "bar": the writer forgot the assembly.
static bool endsWithName(const char* path, const char* name, size_t length)
{
  size_t size = strlen(path);
  return size > length + 1 && path[size - length - 1] == '.' && strcmp(path + size - length, name) == 0;
}

static const char* nearestElement(crCompilation* c, crElementKind kind, const char* name)
{
  crNearest nearest = crMakeNearest(name);
  size_t length = strlen(name);
  bool isObject = kind == cr_elementObject, isJoint = kind == cr_elementJoint;
  int count = isObject ? c->objectCount : isJoint ? c->jointCount : c->signalCount;
  for (int i = 0; i < count && c->suggestionBudget > 0; ++i) {
    const char* candidate = isObject  ? c->objectDefs[i]->name
                            : isJoint ? c->jointDefs[i]->name
                                      : c->signalDefs[i]->name;
    --c->suggestionBudget;
    if (endsWithName(candidate, name, length)) {
      return candidate;
    }
    tryName(c, &nearest, length, candidate);
  }
  return nearest.best;
}

static const char* nearestSolidMaterial(crCompilation* c, const char* name)
{
  crNearest nearest = crMakeNearest(name);
  int count = crScene_Count(c->scene, cr_elementSolidMaterial);
  for (int i = 0; i < count && c->suggestionBudget > 0; ++i) {
    crId id = crScene_GetId(c->scene, cr_elementSolidMaterial, i);
    --c->suggestionBudget;
    tryName(c, &nearest, strlen(name), crScene_GetSolidMaterial(c->scene, id)->name);
  }
  return nearest.best;
}

static const char* nearestVisualMaterial(crCompilation* c, const char* name)
{
  crNearest nearest = crMakeNearest(name);
  int count = crScene_Count(c->scene, cr_elementVisualMaterial);
  for (int i = 0; i < count && c->suggestionBudget > 0; ++i) {
    crId id = crScene_GetId(c->scene, cr_elementVisualMaterial, i);
    --c->suggestionBudget;
    tryName(c, &nearest, strlen(name), crScene_GetVisualMaterial(c->scene, id)->name);
  }
  return nearest.best;
}

// ---------------------------------------------------------------------------------------- reporting

// `what` is the role of the name: "parent", "objectA", "contact material".
static void reportUnknown(crCompilation* c, crAddress address, const char* what, const char* name, const char* nearest,
                          const char* otherHint)
{
  char hint[CR_MAX_PATH + 32];
  snprintf(hint, sizeof hint, "did you mean '%s'?", nearest != NULL ? nearest : "");
  crComplaint rest = { .found = name, .hint = nearest != NULL ? hint : otherHint };
  crCompilation_Report(c, cr_severityError, address, &rest, "%s is unknown", what);
}

static const char* articleOf(crElementKind kind)
{
  return kind == cr_elementAssembly || kind == cr_elementObject ? "an" : "a";
}

static void reportWrongKind(crCompilation* c, crAddress address, const char* what, const char* name,
                            crElementKind wanted, crElementKind kind)
{
  const char *article = articleOf(wanted), *text = crElementKind_GetText(wanted);
  crComplaint rest = { .found = name };
  crCompilation_Report(c, cr_severityError, address, &rest, "%s has to be %s %s: '%s' is %s %s, not %s %s", what,
                       article, text, name, articleOf(kind), crElementKind_GetText(kind), article, text);
}

// ----------------------------------------------------------------------------------------- elements

int crResolveElement(crCompilation* c, crElementKind kind, crAddress address, const char* what, const char* name)
{
  crId id = crScene_Find(c->scene, name);
  if (id.kind == kind && !crIsNull(id)) {
    return crScene_IndexOf(c->scene, kind, id);
  }
  if (!crIsNull(id)) {
    reportWrongKind(c, address, what, name, kind, (crElementKind)id.kind);
  } else if (!crScene_IsFailedName(c->scene, name)) {
    reportUnknown(c, address, what, name, nearestElement(c, kind, name), NULL);
  }
  return CR_BROKEN;
}

static int resolveObject(crCompilation* c, crAddress address, const char* what, const char* name)
{
  return crResolveElement(c, cr_elementObject, address, what, name);
}

// The index of a solid material; CR_BROKEN: none.
static int resolveSolidMaterial(crCompilation* c, crAddress address, const char* what, const char* name)
{
  crId id = crScene_FindSolidMaterial(c->scene, name);
  if (!crIsNull(id)) {
    return crScene_IndexOf(c->scene, cr_elementSolidMaterial, id);
  }
  if (!crScene_IsFailedName(c->scene, name)) {
    reportUnknown(c, address, what, name, nearestSolidMaterial(c, name), "define it as a solid material");
  }
  return CR_BROKEN;
}

static void checkVisual(crCompilation* c, crAddress address, const char* name)
{
  crColor color;
  if (name == NULL || !crIsNull(crScene_FindVisualMaterial(c->scene, name)) || crFindColor(name, &color) ||
      crScene_IsFailedName(c->scene, name)) {
    return;
  }
  reportUnknown(c, address, "visual material", name, nearestVisualMaterial(c, name),
                "give the name of a visual material, a CSS colour name, or \"#rrggbb\"");
}

// A material must have elastic constants to touch with.
static int resolveContact(crCompilation* c, crAddress address, const char* name)
{
  int index = resolveSolidMaterial(c, address, "contact material", name);
  if (index < 0) {
    return index;
  }
  const crSolidMaterialDef* def =
      crScene_GetSolidMaterial(c->scene, crScene_GetId(c->scene, cr_elementSolidMaterial, index));
  if (def->E == 0.0 || def->nu == 0.0) {
    crComplaint rest = { .hint = "give the material E and nu, or touch with another one" };
    crCompilation_Report(c, cr_severityError, address, &rest, "contact material '%s' has no %s", name,
                         def->E == 0.0 ? "E" : "nu");
    return CR_BROKEN;
  }
  return index;
}

static void resolveSolid(crCompilation* c, crAddress address, const crSolidDef* solid, int* outContact)
{
  if (solid->material != NULL) {
    resolveSolidMaterial(c, address, "material", solid->material);
  }
  if (solid->contact != NULL) {
    *outContact = resolveContact(c, address, solid->contact);
  }
  checkVisual(c, address, solid->visual);
}

static void resolveFeature(crCompilation* c, int object, int feature)
{
  const crFeatureDef* def = &c->objectDefs[object]->features[feature];
  char path[CR_MAX_PATH + 64];
  snprintf(path, sizeof path, "%s.%s%d", c->objectDefs[object]->name, crFeatureKind_GetText(def->kind), feature + 1);
  crAddress address = { c->objectDefs[object]->source, path };
  int* contact = &c->featureContacts[c->featureStarts[object] + feature];
  *contact = CR_NONE;
  if (def->kind == cr_featureSolid) {
    resolveSolid(c, address, &def->as.solid, contact);
  } else if (def->kind == cr_featureVisual) {
    checkVisual(c, address, def->as.visual.visual);
  }
}

static void resolveObjects(crCompilation* c)
{
  for (int i = 0; i < c->objectCount; ++i) {
    const crObjectDef* def = c->objectDefs[i];
    c->parents[i] = def->parent != NULL ? resolveObject(c, crAddressOfObject(c, i), "parent", def->parent) : CR_NONE;
    for (int k = 0; k < def->featureCount; ++k) {
      resolveFeature(c, i, k);
    }
  }
}

static void resolveConnections(crCompilation* c)
{
  for (int i = 0; i < c->jointCount; ++i) {
    crAddress address = crAddressOfEdge(c, i);
    c->jointEnds[i][0] = resolveObject(c, address, "objectA", c->jointDefs[i]->objectA);
    c->jointEnds[i][1] = resolveObject(c, address, "objectB", c->jointDefs[i]->objectB);
  }
  for (int i = 0; i < c->forceCount; ++i) {
    crAddress address = { c->forceDefs[i]->source, c->forceDefs[i]->name };
    const crForceDef* def = c->forceDefs[i];
    c->forceEnds[i][0] = resolveObject(c, address, "objectA", def->objectA);
    c->forceEnds[i][1] = def->objectB != NULL ? resolveObject(c, address, "objectB", def->objectB) : CR_NONE;
    const char* frame = def->kind == cr_forceForce    ? def->as.force.frame
                        : def->kind == cr_forceTorque ? def->as.torque.frame
                                                      : NULL;
    c->forceEnds[i][2] = frame != NULL ? resolveObject(c, address, "frame", frame) : CR_NONE;
  }
  for (int i = 0; i < c->exclusionCount; ++i) {
    crAddress address = { c->exclusionDefs[i]->source, "exclude" };
    c->exclusionEnds[i][0] = resolveObject(c, address, "the first object", c->exclusionDefs[i]->objectA);
    c->exclusionEnds[i][1] = resolveObject(c, address, "the second object", c->exclusionDefs[i]->objectB);
  }
}

static void resolveContactPairs(crCompilation* c)
{
  int count = crScene_Count(c->scene, cr_elementContactPair);
  for (int i = 0; i < count; ++i) {
    crId id = crScene_GetId(c->scene, cr_elementContactPair, i);
    const crContactPairDef* def = crScene_GetContactPair(c->scene, id);
    char path[2 * CR_MAX_PATH + 2];
    snprintf(path, sizeof path, "%s/%s", def->materialA, def->materialB);
    crAddress address = { def->source, path };
    if (strcmp(def->materialA, CR_ANY_MATERIAL) != 0) {
      resolveSolidMaterial(c, address, "the first material", def->materialA);
    }
    if (strcmp(def->materialA, def->materialB) != 0 && strcmp(def->materialB, CR_ANY_MATERIAL) != 0) {
      resolveSolidMaterial(c, address, "the second material", def->materialB);
    }
  }
}

crStatus crResolve(crCompilation* c)
{
  if (!crNew(c, c->parents, c->objectCount) || !crNew(c, c->jointEnds, c->jointCount) ||
      !crNew(c, c->forceEnds, c->forceCount) || !crNew(c, c->exclusionEnds, c->exclusionCount) ||
      !crNew(c, c->featureStarts, c->objectCount + 1)) {
    return cr_errorMemory;
  }
  int64_t featureCount = 0;
  for (int i = 0; i < c->objectCount; ++i) {
    featureCount += c->objectDefs[i]->featureCount;
    if (featureCount > INT32_MAX) {
      return cr_errorLimit;
    }
    c->featureStarts[i + 1] = (int)featureCount;
  }
  if (!crNew(c, c->featureContacts, featureCount)) {
    return cr_errorMemory;
  }
  resolveObjects(c);
  resolveConnections(c);
  resolveContactPairs(c);
  crStatus status = crResolveCables(c);
  crResolveActions(c);
  return status == cr_ok ? crResolveCouplings(c) : status;
}

// --------------------------------------------------------------------------------------------- dump

static const char* nameOf(const crCompilation* c, int object)
{
  return object >= 0 ? c->objectDefs[object]->name : object == CR_BROKEN ? "?" : "-";
}

static const char* mobilityText(crMobility mobility)
{
  return mobility == cr_mobilityWorld ? "world" : mobility == cr_mobilityFree ? "free" : "rigid";
}

void crDumpResolve(const crCompilation* c, crDump* dump)
{
  int width = 6, kindWidth = 12;
  for (int i = 0; i < c->objectCount; ++i) {
    crWiden(&width, c->objectDefs[i]->name);
  }
  crDump_Print(dump, "objects %d\n", c->objectCount);
  crDump_Print(dump, "  %6s  %-*s  %-8s  %-*s  %s\n", "index", width, "path", "mobility", width, "parent", "features");
  for (int i = 0; i < c->objectCount; ++i) {
    const crObjectDef* def = c->objectDefs[i];
    crDump_Print(dump, "  %6d  %-*s  %-8s  %-*s  %d\n", i, width, def->name, mobilityText(def->mobility), width,
                 nameOf(c, c->parents[i]), def->featureCount);
  }
  crDump_Print(dump, "joints %d\n", c->jointCount);
  for (int i = 0; i < c->jointCount; ++i) {
    crDump_Print(dump, "  %6d  %-*s  %-*s  %-*s  %s\n", i, width, c->jointDefs[i]->name, kindWidth,
                 crJointKind_GetText(c->jointDefs[i]->kind), width, nameOf(c, c->jointEnds[i][0]),
                 nameOf(c, c->jointEnds[i][1]));
  }
  crDump_Print(dump, "forces %d\n", c->forceCount);
  for (int i = 0; i < c->forceCount; ++i) {
    crDump_Print(dump, "  %6d  %-*s  %-*s  %-*s  %s\n", i, width, c->forceDefs[i]->name, kindWidth,
                 crForceKind_GetText(c->forceDefs[i]->kind), width, nameOf(c, c->forceEnds[i][0]),
                 nameOf(c, c->forceEnds[i][1]));
  }
  crDump_Print(dump, "couplings %d\n", c->couplingCount);
  for (int i = 0; i < c->couplingCount; ++i) {
    crDump_Print(dump, "  %6d  %-*s ", i, width, c->couplingDefs[i]->name);
    for (int k = c->couplingStarts[i]; k < c->couplingStarts[i + 1]; ++k) {
      crDump_Print(dump, " %+g %s", c->termFactors[k],
                   c->termJoints[k] >= 0 ? c->jointDefs[c->termJoints[k]]->name : "?");
    }
    crDump_Print(dump, " = %g\n", c->couplingDefs[i]->offset);
  }
  crDump_Print(dump, "exclusions %d\n", c->exclusionCount);
  for (int i = 0; i < c->exclusionCount; ++i) {
    crDump_Print(dump, "  %6d  %-*s  %s\n", i, width, nameOf(c, c->exclusionEnds[i][0]),
                 nameOf(c, c->exclusionEnds[i][1]));
  }
}
