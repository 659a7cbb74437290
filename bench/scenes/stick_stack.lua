-- Boxes one on the other, each a little beside the one below.

local p = parameters{
  law = "stick",
  n = 8,
  offset = 0.003, -- [m]
  stop = 3600,    -- [s]
}

scene{ stopTime = p.stop, interval = p.stop / 60, friction = p.law }
solidMaterial("Bone", { density = 1600, E = 1e8, nu = 0.35 })
contactPair("Bone", "Bone", { cor = 0.5, muK = 0.5, muR = 0 })
world("room", { solid{ shape = halfSpace{}, contact = "Bone" } })
for i = 1, p.n do
  object("b" .. i, {
    parent = "room", position = { i % 2 * p.offset, 0, 0.1 * i - 0.05 }, free = true, start = "rest",
    solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, material = "Bone", contact = "Bone" },
  })
end
