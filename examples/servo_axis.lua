-- One axis of a robot with its whole driveline: a motor with inductance, an elastic shaft, a gear with play and losses,
-- and an arm that a controller swings over the top. There its weight changes sides, and the gear crosses its play. At the
-- end a brake takes hold of the rotor and the current is cut: the arm stays where it is.
--
-- Shows parts with one coordinate beside bodies in space: shaft, motor, flexibleCoupling, gearPair, brake. Their
-- inertias, currents and stretches are states of the same system as the arm.
-- Try: carom run servo_axis.lua --record 'axis.*' --record 'rotor.*' --record 'motor.*' --record 'gear.*' --record 'hold.force' --record 'energy.*'
--      carom run servo_axis.lua --set play=0.01
--      carom plot servo_axis.run/result.h5 motor.current gear.deflection lag.value

local p = parameters{
  play = 0.002,    -- [rad] of the gear, at the arm
  ratio = 50,      -- [-] turns of the motor per turn of the arm
  supply = 48,     -- [V] largest voltage
  brakeTime = 3.5, -- [s] when the brake takes hold
}

scene{ stopTime = 5, interval = 0.005, tolerance = 1e-7, eventRows = "off" }

local ground = world("ground", { visual{ shape = grid{ width = 2, length = 2, spacing = 0.2 } } })
local post = object("post", { parent = ground, position = { 0, 0, 0.4 },
  visual{ shape = box{ size = { 0.12, 0.12, 0.8 } }, visual = "DimGray" } })
local mount = object("mount", { parent = post, position = { 0, -0.1, 0.4 } })
local arm = object("arm")
object("beam", { parent = arm, position = { 0.25, 0, 0 },
  solid{ shape = box{ size = { 0.5, 0.05, 0.08 } }, mass = 4, visual = "Orange" } })
object("tool", { parent = arm, position = { 0.5, 0, 0 }, solid{ shape = sphere{ radius = 0.06 }, mass = 2, visual = "Crimson" } })
object("housing", { parent = mount, visual{ shape = cylinder{ radius = 0.07, length = 0.12, axis = "y" }, visual = "SteelBlue" } })

-- the driveline: rotor - shaft - pinion - gear - arm
local axis = revolute("axis", mount, arm, { axis = { 0, -1, 0 }, start = 0.3, damping = 0.2 })
local rotor = shaft("rotor", mount, { inertia = 1e-4, start = 0.3 * p.ratio, friction = 0.01, frictionLaw = "stick" })
local pinion = shaft("pinion", mount, { inertia = 2e-5, start = 0.3 * p.ratio })
flexibleCoupling("torsion", rotor, pinion, { stiffness = 60, damping = 0.005 })
gearPair("gear", pinion, axis, { ratio = p.ratio, internal = true, stiffness = 40, damping = 0.02,
  backlash = p.play * p.ratio, efficiency = 0.92, efficiencyBack = 0.88 })

-- the controller turns the rotor along a path, with a current that carries the arm
local way = path("way", { values = { 0.3, 2.6, 1.9 }, maxVelocity = 2, maxAcceleration = 6, maxJerk = 60, start = 0.3 })
local target = sum("target", { inputs = { way }, factors = { p.ratio } })
local angle = jointSensor("rotorAngle", { joint = rotor })
local control = pid("control", { input = angle, reference = target, period = 1e-3, gain = 8, integralGain = 60,
  derivativeGain = 0.12, filterTime = 1e-3, min = -p.supply, max = p.supply })
local on = step("on", { height = -1, offset = 1, start = p.brakeTime + 0.1 })
motor("motor", rotor, { voltage = product("voltage", { inputs = { control, on } }), resistance = 0.8, inductance = 2e-3,
  torqueConstant = 0.06 })
brake("hold", rotor, { friction = 1.5, engagement = step("clamp", { height = 1, start = p.brakeTime }) })

sum("lag", { inputs = { way, jointSensor("armAngle", { joint = axis }) }, factors = { 1, -1 } })
