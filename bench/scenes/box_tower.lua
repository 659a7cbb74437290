-- n cubes on top of each other, sides coplanar, that are to stand from the start: each is put where the one below carries
-- it. What is measured is how long it takes to find those places.

local p = parameters{ n = 10 }

scene{ stopTime = 1, interval = 0.1, tolerance = 1e-7 }
solidMaterial("Plastic", { density = 1000, E = 1e8, nu = 0.35 })
contactPair("Plastic", "Plastic", { cor = 0.3, muK = 0.5, muR = 0 })

local size = 0.1 -- [m]
local room = world("room", { solid{ shape = halfSpace{}, contact = "Plastic" } })
for i = 1, p.n do
  object("box" .. i, {
    parent = room, position = { 0, 0, (i - 0.5) * size }, free = true, start = "rest",
    solid{ shape = box{ size = { size, size, size } }, material = "Plastic", contact = "Plastic" },
  })
end
