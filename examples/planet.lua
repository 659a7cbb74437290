-- A planet on its ellipse around the sun.
--
-- Shows the gravity of a point mass. Lengths are in astronomical units, times in years, so that the constant of the
-- sun is 4 pi^2 and an orbit with a half axis of 1 takes 1 year; any consistent units will do, and numbers near 1 suit
-- the absolute tolerance. The start is nearest to the sun, on the side of +x.
-- Try: carom run planet.lua --set eccentricity=0.9 --tol 1e-4,1e-6,1e-8,1e-10

local p = parameters{
  halfAxis = 1.0,     -- [AU]
  eccentricity = 0.5, -- 0 circle, towards 1 a longer and longer ellipse
}

local mu = 4 * pi ^ 2 -- [AU^3/year^2]
scene{ gravity = { centre = { 0, 0, 0 }, mu = mu }, stopTime = 3 * p.halfAxis ^ 1.5, tolerance = 1e-8 }

local nearest = p.halfAxis * (1 - p.eccentricity)
local speed = math.sqrt(mu / p.halfAxis * (1 + p.eccentricity) / (1 - p.eccentricity))

local space = world("space", {
  visual{ shape = sphere{ radius = 0.08 }, visual = "Gold" },
  light{ kind = "point" },
  light{ kind = "ambient", intensity = 0.2 },
})
object("planet", {
  parent = space, position = { nearest, 0, 0 }, velocity = { 0, speed, 0 }, free = true,
  solid{ shape = sphere{ radius = 0.03 }, mass = 1, visual = "RoyalBlue" },
})
