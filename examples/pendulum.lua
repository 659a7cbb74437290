-- A pendulum: a steel rod with a ball at its end, hanging from a hinge.
--
-- Shows the least that a model needs: a world, a body, a joint. The rod has no place of its own; the joint
-- puts its upper end at the hinge. Its period is that of the elliptic integral: it grows with the angle.
-- Try: carom run pendulum.lua --set length=2 --set angle=3

local p = parameters{
  length = { value = 0.8, min = 0.1, max = 10, unit = "m", label = "of the rod" },
  angle = { value = 0.5, min = -3.14, max = 3.14, unit = "rad", label = "from hanging straight down" },
}

scene{ stopTime = 10, tolerance = 1e-8 }

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.2 } } })
local hinge = object("hinge", { parent = ground, position = { 0, 0, 1 } })

local rod = object("rod", {
  solid{ shape = cylinder{ diameter = 0.02, length = p.length }, material = "Steel", visual = "SteelBlue" },
})
local top = object("top", { parent = rod, position = { 0, 0, p.length / 2 } })
object("bob", {
  parent = rod, position = { 0, 0, -p.length / 2 },
  solid{ shape = sphere{ diameter = 0.1 }, material = "Steel", visual = "Gold" },
})

revolute("pivot", hinge, top, { axis = "y", start = p.angle })
