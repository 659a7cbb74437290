// A robot as URDF and MJCF describe it: bodies in a tree, each with a place in its parent's frame and any number of
// joints that move it from there, one after the other; masses and shapes. The readers of both formats fill it, and
// crRobot_List makes elements of it.
//
//   F_0 = parent's frame * place;   F_i = F_(i-1) moved by joint i;   the body's frame is the last one
//
// Joint i turns about, or slides along, its axis through its anchor, both given in F_(i-1), by its coordinate less its
// reference: at the reference the body is where its place says.
#ifndef CR_TEXT_ROBOT_ROBOT_H
#define CR_TEXT_ROBOT_ROBOT_H

#include "text/element_list.h"
#include "xml/xml.h"

#define CR_ROBOT_WORLD (-1) // parent of a body that stands in the world, or on what the robot is mounted on

// How a robot is to be read: what import() in Lua and the settings of a file say.
typedef struct crRobotOptions {
  const char* prefix; // of all names, "" or "arm."
  const char* parent; // object that it stands on; NULL: it brings a world along
  const char* folder; // of the model that imports; names of mesh files are made relative to it. NULL: the current one
  const char* meshPath;
  const char* inertia;  // "given", "balance", "strict"
  const char* contact;  // solid material of all shapes; NULL: the reader's choice; "": nothing collides
  const char* keyframe; // MJCF: name or number of the one to start from; NULL: none
  bool ignoresMissing;
  bool isFree;           // the root of an URDF moves freely
  bool collidesWithSelf; // URDF: links of one robot may meet
  bool hasNoStops, hasNoDrives, hasNoLoops;
  bool isBare;    // bodies, joints and masses alone
  unsigned group; // bit of the collision group
} crRobotOptions;

typedef struct crRobotPlace {
  crVec3 p; // [m]
  crQuat q;
} crRobotPlace;

typedef struct crRobotJoint {
  const char* name;
  crSource source;
  int body; // that it moves
  crJointKind kind;
  crVec3 anchor; // [m]
  crVec3 axis;   // of unit length where the kind has one
  double reference;
  double start[CR_MAX_JOINT_Q]; // of the coordinates
  bool hasStart;
  bool hasStops;
  double stopMin, stopMax, stopStiffness, stopDamping;
  double damping, friction, stiffness, rest, rotorInertia;
  crValue drive; // signal's name; null: none
  bool isWelded; // nothing resists its motion
  bool isFree;   // the body is a free object, and the joint has no name of its own
} crRobotJoint;

typedef struct crRobotShape {
  const char* name;
  crSource source;
  int body;
  crRobotPlace place;
  crValue shape;       // a table with a type; null: it was given up
  const char* visual;  // NULL: not drawn
  const char* contact; // NULL: does not collide
  unsigned group, mask;
  unsigned contype, conaffinity; // MJCF: what group and mask are made of
  double friction;               // likewise, of the material
  int pairStart;                 // likewise, first one of the pairs that it is part of; -1: none
  bool isApart;                  // likewise, its body is kept apart from one that stands still
} crRobotShape;

// Two shapes that meet whatever their bits are.
typedef struct crRobotPair {
  int a, b;
  int nextA, nextB; // next pair of each of them; -1: none
} crRobotPair;

// A material that stands for a coefficient of friction.
typedef struct crRobotMaterial {
  const char* name;
  double friction;
} crRobotMaterial;

// coordinate of joint = offset + factor x coordinate of the other; without another one it is held at the offset.
typedef struct crRobotCoupling {
  const char* name;
  crSource source;
  int joint, other; // other: -1 for none
  double factor, offset;
} crRobotCoupling;

typedef struct crRobotBody {
  const char* name;
  crSource source;
  int parent; // < own index, or CR_ROBOT_WORLD
  crRobotPlace place;
  bool isWorld;      // the world itself
  bool isFree;       // moves freely without a joint
  crInertia inertia; // in the body's frame
  int jointStart, jointCount;
  int shapeStart, shapeCount;
} crRobotBody;

typedef struct crRobot {
  crElementList* list; // what is made of it, and the arena of everything here
  crElementReader* shapeReader;
  crRobotOptions options;
  crReporter reporter; // of the file
  const char* folder;  // of the robot's file
  crMap names;         // of elements that are taken
  crArrayOf(crRobotBody) bodies;
  crArrayOf(crRobotJoint) joints;
  crArrayOf(crRobotShape) shapes;
  crArrayOf(crRobotMaterial) materials;
  crArrayOf(crRobotPair) pairs;
  crArrayOf(crRobotPair) apart; // bodies that do not meet, one of which stands still
  crArrayOf(crRobotCoupling) couplings;
  crArrayOf(crListedElement) later; // elements that come behind bodies and joints
  crArrayOf(const char*) missing;   // mesh files that were not found
  crArrayOf(const char*) ignored;   // words of the file that say nothing to us
} crRobot;

void crRobot_Init(crRobot* robot, const crRobotOptions* options, const char* file, const char* folder,
                  crElementReader* shapeReader, const crErrorSink* sink, crElementList* list);
void crRobot_Free(crRobot* robot);

// ------------------------------------------------------------------------------------------ filling

// A name for an element that nothing else has: the wanted one, with '_' for '.', else with `suffix` or a number.
const char* crRobot_TakeName(crRobot* robot, const char* wanted, const char* suffix);

// The path of an element of that name: with the prefix.
const char* crRobot_GetPath(crRobot* robot, const char* name);

// New ones with defaults; NULL: out of memory. Pointers hold until the next one is added. The joints of a body come one
// after the other, its shapes, too.
crRobotBody* crRobot_AddBody(crRobot* robot, const char* name, int parent, crSource source);
crRobotJoint* crRobot_AddJoint(crRobot* robot, const char* name, int body, crJointKind kind, crSource source);
crRobotShape* crRobot_AddShape(crRobot* robot, const char* name, int body, crSource source);

// Couples two joints, and lets the first start where the other says.
void crRobot_Couple(crRobot* robot, const char* name, int joint, int other, double factor, double offset,
                    crSource source);

// A mesh, found where the file says or in one of the other places; null where it is missing, which was reported or
// noted.
crValue crRobot_MakeMesh(crRobot* robot, const crXmlNode* node, const char* name, const char* file, crVec3 scale);

// An element that stands behind bodies and joints: signals, materials, exclusions.
void crRobot_AddLater(crRobot* robot, crElementKind kind, crValue value, crSource source);

// An object without features, fixed to a parent; also behind bodies and joints.
void crRobot_AddFrame(crRobot* robot, const char* path, const char* parent, crRobotPlace place, crSource source);

// Remembers that a part of the file is not read; all such are told in one line.
void crRobot_Ignore(crRobot* robot, const char* what);

// Reports an error or a warning at a node.
void crRobot_Complain(crRobot* robot, const crXmlNode* node, const char* name, const crComplaint* complaint);
void crRobot_Fail(crRobot* robot, const crXmlNode* node, const char* name, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
void crRobot_Warn(crRobot* robot, const crXmlNode* node, const char* name, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

crSource crXml_GetSource(const crXmlNode* node);

// Reads attributes that are numbers: exactly `count` of them; what is not there keeps its value. false: reported.
bool crRobot_ReadNumbers(crRobot* robot, const crXmlNode* node, const char* attribute, int count, double* numbers);
double crRobot_ReadNumber(crRobot* robot, const crXmlNode* node, const char* attribute, double otherwise);
crVec3 crRobot_ReadVec3(crRobot* robot, const crXmlNode* node, const char* attribute, crVec3 otherwise);

static inline crRobotPlace crMakePlace(crVec3 p, crQuat q)
{
  crRobotPlace place = { p, q };
  return place;
}

static inline crRobotPlace crMulPlace(crRobotPlace a, crRobotPlace b)
{
  crRobotPlace place = { crAdd(a.p, crMulMV(crQuatToMat3(a.q), b.p)), crNormalizeQuat(crMulQuat(a.q, b.q)) };
  return place;
}

// "#rrggbb", or "#rrggbbaa" where it is transparent.
const char* crRobot_FormatColor(crRobot* robot, const double rgba[4]);

// ------------------------------------------------------------------------------------------ masses

// Welds joints at the ends of the tree against whose motion nothing has inertia, and says which.
void crRobot_WeldMassless(crRobot* robot);

// Whether a body stands still: nothing moves it, or what it hangs on.
bool crRobot_IsStatic(const crRobot* robot, int body);

// ---------------------------------------------------------------------------------------- elements

// Makes elements of the robot at the end of its list, and tells in one line each what was ignored, what is missing,
// and which inertias no rigid body has.
void crRobot_List(crRobot* robot);

// ----------------------------------------------------------------------------------------- formats

// Fill the robot from the root element of a file. What is wrong is reported; the robot counts it.
void crReadUrdf(crRobot* robot, const crXmlNode* root);
void crReadMjcf(crRobot* robot, crXmlNode* root);

// Reads a robot from a text, by its root element, into a list. `file` stands for it in messages, `folder` is where its
// meshes are looked up first. cr_errorModel: some of it was reported, and the list is of no use.
crStatus crListRobot(const char* text, size_t size, const char* file, const char* folder, const crRobotOptions* options,
                     crElementReader* shapeReader, const crErrorSink* sink, crElementList* list);

#endif
