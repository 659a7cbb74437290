-- A pendulum swings against a wall: with impulses, or with the penalty force K depth (1 + k rate).
--
-- Shows a contact within a mechanism, and how stiff a penalty may be. With impulses the rate of the hinge jumps to -cor
-- times its value. With the penalty the restitution is larger than asked for: 0.59 for 0.5 when K is large, 0.62 with
-- K = 5e4, where the impact takes so long that gravity helps; formula=exact obtains 0.5. K may be anything from 1e3,
-- a bed of rubber, to 1e15 N/m, where the tip goes less than 1 um deep and the impact is over in half a microsecond.
-- Try: carom run pendulum_obstacle.lua --set response=penalty --set K=1e3
--      carom run pendulum_obstacle.lua --set response=penalty --set K=1e15

local p = parameters{
  response = "impulsive", -- or penalty
  formula = "flores",     -- of the penalty's damping: flores, as in the literature, or exact
  K = 5e4,                -- [N/m] of the penalty
  cor = 0.5,              -- coefficient of restitution
  angle = 1.0,            -- [rad] at the start, from standing upright
  wall = 0.5,             -- [m] from the hinge
}

scene{ stopTime = 6, interval = 0.005, tolerance = 1e-9 }

-- The materials only name the pair: impulses and the penalty need no modulus, but persistent contact does.
solidMaterial("Tip", { density = 7800, E = 2e11, nu = 0.3 })
solidMaterial("Wall", { density = 7800, E = 2e11, nu = 0.3 })
contactPair("Tip", "Wall", { cor = p.cor, muK = 0, muR = 0, response = p.response, stiffness = p.K, formula = p.formula })

local brass = visualMaterial("brass", { color = "Goldenrod", shininess = 0.9 })
local steel = visualMaterial("steel", { color = "SteelBlue", shininess = 0.7 })
local brick = visualMaterial("brick", { color = "Firebrick", shininess = 0.1 })

local ground = world("ground", {
  visual{ shape = box{ size = { 0.12, 0.3, 0.06 } }, visual = "DimGray" }, -- the hook
  light{ kind = "ambient", intensity = 0.4 },
})
object("lamp", { parent = ground, position = { -1, -3, 2 }, light{ kind = "point" } })
object("viewer", {
  parent = ground, position = { 0, -4.5, -0.1 }, rotation = { axis = "x", angle = pi / 2 }, camera{ fieldOfView = 0.6 },
})

-- A bar without mass, 1 m long, with 50 kg in its middle. It stands upright at angle 0.
local length, tip = 1, 0.05
local bar = object("bar", {
  mass{ mass = 50, com = { 0, 0, length / 2 }, inertia = { 0, 0, 0 } },
})
object("rod", {
  parent = bar, position = { 0, 0, length / 2 },
  visual{ shape = cylinder{ diameter = 0.03, length = length }, visual = steel },
  visual{ shape = sphere{ radius = 0.08 }, visual = brass },
})
object("tip", {
  parent = bar, position = { 0, 0, length },
  solid{ shape = sphere{ radius = tip }, contact = "Tip", contactRadius = 1, visual = brass },
})
-- Bodies that a joint connects pass through each other unless it says otherwise: bar and wall.
revolute("hinge", ground, bar, { axis = "-y", start = p.angle, canCollide = true })

-- The middle of the tip is at x = wall when its surface touches. A half-space has no other side that a soft tip could
-- come out of; only its face is drawn.
object("wall", {
  parent = ground, position = { p.wall + tip, 0, 0 }, rotation = { axis = "y", angle = -pi / 2 },
  solid{ shape = halfSpace{}, contact = "Wall" },
})
object("bricks", {
  parent = "wall", position = { -0.85, 0, -0.06 }, -- z of the wall points to the hinge, x up
  visual{ shape = box{ size = { 0.7, 0.6, 0.12 } }, visual = brick },
})
