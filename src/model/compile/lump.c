// Pass 4, lump: one mass, centre and inertia per body, and warnings about masses that nobody means.
//
// Sums run in the order of objects and features, so that the same scene gives the same bits. The world
// does not move: mass on it is ignored.
#include "model/compile/compile.h"

#define CR_LARGEST_MASS 1e9       // [kg] of one solid from its density: a solid of steel 50 m wide
#define CR_SMALLEST_MASS 1e-12    // [kg] likewise: a grain of a few micrometres
#define CR_LARGEST_MASS_RATIO 1e8 // [-] of jointed bodies: beyond, half of the digits of the lighter one are lost

// Sizes in millimetres instead of metres change masses by 1e9.
static void checkDensityMass(crCompilation* c, int object, int feature, double mass)
{
  const crFeatureDef* def = &c->objectDefs[object]->features[feature];
  bool isFromDensity = def->kind == cr_featureSolid && def->as.solid.mass == 0.0;
  if (!isFromDensity || mass == 0.0 || (mass >= CR_SMALLEST_MASS && mass <= CR_LARGEST_MASS)) {
    return;
  }
  crShortNumber found = crShorten(mass);
  crComplaint rest = {
    .found = found.text, .allowed = "1e-12 .. 1e9", .unit = "kg", .hint = "sizes are in metres, densities in kg/m^3"
  };
  crCompilation_Report(c, cr_severityWarning, crAddressOfObject(c, object), &rest,
                       "suspicious mass of feature %d from its density", feature + 1);
}

static bool isSomething(const crInertia* inertia)
{
  crSym3 I = inertia->I_com;
  return inertia->mass > 0.0 || I.xx != 0.0 || I.yy != 0.0 || I.zz != 0.0;
}

static crStatus lumpObject(crCompilation* c, int object, crInertia* outInertia)
{
  const crObjectDef* def = c->objectDefs[object];
  crId id = crScene_GetId(c->scene, cr_elementObject, object);
  crInertia sum = { 0 };
  for (int k = 0; k < def->featureCount; ++k) {
    crInertia inertia;
    crStatus status = crScene_ComputeFeatureInertia(c->scene, id, k, &inertia);
    if (status != cr_ok) {
      return status;
    }
    if (isSomething(&inertia)) {
      checkDensityMass(c, object, k, inertia.mass);
      sum = crAddInertia(sum, inertia);
      c->hasMass[object] = true;
    }
  }
  *outInertia = sum;
  return cr_ok;
}

static crStatus lumpBody(crCompilation* c, crBody* body)
{
  for (int i = body->objectStart; i < body->objectStart + body->objectCount; ++i) {
    crInertia inertia;
    crStatus status = lumpObject(c, c->objectOrder[i], &inertia);
    if (status != cr_ok) {
      return status;
    }
    if (isSomething(&inertia)) {
      body->inertia = crAddInertia(body->inertia, crTransformInertia(c->objects[i].X_BO, inertia));
    }
  }
  return cr_ok;
}

// ----------------------------------------------------------------------------------------- warnings

// Whether every degree of freedom that moves a body has a rotor.
static bool hasRotors(const crCompilation* c, int edge)
{
  if (edge >= c->jointCount) {
    return false;
  }
  const crJointDef* def = c->jointDefs[edge];
  int count = crJointKind_CountV(def->kind), i = 0;
  while (i < count && def->law.rotorInertia[i] > 0.0 && def->law.gearRatio[i] != 0.0) {
    ++i;
  }
  return i == count;
}

// A body at the end of a tree needs mass, or rotors: nothing behind it could resist a force.
static crStatus checkLeaves(crCompilation* c)
{
  bool* hasChild;
  if (!crNew(c, hasChild, c->bodyCount)) {
    return cr_errorMemory;
  }
  for (int b = 1; b < c->bodyCount; ++b) {
    hasChild[c->bodies[b].parent] = true;
  }
  for (int b = 1; b < c->bodyCount; ++b) {
    if (hasChild[b] || isSomething(&c->bodies[b].inertia) || hasRotors(c, c->bodyEdges[b])) {
      continue;
    }
    crAddress address = crAddressOfObject(c, c->objectOrder[c->bodies[b].objectStart]);
    crComplaint rest = { .found = "0",
                         .allowed = "> 0",
                         .unit = "kg",
                         .hint = "give it, or an object fixed to it, a mass or a solid material" };
    crCompilation_Report(c, cr_severityWarning, address, &rest, "'%s' and what is fixed to it moves, but has no mass",
                         address.path);
  }
  return cr_ok;
}

// Sums of large masses and distances can leave the range of numbers.
static void checkRange(crCompilation* c, int b)
{
  const crInertia* inertia = &c->bodies[b].inertia;
  crSym3 I = inertia->I_com;
  if (!isfinite(inertia->mass) || !crIsFiniteVec3(inertia->com) || !isfinite(I.xx + I.yy + I.zz) ||
      !isfinite(I.xy + I.xz + I.yz)) {
    crAddress address = crAddressOfObject(c, c->objectOrder[c->bodies[b].objectStart]);
    crComplaint rest = { .hint = "masses and distances are beyond the range of numbers" };
    crCompilation_Report(c, cr_severityError, address, &rest, "the mass or inertia of '%s' is not finite",
                         address.path);
  }
}

// A free body without inertia cannot answer a torque.
static void checkPointMass(crCompilation* c, int b)
{
  double moments[3];
  crSym3_ComputeEigen(c->bodies[b].inertia.I_com, moments, NULL);
  if (!crIsFreeEdge(c, c->bodyEdges[b]) || !(c->bodies[b].inertia.mass > 0.0) || moments[0] > 0.0) {
    return;
  }
  crAddress address = crAddressOfObject(c, c->objectOrder[c->bodies[b].objectStart]);
  crComplaint rest = {
    .found = "0", .allowed = "> 0", .unit = "kg m^2", .hint = "give it an inertia, or a solid instead of a point mass"
  };
  crCompilation_Report(c, cr_severityWarning, address, &rest, "'%s' turns freely, but has no inertia about some axis",
                       address.path);
}

static void checkRatio(crCompilation* c, int edge, int bodyA, int bodyB)
{
  double a = c->bodies[bodyA].inertia.mass, b = c->bodies[bodyB].inertia.mass;
  double heavy = fmax(a, b), light = fmin(a, b);
  if (crIsWorldBody(bodyA) || crIsWorldBody(bodyB) || !(light > 0.0) || heavy <= CR_LARGEST_MASS_RATIO * light) {
    return;
  }
  crShortNumber found = crShorten(heavy / light);
  crComplaint rest = { .found = found.text, .allowed = "up to 1e8" };
  crCompilation_Report(c, cr_severityWarning, crAddressOfEdge(c, edge), &rest,
                       "suspicious ratio of the masses that it connects: '%s' has %s kg, '%s' has %s kg",
                       crNameOfBody(c, bodyA), crShorten(a).text, crNameOfBody(c, bodyB), crShorten(b).text);
}

static void checkRatios(crCompilation* c)
{
  for (int i = 0; i < c->jointCount; ++i) {
    if (!crIsWeld(c->jointDefs[i]->kind)) {
      const int* ends = c->jointEnds[i];
      checkRatio(c, i, c->bodyOfGroup[c->groups[ends[0]]], c->bodyOfGroup[c->groups[ends[1]]]);
    }
  }
}

crStatus crLump(crCompilation* c)
{
  if (!crNew(c, c->hasMass, c->objectCount)) {
    return cr_errorMemory;
  }
  for (int b = 1; b < c->bodyCount; ++b) {
    crStatus status = lumpBody(c, &c->bodies[b]);
    if (status != cr_ok) {
      return status;
    }
    checkRange(c, b);
    checkPointMass(c, b);
  }
  checkRatios(c);
  return checkLeaves(c);
}

// --------------------------------------------------------------------------------------------- dump

void crDumpLump(const crCompilation* c, crDump* dump)
{
  double total = 0.0;
  crDump_Print(dump, "%12s  %12s  %s\n", "super-object", "mass [kg]",
               "centre [m], inertia about it [kg m^2] xx yy zz xy xz yz");
  for (int b = 1; b < c->bodyCount; ++b) {
    const crInertia* inertia = &c->bodies[b].inertia;
    crSym3 I = inertia->I_com;
    total += inertia->mass;
    crDump_Print(dump, "%12d  %12s  ", crSuperNumber(b), crShorten(inertia->mass).text);
    crDump_Vec3(dump, inertia->com);
    crDump_Print(dump, "  %s %s %s %s %s %s  %s\n", crShorten(I.xx).text, crShorten(I.yy).text, crShorten(I.zz).text,
                 crShorten(I.xy).text, crShorten(I.xz).text, crShorten(I.yz).text, crNameOfBody(c, b));
  }
  crDump_Print(dump, "%12s  %12s\n", "total", crShorten(total).text);
}
