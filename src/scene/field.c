// The records behind field.h.
#include "scene/field.h"

#include <string.h>

// clang-format off
#define FIELD(Def, name, type, member, unit, about) \
  { name, type, offsetof(Def, member), false, unit, 0.0, NULL, about, cr_zeroIsZero }
// Optional, 0 in the def being "not given": as a value it is refused, or is CR_ZERO.
#define ABOVE_ZERO(Def, name, type, member, unit, about) \
  { name, type, offsetof(Def, member), false, unit, 0.0, NULL, about, cr_zeroRefused }
#define ZERO_TOO(Def, name, type, member, unit, about) \
  { name, type, offsetof(Def, member), false, unit, 0.0, NULL, about, cr_zeroKept }
#define NEEDED(Def, name, type, member, unit, about) \
  { name, type, offsetof(Def, member), true, unit, 0.0, NULL, about, cr_zeroIsZero }
#define ALIAS(Def, name, member, factor, unit, about) \
  { name, cr_fieldNumber, offsetof(Def, member), false, unit, factor, NULL, about, cr_zeroIsZero }
#define ENUM(Def, name, member, choices, about) \
  { name, cr_fieldEnum, offsetof(Def, member), false, NULL, 0.0, choices, about, cr_zeroIsZero }
#define RECORD(type, about, fields) { type, about, fields, (int)(sizeof(fields) / sizeof *(fields)) }

// ------------------------------------------------------------------------------------------ scene

static const crChoice responseChoices[] = {
  { "elastic", cr_responseElastic }, { "springDamper", cr_responseSpringDamper }, { "penalty", cr_responsePenalty },
  { "impulsive", cr_responseImpulsive }, { "observer", cr_responseObserver }, { NULL, 0 }
};
static const crChoice formulaChoices[] = {
  { "flores", cr_dampingFlores }, { "exact", cr_dampingExact }, { NULL, 0 }
};
static const crChoice touchChoices[] = { { "area", cr_touchByArea }, { "point", cr_touchByPoint }, { NULL, 0 } };
static const crChoice geometryChoices[] = {
  { "radius", cr_geometryRadius }, { "table", cr_geometryTable }, { "hertz", cr_geometryHertz }, { NULL, 0 }
};
static const crChoice frictionChoices[] = {
  { "regularized", cr_frictionRegularized }, { "stick", cr_frictionStick }, { NULL, 0 }
};
static const crChoice solverChoices[] = {
  { "default", cr_solverDefault }, { "auto", cr_solverAuto }, { "ida", cr_solverIda }, { "cvode-bdf", cr_solverCvodeBdf },
  { "dopri5", cr_solverDopri5 }, { "dop853", cr_solverDop853 }, { "radau5", cr_solverRadau5 }, { NULL, 0 }
};
static const crChoice islandChoices[] = {
  { "default", cr_islandsDefault }, { "on", cr_islandsOn }, { "off", cr_islandsOff }, { NULL, 0 }
};
static const crChoice eventRowChoices[] = {
  { "default", cr_eventRowsDefault }, { "on", cr_eventRowsOn }, { "off", cr_eventRowsOff }, { NULL, 0 }
};

static const crField sceneFields[] = {
  FIELD(crSceneOptions, "gravity", cr_fieldGravity, gravity, "m/s^2",
        "acceleration {x, y, z}, \"none\", or a point mass {centre =, mu =}"),
  FIELD(crSceneOptions, "contactDetection", cr_fieldNot, ignoresContacts, NULL, "false: nothing collides"),
  ENUM(crSceneOptions, "response", response, responseChoices, "to contact, of pairs that do not say otherwise"),
  ENUM(crSceneOptions, "formula", formula, formulaChoices, "of the damping, likewise"),
  ENUM(crSceneOptions, "touch", touch, touchChoices, "of shapes with flats, edges or rims, likewise"),
  ENUM(crSceneOptions, "geometry", geometry, geometryChoices, "of contacts at a point, likewise"),
  ENUM(crSceneOptions, "friction", friction, frictionChoices, "regularized or stick, likewise, and of joints"),
  ABOVE_ZERO(crSceneOptions, "kRed", cr_fieldNumber, kRed, NULL, "factor of the stiffness of elastic contacts, likewise"),
  ABOVE_ZERO(crSceneOptions, "vMin", cr_fieldNumber, vMin, "m/s", "below it friction and restitution fade, likewise"),
  ABOVE_ZERO(crSceneOptions, "wMin", cr_fieldNumber, wMin, "rad/s", "below it rolling resistance fades, likewise"),
  ABOVE_ZERO(crSceneOptions, "hysteresis", cr_fieldNumber, hysteresis, "m",
        "half the depth at which contact begins, likewise"),
  ABOVE_ZERO(crSceneOptions, "stopTime", cr_fieldNumber, run.stopTime, "s", "of a run that is not told otherwise"),
  FIELD(crSceneOptions, "startTime", cr_fieldNumber, run.startTime, "s", "likewise"),
  ABOVE_ZERO(crSceneOptions, "interval", cr_fieldNumber, run.interval, "s", "of output points of a run, likewise"),
  ABOVE_ZERO(crSceneOptions, "tolerance", cr_fieldNumber, run.tolerance, NULL, "relative, of a run, likewise"),
  ABOVE_ZERO(crSceneOptions, "maxStep", cr_fieldNumber, run.maxStep, "s", "largest step of a run, likewise"),
  ENUM(crSceneOptions, "solver", run.solver, solverChoices, "of a run, by its name, likewise"),
  ENUM(crSceneOptions, "islands", run.islands, islandChoices, "of a run: on or off, likewise"),
  ENUM(crSceneOptions, "eventRows", run.eventRows, eventRowChoices, "on or off: rows just before and after events, likewise"),
  FIELD(crSceneOptions, "record", cr_fieldStrings, run.record, NULL,
        "patterns of the variables to record, likewise: \"arm.*.angle\""),
};
static const crRecord sceneRecord = RECORD("scene", "Options of the whole model.", sceneFields);

// ----------------------------------------------------------------------------------------- objects

static const crChoice startChoices[] = {
  { "pose", cr_startPose }, { "rest", cr_startRest }, { NULL, 0 }
};
static const crChoice mobilityChoices[] = {
  { "rigid", cr_mobilityRigid }, { "free", cr_mobilityFree }, { "world", cr_mobilityWorld }, { NULL, 0 }
};

static const crField objectFields[] = {
  NEEDED(crObjectDef, "name", cr_fieldString, name, NULL, "path of the object"),
  FIELD(crObjectDef, "parent", cr_fieldPath, parent, NULL,
        "object that it is fixed to, or starts from when it is free"),
  ENUM(crObjectDef, "mobility", mobility, mobilityChoices,
       "rigid (fixed to its parent), free (six degrees of freedom), world (the inertial frame)"),
  FIELD(crObjectDef, "position", cr_fieldVec3, position, "m", "origin in the parent's frame"),
  ABOVE_ZERO(crObjectDef, "rotation", cr_fieldRotation, rotation, NULL,
        "angles {a, b, c} about x, new y, new z; {axis =, angle =}; quaternion {w, x, y, z} of any length; or three rows"),
  FIELD(crObjectDef, "velocity", cr_fieldVec3, velocity, "m/s", "start value of a free object, in world axes"),
  FIELD(crObjectDef, "angularVelocity", cr_fieldVec3, angularVelocity, "rad/s",
        "start value of a free object, in world axes"),
  ENUM(crObjectDef, "start", start, startChoices,
       "of a free object: pose (where it is put), rest (moved along gravity until what it lies on carries it)"),
  FIELD(crObjectDef, "canCollide", cr_fieldNot, neverCollides, NULL, "false: its contact materials are not used"),
  FIELD(crObjectDef, "features", cr_fieldFeatures, features, NULL, "what it is made of; in Lua the list part"),
};

static const crField assemblyFields[] = {
  NEEDED(crAssemblyDef, "name", cr_fieldString, name, NULL, "path of the assembly; \"\" for the model itself"),
  FIELD(crAssemblyDef, "parameters", cr_fieldParameters, parameters, NULL, "what it was made from, for the record"),
};

static const crField exclusionFields[] = {
  NEEDED(crExclusionDef, "objectA", cr_fieldPath, objectA, NULL, "object of the first rigid group"),
  NEEDED(crExclusionDef, "objectB", cr_fieldPath, objectB, NULL, "object of the second rigid group"),
};

// --------------------------------------------------------------------------------------- materials

static const crField solidMaterialFields[] = {
  NEEDED(crSolidMaterialDef, "name", cr_fieldString, name, NULL, "name of the material"),
  NEEDED(crSolidMaterialDef, "density", cr_fieldNumber, density, "kg/m^3", "mass per volume"),
  ABOVE_ZERO(crSolidMaterialDef, "E", cr_fieldNumber, E, "N/m^2", "Young's modulus; needed for contact"),
  ABOVE_ZERO(crSolidMaterialDef, "nu", cr_fieldNumber, nu, NULL, "Poisson's ratio; needed for contact"),
};

static const crChoice pairResponseChoices[] = {
  { "elastic", cr_responseElastic }, { "springDamper", cr_responseSpringDamper }, { "penalty", cr_responsePenalty },
  { "impulsive", cr_responseImpulsive }, { "observer", cr_responseObserver }, { "scene", cr_responseOfScene },
  { NULL, 0 }
};
static const crChoice pairFormulaChoices[] = {
  { "flores", cr_dampingFlores }, { "exact", cr_dampingExact }, { "scene", cr_dampingOfScene }, { NULL, 0 }
};
static const crChoice pairTouchChoices[] = {
  { "area", cr_touchByArea }, { "point", cr_touchByPoint }, { "scene", cr_touchOfScene }, { NULL, 0 }
};
static const crChoice pairGeometryChoices[] = {
  { "radius", cr_geometryRadius }, { "table", cr_geometryTable }, { "hertz", cr_geometryHertz }, { "scene", cr_geometryOfScene }, { NULL, 0 }
};

static const crChoice pairFrictionChoices[] = {
  { "regularized", cr_frictionRegularized }, { "stick", cr_frictionStick }, { "scene", cr_frictionOfScene }, { NULL, 0 }
};

static const crField contactPairFields[] = {
  NEEDED(crContactPairDef, "materialA", cr_fieldMaterial, materialA, NULL, "one solid material, or \"*\" for any"),
  NEEDED(crContactPairDef, "materialB", cr_fieldMaterial, materialB, NULL, "the other, likewise; the order does not matter"),
  NEEDED(crContactPairDef, "cor", cr_fieldNumber, cor, NULL, "coefficient of restitution, 0 to 1"),
  NEEDED(crContactPairDef, "muK", cr_fieldNumber, muK, NULL, "sliding friction coefficient"),
  NEEDED(crContactPairDef, "muR", cr_fieldNumber, muR, NULL, "rolling resistance coefficient"),
  ENUM(crContactPairDef, "response", response, pairResponseChoices,
       "elastic, springDamper, penalty, impulsive, observer, or scene: what the scene says"),
  ENUM(crContactPairDef, "formula", formula, pairFormulaChoices,
       "of the damping: flores, exact (cor is obtained), or scene"),
  ENUM(crContactPairDef, "touch", touch, pairTouchChoices,
       "of shapes with flats, edges or rims: area, point (the nearest points alone), or scene"),
  ENUM(crContactPairDef, "geometry", geometry, pairGeometryChoices,
       "radius (Hertz with contact radii), hertz (ellipses by principal curvatures), table (of the papers), or scene"),
  ENUM(crContactPairDef, "friction", friction, pairFrictionChoices,
       "stick (what is loaded below its limit stays), regularized (it creeps, with vMin), or scene"),
  ABOVE_ZERO(crContactPairDef, "muS", cr_fieldNumber, muS, NULL, "friction coefficient before it slides; muK unless given"),
  ABOVE_ZERO(crContactPairDef, "slipFade", cr_fieldNumber, slipFade, "m/s",
       "speed in which muS falls to muK; 1e-5 unless given"),
  ABOVE_ZERO(crContactPairDef, "tangentialRatio", cr_fieldNumber, tangentialRatio, NULL,
       "stiffness along a sticking contact over that across; from the materials unless given"),
  ABOVE_ZERO(crContactPairDef, "tangentialDamping", cr_fieldNumber, tangentialDamping, NULL,
       "damping ratio along a sticking contact; 1 where muS > muK, else from cor, unless given"),
  ABOVE_ZERO(crContactPairDef, "kRed", cr_fieldNumber, kRed, NULL, "factor of the stiffness of elastic contacts"),
  ABOVE_ZERO(crContactPairDef, "vMin", cr_fieldNumber, vMin, "m/s", "below it friction and restitution fade"),
  ABOVE_ZERO(crContactPairDef, "wMin", cr_fieldNumber, wMin, "rad/s", "below it rolling resistance fades"),
  ABOVE_ZERO(crContactPairDef, "hysteresis", cr_fieldNumber, hysteresis, "m", "half the depth at which contact begins"),
  ABOVE_ZERO(crContactPairDef, "stiffness", cr_fieldNumber, stiffness, "N/m", "of springDamper and penalty"),
  FIELD(crContactPairDef, "damping", cr_fieldNumber, damping, "N s/m", "of springDamper"),
};

static const crField visualMaterialFields[] = {
  NEEDED(crVisualMaterialDef, "name", cr_fieldString, name, NULL, "name of the material"),
  ZERO_TOO(crVisualMaterialDef, "color", cr_fieldColor, color, NULL,
        "CSS name, \"#rrggbb[aa]\", or {r, g, b [, a]} from 0 to 1"),
  FIELD(crVisualMaterialDef, "wireframe", cr_fieldBool, wireframe, NULL, "draw edges only"),
  FIELD(crVisualMaterialDef, "transparency", cr_fieldNumber, transparency, NULL, "0 opaque to 1 invisible"),
  ZERO_TOO(crVisualMaterialDef, "shininess", cr_fieldNumber, shininess, NULL, "0 dull to 1 mirror-like"),
  FIELD(crVisualMaterialDef, "shadows", cr_fieldNot, isShadowless, NULL, "casts and receives shadows"),
};

static const crChoice crossingChoices[] = {
  { "up", cr_crossingUp }, { "down", cr_crossingDown }, { "both", cr_crossingBoth }, { NULL, 0 }
};
static const crField actionFields[] = {
  NEEDED(crActionDef, "name", cr_fieldString, name, NULL, "path of the action"),
  FIELD(crActionDef, "attach", cr_fieldPath, attach, NULL, "object that becomes a part of another one; or release, ..."),
  FIELD(crActionDef, "to", cr_fieldPath, to, NULL, "with attach: that other one"),
  FIELD(crActionDef, "release", cr_fieldPath, release, NULL, "object that becomes free, with the velocity that it has"),
  FIELD(crActionDef, "delete", cr_fieldPath, remove, NULL, "object that vanishes, with what hangs on it"),
  FIELD(crActionDef, "lock", cr_fieldJoint, lock, NULL, "joint that keeps its coordinate from then on"),
  FIELD(crActionDef, "unlock", cr_fieldJoint, unlock, NULL, "joint that was locked"),
  ABOVE_ZERO(crActionDef, "maxSpeed", cr_fieldNumber, maxSpeed, "m/s or rad/s",
        "of what is attached or locked; faster ones end the run; 0.1 unless given"),
  ZERO_TOO(crActionDef, "time", cr_fieldNumber, time, "s", "when; or by a signal, a contact, or a call from outside"),
  ABOVE_ZERO(crActionDef, "period", cr_fieldNumber, period, "s", "with time: again and again"),
  FIELD(crActionDef, "signal", cr_fieldSignal, signal, NULL, "when this crosses the level"),
  FIELD(crActionDef, "level", cr_fieldNumber, level, NULL, "that the signal crosses"),
  ENUM(crActionDef, "direction", direction, crossingChoices, "of the crossing: up, down or both"),
  FIELD(crActionDef, "contact", cr_fieldPaths, contact, NULL, "when these two objects have touched"),
  FIELD(crActionDef, "duration", cr_fieldNumber, duration, "s", "with contact: for so long"),
};

static const crRecord elementRecords[] = {
  [cr_elementAssembly] = RECORD("assembly", "A named group of elements.", assemblyFields),
  [cr_elementObject] = RECORD("object", "A coordinate system with features.", objectFields),
  [cr_elementSolidMaterial] = RECORD("solidMaterial", "Constants of one solid.", solidMaterialFields),
  [cr_elementContactPair] = RECORD("contactPair", "Constants of two solids in contact.", contactPairFields),
  [cr_elementVisualMaterial] = RECORD("visualMaterial", "A look.", visualMaterialFields),
  [cr_elementExclusion] = RECORD("exclude", "Two rigid groups that never collide.", exclusionFields),
  [cr_elementAction] = RECORD("action", "A change of the structure during a run.", actionFields),
};

// ---------------------------------------------------------------------------------- joints, forces

static const crChoice jointFrictionChoices[] = {
  { "regularized", cr_frictionRegularized }, { "stick", cr_frictionStick }, { "scene", cr_frictionOfScene }, { NULL, 0 }
};

#define JOINT_ENDS \
  NEEDED(crJointDef, "name", cr_fieldString, name, NULL, "path of the joint"), \
  NEEDED(crJointDef, "objectA", cr_fieldPath, objectA, NULL, "object relative to which the coordinates count"), \
  NEEDED(crJointDef, "objectB", cr_fieldPath, objectB, NULL, "object that the coordinates move")
#define JOINT_START \
  ABOVE_ZERO(crJointDef, "start", cr_fieldCoordinates, start, NULL, "coordinates at the start"), \
  FIELD(crJointDef, "startRate", cr_fieldRates, startRate, NULL, "rates at the start"), \
  FIELD(crJointDef, "fixed", cr_fieldFlags, fixed, NULL, "keep the start values when loops are closed"), \
  ABOVE_ZERO(crJointDef, "nominal", cr_fieldRates, nominal, NULL, "typical magnitudes, for error control")
#define JOINT_COORDINATES \
  JOINT_START, \
  FIELD(crJointDef, "canCollide", cr_fieldCollision, collision, NULL, "the two rigid groups may collide")

#define JOINT_AXIS ABOVE_ZERO(crJointDef, "axis", cr_fieldAxis, axis, NULL, "direction, the same in both objects' frames")
#define JOINT_DAMPING(unit) \
  FIELD(crJointDef, "damping", cr_fieldEach, law.damping, unit, "force per rate")
// Units of degrees of freedom that turn and that slide; most joints have one kind only.
#define JOINT_LAW(force, coordinate, inertia) \
  JOINT_LOAD(force, coordinate), \
  FIELD(crJointDef, "rotorInertia", cr_fieldEach, law.rotorInertia, inertia, \
        "of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate"), \
  ZERO_TOO(crJointDef, "gearRatio", cr_fieldEach, law.gearRatio, NULL, "turns of the rotor per turn of the joint")
#define JOINT_LOAD(force, coordinate) \
  JOINT_DAMPING(force " s/" coordinate), \
  FIELD(crJointDef, "stiffness", cr_fieldEach, law.stiffness, force "/" coordinate, "force per coordinate"), \
  FIELD(crJointDef, "rest", cr_fieldEach, law.rest, coordinate, "coordinate where the spring is relaxed"), \
  FIELD(crJointDef, "friction", cr_fieldEach, law.friction, force, "dry friction"), \
  ENUM(crJointDef, "frictionLaw", law.frictionLaw, jointFrictionChoices, \
        "regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene"), \
  ABOVE_ZERO(crJointDef, "frictionRate", cr_fieldEach, law.frictionRate, coordinate "/s", \
        "regularized: rate below which friction fades to zero; 0.01 unless given"), \
  FIELD(crJointDef, "frictionStatic", cr_fieldEach, law.frictionStatic, force, \
        "stick: what holds what does not slide, friction or more; 0: friction"), \
  FIELD(crJointDef, "frictionStiffness", cr_fieldEach, law.frictionStiffness, force "/" coordinate, \
        "stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate"), \
  ABOVE_ZERO(crJointDef, "frictionFade", cr_fieldEach, law.frictionFade, coordinate "/s", \
        "stick: rate over which static friction falls to friction; 1e-5 unless given"), \
  FIELD(crJointDef, "stopMin", cr_fieldEach, law.stopMin, coordinate, "elastic stop; -1e300 is none"), \
  FIELD(crJointDef, "stopMax", cr_fieldEach, law.stopMax, coordinate, "elastic stop; 1e300 is none"), \
  FIELD(crJointDef, "stopStiffness", cr_fieldEach, law.stopStiffness, force "/" coordinate, \
        "force per depth d beyond a stop"), \
  FIELD(crJointDef, "stopDamping", cr_fieldEach, law.stopDamping, "s/" coordinate, \
        "the stop's force grows by 1 + stopDamping d'")

#define JOINT_DRIVE(name, force, coordinate) \
  FIELD(crJointDef, name, cr_fieldSignal, drive, force, "signal that drives the joint"), \
  FIELD(crJointDef, "motion", cr_fieldSignal, motion, coordinate, \
        "signal that prescribes the coordinate; it needs two derivatives")

static const crField fixFields[] = { JOINT_ENDS };
static const crField turningFields[] = {
  JOINT_ENDS, JOINT_AXIS, JOINT_COORDINATES, JOINT_LAW("N m", "rad", "kg m^2"),
  JOINT_DRIVE("torque", "N m", "rad") };
static const crField slidingFields[] = {
  JOINT_ENDS, JOINT_AXIS, JOINT_COORDINATES, JOINT_LAW("N", "m", "kg"), JOINT_DRIVE("force", "N", "m") };
#define SHAFT(inertia, unit, about) \
  NEEDED(crJointDef, "name", cr_fieldString, name, NULL, "path of the joint"), \
  NEEDED(crJointDef, "objectA", cr_fieldPath, objectA, NULL, "object that it moves in, such as the world"), \
  NEEDED(crJointDef, inertia, cr_fieldEach, law.rotorInertia, unit, about), \
  JOINT_AXIS, JOINT_START
static const crField shaftFields[] = {
  SHAFT("inertia", "kg m^2", "moment of inertia about the axis"), JOINT_LOAD("N m", "rad"),
  JOINT_DRIVE("torque", "N m", "rad") };
static const crField sliderFields[] = {
  SHAFT("mass", "kg", "what a force along the axis accelerates; gravity does not act on it"), JOINT_LOAD("N", "m"),
  JOINT_DRIVE("force", "N", "m") };
static const crField mixedFields[] = {
  JOINT_ENDS, JOINT_AXIS, JOINT_COORDINATES, JOINT_LAW("N or N m", "m or rad", "kg or kg m^2") };
static const crField universalFields[] = {
  JOINT_ENDS,
  ABOVE_ZERO(crJointDef, "axis", cr_fieldAxis, axis, NULL, "first axis, fixed in objectA"),
  ABOVE_ZERO(crJointDef, "axis2", cr_fieldAxis, axis2, NULL, "second axis, fixed in objectB, not along the first"),
  JOINT_COORDINATES, JOINT_LAW("N m", "rad", "kg m^2") };
static const crField screwFields[] = {
  JOINT_ENDS, JOINT_AXIS,
  NEEDED(crJointDef, "pitch", cr_fieldNumber, pitch, "m/rad",
         "advance per angle; a thread of 2 mm a turn has 0.002 / (2 pi)"),
  JOINT_COORDINATES, JOINT_LAW("N m", "rad", "kg m^2"), JOINT_DRIVE("torque", "N m", "rad") };
static const crField sphericalFields[] = { JOINT_ENDS, JOINT_COORDINATES, JOINT_DAMPING("N m s/rad") };
static const crField freeMotionFields[] = { JOINT_ENDS, JOINT_COORDINATES, JOINT_DAMPING("N s/m or N m s/rad") };

static const crRecord jointRecords[] = {
  [cr_jointFix] = RECORD("fix", "Welds two objects together.", fixFields),
  [cr_jointRevolute] = RECORD("revolute", "Turns about an axis (z); coordinate: angle [rad].", turningFields),
  [cr_jointPrismatic] = RECORD("prismatic", "Slides along an axis (x); coordinate: position [m].", slidingFields),
  [cr_jointCylindrical] = RECORD("cylindrical",
                                 "Slides along an axis (z) and turns about it; coordinates: position [m], angle [rad].",
                                 mixedFields),
  [cr_jointUniversal] = RECORD("universal",
                               "Turns about an axis of A (z), then about one of B (x); coordinates: two angles [rad].",
                               universalFields),
  [cr_jointSpherical] = RECORD("spherical",
                               "Turns about a point; coordinates: quaternion (w, x, y, z), rates: angular velocity in A.",
                               sphericalFields),
  [cr_jointPlanar] = RECORD("planar",
                            "Slides in the plane across an axis (z) and turns about it; coordinates: position x, y [m], "
                            "angle [rad].",
                            mixedFields),
  [cr_jointScrew] = RECORD("screw", "Turns about an axis (z) and advances along it; coordinate: angle [rad].", screwFields),
  [cr_jointFreeMotion] = RECORD("freeMotion",
                                "Six degrees of freedom; coordinates: position [m], then quaternion (w, x, y, z).",
                                freeMotionFields),
  [cr_formShaft] = RECORD("shaft",
                          "An inertia that turns in an object: a revolute joint that moves an object without mass, "
                          "NAME.flange.",
                          shaftFields),
  [cr_formSlider] = RECORD("slider",
                           "A mass that slides in an object: a prismatic joint that moves an object without mass, "
                           "NAME.flange.",
                           sliderFields),
};

_Static_assert(sizeof jointRecords / sizeof *jointRecords == cr_jointFormCount, "a record for every form of joints");

#define FORCE_NAME NEEDED(crForceDef, "name", cr_fieldString, name, NULL, "path of the force")

static const crField springDamperFields[] = {
  FORCE_NAME,
  NEEDED(crForceDef, "objectA", cr_fieldPath, objectA, NULL, "object at one end"),
  NEEDED(crForceDef, "objectB", cr_fieldPath, objectB, NULL, "object at the other end"),
  FIELD(crForceDef, "stiffness", cr_fieldNumber, as.springDamper.stiffness, "N/m", "force per elongation"),
  FIELD(crForceDef, "damping", cr_fieldNumber, as.springDamper.damping, "N s/m", "force per rate of elongation"),
  FIELD(crForceDef, "length", cr_fieldNumber, as.springDamper.length, "m", "unstretched length"),
  FIELD(crForceDef, "table", cr_fieldTable, as.springDamper.table, "m, N",
        "points {elongation, force} of a law that is added, joined by a monotone cubic and straight beyond"),
  FIELD(crForceDef, "tension", cr_fieldSignal, as.springDamper.tension, "N", "signal that is added to what pulls both ends together"),
};

static const crField bushingFields[] = {
  FORCE_NAME,
  NEEDED(crForceDef, "objectA", cr_fieldPath, objectA, NULL, "object along and about whose axes it acts"),
  NEEDED(crForceDef, "objectB", cr_fieldPath, objectB, NULL, "object that is held"),
  FIELD(crForceDef, "stiffness", cr_fieldScale, as.bushing.stiffness, "N/m", "force per displacement, for all axes or for each"),
  FIELD(crForceDef, "damping", cr_fieldScale, as.bushing.damping, "N s/m", "force per velocity, likewise"),
  FIELD(crForceDef, "angularStiffness", cr_fieldScale, as.bushing.angularStiffness, "N m/rad", "torque per small rotation, likewise"),
  FIELD(crForceDef, "angularDamping", cr_fieldScale, as.bushing.angularDamping, "N m s/rad", "torque per angular velocity, likewise"),
  FIELD(crForceDef, "preload", cr_fieldVec3, as.bushing.preload, "N", "force on objectB where both origins coincide"),
};

// Both act on one object, and back on a second where one is named.
#define ONE_SIDED(kind, unit) \
  FORCE_NAME, \
  NEEDED(crForceDef, "objectA", cr_fieldPath, objectA, NULL, "object that it acts on"), \
  NEEDED(crForceDef, #kind, cr_fieldVec3, as.kind.vector, unit, "what acts, constant in the axes of frame"), \
  FIELD(crForceDef, "factor", cr_fieldSignal, as.kind.factor, NULL, "signal that what acts is multiplied by"), \
  FIELD(crForceDef, "frame", cr_fieldPath, as.kind.frame, NULL, "object whose axes count; none: the world"), \
  FIELD(crForceDef, "objectB", cr_fieldPath, objectB, NULL, "object that takes the opposite, at the same point")

static const crField forceFields[] = { ONE_SIDED(force, "N") };
static const crField torqueFields[] = { ONE_SIDED(torque, "N m") };

static const crField cableFields[] = {
  FORCE_NAME,
  NEEDED(crForceDef, "objectA", cr_fieldPath, objectA, NULL, "object at one end"),
  NEEDED(crForceDef, "objectB", cr_fieldPath, objectB, NULL, "object at the other end"),
  FIELD(crForceDef, "through", cr_fieldPaths, as.cable.through, NULL, "objects that it runs through or around, in order"),
  FIELD(crForceDef, "radii", cr_fieldNumbers, as.cable.radii, "m",
        "of each of these: 0 for a point, else of a pulley about z; negative: the cable goes around clockwise"),
  NEEDED(crForceDef, "length", cr_fieldNumber, as.cable.length, "m", "unstretched length"),
  NEEDED(crForceDef, "stiffness", cr_fieldNumber, as.cable.stiffness, "N/m", "tension per elongation"),
  FIELD(crForceDef, "damping", cr_fieldNumber, as.cable.damping, "N s/m", "tension per rate of elongation"),
  FIELD(crForceDef, "drum", cr_fieldJoint, as.cable.drum, NULL, "joint whose coordinate winds the cable up"),
  FIELD(crForceDef, "drumRadius", cr_fieldNumber, as.cable.drumRadius, "m", "length that it winds up per unit of its coordinate"),
};

static const crRecord forceRecords[] = {
  [cr_forceSpringDamper] = RECORD("springDamper", "A spring and damper between two origins.", springDamperFields),
  [cr_forceBushing] = RECORD("bushing", "Springs and dampers along and about three axes.", bushingFields),
  [cr_forceForce] = RECORD("force", "A force at the origin of an object.", forceFields),
  [cr_forceTorque] = RECORD("torque", "A torque on an object.", torqueFields),
  [cr_forceCable] = RECORD("cable", "A cable over points and pulleys, which only pulls.", cableFields),
};

#define COUPLING_NAME NEEDED(crCouplingDef, "name", cr_fieldString, name, NULL, "path of the coupling")
#define COUPLING_LAW(angle, stiff, viscous) \
  FIELD(crCouplingDef, "offset", cr_fieldNumber, offset, angle, "what the sum of factor times coordinate is"), \
  FIELD(crCouplingDef, "stiffness", cr_fieldNumber, stiffness, stiff, \
        "of a coupling that gives way; without it and damping it is rigid"), \
  FIELD(crCouplingDef, "damping", cr_fieldNumber, damping, viscous, "likewise"), \
  FIELD(crCouplingDef, "backlash", cr_fieldNumber, backlash, angle, "free play from one flank to the other")
#define COUPLING_LOSS \
  ABOVE_ZERO(crCouplingDef, "efficiency", cr_fieldNumber, efficiency, NULL, \
             "share of the power that reaches the driven side, above 0 to 1; needs a stiffness"), \
  ABOVE_ZERO(crCouplingDef, "efficiencyBack", cr_fieldNumber, efficiencyBack, NULL, \
             "likewise, where the second joint drives the first; efficiency unless given")

static const crField couplingFields[] = {
  COUPLING_NAME,
  NEEDED(crCouplingDef, "joints", cr_fieldNamed, as.sum.joints, NULL,
         "factors by joints of one degree of freedom: {joint = factor, …}; in Lua a key may be the joint itself"),
  COUPLING_LAW("rad or m", "N m/rad or N/m", "N m s/rad or N s/m"),
};
static const crField gearPairFields[] = {
  COUPLING_NAME,
  NEEDED(crCouplingDef, "jointA", cr_fieldJoint, as.gearPair.jointA, NULL, "joint that turns the first gear"),
  NEEDED(crCouplingDef, "jointB", cr_fieldJoint, as.gearPair.jointB, NULL, "joint that turns the second gear"),
  FIELD(crCouplingDef, "carrier", cr_fieldJoint, as.gearPair.carrier, NULL,
        "joint whose objectB is the arm on which the gears' centres move"),
  ABOVE_ZERO(crCouplingDef, "ratio", cr_fieldNumber, as.gearPair.ratio, NULL,
             "turns of the first gear for one of the second; or teethA and teethB"),
  ABOVE_ZERO(crCouplingDef, "teethA", cr_fieldNumber, as.gearPair.teethA, NULL, "of the first gear"),
  ABOVE_ZERO(crCouplingDef, "teethB", cr_fieldNumber, as.gearPair.teethB, NULL, "of the second gear"),
  FIELD(crCouplingDef, "internal", cr_fieldBool, as.gearPair.isInternal, NULL,
        "one gear has its teeth inside: both turn the same way"),
  ABOVE_ZERO(crCouplingDef, "module", cr_fieldNumber, as.gearPair.module, "m",
             "of involute teeth, which give way as their numbers say; needs teeth and faceWidth"),
  ABOVE_ZERO(crCouplingDef, "pressureAngle", cr_fieldNumber, as.gearPair.pressureAngle, "rad",
             "with a module: of the tool, below pi/4; 20 degrees unless given"),
  FIELD(crCouplingDef, "shiftA", cr_fieldNumber, as.gearPair.shiftA, NULL,
        "with a module: shift of the first gear's profile, in modules"),
  FIELD(crCouplingDef, "shiftB", cr_fieldNumber, as.gearPair.shiftB, NULL, "likewise, of the second"),
  ABOVE_ZERO(crCouplingDef, "faceWidth", cr_fieldNumber, as.gearPair.faceWidth, "m",
             "with a module: how long teeth are along their axes"),
  ABOVE_ZERO(crCouplingDef, "E", cr_fieldNumber, as.gearPair.E, "N/m^2",
             "with a module: Young's modulus of both gears; 2.06e11 unless given"),
  FIELD(crCouplingDef, "tipRelief", cr_fieldNumber, as.gearPair.tipRelief, "m",
        "with a module: what is taken off at the tips of both"),
  COUPLING_LAW("rad", "N m/rad", "N m s/rad"),
  COUPLING_LOSS,
};
static const crField rackPairFields[] = {
  COUPLING_NAME,
  NEEDED(crCouplingDef, "pinion", cr_fieldJoint, as.rackPair.pinion, NULL, "joint that turns the pinion"),
  NEEDED(crCouplingDef, "rack", cr_fieldJoint, as.rackPair.rack, NULL, "prismatic joint of the rack"),
  NEEDED(crCouplingDef, "radius", cr_fieldNumber, as.rackPair.radius, "m",
         "of the pinion; negative: the rack moves the other way"),
  COUPLING_LAW("m", "N/m", "N s/m"),
  COUPLING_LOSS,
};
static const crField beltFields[] = {
  COUPLING_NAME,
  NEEDED(crCouplingDef, "jointA", cr_fieldJoint, as.belt.jointA, NULL, "joint that turns the first pulley"),
  NEEDED(crCouplingDef, "jointB", cr_fieldJoint, as.belt.jointB, NULL, "joint that turns the second pulley"),
  NEEDED(crCouplingDef, "radiusA", cr_fieldNumber, as.belt.radiusA, "m", "of the first pulley"),
  NEEDED(crCouplingDef, "radiusB", cr_fieldNumber, as.belt.radiusB, "m", "of the second pulley"),
  FIELD(crCouplingDef, "crossed", cr_fieldBool, as.belt.isCrossed, NULL, "the pulleys turn in opposite directions"),
  COUPLING_LAW("m", "N/m", "N s/m"),
  COUPLING_LOSS,
};
static const crField flexibleFields[] = {
  COUPLING_NAME,
  NEEDED(crCouplingDef, "jointA", cr_fieldJoint, as.flexible.jointA, NULL, "joint at one end"),
  NEEDED(crCouplingDef, "jointB", cr_fieldJoint, as.flexible.jointB, NULL, "joint at the other end"),
  COUPLING_LAW("rad or m", "N m/rad or N/m", "N m s/rad or N s/m"),
};
#define ENGAGED_FRICTION(kind) \
  NEEDED(crCouplingDef, "friction", cr_fieldNumber, as.kind.law.friction, "N m or N", "what it transmits while it slides"), \
  FIELD(crCouplingDef, "engagement", cr_fieldSignal, as.kind.law.engagement, NULL, \
        "signal: share of the friction, from 0, open, to 1; all of it unless given"), \
  ABOVE_ZERO(crCouplingDef, "frictionStatic", cr_fieldNumber, as.kind.law.frictionStatic, "N m or N", \
        "what holds what does not slide; friction unless given"), \
  ABOVE_ZERO(crCouplingDef, "frictionStiffness", cr_fieldNumber, as.kind.law.frictionStiffness, "N m/rad or N/m", \
        "force per stretch before it slides; it slides after 1e-5 of the joint's nominal coordinate unless given"), \
  ABOVE_ZERO(crCouplingDef, "frictionFade", cr_fieldNumber, as.kind.law.frictionFade, "rad/s or m/s", \
        "rate over which static friction falls to friction; 1e-5 unless given")
static const crField clutchFields[] = {
  COUPLING_NAME,
  NEEDED(crCouplingDef, "jointA", cr_fieldJoint, as.clutch.jointA, NULL, "joint on one side"),
  NEEDED(crCouplingDef, "jointB", cr_fieldJoint, as.clutch.jointB, NULL, "joint on the other side"),
  ENGAGED_FRICTION(clutch),
};
static const crField brakeFields[] = {
  COUPLING_NAME,
  NEEDED(crCouplingDef, "joint", cr_fieldJoint, as.brake.joint, NULL, "joint that it brakes and holds"),
  ENGAGED_FRICTION(brake),
};
static const crField motorFields[] = {
  COUPLING_NAME,
  NEEDED(crCouplingDef, "joint", cr_fieldJoint, as.motor.joint, NULL, "joint that it moves; its gearRatio and rotorInertia count"),
  NEEDED(crCouplingDef, "voltage", cr_fieldSignal, as.motor.voltage, "V", "signal"),
  NEEDED(crCouplingDef, "resistance", cr_fieldNumber, as.motor.resistance, "Ohm", "of the winding"),
  FIELD(crCouplingDef, "inductance", cr_fieldNumber, as.motor.inductance, "H",
        "of the winding; 0: the current follows the voltage at once"),
  NEEDED(crCouplingDef, "torqueConstant", cr_fieldNumber, as.motor.torqueConstant, "N m/A or N/A",
         "torque per current, voltage per rate"),
};

static const crRecord couplingRecords[] = {
  [cr_couplingSum] = RECORD("coupling", "An equation between coordinates of joints: their weighted sum is constant.",
                            couplingFields),
  [cr_couplingGearPair] = RECORD("gearPair", "Two gears that mesh.", gearPairFields),
  [cr_couplingRackPair] = RECORD("rackPair", "A pinion that moves a rack.", rackPairFields),
  [cr_couplingBelt] = RECORD("belt", "A belt or chain around two pulleys.", beltFields),
  [cr_couplingFlexible] = RECORD("flexibleCoupling", "A spring and damper between two joints, with backlash.", flexibleFields),
  [cr_couplingClutch] = RECORD("clutch", "Dry friction between two joints that sticks, engaged by a signal.", clutchFields),
  [cr_couplingBrake] = RECORD("brake", "Dry friction in a joint that sticks, engaged by a signal.", brakeFields),
  [cr_couplingMotor] = RECORD("motor", "A winding with a current that moves a joint.", motorFields),
};
_Static_assert(sizeof couplingRecords / sizeof *couplingRecords == cr_couplingKindCount,
               "a record for every kind of coupling");
_Static_assert(sizeof forceRecords / sizeof *forceRecords == cr_forceKindCount, "a record for every kind of force");

// ----------------------------------------------------------------------------------------- signals

static const crChoice interpolationChoices[] = {
  { "linear", cr_interpolationLinear }, { "cubic", cr_interpolationCubic }, { NULL, 0 }
};

#define SIGNAL_NAME NEEDED(crSignalDef, "name", cr_fieldString, name, NULL, "path of the signal")
#define SIGNAL_OFFSET(kind) FIELD(crSignalDef, "offset", cr_fieldNumber, as.kind.offset, NULL, "added to it")
#define SIGNAL_HEIGHT(kind) NEEDED(crSignalDef, "height", cr_fieldNumber, as.kind.height, NULL, "how far it goes from the offset")
#define SIGNAL_START(kind) FIELD(crSignalDef, "start", cr_fieldNumber, as.kind.start, "s", "when it begins")

static const crField constantFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "value", cr_fieldNumber, as.constant.value, NULL, "its value at all times") };
static const crField sineFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "amplitude", cr_fieldNumber, as.sine.amplitude, NULL, "largest distance from the offset"),
  NEEDED(crSignalDef, "frequency", cr_fieldNumber, as.sine.frequency, "Hz", "periods per second"),
  FIELD(crSignalDef, "phase", cr_fieldNumber, as.sine.phase, "rad", "angle at time 0"), SIGNAL_OFFSET(sine) };
static const crField rampFields[] = {
  SIGNAL_NAME, SIGNAL_HEIGHT(ramp),
  NEEDED(crSignalDef, "duration", cr_fieldNumber, as.ramp.duration, "s", "of the way up"), SIGNAL_START(ramp), SIGNAL_OFFSET(ramp) };
static const crField stepFields[] = { SIGNAL_NAME, SIGNAL_HEIGHT(step), SIGNAL_START(step), SIGNAL_OFFSET(step) };
static const crField trapezoidFields[] = {
  SIGNAL_NAME, SIGNAL_HEIGHT(trapezoid), NEEDED(crSignalDef, "rise", cr_fieldNumber, as.trapezoid.rise, "s", "time of the way up"),
  NEEDED(crSignalDef, "hold", cr_fieldNumber, as.trapezoid.hold, "s", "time at the top"),
  NEEDED(crSignalDef, "fall", cr_fieldNumber, as.trapezoid.fall, "s", "time of the way down"), SIGNAL_START(trapezoid), SIGNAL_OFFSET(trapezoid) };
static const crField timeTableFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "times", cr_fieldNumbers, as.timeTable.times, "s", "ascending"),
  NEEDED(crSignalDef, "values", cr_fieldNumbers, as.timeTable.values, NULL, "one per time; before and behind the end values hold"),
  ENUM(crSignalDef, "interpolation", as.timeTable.interpolation, interpolationChoices,
       "linear; or cubic: two continuous derivatives, at rest at both ends") };
static const crField pathFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "values", cr_fieldNumbers, as.path.values, NULL, "way points; it is at rest at each"),
  NEEDED(crSignalDef, "maxVelocity", cr_fieldNumber, as.path.maxVelocity, "1/s", "largest derivative"),
  NEEDED(crSignalDef, "maxAcceleration", cr_fieldNumber, as.path.maxAcceleration, "1/s^2", "largest second derivative"),
  ABOVE_ZERO(crSignalDef, "maxJerk", cr_fieldNumber, as.path.maxJerk, "1/s^3", "largest third derivative; none: not limited"),
  FIELD(crSignalDef, "sync", cr_fieldSignals, as.path.sync, NULL,
        "paths whose legs all take as long as the slowest of them and this one; with as many values"),
  SIGNAL_START(path) };
static const crField splineFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "input", cr_fieldSignal, as.spline.input, NULL, "what it is a function of"),
  NEEDED(crSignalDef, "points", cr_fieldNumbers, as.spline.points, NULL, "values of the input, ascending"),
  NEEDED(crSignalDef, "values", cr_fieldNumbers, as.spline.values, NULL, "one per point; straight on beyond the ends") };
static const crField sumFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "inputs", cr_fieldSignals, as.sum.inputs, NULL, "what is added"),
  FIELD(crSignalDef, "factors", cr_fieldNumbers, as.sum.factors, NULL, "of the inputs; 1 unless given") };
static const crField productFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "inputs", cr_fieldSignals, as.product.inputs, NULL, "what is multiplied") };
static const crField limitFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "input", cr_fieldSignal, as.limit.input, NULL, "what is limited"),
  FIELD(crSignalDef, "max", cr_fieldNumber, as.limit.max, NULL, "largest value; 1e300 is none"),
  FIELD(crSignalDef, "min", cr_fieldNumber, as.limit.min, NULL, "smallest value; -1e300 is none") };

static const crChoice frameChoices[] = {
  { "distance", cr_frameDistance }, { "position", cr_framePosition }, { "velocity", cr_frameVelocity },
  { "acceleration", cr_frameAcceleration }, { "angle", cr_frameAngle },
  { "angularVelocity", cr_frameAngularVelocity }, { "angularAcceleration", cr_frameAngularAcceleration },
  { "distanceRate", cr_frameDistanceRate }, { NULL, 0 }
};
static const crChoice jointChoices[] = {
  { "position", cr_jointPosition }, { "rate", cr_jointRate }, { "acceleration", cr_jointAcceleration }, { NULL, 0 }
};
static const crChoice reactionChoices[] = {
  { "force", cr_reactionForce }, { "torque", cr_reactionTorque }, { NULL, 0 }
};
static const crChoice subtreeChoices[] = {
  { "energy", cr_subtreeEnergy }, { "kineticEnergy", cr_subtreeKineticEnergy },
  { "potentialEnergy", cr_subtreePotentialEnergy }, { "momentum", cr_subtreeMomentum },
  { "angularMomentum", cr_subtreeAngularMomentum }, { NULL, 0 }
};
static const crChoice contactChoices[] = {
  { "force", cr_contactForce }, { "torque", cr_contactTorque }, { "normalForce", cr_contactNormalForce },
  { "area", cr_contactArea }, { "pressure", cr_contactPressure }, { "depth", cr_contactDepth }, { NULL, 0 }
};
static const crChoice componentChoices[] = {
  { "x", cr_componentX }, { "y", cr_componentY }, { "z", cr_componentZ }, { NULL, 0 }
};

#define SENSOR_COMPONENT(kind) ENUM(crSignalDef, "component", as.kind.component, componentChoices, "of a vector: x, y or z")
#define SENSOR_FRAME(kind) FIELD(crSignalDef, "frame", cr_fieldPath, as.kind.frame, NULL, "object whose axes are used; none: the world's")
#define SENSOR_JOINT(kind) NEEDED(crSignalDef, "joint", cr_fieldJoint, as.kind.joint, NULL, "what is measured")

static const crField frameSensorFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "objectA", cr_fieldPath, as.frameSensor.objectA, NULL, "object relative to which is measured"),
  NEEDED(crSignalDef, "objectB", cr_fieldPath, as.frameSensor.objectB, NULL, "object that is measured"),
  ENUM(crSignalDef, "quantity", as.frameSensor.quantity, frameChoices,
       "distance, position, velocity, acceleration, angle (about x, new y, new z), angularVelocity, "
       "angularAcceleration, distanceRate"),
  SENSOR_COMPONENT(frameSensor), SENSOR_FRAME(frameSensor) };
static const crField jointSensorFields[] = {
  SIGNAL_NAME, SENSOR_JOINT(jointSensor), ENUM(crSignalDef, "quantity", as.jointSensor.quantity, jointChoices, "position, rate, acceleration"),
  ABOVE_ZERO(crSignalDef, "degree", cr_fieldInteger, as.jointSensor.degree, NULL, "which degree of freedom; 1 is the first") };
static const crField reactionSensorFields[] = {
  SIGNAL_NAME, SENSOR_JOINT(reactionSensor), ENUM(crSignalDef, "quantity", as.reactionSensor.quantity, reactionChoices, "force, torque"),
  SENSOR_COMPONENT(reactionSensor), SENSOR_FRAME(reactionSensor) };
static const crField subtreeSensorFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "object", cr_fieldPath, as.subtreeSensor.object, NULL, "it and all that it carries is measured"),
  ENUM(crSignalDef, "quantity", as.subtreeSensor.quantity, subtreeChoices,
       "energy, kineticEnergy, potentialEnergy, momentum, angularMomentum (about the world's origin)"),
  SENSOR_COMPONENT(subtreeSensor), SENSOR_FRAME(subtreeSensor) };
static const crField contactSensorFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "object", cr_fieldPath, as.contactSensor.object, NULL, "on whose solids contacts act"),
  FIELD(crSignalDef, "other", cr_fieldPath, as.contactSensor.other, NULL, "object that touches it; none: whatever does"),
  ENUM(crSignalDef, "quantity", as.contactSensor.quantity, contactChoices,
       "sums of force, torque (about the object's origin), normalForce, area; largest pressure, depth"),
  SENSOR_COMPONENT(contactSensor), SENSOR_FRAME(contactSensor) };

static const crField servoFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "input", cr_fieldSignal, as.servo.input, NULL, "coordinate to go to"),
  NEEDED(crSignalDef, "joint", cr_fieldJoint, as.servo.joint, NULL, "joint whose coordinate and rate are controlled"),
  NEEDED(crSignalDef, "positionGain", cr_fieldNumber, as.servo.positionGain, "1/s", "wanted rate per error of the coordinate"),
  NEEDED(crSignalDef, "velocityGain", cr_fieldNumber, as.servo.velocityGain, NULL, "output per error of the rate"),
  NEEDED(crSignalDef, "integralTime", cr_fieldNumber, as.servo.integralTime, "s", "in which the integral doubles the output") };
static const crField dcMotorFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "input", cr_fieldSignal, as.dcMotor.input, "V", "voltage"),
  NEEDED(crSignalDef, "joint", cr_fieldJoint, as.dcMotor.joint, NULL, "joint that it turns; its gearRatio and rotorInertia count"),
  NEEDED(crSignalDef, "resistance", cr_fieldNumber, as.dcMotor.resistance, "Ohm", "of the winding"),
  NEEDED(crSignalDef, "inductance", cr_fieldNumber, as.dcMotor.inductance, "H", "of the winding"),
  NEEDED(crSignalDef, "torqueConstant", cr_fieldNumber, as.dcMotor.torqueConstant, "N m/A", "torque per current, voltage per rate") };

#define SIGNAL_UNIT(kind) FIELD(crSignalDef, "unit", cr_fieldString, as.kind.unit, NULL, "for people who read results")
static const crField inputFields[] = {
  SIGNAL_NAME, FIELD(crSignalDef, "start", cr_fieldNumber, as.input.start, NULL, "value until another one is set; 0 unless given"),
  SIGNAL_UNIT(input), ABOVE_ZERO(crSignalDef, "nominal", cr_fieldNumber, as.input.nominal, NULL, "typical magnitude, for linearization; 1") };
static const crField outputFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "signal", cr_fieldSignal, as.output.signal, NULL, "what is shown outside"), SIGNAL_UNIT(output) };

#define FUNCTION_INPUTS(kind) \
  FIELD(crSignalDef, "inputs", cr_fieldArguments, as.kind.arguments, NULL, "signals by the names that the code has for them")
#define FUNCTION_CONSTANTS(kind) \
  FIELD(crSignalDef, "parameters", cr_fieldNamed, as.kind.constants, NULL, "numbers by the names that the code has for them")
static const crField functionFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "code", cr_fieldString, as.function.code, NULL, "Lua text that returns the value"),
  FUNCTION_INPUTS(function), FUNCTION_CONSTANTS(function) };
static const crField sampledFields[] = {
  SIGNAL_NAME,
  NEEDED(crSignalDef, "code", cr_fieldString, as.sampled.code, NULL, "Lua text that assigns new states and returns the value"),
  NEEDED(crSignalDef, "period", cr_fieldNumber, as.sampled.period, "s", "time between two calls; between them the value is held"),
  FIELD(crSignalDef, "start", cr_fieldNumber, as.sampled.start, "s", "of the first call; 0 unless given"),
  FIELD(crSignalDef, "value", cr_fieldNumber, as.sampled.value, NULL, "before the first call; 0 unless given"),
  FIELD(crSignalDef, "state", cr_fieldNamed, as.sampled.states, NULL, "variables that the code keeps, with their start values"),
  FUNCTION_INPUTS(sampled), FUNCTION_CONSTANTS(sampled) };

static const crField pickFields[] = {
  SIGNAL_NAME,
  NEEDED(crSignalDef, "signal", cr_fieldSignal, as.pick.signal, NULL, "a sampled function, a servo or a motor"),
  NEEDED(crSignalDef, "state", cr_fieldString, as.pick.state, NULL, "name of the state: its own; integral; current"),
  SIGNAL_UNIT(pick) };

static const crField pidFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "input", cr_fieldSignal, as.pid.input, NULL, "what is measured"),
  NEEDED(crSignalDef, "reference", cr_fieldSignal, as.pid.reference, NULL, "what it should be"),
  NEEDED(crSignalDef, "period", cr_fieldNumber, as.pid.period, "s", "time between two calls; between them the value is held"),
  NEEDED(crSignalDef, "gain", cr_fieldNumber, as.pid.gain, NULL, "value per error"),
  FIELD(crSignalDef, "integralGain", cr_fieldNumber, as.pid.integralGain, "1/s", "rate of the value per error"),
  FIELD(crSignalDef, "derivativeGain", cr_fieldNumber, as.pid.derivativeGain, "s", "value per rate of what is measured"),
  FIELD(crSignalDef, "filterTime", cr_fieldNumber, as.pid.filterTime, "s", "in which the derivative is smoothed"),
  FIELD(crSignalDef, "max", cr_fieldNumber, as.pid.max, NULL, "largest value; 1e300 is none"),
  FIELD(crSignalDef, "min", cr_fieldNumber, as.pid.min, NULL, "smallest value; -1e300 is none"),
  FIELD(crSignalDef, "start", cr_fieldNumber, as.pid.start, "s", "of the first call; 0 unless given"),
  FIELD(crSignalDef, "value", cr_fieldNumber, as.pid.value, NULL, "before the first call; 0 unless given") };

static const crField fmuFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "file", cr_fieldFmu, as.fmu.file, NULL, "FMU for Co-Simulation (FMI 2.0), beside the model; --allow-fmu lets its code run"),
  NEEDED(crSignalDef, "period", cr_fieldNumber, as.fmu.period, "s", "time between two communication points; between them inputs and outputs are held"),
  FIELD(crSignalDef, "inputs", cr_fieldArguments, as.fmu.arguments, NULL, "signals by the names of its inputs; others keep their start values"),
  FIELD(crSignalDef, "parameters", cr_fieldNamed, as.fmu.constants, NULL, "numbers by the names of its parameters"),
  FIELD(crSignalDef, "outputs", cr_fieldStrings, as.fmu.outputs, NULL, "names of its variables, the first of which is the value, and all of which can be picked; all outputs unless given"),
  FIELD(crSignalDef, "start", cr_fieldNumber, as.fmu.start, "s", "of the first communication point; 0 unless given"),
  FIELD(crSignalDef, "value", cr_fieldNumber, as.fmu.value, NULL, "of all outputs before that; 0 unless given") };

static const crChoice distanceChoices[] = {
  { "distance", cr_distanceDistance }, { "normal", cr_distanceNormal }, { NULL, 0 }
};
static const crChoice rayChoices[] = {
  { "distance", cr_rayDistance }, { "normal", cr_rayNormal }, { "object", cr_rayObject }, { NULL, 0 }
};
static const crChoice imuChoices[] = {
  { "specificForce", cr_imuSpecificForce }, { "angularVelocity", cr_imuAngularVelocity }, { NULL, 0 }
};
static const crField distanceSensorFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "objectA", cr_fieldPath, as.distanceSensor.objectA, NULL, "one object with a contact material"),
  NEEDED(crSignalDef, "objectB", cr_fieldPath, as.distanceSensor.objectB, NULL, "the other one"),
  ENUM(crSignalDef, "quantity", as.distanceSensor.quantity, distanceChoices,
       "distance of their solids (negative: depth), normal at the nearest points, from A to B"),
  SENSOR_COMPONENT(distanceSensor), SENSOR_FRAME(distanceSensor) };
static const crField raySensorFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "object", cr_fieldPath, as.raySensor.object, NULL, "from whose origin the ray comes"),
  FIELD(crSignalDef, "other", cr_fieldPath, as.raySensor.other, NULL, "object whose solids it can meet; none: all but its own"),
  FIELD(crSignalDef, "direction", cr_fieldAxis, as.raySensor.direction, NULL, "in the object's axes; x unless given"),
  NEEDED(crSignalDef, "range", cr_fieldNumber, as.raySensor.range, "m", "how far it reaches, and what it tells when it meets nothing"),
  ENUM(crSignalDef, "quantity", as.raySensor.quantity, rayChoices,
       "distance, normal of what it meets, object (its number in the scene, 0 for none)"),
  SENSOR_COMPONENT(raySensor), SENSOR_FRAME(raySensor) };
static const crField imuFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "object", cr_fieldPath, as.imu.object, NULL, "that it is fixed to, and whose axes it has"),
  ENUM(crSignalDef, "quantity", as.imu.quantity, imuChoices,
       "specificForce (acceleration less gravity), angularVelocity"),
  SENSOR_COMPONENT(imu) };

static const crChoice couplingChoices[] = {
  { "force", cr_couplingForce }, { "deflection", cr_couplingDeflection }, { "current", cr_couplingCurrent }, { NULL, 0 }
};
static const crField couplingSensorFields[] = {
  SIGNAL_NAME, NEEDED(crSignalDef, "coupling", cr_fieldCoupling, as.couplingSensor.coupling, NULL, "what is measured"),
  ENUM(crSignalDef, "quantity", as.couplingSensor.quantity, couplingChoices,
       "force; deflection of what gives way, of a clutch or a brake; current of a motor") };

static const crRecord signalRecords[] = {
  [cr_signalConstant] = RECORD("constant", "Always the same.", constantFields),
  [cr_signalSine] = RECORD("sine", "offset + amplitude sin(2 pi frequency t + phase); has two derivatives.", sineFields),
  [cr_signalRamp] = RECORD("ramp", "A straight line from one value to another.", rampFields),
  [cr_signalStep] = RECORD("step", "A jump.", stepFields),
  [cr_signalTrapezoid] = RECORD("trapezoid", "Up, along, and down again in straight lines.", trapezoidFields),
  [cr_signalTimeTable] = RECORD("timeTable", "Values at given times and between.", timeTableFields),
  [cr_signalSpline] = RECORD("spline", "A smooth function of another signal; has two derivatives where that has.",
                             splineFields),
  [cr_signalPath] = RECORD("path", "From way point to way point in the shortest time; has two derivatives.", pathFields),
  [cr_signalSum] = RECORD("sum", "The sum of signals; has the derivatives that all of them have.", sumFields),
  [cr_signalProduct] = RECORD("product", "The product of signals; has the derivatives that all of them have.",
                              productFields),
  [cr_signalLimit] = RECORD("limit", "A signal kept between two bounds; has no derivatives.", limitFields),
  [cr_signalServo] = RECORD("servo", "A proportional controller of position around a proportional-integral one of "
                                     "velocity; the output is a torque, force or voltage.",
                            servoFields),
  [cr_signalDcMotor] = RECORD("dcMotor", "Torque of an electric motor behind a gear, its current being a state.",
                              dcMotorFields),
  [cr_signalFrameSensor] = RECORD("frameSensor", "How one object is placed and moves relative to another.",
                                  frameSensorFields),
  [cr_signalJointSensor] = RECORD("jointSensor", "A coordinate of a joint, or its derivatives.", jointSensorFields),
  [cr_signalReactionSensor] = RECORD("reactionSensor",
                                     "What a joint transmits to its objectB, about the origin of that.",
                                     reactionSensorFields),
  [cr_signalSubtreeSensor] = RECORD("subtreeSensor", "Energy or momentum of an object and all that it carries.",
                                    subtreeSensorFields),
  [cr_signalContactSensor] = RECORD("contactSensor", "What contacts do to an object, all of them or those with another.",
                                    contactSensorFields),
  [cr_signalDistanceSensor] = RECORD("distanceSensor", "How far the solids of two objects are apart.", distanceSensorFields),
  [cr_signalRaySensor] = RECORD("raySensor", "What a ray from an object meets first.", raySensorFields),
  [cr_signalImu] = RECORD("imu", "What an inertial measurement unit feels, in the axes of its object.", imuFields),
  [cr_signalCouplingSensor] = RECORD("couplingSensor", "What a coupling, clutch, brake or motor does.", couplingSensorFields),
  [cr_signalInput] = RECORD("input", "A number that is set from outside; held between.", inputFields),
  [cr_signalOutput] = RECORD("output", "A signal that is shown outside.", outputFields),
  [cr_signalFunction] = RECORD("userFunction", "A function of signals and of `time`, in Lua.", functionFields),
  [cr_signalSampled] = RECORD("sampled", "A function that is called at a fixed rate, held between, with states.",
                              sampledFields),
  [cr_signalPick] = RECORD("pick", "A state of another signal.", pickFields),
  [cr_signalPid] = RECORD("pid", "A digital proportional-integral-derivative controller with limits.", pidFields),
  [cr_signalFmu] = RECORD("fmu", "An FMU of another tool, for Co-Simulation.", fmuFields),
};

_Static_assert(sizeof signalRecords / sizeof *signalRecords == cr_signalKindCount, "a record for every signal kind");

// ---------------------------------------------------------------------------------------- features

static const crChoice lightChoices[] = {
  { "ambient", cr_lightAmbient }, { "directional", cr_lightDirectional }, { "point", cr_lightPoint },
  { "spot", cr_lightSpot }, { NULL, 0 }
};

static const crField solidFields[] = {
  NEEDED(crSolidDef, "shape", cr_fieldShape, shape, NULL, "its geometry"),
  FIELD(crSolidDef, "material", cr_fieldMaterial, material, NULL, "solid material that gives the density"),
  ABOVE_ZERO(crSolidDef, "mass", cr_fieldNumber, mass, "kg", "instead of the density"),
  FIELD(crSolidDef, "contact", cr_fieldMaterial, contact, NULL, "solid material that it touches with; none: no contact"),
  FIELD(crSolidDef, "visual", cr_fieldMaterial, visual, NULL, "visual material or colour; none: not drawn"),
  ABOVE_ZERO(crSolidDef, "group", cr_fieldBits, group, NULL, "bits of the collision groups that it belongs to"),
  FIELD(crSolidDef, "mask", cr_fieldMask, ignored, NULL, "bits of the groups that it collides with"),
  ABOVE_ZERO(crSolidDef, "contactRadius", cr_fieldNumber, contactRadius, "m",
        "radius of curvature for the contact law, instead of the shape's"),
  FIELD(crSolidDef, "surfaceVelocity", cr_fieldVec3, surfaceVelocity, "m/s",
        "of its surface relative to the object, in the object's axes: a conveyor belt"),
};
static const crField visualFields[] = {
  NEEDED(crVisualDef, "shape", cr_fieldShape, shape, NULL, "its geometry"),
  FIELD(crVisualDef, "visual", cr_fieldMaterial, visual, NULL, "visual material or colour"),
};
static const crChoice policyChoices[] = {
  { "strict", cr_inertiaStrict }, { "given", cr_inertiaGiven }, { "balance", cr_inertiaBalance }, { NULL, 0 }
};
static const crField massFields[] = {
  NEEDED(crMassDef, "mass", cr_fieldNumber, mass, "kg", "mass"),
  FIELD(crMassDef, "com", cr_fieldVec3, com, "m", "centre of mass in the object's frame"),
  FIELD(crMassDef, "inertia", cr_fieldSym3, inertia, "kg m^2",
        "about the centre of mass: {xx, yy, zz}, {xx, yy, zz, xy, xz, yz}, or three rows"),
  ENUM(crMassDef, "policy", policy, policyChoices,
       "for what no rigid body has: strict (refused), given (taken as it is), balance (the nearest that exists)"),
};
static const crField lightFields[] = {
  ENUM(crLightDef, "kind", kind, lightChoices, "ambient, directional, point or spot; shines along -z"),
  ZERO_TOO(crLightDef, "color", cr_fieldColor, color, NULL, "as of a visual material"),
  ZERO_TOO(crLightDef, "intensity", cr_fieldNumber, intensity, NULL, "brightness, 1 is normal"),
  FIELD(crLightDef, "shadows", cr_fieldNot, isShadowless, NULL, "casts shadows"),
};
static const crField cameraFields[] = {
  ABOVE_ZERO(crCameraDef, "fieldOfView", cr_fieldNumber, fieldOfView, "rad", "vertical; looks along -z, y up"),
};

static const crRecord featureRecords[] = {
  [cr_featureSolid] = RECORD("solid", "Geometry with any of a mass, a contact material and a look.", solidFields),
  [cr_featureVisual] = RECORD("visual", "Geometry for pictures only.", visualFields),
  [cr_featureMass] = RECORD("mass", "Mass, centre and inertia given directly.", massFields),
  [cr_featureLight] = RECORD("light", "A hint for pictures.", lightFields),
  [cr_featureCamera] = RECORD("camera", "A hint for pictures.", cameraFields),
};

// ------------------------------------------------------------------------------------------ shapes

#define SIZE(name, kind, about) NEEDED(crShapeDef, #name, cr_fieldNumber, as.kind.name, "m", about)
#define OPTIONAL_SIZE(name, kind, about) FIELD(crShapeDef, #name, cr_fieldNumber, as.kind.name, "m", about)
#define DIAMETER(name, member, about) ALIAS(crShapeDef, name, member, 0.5, "m", about)
#define AXIS ABOVE_ZERO(crShapeDef, "axis", cr_fieldAxis, axis, NULL, "direction of the shape's own axis")
#define ROUNDING \
  ZERO_TOO(crShapeDef, "rounding", cr_fieldNumber, rounding, "m", \
        "radius of edges and corners, inside the size; at most half the smallest dimension")
#define INFLATE FIELD(crShapeDef, "inflate", cr_fieldNumber, inflate, "m", "radius of a ball added outside, for contact")

#define HOLLOW \
  FIELD(crShapeDef, "hollow", cr_fieldBool, isHollow, NULL, "a room of this size with a solid all around it, without mass")
#define PIECES \
  FIELD(crShapeDef, "pieceError", cr_fieldNumber, pieceError, "m", \
        "of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of straight sides")
#define SPLINES(kind) \
  FIELD(crShapeDef, "error", cr_fieldNumber, as.kind.profile.error, "m", \
        "how far the arcs that splines are made of may be beside them; 0: 1e-7 of the size")
#define PROFILE(kind, about) \
  NEEDED(crShapeDef, "profile", cr_fieldProfile, as.kind.profile.points, "m", about), \
  FIELD(crShapeDef, "open", cr_fieldBool, as.kind.profile.isOpen, NULL, \
        "the profile ends at its last point: a surface without mass, with the solid on the left of the way along it"), \
  FIELD(crShapeDef, "inside", cr_fieldBool, as.kind.profile.isTurnedOut, NULL, \
        "the solid is on the other side: around a closed profile, right of an open one; without mass")

static const crField sphereFields[] = {
  SIZE(radius, sphere, "radius"), DIAMETER("diameter", as.sphere.radius, "instead of the radius"), INFLATE,
  HOLLOW, PIECES };
static const crField ellipsoidFields[] = {
  NEEDED(crShapeDef, "radii", cr_fieldVec3, as.ellipsoid.radii, "m", "semi-axes along x, y, z"), AXIS, INFLATE };
static const crField boxFields[] = {
  NEEDED(crShapeDef, "size", cr_fieldVec3, as.box.size, "m", "full edges along x, y, z"), AXIS, ROUNDING, INFLATE,
  HOLLOW };
static const crField cylinderFields[] = {
  SIZE(radius, cylinder, "radius"), DIAMETER("diameter", as.cylinder.radius, "instead of the radius"),
  SIZE(length, cylinder, "length along the axis (z)"),
  OPTIONAL_SIZE(boreRadius, cylinder, "of a hole along the axis; counts for mass and pictures, not for contact"),
  DIAMETER("boreDiameter", as.cylinder.boreRadius, "instead of boreRadius"), AXIS, ROUNDING, INFLATE, HOLLOW, PIECES };
static const crField coneFields[] = {
  SIZE(radius, cone, "of the base, at the origin"), DIAMETER("diameter", as.cone.radius, "instead of the radius"),
  SIZE(length, cone, "from base to tip along the axis (z)"),
  OPTIONAL_SIZE(topRadius, cone, "of a frustum; 0 is a cone"),
  DIAMETER("topDiameter", as.cone.topRadius, "instead of topRadius"), AXIS, ROUNDING, INFLATE, HOLLOW, PIECES };
static const crField capsuleFields[] = {
  SIZE(radius, capsule, "radius"), DIAMETER("diameter", as.capsule.radius, "instead of the radius"),
  SIZE(length, capsule, "of the cylindrical part, along the axis (z)"), AXIS, INFLATE };
static const crField beamFields[] = {
  SIZE(length, beam, "between the centres of the round ends, along the axis (x)"),
  SIZE(width, beam, "along y, the diameter of the ends"), SIZE(height, beam, "along z"), AXIS, ROUNDING, INFLATE };
static const crField halfSpaceFields[] = { AXIS, INFLATE };
static const crField hullFields[] = {
  NEEDED(crShapeDef, "points", cr_fieldPoints, as.hull.points, "m", "at least four, not in one plane"), AXIS, ROUNDING,
  INFLATE };
static const crChoice pieceChoices[] = {
  { "given", cr_piecesGiven }, { "decompose", cr_piecesDecompose }, { NULL, 0 }
};
static const crField meshFields[] = {
  NEEDED(crShapeDef, "file", cr_fieldMesh, as.mesh.mesh, NULL, "STL, OBJ or COLLADA file, beside the model"),
  ABOVE_ZERO(crShapeDef, "scale", cr_fieldScale, as.mesh.scale, NULL, "factor, or one per axis"),
  ENUM(crShapeDef, "pieces", as.mesh.pieces, pieceChoices, "what it touches with: the hull of each given piece, or convex pieces that are made of it"),
  FIELD(crShapeDef, "error", cr_fieldNumber, as.mesh.error, "m", "how far pieces that are made may go beyond the mesh; 0: 1e-6 of its diagonal"),
  AXIS, ROUNDING, INFLATE };
static const crField heightFieldFields[] = {
  FIELD(crShapeDef, "heights", cr_fieldHeights, as.heightField.heights, "m", "rows from -y to y, each from -x to x"),
  FIELD(crShapeDef, "file", cr_fieldPicture, as.heightField.heights, NULL, "instead of heights: a PNG file beside the model, grey, of 8 or 16 bits; its upper edge is at y"),
  OPTIONAL_SIZE(height, heightField, "of white in the file; black is 0; 0: 1"),
  SIZE(width, heightField, "along x"), SIZE(length, heightField, "along y"),
  OPTIONAL_SIZE(depth, heightField, "how far the ground goes on below its lowest height; 0: a tenth of the width"),
  FIELD(crShapeDef, "refine", cr_fieldInteger, as.heightField.refine, NULL, "facets along each edge of a cell, of a smooth surface through the heights, for all but balls; 0: 1"),
  FIELD(crShapeDef, "facets", cr_fieldBool, as.heightField.isFaceted, NULL, "balls and cylinders touch facets as well, and not the smooth surface"), AXIS, INFLATE };
static const crField revolvedFields[] = {
  PROFILE(revolved, "{distance from the axis, z} of points in turn, with the way that leads to one"), SPLINES(revolved), AXIS, PIECES };
static const crField extrudedFields[] = {
  PROFILE(extruded, "{x, y} of points in turn, with the way that leads to one"), SPLINES(extruded),
  SIZE(length, extruded, "along the axis (z)"), AXIS, PIECES };
static const crField involuteGearFields[] = {
  NEEDED(crShapeDef, "teeth", cr_fieldInteger, as.involuteGear.teeth, NULL, "number of teeth"),
  SIZE(module, involuteGear, "diameter of the pitch circle over the number of teeth"),
  SIZE(length, involuteGear, "along the axis (z)"),
  ABOVE_ZERO(crShapeDef, "pressureAngle", cr_fieldNumber, as.involuteGear.pressureAngle, "rad",
             "of the tool, below pi/4; 20 degrees unless given"),
  FIELD(crShapeDef, "shift", cr_fieldNumber, as.involuteGear.shift, NULL, "shift of the profile, in modules"),
  OPTIONAL_SIZE(backlash, involuteGear, "that each tooth is thinner by, along the pitch circle"),
  OPTIONAL_SIZE(tipRelief, involuteGear, "what is taken off at the tips, of the last half module of flanks"), AXIS, PIECES };
static const crField coordinateSystemFields[] = { SIZE(length, coordinateSystem, "of each arrow") };
static const crField gridFields[] = {
  SIZE(width, grid, "along x"), SIZE(length, grid, "along y"), SIZE(spacing, grid, "of the lines"), AXIS };
static const crField coilFields[] = {
  SIZE(radius, coil, "of the winding"), DIAMETER("diameter", as.coil.radius, "instead of the radius"),
  SIZE(length, coil, "along the axis (z)"), SIZE(wireRadius, coil, "of the wire"),
  NEEDED(crShapeDef, "windings", cr_fieldInteger, as.coil.windings, NULL, "number of turns"), AXIS };
static const crField gearWheelFields[] = {
  SIZE(radius, gearWheel, "to the tips of the teeth"), DIAMETER("diameter", as.gearWheel.radius, "instead of the radius"),
  SIZE(length, gearWheel, "along the axis (z)"),
  OPTIONAL_SIZE(boreRadius, gearWheel, "of a hole along the axis"),
  NEEDED(crShapeDef, "teeth", cr_fieldInteger, as.gearWheel.teeth, NULL, "number of teeth"), AXIS };
static const crField textFields[] = {
  NEEDED(crShapeDef, "string", cr_fieldString, as.text.string, NULL, "what it says"),
  SIZE(height, text, "of a capital letter"), AXIS };

static const crRecord shapeRecords[] = {
  [cr_shapeSphere] = RECORD("sphere", "A ball.", sphereFields),
  [cr_shapeEllipsoid] = RECORD("ellipsoid", "An ellipsoid.", ellipsoidFields),
  [cr_shapeBox] = RECORD("box", "A block.", boxFields),
  [cr_shapeCylinder] = RECORD("cylinder", "A cylinder, with or without a bore.", cylinderFields),
  [cr_shapeCone] = RECORD("cone", "A cone or frustum, its frame in the centre of the base.", coneFields),
  [cr_shapeCapsule] = RECORD("capsule", "A cylinder with two half balls.", capsuleFields),
  [cr_shapeBeam] = RECORD("beam", "A box with two half-cylinder ends.", beamFields),
  [cr_shapeHalfSpace] = RECORD("halfSpace", "Everything below z = 0 of its frame.", halfSpaceFields),
  [cr_shapeHull] = RECORD("hull", "The convex hull of points.", hullFields),
  [cr_shapeMesh] = RECORD("mesh", "Triangles from a file; each object or group of an OBJ is one convex piece.", meshFields),
  [cr_shapeHeightField] = RECORD("heightField", "Ground over a rectangle: smooth for balls and wheels, in facets for all else.", heightFieldFields),
  [cr_shapeRevolved] = RECORD("revolved", "A profile of lines, arcs and splines, turned about its axis; touches balls, and all else by convex pieces.", revolvedFields),
  [cr_shapeExtruded] = RECORD("extruded", "A profile of lines, arcs, involutes and splines, drawn along its axis; touches balls, what is parallel to it, and all else by convex pieces.", extrudedFields),
  [cr_shapeInvoluteGear] = RECORD("involuteGear", "A spur gear with involute teeth, an extruded shape; a tooth is about x.", involuteGearFields),
  [cr_shapeCoordinateSystem] = RECORD("coordinateSystem", "Three arrows; for pictures only.", coordinateSystemFields),
  [cr_shapeGrid] = RECORD("grid", "Lines in the x-y plane; for pictures only.", gridFields),
  [cr_shapeCoil] = RECORD("coil", "A drawn spring; for pictures only.", coilFields),
  [cr_shapeGearWheel] = RECORD("gearWheel", "A gear; for pictures only.", gearWheelFields),
  [cr_shapeText] = RECORD("text", "Letters in the x-y plane; for pictures only.", textFields),
};
// clang-format on

// ------------------------------------------------------------------------------------------ access

const crRecord* crGetSceneRecord(void)
{
  return &sceneRecord;
}

const crRecord* crGetElementRecord(crElementKind kind)
{
  bool exists = (size_t)kind < sizeof elementRecords / sizeof *elementRecords && elementRecords[kind].type != NULL;
  return exists ? &elementRecords[kind] : NULL;
}

const crRecord* crGetJointRecord(int form)
{
  return (unsigned)form < cr_jointFormCount ? &jointRecords[form] : NULL;
}

crJointKind crGetJointForm(int form)
{
  return form == cr_formShaft ? cr_jointRevolute : form == cr_formSlider ? cr_jointPrismatic : (crJointKind)form;
}

const crRecord* crGetForceRecord(crForceKind kind)
{
  return (unsigned)kind < cr_forceKindCount ? &forceRecords[kind] : NULL;
}

const crRecord* crGetCouplingRecord(crCouplingKind kind)
{
  return (unsigned)kind < cr_couplingKindCount ? &couplingRecords[kind] : NULL;
}

const crRecord* crGetSignalRecord(crSignalKind kind)
{
  return (unsigned)kind < cr_signalKindCount ? &signalRecords[kind] : NULL;
}

const crRecord* crGetFeatureRecord(crFeatureKind kind)
{
  return (unsigned)kind < cr_featureKindCount ? &featureRecords[kind] : NULL;
}

const crRecord* crGetShapeRecord(crShapeKind kind)
{
  return (unsigned)kind < cr_shapeKindCount && kind != cr_shapeNone ? &shapeRecords[kind] : NULL;
}

const crField* crRecord_Find(const crRecord* record, const char* name)
{
  for (int i = 0; i < record->fieldCount; ++i) {
    if (strcmp(record->fields[i].name, name) == 0) {
      return &record->fields[i];
    }
  }
  return NULL;
}
