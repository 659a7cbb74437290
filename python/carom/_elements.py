"""The constructors of models, with the names and fields of those in Lua. Written by generate_elements.py: do not edit.

Fields that are not given have the library's defaults; docs/reference.md has all of them.
"""
from __future__ import annotations

from typing import Any, Callable, Literal, Mapping, Optional, Sequence, Union

from ._parts import Element, Feature, Shape, make_part

Numbers = Union[Sequence[float], Any]  # a list, a tuple or an array
Vector = Numbers  # three numbers
Axis = Union[Literal["x", "y", "z", "-x", "-y", "-z"], Vector]
Scale = Union[float, Vector]
Rotation = Union[Numbers, Mapping[str, Any], Sequence[Vector]]
Color = Union[str, Numbers]
ProfilePoint = Union[Numbers, Mapping[str, Any]]  # {"to": [x, y], "involute": radius}, ...
Gravity = Union[Literal["none"], Vector, Mapping[str, Any]]


def sphere(*, radius: Optional[float] = None, diameter: Optional[float] = None, inflate: Optional[float] = None,
           hollow: Optional[bool] = None, pieceError: Optional[float] = None) -> Shape:
    """A ball.

    radius: [m] radius
    diameter: [m] instead of the radius
    inflate: [m] radius of a ball added outside, for contact
    hollow: a room of this size with a solid all around it, without mass
    pieceError: [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of
        straight sides
    """
    return make_part(Shape, "sphere", locals())


def ellipsoid(*, radii: Vector, axis: Optional[Axis] = None, inflate: Optional[float] = None) -> Shape:
    """An ellipsoid.

    radii: [m] semi-axes along x, y, z (required)
    axis: direction of the shape's own axis
    inflate: [m] radius of a ball added outside, for contact
    """
    return make_part(Shape, "ellipsoid", locals())


def box(*, size: Vector, axis: Optional[Axis] = None, rounding: Optional[float] = None,
        inflate: Optional[float] = None, hollow: Optional[bool] = None) -> Shape:
    """A block.

    size: [m] full edges along x, y, z (required)
    axis: direction of the shape's own axis
    rounding: [m] radius of edges and corners, inside the size; at most half the smallest dimension
    inflate: [m] radius of a ball added outside, for contact
    hollow: a room of this size with a solid all around it, without mass
    """
    return make_part(Shape, "box", locals())


def cylinder(*, length: float, radius: Optional[float] = None, diameter: Optional[float] = None,
             boreRadius: Optional[float] = None, boreDiameter: Optional[float] = None, axis: Optional[Axis] = None,
             rounding: Optional[float] = None, inflate: Optional[float] = None, hollow: Optional[bool] = None,
             pieceError: Optional[float] = None) -> Shape:
    """A cylinder, with or without a bore.

    radius: [m] radius
    diameter: [m] instead of the radius
    length: [m] length along the axis (z) (required)
    boreRadius: [m] of a hole along the axis; counts for mass and pictures, not for contact
    boreDiameter: [m] instead of boreRadius
    axis: direction of the shape's own axis
    rounding: [m] radius of edges and corners, inside the size; at most half the smallest dimension
    inflate: [m] radius of a ball added outside, for contact
    hollow: a room of this size with a solid all around it, without mass
    pieceError: [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of
        straight sides
    """
    return make_part(Shape, "cylinder", locals())


def cone(*, length: float, radius: Optional[float] = None, diameter: Optional[float] = None,
         topRadius: Optional[float] = None, topDiameter: Optional[float] = None, axis: Optional[Axis] = None,
         rounding: Optional[float] = None, inflate: Optional[float] = None, hollow: Optional[bool] = None,
         pieceError: Optional[float] = None) -> Shape:
    """A cone or frustum, its frame in the centre of the base.

    radius: [m] of the base, at the origin
    diameter: [m] instead of the radius
    length: [m] from base to tip along the axis (z) (required)
    topRadius: [m] of a frustum; 0 is a cone
    topDiameter: [m] instead of topRadius
    axis: direction of the shape's own axis
    rounding: [m] radius of edges and corners, inside the size; at most half the smallest dimension
    inflate: [m] radius of a ball added outside, for contact
    hollow: a room of this size with a solid all around it, without mass
    pieceError: [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of
        straight sides
    """
    return make_part(Shape, "cone", locals())


def capsule(*, length: float, radius: Optional[float] = None, diameter: Optional[float] = None,
            axis: Optional[Axis] = None, inflate: Optional[float] = None) -> Shape:
    """A cylinder with two half balls.

    radius: [m] radius
    diameter: [m] instead of the radius
    length: [m] of the cylindrical part, along the axis (z) (required)
    axis: direction of the shape's own axis
    inflate: [m] radius of a ball added outside, for contact
    """
    return make_part(Shape, "capsule", locals())


def beam(*, length: float, width: float, height: float, axis: Optional[Axis] = None, rounding: Optional[float] = None,
         inflate: Optional[float] = None) -> Shape:
    """A box with two half-cylinder ends.

    length: [m] between the centres of the round ends, along the axis (x) (required)
    width: [m] along y, the diameter of the ends (required)
    height: [m] along z (required)
    axis: direction of the shape's own axis
    rounding: [m] radius of edges and corners, inside the size; at most half the smallest dimension
    inflate: [m] radius of a ball added outside, for contact
    """
    return make_part(Shape, "beam", locals())


def halfSpace(*, axis: Optional[Axis] = None, inflate: Optional[float] = None) -> Shape:
    """Everything below z = 0 of its frame.

    axis: direction of the shape's own axis
    inflate: [m] radius of a ball added outside, for contact
    """
    return make_part(Shape, "halfSpace", locals())


def hull(*, points: Sequence[Vector], axis: Optional[Axis] = None, rounding: Optional[float] = None,
         inflate: Optional[float] = None) -> Shape:
    """The convex hull of points.

    points: [m] at least four, not in one plane (required)
    axis: direction of the shape's own axis
    rounding: [m] radius of edges and corners, inside the size; at most half the smallest dimension
    inflate: [m] radius of a ball added outside, for contact
    """
    return make_part(Shape, "hull", locals())


def mesh(*, file: str, scale: Optional[Scale] = None, pieces: Optional[Literal["given", "decompose"]] = None,
         error: Optional[float] = None, axis: Optional[Axis] = None, rounding: Optional[float] = None,
         inflate: Optional[float] = None) -> Shape:
    """Triangles from a file; each object or group of an OBJ is one convex piece.

    file: STL, OBJ or COLLADA file, beside the model (required)
    scale: factor, or one per axis
    pieces: what it touches with: the hull of each given piece, or convex pieces that are made of it
    error: [m] how far pieces that are made may go beyond the mesh; 0: 1e-6 of its diagonal
    axis: direction of the shape's own axis
    rounding: [m] radius of edges and corners, inside the size; at most half the smallest dimension
    inflate: [m] radius of a ball added outside, for contact
    """
    return make_part(Shape, "mesh", locals())


def heightField(*, width: float, length: float, heights: Optional[Sequence[Numbers]] = None,
                file: Optional[str] = None, height: Optional[float] = None, depth: Optional[float] = None,
                refine: Optional[int] = None, facets: Optional[bool] = None, axis: Optional[Axis] = None,
                inflate: Optional[float] = None) -> Shape:
    """Ground over a rectangle: smooth for balls and wheels, in facets for all else.

    heights: [m] rows from -y to y, each from -x to x
    file: instead of heights: a PNG file beside the model, grey, of 8 or 16 bits; its upper edge is at y
    height: [m] of white in the file; black is 0; 0: 1
    width: [m] along x (required)
    length: [m] along y (required)
    depth: [m] how far the ground goes on below its lowest height; 0: a tenth of the width
    refine: facets along each edge of a cell, of a smooth surface through the heights, for all but balls; 0: 1
    facets: balls and cylinders touch facets as well, and not the smooth surface
    axis: direction of the shape's own axis
    inflate: [m] radius of a ball added outside, for contact
    """
    return make_part(Shape, "heightField", locals())


def revolved(*, profile: Sequence[ProfilePoint], open: Optional[bool] = None, inside: Optional[bool] = None,
             error: Optional[float] = None, axis: Optional[Axis] = None, pieceError: Optional[float] = None) -> Shape:
    """A profile of lines, arcs and splines, turned about its axis; touches balls, and all else by convex pieces.

    profile: [m] [distance from the axis, z] of points in turn, with the way that leads to one (required)
    open: the profile ends at its last point: a surface without mass, with the solid on the left of the way along it
    inside: the solid is on the other side: around a closed profile, right of an open one; without mass
    error: [m] how far the arcs that splines are made of may be beside them; 0: 1e-7 of the size
    axis: direction of the shape's own axis
    pieceError: [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of
        straight sides
    """
    return make_part(Shape, "revolved", locals())


def extruded(*, profile: Sequence[ProfilePoint], length: float, open: Optional[bool] = None,
             inside: Optional[bool] = None, error: Optional[float] = None, axis: Optional[Axis] = None,
             pieceError: Optional[float] = None) -> Shape:
    """A profile of lines, arcs, involutes and splines, drawn along its axis; touches balls, what is parallel to it, and all else by convex pieces.

    profile: [m] [x, y] of points in turn, with the way that leads to one (required)
    open: the profile ends at its last point: a surface without mass, with the solid on the left of the way along it
    inside: the solid is on the other side: around a closed profile, right of an open one; without mass
    error: [m] how far the arcs that splines are made of may be beside them; 0: 1e-7 of the size
    length: [m] along the axis (z) (required)
    axis: direction of the shape's own axis
    pieceError: [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of
        straight sides
    """
    return make_part(Shape, "extruded", locals())


def involuteGear(*, teeth: int, module: float, length: float, pressureAngle: Optional[float] = None,
                 shift: Optional[float] = None, backlash: Optional[float] = None, tipRelief: Optional[float] = None,
                 axis: Optional[Axis] = None, pieceError: Optional[float] = None) -> Shape:
    """A spur gear with involute teeth, an extruded shape; a tooth is about x.

    teeth: number of teeth (required)
    module: [m] diameter of the pitch circle over the number of teeth (required)
    length: [m] along the axis (z) (required)
    pressureAngle: [rad] of the tool, below pi/4; 20 degrees unless given
    shift: shift of the profile, in modules
    backlash: [m] that each tooth is thinner by, along the pitch circle
    tipRelief: [m] what is taken off at the tips, of the last half module of flanks
    axis: direction of the shape's own axis
    pieceError: [m] of a surface: how far convex pieces may be off that all but balls touch; 0: none, but exact ones of
        straight sides
    """
    return make_part(Shape, "involuteGear", locals())


def coordinateSystem(*, length: float) -> Shape:
    """Three arrows; for pictures only.

    length: [m] of each arrow (required)
    """
    return make_part(Shape, "coordinateSystem", locals())


def grid(*, width: float, length: float, spacing: float, axis: Optional[Axis] = None) -> Shape:
    """Lines in the x-y plane; for pictures only.

    width: [m] along x (required)
    length: [m] along y (required)
    spacing: [m] of the lines (required)
    axis: direction of the shape's own axis
    """
    return make_part(Shape, "grid", locals())


def coil(*, length: float, wireRadius: float, windings: int, radius: Optional[float] = None,
         diameter: Optional[float] = None, axis: Optional[Axis] = None) -> Shape:
    """A drawn spring; for pictures only.

    radius: [m] of the winding
    diameter: [m] instead of the radius
    length: [m] along the axis (z) (required)
    wireRadius: [m] of the wire (required)
    windings: number of turns (required)
    axis: direction of the shape's own axis
    """
    return make_part(Shape, "coil", locals())


def gearWheel(*, length: float, teeth: int, radius: Optional[float] = None, diameter: Optional[float] = None,
              boreRadius: Optional[float] = None, axis: Optional[Axis] = None) -> Shape:
    """A gear; for pictures only.

    radius: [m] to the tips of the teeth
    diameter: [m] instead of the radius
    length: [m] along the axis (z) (required)
    boreRadius: [m] of a hole along the axis
    teeth: number of teeth (required)
    axis: direction of the shape's own axis
    """
    return make_part(Shape, "gearWheel", locals())


def text(*, string: str, height: float, axis: Optional[Axis] = None) -> Shape:
    """Letters in the x-y plane; for pictures only.

    string: what it says (required)
    height: [m] of a capital letter (required)
    axis: direction of the shape's own axis
    """
    return make_part(Shape, "text", locals())


def solid(*, shape: Shape, material: Optional[str] = None, mass: Optional[float] = None, contact: Optional[str] = None,
          visual: Optional[str] = None, group: Optional[int] = None, mask: Optional[int] = None,
          contactRadius: Optional[float] = None, surfaceVelocity: Optional[Vector] = None) -> Feature:
    """Geometry with any of a mass, a contact material and a look.

    shape: its geometry (required)
    material: solid material that gives the density
    mass: [kg] instead of the density
    contact: solid material that it touches with; none: no contact
    visual: visual material or colour; none: not drawn
    group: bits of the collision groups that it belongs to
    mask: bits of the groups that it collides with
    contactRadius: [m] radius of curvature for the contact law, instead of the shape's
    surfaceVelocity: [m/s] of its surface relative to the object, in the object's axes: a conveyor belt
    """
    return make_part(Feature, "solid", locals())


def visual(*, shape: Shape, visual: Optional[str] = None) -> Feature:
    """Geometry for pictures only.

    shape: its geometry (required)
    visual: visual material or colour
    """
    return make_part(Feature, "visual", locals())


def mass(*, mass: float, com: Optional[Vector] = None, inertia: Optional[Numbers] = None,
         policy: Optional[Literal["strict", "given", "balance"]] = None) -> Feature:
    """Mass, centre and inertia given directly.

    mass: [kg] mass (required)
    com: [m] centre of mass in the object's frame
    inertia: [kg m^2] about the centre of mass: [xx, yy, zz], [xx, yy, zz, xy, xz, yz], or three rows
    policy: for what no rigid body has: strict (refused), given (taken as it is), balance (the nearest that exists)
    """
    return make_part(Feature, "mass", locals())


def light(*, kind: Optional[Literal["ambient", "directional", "point", "spot"]] = None, color: Optional[Color] = None,
          intensity: Optional[float] = None, shadows: Optional[bool] = None) -> Feature:
    """A hint for pictures.

    kind: ambient, directional, point or spot; shines along -z
    color: as of a visual material
    intensity: brightness, 1 is normal
    shadows: casts shadows
    """
    return make_part(Feature, "light", locals())


def camera(*, fieldOfView: Optional[float] = None) -> Feature:
    """A hint for pictures.

    fieldOfView: [rad] vertical; looks along -z, y up
    """
    return make_part(Feature, "camera", locals())


class Elements:
    """What a scene can be given; each returns the path of what it made."""

    _add: Callable[..., Element]

    def object(self, name: str, *features: Feature, parent: Optional[str] = None, position: Optional[Vector] = None,
               rotation: Optional[Rotation] = None, velocity: Optional[Vector] = None,
               angularVelocity: Optional[Vector] = None, start: Optional[Literal["pose", "rest"]] = None,
               canCollide: Optional[bool] = None, free: Optional[bool] = None) -> Element:
        """A coordinate system with features.

        name: path of the object (required)
        features: what it is made of
        parent: object that it is fixed to, or starts from when it is free
        position: [m] origin in the parent's frame
        rotation: angles [a, b, c] about x, new y, new z; {axis, angle}; quaternion [w, x, y, z] of any length; or
            three rows
        velocity: [m/s] start value of a free object, in world axes
        angularVelocity: [rad/s] start value of a free object, in world axes
        start: of a free object: pose (where it is put), rest (moved along gravity until what it lies on carries it)
        canCollide: false: its contact materials are not used
        free: moves with six degrees of freedom
        """
        return self._add("objects", None, locals())

    def world(self, name: str, *features: Feature, canCollide: Optional[bool] = None) -> Element:
        """The one inertial frame, which does not move.

        name: path of the object (required)
        features: what it is made of
        canCollide: false: its contact materials are not used
        """
        return self._add("objects", 'world', locals())

    def solidMaterial(self, name: str, *, density: float, E: Optional[float] = None,
                      nu: Optional[float] = None) -> Element:
        """Constants of one solid.

        name: name of the material (required)
        density: [kg/m^3] mass per volume (required)
        E: [N/m^2] Young's modulus; needed for contact
        nu: Poisson's ratio; needed for contact
        """
        return self._add("solidMaterials", None, locals())

    def contactPair(self, materialA: str, materialB: str, *, cor: float, muK: float, muR: float,
                    response: Optional[Literal["elastic", "springDamper", "penalty", "impulsive", "observer", "scene"]] = None,
                    formula: Optional[Literal["flores", "exact", "scene"]] = None,
                    touch: Optional[Literal["area", "point", "scene"]] = None,
                    geometry: Optional[Literal["radius", "table", "hertz", "scene"]] = None,
                    friction: Optional[Literal["regularized", "stick", "scene"]] = None, muS: Optional[float] = None,
                    slipFade: Optional[float] = None, tangentialRatio: Optional[float] = None,
                    tangentialDamping: Optional[float] = None, kRed: Optional[float] = None,
                    vMin: Optional[float] = None, wMin: Optional[float] = None, hysteresis: Optional[float] = None,
                    stiffness: Optional[float] = None, damping: Optional[float] = None) -> Element:
        """Constants of two solids in contact.

        materialA: one solid material, or "*" for any (required)
        materialB: the other, likewise; the order does not matter (required)
        cor: coefficient of restitution, 0 to 1 (required)
        muK: sliding friction coefficient (required)
        muR: rolling resistance coefficient (required)
        response: elastic, springDamper, penalty, impulsive, observer, or scene: what the scene says
        formula: of the damping: flores, exact (cor is obtained), or scene
        touch: of shapes with flats, edges or rims: area, point (the nearest points alone), or scene
        geometry: radius (Hertz with contact radii), hertz (ellipses by principal curvatures), table (of the papers),
            or scene
        friction: stick (what is loaded below its limit stays), regularized (it creeps, with vMin), or scene
        muS: friction coefficient before it slides; muK unless given
        slipFade: [m/s] speed in which muS falls to muK; 1e-5 unless given
        tangentialRatio: stiffness along a sticking contact over that across; from the materials unless given
        tangentialDamping: damping ratio along a sticking contact; 1 where muS > muK, else from cor, unless given
        kRed: factor of the stiffness of elastic contacts
        vMin: [m/s] below it friction and restitution fade
        wMin: [rad/s] below it rolling resistance fades
        hysteresis: [m] half the depth at which contact begins
        stiffness: [N/m] of springDamper and penalty
        damping: [N s/m] of springDamper
        """
        return self._add("contactPairs", None, locals())

    def visualMaterial(self, name: str, *, color: Optional[Color] = None, wireframe: Optional[bool] = None,
                       transparency: Optional[float] = None, shininess: Optional[float] = None,
                       shadows: Optional[bool] = None) -> Element:
        """A look.

        name: name of the material (required)
        color: CSS name, "#rrggbb[aa]", or [r, g, b [, a]] from 0 to 1
        wireframe: draw edges only
        transparency: 0 opaque to 1 invisible
        shininess: 0 dull to 1 mirror-like
        shadows: casts and receives shadows
        """
        return self._add("visualMaterials", None, locals())

    def exclude(self, objectA: str, objectB: str) -> Element:
        """Two rigid groups that never collide.

        objectA: object of the first rigid group (required)
        objectB: object of the second rigid group (required)
        """
        return self._add("exclusions", None, locals())

    def action(self, name: str, *, attach: Optional[str] = None, to: Optional[str] = None,
               release: Optional[str] = None, delete: Optional[str] = None, lock: Optional[str] = None,
               unlock: Optional[str] = None, maxSpeed: Optional[float] = None, time: Optional[float] = None,
               period: Optional[float] = None, signal: Optional[str] = None, level: Optional[float] = None,
               direction: Optional[Literal["up", "down", "both"]] = None, contact: Optional[Sequence[str]] = None,
               duration: Optional[float] = None) -> Element:
        """A change of the structure during a run.

        name: path of the action (required)
        attach: object that becomes a part of another one; or release, ...
        to: with attach: that other one
        release: object that becomes free, with the velocity that it has
        delete: object that vanishes, with what hangs on it
        lock: joint that keeps its coordinate from then on
        unlock: joint that was locked
        maxSpeed: [m/s or rad/s] of what is attached or locked; faster ones end the run; 0.1 unless given
        time: [s] when; or by a signal, a contact, or a call from outside
        period: [s] with time: again and again
        signal: when this crosses the level
        level: that the signal crosses
        direction: of the crossing: up, down or both
        contact: when these two objects have touched
        duration: [s] with contact: for so long
        """
        return self._add("actions", None, locals())

    def fix(self, name: str, objectA: str, objectB: str) -> Element:
        """Welds two objects together.

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        """
        return self._add("joints", 'fix', locals())

    def revolute(self, name: str, objectA: str, objectB: str, *, axis: Optional[Axis] = None,
                 start: Optional[Union[float, Numbers]] = None, startRate: Optional[Union[float, Numbers]] = None,
                 fixed: Optional[Union[bool, Sequence[bool]]] = None, nominal: Optional[Union[float, Numbers]] = None,
                 canCollide: Optional[bool] = None, damping: Optional[Union[float, Numbers]] = None,
                 stiffness: Optional[Union[float, Numbers]] = None, rest: Optional[Union[float, Numbers]] = None,
                 friction: Optional[Union[float, Numbers]] = None,
                 frictionLaw: Optional[Literal["regularized", "stick", "scene"]] = None,
                 frictionRate: Optional[Union[float, Numbers]] = None,
                 frictionStatic: Optional[Union[float, Numbers]] = None,
                 frictionStiffness: Optional[Union[float, Numbers]] = None,
                 frictionFade: Optional[Union[float, Numbers]] = None, stopMin: Optional[Union[float, Numbers]] = None,
                 stopMax: Optional[Union[float, Numbers]] = None,
                 stopStiffness: Optional[Union[float, Numbers]] = None,
                 stopDamping: Optional[Union[float, Numbers]] = None,
                 rotorInertia: Optional[Union[float, Numbers]] = None,
                 gearRatio: Optional[Union[float, Numbers]] = None, torque: Optional[str] = None,
                 motion: Optional[str] = None) -> Element:
        """Turns about an axis (z); coordinate: angle [rad].

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        axis: direction, the same in both objects' frames
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        canCollide: the two rigid groups may collide
        damping: [N m s/rad] force per rate
        stiffness: [N m/rad] force per coordinate
        rest: [rad] coordinate where the spring is relaxed
        friction: [N m] dry friction
        frictionLaw: regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the
            limit; or scene
        frictionRate: [rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
        frictionStatic: [N m] stick: what holds what does not slide, friction or more; 0: friction
        frictionStiffness: [N m/rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal
            coordinate
        frictionFade: [rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
        stopMin: [rad] elastic stop; -1e300 is none
        stopMax: [rad] elastic stop; 1e300 is none
        stopStiffness: [N m/rad] force per depth d beyond a stop
        stopDamping: [s/rad] the stop's force grows by 1 + stopDamping d'
        rotorInertia: [kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
        gearRatio: turns of the rotor per turn of the joint
        torque: [N m] signal that drives the joint
        motion: [rad] signal that prescribes the coordinate; it needs two derivatives
        """
        return self._add("joints", 'revolute', locals())

    def prismatic(self, name: str, objectA: str, objectB: str, *, axis: Optional[Axis] = None,
                  start: Optional[Union[float, Numbers]] = None, startRate: Optional[Union[float, Numbers]] = None,
                  fixed: Optional[Union[bool, Sequence[bool]]] = None, nominal: Optional[Union[float, Numbers]] = None,
                  canCollide: Optional[bool] = None, damping: Optional[Union[float, Numbers]] = None,
                  stiffness: Optional[Union[float, Numbers]] = None, rest: Optional[Union[float, Numbers]] = None,
                  friction: Optional[Union[float, Numbers]] = None,
                  frictionLaw: Optional[Literal["regularized", "stick", "scene"]] = None,
                  frictionRate: Optional[Union[float, Numbers]] = None,
                  frictionStatic: Optional[Union[float, Numbers]] = None,
                  frictionStiffness: Optional[Union[float, Numbers]] = None,
                  frictionFade: Optional[Union[float, Numbers]] = None,
                  stopMin: Optional[Union[float, Numbers]] = None, stopMax: Optional[Union[float, Numbers]] = None,
                  stopStiffness: Optional[Union[float, Numbers]] = None,
                  stopDamping: Optional[Union[float, Numbers]] = None,
                  rotorInertia: Optional[Union[float, Numbers]] = None,
                  gearRatio: Optional[Union[float, Numbers]] = None, force: Optional[str] = None,
                  motion: Optional[str] = None) -> Element:
        """Slides along an axis (x); coordinate: position [m].

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        axis: direction, the same in both objects' frames
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        canCollide: the two rigid groups may collide
        damping: [N s/m] force per rate
        stiffness: [N/m] force per coordinate
        rest: [m] coordinate where the spring is relaxed
        friction: [N] dry friction
        frictionLaw: regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the
            limit; or scene
        frictionRate: [m/s] regularized: rate below which friction fades to zero; 0.01 unless given
        frictionStatic: [N] stick: what holds what does not slide, friction or more; 0: friction
        frictionStiffness: [N/m] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal
            coordinate
        frictionFade: [m/s] stick: rate over which static friction falls to friction; 1e-5 unless given
        stopMin: [m] elastic stop; -1e300 is none
        stopMax: [m] elastic stop; 1e300 is none
        stopStiffness: [N/m] force per depth d beyond a stop
        stopDamping: [s/m] the stop's force grows by 1 + stopDamping d'
        rotorInertia: [kg] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
        gearRatio: turns of the rotor per turn of the joint
        force: [N] signal that drives the joint
        motion: [m] signal that prescribes the coordinate; it needs two derivatives
        """
        return self._add("joints", 'prismatic', locals())

    def cylindrical(self, name: str, objectA: str, objectB: str, *, axis: Optional[Axis] = None,
                    start: Optional[Numbers] = None, startRate: Optional[Numbers] = None,
                    fixed: Optional[Union[bool, Sequence[bool]]] = None, nominal: Optional[Numbers] = None,
                    canCollide: Optional[bool] = None, damping: Optional[Union[float, Numbers]] = None,
                    stiffness: Optional[Union[float, Numbers]] = None, rest: Optional[Union[float, Numbers]] = None,
                    friction: Optional[Union[float, Numbers]] = None,
                    frictionLaw: Optional[Literal["regularized", "stick", "scene"]] = None,
                    frictionRate: Optional[Union[float, Numbers]] = None,
                    frictionStatic: Optional[Union[float, Numbers]] = None,
                    frictionStiffness: Optional[Union[float, Numbers]] = None,
                    frictionFade: Optional[Union[float, Numbers]] = None,
                    stopMin: Optional[Union[float, Numbers]] = None, stopMax: Optional[Union[float, Numbers]] = None,
                    stopStiffness: Optional[Union[float, Numbers]] = None,
                    stopDamping: Optional[Union[float, Numbers]] = None,
                    rotorInertia: Optional[Union[float, Numbers]] = None,
                    gearRatio: Optional[Union[float, Numbers]] = None) -> Element:
        """Slides along an axis (z) and turns about it; coordinates: position [m], angle [rad].

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        axis: direction, the same in both objects' frames
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        canCollide: the two rigid groups may collide
        damping: [N or N m s/m or rad] force per rate
        stiffness: [N or N m/m or rad] force per coordinate
        rest: [m or rad] coordinate where the spring is relaxed
        friction: [N or N m] dry friction
        frictionLaw: regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the
            limit; or scene
        frictionRate: [m or rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
        frictionStatic: [N or N m] stick: what holds what does not slide, friction or more; 0: friction
        frictionStiffness: [N or N m/m or rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of
            the nominal coordinate
        frictionFade: [m or rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
        stopMin: [m or rad] elastic stop; -1e300 is none
        stopMax: [m or rad] elastic stop; 1e300 is none
        stopStiffness: [N or N m/m or rad] force per depth d beyond a stop
        stopDamping: [s/m or rad] the stop's force grows by 1 + stopDamping d'
        rotorInertia: [kg or kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the
            coordinate
        gearRatio: turns of the rotor per turn of the joint
        """
        return self._add("joints", 'cylindrical', locals())

    def universal(self, name: str, objectA: str, objectB: str, *, axis: Optional[Axis] = None,
                  axis2: Optional[Axis] = None, start: Optional[Numbers] = None, startRate: Optional[Numbers] = None,
                  fixed: Optional[Union[bool, Sequence[bool]]] = None, nominal: Optional[Numbers] = None,
                  canCollide: Optional[bool] = None, damping: Optional[Union[float, Numbers]] = None,
                  stiffness: Optional[Union[float, Numbers]] = None, rest: Optional[Union[float, Numbers]] = None,
                  friction: Optional[Union[float, Numbers]] = None,
                  frictionLaw: Optional[Literal["regularized", "stick", "scene"]] = None,
                  frictionRate: Optional[Union[float, Numbers]] = None,
                  frictionStatic: Optional[Union[float, Numbers]] = None,
                  frictionStiffness: Optional[Union[float, Numbers]] = None,
                  frictionFade: Optional[Union[float, Numbers]] = None,
                  stopMin: Optional[Union[float, Numbers]] = None, stopMax: Optional[Union[float, Numbers]] = None,
                  stopStiffness: Optional[Union[float, Numbers]] = None,
                  stopDamping: Optional[Union[float, Numbers]] = None,
                  rotorInertia: Optional[Union[float, Numbers]] = None,
                  gearRatio: Optional[Union[float, Numbers]] = None) -> Element:
        """Turns about an axis of A (z), then about one of B (x); coordinates: two angles [rad].

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        axis: first axis, fixed in objectA
        axis2: second axis, fixed in objectB, not along the first
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        canCollide: the two rigid groups may collide
        damping: [N m s/rad] force per rate
        stiffness: [N m/rad] force per coordinate
        rest: [rad] coordinate where the spring is relaxed
        friction: [N m] dry friction
        frictionLaw: regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the
            limit; or scene
        frictionRate: [rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
        frictionStatic: [N m] stick: what holds what does not slide, friction or more; 0: friction
        frictionStiffness: [N m/rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal
            coordinate
        frictionFade: [rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
        stopMin: [rad] elastic stop; -1e300 is none
        stopMax: [rad] elastic stop; 1e300 is none
        stopStiffness: [N m/rad] force per depth d beyond a stop
        stopDamping: [s/rad] the stop's force grows by 1 + stopDamping d'
        rotorInertia: [kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
        gearRatio: turns of the rotor per turn of the joint
        """
        return self._add("joints", 'universal', locals())

    def spherical(self, name: str, objectA: str, objectB: str, *, start: Optional[Numbers] = None,
                  startRate: Optional[Numbers] = None, fixed: Optional[Union[bool, Sequence[bool]]] = None,
                  nominal: Optional[Numbers] = None, canCollide: Optional[bool] = None,
                  damping: Optional[Union[float, Numbers]] = None) -> Element:
        """Turns about a point; coordinates: quaternion (w, x, y, z), rates: angular velocity in A.

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        canCollide: the two rigid groups may collide
        damping: [N m s/rad] force per rate
        """
        return self._add("joints", 'spherical', locals())

    def planar(self, name: str, objectA: str, objectB: str, *, axis: Optional[Axis] = None,
               start: Optional[Numbers] = None, startRate: Optional[Numbers] = None,
               fixed: Optional[Union[bool, Sequence[bool]]] = None, nominal: Optional[Numbers] = None,
               canCollide: Optional[bool] = None, damping: Optional[Union[float, Numbers]] = None,
               stiffness: Optional[Union[float, Numbers]] = None, rest: Optional[Union[float, Numbers]] = None,
               friction: Optional[Union[float, Numbers]] = None,
               frictionLaw: Optional[Literal["regularized", "stick", "scene"]] = None,
               frictionRate: Optional[Union[float, Numbers]] = None,
               frictionStatic: Optional[Union[float, Numbers]] = None,
               frictionStiffness: Optional[Union[float, Numbers]] = None,
               frictionFade: Optional[Union[float, Numbers]] = None, stopMin: Optional[Union[float, Numbers]] = None,
               stopMax: Optional[Union[float, Numbers]] = None, stopStiffness: Optional[Union[float, Numbers]] = None,
               stopDamping: Optional[Union[float, Numbers]] = None,
               rotorInertia: Optional[Union[float, Numbers]] = None,
               gearRatio: Optional[Union[float, Numbers]] = None) -> Element:
        """Slides in the plane across an axis (z) and turns about it; coordinates: position x, y [m], angle [rad].

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        axis: direction, the same in both objects' frames
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        canCollide: the two rigid groups may collide
        damping: [N or N m s/m or rad] force per rate
        stiffness: [N or N m/m or rad] force per coordinate
        rest: [m or rad] coordinate where the spring is relaxed
        friction: [N or N m] dry friction
        frictionLaw: regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the
            limit; or scene
        frictionRate: [m or rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
        frictionStatic: [N or N m] stick: what holds what does not slide, friction or more; 0: friction
        frictionStiffness: [N or N m/m or rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of
            the nominal coordinate
        frictionFade: [m or rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
        stopMin: [m or rad] elastic stop; -1e300 is none
        stopMax: [m or rad] elastic stop; 1e300 is none
        stopStiffness: [N or N m/m or rad] force per depth d beyond a stop
        stopDamping: [s/m or rad] the stop's force grows by 1 + stopDamping d'
        rotorInertia: [kg or kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the
            coordinate
        gearRatio: turns of the rotor per turn of the joint
        """
        return self._add("joints", 'planar', locals())

    def screw(self, name: str, objectA: str, objectB: str, *, pitch: float, axis: Optional[Axis] = None,
              start: Optional[Union[float, Numbers]] = None, startRate: Optional[Union[float, Numbers]] = None,
              fixed: Optional[Union[bool, Sequence[bool]]] = None, nominal: Optional[Union[float, Numbers]] = None,
              canCollide: Optional[bool] = None, damping: Optional[Union[float, Numbers]] = None,
              stiffness: Optional[Union[float, Numbers]] = None, rest: Optional[Union[float, Numbers]] = None,
              friction: Optional[Union[float, Numbers]] = None,
              frictionLaw: Optional[Literal["regularized", "stick", "scene"]] = None,
              frictionRate: Optional[Union[float, Numbers]] = None,
              frictionStatic: Optional[Union[float, Numbers]] = None,
              frictionStiffness: Optional[Union[float, Numbers]] = None,
              frictionFade: Optional[Union[float, Numbers]] = None, stopMin: Optional[Union[float, Numbers]] = None,
              stopMax: Optional[Union[float, Numbers]] = None, stopStiffness: Optional[Union[float, Numbers]] = None,
              stopDamping: Optional[Union[float, Numbers]] = None,
              rotorInertia: Optional[Union[float, Numbers]] = None, gearRatio: Optional[Union[float, Numbers]] = None,
              torque: Optional[str] = None, motion: Optional[str] = None) -> Element:
        """Turns about an axis (z) and advances along it; coordinate: angle [rad].

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        axis: direction, the same in both objects' frames
        pitch: [m/rad] advance per angle; a thread of 2 mm a turn has 0.002 / (2 pi) (required)
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        canCollide: the two rigid groups may collide
        damping: [N m s/rad] force per rate
        stiffness: [N m/rad] force per coordinate
        rest: [rad] coordinate where the spring is relaxed
        friction: [N m] dry friction
        frictionLaw: regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the
            limit; or scene
        frictionRate: [rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
        frictionStatic: [N m] stick: what holds what does not slide, friction or more; 0: friction
        frictionStiffness: [N m/rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal
            coordinate
        frictionFade: [rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
        stopMin: [rad] elastic stop; -1e300 is none
        stopMax: [rad] elastic stop; 1e300 is none
        stopStiffness: [N m/rad] force per depth d beyond a stop
        stopDamping: [s/rad] the stop's force grows by 1 + stopDamping d'
        rotorInertia: [kg m^2] of a rotor behind a gear; adds rotorInertia gearRatio^2 to the inertia of the coordinate
        gearRatio: turns of the rotor per turn of the joint
        torque: [N m] signal that drives the joint
        motion: [rad] signal that prescribes the coordinate; it needs two derivatives
        """
        return self._add("joints", 'screw', locals())

    def freeMotion(self, name: str, objectA: str, objectB: str, *, start: Optional[Numbers] = None,
                   startRate: Optional[Numbers] = None, fixed: Optional[Union[bool, Sequence[bool]]] = None,
                   nominal: Optional[Numbers] = None, canCollide: Optional[bool] = None,
                   damping: Optional[Union[float, Numbers]] = None) -> Element:
        """Six degrees of freedom; coordinates: position [m], then quaternion (w, x, y, z).

        name: path of the joint (required)
        objectA: object relative to which the coordinates count (required)
        objectB: object that the coordinates move (required)
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        canCollide: the two rigid groups may collide
        damping: [N s/m or N m s/rad] force per rate
        """
        return self._add("joints", 'freeMotion', locals())

    def shaft(self, name: str, objectA: str, *, inertia: Union[float, Numbers], axis: Optional[Axis] = None,
              start: Optional[Union[float, Numbers]] = None, startRate: Optional[Union[float, Numbers]] = None,
              fixed: Optional[Union[bool, Sequence[bool]]] = None, nominal: Optional[Union[float, Numbers]] = None,
              damping: Optional[Union[float, Numbers]] = None, stiffness: Optional[Union[float, Numbers]] = None,
              rest: Optional[Union[float, Numbers]] = None, friction: Optional[Union[float, Numbers]] = None,
              frictionLaw: Optional[Literal["regularized", "stick", "scene"]] = None,
              frictionRate: Optional[Union[float, Numbers]] = None,
              frictionStatic: Optional[Union[float, Numbers]] = None,
              frictionStiffness: Optional[Union[float, Numbers]] = None,
              frictionFade: Optional[Union[float, Numbers]] = None, stopMin: Optional[Union[float, Numbers]] = None,
              stopMax: Optional[Union[float, Numbers]] = None, stopStiffness: Optional[Union[float, Numbers]] = None,
              stopDamping: Optional[Union[float, Numbers]] = None, torque: Optional[str] = None,
              motion: Optional[str] = None) -> Element:
        """An inertia that turns in an object: a revolute joint that moves an object without mass, NAME.flange.

        name: path of the joint (required)
        objectA: object that it moves in, such as the world (required)
        inertia: [kg m^2] moment of inertia about the axis (required)
        axis: direction, the same in both objects' frames
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        damping: [N m s/rad] force per rate
        stiffness: [N m/rad] force per coordinate
        rest: [rad] coordinate where the spring is relaxed
        friction: [N m] dry friction
        frictionLaw: regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the
            limit; or scene
        frictionRate: [rad/s] regularized: rate below which friction fades to zero; 0.01 unless given
        frictionStatic: [N m] stick: what holds what does not slide, friction or more; 0: friction
        frictionStiffness: [N m/rad] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal
            coordinate
        frictionFade: [rad/s] stick: rate over which static friction falls to friction; 1e-5 unless given
        stopMin: [rad] elastic stop; -1e300 is none
        stopMax: [rad] elastic stop; 1e300 is none
        stopStiffness: [N m/rad] force per depth d beyond a stop
        stopDamping: [s/rad] the stop's force grows by 1 + stopDamping d'
        torque: [N m] signal that drives the joint
        motion: [rad] signal that prescribes the coordinate; it needs two derivatives
        """
        return self._add("joints", 'shaft', locals())

    def slider(self, name: str, objectA: str, *, mass: Union[float, Numbers], axis: Optional[Axis] = None,
               start: Optional[Union[float, Numbers]] = None, startRate: Optional[Union[float, Numbers]] = None,
               fixed: Optional[Union[bool, Sequence[bool]]] = None, nominal: Optional[Union[float, Numbers]] = None,
               damping: Optional[Union[float, Numbers]] = None, stiffness: Optional[Union[float, Numbers]] = None,
               rest: Optional[Union[float, Numbers]] = None, friction: Optional[Union[float, Numbers]] = None,
               frictionLaw: Optional[Literal["regularized", "stick", "scene"]] = None,
               frictionRate: Optional[Union[float, Numbers]] = None,
               frictionStatic: Optional[Union[float, Numbers]] = None,
               frictionStiffness: Optional[Union[float, Numbers]] = None,
               frictionFade: Optional[Union[float, Numbers]] = None, stopMin: Optional[Union[float, Numbers]] = None,
               stopMax: Optional[Union[float, Numbers]] = None, stopStiffness: Optional[Union[float, Numbers]] = None,
               stopDamping: Optional[Union[float, Numbers]] = None, force: Optional[str] = None,
               motion: Optional[str] = None) -> Element:
        """A mass that slides in an object: a prismatic joint that moves an object without mass, NAME.flange.

        name: path of the joint (required)
        objectA: object that it moves in, such as the world (required)
        mass: [kg] what a force along the axis accelerates; gravity does not act on it (required)
        axis: direction, the same in both objects' frames
        start: coordinates at the start
        startRate: rates at the start
        fixed: keep the start values when loops are closed
        nominal: typical magnitudes, for error control
        damping: [N s/m] force per rate
        stiffness: [N/m] force per coordinate
        rest: [m] coordinate where the spring is relaxed
        friction: [N] dry friction
        frictionLaw: regularized: friction tanh(rate / frictionRate), which creeps; stick: holds what is below the
            limit; or scene
        frictionRate: [m/s] regularized: rate below which friction fades to zero; 0.01 unless given
        frictionStatic: [N] stick: what holds what does not slide, friction or more; 0: friction
        frictionStiffness: [N/m] stick: force per stretch before it slides; 0: it slides after 1e-5 of the nominal
            coordinate
        frictionFade: [m/s] stick: rate over which static friction falls to friction; 1e-5 unless given
        stopMin: [m] elastic stop; -1e300 is none
        stopMax: [m] elastic stop; 1e300 is none
        stopStiffness: [N/m] force per depth d beyond a stop
        stopDamping: [s/m] the stop's force grows by 1 + stopDamping d'
        force: [N] signal that drives the joint
        motion: [m] signal that prescribes the coordinate; it needs two derivatives
        """
        return self._add("joints", 'slider', locals())

    def springDamper(self, name: str, objectA: str, objectB: str, *, stiffness: Optional[float] = None,
                     damping: Optional[float] = None, length: Optional[float] = None,
                     table: Optional[Sequence[Vector]] = None, tension: Optional[str] = None) -> Element:
        """A spring and damper between two origins.

        name: path of the force (required)
        objectA: object at one end (required)
        objectB: object at the other end (required)
        stiffness: [N/m] force per elongation
        damping: [N s/m] force per rate of elongation
        length: [m] unstretched length
        table: [m, N] points [elongation, force] of a law that is added, joined by a monotone cubic and straight beyond
        tension: [N] signal that is added to what pulls both ends together
        """
        return self._add("forces", 'springDamper', locals())

    def bushing(self, name: str, objectA: str, objectB: str, *, stiffness: Optional[Scale] = None,
                damping: Optional[Scale] = None, angularStiffness: Optional[Scale] = None,
                angularDamping: Optional[Scale] = None, preload: Optional[Vector] = None) -> Element:
        """Springs and dampers along and about three axes.

        name: path of the force (required)
        objectA: object along and about whose axes it acts (required)
        objectB: object that is held (required)
        stiffness: [N/m] force per displacement, for all axes or for each
        damping: [N s/m] force per velocity, likewise
        angularStiffness: [N m/rad] torque per small rotation, likewise
        angularDamping: [N m s/rad] torque per angular velocity, likewise
        preload: [N] force on objectB where both origins coincide
        """
        return self._add("forces", 'bushing', locals())

    def force(self, name: str, objectA: str, *, force: Vector, factor: Optional[str] = None,
              frame: Optional[str] = None, objectB: Optional[str] = None) -> Element:
        """A force at the origin of an object.

        name: path of the force (required)
        objectA: object that it acts on (required)
        force: [N] what acts, constant in the axes of frame (required)
        factor: signal that what acts is multiplied by
        frame: object whose axes count; none: the world
        objectB: object that takes the opposite, at the same point
        """
        return self._add("forces", 'force', locals())

    def torque(self, name: str, objectA: str, *, torque: Vector, factor: Optional[str] = None,
               frame: Optional[str] = None, objectB: Optional[str] = None) -> Element:
        """A torque on an object.

        name: path of the force (required)
        objectA: object that it acts on (required)
        torque: [N m] what acts, constant in the axes of frame (required)
        factor: signal that what acts is multiplied by
        frame: object whose axes count; none: the world
        objectB: object that takes the opposite, at the same point
        """
        return self._add("forces", 'torque', locals())

    def cable(self, name: str, objectA: str, objectB: str, *, length: float, stiffness: float,
              through: Optional[Sequence[str]] = None, radii: Optional[Numbers] = None,
              damping: Optional[float] = None, drum: Optional[str] = None,
              drumRadius: Optional[float] = None) -> Element:
        """A cable over points and pulleys, which only pulls.

        name: path of the force (required)
        objectA: object at one end (required)
        objectB: object at the other end (required)
        through: objects that it runs through or around, in order
        radii: [m] of each of these: 0 for a point, else of a pulley about z; negative: the cable goes around clockwise
        length: [m] unstretched length (required)
        stiffness: [N/m] tension per elongation (required)
        damping: [N s/m] tension per rate of elongation
        drum: joint whose coordinate winds the cable up
        drumRadius: [m] length that it winds up per unit of its coordinate
        """
        return self._add("forces", 'cable', locals())

    def coupling(self, name: str, *, joints: Mapping[str, float], offset: Optional[float] = None,
                 stiffness: Optional[float] = None, damping: Optional[float] = None,
                 backlash: Optional[float] = None) -> Element:
        """An equation between coordinates of joints: their weighted sum is constant.

        name: path of the coupling (required)
        joints: factors by joints of one degree of freedom: {joint factor, …}; in Lua a key may be the joint itself
            (required)
        offset: [rad or m] what the sum of factor times coordinate is
        stiffness: [N m/rad or N/m] of a coupling that gives way; without it and damping it is rigid
        damping: [N m s/rad or N s/m] likewise
        backlash: [rad or m] free play from one flank to the other
        """
        return self._add("couplings", 'coupling', locals())

    def gearPair(self, name: str, jointA: str, jointB: str, *, carrier: Optional[str] = None,
                 ratio: Optional[float] = None, teethA: Optional[float] = None, teethB: Optional[float] = None,
                 internal: Optional[bool] = None, module: Optional[float] = None,
                 pressureAngle: Optional[float] = None, shiftA: Optional[float] = None, shiftB: Optional[float] = None,
                 faceWidth: Optional[float] = None, E: Optional[float] = None, tipRelief: Optional[float] = None,
                 offset: Optional[float] = None, stiffness: Optional[float] = None, damping: Optional[float] = None,
                 backlash: Optional[float] = None, efficiency: Optional[float] = None,
                 efficiencyBack: Optional[float] = None) -> Element:
        """Two gears that mesh.

        name: path of the coupling (required)
        jointA: joint that turns the first gear (required)
        jointB: joint that turns the second gear (required)
        carrier: joint whose objectB is the arm on which the gears' centres move
        ratio: turns of the first gear for one of the second; or teethA and teethB
        teethA: of the first gear
        teethB: of the second gear
        internal: one gear has its teeth inside: both turn the same way
        module: [m] of involute teeth, which give way as their numbers say; needs teeth and faceWidth
        pressureAngle: [rad] with a module: of the tool, below pi/4; 20 degrees unless given
        shiftA: with a module: shift of the first gear's profile, in modules
        shiftB: likewise, of the second
        faceWidth: [m] with a module: how long teeth are along their axes
        E: [N/m^2] with a module: Young's modulus of both gears; 2.06e11 unless given
        tipRelief: [m] with a module: what is taken off at the tips of both
        offset: [rad] what the sum of factor times coordinate is
        stiffness: [N m/rad] of a coupling that gives way; without it and damping it is rigid
        damping: [N m s/rad] likewise
        backlash: [rad] free play from one flank to the other
        efficiency: share of the power that reaches the driven side, above 0 to 1; needs a stiffness
        efficiencyBack: likewise, where the second joint drives the first; efficiency unless given
        """
        return self._add("couplings", 'gearPair', locals())

    def rackPair(self, name: str, pinion: str, rack: str, *, radius: float, offset: Optional[float] = None,
                 stiffness: Optional[float] = None, damping: Optional[float] = None, backlash: Optional[float] = None,
                 efficiency: Optional[float] = None, efficiencyBack: Optional[float] = None) -> Element:
        """A pinion that moves a rack.

        name: path of the coupling (required)
        pinion: joint that turns the pinion (required)
        rack: prismatic joint of the rack (required)
        radius: [m] of the pinion; negative: the rack moves the other way (required)
        offset: [m] what the sum of factor times coordinate is
        stiffness: [N/m] of a coupling that gives way; without it and damping it is rigid
        damping: [N s/m] likewise
        backlash: [m] free play from one flank to the other
        efficiency: share of the power that reaches the driven side, above 0 to 1; needs a stiffness
        efficiencyBack: likewise, where the second joint drives the first; efficiency unless given
        """
        return self._add("couplings", 'rackPair', locals())

    def belt(self, name: str, jointA: str, jointB: str, *, radiusA: float, radiusB: float,
             crossed: Optional[bool] = None, offset: Optional[float] = None, stiffness: Optional[float] = None,
             damping: Optional[float] = None, backlash: Optional[float] = None, efficiency: Optional[float] = None,
             efficiencyBack: Optional[float] = None) -> Element:
        """A belt or chain around two pulleys.

        name: path of the coupling (required)
        jointA: joint that turns the first pulley (required)
        jointB: joint that turns the second pulley (required)
        radiusA: [m] of the first pulley (required)
        radiusB: [m] of the second pulley (required)
        crossed: the pulleys turn in opposite directions
        offset: [m] what the sum of factor times coordinate is
        stiffness: [N/m] of a coupling that gives way; without it and damping it is rigid
        damping: [N s/m] likewise
        backlash: [m] free play from one flank to the other
        efficiency: share of the power that reaches the driven side, above 0 to 1; needs a stiffness
        efficiencyBack: likewise, where the second joint drives the first; efficiency unless given
        """
        return self._add("couplings", 'belt', locals())

    def flexibleCoupling(self, name: str, jointA: str, jointB: str, *, offset: Optional[float] = None,
                         stiffness: Optional[float] = None, damping: Optional[float] = None,
                         backlash: Optional[float] = None) -> Element:
        """A spring and damper between two joints, with backlash.

        name: path of the coupling (required)
        jointA: joint at one end (required)
        jointB: joint at the other end (required)
        offset: [rad or m] what the sum of factor times coordinate is
        stiffness: [N m/rad or N/m] of a coupling that gives way; without it and damping it is rigid
        damping: [N m s/rad or N s/m] likewise
        backlash: [rad or m] free play from one flank to the other
        """
        return self._add("couplings", 'flexibleCoupling', locals())

    def clutch(self, name: str, jointA: str, jointB: str, *, friction: float, engagement: Optional[str] = None,
               frictionStatic: Optional[float] = None, frictionStiffness: Optional[float] = None,
               frictionFade: Optional[float] = None) -> Element:
        """Dry friction between two joints that sticks, engaged by a signal.

        name: path of the coupling (required)
        jointA: joint on one side (required)
        jointB: joint on the other side (required)
        friction: [N m or N] what it transmits while it slides (required)
        engagement: signal: share of the friction, from 0, open, to 1; all of it unless given
        frictionStatic: [N m or N] what holds what does not slide; friction unless given
        frictionStiffness: [N m/rad or N/m] force per stretch before it slides; it slides after 1e-5 of the joint's
            nominal coordinate unless given
        frictionFade: [rad/s or m/s] rate over which static friction falls to friction; 1e-5 unless given
        """
        return self._add("couplings", 'clutch', locals())

    def brake(self, name: str, joint: str, *, friction: float, engagement: Optional[str] = None,
              frictionStatic: Optional[float] = None, frictionStiffness: Optional[float] = None,
              frictionFade: Optional[float] = None) -> Element:
        """Dry friction in a joint that sticks, engaged by a signal.

        name: path of the coupling (required)
        joint: joint that it brakes and holds (required)
        friction: [N m or N] what it transmits while it slides (required)
        engagement: signal: share of the friction, from 0, open, to 1; all of it unless given
        frictionStatic: [N m or N] what holds what does not slide; friction unless given
        frictionStiffness: [N m/rad or N/m] force per stretch before it slides; it slides after 1e-5 of the joint's
            nominal coordinate unless given
        frictionFade: [rad/s or m/s] rate over which static friction falls to friction; 1e-5 unless given
        """
        return self._add("couplings", 'brake', locals())

    def motor(self, name: str, joint: str, *, voltage: str, resistance: float, torqueConstant: float,
              inductance: Optional[float] = None) -> Element:
        """A winding with a current that moves a joint.

        name: path of the coupling (required)
        joint: joint that it moves; its gearRatio and rotorInertia count (required)
        voltage: [V] signal (required)
        resistance: [Ohm] of the winding (required)
        inductance: [H] of the winding; 0: the current follows the voltage at once
        torqueConstant: [N m/A or N/A] torque per current, voltage per rate (required)
        """
        return self._add("couplings", 'motor', locals())

    def constant(self, name: str, *, value: float) -> Element:
        """Always the same.

        name: path of the signal (required)
        value: its value at all times (required)
        """
        return self._add("signals", 'constant', locals())

    def sine(self, name: str, *, amplitude: float, frequency: float, phase: Optional[float] = None,
             offset: Optional[float] = None) -> Element:
        """offset + amplitude sin(2 pi frequency t + phase); has two derivatives.

        name: path of the signal (required)
        amplitude: largest distance from the offset (required)
        frequency: [Hz] periods per second (required)
        phase: [rad] angle at time 0
        offset: added to it
        """
        return self._add("signals", 'sine', locals())

    def ramp(self, name: str, *, height: float, duration: float, start: Optional[float] = None,
             offset: Optional[float] = None) -> Element:
        """A straight line from one value to another.

        name: path of the signal (required)
        height: how far it goes from the offset (required)
        duration: [s] of the way up (required)
        start: [s] when it begins
        offset: added to it
        """
        return self._add("signals", 'ramp', locals())

    def step(self, name: str, *, height: float, start: Optional[float] = None,
             offset: Optional[float] = None) -> Element:
        """A jump.

        name: path of the signal (required)
        height: how far it goes from the offset (required)
        start: [s] when it begins
        offset: added to it
        """
        return self._add("signals", 'step', locals())

    def trapezoid(self, name: str, *, height: float, rise: float, hold: float, fall: float,
                  start: Optional[float] = None, offset: Optional[float] = None) -> Element:
        """Up, along, and down again in straight lines.

        name: path of the signal (required)
        height: how far it goes from the offset (required)
        rise: [s] time of the way up (required)
        hold: [s] time at the top (required)
        fall: [s] time of the way down (required)
        start: [s] when it begins
        offset: added to it
        """
        return self._add("signals", 'trapezoid', locals())

    def timeTable(self, name: str, *, times: Numbers, values: Numbers,
                  interpolation: Optional[Literal["linear", "cubic"]] = None) -> Element:
        """Values at given times and between.

        name: path of the signal (required)
        times: [s] ascending (required)
        values: one per time; before and behind the end values hold (required)
        interpolation: linear; or cubic: two continuous derivatives, at rest at both ends
        """
        return self._add("signals", 'timeTable', locals())

    def path(self, name: str, *, values: Numbers, maxVelocity: float, maxAcceleration: float,
             maxJerk: Optional[float] = None, sync: Optional[Sequence[str]] = None,
             start: Optional[float] = None) -> Element:
        """From way point to way point in the shortest time; has two derivatives.

        name: path of the signal (required)
        values: way points; it is at rest at each (required)
        maxVelocity: [1/s] largest derivative (required)
        maxAcceleration: [1/s^2] largest second derivative (required)
        maxJerk: [1/s^3] largest third derivative; none: not limited
        sync: paths whose legs all take as long as the slowest of them and this one; with as many values
        start: [s] when it begins
        """
        return self._add("signals", 'path', locals())

    def spline(self, name: str, *, input: str, points: Numbers, values: Numbers) -> Element:
        """A smooth function of another signal; has two derivatives where that has.

        name: path of the signal (required)
        input: what it is a function of (required)
        points: values of the input, ascending (required)
        values: one per point; straight on beyond the ends (required)
        """
        return self._add("signals", 'spline', locals())

    def sum(self, name: str, *, inputs: Sequence[str], factors: Optional[Numbers] = None) -> Element:
        """The sum of signals; has the derivatives that all of them have.

        name: path of the signal (required)
        inputs: what is added (required)
        factors: of the inputs; 1 unless given
        """
        return self._add("signals", 'sum', locals())

    def product(self, name: str, *, inputs: Sequence[str]) -> Element:
        """The product of signals; has the derivatives that all of them have.

        name: path of the signal (required)
        inputs: what is multiplied (required)
        """
        return self._add("signals", 'product', locals())

    def limit(self, name: str, *, input: str, max: Optional[float] = None, min: Optional[float] = None) -> Element:
        """A signal kept between two bounds; has no derivatives.

        name: path of the signal (required)
        input: what is limited (required)
        max: largest value; 1e300 is none
        min: smallest value; -1e300 is none
        """
        return self._add("signals", 'limit', locals())

    def servo(self, name: str, *, input: str, joint: str, positionGain: float, velocityGain: float,
              integralTime: float) -> Element:
        """A proportional controller of position around a proportional-integral one of velocity; the output is a torque, force or voltage.

        name: path of the signal (required)
        input: coordinate to go to (required)
        joint: joint whose coordinate and rate are controlled (required)
        positionGain: [1/s] wanted rate per error of the coordinate (required)
        velocityGain: output per error of the rate (required)
        integralTime: [s] in which the integral doubles the output (required)
        """
        return self._add("signals", 'servo', locals())

    def dcMotor(self, name: str, *, input: str, joint: str, resistance: float, inductance: float,
                torqueConstant: float) -> Element:
        """Torque of an electric motor behind a gear, its current being a state.

        name: path of the signal (required)
        input: [V] voltage (required)
        joint: joint that it turns; its gearRatio and rotorInertia count (required)
        resistance: [Ohm] of the winding (required)
        inductance: [H] of the winding (required)
        torqueConstant: [N m/A] torque per current, voltage per rate (required)
        """
        return self._add("signals", 'dcMotor', locals())

    def frameSensor(self, name: str, objectA: str, objectB: str, *,
                    quantity: Optional[Literal["distance", "position", "velocity", "acceleration", "angle", "angularVelocity", "angularAcceleration", "distanceRate"]] = None,
                    component: Optional[Literal["x", "y", "z"]] = None, frame: Optional[str] = None) -> Element:
        """How one object is placed and moves relative to another.

        name: path of the signal (required)
        objectA: object relative to which is measured (required)
        objectB: object that is measured (required)
        quantity: distance, position, velocity, acceleration, angle (about x, new y, new z), angularVelocity,
            angularAcceleration, distanceRate
        component: of a vector: x, y or z
        frame: object whose axes are used; none: the world's
        """
        return self._add("signals", 'frameSensor', locals())

    def jointSensor(self, name: str, *, joint: str,
                    quantity: Optional[Literal["position", "rate", "acceleration"]] = None,
                    degree: Optional[int] = None) -> Element:
        """A coordinate of a joint, or its derivatives.

        name: path of the signal (required)
        joint: what is measured (required)
        quantity: position, rate, acceleration
        degree: which degree of freedom; 1 is the first
        """
        return self._add("signals", 'jointSensor', locals())

    def reactionSensor(self, name: str, *, joint: str, quantity: Optional[Literal["force", "torque"]] = None,
                       component: Optional[Literal["x", "y", "z"]] = None, frame: Optional[str] = None) -> Element:
        """What a joint transmits to its objectB, about the origin of that.

        name: path of the signal (required)
        joint: what is measured (required)
        quantity: force, torque
        component: of a vector: x, y or z
        frame: object whose axes are used; none: the world's
        """
        return self._add("signals", 'reactionSensor', locals())

    def subtreeSensor(self, name: str, *, object: str,
                      quantity: Optional[Literal["energy", "kineticEnergy", "potentialEnergy", "momentum", "angularMomentum"]] = None,
                      component: Optional[Literal["x", "y", "z"]] = None, frame: Optional[str] = None) -> Element:
        """Energy or momentum of an object and all that it carries.

        name: path of the signal (required)
        object: it and all that it carries is measured (required)
        quantity: energy, kineticEnergy, potentialEnergy, momentum, angularMomentum (about the world's origin)
        component: of a vector: x, y or z
        frame: object whose axes are used; none: the world's
        """
        return self._add("signals", 'subtreeSensor', locals())

    def contactSensor(self, name: str, *, object: str, other: Optional[str] = None,
                      quantity: Optional[Literal["force", "torque", "normalForce", "area", "pressure", "depth"]] = None,
                      component: Optional[Literal["x", "y", "z"]] = None, frame: Optional[str] = None) -> Element:
        """What contacts do to an object, all of them or those with another.

        name: path of the signal (required)
        object: on whose solids contacts act (required)
        other: object that touches it; none: whatever does
        quantity: sums of force, torque (about the object's origin), normalForce, area; largest pressure, depth
        component: of a vector: x, y or z
        frame: object whose axes are used; none: the world's
        """
        return self._add("signals", 'contactSensor', locals())

    def distanceSensor(self, name: str, objectA: str, objectB: str, *,
                       quantity: Optional[Literal["distance", "normal"]] = None,
                       component: Optional[Literal["x", "y", "z"]] = None, frame: Optional[str] = None) -> Element:
        """How far the solids of two objects are apart.

        name: path of the signal (required)
        objectA: one object with a contact material (required)
        objectB: the other one (required)
        quantity: distance of their solids (negative: depth), normal at the nearest points, from A to B
        component: of a vector: x, y or z
        frame: object whose axes are used; none: the world's
        """
        return self._add("signals", 'distanceSensor', locals())

    def raySensor(self, name: str, *, object: str, range: float, other: Optional[str] = None,
                  direction: Optional[Axis] = None, quantity: Optional[Literal["distance", "normal", "object"]] = None,
                  component: Optional[Literal["x", "y", "z"]] = None, frame: Optional[str] = None) -> Element:
        """What a ray from an object meets first.

        name: path of the signal (required)
        object: from whose origin the ray comes (required)
        other: object whose solids it can meet; none: all but its own
        direction: in the object's axes; x unless given
        range: [m] how far it reaches, and what it tells when it meets nothing (required)
        quantity: distance, normal of what it meets, object (its number in the scene, 0 for none)
        component: of a vector: x, y or z
        frame: object whose axes are used; none: the world's
        """
        return self._add("signals", 'raySensor', locals())

    def imu(self, name: str, *, object: str, quantity: Optional[Literal["specificForce", "angularVelocity"]] = None,
            component: Optional[Literal["x", "y", "z"]] = None) -> Element:
        """What an inertial measurement unit feels, in the axes of its object.

        name: path of the signal (required)
        object: that it is fixed to, and whose axes it has (required)
        quantity: specificForce (acceleration less gravity), angularVelocity
        component: of a vector: x, y or z
        """
        return self._add("signals", 'imu', locals())

    def couplingSensor(self, name: str, *, coupling: str,
                       quantity: Optional[Literal["force", "deflection", "current"]] = None) -> Element:
        """What a coupling, clutch, brake or motor does.

        name: path of the signal (required)
        coupling: what is measured (required)
        quantity: force; deflection of what gives way, of a clutch or a brake; current of a motor
        """
        return self._add("signals", 'couplingSensor', locals())

    def input(self, name: str, *, start: Optional[float] = None, unit: Optional[str] = None,
              nominal: Optional[float] = None) -> Element:
        """A number that is set from outside; held between.

        name: path of the signal (required)
        start: value until another one is set; 0 unless given
        unit: for people who read results
        nominal: typical magnitude, for linearization; 1
        """
        return self._add("signals", 'input', locals())

    def output(self, name: str, *, signal: str, unit: Optional[str] = None) -> Element:
        """A signal that is shown outside.

        name: path of the signal (required)
        signal: what is shown outside (required)
        unit: for people who read results
        """
        return self._add("signals", 'output', locals())

    def userFunction(self, name: str, *, code: Union[str, Callable[..., Any]],
                     inputs: Optional[Mapping[str, str]] = None,
                     parameters: Optional[Mapping[str, float]] = None) -> Element:
        """A function of signals and of `time`, in Lua.

        name: path of the signal (required)
        code: Lua text that returns the value; or a Python function f(time, *inputs) (required)
        inputs: signals by the names that the code has for them
        parameters: numbers by the names that the code has for them
        """
        return self._add("signals", 'userFunction', locals())

    def sampled(self, name: str, *, code: Union[str, Callable[..., Any]], period: float, start: Optional[float] = None,
                value: Optional[float] = None, state: Optional[Mapping[str, float]] = None,
                inputs: Optional[Mapping[str, str]] = None,
                parameters: Optional[Mapping[str, float]] = None) -> Element:
        """A function that is called at a fixed rate, held between, with states.

        name: path of the signal (required)
        code: Lua text that assigns new states and returns the value; or a Python function f(time, *inputs), with
            `state` f(time, *inputs, states) -> (value, new states) (required)
        period: [s] time between two calls; between them the value is held (required)
        start: [s] of the first call; 0 unless given
        value: before the first call; 0 unless given
        state: variables that the code keeps, with their start values
        inputs: signals by the names that the code has for them
        parameters: numbers by the names that the code has for them
        """
        return self._add("signals", 'sampled', locals())

    def pick(self, name: str, *, signal: str, state: str, unit: Optional[str] = None) -> Element:
        """A state of another signal.

        name: path of the signal (required)
        signal: a sampled function, a servo or a motor (required)
        state: name of the state: its own; integral; current (required)
        unit: for people who read results
        """
        return self._add("signals", 'pick', locals())

    def pid(self, name: str, *, input: str, reference: str, period: float, gain: float,
            integralGain: Optional[float] = None, derivativeGain: Optional[float] = None,
            filterTime: Optional[float] = None, max: Optional[float] = None, min: Optional[float] = None,
            start: Optional[float] = None, value: Optional[float] = None) -> Element:
        """A digital proportional-integral-derivative controller with limits.

        name: path of the signal (required)
        input: what is measured (required)
        reference: what it should be (required)
        period: [s] time between two calls; between them the value is held (required)
        gain: value per error (required)
        integralGain: [1/s] rate of the value per error
        derivativeGain: [s] value per rate of what is measured
        filterTime: [s] in which the derivative is smoothed
        max: largest value; 1e300 is none
        min: smallest value; -1e300 is none
        start: [s] of the first call; 0 unless given
        value: before the first call; 0 unless given
        """
        return self._add("signals", 'pid', locals())

    def fmu(self, name: str, *, file: str, period: float, inputs: Optional[Mapping[str, str]] = None,
            parameters: Optional[Mapping[str, float]] = None, outputs: Optional[Sequence[str]] = None,
            start: Optional[float] = None, value: Optional[float] = None) -> Element:
        """An FMU of another tool, for Co-Simulation.

        name: path of the signal (required)
        file: FMU for Co-Simulation (FMI 2.0), beside the model; --allow-fmu lets its code run (required)
        period: [s] time between two communication points; between them inputs and outputs are held (required)
        inputs: signals by the names of its inputs; others keep their start values
        parameters: numbers by the names of its parameters
        outputs: names of its variables, the first of which is the value, and all of which can be picked; all outputs
            unless given
        start: [s] of the first communication point; 0 unless given
        value: of all outputs before that; 0 unless given
        """
        return self._add("signals", 'fmu', locals())

    def scene(self, *, gravity: Optional[Gravity] = None, contactDetection: Optional[bool] = None,
              response: Optional[Literal["elastic", "springDamper", "penalty", "impulsive", "observer"]] = None,
              formula: Optional[Literal["flores", "exact"]] = None, touch: Optional[Literal["area", "point"]] = None,
              geometry: Optional[Literal["radius", "table", "hertz"]] = None,
              friction: Optional[Literal["regularized", "stick"]] = None, kRed: Optional[float] = None,
              vMin: Optional[float] = None, wMin: Optional[float] = None, hysteresis: Optional[float] = None,
              stopTime: Optional[float] = None, startTime: Optional[float] = None, interval: Optional[float] = None,
              tolerance: Optional[float] = None, maxStep: Optional[float] = None,
              solver: Optional[Literal["default", "auto", "ida", "cvode-bdf", "dopri5", "dop853", "radau5"]] = None,
              islands: Optional[Literal["default", "on", "off"]] = None,
              eventRows: Optional[Literal["default", "on", "off"]] = None,
              record: Optional[Sequence[str]] = None) -> None:
        """Options of the whole model.

        gravity: [m/s^2] acceleration [x, y, z], "none", or a point mass {centre, mu}
        contactDetection: false: nothing collides
        response: to contact, of pairs that do not say otherwise
        formula: of the damping, likewise
        touch: of shapes with flats, edges or rims, likewise
        geometry: of contacts at a point, likewise
        friction: regularized or stick, likewise, and of joints
        kRed: factor of the stiffness of elastic contacts, likewise
        vMin: [m/s] below it friction and restitution fade, likewise
        wMin: [rad/s] below it rolling resistance fades, likewise
        hysteresis: [m] half the depth at which contact begins, likewise
        stopTime: [s] of a run that is not told otherwise
        startTime: [s] likewise
        interval: [s] of output points of a run, likewise
        tolerance: relative, of a run, likewise
        maxStep: [s] largest step of a run, likewise
        solver: of a run, by its name, likewise
        islands: of a run: on or off, likewise
        eventRows: on or off: rows just before and after events, likewise
        record: patterns of the variables to record, likewise: "arm.*.angle"
        """
        self._set(locals())

    def __init__(self, *, gravity: Optional[Gravity] = None, contactDetection: Optional[bool] = None,
                 response: Optional[Literal["elastic", "springDamper", "penalty", "impulsive", "observer"]] = None,
                 formula: Optional[Literal["flores", "exact"]] = None,
                 touch: Optional[Literal["area", "point"]] = None,
                 geometry: Optional[Literal["radius", "table", "hertz"]] = None,
                 friction: Optional[Literal["regularized", "stick"]] = None, kRed: Optional[float] = None,
                 vMin: Optional[float] = None, wMin: Optional[float] = None, hysteresis: Optional[float] = None,
                 stopTime: Optional[float] = None, startTime: Optional[float] = None, interval: Optional[float] = None,
                 tolerance: Optional[float] = None, maxStep: Optional[float] = None,
                 solver: Optional[Literal["default", "auto", "ida", "cvode-bdf", "dopri5", "dop853", "radau5"]] = None,
                 islands: Optional[Literal["default", "on", "off"]] = None,
                 eventRows: Optional[Literal["default", "on", "off"]] = None,
                 record: Optional[Sequence[str]] = None) -> None:
        """Options of the whole model.

        gravity: [m/s^2] acceleration [x, y, z], "none", or a point mass {centre, mu}
        contactDetection: false: nothing collides
        response: to contact, of pairs that do not say otherwise
        formula: of the damping, likewise
        touch: of shapes with flats, edges or rims, likewise
        geometry: of contacts at a point, likewise
        friction: regularized or stick, likewise, and of joints
        kRed: factor of the stiffness of elastic contacts, likewise
        vMin: [m/s] below it friction and restitution fade, likewise
        wMin: [rad/s] below it rolling resistance fades, likewise
        hysteresis: [m] half the depth at which contact begins, likewise
        stopTime: [s] of a run that is not told otherwise
        startTime: [s] likewise
        interval: [s] of output points of a run, likewise
        tolerance: relative, of a run, likewise
        maxStep: [s] largest step of a run, likewise
        solver: of a run, by its name, likewise
        islands: of a run: on or off, likewise
        eventRows: on or off: rows just before and after events, likewise
        record: patterns of the variables to record, likewise: "arm.*.angle"
        """
        self._begin()
        self._set(locals())

    _begin: Callable[[], None]
    _set: Callable[[dict[str, Any]], None]
    sphere = staticmethod(sphere)
    ellipsoid = staticmethod(ellipsoid)
    box = staticmethod(box)
    cylinder = staticmethod(cylinder)
    cone = staticmethod(cone)
    capsule = staticmethod(capsule)
    beam = staticmethod(beam)
    halfSpace = staticmethod(halfSpace)
    hull = staticmethod(hull)
    mesh = staticmethod(mesh)
    heightField = staticmethod(heightField)
    revolved = staticmethod(revolved)
    extruded = staticmethod(extruded)
    involuteGear = staticmethod(involuteGear)
    coordinateSystem = staticmethod(coordinateSystem)
    grid = staticmethod(grid)
    coil = staticmethod(coil)
    gearWheel = staticmethod(gearWheel)
    text = staticmethod(text)
    solid = staticmethod(solid)
    visual = staticmethod(visual)
    mass = staticmethod(mass)
    light = staticmethod(light)
    camera = staticmethod(camera)


__all__ = ["sphere", "ellipsoid", "box", "cylinder", "cone", "capsule", "beam", "halfSpace", "hull", "mesh", "heightField",
         "revolved", "extruded", "involuteGear", "coordinateSystem", "grid", "coil", "gearWheel", "text", "solid", "visual", "mass", "light", "camera"]
PARTS = __all__
