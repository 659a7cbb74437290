// The fields of every def by name: what models may say, in one place.
//
// The Lua reader, the JSON reader and writer, the JSON schema and docs/reference.md all come from
// these records, so a field has the same name and meaning everywhere.
#ifndef CR_SCENE_FIELD_H
#define CR_SCENE_FIELD_H

#include "base/friend.h"
#include "carom/scene.h"

typedef enum crFieldType {
  cr_fieldNumber,      // double
  cr_fieldInteger,     // int
  cr_fieldBool,        // bool
  cr_fieldNot,         // bool: true where the model says false
  cr_fieldCollision,   // crJointCollision: allowed or not
  cr_fieldBits,        // uint32_t
  cr_fieldMask,        // uint32_t: the bits that the model does not say
  cr_fieldString,      // const char*
  cr_fieldPath,        // const char*: the path of an object, or the object itself
  cr_fieldMaterial,    // const char*: the name of a material, or the material itself
  cr_fieldEnum,        // int by text
  cr_fieldVec3,        // crVec3: { x, y, z }
  cr_fieldAxis,        // crVec3: the same, or "x", "-x", ...
  cr_fieldScale,       // crVec3: the same, or one number for all
  cr_fieldRotation,    // crQuat: angles { a, b, c }, { axis =, angle = }, quaternion { w, x, y, z }, or three rows
  cr_fieldColor,       // crColor: name, "#rrggbb[aa]", { r, g, b [, a] }
  cr_fieldSym3,        // crSym3: { xx, yy, zz }, { xx, yy, zz, xy, xz, yz }, or three rows
  cr_fieldPoints,      // const crVec3* and, behind it, int count
  cr_fieldTable,       // const crTablePoint* and, behind it, int count: { { x, y }, ... }
  cr_fieldProfile,     // const crProfilePoint* and, behind it, int count: { { x, y }, { x, y, arc = }, ... }
  cr_fieldMesh,        // const crMesh* and, behind it, const char* file
  cr_fieldHeights,     // const double* and, behind it, two int: rows and columns
  cr_fieldPicture,     // the same from a PNG file, beside which `height` is that of white
  cr_fieldShape,       // crShapeDef
  cr_fieldGravity,     // crGravity: { x, y, z }, "none", or { centre =, mu = }
  cr_fieldFeatures,    // const crFeatureDef* and, behind it, int count
  cr_fieldParameters,  // const crParameter* and, behind it, int count
  cr_fieldCoordinates, // double[qCount]: a number, or a list
  cr_fieldRates,       // double[vCount]: likewise
  cr_fieldEach,        // double[vCount]: one for all, or a list
  cr_fieldFlags,       // bool[vCount]: one for all, or a list
  cr_fieldNumbers,     // const double* and, behind it, int count
  cr_fieldJoint,       // const char*: the path of a joint, or the joint itself
  cr_fieldCoupling,    // const char*: the path of a coupling, or the coupling itself
  cr_fieldSignal,      // const char*: the path of a signal, or the signal itself
  cr_fieldPaths,       // const char* const* and, behind it, int count: a list of objects or their paths
  cr_fieldSignals,     // const char* const* and, behind it, int count: a list of the same
  cr_fieldStrings,     // const char* const* and, behind it, int count: a list of strings
  cr_fieldArguments,   // const crArgument* and, behind it, int count: { name = signal, ... }
  cr_fieldFmu,         // const char* file and, behind it, const char* path where it was found
  cr_fieldNamed,       // const crNamedNumber* and, behind it, int count: { name = number, ... }
} crFieldType;

// A value of an enumeration and its text.
typedef struct crChoice {
  const char* text;
  int value;
} crChoice;

// What 0 means in a def, where a model as text can say it only on purpose.
typedef enum crZeroRule {
  cr_zeroIsZero,  // the number 0
  cr_zeroRefused, // not given; as a value it makes no sense
  cr_zeroKept,    // not given; what a model calls 0 is CR_ZERO in the def
} crZeroRule;

typedef struct crField {
  const char* name;
  crFieldType type;
  size_t offset; // of the member in its def
  bool isRequired;
  const char* unit;        // or NULL
  double factor;           // of an alias: the member gets factor x value; 0 for the member's own name
  const crChoice* choices; // of an enum, ended by a text of NULL
  const char* about;       // one line for docs and the schema
  crZeroRule zero;
} crField;

// One def: an element, a feature, a shape or a joint of one kind.
typedef struct crRecord {
  const char* type; // what "type" says in a model, or what it is called
  const char* about;
  const crField* fields;
  int fieldCount;
} crRecord;

CR_FRIEND const crRecord* crGetSceneRecord(void);
// Not joints, forces, couplings, signals: they differ by kind.
CR_FRIEND const crRecord* crGetElementRecord(crElementKind kind);
// Joints as a model writes them: by their kinds, then shafts and sliders, which scenes make joints and objects of.
enum { cr_formShaft = cr_jointKindCount, cr_formSlider, cr_jointFormCount };
CR_FRIEND const crRecord* crGetJointRecord(int form);
CR_FRIEND crJointKind crGetJointForm(int form); // the kind that it becomes
CR_FRIEND const crRecord* crGetForceRecord(crForceKind kind);
CR_FRIEND const crRecord* crGetCouplingRecord(crCouplingKind kind);
CR_FRIEND const crRecord* crGetSignalRecord(crSignalKind kind);
CR_FRIEND const crRecord* crGetFeatureRecord(crFeatureKind kind);
CR_FRIEND const crRecord* crGetShapeRecord(crShapeKind kind);

// The field of a name, or NULL.
CR_FRIEND const crField* crRecord_Find(const crRecord* record, const char* name);

#endif
