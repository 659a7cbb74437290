-- Two spur gears that drive each other by their teeth: involutes against involutes, pair after pair.
--
-- Shows extruded profiles with parallel axes: each tooth is a convex piece of its outline, and touches others along lines.
-- The wheel follows by the ratio of teeth within play and what steel gives way; compare gearPair{ module = ... }.
-- Try: carom run involute_gears.lua --record '*Shaft.*'

local p = parameters{
  module = 0.002,
  teethA = 17,
  teethB = 29,
  width = 0.02,   -- [m]
  play = 2e-5,    -- [m] that each tooth is thinner than half a pitch
  speed = 62.8,   -- [rad/s] of the pinion
  torque = 5,     -- [N m] that drives it, and against it at the wheel
}
local angle = math.rad(20)

scene{ stopTime = 1, interval = 1e-3, gravity = "none", tolerance = 1e-7 }
contactPair("Steel", "Steel", { cor = 0.5, muK = 0, muR = 0 })

-- Outline of a gear: involutes as pairs of arcs that go on smoothly, straight roots, arcs at tips and roots.
local function outline(teeth, play)
  local base, tip, root = 0.5 * p.module * teeth * math.cos(angle), p.module * (0.5 * teeth + 1), p.module * (0.5 * teeth - 1.25)
  local function roll(r) return math.sqrt(math.max(0, (r / base) ^ 2 - 1)) end
  local inv = function(t) return t - math.atan(t) end
  local half = 0.5 * math.pi / teeth - play / (p.module * teeth) + inv(math.tan(angle)) -- of a tooth, at the base circle
  local first, last, pieces = roll(math.max(base * 1.003, root)), roll(tip), 4
  local function place(t) return base * (math.cos(t) + t * math.sin(t)), base * (math.sin(t) - t * math.cos(t)) end
  -- flank from root to tip, its involute beginning at the angle 0: points, and the radii of arcs that lead to them
  local flank = {}
  local x, y = place(first)
  if x * x + y * y > root * root then -- along its tangent down to the root circle
    local c, s = math.cos(first), math.sin(first)
    local b = x * c + y * s
    local down = b - math.sqrt(b * b - (x * x + y * y - root * root))
    flank[1] = { x - down * c, y - down * s }
  end
  flank[#flank + 1] = { x, y }
  for k = 1, pieces do
    local t0 = first + (last - first) * (k - 1) / pieces
    local t1 = first + (last - first) * k / pieces
    local h = 0.5 * (t1 - t0)
    local x0, y0 = place(t0)
    local x1, y1 = place(t1)
    local function way(t) return math.sin(t + h) - math.sin(t), math.cos(t) - math.cos(t + h) end
    local ax, ay = way(t0)
    local bx, by = way(t0 + h)
    local d = ax * by - ay * bx
    local r0, r1 = ((x1 - x0) * by - (y1 - y0) * bx) / d, (ax * (y1 - y0) - ay * (x1 - x0)) / d
    flank[#flank + 1] = { x0 + r0 * ax, y0 + r0 * ay, r0 }
    flank[#flank + 1] = { x1, y1, r1 }
  end
  local points = {}
  for j = 1, teeth do
    local phi = 2 * math.pi * j / teeth
    for i, p in ipairs(flank) do -- turned by phi - half
      local c, s = math.cos(phi - half), math.sin(phi - half)
      points[#points + 1] = { c * p[1] - s * p[2], s * p[1] + c * p[2], arc = p[3] or (i == 1 and root or nil) }
    end
    for i = #flank, 1, -1 do -- mirrored, from the tip
      local p, c, s = flank[i], math.cos(phi + half), math.sin(phi + half)
      points[#points + 1] = { c * p[1] + s * p[2], s * p[1] - c * p[2], arc = i == #flank and tip or flank[i + 1][3] }
    end
  end
  return points
end

local ground = world("ground")
local function gear(name, teeth, x, turn, rate, torque)
  local body = object(name, { solid{ shape = extruded{ profile = outline(teeth, p.play), length = p.width },
    material = "Steel", contact = "Steel", visual = "Silver" } })
  revolute(name .. "Shaft", object(name .. "Seat", { parent = ground, position = { x, 0, 0 } }), body,
    { axis = "z", start = turn, startRate = rate, torque = constant(name .. "Torque", { value = torque }) })
end
local ratio = p.teethB / p.teethA
gear("pinion", p.teethA, 0, 0, p.speed, p.torque)
gear("wheel", p.teethB, 0.5 * p.module * (p.teethA + p.teethB), math.pi - math.pi / p.teethB, -p.speed / ratio,
  p.torque * ratio)
