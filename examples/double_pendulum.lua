-- A double pendulum: two steel rods, hinge below hinge. The smallest machine that is chaotic.
--
-- Shows a chain of joints: the angle of the elbow is relative to the upper rod. Without friction the energy stays,
-- and yet two runs that start 1e-9 rad apart have nothing in common after some seconds.
-- Try: carom run double_pendulum.lua --tol 1e-6,1e-8,1e-10
--      carom run double_pendulum.lua --set angle1=0.2 --set angle2=0.1   (small: two normal modes, no chaos)

local p = parameters{
  length1 = 0.5, -- [m] of the upper rod
  length2 = 0.5, -- [m] of the lower rod
  angle1 = 2.0,  -- [rad] of the upper rod, from hanging straight down
  angle2 = 0.5,  -- [rad] of the lower rod, from the upper one
  damping = 0,   -- [N m s/rad] in both hinges
}

scene{ stopTime = 10, tolerance = 1e-8 }

local diameter = 0.02 -- [m] of the rods

-- A rod that hangs down from its own frame, with a coordinate system at its lower end.
local function rod(name, length, look)
  local top = object(name)
  object(name .. "Body", {
    parent = top, position = { 0, 0, -length / 2 },
    solid{ shape = cylinder{ diameter = diameter, length = length }, material = "Steel", visual = look },
  })
  return top, object(name .. "Tip", { parent = top, position = { 0, 0, -length } })
end

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.2 } } })
local hook = object("hook", {
  parent = ground, position = { 0, 0, 1.2 },
  visual{ shape = box{ size = { 0.1, 0.1, 0.04 } }, visual = "DimGray" },
})
local upper, elbowFrame = rod("upper", p.length1, "SteelBlue")
local lower = rod("lower", p.length2, "Gold")

revolute("shoulder", hook, upper, { axis = "y", start = p.angle1, damping = p.damping })
revolute("elbow", elbowFrame, lower, { axis = "y", start = p.angle2, damping = p.damping })
