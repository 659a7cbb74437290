-- A billiard ball runs against a cushion whose nose meets it 7/5 r above the cloth.
--
-- Shows two contacts at once. The nose pushes back and down, through the centre of the ball: it gives no spin. But it
-- presses the ball on the cloth by 2/5 of that push, and the friction there turns the spin round. For a rigid ball
-- muK = sqrt(21) / 7 = 0.65 is enough to have it roll away at once.
-- Try: carom run cushion.lua --set muK=0.1   (the ball comes back with hardly any spin, sliding)
--      carom plot cushion.run/result.h5 'ball.velocity.x' 'ball.angularVelocity.y'

local p = parameters{
  speed = 3.0,     -- [m/s]
  distance = 0.56, -- [m] from the ball's centre to the nose
  muK = 0.8,       -- sliding friction of ball and cloth
  muR = 0.01,      -- rolling resistance
  cor = 0.98,      -- of ball and cushion
}

scene{ stopTime = 0.5, interval = 0.0005, tolerance = 1e-8 }

contactPair("BilliardBall", "BilliardTable", { cor = 0, muK = p.muK, muR = p.muR })
contactPair("BilliardBall", "BilliardCushion", { cor = p.cor, muK = 0, muR = 0 })

local cloth = visualMaterial("cloth", { color = "#0a6b38", shininess = 0.05 })
local wood = visualMaterial("wood", { color = "SaddleBrown", shininess = 0.3 })
local ivory = visualMaterial("ivory", { color = "Ivory", shininess = 0.9 })

local radius = 0.03

local hall = world("hall", { light{ kind = "ambient", intensity = 0.4 } })
object("lamp", { parent = hall, position = { -1, -1, 2 }, light{ kind = "point" } })
object("viewer", {
  parent = hall, position = { -0.25, -0.9, 0.35 }, rotation = { axis = "x", angle = math.atan(0.9, 0.35) },
  camera{ fieldOfView = 0.6 },
})
object("table", {
  parent = hall, position = { -0.5, 0, -0.02 },
  solid{ shape = box{ size = { 1.2, 0.5, 0.04 } }, contact = "BilliardTable", visual = cloth },
})

-- The nose is the lower inner edge of a box, rounded with the radius e, its face at x = 0. Ball and rounding touch at
-- the height r + r (z + e - r) / (r + e), z being the height of the box above the cloth; so z = 7/5 r - 3/5 e.
-- Rubber gives along its length: the contact radius is that of a flat cushion, not of the small nose.
local nose = 2e-3 -- [m] rounding e
local z = 7 / 5 * radius - 3 / 5 * nose
object("cushion", {
  parent = hall, position = { 0.03, 0, z + 0.01 },
  solid{ shape = box{ size = { 0.06, 0.5, 0.02 }, rounding = nose }, contact = "BilliardCushion", contactRadius = 1,
         visual = wood },
})

object("ball", {
  parent = hall, position = { -p.distance, 0, radius }, free = true, start = "rest", velocity = { p.speed, 0, 0 },
  solid{ shape = sphere{ radius = radius }, material = "BilliardBall", contact = "BilliardBall", visual = ivory },
})
object("spot", { -- shows how it turns
  parent = "ball", position = { 0, -radius, 0 }, visual{ shape = sphere{ radius = 0.006 }, visual = "Crimson" },
})
