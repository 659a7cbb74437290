-- A machine on a rubber mount: shifted and turned, it swings along three axes and about one, and settles.
--
-- Shows a bushing, which is springs and dampers along and about three axes. Along each axis the block is a damped
-- oscillator of its own; about a single axis the mount turns it back with a torque proportional to the sine of the
-- angle, so without damping it swings as a pendulum does. The preload carries the weight.
-- Try: carom run bushing.lua --set angle=2.5
--      carom plot bushing.run/result.h5 'block.position.*'

local p = parameters{
  mass = 20,                    -- [kg]
  kx = 8e3, ky = 12e3, kz = 3e4, -- [N/m]
  damping = 60,                 -- [N s/m] along every axis
  turn = 40,                    -- [N m/rad] about every axis
  angularDamping = 0.05,        -- [N m s/rad]
  angle = 1.0,                  -- [rad] at the start, about z
}

scene{ stopTime = 3, tolerance = 1e-8 }

local size = { 0.3, 0.2, 0.15 }
local ground = world("ground", { visual{ shape = grid{ width = 1, length = 1, spacing = 0.1 } } })
local mount = object("mount", {
  parent = ground, position = { 0, 0, 0.2 },
  visual{ shape = cylinder{ radius = 0.05, length = 0.1 }, visual = "DimGray" },
})
local block = object("block", {
  parent = mount, free = true, position = { 0.01, -0.02, 0.005 }, rotation = { 0, 0, p.angle },
  solid{ shape = box{ size = size }, mass = p.mass, visual = "SteelBlue" },
})
bushing("rubber", mount, block, {
  stiffness = { p.kx, p.ky, p.kz }, damping = p.damping, angularStiffness = p.turn, angularDamping = p.angularDamping,
  preload = { 0, 0, p.mass * 9.81 },
})
