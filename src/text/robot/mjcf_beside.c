// What stands beside the bodies of an MJCF file: equalities as joints that close loops or as couplings, exclusions,
// keyframes as start values.
#include "text/robot/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int findBody(const crMjcf* mjcf, const crXmlNode* node, const char* attribute)
{
  const char* name = crXml_Get(node, attribute);
  int found = name != NULL ? crMjcf_Find(mjcf, "body", name) : 0;
  if (found < 0) {
    crRobot_Fail(mjcf->robot, node, crXml_Get(node, "name"), "there is no body '%.200s'", name);
  }
  return found;
}

// ---------------------------------------------------------------------------------------- equalities

// Where a body is before anything moves.
static crRobotPlace findPlace(const crRobot* robot, int body)
{
  crRobotPlace place = crMakePlace((crVec3){ 0 }, crIdentityQuat());
  for (; body > 0; body = robot->bodies.items[body].parent) {
    place = crMulPlace(robot->bodies.items[body].place, place);
  }
  return place;
}

static crRobotPlace relate(crRobotPlace a, crRobotPlace b)
{
  crQuat back = crConjugate(a.q);
  return crMakePlace(crMulMV(crQuatToMat3(back), crSub(b.p, a.p)), crMulQuat(back, b.q));
}

static const char* addEnd(crRobot* robot, const char* name, const char* suffix, int body, crRobotPlace place,
                          const crXmlNode* node)
{
  const char* path =
      crRobot_GetPath(robot, crRobot_TakeName(robot, crElementList_Print(robot->list, "%s_%s", name, suffix), "end"));
  crRobot_AddFrame(robot, path, crRobot_GetPath(robot, robot->bodies.items[body].name), place, crXml_GetSource(node));
  return path;
}

static void addLoop(crRobot* robot, const char* type, const char* name, const char* a, const char* b,
                    const crXmlNode* node)
{
  crValue table = crElementList_Typed(robot->list, type);
  crElementList_Put(robot->list, &table, "name", crMakeString(crRobot_GetPath(robot, name)));
  crElementList_Put(robot->list, &table, "objectA", crMakeString(a));
  crElementList_Put(robot->list, &table, "objectB", crMakeString(b));
  crRobot_AddLater(robot, cr_elementJoint, table, crXml_GetSource(node));
}

// A point of one body stays at a point of another (connect), or with its axes (weld).
static void readHold(const crMjcf* mjcf, const crXmlNode* node, const char* name)
{
  crRobot* robot = mjcf->robot;
  bool isWeld = crXml_Is(node, "weld");
  if (crXml_Get(node, "site1") != NULL) {
    int a = crMjcf_Find(mjcf, "site", crXml_Get(node, "site1"));
    int b = crXml_Get(node, "site2") != NULL ? crMjcf_Find(mjcf, "site", crXml_Get(node, "site2")) : -1;
    if (a < 0 || b < 0) {
      crRobot_Fail(robot, node, name, "there are no such sites to hold together");
      return;
    }
    const crMjcf* outer = crMjcf_GetOuter(mjcf);
    addLoop(robot, isWeld ? "fix" : "spherical", name, outer->sites.items[a], outer->sites.items[b], node);
    return;
  }
  int a = findBody(mjcf, node, "body1"), b = findBody(mjcf, node, "body2");
  if (a < 0 || b < 0) {
    return;
  }
  crMjcfElement element = crMjcf_MakeElement(mjcf, node, NULL);
  crRobotPlace anchor = crMakePlace(crMjcf_ReadVec3(&element, "anchor", (crVec3){ 0 }), crIdentityQuat());
  crRobotPlace atA = findPlace(robot, a), atB = findPlace(robot, b);
  double pose[7] = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };
  crMjcf_ReadNumbers(&element, "relpose", 7, pose);
  crQuat turn = { pose[3], pose[4], pose[5], pose[6] };
  crRobotPlace onA = anchor, onB = relate(atB, crMulPlace(atA, anchor));
  if (isWeld) { // the anchor is one of the second body; a relative pose of zeros is the one at the start
    onB = anchor;
    onA = crQuatLength(turn) > 0.0
              ? crMulPlace(crMakePlace(crMakeVec3(pose[0], pose[1], pose[2]), crNormalizeQuat(turn)), anchor)
              : relate(atA, crMulPlace(atB, anchor));
  }
  addLoop(robot, isWeld ? "fix" : "spherical", name, addEnd(robot, name, "a", a, onA, node),
          addEnd(robot, name, "b", b, onB, node), node);
}

// q1 - ref1 = c0 + c1 (q2 - ref2)
static void readJointEquality(const crMjcf* mjcf, const crXmlNode* node, const char* name)
{
  crRobot* robot = mjcf->robot;
  const char *first = crXml_Get(node, "joint1"), *second = crXml_Get(node, "joint2");
  int a = first != NULL ? crMjcf_Find(mjcf, "joint", first) : -1;
  int b = second != NULL ? crMjcf_Find(mjcf, "joint", second) : -1;
  double c[5] = { 0.0, 1.0, 0.0, 0.0, 0.0 };
  crMjcfElement element = crMjcf_MakeElement(mjcf, node, NULL);
  crMjcf_ReadNumbers(&element, "polycoef", 5, c);
  if (a < 0 || (second != NULL && b < 0) || crJointKind_CountV(robot->joints.items[a].kind) != 1 ||
      (b >= 0 && crJointKind_CountV(robot->joints.items[b].kind) != 1)) {
    crRobot_Fail(robot, node, name, "there are no such joints to couple");
    return;
  }
  if (c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0) {
    crRobot_Fail(robot, node, name, "joints are coupled by a straight line only: polycoef has more");
    return;
  }
  double reference = b >= 0 ? robot->joints.items[b].reference : 0.0;
  double offset = robot->joints.items[a].reference + c[0] - c[1] * reference;
  crRobot_Couple(robot, name, a, b, b >= 0 ? c[1] : 0.0, offset, crXml_GetSource(node));
}

static void readEquality(const crMjcf* mjcf, const crXmlNode* node)
{
  crRobot* robot = mjcf->robot;
  crMjcfElement element = crMjcf_MakeElement(mjcf, node, NULL);
  element.kind = "equality";
  const char* own = crXml_Get(node, "name");
  if (crMjcf_Is(&element, "active", "false")) {
    return;
  }
  bool isHold = crXml_Is(node, "connect") || crXml_Is(node, "weld"), isJoint = crXml_Is(node, "joint");
  if (!isHold && !isJoint) {
    char what[80];
    snprintf(what, sizeof what, "<%.60s> equalities", node->name);
    crRobot_Ignore(robot, what);
    return;
  }
  const char* wanted = crElementList_Print(robot->list, "%s%s", mjcf->prefix, own != NULL ? own : node->name);
  const char* name = isHold ? crRobot_TakeName(robot, wanted, "loop") : wanted;
  if (isHold) {
    readHold(mjcf, node, name);
  } else {
    readJointEquality(mjcf, node, name);
  }
}

void crMjcf_ReadEqualities(crMjcf* mjcf)
{
  for (const crXmlNode* part = crXml_Find(mjcf->root, "equality"); part != NULL; part = crXml_FindNext(part)) {
    for (const crXmlNode* node = part->first; node != NULL; node = node->next) {
      readEquality(mjcf, node);
    }
  }
}

// ---------------------------------------------------------------------------------------- exclusions

static void setApart(crRobot* robot, int body)
{
  const crRobotBody* owner = &robot->bodies.items[body];
  for (int i = owner->shapeStart; i < owner->shapeStart + owner->shapeCount; ++i) {
    robot->shapes.items[i].isApart = true;
  }
}

// An exclusion would hold for all that stands still, the floor with the foot of a robot. So groups keep a body that
// moves apart from one that does not. false: both move.
static bool keepApart(crRobot* robot, int a, int b)
{
  if (crRobot_IsStatic(robot, a) == crRobot_IsStatic(robot, b)) {
    return false;
  }
  crRobotPair* pair = crArray_Push(&robot->apart, &robot->list->arena.allocator);
  if (pair == NULL) {
    robot->list->isOutOfMemory = true;
    return true;
  }
  *pair = (crRobotPair){ a, b, -1, -1 };
  setApart(robot, a);
  setApart(robot, b);
  return true;
}

static void readExclusion(const crMjcf* mjcf, const crXmlNode* node)
{
  crRobot* robot = mjcf->robot;
  int a = findBody(mjcf, node, "body1"), b = findBody(mjcf, node, "body2");
  if (a < 0 || b < 0 || keepApart(robot, a, b)) {
    return;
  }
  crValue table = crMakeTable();
  crElementList_Put(robot->list, &table, "objectA", crMakeString(crRobot_GetPath(robot, robot->bodies.items[a].name)));
  crElementList_Put(robot->list, &table, "objectB", crMakeString(crRobot_GetPath(robot, robot->bodies.items[b].name)));
  crRobot_AddLater(robot, cr_elementExclusion, table, crXml_GetSource(node));
}

static int findShape(const crMjcf* mjcf, const crXmlNode* node, const char* attribute)
{
  const char* name = crXml_Get(node, attribute);
  int found = name != NULL ? crMjcf_Find(mjcf, "geom", name) : -1;
  if (found < 0) {
    crRobot_Fail(mjcf->robot, node, crXml_Get(node, "name"), "there is no geom '%.200s'", name != NULL ? name : "");
  }
  return found;
}

static void readPair(const crMjcf* mjcf, const crXmlNode* node)
{
  crRobot* robot = mjcf->robot;
  int a = findShape(mjcf, node, "geom1"), b = findShape(mjcf, node, "geom2");
  crRobotPair* pair = a >= 0 && b >= 0 && a != b ? crArray_Push(&robot->pairs, &robot->list->arena.allocator) : NULL;
  if (pair == NULL) {
    return;
  }
  *pair = (crRobotPair){ a, b, robot->shapes.items[a].pairStart, robot->shapes.items[b].pairStart };
  robot->shapes.items[a].pairStart = robot->shapes.items[b].pairStart = robot->pairs.count - 1;
}

void crMjcf_ReadPairs(crMjcf* mjcf)
{
  for (const crXmlNode* part = crXml_Find(mjcf->root, "contact"); part != NULL; part = crXml_FindNext(part)) {
    for (const crXmlNode* node = crXml_Find(part, "pair"); node != NULL; node = crXml_FindNext(node)) {
      readPair(mjcf, node);
    }
  }
}

void crMjcf_ReadExclusions(crMjcf* mjcf)
{
  for (const crXmlNode* part = crXml_Find(mjcf->root, "contact"); part != NULL; part = crXml_FindNext(part)) {
    for (const crXmlNode* node = part->first; node != NULL; node = node->next) {
      if (crXml_Is(node, "exclude")) {
        readExclusion(mjcf, node);
      }
    }
  }
}

// ----------------------------------------------------------------------------------------- keyframes

static int countCoordinates(const crRobotJoint* joint)
{
  return crJointKind_CountQ(joint->kind);
}

static void setStart(crRobot* robot, crRobotJoint* joint, const double* q)
{
  int count = countCoordinates(joint);
  if (joint->isFree) {
    crQuat turn = { q[3], q[4], q[5], q[6] };
    robot->bodies.items[joint->body].place =
        crMakePlace(crMakeVec3(q[0], q[1], q[2]), crQuatLength(turn) > 0.0 ? crNormalizeQuat(turn) : crIdentityQuat());
    return;
  }
  memcpy(joint->start, q, (size_t)count * sizeof *q);
  joint->hasStart = true;
}

static void applyKeyframe(crMjcf* mjcf, const crXmlNode* node)
{
  crRobot* robot = mjcf->robot;
  const char* text = crXml_Get(node, "qpos");
  int needed = 0, count = text != NULL ? crSplitNumbers(text, 0, NULL) : 0;
  for (int j = 0; j < robot->joints.count; ++j) {
    needed += countCoordinates(&robot->joints.items[j]);
  }
  if (text == NULL) {
    return;
  }
  double* q = crArena_AllocateZero(&robot->list->arena, (size_t)(count > 0 ? count : 0) + 1, sizeof *q);
  if (q == NULL) {
    robot->list->isOutOfMemory = true;
    return;
  }
  if (count != needed) {
    crRobot_Fail(robot, node, NULL, "qpos of this keyframe has %d numbers, the model %d coordinates", count, needed);
    return;
  }
  crSplitNumbers(text, count, q);
  for (int j = 0, place = 0; j < robot->joints.count; ++j) {
    setStart(robot, &robot->joints.items[j], q + place);
    place += countCoordinates(&robot->joints.items[j]);
  }
}

// Whether a text is this number.
static bool isNumber(const char* text, int number)
{
  char* end = NULL;
  long value = strtol(text, &end, 10);
  return end != text && *end == '\0' && value == number;
}

void crMjcf_ReadKeyframe(crMjcf* mjcf)
{
  const char* wanted = mjcf->robot->options.keyframe;
  int number = 0;
  if (wanted == NULL) {
    return;
  }
  for (const crXmlNode* part = crXml_Find(mjcf->root, "keyframe"); part != NULL; part = crXml_FindNext(part)) {
    for (const crXmlNode* node = crXml_Find(part, "key"); node != NULL; node = crXml_FindNext(node), ++number) {
      const char* name = crXml_Get(node, "name");
      if ((name != NULL && strcmp(name, wanted) == 0) || (name == NULL && isNumber(wanted, number))) {
        applyKeyframe(mjcf, node);
        return;
      }
    }
  }
  crRobot_Fail(mjcf->robot, NULL, NULL, "there is no keyframe '%.200s'", wanted);
}
