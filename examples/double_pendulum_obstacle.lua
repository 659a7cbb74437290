-- A double pendulum falls on a floor below it: the impulse at its tip runs through both hinges.
--
-- Shows impulses in a tree. The tip comes back with cor times its speed towards the floor; its speed along the floor
-- changes as well, since the bars turn, and so do the rates of both hinges. The model needs nothing for that but the
-- contact pair. With friction (muK > 0) the restitution is that of energy, so the impact never makes any.
-- Try: carom run double_pendulum_obstacle.lua --set cor=1   (energy stays)
--      carom run double_pendulum_obstacle.lua --set muK=0.5

local p = parameters{
  cor = 0.5,     -- coefficient of restitution
  muK = 0,       -- friction of tip and floor
  angle1 = 1.2,  -- [rad] of the upper bar, from hanging straight down
  angle2 = 0.6,  -- [rad] of the lower bar, from the upper one
  floor = 0.3,   -- [m] below the upper hinge
  response = "impulsive",
}

scene{ stopTime = 4, interval = 0.004, tolerance = 1e-9 }

solidMaterial("Tip", { density = 7800, E = 2e11, nu = 0.3 })
solidMaterial("Floor", { density = 7800, E = 2e11, nu = 0.3 })
contactPair("Tip", "Floor", { cor = p.cor, muK = p.muK, muR = 0, response = p.response, formula = "exact" })

local steel = visualMaterial("steel", { color = "SteelBlue", shininess = 0.7 })
local brass = visualMaterial("brass", { color = "Goldenrod", shininess = 0.9 })
local stone = visualMaterial("stone", { color = "LightSlateGray", transparency = 0.5, shininess = 0.3 })

local ground = world("ground", {
  visual{ shape = box{ size = { 0.2, 0.2, 0.1 } }, visual = "DimGray" }, -- the hook
  light{ kind = "ambient", intensity = 0.4 },
})
object("lamp", { parent = ground, position = { -1, -3, 3 }, light{ kind = "point" } })
object("viewer", {
  parent = ground, position = { 0, -6, 0.6 }, rotation = { axis = "x", angle = pi / 2 - 0.1 },
  camera{ fieldOfView = 0.6 },
})

-- A bar of 50 kg and 1 m that hangs down from its own frame.
local function bar(name, look)
  local top = object(name)
  object(name .. "Body", {
    parent = top, position = { 0, 0, -0.5 },
    solid{ shape = box{ size = { 0.1, 0.1, 1 } }, mass = 50, visual = look },
  })
  return top, object(name .. "End", { parent = top, position = { 0, 0, -1 } })
end
local upper, elbowFrame = bar("upper", steel)
local lower, tipFrame = bar("lower", brass)
local tip = 0.05 -- [m] radius of the round end
object("tip", { parent = tipFrame, solid{ shape = sphere{ radius = tip }, contact = "Tip", visual = brass } })

revolute("shoulder", ground, upper, { axis = "-y", start = p.angle1 })
revolute("elbow", elbowFrame, lower, { axis = "-y", start = p.angle2 })

-- The middle of the tip is `floor` below the hinge when its surface touches. The bars swing through the floor: only the
-- tip can touch.
object("floor", {
  parent = ground, position = { 0, 0, -p.floor - tip - 0.05 },
  solid{ shape = box{ size = { 5, 1, 0.1 } }, contact = "Floor", visual = stone },
})
