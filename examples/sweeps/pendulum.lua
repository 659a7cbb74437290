-- A pendulum with damping in its hinge: the model of swing.lua, which finds out about both from measurements.
-- Try: carom fit swing.lua

local p = parameters{
  length = 1,    -- [m]
  damping = 0.1, -- [N m s/rad]
  start = 0.5,   -- [rad]
}

scene{ stopTime = 10 }
local room = world("room")
local bar = object("bar", { visual{ shape = sphere{ diameter = 0.02 }, visual = "DimGray" } })
object("bob", {
  parent = bar, position = { 0, 0, -p.length }, mass{ mass = 1 },
  visual{ shape = sphere{ diameter = 0.1 }, visual = "SteelBlue" },
})
revolute("hinge", room, bar, { axis = "y", damping = p.damping, start = p.start })
