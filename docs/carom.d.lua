---@meta carom
-- Annotations of Carom's models for the Lua language server, written by `carom schema --lua` from the records that
-- read models. docs/editing.md tells how to use them.

---@class carom.Object
---@class carom.Joint
---@class carom.Force
---@class carom.Coupling
---@class carom.Signal
---@class carom.Material
---@class carom.Feature
---@class carom.Shape
---@alias carom.Parameter number|string|boolean|{ value: number, min?: number, max?: number, unit?: string, label?: string }
---@alias carom.Vec3 number[] {x, y, z}
---@alias carom.Rotation number[]|number[][]|{ axis: carom.Vec3|string, angle: number } angles {a, b, c} about x, the new y, the new z [rad]; quaternion {w, x, y, z}; three rows; or axis and angle

---3.14159...
pi = math.pi

---The parameters of the model with their defaults, which `--set name=value` overrides.
---@param defaults table<string, carom.Parameter>
---@return table<string, any>
function parameters(defaults) end

---Elements that get the path `name....`; the defaults can be overridden from outside.
---@generic R
---@param name string
---@param defaults table<string, carom.Parameter>
---@param make fun(p: table<string, any>): R
---@return R
function assembly(name, defaults, make) end

---A robot from a file, URDF or MJCF; returns its elements by their names.
---@param file string
---@param options? table name, parent, position, rotation, meshPath, ignoreMissing, ...
---@return table<string, any>
function import(file, options) end

---Runs another Lua file of the model's folder each time, and returns what it returns.
---@param file string
---@return any ...
function include(file) end

---Runs `name.lua` of the model's folder once, and returns what it returned.
---@param name string
---@return any
function require(name) end

---@class carom.fields.scene
---@field gravity? carom.Vec3|"none"|{ centre: carom.Vec3, mu: number } [m/s^2] acceleration {x, y, z}, "none", or a point mass {centre =, mu =}
---@field contactDetection? boolean false: nothing collides
---@field response? "elastic"|"springDamper"|"penalty"|"impulsive"|"observer" to contact, of pairs that do not say otherwise
---@field formula? "flores"|"exact" of the damping, likewise
---@field touch? "area"|"point" of shapes with flats, edges or rims, likewise
---@field geometry? "radius"|"table"|"hertz" of contacts at a point, likewise
---@field friction? "regularized"|"stick" regularized or stick, likewise, and of joints
---@field kRed? number factor of the stiffness of elastic contacts, likewise
---@field vMin? number [m/s] below it friction and restitution fade, likewise
---@field wMin? number [rad/s] below it rolling resistance fades, likewise
---@field hysteresis? number [m] half the depth at which contact begins, likewise
---@field stopTime? number [s] of a run that is not told otherwise
---@field startTime? number [s] likewise
---@field interval? number [s] of output points of a run, likewise
---@field tolerance? number relative, of a run, likewise
---@field maxStep? number [s] largest step of a run, likewise
---@field solver? "default"|"auto"|"ida"|"cvode-bdf"|"dopri5"|"dop853"|"radau5" of a run, by its name, likewise
---@field islands? "default"|"on"|"off" of a run: on or off, likewise
---@field eventRows? "default"|"on"|"off" on or off: rows just before and after events, likewise
---@field record? string[] patterns of the variables to record, likewise: "arm.*.angle"

---Options of the whole model.
---@param fields carom.fields.scene
function scene(fields) end

---@class carom.fields.object
---@field parent? carom.Object|string object that it is fixed to, or starts from when it is free
---@field mobility? "rigid"|"free"|"world" rigid (fixed to its parent), free (six degrees of freedom), world (the inertial frame)
---@field position? carom.Vec3 [m] origin in the parent's frame
---@field rotation? carom.Rotation angles {a, b, c} about x, new y, new z; {axis =, angle =}; quaternion {w, x, y, z} of any length; or three rows
---@field velocity? carom.Vec3 [m/s] start value of a free object, in world axes
---@field angularVelocity? carom.Vec3 [rad/s] start value of a free object, in world axes
---@field start? "pose"|"rest" of a free object: pose (where it is put), rest (moved along gravity until what it lies on carries it)
---@field canCollide? boolean false: its contact materials are not used
---@field [integer] carom.Feature solids, visuals and others, in the order of the list
---@field free? boolean it moves freely: short for mobility = "free"

---A coordinate system with features.
---@param name string
---@param fields? carom.fields.object
---@return carom.Object
function object(name, fields) end

---The object that everything stands on and nothing moves.
---@param name string
---@param fields? carom.fields.object
---@return carom.Object
function world(name, fields) end

---@class carom.fields.solidMaterial
---@field density number [kg/m^3] mass per volume
---@field E? number [N/m^2] Young's modulus; needed for contact
---@field nu? number Poisson's ratio; needed for contact

---Constants of one solid.
---@param name string
---@param fields? carom.fields.solidMaterial
---@return carom.Material
function solidMaterial(name, fields) end

---@class carom.fields.visualMaterial
---@field color? string|number[] CSS name, "#rrggbb[aa]", or {r, g, b [, a]} from 0 to 1
---@field wireframe? boolean draw edges only
---@field transparency? number 0 opaque to 1 invisible
---@field shininess? number 0 dull to 1 mirror-like
---@field shadows? boolean casts and receives shadows

---A look.
---@param name string
---@param fields? carom.fields.visualMaterial
---@return carom.Material
function visualMaterial(name, fields) end

---@class carom.fields.contactPair
---@field cor number coefficient of restitution, 0 to 1
---@field muK number sliding friction coefficient
---@field muR number rolling resistance coefficient
---@field response? "elastic"|"springDamper"|"penalty"|"impulsive"|"observer"|"scene" elastic, springDamper, penalty, impulsive, observer, or scene: what the scene says
---@field formula? "flores"|"exact"|"scene" of the damping: flores, exact (cor is obtained), or scene
---@field touch? "area"|"point"|"scene" of shapes with flats, edges or rims: area, point (the nearest points alone), or scene
---@field geometry? "radius"|"table"|"hertz"|"scene" radius (Hertz with contact radii), hertz (ellipses by principal curvatures), table (of the papers), or scene
---@field friction? "regularized"|"stick"|"scene" stick (what is loaded below its limit stays), regularized (it creeps, with vMin), or scene
---@field muS? number friction coefficient before it slides; muK unless given
---@field slipFade? number [m/s] speed in which muS falls to muK; 1e-5 unless given
---@field tangentialRatio? number stiffness along a sticking contact over that across; from the materials unless given
---@field tangentialDamping? number damping ratio along a sticking contact; 1 where muS > muK, else from cor, unless given
---@field kRed? number factor of the stiffness of elastic contacts
---@field vMin? number [m/s] below it friction and restitution fade
---@field wMin? number [rad/s] below it rolling resistance fades
---@field hysteresis? number [m] half the depth at which contact begins
---@field stiffness? number [N/m] of springDamper and penalty
---@field damping? number [N s/m] of springDamper

---Constants of two solids in contact.
---@param materialA carom.Material|string one solid material, or "*" for any
---@param materialB carom.Material|string the other, likewise; the order does not matter
---@param fields? carom.fields.contactPair
function contactPair(materialA, materialB, fields) end

---Two rigid groups that never collide.
---@param objectA carom.Object|string object of the first rigid group
---@param objectB carom.Object|string object of the second rigid group
function exclude(objectA, objectB) end

---@class carom.fields.action
---@field attach? carom.Object|string object that becomes a part of another one; or release, ...
---@field to? carom.Object|string with attach: that other one
---@field release? carom.Object|string object that becomes free, with the velocity that it has
---@field delete? carom.Object|string object that vanishes, with what hangs on it
---@field lock? carom.Joint|string joint that keeps its coordinate from then on
---@field unlock? carom.Joint|string joint that was locked
---@field maxSpeed? number [m/s or rad/s] of what is attached or locked; faster ones end the run; 0.1 unless given
---@field time? number [s] when; or by a signal, a contact, or a call from outside
---@field period? number [s] with time: again and again
---@field signal? carom.Signal|string when this crosses the level
---@field level? number that the signal crosses
---@field direction? "up"|"down"|"both" of the crossing: up, down or both
---@field contact? (carom.Object|string)[] when these two objects have touched
---@field duration? number [s] with contact: for so long

---A change of the structure during a run.
---@param name string
---@param fields? carom.fields.action
function action(name, fields) end

---@class carom.fields.solid
---@field shape carom.Shape its geometry
---@field material? carom.Material|string solid material that gives the density
---@field mass? number [kg] instead of the density
---@field contact? carom.Material|string solid material that it touches with; none: no contact
---@field visual? carom.Material|string visual material or colour; none: not drawn
---@field group? integer bits of the collision groups that it belongs to
---@field mask? integer bits of the groups that it collides with
---@field contactRadius? number [m] radius of curvature for the contact law, instead of the shape's
---@field surfaceVelocity? carom.Vec3 [m/s] of its surface relative to the object, in the object's axes: a conveyor belt

---Geometry with any of a mass, a contact material and a look.
---@param fields carom.fields.solid
---@return carom.Feature
function solid(fields) end

---@class carom.fields.visual
---@field shape carom.Shape its geometry
---@field visual? carom.Material|string visual material or colour

---Geometry for pictures only.
---@param fields carom.fields.visual
---@return carom.Feature
function visual(fields) end

---@class carom.fields.mass
---@field mass number [kg] mass
---@field com? carom.Vec3 [m] centre of mass in the object's frame
---@field inertia? number[]|number[][] [kg m^2] about the centre of mass: {xx, yy, zz}, {xx, yy, zz, xy, xz, yz}, or three rows
---@field policy? "strict"|"given"|"balance" for what no rigid body has: strict (refused), given (taken as it is), balance (the nearest that exists)

---Mass, centre and inertia given directly.
---@param fields carom.fields.mass
---@return carom.Feature
function mass(fields) end

---@class carom.fields.light
---@field kind? "ambient"|"directional"|"point"|"spot" ambient, directional, point or spot; shines along -z
---@field color? string|number[] as of a visual material
---@field intensity? number brightness, 1 is normal
---@field shadows? boolean casts shadows

---A hint for pictures.
---@param fields carom.fields.light
---@return carom.Feature
function light(fields) end

---@class carom.fields.camera
---@field fieldOfView? number [rad] vertical; looks along -z, y up

---A hint for pictures.
---@param fields carom.fields.camera
---@return carom.Feature
function camera(fields) end

---@class carom.fields.sphere
---@field radius number [m] radius
---@field diameter? number [m] instead of the radius
---@field inflate? number [m] radius of a ball added outside, for contact
---@field hollow? boolean a room of this size with a solid all around it, without mass
---@field pieceError? number [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of straight sides

---A ball.
---@param fields carom.fields.sphere
---@return carom.Shape
function sphere(fields) end

---@class carom.fields.ellipsoid
---@field radii carom.Vec3 [m] semi-axes along x, y, z
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field inflate? number [m] radius of a ball added outside, for contact

---An ellipsoid.
---@param fields carom.fields.ellipsoid
---@return carom.Shape
function ellipsoid(fields) end

---@class carom.fields.box
---@field size carom.Vec3 [m] full edges along x, y, z
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field rounding? number [m] radius of edges and corners, inside the size; at most half the smallest dimension
---@field inflate? number [m] radius of a ball added outside, for contact
---@field hollow? boolean a room of this size with a solid all around it, without mass

---A block.
---@param fields carom.fields.box
---@return carom.Shape
function box(fields) end

---@class carom.fields.cylinder
---@field radius number [m] radius
---@field diameter? number [m] instead of the radius
---@field length number [m] length along the axis (z)
---@field boreRadius? number [m] of a hole along the axis; counts for mass and pictures, not for contact
---@field boreDiameter? number [m] instead of boreRadius
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field rounding? number [m] radius of edges and corners, inside the size; at most half the smallest dimension
---@field inflate? number [m] radius of a ball added outside, for contact
---@field hollow? boolean a room of this size with a solid all around it, without mass
---@field pieceError? number [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of straight sides

---A cylinder, with or without a bore.
---@param fields carom.fields.cylinder
---@return carom.Shape
function cylinder(fields) end

---@class carom.fields.cone
---@field radius number [m] of the base, at the origin
---@field diameter? number [m] instead of the radius
---@field length number [m] from base to tip along the axis (z)
---@field topRadius? number [m] of a frustum; 0 is a cone
---@field topDiameter? number [m] instead of topRadius
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field rounding? number [m] radius of edges and corners, inside the size; at most half the smallest dimension
---@field inflate? number [m] radius of a ball added outside, for contact
---@field hollow? boolean a room of this size with a solid all around it, without mass
---@field pieceError? number [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of straight sides

---A cone or frustum, its frame in the centre of the base.
---@param fields carom.fields.cone
---@return carom.Shape
function cone(fields) end

---@class carom.fields.capsule
---@field radius number [m] radius
---@field diameter? number [m] instead of the radius
---@field length number [m] of the cylindrical part, along the axis (z)
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field inflate? number [m] radius of a ball added outside, for contact

---A cylinder with two half balls.
---@param fields carom.fields.capsule
---@return carom.Shape
function capsule(fields) end

---@class carom.fields.beam
---@field length number [m] between the centres of the round ends, along the axis (x)
---@field width number [m] along y, the diameter of the ends
---@field height number [m] along z
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field rounding? number [m] radius of edges and corners, inside the size; at most half the smallest dimension
---@field inflate? number [m] radius of a ball added outside, for contact

---A box with two half-cylinder ends.
---@param fields carom.fields.beam
---@return carom.Shape
function beam(fields) end

---@class carom.fields.halfSpace
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field inflate? number [m] radius of a ball added outside, for contact

---Everything below z = 0 of its frame.
---@param fields carom.fields.halfSpace
---@return carom.Shape
function halfSpace(fields) end

---@class carom.fields.hull
---@field points carom.Vec3[] [m] at least four, not in one plane
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field rounding? number [m] radius of edges and corners, inside the size; at most half the smallest dimension
---@field inflate? number [m] radius of a ball added outside, for contact

---The convex hull of points.
---@param fields carom.fields.hull
---@return carom.Shape
function hull(fields) end

---@class carom.fields.mesh
---@field file string STL, OBJ or COLLADA file, beside the model
---@field scale? number|carom.Vec3 factor, or one per axis
---@field pieces? "given"|"decompose" what it touches with: the hull of each given piece, or convex pieces that are made of it
---@field error? number [m] how far pieces that are made may go beyond the mesh; 0: 1e-6 of its diagonal
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field rounding? number [m] radius of edges and corners, inside the size; at most half the smallest dimension
---@field inflate? number [m] radius of a ball added outside, for contact

---Triangles from a file; each object or group of an OBJ is one convex piece.
---@param fields carom.fields.mesh
---@return carom.Shape
function mesh(fields) end

---@class carom.fields.heightField
---@field heights? number[][] [m] rows from -y to y, each from -x to x
---@field file? string instead of heights: a PNG file beside the model, grey, of 8 or 16 bits; its upper edge is at y
---@field height? number [m] of white in the file; black is 0; 0: 1
---@field width number [m] along x
---@field length number [m] along y
---@field depth? number [m] how far the ground goes on below its lowest height; 0: a tenth of the width
---@field refine? integer facets along each edge of a cell, of a smooth surface through the heights, for all but balls; 0: 1
---@field facets? boolean balls and cylinders touch facets as well, and not the smooth surface
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field inflate? number [m] radius of a ball added outside, for contact

---Ground over a rectangle: smooth for balls and wheels, in facets for all else.
---@param fields carom.fields.heightField
---@return carom.Shape
function heightField(fields) end

---@class carom.fields.revolved
---@field profile { [1]: number, [2]: number, arc?: number, through?: number[], involute?: number, spline?: boolean, tangent?: number[] }[] [m] {distance from the axis, z} of points in turn, with the way that leads to one
---@field open? boolean the profile ends at its last point: a surface without mass, with the solid on the left of the way along it
---@field inside? boolean the solid is on the other side: around a closed profile, right of an open one; without mass
---@field error? number [m] how far the arcs that splines are made of may be beside them; 0: 1e-7 of the size
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field pieceError? number [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of straight sides

---A profile of lines, arcs and splines, turned about its axis; touches balls, and all else by convex pieces.
---@param fields carom.fields.revolved
---@return carom.Shape
function revolved(fields) end

---@class carom.fields.extruded
---@field profile { [1]: number, [2]: number, arc?: number, through?: number[], involute?: number, spline?: boolean, tangent?: number[] }[] [m] {x, y} of points in turn, with the way that leads to one
---@field open? boolean the profile ends at its last point: a surface without mass, with the solid on the left of the way along it
---@field inside? boolean the solid is on the other side: around a closed profile, right of an open one; without mass
---@field error? number [m] how far the arcs that splines are made of may be beside them; 0: 1e-7 of the size
---@field length number [m] along the axis (z)
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field pieceError? number [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of straight sides

---A profile of lines, arcs, involutes and splines, drawn along its axis; touches balls, what is parallel to it, and all else by convex pieces.
---@param fields carom.fields.extruded
---@return carom.Shape
function extruded(fields) end

---@class carom.fields.involuteGear
---@field teeth integer number of teeth
---@field module number [m] diameter of the pitch circle over the number of teeth
---@field length number [m] along the axis (z)
---@field pressureAngle? number [rad] of the tool, below pi/4; 20 degrees unless given
---@field shift? number shift of the profile, in modules
---@field backlash? number [m] that each tooth is thinner by, along the pitch circle
---@field tipRelief? number [m] what is taken off at the tips, of the last half module of flanks
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis
---@field pieceError? number [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of straight sides

---A spur gear with involute teeth, an extruded shape; a tooth is about x.
---@param fields carom.fields.involuteGear
---@return carom.Shape
function involuteGear(fields) end

---@class carom.fields.coordinateSystem
---@field length number [m] of each arrow

---Three arrows; for pictures only.
---@param fields carom.fields.coordinateSystem
---@return carom.Shape
function coordinateSystem(fields) end

---@class carom.fields.grid
---@field width number [m] along x
---@field length number [m] along y
---@field spacing number [m] of the lines
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis

---Lines in the x-y plane; for pictures only.
---@param fields carom.fields.grid
---@return carom.Shape
function grid(fields) end

---@class carom.fields.coil
---@field radius number [m] of the winding
---@field diameter? number [m] instead of the radius
---@field length number [m] along the axis (z)
---@field wireRadius number [m] of the wire
---@field windings integer number of turns
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis

---A drawn spring; for pictures only.
---@param fields carom.fields.coil
---@return carom.Shape
function coil(fields) end

---@class carom.fields.gearWheel
---@field radius number [m] to the tips of the teeth
---@field diameter? number [m] instead of the radius
---@field length number [m] along the axis (z)
---@field boreRadius? number [m] of a hole along the axis
---@field teeth integer number of teeth
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis

---A gear; for pictures only.
---@param fields carom.fields.gearWheel
---@return carom.Shape
function gearWheel(fields) end

---@class carom.fields.text
---@field string string what it says
---@field height number [m] of a capital letter
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction of the shape's own axis

---Letters in the x-y plane; for pictures only.
---@param fields carom.fields.text
---@return carom.Shape
function text(fields) end

---@class carom.fields.fix

---Welds two objects together.
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.fix
---@return carom.Joint
function fix(name, objectA, objectB, fields) end

---@class carom.fields.revolute
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction, the same in both objects' frames
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field canCollide? boolean the two rigid groups may collide
---@field damping? number|number[] [N m s/rad] force per rate
---@field stiffness? number|number[] [N m/rad] force per coordinate
---@field rest? number|number[] [rad] coordinate where the spring is relaxed
---@field friction? number|number[] [N m] dry friction
---@field frictionLaw? "regularized"|"stick"|"scene" regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene
---@field frictionRate? number|number[] [rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
---@field frictionStatic? number|number[] [N m] stick: what holds what does not slide, friction or more; 0: friction
---@field frictionStiffness? number|number[] [N m/rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate
---@field frictionFade? number|number[] [rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
---@field stopMin? number|number[] [rad] elastic stop; -1e300 is none
---@field stopMax? number|number[] [rad] elastic stop; 1e300 is none
---@field stopStiffness? number|number[] [N m/rad] force per depth d beyond a stop
---@field stopDamping? number|number[] [s/rad] the stop's force grows by 1 + stopDamping d'
---@field rotorInertia? number|number[] [kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
---@field gearRatio? number|number[] turns of the rotor per turn of the joint
---@field torque? carom.Signal|string [N m] signal that drives the joint
---@field motion? carom.Signal|string [rad] signal that prescribes the coordinate; it needs two derivatives

---Turns about an axis (z); coordinate: angle [rad].
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.revolute
---@return carom.Joint
function revolute(name, objectA, objectB, fields) end

---@class carom.fields.prismatic
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction, the same in both objects' frames
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field canCollide? boolean the two rigid groups may collide
---@field damping? number|number[] [N s/m] force per rate
---@field stiffness? number|number[] [N/m] force per coordinate
---@field rest? number|number[] [m] coordinate where the spring is relaxed
---@field friction? number|number[] [N] dry friction
---@field frictionLaw? "regularized"|"stick"|"scene" regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene
---@field frictionRate? number|number[] [m/s] regularized: rate below which friction fades to zero; 0.01 unless given
---@field frictionStatic? number|number[] [N] stick: what holds what does not slide, friction or more; 0: friction
---@field frictionStiffness? number|number[] [N/m] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate
---@field frictionFade? number|number[] [m/s] stick: rate over which static friction falls to friction; 1e-5 unless given
---@field stopMin? number|number[] [m] elastic stop; -1e300 is none
---@field stopMax? number|number[] [m] elastic stop; 1e300 is none
---@field stopStiffness? number|number[] [N/m] force per depth d beyond a stop
---@field stopDamping? number|number[] [s/m] the stop's force grows by 1 + stopDamping d'
---@field rotorInertia? number|number[] [kg] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
---@field gearRatio? number|number[] turns of the rotor per turn of the joint
---@field force? carom.Signal|string [N] signal that drives the joint
---@field motion? carom.Signal|string [m] signal that prescribes the coordinate; it needs two derivatives

---Slides along an axis (x); coordinate: position [m].
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.prismatic
---@return carom.Joint
function prismatic(name, objectA, objectB, fields) end

---@class carom.fields.cylindrical
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction, the same in both objects' frames
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field canCollide? boolean the two rigid groups may collide
---@field damping? number|number[] [N or N m s/m or rad] force per rate
---@field stiffness? number|number[] [N or N m/m or rad] force per coordinate
---@field rest? number|number[] [m or rad] coordinate where the spring is relaxed
---@field friction? number|number[] [N or N m] dry friction
---@field frictionLaw? "regularized"|"stick"|"scene" regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene
---@field frictionRate? number|number[] [m or rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
---@field frictionStatic? number|number[] [N or N m] stick: what holds what does not slide, friction or more; 0: friction
---@field frictionStiffness? number|number[] [N or N m/m or rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate
---@field frictionFade? number|number[] [m or rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
---@field stopMin? number|number[] [m or rad] elastic stop; -1e300 is none
---@field stopMax? number|number[] [m or rad] elastic stop; 1e300 is none
---@field stopStiffness? number|number[] [N or N m/m or rad] force per depth d beyond a stop
---@field stopDamping? number|number[] [s/m or rad] the stop's force grows by 1 + stopDamping d'
---@field rotorInertia? number|number[] [kg or kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
---@field gearRatio? number|number[] turns of the rotor per turn of the joint

---Slides along an axis (z) and turns about it; coordinates: position [m], angle [rad].
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.cylindrical
---@return carom.Joint
function cylindrical(name, objectA, objectB, fields) end

---@class carom.fields.universal
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" first axis, fixed in objectA
---@field axis2? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" second axis, fixed in objectB, not along the first
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field canCollide? boolean the two rigid groups may collide
---@field damping? number|number[] [N m s/rad] force per rate
---@field stiffness? number|number[] [N m/rad] force per coordinate
---@field rest? number|number[] [rad] coordinate where the spring is relaxed
---@field friction? number|number[] [N m] dry friction
---@field frictionLaw? "regularized"|"stick"|"scene" regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene
---@field frictionRate? number|number[] [rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
---@field frictionStatic? number|number[] [N m] stick: what holds what does not slide, friction or more; 0: friction
---@field frictionStiffness? number|number[] [N m/rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate
---@field frictionFade? number|number[] [rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
---@field stopMin? number|number[] [rad] elastic stop; -1e300 is none
---@field stopMax? number|number[] [rad] elastic stop; 1e300 is none
---@field stopStiffness? number|number[] [N m/rad] force per depth d beyond a stop
---@field stopDamping? number|number[] [s/rad] the stop's force grows by 1 + stopDamping d'
---@field rotorInertia? number|number[] [kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
---@field gearRatio? number|number[] turns of the rotor per turn of the joint

---Turns about an axis of A (z), then about one of B (x); coordinates: two angles [rad].
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.universal
---@return carom.Joint
function universal(name, objectA, objectB, fields) end

---@class carom.fields.spherical
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field canCollide? boolean the two rigid groups may collide
---@field damping? number|number[] [N m s/rad] force per rate

---Turns about a point; coordinates: quaternion (w, x, y, z), rates: angular velocity in A.
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.spherical
---@return carom.Joint
function spherical(name, objectA, objectB, fields) end

---@class carom.fields.planar
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction, the same in both objects' frames
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field canCollide? boolean the two rigid groups may collide
---@field damping? number|number[] [N or N m s/m or rad] force per rate
---@field stiffness? number|number[] [N or N m/m or rad] force per coordinate
---@field rest? number|number[] [m or rad] coordinate where the spring is relaxed
---@field friction? number|number[] [N or N m] dry friction
---@field frictionLaw? "regularized"|"stick"|"scene" regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene
---@field frictionRate? number|number[] [m or rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
---@field frictionStatic? number|number[] [N or N m] stick: what holds what does not slide, friction or more; 0: friction
---@field frictionStiffness? number|number[] [N or N m/m or rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate
---@field frictionFade? number|number[] [m or rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
---@field stopMin? number|number[] [m or rad] elastic stop; -1e300 is none
---@field stopMax? number|number[] [m or rad] elastic stop; 1e300 is none
---@field stopStiffness? number|number[] [N or N m/m or rad] force per depth d beyond a stop
---@field stopDamping? number|number[] [s/m or rad] the stop's force grows by 1 + stopDamping d'
---@field rotorInertia? number|number[] [kg or kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
---@field gearRatio? number|number[] turns of the rotor per turn of the joint

---Slides in the plane across an axis (z) and turns about it; coordinates: position x, y [m], angle [rad].
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.planar
---@return carom.Joint
function planar(name, objectA, objectB, fields) end

---@class carom.fields.screw
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction, the same in both objects' frames
---@field pitch number [m/rad] advance per angle; a thread of 2 mm a turn has 0.002 / (2 pi)
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field canCollide? boolean the two rigid groups may collide
---@field damping? number|number[] [N m s/rad] force per rate
---@field stiffness? number|number[] [N m/rad] force per coordinate
---@field rest? number|number[] [rad] coordinate where the spring is relaxed
---@field friction? number|number[] [N m] dry friction
---@field frictionLaw? "regularized"|"stick"|"scene" regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene
---@field frictionRate? number|number[] [rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
---@field frictionStatic? number|number[] [N m] stick: what holds what does not slide, friction or more; 0: friction
---@field frictionStiffness? number|number[] [N m/rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate
---@field frictionFade? number|number[] [rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
---@field stopMin? number|number[] [rad] elastic stop; -1e300 is none
---@field stopMax? number|number[] [rad] elastic stop; 1e300 is none
---@field stopStiffness? number|number[] [N m/rad] force per depth d beyond a stop
---@field stopDamping? number|number[] [s/rad] the stop's force grows by 1 + stopDamping d'
---@field rotorInertia? number|number[] [kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
---@field gearRatio? number|number[] turns of the rotor per turn of the joint
---@field torque? carom.Signal|string [N m] signal that drives the joint
---@field motion? carom.Signal|string [rad] signal that prescribes the coordinate; it needs two derivatives

---Turns about an axis (z) and advances along it; coordinate: angle [rad].
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.screw
---@return carom.Joint
function screw(name, objectA, objectB, fields) end

---@class carom.fields.freeMotion
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field canCollide? boolean the two rigid groups may collide
---@field damping? number|number[] [N s/m or N m s/rad] force per rate

---Six degrees of freedom; coordinates: position [m], then quaternion (w, x, y, z).
---@param name string
---@param objectA carom.Object|string object relative to which the coordinates count
---@param objectB carom.Object|string object that the coordinates move
---@param fields? carom.fields.freeMotion
---@return carom.Joint
function freeMotion(name, objectA, objectB, fields) end

---@class carom.fields.shaft
---@field inertia number|number[] [kg m^2] moment of inertia about the axis
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction, the same in both objects' frames
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field damping? number|number[] [N m s/rad] force per rate
---@field stiffness? number|number[] [N m/rad] force per coordinate
---@field rest? number|number[] [rad] coordinate where the spring is relaxed
---@field friction? number|number[] [N m] dry friction
---@field frictionLaw? "regularized"|"stick"|"scene" regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene
---@field frictionRate? number|number[] [rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
---@field frictionStatic? number|number[] [N m] stick: what holds what does not slide, friction or more; 0: friction
---@field frictionStiffness? number|number[] [N m/rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate
---@field frictionFade? number|number[] [rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
---@field stopMin? number|number[] [rad] elastic stop; -1e300 is none
---@field stopMax? number|number[] [rad] elastic stop; 1e300 is none
---@field stopStiffness? number|number[] [N m/rad] force per depth d beyond a stop
---@field stopDamping? number|number[] [s/rad] the stop's force grows by 1 + stopDamping d'
---@field torque? carom.Signal|string [N m] signal that drives the joint
---@field motion? carom.Signal|string [rad] signal that prescribes the coordinate; it needs two derivatives

---An inertia that turns in an object: a revolute joint that moves an object without mass, NAME.flange.
---@param name string
---@param objectA carom.Object|string object that it moves in, such as the world
---@param fields? carom.fields.shaft
---@return carom.Joint
function shaft(name, objectA, fields) end

---@class carom.fields.slider
---@field mass number|number[] [kg] what a force along the axis accelerates; gravity does not act on it
---@field axis? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" direction, the same in both objects' frames
---@field start? number|number[]|string coordinates at the start
---@field startRate? number|number[]|string rates at the start
---@field fixed? boolean|boolean[] keep the start values when loops are closed
---@field nominal? number|number[]|string typical magnitudes, for error control
---@field damping? number|number[] [N s/m] force per rate
---@field stiffness? number|number[] [N/m] force per coordinate
---@field rest? number|number[] [m] coordinate where the spring is relaxed
---@field friction? number|number[] [N] dry friction
---@field frictionLaw? "regularized"|"stick"|"scene" regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the limit; or scene
---@field frictionRate? number|number[] [m/s] regularized: rate below which friction fades to zero; 0.01 unless given
---@field frictionStatic? number|number[] [N] stick: what holds what does not slide, friction or more; 0: friction
---@field frictionStiffness? number|number[] [N/m] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal coordinate
---@field frictionFade? number|number[] [m/s] stick: rate over which static friction falls to friction; 1e-5 unless given
---@field stopMin? number|number[] [m] elastic stop; -1e300 is none
---@field stopMax? number|number[] [m] elastic stop; 1e300 is none
---@field stopStiffness? number|number[] [N/m] force per depth d beyond a stop
---@field stopDamping? number|number[] [s/m] the stop's force grows by 1 + stopDamping d'
---@field force? carom.Signal|string [N] signal that drives the joint
---@field motion? carom.Signal|string [m] signal that prescribes the coordinate; it needs two derivatives

---A mass that slides in an object: a prismatic joint that moves an object without mass, NAME.flange.
---@param name string
---@param objectA carom.Object|string object that it moves in, such as the world
---@param fields? carom.fields.slider
---@return carom.Joint
function slider(name, objectA, fields) end

---@class carom.fields.springDamper
---@field stiffness? number [N/m] force per elongation
---@field damping? number [N s/m] force per rate of elongation
---@field length? number [m] unstretched length
---@field table? number[][] [m, N] points {elongation, force} of a law that is added, joined by a monotone cubic and straight beyond
---@field tension? carom.Signal|string [N] signal that is added to what pulls both ends together

---A spring and damper between two origins.
---@param name string
---@param objectA carom.Object|string object at one end
---@param objectB carom.Object|string object at the other end
---@param fields? carom.fields.springDamper
---@return carom.Force
function springDamper(name, objectA, objectB, fields) end

---@class carom.fields.bushing
---@field stiffness? number|carom.Vec3 [N/m] force per displacement, for all axes or for each
---@field damping? number|carom.Vec3 [N s/m] force per velocity, likewise
---@field angularStiffness? number|carom.Vec3 [N m/rad] torque per small rotation, likewise
---@field angularDamping? number|carom.Vec3 [N m s/rad] torque per angular velocity, likewise
---@field preload? carom.Vec3 [N] force on objectB where both origins coincide

---Springs and dampers along and about three axes.
---@param name string
---@param objectA carom.Object|string object along and about whose axes it acts
---@param objectB carom.Object|string object that is held
---@param fields? carom.fields.bushing
---@return carom.Force
function bushing(name, objectA, objectB, fields) end

---@class carom.fields.force
---@field force carom.Vec3 [N] what acts, constant in the axes of frame
---@field factor? carom.Signal|string signal that what acts is multiplied by
---@field frame? carom.Object|string object whose axes count; none: the world
---@field objectB? carom.Object|string object that takes the opposite, at the same point

---A force at the origin of an object.
---@param name string
---@param objectA carom.Object|string object that it acts on
---@param fields? carom.fields.force
---@return carom.Force
function force(name, objectA, fields) end

---@class carom.fields.torque
---@field torque carom.Vec3 [N m] what acts, constant in the axes of frame
---@field factor? carom.Signal|string signal that what acts is multiplied by
---@field frame? carom.Object|string object whose axes count; none: the world
---@field objectB? carom.Object|string object that takes the opposite, at the same point

---A torque on an object.
---@param name string
---@param objectA carom.Object|string object that it acts on
---@param fields? carom.fields.torque
---@return carom.Force
function torque(name, objectA, fields) end

---@class carom.fields.cable
---@field through? (carom.Object|string)[] objects that it runs through or around, in order
---@field radii? number[] [m] of each of these: 0 for a point, else of a pulley about z; negative: the cable goes around clockwise
---@field length number [m] unstretched length
---@field stiffness number [N/m] tension per elongation
---@field damping? number [N s/m] tension per rate of elongation
---@field drum? carom.Joint|string joint whose coordinate winds the cable up
---@field drumRadius? number [m] length that it winds up per unit of its coordinate

---A cable over points and pulleys, which only pulls.
---@param name string
---@param objectA carom.Object|string object at one end
---@param objectB carom.Object|string object at the other end
---@param fields? carom.fields.cable
---@return carom.Force
function cable(name, objectA, objectB, fields) end

---@class carom.fields.coupling
---@field joints table<string, number> factors by joints of one degree of freedom: {joint = factor, …}; in Lua a key may be the joint itself
---@field offset? number [rad or m] what the sum of factor times coordinate is
---@field stiffness? number [N m/rad or N/m] of a coupling that gives way; without it and damping it is rigid
---@field damping? number [N m s/rad or N s/m] likewise
---@field backlash? number [rad or m] free play from one flank to the other

---An equation between coordinates of joints: their weighted sum is constant.
---@param name string
---@param fields? carom.fields.coupling
---@return carom.Coupling
function coupling(name, fields) end

---@class carom.fields.gearPair
---@field carrier? carom.Joint|string joint whose objectB is the arm on which the gears' centres move
---@field ratio? number turns of the first gear for one of the second; or teethA and teethB
---@field teethA? number of the first gear
---@field teethB? number of the second gear
---@field internal? boolean one gear has its teeth inside: both turn the same way
---@field module? number [m] of involute teeth, which give way as their numbers say; needs teeth and faceWidth
---@field pressureAngle? number [rad] with a module: of the tool, below pi/4; 20 degrees unless given
---@field shiftA? number with a module: shift of the first gear's profile, in modules
---@field shiftB? number likewise, of the second
---@field faceWidth? number [m] with a module: how long teeth are along their axes
---@field E? number [N/m^2] with a module: Young's modulus of both gears; 2.06e11 unless given
---@field tipRelief? number [m] with a module: what is taken off at the tips of both
---@field offset? number [rad] what the sum of factor times coordinate is
---@field stiffness? number [N m/rad] of a coupling that gives way; without it and damping it is rigid
---@field damping? number [N m s/rad] likewise
---@field backlash? number [rad] free play from one flank to the other
---@field efficiency? number share of the power that reaches the driven side, above 0 to 1; needs a stiffness
---@field efficiencyBack? number likewise, where the second joint drives the first; efficiency unless given

---Two gears that mesh.
---@param name string
---@param jointA carom.Joint|string joint that turns the first gear
---@param jointB carom.Joint|string joint that turns the second gear
---@param fields? carom.fields.gearPair
---@return carom.Coupling
function gearPair(name, jointA, jointB, fields) end

---@class carom.fields.rackPair
---@field radius number [m] of the pinion; negative: the rack moves the other way
---@field offset? number [m] what the sum of factor times coordinate is
---@field stiffness? number [N/m] of a coupling that gives way; without it and damping it is rigid
---@field damping? number [N s/m] likewise
---@field backlash? number [m] free play from one flank to the other
---@field efficiency? number share of the power that reaches the driven side, above 0 to 1; needs a stiffness
---@field efficiencyBack? number likewise, where the second joint drives the first; efficiency unless given

---A pinion that moves a rack.
---@param name string
---@param pinion carom.Joint|string joint that turns the pinion
---@param rack carom.Joint|string prismatic joint of the rack
---@param fields? carom.fields.rackPair
---@return carom.Coupling
function rackPair(name, pinion, rack, fields) end

---@class carom.fields.belt
---@field radiusA number [m] of the first pulley
---@field radiusB number [m] of the second pulley
---@field crossed? boolean the pulleys turn in opposite directions
---@field offset? number [m] what the sum of factor times coordinate is
---@field stiffness? number [N/m] of a coupling that gives way; without it and damping it is rigid
---@field damping? number [N s/m] likewise
---@field backlash? number [m] free play from one flank to the other
---@field efficiency? number share of the power that reaches the driven side, above 0 to 1; needs a stiffness
---@field efficiencyBack? number likewise, where the second joint drives the first; efficiency unless given

---A belt or chain around two pulleys.
---@param name string
---@param jointA carom.Joint|string joint that turns the first pulley
---@param jointB carom.Joint|string joint that turns the second pulley
---@param fields? carom.fields.belt
---@return carom.Coupling
function belt(name, jointA, jointB, fields) end

---@class carom.fields.flexibleCoupling
---@field offset? number [rad or m] what the sum of factor times coordinate is
---@field stiffness? number [N m/rad or N/m] of a coupling that gives way; without it and damping it is rigid
---@field damping? number [N m s/rad or N s/m] likewise
---@field backlash? number [rad or m] free play from one flank to the other

---A spring and damper between two joints, with backlash.
---@param name string
---@param jointA carom.Joint|string joint at one end
---@param jointB carom.Joint|string joint at the other end
---@param fields? carom.fields.flexibleCoupling
---@return carom.Coupling
function flexibleCoupling(name, jointA, jointB, fields) end

---@class carom.fields.clutch
---@field friction number [N m or N] what it transmits while it slides
---@field engagement? carom.Signal|string signal: share of the friction, from 0, open, to 1; all of it unless given
---@field frictionStatic? number [N m or N] what holds what does not slide; friction unless given
---@field frictionStiffness? number [N m/rad or N/m] force per stretch before it slides; it slides after 1e-5 of the joint's nominal coordinate unless given
---@field frictionFade? number [rad/s or m/s] rate over which static friction falls to friction; 1e-5 unless given

---Dry friction between two joints that sticks, engaged by a signal.
---@param name string
---@param jointA carom.Joint|string joint on one side
---@param jointB carom.Joint|string joint on the other side
---@param fields? carom.fields.clutch
---@return carom.Coupling
function clutch(name, jointA, jointB, fields) end

---@class carom.fields.brake
---@field friction number [N m or N] what it transmits while it slides
---@field engagement? carom.Signal|string signal: share of the friction, from 0, open, to 1; all of it unless given
---@field frictionStatic? number [N m or N] what holds what does not slide; friction unless given
---@field frictionStiffness? number [N m/rad or N/m] force per stretch before it slides; it slides after 1e-5 of the joint's nominal coordinate unless given
---@field frictionFade? number [rad/s or m/s] rate over which static friction falls to friction; 1e-5 unless given

---Dry friction in a joint that sticks, engaged by a signal.
---@param name string
---@param joint carom.Joint|string joint that it brakes and holds
---@param fields? carom.fields.brake
---@return carom.Coupling
function brake(name, joint, fields) end

---@class carom.fields.motor
---@field voltage carom.Signal|string [V] signal
---@field resistance number [Ohm] of the winding
---@field inductance? number [H] of the winding; 0: the current follows the voltage at once
---@field torqueConstant number [N m/A or N/A] torque per current, voltage per rate

---A winding with a current that moves a joint.
---@param name string
---@param joint carom.Joint|string joint that it moves; its gearRatio and rotorInertia count
---@param fields? carom.fields.motor
---@return carom.Coupling
function motor(name, joint, fields) end

---@class carom.fields.constant
---@field value number its value at all times

---Always the same.
---@param name string
---@param fields? carom.fields.constant
---@return carom.Signal
function constant(name, fields) end

---@class carom.fields.sine
---@field amplitude number largest distance from the offset
---@field frequency number [Hz] periods per second
---@field phase? number [rad] angle at time 0
---@field offset? number added to it

---offset + amplitude sin(2 pi frequency t + phase); has two derivatives.
---@param name string
---@param fields? carom.fields.sine
---@return carom.Signal
function sine(name, fields) end

---@class carom.fields.ramp
---@field height number how far it goes from the offset
---@field duration number [s] of the way up
---@field start? number [s] when it begins
---@field offset? number added to it

---A straight line from one value to another.
---@param name string
---@param fields? carom.fields.ramp
---@return carom.Signal
function ramp(name, fields) end

---@class carom.fields.step
---@field height number how far it goes from the offset
---@field start? number [s] when it begins
---@field offset? number added to it

---A jump.
---@param name string
---@param fields? carom.fields.step
---@return carom.Signal
function step(name, fields) end

---@class carom.fields.trapezoid
---@field height number how far it goes from the offset
---@field rise number [s] time of the way up
---@field hold number [s] time at the top
---@field fall number [s] time of the way down
---@field start? number [s] when it begins
---@field offset? number added to it

---Up, along, and down again in straight lines.
---@param name string
---@param fields? carom.fields.trapezoid
---@return carom.Signal
function trapezoid(name, fields) end

---@class carom.fields.timeTable
---@field times number[] [s] ascending
---@field values number[] one per time; before and behind the end values hold
---@field interpolation? "linear"|"cubic" linear; or cubic: two continuous derivatives, at rest at both ends

---Values at given times and between.
---@param name string
---@param fields? carom.fields.timeTable
---@return carom.Signal
function timeTable(name, fields) end

---@class carom.fields.path
---@field values number[] way points; it is at rest at each
---@field maxVelocity number [1/s] largest derivative
---@field maxAcceleration number [1/s^2] largest second derivative
---@field maxJerk? number [1/s^3] largest third derivative; none: not limited
---@field sync? (carom.Signal|string)[] paths whose legs all take as long as the slowest of them and this one; with as many values
---@field start? number [s] when it begins

---From way point to way point in the shortest time; has two derivatives.
---@param name string
---@param fields? carom.fields.path
---@return carom.Signal
function path(name, fields) end

---@class carom.fields.spline
---@field input carom.Signal|string what it is a function of
---@field points number[] values of the input, ascending
---@field values number[] one per point; straight on beyond the ends

---A smooth function of another signal; has two derivatives where that has.
---@param name string
---@param fields? carom.fields.spline
---@return carom.Signal
function spline(name, fields) end

---@class carom.fields.sum
---@field inputs (carom.Signal|string)[] what is added
---@field factors? number[] of the inputs; 1 unless given

---The sum of signals; has the derivatives that all of them have.
---@param name string
---@param fields? carom.fields.sum
---@return carom.Signal
function sum(name, fields) end

---@class carom.fields.product
---@field inputs (carom.Signal|string)[] what is multiplied

---The product of signals; has the derivatives that all of them have.
---@param name string
---@param fields? carom.fields.product
---@return carom.Signal
function product(name, fields) end

---@class carom.fields.limit
---@field input carom.Signal|string what is limited
---@field max? number largest value; 1e300 is none
---@field min? number smallest value; -1e300 is none

---A signal kept between two bounds; has no derivatives.
---@param name string
---@param fields? carom.fields.limit
---@return carom.Signal
function limit(name, fields) end

---@class carom.fields.servo
---@field input carom.Signal|string coordinate to go to
---@field joint carom.Joint|string joint whose coordinate and rate are controlled
---@field positionGain number [1/s] wanted rate per error of the coordinate
---@field velocityGain number output per error of the rate
---@field integralTime number [s] in which the integral doubles the output

---A proportional controller of position around a proportional-integral one of velocity; the output is a torque, force or voltage.
---@param name string
---@param fields? carom.fields.servo
---@return carom.Signal
function servo(name, fields) end

---@class carom.fields.dcMotor
---@field input carom.Signal|string [V] voltage
---@field joint carom.Joint|string joint that it turns; its gearRatio and rotorInertia count
---@field resistance number [Ohm] of the winding
---@field inductance number [H] of the winding
---@field torqueConstant number [N m/A] torque per current, voltage per rate

---Torque of an electric motor behind a gear, its current being a state.
---@param name string
---@param fields? carom.fields.dcMotor
---@return carom.Signal
function dcMotor(name, fields) end

---@class carom.fields.frameSensor
---@field objectA carom.Object|string object relative to which is measured
---@field objectB carom.Object|string object that is measured
---@field quantity? "distance"|"position"|"velocity"|"acceleration"|"angle"|"angularVelocity"|"angularAcceleration"|"distanceRate" distance, position, velocity, acceleration, angle (about x, new y, new z), angularVelocity, angularAcceleration, distanceRate
---@field component? "x"|"y"|"z" of a vector: x, y or z
---@field frame? carom.Object|string object whose axes are used; none: the world's

---How one object is placed and moves relative to another.
---@param name string
---@param fields? carom.fields.frameSensor
---@return carom.Signal
function frameSensor(name, fields) end

---@class carom.fields.jointSensor
---@field joint carom.Joint|string what is measured
---@field quantity? "position"|"rate"|"acceleration" position, rate, acceleration
---@field degree? integer which degree of freedom; 1 is the first

---A coordinate of a joint, or its derivatives.
---@param name string
---@param fields? carom.fields.jointSensor
---@return carom.Signal
function jointSensor(name, fields) end

---@class carom.fields.reactionSensor
---@field joint carom.Joint|string what is measured
---@field quantity? "force"|"torque" force, torque
---@field component? "x"|"y"|"z" of a vector: x, y or z
---@field frame? carom.Object|string object whose axes are used; none: the world's

---What a joint transmits to its objectB, about the origin of that.
---@param name string
---@param fields? carom.fields.reactionSensor
---@return carom.Signal
function reactionSensor(name, fields) end

---@class carom.fields.subtreeSensor
---@field object carom.Object|string it and all that it carries is measured
---@field quantity? "energy"|"kineticEnergy"|"potentialEnergy"|"momentum"|"angularMomentum" energy, kineticEnergy, potentialEnergy, momentum, angularMomentum (about the world's origin)
---@field component? "x"|"y"|"z" of a vector: x, y or z
---@field frame? carom.Object|string object whose axes are used; none: the world's

---Energy or momentum of an object and all that it carries.
---@param name string
---@param fields? carom.fields.subtreeSensor
---@return carom.Signal
function subtreeSensor(name, fields) end

---@class carom.fields.contactSensor
---@field object carom.Object|string on whose solids contacts act
---@field other? carom.Object|string object that touches it; none: whatever does
---@field quantity? "force"|"torque"|"normalForce"|"area"|"pressure"|"depth" sums of force, torque (about the object's origin), normalForce, area; largest pressure, depth
---@field component? "x"|"y"|"z" of a vector: x, y or z
---@field frame? carom.Object|string object whose axes are used; none: the world's

---What contacts do to an object, all of them or those with another.
---@param name string
---@param fields? carom.fields.contactSensor
---@return carom.Signal
function contactSensor(name, fields) end

---@class carom.fields.distanceSensor
---@field objectA carom.Object|string one object with a contact material
---@field objectB carom.Object|string the other one
---@field quantity? "distance"|"normal" distance of their solids (negative: depth), normal at the nearest points, from A to B
---@field component? "x"|"y"|"z" of a vector: x, y or z
---@field frame? carom.Object|string object whose axes are used; none: the world's

---How far the solids of two objects are apart.
---@param name string
---@param fields? carom.fields.distanceSensor
---@return carom.Signal
function distanceSensor(name, fields) end

---@class carom.fields.raySensor
---@field object carom.Object|string from whose origin the ray comes
---@field other? carom.Object|string object whose solids it can meet; none: all but its own
---@field direction? carom.Vec3|"x"|"y"|"z"|"-x"|"-y"|"-z" in the object's axes; x unless given
---@field range number [m] how far it reaches, and what it tells when it meets nothing
---@field quantity? "distance"|"normal"|"object" distance, normal of what it meets, object (its number in the scene, 0 for none)
---@field component? "x"|"y"|"z" of a vector: x, y or z
---@field frame? carom.Object|string object whose axes are used; none: the world's

---What a ray from an object meets first.
---@param name string
---@param fields? carom.fields.raySensor
---@return carom.Signal
function raySensor(name, fields) end

---@class carom.fields.imu
---@field object carom.Object|string that it is fixed to, and whose axes it has
---@field quantity? "specificForce"|"angularVelocity" specificForce (acceleration less gravity), angularVelocity
---@field component? "x"|"y"|"z" of a vector: x, y or z

---What an inertial measurement unit feels, in the axes of its object.
---@param name string
---@param fields? carom.fields.imu
---@return carom.Signal
function imu(name, fields) end

---@class carom.fields.couplingSensor
---@field coupling carom.Coupling|string what is measured
---@field quantity? "force"|"deflection"|"current" force; deflection of what gives way, of a clutch or a brake; current of a motor

---What a coupling, clutch, brake or motor does.
---@param name string
---@param fields? carom.fields.couplingSensor
---@return carom.Signal
function couplingSensor(name, fields) end

---@class carom.fields.input
---@field start? number value until another one is set; 0 unless given
---@field unit? string for people who read results
---@field nominal? number typical magnitude, for linearization; 1

---A number that is set from outside; held between.
---@param name string
---@param fields? carom.fields.input
---@return carom.Signal
function input(name, fields) end

---@class carom.fields.output
---@field signal carom.Signal|string what is shown outside
---@field unit? string for people who read results

---A signal that is shown outside.
---@param name string
---@param fields? carom.fields.output
---@return carom.Signal
function output(name, fields) end

---@class carom.fields.userFunction
---@field code string Lua text that returns the value
---@field inputs? table<string, carom.Signal|string> signals by the names that the code has for them
---@field parameters? table<string, number> numbers by the names that the code has for them

---A function of signals and of `time`, in Lua.
---@param name string
---@param fields? carom.fields.userFunction
---@return carom.Signal
function userFunction(name, fields) end

---@class carom.fields.sampled
---@field code string Lua text that assigns new states and returns the value
---@field period number [s] time between two calls; between them the value is held
---@field start? number [s] of the first call; 0 unless given
---@field value? number before the first call; 0 unless given
---@field state? table<string, number> variables that the code keeps, with their start values
---@field inputs? table<string, carom.Signal|string> signals by the names that the code has for them
---@field parameters? table<string, number> numbers by the names that the code has for them

---A function that is called at a fixed rate, held between, with states.
---@param name string
---@param fields? carom.fields.sampled
---@return carom.Signal
function sampled(name, fields) end

---@class carom.fields.pick
---@field signal carom.Signal|string a sampled function, a servo or a motor
---@field state string name of the state: its own; integral; current
---@field unit? string for people who read results

---A state of another signal.
---@param name string
---@param fields? carom.fields.pick
---@return carom.Signal
function pick(name, fields) end

---@class carom.fields.pid
---@field input carom.Signal|string what is measured
---@field reference carom.Signal|string what it should be
---@field period number [s] time between two calls; between them the value is held
---@field gain number value per error
---@field integralGain? number [1/s] rate of the value per error
---@field derivativeGain? number [s] value per rate of what is measured
---@field filterTime? number [s] in which the derivative is smoothed
---@field max? number largest value; 1e300 is none
---@field min? number smallest value; -1e300 is none
---@field start? number [s] of the first call; 0 unless given
---@field value? number before the first call; 0 unless given

---A digital proportional-integral-derivative controller with limits.
---@param name string
---@param fields? carom.fields.pid
---@return carom.Signal
function pid(name, fields) end

---@class carom.fields.fmu
---@field file string FMU for Co-Simulation (FMI 2.0), beside the model; --allow-fmu lets its code run
---@field period number [s] time between two communication points; between them inputs and outputs are held
---@field inputs? table<string, carom.Signal|string> signals by the names of its inputs; others keep their start values
---@field parameters? table<string, number> numbers by the names of its parameters
---@field outputs? string[] names of its variables, the first of which is the value, and all of which can be picked; all outputs unless given
---@field start? number [s] of the first communication point; 0 unless given
---@field value? number of all outputs before that; 0 unless given

---An FMU of another tool, for Co-Simulation.
---@param name string
---@param fields? carom.fields.fmu
---@return carom.Signal
function fmu(name, fields) end
