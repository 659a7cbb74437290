// Couplings, part of resolve: which joints, with which factors.
#include "model/compile/compile.h"

static int countTerms(const crCouplingDef* def)
{
  return def->kind == cr_couplingSum ? def->as.sum.jointCount : 0;
}

// A joint of one degree of freedom; CR_BROKEN after a report.
static int resolveJoint(crCompilation* c, crAddress address, const char* name)
{
  int joint = crResolveElement(c, cr_elementJoint, address, "a joint of the coupling", name);
  if (joint < 0) {
    return joint;
  }
  const crJointType* type = crGetJointType((int)c->jointDefs[joint]->kind);
  if (type->vCount != 1) {
    crComplaint rest = { .hint = "couple revolute, prismatic and screw joints" };
    crCompilation_Report(c, cr_severityError, address, &rest,
                         "couplings are of joints with one degree of freedom: '%s' is a %s joint, with %d", name,
                         type->name, type->vCount);
    return CR_BROKEN;
  }
  c->isCoupled[joint] = true;
  return joint;
}

crStatus crResolveCouplings(crCompilation* c)
{
  int64_t count = 0;
  if (!crNew(c, c->couplingStarts, c->couplingCount + 1) || !crNew(c, c->isCoupled, c->jointCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->couplingCount; ++i) {
    count += countTerms(c->couplingDefs[i]);
    if (count > INT32_MAX) {
      return cr_errorLimit;
    }
    c->couplingStarts[i + 1] = (int)count;
  }
  if (!crNew(c, c->termJoints, count) || !crNew(c, c->termFactors, count)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->couplingCount; ++i) {
    const crCouplingDef* def = c->couplingDefs[i];
    crAddress address = { def->source, def->name };
    for (int k = 0; k < countTerms(def); ++k) {
      c->termJoints[c->couplingStarts[i] + k] = resolveJoint(c, address, def->as.sum.joints[k].name);
      c->termFactors[c->couplingStarts[i] + k] = def->as.sum.joints[k].value;
    }
  }
  return cr_ok;
}
