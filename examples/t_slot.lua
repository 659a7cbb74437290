-- A T that drops into a slot: two STL files of millimetres, each a body of convex pieces that are made of it.
--
-- The slot is half a millimetre wider on either side than the web of the T, and 2 mm deeper, so that the T ends with its
-- flange on the block. As hulls neither would have anything to put into the other.

local p = parameters{
  cor = 0.4, -- [-] coefficient of restitution
  muK = 0.15, -- [-] friction
}

solidMaterial("Steel", { density = 7800, E = 2.1e11, nu = 0.3 })
contactPair("Steel", "Steel", { cor = p.cor, muK = p.muK, muR = 0 })
visualMaterial("bright", { color = "orange" })
visualMaterial("dull", { color = "#8090a0" })
scene{ stopTime = 0.5 }

world("world")
object("block", {
  parent = "world",
  solid{ shape = mesh{ file = "slotted_block.stl", scale = 0.001, pieces = "decompose" }, contact = "Steel", visual = "dull" },
})
object("tee", {
  parent = "world", free = true, position = { 0.0001, 0.002, 0.052 }, rotation = { 0.004, 0.006, 0.005 },
  solid{ shape = mesh{ file = "tee.stl", scale = 0.001, pieces = "decompose" }, material = "Steel", contact = "Steel",
         visual = "bright" },
})
