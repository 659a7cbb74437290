-- A slider-crank: a crank turns, a rod pushes a piston to and fro. With crank r and rod l the piston is at
--
--   x = r cos t + sqrt(l^2 - r^2 sin^2 t)
--
-- Shows a loop of three revolutes and a slide, and what a drive has to give: the torque that keeps the crank at its
-- speed.
-- Try: carom run slider_crank.lua --record 'crankshaft.torque' --record 'slide.*'

local p = parameters{
  r = 0.05,     -- [m] crank
  l = 0.15,     -- [m] rod
  speed = 2 * pi * 10, -- [rad/s] of the crank
  piston = 0.6, -- [kg]
}

scene{ gravity = "none", stopTime = 0.5, tolerance = 1e-8 }

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.05 } } })
local crank = object("crank", {
  solid{ shape = cylinder{ diameter = 2.4 * p.r, length = 0.01 }, material = "Steel", visual = "DimGray" },
})
local pin = object("pin", { parent = crank, position = { p.r, 0, 0 } })
local rod = object("rod")
object("rodBody", {
  parent = rod, position = { p.l / 2, 0, 0 },
  solid{ shape = beam{ length = p.l, width = 0.02, height = 0.01 }, material = "Steel", visual = "SteelBlue" },
})
local small = object("small", { parent = rod, position = { p.l, 0, 0 } })
local piston = object("piston", {
  solid{ shape = box{ size = { 0.05, 0.06, 0.06 } }, mass = p.piston, visual = "Gold" },
})

local turn = path("turn", { values = { 0, 1000 * p.speed }, maxVelocity = p.speed, maxAcceleration = 1e4 })
revolute("crankshaft", ground, crank, { motion = turn })
revolute("crankpin", pin, rod)
revolute("wrist", small, piston)
prismatic("slide", ground, piston, { start = p.r + p.l })
