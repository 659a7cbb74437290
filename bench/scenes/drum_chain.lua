-- A chain of n capsules is wound on a drum, a weight at its end. Link after link comes to lie on the drum, rattling.
-- Capsules that cross touch at a point, so nothing here is flat.

local p = parameters{
  n = 10,
  speed = 4,    -- [rad/s] of the drum
  weight = 0.5, -- [kg]
}

scene{ stopTime = 1, interval = 0.01, tolerance = 1e-8, kRed = 1e-2 }
contactPair("Steel", "Steel", { cor = 0.3, muK = 0.2, muR = 0 })

local drum, link, pitch = 0.06, 0.005, 0.03 -- [m] radii, and from hinge to hinge
local frame = world("frame")
local roller = object("drum", {
  solid{ shape = capsule{ radius = drum, length = 0.06, axis = "y" }, mass = 4, contact = "Steel" },
})
revolute("shaft", frame, roller, { axis = "y",
  motion = path("turn", { values = { 0, 1000 }, maxVelocity = p.speed, maxAcceleration = 5 * p.speed }) })

-- The chain hangs from the drum's side, on a lug that keeps its first hinge a little off the surface.
local last = object("lug", { parent = roller, position = { -(drum + link + 2e-4), 0, 0 } })
for i = 1, p.n do
  local body = object("link" .. i, {
    solid{ shape = capsule{ radius = link, length = pitch - 2 * link - 0.002 }, material = "Steel", contact = "Steel" },
  })
  revolute("hinge" .. i, last, object("top" .. i, { parent = body, position = { 0, 0, pitch / 2 } }), {
    axis = "y", damping = 2e-5,
  })
  last = object("bottom" .. i, { parent = body, position = { 0, 0, -pitch / 2 } })
end
local weight = object("weight", { mass{ mass = p.weight, com = { 0, 0, -0.03 }, inertia = { 2e-4, 2e-4, 2e-4 } } })
revolute("hook", last, weight, { axis = "y", damping = 2e-5 })
