// Couplings, part of resolve: which joints, with which factors.
#include "model/compile/compile.h"

#define CR_MAX_PAIR_TERMS 3 // of gears with a carrier

typedef enum Motion { motionAny, motionTurn, motionSlide } Motion;

// A joint of a coupling by its name, and what it has to be.
typedef struct Term {
  const char* name;
  double factor;
  Motion motion;
} Term;

// The terms of a pair; returns their number.
static int makePair(const crCouplingDef* def, Term outTerms[CR_MAX_PAIR_TERMS])
{
  int count = 2;
  if (def->kind == cr_couplingGearPair) {
    double ratio =
        def->as.gearPair.ratio > 0.0 ? def->as.gearPair.ratio : def->as.gearPair.teethB / def->as.gearPair.teethA;
    double factor = def->as.gearPair.isInternal ? -ratio : ratio;
    outTerms[0] = (Term){ def->as.gearPair.jointA, 1.0, motionTurn };
    outTerms[1] = (Term){ def->as.gearPair.jointB, factor, motionTurn };
    outTerms[2] = (Term){ def->as.gearPair.carrier, 0.0, motionTurn };
    count += def->as.gearPair.carrier != NULL;
  } else if (def->kind == cr_couplingRackPair) {
    outTerms[0] = (Term){ def->as.rackPair.pinion, -def->as.rackPair.radius, motionTurn };
    outTerms[1] = (Term){ def->as.rackPair.rack, 1.0, motionSlide };
  } else if (def->kind == cr_couplingFlexible || def->kind == cr_couplingClutch) {
    bool isClutch = def->kind == cr_couplingClutch;
    outTerms[0] = (Term){ isClutch ? def->as.clutch.jointA : def->as.flexible.jointA, 1.0, motionAny };
    outTerms[1] = (Term){ isClutch ? def->as.clutch.jointB : def->as.flexible.jointB, -1.0, motionAny };
  } else if (def->kind == cr_couplingBrake || def->kind == cr_couplingMotor) {
    outTerms[0] = (Term){ def->kind == cr_couplingBrake ? def->as.brake.joint : def->as.motor.joint, 1.0, motionAny };
    count = 1;
  } else {
    outTerms[0] = (Term){ def->as.belt.jointA, def->as.belt.radiusA, motionTurn };
    outTerms[1] = (Term){ def->as.belt.jointB, def->as.belt.isCrossed ? def->as.belt.radiusB : -def->as.belt.radiusB,
                          motionTurn };
  }
  return count;
}

static int countTerms(const crCouplingDef* def)
{
  Term terms[CR_MAX_PAIR_TERMS];
  return def->kind == cr_couplingSum ? def->as.sum.jointCount : makePair(def, terms);
}

static void reportMotion(crCompilation* c, crAddress address, const Term* term, const crJointType* type)
{
  if (term->motion == motionSlide) {
    crCompilation_Report(c, cr_severityError, address, NULL, "the rack has to be a prismatic joint: '%s' is a %s joint",
                         term->name, type->name);
  } else {
    crCompilation_Report(c, cr_severityError, address, NULL, "'%s' does not turn, it is a %s joint", term->name,
                         type->name);
  }
}

// A joint of one degree of freedom; CR_BROKEN after a report.
static int resolveTerm(crCompilation* c, crAddress address, const Term* term)
{
  int joint = crResolveElement(c, cr_elementJoint, address, "a joint of the coupling", term->name);
  if (joint < 0) {
    return joint;
  }
  const crJointType* type = crGetJointType((int)c->jointDefs[joint]->kind);
  bool isSliding = c->jointDefs[joint]->kind == cr_jointPrismatic;
  if (type->vCount != 1) {
    crComplaint rest = { .hint = "couple revolute, prismatic and screw joints" };
    crCompilation_Report(c, cr_severityError, address, &rest,
                         "couplings are of joints with one degree of freedom: '%s' is a %s joint, with %d", term->name,
                         type->name, type->vCount);
    return CR_BROKEN;
  }
  if (term->motion != motionAny && isSliding != (term->motion == motionSlide)) {
    reportMotion(c, address, term, type);
    return CR_BROKEN;
  }
  c->isCoupled[joint] = true;
  return joint;
}

// What depends on the joints: the gear of a motor is that of its joint; both sides of a spring or clutch move alike.
static void finishTerms(crCompilation* c, const crCouplingDef* def, int start)
{
  const int* joints = c->termJoints + start;
  if (def->kind == cr_couplingMotor && joints[0] >= 0) {
    c->termFactors[start] = c->jointDefs[joints[0]]->law.gearRatio[0];
  }
  if ((def->kind == cr_couplingFlexible || def->kind == cr_couplingClutch) && joints[0] >= 0 && joints[1] >= 0) {
    const crJointDef *a = c->jointDefs[joints[0]], *b = c->jointDefs[joints[1]];
    if ((a->kind == cr_jointPrismatic) != (b->kind == cr_jointPrismatic)) {
      crAddress address = { def->source, def->name };
      crComplaint rest = { .hint = "a rackPair makes the one of the other" };
      crCompilation_Report(c, cr_severityError, address, &rest, "'%s' turns and '%s' slides, or the other way round",
                           a->name, b->name);
    }
  }
}

static void resolveCoupling(crCompilation* c, int index)
{
  const crCouplingDef* def = c->couplingDefs[index];
  crAddress address = { def->source, def->name };
  Term pair[CR_MAX_PAIR_TERMS];
  int count = countTerms(def), start = c->couplingStarts[index];
  if (def->kind != cr_couplingSum) {
    makePair(def, pair);
  }
  for (int k = 0; k < count; ++k) {
    Term term = def->kind != cr_couplingSum
                    ? pair[k]
                    : (Term){ def->as.sum.joints[k].name, def->as.sum.joints[k].value, motionAny };
    c->termJoints[start + k] = resolveTerm(c, address, &term);
    c->termFactors[start + k] = term.factor;
  }
  finishTerms(c, def, start);
}

static bool isRigid(const crCouplingDef* def)
{
  bool hasTeeth = def->kind == cr_couplingGearPair && def->as.gearPair.module > 0.0;
  return def->stiffness == 0.0 && def->damping == 0.0 && def->kind < cr_couplingFlexible && !hasTeeth;
}

static void orderCouplings(crCompilation* c)
{
  int count = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < c->couplingCount; ++i) {
      if (isRigid(c->couplingDefs[i]) == (pass == 0)) {
        c->couplingOrder[count++] = i;
      }
    }
    c->rigidCount = pass == 0 ? count : c->rigidCount;
  }
}

crStatus crResolveCouplings(crCompilation* c)
{
  int64_t count = 0;
  if (!crNew(c, c->couplingStarts, c->couplingCount + 1) || !crNew(c, c->isCoupled, c->jointCount) ||
      !crNew(c, c->couplingOrder, c->couplingCount)) {
    return cr_errorMemory;
  }
  orderCouplings(c);
  for (int i = 0; i < c->couplingCount; ++i) {
    count += countTerms(c->couplingDefs[i]);
    if (count > INT32_MAX) {
      return cr_errorLimit;
    }
    c->couplingStarts[i + 1] = (int)count;
  }
  if (!crNew(c, c->termJoints, count) || !crNew(c, c->termFactors, count) || !crNew(c, c->isOnCarrier, count)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->couplingCount; ++i) {
    resolveCoupling(c, i);
  }
  return cr_ok;
}

// ---------------------------------------------------------------------------------------------- carriers

// Whether a gear counts its turns from the arm, its objectA being fixed to it, or from what the arm turns in.
static void findMount(crCompilation* c, crAddress address, int term, const int* carrierEnds)
{
  const int* ends = c->jointEnds[c->termJoints[term]];
  if (ends[0] < 0 || ends[1] < 0) {
    return;
  }
  int arm = c->groups[carrierEnds[1]];
  c->isOnCarrier[term] = c->groups[ends[0]] == arm;
  if (!c->isOnCarrier[term] && c->groups[ends[0]] != c->groups[carrierEnds[0]]) {
    crComplaint rest = { .hint = "objectA of both gears is the arm, which is objectB of the carrier, or what the arm "
                                 "turns in; other arrangements are couplings with factors" };
    crCompilation_Report(c, cr_severityError, address, &rest,
                         "the gear of joint '%s' is mounted neither on the carrier nor on what carries that",
                         c->jointDefs[c->termJoints[term]]->name);
  }
}

// With (qA - qC) + ratio (qB - qC) the carrier counts for those gears that do not count from it.
void crCheckCarriers(crCompilation* c)
{
  for (int i = 0; i < c->couplingCount; ++i) {
    const crCouplingDef* def = c->couplingDefs[i];
    int start = c->couplingStarts[i], *joints = c->termJoints + start;
    if (def->kind != cr_couplingGearPair || def->as.gearPair.carrier == NULL || joints[0] < 0 || joints[1] < 0 ||
        joints[2] < 0 || c->jointEnds[joints[2]][0] < 0 || c->jointEnds[joints[2]][1] < 0) {
      continue;
    }
    crAddress address = { def->source, def->name };
    for (int k = start; k < start + 2; ++k) {
      findMount(c, address, k, c->jointEnds[joints[2]]);
      c->termFactors[start + 2] -= c->isOnCarrier[k] ? 0.0 : c->termFactors[k];
    }
  }
}
