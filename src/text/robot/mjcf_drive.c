// Actuators and sensors of MJCF as signals.
//
//   force = gain control + b0 + b1 length + b2 velocity,   length = gear q,   joint force = gear force
//
// where the control, an input, and the force may be limited. The forces of all actuators of a joint add up.
#include "text/robot/mjcf.h"

#include <stdio.h>
#include <string.h>

typedef struct Actuator {
  crMjcfElement element;
  const char* name; // in the robot, without the prefix of an import
  int joint;
  double gear;
  double gain, bias[3];
} Actuator;

static const char* addSignal(crRobot* robot, const char* type, const char* wanted, crValue fields,
                             const crXmlNode* node)
{
  const char* path = crRobot_GetPath(robot, crRobot_TakeName(robot, wanted, "signal"));
  crElementList_Put(robot->list, &fields, "type", crMakeString(type));
  crElementList_Put(robot->list, &fields, "name", crMakeString(path));
  crRobot_AddLater(robot, cr_elementSignal, fields, crXml_GetSource(node));
  return path;
}

static const char* addLimit(const Actuator* actuator, const char* signal, const char* limited, const char* range,
                            const char* suffix)
{
  crRobot* robot = actuator->element.mjcf->robot;
  double ends[2];
  if (!crMjcf_IsLimited(&actuator->element, limited, range) ||
      crMjcf_ReadNumbers(&actuator->element, range, 2, ends) != 2 || !(ends[0] < ends[1])) {
    return signal;
  }
  crValue fields = crMakeTable();
  crElementList_Put(robot->list, &fields, "input", crMakeString(signal));
  crElementList_Put(robot->list, &fields, "min", crMakeNumber(ends[0]));
  crElementList_Put(robot->list, &fields, "max", crMakeNumber(ends[1]));
  return addSignal(robot, "limit", crElementList_Print(robot->list, "%s_%s", actuator->name, suffix), fields,
                   actuator->element.node);
}

// A sum of signals with factors; one alone with the factor 1 is itself.
static const char* addSum(crRobot* robot, const char* wanted, const char* const* inputs, const double* factors,
                          int count, const crXmlNode* node)
{
  if (count == 1 && factors[0] == 1.0) {
    return inputs[0];
  }
  crValue fields = crMakeTable(), list = crMakeTable();
  for (int i = 0; i < count; ++i) {
    crElementList_Append(robot->list, &list, crMakeString(inputs[i]));
  }
  crElementList_Put(robot->list, &fields, "inputs", list);
  crElementList_Put(robot->list, &fields, "factors", crElementList_Numbers(robot->list, factors, count));
  return addSignal(robot, "sum", wanted, fields, node);
}

static const char* addJointSensor(crRobot* robot, int joint, const char* quantity, const char* wanted,
                                  const crXmlNode* node)
{
  crValue fields = crMakeTable();
  crElementList_Put(robot->list, &fields, "joint",
                    crMakeString(crRobot_GetPath(robot, robot->joints.items[joint].name)));
  crElementList_Put(robot->list, &fields, "quantity", crMakeString(quantity));
  return addSignal(robot, "jointSensor", wanted, fields, node);
}

// The constants of the words that stand for a general actuator.
static bool readConstants(Actuator* a)
{
  const crMjcfElement* e = &a->element;
  const crXmlNode* node = e->node;
  double gain[10] = { 1.0 }, bias[10] = { 0.0 };
  a->gain = 1.0;
  if (crXml_Is(node, "position")) {
    a->gain = crMjcf_ReadNumber(e, "kp", 1.0);
    a->bias[1] = -a->gain;
    a->bias[2] = -crMjcf_ReadNumber(e, "kv", 0.0);
    if (crMjcf_Get(e, "dampratio") != NULL) {
      crRobot_Ignore(e->mjcf->robot, "dampratio");
    }
  } else if (crXml_Is(node, "velocity")) {
    a->gain = crMjcf_ReadNumber(e, "kv", 1.0);
    a->bias[2] = -a->gain;
  } else if (crXml_Is(node, "general")) {
    crMjcf_ReadNumbers(e, "gainprm", 10, gain);
    bool isPlain = crMjcf_Get(e, "gaintype") == NULL || crMjcf_Is(e, "gaintype", "fixed");
    if (crMjcf_Is(e, "biastype", "affine")) {
      crMjcf_ReadNumbers(e, "biasprm", 10, bias);
      memcpy(a->bias, bias, sizeof a->bias);
    } else if (crMjcf_Get(e, "biastype") != NULL && !crMjcf_Is(e, "biastype", "none")) {
      return false;
    }
    a->gain = gain[0];
    return isPlain;
  } else if (!crXml_Is(node, "motor")) {
    return false;
  }
  return true;
}

static bool isStatic(const crMjcfElement* e)
{
  return crMjcf_Get(e, "dyntype") == NULL || crMjcf_Is(e, "dyntype", "none");
}

static const char* addForce(const Actuator* a)
{
  crRobot* robot = a->element.mjcf->robot;
  const crXmlNode* node = a->element.node;
  const char* inputs[4];
  double factors[4];
  int count = 0;
  crValue none = crMakeTable();
  const char* control = addSignal(robot, "input", a->name, none, node);
  if (a->gain != 0.0) {
    inputs[count] = addLimit(a, control, "ctrllimited", "ctrlrange", "control");
    factors[count++] = a->gain;
  }
  if (a->bias[1] != 0.0) {
    inputs[count] =
        addJointSensor(robot, a->joint, "position", crElementList_Print(robot->list, "%s_position", a->name), node);
    factors[count++] = a->bias[1] * a->gear;
  }
  if (a->bias[2] != 0.0) {
    inputs[count] = addJointSensor(robot, a->joint, "rate", crElementList_Print(robot->list, "%s_rate", a->name), node);
    factors[count++] = a->bias[2] * a->gear;
  }
  if (a->bias[0] != 0.0 || count == 0) {
    crValue fields = crMakeTable();
    crElementList_Put(robot->list, &fields, "value", crMakeNumber(a->bias[0]));
    inputs[count] =
        addSignal(robot, "constant", crElementList_Print(robot->list, "%s_constant", a->name), fields, node);
    factors[count++] = 1.0;
  }
  const char* force =
      addSum(robot, crElementList_Print(robot->list, "%s_force", a->name), inputs, factors, count, node);
  return addLimit(a, force, "forcelimited", "forcerange", "limit");
}

static void readActuator(const crMjcf* mjcf, const crXmlNode* node)
{
  crRobot* robot = mjcf->robot;
  Actuator a = { .element = crMjcf_MakeElement(mjcf, node, NULL), .gear = 1.0, .joint = -1 };
  const char *joint = crXml_Get(node, "joint"), *name = crXml_Get(node, "name");
  joint = joint != NULL ? joint : crXml_Get(node, "jointinparent");
  char what[80];
  snprintf(what, sizeof what, "<%.60s> actuators", node->name);
  a.joint = joint != NULL ? crMjcf_Find(mjcf, "joint", joint) : -1;
  if (joint != NULL && a.joint < 0) {
    crRobot_Fail(robot, node, name, "there is no joint '%.200s' to drive", joint);
    return;
  }
  if (joint == NULL || crJointKind_CountV(robot->joints.items[a.joint].kind) != 1) {
    crRobot_Ignore(robot, "actuators of other things than hinges and slides");
    return;
  }
  if (!readConstants(&a)) {
    crRobot_Ignore(robot, what);
    return;
  }
  if (!isStatic(&a.element)) {
    crRobot_Ignore(robot, "dynamics of actuators");
  }
  double gear[6] = { 1.0, 0.0, 0.0, 0.0, 0.0, 0.0 };
  crMjcf_ReadNumbers(&a.element, "gear", 6, gear);
  a.gear = gear[0];
  a.name = name != NULL ? crElementList_Print(robot->list, "%s%s", mjcf->prefix, name)
                        : crElementList_Print(robot->list, "%s_motor", robot->joints.items[a.joint].name);
  const char* force = addForce(&a);
  crRobotJoint* driven = &robot->joints.items[a.joint];
  bool isFirst = driven->drive.kind == cr_valueNull;
  const char* inputs[2] = { isFirst ? force : driven->drive.string, force };
  double factors[2] = { isFirst ? a.gear : 1.0, a.gear };
  const char* wanted = crElementList_Print(robot->list, "%s_drive", driven->name);
  const char* sum = addSum(robot, wanted, inputs, factors, isFirst ? 1 : 2, node);
  robot->joints.items[a.joint].drive = crMakeString(sum);
}

void crMjcf_ReadActuators(crMjcf* mjcf)
{
  for (const crXmlNode* part = crXml_Find(mjcf->root, "actuator"); part != NULL; part = crXml_FindNext(part)) {
    for (const crXmlNode* node = part->first; node != NULL; node = node->next) {
      readActuator(mjcf, node);
    }
  }
}

// ------------------------------------------------------------------------------------------- sensors

static const char* findObject(const crMjcf* mjcf, const char* type, const char* name)
{
  crRobot* robot = mjcf->robot;
  bool isSite = type != NULL && strcmp(type, "site") == 0;
  int found = name == NULL ? -1 : crMjcf_Find(mjcf, isSite ? "site" : "body", name);
  if (found < 0) {
    return NULL;
  }
  return isSite ? crMjcf_GetOuter(mjcf)->sites.items[found] : crRobot_GetPath(robot, robot->bodies.items[found].name);
}

// Three signals, one for each component.
static void addFrameSensor(const crMjcf* mjcf, const crXmlNode* node, const char* quantity, bool isOwnFrame)
{
  static const char* const components[] = { "x", "y", "z" };
  crRobot* robot = mjcf->robot;
  bool isSite = crXml_Get(node, "site") != NULL;
  const char *type = isSite ? "site" : crXml_Get(node, "objtype"),
             *name = isSite ? crXml_Get(node, "site") : crXml_Get(node, "objname"), *own = crXml_Get(node, "name");
  const char* object = findObject(mjcf, type, name);
  const char* reference = findObject(mjcf, crXml_Get(node, "reftype"), crXml_Get(node, "refname"));
  if (object == NULL) {
    crRobot_Ignore(robot, "sensors of other things than bodies, sites and joints");
    return;
  }
  const char* world = robot->options.parent != NULL ? robot->options.parent : robot->bodies.items[0].name;
  for (int i = 0; i < 3; ++i) {
    crValue fields = crMakeTable();
    crElementList_Put(robot->list, &fields, "objectA", crMakeString(reference != NULL ? reference : world));
    crElementList_Put(robot->list, &fields, "objectB", crMakeString(object));
    crElementList_Put(robot->list, &fields, "quantity", crMakeString(quantity));
    crElementList_Put(robot->list, &fields, "component", crMakeString(components[i]));
    if (isOwnFrame || reference != NULL) {
      crElementList_Put(robot->list, &fields, "frame", crMakeString(isOwnFrame ? object : reference));
    }
    addSignal(robot, "frameSensor",
              crElementList_Print(robot->list, "%s%s_%s", mjcf->prefix, own != NULL ? own : node->name, components[i]),
              fields, node);
  }
}

static void readSensor(const crMjcf* mjcf, const crXmlNode* node)
{
  static const struct {
    const char* word;
    const char* quantity;
    bool isOwnFrame;
  } frames[] = { { "framepos", "position", false },
                 { "framelinvel", "velocity", false },
                 { "frameangvel", "angularVelocity", false },
                 { "gyro", "angularVelocity", true },
                 { "velocimeter", "velocity", true } };
  crRobot* robot = mjcf->robot;
  bool isRate = crXml_Is(node, "jointvel");
  const char *joint = crXml_Get(node, "joint"), *own = crXml_Get(node, "name");
  if (isRate || crXml_Is(node, "jointpos")) {
    int found = joint != NULL ? crMjcf_Find(mjcf, "joint", joint) : -1;
    if (found < 0 || crJointKind_CountV(robot->joints.items[found].kind) != 1) {
      crRobot_Fail(robot, node, own, "there is no joint '%.200s' to measure", joint != NULL ? joint : "");
      return;
    }
    const char* wanted = crElementList_Print(robot->list, "%s%s", mjcf->prefix, own != NULL ? own : joint);
    addJointSensor(robot, found, isRate ? "rate" : "position", wanted, node);
    return;
  }
  for (size_t i = 0; i < sizeof frames / sizeof *frames; ++i) {
    if (crXml_Is(node, frames[i].word)) {
      addFrameSensor(mjcf, node, frames[i].quantity, frames[i].isOwnFrame);
      return;
    }
  }
  char what[80];
  snprintf(what, sizeof what, "<%.60s> sensors", node->name);
  crRobot_Ignore(robot, what);
}

void crMjcf_ReadSensors(crMjcf* mjcf)
{
  for (const crXmlNode* part = crXml_Find(mjcf->root, "sensor"); part != NULL; part = crXml_FindNext(part)) {
    for (const crXmlNode* node = part->first; node != NULL; node = node->next) {
      readSensor(mjcf, node);
    }
  }
}
