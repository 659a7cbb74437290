-- n spheres packed on a jittered lattice just above the floor of an open box: they drop, press on each other and settle.

local p = parameters{
  n = 100,
  E = 1e7,    -- [N/m^2]
  cor = 0.3,
  muK = 0.5,
  muR = 0,
  friction = "regularized", -- or "stick"
}

local r = 0.05 -- [m]
local mass = 1000 * 4 / 3 * math.pi * r ^ 3
solidMaterial("Rubber", { density = 1000, E = p.E, nu = 0.3 })
contactPair("Rubber", "Rubber", { cor = p.cor, muK = p.muK, muR = p.muR })

scene{ stopTime = 0.5, interval = 0.01, tolerance = 1e-3, friction = p.friction }
local side = math.ceil(p.n ^ (1 / 3) - 1e-9)   -- balls along an edge
local half = side * 1.05 * r + 0.1 * r         -- [m] of the box
local room = world("room", { solid{ shape = halfSpace{}, contact = "Rubber" } })
local function wall(name, x, y, axis)
  object(name, { parent = room, position = { x, y, 0 }, solid{ shape = halfSpace{ axis = axis }, contact = "Rubber" } })
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

local pitch = 2.05 * r
local corner = -(side - 1) * pitch / 2
for i = 0, p.n - 1 do
  local x = corner + i % side * pitch + 0.02 * r * (random() - 0.5)
  local y = corner + i // side % side * pitch + 0.02 * r * (random() - 0.5)
  object("ball" .. i, {
    parent = room, position = { x, y, 1.2 * r + i // (side * side) * pitch }, free = true,
    solid{ shape = sphere{ radius = r }, mass = mass, contact = "Rubber" },
  })
end
