-- A two-link arm that lifts a load from pose to pose. Each joint is turned by a DC motor behind a gear, whose voltage
-- comes from a servo that follows a path.
--
-- Shows drives: path -> servo -> limit -> dcMotor -> joint. The currents of the motors and the integrals of the servos
-- are states of the same system as the arm, integrated together. The paths take the least time that their limits of
-- velocity and acceleration allow; the corners of their acceleration are time events.
-- Try: carom run servo_arm.lua --set load=6
--      carom plot servo_arm.run/result.h5 '*.angle' '*Lag.value'

local p = parameters{
  load = 2.0,     -- [kg] in the hand
  speed = 1.5,    -- [rad/s] largest rate of the paths
  supply = 24,    -- [V] largest voltage
  gear = 100,     -- [-] of both motors
}

scene{ stopTime = 5, tolerance = 1e-7 }

-- A link along x whose own frame is at its joint, with a coordinate system at its far end.
local function link(name, length, mass, look)
  local root = object(name)
  object(name .. "Body", {
    parent = root, position = { length / 2, 0, 0 },
    solid{ shape = box{ size = { length, 0.06, 0.08 } }, mass = mass, visual = look },
  })
  return root, object(name .. "Tip", { parent = root, position = { length, 0, 0 } })
end

local ground = world("ground", { visual{ shape = grid{ width = 2, length = 2, spacing = 0.2 } } })
local post = object("post", {
  parent = ground, position = { 0, 0, 0.3 },
  visual{ shape = cylinder{ radius = 0.06, length = 0.6 }, visual = "DimGray" },
})
local mount = object("mount", { parent = post, position = { 0, 0, 0.3 } })
local upper, elbowFrame = link("upper", 0.5, 5.0, "Orange")
local fore, hand = link("fore", 0.4, 3.0, "SteelBlue")
object("load", { parent = hand, solid{ shape = sphere{ radius = 0.05 }, mass = p.load, visual = "Crimson" } })

-- Turns a joint about -y, so that a positive angle lifts. The torque is what the motor's current makes behind the gear.
local function drive(name, near, far, values)
  local way = path(name .. "Path", { values = values, maxVelocity = p.speed, maxAcceleration = 5, start = 0.5 })
  local control = servo(name .. "Servo", {
    input = way, joint = name, positionGain = 10, velocityGain = 30, integralTime = 0.1,
  })
  local motor = dcMotor(name .. "Motor", {
    input = limit(name .. "Voltage", { input = control, min = -p.supply, max = p.supply }),
    joint = name, resistance = 1.0, inductance = 2e-3, torqueConstant = 0.05,
  })
  revolute(name, near, far, {
    axis = { 0, -1, 0 }, start = values[1], torque = motor, rotorInertia = 5e-5, gearRatio = p.gear,
  })
  local angle = jointSensor(name .. "Angle", { joint = name })
  sum(name .. "Lag", { inputs = { way, angle }, factors = { 1, -1 } })
end
drive("shoulder", mount, upper, { 0, 1.2, 0.3 })
drive("elbow", elbowFrame, fore, { 0, -0.8, 1.0 })
