// Attributes of MJCF elements, with the defaults of their classes; orientations in all their forms.
#include "base/text.h"
#include "text/robot/mjcf.h"

#include <stdio.h>
#include <string.h>

#define CR_MOST_CLASSES 100 // classes in classes

static const char* const actuators[] = { "general", "motor",    "position", "velocity", "intvelocity",
                                         "damper",  "cylinder", "muscle",   "adhesion", "dcmotor" };

static bool isActuator(const char* name)
{
  for (size_t i = 0; i < sizeof actuators / sizeof *actuators; ++i) {
    if (strcmp(actuators[i], name) == 0) {
      return true;
    }
  }
  return false;
}

// The <default> element of a class; NULL: there is none.
static const crXmlNode* findClass(const crMjcf* mjcf, const char* name)
{
  int found = crMap_FindString(&mjcf->classes, name != NULL ? name : "main");
  return found >= 0 ? mjcf->classNodes.items[found] : NULL;
}

crMjcfElement crMjcf_MakeElement(const crMjcf* mjcf, const crXmlNode* node, const char* childClass)
{
  const char* own = crXml_Get(node, "class");
  const char* kind = isActuator(node->name) ? "general" : node->name;
  crMjcfElement element = { mjcf, node, own != NULL ? own : childClass, kind };
  if (own != NULL && findClass(mjcf, own) == NULL && strcmp(own, "main") != 0) {
    crRobot_Fail(mjcf->robot, node, crXml_Get(node, "name"), "there is no class '%.200s'", own);
  }
  return element;
}

// The attribute among the defaults for a kind of element. All actuators share theirs; those of the same word come
// first.
static const char* getDefault(const crXmlNode* node, const crMjcfElement* element, const char* attribute)
{
  const char* found = NULL;
  for (const crXmlNode* child = node->first; child != NULL; child = child->next) {
    bool isSame = crXml_Is(child, element->node->name);
    bool isKin = strcmp(element->kind, "general") == 0 && isActuator(child->name);
    const char* value = isSame || isKin ? crXml_Get(child, attribute) : NULL;
    found = value != NULL && (isSame || found == NULL) ? value : found;
  }
  return found;
}

// The class around a class.
static const crXmlNode* getOuter(const crXmlNode* node)
{
  return node->parent != NULL && crXml_Is(node->parent, "default") ? node->parent : NULL;
}

const char* crMjcf_Get(const crMjcfElement* element, const char* attribute)
{
  const char* value = crXml_Get(element->node, attribute);
  const crXmlNode* node = value == NULL ? findClass(element->mjcf, element->className) : NULL;
  for (int depth = 0; node != NULL && value == NULL && depth < CR_MOST_CLASSES; ++depth) {
    value = getDefault(node, element, attribute);
    node = getOuter(node);
  }
  return value;
}

bool crMjcf_Is(const crMjcfElement* element, const char* attribute, const char* value)
{
  const char* found = crMjcf_Get(element, attribute);
  return found != NULL && strcmp(found, value) == 0;
}

int crMjcf_ReadNumbers(const crMjcfElement* element, const char* attribute, int most, double* numbers)
{
  const char* text = crMjcf_Get(element, attribute);
  double read[16];
  if (text == NULL) {
    return 0;
  }
  int count = crSplitNumbers(text, 16, read);
  if (count < 0 || count > most) {
    char message[160], found[96], allowed[48];
    snprintf(message, sizeof message, "%s of <%s> cannot be read", attribute, element->node->name);
    crShowText(text, strlen(text), found, sizeof found);
    snprintf(allowed, sizeof allowed, most == 1 ? "a number" : "up to %d numbers", most);
    crComplaint complaint = { .message = message, .found = found, .allowed = allowed };
    crRobot_Complain(element->mjcf->robot, element->node, crXml_Get(element->node, "name"), &complaint);
    return 0;
  }
  memcpy(numbers, read, (size_t)count * sizeof *numbers);
  return count;
}

double crMjcf_ReadNumber(const crMjcfElement* element, const char* attribute, double otherwise)
{
  crMjcf_ReadNumbers(element, attribute, 1, &otherwise);
  return otherwise;
}

crVec3 crMjcf_ReadVec3(const crMjcfElement* element, const char* attribute, crVec3 otherwise)
{
  double n[3] = { otherwise.x, otherwise.y, otherwise.z };
  crMjcf_ReadNumbers(element, attribute, 3, n);
  return crMakeVec3(n[0], n[1], n[2]);
}

bool crMjcf_IsLimited(const crMjcfElement* element, const char* limited, const char* range)
{
  const char* value = crMjcf_Get(element, limited);
  if (value != NULL && strcmp(value, "auto") != 0) {
    return strcmp(value, "true") == 0;
  }
  return element->mjcf->isAutoLimited && crMjcf_Get(element, range) != NULL;
}

// ------------------------------------------------------------------------------------- orientations

static crVec3 axisOf(char letter)
{
  char small = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
  return small == 'x'   ? crMakeVec3(1.0, 0.0, 0.0)
         : small == 'y' ? crMakeVec3(0.0, 1.0, 0.0)
                        : crMakeVec3(0.0, 0.0, 1.0);
}

// Small letters turn about axes that move along, large ones about fixed axes.
static crQuat fromEuler(const crMjcf* mjcf, const double angles[3])
{
  crQuat q = crIdentityQuat();
  for (int i = 0; i < 3; ++i) {
    char letter = mjcf->eulerSequence[i];
    crQuat turn = crAxisAngleToQuat(axisOf(letter), mjcf->angle * angles[i]);
    q = letter >= 'a' ? crMulQuat(q, turn) : crMulQuat(turn, q);
  }
  return q;
}

static crQuat fromAxes(const double n[6])
{
  crVec3 x = crNormalize(crMakeVec3(n[0], n[1], n[2])), y = crMakeVec3(n[3], n[4], n[5]);
  y = crNormalize(crMulAdd(y, -crDot(x, y), x));
  crMat3 R = { x, y, crCross(x, y) };
  return crMat3ToQuat(R);
}

// Where several forms are given, some of them by classes, the last one of this list holds, as it does in MuJoCo.
static const struct {
  const char* name;
  int count;
} forms[] = { { "quat", 4 }, { "axisangle", 4 }, { "xyaxes", 6 }, { "zaxis", 3 }, { "euler", 3 } };

static crQuat convert(const crMjcf* mjcf, int form, const double n[6])
{
  crVec3 v = crMakeVec3(n[0], n[1], n[2]);
  switch (form) {
    case 0: return (crQuat){ n[0], n[1], n[2], n[3] };
    case 1: return crAxisAngleToQuat(v, mjcf->angle * n[3]);
    case 2: return fromAxes(n);
    case 3: return crShortestRotation(crMakeVec3(0.0, 0.0, 1.0), crNormalize(v));
    default: return fromEuler(mjcf, n);
  }
}

crRobotPlace crMjcf_ReadPlace(const crMjcfElement* element)
{
  crRobotPlace place = crMakePlace(crMjcf_ReadVec3(element, "pos", (crVec3){ 0 }), crIdentityQuat());
  for (int form = 0; form < 5; ++form) {
    double n[6] = { 0.0 };
    if (crMjcf_Get(element, forms[form].name) == NULL) {
      continue;
    }
    int count = crMjcf_ReadNumbers(element, forms[form].name, forms[form].count, n);
    place.q = convert(element->mjcf, form, n);
    double length = crQuatLength(place.q);
    if (count != forms[form].count || !(length > 0.0 && isfinite(length))) {
      crRobot_Fail(element->mjcf->robot, element->node, crXml_Get(element->node, "name"),
                   "%s of <%s> is no orientation", forms[form].name, element->node->name);
      place.q = crIdentityQuat();
    }
    place.q = crNormalizeQuat(place.q);
  }
  return place;
}
