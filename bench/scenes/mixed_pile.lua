-- n boxes, cylinders and hulls, each turned at random, fall into an open box: a crowd of bodies with areas of contact.
-- bench/mixed.h has the same numbers for other programs.

local p = parameters{
  n = 100,
}

solidMaterial("Plastic", { density = 1000, E = 1e7, nu = 0.3 })
contactPair("Plastic", "Plastic", { cor = 0.3, muK = 0.5, muR = 0 })
scene{ stopTime = 0.5, interval = 0.05, tolerance = 1e-3 }

-- [Marsaglia03], 53 bits.
local state = 88172645463325252
local function random()
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 11) / 9007199254740992
end

local side, pitch = math.ceil(p.n ^ (1 / 3) - 1e-9), 0.1 -- [m] from body to body
local half = side * pitch / 2 + 0.01
local room = world("room", { solid{ shape = halfSpace{}, contact = "Plastic" } })
for i, axis in ipairs{ { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do
  object("wall" .. i, {
    parent = room, position = { -half * axis[1], -half * axis[2], 0 },
    solid{ shape = halfSpace{ axis = axis }, contact = "Plastic" },
  })
end

-- Twelve points on a sphere by the golden angle.
local points = {}
for i = 0, 11 do
  local z, turn = 1 - (2 * i + 1) / 12, i * 2.399963229728653
  local s = math.sqrt(1 - z * z)
  points[i + 1] = { 0.035 * s * math.cos(turn), 0.035 * s * math.sin(turn), 0.035 * z }
end
local shapes = {
  [0] = box{ size = { 0.06, 0.05, 0.04 } },
  cylinder{ radius = 0.028, length = 0.06 },
  hull{ points = points },
}

for i = 0, p.n - 1 do
  local turn = { random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5 }
  object("body" .. i, {
    parent = room, free = true, rotation = turn,
    position = {
      (i % side - (side - 1) / 2) * pitch, (i // side % side - (side - 1) / 2) * pitch, 0.06 + i // (side * side) * pitch,
    },
    solid{ shape = shapes[i % 3], material = "Plastic", contact = "Plastic" },
  })
end
