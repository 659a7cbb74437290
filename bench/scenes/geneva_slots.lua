-- A Geneva drive: the pin of a crank that turns evenly enters one of four slots of a wheel, takes it along for a
-- quarter turn and leaves. In the slot the pin goes from wall to wall.
--
-- The pin is a cylinder along the axis, the walls are boxes: they touch along lines. Between its turns the wheel is held by
-- the friction of its bearing.

local p = parameters{
  speed = 2 * pi,   -- [rad/s] of the crank
  play = 2e-4,      -- [m] between pin and wall, on each side
  friction = 0.02,  -- [N m] of the bearing
}

scene{ stopTime = 3, interval = 0.01, tolerance = 1e-6 }
contactPair("Steel", "Steel", { cor = 0.5, muK = 0.15, muR = 0 })

local distance = 0.1                      -- [m] of the two axes
local reach = distance * math.sin(pi / 4) -- [m] of the crank, and radius of the wheel: the pin enters along the slot
local pin, wall = 0.005, 0.003            -- [m] radii

local frame = world("frame")
local crank = object("crank", { mass{ mass = 0.5, inertia = { 1e-3, 1e-3, 1e-3 } } })
revolute("drive", frame, crank, {
  motion = path("turn", { values = { 0, 1000 }, maxVelocity = p.speed, maxAcceleration = 20 * p.speed }),
})
-- away from the wheel at the start
object("pin", { parent = crank, position = { -reach, 0, 0 },
  solid{ shape = cylinder{ radius = pin, length = 0.02 }, contact = "Steel" } })

local wheel = object("wheel", { mass{ mass = 0.3, inertia = { 2e-4, 2e-4, 4e-4 } } })
revolute("bearing", object("axle", { parent = frame, position = { distance, 0, 0 } }), wheel, {
  friction = p.friction, frictionRate = 0.1,
})
-- walls reach from the deepest place of the pin to the rim, where they open a little
local inner, outer = distance - reach, reach
for slot = 0, 3 do
  local arm = object("slot" .. slot, { parent = wheel, rotation = { axis = "z", angle = pi / 4 + slot * pi / 2 } })
  for i, side in ipairs{ -1, 1 } do
    object("wall" .. slot .. "_" .. i, {
      parent = arm, position = { (inner + outer) / 2, side * (pin + wall + p.play), 0 },
      solid{ shape = box{ size = { outer - inner, 2 * wall, 0.01 } }, contact = "Steel" },
    })
  end
end
