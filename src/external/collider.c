// Colliders: creation, meshes, and the first entry, forces from poses alone.
//
//   f = K depth n at the middle of the witness points: minus the gradient of K depth^2 / 2, because both
//   witness points lie on the line along n, and depth changes by n . (v_B - v_A) there.
#include "external/collider.h"
#include "contact/area_contact.h"

#include <string.h>

crColliderDef crDefaultColliderDef(void)
{
  return (crColliderDef){ .size = sizeof(crColliderDef) };
}

// ---------------------------------------------------------------------------------------- messages

static void keepMessage(void* context, const crError* error)
{
  crCollider* collider = context;
  if (error->severity == cr_severityError) {
    crError_Format(error, collider->message, sizeof collider->message);
  }
  if (collider->sink.report != NULL) {
    collider->sink.report(collider->sink.context, error);
  }
}

crErrorSink crCollider_Sink(crCollider* collider)
{
  crErrorSink sink = { keepMessage, collider };
  return sink;
}

const char* crCollider_GetMessage(const crCollider* collider)
{
  return collider != NULL ? collider->message : "there is no collider: out of memory";
}

// ---------------------------------------------------------------------------------------- creation

static void checkPositive(crReporter* reporter, const char* name, double value, const char* unit)
{
  if (!(value > 0.0 && isfinite(value))) {
    crReportNumber(reporter, name, value, "> 0", unit, NULL);
  }
}

static void checkNotNegative(crReporter* reporter, const char* name, double value, const char* unit)
{
  if (!(value >= 0.0 && isfinite(value))) {
    crReportNumber(reporter, name, value, ">= 0", unit, NULL);
  }
}

static double choose(double value, double fallback)
{
  return value == 0.0 ? fallback : crResolveZero(value);
}

// Zeros become what they stand for: steel.
static crColliderDef resolveDef(const crColliderDef* given)
{
  crColliderDef def = *given;
  def.stiffness = choose(def.stiffness, 1e5);
  def.E = choose(def.E, 2.0e11);
  def.nu = choose(def.nu, 0.3);
  def.cor = choose(def.cor, 0.7);
  def.muK = choose(def.muK, 0.5);
  def.muR = choose(def.muR, 0.001);
  def.kRed = choose(def.kRed, 1.0);
  def.vMin = choose(def.vMin, 0.01);
  def.wMin = choose(def.wMin, 0.01);
  def.hysteresis = choose(def.hysteresis, 1e-8);
  def.gravity = choose(def.gravity, 9.81);
  return def;
}

static void checkDef(crReporter* reporter, const crColliderDef* def)
{
  checkPositive(reporter, "stiffness must be positive", def->stiffness, "N/m");
  checkPositive(reporter, "E must be positive", def->E, "N/m^2");
  if (!(def->nu > 0.0 && def->nu < 1.0)) {
    crReportNumber(reporter, "nu is out of range", def->nu, "0 < nu < 1", NULL, NULL);
  }
  if (!(def->cor >= 0.0 && def->cor <= 1.0)) {
    crReportNumber(reporter, "cor is out of range", def->cor, "0 <= cor <= 1", NULL, NULL);
  }
  checkNotNegative(reporter, "muK must not be negative", def->muK, NULL);
  checkNotNegative(reporter, "muR must not be negative", def->muR, NULL);
  checkPositive(reporter, "kRed must be positive", def->kRed, NULL);
  checkPositive(reporter, "vMin must be positive", def->vMin, "m/s");
  checkPositive(reporter, "wMin must be positive", def->wMin, "rad/s");
  checkPositive(reporter, "hysteresis must be positive", def->hysteresis, "m");
  checkNotNegative(reporter, "gravity must not be negative", def->gravity, "m/s^2");
  if ((unsigned)def->formula > cr_dampingExact) {
    crReportError(reporter, "formula must be flores or exact");
  }
}

static crContactLaw makeLaw(const crColliderDef* def)
{
  crContactLaw law = { .cor = def->cor,
                       .muK = def->muK,
                       .muR = def->muR,
                       .response = cr_responseElastic,
                       .touch = cr_touchByArea,
                       .formula = def->formula == cr_dampingOfScene ? cr_dampingFlores : def->formula,
                       .kRed = def->kRed,
                       .vMin = def->vMin,
                       .wMin = def->wMin,
                       .hysteresis = def->hysteresis,
                       .elasticity = 0.5 * def->kRed * def->E / (1.0 - def->nu * def->nu),
                       .stiffness = NAN };
  return law;
}

crStatus crCollider_SetDef(crCollider* collider, const crColliderDef* def)
{
  crErrorSink sink = crCollider_Sink(collider);
  crReporter reporter = crMakeReporter(&sink, (crSource){ 0 }, "collider");
  if (!crCheckSize(&reporter, "crColliderDef", def->size, sizeof *def)) {
    return cr_errorMisuse;
  }
  collider->def = resolveDef(def);
  checkDef(&reporter, &collider->def);
  collider->law = makeLaw(&collider->def);
  return reporter.errorCount == 0 ? cr_ok : cr_errorModel;
}

crStatus crCreateCollider(const crColliderDef* def, const crAllocator* allocator, const crErrorSink* sink,
                          crCollider** outCollider)
{
  if (def == NULL || outCollider == NULL) {
    return cr_errorMisuse;
  }
  *outCollider = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crCollider* collider = crAllocateZero(&chosen, 1, sizeof *collider);
  if (collider == NULL) {
    return cr_errorMemory;
  }
  collider->allocator = chosen;
  collider->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  crStatus status = crCollider_SetDef(collider, def);
  if (status != cr_ok) {
    crDestroyCollider(collider);
    return status;
  }
  *outCollider = collider;
  return cr_ok;
}

// ------------------------------------------------------------------------------------------ meshes

crStatus crCollider_AddMesh(crCollider* collider, int stlIndex, const crMesh* mesh)
{
  if (collider == NULL || mesh == NULL || stlIndex <= 0) {
    return cr_errorMisuse;
  }
  for (int i = 0; i < collider->meshes.count; ++i) {
    if (collider->meshes.items[i].index == stlIndex) {
      crErrorSink sink = crCollider_Sink(collider);
      crReporter reporter = crMakeReporter(&sink, (crSource){ 0 }, "collider");
      crReportError(&reporter, "the stl index %d is taken already", stlIndex);
      return cr_errorModel;
    }
  }
  crColliderMesh* place = crArray_Push(&collider->meshes, &collider->allocator);
  if (place == NULL) {
    return cr_errorMemory;
  }
  *place = (crColliderMesh){ stlIndex, crRetainMesh(mesh) };
  return cr_ok;
}

// ------------------------------------------------------------------------------------- first entry

void crCollider_Push(const crCollider* collider, int body, crVec3 point, crVec3 force, crVec3 torque, double* forces)
{
  double* row = forces + (size_t)body * CR_BODY_OUTPUTS;
  crVec3 t = crAdd(torque, crCross(crSub(point, collider->bodies[body].origin), force));
  row[0] += force.x, row[1] += force.y, row[2] += force.z;
  row[3] += t.x, row[4] += t.y, row[5] += t.z;
}

void crCollider_TurnForces(const crCollider* collider, double* forces)
{
  for (int i = 0; i < collider->bodyCount; ++i) {
    double* row = forces + (size_t)i * CR_BODY_OUTPUTS;
    crVec3 f = crMulTV(collider->bodies[i].R_WB, crMakeVec3(row[0], row[1], row[2]));
    crVec3 t = crMulTV(collider->bodies[i].R_WB, crMakeVec3(row[3], row[4], row[5]));
    const double turned[CR_BODY_OUTPUTS] = { f.x, f.y, f.z, t.x, t.y, t.z };
    memcpy(row, turned, sizeof turned);
  }
}

// The gradient of c / 2 depth^2: of balls their depth, of all else the mean depth of the patch.
static void pushPair(const crCollider* collider, crBoxPair pair, double* forces)
{
  const crColliderPiece *a = &collider->pieces[pair.a], *b = &collider->pieces[pair.b];
  const crPose *X_WA = &collider->bodies[a->body].X_WS, *X_WB = &collider->bodies[b->body].X_WS;
  crContact contact = { .area = 0.0 };
  if (crTouchesByArea(a->shape, b->shape)) {
    crContactLaw law = { .cor = 1.0, .response = cr_responsePenalty, .stiffness = collider->def.stiffness };
    crAreaSide sideA = { .shape = a->shape, .X_WS = crPlaceCanonical(a->shape, X_WA) };
    crAreaSide sideB = { .shape = b->shape, .X_WS = crPlaceCanonical(b->shape, X_WB) };
    crEvalAreaContact(&law, &sideA, &sideB, &contact);
  } else {
    crComputeTouch(a->shape, X_WA, b->shape, X_WB, NULL, &contact.now);
    double depth = fmax(0.0, -contact.now.distance);
    contact.force.force = crScale(collider->def.stiffness * depth, contact.now.normal);
  }
  crVec3 f = contact.force.force, t = contact.force.torque, point = contact.now.point;
  crCollider_Push(collider, b->body, point, f, t, forces);
  crCollider_Push(collider, a->body, point, crNeg(f), crNeg(t), forces);
}

crStatus crCollider_ComputeForces(crCollider* collider, int bodyCount, const double* bodies, double* outForces)
{
  const crBoxPair* pairs;
  int count;
  if (collider == NULL || bodyCount < 0 || (bodyCount > 0 && (bodies == NULL || outForces == NULL))) {
    return cr_errorMisuse;
  }
  crStatus status = crCollider_Place(collider, bodyCount, bodies, &pairs, &count);
  if (status != cr_ok || bodyCount == 0) {
    return status;
  }
  memset(outForces, 0, (size_t)bodyCount * CR_BODY_OUTPUTS * sizeof *outForces);
  for (int i = 0; i < count; ++i) {
    pushPair(collider, pairs[i], outForces);
  }
  crCollider_TurnForces(collider, outForces);
  return cr_ok;
}
