-- Billiards, the benchmark scene: a cue ball at 3 m/s into a rack of fifteen, on half-spaces.
--
-- All numbers are given, so that other programs can have the same: see bench/billiards_law.h.
-- The symmetric rack is one sample and a lucky one. With a seed every ball is up to 2e-5 m off its place and the cue
-- ball runs 4 mm beside the axis: seeds 11 to 30 are the twenty racks that all programs here are measured with.

local p = parameters{
  kick = 0, -- [m] shifts the cue ball sideways
  seed = 0, -- of an asymmetric rack; 0: the symmetric one
}

local r, mass = 0.03, 0.2
local E, nu, Et, nut = 5.4e9, 0.34, 1.1e10, 0.4
local stiffness = 4 / 3 / ((1 - nu ^ 2) / E + (1 - nut ^ 2) / Et) * math.sqrt(r)
local depth = (mass * 9.81 / stiffness) ^ (2 / 3) -- [m] at rest

solidMaterial("Ball", { density = 1768, E = E, nu = nu })
solidMaterial("Cloth", { density = 700, E = Et, nu = nut })
solidMaterial("Wall", { density = 700, E = Et, nu = nut })
contactPair("Ball", "Ball", { cor = 1, muK = 0, muR = 0 })
contactPair("Ball", "Cloth", { cor = 0, muK = 0.6, muR = 0.02 })
contactPair("Ball", "Wall", { cor = 0.8, muK = 0, muR = 0 })

scene{ stopTime = 5, interval = 0.01 }
local hall = world("hall", { solid{ shape = halfSpace{}, contact = "Cloth" } })
local function wall(name, x, y, axis)
  object(name, { parent = hall, position = { x, y, 0 }, solid{ shape = halfSpace{ axis = axis }, contact = "Wall" } })
end
wall("wallRight", 1.12, 0, { -1, 0, 0 })
wall("wallLeft", -1.12, 0, { 1, 0, 0 })
wall("wallBack", 0, 0.56, { 0, -1, 0 })
wall("wallFront", 0, -0.56, { 0, 1, 0 })

-- A linear congruential generator modulo 2^32; its upper 24 bits are used.
local state = math.floor(p.seed)
local function shift()
  if p.seed == 0 then
    return 0
  end
  state = (state * 1664525 + 1013904223) & 0xffffffff
  return 4e-5 * ((state >> 8) / 16777216 - 0.5)
end

local function ball(name, x, y, velocity, aside)
  x = x + shift()
  y = y + shift()
  object(name, {
    parent = hall, position = { x, y + (aside or 0), r - depth }, free = true, velocity = velocity,
    solid{ shape = sphere{ radius = r }, mass = mass, contact = "Ball" },
  })
end
ball("ball0", -0.56, 0, { 3, 0, 0 }, p.seed == 0 and p.kick or p.kick + 0.004)
local pitch, count = 2 * r + 1e-4, 0
for row = 0, 4 do
  for j = 0, row do
    count = count + 1
    ball("ball" .. count, 0.56 + row * pitch * math.sqrt(3) / 2, (j - row / 2) * pitch)
  end
end
