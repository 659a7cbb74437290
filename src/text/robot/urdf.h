// URDF: what its readers share.
#ifndef CR_TEXT_ROBOT_URDF_H
#define CR_TEXT_ROBOT_URDF_H

#include "text/robot/robot.h"

// Links or joints, and their names.
typedef struct crUrdfList {
  const crXmlNode** items;
  int count, capacity;
  crMap names; // -> items
} crUrdfList;

typedef struct crUrdf {
  crRobot* robot;
  const crXmlNode* root;
  crUrdfList links, joints, materials;
  int* parentJoint;        // (links.count) joint whose child it is; -1: none
  int* firstChild;         // (links.count) joint whose parent it is; -1: none
  int* bodyOf;             // (links.count) body of the robot; -1: not reached
  int *parentOf, *childOf; // (joints.count) links; -1: unknown
  int* nextChild;          // (joints.count) next joint with the same parent
  const char** linkNames;  // (links.count) in the robot
  int* jointPlaces;        // (joints.count) in the robot; -1: not reached, or fixed
} crUrdf;

const char* crUrdf_GetName(const crXmlNode* node); // "" for none
crRobotPlace crUrdf_ReadOrigin(crRobot* robot, const crXmlNode* node);

// Visuals and collisions of a link.
void crUrdf_ReadShapes(crUrdf* urdf, const crXmlNode* link, int body, const char* bodyName);

#endif
