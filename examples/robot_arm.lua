-- A robot arm with a gripper.
--
-- Shows assemblies in assemblies: the first joint is called robot.arm.joint1, and the upper arm is made longer
-- by: carom info robot_arm.lua --set robot.arm.upper=0.5

local ground = world("ground", {
  solid{ shape = halfSpace{}, contact = "DryWood" },
  visual{ shape = grid{ width = 2, length = 2, spacing = 0.2 } },
})

-- A link along z with a coordinate system at its upper end. Its own frame is at the lower end.
local function link(name, length, radius, look)
  local root = object(name)
  object(name .. "Body", {
    parent = root, position = { 0, 0, length / 2 },
    solid{ shape = capsule{ radius = radius, length = length }, material = "Aluminium", contact = "Steel", visual = look },
  })
  return root, object(name .. "Tip", { parent = root, position = { 0, 0, length } })
end

local function gripper(tip)
  return assembly("gripper", { opening = 0.08, fingerLength = 0.06 }, function(p)
    local palm = object("palm", {
      parent = tip, position = { 0, 0, 0.06 },
      solid{ shape = box{ size = { 0.12, 0.04, 0.02 } }, material = "Aluminium", visual = "DimGray" },
    })
    local size = { 0.01, 0.03, p.fingerLength }
    for side, sign in ipairs{ -1, 1 } do
      local guide = object("guide" .. side, { parent = palm, position = { 0, 0, 0.01 + p.fingerLength / 2 } })
      local finger = object("finger" .. side, {
        solid{ shape = box{ size = size }, material = "Steel", contact = "Steel",
               visual = "LightSteelBlue" },
      })
      prismatic("slide" .. side, guide, finger, { start = sign * p.opening / 2, nominal = 0.01 })
    end
  end)
end

local robot = assembly("robot", { height = 0.3 }, function(p)
  local pedestal = object("pedestal", {
    parent = ground, position = { 0, 0, p.height / 2 },
    solid{ shape = cylinder{ radius = 0.1, length = p.height }, contact = "Steel", visual = "SlateGray" },
  })
  local mount = object("mount", { parent = pedestal, position = { 0, 0, p.height / 2 } })
  local arm = assembly("arm", { upper = 0.4, fore = 0.35 }, function(q)
    local shoulder, shoulderTip = link("shoulder", 0.12, 0.06, "OrangeRed")
    local upper, upperTip = link("upperArm", q.upper, 0.045, "Orange")
    local fore, foreTip = link("foreArm", q.fore, 0.035, "Orange")
    revolute("joint1", mount, shoulder)
    revolute("joint2", shoulderTip, upper, { axis = "y", start = 0.5 })
    revolute("joint3", upperTip, fore, { axis = "y", start = 1.2 })
    return { tip = foreTip, gripper = gripper(foreTip) }
  end)
  return { arm = arm }
end)

-- something to reach for
object("cube", {
  parent = ground, position = { 0.7, 0, 0.025 }, free = true,
  solid{ shape = box{ size = { 0.05, 0.05, 0.05 } }, material = "DryWood", contact = "DryWood",
         visual = "BurlyWood" },
})
