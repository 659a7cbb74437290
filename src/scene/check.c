// Checks of names and numbers that all elements share.
#include "base/text.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

bool crCheckFinite(crReporter* reporter, const char* field, double value)
{
  if (isfinite(value)) {
    return true;
  }
  char message[160];
  snprintf(message, sizeof message, "%s must be finite", field);
  crReportNumber(reporter, message, value, "any finite number", NULL, NULL);
  return false;
}

bool crCheckPositive(crReporter* reporter, const char* field, double value, const char* unit)
{
  if (value > 0.0 && isfinite(value)) {
    return true;
  }
  char message[160];
  snprintf(message, sizeof message, "%s must be positive", field);
  crReportNumber(reporter, message, value, "> 0", unit, NULL);
  return false;
}

bool crCheckNotNegative(crReporter* reporter, const char* field, double value, const char* unit)
{
  if (value >= 0.0 && isfinite(value)) {
    return true;
  }
  char message[160];
  snprintf(message, sizeof message, "%s must not be negative", field);
  crReportNumber(reporter, message, value, ">= 0", unit, NULL);
  return false;
}

bool crCheckFiniteVec3(crReporter* reporter, const char* field, crVec3 value)
{
  const double components[] = { value.x, value.y, value.z };
  for (int i = 0; i < 3; ++i) {
    if (!isfinite(components[i])) {
      char name[128];
      snprintf(name, sizeof name, "%s.%c", field, "xyz"[i]);
      return crCheckFinite(reporter, name, components[i]);
    }
  }
  return true;
}

bool crCheckColor(crReporter* reporter, const char* field, crColor color)
{
  const double parts[] = { color.r, color.g, color.b, color.a };
  for (int i = 0; i < 4; ++i) {
    if (!(parts[i] >= 0.0 && parts[i] <= 1.0)) {
      char message[160];
      snprintf(message, sizeof message, "%s.%c is out of range", field, "rgba"[i]);
      crReportNumber(reporter, message, parts[i], "0 .. 1", NULL, "colours are given from 0 to 1, not to 255");
      return false;
    }
  }
  return true;
}

// ------------------------------------------------------------------------------------------- names

// What is wrong with one name of a path, or NULL.
static const char* findNameFault(const char* name, size_t size, bool isPath)
{
  if (size == 0) {
    return isPath ? "has an empty part" : "is empty";
  }
  if (size > (isPath ? CR_MAX_NAME : CR_MAX_PATH)) {
    return "is too long";
  }
  if (name[0] == ' ' || name[size - 1] == ' ') {
    return "begins or ends with a space";
  }
  for (size_t i = 0; i < size; ++i) {
    if (name[i] == '\n' || name[i] == '\t') {
      return "holds a control character";
    }
  }
  return NULL;
}

static const char* findPathFault(const char* path)
{
  const char* start = path;
  for (;;) {
    const char* dot = strchr(start, '.');
    size_t size = dot != NULL ? (size_t)(dot - start) : strlen(start);
    const char* fault = findNameFault(start, size, true);
    if (fault != NULL || dot == NULL) {
      return fault;
    }
    start = dot + 1;
  }
}

void crCheckName(crReporter* reporter, const char* what, const char* name, bool isPath)
{
  const char* fault = NULL;
  if (name == NULL) {
    fault = "is missing";
  } else if (!crIsUtf8(name, strlen(name))) {
    fault = "is not valid UTF-8";
  } else if (!crIsCleanText(name)) {
    fault = "holds a control character";
  } else if (strlen(name) > CR_MAX_PATH) {
    fault = "is too long";
  } else {
    fault = isPath ? findPathFault(name) : findNameFault(name, strlen(name), false);
  }
  if (fault == NULL) {
    return;
  }
  char message[160], found[96] = "nothing";
  snprintf(message, sizeof message, "%s %s", what, fault);
  if (name != NULL) {
    snprintf(found, sizeof found, "'%.80s'%s", name, strlen(name) > 80 ? "..." : "");
    for (char* c = found; *c != '\0'; ++c) {
      *c = *c == '\n' || *c == '\t' ? '?' : *c; // a message keeps these, a name must not break its line
    }
  }
  crComplaint complaint = { .message = message,
                            .found = found,
                            .allowed = "1 to 255 bytes of UTF-8 without '.', control characters or outer spaces" };
  reporter->path = NULL; // the name is no address
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

void crScene_CheckPathIsFree(const crScene* scene, crReporter* reporter, const char* path)
{
  static const char* const articles[] = {
    [cr_elementAssembly] = "an assembly", [cr_elementObject] = "an object", [cr_elementJoint] = "a joint",
    [cr_elementForce] = "a force",        [cr_elementSignal] = "a signal",  [cr_elementCoupling] = "a coupling",
    [cr_elementAction] = "an action"
  };
  crId existing = crScene_Find(scene, path);
  int index = crScene_IndexOf(scene, (crElementKind)existing.kind, existing);
  if (!crIsNull(existing) && !crScene_IsReplaced(scene, (crElementKind)existing.kind, index)) {
    crReportError(reporter, "the name is taken already by %s", articles[existing.kind]);
  }
}
