// Cables, part of resolve: the objects that they run through, and the joints that wind them up.
#include "model/compile/compile.h"

static int countGuides(const crForceDef* def)
{
  return def->kind == cr_forceCable ? def->as.cable.throughCount + 2 : 0;
}

static int resolveDrum(crCompilation* c, crAddress address, const char* name)
{
  int joint = crResolveElement(c, cr_elementJoint, address, "drum", name);
  if (joint >= 0 && crGetJointType((int)c->jointDefs[joint]->kind)->vCount != 1) {
    crCompilation_Report(c, cr_severityError, address, NULL,
                         "a drum is a joint with one degree of freedom: '%s' is a %s joint", name,
                         crGetJointType((int)c->jointDefs[joint]->kind)->name);
    return CR_BROKEN;
  }
  return joint;
}

static void resolveCable(crCompilation* c, int index)
{
  const crForceDef* def = c->forceDefs[index];
  crAddress address = { def->source, def->name };
  int start = c->guideStarts[index], last = start + def->as.cable.throughCount + 1;
  c->guideObjects[start] = c->forceEnds[index][0];
  c->guideObjects[last] = c->forceEnds[index][1];
  for (int i = 0; i < def->as.cable.throughCount; ++i) {
    c->guideObjects[start + 1 + i] = crResolveElement(
        c, cr_elementObject, address, "an object that the cable runs through", def->as.cable.through[i]);
    c->guideRadii[start + 1 + i] = def->as.cable.radiusCount > 0 ? def->as.cable.radii[i] : 0.0;
  }
  c->drums[index] = def->as.cable.drum != NULL ? resolveDrum(c, address, def->as.cable.drum) : CR_NONE;
}

crStatus crResolveCables(crCompilation* c)
{
  int64_t count = 0;
  if (!crNew(c, c->guideStarts, c->forceCount + 1) || !crNew(c, c->drums, c->forceCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->forceCount; ++i) {
    count += countGuides(c->forceDefs[i]);
    c->drums[i] = CR_NONE;
    if (count > INT32_MAX) {
      return cr_errorLimit;
    }
    c->guideStarts[i + 1] = (int)count;
  }
  if (!crNew(c, c->guideObjects, count) || !crNew(c, c->guideRadii, count)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->forceCount; ++i) {
    if (c->forceDefs[i]->kind == cr_forceCable) {
      resolveCable(c, i);
    }
  }
  return cr_ok;
}
