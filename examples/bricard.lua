-- Bricard's mechanism: five rods and the ground in a loop of six hinges along the edges of a cube; problem A04 of the
-- IFToMM benchmark library [GonzalezEtAl06]. Counting says that it cannot move: five bodies with one hinge each, and a
-- sixth that takes five degrees of freedom. It moves all the same, with one.
--
-- Shows a mechanism whose constraints depend on each other in every position, and not for being plane.
-- Try: carom info bricard.lua      (Gruebler's count beside the true one)

scene{ gravity = { 0, -9.81, 0 }, stopTime = 10, tolerance = 1e-8 }

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.2 } } })
local points = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, -1, 0 }, { 1, -1, 1 }, { 0, -1, 1 }, { 0, 0, 1 } }
local axes = { "y", "z", "x", "y", "z", "x" }

-- A thin rod of 1 kg from one point to the next. All frames are those of the ground at the start.
local before = ground
for i = 1, 5 do
  local a, b = points[i], points[i + 1]
  local d = { b[1] - a[1], b[2] - a[2], b[3] - a[3] }
  local function across(k) return (1 - d[k] ^ 2) / 12 end
  local rod = object("rod" .. i, {
    mass{ mass = 1, com = { d[1] / 2, d[2] / 2, d[3] / 2 }, inertia = { across(1), across(2), across(3) } },
  })
  object("look" .. i, {
    parent = rod, position = { d[1] / 2, d[2] / 2, d[3] / 2 },
    visual{ shape = box{ size = { 0.04 + 0.96 * math.abs(d[1]), 0.04 + 0.96 * math.abs(d[2]),
                                  0.04 + 0.96 * math.abs(d[3]) } }, visual = "SteelBlue" },
  })
  revolute("hinge" .. i - 1, before, rod, { axis = axes[i] })
  before = object("tip" .. i, { parent = rod, position = d })
end
revolute("hinge5", before, object("foot", { parent = ground, position = points[6] }), { axis = axes[6] })
