// The limits of a shape's def, checked one by one: every breach is reported.
#include "base/text.h"
#include "geometry/height_field.h"
#include "geometry/shape_kind.h"

#include <stdio.h>
#include <string.h>

// Slack for products that a user computes in another order, e.g. 0.07 against 0.1 x 0.7 [-].
#define CR_ROUNDING_SLACK 1e-12

#define CR_TEXT_SIZE 96 // [bytes] of a message or value with a few numbers in it

#define CR_LEAST_POINTS 4
#define CR_LEAST_WINDINGS 1
#define CR_LEAST_TEETH 3
#define CR_MOST_TEETH 1000 // of an involute gear: profiles look at all pairs of their elements once

// ------------------------------------------------------------------------------------- single values

typedef enum Rule { rulePositive, ruleNotNegative, ruleNotZero } Rule;

static const struct {
  const char* verb;
  const char* allowed;
} ruleTexts[] = {
  [rulePositive] = { "must be positive", "> 0" },
  [ruleNotNegative] = { "must not be negative", ">= 0" },
  [ruleNotZero] = { "must not be zero", "not 0" },
};

static bool keepsRule(double value, Rule rule)
{
  return rule == rulePositive ? value > 0.0 : rule == ruleNotNegative ? value >= 0.0 : value != 0.0;
}

static bool checkNumber(const char* name, double value, Rule rule, const char* unit, crReporter* reporter)
{
  char message[CR_TEXT_SIZE];
  if (!isfinite(value)) {
    snprintf(message, sizeof message, "%s must be a finite number", name);
    crReportNumber(reporter, message, value, ruleTexts[rule].allowed, unit, NULL);
    return false;
  }
  if (!keepsRule(value, rule)) {
    snprintf(message, sizeof message, "%s %s", name, ruleTexts[rule].verb);
    crReportNumber(reporter, message, value, ruleTexts[rule].allowed, unit, NULL);
    return false;
  }
  return true;
}

static void checkCount(const char* name, int count, int least, crReporter* reporter)
{
  if (count < least) {
    char message[CR_TEXT_SIZE], found[CR_TEXT_SIZE], allowed[CR_TEXT_SIZE];
    snprintf(message, sizeof message, "%s must be at least %d", name, least);
    snprintf(found, sizeof found, "%d", count);
    snprintf(allowed, sizeof allowed, ">= %d", least);
    crComplaint complaint = { message, found, allowed, NULL, NULL };
    crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  }
}

// Only for numbers that are right on their own.
static void checkSmaller(const char* name, double value, const char* limitName, double limit, crReporter* reporter)
{
  if (isfinite(value) && isfinite(limit) && limit > 0.0 && value >= limit) {
    char message[CR_TEXT_SIZE], allowed[CR_TEXT_SIZE];
    snprintf(message, sizeof message, "%s must be smaller than %s", name, limitName);
    snprintf(allowed, sizeof allowed, "< %.12g", limit);
    crReportNumber(reporter, message, value, allowed, "m", NULL);
  }
}

static void reportVector(const char* message, crVec3 v, const char* allowed, const char* unit, crReporter* reporter)
{
  char found[CR_TEXT_SIZE];
  snprintf(found, sizeof found, "(%.12g, %.12g, %.12g)", v.x, v.y, v.z);
  crComplaint complaint = { message, found, allowed, unit, NULL };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

// -------------------------------------------------------------------------------------------- sizes

// A number in the def of one kind.
typedef struct SizeRow {
  crShapeKind kind;
  const char* name;
  size_t offset;
  Rule rule;
  const char* unit;
} SizeRow;

static const SizeRow sizeRows[] = {
  { cr_shapeSphere, "radius", offsetof(crShapeDef, as.sphere.radius), rulePositive, "m" },
  { cr_shapeEllipsoid, "radii.x", offsetof(crShapeDef, as.ellipsoid.radii.x), rulePositive, "m" },
  { cr_shapeEllipsoid, "radii.y", offsetof(crShapeDef, as.ellipsoid.radii.y), rulePositive, "m" },
  { cr_shapeEllipsoid, "radii.z", offsetof(crShapeDef, as.ellipsoid.radii.z), rulePositive, "m" },
  { cr_shapeBox, "size.x", offsetof(crShapeDef, as.box.size.x), rulePositive, "m" },
  { cr_shapeBox, "size.y", offsetof(crShapeDef, as.box.size.y), rulePositive, "m" },
  { cr_shapeBox, "size.z", offsetof(crShapeDef, as.box.size.z), rulePositive, "m" },
  { cr_shapeCylinder, "radius", offsetof(crShapeDef, as.cylinder.radius), rulePositive, "m" },
  { cr_shapeCylinder, "length", offsetof(crShapeDef, as.cylinder.length), rulePositive, "m" },
  { cr_shapeCylinder, "boreRadius", offsetof(crShapeDef, as.cylinder.boreRadius), ruleNotNegative, "m" },
  { cr_shapeCone, "radius", offsetof(crShapeDef, as.cone.radius), rulePositive, "m" },
  { cr_shapeCone, "topRadius", offsetof(crShapeDef, as.cone.topRadius), ruleNotNegative, "m" },
  { cr_shapeCone, "length", offsetof(crShapeDef, as.cone.length), rulePositive, "m" },
  { cr_shapeCapsule, "radius", offsetof(crShapeDef, as.capsule.radius), rulePositive, "m" },
  { cr_shapeCapsule, "length", offsetof(crShapeDef, as.capsule.length), rulePositive, "m" },
  { cr_shapeBeam, "length", offsetof(crShapeDef, as.beam.length), rulePositive, "m" },
  { cr_shapeBeam, "width", offsetof(crShapeDef, as.beam.width), rulePositive, "m" },
  { cr_shapeBeam, "height", offsetof(crShapeDef, as.beam.height), rulePositive, "m" },
  { cr_shapeMesh, "scale.x", offsetof(crShapeDef, as.mesh.scale.x), ruleNotZero, NULL },
  { cr_shapeMesh, "scale.y", offsetof(crShapeDef, as.mesh.scale.y), ruleNotZero, NULL },
  { cr_shapeMesh, "scale.z", offsetof(crShapeDef, as.mesh.scale.z), ruleNotZero, NULL },
  { cr_shapeExtruded, "length", offsetof(crShapeDef, as.extruded.length), rulePositive, "m" },
  { cr_shapeInvoluteGear, "module", offsetof(crShapeDef, as.involuteGear.module), rulePositive, "m" },
  { cr_shapeInvoluteGear, "length", offsetof(crShapeDef, as.involuteGear.length), rulePositive, "m" },
  { cr_shapeInvoluteGear, "pressureAngle", offsetof(crShapeDef, as.involuteGear.pressureAngle), rulePositive, "rad" },
  { cr_shapeInvoluteGear, "backlash", offsetof(crShapeDef, as.involuteGear.backlash), ruleNotNegative, "m" },
  { cr_shapeInvoluteGear, "tipRelief", offsetof(crShapeDef, as.involuteGear.tipRelief), ruleNotNegative, "m" },
  { cr_shapeCoordinateSystem, "length", offsetof(crShapeDef, as.coordinateSystem.length), rulePositive, "m" },
  { cr_shapeGrid, "width", offsetof(crShapeDef, as.grid.width), rulePositive, "m" },
  { cr_shapeGrid, "length", offsetof(crShapeDef, as.grid.length), rulePositive, "m" },
  { cr_shapeGrid, "spacing", offsetof(crShapeDef, as.grid.spacing), rulePositive, "m" },
  { cr_shapeCoil, "radius", offsetof(crShapeDef, as.coil.radius), rulePositive, "m" },
  { cr_shapeHeightField, "width", offsetof(crShapeDef, as.heightField.width), rulePositive, "m" },
  { cr_shapeHeightField, "length", offsetof(crShapeDef, as.heightField.length), rulePositive, "m" },
  { cr_shapeHeightField, "height", offsetof(crShapeDef, as.heightField.height), ruleNotNegative, "m" },
  { cr_shapeHeightField, "depth", offsetof(crShapeDef, as.heightField.depth), ruleNotNegative, "m" },
  { cr_shapeMesh, "error", offsetof(crShapeDef, as.mesh.error), ruleNotNegative, "m" },
  { cr_shapeCoil, "length", offsetof(crShapeDef, as.coil.length), rulePositive, "m" },
  { cr_shapeCoil, "wireRadius", offsetof(crShapeDef, as.coil.wireRadius), rulePositive, "m" },
  { cr_shapeGearWheel, "radius", offsetof(crShapeDef, as.gearWheel.radius), rulePositive, "m" },
  { cr_shapeGearWheel, "boreRadius", offsetof(crShapeDef, as.gearWheel.boreRadius), ruleNotNegative, "m" },
  { cr_shapeGearWheel, "length", offsetof(crShapeDef, as.gearWheel.length), rulePositive, "m" },
  { cr_shapeText, "height", offsetof(crShapeDef, as.text.height), rulePositive, "m" },
};

static void checkSizes(const crShapeDef* def, crReporter* reporter)
{
  for (size_t i = 0; i < sizeof sizeRows / sizeof *sizeRows; ++i) {
    const SizeRow* row = &sizeRows[i];
    if (row->kind == def->kind) {
      double value;
      memcpy(&value, (const char*)def + row->offset, sizeof value);
      checkNumber(row->name, value, row->rule, row->unit, reporter);
    }
  }
}

// -------------------------------------------------------------------------------------------- kinds

static void checkPoints(const crVec3* points, int pointCount, crReporter* reporter)
{
  checkCount("pointCount", pointCount, CR_LEAST_POINTS, reporter);
  if (points == NULL) {
    crReportError(reporter, "points must be given");
    return;
  }
  for (int i = 0; i < pointCount; ++i) {
    if (!crIsFiniteVec3(points[i])) {
      char message[CR_TEXT_SIZE];
      snprintf(message, sizeof message, "points[%d] must be finite", i);
      reportVector(message, points[i], NULL, "m", reporter);
    }
  }
}

static void checkString(const char* string, crReporter* reporter)
{
  if (string == NULL || string[0] == '\0') {
    crReportError(reporter, "string must not be empty");
  } else if (!crIsUtf8(string, strlen(string))) {
    crReportError(reporter, "string must be UTF-8");
  }
}

static void checkSurface(const crShapeDef* def, crReporter* reporter)
{
  if (def->inflate > 0.0) {
    crReportNumber(reporter, "inflate is not for shapes of profiles", def->inflate, "0", "m", "move the profile out");
  }
}

static void checkGear(const crShapeDef* def, crReporter* reporter)
{
  checkCount("teeth", def->as.involuteGear.teeth, CR_LEAST_TEETH, reporter);
  if (def->as.involuteGear.teeth > CR_MOST_TEETH) {
    crReportNumber(reporter, "teeth must be at most 1000", (double)def->as.involuteGear.teeth, "<= 1000", NULL, NULL);
  }
  if (!isfinite(def->as.involuteGear.shift)) {
    crReportNumber(reporter, "shift must be a finite number", def->as.involuteGear.shift, NULL, NULL, NULL);
  }
  if (def->as.involuteGear.pressureAngle >= 0.25 * CR_PI) {
    crReportNumber(reporter, "pressureAngle must be below pi/4", def->as.involuteGear.pressureAngle,
                   "0 < pressureAngle < pi/4", "rad", "0.349 is 20 degrees");
  }
}

// What is more than a rule for one number.
static void checkKind(const crShapeDef* def, crReporter* reporter)
{
  switch (def->kind) {
    case cr_shapeCylinder:
      checkSmaller("boreRadius", def->as.cylinder.boreRadius, "radius", def->as.cylinder.radius, reporter);
      break;
    case cr_shapeHull: checkPoints(def->as.hull.points, def->as.hull.pointCount, reporter); break;
    case cr_shapeMesh:
      if (def->as.mesh.mesh == NULL) {
        crReportError(reporter, "mesh must be given");
      }
      if ((unsigned)def->as.mesh.pieces > cr_piecesDecompose) {
        crReportNumber(reporter, "pieces must be one of its values", (double)def->as.mesh.pieces, NULL, NULL, NULL);
      }
      if (def->as.mesh.pieces != cr_piecesDecompose && def->as.mesh.error != 0.0) {
        crReportNumber(reporter, "error is that of pieces that are made", def->as.mesh.error, "0", "m",
                       "pieces = \"decompose\" makes them");
      }
      break;
    case cr_shapeHeightField: crCheckHeightField(def, reporter); break;
    case cr_shapeCoil:
      checkSmaller("wireRadius", def->as.coil.wireRadius, "radius", def->as.coil.radius, reporter);
      checkCount("windings", def->as.coil.windings, CR_LEAST_WINDINGS, reporter);
      break;
    case cr_shapeGearWheel:
      checkSmaller("boreRadius", def->as.gearWheel.boreRadius, "radius", def->as.gearWheel.radius, reporter);
      checkCount("teeth", def->as.gearWheel.teeth, CR_LEAST_TEETH, reporter);
      break;
    case cr_shapeRevolved:
    case cr_shapeExtruded: checkSurface(def, reporter); break;
    case cr_shapeInvoluteGear:
      checkSurface(def, reporter);
      checkGear(def, reporter);
      break;
    case cr_shapeText: checkString(def->as.text.string, reporter); break;
    default: break;
  }
}

// --------------------------------------------------------------------------- what all kinds share

static void checkAxis(crVec3 axis, crReporter* reporter)
{
  if (!crIsFiniteVec3(axis)) {
    reportVector("axis must be finite", axis, NULL, NULL, reporter);
  }
}

// Rounding and inflating are for contact; rounding needs an edge.
static void checkUseless(const crShapeDef* def, crReporter* reporter)
{
  const crShapeRow* row = &cr_shapeRows[def->kind];
  char message[CR_TEXT_SIZE];
  if (row->isVisualOnly && def->inflate > 0.0) {
    snprintf(message, sizeof message, "inflate is not for a shape of kind %s, which is only drawn", row->text);
    crReportNumber(reporter, message, def->inflate, "0", "m", "leave inflate out");
  }
  if (!row->hasEdges && crResolveZero(def->rounding) > 0.0) {
    snprintf(message, sizeof message, "rounding is not for a shape of kind %s, which %s", row->text,
             row->isVisualOnly ? "is only drawn" : "has no edges");
    crReportNumber(reporter, message, def->rounding, "0", "m",
                   row->isVisualOnly ? "leave rounding out" : "leave rounding out; inflate adds to the outside");
  }
}

static bool canBeHollow(crShapeKind kind)
{
  return kind == cr_shapeSphere || kind == cr_shapeBox || kind == cr_shapeCylinder || kind == cr_shapeCone;
}

// A room is touched by its walls, as they are.
static void checkHollow(const crShapeDef* def, crReporter* reporter)
{
  if (!canBeHollow(def->kind)) {
    crReportError(reporter, "hollow is not for a shape of kind %s: for a sphere, box, cylinder or cone",
                  cr_shapeRows[def->kind].text);
    return;
  }
  bool hasBore = def->kind == cr_shapeCylinder && def->as.cylinder.boreRadius > 0.0;
  if (crResolveZero(def->rounding) > 0.0 || def->inflate > 0.0 || hasBore) {
    crReportError(reporter, "a hollow shape has no rounding, inflate or boreRadius");
  }
}

static void checkPieces(const crShapeDef* def, crReporter* reporter)
{
  bool isProfile = def->kind == cr_shapeRevolved || def->kind == cr_shapeExtruded || def->kind == cr_shapeInvoluteGear;
  if (checkNumber("pieceError", def->pieceError, ruleNotNegative, "m", reporter) && def->pieceError > 0.0 &&
      !isProfile && !(def->isHollow && def->kind != cr_shapeBox)) {
    crReportNumber(reporter, "pieceError is for revolved and extruded shapes, and hollow ones but boxes",
                   def->pieceError, "0", "m", NULL);
  }
}

static void checkSweep(const crShapeDef* def, crReporter* reporter)
{
  bool isRight = checkNumber("inflate", def->inflate, ruleNotNegative, "m", reporter);
  if (def->rounding < 0.0 && isfinite(def->rounding)) {
    crReportNumber(reporter, "rounding must not be negative", def->rounding, ">= 0", "m",
                   "leave rounding out for the default");
    isRight = false;
  } else {
    isRight = checkNumber("rounding", def->rounding, ruleNotNegative, "m", reporter) && isRight;
  }
  if (isRight) {
    checkUseless(def, reporter);
  }
}

void crCheckRounding(const crShapeDef* def, double most, double smallestDimension, crReporter* reporter)
{
  if (def->rounding > most * (1.0 + CR_ROUNDING_SLACK)) {
    char message[CR_TEXT_SIZE], allowed[CR_TEXT_SIZE], hint[CR_TEXT_SIZE];
    if (most < CR_ROUNDING_SHARE * smallestDimension) {
      snprintf(message, sizeof message, "rounding must not exceed the radius of the largest ball inside");
    } else {
      snprintf(message, sizeof message, "rounding must not exceed %g %% of the smallest dimension",
               100.0 * CR_ROUNDING_SHARE);
    }
    snprintf(allowed, sizeof allowed, "<= %.12g", most);
    snprintf(hint, sizeof hint, "the smallest dimension is %.12g m", smallestDimension);
    crReportNumber(reporter, message, def->rounding, allowed, "m", hint);
  }
}

crStatus crCheckShapeDef(const crShapeDef* def, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  if (def == NULL) {
    crComplaint complaint = { .message = "the shape's def is NULL" };
    crReport(&reporter, cr_severityError, cr_errorMisuse, &complaint);
    return cr_errorMisuse;
  }
  if (!crCheckSize(&reporter, "crShapeDef", def->size, sizeof *def)) {
    return cr_errorMisuse;
  }
  crShapeDef complete = *def;
  def = &complete;
  crCompleteShapeDef(&complete);
  if (!crIsShapeKind(def->kind)) {
    crReportNumber(&reporter, "kind must be one of the shape kinds", (double)def->kind, NULL, NULL, NULL);
    return cr_errorModel;
  }
  checkAxis(def->axis, &reporter);
  checkSweep(def, &reporter);
  int errorCount = reporter.errorCount;
  checkSizes(def, &reporter);
  checkKind(def, &reporter);
  if (def->isHollow) {
    checkHollow(def, &reporter);
  }
  checkPieces(def, &reporter);
  const crShapeRow* row = &cr_shapeRows[def->kind];
  if (reporter.errorCount == errorCount && row->hasEdges && row->measure != NULL) {
    crCheckRounding(def, crFindLargestRounding(def), row->measure(def), &reporter);
  }
  return reporter.errorCount == 0 ? cr_ok : cr_errorModel;
}
