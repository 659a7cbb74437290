-- A heap of stones in a box, all from one mesh, mirrored and scaled: hulls of many faces that lie on many others.

local p = parameters{
  n = 30,
}

solidMaterial("Stone", { density = 2600, E = 1e8, nu = 0.25 })
contactPair("Stone", "Stone", { cor = 0.2, muK = 0.6, muR = 0.01 })
scene{ stopTime = 0.5, interval = 0.01, tolerance = 1e-4 }
local half = 0.17 -- [m] of the box
local room = world("room", { solid{ shape = halfSpace{}, contact = "Stone" } })
local function wall(name, x, y, axis)
  object(name, { parent = room, position = { x, y, 0 }, solid{ shape = halfSpace{ axis = axis }, contact = "Stone" } })
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

-- Layers of nine, each stone turned at random.
for i = 0, p.n - 1 do
  local size = 0.035 + 0.01 * random() -- [m] radius
  local turn = { 6.28 * random(), 6.28 * random(), 6.28 * random() }
  object("stone" .. i, {
    parent = room, free = true, rotation = turn,
    position = { (i % 3 - 1) * 0.11, (i // 3 % 3 - 1) * 0.11, 0.06 + i // 9 * 0.11 },
    solid{
      shape = mesh{ file = "stone.obj", scale = { size, size, (i % 2 == 0 and 1 or -1) * size } },
      material = "Stone", contact = "Stone",
    },
  })
end
