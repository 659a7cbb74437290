-- A cam and its roller: slowly turned, the roller follows; above a certain speed it jumps.
--
-- Shows a cylinder on an extruded profile. An eccentric disc lifts the roller by e sin q + sqrt((R + r)^2 - e^2 cos^2 q),
-- to what steel gives way; it leaves where that falls away faster than gravity pulls, at about 28 rad/s.
-- Try: carom run cam_jump.lua --set speed=27 --record slide.position
--      carom run cam_jump.lua --set speed=35 --record slide.position

local p = parameters{
  speed = 35,           -- [rad/s] of the shaft
  radius = 0.03,        -- [m] R
  eccentricity = 0.01,  -- [m] e
  roller = 0.01,        -- [m] r
  mass = 0.1,           -- [kg] of the roller and what it carries
}

scene{ stopTime = 1, interval = 1e-3, gravity = { 0, -9.81, 0 }, tolerance = 1e-9 }
contactPair("Steel", "Steel", { cor = 0.3, muK = 0, muR = 0 })

local ground, R, e = world("ground"), p.radius, p.eccentricity
local cam = object("cam", { mass{ mass = 1, inertia = { 1, 1, 1 } }, -- with a flywheel
  solid{ shape = extruded{ profile = { { e + R, 0, through = { e, -R } }, { e - R, 0, through = { e, R } } },
    length = 0.01 }, contact = "Steel", visual = "Silver" } })
revolute("shaft", ground, cam, { axis = "z", startRate = p.speed })
local follower = object("follower", { solid{ shape = cylinder{ radius = p.roller, length = 0.01 }, mass = p.mass,
  contact = "Steel", visual = "Red" } })
prismatic("slide", ground, follower, { axis = "y", start = math.sqrt((R + p.roller) ^ 2 - e ^ 2) - 2e-8,
  startRate = p.speed * e })
