"""The C declarations of Carom for ctypes. Written by generate_declarations.py: do not edit.

All pointers are c_void_p but for texts; enumerations are int; a field that is a word of Python has an underscore: as_.
"""
from ctypes import (
    CFUNCTYPE, Structure, Union, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint,
    c_uint16, c_uint32, c_uint64, c_void_p)

CR_ZERO = 1e-300
CAROM_VERSION_MAJOR = 0
CAROM_VERSION_MINOR = 2
CAROM_VERSION_PATCH = 0
CAROM_VERSION_NUMBER = 200
CAROM_VERSION = b'0.2.0'
CR_PI = 3.141592653589793
CR_ROUNDING_SHARE = 0.5
CR_MAX_ADVANCES = 200
CR_NO_LIMIT = 1e+300
CR_MAX_NAME = 255
CR_MAX_PATH = 4095
CR_ANY_MATERIAL = b'*'
CR_MAX_JOINT_Q = 7
CR_MAX_JOINT_V = 6
CR_NO_STOP = 1e+300
CR_FRICTION_YIELD = 1e-05
CR_FRICTION_FADE = 1e-05
CR_FRICTION_RATE = 0.01
CR_ACTION_SPEED = 0.1
CR_BODY_INPUTS = 27
CR_BODY_OUTPUTS = 6
CR_BODY_MOTIONS = 7
CR_HASH_TEXT = 65
CR_VARIABLE_NAME = 4160
CR_POSE_SIZE = 7
CR_PATCH_CORNERS = 17
CR_MOST_BRISTLES = 5
CR_INDICATORS = 2
CR_MAX_THREADS = 64
CR_CREEP_TEXT = 1024
CR_FAULT_PLACES = 8
CR_MAX_SWEEP_RUNS = 1000000000
CR_SWEEP_VALUE_SIZE = 64
CR_SWEEP_MESSAGE_SIZE = 1024
CR_MAX_FIT_PARAMETERS = 32
CR_MAX_PANELS = 6
CR_RUN_FOLDER_SIZE = 1024
CR_NEED_ALWAYS = 15

ENUMS = {}
cr_ok = 0
cr_retry = 1
cr_cancelled = 2
cr_errorModel = -1
cr_errorMisuse = -2
cr_errorSyntax = -3
cr_errorFile = -4
cr_errorMemory = -5
cr_errorLimit = -6
cr_failNumerics = -20
ENUMS["crStatus"] = {
    "cr_ok": cr_ok, "cr_retry": cr_retry, "cr_cancelled": cr_cancelled, "cr_errorModel": cr_errorModel,
    "cr_errorMisuse": cr_errorMisuse, "cr_errorSyntax": cr_errorSyntax, "cr_errorFile": cr_errorFile,
    "cr_errorMemory": cr_errorMemory, "cr_errorLimit": cr_errorLimit, "cr_failNumerics": cr_failNumerics}
cr_severityNote = 0
cr_severityWarning = 1
cr_severityError = 2
ENUMS["crSeverity"] = {
    "cr_severityNote": cr_severityNote, "cr_severityWarning": cr_severityWarning,
    "cr_severityError": cr_severityError}
cr_elementNone = 0
cr_elementAssembly = 1
cr_elementObject = 2
cr_elementJoint = 3
cr_elementForce = 4
cr_elementSignal = 5
cr_elementSolidMaterial = 6
cr_elementContactPair = 7
cr_elementVisualMaterial = 8
cr_elementExclusion = 9
cr_elementCoupling = 10
cr_elementAction = 11
ENUMS["crElementKind"] = {
    "cr_elementNone": cr_elementNone, "cr_elementAssembly": cr_elementAssembly, "cr_elementObject": cr_elementObject,
    "cr_elementJoint": cr_elementJoint, "cr_elementForce": cr_elementForce, "cr_elementSignal": cr_elementSignal,
    "cr_elementSolidMaterial": cr_elementSolidMaterial, "cr_elementContactPair": cr_elementContactPair,
    "cr_elementVisualMaterial": cr_elementVisualMaterial, "cr_elementExclusion": cr_elementExclusion,
    "cr_elementCoupling": cr_elementCoupling, "cr_elementAction": cr_elementAction}
cr_shapeNone = 0
cr_shapeSphere = 1
cr_shapeEllipsoid = 2
cr_shapeBox = 3
cr_shapeCylinder = 4
cr_shapeCone = 5
cr_shapeCapsule = 6
cr_shapeBeam = 7
cr_shapeHalfSpace = 8
cr_shapeHull = 9
cr_shapeMesh = 10
cr_shapeHeightField = 11
cr_shapeRevolved = 12
cr_shapeExtruded = 13
cr_shapeInvoluteGear = 14
cr_shapeCoordinateSystem = 15
cr_shapeGrid = 16
cr_shapeCoil = 17
cr_shapeGearWheel = 18
cr_shapeText = 19
cr_shapeKindCount = 20
ENUMS["crShapeKind"] = {
    "cr_shapeNone": cr_shapeNone, "cr_shapeSphere": cr_shapeSphere, "cr_shapeEllipsoid": cr_shapeEllipsoid,
    "cr_shapeBox": cr_shapeBox, "cr_shapeCylinder": cr_shapeCylinder, "cr_shapeCone": cr_shapeCone,
    "cr_shapeCapsule": cr_shapeCapsule, "cr_shapeBeam": cr_shapeBeam, "cr_shapeHalfSpace": cr_shapeHalfSpace,
    "cr_shapeHull": cr_shapeHull, "cr_shapeMesh": cr_shapeMesh, "cr_shapeHeightField": cr_shapeHeightField,
    "cr_shapeRevolved": cr_shapeRevolved, "cr_shapeExtruded": cr_shapeExtruded,
    "cr_shapeInvoluteGear": cr_shapeInvoluteGear, "cr_shapeCoordinateSystem": cr_shapeCoordinateSystem,
    "cr_shapeGrid": cr_shapeGrid, "cr_shapeCoil": cr_shapeCoil, "cr_shapeGearWheel": cr_shapeGearWheel,
    "cr_shapeText": cr_shapeText, "cr_shapeKindCount": cr_shapeKindCount}
cr_piecesGiven = 0
cr_piecesDecompose = 1
ENUMS["crMeshPieces"] = {"cr_piecesGiven": cr_piecesGiven, "cr_piecesDecompose": cr_piecesDecompose}
cr_surfaceSmooth = 0
cr_surfaceFace = 1
cr_surfaceEdge = 2
cr_surfaceVertex = 3
ENUMS["crSurfaceKind"] = {
    "cr_surfaceSmooth": cr_surfaceSmooth, "cr_surfaceFace": cr_surfaceFace, "cr_surfaceEdge": cr_surfaceEdge,
    "cr_surfaceVertex": cr_surfaceVertex}
cr_signalConstant = 0
cr_signalSine = 1
cr_signalRamp = 2
cr_signalStep = 3
cr_signalTrapezoid = 4
cr_signalTimeTable = 5
cr_signalPath = 6
cr_signalSpline = 7
cr_signalSum = 8
cr_signalProduct = 9
cr_signalLimit = 10
cr_signalServo = 11
cr_signalDcMotor = 12
cr_signalFrameSensor = 13
cr_signalJointSensor = 14
cr_signalReactionSensor = 15
cr_signalSubtreeSensor = 16
cr_signalContactSensor = 17
cr_signalDistanceSensor = 18
cr_signalRaySensor = 19
cr_signalImu = 20
cr_signalCouplingSensor = 21
cr_signalInput = 22
cr_signalOutput = 23
cr_signalFunction = 24
cr_signalSampled = 25
cr_signalPick = 26
cr_signalPid = 27
cr_signalFmu = 28
cr_signalKindCount = 29
ENUMS["crSignalKind"] = {
    "cr_signalConstant": cr_signalConstant, "cr_signalSine": cr_signalSine, "cr_signalRamp": cr_signalRamp,
    "cr_signalStep": cr_signalStep, "cr_signalTrapezoid": cr_signalTrapezoid,
    "cr_signalTimeTable": cr_signalTimeTable, "cr_signalPath": cr_signalPath, "cr_signalSpline": cr_signalSpline,
    "cr_signalSum": cr_signalSum, "cr_signalProduct": cr_signalProduct, "cr_signalLimit": cr_signalLimit,
    "cr_signalServo": cr_signalServo, "cr_signalDcMotor": cr_signalDcMotor,
    "cr_signalFrameSensor": cr_signalFrameSensor, "cr_signalJointSensor": cr_signalJointSensor,
    "cr_signalReactionSensor": cr_signalReactionSensor, "cr_signalSubtreeSensor": cr_signalSubtreeSensor,
    "cr_signalContactSensor": cr_signalContactSensor, "cr_signalDistanceSensor": cr_signalDistanceSensor,
    "cr_signalRaySensor": cr_signalRaySensor, "cr_signalImu": cr_signalImu,
    "cr_signalCouplingSensor": cr_signalCouplingSensor, "cr_signalInput": cr_signalInput,
    "cr_signalOutput": cr_signalOutput, "cr_signalFunction": cr_signalFunction, "cr_signalSampled": cr_signalSampled,
    "cr_signalPick": cr_signalPick, "cr_signalPid": cr_signalPid, "cr_signalFmu": cr_signalFmu,
    "cr_signalKindCount": cr_signalKindCount}
cr_interpolationLinear = 0
cr_interpolationCubic = 1
ENUMS["crInterpolation"] = {
    "cr_interpolationLinear": cr_interpolationLinear, "cr_interpolationCubic": cr_interpolationCubic}
cr_couplingForce = 0
cr_couplingDeflection = 1
cr_couplingCurrent = 2
ENUMS["crCouplingQuantity"] = {
    "cr_couplingForce": cr_couplingForce, "cr_couplingDeflection": cr_couplingDeflection,
    "cr_couplingCurrent": cr_couplingCurrent}
cr_distanceDistance = 0
cr_distanceNormal = 1
ENUMS["crDistanceQuantity"] = {"cr_distanceDistance": cr_distanceDistance, "cr_distanceNormal": cr_distanceNormal}
cr_rayDistance = 0
cr_rayNormal = 1
cr_rayObject = 2
ENUMS["crRayQuantity"] = {"cr_rayDistance": cr_rayDistance, "cr_rayNormal": cr_rayNormal, "cr_rayObject": cr_rayObject}
cr_imuSpecificForce = 0
cr_imuAngularVelocity = 1
ENUMS["crImuQuantity"] = {"cr_imuSpecificForce": cr_imuSpecificForce, "cr_imuAngularVelocity": cr_imuAngularVelocity}
cr_frameDistance = 0
cr_framePosition = 1
cr_frameVelocity = 2
cr_frameAcceleration = 3
cr_frameAngle = 4
cr_frameAngularVelocity = 5
cr_frameAngularAcceleration = 6
cr_frameDistanceRate = 7
ENUMS["crFrameQuantity"] = {
    "cr_frameDistance": cr_frameDistance, "cr_framePosition": cr_framePosition, "cr_frameVelocity": cr_frameVelocity,
    "cr_frameAcceleration": cr_frameAcceleration, "cr_frameAngle": cr_frameAngle,
    "cr_frameAngularVelocity": cr_frameAngularVelocity, "cr_frameAngularAcceleration": cr_frameAngularAcceleration,
    "cr_frameDistanceRate": cr_frameDistanceRate}
cr_jointPosition = 0
cr_jointRate = 1
cr_jointAcceleration = 2
ENUMS["crJointQuantity"] = {
    "cr_jointPosition": cr_jointPosition, "cr_jointRate": cr_jointRate, "cr_jointAcceleration": cr_jointAcceleration}
cr_reactionForce = 0
cr_reactionTorque = 1
ENUMS["crReactionQuantity"] = {"cr_reactionForce": cr_reactionForce, "cr_reactionTorque": cr_reactionTorque}
cr_subtreeEnergy = 0
cr_subtreeKineticEnergy = 1
cr_subtreePotentialEnergy = 2
cr_subtreeMomentum = 3
cr_subtreeAngularMomentum = 4
ENUMS["crSubtreeQuantity"] = {
    "cr_subtreeEnergy": cr_subtreeEnergy, "cr_subtreeKineticEnergy": cr_subtreeKineticEnergy,
    "cr_subtreePotentialEnergy": cr_subtreePotentialEnergy, "cr_subtreeMomentum": cr_subtreeMomentum,
    "cr_subtreeAngularMomentum": cr_subtreeAngularMomentum}
cr_contactForce = 0
cr_contactTorque = 1
cr_contactNormalForce = 2
cr_contactArea = 3
cr_contactPressure = 4
cr_contactDepth = 5
ENUMS["crContactQuantity"] = {
    "cr_contactForce": cr_contactForce, "cr_contactTorque": cr_contactTorque,
    "cr_contactNormalForce": cr_contactNormalForce, "cr_contactArea": cr_contactArea,
    "cr_contactPressure": cr_contactPressure, "cr_contactDepth": cr_contactDepth}
cr_componentX = 0
cr_componentY = 1
cr_componentZ = 2
ENUMS["crComponent"] = {"cr_componentX": cr_componentX, "cr_componentY": cr_componentY, "cr_componentZ": cr_componentZ}
cr_solverDefault = 0
cr_solverAuto = 1
cr_solverIda = 2
cr_solverCvodeBdf = 3
cr_solverDopri5 = 4
cr_solverDop853 = 5
cr_solverRadau5 = 6
cr_solverKindCount = 7
ENUMS["crSolverKind"] = {
    "cr_solverDefault": cr_solverDefault, "cr_solverAuto": cr_solverAuto, "cr_solverIda": cr_solverIda,
    "cr_solverCvodeBdf": cr_solverCvodeBdf, "cr_solverDopri5": cr_solverDopri5, "cr_solverDop853": cr_solverDop853,
    "cr_solverRadau5": cr_solverRadau5, "cr_solverKindCount": cr_solverKindCount}
cr_islandsDefault = 0
cr_islandsOn = 1
cr_islandsOff = 2
ENUMS["crIslandMode"] = {
    "cr_islandsDefault": cr_islandsDefault, "cr_islandsOn": cr_islandsOn, "cr_islandsOff": cr_islandsOff}
cr_responseOfScene = 0
cr_responseElastic = 1
cr_responseSpringDamper = 2
cr_responsePenalty = 3
cr_responseImpulsive = 4
cr_responseObserver = 5
cr_responseUser = 6
cr_responseCount = 7
ENUMS["crContactResponse"] = {
    "cr_responseOfScene": cr_responseOfScene, "cr_responseElastic": cr_responseElastic,
    "cr_responseSpringDamper": cr_responseSpringDamper, "cr_responsePenalty": cr_responsePenalty,
    "cr_responseImpulsive": cr_responseImpulsive, "cr_responseObserver": cr_responseObserver,
    "cr_responseUser": cr_responseUser, "cr_responseCount": cr_responseCount}
cr_dampingOfScene = 0
cr_dampingFlores = 1
cr_dampingExact = 2
ENUMS["crDampingFormula"] = {
    "cr_dampingOfScene": cr_dampingOfScene, "cr_dampingFlores": cr_dampingFlores, "cr_dampingExact": cr_dampingExact}
cr_geometryOfScene = 0
cr_geometryRadius = 1
cr_geometryTable = 2
cr_geometryHertz = 3
ENUMS["crContactGeometry"] = {
    "cr_geometryOfScene": cr_geometryOfScene, "cr_geometryRadius": cr_geometryRadius,
    "cr_geometryTable": cr_geometryTable, "cr_geometryHertz": cr_geometryHertz}
cr_touchOfScene = 0
cr_touchByArea = 1
cr_touchByPoint = 2
ENUMS["crContactTouch"] = {
    "cr_touchOfScene": cr_touchOfScene, "cr_touchByArea": cr_touchByArea, "cr_touchByPoint": cr_touchByPoint}
cr_frictionOfScene = 0
cr_frictionRegularized = 1
cr_frictionStick = 2
ENUMS["crFrictionLaw"] = {
    "cr_frictionOfScene": cr_frictionOfScene, "cr_frictionRegularized": cr_frictionRegularized,
    "cr_frictionStick": cr_frictionStick}
cr_inertiaStrict = 0
cr_inertiaGiven = 1
cr_inertiaBalance = 2
ENUMS["crInertiaPolicy"] = {
    "cr_inertiaStrict": cr_inertiaStrict, "cr_inertiaGiven": cr_inertiaGiven, "cr_inertiaBalance": cr_inertiaBalance}
cr_lightDirectional = 0
cr_lightAmbient = 1
cr_lightPoint = 2
cr_lightSpot = 3
ENUMS["crLightKind"] = {
    "cr_lightDirectional": cr_lightDirectional, "cr_lightAmbient": cr_lightAmbient, "cr_lightPoint": cr_lightPoint,
    "cr_lightSpot": cr_lightSpot}
cr_featureSolid = 0
cr_featureVisual = 1
cr_featureMass = 2
cr_featureLight = 3
cr_featureCamera = 4
cr_featureKindCount = 5
ENUMS["crFeatureKind"] = {
    "cr_featureSolid": cr_featureSolid, "cr_featureVisual": cr_featureVisual, "cr_featureMass": cr_featureMass,
    "cr_featureLight": cr_featureLight, "cr_featureCamera": cr_featureCamera,
    "cr_featureKindCount": cr_featureKindCount}
cr_mobilityRigid = 0
cr_mobilityFree = 1
cr_mobilityWorld = 2
ENUMS["crMobility"] = {
    "cr_mobilityRigid": cr_mobilityRigid, "cr_mobilityFree": cr_mobilityFree, "cr_mobilityWorld": cr_mobilityWorld}
cr_startPose = 0
cr_startRest = 1
ENUMS["crStart"] = {"cr_startPose": cr_startPose, "cr_startRest": cr_startRest}
cr_jointFix = 0
cr_jointRevolute = 1
cr_jointPrismatic = 2
cr_jointCylindrical = 3
cr_jointUniversal = 4
cr_jointSpherical = 5
cr_jointPlanar = 6
cr_jointScrew = 7
cr_jointFreeMotion = 8
cr_jointKindCount = 9
ENUMS["crJointKind"] = {
    "cr_jointFix": cr_jointFix, "cr_jointRevolute": cr_jointRevolute, "cr_jointPrismatic": cr_jointPrismatic,
    "cr_jointCylindrical": cr_jointCylindrical, "cr_jointUniversal": cr_jointUniversal,
    "cr_jointSpherical": cr_jointSpherical, "cr_jointPlanar": cr_jointPlanar, "cr_jointScrew": cr_jointScrew,
    "cr_jointFreeMotion": cr_jointFreeMotion, "cr_jointKindCount": cr_jointKindCount}
cr_collisionByKind = 0
cr_collisionAllowed = 1
cr_collisionNever = 2
ENUMS["crJointCollision"] = {
    "cr_collisionByKind": cr_collisionByKind, "cr_collisionAllowed": cr_collisionAllowed,
    "cr_collisionNever": cr_collisionNever}
cr_forceSpringDamper = 0
cr_forceBushing = 1
cr_forceForce = 2
cr_forceTorque = 3
cr_forceCable = 4
cr_forceKindCount = 5
ENUMS["crForceKind"] = {
    "cr_forceSpringDamper": cr_forceSpringDamper, "cr_forceBushing": cr_forceBushing, "cr_forceForce": cr_forceForce,
    "cr_forceTorque": cr_forceTorque, "cr_forceCable": cr_forceCable, "cr_forceKindCount": cr_forceKindCount}
cr_couplingSum = 0
cr_couplingGearPair = 1
cr_couplingRackPair = 2
cr_couplingBelt = 3
cr_couplingFlexible = 4
cr_couplingClutch = 5
cr_couplingBrake = 6
cr_couplingMotor = 7
cr_couplingKindCount = 8
ENUMS["crCouplingKind"] = {
    "cr_couplingSum": cr_couplingSum, "cr_couplingGearPair": cr_couplingGearPair,
    "cr_couplingRackPair": cr_couplingRackPair, "cr_couplingBelt": cr_couplingBelt,
    "cr_couplingFlexible": cr_couplingFlexible, "cr_couplingClutch": cr_couplingClutch,
    "cr_couplingBrake": cr_couplingBrake, "cr_couplingMotor": cr_couplingMotor,
    "cr_couplingKindCount": cr_couplingKindCount}
cr_actionAttach = 0
cr_actionRelease = 1
cr_actionDelete = 2
cr_actionLock = 3
cr_actionUnlock = 4
cr_actionKindCount = 5
ENUMS["crActionKind"] = {
    "cr_actionAttach": cr_actionAttach, "cr_actionRelease": cr_actionRelease, "cr_actionDelete": cr_actionDelete,
    "cr_actionLock": cr_actionLock, "cr_actionUnlock": cr_actionUnlock, "cr_actionKindCount": cr_actionKindCount}
cr_triggerCall = 0
cr_triggerTime = 1
cr_triggerSignal = 2
cr_triggerContact = 3
ENUMS["crTriggerKind"] = {
    "cr_triggerCall": cr_triggerCall, "cr_triggerTime": cr_triggerTime, "cr_triggerSignal": cr_triggerSignal,
    "cr_triggerContact": cr_triggerContact}
cr_crossingUp = 0
cr_crossingDown = 1
cr_crossingBoth = 2
ENUMS["crCrossing"] = {
    "cr_crossingUp": cr_crossingUp, "cr_crossingDown": cr_crossingDown, "cr_crossingBoth": cr_crossingBoth}
cr_parameterNumber = 0
cr_parameterBool = 1
cr_parameterString = 2
ENUMS["crParameterKind"] = {
    "cr_parameterNumber": cr_parameterNumber, "cr_parameterBool": cr_parameterBool,
    "cr_parameterString": cr_parameterString}
cr_gravityEarth = 0
cr_gravityNone = 1
cr_gravityUniform = 2
cr_gravityPointMass = 3
ENUMS["crGravityKind"] = {
    "cr_gravityEarth": cr_gravityEarth, "cr_gravityNone": cr_gravityNone, "cr_gravityUniform": cr_gravityUniform,
    "cr_gravityPointMass": cr_gravityPointMass}
cr_eventRowsDefault = 0
cr_eventRowsOn = 1
cr_eventRowsOff = 2
ENUMS["crEventRows"] = {
    "cr_eventRowsDefault": cr_eventRowsDefault, "cr_eventRowsOn": cr_eventRowsOn, "cr_eventRowsOff": cr_eventRowsOff}
cr_externalBox = 101
cr_externalSphere = 102
cr_externalCylinder = 103
cr_externalCone = 104
cr_externalBeam = 106
ENUMS["crExternalShape"] = {
    "cr_externalBox": cr_externalBox, "cr_externalSphere": cr_externalSphere,
    "cr_externalCylinder": cr_externalCylinder, "cr_externalCone": cr_externalCone,
    "cr_externalBeam": cr_externalBeam}
cr_needContact = 1
cr_needJoint = 2
cr_needCut = 4
cr_needForce = 8
cr_needMass = 16
cr_needVisual = 32
ENUMS["crNeed"] = {
    "cr_needContact": cr_needContact, "cr_needJoint": cr_needJoint, "cr_needCut": cr_needCut,
    "cr_needForce": cr_needForce, "cr_needMass": cr_needMass, "cr_needVisual": cr_needVisual}
cr_excludedByJoint = 0
cr_excludedByUser = 1
ENUMS["crExclusionReason"] = {"cr_excludedByJoint": cr_excludedByJoint, "cr_excludedByUser": cr_excludedByUser}
cr_contactBegin = 0
cr_contactEnd = 1
cr_contactLast = 2
cr_contactNow = 3
ENUMS["crContactPhase"] = {
    "cr_contactBegin": cr_contactBegin, "cr_contactEnd": cr_contactEnd, "cr_contactLast": cr_contactLast,
    "cr_contactNow": cr_contactNow}
cr_modeNone = 0
cr_modeSticking = 1
cr_modeSliding = 2
cr_modeRolling = 3
ENUMS["crContactMode"] = {
    "cr_modeNone": cr_modeNone, "cr_modeSticking": cr_modeSticking, "cr_modeSliding": cr_modeSliding,
    "cr_modeRolling": cr_modeRolling}
cr_runComplete = 0
cr_runStopped = 1
cr_runFailed = 2
ENUMS["crRunEnd"] = {"cr_runComplete": cr_runComplete, "cr_runStopped": cr_runStopped, "cr_runFailed": cr_runFailed}
cr_rowOutput = 0
cr_rowBefore = 1
cr_rowAfter = 2
ENUMS["crRowKind"] = {"cr_rowOutput": cr_rowOutput, "cr_rowBefore": cr_rowBefore, "cr_rowAfter": cr_rowAfter}
cr_stageTime = 0
cr_stagePosition = 1
cr_stageVelocity = 2
cr_stageForce = 3
cr_stageAcceleration = 4
cr_stageReport = 5
ENUMS["crStage"] = {
    "cr_stageTime": cr_stageTime, "cr_stagePosition": cr_stagePosition, "cr_stageVelocity": cr_stageVelocity,
    "cr_stageForce": cr_stageForce, "cr_stageAcceleration": cr_stageAcceleration, "cr_stageReport": cr_stageReport}
cr_fitConverged = 0
cr_fitStalled = 1
cr_fitRunLimit = 2
ENUMS["crFitEnd"] = {
    "cr_fitConverged": cr_fitConverged, "cr_fitStalled": cr_fitStalled, "cr_fitRunLimit": cr_fitRunLimit}
cr_fmuKindsAll = 0
cr_fmuModelExchange = 1
cr_fmuCoSimulation = 2
ENUMS["crFmuKinds"] = {
    "cr_fmuKindsAll": cr_fmuKindsAll, "cr_fmuModelExchange": cr_fmuModelExchange,
    "cr_fmuCoSimulation": cr_fmuCoSimulation}
cr_sweepCurve = 0
cr_sweepMap = 1
cr_sweepHistogram = 2
cr_sweepScatter = 3
cr_sweepSensitivity = 4
cr_sweepPlotKindCount = 5
ENUMS["crSweepPlotKind"] = {
    "cr_sweepCurve": cr_sweepCurve, "cr_sweepMap": cr_sweepMap, "cr_sweepHistogram": cr_sweepHistogram,
    "cr_sweepScatter": cr_sweepScatter, "cr_sweepSensitivity": cr_sweepSensitivity,
    "cr_sweepPlotKindCount": cr_sweepPlotKindCount}

crAllocator_reallocate = CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t, c_size_t)


class crAllocator(Structure):
    _fields_ = [
        ("reallocate", crAllocator_reallocate),
        ("context", c_void_p),
    ]


class crSource(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("line", c_int),
        ("column", c_int),
    ]


class crError(Structure):
    _fields_ = [
        ("severity", c_int),
        ("status", c_int),
        ("source", crSource),
        ("path", c_char_p),
        ("message", c_char_p),
        ("found", c_char_p),
        ("allowed", c_char_p),
        ("unit", c_char_p),
        ("hint", c_char_p),
    ]

crErrorSink_report = CFUNCTYPE(None, c_void_p, c_void_p)


class crErrorSink(Structure):
    _fields_ = [
        ("report", crErrorSink_report),
        ("context", c_void_p),
    ]

crTextWriter_write = CFUNCTYPE(None, c_void_p, c_char_p, c_size_t)


class crTextWriter(Structure):
    _fields_ = [
        ("write", crTextWriter_write),
        ("context", c_void_p),
    ]


class crId(Structure):
    _fields_ = [
        ("index1", c_uint32),
        ("kind", c_uint16),
        ("tag", c_uint16),
    ]


class crVec3(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
        ("z", c_double),
    ]


class crMat3(Structure):
    _fields_ = [
        ("cx", crVec3),
        ("cy", crVec3),
        ("cz", crVec3),
    ]


class crSym3(Structure):
    _fields_ = [
        ("xx", c_double),
        ("yy", c_double),
        ("zz", c_double),
        ("xy", c_double),
        ("xz", c_double),
        ("yz", c_double),
    ]


class crQuat(Structure):
    _fields_ = [
        ("w", c_double),
        ("x", c_double),
        ("y", c_double),
        ("z", c_double),
    ]


class crPose(Structure):
    _fields_ = [
        ("R", crMat3),
        ("p", crVec3),
    ]


class crMotion(Structure):
    _fields_ = [
        ("w", crVec3),
        ("v", crVec3),
    ]


class crWrench(Structure):
    _fields_ = [
        ("t", crVec3),
        ("f", crVec3),
    ]


class crInertia(Structure):
    _fields_ = [
        ("mass", c_double),
        ("com", crVec3),
        ("I_com", crSym3),
    ]


class crAabb(Structure):
    _fields_ = [
        ("min", crVec3),
        ("max", crVec3),
    ]


class crProfilePoint(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
        ("arc", c_double),
        ("hasThrough", c_bool),
        ("throughX", c_double),
        ("throughY", c_double),
        ("involute", c_double),
        ("isSpline", c_bool),
        ("hasTangent", c_bool),
        ("tangentX", c_double),
        ("tangentY", c_double),
    ]


class crProfileDef(Structure):
    _fields_ = [
        ("points", c_void_p),
        ("pointCount", c_int),
        ("isOpen", c_bool),
        ("isTurnedOut", c_bool),
        ("error", c_double),
    ]


class crShapeDef_as_sphere(Structure):
    _fields_ = [
        ("radius", c_double),
    ]


class crShapeDef_as_ellipsoid(Structure):
    _fields_ = [
        ("radii", crVec3),
    ]


class crShapeDef_as_box(Structure):
    _fields_ = [
        ("size", crVec3),
    ]


class crShapeDef_as_cylinder(Structure):
    _fields_ = [
        ("radius", c_double),
        ("length", c_double),
        ("boreRadius", c_double),
    ]


class crShapeDef_as_cone(Structure):
    _fields_ = [
        ("radius", c_double),
        ("topRadius", c_double),
        ("length", c_double),
    ]


class crShapeDef_as_capsule(Structure):
    _fields_ = [
        ("radius", c_double),
        ("length", c_double),
    ]


class crShapeDef_as_beam(Structure):
    _fields_ = [
        ("length", c_double),
        ("width", c_double),
        ("height", c_double),
    ]


class crShapeDef_as_hull(Structure):
    _fields_ = [
        ("points", c_void_p),
        ("pointCount", c_int),
    ]


class crShapeDef_as_mesh(Structure):
    _fields_ = [
        ("mesh", c_void_p),
        ("file", c_char_p),
        ("scale", crVec3),
        ("pieces", c_int),
        ("error", c_double),
        ("made", c_void_p),
    ]


class crShapeDef_as_heightField(Structure):
    _fields_ = [
        ("heights", c_void_p),
        ("rowCount", c_int),
        ("columnCount", c_int),
        ("width", c_double),
        ("length", c_double),
        ("depth", c_double),
        ("height", c_double),
        ("refine", c_int),
        ("isFaceted", c_bool),
    ]


class crShapeDef_as_revolved(Structure):
    _fields_ = [
        ("profile", crProfileDef),
    ]


class crShapeDef_as_extruded(Structure):
    _fields_ = [
        ("profile", crProfileDef),
        ("length", c_double),
    ]


class crShapeDef_as_involuteGear(Structure):
    _fields_ = [
        ("teeth", c_int),
        ("module", c_double),
        ("length", c_double),
        ("pressureAngle", c_double),
        ("shift", c_double),
        ("backlash", c_double),
        ("tipRelief", c_double),
    ]


class crShapeDef_as_coordinateSystem(Structure):
    _fields_ = [
        ("length", c_double),
    ]


class crShapeDef_as_grid(Structure):
    _fields_ = [
        ("width", c_double),
        ("length", c_double),
        ("spacing", c_double),
    ]


class crShapeDef_as_coil(Structure):
    _fields_ = [
        ("radius", c_double),
        ("length", c_double),
        ("wireRadius", c_double),
        ("windings", c_int),
    ]


class crShapeDef_as_gearWheel(Structure):
    _fields_ = [
        ("radius", c_double),
        ("boreRadius", c_double),
        ("length", c_double),
        ("teeth", c_int),
    ]


class crShapeDef_as_text(Structure):
    _fields_ = [
        ("string", c_char_p),
        ("height", c_double),
    ]


class crShapeDef_as(Union):
    _fields_ = [
        ("sphere", crShapeDef_as_sphere),
        ("ellipsoid", crShapeDef_as_ellipsoid),
        ("box", crShapeDef_as_box),
        ("cylinder", crShapeDef_as_cylinder),
        ("cone", crShapeDef_as_cone),
        ("capsule", crShapeDef_as_capsule),
        ("beam", crShapeDef_as_beam),
        ("hull", crShapeDef_as_hull),
        ("mesh", crShapeDef_as_mesh),
        ("heightField", crShapeDef_as_heightField),
        ("revolved", crShapeDef_as_revolved),
        ("extruded", crShapeDef_as_extruded),
        ("involuteGear", crShapeDef_as_involuteGear),
        ("coordinateSystem", crShapeDef_as_coordinateSystem),
        ("grid", crShapeDef_as_grid),
        ("coil", crShapeDef_as_coil),
        ("gearWheel", crShapeDef_as_gearWheel),
        ("text", crShapeDef_as_text),
    ]


class crShapeDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("axis", crVec3),
        ("rounding", c_double),
        ("inflate", c_double),
        ("isHollow", c_bool),
        ("pieceError", c_double),
        ("as_", crShapeDef_as),
    ]


class crMeshDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("points", c_void_p),
        ("pointCount", c_int),
        ("triangles", c_void_p),
        ("triangleCount", c_int),
        ("pieceStarts", c_void_p),
        ("pieceCount", c_int),
    ]


class crMeshFacts(Structure):
    _fields_ = [
        ("pointCount", c_int),
        ("triangleCount", c_int),
        ("pieceCount", c_int),
        ("bounds", crAabb),
        ("volume", c_double),
        ("openEdgeCount", c_int),
        ("isClosed", c_bool),
    ]

crPiecesDef_goesOn = CFUNCTYPE(c_bool, c_void_p, c_double, c_int)


class crPiecesDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("error", c_double),
        ("volumeError", c_double),
        ("limit", c_int),
        ("work", c_double),
        ("goesOn", crPiecesDef_goesOn),
        ("context", c_void_p),
    ]


class crPiecesFacts(Structure):
    _fields_ = [
        ("pieceCount", c_int),
        ("distance", c_double),
        ("volumeRatio", c_double),
        ("isWithin", c_bool),
        ("isSpent", c_bool),
    ]


class crMeshFile(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("scale", crVec3),
        ("mesh", c_void_p),
    ]


class crGearMesh(Structure):
    _fields_ = [
        ("baseA", c_double),
        ("baseB", c_double),
        ("tipA", c_double),
        ("tipB", c_double),
        ("centre", c_double),
        ("angle", c_double),
        ("pitch", c_double),
        ("approach", c_double),
        ("recess", c_double),
        ("stiffness", c_double),
        ("relief", c_double),
        ("reliefLength", c_double),
    ]


class crSurface(Structure):
    _fields_ = [
        ("kind", c_int),
        ("id", c_int),
    ]


class crCurvature(Structure):
    _fields_ = [
        ("k1", c_double),
        ("k2", c_double),
        ("direction1", crVec3),
        ("isKnown", c_bool),
    ]


class crDistance(Structure):
    _fields_ = [
        ("distance", c_double),
        ("normal", crVec3),
        ("pointA", crVec3),
        ("pointB", crVec3),
        ("lowerBound", c_double),
        ("upperBound", c_double),
        ("iterations", c_int),
        ("isConverged", c_bool),
        ("isGlobal", c_bool),
        ("surfaceA", crSurface),
        ("surfaceB", crSurface),
        ("curvatureA", crCurvature),
        ("curvatureB", crCurvature),
    ]


class crDistanceCache(Structure):
    _fields_ = [
        ("direction", c_double * 3),
        ("supportA", c_int),
        ("supportB", c_int),
        ("isFilled", c_int),
    ]


class crMotionSegment(Structure):
    _fields_ = [
        ("pose", crPose),
        ("velocity", crVec3),
        ("acceleration", c_double),
        ("spin", c_double),
    ]

crPairFilter_canMeet = CFUNCTYPE(c_bool, c_void_p, c_int, c_int)


class crPairFilter(Structure):
    _fields_ = [
        ("canMeet", crPairFilter_canMeet),
        ("context", c_void_p),
    ]


class crBoxPair(Structure):
    _fields_ = [
        ("a", c_int),
        ("b", c_int),
    ]

crBoxVisitor = CFUNCTYPE(None, c_void_p, c_int)


class crArgument(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("signal", c_char_p),
    ]


class crNamedNumber(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", c_double),
    ]


class crFunctionSource(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("source", crSource),
        ("code", c_char_p),
        ("file", c_char_p),
        ("arguments", c_void_p),
        ("argumentCount", c_int),
        ("constants", c_void_p),
        ("constantCount", c_int),
        ("states", c_void_p),
        ("stateCount", c_int),
        ("period", c_double),
    ]

crFunction_call = CFUNCTYPE(c_int, c_void_p, c_double, c_void_p, c_void_p, c_void_p)

crFunction_create = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)

crFunction_destroy = CFUNCTYPE(None, c_void_p)

crFunction_explain = CFUNCTYPE(c_char_p, c_void_p)

crFunction_start = CFUNCTYPE(c_int, c_void_p, c_void_p)

crFunction_countMemory = CFUNCTYPE(c_int64, c_void_p)

crFunction_getMemory = CFUNCTYPE(None, c_void_p, c_void_p)

crFunction_setMemory = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int64)


class crFunction(Structure):
    _fields_ = [
        ("call", crFunction_call),
        ("context", c_void_p),
        ("create", crFunction_create),
        ("destroy", crFunction_destroy),
        ("explain", crFunction_explain),
        ("start", crFunction_start),
        ("countMemory", crFunction_countMemory),
        ("getMemory", crFunction_getMemory),
        ("setMemory", crFunction_setMemory),
    ]


class crSignalDef_as_constant(Structure):
    _fields_ = [
        ("value", c_double),
    ]


class crSignalDef_as_sine(Structure):
    _fields_ = [
        ("amplitude", c_double),
        ("frequency", c_double),
        ("phase", c_double),
        ("offset", c_double),
    ]


class crSignalDef_as_ramp(Structure):
    _fields_ = [
        ("height", c_double),
        ("duration", c_double),
        ("start", c_double),
        ("offset", c_double),
    ]


class crSignalDef_as_step(Structure):
    _fields_ = [
        ("height", c_double),
        ("start", c_double),
        ("offset", c_double),
    ]


class crSignalDef_as_trapezoid(Structure):
    _fields_ = [
        ("height", c_double),
        ("rise", c_double),
        ("hold", c_double),
        ("fall", c_double),
        ("start", c_double),
        ("offset", c_double),
    ]


class crSignalDef_as_timeTable(Structure):
    _fields_ = [
        ("times", c_void_p),
        ("timeCount", c_int),
        ("values", c_void_p),
        ("valueCount", c_int),
        ("interpolation", c_int),
    ]


class crSignalDef_as_path(Structure):
    _fields_ = [
        ("values", c_void_p),
        ("valueCount", c_int),
        ("maxVelocity", c_double),
        ("maxAcceleration", c_double),
        ("maxJerk", c_double),
        ("start", c_double),
        ("sync", c_void_p),
        ("syncCount", c_int),
    ]


class crSignalDef_as_spline(Structure):
    _fields_ = [
        ("input", c_char_p),
        ("points", c_void_p),
        ("pointCount", c_int),
        ("values", c_void_p),
        ("valueCount", c_int),
    ]


class crSignalDef_as_sum(Structure):
    _fields_ = [
        ("inputs", c_void_p),
        ("inputCount", c_int),
        ("factors", c_void_p),
        ("factorCount", c_int),
    ]


class crSignalDef_as_product(Structure):
    _fields_ = [
        ("inputs", c_void_p),
        ("inputCount", c_int),
    ]


class crSignalDef_as_limit(Structure):
    _fields_ = [
        ("input", c_char_p),
        ("min", c_double),
        ("max", c_double),
    ]


class crSignalDef_as_servo(Structure):
    _fields_ = [
        ("input", c_char_p),
        ("joint", c_char_p),
        ("positionGain", c_double),
        ("velocityGain", c_double),
        ("integralTime", c_double),
    ]


class crSignalDef_as_dcMotor(Structure):
    _fields_ = [
        ("input", c_char_p),
        ("joint", c_char_p),
        ("resistance", c_double),
        ("inductance", c_double),
        ("torqueConstant", c_double),
    ]


class crSignalDef_as_frameSensor(Structure):
    _fields_ = [
        ("objectA", c_char_p),
        ("objectB", c_char_p),
        ("quantity", c_int),
        ("component", c_int),
        ("frame", c_char_p),
    ]


class crSignalDef_as_jointSensor(Structure):
    _fields_ = [
        ("joint", c_char_p),
        ("quantity", c_int),
        ("degree", c_int),
    ]


class crSignalDef_as_reactionSensor(Structure):
    _fields_ = [
        ("joint", c_char_p),
        ("quantity", c_int),
        ("component", c_int),
        ("frame", c_char_p),
    ]


class crSignalDef_as_subtreeSensor(Structure):
    _fields_ = [
        ("object", c_char_p),
        ("quantity", c_int),
        ("component", c_int),
        ("frame", c_char_p),
    ]


class crSignalDef_as_contactSensor(Structure):
    _fields_ = [
        ("object", c_char_p),
        ("other", c_char_p),
        ("quantity", c_int),
        ("component", c_int),
        ("frame", c_char_p),
    ]


class crSignalDef_as_distanceSensor(Structure):
    _fields_ = [
        ("objectA", c_char_p),
        ("objectB", c_char_p),
        ("quantity", c_int),
        ("component", c_int),
        ("frame", c_char_p),
    ]


class crSignalDef_as_raySensor(Structure):
    _fields_ = [
        ("object", c_char_p),
        ("other", c_char_p),
        ("direction", crVec3),
        ("range", c_double),
        ("quantity", c_int),
        ("component", c_int),
        ("frame", c_char_p),
    ]


class crSignalDef_as_imu(Structure):
    _fields_ = [
        ("object", c_char_p),
        ("quantity", c_int),
        ("component", c_int),
    ]


class crSignalDef_as_couplingSensor(Structure):
    _fields_ = [
        ("coupling", c_char_p),
        ("quantity", c_int),
    ]


class crSignalDef_as_input(Structure):
    _fields_ = [
        ("start", c_double),
        ("unit", c_char_p),
        ("nominal", c_double),
    ]


class crSignalDef_as_output(Structure):
    _fields_ = [
        ("signal", c_char_p),
        ("unit", c_char_p),
    ]


class crSignalDef_as_function(Structure):
    _fields_ = [
        ("code", c_char_p),
        ("function", crFunction),
        ("arguments", c_void_p),
        ("argumentCount", c_int),
        ("constants", c_void_p),
        ("constantCount", c_int),
    ]


class crSignalDef_as_sampled(Structure):
    _fields_ = [
        ("code", c_char_p),
        ("function", crFunction),
        ("arguments", c_void_p),
        ("argumentCount", c_int),
        ("constants", c_void_p),
        ("constantCount", c_int),
        ("states", c_void_p),
        ("stateCount", c_int),
        ("period", c_double),
        ("start", c_double),
        ("value", c_double),
    ]


class crSignalDef_as_pick(Structure):
    _fields_ = [
        ("signal", c_char_p),
        ("state", c_char_p),
        ("unit", c_char_p),
    ]


class crSignalDef_as_pid(Structure):
    _fields_ = [
        ("input", c_char_p),
        ("reference", c_char_p),
        ("period", c_double),
        ("gain", c_double),
        ("integralGain", c_double),
        ("derivativeGain", c_double),
        ("filterTime", c_double),
        ("min", c_double),
        ("max", c_double),
        ("start", c_double),
        ("value", c_double),
    ]


class crSignalDef_as_fmu(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("path", c_char_p),
        ("hash", c_char_p),
        ("function", crFunction),
        ("arguments", c_void_p),
        ("argumentCount", c_int),
        ("constants", c_void_p),
        ("constantCount", c_int),
        ("outputs", c_void_p),
        ("outputCount", c_int),
        ("period", c_double),
        ("start", c_double),
        ("value", c_double),
    ]


class crSignalDef_as(Union):
    _fields_ = [
        ("constant", crSignalDef_as_constant),
        ("sine", crSignalDef_as_sine),
        ("ramp", crSignalDef_as_ramp),
        ("step", crSignalDef_as_step),
        ("trapezoid", crSignalDef_as_trapezoid),
        ("timeTable", crSignalDef_as_timeTable),
        ("path", crSignalDef_as_path),
        ("spline", crSignalDef_as_spline),
        ("sum", crSignalDef_as_sum),
        ("product", crSignalDef_as_product),
        ("limit", crSignalDef_as_limit),
        ("servo", crSignalDef_as_servo),
        ("dcMotor", crSignalDef_as_dcMotor),
        ("frameSensor", crSignalDef_as_frameSensor),
        ("jointSensor", crSignalDef_as_jointSensor),
        ("reactionSensor", crSignalDef_as_reactionSensor),
        ("subtreeSensor", crSignalDef_as_subtreeSensor),
        ("contactSensor", crSignalDef_as_contactSensor),
        ("distanceSensor", crSignalDef_as_distanceSensor),
        ("raySensor", crSignalDef_as_raySensor),
        ("imu", crSignalDef_as_imu),
        ("couplingSensor", crSignalDef_as_couplingSensor),
        ("input", crSignalDef_as_input),
        ("output", crSignalDef_as_output),
        ("function", crSignalDef_as_function),
        ("sampled", crSignalDef_as_sampled),
        ("pick", crSignalDef_as_pick),
        ("pid", crSignalDef_as_pid),
        ("fmu", crSignalDef_as_fmu),
    ]


class crSignalDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("kind", c_int),
        ("as_", crSignalDef_as),
    ]


class crSolverInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("about", c_char_p),
        ("isAvailable", c_bool),
        ("isImplicit", c_bool),
        ("usesResidual", c_bool),
        ("order", c_int),
    ]


class crSolverStatistics(Structure):
    _fields_ = [
        ("steps", c_int64),
        ("rejectedSteps", c_int64),
        ("evaluations", c_int64),
        ("jacobians", c_int64),
        ("factorizations", c_int64),
        ("restarts", c_int64),
    ]


class crSolidMaterialDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("density", c_double),
        ("E", c_double),
        ("nu", c_double),
    ]


class crContactMemory(Structure):
    _fields_ = [
        ("approach", c_double),
        ("cor", c_double),
        ("damping", c_double),
        ("stiffness", c_double),
        ("exponent", c_double),
        ("radius", c_double),
        ("lever", c_double),
    ]


class crContactMotion(Structure):
    _fields_ = [
        ("depth", c_double),
        ("rate", c_double),
        ("normal", crVec3),
        ("slip", crVec3),
        ("turn", crVec3),
    ]


class crContactForce(Structure):
    _fields_ = [
        ("force", crVec3),
        ("torque", crVec3),
        ("normalForce", c_double),
        ("elastic", c_double),
        ("dissipation", c_double),
    ]

crContactFunction = CFUNCTYPE(crContactForce, c_void_p, c_void_p, c_void_p)


class crContactPairDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("materialA", c_char_p),
        ("materialB", c_char_p),
        ("source", crSource),
        ("cor", c_double),
        ("muK", c_double),
        ("muR", c_double),
        ("response", c_int),
        ("formula", c_int),
        ("touch", c_int),
        ("geometry", c_int),
        ("friction", c_int),
        ("muS", c_double),
        ("slipFade", c_double),
        ("tangentialRatio", c_double),
        ("tangentialDamping", c_double),
        ("kRed", c_double),
        ("vMin", c_double),
        ("wMin", c_double),
        ("hysteresis", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("function", crContactFunction),
        ("context", c_void_p),
    ]


class crColor(Structure):
    _fields_ = [
        ("r", c_double),
        ("g", c_double),
        ("b", c_double),
        ("a", c_double),
    ]


class crVisualMaterialDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("color", crColor),
        ("wireframe", c_bool),
        ("transparency", c_double),
        ("shininess", c_double),
        ("isShadowless", c_bool),
    ]


class crSolidDef(Structure):
    _fields_ = [
        ("shape", crShapeDef),
        ("material", c_char_p),
        ("mass", c_double),
        ("contact", c_char_p),
        ("visual", c_char_p),
        ("group", c_uint32),
        ("ignored", c_uint32),
        ("contactRadius", c_double),
        ("surfaceVelocity", crVec3),
    ]


class crVisualDef(Structure):
    _fields_ = [
        ("shape", crShapeDef),
        ("visual", c_char_p),
    ]


class crMassDef(Structure):
    _fields_ = [
        ("mass", c_double),
        ("com", crVec3),
        ("inertia", crSym3),
        ("policy", c_int),
    ]


class crLightDef(Structure):
    _fields_ = [
        ("kind", c_int),
        ("color", crColor),
        ("intensity", c_double),
        ("isShadowless", c_bool),
    ]


class crCameraDef(Structure):
    _fields_ = [
        ("fieldOfView", c_double),
    ]


class crFeatureDef_as(Union):
    _fields_ = [
        ("solid", crSolidDef),
        ("visual", crVisualDef),
        ("mass", crMassDef),
        ("light", crLightDef),
        ("camera", crCameraDef),
    ]


class crFeatureDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("as_", crFeatureDef_as),
    ]


class crObjectDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("parent", c_char_p),
        ("mobility", c_int),
        ("position", crVec3),
        ("rotation", crQuat),
        ("velocity", crVec3),
        ("angularVelocity", crVec3),
        ("start", c_int),
        ("neverCollides", c_bool),
        ("features", c_void_p),
        ("featureCount", c_int),
    ]


class crJointLaw(Structure):
    _fields_ = [
        ("damping", c_double * 6),
        ("stiffness", c_double * 6),
        ("rest", c_double * 6),
        ("friction", c_double * 6),
        ("frictionRate", c_double * 6),
        ("frictionStatic", c_double * 6),
        ("frictionStiffness", c_double * 6),
        ("frictionFade", c_double * 6),
        ("stopMin", c_double * 6),
        ("stopMax", c_double * 6),
        ("stopStiffness", c_double * 6),
        ("stopDamping", c_double * 6),
        ("rotorInertia", c_double * 6),
        ("gearRatio", c_double * 6),
        ("frictionLaw", c_int),
        ("reserved", c_int),
    ]


class crJointDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("kind", c_int),
        ("objectA", c_char_p),
        ("objectB", c_char_p),
        ("axis", crVec3),
        ("axis2", crVec3),
        ("pitch", c_double),
        ("start", c_double * 7),
        ("startRate", c_double * 6),
        ("fixed", c_bool * 6),
        ("nominal", c_double * 6),
        ("collision", c_int),
        ("law", crJointLaw),
        ("drive", c_char_p),
        ("motion", c_char_p),
    ]


class crTablePoint(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
    ]


class crForceDef_as_springDamper(Structure):
    _fields_ = [
        ("stiffness", c_double),
        ("damping", c_double),
        ("length", c_double),
        ("table", c_void_p),
        ("tableCount", c_int),
        ("tension", c_char_p),
    ]


class crForceDef_as_bushing(Structure):
    _fields_ = [
        ("stiffness", crVec3),
        ("damping", crVec3),
        ("angularStiffness", crVec3),
        ("angularDamping", crVec3),
        ("preload", crVec3),
    ]


class crForceDef_as_force(Structure):
    _fields_ = [
        ("vector", crVec3),
        ("frame", c_char_p),
        ("factor", c_char_p),
    ]


class crForceDef_as_torque(Structure):
    _fields_ = [
        ("vector", crVec3),
        ("frame", c_char_p),
        ("factor", c_char_p),
    ]


class crForceDef_as_cable(Structure):
    _fields_ = [
        ("through", c_void_p),
        ("throughCount", c_int),
        ("radii", c_void_p),
        ("radiusCount", c_int),
        ("length", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("drum", c_char_p),
        ("drumRadius", c_double),
    ]


class crForceDef_as(Union):
    _fields_ = [
        ("springDamper", crForceDef_as_springDamper),
        ("bushing", crForceDef_as_bushing),
        ("force", crForceDef_as_force),
        ("torque", crForceDef_as_torque),
        ("cable", crForceDef_as_cable),
    ]


class crForceDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("kind", c_int),
        ("objectA", c_char_p),
        ("objectB", c_char_p),
        ("as_", crForceDef_as),
    ]


class crEngagedFriction(Structure):
    _fields_ = [
        ("engagement", c_char_p),
        ("friction", c_double),
        ("frictionStatic", c_double),
        ("frictionStiffness", c_double),
        ("frictionFade", c_double),
    ]


class crCouplingDef_as_sum(Structure):
    _fields_ = [
        ("joints", c_void_p),
        ("jointCount", c_int),
    ]


class crCouplingDef_as_gearPair(Structure):
    _fields_ = [
        ("jointA", c_char_p),
        ("jointB", c_char_p),
        ("carrier", c_char_p),
        ("ratio", c_double),
        ("teethA", c_double),
        ("teethB", c_double),
        ("isInternal", c_bool),
        ("module", c_double),
        ("pressureAngle", c_double),
        ("shiftA", c_double),
        ("shiftB", c_double),
        ("faceWidth", c_double),
        ("E", c_double),
        ("tipRelief", c_double),
    ]


class crCouplingDef_as_rackPair(Structure):
    _fields_ = [
        ("pinion", c_char_p),
        ("rack", c_char_p),
        ("radius", c_double),
    ]


class crCouplingDef_as_belt(Structure):
    _fields_ = [
        ("jointA", c_char_p),
        ("jointB", c_char_p),
        ("radiusA", c_double),
        ("radiusB", c_double),
        ("isCrossed", c_bool),
    ]


class crCouplingDef_as_flexible(Structure):
    _fields_ = [
        ("jointA", c_char_p),
        ("jointB", c_char_p),
    ]


class crCouplingDef_as_clutch(Structure):
    _fields_ = [
        ("jointA", c_char_p),
        ("jointB", c_char_p),
        ("law", crEngagedFriction),
    ]


class crCouplingDef_as_brake(Structure):
    _fields_ = [
        ("joint", c_char_p),
        ("law", crEngagedFriction),
    ]


class crCouplingDef_as_motor(Structure):
    _fields_ = [
        ("joint", c_char_p),
        ("voltage", c_char_p),
        ("resistance", c_double),
        ("inductance", c_double),
        ("torqueConstant", c_double),
    ]


class crCouplingDef_as(Union):
    _fields_ = [
        ("sum", crCouplingDef_as_sum),
        ("gearPair", crCouplingDef_as_gearPair),
        ("rackPair", crCouplingDef_as_rackPair),
        ("belt", crCouplingDef_as_belt),
        ("flexible", crCouplingDef_as_flexible),
        ("clutch", crCouplingDef_as_clutch),
        ("brake", crCouplingDef_as_brake),
        ("motor", crCouplingDef_as_motor),
    ]


class crCouplingDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("kind", c_int),
        ("offset", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("backlash", c_double),
        ("efficiency", c_double),
        ("efficiencyBack", c_double),
        ("as_", crCouplingDef_as),
    ]


class crExclusionDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("objectA", c_char_p),
        ("objectB", c_char_p),
        ("source", crSource),
    ]


class crActionDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("attach", c_char_p),
        ("release", c_char_p),
        ("remove", c_char_p),
        ("lock", c_char_p),
        ("unlock", c_char_p),
        ("to", c_char_p),
        ("maxSpeed", c_double),
        ("time", c_double),
        ("period", c_double),
        ("signal", c_char_p),
        ("level", c_double),
        ("direction", c_int),
        ("contact", c_void_p),
        ("contactCount", c_int),
        ("duration", c_double),
    ]


class crParameter(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("number", c_double),
        ("string", c_char_p),
        ("min", c_double),
        ("max", c_double),
        ("unit", c_char_p),
        ("label", c_char_p),
    ]


class crAssemblyDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("source", crSource),
        ("parameters", c_void_p),
        ("parameterCount", c_int),
    ]


class crGravity(Structure):
    _fields_ = [
        ("kind", c_int),
        ("acceleration", crVec3),
        ("centre", crVec3),
        ("mu", c_double),
    ]


class crRunOptions(Structure):
    _fields_ = [
        ("startTime", c_double),
        ("stopTime", c_double),
        ("interval", c_double),
        ("tolerance", c_double),
        ("maxStep", c_double),
        ("solver", c_int),
        ("islands", c_int),
        ("eventRows", c_int),
        ("record", c_void_p),
        ("recordCount", c_int),
    ]


class crSceneOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("source", crSource),
        ("gravity", crGravity),
        ("ignoresContacts", c_bool),
        ("run", crRunOptions),
        ("response", c_int),
        ("formula", c_int),
        ("touch", c_int),
        ("geometry", c_int),
        ("friction", c_int),
        ("kRed", c_double),
        ("vMin", c_double),
        ("wMin", c_double),
        ("hysteresis", c_double),
    ]


class crSourceFile(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("text", c_char_p),
        ("size", c_size_t),
    ]


class crColliderDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("stiffness", c_double),
        ("beginsAtOrigin", c_bool),
        ("E", c_double),
        ("nu", c_double),
        ("cor", c_double),
        ("muK", c_double),
        ("muR", c_double),
        ("kRed", c_double),
        ("vMin", c_double),
        ("wMin", c_double),
        ("hysteresis", c_double),
        ("formula", c_int),
        ("gravity", c_double),
    ]

crCompileOptions_shouldStop = CFUNCTYPE(c_bool, c_void_p)


class crCompileOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("shouldStop", crCompileOptions_shouldStop),
        ("context", c_void_p),
    ]


class crModelSize(Structure):
    _fields_ = [
        ("objectCount", c_int),
        ("bodyCount", c_int),
        ("treeCount", c_int),
        ("jointCount", c_int),
        ("cutJointCount", c_int),
        ("forceCount", c_int),
        ("couplingCount", c_int),
        ("signalCount", c_int),
        ("shapeCount", c_int),
        ("qCount", c_int),
        ("vCount", c_int),
        ("stateCount", c_int),
        ("variableCount", c_int),
        ("reserved", c_int),
        ("pairCount", c_int64),
        ("excludedPairCount", c_int64),
    ]


class crModelObject(Structure):
    _fields_ = [
        ("sceneIndex", c_int),
        ("body", c_int),
        ("needs", c_uint),
        ("number", c_int),
        ("X_BO", crPose),
    ]


class crBody(Structure):
    _fields_ = [
        ("parent", c_int),
        ("joint", c_int),
        ("tree", c_int),
        ("depth", c_int),
        ("objectStart", c_int),
        ("objectCount", c_int),
        ("inertia", crInertia),
        ("X_WB_start", crPose),
    ]


class crTree(Structure):
    _fields_ = [
        ("bodyStart", c_int),
        ("bodyCount", c_int),
        ("qStart", c_int),
        ("qCount", c_int),
        ("vStart", c_int),
        ("vCount", c_int),
        ("auxStart", c_int),
        ("auxCount", c_int),
    ]


class crModelJoint(Structure):
    _fields_ = [
        ("sceneIndex", c_int),
        ("kind", c_int),
        ("isImplicit", c_bool),
        ("isCut", c_bool),
        ("startsAtRest", c_bool),
        ("isReversed", c_bool),
        ("canCollide", c_bool),
        ("reserved", c_bool),
        ("fixed", c_bool * 6),
        ("objectA", c_int),
        ("objectB", c_int),
        ("bodyA", c_int),
        ("bodyB", c_int),
        ("qStart", c_int),
        ("vStart", c_int),
        ("law", c_int),
        ("drive", c_int),
        ("motion", c_int),
        ("X_BA", crPose),
        ("X_BB", crPose),
        ("axis", crVec3),
        ("axis2", crVec3),
        ("pitch", c_double),
        ("start", c_double * 7),
        ("startRate", c_double * 6),
        ("nominal", c_double * 6),
    ]


class crLoop(Structure):
    _fields_ = [
        ("cutJoint", c_int),
        ("bodyStart", c_int),
        ("bodyCount", c_int),
    ]


class crModelCoupling(Structure):
    _fields_ = [
        ("sceneIndex", c_int),
        ("kind", c_int),
        ("termStart", c_int),
        ("termCount", c_int),
        ("offset", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("backlash", c_double),
        ("efficiency", c_double),
        ("efficiencyBack", c_double),
        ("signal", c_int),
        ("state", c_int),
        ("friction", c_double),
        ("frictionStatic", c_double),
        ("frictionStiffness", c_double),
        ("frictionFade", c_double),
        ("resistance", c_double),
        ("inductance", c_double),
        ("torqueConstant", c_double),
        ("mesh", crGearMesh),
    ]


class crCouplingTerm(Structure):
    _fields_ = [
        ("joint", c_int),
        ("isOnCarrier", c_int),
        ("factor", c_double),
    ]


class crCurvePoint(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
        ("slope", c_double),
        ("integral", c_double),
    ]


class crModelForce(Structure):
    _fields_ = [
        ("sceneIndex", c_int),
        ("kind", c_int),
        ("objectA", c_int),
        ("objectB", c_int),
        ("frame", c_int),
        ("signal", c_int),
        ("curveStart", c_int),
        ("curveCount", c_int),
        ("stiffness", c_double),
        ("damping", c_double),
        ("length", c_double),
        ("linearStiffness", crVec3),
        ("linearDamping", crVec3),
        ("angularStiffness", crVec3),
        ("angularDamping", crVec3),
        ("preload", crVec3),
        ("vector", crVec3),
        ("guideStart", c_int),
        ("guideCount", c_int),
        ("cable", c_int),
        ("drum", c_int),
        ("drumRadius", c_double),
    ]


class crGuide(Structure):
    _fields_ = [
        ("object", c_int),
        ("body", c_int),
        ("radius", c_double),
        ("p_L", crVec3),
        ("R_LG", crMat3),
    ]


class crContactShape(Structure):
    _fields_ = [
        ("object", c_int),
        ("body", c_int),
        ("feature", c_int),
        ("piece", c_int),
        ("material", c_int),
        ("group", c_uint32),
        ("mask", c_uint32),
        ("compound", c_int),
        ("X_BS", crPose),
        ("contactRadius", c_double),
        ("surfaceVelocity", crVec3),
    ]


class crContactMaterial(Structure):
    _fields_ = [
        ("E", c_double),
        ("nu", c_double),
    ]


class crContactLaw(Structure):
    _fields_ = [
        ("cor", c_double),
        ("muK", c_double),
        ("muR", c_double),
        ("response", c_int),
        ("formula", c_int),
        ("geometry", c_int),
        ("touch", c_int),
        ("friction", c_int),
        ("sticks", c_int),
        ("muS", c_double),
        ("slipFade", c_double),
        ("tangentialRatio", c_double),
        ("tangentialDamping", c_double),
        ("elasticity", c_double),
        ("kRed", c_double),
        ("vMin", c_double),
        ("wMin", c_double),
        ("hysteresis", c_double),
        ("stiffness", c_double),
        ("damping", c_double),
        ("function", crContactFunction),
        ("context", c_void_p),
    ]


class crExcludedBodies(Structure):
    _fields_ = [
        ("bodyA", c_int),
        ("bodyB", c_int),
        ("reason", c_int),
        ("joint", c_int),
    ]


class crExcludedShapes(Structure):
    _fields_ = [
        ("shapeA", c_int),
        ("shapeB", c_int),
        ("joint", c_int),
        ("reserved", c_int),
    ]


class crPort(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("unit", c_char_p),
        ("start", c_double),
        ("nominal", c_double),
    ]


class crVariable(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("quantity", c_char_p),
        ("unit", c_char_p),
        ("description", c_char_p),
        ("state", c_int),
        ("reserved", c_int),
    ]


class crColumn(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("unit", c_char_p),
        ("description", c_char_p),
    ]


class crContactKey(Structure):
    _fields_ = [
        ("bodyA", c_int32),
        ("bodyB", c_int32),
        ("shapeA", c_int32),
        ("shapeB", c_int32),
    ]


class crPatchCorner(Structure):
    _fields_ = [
        ("point", crVec3),
        ("pressure", c_double),
    ]


class crContactBristle(Structure):
    _fields_ = [
        ("count", c_int),
        ("isPatch", c_bool),
        ("stiffness", c_double),
        ("damping", c_double),
        ("rollStiffness", c_double),
        ("rollDamping", c_double),
        ("ratio", c_double),
        ("axis", crVec3),
        ("normal", crVec3),
        ("x", c_double * 5),
    ]


class crCreep(Structure):
    _fields_ = [
        ("path", c_double),
        ("time", c_double),
        ("share", c_double),
        ("depth", c_double),
    ]


class crContactRecord(Structure):
    _fields_ = [
        ("key", crContactKey),
        ("objectA", c_int32),
        ("objectB", c_int32),
        ("phase", c_int32),
        ("observer", c_int32),
        ("row", c_int32),
        ("cornerCount", c_int32),
        ("mode", c_int32),
        ("time", c_double),
        ("begin", c_double),
        ("end", c_double),
        ("point", crVec3),
        ("normal", crVec3),
        ("depth", c_double),
        ("depthRate", c_double),
        ("slip", c_double),
        ("approach", c_double),
        ("separation", c_double),
        ("restitution", c_double),
        ("cor", c_double),
        ("damping", c_double),
        ("radius", c_double),
        ("maxDepth", c_double),
        ("maxForce", c_double),
        ("impulse", c_double),
        ("dissipation", c_double),
        ("slipPath", c_double),
        ("creep", crCreep),
        ("force", crVec3),
        ("torque", crVec3),
        ("normalForce", c_double),
        ("elastic", c_double),
        ("power", c_double),
        ("coneShare", c_double),
        ("area", c_double),
        ("meanPressure", c_double),
        ("maxPressure", c_double),
        ("corners", c_void_p),
    ]


class crResultDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("path", c_char_p),
        ("columns", c_void_p),
        ("columnCount", c_int),
        ("modelName", c_char_p),
        ("sceneJson", c_char_p),
        ("expectedRows", c_int),
        ("sourceText", c_char_p),
        ("bodies", c_void_p),
        ("bodyCount", c_int),
        ("objects", c_void_p),
        ("objectCount", c_int),
        ("meshes", c_void_p),
        ("meshCount", c_int),
        ("hasEventRows", c_bool),
    ]


class crRow(Structure):
    _fields_ = [
        ("time", c_double),
        ("kind", c_int),
        ("values", c_void_p),
        ("poses", c_void_p),
    ]

crRecordSink_begin = CFUNCTYPE(c_int, c_void_p, c_void_p)

crRecordSink_addRow = CFUNCTYPE(c_int, c_void_p, c_void_p)

crRecordSink_addSample = CFUNCTYPE(c_int, c_void_p, c_void_p)

crRecordSink_addContact = CFUNCTYPE(c_int, c_void_p, c_void_p)

crRecordSink_addEvent = CFUNCTYPE(c_int, c_void_p, c_double, c_char_p, c_char_p)

crRecordSink_end = CFUNCTYPE(c_int, c_void_p, c_int, c_char_p)


class crRecordSink(Structure):
    _fields_ = [
        ("context", c_void_p),
        ("begin", crRecordSink_begin),
        ("addRow", crRecordSink_addRow),
        ("addSample", crRecordSink_addSample),
        ("addContact", crRecordSink_addContact),
        ("addEvent", crRecordSink_addEvent),
        ("end", crRecordSink_end),
    ]


class crResultEvent(Structure):
    _fields_ = [
        ("time", c_double),
        ("kind", c_char_p),
        ("text", c_char_p),
    ]


class crResultFacts(Structure):
    _fields_ = [
        ("version", c_char_p),
        ("modelName", c_char_p),
        ("exitReason", c_char_p),
        ("isComplete", c_bool),
        ("sceneJson", c_char_p),
        ("runJson", c_char_p),
        ("sourceText", c_char_p),
    ]


class crTreeSet(Structure):
    _fields_ = [
        ("trees", c_void_p),
        ("treeCount", c_int),
        ("contacts", c_void_p),
    ]


class crLoopFacts(Structure):
    _fields_ = [
        ("freedom", c_int),
        ("gruebler", c_int),
        ("redundantCount", c_int),
    ]


class crEnergy(Structure):
    _fields_ = [
        ("kinetic", c_double),
        ("potential", c_double),
        ("elastic", c_double),
    ]


class crPowers(Structure):
    _fields_ = [
        ("work", c_double),
        ("dissipation", c_double),
    ]


class crMomentum(Structure):
    _fields_ = [
        ("linear", crVec3),
        ("angular", crVec3),
    ]


class crPoints(Structure):
    _fields_ = [
        ("count", c_int),
        ("times", c_void_p),
        ("states", c_void_p),
    ]


class crReachTarget(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("object", c_int),
        ("X_WO", crPose),
        ("point", crVec3),
        ("ignoresPosition", c_bool),
        ("ignoresOrientation", c_bool),
    ]

crReachOptions_shouldStop = CFUNCTYPE(c_bool, c_void_p)


class crReachOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("tolerance", c_double),
        ("length", c_double),
        ("maxSteps", c_int),
        ("maxAttempts", c_int),
        ("ignoresStops", c_bool),
        ("lower", c_void_p),
        ("upper", c_void_p),
        ("shouldStop", crReachOptions_shouldStop),
        ("context", c_void_p),
    ]


class crReachFacts(Structure):
    _fields_ = [
        ("distance", c_double),
        ("angle", c_double),
        ("gap", c_double),
        ("attemptCount", c_int),
        ("stepCount", c_int),
    ]

crEquilibriumOptions_shouldStop = CFUNCTYPE(c_bool, c_void_p)


class crEquilibriumOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("shouldStop", crEquilibriumOptions_shouldStop),
        ("context", c_void_p),
    ]


class crStateContact(Structure):
    _fields_ = [
        ("objectA", c_char_p),
        ("objectB", c_char_p),
        ("featureA", c_int),
        ("featureB", c_int),
        ("pieceA", c_int),
        ("pieceB", c_int),
        ("memory", crContactMemory),
        ("begin", c_double),
        ("approach", c_double),
        ("isSettled", c_bool),
        ("maxDepth", c_double),
        ("maxForce", c_double),
        ("impulse", c_double),
        ("dissipation", c_double),
        ("slipPath", c_double),
        ("bristle", crContactBristle),
    ]


class crState(Structure):
    _fields_ = [
        ("time", c_double),
        ("states", c_void_p),
        ("inputs", c_void_p),
        ("discrete", c_void_p),
        ("turns", c_void_p),
        ("contacts", c_void_p),
        ("stateCount", c_int),
        ("inputCount", c_int),
        ("discreteCount", c_int),
        ("turnCount", c_int),
        ("contactCount", c_int),
        ("dissipated", c_double),
        ("work", c_double),
    ]

crByteWriter_write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)


class crByteWriter(Structure):
    _fields_ = [
        ("write", crByteWriter_write),
        ("context", c_void_p),
    ]


class crCheckpointFacts(Structure):
    _fields_ = [
        ("build", c_char_p),
        ("model", c_char_p),
        ("time", c_double),
        ("outputCount", c_int),
        ("note", c_void_p),
        ("noteSize", c_size_t),
    ]


class crLoadOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_int),
        ("stopTime", c_double),
    ]


class crSimulationOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("startTime", c_double),
        ("stopTime", c_double),
        ("interval", c_double),
        ("tolerance", c_double),
        ("absoluteTolerance", c_double),
        ("maxStep", c_double),
        ("solver", c_int),
        ("islands", c_int),
        ("eventRows", c_int),
        ("ignoresContacts", c_bool),
        ("threads", c_int),
        ("inputs", c_void_p),
        ("start", c_void_p),
    ]

crObserver_atOutput = CFUNCTYPE(c_int, c_void_p, c_double, c_void_p)

crObserver_shouldStop = CFUNCTYPE(c_bool, c_void_p, c_double)

crObserver_atContact = CFUNCTYPE(c_int, c_void_p, c_void_p)

crObserver_atEvent = CFUNCTYPE(c_int, c_void_p, c_double, c_int, c_void_p)

crObserver_atAction = CFUNCTYPE(c_int, c_void_p, c_double, c_char_p, c_char_p)


class crObserver(Structure):
    _fields_ = [
        ("context", c_void_p),
        ("atOutput", crObserver_atOutput),
        ("shouldStop", crObserver_shouldStop),
        ("atContact", crObserver_atContact),
        ("atEvent", crObserver_atEvent),
        ("atAction", crObserver_atAction),
    ]


class crMethodSteps(Structure):
    _fields_ = [
        ("dopri5", c_int64),
        ("dop853", c_int64),
        ("radau5", c_int64),
        ("rkc2", c_int64),
    ]


class crSharedWork(Structure):
    _fields_ = [
        ("works", c_int64),
        ("helped", c_int64),
        ("alone", c_int64),
    ]


class crSimulationSummary(Structure):
    _fields_ = [
        ("tolerance", c_double),
        ("solver", c_int),
        ("methodSteps", crMethodSteps),
        ("solverStatistics", crSolverStatistics),
        ("time", c_double),
        ("outputCount", c_int),
        ("eventCount", c_int64),
        ("contactCount", c_int64),
        ("islandReason", c_char_p),
        ("islandCount", c_int64),
        ("mergeCount", c_int64),
        ("splitCount", c_int64),
        ("distanceCount", c_int64),
        ("searchedSteps", c_int64),
        ("startEnergy", crEnergy),
        ("endEnergy", crEnergy),
        ("dissipated", c_double),
        ("work", c_double),
        ("removed", c_double),
        ("actionCount", c_int64),
        ("creep", crCreep),
        ("creepA", c_int),
        ("creepB", c_int),
        ("creepSpeed", c_double),
        ("sharedWork", crSharedWork),
        ("cpuSeconds", c_double),
        ("wallSeconds", c_double),
        ("startSeconds", c_double),
    ]

crRecordOptions_shouldStop = CFUNCTYPE(c_bool, c_void_p, c_double)

crRecordOptions_atOutput = CFUNCTYPE(c_int, c_void_p, c_double)

crRecordOptions_describe = CFUNCTYPE(c_char_p, c_void_p, c_int)


class crRecordOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("patterns", c_void_p),
        ("patternCount", c_int),
        ("modelName", c_char_p),
        ("sceneJson", c_char_p),
        ("sourceText", c_char_p),
        ("meshes", c_void_p),
        ("meshCount", c_int),
        ("context", c_void_p),
        ("shouldStop", crRecordOptions_shouldStop),
        ("atOutput", crRecordOptions_atOutput),
        ("describe", crRecordOptions_describe),
    ]


class crResultPlace(Structure):
    _fields_ = [
        ("rowCount", c_int),
        ("eventCount", c_int),
        ("contactCount", c_int),
        ("sampleCount", c_int),
        ("cornerCount", c_int),
        ("time", c_double),
    ]


class crResultFile(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("place", c_void_p),
        ("allocator", c_void_p),
        ("sink", c_void_p),
        ("writer", c_void_p),
        ("columnCount", c_int),
        ("rowCount", c_int),
    ]


class crSetting(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", c_char_p),
    ]


class crReadOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("settings", c_void_p),
        ("settingCount", c_int),
        ("instructionLimit", c_int64),
        ("memoryLimit", c_size_t),
        ("fileLimit", c_size_t),
        ("meshes", c_void_p),
        ("meshCount", c_int),
        ("allowedPath", c_char_p),
        ("sources", c_void_p),
        ("sourceCount", c_int),
        ("skipsFmus", c_bool),
    ]


class crMeshFaults(Structure):
    _fields_ = [
        ("shellCount", c_int),
        ("openEdgeCount", c_int),
        ("crowdedEdgeCount", c_int),
        ("duplicateCount", c_int),
        ("turnedCount", c_int),
        ("insideOutCount", c_int),
        ("weldedCount", c_int),
        ("holeCount", c_int),
        ("placeCount", c_int),
        ("places", crVec3 * 8),
    ]


class crRepairDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("weld", c_double),
        ("fill", c_double),
    ]


class crSweepDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("model", c_char_p),
        ("vary", c_void_p),
        ("varyCount", c_int),
        ("settings", c_void_p),
        ("settingCount", c_int),
        ("output", c_void_p),
        ("outputCount", c_int),
        ("runs", c_int64),
        ("seed", c_uint64),
        ("design", c_char_p),
        ("options", crSimulationOptions),
    ]


class crSweepRow(Structure):
    _fields_ = [
        ("run", c_int64),
        ("status", c_int32),
        ("warnings", c_int32),
        ("cpuSeconds", c_double),
        ("inputs", c_void_p),
        ("outputs", c_void_p),
        ("message", c_char_p),
    ]


class crSweepProgress(Structure):
    _fields_ = [
        ("runs", c_int64),
        ("done", c_int64),
        ("failed", c_int64),
        ("ran", c_int64),
        ("ranFailed", c_int64),
        ("wallSeconds", c_double),
    ]

crSweepOptions_shouldStop = CFUNCTYPE(c_bool, c_void_p)

crSweepOptions_tell = CFUNCTYPE(None, c_void_p, c_void_p)

crSweepOptions_takeBlock = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p)


class crSweepOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_int),
        ("retriesFailed", c_bool),
        ("task", c_int),
        ("taskCount", c_int),
        ("context", c_void_p),
        ("shouldStop", crSweepOptions_shouldStop),
        ("tell", crSweepOptions_tell),
        ("takeBlock", crSweepOptions_takeBlock),
        ("tellSeconds", c_double),
    ]


class crSensitivity(Structure):
    _fields_ = [
        ("first", c_double),
        ("firstError", c_double),
        ("total", c_double),
        ("totalError", c_double),
    ]


class crFitParameter(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("lower", c_double),
        ("upper", c_double),
        ("hasStart", c_bool),
        ("start", c_double),
        ("scale", c_double),
    ]


class crFitExperiment(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("settings", c_void_p),
        ("settingCount", c_int),
        ("variables", c_void_p),
        ("variableCount", c_int),
        ("deviations", c_void_p),
        ("times", c_void_p),
        ("values", c_void_p),
        ("rowCount", c_int),
    ]

crFitDef_shouldStop = CFUNCTYPE(c_bool, c_void_p)


class crFitDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("model", c_char_p),
        ("settings", c_void_p),
        ("settingCount", c_int),
        ("parameters", c_void_p),
        ("parameterCount", c_int),
        ("experiments", c_void_p),
        ("experimentCount", c_int),
        ("goal", c_char_p),
        ("isLargest", c_bool),
        ("method", c_char_p),
        ("maxRuns", c_int),
        ("seed", c_uint64),
        ("threads", c_int),
        ("options", crSimulationOptions),
        ("context", c_void_p),
        ("shouldStop", crFitDef_shouldStop),
    ]


class crFitEstimate(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", c_double),
        ("error", c_double),
        ("low", c_double),
        ("high", c_double),
        ("isAtBound", c_bool),
    ]


class crFitFacts(Structure):
    _fields_ = [
        ("end", c_int),
        ("parameterCount", c_int),
        ("experimentCount", c_int),
        ("residualCount", c_int),
        ("sum", c_double),
        ("deviation", c_double),
        ("iterations", c_int),
        ("runs", c_int),
    ]


class crFmuOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("version", c_int),
        ("kinds", c_uint),
        ("isLocked", c_bool),
        ("settings", c_void_p),
        ("settingCount", c_int),
        ("binary", c_void_p),
        ("binarySize", c_size_t),
        ("license", c_char_p),
    ]


class crFmuFacts(Structure):
    _fields_ = [
        ("kinds", c_uint),
        ("parameterCount", c_int),
        ("inputCount", c_int),
        ("outputCount", c_int),
        ("stateCount", c_int),
        ("variableCount", c_int),
        ("byteCount", c_size_t),
    ]


class crLiveOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("port", c_int),
        ("dataLimit", c_size_t),
        ("patience", c_double),
    ]


class crLiveFacts(Structure):
    _fields_ = [
        ("visits", c_int),
        ("refusals", c_int),
        ("rowCount", c_int),
        ("isCut", c_bool),
        ("watchers", c_int),
        ("isShown", c_bool),
    ]


class crPlotOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("title", c_char_p),
        ("from_", c_double),
        ("to", c_double),
        ("hasEventMarks", c_bool),
        ("width", c_double),
        ("height", c_double),
        ("resolution", c_double),
        ("characters", c_int),
        ("lines", c_int),
        ("isColored", c_bool),
    ]


class crSweepPlotOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("names", c_void_p),
        ("nameCount", c_int),
        ("title", c_char_p),
        ("width", c_double),
        ("height", c_double),
        ("resolution", c_double),
    ]


class crReportOther(Structure):
    _fields_ = [
        ("result", c_void_p),
        ("name", c_char_p),
    ]


class crReportOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("title", c_char_p),
        ("dataLimit", c_size_t),
        ("maxContacts", c_int),
        ("runJson", c_char_p),
        ("name", c_char_p),
        ("others", c_void_p),
        ("otherCount", c_int),
    ]


class crReportFacts(Structure):
    _fields_ = [
        ("every", c_int),
        ("byteCount", c_size_t),
        ("note", c_char * 512),
    ]

crPhotoOptions_shouldStop = CFUNCTYPE(c_bool, c_void_p, c_double)


class crPhotoOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("width", c_int),
        ("height", c_int),
        ("time", c_double),
        ("from_", c_double),
        ("to", c_double),
        ("frameRate", c_double),
        ("speed", c_double),
        ("direction", crVec3),
        ("follow", c_char_p),
        ("theme", c_char_p),
        ("show", c_char_p),
        ("page", c_char_p),
        ("context", c_void_p),
        ("shouldStop", crPhotoOptions_shouldStop),
    ]


class crRunPoint(Structure):
    _fields_ = [
        ("time", c_double),
        ("simulation", c_void_p),
        ("writer", c_void_p),
    ]

crRunDef_shouldStop = CFUNCTYPE(c_bool, c_void_p, c_double)

crRunDef_atOutput = CFUNCTYPE(c_int, c_void_p, c_void_p)


class crRunDef(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("file", c_char_p),
        ("settings", c_void_p),
        ("settingCount", c_int),
        ("model", c_void_p),
        ("scene", c_void_p),
        ("folder", c_char_p),
        ("omitsReport", c_bool),
        ("isInteractive", c_bool),
        ("checkpointSeconds", c_double),
        ("startFile", c_char_p),
        ("stateFile", c_char_p),
        ("options", c_void_p),
        ("patterns", c_void_p),
        ("patternCount", c_int),
        ("follower", c_void_p),
        ("context", c_void_p),
        ("shouldStop", crRunDef_shouldStop),
        ("atOutput", crRunDef_atOutput),
    ]


class crRunFacts(Structure):
    _fields_ = [
        ("hasRun", c_bool),
        ("end", c_int),
        ("hasReport", c_bool),
        ("canResume", c_bool),
        ("columnCount", c_int),
        ("variableCount", c_int),
        ("rowCount", c_int),
        ("options", crSimulationOptions),
        ("summary", crSimulationSummary),
        ("creep", c_char * 1024),
        ("folder", c_char * 1024),
    ]

crResumeOptions_begin = CFUNCTYPE(None, c_void_p, c_void_p)

crResumeOptions_shouldStop = CFUNCTYPE(c_bool, c_void_p, c_double)


class crResumeOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_int),
        ("omitsReport", c_bool),
        ("checkpointSeconds", c_double),
        ("context", c_void_p),
        ("begin", crResumeOptions_begin),
        ("shouldStop", crResumeOptions_shouldStop),
    ]


# name -> (library, result, arguments)
FUNCTIONS = {
    "crStatus_GetText": ("carom", c_char_p, [c_int]),
    "crDefaultAllocator": ("carom", crAllocator, []),
    "crError_Format": ("carom", c_int, [c_void_p, c_void_p, c_size_t]),
    "crCleanText": ("carom", None, [c_void_p]),
    "crCreateErrorLog": ("carom", c_void_p, [c_void_p]),
    "crDestroyErrorLog": ("carom", None, [c_void_p]),
    "crErrorLog_GetSink": ("carom", crErrorSink, [c_void_p]),
    "crErrorLog_Count": ("carom", c_int, [c_void_p]),
    "crErrorLog_CountOf": ("carom", c_int, [c_void_p, c_int]),
    "crErrorLog_Get": ("carom", c_void_p, [c_void_p, c_int]),
    "crErrorLog_Clear": ("carom", None, [c_void_p]),
    "crElementKind_GetText": ("carom", c_char_p, [c_int]),
    "crGetVersion": ("carom", c_char_p, []),
    "crIsCompatible": ("carom", c_bool, [c_int]),
    "crRotateSym3": ("carom", crSym3, [crMat3, crSym3]),
    "crSym3_ComputeEigen": ("carom", None, [crSym3, c_void_p, c_void_p]),
    "crQuatToMat3": ("carom", crMat3, [crQuat]),
    "crMat3ToQuat": ("carom", crQuat, [crMat3]),
    "crAxisAngleToQuat": ("carom", crQuat, [crVec3, c_double]),
    "crAnglesToQuat": ("carom", crQuat, [crVec3]),
    "crQuatToAngles": ("carom", crVec3, [crQuat]),
    "crShortestRotation": ("carom", crQuat, [crVec3, crVec3]),
    "crAddInertia": ("carom", crInertia, [crInertia, crInertia]),
    "crTransformInertia": ("carom", crInertia, [crPose, crInertia]),
    "crInertiaAboutOrigin": ("carom", crSym3, [crInertia]),
    "crShapeKind_GetText": ("carom", c_char_p, [c_int]),
    "crShapeKind_IsVisualOnly": ("carom", c_bool, [c_int]),
    "crDefaultShapeDef": ("carom", crShapeDef, [c_int]),
    "crCheckShapeDef": ("carom", c_int, [c_void_p, c_void_p]),
    "crCreateShape": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDestroyShape": ("carom", None, [c_void_p]),
    "crShape_GetKind": ("carom", c_int, [c_void_p]),
    "crShape_GetRounding": ("carom", c_double, [c_void_p]),
    "crShape_GetSmallestDimension": ("carom", c_double, [c_void_p]),
    "crShape_IsBounded": ("carom", c_bool, [c_void_p]),
    "crShape_GetReach": ("carom", c_double, [c_void_p]),
    "crShape_ComputeSupport": ("carom", crVec3, [c_void_p, crVec3]),
    "crShape_ComputeAabb": ("carom", crAabb, [c_void_p, crPose]),
    "crShape_ComputeVolume": ("carom", c_double, [c_void_p]),
    "crShape_ComputeInertia": ("carom", crInertia, [c_void_p, c_double]),
    "crShape_CountPieces": ("carom", c_int, [c_void_p]),
    "crShape_GetPiece": ("carom", c_void_p, [c_void_p, c_int]),
    "crDefaultMeshDef": ("carom", crMeshDef, []),
    "crCreateMesh": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crRetainMesh": ("carom", c_void_p, [c_void_p]),
    "crReleaseMesh": ("carom", None, [c_void_p]),
    "crMesh_GetDef": ("carom", crMeshDef, [c_void_p]),
    "crMesh_GetFacts": ("carom", crMeshFacts, [c_void_p]),
    "crDefaultPiecesDef": ("carom", crPiecesDef, []),
    "crDecomposeMesh": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crShape_GetHullRatio": ("carom", c_double, [c_void_p]),
    "crComputeDistance": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crComputeDistances": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_int, c_void_p, c_void_p]),
    "crComputeTimeToContact": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_double, c_double, c_void_p]),
    "crComputeSweptAabb": ("carom", crAabb, [c_void_p, c_void_p, c_double]),
    "crCreateBroadPhase": ("carom", c_int, [c_int, c_void_p, crPairFilter, c_double, c_void_p, c_void_p]),
    "crDestroyBroadPhase": ("carom", None, [c_void_p]),
    "crBroadPhase_SetBox": ("carom", c_int, [c_void_p, c_int, crAabb]),
    "crBroadPhase_FindPairs": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crBroadPhase_QueryPoint": ("carom", None, [c_void_p, crVec3, crBoxVisitor, c_void_p]),
    "crBroadPhase_QueryRay": ("carom", None, [c_void_p, crVec3, crVec3, c_double, crBoxVisitor, c_void_p]),
    "crBroadPhase_QueryBox": ("carom", None, [c_void_p, crAabb, crBoxVisitor, c_void_p]),
    "crSignalKind_GetText": ("carom", c_char_p, [c_int]),
    "crDefaultSignalDef": ("carom", crSignalDef, [c_int, c_char_p]),
    "crGetSolverInfo": ("carom", c_void_p, [c_int]),
    "crFindSolver": ("carom", c_int, [c_char_p]),
    "crContactResponse_GetText": ("carom", c_char_p, [c_int]),
    "crFindColor": ("carom", c_bool, [c_char_p, c_void_p]),
    "crFeatureKind_GetText": ("carom", c_char_p, [c_int]),
    "crDefaultFeatureDef": ("carom", crFeatureDef, [c_int]),
    "crJointKind_GetText": ("carom", c_char_p, [c_int]),
    "crJointKind_CountQ": ("carom", c_int, [c_int]),
    "crJointKind_CountV": ("carom", c_int, [c_int]),
    "crForceKind_GetText": ("carom", c_char_p, [c_int]),
    "crCouplingKind_GetText": ("carom", c_char_p, [c_int]),
    "crActionKind_GetText": ("carom", c_char_p, [c_int]),
    "crActionDef_GetKind": ("carom", c_int, [c_void_p, c_void_p]),
    "crActionDef_GetTrigger": ("carom", c_int, [c_void_p]),
    "crCreateScene": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crDestroyScene": ("carom", None, [c_void_p]),
    "crDefaultSolidMaterialDef": ("carom", crSolidMaterialDef, [c_char_p]),
    "crDefaultContactPairDef": ("carom", crContactPairDef, [c_char_p, c_char_p]),
    "crDefaultVisualMaterialDef": ("carom", crVisualMaterialDef, [c_char_p]),
    "crDefaultObjectDef": ("carom", crObjectDef, [c_char_p]),
    "crDefaultJointDef": ("carom", crJointDef, [c_int, c_char_p, c_char_p, c_char_p]),
    "crDefaultForceDef": ("carom", crForceDef, [c_int, c_char_p, c_char_p, c_char_p]),
    "crDefaultCouplingDef": ("carom", crCouplingDef, [c_int, c_char_p]),
    "crDefaultActionDef": ("carom", crActionDef, [c_char_p]),
    "crDefaultExclusionDef": ("carom", crExclusionDef, [c_char_p, c_char_p]),
    "crDefaultAssemblyDef": ("carom", crAssemblyDef, [c_char_p]),
    "crDefaultSceneOptions": ("carom", crSceneOptions, []),
    "crScene_SetOptions": ("carom", c_int, [c_void_p, c_void_p]),
    "crScene_AddAssembly": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddObject": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddJoint": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddForce": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddShaft": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddCoupling": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddSignal": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddSolidMaterial": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddContactPair": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddVisualMaterial": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddAction": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_AddExclusion": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crScene_Remove": ("carom", c_int, [c_void_p, crId]),
    "crScene_ReplaceAssembly": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceObject": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceJoint": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceForce": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceCoupling": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceSignal": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceSolidMaterial": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceContactPair": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceVisualMaterial": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceAction": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_ReplaceExclusion": ("carom", c_int, [c_void_p, crId, c_void_p]),
    "crScene_Count": ("carom", c_int, [c_void_p, c_int]),
    "crScene_GetId": ("carom", crId, [c_void_p, c_int, c_int]),
    "crScene_Find": ("carom", crId, [c_void_p, c_char_p]),
    "crScene_FindSolidMaterial": ("carom", crId, [c_void_p, c_char_p]),
    "crScene_FindContactPair": ("carom", crId, [c_void_p, c_char_p, c_char_p]),
    "crScene_FindVisualMaterial": ("carom", crId, [c_void_p, c_char_p]),
    "crScene_GetOptions": ("carom", c_void_p, [c_void_p]),
    "crScene_GetAssembly": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetObject": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetJoint": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetForce": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetCoupling": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetSignal": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetSolidMaterial": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetContactPair": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetVisualMaterial": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetAction": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_GetExclusion": ("carom", c_void_p, [c_void_p, crId]),
    "crScene_CountParameters": ("carom", c_int, [c_void_p]),
    "crScene_GetParameter": ("carom", c_void_p, [c_void_p, c_int]),
    "crScene_GetParameterName": ("carom", c_int, [c_void_p, c_int, c_void_p, c_size_t]),
    "crScene_FindParameter": ("carom", c_int, [c_void_p, c_char_p]),
    "crScene_IsPalette": ("carom", c_bool, [c_void_p, crId]),
    "crScene_ComputeFeatureInertia": ("carom", c_int, [c_void_p, crId, c_int, c_void_p]),
    "crScene_GetShape": ("carom", c_void_p, [c_void_p, crId, c_int]),
    "crScene_CountMeshFiles": ("carom", c_int, [c_void_p]),
    "crScene_GetMeshFile": ("carom", crMeshFile, [c_void_p, c_int]),
    "crScene_CountSourceFiles": ("carom", c_int, [c_void_p]),
    "crScene_GetSourceFile": ("carom", crSourceFile, [c_void_p, c_int]),
    "crScene_CountErrors": ("carom", c_int, [c_void_p]),
    "crDefaultColliderDef": ("carom", crColliderDef, []),
    "crCreateCollider": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDestroyCollider": ("carom", None, [c_void_p]),
    "crCollider_AddMesh": ("carom", c_int, [c_void_p, c_int, c_void_p]),
    "crCollider_GetMessage": ("carom", c_char_p, [c_void_p]),
    "crCollider_ComputeForces": ("carom", c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "crCreateColliderMemory": ("carom", c_int, [c_void_p, c_void_p]),
    "crDestroyColliderMemory": ("carom", None, [c_void_p]),
    "crColliderMemory_CountContacts": ("carom", c_int, [c_void_p]),
    "crCollider_ComputeElasticForces": ("carom", c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_void_p]),
    "crCollider_ComputeIndicators": ("carom", c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_void_p]),
    "crCollider_ResolveEvent": ("carom", c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p]),
    "crOpenColliderMemory": ("carom", c_void_p, [c_void_p]),
    "crDefaultCompileOptions": ("carom", crCompileOptions, []),
    "crCompile": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDestroyModel": ("carom", None, [c_void_p]),
    "crModel_GetHash": ("carom", c_int, [c_void_p, c_void_p]),
    "crModel_GetSize": ("carom", crModelSize, [c_void_p]),
    "crModel_GetRunOptions": ("carom", c_void_p, [c_void_p]),
    "crModel_CountActions": ("carom", c_int, [c_void_p]),
    "crModel_GetAction": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_FindAction": ("carom", c_int, [c_void_p, c_char_p]),
    "crModel_GetObject": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetObjectPath": ("carom", c_char_p, [c_void_p, c_int]),
    "crModel_FindObject": ("carom", c_int, [c_void_p, c_char_p]),
    "crModel_GetBody": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetBodyPath": ("carom", c_char_p, [c_void_p, c_int]),
    "crModel_GetTree": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetJoint": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetJointPath": ("carom", c_char_p, [c_void_p, c_int]),
    "crModel_GetJointLaw": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_FindJoint": ("carom", c_int, [c_void_p, c_char_p]),
    "crModel_GetLoop": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetLoopBodies": ("carom", c_void_p, [c_void_p, c_int, c_void_p]),
    "crModel_GetCoupling": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetCouplingPath": ("carom", c_char_p, [c_void_p, c_int]),
    "crModel_GetCouplingTerms": ("carom", c_void_p, [c_void_p, c_int, c_void_p]),
    "crModel_FindCoupling": ("carom", c_int, [c_void_p, c_char_p]),
    "crModel_GetGuides": ("carom", c_void_p, [c_void_p, c_int, c_void_p]),
    "crModel_GetForce": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetForcePath": ("carom", c_char_p, [c_void_p, c_int]),
    "crModel_GetForceCurve": ("carom", c_void_p, [c_void_p, c_int, c_void_p]),
    "crModel_GetContactShape": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetShape": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_CountContactMaterials": ("carom", c_int, [c_void_p]),
    "crModel_GetContactMaterial": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_GetContactMaterialName": ("carom", c_char_p, [c_void_p, c_int]),
    "crModel_GetContactLaw": ("carom", c_void_p, [c_void_p, c_int, c_int]),
    "crModel_CountExcludedBodies": ("carom", c_int, [c_void_p]),
    "crModel_GetExcludedBodies": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_CountExcludedShapes": ("carom", c_int, [c_void_p]),
    "crModel_GetExcludedShapes": ("carom", c_void_p, [c_void_p, c_int]),
    "crModel_CanMeet": ("carom", c_bool, [c_void_p, c_int, c_int]),
    "crModel_GetNextTimeEvent": ("carom", c_double, [c_void_p, c_double]),
    "crModel_CountInputs": ("carom", c_int, [c_void_p]),
    "crModel_CountOutputs": ("carom", c_int, [c_void_p]),
    "crModel_GetInput": ("carom", c_bool, [c_void_p, c_int, c_void_p]),
    "crModel_GetOutput": ("carom", c_bool, [c_void_p, c_int, c_void_p]),
    "crModel_FindInput": ("carom", c_int, [c_void_p, c_char_p]),
    "crModel_FindOutput": ("carom", c_int, [c_void_p, c_char_p]),
    "crModel_GetVariable": ("carom", c_bool, [c_void_p, c_int, c_void_p]),
    "crModel_GetVariableName": ("carom", c_int, [c_void_p, c_int, c_void_p, c_size_t]),
    "crModel_FindVariable": ("carom", c_int, [c_void_p, c_char_p]),
    "crMatchesPattern": ("carom", c_bool, [c_char_p, c_char_p]),
    "crContactMode_GetText": ("carom", c_char_p, [c_int]),
    "crCreep_IsWorthTelling": ("carom", c_bool, [c_void_p]),
    "crDefaultContactRecord": ("carom", crContactRecord, [c_int, c_double]),
    "crContactRecord_HasPushed": ("carom", c_bool, [c_void_p]),
    "crDefaultResultDef": ("carom", crResultDef, [c_char_p]),
    "crRunEnd_GetText": ("carom", c_char_p, [c_int]),
    "crCreateResultMemory": ("carom", c_void_p, [c_void_p]),
    "crDestroyResultMemory": ("carom", None, [c_void_p]),
    "crResultMemory_GetSink": ("carom", crRecordSink, [c_void_p]),
    "crResultMemory_Take": ("carom", c_void_p, [c_void_p]),
    "crDestroyResult": ("carom", None, [c_void_p]),
    "crResult_CountRows": ("carom", c_int, [c_void_p]),
    "crResult_CountColumns": ("carom", c_int, [c_void_p]),
    "crResult_GetColumn": ("carom", c_void_p, [c_void_p, c_int]),
    "crResult_FindColumn": ("carom", c_int, [c_void_p, c_char_p]),
    "crResult_GetTimes": ("carom", c_void_p, [c_void_p]),
    "crResult_GetValues": ("carom", c_void_p, [c_void_p, c_int]),
    "crResult_GetRowKind": ("carom", c_int, [c_void_p, c_int]),
    "crResult_CountEvents": ("carom", c_int, [c_void_p]),
    "crResult_GetEvent": ("carom", c_void_p, [c_void_p, c_int]),
    "crResult_GetFacts": ("carom", crResultFacts, [c_void_p]),
    "crResult_CountBodies": ("carom", c_int, [c_void_p]),
    "crResult_GetBody": ("carom", c_char_p, [c_void_p, c_int]),
    "crResult_GetPoses": ("carom", c_void_p, [c_void_p, c_int]),
    "crResult_CountObjects": ("carom", c_int, [c_void_p]),
    "crResult_GetObjectPath": ("carom", c_char_p, [c_void_p, c_int]),
    "crResult_GetMeshes": ("carom", c_void_p, [c_void_p, c_void_p]),
    "crResult_CountContacts": ("carom", c_int, [c_void_p]),
    "crResult_GetContact": ("carom", c_void_p, [c_void_p, c_int]),
    "crResult_GetContactSamples": ("carom", c_void_p, [c_void_p, c_int, c_void_p]),
    "crResult_Replay": ("carom", c_int, [c_void_p, c_void_p]),
    "crResult_SelectColumns": ("carom", c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crModel_GetAllTrees": ("carom", crTreeSet, [c_void_p]),
    "crModel_CountStates": ("carom", c_int, [c_void_p, crTreeSet]),
    "crModel_CountRates": ("carom", c_int, [c_void_p, crTreeSet]),
    "crModel_IsClosed": ("carom", c_bool, [c_void_p, crTreeSet]),
    "crModel_GetStart": ("carom", c_int, [c_void_p, crTreeSet, c_void_p]),
    "crModel_GetNominal": ("carom", c_int, [c_void_p, crTreeSet, c_void_p]),
    "crModel_GetStateName": ("carom", c_bool, [c_void_p, crTreeSet, c_int, c_void_p, c_size_t]),
    "crCreateInstance": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDestroyInstance": ("carom", None, [c_void_p]),
    "crInstance_GetModel": ("carom", c_void_p, [c_void_p]),
    "crInstance_SetState": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p]),
    "crInstance_GetState": ("carom", c_int, [c_void_p, crTreeSet, c_void_p]),
    "crInstance_SetPhase": ("carom", c_int, [c_void_p, crTreeSet, c_double]),
    "crInstance_Eval": ("carom", c_int, [c_void_p, crTreeSet, c_int]),
    "crInstance_ComputeRates": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p, c_void_p]),
    "crInstance_ComputeResidual": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p, c_void_p, c_void_p]),
    "crInstance_SetInput": ("carom", c_int, [c_void_p, c_int, c_double]),
    "crInstance_GetInput": ("carom", c_double, [c_void_p, c_int]),
    "crInstance_GetOutput": ("carom", c_double, [c_void_p, c_int]),
    "crInstance_Sample": ("carom", c_int, [c_void_p, crTreeSet]),
    "crModel_CountDiscrete": ("carom", c_int, [c_void_p, crTreeSet]),
    "crInstance_GetDiscrete": ("carom", c_int, [c_void_p, crTreeSet, c_void_p]),
    "crInstance_SetDiscrete": ("carom", c_int, [c_void_p, crTreeSet, c_void_p]),
    "crInstance_DescribeFault": ("carom", c_bool, [c_void_p, c_double, c_void_p, c_size_t]),
    "crInstance_Assemble": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p, c_void_p]),
    "crInstance_GetLoopFacts": ("carom", crLoopFacts, [c_void_p]),
    "crInstance_CountRedundant": ("carom", c_int, [c_void_p, c_int]),
    "crInstance_DescribeSingular": ("carom", c_bool, [c_void_p, c_void_p, c_size_t]),
    "crInstance_DescribeGap": ("carom", c_bool, [c_void_p, crTreeSet, c_double, c_void_p, c_size_t]),
    "crInstance_CompleteStep": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p]),
    "crInstance_Project": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_double, c_void_p]),
    "crInstance_CountMultipliers": ("carom", c_int, [c_void_p, crTreeSet]),
    "crInstance_GetMultipliers": ("carom", c_int, [c_void_p, crTreeSet, c_void_p]),
    "crInstance_ComputeLoopResidual": ("carom", c_int, [
        c_void_p, crTreeSet, c_double, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crInstance_ComputeRateResidual": ("carom", c_int, [
        c_void_p, crTreeSet, c_double, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crInstance_GetLoopSparsity": ("carom", c_int, [c_void_p, crTreeSet, c_int, c_void_p, c_void_p, c_void_p]),
    "crInstance_GetPose": ("carom", crPose, [c_void_p, c_int]),
    "crInstance_GetMotion": ("carom", crMotion, [c_void_p, c_int]),
    "crInstance_GetAcceleration": ("carom", crMotion, [c_void_p, c_int]),
    "crInstance_GetReaction": ("carom", crWrench, [c_void_p, c_int]),
    "crInstance_GetCouplingForce": ("carom", c_double, [c_void_p, c_int]),
    "crInstance_GetVariable": ("carom", c_double, [c_void_p, c_int]),
    "crInstance_ComputePowers": ("carom", crPowers, [c_void_p, crTreeSet]),
    "crInstance_ComputeEnergy": ("carom", crEnergy, [c_void_p, crTreeSet, c_int]),
    "crInstance_ComputeMomentum": ("carom", crMomentum, [c_void_p, crTreeSet, c_int]),
    "crCreateContacts": ("carom", c_int, [c_void_p, crTreeSet, c_void_p, c_void_p]),
    "crDestroyContacts": ("carom", None, [c_void_p]),
    "crCopyContacts": ("carom", c_int, [c_void_p, c_void_p]),
    "crInstance_ComputeIndicators": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p, c_void_p]),
    "crInstance_ResolveContacts": ("carom", c_int, [c_void_p, crTreeSet]),
    "crContacts_GetEvents": ("carom", c_void_p, [c_void_p, c_void_p]),
    "crInstance_ResolveImpacts": ("carom", c_int, [c_void_p, crTreeSet, c_void_p, c_void_p, c_void_p]),
    "crContacts_CompleteStep": ("carom", None, [c_void_p, c_double]),
    "crContacts_Count": ("carom", c_int, [c_void_p]),
    "crContacts_Get": ("carom", crContactRecord, [c_void_p, c_int]),
    "crContacts_FindPatch": ("carom", c_int, [c_void_p, c_int, c_void_p]),
    "crInstance_ComputeInverseDynamics": ("carom", c_int, [
        c_void_p, crTreeSet, c_double, c_void_p, c_void_p, c_void_p]),
    "crInstance_ComputeMassMatrix": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p, c_void_p]),
    "crInstance_ComputeFrameJacobian": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p, c_int, c_void_p]),
    "crInstance_Linearize": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p, c_void_p]),
    "crInstance_LinearizePorts": ("carom", c_int, [
        c_void_p, crTreeSet, c_double, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crInstance_ComputeRatesAt": ("carom", c_int, [c_void_p, crTreeSet, c_void_p, c_void_p, c_void_p]),
    "crInstance_ComputeInverseDynamicsAt": ("carom", c_int, [
        c_void_p, crTreeSet, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crInstance_ComputeMassMatricesAt": ("carom", c_int, [c_void_p, crTreeSet, c_void_p, c_void_p, c_void_p]),
    "crInstance_ComputeFrameJacobiansAt": ("carom", c_int, [c_void_p, crTreeSet, c_void_p, c_int, c_void_p, c_void_p]),
    "crInstance_ComputePosesAt": ("carom", c_int, [c_void_p, crTreeSet, c_void_p, c_int, c_void_p, c_void_p]),
    "crDefaultReachTarget": ("carom", crReachTarget, [c_int]),
    "crDefaultReachOptions": ("carom", crReachOptions, []),
    "crInstance_ComputeInverseKinematics": ("carom", c_int, [
        c_void_p, crTreeSet, c_double, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDefaultEquilibriumOptions": ("carom", crEquilibriumOptions, []),
    "crInstance_ComputeEquilibrium": ("carom", c_int, [c_void_p, crTreeSet, c_double, c_void_p, c_void_p, c_void_p]),
    "crModel_GetSparsity": ("carom", c_int, [c_void_p, crTreeSet, c_void_p, c_void_p, c_void_p]),
    "crSimulation_GetState": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crCopyState": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crDestroyState": ("carom", None, [c_void_p]),
    "crSimulation_Copy": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crSimulation_Save": ("carom", c_int, [c_void_p, c_void_p, c_size_t, crByteWriter]),
    "crReadCheckpointFacts": ("carom", c_int, [c_void_p, c_size_t, c_void_p, c_void_p]),
    "crDefaultLoadOptions": ("carom", crLoadOptions, []),
    "crLoadSimulation": ("carom", c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crGetBuild": ("carom", c_char_p, []),
    "crDefaultSimulationOptions": ("carom", crSimulationOptions, []),
    "crModel_ChooseOptions": ("carom", crSimulationOptions, [c_void_p, c_void_p]),
    "crCreateSimulation": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDestroySimulation": ("carom", None, [c_void_p]),
    "crSimulation_Advance": ("carom", c_int, [c_void_p, c_double]),
    "crSimulation_SetInput": ("carom", c_int, [c_void_p, c_int, c_double]),
    "crSimulation_Act": ("carom", c_int, [c_void_p, c_char_p]),
    "crSimulation_GetTime": ("carom", c_double, [c_void_p]),
    "crSimulation_GetModel": ("carom", c_void_p, [c_void_p]),
    "crSimulation_GetOptions": ("carom", crSimulationOptions, [c_void_p]),
    "crSimulation_GetInstance": ("carom", c_void_p, [c_void_p]),
    "crSimulation_GetSet": ("carom", crTreeSet, [c_void_p]),
    "crSimulation_GetSummary": ("carom", crSimulationSummary, [c_void_p]),
    "crSimulation_DescribeCreep": ("carom", c_bool, [c_void_p, c_void_p, c_size_t]),
    "crCheckStart": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crCreateRecorder": ("carom", c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_void_p]),
    "crDestroyRecorder": ("carom", None, [c_void_p]),
    "crRecorder_CountColumns": ("carom", c_int, [c_void_p]),
    "crRecorder_GetColumns": ("carom", c_void_p, [c_void_p]),
    "crRecorder_Read": ("carom", c_void_p, [c_void_p, c_void_p]),
    "crRecorder_CountBodies": ("carom", c_int, [c_void_p]),
    "crRecorder_GetBodies": ("carom", c_void_p, [c_void_p]),
    "crRecorder_ReadPoses": ("carom", c_void_p, [c_void_p, c_void_p]),
    "crRecorder_CountObjects": ("carom", c_int, [c_void_p]),
    "crRecorder_GetObjects": ("carom", c_void_p, [c_void_p]),
    "crSimulation_Run": ("carom", c_int, [c_void_p, c_void_p, c_void_p]),
    "crDefaultRecordOptions": ("carom", crRecordOptions, []),
    "crSimulation_Record": ("carom", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crRecordToMemory": ("carom", c_int, [
        c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crCreateResultWriter": ("carom_io", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crResultWriter_AddRow": ("carom_io", c_int, [c_void_p, c_void_p]),
    "crResultWriter_AddEvent": ("carom_io", c_int, [c_void_p, c_double, c_char_p, c_char_p]),
    "crResultWriter_Flush": ("carom_io", c_int, [c_void_p]),
    "crResultWriter_GetPlace": ("carom_io", c_int, [c_void_p, c_void_p]),
    "crReopenResultWriter": ("carom_io", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crResultWriter_Close": ("carom_io", c_int, [c_void_p, c_bool, c_char_p, c_char_p]),
    "crResultWriter_AddContact": ("carom_io", c_int, [c_void_p, c_void_p]),
    "crResultWriter_AddContactSample": ("carom_io", c_int, [c_void_p, c_void_p]),
    "crResultFile_GetSink": ("carom_io", crRecordSink, [c_void_p]),
    "crWriteResult": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crReadResult": ("carom_io", c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "crWriteCsv": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crWriteContactCsv": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crWriteSampleCsv": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crWriteMat": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crDefaultReadOptions": ("carom_io", crReadOptions, []),
    "crReadModel": ("carom_io", c_int, [c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crReadLua": ("carom_io", c_int, [c_char_p, c_size_t, c_char_p, c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crReadJson": ("carom_io", c_int, [
        c_char_p, c_size_t, c_char_p, c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crReadRobot": ("carom_io", c_int, [
        c_char_p, c_size_t, c_char_p, c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crWriteRobotLua": ("carom_io", c_int, [c_char_p, c_void_p, c_void_p, c_void_p, crTextWriter]),
    "crWriteRobotLuaFile": ("carom_io", c_int, [c_char_p, c_void_p, c_char_p, c_void_p, c_void_p]),
    "crGetLuaFunction": ("carom_io", c_void_p, []),
    "crGetFmuFunction": ("carom_io", c_void_p, []),
    "crAllowFmus": ("carom_io", None, [c_bool]),
    "crWriteJson": ("carom_io", c_int, [c_void_p, c_void_p, c_void_p, crTextWriter]),
    "crWriteJsonFile": ("carom_io", c_int, [c_void_p, c_char_p, c_char_p, c_void_p, c_void_p]),
    "crFormatLua": ("carom_io", c_int, [c_char_p, c_size_t, c_char_p, c_void_p, c_void_p, crTextWriter]),
    "crWriteJsonSchema": ("carom_io", c_int, [c_void_p, crTextWriter]),
    "crWriteLuaAnnotations": ("carom_io", c_int, [crTextWriter]),
    "crWriteReference": ("carom_io", c_int, [crTextWriter]),
    "crWriteState": ("carom_io", c_int, [c_void_p, crTextWriter]),
    "crWriteStateFile": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crReadState": ("carom_io", c_int, [c_char_p, c_size_t, c_char_p, c_void_p, c_void_p, c_void_p]),
    "crReadStateFile": ("carom_io", c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "crReadMesh": ("carom_io", c_int, [c_char_p, crVec3, c_void_p, c_void_p, c_void_p]),
    "crReadStl": ("carom_io", c_int, [c_void_p, c_size_t, c_char_p, crVec3, c_void_p, c_void_p, c_void_p]),
    "crReadObj": ("carom_io", c_int, [c_char_p, c_size_t, c_char_p, crVec3, c_void_p, c_void_p, c_void_p]),
    "crReadDae": ("carom_io", c_int, [c_char_p, c_size_t, c_char_p, crVec3, c_void_p, c_void_p, c_void_p]),
    "crWriteObj": ("carom_io", c_int, [c_void_p, c_char_p, crTextWriter]),
    "crWriteObjFile": ("carom_io", c_int, [c_void_p, c_char_p, c_char_p, c_void_p, c_void_p]),
    "crKeepPieces": ("carom_io", c_int, [c_char_p, c_void_p, c_double, c_void_p, c_void_p, c_void_p]),
    "crDefaultRepairDef": ("carom_io", crRepairDef, []),
    "crFindMeshFaults": ("carom_io", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crRepairMesh": ("carom_io", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crCollider_ReadMesh": ("carom_io", c_int, [c_void_p, c_int, c_char_p]),
    "crOpenCollider": ("carom_io", c_void_p, [c_double, c_double, c_double, c_double, c_void_p, c_void_p, c_int]),
    "crDefaultSweepDef": ("carom_io", crSweepDef, [c_char_p]),
    "crCreateSweepPlan": ("carom_io", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crReadSweepPlan": ("carom_io", c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "crOpenSweepPlan": ("carom_io", c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "crDestroySweepPlan": ("carom_io", None, [c_void_p]),
    "crSweepPlan_SetRuns": ("carom_io", c_int, [c_void_p, c_int64, c_void_p]),
    "crSweepPlan_CountRuns": ("carom_io", c_int64, [c_void_p]),
    "crSweepPlan_CountInputs": ("carom_io", c_int, [c_void_p]),
    "crSweepPlan_CountOutputs": ("carom_io", c_int, [c_void_p]),
    "crSweepPlan_GetInput": ("carom_io", c_char_p, [c_void_p, c_int]),
    "crSweepPlan_GetOutput": ("carom_io", c_void_p, [c_void_p, c_int]),
    "crSweepPlan_GetHash": ("carom_io", c_char_p, [c_void_p]),
    "crSweepPlan_FindPoint": ("carom_io", c_int, [c_void_p, c_int64, c_void_p]),
    "crSweepPlan_FormatInput": ("carom_io", c_int, [c_void_p, c_int64, c_int, c_void_p]),
    "crSweepPlan_FormatCommand": ("carom_io", c_int, [c_void_p, c_int64, c_void_p, c_size_t]),
    "crSweepPlan_Run": ("carom_io", c_int, [c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDefaultSweepOptions": ("carom_io", crSweepOptions, []),
    "crPrepareSweep": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crRunSweep": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crReadSweepTable": ("carom_io", c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "crDestroySweepTable": ("carom_io", None, [c_void_p]),
    "crSweepTable_CountRuns": ("carom_io", c_int64, [c_void_p]),
    "crSweepTable_CountRows": ("carom_io", c_int, [c_void_p]),
    "crSweepTable_CountInputs": ("carom_io", c_int, [c_void_p]),
    "crSweepTable_CountOutputs": ("carom_io", c_int, [c_void_p]),
    "crSweepTable_GetInput": ("carom_io", c_char_p, [c_void_p, c_int]),
    "crSweepTable_GetOutput": ("carom_io", c_void_p, [c_void_p, c_int]),
    "crSweepTable_GetText": ("carom_io", c_char_p, [c_void_p, c_int, c_int]),
    "crSweepTable_GetPlan": ("carom_io", c_char_p, [c_void_p]),
    "crSweepTable_GetRow": ("carom_io", crSweepRow, [c_void_p, c_int]),
    "crSweepTable_FindRow": ("carom_io", c_int, [c_void_p, c_int64]),
    "crSweepTable_GetInputs": ("carom_io", c_void_p, [c_void_p]),
    "crSweepTable_GetOutputs": ("carom_io", c_void_p, [c_void_p]),
    "crSweepTable_ComputeSensitivity": ("carom_io", c_int, [c_void_p, c_int, c_int, c_void_p, c_void_p, c_void_p]),
    "crWriteSweepTable": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crFormatSweepCsv": ("carom_io", c_int, [c_void_p, crTextWriter]),
    "crWriteSweepCsv": ("carom_io", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crDefaultFitDef": ("carom_io", crFitDef, [c_char_p]),
    "crFitModel": ("carom_io", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDestroyFit": ("carom_io", None, [c_void_p]),
    "crFit_GetFacts": ("carom_io", crFitFacts, [c_void_p]),
    "crFit_GetEstimate": ("carom_io", crFitEstimate, [c_void_p, c_int]),
    "crFit_GetCovariance": ("carom_io", c_double, [c_void_p, c_int, c_int]),
    "crFit_GetValues": ("carom_io", c_void_p, [c_void_p, c_int]),
    "crStudentQuantile": ("carom_io", c_double, [c_double, c_int]),
    "crReadFitPlan": ("carom_io", c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "crDestroyFitPlan": ("carom_io", None, [c_void_p]),
    "crFitPlan_GetDef": ("carom_io", c_void_p, [c_void_p]),
    "crDefaultFmuOptions": ("carom_io", crFmuOptions, []),
    "crWriteFmu": ("carom_io", c_int, [c_char_p, c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "crDefaultLiveOptions": ("carom_show", crLiveOptions, []),
    "crCreateLive": ("carom_show", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDestroyLive": ("carom_show", None, [c_void_p]),
    "crLive_GetAddress": ("carom_show", c_char_p, [c_void_p]),
    "crLive_GetSink": ("carom_show", crRecordSink, [c_void_p]),
    "crLive_GetFacts": ("carom_show", crLiveFacts, [c_void_p]),
    "crDefaultPlotOptions": ("carom_show", crPlotOptions, []),
    "crPlotResult": ("carom_show", c_int, [c_void_p, c_void_p, c_int, c_void_p, c_char_p, c_void_p, c_void_p]),
    "crPlotText": ("carom_show", c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_void_p, crTextWriter]),
    "crSweepPlotKind_GetText": ("carom_show", c_char_p, [c_int]),
    "crDefaultSweepPlotOptions": ("carom_show", crSweepPlotOptions, [c_int]),
    "crPlotSweep": ("carom_show", c_int, [c_void_p, c_void_p, c_char_p, c_void_p, c_void_p]),
    "crDefaultReportOptions": ("carom_show", crReportOptions, []),
    "crWriteReport": ("carom_show", c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crWriteGlb": ("carom_show", c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "crDefaultPhotoOptions": ("carom_show", crPhotoOptions, []),
    "crWritePng": ("carom_show", c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "crWriteVideo": ("carom_show", c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "crWriteSweepPage": ("carom_show", c_int, [c_void_p, c_char_p, c_char_p, c_void_p, c_void_p]),
    "crWriteFitReport": ("carom_show", c_int, [c_void_p, c_void_p, c_char_p, c_void_p, c_void_p]),
    "crDefaultRunDef": ("carom_show", crRunDef, [c_char_p]),
    "crRunModel": ("carom_show", c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "crRunInMemory": ("carom_show", c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "crDefaultResumeOptions": ("carom_show", crResumeOptions, []),
    "crResumeRun": ("carom_show", c_int, [c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
}

# name -> (outermost struct in C, path of the member in it; "": the struct itself)
STRUCTS = {
    "crAllocator": ("crAllocator", ""),
    "crSource": ("crSource", ""),
    "crError": ("crError", ""),
    "crErrorSink": ("crErrorSink", ""),
    "crTextWriter": ("crTextWriter", ""),
    "crId": ("crId", ""),
    "crVec3": ("crVec3", ""),
    "crMat3": ("crMat3", ""),
    "crSym3": ("crSym3", ""),
    "crQuat": ("crQuat", ""),
    "crPose": ("crPose", ""),
    "crMotion": ("crMotion", ""),
    "crWrench": ("crWrench", ""),
    "crInertia": ("crInertia", ""),
    "crAabb": ("crAabb", ""),
    "crProfilePoint": ("crProfilePoint", ""),
    "crProfileDef": ("crProfileDef", ""),
    "crShapeDef_as_sphere": ("crShapeDef", "as.sphere"),
    "crShapeDef_as_ellipsoid": ("crShapeDef", "as.ellipsoid"),
    "crShapeDef_as_box": ("crShapeDef", "as.box"),
    "crShapeDef_as_cylinder": ("crShapeDef", "as.cylinder"),
    "crShapeDef_as_cone": ("crShapeDef", "as.cone"),
    "crShapeDef_as_capsule": ("crShapeDef", "as.capsule"),
    "crShapeDef_as_beam": ("crShapeDef", "as.beam"),
    "crShapeDef_as_hull": ("crShapeDef", "as.hull"),
    "crShapeDef_as_mesh": ("crShapeDef", "as.mesh"),
    "crShapeDef_as_heightField": ("crShapeDef", "as.heightField"),
    "crShapeDef_as_revolved": ("crShapeDef", "as.revolved"),
    "crShapeDef_as_extruded": ("crShapeDef", "as.extruded"),
    "crShapeDef_as_involuteGear": ("crShapeDef", "as.involuteGear"),
    "crShapeDef_as_coordinateSystem": ("crShapeDef", "as.coordinateSystem"),
    "crShapeDef_as_grid": ("crShapeDef", "as.grid"),
    "crShapeDef_as_coil": ("crShapeDef", "as.coil"),
    "crShapeDef_as_gearWheel": ("crShapeDef", "as.gearWheel"),
    "crShapeDef_as_text": ("crShapeDef", "as.text"),
    "crShapeDef_as": ("crShapeDef", "as"),
    "crShapeDef": ("crShapeDef", ""),
    "crMeshDef": ("crMeshDef", ""),
    "crMeshFacts": ("crMeshFacts", ""),
    "crPiecesDef": ("crPiecesDef", ""),
    "crPiecesFacts": ("crPiecesFacts", ""),
    "crMeshFile": ("crMeshFile", ""),
    "crGearMesh": ("crGearMesh", ""),
    "crSurface": ("crSurface", ""),
    "crCurvature": ("crCurvature", ""),
    "crDistance": ("crDistance", ""),
    "crDistanceCache": ("crDistanceCache", ""),
    "crMotionSegment": ("crMotionSegment", ""),
    "crPairFilter": ("crPairFilter", ""),
    "crBoxPair": ("crBoxPair", ""),
    "crArgument": ("crArgument", ""),
    "crNamedNumber": ("crNamedNumber", ""),
    "crFunctionSource": ("crFunctionSource", ""),
    "crFunction": ("crFunction", ""),
    "crSignalDef_as_constant": ("crSignalDef", "as.constant"),
    "crSignalDef_as_sine": ("crSignalDef", "as.sine"),
    "crSignalDef_as_ramp": ("crSignalDef", "as.ramp"),
    "crSignalDef_as_step": ("crSignalDef", "as.step"),
    "crSignalDef_as_trapezoid": ("crSignalDef", "as.trapezoid"),
    "crSignalDef_as_timeTable": ("crSignalDef", "as.timeTable"),
    "crSignalDef_as_path": ("crSignalDef", "as.path"),
    "crSignalDef_as_spline": ("crSignalDef", "as.spline"),
    "crSignalDef_as_sum": ("crSignalDef", "as.sum"),
    "crSignalDef_as_product": ("crSignalDef", "as.product"),
    "crSignalDef_as_limit": ("crSignalDef", "as.limit"),
    "crSignalDef_as_servo": ("crSignalDef", "as.servo"),
    "crSignalDef_as_dcMotor": ("crSignalDef", "as.dcMotor"),
    "crSignalDef_as_frameSensor": ("crSignalDef", "as.frameSensor"),
    "crSignalDef_as_jointSensor": ("crSignalDef", "as.jointSensor"),
    "crSignalDef_as_reactionSensor": ("crSignalDef", "as.reactionSensor"),
    "crSignalDef_as_subtreeSensor": ("crSignalDef", "as.subtreeSensor"),
    "crSignalDef_as_contactSensor": ("crSignalDef", "as.contactSensor"),
    "crSignalDef_as_distanceSensor": ("crSignalDef", "as.distanceSensor"),
    "crSignalDef_as_raySensor": ("crSignalDef", "as.raySensor"),
    "crSignalDef_as_imu": ("crSignalDef", "as.imu"),
    "crSignalDef_as_couplingSensor": ("crSignalDef", "as.couplingSensor"),
    "crSignalDef_as_input": ("crSignalDef", "as.input"),
    "crSignalDef_as_output": ("crSignalDef", "as.output"),
    "crSignalDef_as_function": ("crSignalDef", "as.function"),
    "crSignalDef_as_sampled": ("crSignalDef", "as.sampled"),
    "crSignalDef_as_pick": ("crSignalDef", "as.pick"),
    "crSignalDef_as_pid": ("crSignalDef", "as.pid"),
    "crSignalDef_as_fmu": ("crSignalDef", "as.fmu"),
    "crSignalDef_as": ("crSignalDef", "as"),
    "crSignalDef": ("crSignalDef", ""),
    "crSolverInfo": ("crSolverInfo", ""),
    "crSolverStatistics": ("crSolverStatistics", ""),
    "crSolidMaterialDef": ("crSolidMaterialDef", ""),
    "crContactMemory": ("crContactMemory", ""),
    "crContactMotion": ("crContactMotion", ""),
    "crContactForce": ("crContactForce", ""),
    "crContactPairDef": ("crContactPairDef", ""),
    "crColor": ("crColor", ""),
    "crVisualMaterialDef": ("crVisualMaterialDef", ""),
    "crSolidDef": ("crSolidDef", ""),
    "crVisualDef": ("crVisualDef", ""),
    "crMassDef": ("crMassDef", ""),
    "crLightDef": ("crLightDef", ""),
    "crCameraDef": ("crCameraDef", ""),
    "crFeatureDef_as": ("crFeatureDef", "as"),
    "crFeatureDef": ("crFeatureDef", ""),
    "crObjectDef": ("crObjectDef", ""),
    "crJointLaw": ("crJointLaw", ""),
    "crJointDef": ("crJointDef", ""),
    "crTablePoint": ("crTablePoint", ""),
    "crForceDef_as_springDamper": ("crForceDef", "as.springDamper"),
    "crForceDef_as_bushing": ("crForceDef", "as.bushing"),
    "crForceDef_as_force": ("crForceDef", "as.force"),
    "crForceDef_as_torque": ("crForceDef", "as.torque"),
    "crForceDef_as_cable": ("crForceDef", "as.cable"),
    "crForceDef_as": ("crForceDef", "as"),
    "crForceDef": ("crForceDef", ""),
    "crEngagedFriction": ("crEngagedFriction", ""),
    "crCouplingDef_as_sum": ("crCouplingDef", "as.sum"),
    "crCouplingDef_as_gearPair": ("crCouplingDef", "as.gearPair"),
    "crCouplingDef_as_rackPair": ("crCouplingDef", "as.rackPair"),
    "crCouplingDef_as_belt": ("crCouplingDef", "as.belt"),
    "crCouplingDef_as_flexible": ("crCouplingDef", "as.flexible"),
    "crCouplingDef_as_clutch": ("crCouplingDef", "as.clutch"),
    "crCouplingDef_as_brake": ("crCouplingDef", "as.brake"),
    "crCouplingDef_as_motor": ("crCouplingDef", "as.motor"),
    "crCouplingDef_as": ("crCouplingDef", "as"),
    "crCouplingDef": ("crCouplingDef", ""),
    "crExclusionDef": ("crExclusionDef", ""),
    "crActionDef": ("crActionDef", ""),
    "crParameter": ("crParameter", ""),
    "crAssemblyDef": ("crAssemblyDef", ""),
    "crGravity": ("crGravity", ""),
    "crRunOptions": ("crRunOptions", ""),
    "crSceneOptions": ("crSceneOptions", ""),
    "crSourceFile": ("crSourceFile", ""),
    "crColliderDef": ("crColliderDef", ""),
    "crCompileOptions": ("crCompileOptions", ""),
    "crModelSize": ("crModelSize", ""),
    "crModelObject": ("crModelObject", ""),
    "crBody": ("crBody", ""),
    "crTree": ("crTree", ""),
    "crModelJoint": ("crModelJoint", ""),
    "crLoop": ("crLoop", ""),
    "crModelCoupling": ("crModelCoupling", ""),
    "crCouplingTerm": ("crCouplingTerm", ""),
    "crCurvePoint": ("crCurvePoint", ""),
    "crModelForce": ("crModelForce", ""),
    "crGuide": ("crGuide", ""),
    "crContactShape": ("crContactShape", ""),
    "crContactMaterial": ("crContactMaterial", ""),
    "crContactLaw": ("crContactLaw", ""),
    "crExcludedBodies": ("crExcludedBodies", ""),
    "crExcludedShapes": ("crExcludedShapes", ""),
    "crPort": ("crPort", ""),
    "crVariable": ("crVariable", ""),
    "crColumn": ("crColumn", ""),
    "crContactKey": ("crContactKey", ""),
    "crPatchCorner": ("crPatchCorner", ""),
    "crContactBristle": ("crContactBristle", ""),
    "crCreep": ("crCreep", ""),
    "crContactRecord": ("crContactRecord", ""),
    "crResultDef": ("crResultDef", ""),
    "crRow": ("crRow", ""),
    "crRecordSink": ("crRecordSink", ""),
    "crResultEvent": ("crResultEvent", ""),
    "crResultFacts": ("crResultFacts", ""),
    "crTreeSet": ("crTreeSet", ""),
    "crLoopFacts": ("crLoopFacts", ""),
    "crEnergy": ("crEnergy", ""),
    "crPowers": ("crPowers", ""),
    "crMomentum": ("crMomentum", ""),
    "crPoints": ("crPoints", ""),
    "crReachTarget": ("crReachTarget", ""),
    "crReachOptions": ("crReachOptions", ""),
    "crReachFacts": ("crReachFacts", ""),
    "crEquilibriumOptions": ("crEquilibriumOptions", ""),
    "crStateContact": ("crStateContact", ""),
    "crState": ("crState", ""),
    "crByteWriter": ("crByteWriter", ""),
    "crCheckpointFacts": ("crCheckpointFacts", ""),
    "crLoadOptions": ("crLoadOptions", ""),
    "crSimulationOptions": ("crSimulationOptions", ""),
    "crObserver": ("crObserver", ""),
    "crMethodSteps": ("crMethodSteps", ""),
    "crSharedWork": ("crSharedWork", ""),
    "crSimulationSummary": ("crSimulationSummary", ""),
    "crRecordOptions": ("crRecordOptions", ""),
    "crResultPlace": ("crResultPlace", ""),
    "crResultFile": ("crResultFile", ""),
    "crSetting": ("crSetting", ""),
    "crReadOptions": ("crReadOptions", ""),
    "crMeshFaults": ("crMeshFaults", ""),
    "crRepairDef": ("crRepairDef", ""),
    "crSweepDef": ("crSweepDef", ""),
    "crSweepRow": ("crSweepRow", ""),
    "crSweepProgress": ("crSweepProgress", ""),
    "crSweepOptions": ("crSweepOptions", ""),
    "crSensitivity": ("crSensitivity", ""),
    "crFitParameter": ("crFitParameter", ""),
    "crFitExperiment": ("crFitExperiment", ""),
    "crFitDef": ("crFitDef", ""),
    "crFitEstimate": ("crFitEstimate", ""),
    "crFitFacts": ("crFitFacts", ""),
    "crFmuOptions": ("crFmuOptions", ""),
    "crFmuFacts": ("crFmuFacts", ""),
    "crLiveOptions": ("crLiveOptions", ""),
    "crLiveFacts": ("crLiveFacts", ""),
    "crPlotOptions": ("crPlotOptions", ""),
    "crSweepPlotOptions": ("crSweepPlotOptions", ""),
    "crReportOther": ("crReportOther", ""),
    "crReportOptions": ("crReportOptions", ""),
    "crReportFacts": ("crReportFacts", ""),
    "crPhotoOptions": ("crPhotoOptions", ""),
    "crRunPoint": ("crRunPoint", ""),
    "crRunDef": ("crRunDef", ""),
    "crRunFacts": ("crRunFacts", ""),
    "crResumeOptions": ("crResumeOptions", ""),
}
