"""Random models: shapes, joints, forces, loops, drives, couplings, inputs, actions. A model is a list of parts, each a few lines of
Lua; a part may need others, and goes when these go. The same seed makes the same model."""
import math
import random
from dataclasses import dataclass, field


@dataclass
class Part:
    name: str
    text: str
    needs: list = field(default_factory=list)
    heights: dict = field(default_factory=dict)  # body: [m] from its origin to its farthest point, of free bodies


@dataclass
class Model:
    seed: int
    head: str
    parts: list
    stop: float
    tolerance: float
    solver: str
    threads: int
    inputs: list

    def write(self, parts=None):
        return self.head + "\n".join(part.text for part in (self.parts if parts is None else parts)) + "\n"


def numbers(values):
    return "{ " + ", ".join(f"{value:.6g}" for value in values) + " }"


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.parts = []
        self.inputs = []
        self.cells = [(x, y, z) for z in range(3) for x in range(-2, 3) for y in range(-2, 3)]
        self.random.shuffle(self.cells)
        self.scale = self.random.choice([1.0, 1.0, 10 ** self.random.uniform(-1.5, 1.0)])  # of free bodies, to 0.1 m
        self.speed = self.random.choice([1.5, 1.5, 10 ** self.random.uniform(-1.0, 1.3)])  # [m/s] of free bodies, at most

    def uniform(self, low, high):
        return self.random.uniform(low, high)

    def vector(self, size):
        return numbers(self.uniform(-size, size) for _ in range(3))

    def shape(self):
        """A shape and the distance of its farthest point from the origin."""
        kind = self.random.choice(["sphere", "ellipsoid", "box", "cylinder", "cone", "frustum", "capsule", "beam", "hull"])
        a, b, c = (self.scale * self.uniform(0.04, 0.12) for _ in range(3))
        extra = ""
        if self.random.random() < 0.3 and kind not in ("sphere", "ellipsoid", "capsule"):
            extra = f", rounding = {0.2 * min(a, b, c):.4g}"
        if kind == "sphere":
            return f"sphere{{ radius = {a:.6g} }}", a
        if kind == "ellipsoid":
            return f"ellipsoid{{ radii = {numbers((a, b, c))} }}", max(a, b, c)
        if kind == "box":
            return f"box{{ size = {numbers((2 * a, 2 * b, 2 * c))}{extra} }}", math.hypot(a, b, c)
        if kind == "cylinder":
            return f"cylinder{{ radius = {a:.6g}, length = {2 * b:.6g}{extra} }}", math.hypot(a, b)
        if kind == "cone":
            return f"cone{{ radius = {a:.6g}, length = {2 * b:.6g}{extra} }}", max(a, 2 * b)
        if kind == "frustum":
            return (f"cone{{ radius = {a:.6g}, length = {2 * b:.6g}, topRadius = {0.6 * a:.6g}{extra} }}",
                    math.hypot(a, 2 * b))
        if kind == "capsule":
            return f"capsule{{ radius = {a:.6g}, length = {2 * b:.6g} }}", a + b
        if kind == "beam":
            return f"beam{{ length = {2 * a:.6g}, width = {b:.6g}, height = {c:.6g}{extra} }}", a + b + c
        points = [[self.uniform(-a, a), self.uniform(-b, b), self.uniform(-c, c)] for _ in range(self.random.randint(6, 12))]
        points += [[a, 0, 0], [-a, b, 0], [-a, -b, c], [0, 0, -c]]
        return "hull{ points = { " + ", ".join(numbers(p) for p in points) + f" }}{extra} }}", math.hypot(a, b, c)

    def material(self):
        return self.random.choice(["Steel", "Wood", "Rubber"])

    def solid(self, shape, contact=True):
        material = self.material()
        return f"solid{{ shape = {shape}, material = '{material}'" + (f", contact = '{material}' }}" if contact else " }")

    def free(self, i):
        x, y, z = self.cells.pop()
        shape, size = self.shape()
        name = f"free{i}"
        place = (0.35 * x + self.uniform(-0.02, 0.02), 0.35 * y + self.uniform(-0.02, 0.02), 0.25 + 0.45 * z)
        position = [self.scale * coordinate for coordinate in place]
        return Part(name, f"object('{name}', {{ parent = ground, free = true, position = {numbers(position)},\n"
                          f"  rotation = {self.vector(3)}, velocity = {self.vector(self.speed)}, "
                          f"angularVelocity = {self.vector(10)},\n  {self.solid(shape)} }})", heights={name: size})

    def law(self, isTurning):
        fields = ""
        if self.random.random() < 0.5:
            fields += f", damping = {self.uniform(0, 0.2):.4g}"
        if self.random.random() < 0.3:
            fields += f", stiffness = {self.uniform(0.1, 20):.4g}"
        if self.random.random() < 0.3:
            fields += f", friction = {self.uniform(0.01, 0.2):.4g}"
            fields += self.random.choice(["", ", frictionLaw = 'stick'"])
        if self.random.random() < 0.2:
            end = 0.8 if isTurning else 0.2
            fields += f", stopMin = -{end}, stopMax = {end}, stopStiffness = {10 ** self.uniform(2, 5):.4g}"
        return fields

    def drive(self, name, part):
        """A signal that drives or moves a joint, and the field that says so."""
        choice = self.random.random()
        wave = f"amplitude = {self.uniform(0.05, 0.4):.4g}, frequency = {self.uniform(0.3, 3):.4g}"
        if choice < 0.2:
            part.text += f"sine('{name}_wave', {{ {wave} }})\n"
            return f", motion = '{name}_wave'"
        if choice < 0.3:
            part.text += (f"path('{name}_way', {{ values = {{ 0, {self.uniform(-0.5, 0.5):.4g}, 0.1 }}, maxVelocity = 1,\n"
                          f"  maxAcceleration = 5 }})\n")
            return f", motion = '{name}_way'"
        if choice < 0.5:
            part.text += f"sine('{name}_push', {{ {wave} }})\n"
            return f", torque = '{name}_push'"
        if choice < 0.6:
            part.text += f"input('{name}_push', {{ }})\n"
            self.inputs.append(f"{name}_push={self.uniform(-0.3, 0.3):.4g}")
            return f", torque = '{name}_push'"
        return ""

    def chain(self, i):
        """Links of boxes, one below the other, from a place above the ground."""
        name = f"chain{i}"
        x, y = self.uniform(-1, 1), 2.0 + 0.8 * i
        part = Part(name, f"object('{name}_hook', {{ parent = ground, position = {numbers((x, y, 2.0))} }})\n")
        above, contact = f"{name}_hook", self.random.random() < 0.5
        for k in range(self.random.randint(1, 4)):
            link, joint = f"{name}_link{k}", f"{name}_joint{k}"
            length = self.uniform(0.15, 0.35)
            part.text += (f"object('{link}')\n"
                          f"object('{link}_body', {{ parent = '{link}', position = {{ 0, 0, -{0.5 * length:.6g} }},\n  "
                          + self.solid(f"box{{ size = {{ 0.04, 0.05, {0.8 * length:.6g} }} }}", contact) + " })\n"
                          f"object('{link}_end', {{ parent = '{link}', position = {{ 0, 0, -{length:.6g} }} }})\n")
            kind = self.random.choice(["revolute", "revolute", "prismatic", "cylindrical", "universal", "spherical", "screw"])
            if kind in ("revolute", "prismatic"):
                drive = self.drive(joint, part) if k == 0 else ""
                drive = drive.replace("torque", "force") if kind == "prismatic" else drive
                law = "" if "motion" in drive else self.law(kind == "revolute")
                start = "" if "motion" in drive else (f", start = {self.uniform(-0.5, 0.5):.4g}, "
                                                      f"startRate = {self.uniform(-2, 2):.4g}")
                axis = self.random.choice(["'x'", "'y'"]) if kind == "revolute" else "'z'"
                stiff = ", stiffness = 50, damping = 1" if kind == "prismatic" and "motion" not in drive else ""
                law = "" if stiff else law
                start = start if kind == "revolute" else ""
                part.text += f"{kind}('{joint}', '{above}', '{link}', {{ axis = {axis}{start}{law}{stiff}{drive} }})\n"
            elif kind == "cylindrical":
                part.text += (f"cylindrical('{joint}', '{above}', '{link}', {{ axis = 'x', "
                              f"stiffness = {{ 40, 0.5 }}, damping = {{ 0.5, 0.05 }} }})\n")
            elif kind == "universal":
                part.text += f"universal('{joint}', '{above}', '{link}', {{ start = {{ 0.3, -0.2 }}, damping = 0.02 }})\n"
            elif kind == "screw":
                part.text += f"screw('{joint}', '{above}', '{link}', {{ axis = 'z', pitch = 0.01, damping = 0.5 }})\n"
            else:
                part.text += f"spherical('{joint}', '{above}', '{link}', {{ startRate = {self.vector(3)} }})\n"
            above = f"{link}_end"
        return part

    def fourBar(self, i):
        """Three bars and the ground, closed: a loop."""
        name, y = f"bars{i}", -2.0 - 0.6 * i
        a, b = self.uniform(0.2, 0.4), self.uniform(0.25, 0.5)
        angle = self.uniform(0.4, 1.2)
        drive = ""
        part = Part(name, f"local y, a, b = {y:.4g}, {a:.6g}, {b:.6g}\n"
                          f"for k, x in ipairs{{ 0, b }} do\n"
                          f"  object('{name}_base' .. k, {{ parent = ground, position = {{ x, y, 1.5 }} }})\nend\n"
                          f"for k, l in ipairs{{ a, b, a }} do\n"
                          f"  object('{name}_bar' .. k)\n"
                          f"  object('{name}_body' .. k, {{ parent = '{name}_bar' .. k, position = {{ 0.5 * l, 0, 0 }},\n"
                          f"    solid{{ shape = box{{ size = {{ l, 0.03, 0.03 }} }}, material = 'Steel' }} }})\n"
                          f"  object('{name}_tip' .. k, {{ parent = '{name}_bar' .. k, position = {{ l, 0, 0 }} }})\nend\n")
        if self.random.random() < 0.4:
            part.text += f"sine('{name}_wave', {{ amplitude = 0.3, frequency = 1, offset = {-angle:.6g} }})\n"
            drive = f", motion = '{name}_wave'"
        else:
            drive = f", start = {-angle:.6g}, startRate = {self.uniform(-3, 3):.4g}"
        part.text += (f"revolute('{name}_one', '{name}_base1', '{name}_bar1', {{ axis = 'y'{drive} }})\n"
                      f"revolute('{name}_two', '{name}_tip1', '{name}_bar2', {{ axis = 'y', start = {angle:.6g} }})\n"
                      f"revolute('{name}_three', '{name}_base2', '{name}_bar3', {{ axis = 'y', start = {-angle:.6g} }})\n"
                      f"revolute('{name}_four', '{name}_tip2', '{name}_tip3', {{ axis = 'y' }})\n")
        part.text = f"do\n{part.text}end"
        return part

    def gears(self, i):
        name, x = f"gears{i}", 2.5 + i
        part = Part(name, "")
        for k in range(2):
            part.text += (f"object('{name}_wheel{k}', {{ solid{{ shape = cylinder{{ radius = 0.1, length = 0.03, "
                          f"axis = 'y' }}, material = 'Steel' }} }})\n"
                          f"object('{name}_axle{k}', {{ parent = ground, position = {{ {x:.4g}, {0.3 * k:.4g}, 1 }} }})\n")
        motor = self.drive(f"{name}_joint0", part)
        rate = "" if "motion" in motor else f", startRate = {self.uniform(-5, 5):.4g}"
        part.text += (f"revolute('{name}_joint0', '{name}_axle0', '{name}_wheel0', {{ axis = 'y'{rate}{motor} }})\n"
                      f"revolute('{name}_joint1', '{name}_axle1', '{name}_wheel1', {{ axis = 'y', damping = 0.01 }})\n")
        kind = self.random.randrange(3)
        soft = f", stiffness = {10 ** self.uniform(1, 4):.4g}, damping = 0.05" if self.random.random() < 0.5 else ""
        back = ", backlash = 0.02" if soft and self.random.random() < 0.5 else ""
        joints = f"'{name}_joint0', '{name}_joint1'"
        if kind == 0:
            part.text += f"gearPair('{name}_pair', {joints}, {{ teethA = 20, teethB = 33{soft}{back} }})"
        elif kind == 1:
            part.text += f"belt('{name}_pair', {joints}, {{ radiusA = 0.1, radiusB = 0.07{soft} }})"
        else:
            part.text += f"coupling('{name}_pair', {{ joints = {{ ['{name}_joint0'] = 2, ['{name}_joint1'] = -1 }}{soft}{back} }})"
        return part

    def spring(self, i, bodies):
        a, b = self.random.choice(bodies), self.random.choice(bodies + ["ground"])
        if a == b:
            b = "ground"
        name, kind, size = f"force{i}", self.random.randrange(4), self.scale  # forces grow with masses
        if kind == 0:
            text = (f"springDamper('{name}', '{a}', '{b}', {{ stiffness = {size ** 2 * 10 ** self.uniform(0, 3):.4g}, "
                    f"damping = {size ** 2.5 * self.uniform(0, 2):.4g}, length = {size * self.uniform(0.2, 1):.4g} }})")
        elif kind == 1:
            text = f"force('{name}', '{a}', {{ force = {self.vector(5 * size ** 3)} }})"
        elif kind == 2:
            text = f"torque('{name}', '{a}', {{ torque = {self.vector(0.05 * size ** 4)} }})"
        else:
            text = (f"cable('{name}', '{a}', '{b}', {{ length = {size * self.uniform(0.5, 1.5):.4g}, "
                    f"stiffness = {size ** 2 * 10 ** self.uniform(2, 4):.4g}, damping = {size ** 2.5:.4g} }})")
        return Part(name, text, needs=[body for body in (a, b) if body != "ground"])

    def actions(self, stop):
        """Changes of the structure while the run goes on. They have numbers of their own: other parts stay the same."""
        r, parts = random.Random(f"actions of {self.seed}"), []
        bodies = [part.name for part in self.parts if part.heights]
        joints = [part.name for part in self.parts if f"revolute('{part.name}_joint0'" in part.text
                  and "motion" not in part.text and part.name.startswith("chain")]
        for i in range(r.choice([0, 0, 0, 1, 2, 3])):
            name, kind, time = f"act{i}", r.choice(["attach", "release", "delete", "lock"]), r.uniform(0, stop)
            if kind == "lock" and joints:
                part = r.choice(joints)
                text = (f"action('{name}', {{ time = {time:.4g}, lock = '{part}_joint0', maxSpeed = 1e6 }})\n"
                        f"action('{name}_back', {{ time = {time + 0.3 * stop:.4g}, unlock = '{part}_joint0' }})")
            elif kind == "attach" and bodies:
                part = r.choice(bodies)
                text = (f"action('{name}', {{ time = {time:.4g}, attach = '{part}', to = 'ground', maxSpeed = 1e6 }})\n"
                        f"action('{name}_back', {{ time = {time + 0.3 * stop:.4g}, release = '{part}' }})")
            elif kind == "delete" and bodies:
                part = r.choice(bodies)
                when = f"contact = {{ '{part}', 'floor' }}, duration = 0.01" if r.random() < 0.5 else f"time = {time:.4g}"
                text = f"action('{name}', {{ {when}, delete = '{part}' }})"
            else:
                continue
            parts.append(Part(name, text, needs=[part]))
        return parts

    def make(self):
        if self.seed % 20 == 19:
            return self.makeLong()
        return self.makeSurfaces() if self.seed % 5 == 3 else self.makeShort()

    def ball(self, i):
        r, name = self.uniform(0.02, 0.06), f"ball{i}"
        place = (self.uniform(-0.5, 0.5), self.uniform(-0.5, 0.5), 0.6 + 0.2 * i)
        return Part(name, f"object('{name}', {{ parent = ground, free = true, position = {numbers(place)}, velocity = {self.vector(1)},\n"
                          f"  {self.solid(f'sphere{{ radius = {r:.6g} }}')} }})", heights={name: r})

    def landscape(self):
        """What balls fall on: a field of heights, smooth or of facets, a dish, a grooved ring, or a hollow ball that they are in."""
        kind = self.random.choice(["field", "field", "dish", "ring", "hollow"])
        if kind == "field":
            rows = ", ".join(numbers(self.uniform(0, 0.08) for _ in range(6)) for _ in range(6))
            facets = self.random.choice(["", ", facets = true"])
            shape, z = f"heightField{{ heights = {{ {rows} }}, width = 2, length = 2, depth = 0.1{facets} }}", 0.1
        elif kind == "dish":
            shape, z = "revolved{ profile = { { 0, -0.8 }, { 0.8, 0, arc = 0.8 }, { 0.75, 0, arc = 0.025 }, { 0, -0.75, arc = -0.75 } } }", 1.0
        elif kind == "ring":
            shape = ("revolved{ profile = { { 0.3, -0.1 }, { 0.8, -0.1 }, { 0.8, 0.1 }, { 0.6, 0.1 }, { 0.5, 0.1, arc = -0.06 }, { 0.3, 0.1 } } }")
            z = 0.15
        else:
            shape, z = "sphere{ radius = 2, hollow = true }", 1.95
        return Part("landscape", f"object('landscape', {{ parent = ground, position = {{ 0, 0, {z} }}, solid{{ shape = {shape}, contact = 'Wood' }} }})")

    def pieced(self, i):
        """A surface that is touched by what is no ball, as convex pieces."""
        name = f"pieced{i}"
        shape, size = self.random.choice([
            ("revolved{ pieceError = 2e-3, profile = { { 0.05, -0.03 }, { 0.1, -0.03 }, { 0.1, 0.03 }, { 0.05, 0.03 } } }", 0.11),
            ("extruded{ pieceError = 2e-3, length = 0.06, profile = { { -0.08, -0.08 }, { 0.08, -0.08 }, { 0.08, -0.05 },\n"
             "    { -0.05, -0.05 }, { -0.05, 0.08 }, { -0.08, 0.08 } } }", 0.12),
            ("involuteGear{ teeth = 9, module = 0.02, length = 0.05, pieceError = 2e-3 }", 0.13)])
        place = (2.0 + 0.4 * i, self.uniform(-0.1, 0.1), 0.3 + 0.3 * i)
        return Part(name, f"object('{name}', {{ parent = ground, free = true, position = {numbers(place)}, rotation = {self.vector(3)},\n"
                          f"  velocity = {self.vector(1)}, {self.solid(shape)} }})", heights={name: size})

    def outlines(self):
        """Two extruded bodies that meet in the plane across their axes, far from all else."""
        shapes = ["cylinder{ radius = 0.03, length = 0.3 }", "involuteGear{ teeth = 12, module = 0.012, length = 0.4, tipRelief = 1e-4 }",
                  "extruded{ length = 0.3, profile = { { 0.03, 0 }, { -0.01, 0.015 }, { -0.01, -0.015 } } }",
                  "extruded{ length = 0.4, profile = { { 0.1, 0, spline = true }, { 0, 0.06, spline = true }, { -0.06, 0, spline = true },\n"
                  "    { 0, -0.06, spline = true } } }"]
        text = ""
        for name, x, speed in (("left", -0.2, self.uniform(0.3, 2)), ("right", 0.0, 0.0)):
            text += (f"object('{name}', {{ solid{{ shape = {self.random.choice(shapes)}, mass = {self.uniform(0.5, 2):.4g}, contact = 'Steel' }} }})\n"
                     f"planar('{name}_plane', 'far', '{name}', {{ axis = 'z', start = {{ {x:.4g}, {self.uniform(-0.03, 0.03):.4g}, {self.uniform(-3, 3):.4g} }},\n"
                     f"  startRate = {{ {speed:.4g}, 0, {self.uniform(-4, 4):.4g} }}, canCollide = true }})\n")
        return Part("outlines", "object('far', { parent = ground, position = { 0, 9, 2 } })\n" + text)

    def makeSurfaces(self):
        """Curved and concave shapes: landscapes, outlines, pieces."""
        r = self.random
        law = f"cor = {self.uniform(0.1, 0.95):.4g}, muK = {r.choice([0, 0.2, 0.6])}, muR = {r.choice([0, 0.001])}"
        head = ("solidMaterial('Wood', { density = 700, E = 1e10, nu = 0.3 })\n"
                "solidMaterial('Rubber', { density = 1100, E = 5e7, nu = 0.45 })\n"
                f"contactPair('*', '*', {{ {law}, friction = '{r.choice(['regularized', 'stick'])}' }})\n"
                "local ground = world('ground')\n")
        kind = r.choice(["landscape", "landscape", "outlines", "pieces"])  # which do not meet each other
        if kind == "outlines":
            self.parts.append(self.outlines())
        else:
            head += "object('floor', { parent = ground, solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
            self.parts += [self.landscape()] if kind == "landscape" else [self.pieced(i) for i in range(r.choice([1, 2]))]
            self.parts += [self.ball(i) for i in range(r.choice([1, 2, 3]))]
        return Model(self.seed, head, self.parts, stop=r.choice([0.2, 0.4]), tolerance=10 ** -r.choice([6, 7, 8]),
                     solver=r.choice(["auto", "auto", "dopri5", "radau5"]), threads=r.choice([2, 3]), inputs=[])

    def makeLong(self):
        """A day of bodies that come to rest soon, and of damped chains."""
        self.scale, self.speed = 1.0, 1.5
        head = ("solidMaterial('Wood', { density = 700, E = 1e10, nu = 0.3 })\n"
                "solidMaterial('Rubber', { density = 1100, E = 5e7, nu = 0.45 })\n"
                f"contactPair('*', '*', {{ cor = {self.uniform(0.1, 0.6):.4g}, muK = 0.6, muR = 0.01, friction = 'stick' }})\n"
                "local ground = world('ground')\n"
                "object('floor', { parent = ground, solid{ shape = halfSpace{}, contact = 'Steel' } })\n")
        self.parts += [self.free(i) for i in range(self.random.choice([1, 2, 3]))]
        self.parts.append(Part("swing", "object('swing_hook', { parent = ground, position = { 0, 2, 2 } })\n"
                               "object('swing_bob', { solid{ shape = sphere{ radius = 0.05 }, material = 'Steel' } })\n"
                               f"object('swing_arm', {{ parent = 'swing_bob', position = {{ 0, 0, {self.uniform(0.2, 1):.4g} }} }})\n"
                               f"revolute('swing', 'swing_hook', 'swing_arm', {{ axis = 'x', start = {self.uniform(-2, 2):.4g}, "
                               f"damping = {self.uniform(0.1, 2):.4g} }})"))
        return Model(self.seed, head, self.parts, stop=1e5, tolerance=10 ** -self.random.choice([6, 7, 8]), solver="auto",
                     threads=2, inputs=[])

    def makeShort(self):
        r = self.random
        friction = r.choice(["regularized", "stick"])
        law = f"cor = {self.uniform(0.1, 0.95):.4g}, muK = {r.choice([0, 0.2, 0.6])}, muR = {r.choice([0, 0.001, 0.01])}"
        floor = r.choice(["halfSpace{}", "box{ size = { 60, 60, 1 } }"])
        lift = ", position = { 0, 0, -0.5 }" if floor.startswith("box") else ""
        head = ("solidMaterial('Wood', { density = 700, E = 1e10, nu = 0.3 })\n"
                "solidMaterial('Rubber', { density = 1100, E = 5e7, nu = 0.45 })\n"
                f"contactPair('*', '*', {{ {law}, friction = '{friction}' }})\n"
                "local ground = world('ground')\n"
                f"object('floor', {{ parent = ground{lift}, solid{{ shape = {floor}, contact = 'Steel' }} }})\n")
        count = r.choice([0, 1, 2, 3, 5, 8])
        self.parts += [self.free(i) for i in range(count)]
        self.parts += [self.chain(i) for i in range(r.choice([0, 1, 2]))]
        self.parts += [self.fourBar(i) for i in range(r.choice([0, 0, 1]))]
        self.parts += [self.gears(i) for i in range(r.choice([0, 0, 1]))]
        bodies = [part.name for part in self.parts if part.heights]
        if bodies:
            self.parts += [self.spring(i, bodies) for i in range(r.choice([0, 0, 1, 2]))]
        if not self.parts:
            self.parts.append(self.free(0))
        solver = r.choice(["auto", "auto", "auto", "dopri5", "dop853", "radau5"])
        stop = r.choice([0.2, 0.5, 1.0])
        self.parts += self.actions(stop)
        return Model(self.seed, head, self.parts, stop=stop,
                     tolerance=10 ** -r.choice([6, 7, 8, 8, 9]), solver=solver, threads=r.choice([2, 3, 4, 7]),
                     inputs=self.inputs)


def make_model(seed):
    return Maker(seed).make()
