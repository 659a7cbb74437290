-- n balls in one layer on the floor of a box, 10 % of it covered, all at 1 m/s in directions of their own.
--
-- They slide, roll, and collide with each other and with the walls; without friction they slide for ever. The area for
-- each ball is fixed, so what happens to one of them does not depend on n: neither should its cost.

local p = parameters{
  n = 16,
  friction = true,
  area = 0.0283, -- [m^2] of the floor for each ball
}

local r, mass = 0.03, 0.2
local E, nu, Et, nut = 5.4e9, 0.34, 1.1e10, 0.4
local stiffness = 4 / 3 / ((1 - nu ^ 2) / E + (1 - nut ^ 2) / Et) * math.sqrt(r)
local depth = (mass * 9.81 / stiffness) ^ (2 / 3) -- [m] at rest

solidMaterial("Ball", { density = 1768, E = E, nu = nu })
solidMaterial("Floor", { density = 700, E = Et, nu = nut })
solidMaterial("Wall", { density = 700, E = Et, nu = nut })
contactPair("Ball", "Ball", { cor = 1, muK = 0, muR = 0 })
contactPair("Ball", "Floor", { cor = 0, muK = p.friction and 0.6 or 0, muR = p.friction and 0.02 or 0 })
contactPair("Ball", "Wall", { cor = p.friction and 0.8 or 1, muK = 0, muR = 0 })

scene{ stopTime = 1, interval = 0.01 }
local half = math.max(0.1, 0.5 * math.sqrt(p.n * p.area)) -- [m]
local hall = world("hall", { solid{ shape = halfSpace{}, contact = "Floor" } })
local function wall(name, x, y, axis)
  object(name, { parent = hall, position = { x, y, 0 }, solid{ shape = halfSpace{ axis = axis }, contact = "Wall" } })
end
wall("wallRight", half, 0, { -1, 0, 0 })
wall("wallLeft", -half, 0, { 1, 0, 0 })
wall("wallBack", 0, half, { 0, -1, 0 })
wall("wallFront", 0, -half, { 0, 1, 0 })

-- [Marsaglia03], 53 bits.
local state = 88172645463325252
local function random()
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 11) / 9007199254740992
end

-- A lattice, each ball somewhere in its cell but no nearer than 0.5 mm to the next one.
local side = math.ceil(math.sqrt(p.n))
local cell = 2 * (half - 0.032) / side
local play = math.max(0, cell - 0.0605)
for i = 0, p.n - 1 do
  local x = -half + 0.032 + (i % side + 0.5) * cell + play * (random() - 0.5)
  local y = -half + 0.032 + (i // side + 0.5) * cell + play * (random() - 0.5)
  local angle = 6.283185307179586 * random()
  object("ball" .. i, {
    parent = hall, position = { x, y, r - depth }, free = true, velocity = { math.cos(angle), math.sin(angle), 0 },
    solid{ shape = sphere{ radius = r }, mass = mass, contact = "Ball" },
  })
end
