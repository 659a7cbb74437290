-- Euler's disk: a heavy disk, spun on its rim, wobbles lower and lower; its point of contact runs around faster and
-- faster, until it lies flat.
--
-- Shows a rim that rolls, with no losses but those of rolling. A thin disk of radius r whose tilt a is small goes around
-- with sqrt(4 g / (r a)), so that it hums higher the flatter it gets, without end in a finite time.
-- Try: --set stop=60                  all of it
--      --set muR=1e-3                 a rougher table
--      carom plot eulers_disk.run/result.h5 disk.position.z

local p = parameters{
  radius = 0.0375,    -- [m]
  thickness = 0.0128, -- [m]
  tilt = 0.35,        -- [rad] of the disk to the table at the start
  muR = 2e-4,         -- rolling resistance
  stop = 4,           -- [s]
}

scene{ stopTime = p.stop, interval = 0.005, tolerance = 1e-8 }
solidMaterial("Chrome", { density = 7800, E = 2e11, nu = 0.3 })
solidMaterial("Mirror", { density = 2500, E = 7e10, nu = 0.22 })
contactPair("Chrome", "Mirror", { cor = 0.5, muK = 0.2, muR = p.muR })

local desk = world("desk", {
  solid{ shape = halfSpace{}, contact = "Mirror" },
  light{ kind = "ambient", intensity = 0.5 },
})
object("mirror", {
  parent = desk, position = { 0, 0, -0.004 },
  visual{ shape = cylinder{ radius = 0.11, length = 0.008 },
          visual = visualMaterial("glass", { color = "#a9c7d9", shininess = 1 }) },
})
object("lamp", { parent = desk, rotation = { -0.5, 0.5, 0 }, light{ kind = "directional" } })
object("viewer", {
  parent = desk, position = { 0, -0.3, 0.2 }, rotation = { axis = "x", angle = math.atan(0.3, 0.18) },
  camera{ fieldOfView = 0.6 },
})

-- Steady motion: the middle of the disk rests, so that it turns about the line from there to its point of contact, and
-- its axis goes around the vertical with w, by the balance of torques.
local r, h, s, c = p.radius, p.thickness / 2, math.sin(p.tilt), math.cos(p.tilt)
local across, along = r * r / 4 + h * h / 3, r * r / 2 -- [m^2] moments of inertia over the mass
local w = math.sqrt(9.81 * (r * c - h * s) / (s * (across * c - along * h / r * s))) -- [rad/s]
object("disk", {
  parent = desk, position = { 0, 0, r * s + h * c }, rotation = { axis = "y", angle = p.tilt }, free = true, start = "rest",
  angularVelocity = { -w * s * (c - h / r * s), 0, w * s * (s + h / r * c) },
  solid{ shape = cylinder{ radius = r, length = 2 * h }, material = "Chrome", contact = "Chrome",
         visual = visualMaterial("chrome", { color = "#c9ccd1", shininess = 1 }) },
})
