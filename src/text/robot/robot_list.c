// From a robot to elements: an object for each body and for each frame beside it, a joint for each joint.
#include "scene/scene.h"
#include "text/robot/robot.h"

#include <stdio.h>
#include <string.h>

#define CR_MOST_NAMED 6     // things that a summed-up message names
#define CR_SAME_PLACE 1e-15 // [-] of a quaternion's vector part: no rotation

static bool isZero(crVec3 v)
{
  return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static bool isUnturned(crQuat q)
{
  return fabs(q.x) <= CR_SAME_PLACE && fabs(q.y) <= CR_SAME_PLACE && fabs(q.z) <= CR_SAME_PLACE;
}

static bool isHere(crRobotPlace place)
{
  return isZero(place.p) && isUnturned(place.q);
}

static void put(crRobot* robot, crValue* table, const char* key, crValue value)
{
  crElementList_Put(robot->list, table, key, value);
}

static void putNumber(crRobot* robot, crValue* table, const char* key, double number)
{
  if (number != 0.0) {
    put(robot, table, key, crMakeNumber(number));
  }
}

static void putPlace(crRobot* robot, crValue* table, crRobotPlace place)
{
  if (!isZero(place.p)) {
    put(robot, table, "position", crElementList_Vec3(robot->list, place.p));
  }
  if (!isUnturned(place.q)) {
    const double q[] = { place.q.w, place.q.x, place.q.y, place.q.z };
    put(robot, table, "rotation", crElementList_Numbers(robot->list, q, 4));
  }
}

void crRobot_AddFrame(crRobot* robot, const char* path, const char* parent, crRobotPlace place, crSource source)
{
  crValue table = crMakeTable();
  put(robot, &table, "name", crMakeString(path));
  put(robot, &table, "parent", crMakeString(parent));
  putPlace(robot, &table, place);
  crRobot_AddLater(robot, cr_elementObject, table, source);
}

// A rigid object without features.
static const char* addFrame(crRobot* robot, const char* wanted, const char* suffix, const char* parent,
                            crRobotPlace place, crSource source)
{
  const char* path = crRobot_GetPath(robot, crRobot_TakeName(robot, wanted, suffix));
  crValue table = crMakeTable();
  put(robot, &table, "name", crMakeString(path));
  if (parent != NULL) {
    put(robot, &table, "parent", crMakeString(parent));
  }
  putPlace(robot, &table, place);
  crElementList_Add(robot->list, cr_elementObject, table, source);
  return path;
}

// ----------------------------------------------------------------------------------------- features

static crValue makeMass(crRobot* robot, const crInertia* inertia)
{
  crSym3 I = inertia->I_com;
  const double entries[] = { I.xx, I.yy, I.zz, I.xy, I.xz, I.yz };
  bool isDiagonal = I.xy == 0.0 && I.xz == 0.0 && I.yz == 0.0;
  crValue mass = crElementList_Typed(robot->list, "mass");
  put(robot, &mass, "mass", crMakeNumber(inertia->mass));
  if (!isZero(inertia->com)) {
    put(robot, &mass, "com", crElementList_Vec3(robot->list, inertia->com));
  }
  put(robot, &mass, "inertia", crElementList_Numbers(robot->list, entries, isDiagonal ? 3 : 6));
  if (!crIsPhysicalInertia(inertia->mass, I) && strcmp(robot->options.inertia, "strict") != 0) {
    put(robot, &mass, "policy", crMakeString(robot->options.inertia));
  }
  return mass;
}

static crValue makeFeature(crRobot* robot, const crRobotShape* shape)
{
  bool isSolid = shape->contact != NULL;
  crValue feature = crElementList_Typed(robot->list, isSolid ? "solid" : "visual");
  put(robot, &feature, "shape", shape->shape);
  if (isSolid) {
    put(robot, &feature, "contact", crMakeString(shape->contact));
  }
  if (shape->visual != NULL) {
    put(robot, &feature, "visual", crMakeString(shape->visual));
  }
  if (isSolid && shape->group != 0 && (shape->group != 1 || shape->mask != 0xFFFFFFFFu)) {
    put(robot, &feature, "group", crMakeNumber(shape->group));
    put(robot, &feature, "mask", crMakeNumber(shape->mask));
  }
  return feature;
}

// What is in the body's own frame goes to its object; objects of their own hold the rest.
static void putFeatures(crRobot* robot, crValue* object, const crRobotBody* body)
{
  const crInertia* inertia = &body->inertia;
  crSym3 I = inertia->I_com;
  if (inertia->mass != 0.0 || I.xx != 0.0 || I.yy != 0.0 || I.zz != 0.0) {
    crElementList_Append(robot->list, object, makeMass(robot, inertia));
  }
  for (int i = body->shapeStart; i < body->shapeStart + body->shapeCount; ++i) {
    const crRobotShape* shape = &robot->shapes.items[i];
    if (shape->shape.kind != cr_valueNull && isHere(shape->place)) {
      crElementList_Append(robot->list, object, makeFeature(robot, shape));
    }
  }
}

static void addShapes(crRobot* robot, const crRobotBody* body, const char* path)
{
  for (int i = body->shapeStart; i < body->shapeStart + body->shapeCount; ++i) {
    const crRobotShape* shape = &robot->shapes.items[i];
    if (shape->shape.kind == cr_valueNull || isHere(shape->place)) {
      continue;
    }
    crValue table = crMakeTable();
    const char* name = crRobot_TakeName(robot, shape->name, "shape");
    put(robot, &table, "name", crMakeString(crRobot_GetPath(robot, name)));
    put(robot, &table, "parent", crMakeString(path));
    putPlace(robot, &table, shape->place);
    crElementList_Append(robot->list, &table, makeFeature(robot, shape));
    crElementList_Add(robot->list, cr_elementObject, table, shape->source);
  }
}

// ------------------------------------------------------------------------------------------- joints

static void putStart(crRobot* robot, crValue* table, const crRobotJoint* joint)
{
  int count = crJointKind_CountQ(joint->kind);
  if (count == 1) {
    putNumber(robot, table, "start", joint->start[0]);
  } else if (joint->hasStart) {
    put(robot, table, "start", crElementList_Numbers(robot->list, joint->start, count));
  }
}

static void putLaw(crRobot* robot, crValue* table, const crRobotJoint* joint)
{
  putNumber(robot, table, "rotorInertia", joint->rotorInertia);
  if (robot->options.isBare) {
    return;
  }
  putNumber(robot, table, "damping", joint->damping);
  if (crJointKind_CountV(joint->kind) > 1) {
    return;
  }
  putNumber(robot, table, "friction", joint->friction);
  if (joint->stiffness != 0.0) {
    put(robot, table, "stiffness", crMakeNumber(joint->stiffness));
    putNumber(robot, table, "rest", joint->rest);
  }
  if (joint->hasStops && !robot->options.hasNoStops) {
    put(robot, table, "stopMin", crMakeNumber(joint->stopMin));
    put(robot, table, "stopMax", crMakeNumber(joint->stopMax));
    put(robot, table, "stopStiffness", crMakeNumber(joint->stopStiffness));
    putNumber(robot, table, "stopDamping", joint->stopDamping);
  }
  if (joint->drive.kind != cr_valueNull && !robot->options.hasNoDrives) {
    put(robot, table, joint->kind == cr_jointPrismatic ? "force" : "torque", joint->drive);
  }
}

// "x" or "-z" where that is what it is.
static crValue makeAxis(crRobot* robot, crVec3 axis)
{
  static const char* const names[] = { "x", "-x", "y", "-y", "z", "-z" };
  const double parts[] = { axis.x, axis.y, axis.z };
  for (int i = 0; i < 3; ++i) {
    if (fabs(parts[i]) == 1.0 && parts[(i + 1) % 3] == 0.0 && parts[(i + 2) % 3] == 0.0) {
      return crMakeString(names[2 * i + (parts[i] < 0.0)]);
    }
  }
  return crElementList_Vec3(robot->list, axis);
}

bool crRobot_IsStatic(const crRobot* robot, int b)
{
  for (; b != CR_ROBOT_WORLD; b = robot->bodies.items[b].parent) {
    const crRobotBody* body = &robot->bodies.items[b];
    if (body->isFree) {
      return false;
    }
    for (int j = body->jointStart; j < body->jointStart + body->jointCount; ++j) {
      if (!robot->joints.items[j].isWelded) {
        return false;
      }
    }
  }
  return true;
}

// What is jointed to something that stands still may meet all else that does: the floor. Parts of the robot itself have
// groups that say what they meet.
static bool maySeeWorld(const crRobot* robot, const crRobotJoint* joint)
{
  const crRobotBody* body = &robot->bodies.items[joint->body];
  bool isLoose = joint->kind == cr_jointFreeMotion; // which may in any case
  return body->shapeCount > 0 && !isLoose && !robot->options.collidesWithSelf && !robot->options.isBare &&
         crRobot_IsStatic(robot, body->parent);
}

static void addJoint(crRobot* robot, const crRobotJoint* joint, const char* objectA, const char* objectB)
{
  crValue table = crElementList_Typed(robot->list, crJointKind_GetText(joint->kind));
  put(robot, &table, "name", crMakeString(crRobot_GetPath(robot, joint->name)));
  put(robot, &table, "objectA", crMakeString(objectA));
  put(robot, &table, "objectB", crMakeString(objectB));
  bool hasAxis = joint->kind != cr_jointSpherical && joint->kind != cr_jointFreeMotion;
  if (hasAxis) {
    put(robot, &table, "axis", makeAxis(robot, joint->axis));
  }
  putStart(robot, &table, joint);
  putLaw(robot, &table, joint);
  if (maySeeWorld(robot, joint)) {
    put(robot, &table, "canCollide", crMakeBool(true));
  }
  crElementList_Add(robot->list, cr_elementJoint, table, joint->source);
}

// The joint's frame on the side of the body, in the frame that it moves.
static crRobotPlace findEnd(const crRobotJoint* joint)
{
  crRobotPlace end = crMakePlace(joint->anchor, crIdentityQuat());
  if (joint->kind == cr_jointPrismatic) {
    end.p = crMulAdd(end.p, joint->reference, joint->axis);
  } else if (joint->kind == cr_jointRevolute && joint->reference != 0.0) {
    end.q = crAxisAngleToQuat(joint->axis, joint->reference);
  }
  return end;
}

static crRobotPlace invertPlace(crRobotPlace place)
{
  crQuat q = crConjugate(place.q);
  return crMakePlace(crNeg(crMulMV(crQuatToMat3(q), place.p)), q);
}

// Where the next frame is fixed, and at which place there.
typedef struct Chain {
  const char* path;
  crRobotPlace place;
} Chain;

// The object at the chain's end moved by a place, which is the object itself where both are at the same place.
static const char* findObject(crRobot* robot, const Chain* chain, crRobotPlace place, const char* name,
                              const char* suffix, crSource source)
{
  crRobotPlace all = crMulPlace(chain->place, place);
  return isHere(all) ? chain->path : addFrame(robot, name, suffix, chain->path, all, source);
}

// Joints that are welded stay where their reference is.
static void addCoupling(crRobot* robot, const crRobotCoupling* coupling)
{
  const crRobotJoint* joint = &robot->joints.items[coupling->joint];
  const crRobotJoint* other = coupling->other >= 0 ? &robot->joints.items[coupling->other] : NULL;
  bool isMoved = other != NULL && !other->isWelded && coupling->factor != 0.0;
  if (joint->isWelded) { // NOLINT: there are joints
    return;
  }
  double held = other != NULL && !isMoved ? coupling->factor * other->reference : 0.0;
  crValue table = crElementList_Typed(robot->list, "coupling"), joints = crMakeTable();
  bool isFirst = !isMoved || strcmp(joint->name, other->name) < 0; // by name, as Lua lists them
  for (int i = 0; i < 1 + isMoved; ++i) {
    bool isOwn = (i == 0) == isFirst;
    put(robot, &joints, crRobot_GetPath(robot, isOwn ? joint->name : other->name),
        crMakeNumber(isOwn ? 1.0 : -coupling->factor));
  }
  const char* name = crRobot_TakeName(robot, coupling->name, "coupling");
  put(robot, &table, "name", crMakeString(crRobot_GetPath(robot, name)));
  put(robot, &table, "joints", joints);
  putNumber(robot, &table, "offset", coupling->offset + held);
  crElementList_Add(robot->list, cr_elementCoupling, table, coupling->source);
}

// --------------------------------------------------------------------------------------- bodies

static void addBody(crRobot* robot, const crRobotBody* body, const char* path, const Chain* fixedTo,
                    const char* mobility)
{
  crValue table = crMakeTable();
  put(robot, &table, "name", crMakeString(path));
  if (fixedTo != NULL) {
    put(robot, &table, "parent", crMakeString(fixedTo->path));
    putPlace(robot, &table, fixedTo->place);
  }
  if (mobility != NULL) {
    put(robot, &table, "mobility", crMakeString(mobility));
  }
  putFeatures(robot, &table, body);
  crElementList_Add(robot->list, cr_elementObject, table, body->source);
  addShapes(robot, body, path);
}

// The joints that move a body, one behind the other, with frames between them.
static void addMovedBody(crRobot* robot, const crRobotBody* body, const char* path, Chain chain)
{
  int last = body->jointStart + body->jointCount - 1;
  while (robot->joints.items[last].isWelded) {
    --last;
  }
  for (int j = body->jointStart; j <= last; ++j) {
    const crRobotJoint* joint = &robot->joints.items[j];
    if (joint->isWelded) {
      continue;
    }
    crRobotPlace anchor = crMakePlace(joint->anchor, crIdentityQuat());
    const char* objectA = findObject(robot, &chain, anchor, joint->name, "frame", joint->source);
    crRobotPlace end = findEnd(joint);
    const char* objectB = path;
    if (j < last) {
      objectB = addFrame(robot, joint->name, "end", NULL, crMakePlace((crVec3){ 0 }, crIdentityQuat()), joint->source);
    } else {
      addBody(robot, body, path, NULL, NULL);
      objectB = isHere(end) ? path : addFrame(robot, joint->name, "end", path, end, joint->source);
    }
    addJoint(robot, joint, objectA, objectB);
    chain = (Chain){ objectB, invertPlace(end) };
  }
}

static bool isMoved(const crRobot* robot, const crRobotBody* body)
{
  for (int j = body->jointStart; j < body->jointStart + body->jointCount; ++j) {
    if (!robot->joints.items[j].isWelded) {
      return true;
    }
  }
  return false;
}

static const char* addWorld(crRobot* robot, const char** paths)
{
  if (robot->options.parent != NULL) {
    return robot->options.parent;
  }
  for (int b = 0; b < robot->bodies.count; ++b) {
    if (robot->bodies.items[b].isWorld) {
      const char* path = paths[b];
      addBody(robot, &robot->bodies.items[b], path, NULL, "world");
      return path;
    }
  }
  const char* path = crRobot_TakeName(robot, "world", "ground");
  crRobotBody none = { .name = path, .source = robot->reporter.source };
  addBody(robot, &none, path, NULL, "world");
  return path;
}

static void addBodies(crRobot* robot, const char* world, const char** paths)
{
  for (int b = 0; b < robot->bodies.count; ++b) {
    const crRobotBody* body = &robot->bodies.items[b];
    bool isRoot = body->parent == CR_ROBOT_WORLD;
    Chain chain = { isRoot ? world : paths[body->parent], body->place };
    if (body->isWorld && robot->options.parent == NULL) {
      continue;
    }
    if (body->isFree) {
      addBody(robot, body, paths[b], &chain, "free");
    } else if (isMoved(robot, body)) {
      addMovedBody(robot, body, paths[b], chain);
    } else {
      addBody(robot, body, paths[b], &chain, NULL);
    }
  }
}

// ------------------------------------------------------------------------------------------- meshes

// "a, b, c, ..." of the first ones
static void join(const char* const* items, int count, char* buffer, size_t size)
{
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 0; i < count && i < CR_MOST_NAMED && used < size; ++i) {
    used += (size_t)snprintf(buffer + used, size - used, "%s%.100s", i == 0 ? "" : ", ", items[i]);
  }
  if (count > CR_MOST_NAMED && used < size) {
    snprintf(buffer + used, size - used, ", ...");
  }
}

static void noteBroken(crRobot* robot, const char* file)
{
  const char** place = crArray_Push(&robot->missing, &robot->list->arena.allocator);
  if (place != NULL) {
    *place = file;
  } else {
    robot->list->isOutOfMemory = true;
  }
}

// Meshes of real robots may be flat or broken; nothing can touch with those.
static void checkMeshes(crRobot* robot)
{
  const char* names[CR_MOST_NAMED];
  int count = 0;
  crErrorSink silence = { NULL, NULL };
  for (int i = 0; i < robot->shapes.count && robot->shapeReader != NULL; ++i) {
    crRobotShape* shape = &robot->shapes.items[i];
    const crValue* type = shape->shape.kind == cr_valueTable ? crValue_Find(&shape->shape, "type") : NULL;
    if (type == NULL || strcmp(type->string, "mesh") != 0) {
      continue;
    }
    crShape* made = NULL;
    const crMesh* mesh;
    crReporter reporter = crMakeReporter(&silence, shape->source, shape->name);
    if (robot->options.ignoresMissing &&
        crElementReader_ReadMesh(robot->shapeReader, &shape->shape, &reporter, &mesh) != cr_ok) {
      noteBroken(robot, crValue_Find(&shape->shape, "file")->string);
      shape->shape = (crValue){ .kind = cr_valueNull };
      continue;
    }
    if (shape->contact == NULL) {
      continue;
    }
    if (crElementReader_CreateShape(robot->shapeReader, shape->name, &shape->shape, 0.0, &reporter, &made) != cr_ok) {
      if (count < CR_MOST_NAMED) {
        names[count] = crValue_Find(&shape->shape, "file")->string;
      }
      ++count;
      shape->contact = NULL;
      shape->shape = shape->visual != NULL ? shape->shape : (crValue){ .kind = cr_valueNull };
    }
    crDestroyShape(made);
  }
  if (count > 0) {
    char text[700];
    join(names, count, text, sizeof text);
    crReportWarning(&robot->reporter, "%d mesh%s no contact, because no solid can be made of %s: %s", count,
                    count == 1 ? " has" : "es have", count == 1 ? "it" : "them", text);
  }
}

// ----------------------------------------------------------------------------------------- summary

static void tellInertias(crRobot* robot)
{
  const char* names[CR_MOST_NAMED];
  int count = 0;
  for (int b = 0; b < robot->bodies.count; ++b) {
    const crRobotBody* body = &robot->bodies.items[b];
    crSym3 I = body->inertia.I_com;
    bool isNothing = body->inertia.mass == 0.0 && I.xx == 0.0 && I.yy == 0.0 && I.zz == 0.0;
    if (!isNothing && !crIsPhysicalInertia(body->inertia.mass, I)) {
      if (count < CR_MOST_NAMED) {
        names[count] = body->name;
      }
      ++count;
    }
  }
  bool isBalanced = strcmp(robot->options.inertia, "balance") == 0;
  if (count > 0 && strcmp(robot->options.inertia, "strict") != 0) {
    char text[700], message[900];
    join(names, count, text, sizeof text);
    snprintf(message, sizeof message, "%d %s a mass or inertia that no rigid body has, %s: %s", count,
             count == 1 ? "body has" : "bodies have",
             isBalanced ? "and gets the nearest one that exists" : "which is taken as given", text);
    crComplaint complaint = { .message = message,
                              .hint = isBalanced ? NULL : "inertia = \"balance\" takes the nearest one that exists" };
    crReport(&robot->reporter, cr_severityWarning, cr_ok, &complaint);
  }
}

static void summarize(crRobot* robot)
{
  char text[700];
  if (robot->missing.count > 0) {
    join(robot->missing.items, robot->missing.count, text, sizeof text);
    crReportWarning(&robot->reporter, "%d mesh %s missing, or cannot be read, and left out: %s", robot->missing.count,
                    robot->missing.count == 1 ? "file is" : "files are", text);
  }
  if (robot->ignored.count > 0) {
    join(robot->ignored.items, robot->ignored.count, text, sizeof text);
    crComplaint complaint = { .message = crElementList_Print(robot->list, "what the file says of these is ignored: %s",
                                                             text) };
    crReport(&robot->reporter, cr_severityNote, cr_ok, &complaint);
  }
  tellInertias(robot);
}

void crRobot_List(crRobot* robot)
{
  const char** paths = crArena_AllocateZero(&robot->list->arena, (size_t)robot->bodies.count + 1, sizeof *paths);
  if (paths == NULL) {
    robot->list->isOutOfMemory = true;
    return;
  }
  for (int b = 0; b < robot->bodies.count; ++b) {
    paths[b] = crRobot_GetPath(robot, robot->bodies.items[b].name);
  }
  checkMeshes(robot);
  summarize(robot);
  addBodies(robot, addWorld(robot, paths), paths);
  for (int i = 0; i < robot->couplings.count; ++i) {
    addCoupling(robot, &robot->couplings.items[i]);
  }
  for (int i = 0; i < robot->later.count; ++i) {
    const crListedElement* element = &robot->later.items[i];
    crElementList_Add(robot->list, element->kind, element->value, element->source);
  }
}
