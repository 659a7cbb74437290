-- A block on a belt, held by a spring: it sticks, is carried along, breaks loose, slides back, and sticks again.
--
-- The spring pulls until friction at rest, muS, is used up; then the lower muK of sliding lets the block swing back past
-- the middle. A squeaking door, a bowed string and an earthquake are the same thing. With w = sqrt(k/m) and
-- a = (muS - muK) g / w^2 each cycle sticks for 2 a / v and slides for (2 pi - 2 atan(w a / v)) / w: 0.8 s in all.
-- Try: --set muS=0.4             as slippery at rest as in motion: it just swings, never faster than the belt
--      --set v=0.6               too fast: the cycle is a swing
--      carom plot stick_slip.run/result.h5 'block.position.x' 'block.velocity.x'

local p = parameters{
  v = 0.1,       -- [m/s] of the belt
  k = 100,       -- [N/m] of the spring
  muS = 0.6,     -- before it slides
  muK = 0.4,     -- while it slides
}

scene{ stopTime = 4, interval = 0.01, friction = "stick", tolerance = 1e-7 }
solidMaterial("Block", { density = 1, E = 1e9, nu = 0.3 })
contactPair("Block", "Belt", { cor = 0.2, muK = p.muK, muS = p.muS, muR = 0 })
solidMaterial("Belt", { density = 1, E = 1e8, nu = 0.45 })

local steel = visualMaterial("steel", { color = "#c9d2dc", shininess = 0.8 })
local rubber = visualMaterial("rubber", { color = "#2b2d31", shininess = 0.15 })
local red = visualMaterial("red", { color = "#d8403a", shininess = 0.6 })

local room = world("room", { light{ kind = "ambient", intensity = 0.5 } })
object("sun", { parent = room, rotation = { 0.6, -0.5, 0 }, light{ kind = "directional", intensity = 0.9 } })
object("belt", {
  parent = room, position = { 0, 0, -0.02 },
  solid{ shape = box{ size = { 1.4, 0.3, 0.04 } }, contact = "Belt", visual = rubber, surfaceVelocity = { p.v, 0, 0 } },
})
for i, x in ipairs{ -0.7, 0.7 } do
  object("drum" .. i, {
    parent = room, position = { x, 0, -0.02 },
    solid{ shape = cylinder{ radius = 0.02, length = 0.3, axis = "y" }, visual = rubber },
  })
end
object("wall", {
  parent = room, position = { -0.62, 0, 0.1 },
  solid{ shape = box{ size = { 0.03, 0.3, 0.2 } }, visual = steel },
})

-- As flat as this it does not rock, and the spring pulls at the height where friction does.
local block = object("block", {
  parent = room, position = { 0, 0, 0.02 }, free = true, start = "rest",
  solid{ shape = box{ size = { 0.24, 0.16, 0.04 } }, mass = 1, contact = "Block", visual = red },
})
springDamper("spring", object("hook", { parent = "wall", position = { 0.015, 0, -0.1 } }),
  object("eye", { parent = block, position = { -0.12, 0, -0.02 } }),
  { stiffness = p.k, length = 0.485 })
