-- A mobile: rods and bars, each bar carrying two smaller mobiles.
--
-- Shows an assembly that makes itself again: six levels give 63 rods, 31 bars and 94 hinges with paths like
-- mobile.left.right.hinge. All hinges turn about y.
-- Try: carom run mobile.lua --set depth=3

local p = parameters{ depth = 6, angle = 0.2, damping = 0.006 } -- levels; [rad] of the topmost hinge; [N m s/rad]

scene{ stopTime = 5, tolerance = 1e-5 }

local rodLength, rodDiameter = 0.1, 0.005 -- [m]
local thickness = 0.03                    -- [m] width and height of a bar, and diameter of a ball
local shortest = 0.08                     -- [m] between the ends of the smallest bar; each level up has twice that

-- Hangs a mobile of `depth` levels under the coordinate system `hook`.
local function hang(name, hook, depth, angle)
  assembly(name, {}, function()
    local rod = object("rod", {
      solid{ shape = cylinder{ diameter = rodDiameter, length = rodLength }, material = "DryWood", visual = "Tan" },
    })
    local top = object("top", { parent = rod, position = { 0, 0, rodLength / 2 } })
    local bottom = object("bottom", { parent = rod, position = { 0, 0, -rodLength / 2 } })
    revolute("hinge", hook, top, { axis = "y", start = angle, damping = p.damping })
    if depth == 1 then
      object("ball", {
        parent = bottom,
        solid{ shape = sphere{ diameter = thickness }, material = "DryWood", visual = "Crimson" },
      })
      return
    end
    local span = shortest * 2 ^ (depth - 2)
    local bar = object("bar", {
      solid{ shape = box{ size = { span + thickness, thickness, thickness } }, material = "DryWood", visual = "Peru" },
    })
    local middle = object("middle", { parent = bar, position = { 0, 0, thickness / 2 } })
    revolute("barHinge", bottom, middle, { axis = "y", damping = p.damping })
    hang("left", object("leftEnd", { parent = bar, position = { -span / 2, 0, -thickness / 2 } }), depth - 1)
    hang("right", object("rightEnd", { parent = bar, position = { span / 2, 0, -thickness / 2 } }), depth - 1)
  end)
end

local room = world("room")
hang("mobile", object("hook", { parent = room, position = { 0, 0, 2 } }), p.depth, p.angle)
