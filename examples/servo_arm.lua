-- A two-link arm that DC motors move from point to point.
--
-- Shows a mechanism, its gears, motors and controllers in one integration. Each joint follows a path in the shortest time
-- that the limits of speed and acceleration allow: a servo compares the joint with the path and sets the voltage, which the
-- supply limits; the voltage drives a current through the winding, and the current turns the joint through a gear. The
-- currents and the integrals of the servos are states like angles and rates.
-- Try: carom run servo_arm.lua --set supply=12, whose motors cannot keep up
--      carom plot servo_arm.run/result.h5 '*.motor.current' '*.joint.angle'

local p = parameters{
  length1 = 0.5, length2 = 0.4, -- [m]
  mass1 = 3.0, mass2 = 2.0,     -- [kg]
  supply = 48,                  -- [V]
  maxVelocity = 1.5,            -- [rad/s] of the paths
  maxAcceleration = 6,          -- [rad/s^2]
}

scene{ stopTime = 4, tolerance = 1e-8 }

local ground = world("ground")
local stand = object("stand", {
  parent = ground, position = { 0, 0, 0.6 },
  visual{ shape = cylinder{ radius = 0.04, length = 0.2, axis = "y" }, visual = "SlateGray" },
})

-- A link along x, its frame at the joint.
local function link(name, length, mass, look)
  local root = object(name)
  object(name .. "Body", {
    parent = root, position = { length / 2, 0, 0 },
    solid{ shape = box{ size = { length, 0.05, 0.05 } }, mass = mass, visual = look },
  })
  return root, object(name .. "End", { parent = root, position = { length, 0, 0 } })
end
local link1, elbow = link("link1", p.length1, p.mass1, "OrangeRed")
local link2, tip = link("link2", p.length2, p.mass2, "Orange")

-- A joint about the horizontal axis, lifting with positive angles, with its motor and all that controls it.
local function axis(name, from, to, start, points)
  return assembly(name, { gear = 80, gain = 300 }, function(q)
    path("target", { values = points, maxVelocity = p.maxVelocity, maxAcceleration = p.maxAcceleration, start = 0.2 })
    local joint = revolute("joint", from, to, {
      axis = "-y", start = start, rotorInertia = 2e-5, gearRatio = q.gear, damping = 0.5, torque = name .. ".motor",
    })
    servo("servo", { input = name .. ".target", joint = joint, positionGain = 25, velocityGain = q.gain, integralTime = 0.05 })
    dcMotor("motor", {
      input = limit("voltage", { input = name .. ".servo", min = -p.supply, max = p.supply }), joint = joint,
      resistance = 1.2, inductance = 1e-3, torqueConstant = 0.06,
    })
    return { joint = joint }
  end)
end
axis("shoulder", stand, link1, -0.5, { -0.5, 0.9, 0.3 })
axis("elbow", elbow, link2, 0.4, { 0.4, -1.0, 1.2 })

frameSensor("height", { objectA = ground, objectB = tip, quantity = "position", component = "z" })
