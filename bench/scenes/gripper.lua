-- Two fingers on prismatic joints close on a box, hold it by friction alone, and lift it off the floor.
--
-- The fingers are driven by a force each, the hand by a prescribed motion. Pads and box touch with flat faces.

local p = parameters{
  grip = 6.0, -- [N] of each finger
  lift = 0.1, -- [m]
}

scene{ stopTime = 1.5, interval = 0.01, tolerance = 1e-4, vMin = 1e-3 }
solidMaterial("Rubber", { density = 1100, E = 1e7, nu = 0.45 })
solidMaterial("Plastic", { density = 1000, E = 1e8, nu = 0.35 })
contactPair("Rubber", "Plastic", { cor = 0.1, muK = 0.8, muR = 0 })
contactPair("Rubber", "Rubber", { cor = 0.1, muK = 0.8, muR = 0 })
contactPair("Plastic", "Plastic", { cor = 0.3, muK = 0.4, muR = 0 })

local size, pad, opening = 0.06, 0.012, 0.01 -- [m]
local room = world("room", { solid{ shape = halfSpace{}, contact = "Plastic" } })
object("box", {
  parent = room, position = { 0, 0, size / 2 }, free = true, start = "rest",
  solid{ shape = box{ size = { size, size, size } }, mass = 0.2, contact = "Plastic" },
})

-- Close from 0 s, up from 0.4 s.
local hand = object("hand", { mass{ mass = 1, inertia = { 1e-3, 1e-3, 1e-3 } } })
local guide = object("guide", { parent = room, position = { 0, 0, size / 2 } })
prismatic("lift", guide, hand, {
  axis = "z", motion = path("up", { values = { 0, p.lift }, maxVelocity = 0.3, maxAcceleration = 1, start = 0.4 }),
})
local squeeze = timeTable("squeeze", { times = { 0, 0.1, 10 }, values = { 0, p.grip, p.grip } })
local position = {}
for i, side in ipairs{ -1, 1 } do
  local name = i == 1 and "left" or "right"
  local finger = object(name .. "Finger", {
    solid{ shape = box{ size = { pad, 0.03, 0.03 } }, mass = 0.1, contact = "Rubber" },
  })
  local mount = object(name .. "Mount", { parent = hand, position = { side * (size / 2 + opening + pad / 2), 0, 0 } })
  prismatic(name, mount, finger, { axis = { -side, 0, 0 }, force = name .. "Force", damping = 4 })
  position[i] = jointSensor(name .. "Position", { joint = name })
end
local centring = 200 -- [N/m] keeps both fingers equally far closed
sum("leftForce", { inputs = { squeeze, position[1], position[2] }, factors = { 1, -centring, centring } })
sum("rightForce", { inputs = { squeeze, position[1], position[2] }, factors = { 1, centring, -centring } })
