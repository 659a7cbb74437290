-- A double-wishbone suspension on a test rig: the wheel runs on a big drum with bumps across its surface, as over cobbles.
-- Two loops in space, a stiff strut, and a tyre that leaves the road behind each bump.
--
-- The tyre is a ball of rubber, the drum a capsule, its bumps are thin capsules along the drum.

local p = parameters{
  speed = 8,         -- [rad/s] of the drum: 29 km/h
  bumps = 6,         -- around the drum
  bump = 0.03,       -- [m] height
  spring = 60e3, damper = 4e3, -- [N/m], [N s/m] of the strut
}

scene{ stopTime = 1, interval = 0.01, tolerance = 1e-6 }
solidMaterial("Rubber", { density = 1100, E = 3e6, nu = 0.48 })
contactPair("Rubber", "Steel", { cor = 0.4, muK = 0.8, muR = 0.005 })

local ground = world("ground")
local function at(name, parent, position) return object(name, { parent = parent, position = position }) end

local body = object("body", { mass{ mass = 350, inertia = { 40, 40, 40 } } })
prismatic("heave", at("bodyStart", ground, { 0, 0, 0.6 }), body, { axis = "z" })

-- arms reach outwards along y from hinges along x
local function arm(name, height, inner, length)
  local a = object(name, { mass{ mass = 4, com = { 0, length / 2, 0 }, inertia = { 0.06, 0.002, 0.06 } } })
  revolute(name .. "Hinge", at(name .. "Foot", body, { 0, inner, height }), a, { axis = "x" })
  return a, at(name .. "Tip", a, { 0, length, 0 })
end
local lower, lowerTip = arm("lower", -0.3, 0.2, 0.40)
local _, upperTip = arm("upper", 0.0, 0.25, 0.32)
local knuckle = object("knuckle", { mass{ mass = 15, com = { 0, 0, 0.1 }, inertia = { 0.3, 0.3, 0.2 } } })
spherical("lowerBall", lowerTip, knuckle)
spherical("upperBall", upperTip, at("knuckleTop", knuckle, { 0, -0.03, 0.3 }))
local tie = object("tie", { mass{ mass = 1, com = { 0, 0.18, 0 }, inertia = { 0.01, 0.001, 0.01 } } })
universal("tieInner", at("tieFoot", body, { -0.1, 0.215, -0.2 }), tie, { axis = "x", axis2 = "z" })
spherical("tieOuter", at("tieTip", tie, { 0, 0.38, 0 }), at("tieArm", knuckle, { -0.1, -0.005, 0.1 }))
springDamper("strut", at("strutTop", body, { 0, 0.3, 0.3 }), at("strutFoot", lower, { 0, 0.3, 0 }),
             { stiffness = p.spring, damping = p.damper, length = 0.70 })

-- the wheel's centre starts at (0, 0.68, 0.4), its tyre just above the drum
local tyre, drum, wire = 0.3, 1.0, 0.02 -- [m] radii
local wheel = object("wheel", {
  mass{ mass = 20, inertia = { 0.6, 1.0, 0.6 } }, solid{ shape = sphere{ radius = tyre }, contact = "Rubber" } })
revolute("axle", at("hub", knuckle, { 0, 0.08, 0.1 }), wheel, { axis = "y" })
local road = object("road", {
  mass{ mass = 1, inertia = { 1, 1, 1 } },
  solid{ shape = capsule{ radius = drum, length = 0.4, axis = "y" }, contact = "Steel" } })
revolute("rig", at("rigCentre", ground, { 0, 0.68, 0.4 - tyre - drum - 0.002 }), road, { axis = "y",
  motion = path("turn", { values = { 0, 1000 }, maxVelocity = p.speed, maxAcceleration = 4 * p.speed }) })
for i = 1, p.bumps do
  local angle = (i - 0.5) * 2 * pi / p.bumps
  local reach = drum + p.bump - wire
  object("bump" .. i, { parent = road, position = { reach * math.sin(angle), 0, reach * math.cos(angle) },
    solid{ shape = capsule{ radius = wire, length = 0.4, axis = "y" }, contact = "Steel" } })
end
