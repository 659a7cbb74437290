-- A mass on a belt, held by a spring: it is carried along until the spring tears it off, slides back, and sticks again.

local p = parameters{
  law = "stick",
  fade = 1e-5, -- [m/s]
  E = 1e9,     -- [N/m^2]
}

scene{ stopTime = 10, interval = 0.01, friction = p.law }
solidMaterial("Bone", { density = 1000, E = p.E, nu = 0.35 })
contactPair("Bone", "Bone", { cor = 0.5, muS = p.law == "stick" and 0.6 or nil, muK = 0.4, muR = 0, slipFade = p.fade })
local room = world("room", { solid{ shape = halfSpace{}, contact = "Bone", surfaceVelocity = { 0.1, 0, 0 } } })
object("mass", {
  parent = room, position = { 0, 0, 0.05 }, free = true,
  solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, mass = 1, contact = "Bone" },
})
local foot = object("foot", { parent = "mass", position = { 0, 0, -0.05 } })
springDamper("spring", object("hook", { parent = room, position = { -1, 0, 0 } }), foot, { length = 1, stiffness = 100 })
