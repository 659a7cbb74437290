// Shapes of an URDF's links: geometry, colour, contact.
#include "text/robot/urdf.h"

#include <stdio.h>
#include <string.h>

static void putSize(crRobot* robot, const crXmlNode* node, const char* attribute, crValue* shape)
{
  if (crXml_Get(node, attribute) == NULL) {
    return; // the element's own reader says that it is missing
  }
  crElementList_Put(robot->list, shape, attribute, crMakeNumber(crRobot_ReadNumber(robot, node, attribute, 0.0)));
}

static crValue readGeometry(crUrdf* urdf, const crXmlNode* part, const char* link)
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
static const char* readVisualMaterial(crUrdf* urdf, const crXmlNode* visual)
{
  const crXmlNode* material = crXml_Find(visual, "material");
  double rgba[4] = { 0.6, 0.6, 0.65, 1.0 };
  bool isFound = readColor(urdf->robot, material, rgba);
  const char* name = material != NULL ? crUrdf_GetName(material) : "";
  int known = isFound || name[0] == '\0' ? -1 : crMap_FindString(&urdf->materials.names, name);
  if (known >= 0) {
    readColor(urdf->robot, urdf->materials.items[known], rgba);
  }
  if (material != NULL && crXml_Find(material, "texture") != NULL) {
    crRobot_Ignore(urdf->robot, "<texture>");
  }
  return crRobot_FormatColor(urdf->robot, rgba);
}

void crUrdf_ReadShapes(crUrdf* urdf, const crXmlNode* link, int body, const char* bodyName)
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
    shape->place = crUrdf_ReadOrigin(robot, part);
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
