-- An arm with two axes that carries a probe from part to part on a table. Both axes follow paths through the same via
-- points: each leg takes as long as the slower axis needs, with limits of speed, acceleration and jerk. A ray from the probe
-- looks down, and a controller lifts the probe so that it stays 250 mm above whatever is there. The clearance to a post
-- is watched on the way.
--
-- Shows path with sync and maxJerk, raySensor in a control loop, distanceSensor.
-- Try: carom run scan_arm.lua --record 'height.value' --record 'clearance.value' --record 'lift.position'
--      carom plot scan_arm.run/result.h5 height.value clearance.value lift.position

local p = parameters{
  height = 0.25, -- [m] that the probe keeps above what it sees
  speed = 1.5,   -- [rad/s] largest rate of both axes
}

scene{ stopTime = 8, interval = 0.02, tolerance = 1e-7, eventRows = "off" }

local length = { 0.45, 0.35 } -- [m] of both links
local ground = world("ground", { visual{ shape = grid{ width = 3, length = 3, spacing = 0.25 } } })
object("table", { parent = ground, position = { 0.45, 0.1, 0.35 },
  solid{ shape = box{ size = { 1.3, 1.3, 0.1 } }, contact = "Steel", visual = "BurlyWood" } })

-- What lies on the table, with its top at a height above it.
local parts = { { x = 0.6, y = 0.2, height = 0.12, size = 0.16 }, { x = 0.35, y = 0.55, height = 0.2, size = 0.2 },
  { x = 0.65, y = -0.25, height = 0.05, size = 0.18 } }
for i, part in ipairs(parts) do
  object("part" .. i, { parent = ground, position = { part.x, part.y, 0.4 + part.height / 2 },
    solid{ shape = box{ size = { part.size, part.size, part.height } }, contact = "Steel", visual = "SteelBlue" } })
end
local post = object("post", { parent = ground, position = { 0.62, 0.48, 0.75 },
  solid{ shape = cylinder{ radius = 0.03, length = 0.7 }, contact = "Steel", visual = "Crimson" } })

-- Where the axes have to turn for a point of the table: the elbow bends to the right.
local function angles(x, y)
  local a, b = length[1], length[2]
  local bend = math.acos((x * x + y * y - a * a - b * b) / (2 * a * b))
  return math.atan(y, x) + math.atan(b * math.sin(bend), a + b * math.cos(bend)), -bend
end
local via = { { 0.5, -0.45 }, { parts[3].x, parts[3].y }, { parts[1].x, parts[1].y }, { parts[2].x, parts[2].y }, { 0.1, 0.6 } }
local first, second = {}, {}
for i, point in ipairs(via) do first[i], second[i] = angles(point[1], point[2]) end

local column = object("column", { parent = ground, position = { 0, 0, 0.45 },
  visual{ shape = cylinder{ radius = 0.08, length = 0.9 }, visual = "DimGray" } })
local function link(name, reach, height)
  local root = object(name)
  object(name .. "Body", { parent = root, position = { reach / 2, 0, height },
    solid{ shape = box{ size = { reach, 0.08, 0.06 } }, mass = 4, visual = "Orange" } })
  return root, object(name .. "Tip", { parent = root, position = { reach, 0, height } })
end
local upper, elbow = link("upper", length[1], 0)
local fore, wrist = link("fore", length[2], 0.07)
local shoulder = object("shoulderFrame", { parent = column, position = { 0, 0, 0.45 } })

local way = { maxVelocity = p.speed, maxAcceleration = 4, maxJerk = 30, start = 0.8 }
local firstWay = path("firstWay", { values = first, maxVelocity = way.maxVelocity, maxAcceleration = way.maxAcceleration,
  maxJerk = way.maxJerk, start = way.start })
local secondWay = path("secondWay", { values = second, maxVelocity = way.maxVelocity, maxAcceleration = way.maxAcceleration,
  maxJerk = way.maxJerk, start = way.start, sync = { firstWay } })
revolute("first", shoulder, upper, { motion = firstWay })
revolute("second", elbow, fore, { motion = secondWay })

-- the probe slides along z and is lifted by what the ray measures
local probe = object("probe", { solid{ shape = cylinder{ radius = 0.02, length = 0.3 }, mass = 1, contact = "Steel", visual = "Silver" } })
local eye = object("eye", { parent = probe, position = { 0, 0, -0.16 } })
local ray = raySensor("height", { object = eye, direction = { 0, 0, -1 }, range = 0.5 })
local control = pid("control", { input = ray, reference = constant("wanted", { value = p.height }), period = 2e-3,
  gain = 400, integralGain = 800, derivativeGain = 40, filterTime = 4e-3, min = -60, max = 60 })
local weight = constant("weight", { value = 9.81 })
prismatic("lift", wrist, probe, { axis = { 0, 0, 1 }, start = -0.16, damping = 5, force = sum("pull", { inputs = { control, weight } }),
  stopMin = -0.55, stopMax = 0.2, stopStiffness = 1e5, stopDamping = 10 })
distanceSensor("clearance", { objectA = probe, objectB = post })
