-- n boxes, cylinders and hulls dropped side by side on a floor: they tumble, roll against each other, and come to rest.
-- What is left to do then is nothing, and should cost next to nothing.

local p = parameters{
  n = 100,
  pitch = 0.13,   -- [m] from body to body
  height = 0.03,  -- [m] of the lowest point above the floor, about
}

solidMaterial("Plastic", { density = 1000, E = 1e8, nu = 0.35 })
contactPair("Plastic", "Plastic", { cor = 0.3, muK = 0.5, muR = 0.02 })
scene{ stopTime = 60, interval = 0.1, tolerance = 1e-4 }
local room = world("room", { solid{ shape = halfSpace{}, contact = "Plastic" } })

-- [Marsaglia03], 53 bits.
local state = 88172645463325252
local function random()
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 11) / 9007199254740992
end

-- Twelve points on a sphere by the golden angle, each pushed in or out a little.
local function stone()
  local points = {}
  for i = 0, 11 do
    local z, turn = 1 - (2 * i + 1) / 12, i * 2.399963229728653
    local radius, s = 0.04 * (0.85 + 0.15 * random()), math.sqrt(1 - z * z)
    points[i + 1] = { radius * s * math.cos(turn), radius * s * math.sin(turn), radius * z }
  end
  return hull{ points = points }
end

local function shape(kind)
  if kind == 0 then
    return box{ size = { 0.05 + 0.02 * random(), 0.05 + 0.02 * random(), 0.03 + 0.02 * random() } }
  elseif kind == 1 then
    return cylinder{ radius = 0.02 + 0.015 * random(), length = 0.04 + 0.02 * random() }
  end
  return stone()
end

local side = math.ceil(math.sqrt(p.n))
for i = 0, p.n - 1 do
  local turn = { 0.6 * (random() - 0.5), 0.6 * (random() - 0.5), 6.28 * random() }
  local push = { 0.4 * (random() - 0.5), 0.4 * (random() - 0.5), 0 }
  object("body" .. i, {
    parent = room, free = true, rotation = turn, velocity = push,
    position = { (i % side - (side - 1) / 2) * p.pitch, (i // side - (side - 1) / 2) * p.pitch, 0.05 + p.height },
    solid{ shape = shape(i % 3), material = "Plastic", contact = "Plastic" },
  })
end
