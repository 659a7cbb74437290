-- A spherical pendulum: a ball on a light string, free to swing in every direction.
--
-- Shows the spherical joint, whose coordinates are a quaternion: no orientation is special. The ball goes round
-- between two heights; energy and the angular momentum about the vertical stay. With the right rate it keeps its
-- height, a conical pendulum: rate^2 = g / (length cos(angle)).
-- Try: carom run spherical_pendulum.lua --set conical=true

local p = parameters{
  length = 1.0,    -- [m] from the pivot to the middle of the ball
  mass = 1.0,      -- [kg] of the ball; the string has none
  angle = 0.9,     -- [rad] at the start, from hanging straight down
  rate = 1.5,      -- [rad/s] at the start, about the vertical
  conical = false, -- start with the rate that keeps the height
}

local g = 9.81 -- [m/s^2]
scene{ gravity = { 0, 0, -g }, stopTime = 10, tolerance = 1e-8 }

local rate = p.conical and math.sqrt(g / (p.length * math.cos(p.angle))) or p.rate

local ground = world("ground", { visual{ shape = grid{ width = 2, length = 2, spacing = 0.2 } } })
local pivot = object("pivot", {
  parent = ground, position = { 0, 0, 1.5 },
  visual{ shape = sphere{ diameter = 0.04 }, visual = "DimGray" },
})
local string = object("string")
object("line", {
  parent = string, position = { 0, 0, -p.length / 2 },
  visual{ shape = cylinder{ diameter = 0.008, length = p.length }, visual = "Silver" },
})
object("ball", {
  parent = string, position = { 0, 0, -p.length },
  solid{ shape = sphere{ diameter = 0.1 }, mass = p.mass, visual = "Crimson" },
})

-- turned about y by -angle: the ball starts on the side of +x
spherical("joint", pivot, string, {
  start = { math.cos(p.angle / 2), 0, -math.sin(p.angle / 2), 0 },
  startRate = { 0, 0, rate },
})
