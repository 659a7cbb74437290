-- A machine on a rubber mount.
--
-- Shows a bushing: springs and dampers along and about three axes. The centre of mass is where the mount holds it, so the
-- six vibrations do not mix. Along each axis the frequency is sqrt(stiffness / mass) / 2 pi; about an axis the mount pulls
-- back with stiffness x sin(angle), as gravity does with a pendulum, so that small turns have sqrt(stiffness / inertia) / 2
-- pi, and large ones are slower. The preload carries the weight.
-- Try: carom run bushing.lua --set damping=20 --set angle=0.02 && carom plot bushing.run/result.h5 'machine.position.*'

local p = parameters{
  mass = 12,                                  -- [kg]
  x = 0.004, y = -0.003, z = 0.002,           -- [m] from rest, at the start
  angle = 0.4,                                -- [rad] about the vertical axis, at the start
  damping = 0,                                -- [N s/m] of the mount
  stiffness = 4e4, verticalStiffness = 1.2e5, -- [N/m]
  angularStiffness = 90,                      -- [N m/rad]
}

scene{ stopTime = 1, tolerance = 1e-9 }

local ground = world("ground")
local machine = object("machine", {
  free = true, position = { p.x, p.y, p.z }, rotation = { 0, 0, p.angle },
  solid{ shape = box{ size = { 0.3, 0.2, 0.15 } }, mass = p.mass, visual = "SeaGreen" },
})
object("mount", {
  parent = ground, position = { 0, 0, -0.1 },
  visual{ shape = cylinder{ radius = 0.06, length = 0.05 }, visual = "DimGray" },
})
bushing("rubber", ground, machine, {
  stiffness = { p.stiffness, p.stiffness, p.verticalStiffness }, damping = p.damping,
  angularStiffness = p.angularStiffness,
  preload = { 0, 0, 9.81 * p.mass },
})
