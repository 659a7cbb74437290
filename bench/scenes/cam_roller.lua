-- A cam with a roller follower that never leaves it: an eccentric disk lifts a roller on a pin, two cylinders with
-- parallel axes that touch along a line for the whole run.
--
-- The middle of the roller is at e sin(a) + sqrt((R + r)^2 - e^2 cos(a)^2) above the shaft, a the angle of the cam.

local p = parameters{
  speed = 20,    -- [rad/s] of the cam
  spring = 2000, -- [N/m] on the follower
  preload = 0.02, -- [m] of the spring when the follower is down
}

scene{ stopTime = 3, interval = 0.01, tolerance = 1e-6 }
contactPair("Steel", "Steel", { cor = 0.3, muK = 0.1, muR = 0 })

local cam, eccentric, roller, width = 0.03, 0.008, 0.012, 0.015 -- [m]
local frame = world("frame")
local wheel = object("cam", { mass{ mass = 1, inertia = { 1e-3, 1e-3, 1e-3 } } })
object("disk", { parent = wheel, position = { eccentric, 0, 0 },
  solid{ shape = cylinder{ radius = cam, length = width }, contact = "Steel" } })
-- the eccentric points down at the start
revolute("shaft", frame, wheel, {
  motion = path("turn", { values = { -pi / 2, 1000 }, maxVelocity = p.speed, maxAcceleration = 20 * p.speed }),
})
local slide = object("slide", { mass{ mass = 0.15, inertia = { 1e-5, 1e-5, 1e-5 } } })
prismatic("guide", object("down", { parent = frame, position = { 0, cam + roller - eccentric - 1e-6, 0 } }), slide, {
  axis = "y", stiffness = p.spring, rest = -p.preload, damping = 2,
})
local turning = object("roller", {
  solid{ shape = cylinder{ radius = roller, length = width }, material = "Steel", contact = "Steel" },
})
revolute("pin", slide, turning, { damping = 1e-5 })
