-- Two spur gears that drive each other by their teeth: involutes against involutes, pair after pair.
--
-- Shows involuteGear, an extruded profile with involutes for flanks: each tooth is a convex piece of its outline, and touches
-- others along lines, which lie on the line of action.
-- The wheel follows by the ratio of teeth within play and what steel gives way; compare gearPair{ module = ... }.
-- Try: carom run involute_gears.lua --record '*Shaft.*'

local p = parameters{
  module = 0.002,
  teethA = 17,
  teethB = 29,
  width = 0.02,   -- [m]
  play = 2e-5,    -- [m] that each tooth is thinner than half a pitch
  speed = 62.8,   -- [rad/s] of the pinion
  torque = 5,     -- [N m] that drives it, and against it at the wheel
}

scene{ stopTime = 1, interval = 1e-3, gravity = "none", tolerance = 1e-9 }
contactPair("Steel", "Steel", { cor = 0.5, muK = 0, muR = 0 })

local ground = world("ground")
local function gear(name, teeth, x, turn, rate, torque)
  local body = object(name, { solid{ shape = involuteGear{ teeth = teeth, module = p.module, length = p.width, backlash = p.play },
    material = "Steel", contact = "Steel", visual = "Silver" } })
  revolute(name .. "Shaft", object(name .. "Seat", { parent = ground, position = { x, 0, 0 } }), body,
    { axis = "z", start = turn, startRate = rate, torque = constant(name .. "Torque", { value = torque }) })
end
local ratio = p.teethB / p.teethA
gear("pinion", p.teethA, 0, 0, p.speed, p.torque)
gear("wheel", p.teethB, 0.5 * p.module * (p.teethA + p.teethB), math.pi - math.pi / p.teethB, -p.speed / ratio,
  p.torque * ratio)
