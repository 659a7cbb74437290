// MJCF, the format of MuJoCo: what its readers share.
//
// A file is one tree of bodies, with assets, defaults and what acts beside it. Other files can be included, and others
// again attached with settings of their own; each of the latter is a crMjcf.
#ifndef CR_TEXT_ROBOT_MJCF_H
#define CR_TEXT_ROBOT_MJCF_H

#include "text/robot/robot.h"

typedef struct crMjcf crMjcf;

// A body as it was found: its element, and what holds inside.
typedef struct crMjcfBody {
  const crMjcf* mjcf;
  const crXmlNode* node;
  const char* childClass; // NULL: main
  const char* suffix;     // of names inside, made by <replicate>; ""
} crMjcfBody;

struct crMjcf {
  crRobot* robot;
  crMjcf* owner; // that it is attached to; NULL: none
  crMjcf* next;  // of the outermost: all that are attached
  crXmlNode* root;
  const char* folder;
  const char* prefix; // of all names; ""
  crMap classes;      // name -> classNodes
  crArrayOf(const crXmlNode*) classNodes;
  crMap assets; // "mesh NAME", "material NAME", "model NAME" -> assetNodes
  crArrayOf(const crXmlNode*) assetNodes;
  // <compiler>
  double angle; // [rad] of an angle of 1
  char eulerSequence[4];
  bool isAutoLimited, isBalanced, isExactMesh, stripsPath;
  char inertiaFromGeom; // 'a'uto, 't'rue, 'f'alse
  double inertiaGroups[2];
  double boundMass, boundInertia, totalMass;
  const char *meshFolder, *assetFolder;
  // shared by attached ones, of the outermost
  crArrayOf(crMjcfBody) bodies; // (robot->bodies.count)
  crMap names;                  // "body NAME", "joint NAME", "geom NAME", "site NAME" -> body, joint, shape, sites
  crArrayOf(const char*) sites; // paths of objects
  int budget;                   // elements that may still be made
  int includeCount;
};

static inline crMjcf* crMjcf_GetOuter(const crMjcf* mjcf)
{
  return mjcf->owner != NULL ? crMjcf_GetOuter(mjcf->owner) : (crMjcf*)mjcf;
}

// ---------------------------------------------------------------------------------------- attributes

// An element with the class whose defaults hold for it.
typedef struct crMjcfElement {
  const crMjcf* mjcf;
  const crXmlNode* node;
  const char* className; // NULL: main
  const char* kind;      // whose defaults hold: "geom", "joint"; of actuators: "general"
} crMjcfElement;

crMjcfElement crMjcf_MakeElement(const crMjcf* mjcf, const crXmlNode* node, const char* childClass);

// The value of an attribute: of the element, else of its class, else of the class around that; NULL: none.
const char* crMjcf_Get(const crMjcfElement* element, const char* attribute);

double crMjcf_ReadNumber(const crMjcfElement* element, const char* attribute, double otherwise);
// Up to `most` numbers; what is not given keeps its value. Returns how many there were; faults are reported.
int crMjcf_ReadNumbers(const crMjcfElement* element, const char* attribute, int most, double* numbers);
crVec3 crMjcf_ReadVec3(const crMjcfElement* element, const char* attribute, crVec3 otherwise);
bool crMjcf_Is(const crMjcfElement* element, const char* attribute, const char* value);

// "true", "false", or whether `range` is given.
bool crMjcf_IsLimited(const crMjcfElement* element, const char* limited, const char* range);

// pos, and the orientation in any of its forms.
crRobotPlace crMjcf_ReadPlace(const crMjcfElement* element);

// ---------------------------------------------------------------------------------------------- parts

// Defaults, compiler and assets of a file whose includes are done.
void crMjcf_ReadHead(crMjcf* mjcf);
const crXmlNode* crMjcf_FindAsset(const crMjcf* mjcf, const char* kind, const char* name);

// Remembers and finds what has a name, with the prefix of the file: the number, or -1.
void crMjcf_Register(const crMjcf* mjcf, const char* kind, const char* name, const char* suffix, int number);
int crMjcf_Find(const crMjcf* mjcf, const char* kind, const char* name);

// Replaces every <include> by what the file holds.
void crMjcf_Include(crMjcf* mjcf, crXmlNode* node, int depth);

// A geom of a body, placed in its frame, with its mass: it is added to the sum unless that is NULL.
void crMjcf_ReadGeom(const crMjcfElement* element, int body, crRobotPlace frame, const char* suffix, crInertia* sum);

// Gives groups and materials to the shapes of all geoms.
void crMjcf_FinishContacts(crMjcf* mjcf);

// What stands beside the bodies.
void crMjcf_ReadActuators(crMjcf* mjcf);
void crMjcf_ReadSensors(crMjcf* mjcf);
void crMjcf_ReadEqualities(crMjcf* mjcf);
void crMjcf_ReadPairs(crMjcf* mjcf); // these two before the contacts are finished
void crMjcf_ReadExclusions(crMjcf* mjcf);
void crMjcf_ReadKeyframe(crMjcf* mjcf);

#endif
