-- A chain of n links, let go while it is stretched out to the side.
--
-- Shows a loop that builds a model of any size: the cost of an evaluation grows with n, not with its cube.
-- Try: carom run chain.lua --set count=100 --stop 2
--      carom run chain.lua --set damping=1e-3

local p = parameters{
  count = 10,       -- links
  length = 0.1,     -- [m] of a link
  angle = pi / 2,   -- [rad] of the first link from hanging straight down
  bend = 0,         -- [rad] of every other link from the one before
  damping = 0,      -- [N m s/rad] in every hinge
}

scene{ stopTime = 5, tolerance = 1e-7 }

local diameter = 0.02 -- [m] of the links
local looks = { "SteelBlue", "Gold" }

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.2 } } })
local hook = object("hook", {
  parent = ground, position = { 0, 0, 1.5 },
  visual{ shape = box{ size = { 0.1, 0.1, 0.04 } }, visual = "DimGray" },
})

for i = 1, p.count do
  local link = object("link" .. i)
  object("rod" .. i, {
    parent = link, position = { 0, 0, -p.length / 2 },
    solid{ shape = cylinder{ diameter = diameter, length = p.length }, material = "Steel", visual = looks[i % 2 + 1] },
  })
  revolute("hinge" .. i, hook, link, { axis = "y", start = i == 1 and p.angle or p.bend, damping = p.damping })
  hook = object("end" .. i, { parent = link, position = { 0, 0, -p.length } })
end
