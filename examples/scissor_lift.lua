-- A scissor lift of n storeys: two bars cross in each, pinned in their middle; one foot stands, the other slides. With
-- bars of length L and the feet x apart, the top is n sqrt(L^2 - x^2) high.
--
-- Shows many loops in one another, on one tree, and a drive in the middle of them: the slide is moved, and the drive's
-- force is what lifts. driven = 0 lets it sink instead, with a damper at its foot.
-- Try: carom info scissor_lift.lua
--      carom run scissor_lift.lua --record foot.force --record top.position.z

local p = parameters{
  n = 3,        -- storeys
  L = 1,        -- [m] bars
  mass = 4,     -- [kg] of a bar
  load = 100,   -- [kg]
  driven = 1,   -- 1: the foot is moved, 0: it slides
  x0 = 0.8, x1 = 0.5, -- [m] from and to which the foot moves
}

scene{ stopTime = 4, tolerance = 1e-8 }

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.3 } } })
local angle = math.acos(p.x0 / p.L)

-- A bar along x, with coordinate systems in its middle and at its far end.
local function bar(name, look)
  local near = object(name)
  object(name .. "Body", {
    parent = near, position = { p.L / 2, 0, 0 },
    solid{ shape = beam{ length = p.L, width = 0.05, height = 0.03 }, mass = p.mass, visual = look },
  })
  return near, object(name .. "Middle", { parent = near, position = { p.L / 2, 0, 0 } }),
    object(name .. "End", { parent = near, position = { p.L, 0, 0 } })
end

-- rising bars start at the left feet, falling ones at the right feet
local foot = object("footBlock", { mass{ mass = 1, inertia = { 0.01, 0.01, 0.01 } } })
if p.driven ~= 0 then
  local move = path("move", { values = { p.x0, p.x1 }, maxVelocity = 0.2, maxAcceleration = 0.5, start = 0.5 })
  prismatic("foot", ground, foot, { motion = move })
else
  prismatic("foot", ground, foot, { start = p.x0, fixed = true, damping = 2000 })
end
local left, right = ground, foot
for i = 1, p.n do
  local rising, risingMiddle, risingEnd = bar("rising" .. i, "SteelBlue")
  local falling, fallingMiddle, fallingEnd = bar("falling" .. i, "Gold")
  local flip = pi - 2 * angle
  revolute("left" .. i, left, rising, { axis = "-y", start = i == 1 and angle or -flip })
  revolute("right" .. i, right, falling, { axis = "-y", start = i == 1 and pi - angle or flip })
  revolute("middle" .. i, risingMiddle, fallingMiddle, { axis = "-y", start = pi - 2 * angle })
  left, right = fallingEnd, risingEnd
end
local top = object("top", { solid{ shape = box{ size = { 0.3, 0.3, 0.1 } }, mass = p.load, visual = "DimGray" } })
revolute("table", left, top, { axis = "-y", start = -(pi - angle) })
local slot = object("slot", { mass{ mass = 1, inertia = { 0.01, 0.01, 0.01 } } })
prismatic("rail", top, slot, { start = p.x0 })
revolute("roller", right, slot, { axis = "-y", start = -angle })
