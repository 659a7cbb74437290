-- N four-bar mechanisms in a row, problem A02 of the IFToMM benchmark library [GonzalezEtAl06]: N + 1 cranks on the
-- ground and N couplers between them, all thin rods of 1 m and 1 kg. One degree of freedom, whatever N is.
--
-- Shows many coupled loops, redundant constraints (every loop is plane, its joints constrain space), and singular
-- positions: whenever the cranks pass the horizontal all rods lie in one line, and the mechanism could go on as
-- another one, with crossed cranks. Momentum takes it through, and the energy stays.
-- Try: carom run n_four_bar.lua --set N=40
--      carom info n_four_bar.lua

local p = parameters{ N = 2, length = 1, mass = 1 }

scene{ gravity = { 0, -9.81, 0 }, stopTime = 10, tolerance = 1e-8 }

-- A rod along x of its own frame, with a coordinate system at its far end.
local function rod(name, look)
  local inertia = p.mass * p.length ^ 2 / 12
  local near = object(name, {
    mass{ mass = p.mass, com = { p.length / 2, 0, 0 }, inertia = { 0, inertia, inertia } },
  })
  object(name .. "Look", {
    parent = near, position = { p.length / 2, 0, 0 },
    visual{ shape = beam{ length = p.length, width = 0.06, height = 0.03 }, visual = look },
  })
  return near, object(name .. "End", { parent = near, position = { p.length, 0, 0 } })
end

local ground = world("ground", { visual{ shape = coordinateSystem{ length = 0.3 } } })
local crank, tip, before = nil, nil, nil
for i = 0, p.N do
  local pivot = object("pivot" .. i, { parent = ground, position = { i * p.length, 0, 0 } })
  crank, tip = rod("crank" .. i, "SteelBlue")
  -- the first joint moves at 1 m/s to the right, the others follow
  revolute("foot" .. i, pivot, crank, { start = pi / 2, startRate = -1 / p.length, fixed = i == 0 })
  if i > 0 then
    local coupler, far = rod("coupler" .. i, "Gold")
    revolute("left" .. i, before, coupler, { start = -pi / 2, startRate = 1 / p.length })
    revolute("right" .. i, far, tip, { start = pi / 2 })
  end
  before = tip
end
