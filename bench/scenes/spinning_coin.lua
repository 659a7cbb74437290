-- A coin that was spun on its edge: it wobbles lower and lower, and its point of contact runs around faster and faster.
-- The run ends before it lies flat.

local p = parameters{
  spin = 80,    -- [rad/s] about the vertical
  tilt = 0.8,   -- [rad] from standing upright
  kRed = 1,     -- factor of the stiffness of the contact
}

scene{ stopTime = 2, interval = 0.01, tolerance = 1e-8, kRed = p.kRed }
solidMaterial("Brass", { density = 8500, E = 1e11, nu = 0.33 })
contactPair("Brass", "DryWood", { cor = 0.4, muK = 0.3, muR = 1e-4 })

local radius, thickness, edge = 0.012, 0.0022, 0.0002 -- [m] the edge is rounded
local desk = world("desk", { solid{ shape = halfSpace{}, contact = "DryWood" } })
local flat = thickness / 2 - edge
local height = (radius - edge) * math.cos(p.tilt) + flat * math.sin(p.tilt) + edge
object("coin", {
  parent = desk, position = { 0, 0, height + 1e-6 }, rotation = { axis = "x", angle = pi / 2 - p.tilt }, free = true,
  angularVelocity = { 0, 0, p.spin },
  solid{ shape = cylinder{ radius = radius, length = thickness, rounding = edge }, material = "Brass",
         contact = "Brass" },
})
