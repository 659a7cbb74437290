-- A double-wishbone suspension over a bump: two arms, a knuckle between them on ball joints, a tie rod that keeps the
-- wheel straight, a spring strut, and a quarter of a car above. The road under the tyre rises and falls once.
--
-- Shows two loops in space with springs and dampers. The wheel follows the bump, the body hardly.
-- Try: carom run wishbone.lua --record 'wheel.position.z' --record 'body.position.z'

local p = parameters{
  bump = 0.05,     -- [m]
  duration = 0.2,  -- [s] of the bump
  body = 350,      -- [kg]
  spring = 60e3, damper = 4e3,  -- [N/m], [N s/m] of the strut
  tyre = 200e3, tyreDamper = 200, -- [N/m], [N s/m]
}

scene{ stopTime = 3, tolerance = 1e-7 }

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.3 } } })
local body = object("body", { solid{ shape = box{ size = { 0.6, 0.3, 0.4 } }, mass = p.body, visual = "SteelBlue" } })
prismatic("heave", object("bodyStart", { parent = ground, position = { 0, 0, 0.6 } }), body, { axis = "z" })

local function at(name, parent, position) return object(name, { parent = parent, position = position }) end

-- arms reach outwards along y from hinges along x
local function arm(name, height, inner, length)
  local a = object(name)
  object(name .. "Look", { parent = a, position = { 0, length / 2, 0 },
    solid{ shape = beam{ length = length, width = 0.05, height = 0.03, axis = "y" }, mass = 4, visual = "DimGray" } })
  revolute(name .. "Hinge", at(name .. "Foot", body, { 0, inner, height }), a, { axis = "x" })
  return a, at(name .. "Tip", a, { 0, length, 0 })
end
local lower, lowerTip = arm("lower", -0.3, 0.2, 0.40)
local _, upperTip = arm("upper", 0.0, 0.25, 0.32)

local knuckle = object("knuckle", { mass{ mass = 15, com = { 0, 0, 0.1 }, inertia = { 0.3, 0.3, 0.2 } } })
spherical("lowerBall", lowerTip, knuckle)
spherical("upperBall", upperTip, at("knuckleTop", knuckle, { 0, -0.03, 0.3 }))

-- the tie rod lies 0.1 m behind the wheel's centre
local tie = object("tie", { mass{ mass = 1, com = { 0, 0.18, 0 }, inertia = { 0.01, 0.001, 0.01 } } })
universal("tieInner", at("tieFoot", body, { -0.1, 0.215, -0.2 }), tie, { axis = "x", axis2 = "z" })
spherical("tieOuter", at("tieTip", tie, { 0, 0.38, 0 }), at("tieArm", knuckle, { -0.1, -0.005, 0.1 }))

local wheel = object("wheel", {
  solid{ shape = cylinder{ radius = 0.3, length = 0.2, axis = "y" }, mass = 20, visual = "Black" },
})
revolute("axle", at("hub", knuckle, { 0, 0.08, 0.1 }), wheel, { axis = "y", startRate = -50 })

springDamper("strut", at("strutTop", body, { 0, 0.3, 0.3 }), at("strutFoot", lower, { 0, 0.3, 0 }),
             { stiffness = p.spring, damping = p.damper, length = 0.70 })

-- the road under the tyre
local pad = object("pad", { mass{ mass = 1, inertia = { 1, 1, 1 } } })
local rise = p.duration / 2
local road = path("road", { values = { 0, p.bump, 0 }, start = 1, maxVelocity = 2 * p.bump / rise,
                            maxAcceleration = 4 * p.bump / rise ^ 2 })
prismatic("roadLift", at("roadStart", ground, { 0, 0.68, 0.1 }), pad, { axis = "z", motion = road })
springDamper("tyre", pad, at("wheelCentre", knuckle, { 0, 0.08, 0.1 }),
             { stiffness = p.tyre, damping = p.tyreDamper, length = 0.32 })
