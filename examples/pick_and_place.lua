-- A six-axis arm carries two things from one table to another: a block by a magnet, a ball by friction alone.
--
-- The magnet takes hold when it has touched the block for 50 ms: an action attaches the block to it, which from then on is
-- a part of the hand. Over the other table another action releases it. The ball is pressed between two pads, and friction
-- that sticks holds it, without any action.
--
-- All six axes go from way point to way point together, each leg in the time that its slowest axis takes. `progress`
-- grows by one with each leg, and tells fingers and magnet when to let go.
-- Try: carom plot pick_and_place.run/result.h5 'block.position.*' 'ball.position.*' 'progress.value'
--      --set grip=1       too little: the ball stays behind

local p = parameters{
  grip = 4.0,     -- [N] of each finger
  speed = 1.5,    -- [rad/s] of the axes
  friction = "stick",
}

scene{ stopTime = 11.5, interval = 0.02, kRed = 0.1, vMin = 1e-3, friction = p.friction }
solidMaterial("Rubber", { density = 1100, E = 1e7, nu = 0.45 })
contactPair("Rubber", "Steel", { cor = 0.1, muK = 0.6, muR = 0.01 })
contactPair("Rubber", "Rubber", { cor = 0.1, muK = 1.0, muR = 0.01 })
contactPair("Steel", "Steel", { cor = 0.2, muK = 0.3, muR = 0.01 })
contactPair("DryWood", "*", { cor = 0.1, muK = 0.5, muR = 0.02 })

local top = 0.3                                              -- [m] height of the tables
local from, to = { 0.55, -0.25 }, { 0.45, 0.35 }             -- [m] the block's place, before and after
local ballFrom, ballTo = { 0.62, -0.02 }, { 0.25, 0.52 }     -- [m] likewise the ball's
local tall, radius, pin, ring = 0.12, 0.04, 0.008, 0.022     -- [m] block, ball, pins of its nests, circle of these
local seat = top + math.sqrt((radius + pin) ^ 2 - ring ^ 2)  -- [m] height of the middle of the ball in a nest

local orange = visualMaterial("orange", { color = "#f07820", shininess = 0.6 })
local graphite = visualMaterial("graphite", { color = "#2b3036", shininess = 0.5 })
local alloy = visualMaterial("alloy", { color = "#b9c2cc", shininess = 0.8 })
local rubber = visualMaterial("rubber", { color = "#15171a", shininess = 0.1 })
local red = visualMaterial("red", { color = "#d8203a", shininess = 0.95 })
local beech = visualMaterial("beech", { color = "#d9b483", shininess = 0.2 })

local room = world("room", { light{ kind = "ambient", intensity = 0.4 }, visual{ shape = grid{ width = 2, length = 2, spacing = 0.2 } } })
object("sun", { parent = room, rotation = { 0.7, -0.4, 0 }, light{ kind = "directional", intensity = 0.9 } })

-- ------------------------------------------------------------------------- tables, block and ball

local function table_(name, x, y)
  object(name, {
    parent = room, position = { x, y, top / 2 },
    solid{ shape = box{ size = { 0.4, 0.3, top } }, contact = "DryWood", visual = beech },
  })
end
table_("firstTable", 0.6, -0.16)
table_("secondTable", 0.35, 0.44)

local function nest(name, x, y)
  for k = 0, 2 do
    local angle = 2 * math.pi * k / 3
    object(name .. k, {
      parent = room, position = { x + ring * math.cos(angle), y + ring * math.sin(angle), top },
      solid{ shape = sphere{ radius = pin }, contact = "DryWood", visual = orange },
    })
  end
end
nest("firstPin", ballFrom[1], ballFrom[2])
nest("secondPin", ballTo[1], ballTo[2])

object("block", {
  parent = room, position = { from[1], from[2], top + tall / 2 }, free = true, start = "rest",
  solid{ shape = box{ size = { 0.06, 0.06, tall } }, mass = 0.5, contact = "Steel", visual = alloy },
})
object("ball", {
  parent = room, position = { ballFrom[1], ballFrom[2], seat }, free = true, start = "rest",
  solid{ shape = sphere{ radius = radius }, mass = 0.25, contact = "Steel", visual = red },
})

-- --------------------------------------------------------------------------------------------- arm

local height, upper, fore, tool = 0.5, 0.45, 0.4, 0.25 -- [m] shoulder, links, wrist to the middle between the pads

-- Angles that bring the middle between the pads to a place, the hand upright and along the room's axes. The arm stands
-- straight up where all are 0.
local function reach(x, y, z)
  local r, dz = math.sqrt(x * x + y * y), z + tool - height
  local c = (r * r + dz * dz - upper * upper - fore * fore) / (2 * upper * fore)
  local elbow = math.atan(math.sqrt(1 - c * c), c)
  local shoulder = math.atan(r, dz) - math.atan(fore * math.sin(elbow), upper + fore * math.cos(elbow))
  local yaw = math.atan(y, x)
  return { yaw, shoulder, elbow, 0, -shoulder - elbow, -yaw }
end

local magnetAbove = 0.075 -- [m] face of the magnet above the middle between the pads
local clear = 0.16        -- [m] above things on the way
local function overBlock(place, lift) return reach(place[1], place[2], top + tall - magnetAbove + lift) end
local function overBall(place, lift) return reach(place[1], place[2], seat + lift) end

-- way points, and how long the arm waits at each
local points, waits = {}, {}
local function go(angles, wait)
  points[#points + 1] = angles
  waits[#points] = 0
  if wait then
    points[#points + 1] = angles
    waits[#points] = wait
  end
  return #points - 1 -- where `progress` is then
end
go(reach(0.4, 0, 0.6))
go(overBlock(from, clear))
go(overBlock(from, -1e-4), 0.2)                    -- the magnet presses a little
go(overBlock(from, clear))
go(overBlock(to, clear))
local putDown = go(overBlock(to, 2e-4), 0.2)       -- the block hangs just above the table
go(overBlock(to, clear))
go(overBall(ballFrom, clear))
local close = go(overBall(ballFrom, 0), 0.5)
go(overBall(ballFrom, clear))
go(overBall(ballTo, clear))
local open = go(overBall(ballTo, 5e-4), 0.5)
go(overBall(ballTo, clear))
go(reach(0.4, 0, 0.6))

local paths = {}
local function along(name, values, speed, acceleration)
  local sync = #paths > 0 and { table.unpack(paths) } or nil
  paths[#paths + 1] = path(name, { values = values, maxVelocity = speed, maxAcceleration = acceleration, sync = sync, start = 0.2 })
  return paths[#paths]
end
local waited, total = {}, 0
local counted = {}
for i, wait in ipairs(waits) do
  total = total + wait
  waited[i], counted[i] = total, i - 1
end
along("clock", waited, 1, 1e3)
along("progress", counted, 100, 1e4)

local function link(name, length, thickness, weight, look)
  return object(name, {
    mass{ mass = weight, com = { 0, 0, length / 2 }, inertia = { weight * length ^ 2 / 12, weight * length ^ 2 / 12, 0.02 } },
    visual{ shape = sphere{ radius = thickness }, visual = look },
  }), object(name .. "Body", {
    parent = name, position = { 0, 0, length / 2 },
    visual{ shape = cylinder{ radius = 0.8 * thickness, length = length }, visual = look },
  }), object(name .. "End", { parent = name, position = { 0, 0, length } })
end

local base, _, baseEnd = link("turret", height, 0.09, 20, graphite)
local shoulder, _, shoulderEnd = link("upperArm", upper, 0.07, 8, orange)
local elbow, _, elbowEnd = link("foreArm", fore, 0.055, 4, orange)
local roll = object("roll", { mass{ mass = 0.5, inertia = { 0.001, 0.001, 0.001 } } })
local wrist = object("wrist", {
  mass{ mass = 0.5, inertia = { 0.001, 0.001, 0.001 } }, visual{ shape = sphere{ radius = 0.05 }, visual = graphite },
})
local hand = object("hand", { mass{ mass = 0.8, com = { 0, 0, -0.1 }, inertia = { 0.002, 0.002, 0.002 } } })
local axes = {
  { "axis1", room, base, "z" }, { "axis2", baseEnd, shoulder, "y" }, { "axis3", shoulderEnd, elbow, "y" },
  { "axis4", elbowEnd, roll, "z" }, { "axis5", roll, wrist, "y" }, { "axis6", wrist, hand, "z" },
}
for i, axis in ipairs(axes) do
  local values = {}
  for k, angles in ipairs(points) do values[k] = angles[i] end
  revolute(axis[1], axis[2], axis[3], { axis = axis[4], motion = along("way" .. i, values, p.speed, 4) })
end

-- ------------------------------------------------------------------------------------------- hand

local pad, opening = 0.012, 0.03 -- [m] thickness of a pad; between pad and ball before the fingers close
object("palm", {
  parent = hand, position = { 0, 0, -0.14 },
  visual{ shape = box{ size = { 0.26, 0.06, 0.03 } }, visual = alloy },
})
object("neck", {
  parent = hand, position = { 0, 0, -0.07 }, visual{ shape = cylinder{ radius = 0.03, length = 0.14 }, visual = graphite },
})
local magnet = object("magnet", {
  parent = hand, position = { 0, 0, magnetAbove - tool + 0.01 },
  solid{ shape = cylinder{ radius = 0.02, length = 0.02 }, contact = "Rubber", visual = red },
})
-- Fingers are free to slide along the hand, pressed together by the same force; a third term keeps them in the middle.
local function limited(name, at)
  local scaled = sum(name .. "Ramp", { inputs = { "progress", constant(name .. "At", { value = at }) }, factors = { 20, -20 } })
  return limit(name, { input = scaled, min = 0, max = p.grip + 1 })
end
local squeeze = sum("squeeze", {
  inputs = { limited("closing", close - 0.9), limited("opening", open - 0.9), constant("ajar", { value = -1 }) },
  factors = { 1, -1, 1 },
})
local position = {}
for i, side in ipairs{ -1, 1 } do
  local name = i == 1 and "left" or "right"
  local finger = object(name .. "Finger", {
    solid{ shape = box{ size = { pad, 0.04, 0.15 } }, mass = 0.1, visual = graphite },
  })
  object(name .. "Pad", {
    parent = finger, position = { -side * pad, 0, -0.055 },
    solid{ shape = box{ size = { pad, 0.04, 0.05 }, rounding = 1e-3 }, contact = "Rubber", visual = rubber },
  })
  local mount = object(name .. "Mount", {
    parent = hand, position = { side * (radius + opening + 1.5 * pad), 0, 0.055 - tool },
  })
  prismatic(name, mount, finger, {
    axis = { -side, 0, 0 }, force = name .. "Force", damping = 4, stopMin = 0, stopStiffness = 1e4, stopDamping = 5,
  })
  position[i] = jointSensor(name .. "Position", { joint = name })
end
local centring = 200 -- [N/m]
sum("leftForce", { inputs = { squeeze, position[1], position[2] }, factors = { 1, -centring, centring } })
sum("rightForce", { inputs = { squeeze, position[1], position[2] }, factors = { 1, centring, -centring } })

-- ---------------------------------------------------------------------------------------- actions

action("grip", { when = { contact = { magnet, "block" }, duration = 0.05 }, attach = { "block", to = magnet } })
action("letGo", { when = { signal = "progress", level = putDown - 0.5 }, release = "block" })
