-- Parcels fall on a belt, one after the other, and are carried away.

local p = parameters{ law = "stick", n = 6, vMin = 1e-3 }

scene{ stopTime = 10, interval = 0.1, tolerance = 1e-5, friction = p.law, vMin = p.vMin }
solidMaterial("Plastic", { density = 300, E = 1e7, nu = 0.4 })
contactPair("Plastic", "Plastic", { cor = 0.2, muK = 0.5, muR = 0 })
local room = world("room")
object("belt", {
  parent = room, position = { 4, 0, -0.1 },
  solid{ shape = box{ size = { 12, 1, 0.2 } }, contact = "Plastic", surfaceVelocity = { 0.5, 0, 0 } },
})
for i = 1, p.n do
  object("parcel" .. i, {
    parent = room, position = { 0.5 * i, 0.02 * i - 0.07, 0.12 + 0.02 * i }, rotation = { 0.1 * i, 0.05 * i, 0.3 * i },
    free = true, solid{ shape = box{ size = { 0.3, 0.2, 0.15 } }, material = "Plastic", contact = "Plastic" },
  })
end
