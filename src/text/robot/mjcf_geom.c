// Geoms of MJCF: shapes with half sizes, their masses, and how they collide.
//
// Two geoms meet when contype of one and conaffinity of the other have a bit in common; here both sides have to agree
// (group and mask). So geoms of equal bits form a class, each class gets a group of its own, and its mask are the
// groups that it may meet. Friction is that of the geom with more of it, so each coefficient is a material of its own.
#include "base/map.h"
#include "scene/scene.h"
#include "text/robot/mesh_inertia.h"
#include "text/robot/mjcf.h"

#include <stdio.h>
#include <string.h>

#define CR_GEOM_DENSITY 1000.0 // [kg/m^3] unless given
#define CR_GEOM_FRICTION 1.0   // [-] likewise
#define CR_MOST_CLASSES 31     // groups of bits, beside that of all other things in a model
#define CR_SOFT_E 1e9          // [N/m^2] of hard plastics, for shapes whose file has parameters of a solver instead
#define CR_SOFT_NU 0.4

typedef struct Geom {
  const crMjcfElement* element;
  const char* type;
  const char* name;
  double size[3];
  crRobotPlace place;
  crVec3 scale; // of a mesh
  const crXmlNode* mesh;
} Geom;

// -------------------------------------------------------------------------------------------- shapes

static crValue makeBox(crRobot* robot, double x, double y, double z)
{
  crValue shape = crElementList_Typed(robot->list, "box");
  crElementList_Put(robot->list, &shape, "size",
                    crElementList_Vec3(robot->list, crMakeVec3(2.0 * x, 2.0 * y, 2.0 * z)));
  return shape;
}

static crValue makeRound(crRobot* robot, const char* type, double radius, double half)
{
  crValue shape = crElementList_Typed(robot->list, type);
  crElementList_Put(robot->list, &shape, "radius", crMakeNumber(radius));
  if (half >= 0.0) {
    crElementList_Put(robot->list, &shape, "length", crMakeNumber(2.0 * half));
  }
  return shape;
}

// Points of a mesh that stand in the file itself: their hull.
static crValue makeHull(const Geom* geom, const char* text)
{
  crRobot* robot = geom->element->mjcf->robot;
  int count = crSplitNumbers(text, 0, NULL);
  double* numbers = count > 0 ? crArena_AllocateZero(&robot->list->arena, (size_t)count, sizeof *numbers) : NULL;
  crValue shape = crElementList_Typed(robot->list, "hull"), points = crMakeTable();
  if (numbers == NULL || count % 3 != 0) {
    crRobot_Fail(robot, geom->mesh, geom->name, "the vertices of this mesh are no triples of numbers");
    return (crValue){ .kind = cr_valueNull };
  }
  crSplitNumbers(text, count, numbers);
  for (int i = 0; i < count; i += 3) {
    crVec3 p = crMakeVec3(geom->scale.x * numbers[i], geom->scale.y * numbers[i + 1], geom->scale.z * numbers[i + 2]);
    crElementList_Append(robot->list, &points, crElementList_Vec3(robot->list, p));
  }
  crElementList_Put(robot->list, &shape, "points", points);
  return shape;
}

// A mesh may be shifted and turned where it is declared: what was at refpos becomes the origin.
static crValue makeMesh(Geom* geom)
{
  const crMjcf* mjcf = geom->element->mjcf;
  crRobot* robot = mjcf->robot;
  crMjcfElement asset = crMjcf_MakeElement(mjcf, geom->mesh, NULL);
  double q[4] = { 1.0, 0.0, 0.0, 0.0 };
  geom->scale = crMjcf_ReadVec3(&asset, "scale", crMakeVec3(1.0, 1.0, 1.0));
  crVec3 p = crMjcf_ReadVec3(&asset, "refpos", (crVec3){ 0 });
  crMjcf_ReadNumbers(&asset, "refquat", 4, q);
  crQuat back = crConjugate(crNormalizeQuat((crQuat){ q[0], q[1], q[2], q[3] }));
  crVec3 shift = crMakeVec3(-p.x * geom->scale.x, -p.y * geom->scale.y, -p.z * geom->scale.z);
  geom->place = crMulPlace(geom->place, crMakePlace(crMulMV(crQuatToMat3(back), shift), back));
  const char *file = crXml_Get(geom->mesh, "file"), *vertices = crXml_Get(geom->mesh, "vertex");
  if (file == NULL && vertices != NULL) {
    return makeHull(geom, vertices);
  }
  if (file == NULL) {
    crRobot_Ignore(robot, "<mesh> without a file");
    return (crValue){ .kind = cr_valueNull };
  }
  const char* slash = mjcf->stripsPath ? strrchr(file, '/') : NULL;
  const char* folder = mjcf->meshFolder != NULL ? mjcf->meshFolder : mjcf->assetFolder;
  file = slash != NULL ? slash + 1 : file;
  if (folder != NULL && folder[0] != '\0' && file[0] != '/') {
    bool isEnded = folder[strlen(folder) - 1] == '/';
    file = crElementList_Print(robot->list, "%s%s%s", folder, isEnded ? "" : "/", file);
  }
  return crRobot_MakeMesh(robot, geom->mesh, geom->name, file, geom->scale);
}

static crValue makeShape(Geom* geom)
{
  crRobot* robot = geom->element->mjcf->robot;
  const double* s = geom->size;
  if (strcmp(geom->type, "sphere") == 0) {
    return makeRound(robot, "sphere", s[0], -1.0);
  }
  if (strcmp(geom->type, "capsule") == 0 || strcmp(geom->type, "cylinder") == 0) {
    return makeRound(robot, geom->type, s[0], s[1]);
  }
  if (strcmp(geom->type, "box") == 0) {
    return makeBox(robot, s[0], s[1], s[2]);
  }
  if (strcmp(geom->type, "plane") == 0) {
    return crElementList_Typed(robot->list, "halfSpace");
  }
  crValue shape = { .kind = cr_valueNull };
  if (strcmp(geom->type, "ellipsoid") == 0) {
    shape = crElementList_Typed(robot->list, "ellipsoid");
    crElementList_Put(robot->list, &shape, "radii", crElementList_Vec3(robot->list, crMakeVec3(s[0], s[1], s[2])));
  } else if (strcmp(geom->type, "hfield") == 0) {
    crRobot_Fail(robot, geom->element->node, geom->name, "height fields cannot be read: there is no terrain yet");
  } else {
    crRobot_Fail(robot, geom->element->node, geom->name, "there is no geom of the type '%.100s'", geom->type);
  }
  return shape;
}

// A capsule, cylinder, box or ellipsoid from one point to another: its z axis.
static void readEnds(Geom* geom)
{
  double ends[6];
  if (crMjcf_ReadNumbers(geom->element, "fromto", 6, ends) != 6) {
    return;
  }
  crVec3 from = crMakeVec3(ends[0], ends[1], ends[2]), to = crMakeVec3(ends[3], ends[4], ends[5]);
  crVec3 along = crSub(from, to);
  double half = 0.5 * crLength(along);
  bool isRound = strcmp(geom->type, "capsule") == 0 || strcmp(geom->type, "cylinder") == 0;
  if (!(half > 0.0 && isfinite(half))) {
    crRobot_Fail(geom->element->mjcf->robot, geom->element->node, geom->name, "both ends of fromto are the same point");
    return;
  }
  geom->size[isRound ? 1 : 2] = half;
  geom->size[1] = isRound ? half : geom->size[0];
  geom->place.p = crScale(0.5, crAdd(from, to));
  geom->place.q = crShortestRotation(crMakeVec3(0.0, 0.0, 1.0), crNormalize(along));
}

// ---------------------------------------------------------------------------------------------- mass

static bool weigh(const Geom* geom, const crValue* shape, crInertia* outInertia)
{
  const crMjcf* mjcf = geom->element->mjcf;
  crReporter reporter = crMakeReporter(mjcf->robot->reporter.sink, crXml_GetSource(geom->element->node), geom->name);
  double density = crMjcf_ReadNumber(geom->element, "density", CR_GEOM_DENSITY), mass = NAN;
  bool isMesh = geom->mesh != NULL && strcmp(crValue_Find(shape, "type")->string, "mesh") == 0;
  crMjcf_ReadNumbers(geom->element, "mass", 1, &mass);
  if (mass == 0.0 || (isnan(mass) && density == 0.0) || strcmp(geom->type, "plane") == 0) {
    return false;
  }
  crInertia inertia = { 0 };
  crStatus status = cr_ok;
  if (isMesh) {
    crMjcfElement asset = crMjcf_MakeElement(mjcf, geom->mesh, NULL);
    bool isExact = mjcf->isExactMesh || crMjcf_Is(&asset, "inertia", "exact");
    status = crWeighMesh(mjcf->robot, shape, isExact, &reporter, &inertia);
  } else {
    crShape* made = NULL;
    status = crElementReader_CreateShape(mjcf->robot->shapeReader, geom->name, shape, 0.0, &reporter, &made);
    inertia = made != NULL ? crShape_ComputeInertia(made, 1.0) : inertia;
    crDestroyShape(made);
  }
  mjcf->robot->reporter.errorCount += reporter.errorCount;
  if (status != cr_ok || !(inertia.mass > 0.0)) {
    return false;
  }
  double factor = isnan(mass) ? density : mass / inertia.mass;
  inertia.mass *= factor;
  inertia.I_com = crScaleSym3(factor, inertia.I_com);
  *outInertia = crTransformInertia(crMakePose(geom->place.p, geom->place.q), inertia);
  return true;
}

static bool countsForInertia(const crMjcfElement* geom)
{
  double group = crMjcf_ReadNumber(geom, "group", 0.0);
  return group >= geom->mjcf->inertiaGroups[0] && group <= geom->mjcf->inertiaGroups[1];
}

// ---------------------------------------------------------------------------------------------- looks

static const char* readColor(const crMjcfElement* geom)
{
  double rgba[4] = { 0.5, 0.5, 0.5, 1.0 };
  const char* material = crMjcf_Get(geom, "material");
  const crXmlNode* asset = material != NULL ? crMjcf_FindAsset(geom->mjcf, "material", material) : NULL;
  if (asset != NULL) {
    crMjcfElement element = crMjcf_MakeElement(geom->mjcf, asset, NULL);
    rgba[0] = rgba[1] = rgba[2] = 1.0;
    crMjcf_ReadNumbers(&element, "rgba", 4, rgba);
  }
  crMjcf_ReadNumbers(geom, "rgba", 4, rgba);
  return rgba[3] > 0.0 ? crRobot_FormatColor(geom->mjcf->robot, rgba) : NULL;
}

// Groups from 3 on are not shown unless one asks for them: collision shapes behind the looks.
#define CR_FIRST_HIDDEN_GROUP 3

static unsigned readBits(const crMjcfElement* geom, const char* attribute)
{
  double bits = crMjcf_ReadNumber(geom, attribute, 1.0);
  return bits > 0.0 && bits < 4294967296.0 ? (unsigned)bits : 0;
}

void crMjcf_ReadGeom(const crMjcfElement* element, int body, crRobotPlace frame, const char* suffix, crInertia* sum)
{
  const crMjcf* mjcf = element->mjcf;
  crRobot* robot = mjcf->robot;
  const char *name = crXml_Get(element->node, "name"), *type = crMjcf_Get(element, "type"),
             *mesh = crMjcf_Get(element, "mesh");
  const char* shown = name != NULL ? crElementList_Print(robot->list, "%s%s%s", mjcf->prefix, name, suffix)
                                   : crElementList_Print(robot->list, "%s_geom", robot->bodies.items[body].name);
  Geom geom = { .element = element, .type = type != NULL ? type : mesh != NULL ? "mesh" : "sphere", .name = shown };
  geom.place = crMjcf_ReadPlace(element);
  crMjcf_ReadNumbers(element, "size", 3, geom.size);
  readEnds(&geom);
  bool isMesh = strcmp(geom.type, "mesh") == 0 || strcmp(geom.type, "sdf") == 0;
  geom.mesh = mesh != NULL ? crMjcf_FindAsset(mjcf, "mesh", mesh) : NULL;
  if ((mesh != NULL || isMesh) && geom.mesh == NULL) {
    crRobot_Fail(robot, element->node, shown, "there is no mesh '%.200s'", mesh != NULL ? mesh : "");
    return;
  }
  if (mesh != NULL && !isMesh) {
    crRobot_Ignore(robot, "primitive geoms that are fitted to meshes");
    return;
  }
  bool isNeeded = !robot->options.isBare || (sum != NULL && countsForInertia(element));
  crValue shape = { .kind = cr_valueNull };
  if (isNeeded) {
    shape = isMesh ? makeMesh(&geom) : makeShape(&geom);
  }
  crInertia inertia;
  if (shape.kind != cr_valueNull && sum != NULL && countsForInertia(element) && weigh(&geom, &shape, &inertia)) {
    *sum = crAddInertia(*sum, crTransformInertia(crMakePose(frame.p, frame.q), inertia));
  }
  if (shape.kind == cr_valueNull || robot->options.isBare) {
    return;
  }
  crRobotShape* added = crRobot_AddShape(robot, shown, body, crXml_GetSource(element->node));
  if (added == NULL) {
    return;
  }
  added->shape = shape;
  added->place = crMulPlace(frame, geom.place);
  added->contype = readBits(element, "contype");
  added->conaffinity = readBits(element, "conaffinity");
  double friction[3] = { CR_GEOM_FRICTION, 0.0, 0.0 };
  crMjcf_ReadNumbers(element, "friction", 3, friction);
  added->friction = friction[0];
  bool isHidden = crMjcf_ReadNumber(element, "group", 0.0) >= CR_FIRST_HIDDEN_GROUP;
  added->visual = isHidden ? NULL : readColor(element);
  if (name != NULL) {
    crMjcf_Register(mjcf, "geom", name, suffix, robot->shapes.count - 1);
  }
}

// ------------------------------------------------------------------------------------------ contacts

// By their bits, or because the file names the pair.
static bool mayMeet(const crRobot* robot, int a, int b)
{
  const crRobotShape *first = &robot->shapes.items[a], *second = &robot->shapes.items[b];
  bool isPair = false;
  for (int i = first->pairStart; i >= 0 && !isPair;) {
    const crRobotPair* pair = &robot->pairs.items[i];
    isPair = (pair->a == a ? pair->b : pair->a) == b;
    i = pair->a == a ? pair->nextA : pair->nextB;
  }
  for (int i = 0; i < robot->apart.count && first->isApart && second->isApart; ++i) {
    const crRobotPair* pair = &robot->apart.items[i];
    if ((pair->a == first->body && pair->b == second->body) || (pair->b == first->body && pair->a == second->body)) {
      return false;
    }
  }
  return isPair || (first->contype & second->conaffinity) != 0 || (second->contype & first->conaffinity) != 0;
}

// The class of a shape among those before it: of the first one with the same bits. Those of named pairs are
// alone, and so are those of bodies that are kept apart from others.
static int findClass(const crRobot* robot, const int* classes, int classCount, int shape)
{
  const crRobotShape* own = &robot->shapes.items[shape];
  for (int c = 0; c < classCount; ++c) {
    const crRobotShape* first = &robot->shapes.items[classes[c]];
    bool isPlain = own->pairStart < 0 && first->pairStart < 0; // NOLINT: there are shapes
    bool isKin = own->isApart == first->isApart && (!own->isApart || own->body == first->body);
    if (classes[c] == shape ||
        (isPlain && isKin && first->contype == own->contype && first->conaffinity == own->conaffinity)) {
      return c;
    }
  }
  return classCount;
}

// Geoms with the default bits come first.
static int listClasses(crRobot* robot, int classes[CR_MOST_CLASSES])
{
  int count = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < robot->shapes.count; ++i) {
      const crRobotShape* shape = &robot->shapes.items[i];
      bool isPlain = shape->contype == 1 && shape->conaffinity == 1 && shape->pairStart < 0 && !shape->isApart;
      if (isPlain == (pass == 0) && findClass(robot, classes, count, i) == count) {
        if (count == CR_MOST_CLASSES) {
          crRobot_Warn(robot, NULL, NULL,
                       "geoms have more than %d sets of bits and pairs: the rest collides as the last does",
                       CR_MOST_CLASSES);
          return count;
        }
        classes[count++] = i;
      }
    }
  }
  return count;
}

static const char* makeMaterial(crRobot* robot, double friction, crSource source)
{
  char number[32];
  snprintf(number, sizeof number, "%.6g", friction);
  const char* name = crElementList_Print(robot->list, "friction %s", number);
  const crScene* scene = robot->shapeReader->scene;
  bool isKnown = scene != NULL && !crIsNull(crScene_FindSolidMaterial(scene, name));
  for (int i = 0; i < robot->materials.count; ++i) {
    if (robot->materials.items[i].friction == friction) {
      return robot->materials.items[i].name;
    }
  }
  crRobotMaterial* material = crArray_Push(&robot->materials, &robot->list->arena.allocator);
  if (material == NULL) {
    robot->list->isOutOfMemory = true;
    return name;
  }
  *material = (crRobotMaterial){ name, friction };
  if (!isKnown) {
    crValue table = crMakeTable();
    crElementList_Put(robot->list, &table, "name", crMakeString(name));
    crElementList_Put(robot->list, &table, "density", crMakeNumber(CR_GEOM_DENSITY));
    crElementList_Put(robot->list, &table, "E", crMakeNumber(CR_SOFT_E));
    crElementList_Put(robot->list, &table, "nu", crMakeNumber(CR_SOFT_NU));
    crRobot_AddLater(robot, cr_elementSolidMaterial, table, source);
  }
  return name;
}

static void addPairs(crRobot* robot)
{
  crSource source = robot->reporter.source;
  const crScene* scene = robot->shapeReader->scene;
  for (int i = 0; i < robot->materials.count; ++i) {
    for (int k = 0; k <= i; ++k) {
      const crRobotMaterial *a = &robot->materials.items[i], *b = &robot->materials.items[k];
      if (scene != NULL && !crIsNull(crScene_FindContactPair(scene, a->name, b->name))) {
        continue;
      }
      crValue table = crMakeTable();
      crElementList_Put(robot->list, &table, "materialA", crMakeString(a->name));
      crElementList_Put(robot->list, &table, "materialB", crMakeString(b->name));
      crElementList_Put(robot->list, &table, "cor", crMakeNumber(0.0));
      crElementList_Put(robot->list, &table, "muK", crMakeNumber(fmax(a->friction, b->friction)));
      crElementList_Put(robot->list, &table, "muR", crMakeNumber(0.0));
      crRobot_AddLater(robot, cr_elementContactPair, table, source);
    }
  }
}

void crMjcf_FinishContacts(crMjcf* mjcf)
{
  crRobot* robot = mjcf->robot;
  int classes[CR_MOST_CLASSES];
  int count = listClasses(robot, classes), touching = 0;
  // the first bit is that of everything else in a model, which meets as geoms with the default bits do
  const crRobotShape* first = count > 0 ? &robot->shapes.items[classes[0]] : NULL;
  int shift = first != NULL && first->contype == 1 && first->conaffinity == 1 && first->pairStart < 0 && !first->isApart
                  ? 0
                  : 1;
  const char* contact = robot->options.contact;
  for (int i = 0; i < robot->shapes.count && (contact == NULL || contact[0] != '\0'); ++i) {
    crRobotShape* shape = &robot->shapes.items[i];
    int own = findClass(robot, classes, count, i);
    own = own < count ? own : count - 1;
    for (int c = 0; c < count; ++c) {
      shape->mask |= mayMeet(robot, classes[own], classes[c]) ? 1u << (c + shift) : 0;
    }
    shape->mask |= (shape->contype | shape->conaffinity) & 1u;
    if (shape->mask == 0) {
      continue;
    }
    shape->group = 1u << (own + shift);
    // bits beyond those of the file's classes are free for the rest of a model
    shape->mask |= count + shift < 32 ? ~((1u << (count + shift)) - 1u) : 0;
    shape->contact = contact != NULL ? contact : makeMaterial(robot, shape->friction, shape->source);
    ++touching;
  }
  addPairs(robot);
  if (touching > 0 && contact == NULL) {
    crComplaint complaint = {
      .message = "contacts are those of hard plastic, with the file's sliding friction and without rebound",
      .hint = "parameters of a soft solver (solref, solimp, margin, condim) have no meaning here"
    };
    crReport(&robot->reporter, cr_severityNote, cr_ok, &complaint);
  }
}
