-- A deep-groove ball bearing 6205 under a radial load.
--
-- Shows profiles of revolution: both raceways are exact, so that a ball rolls all around without a single edge. The cage
-- goes round at (1 - d / D) / 2 = 0.3983 times the speed of the shaft, and the ball at the bottom carries 4.37 / 9 of the
-- load, as Stribeck found. Balls are kept apart by pins of the cage.
-- Try: carom run ball_bearing.lua --set load=3000
--      carom plot ball_bearing.run/result.h5 'y.position' 'ball1.position.?'

local p = parameters{
  speed = 1800, -- [1/min] of the shaft
  load = 1000,  -- [N]
  muK = 0.05,   -- of balls and rings
}

local count, diameter, pitch = 9, 7.94e-3, 39.04e-3
local r, middle = diameter / 2, pitch / 2
local groove = 0.52 * diameter -- radius of both raceways
local omega = p.speed * 2 * math.pi / 60
local orbit = 0.5 * omega * (1 - diameter / pitch)

scene{ stopTime = 1, interval = 1e-3, tolerance = 1e-8, gravity = "none" }
contactPair("Steel", "Steel", { cor = 1, muK = p.muK, muR = 0 })

local steel = visualMaterial("steel", { color = "LightSteelBlue", shininess = 0.9 })
local glass = visualMaterial("glass", { color = "LightSteelBlue", transparency = 0.6 })

-- side: 1 outer ring, -1 inner ring
local function ring(back, side)
  local half, shoulder, bottom = 7.5e-3, middle + side * 0.55 * r, middle + side * r
  local centre = bottom - side * groove
  local edge = math.sqrt(groove ^ 2 - (shoulder - centre) ^ 2)
  return revolved{ profile = {
    { back, -half }, { shoulder, -half }, { shoulder, -edge }, { shoulder, edge, through = { bottom, 0 } },
    { shoulder, half }, { back, half },
  } }
end

local hall = world("hall", { light{ kind = "ambient", intensity = 0.5 } })
object("lamp", { parent = hall, position = { 0.05, -0.1, 0.2 }, light{ kind = "point" } })
object("viewer", { parent = hall, position = { 0, 0, 0.14 }, camera{ fieldOfView = 0.5 } })

local outer = object("outer", { parent = hall, solid{ shape = ring(26e-3, 1), contact = "Steel", visual = glass } })
local inner = object("inner", {
  solid{ shape = ring(12.5e-3, -1), contact = "Steel", visual = steel },
  mass{ mass = 0.5, inertia = { 10, 10, 10 } }, -- a flywheel that keeps its speed
})
exclude(outer, inner)

-- the shaft gives way across its axis, and turns
local sled, hub = object("sled", {}), object("hub", {})
prismatic("x", hall, sled, { axis = "x", damping = 500 })
prismatic("y", sled, hub, { axis = "y", damping = 500 })
revolute("shaft", hub, inner, { startRate = omega })
force("load", hub, { force = { 0, -p.load, 0 } })

local cage = object("cage", { mass{ mass = 0.02, inertia = { 1e-5, 1e-5, 1e-5 } } })
revolute("cageBearing", hall, cage, { startRate = orbit })
exclude(cage, outer)
exclude(cage, inner)

for i = 1, count do
  local a, b = 2 * math.pi * i / count, 2 * math.pi * (i + 0.5) / count
  object("ball" .. i, {
    parent = hall, free = true, position = { middle * math.cos(a), middle * math.sin(a), 0 },
    velocity = { -orbit * middle * math.sin(a), orbit * middle * math.cos(a), 0 },
    angularVelocity = { 0, 0, -orbit * middle / r },
    solid{ shape = sphere{ radius = r }, material = "Steel", contact = "Steel", visual = "Gold" },
  })
  object("pin" .. i, {
    parent = cage, position = { middle * math.cos(b), middle * math.sin(b), 0 },
    solid{ shape = sphere{ radius = 2.75e-3 }, contact = "Steel", visual = "Sienna" },
  })
end
