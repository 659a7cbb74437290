// URDF, the robot description format of ROS: links, and joints that make a tree of them.
//
// A joint has its frame, which is the child's at zero, in the parent's frame; roll, pitch and yaw are angles about the
// fixed axes x, y, z in this order.
#include "text/robot/robot.h"

#include <stdio.h>
#include <string.h>

#define CR_STOP_TRAVEL 0.01 // [rad] or, a tenth of it, [m] by which a joint's effort presses into a stop
#define CR_STOP_DAMPING 1.0 // [s/rad] or, ten times it, [s/m]: a stop that is hit at 1 rad/s gives back less than half
#define CR_LEAST_STOP_EFFORT 10.0 // [N m] or [N] of joints that name none
#define CR_MOST_STOP_EFFORT 1e6   // [N m] or [N]: more is a file's way to say that there is no limit

// Links or joints, and their names.
typedef struct NodeList {
  const crXmlNode** items;
  int count, capacity;
  crMap names; // -> items
} NodeList;

typedef struct Urdf {
  crRobot* robot;
  const crXmlNode* root;
  NodeList links, joints, materials;
  int* parentJoint;        // (links.count) joint whose child it is; -1: none
  int* firstChild;         // (links.count) joint whose parent it is; -1: none
  int* bodyOf;             // (links.count) body of the robot; -1: not reached
  int *parentOf, *childOf; // (joints.count) links; -1: unknown
  int* nextChild;          // (joints.count) next joint with the same parent
  const char** linkNames;  // (links.count) in the robot
  int* jointPlaces;        // (joints.count) in the robot; -1: not reached, or fixed
} Urdf;

// -------------------------------------------------------------------------------------------- parts

static crQuat readAngles(const double rpy[3])
{
  crQuat roll = crAxisAngleToQuat(crMakeVec3(1.0, 0.0, 0.0), rpy[0]);
  crQuat pitch = crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), rpy[1]);
  crQuat yaw = crAxisAngleToQuat(crMakeVec3(0.0, 0.0, 1.0), rpy[2]);
  return crMulQuat(yaw, crMulQuat(pitch, roll));
}

static crRobotPlace readOrigin(crRobot* robot, const crXmlNode* node)
{
  const crXmlNode* origin = crXml_Find(node, "origin");
  double rpy[3] = { 0.0, 0.0, 0.0 };
  crVec3 p = crRobot_ReadVec3(robot, origin, "xyz", (crVec3){ 0 });
  crRobot_ReadNumbers(robot, origin, "rpy", 3, rpy);
  return crMakePlace(p, readAngles(rpy));
}

static const char* getName(const crXmlNode* node)
{
  const char* name = crXml_Get(node, "name");
  return name != NULL ? name : "";
}

// The attribute of a child, e.g. link of <parent link="base"/>; NULL: it is not there.
static const char* getBelow(const crXmlNode* node, const char* child, const char* attribute)
{
  const crXmlNode* found = crXml_Find(node, child);
  return found != NULL ? crXml_Get(found, attribute) : NULL;
}

static void readInertial(Urdf* urdf, const crXmlNode* link, crRobotBody* body)
{
  const crXmlNode* inertial = crXml_Find(link, "inertial");
  if (inertial == NULL) {
    return;
  }
  static const char* const names[] = { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" };
  const crXmlNode* tensor = crXml_Find(inertial, "inertia");
  double I[6];
  for (int i = 0; i < 6; ++i) {
    I[i] = crRobot_ReadNumber(urdf->robot, tensor, names[i], 0.0);
  }
  crRobotPlace place = readOrigin(urdf->robot, inertial);
  crSym3 own = { I[0], I[1], I[2], I[3], I[4], I[5] };
  bool isTurned = place.q.x != 0.0 || place.q.y != 0.0 || place.q.z != 0.0;
  body->inertia.mass = crRobot_ReadNumber(urdf->robot, crXml_Find(inertial, "mass"), "value", 0.0);
  body->inertia.com = place.p;
  body->inertia.I_com = isTurned ? crRotateSym3(crQuatToMat3(place.q), own) : own;
}

// ------------------------------------------------------------------------------------------- shapes

static void putSize(crRobot* robot, const crXmlNode* node, const char* attribute, crValue* shape)
{
  if (crXml_Get(node, attribute) == NULL) {
    return; // the element's own reader says that it is missing
  }
  crElementList_Put(robot->list, shape, attribute, crMakeNumber(crRobot_ReadNumber(robot, node, attribute, 0.0)));
}

static crValue readGeometry(Urdf* urdf, const crXmlNode* part, const char* link)
{
  crRobot* robot = urdf->robot;
  const crXmlNode* geometry = crXml_Find(part, "geometry");
  const crXmlNode* node = geometry != NULL ? geometry->first : NULL;
  crValue none = { .kind = cr_valueNull };
  if (node == NULL) {
    crRobot_Warn(robot, part, link, "this <%s> has no geometry", part->name);
    return none;
  }
  if (crXml_Is(node, "mesh")) {
    const char* file = crXml_Get(node, "filename");
    crVec3 scale = crRobot_ReadVec3(robot, node, "scale", crMakeVec3(1.0, 1.0, 1.0));
    if (file == NULL) {
      crRobot_Fail(robot, node, link, "this mesh has no filename");
      return none;
    }
    return crRobot_MakeMesh(robot, node, link, file, scale);
  }
  crValue shape = crElementList_Typed(robot->list, node->name);
  if (crXml_Is(node, "box")) {
    crElementList_Put(robot->list, &shape, "size",
                      crElementList_Vec3(robot->list, crRobot_ReadVec3(robot, node, "size", (crVec3){ 0 })));
  } else if (crXml_Is(node, "sphere")) {
    putSize(robot, node, "radius", &shape);
  } else if (crXml_Is(node, "cylinder") || crXml_Is(node, "capsule")) {
    putSize(robot, node, "radius", &shape);
    putSize(robot, node, "length", &shape);
  } else {
    crRobot_Fail(robot, node, link, "there is no shape <%s> in URDF", node->name);
    return none;
  }
  return shape;
}

static bool readColor(crRobot* robot, const crXmlNode* material, double rgba[4])
{
  const crXmlNode* color = material != NULL ? crXml_Find(material, "color") : NULL;
  return color != NULL && crXml_Get(color, "rgba") != NULL && crRobot_ReadNumbers(robot, color, "rgba", 4, rgba);
}

// A material has its colour where it stands, or is one of those at the top, or of another link.
static const char* readVisualMaterial(Urdf* urdf, const crXmlNode* visual)
{
  const crXmlNode* material = crXml_Find(visual, "material");
  double rgba[4] = { 0.6, 0.6, 0.65, 1.0 };
  bool isFound = readColor(urdf->robot, material, rgba);
  const char* name = material != NULL ? getName(material) : "";
  int known = isFound || name[0] == '\0' ? -1 : crMap_FindString(&urdf->materials.names, name);
  if (known >= 0) {
    readColor(urdf->robot, urdf->materials.items[known], rgba);
  }
  if (material != NULL && crXml_Find(material, "texture") != NULL) {
    crRobot_Ignore(urdf->robot, "<texture>");
  }
  return crRobot_FormatColor(urdf->robot, rgba);
}

static void readShapes(Urdf* urdf, const crXmlNode* link, int body, const char* bodyName)
{
  crRobot* robot = urdf->robot;
  const char* contact = robot->options.contact != NULL ? robot->options.contact : "Steel";
  bool hasVisual = crXml_Find(link, "visual") != NULL;
  unsigned own = robot->options.group;
  for (const crXmlNode* part = link->first; part != NULL && !robot->options.isBare; part = part->next) {
    bool isVisual = crXml_Is(part, "visual"), isCollision = crXml_Is(part, "collision");
    if (!isVisual && (!isCollision || (contact[0] == '\0' && hasVisual))) {
      continue;
    }
    crValue value = readGeometry(urdf, part, bodyName);
    const char* name = crElementList_Print(robot->list, "%s_%s", bodyName, part->name);
    crRobotShape* shape =
        value.kind != cr_valueNull ? crRobot_AddShape(robot, name, body, crXml_GetSource(part)) : NULL;
    if (shape == NULL) {
      continue;
    }
    shape->shape = value;
    shape->place = readOrigin(robot, part);
    if (isVisual || !hasVisual) {
      shape->visual = readVisualMaterial(urdf, part);
    }
    if (isCollision && contact[0] != '\0') {
      shape->contact = contact;
      shape->group = own;
      shape->mask = robot->options.collidesWithSelf ? 0xFFFFFFFFu : ~own;
    }
  }
}

// ------------------------------------------------------------------------------------------- joints

static crJointKind findKind(const char* type, bool* outIsFixed, bool* outIsKnown)
{
  static const struct {
    const char* type;
    crJointKind kind;
  } kinds[] = { { "revolute", cr_jointRevolute },   { "continuous", cr_jointRevolute },
                { "prismatic", cr_jointPrismatic }, { "floating", cr_jointFreeMotion },
                { "planar", cr_jointPlanar },       { "spherical", cr_jointSpherical },
                { "ball", cr_jointSpherical },      { "fixed", cr_jointFix } };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (type != NULL && strcmp(kinds[i].type, type) == 0) {
      *outIsFixed = kinds[i].kind == cr_jointFix;
      *outIsKnown = true;
      return kinds[i].kind;
    }
  }
  *outIsKnown = false;
  *outIsFixed = true;
  return cr_jointFix;
}

// Stops give way by a little under the effort of the joint. Where a file has no range, or one that is empty, there are
// none; where 0 is outside, the joint starts at the nearer end.
static void readLimits(crRobot* robot, const crXmlNode* node, crRobotJoint* joint)
{
  const crXmlNode* limit = crXml_Find(node, "limit");
  const char* type = crXml_Get(node, "type");
  if (limit == NULL || strcmp(type, "continuous") == 0 || crJointKind_CountV(joint->kind) != 1) {
    return;
  }
  double lower = crRobot_ReadNumber(robot, limit, "lower", 0.0);
  double upper = crRobot_ReadNumber(robot, limit, "upper", 0.0);
  double effort = fabs(crRobot_ReadNumber(robot, limit, "effort", 0.0));
  if (!(lower < upper)) {
    return;
  }
  effort = effort >= CR_LEAST_STOP_EFFORT ? (effort < CR_MOST_STOP_EFFORT ? effort : CR_MOST_STOP_EFFORT)
                                          : CR_LEAST_STOP_EFFORT;
  double travel = joint->kind == cr_jointPrismatic ? 0.1 * CR_STOP_TRAVEL : CR_STOP_TRAVEL;
  joint->hasStops = true;
  joint->stopMin = isfinite(lower) && lower > -CR_NO_STOP ? lower : -CR_NO_STOP;
  joint->stopMax = isfinite(upper) && upper < CR_NO_STOP ? upper : CR_NO_STOP;
  joint->stopStiffness = effort / travel;
  joint->stopDamping = joint->kind == cr_jointPrismatic ? 10.0 * CR_STOP_DAMPING : CR_STOP_DAMPING;
  joint->start[0] = lower > 0.0 ? lower : upper < 0.0 ? upper : 0.0;
}

static void readDynamics(crRobot* robot, const crXmlNode* node, crRobotJoint* joint)
{
  const crXmlNode* dynamics = crXml_Find(node, "dynamics");
  joint->damping = crRobot_ReadNumber(robot, dynamics, "damping", 0.0);
  joint->friction = crRobot_ReadNumber(robot, dynamics, "friction", 0.0);
  joint->stiffness = crRobot_ReadNumber(robot, dynamics, "spring_stiffness", 0.0);
  joint->rest = crRobot_ReadNumber(robot, dynamics, "spring_reference", 0.0);
}

static void readJoint(Urdf* urdf, int index, int body, bool* outIsMoved)
{
  crRobot* robot = urdf->robot;
  const crXmlNode* node = urdf->joints.items[index];
  const char* type = crXml_Get(node, "type");
  bool isFixed, isKnown;
  crJointKind kind = findKind(type, &isFixed, &isKnown);
  if (!isKnown) {
    crComplaint complaint = { .message = "there is no such type of joint",
                              .found = type != NULL ? type : "nothing",
                              .allowed = "revolute, continuous, prismatic, fixed, floating, planar" };
    crRobot_Complain(robot, node, getName(node), &complaint);
  }
  *outIsMoved = !isFixed;
  if (isFixed) {
    return;
  }
  const char* name = crRobot_TakeName(robot, getName(node), "joint");
  crRobotJoint* joint = crRobot_AddJoint(robot, name, body, kind, crXml_GetSource(node));
  if (joint == NULL) {
    return;
  }
  urdf->jointPlaces[index] = robot->joints.count - 1;
  crVec3 axis = crRobot_ReadVec3(robot, crXml_Find(node, "axis"), "xyz", crMakeVec3(1.0, 0.0, 0.0));
  joint->axis = crNormalize(axis);
  bool hasAxis = kind != cr_jointFreeMotion && kind != cr_jointSpherical;
  if (hasAxis && !(crLength(axis) > 0.0 && crIsFiniteVec3(axis))) {
    crRobot_Fail(robot, node, name, "the axis of this joint has no direction");
  }
  readLimits(robot, node, joint);
  readDynamics(robot, node, joint);
}

// ---------------------------------------------------------------------------------------- the tree

static int indexOf(Urdf* urdf, const crXmlNode* joint, const char* end)
{
  const char* name = getBelow(joint, end, "link");
  int index = name != NULL ? crMap_FindString(&urdf->links.names, name) : -1;
  if (name == NULL) {
    crRobot_Fail(urdf->robot, joint, getName(joint), "this joint has no <%s link=\"...\"/>", end);
  } else if (index < 0) {
    crNearest nearest = crMakeNearest(name);
    for (int i = 0; i < urdf->links.count; ++i) {
      crNearest_Try(&nearest, getName(urdf->links.items[i]));
    }
    char message[160];
    snprintf(message, sizeof message, "the %s of this joint does not exist", end);
    crComplaint complaint = { .message = message, .found = name, .allowed = nearest.best };
    crRobot_Complain(urdf->robot, joint, getName(joint), &complaint);
  }
  return index;
}

static void listNamed(crRobot* robot, const crXmlNode* node, const char* name, NodeList* list)
{
  const crXmlNode** place = crArray_Push(list, &robot->list->arena.allocator);
  if (place == NULL || !crMap_SetString(&list->names, name, list->count - 1)) {
    robot->list->isOutOfMemory = true;
    list->count -= place != NULL;
    return;
  }
  *place = node;
}

// Lists a link or joint under its name, unless that is missing or taken.
static void listNode(crRobot* robot, const crXmlNode* node, NodeList* list)
{
  const char* name = crXml_Get(node, "name");
  if (name == NULL || name[0] == '\0') {
    crRobot_Fail(robot, node, NULL, "this %s has no name", node->name);
  } else if (crMap_FindString(&list->names, name) >= 0) {
    crRobot_Fail(robot, node, name, "another %s has this name", node->name);
  } else {
    listNamed(robot, node, name, list);
  }
}

// Lists a material that has a colour; the first one of a name counts.
static void listMaterial(Urdf* urdf, const crXmlNode* material)
{
  const char* name = material != NULL ? crXml_Get(material, "name") : NULL;
  if (name != NULL && crXml_Find(material, "color") != NULL && crMap_FindString(&urdf->materials.names, name) < 0) {
    listNamed(urdf->robot, material, name, &urdf->materials);
  }
}

static void listMaterials(Urdf* urdf)
{
  for (const crXmlNode* node = urdf->root->first; node != NULL; node = node->next) {
    if (crXml_Is(node, "material")) {
      listMaterial(urdf, node);
    }
  }
  for (int l = 0; l < urdf->links.count; ++l) {
    const crXmlNode* visual = crXml_Find(urdf->links.items[l], "visual");
    for (; visual != NULL; visual = crXml_FindNext(visual)) {
      listMaterial(urdf, crXml_Find(visual, "material"));
    }
  }
}

static void listNodes(Urdf* urdf)
{
  static const char* const known[] = { "material", "transmission" };
  for (const crXmlNode* node = urdf->root->first; node != NULL; node = node->next) {
    if (crXml_Is(node, "link")) {
      listNode(urdf->robot, node, &urdf->links);
    } else if (crXml_Is(node, "joint")) {
      listNode(urdf->robot, node, &urdf->joints);
    } else if (!crXml_Is(node, known[0]) && !crXml_Is(node, known[1])) {
      char what[64];
      snprintf(what, sizeof what, "<%.60s>", node->name);
      crRobot_Ignore(urdf->robot, what);
    }
  }
}

// Which joint has which link as its child; who hangs on whom.
static void connect(Urdf* urdf)
{
  for (int l = 0; l < urdf->links.count; ++l) {
    urdf->parentJoint[l] = urdf->firstChild[l] = urdf->bodyOf[l] = -1;
  }
  for (int j = urdf->joints.count - 1; j >= 0; --j) { // so that children are listed in the order of the file
    const crXmlNode* joint = urdf->joints.items[j];
    int parent = indexOf(urdf, joint, "parent"), child = indexOf(urdf, joint, "child");
    urdf->jointPlaces[j] = -1;
    urdf->parentOf[j] = parent;
    urdf->childOf[j] = child;
    if (parent < 0 || child < 0) {
      continue;
    }
    if (urdf->parentJoint[child] >= 0) {
      const char* other = getName(urdf->joints.items[urdf->parentJoint[child]]);
      crRobot_Fail(urdf->robot, joint, getName(joint), "the link '%.200s' hangs on two joints, this one and '%.200s'",
                   getName(urdf->links.items[child]), other);
      continue;
    }
    urdf->parentJoint[child] = j;
    urdf->nextChild[j] = urdf->firstChild[parent];
    urdf->firstChild[parent] = j;
  }
}

// The one link that hangs on no joint; -1 after a report.
static int findRoot(Urdf* urdf)
{
  int root = -1;
  for (int l = 0; l < urdf->links.count; ++l) {
    const crXmlNode* link = urdf->links.items[l];
    if (urdf->parentJoint[l] >= 0) {
      continue;
    }
    if (root >= 0) {
      crRobot_Fail(urdf->robot, link, getName(link),
                   "this link hangs on no joint, as '%.200s' does: a robot is one tree",
                   getName(urdf->links.items[root]));
      return -1;
    }
    root = l;
  }
  if (root < 0) {
    crRobot_Fail(urdf->robot, urdf->root, NULL,
                 urdf->links.count == 0 ? "the robot has no links" : "the joints form a circle: no link is the root");
  }
  return root;
}

static void readLink(Urdf* urdf, int l)
{
  crRobot* robot = urdf->robot;
  const crXmlNode* link = urdf->links.items[l];
  int joint = urdf->parentJoint[l];
  int parent = joint >= 0 ? urdf->bodyOf[urdf->parentOf[joint]] : CR_ROBOT_WORLD;
  const char* name = urdf->linkNames[l];
  crRobotBody* body = crRobot_AddBody(robot, name, parent, crXml_GetSource(link));
  if (body == NULL) {
    return;
  }
  int index = urdf->bodyOf[l] = robot->bodies.count - 1;
  bool isMoved = false;
  if (joint < 0) {
    body->isWorld = strcmp(getName(link), "world") == 0 && !robot->options.isFree;
    body->isFree = robot->options.isFree;
  } else {
    body->place = readOrigin(robot, urdf->joints.items[joint]);
  }
  if (!body->isWorld) {
    readInertial(urdf, link, body);
  }
  if (joint >= 0) {
    readJoint(urdf, joint, index, &isMoved);
  }
  readShapes(urdf, link, index, name);
}

// Link by link from the root, each behind what it hangs on.
static void readTree(Urdf* urdf, int root)
{
  int* stack = crArena_AllocateZero(&urdf->robot->list->arena, (size_t)urdf->links.count + 1, sizeof *stack);
  if (stack == NULL) {
    urdf->robot->list->isOutOfMemory = true;
    return;
  }
  int depth = 0, count = 0;
  stack[depth++] = root;
  while (depth > 0 && !urdf->robot->list->isOutOfMemory) {
    int l = stack[--depth];
    readLink(urdf, l);
    ++count;
    int first = depth;
    for (int j = urdf->firstChild[l]; j >= 0; j = urdf->nextChild[j]) {
      stack[depth++] = urdf->childOf[j];
    }
    for (int a = first, b = depth - 1; a < b; ++a, --b) { // the first child is read first
      int swap = stack[a];
      stack[a] = stack[b];
      stack[b] = swap;
    }
  }
  for (int l = 0; l < urdf->links.count && count < urdf->links.count; ++l) {
    if (urdf->bodyOf[l] < 0) {
      crRobot_Fail(urdf->robot, urdf->links.items[l], getName(urdf->links.items[l]),
                   "this link is not part of the tree: joints form a circle");
      return;
    }
  }
}

// ------------------------------------------------------------------------------------------- drives

static double readReduction(crRobot* robot, const crXmlNode* node)
{
  const crXmlNode* reduction = crXml_Find(node, "mechanicalReduction");
  double value = 1.0;
  if (reduction != NULL && crSplitNumbers(reduction->text, 1, &value) != 1) {
    crRobot_Fail(robot, reduction, NULL, "the mechanicalReduction is not a number");
  }
  return value;
}

static crRobotJoint* findJoint(Urdf* urdf, const char* name, const crXmlNode** outNode)
{
  int index = crMap_FindString(&urdf->joints.names, name);
  if (index < 0 || urdf->jointPlaces[index] < 0) {
    return NULL;
  }
  *outNode = urdf->joints.items[index];
  return &urdf->robot->joints.items[urdf->jointPlaces[index]];
}

static const char* addSignal(crRobot* robot, const char* type, const char* wanted, crValue* fields,
                             const crXmlNode* node)
{
  const char* path = crRobot_GetPath(robot, crRobot_TakeName(robot, wanted, "signal"));
  crElementList_Put(robot->list, fields, "type", crMakeString(type));
  crElementList_Put(robot->list, fields, "name", crMakeString(path));
  crRobot_AddLater(robot, cr_elementSignal, *fields, crXml_GetSource(node));
  return path;
}

// A transmission makes its joint one that is driven: an input named as the actuator, times the reduction, at most the
// effort of the joint.
static void readTransmission(Urdf* urdf, const crXmlNode* node)
{
  crRobot* robot = urdf->robot;
  const crXmlNode *jointNode = crXml_Find(node, "joint"), *actuator = crXml_Find(node, "actuator"), *source = NULL;
  crRobotJoint* joint = jointNode != NULL ? findJoint(urdf, getName(jointNode), &source) : NULL;
  if (joint == NULL || actuator == NULL || crJointKind_CountV(joint->kind) != 1 || joint->drive.kind != cr_valueNull) {
    crRobot_Ignore(robot, "<transmission> of no single joint");
    return;
  }
  double reduction = readReduction(robot, actuator) * readReduction(robot, jointNode);
  double effort = fabs(crRobot_ReadNumber(robot, crXml_Find(source, "limit"), "effort", 0.0));
  crElementList* list = robot->list;
  crValue input = crMakeTable();
  crElementList_Put(list, &input, "unit", crMakeString(joint->kind == cr_jointPrismatic ? "N" : "N m"));
  const char* signal = addSignal(robot, "input", getName(actuator), &input, node);
  if (reduction != 1.0) {
    crValue gear = crMakeTable(), inputs = crMakeTable();
    crElementList_Append(list, &inputs, crMakeString(signal));
    crElementList_Put(list, &gear, "inputs", inputs);
    crElementList_Put(list, &gear, "factors", crElementList_Numbers(list, &reduction, 1));
    signal = addSignal(robot, "sum", crElementList_Print(list, "%s_gear", joint->name), &gear, node);
  }
  if (effort > 0.0 && effort < CR_NO_STOP) {
    crValue limit = crMakeTable();
    crElementList_Put(list, &limit, "input", crMakeString(signal));
    crElementList_Put(list, &limit, "min", crMakeNumber(-effort));
    crElementList_Put(list, &limit, "max", crMakeNumber(effort));
    signal = addSignal(robot, "limit", crElementList_Print(list, "%s_limit", joint->name), &limit, node);
  }
  joint->drive = crMakeString(signal);
}

// q = multiplier x q of the other joint + offset
static void readMimic(Urdf* urdf, const crXmlNode* node)
{
  crRobot* robot = urdf->robot;
  const crXmlNode *mimic = crXml_Find(node, "mimic"), *otherNode = NULL;
  int own = crMap_FindString(&urdf->joints.names, getName(node));
  if (mimic == NULL || robot->options.isBare || robot->options.hasNoLoops || own < 0 || urdf->jointPlaces[own] < 0) {
    return;
  }
  const char* name = crXml_Get(mimic, "joint");
  const crRobotJoint* other = name != NULL ? findJoint(urdf, name, &otherNode) : NULL;
  const crRobotJoint* joint = &robot->joints.items[urdf->jointPlaces[own]];
  if (other == NULL || other == joint || crJointKind_CountV(other->kind) != 1 || crJointKind_CountV(joint->kind) != 1) {
    crComplaint complaint = { .message = "this joint mimics none that it can follow",
                              .found = name != NULL ? name : "nothing",
                              .allowed = "the name of another joint that turns or slides" };
    crRobot_Complain(robot, mimic, joint->name, &complaint);
    return;
  }
  double factor = crRobot_ReadNumber(robot, mimic, "multiplier", 1.0);
  double offset = crRobot_ReadNumber(robot, mimic, "offset", 0.0);
  crRobot_Couple(robot, crElementList_Print(robot->list, "%s_mimic", joint->name), urdf->jointPlaces[own],
                 (int)(other - robot->joints.items), factor, offset, crXml_GetSource(mimic));
}

static void readExtras(Urdf* urdf)
{
  for (const crXmlNode* node = urdf->root->first; node != NULL; node = node->next) {
    if (crXml_Is(node, "transmission") && !urdf->robot->options.isBare && !urdf->robot->options.hasNoDrives) {
      readTransmission(urdf, node);
    } else if (crXml_Is(node, "joint")) {
      readMimic(urdf, node);
    }
  }
}

// -------------------------------------------------------------------------------------------- robot

static bool allocate(Urdf* urdf)
{
  crArena* arena = &urdf->robot->list->arena;
  size_t links = (size_t)urdf->links.count + 1, joints = (size_t)urdf->joints.count + 1;
  urdf->parentJoint = crArena_AllocateZero(arena, links, sizeof(int));
  urdf->firstChild = crArena_AllocateZero(arena, links, sizeof(int));
  urdf->bodyOf = crArena_AllocateZero(arena, links, sizeof(int));
  urdf->parentOf = crArena_AllocateZero(arena, joints, sizeof(int));
  urdf->childOf = crArena_AllocateZero(arena, joints, sizeof(int));
  urdf->nextChild = crArena_AllocateZero(arena, joints, sizeof(int));
  urdf->linkNames = crArena_AllocateZero(arena, links, sizeof(char*));
  urdf->jointPlaces = crArena_AllocateZero(arena, joints, sizeof(int));
  return urdf->parentJoint != NULL && urdf->firstChild != NULL && urdf->bodyOf != NULL && urdf->parentOf != NULL &&
         urdf->childOf != NULL && urdf->nextChild != NULL && urdf->linkNames != NULL && urdf->jointPlaces != NULL;
}

static void readRobot(Urdf* urdf)
{
  listNodes(urdf);
  listMaterials(urdf);
  if (!allocate(urdf)) {
    urdf->robot->list->isOutOfMemory = true;
    return;
  }
  connect(urdf);
  int root = findRoot(urdf);
  if (root < 0) {
    return;
  }
  for (int l = 0; l < urdf->links.count; ++l) { // links keep their names, whatever joints are called
    urdf->linkNames[l] = crRobot_TakeName(urdf->robot, getName(urdf->links.items[l]), "link");
  }
  readTree(urdf, root);
  readExtras(urdf);
}

void crReadUrdf(crRobot* robot, const crXmlNode* root)
{
  Urdf urdf = { .robot = robot, .root = root };
  const crAllocator* allocator = &robot->list->arena.allocator;
  crMap_Init(&urdf.links.names, allocator);
  crMap_Init(&urdf.joints.names, allocator);
  crMap_Init(&urdf.materials.names, allocator);
  readRobot(&urdf);
  crMap_Free(&urdf.links.names);
  crMap_Free(&urdf.joints.names);
  crMap_Free(&urdf.materials.names);
  crArray_Free(&urdf.links, allocator);
  crArray_Free(&urdf.joints, allocator);
  crArray_Free(&urdf.materials, allocator);
}
