-- A centrifugal governor with stiff rods that runs up until its sleeve hits a buffer, again and again. A shaft is driven
-- by a torque that swings; two balls on rods fly outwards and lift the sleeve by rods that give a little.
--
-- Stiff nearly everywhere: the rods swing at some 4 kHz and are damped within a fraction of a millisecond.

local p = parameters{
  rod = 1e6,      -- [N/m] of the lower rods
  damping = 1e3,  -- [N s/m]
  torque = 0.6,   -- [N m] largest
}

scene{ stopTime = 2, interval = 0.01, tolerance = 1e-8 }
solidMaterial("Rubber", { density = 1100, E = 2e7, nu = 0.48 })
contactPair("Rubber", "Steel", { cor = 0.5, muK = 0.5, muR = 0 })

local length = 0.2 -- [m] of each rod
local angle = 0.6  -- [rad] of the upper rods from the vertical at the start
local frame = world("frame")
local shaft = object("shaft", { mass{ mass = 1, inertia = { 0.02, 0.02, 0.02 } } })
revolute("spin", frame, shaft, { startRate = 9,
  torque = sine("drive", { amplitude = p.torque, frequency = 1.5 }) })
local sleeve = object("sleeve", { mass{ mass = 0.5, inertia = { 1e-3, 1e-3, 1e-3 } } })
local low = -2 * length * math.cos(angle)
prismatic("slide", shaft, sleeve, { axis = "z", start = low, canCollide = true })
-- the buffer hangs on the shaft beside the axis, above a knob of the sleeve
object("buffer", { parent = shaft, position = { 0, 0.02, low + 0.045 },
  solid{ shape = sphere{ radius = 0.015 }, contact = "Rubber" } })
object("knob", { parent = sleeve, position = { 0, 0.02, 0 },
  solid{ shape = sphere{ radius = 0.015 }, contact = "Steel" } })
for i, side in ipairs{ -1, 1 } do
  local arm = object("arm" .. i, { mass{ mass = 0.1, com = { 0, 0, -length / 2 }, inertia = { 3e-4, 3e-4, 1e-5 } } })
  local ball = object("ball" .. i, { parent = arm, position = { 0, 0, -length },
    solid{ shape = sphere{ radius = 0.03 }, material = "Steel" } })
  revolute("hinge" .. i, shaft, arm, { axis = "y", start = -side * angle, damping = 1e-3 })
  springDamper("rod" .. i, sleeve, ball, { stiffness = p.rod, damping = p.damping, length = length })
end
