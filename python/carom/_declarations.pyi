"""The C declarations of Carom for ctypes. Written by generate_declarations.py: do not edit.

All pointers are c_void_p but for texts; enumerations are int; a field that is a word of Python has an underscore: as_.
"""
from ctypes import Array, Structure, Union
from typing import Any, Callable, Protocol

CR_ZERO: float
CAROM_VERSION_MAJOR: int
CAROM_VERSION_MINOR: int
CAROM_VERSION_PATCH: int
CAROM_VERSION_NUMBER: int
CAROM_VERSION: bytes
CR_PI: float
CR_ROUNDING_SHARE: float
CR_MAX_ADVANCES: int
CR_NO_LIMIT: float
CR_MAX_NAME: int
CR_MAX_PATH: int
CR_ANY_MATERIAL: bytes
CR_MAX_JOINT_Q: int
CR_MAX_JOINT_V: int
CR_NO_STOP: float
CR_FRICTION_YIELD: float
CR_FRICTION_FADE: float
CR_FRICTION_RATE: float
CR_ACTION_SPEED: float
CR_BODY_INPUTS: int
CR_BODY_OUTPUTS: int
CR_BODY_MOTIONS: int
CR_HASH_TEXT: int
CR_VARIABLE_NAME: int
CR_POSE_SIZE: int
CR_PATCH_CORNERS: int
CR_MOST_BRISTLES: int
CR_INDICATORS: int
CR_MAX_THREADS: int
CR_CREEP_TEXT: int
CR_FAULT_PLACES: int
CR_MAX_SWEEP_RUNS: int
CR_SWEEP_VALUE_SIZE: int
CR_SWEEP_MESSAGE_SIZE: int
CR_MAX_FIT_PARAMETERS: int
CR_MAX_PANELS: int
CR_RUN_FOLDER_SIZE: int
CR_NEED_ALWAYS: int
ENUMS: dict[str, dict[str, int]]
FUNCTIONS: dict[str, tuple[str, Any, list[Any]]]
STRUCTS: dict[str, tuple[str, str]]
cr_ok: int
cr_retry: int
cr_cancelled: int
cr_errorModel: int
cr_errorMisuse: int
cr_errorSyntax: int
cr_errorFile: int
cr_errorMemory: int
cr_errorLimit: int
cr_failNumerics: int
cr_severityNote: int
cr_severityWarning: int
cr_severityError: int
cr_elementNone: int
cr_elementAssembly: int
cr_elementObject: int
cr_elementJoint: int
cr_elementForce: int
cr_elementSignal: int
cr_elementSolidMaterial: int
cr_elementContactPair: int
cr_elementVisualMaterial: int
cr_elementExclusion: int
cr_elementCoupling: int
cr_elementAction: int
cr_shapeNone: int
cr_shapeSphere: int
cr_shapeEllipsoid: int
cr_shapeBox: int
cr_shapeCylinder: int
cr_shapeCone: int
cr_shapeCapsule: int
cr_shapeBeam: int
cr_shapeHalfSpace: int
cr_shapeHull: int
cr_shapeMesh: int
cr_shapeHeightField: int
cr_shapeRevolved: int
cr_shapeExtruded: int
cr_shapeInvoluteGear: int
cr_shapeCoordinateSystem: int
cr_shapeGrid: int
cr_shapeCoil: int
cr_shapeGearWheel: int
cr_shapeText: int
cr_shapeKindCount: int
cr_piecesGiven: int
cr_piecesDecompose: int
cr_surfaceSmooth: int
cr_surfaceFace: int
cr_surfaceEdge: int
cr_surfaceVertex: int
cr_signalConstant: int
cr_signalSine: int
cr_signalRamp: int
cr_signalStep: int
cr_signalTrapezoid: int
cr_signalTimeTable: int
cr_signalPath: int
cr_signalSpline: int
cr_signalSum: int
cr_signalProduct: int
cr_signalLimit: int
cr_signalServo: int
cr_signalDcMotor: int
cr_signalFrameSensor: int
cr_signalJointSensor: int
cr_signalReactionSensor: int
cr_signalSubtreeSensor: int
cr_signalContactSensor: int
cr_signalDistanceSensor: int
cr_signalRaySensor: int
cr_signalImu: int
cr_signalCouplingSensor: int
cr_signalInput: int
cr_signalOutput: int
cr_signalFunction: int
cr_signalSampled: int
cr_signalPick: int
cr_signalPid: int
cr_signalFmu: int
cr_signalKindCount: int
cr_interpolationLinear: int
cr_interpolationCubic: int
cr_couplingForce: int
cr_couplingDeflection: int
cr_couplingCurrent: int
cr_distanceDistance: int
cr_distanceNormal: int
cr_rayDistance: int
cr_rayNormal: int
cr_rayObject: int
cr_imuSpecificForce: int
cr_imuAngularVelocity: int
cr_frameDistance: int
cr_framePosition: int
cr_frameVelocity: int
cr_frameAcceleration: int
cr_frameAngle: int
cr_frameAngularVelocity: int
cr_frameAngularAcceleration: int
cr_frameDistanceRate: int
cr_jointPosition: int
cr_jointRate: int
cr_jointAcceleration: int
cr_reactionForce: int
cr_reactionTorque: int
cr_subtreeEnergy: int
cr_subtreeKineticEnergy: int
cr_subtreePotentialEnergy: int
cr_subtreeMomentum: int
cr_subtreeAngularMomentum: int
cr_contactForce: int
cr_contactTorque: int
cr_contactNormalForce: int
cr_contactArea: int
cr_contactPressure: int
cr_contactDepth: int
cr_componentX: int
cr_componentY: int
cr_componentZ: int
cr_solverDefault: int
cr_solverAuto: int
cr_solverIda: int
cr_solverCvodeBdf: int
cr_solverDopri5: int
cr_solverDop853: int
cr_solverRadau5: int
cr_solverKindCount: int
cr_islandsDefault: int
cr_islandsOn: int
cr_islandsOff: int
cr_responseOfScene: int
cr_responseElastic: int
cr_responseSpringDamper: int
cr_responsePenalty: int
cr_responseImpulsive: int
cr_responseObserver: int
cr_responseUser: int
cr_responseCount: int
cr_dampingOfScene: int
cr_dampingFlores: int
cr_dampingExact: int
cr_geometryOfScene: int
cr_geometryRadius: int
cr_geometryTable: int
cr_geometryHertz: int
cr_touchOfScene: int
cr_touchByArea: int
cr_touchByPoint: int
cr_frictionOfScene: int
cr_frictionRegularized: int
cr_frictionStick: int
cr_inertiaStrict: int
cr_inertiaGiven: int
cr_inertiaBalance: int
cr_lightDirectional: int
cr_lightAmbient: int
cr_lightPoint: int
cr_lightSpot: int
cr_featureSolid: int
cr_featureVisual: int
cr_featureMass: int
cr_featureLight: int
cr_featureCamera: int
cr_featureKindCount: int
cr_mobilityRigid: int
cr_mobilityFree: int
cr_mobilityWorld: int
cr_startPose: int
cr_startRest: int
cr_jointFix: int
cr_jointRevolute: int
cr_jointPrismatic: int
cr_jointCylindrical: int
cr_jointUniversal: int
cr_jointSpherical: int
cr_jointPlanar: int
cr_jointScrew: int
cr_jointFreeMotion: int
cr_jointKindCount: int
cr_collisionByKind: int
cr_collisionAllowed: int
cr_collisionNever: int
cr_forceSpringDamper: int
cr_forceBushing: int
cr_forceForce: int
cr_forceTorque: int
cr_forceCable: int
cr_forceKindCount: int
cr_couplingSum: int
cr_couplingGearPair: int
cr_couplingRackPair: int
cr_couplingBelt: int
cr_couplingFlexible: int
cr_couplingClutch: int
cr_couplingBrake: int
cr_couplingMotor: int
cr_couplingKindCount: int
cr_actionAttach: int
cr_actionRelease: int
cr_actionDelete: int
cr_actionLock: int
cr_actionUnlock: int
cr_actionKindCount: int
cr_triggerCall: int
cr_triggerTime: int
cr_triggerSignal: int
cr_triggerContact: int
cr_crossingUp: int
cr_crossingDown: int
cr_crossingBoth: int
cr_parameterNumber: int
cr_parameterBool: int
cr_parameterString: int
cr_gravityEarth: int
cr_gravityNone: int
cr_gravityUniform: int
cr_gravityPointMass: int
cr_eventRowsDefault: int
cr_eventRowsOn: int
cr_eventRowsOff: int
cr_externalBox: int
cr_externalSphere: int
cr_externalCylinder: int
cr_externalCone: int
cr_externalBeam: int
cr_needContact: int
cr_needJoint: int
cr_needCut: int
cr_needForce: int
cr_needMass: int
cr_needVisual: int
cr_excludedByJoint: int
cr_excludedByUser: int
cr_contactBegin: int
cr_contactEnd: int
cr_contactLast: int
cr_contactNow: int
cr_modeNone: int
cr_modeSticking: int
cr_modeSliding: int
cr_modeRolling: int
cr_runComplete: int
cr_runStopped: int
cr_runFailed: int
cr_rowOutput: int
cr_rowBefore: int
cr_rowAfter: int
cr_stageTime: int
cr_stagePosition: int
cr_stageVelocity: int
cr_stageForce: int
cr_stageAcceleration: int
cr_stageReport: int
cr_fitConverged: int
cr_fitStalled: int
cr_fitRunLimit: int
cr_fmuKindsAll: int
cr_fmuModelExchange: int
cr_fmuCoSimulation: int
cr_sweepCurve: int
cr_sweepMap: int
cr_sweepHistogram: int
cr_sweepScatter: int
cr_sweepSensitivity: int
cr_sweepPlotKindCount: int

def crAllocator_reallocate(function: Callable[..., Any] | int = ...) -> Any: ...

class crAllocator(Structure):
    reallocate: Any
    context: int | None

class crSource(Structure):
    file: bytes | None
    line: int
    column: int

class crError(Structure):
    severity: int
    status: int
    source: crSource
    path: bytes | None
    message: bytes | None
    found: bytes | None
    allowed: bytes | None
    unit: bytes | None
    hint: bytes | None

def crErrorSink_report(function: Callable[..., Any] | int = ...) -> Any: ...

class crErrorSink(Structure):
    report: Any
    context: int | None

def crTextWriter_write(function: Callable[..., Any] | int = ...) -> Any: ...

class crTextWriter(Structure):
    write: Any
    context: int | None

class crId(Structure):
    index1: int
    kind: int
    tag: int

class crVec3(Structure):
    x: float
    y: float
    z: float

class crMat3(Structure):
    cx: crVec3
    cy: crVec3
    cz: crVec3

class crSym3(Structure):
    xx: float
    yy: float
    zz: float
    xy: float
    xz: float
    yz: float

class crQuat(Structure):
    w: float
    x: float
    y: float
    z: float

class crPose(Structure):
    R: crMat3
    p: crVec3

class crMotion(Structure):
    w: crVec3
    v: crVec3

class crWrench(Structure):
    t: crVec3
    f: crVec3

class crInertia(Structure):
    mass: float
    com: crVec3
    I_com: crSym3

class crAabb(Structure):
    min: crVec3
    max: crVec3

class crProfilePoint(Structure):
    x: float
    y: float
    arc: float
    hasThrough: bool
    throughX: float
    throughY: float
    involute: float
    isSpline: bool
    hasTangent: bool
    tangentX: float
    tangentY: float

class crProfileDef(Structure):
    points: int | None
    pointCount: int
    isOpen: bool
    isTurnedOut: bool
    error: float

class crShapeDef_as_sphere(Structure):
    radius: float

class crShapeDef_as_ellipsoid(Structure):
    radii: crVec3

class crShapeDef_as_box(Structure):
    size: crVec3

class crShapeDef_as_cylinder(Structure):
    radius: float
    length: float
    boreRadius: float

class crShapeDef_as_cone(Structure):
    radius: float
    topRadius: float
    length: float

class crShapeDef_as_capsule(Structure):
    radius: float
    length: float

class crShapeDef_as_beam(Structure):
    length: float
    width: float
    height: float

class crShapeDef_as_hull(Structure):
    points: int | None
    pointCount: int

class crShapeDef_as_mesh(Structure):
    mesh: int | None
    file: bytes | None
    scale: crVec3
    pieces: int
    error: float
    made: int | None

class crShapeDef_as_heightField(Structure):
    heights: int | None
    rowCount: int
    columnCount: int
    width: float
    length: float
    depth: float
    height: float
    refine: int
    isFaceted: bool

class crShapeDef_as_revolved(Structure):
    profile: crProfileDef

class crShapeDef_as_extruded(Structure):
    profile: crProfileDef
    length: float

class crShapeDef_as_involuteGear(Structure):
    teeth: int
    module: float
    length: float
    pressureAngle: float
    shift: float
    backlash: float
    tipRelief: float

class crShapeDef_as_coordinateSystem(Structure):
    length: float

class crShapeDef_as_grid(Structure):
    width: float
    length: float
    spacing: float

class crShapeDef_as_coil(Structure):
    radius: float
    length: float
    wireRadius: float
    windings: int

class crShapeDef_as_gearWheel(Structure):
    radius: float
    boreRadius: float
    length: float
    teeth: int

class crShapeDef_as_text(Structure):
    string: bytes | None
    height: float

class crShapeDef_as(Union):
    sphere: crShapeDef_as_sphere
    ellipsoid: crShapeDef_as_ellipsoid
    box: crShapeDef_as_box
    cylinder: crShapeDef_as_cylinder
    cone: crShapeDef_as_cone
    capsule: crShapeDef_as_capsule
    beam: crShapeDef_as_beam
    hull: crShapeDef_as_hull
    mesh: crShapeDef_as_mesh
    heightField: crShapeDef_as_heightField
    revolved: crShapeDef_as_revolved
    extruded: crShapeDef_as_extruded
    involuteGear: crShapeDef_as_involuteGear
    coordinateSystem: crShapeDef_as_coordinateSystem
    grid: crShapeDef_as_grid
    coil: crShapeDef_as_coil
    gearWheel: crShapeDef_as_gearWheel
    text: crShapeDef_as_text

class crShapeDef(Structure):
    size: int
    kind: int
    axis: crVec3
    rounding: float
    inflate: float
    isHollow: bool
    pieceError: float
    as_: crShapeDef_as

class crMeshDef(Structure):
    size: int
    points: int | None
    pointCount: int
    triangles: int | None
    triangleCount: int
    pieceStarts: int | None
    pieceCount: int

class crMeshFacts(Structure):
    pointCount: int
    triangleCount: int
    pieceCount: int
    bounds: crAabb
    volume: float
    openEdgeCount: int
    isClosed: bool

def crPiecesDef_goesOn(function: Callable[..., Any] | int = ...) -> Any: ...

class crPiecesDef(Structure):
    size: int
    error: float
    volumeError: float
    limit: int
    work: float
    goesOn: Any
    context: int | None

class crPiecesFacts(Structure):
    pieceCount: int
    distance: float
    volumeRatio: float
    isWithin: bool
    isSpent: bool

class crMeshFile(Structure):
    file: bytes | None
    scale: crVec3
    mesh: int | None

class crGearMesh(Structure):
    baseA: float
    baseB: float
    tipA: float
    tipB: float
    centre: float
    angle: float
    pitch: float
    approach: float
    recess: float
    stiffness: float
    relief: float
    reliefLength: float

class crSurface(Structure):
    kind: int
    id: int

class crCurvature(Structure):
    k1: float
    k2: float
    direction1: crVec3
    isKnown: bool

class crDistance(Structure):
    distance: float
    normal: crVec3
    pointA: crVec3
    pointB: crVec3
    lowerBound: float
    upperBound: float
    iterations: int
    isConverged: bool
    isGlobal: bool
    surfaceA: crSurface
    surfaceB: crSurface
    curvatureA: crCurvature
    curvatureB: crCurvature

class crDistanceCache(Structure):
    direction: Array[Any]
    supportA: int
    supportB: int
    isFilled: int

class crMotionSegment(Structure):
    pose: crPose
    velocity: crVec3
    acceleration: float
    spin: float

def crPairFilter_canMeet(function: Callable[..., Any] | int = ...) -> Any: ...

class crPairFilter(Structure):
    canMeet: Any
    context: int | None

class crBoxPair(Structure):
    a: int
    b: int

def crBoxVisitor(function: Callable[..., Any] | int = ...) -> Any: ...

class crArgument(Structure):
    name: bytes | None
    signal: bytes | None

class crNamedNumber(Structure):
    name: bytes | None
    value: float

class crFunctionSource(Structure):
    path: bytes | None
    source: crSource
    code: bytes | None
    file: bytes | None
    arguments: int | None
    argumentCount: int
    constants: int | None
    constantCount: int
    states: int | None
    stateCount: int
    period: float

def crFunction_call(function: Callable[..., Any] | int = ...) -> Any: ...

def crFunction_create(function: Callable[..., Any] | int = ...) -> Any: ...

def crFunction_destroy(function: Callable[..., Any] | int = ...) -> Any: ...

def crFunction_explain(function: Callable[..., Any] | int = ...) -> Any: ...

def crFunction_start(function: Callable[..., Any] | int = ...) -> Any: ...

def crFunction_countMemory(function: Callable[..., Any] | int = ...) -> Any: ...

def crFunction_getMemory(function: Callable[..., Any] | int = ...) -> Any: ...

def crFunction_setMemory(function: Callable[..., Any] | int = ...) -> Any: ...

class crFunction(Structure):
    call: Any
    context: int | None
    create: Any
    destroy: Any
    explain: Any
    start: Any
    countMemory: Any
    getMemory: Any
    setMemory: Any

class crSignalDef_as_constant(Structure):
    value: float

class crSignalDef_as_sine(Structure):
    amplitude: float
    frequency: float
    phase: float
    offset: float

class crSignalDef_as_ramp(Structure):
    height: float
    duration: float
    start: float
    offset: float

class crSignalDef_as_step(Structure):
    height: float
    start: float
    offset: float

class crSignalDef_as_trapezoid(Structure):
    height: float
    rise: float
    hold: float
    fall: float
    start: float
    offset: float

class crSignalDef_as_timeTable(Structure):
    times: int | None
    timeCount: int
    values: int | None
    valueCount: int
    interpolation: int

class crSignalDef_as_path(Structure):
    values: int | None
    valueCount: int
    maxVelocity: float
    maxAcceleration: float
    maxJerk: float
    start: float
    sync: int | None
    syncCount: int

class crSignalDef_as_spline(Structure):
    input: bytes | None
    points: int | None
    pointCount: int
    values: int | None
    valueCount: int

class crSignalDef_as_sum(Structure):
    inputs: int | None
    inputCount: int
    factors: int | None
    factorCount: int

class crSignalDef_as_product(Structure):
    inputs: int | None
    inputCount: int

class crSignalDef_as_limit(Structure):
    input: bytes | None
    min: float
    max: float

class crSignalDef_as_servo(Structure):
    input: bytes | None
    joint: bytes | None
    positionGain: float
    velocityGain: float
    integralTime: float

class crSignalDef_as_dcMotor(Structure):
    input: bytes | None
    joint: bytes | None
    resistance: float
    inductance: float
    torqueConstant: float

class crSignalDef_as_frameSensor(Structure):
    objectA: bytes | None
    objectB: bytes | None
    quantity: int
    component: int
    frame: bytes | None

class crSignalDef_as_jointSensor(Structure):
    joint: bytes | None
    quantity: int
    degree: int

class crSignalDef_as_reactionSensor(Structure):
    joint: bytes | None
    quantity: int
    component: int
    frame: bytes | None

class crSignalDef_as_subtreeSensor(Structure):
    object: bytes | None
    quantity: int
    component: int
    frame: bytes | None

class crSignalDef_as_contactSensor(Structure):
    object: bytes | None
    other: bytes | None
    quantity: int
    component: int
    frame: bytes | None

class crSignalDef_as_distanceSensor(Structure):
    objectA: bytes | None
    objectB: bytes | None
    quantity: int
    component: int
    frame: bytes | None

class crSignalDef_as_raySensor(Structure):
    object: bytes | None
    other: bytes | None
    direction: crVec3
    range: float
    quantity: int
    component: int
    frame: bytes | None

class crSignalDef_as_imu(Structure):
    object: bytes | None
    quantity: int
    component: int

class crSignalDef_as_couplingSensor(Structure):
    coupling: bytes | None
    quantity: int

class crSignalDef_as_input(Structure):
    start: float
    unit: bytes | None
    nominal: float

class crSignalDef_as_output(Structure):
    signal: bytes | None
    unit: bytes | None

class crSignalDef_as_function(Structure):
    code: bytes | None
    function: crFunction
    arguments: int | None
    argumentCount: int
    constants: int | None
    constantCount: int

class crSignalDef_as_sampled(Structure):
    code: bytes | None
    function: crFunction
    arguments: int | None
    argumentCount: int
    constants: int | None
    constantCount: int
    states: int | None
    stateCount: int
    period: float
    start: float
    value: float

class crSignalDef_as_pick(Structure):
    signal: bytes | None
    state: bytes | None
    unit: bytes | None

class crSignalDef_as_pid(Structure):
    input: bytes | None
    reference: bytes | None
    period: float
    gain: float
    integralGain: float
    derivativeGain: float
    filterTime: float
    min: float
    max: float
    start: float
    value: float

class crSignalDef_as_fmu(Structure):
    file: bytes | None
    path: bytes | None
    hash: bytes | None
    function: crFunction
    arguments: int | None
    argumentCount: int
    constants: int | None
    constantCount: int
    outputs: int | None
    outputCount: int
    period: float
    start: float
    value: float

class crSignalDef_as(Union):
    constant: crSignalDef_as_constant
    sine: crSignalDef_as_sine
    ramp: crSignalDef_as_ramp
    step: crSignalDef_as_step
    trapezoid: crSignalDef_as_trapezoid
    timeTable: crSignalDef_as_timeTable
    path: crSignalDef_as_path
    spline: crSignalDef_as_spline
    sum: crSignalDef_as_sum
    product: crSignalDef_as_product
    limit: crSignalDef_as_limit
    servo: crSignalDef_as_servo
    dcMotor: crSignalDef_as_dcMotor
    frameSensor: crSignalDef_as_frameSensor
    jointSensor: crSignalDef_as_jointSensor
    reactionSensor: crSignalDef_as_reactionSensor
    subtreeSensor: crSignalDef_as_subtreeSensor
    contactSensor: crSignalDef_as_contactSensor
    distanceSensor: crSignalDef_as_distanceSensor
    raySensor: crSignalDef_as_raySensor
    imu: crSignalDef_as_imu
    couplingSensor: crSignalDef_as_couplingSensor
    input: crSignalDef_as_input
    output: crSignalDef_as_output
    function: crSignalDef_as_function
    sampled: crSignalDef_as_sampled
    pick: crSignalDef_as_pick
    pid: crSignalDef_as_pid
    fmu: crSignalDef_as_fmu

class crSignalDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    kind: int
    as_: crSignalDef_as

class crSolverInfo(Structure):
    name: bytes | None
    about: bytes | None
    isAvailable: bool
    isImplicit: bool
    usesResidual: bool
    order: int

class crSolverStatistics(Structure):
    steps: int
    rejectedSteps: int
    evaluations: int
    jacobians: int
    factorizations: int
    restarts: int

class crSolidMaterialDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    density: float
    E: float
    nu: float

class crContactMemory(Structure):
    approach: float
    cor: float
    damping: float
    stiffness: float
    exponent: float
    radius: float
    lever: float

class crContactMotion(Structure):
    depth: float
    rate: float
    normal: crVec3
    slip: crVec3
    turn: crVec3

class crContactForce(Structure):
    force: crVec3
    torque: crVec3
    normalForce: float
    elastic: float
    dissipation: float

def crContactFunction(function: Callable[..., Any] | int = ...) -> Any: ...

class crContactPairDef(Structure):
    size: int
    materialA: bytes | None
    materialB: bytes | None
    source: crSource
    cor: float
    muK: float
    muR: float
    response: int
    formula: int
    touch: int
    geometry: int
    friction: int
    muS: float
    slipFade: float
    tangentialRatio: float
    tangentialDamping: float
    kRed: float
    vMin: float
    wMin: float
    hysteresis: float
    stiffness: float
    damping: float
    function: Any
    context: int | None

class crColor(Structure):
    r: float
    g: float
    b: float
    a: float

class crVisualMaterialDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    color: crColor
    wireframe: bool
    transparency: float
    shininess: float
    isShadowless: bool

class crSolidDef(Structure):
    shape: crShapeDef
    material: bytes | None
    mass: float
    contact: bytes | None
    visual: bytes | None
    group: int
    ignored: int
    contactRadius: float
    surfaceVelocity: crVec3

class crVisualDef(Structure):
    shape: crShapeDef
    visual: bytes | None

class crMassDef(Structure):
    mass: float
    com: crVec3
    inertia: crSym3
    policy: int

class crLightDef(Structure):
    kind: int
    color: crColor
    intensity: float
    isShadowless: bool

class crCameraDef(Structure):
    fieldOfView: float

class crFeatureDef_as(Union):
    solid: crSolidDef
    visual: crVisualDef
    mass: crMassDef
    light: crLightDef
    camera: crCameraDef

class crFeatureDef(Structure):
    size: int
    kind: int
    as_: crFeatureDef_as

class crObjectDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    parent: bytes | None
    mobility: int
    position: crVec3
    rotation: crQuat
    velocity: crVec3
    angularVelocity: crVec3
    start: int
    neverCollides: bool
    features: int | None
    featureCount: int

class crJointLaw(Structure):
    damping: Array[Any]
    stiffness: Array[Any]
    rest: Array[Any]
    friction: Array[Any]
    frictionRate: Array[Any]
    frictionStatic: Array[Any]
    frictionStiffness: Array[Any]
    frictionFade: Array[Any]
    stopMin: Array[Any]
    stopMax: Array[Any]
    stopStiffness: Array[Any]
    stopDamping: Array[Any]
    rotorInertia: Array[Any]
    gearRatio: Array[Any]
    frictionLaw: int
    reserved: int

class crJointDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    kind: int
    objectA: bytes | None
    objectB: bytes | None
    axis: crVec3
    axis2: crVec3
    pitch: float
    start: Array[Any]
    startRate: Array[Any]
    fixed: Array[Any]
    nominal: Array[Any]
    collision: int
    law: crJointLaw
    drive: bytes | None
    motion: bytes | None

class crTablePoint(Structure):
    x: float
    y: float

class crForceDef_as_springDamper(Structure):
    stiffness: float
    damping: float
    length: float
    table: int | None
    tableCount: int
    tension: bytes | None

class crForceDef_as_bushing(Structure):
    stiffness: crVec3
    damping: crVec3
    angularStiffness: crVec3
    angularDamping: crVec3
    preload: crVec3

class crForceDef_as_force(Structure):
    vector: crVec3
    frame: bytes | None
    factor: bytes | None

class crForceDef_as_torque(Structure):
    vector: crVec3
    frame: bytes | None
    factor: bytes | None

class crForceDef_as_cable(Structure):
    through: int | None
    throughCount: int
    radii: int | None
    radiusCount: int
    length: float
    stiffness: float
    damping: float
    drum: bytes | None
    drumRadius: float

class crForceDef_as(Union):
    springDamper: crForceDef_as_springDamper
    bushing: crForceDef_as_bushing
    force: crForceDef_as_force
    torque: crForceDef_as_torque
    cable: crForceDef_as_cable

class crForceDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    kind: int
    objectA: bytes | None
    objectB: bytes | None
    as_: crForceDef_as

class crEngagedFriction(Structure):
    engagement: bytes | None
    friction: float
    frictionStatic: float
    frictionStiffness: float
    frictionFade: float

class crCouplingDef_as_sum(Structure):
    joints: int | None
    jointCount: int

class crCouplingDef_as_gearPair(Structure):
    jointA: bytes | None
    jointB: bytes | None
    carrier: bytes | None
    ratio: float
    teethA: float
    teethB: float
    isInternal: bool
    module: float
    pressureAngle: float
    shiftA: float
    shiftB: float
    faceWidth: float
    E: float
    tipRelief: float

class crCouplingDef_as_rackPair(Structure):
    pinion: bytes | None
    rack: bytes | None
    radius: float

class crCouplingDef_as_belt(Structure):
    jointA: bytes | None
    jointB: bytes | None
    radiusA: float
    radiusB: float
    isCrossed: bool

class crCouplingDef_as_flexible(Structure):
    jointA: bytes | None
    jointB: bytes | None

class crCouplingDef_as_clutch(Structure):
    jointA: bytes | None
    jointB: bytes | None
    law: crEngagedFriction

class crCouplingDef_as_brake(Structure):
    joint: bytes | None
    law: crEngagedFriction

class crCouplingDef_as_motor(Structure):
    joint: bytes | None
    voltage: bytes | None
    resistance: float
    inductance: float
    torqueConstant: float

class crCouplingDef_as(Union):
    sum: crCouplingDef_as_sum
    gearPair: crCouplingDef_as_gearPair
    rackPair: crCouplingDef_as_rackPair
    belt: crCouplingDef_as_belt
    flexible: crCouplingDef_as_flexible
    clutch: crCouplingDef_as_clutch
    brake: crCouplingDef_as_brake
    motor: crCouplingDef_as_motor

class crCouplingDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    kind: int
    offset: float
    stiffness: float
    damping: float
    backlash: float
    efficiency: float
    efficiencyBack: float
    as_: crCouplingDef_as

class crExclusionDef(Structure):
    size: int
    objectA: bytes | None
    objectB: bytes | None
    source: crSource

class crActionDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    attach: bytes | None
    release: bytes | None
    remove: bytes | None
    lock: bytes | None
    unlock: bytes | None
    to: bytes | None
    maxSpeed: float
    time: float
    period: float
    signal: bytes | None
    level: float
    direction: int
    contact: int | None
    contactCount: int
    duration: float

class crParameter(Structure):
    name: bytes | None
    kind: int
    number: float
    string: bytes | None
    min: float
    max: float
    unit: bytes | None
    label: bytes | None

class crAssemblyDef(Structure):
    size: int
    name: bytes | None
    source: crSource
    parameters: int | None
    parameterCount: int

class crGravity(Structure):
    kind: int
    acceleration: crVec3
    centre: crVec3
    mu: float

class crRunOptions(Structure):
    startTime: float
    stopTime: float
    interval: float
    tolerance: float
    maxStep: float
    solver: int
    islands: int
    eventRows: int
    record: int | None
    recordCount: int

class crSceneOptions(Structure):
    size: int
    source: crSource
    gravity: crGravity
    ignoresContacts: bool
    run: crRunOptions
    response: int
    formula: int
    touch: int
    geometry: int
    friction: int
    kRed: float
    vMin: float
    wMin: float
    hysteresis: float

class crSourceFile(Structure):
    file: bytes | None
    text: bytes | None
    size: int

class crColliderDef(Structure):
    size: int
    stiffness: float
    beginsAtOrigin: bool
    E: float
    nu: float
    cor: float
    muK: float
    muR: float
    kRed: float
    vMin: float
    wMin: float
    hysteresis: float
    formula: int
    gravity: float

def crCompileOptions_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

class crCompileOptions(Structure):
    size: int
    shouldStop: Any
    context: int | None

class crModelSize(Structure):
    objectCount: int
    bodyCount: int
    treeCount: int
    jointCount: int
    cutJointCount: int
    forceCount: int
    couplingCount: int
    signalCount: int
    shapeCount: int
    qCount: int
    vCount: int
    stateCount: int
    variableCount: int
    reserved: int
    pairCount: int
    excludedPairCount: int

class crModelObject(Structure):
    sceneIndex: int
    body: int
    needs: int
    number: int
    X_BO: crPose

class crBody(Structure):
    parent: int
    joint: int
    tree: int
    depth: int
    objectStart: int
    objectCount: int
    inertia: crInertia
    X_WB_start: crPose

class crTree(Structure):
    bodyStart: int
    bodyCount: int
    qStart: int
    qCount: int
    vStart: int
    vCount: int
    auxStart: int
    auxCount: int

class crModelJoint(Structure):
    sceneIndex: int
    kind: int
    isImplicit: bool
    isCut: bool
    startsAtRest: bool
    isReversed: bool
    canCollide: bool
    reserved: bool
    fixed: Array[Any]
    objectA: int
    objectB: int
    bodyA: int
    bodyB: int
    qStart: int
    vStart: int
    law: int
    drive: int
    motion: int
    X_BA: crPose
    X_BB: crPose
    axis: crVec3
    axis2: crVec3
    pitch: float
    start: Array[Any]
    startRate: Array[Any]
    nominal: Array[Any]

class crLoop(Structure):
    cutJoint: int
    bodyStart: int
    bodyCount: int

class crModelCoupling(Structure):
    sceneIndex: int
    kind: int
    termStart: int
    termCount: int
    offset: float
    stiffness: float
    damping: float
    backlash: float
    efficiency: float
    efficiencyBack: float
    signal: int
    state: int
    friction: float
    frictionStatic: float
    frictionStiffness: float
    frictionFade: float
    resistance: float
    inductance: float
    torqueConstant: float
    mesh: crGearMesh

class crCouplingTerm(Structure):
    joint: int
    isOnCarrier: int
    factor: float

class crCurvePoint(Structure):
    x: float
    y: float
    slope: float
    integral: float

class crModelForce(Structure):
    sceneIndex: int
    kind: int
    objectA: int
    objectB: int
    frame: int
    signal: int
    curveStart: int
    curveCount: int
    stiffness: float
    damping: float
    length: float
    linearStiffness: crVec3
    linearDamping: crVec3
    angularStiffness: crVec3
    angularDamping: crVec3
    preload: crVec3
    vector: crVec3
    guideStart: int
    guideCount: int
    cable: int
    drum: int
    drumRadius: float

class crGuide(Structure):
    object: int
    body: int
    radius: float
    p_L: crVec3
    R_LG: crMat3

class crContactShape(Structure):
    object: int
    body: int
    feature: int
    piece: int
    material: int
    group: int
    mask: int
    compound: int
    X_BS: crPose
    contactRadius: float
    surfaceVelocity: crVec3

class crContactMaterial(Structure):
    E: float
    nu: float

class crContactLaw(Structure):
    cor: float
    muK: float
    muR: float
    response: int
    formula: int
    geometry: int
    touch: int
    friction: int
    sticks: int
    muS: float
    slipFade: float
    tangentialRatio: float
    tangentialDamping: float
    elasticity: float
    kRed: float
    vMin: float
    wMin: float
    hysteresis: float
    stiffness: float
    damping: float
    function: Any
    context: int | None

class crExcludedBodies(Structure):
    bodyA: int
    bodyB: int
    reason: int
    joint: int

class crExcludedShapes(Structure):
    shapeA: int
    shapeB: int
    joint: int
    reserved: int

class crPort(Structure):
    path: bytes | None
    unit: bytes | None
    start: float
    nominal: float

class crVariable(Structure):
    path: bytes | None
    quantity: bytes | None
    unit: bytes | None
    description: bytes | None
    state: int
    reserved: int

class crColumn(Structure):
    name: bytes | None
    unit: bytes | None
    description: bytes | None

class crContactKey(Structure):
    bodyA: int
    bodyB: int
    shapeA: int
    shapeB: int

class crPatchCorner(Structure):
    point: crVec3
    pressure: float

class crContactBristle(Structure):
    count: int
    isPatch: bool
    stiffness: float
    damping: float
    rollStiffness: float
    rollDamping: float
    ratio: float
    axis: crVec3
    normal: crVec3
    x: Array[Any]

class crCreep(Structure):
    path: float
    time: float
    share: float
    depth: float

class crContactRecord(Structure):
    key: crContactKey
    objectA: int
    objectB: int
    phase: int
    observer: int
    row: int
    cornerCount: int
    mode: int
    time: float
    begin: float
    end: float
    point: crVec3
    normal: crVec3
    depth: float
    depthRate: float
    slip: float
    approach: float
    separation: float
    restitution: float
    cor: float
    damping: float
    radius: float
    maxDepth: float
    maxForce: float
    impulse: float
    dissipation: float
    slipPath: float
    creep: crCreep
    force: crVec3
    torque: crVec3
    normalForce: float
    elastic: float
    power: float
    coneShare: float
    area: float
    meanPressure: float
    maxPressure: float
    corners: int | None

class crResultDef(Structure):
    size: int
    path: bytes | None
    columns: int | None
    columnCount: int
    modelName: bytes | None
    sceneJson: bytes | None
    expectedRows: int
    sourceText: bytes | None
    bodies: int | None
    bodyCount: int
    objects: int | None
    objectCount: int
    meshes: int | None
    meshCount: int
    hasEventRows: bool

class crRow(Structure):
    time: float
    kind: int
    values: int | None
    poses: int | None

def crRecordSink_begin(function: Callable[..., Any] | int = ...) -> Any: ...

def crRecordSink_addRow(function: Callable[..., Any] | int = ...) -> Any: ...

def crRecordSink_addSample(function: Callable[..., Any] | int = ...) -> Any: ...

def crRecordSink_addContact(function: Callable[..., Any] | int = ...) -> Any: ...

def crRecordSink_addEvent(function: Callable[..., Any] | int = ...) -> Any: ...

def crRecordSink_end(function: Callable[..., Any] | int = ...) -> Any: ...

class crRecordSink(Structure):
    context: int | None
    begin: Any
    addRow: Any
    addSample: Any
    addContact: Any
    addEvent: Any
    end: Any

class crResultEvent(Structure):
    time: float
    kind: bytes | None
    text: bytes | None

class crResultFacts(Structure):
    version: bytes | None
    modelName: bytes | None
    exitReason: bytes | None
    isComplete: bool
    sceneJson: bytes | None
    runJson: bytes | None
    sourceText: bytes | None

class crTreeSet(Structure):
    trees: int | None
    treeCount: int
    contacts: int | None

class crLoopFacts(Structure):
    freedom: int
    gruebler: int
    redundantCount: int

class crEnergy(Structure):
    kinetic: float
    potential: float
    elastic: float

class crPowers(Structure):
    work: float
    dissipation: float

class crMomentum(Structure):
    linear: crVec3
    angular: crVec3

class crPoints(Structure):
    count: int
    times: int | None
    states: int | None

class crReachTarget(Structure):
    size: int
    object: int
    X_WO: crPose
    point: crVec3
    ignoresPosition: bool
    ignoresOrientation: bool

def crReachOptions_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

class crReachOptions(Structure):
    size: int
    tolerance: float
    length: float
    maxSteps: int
    maxAttempts: int
    ignoresStops: bool
    lower: int | None
    upper: int | None
    shouldStop: Any
    context: int | None

class crReachFacts(Structure):
    distance: float
    angle: float
    gap: float
    attemptCount: int
    stepCount: int

def crEquilibriumOptions_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

class crEquilibriumOptions(Structure):
    size: int
    shouldStop: Any
    context: int | None

class crStateContact(Structure):
    objectA: bytes | None
    objectB: bytes | None
    featureA: int
    featureB: int
    pieceA: int
    pieceB: int
    memory: crContactMemory
    begin: float
    approach: float
    isSettled: bool
    maxDepth: float
    maxForce: float
    impulse: float
    dissipation: float
    slipPath: float
    bristle: crContactBristle

class crState(Structure):
    time: float
    states: int | None
    inputs: int | None
    discrete: int | None
    turns: int | None
    contacts: int | None
    stateCount: int
    inputCount: int
    discreteCount: int
    turnCount: int
    contactCount: int
    dissipated: float
    work: float

def crByteWriter_write(function: Callable[..., Any] | int = ...) -> Any: ...

class crByteWriter(Structure):
    write: Any
    context: int | None

class crCheckpointFacts(Structure):
    build: bytes | None
    model: bytes | None
    time: float
    outputCount: int
    note: int | None
    noteSize: int

class crLoadOptions(Structure):
    size: int
    threads: int
    stopTime: float

class crSimulationOptions(Structure):
    size: int
    startTime: float
    stopTime: float
    interval: float
    tolerance: float
    absoluteTolerance: float
    maxStep: float
    solver: int
    islands: int
    eventRows: int
    ignoresContacts: bool
    threads: int
    inputs: int | None
    start: int | None

def crObserver_atOutput(function: Callable[..., Any] | int = ...) -> Any: ...

def crObserver_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

def crObserver_atContact(function: Callable[..., Any] | int = ...) -> Any: ...

def crObserver_atEvent(function: Callable[..., Any] | int = ...) -> Any: ...

def crObserver_atAction(function: Callable[..., Any] | int = ...) -> Any: ...

class crObserver(Structure):
    context: int | None
    atOutput: Any
    shouldStop: Any
    atContact: Any
    atEvent: Any
    atAction: Any

class crMethodSteps(Structure):
    dopri5: int
    dop853: int
    radau5: int
    rkc2: int

class crSharedWork(Structure):
    works: int
    helped: int
    alone: int

class crSimulationSummary(Structure):
    tolerance: float
    solver: int
    methodSteps: crMethodSteps
    solverStatistics: crSolverStatistics
    time: float
    outputCount: int
    eventCount: int
    contactCount: int
    islandReason: bytes | None
    islandCount: int
    mergeCount: int
    splitCount: int
    distanceCount: int
    searchedSteps: int
    startEnergy: crEnergy
    endEnergy: crEnergy
    dissipated: float
    work: float
    removed: float
    actionCount: int
    creep: crCreep
    creepA: int
    creepB: int
    creepSpeed: float
    sharedWork: crSharedWork
    cpuSeconds: float
    wallSeconds: float
    startSeconds: float

def crRecordOptions_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

def crRecordOptions_atOutput(function: Callable[..., Any] | int = ...) -> Any: ...

def crRecordOptions_describe(function: Callable[..., Any] | int = ...) -> Any: ...

class crRecordOptions(Structure):
    size: int
    patterns: int | None
    patternCount: int
    modelName: bytes | None
    sceneJson: bytes | None
    sourceText: bytes | None
    meshes: int | None
    meshCount: int
    context: int | None
    shouldStop: Any
    atOutput: Any
    describe: Any

class crResultPlace(Structure):
    rowCount: int
    eventCount: int
    contactCount: int
    sampleCount: int
    cornerCount: int
    time: float

class crResultFile(Structure):
    path: bytes | None
    place: int | None
    allocator: int | None
    sink: int | None
    writer: int | None
    columnCount: int
    rowCount: int

class crSetting(Structure):
    name: bytes | None
    value: bytes | None

class crReadOptions(Structure):
    size: int
    settings: int | None
    settingCount: int
    instructionLimit: int
    memoryLimit: int
    fileLimit: int
    meshes: int | None
    meshCount: int
    allowedPath: bytes | None
    sources: int | None
    sourceCount: int
    skipsFmus: bool

class crMeshFaults(Structure):
    shellCount: int
    openEdgeCount: int
    crowdedEdgeCount: int
    duplicateCount: int
    turnedCount: int
    insideOutCount: int
    weldedCount: int
    holeCount: int
    placeCount: int
    places: Array[Any]

class crRepairDef(Structure):
    size: int
    weld: float
    fill: float

class crSweepDef(Structure):
    size: int
    model: bytes | None
    vary: int | None
    varyCount: int
    settings: int | None
    settingCount: int
    output: int | None
    outputCount: int
    runs: int
    seed: int
    design: bytes | None
    options: crSimulationOptions

class crSweepRow(Structure):
    run: int
    status: int
    warnings: int
    cpuSeconds: float
    inputs: int | None
    outputs: int | None
    message: bytes | None

class crSweepProgress(Structure):
    runs: int
    done: int
    failed: int
    ran: int
    ranFailed: int
    wallSeconds: float

def crSweepOptions_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

def crSweepOptions_tell(function: Callable[..., Any] | int = ...) -> Any: ...

def crSweepOptions_takeBlock(function: Callable[..., Any] | int = ...) -> Any: ...

class crSweepOptions(Structure):
    size: int
    threads: int
    retriesFailed: bool
    task: int
    taskCount: int
    context: int | None
    shouldStop: Any
    tell: Any
    takeBlock: Any
    tellSeconds: float

class crSensitivity(Structure):
    first: float
    firstError: float
    total: float
    totalError: float

class crFitParameter(Structure):
    name: bytes | None
    lower: float
    upper: float
    hasStart: bool
    start: float
    scale: float

class crFitExperiment(Structure):
    name: bytes | None
    settings: int | None
    settingCount: int
    variables: int | None
    variableCount: int
    deviations: int | None
    times: int | None
    values: int | None
    rowCount: int

def crFitDef_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

class crFitDef(Structure):
    size: int
    model: bytes | None
    settings: int | None
    settingCount: int
    parameters: int | None
    parameterCount: int
    experiments: int | None
    experimentCount: int
    goal: bytes | None
    isLargest: bool
    method: bytes | None
    maxRuns: int
    seed: int
    threads: int
    options: crSimulationOptions
    context: int | None
    shouldStop: Any

class crFitEstimate(Structure):
    name: bytes | None
    value: float
    error: float
    low: float
    high: float
    isAtBound: bool

class crFitFacts(Structure):
    end: int
    parameterCount: int
    experimentCount: int
    residualCount: int
    sum: float
    deviation: float
    iterations: int
    runs: int

class crFmuOptions(Structure):
    size: int
    version: int
    kinds: int
    isLocked: bool
    settings: int | None
    settingCount: int
    binary: int | None
    binarySize: int
    license: bytes | None

class crFmuFacts(Structure):
    kinds: int
    parameterCount: int
    inputCount: int
    outputCount: int
    stateCount: int
    variableCount: int
    byteCount: int

class crLiveOptions(Structure):
    size: int
    port: int
    dataLimit: int
    patience: float

class crLiveFacts(Structure):
    visits: int
    refusals: int
    rowCount: int
    isCut: bool
    watchers: int
    isShown: bool

class crPlotOptions(Structure):
    size: int
    title: bytes | None
    from_: float
    to: float
    hasEventMarks: bool
    width: float
    height: float
    resolution: float
    characters: int
    lines: int
    isColored: bool

class crSweepPlotOptions(Structure):
    size: int
    kind: int
    names: int | None
    nameCount: int
    title: bytes | None
    width: float
    height: float
    resolution: float

class crReportOther(Structure):
    result: int | None
    name: bytes | None

class crReportOptions(Structure):
    size: int
    title: bytes | None
    dataLimit: int
    maxContacts: int
    runJson: bytes | None
    name: bytes | None
    others: int | None
    otherCount: int

class crReportFacts(Structure):
    every: int
    byteCount: int
    note: Array[Any]

def crPhotoOptions_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

class crPhotoOptions(Structure):
    size: int
    width: int
    height: int
    time: float
    from_: float
    to: float
    frameRate: float
    speed: float
    direction: crVec3
    follow: bytes | None
    theme: bytes | None
    show: bytes | None
    page: bytes | None
    context: int | None
    shouldStop: Any

class crRunPoint(Structure):
    time: float
    simulation: int | None
    writer: int | None

def crRunDef_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

def crRunDef_atOutput(function: Callable[..., Any] | int = ...) -> Any: ...

class crRunDef(Structure):
    size: int
    file: bytes | None
    settings: int | None
    settingCount: int
    model: int | None
    scene: int | None
    folder: bytes | None
    omitsReport: bool
    isInteractive: bool
    checkpointSeconds: float
    startFile: bytes | None
    stateFile: bytes | None
    options: int | None
    patterns: int | None
    patternCount: int
    follower: int | None
    context: int | None
    shouldStop: Any
    atOutput: Any

class crRunFacts(Structure):
    hasRun: bool
    end: int
    hasReport: bool
    canResume: bool
    columnCount: int
    variableCount: int
    rowCount: int
    options: crSimulationOptions
    summary: crSimulationSummary
    creep: Array[Any]
    folder: Array[Any]

def crResumeOptions_begin(function: Callable[..., Any] | int = ...) -> Any: ...

def crResumeOptions_shouldStop(function: Callable[..., Any] | int = ...) -> Any: ...

class crResumeOptions(Structure):
    size: int
    threads: int
    omitsReport: bool
    checkpointSeconds: float
    context: int | None
    begin: Any
    shouldStop: Any

class Functions(Protocol):
    """All functions of the three libraries, as _library.lib has them."""
    @staticmethod
    def crStatus_GetText(status: Any) -> bytes | None: ...
    @staticmethod
    def crDefaultAllocator() -> crAllocator: ...
    @staticmethod
    def crError_Format(error: Any, buffer: Any, size: Any) -> int: ...
    @staticmethod
    def crCleanText(text: Any) -> None: ...
    @staticmethod
    def crCreateErrorLog(allocator: Any) -> int | None: ...
    @staticmethod
    def crDestroyErrorLog(log: Any) -> None: ...
    @staticmethod
    def crErrorLog_GetSink(log: Any) -> crErrorSink: ...
    @staticmethod
    def crErrorLog_Count(log: Any) -> int: ...
    @staticmethod
    def crErrorLog_CountOf(log: Any, severity: Any) -> int: ...
    @staticmethod
    def crErrorLog_Get(log: Any, index: Any) -> int | None: ...
    @staticmethod
    def crErrorLog_Clear(log: Any) -> None: ...
    @staticmethod
    def crElementKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crGetVersion() -> bytes | None: ...
    @staticmethod
    def crIsCompatible(headers: Any) -> bool: ...
    @staticmethod
    def crRotateSym3(R: Any, s: Any) -> crSym3: ...
    @staticmethod
    def crSym3_ComputeEigen(s: Any, outValues: Any, outVectors: Any) -> None: ...
    @staticmethod
    def crQuatToMat3(q: Any) -> crMat3: ...
    @staticmethod
    def crMat3ToQuat(R: Any) -> crQuat: ...
    @staticmethod
    def crAxisAngleToQuat(axis: Any, angle: Any) -> crQuat: ...
    @staticmethod
    def crAnglesToQuat(angles: Any) -> crQuat: ...
    @staticmethod
    def crQuatToAngles(q: Any) -> crVec3: ...
    @staticmethod
    def crShortestRotation(from_: Any, to: Any) -> crQuat: ...
    @staticmethod
    def crAddInertia(a: Any, b: Any) -> crInertia: ...
    @staticmethod
    def crTransformInertia(X_AB: Any, inertia_B: Any) -> crInertia: ...
    @staticmethod
    def crInertiaAboutOrigin(inertia: Any) -> crSym3: ...
    @staticmethod
    def crShapeKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crShapeKind_IsVisualOnly(kind: Any) -> bool: ...
    @staticmethod
    def crDefaultShapeDef(kind: Any) -> crShapeDef: ...
    @staticmethod
    def crCheckShapeDef(def_: Any, sink: Any) -> int: ...
    @staticmethod
    def crCreateShape(def_: Any, allocator: Any, sink: Any, outShape: Any) -> int: ...
    @staticmethod
    def crDestroyShape(shape: Any) -> None: ...
    @staticmethod
    def crShape_GetKind(shape: Any) -> int: ...
    @staticmethod
    def crShape_GetRounding(shape: Any) -> float: ...
    @staticmethod
    def crShape_GetSmallestDimension(shape: Any) -> float: ...
    @staticmethod
    def crShape_IsBounded(shape: Any) -> bool: ...
    @staticmethod
    def crShape_GetReach(shape: Any) -> float: ...
    @staticmethod
    def crShape_ComputeSupport(shape: Any, direction: Any) -> crVec3: ...
    @staticmethod
    def crShape_ComputeAabb(shape: Any, pose: Any) -> crAabb: ...
    @staticmethod
    def crShape_ComputeVolume(shape: Any) -> float: ...
    @staticmethod
    def crShape_ComputeInertia(shape: Any, density: Any) -> crInertia: ...
    @staticmethod
    def crShape_CountPieces(shape: Any) -> int: ...
    @staticmethod
    def crShape_GetPiece(shape: Any, index: Any) -> int | None: ...
    @staticmethod
    def crDefaultMeshDef() -> crMeshDef: ...
    @staticmethod
    def crCreateMesh(def_: Any, allocator: Any, sink: Any, outMesh: Any) -> int: ...
    @staticmethod
    def crRetainMesh(mesh: Any) -> int | None: ...
    @staticmethod
    def crReleaseMesh(mesh: Any) -> None: ...
    @staticmethod
    def crMesh_GetDef(mesh: Any) -> crMeshDef: ...
    @staticmethod
    def crMesh_GetFacts(mesh: Any) -> crMeshFacts: ...
    @staticmethod
    def crDefaultPiecesDef() -> crPiecesDef: ...
    @staticmethod
    def crDecomposeMesh(mesh: Any, def_: Any, allocator: Any, sink: Any, outMesh: Any, outFacts: Any) -> int: ...
    @staticmethod
    def crShape_GetHullRatio(shape: Any) -> float: ...
    @staticmethod
    def crComputeDistance(a: Any, X_WA: Any, b: Any, X_WB: Any, cache: Any, outDistance: Any) -> int: ...
    @staticmethod
    def crComputeDistances(a: Any, X_WA: Any, b: Any, X_WB: Any, count: Any, outDistances: Any, outDone: Any) -> int: ...
    @staticmethod
    def crComputeTimeToContact(a: Any, segmentA: Any, b: Any, segmentB: Any, duration: Any, tolerance: Any, outTime: Any) -> int: ...
    @staticmethod
    def crComputeSweptAabb(shape: Any, segment: Any, duration: Any) -> crAabb: ...
    @staticmethod
    def crCreateBroadPhase(boxCount: Any, owners: Any, filter: Any, margin: Any, allocator: Any, outBroadPhase: Any) -> int: ...
    @staticmethod
    def crDestroyBroadPhase(broadPhase: Any) -> None: ...
    @staticmethod
    def crBroadPhase_SetBox(broadPhase: Any, box: Any, bounds: Any) -> int: ...
    @staticmethod
    def crBroadPhase_FindPairs(broadPhase: Any, outPairs: Any, outCount: Any) -> int: ...
    @staticmethod
    def crBroadPhase_QueryPoint(broadPhase: Any, p: Any, visit: Any, context: Any) -> None: ...
    @staticmethod
    def crBroadPhase_QueryRay(broadPhase: Any, p: Any, d: Any, length: Any, visit: Any, context: Any) -> None: ...
    @staticmethod
    def crBroadPhase_QueryBox(broadPhase: Any, box: Any, visit: Any, context: Any) -> None: ...
    @staticmethod
    def crSignalKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crDefaultSignalDef(kind: Any, name: Any) -> crSignalDef: ...
    @staticmethod
    def crGetSolverInfo(kind: Any) -> int | None: ...
    @staticmethod
    def crFindSolver(name: Any) -> int: ...
    @staticmethod
    def crContactResponse_GetText(response: Any) -> bytes | None: ...
    @staticmethod
    def crFindColor(text: Any, outColor: Any) -> bool: ...
    @staticmethod
    def crFeatureKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crDefaultFeatureDef(kind: Any) -> crFeatureDef: ...
    @staticmethod
    def crJointKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crJointKind_CountQ(kind: Any) -> int: ...
    @staticmethod
    def crJointKind_CountV(kind: Any) -> int: ...
    @staticmethod
    def crForceKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crCouplingKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crActionKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crActionDef_GetKind(def_: Any, outTarget: Any) -> int: ...
    @staticmethod
    def crActionDef_GetTrigger(def_: Any) -> int: ...
    @staticmethod
    def crCreateScene(allocator: Any, sink: Any, outScene: Any) -> int: ...
    @staticmethod
    def crDestroyScene(scene: Any) -> None: ...
    @staticmethod
    def crDefaultSolidMaterialDef(name: Any) -> crSolidMaterialDef: ...
    @staticmethod
    def crDefaultContactPairDef(materialA: Any, materialB: Any) -> crContactPairDef: ...
    @staticmethod
    def crDefaultVisualMaterialDef(name: Any) -> crVisualMaterialDef: ...
    @staticmethod
    def crDefaultObjectDef(name: Any) -> crObjectDef: ...
    @staticmethod
    def crDefaultJointDef(kind: Any, name: Any, objectA: Any, objectB: Any) -> crJointDef: ...
    @staticmethod
    def crDefaultForceDef(kind: Any, name: Any, objectA: Any, objectB: Any) -> crForceDef: ...
    @staticmethod
    def crDefaultCouplingDef(kind: Any, name: Any) -> crCouplingDef: ...
    @staticmethod
    def crDefaultActionDef(name: Any) -> crActionDef: ...
    @staticmethod
    def crDefaultExclusionDef(objectA: Any, objectB: Any) -> crExclusionDef: ...
    @staticmethod
    def crDefaultAssemblyDef(name: Any) -> crAssemblyDef: ...
    @staticmethod
    def crDefaultSceneOptions() -> crSceneOptions: ...
    @staticmethod
    def crScene_SetOptions(scene: Any, options: Any) -> int: ...
    @staticmethod
    def crScene_AddAssembly(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddObject(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddJoint(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddForce(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddShaft(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddCoupling(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddSignal(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddSolidMaterial(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddContactPair(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddVisualMaterial(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddAction(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_AddExclusion(scene: Any, def_: Any, outId: Any) -> int: ...
    @staticmethod
    def crScene_Remove(scene: Any, id: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceAssembly(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceObject(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceJoint(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceForce(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceCoupling(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceSignal(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceSolidMaterial(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceContactPair(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceVisualMaterial(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceAction(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_ReplaceExclusion(scene: Any, id: Any, def_: Any) -> int: ...
    @staticmethod
    def crScene_Count(scene: Any, kind: Any) -> int: ...
    @staticmethod
    def crScene_GetId(scene: Any, kind: Any, index: Any) -> crId: ...
    @staticmethod
    def crScene_Find(scene: Any, path: Any) -> crId: ...
    @staticmethod
    def crScene_FindSolidMaterial(scene: Any, name: Any) -> crId: ...
    @staticmethod
    def crScene_FindContactPair(scene: Any, materialA: Any, materialB: Any) -> crId: ...
    @staticmethod
    def crScene_FindVisualMaterial(scene: Any, name: Any) -> crId: ...
    @staticmethod
    def crScene_GetOptions(scene: Any) -> int | None: ...
    @staticmethod
    def crScene_GetAssembly(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetObject(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetJoint(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetForce(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetCoupling(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetSignal(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetSolidMaterial(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetContactPair(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetVisualMaterial(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetAction(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_GetExclusion(scene: Any, id: Any) -> int | None: ...
    @staticmethod
    def crScene_CountParameters(scene: Any) -> int: ...
    @staticmethod
    def crScene_GetParameter(scene: Any, index: Any) -> int | None: ...
    @staticmethod
    def crScene_GetParameterName(scene: Any, index: Any, buffer: Any, size: Any) -> int: ...
    @staticmethod
    def crScene_FindParameter(scene: Any, name: Any) -> int: ...
    @staticmethod
    def crScene_IsPalette(scene: Any, id: Any) -> bool: ...
    @staticmethod
    def crScene_ComputeFeatureInertia(scene: Any, object: Any, feature: Any, outInertia: Any) -> int: ...
    @staticmethod
    def crScene_GetShape(scene: Any, object: Any, feature: Any) -> int | None: ...
    @staticmethod
    def crScene_CountMeshFiles(scene: Any) -> int: ...
    @staticmethod
    def crScene_GetMeshFile(scene: Any, index: Any) -> crMeshFile: ...
    @staticmethod
    def crScene_CountSourceFiles(scene: Any) -> int: ...
    @staticmethod
    def crScene_GetSourceFile(scene: Any, index: Any) -> crSourceFile: ...
    @staticmethod
    def crScene_CountErrors(scene: Any) -> int: ...
    @staticmethod
    def crDefaultColliderDef() -> crColliderDef: ...
    @staticmethod
    def crCreateCollider(def_: Any, allocator: Any, sink: Any, outCollider: Any) -> int: ...
    @staticmethod
    def crDestroyCollider(collider: Any) -> None: ...
    @staticmethod
    def crCollider_AddMesh(collider: Any, stlIndex: Any, mesh: Any) -> int: ...
    @staticmethod
    def crCollider_GetMessage(collider: Any) -> bytes | None: ...
    @staticmethod
    def crCollider_ComputeForces(collider: Any, bodyCount: Any, bodies: Any, outForces: Any) -> int: ...
    @staticmethod
    def crCreateColliderMemory(collider: Any, outMemory: Any) -> int: ...
    @staticmethod
    def crDestroyColliderMemory(memory: Any) -> None: ...
    @staticmethod
    def crColliderMemory_CountContacts(memory: Any) -> int: ...
    @staticmethod
    def crCollider_ComputeElasticForces(collider: Any, memory: Any, bodyCount: Any, bodies: Any, motions: Any, outForces: Any) -> int: ...
    @staticmethod
    def crCollider_ComputeIndicators(collider: Any, memory: Any, bodyCount: Any, bodies: Any, motions: Any, outIndicators: Any) -> int: ...
    @staticmethod
    def crCollider_ResolveEvent(collider: Any, memory: Any, bodyCount: Any, bodies: Any, motions: Any) -> int: ...
    @staticmethod
    def crOpenColliderMemory(collider: Any) -> int | None: ...
    @staticmethod
    def crDefaultCompileOptions() -> crCompileOptions: ...
    @staticmethod
    def crCompile(scene: Any, options: Any, allocator: Any, sink: Any, outModel: Any) -> int: ...
    @staticmethod
    def crDestroyModel(model: Any) -> None: ...
    @staticmethod
    def crModel_GetHash(model: Any, outText: Any) -> int: ...
    @staticmethod
    def crModel_GetSize(model: Any) -> crModelSize: ...
    @staticmethod
    def crModel_GetRunOptions(model: Any) -> int | None: ...
    @staticmethod
    def crModel_CountActions(model: Any) -> int: ...
    @staticmethod
    def crModel_GetAction(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_FindAction(model: Any, path: Any) -> int: ...
    @staticmethod
    def crModel_GetObject(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetObjectPath(model: Any, index: Any) -> bytes | None: ...
    @staticmethod
    def crModel_FindObject(model: Any, path: Any) -> int: ...
    @staticmethod
    def crModel_GetBody(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetBodyPath(model: Any, index: Any) -> bytes | None: ...
    @staticmethod
    def crModel_GetTree(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetJoint(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetJointPath(model: Any, index: Any) -> bytes | None: ...
    @staticmethod
    def crModel_GetJointLaw(model: Any, joint: Any) -> int | None: ...
    @staticmethod
    def crModel_FindJoint(model: Any, path: Any) -> int: ...
    @staticmethod
    def crModel_GetLoop(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetLoopBodies(model: Any, loop: Any, outCount: Any) -> int | None: ...
    @staticmethod
    def crModel_GetCoupling(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetCouplingPath(model: Any, index: Any) -> bytes | None: ...
    @staticmethod
    def crModel_GetCouplingTerms(model: Any, coupling: Any, outCount: Any) -> int | None: ...
    @staticmethod
    def crModel_FindCoupling(model: Any, path: Any) -> int: ...
    @staticmethod
    def crModel_GetGuides(model: Any, force: Any, outCount: Any) -> int | None: ...
    @staticmethod
    def crModel_GetForce(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetForcePath(model: Any, index: Any) -> bytes | None: ...
    @staticmethod
    def crModel_GetForceCurve(model: Any, force: Any, outCount: Any) -> int | None: ...
    @staticmethod
    def crModel_GetContactShape(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetShape(model: Any, contactShape: Any) -> int | None: ...
    @staticmethod
    def crModel_CountContactMaterials(model: Any) -> int: ...
    @staticmethod
    def crModel_GetContactMaterial(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_GetContactMaterialName(model: Any, index: Any) -> bytes | None: ...
    @staticmethod
    def crModel_GetContactLaw(model: Any, materialA: Any, materialB: Any) -> int | None: ...
    @staticmethod
    def crModel_CountExcludedBodies(model: Any) -> int: ...
    @staticmethod
    def crModel_GetExcludedBodies(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_CountExcludedShapes(model: Any) -> int: ...
    @staticmethod
    def crModel_GetExcludedShapes(model: Any, index: Any) -> int | None: ...
    @staticmethod
    def crModel_CanMeet(model: Any, shapeA: Any, shapeB: Any) -> bool: ...
    @staticmethod
    def crModel_GetNextTimeEvent(model: Any, t: Any) -> float: ...
    @staticmethod
    def crModel_CountInputs(model: Any) -> int: ...
    @staticmethod
    def crModel_CountOutputs(model: Any) -> int: ...
    @staticmethod
    def crModel_GetInput(model: Any, index: Any, outPort: Any) -> bool: ...
    @staticmethod
    def crModel_GetOutput(model: Any, index: Any, outPort: Any) -> bool: ...
    @staticmethod
    def crModel_FindInput(model: Any, path: Any) -> int: ...
    @staticmethod
    def crModel_FindOutput(model: Any, path: Any) -> int: ...
    @staticmethod
    def crModel_GetVariable(model: Any, index: Any, outVariable: Any) -> bool: ...
    @staticmethod
    def crModel_GetVariableName(model: Any, index: Any, buffer: Any, size: Any) -> int: ...
    @staticmethod
    def crModel_FindVariable(model: Any, name: Any) -> int: ...
    @staticmethod
    def crMatchesPattern(name: Any, pattern: Any) -> bool: ...
    @staticmethod
    def crContactMode_GetText(mode: Any) -> bytes | None: ...
    @staticmethod
    def crCreep_IsWorthTelling(creep: Any) -> bool: ...
    @staticmethod
    def crDefaultContactRecord(phase: Any, time: Any) -> crContactRecord: ...
    @staticmethod
    def crContactRecord_HasPushed(record: Any) -> bool: ...
    @staticmethod
    def crDefaultResultDef(path: Any) -> crResultDef: ...
    @staticmethod
    def crRunEnd_GetText(end: Any) -> bytes | None: ...
    @staticmethod
    def crCreateResultMemory(allocator: Any) -> int | None: ...
    @staticmethod
    def crDestroyResultMemory(memory: Any) -> None: ...
    @staticmethod
    def crResultMemory_GetSink(memory: Any) -> crRecordSink: ...
    @staticmethod
    def crResultMemory_Take(memory: Any) -> int | None: ...
    @staticmethod
    def crDestroyResult(result: Any) -> None: ...
    @staticmethod
    def crResult_CountRows(result: Any) -> int: ...
    @staticmethod
    def crResult_CountColumns(result: Any) -> int: ...
    @staticmethod
    def crResult_GetColumn(result: Any, column: Any) -> int | None: ...
    @staticmethod
    def crResult_FindColumn(result: Any, name: Any) -> int: ...
    @staticmethod
    def crResult_GetTimes(result: Any) -> int | None: ...
    @staticmethod
    def crResult_GetValues(result: Any, column: Any) -> int | None: ...
    @staticmethod
    def crResult_GetRowKind(result: Any, row: Any) -> int: ...
    @staticmethod
    def crResult_CountEvents(result: Any) -> int: ...
    @staticmethod
    def crResult_GetEvent(result: Any, index: Any) -> int | None: ...
    @staticmethod
    def crResult_GetFacts(result: Any) -> crResultFacts: ...
    @staticmethod
    def crResult_CountBodies(result: Any) -> int: ...
    @staticmethod
    def crResult_GetBody(result: Any, body: Any) -> bytes | None: ...
    @staticmethod
    def crResult_GetPoses(result: Any, row: Any) -> int | None: ...
    @staticmethod
    def crResult_CountObjects(result: Any) -> int: ...
    @staticmethod
    def crResult_GetObjectPath(result: Any, object: Any) -> bytes | None: ...
    @staticmethod
    def crResult_GetMeshes(result: Any, outCount: Any) -> int | None: ...
    @staticmethod
    def crResult_CountContacts(result: Any) -> int: ...
    @staticmethod
    def crResult_GetContact(result: Any, index: Any) -> int | None: ...
    @staticmethod
    def crResult_GetContactSamples(result: Any, row: Any, outCount: Any) -> int | None: ...
    @staticmethod
    def crResult_Replay(result: Any, sink: Any) -> int: ...
    @staticmethod
    def crResult_SelectColumns(result: Any, patterns: Any, patternCount: Any, allocator: Any, sink: Any, outColumns: Any, outCount: Any) -> int: ...
    @staticmethod
    def crModel_GetAllTrees(model: Any) -> crTreeSet: ...
    @staticmethod
    def crModel_CountStates(model: Any, set: Any) -> int: ...
    @staticmethod
    def crModel_CountRates(model: Any, set: Any) -> int: ...
    @staticmethod
    def crModel_IsClosed(model: Any, set: Any) -> bool: ...
    @staticmethod
    def crModel_GetStart(model: Any, set: Any, outY: Any) -> int: ...
    @staticmethod
    def crModel_GetNominal(model: Any, set: Any, outNominal: Any) -> int: ...
    @staticmethod
    def crModel_GetStateName(model: Any, set: Any, state: Any, buffer: Any, size: Any) -> bool: ...
    @staticmethod
    def crCreateInstance(model: Any, allocator: Any, sink: Any, outInstance: Any) -> int: ...
    @staticmethod
    def crDestroyInstance(instance: Any) -> None: ...
    @staticmethod
    def crInstance_GetModel(instance: Any) -> int | None: ...
    @staticmethod
    def crInstance_SetState(instance: Any, set: Any, t: Any, y: Any) -> int: ...
    @staticmethod
    def crInstance_GetState(instance: Any, set: Any, outY: Any) -> int: ...
    @staticmethod
    def crInstance_SetPhase(instance: Any, set: Any, phase: Any) -> int: ...
    @staticmethod
    def crInstance_Eval(instance: Any, set: Any, stage: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeRates(instance: Any, set: Any, t: Any, y: Any, outRates: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeResidual(instance: Any, set: Any, t: Any, y: Any, yp: Any, outResidual: Any) -> int: ...
    @staticmethod
    def crInstance_SetInput(instance: Any, input: Any, value: Any) -> int: ...
    @staticmethod
    def crInstance_GetInput(instance: Any, input: Any) -> float: ...
    @staticmethod
    def crInstance_GetOutput(instance: Any, output: Any) -> float: ...
    @staticmethod
    def crInstance_Sample(instance: Any, set: Any) -> int: ...
    @staticmethod
    def crModel_CountDiscrete(model: Any, set: Any) -> int: ...
    @staticmethod
    def crInstance_GetDiscrete(instance: Any, set: Any, outDiscrete: Any) -> int: ...
    @staticmethod
    def crInstance_SetDiscrete(instance: Any, set: Any, discrete: Any) -> int: ...
    @staticmethod
    def crInstance_DescribeFault(instance: Any, since: Any, buffer: Any, size: Any) -> bool: ...
    @staticmethod
    def crInstance_Assemble(instance: Any, set: Any, t: Any, y: Any, sink: Any) -> int: ...
    @staticmethod
    def crInstance_GetLoopFacts(instance: Any) -> crLoopFacts: ...
    @staticmethod
    def crInstance_CountRedundant(instance: Any, joint: Any) -> int: ...
    @staticmethod
    def crInstance_DescribeSingular(instance: Any, buffer: Any, size: Any) -> bool: ...
    @staticmethod
    def crInstance_DescribeGap(instance: Any, set: Any, limit: Any, buffer: Any, size: Any) -> bool: ...
    @staticmethod
    def crInstance_CompleteStep(instance: Any, set: Any, t: Any, y: Any) -> int: ...
    @staticmethod
    def crInstance_Project(instance: Any, set: Any, t: Any, limit: Any, y: Any) -> int: ...
    @staticmethod
    def crInstance_CountMultipliers(instance: Any, set: Any) -> int: ...
    @staticmethod
    def crInstance_GetMultipliers(instance: Any, set: Any, outForces: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeLoopResidual(instance: Any, set: Any, t: Any, y: Any, yp: Any, multiplierRates: Any, outResidual: Any, outConstraints: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeRateResidual(instance: Any, set: Any, t: Any, y: Any, yp: Any, multiplierRates: Any, outResidual: Any, outConstraints: Any) -> int: ...
    @staticmethod
    def crInstance_GetLoopSparsity(instance: Any, set: Any, otherCount: Any, outColumnStarts: Any, outRows: Any, outCount: Any) -> int: ...
    @staticmethod
    def crInstance_GetPose(instance: Any, object: Any) -> crPose: ...
    @staticmethod
    def crInstance_GetMotion(instance: Any, object: Any) -> crMotion: ...
    @staticmethod
    def crInstance_GetAcceleration(instance: Any, object: Any) -> crMotion: ...
    @staticmethod
    def crInstance_GetReaction(instance: Any, joint: Any) -> crWrench: ...
    @staticmethod
    def crInstance_GetCouplingForce(instance: Any, coupling: Any) -> float: ...
    @staticmethod
    def crInstance_GetVariable(instance: Any, variable: Any) -> float: ...
    @staticmethod
    def crInstance_ComputePowers(instance: Any, set: Any) -> crPowers: ...
    @staticmethod
    def crInstance_ComputeEnergy(instance: Any, set: Any, body: Any) -> crEnergy: ...
    @staticmethod
    def crInstance_ComputeMomentum(instance: Any, set: Any, body: Any) -> crMomentum: ...
    @staticmethod
    def crCreateContacts(model: Any, set: Any, allocator: Any, outContacts: Any) -> int: ...
    @staticmethod
    def crDestroyContacts(contacts: Any) -> None: ...
    @staticmethod
    def crCopyContacts(from_: Any, to: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeIndicators(instance: Any, set: Any, t: Any, y: Any, outZ: Any) -> int: ...
    @staticmethod
    def crInstance_ResolveContacts(instance: Any, set: Any) -> int: ...
    @staticmethod
    def crContacts_GetEvents(contacts: Any, outCount: Any) -> int | None: ...
    @staticmethod
    def crInstance_ResolveImpacts(instance: Any, set: Any, y: Any, outCount: Any, outLost: Any) -> int: ...
    @staticmethod
    def crContacts_CompleteStep(contacts: Any, h: Any) -> None: ...
    @staticmethod
    def crContacts_Count(contacts: Any) -> int: ...
    @staticmethod
    def crContacts_Get(contacts: Any, index: Any) -> crContactRecord: ...
    @staticmethod
    def crContacts_FindPatch(contacts: Any, index: Any, outCorners: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeInverseDynamics(instance: Any, set: Any, t: Any, y: Any, accelerations: Any, outForces: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeMassMatrix(instance: Any, set: Any, t: Any, y: Any, outMatrix: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeFrameJacobian(instance: Any, set: Any, t: Any, y: Any, object: Any, outMatrix: Any) -> int: ...
    @staticmethod
    def crInstance_Linearize(instance: Any, set: Any, t: Any, y: Any, outA: Any) -> int: ...
    @staticmethod
    def crInstance_LinearizePorts(instance: Any, set: Any, t: Any, y: Any, outB: Any, outC: Any, outD: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeRatesAt(instance: Any, set: Any, points: Any, outRates: Any, outDone: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeInverseDynamicsAt(instance: Any, set: Any, points: Any, accelerations: Any, outForces: Any, outDone: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeMassMatricesAt(instance: Any, set: Any, points: Any, outMatrices: Any, outDone: Any) -> int: ...
    @staticmethod
    def crInstance_ComputeFrameJacobiansAt(instance: Any, set: Any, points: Any, object: Any, outMatrices: Any, outDone: Any) -> int: ...
    @staticmethod
    def crInstance_ComputePosesAt(instance: Any, set: Any, points: Any, object: Any, outPoses: Any, outDone: Any) -> int: ...
    @staticmethod
    def crDefaultReachTarget(object: Any) -> crReachTarget: ...
    @staticmethod
    def crDefaultReachOptions() -> crReachOptions: ...
    @staticmethod
    def crInstance_ComputeInverseKinematics(instance: Any, set: Any, t: Any, targets: Any, targetCount: Any, options: Any, y: Any, sink: Any, outFacts: Any) -> int: ...
    @staticmethod
    def crDefaultEquilibriumOptions() -> crEquilibriumOptions: ...
    @staticmethod
    def crInstance_ComputeEquilibrium(instance: Any, set: Any, t: Any, y: Any, options: Any, sink: Any) -> int: ...
    @staticmethod
    def crModel_GetSparsity(model: Any, set: Any, outColumnStarts: Any, outRows: Any, outCount: Any) -> int: ...
    @staticmethod
    def crSimulation_GetState(simulation: Any, allocator: Any, outState: Any) -> int: ...
    @staticmethod
    def crCopyState(state: Any, allocator: Any, outState: Any) -> int: ...
    @staticmethod
    def crDestroyState(state: Any) -> None: ...
    @staticmethod
    def crSimulation_Copy(simulation: Any, allocator: Any, sink: Any, outSimulation: Any) -> int: ...
    @staticmethod
    def crSimulation_Save(simulation: Any, note: Any, noteSize: Any, writer: Any) -> int: ...
    @staticmethod
    def crReadCheckpointFacts(bytes: Any, size: Any, sink: Any, outFacts: Any) -> int: ...
    @staticmethod
    def crDefaultLoadOptions() -> crLoadOptions: ...
    @staticmethod
    def crLoadSimulation(model: Any, bytes: Any, size: Any, options: Any, allocator: Any, sink: Any, outSimulation: Any) -> int: ...
    @staticmethod
    def crGetBuild() -> bytes | None: ...
    @staticmethod
    def crDefaultSimulationOptions() -> crSimulationOptions: ...
    @staticmethod
    def crModel_ChooseOptions(model: Any, options: Any) -> crSimulationOptions: ...
    @staticmethod
    def crCreateSimulation(model: Any, options: Any, allocator: Any, sink: Any, outSimulation: Any) -> int: ...
    @staticmethod
    def crDestroySimulation(simulation: Any) -> None: ...
    @staticmethod
    def crSimulation_Advance(simulation: Any, t: Any) -> int: ...
    @staticmethod
    def crSimulation_SetInput(simulation: Any, input: Any, value: Any) -> int: ...
    @staticmethod
    def crSimulation_Act(simulation: Any, action: Any) -> int: ...
    @staticmethod
    def crSimulation_GetTime(simulation: Any) -> float: ...
    @staticmethod
    def crSimulation_GetModel(simulation: Any) -> int | None: ...
    @staticmethod
    def crSimulation_GetOptions(simulation: Any) -> crSimulationOptions: ...
    @staticmethod
    def crSimulation_GetInstance(simulation: Any) -> int | None: ...
    @staticmethod
    def crSimulation_GetSet(simulation: Any) -> crTreeSet: ...
    @staticmethod
    def crSimulation_GetSummary(simulation: Any) -> crSimulationSummary: ...
    @staticmethod
    def crSimulation_DescribeCreep(simulation: Any, outText: Any, size: Any) -> bool: ...
    @staticmethod
    def crCheckStart(model: Any, allocator: Any, sink: Any, outCount: Any) -> int: ...
    @staticmethod
    def crCreateRecorder(model: Any, patterns: Any, patternCount: Any, allocator: Any, sink: Any, outRecorder: Any) -> int: ...
    @staticmethod
    def crDestroyRecorder(recorder: Any) -> None: ...
    @staticmethod
    def crRecorder_CountColumns(recorder: Any) -> int: ...
    @staticmethod
    def crRecorder_GetColumns(recorder: Any) -> int | None: ...
    @staticmethod
    def crRecorder_Read(recorder: Any, instance: Any) -> int | None: ...
    @staticmethod
    def crRecorder_CountBodies(recorder: Any) -> int: ...
    @staticmethod
    def crRecorder_GetBodies(recorder: Any) -> int | None: ...
    @staticmethod
    def crRecorder_ReadPoses(recorder: Any, instance: Any) -> int | None: ...
    @staticmethod
    def crRecorder_CountObjects(recorder: Any) -> int: ...
    @staticmethod
    def crRecorder_GetObjects(recorder: Any) -> int | None: ...
    @staticmethod
    def crSimulation_Run(simulation: Any, observer: Any, outEnd: Any) -> int: ...
    @staticmethod
    def crDefaultRecordOptions() -> crRecordOptions: ...
    @staticmethod
    def crSimulation_Record(simulation: Any, options: Any, sink: Any, outEnd: Any) -> int: ...
    @staticmethod
    def crRecordToMemory(model: Any, options: Any, recordOptions: Any, allocator: Any, sink: Any, outResult: Any, outSummary: Any, outEnd: Any) -> int: ...
    @staticmethod
    def crCreateResultWriter(def_: Any, allocator: Any, sink: Any, outWriter: Any) -> int: ...
    @staticmethod
    def crResultWriter_AddRow(writer: Any, row: Any) -> int: ...
    @staticmethod
    def crResultWriter_AddEvent(writer: Any, time: Any, kind: Any, text: Any) -> int: ...
    @staticmethod
    def crResultWriter_Flush(writer: Any) -> int: ...
    @staticmethod
    def crResultWriter_GetPlace(writer: Any, outPlace: Any) -> int: ...
    @staticmethod
    def crReopenResultWriter(def_: Any, place: Any, allocator: Any, sink: Any, outWriter: Any) -> int: ...
    @staticmethod
    def crResultWriter_Close(writer: Any, isComplete: Any, exitReason: Any, runJson: Any) -> int: ...
    @staticmethod
    def crResultWriter_AddContact(writer: Any, record: Any) -> int: ...
    @staticmethod
    def crResultWriter_AddContactSample(writer: Any, sample: Any) -> int: ...
    @staticmethod
    def crResultFile_GetSink(file: Any) -> crRecordSink: ...
    @staticmethod
    def crWriteResult(result: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crReadResult(path: Any, allocator: Any, sink: Any, outResult: Any) -> int: ...
    @staticmethod
    def crWriteCsv(result: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crWriteContactCsv(result: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crWriteSampleCsv(result: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crWriteMat(result: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crDefaultReadOptions() -> crReadOptions: ...
    @staticmethod
    def crReadModel(path: Any, options: Any, allocator: Any, sink: Any, outScene: Any) -> int: ...
    @staticmethod
    def crReadLua(text: Any, size: Any, name: Any, folder: Any, options: Any, allocator: Any, sink: Any, outScene: Any) -> int: ...
    @staticmethod
    def crReadJson(text: Any, size: Any, name: Any, folder: Any, options: Any, allocator: Any, sink: Any, outScene: Any) -> int: ...
    @staticmethod
    def crReadRobot(text: Any, size: Any, name: Any, folder: Any, options: Any, allocator: Any, sink: Any, outScene: Any) -> int: ...
    @staticmethod
    def crWriteRobotLua(path: Any, options: Any, allocator: Any, sink: Any, writer: Any) -> int: ...
    @staticmethod
    def crWriteRobotLuaFile(path: Any, options: Any, target: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crGetLuaFunction() -> int | None: ...
    @staticmethod
    def crGetFmuFunction() -> int | None: ...
    @staticmethod
    def crAllowFmus(isAllowed: Any) -> None: ...
    @staticmethod
    def crWriteJson(scene: Any, allocator: Any, sink: Any, writer: Any) -> int: ...
    @staticmethod
    def crWriteJsonFile(scene: Any, path: Any, modelFolder: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crFormatLua(text: Any, size: Any, name: Any, allocator: Any, sink: Any, writer: Any) -> int: ...
    @staticmethod
    def crWriteJsonSchema(allocator: Any, writer: Any) -> int: ...
    @staticmethod
    def crWriteLuaAnnotations(writer: Any) -> int: ...
    @staticmethod
    def crWriteReference(writer: Any) -> int: ...
    @staticmethod
    def crWriteState(state: Any, writer: Any) -> int: ...
    @staticmethod
    def crWriteStateFile(state: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crReadState(text: Any, size: Any, name: Any, allocator: Any, sink: Any, outState: Any) -> int: ...
    @staticmethod
    def crReadStateFile(path: Any, allocator: Any, sink: Any, outState: Any) -> int: ...
    @staticmethod
    def crReadMesh(path: Any, scale: Any, allocator: Any, sink: Any, outMesh: Any) -> int: ...
    @staticmethod
    def crReadStl(bytes: Any, size: Any, name: Any, scale: Any, allocator: Any, sink: Any, outMesh: Any) -> int: ...
    @staticmethod
    def crReadObj(text: Any, size: Any, name: Any, scale: Any, allocator: Any, sink: Any, outMesh: Any) -> int: ...
    @staticmethod
    def crReadDae(text: Any, size: Any, name: Any, scale: Any, allocator: Any, sink: Any, outMesh: Any) -> int: ...
    @staticmethod
    def crWriteObj(mesh: Any, note: Any, writer: Any) -> int: ...
    @staticmethod
    def crWriteObjFile(mesh: Any, note: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crKeepPieces(file: Any, mesh: Any, error: Any, pieces: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crDefaultRepairDef() -> crRepairDef: ...
    @staticmethod
    def crFindMeshFaults(mesh: Any, def_: Any, allocator: Any, outFaults: Any) -> int: ...
    @staticmethod
    def crRepairMesh(mesh: Any, def_: Any, allocator: Any, sink: Any, outMesh: Any, outFaults: Any) -> int: ...
    @staticmethod
    def crCollider_ReadMesh(collider: Any, stlIndex: Any, file: Any) -> int: ...
    @staticmethod
    def crOpenCollider(stiffness: Any, cor: Any, muK: Any, muR: Any, stlIndices: Any, stlFiles: Any, stlCount: Any) -> int | None: ...
    @staticmethod
    def crDefaultSweepDef(model: Any) -> crSweepDef: ...
    @staticmethod
    def crCreateSweepPlan(def_: Any, allocator: Any, sink: Any, outPlan: Any) -> int: ...
    @staticmethod
    def crReadSweepPlan(path: Any, allocator: Any, sink: Any, outPlan: Any) -> int: ...
    @staticmethod
    def crOpenSweepPlan(folder: Any, allocator: Any, sink: Any, outPlan: Any) -> int: ...
    @staticmethod
    def crDestroySweepPlan(plan: Any) -> None: ...
    @staticmethod
    def crSweepPlan_SetRuns(plan: Any, runs: Any, sink: Any) -> int: ...
    @staticmethod
    def crSweepPlan_CountRuns(plan: Any) -> int: ...
    @staticmethod
    def crSweepPlan_CountInputs(plan: Any) -> int: ...
    @staticmethod
    def crSweepPlan_CountOutputs(plan: Any) -> int: ...
    @staticmethod
    def crSweepPlan_GetInput(plan: Any, input: Any) -> bytes | None: ...
    @staticmethod
    def crSweepPlan_GetOutput(plan: Any, output: Any) -> int | None: ...
    @staticmethod
    def crSweepPlan_GetHash(plan: Any) -> bytes | None: ...
    @staticmethod
    def crSweepPlan_FindPoint(plan: Any, run: Any, outInputs: Any) -> int: ...
    @staticmethod
    def crSweepPlan_FormatInput(plan: Any, run: Any, input: Any, outText: Any) -> int: ...
    @staticmethod
    def crSweepPlan_FormatCommand(plan: Any, run: Any, buffer: Any, size: Any) -> int: ...
    @staticmethod
    def crSweepPlan_Run(plan: Any, run: Any, allocator: Any, outInputs: Any, outOutputs: Any, outMessage: Any, outRow: Any) -> int: ...
    @staticmethod
    def crDefaultSweepOptions() -> crSweepOptions: ...
    @staticmethod
    def crPrepareSweep(plan: Any, folder: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crRunSweep(plan: Any, folder: Any, options: Any, allocator: Any, sink: Any, outProgress: Any) -> int: ...
    @staticmethod
    def crReadSweepTable(path: Any, allocator: Any, sink: Any, outTable: Any) -> int: ...
    @staticmethod
    def crDestroySweepTable(table: Any) -> None: ...
    @staticmethod
    def crSweepTable_CountRuns(table: Any) -> int: ...
    @staticmethod
    def crSweepTable_CountRows(table: Any) -> int: ...
    @staticmethod
    def crSweepTable_CountInputs(table: Any) -> int: ...
    @staticmethod
    def crSweepTable_CountOutputs(table: Any) -> int: ...
    @staticmethod
    def crSweepTable_GetInput(table: Any, input: Any) -> bytes | None: ...
    @staticmethod
    def crSweepTable_GetOutput(table: Any, output: Any) -> int | None: ...
    @staticmethod
    def crSweepTable_GetText(table: Any, input: Any, value: Any) -> bytes | None: ...
    @staticmethod
    def crSweepTable_GetPlan(table: Any) -> bytes | None: ...
    @staticmethod
    def crSweepTable_GetRow(table: Any, row: Any) -> crSweepRow: ...
    @staticmethod
    def crSweepTable_FindRow(table: Any, run: Any) -> int: ...
    @staticmethod
    def crSweepTable_GetInputs(table: Any) -> int | None: ...
    @staticmethod
    def crSweepTable_GetOutputs(table: Any) -> int | None: ...
    @staticmethod
    def crSweepTable_ComputeSensitivity(table: Any, output: Any, replicates: Any, allocator: Any, outIndices: Any, outCount: Any) -> int: ...
    @staticmethod
    def crWriteSweepTable(table: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crFormatSweepCsv(table: Any, writer: Any) -> int: ...
    @staticmethod
    def crWriteSweepCsv(table: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crDefaultFitDef(model: Any) -> crFitDef: ...
    @staticmethod
    def crFitModel(def_: Any, allocator: Any, sink: Any, outFit: Any) -> int: ...
    @staticmethod
    def crDestroyFit(fit: Any) -> None: ...
    @staticmethod
    def crFit_GetFacts(fit: Any) -> crFitFacts: ...
    @staticmethod
    def crFit_GetEstimate(fit: Any, parameter: Any) -> crFitEstimate: ...
    @staticmethod
    def crFit_GetCovariance(fit: Any, a: Any, b: Any) -> float: ...
    @staticmethod
    def crFit_GetValues(fit: Any, experiment: Any) -> int | None: ...
    @staticmethod
    def crStudentQuantile(p: Any, freedom: Any) -> float: ...
    @staticmethod
    def crReadFitPlan(path: Any, allocator: Any, sink: Any, outPlan: Any) -> int: ...
    @staticmethod
    def crDestroyFitPlan(plan: Any) -> None: ...
    @staticmethod
    def crFitPlan_GetDef(plan: Any) -> int | None: ...
    @staticmethod
    def crDefaultFmuOptions() -> crFmuOptions: ...
    @staticmethod
    def crWriteFmu(modelPath: Any, options: Any, path: Any, allocator: Any, sink: Any, outFacts: Any) -> int: ...
    @staticmethod
    def crDefaultLiveOptions() -> crLiveOptions: ...
    @staticmethod
    def crCreateLive(options: Any, allocator: Any, sink: Any, outLive: Any) -> int: ...
    @staticmethod
    def crDestroyLive(live: Any) -> None: ...
    @staticmethod
    def crLive_GetAddress(live: Any) -> bytes | None: ...
    @staticmethod
    def crLive_GetSink(live: Any) -> crRecordSink: ...
    @staticmethod
    def crLive_GetFacts(live: Any) -> crLiveFacts: ...
    @staticmethod
    def crDefaultPlotOptions() -> crPlotOptions: ...
    @staticmethod
    def crPlotResult(result: Any, columns: Any, columnCount: Any, options: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crPlotText(result: Any, columns: Any, columnCount: Any, options: Any, allocator: Any, sink: Any, writer: Any) -> int: ...
    @staticmethod
    def crSweepPlotKind_GetText(kind: Any) -> bytes | None: ...
    @staticmethod
    def crDefaultSweepPlotOptions(kind: Any) -> crSweepPlotOptions: ...
    @staticmethod
    def crPlotSweep(table: Any, options: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crDefaultReportOptions() -> crReportOptions: ...
    @staticmethod
    def crWriteReport(result: Any, path: Any, options: Any, allocator: Any, sink: Any, outFacts: Any) -> int: ...
    @staticmethod
    def crWriteGlb(result: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crDefaultPhotoOptions() -> crPhotoOptions: ...
    @staticmethod
    def crWritePng(result: Any, path: Any, options: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crWriteVideo(result: Any, path: Any, options: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crWriteSweepPage(table: Any, title: Any, path: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crWriteFitReport(def_: Any, fit: Any, folder: Any, allocator: Any, sink: Any) -> int: ...
    @staticmethod
    def crDefaultRunDef(file: Any) -> crRunDef: ...
    @staticmethod
    def crRunModel(def_: Any, allocator: Any, sink: Any, outFacts: Any) -> int: ...
    @staticmethod
    def crRunInMemory(def_: Any, allocator: Any, sink: Any, outResult: Any, outFacts: Any) -> int: ...
    @staticmethod
    def crDefaultResumeOptions() -> crResumeOptions: ...
    @staticmethod
    def crResumeRun(folder: Any, options: Any, allocator: Any, sink: Any, outFacts: Any) -> int: ...
