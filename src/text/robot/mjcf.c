// MJCF: bodies in bodies. First all bodies are found, with frames, copies and attached files around them, so that each
// keeps its name; then what each holds is read.
#include "text/robot/mjcf.h"

#include "base/read_file.h"
#include "text/path.h"
#include "text/read_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_MOST_ELEMENTS 200000 // bodies, frames, geoms, joints: copies multiply
#define CR_MOST_ATTACHED 20     // files in files
#define CR_STOP_TRAVEL                                                                                                 \
  0.01 // [rad] or, a tenth of it, [m] by which the robot's weight, at a lever of 1 m, presses into a stop
#define CR_STOP_DAMPING 1.0 // [s/rad] or, ten times it, [s/m]

// What holds at a place of the tree of elements.
typedef struct Context {
  const crMjcf* mjcf;
  const char* childClass; // NULL: main
  const char* suffix;
  crRobotPlace frame; // in the body
  int body;
} Context;

static bool spend(const crMjcf* mjcf, const crXmlNode* node)
{
  crMjcf* outer = crMjcf_GetOuter(mjcf);
  if (outer->budget == 0) {
    crRobot_Fail(mjcf->robot, node, NULL, "the model has more than %d elements", CR_MOST_ELEMENTS);
  }
  return outer->budget-- > 0;
}

static const char* printName(const Context* context, const char* name)
{
  return crElementList_Print(context->mjcf->robot->list, "%s%s%s", context->mjcf->prefix, name, context->suffix);
}

// A visitor of what is in a body, through frames and copies; returns without going into bodies.
typedef void Visit(const Context* context, const crXmlNode* node, void* data);

static void visitAll(Context context, const crXmlNode* parent, Visit* visit, void* data);

static void visitReplicas(Context context, const crXmlNode* node, Visit* visit, void* data)
{
  crMjcfElement element = crMjcf_MakeElement(context.mjcf, node, context.childClass);
  crRobot* robot = context.mjcf->robot;
  double count = crMjcf_ReadNumber(&element, "count", 0.0);
  const char *separator = crXml_Get(node, "sep"), *before = context.suffix;
  crRobotPlace step = crMjcf_ReadPlace(&element);
  step.p = crMjcf_ReadVec3(&element, "offset", (crVec3){ 0 });
  int digits = 1;
  for (double most = 10.0; most < count && digits < 9; most *= 10.0) {
    ++digits;
  }
  for (int i = 0; i < count && spend(context.mjcf, node); ++i) {
    context.suffix =
        crElementList_Print(robot->list, "%s%s%0*d", before, separator != NULL ? separator : "", digits, i);
    visitAll(context, node, visit, data);
    context.frame = crMulPlace(context.frame, step);
  }
}

static void visitAll(Context context, const crXmlNode* parent, Visit* visit, void* data)
{
  for (const crXmlNode* node = parent->first; node != NULL; node = node->next) {
    if (!spend(context.mjcf, node)) {
      return;
    }
    if (crXml_Is(node, "frame")) {
      Context inside = context;
      crMjcfElement element = crMjcf_MakeElement(context.mjcf, node, NULL);
      inside.childClass = crXml_Get(node, "childclass") != NULL ? crXml_Get(node, "childclass") : context.childClass;
      inside.frame = crMulPlace(context.frame, crMjcf_ReadPlace(&element));
      visitAll(inside, node, visit, data);
    } else if (crXml_Is(node, "replicate")) {
      visitReplicas(context, node, visit, data);
    } else {
      visit(&context, node, data);
    }
  }
}

// ------------------------------------------------------------------------------------------- bodies

static void findBodies(const Context* context, const crXmlNode* node, void* data);

static void addBody(const Context* context, const crXmlNode* node)
{
  const crMjcf* mjcf = context->mjcf;
  crRobot* robot = mjcf->robot;
  crMjcf* outer = crMjcf_GetOuter(mjcf);
  const char *name = crXml_Get(node, "name"), *childClass = crXml_Get(node, "childclass");
  const char* wanted = name != NULL
                           ? printName(context, name)
                           : crElementList_Print(robot->list, "%s_body", robot->bodies.items[context->body].name);
  crMjcfElement element = crMjcf_MakeElement(mjcf, node, NULL);
  crRobotBody* body =
      crRobot_AddBody(robot, crRobot_TakeName(robot, wanted, "body"), context->body, crXml_GetSource(node));
  crMjcfBody* place = crArray_Push(&outer->bodies, &robot->list->arena.allocator);
  if (body == NULL || place == NULL) {
    robot->list->isOutOfMemory = true;
    return;
  }
  int index = robot->bodies.count - 1;
  *place = (crMjcfBody){ mjcf, node, childClass != NULL ? childClass : context->childClass, context->suffix };
  body->place = crMulPlace(context->frame, crMjcf_ReadPlace(&element));
  if (name != NULL) {
    crMjcf_Register(mjcf, "body", name, context->suffix, index);
  }
  if (crXml_Get(node, "mocap") != NULL) {
    crRobot_Ignore(robot, "mocap");
  }
  Context inside = { mjcf, place->childClass, context->suffix, crMakePlace((crVec3){ 0 }, crIdentityQuat()), index };
  visitAll(inside, node, findBodies, NULL);
}

static crMjcf* createMjcf(crRobot* robot, crMjcf* owner, crXmlNode* root, const char* folder, const char* prefix);

static const crXmlNode* findBodyNode(const crXmlNode* node, const char* name)
{
  for (const crXmlNode* child = node->first; child != NULL; child = child->next) {
    const char* own = crXml_Is(child, "body") ? crXml_Get(child, "name") : NULL;
    const crXmlNode* found = own != NULL && strcmp(own, name) == 0 ? child : findBodyNode(child, name);
    if (found != NULL) {
      return found;
    }
  }
  return NULL;
}

// A body of another file, or all that stands in its world.
static void attach(const Context* context, const crXmlNode* node)
{
  const crMjcf* mjcf = context->mjcf;
  crRobot* robot = mjcf->robot;
  const char *model = crXml_Get(node, "model"), *bodyName = crXml_Get(node, "body"),
             *prefix = crXml_Get(node, "prefix");
  const crXmlNode* asset = model != NULL ? crMjcf_FindAsset(mjcf, "model", model) : NULL;
  const char* file = asset != NULL ? crXml_Get(asset, "file") : NULL;
  int depth = 0;
  for (const crMjcf* m = mjcf; m != NULL; m = m->owner) {
    ++depth;
  }
  if (file == NULL || depth > CR_MOST_ATTACHED) {
    crRobot_Fail(robot, node, NULL,
                 file == NULL ? "there is no <model> with a file '%.200s' to attach"
                              : "models attach each other without end ('%.200s')",
                 model != NULL ? model : "");
    return;
  }
  char* text;
  size_t size;
  bool isRelative = file[0] != '/' && mjcf->folder != NULL && mjcf->folder[0] != '\0';
  const char* path =
      crElementList_Print(robot->list, "%s%s%s", isRelative ? mjcf->folder : "", isRelative ? "/" : "", file);
  if (crReadFile(path, CR_MODEL_FILE_LIMIT, &robot->list->arena.allocator, robot->reporter.sink, &text, &size) !=
      cr_ok) {
    crRobot_Fail(robot, node, NULL, "the attached file cannot be read");
    return;
  }
  crXmlNode* root;
  crStatus status = crReadXml(text, size, path, &robot->list->arena, robot->reporter.sink, &root);
  crFree(&robot->list->arena.allocator, text, size + 1);
  if (status != cr_ok) {
    ++robot->reporter.errorCount;
    return;
  }
  const char* slash = strrchr(path, '/');
  const char* folder = crElementList_Print(robot->list, "%.*s", slash != NULL ? (int)(slash - path) : 0, path);
  const char* inner = crElementList_Print(robot->list, "%s%s", mjcf->prefix, prefix != NULL ? prefix : "");
  crMjcf* attached = createMjcf(robot, (crMjcf*)mjcf, root, folder, inner);
  const crXmlNode* world = attached != NULL ? crXml_Find(attached->root, "worldbody") : NULL;
  const crXmlNode* body = world != NULL && bodyName != NULL ? findBodyNode(world, bodyName) : NULL;
  Context inside = *context;
  inside.mjcf = attached;
  inside.childClass = NULL;
  if (body != NULL) {
    addBody(&inside, body);
  } else if (world != NULL && bodyName == NULL) {
    visitAll(inside, world, findBodies, NULL);
  } else {
    crRobot_Fail(robot, node, NULL, "the attached file has no body '%.200s'", bodyName != NULL ? bodyName : "");
  }
}

static void findBodies(const Context* context, const crXmlNode* node, void* data)
{
  (void)data;
  if (crXml_Is(node, "body")) {
    addBody(context, node);
  } else if (crXml_Is(node, "attach")) {
    attach(context, node);
  }
}

// ------------------------------------------------------------------------------------------- joints

static crJointKind findKind(const crMjcfElement* joint, bool* outIsFree)
{
  const char* type = crMjcf_Get(joint, "type");
  bool isFree = crXml_Is(joint->node, "freejoint") || (type != NULL && strcmp(type, "free") == 0);
  *outIsFree = isFree;
  if (isFree) {
    return cr_jointFreeMotion;
  }
  if (type == NULL || strcmp(type, "hinge") == 0) {
    return cr_jointRevolute;
  }
  if (strcmp(type, "slide") == 0) {
    return cr_jointPrismatic;
  }
  if (strcmp(type, "ball") != 0) {
    crRobot_Fail(joint->mjcf->robot, joint->node, crXml_Get(joint->node, "name"),
                 "there is no joint of the type '%.100s'", type);
  }
  return cr_jointSpherical;
}

static void readLaw(const crMjcfElement* element, crRobotJoint* joint)
{
  double scale = joint->kind == cr_jointRevolute ? element->mjcf->angle : 1.0, range[2] = { 0.0, 0.0 };
  bool isSimple = joint->kind == cr_jointRevolute || joint->kind == cr_jointPrismatic;
  double polynomial[3] = { 0.0, 0.0, 0.0 };
  joint->damping = crMjcf_ReadNumbers(element, "damping", 3, polynomial) > 0 ? polynomial[0] : 0.0;
  joint->rotorInertia = crMjcf_ReadNumber(element, "armature", 0.0);
  if (crMjcf_Get(element, "springdamper") != NULL) {
    crRobot_Ignore(element->mjcf->robot, "springdamper");
  }
  if (!isSimple) {
    if (joint->rotorInertia != 0.0 && !joint->isFree) {
      crRobot_Ignore(element->mjcf->robot, "armature of ball joints");
    }
    joint->rotorInertia = 0.0;
    return;
  }
  joint->reference = scale * crMjcf_ReadNumber(element, "ref", 0.0);
  joint->start[0] = joint->reference;
  joint->friction = crMjcf_ReadNumber(element, "frictionloss", 0.0);
  joint->stiffness = crMjcf_ReadNumbers(element, "stiffness", 3, polynomial) > 0 ? polynomial[0] : 0.0;
  joint->rest = scale * crMjcf_ReadNumber(element, "springref", 0.0);
  if (crMjcf_IsLimited(element, "limited", "range") && crMjcf_ReadNumbers(element, "range", 2, range) == 2 &&
      range[0] < range[1]) {
    joint->hasStops = true;
    joint->stopMin = scale * range[0];
    joint->stopMax = scale * range[1];
    joint->start[0] = fmin(fmax(joint->start[0], joint->stopMin), joint->stopMax);
  }
}

// Counts of what a body holds.
typedef struct Contents {
  int index;
  crInertia fromGeoms;
  const crXmlNode* inertial;
  crRobotPlace inertialFrame;
} Contents;

static void readJoint(const Context* context, const crXmlNode* node, void* data)
{
  const crMjcf* mjcf = context->mjcf;
  crRobot* robot = mjcf->robot;
  (void)data;
  if (!crXml_Is(node, "joint") && !crXml_Is(node, "freejoint")) {
    return;
  }
  crMjcfElement element = crMjcf_MakeElement(mjcf, node, context->childClass);
  bool isFree;
  crJointKind kind = findKind(&element, &isFree);
  const char* name = crXml_Get(node, "name");
  const char* wanted = name != NULL
                           ? printName(context, name)
                           : crElementList_Print(robot->list, "%s_joint", robot->bodies.items[context->body].name);
  if (isFree && (robot->bodies.items[context->body].parent != 0 || robot->bodies.items[context->body].jointCount > 0)) {
    crRobot_Fail(robot, node, name, "only a body of the world without another joint can move freely");
    return;
  }
  crRobotJoint* joint =
      crRobot_AddJoint(robot, crRobot_TakeName(robot, wanted, "joint"), context->body, kind, crXml_GetSource(node));
  if (joint == NULL) {
    return;
  }
  if (name != NULL) {
    crMjcf_Register(mjcf, "joint", name, context->suffix, robot->joints.count - 1);
  }
  joint->isFree = isFree;
  robot->bodies.items[context->body].isFree = isFree;
  crVec3 axis = crMjcf_ReadVec3(&element, "axis", crMakeVec3(0.0, 0.0, 1.0));
  joint->anchor = isFree ? (crVec3){ 0 }
                         : crTransformPoint(crMakePose(context->frame.p, context->frame.q),
                                            crMjcf_ReadVec3(&element, "pos", (crVec3){ 0 }));
  joint->axis = crNormalize(crMulMV(crQuatToMat3(context->frame.q), axis));
  if (!(crLength(axis) > 0.0 && crIsFiniteVec3(axis))) {
    crRobot_Fail(robot, node, name, "the axis of this joint has no direction");
  }
  readLaw(&element, joint);
}

// ------------------------------------------------------------------------------------------ contents

static void readSite(const Context* context, const crXmlNode* node)
{
  const crMjcf* mjcf = context->mjcf;
  crMjcf* outer = crMjcf_GetOuter(mjcf);
  crRobot* robot = mjcf->robot;
  const char* name = crXml_Get(node, "name");
  crMjcfElement element = crMjcf_MakeElement(mjcf, node, context->childClass);
  const char** place =
      name != NULL && !robot->options.isBare ? crArray_Push(&outer->sites, &robot->list->arena.allocator) : NULL;
  if (place == NULL) {
    return;
  }
  const char* body = crRobot_GetPath(robot, robot->bodies.items[context->body].name);
  *place = crRobot_GetPath(robot, crRobot_TakeName(robot, printName(context, name), "site"));
  crMjcf_Register(mjcf, "site", name, context->suffix, outer->sites.count - 1);
  crRobot_AddFrame(robot, *place, body, crMulPlace(context->frame, crMjcf_ReadPlace(&element)), crXml_GetSource(node));
}

static void readContent(const Context* context, const crXmlNode* node, void* data)
{
  static const char* const silent[] = { "body", "joint", "freejoint", "attach", "camera", "light" };
  Contents* contents = data;
  crMjcfElement element = crMjcf_MakeElement(context->mjcf, node, context->childClass);
  if (crXml_Is(node, "geom")) {
    bool isWorld = contents->index == 0;
    crMjcf_ReadGeom(&element, contents->index, context->frame, context->suffix, isWorld ? NULL : &contents->fromGeoms);
  } else if (crXml_Is(node, "inertial")) {
    contents->inertial = node;
    contents->inertialFrame = context->frame;
  } else if (crXml_Is(node, "site")) {
    readSite(context, node);
  } else {
    for (size_t i = 0; i < sizeof silent / sizeof *silent; ++i) {
      if (crXml_Is(node, silent[i])) {
        return;
      }
    }
    char what[64];
    snprintf(what, sizeof what, "<%.60s>", node->name);
    crRobot_Ignore(context->mjcf->robot, what);
  }
}

static crInertia readInertial(const crMjcf* mjcf, const Contents* contents)
{
  crMjcfElement element = crMjcf_MakeElement(mjcf, contents->inertial, NULL);
  crRobotPlace place = crMulPlace(contents->inertialFrame, crMjcf_ReadPlace(&element));
  double d[3] = { 0.0, 0.0, 0.0 }, f[6];
  crInertia inertia = { crMjcf_ReadNumber(&element, "mass", 0.0), place.p, crDiagonalSym3(0.0, 0.0, 0.0) };
  crQuat axes = place.q;
  crMjcf_ReadNumbers(&element, "diaginertia", 3, d);
  inertia.I_com = crDiagonalSym3(d[0], d[1], d[2]);
  if (crXml_Get(contents->inertial, "fullinertia") != NULL && crMjcf_ReadNumbers(&element, "fullinertia", 6, f) == 6) {
    inertia.I_com = (crSym3){ f[0], f[1], f[2], f[3], f[4], f[5] };
    axes = contents->inertialFrame.q;
  }
  bool isTurned = axes.x != 0.0 || axes.y != 0.0 || axes.z != 0.0;
  inertia.I_com = isTurned ? crRotateSym3(crQuatToMat3(axes), inertia.I_com) : inertia.I_com;
  return inertia;
}

// Bounds, and the mean of the moments where no body has them.
static void adjustInertia(const crMjcf* mjcf, crInertia* inertia)
{
  double moments[3];
  crMat3 axes;
  inertia->mass = fmax(inertia->mass, mjcf->boundMass);
  if (!mjcf->isBalanced && !(mjcf->boundInertia > 0.0)) {
    return;
  }
  crSym3_ComputeEigen(inertia->I_com, moments, &axes);
  bool isOdd = moments[0] + moments[1] < moments[2];
  bool isSmall = moments[0] < mjcf->boundInertia;
  double mean = (moments[0] + moments[1] + moments[2]) / 3.0;
  for (int i = 0; i < 3; ++i) {
    moments[i] = mjcf->isBalanced && isOdd ? mean : moments[i];
    moments[i] = fmax(moments[i], mjcf->boundInertia);
  }
  if ((mjcf->isBalanced && isOdd) || isSmall) {
    inertia->I_com = crRotateSym3(axes, crDiagonalSym3(moments[0], moments[1], moments[2]));
  }
}

static void readBody(crMjcf* outer, int index)
{
  crMjcfBody from = outer->bodies.items[index];
  crRobotPlace here = crMakePlace((crVec3){ 0 }, crIdentityQuat());
  Context context = { from.mjcf, from.childClass, from.suffix, here, index };
  Contents contents = { .index = index };
  visitAll(context, from.node, readJoint, &contents);
  visitAll(context, from.node, readContent, &contents);
  if (index == 0) {
    return;
  }
  bool usesGeoms =
      from.mjcf->inertiaFromGeom == 't' || (contents.inertial == NULL && from.mjcf->inertiaFromGeom != 'f');
  crInertia inertia = { 0 };
  if (usesGeoms) {
    inertia = contents.fromGeoms;
  } else if (contents.inertial != NULL) {
    inertia = readInertial(from.mjcf, &contents);
  }
  adjustInertia(from.mjcf, &inertia);
  outer->robot->bodies.items[index].inertia = inertia;
}

// -------------------------------------------------------------------------------------------- model

// The masses of all bodies are scaled so that their sum is what <compiler> says.
static double sumMasses(crMjcf* mjcf)
{
  double sum = 0.0;
  crRobot* robot = mjcf->robot;
  for (int b = 0; b < robot->bodies.count; ++b) {
    sum += robot->bodies.items[b].inertia.mass;
  }
  double factor = mjcf->totalMass > 0.0 && sum > 0.0 ? mjcf->totalMass / sum : 1.0;
  for (int b = 0; b < robot->bodies.count && factor != 1.0; ++b) {
    crInertia* inertia = &robot->bodies.items[b].inertia;
    inertia->mass *= factor;
    inertia->I_com = crScaleSym3(factor, inertia->I_com);
  }
  return factor * sum;
}

static void stiffenStops(crRobot* robot, double mass)
{
  for (int j = 0; j < robot->joints.count; ++j) {
    crRobotJoint* joint = &robot->joints.items[j];
    bool slides = joint->kind == cr_jointPrismatic;
    double load = fmax(1.0, 9.81 * mass);
    joint->stopStiffness = load / (slides ? 0.1 * CR_STOP_TRAVEL : CR_STOP_TRAVEL);
    joint->stopDamping = slides ? 10.0 * CR_STOP_DAMPING : CR_STOP_DAMPING;
  }
}

static crMjcf* createMjcf(crRobot* robot, crMjcf* owner, crXmlNode* root, const char* folder, const char* prefix)
{
  crMjcf* mjcf = crArena_AllocateZero(&robot->list->arena, 1, sizeof *mjcf);
  if (mjcf == NULL) {
    robot->list->isOutOfMemory = true;
    return NULL;
  }
  *mjcf = (crMjcf){ .robot = robot,
                    .owner = owner,
                    .root = root,
                    .folder = folder,
                    .prefix = prefix,
                    .angle = CR_PI / 180.0,
                    .eulerSequence = "xyz",
                    .isAutoLimited = true,
                    .inertiaFromGeom = 'a',
                    .inertiaGroups = { 0, 5 },
                    .budget = CR_MOST_ELEMENTS };
  crMap_Init(&mjcf->classes, &robot->list->arena.allocator);
  crMap_Init(&mjcf->assets, &robot->list->arena.allocator);
  crMap_Init(&mjcf->names, &robot->list->arena.allocator);
  mjcf->next = owner != NULL ? crMjcf_GetOuter(owner)->next : NULL;
  if (owner != NULL) {
    crMjcf_GetOuter(owner)->next = mjcf;
  }
  crMjcf_Include(mjcf, root, 0);
  crMjcf_ReadHead(mjcf);
  return mjcf;
}

static void destroyMjcf(crMjcf* mjcf)
{
  const crAllocator* allocator = &mjcf->robot->list->arena.allocator;
  crMap_Free(&mjcf->classes);
  crMap_Free(&mjcf->assets);
  crMap_Free(&mjcf->names);
  crArray_Free(&mjcf->classNodes, allocator);
  crArray_Free(&mjcf->assetNodes, allocator);
  crArray_Free(&mjcf->bodies, allocator);
  crArray_Free(&mjcf->sites, allocator);
}

static void readWorld(crMjcf* mjcf)
{
  crRobot* robot = mjcf->robot;
  const crXmlNode* world = crXml_Find(mjcf->root, "worldbody");
  if (world == NULL) {
    crRobot_Fail(robot, mjcf->root, NULL, "the model has no <worldbody>");
    return;
  }
  crRobotBody* body =
      crRobot_AddBody(robot, crRobot_TakeName(robot, "world", "body"), CR_ROBOT_WORLD, crXml_GetSource(world));
  crMjcfBody* place = crArray_Push(&mjcf->bodies, &robot->list->arena.allocator);
  if (body == NULL || place == NULL) {
    robot->list->isOutOfMemory = true;
    return;
  }
  body->isWorld = true;
  *place = (crMjcfBody){ mjcf, world, NULL, "" };
  crMjcf_Register(mjcf, "body", "world", "", 0);
  Context context = { mjcf, NULL, "", crMakePlace((crVec3){ 0 }, crIdentityQuat()), 0 };
  visitAll(context, world, findBodies, NULL);
}

static void readModel(crMjcf* mjcf)
{
  crRobot* robot = mjcf->robot;
  readWorld(mjcf);
  for (int b = 0; b < mjcf->bodies.count && !robot->list->isOutOfMemory; ++b) {
    readBody(mjcf, b);
  }
  stiffenStops(robot, sumMasses(mjcf));
  if (robot->reporter.errorCount > 0 || robot->list->isOutOfMemory) {
    return;
  }
  crMjcf_ReadKeyframe(mjcf);
  if (robot->options.isBare) {
    return;
  }
  for (crMjcf* part = mjcf; part != NULL; part = part->next) {
    crMjcf_ReadPairs(part);
    crMjcf_ReadExclusions(part);
  }
  crMjcf_FinishContacts(mjcf);
  for (crMjcf* part = mjcf; part != NULL; part = part->next) {
    if (!robot->options.hasNoDrives) {
      crMjcf_ReadActuators(part);
    }
    crMjcf_ReadSensors(part);
    if (!robot->options.hasNoLoops) {
      crMjcf_ReadEqualities(part);
    }
  }
}

void crReadMjcf(crRobot* robot, crXmlNode* root)
{
  crMjcf* mjcf = createMjcf(robot, NULL, root, robot->folder, "");
  if (mjcf == NULL) {
    return;
  }
  if (robot->reporter.errorCount == 0) {
    readModel(mjcf);
  }
  for (crMjcf* part = mjcf; part != NULL; part = part->next) {
    destroyMjcf(part);
  }
}
