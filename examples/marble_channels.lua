-- Marbles in a run with real channels: down a half pipe, back on another one, and around a funnel into a bowl.
--
-- Shows extruded channels, a revolved funnel and a bowl, all of lines and arcs that balls touch without facets: in a half pipe a
-- marble rolls on one touch.
-- Try: carom run marble_channels.lua --record 'marble1.**'

local p = parameters{
  radius = 0.008,  -- [m] of the marbles
  slope = 0.09,    -- [rad] of the channels
  marbles = 3,
}
scene{ stopTime = 25, interval = 0.02, gravity = { 0, 0, -9.81 } }
contactPair("Steel", "Steel", { cor = 0.3, muK = 0.25, muR = 2e-3 })

local hall = world("hall")

-- Across the channel, open to above; its middle is in the bottom of the half pipe.
local groove, wall = 0.012, 0.004
local channel = {
  { -groove - wall, -wall }, { groove + wall, -wall }, { groove + wall, groove + 0.012 }, { groove, groove + 0.012 },
  { groove, groove }, { -groove, groove, arc = -groove }, { -groove, groove + 0.012 }, { -groove - wall, groove + 0.012 },
}

-- Along x if side is 1, else along -x, going down; at is the middle of its bottom.
local function lay(name, at, length, side)
  local s, c = math.sin(p.slope), math.cos(p.slope)
  object(name, { parent = hall, position = at, rotation = { { 0, side * s, side * c }, { side, 0, 0 }, { 0, c, -s } },
    solid{ shape = extruded{ profile = channel, length = length }, contact = "Steel", visual = "BurlyWood" } })
end
lay("first", { 0, 0, 0.3 }, 0.4, 1)
lay("second", { 0.16, 0, 0.21 }, 0.8, -1)

object("funnel", { parent = hall, position = { -0.32, 0.02, 0.06 }, solid{ contact = "Steel", visual = "Silver",
  shape = revolved{ profile = { { 0.014, -0.05 }, { 0.02, -0.05 }, { 0.02, 0 }, { 0.116, 0.04 }, { 0.116, 0.07 }, { 0.11, 0.07 },
    { 0.11, 0.044 }, { 0.024, 0.008 }, { 0.014, -0.006, arc = 0.014 } } } } })
object("bowl", { parent = hall, position = { -0.32, 0.02, -0.02 }, solid{ contact = "Steel", visual = "Silver",
  shape = revolved{ profile = { { 0, -0.08 }, { 0.08, 0, arc = 0.08 }, { 0.074, 0, arc = 0.003 }, { 0, -0.074, arc = -0.074 } } } } })

for i = 1, p.marbles do
  local x = -0.19 + 0.03 * i
  object("marble" .. i, { parent = hall, free = true,
    position = { x, 0.002, 0.3 - x * math.tan(p.slope) + p.radius + 1e-3 },
    solid{ shape = sphere{ radius = p.radius }, material = "Steel", contact = "Steel", visual = "RoyalBlue" } })
end
