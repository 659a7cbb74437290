-- A spinning top: a disk on a pin, its tip held by a ball joint.
--
-- Shows gyroscopic motion. The top starts in steady precession: it leans by a constant angle while its axis goes
-- round slowly, because the moment of its weight just turns its angular momentum. With the moments of inertia I1
-- about the tip and I3 about the axis, and w3 the spin, the rate of precession n solves
--
--   I1 cos(tilt) n^2 - I3 w3 n + m g h = 0
--
-- and the smaller root is taken. Let go without precession, it nods: its axis draws cusps.
-- Try: carom run spinning_top.lua --set steady=false

local p = parameters{
  tilt = 0.4,    -- [rad] of the axis from the vertical
  spin = 200,    -- [rad/s] about the axis
  steady = true, -- false: let go without precession
  radius = 0.04, thickness = 0.015, -- [m] of the disk
  height = 0.05, -- [m] from the tip to the middle of the disk
  mass = 0.2,    -- [kg] of the disk; the pin has none
}

local g = 9.81 -- [m/s^2]
scene{ gravity = { 0, 0, -g }, stopTime = 5, tolerance = 1e-8 }

local I3 = p.mass * p.radius ^ 2 / 2
local I1 = p.mass * (3 * p.radius ^ 2 + p.thickness ^ 2) / 12 + p.mass * p.height ^ 2
local a, b, c = I1 * math.cos(p.tilt), I3 * p.spin, p.mass * g * p.height
if b * b < 4 * a * c then
  error("the top is too slow for steady precession: spin must be at least " .. math.sqrt(4 * a * c) / I3 .. " rad/s")
end
local precession = p.steady and 2 * c / (b + math.sqrt(b * b - 4 * a * c)) or 0

local ground = world("ground", { visual{ shape = grid{ width = 0.3, length = 0.3, spacing = 0.03 } } })
local tip = object("tip")
object("pin", {
  parent = tip, position = { 0, 0, p.height * 0.8 },
  visual{ shape = cylinder{ diameter = 0.006, length = p.height * 1.6 }, visual = "Silver" },
})
object("disk", {
  parent = tip, position = { 0, 0, p.height },
  solid{ shape = cylinder{ radius = p.radius, length = p.thickness }, mass = p.mass, visual = "Crimson" },
})
object("mark", { -- shows the spin
  parent = tip, position = { 0.7 * p.radius, 0, p.height + p.thickness / 2 },
  visual{ shape = cylinder{ diameter = 0.01, length = 0.002 }, visual = "White" },
})

-- leans towards +x; w = precession about the vertical + what is left of the spin about the axis
local own = p.spin - precession * math.cos(p.tilt)
spherical("joint", ground, tip, {
  start = { math.cos(p.tilt / 2), 0, math.sin(p.tilt / 2), 0 },
  startRate = { own * math.sin(p.tilt), 0, own * math.cos(p.tilt) + precession },
})
