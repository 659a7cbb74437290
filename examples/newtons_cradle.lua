-- Newton's cradle: as many balls as fall on one side leave on the other.
--
-- Each ball hangs on two strings, so it swings in one plane: a hinge. Between the balls is a gap of a tenth of a
-- millimetre. It makes the impacts follow one another, each between two balls only, and two equal balls exchange their
-- velocities. Without a gap the balls deform together and all of them move a little afterwards.
-- Try: --set lifted=2    two balls leave
--      --set gap=0       elastic balls in touch; compare --set gap=0 --set response=impulsive
--      --set cor=0.8     what real balls do after a while: all swing together

local p = parameters{
  balls = 5,
  lifted = 1,            -- how many are let go from the side
  angle = 0.7,           -- [rad] how far
  gap = 1e-4,            -- [m] between balls at rest
  cor = 0.995,           -- coefficient of restitution
  response = "elastic",  -- or impulsive
}

scene{ stopTime = 8, interval = 0.01, response = p.response, formula = "exact" }
solidMaterial("Chrome", { density = 7800, E = 2.1e11, nu = 0.3 })
contactPair("Chrome", "Chrome", { cor = p.cor, muK = 0, muR = 0, vMin = 1e-6 }) -- slow impacts keep their restitution

local radius = 0.02       -- [m] of a ball
local length = 0.16       -- [m] from the rails to the middle of a ball
local rail = 0.075        -- [m] of each rail from the plane of the balls
local base = 0.02         -- [m] thickness of the plate
local clearance = 0.03    -- [m] below the balls
local pitch = 2 * radius + p.gap
local height = base + clearance + radius + length -- [m] of the rails
local span = (p.balls + 3) * pitch                -- [m] length of the frame

-- ---------------------------------------------------------------------------------- room and frame

local chrome = visualMaterial("chrome", { color = "#dfe6ee", shininess = 1 })
local walnut = visualMaterial("walnut", { color = "#4a2c1a", shininess = 0.4 })
local brass = visualMaterial("brass", { color = "#c9a24b", shininess = 0.9 })

local room = world("room", { light{ kind = "ambient", intensity = 0.35 } })
object("lamp", { parent = room, position = { 0.3, -0.5, 0.9 }, light{ kind = "point", intensity = 1.1 } })
object("sun", { parent = room, rotation = { 0.5, -0.5, 0 }, light{ kind = "directional", intensity = 0.7 } })
object("tripod", { parent = room, position = { 0, 0, height / 2 }, rotation = { axis = "z", angle = -0.45 } })
object("viewer", {
  parent = "tripod", position = { 0, -0.72, 0.2 }, rotation = { axis = "x", angle = math.atan(0.72, 0.2) },
  camera{ fieldOfView = 0.6 },
})

object("plate", {
  parent = room, position = { 0, 0, base / 2 },
  solid{ shape = box{ size = { span + 0.04, 2 * rail + 0.06, base } }, visual = walnut },
})
for i, y in ipairs{ -rail, rail } do
  object("rail" .. i, {
    parent = room, position = { 0, y, height },
    solid{ shape = capsule{ radius = 0.004, length = span, axis = "x" }, visual = brass },
  })
  for k, x in ipairs{ -span / 2, span / 2 } do
    object("post" .. i .. k, {
      parent = room, position = { x, y, (base + height) / 2 },
      solid{ shape = cylinder{ radius = 0.004, length = height - base }, visual = brass },
    })
  end
end

-- ------------------------------------------------------------------------------------------- balls

local string = math.sqrt(length ^ 2 + rail ^ 2) -- [m]
for i = 1, p.balls do
  local hook = object("hook" .. i, { parent = room, position = { (i - (p.balls + 1) / 2) * pitch, 0, height } })
  local swing = object("swing" .. i) -- its frame is on the axis between the rails
  object("ball" .. i, {
    parent = swing, position = { 0, 0, -length },
    solid{ shape = sphere{ radius = radius }, material = "Chrome", contact = "Chrome", visual = chrome },
  })
  for k, y in ipairs{ -rail, rail } do
    object("string" .. i .. k, {
      parent = swing, position = { 0, y / 2, -length / 2 },
      visual{ shape = cylinder{ radius = 0.0006, length = string, axis = { 0, y, length } }, visual = "LightGray" },
    })
  end
  revolute("hinge" .. i, hook, swing, { axis = "y", start = i <= p.lifted and p.angle or 0 })
end
