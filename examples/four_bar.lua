-- A planar four-bar mechanism: three bars and the ground, joined in a loop [NeumayrOtter19b] fig. 2. A sine moves rev1,
-- so nothing is free any more; or let it swing by itself with driven = 0.
--
-- Shows an assembly that is used three times, and a loop: all four joints are plain revolutes, and Carom
-- decides where the loop is cut. Try: carom info four_bar.lua --dump cut
--                                     carom run four_bar.lua --record rev1.torque --set amplitude=1
--                                     carom run four_bar.lua --set driven=0

local p = parameters{
  Lx = 0.2,        -- [m] length of every bar
  driven = 1,      -- 1: rev1 is moved by a sine, 0: the mechanism swings
  amplitude = 0.5, -- [rad] of the sine
  frequency = 0.5, -- [Hz]
}

scene{ stopTime = 5, tolerance = 1e-8 }

-- A beam along x with a coordinate system in the centre of each end.
local function bar(name)
  return assembly(name, { length = p.Lx, width = 0.02, height = 0.02 }, function(q)
    local body = object("body", {
      solid{ shape = beam{ length = q.length, width = q.width, height = q.height }, material = "Aluminium",
             visual = "Blue" },
    })
    return {
      obj1 = object("obj1", { parent = body, position = { -q.length / 2, 0, 0 } }),
      obj2 = object("obj2", { parent = body, position = { q.length / 2, 0, 0 } }),
    }
  end)
end

local ground = world("ground", { visual{ shape = coordinateSystem{ length = p.Lx } } })
local pos1 = object("pos1", { parent = ground, position = { p.Lx / 2, 0, p.Lx / 2 } })
local pos2 = object("pos2", { parent = pos1, position = { p.Lx, 0, 0 } })
object("plate", {
  parent = ground, position = { p.Lx, 0, p.Lx / 4 },
  visual{ shape = box{ size = { 2 * p.Lx, 0.1, p.Lx / 10 } }, visual = "Silver" },
})

local bar1, bar2, bar3 = bar("bar1"), bar("bar2"), bar("bar3")

-- bar1 and bar3 stand upright, bar2 lies across
if p.driven ~= 0 then
  local swing = sine("swing", { amplitude = p.amplitude, frequency = p.frequency, offset = -pi / 2 })
  revolute("rev1", pos1, bar1.obj1, { axis = "y", motion = swing })
else
  revolute("rev1", pos1, bar1.obj1, { axis = "y", start = -pi / 2 + p.amplitude, fixed = true })
end
revolute("rev2", bar1.obj2, bar2.obj1, { axis = "y", start = pi / 2 })
revolute("rev3", bar3.obj2, bar2.obj2, { axis = "y", start = pi / 2 })
revolute("rev4", pos2, bar3.obj1, { axis = "y", start = -pi / 2 })
