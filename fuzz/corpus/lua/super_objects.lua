-- Fourteen objects in six rigid groups, after the example of [NeumayrOtter19] fig. 2 to 5.
--
-- Shows what Carom makes of a model: rigidly connected objects become one super-object, and the loop of the
-- super-objects 2, 3, 4 and 6 is cut at the joint between 3 and 6. Try: carom info super_objects.lua --dump weld
--
-- A carriage (2) carries a parallelogram of three links, left (3), right (4) and top (6), and a pendulum (5) that
-- a spring ties to the right link. Seen along -z:
--
--   (0,4) obj5/obj13 ------- 6 ------- obj12 (4,4)
--         |                                |
--         3                                4
--         |                                |
--   (0,0) obj2/obj4 -------- 2 -------- obj6 (4,0)

local axes = visual{ shape = coordinateSystem{ length = 0.5 } }
local function lump(kg)
  return mass{ mass = kg, inertia = { 0.1 * kg, 0.1 * kg, 0.1 * kg } }
end
local ball = sphere{ diameter = 0.9 }

-- 1
object("obj1", { mobility = "world", axes })
-- 2
object("obj2", { lump(2) })
object("obj3", { parent = "obj2", position = { 4, 0, 0 } })
-- 3
object("obj4", { lump(1) })
object("obj5", { parent = "obj4", position = { 0, 4, 0 },
  solid{ shape = ball, material = "DryWood", contact = "DryWood" } })
-- 4
object("obj6")
object("obj7", { parent = "obj6", position = { 0, 4, 0 }, lump(2) })
object("obj8", { parent = "obj6", position = { 0, 2, 0 } })
-- 5
object("obj9", { lump(1) })
object("obj10", { parent = "obj9", position = { 0, -0.5, 0 }, axes })
object("obj11", { parent = "obj9", position = { 0, -1, 0 },
  solid{ shape = sphere{ radius = 0.1 }, material = "DryWood", contact = "DryWood" } })
-- 6
object("obj12", { lump(1) })
object("obj13", { parent = "obj12", position = { -4, 0, 0 } })
object("obj14", { parent = "obj12", position = { 0, 0, 0.8 },
  solid{ shape = ball, material = "DryWood", contact = "DryWood", visual = "blue" } })

prismatic("drive", "obj1", "obj2")
revolute("joint1", "obj2", "obj4")
revolute("joint2", "obj3", "obj6")
revolute("joint3", "obj3", "obj9")
revolute("joint4", "obj7", "obj12")
revolute("joint5", "obj5", "obj13")
springDamper("spring", "obj11", "obj8", { stiffness = 1000 })
