-- Ten pins and a ball: a strike, or what is left of one.
--
-- Shows bodies of several parts: a pin is two frustums and a ball as its head, all of which touch. The pins stand on
-- their flat feet (start = "rest") until they are hit, spin on their rims and fall.
-- Try: --set aim=0           straight into the first pin: often a split
--      --set hook=0          no spin about the lane
--      carom plot bowling.run/result.h5 'pin*.position.z'

local p = parameters{
  speed = 8,   -- [m/s] of the ball
  aim = 0.06,  -- [m] of the ball beside the first pin
  hook = -25,  -- [rad/s] of the ball about the lane
  rows = 4,
}

scene{ stopTime = 1.2, interval = 0.01, tolerance = 1e-7 }
solidMaterial("Maple", { density = 700, E = 1e9, nu = 0.35 }) -- pins of wood, under plastic
solidMaterial("Urethane", { density = 1150, E = 1e9, nu = 0.4 })
contactPair("Maple", "Maple", { cor = 0.6, muK = 0.25, muR = 0 })
contactPair("Maple", "Urethane", { cor = 0.65, muK = 0.2, muR = 0 })

local white = visualMaterial("white", { color = "#f4f1ea", shininess = 0.8 })
local red = visualMaterial("red", { color = "#c1272d", shininess = 0.8 })
local hall = world("hall", {
  solid{ shape = halfSpace{}, contact = "Maple" },
  light{ kind = "ambient", intensity = 0.45 },
})
object("lane", {
  parent = hall, position = { 0, 0, -0.01 },
  visual{ shape = box{ size = { 4, 1.05, 0.02 } }, visual = visualMaterial("oil", { color = "#d9b98a", shininess = 0.9 }) },
})
object("sun", { parent = hall, rotation = { -0.5, 0.6, 0 }, light{ kind = "directional" } })
object("tripod", { parent = hall, rotation = { axis = "z", angle = -1.1 } })
object("viewer", {
  parent = "tripod", position = { 0, -2.4, 1.1 }, rotation = { axis = "x", angle = math.atan(2.4, 0.95) },
  camera{ fieldOfView = 0.6 },
})

-- A pin: 0.38 m high, widest at 0.11 m.
local foot, belly, neck, head = 0.026, 0.06, 0.023, 0.032 -- [m] radii
local wide, thin, high = 0.11, 0.29, 0.38                 -- [m] heights
local function pin(name, x, y)
  local body = object(name, {
    parent = hall, position = { x, y, 0 }, free = true, start = "rest",
    solid{ shape = cone{ radius = foot, topRadius = belly, length = wide }, material = "Maple", contact = "Maple", visual = white },
  })
  object(name .. "_top", { parent = body, position = { 0, 0, wide },
    solid{ shape = cone{ radius = belly, topRadius = neck, length = thin - wide }, material = "Maple", contact = "Maple", visual = white } })
  object(name .. "_head", { parent = body, position = { 0, 0, high - head },
    solid{ shape = sphere{ radius = head }, material = "Maple", contact = "Maple", visual = white } })
  object(name .. "_stripe", { parent = body, position = { 0, 0, thin - 0.02 },
    visual{ shape = cylinder{ radius = neck + 0.004, length = 0.012 }, visual = red } })
end

-- Twelve inches from middle to middle, in a triangle.
local pitch, number = 0.3048, 0
for row = 0, p.rows - 1 do
  for i = 0, row do
    number = number + 1
    pin("pin" .. number, row * pitch * math.sqrt(3) / 2, (i - row / 2) * pitch)
  end
end

local radius = 0.108 -- [m]
object("ball", {
  parent = hall, position = { -1, p.aim, radius }, free = true, start = "rest",
  velocity = { p.speed, 0, 0 }, angularVelocity = { p.hook, p.speed / radius, 0 },
  solid{ shape = sphere{ radius = radius }, mass = 6.8, contact = "Urethane",
         visual = visualMaterial("ball", { color = "#1f3a93", shininess = 1 }) },
})
