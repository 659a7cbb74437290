-- A peg that goes into a hole: let go with a tilt, it meets the chamfer, stands upright and slides to the ground.
--
-- Shows flats and cylinders in concave bodies, which are made of convex pieces: the block is a ring of wedges, whose faces touch
-- the bore from outside. The hole is wider at the edges between them, by radius (1 / cos(pi / wedges) - 1), 48 um here: less
-- than the clearance. Balls touch bores exactly, see marble_channels.lua.
-- Try: carom run peg_in_hole.lua --set clearance=0.002

local p = parameters{
  radius = 0.01,       -- [m] of the bore
  clearance = 2e-4,    -- [m] of the radius
  wedges = 32,
  tilt = 0.08,         -- [rad]
}
local depth, block, chamfer = 0.03, 0.02, 0.003 -- [m]

scene{ stopTime = 0.3, interval = 1e-3, tolerance = 1e-7, gravity = { 0, 0, -9.81 } }
contactPair("Steel", "Steel", { cor = 0.2, muK = 0.1, muR = 0 })

local wedges = {}
for i = 1, p.wedges do
  local half, middle = math.pi / p.wedges, 2 * math.pi * (i - 0.5) / p.wedges
  local points = {}
  for side = -1, 1, 2 do
    local function add(r, z) -- r: distance of the face from the axis
      local rho, phi = r / math.cos(half), middle + side * half
      points[#points + 1] = { rho * math.cos(phi), rho * math.sin(phi), z }
    end
    add(p.radius, -depth)
    add(p.radius, -chamfer)
    add(p.radius + chamfer, 0)
    add(block, 0)
    add(block, -depth)
  end
  wedges[i] = solid{ shape = hull{ points = points }, contact = "Steel", visual = "SteelBlue" }
end
local bench = world("bench", wedges)
object("ground", { parent = bench, position = { 0, 0, -depth - 0.005 },
  solid{ shape = box{ size = { 0.05, 0.05, 0.01 } }, contact = "Steel", visual = "SteelBlue" } })

local length = 0.05
object("peg", { parent = bench, free = true, position = { 0.0008, 0, 0.5 * length + 0.002 }, rotation = { 0, p.tilt, 0 },
  solid{ shape = cylinder{ radius = p.radius - p.clearance, length = length }, material = "Steel", contact = "Steel",
    visual = "Goldenrod" } })
