-- A wedge is driven under a weight, and let go: it stays, or the weight squeezes it out.
--
-- Friction on both faces has to turn the weight's push: a wedge of the angle a locks itself if tan a < 2 mu / (1 - mu^2),
-- which is a < 2 atan(mu): 12 degrees are held by mu = 0.12, and not by mu = 0.09. The weight slides in a guide without
-- friction. Nothing here creeps: the wedge is where it was left after a day.
-- Try: --set mu=0.09            too slippery
--      --set angle=0.45         too steep
--      carom plot wedge.run/result.h5 'wedge.position.x' 'push.value'

local p = parameters{
  mu = 0.2,
  angle = math.rad(12),
  mass = 40,     -- [kg] of the weight
}

scene{ stopTime = 3, interval = 0.01, friction = "stick", kRed = 0.1 }
solidMaterial("Oak", { density = 700, E = 1e9, nu = 0.3 })
contactPair("Oak", "Oak", { cor = 0.1, muK = p.mu, muR = 0 })

local oak = visualMaterial("oak", { color = "#c08a4a", shininess = 0.2 })
local iron = visualMaterial("iron", { color = "#4c545e", shininess = 0.6 })
local alloy = visualMaterial("alloy", { color = "#b9c2cc", shininess = 0.8 })

local room = world("room", {
  solid{ shape = halfSpace{}, contact = "Oak" },
  light{ kind = "ambient", intensity = 0.45 },
})
object("sun", { parent = room, rotation = { 0.7, -0.4, 0 }, light{ kind = "directional", intensity = 0.9 } })
for i, x in ipairs{ -0.14, 0.14 } do
  object("post" .. i, {
    parent = room, position = { x, 0.13, 0.35 },
    solid{ shape = box{ size = { 0.03, 0.03, 0.7 } }, visual = alloy },
  })
end

-- The wedge: its upper face rises to the left by tan(angle), and it is pushed to the right.
local long, wide, thin = 0.5, 0.12, 0.01
local slope = math.tan(p.angle)
local points = {}
for _, y in ipairs{ -wide / 2, wide / 2 } do
  for _, x in ipairs{ -long / 2, long / 2 } do
    points[#points + 1] = { x, y, 0 }
    points[#points + 1] = { x, y, thin + (long / 2 - x) * slope }
  end
end
local wedge = object("wedge", {
  parent = room, position = { -0.12, 0, 0 }, free = true,
  solid{ shape = hull{ points = points }, material = "Oak", contact = "Oak", visual = oak },
})

-- The weight ends in a foot as steep as the wedge, so that both lie on each other.
local half, tall = 0.1, 0.3
local foot = thin + (long / 2 - 0.12) * slope -- height of the wedge's face below the middle of the weight
local feet = {}
for _, y in ipairs{ -half, half } do
  for _, x in ipairs{ -half, half } do
    feet[#feet + 1] = { x, y, -x * slope }
    feet[#feet + 1] = { x, y, tall }
  end
end
local weight = object("weight", {
  solid{ shape = hull{ points = feet }, mass = p.mass, contact = "Oak", visual = iron },
})
prismatic("guide", object("rail", { parent = room, position = { 0, 0, foot } }), weight, {
  axis = "z", stopMin = -foot, stopMax = 1, stopStiffness = 1e6, stopDamping = 1,
})

-- Pushed in with a force that rises and falls, from 0.2 s to 1.2 s.
local phi = math.atan(p.mu) -- it begins to move at this share of the weight
local most = 1.25 * p.mass * 9.81 * (math.tan(p.angle + phi) + p.mu)
force("drive", object("head", { parent = wedge, position = { -long / 2, 0, 0.03 } }), { force = { most, 0, 0 },
  factor = timeTable("push", { times = { 0.2, 0.7, 1.2 }, values = { 0, 1, 0 } }) })
