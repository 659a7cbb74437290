-- A cam with a roller follower, faster than its spring can follow: the roller flies off behind each crest and lands on
-- the flank. Three bodies, one pair of shapes, a contact that comes and goes twice a turn.
--
-- The cam is an ellipsoid that turns about its z axis, the roller a ball on a pin.

local p = parameters{
  speed = 60,      -- [rad/s] of the cam
  spring = 600,    -- [N/m] on the follower
  preload = 0.008, -- [m] of the spring when the follower is down
}

scene{ stopTime = 2, interval = 0.01, tolerance = 1e-6 }
contactPair("Steel", "Steel", { cor = 0.5, muK = 0.1, muR = 0 })

local long, short, roller = 0.032, 0.024, 0.012 -- [m]
local frame = world("frame")
local cam = object("cam", {
  solid{ shape = ellipsoid{ radii = { long, short, 0.02 } }, material = "Steel", contact = "Steel" },
})
revolute("shaft", frame, cam, {
  motion = path("turn", { values = { 0, 1000 }, maxVelocity = p.speed, maxAcceleration = 20 * p.speed }),
})

-- The crest points sideways at the start.
local slide = object("slide", { mass{ mass = 0.15, inertia = { 1e-5, 1e-5, 1e-5 } } })
prismatic("guide", object("down", { parent = frame, position = { 0, short + roller + 1e-4, 0 } }), slide, {
  axis = "y", stiffness = p.spring, rest = -p.preload, damping = 2,
})
local wheel = object("roller", { solid{ shape = sphere{ radius = roller }, material = "Steel", contact = "Steel" } })
revolute("pin", slide, wheel, { damping = 1e-5 })
