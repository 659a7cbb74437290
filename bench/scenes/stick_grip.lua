-- Two fingers, pressed by a constant force each, hold a cube off its middle by half of what friction can carry.

local p = parameters{
  law = "stick",
  use = 0.5,   -- [-] of the cone, by weight alone
  off = 0.002, -- [m] from the middle of the pads to that of the cube
  muR = 0,
  gap = 0.001, -- [m] that each finger closes first
}

local mu, mass = 0.5, 0.2
local grip = mass * 9.81 / (2 * mu * p.use) -- [N]
scene{ stopTime = 60, interval = 1, friction = p.law }
solidMaterial("Bone", { density = 1600, E = 1e8, nu = 0.35 })
contactPair("Bone", "Bone", { cor = 0.2, muK = mu, muR = p.muR })
local room = world("room")
object("cube", {
  parent = room, position = { 0, p.off, 0 }, free = true,
  solid{ shape = box{ size = { 0.06, 0.06, 0.06 } }, mass = mass, contact = "Bone" },
})
for i, side in ipairs{ -1, 1 } do
  local name = i == 1 and "left" or "right"
  local finger = object(name, {
    solid{ shape = box{ size = { 0.02, 0.03, 0.03 } }, mass = 0.1, contact = "Bone" },
  })
  local mount = object(name .. "Mount", { parent = room, position = { side * (0.04 + p.gap), 0, 0 } })
  -- the left one stands where it is, or both would wander
  prismatic(name .. "Slide", mount, finger, {
    axis = { -side, 0, 0 }, force = constant(name .. "Force", { value = grip }), damping = 20,
    stiffness = i == 1 and 2000 or 0,
  })
end
