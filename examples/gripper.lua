-- A gripper takes a ball from a post, carries it over and sets it down on another one. Friction alone holds it.
--
-- Two fingers are pressed together by the same force; a third term keeps them in the middle. Two pads hold a weight
-- m g as long as 2 muK grip >= m (g + a). Friction that sticks holds it where it is. The regularized law creeps: the ball
-- slips through the fingers with the speed v for which 2 muK grip v / reg(v, vMin) = m g.
-- Try: --set grip=2.5     too little: the ball slips out on the way up
--      --set muK=0.3      needs twice the force
--      --set friction=regularized
--      carom plot gripper.run/result.h5 'ball.position.z' 'lift.position' 'pressed.value'

local p = parameters{
  mass = 0.25,   -- [kg] of the ball
  muK = 0.6,     -- of pads and ball
  grip = 4.0,    -- [N] of each finger
  lift = 0.25,   -- [m]
  friction = "stick",
}

scene{ stopTime = 5.5, interval = 0.01, kRed = 0.1, vMin = 1e-3, friction = p.friction }
solidMaterial("Rubber", { density = 1100, E = 1e8, nu = 0.45 })
contactPair("Rubber", "Steel", { cor = 0.1, muK = p.muK, muR = 0.01 })
contactPair("Rubber", "Rubber", { cor = 0.1, muK = 1.0, muR = 0.01 })
contactPair("Rubber", "DryWood", { cor = 0.1, muK = 0.8, muR = 0.01 })
contactPair("Steel", "DryWood", { cor = 0.3, muK = 0.4, muR = 0.02 })

local radius = 0.04         -- [m] of the ball
local way = 0.4             -- [m] from post to post
local height = 0.2          -- [m] of the posts
local pad = 0.012           -- [m] thickness
local opening = 0.03        -- [m] between pad and ball before the fingers close
local gantry = 0.9          -- [m] height of the beam

-- ------------------------------------------------------------------------------------------ looks

local orange = visualMaterial("orange", { color = "#f07820", shininess = 0.6 })
local graphite = visualMaterial("graphite", { color = "#2b3036", shininess = 0.5 })
local alloy = visualMaterial("alloy", { color = "#b9c2cc", shininess = 0.8 })
local rubber = visualMaterial("rubber", { color = "#15171a", shininess = 0.1 })
local red = visualMaterial("red", { color = "#d8203a", shininess = 0.95 })
local beech = visualMaterial("beech", { color = "#d9b483", shininess = 0.2 })

local room = world("room", {
  solid{ shape = halfSpace{}, contact = "DryWood" },
  light{ kind = "ambient", intensity = 0.4 },
})
object("lamp", { parent = room, position = { 0.5, -1.0, 1.4 }, light{ kind = "point", intensity = 0.9 } })
object("sun", { parent = room, rotation = { 0.7, -0.4, 0 }, light{ kind = "directional", intensity = 0.8 } })
object("tripod", { parent = room, position = { way / 2, 0, 0.48 }, rotation = { axis = "z", angle = 0.3 } })
object("viewer", {
  parent = "tripod", position = { 0, -1.75, 0.45 }, rotation = { axis = "x", angle = math.atan(1.75, 0.45) },
  camera{ fieldOfView = 0.6 },
})

-- ------------------------------------------------------------------------------- posts and ball

-- A post carries three round pins, a nest from which the ball does not roll.
local pin, ring = 0.008, 0.022 -- [m] radii of a pin and of the circle on which they stand
for i, x in ipairs{ 0, way } do
  object("post" .. i, {
    parent = room, position = { x, 0, height / 2 },
    solid{ shape = cylinder{ radius = 0.034, length = height }, contact = "DryWood", visual = beech },
  })
  for k = 0, 2 do
    local angle = 2 * math.pi * k / 3
    object("pin" .. i .. k, {
      parent = room, position = { x + ring * math.cos(angle), ring * math.sin(angle), height },
      solid{ shape = sphere{ radius = pin }, contact = "DryWood", visual = orange },
    })
  end
end
local seat = height + math.sqrt((radius + pin) ^ 2 - ring ^ 2) -- [m] of the middle of the ball in a nest
object("ball", {
  parent = room, position = { 0, 0, seat }, free = true, start = "rest",
  solid{ shape = sphere{ radius = radius }, mass = p.mass, contact = "Steel", visual = red },
})

-- --------------------------------------------------------------------------------------- gripper

for i, x in ipairs{ -0.15, way + 0.15 } do
  object("column" .. i, {
    parent = room, position = { x, 0.25, gantry / 2 },
    visual{ shape = box{ size = { 0.05, 0.05, gantry } }, visual = graphite },
  })
end
object("beam", {
  parent = room, position = { way / 2, 0.25, gantry },
  visual{ shape = box{ size = { way + 0.4, 0.06, 0.06 } }, visual = graphite },
})

-- Close from 0.2 s, up from 0.8 s, over from 1.8 s, down from 3.1 s, open from 4.2 s, away from 4.7 s.
local carriage = object("carriage", {
  solid{ shape = box{ size = { 0.12, 0.30, 0.07 } }, mass = 2, visual = orange },
})
local start = object("start", { parent = room, position = { 0, 0.15, gantry } })
prismatic("travel", start, carriage, {
  axis = "x", motion = path("over", { values = { 0, way }, maxVelocity = 0.5, maxAcceleration = 1, start = 1.8 }),
})
local hand = object("hand", {
  solid{ shape = box{ size = { 0.26, 0.06, 0.04 } }, mass = 1, visual = alloy },
})
object("shaft", {
  parent = hand, position = { 0, 0, 0.28 },
  visual{ shape = cylinder{ radius = 0.012, length = 0.56 }, visual = alloy },
})
local guide = object("guide", { parent = carriage, position = { 0, -0.15, seat - gantry + 0.11 } })
local function move(name, distance, time)
  return path(name, { values = { 0, distance }, maxVelocity = 0.5, maxAcceleration = 1.5, start = time })
end
prismatic("lift", guide, hand, {
  axis = "z",
  motion = sum("height", { inputs = { move("up", p.lift, 0.8), move("down", -p.lift, 3.1), move("away", p.lift, 4.7) } }),
})

local squeeze = timeTable("squeeze", { times = { 0, 0.2, 0.5, 4.2, 4.4 }, values = { -1, -1, p.grip, p.grip, -1 } })
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
  local mount = object(name .. "Mount", { parent = hand, position = { side * (radius + opening + 1.5 * pad), 0, -0.055 } })
  prismatic(name, mount, finger, {
    axis = { -side, 0, 0 }, force = name .. "Force", damping = 4, stopMin = 0, stopStiffness = 1e4, stopDamping = 5,
  })
  position[i] = jointSensor(name .. "Position", { joint = name })
end
local centring = 200 -- [N/m] keeps both fingers equally far closed
sum("leftForce", { inputs = { squeeze, position[1], position[2] }, factors = { 1, -centring, centring } })
sum("rightForce", { inputs = { squeeze, position[1], position[2] }, factors = { 1, centring, -centring } })

-- What presses on the ball from all sides: two fingers, or what it stands on.
contactSensor("pressed", { object = "ball", quantity = "normalForce" })
