-- n boxes on top of each other, with small gaps between them, each turned a little against the one below: they settle
-- on their corners and stand.

local p = parameters{
  n = 10,
  gap = 2e-4,  -- [m] between boxes at the start
  twist = 0.05, -- [rad] from box to box
}

local size = 0.1 -- [m]
solidMaterial("Plastic", { density = 1000, E = 1e8, nu = 0.35 })
contactPair("Plastic", "Plastic", { cor = 0.3, muK = 0.5, muR = 0 })

scene{ stopTime = 1, interval = 0.01, tolerance = 1e-4 }
local room = world("room", { solid{ shape = halfSpace{}, contact = "Plastic" } })
for i = 1, p.n do
  object("box" .. i, {
    parent = room, position = { 0, 0, (i - 0.5) * (size + p.gap) + p.gap / 2 }, free = true,
    rotation = { axis = "z", angle = (i - 1) * p.twist },
    solid{ shape = box{ size = { size, size, size } }, material = "Plastic", contact = "Plastic" },
  })
end
