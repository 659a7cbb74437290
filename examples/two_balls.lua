-- A rolling billiard ball meets a resting one, full in the face.
--
-- Shows what an impact does not change: balls without friction between them exchange their velocities, but the first
-- ball keeps its spin. So it stands for a moment, turning, until the cloth sets it in motion again and it follows the
-- other one. Of the speed v before the impact the balls roll on with 2/7 v and 5/7 v, less a little rolling resistance.
-- Try: carom run two_balls.lua --set offset=0.02   (the balls part at a right angle)
--      carom plot two_balls.run/result.h5 '*.velocity.x' '*.angularVelocity.y'

local p = parameters{
  speed = 3.0,     -- [m/s] of the first ball
  distance = 1.28, -- [m] between the centres
  offset = 0,      -- [m] of the second ball to the side; up to the diameter, 0.06
  muK = 0.6,       -- sliding friction of ball and cloth
  muR = 0.02,      -- rolling resistance
}

scene{ stopTime = 1, interval = 0.001, tolerance = 1e-8 }

contactPair("BilliardBall", "BilliardTable", { cor = 0, muK = p.muK, muR = p.muR })

local cloth = visualMaterial("cloth", { color = "#0a6b38", shininess = 0.05 })
local ivory = visualMaterial("ivory", { color = "Ivory", shininess = 0.9 })
local red = visualMaterial("red", { color = "Crimson", shininess = 0.9 })

local radius = 0.03

local hall = world("hall", { light{ kind = "ambient", intensity = 0.4 } })
object("lamp", { parent = hall, position = { 1, -1, 2 }, light{ kind = "point" } })
object("viewer", {
  parent = hall, position = { 1.1, -2.6, 1.2 }, rotation = { axis = "x", angle = math.atan(2.6, 1.2) },
  camera{ fieldOfView = 0.6 },
})
object("table", {
  parent = hall, position = { 1.4, 0, -0.02 },
  solid{ shape = box{ size = { 3, 1.12, 0.04 } }, contact = "BilliardTable", visual = cloth },
})

local function ball(name, x, y, look, spotLook, velocity)
  local it = object(name, {
    parent = hall, position = { x, y, radius }, free = true, start = "rest", velocity = velocity,
    solid{ shape = sphere{ radius = radius }, material = "BilliardBall", contact = "BilliardBall", visual = look },
  })
  object(name .. "Spot", { -- shows how it turns
    parent = it, position = { 0, -radius, 0 }, visual{ shape = sphere{ radius = 0.006 }, visual = spotLook },
  })
end
ball("first", 0.2, 0, ivory, "Crimson", { p.speed, 0, 0 })
ball("second", 0.2 + p.distance, p.offset, red, "Ivory")
