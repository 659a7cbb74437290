-- A rod that stands on its end, kept upright by a cart and a digital controller.
--
-- Shows a sampled controller with states of its own, a user function, and inputs and outputs of a model. A hundred times a
-- second the controller reads where the cart and the rod are, finds their rates from what it read before, and sets the
-- force, which the motor limits smoothly. The gains are those of a linear-quadratic regulator. The input `push` is a force
-- on the cart from outside.
-- Try: carom run inverted_pendulum.lua --input push=3
--      carom run inverted_pendulum.lua --set angle=0.7 --set maxForce=8

local p = parameters{
  cartMass = 1.0, rodMass = 0.2, -- [kg]
  length = 0.6,                  -- [m] of the rod
  angle = 0.3,                   -- [rad] of the rod at the start, from upright
  maxForce = 20,                 -- [N] of the motor
  period = 0.01,                 -- [s] of the controller
}

scene{ stopTime = 5, tolerance = 1e-8 }

local ground = world("ground")
object("rail", {
  parent = ground, position = { 0, 0, -0.06 },
  visual{ shape = box{ size = { 3, 0.05, 0.02 } }, visual = "Silver" },
})
local cart = object("cart", {
  solid{ shape = box{ size = { 0.2, 0.1, 0.08 } }, mass = p.cartMass, visual = "SteelBlue" },
})
local inertia = p.rodMass * p.length ^ 2 / 12
local rod = object("rod", {
  visual{ shape = sphere{ radius = 0.02 }, visual = "Gold" },
  mass{ mass = p.rodMass, com = { 0, 0, p.length / 2 }, inertia = { inertia, inertia, 0 } },
})
object("rodLook", {
  parent = rod, position = { 0, 0, p.length / 2 },
  visual{ shape = cylinder{ radius = 0.01, length = p.length }, visual = "Gold" },
})
local hinge = revolute("hinge", cart, rod, { axis = "y", start = p.angle })

local position = jointSensor("position", { joint = "slide" })
local angle = jointSensor("angle", { joint = hinge })

local control = sampled("control", {
  period = p.period, inputs = { x = position, a = angle },
  state = { lastX = 0, lastA = p.angle }, -- what was read one period ago
  parameters = { kx = 5.889, ka = 42.004, kv = 6.096, kw = 8.219 },
  code = [[
    local v, w = (x - lastX) / period, (a - lastA) / period
    lastX, lastA = x, a
    return kx * x + ka * a + kv * v + kw * w
  ]],
})
local motor = userFunction("motor", {
  inputs = { wanted = control }, parameters = { most = p.maxForce },
  code = [[
    local e = math.exp(-2 * math.abs(wanted) / most) -- tanh
    local size = most * (1 - e) / (1 + e)
    return wanted < 0 and -size or size
  ]],
})
prismatic("slide", ground, cart, {
  force = sum("drive", { inputs = { motor, input("push", { unit = "N" }) } }),
})

output("tilt", { signal = angle, unit = "rad" })
output("place", { signal = position, unit = "m" })
