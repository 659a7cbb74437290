-- A billiard ball slides over the cloth, and rolls when friction has given it enough spin.
--
-- Shows sliding friction and rolling resistance. A rigid ball slides for v / (g (muK + 5/2 (muK - muR))), which is
-- 0.149 s here; then its deceleration falls from muK g to 5/7 muR g. Without rolling resistance it rolls on with 5/7 of
-- its speed for ever, whatever the friction was.
-- Try: carom run rolling_ball.lua --set muR=0
--      carom plot rolling_ball.run/result.h5 'ball.position.?' 'ball.velocity.x' 'ball.angularVelocity.y'

local p = parameters{
  speed = 3.0,    -- [m/s]
  muK = 0.6,      -- sliding friction of ball and cloth
  muR = 0.02,     -- rolling resistance
  start = "rest", -- rest: the ball has sunk in by its weight; pose: it just touches, and sinks in at the beginning
}

scene{ stopTime = 0.5, interval = 0.001, tolerance = 1e-8 }

contactPair("BilliardBall", "BilliardTable", { cor = 0, muK = p.muK, muR = p.muR })

local cloth = visualMaterial("cloth", { color = "#0a6b38", shininess = 0.05 })
local ivory = visualMaterial("ivory", { color = "Ivory", shininess = 0.9 })

local radius = 0.03

local hall = world("hall", { light{ kind = "ambient", intensity = 0.4 } })
object("lamp", { parent = hall, position = { 1, -1, 2 }, light{ kind = "point" } })
object("viewer", {
  parent = hall, position = { 0.8, -2.0, 1.0 }, rotation = { axis = "x", angle = math.atan(2.0, 1.0) },
  camera{ fieldOfView = 0.6 },
})
object("table", {
  parent = hall, position = { 1, 0, -0.02 },
  solid{ shape = box{ size = { 2.24, 1.12, 0.04 } }, contact = "BilliardTable", visual = cloth },
})

object("ball", {
  parent = hall, position = { 0.2, 0, radius }, free = true, start = p.start, velocity = { p.speed, 0, 0 },
  solid{ shape = sphere{ radius = radius }, material = "BilliardBall", contact = "BilliardBall", visual = ivory },
})
-- a spot that shows how it turns
object("spot", {
  parent = "ball", position = { 0, -radius, 0 }, visual{ shape = sphere{ radius = 0.006 }, visual = "Crimson" },
})
