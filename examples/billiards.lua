-- Billiards: the cue ball runs into a rack of fifteen.
--
-- Shows loops that build many bodies, contact materials, and materials for pictures. The origin is in the
-- middle of the cloth, z = 0 on it. Try: carom info billiards.lua --set rows=3 --set speed=2

local p = parameters{
  rows = 5,     -- of the rack: 5 rows are 15 balls
  speed = 3.0,  -- [m/s] of the cue ball
  gap = 1e-4,   -- [m] between the balls of the rack
  kRed = 1,     -- factor of the stiffness of all contacts; docs/contact.md tells what 1e-4 does
}

scene{ stopTime = 5, interval = 0.01, tolerance = 1e-8, kRed = p.kRed }

local radius = 0.03
local length, width = 2.24, 1.12 -- [m] of the cloth, from cushion to cushion

local cloth = visualMaterial("cloth", { color = "#0a6b38", shininess = 0.05 })
local wood = visualMaterial("wood", { color = "SaddleBrown", shininess = 0.3 })
local ivory = visualMaterial("ivory", { color = "Ivory", shininess = 0.9 })

-- ------------------------------------------------------------------------------------------- table

local hall = world("hall", {
  light{ kind = "ambient", intensity = 0.4 },
})
object("lamp", { parent = hall, position = { 0, 0, 2 }, light{ kind = "point" } })
object("viewer", { -- looks at the middle
  parent = hall, position = { 0, -2.4, 2 }, rotation = { axis = "x", angle = math.atan(2.4, 2) },
  camera{ fieldOfView = 0.8 },
})

local rail = 0.06 -- [m] width of a cushion
local slab = 0.04 -- [m] thickness of the table
object("table", {
  parent = hall, position = { 0, 0, -slab / 2 },
  solid{ shape = box{ size = { length + 2 * rail, width + 2 * rail, slab } }, contact = "BilliardTable", visual = cloth },
})

-- The nose of a cushion is its lower inner edge, rounded. It meets a rolling ball 7/5 r above the cloth: there the ball
-- comes back nearly without sliding (cushion.lua). A ball of radius r and a rounding of radius e touch at the height
-- r + r (z + e - r) / (r + e), where z is the height of the sharp edge; so z = 7/5 r - 3/5 e.
-- Rubber gives along its length: the contact radius is that of a flat cushion, not of the small nose.
local nose = 1e-3 -- [m] rounding e
local z = 7 / 5 * radius - 3 / 5 * nose
local height = 0.02 -- [m] of a cushion

local function cushion(name, x, y, sizeX, sizeY)
  object(name, {
    parent = hall, position = { x, y, z + height / 2 },
    solid{ shape = box{ size = { sizeX, sizeY, height }, rounding = nose }, contact = "BilliardCushion",
           contactRadius = 1, visual = wood },
  })
end
cushion("cushionLeft", -(length + rail) / 2, 0, rail, width)
cushion("cushionRight", (length + rail) / 2, 0, rail, width)
cushion("cushionFront", 0, -(width + rail) / 2, length + 2 * rail, rail)
cushion("cushionBack", 0, (width + rail) / 2, length + 2 * rail, rail)

-- ------------------------------------------------------------------------------------------- balls

local colors = { "Gold", "RoyalBlue", "Crimson", "RebeccaPurple", "DarkOrange", "SeaGreen", "Maroon", "Black" }
for i, color in ipairs(colors) do
  visualMaterial("ball" .. i, { color = color, shininess = 0.9 })
end

local function ball(name, x, y, look, velocity)
  return object(name, {
    parent = hall, position = { x, y, radius }, free = true, start = "rest", velocity = velocity,
    solid{ shape = sphere{ radius = radius }, material = "BilliardBall", contact = "BilliardBall", visual = look },
  })
end

ball("cue", -length / 4, 0, ivory, { p.speed, 0, 0 })

local spacing = 2 * radius + p.gap
local count = 0
for row = 1, p.rows do -- the apex first
  for i = 1, row do
    count = count + 1
    ball("ball" .. count, length / 4 + (row - 1) * spacing * math.sqrt(3) / 2, (i - (row + 1) / 2) * spacing,
         "ball" .. (count - 1) % #colors + 1)
  end
end
