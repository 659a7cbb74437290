-- A tower crane: a winch winds a rope that runs over a pulley at the tip of the jib, down around that of the hook block and
-- back up to the jib. The load hangs on two falls: the rope carries half of it, and winds twice as fast as it rises.
--
-- Shows a cable over points and pulleys with a drum. It only pulls: drop the load on the ground and it hangs slack.
-- Try: carom run crane.lua --record 'rope.*' --record 'winch.torque' --record 'block.position.*'
--      carom run crane.lua --set slew=0.8

local p = parameters{
  load = 500,      -- [kg]
  lift = 4,        -- [m] of rope that the winch takes in
  slew = 0.4,      -- [rad] that the crane turns
  stiffness = 4e5, -- [N/m] of the rope
}

scene{ stopTime = 20, interval = 0.05, tolerance = 1e-7 }

local ground = world("ground", {
  solid{ shape = halfSpace{}, contact = "Steel" }, visual{ shape = grid{ length = 40, width = 40, spacing = 2 } } })
local mast = object("mast", { parent = ground, position = { 0, 0, 6 },
  visual{ shape = box{ size = { 0.5, 0.5, 12 } }, visual = "Gold" } })
local top = object("top", { parent = ground, position = { 0, 0, 12 } })

-- the jib slews about z; the rope's plane is that of x and z
local jib = object("jib")
object("beam", { parent = jib, position = { 4, 0, 0.3 },
  solid{ shape = box{ size = { 10, 0.4, 0.4 } }, material = "Aluminium", visual = "Gold" } })
local sheave = object("sheave", { parent = jib, position = { 8, 0, 0 }, rotation = { -pi / 2, 0, 0 },
  visual{ shape = cylinder{ radius = 0.2, length = 0.1 }, visual = "Silver" } })
local fixture = object("fixture", { parent = jib, position = { 7.4, 0, 0 } })
local seat = object("seat", { parent = jib, position = { 1, 0, 0 }, rotation = { -pi / 2, 0, 0 } })
local drumBody = object("drumBody", {
  solid{ shape = cylinder{ radius = 0.25, length = 0.5 }, material = "Steel", visual = "DimGray" } })
revolute("slewing", top, jib, {
  motion = path("turn", { values = { 0, p.slew }, maxVelocity = 0.08, maxAcceleration = 0.03, start = 6 }) })
local winch = revolute("winch", seat, drumBody, {
  motion = path("wind", { values = { 0, p.lift / 0.25 }, maxVelocity = 2, maxAcceleration = 1, start = 1 }) })

local block = object("block", { parent = ground, free = true, position = { 7.7, 0, 4 }, rotation = { -pi / 2, 0, 0 },
  solid{ shape = cylinder{ radius = 0.3, length = 0.05 }, material = "Steel", visual = "IndianRed" } })
local hook = object("hook", { parent = block, position = { 0, 0.5, 0 }, rotation = { pi / 2, 0, 0 } }) -- below, upright
local cargo = object("cargo", {
  solid{ shape = box{ size = { 1, 1, 1 } }, mass = p.load, visual = "SteelBlue" } })
spherical("shackle", hook, object("eye", { parent = cargo, position = { 0, 0, 1 } }), { damping = 20 })

cable("rope", seat, fixture, { through = { sheave, block }, radii = { 0.2, 0.3 }, length = 24.255, stiffness = p.stiffness,
  damping = p.stiffness / 50, drum = winch, drumRadius = 0.25 })
