-- Balls fall into a box, and rolling friction brings them to rest.

local p = parameters{
  law = "stick",
  n = 100,
  muR = 0.05,
  E = 1e9,  -- [N/m^2]
  stop = 1, -- [s]
}

local r, half = 0.005, 0.025 -- [m] of balls, of the box
scene{ stopTime = p.stop, interval = p.stop / 20, tolerance = 1e-5, friction = p.law }
solidMaterial("Glass", { density = 2500, E = p.E, nu = 0.3 })
contactPair("Glass", "Glass", { cor = 0.5, muK = 0.5, muR = p.muR })
local room = world("room", { solid{ shape = halfSpace{}, contact = "Glass" } })
for i, axis in ipairs{ { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do
  object("wall" .. i, {
    parent = room, position = { -half * axis[1], -half * axis[2], 0 },
    solid{ shape = halfSpace{ axis = axis }, contact = "Glass" },
  })
end

-- [Marsaglia03], 53 bits.
local state = 88172645463325252
local function random()
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 11) / 9007199254740992 - 0.5
end

local side, pitch = 4, 2.3 * r
for i = 0, p.n - 1 do
  object("ball" .. i, {
    parent = room, free = true,
    position = {
      (i % side - (side - 1) / 2) * pitch + 0.1 * r * random(),
      (i // side % side - (side - 1) / 2) * pitch + 0.1 * r * random(),
      1.2 * r + i // (side * side) * pitch,
    },
    solid{ shape = sphere{ radius = r }, material = "Glass", contact = "Glass" },
  })
end
