-- A wall of sixteen bricks, laid dry, and a ball that is thrown at it: what is hit flies, what is above comes down.
--
-- Shows flat contact: bricks stand face on face (start = "rest"), are knocked off, tumble over edges and corners and
-- come to rest on each other. Every joule is accounted for: what is lost goes into restitution and friction.
-- Try: --set speed=2          the wall holds
--      --set height=0.1       a hit at its foot
--      carom plot brick_wall.run/result.h5 'energy.*'

local p = parameters{
  rows = 4,
  columns = 4,
  speed = 8,     -- [m/s] of the ball
  height = 0.25, -- [m] of its centre when it is thrown
  mass = 4,      -- [kg] of it
}

scene{ stopTime = 1.5, interval = 0.01, tolerance = 1e-7 }
solidMaterial("Brick", { density = 1800, E = 1e8, nu = 0.2 }) -- softer than it is: a hit takes a millisecond
contactPair("Brick", "Brick", { cor = 0.3, muK = 0.6, muR = 0 })

local clay = visualMaterial("clay", { color = "#b5543a", shininess = 0.1 })
local pale = visualMaterial("pale clay", { color = "#c97a54", shininess = 0.1 })
local yard = world("yard", {
  solid{ shape = halfSpace{}, contact = "Brick" },
  light{ kind = "ambient", intensity = 0.45 },
})
object("ground", {
  parent = yard, position = { 0, 0, -0.01 },
  visual{ shape = box{ size = { 3, 3, 0.02 } }, visual = visualMaterial("gravel", { color = "#d8d2c4", shininess = 0.1 }) },
})
object("sun", { parent = yard, rotation = { -0.5, 0.6, 0 }, light{ kind = "directional" } })
object("tripod", { parent = yard, rotation = { axis = "z", angle = 0.7 } })
object("viewer", {
  parent = "tripod", position = { 0.2, -2.2, 1 }, rotation = { axis = "x", angle = math.atan(2.2, 0.75) },
  camera{ fieldOfView = 0.6 },
})

-- Every other row is shifted by half a brick.
local length, depth, rise = 0.21, 0.1, 0.1 -- [m]
for row = 1, p.rows do
  for column = 1, p.columns do
    local y = (column - (p.columns + 1) / 2 + (row % 2 - 0.5) / 2) * length
    object("brick" .. row .. "_" .. column, {
      parent = yard, position = { 0, y, (row - 0.5) * rise }, free = true, start = "rest",
      solid{ shape = box{ size = { depth, length, rise } }, material = "Brick", contact = "Brick",
             visual = (row + column) % 2 == 0 and clay or pale },
    })
  end
end

object("ball", {
  parent = yard, position = { -0.6, -0.05, p.height }, free = true, velocity = { p.speed, 0, 0.2 },
  solid{ shape = sphere{ radius = 0.08 }, mass = p.mass, contact = "Brick",
         visual = visualMaterial("iron", { color = "#3b4552", shininess = 0.8 }) },
})
