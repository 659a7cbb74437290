-- A peg that goes into a hole: let go with a tilt, it meets the chamfer, stands upright and slides to the ground.
--
-- Shows flats and cylinders in concave bodies: the block is a ring with a chamfer, turned about its axis. All but balls touch
-- convex pieces of it, wedges around the bore that are off its surface by no more than `pieceError`. Balls touch bores exactly,
-- see marble_channels.lua.
-- Try: carom run peg_in_hole.lua --set clearance=0.002

local p = parameters{
  radius = 0.01,       -- [m] of the bore
  clearance = 2e-4,    -- [m] of the radius
  pieceError = 5e-5,   -- [m] of the block's pieces, 45 wedges: a quarter of the clearance
  tilt = 0.08,         -- [rad]
}
local depth, block, chamfer = 0.03, 0.02, 0.003 -- [m]

scene{ stopTime = 0.35, interval = 1e-3, tolerance = 1e-7, gravity = { 0, 0, -9.81 } }
contactPair("Steel", "Steel", { cor = 0.2, muK = 0.1, muR = 0 })

local bench = world("bench", {
  solid{ contact = "Steel", visual = "SteelBlue", shape = revolved{ pieceError = p.pieceError, profile = {
    { p.radius, -depth }, { block, -depth }, { block, 0 }, { p.radius + chamfer, 0 }, { p.radius, -chamfer } } } },
})
object("ground", { parent = bench, position = { 0, 0, -depth - 0.005 },
  solid{ shape = box{ size = { 0.05, 0.05, 0.01 } }, contact = "Steel", visual = "SteelBlue" } })

local length = 0.05
object("peg", { parent = bench, free = true, position = { 0.0008, 0, 0.5 * length + 0.002 }, rotation = { 0, p.tilt, 0 },
  solid{ shape = cylinder{ radius = p.radius - p.clearance, length = length }, material = "Steel", contact = "Steel",
    visual = "Goldenrod" } })
