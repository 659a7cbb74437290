-- A row of dominoes in a double bend: one pushes the next, and a wave runs along the row.
--
-- Shows many bodies that stand on their corners (start = "rest"), tilt over an edge, hit, slide and come to rest on each
-- other. The wave soon has a speed of its own, whatever the first push was; it grows with the square root of the size.
-- Try: --set gap=0.035        the farther apart the slower
--      --set scale=4          four times as large, twice as fast
--      --set friction=stick   those that lean on each other stay where they are, for a fifth more work
--      carom plot dominoes.run/result.h5 'domino*.position.z'

local p = parameters{
  count = 24,
  gap = 0.020,     -- [m] from face to face
  scale = 1,       -- of all lengths
  push = 3.0,      -- [rad/s] of the first domino, at scale 1
  friction = "regularized",
  bend = 1.1,      -- [rad] of the row to x at its ends and in its middle; 0 is a straight row
}

local height, width, thickness = 0.048 * p.scale, 0.024 * p.scale, 0.0075 * p.scale -- [m]
local pitch = (p.gap + 0.0075) * p.scale

scene{ stopTime = 1.5 * math.sqrt(p.scale), interval = 0.01, tolerance = 3e-7, kRed = 1e-2, friction = p.friction }
solidMaterial("Bone", { density = 1600, E = 3e9, nu = 0.35 })
contactPair("Bone", "Bone", { cor = 0.5, muK = 0.2, muR = 0 })
contactPair("Bone", "DryWood", { cor = 0.5, muK = 0.5, muR = 0 })

-- Colours of the rainbow, h from 0 to 1.
local function hue(h)
  local function channel(shift)
    local x = (h * 5 / 6 + shift) % 1 * 6
    return 0.15 + 0.8 * math.max(0, math.min(1, math.abs(x - 3) - 1))
  end
  return { channel(0), channel(2 / 3), channel(1 / 3) }
end

local oak = visualMaterial("oak", { color = "#e9dcc4", shininess = 0.2 })
local room = world("room", {
  solid{ shape = halfSpace{}, contact = "DryWood" },
  light{ kind = "ambient", intensity = 0.45 },
})

-- Where each one stands; the middle of all is at the origin.
local places, x, y = {}, 0, 0
for i = 1, p.count do
  local angle = p.bend * math.cos(2 * math.pi * (i - 1) / math.max(p.count - 1, 1)) -- of the row to x
  places[i] = { x = x, y = y, angle = angle }
  x, y = x + pitch * math.cos(angle), y + pitch * math.sin(angle)
end
local row = p.count * pitch -- [m]
local middleX, middleY = (places[1].x + places[p.count].x) / 2, (places[1].y + places[p.count].y) / 2

object("floor", {
  parent = room, position = { 0, 0, -0.005 * p.scale },
  visual{ shape = box{ size = { 1.25 * row, 0.8 * row, 0.01 * p.scale } }, visual = oak },
})
object("sun", { parent = room, rotation = { -0.5, 0.6, 0 }, light{ kind = "directional", intensity = 1.0 } })
object("tripod", { parent = room, rotation = { axis = "z", angle = -0.3 } })
object("viewer", {
  parent = "tripod", position = { 0, -1.1 * row, 0.75 * row }, rotation = { axis = "x", angle = math.atan(1.1, 0.75) },
  camera{ fieldOfView = 0.6 },
})

for i, place in ipairs(places) do
  local spin = i == 1 and p.push / math.sqrt(p.scale) or 0
  local ahead = { math.cos(place.angle), math.sin(place.angle) }
  visualMaterial("paint" .. i, { color = hue((i - 1) / p.count), shininess = 0.7 })
  object("domino" .. i, {
    parent = room, position = { place.x - middleX, place.y - middleY, height / 2 },
    rotation = { axis = "z", angle = place.angle }, free = true, start = i > 1 and "rest" or "pose",
    angularVelocity = { -ahead[2] * spin, ahead[1] * spin, 0 }, -- about the front edge
    velocity = { ahead[1] * spin * height / 2, ahead[2] * spin * height / 2, spin * thickness / 2 },
    solid{
      shape = box{ size = { thickness, width, height } }, material = "Bone", visual = "paint" .. i,
      contact = "Bone",
    },
  })
end
